//! The exact derivative of a step.

use super::DerivativeError;
use super::acceleration::{Acceleration, clear, tendon_spring};
use super::linear::Factors;
use super::quat::quat_integrate;
use super::runge_kutta::{RungeKutta, mix};
use super::tree::{Inertial, Motions};
use super::{Covers, smooth_vel};
use crate::math::Vec3;
use crate::model::{Disable, Enable, Integrator, JointType, TrnType, WrapType};
use crate::{Data, Model};

/// The derivative of a step by state and control, with everything that its computation needs. It may
/// be used for any model; nothing is allocated when it is used again for the same.
///
/// ```text
/// x⁺ = A x + B u        x = (tangent of qpos, qvel, act)
/// ```
#[derive(Debug, Clone, Default)]
pub struct Transition {
    /// The matrix `A`, by rows.
    pub a: Vec<f64>,
    /// The matrix `B`, by rows.
    pub b: Vec<f64>,
    pub(super) acceleration: Acceleration,
    pub(super) integral: Integral,
    runge_kutta: RungeKutta,
}

/// What [`transition`] has to say about how far its result can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoothness {
    /// Contacts whose point and normal move in a way that is only approximately known: those of
    /// convex pairs that are found by iteration, parallel edges and faces.
    pub approximate_contacts: usize,
    /// How much the acceleration along a constraint row may change before its force takes another
    /// branch: a contact lets go or begins to slide, dry friction gives way. Infinite if there are
    /// no such rows.
    pub nearest_border: f64,
}

/// Computes the exact derivative of the step from the current state, through contact. Runs after
/// `forward`, whose results it reads.
///
/// Constraints are differentiated by the implicit function theorem at the solver's optimum, in the
/// state that its rows have; contacts move with their geoms, and the impedance with the distance. At
/// points where the step has no derivative, that of the present branch is returned.
pub fn transition(
    model: &Model,
    data: &mut Data,
    out: &mut Transition,
) -> Result<Smoothness, DerivativeError> {
    check(model, data)?;
    let Transition { a, b, acceleration, integral, runge_kutta } = out;
    if model.opt.integrator == Integrator::Rk4 as i32 {
        return runge_kutta.compute(model, data, acceleration, a, b);
    }
    acceleration.compute(model, data)?;
    integral.compute(model, data, acceleration)?;
    write(model, acceleration, integral, data, a, b);
    Ok(acceleration.smoothness(data))
}

/// Refuses what has no derivative here.
pub(super) fn check(model: &Model, data: &Data) -> Result<(), DerivativeError> {
    let unsupported = |what: &str| Err(DerivativeError::Unsupported(what.into()));
    if model.nhistory > 0 {
        return Err(DerivativeError::Delays);
    }
    if model.opt.noslip_iterations > 0 && data.nefc > 0 {
        return Err(DerivativeError::NoSlip);
    }
    if model.nplugin > 0 {
        return unsupported("a plugin");
    }
    if model.nflex > 0 {
        return unsupported("a flex");
    }
    if model.enabled(Enable::Sleep) && data.ntree_awake < model.ntree {
        return unsupported("a sleeping tree");
    }
    if (0..model.ntendon).any(|tendon| model.tendon_armature[tendon] != 0.0) {
        return unsupported("the armature of a tendon");
    }
    Ok(())
}

/// The acceleration over a step that the integrator makes of `qacc`, and its derivatives.
#[derive(Debug, Clone, Default)]
pub(super) struct Integral {
    pub(super) acc: Vec<f64>,
    /// Derivatives, laid out as those of the acceleration; unused if the integrator takes that.
    pub(super) values: Vec<f64>,
    pub(super) implicit: bool,
    pub(super) matrix: Factors,
    difference: Vec<f64>,
    zeros: Vec<f64>,
    sum: Vec<f64>,
    motions: Motions,
    inertial: Inertial,
}

impl Integral {
    /// Computes the acceleration over the step and its derivatives, from those of `qacc`.
    fn compute(
        &mut self,
        model: &Model,
        data: &mut Data,
        acceleration: &Acceleration,
    ) -> Result<(), DerivativeError> {
        self.assemble(model, data, acceleration)?;
        if !self.implicit {
            return Ok(());
        }
        // M ∂qacc
        let width = acceleration.system.width;
        let from = &acceleration.system.values;
        for i in 0..model.nv {
            for adr in model.m_row(i) {
                let (j, mass) = (model.M_colind[adr] as usize, data.M[adr]);
                add_scaled(&mut self.values, from, width, i, j, mass);
                if i != j {
                    add_scaled(&mut self.values, from, width, j, i, mass);
                }
            }
        }
        self.matrix.solve(&mut self.values, width);
        Ok(())
    }

