//! Finite differences of a step and of inverse dynamics, as the reference takes them.

use super::DerivativeError;
use crate::actuation::fwd_actuation;
use crate::callbacks::{Callbacks, NoCallbacks};
use crate::forward::{forward_with, inverse_again, inverse_with, step_again};
use crate::integrate::{differentiate_pos, integrate_pos};
use crate::model::{Disable, Integrator, Stage, State};
use crate::smooth::legacy_m;
use crate::{Data, Model};

/// How differences are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// From the state onwards.
    Forward,
    /// On both sides of the state: twice the work, errors of second order.
    Centered,
}

/// Where the matrices of a transition go, by rows: `x⁺ = A x + B u`, `s = C x + D u`, with
/// `x = (tangent of qpos, qvel, act)`. Those that are absent are not computed.
#[derive(Debug, Default)]
#[allow(missing_docs)]
pub struct Matrices<'a> {
    pub a: Option<&'a mut [f64]>,
    pub b: Option<&'a mut [f64]>,
    pub c: Option<&'a mut [f64]>,
    pub d: Option<&'a mut [f64]>,
}

/// Scratch space of [`transition_fd`] and [`inverse_fd`]; it may be used for any model.
#[derive(Debug, Clone, Default)]
pub struct FdScratch {
    start: Vec<f64>,
    base: Outcome,
    plus: Outcome,
    minus: Outcome,
    column: Vec<f64>,
    tangent: Vec<f64>,
}

/// What a step arrives at: the next state, and sensors.
#[derive(Debug, Clone, Default)]
struct Outcome {
    state: Vec<f64>,
    sensors: Vec<f64>,
}

impl Outcome {
    fn read(&mut self, model: &Model, data: &Data, sensors: bool) {
        self.state.resize(model.state_size(State::Physics as u32), 0.0);
        data.get_state(model, State::Physics as u32, &mut self.state);
        if sensors {
            self.sensors.clone_from(&data.sensordata);
        }
    }
}

/// What is perturbed.
#[derive(Debug, Clone, Copy)]
enum Input {
    Ctrl(usize),
    Act(usize),
    Vel(usize),
    Pos(usize),
}

/// Computes the matrices of a transition by finite differences with step `eps`.
///
/// Perturbs controls, activations, velocities and positions, in this order, and computes anew what
/// the reference does: controls and activations leave the stages of position and velocity and
/// the factors of implicit integrators as they are, velocities those of position. A control is
/// perturbed within its range only; if that is impossible its column is zero. On return the state
/// is that at entry, and everything else follows from it.
#[doc(alias = "mjd_transitionFD")]
pub fn transition_fd(
    model: &Model,
    data: &mut Data,
    eps: f64,
    difference: Difference,
    out: Matrices<'_>,
    scratch: &mut FdScratch,
) -> Result<(), DerivativeError> {
    transition_fd_with(model, data, eps, difference, out, scratch, &mut NoCallbacks)
}

/// [`transition_fd`] with what the user adds to a step.
pub fn transition_fd_with(
    model: &Model,
    data: &mut Data,
    eps: f64,
    difference: Difference,
    out: Matrices<'_>,
    scratch: &mut FdScratch,
    user: &mut dyn Callbacks,
) -> Result<(), DerivativeError> {
    if model.opt.integrator == Integrator::Rk4 as i32 {
        return Err(DerivativeError::RungeKutta);
    }
    if model.nhistory > 0 {
        return Err(DerivativeError::Delays);
    }
    check_step(eps)?;

    let mut fd = Transition::new(model, data, eps, difference, out, scratch);
    fd.base(user);
    if fd.out.b.is_some() || fd.out.d.is_some() {
        (0..model.nu).for_each(|i| fd.differentiate(Input::Ctrl(i), user));
    }
    if fd.out.a.is_some() || fd.out.c.is_some() {
        (0..model.na).for_each(|i| fd.differentiate(Input::Act(i), user));
        (0..model.nv).for_each(|i| fd.differentiate(Input::Vel(i), user));
        (0..model.nv).for_each(|i| fd.differentiate(Input::Pos(i), user));
    }
    forward_with(model, data, user);
    Ok(())
}

