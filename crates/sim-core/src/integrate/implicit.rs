use super::flex::solve_interpolated;
use super::{Factors, advance};
use crate::callbacks::Callbacks;
use crate::derivative::{Covers, smooth_vel};
use crate::math::{FullPattern, factor_ldl_of, factor_lu_of, solve_ldl_of, solve_lu_of};
use crate::sleep::awake;
use crate::{Data, Model};

/// Advances the state with the velocity dependence `D = ∂f/∂v` of all smooth forces treated
/// implicitly: `(M − h D) a = qfrc_smooth + qfrc_constraint`.
#[doc(alias = "mj_implicit")]
pub fn implicit(model: &Model, data: &mut Data, factors: Factors, user: &mut dyn Callbacks) {
    if factors == Factors::Renew {
        factor_implicit(model, data);
    }
    let awake = awake!(model, data);
    let mut qacc = std::mem::take(&mut data.work.qacc);
    for dof in awake.dofs() {
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
    let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
    solve_lu_of(&mut qacc, &data.qLU, pattern(model), wanted);
    solve_interpolated(model, data, &mut qacc);
    advance(model, data, &qacc, None, user);
    data.work.qacc = qacc;
}

/// As [`implicit`], without the derivative of the bias force: then the matrix is symmetric, and
/// the factorisation is that of the mass matrix.
pub fn implicit_fast(model: &Model, data: &mut Data, factors: Factors, user: &mut dyn Callbacks) {
    if factors == Factors::Renew {
        factor_implicit_fast(model, data);
    }
    let awake = awake!(model, data);
    let mut qacc = std::mem::take(&mut data.work.qacc);
    for dof in awake.dofs() {
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
    let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
    let plan = data.cache.inertia.get(model);
    solve_ldl_of(&mut qacc, &data.qH, &data.qHDiagInv, model.m_pattern(&plan), wanted);
    drop(plan);
    solve_interpolated(model, data, &mut qacc);
    advance(model, data, &qacc, None, user);
    data.work.qacc = qacc;
}

/// Computes and factorises `qLU = M − h D`, with the derivative of the bias force.
pub(crate) fn factor_implicit(model: &Model, data: &mut Data) {
    smooth_vel(model, data, Covers::ForcesAndBias);
    let dt = model.opt.timestep;
    let awake = awake!(model, data);
    for dof in awake.dofs() {
        for at in model.d_row(dof) {
            // the mass matrix has both triangles in the map
            let mass = usize::try_from(model.mapM2D[at]).map_or(0.0, |adr| data.M[adr]);
            data.qLU[at] = mass - dt * data.qDeriv[at];
        }
    }
    let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
    factor_lu_of(&mut data.qLU, pattern(model), wanted);
}

/// Computes and factorises `qH = M − h D`, without the derivative of the bias force.
pub(crate) fn factor_implicit_fast(model: &Model, data: &mut Data) {
    smooth_vel(model, data, Covers::Forces);
    let dt = model.opt.timestep;
    let awake = awake!(model, data);
    for dof in awake.dofs() {
        for at in model.m_row(dof) {
            data.qH[at] = data.M[at] - dt * data.qDeriv[model.mapD2M[at] as usize];
        }
    }
    let Data { ref mut qH, ref mut qHDiagInv, ref cache, ref mut work, .. } = *data;
    let plan = cache.inertia.get(model);
    let pattern = model.m_pattern(&plan);
    let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
    factor_ldl_of(qH, qHDiagInv, pattern, &mut work.ldl, wanted);
}

fn pattern(model: &Model) -> FullPattern<'_> {
    FullPattern {
        rownnz: &model.D_rownnz,
        rowadr: &model.D_rowadr,
        diag: &model.D_diag,
        colind: &model.D_colind,
    }
}
