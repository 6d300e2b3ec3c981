//! The Jacobian of a sparse island, and products with it.
//!
//! Blocks of one shape follow each other in runs, in which nothing but dofs and values is stored.

use std::ops::Range;

use wide::f64x4;

use super::edges::{EdgeSlice, Edges, edge};
use super::problem::Problem;
use super::sparse::Nodes;
use super::view::View;
use crate::constraint::{Block, Kind};
use crate::math::load4;

/// The stored rows of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Jacobian {
    pattern: Pattern,
    /// Rows of the blocks but those of edges, one after the other.
    values: Vec<f64>,
    edges: Edges,
}

/// Where a Jacobian may have elements that are not zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pattern {
    runs: Vec<Run>,
    /// Dofs of the blocks, one after the other; of edges the first of each end only.
    dofs: Vec<u32>,
}

impl Pattern {
    /// Adds a run, to the last one if the blocks are of its shape.
    fn add(&mut self, run: Run) {
        match self.runs.last_mut() {
            Some(last) if last.shape == run.shape => last.count += run.count,
            _ => self.runs.push(run),
        }
    }

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
    /// First block, and how many there are. One number may stand for several blocks with one row.
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

impl Shape {
    const EDGE: Shape = Shape { rank: 1, width: 2, is_pyramid: false, form: Form::Edge };
}

/// What the dofs of blocks look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The row of an edge.
    Edge,
    /// One row whose dofs come in threes that follow each other.
    Points,
    /// The same, where the rows `2 i` and `2 i + 1` have the same dofs.
    PairsOfPoints,
    Any,
}

impl Run {
    fn place(&self) -> Place {
        Place { row: self.row, block: self.block }
    }

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
    /// Takes over the rows of the island. Edges are only those between whole nodes.
    pub(super) fn load(&mut self, view: View<'_>, problem: &Problem, nodes: &Nodes) {
        self.pattern.runs.clear();
        self.pattern.dofs.clear();
        self.values.clear();
        self.edges.clear();
        for (i, block) in problem.blocks.iter().enumerate() {
            if block.times > 1 && block.rank == 1 && block.width != 6 {
                self.load_singles(view, i, block);
                continue;
            }
            let edges = self.load_edges(view, i, block, nodes);
            for block in block.each().skip(edges) {
                self.load_block(view, i, &block, nodes);
            }
        }
    }

    /// Takes over the blocks that one stands for, which have one row each and are no edges.
    fn load_singles(&mut self, view: View<'_>, i: usize, block: &Block) {
        let &Block { row, width, times, rank, .. } = block;
        let (dof, value, edge) = (self.pattern.dofs.len(), self.values.len(), self.edges.len());
        let all = Block { width: width * times, ..*block };
        self.pattern.dofs.extend(view.block_dofs(&all).map(|dof| dof as u32));
        self.values.extend_from_slice(view.block_values(&all));
        let dofs = &self.pattern.dofs[dof..];
        let mut pairs = dofs.chunks_exact(2 * width);
        let form = if !are_points(width, dofs) {
            Form::Any
        } else if times.is_multiple_of(2) && pairs.all(|pair| pair[..width] == pair[width..]) {
            Form::PairsOfPoints
        } else {
            Form::Points
        };
        let shape = Shape { rank, width, is_pyramid: false, form };
        self.pattern.add(Run { shape, block: i, count: times, row, dof, value, edge });
    }

    /// Takes over the first of the blocks that one stands for, as long as they are edges. Returns how many.
    fn load_edges(&mut self, view: View<'_>, i: usize, block: &Block, nodes: &Nodes) -> usize {
        let &Block { row, width, dof, value, times, rank, .. } = block;
        if times == 1 || rank != 1 || width != 6 {
            return 0;
        }
        let rows = &view.data.rows;
        let dofs = rows.dofs[dof..dof + 6 * times].as_chunks::<6>().0;
        let values = rows.values[value..value + 6 * times].as_chunks::<6>().0;
        let (dof, value, edge) = (self.pattern.dofs.len(), self.values.len(), self.edges.len());
        self.edges.reserve(times);
        let mut count = 0;
        for (dofs, values) in dofs.iter().zip(values) {
            let Some((ends, direction)) = edge_in(view, nodes, dofs, values) else { break };
            self.edges.push(ends, direction);
            count += 1;
        }
        if count > 0 {
            self.pattern.dofs.extend_from_slice(self.edges.part(edge..edge + count).all_ends());
            let run = Run { shape: Shape::EDGE, block: i, count, row, dof, value, edge };
            self.pattern.add(run);
        }
        count
    }

    /// Takes over a block, which is number `i` unless there are several of that number.
    #[inline]
    fn load_block(&mut self, view: View<'_>, i: usize, block: &Block, nodes: &Nodes) {
        let row = block.row;
        let (dof, value, edge) = (self.pattern.dofs.len(), self.values.len(), self.edges.len());
        let shape = if let Some((ends, direction)) = edge_of(view, block, nodes) {
            self.pattern.dofs.extend(ends);
            self.edges.push(ends, direction);
            Shape::EDGE
        } else {
            self.load_rows(view, block)
        };
        self.pattern.add(Run { shape, block: i, count: 1, row, dof, value, edge });
    }

