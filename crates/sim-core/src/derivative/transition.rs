//! The exact derivative of a step.

use std::ops::Range;

use super::DerivativeError;
use super::acceleration::{Acceleration, clear, tendon_spring};
use super::actuator::has_constant_arms;
use super::adjoint::Adjoint;
use super::fluid::box_by_velocity_twice;
use super::linear::Factors;
use super::parameter::{Field, Parameter, any_damping};
use super::quat::quat_integrate;
use super::runge_kutta::{RungeKutta, mix};
use super::sensitivity::implicit_by;
use super::sensor::Sensors;
use super::system::System;
use super::tendon::Tendons;
use super::tree::{Inertial, Motions, TreeGradient, add_turning, body_accelerations};
use super::{Covers, smooth_vel};
use crate::integrate::{factor_damped, factor_implicit_fast};
use crate::math::{Force, Motion, Vec3, axpy, solve_ldl_of};
use crate::model::{Disable, Enable, Integrator, JointType, TrnType, WrapType};
use crate::smooth::dof_chain;
use crate::{Data, Model};

/// The derivative of a step by state and control, with everything that its computation needs. It may
/// be used for any model; nothing is allocated when it is used again for the same.
///
/// ```text
/// x⁺ = A x + B u + P p        s = C x + D u        x = (tangent of qpos, qvel, act)
/// ```
#[derive(Debug, Clone, Default)]
pub struct Transition {
    /// The matrix `A`, by rows.
    pub a: Vec<f64>,
    /// The matrix `B`, by rows.
    pub b: Vec<f64>,
    /// Whether derivatives of sensors are wanted.
    pub sensors: bool,
    /// The derivative `C` of sensors by the state, by rows.
    pub c: Vec<f64>,
    /// The derivative `D` of sensors by the control, by rows.
    pub d: Vec<f64>,
    /// What else the step is differentiated by.
    pub parameters: Vec<Parameter>,
    /// The derivative by the parameters, by rows.
    pub p: Vec<f64>,
    pub(super) acceleration: Acceleration,
    pub(super) integral: Integral,
    runge_kutta: RungeKutta,
    sensor: Sensors,
    pub(super) adjoint: Adjoint,
}

/// What [`transition`] has to say about how far its result can be trusted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Smoothness {
    /// Contacts that push and whose point and normal move in a way that is only approximately known:
    /// those of convex pairs that are found by iteration, parallel edges and faces.
    pub approximate_contacts: usize,
    /// How much the acceleration along a constraint row may change before its force takes another
    /// branch: a contact lets go or begins to slide, dry friction gives way. Infinite if there are
    /// no such rows.
    pub nearest_border: f64,
    /// How far the distance of a contact is from where the contact appears or vanishes. Geoms that
    /// are further apart than their margin are not seen. Infinite without contacts.
    pub nearest_contact: f64,
    /// How far the point of a contact that pushes is from where another feature of a geom (a vertex, an
    /// edge, a side) would be met. Infinite where only one can be.
    pub nearest_feature: f64,
}

impl Smoothness {
    /// The worse of two.
    pub(super) fn and(self, other: Smoothness) -> Smoothness {
        Smoothness {
            approximate_contacts: self.approximate_contacts.max(other.approximate_contacts),
            nearest_border: self.nearest_border.min(other.nearest_border),
            nearest_contact: self.nearest_contact.min(other.nearest_contact),
            nearest_feature: self.nearest_feature.min(other.nearest_feature),
        }
    }
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
    let Transition {
        a,
        b,
        c,
        d,
        p,
        parameters,
        sensors,
        acceleration,
        integral,
        runge_kutta,
        sensor,
        ..
    } = out;
    super::parameter::check(model, parameters)?;
    if model.opt.integrator == Integrator::Rk4 as i32 {
        if *sensors {
            // sensors see the state before the step
            acceleration.compute(model, data, &[])?;
            sensor.compute(model, data, acceleration, [c, d])?;
        }
        return runge_kutta.compute(model, data, acceleration, parameters, [a, b, p]);
    }
    acceleration.respond(model, data)?;
    integral.prepare(model, data, parameters, SolvedFor::Columns)?;
    let merged = integral.merges(acceleration, parameters) && !*sensors;
    let acc = if merged { &integral.acc } else { &data.qacc };
    acceleration.assemble(model, data, acc, parameters)?;
    integral.assemble(model, data, acceleration, parameters, merged)?;
    if !merged {
        acceleration.solve(model, data);
    }
    if *sensors {
        sensor.compute(model, data, acceleration, [c, d])?;
    }
    integral.solve(model, data, acceleration, merged);
    write(model, acceleration, integral, data, parameters, [a, b, p]);
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
    // that of a sum of joints is constant
    let moves = |tendon| model.tendon_armature[tendon] != 0.0 && !is_fixed(model, tendon);
    if (0..model.ntendon).any(moves) {
        return unsupported("the armature of a tendon through sites");
    }
    Ok(())
}

