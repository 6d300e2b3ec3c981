use super::{advance, integrate_pos};
use crate::callbacks::Callbacks;
use crate::data::RungeKutta;
use crate::forward::forward_without_sensors;
use crate::math::axpy;
use crate::{Data, Model};

/// How far along the interval the second, third and fourth slopes are taken.
pub(crate) const NODES: [f64; 3] = [0.5, 0.5, 1.0];
/// Weights of the four slopes.
pub(crate) const WEIGHTS: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Advances the state by the classical fourth-order Runge-Kutta method. Runs after `forward`.
///
/// Every stage starts at the initial state and moves along the previous slope; quaternions are
/// turned once per stage. The reported quantities are those of the last stage.
#[doc(alias = "mj_RungeKutta")]
pub fn rk4(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    let (dt, time) = (model.opt.timestep, data.time);
    let mut rk = std::mem::take(&mut data.work.rk);
    rk.qpos.copy_from_slice(&data.qpos);
    rk.qvel.copy_from_slice(&data.qvel);
    rk.act.copy_from_slice(&data.act);
    rk.slope_pos.fill(0.0);
    rk.slope_vel.fill(0.0);
    rk.slope_act.fill(0.0);
    rk.add_slope(data, WEIGHTS[0]);

    for (node, weight) in NODES.into_iter().zip(&WEIGHTS[1..]) {
        // from the start along the slope that was found last
        rk.velocity.fill(0.0);
        axpy(&mut rk.velocity, node, &data.qvel);
        data.qpos.copy_from_slice(&rk.qpos);
        integrate_pos(model, &mut data.qpos, &rk.velocity, dt);
        data.qvel.copy_from_slice(&rk.qvel);
        axpy(&mut data.qvel, dt * node, &data.qacc);
        data.act.copy_from_slice(&rk.act);
        axpy(&mut data.act, dt * node, &data.act_dot);
        data.time = time + node * dt;

        forward_without_sensors(model, data, user);
        rk.add_slope(data, *weight);
    }

    data.time = time;
    data.qpos.copy_from_slice(&rk.qpos);
    data.qvel.copy_from_slice(&rk.qvel);
    data.act.copy_from_slice(&rk.act);
    advance(model, data, &rk.slope_vel, Some(&rk), user);
    data.work.rk = rk;
}

impl RungeKutta {
    /// Adds the current rates of change to the weighted sums.
    fn add_slope(&mut self, data: &Data, weight: f64) {
        axpy(&mut self.slope_pos, weight, &data.qvel);
        axpy(&mut self.slope_vel, weight, &data.qacc);
        axpy(&mut self.slope_act, weight, &data.act_dot);
    }
}
