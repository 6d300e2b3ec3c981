use wide::f64x4;

use crate::math::{load4, scalars};

/// The Jacobian of all constraint rows, kept by kind and never as one matrix.
///
/// Blocks follow each other in the order of the public `efc_` arrays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    pub(crate) blocks: Vec<Block>,
    /// Dofs of the blocks, increasing within each.
    pub(crate) dofs: Vec<u32>,
    /// Stored rows of the blocks, by dof: the entries of all rows lie side by side, in as many
    /// [`lanes`] as these need.
    pub(crate) values: Vec<f64>,
}

/// Rows that involve the same dofs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    /// First row, and how many there are.
    pub(crate) row: usize,
    pub(crate) count: usize,
    /// Where the dofs are, and how many.
    pub(crate) dof: usize,
    pub(crate) width: usize,
    /// Where the stored rows are, and how many.
    pub(crate) value: usize,
    pub(crate) rank: usize,
    pub(crate) kind: Kind,
    /// How many entries a row has in the public sparse Jacobian; it also shows the zeros of dofs
    /// that move both sides alike.
    pub(crate) listed: usize,
    /// How many blocks it stands for: their rows, dofs and values follow each other. More than one for
    /// flexes only.
    pub(crate) times: usize,
}

/// How the rows of a block are made from the stored ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// One row with one entry.
    Unit,
    /// The rows are the stored ones.
    Plain,
    /// The stored rows are the axes of a contact; each friction axis `k` gives two rows,
    /// `normal ± friction[k] axis[k]`.
    Pyramid([f64; 5]),
}

impl Block {
    /// Block `i` of those that it stands for.
    #[inline]
    pub(crate) fn nth(&self, i: usize) -> Block {
        Block {
            row: self.row + i * self.count,
            dof: self.dof + i * self.width,
            value: self.value + i * self.width * lanes(self.rank),
            times: 1,
            ..*self
        }
    }

    /// The blocks that it stands for.
    #[inline]
    pub(crate) fn each(&self) -> impl Iterator<Item = Block> + use<> {
        let block = *self;
        (0..block.times).map(move |i| block.nth(i))
    }

    fn from_numbers(numbers: &[f64]) -> Option<Block> {
        let (counts, friction) = numbers.split_first_chunk::<8>()?;
        let valid = |x: &f64| (0.0..1e15).contains(x) && x.fract() == 0.0;
        if !counts.iter().all(valid) {
            return None;
        }
        let [row, count, dof, width, value, rank, kind, listed] = counts.map(|x| x as usize);
        let kind = match kind {
            0 => Kind::Unit,
            1 => Kind::Plain,
            2 => Kind::Pyramid(*friction.first_chunk()?),
            _ => return None,
        };
        Some(Block { row, count, dof, width, value, rank, kind, listed, times: 1 })
    }
}

/// The most stored rows that a block can have.
pub(crate) const MAX_RANK: usize = 6;

/// The most rows that a block can have.
pub(crate) const MAX_COUNT: usize = 10;

/// How many numbers hold the entries of `rank` stored rows at one dof: one alone, or chunks of four.
pub(crate) const fn lanes(rank: usize) -> usize {
    match rank {
        1 => 1,
        2..=4 => 4,
        _ => 8,
    }
}

/// Numbers that say what a block is.
const BLOCK: usize = 13;

impl Rows {
    /// Everything as one list of numbers, which [`Rows::from_numbers`] reads.
    pub fn to_numbers(&self) -> Vec<f64> {
        let count: usize = self.blocks.iter().map(|block| block.times).sum();
        let mut numbers = vec![count as f64, self.dofs.len() as f64];
        for block in self.each_block() {
            let (kind, friction) = match block.kind {
                Kind::Unit => (0, [0.0; 5]),
                Kind::Plain => (1, [0.0; 5]),
                Kind::Pyramid(friction) => (2, friction),
            };
            let Block { row, count, dof, width, value, rank, listed, .. } = block;
            let counts = [row, count, dof, width, value, rank, kind, listed];
            numbers.extend(counts.map(|count| count as f64));
            numbers.extend(friction);
        }
        numbers.extend(self.dofs.iter().map(|&dof| f64::from(dof)));
        numbers.extend_from_slice(&self.values);
        numbers
    }

