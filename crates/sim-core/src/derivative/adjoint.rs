//! Products of the derivative of a step with vectors from either side, without its matrices.

use super::DerivativeError;
use super::quat::quat_integrate;
use super::transition::{Smoothness, Transition, check};
use crate::math::{Vec3, axpy, dot};
use crate::model::{Integrator, JointType};
use crate::smooth::mul_m;
use crate::{Data, Model};

/// Derivatives of a scalar by the next state.
#[derive(Debug, Clone, Copy)]
pub struct Cotangent<'a> {
    /// By the tangent of `qpos`, `nv` numbers.
    pub qpos: &'a [f64],
    /// By `qvel`, `nv` numbers.
    pub qvel: &'a [f64],
    /// By `act`, `na` numbers.
    pub act: &'a [f64],
}

/// Derivatives of a scalar by the state and control before the step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Gradient {
    /// By the tangent of `qpos`.
    pub qpos: Vec<f64>,
    /// By `qvel`.
    pub qvel: Vec<f64>,
    /// By `act`.
    pub act: Vec<f64>,
    /// By `ctrl`.
    pub ctrl: Vec<f64>,
}

/// A direction in the space of state and control.
#[derive(Debug, Clone, Copy)]
pub struct Tangent<'a> {
    /// Tangent of `qpos`, `nv` numbers.
    pub qpos: &'a [f64],
    /// Change of `qvel`, `nv` numbers.
    pub qvel: &'a [f64],
    /// Change of `act`, `na` numbers.
    pub act: &'a [f64],
    /// Change of `ctrl`, `nu` numbers.
    pub ctrl: &'a [f64],
}

/// Computes the vector-Jacobian product of a step: from the derivatives `of` a scalar by the next
/// state to those by the state and control before. Runs after `forward`.
///
/// With the Jacobian `F` of integration by the new velocity, the integrator's matrix `Ĥ`, the
/// solver's Hessian `H` and the derivatives `r` of forces at fixed acceleration:
/// ```text
/// y = Ĥ⁻ᵀ h (λ_v + Fᵀ λ_q)        z = H⁻¹ M y        gradient = direct terms + zᵀ r + yᵀ ∂Ĥ a
/// ```
/// Two solves with one vector each take the place of those with all columns.
pub fn vjp(
    model: &Model,
    data: &mut Data,
    of: Cotangent<'_>,
    scratch: &mut Transition,
    out: &mut Gradient,
) -> Result<Smoothness, DerivativeError> {
    let smooth = assemble(model, data, scratch)?;
    let (nv, na, nu, h) = (model.nv, model.na, model.nu, model.opt.timestep);
    let Transition { acceleration, integral, .. } = scratch;
    let Gradient { qpos, qvel, act, ctrl } = out;
    resize([(qpos, nv), (qvel, nv), (act, na), (ctrl, nu)]);
    let Gradient { qpos, qvel, act, ctrl } = out;

    // through positions to the new velocities
    let mut weight = std::mem::take(&mut acceleration.system.slopes);
    weight.clear();
    weight.extend_from_slice(of.qvel);
    qpos.copy_from_slice(of.qpos);
    axpy(&mut weight, h, of.qpos);
    for jnt in 0..model.njnt {
        let Some(dof) = rotations(model, jnt) else { continue };
        let turn = turning(model, data, &integral.acc, dof);
        let by = Vec3::new(of.qpos[dof], of.qpos[dof + 1], of.qpos[dof + 2]);
        let (by_quat, by_vel) = (turn.by_quat.transpose_mul(by), turn.by_vel.transpose_mul(by));
        for k in 0..3 {
            qpos[dof + k] = by_quat[k];
            weight[dof + k] = of.qvel[dof + k] + h * by_vel[k];
        }
    }
    qvel.copy_from_slice(&weight);

    // through the integrator and the solver to forces
    let mut solution = std::mem::take(&mut acceleration.system.scratch);
    weight.iter_mut().for_each(|x| *x *= h);
    solution.clone_from(&weight);
    if integral.implicit {
        integral.matrix.solve_transposed(&mut weight);
        mul_m(model, data, &mut solution, &weight);
    }
    acceleration.hessian.solve(&mut solution, 1);

    // through forces to inputs
    let width = acceleration.system.width;
    let mut sum = |values: &[f64], factors: &[f64]| {
        for (row, &factor) in values.chunks_exact(width).zip(factors) {
            let (by_pos, rest) = row.split_at(nv);
            let (by_vel, rest) = rest.split_at(nv);
            let (by_act, by_ctrl) = rest.split_at(na);
            axpy(qpos, factor, by_pos);
            axpy(qvel, factor, by_vel);
            axpy(act, factor, by_act);
            axpy(ctrl, factor, &by_ctrl[..nu]);
        }
    };
    sum(&acceleration.system.values, &solution);
    if integral.implicit {
        sum(&integral.values, &weight);
    }
    acceleration.system.slopes = weight;
    acceleration.system.scratch = solution;

    // activations
    axpy(act, 1.0, of.act);
    for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
        if let Some(id) = response.act {
            act[id] += (response.next_by_act - 1.0) * of.act[id];
            ctrl[actuator] += response.next_by_ctrl * of.act[id];
        }
    }
    Ok(smooth)
}

