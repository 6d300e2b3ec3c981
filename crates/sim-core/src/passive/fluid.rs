//! Forces of the surrounding medium.

use std::f64::consts::PI;

use wide::f64x4;

use crate::math::{Force, MINVAL, Motion, Vec3};
use crate::model::{GeomType, ObjType};
use crate::sleep::awake;
use crate::smooth::{apply_ft, object_frame, object_velocity, to_local};
use crate::{Data, Model};

/// Adds drag, lift and added mass of bodies to `qfrc`: by ellipsoids for bodies with such geoms,
/// by the box of equal inertia for all others. Bodies that sleep are left out.
pub(super) fn fluid(model: &Model, data: &Data, qfrc: &mut [f64]) {
    for body in awake!(model, data).bodies() {
        if model.body_mass[body] < MINVAL {
            continue;
        }
        if ellipsoid_geoms(model, body).next().is_none() {
            let velocity = relative_velocity(model, data, ObjType::Body, body);
            let force = InertiaBox::new(model, body).force(velocity);
            apply(model, data, ObjType::Body, body, force, qfrc);
        }
        for geom in ellipsoid_geoms(model, body) {
            let velocity = relative_velocity(model, data, ObjType::Geom, geom);
            let force = Ellipsoid::new(model, geom).force(velocity, model.opt.density);
            apply(model, data, ObjType::Geom, geom, force, qfrc);
        }
    }
}

/// The geoms of a body that meet the medium as ellipsoids.
pub(crate) fn ellipsoid_geoms(model: &Model, body: usize) -> impl Iterator<Item = usize> + '_ {
    model.body_geoms(body).filter(|&geom| model.geom_fluid[geom][0] > 0.0)
}

/// The velocity of an object relative to the medium, in the frame of the object.
pub(crate) fn relative_velocity(model: &Model, data: &Data, kind: ObjType, id: usize) -> Motion {
    let (_, _, mat) = object_frame(model, data, kind, id);
    let velocity = object_velocity(model, data, kind, id);
    to_local(Motion::new(velocity.rot, velocity.lin - model.opt.wind), &mat)
}

/// Applies a force in the frame of an object at its position.
fn apply(model: &Model, data: &Data, kind: ObjType, id: usize, force: Force, qfrc: &mut [f64]) {
    let (body, pos, mat) = object_frame(model, data, kind, id);
    apply_ft(model, data, mat * force.lin, mat * force.rot, pos, body, qfrc);
}

/// Coefficients of drag of the box with the inertia of a body: linear in the velocity as for the
/// sphere of mean diameter, and quadratic by axis.
pub(crate) struct InertiaBox {
    pub(crate) viscous_rot: f64,
    pub(crate) viscous_lin: f64,
    pub(crate) drag_rot: Vec3,
    pub(crate) drag_lin: Vec3,
}

impl InertiaBox {
    pub(crate) fn new(model: &Model, body: usize) -> InertiaBox {
        let (inertia, mass) = (model.body_inertia[body], model.body_mass[body]);
        let (density, viscosity) = (model.opt.density.max(0.0), model.opt.viscosity.max(0.0));
        let squared = |i: usize| {
            let squared = inertia[(i + 1) % 3] + inertia[(i + 2) % 3] - inertia[i];
            squared.max(MINVAL)
        };
        let squared = f64x4::new([squared(0), squared(1), squared(2), 0.0]);
        let [a, b, c, _] = (squared / mass * 6.0).sqrt().to_array();
        let diameter = (a + b + c) / 3.0;
        let moments = Vec3::new(
            a * (fourth(b) + fourth(c)),
            b * (fourth(a) + fourth(c)),
            c * (fourth(a) + fourth(b)),
        );
        InertiaBox {
            viscous_rot: PI * diameter * diameter * diameter * viscosity,
            viscous_lin: 3.0 * PI * diameter * viscosity,
            drag_rot: moments * (density / 64.0),
            drag_lin: Vec3::new(b * c, a * c, a * b) * (0.5 * density),
        }
    }

