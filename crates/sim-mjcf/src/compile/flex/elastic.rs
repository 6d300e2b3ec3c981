//! Elastic constants of elements: stretching of triangles and tetrahedra, bending of shells.

use sim_core::math::{Mat3, Vec3};

use super::topology::EDGES;
use crate::pose::unit;

/// The sides that a triangle has beside an edge, and the faces of a tetrahedron that an edge is not
/// in.
const BESIDE: [&[[usize; 2]]; 2] =
    [&[[1, 2], [2, 0], [0, 1]], &[[2, 3], [1, 3], [2, 1], [1, 0], [0, 2], [0, 3]]];

/// Edges of a triangle.
const TRIANGLE: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Faces of a tetrahedron, seen from inside.
const FACES: [[usize; 3]; 4] = [[2, 1, 0], [0, 1, 3], [1, 2, 3], [2, 0, 3]];

/// Computes how a triangle of a thickness, or a tetrahedron, resists changes of the squares of the
/// lengths of its edges: the upper triangle of a symmetric matrix over edges, by rows.
///
/// The energy is that of St. Venant and Kirchhoff, the strain is written in a basis of one tensor
/// for each edge. Weischedel, A discrete geometric view on shear-deformable shell models, §4.1.
pub(super) fn stretching(corners: &[Vec3], young: f64, poisson: f64, thickness: f64) -> [f64; 21] {
    let dim = corners.len() - 1;
    let volume = if dim == 2 { area(corners) } else { volume(corners) };
    let thickness = if dim == 2 { thickness } else { 4.0 };
    let mu = young / (2.0 * (1.0 + poisson)) * volume.abs() / 4.0 * thickness;
    let la = young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)) * volume.abs() / 4.0
        * thickness;

    let count = EDGES[dim - 1].len();
    let mut basis = [Mat3::default(); 6];
    for (tensor, &[left, right]) in basis.iter_mut().zip(BESIDE[dim - 2]) {
        *tensor = if dim == 2 {
            edge_tensor(corners, TRIANGLE[left], TRIANGLE[right], 8.0 * volume * volume)
        } else {
            face_tensor(corners, FACES[left], FACES[right], 36.0 * 2.0 * volume * volume)
        };
    }

    let trace = |m: &Mat3| (0..3).map(|i| m[(i, i)]).sum::<f64>();
    let mut stiffness = [0.0; 21];
    let mut at = 0;
    for a in 0..count {
        for b in a..count {
            let mut product = 0.0;
            for i in 0..3 {
                for j in 0..3 {
                    product += basis[a][(i, j)] * basis[b][(j, i)];
                }
            }
            stiffness[at] = mu * product + la * trace(&basis[b]) * trace(&basis[a]);
            at += 1;
        }
    }
    stiffness
}

/// The symmetric product of the normals of two sides of a triangle, in its plane.
fn edge_tensor(corners: &[Vec3], left: [usize; 2], right: [usize; 2], scale: f64) -> Mat3 {
    let left = corners[left[0]] - corners[left[1]];
    let right = corners[right[1]] - corners[right[0]];
    let normal = right.cross(left);
    let normal = unit(normal).map_or(normal, |(axis, _)| axis);
    symmetric(normal.cross(left), right.cross(normal), scale)
}

/// The symmetric product of the normals of two faces of a tetrahedron, twice as long as their areas.
fn face_tensor(corners: &[Vec3], left: [usize; 3], right: [usize; 3], scale: f64) -> Mat3 {
    let normal = |face: [usize; 3]| {
        let [a, b, c] = face.map(|k| corners[k]);
        (b - a).cross(c - a)
    };
    symmetric(normal(left), normal(right), scale)
}

/// `(a bᵀ + b aᵀ) / scale`.
fn symmetric(a: Vec3, b: Vec3, scale: f64) -> Mat3 {
    let mut m = Mat3::default();
    for i in 0..3 {
        for j in 0..3 {
            m[(i, j)] = (a[i] * b[j] + b[i] * a[j]) / scale;
        }
    }
    m
}

fn area(corners: &[Vec3]) -> f64 {
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    unit(normal).map_or(0.0, |(_, length)| length) / 2.0
}

/// Volume of a tetrahedron, negative if its faces look inwards.
pub(super) fn volume(corners: &[Vec3]) -> f64 {
    let [a, b, c] = [1, 2, 3].map(|k| corners[k] - corners[0]);
    a.cross(b).dot(c) / 6.0
}

/// Computes how an edge between two triangles resists bending: a matrix over the ends of the edge
/// and the third vertices, by rows, then a factor for what is curved at rest. Nothing if there is no
/// second triangle.
///
/// Wardetzky et al., Discrete Quadratic Curvature Energies (2007); Garg et al., Cubic Shells (2007).
pub(super) fn bending(pos: &[Vec3], flap: [i32; 4], mu: f64, thickness: f64) -> [f64; 17] {
    let mut bending = [0.0; 17];
    if flap[3] == -1 {
        return bending;
    }
    let [v0, v1, v2, v3] = flap.map(|vertex| pos[vertex as usize]);
    let a01 = cotangent(v0, v1, v2);
    let a02 = cotangent(v0, v3, v1);
    let a03 = cotangent(v1, v2, v0);
    let a04 = cotangent(v1, v0, v3);
    let c = [a03 + a04, a01 + a02, -(a01 + a03), -(a02 + a04)];
    let whole = |normal: Vec3| normal.dot(normal).sqrt() / 2.0;
    let area = whole((v1 - v0).cross(v2 - v0)) + whole((v0 - v1).cross(v3 - v1));
    let cube = thickness * thickness * thickness;
    let stiffness = 3.0 * mu * cube / (24.0 * area);

    let [e0, e1, e2, e3, e4] = [v1 - v0, v2 - v0, v3 - v0, v2 - v1, v3 - v1];
    let t0 = -(e1 * a03 + e3 * a01);
    let t1 = -(e2 * a04 + e4 * a02);
    let square = e0.dot(e0);
    let cosine = -t0.dot(t1) / square;
    for i in 0..4 {
        for j in 0..4 {
            bending[4 * i + j] = c[i] * c[j] * cosine * stiffness;
        }
    }
    bending[16] =
        e0.cross(e1).dot(e2) * (a01 - a03) * (a04 - a02) * stiffness / (square * square.sqrt());
    bending
}

/// Cotangent of the angle at `v0`.
fn cotangent(v0: Vec3, v1: Vec3, v2: Vec3) -> f64 {
    let (a, b) = (v1 - v0, v2 - v0);
    let normal = a.cross(b);
    a.dot(b) / normal.dot(normal).sqrt()
}
