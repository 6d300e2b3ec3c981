use super::DerivativeError;
use super::acceleration::{Acceleration, clear};
use super::parameter::Parameter;
use super::quat::quat_integrate;
use super::transition::Smoothness;
use crate::actuation::next_activation;
use crate::callbacks::NoCallbacks;
use crate::forward::{forward, forward_without_sensors};
use crate::integrate::{NODES, WEIGHTS, integrate_pos};
use crate::math::{Mat3, Vec3, axpy};
use crate::model::JointType;
use crate::{Data, Model};

/// The derivative of a Runge-Kutta step: those of its four stages, chained.
#[derive(Debug, Clone, Default)]
pub(super) struct RungeKutta {
    qpos: Vec<f64>,
    qvel: Vec<f64>,
    act: Vec<f64>,
    /// Velocity of the stage, weighted sums of velocities and rates of activations.
    velocity: Vec<f64>,
    mean: Vec<f64>,
    mean_act: Vec<f64>,
    /// Derivatives of the state of a stage by all inputs, by rows.
    pos_by: Vec<f64>,
    vel_by: Vec<f64>,
    act_by: Vec<f64>,
    acc_by: Vec<f64>,
    rate_by: Vec<f64>,
    /// Weighted sums of those of velocities, accelerations and rates.
    mean_by: Vec<f64>,
    pub(super) sum_by: Vec<f64>,
    mean_rate_by: Vec<f64>,
}

impl RungeKutta {
    /// Computes `A` and `B` from the state, which is that of `data` on return too.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        data: &mut Data,
        acceleration: &mut Acceleration,
        parameters: &[Parameter],
        [a, b, p]: [&mut Vec<f64>; 3],
    ) -> Result<Smoothness, DerivativeError> {
        let time = data.time;
        self.qpos.clone_from(&data.qpos);
        self.qvel.clone_from(&data.qvel);
        self.act.clone_from(&data.act);
        let result = self.stages(model, data, acceleration, parameters, time);
        // back to where it started
        data.time = time;
        data.qpos.copy_from_slice(&self.qpos);
        data.qvel.copy_from_slice(&self.qvel);
        data.act.copy_from_slice(&self.act);
        forward(model, data);
        let smooth = result?;
        self.write(model, data, acceleration, [a, b, p], parameters.len());
        Ok(smooth)
    }

    fn stages(
        &mut self,
        model: &Model,
        data: &mut Data,
        acceleration: &mut Acceleration,
        parameters: &[Parameter],
        time: f64,
    ) -> Result<Smoothness, DerivativeError> {
        let (nv, na, h) = (model.nv, model.na, model.opt.timestep);
        acceleration.compute(model, data, parameters)?;
        let width = acceleration.system.width;
        let sized = [
            (&mut self.pos_by, nv),
            (&mut self.vel_by, nv),
            (&mut self.act_by, na),
            (&mut self.acc_by, nv),
            (&mut self.rate_by, na),
            (&mut self.mean_by, nv),
            (&mut self.sum_by, nv),
            (&mut self.mean_rate_by, na),
        ];
        sized.into_iter().for_each(|(values, rows)| clear(values, rows * width, 0.0));
        clear(&mut self.mean, nv, 0.0);
        clear(&mut self.mean_act, na, 0.0);
        for dof in 0..nv {
            self.pos_by[dof * width + dof] = 1.0;
            self.vel_by[dof * width + nv + dof] = 1.0;
        }
        (0..na).for_each(|act| self.act_by[act * width + 2 * nv + act] = 1.0);

        // the worst of all stages
        let mut smooth = acceleration.smoothness(data);
        for (stage, weight) in WEIGHTS.into_iter().enumerate() {
            if stage > 0 {
                acceleration.compute(model, data, parameters)?;
                smooth = smooth.and(acceleration.smoothness(data));
            }
            self.chain(model, acceleration, width);
            axpy(&mut self.mean, weight, &data.qvel);
            axpy(&mut self.mean_act, weight, &data.act_dot);
            axpy(&mut self.mean_by, weight, &self.vel_by);
            axpy(&mut self.sum_by, weight, &self.acc_by);
            axpy(&mut self.mean_rate_by, weight, &self.rate_by);
            let Some(&node) = NODES.get(stage) else { break };

            // the next stage starts at the initial state and moves along these slopes
            self.velocity.clear();
            self.velocity.extend(data.qvel.iter().map(|v| node * v));
            positions(model, &mut self.pos_by, &self.vel_by, width, &self.velocity, node, h);
            self.vel_by.fill(0.0);
            (0..nv).for_each(|dof| self.vel_by[dof * width + nv + dof] = 1.0);
            axpy(&mut self.vel_by, h * node, &self.acc_by);
            self.act_by.fill(0.0);
            (0..na).for_each(|act| self.act_by[act * width + 2 * nv + act] = 1.0);
            axpy(&mut self.act_by, h * node, &self.rate_by);

            data.qpos.copy_from_slice(&self.qpos);
            integrate_pos(model, &mut data.qpos, &self.velocity, h);
            data.qvel.copy_from_slice(&self.qvel);
            axpy(&mut data.qvel, h * node, &data.qacc);
            data.act.copy_from_slice(&self.act);
            axpy(&mut data.act, h * node, &data.act_dot);
            data.time = time + node * h;
            forward_without_sensors(model, data, &mut NoCallbacks);
        }
        Ok(smooth)
    }

    /// Derivatives of acceleration and rates of a stage by the inputs of the step.
    fn chain(&mut self, model: &Model, acceleration: &Acceleration, width: usize) {
        let (nv, na) = (model.nv, model.na);
        let inputs = 2 * nv + na;
        for dof in 0..nv {
            let by = &acceleration.system.values[dof * width..(dof + 1) * width];
            let out = &mut self.acc_by[dof * width..(dof + 1) * width];
            out.fill(0.0);
            out[inputs..].copy_from_slice(&by[inputs..]);
            for k in 0..nv {
                axpy(out, by[k], &self.pos_by[k * width..(k + 1) * width]);
                axpy(out, by[nv + k], &self.vel_by[k * width..(k + 1) * width]);
            }
            for k in 0..na {
                axpy(out, by[2 * nv + k], &self.act_by[k * width..(k + 1) * width]);
            }
        }
        self.rate_by.fill(0.0);
        for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
            if let Some(act) = response.act {
                let row = act * width..(act + 1) * width;
                axpy(&mut self.rate_by[row.clone()], response.rate_by_act, &self.act_by[row]);
                self.rate_by[act * width + inputs + actuator] += response.rate_by_ctrl;
            }
        }
    }

    fn write(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        [a, b, p]: [&mut Vec<f64>; 3],
        np: usize,
    ) {
        let (nv, na, nu, h) = (model.nv, model.na, model.nu, model.opt.timestep);
        let (n, width) = (2 * nv + na, acceleration.system.width);
        a.resize(n * n, 0.0);
        b.resize(n * nu, 0.0);
        p.resize(n * np, 0.0);
        positions(model, &mut self.pos_by, &self.mean_by, width, &self.mean, 1.0, h);
        self.vel_by.fill(0.0);
        (0..nv).for_each(|dof| self.vel_by[dof * width + nv + dof] = 1.0);
        axpy(&mut self.vel_by, h, &self.sum_by);
        // activations, as far as they are not at their limits
        self.act_by.fill(0.0);
        (0..na).for_each(|act| self.act_by[act * width + 2 * nv + act] = 1.0);
        for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
            let Some(act) = response.act else { continue };
            let row = act * width..(act + 1) * width;
            if response.step == 0.0 {
                continue;
            }
            let rate = self.mean_act[act];
            let free = data.act[act] + response.step * rate;
            let next = next_activation(model, data, actuator, act, rate);
            if (free - next).abs() > 1e-12 * (1.0 + free.abs()) {
                self.act_by[row].fill(0.0);
            } else {
                axpy(&mut self.act_by[row.clone()], response.step, &self.mean_rate_by[row]);
            }
        }
        let parts = [(&self.pos_by, 0, nv), (&self.vel_by, nv, nv), (&self.act_by, 2 * nv, na)];
        for (values, first, count) in parts {
            for i in 0..count {
                let row = &values[i * width..(i + 1) * width];
                a[(first + i) * n..(first + i + 1) * n].copy_from_slice(&row[..n]);
                b[(first + i) * nu..(first + i + 1) * nu].copy_from_slice(&row[n..n + nu]);
                p[(first + i) * np..(first + i + 1) * np].copy_from_slice(&row[n + nu..][..np]);
            }
        }
    }
}

