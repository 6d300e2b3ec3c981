//! Sparse islands: Jacobian and mass matrix in compressed rows, the Hessian in panels of full
//! blocks.

use std::ops::Range;

use wide::f64x4;

use super::edges::EdgeTargets;
use super::jacobian::{BlockRows, Blocks, Jacobian, Pattern, Place, Transposed, by_rank, rows_of};
use super::primal::{Direction, Matrices};
use super::problem::Problem;
use super::view::View;
use crate::Model;
use crate::math::{Supernodal, Target, axpy_each, scalars, scalars_mut};
use crate::model::JointType;

/// Matrices of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Sparse {
    nodes: Nodes,
    inertia: Inertia,
    jacobian: Jacobian,
    /// A copy for the conjugate gradient method, where it multiplies often.
    transposed: Transposed,
    is_conjugate: bool,
    /// How often a product with the transpose of the Jacobian was asked for.
    products: usize,

    hessian: Supernodal,
    places: Places,
    /// Second derivatives of the cost of edges, by their rows.
    weights: Vec<f64>,
    /// Whether the Hessian is laid out; CG does without.
    is_analysed: bool,
}

/// Dofs that are eliminated together: those of a dense tree, or of a piece of a larger one, or the three
/// slides of a body.
#[derive(Debug, Clone, Default)]
pub(super) struct Nodes {
    sizes: Vec<u32>,
    /// First dof of each node, and node of each dof.
    first: Vec<u32>,
    node: Vec<u32>,
    /// Whether a dof is the first of a node of three.
    point: Vec<bool>,
}

/// The mass matrix.
#[derive(Debug, Clone, Default)]
struct Inertia {
    diagonal: Vec<f64>,
    /// Rows with elements left of the diagonal, and columns and values of these.
    rows: Vec<InertiaRow>,
    columns: Vec<u32>,
    left: Vec<f64>,
    /// The factor in the same layout, and one over the pivots; for CG only.
    factor: Vec<f64>,
    inverse: Vec<f64>,
}

/// Where the elements of a row are that lie left of the diagonal.
#[derive(Debug, Clone, PartialEq, Eq)]
struct InertiaRow {
    dof: usize,
    range: Range<usize>,
}

/// Where the elements of mass matrix and blocks go in the Hessian.
#[derive(Debug, Clone, Default)]
struct Places {
    /// What they were found for: sizes of nodes, rows and columns of the mass matrix, and blocks.
    sizes: Vec<u32>,
    rows: Vec<InertiaRow>,
    columns: Vec<u32>,
    pattern: Pattern,
    /// Pairs of nodes that the Hessian ties.
    pairs: Vec<[u32; 2]>,
    diagonal: Vec<usize>,
    left: Vec<usize>,
    edges: Vec<EdgeTargets>,
    /// The list of dofs of each block that is no edge; blocks that follow each other share one if they
    /// can.
    blocks: Vec<u32>,
    lists: Vec<DofList>,
    segments: Vec<Segment>,
    /// For each list, each segment, and each segment from there on: where the product goes.
    targets: Vec<Target>,
}

/// Dofs of blocks: where their segments are, and the targets of these.
#[derive(Debug, Clone)]
struct DofList {
    segments: Range<usize>,
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
const PIECE: Range<usize> = 6..24;

/// The product with the transpose of the Jacobian from which on a copy by dofs pays.
const COPIED_AT: usize = 6;

impl Sparse {
    /// Takes over mass matrix and Jacobian of the island. Returns how directions can be found: as
    /// asked, unless the Hessian does not fit into memory.
    pub(super) fn load(
        &mut self,
        view: View<'_>,
        problem: &Problem,
        mut direction: Direction,
    ) -> Direction {
        self.nodes.cut(view);
        self.jacobian.load(view, problem, &self.nodes);
        self.inertia.load(view);
        self.is_analysed = false;
        if direction == Direction::Newton && !self.analyse(hessian_room(view)) {
            direction = Direction::Conjugate;
        }
        self.products = 0;
        self.is_conjugate = direction == Direction::Conjugate;
        if self.is_conjugate {
            self.inertia.load_factor(view);
        }
        direction
    }

