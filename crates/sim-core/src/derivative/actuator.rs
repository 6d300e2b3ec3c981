//! Actuators: derivatives of their forces and activations.

use super::DerivativeError;
use super::quat::sub_quat;
use super::system::System;
use super::tendon::Tendons;
use super::tree::{Motions, force_from};
use crate::actuation::{
    actuator_disabled, muscle_bias_slope, muscle_dynamics_slopes, muscle_gain_slopes,
    next_activation,
};
use crate::math::{Force, MINVAL, Mat3, Quat, Vec3, axpy};
use crate::model::{BiasType, Disable, DynType, GainType, JointType, ObjType, TrnType, WrapType};
use crate::smooth::{Moves, com_offset, dof_chain, merged_chains};
use crate::{Data, Model};

/// The force of an actuator as a function of its length, velocity and input.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Response {
    /// Derivatives of the force by length, velocity, activation and control.
    pub(super) by_length: f64,
    pub(super) by_velocity: f64,
    pub(super) by_act: f64,
    pub(super) by_ctrl: f64,
    /// The activation that drives it.
    pub(super) act: Option<usize>,
    /// Derivatives of the next value of that by its value and the control.
    pub(super) next_by_act: f64,
    pub(super) next_by_ctrl: f64,
    /// Derivatives of its rate, and the time that the rate is applied for.
    pub(super) rate_by_act: f64,
    pub(super) rate_by_ctrl: f64,
    pub(super) step: f64,
    /// The derivative by velocity that implicit integrators use, and its own derivatives by length,
    /// velocity, activation and control.
    pub(super) slope: f64,
    pub(super) slope_by: [f64; 4],
    /// Its derivative by the time step, of actuators that are driven by the next activation.
    pub(super) slope_by_time: f64,
    /// The input, also as implicit integrators have it, and the derivative of the force by it.
    pub(super) input: f64,
    pub(super) raw: f64,
    pub(super) by_input: f64,
    /// The derivative of the next activation by the time step.
    pub(super) next_by_time: f64,
    pub(super) enabled: bool,
    /// Whether the force is not at its limit.
    pub(super) free: bool,
}

