//! The Jacobian of a sparse island, and products with it.
//!
//! Blocks of one shape follow each other in runs, in which nothing but dofs and values is stored.

use std::ops::Range;

use wide::f64x4;

use super::edges::{Edges, ends};
use super::problem::Problem;
use super::view::View;
use crate::constraint::{Block, Kind};
use crate::math::load4;

/// The stored rows of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Jacobian {
    pattern: Pattern,
    /// Rows of the blocks, one after the other.
    values: Vec<f64>,
    /// Those of edges once more, for products.
    edges: Edges,
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
    /// First edge, where the blocks are edges.
    edge: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// Stored rows.
    rank: usize,
    width: usize,
    is_pyramid: bool,
    form: Form,
}

/// What the dofs of blocks look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The row of an edge.
    Edge,
    /// One row whose dofs come in threes that follow each other.
    Points,
    Any,
}

impl Run {
    /// The edges of the blocks.
    fn edges(&self) -> Range<usize> {
        self.edge..self.edge + self.count
    }
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
        self.edges.clear();
        for (i, block) in problem.blocks.iter().enumerate() {
            let &Block { row, rank, width, .. } = block;
            let (dof, value, edge) = (self.pattern.dofs.len(), self.values.len(), self.edges.len());
            self.pattern.dofs.extend(view.block_dofs(block).map(|dof| dof as u32));
            if rank == 1 {
                self.values.extend_from_slice(view.block_values(block));
            } else {
                for k in 0..rank {
                    self.values.extend(view.data.rows.row(block, k).map(|(_, value)| value));
                }
            }
            let form = if rank == 1 { self.form_of_last(dof, value) } else { Form::Any };
            let is_pyramid = matches!(block.kind, Kind::Pyramid(_));
            let shape = Shape { rank, width, is_pyramid, form };
            match self.pattern.runs.last_mut() {
                Some(run) if run.shape == shape => run.count += 1,
                _ => {
                    let run = Run { shape, block: i, count: 1, row, dof, value, edge };
                    self.pattern.runs.push(run);
                }
            }
        }
    }

    /// The form of the row that was loaded last; adds it to the edges, if it is one.
    #[inline]
    fn form_of_last(&mut self, dof: usize, value: usize) -> Form {
        let (dofs, values) = (&self.pattern.dofs[dof..], &self.values[value..]);
        if let (Ok(dofs), Ok(values)) = (dofs.try_into(), <&[f64; 6]>::try_from(values))
            && let Some(ends) = ends(dofs, values)
        {
            self.edges.push(ends, [values[3], values[4], values[5]]);
            return Form::Edge;
        }
        let (points, rest) = dofs.as_chunks::<3>();
        let is_point = |&[x, y, z]: &[u32; 3]| y == x + 1 && z == x + 2;
        let are_points = points.len() > 1 && rest.is_empty() && points.iter().all(is_point);
        if are_points { Form::Points } else { Form::Any }
    }

    /// Where its elements are.
    pub(super) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The rows of every block.
    pub(super) fn blocks(&self) -> impl Iterator<Item = BlockRows<'_>> {
        self.pattern.runs.iter().flat_map(|run| self.blocks_of(run))
    }

    fn blocks_of(&self, run: &Run) -> impl Iterator<Item = BlockRows<'_>> {
        (0..run.count).map(move |i| self.block(run, i))
    }

    /// The edges of a run, if that is what its blocks are and each end is a group of its own.
    fn edges_between_groups<'a>(
        &'a self,
        run: &Run,
        groups: &[Group],
        group: &[u32],
    ) -> Option<impl Iterator<Item = (&'a [u32; 2], &'a f64x4)> + use<'a>> {
        let is_group = |&dof: &u32| {
            let Group { dof: first, len, .. } = groups[group[dof as usize] as usize];
            first == dof && len == 3
        };
        if run.shape.form != Form::Edge {
            return None;
        }
        let edges = self.edges.iter(run.edges());
        let fits = edges.clone().all(|(ends, _)| ends.iter().all(is_group));
        fits.then_some(edges)
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
                _ if run.shape.form == Form::Edge => self.edges.mul(run.edges(), single, x),
                (1, width) if run.shape.form == Form::Points => {
                    mul_points(single, dofs, values, width, x);
                }
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
            let single = &f[run.row..run.row + run.count];
            let (dofs, values) = (&self.pattern.dofs[run.dof..], &self.values[run.value..]);
            match (run.shape.rank, run.shape.width) {
                _ if run.shape.form == Form::Edge => {
                    self.edges.add_transposed(run.edges(), out, single);
                }
                (1, width) if run.shape.form == Form::Points => {
                    scatter_points(out, dofs, values, width, single);
                }
                (1, 3) => scatter_single::<3>(out, dofs, values, single),
                (1, 6) => scatter_single::<6>(out, dofs, values, single),
                (1, 8) => scatter_single::<8>(out, dofs, values, single),
                (1, 12) => scatter_single::<12>(out, dofs, values, single),
                (rank, _) => by_rank!(rank, self.scatter(run, problem, out, f)),
            }
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

