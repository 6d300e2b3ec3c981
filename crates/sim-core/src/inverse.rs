//! Inverse dynamics: from accelerations to forces.

use crate::callbacks::Callbacks;
use crate::derivative::{Covers, smooth_vel};
use crate::math::dot;
use crate::model::{Disable, Enable, Integrator};
use crate::sensor::sensor_acc;
use crate::smooth::{mul_m, rne_into, solve_m, tendon_bias_into, xfrc_accumulate};
use crate::solver::inv_constraint;
use crate::{Data, Model};

/// What inverse dynamics overwrites, kept by [`compare_fwd_inv`].
#[derive(Debug, Clone, Default)]
pub(crate) struct Forward {
    applied: Vec<f64>,
    constraint: Vec<f64>,
    rows: Vec<f64>,
}

/// Computes `qfrc_inverse` and the sensors of acceleration. Runs after `fwd_velocity`.
///
/// With the discrete option, `qacc` is the change of velocity over a step rather than the
/// acceleration that the integrator started from.
pub(crate) fn inverse_acceleration(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    let mut qacc = std::mem::take(&mut data.work.qacc);
    qacc.copy_from_slice(&data.qacc);
    inverse_force(model, data);
    data.flg_rnepost = false;
    sensor_acc(model, data, user);
    data.qacc.copy_from_slice(&qacc);
    data.work.qacc = qacc;
}

/// [`inverse_acceleration`] without sensors.
pub(crate) fn inverse_acceleration_only(model: &Model, data: &mut Data) {
    let mut qacc = std::mem::take(&mut data.work.qacc);
    qacc.copy_from_slice(&data.qacc);
    inverse_force(model, data);
    data.qacc.copy_from_slice(&qacc);
    data.work.qacc = qacc;
}

/// Compares forward with inverse dynamics: `solver_fwdinv` becomes how far the forces of
/// constraints and the applied forces are apart. Runs after `forward`, whose forces and
/// accelerations are left as they were.
#[doc(alias = "mj_compareFwdInv")]
pub fn compare_fwd_inv(model: &Model, data: &mut Data) {
    data.solver_fwdinv = [0.0; 2];
    if data.nefc == 0 {
        return;
    }
    let mut qacc = std::mem::take(&mut data.work.qacc);
    let mut forward = std::mem::take(&mut data.work.forward);
    qacc.copy_from_slice(&data.qacc);
    forward.constraint.clone_from(&data.qfrc_constraint);
    forward.rows.clone_from(&data.efc_force);
    forward.applied.clear();
    let inputs = data.qfrc_applied.iter().zip(&data.qfrc_actuator);
    forward.applied.extend(inputs.map(|(applied, actuator)| applied + actuator));
    xfrc_accumulate(model, data, &mut forward.applied);

    inverse_force(model, data);
    data.solver_fwdinv = [
        distance(&mut data.work.dof, &forward.constraint, &data.qfrc_constraint),
        distance(&mut data.work.dof, &forward.applied, &data.qfrc_inverse),
    ];

    data.qacc.copy_from_slice(&qacc);
    data.qfrc_constraint.copy_from_slice(&forward.constraint);
    data.efc_force.copy_from_slice(&forward.rows);
    data.work.qacc = qacc;
    data.work.forward = forward;
}

/// The norm of `a − b`.
fn distance(difference: &mut [f64], a: &[f64], b: &[f64]) -> f64 {
    for (out, (a, b)) in difference.iter_mut().zip(a.iter().zip(b)) {
        *out = a - b;
    }
    dot(difference, difference).sqrt()
}

/// Computes `qfrc_inverse = M qacc + bias − qfrc_passive − qfrc_constraint`; with the discrete
/// option, `qacc` is replaced by the acceleration that the integrator starts from.
fn inverse_force(model: &Model, data: &mut Data) {
    if model.enabled(Enable::InvDiscrete) {
        continuous_acceleration(model, data);
    }
    inv_constraint(model, data);

    let mut force = std::mem::take(&mut data.work.force);
    // what sleeps adds to what it had
    force.copy_from_slice(&data.qfrc_inverse);
    rne_into(model, data, &mut force);
    tendon_bias_into(model, data, &mut force);
    let mut product = std::mem::take(&mut data.work.dof);
    mul_m(model, data, &mut product, &data.qacc);
    for dof in 0..model.nv {
        force[dof] += product[dof] - data.qfrc_passive[dof] - data.qfrc_constraint[dof];
    }
    data.work.dof = product;
    data.qfrc_inverse.copy_from_slice(&force);
    data.work.force = force;
}

/// Replaces the acceleration over a step in `qacc` by the one that an implicit integrator turns
/// into it: `M⁻¹ (M − h D) qacc`.
fn continuous_acceleration(model: &Model, data: &mut Data) {
    let dt = model.opt.timestep;
    let mut force = std::mem::take(&mut data.work.dof);
    mul_m(model, data, &mut force, &data.qacc);
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Implicit) => {
            smooth_vel(model, data, Covers::ForcesAndBias);
            for dof in 0..model.nv {
                for adr in model.d_row(dof) {
                    force[dof] -= dt * data.qDeriv[adr] * data.qacc[model.D_colind[adr] as usize];
                }
            }
        }
        Some(Integrator::ImplicitFast) => {
            smooth_vel(model, data, Covers::Forces);
            // as far as the mass matrix has entries; one side of the diagonal stands for both
            for dof in 0..model.nv {
                for adr in model.m_row(dof) {
                    let other = model.M_colind[adr] as usize;
                    let deriv = dt * data.qDeriv[model.mapD2M[adr] as usize];
                    force[dof] -= deriv * data.qacc[other];
                    if other != dof {
                        force[other] -= deriv * data.qacc[dof];
                    }
                }
            }
        }
        // the others have no discrete inverse; they are left as they are
        Some(Integrator::Euler | Integrator::Rk4 | Integrator::Discrete) | None => {
            let damped = !model.disabled(Disable::EulerDamp)
                && model.opt.integrator == Integrator::Euler as i32;
            if damped {
                for dof in 0..model.nv {
                    force[dof] += dt * model.dof_damping[dof] * data.qacc[dof];
                }
            }
        }
    }
    solve_m(model, data, &mut force);
    data.qacc.copy_from_slice(&force);
    data.work.dof = force;
}
