//! Planes of facets.

use super::tolerance::Tolerance;

/// A plane `normal · x + offset = 0`, its normal pointing out of the polyhedron.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Plane {
    pub normal: [f64; 3],
    pub offset: f64,
}

impl Plane {
    /// The signed distance of `point`, positive outside.
    #[inline]
    pub(super) fn distance(&self, point: [f64; 3]) -> f64 {
        let [a, b, c] = self.normal;
        self.offset + point[0] * a + point[1] * b + point[2] * c
    }

    /// The cosine of the angle between two normals.
    pub(super) fn cosine(&self, other: &Self) -> f64 {
        let mut sum = 0.0;
        for k in 0..3 {
            sum += self.normal[k] * other.normal[k];
        }
        sum
    }

    /// The projection of `point` onto the plane.
    pub(super) fn project(&self, point: [f64; 3]) -> [f64; 3] {
        let distance = self.distance(point);
        std::array::from_fn(|k| point[k] - distance * self.normal[k])
    }

    /// Turns the plane over.
    pub(super) fn flip(&mut self) {
        self.normal = self.normal.map(|x| -x);
        self.offset = -self.offset;
    }

    /// The plane through three points, which turn clockwise around its normal if `positive`.
    ///
    /// The cross product is tried first. Where the points turn out not to lie on its plane, they
    /// are nearly collinear, and Gaussian elimination with pivoting gives the better normal; if a
    /// pivot vanishes, the side is chosen such that `interior` is below.
    pub(super) fn through(
        corners: [[f64; 3]; 3],
        positive: bool,
        interior: [f64; 3],
        tol: &Tolerance,
    ) -> Self {
        let [p, q, r] = corners;
        let normal = [
            (r[1] - p[1]) * (q[2] - p[2]) - (r[2] - p[2]) * (q[1] - p[1]),
            (q[0] - p[0]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[0] - p[0]),
            (r[0] - p[0]) * (q[1] - p[1]) - (r[1] - p[1]) * (q[0] - p[0]),
        ];
        let normal = normalized(normal, positive, tol);
        let offset = -(p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2]);
        let off = |x: [f64; 3]| {
            let distance = offset + (x[0] * normal[0] + x[1] * normal[1] + x[2] * normal[2]);
            distance > tol.round || distance < -tol.round
        };
        if !off(r) && !off(q) {
            return Self { normal, offset };
        }
        let (mut plane, singular) = Self::by_elimination(corners, positive, tol);
        if singular && plane.distance(interior) > 0.0 {
            plane.flip();
        }
        plane
    }

    /// The plane through three points by Gaussian elimination with partial pivoting, and whether a
    /// pivot was nearly zero.
    fn by_elimination(corners: [[f64; 3]; 3], positive: bool, tol: &Tolerance) -> (Self, bool) {
        let [p, q, r] = corners;
        let mut rows = [q, r].map(|x| [x[0] - p[0], x[1] - p[1], x[2] - p[2]]);
        let mut negative = positive; // the sign of the last component of the normal
        let mut singular = false;

        // eliminate the first column of the second row
        if rows[1][0].abs() > rows[0][0].abs() {
            rows.swap(0, 1);
            negative = !negative;
        }
        singular |= rows[0][0].abs() <= tol.pivot[0];
        if rows[0][0] != 0.0 {
            let factor = rows[1][0] / rows[0][0];
            rows[1][1] -= factor * rows[0][1];
            rows[1][2] -= factor * rows[0][2];
        }
        singular |= rows[1][1].abs() <= tol.pivot[1];

        // back-substitute from a last component of plus or minus one
        negative ^= rows[1][1] < 0.0;
        negative ^= rows[0][0] < 0.0;
        let one = if negative { -1.0 } else { 1.0 };
        let mut normal = [0.0, 0.0, one];
        for i in [1, 0] {
            let mut x = 0.0;
            for j in i + 1..3 {
                x -= rows[i][j] * normal[j];
            }
            let diagonal = rows[i][i];
            let quotient = if diagonal.abs() > tol.tiny_diagonal {
                Some(x / diagonal)
            } else {
                quotient(x, diagonal, tol.tiny_quotient)
            };
            match quotient {
                Some(quotient) => normal[i] = quotient,
                None => {
                    normal[i] = one;
                    normal[i + 1..].fill(0.0);
                    singular = true;
                }
            }
        }

        let normal = normalized(normal, true, tol);
        let mut offset = -(p[0] * normal[0]);
        offset -= p[1] * normal[1];
        offset -= p[2] * normal[2];
        (Self { normal, offset }, singular)
    }
}

/// The vector of unit length along `v`, or against it if not `positive`.
fn normalized(mut v: [f64; 3], positive: bool, tol: &Tolerance) -> [f64; 3] {
    let mut norm = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    if norm == 0.0 {
        return [(1.0f64 / 3.0).sqrt(); 3];
    }
    let safe = norm > tol.tiny_norm;
    if !positive {
        norm = -norm;
    }
    for k in 0..3 {
        if safe {
            v[k] /= norm;
            continue;
        }
        match quotient(v[k], norm, f64::MIN_POSITIVE) {
            Some(x) => v[k] = x,
            None => {
                // too short to have a direction: its largest axis
                let axis = largest(v);
                let unit = if v[axis] * norm >= 0.0 { 1.0 } else { -1.0 };
                v = [0.0; 3];
                v[axis] = unit;
                return v;
            }
        }
    }
    v
}

/// The quotient, unless it overflows.
fn quotient(numerator: f64, denominator: f64, tiny: f64) -> Option<f64> {
    let fits = if numerator < tiny && numerator > -tiny {
        numerator.abs() < denominator.abs()
    } else {
        (denominator / numerator).abs() > tiny
    };
    fits.then(|| numerator / denominator)
}

/// The axis along which `v` is longest.
fn largest(v: [f64; 3]) -> usize {
    let mut axis = 0;
    for k in 1..3 {
        if v[k].abs() > v[axis].abs() {
            axis = k;
        }
    }
    axis
}
