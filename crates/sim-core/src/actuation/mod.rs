//! Actuators: controls and activations to forces.

mod history;
mod muscle;

pub(crate) use history::HistoryBuffer;
pub use history::{
    HistoryError, Interpolation, init_ctrl_history, init_sensor_history, read_ctrl, read_sensor,
};
pub use muscle::{muscle_bias, muscle_dynamics, muscle_gain};
pub(crate) use muscle::{
    muscle_bias_slope, muscle_dynamics_slopes, muscle_gain_slopes, muscle_gain_vel,
};

use crate::callbacks::Callbacks;
use crate::math::{MINVAL, first_bad};
use crate::model::{BiasType, Disable, DynType, Enable, GainType, TrnType, Warning};
use crate::{Data, Model};

/// Computes `act_dot`, `actuator_force` and `qfrc_actuator`. Runs after `fwd_velocity`.
///
/// ```text
/// force = gain(length, velocity) · (ctrl or act) + bias(length, velocity)
/// ```
/// Forces are limited per tendon, per actuator and, after projection, per joint.
#[doc(alias = "mj_fwdActuation")]
pub fn fwd_actuation(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    data.actuator_force.fill(0.0);
    data.qfrc_actuator.fill(0.0);
    if model.nu == 0 || model.disabled(Disable::Actuation) {
        return;
    }

    let mut ctrl = std::mem::take(&mut data.work.ctrl);
    read_controls(model, data, &mut ctrl);
    activation_rates(model, data, &ctrl, user);
    forces(model, data, &ctrl, user);
    data.work.ctrl = ctrl;

    limit_tendon_forces(model, data);
    limit(&mut data.actuator_force, &model.actuator_forcelimited, &model.actuator_forcerange);
    project(model, data);
}

/// Copies controls, delayed and clamped; all of them are zero if one is unusable.
fn read_controls(model: &Model, data: &mut Data, ctrl: &mut [f64]) {
    ctrl.copy_from_slice(&data.ctrl);
    if model.nhistory > 0 {
        for (actuator, ctrl) in ctrl.iter_mut().enumerate() {
            *ctrl = delayed_control(model, data, actuator);
        }
    }
    if !model.disabled(Disable::ClampCtrl) {
        limit(ctrl, &model.actuator_ctrllimited, &model.actuator_ctrlrange);
    }
    if let Some(actuator) = first_bad(ctrl) {
        let stat = &mut data.warning[Warning::BadCtrl as usize];
        stat.number += 1;
        stat.lastinfo = actuator as i32;
        ctrl.fill(0.0);
    }
}

/// The control of an actuator now, which may be one that was given some time ago.
#[inline]
fn delayed_control(model: &Model, data: &Data, actuator: usize) -> f64 {
    let delay = model.actuator_delay[actuator];
    if delay == 0.0 || model.actuator_history[actuator][0] == 0 {
        return data.ctrl[actuator];
    }
    let [samples, interpolation] = model.actuator_history[actuator];
    let address = model.actuator_historyadr[actuator] as usize;
    let buffer = HistoryBuffer::new(&data.history[address..], samples as usize, 1);
    let mut value = [0.0];
    buffer.read(data.time - delay, Interpolation::from(interpolation), &mut value);
    value[0]
}

/// Computes `act_dot` of actuators with activation; what sleeps keeps its rate.
fn activation_rates(model: &Model, data: &mut Data, ctrl: &[f64], user: &mut dyn Callbacks) {
    let sleep = model.enabled(Enable::Sleep);
    if model.na == 0 {
        return;
    }
    for actuator in 0..model.nu {
        let Some(last) = last_activation(model, actuator) else { continue };
        if sleep && data.actuator_sleeps(model, actuator) {
            continue;
        }
        let prm = &model.actuator_dynprm[actuator];
        let first = model.actuator_actadr[actuator] as usize;
        data.act_dot[first..=last].fill(0.0);
        data.act_dot[last] = match DynType::from_i32(model.actuator_dyntype[actuator]) {
            Some(DynType::Integrator) => ctrl[actuator],
            Some(DynType::Filter | DynType::FilterExact) => {
                (ctrl[actuator] - data.act[last]) / prm[0].max(MINVAL)
            }
            Some(DynType::Muscle) => muscle_dynamics(ctrl[actuator], data.act[last], prm),
            Some(DynType::None | DynType::User) | None => {
                let rate = user.act_dyn(model, data, actuator);
                // several activations are written by the user
                if first != last {
                    continue;
                }
                rate
            }
        };
    }
}