impl Response {
    pub(super) fn new(
        model: &Model,
        data: &Data,
        actuator: usize,
    ) -> Result<Response, DerivativeError> {
        let name = || model.name(ObjType::Actuator, actuator);
        let mut response = Response { next_by_act: 1.0, ..Response::default() };
        let acts = model.actuator_acts(actuator);
        if model.actuator_actadr[actuator] >= 0 {
            response.act = acts.last();
        }
        if model.actuator_plugin[actuator] >= 0 {
            return Err(unsupported("the plugin", actuator, name()));
        }
        if model.disabled(Disable::Actuation) {
            return Ok(response);
        }

        // the control within its range
        let mut ctrl = data.ctrl[actuator];
        let mut by_ctrl = 1.0;
        if model.actuator_ctrllimited[actuator] != 0 && !model.disabled(Disable::ClampCtrl) {
            let [low, high] = model.actuator_ctrlrange[actuator];
            if ctrl < low || ctrl > high {
                by_ctrl = 0.0;
                ctrl = if ctrl < low { low } else { high };
            }
        }

        // activation
        let (mut input, mut input_by_ctrl, mut input_by_act) = (ctrl, by_ctrl, 0.0);
        // implicit integrators take the control as it is
        let (mut raw, mut raw_by_ctrl) = (data.ctrl[actuator], 1.0);
        if let Some(act) = response.act {
            let prm = &model.actuator_dynprm[actuator];
            let h = model.opt.timestep;
            let tau = prm[0].max(MINVAL);
            let (rate_by_ctrl, rate_by_act, step) =
                match DynType::from_i32(model.actuator_dyntype[actuator]) {
                    Some(DynType::Integrator) => (1.0, 0.0, h),
                    Some(DynType::Filter) => (1.0 / tau, -1.0 / tau, h),
                    Some(DynType::FilterExact) => {
                        (1.0 / tau, -1.0 / tau, tau * (1.0 - libm::exp(-h / tau)))
                    }
                    Some(DynType::Muscle) => {
                        let [by_ctrl, by_act] = muscle_dynamics_slopes(ctrl, data.act[act], prm);
                        (by_ctrl, by_act, h)
                    }
                    Some(DynType::None | DynType::User) | None => {
                        return Err(unsupported("user dynamics", actuator, name()));
                    }
                };
            response.rate_by_ctrl = rate_by_ctrl * by_ctrl;
            response.rate_by_act = rate_by_act;
            response.step = step;
            response.next_by_ctrl = step * rate_by_ctrl * by_ctrl;
            response.next_by_act = 1.0 + step * rate_by_act;
            let next = next_activation(model, data, actuator, act, data.act_dot[act]);
            let exact = model.actuator_dyntype[actuator] == DynType::FilterExact as i32;
            let slowing = if exact { libm::exp(-h / tau) } else { 1.0 };
            response.next_by_time = data.act_dot[act] * slowing;
            if model.actuator_actlimited[actuator] != 0 {
                let [low, high] = model.actuator_actrange[actuator];
                let free = data.act[act] + step * data.act_dot[act];
                if free < low || free > high {
                    (response.next_by_ctrl, response.next_by_act) = (0.0, 0.0);
                    response.next_by_time = 0.0;
                }
            }
            (input, input_by_ctrl, input_by_act) = if model.actuator_actearly[actuator] != 0 {
                (next, response.next_by_ctrl, response.next_by_act)
            } else {
                (data.act[act], 0.0, 1.0)
            };
            (raw, raw_by_ctrl) = (input, input_by_ctrl);
        }
        if actuator_disabled(model, actuator) {
            (response.next_by_ctrl, response.next_by_act, response.step) = (0.0, 1.0, 0.0);
            response.next_by_time = 0.0;
            return Ok(response);
        }

        // gain and bias, with derivatives by length and velocity
        let (length, velocity) = (data.actuator_length[actuator], data.actuator_velocity[actuator]);
        let muscle = (model.actuator_lengthrange[actuator], model.actuator_acc0[actuator]);
        let prm = &model.actuator_gainprm[actuator];
        let [gain, gain_l, gain_v, gain_lv, gain_vv] =
            match GainType::from_i32(model.actuator_gaintype[actuator]) {
                Some(GainType::Fixed) => [prm[0], 0.0, 0.0, 0.0, 0.0],
                Some(GainType::Affine) => {
                    [prm[0] + prm[1] * length + prm[2] * velocity, prm[1], prm[2], 0.0, 0.0]
                }
                Some(GainType::Muscle) => {
                    muscle_gain_slopes(length, velocity, muscle.0, muscle.1, prm)
                }
                Some(GainType::User) | None => {
                    return Err(unsupported("user gain", actuator, name()));
                }
            };
        let prm = &model.actuator_biasprm[actuator];
        let [bias_l, bias_v] = match BiasType::from_i32(model.actuator_biastype[actuator]) {
            Some(BiasType::None) => [0.0; 2],
            Some(BiasType::Affine) => [prm[1], prm[2]],
            Some(BiasType::Muscle) => [muscle_bias_slope(length, muscle.0, muscle.1, prm), 0.0],
            Some(BiasType::User) | None => return Err(unsupported("user bias", actuator, name())),
        };
        response.enabled = true;

        // a force at its limit stays there
        let force = data.actuator_force[actuator];
        let [low, high] = model.actuator_forcerange[actuator];
        if model.actuator_forcelimited[actuator] != 0 && (force <= low || force >= high) {
            return Ok(response);
        }
        response.free = true;
        (response.input, response.raw, response.by_input) = (input, raw, gain);
        response.by_length = gain_l * input + bias_l;
        response.by_velocity = gain_v * input + bias_v;
        response.by_ctrl = gain * input_by_ctrl;
        response.by_act = gain * input_by_act;
        response.slope = gain_v * raw + bias_v;
        if model.actuator_actearly[actuator] != 0 {
            response.slope_by_time = gain_v * response.next_by_time;
        }
        response.slope_by =
            [gain_lv * raw, gain_vv * raw, gain_v * input_by_act, gain_v * raw_by_ctrl];
        Ok(response)
    }
}

