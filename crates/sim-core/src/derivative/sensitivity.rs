//! Derivatives by numbers of the model: of forces at fixed acceleration, and of the matrix of the
//! integrator.

use super::acceleration::{Acceleration, compensation, tendon_spring};
use super::contact::{Change, Local};
use super::fluid::drag_by_velocity;
use super::parameter::{Field, Parameter};
use super::transition::on_one_chain;
use super::tree::force_from;
use crate::collision::geom_say;
use crate::constraint::{Block, Kind, MAX_RANK, sensitivity};
use crate::data::Contact;
use crate::math::{Force, Inertia, MINVAL, Mat3, Motion, Vec3};
use crate::model::{
    BiasType, ConstraintState, ConstraintType, Disable, GainType, GeomType, Integrator, JointType,
    TrnType,
};
use crate::passive::rotation_from_spring;
use crate::smooth::{com_offset, dof_chain, mul_m};
use crate::{Data, Model};

/// How far a point may be from a side of a geom and still count as on it, by the size of the geom.
const ON_SIDE: f64 = 1e-5;

impl Acceleration {
    /// Adds the derivatives of forces by parameters to the right-hand sides.
    pub(super) fn parameters(&mut self, model: &Model, data: &Data, parameters: &[Parameter]) {
        let mut column = std::mem::take(&mut self.column);
        for (at, &parameter) in parameters.iter().enumerate() {
            column.clear();
            column.resize(model.nv, 0.0);
            self.force_by(model, data, parameter, &mut column);
            self.system.add_parameter(at, &column);
        }
        self.column = column;
    }

    /// Adds the derivative of the generalised force by a parameter, at fixed acceleration.
    fn force_by(&self, model: &Model, data: &Data, parameter: Parameter, out: &mut [f64]) {
        let Parameter { field, id, index } = parameter;
        match field {
            Field::BodyMass | Field::BodyIpos | Field::BodyInertia => {
                self.body_by(model, data, parameter, out);
            }
            Field::DofArmature => out[id] -= data.qacc[id],
            Field::DofDamping => {
                if !model.disabled(Disable::Damper) {
                    out[id] -= data.qvel[id];
                }
            }
            Field::JntStiffness => joint_spring_by(model, data, id, out),
            Field::TendonStiffness => {
                let length = data.ten_length[id];
                let [low, high] = model.tendon_lengthspring[id];
                let stretch = (low - length).max(0.0) + (high - length).min(0.0);
                if !model.disabled(Disable::Spring) {
                    model.tendon_row(data, id).for_each(|(dof, j)| out[dof] += j * stretch);
                }
            }
            Field::TendonDamping => {
                if !model.disabled(Disable::Damper) {
                    let velocity = data.ten_velocity[id];
                    model.tendon_row(data, id).for_each(|(dof, j)| out[dof] -= j * velocity);
                }
            }
            Field::DofFrictionloss => dry_by(data, ConstraintType::FrictionDof, id, out),
            Field::TendonFrictionloss => dry_by(data, ConstraintType::FrictionTendon, id, out),
            Field::ActuatorGainprm | Field::ActuatorBiasprm | Field::ActuatorGear => {
                self.actuator_by(model, data, parameter, out);
            }
            Field::GeomFriction => self.friction_by(model, data, id, index, out),
            Field::GeomSize | Field::GeomPos => self.shape_by(model, data, parameter, out),
            Field::GeomSolref | Field::GeomSolimp => {
                self.response_by(model, data, out, |block, response| {
                    let contact = contact_of(data, block)?;
                    let say = geom_say(model, contact, id);
                    Some(if field == Field::GeomSolref {
                        response.by_solref[index].map(|x| x * say.solref[index])
                    } else {
                        response.by_solimp[index].map(|x| x * say.solimp)
                    })
                });
            }
            Field::Gravity => self.gravity_by(model, data, index, out),
            Field::Wind => wind_by(model, data, index, out),
            Field::Timestep => {
                self.response_by(model, data, out, |_, response| Some(response.by_timestep));
                // actuators that are driven by the activation after the step
                for (actuator, response) in self.actuators.responses.iter().enumerate() {
                    if model.actuator_actearly[actuator] != 0 {
                        let change = response.by_input * response.next_by_time;
                        self.add_moment(model, data, actuator, change, out);
                    }
                }
            }
            _ => {
                use ConstraintType::{
                    Equality, FrictionDof, FrictionTendon, LimitJoint, LimitTendon,
                };
                let (kind, is_reference) = match field {
                    Field::JntSolref => (LimitJoint, true),
                    Field::JntSolimp => (LimitJoint, false),
                    Field::DofSolref => (FrictionDof, true),
                    Field::DofSolimp => (FrictionDof, false),
                    Field::EqSolref => (Equality, true),
                    Field::EqSolimp => (Equality, false),
                    Field::TendonSolrefLim => (LimitTendon, true),
                    Field::TendonSolimpLim => (LimitTendon, false),
                    Field::TendonSolrefFri => (FrictionTendon, true),
                    _ => (FrictionTendon, false),
                };
                self.response_by(model, data, out, |block, response| {
                    let own = data.efc_type[block.row] == kind as i32
                        && data.efc_id[block.row] as usize == id;
                    own.then(|| {
                        if is_reference {
                            response.by_solref[index]
                        } else {
                            response.by_solimp[index]
                        }
                    })
                });
            }
        }
    }

