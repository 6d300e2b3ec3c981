use crate::Model;
use crate::math::{LdlScratch, Pattern, factor_ldl_both};

/// The factor of `M + h B`, with the damping `B` of joints, that semi-implicit Euler solves with.
///
/// Where the last step has asked for it, it is made together with that of `M`: the two are independent
/// of each other, so that one is computed while the other waits for its divisions. It has the bits
/// that it would have if it were made alone.
#[derive(Debug, Clone, Default)]
pub(crate) struct DampedFactor {
    /// Whether it was asked for since it was made last.
    wanted: bool,
    /// Whether it belongs to the mass matrix as it is now.
    current: bool,
    /// `h B`.
    diagonal: Vec<f64>,
    mat: Vec<f64>,
    diaginv: Vec<f64>,
}

impl DampedFactor {
    /// Tells that the mass matrix changes.
    #[inline]
    pub(crate) fn invalidate(&mut self) {
        self.current = false;
    }

    /// Whether the next step will ask for it, by all signs.
    #[inline]
    pub(super) fn is_wanted(&self) -> bool {
        self.wanted
    }

    /// Factorises `inertia` to `mat` and `diaginv`, and together with that `inertia + h B`.
    pub(super) fn factor_along(
        &mut self,
        model: &Model,
        mat: &mut [f64],
        diaginv: &mut [f64],
        inertia: &[f64],
        pattern: Pattern<'_>,
        scratch: &mut LdlScratch,
    ) {
        let dt = model.opt.timestep;
        self.diagonal.clear();
        self.diagonal.extend(model.dof_damping.iter().map(|damping| dt * damping));
        let (mats, diaginvs) = ([mat, &mut self.mat], [diaginv, &mut self.diaginv]);
        factor_ldl_both(mats, diaginvs, inertia, &self.diagonal, pattern, scratch);
        (self.wanted, self.current) = (false, true);
    }

    /// Copies the factor of all trees to `mat` and `diaginv`; false if it has to be made. From now on
    /// it is made along with that of the mass matrix.
    pub(crate) fn copy_to(&mut self, model: &Model, mat: &mut [f64], diaginv: &mut [f64]) -> bool {
        self.wanted = true;
        self.mat.resize(mat.len(), 0.0);
        self.diaginv.resize(diaginv.len(), 0.0);
        self.diagonal.resize(model.nv, f64::NAN);
        let (dt, damping) = (model.opt.timestep, &model.dof_damping[..model.nv]);
        let same = |(&made, damping): (&f64, &f64)| made == dt * damping;
        let current = self.current && self.diagonal.iter().zip(damping).all(same);
        if current {
            mat.copy_from_slice(&self.mat);
            diaginv.copy_from_slice(&self.diaginv);
        }
        current
    }
}
