//! Powers that are rounded correctly.

/// An unevaluated sum of two numbers, the second below half a unit of the first.
type Pair = (f64, f64);

/// Computes `x^p` of a positive `x`, correct to the last bit but for the rarest of ties.
///
/// The shell of an ellipsoid is the difference of two bodies that are a millionth apart, which
/// makes an error in the last bit of its area grow beyond what models may differ by.
pub(super) fn pow(x: f64, p: f64) -> f64 {
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
    fn a_power_and_its_inverse_meet_again() {
        for k in 1..1000 {
            let x = 0.01 * f64::from(k);
            let back = pow(pow(x, 1.6075), 1.0 / 1.6075);
            assert!((back / x - 1.0).abs() < 1e-15, "{x} became {back}");
        }
    }
}
