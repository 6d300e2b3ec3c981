//! The Jacobian of a sparse island, and products with it.
//!
//! Blocks of one shape follow each other in runs, in which nothing but dofs and values is stored.

use wide::f64x4;

use super::problem::Problem;
use super::view::View;
use crate::constraint::{Block, Kind};

/// The stored rows of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Jacobian {
    pattern: Pattern,
    /// Rows of the blocks, one after the other.
    values: Vec<f64>,
}

/// Where a Jacobian may have elements that are not zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    runs: Vec<Run>,
    /// Dofs of the blocks, one after the other.
    dofs: Vec<u32>,
}

impl Pattern {
    /// Becomes a copy of another, in the memory that it has.
    pub(super) fn copy_from(&mut self, other: &Pattern) {
        self.runs.clone_from(&other.runs);
        self.dofs.clone_from(&other.dofs);
    }
}

/// Blocks of one shape that follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Run {
    shape: Shape,
    /// First block, and how many there are.
    block: usize,
    count: usize,
    /// First row, dof and value.
    row: usize,
    dof: usize,
    value: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// Stored rows.
    rank: usize,
    width: usize,
    is_pyramid: bool,
}

/// The stored rows of one block: `dofs.len()` values for each.
#[derive(Debug, Clone, Copy)]
pub(super) struct BlockRows<'a> {
    pub(super) rank: usize,
    pub(super) dofs: &'a [u32],
    pub(super) values: &'a [f64],
}

impl Jacobian {
    /// Takes over the rows of the island.
    pub(super) fn load(&mut self, view: View<'_>, problem: &Problem) {
        self.pattern.runs.clear();
        self.pattern.dofs.clear();
        self.values.clear();
        for (i, block) in problem.blocks.iter().enumerate() {
            let &Block { row, rank, width, .. } = block;
            let shape = Shape { rank, width, is_pyramid: matches!(block.kind, Kind::Pyramid(_)) };
            match self.pattern.runs.last_mut() {
                Some(run) if run.shape == shape => run.count += 1,
                _ => {
                    let (dof, value) = (self.pattern.dofs.len(), self.values.len());
                    self.pattern.runs.push(Run { shape, block: i, count: 1, row, dof, value });
                }
            }
            self.pattern.dofs.extend(view.block_dofs(block).map(|dof| dof as u32));
            for k in 0..rank {
                self.values.extend(view.data.rows.row(block, k).map(|(_, value)| value));
            }
        }
    }

    /// Where its elements are.
    pub(super) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The rows of every block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = BlockRows<'_>> {
        self.pattern.runs.iter().flat_map(|run| (0..run.count).map(|i| self.block(run, i)))
    }

    /// The rows of block `i` of a run.
    #[inline]
    fn block(&self, run: &Run, i: usize) -> BlockRows<'_> {
        let Shape { rank, width, .. } = run.shape;
        BlockRows {
            rank,
            dofs: &self.pattern.dofs[run.dof + i * width..][..width],
            values: &self.values[run.value + i * rank * width..][..rank * width],
        }
    }
}

/// Calls a function for a number from 1 to 6.
macro_rules! by_rank {
    ($rank:expr, $($function:ident).+($($argument:expr),*)) => {
        match $rank {
            1 => $($function).+::<1>($($argument),*),
            2 => $($function).+::<2>($($argument),*),
            3 => $($function).+::<3>($($argument),*),
            4 => $($function).+::<4>($($argument),*),
            5 => $($function).+::<5>($($argument),*),
            _ => $($function).+::<{ crate::constraint::MAX_RANK }>($($argument),*),
        }
    };
}
pub(super) use by_rank;