    /// Finds the pattern of the Hessian and where everything goes in it; false if it would take more
    /// than `most` bytes.
    fn analyse(&mut self, most: usize) -> bool {
        let Self { places, inertia, jacobian, nodes, hessian, .. } = self;
        self.is_analysed = places.are_for(nodes, inertia, jacobian) || {
            places.tie(inertia, jacobian, nodes);
            let fits = hessian.analyse(&nodes.sizes, &places.pairs, most);
            if fits {
                places.aim(inertia, jacobian, hessian, nodes);
                places.remember(nodes, inertia, jacobian);
            } else {
                places.sizes.clear();
            }
            fits
        };
        self.is_analysed
    }
}

impl Nodes {
    /// Makes nodes of the dofs of an island.
    fn cut(&mut self, view: View<'_>) {
        let model = view.model;
        self.sizes.clear();
        self.first.clear();
        self.node.clear();
        let (mut tree, mut point) = (None, false);
        for (i, &dof) in view.dofs.iter().enumerate() {
            let dof = dof as usize;
            let size = self.sizes.last().copied().unwrap_or(0) as usize;
            let body = model.dof_body(dof);
            let starts_point =
                model.body_dofadr[body] as usize == dof && moves_as_point(model, body);
            let enough = if point {
                size == 3
            } else {
                let follows = model.dof_parentid[dof] == dof as i32 - 1;
                starts_point || size >= PIECE.end || size >= PIECE.start && !follows
            };
            if tree != Some(model.dof_treeid[dof]) || enough {
                self.first.push(i as u32);
                self.sizes.push(0);
                point = starts_point;
            }
            tree = Some(model.dof_treeid[dof]);
            let node = self.sizes.len() - 1;
            self.sizes[node] += 1;
            self.node.push(node as u32);
        }
        self.point.clear();
        self.point.resize(self.node.len(), false);
        for (&size, &first) in self.sizes.iter().zip(&self.first) {
            self.point[first as usize] = size == 3;
        }
    }

    /// Whether a node begins with this dof and has two more.
    #[inline]
    pub(super) fn is_point(&self, dof: u32) -> bool {
        self.point[dof as usize]
    }
}

/// Whether the dofs of a body are three slides.
fn moves_as_point(model: &Model, body: usize) -> bool {
    let kinds = &model.jnt_type[model.body_jnts(body)];
    kinds.len() == 3 && kinds.iter().all(|&kind| kind == JointType::Slide as i32)
}

impl Inertia {
    fn load(&mut self, view: View<'_>) {
        self.diagonal.clear();
        self.rows.clear();
        self.columns.clear();
        self.left.clear();
        for dof in 0..view.dofs.len() {
            if let Some(diagonal) = view.lone_diagonal(dof) {
                self.diagonal.push(diagonal);
                continue;
            }
            let row = view.inertia_row(dof);
            self.diagonal.push(row.diagonal);
            let start = self.left.len();
            self.columns.extend(row.columns().map(|column| column as u32));
            self.left.extend_from_slice(row.left);
            self.rows.push(InertiaRow { dof, range: start..self.left.len() });
        }
    }

    fn load_factor(&mut self, view: View<'_>) {
        self.factor.clear();
        for row in &self.rows {
            self.factor.extend_from_slice(view.factor_row(row.dof).left);
        }
        self.inverse.clear();
        self.inverse.extend((0..view.dofs.len()).map(|dof| view.inverse_pivot(dof)));
    }

    /// Computes `out = M x`.
    fn mul(&self, out: &mut [f64], x: &[f64]) {
        for ((out, diagonal), x) in out.iter_mut().zip(&self.diagonal).zip(x) {
            *out = diagonal * x;
        }
        for InertiaRow { dof, range } in &self.rows {
            let mut sum = out[*dof];
            for (value, &column) in
                self.left[range.clone()].iter().zip(&self.columns[range.clone()])
            {
                sum += value * x[column as usize];
                out[column as usize] += value * x[*dof];
            }
            out[*dof] = sum;
        }
    }

    /// Solves `M x = b` in place.
    fn solve(&self, x: &mut [f64]) {
        for InertiaRow { dof, range } in self.rows.iter().rev() {
            for (value, &column) in
                self.factor[range.clone()].iter().zip(&self.columns[range.clone()])
            {
                x[column as usize] -= value * x[*dof];
            }
        }
        for (x, inverse) in x.iter_mut().zip(&self.inverse) {
            *x *= inverse;
        }
        for InertiaRow { dof, range } in &self.rows {
            let mut sum = 0.0;
            for (value, &column) in
                self.factor[range.clone()].iter().zip(&self.columns[range.clone()])
            {
                sum += value * x[column as usize];
            }
            x[*dof] -= sum;
        }
    }
}

impl Places {
    /// Whether the places are those for matrices of this pattern.
    fn are_for(&self, nodes: &Nodes, inertia: &Inertia, jacobian: &Jacobian) -> bool {
        self.sizes == nodes.sizes
            && self.pattern == *jacobian.pattern()
            && self.rows == inertia.rows
            && self.columns == inertia.columns
    }

