//! Derivatives of the acceleration by the implicit function theorem at the solver's optimum.

use super::DerivativeError;
use super::actuator::Actuators;
use super::contact::{Arm, Contacts};
use super::fluid::drag_by_velocity;
use super::linear::Factors;
use super::parameter::Parameter;
use super::quat::sub_quat;
use super::row;
use super::system::System;
use super::tendon::Tendons;
use super::transition::{Smoothness, has_medium};
use super::tree::{Inertial, Motions, TreeGradient, add_turning, blocks, force_from};
use super::weight::Weight;
use crate::constraint::{Block, polynomial};
use crate::math::{Force, Mat3, Motion, MotionToForce, Quat, Vec3};
use crate::model::{ConstraintType, Disable, EqType, JointType, TrnType};
use crate::smooth::{com_offset, dof_chain};
use crate::{Data, Model};

/// Derivatives of `qacc` by positions, velocities, activations and controls.
///
/// The acceleration minimises the cost of the solver, so with the Hessian `H = M + Jᵀ W J` of the
/// rows in their final states
/// ```text
/// H ∂qacc = ∂(τ − ID(q, v, qacc) + Jᵀ f)   at fixed qacc
/// ```
#[derive(Debug, Clone, Default)]
pub(super) struct Acceleration {
    pub(super) blocks: Vec<usize>,
    pub(super) acc: Motions,
    pub(super) vel: Motions,
    pub(super) inertial: Inertial,
    /// Wrenches on bodies that keep their direction, those that turn along, and derivatives of the
    /// former by the motion of their body, if there are any; by body, then by subtree.
    pub(super) outer: Vec<Force>,
    pub(super) riding: Vec<Force>,
    pub(super) stiffness: Vec<MotionToForce>,
    pub(super) jar: Vec<f64>,
    pub(super) weights: Vec<Weight>,
    pub(super) contacts: Contacts,
    arms: Vec<Arm>,
    pub(super) tendons: Tendons,
    tendon_force: Vec<f64>,
    adhesion: Vec<f64>,
    pub(super) actuators: Actuators,
    /// Right-hand sides, then the derivatives.
    pub(super) system: System,
    pub(super) hessian: Factors,
    /// Scratch: the derivative of the force by a parameter.
    pub(super) column: Vec<f64>,
}

