//! Infinite planes against round shapes and boxes.
//!
//! The normal is the third axis of the plane, on both sides of it: below, shapes are inside.

use super::{Hit, Hits};
use crate::geometry::Geom;
use crate::math::{MINVAL, Vec3};

/// Plane against sphere.
pub(super) fn plane_sphere(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    if let Some(hit) = ball_on_plane(a.pos, a.mat.column(2), b.pos, b.size.x, margin) {
        out.push(hit);
    }
}

/// Plane against capsule: the ball at either end, with the first tangent along the axis.
pub(super) fn plane_capsule(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let (normal, axis) = (a.mat.column(2), b.mat.column(2));
    let half = axis * b.size.y;
    for end in [b.pos + half, b.pos - half] {
        if let Some(hit) = ball_on_plane(a.pos, normal, end, b.size.x, margin) {
            out.push(Hit { tangent: axis, ..hit });
        }
    }
}

/// Plane against cylinder: the lowest point of the rim, the one above it on the other disk, and two
/// that make a triangle of the lower disk.
pub(super) fn plane_cylinder(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let normal = a.mat.column(2);
    let (radius, half) = (b.size.x, b.size.y);

    // the axis, pointing down
    let mut axis = b.mat.column(2);
    let mut down = normal.dot(axis);
    if down > 0.0 {
        axis = -axis;
        down = -down;
    }

    // from the centre of a disk to its lowest point; any point of a disk that lies flat
    let across = axis * down - normal;
    let len2 = across.dot(across);
    let rim = if len2 >= MINVAL * MINVAL {
        across * (radius / len2.sqrt())
    } else {
        b.mat.column(0) * radius
    };

    let axis = axis * half;
    let height = (b.pos - a.pos).dot(normal);
    let along_axis = down * half;
    let along_rim = rim.dot(normal);
    let mut push = |dist: f64, point: Vec3| {
        out.push(Hit { dist, pos: point + normal * (-dist * 0.5), normal, tangent: Vec3::ZERO });
    };

    let lowest = height + along_axis + along_rim;
    if lowest > margin {
        return;
    }
    push(lowest, b.pos + rim + axis);

    let above = height - along_axis + along_rim;
    if above <= margin {
        push(above, b.pos + rim - axis);
    }

    let dist = height + along_axis + -along_rim * 0.5;
    if dist <= margin {
        let side = rim.cross(axis).normalized().0 * (radius * 3.0_f64.sqrt() / 2.0);
        push(dist, b.pos + side + axis + rim * -0.5);
        push(dist, b.pos - side + axis + rim * -0.5);
    }
}

/// Plane against box: the first four corners that are close and in the lower half of the box.
pub(super) fn plane_box(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let normal = a.mat.column(2);
    let height = (b.pos - a.pos).dot(normal);
    let [x, y, z] = [0, 1, 2].map(|i| b.mat.column(i) * b.size[i]);

    let mut count = 0;
    for i in 0..8 {
        let signed = |bit: usize, v: Vec3| if i & bit == 0 { -v } else { v };
        let corner = signed(1, x) + signed(2, y) + signed(4, z);
        let rise = normal.dot(corner);
        let dist = height + rise;
        if dist > margin || rise > 0.0 {
            continue;
        }
        let pos = corner + b.pos + normal * (-dist / 2.0);
        out.push(Hit { dist, pos, normal, tangent: Vec3::ZERO });
        count += 1;
        if count == 4 {
            return;
        }
    }
}

/// A ball against the plane through `origin`.
#[inline]
pub(super) fn ball_on_plane(
    origin: Vec3,
    normal: Vec3,
    center: Vec3,
    radius: f64,
    margin: f64,
) -> Option<Hit> {
    let height = (center - origin).dot(normal);
    if height > margin + radius {
        return None;
    }
    let dist = height - radius;
    let pos = center + normal * (-dist / 2.0 - radius);
    Some(Hit { dist, pos, normal, tangent: Vec3::ZERO })
}