fn unsupported(what: &str, actuator: usize, name: Option<&str>) -> DerivativeError {
    let name = name.map_or_else(|| actuator.to_string(), |name| format!("'{name}'"));
    DerivativeError::Unsupported(format!("{what} of actuator {name}"))
}

/// What all actuators have in common, and scratch.
#[derive(Debug, Clone, Default)]
pub(super) struct Actuators {
    pub(super) responses: Vec<Response>,
    /// Whether the actuator force on a dof is at its limit.
    pub(super) limited: Vec<bool>,
    /// Whether gravity compensation by actuators has no effect on a dof: their force is at its limit, or
    /// there are none.
    pub(super) dropped: Vec<bool>,
    /// Derivatives of length and velocity by positions, of actuators whose moment arm may move.
    length_by: Vec<f64>,
    velocity_by: Vec<f64>,
    /// The row of each actuator in these; none if the moment arms are the derivatives of the length,
    /// and constant.
    rows: Vec<Option<usize>>,
}

impl Actuators {
    /// Computes the responses, and what may not be differentiated.
    pub(super) fn start(&mut self, model: &Model, data: &Data) -> Result<(), DerivativeError> {
        self.responses.clear();
        for actuator in 0..model.nu {
            self.responses.push(Response::new(model, data, actuator)?);
        }
        let idle = model.nu == 0 || model.disabled(Disable::Actuation);
        for flags in [&mut self.limited, &mut self.dropped] {
            flags.clear();
            flags.resize(model.nv, false);
        }
        let mut any = false;
        for jnt in 0..model.njnt {
            let dof = model.jnt_dofadr[jnt] as usize;
            let [low, high] = model.jnt_actfrcrange[jnt];
            let force = data.qfrc_actuator[dof];
            let limited = model.jnt_actfrclimited[jnt] != 0 && (force <= low || force >= high);
            self.limited[dof] = limited;
            any |= limited;
            if model.jnt_actgravcomp[jnt] != 0 && model.ngravcomp > 0 {
                self.dropped[dof] = limited;
                if idle {
                    self.dropped[dof..dof + model.jnt_kind(jnt).dofs()].fill(true);
                }
            }
        }
        let rides = |actuator: usize| {
            let id = model.actuator_trnid[actuator][0] as usize;
            match TrnType::from_i32(model.actuator_trntype[actuator]) {
                Some(TrnType::Joint | TrnType::JointInParent) => false,
                Some(TrnType::Tendon) => {
                    let first = model.tendon_adr[id] as usize;
                    model.wrap_type[first] != WrapType::Joint as i32
                }
                _ => true,
            }
        };
        if any && (0..model.nu).any(rides) {
            let what = "a joint at its actuatorfrcrange beside actuators that are not at joints";
            return Err(DerivativeError::Unsupported(what.into()));
        }
        for tendon in (0..model.ntendon).filter(|&t| model.tendon_actfrclimited[t] != 0) {
            let on = |&actuator: &usize| {
                model.actuator_trntype[actuator] == TrnType::Tendon as i32
                    && model.actuator_trnid[actuator][0] as usize == tendon
                    && !actuator_disabled(model, actuator)
            };
            let total: f64 = (0..model.nu).filter(on).map(|a| data.actuator_force[a]).sum();
            let [low, high] = model.tendon_actfrcrange[tendon];
            // forces at the limit have been scaled down to it
            let close = 1e-12 * (low.abs() + high.abs());
            if total != 0.0 && (total < low + close || total > high - close) {
                let what = "a tendon at its actuatorfrcrange";
                return Err(DerivativeError::Unsupported(what.into()));
            }
        }
        Ok(())
    }

