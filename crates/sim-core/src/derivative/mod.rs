//! Derivatives: of forces by velocity, as the implicit integrators need them, and of a whole step.
//!
//! | file | has |
//! |---|---|
//! | `finite` | finite differences of a step and of inverse dynamics |
//! | `transition`, `runge_kutta` | exact derivatives of a step: those of `qacc`, taken through the integrator |
//! | `adjoint` | products of these with vectors |
//! | `acceleration` | derivatives of `qacc`: right-hand sides from all forces, one factorised Hessian |
//! | `tree` | inverse dynamics by position and velocity, wrenches on bodies |
//! | `contact`, `feature` | contacts as maps from motions to wrenches; how they move with their geoms |
//! | `row`, `weight` | other constraint rows; how forces respond to residuals |
//! | `tendon`, `wrap`, `actuator`, `fluid` | forces by what they come from |
//! | `sensor` | sensors by all inputs |
//! | `parameter`, `sensitivity` | numbers of the model, and forces by these |
//! | `system`, `linear` | the right-hand sides, and full systems that are solved for them |
//! | `rne` | bias force by velocity, on the pattern of the tree |

mod acceleration;
mod actuator;
mod adjoint;
mod contact;
mod error;
mod feature;
mod finite;
mod fluid;
mod linear;
mod parameter;
mod quat;
mod rne;
mod row;
mod runge_kutta;
mod sensitivity;
mod sensor;
mod system;
mod tendon;
mod transition;
mod tree;
mod weight;
mod wrap;

pub use adjoint::{Cotangent, Gradient, Tangent, jvp, vjp};
pub use error::DerivativeError;
pub use finite::{
    Actuation, Difference, FdScratch, InverseMatrices, Matrices, inverse_fd, inverse_fd_with,
    transition_fd, transition_fd_with,
};
pub use parameter::{Field, Parameter};
pub use quat::{QuatIntegrate, quat_integrate, sub_quat};
pub use transition::{Smoothness, Transition, transition};

use fluid::fluid_vel;
use rne::rne_vel;

use crate::actuation::{actuator_disabled, muscle_gain_vel, next_activation};
use crate::model::{BiasType, Disable, DynType, GainType, range};
use crate::sleep::awake;
use crate::{Data, Model};

/// Which forces a derivative covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Covers {
    /// Actuators and passive forces.
    Forces,
    /// Coriolis and centrifugal forces too.
    ForcesAndBias,
}

/// Computes `qDeriv`, the derivative of all smooth forces by velocity, on the pattern of the tree:
/// coupling across branches is left out. Rows of what sleeps stay. Runs after `fwd_actuation`.
#[doc(alias = "mjd_smooth_vel")]
pub(crate) fn smooth_vel(model: &Model, data: &mut Data, covers: Covers) {
    let awake = awake!(model, data);
    if awake.all() {
        data.qDeriv.fill(0.0);
    } else {
        awake.dofs().for_each(|dof| data.qDeriv[model.d_row(dof)].fill(0.0));
    }
    actuator_vel(model, data);
    passive_vel(model, data);
    if covers == Covers::ForcesAndBias {
        rne_vel(model, data);
    }
}

/// Adds the derivative of actuator forces; those at their limit do not change with velocity.
fn actuator_vel(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Actuation) {
        return;
    }
    let some_sleep = data.some_sleep(model);
    for actuator in 0..model.nu {
        let force = data.actuator_force[actuator];
        let [low, high] = model.actuator_forcerange[actuator];
        let saturated =
            model.actuator_forcelimited[actuator] != 0 && (force <= low || force >= high);
        let sleeps = some_sleep && data.actuator_sleeps(model, actuator);
        if actuator_disabled(model, actuator) || saturated || sleeps {
            continue;
        }
        let slope = force_slope(model, data, actuator);
        if slope != 0.0 {
            for adr in model.moment_row(data, actuator) {
                let (dof, arm) = (data.moment_colind[adr] as usize, data.actuator_moment[adr]);
                data.work.row.add(dof, arm);
            }
            add_square(model, data, slope);
        }
    }
}

/// The derivative of the force of an actuator by its velocity.
fn force_slope(model: &Model, data: &Data, actuator: usize) -> f64 {
    let prm = &model.actuator_gainprm[actuator];
    let gain = match GainType::from_i32(model.actuator_gaintype[actuator]) {
        Some(GainType::Affine) => prm[2],
        Some(GainType::Muscle) => muscle_gain_vel(
            data.actuator_length[actuator],
            data.actuator_velocity[actuator],
            model.actuator_lengthrange[actuator],
            model.actuator_acc0[actuator],
            prm,
        ),
        Some(GainType::Fixed | GainType::User) | None => 0.0,
    };
    let mut slope = match BiasType::from_i32(model.actuator_biastype[actuator]) {
        Some(BiasType::Affine) => model.actuator_biasprm[actuator][2],
        _ => 0.0,
    };
    if gain != 0.0 {
        let input = match model.actuator_acts(actuator).last() {
            Some(act) if model.actuator_dyntype[actuator] != DynType::None as i32 => {
                if model.actuator_actearly[actuator] != 0 {
                    next_activation(model, data, actuator, act, data.act_dot[act])
                } else {
                    data.act[act]
                }
            }
            _ => data.ctrl[actuator],
        };
        slope += gain * input;
    }
    slope
}

