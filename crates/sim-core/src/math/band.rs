//! Symmetric band-dense matrices: an arrowhead of a band and some dense rows at the end.
//!
//! Only the lower triangle is stored. The first `total - dense` rows have `band` numbers each, the
//! last of them on the diagonal; the other rows have `total` numbers each.

use super::MINVAL;
use super::reduce::{axpy, dot};

/// Where the numbers of a band-dense matrix are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Band {
    /// Number of rows.
    pub total: usize,
    /// Numbers of a banded row, the diagonal included.
    pub band: usize,
    /// Number of dense rows.
    pub dense: usize,
}

impl Band {
    /// Numbers that are stored.
    pub fn len(self) -> usize {
        (self.total - self.dense) * self.band + self.dense * self.total
    }

    /// Whether nothing is stored.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Where the diagonal of row `i` is.
    #[doc(alias = "mju_bandDiag")]
    pub fn diagonal(self, i: usize) -> usize {
        let banded = self.total - self.dense;
        if i < banded {
            i * self.band + self.band - 1
        } else {
            banded * self.band + (i - banded) * self.total + i
        }
    }

    /// The first column of row `i` that is stored.
    fn first(self, i: usize) -> usize {
        if i < self.total - self.dense { (i + 1).saturating_sub(self.band) } else { 0 }
    }

    /// Where row `i` has the columns from `from` up to `to`, which may be the diagonal.
    fn range(self, i: usize, from: usize, to: usize) -> std::ops::Range<usize> {
        let diagonal = self.diagonal(i);
        diagonal + from - i..diagonal + to - i
    }

    /// Writes the lower triangle of a dense matrix to `res`.
    #[doc(alias = "mju_dense2Band")]
    pub fn pack(self, res: &mut [f64], dense: &[f64]) {
        for i in 0..self.total {
            let first = self.first(i);
            let row = &dense[i * self.total..];
            res[self.range(i, first, i + 1)].copy_from_slice(&row[first..=i]);
        }
    }

    /// Writes the matrix as a dense one to `res`, the upper triangle only if it is `symmetric`.
    #[doc(alias = "mju_band2Dense")]
    pub fn unpack(self, res: &mut [f64], mat: &[f64], symmetric: bool) {
        res.fill(0.0);
        for i in 0..self.total {
            for (j, adr) in (self.first(i)..=i).zip(self.range(i, self.first(i), i + 1)) {
                res[i * self.total + j] = mat[adr];
                if symmetric {
                    res[j * self.total + i] = mat[adr];
                }
            }
        }
    }

    /// Computes `res = A x`, by the lower triangle alone unless it is `symmetric`.
    #[doc(alias = "mju_bandMulMatVec")]
    pub fn mul_vec(self, res: &mut [f64], mat: &[f64], x: &[f64], symmetric: bool) {
        for i in 0..self.total {
            let first = self.first(i);
            res[i] = dot(&mat[self.range(i, first, i + 1)], &x[first..=i]);
            if symmetric {
                axpy(&mut res[first..i], x[i], &mat[self.range(i, first, i)]);
            }
        }
    }

    /// Factorises `A = L Lᵀ` in place, after adding `add + mul A_ii` to the diagonal. Returns the
    /// smallest pivot, or 0 if the matrix is not positive definite.
    #[doc(alias = "mju_cholFactorBand")]
    pub fn factor(self, mat: &mut [f64], add: f64, mul: f64) -> f64 {
        let mut smallest = f64::INFINITY;
        for j in 0..self.total {
            let (first, at) = (self.first(j), self.diagonal(j));
            let left = self.range(j, first, j);
            let pivot = add + mul * mat[at] + mat[at] - dot(&mat[left.clone()], &mat[left]);
            smallest = smallest.min(pivot);
            if pivot.is_nan() || pivot < MINVAL {
                return 0.0;
            }
            let root = pivot.sqrt();
            let scale = 1.0 / root;
            for i in (j + 1..self.total).filter(|&i| self.first(i) <= j) {
                // columns that both rows have
                let from = first.max(self.first(i));
                let (row, other) = (self.range(i, from, j), self.range(j, from, j));
                let at = row.end;
                mat[at] = scale * (mat[at] - dot(&mat[other], &mat[row]));
            }
            mat[at] = root;
        }
        if self.total == 0 { 0.0 } else { smallest }
    }

    /// Solves `L Lᵀ x = b` in place.
    #[doc(alias = "mju_cholSolveBand")]
    pub fn solve(self, x: &mut [f64], mat: &[f64]) {
        for i in 0..self.total {
            let first = self.first(i);
            let sum = dot(&mat[self.range(i, first, i)], &x[first..i]);
            x[i] = (x[i] - sum) / mat[self.diagonal(i)];
        }
        for i in (0..self.total).rev() {
            x[i] /= mat[self.diagonal(i)];
            let (first, xi) = (self.first(i), x[i]);
            axpy(&mut x[first..i], -xi, &mat[self.range(i, first, i)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_matrix_solves_its_own_product() {
        let shape = Band { total: 6, band: 3, dense: 1 };
        let mut dense = [0.0; 36];
        for i in 0..6usize {
            for j in 0..6usize {
                let stored = i == 5 || j == 5 || i.abs_diff(j) < 3;
                dense[i * 6 + j] = if i == j {
                    9.0
                } else if stored {
                    1.0 / (i + j) as f64
                } else {
                    0.0
                };
            }
        }
        let mut mat = vec![0.0; shape.len()];
        shape.pack(&mut mat, &dense);
        let mut unpacked = [0.0; 36];
        shape.unpack(&mut unpacked, &mat, true);
        assert_eq!(unpacked, dense);

        let x = [1.0, -2.0, 3.0, 0.5, 0.0, 4.0];
        let mut b = [0.0; 6];
        shape.mul_vec(&mut b, &mat, &x, true);
        assert!(shape.factor(&mut mat, 0.0, 0.0) > 0.0);
        shape.solve(&mut b, &mat);
        for i in 0..6 {
            assert!((b[i] - x[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn an_indefinite_matrix_has_no_factor() {
        let shape = Band { total: 2, band: 2, dense: 0 };
        let mut mat = [0.0, 1.0, 2.0, 1.0];
        assert_eq!(shape.factor(&mut mat, 0.0, 0.0), 0.0);
    }
}
