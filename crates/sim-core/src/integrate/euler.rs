use super::{Factors, advance};
use crate::callbacks::Callbacks;
use crate::math::{factor_ldl_sum, solve_ldl_of};
use crate::model::Disable;
use crate::sleep::awake;
use crate::{Data, Model};

/// Advances the state by semi-implicit Euler, with joint damping treated implicitly:
/// ```text
/// (M + h B) a = qfrc_smooth + qfrc_constraint        v += h a        q += h v
/// ```
/// Without damping, or with the implicit treatment disabled, `a` is `qacc`.
#[doc(alias = "mj_Euler")]
pub fn euler(model: &Model, data: &mut Data, factors: Factors, user: &mut dyn Callbacks) {
    let awake = awake!(model, data);
    let implicit = !model.disabled(Disable::EulerDamp)
        && !model.disabled(Disable::Damper)
        && awake.dofs().any(|dof| model.dof_damping[dof] > 0.0);

    let mut qacc = std::mem::take(&mut data.work.qacc);
    if implicit {
        if factors == Factors::Renew {
            factor_damped(model, data);
        }
        let awake = awake!(model, data);
        let Data { ref qH, ref qHDiagInv, ref cache, .. } = *data;
        let plan = cache.inertia.get(model);
        let pattern = model.m_pattern(&plan);
        let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
        let (smooth, constraint) =
            (&data.qfrc_smooth[..model.nv], &data.qfrc_constraint[..model.nv]);
        let qacc = &mut qacc[..model.nv];
        awake.dofs().for_each(|dof| qacc[dof] = smooth[dof] + constraint[dof]);
        solve_ldl_of(qacc, qH, qHDiagInv, pattern, wanted);
    } else {
        qacc.copy_from_slice(&data.qacc);
    }
    advance(model, data, &qacc, None, user);
    data.work.qacc = qacc;
}

/// Computes and factorises `qH = M + h B`, unless that was done along with the mass matrix.
pub(crate) fn factor_damped(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref mut qH, ref mut qHDiagInv, ref M, ref mut cache, ref mut work, .. } = *data;
    let plan = cache.inertia.get(model);
    let pattern = model.m_pattern(&plan);
    let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
    if !(awake.all() && cache.damped.copy_to(model, qH, qHDiagInv)) {
        let (dt, damping) = (model.opt.timestep, &model.dof_damping[..model.nv]);
        let damping = |dof: usize| dt * damping[dof];
        factor_ldl_sum(qH, qHDiagInv, Some(M), damping, pattern, &mut work.ldl, wanted);
    }
}
