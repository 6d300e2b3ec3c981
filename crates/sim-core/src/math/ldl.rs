//! Sparse LDL of the mass matrix.
//!
//! Row `k` of the lower triangle holds the ancestors of dof `k` in increasing order and then `k`
//! itself, so the row of an ancestor is a prefix of the row of its descendant. Eliminating from
//! the leaves to the root, `M = Lᵀ D L`, creates no fill and touches only contiguous pieces.
//!
//! Dofs that follow each other along a chain share their ancestors. They are taken in blocks of up
//! to four, so that a row above a block is read and written once instead of four times.

use std::ops::Range;

use wide::f64x4;

use super::lanes::{load4, scalars, total};
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
pub struct Plan {
    pieces: Vec<Piece>,
    /// Length of the longest row.
    longest: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Rows that hold nothing but their diagonal, stored one after the other.
    Diagonal { first: usize, count: usize },
    /// Up to four dofs along a chain: each is the parent of the next.
    Chain { first: usize, count: usize },
}

/// Most rows of a chain that are taken at once.
const BLOCK: usize = 4;

impl Plan {
    /// Plans the walk over a triangle with rows of the given lengths, stored one after the other,
    /// whose columns are the parents of each dof, theirs, and so on.
    pub fn new(rownnz: &[i32], parents: &[i32]) -> Plan {
        let n = rownnz.len();
        let follows = |k: usize| rownnz[k] > 1 && usize::try_from(parents[k]) == Ok(k - 1);
        // the end of a chain that starts here, or of rows without ancestors and descendants
        let chain = |k: usize| (k + 1..n).take(BLOCK - 1).take_while(|&j| follows(j)).count() + 1;
        let alone = |k: usize| rownnz[k] == 1 && (k + 1 == n || !follows(k + 1));
        let mut pieces = Vec::new();
        let mut first = 0;
        while first < n {
            let piece = if alone(first) {
                let count = (first..n).take_while(|&k| alone(k)).count();
                Piece::Diagonal { first, count }
            } else {
                Piece::Chain { first, count: chain(first) }
            };
            let (Piece::Diagonal { count, .. } | Piece::Chain { count, .. }) = piece;
            first += count;
            pieces.push(piece);
        }
        Plan { pieces, longest: longest(rownnz) }
    }

    /// The pieces, from the first row to the last.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Piece> + '_ {
        self.pieces.iter().copied()
    }

    /// Eliminates rows one by one, in the order of the reference: for constants of the model, which
    /// are compared more closely than a badly conditioned matrix allows otherwise.
    pub fn one_by_one(rownnz: &[i32]) -> Plan {
        Plan::one_by_one_within(rownnz, 0..rownnz.len())
    }

    /// [`Plan::one_by_one`] over some rows only, such as those of a tree.
    pub fn one_by_one_within(rownnz: &[i32], rows: Range<usize>) -> Plan {
        let longest = longest(&rownnz[rows.clone()]);
        Plan { pieces: rows.map(|first| Piece::Chain { first, count: 1 }).collect(), longest }
    }
}