    /// Mass, centre of mass and inertia of a body: `−J_bᵀ (∂I A_b + V_b ×* ∂I V_b)`, and the forces
    /// at the centre of mass.
    fn body_by(&self, model: &Model, data: &Data, parameter: Parameter, out: &mut [f64]) {
        let body = parameter.id;
        let inertia = inertia_by(model, data, parameter);
        let (acc, vel) = (self.inertial.acc[body], self.vel.body[body]);
        let mut force = inertia * acc + vel.cross_force(inertia * vel);
        let (weight, mut compensated) = (compensation(model, body), Force::ZERO);
        match parameter.field {
            Field::BodyMass => {
                let offset = com_offset(model, data, data.xipos[body], body);
                compensated = force_from(Force::linear(weight), offset);
            }
            Field::BodyIpos => {
                let [x, y, z, ..] = data.xfrc_applied[body];
                let shift = data.xmat[body].column(parameter.index);
                force = force - Force::new(shift.cross(Vec3::new(x, y, z)), Vec3::ZERO);
                let weight = weight * model.body_mass[body];
                compensated = Force::new(shift.cross(weight), Vec3::ZERO);
            }
            _ => {}
        }
        for dof in dof_chain(model, body) {
            out[dof] -= data.cdof[dof].dot(force);
            if !self.actuators.dropped[dof] {
                out[dof] += data.cdof[dof].dot(compensated);
            }
        }
    }

    /// Gains, biases and gears.
    fn actuator_by(&self, model: &Model, data: &Data, parameter: Parameter, out: &mut [f64]) {
        let Parameter { field, id, index } = parameter;
        let response = &self.actuators.responses[id];
        if field == Field::ActuatorGear {
            if !response.enabled {
                return;
            }
            // the moment arm is a multiple of the gear; so are length and velocity
            let length = unit_length(model, data, id, index);
            let velocity = unit_moment(model, data, id, index, &mut |_, _| {}, &data.qvel);
            let change = response.by_length * length + response.by_velocity * velocity;
            self.add_moment(model, data, id, change, out);
            let force = data.actuator_force[id];
            let limited = &self.actuators.limited;
            let mut add = |dof: usize, arm: f64| {
                if !limited[dof] {
                    out[dof] += arm * force;
                }
            };
            unit_moment(model, data, id, index, &mut add, &data.qvel);
            return;
        }
        if let Some(change) = self.force_by_gain(model, data, parameter) {
            self.add_moment(model, data, id, change, out);
        }
    }

    /// The derivative of the force of an actuator by one of its gains or biases.
    fn force_by_gain(&self, model: &Model, data: &Data, parameter: Parameter) -> Option<f64> {
        let Parameter { field, id, index } = parameter;
        let response = &self.actuators.responses[id];
        if !response.free {
            return None;
        }
        let terms = [1.0, data.actuator_length[id], data.actuator_velocity[id]];
        let (affine, factor) = if field == Field::ActuatorGainprm {
            let kind = GainType::from_i32(model.actuator_gaintype[id]);
            match kind {
                Some(GainType::Fixed) if index > 0 => return None,
                Some(GainType::Fixed | GainType::Affine) => (terms.get(index)?, response.input),
                _ => return None,
            }
        } else {
            match BiasType::from_i32(model.actuator_biastype[id]) {
                Some(BiasType::Affine) => (terms.get(index)?, 1.0),
                _ => return None,
            }
        };
        Some(affine * factor)
    }

    /// Adds the generalised force of an actuator with the given force.
    fn add_moment(&self, model: &Model, data: &Data, actuator: usize, force: f64, out: &mut [f64]) {
        for adr in model.moment_row(data, actuator) {
            let dof = data.moment_colind[adr] as usize;
            if !self.actuators.limited[dof] {
                out[dof] += data.actuator_moment[adr] * force;
            }
        }
    }

