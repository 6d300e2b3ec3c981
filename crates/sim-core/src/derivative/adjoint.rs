//! Products of the derivative of a step with vectors from either side.

use super::DerivativeError;
use super::acceleration::{Acceleration, clear, gravity, pushes};
use super::contact::add_gradients;
use super::fluid::drag_by_velocity;
use super::parameter::{Field, Parameter};
use super::quat::quat_integrate;
use super::transition::{Smoothness, SolvedFor, Transition, check, has_medium, transition};
use super::tree::{TreeGradient, body_accelerations};
use crate::math::{Force, Motion, Vec3, axpy, dot};
use crate::model::{Integrator, JointType};
use crate::smooth::mul_m;
use crate::solver::{Solved, keep_systems};
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
    /// By the parameters of the [`Transition`].
    pub parameters: Vec<f64>,
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
    /// Change of the parameters of the [`Transition`].
    pub parameters: &'a [f64],
}

/// Computes the vector-Jacobian product of a step: from the derivatives `of` a scalar by the next
/// state to those by the state, the control and the parameters before. Runs after `forward`.
///
/// With the Jacobian `F` of integration by the new velocity, the integrator's matrix `Ĥ`, the
/// solver's Hessian `H` and the derivatives `r` of forces at fixed acceleration:
/// ```text
/// y = Ĥ⁻ᵀ h (λ_v + Fᵀ λ_q)        z = H⁻¹ M y        gradient = direct terms + zᵀ r + yᵀ ∂Ĥ a
/// ```
/// No matrix of derivatives is formed: `zᵀ r` is summed over subtrees, contacts and rows. Under the
/// Runge-Kutta integrator it is the product with the matrices of [`transition`].
pub fn vjp(
    model: &Model,
    data: &mut Data,
    of: Cotangent<'_>,
    scratch: &mut Transition,
    out: &mut Gradient,
) -> Result<Smoothness, DerivativeError> {
    let (nv, na, nu, h) = (model.nv, model.na, model.nu, model.opt.timestep);
    let np = scratch.parameters.len();
    let sized = [
        (&mut out.qpos, nv),
        (&mut out.qvel, nv),
        (&mut out.act, na),
        (&mut out.ctrl, nu),
        (&mut out.parameters, np),
    ];
    sized.into_iter().for_each(|(vector, len)| clear(vector, len, 0.0));
    if model.opt.integrator == Integrator::Rk4 as i32 {
        return products_of_rows(model, data, of, scratch, out);
    }
    check(model, data)?;
    super::parameter::check(model, &scratch.parameters)?;
    let Transition { acceleration, integral, parameters, adjoint, .. } = scratch;
    let Adjoint { gradient, weight, solution } = adjoint;
    let Gradient { qpos, qvel, parameters: by_parameters, .. } = out;
    acceleration.respond(model, data)?;
    integral.prepare(model, data, parameters, SolvedFor::Vectors)?;

    // through positions to the new velocities
    weight.clear();
    weight.extend_from_slice(of.qvel);
    qpos.copy_from_slice(of.qpos);
    axpy(weight, h, of.qpos);
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
    qvel.copy_from_slice(weight);
    for (at, parameter) in parameters.iter().enumerate() {
        if parameter.field == Field::Timestep {
            let further = |dof: usize| {
                let next = data.qvel[dof] + h * integral.acc[dof];
                weight[dof] * integral.acc[dof] + (weight[dof] - of.qvel[dof]) / h * next
            };
            by_parameters[at] = (0..nv).map(further).sum();
        }
    }

    // through the integrator and the solver to forces
    weight.iter_mut().for_each(|x| *x *= h);
    solution.clone_from(weight);
    if integral.implicit {
        integral.solve_transposed(model, data, weight);
    }
    if integral.implicit && !acceleration.responds() {
        // the Hessian is M
        solution.copy_from_slice(weight);
    } else {
        if integral.implicit {
            mul_m(model, data, solution, weight);
        }
        let mut solved = Solved::take(model, data);
        solved.solve_hessian(model, data, solution);
        solved.give_back(data);
        // the next solve leaves all of its systems
        keep_systems(data, true);
    }

    // through forces to inputs
    acceleration.system.clear_sum(nv, na, nu, np, solution);
    gradient.clear(model, data, solution);
    let merged = integral.merges(acceleration, parameters);
    let acc = if merged { &integral.acc } else { &data.qacc };
    acceleration.add_gradient(model, data, acc, parameters, gradient)?;
    add_row(&acceleration.system.values, [nv, na, nu, np], out);
    if integral.implicit {
        integral.add_gradient(model, data, acceleration, parameters, weight, merged, gradient)?;
        add_row(&integral.system.values, [nv, na, nu, np], out);
    }

    // activations
    let Gradient { act, ctrl, parameters: by_parameters, .. } = out;
    axpy(act, 1.0, of.act);
    for (actuator, response) in acceleration.actuators.responses.iter().enumerate() {
        if let Some(id) = response.act {
            act[id] += (response.next_by_act - 1.0) * of.act[id];
            ctrl[actuator] += response.next_by_ctrl * of.act[id];
            for (at, parameter) in parameters.iter().enumerate() {
                if parameter.field == Field::Timestep {
                    by_parameters[at] += response.next_by_time * of.act[id];
                }
            }
        }
    }
    Ok(acceleration.smoothness(data))
}