/// Address of the activation that drives the force of `actuator`, if it has activations.
#[inline]
fn last_activation(model: &Model, actuator: usize) -> Option<usize> {
    let first = usize::try_from(model.actuator_actadr[actuator]).ok()?;
    (first + model.actuator_actnum[actuator] as usize).checked_sub(1)
}

/// Computes the forces of enabled actuators of what is awake, before limits.
fn forces(model: &Model, data: &mut Data, ctrl: &[f64], user: &mut dyn Callbacks) {
    let sleep = model.enabled(Enable::Sleep);
    let all = !sleep && model.opt.disableactuator == 0;
    let first = if all { linear_forces(model, data, ctrl) } else { 0 };
    for actuator in first..model.nu {
        if actuator_disabled(model, actuator)
            || model.actuator_plugin[actuator] >= 0
            || (sleep && data.actuator_sleeps(model, actuator))
        {
            continue;
        }
        let length = || data.actuator_length[actuator];
        let velocity = || data.actuator_velocity[actuator];
        let affine = |prm: &[f64; 10]| prm[0] + prm[1] * length() + prm[2] * velocity();
        let muscle = || (model.actuator_lengthrange[actuator], model.actuator_acc0[actuator]);

        let prm = &model.actuator_gainprm[actuator];
        let gain = match GainType::from_i32(model.actuator_gaintype[actuator]) {
            Some(GainType::Fixed) => prm[0],
            Some(GainType::Affine) => affine(prm),
            Some(GainType::Muscle) => {
                let (range, acc0) = muscle();
                muscle_gain(length(), velocity(), range, acc0, prm)
            }
            Some(GainType::User) | None => user.act_gain(model, data, actuator),
        };
        let prm = &model.actuator_biasprm[actuator];
        let bias = match BiasType::from_i32(model.actuator_biastype[actuator]) {
            Some(BiasType::Affine) => affine(prm),
            Some(BiasType::Muscle) => {
                let (range, acc0) = muscle();
                muscle_bias(length(), range, acc0, prm)
            }
            Some(BiasType::None) => 0.0,
            Some(BiasType::User) | None => user.act_bias(model, data, actuator),
        };
        let input = match last_activation(model, actuator) {
            None => ctrl[actuator],
            Some(act) if model.actuator_actearly[actuator] != 0 => {
                next_activation(model, data, actuator, act, data.act_dot[act])
            }
            Some(act) => data.act[act],
        };
        data.actuator_force[actuator] = gain * input + bias;
    }
}

/// Computes the forces of motors and servos without activation, up to the first actuator that is
/// something else, and returns how many there are.
fn linear_forces(model: &Model, data: &mut Data, ctrl: &[f64]) -> usize {
    let nu = model.nu;
    let (gains, biases) = (&model.actuator_gainprm[..nu], &model.actuator_biasprm[..nu]);
    let (gain_types, bias_types) = (&model.actuator_gaintype[..nu], &model.actuator_biastype[..nu]);
    let (plugins, acts) = (&model.actuator_plugin[..nu], &model.actuator_actadr[..nu]);
    let (length, velocity) = (&data.actuator_length[..nu], &data.actuator_velocity[..nu]);
    let (ctrl, force) = (&ctrl[..nu], &mut data.actuator_force[..nu]);
    for actuator in 0..nu {
        let fixed = gain_types[actuator] == GainType::Fixed as i32;
        if !fixed || plugins[actuator] >= 0 || acts[actuator] >= 0 {
            return actuator;
        }
        let bias = match BiasType::from_i32(bias_types[actuator]) {
            Some(BiasType::None) => 0.0,
            Some(BiasType::Affine) => {
                let prm = &biases[actuator];
                prm[0] + prm[1] * length[actuator] + prm[2] * velocity[actuator]
            }
            _ => return actuator,
        };
        force[actuator] = gains[actuator][0] * ctrl[actuator] + bias;
    }
    nu
}

/// Whether the group of `actuator` is switched off.
#[inline]
pub(crate) fn actuator_disabled(model: &Model, actuator: usize) -> bool {
    if model.opt.disableactuator == 0 {
        return false;
    }
    let group = model.actuator_group[actuator];
    (0..=30).contains(&group) && model.opt.disableactuator & (1 << group) != 0
}