    /// How the forces of rows depend on stiffness, damping, damping of friction and impedance, of
    /// which `change` gives the derivatives by block.
    fn response_by(
        &self,
        model: &Model,
        data: &Data,
        out: &mut [f64],
        change: impl Fn(&Block, &crate::constraint::Sensitivity) -> Option<[f64; 4]>,
    ) {
        for (block, weight) in data.rows.blocks.iter().zip(&self.weights) {
            let Some(by) = change(block, &sensitivity(model, data, block)) else { continue };
            if by == [0.0; 4] {
                continue;
            }
            let [by_stiffness, by_damping, by_tangent, by_impedance] = by;
            let [stiffness, _, impedance, _] = data.efc_KBIP[block.row];
            let spring = by_stiffness * impedance + stiffness * by_impedance;
            let elliptic = data.efc_type[block.row] == ConstraintType::ContactElliptic as i32;
            let contact = contact_of(data, block).is_some();
            let mut residual = [0.0; MAX_RANK];
            for (k, residual) in residual.iter_mut().enumerate().take(block.rank) {
                let velocity: f64 = data.rows.row(block, k).map(|(i, x)| x * data.qvel[i]).sum();
                let damping = if elliptic && k > 0 { by_tangent } else { by_damping };
                *residual = damping * velocity;
                // the axes of a contact share its distance, other rows have their own violation
                if k == 0 || !contact {
                    let row = block.row + k;
                    *residual += spring * (data.efc_pos[row] - data.efc_margin[row]);
                }
            }
            let growth = weight.stiffening * by_impedance;
            let mut force = [0.0; MAX_RANK];
            for k in 0..block.rank {
                force[k] = growth * weight.force[k];
                for j in 0..block.rank {
                    force[k] -= weight.matrix[k][j] * residual[j];
                }
            }
            add_rows(data, block, &force, out);
        }
    }

    /// Friction of a geom, in all of its contacts.
    fn friction_by(&self, model: &Model, data: &Data, geom: usize, index: usize, out: &mut [f64]) {
        for (block, weight) in data.rows.blocks.iter().zip(&self.weights) {
            let Some(contact) = contact_of(data, block) else { continue };
            let say = geom_say(model, contact, geom).friction[index];
            if say == 0.0 || block.rank < 2 {
                continue;
            }
            // sliding, sliding, torsional, rolling, rolling
            let by: [f64; 5] = [0, 0, 1, 2, 2].map(|k| if k == index { say } else { 0.0 });
            let along = |k: usize, x: &[f64]| -> f64 {
                data.rows.row(block, k).map(|(i, entry)| entry * x[i]).sum()
            };
            let force = match &block.kind {
                Kind::Pyramid(friction) => {
                    let mu = friction[0];
                    let soft = data.efc_R[block.row] <= MINVAL;
                    let growth = if soft { 0.0 } else { -2.0 / mu - 2.0 * mu / (1.0 + mu * mu) };
                    let mut force = [0.0; MAX_RANK];
                    for k in 1..block.rank {
                        let residual =
                            along(k, &data.qacc) + weight.damping[k] * along(k, &data.qvel);
                        let [plus, minus] = [(0, 1.0), (1, -1.0)].map(|(side, sign)| {
                            let row = block.row + 2 * (k - 1) + side;
                            let quadratic =
                                data.efc_state[row] == ConstraintState::Quadratic as i32;
                            let d = if quadratic { data.efc_D[row] } else { 0.0 };
                            let push = data.efc_force[row];
                            (push, push * growth * by[0] - d * sign * by[k - 1] * residual)
                        });
                        force[0] += plus.1 + minus.1;
                        force[k] =
                            by[k - 1] * (plus.0 - minus.0) + friction[k - 1] * (plus.1 - minus.1);
                    }
                    force
                }
                _ => cone_by(data, block, contact, &self.jar, by),
            };
            add_rows(data, block, &force, out);
        }
    }

    /// Size or position of a geom, in all of its contacts.
    fn shape_by(&self, model: &Model, data: &Data, parameter: Parameter, out: &mut [f64]) {
        let Parameter { field, id, index } = parameter;
        for (number, contact) in data.contact.iter().enumerate() {
            let Some(side) = contact.geom.iter().position(|&geom| geom == id as i32) else {
                continue;
            };
            let Some((weight, pull)) = self.contact_weight(data, number) else { continue };
            let bodies = contact.geom.map(|geom| model.geom_bodyid[geom as usize] as usize);
            let motions = (&self.acc, &self.vel);
            let local = Local::new(model, data, motions, contact, bodies, weight, pull);
            let normal = contact.frame.row(0);
            let growth = if field == Field::GeomPos {
                let body = model.geom_bodyid[id] as usize;
                Growth { shift: data.xmat[body].column(index), inflation: 0.0 }
            } else {
                let out = if side == 0 { normal } else { -normal };
                let half = normal * (0.5 * contact.dist);
                let point = if side == 0 { contact.pos - half } else { contact.pos + half };
                Growth::of_size(model, data, id, index, point, out)
            };
            let wrench = local.wrench_by(&growth.change(&local, normal, side));
            for (body, sign) in [(bodies[0], -1.0), (bodies[1], 1.0)] {
                let wrench = force_from(wrench, com_offset(model, data, contact.pos, body));
                for dof in dof_chain(model, body) {
                    out[dof] += sign * data.cdof[dof].dot(wrench);
                }
            }
        }
    }