    /// Computes the acceleration `a` over the step, factorises the matrix of the integrator, and
    /// computes what the change of that contributes: `(∂M) (qacc − a) + h (∂D) a`.
    pub(super) fn assemble(
        &mut self,
        model: &Model,
        data: &mut Data,
        acceleration: &Acceleration,
    ) -> Result<(), DerivativeError> {
        let nv = model.nv;
        let integrator = Integrator::from_i32(model.opt.integrator).unwrap_or(Integrator::Euler);
        let damped = !model.disabled(Disable::EulerDamp)
            && !model.disabled(Disable::Damper)
            && model.dof_damping.iter().any(|&damping| damping > 0.0);
        self.implicit = integrator != Integrator::Euler || damped;
        self.acc.clone_from(&data.qacc);
        if !self.implicit {
            return Ok(());
        }
        let fluid = model.opt.density != 0.0 || model.opt.viscosity != 0.0;
        if fluid && integrator != Integrator::Euler {
            let what = "the medium with an implicit integrator";
            return Err(DerivativeError::Unsupported(what.into()));
        }
        self.factor(model, data, integrator);
        self.acc.clear();
        let forces = data.qfrc_smooth.iter().zip(&data.qfrc_constraint);
        self.acc.extend(forces.map(|(smooth, constraint)| smooth + constraint));
        if integrator == Integrator::Discrete {
            self.subtract_spring_rates(model, data);
        }
        self.matrix.solve(&mut self.acc, 1);

        // (∂M) (qacc − a)
        let width = acceleration.system.width;
        clear(&mut self.values, nv * width, 0.0);
        self.difference.clear();
        self.difference.extend(data.qacc.iter().zip(&self.acc).map(|(a, b)| a - b));
        clear(&mut self.zeros, nv, 0.0);
        let (blocks, zeros) = (&acceleration.blocks, &self.zeros);
        self.motions.compute(model, data, blocks, zeros);
        let (motions, inertial) = (&self.motions, &mut self.inertial);
        inertial.compute(model, data, blocks, motions, zeros, &self.difference, Vec3::ZERO);
        inertial.collect(model);
        let values = &mut self.values;
        inertial.for_each(model, data, blocks, motions, None, |i, k, by_pos, _| {
            values[i * width + k] += by_pos;
        });

        let h = model.opt.timestep;
        if integrator != Integrator::Euler {
            self.slopes(model, data, acceleration, integrator)?;
        }
        if integrator == Integrator::Implicit {
            // the bias force is quadratic in the velocity: D a = −(c(v + a) − c(v) − c(a))
            self.sum.clear();
            self.sum.extend(data.qvel.iter().zip(&self.acc).map(|(v, a)| v + a));
            let velocities = [(&self.sum, -h, -h), (&data.qvel, h, h), (&self.acc, h, 0.0)];
            for (velocity, by_pos_factor, by_vel_factor) in velocities {
                self.motions.compute(model, data, blocks, velocity);
                let (motions, inertial) = (&self.motions, &mut self.inertial);
                inertial.compute(model, data, blocks, motions, velocity, &self.zeros, Vec3::ZERO);
                inertial.collect(model);
                let values = &mut self.values;
                inertial.for_each(model, data, blocks, motions, None, |i, k, by_pos, by_vel| {
                    values[i * width + k] += by_pos_factor * by_pos;
                    values[i * width + nv + k] += by_vel_factor * by_vel;
                });
            }
        }
        Ok(())
    }

    /// Factorises the matrix of the integrator.
    fn factor(&mut self, model: &Model, data: &mut Data, integrator: Integrator) {
        let h = model.opt.timestep;
        let covers = match integrator {
            Integrator::Implicit => Some(Covers::ForcesAndBias),
            Integrator::ImplicitFast | Integrator::Discrete => Some(Covers::Forces),
            Integrator::Euler | Integrator::Rk4 => None,
        };
        if let Some(covers) = covers {
            smooth_vel(model, data, covers);
        }
        let matrix = &mut self.matrix;
        matrix.clear(model.nv);
        for dof in 0..model.nv {
            for adr in model.m_row(dof) {
                let other = model.M_colind[adr] as usize;
                matrix.add(dof, other, data.M[adr]);
                if other != dof {
                    matrix.add(other, dof, data.M[adr]);
                }
            }
            if covers.is_some() {
                for adr in model.d_row(dof) {
                    matrix.add(dof, model.D_colind[adr] as usize, -h * data.qDeriv[adr]);
                }
            } else {
                matrix.add(dof, dof, h * model.dof_damping[dof]);
            }
        }
        if integrator == Integrator::Discrete {
            self.add_springs(model, data);
        }
        if integrator == Integrator::Implicit {
            self.matrix.factor_general();
        } else {
            self.matrix.factor_symmetric();
        }
    }

