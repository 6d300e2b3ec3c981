use std::cell::Cell;

use super::super::Narrow;
use super::super::narrow::collide;
use super::difference::Couple;
use super::{Ccd, proximity};
use crate::geometry::{Geom, Hint, Shape, Solid};
use crate::math::Vec3;
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
    let mut narrow = data.work.collision.narrow.take().unwrap_or_default();
    let result = match [geom1, geom2].map(|geom| Geom::new(model, data, geom)) {
        [Some(a), Some(b)] => distance(&a, &b, distmax, &Ccd::new(model), &mut narrow),
        _ => (distmax, None),
    };
    data.work.collision.narrow = Some(narrow);
    result
}

/// Computes the smallest distance of two geoms where they are, as [`geom_distance`] does.
pub(super) fn distance(
    a: &Geom,
    b: &Geom,
    distmax: f64,
    ccd: &Ccd,
    narrow: &mut Narrow,
) -> (f64, Option<[Vec3; 2]>) {
    let Narrow { convex, hits, .. } = narrow;
    let flip = a.kind() as i32 > b.kind() as i32;
    let (low, high) = if flip { (b, a) } else { (a, b) };
    if ccd.native && measured(&low.shape, &high.shape) {
        let hints = [const { Cell::new(Hint::NONE) }; 2];
        let [Some(a), Some(b)] = [Solid::new(a, 0.0, &hints[0]), Solid::new(b, 0.0, &hints[1])]
        else {
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
fn measured(low: &Shape, high: &Shape) -> bool {
    use Shape::{Box, Capsule, Cylinder, Ellipsoid, Mesh, Sphere};
    matches!(
        (low, high),
        (Sphere | Capsule | Ellipsoid, Ellipsoid)
            | (Capsule | Ellipsoid | Cylinder, Cylinder)
            | (Ellipsoid | Cylinder | Box, Box)
            | (Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh(_), Mesh(_))
    )
}