    /// Gravity: the weights of all bodies, less what is compensated.
    fn gravity_by(&self, model: &Model, data: &Data, index: usize, out: &mut [f64]) {
        if model.disabled(Disable::Gravity) {
            return;
        }
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][index];
        for (dof, out) in out.iter_mut().enumerate() {
            let weight = data.crb[model.dof_body(dof)] * Motion::linear(axis);
            *out += data.cdof[dof].dot(weight);
        }
        let passive = !(model.disabled(Disable::Spring) && model.disabled(Disable::Damper));
        if !passive || model.ngravcomp == 0 {
            return;
        }
        for body in 1..model.nbody {
            let share = model.body_mass[body] * model.body_gravcomp[body];
            if share != 0.0 {
                let offset = com_offset(model, data, data.xipos[body], body);
                let force = force_from(Force::linear(axis * -share), offset);
                for dof in dof_chain(model, body).filter(|&dof| !self.actuators.dropped[dof]) {
                    out[dof] += data.cdof[dof].dot(force);
                }
            }
        }
    }
}

/// Adds the derivative of the matrix of the integrator, times the acceleration `acc` over the step, to
/// zeros: `(∂M) (qacc − acc) + h (∂D) acc`.
pub(super) fn implicit_by(
    model: &Model,
    data: &Data,
    acceleration: &Acceleration,
    integrator: Integrator,
    parameter: Parameter,
    acc: &[f64],
    out: &mut [f64],
) {
    let Parameter { field, id, index } = parameter;
    let h = model.opt.timestep;
    let implicit = integrator != Integrator::Euler;
    let difference = |dof: usize| data.qacc[dof] - acc[dof];
    match field {
        Field::BodyMass | Field::BodyIpos | Field::BodyInertia => {
            let inertia = inertia_by(model, data, parameter);
            let chain = || dof_chain(model, id);
            let motion: Motion = chain().map(|dof| data.cdof[dof] * difference(dof)).sum();
            let mut force = inertia * motion;
            if integrator == Integrator::Implicit {
                // the bias force is quadratic in the velocity
                let blocks = &acceleration.blocks;
                let bias = |velocity: &dyn Fn(usize) -> f64| {
                    let (motion, rate) = chain_motion(model, data, blocks, id, velocity);
                    inertia * rate + motion.cross_force(inertia * motion)
                };
                let both = bias(&|dof| data.qvel[dof] + acc[dof]);
                let parts = bias(&|dof| data.qvel[dof]) + bias(&|dof| acc[dof]);
                force = force - (both - parts) * h;
            }
            chain().for_each(|dof| out[dof] += data.cdof[dof].dot(force));
        }
        Field::DofArmature => out[id] += difference(id),
        Field::DofDamping if !model.disabled(Disable::Damper) => {
            out[id] -= h * acc[id];
        }
        Field::JntStiffness
            if integrator == Integrator::Discrete && !model.disabled(Disable::Spring) =>
        {
            for dof in joint_dofs(model, id) {
                out[dof] -= h * (data.qvel[dof] + h * acc[dof]);
            }
        }
        Field::TendonStiffness if integrator == Integrator::Discrete => {
            let [low, high] = model.tendon_lengthspring[id];
            let length = data.ten_length[id];
            let slack = low != high && (low..=high).contains(&length);
            if !model.disabled(Disable::Spring) && !slack {
                let along: f64 = model.tendon_row(data, id).map(|(dof, j)| j * acc[dof]).sum();
                let rate = data.ten_velocity[id] + h * along;
                model.tendon_row(data, id).for_each(|(dof, j)| out[dof] -= h * rate * j);
            }
        }
        Field::TendonDamping if implicit && !model.disabled(Disable::Damper) => {
            let all = integrator == Integrator::Discrete;
            for (i, a) in model.tendon_row(data, id) {
                let along: f64 = model
                    .tendon_row(data, id)
                    .filter(|&(j, _)| all || on_one_chain(model, i, j))
                    .map(|(j, b)| b * acc[j])
                    .sum();
                out[i] -= h * a * along;
            }
        }
        Field::ActuatorGainprm | Field::ActuatorBiasprm if implicit && index == 2 => {
            let response = &acceleration.actuators.responses[id];
            if acceleration.force_by_gain(model, data, parameter).is_some() {
                let slope = if field == Field::ActuatorGainprm { response.raw } else { 1.0 };
                add_slope(model, data, id, h * slope, acc, out);
            }
        }
        Field::ActuatorGear if implicit => {
            gear_slope_by(model, data, acceleration, id, index, acc, out)
        }
        Field::Timestep => {
            // D a, from (M − h D) a = forces
            mul_m(model, data, out, acc);
            for dof in 0..model.nv {
                let force = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
                out[dof] = (out[dof] - force) / h;
            }
            for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
                if implicit && response.slope_by_time != 0.0 {
                    add_slope(model, data, actuator, h * response.slope_by_time, acc, out);
                }
            }
            if integrator == Integrator::Discrete {
                add_stiffness(model, data, acc, -h, out);
            }
        }
        _ => {}
    }
}