fn check_step(eps: f64) -> Result<(), DerivativeError> {
    if eps.is_finite() && eps > 0.0 { Ok(()) } else { Err(DerivativeError::Step(eps)) }
}

/// One call of [`transition_fd`].
struct Transition<'a> {
    model: &'a Model,
    data: &'a mut Data,
    eps: f64,
    difference: Difference,
    out: Matrices<'a>,
    scratch: &'a mut FdScratch,
    /// Components of the state that every step starts from.
    spec: u32,
    sensors: bool,
}

impl<'a> Transition<'a> {
    fn new(
        model: &'a Model,
        data: &'a mut Data,
        eps: f64,
        difference: Difference,
        out: Matrices<'a>,
        scratch: &'a mut FdScratch,
    ) -> Transition<'a> {
        let mut spec = State::FullPhysics as u32 | State::User as u32 & !(State::Userdata as u32);
        if !model.disabled(Disable::WarmStart) {
            spec |= State::WarmStart as u32;
        }
        let sensors = out.c.is_some() || out.d.is_some();
        scratch.start.resize(model.state_size(spec), 0.0);
        data.get_state(model, spec, &mut scratch.start);
        scratch.column.resize(2 * model.nv + model.na, 0.0);
        scratch.tangent.clear();
        scratch.tangent.resize(model.nv, 0.0);
        Transition { model, data, eps, difference, out, scratch, spec, sensors }
    }

    /// The step that the others are compared with.
    fn base(&mut self, user: &mut dyn Callbacks) {
        step_again(self.model, self.data, Stage::None, self.sensors, user);
        self.scratch.base.read(self.model, self.data, self.sensors);
        self.restore();
    }

    fn restore(&mut self) {
        self.data.set_state(self.model, self.spec, &self.scratch.start);
    }

    /// Fills the columns of one input.
    fn differentiate(&mut self, input: Input, user: &mut dyn Callbacks) {
        let centered = self.difference == Difference::Centered;
        let forward = self.may_move(input, self.eps);
        let backward = (centered || !forward) && self.may_move(input, -self.eps);
        if forward {
            self.step_from(input, self.eps, user);
            self.scratch.plus.read(self.model, self.data, self.sensors);
            self.restore();
        }
        if backward {
            self.step_from(input, -self.eps, user);
            self.scratch.minus.read(self.model, self.data, self.sensors);
            self.restore();
        }
        self.write(input, forward, backward);
    }

    /// Whether a control stays in its range when `step` is added; other inputs have none.
    fn may_move(&self, input: Input, step: f64) -> bool {
        let Input::Ctrl(actuator) = input else { return true };
        let [low, high] = self.model.actuator_ctrlrange[actuator];
        let inside = |x: f64| (low..=high).contains(&x);
        let ctrl = self.data.ctrl[actuator];
        self.model.actuator_ctrllimited[actuator] == 0 || inside(ctrl) && inside(ctrl + step)
    }

    fn step_from(&mut self, input: Input, step: f64, user: &mut dyn Callbacks) {
        let data = &mut *self.data;
        let keep = match input {
            Input::Ctrl(i) => {
                data.ctrl[i] += step;
                Stage::Vel
            }
            Input::Act(i) => {
                data.act[i] += step;
                Stage::Vel
            }
            Input::Vel(i) => {
                data.qvel[i] += step;
                Stage::Pos
            }
            Input::Pos(i) => {
                self.scratch.tangent[i] = 1.0;
                integrate_pos(self.model, &mut data.qpos, &self.scratch.tangent, step);
                self.scratch.tangent[i] = 0.0;
                Stage::None
            }
        };
        step_again(self.model, data, keep, self.sensors, user);
    }

    fn write(&mut self, input: Input, forward: bool, backward: bool) {
        let FdScratch { base, plus, minus, column, .. } = &mut *self.scratch;
        let (from, to, step) = match (forward, backward) {
            (true, true) => (&*minus, &*plus, 2.0 * self.eps),
            (true, false) => (&*base, &*plus, self.eps),
            (false, true) => (&*minus, &*base, self.eps),
            (false, false) => (&*base, &*base, self.eps),
        };
        let (nv, na, nu) = (self.model.nv, self.model.na, self.model.nu);
        let (states, sensors, width, at) = match input {
            Input::Ctrl(i) => (&mut self.out.b, &mut self.out.d, nu, i),
            Input::Pos(i) => (&mut self.out.a, &mut self.out.c, 2 * nv + na, i),
            Input::Vel(i) => (&mut self.out.a, &mut self.out.c, 2 * nv + na, nv + i),
            Input::Act(i) => (&mut self.out.a, &mut self.out.c, 2 * nv + na, 2 * nv + i),
        };
        if let Some(matrix) = states {
            difference_states(self.model, column, &from.state, &to.state, step);
            write_column(matrix, width, at, column.iter().copied());
        }
        if let Some(matrix) = sensors {
            let inv = 1.0 / step;
            let slopes = to.sensors.iter().zip(&from.sensors).map(|(to, from)| inv * (to - from));
            write_column(matrix, width, at, slopes);
        }
    }
}

