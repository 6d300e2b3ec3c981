//! Sparse LU of matrices with the pattern of a kinematic tree: row `i` holds the ancestors of dof
//! `i`, itself and its descendants. Eliminating from the leaves to the root creates no fill.

/// The pattern of a square matrix in compressed rows, as in `D_rownnz`, `D_rowadr`, `D_diag` and
/// `D_colind`.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct FullPattern<'a> {
    pub rownnz: &'a [i32],
    pub rowadr: &'a [i32],
    pub diag: &'a [i32],
    pub colind: &'a [i32],
}

impl FullPattern<'_> {
    /// Addresses of the first element, the diagonal and the end of row `i`.
    #[inline]
    fn row(&self, i: usize) -> (usize, usize, usize) {
        let start = self.rowadr[i] as usize;
        (start, start + self.diag[i] as usize, start + self.rownnz[i] as usize)
    }

    /// Address of element `(i, j)`, if the pattern has it.
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        let (start, _, end) = self.row(i);
        self.colind[start..end].binary_search(&(j as i32)).ok().map(|at| start + at)
    }
}

/// Factorises in place, without pivoting: `A = (U + 1) L`. Trees stay as they are if `wanted` says
/// no to their dofs.
#[doc(alias = "mju_factorLUSparse")]
pub fn factor_lu_of(mat: &mut [f64], pattern: FullPattern<'_>, wanted: impl Fn(usize) -> bool) {
    for k in (0..pattern.rownnz.len()).rev().filter(|&k| wanted(k)) {
        let (start, diagonal, _) = pattern.row(k);
        let inv = 1.0 / mat[diagonal];
        for ancestor in start..diagonal {
            // subtract row k from the row of an ancestor so that its element in column k vanishes
            let i = pattern.colind[ancestor] as usize;
            let at = pattern.find(i, k).expect("the pattern is symmetric");
            let factor = mat[at] * inv;
            mat[at] = factor;
            let mut target = pattern.row(i).0;
            for source in start..diagonal {
                while pattern.colind[target] < pattern.colind[source] {
                    target += 1;
                }
                mat[target] -= factor * mat[source];
            }
        }
    }
}

/// Solves `A x = b` in place, with the factors from [`factor_lu_of`]. Trees stay as they are if
/// `wanted` says no to their dofs.
#[doc(alias = "mju_solveLUSparse")]
pub fn solve_lu_of(
    x: &mut [f64],
    mat: &[f64],
    pattern: FullPattern<'_>,
    wanted: impl Fn(usize) -> bool,
) {
    let n = pattern.rownnz.len();
    for i in (0..n).rev().filter(|&i| wanted(i)) {
        let (_, diagonal, end) = pattern.row(i);
        for at in diagonal + 1..end {
            x[i] -= mat[at] * x[pattern.colind[at] as usize];
        }
    }
    for i in (0..n).filter(|&i| wanted(i)) {
        let (start, diagonal, _) = pattern.row(i);
        for at in start..diagonal {
            x[i] -= mat[at] * x[pattern.colind[at] as usize];
        }
        x[i] /= mat[diagonal];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solution_of_a_branched_tree_satisfies_the_equations() {
        // dof 0 with two children 1 and 2
        let pattern = FullPattern {
            rownnz: &[3, 2, 2],
            rowadr: &[0, 3, 5],
            diag: &[0, 1, 1],
            colind: &[0, 1, 2, 0, 1, 0, 2],
        };
        let mat = [4.0, 1.0, -0.5, 0.3, 3.0, 0.7, 2.0];
        let dense = [[4.0, 1.0, -0.5], [0.3, 3.0, 0.0], [0.7, 0.0, 2.0]];
        let b = [1.0, 2.0, 3.0];
        let (mut factors, mut x) = (mat, b);
        factor_lu_of(&mut factors, pattern, |_| true);
        solve_lu_of(&mut x, &factors, pattern, |_| true);
        for i in 0..3 {
            let product: f64 = (0..3).map(|j| dense[i][j] * x[j]).sum();
            assert!((product - b[i]).abs() < 1e-14);
        }
    }
}
