//! The narrow phase: the function for two types of geom.

use super::box_box::box_box;
use super::capsule::{capsule_box, capsule_capsule};
use super::convex::{Ccd, ConvexWork, convex, plane_convex};
use super::plane::{plane_box, plane_capsule, plane_cylinder, plane_sphere};
use super::sphere::{sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere};
use super::{Hits, Shape};
use crate::model::GeomType;

/// Finds the points that `a` and `b` have in common, up to a distance of `margin`. The type of
/// `a` is not above that of `b`.
pub(super) fn collide(
    a: &Shape,
    b: &Shape,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid, Plane, Sphere};
    match (a.kind, b.kind) {
        (Plane, Sphere) => plane_sphere(a, b, margin, out),
        (Plane, Capsule) => plane_capsule(a, b, margin, out),
        (Plane, Cylinder) => plane_cylinder(a, b, margin, out),
        (Plane, Box) => plane_box(a, b, margin, out),
        (Plane, Ellipsoid) => plane_convex(a, b, margin, out),
        (Sphere, Sphere) => sphere_sphere(a, b, margin, out),
        (Sphere, Capsule) => sphere_capsule(a, b, margin, out),
        (Sphere, Cylinder) => sphere_cylinder(a, b, margin, out),
        (Sphere, Box) => sphere_box(a, b, margin, out),
        (Capsule, Capsule) => capsule_capsule(a, b, margin, out),
        (Capsule, Box) => capsule_box(a, b, margin, out),
        (Box, Box) => box_box(a, b, margin, out),
        (Sphere | Capsule | Ellipsoid, Ellipsoid)
        | (Capsule | Ellipsoid | Cylinder, Cylinder)
        | (Ellipsoid | Cylinder, Box) => convex(a, b, margin, ccd, work, out),
        _ => {}
    }
}