    /// Adds the derivatives of all actuator forces. Wrenches that stay in the world go to `outer`,
    /// those that turn with their body to `riding`.
    pub(super) fn add(
        &mut self,
        model: &Model,
        data: &Data,
        blocks: &[usize],
        vel: &Motions,
        tendons: &Tendons,
        system: &mut System,
        outer: &mut [Force],
        riding: &mut [Force],
    ) -> Result<(), DerivativeError> {
        let nv = model.nv;
        self.rows.clear();
        let mut count = 0;
        for actuator in 0..model.nu {
            let row = (!has_constant_arms(model, actuator)).then_some(count);
            count += usize::from(row.is_some());
            self.rows.push(row);
        }
        for values in [&mut self.length_by, &mut self.velocity_by] {
            values.clear();
            values.resize(count * nv, 0.0);
        }
        for actuator in 0..model.nu {
            let Some(row) = self.rows[actuator] else {
                self.add_constant(model, data, actuator, system);
                continue;
            };
            let response = self.responses[actuator];
            let force = data.actuator_force[actuator];
            let range = row * nv..(row + 1) * nv;
            let length_by = &mut self.length_by[range.clone()];
            let velocity_by = &mut self.velocity_by[range];
            let id = model.actuator_trnid[actuator][0] as usize;
            let entries = || {
                let row = model.moment_row(data, actuator);
                row.map(|adr| (data.moment_colind[adr] as usize, data.actuator_moment[adr]))
            };
            let kind = TrnType::from_i32(model.actuator_trntype[actuator]);
            let mut transmission =
                Transmission { model, data, blocks, vel, actuator, force, length_by, velocity_by };
            match kind {
                Some(TrnType::Joint | TrnType::JointInParent) => {
                    transmission.joint(kind == Some(TrnType::JointInParent), system);
                }
                Some(TrnType::Tendon) => {
                    entries().for_each(|(dof, arm)| transmission.length_by[dof] = arm);
                    let ratio = model.actuator_gear[actuator][0];
                    for (out, by) in transmission.velocity_by.iter_mut().zip(tendons.by_vel(id)) {
                        *out = ratio * by;
                    }
                }
                Some(TrnType::Site) if model.actuator_trnid[actuator][1] < 0 => {
                    transmission.site(riding);
                }
                Some(TrnType::Site) => transmission.relative_site(system),
                Some(TrnType::SliderCrank) => {
                    entries().for_each(|(dof, arm)| transmission.length_by[dof] = arm);
                    transmission.slider_crank(system, outer);
                }
                // the force along contacts is part of those
                Some(TrnType::Body) => {
                    if response.by_length != 0.0 || response.by_velocity != 0.0 {
                        let what = "adhesion that depends on velocity";
                        return Err(DerivativeError::Unsupported(what.into()));
                    }
                }
                _ => {
                    let what = format!("the transmission of actuator {actuator}");
                    return Err(DerivativeError::Unsupported(what));
                }
            }
            if !response.enabled {
                continue;
            }
            let length_by = &self.length_by[row * nv..(row + 1) * nv];
            let velocity_by = &self.velocity_by[row * nv..(row + 1) * nv];
            for (i, arm) in entries() {
                if self.limited[i] {
                    continue;
                }
                if response.by_length != 0.0 || response.by_velocity != 0.0 {
                    let (l, v) = (arm * response.by_length, arm * response.by_velocity);
                    let mut row = system.pos(i);
                    row.add_all(l, length_by);
                    row.add_all(v, velocity_by);
                    let mut row = system.vel(i);
                    entries().for_each(|(k, other)| row.add(k, v * other));
                }
                if let Some(act) = response.act {
                    system.act(i).add(act, arm * response.by_act);
                }
                system.ctrl(i).add(actuator, arm * response.by_ctrl);
            }
        }
        Ok(())
    }