/// Products.
impl Jacobian {
    /// Computes `out = J x`.
    pub(super) fn mul(&self, problem: &Problem, out: &mut [f64], x: &[f64]) {
        for run in &self.pattern.runs {
            let single = &mut out[run.row..run.row + run.count];
            let (dofs, values) = (&self.pattern.dofs[run.dof..], &self.values[run.value..]);
            match (run.shape.rank, run.shape.width) {
                (1, 3) => mul_single::<3>(single, dofs, values, x),
                (1, 6) => mul_single::<6>(single, dofs, values, x),
                (1, 8) => mul_single::<8>(single, dofs, values, x),
                (1, 12) => mul_single::<12>(single, dofs, values, x),
                (rank, _) => by_rank!(rank, self.mul_run(run, problem, out, x)),
            }
        }
    }

    /// Computes `out = Jᵀ f`.
    pub(super) fn mul_transposed(&self, problem: &Problem, out: &mut [f64], f: &[f64]) {
        out.fill(0.0);
        for run in &self.pattern.runs {
            by_rank!(run.shape.rank, self.scatter(run, problem, out, f));
        }
    }

    /// Products of the blocks of a run, of `N` rows each, with `x`.
    #[inline]
    fn mul_run<const N: usize>(&self, run: &Run, problem: &Problem, out: &mut [f64], x: &[f64]) {
        for i in 0..run.count {
            let BlockRows { dofs, values, .. } = self.block(run, i);
            let sums = products::<N>(dofs, values, x);
            if run.shape.is_pyramid {
                let block = &problem.blocks[run.block + i];
                block.spread(&sums, &mut out[block.row..block.row + block.count]);
            } else {
                out[run.row + i * N..][..N].copy_from_slice(&sums);
            }
        }
    }

    /// Adds the blocks of a run, of `N` rows each, times `f`.
    #[inline]
    fn scatter<const N: usize>(&self, run: &Run, problem: &Problem, out: &mut [f64], f: &[f64]) {
        for i in 0..run.count {
            let BlockRows { dofs, values, .. } = self.block(run, i);
            let y: [f64; N] = if run.shape.is_pyramid {
                let block = &problem.blocks[run.block + i];
                let y = block.gather(&f[block.row..block.row + block.count]);
                std::array::from_fn(|k| y[k])
            } else {
                std::array::from_fn(|k| f[run.row + i * N + k])
            };
            if y == [0.0; N] {
                continue;
            }
            let rows = rows_of::<N>(values, dofs.len());
            for (c, &dof) in dofs.iter().enumerate() {
                let mut sum = y[0] * rows[0][c];
                for k in 1..N {
                    sum += y[k] * rows[k][c];
                }
                out[dof as usize] += sum;
            }
        }
    }
}

/// Products of rows that stand alone, of `W` entries each, with `x`.
#[inline]
fn mul_single<const W: usize>(out: &mut [f64], dofs: &[u32], values: &[f64], x: &[f64]) {
    let rows = dofs.as_chunks::<W>().0.iter().zip(values.as_chunks::<W>().0);
    for (out, (dofs, values)) in out.iter_mut().zip(rows) {
        let mut sum = 0.0;
        for c in 0..W {
            sum += values[c] * x[dofs[c] as usize];
        }
        *out = sum;
    }
}

/// Products of `N` rows with `x`.
#[inline]
fn products<const N: usize>(dofs: &[u32], values: &[f64], x: &[f64]) -> [f64; N] {
    let rows = rows_of::<N>(values, dofs.len());
    let mut sums = [0.0; N];
    for (c, &dof) in dofs.iter().enumerate() {
        let x = x[dof as usize];
        for k in 0..N {
            sums[k] += rows[k][c] * x;
        }
    }
    sums
}

/// `N` rows that lie one after the other.
#[inline]
pub(super) fn rows_of<const N: usize>(values: &[f64], width: usize) -> [&[f64]; N] {
    std::array::from_fn(|k| &values[k * width..(k + 1) * width])
}

/// The Jacobian once more, by dofs: a product with its transpose is then a sum in registers for up
/// to four dofs at a time.
#[derive(Debug, Clone, Default)]
pub(super) struct Transposed {
    groups: Vec<Group>,
    /// Group of each dof.
    group: Vec<u32>,
    /// The stored row of every entry, and its values at the dofs of the group.
    rows: Vec<u32>,
    values: Vec<f64x4>,
    /// Whether the rows of a block are not always the stored ones; then, forces along these.
    has_pyramids: bool,
    forces: Vec<f64>,
}

