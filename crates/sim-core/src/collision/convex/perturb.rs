use super::super::{Hit, Hits};
use super::difference::Couple;
use super::{Ccd, ConvexWork, touch};
use crate::geometry::{Form, Solid};
use crate::math::{Mat3, Quat, Vec3};

/// How far the bodies are turned, in radians.
const ANGLE: f64 = 1e-3;
/// How far apart two points must be, relative to the smaller body.
const SPACING: f64 = 1e-3;

/// Looks for more points by turning both bodies a little about the last one, in opposite senses.
pub(super) fn more_points(couple: &Couple, ccd: &Ccd, work: &mut ConvexWork, out: &mut Hits) {
    let round = |form| matches!(form, Form::Ellipsoid | Form::Sphere);
    let start = out.len() - 1;
    let first = out[start];
    if round(couple.a.form) || round(couple.b.form) {
        return;
    }
    let spacing = SPACING * couple.a.rbound.min(couple.b.rbound);
    let mut single = std::mem::take(&mut work.single);
    for axis in tangents(first.normal) {
        for angle in [-ANGLE, ANGLE] {
            let rotation = Quat::from_axis_angle(axis, angle).to_mat();
            let (a_pos, a_mat) = rotate_about(first.pos, rotation, &couple.a);
            let (b_pos, b_mat) = rotate_about(first.pos, rotation.transpose(), &couple.b);
            let turned = Couple {
                a: Solid { pos: a_pos, mat: &a_mat, ..couple.a },
                b: Solid { pos: b_pos, mat: &b_mat, ..couple.b },
            };
            single.clear();
            touch(&turned, 1, ccd, work, &mut single);
            let Some(&hit) = single.first() else { continue };
            if out[start..].iter().all(|old| (old.pos - hit.pos).norm() > spacing) {
                // at the first point's depth
                out.push(Hit { dist: first.dist, ..hit });
            }
        }
    }
    work.single = single;
}

/// Two directions normal to `normal`, as a contact frame has them.
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let (x, _) = normal.normalized();
    let start = if x.y < 0.5 && x.y > -0.5 { Vec3::Y } else { Vec3::Z };
    let (y, _) = (start - x * x.dot(start)).normalized();
    [y, x.cross(y)]
}

/// Where a body is once turned about a point.
fn rotate_about(point: Vec3, rotation: Mat3, solid: &Solid) -> (Vec3, Mat3) {
    let arm = point - solid.pos;
    let shift = rotation * arm - arm;
    (solid.pos - shift, rotation * *solid.mat)
}
