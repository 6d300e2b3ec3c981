//! Sparse LDL of the mass matrix.
//!
//! Row `k` of the lower triangle holds the ancestors of dof `k` in increasing order and then `k`
//! itself, so the row of an ancestor is a prefix of the row of its descendant. Eliminating from
//! the leaves to the root, `M = Lᵀ D L`, creates no fill and touches only contiguous pieces.
//!
//! Dofs that follow each other along a chain share their ancestors. They are taken in blocks of up
//! to four, so that a row above a block is read and written once instead of four times.

use super::reduce::{axpy, axpy_each, scale};

/// The pattern of a lower triangle in compressed rows, as in `M_rownnz`, `M_rowadr`, `M_colind`,
/// and how to walk it.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub struct Pattern<'a> {
    pub rownnz: &'a [i32],
    pub rowadr: &'a [i32],
    pub colind: &'a [i32],
    pub plan: &'a Plan,
}

/// Pieces of a triangle that are treated alike, from the first row to the last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    /// Rows that hold nothing but their diagonal, stored one after the other.
    Diagonal { first: usize, count: usize },
    /// Up to four dofs along a chain: each is the parent of the next.
    Chain { first: usize, count: usize },
}

/// Most rows of a chain that are taken at once.
const BLOCK: usize = 4;

impl Plan {
    /// Plans the walk over a triangle.
    pub fn new(rownnz: &[i32], rowadr: &[i32], colind: &[i32]) -> Plan {
        let n = rownnz.len();
        let follows = |k: usize| {
            let diagonal = (rowadr[k] + rownnz[k]) as usize - 1;
            rownnz[k] > 1 && colind[diagonal - 1] as usize + 1 == k
        };
        // the end of a chain that starts here, or of rows without ancestors and descendants
        let chain = |k: usize| (k + 1..n).take(BLOCK - 1).take_while(|&j| follows(j)).count() + 1;
        let alone = |k: usize| rownnz[k] == 1 && (k + 1 == n || !follows(k + 1));
        let mut pieces = Vec::new();
        let mut first = 0;
        while first < n {
            let piece = if alone(first) {
                let count = (first..n)
                    .take_while(|&k| {
                        alone(k) && rowadr[k] as usize == rowadr[first] as usize + k - first
                    })
                    .count();
                Piece::Diagonal { first, count }
            } else {
                Piece::Chain { first, count: chain(first) }
            };
            let (Piece::Diagonal { count, .. } | Piece::Chain { count, .. }) = piece;
            first += count;
            pieces.push(piece);
        }
        Plan(pieces)
    }
}

impl Plan {
    /// Takes rows one by one, in the order of the reference: for constants of the model, which are
    /// compared more closely than a badly conditioned matrix allows otherwise.
    pub fn one_by_one(n: usize) -> Plan {
        Plan((0..n).map(|first| Piece::Chain { first, count: 1 }).collect())
    }
}

impl<'a> Pattern<'a> {
    /// The ancestors that the rows of a chain share.
    #[inline]
    fn ancestors(&self, first: usize) -> &'a [i32] {
        let start = self.rowadr[first] as usize;
        &self.colind[start..start + self.rownnz[first] as usize - 1]
    }
}

/// Factorises in place: `mat` becomes `L` with `D` on the diagonal, `diaginv` becomes `1 / D`.
#[doc(alias = "mj_factorI")]
pub fn factor_ldl(mat: &mut [f64], diaginv: &mut [f64], pattern: Pattern<'_>) {
    factor_ldl_of(mat, diaginv, pattern, |_| true);
}

/// [`factor_ldl`] of the trees that `wanted` says yes to for any of their dofs. Others are left as
/// they are; if factorised before, they stay so.
pub fn factor_ldl_of(
    mat: &mut [f64],
    diaginv: &mut [f64],
    pattern: Pattern<'_>,
    wanted: impl Fn(usize) -> bool,
) {
    for piece in pattern.plan.0.iter().rev() {
        match *piece {
            Piece::Diagonal { first, count } => {
                let start = pattern.rowadr[first] as usize;
                let values = &mat[start..start + count];
                for (inv, value) in diaginv[first..first + count].iter_mut().zip(values) {
                    *inv = 1.0 / value;
                }
            }
            Piece::Chain { first, .. } if !wanted(first) => {}
            Piece::Chain { first, count: 1 } => factor_chain::<1>(mat, diaginv, pattern, first),
            Piece::Chain { first, count: 2 } => factor_chain::<2>(mat, diaginv, pattern, first),
            Piece::Chain { first, count: 3 } => factor_chain::<3>(mat, diaginv, pattern, first),
            Piece::Chain { first, .. } => factor_chain::<BLOCK>(mat, diaginv, pattern, first),
        }
    }
}

fn factor_chain<const N: usize>(
    mat: &mut [f64],
    diaginv: &mut [f64],
    pattern: Pattern<'_>,
    first: usize,
) {
    let ancestors = pattern.ancestors(first);
    let shared = ancestors.len();
    let (before, mut rest) = mat.split_at_mut(pattern.rowadr[first] as usize);
    let mut rows: [&mut [f64]; N] = std::array::from_fn(|i| {
        let (row, tail) = std::mem::take(&mut rest).split_at_mut(shared + i + 1);
        rest = tail;
        row
    });

    // within the chain, from its last row up
    let mut inv = [0.0; N];
    for i in (0..N).rev() {
        let (above, row) = rows.split_at_mut(i);
        let row = &*row[0];
        inv[i] = 1.0 / row[shared + i];
        for (j, above) in above.iter_mut().enumerate() {
            axpy(above, -row[shared + j] * inv[i], row);
        }
    }
    diaginv[first..first + N].copy_from_slice(&inv);

    // rows of the shared ancestors lose the shares of the whole chain
    for (depth, &ancestor) in ancestors.iter().enumerate() {
        let start = pattern.rowadr[ancestor as usize] as usize;
        let factors = std::array::from_fn(|i| -rows[i][depth] * inv[i]);
        let sources = std::array::from_fn(|i| &*rows[i]);
        axpy_each::<N>(&mut before[start..=start + depth], factors, sources);
    }
    for (i, row) in rows.iter_mut().enumerate() {
        scale(&mut row[..shared + i], inv[i]);
    }
}

