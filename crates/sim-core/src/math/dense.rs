//! Products of dense matrices, stored by rows.

use super::reduce::{axpy, dot};

/// Computes `res = A x`; `A` has as many columns as `x` has numbers.
#[doc(alias = "mju_mulMatVec")]
pub fn mul_mat_vec(res: &mut [f64], a: &[f64], x: &[f64]) {
    for (i, out) in res.iter_mut().enumerate() {
        *out = dot(&a[i * x.len()..][..x.len()], x);
    }
}

/// Computes `res = Aᵀ x`; `A` has as many rows as `x` has numbers.
#[doc(alias = "mju_mulMatTVec")]
pub fn mul_mat_t_vec(res: &mut [f64], a: &[f64], x: &[f64]) {
    res.fill(0.0);
    for (i, &scale) in x.iter().enumerate() {
        axpy(res, scale, &a[i * res.len()..][..res.len()]);
    }
}

/// Computes `res = A B`, where `A` is rows × inner and `B` is inner × columns.
#[doc(alias = "mju_mulMatMat")]
pub fn mul_mat_mat(res: &mut [f64], a: &[f64], b: &[f64], inner: usize, columns: usize) {
    res.fill(0.0);
    for (i, row) in res.chunks_exact_mut(columns.max(1)).enumerate() {
        for k in 0..inner {
            axpy(row, a[i * inner + k], &b[k * columns..][..columns]);
        }
    }
}

/// Computes `res = A Bᵀ`, where `A` is rows × inner and `B` is columns × inner.
#[doc(alias = "mju_mulMatMatT")]
pub fn mul_mat_mat_t(res: &mut [f64], a: &[f64], b: &[f64], inner: usize, columns: usize) {
    for (i, row) in res.chunks_exact_mut(columns.max(1)).enumerate() {
        mul_mat_vec(row, b, &a[i * inner..][..inner]);
    }
}

/// Computes `res = Aᵀ B`, where `A` is inner × rows and `B` is inner × columns.
#[doc(alias = "mju_mulMatTMat")]
pub fn mul_mat_t_mat(res: &mut [f64], a: &[f64], b: &[f64], rows: usize, columns: usize) {
    res.fill(0.0);
    let inner = a.len().checked_div(rows).unwrap_or(0);
    for k in 0..inner {
        for i in 0..rows {
            let row = &mut res[i * columns..][..columns];
            axpy(row, a[k * rows + i], &b[k * columns..][..columns]);
        }
    }
}

/// Computes `res = Aᵀ diag(d) A`, where `A` has `n` columns; without `d` it is `Aᵀ A`.
#[doc(alias = "mju_sqrMatTD")]
pub fn sqr_mat_td(res: &mut [f64], a: &[f64], d: Option<&[f64]>, n: usize) {
    res.fill(0.0);
    for (k, row) in a.chunks_exact(n.max(1)).enumerate() {
        let weight = d.map_or(1.0, |d| d[k]);
        for i in 0..n {
            axpy(&mut res[i * n..=i * n + i], weight * row[i], &row[..=i]);
        }
    }
    for i in 0..n {
        for j in 0..i {
            res[j * n + i] = res[i * n + j];
        }
    }
}

/// Computes `xᵀ A y`.
#[doc(alias = "mju_mulVecMatVec")]
pub fn mul_vec_mat_vec(x: &[f64], a: &[f64], y: &[f64]) -> f64 {
    let rows = x.iter().enumerate();
    rows.map(|(i, x)| x * dot(&a[i * y.len()..][..y.len()], y)).sum()
}

/// Computes `res = Aᵀ`, where `A` has `columns` columns.
#[doc(alias = "mju_transpose")]
pub fn transpose(res: &mut [f64], a: &[f64], columns: usize) {
    let rows = a.len().checked_div(columns).unwrap_or(0);
    for i in 0..rows {
        for j in 0..columns {
            res[j * rows + i] = a[i * columns + j];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 6] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];

    #[test]
    fn products_with_a_transpose_equal_products_with_the_transposed_matrix() {
        let mut at = [0.0; 6];
        transpose(&mut at, &A, 3);
        assert_eq!(at, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);

        let (mut x, mut y) = ([0.0; 3], [0.0; 3]);
        mul_mat_t_vec(&mut x, &A, &[7.0, -2.0]);
        mul_mat_vec(&mut y, &at, &[7.0, -2.0]);
        assert_eq!(x, y);

        let (mut square, mut product, mut other) = ([0.0; 9], [0.0; 9], [0.0; 9]);
        sqr_mat_td(&mut square, &A, None, 3);
        mul_mat_t_mat(&mut product, &A, &A, 3, 3);
        mul_mat_mat(&mut other, &at, &A, 2, 3);
        assert_eq!(square, product);
        assert_eq!(square, other);
        mul_mat_mat_t(&mut other, &at, &at, 2, 3);
        assert_eq!(square, other);
        assert_eq!(mul_vec_mat_vec(&[1.0, 0.0], &A, &[0.0, 0.0, 1.0]), 3.0);
    }
}
