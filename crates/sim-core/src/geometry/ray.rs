//! A ray against one geom.

use super::ray_hfield::hfield;
use super::ray_mesh::mesh;
use super::{Geom, Shape};
use crate::math::{MINVAL, Mat3, Vec3};
use crate::model::GeomType;

/// A half line: the points `origin + x direction` with `x >= 0`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ray {
    pub(crate) origin: Vec3,
    pub(crate) direction: Vec3,
}

impl Ray {
    /// The point at `x`.
    #[inline]
    pub(crate) fn at(&self, x: f64) -> Vec3 {
        self.origin + self.direction * x
    }
}

/// Finds where the ray from `origin` along `direction` meets a plane, sphere, capsule, ellipsoid,
/// cylinder or box: the distance in lengths of `direction`, and the unit normal of the surface
/// there. Other kinds of geom are not met.
#[doc(alias = "mju_rayGeom")]
pub fn ray_geom(
    kind: GeomType,
    size: Vec3,
    pos: Vec3,
    mat: &Mat3,
    origin: Vec3,
    direction: Vec3,
) -> Option<(f64, Vec3)> {
    let (geom, ray) = (Geom::primitive(kind, size, pos, mat)?, Ray { origin, direction });
    let crossing = cross(&geom, &ray)?;
    Some((crossing.distance, crossing.normal(&geom, &ray)))
}

/// Where a ray meets the surface of a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crossing {
    /// How far along the ray, in lengths of its direction.
    pub(crate) distance: f64,
    part: Part,
}

/// A part of the surface of a shape.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// The curved part: all of a sphere or ellipsoid, the mantle of a capsule or cylinder.
    Round,
    /// The flat face across an axis, at its end of the given sign.
    Face { axis: usize, sign: f64 },
    /// The cap of a capsule at its end of the given sign.
    Cap { sign: f64 },
    /// A triangle with a normal of some length.
    Triangle { normal: Vec3 },
}

/// Finds the first crossing of a ray with a geom.
pub(crate) fn cross(geom: &Geom<'_>, ray: &Ray) -> Option<Crossing> {
    match &geom.shape {
        Shape::Plane => plane(geom, ray),
        Shape::Hfield(asset) => hfield(geom, &asset.hfield()?, ray),
        Shape::Sphere => {
            let distance = cross_sphere(geom.pos, geom.size.x * geom.size.x, ray)?;
            Some(Crossing { distance, part: Part::Round })
        }
        Shape::Capsule => capsule(geom, ray),
        Shape::Ellipsoid => ellipsoid(geom, ray),
        Shape::Cylinder => cylinder(geom, ray),
        Shape::Box => cuboid(geom, ray),
        // only what meets the box of its size
        Shape::Mesh(asset) => {
            cuboid(geom, ray)?;
            mesh(&asset.mesh()?, to_frame(geom, ray))
        }
        Shape::Sdf => None,
    }
}

impl Crossing {
    pub(super) fn triangle(distance: f64, normal: Vec3) -> Crossing {
        Crossing { distance, part: Part::Triangle { normal } }
    }

    pub(super) fn face(distance: f64, axis: usize, sign: f64) -> Crossing {
        Crossing { distance, part: Part::Face { axis, sign } }
    }

    /// The unit normal of the surface at the crossing, in the world.
    pub(crate) fn normal(&self, geom: &Geom<'_>, ray: &Ray) -> Vec3 {
        if let Shape::Sphere = geom.shape {
            return (ray.at(self.distance) - geom.pos).normalized().0;
        }
        let p = to_frame(geom, ray).at(self.distance);
        let local = match self.part {
            Part::Face { axis, sign } => unit(axis) * sign,
            Part::Cap { sign } => Vec3::new(p.x, p.y, p.z - geom.size.y * sign).normalized().0,
            // the gradient of its equation
            Part::Round if matches!(geom.shape, Shape::Ellipsoid) => {
                inverse_squares(geom.size).scaled(p).normalized().0
            }
            Part::Round => Vec3::new(p.x, p.y, 0.0).normalized().0,
            Part::Triangle { normal } => normal.normalized().0,
        };
        *geom.mat * local
    }

    /// Replaces `best` if this is nearer.
    pub(super) fn improve(self, best: &mut Option<Crossing>) {
        if best.is_none_or(|other| self.distance < other.distance) {
            *best = Some(self);
        }
    }
}

fn unit(axis: usize) -> Vec3 {
    [Vec3::X, Vec3::Y, Vec3::Z][axis]
}

fn inverse_squares(v: Vec3) -> Vec3 {
    Vec3::new(1.0 / (v.x * v.x), 1.0 / (v.y * v.y), 1.0 / (v.z * v.z))
}

/// The ray as seen from the frame of the geom.
pub(super) fn to_frame(geom: &Geom<'_>, ray: &Ray) -> Ray {
    Ray {
        origin: geom.mat.transpose_mul(ray.origin - geom.pos),
        direction: geom.mat.transpose_mul(ray.direction),
    }
}

