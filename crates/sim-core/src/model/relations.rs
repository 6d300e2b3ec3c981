//! The integer tables of [`Model`] read as Rust: ids, options and ranges.

use std::ops::Range;

use super::{Disable, Enable, Jacobian, JointType, Model, Solver};
use crate::Data;
use crate::math::{Pattern, Plan};
use crate::smooth::TendonRow;

/// The range of `num` ids from `adr`; empty where the table says there is none (−1).
pub(crate) fn range(adr: i32, num: i32) -> Range<usize> {
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

    /// The bodies of `tree`, in order.
    #[inline]
    pub fn tree_bodies(&self, tree: usize) -> Range<usize> {
        range(self.tree_bodyadr[tree], self.tree_bodynum[tree])
    }

    /// The dofs of `tree`, in order.
    #[inline]
    pub fn tree_dofs(&self, tree: usize) -> Range<usize> {
        range(self.tree_dofadr[tree], self.tree_dofnum[tree])
    }

    /// The elements of row `dof` of the mass matrix, from the root to the diagonal.
    #[inline]
    pub fn m_row(&self, dof: usize) -> Range<usize> {
        range(self.M_rowadr[dof], self.M_rownnz[dof])
    }

    /// The elements of row `dof` of the derivatives by velocity.
    #[inline]
    pub fn d_row(&self, dof: usize) -> Range<usize> {
        range(self.D_rowadr[dof], self.D_rownnz[dof])
    }

    /// The geoms of `body`, in order; never more than there are, whatever the table says.
    #[inline]
    pub fn body_geoms(&self, body: usize) -> Range<usize> {
        let geoms = range(self.body_geomadr[body], self.body_geomnum[body]);
        geoms.start..geoms.end.min(self.ngeom)
    }

    /// The vertices of `mesh`, in order.
    #[inline]
    pub fn mesh_vertices(&self, mesh: usize) -> Range<usize> {
        range(self.mesh_vertadr[mesh], self.mesh_vertnum[mesh])
    }

    /// The triangles of `mesh`, in order.
    #[inline]
    pub fn mesh_faces(&self, mesh: usize) -> Range<usize> {
        range(self.mesh_faceadr[mesh], self.mesh_facenum[mesh])
    }

    /// The polygons of `mesh`, in order.
    #[inline]
    pub fn mesh_polygons(&self, mesh: usize) -> Range<usize> {
        range(self.mesh_polyadr[mesh], self.mesh_polynum[mesh])
    }

    /// The geoms of explicit pair `pair`.
    #[inline]
    pub fn pair_geoms(&self, pair: usize) -> (usize, usize) {
        (self.pair_geom1[pair] as usize, self.pair_geom2[pair] as usize)
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

    /// The dof above `dof` in the tree, if any. Its id is smaller, so that a walk upwards ends
    /// whatever is in the table.
    #[inline]
    pub fn dof_parent(&self, dof: usize) -> Option<usize> {
        // none, -1, becomes larger than any id
        let parent = self.dof_parentid[dof] as usize;
        (parent < dof).then_some(parent)
    }

    /// The type of joint `jnt`.
    #[inline]
    pub fn jnt_kind(&self, jnt: usize) -> JointType {
        JointType::from_i32(self.jnt_type[jnt]).expect("jnt_type holds a joint type")
    }

    /// Whether the axis of `dof` turns with the body that it moves, as those of quaternions do.
    pub fn dof_turns_with_child(&self, dof: usize) -> bool {
        let jnt = self.dof_jntid[dof] as usize;
        match self.jnt_kind(jnt) {
            JointType::Ball => true,
            JointType::Free => dof >= self.jnt_dofadr[jnt] as usize + 3,
            JointType::Slide | JointType::Hinge => false,
        }
    }

    /// The path elements of `tendon`, in order.
    #[inline]
    pub fn tendon_wraps(&self, tendon: usize) -> Range<usize> {
        range(self.tendon_adr[tendon], self.tendon_num[tendon])
    }

    /// Dofs and values of the Jacobian row of `tendon`.
    pub(crate) fn tendon_row<'a>(
        &self,
        data: &'a Data,
        tendon: usize,
    ) -> impl Iterator<Item = (usize, f64)> + use<'a> {
        let row = TendonRow::new(self, data, tendon);
        (0..row.len()).map(move |i| row.element(data, i))
    }

    /// The activations of `actuator`.
    #[inline]
    pub fn actuator_acts(&self, actuator: usize) -> Range<usize> {
        range(self.actuator_actadr[actuator], self.actuator_actnum[actuator])
    }

    /// The values of `sensor` in `sensordata`.
    #[inline]
    pub fn sensor_values(&self, sensor: usize) -> Range<usize> {
        range(self.sensor_adr[sensor], self.sensor_dim[sensor])
    }

    /// Addresses of the moment of `actuator` in `actuator_moment` and `moment_colind`.
    #[inline]
    pub(crate) fn moment_row(&self, data: &Data, actuator: usize) -> Range<usize> {
        range(data.moment_rowadr[actuator], data.moment_rownnz[actuator])
    }

    /// Whether Jacobians are stored in compressed rows.
    #[doc(alias = "mj_isSparse")]
    #[inline]
    pub fn is_sparse(&self) -> bool {
        match Jacobian::from_i32(self.opt.jacobian) {
            Some(Jacobian::Sparse) => true,
            Some(Jacobian::Dense) => false,
            Some(Jacobian::Auto) | None => self.nv >= 60,
        }
    }

    /// Whether the solver works with the matrix of forces, `efc_AR`.
    #[doc(alias = "mj_isDual")]
    pub fn is_dual(&self) -> bool {
        self.opt.solver == Solver::Pgs as i32 || self.opt.noslip_iterations > 0
    }

    /// The pattern of the mass matrix, walked by `plan`.
    #[inline]
    pub(crate) fn m_pattern<'a>(&'a self, plan: &'a Plan) -> Pattern<'a> {
        Pattern { rownnz: &self.M_rownnz, rowadr: &self.M_rowadr, colind: &self.M_colind, plan }
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
