use super::super::{Hit, Hits};
use super::solid::{Couple, Form, Solid};
use super::{Ccd, ConvexWork, touch};
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
    let spacing = SPACING * couple.a.bounding_radius().min(couple.b.bounding_radius());
    let mut single = Hits::default();
    for axis in tangents(first.normal) {
        for angle in [-ANGLE, ANGLE] {
            let turn = Quat::from_axis_angle(axis, angle).to_mat();
            let turned = Couple {
                a: turn_about(first.pos, &turn, &couple.a),
                b: turn_about(first.pos, &turn.transpose(), &couple.b),
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
}

/// Two directions normal to `normal`, as a contact frame has them.
fn tangents(normal: Vec3) -> [Vec3; 2] {
    let (x, _) = normal.normalized();
    let start = if x.y < 0.5 && x.y > -0.5 { Vec3::Y } else { Vec3::Z };
    let (y, _) = (start - x * x.dot(start)).normalized();
    [y, x.cross(y)]
}

/// Turns a body about a point.
fn turn_about(point: Vec3, turn: &Mat3, solid: &Solid) -> Solid {
    let arm = point - solid.pos;
    let shift = *turn * arm - arm;
    Solid { mat: *turn * solid.mat, pos: solid.pos - shift, ..*solid }
}
