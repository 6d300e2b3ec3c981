//! Friction within an ellipsoid: minimise `½ xᵀ A x + xᵀ b` subject to `Σ (xₖ / dₖ)² ≤ r²`.

use crate::math::{MINVAL, factor_cholesky, solve_cholesky};

/// Sets the friction forces of a contact whose normal force is `normal`.
pub(super) fn slide(
    force: &mut [f64],
    a: &[f64; 25],
    b: &[f64; 5],
    friction: &[f64; 5],
    normal: f64,
) {
    let n = force.len();
    if normal < MINVAL {
        force.fill(0.0);
        return;
    }
    let (mut x, on_border) = minimise(a, b, friction, normal, n);
    if on_border {
        // the iteration stops close to the border; go there
        let square: f64 = (0..n).map(|k| x[k] * x[k] / (friction[k] * friction[k])).sum();
        let scale = (normal * normal / MINVAL.max(square)).sqrt();
        x.iter_mut().for_each(|x| *x *= scale);
    }
    force.copy_from_slice(&x[..n]);
}

/// Finds the minimum by Newton's method on the multiplier; says whether it is on the border.
fn minimise(a: &[f64; 25], b: &[f64; 5], d: &[f64; 5], r: f64, n: usize) -> ([f64; 5], bool) {
    // in coordinates in which the ellipsoid is a ball
    let (mut scaled, mut rhs) = ([0.0; 25], [0.0; 5]);
    for i in 0..n {
        rhs[i] = b[i] * d[i];
        for j in 0..n {
            scaled[i * n + j] = a[i * n + j] * d[i] * d[j];
        }
    }
    let mut x = [0.0; 5];
    let mut multiplier = 0.0;
    for _ in 0..20 {
        let Some(inverse) = Inverse::new(&scaled, multiplier, n) else {
            return ([0.0; 5], false);
        };
        x = inverse.mul(&rhs, n);
        x.iter_mut().for_each(|x| *x = -*x);
        let excess = x[..n].iter().map(|x| x * x).sum::<f64>() - r * r;
        if excess < 1e-10 {
            break;
        }
        let rate = inverse.mul(&x, n);
        let slope = -2.0 * x[..n].iter().zip(&rate).map(|(x, y)| x * y).sum::<f64>();
        let step = -excess / slope;
        if step < 1e-10 {
            break;
        }
        multiplier += step;
    }
    for k in 0..n {
        x[k] *= d[k];
    }
    (x, multiplier != 0.0)
}

/// The inverse of `A + λ`: explicit where it is small, else by factors.
enum Inverse {
    Explicit([f64; 9]),
    Factor([f64; 25]),
}

impl Inverse {
    /// None if the matrix is not safely positive definite.
    fn new(a: &[f64; 25], shift: f64, n: usize) -> Option<Inverse> {
        match n {
            2 => {
                let (a11, a22, a12) = (a[0] + shift, a[3] + shift, a[1]);
                let det = a11 * a22 - a12 * a12;
                if det < 1e-10 {
                    return None;
                }
                let inv = 1.0 / det;
                let p12 = -a12 * inv;
                Some(Inverse::Explicit([a22 * inv, p12, p12, a11 * inv, 0.0, 0.0, 0.0, 0.0, 0.0]))
            }
            3 => {
                let (a11, a22, a33) = (a[0] + shift, a[4] + shift, a[8] + shift);
                let (a12, a13, a23) = (a[1], a[2], a[5]);
                let p11 = a22 * a33 - a23 * a23;
                let p22 = a11 * a33 - a13 * a13;
                let p33 = a11 * a22 - a12 * a12;
                let p12 = a13 * a23 - a12 * a33;
                let p13 = a12 * a23 - a13 * a22;
                let p23 = a12 * a13 - a23 * a11;
                let det = a11 * p11 + a12 * p12 + a13 * p13;
                if det < 1e-10 {
                    return None;
                }
                let inv = 1.0 / det;
                let p = [p11, p12, p13, p12, p22, p23, p13, p23, p33];
                Some(Inverse::Explicit(p.map(|p| p * inv)))
            }
            _ => {
                let mut factor = *a;
                for k in 0..n {
                    factor[k * n + k] += shift;
                }
                let ok = factor_cholesky(&mut factor[..n * n], n, 1e-10) == 0;
                ok.then_some(Inverse::Factor(factor))
            }
        }
    }

    fn mul(&self, b: &[f64; 5], n: usize) -> [f64; 5] {
        let mut out = [0.0; 5];
        match self {
            Inverse::Explicit(p) => {
                for k in 0..n {
                    out[k] = (0..n).map(|l| p[k * n + l] * b[l]).sum();
                }
            }
            Inverse::Factor(factor) => {
                out = *b;
                solve_cholesky(&mut out[..n], &factor[..n * n], n);
            }
        }
        out
    }
}
