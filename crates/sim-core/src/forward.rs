//! The stages of a step, in order. This is the first file to read.

use crate::actuation::{actuator_velocity, fwd_actuation};
use crate::callbacks::{Callbacks, NoCallbacks};
use crate::collision::collision_with;
use crate::constraint::{island, make_constraint, reference_constraint};
use crate::energy::{energy_pos, energy_vel};
use crate::integrate::{Factors, discrete, euler, implicit, implicit_fast, rk4};
use crate::inverse::{compare_fwd_inv, inverse_acceleration, inverse_acceleration_only};
use crate::math::{first_bad, is_bad};
use crate::model::{Disable, Enable, Integrator, Stage, Timer, Warning};
use crate::passive::passive;
use crate::sensor::{sensor_acc, sensor_pos, sensor_vel};
use crate::sleep::{awake, wake_by_collision, wake_by_equality, wake_by_tendon};
use crate::smooth::{
    camlight, com_pos, com_vel, factor_m, flex, flex_velocity, kinematics, make_m, rne,
    solve_m_awake, tendon, tendon_bias, tendon_velocity, transmission, xfrc_accumulate,
};
use crate::solver::{fwd_constraint, project_constraint};
use crate::{Data, Model};

/// Runs stages one after another.
macro_rules! stages {
    ($model:expr, $data:expr; $($stage:ident),+) => {
        $($stage($model, $data); $data.work.end_stage();)+
    };
}

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

/// Asserts that the data was made for a model of these sizes.
fn check_fit(model: &Model, data: &Data) {
    let found =
        [data.qpos.len(), data.qvel.len(), data.ctrl.len(), data.xpos.len(), data.geom_xpos.len()];
    let expected = [model.nq, model.nv, model.nu, model.nbody, model.ngeom];
    assert!(
        found == expected,
        "the data is of another model: it has {found:?} positions, velocities, controls, bodies and \
         geoms, the model {expected:?}; Data::new(&model) makes data of a model"
    );
}

/// [`step`] with what the user adds to it.
pub fn step_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    check_fit(model, data);
    let start = user.time();
    check_pos(model, data);
    check_vel(model, data);
    forward_with(model, data, user);
    check_acc(model, data, user);
    if model.enabled(Enable::FwdInv) {
        compare_fwd_inv(model, data);
    }
    if model.opt.integrator == Integrator::Rk4 as i32 {
        rk4(model, data, user);
    } else {
        integrate_at_once(model, data, Stage::None, user);
    }
    data.stop_timer(Timer::Step, start, user);
}

/// A step after a small change of the state: stages up to `keep`, and sensors unless `sensors`,
/// are left as the last evaluation left them, and so are factorisations that the reference takes
/// not to have changed. Runs after a full step from nearly the same state; not for Runge-Kutta.
#[doc(alias = "mj_stepSkip")]
pub(crate) fn step_again(
    model: &Model,
    data: &mut Data,
    keep: Stage,
    sensors: bool,
    user: &mut dyn Callbacks,
) {
    check_pos(model, data);
    check_vel(model, data);
    forward_again(model, data, keep, sensors, user);
    check_acc(model, data, user);
    if model.enabled(Enable::FwdInv) {
        compare_fwd_inv(model, data);
    }
    integrate_at_once(model, data, keep, user);
}

/// Integrates with one evaluation of the forces. Factorisations that depend on what comes before
/// `keep` are not made anew.
fn integrate_at_once(model: &Model, data: &mut Data, keep: Stage, user: &mut dyn Callbacks) {
    let start = user.time();
    let unless = |stage: Stage| if keep < stage { Factors::Renew } else { Factors::Keep };
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Implicit) => implicit(model, data, unless(Stage::Vel), user),
        Some(Integrator::ImplicitFast) => implicit_fast(model, data, unless(Stage::Vel), user),
        Some(Integrator::Discrete) => discrete(model, data, user),
        Some(Integrator::Euler | Integrator::Rk4) => euler(model, data, unless(Stage::Pos), user),
        None => panic!("unknown integrator {}", model.opt.integrator),
    }
    data.stop_timer(Timer::Advance, start, user);
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
    // the mass matrix may have been changed since the first half
    data.cache.damped.invalidate();
    acceleration_stage(model, data, user);
    sensor_acc(model, data, user);
    check_acc(model, data, user);
    if model.enabled(Enable::FwdInv) {
        compare_fwd_inv(model, data);
    }
    integrate_at_once(model, data, Stage::None, user);
}

/// [`forward`] with what the user adds to it.
pub fn forward_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    check_fit(model, data);
    let start = user.time();
    position_stage(model, data, user);
    forward_from_velocity(model, data, user);
    data.stop_timer(Timer::Forward, start, user);
}