    pub(crate) fn force(&self, v: Motion) -> Force {
        let drag = |linear: f64, quadratic: Vec3, v: Vec3| {
            let size = Vec3::new(v.x.abs(), v.y.abs(), v.z.abs());
            -(v * linear + quadratic.scaled(size).scaled(v))
        };
        Force::new(
            drag(self.viscous_rot, self.drag_rot, v.rot),
            drag(self.viscous_lin, self.drag_lin, v.lin),
        )
    }
}

fn fourth(x: f64) -> f64 {
    (x * x) * (x * x)
}

/// Coefficients of the forces on an ellipsoid.
pub(crate) struct Ellipsoid {
    scale: f64,
    pub(crate) blunt: f64,
    pub(crate) slender: f64,
    pub(crate) kutta: f64,
    pub(crate) magnus: f64,
    pub(crate) virtual_mass: Vec3,
    pub(crate) virtual_inertia: Vec3,
    pub(crate) volume: f64,
    /// Products of the semi-axes perpendicular to each axis.
    pub(crate) areas: Vec3,
    pub(crate) largest_area: f64,
    pub(crate) viscous_lin: f64,
    pub(crate) viscous_rot: f64,
    /// Quadratic rotational drag, by axis.
    pub(crate) drag_rot: Vec3,
}

impl Ellipsoid {
    pub(crate) fn new(model: &Model, geom: usize) -> Ellipsoid {
        let [scale, blunt, slender, angular, kutta, magnus, mx, my, mz, ix, iy, iz] =
            model.geom_fluid[geom];
        let [a, b, c] = semiaxes(model, geom);
        let longest = a.max(b).max(c);
        let shortest = a.min(b).min(c);
        let middle = a + b + c - longest - shortest;
        let diameter = 2.0 / 3.0 * (a + b + c);
        let viscosity = model.opt.viscosity;

        let moment = |along: f64, reach: f64| 8.0 / 15.0 * PI * along * fourth(reach);
        let largest = moment(middle, longest);
        let drag = |moment: f64| angular * moment + slender * (largest - moment);
        Ellipsoid {
            scale,
            blunt,
            slender,
            kutta,
            magnus,
            virtual_mass: Vec3::new(mx, my, mz),
            virtual_inertia: Vec3::new(ix, iy, iz),
            volume: 4.0 / 3.0 * PI * a * b * c,
            areas: Vec3::new(b * c, c * a, a * b),
            largest_area: PI * longest * middle,
            viscous_lin: viscosity * 3.0 * PI * diameter,
            viscous_rot: viscosity * PI * diameter * diameter * diameter,
            drag_rot: Vec3::new(
                drag(moment(a, b.max(c))),
                drag(moment(b, c.max(a))),
                drag(moment(c, a.max(b))),
            ),
        }
    }

    pub(crate) fn force(&self, v: Motion, density: f64) -> Force {
        let (w, u) = (v.rot, v.lin);

        // added mass: the fluid that moves along resists turning
        let momentum = u.scaled(self.virtual_mass) * density;
        let spin = w.scaled(self.virtual_inertia) * density;
        let mut torque = momentum.cross(u) + spin.cross(w);
        let mut force = momentum.cross(w);

        // lift by rotation
        force += w.cross(u) * (self.magnus * density * self.volume);

        // area seen from the direction of flow, and the cosine between flow and surface normal
        let normal = self.areas.scaled(self.areas).scaled(u);
        let (slant, slant_squared) = (normal.dot(u), normal.dot(normal));
        let area = PI * (slant_squared / slant.max(MINVAL)).sqrt();
        let speed = u.norm();
        let cosine = slant / (speed * slant_squared).max(MINVAL);

        // lift by circulation
        let circulation = normal.cross(u) * (self.kutta * density * cosine * area);
        force += circulation.cross(u);

        // drag: between blunt and slender by the area, and slow flow
        let shape = area * self.blunt + self.slender * (self.largest_area - area);
        force -= u * (self.viscous_lin + density * speed * shape);
        let drag = w.scaled(self.drag_rot).norm();
        torque -= w * (self.viscous_rot + density * drag);

        Force::new(torque, force) * self.scale
    }
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