/// Up to four dofs that follow each other and belong to one node.
#[derive(Debug, Clone, Copy)]
struct Group {
    dof: u32,
    len: u32,
    /// Where its entries end.
    end: u32,
}

impl Transposed {
    /// Copies a Jacobian whose dofs come in nodes of these sizes.
    pub(super) fn load(&mut self, jacobian: &Jacobian, sizes: &[u32]) {
        self.cut(sizes);
        self.has_pyramids = jacobian.pattern.runs.iter().any(|run| run.shape.is_pyramid);
        let Self { groups, group, rows, values, .. } = self;
        let in_one = |a: &u32, b: &u32| group[*a as usize] == group[*b as usize];
        for block in jacobian.blocks() {
            for dofs in block.dofs.chunk_by(in_one) {
                groups[group[dofs[0] as usize] as usize].end += block.rank as u32;
            }
        }
        let mut count = 0;
        for group in groups.iter_mut() {
            // where the next entry goes; at last, where they end
            let start = count;
            count += std::mem::replace(&mut group.end, start);
        }
        rows.resize(count as usize, 0);
        values.resize(count as usize, f64x4::ZERO);
        let mut row = 0;
        for block in jacobian.blocks() {
            let width = block.dofs.len();
            let mut column = 0;
            for dofs in block.dofs.chunk_by(in_one) {
                let Group { dof, end, .. } = &mut groups[group[dofs[0] as usize] as usize];
                for k in 0..block.rank {
                    let mut entry = [0.0; 4];
                    for (value, at) in block.values[k * width + column..].iter().zip(dofs) {
                        entry[(at - *dof) as usize] = *value;
                    }
                    rows[*end as usize] = (row + k) as u32;
                    values[*end as usize] = f64x4::new(entry);
                    *end += 1;
                }
                column += dofs.len();
            }
            row += block.rank;
        }
    }

    /// Makes groups of dofs that come in nodes of these sizes.
    fn cut(&mut self, sizes: &[u32]) {
        self.groups.clear();
        self.group.clear();
        let mut dof = 0;
        for &size in sizes {
            let parts = size.div_ceil(4);
            for part in 0..parts {
                let len = (part + 1) * size / parts - part * size / parts;
                self.group.extend(std::iter::repeat_n(self.groups.len() as u32, len as usize));
                self.groups.push(Group { dof, len, end: 0 });
                dof += len;
            }
        }
    }

    /// Computes `out = Jᵀ f` with the Jacobian that was copied.
    pub(super) fn mul(
        &mut self,
        jacobian: &Jacobian,
        problem: &Problem,
        out: &mut [f64],
        f: &[f64],
    ) {
        if !self.has_pyramids {
            return self.sum(out, f);
        }
        let mut forces = std::mem::take(&mut self.forces);
        forces.clear();
        for run in &jacobian.pattern.runs {
            if !run.shape.is_pyramid {
                forces.extend_from_slice(&f[run.row..run.row + run.count * run.shape.rank]);
                continue;
            }
            for block in &problem.blocks[run.block..run.block + run.count] {
                let y = block.gather(&f[block.row..block.row + block.count]);
                forces.extend_from_slice(&y[..block.rank]);
            }
        }
        self.sum(out, &forces);
        self.forces = forces;
    }

    /// Adds the stored rows, times their forces `y`.
    fn sum(&self, out: &mut [f64], y: &[f64]) {
        let mut start = 0;
        for group in &self.groups {
            let entries = start..group.end as usize;
            start = entries.end;
            let mut sum = f64x4::ZERO;
            for (value, &row) in self.values[entries.clone()].iter().zip(&self.rows[entries]) {
                sum += *value * f64x4::splat(y[row as usize]);
            }
            let out = &mut out[group.dof as usize..][..group.len as usize];
            for (out, sum) in out.iter_mut().zip(sum.to_array()) {
                *out = sum;
            }
        }
    }
}