/// What the matrix of the integrator is solved for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SolvedFor {
    Columns,
    /// Single vectors, for which the factor in `data.qH` serves, where there is one.
    Vectors,
}

/// The acceleration over a step that the integrator makes of `qacc`, and its derivatives.
#[derive(Debug, Clone)]
pub(super) struct Integral {
    pub(super) acc: Vec<f64>,
    /// Derivatives, laid out as those of the acceleration; unused if the integrator takes that.
    pub(super) system: System,
    pub(super) implicit: bool,
    integrator: Integrator,
    pub(super) matrix: Factors,
    /// Whether the factor is also that in `data.qH`.
    in_data: bool,
    /// Entries that the matrix has beyond those of `M`.
    pub(super) added: Vec<(usize, usize, f64)>,
    /// 1 for dofs where these are larger than `M`, else 0.
    stiff: Vec<f64>,
    biases: Biases,
    cables: Cables,
    motions: Motions,
    inertial: Inertial,
    body_acc: Vec<Motion>,
    column: Vec<f64>,
}

/// What the matrix of the integrator, times the acceleration over the step, contributes through inertia:
/// `(∂M) (qacc − a)`, unless that is [merged](Integral::merges), and with `implicit` also
/// `D a = −(c(v + a) − c(v) − c(a))`, since the bias force is quadratic in the velocity. A sum of inverse
/// dynamics.
#[derive(Debug, Clone, Default)]
struct Biases {
    difference: Vec<f64>,
    zeros: Vec<f64>,
    sum: Vec<f64>,
    range: Range<usize>,
}

impl Biases {
    fn compute(&mut self, data: &Data, acc: &[f64], integrator: Integrator, merged: bool) {
        let Biases { difference, zeros, sum, range } = self;
        difference.clear();
        difference.extend(data.qacc.iter().zip(acc).map(|(a, b)| a - b));
        *range = usize::from(merged)..1;
        if integrator == Integrator::Implicit {
            clear(zeros, acc.len(), 0.0);
            sum.clear();
            sum.extend(data.qvel.iter().zip(acc).map(|(v, a)| v + a));
            range.end = 4;
        }
    }

    /// Velocity, if there is any, and acceleration of the terms, and the factors of their derivatives by
    /// position and velocity.
    fn terms<'a>(
        &'a self,
        data: &'a Data,
        acc: &'a [f64],
        h: f64,
    ) -> impl Iterator<Item = (Option<&'a [f64]>, &'a [f64], (f64, f64))> {
        let zeros = &self.zeros[..];
        [
            (None, &self.difference[..], (1.0, 0.0)),
            (Some(&self.sum[..]), zeros, (-h, -h)),
            (Some(&data.qvel[..]), zeros, (h, h)),
            (Some(acc), zeros, (h, 0.0)),
        ]
        .into_iter()
        .take(self.range.end)
        .skip(self.range.start)
    }
}

/// Forces along tendons through sites that the matrix of the integrator contributes, and how they change.
#[derive(Debug, Clone, Default)]
struct Cables {
    tendons: Tendons,
    /// Factors of `J a` and `J v` in the force, by tendon.
    factors: Vec<[f64; 2]>,
    forces: Vec<f64>,
    /// The forces as wrenches on bodies.
    wrenches: Vec<Force>,
}

