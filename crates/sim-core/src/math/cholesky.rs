//! Dense Cholesky, for matrices that have no tree structure.

use wide::f64x4;

use super::reduce::dot;
use super::{MINVAL, total};

/// Factorises a symmetric matrix in place, by its lower triangle: `A = L Lᵀ`. Pivots below `floor`
/// are raised to it; returns the number of those.
///
/// Four rows at a time: each element waits for the one before it in its row, but not for other rows.
#[doc(alias = "mju_cholFactor")]
pub fn factor_cholesky(mat: &mut [f64], n: usize, floor: f64) -> usize {
    let mut raised = 0;
    for first in (0..n).step_by(4) {
        let (above, rows) = mat.split_at_mut(first * n);
        let count = (n - first).min(4);
        if count == 4 {
            divide_rows::<4>(&mut rows[..4 * n], above, n);
        } else {
            rows[..count * n].chunks_exact_mut(n).for_each(|row| divide_rows::<1>(row, above, n));
        }
        // by each other
        for i in first..first + count {
            let (above, rest) = rows.split_at_mut((i - first) * n);
            let row = &mut rest[..n];
            for (j, other) in (first..).zip(above.chunks_exact(n)) {
                row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
            }
            let mut pivot = row[i] - dot(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot < floor {
                pivot = floor;
                raised += 1;
            }
            row[i] = pivot.sqrt();
        }
    }
    raised
}

/// Divides `N` rows by the rows above them.
#[inline]
fn divide_rows<const N: usize>(rows: &mut [f64], above: &[f64], n: usize) {
    for (j, other) in above.chunks_exact(n).enumerate() {
        let parts = std::array::from_fn(|r| &rows[r * n..r * n + j]);
        let sums = dots::<N>(parts, &other[..j]);
        for (row, sum) in rows.chunks_exact_mut(n).zip(sums) {
            row[j] = (row[j] - sum) / other[j];
        }
    }
}

/// Scalar products of `N` vectors with `b`, each as [`dot`] computes it.
#[inline]
fn dots<const N: usize>(a: [&[f64]; N], b: &[f64]) -> [f64; N] {
    let (b4, b_rest) = b.as_chunks::<4>();
    let a = a.map(|a| a[..b.len()].as_chunks::<4>());
    let mut sums = [f64x4::ZERO; N];
    for (k, b) in b4.iter().enumerate() {
        for (sum, (a4, _)) in sums.iter_mut().zip(a) {
            *sum += f64x4::new(a4[k]) * f64x4::new(*b);
        }
    }
    let mut totals = sums.map(total);
    for (k, b) in b_rest.iter().enumerate() {
        for (total, (_, a_rest)) in totals.iter_mut().zip(a) {
            *total += a_rest[k] * b;
        }
    }
    totals
}

/// Solves `L Lᵀ x = b` in place.
#[doc(alias = "mju_cholSolve")]
pub fn solve_cholesky(x: &mut [f64], mat: &[f64], n: usize) {
    for i in 0..n {
        let row = &mat[i * n..i * n + n];
        x[i] = (x[i] - dot(&row[..i], &x[..i])) / row[i];
    }
    for i in (0..n).rev() {
        x[i] /= mat[i * n + i];
        let xi = x[i];
        for j in 0..i {
            x[j] -= mat[i * n + j] * xi;
        }
    }
}

/// Updates a factor in place to that of `L Lᵀ + x xᵀ`, or `L Lᵀ - x xᵀ` if `sign` is −1, which
/// uses up `x`. Pivots that become too small are raised; returns the number of those.
///
/// Gill, Golub, Murray, Saunders, Methods for modifying matrix factorizations (1974).
#[doc(alias = "mju_cholUpdate")]
pub fn update_cholesky(mat: &mut [f64], x: &mut [f64], n: usize, sign: f64) -> usize {
    let mut raised = 0;
    for k in 0..n {
        if x[k] == 0.0 {
            continue;
        }
        let pivot = mat[k * n + k];
        let mut square = pivot * pivot + sign * x[k] * x[k];
        if square < MINVAL {
            square = MINVAL;
            raised += 1;
        }
        let root = square.sqrt();
        let (cosine, sine) = (root / pivot, x[k] / pivot);
        mat[k * n + k] = root;
        for i in k + 1..n {
            let entry = &mut mat[i * n + k];
            *entry = (*entry + sign * sine * x[i]) * (1.0 / cosine);
            x[i] = cosine * x[i] - sine * *entry;
        }
    }
    raised
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_updated_factor_belongs_to_the_updated_matrix() {
        let mat = [4.0, 1.0, -0.5, 1.0, 3.0, 0.2, -0.5, 0.2, 2.0];
        let x = [0.5, -1.0, 0.3];
        let mut factor = mat;
        factor_cholesky(&mut factor, 3, 1e-15);
        assert_eq!(update_cholesky(&mut factor, &mut x.clone(), 3, 1.0), 0);
        for i in 0..3 {
            for j in 0..=i {
                let product = dot(&factor[3 * i..=3 * i + j], &factor[3 * j..=3 * j + j]);
                assert!((product - mat[3 * i + j] - x[i] * x[j]).abs() < 1e-14);
            }
        }
        // and back again
        update_cholesky(&mut factor, &mut x.clone(), 3, -1.0);
        assert!((factor[0] - 2.0).abs() < 1e-14);
    }

    #[test]
    fn elements_are_those_of_one_row_after_the_other() {
        for n in [1, 3, 4, 5, 8, 11] {
            let entry = |i: usize, j: usize| {
                1.0 / (1.0 + (i + j) as f64) + if i == j { n as f64 } else { 0.0 }
            };
            let mut mat: Vec<f64> = (0..n * n).map(|at| entry(at / n, at % n)).collect();
            let mut expected = mat.clone();
            for i in 0..n {
                for j in 0..=i {
                    let (row, other) = (expected[i * n..].to_vec(), expected[j * n..].to_vec());
                    let rest = row[j] - dot(&row[..j], &other[..j]);
                    expected[i * n + j] = if i == j { rest.sqrt() } else { rest / other[j] };
                }
            }
            assert_eq!(factor_cholesky(&mut mat, n, 1e-15), 0);
            assert_eq!(mat, expected);
        }
    }

    #[test]
    fn solution_satisfies_the_equations() {
        let mat = [4.0, 1.0, -0.5, 1.0, 3.0, 0.2, -0.5, 0.2, 2.0];
        let b = [1.0, 2.0, 3.0];
        let (mut factor, mut x) = (mat, b);
        assert_eq!(factor_cholesky(&mut factor, 3, 1e-15), 0);
        solve_cholesky(&mut x, &factor, 3);
        for i in 0..3 {
            assert!((dot(&mat[3 * i..3 * i + 3], &x) - b[i]).abs() < 1e-14);
        }
    }
}