    fn remember(&mut self, nodes: &Nodes, inertia: &Inertia, jacobian: &Jacobian) {
        self.sizes.clone_from(&nodes.sizes);
        self.pattern.copy_from(jacobian.pattern());
        self.rows.clone_from(&inertia.rows);
        self.columns.clone_from(&inertia.columns);
    }

    /// Cuts the dofs of blocks into segments, and lists the pairs of nodes that are tied.
    fn tie(&mut self, inertia: &Inertia, jacobian: &Jacobian, nodes: &Nodes) {
        let node = &nodes.node[..];
        self.blocks.clear();
        self.lists.clear();
        self.segments.clear();
        self.pairs.clear();
        let mut last = None;
        for blocks in jacobian.runs() {
            match blocks {
                Blocks::Edges(_, edges) => {
                    let ties = edges.iter().map(|(ends, _)| ends.map(|dof| node[dof as usize]));
                    self.pairs.extend(ties.filter_map(|[a, b]| pair(a, b)));
                }
                Blocks::Rows(_, blocks) => {
                    for block in blocks {
                        if last != Some(block.dofs) {
                            last = Some(block.dofs);
                            self.add_list(block.dofs, node);
                        }
                        self.blocks.push(self.lists.len() as u32 - 1);
                    }
                }
            }
        }
        for InertiaRow { dof, range } in &inertia.rows {
            let columns = inertia.columns[range.clone()].iter();
            // ancestors come first
            for own in columns.map(|&column| node[column as usize]).take_while(|&n| n != node[*dof])
            {
                let pair = pair(node[*dof], own);
                if pair.as_ref() != self.pairs.last() {
                    self.pairs.extend(pair);
                }
            }
        }
        self.pairs.sort_unstable();
        self.pairs.dedup();
    }

    fn add_list(&mut self, dofs: &[u32], node: &[u32]) {
        let start = self.segments.len();
        for (column, &dof) in dofs.iter().enumerate() {
            let (dof, node) = (dof as usize, node[dof as usize] as usize);
            match self.segments[start..].last_mut() {
                Some(last) if last.node == node && last.dof + last.len == dof => last.len += 1,
                _ => self.segments.push(Segment { dof, len: 1, column, node }),
            }
        }
        for (i, a) in self.segments[start..].iter().enumerate() {
            for b in &self.segments[start..start + i] {
                self.pairs.extend(pair(a.node as u32, b.node as u32));
            }
        }
        self.lists.push(DofList { segments: start..self.segments.len(), target: 0 });
    }

