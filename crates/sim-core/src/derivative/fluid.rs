use std::f64::consts::PI;

use super::tree::{Motions, force_from};
use crate::math::{Force, FullPattern, MINVAL, Mat3, Motion, MotionToForce, Vec3};
use crate::model::{Integrator, ObjType};
use crate::passive::fluid::{Ellipsoid, InertiaBox, ellipsoid_geoms, relative_velocity};
use crate::sleep::awake;
use crate::smooth::{com_offset, dof_chain, object_frame, to_local};
use crate::{Data, Model};

/// Adds the derivative of the medium's forces by velocity to `qDeriv`.
pub(super) fn fluid_vel(model: &Model, data: &mut Data) {
    for body in 0..model.nbody {
        if model.body_mass[body] < MINVAL || awake!(model, data).sleeps(body) {
            continue;
        }
        if ellipsoid_geoms(model, body).next().is_none() {
            let velocity = relative_velocity(model, data, ObjType::Body, body);
            let map = inertia_box(model, body, velocity);
            add(model, data, ObjType::Body, body, &map);
        }
        for geom in model.body_geoms(body) {
            if model.geom_fluid[geom][0] > 0.0 {
                let velocity = relative_velocity(model, data, ObjType::Geom, geom);
                let mut map = ellipsoid(model, geom, velocity, integrated_flow);
                // the fast integrator needs a symmetric matrix
                if model.opt.integrator == Integrator::ImplicitFast as i32 {
                    map = map.symmetric();
                }
                add(model, data, ObjType::Geom, geom, &map);
            }
        }
    }
}

/// Calls `add` with body, wrench about the centre of mass of its tree, and the derivative of that by
/// the velocity of the body, for every force of the medium.
pub(super) fn drag_by_velocity(
    model: &Model,
    data: &Data,
    mut add: impl FnMut(usize, Force, MotionToForce),
) {
    let mut add_object = |kind: ObjType, id: usize, force: Force, map: MotionToForce| {
        let (body, pos, mat) = object_frame(model, data, kind, id);
        let offset = com_offset(model, data, pos, body);
        let turned = |block: Mat3| mat * block * mat.transpose();
        let map = MotionToForce {
            rot_rot: turned(map.rot_rot),
            rot_lin: turned(map.rot_lin),
            lin_rot: turned(map.lin_rot),
            lin_lin: turned(map.lin_lin),
        };
        let wrench = force_from(Force::new(mat * force.rot, mat * force.lin), offset);
        add(body, wrench, map.moved(offset));
    };
    for body in 1..model.nbody {
        if model.body_mass[body] < MINVAL || model.body_weldid[body] == 0 {
            continue;
        }
        if ellipsoid_geoms(model, body).next().is_none() {
            let velocity = relative_velocity(model, data, ObjType::Body, body);
            let force = InertiaBox::new(model, body).force(velocity);
            add_object(ObjType::Body, body, force, inertia_box(model, body, velocity));
        }
        for geom in ellipsoid_geoms(model, body) {
            let velocity = relative_velocity(model, data, ObjType::Geom, geom);
            let force = Ellipsoid::new(model, geom).force(velocity, model.opt.density);
            let scale = model.geom_fluid[geom][0];
            let map = ellipsoid(model, geom, velocity, exact_flow).times(scale);
            add_object(ObjType::Geom, geom, force, map);
        }
    }
}

/// Calls `add` with body, the derivative `Φ` of the wrench of the medium on the box of a body by its
/// velocity, and the derivative of `Φ A` by that velocity, where `A` are the given motions.
pub(super) fn box_by_velocity_twice(
    model: &Model,
    data: &Data,
    motions: &Motions,
    mut add: impl FnMut(usize, MotionToForce, MotionToForce),
) {
    for body in 1..model.nbody {
        if model.body_mass[body] < MINVAL || model.body_weldid[body] == 0 {
            continue;
        }
        let (_, pos, mat) = object_frame(model, data, ObjType::Body, body);
        let offset = com_offset(model, data, pos, body);
        let velocity = relative_velocity(model, data, ObjType::Body, body);
        let InertiaBox { drag_rot, drag_lin, .. } = InertiaBox::new(model, body);
        let motion = motions.body[body];
        let along = to_local(Motion::new(motion.rot, motion.at(offset)), &mat);
        // the derivative of −(c + 2 d |v|) a by v
        let bent = |drag: Vec3, v: Vec3, a: Vec3| {
            let sign = Vec3::new(v.x.signum(), v.y.signum(), v.z.signum());
            Mat3::diagonal(drag.scaled(sign).scaled(a) * -2.0)
        };
        let twice = MotionToForce {
            rot_rot: bent(drag_rot, velocity.rot, along.rot),
            lin_lin: bent(drag_lin, velocity.lin, along.lin),
            ..MotionToForce::default()
        };
        let turned = |map: MotionToForce| {
            let turn = |block: Mat3| mat * block * mat.transpose();
            let map = MotionToForce {
                rot_rot: turn(map.rot_rot),
                lin_lin: turn(map.lin_lin),
                ..MotionToForce::default()
            };
            map.moved(offset)
        };
        add(body, turned(inertia_box(model, body, velocity)), turned(twice));
    }
}