/// Adds `factor m mᵀ acc`, as far as dofs are on one chain, with the moment arms `m` of an actuator.
fn add_slope(
    model: &Model,
    data: &Data,
    actuator: usize,
    factor: f64,
    acc: &[f64],
    out: &mut [f64],
) {
    let entries = || {
        let row = model.moment_row(data, actuator);
        row.map(|adr| (data.moment_colind[adr] as usize, data.actuator_moment[adr]))
    };
    for (i, arm) in entries() {
        let on_chain = entries().filter(|&(j, _)| on_one_chain(model, i, j));
        let along: f64 = on_chain.map(|(j, other)| other * acc[j]).sum();
        out[i] += factor * arm * along;
    }
}

/// `h ∂(slope m mᵀ) acc` by a gear.
fn gear_slope_by(
    model: &Model,
    data: &Data,
    acceleration: &Acceleration,
    actuator: usize,
    index: usize,
    acc: &[f64],
    out: &mut [f64],
) {
    let h = model.opt.timestep;
    let response = &acceleration.actuators.responses[actuator];
    if response.slope == 0.0 && response.slope_by == [0.0; 4] {
        return;
    }
    let units = |add: &mut dyn FnMut(usize, f64)| {
        unit_moment(model, data, actuator, index, add, &data.qvel)
    };
    let velocity = units(&mut |_, _| {});
    let length = unit_length(model, data, actuator, index);
    let [by_length, by_velocity, ..] = response.slope_by;
    let slope_by = by_length * length + by_velocity * velocity;
    let arms = || {
        let row = model.moment_row(data, actuator);
        row.map(|adr| (data.moment_colind[adr] as usize, data.actuator_moment[adr]))
    };
    let along = |i: usize| -> f64 {
        arms().filter(|&(j, _)| on_one_chain(model, i, j)).map(|(j, arm)| arm * acc[j]).sum()
    };
    for (i, arm) in arms() {
        let mut along_units = 0.0;
        units(&mut |j, unit| {
            if on_one_chain(model, i, j) {
                along_units += unit * acc[j];
            }
        });
        out[i] += h * arm * (slope_by * along(i) + response.slope * along_units);
    }
    units(&mut |i, unit| out[i] += h * unit * response.slope * along(i));
}

/// Adds `factor K x`, with the stiffness of joints and tendons that `discrete` has in its matrix.
fn add_stiffness(model: &Model, data: &Data, x: &[f64], factor: f64, out: &mut [f64]) {
    if !model.disabled(Disable::Spring) {
        for dof in 0..model.nv {
            out[dof] += factor * model.jnt_stiffness[model.dof_jntid[dof] as usize] * x[dof];
        }
    }
    for tendon in 0..model.ntendon {
        let ((_, stiffness), _) = tendon_spring(model, data, tendon);
        let along: f64 = model.tendon_row(data, tendon).map(|(dof, j)| j * x[dof]).sum();
        let force = factor * stiffness * along;
        model.tendon_row(data, tendon).for_each(|(dof, j)| out[dof] += force * j);
    }
}