impl Default for Integral {
    fn default() -> Integral {
        Integral {
            acc: Vec::new(),
            system: System::default(),
            implicit: false,
            integrator: Integrator::Euler,
            matrix: Factors::default(),
            in_data: false,
            added: Vec::new(),
            stiff: Vec::new(),
            biases: Biases::default(),
            cables: Cables::default(),
            motions: Motions::default(),
            inertial: Inertial::default(),
            body_acc: Vec::new(),
            column: Vec::new(),
        }
    }
}

impl Integral {
    /// Computes the derivatives of the acceleration over the step, from those of `qacc`, or if these are
    /// [`merged`](Integral::merges) from those of forces. With `Ĥ = M + K`, and what the change of
    /// the matrix contributes, `e`:
    /// ```text
    /// Ĥ ∂a = M ∂qacc + e        Ĥ (∂a − Z ∂qacc) = M (1 − Z) ∂qacc − K Z ∂qacc + e
    /// ```
    /// `Z` selects the dofs where `K` is less than `M`: there, the product with `K`, which has few
    /// entries, takes the place of that with `M`. Elsewhere it would cancel.
    fn solve(&mut self, model: &Model, data: &Data, acceleration: &Acceleration, merged: bool) {
        if !self.implicit {
            return;
        }
        let Integral { system, matrix, added, stiff, .. } = self;
        let (from, width) = (&acceleration.system.values, system.width);
        let mut add = |i: usize, j: usize, factor: f64| {
            let row = &from[j * width..(j + 1) * width];
            axpy(&mut system.values[i * width..(i + 1) * width], factor, row);
        };
        if merged {
            (0..model.nv).for_each(|dof| add(dof, dof, 1.0));
            matrix.solve(&mut system.values, width);
            return;
        }
        clear(stiff, model.nv, 0.0);
        added.iter().for_each(|&(_, j, value)| stiff[j] += value.abs());
        for dof in 0..model.nv {
            let diagonal = data.M[(model.M_rowadr[dof] + model.M_rownnz[dof]) as usize - 1];
            stiff[dof] = if stiff[dof] > diagonal { 1.0 } else { 0.0 };
        }
        let is_stiff = |dof: usize| stiff[dof] != 0.0;
        let soft = added.iter().filter(|&&(_, j, _)| !is_stiff(j));
        soft.for_each(|&(i, j, value)| add(i, j, -value));
        for i in 0..model.nv {
            for adr in model.m_row(i) {
                let j = model.M_colind[adr] as usize;
                if is_stiff(j) {
                    add(i, j, data.M[adr]);
                }
                if i != j && is_stiff(i) {
                    add(j, i, data.M[adr]);
                }
            }
        }
        matrix.solve(&mut system.values, width);
        for dof in (0..model.nv).filter(|&dof| !is_stiff(dof)) {
            let row = dof * width..(dof + 1) * width;
            axpy(&mut system.values[row.clone()], 1.0, &from[row]);
        }
    }

    /// Whether inverse dynamics may be differentiated at the acceleration `a` over the step. If no row
    /// responds to the acceleration, `qacc` cancels, since inverse dynamics are linear in it:
    /// ```text
    /// Ĥ ∂a = M ∂qacc + (∂M) (qacc − a) + … = ∂τ − ∂ID(q, v, qacc) + (∂M) (qacc − a) + …
    ///      = ∂τ − ∂ID(q, v, a) + …
    /// ```
    pub(super) fn merges(&self, acceleration: &Acceleration, parameters: &[Parameter]) -> bool {
        self.implicit && parameters.is_empty() && !acceleration.responds()
    }

