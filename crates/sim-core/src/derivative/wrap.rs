use crate::math::{Mat3, Vec3};
use crate::smooth::Shape;

/// How the points where a tendon touches a geom slide on it with the ends of the tendon.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sliding {
    /// Derivatives of the first and last point by the first and last end.
    pub(super) by: [[Mat3; 2]; 2],
}

impl Sliding {
    /// From the ends and the points, in the frame of the geom.
    pub(super) fn new(
        [from, to, first, last]: [Vec3; 4],
        radius: f64,
        shape: Shape,
        inside: bool,
    ) -> Sliding {
        match (shape, inside) {
            (Shape::Sphere, false) => {
                let (own, other) = tangent_on_sphere(from, to, first, radius);
                let (last_own, last_other) = tangent_on_sphere(to, from, last, radius);
                Sliding { by: [[own, other], [last_other, last_own]] }
            }
            (Shape::Sphere, true) => Sliding { by: [inside_sphere(from, to, first); 2] },
            (Shape::Cylinder, false) => {
                let flat = [from, to, first, last].map(flatten);
                let own = [
                    tangent_on_circle(flat[0], flat[2], radius),
                    tangent_on_circle(flat[1], flat[3], radius),
                ];
                // the arc grows as its ends turn
                let sense = 1.0_f64.copysign(cross(flat[2], flat[2] - flat[0]));
                let turn = |w: Vec3, own: Mat3| {
                    own.transpose_mul(Vec3::new(-w.y, w.x, 0.0)) * (sense / radius)
                };
                let arc = [-turn(flat[2], own[0]), turn(flat[3], own[1])];
                let angle = {
                    let angle = sense * libm::atan2(cross(flat[2], flat[3]), flat[2].dot(flat[3]));
                    if angle < 0.0 { angle + 2.0 * std::f64::consts::PI } else { angle }
                };
                let length = radius * angle;
                helix([from, to], [flat[2], flat[3]], own, arc, length)
            }
            (Shape::Cylinder, true) => {
                let flat = [from, to, first].map(flatten);
                let by = inside_circle(flat[0], flat[1], flat[2]);
                touch_helix([from, to], flat[2], by)
            }
        }
    }

    /// The same for motions in the world.
    pub(super) fn in_frame(self, mat: &Mat3) -> Sliding {
        Sliding { by: self.by.map(|row| row.map(|by| *mat * by * mat.transpose())) }
    }
}

fn flatten(x: Vec3) -> Vec3 {
    Vec3::new(x.x, x.y, 0.0)
}

fn cross(a: Vec3, b: Vec3) -> f64 {
    a.x * b.y - a.y * b.x
}

/// The parts of a tangent point along the direction of the end and across it, for an end at distance
/// `l`, with their derivatives: `r²/l` and `r √(1 − r²/l²)`.
fn parts(l: f64, radius: f64) -> [(f64, f64); 2] {
    let share = radius * radius / l;
    let root = (1.0 - share / l).max(0.0).sqrt();
    [(share, -share / l), (radius * root, radius * share / (l * l) / root.max(1e-12))]
}

/// Derivatives of the tangent point `w` of a sphere from `p` in the plane of `p` and `q`.
fn tangent_on_sphere(p: Vec3, q: Vec3, w: Vec3, radius: f64) -> (Mat3, Mat3) {
    let (a, l) = p.normalized();
    let along = a.dot(q);
    let (b, m) = (q - a * along).normalized();
    let [(alpha, alpha_rate), (beta, beta_rate)] = parts(l, radius);
    let s = 1.0_f64.copysign(w.dot(b));
    let a_by = (Mat3::IDENTITY - Mat3::outer(a, a)) * (1.0 / l);
    let across = (Mat3::IDENTITY - Mat3::outer(b, b)) * (1.0 / m);
    let b_by_p = across * (a_by * -along - Mat3::outer(a, a_by.transpose_mul(q)));
    let b_by_q = across * (Mat3::IDENTITY - Mat3::outer(a, a));
    let by_p = a_by * alpha
        + Mat3::outer(a, a) * alpha_rate
        + (b_by_p * beta + Mat3::outer(b, a) * beta_rate) * s;
    (by_p, b_by_q * (s * beta))
}

/// Derivative of the tangent point `w` of a circle from `e`, in the plane.
fn tangent_on_circle(e: Vec3, w: Vec3, radius: f64) -> Mat3 {
    let (a, l) = e.normalized();
    let b = Vec3::new(-a.y, a.x, 0.0);
    let [(alpha, alpha_rate), (beta, beta_rate)] = parts(l, radius);
    let s = 1.0_f64.copysign(w.dot(b));
    // a turns towards b, b away from a
    let turn = Mat3::outer(b, b) * (1.0 / l);
    let b_turn = Mat3::outer(a, b) * (-1.0 / l);
    turn * alpha
        + Mat3::outer(a, a) * alpha_rate
        + (b_turn * beta + Mat3::outer(b, a) * beta_rate) * s
}