    /// Finds the places in the Hessian.
    fn aim(&mut self, inertia: &Inertia, jacobian: &Jacobian, hessian: &Supernodal, nodes: &Nodes) {
        let Nodes { node, first, .. } = nodes;
        let position = |dof: usize| {
            let node = node[dof] as usize;
            hessian.position(node) + dof - first[node] as usize
        };
        let target = |a: usize, b: usize| {
            let (pa, pb) = (position(a), position(b));
            let (a, pa, pb) = if pa <= pb { (a, pa, pb) } else { (b, pb, pa) };
            hessian.target(node[a] as usize, pa, pb)
        };
        self.diagonal.clear();
        self.diagonal.extend((0..node.len()).map(|dof| target(dof, dof).at));
        self.left.clear();
        for InertiaRow { dof, range } in &inertia.rows {
            let columns = inertia.columns[range.clone()].iter();
            self.left.extend(columns.map(|&column| target(*dof, column as usize).at));
        }
        self.edges.clear();
        for blocks in jacobian.runs() {
            let Blocks::Edges(_, edges) = blocks else { continue };
            self.edges.extend(edges.iter().map(|(ends, _)| {
                let [a, b] = ends.map(|dof| dof as usize);
                EdgeTargets { own: [target(a, a), target(b, b)], between: target(a, b) }
            }));
        }
        self.targets.clear();
        for list in &mut self.lists {
            let segments = &mut self.segments[list.segments.clone()];
            segments.sort_unstable_by_key(|segment| position(segment.dof));
            list.target = self.targets.len();
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

fn pair(a: u32, b: u32) -> Option<[u32; 2]> {
    (a != b).then_some([a.min(b), a.max(b)])
}

/// Adds `Jᵀ W J` of a block with `N` stored rows to the Hessian.
#[inline]
fn add_block<const N: usize>(
    hessian: &mut [f64],
    rows: BlockRows<'_>,
    segments: &[Segment],
    targets: &[Target],
    problem: &Problem,
    place: Place,
) {
    let weight = if N == 1 {
        let weight = problem.single_weight(place.row);
        if weight == 0.0 {
            return;
        }
        [[weight; N]; N]
    } else {
        let Some(weight) = problem.weight::<N>(place.block).matrix() else { return };
        weight
    };
    let rows = rows_of::<N>(rows.values, rows.dofs.len());
    let mut targets = targets.iter();
    for (a, segment) in segments.iter().enumerate() {
        let targets_a = targets.as_slice();
        for i in 0..segment.len {
            let column: [f64; N] = rows.map(|row| row[segment.column + i]);
            let factors: [f64; N] = std::array::from_fn(|k| {
                let mut sum = weight[k][0] * column[0];
                for l in 1..N {
                    sum += weight[k][l] * column[l];
                }
                sum
            });
            for (other, target) in segments[a..].iter().zip(targets_a) {
                let at = target.at + i * target.stride;
                let rows = rows.map(|row| &row[other.column..other.column + other.len]);
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
        self.inertia.mul(scalars_mut(out), scalars(x));
    }

    fn mul_jacobian(&self, problem: &Problem, out: &mut [f64], x: &[f64x4]) {
        self.jacobian.mul(problem, out, scalars(x));
    }

    fn mul_transposed(&mut self, problem: &Problem, out: &mut [f64x4], f: &[f64]) {
        self.products += 1;
        if !self.is_conjugate || self.products < COPIED_AT {
            return self.jacobian.mul_transposed(problem, scalars_mut(out), f);
        }
        if self.products == COPIED_AT {
            self.transposed.load(&self.jacobian, &self.nodes.sizes);
        }
        self.transposed.mul(&self.jacobian, problem, scalars_mut(out), f);
    }

    fn factor_solve(&mut self, problem: &Problem, x: &mut [f64x4]) {
        if !self.is_analysed {
            let fits = self.analyse(usize::MAX);
            assert!(fits, "no memory for the Hessian of {} dofs", self.nodes.node.len());
        }
        let Places { diagonal, left, edges, blocks, lists, segments, targets, .. } = &self.places;
        let (hessian, weights) = (self.hessian.clear(), &mut self.weights);
        for (&at, value) in diagonal.iter().zip(&self.inertia.diagonal) {
            hessian[at] = *value;
        }
        for (&at, value) in left.iter().zip(&self.inertia.left) {
            hessian[at] = *value;
        }
        let (mut edges, mut blocks) = (&edges[..], blocks.iter());
        for run in self.jacobian.runs() {
            match run {
                Blocks::Edges(first, run) => {
                    let (own, rest) = edges.split_at(run.len());
                    edges = rest;
                    weights.clear();
                    let rows = first..first + run.len();
                    weights.extend(rows.map(|row| problem.single_weight(row)));
                    run.add_squares(hessian, weights, own);
                }
                Blocks::Rows(first, rows) => {
                    for ((i, rows), &list) in rows.enumerate().zip(&mut blocks) {
                        let list = &lists[list as usize];
                        let segments = &segments[list.segments.clone()];
                        let targets = &targets[list.target..];
                        let place = first.nth(i);
                        by_rank!(
                            rows.rank,
                            add_block(hessian, rows, segments, targets, problem, place)
                        );
                    }
                }
            }
        }
        self.hessian.factor();
        self.solve(x);
    }

    fn solve(&mut self, x: &mut [f64x4]) {
        self.hessian.solve(&mut scalars_mut(x)[..self.nodes.node.len()]);
    }

    fn factor_inertia(&mut self) {}

    fn solve_inertia(&self, x: &mut [f64x4]) {
        self.inertia.solve(scalars_mut(x));
    }
}
