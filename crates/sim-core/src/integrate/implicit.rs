use super::advance;
use crate::derivative::{Covers, smooth_vel};
use crate::math::{FullPattern, factor_ldl, factor_lu, solve_ldl, solve_lu};
use crate::{Data, Model};

/// Advances the state with the velocity dependence `D = ∂f/∂v` of all smooth forces treated
/// implicitly: `(M − h D) a = qfrc_smooth + qfrc_constraint`.
#[doc(alias = "mj_implicit")]
pub(crate) fn implicit(model: &Model, data: &mut Data) {
    smooth_vel(model, data, Covers::ForcesAndBias);
    let pattern = FullPattern {
        rownnz: &model.D_rownnz,
        rowadr: &model.D_rowadr,
        diag: &model.D_diag,
        colind: &model.D_colind,
    };
    let dt = model.opt.timestep;
    for (at, value) in data.qLU.iter_mut().enumerate() {
        // the mass matrix has both triangles in the map
        let mass = usize::try_from(model.mapM2D[at]).map_or(0.0, |adr| data.M[adr]);
        *value = mass - dt * data.qDeriv[at];
    }
    factor_lu(&mut data.qLU, pattern);

    solve_and_advance(model, data, |data, qacc| solve_lu(qacc, &data.qLU, pattern));
}

/// As [`implicit`], without the derivative of the bias force: then the matrix is symmetric, and
/// the factorisation is that of the mass matrix.
pub(crate) fn implicit_fast(model: &Model, data: &mut Data) {
    smooth_vel(model, data, Covers::Forces);
    let dt = model.opt.timestep;
    for (at, value) in data.qH.iter_mut().enumerate() {
        *value = data.M[at] - dt * data.qDeriv[model.mapD2M[at] as usize];
    }
    let pattern = model.m_pattern(&data.work.plan);
    factor_ldl(&mut data.qH, &mut data.qHDiagInv, pattern);

    solve_and_advance(model, data, |data, qacc| {
        solve_ldl(qacc, &data.qH, &data.qHDiagInv, model.m_pattern(&data.work.plan));
    });
}

/// Solves for the acceleration under all forces, and advances the state by it.
fn solve_and_advance(model: &Model, data: &mut Data, solve: impl Fn(&Data, &mut [f64])) {
    let mut qacc = std::mem::take(&mut data.work.qacc);
    for dof in 0..model.nv {
        qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }
    solve(data, &mut qacc);
    advance(model, data, &qacc, None);
    data.work.qacc = qacc;
}