/// The derivative of the inertia of a body, about the centre of mass of its tree.
fn inertia_by(model: &Model, data: &Data, parameter: Parameter) -> Inertia {
    let Parameter { field, id: body, index } = parameter;
    let offset = com_offset(model, data, data.xipos[body], body);
    let point = |offset: Vec3, mass: f64| Inertia::about(Vec3::ZERO, &Mat3::IDENTITY, offset, mass);
    match field {
        Field::BodyMass => point(offset, 1.0),
        Field::BodyInertia => {
            let mut principal = Vec3::ZERO;
            principal[index] = 1.0;
            Inertia::about(principal, &data.ximat[body], Vec3::ZERO, 0.0)
        }
        _ => {
            // quadratic in the offset: the central difference is exact
            let shift = data.xmat[body].column(index);
            let half = 0.5 * model.body_mass[body];
            let mut change = point(offset + shift, half) + point(offset - shift, -half);
            change.mass = 0.0;
            change
        }
    }
}

/// The motion of a body at joint velocities, and the part of its acceleration that is quadratic in
/// them.
fn chain_motion(
    model: &Model,
    data: &Data,
    blocks: &[usize],
    body: usize,
    velocity: &dyn Fn(usize) -> f64,
) -> (Motion, Motion) {
    if body == 0 {
        return (Motion::ZERO, Motion::ZERO);
    }
    let parent = model.body_parent(body);
    let (mut motion, mut rate) = chain_motion(model, data, blocks, parent, velocity);
    let mut before = motion;
    for dof in model.body_dofs(body) {
        if blocks[dof] == dof {
            before = motion;
        }
        rate += before.cross(data.cdof[dof]) * velocity(dof);
        motion += data.cdof[dof] * velocity(dof);
    }
    (motion, rate)
}

fn joint_dofs(model: &Model, jnt: usize) -> std::ops::Range<usize> {
    let first = model.jnt_dofadr[jnt] as usize;
    let count = match model.jnt_kind(jnt) {
        JointType::Free => 6,
        JointType::Ball => 3,
        JointType::Slide | JointType::Hinge => 1,
    };
    first..first + count
}

/// The spring of a joint with unit stiffness.
fn joint_spring_by(model: &Model, data: &Data, jnt: usize, out: &mut [f64]) {
    if model.disabled(Disable::Spring) {
        return;
    }
    let (mut adr, mut dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
    let kind = model.jnt_kind(jnt);
    if let JointType::Slide | JointType::Hinge = kind {
        out[dof] -= data.qpos[adr] - model.qpos_spring[adr];
        return;
    }
    if kind == JointType::Free {
        (0..3).for_each(|i| out[dof + i] -= data.qpos[adr + i] - model.qpos_spring[adr + i]);
        (adr, dof) = (adr + 3, dof + 3);
    }
    let turn = rotation_from_spring(model, &data.qpos, adr);
    (0..3).for_each(|i| out[dof + i] -= turn[i]);
}

/// Dry friction that gives way is as large as its limit.
fn dry_by(data: &Data, kind: ConstraintType, id: usize, out: &mut [f64]) {
    for block in &data.rows.blocks {
        let row = block.row;
        if data.efc_type[row] != kind as i32 || data.efc_id[row] as usize != id {
            continue;
        }
        let sign = match ConstraintState::from_i32(data.efc_state[row]) {
            Some(ConstraintState::LinearNeg) => 1.0,
            Some(ConstraintState::LinearPos) => -1.0,
            _ => continue,
        };
        data.rows.row(block, 0).for_each(|(dof, entry)| out[dof] += sign * entry);
    }
}

/// The wind: forces of the medium depend on the velocity relative to it.
fn wind_by(model: &Model, data: &Data, index: usize, out: &mut [f64]) {
    let passive = !(model.disabled(Disable::Spring) && model.disabled(Disable::Damper));
    if !passive || model.opt.density == 0.0 && model.opt.viscosity == 0.0 {
        return;
    }
    let wind = Motion::linear([Vec3::X, Vec3::Y, Vec3::Z][index]);
    drag_by_velocity(model, data, |body, _, map| {
        let force = &map * wind;
        dof_chain(model, body).for_each(|dof| out[dof] -= data.cdof[dof].dot(force));
    });
}

/// The contact that a block of rows belongs to.
fn contact_of<'a>(data: &'a Data, block: &Block) -> Option<&'a Contact> {
    use ConstraintType::{ContactElliptic, ContactFrictionless, ContactPyramidal};
    match ConstraintType::from_i32(data.efc_type[block.row]) {
        Some(ContactElliptic | ContactFrictionless | ContactPyramidal) => {
            data.contact.get(data.efc_id[block.row] as usize)
        }
        _ => None,
    }
}

/// Adds the generalised force of forces along the stored rows of a block.
fn add_rows(data: &Data, block: &Block, force: &[f64; MAX_RANK], out: &mut [f64]) {
    for (k, &force) in force.iter().enumerate().take(block.rank) {
        if force != 0.0 {
            data.rows.row(block, k).for_each(|(dof, entry)| out[dof] += entry * force);
        }
    }
}

