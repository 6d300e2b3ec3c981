//! Vectors in chunks of four, padded with zeros.

use wide::f64x4;

/// The elements of a vector.
#[inline]
pub(crate) fn scalars(x: &[f64x4]) -> &[f64] {
    bytemuck::cast_slice(x)
}

/// The elements of a vector, to be changed; those of the padding have to stay zero.
#[inline]
pub(crate) fn scalars_mut(x: &mut [f64x4]) -> &mut [f64] {
    bytemuck::cast_slice_mut(x)
}

/// Four elements from `at` on; zeros beyond the end.
#[inline]
pub(crate) fn load4(x: &[f64], at: usize) -> f64x4 {
    let whole = x.get(at..at + 4).and_then(|x| x.first_chunk::<4>());
    match whole {
        Some(&whole) => f64x4::new(whole),
        None => f64x4::new(std::array::from_fn(|i| x.get(at + i).copied().unwrap_or(0.0))),
    }
}

/// The sum of four lanes.
#[inline]
pub(crate) fn total(x: f64x4) -> f64 {
    let [a, b, c, d] = x.to_array();
    (a + c) + (b + d)
}

/// The sums of four lanes, side by side.
#[inline]
pub(crate) fn totals(x: [f64x4; 4]) -> f64x4 {
    let [a, b, c, d] = f64x4::transpose(x);
    (a + c) + (b + d)
}

/// Computes the scalar product of `a` and `b`.
#[inline]
pub(crate) fn dot4(a: &[f64x4], b: &[f64x4]) -> f64 {
    let mut sum = f64x4::ZERO;
    for (a, b) in a.iter().zip(b) {
        sum += *a * *b;
    }
    total(sum)
}

/// Computes several scalar products in one pass, each as [`dot4`] does.
#[inline]
pub(crate) fn dots4<const N: usize>(pairs: [[&[f64x4]; 2]; N]) -> [f64; N] {
    let n = pairs.iter().flatten().map(|x| x.len()).min().unwrap_or(0);
    let pairs = pairs.map(|pair| pair.map(|x| &x[..n]));
    let mut sums = [f64x4::ZERO; N];
    for i in 0..n {
        for (sum, [a, b]) in sums.iter_mut().zip(pairs) {
            *sum += a[i] * b[i];
        }
    }
    sums.map(total)
}

/// Computes `y += s x`.
#[inline]
pub(crate) fn axpy4(y: &mut [f64x4], s: f64, x: &[f64x4]) {
    let s = f64x4::splat(s);
    for (y, x) in y.iter_mut().zip(x) {
        *y += s * *x;
    }
}

/// Computes `y += s₀ x₀ + s₁ x₁ + …` with `N` rows that are `stride` apart and at least as long as
/// `y`.
#[inline]
pub(crate) fn axpy_rows<const N: usize>(
    y: &mut [f64x4],
    s: [f64; N],
    rows: &[f64x4],
    stride: usize,
) {
    let n = y.len();
    let rows: [&[f64x4]; N] = std::array::from_fn(|k| &rows[k * stride..k * stride + n]);
    let s = s.map(f64x4::splat);
    for (i, y) in y.iter_mut().enumerate() {
        let mut sum = s[0] * rows[0][i];
        for k in 1..N {
            sum += s[k] * rows[k][i];
        }
        *y += sum;
    }
}

/// Computes `y += s₀ x₀`, then `y += s₁ x₁` and so on, in one pass over rows that are `stride` apart.
#[inline]
pub(crate) fn axpy_in_turn<const N: usize>(
    y: &mut [f64x4],
    s: [f64; N],
    rows: &[f64x4],
    stride: usize,
) {
    let n = y.len();
    let rows: [&[f64x4]; N] = std::array::from_fn(|k| &rows[k * stride..k * stride + n]);
    let s = s.map(f64x4::splat);
    for (i, y) in y.iter_mut().enumerate() {
        for k in 0..N {
            *y += s[k] * rows[k][i];
        }
    }
}
