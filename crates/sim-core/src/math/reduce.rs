//! Sums and products over slices. A sum runs in four lanes that are added pairwise at the end,
//! whatever the machine.

use wide::f64x4;

/// Computes the scalar product of `a` and `b`.
#[doc(alias = "mju_dot")]
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let (a4, a_rest) = a.as_chunks::<4>();
    let (b4, b_rest) = b[..a.len()].as_chunks::<4>();
    for (x, y) in a4.iter().zip(b4) {
        for lane in 0..4 {
            lanes[lane] += x[lane] * y[lane];
        }
    }
    let mut total = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    for (x, y) in a_rest.iter().zip(b_rest) {
        total += x * y;
    }
    total
}

/// Computes the sum of the elements of `a`.
#[doc(alias = "mju_sum")]
pub fn sum(a: &[f64]) -> f64 {
    let mut lanes = [0.0; 4];
    let (a4, rest) = a.as_chunks::<4>();
    for x in a4 {
        for lane in 0..4 {
            lanes[lane] += x[lane];
        }
    }
    rest.iter().fold((lanes[0] + lanes[2]) + (lanes[1] + lanes[3]), |total, x| total + x)
}

/// Computes the Euclidean norm of `a`.
#[doc(alias = "mju_norm")]
pub fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Computes `y += s x`, where `x` may be longer than `y`.
#[doc(alias = "mju_addToScl")]
#[inline]
pub fn axpy(y: &mut [f64], s: f64, x: &[f64]) {
    axpy_each(y, [s], [x]);
}

/// Computes `y += s₀ x₀ + s₁ x₁ + …`, where the `x` may be longer than `y`.
#[inline]
pub fn axpy_each<const N: usize>(y: &mut [f64], s: [f64; N], x: [&[f64]; N]) {
    let n = y.len();
    let (y4, y_rest) = y.as_chunks_mut::<4>();
    let x = x.map(|x| x[..n].as_chunks::<4>());
    let splats = s.map(f64x4::splat);
    for (i, y) in y4.iter_mut().enumerate() {
        let mut sum = splats[0] * f64x4::new(x[0].0[i]);
        for j in 1..N {
            sum += splats[j] * f64x4::new(x[j].0[i]);
        }
        *y = (f64x4::new(*y) + sum).to_array();
    }
    for (i, y) in y_rest.iter_mut().enumerate() {
        let mut sum = s[0] * x[0].1[i];
        for j in 1..N {
            sum += s[j] * x[j].1[i];
        }
        *y += sum;
    }
}

/// Computes `y *= s`.
#[doc(alias = "mju_scl")]
#[inline]
pub fn scale(y: &mut [f64], s: f64) {
    let (y4, rest) = y.as_chunks_mut::<4>();
    for y in y4 {
        *y = (f64x4::new(*y) * f64x4::splat(s)).to_array();
    }
    rest.iter_mut().for_each(|y| *y *= s);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_every_length_are_right() {
        for n in 0..40 {
            let a: Vec<f64> = (0..n).map(f64::from).collect();
            let n = f64::from(n);
            assert_eq!(sum(&a), n * (n - 1.0) / 2.0);
            assert_eq!(dot(&a, &a), (n - 1.0) * n * (2.0 * n - 1.0) / 6.0);
        }
    }
}