/// Derivatives of the forces of an elliptic cone by its friction coefficients, along `by`.
fn cone_by(
    data: &Data,
    block: &Block,
    contact: &Contact,
    jar: &[f64],
    by: [f64; 5],
) -> [f64; MAX_RANK] {
    let mut force = [0.0; MAX_RANK];
    let friction = &contact.friction;
    let jar = &jar[block.row..block.row + block.count];
    match ConstraintState::from_i32(data.efc_state[block.row]) {
        Some(ConstraintState::Quadratic) => {
            // the softness of the friction axes follows from the first: R_k ∝ (μ₁ / μ_k)²
            for k in 2..block.count {
                let growth = 2.0 * (by[k - 1] / friction[k - 1] - by[0] / friction[0]);
                force[k] = growth * data.efc_force[block.row + k];
            }
        }
        Some(ConstraintState::Cone) => {
            // with N = μ j₀, T = |μ_k j_k|: f₀ = −w (N − μ T) μ, f_k = w (N − μ T) μ μ_k² j_k / T
            let mu = contact.mu;
            let mu_by = by[0] * mu / friction[0];
            let weight = data.efc_D[block.row] / (mu * mu * (1.0 + mu * mu));
            let weight_by = -weight * (2.0 + 4.0 * mu * mu) / (mu * (1.0 + mu * mu)) * mu_by;
            let scaled = |k: usize| friction[k - 1] * jar[k];
            let t = (1..block.count).map(|k| scaled(k) * scaled(k)).sum::<f64>().sqrt();
            let t_by = (1..block.count).map(|k| scaled(k) * by[k - 1] * jar[k]).sum::<f64>() / t;
            let gap = mu * jar[0] - mu * t;
            let gap_by = mu_by * jar[0] - mu_by * t - mu * t_by;
            let size = weight * gap * mu;
            let size_by = weight_by * gap * mu + weight * gap_by * mu + weight * gap * mu_by;
            force[0] = -size_by;
            for k in 1..block.count {
                let along = friction[k - 1] * scaled(k) / t;
                let along_by = (2.0 * by[k - 1] * scaled(k) - along * t_by) / t;
                force[k] = size_by * along + size * along_by;
            }
        }
        _ => {}
    }
    force
}

/// The length of an actuator at unit gear.
fn unit_length(model: &Model, data: &Data, actuator: usize, index: usize) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let gear = model.actuator_gear[actuator];
    match TrnType::from_i32(model.actuator_trntype[actuator]) {
        Some(TrnType::Joint | TrnType::JointInParent) => match model.jnt_kind(id) {
            JointType::Slide | JointType::Hinge if index == 0 => {
                data.qpos[model.jnt_qposadr[id] as usize]
            }
            JointType::Ball if index < 3 => {
                let adr = model.jnt_qposadr[id] as usize;
                let q = &data.qpos[adr..adr + 4];
                let quat = crate::math::Quat::new(q[0], q[1], q[2], q[3]).normalized();
                let angle = quat.to_velocity(1.0);
                // a rotation vector is the same in both frames
                angle[index]
            }
            _ => 0.0,
        },
        Some(TrnType::Tendon) if index == 0 => data.ten_length[id],
        Some(TrnType::SliderCrank) if index == 0 && gear[0] != 0.0 => {
            data.actuator_length[actuator] / gear[0]
        }
        _ => 0.0,
    }
}

