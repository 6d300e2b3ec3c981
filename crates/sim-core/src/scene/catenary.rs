//! The catenary: the curve of a rope that hangs between two points.

use crate::math::{MINVAL, Vec3};

const TOLERANCE: f64 = 1e-9;

fn cosh_sinh(x: f64) -> (f64, f64) {
    let e = libm::exp(x);
    (0.5 * (e + 1.0 / e), 0.5 * (e - 1.0 / e))
}

/// Residual of the equation of the catenary in `b`, its flatness per width, and its derivative.
fn residual(b: f64, intercept: f64) -> (f64, f64) {
    let a = 0.5 / b;
    let (cosh, sinh) = cosh_sinh(a);
    let gradient = (a * cosh - sinh) * libm::pow(2.0 * b * sinh - 1.0, -1.5);
    (1.0 / (2.0 * b * sinh - 1.0).sqrt() - intercept, gradient)
}

/// The flatness per width of a catenary that spans `v` upwards and `h` across: Newton's method on
/// `1/√(2b sinh(1/2b) − 1) = 1/√(√(l² − v²)/h − 1)`, which is nearly linear.
fn flatness(v: f64, h: f64, length: f64) -> f64 {
    let intercept = 1.0 / ((length * length - v * v).sqrt() / h - 1.0).sqrt();
    let mut b = intercept / 24f64.sqrt();
    for _ in 0..50 {
        let (value, gradient) = residual(b, intercept);
        if value.abs() < TOLERANCE {
            break;
        }
        let mut step = -value / gradient;
        for _ in 0..10 {
            if residual(b + step, intercept).0.abs() < value.abs() {
                break;
            }
            step *= 0.5;
        }
        b += step;
    }
    b
}

/// Points along a rope of the given length from `x0` to `x1`: two for a taut one, three for one
/// that hangs nearly straight down, else `count`.
#[doc(alias = "mjv_catenary")]
pub(super) fn catenary(x0: Vec3, x1: Vec3, gravity: Vec3, length: f64, count: usize) -> Vec<Vec3> {
    let span = x1 - x0;
    if span.norm() > length {
        return vec![x0, x1];
    }
    let up = (-gravity).normalized().0;
    let (across, reach) = (span - up * up.dot(span)).normalized();
    let across = if reach < MINVAL { Vec3::ZERO } else { across };
    let (h, v) = (span.dot(across), span.dot(up));

    // a bead on the rope, where the rope is nearly vertical
    if length > 100.0 * h {
        let down = -0.5 * ((length * length - h * h).sqrt() - v);
        let aside = h * down / (2.0 * down - v);
        return vec![x0, x0 + up * down + across * aside, x1];
    }

    let bh = flatness(v, h, length) * h;
    let lowest = -0.5 * (libm::log((length + v) / (length - v)) * bh - h);
    let offset = -cosh_sinh(lowest / bh).0 * bh;
    let mut points = vec![x0];
    for i in 1..count.max(2) - 1 {
        let aside = i as f64 * h / count as f64;
        let height = bh * cosh_sinh((aside - lowest) / bh).0 + offset;
        points.push(x0 + across * aside + up * height);
    }
    points.push(x1);
    points
}
