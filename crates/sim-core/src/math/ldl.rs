//! Sparse LDL of the mass matrix.
//!
//! Row `k` of the lower triangle holds the ancestors of dof `k` in increasing order and then `k`
//! itself, so the row of an ancestor is a prefix of the row of its descendant. Eliminating from
//! the leaves to the root, `M = Lᵀ D L`, creates no fill and touches only contiguous pieces.
//!
//! Dofs that follow each other along a chain share their ancestors. They are taken in blocks of up
//! to four, so that a row above a block is read and written once instead of four times.

use super::reduce::{axpy, axpy4, scale};

/// The pattern of a lower triangle in compressed rows, as in `M_rownnz`, `M_rowadr`, `M_colind`.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Pattern<'a> {
    pub rownnz: &'a [i32],
    pub rowadr: &'a [i32],
    pub colind: &'a [i32],
}

/// Rows of a block.
const BLOCK: usize = 4;

/// Dofs `first..first + BLOCK` along a chain, with the ancestors that they share.
struct Block<'a> {
    first: usize,
    /// Addresses of the rows.
    rows: [usize; BLOCK],
    ancestors: &'a [i32],
}

impl<'a> Pattern<'a> {
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

    /// Whether the parent of dof `k` is the dof before it.
    #[inline]
    fn follows(&self, k: usize) -> bool {
        let (start, diagonal) = self.row(k);
        diagonal > start && self.colind[diagonal - 1] as usize + 1 == k
    }

    /// The block that ends with dof `last`, if four dofs follow each other.
    #[inline]
    fn block_ending(&self, last: usize) -> Option<Block<'a>> {
        let first = last.checked_sub(BLOCK - 1)?;
        (first + 1..=last).all(|k| self.follows(k)).then(|| self.block(first))
    }

    /// The block that starts with dof `first`, if four dofs follow each other.
    #[inline]
    fn block_starting(&self, first: usize) -> Option<Block<'a>> {
        let last = first + BLOCK - 1;
        (last < self.len() && (first + 1..=last).all(|k| self.follows(k)))
            .then(|| self.block(first))
    }

    #[inline]
    fn block(&self, first: usize) -> Block<'a> {
        let (start, diagonal) = self.row(first);
        Block {
            first,
            rows: std::array::from_fn(|i| self.rowadr[first + i] as usize),
            ancestors: &self.colind[start..diagonal],
        }
    }
}

/// Factorises in place: `mat` becomes `L` with `D` on the diagonal, `diaginv` becomes `1 / D`.
pub fn factor_ldl(mat: &mut [f64], diaginv: &mut [f64], pattern: Pattern<'_>) {
    let mut k = pattern.len();
    while k > 0 {
        if let Some(block) = pattern.block_ending(k - 1) {
            factor_block(mat, diaginv, pattern, &block);
            k -= BLOCK;
        } else {
            factor_row(mat, diaginv, pattern, k - 1);
            k -= 1;
        }
    }
}

fn factor_row(mat: &mut [f64], diaginv: &mut [f64], pattern: Pattern<'_>, k: usize) {
    let (start, end) = pattern.row(k);
    let inv = 1.0 / mat[end];
    diaginv[k] = inv;

    // every ancestor's row loses its share; all of them lie before row k
    let (before, rest) = mat.split_at_mut(start);
    let row = &mut rest[..end - start];
    for (depth, &ancestor) in pattern.colind[start..end].iter().enumerate() {
        let (first, last) = pattern.row(ancestor as usize);
        axpy(&mut before[first..=last], -row[depth] * inv, &row[..=depth]);
    }
    scale(row, inv);
}

fn factor_block(mat: &mut [f64], diaginv: &mut [f64], pattern: Pattern<'_>, block: &Block<'_>) {
    let shared = block.ancestors.len();
    let (before, rest) = mat.split_at_mut(block.rows[0]);
    let (row0, rest) = rest.split_at_mut(shared + 1);
    let (row1, rest) = rest.split_at_mut(shared + 2);
    let (row2, rest) = rest.split_at_mut(shared + 3);
    let row3 = &mut rest[..shared + 4];

    // within the block, from its last row up
    let inv3 = 1.0 / row3[shared + 3];
    axpy(row2, -row3[shared + 2] * inv3, row3);
    axpy(row1, -row3[shared + 1] * inv3, row3);
    axpy(row0, -row3[shared] * inv3, row3);
    let inv2 = 1.0 / row2[shared + 2];
    axpy(row1, -row2[shared + 1] * inv2, row2);
    axpy(row0, -row2[shared] * inv2, row2);
    let inv1 = 1.0 / row1[shared + 1];
    axpy(row0, -row1[shared] * inv1, row1);
    let inv0 = 1.0 / row0[shared];
    diaginv[block.first..block.first + BLOCK].copy_from_slice(&[inv0, inv1, inv2, inv3]);

    // rows of the shared ancestors lose the shares of all four
    for (depth, &ancestor) in block.ancestors.iter().enumerate() {
        let first = pattern.rowadr[ancestor as usize] as usize;
        let factors =
            [-row0[depth] * inv0, -row1[depth] * inv1, -row2[depth] * inv2, -row3[depth] * inv3];
        axpy4(&mut before[first..=first + depth], factors, [row0, row1, row2, row3]);
    }
    scale(&mut row0[..shared], inv0);
    scale(&mut row1[..shared + 1], inv1);
    scale(&mut row2[..shared + 2], inv2);
    scale(&mut row3[..shared + 3], inv3);
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
    let mut k = pattern.len();
    while k > 0 {
        if let Some(block) = pattern.block_ending(k - 1) {
            k -= BLOCK;
            let [row0, row1, row2, row3] = rows(mat, &block);
            let shared = block.ancestors.len();
            let x3 = x[k + 3];
            let x2 = x[k + 2] - row3[shared + 2] * x3;
            let x1 = x[k + 1] - row3[shared + 1] * x3 - row2[shared + 1] * x2;
            let x0 = x[k] - row3[shared] * x3 - row2[shared] * x2 - row1[shared] * x1;
            x[k..k + BLOCK].copy_from_slice(&[x0, x1, x2, x3]);
            for (i, &column) in block.ancestors.iter().enumerate() {
                x[column as usize] -= (row0[i] * x0 + row1[i] * x1) + (row2[i] * x2 + row3[i] * x3);
            }
        } else {
            k -= 1;
            let (start, end) = pattern.row(k);
            let xk = x[k];
            for (&column, &value) in pattern.colind[start..end].iter().zip(&mat[start..end]) {
                x[column as usize] -= value * xk;
            }
        }
    }
}