impl Acceleration {
    /// Computes the derivatives. Runs after `forward`.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        data: &Data,
        parameters: &[Parameter],
    ) -> Result<(), DerivativeError> {
        self.respond(model, data)?;
        self.assemble(model, data, &data.qacc, parameters)?;
        self.solve(model, data);
        Ok(())
    }

    /// Computes the derivatives of the acceleration from those of all forces.
    pub(super) fn solve(&mut self, model: &Model, data: &Data) {
        self.factor(model, data);
        self.hessian.solve(&mut self.system.values, self.system.width);
    }

    /// Whether any constraint row responds to the acceleration. If none does, the Hessian is `M`.
    pub(super) fn responds(&self) -> bool {
        self.weights.iter().any(Weight::responds)
    }

    /// Computes the derivatives of all forces at fixed acceleration, those of inertia at joint
    /// accelerations `a`. Runs after [`respond`](Acceleration::respond).
    pub(super) fn assemble(
        &mut self,
        model: &Model,
        data: &Data,
        a: &[f64],
        parameters: &[Parameter],
    ) -> Result<(), DerivativeError> {
        let (v, gravity) = (&data.qvel, gravity(model));
        self.inertial.compute(model, data, &self.blocks, &self.vel, v, a, gravity);
        self.stiffness.clear();
        self.system.clear(model.nv, model.na, model.nu, parameters.len());
        self.add_forces(model, data, None)?;
        self.contacts(model, data);
        self.body_forces(model, data);
        self.inertia(model, data);
        self.parameters(model, data, parameters);
        Ok(())
    }

    /// Computes motions, and how rows and actuators respond.
    pub(super) fn respond(&mut self, model: &Model, data: &Data) -> Result<(), DerivativeError> {
        blocks(model, &mut self.blocks);
        self.acc.compute(model, data, &self.blocks, &data.qacc);
        self.vel.compute(model, data, &self.blocks, &data.qvel);
        clear(&mut self.outer, model.nbody, Force::ZERO);
        clear(&mut self.riding, model.nbody, Force::ZERO);

        self.jar.resize(data.nefc, 0.0);
        data.rows.mul(&mut self.jar, &data.qacc);
        self.jar.iter_mut().zip(&data.efc_aref).for_each(|(jar, aref)| *jar -= aref);
        self.weights.resize(data.rows.blocks.len(), Weight::default());
        for (weight, block) in self.weights.iter_mut().zip(&data.rows.blocks) {
            weight.set(data, block, &self.jar);
        }

        self.actuators.start(model, data)?;
        self.tendon_forces(model, data);
        self.adhesion(model, data);
        Ok(())
    }

    /// Adds the derivatives of all forces but those of inertia, contacts, and on single bodies. With a
    /// gradient, those of bodies that equalities hold go there.
    pub(super) fn add_forces(
        &mut self,
        model: &Model,
        data: &Data,
        mut gradient: Option<&mut TreeGradient>,
    ) -> Result<(), DerivativeError> {
        let motions = (&self.acc, &self.vel);
        self.tendons.compute(
            model,
            data,
            motions,
            &self.tendon_force,
            &mut self.system,
            &mut self.outer,
        );
        for (block, weight) in data.rows.blocks.iter().zip(&self.weights) {
            let gradient = gradient.as_deref_mut();
            if let (Some(gradient), Some(eq)) = (gradient, row::held_bodies(model, data, block)) {
                row::add_gradient(model, data, motions, block, weight, eq, gradient);
                continue;
            }
            let (system, outer) = (&mut self.system, &mut self.outer);
            row::add(model, data, motions, &self.tendons, block, weight, system, outer);
        }
        self.actuators.add(
            model,
            data,
            &self.blocks,
            &self.vel,
            &self.tendons,
            &mut self.system,
            &mut self.outer,
            &mut self.riding,
        )?;
        self.drop_compensation(model, data);
        joint_springs(model, data, &mut self.system);
        dampers(model, data, &self.tendons, &mut self.system);
        Ok(())
    }

    /// Takes gravity compensation away from the dofs where it has no effect; other forces on bodies
    /// [contain](pushes) it.
    fn drop_compensation(&mut self, model: &Model, data: &Data) {
        let Acceleration { actuators, system, blocks, .. } = self;
        if !actuators.dropped.contains(&true) {
            return;
        }
        let dropped = |dof: usize| actuators.dropped[dof];
        for body in 1..model.nbody {
            let push = compensation(model, body) * -model.body_mass[body];
            if push == Vec3::ZERO {
                continue;
            }
            let offset = com_offset(model, data, data.xipos[body], body);
            let wrench = force_from(Force::linear(push), offset);
            add_turning(model, data, blocks, (body, wrench), dropped, system);
            for i in dof_chain(model, body).filter(|&i| dropped(i)) {
                let mut row = system.pos(i);
                for k in dof_chain(model, body) {
                    let torque = data.cdof[k].at(offset).cross(push);
                    row.add(k, data.cdof[i].rot.dot(torque));
                }
            }
        }
    }

    /// What there is to say about the derivatives at this state.
    pub(super) fn smoothness(&self, data: &Data) -> Smoothness {
        let blocks = data.rows.blocks.iter();
        let contacts = data.contact.iter();
        Smoothness {
            approximate_contacts: self.contacts.approximate,
            nearest_border: blocks
                .map(|block| nearest_border(data, block, &self.jar))
                .fold(f64::INFINITY, f64::min),
            nearest_contact: contacts
                .map(|contact| (contact.dist - contact.includemargin).abs())
                .fold(f64::INFINITY, f64::min),
            nearest_feature: self.contacts.nearest_feature,
        }
    }

    /// The force along each tendon, of springs, dampers, actuators and rows.
    fn tendon_forces(&mut self, model: &Model, data: &Data) {
        let forces = &mut self.tendon_force;
        clear(forces, model.ntendon, 0.0);
        if model.ntendon == 0 {
            return;
        }
        for tendon in 0..model.ntendon {
            let (spring, damper) = tendon_spring(model, data, tendon);
            forces[tendon] = spring.0 - damper * data.ten_velocity[tendon];
        }
        for actuator in 0..model.nu {
            if model.actuator_trntype[actuator] == TrnType::Tendon as i32 {
                let tendon = model.actuator_trnid[actuator][0] as usize;
                forces[tendon] += model.actuator_gear[actuator][0] * data.actuator_force[actuator];
            }
        }
        for row in 0..data.nefc {
            let (id, force) = (data.efc_id[row] as usize, data.efc_force[row]);
            match ConstraintType::from_i32(data.efc_type[row]) {
                Some(ConstraintType::FrictionTendon) => forces[id] += force,
                Some(ConstraintType::LimitTendon) => {
                    let low = model.tendon_range[id][0];
                    let near_low = data.efc_pos[row] == -(low - data.ten_length[id]);
                    forces[id] += if near_low { force } else { -force };
                }
                Some(ConstraintType::Equality) if model.eq_type[id] == EqType::Tendon as i32 => {
                    forces[model.eq_obj1id[id] as usize] += force;
                    if let Ok(second) = usize::try_from(model.eq_obj2id[id]) {
                        let x = data.ten_length[second] - model.tendon_length0[second];
                        forces[second] -= polynomial(&model.eq_data[id], x).1 * force;
                    }
                }
                _ => {}
            }
        }
    }

    /// The force of adhesion along the normal of each contact.
    fn adhesion(&mut self, model: &Model, data: &Data) {
        self.adhesion.clear();
        for actuator in 0..model.nu {
            let force = data.actuator_force[actuator];
            if model.actuator_trntype[actuator] != TrnType::Body as i32 || force == 0.0 {
                continue;
            }
            let id = model.actuator_trnid[actuator][0];
            let sticks = |contact: &crate::data::Contact| {
                matches!(contact.exclude, 0 | 1)
                    && contact.geom.iter().all(|&geom| geom >= 0)
                    && contact.geom.iter().any(|&geom| model.geom_bodyid[geom as usize] == id)
            };
            let count = data.contact.iter().filter(|contact| sticks(contact)).count();
            self.adhesion.resize(data.contact.len(), 0.0);
            for (pull, contact) in self.adhesion.iter_mut().zip(&data.contact) {
                if sticks(contact) {
                    *pull -= force / count as f64;
                }
            }
        }
    }

    /// How a contact responds, and the force of adhesion along its normal; none if it has neither.
    pub(super) fn contact_weight(
        &self,
        data: &Data,
        contact: usize,
    ) -> Option<(Option<&Weight>, f64)> {
        let pull = self.adhesion.get(contact).copied().unwrap_or(0.0);
        let weight = usize::try_from(data.contact[contact].efc_address).ok().map(|row| {
            let block = data.rows.blocks.partition_point(|block| block.row < row);
            &self.weights[block]
        });
        (weight.is_some() || pull != 0.0).then_some((weight, pull))
    }

    /// Adds the forces of contacts, with adhesion.
    fn contacts(&mut self, model: &Model, data: &Data) {
        let motions = (&self.acc, &self.vel);
        let (weights, adhesion) = (&self.weights, &self.adhesion);
        self.contacts.compute(model, data, motions, weights, adhesion, &mut self.outer);
        for pair in &self.contacts.pairs {
            pair.arms(model, data, motions, &mut self.arms);
            for row in self.arms.iter().filter(|row| row.sign != 0.0) {
                let axis = row.axis * row.sign;
                let mut out = self.system.pos(row.dof);
                for column in &self.arms {
                    out.add(column.dof, axis.dot(column.by_pos));
                }
                let mut out = self.system.vel(row.dof);
                for column in &self.arms {
                    out.add(column.dof, axis.dot(column.by_vel));
                }
            }
        }
    }

    /// Adds forces on bodies to those that turn along or not: applied wrenches, compensation of
    /// gravity, the medium.
    fn body_forces(&mut self, model: &Model, data: &Data) {
        let Acceleration { outer, riding, stiffness, inertial, .. } = self;
        pushes(model, data, |body, offset, push, torque| {
            outer[body] += force_from(Force::new(torque, push), offset);
            // the point moves by lin + rot × offset, the torque by that times the force
            let cross = Mat3::skew(push) * -1.0;
            stiffness.resize(model.nbody, MotionToForce::default());
            stiffness[body] += MotionToForce {
                rot_rot: cross * (Mat3::skew(offset) * -1.0),
                rot_lin: cross,
                ..MotionToForce::default()
            };
        });
        if has_medium(model) {
            let wind = Motion::linear(model.opt.wind);
            drag_by_velocity(model, data, |body, wrench, map| {
                // rides along, but for the wind
                riding[body] += wrench;
                inertial.add_medium(body, map.times(-1.0));
                if model.opt.wind != Vec3::ZERO {
                    stiffness.resize(model.nbody, MotionToForce::default());
                    stiffness[body] += map.crossed(wind);
                }
            });
        }
    }

    /// Subtracts the derivative of inverse dynamics, with all wrenches on bodies.
    fn inertia(&mut self, model: &Model, data: &Data) {
        for (force, riding) in self.inertial.force.iter_mut().zip(&self.riding) {
            *force = *force - *riding;
        }
        self.inertial.collect(model);
        for body in (1..model.nbody).rev() {
            let parent = model.body_parent(body);
            if parent > 0 {
                let outer = self.outer[body];
                self.outer[parent] += outer;
                if let Some(&stiffness) = self.stiffness.get(body) {
                    self.stiffness[parent] += stiffness;
                }
            }
        }
        let outer = Some((&self.outer[..], &self.stiffness[..]));
        let (blocks, vel, system) = (&self.blocks, &self.vel, &mut self.system);
        self.inertial.add_to(model, data, blocks, vel, outer, (-1.0, -1.0), system);
    }

    /// Factorises the Hessian of the solver.
    fn factor(&mut self, model: &Model, data: &Data) {
        let hessian = &mut self.hessian;
        hessian.clear(model.nv);
        for dof in 0..model.nv {
            for adr in model.m_row(dof) {
                hessian.add(dof, model.M_colind[adr] as usize, data.M[adr]);
            }
        }
        for (block, weight) in data.rows.blocks.iter().zip(&self.weights) {
            let n = block.rank;
            if !weight.responds() {
                continue;
            }
            let dofs = data.rows.dofs(block);
            let values = data.rows.values(block);
            let stride = values.len() / dofs.len().max(1);
            for (a, &i) in dofs.iter().enumerate() {
                let entries = &values[a * stride..a * stride + n];
                let mut image = [0.0; 6];
                for (k, image) in image.iter_mut().enumerate().take(n) {
                    *image = (0..n).map(|l| weight.matrix[k][l] * entries[l]).sum();
                }
                for (b, &j) in dofs[..=a].iter().enumerate() {
                    let other = &values[b * stride..b * stride + n];
                    let value: f64 = (0..n).map(|k| image[k] * other[k]).sum();
                    let (i, j) = (i.max(j) as usize, i.min(j) as usize);
                    hessian.add(i, j, value);
                }
            }
        }
        hessian.factor_symmetric();
    }
}