/// Adds `Jᵀ B J` to `qDeriv`, where `J` takes joint velocities to that of the object, in its frame.
fn add(model: &Model, data: &mut Data, kind: ObjType, id: usize, map: &MotionToForce) {
    let (body, pos, mat) = object_frame(model, data, kind, id);
    let offset = com_offset(model, data, pos, body);
    let mut columns = std::mem::take(&mut data.work.columns);
    columns.clear();
    columns.extend(dof_chain(model, body).map(|dof| {
        let axis = data.cdof[dof];
        (dof, Motion::new(mat.transpose_mul(axis.rot), mat.transpose_mul(axis.at(offset))))
    }));
    let pattern = FullPattern {
        rownnz: &model.D_rownnz,
        rowadr: &model.D_rowadr,
        diag: &model.D_diag,
        colind: &model.D_colind,
    };
    for &(by, column) in &columns {
        let force = map * column;
        for &(dof, column) in &columns {
            if let Some(at) = pattern.find(dof, by) {
                data.qDeriv[at] += column.dot(force);
            }
        }
    }
    data.work.columns = columns;
}

/// Derivative of the drag of the box with the inertia of a body.
fn inertia_box(model: &Model, body: usize, v: Motion) -> MotionToForce {
    let InertiaBox { viscous_rot, viscous_lin, drag_rot, drag_lin } = InertiaBox::new(model, body);
    let diagonal = |linear: f64, quadratic: Vec3, v: Vec3| {
        let size = Vec3::new(v.x.abs(), v.y.abs(), v.z.abs());
        Mat3::diagonal(-(quadratic.scaled(size) * 2.0 + Vec3::new(linear, linear, linear)))
    };
    MotionToForce {
        rot_rot: diagonal(viscous_rot, drag_rot, v.rot),
        lin_lin: diagonal(viscous_lin, drag_lin, v.lin),
        ..MotionToForce::default()
    }
}

/// Derivative of added mass, lift and drag of an ellipsoid.
fn ellipsoid(
    model: &Model,
    geom: usize,
    v: Motion,
    flow: impl Fn(Mat3, &Ellipsoid, f64, Vec3) -> Mat3,
) -> MotionToForce {
    let shape = Ellipsoid::new(model, geom);
    let density = model.opt.density;
    let (w, u) = (v.rot, v.lin);
    let (mass, inertia) = (shape.virtual_mass * density, shape.virtual_inertia * density);

    // added mass: (M u) × u + (J w) × w and (M u) × w
    let momentum = Mat3::skew(u.scaled(mass));
    let spin = Mat3::skew(w.scaled(inertia));
    let mut map = MotionToForce {
        rot_rot: spin - Mat3::skew(w) * Mat3::diagonal(inertia),
        rot_lin: momentum - Mat3::skew(u) * Mat3::diagonal(mass),
        lin_rot: momentum,
        lin_lin: Mat3::skew(w) * Mat3::diagonal(mass) * -1.0,
    };

    // lift by rotation: w × u
    let magnus = shape.magnus * density * shape.volume;
    map.lin_rot = map.lin_rot - Mat3::skew(u) * magnus;
    map.lin_lin = map.lin_lin + Mat3::skew(w) * magnus;

    map.lin_lin = flow(map.lin_lin, &shape, density, u);

    // rotational drag: −w (linear + ρ |K w|)
    let drag = w.scaled(shape.drag_rot);
    let size = drag.norm();
    let resistance = shape.viscous_rot + density * size;
    let growth = drag.scaled(shape.drag_rot) * (density / size.max(MINVAL));
    map.rot_rot = map.rot_rot
        - Mat3::diagonal(Vec3::new(resistance, resistance, resistance))
        - Mat3::outer(w, growth);
    map
}

