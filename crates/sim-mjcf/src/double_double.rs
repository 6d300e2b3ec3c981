//! Powers, sines and cosines that are rounded correctly.

/// An unevaluated sum of two numbers, the second below half a unit of the first.
type Pair = (f64, f64);

/// Computes `x^p` of a positive `x`, correct to the last bit but for the rarest of ties.
///
/// The shell of an ellipsoid is the difference of two bodies that are a millionth apart, which
/// makes an error in the last bit of its area grow beyond what models may differ by.
pub(crate) fn pow(x: f64, p: f64) -> f64 {
    let rough = libm::pow(x, p);
    if !rough.is_normal() || !x.is_normal() {
        return rough;
    }
    let (high, low) = times(ln(x), (p, 0.0));
    let (high, low) = exp((high, low));
    high + low
}

/// Computes the logarithm: one Newton step from the rounded one.
fn ln(x: f64) -> Pair {
    let guess = libm::log(x);
    let (high, low) = times(exp((-guess, 0.0)), (x, 0.0));
    let rest = (high - 1.0) + low;
    fast_two_sum(guess, rest - 0.5 * rest * rest)
}

/// Computes the exponential: Taylor's series of a small fraction, squared up again.
fn exp((high, low): Pair) -> Pair {
    const LN_2: Pair = (std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
    const HALVINGS: i32 = 10;
    let turns = (high / LN_2.0).round();
    let (shift, shift_low) = times(LN_2, (-turns, 0.0));
    let (a, b) = two_sum(high, shift);
    let scale = libm::ldexp(1.0, -HALVINGS);
    let (a, b) = fast_two_sum(a, b + (low + shift_low));
    let x = (a * scale, b * scale);

    // exp(x) - 1, which squares without loss: (1 + y)² - 1 = 2 y + y²
    let mut sum = (0.0, 0.0);
    for k in (1..=10).rev() {
        let inverse = divide((1.0, 0.0), f64::from(k));
        sum = times(times(x, inverse), plus((1.0, 0.0), sum));
    }
    for _ in 0..HALVINGS {
        sum = plus((2.0 * sum.0, 2.0 * sum.1), times(sum, sum));
    }
    let (high, low) = plus((1.0, 0.0), sum);
    let exponent = turns as i32;
    (libm::ldexp(high, exponent), libm::ldexp(low, exponent))
}

/// Computes the sine and the cosine, correct to the last bit but for the rarest of ties.
///
/// The reference takes them from the C library, which rounds nearly all of them correctly. An
/// orientation that differs in its last bit can turn the axes of a symmetric inertia, and with them
/// the order of its boxes.
pub(crate) fn sin_cos(x: f64) -> (f64, f64) {
    // a quarter of a turn: parts of 33 bits, so that small multiples are exact, and the rest
    const QUARTER: [f64; 4] = [
        f64::from_bits(0x3ff9_21fb_5440_0000),
        f64::from_bits(0x3dd0_b461_1a60_0000),
        f64::from_bits(0x3ba3_198a_2e00_0000),
        f64::from_bits(0x397b_839a_2520_49c1),
    ];
    if x.is_nan() || x.abs() > 1e5 {
        return libm::sincos(x);
    }
    let turns = (x * std::f64::consts::FRAC_2_PI).round();
    let mut rest = two_sum(x, -turns * QUARTER[0]);
    for part in &QUARTER[1..] {
        rest = plus(rest, (-turns * part, 0.0));
    }

    let (sin, cos) = (taylor(rest, rest, 1), taylor((1.0, 0.0), rest, 0));
    match turns as i64 & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// Sums the terms `x^n / n!` of alternating signs, from the given one of power `n` on.
fn taylor(first: Pair, x: Pair, mut n: i32) -> f64 {
    let square = times(x, x);
    let (mut sum, mut term) = (first, first);
    // up to an eighth of a turn the last term is below 1e-32
    for _ in 0..14 {
        term = divide(times(term, square), -f64::from((n + 1) * (n + 2)));
        sum = plus(sum, term);
        n += 2;
    }
    sum.0
}

fn two_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let other = sum - a;
    (sum, (a - (sum - other)) + (b - other))
}

fn fast_two_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    (sum, b - (sum - a))
}

fn plus(a: Pair, b: Pair) -> Pair {
    let (sum, rest) = two_sum(a.0, b.0);
    fast_two_sum(sum, rest + (a.1 + b.1))
}

fn times(a: Pair, b: Pair) -> Pair {
    let product = a.0 * b.0;
    let rest = libm::fma(a.0, b.0, -product);
    fast_two_sum(product, rest + (a.0 * b.1 + a.1 * b.0))
}

fn divide(a: Pair, b: f64) -> Pair {
    let quotient = a.0 / b;
    let rest = libm::fma(-quotient, b, a.0) + a.1;
    fast_two_sum(quotient, rest / b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_powers_come_out_exact() {
        for k in 1..100 {
            let x = f64::from(k) / 16.0;
            assert_eq!(pow(x, 1.0), x);
            assert_eq!(pow(x, 2.0), x * x);
            assert_eq!(pow(x * x, 0.5), x);
        }
    }

    #[test]
    fn sines_and_cosines_have_the_nearest_digits() {
        let known = [
            (0.83, 0x3fe7_9d22_4033_82e6, 0x3fe5_9895_0ccb_d0c6),
            (1.36, 0x3fef_4aaa_b4ec_05f1, 0x3fca_c855_2587_f9fc),
            (1.245, 0x3fee_5111_bc0e_e2dd, 0x3fd4_7bea_e185_b36a),
            (100.0, 0xbfe0_3425_b78c_4db8, 0x3feb_981d_bf66_5fdf),
        ];
        for (x, sin, cos) in known {
            assert_eq!(sin_cos(x), (f64::from_bits(sin), f64::from_bits(cos)));
            assert_eq!(sin_cos(-x), (-f64::from_bits(sin), f64::from_bits(cos)));
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert_eq!(sin_cos(std::f64::consts::FRAC_PI_2), (1.0, 6.123_233_995_736_766e-17));
        assert!(sin_cos(f64::NAN).0.is_nan() && sin_cos(f64::INFINITY).0.is_nan());
        for i in -40_000..40_000 {
            let x = f64::from(i) * 1.7e-3 + f64::from(i % 7) * 1e-9;
            let (sin, cos) = sin_cos(x);
            assert!((sin - libm::sin(x)).abs() < 2.3e-16 && (cos - libm::cos(x)).abs() < 2.3e-16);
        }
    }

    #[test]
    fn a_power_and_its_inverse_meet_again() {
        for k in 1..1000 {
            let x = 0.01 * f64::from(k);
            let back = pow(pow(x, 1.6075), 1.0 / 1.6075);
            assert!((back / x - 1.0).abs() < 1e-15, "{x} became {back}");
        }
    }
}
