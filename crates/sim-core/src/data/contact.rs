use crate::Model;
use crate::fields::record;
use crate::math::{Mat3, Vec3};

record! {
    /// A contact between two geoms or flexes.
    #[doc(alias = "mjContact")]
    pub struct Contact {
        /// Distance between the surfaces; negative when they overlap.
        dist: f64 = 0.0,
        /// Contact point, midway between the surfaces.
        pos: Vec3 = Vec3::ZERO,
        /// Axes of the contact frame by rows; the first is the normal, from the first object to
        /// the second.
        frame: Mat3 = Mat3::IDENTITY,
        /// Distance below which the contact produces a force: margin less gap.
        includemargin: f64 = 0.0,
        /// Friction coefficients: two tangential, one torsional, two rolling.
        friction: [f64; 5] = [0.0; 5],
        /// Reference dynamics of the normal direction.
        solref: [f64; 2] = [0.0; 2],
        /// Reference dynamics of the friction directions; zero means the same as `solref`.
        solreffriction: [f64; 2] = [0.0; 2],
        /// Impedance.
        solimp: [f64; 5] = [0.0; 5],
        /// Friction coefficient of the regularised cone.
        mu: f64 = 0.0,
        /// Hessian of the cone.
        H: [f64; 36] = [0.0; 36],
        /// Dimension of the contact space: 1, 3, 4 or 6.
        dim: i32 = 0,
        /// First geom; -1 for a flex.
        geom1: i32 = -1,
        /// Second geom; -1 for a flex.
        geom2: i32 = -1,
        /// Both geoms; -1 for a flex.
        geom: [i32; 2] = [-1; 2],
        /// Both flexes; -1 for a geom.
        flex: [i32; 2] = [-1; 2],
        /// Flex elements; -1 for a geom or a flex vertex.
        elem: [i32; 2] = [-1; 2],
        /// Flex vertices; -1 for a geom or a flex element.
        vert: [i32; 2] = [-1; 2],
        /// Why the contact gives no force: 0 it does, 1 in the gap, 2 fused, 3 no dofs, 4 passive.
        exclude: i32 = 0,
        /// Address of the first constraint row; -1 when there is none.
        efc_address: i32 = -1,
    }
}

impl Contact {
    /// The bodies that its two sides move; none for the side of a flex, whose vertices are moved
    /// by several.
    #[inline]
    pub(crate) fn bodies(&self, model: &Model) -> [Option<usize>; 2] {
        self.geom.map(|geom| {
            let geom = usize::try_from(geom).ok()?;
            model.geom_bodyid.get(geom).map(|&body| body as usize)
        })
    }

    /// The bodies that its two sides move, if both are geoms.
    #[inline]
    pub(crate) fn geom_bodies(&self, model: &Model) -> Option<[usize; 2]> {
        match self.bodies(model) {
            [Some(first), Some(second)] => Some([first, second]),
            _ => None,
        }
    }
}