/// The solutions of `a x² + 2 b x + c = 0` in increasing order, if there are any.
fn roots(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let det = b * b - a * c;
    if det < 0.0 || a < MINVAL {
        return None;
    }
    let root = det.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

/// The first of the solutions that is not behind the origin.
fn first_ahead(roots: [f64; 2]) -> Option<f64> {
    roots.into_iter().find(|&x| x >= 0.0)
}

/// A plane, which is met from the front, and within its rectangle if it has one.
fn plane(geom: &Geom<'_>, ray: &Ray) -> Option<Crossing> {
    let ray = to_frame(geom, ray);
    if ray.direction.z > -MINVAL {
        return None;
    }
    let distance = -ray.origin.z / ray.direction.z;
    let p = ray.at(distance);
    let within = |x: f64, size: f64| size <= 0.0 || x.abs() <= size;
    let met = distance >= 0.0 && within(p.x, geom.size.x) && within(p.y, geom.size.y);
    met.then_some(Crossing { distance, part: Part::Face { axis: 2, sign: 1.0 } })
}

/// A sphere about `centre`: the solutions of `|origin + x direction − centre|² = radius²`.
fn sphere_roots(centre: Vec3, radius_squared: f64, ray: &Ray) -> Option<[f64; 2]> {
    let offset = ray.origin - centre;
    let a = ray.direction.dot(ray.direction);
    let b = ray.direction.dot(offset);
    let c = offset.dot(offset) - radius_squared;
    roots(a, b, c)
}

/// The first crossing with a sphere.
pub(crate) fn cross_sphere(centre: Vec3, radius_squared: f64, ray: &Ray) -> Option<f64> {
    sphere_roots(centre, radius_squared, ray).and_then(first_ahead)
}

/// The first crossing with an endless cylinder about the z-axis, if it is at most `height` away
/// from the origin along that axis.
fn mantle(radius: f64, height: f64, ray: &Ray) -> Option<f64> {
    let Ray { origin: o, direction: d } = ray;
    let a = d.x * d.x + d.y * d.y;
    let b = d.x * o.x + d.y * o.y;
    let c = o.x * o.x + o.y * o.y - radius * radius;
    let x = roots(a, b, c).and_then(first_ahead)?;
    ((o.z + x * d.z).abs() <= height).then_some(x)
}

fn capsule(geom: &Geom<'_>, ray: &Ray) -> Option<Crossing> {
    let Vec3 { x: radius, y: height, .. } = geom.size;
    let around = radius + height;
    cross_sphere(geom.pos, around * around, ray)?;

    let ray = to_frame(geom, ray);
    let mut best =
        mantle(radius, height, &ray).map(|distance| Crossing { distance, part: Part::Round });
    for sign in [1.0, -1.0] {
        let centre = Vec3::new(0.0, 0.0, sign * height);
        // only the outer half of the sphere belongs to the capsule
        for distance in sphere_roots(centre, radius * radius, &ray).into_iter().flatten() {
            if distance >= 0.0 && sign * ray.at(distance).z >= height {
                Crossing { distance, part: Part::Cap { sign } }.improve(&mut best);
            }
        }
    }
    best
}

fn ellipsoid(geom: &Geom<'_>, ray: &Ray) -> Option<Crossing> {
    let Ray { origin, direction } = to_frame(geom, ray);
    let weights = inverse_squares(geom.size);
    let weighted = weights.scaled(direction);
    let a = weighted.dot(direction);
    let b = weighted.dot(origin);
    let c = weights.scaled(origin).dot(origin) - 1.0;
    let distance = roots(a, b, c).and_then(first_ahead)?;
    Some(Crossing { distance, part: Part::Round })
}

fn cylinder(geom: &Geom<'_>, ray: &Ray) -> Option<Crossing> {
    let Vec3 { x: radius, y: height, .. } = geom.size;
    cross_sphere(geom.pos, radius * radius + height * height, ray)?;

    let ray = to_frame(geom, ray);
    let mut best = None;
    face_pair(&ray, 2, height, |p| p.x * p.x + p.y * p.y <= radius * radius, &mut best);
    if let Some(distance) = mantle(radius, height, &ray) {
        Crossing { distance, part: Part::Round }.improve(&mut best);
    }
    best
}

pub(super) fn cuboid(geom: &Geom<'_>, ray: &Ray) -> Option<Crossing> {
    let size = geom.size;
    cross_sphere(geom.pos, size.dot(size), ray)?;

    let ray = to_frame(geom, ray);
    let mut best = None;
    for axis in 0..3 {
        let (i, j) = [(1, 2), (0, 2), (0, 1)][axis];
        let within = |p: Vec3| p[i].abs() <= size[i] && p[j].abs() <= size[j];
        face_pair(&ray, axis, size[axis], within, &mut best);
    }
    best
}

/// The crossings with the six faces of a box, from below and above along x, y and z.
pub(super) fn box_crossings(geom: &Geom<'_>, ray: &Ray) -> [Option<f64>; 6] {
    let size = geom.size;
    let mut all = [None; 6];
    if cross_sphere(geom.pos, size.dot(size), ray).is_none() {
        return all;
    }
    let ray = to_frame(geom, ray);
    for axis in 0..3 {
        let (i, j) = [(1, 2), (0, 2), (0, 1)][axis];
        if ray.direction[axis].abs() <= MINVAL {
            continue;
        }
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let distance = (sign * size[axis] - ray.origin[axis]) / ray.direction[axis];
            let p = ray.at(distance);
            if distance >= 0.0 && p[i].abs() <= size[i] && p[j].abs() <= size[j] {
                all[2 * axis + side] = Some(distance);
            }
        }
    }
    all
}

