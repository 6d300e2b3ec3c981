//! Sparse islands: Jacobian and mass matrix in compressed rows, the Hessian in panels of full
//! blocks.

use wide::f64x4;

use super::primal::{Direction, Matrices};
use super::problem::Problem;
use super::view::View;
use crate::Model;
use crate::constraint::MAX_RANK;
use crate::math::{Supernodal, Target};
use crate::math::{axpy_each, scalars, scalars_mut};

/// Matrices of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Sparse {
    /// Size of each node: the dofs of a dense tree, or of a piece of a larger one.
    sizes: Vec<u32>,
    /// Node of each dof, and first dof of the node.
    node: Vec<u32>,
    first: Vec<u32>,
    /// Pairs of nodes that the Hessian ties.
    pairs: Vec<[u32; 2]>,

    /// Mass matrix: left of the diagonal in compressed rows, the diagonal, and where the elements
    /// are in the Hessian.
    row: Vec<usize>,
    column: Vec<u32>,
    inertia: Vec<f64>,
    diagonal: Vec<f64>,
    inertia_at: Vec<usize>,
    diagonal_at: Vec<usize>,
    /// Its factor, in the same layout.
    factor: Vec<f64>,
    inverse: Vec<f64>,

    blocks: Vec<Stored>,
    segments: Vec<Segment>,
    /// Stored rows of the blocks.
    values: Vec<f64>,
    /// For each block, each segment, and each segment from there on: where the product goes.
    targets: Vec<Target>,
    hessian: Supernodal,
    /// Whether the Hessian is laid out; CG does without.
    is_analysed: bool,
}

/// Where the rows of a block are.
#[derive(Debug, Clone, Copy)]
struct Stored {
    segments: [usize; 2],
    value: usize,
    width: usize,
    target: usize,
}

/// Columns of a block whose dofs follow each other and are of one node.
#[derive(Debug, Clone, Copy)]
struct Segment {
    dof: usize,
    len: usize,
    /// Within the rows of the block.
    column: usize,
    node: usize,
}

/// A node with that many dofs ends at the next branch of the tree, or at the latest with that many.
const PIECE: std::ops::Range<usize> = 6..24;

impl Sparse {
    /// Takes over mass matrix and Jacobian of the island. Returns how directions can be found: as
    /// asked, unless the Hessian does not fit into memory.
    pub(super) fn load(
        &mut self,
        view: View<'_>,
        problem: &Problem,
        mut direction: Direction,
    ) -> Direction {
        self.cut(view);
        self.load_jacobian(view, problem);
        self.load_inertia(view);
        self.is_analysed = false;
        if direction == Direction::Newton && !self.analyse(hessian_room(view)) {
            direction = Direction::Conjugate;
        }
        if direction == Direction::Conjugate {
            self.factor.clear();
            self.inverse.clear();
            for i in 0..view.dofs.len() {
                self.factor.extend_from_slice(view.factor_row(i).left);
                self.inverse.push(view.inverse_pivot(i));
            }
        }
        direction
    }

    /// Finds the pattern of the Hessian and where everything goes in it; false if it would take more
    /// than `most` bytes.
    fn analyse(&mut self, most: usize) -> bool {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        self.is_analysed = self.hessian.analyse(&self.sizes, &self.pairs, most);
        if self.is_analysed {
            self.aim();
        }
        self.is_analysed
    }

    /// Makes nodes of the dofs.
    fn cut(&mut self, view: View<'_>) {
        let model = view.model;
        self.sizes.clear();
        self.node.clear();
        self.first.clear();
        let mut last = None;
        for (i, &dof) in view.dofs.iter().enumerate() {
            let dof = dof as usize;
            let tree = model.dof_treeid[dof] as usize;
            let size = self.sizes.last().copied().unwrap_or(0) as usize;
            let follows = model.dof_parentid[dof] == dof as i32 - 1;
            let enough = size >= PIECE.end || size >= PIECE.start && !follows;
            if last != Some(tree) || enough {
                self.first.push(i as u32);
                self.sizes.push(0);
            }
            last = Some(tree);
            let node = self.sizes.len() - 1;
            self.sizes[node] += 1;
            self.node.push(node as u32);
        }
    }

    fn load_jacobian(&mut self, view: View<'_>, problem: &Problem) {
        self.blocks.clear();
        self.segments.clear();
        self.values.clear();
        self.pairs.clear();
        for block in &problem.blocks {
            let start = self.segments.len();
            for (column, dof) in view.block_dofs(block).enumerate() {
                let node = self.node[dof] as usize;
                match self.segments[start..].last_mut() {
                    Some(last) if last.node == node && last.dof + last.len == dof => last.len += 1,
                    _ => self.segments.push(Segment { dof, len: 1, column, node }),
                }
            }
            let end = self.segments.len();
            for i in start..end {
                for j in start..i {
                    self.pairs.extend(pair(self.segments[i].node, self.segments[j].node));
                }
            }
            let value = self.values.len();
            for k in 0..block.rank {
                self.values.extend(view.data.rows.row(block, k).map(|(_, value)| value));
            }
            self.blocks.push(Stored {
                segments: [start, end],
                value,
                width: block.width,
                target: 0,
            });
        }
    }

