//! The narrow phase: the function for two types of geom.

use super::Hits;
use super::box_box::box_box;
use super::capsule::{capsule_box, capsule_capsule};
use super::convex::{Ccd, ConvexWork, convex, plane_convex};
use super::hfield::hfield_convex;
use super::plane::{plane_box, plane_capsule, plane_cylinder, plane_sphere};
use super::sphere::{sphere_box, sphere_capsule, sphere_cylinder, sphere_sphere};
use crate::geometry::{Geom, Shape};

/// Finds the points that `a` and `b` have in common, up to a distance of `margin`. The type of
/// `a` is not above that of `b`.
pub(super) fn collide(
    a: &Geom,
    b: &Geom,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    use Shape::{Box, Capsule, Cylinder, Ellipsoid, Hfield, Mesh, Plane, Sdf, Sphere};
    match (&a.shape, &b.shape) {
        (Plane, Sphere) => plane_sphere(a, b, margin, out),
        (Plane, Capsule) => plane_capsule(a, b, margin, out),
        (Plane, Cylinder) => plane_cylinder(a, b, margin, out),
        (Plane, Box) => plane_box(a, b, margin, out),
        (Plane, Ellipsoid | Mesh(_)) => plane_convex(a, b, margin, ccd, work, out),

        (Hfield(asset), Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh(_)) => {
            if let Some(field) = asset.hfield() {
                hfield_convex(a, &field, b, margin, ccd, work, out);
            }
        }

        (Sphere, Sphere) => sphere_sphere(a, b, margin, out),
        (Sphere, Capsule) => sphere_capsule(a, b, margin, out),
        (Sphere, Cylinder) => sphere_cylinder(a, b, margin, out),
        (Sphere, Box) => sphere_box(a, b, margin, out),
        (Capsule, Capsule) => capsule_capsule(a, b, margin, out),
        (Capsule, Box) => capsule_box(a, b, margin, out),
        (Box, Box) => box_box(a, b, margin, out),
        (Sphere | Capsule | Ellipsoid, Ellipsoid)
        | (Capsule | Ellipsoid | Cylinder, Cylinder)
        | (Ellipsoid | Cylinder, Box)
        | (Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh(_), Mesh(_)) => {
            convex(a, b, margin, ccd, work, out)
        }

        // surfaces without an inside have no contacts with each other
        (Plane, Plane | Hfield(_)) | (Hfield(_), Hfield(_)) => {}

        // signed distance fields are evaluated by plugins
        (
            Plane | Hfield(_) | Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh(_) | Sdf,
            Sdf,
        ) => {}

        // pairs in descending order of types, which nobody asks for
        (Hfield(_) | Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh(_) | Sdf, Plane)
        | (Sphere | Capsule | Ellipsoid | Cylinder | Box | Mesh(_) | Sdf, Hfield(_))
        | (Capsule | Ellipsoid | Cylinder | Box | Mesh(_) | Sdf, Sphere)
        | (Ellipsoid | Cylinder | Box | Mesh(_) | Sdf, Capsule)
        | (Cylinder | Box | Mesh(_) | Sdf, Ellipsoid)
        | (Box | Mesh(_) | Sdf, Cylinder)
        | (Mesh(_) | Sdf, Box)
        | (Sdf, Mesh(_)) => {}
    }
}
