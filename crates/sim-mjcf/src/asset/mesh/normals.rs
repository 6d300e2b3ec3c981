//! Normals of vertices.

use sim_core::math::Vec3;

use super::block::{Corners, Lane, Vectors, blocks, get, vectors};
use super::{MINVAL, widen};
use crate::pose::{EPS, unit};

/// Cosine of the angle between a face and its vertex beyond which the edge stays sharp.
const SHARP: f64 = 0.8;

/// Computes the normals of vertices: sums of the normals of faces weighted by area.
///
/// Unless `smooth`, faces at a large angle to the sum are taken out again, which keeps edges
/// sharp. Sums are in single precision, as in the reference.
pub(super) fn make(vert: &[Vec3], face: &[[i32; 3]], smooth: bool) -> Vec<[f32; 3]> {
    let mut normal = vec![[0.0f32; 3]; vert.len()];
    blocks(vert, face.iter().copied(), |block, corners| {
        let shares = Shares::new(corners).share;
        for (lane, f) in block.iter().enumerate() {
            let share = get(&shares, lane);
            f.iter().for_each(|&v| add(&mut normal[v as usize], share));
        }
    });

    if !smooth {
        let directions: Vec<Vec3> = normal
            .iter()
            .map(|&n| widen(n))
            .map(|sum| unit(sum).map_or(sum, |(direction, _)| direction))
            .collect();
        let mut removed = vec![[0.0f32; 3]; vert.len()];
        blocks(vert, face.iter().copied(), |block, corners| {
            let shares = Shares::new(corners);
            for (lane, f) in block.iter().enumerate() {
                let direction = get(&shares.direction, lane);
                for v in f.map(|v| v as usize) {
                    if direction.dot(directions[v]) < SHARP {
                        add(&mut removed[v], get(&shares.share, lane));
                    }
                }
            }
        });
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

/// Unit normals of faces, and their shares in the normals of vertices: twice the area times the
/// unit normal.
struct Shares {
    direction: Vectors,
    share: Vectors,
}

impl Shares {
    /// Computes them as [`unit`] does. A small face has no share.
    #[inline]
    fn new(corners: &Corners) -> Shares {
        let cross = vectors(|lane| corners.cross(lane));
        let square: Lane = std::array::from_fn(|lane| {
            let cross = get(&cross, lane);
            cross.dot(cross)
        });
        let direction = vectors(|lane| {
            let length = square[lane].sqrt();
            let as_it_is = (square[lane] < EPS) | ((length - 1.0).abs() <= EPS);
            get(&cross, lane) / if as_it_is { 1.0 } else { length }
        });
        let share = vectors(|lane| {
            let length = square[lane].sqrt();
            get(&direction, lane) * if square[lane] < EPS { 0.0 } else { length }
        });
        Shares { direction, share }
    }
}

/// Adds in double precision, and rounds.
#[inline]
fn add(sum: &mut [f32; 3], v: Vec3) {
    for i in 0..3 {
        sum[i] = (f64::from(sum[i]) + v[i]) as f32;
    }
}
