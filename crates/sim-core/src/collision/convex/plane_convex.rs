use super::super::{Hit, Hits, Shape};
use super::mpr::farthest;
use super::solid::Solid;
use crate::math::Vec3;

/// Finds where a plane and a convex shape come closer than `margin`. MuJoCo: `mjc_PlaneConvex`.
pub(in super::super) fn plane_convex(a: &Shape, b: &Shape, margin: f64, out: &mut Hits) {
    let Some(solid) = Solid::new(b, 0.0) else { return };
    let normal = a.mat.column(2);
    let lowest = farthest(&solid, -normal);
    let dist = normal.dot(lowest - a.pos);
    if dist <= margin {
        let pos = lowest + normal * (-0.5 * dist);
        out.push(Hit { dist, pos, normal, tangent: Vec3::ZERO });
    }
}
