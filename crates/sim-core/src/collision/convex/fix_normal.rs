use super::super::Hit;
use crate::geometry::{Form, Solid};
use crate::math::{MINVAL, Vec3};

/// Replaces the normal that portal refinement found by that of the round surfaces at the point.
/// `a` is not given where it is a height field. MuJoCo: `mjc_fixNormal`.
pub(in super::super) fn fix_normal(a: Option<&Solid>, b: &Solid, hit: Hit) -> Hit {
    let a = a.and_then(|a| surface_normal(a, hit.pos, hit.normal));
    let b = surface_normal(b, hit.pos, -hit.normal);
    let normal = match (a, b) {
        (Some(a), Some(b)) => (a - b).normalized().0,
        (Some(a), None) => a,
        (None, Some(b)) => -b,
        (None, None) => hit.normal,
    };
    Hit { normal, ..hit }
}

/// The outward normal of a round surface at a world point near to it; `None` on flat ones.
fn surface_normal(solid: &Solid, point: Vec3, guess: Vec3) -> Option<Vec3> {
    let pos = solid.mat.transpose_mul(point - solid.pos);
    let size = solid.size;
    let normal = match solid.form {
        Form::Sphere => pos,
        Form::Capsule => {
            let z = if pos.z < -size.y {
                pos.z + size.y
            } else if pos.z > size.y {
                pos.z - size.y
            } else {
                0.0
            };
            Vec3::new(pos.x, pos.y, z)
        }
        Form::Ellipsoid => {
            let guess = solid.mat.transpose_mul(guess);
            ellipsoid_normal(pos, size, guess)?
        }
        Form::Cylinder => {
            // only where the round wall is clearly the nearer one
            if pos.z.abs() > 0.95 * size.y {
                return None;
            }
            let to_flat = (size.y - pos.z.abs()).abs();
            let to_round = (size.x - (pos.x * pos.x + pos.y * pos.y).sqrt()).abs();
            if to_flat < 0.25 * to_round {
                return None;
            }
            Vec3::new(pos.x, pos.y, 0.0)
        }
        _ => return None,
    };
    Some(*solid.mat * normal.normalized().0)
}

fn ellipsoid_normal(pos: Vec3, size: Vec3, guess: Vec3) -> Option<Vec3> {
    if size.x < MINVAL || size.y < MINVAL || size.z < MINVAL {
        return None;
    }
    let size2 = size.scaled(size);
    let level = pos.x * pos.x / size2.x + pos.y * pos.y / size2.y + pos.z * pos.z / size2.z;
    if level <= 1.0 {
        normal_from_inside(pos, size2, guess)
    } else {
        normal_from_outside(pos, size2)
    }
}

const MOST_ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// Shoots a ray along the normal to the surface, and takes the normal there, until it stays.
fn normal_from_inside(pos: Vec3, size2: Vec3, guess: Vec3) -> Option<Vec3> {
    let inv = Vec3::new(1.0 / size2.x, 1.0 / size2.y, 1.0 / size2.z);
    let quadratic = |u: Vec3, v: Vec3| u.x * v.x * inv.x + u.y * v.y * inv.y + u.z * v.z * inv.z;
    let c = quadratic(pos, pos) - 1.0;
    if c > 0.0 {
        return None;
    }
    let (mut normal, _) = guess.normalized();
    for iteration in 0..MOST_ITERATIONS {
        let a = quadratic(normal, normal);
        let b = quadratic(pos, normal);
        let det = b * b - a * c;
        let x = (-b + det.sqrt()) / a;
        if det < MINVAL || a < MINVAL || x < 0.0 {
            return (iteration > 0).then_some(normal);
        }
        let (next, _) = (pos + normal * x).scaled(inv).normalized();
        let change = (normal - next).norm();
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Finds the nearest point of the surface by Newton's method on the multiplier.
fn normal_from_outside(pos: Vec3, size2: Vec3) -> Option<Vec3> {
    let weights = pos.scaled(pos).scaled(size2);
    let mut lambda = 0.0;
    for _ in 0..MOST_ITERATIONS {
        let [r, s, t] = [size2.x, size2.y, size2.z].map(|s| 1.0 / (s + lambda));
        let value = weights.x * r * r + weights.y * s * s + weights.z * t * t - 1.0;
        if value < TOLERANCE {
            break;
        }
        let slope = -2.0 * (weights.x * r * r * r + weights.y * s * s * s + weights.z * t * t * t);
        if slope > -MINVAL {
            break;
        }
        let delta = -value / slope;
        if delta < TOLERANCE {
            break;
        }
        lambda += delta;
    }
    let normal = Vec3::new(
        pos.x / (size2.x + lambda),
        pos.y / (size2.y + lambda),
        pos.z / (size2.z + lambda),
    );
    Some(normal.normalized().0)
}
