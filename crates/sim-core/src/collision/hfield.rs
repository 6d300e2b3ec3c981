//! Height fields against convex shapes.

use std::cell::Cell;

use super::convex::{Ccd, ConvexWork, fix_normal, touch_prism};
use super::flex::Element;
use super::hits::MAX_HITS;
use super::{Hit, Hits};
use crate::geometry::{Geom, Hfield, Hint, Prism, Solid};
use crate::math::Vec3;

/// Finds where a height field and a convex shape come closer than `margin`: one point for each
/// prism below the shape, two prisms per cell of the grid. MuJoCo: `mjc_ConvexHField`.
///
/// All of it happens in the frame of the height field. Prisms share the diagonal from the second to
/// the third corner of their cell, other than the triangles that rays meet.
pub(super) fn hfield_convex(
    a: &Geom,
    field: &Hfield,
    b: &Geom,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    let [x, y, top, bottom] = field.size;
    let low = Vec3::new(-x, -y, -bottom);
    let high = Vec3::new(x, y, top);

    // the bounding sphere against the box of the field
    let pos = a.mat.transpose_mul(b.pos - a.pos);
    let radius = b.rbound + margin;
    if (0..3).any(|i| high[i] < pos[i] - radius || low[i] > pos[i] + radius) {
        return;
    }

    // the bounding box against the box of the field
    let mat = a.mat.transpose() * *b.mat;
    let relative = Geom { pos, mat: &mat, ..*b };
    let hint = Cell::new(Hint::NONE);
    let Some(solid) = Solid::new(&relative, 0.0, &hint) else { return };
    let [most_x, least_x] = [Vec3::X, -Vec3::X].map(|dir| solid.support(dir).0.x);
    let [most_y, least_y] = [Vec3::Y, -Vec3::Y].map(|dir| solid.support(dir).0.y);
    let [most_z, least_z] = [Vec3::Z, -Vec3::Z].map(|dir| solid.support(dir).0.z);
    if (least_x - margin > x || most_x + margin < -x)
        || (least_y - margin > y || most_y + margin < -y)
        || (least_z - margin > top || most_z + margin < -bottom)
    {
        return;
    }

    let solid = Solid { margin, ..solid };
    let world = Solid { pos: b.pos, mat: b.mat, ..solid };
    let smooth = |hit: Hit| if ccd.native { hit } else { fix_normal(None, &world, hit) };
    let bounds = [least_x, most_x, least_y, most_y, least_z];
    touch_prisms(a, field, &solid, bounds, margin, ccd, work, smooth, out);
}

/// Finds where a height field and an element of a flex come closer than `margin`. MuJoCo:
/// `mjc_HFieldElem`.
pub(super) fn hfield_element(
    a: &Geom,
    field: &Hfield,
    element: &Element,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    let [x, y, top, bottom] = field.size;
    let local = |point: Vec3| a.mat.transpose_mul(point - a.pos);
    let mut corners = [Vec3::ZERO; 4];
    let corners = &mut corners[..element.corners().len()];
    for (local_corner, &corner) in corners.iter_mut().zip(element.corners()) {
        *local_corner = local(corner);
    }
    let least = |axis: usize| corners.iter().fold(f64::INFINITY, |low, c| low.min(c[axis]));
    let most = |axis: usize| corners.iter().fold(f64::NEG_INFINITY, |high, c| high.max(c[axis]));
    if (least(0) - margin > x || most(0) + margin < -x)
        || (least(1) - margin > y || most(1) + margin < -y)
        || (least(2) - margin > top || most(2) + margin < -bottom)
    {
        return;
    }
    let bounds = [least(0), most(0), least(1), most(1), least(2)];
    let solid = Solid::simplex(corners, element.radius(), local(element.centre()), margin);
    touch_prisms(a, field, &solid, bounds, margin, ccd, work, |hit| hit, out);
}

/// Finds the points that a body in the frame of a height field has in common with its prisms.
/// `bounds` are its least and largest x and y, and its least z.
#[allow(clippy::too_many_arguments)] // two callers share the loop
fn touch_prisms(
    a: &Geom,
    field: &Hfield,
    solid: &Solid,
    [least_x, most_x, least_y, most_y, least_z]: [f64; 5],
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    smooth: impl Fn(Hit) -> Hit,
    out: &mut Hits,
) {
    let [x, y, _, bottom] = field.size;
    let columns = cells(least_x, most_x, x, field.ncol);
    let rows = cells(least_y, most_y, y, field.nrow);
    if columns.0 >= columns.1 {
        return;
    }
    let mut prism: Prism = [Vec3::new(0.0, 0.0, -bottom); 6];
    let before = out.len();
    for row in rows.0..rows.1 {
        add_corner(&mut prism, field, row + 1, columns.0, margin);
        add_corner(&mut prism, field, row, columns.0, margin);
        for col in columns.0 + 1..=columns.1 {
            for corner in [row + 1, row] {
                add_corner(&mut prism, field, corner, col, margin);
                if prism[3..].iter().all(|point| point.z < least_z) {
                    continue;
                }
                let Some((depth, normal, pos)) = touch_prism(&prism, solid, ccd, work) else {
                    continue;
                };
                let hit = Hit {
                    dist: -depth,
                    pos: *a.mat * pos + a.pos,
                    normal: *a.mat * normal,
                    tangent: Vec3::ZERO,
                };
                out.push(smooth(hit));
                if out.len() - before >= MAX_HITS {
                    return;
                }
            }
        }
    }
}

/// The first and last grid lines around an interval, of `count` lines between `-size` and `size`.
fn cells(least: f64, most: f64, size: f64, count: usize) -> (usize, usize) {
    let place = |x: f64| (x + size) / (2.0 * size) * (count as f64 - 1.0);
    // conversions saturate, and what is not a number becomes zero
    let first = (place(least).floor() as i64).max(0);
    let last = (place(most).ceil() as i64).min(count as i64 - 1).max(0);
    (first as usize, last as usize)
}

/// Drops the first corner of a prism and adds a grid point as the last.
fn add_corner(prism: &mut Prism, field: &Hfield, row: usize, col: usize, margin: f64) {
    let point = field.point(row, col);
    prism[0] = prism[1];
    prism[1] = prism[2];
    prism[3] = prism[4];
    prism[4] = prism[5];
    prism[2] = Vec3::new(point.x, point.y, prism[2].z);
    prism[5] = Vec3::new(point.x, point.y, point.z + margin);
}