/// Computes the Jacobian-vector product of a step: the change of the next state, written to `out` as
/// tangent of `qpos`, `qvel` and `act`, along a direction. Runs after `forward`.
pub fn jvp(
    model: &Model,
    data: &mut Data,
    along: Tangent<'_>,
    scratch: &mut Transition,
    out: &mut Vec<f64>,
) -> Result<Smoothness, DerivativeError> {
    let smooth = assemble(model, data, scratch)?;
    let (nv, na, h) = (model.nv, model.na, model.opt.timestep);
    let Transition { acceleration, integral, .. } = scratch;
    let width = acceleration.system.width;
    let product = |values: &[f64], out: &mut Vec<f64>| {
        out.clear();
        out.extend(values.chunks_exact(width).map(|row| {
            let (by_pos, rest) = row.split_at(nv);
            let (by_vel, rest) = rest.split_at(nv);
            let (by_act, by_ctrl) = rest.split_at(na);
            dot(by_pos, along.qpos)
                + dot(by_vel, along.qvel)
                + dot(by_act, along.act)
                + dot(&by_ctrl[..model.nu], along.ctrl)
        }));
    };
    let mut change = std::mem::take(&mut acceleration.system.slopes);
    let mut rest = std::mem::take(&mut acceleration.system.scratch);
    product(&acceleration.system.values, &mut change);
    acceleration.hessian.solve(&mut change, 1);
    if integral.implicit {
        product(&integral.values, &mut rest);
        let mut force = std::mem::take(out);
        force.clear();
        force.resize(nv, 0.0);
        mul_m(model, data, &mut force, &change);
        axpy(&mut force, 1.0, &rest);
        integral.matrix.solve(&mut force, 1);
        change.clone_from(&force);
        *out = force;
    }

    out.clear();
    out.resize(2 * nv + na, 0.0);
    let (pos, others) = out.split_at_mut(nv);
    let (vel, act) = others.split_at_mut(nv);
    vel.copy_from_slice(along.qvel);
    axpy(vel, h, &change);
    pos.copy_from_slice(along.qpos);
    axpy(pos, h, vel);
    for jnt in 0..model.njnt {
        let Some(dof) = rotations(model, jnt) else { continue };
        let turn = turning(model, data, &integral.acc, dof);
        let of = |x: &[f64]| Vec3::new(x[dof], x[dof + 1], x[dof + 2]);
        let moved = turn.by_quat * of(along.qpos) + turn.by_vel * of(vel) * h;
        pos[dof..dof + 3].copy_from_slice(&moved.to_array());
    }
    act.copy_from_slice(along.act);
    for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
        if let Some(id) = response.act {
            act[id] =
                response.next_by_act * along.act[id] + response.next_by_ctrl * along.ctrl[actuator];
        }
    }
    acceleration.system.slopes = change;
    acceleration.system.scratch = rest;
    Ok(smooth)
}

/// Computes the derivatives of forces, and factorises both matrices.
fn assemble(
    model: &Model,
    data: &mut Data,
    scratch: &mut Transition,
) -> Result<Smoothness, DerivativeError> {
    check(model, data)?;
    if model.opt.integrator == Integrator::Rk4 as i32 {
        let what = "the Runge-Kutta integrator, in products with vectors,";
        return Err(DerivativeError::Unsupported(what.into()));
    }
    scratch.acceleration.assemble(model, data)?;
    scratch.integral.assemble(model, data, &scratch.acceleration)?;
    Ok(scratch.acceleration.smoothness(data))
}

fn resize(vectors: [(&mut Vec<f64>, usize); 4]) {
    for (vector, len) in vectors {
        vector.clear();
        vector.resize(len, 0.0);
    }
}

/// The first of the three rotations of a joint that has them.
fn rotations(model: &Model, jnt: usize) -> Option<usize> {
    let dof = model.jnt_dofadr[jnt] as usize;
    match model.jnt_kind(jnt) {
        JointType::Free => Some(dof + 3),
        JointType::Ball => Some(dof),
        JointType::Slide | JointType::Hinge => None,
    }
}

/// How the quaternion of a joint turns in the step with acceleration `acc`.
fn turning(model: &Model, data: &Data, acc: &[f64], dof: usize) -> super::QuatIntegrate {
    let h = model.opt.timestep;
    let next = |i: usize| data.qvel[dof + i] + h * acc[dof + i];
    quat_integrate(Vec3::new(next(0), next(1), next(2)), h)
}
