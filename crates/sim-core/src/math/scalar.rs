//! Functions of single numbers.

use super::MINVAL;

/// The `index`-th number of the Halton sequence with the given base: the digits of `index` in that
/// base, mirrored at the point.
#[doc(alias = "mju_Halton")]
pub fn halton(index: u32, base: u32) -> f64 {
    let mut left = if base < 2 { 0 } else { index };
    let (mut weight, mut sum) = (1.0 / f64::from(base), 0.0);
    while left > 0 {
        sum += weight * f64::from(left % base);
        weight /= f64::from(base);
        left /= base;
    }
    sum
}

/// The quintic polynomial from 0 to 1 over `0 ≤ x ≤ 1` whose first and second derivatives vanish
/// at both ends.
#[doc(alias = "mju_sigmoid")]
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

/// Position after the time `t` of a unit mass with stiffness and damping, by the solution of
/// `ẍ = -stiffness x - damping ẋ`.
#[doc(alias = "mju_springDamper")]
pub fn spring_damper(x: f64, velocity: f64, stiffness: f64, damping: f64, t: f64) -> f64 {
    let discriminant = damping * damping - 4.0 * stiffness;
    let decay = libm::exp(-damping * t / 2.0);
    if discriminant > MINVAL {
        // overdamped: two real roots
        let half = discriminant.sqrt() / 2.0;
        let (slow, fast) = (-damping / 2.0 + half, -damping / 2.0 - half);
        let slow_part = (x * fast - velocity) / (fast - slow);
        let fast_part = (x * slow - velocity) / (slow - fast);
        slow_part * libm::exp(slow * t) + fast_part * libm::exp(fast * t)
    } else if discriminant >= -MINVAL {
        // critically damped: a double root
        decay * (x + (velocity + damping * x / 2.0) * t)
    } else {
        let frequency = discriminant.abs().sqrt() / 2.0;
        let sine = (velocity + damping * x / 2.0) / frequency;
        decay * (x * libm::cos(frequency * t) + sine * libm::sin(frequency * t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halton_numbers_of_base_two_are_mirrored_bits() {
        assert_eq!([1, 2, 3, 4].map(|i| halton(i, 2)), [0.5, 0.25, 0.75, 0.125]);
        assert_eq!(halton(3, 0), 0.0);
    }

    #[test]
    fn a_spring_follows_its_equation() {
        for damping in [0.0, 1.0, 2.0, 5.0] {
            let (mut x, mut v, dt) = (1.0, 0.5, 1e-5);
            for _ in 0..100_000 {
                v += dt * (-x - damping * v);
                x += dt * v;
            }
            assert!((spring_damper(1.0, 0.5, 1.0, damping, 1.0) - x).abs() < 1e-4);
        }
    }

    #[test]
    fn the_sigmoid_is_point_symmetric() {
        assert_eq!((sigmoid(-1.0), sigmoid(0.5), sigmoid(2.0)), (0.0, 0.5, 1.0));
        assert!((sigmoid(0.3) + sigmoid(0.7) - 1.0).abs() < 1e-15);
    }
}