/// Calls `add` with the moment arms of an actuator at unit gear, and returns their product with `y`.
fn unit_moment(
    model: &Model,
    data: &Data,
    actuator: usize,
    index: usize,
    add: &mut dyn FnMut(usize, f64),
    y: &[f64],
) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let gear = model.actuator_gear[actuator];
    let mut sum = 0.0;
    let mut take = |dof: usize, arm: f64| {
        sum += arm * y[dof];
        add(dof, arm);
    };
    let axis = [Vec3::X, Vec3::Y, Vec3::Z][index % 3];
    match TrnType::from_i32(model.actuator_trntype[actuator]) {
        Some(kind @ (TrnType::Joint | TrnType::JointInParent)) => {
            let dof = model.jnt_dofadr[id] as usize;
            let rotations = match model.jnt_kind(id) {
                JointType::Slide | JointType::Hinge => {
                    if index == 0 {
                        take(dof, 1.0);
                    }
                    return sum;
                }
                JointType::Ball if index < 3 => dof,
                JointType::Free if index >= 3 => dof + 3,
                JointType::Free => {
                    take(dof + index, 1.0);
                    return sum;
                }
                JointType::Ball => return 0.0,
            };
            let adr = model.jnt_qposadr[id] as usize + (rotations - dof);
            let q = &data.qpos[adr..adr + 4];
            let quat = crate::math::Quat::new(q[0], q[1], q[2], q[3]).normalized();
            let turned =
                if kind == TrnType::JointInParent { quat.conjugate().rotate(axis) } else { axis };
            (0..3).for_each(|i| take(rotations + i, turned[i]));
        }
        Some(TrnType::Tendon) if index == 0 => {
            model.tendon_row(data, id).for_each(|(dof, j)| take(dof, j));
        }
        Some(TrnType::SliderCrank) if index == 0 && gear[0] != 0.0 => {
            for adr in model.moment_row(data, actuator) {
                take(data.moment_colind[adr] as usize, data.actuator_moment[adr] / gear[0]);
            }
        }
        Some(TrnType::Site) => {
            let body = model.site_bodyid[id] as usize;
            let direction = data.site_xmat[id] * axis;
            let wrench = if index < 3 {
                Force::linear(direction)
            } else {
                Force::new(direction, Vec3::ZERO)
            };
            let offset = com_offset(model, data, data.site_xpos[id], body);
            let wrench = force_from(wrench, offset);
            dof_chain(model, body).for_each(|dof| take(dof, data.cdof[dof].dot(wrench)));
        }
        Some(TrnType::Body) if index == 0 && gear[0] != 0.0 => {
            for adr in model.moment_row(data, actuator) {
                take(data.moment_colind[adr] as usize, data.actuator_moment[adr] / gear[0]);
            }
        }
        _ => {}
    }
    sum
}

/// How the part of a geom that touches moves when a size or the position of the geom changes.
struct Growth {
    /// Motion of the feature, and growth of the radius around it.
    shift: Vec3,
    inflation: f64,
}

impl Growth {
    /// By the size with the given index, at a point of the surface with outward normal `out`.
    fn of_size(
        model: &Model,
        data: &Data,
        geom: usize,
        index: usize,
        point: Vec3,
        out: Vec3,
    ) -> Growth {
        let (pos, mat, size) = (data.geom_xpos[geom], &data.geom_xmat[geom], model.geom_size[geom]);
        let kind = GeomType::from_i32(model.geom_type[geom]);
        let mut shift = Vec3::ZERO;
        let mut inflation = 0.0;
        match (kind, index) {
            (Some(GeomType::Sphere | GeomType::Capsule), 0) => inflation = 1.0,
            (Some(GeomType::Capsule), 1) => {
                let core = mat.transpose_mul(point - out * size.x - pos);
                if core.z.abs() > size.y * (1.0 - ON_SIDE) {
                    shift = mat.column(2) * 1.0_f64.copysign(core.z);
                }
            }
            (Some(GeomType::Box), _) => {
                let local = mat.transpose_mul(point - pos);
                if (local[index].abs() - size[index]).abs() < ON_SIDE * size.max_element() {
                    shift = mat.column(index) * 1.0_f64.copysign(local[index]);
                }
            }
            (Some(GeomType::Cylinder), 0 | 1) => {
                let local = mat.transpose_mul(point - pos);
                let tolerance = ON_SIDE * (size.x + size.y);
                if index == 0 {
                    // points of rims and sides are at multiples of the radius
                    let away = (local.x * local.x + local.y * local.y).sqrt();
                    if (away - size.x).abs() < tolerance {
                        shift = *mat * Vec3::new(local.x, local.y, 0.0) * (1.0 / size.x);
                    }
                } else if (local.z.abs() - size.y).abs() < tolerance {
                    shift = mat.column(2) * 1.0_f64.copysign(local.z);
                }
            }
            (Some(GeomType::Ellipsoid), _) => {
                // the support point S² l / |S l| along the normal l
                let l = mat.transpose_mul(out);
                let length = size.scaled(l).norm();
                let along = size[index] * l[index];
                let mut change =
                    size.scaled(size).scaled(l) * (-along * l[index] / (length * length));
                change[index] += 2.0 * along;
                shift = *mat * change * (1.0 / length);
            }
            _ => {}
        }
        Growth { shift, inflation }
    }

    /// The change of the contact.
    fn change(&self, local: &Local<'_>, normal: Vec3, side: usize) -> Change {
        let slopes = &local.slopes;
        let sign = if side == 0 { -1.0 } else { 1.0 };
        let shift = self.shift * sign;
        let mut pos = slopes.pos_lin * shift - normal * (0.5 * sign * self.inflation);
        if side == 0 {
            // everything rides with the first geom
            pos += self.shift;
        }
        Change {
            dist: slopes.dist_lin.dot(shift) - self.inflation,
            pos,
            normal: slopes.normal_lin * shift,
            hint: Vec3::ZERO,
        }
    }
}
