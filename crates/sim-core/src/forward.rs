//! The stages of a step, in order. This is the first file to read.

use crate::actuation::{actuator_velocity, fwd_actuation};
use crate::callbacks::{Callbacks, NoCallbacks};
use crate::collision::collision_with;
use crate::constraint::{island, make_constraint, reference_constraint};
use crate::energy::{energy_pos, energy_vel};
use crate::integrate::{discrete, euler, implicit, implicit_fast, rk4};
use crate::inverse::{compare_fwd_inv, inverse_acceleration};
use crate::math::{first_bad, is_bad};
use crate::model::{Disable, Enable, Integrator, Warning};
use crate::passive::passive;
use crate::sensor::{sensor_acc, sensor_pos, sensor_vel};
use crate::sleep::{awake, wake_by_collision, wake_by_equality, wake_by_tendon};
use crate::smooth::{
    camlight, com_pos, com_vel, factor_m, kinematics, make_m, rne, solve_m_awake, tendon,
    tendon_bias, tendon_velocity, transmission, xfrc_accumulate,
};
use crate::solver::{fwd_constraint, project_constraint};
use crate::{Data, Model};

/// Advances the simulation by one time step.
///
/// A state that has become unusable (not a number, or larger than 1e10) counts a warning and, if
/// not disabled, resets the simulation.
#[doc(alias = "mj_step")]
pub fn step(model: &Model, data: &mut Data) {
    step_with(model, data, &mut NoCallbacks);
}

/// Computes everything that follows from the current state, without advancing it.
#[doc(alias = "mj_forward")]
pub fn forward(model: &Model, data: &mut Data) {
    forward_with(model, data, &mut NoCallbacks);
}

/// First half of a step: everything that depends on position and velocity. Controls and forces
/// may be set between the halves.
#[doc(alias = "mj_step1")]
pub fn step1(model: &Model, data: &mut Data) {
    step1_with(model, data, &mut NoCallbacks);
}

/// Second half of a step: everything that depends on controls and applied forces, and
/// integration, which is by Euler's method where a step would use Runge-Kutta.
#[doc(alias = "mj_step2")]
pub fn step2(model: &Model, data: &mut Data) {
    step2_with(model, data, &mut NoCallbacks);
}

/// [`step`] with what the user adds to it.
pub fn step_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    check_pos(model, data);
    check_vel(model, data);
    forward_with(model, data, user);
    check_acc(model, data, user);
    if model.enabled(Enable::FwdInv) {
        compare_fwd_inv(model, data);
    }
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Rk4) => rk4(model, data, user),
        Some(Integrator::Implicit) => implicit(model, data, user),
        Some(Integrator::ImplicitFast) => implicit_fast(model, data, user),
        Some(Integrator::Discrete) => discrete(model, data, user),
        Some(Integrator::Euler) | None => euler(model, data, user),
    }
}

/// [`step1`] with what the user adds to it.
pub fn step1_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    check_pos(model, data);
    check_vel(model, data);
    position_stage(model, data, user);
    velocity_stage(model, data, user);
    // also with actuation disabled, as in the reference
    user.control(model, data);
}

/// [`step2`] with what the user adds to it.
pub fn step2_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    acceleration_stage(model, data, user);
    sensor_acc(model, data, user);
    check_acc(model, data, user);
    if model.enabled(Enable::FwdInv) {
        compare_fwd_inv(model, data);
    }
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Implicit) => implicit(model, data, user),
        Some(Integrator::ImplicitFast) => implicit_fast(model, data, user),
        Some(Integrator::Discrete) => discrete(model, data, user),
        Some(Integrator::Euler | Integrator::Rk4) | None => euler(model, data, user),
    }
}

/// [`forward`] with what the user adds to it.
pub fn forward_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    position_stage(model, data, user);
    forward_from_velocity(model, data, user);
}

/// [`forward_with`] after a change of velocity: what depends on position only stays as it is.
pub(crate) fn forward_from_velocity(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    velocity_stage(model, data, user);
    if !model.disabled(Disable::Actuation) {
        user.control(model, data);
    }
    acceleration_stage(model, data, user);
    data.flg_rnepost = false;
    sensor_acc(model, data, user);
}

/// [`forward_with`] as the stages of an integrator need it: sensors stay as they are.
pub(crate) fn forward_without_sensors(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    fwd_position(model, data, user);
    potential_energy(model, data);
    fwd_velocity(model, data, user);
    kinetic_energy(model, data);
    if !model.disabled(Disable::Actuation) {
        user.control(model, data);
    }
    acceleration_stage(model, data, user);
}

/// Computes the generalised forces that produce the acceleration `qacc`: `qfrc_inverse`.
#[doc(alias = "mj_inverse")]
pub fn inverse(model: &Model, data: &mut Data) {
    inverse_with(model, data, &mut NoCallbacks);
}

/// [`inverse`] with what the user adds to it. Controls and actuators have no part in it.
pub fn inverse_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    inv_position(model, data, user);
    sensor_pos(model, data, user);
    if model.enabled(Enable::Energy) {
        potential_energy(model, data);
    }
    velocity_stage(model, data, user);
    inverse_acceleration(model, data, user);
}