    /// Computes what the change of the matrix of the integrator contributes: `(∂M) (qacc − a) + h (∂D) a`,
    /// the former unless it is [`merged`](Integral::merges). Runs after [`prepare`](Integral::prepare).
    fn assemble(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        parameters: &[Parameter],
        merged: bool,
    ) -> Result<(), DerivativeError> {
        if !self.implicit {
            return Ok(());
        }
        self.system.clear(model.nv, model.na, model.nu, parameters.len());
        let blocks = &acceleration.blocks;
        let Integral { acc, system, biases, motions, inertial, column: zeros, .. } = self;
        clear(zeros, model.nv, 0.0);
        biases.compute(data, acc, self.integrator, merged);
        for (velocity, acc, factors) in biases.terms(data, acc, model.opt.timestep) {
            let velocity = velocity.unwrap_or(zeros);
            motions.compute(model, data, blocks, velocity);
            inertial.compute(model, data, blocks, motions, velocity, acc, Vec3::ZERO);
            inertial.collect(model);
            inertial.add_to(model, data, blocks, motions, None, factors, system);
        }
        self.add_forces(model, data, acceleration, parameters)
    }

    /// Adds the products of what [`assemble`](Integral::assemble) computes with a vector to the sum of
    /// the system. Runs after [`prepare`](Integral::prepare).
    pub(super) fn add_gradient(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        parameters: &[Parameter],
        weight: &[f64],
        merged: bool,
        gradient: &mut TreeGradient,
    ) -> Result<(), DerivativeError> {
        self.system.clear_sum(model.nv, model.na, model.nu, parameters.len(), weight);
        let blocks = &acceleration.blocks;
        let Integral { acc, system, biases, motions, body_acc, .. } = self;
        biases.compute(data, acc, self.integrator, merged);
        for (velocity, acc, (by_pos, by_vel)) in biases.terms(data, acc, model.opt.timestep) {
            if let Some(velocity) = velocity {
                motions.compute(model, data, blocks, velocity);
            }
            let vel = velocity.map(|velocity| (&*motions, velocity));
            body_accelerations(model, data, acc, vel, Vec3::ZERO, body_acc);
            gradient.clear(model, data, weight);
            gradient.add_inertial(model, data, body_acc, vel.map(|(vel, _)| &vel.body[..]));
            let factors = (-by_pos, -by_vel);
            gradient.add_to(model, data, blocks, (body_acc, acc), vel, factors, system.sums());
        }
        self.add_forces(model, data, acceleration, parameters)
    }

    /// Computes the acceleration over the step, and factorises the matrix of the integrator.
    pub(super) fn prepare(
        &mut self,
        model: &Model,
        data: &mut Data,
        parameters: &[Parameter],
        wanted: SolvedFor,
    ) -> Result<(), DerivativeError> {
        let integrator = Integrator::from_i32(model.opt.integrator).unwrap_or(Integrator::Euler);
        let damped = !model.disabled(Disable::EulerDamp)
            && !model.disabled(Disable::Damper)
            && model.dof_damping.iter().any(|&damping| damping > 0.0);
        self.implicit = integrator != Integrator::Euler || damped || any_damping(model, parameters);
        self.integrator = integrator;
        self.acc.clone_from(&data.qacc);
        if !self.implicit {
            return Ok(());
        }
        let fluid = model.opt.density != 0.0 || model.opt.viscosity != 0.0;
        let ellipsoids = || model.geom_fluid.iter().any(|fluid| fluid[0] > 0.0);
        if fluid && integrator != Integrator::Euler && ellipsoids() {
            let what = "the medium around ellipsoids with an implicit integrator";
            return Err(DerivativeError::Unsupported(what.into()));
        }
        let tree = matches!(integrator, Integrator::Euler | Integrator::ImplicitFast);
        self.in_data = tree;
        self.factor(model, data, integrator, wanted);
        self.acc.clear();
        let forces = data.qfrc_smooth.iter().zip(&data.qfrc_constraint);
        self.acc.extend(forces.map(|(smooth, constraint)| smooth + constraint));
        if integrator == Integrator::Discrete {
            self.subtract_spring_rates(model, data);
        }
        let mut acc = std::mem::take(&mut self.acc);
        if self.in_data {
            self.solve_transposed(model, data, &mut acc);
        } else {
            self.matrix.solve_vector(&mut acc);
        }
        self.acc = acc;
        Ok(())
    }