    /// Takes over the rows of a block that is no edge.
    fn load_rows(&mut self, view: View<'_>, block: &Block) -> Shape {
        let &Block { rank, width, .. } = block;
        let dof = self.pattern.dofs.len();
        self.pattern.dofs.extend(view.block_dofs(block).map(|dof| dof as u32));
        let form = if rank == 1 {
            self.values.extend_from_slice(view.block_values(block));
            if are_points(width, &self.pattern.dofs[dof..]) { Form::Points } else { Form::Any }
        } else {
            for k in 0..rank {
                self.values.extend(view.data.rows.row(block, k).map(|(_, value)| value));
            }
            Form::Any
        };
        Shape { rank, width, is_pyramid: matches!(block.kind, Kind::Pyramid(_)), form }
    }

    /// Where its elements are.
    pub(super) fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// The blocks by runs.
    pub(super) fn runs(
        &self,
    ) -> impl Iterator<Item = Blocks<'_, impl Iterator<Item = BlockRows<'_>>>> {
        self.pattern.runs.iter().map(|run| match run.shape.form {
            Form::Edge => Blocks::Edges(run.row, self.edges.part(run.edges())),
            _ => Blocks::Rows(run.place(), self.blocks_of(run)),
        })
    }

    fn blocks_of(&self, run: &Run) -> impl Iterator<Item = BlockRows<'_>> {
        (0..run.count).map(move |i| self.block(run, i))
    }

    /// The rows of block `i` of a run that is not one of edges.
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

/// Whether rows of that width have the dofs of several points: threes that follow each other.
fn are_points(width: usize, dofs: &[u32]) -> bool {
    let is_point = |&[x, y, z]: &[u32; 3]| y == x + 1 && z == x + 2;
    width > 3 && width.is_multiple_of(3) && dofs.as_chunks().0.iter().all(is_point)
}

/// A run of blocks: where it begins, and all of them; of edges, the first row.
pub(super) enum Blocks<'a, I> {
    Edges(usize, EdgeSlice<'a>),
    Rows(Place, I),
}

/// Where a block is among the rows and the blocks; the latter only if the block is not one row.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) row: usize,
    pub(super) block: usize,
}

impl Place {
    /// The place of the block `i` further on.
    #[inline]
    pub(super) fn nth(self, i: usize) -> Place {
        Place { row: self.row + i, block: self.block + i }
    }
}

/// The first dofs of the ends of the edge that a block is the row of, and its direction; none if it is
/// no edge, or if an end is not a node.
#[inline]
fn edge_of(view: View<'_>, block: &Block, nodes: &Nodes) -> Option<([u32; 2], [f64; 3])> {
    if block.rank != 1 || block.width != 6 {
        return None;
    }
    let (dofs, values) = (view.data.rows.dofs(block), view.block_values(block));
    edge_in(view, nodes, dofs.try_into().ok()?, values.try_into().ok()?)
}

/// The same for a row with six entries.
#[inline]
fn edge_in(
    view: View<'_>,
    nodes: &Nodes,
    dofs: &[u32; 6],
    values: &[f64; 6],
) -> Option<([u32; 2], [f64; 3])> {
    let (ends, direction) = edge(dofs, values)?;
    let ends = ends.map(|dof| view.place[dof as usize]);
    ends.iter().all(|&dof| nodes.is_point(dof)).then_some((ends, direction))
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
                _ if run.shape.form == Form::Edge => self.edges.part(run.edges()).mul(single, x),
                (1, width) if run.shape.form == Form::Points => {
                    mul_points::<1>(single, dofs, values, width, x);
                }
                (1, width) if run.shape.form == Form::PairsOfPoints => {
                    mul_points::<2>(single, dofs, values, width, x);
                }
                (1, 2) => mul_single::<2>(single, dofs, values, x),
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
                    self.edges.part(run.edges()).add_transposed(out, single);
                }
                (1, width) if run.shape.form == Form::Points => {
                    scatter_points::<1>(out, dofs, values, width, single);
                }
                (1, width) if run.shape.form == Form::PairsOfPoints => {
                    scatter_points::<2>(out, dofs, values, width, single);
                }
                (1, 2) => scatter_single::<2>(out, dofs, values, single),
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