    /// Adds the derivative of the force of an actuator with constant moment arms.
    fn add_constant(&self, model: &Model, data: &Data, actuator: usize, system: &mut System) {
        let response = &self.responses[actuator];
        if !response.enabled {
            return;
        }
        let entries = || {
            let row = model.moment_row(data, actuator);
            row.map(|adr| (data.moment_colind[adr] as usize, data.actuator_moment[adr]))
        };
        for (i, arm) in entries().filter(|&(i, _)| !self.limited[i]) {
            for (k, other) in entries() {
                system.pos(i).add(k, arm * response.by_length * other);
                system.vel(i).add(k, arm * response.by_velocity * other);
            }
            if let Some(act) = response.act {
                system.act(i).add(act, arm * response.by_act);
            }
            system.ctrl(i).add(actuator, arm * response.by_ctrl);
        }
    }

    /// Adds the derivatives of length and velocity of an actuator by positions, times factors.
    pub(super) fn add_slopes(
        &self,
        model: &Model,
        data: &Data,
        actuator: usize,
        (by_length, by_velocity): (f64, f64),
        out: &mut [f64],
    ) {
        if let Some(row) = self.rows[actuator] {
            let row = row * model.nv..(row + 1) * model.nv;
            axpy(&mut out[..model.nv], by_length, &self.length_by[row.clone()]);
            axpy(&mut out[..model.nv], by_velocity, &self.velocity_by[row]);
        } else {
            for adr in model.moment_row(data, actuator) {
                out[data.moment_colind[adr] as usize] += by_length * data.actuator_moment[adr];
            }
        }
    }
}

/// Whether an actuator acts on joints whose length is a number, directly or summed by a tendon.
pub(super) fn has_constant_arms(model: &Model, actuator: usize) -> bool {
    let id = model.actuator_trnid[actuator][0] as usize;
    match TrnType::from_i32(model.actuator_trntype[actuator]) {
        Some(TrnType::Joint | TrnType::JointInParent) => {
            matches!(model.jnt_kind(id), JointType::Slide | JointType::Hinge)
        }
        Some(TrnType::Tendon) => {
            model.wrap_type[model.tendon_adr[id] as usize] == WrapType::Joint as i32
        }
        _ => false,
    }
}

/// How the moment of an actuator changes with position. Its methods fill the derivatives of length
/// and velocity, and add those of the generalised force at fixed force.
struct Transmission<'a> {
    model: &'a Model,
    data: &'a Data,
    blocks: &'a [usize],
    vel: &'a Motions,
    actuator: usize,
    force: f64,
    length_by: &'a mut [f64],
    velocity_by: &'a mut [f64],
}