fn write_column(matrix: &mut [f64], width: usize, at: usize, values: impl Iterator<Item = f64>) {
    matrix.iter_mut().skip(at).step_by(width).zip(values).for_each(|(out, value)| *out = value);
}

/// Computes `out = (to − from) / step`; positions are subtracted in the tangent space.
fn difference_states(model: &Model, out: &mut [f64], from: &[f64], to: &[f64], step: f64) {
    let inv = 1.0 / step;
    let subtract = |out: &mut [f64], from: &[f64], to: &[f64]| {
        for (out, (from, to)) in out.iter_mut().zip(from.iter().zip(to)) {
            *out = inv * (to - from);
        }
    };
    let (pos, rest) = out.split_at_mut(model.nv);
    if model.nq == model.nv {
        subtract(pos, &from[..model.nq], &to[..model.nq]);
    } else {
        differentiate_pos(model, pos, step, from, to);
    }
    subtract(rest, &from[model.nq..], &to[model.nq..]);
}

/// Where the derivatives of inverse dynamics go. Rows are inputs: row `i` of `df_dq` has the change
/// of all forces with position `i`. Those that are absent are not computed.
#[derive(Debug, Default)]
pub struct InverseMatrices<'a> {
    /// Forces by position, velocity and acceleration, each `nv x nv`.
    pub df_dq: Option<&'a mut [f64]>,
    #[allow(missing_docs)]
    pub df_dv: Option<&'a mut [f64]>,
    #[allow(missing_docs)]
    pub df_da: Option<&'a mut [f64]>,
    /// Sensors by position, velocity and acceleration, each `nv x nsensordata`.
    pub ds_dq: Option<&'a mut [f64]>,
    #[allow(missing_docs)]
    pub ds_dv: Option<&'a mut [f64]>,
    #[allow(missing_docs)]
    pub ds_da: Option<&'a mut [f64]>,
    /// Mass matrix, as `qM`, by position, `nv x nM`.
    pub dm_dq: Option<&'a mut [f64]>,
}

/// Whether the forces of actuators are subtracted from those of inverse dynamics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actuation {
    /// They are part of `qfrc_inverse`.
    Left,
    /// They are subtracted.
    Subtracted,
}

/// Computes the derivatives of inverse dynamics at `qpos`, `qvel`, `qacc` by forward differences
/// with step `eps`: accelerations, velocities, then positions. On return everything follows from
/// the state at entry.
#[doc(alias = "mjd_inverseFD")]
pub fn inverse_fd(
    model: &Model,
    data: &mut Data,
    eps: f64,
    actuation: Actuation,
    out: InverseMatrices<'_>,
    scratch: &mut FdScratch,
) -> Result<(), DerivativeError> {
    inverse_fd_with(model, data, eps, actuation, out, scratch, &mut NoCallbacks)
}