    /// Reads what [`Rows::to_numbers`] wrote, of `nefc` rows on `nv` dofs; none if it makes no sense.
    pub fn from_numbers(numbers: &[f64], nefc: usize, nv: usize) -> Option<Rows> {
        let count = |x: f64| ((0.0..1e15).contains(&x) && x.fract() == 0.0).then_some(x as usize);
        let (&[blocks, dofs], rest) = numbers.split_first_chunk::<2>()?;
        let (blocks, dofs) = (count(blocks)?, count(dofs)?);
        let (blocks, rest) = rest.split_at_checked(blocks.checked_mul(BLOCK)?)?;
        let (dofs, values) = rest.split_at_checked(dofs)?;
        let dof = |&dof: &f64| count(dof).filter(|&dof| dof < nv).map(|dof| dof as u32);
        let rows = Rows {
            blocks: blocks.chunks_exact(BLOCK).map(Block::from_numbers).collect::<Option<_>>()?,
            dofs: dofs.iter().map(dof).collect::<Option<_>>()?,
            values: values.to_vec(),
        };
        let fits = |block: &Block| {
            let stored = block.width.checked_mul(lanes(block.rank));
            let end = stored.and_then(|stored| stored.checked_add(block.value));
            block.row.checked_add(block.count).is_some_and(|end| end <= nefc)
                && block.dof.checked_add(block.width).is_some_and(|end| end <= rows.dofs.len())
                && end.is_some_and(|end| end <= rows.values.len())
                && (1..=MAX_COUNT).contains(&block.count)
                && (1..=MAX_RANK).contains(&block.rank)
        };
        rows.blocks.iter().all(fits).then_some(rows)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.dofs.clear();
        self.values.clear();
    }

    /// Adds a row with one entry.
    pub(crate) fn push_unit(&mut self, row: usize, dof: usize, value: f64) {
        let (at, value_at) = (self.dofs.len(), self.values.len());
        self.dofs.push(dof as u32);
        self.values.push(value);
        self.blocks.push(Block {
            row,
            count: 1,
            dof: at,
            width: 1,
            value: value_at,
            rank: 1,
            kind: Kind::Unit,
            listed: 1,
            times: 1,
        });
    }

    /// Adds a row given by its entries, in increasing order of dofs.
    pub(crate) fn push_row(&mut self, row: usize, entries: impl Iterator<Item = (usize, f64)>) {
        let (dof, value) = (self.dofs.len(), self.values.len());
        for (dof, entry) in entries {
            self.dofs.push(dof as u32);
            self.values.push(entry);
        }
        let width = self.dofs.len() - dof;
        self.blocks.push(Block {
            row,
            count: 1,
            dof,
            width,
            value,
            rank: 1,
            kind: Kind::Plain,
            listed: width,
            times: 1,
        });
    }