/// Adds the derivative of the medium's forces and of dampers.
fn passive_vel(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Spring) && model.disabled(Disable::Damper) {
        return;
    }
    if model.opt.density > 0.0 || model.opt.viscosity > 0.0 {
        fluid_vel(model, data);
    }
    if model.disabled(Disable::Damper) {
        return;
    }
    for dof in awake!(model, data).dofs() {
        let diagonal = (model.D_rowadr[dof] + model.D_diag[dof]) as usize;
        data.qDeriv[diagonal] -= model.dof_damping[dof];
    }
    if model.nflex > 0 {
        flex_edges_vel(model, data);
    }
    let some_sleep = data.some_sleep(model);
    for tendon in 0..model.ntendon {
        let damping = model.tendon_damping[tendon];
        if damping != 0.0 && !(some_sleep && data.tendon_sleeps(model, tendon)) {
            let mut row = std::mem::take(&mut data.work.row);
            model
                .tendon_row(data, tendon)
                .filter(|&(_, value)| value != 0.0)
                .for_each(|(dof, value)| row.add(dof, value));
            data.work.row = row;
            add_square(model, data, -damping);
        }
    }
}

/// Adds the derivative of the dampers along the edges of flexes.
fn flex_edges_vel(model: &Model, data: &mut Data) {
    for flex in model.flexes().filter(|flex| !flex.is_rigid()) {
        let damping = model.flex_edgedamping[flex.id];
        if damping == 0.0 {
            continue;
        }
        // where the blocks of vertices are that are alone in their trees
        const NONE: usize = usize::MAX;
        let mut blocks = std::mem::take(&mut data.work.list);
        blocks.clear();
        blocks.extend(flex.vert_bodies().iter().map(|&body| {
            usize::try_from(body).ok().and_then(|body| model.d_block(body)).unwrap_or(NONE)
        }));
        for (edge, ends) in flex.edges.clone().zip(flex.edge_verts()) {
            if model.flexedge_rigid[edge] != 0 {
                continue;
            }
            let row = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
            let [a, b] = ends.map(|end| blocks[end as usize]);
            if a != b
                && a.max(b) != NONE
                && let Ok(&[p, q, r, s, t, u]) =
                    <&[f64; 6]>::try_from(&data.flexedge_J[row.clone()])
            {
                add_block(&mut data.qDeriv[a.min(b)..], [p, q, r], -damping);
                add_block(&mut data.qDeriv[a.max(b)..], [s, t, u], -damping);
                continue;
            }
            let dofs = &model.flexedge_J_colind[row.clone()];
            let bodies = ends.map(|end| flex.vert_bodies()[end as usize]);
            if add_free_ends(model, data, bodies, row.clone(), -damping) {
                continue;
            }
            for (&dof, &value) in dofs.iter().zip(&data.flexedge_J[row]) {
                data.work.row.add(dof as usize, value);
            }
            add_square(model, data, -damping);
        }
        data.work.list = blocks;
    }
}

/// [`add_square`] of an edge between two bodies that are alone in their trees: two full blocks. False
/// if its ends are no such bodies.
#[inline]
fn add_free_ends(
    model: &Model,
    data: &mut Data,
    bodies: [i32; 2],
    row: std::ops::Range<usize>,
    scale: f64,
) -> bool {
    let Data { ref flexedge_J, ref mut qDeriv, .. } = *data;
    let [first, second] = bodies.map(|body| body as usize);
    let (low, high) = (first.min(second), first.max(second));
    let simple = |body: usize| model.body_simple.get(body) == Some(&2);
    if low == high || !simple(low) || !simple(high) {
        return false;
    }
    let mut values = &flexedge_J[row];
    for body in [low, high] {
        let dofs = model.body_dofs(body);
        let Some((own, rest)) = values.split_at_checked(dofs.len()) else { return true };
        values = rest;
        for (dof, a) in dofs.zip(own) {
            let factor = a * scale;
            for (out, b) in qDeriv[model.d_row(dof)].iter_mut().zip(own) {
                *out += factor * b;
            }
        }
    }
    true
}

/// Adds `scale rᵀ r` to a full block of three dofs.
#[inline]
fn add_block(block: &mut [f64], own: [f64; 3], scale: f64) {
    let Some(block) = block.first_chunk_mut::<9>() else { return };
    for i in 0..3 {
        for j in 0..3 {
            block[3 * i + j] += own[i] * scale * own[j];
        }
    }
}

impl Model {
    /// Where the derivatives of a body begin that has three dofs and is alone in its tree: a full block.
    #[inline]
    fn d_block(&self, body: usize) -> Option<usize> {
        let dofs = self.body_dofs(body);
        let is_block = self.body_simple[body] == 2 && dofs.len() == 3;
        (is_block && self.D_rownnz[dofs.start] == 3).then(|| self.D_rowadr[dofs.start] as usize)
    }
}

/// Adds `scale rᵀ r` to `qDeriv`, where `r` is the row in scratch, as far as the pattern reaches;
/// clears the row.
fn add_square(model: &Model, data: &mut Data, scale: f64) {
    let Data { ref mut qDeriv, ref mut work, .. } = *data;
    let row = &mut work.row;
    for &dof in &row.dofs {
        let factor = row.values[dof] * scale;
        let start = model.D_rowadr[dof] as usize;
        for adr in start..start + model.D_rownnz[dof] as usize {
            qDeriv[adr] += factor * row.values[model.D_colind[adr] as usize];
        }
    }
    row.drain(|_, _, _| {});
}
