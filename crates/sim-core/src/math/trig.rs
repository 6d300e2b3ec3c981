use wide::f64x4;

/// Sine and cosine of four angles: the bits of `libm::sincos`.
#[inline]
pub(crate) fn sincos4(x: f64x4) -> (f64x4, f64x4) {
    if x.abs().simd_le(f64x4::splat(std::f64::consts::FRAC_PI_4)).all() {
        return small_sincos(x);
    }
    let pairs = x.to_array().map(libm::sincos);
    (f64x4::new(pairs.map(|(sin, _)| sin)), f64x4::new(pairs.map(|(_, cos)| cos)))
}

/// Sine and cosine of angles up to an eighth of a turn, by the polynomials of fdlibm.
#[inline]
fn small_sincos(x: f64x4) -> (f64x4, f64x4) {
    const SIN: [f64; 6] = [
        -0.16666666666666632,
        0.00833333333332249,
        -0.0001984126982985795,
        2.7557313707070068e-06,
        -2.5050760253406863e-08,
        1.58969099521155e-10,
    ];
    const COS: [f64; 6] = [
        0.0416666666666666,
        -0.001388888888887411,
        2.480158728947673e-05,
        -2.7557314351390663e-07,
        2.087572321298175e-09,
        -1.1359647557788195e-11,
    ];
    let [s1, s2, s3, s4, s5, s6] = SIN.map(f64x4::splat);
    let [c1, c2, c3, c4, c5, c6] = COS.map(f64x4::splat);
    let one = f64x4::ONE;

    let z = x * x;
    let w = z * z;
    let r = s2 + z * (s3 + z * s4) + z * w * (s5 + z * s6);
    let sin = x + z * x * (s1 + z * r);

    let r = z * (c1 + z * (c2 + z * c3)) + w * w * (c4 + z * (c5 + z * c6));
    let half = z * f64x4::splat(0.5);
    let w = one - half;
    (sin, w + ((one - w - half) + z * r))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_at_once_have_the_bits_of_one() {
        for i in -4000..4000 {
            let x = f64x4::new([0.0, 1e-3, 2e-4, 1e-9]) + f64x4::splat(f64::from(i) * 1.7e-3);
            let (sin, cos) = sincos4(x);
            for lane in 0..4 {
                let expected = libm::sincos(x.to_array()[lane]);
                assert_eq!((sin.to_array()[lane], cos.to_array()[lane]), expected);
            }
        }
        for x in [0.0, -0.0, 1e-300, -1e-20, 7e-9, std::f64::consts::FRAC_PI_4] {
            let (sin, cos) = sincos4(f64x4::splat(x));
            assert_eq!((sin.to_array()[0], cos.to_array()[0]), libm::sincos(x));
        }
    }

    #[test]
    fn what_is_not_finite_stays_so() {
        let (sin, cos) = sincos4(f64x4::new([f64::NAN, f64::INFINITY, 0.1, 1.0]));
        assert!(sin.to_array()[..2].iter().chain(&cos.to_array()[..2]).all(|x| x.is_nan()));
        assert_eq!(sin.to_array()[3], libm::sin(1.0));
    }
}
