//! Balls against balls, capsules, cylinders and boxes.

use super::plane::ball_on_plane;
use super::{Hit, Hits};
use crate::geometry::Geom;
use crate::math::{MINVAL, Mat3, Vec3};

/// A ball, and the orientation of the geom that it stands for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ball<'a> {
    pub(super) center: Vec3,
    pub(super) radius: f64,
    pub(super) mat: &'a Mat3,
}

impl<'a> Ball<'a> {
    /// The ball that a sphere is, or that rolls along the axis of a capsule or cylinder.
    #[inline]
    pub(super) fn at(center: Vec3, shape: &Geom<'a>) -> Ball<'a> {
        Ball { center, radius: shape.size.x, mat: shape.mat }
    }
}

/// Sphere against sphere.
pub(super) fn sphere_sphere(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    ball_ball(Ball::at(a.pos, a), Ball::at(b.pos, b), margin, out);
}

/// Sphere against capsule.
pub(super) fn sphere_capsule(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let (axis, half) = (b.mat.column(2), b.size.y);
    let x = axis.dot(a.pos - b.pos).max(-half).min(half);
    ball_ball(Ball::at(a.pos, a), Ball::at(axis * x + b.pos, b), margin, out);
}

/// Sphere against cylinder: its side, one of its disks, or the rim of one.
pub(super) fn sphere_cylinder(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let (radius, half) = (b.size.x, b.size.y);
    let axis = b.mat.column(2);
    let ball = Ball::at(a.pos, a);

    // the centre of the ball, along the axis and away from it
    let offset = a.pos - b.pos;
    let x = axis.dot(offset);
    let along = axis * x;
    let away = offset - along;
    let away2 = away.dot(away);

    // from inside, the nearer way out
    let mut side = x.abs() < half;
    let mut cap = away2 < radius * radius;
    if side && cap {
        cap = half - x.abs() < radius - away2.sqrt();
        side = !cap;
    }

    let up = if x > 0.0 { 1.0 } else { -1.0 };
    if side {
        ball_ball(ball, Ball::at(along + b.pos, b), margin, out);
    } else if cap {
        let normal = axis * up;
        let disk = b.pos + axis * (half * up);
        if let Some(hit) = ball_on_plane(disk, normal, a.pos, a.size.x, margin) {
            out.push(Hit { normal: -hit.normal, ..hit });
        }
    } else {
        let out_to_rim = if away2 > 0.0 { away * (radius / away2.sqrt()) } else { away };
        let rim = axis * (half * up) + out_to_rim + b.pos;
        ball_ball(ball, Ball { center: rim, radius: 0.0, mat: b.mat }, margin, out);
    }
}

/// Sphere against box.
pub(super) fn sphere_box(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    ball_box(a.pos, a.size.x, b, margin, out);
}

/// Two balls. With coincident centres the normal is perpendicular to the third axes of both geoms.
#[inline]
pub(super) fn ball_ball(a: Ball, b: Ball, margin: f64, out: &mut Hits) {
    let offset = b.center - a.center;
    let len2 = offset.dot(offset);
    let reach = margin + a.radius + b.radius;
    if len2 > reach * reach {
        return;
    }
    let len = len2.sqrt();
    let dist = len - a.radius - b.radius;
    let normal = if len < MINVAL {
        a.mat.column(2).cross(b.mat.column(2)).normalized().0
    } else {
        offset * (1.0 / len)
    };
    let pos = normal * (a.radius + dist / 2.0) + a.center;
    out.push(Hit { dist, pos, normal, tangent: Vec3::ZERO });
}

/// A ball against a box: the nearest point of the box, or the nearest face from inside.
pub(super) fn ball_box(center: Vec3, radius: f64, b: &Geom, margin: f64, out: &mut Hits) {
    // in the frame of the box
    let center = b.mat.transpose_mul(center - b.pos);
    let mut nearest = center;
    for i in 0..3 {
        // a box without extent along an axis is not a limit there, as in MuJoCo
        if b.size[i] > 0.0 {
            nearest[i] = center[i].max(-b.size[i]).min(b.size[i]);
        }
    }
    let (normal, gap) = (nearest - center).normalized();
    if gap - radius > margin {
        return;
    }

    let (dist, pos, normal) = if gap <= MINVAL {
        let (depth, normal) = way_out(center, b.size);
        (-depth, center + normal * ((radius - depth) / 2.0), normal)
    } else {
        let deepest = center + normal * radius;
        (gap, nearest * 0.5 + deepest * 0.5, normal)
    };
    out.push(Hit {
        dist: dist - radius,
        pos: *b.mat * pos + b.pos,
        normal: *b.mat * normal,
        tangent: Vec3::ZERO,
    });
}

/// The distance from a point in a box to its nearest face, and the inward normal of that face.
fn way_out(point: Vec3, size: Vec3) -> (f64, Vec3) {
    let mut depth = (size.x + size.y + size.z) * 2.0;
    let (mut axis, mut inward) = (0, 1.0);
    for i in 0..3 {
        for sign in [-1.0, 1.0] {
            let distance = (sign * size[i] - point[i]).abs();
            if distance < depth {
                (depth, axis, inward) = (distance, i, -sign);
            }
        }
    }
    let mut normal = Vec3::ZERO;
    normal[axis] = inward;
    (depth, normal)
}
