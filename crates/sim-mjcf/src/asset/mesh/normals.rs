//! Normals of vertices.

use sim_core::math::Vec3;

use super::{MINVAL, corners, widen};
use crate::pose::unit;

/// Cosine of the angle between a face and its vertex beyond which the edge stays sharp.
const SHARP: f64 = 0.8;

/// Computes the normals of vertices: sums of the normals of faces weighted by area.
///
/// Unless `smooth`, faces at a large angle to the sum are taken out again, which keeps edges
/// sharp. Sums are in single precision, as in the reference.
pub(super) fn make(vert: &[Vec3], face: &[[i32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let mut normal = vec![[0.0f32; 3]; vert.len()];
    // unit normals, and their share: twice the area times the unit normal
    let mut faces = Vec::with_capacity(face.len());
    for &f in face {
        let [a, b, c] = corners(vert, f);
        let cross = (b - a).cross(c - a);
        // a small face has no share
        let (direction, length) = unit(cross).unwrap_or((cross, 0.0));
        let share = direction * length;
        f.iter().for_each(|&v| add(&mut normal[v as usize], share));
        faces.push((direction, share));
    }

    if !smooth {
        let directions: Vec<Vec3> = normal
            .iter()
            .map(|&n| widen(n))
            .map(|sum| unit(sum).map_or(sum, |(direction, _)| direction))
            .collect();
        let mut removed = vec![[0.0f32; 3]; vert.len()];
        for (&f, &(direction, share)) in face.iter().zip(&faces) {
            for v in f.map(|v| v as usize) {
                if direction.dot(directions[v]) < SHARP {
                    add(&mut removed[v], share);
                }
            }
        }
        for (n, removed) in normal.iter_mut().zip(&removed) {
            (0..3).for_each(|i| n[i] -= removed[i]);
        }
    }

    for n in &mut normal {
        let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
        *n = if f64::from(length) > MINVAL { n.map(|x| x / length) } else { [0.0, 0.0, 1.0] };
    }
    normal
}

/// Adds in double precision, and rounds.
#[inline]
fn add(sum: &mut [f32; 3], v: Vec3) {
    for i in 0..3 {
        sum[i] = (f64::from(sum[i]) + v[i]) as f32;
    }
}
