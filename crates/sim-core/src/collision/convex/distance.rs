use super::super::{Hits, Shape};
use super::solid::{Couple, Solid};
use super::{Ccd, ConvexWork, proximity};
use crate::math::Vec3;
use crate::model::GeomType;

/// Computes the smallest distance of two shapes up to `distmax`, and the points nearest to each
/// other, on the first and on the second shape; when they overlap, the deepest points.
///
/// `collide` is the function for two shapes in order of type. MuJoCo: `mj_geomDistance`.
pub(in super::super) fn shape_distance(
    a: &Shape,
    b: &Shape,
    distmax: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    collide: impl FnOnce(&Shape, &Shape, &mut ConvexWork, &mut Hits),
) -> (f64, Option<[Vec3; 2]>) {
    let flip = a.kind as i32 > b.kind as i32;
    let (low, high) = if flip { (b, a) } else { (a, b) };
    if ccd.native && measured(low.kind, high.kind) {
        let (Some(a), Some(b)) = (Solid::new(a, 0.0), Solid::new(b, 0.0)) else {
            return (distmax, None);
        };
        let near = proximity(&Couple { a, b }, ccd.limits(), distmax, 1, work);
        return (if near.dist < distmax { near.dist } else { distmax }, near.points);
    }

    let mut hits = Hits::default();
    collide(low, high, work, &mut hits);
    let (mut dist, mut points) = (distmax, None);
    for hit in hits.iter() {
        if hit.dist < dist {
            dist = hit.dist;
            let half = if flip { -0.5 } else { 0.5 } * dist;
            points = Some([hit.pos + hit.normal * -half, hit.pos + hit.normal * half]);
        }
    }
    (dist, points)
}

/// Whether the distance of two types, in order, is measured on their difference rather than taken
/// from their points of contact.
fn measured(low: GeomType, high: GeomType) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Sphere};
    matches!(
        (low, high),
        (Sphere | Capsule | Ellipsoid, Ellipsoid)
            | (Capsule | Ellipsoid | Cylinder, Cylinder)
            | (Ellipsoid | Cylinder | Box, Box)
    )
}