    /// Solves the transposed system of the matrix for one right-hand side in place.
    pub(super) fn solve_transposed(&self, model: &Model, data: &Data, x: &mut [f64]) {
        if self.in_data {
            let plan = data.cache.inertia.get(model);
            solve_ldl_of(x, &data.qH, &data.qHDiagInv, model.m_pattern(&plan), |_| true);
        } else {
            self.matrix.solve_transposed(x);
        }
    }

    /// Adds what forces of actuators and tendons, and parameters, contribute.
    fn add_forces(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        parameters: &[Parameter],
    ) -> Result<(), DerivativeError> {
        if self.integrator != Integrator::Euler {
            self.slopes(model, data, acceleration, self.integrator)?;
            self.medium(model, data, acceleration);
        }
        for (at, &parameter) in parameters.iter().enumerate() {
            clear(&mut self.column, model.nv, 0.0);
            let (acc, column) = (&self.acc, &mut self.column);
            implicit_by(model, data, acceleration, self.integrator, parameter, acc, column);
            if parameter.field == Field::Wind && self.integrator != Integrator::Euler {
                self.add_wind(model, data, parameter.index);
            }
            self.system.add_parameter(at, &self.column);
        }
        Ok(())
    }

    /// Factorises the matrix of the integrator; where that has the pattern of `M`, as the integrator does.
    fn factor(
        &mut self,
        model: &Model,
        data: &mut Data,
        integrator: Integrator,
        wanted: SolvedFor,
    ) {
        let h = model.opt.timestep;
        let covers = match integrator {
            Integrator::Implicit => Some(Covers::ForcesAndBias),
            Integrator::ImplicitFast | Integrator::Discrete => Some(Covers::Forces),
            Integrator::Euler | Integrator::Rk4 => None,
        };
        match covers {
            Some(_) if self.in_data => factor_implicit_fast(model, data),
            Some(covers) => smooth_vel(model, data, covers),
            None if self.in_data => factor_damped(model, data),
            None => {}
        }
        if self.in_data && wanted == SolvedFor::Vectors {
            return;
        }
        let added = &mut self.added;
        added.clear();
        for dof in 0..model.nv {
            if covers.is_some() {
                let row = model.d_row(dof).filter(|&adr| data.qDeriv[adr] != 0.0);
                added.extend(
                    row.map(|adr| (dof, model.D_colind[adr] as usize, -h * data.qDeriv[adr])),
                );
            } else if model.dof_damping[dof] != 0.0 {
                added.push((dof, dof, h * model.dof_damping[dof]));
            }
        }
        if integrator == Integrator::Discrete {
            self.add_springs(model, data);
        }
        let Integral { matrix, added, .. } = self;
        if self.in_data {
            let row = |dof: usize| {
                let start = model.M_rowadr[dof] as usize;
                let entries = start..start + model.M_rownnz[dof] as usize - 1;
                (&model.M_colind[entries.clone()], &data.qH[entries])
            };
            return matrix.load(row, &data.qHDiagInv[..model.nv]);
        }
        matrix.clear(model.nv);
        for dof in 0..model.nv {
            for adr in model.m_row(dof) {
                let other = model.M_colind[adr] as usize;
                matrix.add(dof, other, data.M[adr]);
                if other != dof {
                    matrix.add(other, dof, data.M[adr]);
                }
            }
        }
        added.iter().for_each(|&(i, j, value)| matrix.add(i, j, value));
        if integrator == Integrator::Implicit {
            matrix.factor_general();
        } else {
            matrix.factor_symmetric();
        }
    }

