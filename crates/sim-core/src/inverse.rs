//! Inverse dynamics: from accelerations to forces.

use crate::callbacks::NoCallbacks;
use crate::derivative::{Covers, smooth_vel};
use crate::model::{Disable, Enable, Integrator};
use crate::sensor::sensor_acc;
use crate::smooth::{mul_m, rne_into, solve_m, tendon_bias_into};
use crate::solver::inv_constraint;
use crate::{Data, Model};

/// Computes `qfrc_inverse = M qacc + bias − qfrc_passive − qfrc_constraint`. Runs after
/// `fwd_velocity`.
///
/// With the discrete option, `qacc` is the change of velocity over a step rather than the
/// acceleration that the integrator started from.
pub(crate) fn inverse_acceleration(model: &Model, data: &mut Data) {
    let mut qacc = std::mem::take(&mut data.work.qacc);
    qacc.copy_from_slice(&data.qacc);
    if model.enabled(Enable::InvDiscrete) {
        continuous_acceleration(model, data);
    }
    inv_constraint(model, data);

    let mut force = std::mem::take(&mut data.work.force);
    // what sleeps adds to what it had
    force.copy_from_slice(&data.qfrc_inverse);
    rne_into(model, data, &mut force);
    tendon_bias_into(model, data, &mut force);
    data.flg_rnepost = false;
    sensor_acc(model, data, &mut NoCallbacks);

    let mut product = std::mem::take(&mut data.work.dof);
    mul_m(model, data, &mut product, &data.qacc);
    for dof in 0..model.nv {
        force[dof] += product[dof] - data.qfrc_passive[dof] - data.qfrc_constraint[dof];
    }
    data.work.dof = product;
    data.qfrc_inverse.copy_from_slice(&force);
    data.work.force = force;
    data.qacc.copy_from_slice(&qacc);
    data.work.qacc = qacc;
}

/// Replaces the acceleration over a step in `qacc` by the one that an implicit integrator turns
/// into it: `M⁻¹ (M − h D) qacc`.
fn continuous_acceleration(model: &Model, data: &mut Data) {
    let dt = model.opt.timestep;
    let mut force = std::mem::take(&mut data.work.dof);
    mul_m(model, data, &mut force, &data.qacc);
    match Integrator::from_i32(model.opt.integrator) {
        Some(Integrator::Implicit | Integrator::ImplicitFast) => {
            let covers = if model.opt.integrator == Integrator::Implicit as i32 {
                Covers::ForcesAndBias
            } else {
                Covers::Forces
            };
            smooth_vel(model, data, covers);
            for dof in 0..model.nv {
                let start = model.D_rowadr[dof] as usize;
                for adr in start..start + model.D_rownnz[dof] as usize {
                    force[dof] -= dt * data.qDeriv[adr] * data.qacc[model.D_colind[adr] as usize];
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