/// Adds the derivative of lift by circulation and of drag, as implicit integrators have it.
fn integrated_flow(sum: Mat3, shape: &Ellipsoid, density: f64, u: Vec3) -> Mat3 {
    // the projected area and its gradient
    let squares = shape.areas.scaled(shape.areas);
    let normal = squares.scaled(u);
    let (slant, slant_squared) = (normal.dot(u), normal.dot(normal));
    let area = PI * (slant_squared / slant.max(MINVAL)).sqrt();
    let gradient_scale = PI / (slant * slant * slant * slant_squared).sqrt().max(MINVAL);
    let area_gradient = (squares.scaled(normal) * slant - normal * slant_squared) * gradient_scale;

    // lift by circulation: c (s u − |u|² n) with c = κ s / √(s n² u²)
    let speed_squared = u.dot(u);
    let lift =
        PI * shape.kutta * density / (slant_squared * slant * speed_squared).sqrt().max(MINVAL);
    let direction = u * slant - normal * speed_squared;
    let share = slant / slant_squared.max(MINVAL);
    let cosine = slant / speed_squared.max(MINVAL);
    let turning = Mat3::diagonal(Vec3::new(slant, slant, slant)) + Mat3::outer(u, normal) * 2.0
        - Mat3::diagonal(squares) * speed_squared
        - Mat3::outer(normal, u) * 2.0;
    let growth = normal - squares.scaled(normal) * share - u * cosine;
    let lifted = (turning * slant + Mat3::outer(direction, growth)) * lift;

    // drag: −u (linear + ρ |u| (area (blunt − slender) + slender area_max))
    let speed = speed_squared.sqrt();
    let quadratic = density * (area * shape.blunt + shape.slender * (shape.largest_area - area));
    let unit = u * (1.0 / speed.max(MINVAL));
    let growth =
        unit * quadratic + area_gradient * (density * speed * (shape.blunt - shape.slender));
    let resistance = shape.viscous_lin + quadratic * speed;
    sum + lifted
        - Mat3::diagonal(Vec3::new(resistance, resistance, resistance))
        - Mat3::outer(u, growth)
}

/// Adds the derivative of lift by circulation and of drag, with the bounds that the force has:
/// ```text
/// k c A (n × u) × u − u (linear + ρ |u| (A (blunt − slender) + slender area_max))
/// A = π √(n² / n·u)        c = n·u / (|u| n²)
/// ```
fn exact_flow(sum: Mat3, shape: &Ellipsoid, density: f64, u: Vec3) -> Mat3 {
    let squares = shape.areas.scaled(shape.areas);
    let normal = squares.scaled(u);
    let (slant, slant_squared) = (normal.dot(u), normal.dot(normal));
    let (speed_squared, speed) = (u.dot(u), u.norm());
    let ratio = slant_squared / slant.max(MINVAL);
    let area = PI * ratio.sqrt();
    if area == 0.0 {
        return sum - Mat3::IDENTITY * shape.viscous_lin;
    }
    let slope = squares.scaled(normal);
    let mut ratio_gradient = slope * (2.0 / slant.max(MINVAL));
    if slant > MINVAL {
        ratio_gradient -= normal * (2.0 * ratio / slant);
    }
    let area_gradient = ratio_gradient * (0.5 * PI * PI / area);
    let bottom = (speed * slant_squared).max(MINVAL);
    let cosine = slant / bottom;
    let mut cosine_gradient = normal * (2.0 / bottom);
    if bottom > MINVAL {
        let growth = u * (1.0 / speed_squared) + slope * (2.0 / slant_squared);
        cosine_gradient -= growth * cosine;
    }

    let direction = u * slant - normal * speed_squared;
    let turning = Mat3::IDENTITY * slant + Mat3::outer(u, normal) * 2.0
        - Mat3::diagonal(squares) * speed_squared
        - Mat3::outer(normal, u) * 2.0;
    let growth = cosine_gradient * area + area_gradient * cosine;
    let lifted = turning * (cosine * area) + Mat3::outer(direction, growth);

    let quadratic = density * (area * shape.blunt + shape.slender * (shape.largest_area - area));
    let growth =
        u * (quadratic / speed) + area_gradient * (density * speed * (shape.blunt - shape.slender));
    sum + lifted * (shape.kutta * density)
        - Mat3::IDENTITY * (shape.viscous_lin + quadratic * speed)
        - Mat3::outer(u, growth)
}