/// Calls `add` with the forces on single bodies that keep their directions, applied ones and those that
/// compensate gravity: the body, the offset of the point from its reference point, force and torque.
pub(super) fn pushes(model: &Model, data: &Data, mut add: impl FnMut(usize, Vec3, Vec3, Vec3)) {
    for body in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = data.xfrc_applied[body];
        let (push, torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
        let push = push + compensation(model, body) * model.body_mass[body];
        if push != Vec3::ZERO || torque != Vec3::ZERO {
            add(body, com_offset(model, data, data.xipos[body], body), push, torque);
        }
    }
}

/// The force at the centre of mass of a body that compensates gravity, per mass.
pub(super) fn compensation(model: &Model, body: usize) -> Vec3 {
    let passive = !(model.disabled(Disable::Spring) && model.disabled(Disable::Damper));
    if passive && model.ngravcomp > 0 {
        gravity(model) * -model.body_gravcomp[body]
    } else {
        Vec3::ZERO
    }
}

/// How far the residuals of a block are from where its forces take another branch.
fn nearest_border(data: &Data, block: &Block, jar: &[f64]) -> f64 {
    let rows = block.row..block.row + block.count;
    match ConstraintType::from_i32(data.efc_type[block.row]) {
        Some(ConstraintType::Equality) => f64::INFINITY,
        Some(ConstraintType::FrictionDof | ConstraintType::FrictionTendon) => {
            let bound = data.efc_R[block.row] * data.efc_frictionloss[block.row];
            (jar[block.row].abs() - bound).abs()
        }
        Some(ConstraintType::ContactElliptic) => {
            // the zones of the cone are bounded by n = μ t and t = −μ n
            let contact = &data.contact[data.efc_id[block.row] as usize];
            let mu = contact.mu;
            let tangents = jar[rows].iter().skip(1).zip(&contact.friction);
            let t = tangents.map(|(x, friction)| x * x * friction * friction).sum::<f64>().sqrt();
            let n = jar[block.row] * mu;
            (n - mu * t).abs().min((mu * n + t).abs()) / (mu * (1.0 + mu * mu).sqrt())
        }
        _ => jar[rows].iter().fold(f64::INFINITY, |least, x| least.min(x.abs())),
    }
}