    /// Adds stiffness, and damping that couples branches, to the matrix of `discrete`.
    fn add_springs(&mut self, model: &Model, data: &Data) {
        let h = model.opt.timestep;
        if !model.disabled(Disable::Spring) {
            for dof in 0..model.nv {
                let stiffness = model.jnt_stiffness[model.dof_jntid[dof] as usize];
                self.matrix.add(dof, dof, h * h * stiffness);
            }
        }
        for tendon in 0..model.ntendon {
            let ((_, stiffness), damping) = tendon_spring(model, data, tendon);
            for (i, a) in model.tendon_row(data, tendon) {
                for (j, b) in model.tendon_row(data, tendon) {
                    let inside = on_one_chain(model, i, j);
                    let coupling = h * h * stiffness + if inside { 0.0 } else { h * damping };
                    self.matrix.add(i, j, coupling * a * b);
                }
            }
        }
    }

    /// Subtracts `h K v` from the force of `discrete`.
    fn subtract_spring_rates(&mut self, model: &Model, data: &Data) {
        let h = model.opt.timestep;
        if !model.disabled(Disable::Spring) {
            for dof in 0..model.nv {
                let stiffness = model.jnt_stiffness[model.dof_jntid[dof] as usize];
                self.acc[dof] -= h * stiffness * data.qvel[dof];
            }
        }
        for tendon in 0..model.ntendon {
            let ((_, stiffness), _) = tendon_spring(model, data, tendon);
            for (i, a) in model.tendon_row(data, tendon) {
                self.acc[i] -= h * stiffness * a * data.ten_velocity[tendon];
            }
        }
    }

    /// Adds `h (∂D) a`, of actuators and dampers of tendons, and what `discrete` adds to it.
    fn slopes(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        integrator: Integrator,
    ) -> Result<(), DerivativeError> {
        let (nv, h) = (model.nv, model.opt.timestep);
        let width = acceleration.system.width;
        for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
            if response.slope == 0.0 && response.slope_by == [0.0; 4] {
                continue;
            }
            let fixed = match TrnType::from_i32(model.actuator_trntype[actuator]) {
                Some(TrnType::Joint) => true,
                Some(TrnType::Tendon) => {
                    is_fixed(model, model.actuator_trnid[actuator][0] as usize)
                }
                _ => false,
            };
            if !fixed {
                let what = "an implicit integrator with an actuator that depends on velocity and \
                            whose moment arm moves";
                return Err(DerivativeError::Unsupported(what.into()));
            }
            let row = model.moment_row(data, actuator);
            let entries = || {
                row.clone().map(|adr| (data.moment_colind[adr] as usize, data.actuator_moment[adr]))
            };
            let [by_length, by_velocity, by_act, by_ctrl] = response.slope_by;
            if response.slope_by == [0.0; 4] {
                continue;
            }
            for (i, arm) in entries() {
                let base: f64 = entries()
                    .filter(|&(j, _)| on_one_chain(model, i, j))
                    .map(|(j, other)| other * self.acc[j])
                    .sum();
                let base = h * arm * base;
                let out = &mut self.values[i * width..(i + 1) * width];
                for (k, other) in entries() {
                    out[k] += base * by_length * other;
                    out[nv + k] += base * by_velocity * other;
                }
                if let Some(act) = response.act {
                    out[2 * nv + act] += base * by_act;
                }
                out[2 * nv + model.na + actuator] += base * by_ctrl;
            }
        }
        for tendon in 0..model.ntendon {
            let ((_, stiffness), damping) = tendon_spring(model, data, tendon);
            let stiff = integrator == Integrator::Discrete && stiffness != 0.0;
            if !is_fixed(model, tendon) && (damping != 0.0 || stiff) {
                let what = "an implicit integrator with a damped spatial tendon";
                return Err(DerivativeError::Unsupported(what.into()));
            }
            if stiff {
                // −h K v
                for (i, a) in model.tendon_row(data, tendon) {
                    for (k, b) in model.tendon_row(data, tendon) {
                        self.values[i * width + nv + k] -= h * stiffness * a * b;
                    }
                }
            }
        }
        if integrator == Integrator::Discrete && !model.disabled(Disable::Spring) {
            for dof in 0..nv {
                let stiffness = model.jnt_stiffness[model.dof_jntid[dof] as usize];
                self.values[dof * width + nv + dof] -= h * stiffness;
            }
        }
        Ok(())
    }
}

