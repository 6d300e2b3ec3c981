//! Potential and kinetic energy.

use crate::math::dot;
use crate::model::{Disable, JointType, SleepState};
use crate::passive::rotation_from_spring;
use crate::sleep::awake;
use crate::smooth::mul_m;
use crate::{Data, Model};

/// Computes the potential energy of gravity and springs. Runs after `kinematics`.
#[doc(alias = "mj_energyPos")]
pub fn energy_pos(model: &Model, data: &mut Data) {
    let mut energy = 0.0;
    if !model.disabled(Disable::Gravity) {
        for body in 1..model.nbody {
            energy -= model.body_mass[body] * model.opt.gravity.dot(data.xipos[body]);
        }
    }
    let awake = awake!(model, data);
    if !model.disabled(Disable::Spring) {
        for jnt in 0..model.njnt {
            let stiffness = model.jnt_stiffness[jnt];
            // springs of what sleeps do not count
            if stiffness != 0.0 && !awake.stays(model.jnt_bodyid[jnt] as usize) {
                energy += 0.5 * stiffness * squared_stretch(model, data, jnt);
            }
        }
        for tendon in 0..model.ntendon {
            if !awake.all() && data.tendon_state(model, tendon) != SleepState::Awake {
                continue;
            }
            let length = data.ten_length[tendon];
            let [low, high] = model.tendon_lengthspring[tendon];
            let stretch = if length > high { length - high } else { (low - length).max(0.0) };
            energy += 0.5 * model.tendon_stiffness[tendon] * stretch * stretch;
        }
        // of flexes, only the springs of cables
        for flex in model.flexes().filter(|flex| flex.dim == 1 && !flex.is_rigid()) {
            let stiffness = model.flex_edgestiffness[flex.id];
            for edge in flex.edges.clone().filter(|&edge| model.flexedge_rigid[edge] == 0) {
                let stretch = model.flexedge_length0[edge] - data.flexedge_length[edge];
                energy += 0.5 * stiffness * stretch * stretch;
            }
        }
    }
    data.energy[0] = energy;
    data.flg_energypos = true;
}

/// The squared distance of a joint from where its spring is at rest.
fn squared_stretch(model: &Model, data: &Data, jnt: usize) -> f64 {
    let adr = model.jnt_qposadr[jnt] as usize;
    let stretch = |adr: usize| data.qpos[adr] - model.qpos_spring[adr];
    let twist = |adr: usize| rotation_from_spring(model, &data.qpos, adr);
    match model.jnt_kind(jnt) {
        JointType::Slide | JointType::Hinge => stretch(adr) * stretch(adr),
        JointType::Ball => twist(adr).dot(twist(adr)),
        JointType::Free => {
            let way: f64 = (adr..adr + 3).map(|adr| stretch(adr) * stretch(adr)).sum();
            way + twist(adr + 3).dot(twist(adr + 3))
        }
    }
}

/// Computes the kinetic energy `½ vᵀ M v`. Runs after `crb`.
#[doc(alias = "mj_energyVel")]
pub fn energy_vel(model: &Model, data: &mut Data) {
    let mut momentum = std::mem::take(&mut data.work.dof);
    mul_m(model, data, &mut momentum, &data.qvel);
    data.energy[1] = 0.5 * dot(&momentum, &data.qvel);
    data.work.dof = momentum;
    data.flg_energyvel = true;
}