fn position_stage(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    fwd_position(model, data, user);
    sensor_pos(model, data, user);
    potential_energy(model, data);
}

fn velocity_stage(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    fwd_velocity(model, data, user);
    sensor_vel(model, data, user);
    kinetic_energy(model, data);
}

fn acceleration_stage(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    fwd_actuation(model, data, user);
    fwd_acceleration(model, data);
    fwd_constraint(model, data);
}

/// Computes what depends on position only.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    data.flg_energypos = false;
    kinematics(model, data);
    com_pos(model, data);
    camlight(model, data);
    tendon(model, data);
    if wake_by_tendon(model, data) {
        data.update_sleep(model);
    }
    make_m(model, data);
    factor_m(model, data);
    collision_with(model, data, user);
    if wake_by_collision(model, data) {
        data.update_sleep(model);
        // those that have woken up may touch others
        collision_with(model, data, user);
    }
    if wake_by_equality(model, data) {
        data.update_sleep(model);
    }
    make_constraint(model, data);
    island(model, data);
    transmission(model, data);
    project_constraint(model, data);
}

/// Computes what depends on position only, as far as inverse dynamics needs it: nothing wakes up,
/// and there are no islands.
#[doc(alias = "mj_invPosition")]
pub fn inv_position(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    data.flg_energypos = false;
    kinematics(model, data);
    com_pos(model, data);
    camlight(model, data);
    tendon(model, data);
    make_m(model, data);
    factor_m(model, data);
    collision_with(model, data, user);
    make_constraint(model, data);
    transmission(model, data);
}

/// Computes what depends on position and velocity.
#[doc(alias = "mj_fwdVelocity")]
#[doc(alias = "mj_invVelocity")]
pub fn fwd_velocity(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    data.flg_subtreevel = false;
    data.flg_energyvel = false;
    tendon_velocity(model, data);
    actuator_velocity(model, data);
    com_vel(model, data);
    passive(model, data, user);
    reference_constraint(model, data);
    rne(model, data);
    tendon_bias(model, data);
}

/// Sums all forces but those of constraints, and computes the acceleration they produce:
/// `qacc_smooth = M⁻¹ qfrc_smooth`. What sleeps keeps both.
#[doc(alias = "mj_fwdAcceleration")]
pub fn fwd_acceleration(model: &Model, data: &mut Data) {
    let mut force = std::mem::take(&mut data.work.dof);
    let awake = awake!(model, data);
    if !awake.all() {
        force.copy_from_slice(&data.qfrc_smooth);
    }
    let (passive, bias) = (&data.qfrc_passive[..model.nv], &data.qfrc_bias[..model.nv]);
    let (applied, actuator) = (&data.qfrc_applied[..model.nv], &data.qfrc_actuator[..model.nv]);
    let sums = &mut force[..model.nv];
    awake.dofs().for_each(|dof| {
        sums[dof] = passive[dof] - bias[dof] + applied[dof] + actuator[dof];
    });
    xfrc_accumulate(model, data, &mut force);
    data.qfrc_smooth.copy_from_slice(&force);
    solve_m_awake(model, data, &mut force);
    let awake = awake!(model, data);
    if awake.all() {
        data.qacc_smooth.copy_from_slice(&force);
    } else {
        awake.dofs().for_each(|dof| data.qacc_smooth[dof] = force[dof]);
    }
    data.work.dof = force;
}

fn potential_energy(model: &Model, data: &mut Data) {
    // sensors may have asked for it already
    if data.flg_energypos {
        return;
    }
    if model.enabled(Enable::Energy) {
        energy_pos(model, data);
    } else {
        data.energy = [0.0; 2];
    }
}

fn kinetic_energy(model: &Model, data: &mut Data) {
    if model.enabled(Enable::Energy) && !data.flg_energyvel {
        energy_vel(model, data);
    }
}

fn check_pos(model: &Model, data: &mut Data) {
    if let Some(i) = first_bad(&data.qpos) {
        diverged(model, data, Warning::BadQpos, i);
    }
}

fn check_vel(model: &Model, data: &mut Data) {
    if let Some(i) = first_bad_awake(model, data, &data.qvel) {
        diverged(model, data, Warning::BadQvel, i);
    }
}

fn check_acc(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    if let Some(i) = first_bad_awake(model, data, &data.qacc) {
        diverged(model, data, Warning::BadQacc, i);
        if !model.disabled(Disable::AutoReset) {
            forward_with(model, data, user);
        }
    }
}

/// The first dof that is awake and has an unusable value in `x`.
fn first_bad_awake(model: &Model, data: &Data, x: &[f64]) -> Option<usize> {
    let awake = awake!(model, data);
    if awake.all() { first_bad(x) } else { awake.dofs().find(|&dof| is_bad(x[dof])) }
}

/// Counts a warning about element `i` of the state, and resets unless that is disabled. The
/// counter reads 1 after a reset and rises by 2 without one, as in the reference.
fn diverged(model: &Model, data: &mut Data, warning: Warning, i: usize) {
    data.warning[warning as usize].number += 1;
    if !model.disabled(Disable::AutoReset) {
        data.reset(model);
    }
    let stat = &mut data.warning[warning as usize];
    stat.number += 1;
    stat.lastinfo = i as i32;
}
