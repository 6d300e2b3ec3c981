//! The point of a simplex nearest to the origin, in barycentric coordinates.
//!
//! Signed volumes: Montanari, Petrinic, Barbieri, "Improving the GJK algorithm for faster and more
//! reliable distance queries between convex objects", ACM Trans. Graph. 36 (2017).

use super::difference::Vertex;
use crate::math::{MINVAL, Vec3};

/// Computes the barycentric coordinates of the point nearest to the origin in the simplex of the
/// first `n` vertices.
#[inline(always)]
pub(super) fn nearest(simplex: &[Vertex; 4], n: usize) -> [f64; 4] {
    let [a, b, c, d] = simplex.each_ref().map(|v| &v.diff);
    match n {
        4 => on_tetrahedron(a, b, c, d),
        3 => {
            let [u, v, w] = on_triangle(a, b, c);
            [u, v, w, 0.0]
        }
        2 => {
            let [u, v] = on_segment(a, b);
            [u, v, 0.0, 0.0]
        }
        _ => [1.0, 0.0, 0.0, 0.0],
    }
}

/// Whether both numbers are positive or both negative.
#[inline]
fn same_sign(a: f64, b: f64) -> bool {
    (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0)
}

#[inline(never)]
fn on_tetrahedron(a: &Vec3, b: &Vec3, c: &Vec3, d: &Vec3) -> [f64; 4] {
    // six times the signed volumes of the tetrahedra made with the origin
    let volumes = [-det(*b, *c, *d), det(*a, *c, *d), -det(*a, *b, *d), det(*a, *b, *c)];
    let total = volumes[0] + volumes[1] + volumes[2] + volumes[3];
    let inside = volumes.map(|v| same_sign(total, v));
    if inside == [true; 4] {
        return volumes.map(|v| v / total);
    }

    // outside: the nearest of the faces that separate the origin from the opposite vertex
    let mut res = [0.0; 4];
    let mut least = f64::MAX;
    for skip in 0..4 {
        if inside[skip] {
            continue;
        }
        let (p, q, r) = match skip {
            0 => (b, c, d),
            1 => (a, c, d),
            2 => (a, b, d),
            _ => (a, b, c),
        };
        let [u, v, w] = on_triangle(p, q, r);
        let x = *p * u + *q * v + *r * w;
        let dist2 = x.dot(x);
        if skip == 0 || dist2 < least {
            least = dist2;
            res = match skip {
                0 => [0.0, u, v, w],
                1 => [u, 0.0, v, w],
                2 => [u, v, 0.0, w],
                // as in the reference, an earlier face's weight of the last vertex stays
                _ => [u, v, w, res[3]],
            };
        }
    }
    res
}

#[inline(never)]
fn on_triangle(a: &Vec3, b: &Vec3, c: &Vec3) -> [f64; 3] {
    let Some(foot) = project_on_plane(*a, *b, *c) else {
        let [u, v] = on_segment(a, b);
        return [u, v, 0.0];
    };
    let (total, areas) = shadow_areas(*a, *b, *c, foot);
    let inside = areas.map(|area| same_sign(total, area));
    if inside == [true; 3] {
        return areas.map(|area| area / total);
    }

    // outside: the nearest of the edges that separate the foot from the opposite vertex
    let mut res = [0.0; 3];
    let mut least = f64::MAX;
    for skip in 0..3 {
        if inside[skip] {
            continue;
        }
        let (p, q) = match skip {
            0 => (b, c),
            1 => (a, c),
            _ => (a, b),
        };
        let [u, v] = on_segment(p, q);
        let x = *p * u + *q * v;
        let dist2 = x.dot(x);
        if skip == 0 || dist2 < least {
            least = dist2;
            res = match skip {
                0 => [0.0, u, v],
                1 => [u, 0.0, v],
                _ => [u, v, 0.0],
            };
        }
    }
    res
}

