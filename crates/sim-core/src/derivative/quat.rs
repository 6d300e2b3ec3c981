use crate::math::{Mat3, Quat, Vec3};

/// Half angles below which the series of [`sub_quat`] ends after its linear term.
const SMALL_HALF_ANGLE: f64 = 6e-8;

/// Rotation vectors below which [`quat_integrate`] uses Taylor series.
const SMALL_ROTATION: f64 = 1.0 / 32.0;

/// Derivatives of the local rotation vector that leads from `b` to `a`, by rotations of `a` and of
/// `b` in their own frames.
///
/// With the axis `u` and angle `θ` of the rotation and `K = skew(u)`:
/// ```text
/// ∂/∂a = I + θ/2 K + (1 − θ/2 cot θ/2) K²        ∂/∂b = −(∂/∂a)ᵀ
/// ```
#[doc(alias = "mjd_subQuat")]
pub fn sub_quat(a: Quat, b: Quat) -> (Mat3, Mat3) {
    let (axis, angle) = a.difference(b).normalized();
    let half = 0.5 * angle;
    let curvature =
        if half < SMALL_HALF_ANGLE { 0.0 } else { 1.0 - half * libm::cos(half) / libm::sin(half) };
    let k = Mat3::skew(axis);
    let by_a = Mat3::IDENTITY + k * half + k * k * curvature;
    (by_a, by_a.transpose() * -1.0)
}

/// Derivatives of a quaternion that turns with a local angular velocity for some time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuatIntegrate {
    /// By a rotation of the quaternion in its own frame.
    pub by_quat: Mat3,
    /// By the velocity times the time.
    pub by_vel: Mat3,
    /// By the time.
    pub by_scale: Vec3,
}

/// Derivatives of [`Quat::integrate`], all as rotations in the frame of the result.
///
/// With `s = scale vel` and `x = |s|`:
/// ```text
/// ∂/∂quat = cos x I − sin x / x skew(s) + (1 − cos x) / x² s sᵀ
/// ∂/∂s    = sin x / x I − (1 − cos x) / x² skew(s) + (x − sin x) / x³ s sᵀ
/// ```
#[doc(alias = "mjd_quatIntegrate")]
pub fn quat_integrate(vel: Vec3, scale: f64) -> QuatIntegrate {
    let s = vel * scale;
    let x = s.norm();
    let (sin, cos) = libm::sincos(x);
    // sin x / x, (1 − cos x) / x², (x − sin x) / x³
    let (first, second, third) = if x > SMALL_ROTATION {
        (sin / x, (1.0 - cos) / (x * x), (x - sin) / (x * x * x))
    } else {
        let y = x * x;
        (
            1.0 + y / 6.0 * (y / 20.0 * (1.0 - y / 42.0) - 1.0),
            0.5 * (1.0 + y / 12.0 * (y / 30.0 * (1.0 - y / 56.0) - 1.0)),
            (1.0 + y / 20.0 * (y / 42.0 * (1.0 - y / 72.0) - 1.0)) / 6.0,
        )
    };
    let (turn, square) = (Mat3::skew(s), Mat3::outer(s, s));
    let by_vel = Mat3::IDENTITY * first - turn * second + square * third;
    QuatIntegrate {
        by_quat: Mat3::IDENTITY * cos - turn * first + square * second,
        by_vel,
        by_scale: by_vel * vel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seed: f64) -> Vec3 {
        Vec3::new(libm::sin(seed), libm::cos(1.7 * seed), libm::sin(3.1 * seed + 0.4))
    }

    fn assert_near(a: Vec3, b: Vec3) {
        assert!((a - b).norm() < 1e-8, "{a:?} {b:?}");
    }

    const AXES: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

    #[test]
    fn difference_of_quaternions_changes_as_differences_say() {
        let eps = 1e-6;
        for k in 0..20 {
            let a = Quat::IDENTITY.integrate(sample(f64::from(k)), 1.3);
            let b = Quat::IDENTITY.integrate(sample(f64::from(k) + 0.5), 0.7);
            let (by_a, by_b) = sub_quat(a, b);
            for (i, axis) in AXES.into_iter().enumerate() {
                let side = |e: f64| a.integrate(axis, e).difference(b);
                assert_near(by_a.column(i), (side(eps) - side(-eps)) * (0.5 / eps));
                let side = |e: f64| a.difference(b.integrate(axis, e));
                assert_near(by_b.column(i), (side(eps) - side(-eps)) * (0.5 / eps));
            }
        }
    }

    #[test]
    fn integrated_quaternion_changes_as_differences_say() {
        let eps = 1e-6;
        for k in 0..20 {
            let start = Quat::IDENTITY.integrate(sample(f64::from(k) + 0.5), 0.7);
            // small rotations take the series
            let (vel, scale) = (sample(f64::from(k)), if k % 2 == 0 { 0.02 } else { 0.9 });
            let got = quat_integrate(vel, scale);
            let end = start.integrate(vel, scale);
            let change = |plus: Quat, minus: Quat| {
                (plus.difference(end) - minus.difference(end)) * (0.5 / eps)
            };
            for (i, axis) in AXES.into_iter().enumerate() {
                let side = |e: f64| start.integrate(axis, e).integrate(vel, scale);
                assert_near(got.by_quat.column(i), change(side(eps), side(-eps)));
                let side = |e: f64| start.integrate(vel + axis * e, scale);
                assert_near(got.by_vel.column(i) * scale, change(side(eps), side(-eps)));
            }
            let side = |e: f64| start.integrate(vel, scale + e);
            assert_near(got.by_scale, change(side(eps), side(-eps)));
        }
    }
}
