use super::advance;
use crate::math::{factor_ldl, solve_ldl};
use crate::model::Disable;
use crate::{Data, Model};

/// Advances the state by semi-implicit Euler, with joint damping treated implicitly:
/// ```text
/// (M + h B) a = qfrc_smooth + qfrc_constraint        v += h a        q += h v
/// ```
/// Without damping, or with the implicit treatment disabled, `a` is `qacc`.
#[doc(alias = "mj_Euler")]
pub(crate) fn euler(model: &Model, data: &mut Data) {
    let implicit = !model.disabled(Disable::EulerDamp)
        && !model.disabled(Disable::Damper)
        && model.dof_damping.iter().any(|&damping| damping > 0.0);

    let mut qacc = std::mem::take(&mut data.work.qacc);
    if implicit {
        let Data { ref mut qH, ref mut qHDiagInv, ref M, ref work, .. } = *data;
        let pattern = model.m_pattern(&work.plan);
        qH.copy_from_slice(M);
        for dof in 0..model.nv {
            let diagonal = (model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize;
            qH[diagonal] += model.opt.timestep * model.dof_damping[dof];
        }
        factor_ldl(qH, qHDiagInv, pattern);
        for dof in 0..model.nv {
            qacc[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
        }
        solve_ldl(&mut qacc, qH, qHDiagInv, pattern);
    } else {
        qacc.copy_from_slice(&data.qacc);
    }
    advance(model, data, &qacc, None);
    data.work.qacc = qacc;
}