/// Derivatives of positions that start at the initial ones and move with `velocity`, which already
/// has the factor `node`, for the time `h`; `vel_by` lacks that factor.
fn positions(
    model: &Model,
    pos_by: &mut [f64],
    vel_by: &[f64],
    width: usize,
    velocity: &[f64],
    node: f64,
    h: f64,
) {
    pos_by.fill(0.0);
    axpy(pos_by, node * h, vel_by);
    (0..model.nv).for_each(|dof| pos_by[dof * width + dof] += 1.0);
    for jnt in 0..model.njnt {
        let dof = match model.jnt_kind(jnt) {
            JointType::Free => model.jnt_dofadr[jnt] as usize + 3,
            JointType::Ball => model.jnt_dofadr[jnt] as usize,
            JointType::Slide | JointType::Hinge => continue,
        };
        let turn =
            quat_integrate(Vec3::new(velocity[dof], velocity[dof + 1], velocity[dof + 2]), h);
        mix(
            &mut pos_by[dof * width..(dof + 3) * width],
            &vel_by[dof * width..],
            width,
            turn.by_vel,
            node * h,
        );
        for i in 0..3 {
            for k in 0..3 {
                pos_by[(dof + i) * width + dof + k] += turn.by_quat[(i, k)];
            }
        }
    }
}

/// Computes three rows as `factor by` times three others.
pub(super) fn mix(out: &mut [f64], from: &[f64], width: usize, by: Mat3, factor: f64) {
    for i in 0..3 {
        for c in 0..width {
            let sum: f64 = (0..3).map(|k| by[(i, k)] * from[k * width + c]).sum();
            out[i * width + c] = factor * sum;
        }
    }
}