/// Solves `Lᵀ D L x = b` in place.
#[doc(alias = "mj_solveLD")]
pub fn solve_ldl(x: &mut [f64], mat: &[f64], diaginv: &[f64], pattern: Pattern<'_>) {
    solve_ldl_of(x, mat, diaginv, pattern, |_| true);
}

/// [`solve_ldl`] for the trees that `wanted` says yes to for any of their dofs; what others get is
/// of no use.
pub fn solve_ldl_of(
    x: &mut [f64],
    mat: &[f64],
    diaginv: &[f64],
    pattern: Pattern<'_>,
    wanted: impl Fn(usize) -> bool,
) {
    upper(x, mat, pattern, &wanted);
    for (x, inv) in x.iter_mut().zip(diaginv) {
        *x *= inv;
    }
    lower(x, mat, pattern, &wanted);
}

/// Solves `Lᵀ x = b` in place.
pub fn solve_ldl_upper(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>) {
    upper(x, mat, pattern, |_| true);
}

#[inline]
fn upper(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>, wanted: impl Fn(usize) -> bool) {
    for piece in pattern.plan.0.iter().rev() {
        match *piece {
            Piece::Diagonal { .. } => {}
            Piece::Chain { first, .. } if !wanted(first) => {}
            Piece::Chain { first, count: 1 } => upper_chain::<1>(x, mat, pattern, first),
            Piece::Chain { first, count: 2 } => upper_chain::<2>(x, mat, pattern, first),
            Piece::Chain { first, count: 3 } => upper_chain::<3>(x, mat, pattern, first),
            Piece::Chain { first, .. } => upper_chain::<BLOCK>(x, mat, pattern, first),
        }
    }
}

#[inline]
fn upper_chain<const N: usize>(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>, first: usize) {
    let ancestors = pattern.ancestors(first);
    let shared = ancestors.len();
    let rows = rows::<N>(mat, pattern, first);
    let mut own = [0.0; N];
    own.copy_from_slice(&x[first..first + N]);
    for i in (0..N).rev() {
        for j in 0..i {
            own[j] -= rows[i][shared + j] * own[i];
        }
    }
    x[first..first + N].copy_from_slice(&own);
    for (depth, &ancestor) in ancestors.iter().enumerate() {
        let mut sum = 0.0;
        for i in 0..N {
            sum += rows[i][depth] * own[i];
        }
        x[ancestor as usize] -= sum;
    }
}

/// Solves `L x = b` in place.
pub fn solve_ldl_lower(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>) {
    lower(x, mat, pattern, |_| true);
}

#[inline]
fn lower(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>, wanted: impl Fn(usize) -> bool) {
    for piece in &pattern.plan.0 {
        match *piece {
            Piece::Diagonal { .. } => {}
            Piece::Chain { first, .. } if !wanted(first) => {}
            Piece::Chain { first, count: 1 } => lower_chain::<1>(x, mat, pattern, first),
            Piece::Chain { first, count: 2 } => lower_chain::<2>(x, mat, pattern, first),
            Piece::Chain { first, count: 3 } => lower_chain::<3>(x, mat, pattern, first),
            Piece::Chain { first, .. } => lower_chain::<BLOCK>(x, mat, pattern, first),
        }
    }
}

#[inline]
fn lower_chain<const N: usize>(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>, first: usize) {
    let ancestors = pattern.ancestors(first);
    let shared = ancestors.len();
    let rows = rows::<N>(mat, pattern, first);
    let mut sums = [0.0; N];
    for (depth, &ancestor) in ancestors.iter().enumerate() {
        let value = x[ancestor as usize];
        for i in 0..N {
            sums[i] += rows[i][depth] * value;
        }
    }
    for i in 0..N {
        let mut own = x[first + i] - sums[i];
        for j in 0..i {
            own -= rows[i][shared + j] * x[first + j];
        }
        x[first + i] = own;
    }
}

/// The rows of a chain without their diagonals.
#[inline]
fn rows<'m, const N: usize>(mat: &'m [f64], pattern: Pattern<'_>, first: usize) -> [&'m [f64]; N] {
    let shared = pattern.rownnz[first] as usize - 1;
    std::array::from_fn(|i| {
        let start = pattern.rowadr[first + i] as usize;
        &mat[start..start + shared + i]
    })
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
        tree.extend([None, None, None, Some(23)]);
        for parents in [chain, tree] {
            let n = parents.len();
            let (rownnz, rowadr, colind) = pattern_of(&parents);
            let plan = Plan::new(&rownnz, &rowadr, &colind);
            let pattern =
                Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind, plan: &plan };
            let mut dense = vec![0.0; n * n];
            let mut mat = vec![0.0; colind.len()];
            for k in 0..n {
                let start = rowadr[k] as usize;
                for adr in start..start + rownnz[k] as usize {
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