/// Adds the heights of tangent points on a cylinder, which grow in proportion to the flat length.
fn helix(
    ends: [Vec3; 2],
    points: [Vec3; 2],
    own: [Mat3; 2],
    arc: [Vec3; 2],
    length: f64,
) -> Sliding {
    let away = [flatten(ends[0]) - points[0], flatten(ends[1]) - points[1]];
    let straight = away.map(Vec3::norm);
    let total = straight[0] + length + straight[1];
    let rise = ends[1].z - ends[0].z;
    // derivatives of the straight lengths by their ends: the point slides across
    let by_end = [0, 1].map(|i| {
        let unit = away[i] * (1.0 / straight[i].max(1e-12));
        unit - own[i].transpose_mul(unit)
    });
    let mut by = [[Mat3::default(); 2]; 2];
    for which in 0..2 {
        let reached = if which == 0 { straight[0] } else { straight[0] + length };
        for end in 0..2 {
            let total_rate = by_end[end] + arc[end];
            let mut reached_rate = if end == 0 { by_end[0] } else { Vec3::ZERO };
            if which == 1 {
                reached_rate += arc[end];
            }
            let share = reached / total;
            let mut height = (reached_rate - total_rate * share) * (rise / total);
            height.z += if end == 0 { 1.0 - share } else { share };
            let flat = if which == end { own[end] } else { Mat3::default() };
            by[which][end] = flatten_rows(flat) + Mat3::outer(Vec3::Z, height);
        }
    }
    Sliding { by }
}

/// The same for a single point inside a cylinder.
fn touch_helix(ends: [Vec3; 2], point: Vec3, flat: [Mat3; 2]) -> Sliding {
    let away = ends.map(|end| flatten(end) - point);
    let straight = away.map(Vec3::norm);
    let total = straight[0] + straight[1];
    let rise = ends[1].z - ends[0].z;
    let share = straight[0] / total;
    let unit = [0, 1].map(|i| away[i] * (1.0 / straight[i].max(1e-12)));
    let by = [0, 1].map(|end| {
        // both lengths change with the point, one with the end itself
        let mut rates = [0, 1].map(|i| -flat[end].transpose_mul(unit[i]));
        rates[end] += unit[end];
        let mut height = (rates[0] - (rates[0] + rates[1]) * share) * (rise / total);
        height.z += if end == 0 { 1.0 - share } else { share };
        flatten_rows(flat[end]) + Mat3::outer(Vec3::Z, height)
    });
    Sliding { by: [by; 2] }
}

/// Without the row of heights.
fn flatten_rows(mut mat: Mat3) -> Mat3 {
    (0..3).for_each(|i| mat[(2, i)] = 0.0);
    mat
}

/// Derivatives of the point of a circle where the sum of distances to two points is stationary.
fn inside_circle(p: Vec3, q: Vec3, w: Vec3) -> [Mat3; 2] {
    stationary(p, q, w, &[Vec3::new(-w.y, w.x, 0.0)])
}

/// The same on a sphere.
fn inside_sphere(p: Vec3, q: Vec3, w: Vec3) -> [Mat3; 2] {
    let (normal, _) = w.normalized();
    let axis = if normal.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
    let first = normal.cross(axis).normalized().0 * w.norm();
    stationary(p, q, w, &[first, normal.cross(first)])
}

/// Derivatives of a point `w` that may move along `tangents`, of its own length, on a round surface:
/// the sum of its distances to `p` and `q` is stationary.
fn stationary(p: Vec3, q: Vec3, w: Vec3, tangents: &[Vec3]) -> [Mat3; 2] {
    let ends = [p, q].map(|end| (w - end).normalized());
    let total = ends[0].0 + ends[1].0;
    let slope: f64 = tangents.iter().map(|t| t.dot(total).abs()).sum();
    if slope > 1e-3 * w.norm() {
        // the path goes through the middle of both ends instead
        let (unit, length) = ((p + q) * 0.5).normalized();
        let across = Mat3::IDENTITY - Mat3::outer(unit, unit);
        return [across * (0.5 * w.norm() / length); 2];
    }
    let bend = ends.map(|(u, d)| (Mat3::IDENTITY - Mat3::outer(u, u)) * (1.0 / d));
    let curvature = bend[0] + bend[1];
    let n = tangents.len();
    let mut matrix = [[1.0, 0.0], [0.0, 1.0]];
    for i in 0..n {
        for j in 0..n {
            matrix[i][j] = tangents[i].dot(curvature * tangents[j]);
        }
        matrix[i][i] -= w.dot(total);
    }
    let det = matrix[0][0] * matrix[1][1] - matrix[0][1] * matrix[1][0];
    let inverse =
        [[matrix[1][1] / det, -matrix[0][1] / det], [-matrix[1][0] / det, matrix[0][0] / det]];
    bend.map(|bend| {
        let mut by = Mat3::default();
        for i in 0..n {
            for j in 0..n {
                by = by + Mat3::outer(tangents[i], bend.transpose_mul(tangents[j])) * inverse[i][j];
            }
        }
        by
    })
}
