use super::super::narrow::collide;
use super::super::{CollisionWork, Shape};
use super::solid::{Couple, Solid};
use super::{Ccd, proximity};
use crate::math::Vec3;
use crate::model::GeomType;
use crate::{Data, Model};

/// Computes the smallest distance between two geoms, up to `distmax`, and a point on each at that
/// distance. Where they overlap, the distance is the negative of the depth and the points are the
/// deepest ones. There are no points if the geoms are farther apart than `distmax` or of types
/// that do not collide.
///
/// Runs after `kinematics`.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(
    model: &Model,
    data: &mut Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
) -> (f64, Option<[Vec3; 2]>) {
    let mut work = std::mem::take(&mut data.work.collision);
    let shape = |geom: usize| {
        Some(Shape {
            kind: GeomType::from_i32(*model.geom_type.get(geom)?)?,
            size: model.geom_size[geom],
            pos: data.geom_xpos[geom],
            mat: &data.geom_xmat[geom],
        })
    };
    let result = match (shape(geom1), shape(geom2)) {
        (Some(a), Some(b)) => shape_distance(&a, &b, distmax, &Ccd::new(model), &mut work),
        _ => (distmax, None),
    };
    data.work.collision = work;
    result
}

/// Computes the smallest distance of two shapes, as [`geom_distance`] does.
pub(super) fn shape_distance(
    a: &Shape,
    b: &Shape,
    distmax: f64,
    ccd: &Ccd,
    work: &mut CollisionWork,
) -> (f64, Option<[Vec3; 2]>) {
    let CollisionWork { convex, hits, .. } = work;
    let flip = a.kind as i32 > b.kind as i32;
    let (low, high) = if flip { (b, a) } else { (a, b) };
    if ccd.native && measured(low.kind, high.kind) {
        let (Some(a), Some(b)) = (Solid::new(a, 0.0), Solid::new(b, 0.0)) else {
            return (distmax, None);
        };
        let near = proximity(&Couple { a, b }, ccd.limits(), distmax, 1, convex);
        return (if near.dist < distmax { near.dist } else { distmax }, near.points);
    }

    // the deepest of the points of contact, with the cutoff as a margin
    hits.clear();
    collide(low, high, distmax, ccd, convex, hits);
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