/// Tries the two flat faces across `axis`, at `size` from the centre on either side.
fn face_pair(
    ray: &Ray,
    axis: usize,
    size: f64,
    within: impl Fn(Vec3) -> bool,
    best: &mut Option<Crossing>,
) {
    // a ray along the faces meets neither
    if ray.direction[axis].abs() <= MINVAL {
        return;
    }
    for sign in [-1.0, 1.0] {
        let distance = (sign * size - ray.origin[axis]) / ray.direction[axis];
        if distance >= 0.0 && within(ray.at(distance)) {
            Crossing { distance, part: Part::Face { axis, sign } }.improve(best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec3 = Vec3::new(1.0, 2.0, 3.0);

    fn distance(kind: GeomType, origin: Vec3, direction: Vec3) -> Option<f64> {
        let hit = ray_geom(kind, SIZE, Vec3::ZERO, &Mat3::IDENTITY, origin, direction);
        hit.map(|(distance, _)| distance)
    }

    #[test]
    fn rays_along_an_axis_meet_the_near_side() {
        let from_x = |kind| distance(kind, Vec3::X * 10.0, -Vec3::X);
        let from_z = |kind| distance(kind, Vec3::Z * 10.0, -Vec3::Z);
        for (kind, x, z) in [
            (GeomType::Plane, None, Some(10.0)),
            (GeomType::Sphere, Some(9.0), Some(9.0)),
            (GeomType::Capsule, Some(9.0), Some(7.0)),
            (GeomType::Ellipsoid, Some(9.0), Some(7.0)),
            (GeomType::Cylinder, Some(9.0), Some(8.0)),
            (GeomType::Box, Some(9.0), Some(7.0)),
            (GeomType::Mesh, None, None),
        ] {
            for (found, expected) in [(from_x(kind), x), (from_z(kind), z)] {
                assert_eq!(found.is_some(), expected.is_some(), "{kind:?}");
                assert!(found.zip(expected).is_none_or(|(a, b)| (a - b).abs() < 1e-14), "{kind:?}");
            }
        }
    }

    #[test]
    fn a_ray_from_inside_meets_the_far_side_and_a_normal_along_it() {
        for kind in [
            GeomType::Sphere,
            GeomType::Capsule,
            GeomType::Ellipsoid,
            GeomType::Cylinder,
            GeomType::Box,
        ] {
            let hit = ray_geom(kind, SIZE, Vec3::ZERO, &Mat3::IDENTITY, Vec3::ZERO, Vec3::X * 0.5);
            assert_eq!(hit, Some((2.0, Vec3::X)), "{kind:?}");
        }
    }

    #[test]
    fn normals_turn_with_the_shape() {
        // the z-axis of the shape is the x-axis of the world
        let mat = Mat3::from_columns(Vec3::Y, Vec3::Z, Vec3::X);
        let hit = |kind| ray_geom(kind, SIZE, Vec3::ZERO, &mat, Vec3::X * 10.0, -Vec3::X);
        assert_eq!(hit(GeomType::Box), Some((7.0, Vec3::X)));
        assert_eq!(hit(GeomType::Cylinder), Some((8.0, Vec3::X)));
        assert_eq!(hit(GeomType::Capsule), Some((7.0, Vec3::X)));
    }

    #[test]
    fn shapes_behind_the_origin_and_numbers_that_are_none_are_not_met() {
        for kind in [
            GeomType::Plane,
            GeomType::Sphere,
            GeomType::Capsule,
            GeomType::Ellipsoid,
            GeomType::Cylinder,
            GeomType::Box,
        ] {
            assert_eq!(distance(kind, Vec3::X * 10.0, Vec3::X), None, "{kind:?}");
            assert_eq!(distance(kind, Vec3::X * f64::NAN, Vec3::X), None, "{kind:?}");
            assert_eq!(distance(kind, Vec3::X, Vec3::ZERO), None, "{kind:?}");
        }
    }
}
