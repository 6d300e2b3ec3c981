//! Forces of the surrounding medium.

use std::f64::consts::PI;

use crate::math::{Force, MINVAL, Motion, Vec3};
use crate::model::{GeomType, ObjType};
use crate::smooth::{apply_ft, object_frame, object_velocity, to_local};
use crate::{Data, Model};

/// Adds drag, lift and added mass of bodies to `qfrc`: by ellipsoids for bodies with such geoms,
/// by the box of equal inertia for all others.
pub(super) fn fluid(model: &Model, data: &Data, qfrc: &mut [f64]) {
    for body in 0..model.nbody {
        if model.body_mass[body] < MINVAL {
            continue;
        }
        let ellipsoids = || model.body_geoms(body).filter(|&geom| model.geom_fluid[geom][0] > 0.0);
        if ellipsoids().next().is_none() {
            let force = |velocity| inertia_box(model, body, velocity);
            apply(model, data, ObjType::Body, body, qfrc, force);
        }
        for geom in ellipsoids() {
            let force = |velocity| ellipsoid(model, geom, velocity);
            apply(model, data, ObjType::Geom, geom, qfrc, force);
        }
    }
}

/// Applies a force that depends on the velocity relative to the medium, both in the frame of the
/// object.
fn apply(
    model: &Model,
    data: &Data,
    kind: ObjType,
    id: usize,
    qfrc: &mut [f64],
    force: impl Fn(Motion) -> Force,
) {
    let (body, pos, mat) = object_frame(model, data, kind, id);
    let velocity = object_velocity(model, data, kind, id);
    let relative = Motion::new(velocity.rot, velocity.lin - model.opt.wind);
    let force = force(to_local(relative, &mat));
    apply_ft(model, data, mat * force.lin, mat * force.rot, pos, body, qfrc);
}

/// Drag of the box with the inertia of the body.
fn inertia_box(model: &Model, body: usize, v: Motion) -> Force {
    let (inertia, mass) = (model.body_inertia[body], model.body_mass[body]);
    let (density, viscosity) = (model.opt.density, model.opt.viscosity);
    let side = |i: usize| {
        let squared = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
        (squared.max(MINVAL) / mass * 6.0).sqrt()
    };
    let side = [side(0), side(1), side(2)];
    let mut force = Force::ZERO;

    // a sphere of the mean diameter, in slow flow
    if viscosity > 0.0 {
        let diameter = (side[0] + side[1] + side[2]) / 3.0;
        force.rot = v.rot * (-PI * diameter * diameter * diameter * viscosity);
        force.lin = v.lin * (-3.0 * PI * diameter * viscosity);
    }

    // quadratic drag, axis by axis
    if density > 0.0 {
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let area = side[j] * side[k];
            force.lin[i] -= 0.5 * density * area * v.lin[i].abs() * v.lin[i];
            let moment = side[i] * (fourth(side[j]) + fourth(side[k]));
            force.rot[i] -= density * moment * v.rot[i].abs() * v.rot[i] / 64.0;
        }
    }
    force
}

fn fourth(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// Added mass, lift and drag of an ellipsoid.
fn ellipsoid(model: &Model, geom: usize, v: Motion) -> Force {
    let [scale, blunt, slender, angular, kutta, magnus, mx, my, mz, ix, iy, iz] =
        model.geom_fluid[geom];
    let (density, viscosity) = (model.opt.density, model.opt.viscosity);
    let [a, b, c] = semiaxes(model, geom);
    let (w, u) = (v.rot, v.lin);

    // added mass: the fluid that moves along resists turning
    let momentum = u.scaled(Vec3::new(mx, my, mz)) * density;
    let spin = w.scaled(Vec3::new(ix, iy, iz)) * density;
    let mut torque = momentum.cross(u) + spin.cross(w);
    let mut force = momentum.cross(w);

    // lift by rotation
    let volume = 4.0 / 3.0 * PI * a * b * c;
    force += w.cross(u) * (magnus * density * volume);

    // area seen from the direction of flow, and the cosine between flow and surface normal
    let areas = Vec3::new(b * c, c * a, a * b);
    let normal = areas.scaled(areas).scaled(u);
    let (slant, slant_squared) = (normal.dot(u), normal.dot(normal));
    let area = PI * (slant_squared / slant.max(MINVAL)).sqrt();
    let speed = u.norm();
    let cosine = slant / (speed * slant_squared).max(MINVAL);

    // lift by circulation
    let circulation = normal.cross(u) * (kutta * density * cosine * area);
    force += circulation.cross(u);

    // drag: slow flow around the mean sphere, and quadratic between blunt and slender
    let longest = a.max(b).max(c);
    let shortest = a.min(b).min(c);
    let middle = a + b + c - longest - shortest;
    let diameter = 2.0 / 3.0 * (a + b + c);
    let largest_area = PI * longest * middle;
    let linear = viscosity * 3.0 * PI * diameter
        + density * speed * (area * blunt + slender * (largest_area - area));
    force -= u * linear;

    let moment = |along: f64, p: f64, q: f64| 8.0 / 15.0 * PI * along * fourth(p.max(q));
    let largest_moment = 8.0 / 15.0 * PI * middle * fourth(longest);
    let resistance = |moment: f64| angular * moment + slender * (largest_moment - moment);
    let drag = w.scaled(Vec3::new(
        resistance(moment(a, b, c)),
        resistance(moment(b, c, a)),
        resistance(moment(c, a, b)),
    ));
    let rotational = viscosity * PI * diameter * diameter * diameter + density * drag.norm();
    torque -= w * rotational;

    Force::new(torque, force) * scale
}

/// The semi-axes of the ellipsoid that stands for a geom.
fn semiaxes(model: &Model, geom: usize) -> [f64; 3] {
    let size = model.geom_size[geom];
    match GeomType::from_i32(model.geom_type[geom]) {
        Some(GeomType::Sphere) => [size.x; 3],
        Some(GeomType::Capsule) => [size.x, size.x, size.y + size.x],
        Some(GeomType::Cylinder) => [size.x, size.x, size.y],
        _ => size.to_array(),
    }
}
