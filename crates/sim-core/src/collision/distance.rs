use super::Shape;
use super::convex::{Ccd, shape_distance};
use super::narrow::collide;
use crate::math::Vec3;
use crate::model::GeomType;
use crate::{Data, Model};

/// Computes the smallest distance between two geoms up to `distmax`, negative when they overlap,
/// and the points nearest to each other, on the first and on the second geom. Geoms further apart,
/// or of types that do not collide, have the distance `distmax` and no points. Runs after
/// `kinematics`.
#[doc(alias = "mj_geomDistance")]
pub fn geom_distance(
    model: &Model,
    data: &mut Data,
    geom1: usize,
    geom2: usize,
    distmax: f64,
) -> (f64, Option<[Vec3; 2]>) {
    let ccd = Ccd::new(model);
    let mut work = std::mem::take(&mut data.work.collision.convex);
    let shape = |geom: usize| Shape {
        kind: GeomType::from_i32(model.geom_type[geom]).unwrap_or(GeomType::None),
        size: model.geom_size[geom],
        pos: data.geom_xpos[geom],
        mat: &data.geom_xmat[geom],
    };
    let (a, b) = (shape(geom1), shape(geom2));
    let result = shape_distance(&a, &b, distmax, &ccd, &mut work, |a, b, work, hits| {
        collide(a, b, distmax, &ccd, work, hits);
    });
    data.work.collision.convex = work;
    result
}
