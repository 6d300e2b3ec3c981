//! Integration: from accelerations to the next state.

mod euler;
mod rk4;

pub(crate) use euler::euler;
pub(crate) use rk4::rk4;

use crate::math::{Quat, Vec3, axpy};
use crate::model::JointType;
use crate::{Data, Model};

/// Advances `qpos` by the velocity `qvel` over the time `dt`; quaternions turn on the sphere.
#[doc(alias = "mj_integratePos")]
pub fn integrate_pos(model: &Model, qpos: &mut [f64], qvel: &[f64], dt: f64) {
    for jnt in 0..model.njnt {
        let (mut adr, mut dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
        let kind = model.jnt_kind(jnt);
        match kind {
            JointType::Slide | JointType::Hinge => qpos[adr] += dt * qvel[dof],
            JointType::Free | JointType::Ball => {
                if kind == JointType::Free {
                    axpy(&mut qpos[adr..adr + 3], dt, &qvel[dof..dof + 3]);
                    adr += 3;
                    dof += 3;
                }
                let quat = &mut qpos[adr..adr + 4];
                let velocity = Vec3::new(qvel[dof], qvel[dof + 1], qvel[dof + 2]);
                let turned = Quat::new(quat[0], quat[1], quat[2], quat[3]).integrate(velocity, dt);
                quat.copy_from_slice(&turned.to_array());
            }
        }
    }
}

/// Advances velocity by `qacc`, position by the velocity `qvel` (the new velocity if none is
/// given), and time; keeps the acceleration for the next warm start.
fn advance(model: &Model, data: &mut Data, qacc: &[f64], qvel: Option<&[f64]>) {
    let dt = model.opt.timestep;
    axpy(&mut data.qvel, dt, qacc);
    integrate_pos(model, &mut data.qpos, qvel.unwrap_or(&data.qvel), dt);
    data.time += dt;
    data.qacc_warmstart.copy_from_slice(&data.qacc);
}