impl Transmission<'_> {
    fn gear(&self) -> (Vec3, Vec3) {
        let [a, b, c, d, e, f] = self.model.actuator_gear[self.actuator];
        (Vec3::new(a, b, c), Vec3::new(d, e, f))
    }

    /// A ball or free joint: torques in the frame of the child, or of the parent.
    fn joint(&mut self, in_parent: bool, system: &mut System) {
        let (model, data) = (self.model, self.data);
        let jnt = model.actuator_trnid[self.actuator][0] as usize;
        let free = model.jnt_kind(jnt) == JointType::Free;
        let skip = if free { 3 } else { 0 };
        let adr = model.jnt_qposadr[jnt] as usize + skip;
        let dof = model.jnt_dofadr[jnt] as usize + skip;
        let q = &data.qpos[adr..adr + 4];
        let quat = Quat::new(q[0], q[1], q[2], q[3]).normalized();
        let (first, second) = self.gear();
        let gear = if free { second } else { first };
        let axis = if in_parent { quat.conjugate().rotate(gear) } else { gear };
        // ∂axis/∂q: the axis is fixed in the parent
        let bend = if in_parent { Mat3::skew(axis) } else { Mat3::default() };
        if !free {
            let angle = quat.to_velocity(1.0);
            let turning = sub_quat(quat, Quat::IDENTITY).0;
            let by = turning.transpose_mul(axis) + bend.transpose_mul(angle);
            (0..3).for_each(|k| self.length_by[dof + k] = by[k]);
        }
        if in_parent {
            let v = Vec3::new(data.qvel[dof], data.qvel[dof + 1], data.qvel[dof + 2]);
            let by = bend.transpose_mul(v);
            for k in 0..3 {
                self.velocity_by[dof + k] = by[k];
                for i in 0..3 {
                    system.pos(dof + i).add(dof + k, self.force * bend[(i, k)]);
                }
            }
        }
    }

    /// A wrench that turns with its site.
    fn site(&mut self, riding: &mut [Force]) {
        let (model, data) = (self.model, self.data);
        let site = model.actuator_trnid[self.actuator][0] as usize;
        let body = model.site_bodyid[site] as usize;
        let (lin, rot) = self.gear();
        let mat = data.site_xmat[site];
        let offset = com_offset(model, data, data.site_xpos[site], body);
        let wrench = force_from(Force::new(mat * rot, mat * lin), offset);
        riding[body] += wrench * self.force;
        for k in dof_chain(model, body) {
            self.velocity_by[k] = self.vel.rate[k].dot(wrench);
        }
    }

    /// A wrench between two sites, in the frame of the second.
    fn relative_site(&mut self, system: &mut System) {
        let (model, data) = (self.model, self.data);
        let sites = model.actuator_trnid[self.actuator].map(|id| id as usize);
        let bodies = sites.map(|site| model.site_bodyid[site] as usize);
        let (lin, rot) = self.gear();
        let frame = data.site_xmat[sites[1]];
        let (push, torque) = (frame * lin, frame * rot);
        let points = sites.map(|site| data.site_xpos[site]);
        let offsets = [0, 1].map(|s| com_offset(model, data, points[s], bodies[s]));
        let wrenches = offsets.map(|offset| force_from(Force::new(torque, push), offset));
        let quats = [0, 1].map(|s| model.site_quat[sites[s]] * data.xquat[bodies[s]]);
        let (by_first, by_second) = sub_quat(quats[0], quats[1]);

        for (k, moves) in merged_chains(model, bodies[0], bodies[1]) {
            let axis = data.cdof[k];
            let on = [moves != Moves::Second, moves != Moves::First];
            let turn = if on[1] { axis.rot } else { Vec3::ZERO };
            let shifts = [0, 1].map(|s| if on[s] { axis.at(offsets[s]) } else { Vec3::ZERO });
            // the length: position and rotation in the frame of the second site
            let local = |s: usize| {
                if on[s] { data.xmat[bodies[s]].transpose_mul(axis.rot) } else { Vec3::ZERO }
            };
            self.length_by[k] = push.dot(shifts[0] - shifts[1])
                + turn.cross(push).dot(points[0] - points[1])
                + rot.dot(by_first * local(0) + by_second * local(1));

            let (push_rate, torque_rate) = (turn.cross(push), turn.cross(torque));
            let rates = [0, 1].map(|s| {
                force_from(Force::new(torque_rate, push_rate), offsets[s])
                    + Force::new(shifts[s].cross(push), Vec3::ZERO)
            });
            for (i, moves) in merged_chains(model, bodies[0], bodies[1]) {
                let (s, sign) = match moves {
                    Moves::First => (0, 1.0),
                    Moves::Second => (1, -1.0),
                    Moves::Both => continue,
                };
                let mut rate = data.cdof[i].dot(rates[s]);
                if self.moves(k, i) {
                    rate += axis.cross(data.cdof[i]).dot(wrenches[s]);
                }
                system.pos(i).add(k, self.force * sign * rate);
                self.velocity_by[k] += data.qvel[i] * sign * rate;
            }
        }
    }

    /// Whether motion of dof `k` carries the axis of dof `i`.
    fn moves(&self, k: usize, i: usize) -> bool {
        let body = self.model.dof_body(i);
        k != i
            && self.blocks[k] <= self.blocks[i]
            && (self.blocks[k] == self.blocks[i] || dof_chain(self.model, body).any(|dof| dof == k))
    }

    /// A slider driven by a crank: forces at both sites and a torque on the slider.
    fn slider_crank(&mut self, system: &mut System, outer: &mut [Force]) {
        let (model, data) = (self.model, self.data);
        let [crank, slider] = model.actuator_trnid[self.actuator].map(|id| id as usize);
        let rod = model.actuator_cranklength[self.actuator];
        let ratio = model.actuator_gear[self.actuator][0];
        let axis = data.site_xmat[slider].column(2);
        let vec = data.site_xpos[crank] - data.site_xpos[slider];
        let bodies = [model.site_bodyid[crank] as usize, model.site_bodyid[slider] as usize];
        let offsets = [
            com_offset(model, data, data.site_xpos[crank], bodies[0]),
            com_offset(model, data, data.site_xpos[slider], bodies[1]),
        ];
        let along = vec.dot(axis);
        let det = along * along + rod * rod - vec.dot(vec);
        let root = det.max(0.0).sqrt();
        let dropped = det <= 0.0;
        let share = if dropped { 1.0 } else { 1.0 - along / root };
        let inverse = if dropped { 0.0 } else { 1.0 / root };
        let (by_vec, by_axis) = (axis * share + vec * inverse, vec * share);
        let wrenches = |by_vec: Vec3, twist: Vec3| {
            [
                force_from(Force::linear(by_vec), offsets[0]) * ratio,
                (Force::new(twist, Vec3::ZERO) - force_from(Force::linear(by_vec), offsets[1]))
                    * ratio,
            ]
        };
        let base = wrenches(by_vec, axis.cross(by_axis));
        for s in 0..2 {
            outer[bodies[s]] += base[s] * self.force;
        }
        for (k, moves) in merged_chains(model, bodies[0], bodies[1]) {
            let column = data.cdof[k];
            let on = [moves != Moves::Second, moves != Moves::First];
            let shifts = [0, 1].map(|s| if on[s] { column.at(offsets[s]) } else { Vec3::ZERO });
            let vec_rate = shifts[0] - shifts[1];
            let axis_rate = if on[1] { column.rot.cross(axis) } else { Vec3::ZERO };
            let along_rate = vec_rate.dot(axis) + vec.dot(axis_rate);
            let root_rate = (along * along_rate - vec.dot(vec_rate)) * inverse;
            let (share_rate, inverse_rate) = if dropped {
                (0.0, 0.0)
            } else {
                (
                    -along_rate * inverse + along * root_rate * inverse * inverse,
                    -root_rate * inverse * inverse,
                )
            };
            let by_vec_rate =
                axis_rate * share + axis * share_rate + vec_rate * inverse + vec * inverse_rate;
            let by_axis_rate = vec_rate * share + vec * share_rate;
            let twist_rate = axis_rate.cross(by_axis) + axis.cross(by_axis_rate);
            let mut rates = wrenches(by_vec_rate, twist_rate);
            rates[0].rot += shifts[0].cross(by_vec) * ratio;
            rates[1].rot -= shifts[1].cross(by_vec) * ratio;
            for s in 0..2 {
                for i in dof_chain(model, bodies[s]) {
                    system.pos(i).add(k, self.force * data.cdof[i].dot(rates[s]));
                }
                let body = self.vel.body[bodies[s]];
                self.velocity_by[k] += body.dot(rates[s]);
                if on[s] {
                    self.velocity_by[k] += (column.cross(body) + self.vel.rate[k]).dot(base[s]);
                }
            }
        }
    }
}