    /// All blocks, one by one.
    pub(crate) fn each_block(&self) -> impl Iterator<Item = Block> + '_ {
        self.blocks.iter().flat_map(Block::each)
    }

    /// Makes blocks that stand for several into these.
    pub(crate) fn split(&mut self) {
        let count = self.blocks.len();
        let mut end = self.blocks.iter().map(|block| block.times).sum();
        if end == count {
            return;
        }
        let last = self.blocks[count - 1];
        self.blocks.resize(end, last);
        // from the end, so that none is overwritten before it was read
        for i in (0..count).rev() {
            let block = self.blocks[i];
            end -= block.times;
            for (out, block) in self.blocks[end..].iter_mut().zip(block.each()) {
                *out = block;
            }
        }
    }

    /// The dofs of a block, which stands for itself only.
    #[inline]
    pub(crate) fn dofs(&self, block: &Block) -> &[u32] {
        &self.dofs[block.dof..block.dof + block.width]
    }

    /// The stored rows of a block, by dof.
    #[inline]
    pub(crate) fn values(&self, block: &Block) -> &[f64] {
        &self.values[block.value..block.value + block.width * lanes(block.rank)]
    }

    /// The stored rows of a block at each of its dofs.
    #[inline]
    pub(crate) fn columns(&self, block: &Block) -> impl Iterator<Item = &[f64]> {
        self.values(block).chunks_exact(lanes(block.rank))
    }

    /// The dofs of a block with their entries in stored row `k`.
    pub(crate) fn row(&self, block: &Block, k: usize) -> impl Iterator<Item = (usize, f64)> {
        let entries = self.dofs(block).iter().zip(self.columns(block));
        entries.map(move |(&dof, column)| (dof as usize, column[k]))
    }

    /// Computes `out = J x`.
    pub(crate) fn mul(&self, out: &mut [f64], x: &[f64]) {
        self.mul_each([out], [x]);
    }

    /// Computes `out = J x` for several vectors.
    pub(crate) fn mul_each<const V: usize>(&self, mut out: [&mut [f64]; V], x: [&[f64]; V]) {
        for block in &self.blocks {
            if block.times > 1 && block.rank == 1 {
                self.mul_singles(block, &mut out, x);
                continue;
            }
            let dofs = self.dofs(block);
            let values = self.values(block);
            let rows = block.row..block.row + block.count;
            match lanes(block.rank) {
                1 => {
                    let y = single_products(values, dofs, x);
                    for v in 0..V {
                        out[v][block.row] = y[v];
                    }
                }
                4 => {
                    let y = products::<V, 4>(values, dofs, x);
                    for v in 0..V {
                        block.spread(&y[v], &mut out[v][rows.clone()]);
                    }
                }
                _ => {
                    let y = products::<V, 8>(values, dofs, x);
                    for v in 0..V {
                        block.spread(&y[v], &mut out[v][rows.clone()]);
                    }
                }
            }
        }
    }

    /// Does it for the blocks that a block with one row stands for.
    #[inline]
    fn mul_singles<const V: usize>(
        &self,
        block: &Block,
        out: &mut [&mut [f64]; V],
        x: [&[f64]; V],
    ) {
        let Block { row, dof, width, value, times, .. } = *block;
        let (dofs, values) = (&self.dofs[dof..], &self.values[value..]);
        for i in 0..times {
            let (dofs, values) = (&dofs[i * width..][..width], &values[i * width..][..width]);
            let y = match (<&[u32; 6]>::try_from(dofs), <&[f64; 6]>::try_from(values)) {
                // the row of an edge between two points
                (Ok(&[a, a1, a2, b, b1, b2]), Ok(values))
                    if [a1, a2, b1, b2] == [a + 1, a + 2, b + 1, b + 2] =>
                {
                    point_products(values, [a, b], x)
                }
                _ => single_products(values, dofs, x),
            };
            for v in 0..V {
                out[v][row + i] = y[v];
            }
        }
    }

    /// Computes `out = Jᵀ f`.
    pub(crate) fn mul_transposed(&self, out: &mut [f64], f: &[f64]) {
        out.fill(0.0);
        for block in self.each_block() {
            let y = block.gather(&f[block.row..block.row + block.count]);
            for (k, y) in y[..block.rank].iter().enumerate() {
                if *y == 0.0 {
                    continue;
                }
                for (dof, value) in self.row(&block, k) {
                    out[dof] += value * y;
                }
            }
        }
    }
}

/// Products of one row, whose dofs are those of two points, with several vectors.
#[inline]
fn point_products<const V: usize>(values: &[f64; 6], points: [u32; 2], x: [&[f64]; V]) -> [f64; V] {
    let [a, b, c, d, e, f] = *values;
    let (first, second) = (f64x4::new([a, b, c, 0.0]), f64x4::new([d, e, f, 0.0]));
    x.map(|x| {
        let [one, two] = points.map(|dof| load4(x, dof as usize));
        let [a, b, c, _] = (first * one + second * two).to_array();
        a + b + c
    })
}

/// Products of one row with `V` vectors.
#[inline]
fn single_products<const V: usize>(values: &[f64], dofs: &[u32], x: [&[f64]; V]) -> [f64; V] {
    let mut sums = [0.0; V];
    for (value, &dof) in values.iter().zip(dofs) {
        for v in 0..V {
            sums[v] += value * x[v][dof as usize];
        }
    }
    sums
}

