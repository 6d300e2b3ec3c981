//! Rays against triangles and meshes.

use super::Mesh;
use super::ray::{Crossing, Ray};
use crate::math::{MINVAL, Vec3};

/// Most volumes that wait to be looked into; hierarchies are at most fifty levels deep.
const STACK: usize = 64;

/// A ray with two directions normal to it, in which triangles are seen as flat.
pub(crate) struct View {
    ray: Ray,
    basis: [Vec3; 2],
}

impl View {
    pub(crate) fn new(ray: Ray) -> View {
        let d = ray.direction;
        let size = d.abs();
        let mut first = Vec3::new(1.0, 1.0, 1.0);
        if size.x >= size.y && size.x >= size.z {
            first.x = 0.0;
        } else if size.y >= size.z {
            first.y = 0.0;
        } else {
            first.z = 0.0;
        }
        let (second, _) = (first + d * (-d.dot(first) / d.dot(d))).normalized();
        let (first, _) = second.cross(d).normalized();
        View { ray, basis: [first, second] }
    }

    /// Where the ray meets a triangle, from either side; the distance may be negative. Also returns
    /// the normal of the triangle, as long as twice its area.
    pub(crate) fn triangle(&self, [a, b, c]: [Vec3; 3]) -> Option<(f64, Vec3)> {
        let Ray { origin, direction } = self.ray;
        let flat = |v: Vec3| [self.basis[0].dot(v - origin), self.basis[1].dot(v - origin)];
        let [p, q, r] = [flat(a), flat(b), flat(c)];
        for i in 0..2 {
            if (p[i] > 0.0 && q[i] > 0.0 && r[i] > 0.0) || (p[i] < 0.0 && q[i] < 0.0 && r[i] < 0.0)
            {
                return None;
            }
        }

        // coordinates of the ray in the triangle as it is seen
        let m = [p[0] - r[0], q[0] - r[0], p[1] - r[1], q[1] - r[1]];
        let rhs = [-r[0], -r[1]];
        let det = m[0] * m[3] - m[1] * m[2];
        if det.abs() < MINVAL {
            return None;
        }
        let s = (m[3] * rhs[0] - m[1] * rhs[1]) / det;
        let t = (-m[2] * rhs[0] + m[0] * rhs[1]) / det;
        if s < 0.0 || t < 0.0 || s + t > 1.0 {
            return None;
        }

        // the plane of the triangle
        let normal = (a - c).cross(b - c);
        let slope = direction.dot(normal);
        if slope.abs() < MINVAL {
            return None;
        }
        Some((-(origin - c).dot(normal) / slope, normal))
    }
}

/// The nearest triangle of a mesh, found with its hierarchy of bounding volumes. `ray` is given in
/// the frame of the geom.
pub(super) fn mesh(mesh: &Mesh<'_>, ray: Ray) -> Option<Crossing> {
    let (boxes, children, faces) = mesh.volumes();
    let view = View::new(ray);
    let mut best: Option<Crossing> = None;
    let mut stack = [0; STACK];
    let mut waiting = usize::from(!boxes.is_empty());
    while waiting > 0 {
        waiting -= 1;
        let node = stack[waiting];
        let Some(entry) = slab(&boxes[node], &ray) else { continue };
        // what begins beyond the nearest triangle has none that is nearer
        if best.is_some_and(|best| entry > best.distance * (1.0 + 1e-9)) {
            continue;
        }
        if let Ok(face) = usize::try_from(faces[node]) {
            if let Some((distance, normal)) = view.triangle(mesh.triangle(face))
                && distance >= 0.0
            {
                Crossing::triangle(distance, normal).improve(&mut best);
            }
            continue;
        }
        for child in children[node] {
            if let Ok(child) = usize::try_from(child) {
                stack[waiting] = child;
                waiting += 1;
            }
        }
    }
    best
}

/// Where a ray enters a box (centre, half sizes), or 0 if it starts inside; none if it misses.
///
/// Ericson, Real-Time Collision Detection (2004), §5.3.3. Comparisons are written so that a ray
/// within a side of the box, for which a product is not a number, is decided as in the reference.
fn slab(&[x, y, z, a, b, c]: &[f64; 6], ray: &Ray) -> Option<f64> {
    let (center, half) = ([x, y, z], [a, b, c]);
    let (mut enter, mut leave) = (0.0, f64::INFINITY);
    for i in 0..3 {
        let inverse = 1.0 / ray.direction[i];
        let low = ((center[i] - half[i]) - ray.origin[i]) * inverse;
        let high = ((center[i] + half[i]) - ray.origin[i]) * inverse;
        let (near, far) = if low < high { (low, high) } else { (high, low) };
        enter = if enter > near { enter } else { near };
        leave = if leave < far { leave } else { far };
    }
    (enter < leave).then_some(enter)
}