/// Whether a tendon is a sum of joints.
fn is_fixed(model: &Model, tendon: usize) -> bool {
    model.wrap_type[model.tendon_adr[tendon] as usize] == WrapType::Joint as i32
}

/// Whether one of two dofs moves the other.
fn on_one_chain(model: &Model, i: usize, j: usize) -> bool {
    let (low, high) = (i.min(j), i.max(j));
    std::iter::successors(Some(high), |&dof| model.dof_parent(dof)).any(|dof| dof == low)
}

/// Adds `factor` times a row of `from` to one of `to`.
#[inline]
fn add_scaled(to: &mut [f64], from: &[f64], width: usize, i: usize, j: usize, factor: f64) {
    let (to, from) = (&mut to[i * width..(i + 1) * width], &from[j * width..(j + 1) * width]);
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Writes `A` and `B` from the derivatives of the acceleration over the step.
fn write(
    model: &Model,
    acceleration: &Acceleration,
    integral: &Integral,
    data: &Data,
    a: &mut Vec<f64>,
    b: &mut Vec<f64>,
) {
    let (nv, na, nu, h) = (model.nv, model.na, model.nu, model.opt.timestep);
    let n = 2 * nv + na;
    a.resize(n * n, 0.0);
    b.resize(n * nu, 0.0);
    let values = if integral.implicit { &integral.values } else { &acceleration.system.values };
    let width = acceleration.system.width;

    // velocities
    let (a_pos, a_rest) = a.split_at_mut(nv * n);
    let (a_vel, a_act) = a_rest.split_at_mut(nv * n);
    let (b_pos, b_rest) = b.split_at_mut(nv * nu);
    let (b_vel, b_act) = b_rest.split_at_mut(nv * nu);
    for dof in 0..nv {
        let row = &values[dof * width..(dof + 1) * width];
        let out = &mut a_vel[dof * n..(dof + 1) * n];
        out.iter_mut().zip(row).for_each(|(out, value)| *out = h * value);
        out[nv + dof] += 1.0;
        let out = &mut b_vel[dof * nu..(dof + 1) * nu];
        out.iter_mut().zip(&row[n..]).for_each(|(out, value)| *out = h * value);
    }

    // positions move with the new velocities
    for jnt in 0..model.njnt {
        let first = model.jnt_dofadr[jnt] as usize;
        let kind = model.jnt_kind(jnt);
        let scalars = match kind {
            JointType::Free => 3,
            JointType::Ball => 0,
            JointType::Slide | JointType::Hinge => 1,
        };
        for dof in first..first + scalars {
            let (out, from) = (&mut a_pos[dof * n..(dof + 1) * n], &a_vel[dof * n..(dof + 1) * n]);
            out.iter_mut().zip(from).for_each(|(out, from)| *out = h * from);
            out[dof] += 1.0;
            let rows = dof * nu..(dof + 1) * nu;
            let (out, from) = (&mut b_pos[rows.clone()], &b_vel[rows]);
            out.iter_mut().zip(from).for_each(|(out, from)| *out = h * from);
        }
        if let JointType::Slide | JointType::Hinge = kind {
            continue;
        }
        let dof = first + scalars;
        let next = |i: usize| data.qvel[dof + i] + h * integral.acc[dof + i];
        let turn = quat_integrate(Vec3::new(next(0), next(1), next(2)), h);
        mix(&mut a_pos[dof * n..(dof + 3) * n], &a_vel[dof * n..(dof + 3) * n], n, turn.by_vel, h);
        mix(
            &mut b_pos[dof * nu..(dof + 3) * nu],
            &b_vel[dof * nu..(dof + 3) * nu],
            nu,
            turn.by_vel,
            h,
        );
        for i in 0..3 {
            for k in 0..3 {
                a_pos[(dof + i) * n + dof + k] += turn.by_quat[(i, k)];
            }
        }
    }

    // activations
    a_act.fill(0.0);
    b_act.fill(0.0);
    (0..na).for_each(|act| a_act[act * n + 2 * nv + act] = 1.0);
    for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
        if let Some(act) = response.act {
            a_act[act * n + 2 * nv + act] = response.next_by_act;
            b_act[act * nu + actuator] = response.next_by_ctrl;
        }
    }
}