fn longest(rownnz: &[i32]) -> usize {
    rownnz.iter().max().map_or(0, |&n| n as usize)
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
pub fn factor_ldl(
    mat: &mut [f64],
    diaginv: &mut [f64],
    pattern: Pattern<'_>,
    scratch: &mut LdlScratch,
) {
    factor_ldl_of(mat, diaginv, pattern, scratch, |_| true);
}

/// [`factor_ldl`] of the trees that `wanted` says yes to for any of their dofs. Others are left as
/// they are; if factorised before, they stay so.
pub fn factor_ldl_of(
    mat: &mut [f64],
    diaginv: &mut [f64],
    pattern: Pattern<'_>,
    scratch: &mut LdlScratch,
    wanted: impl Fn(usize) -> bool,
) {
    factor_ldl_sum(mat, diaginv, None, |_| 0.0, pattern, scratch, wanted);
}

/// Factorises `source`, or what is in `mat`, plus a diagonal, of the trees that are wanted, and puts
/// the factor to `mat`.
pub(crate) fn factor_ldl_sum(
    mat: &mut [f64],
    diaginv: &mut [f64],
    source: Option<&[f64]>,
    diagonal: impl Fn(usize) -> f64,
    pattern: Pattern<'_>,
    scratch: &mut LdlScratch,
    wanted: impl Fn(usize) -> bool,
) {
    // rows that are alone, and those that are factorised in place
    let long = pattern.plan.longest > 64;
    for piece in &pattern.plan.pieces {
        match *piece {
            Piece::Diagonal { first, count } => {
                let start = pattern.rowadr[first] as usize;
                let row = start..start + count;
                let mat = &mut mat[row.clone()];
                let source = source.map(|source| &source[row]);
                for k in (0..count).filter(|&k| wanted(first + k)) {
                    mat[k] = source.map_or(mat[k], |source| source[k]) + diagonal(first + k);
                }
            }
            Piece::Chain { first, count } if long => {
                for dof in (first..first + count).filter(|&dof| wanted(dof)) {
                    let start = pattern.rowadr[dof] as usize;
                    let row = start..start + pattern.rownnz[dof] as usize;
                    if let Some(source) = source {
                        mat[row.clone()].copy_from_slice(&source[row.clone()]);
                    }
                    mat[row.end - 1] += diagonal(dof);
                }
            }
            Piece::Chain { .. } => {}
        }
    }
    match pattern.plan.longest.div_ceil(4) {
        0..=1 => factor::<1>(mat, diaginv, source, diagonal, pattern, scratch, wanted),
        2 => factor::<2>(mat, diaginv, source, diagonal, pattern, scratch, wanted),
        3 => factor::<3>(mat, diaginv, source, diagonal, pattern, scratch, wanted),
        4 => factor::<4>(mat, diaginv, source, diagonal, pattern, scratch, wanted),
        5..=8 => factor::<8>(mat, diaginv, source, diagonal, pattern, scratch, wanted),
        9..=16 => factor::<16>(mat, diaginv, source, diagonal, pattern, scratch, wanted),
        _ => factor_long(mat, diaginv, pattern, wanted),
    }
}

/// Rows while they are factorised, padded to whole chunks, so that what was written in chunks is
/// read again in the same chunks.
#[derive(Debug, Clone, Default)]
pub struct LdlScratch(Vec<f64x4>);

impl LdlScratch {
    /// Makes all numbers unusable.
    pub(crate) fn poison(&mut self) {
        self.0.fill(f64x4::splat(f64::NAN));
    }
}

/// Factorises a matrix whose rows are at most `4 T` long.
fn factor<const T: usize>(
    mat: &mut [f64],
    diaginv: &mut [f64],
    source: Option<&[f64]>,
    diagonal: impl Fn(usize) -> f64,
    pattern: Pattern<'_>,
    scratch: &mut LdlScratch,
    wanted: impl Fn(usize) -> bool,
) {
    let pieces = &pattern.plan.pieces;
    // with room for two, as `factor_both` needs it
    scratch.0.resize(2 * pattern.rownnz.len() * T, f64x4::ZERO);
    let rows = scratch.0.as_chunks_mut::<T>().0;

    // every lane is on its own, so rows may end with what follows them in memory
    let source = source.unwrap_or(mat);
    for piece in pieces {
        if let Piece::Chain { first, count } = *piece {
            for dof in first..first + count {
                load_row(&mut rows[dof], &source[pattern.rowadr[dof] as usize..]);
            }
        }
    }
    for piece in pieces.iter().rev() {
        match *piece {
            Piece::Diagonal { first, count } => {
                invert_diagonal(mat, diaginv, pattern, first, count)
            }
            Piece::Chain { first, .. } if !wanted(first) => {}
            Piece::Chain { first, count } => match count {
                1 => factor_chain::<1, T>(rows, mat, diaginv, &diagonal, pattern, first),
                2 => factor_chain::<2, T>(rows, mat, diaginv, &diagonal, pattern, first),
                3 => factor_chain::<3, T>(rows, mat, diaginv, &diagonal, pattern, first),
                _ => factor_chain::<BLOCK, T>(rows, mat, diaginv, &diagonal, pattern, first),
            },
        }
    }
}

/// Factorises `source`, and `source` plus a diagonal, in one pass over all trees. Each of the two has
/// the bits that [`factor_ldl_sum`] gives it.
pub(crate) fn factor_ldl_both(
    [mat, sum]: [&mut [f64]; 2],
    [diaginv, sum_diaginv]: [&mut [f64]; 2],
    source: &[f64],
    diagonal: &[f64],
    pattern: Pattern<'_>,
    scratch: &mut LdlScratch,
) {
    let (mats, diaginvs) = ([&mut *mat, &mut *sum], [&mut *diaginv, &mut *sum_diaginv]);
    match pattern.plan.longest.div_ceil(4) {
        0..=1 => factor_both::<1>(mats, diaginvs, source, diagonal, pattern, scratch),
        2 => factor_both::<2>(mats, diaginvs, source, diagonal, pattern, scratch),
        3 => factor_both::<3>(mats, diaginvs, source, diagonal, pattern, scratch),
        4 => factor_both::<4>(mats, diaginvs, source, diagonal, pattern, scratch),
        5..=8 => factor_both::<8>(mats, diaginvs, source, diagonal, pattern, scratch),
        _ => {
            let all = |_: usize| true;
            factor_ldl_sum(mat, diaginv, Some(source), |_| 0.0, pattern, scratch, all);
            let diagonal = |dof: usize| diagonal[dof];
            factor_ldl_sum(sum, sum_diaginv, Some(source), diagonal, pattern, scratch, all);
        }
    }
}

/// [`factor_ldl_both`] of matrices whose rows are at most `4 T` long.
fn factor_both<const T: usize>(
    [mat, sum]: [&mut [f64]; 2],
    [diaginv, sum_diaginv]: [&mut [f64]; 2],
    source: &[f64],
    diagonal: &[f64],
    pattern: Pattern<'_>,
    scratch: &mut LdlScratch,
) {
    let count = pattern.rownnz.len();
    scratch.0.resize(2 * count * T, f64x4::ZERO);
    let (rows, sum_rows) = scratch.0.as_chunks_mut::<T>().0.split_at_mut(count);
    let (none, diagonal) = (|_: usize| 0.0, |dof: usize| diagonal[dof]);

    for piece in &pattern.plan.pieces {
        match *piece {
            Piece::Diagonal { first, count } => {
                let start = pattern.rowadr[first] as usize;
                for k in 0..count {
                    mat[start + k] = source[start + k] + 0.0;
                    sum[start + k] = source[start + k] + diagonal(first + k);
                }
            }
            Piece::Chain { first, count } => {
                for dof in first..first + count {
                    load_row(&mut rows[dof], &source[pattern.rowadr[dof] as usize..]);
                    sum_rows[dof] = rows[dof];
                }
            }
        }
    }
    for piece in pattern.plan.pieces.iter().rev() {
        macro_rules! eliminate {
            ($n:expr, $first:expr) => {{
                factor_chain::<$n, T>(rows, mat, diaginv, &none, pattern, $first);
                factor_chain::<$n, T>(sum_rows, sum, sum_diaginv, &diagonal, pattern, $first);
            }};
        }
        match *piece {
            Piece::Diagonal { first, count } => {
                invert_diagonal(mat, diaginv, pattern, first, count);
                invert_diagonal(sum, sum_diaginv, pattern, first, count);
            }
            Piece::Chain { first, count: 1 } => eliminate!(1, first),
            Piece::Chain { first, count: 2 } => eliminate!(2, first),
            Piece::Chain { first, count: 3 } => eliminate!(3, first),
            Piece::Chain { first, .. } => eliminate!(BLOCK, first),
        }
    }
}

/// Copies as much of `x` as there is room for; zeros beyond its end.
#[inline]
fn load_row<const T: usize>(row: &mut [f64x4; T], x: &[f64]) {
    match x.as_chunks::<4>().0.first_chunk::<T>() {
        Some(x) => {
            for chunk in 0..T {
                row[chunk] = f64x4::new(x[chunk]);
            }
        }
        None => {
            for chunk in 0..T {
                row[chunk] = load4(x, 4 * chunk);
            }
        }
    }
}

/// Eliminates the `N` rows of a chain and stores them.
fn factor_chain<const N: usize, const T: usize>(
    rows: &mut [[f64x4; T]],
    mat: &mut [f64],
    diaginv: &mut [f64],
    diagonal: &impl Fn(usize) -> f64,
    pattern: Pattern<'_>,
    first: usize,
) {
    let ancestors = pattern.ancestors(first);
    let shared = ancestors.len();
    let (before, chain) = rows.split_at_mut(first);
    let chain = &mut chain[..N];

    // the triangle within the chain, from its last row up; everything else waits for it
    let mut own = [[0.0; N]; N];
    let mut lower = [[0.0; N]; N];
    let mut inv = [0.0; N];
    for i in 0..N {
        own[i][..=i].copy_from_slice(&scalars(&chain[i])[shared..=shared + i]);
        own[i][i] += diagonal(first + i);
    }
    for i in (0..N).rev() {
        inv[i] = 1.0 / own[i][i];
        for j in 0..i {
            lower[i][j] = own[i][j] * inv[i];
            for k in 0..=j {
                own[j][k] -= lower[i][j] * own[i][k];
            }
        }
    }
    diaginv[first..first + N].copy_from_slice(&inv);

    // columns of the shared ancestors
    let mut rest = &mut mat[pattern.rowadr[first] as usize..];
    let rows: [&mut [f64]; N] = std::array::from_fn(|i| {
        let (row, tail) = std::mem::take(&mut rest).split_at_mut(shared + i + 1);
        rest = tail;
        row
    });
    let mut scaled = [[f64x4::ZERO; T]; N];
    for chunk in 0..shared.div_ceil(4).min(T) {
        let mut column = [f64x4::ZERO; N];
        for i in 0..N {
            column[i] = chain[i][chunk];
        }
        for i in (0..N).rev() {
            for j in 0..i {
                column[j] -= column[i] * lower[i][j];
            }
            chain[i][chunk] = column[i];
            scaled[i][chunk] = column[i] * inv[i];
        }
        for i in 0..N {
            let values = (column[i] * inv[i]).to_array();
            let (whole, end) = rows[i].as_chunks_mut::<4>();
            match whole.get_mut(chunk) {
                Some(row) => *row = values,
                None => {
                    for k in 0..3 {
                        if let Some(row) = end.get_mut(k) {
                            *row = values[k];
                        }
                    }
                }
            }
        }
    }
    for i in 0..N {
        rows[i][shared..shared + i].copy_from_slice(&lower[i][..i]);
        rows[i][shared + i] = own[i][i];
    }

    // rows of the shared ancestors lose the shares of the whole chain
    for (depth, &ancestor) in ancestors.iter().enumerate() {
        let mut factors = [f64x4::ZERO; N];
        for i in 0..N {
            factors[i] = f64x4::splat(scalars(&scaled[i])[depth]);
        }
        for (chunk, y) in before[ancestor as usize][..=depth / 4].iter_mut().enumerate() {
            let mut sum = factors[0] * chain[0][chunk];
            for i in 1..N {
                sum += factors[i] * chain[i][chunk];
            }
            *y -= sum;
        }
    }
}

fn invert_diagonal(
    mat: &[f64],
    diaginv: &mut [f64],
    pattern: Pattern<'_>,
    first: usize,
    count: usize,
) {
    let start = pattern.rowadr[first] as usize;
    for (inv, value) in diaginv[first..first + count].iter_mut().zip(&mat[start..start + count]) {
        *inv = 1.0 / value;
    }
}

/// Factorises a matrix whose rows are too long for tiles, row by row.
fn factor_long(
    mat: &mut [f64],
    diaginv: &mut [f64],
    pattern: Pattern<'_>,
    wanted: impl Fn(usize) -> bool,
) {
    for piece in pattern.plan.pieces.iter().rev() {
        match *piece {
            Piece::Diagonal { first, count } => {
                invert_diagonal(mat, diaginv, pattern, first, count)
            }
            Piece::Chain { first, .. } if !wanted(first) => {}
            Piece::Chain { first, count } => match count {
                1 => factor_rows::<1>(mat, diaginv, pattern, first),
                2 => factor_rows::<2>(mat, diaginv, pattern, first),
                3 => factor_rows::<3>(mat, diaginv, pattern, first),
                _ => factor_rows::<BLOCK>(mat, diaginv, pattern, first),
            },
        }
    }
}

fn factor_rows<const N: usize>(
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
    for piece in pattern.plan.pieces.iter().rev() {
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
    let (quads, last) = ancestors.as_chunks::<4>();
    let rows = rows.map(|row| row[..shared].as_chunks::<4>());
    for (quad, ancestors) in quads.iter().enumerate() {
        let mut sum = f64x4::new(rows[0].0[quad]) * own[0];
        for i in 1..N {
            sum += f64x4::new(rows[i].0[quad]) * own[i];
        }
        match in_line(x, ancestors) {
            Some(x) => *x = (f64x4::new(*x) - sum).to_array(),
            None => {
                for (&ancestor, sum) in ancestors.iter().zip(sum.to_array()) {
                    x[ancestor as usize] -= sum;
                }
            }
        }
    }
    for (k, &ancestor) in last.iter().enumerate() {
        let mut sum = rows[0].1[k] * own[0];
        for i in 1..N {
            sum += rows[i].1[k] * own[i];
        }
        x[ancestor as usize] -= sum;
    }
}

/// The elements of four dofs, if these follow each other.
#[inline]
fn in_line<'x>(x: &'x mut [f64], dofs: &[i32; 4]) -> Option<&'x mut [f64; 4]> {
    // they increase in any case
    if dofs[3].wrapping_sub(dofs[0]) != 3 {
        return None;
    }
    x.get_mut(dofs[0] as usize..)?.first_chunk_mut()
}