/// Solves `L x = b` in place.
pub fn solve_ldl_lower(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>) {
    let mut k = 0;
    while k < pattern.len() {
        if let Some(block) = pattern.block_starting(k) {
            let [row0, row1, row2, row3] = rows(mat, &block);
            let shared = block.ancestors.len();
            let mut sums = [0.0; BLOCK];
            for (i, &column) in block.ancestors.iter().enumerate() {
                let value = x[column as usize];
                sums[0] += row0[i] * value;
                sums[1] += row1[i] * value;
                sums[2] += row2[i] * value;
                sums[3] += row3[i] * value;
            }
            let x0 = x[k] - sums[0];
            let x1 = x[k + 1] - sums[1] - row1[shared] * x0;
            let x2 = x[k + 2] - sums[2] - row2[shared] * x0 - row2[shared + 1] * x1;
            let x3 = x[k + 3]
                - sums[3]
                - row3[shared] * x0
                - row3[shared + 1] * x1
                - row3[shared + 2] * x2;
            x[k..k + BLOCK].copy_from_slice(&[x0, x1, x2, x3]);
            k += BLOCK;
        } else {
            let (start, end) = pattern.row(k);
            let mut xk = x[k];
            for (&column, &value) in pattern.colind[start..end].iter().zip(&mat[start..end]) {
                xk -= value * x[column as usize];
            }
            x[k] = xk;
            k += 1;
        }
    }
}

/// The rows of a block without their diagonals.
#[inline]
fn rows<'m>(mat: &'m [f64], block: &Block<'_>) -> [&'m [f64]; BLOCK] {
    let shared = block.ancestors.len();
    std::array::from_fn(|i| &mat[block.rows[i]..block.rows[i] + shared + i])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows and columns of a tree given by parents.
    fn pattern_of(parents: &[Option<usize>]) -> (Vec<i32>, Vec<i32>, Vec<i32>) {
        let (mut rownnz, mut rowadr, mut colind) = (vec![], vec![], vec![]);
        for k in 0..parents.len() {
            let mut chain = vec![k as i32];
            let mut next = parents[k];
            while let Some(parent) = next {
                chain.push(parent as i32);
                next = parents[parent];
            }
            chain.reverse();
            rowadr.push(colind.len() as i32);
            rownnz.push(chain.len() as i32);
            colind.extend(chain);
        }
        (rownnz, rowadr, colind)
    }

    #[test]
    fn solutions_satisfy_the_equations_for_chains_branches_and_blocks() {
        let chain: Vec<Option<usize>> = (0..13usize).map(|k| k.checked_sub(1)).collect();
        let mut tree = chain.clone();
        tree.extend([Some(3), Some(13), Some(14), Some(15), Some(16), Some(3), None, Some(19)]);
        for parents in [chain, tree] {
            let n = parents.len();
            let (rownnz, rowadr, colind) = pattern_of(&parents);
            let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
            let mut dense = vec![0.0; n * n];
            let mut mat = vec![0.0; colind.len()];
            for k in 0..n {
                let (start, end) = pattern.row(k);
                for adr in start..=end {
                    let j = colind[adr] as usize;
                    let value =
                        if j == k { 20.0 + k as f64 } else { libm::sin((7 * k + j) as f64) };
                    mat[adr] = value;
                    dense[k * n + j] = value;
                    dense[j * n + k] = value;
                }
            }
            let b: Vec<f64> = (0..n).map(|k| libm::cos(k as f64)).collect();
            let (mut x, mut diaginv) = (b.clone(), vec![0.0; n]);
            factor_ldl(&mut mat, &mut diaginv, pattern);
            solve_ldl(&mut x, &mat, &diaginv, pattern);
            for k in 0..n {
                let product: f64 = (0..n).map(|j| dense[k * n + j] * x[j]).sum();
                assert!((product - b[k]).abs() < 1e-13, "row {k}: {product} is not {}", b[k]);
            }
        }
    }
}