/// Scratch of [`vjp`].
#[derive(Debug, Clone, Default)]
pub(super) struct Adjoint {
    gradient: TreeGradient,
    weight: Vec<f64>,
    solution: Vec<f64>,
}

/// Adds a row of derivatives by positions, velocities, activations, controls and parameters.
fn add_row(row: &[f64], [nv, na, nu, np]: [usize; 4], out: &mut Gradient) {
    let mut first = 0;
    let parts = [
        (&mut out.qpos, nv),
        (&mut out.qvel, nv),
        (&mut out.act, na),
        (&mut out.ctrl, nu),
        (&mut out.parameters, np),
    ];
    for (part, count) in parts {
        axpy(part, 1.0, &row[first..first + count]);
        first += count;
    }
}

impl Acceleration {
    /// Adds the gradients of all forces at fixed acceleration to the sum of the system, those of inertia
    /// at joint accelerations `a`. Runs after [`respond`](Acceleration::respond).
    fn add_gradient(
        &mut self,
        model: &Model,
        data: &Data,
        a: &[f64],
        parameters: &[Parameter],
        gradient: &mut TreeGradient,
    ) -> Result<(), DerivativeError> {
        let v = &data.qvel[..];
        let acc = &mut self.inertial.acc;
        body_accelerations(model, data, a, Some((&self.vel, v)), gravity(model), acc);
        gradient.add_inertial(model, data, &self.inertial.acc, Some(&self.vel.body));

        self.add_forces(model, data, Some(gradient))?;
        let response = |contact| self.contact_weight(data, contact);
        let motions = (&self.acc, &self.vel);
        let found = add_gradients(model, data, motions, response, gradient);
        (self.contacts.approximate, self.contacts.nearest_feature) = found;
        pushes(model, data, |body, offset, push, torque| {
            gradient.add_push(body, offset, push, torque);
        });
        if has_medium(model) {
            let wind = Motion::linear(model.opt.wind);
            drag_by_velocity(model, data, |body, wrench, map| {
                gradient.add_riding(body, wrench);
                let weight = gradient.weight[body];
                let gradient = &mut gradient.body[body];
                gradient.vel += map.transpose_mul(weight);
                gradient.motion += map.crossed(wind).transpose_mul(weight);
            });
        }
        for body in 1..model.nbody {
            if self.outer[body] != Force::ZERO {
                gradient.add_wrench(body, self.outer[body]);
            }
            gradient.add_riding(body, self.riding[body]);
        }

        let (acc, vel) = ((&self.inertial.acc[..], a), Some((&self.vel, v)));
        gradient.add_to(model, data, &self.blocks, acc, vel, (1.0, 1.0), self.system.sums());
        gradient.add_through_acc(model, &self.acc, 1.0, self.system.sums().0);
        self.parameters(model, data, parameters);
        Ok(())
    }
}

/// The product of a vector with the matrices of the step.
fn products_of_rows(
    model: &Model,
    data: &mut Data,
    of: Cotangent<'_>,
    scratch: &mut Transition,
    out: &mut Gradient,
) -> Result<Smoothness, DerivativeError> {
    let smooth = transition(model, data, scratch)?;
    let (nv, na, nu) = (model.nv, model.na, model.nu);
    let (n, np) = (2 * nv + na, scratch.parameters.len());
    for (i, &weight) in of.qpos.iter().chain(of.qvel).chain(of.act).enumerate() {
        let row = &scratch.a[i * n..(i + 1) * n];
        axpy(&mut out.qpos, weight, &row[..nv]);
        axpy(&mut out.qvel, weight, &row[nv..2 * nv]);
        axpy(&mut out.act, weight, &row[2 * nv..]);
        axpy(&mut out.ctrl, weight, &scratch.b[i * nu..(i + 1) * nu]);
        axpy(&mut out.parameters, weight, &scratch.p[i * np..(i + 1) * np]);
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
    let smooth = transition(model, data, scratch)?;
    let (nu, np) = (model.nu, scratch.parameters.len());
    let n = 2 * model.nv + model.na;
    clear(out, n, 0.0);
    let (nv, na) = (model.nv, model.na);
    for (i, out) in out.iter_mut().enumerate() {
        let row = &scratch.a[i * n..(i + 1) * n];
        *out = dot(&row[..nv], along.qpos)
            + dot(&row[nv..2 * nv], along.qvel)
            + dot(&row[2 * nv..2 * nv + na], along.act)
            + dot(&scratch.b[i * nu..(i + 1) * nu], along.ctrl)
            + dot(&scratch.p[i * np..(i + 1) * np], along.parameters);
    }
    Ok(smooth)
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
