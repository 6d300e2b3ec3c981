//! Small vectors in single precision, and eight numbers at a time.

pub(crate) use wide::{f32x4, f32x8, f64x4, i32x8};

pub(crate) type V3 = [f32; 3];

pub(crate) fn dot(a: V3, b: V3) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn sub(a: V3, b: V3) -> V3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

pub(crate) fn cross(a: V3, b: V3) -> V3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn normalized(a: V3) -> V3 {
    let length = dot(a, a).sqrt();
    if length > 0.0 { a.map(|x| x / length) } else { a }
}

/// Eight vectors.
pub(crate) type V3x8 = [f32x8; 3];

pub(crate) fn dot8(a: &V3x8, b: &V3x8) -> f32x8 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn splat(a: V3) -> V3x8 {
    a.map(f32x8::splat)
}

/// `1/√x`, finite for zero.
pub(crate) fn inverse_sqrt8(x: f32x8) -> f32x8 {
    f32x8::ONE / x.max(f32x8::splat(1e-30)).sqrt()
}

/// Eight numbers at the start of a slice.
#[inline]
pub(crate) fn load(x: &[f32]) -> f32x8 {
    let eight: [f32; 8] = x[..8].try_into().expect("eight numbers");
    f32x8::new(eight)
}

/// `log₂ x` for positive normal numbers, to about 1e-6: exponent and a polynomial of the mantissa.
#[inline]
pub(crate) fn log2(x: f32x8) -> f32x8 {
    let bits: i32x8 = bytemuck::cast(x);
    let exponent: i32x8 = (bits - i32x8::splat(0x3f35_04f3)) >> 23_i32;
    let mantissa: f32x8 = bytemuck::cast(bits - (exponent << 23_i32));
    // mantissa is in [√½, √2): the series of the area tangent converges fast
    let t = (mantissa - f32x8::ONE) / (mantissa + f32x8::ONE);
    let t2 = t * t;
    let series = f32x8::splat(0.320_599) * t2 + f32x8::splat(0.412_198_58);
    let series = (series * t2 + f32x8::splat(0.577_078_02)) * t2 + f32x8::splat(0.961_796_7);
    let series = series * t2 + f32x8::splat(2.885_39);
    exponent.round_float() + series * t
}

/// `2ˣ`, zero far below.
#[inline]
fn exp2(x: f32x8) -> f32x8 {
    let x = x.max(f32x8::splat(-126.0)).min(f32x8::splat(126.0));
    // the nearest integer and what is left, at most one half
    let floor = (x + f32x8::splat(0.5)).floor();
    let part = x - floor;
    let p = f32x8::splat(1.333_55e-3) * part + f32x8::splat(9.618_13e-3);
    let p = p * part + f32x8::splat(5.550_41e-2);
    let p = p * part + f32x8::splat(2.402_265e-1);
    let p = p * part + f32x8::splat(6.931_472e-1);
    let p = p * part + f32x8::ONE;
    let whole: i32x8 = floor.fast_trunc_int();
    let scale: f32x8 = bytemuck::cast((whole + i32x8::splat(127)) << 23_i32);
    p * scale
}

/// `xʸ` for `x` from 0 up; 1 for `y = 0`.
#[inline]
pub(crate) fn pow8(x: f32x8, y: f32) -> f32x8 {
    if y == 0.0 {
        return f32x8::ONE;
    }
    exp2(log2(x.max(f32x8::splat(1e-37))) * f32x8::splat(y))
}

/// `log₂ x`, one number: exponent and a polynomial.
#[inline]
pub(crate) fn log2_scalar(x: f32) -> f32 {
    let bits = x.max(1e-37).to_bits() as i32;
    let exponent = (bits - 0x3f35_04f3) >> 23_i32;
    let mantissa = f32::from_bits((bits - (exponent << 23_i32)) as u32);
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let t2 = t * t;
    let series = (0.412_198_6 * t2 + 0.577_078) * t2 + 0.961_796_7;
    exponent as f32 + (series * t2 + 2.885_39) * t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_near_those_of_libm() {
        for i in 0..=100 {
            let x = i as f32 / 100.0;
            for y in [0.5, 1.0, 10.0, 64.0, 128.0] {
                let got = pow8(f32x8::splat(x), y).to_array()[0];
                assert!((got - libm::powf(x, y)).abs() < 1e-5, "{x} {y} {got}");
            }
            let x = 0.01 + 10.0 * x;
            assert!((log2_scalar(x) - libm::log2f(x)).abs() < 1e-4, "{x}");
        }
    }
}
