//! Integration: from accelerations to the next state.

mod discrete;
mod euler;
mod flex;
mod implicit;
mod rk4;

pub(crate) use discrete::discrete;
pub use euler::euler;
pub(crate) use euler::factor_damped;
pub(crate) use flex::InterpolatedWork;
pub(crate) use implicit::factor_implicit_fast;
pub use implicit::{implicit, implicit_fast};
pub use rk4::rk4;
pub(crate) use rk4::{NODES, WEIGHTS};

use crate::actuation::{HistoryBuffer, actuator_disabled, next_activation};
use crate::callbacks::Callbacks;
use crate::data::RungeKutta;
use crate::forward::forward_from_velocity;
use crate::math::{Quat, Vec3, axpy};
use crate::model::{Disable, JointType};
use crate::sensor::record_sensors;
use crate::sleep::{awake, fall_asleep};
use crate::{Data, Model};

/// Whether the matrix of an integrator is factorised anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Factors {
    /// Are made anew.
    Renew,
    /// Stay as they are.
    Keep,
}

/// Advances `qpos` by the velocity `qvel` over the time `dt`; quaternions turn on the sphere.
#[doc(alias = "mj_integratePos")]
pub fn integrate_pos(model: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    for jnt in 0..model.njnt {
        integrate_joint(model, qpos, qvel, dt, jnt);
    }
}

#[inline]
fn integrate_joint(model: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64, jnt: usize) {
    let (adr, dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
    match model.jnt_kind(jnt) {
        JointType::Slide | JointType::Hinge => qpos[adr] += dt * qvel[dof],
        JointType::Free => {
            axpy(&mut qpos[adr..adr + 3], dt, &qvel[dof..dof + 3]);
            integrate_quat(&mut qpos[adr + 3..adr + 7], &qvel[dof + 3..dof + 6], dt);
        }
        JointType::Ball => integrate_quat(&mut qpos[adr..adr + 4], &qvel[dof..dof + 3], dt),
    }
}

fn integrate_quat(quat: &mut [f64], velocity: &[f64], dt: f64) {
    let velocity = Vec3::new(velocity[0], velocity[1], velocity[2]);
    let turned = Quat::new(quat[0], quat[1], quat[2], quat[3]).integrate(velocity, dt);
    quat.copy_from_slice(&turned.to_array());
}

/// Gives all quaternions in `qpos` unit length.
#[doc(alias = "mj_normalizeQuat")]
pub fn normalize_quat(model: &Model, qpos: &mut [f64]) {
    for jnt in 0..model.njnt {
        let adr = model.jnt_qposadr[jnt] as usize;
        let quat = match model.jnt_kind(jnt) {
            JointType::Slide | JointType::Hinge => continue,
            JointType::Free => &mut qpos[adr + 3..adr + 7],
            JointType::Ball => &mut qpos[adr..adr + 4],
        };
        let unit = Quat::new(quat[0], quat[1], quat[2], quat[3]).normalized();
        quat.copy_from_slice(&unit.to_array());
    }
}

/// Computes the velocity that leads from `qpos1` to `qpos2` within the time `dt`.
#[doc(alias = "mj_differentiatePos")]
pub fn differentiate_pos(model: &Model, qvel: &mut [f64], dt: f64, qpos1: &[f64], qpos2: &[f64]) {
    for jnt in 0..model.njnt {
        let (mut adr, mut dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
        let kind = model.jnt_kind(jnt);
        match kind {
            JointType::Slide | JointType::Hinge => qvel[dof] = (qpos2[adr] - qpos1[adr]) / dt,
            JointType::Free | JointType::Ball => {
                if kind == JointType::Free {
                    for i in 0..3 {
                        qvel[dof + i] = (qpos2[adr + i] - qpos1[adr + i]) / dt;
                    }
                    adr += 3;
                    dof += 3;
                }
                let read = |x: &[f64]| Quat::new(x[adr], x[adr + 1], x[adr + 2], x[adr + 3]);
                let turn = read(qpos2).difference(read(qpos1)) * (1.0 / dt);
                qvel[dof..dof + 3].copy_from_slice(&turn.to_array());
            }
        }
    }
}

/// Advances history buffers, activations, velocity by `qacc`, position by the new velocity, and
/// time; keeps the acceleration for the next warm start. Runge-Kutta gives its own slopes of
/// position and activation. Trees that have come to rest fall asleep and are not advanced.
fn advance(
    model: &Model,
    data: &mut Data,
    qacc: &[f64],
    slopes: Option<&RungeKutta>,
    user: &mut dyn Callbacks,
) {
    let dt = model.opt.timestep;
    record_controls(model, data);
    record_sensors(model, data);
    advance_activations(model, data, slopes);
    if fall_asleep(model, data) > 0 {
        // they have stopped, and with that everything that depends on velocity changes
        forward_from_velocity(model, data, user);
        data.update_sleep(model);
    }
    let awake = awake!(model, data);
    let slope_pos = slopes.map(|slopes| &slopes.slope_pos);
    if awake.all() {
        axpy(&mut data.qvel, dt, qacc);
        integrate_pos(model, &mut data.qpos, slope_pos.unwrap_or(&data.qvel), dt);
    } else {
        awake.dofs().for_each(|dof| data.qvel[dof] += dt * qacc[dof]);
        for jnt in awake.bodies().flat_map(|body| model.body_jnts(body)) {
            let velocity = slope_pos.unwrap_or(&data.qvel);
            integrate_joint(model, &mut data.qpos, velocity, dt, jnt);
        }
    }
    data.time += dt;
    data.qacc_warmstart.copy_from_slice(&data.qacc);
}

/// Remembers the controls of delayed actuators.
fn record_controls(model: &Model, data: &mut Data) {
    for actuator in 0..model.nu {
        let samples = model.actuator_history[actuator][0] as usize;
        if samples > 0 {
            let address = model.actuator_historyadr[actuator] as usize;
            let buffer = &mut data.history[address..];
            HistoryBuffer::insert(buffer, samples, 1, data.time)[0] = data.ctrl[actuator];
        }
    }
}

/// Advances activations by their rates; those of disabled actuators stay.
fn advance_activations(model: &Model, data: &mut Data, slopes: Option<&RungeKutta>) {
    if model.na == 0 || model.disabled(Disable::Actuation) {
        return;
    }
    for actuator in 0..model.nu {
        let frozen = actuator_disabled(model, actuator);
        for act in model.actuator_acts(actuator) {
            let rate = slopes.map_or(&data.act_dot, |slopes| &slopes.slope_act)[act];
            let rate = if frozen { 0.0 } else { rate };
            data.act[act] = next_activation(model, data, actuator, act, rate);
        }
    }
}
