//! Dense Cholesky, for matrices that have no tree structure.

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

#[cfg(test)]
mod tests {
    use super::*;

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