/// Products of rows that stand alone, whose dofs come in threes, with `x`.
fn mul_points(out: &mut [f64], dofs: &[u32], values: &[f64], width: usize, x: &[f64]) {
    for (row, (out, dofs)) in out.iter_mut().zip(dofs.chunks_exact(width)).enumerate() {
        // the fourth lane has what follows
        let mut sums = f64x4::ZERO;
        for (point, [dof, ..]) in dofs.as_chunks::<3>().0.iter().enumerate() {
            sums += load4(values, row * width + 3 * point) * load4(x, *dof as usize);
        }
        let [a, b, c, _] = sums.to_array();
        *out = a + b + c;
    }
}

/// Adds rows that stand alone, whose dofs come in threes, times `f`.
fn scatter_points(out: &mut [f64], dofs: &[u32], values: &[f64], width: usize, f: &[f64]) {
    let rows = dofs.chunks_exact(width).zip(values.chunks_exact(width));
    for (f, (dofs, values)) in f.iter().zip(rows) {
        let points = dofs.as_chunks::<3>().0.iter().zip(values.as_chunks::<3>().0);
        for ([dof, ..], values) in points {
            for (out, value) in out[*dof as usize..][..3].iter_mut().zip(values) {
                *out += f * value;
            }
        }
    }
}

/// Adds rows that stand alone, of `W` entries each, times `f`.
#[inline]
fn scatter_single<const W: usize>(out: &mut [f64], dofs: &[u32], values: &[f64], f: &[f64]) {
    let rows = dofs.as_chunks::<W>().0.iter().zip(values.as_chunks::<W>().0);
    for (f, (dofs, values)) in f.iter().zip(rows) {
        if *f == 0.0 {
            continue;
        }
        for c in 0..W {
            out[dofs[c] as usize] += f * values[c];
        }
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
        for run in &jacobian.pattern.runs {
            if let Some(edges) = jacobian.edges_between_groups(run, groups, group) {
                for dof in edges.flat_map(|(ends, _)| ends) {
                    groups[group[*dof as usize] as usize].end += 1;
                }
                continue;
            }
            for block in jacobian.blocks_of(run) {
                for dofs in block.dofs.chunk_by(in_one) {
                    groups[group[dofs[0] as usize] as usize].end += block.rank as u32;
                }
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
        for run in &jacobian.pattern.runs {
            if let Some(edges) = jacobian.edges_between_groups(run, groups, group) {
                for (ends, direction) in edges {
                    for (dof, value) in ends.iter().zip([-*direction, *direction]) {
                        let end = &mut groups[group[*dof as usize] as usize].end;
                        rows[*end as usize] = row;
                        values[*end as usize] = value;
                        *end += 1;
                    }
                    row += 1;
                }
                continue;
            }
            for block in jacobian.blocks_of(run) {
                let width = block.dofs.len();
                let mut column = 0;
                for dofs in block.dofs.chunk_by(in_one) {
                    let Group { dof, len, end } = &mut groups[group[dofs[0] as usize] as usize];
                    for k in 0..block.rank {
                        let own = &block.values[k * width + column..][..dofs.len()];
                        rows[*end as usize] = row + k as u32;
                        values[*end as usize] = match *own {
                            // all dofs of the group
                            [x, y, z] if *len == 3 => f64x4::new([x, y, z, 0.0]),
                            _ => {
                                let mut entry = [0.0; 4];
                                for (value, at) in own.iter().zip(dofs) {
                                    entry[(at - *dof) as usize] = *value;
                                }
                                f64x4::new(entry)
                            }
                        };
                        *end += 1;
                    }
                    column += dofs.len();
                }
                row += block.rank as u32;
            }
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
