//! The integer tables of [`Model`] read as Rust: ids, options and ranges.

use std::ops::Range;

use super::{Disable, Enable, JointType, Model};
use crate::math::Pattern;

/// The range of `num` ids from `adr`; empty where the table says there is none (−1).
fn range(adr: i32, num: i32) -> Range<usize> {
    let start = usize::try_from(adr).unwrap_or(0);
    start..start + usize::try_from(num).unwrap_or(0)
}

impl Model {
    /// The parent of `body`; the world is its own parent.
    #[inline]
    pub fn body_parent(&self, body: usize) -> usize {
        self.body_parentid[body] as usize
    }

    /// The joints of `body`, in order.
    #[inline]
    pub fn body_jnts(&self, body: usize) -> Range<usize> {
        range(self.body_jntadr[body], self.body_jntnum[body])
    }

    /// The dofs of `body`, in order.
    #[inline]
    pub fn body_dofs(&self, body: usize) -> Range<usize> {
        range(self.body_dofadr[body], self.body_dofnum[body])
    }

    /// The geoms of `body`, in order.
    #[inline]
    pub fn body_geoms(&self, body: usize) -> Range<usize> {
        range(self.body_geomadr[body], self.body_geomnum[body])
    }

    /// The mocap slot of `body`, if it is a mocap body.
    #[inline]
    pub fn body_mocap(&self, body: usize) -> Option<usize> {
        usize::try_from(self.body_mocapid[body]).ok()
    }

    /// The body of `dof`.
    #[inline]
    pub fn dof_body(&self, dof: usize) -> usize {
        self.dof_bodyid[dof] as usize
    }

    /// The dof above `dof` in the tree, if any.
    #[inline]
    pub fn dof_parent(&self, dof: usize) -> Option<usize> {
        usize::try_from(self.dof_parentid[dof]).ok()
    }

    /// The type of joint `jnt`.
    #[inline]
    pub fn jnt_kind(&self, jnt: usize) -> JointType {
        JointType::from_i32(self.jnt_type[jnt]).expect("jnt_type holds a joint type")
    }

    /// The pattern of the mass matrix.
    #[inline]
    pub fn m_pattern(&self) -> Pattern<'_> {
        Pattern { rownnz: &self.M_rownnz, rowadr: &self.M_rowadr, colind: &self.M_colind }
    }

    /// Whether a part of the physics is switched off.
    #[inline]
    pub fn disabled(&self, flag: Disable) -> bool {
        self.opt.disableflags & flag as i32 != 0
    }

    /// Whether an optional part is switched on.
    #[inline]
    pub fn enabled(&self, flag: Enable) -> bool {
        self.opt.enableflags & flag as i32 != 0
    }
}