    fn load_inertia(&mut self, view: View<'_>) {
        self.row.clear();
        self.row.push(0);
        self.column.clear();
        self.inertia.clear();
        self.diagonal.clear();
        for (i, &dof) in view.dofs.iter().enumerate() {
            let row = view.inertia_row(i);
            let node = self.node[i] as usize;
            let is_tree = self.sizes[node] as usize == tree_size(view.model, dof as usize);
            for column in row.columns() {
                self.column.push(column as u32);
                let pair = pair(node, self.node[column] as usize);
                if !is_tree && pair.as_ref() != self.pairs.last() {
                    self.pairs.extend(pair);
                }
            }
            self.inertia.extend_from_slice(row.left);
            self.diagonal.push(row.diagonal);
            self.row.push(self.column.len());
        }
    }

    /// Finds the places in the Hessian.
    fn aim(&mut self) {
        let Self { hessian, node, first, .. } = self;
        let position = |dof: usize| {
            let node = node[dof] as usize;
            hessian.position(node) + dof - first[node] as usize
        };
        let target = |a: usize, b: usize| {
            let (pa, pb) = (position(a), position(b));
            let (a, pa, pb) = if pa <= pb { (a, pa, pb) } else { (b, pb, pa) };
            hessian.target(node[a] as usize, pa, pb)
        };
        self.diagonal_at.clear();
        self.inertia_at.clear();
        for dof in 0..node.len() {
            self.diagonal_at.push(target(dof, dof).at);
            let columns = &self.column[self.row[dof]..self.row[dof + 1]];
            self.inertia_at.extend(columns.iter().map(|&column| target(dof, column as usize).at));
        }
        self.targets.clear();
        for block in &mut self.blocks {
            let segments = &mut self.segments[block.segments[0]..block.segments[1]];
            segments.sort_unstable_by_key(|segment| position(segment.dof));
            block.target = self.targets.len();
            for (i, a) in segments.iter().enumerate() {
                self.targets.extend(segments[i..].iter().map(|b| target(a.dof, b.dof)));
            }
        }
    }
}

/// Bytes that the Hessian of an island may take: what contacts and rows leave of the arena, and
/// some anyway.
fn hessian_room(view: View<'_>) -> usize {
    const ANYWAY: usize = 64 << 20;
    view.data.arena_left(view.model).unwrap_or(0).max(ANYWAY)
}

/// How many dofs the tree of a dof has.
fn tree_size(model: &Model, dof: usize) -> usize {
    model.tree_dofnum[model.dof_treeid[dof] as usize] as usize
}

fn pair(a: usize, b: usize) -> Option<[u32; 2]> {
    (a != b).then_some([a.min(b) as u32, a.max(b) as u32])
}

/// Calls a function for the number of stored rows of a block.
macro_rules! by_rank {
    ($rank:expr, $function:ident($($argument:expr),*)) => {
        match $rank {
            1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5 => $function::<5>($($argument),*),
            _ => $function::<MAX_RANK>($($argument),*),
        }
    };
}

/// Products of `N` rows with `x`.
#[inline]
fn multiply<const N: usize>(
    values: &[f64],
    width: usize,
    segments: &[Segment],
    x: &[f64],
) -> [f64; MAX_RANK] {
    let mut sums = [0.0; MAX_RANK];
    for segment in segments {
        let x = &x[segment.dof..segment.dof + segment.len];
        // a body with three slides, as most of those that a flex has
        if let Ok(x) = <&[f64; 3]>::try_from(x) {
            for k in 0..N {
                let row = &values[k * width + segment.column..][..3];
                sums[k] = sums[k] + row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
            }
            continue;
        }
        let rows: [&[f64]; N] =
            std::array::from_fn(|k| &values[k * width + segment.column..][..segment.len]);
        for (i, x) in x.iter().enumerate() {
            for k in 0..N {
                sums[k] += rows[k][i] * x;
            }
        }
    }
    sums
}

/// Adds `N` rows, times `y`, to `out`.
#[inline]
fn accumulate<const N: usize>(
    values: &[f64],
    width: usize,
    segments: &[Segment],
    y: &[f64; MAX_RANK],
    out: &mut [f64],
) {
    let y: [f64; N] = std::array::from_fn(|k| y[k]);
    for segment in segments {
        let rows: [&[f64]; N] = std::array::from_fn(|k| &values[k * width + segment.column..]);
        let out = &mut out[segment.dof..segment.dof + segment.len];
        if let Ok(out) = <&mut [f64; 3]>::try_from(&mut *out) {
            let rows = rows.map(|row| [row[0], row[1], row[2]]);
            for j in 0..3 {
                let mut sum = y[0] * rows[0][j];
                for k in 1..N {
                    sum += y[k] * rows[k][j];
                }
                out[j] += sum;
            }
            continue;
        }
        axpy_each::<N>(out, y, rows);
    }
}