/// Gravity, unless it is switched off.
pub(super) fn gravity(model: &Model) -> Vec3 {
    if model.disabled(Disable::Gravity) { Vec3::ZERO } else { model.opt.gravity }
}

pub(super) fn clear<T: Copy>(values: &mut Vec<T>, len: usize, value: T) {
    values.clear();
    values.resize(len, value);
}

/// The force and stiffness of the spring of a tendon, and its damping.
pub(super) fn tendon_spring(model: &Model, data: &Data, tendon: usize) -> ((f64, f64), f64) {
    let stiffness = model.tendon_stiffness[tendon];
    let length = data.ten_length[tendon];
    let [low, high] = model.tendon_lengthspring[tendon];
    let spring = if model.disabled(Disable::Spring) || (low..=high).contains(&length) {
        // a spring with one rest length is never slack
        if low == high && !model.disabled(Disable::Spring) { (0.0, stiffness) } else { (0.0, 0.0) }
    } else {
        let rest = if length > high { high } else { low };
        (stiffness * (rest - length), stiffness)
    };
    let damping = if model.disabled(Disable::Damper) { 0.0 } else { model.tendon_damping[tendon] };
    (spring, damping)
}

/// Adds the stiffness of joints.
fn joint_springs(model: &Model, data: &Data, system: &mut System) {
    if model.disabled(Disable::Spring) {
        return;
    }
    for jnt in 0..model.njnt {
        let stiffness = model.jnt_stiffness[jnt];
        if stiffness == 0.0 {
            continue;
        }
        let (mut adr, mut dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
        let kind = model.jnt_kind(jnt);
        if let JointType::Slide | JointType::Hinge = kind {
            system.pos(dof).add(dof, -stiffness);
            continue;
        }
        if kind == JointType::Free {
            (0..3).for_each(|i| system.pos(dof + i).add(dof + i, -stiffness));
            (adr, dof) = (adr + 3, dof + 3);
        }
        let read = |x: &[f64]| Quat::new(x[adr], x[adr + 1], x[adr + 2], x[adr + 3]);
        let by = sub_quat(read(&data.qpos).normalized(), read(&model.qpos_spring)).0;
        for i in 0..3 {
            for k in 0..3 {
                system.pos(dof + i).add(dof + k, -stiffness * by[(i, k)]);
            }
        }
    }
}

/// Adds the damping of dofs, and springs and dampers of tendons.
fn dampers(model: &Model, data: &Data, tendons: &Tendons, system: &mut System) {
    if !model.disabled(Disable::Damper) {
        for dof in 0..model.nv {
            system.vel(dof).add(dof, -model.dof_damping[dof]);
        }
    }
    for tendon in 0..model.ntendon {
        let ((_, stiffness), damping) = tendon_spring(model, data, tendon);
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        for (i, arm) in model.tendon_row(data, tendon).filter(|&(_, arm)| arm != 0.0) {
            let mut row = system.pos(i);
            row.add_all(-(arm * damping), tendons.by_vel(tendon));
            for (k, other) in model.tendon_row(data, tendon) {
                row.add(k, -(arm * stiffness * other));
            }
            let mut row = system.vel(i);
            for (k, other) in model.tendon_row(data, tendon) {
                row.add(k, -(arm * damping * other));
            }
        }
    }
}
