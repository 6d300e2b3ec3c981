use super::{advance, integrate_pos};
use crate::data::Work;
use crate::forward::forward;
use crate::math::axpy;
use crate::{Data, Model};

/// Steps from the start of the interval at which the second, third and fourth slopes are taken.
const NODES: [f64; 3] = [0.5, 0.5, 1.0];
/// Weights of the four slopes.
const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Advances the state by the classical fourth-order Runge-Kutta method. Runs after `forward`.
///
/// Every stage starts at the initial position and moves along the previous slope; quaternions are
/// turned once per stage. The reported quantities are those of the last stage.
#[doc(alias = "mj_RungeKutta")]
pub(crate) fn rk4(model: &Model, data: &mut Data) {
    let (dt, time) = (model.opt.timestep, data.time);
    let Work { rk_qpos, rk_qvel, rk_slope_pos, rk_slope_vel, .. } = &mut data.work;
    rk_qpos.copy_from_slice(&data.qpos);
    rk_qvel.copy_from_slice(&data.qvel);
    rk_slope_pos.fill(0.0);
    rk_slope_vel.fill(0.0);
    axpy(rk_slope_pos, WEIGHTS[0], &data.qvel);
    axpy(rk_slope_vel, WEIGHTS[0], &data.qacc);

    for (node, weight) in NODES.into_iter().zip(&WEIGHTS[1..]) {
        // move from the start along the slope that was found last
        let mut slope = std::mem::take(&mut data.work.dof);
        for dof in 0..model.nv {
            slope[dof] = node * data.qvel[dof];
            data.qvel[dof] = data.work.rk_qvel[dof] + dt * (node * data.qacc[dof]);
        }
        data.qpos.copy_from_slice(&data.work.rk_qpos);
        integrate_pos(model, &mut data.qpos, &slope, dt);
        data.work.dof = slope;
        data.time = time + node * dt;

        forward(model, data);
        axpy(&mut data.work.rk_slope_pos, *weight, &data.qvel);
        axpy(&mut data.work.rk_slope_vel, *weight, &data.qacc);
    }

    data.time = time;
    data.qpos.copy_from_slice(&data.work.rk_qpos);
    data.qvel.copy_from_slice(&data.work.rk_qvel);
    let slope_pos = std::mem::take(&mut data.work.rk_slope_pos);
    let slope_vel = std::mem::take(&mut data.work.rk_slope_vel);
    advance(model, data, &slope_vel, Some(&slope_pos));
    data.work.rk_slope_pos = slope_pos;
    data.work.rk_slope_vel = slope_vel;
}
