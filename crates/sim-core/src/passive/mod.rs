//! Passive forces: springs, dampers, gravity compensation and the surrounding medium.

mod flex;
pub(crate) mod fluid;

pub(crate) use flex::FlexWork;
use flex::{flex_contacts, flex_forces};
use fluid::fluid;

use crate::callbacks::Callbacks;
use crate::math::{Quat, Vec3};
use crate::model::{Disable, JointType, SleepState};
use crate::sleep::awake;
use crate::smooth::{TendonRow, apply_ft};
use crate::{Data, Model};

/// Computes the passive forces `qfrc_spring`, `qfrc_damper`, `qfrc_gravcomp`, `qfrc_fluid` and
/// their sum `qfrc_passive`. With springs and dampers both disabled, all of them are zero.
#[doc(alias = "mj_passive")]
pub fn passive(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    clear(model, data);
    if !model.disabled(Disable::Spring) {
        joint_springs(model, data);
    }
    joint_dampers(model, data);
    let inelastic = model.disabled(Disable::Spring) && model.disabled(Disable::Damper);
    if model.nflex > 0 && !inelastic {
        flex_forces(model, data);
        flex_contacts(model, data);
    }
    tendon_springs_and_dampers(model, data);
    sum_of_joints(model, data);
    if inelastic {
        return;
    }

    if model.opt.density != 0.0 || model.opt.viscosity != 0.0 {
        let mut qfrc = std::mem::take(&mut data.work.dof);
        qfrc.fill(0.0);
        fluid(model, data, &mut qfrc);
        for dof in awake!(model, data).dofs() {
            data.qfrc_fluid[dof] = qfrc[dof];
            data.qfrc_passive[dof] += qfrc[dof];
        }
        data.work.dof = qfrc;
    }

    if model.ngravcomp > 0 && !model.disabled(Disable::Gravity) && model.opt.gravity.norm() != 0.0 {
        gravity_compensation(model, data);
        for dof in awake!(model, data).dofs() {
            // the others get it through their actuators
            if model.jnt_actgravcomp[model.dof_jntid[dof] as usize] == 0 {
                data.qfrc_passive[dof] += data.qfrc_gravcomp[dof];
            }
        }
    }
    user.passive(model, data);
}

/// Clears the forces that not all dofs have, except on what sleeps.
fn clear(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref mut qfrc_spring, ref mut qfrc_gravcomp, ref mut qfrc_fluid, .. } = *data;
    for forces in [qfrc_spring, qfrc_gravcomp, qfrc_fluid] {
        if awake.all() {
            forces.fill(0.0);
        } else {
            awake.dofs().for_each(|dof| forces[dof] = 0.0);
        }
    }
}

/// Computes `qfrc_damper` of joints.
fn joint_dampers(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let (qvel, damper) = (&data.qvel[..model.nv], &mut data.qfrc_damper[..model.nv]);
    let damping = &model.dof_damping[..model.nv];
    if model.disabled(Disable::Damper) {
        awake.dofs().for_each(|dof| damper[dof] = 0.0);
    } else {
        awake.dofs().for_each(|dof| damper[dof] = -damping[dof] * qvel[dof]);
    }
}

/// Computes `qfrc_passive` from springs and dampers.
fn sum_of_joints(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let (spring, damper) = (&data.qfrc_spring[..model.nv], &data.qfrc_damper[..model.nv]);
    let passive = &mut data.qfrc_passive[..model.nv];
    awake.dofs().for_each(|dof| passive[dof] = spring[dof] + damper[dof]);
}

/// Computes `qfrc_spring` of joints: stiffness times the way back to `qpos_spring`.
fn joint_springs(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let (qpos, rest) = (&data.qpos[..model.nq], &model.qpos_spring[..model.nq]);
    let (stiffness, spring) = (&model.jnt_stiffness[..model.njnt], &mut data.qfrc_spring[..]);
    for jnt in 0..model.njnt {
        let stiffness = stiffness[jnt];
        if stiffness == 0.0 || awake.sleeps(model.jnt_bodyid[jnt] as usize) {
            continue;
        }
        let (mut adr, mut dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
        let kind = model.jnt_kind(jnt);
        match kind {
            JointType::Slide | JointType::Hinge => {
                spring[dof] = -stiffness * (qpos[adr] - rest[adr]);
            }
            JointType::Free | JointType::Ball => {
                if kind == JointType::Free {
                    for i in 0..3 {
                        spring[dof + i] = -stiffness * (qpos[adr + i] - rest[adr + i]);
                    }
                    adr += 3;
                    dof += 3;
                }
                let twist = rotation_from_spring(model, qpos, adr);
                for i in 0..3 {
                    spring[dof + i] = -stiffness * twist[i];
                }
            }
        }
    }
}

/// Adds the springs and dampers of tendons. A spring is slack within its range of rest lengths.
fn tendon_springs_and_dampers(model: &Model, data: &mut Data) {
    let some_sleep = data.some_sleep(model);
    for tendon in 0..model.ntendon {
        if some_sleep && data.tendon_state(model, tendon) != SleepState::Awake {
            continue;
        }
        let (mut spring, mut damper) = (0.0, 0.0);
        if !model.disabled(Disable::Spring) && model.tendon_stiffness[tendon] != 0.0 {
            let length = data.ten_length[tendon];
            let [low, high] = model.tendon_lengthspring[tendon];
            let rest = if length > high { high } else { low.max(length) };
            spring = model.tendon_stiffness[tendon] * (rest - length);
        }
        if !model.disabled(Disable::Damper) {
            damper = -model.tendon_damping[tendon] * data.ten_velocity[tendon];
        }
        if spring != 0.0 || damper != 0.0 {
            let row = TendonRow::new(model, data, tendon);
            for i in 0..row.len() {
                let (dof, value) = row.element(data, i);
                data.qfrc_spring[dof] += value * spring;
                data.qfrc_damper[dof] += value * damper;
            }
        }
    }
}

/// The rotation vector from `qpos_spring` to `qpos`, for the quaternion at `adr`.
pub(crate) fn rotation_from_spring(model: &Model, qpos: &[f64], adr: usize) -> Vec3 {
    let read = |x: &[f64]| Quat::new(x[adr], x[adr + 1], x[adr + 2], x[adr + 3]);
    read(qpos).normalized().difference(read(&model.qpos_spring))
}

/// Computes `qfrc_gravcomp`: forces at the centres of mass that take away a share of the weight.
fn gravity_compensation(model: &Model, data: &mut Data) {
    let mut qfrc = std::mem::take(&mut data.work.dof);
    qfrc.fill(0.0);
    for body in awake!(model, data).bodies().skip(1) {
        let share = model.body_gravcomp[body];
        if share != 0.0 {
            let force = model.opt.gravity * -(model.body_mass[body] * share);
            apply_ft(model, data, force, Vec3::ZERO, data.xipos[body], body, &mut qfrc);
        }
    }
    for dof in awake!(model, data).dofs() {
        data.qfrc_gravcomp[dof] = qfrc[dof];
    }
    data.work.dof = qfrc;
}