    /// Adds stiffness, and damping that couples branches, to the matrix of `discrete`.
    fn add_springs(&mut self, model: &Model, data: &Data) {
        let h = model.opt.timestep;
        if !model.disabled(Disable::Spring) {
            for dof in 0..model.nv {
                let stiffness = model.jnt_stiffness[model.dof_jntid[dof] as usize];
                if stiffness != 0.0 {
                    self.added.push((dof, dof, h * h * stiffness));
                }
            }
        }
        for tendon in 0..model.ntendon {
            let ((_, stiffness), damping) = tendon_spring(model, data, tendon);
            for (i, a) in model.tendon_row(data, tendon) {
                for (j, b) in model.tendon_row(data, tendon) {
                    let inside = on_one_chain(model, i, j);
                    let coupling = h * h * stiffness + if inside { 0.0 } else { h * damping };
                    if coupling != 0.0 {
                        self.added.push((i, j, coupling * a * b));
                    }
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
        let h = model.opt.timestep;
        for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
            if response.slope == 0.0 && response.slope_by == [0.0; 4] {
                continue;
            }
            let kind = TrnType::from_i32(model.actuator_trntype[actuator]);
            let known = matches!(kind, Some(TrnType::Joint | TrnType::Tendon));
            if !known && !has_constant_arms(model, actuator) {
                let what = "an implicit integrator with an actuator that depends on velocity, not at \
                            a joint or tendon";
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
            clear(&mut self.column, model.nv, 0.0);
            let factors = (by_length, by_velocity);
            acceleration.actuators.add_slopes(model, data, actuator, factors, &mut self.column);
            for (i, arm) in entries() {
                let base: f64 = entries()
                    .filter(|&(j, _)| on_one_chain(model, i, j))
                    .map(|(j, other)| other * self.acc[j])
                    .sum();
                let base = h * arm * base;
                self.system.pos(i).add_all(base, &self.column);
                for (k, other) in entries() {
                    self.system.vel(i).add(k, base * by_velocity * other);
                }
                if let Some(act) = response.act {
                    self.system.act(i).add(act, base * by_act);
                }
                self.system.ctrl(i).add(actuator, base * by_ctrl);
            }
        }
        for tendon in 0..model.ntendon {
            let ((_, stiffness), _) = tendon_spring(model, data, tendon);
            if integrator == Integrator::Discrete && stiffness != 0.0 {
                // −h K v
                for (i, a) in model.tendon_row(data, tendon) {
                    for (k, b) in model.tendon_row(data, tendon) {
                        self.system.vel(i).add(k, -(h * stiffness * a * b));
                    }
                }
            }
        }
        if integrator == Integrator::Discrete && !model.disabled(Disable::Spring) {
            for dof in 0..model.nv {
                let stiffness = model.jnt_stiffness[model.dof_jntid[dof] as usize];
                self.system.vel(dof).add(dof, -(h * stiffness));
            }
        }
        self.cables(model, data, acceleration, integrator)
    }

    /// Adds what follows from the change of the Jacobians `J` of tendons through sites. With a force
    /// `f = x J a + y J v`, where `x` is `h` times the derivative of the tendon's force by velocity, less
    /// what `discrete` adds to the matrix,
    /// ```text
    /// ∂(Jᵀ f) = (∂Jᵀ) f + Jᵀ (x (∂J) a + y (∂J) v)
    /// ```
    fn cables(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        integrator: Integrator,
    ) -> Result<(), DerivativeError> {
        let h = model.opt.timestep;
        let Integral { acc, system, cables, motions, .. } = self;
        let Cables { tendons, factors, forces, wrenches } = cables;
        let is_discrete = integrator == Integrator::Discrete;
        clear(factors, model.ntendon, [0.0; 2]);
        for tendon in (0..model.ntendon).filter(|&tendon| !is_fixed(model, tendon)) {
            let ((_, stiffness), damping) = tendon_spring(model, data, tendon);
            let stiffness = if is_discrete { stiffness } else { 0.0 };
            let on = |&actuator: &usize| {
                model.actuator_trntype[actuator] == TrnType::Tendon as i32
                    && model.actuator_trnid[actuator][0] as usize == tendon
            };
            let slope = |actuator: usize| {
                let gear = model.actuator_gear[actuator][0];
                gear * gear * acceleration.actuators.responses[actuator].slope
            };
            let driven: f64 = (0..model.nu).filter(on).map(slope).sum();
            factors[tendon] = [h * (driven - damping) - h * h * stiffness, -(h * stiffness)];
            // products of dofs in two branches are not in the matrix, but for dampers in `discrete`
            let dofs = || model.tendon_row(data, tendon).filter(|&(_, arm)| arm != 0.0);
            let last = dofs().map(|(dof, _)| dof).max().unwrap_or(0);
            let masked = driven != 0.0 || damping != 0.0 && !is_discrete;
            if masked && dofs().any(|(dof, _)| !on_one_chain(model, dof, last)) {
                let what = "an implicit integrator with a tendon through sites of several branches \
                            whose force depends on velocity";
                return Err(DerivativeError::Unsupported(what.into()));
            }
        }
        if factors.iter().all(|&factors| factors == [0.0; 2]) {
            return Ok(());
        }
        forces.clear();
        forces.extend(factors.iter().enumerate().map(|(tendon, [x, y])| {
            let rate: f64 = model.tendon_row(data, tendon).map(|(dof, arm)| arm * acc[dof]).sum();
            x * rate + y * data.ten_velocity[tendon]
        }));
        clear(wrenches, model.nbody, Force::ZERO);
        motions.compute(model, data, &acceleration.blocks, acc);
        let moving = (&*motions, &acceleration.vel);
        tendons.compute(model, data, moving, forces, system, wrenches);
        for (body, &wrench) in wrenches.iter().enumerate().skip(1) {
            add_turning(model, data, &acceleration.blocks, (body, wrench), |_| true, system);
        }
        for (tendon, &[x, y]) in factors.iter().enumerate() {
            for (i, arm) in model.tendon_row(data, tendon).filter(|&(_, arm)| arm != 0.0) {
                let mut row = system.pos(i);
                row.add_all(arm * x, tendons.by_acc(tendon));
                row.add_all(arm * y, tendons.by_vel(tendon));
            }
        }
        Ok(())
    }
}

impl Integral {
    /// Adds `h (∂D) a` of the medium. The wrench `Φ A` on a body, with the derivative `Φ` of the drag by
    /// velocity and the motion `A` of the body at joint rates `a`, rides along with the body; `A` and
    /// the velocity in `Φ` change as motions do.
    fn medium(&mut self, model: &Model, data: &Data, acceleration: &Acceleration) {
        if !has_medium(model) {
            return;
        }
        let h = model.opt.timestep;
        let blocks = &acceleration.blocks;
        self.motions.compute(model, data, blocks, &self.acc);
        let (motions, system, vel) = (&self.motions, &mut self.system, &acceleration.vel);
        let wind = Motion::linear(model.opt.wind);
        box_by_velocity_twice(model, data, motions, |body, once, twice| {
            let wrench = &once * motions.body[body];
            for k in dof_chain(model, body) {
                let axis = data.cdof[k];
                let moved = &once * motions.rate[k] + &twice * (vel.rate[k] + axis.cross(wind));
                let (carried, faster) = (axis.cross_force(wrench), &twice * axis);
                for i in dof_chain(model, body) {
                    let mut by_pos = data.cdof[i].dot(moved);
                    if blocks[i] < blocks[k] {
                        by_pos += data.cdof[i].dot(carried);
                    }
                    system.pos(i).add(k, h * by_pos);
                    system.vel(i).add(k, h * data.cdof[i].dot(faster));
                }
            }
        });
    }
}

impl Integral {
    /// Adds the derivative of `h D a` of the medium by a component of the wind to the column. Runs
    /// after [`medium`](Integral::medium), which leaves the motions of `a`.
    fn add_wind(&mut self, model: &Model, data: &Data, index: usize) {
        if !has_medium(model) {
            return;
        }
        let h = model.opt.timestep;
        let wind = Motion::linear([Vec3::X, Vec3::Y, Vec3::Z][index]);
        let Integral { motions, column, .. } = self;
        box_by_velocity_twice(model, data, motions, |body, _, twice| {
            let force = &twice * wind;
            dof_chain(model, body).for_each(|dof| column[dof] -= h * data.cdof[dof].dot(force));
        });
    }
}

/// Whether forces of a medium act.
pub(super) fn has_medium(model: &Model) -> bool {
    let passive = !(model.disabled(Disable::Spring) && model.disabled(Disable::Damper));
    passive && (model.opt.density != 0.0 || model.opt.viscosity != 0.0)
}

/// Whether a tendon is a sum of joints.
fn is_fixed(model: &Model, tendon: usize) -> bool {
    model.wrap_type[model.tendon_adr[tendon] as usize] == WrapType::Joint as i32
}

/// Whether one of two dofs moves the other.
pub(super) fn on_one_chain(model: &Model, i: usize, j: usize) -> bool {
    let (low, high) = (i.min(j), i.max(j));
    std::iter::successors(Some(high), |&dof| model.dof_parent(dof)).any(|dof| dof == low)
}

/// Writes `A` and `B` from the derivatives of the acceleration over the step.
fn write(
    model: &Model,
    acceleration: &Acceleration,
    integral: &Integral,
    data: &Data,
    parameters: &[Parameter],
    [a, b, p]: [&mut Vec<f64>; 3],
) {
    let (nv, na, nu, h) = (model.nv, model.na, model.nu, model.opt.timestep);
    let n = 2 * nv + na;
    a.resize(n * n, 0.0);
    b.resize(n * nu, 0.0);
    write_parameters(model, acceleration, integral, data, parameters, p);
    let values =
        if integral.implicit { &integral.system.values } else { &acceleration.system.values };
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

/// Writes the derivative by parameters.
fn write_parameters(
    model: &Model,
    acceleration: &Acceleration,
    integral: &Integral,
    data: &Data,
    parameters: &[Parameter],
    out: &mut Vec<f64>,
) {
    let (nv, na, nu, h) = (model.nv, model.na, model.nu, model.opt.timestep);
    let (n, np) = (2 * nv + na, parameters.len());
    clear(out, n * np, 0.0);
    if np == 0 {
        return;
    }
    let values =
        if integral.implicit { &integral.system.values } else { &acceleration.system.values };
    let width = acceleration.system.width;
    let (pos, rest) = out.split_at_mut(nv * np);
    let (vel, act) = rest.split_at_mut(nv * np);
    for dof in 0..nv {
        let row = &values[dof * width + n + nu..][..np];
        let out = &mut vel[dof * np..(dof + 1) * np];
        out.iter_mut().zip(row).for_each(|(out, value)| *out = h * value);
    }
    // with the step, velocities and positions go on as they did
    let steps = || (0..np).filter(|&at| parameters[at].field == Field::Timestep);
    for at in steps() {
        (0..nv).for_each(|dof| vel[dof * np + at] += integral.acc[dof]);
        for response in &acceleration.actuators.responses {
            if let Some(id) = response.act {
                act[id * np + at] = response.next_by_time;
            }
        }
    }
    let next = |dof: usize| data.qvel[dof] + h * integral.acc[dof];
    let moved = |vel: &[f64], dof: usize, at: usize| {
        let further = if parameters[at].field == Field::Timestep { next(dof) } else { 0.0 };
        h * vel[dof * np + at] + further
    };
    for dof in 0..nv {
        (0..np).for_each(|at| pos[dof * np + at] = moved(vel, dof, at));
    }
    for jnt in 0..model.njnt {
        let dof = match model.jnt_kind(jnt) {
            JointType::Free => model.jnt_dofadr[jnt] as usize + 3,
            JointType::Ball => model.jnt_dofadr[jnt] as usize,
            JointType::Slide | JointType::Hinge => continue,
        };
        let turn = quat_integrate(Vec3::new(next(dof), next(dof + 1), next(dof + 2)), h);
        for at in 0..np {
            let by = |i: usize| moved(vel, dof + i, at);
            let turned = turn.by_vel * Vec3::new(by(0), by(1), by(2));
            (0..3).for_each(|i| pos[(dof + i) * np + at] = turned[i]);
        }
    }
}