/// The activation at the end of the step, within its range.
pub(crate) fn next_activation(
    model: &Model,
    data: &Data,
    actuator: usize,
    act: usize,
    act_dot: f64,
) -> f64 {
    let exact = model.actuator_dyntype[actuator] == DynType::FilterExact as i32;
    let next = if exact {
        let tau = model.actuator_dynprm[actuator][0].max(MINVAL);
        data.act[act] + act_dot * tau * (1.0 - libm::exp(-model.opt.timestep / tau))
    } else {
        data.act[act] + act_dot * model.opt.timestep
    };
    if model.actuator_actlimited[actuator] != 0 {
        let [low, high] = model.actuator_actrange[actuator];
        clip(next, low, high)
    } else {
        next
    }
}

/// Scales the forces of the actuators of a tendon down to its limit.
fn limit_tendon_forces(model: &Model, data: &mut Data) {
    if model.tendon_actfrclimited.iter().all(|&limited| limited == 0) {
        return;
    }
    let tendon_of = |actuator: usize| {
        (model.actuator_trntype[actuator] == TrnType::Tendon as i32)
            .then(|| model.actuator_trnid[actuator][0] as usize)
            .filter(|&tendon| model.tendon_actfrclimited[tendon] != 0)
    };
    let mut totals = std::mem::take(&mut data.work.tendon);
    totals.fill(0.0);
    for actuator in 0..model.nu {
        if let Some(tendon) = tendon_of(actuator).filter(|_| !actuator_disabled(model, actuator)) {
            totals[tendon] += data.actuator_force[actuator];
        }
    }
    for actuator in 0..model.nu {
        if let Some(tendon) = tendon_of(actuator) {
            let (total, [low, high]) = (totals[tendon], model.tendon_actfrcrange[tendon]);
            if total != 0.0 && total < low {
                data.actuator_force[actuator] *= low / total;
            } else if total != 0.0 && total > high {
                data.actuator_force[actuator] *= high / total;
            }
        }
    }
    data.work.tendon = totals;
}

/// Computes `qfrc_actuator` from actuator forces and, where joints ask for it, gravity
/// compensation; limited per joint.
fn project(model: &Model, data: &mut Data) {
    let (moment, columns) = (&data.actuator_moment[..], &data.moment_colind[..]);
    let (starts, counts) = (&data.moment_rowadr[..model.nu], &data.moment_rownnz[..model.nu]);
    let (forces, qfrc) = (&data.actuator_force[..model.nu], &mut data.qfrc_actuator[..]);
    for actuator in 0..model.nu {
        let start = starts[actuator].max(0) as usize;
        for adr in start..start + counts[actuator].max(0) as usize {
            qfrc[columns[adr] as usize] += moment[adr] * forces[actuator];
        }
    }
    let flags = model.jnt_actgravcomp.iter().zip(&model.jnt_actfrclimited);
    if flags.fold(0, |any, (a, b)| any | a | b) == 0 {
        return;
    }
    for jnt in 0..model.njnt {
        let dof = model.jnt_dofadr[jnt] as usize;
        if model.jnt_actgravcomp[jnt] != 0 {
            for dof in dof..dof + model.jnt_kind(jnt).dofs() {
                data.qfrc_actuator[dof] += data.qfrc_gravcomp[dof];
            }
        }
        if model.jnt_actfrclimited[jnt] != 0 {
            let [low, high] = model.jnt_actfrcrange[jnt];
            data.qfrc_actuator[dof] = clip(data.qfrc_actuator[dof], low, high);
        }
    }
}

/// Computes `actuator_velocity`. Runs after `transmission`.
pub(crate) fn actuator_velocity(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Actuation) {
        data.actuator_velocity.fill(0.0);
        return;
    }
    let (moment, columns) = (&data.actuator_moment[..], &data.moment_colind[..]);
    let (starts, counts) = (&data.moment_rowadr[..model.nu], &data.moment_rownnz[..model.nu]);
    let (qvel, velocity) = (&data.qvel[..], &mut data.actuator_velocity[..model.nu]);
    for actuator in 0..model.nu {
        let start = starts[actuator].max(0) as usize;
        let row = start..start + counts[actuator].max(0) as usize;
        velocity[actuator] = row.map(|adr| moment[adr] * qvel[columns[adr] as usize]).sum();
    }
}

/// Limits the elements of `x` that are to be limited to their ranges.
fn limit(x: &mut [f64], limited: &[u8], ranges: &[[f64; 2]]) {
    for (x, (&limited, &[low, high])) in x.iter_mut().zip(limited.iter().zip(ranges)) {
        if limited != 0 {
            *x = clip(*x, low, high);
        }
    }
}

/// Limits `x` to a range; unlike `clamp`, a reversed range is no reason to panic.
fn clip(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}