/// Products of stored rows, in `L` lanes, with `V` vectors.
#[inline]
fn products<const V: usize, const L: usize>(
    values: &[f64],
    dofs: &[u32],
    x: [&[f64]; V],
) -> [[f64; L]; V] {
    let mut sums = [[f64x4::ZERO; 2]; V];
    for (column, &dof) in values.as_chunks::<L>().0.iter().zip(dofs) {
        let chunks = column.as_chunks::<4>().0;
        for v in 0..V {
            let x = f64x4::splat(x[v][dof as usize]);
            for (sum, &chunk) in sums[v].iter_mut().zip(chunks) {
                *sum += f64x4::new(chunk) * x;
            }
        }
    }
    sums.map(|sums| {
        let mut out = [0.0; L];
        out.copy_from_slice(&scalars(&sums)[..L]);
        out
    })
}

impl Block {
    /// From products with the stored rows to products with the rows.
    #[inline]
    pub(crate) fn spread(&self, y: &[f64], out: &mut [f64]) {
        match &self.kind {
            Kind::Unit => out[0] = y[0],
            Kind::Plain => copy_few(out, y),
            Kind::Pyramid(friction) => {
                let axes = y[1..].iter().zip(friction);
                for (pair, (y_k, friction)) in out.as_chunks_mut::<2>().0.iter_mut().zip(axes) {
                    let tangent = friction * y_k;
                    *pair = [y[0] + tangent, y[0] - tangent];
                }
            }
        }
    }

    /// From forces along the rows to forces along the stored rows.
    #[inline(always)]
    pub(crate) fn gather(&self, f: &[f64]) -> [f64; MAX_RANK] {
        let mut y = [0.0; MAX_RANK];
        match &self.kind {
            Kind::Unit | Kind::Plain => copy_few(&mut y[..f.len()], f),
            Kind::Pyramid(friction) => {
                for (k, pair) in f.as_chunks::<2>().0.iter().enumerate() {
                    y[0] += pair[0] + pair[1];
                    y[k + 1] = friction[k] * (pair[0] - pair[1]);
                }
            }
        }
        y
    }
}

/// Copies as many numbers as there is room for; faster than any copy if they are three.
#[inline]
fn copy_few(out: &mut [f64], x: &[f64]) {
    if let ([a, b, c], [x, y, z, ..]) = (&mut *out, x) {
        (*a, *b, *c) = (*x, *y, *z);
    } else {
        for (out, x) in out.iter_mut().zip(x) {
            *out = *x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three rows of one shape, which one block stands for, between rows of other shapes.
    fn rows_in_a_run() -> Rows {
        let mut rows = Rows::default();
        rows.push_unit(0, 1, 2.0);
        rows.push_row(1, [(0, 1.0), (2, -1.0)].into_iter());
        let (dofs, values) = ([1, 3, 0, 4], [0.5, 3.0, -2.0, 1.5]);
        rows.dofs.extend(dofs);
        rows.values.extend(values);
        rows.blocks[1].times = 3;
        rows.push_unit(4, 0, -1.0);
        rows
    }

    #[test]
    fn a_block_that_stands_for_several_is_these() {
        let rows = rows_in_a_run();
        let mut split = rows.clone();
        split.split();
        assert_eq!(split.blocks.len(), 5);
        assert!(split.blocks.iter().all(|block| block.times == 1));
        assert!(rows.each_block().eq(split.blocks.iter().copied()));
        let starts: Vec<[usize; 3]> =
            rows.each_block().map(|block| [block.row, block.dof, block.value]).collect();
        assert_eq!(starts, [[0, 0, 0], [1, 1, 1], [2, 3, 3], [3, 5, 5], [4, 7, 7]]);
        // as a list of numbers there are single blocks only
        assert_eq!(Rows::from_numbers(&rows.to_numbers(), 5, 5), Some(split));
    }

    #[test]
    fn products_do_not_depend_on_what_a_block_stands_for() {
        let rows = rows_in_a_run();
        let mut split = rows.clone();
        split.split();
        let (x, f) = ([1.0, -0.5, 2.0, 0.25, 3.0], [1.0, 2.0, 0.0, -1.0, 0.5]);
        let (mut jx, mut jtf) = ([[0.0; 5]; 2], [[0.0; 5]; 2]);
        for (i, rows) in [&rows, &split].into_iter().enumerate() {
            rows.mul(&mut jx[i], &x);
            rows.mul_transposed(&mut jtf[i], &f);
        }
        assert_eq!(jx[0], [-1.0, -1.0, 0.5, 2.5, -1.0]);
        assert_eq!(jx[0], jx[1]);
        assert_eq!(jtf[0], jtf[1]);
    }
}
