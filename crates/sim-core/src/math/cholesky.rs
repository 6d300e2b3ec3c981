//! Dense Cholesky, for matrices that have no tree structure.

use super::MINVAL;
use super::reduce::dot;

/// Factorises a symmetric matrix in place, by its lower triangle: `A = L Lᵀ`. Pivots below `floor`
/// are raised to it; returns the number of those.
#[doc(alias = "mju_cholFactor")]
pub fn factor_cholesky(mat: &mut [f64], n: usize, floor: f64) -> usize {
    let mut raised = 0;
    for i in 0..n {
        let (above, rest) = mat.split_at_mut(i * n);
        let row = &mut rest[..n];
        for j in 0..i {
            let other = &above[j * n..j * n + n];
            row[j] = (row[j] - dot(&row[..j], &other[..j])) / other[j];
        }
        let mut pivot = row[i] - dot(&row[..i], &row[..i]);
        if pivot.is_nan() || pivot < floor {
            pivot = floor;
            raised += 1;
        }
        row[i] = pivot.sqrt();
    }
    raised
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
