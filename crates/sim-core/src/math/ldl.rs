//! Sparse LDL of the mass matrix.
//!
//! Row `k` of the lower triangle holds the ancestors of dof `k` in increasing order and then `k`
//! itself, so the row of an ancestor is a prefix of the row of its descendant. Eliminating from
//! the leaves to the root, `M = Lᵀ D L`, creates no fill and touches only contiguous pieces.

use super::reduce::{axpy, scale};

/// The pattern of a lower triangle in compressed rows, as in `M_rownnz`, `M_rowadr`, `M_colind`.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Pattern<'a> {
    pub rownnz: &'a [i32],
    pub rowadr: &'a [i32],
    pub colind: &'a [i32],
}

impl Pattern<'_> {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rownnz.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rownnz.is_empty()
    }

    /// Address of the first element of row `k`, and of its diagonal.
    #[inline]
    fn row(&self, k: usize) -> (usize, usize) {
        let start = self.rowadr[k] as usize;
        (start, start + self.rownnz[k] as usize - 1)
    }
}

/// Factorises in place: `mat` becomes `L` with `D` on the diagonal, `diaginv` becomes `1 / D`.
pub fn factor_ldl(mat: &mut [f64], diaginv: &mut [f64], pattern: Pattern<'_>) {
    for k in (0..pattern.len()).rev() {
        let (start, end) = pattern.row(k);
        let inv = 1.0 / mat[end];
        diaginv[k] = inv;
        if start == end {
            continue;
        }

        // every ancestor's row loses its share; all of them lie before row k
        let (before, rest) = mat.split_at_mut(start);
        let row = &mut rest[..end - start];
        for (depth, &ancestor) in pattern.colind[start..end].iter().enumerate() {
            let (first, last) = pattern.row(ancestor as usize);
            axpy(&mut before[first..=last], -row[depth] * inv, &row[..=depth]);
        }
        scale(row, inv);
    }
}

/// Solves `Lᵀ D L x = b` in place.
pub fn solve_ldl(x: &mut [f64], mat: &[f64], diaginv: &[f64], pattern: Pattern<'_>) {
    solve_ldl_upper(x, mat, pattern);
    for (x, inv) in x.iter_mut().zip(diaginv) {
        *x *= inv;
    }
    solve_ldl_lower(x, mat, pattern);
}

/// Solves `Lᵀ x = b` in place.
pub fn solve_ldl_upper(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>) {
    for k in (0..pattern.len()).rev() {
        let (start, end) = pattern.row(k);
        let xk = x[k];
        if xk != 0.0 {
            for (&column, &value) in pattern.colind[start..end].iter().zip(&mat[start..end]) {
                x[column as usize] -= value * xk;
            }
        }
    }
}

/// Solves `L x = b` in place.
pub fn solve_ldl_lower(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>) {
    for k in 0..pattern.len() {
        let (start, end) = pattern.row(k);
        let mut xk = x[k];
        for (&column, &value) in pattern.colind[start..end].iter().zip(&mat[start..end]) {
            xk -= value * x[column as usize];
        }
        x[k] = xk;
    }
}