/// [`forward_with`] after a change: stages up to `keep`, and sensors unless `sensors`, are left as
/// the last evaluation left them.
#[doc(alias = "mj_forwardSkip")]
pub fn forward_again(
    model: &Model,
    data: &mut Data,
    keep: Stage,
    sensors: bool,
    user: &mut dyn Callbacks,
) {
    if keep < Stage::Pos {
        fwd_position(model, data, user);
        if sensors {
            sensor_pos(model, data, user);
        }
        potential_energy(model, data);
    }
    if keep < Stage::Vel {
        fwd_velocity(model, data, user);
        if sensors {
            sensor_vel(model, data, user);
        }
        kinetic_energy(model, data);
    }
    if !model.disabled(Disable::Actuation) {
        user.control(model, data);
    }
    acceleration_stage(model, data, user);
    if sensors {
        data.flg_rnepost = false;
        sensor_acc(model, data, user);
    }
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
    let start = user.time();
    inv_position(model, data, user);
    sensor_pos(model, data, user);
    if model.enabled(Enable::Energy) {
        potential_energy(model, data);
    }
    velocity_stage(model, data, user);
    inverse_acceleration(model, data, user);
    data.stop_timer(Timer::Inverse, start, user);
}

/// Inverse dynamics after a small change: stages up to `keep`, and sensors unless `sensors`, are
/// left as the last evaluation left them.
#[doc(alias = "mj_inverseSkip")]
pub fn inverse_again(
    model: &Model,
    data: &mut Data,
    keep: Stage,
    sensors: bool,
    user: &mut dyn Callbacks,
) {
    if keep < Stage::Pos {
        inv_position(model, data, user);
        if sensors {
            sensor_pos(model, data, user);
        }
        if model.enabled(Enable::Energy) {
            potential_energy(model, data);
        }
    }
    if keep < Stage::Vel {
        fwd_velocity(model, data, user);
        if sensors {
            sensor_vel(model, data, user);
        }
        kinetic_energy(model, data);
    }
    if sensors {
        inverse_acceleration(model, data, user);
    } else {
        inverse_acceleration_only(model, data);
    }
}

fn position_stage(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    fwd_position(model, data, user);
    sensor_pos(model, data, user);
    stages!(model, data; potential_energy);
}

fn velocity_stage(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    fwd_velocity(model, data, user);
    sensor_vel(model, data, user);
    stages!(model, data; kinetic_energy);
}

fn acceleration_stage(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    let mut lap = user.time();
    fwd_actuation(model, data, user);
    stages!(model, data; fwd_acceleration);
    data.lap_timer(Timer::Actuation, &mut lap, user);
    stages!(model, data; fwd_constraint);
    data.lap_timer(Timer::Constraint, &mut lap, user);
}

/// Computes what depends on position only.
#[doc(alias = "mj_fwdPosition")]
pub fn fwd_position(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    let start = user.time();
    let mut lap = start;
    data.flg_energypos = false;
    fwd_kinematics(model, data);
    if wake_by_tendon(model, data) {
        data.update_sleep(model);
    }
    data.lap_timer(Timer::PosKinematics, &mut lap, user);
    stages!(model, data; make_m, factor_m);
    data.lap_timer(Timer::PosInertia, &mut lap, user);
    collision_with(model, data, user);
    data.work.end_stage();
    if wake_by_collision(model, data) {
        data.update_sleep(model);
        // those that have woken up may touch others
        collision_with(model, data, user);
    }
    if wake_by_equality(model, data) {
        data.update_sleep(model);
    }
    data.lap_timer(Timer::PosCollision, &mut lap, user);
    stages!(model, data; make_constraint, island);
    data.lap_timer(Timer::PosMake, &mut lap, user);
    stages!(model, data; transmission, project_constraint);
    data.lap_timer(Timer::PosProject, &mut lap, user);
    data.stop_timer(Timer::Position, start, user);
}

/// Computes poses, centres of mass and tendons.
#[doc(alias = "mj_fwdKinematics")]
pub fn fwd_kinematics(model: &Model, data: &mut Data) {
    stages!(model, data; kinematics, com_pos, camlight, flex, tendon);
}

/// Computes what depends on position only, as far as inverse dynamics needs it: nothing wakes up,
/// and there are no islands.
#[doc(alias = "mj_invPosition")]
pub fn inv_position(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    data.flg_energypos = false;
    fwd_kinematics(model, data);
    stages!(model, data; make_m, factor_m);
    collision_with(model, data, user);
    stages!(model, data; make_constraint, transmission);
}

/// Computes what depends on position and velocity.
#[doc(alias = "mj_fwdVelocity")]
#[doc(alias = "mj_invVelocity")]
pub fn fwd_velocity(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    let start = user.time();
    data.flg_subtreevel = false;
    data.flg_energyvel = false;
    stages!(model, data; flex_velocity, tendon_velocity, actuator_velocity, com_vel);
    passive(model, data, user);
    stages!(model, data; reference_constraint, rne, tendon_bias);
    data.stop_timer(Timer::Velocity, start, user);
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

/// Checks the position: a number that is unusable counts a warning and resets, unless disabled.
#[doc(alias = "mj_checkPos")]
pub fn check_pos(model: &Model, data: &mut Data) {
    if let Some(i) = first_bad(&data.qpos) {
        diverged(model, data, Warning::BadQpos, i);
    }
}

/// Checks the velocity as [`check_pos`] does the position.
#[doc(alias = "mj_checkVel")]
pub fn check_vel(model: &Model, data: &mut Data) {
    if let Some(i) = first_bad_awake(model, data, &data.qvel) {
        diverged(model, data, Warning::BadQvel, i);
    }
}

/// Checks the acceleration as [`check_pos`] does the position; a reset computes it anew.
#[doc(alias = "mj_checkAcc")]
pub fn check_acc(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
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