/// Adds `Jᵀ W J` of a block with `N` stored rows to the Hessian.
#[inline]
fn add_block<const N: usize>(
    hessian: &mut [f64],
    values: &[f64],
    width: usize,
    segments: &[Segment],
    targets: &[Target],
    problem: &Problem,
    block: usize,
) {
    let Some(weight) = problem.weight::<N>(block).matrix() else { return };
    let mut targets = targets.iter();
    for (a, segment) in segments.iter().enumerate() {
        let targets_a = targets.as_slice();
        for i in 0..segment.len {
            let column: [f64; N] = std::array::from_fn(|k| values[k * width + segment.column + i]);
            let factors: [f64; N] = std::array::from_fn(|k| {
                let mut sum = weight[k][0] * column[0];
                for l in 1..N {
                    sum += weight[k][l] * column[l];
                }
                sum
            });
            for (other, target) in segments[a..].iter().zip(targets_a) {
                let at = target.at + i * target.stride;
                let rows: [&[f64]; N] =
                    std::array::from_fn(|k| &values[k * width + other.column..][..other.len]);
                let out = &mut hessian[at..at + other.len];
                if let Ok(out) = <&mut [f64; 6]>::try_from(&mut *out)
                    && other.len == 6
                {
                    for j in 0..6 {
                        let mut sum = factors[0] * rows[0][j];
                        for k in 1..N {
                            sum += factors[k] * rows[k][j];
                        }
                        out[j] += sum;
                    }
                } else {
                    axpy_each::<N>(out, factors, rows);
                }
            }
        }
        targets = targets_a[segments.len() - a..].iter();
    }
}

impl Matrices for Sparse {
    fn mul_inertia(&self, out: &mut [f64x4], x: &[f64x4]) {
        let (out, x) = (scalars_mut(out), scalars(x));
        for (dof, diagonal) in self.diagonal.iter().enumerate() {
            let row = self.row[dof]..self.row[dof + 1];
            let mut sum = diagonal * x[dof];
            for (value, &column) in self.inertia[row.clone()].iter().zip(&self.column[row]) {
                sum += value * x[column as usize];
                out[column as usize] += value * x[dof];
            }
            out[dof] = sum;
        }
    }

    fn mul_jacobian(&self, problem: &Problem, out: &mut [f64], x: &[f64x4]) {
        let x = scalars(x);
        for (block, stored) in problem.blocks.iter().zip(&self.blocks) {
            let Stored { segments: [start, end], value, width, .. } = *stored;
            let (segments, values) = (&self.segments[start..end], &self.values[value..]);
            let y = by_rank!(block.rank, multiply(values, width, segments, x));
            block.spread(&y, &mut out[block.row..block.row + block.count]);
        }
    }

    fn mul_transposed(&self, problem: &Problem, out: &mut [f64x4], f: &[f64]) {
        let out = scalars_mut(out);
        out.fill(0.0);
        for (block, stored) in problem.blocks.iter().zip(&self.blocks) {
            let f = &f[block.row..block.row + block.count];
            if f.iter().all(|&f| f == 0.0) {
                continue;
            }
            let Stored { segments: [start, end], value, width, .. } = *stored;
            let (segments, values) = (&self.segments[start..end], &self.values[value..]);
            let y = block.gather(f);
            by_rank!(block.rank, accumulate(values, width, segments, &y, out));
        }
    }

    fn factor_solve(&mut self, problem: &Problem, x: &mut [f64x4]) {
        if !self.is_analysed {
            let fits = self.analyse(usize::MAX);
            assert!(fits, "no memory for the Hessian of {} dofs", self.node.len());
        }
        let hessian = self.hessian.clear();
        for (&at, value) in self.diagonal_at.iter().zip(&self.diagonal) {
            hessian[at] = *value;
        }
        for (&at, value) in self.inertia_at.iter().zip(&self.inertia) {
            hessian[at] = *value;
        }
        for (i, stored) in self.blocks.iter().enumerate() {
            let Stored { segments: [start, end], value, width, target } = *stored;
            let (segments, values) = (&self.segments[start..end], &self.values[value..]);
            let targets = &self.targets[target..];
            by_rank!(
                problem.blocks[i].rank,
                add_block(hessian, values, width, segments, targets, problem, i)
            );
        }
        self.hessian.factor();
        self.solve(x);
    }

    fn solve(&mut self, x: &mut [f64x4]) {
        self.hessian.solve(&mut scalars_mut(x)[..self.node.len()]);
    }

    fn factor_inertia(&mut self) {}

    fn solve_inertia(&self, x: &mut [f64x4]) {
        let x = scalars_mut(x);
        let rows = || self.row.windows(2).map(|row| row[0]..row[1]).enumerate();
        for (dof, row) in rows().rev() {
            for (value, &column) in self.factor[row.clone()].iter().zip(&self.column[row]) {
                x[column as usize] -= value * x[dof];
            }
        }
        for (x, inverse) in x.iter_mut().zip(&self.inverse) {
            *x *= inverse;
        }
        for (dof, row) in rows() {
            let mut sum = 0.0;
            for (value, &column) in self.factor[row.clone()].iter().zip(&self.column[row]) {
                sum += value * x[column as usize];
            }
            x[dof] -= sum;
        }
    }
}
