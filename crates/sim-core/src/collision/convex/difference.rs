//! The Minkowski difference of two bodies: all `a - b`.

use crate::geometry::Solid;
use crate::math::{MINVAL, Vec3};

/// A point of the difference of two bodies, with the points it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    /// `on[0] - on[1]`.
    pub(super) diff: Vec3,
    pub(super) on: [Vec3; 2],
    /// Vertex numbers on the two bodies.
    pub(super) ids: [i32; 2],
}

/// Two bodies, and their Minkowski difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Couple<'a> {
    pub(super) a: Solid<'a>,
    pub(super) b: Solid<'a>,
}

impl Couple<'_> {
    /// Finds the point of the difference farthest along the unit vector `dir`.
    #[inline(always)]
    pub(super) fn support(&self, dir: Vec3) -> Vertex {
        let (a, id_a) = self.a.support(dir);
        let (b, id_b) = self.b.support(-dir);
        Vertex { diff: a - b, on: [a, b], ids: [id_a, id_b] }
    }

    /// Finds the point of the difference farthest along `dir`, whose length is `norm`; along the
    /// first axis if that is too short to be a direction.
    pub(super) fn support_along(&self, dir: Vec3, norm: f64) -> Vertex {
        self.support(if norm > MINVAL { dir / norm } else { Vec3::X })
    }

    /// Whether both bodies have only corners, edges and flat faces, so that a search among the
    /// vertices ends exactly.
    pub(super) fn discrete(&self) -> bool {
        self.a.discrete() && self.b.discrete()
    }
}