/// [`inverse_fd`] with what the user adds.
pub fn inverse_fd_with(
    model: &Model,
    data: &mut Data,
    eps: f64,
    actuation: Actuation,
    mut out: InverseMatrices<'_>,
    scratch: &mut FdScratch,
    user: &mut dyn Callbacks,
) -> Result<(), DerivativeError> {
    if model.opt.integrator == Integrator::Rk4 as i32 {
        return Err(DerivativeError::RungeKutta);
    }
    if model.opt.noslip_iterations > 0 {
        return Err(DerivativeError::NoSlip);
    }
    check_step(eps)?;
    let (nv, ns) = (model.nv, model.nsensordata);
    let sensors = out.ds_dq.is_some() || out.ds_dv.is_some() || out.ds_da.is_some();
    let evaluate =
        |data: &mut Data, keep: Stage, force: &mut Vec<f64>, user: &mut dyn Callbacks| {
            inverse_again(model, data, keep, sensors, user);
            force.clone_from(&data.qfrc_inverse);
            if actuation == Actuation::Subtracted {
                fwd_actuation(model, data, user);
                force.iter_mut().zip(&data.qfrc_actuator).for_each(|(f, actuator)| *f -= actuator);
            }
        };
    let difference = |out: &mut Option<&mut [f64]>, i: usize, from: &[f64], to: &[f64]| {
        if let Some(out) = out {
            let inv = 1.0 / eps;
            let row = &mut out[i * from.len()..(i + 1) * from.len()];
            row.iter_mut().zip(from.iter().zip(to)).for_each(|(out, (a, b))| *out = inv * (b - a));
        }
    };
    scratch.tangent.clear();
    scratch.tangent.resize(nv, 0.0);
    let FdScratch { start: qpos, base, plus, column: mass, tangent, .. } = scratch;

    evaluate(data, Stage::None, &mut base.state, user);
    base.sensors.clone_from(&data.sensordata);
    debug_assert_eq!(base.sensors.len(), ns);
    if out.df_da.is_some() || out.ds_da.is_some() {
        for i in 0..nv {
            let qacc = data.qacc[i];
            data.qacc[i] += eps;
            evaluate(data, Stage::Vel, &mut plus.state, user);
            data.qacc[i] = qacc;
            difference(&mut out.df_da, i, &base.state, &plus.state);
            difference(&mut out.ds_da, i, &base.sensors, &data.sensordata);
        }
    }
    if out.df_dv.is_some() || out.ds_dv.is_some() {
        for i in 0..nv {
            let qvel = data.qvel[i];
            data.qvel[i] += eps;
            evaluate(data, Stage::Pos, &mut plus.state, user);
            data.qvel[i] = qvel;
            difference(&mut out.df_dv, i, &base.state, &plus.state);
            difference(&mut out.ds_dv, i, &base.sensors, &data.sensordata);
        }
    }
    if out.df_dq.is_some() || out.ds_dq.is_some() || out.dm_dq.is_some() {
        qpos.clone_from(&data.qpos);
        if out.dm_dq.is_some() {
            legacy_m(model, data);
            mass.clone_from(&data.qM);
        }
        for i in 0..nv {
            tangent[i] = 1.0;
            integrate_pos(model, &mut data.qpos, tangent, eps);
            tangent[i] = 0.0;
            evaluate(data, Stage::None, &mut plus.state, user);
            data.qpos.copy_from_slice(qpos);
            difference(&mut out.df_dq, i, &base.state, &plus.state);
            difference(&mut out.ds_dq, i, &base.sensors, &data.sensordata);
            if out.dm_dq.is_some() {
                legacy_m(model, data);
                difference(&mut out.dm_dq, i, mass, &data.qM);
            }
        }
    }
    inverse_with(model, data, user);
    Ok(())
}