/// Solves `L x = b` in place.
pub fn solve_ldl_lower(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>) {
    lower(x, mat, pattern, |_| true);
}

#[inline]
fn lower(x: &mut [f64], mat: &[f64], pattern: Pattern<'_>, wanted: impl Fn(usize) -> bool) {
    for piece in &pattern.plan.pieces {
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
    let (quads, last) = ancestors.as_chunks::<4>();
    let above = rows.map(|row| row[..shared].as_chunks::<4>());
    let mut sums = [f64x4::ZERO; N];
    for (quad, ancestors) in quads.iter().enumerate() {
        // one by one, as they were written
        let lanes = f64x4::new(ancestors.map(|dof| x[dof as usize]));
        for i in 0..N {
            sums[i] += f64x4::new(above[i].0[quad]) * lanes;
        }
    }
    let mut sums = sums.map(f64x4::to_array);
    for k in 0..3 {
        if let Some(&ancestor) = last.get(k) {
            for i in 0..N {
                sums[i][k] += above[i].1[k] * x[ancestor as usize];
            }
        }
    }
    let mut own = [0.0; N];
    for i in 0..N {
        own[i] = x[first + i] - total(f64x4::new(sums[i]));
        for j in 0..i {
            own[i] -= rows[i][shared + j] * own[j];
        }
    }
    x[first..first + N].copy_from_slice(&own);
}

/// The rows of a chain.
#[inline]
fn rows<'m, const N: usize>(mat: &'m [f64], pattern: Pattern<'_>, first: usize) -> [&'m [f64]; N] {
    let shared = pattern.rownnz[first] as usize - 1;
    let mut rest = &mat[pattern.rowadr[first] as usize..];
    std::array::from_fn(|i| {
        let (row, tail) = rest.split_at(shared + i + 1);
        rest = tail;
        row
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
        let chain = |n: usize| (0..n).map(|k| k.checked_sub(1)).collect::<Vec<_>>();
        let mut tree = chain(13);
        tree.extend([Some(3), Some(13), Some(14), Some(15), Some(16), Some(3), None, Some(19)]);
        tree.extend([None, None, None, Some(23)]);
        // as long as each size of tile takes, and longer
        let chains = [1, 2, 3, 4, 7, 13, 16, 30, 61, 64, 65, 99].map(chain);
        for parents in chains.into_iter().chain([tree]) {
            let n = parents.len();
            let (rownnz, rowadr, colind) = pattern_of(&parents);
            let ids: Vec<i32> = parents.iter().map(|p| p.map_or(-1, |p| p as i32)).collect();
            let plan = Plan::new(&rownnz, &ids);
            let pattern =
                Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind, plan: &plan };
            let mut dense = vec![0.0; n * n];
            let mut mat = vec![0.0; colind.len()];
            for k in 0..n {
                let start = rowadr[k] as usize;
                for adr in start..start + rownnz[k] as usize {
                    let j = colind[adr] as usize;
                    let value =
                        if j == k { 200.0 + k as f64 } else { libm::sin((7 * k + j) as f64) };
                    mat[adr] = value;
                    dense[k * n + j] = value;
                    dense[j * n + k] = value;
                }
            }
            let b: Vec<f64> = (0..n).map(|k| libm::cos(k as f64)).collect();
            let (mut x, mut diaginv) = (b.clone(), vec![0.0; n]);
            factor_ldl(&mut mat, &mut diaginv, pattern, &mut LdlScratch::default());
            solve_ldl(&mut x, &mat, &diaginv, pattern);
            for k in 0..n {
                let product: f64 = (0..n).map(|j| dense[k * n + j] * x[j]).sum();
                assert!((product - b[k]).abs() < 1e-13, "row {k}: {product} is not {}", b[k]);
            }
        }
    }
}