/// Products of rows that stand alone, whose dofs come in threes, with `x`. `N` rows at a time have the
/// same dofs.
fn mul_points<const N: usize>(
    out: &mut [f64],
    dofs: &[u32],
    values: &[f64],
    width: usize,
    x: &[f64],
) {
    let rows = out.as_chunks_mut::<N>().0.iter_mut().zip(dofs.chunks(N * width));
    for (i, (out, dofs)) in rows.enumerate() {
        // the fourth lane has what follows
        let mut sums = [f64x4::ZERO; N];
        for (point, [dof, ..]) in dofs[..width].as_chunks::<3>().0.iter().enumerate() {
            let x = load4(x, *dof as usize);
            for (k, sum) in sums.iter_mut().enumerate() {
                *sum += load4(values, (i * N + k) * width + 3 * point) * x;
            }
        }
        *out = sums.map(|sum| {
            let [a, b, c, _] = sum.to_array();
            a + b + c
        });
    }
}

/// Adds rows that stand alone, whose dofs come in threes, times `f`. `N` rows at a time have the same
/// dofs.
fn scatter_points<const N: usize>(
    out: &mut [f64],
    dofs: &[u32],
    values: &[f64],
    width: usize,
    f: &[f64],
) {
    let rows = f.as_chunks::<N>().0.iter().zip(dofs.chunks(N * width));
    for ((f, dofs), values) in rows.zip(values.chunks(N * width)) {
        let rows: [&[[f64; 3]]; N] = rows_of(values, width).map(|row| row.as_chunks().0);
        for (i, [dof, ..]) in dofs[..width].as_chunks::<3>().0.iter().enumerate() {
            let out = &mut out[*dof as usize..][..3];
            for c in 0..3 {
                let mut sum = f[0] * rows[0][i][c];
                for k in 1..N {
                    sum += f[k] * rows[k][i][c];
                }
                out[c] += sum;
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

/// The first of the dofs, as many as are of one group.
#[inline]
fn one_group<'a>(dofs: &'a [u32], group: &[u32]) -> &'a [u32] {
    let of = |i: usize| dofs.get(i).map(|&dof| group[dof as usize]);
    let own = of(0);
    // dofs increase, so those of a group follow each other
    let count = match own == of(2) && of(2) != of(3) {
        true => 3,
        false => 1 + (1..dofs.len()).take_while(|&i| of(i) == own).count(),
    };
    &dofs[..count]
}

impl Transposed {
    /// Copies a Jacobian whose dofs come in nodes of these sizes.
    pub(super) fn load(&mut self, jacobian: &Jacobian, sizes: &[u32]) {
        self.cut(sizes);
        self.has_pyramids = jacobian.pattern.runs.iter().any(|run| run.shape.is_pyramid);
        self.count_entries(jacobian);
        let Self { groups, group, rows, values, .. } = self;
        let mut count = 0;
        for group in groups.iter_mut() {
            // where the next entry goes; at last, where they end
            let start = count;
            count += std::mem::replace(&mut group.end, start);
        }
        rows.resize(count as usize, 0);
        values.resize(count as usize, f64x4::ZERO);
        let mut row = 0;
        let mut add = |group: &mut Group, row: u32, value: f64x4| {
            rows[group.end as usize] = row;
            values[group.end as usize] = value;
            group.end += 1;
        };
        for blocks in jacobian.runs() {
            let blocks = match blocks {
                Blocks::Rows(_, blocks) => blocks,
                Blocks::Edges(_, edges) => {
                    for (ends, direction) in edges.iter() {
                        let [a, b] = ends.map(|dof| group[dof as usize] as usize);
                        add(&mut groups[a], row, -*direction);
                        add(&mut groups[b], row, *direction);
                        row += 1;
                    }
                    continue;
                }
            };
            for block in blocks {
                let width = block.dofs.len();
                let mut column = 0;
                while column < width {
                    let dofs = one_group(&block.dofs[column..], group);
                    let own = &mut groups[group[dofs[0] as usize] as usize];
                    for k in 0..block.rank {
                        let values = &block.values[k * width + column..][..dofs.len()];
                        let value = match *values {
                            // all dofs of the group
                            [x, y, z] if own.len == 3 => f64x4::new([x, y, z, 0.0]),
                            _ => {
                                let mut entry = [0.0; 4];
                                for (value, at) in values.iter().zip(dofs) {
                                    entry[(at - own.dof) as usize] = *value;
                                }
                                f64x4::new(entry)
                            }
                        };
                        add(own, row + k as u32, value);
                    }
                    column += dofs.len();
                }
                row += block.rank as u32;
            }
        }
    }

    /// Counts the entries of each group.
    fn count_entries(&mut self, jacobian: &Jacobian) {
        let Self { groups, group, .. } = self;
        for blocks in jacobian.runs() {
            match blocks {
                Blocks::Edges(_, edges) => {
                    for (ends, _) in edges.iter() {
                        ends.iter().for_each(|&dof| groups[group[dof as usize] as usize].end += 1);
                    }
                }
                Blocks::Rows(_, blocks) => {
                    for block in blocks {
                        let mut rest = block.dofs;
                        while let [dof, ..] = *rest {
                            groups[group[dof as usize] as usize].end += block.rank as u32;
                            rest = &rest[one_group(rest, group).len()..];
                        }
                    }
                }
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