#[inline(always)]
fn on_segment(a: &Vec3, b: &Vec3) -> [f64; 2] {
    let foot = project_on_line(*a, *b);

    // measure along the axis on which the segment is longest
    let mut axis = (a.x - b.x, foot.x - b.x, a.x - foot.x);
    if (a.y - b.y).abs() >= axis.0.abs() {
        axis = (a.y - b.y, foot.y - b.y, a.y - foot.y);
    }
    if (a.z - b.z).abs() >= axis.0.abs() {
        axis = (a.z - b.z, foot.z - b.z, a.z - foot.z);
    }
    let (total, to_b, to_a) = axis;
    if same_sign(total, to_b) && same_sign(total, to_a) {
        [to_b / total, to_a / total]
    } else {
        [0.0, 1.0]
    }
}

/// The determinant of the matrix with these columns.
#[inline(always)]
pub(super) fn det(a: Vec3, b: Vec3, c: Vec3) -> f64 {
    a.dot(b.cross(c))
}

/// Projects the origin onto the line through two points.
#[inline(always)]
fn project_on_line(a: Vec3, b: Vec3) -> Vec3 {
    let edge = b - a;
    b + edge * -(b.dot(edge) / edge.dot(edge))
}

/// Projects the origin onto the plane through three points; `None` if they are on a line.
#[inline(always)]
pub(super) fn project_on_plane(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let normal = (c - b).cross(b - a);
    let (height, norm2) = (normal.dot(b), normal.dot(normal));
    if height != 0.0 && norm2 > MINVAL {
        return Some(normal * (height / norm2));
    }
    if norm2 == 0.0 { None } else { project_on_small_plane(a, b, c) }
}

/// The same where the normal at `b` is a poor one, from the other vertices.
#[cold]
fn project_on_small_plane(a: Vec3, b: Vec3, c: Vec3) -> Option<Vec3> {
    let (ab, ac, bc) = (b - a, c - a, c - b);
    let normal = ab.cross(ac);
    let (height, norm2) = (normal.dot(a), normal.dot(normal));
    if norm2 == 0.0 {
        return None;
    }
    if height != 0.0 && norm2 > MINVAL {
        return Some(normal * (height / norm2));
    }
    let normal = ac.cross(bc);
    Some(normal * (normal.dot(c) / normal.dot(normal)))
}

/// Projects a triangle onto the coordinate plane in which it appears largest. Returns twice its
/// signed area there, and those of the triangles that `p` makes with each edge, in the order of
/// the opposite vertices.
#[inline(always)]
pub(super) fn shadow_areas(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> (f64, [f64; 3]) {
    let yz = |v: Vec3| [v.y, v.z];
    let xz = |v: Vec3| [v.x, v.z];
    let xy = |v: Vec3| [v.x, v.y];
    let areas = [
        whole_area(yz(a), yz(b), yz(c)),
        whole_area(xz(a), xz(b), xz(c)),
        whole_area(xy(a), xy(b), xy(c)),
    ];
    let sizes = areas.map(f64::abs);
    let (total, [a, b, c, p]) = if sizes[0] >= sizes[1] && sizes[0] >= sizes[2] {
        (areas[0], [a, b, c, p].map(yz))
    } else if sizes[1] >= sizes[2] {
        (areas[1], [a, b, c, p].map(xz))
    } else {
        (areas[2], [a, b, c, p].map(xy))
    };
    (total, [part_area(p, b, c), part_area(p, c, a), part_area(p, a, b)])
}

// the two differ in their order of additions, on which the last bits depend

#[inline(always)]
fn whole_area(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    b[0] * c[1] - b[1] * c[0] - a[0] * c[1] + a[1] * c[0] + a[0] * b[1] - a[1] * b[0]
}

#[inline(always)]
fn part_area(p: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    p[0] * b[1] + p[1] * c[0] + b[0] * c[1] - p[0] * c[1] - p[1] * b[0] - c[0] * b[1]
}

/// Computes the affine coordinates of `p` in the plane of a triangle.
#[inline]
pub(super) fn affine_coordinates(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> [f64; 3] {
    let (total, areas) = shadow_areas(a, b, c, p);
    areas.map(|area| area / total)
}

/// Combines the points of the first `n` vertices that `point` picks, with the given weights.
#[inline(always)]
pub(super) fn combine(
    v: &[Vertex; 4],
    w: &[f64; 4],
    n: usize,
    point: impl Fn(&Vertex) -> Vec3,
) -> Vec3 {
    let mut sum = point(&v[0]) * w[0];
    for i in 1..4 {
        if i < n {
            sum += point(&v[i]) * w[i];
        }
    }
    sum
}
