//! Islands with few rows: Newton's method in the space of the rows.
//!
//! The Hessian of the cost is `H = M + Jᵀ C S⁻¹ Cᵀ J`, where `C` has a column for everything that
//! is active, and the diagonal matrix `S` says how soft that is. With `A = J M⁻¹ Jᵀ` its inverse
//! follows from a matrix of the size of `S`:
//! ```text
//! H⁻¹ g = M⁻¹ (g − Jᵀ C u)        (S + Cᵀ A C) u = Cᵀ J M⁻¹ g
//! ```
//! The gradient is `g = M δ − Jᵀ f`, where `δ` is how far the acceleration is from the one without
//! constraints. So only `Jᵀ` has to be divided by the mass matrix, once; with `h = f + C u` the
//! direction `v = −H⁻¹ g` and its products are
//! ```text
//! v = M⁻¹ Jᵀ h − δ        M v = Jᵀ h − M δ
//! ```
//! A step is short where the last solution was a good start, but its parts are not: forces along
//! `J v` that all but cancel those along `M v`. So `J v` is made from `v` itself.

use wide::f64x4;

use super::primal::{Direction, System};
use super::problem::{Problem, zeros};
use super::view::{Piece, View};
use crate::Data;
use crate::constraint::{Block, Kind};
use crate::math::{Terms, TiledLdl, bit};
use crate::math::{scalars, scalars_mut, totals};
use crate::model::ConstraintState;

/// The most chunks of slots.
const MOST: usize = 8;

/// Numbers by slot.
type Slots = [f64x4; MOST];

/// Jacobian of an island and what follows from it. Stored rows have slots, in chunks of four: those
/// of a contact have a chunk of their own, single rows come last.
#[derive(Debug, Clone, Default)]
pub(super) struct Woodbury {
    /// How many chunks there are, and how many of them are of contacts.
    chunks: usize,
    wide: usize,
    /// Number of dofs, in whole chunks.
    stride: usize,
    /// Where the stored rows of each block start.
    slots: Vec<usize>,
    /// `Jᵀ` and `M⁻¹ Jᵀ`: chunk by chunk, by dof.
    jacobian: Vec<f64x4>,
    divided: Vec<f64x4>,
    /// `A`: chunk by chunk, by slot.
    response: Vec<f64x4>,
    /// `J δ` and `J v`.
    apart: Slots,
    along: Slots,
    /// `f`, as it was multiplied last.
    force: Slots,
    pieces: Vec<Piece>,
    /// What is active: columns of `C`, filled up to chunks, and softness.
    columns: Vec<Column>,
    softness: Slots,
    /// `Cᵀ A C`, factors of that and the softness by their number of chunks, and `u`.
    matrix: Vec<f64x4>,
    factors: Vec<TiledLdl>,
    solution: Slots,
    /// `M⁻¹ Jᵀ C u`.
    product: Vec<f64x4>,
}

/// The axes of four lanes.
const AXES: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];

/// A column of `C`, which is zero but in one chunk of slots.
#[derive(Debug, Clone, Copy)]
struct Column {
    chunk: usize,
    values: f64x4,
}

/// The least number of dofs for which it pays to divide rows by the mass matrix.
const LEAST: usize = 16;

/// The largest ratio of pivots of a mass matrix that rows can be divided by without losing digits
/// that count.
const MOST_UNEVEN: f64 = 1e7;

/// Whether an island is of some size, has no more slots than dofs, and inertias that are not too
/// far apart.
///
/// It must not start from the acceleration without constraints: there `δ` is zero, and if nothing is
/// active so is the direction, where the reference takes a step for the rounding of its gradient.
pub(super) fn suits(data: &Data, problem: &Problem) -> bool {
    let (n, chunks) = (problem.dofs.len(), chunks(&problem.blocks));
    (1..=MOST).contains(&chunks)
        && n >= LEAST.max(4 * chunks)
        && problem.blocks.iter().all(|block| block.rank <= 4)
        && problem.qacc != problem.qacc_smooth
        && is_even(problem.dofs.iter().map(|&dof| data.qLDiagInv[dof as usize]))
}

fn is_even(pivots: impl Iterator<Item = f64>) -> bool {
    let (least, most) = pivots
        .fold((f64::INFINITY, 0.0_f64), |(least, most), pivot| (least.min(pivot), most.max(pivot)));
    most <= MOST_UNEVEN * least
}

/// How many chunks of slots there are.
fn chunks(blocks: &[Block]) -> usize {
    let wide = count_wide(blocks);
    wide + (blocks.len() - wide).div_ceil(4)
}

/// Number of blocks with several stored rows.
fn count_wide(blocks: &[Block]) -> usize {
    blocks.iter().filter(|block| block.rank > 1).count()
}

impl Woodbury {
    /// Takes over the Jacobian of the island and divides it by the mass matrix.
    pub(super) fn load(&mut self, view: View<'_>, problem: &Problem) {
        self.wide = count_wide(&problem.blocks);
        self.chunks = chunks(&problem.blocks);
        self.slots.clear();
        let (mut wide, mut single) = (0, 4 * self.wide);
        self.slots.extend(problem.blocks.iter().map(|block| {
            let (next, size) = if block.rank > 1 { (&mut wide, 4) } else { (&mut single, 1) };
            *next += size;
            *next - size
        }));

        // what is active may change in later steps: then nothing has to grow
        while self.factors.len() <= self.chunks {
            self.factors.push(TiledLdl::full(4 * self.factors.len()));
        }
        self.matrix.resize(4 * self.chunks * self.chunks, f64x4::ZERO);
        self.columns.clear();
        self.columns.reserve(4 * self.chunks);

        self.stride = 4 * problem.qacc.len();
        let reached = self.load_jacobian(view, problem);
        self.divided.clone_from(&self.jacobian);
        view.list_pieces(&mut self.pieces);
        let mut chunks = self.divided.chunks_exact_mut(self.stride).zip(reached);
        while let Some((rows, reached)) = chunks.next() {
            match chunks.next() {
                Some((more, other)) => {
                    view.divide([rows, more], reached | other, &self.pieces);
                }
                None => view.divide([rows], reached, &self.pieces),
            }
        }
        self.respond(view, problem);

        let delta = problem.qacc.iter().zip(&problem.qacc_smooth).map(|(a, b)| *a - *b);
        self.apart = self.project(delta);
    }

    /// `J x`.
    fn project(&self, x: impl Iterator<Item = f64x4> + Clone) -> Slots {
        combine(&self.jacobian, self.stride, x)
    }

    /// Takes over the Jacobian. Returns, for each chunk of slots, the dofs with something in it.
    fn load_jacobian(&mut self, view: View<'_>, problem: &Problem) -> [u64; MOST] {
        let stride = self.stride;
        let mut reached = [0; MOST];
        zeros(&mut self.jacobian, 4 * self.chunks * stride);
        for (block, &slot) in problem.blocks.iter().zip(&self.slots) {
            let rows = &mut self.jacobian[slot / 4 * stride..][..stride];
            let reached = &mut reached[slot / 4];
            for (dof, value) in view.block_dofs(block).zip(view.block_values(block)) {
                *reached |= bit(dof);
                if block.rank > 1 {
                    rows[dof] = *value;
                } else {
                    scalars_mut(&mut rows[dof..=dof])[slot % 4] = value.as_array()[0];
                }
            }
        }
        reached
    }

    /// Computes `A = J M⁻¹ Jᵀ`.
    fn respond(&mut self, view: View<'_>, problem: &Problem) {
        let (size, stride) = (4 * self.chunks, self.stride);
        zeros(&mut self.response, 4 * size * self.chunks);
        for (block, &slot) in problem.blocks.iter().zip(&self.slots) {
            let entries = || view.block_dofs(block).zip(view.block_values(block));
            // of two contacts, and of a contact and a single row, the other half follows
            let first = if block.rank > 1 { slot / 4 } else { 0 };
            let last = if block.rank > 1 { self.wide } else { self.chunks };
            for chunk in first..last {
                let rows = &self.divided[chunk * stride..][..stride];
                let out = &mut self.response[chunk * size + slot..];
                if block.rank > 1 {
                    let mut sums = [f64x4::ZERO; 4];
                    for (dof, value) in entries() {
                        let row = rows[dof];
                        for (sum, value) in sums.iter_mut().zip(value.as_array()) {
                            *sum += row * *value;
                        }
                    }
                    out[..4].copy_from_slice(&sums);
                } else {
                    for (dof, value) in entries() {
                        out[0] += rows[dof] * value.as_array()[0];
                    }
                }
            }
        }
        for chunk in 0..self.wide {
            (chunk + 1..self.wide).for_each(|other| self.mirror(other, chunk));
            (self.wide..self.chunks).for_each(|other| self.mirror(chunk, other));
        }
    }

    /// Takes over a tile of `A` to the other side of the diagonal.
    fn mirror(&mut self, chunk: usize, row: usize) {
        let size = 4 * self.chunks;
        let tile = &self.response[chunk * size + 4 * row..][..4];
        let tile = f64x4::transpose([tile[0], tile[1], tile[2], tile[3]]);
        self.response[row * size + 4 * chunk..][..4].copy_from_slice(&tile);
    }

    /// `A x`.
    fn respond_to(&self, x: &Slots) -> Slots {
        combine(&self.response, 4 * self.chunks, x.iter().copied())
    }

    /// Forces along the rows, by slot.
    #[inline]
    fn gather(&self, problem: &Problem, f: &[f64]) -> Slots {
        let mut out = Slots::default();
        for (block, &slot) in problem.blocks.iter().zip(&self.slots) {
            let f = &f[block.row..block.row + block.count];
            let values = match (&block.kind, f) {
                (Kind::Unit | Kind::Plain, &[a]) => f64x4::new([a, 0.0, 0.0, 0.0]),
                (Kind::Unit | Kind::Plain, &[a, b, c]) => f64x4::new([a, b, c, 0.0]),
                _ => {
                    let [a, b, c, d, ..] = block.gather(f);
                    f64x4::new([a, b, c, d])
                }
            };
            out[slot / 4] += in_lanes(values, block, slot);
        }
        out
    }

    /// Lists what is active: the columns of `C`, filled up with zeros. Returns how many chunks there
    /// are.
    fn list_columns(&mut self, problem: &Problem) -> usize {
        let Woodbury { columns, softness, .. } = self;
        columns.clear();
        *softness = [f64x4::ONE; MOST];
        for (i, &slot) in self.slots.iter().enumerate() {
            squares(problem, i, slot % 4, |values, soft| {
                scalars_mut(softness)[columns.len()] = soft;
                columns.push(Column { chunk: slot / 4, values });
            });
        }
        let stride = columns.len().div_ceil(4);
        columns.resize(4 * stride, Column { chunk: 0, values: f64x4::ZERO });
        stride
    }

    /// Computes `Cᵀ A C`.
    fn assemble(&mut self, stride: usize) {
        let size = 4 * self.chunks;
        for (j, column) in self.columns.iter().enumerate() {
            let [a, b, c, d] = column.values.to_array();
            let mut product = Slots::default();
            for (rows, product) in self.response.chunks_exact(size).zip(&mut product) {
                let rows = &rows[4 * column.chunk..4 * column.chunk + 4];
                *product = (rows[0] * a + rows[1] * b) + (rows[2] * c + rows[3] * d);
            }
            let row = &mut self.matrix[j * stride..=j * stride + j / 4];
            dots(row, &self.columns, &product);
        }
    }

    /// Solves `(S + Cᵀ A C) u = x` in place.
    fn solve(&mut self, stride: usize, changed: bool) {
        let (factor, x) = (&mut self.factors[stride], &mut self.solution[..stride]);
        if !changed {
            factor.solve(x, stride);
            return;
        }
        let terms = Terms {
            inertia: &self.matrix,
            diagonal: &self.softness,
            active: &[],
            jacobian: &[],
            weighted: &[],
        };
        factor.run(&terms, stride, Some(x));
        factor.solve_downwards(x, stride);
    }
}

/// What the stored rows of a block have, in the lanes of their slots.
#[inline]
fn in_lanes(values: f64x4, block: &Block, slot: usize) -> f64x4 {
    if block.rank > 1 { values } else { f64x4::new(AXES[slot % 4]) * values.as_array()[0] }
}

/// The second derivative of the cost of block `i` by its stored rows, at the current point, as a sum
/// of squares: calls `f` with what is squared, and the inverse of its weight. A single row is in
/// lane `lane`.
#[inline]
fn squares(problem: &Problem, i: usize, lane: usize, mut f: impl FnMut(f64x4, f64)) {
    let block = &problem.blocks[i];
    let rows = block.row..block.row + block.count;
    let (d, state) = (&problem.d[rows.clone()], &problem.state[rows.clone()]);
    let active = |k: usize| state[k] == ConstraintState::Quadratic as i32;
    let axis = |lane: usize| f64x4::new(AXES[lane % 4]);
    match (&block.kind, problem.block_cone[i]) {
        (Kind::Unit | Kind::Plain, Some(cone)) if state[0] == ConstraintState::Cone as i32 => {
            let (cone, jar) = (&problem.cones[cone as usize], &problem.jar[rows]);
            if block.rank == 3 {
                cone.squares(jar, |[a, b, c], soft| f(f64x4::new([a, b, c, 0.0]), soft));
            } else {
                cone.squares(jar, |values, soft| f(f64x4::new(values), soft));
            }
        }
        (Kind::Unit | Kind::Plain, _) => {
            for k in (0..block.rank).filter(|&k| active(k)) {
                f(axis(lane + k), 1.0 / d[k]);
            }
        }
        (Kind::Pyramid(friction), _) => {
            // the rows of an axis together; what they leave of the normal in the end
            let weight = |k: usize| if active(k) { d[k] } else { 0.0 };
            let mut normal = 0.0;
            for k in 1..block.rank {
                let (plus, minus) = (weight(2 * k - 2), weight(2 * k - 1));
                let sum = plus + minus;
                if sum > 0.0 {
                    f(axis(k) * friction[k - 1] + axis(0) * ((plus - minus) / sum), 1.0 / sum);
                    normal += 4.0 * plus * minus / sum;
                }
            }
            if normal > 0.0 {
                f(axis(0), 1.0 / normal);
            }
        }
    }
}

/// Scalar products of columns with `x`, as many as there is room for.
#[inline]
fn dots(out: &mut [f64x4], columns: &[Column], x: &Slots) {
    for (out, columns) in out.iter_mut().zip(columns.as_chunks::<4>().0) {
        *out = totals(columns.map(|column| column.values * x[column.chunk]));
    }
}

/// Computes `Bᵀ x`; `B` is given chunk by chunk of columns, by row, of which there are `size`.
#[inline]
fn combine(b: &[f64x4], size: usize, x: impl Iterator<Item = f64x4> + Clone) -> Slots {
    let mut out = Slots::default();
    for (rows, out) in b.chunks_exact(size).zip(&mut out) {
        let mut sums = [f64x4::ZERO; 2];
        for (rows, x) in rows.as_chunks::<4>().0.iter().zip(x.clone()) {
            let [a, b, c, d] = x.to_array();
            sums[0] += rows[0] * a + rows[1] * b;
            sums[1] += rows[2] * c + rows[3] * d;
        }
        *out = sums[0] + sums[1];
    }
    out
}

/// Computes `out = B x`; `B` is given chunk by chunk of columns, by row.
#[inline]
fn multiply(out: &mut [f64x4], b: &[f64x4], x: &Slots) {
    let stride = out.len();
    let b = b.as_chunks::<4>().0;
    for (i, out) in out.iter_mut().enumerate() {
        let mut sums = [f64x4::ZERO; 4];
        for (rows, x) in b[i..].iter().step_by(stride).zip(x) {
            for r in 0..4 {
                sums[r] += rows[r] * *x;
            }
        }
        *out = totals(sums);
    }
}

impl System for Woodbury {
    fn mul_transposed(&mut self, problem: &Problem, out: &mut [f64x4], f: &[f64]) {
        self.force = self.gather(problem, f);
        multiply(out, &self.jacobian, &self.force);
    }

    /// Knows Newton's direction only; finds its products on the way.
    fn update_direction(&mut self, problem: &mut Problem, _direction: Direction, changed: bool) {
        let mut total = self.force;
        let stride = if changed { self.list_columns(problem) } else { self.columns.len() / 4 };
        if stride > 0 {
            if changed {
                self.assemble(stride);
            }
            let mut residual = self.respond_to(&total);
            for (residual, apart) in residual.iter_mut().zip(&self.apart) {
                *residual = *apart - *residual;
            }
            dots(&mut self.solution[..stride], &self.columns, &residual);
            self.solve(stride, changed);
            for (u, column) in scalars(&self.solution).iter().zip(&self.columns) {
                total[column.chunk] += column.values * *u;
            }
        }

        multiply(&mut problem.search, &self.divided, &total);
        multiply(&mut problem.mv, &self.jacobian, &total);
        for i in 0..problem.search.len() {
            problem.search[i] -= problem.qacc[i] - problem.qacc_smooth[i];
            problem.mv[i] -= problem.ma[i] - problem.qfrc_smooth[i];
        }
        self.along = self.project(problem.search.iter().copied());
        let along = scalars(&self.along);
        for (block, &slot) in problem.blocks.iter().zip(&self.slots) {
            let out = &mut problem.jv[block.row..block.row + block.count];
            block.spread(&along[slot..slot + block.rank], out);
        }
    }

    fn multiply_direction(&self, _problem: &mut Problem) {}

    fn advance(&mut self, alpha: f64) {
        for (apart, along) in self.apart.iter_mut().zip(&self.along) {
            *apart += *along * alpha;
        }
    }

    fn solve_hessian(&mut self, view: View<'_>, problem: &Problem, x: &mut [f64x4], changed: bool) {
        let stride = if changed { self.list_columns(problem) } else { self.columns.len() / 4 };
        let mut force = Slots::default();
        if stride > 0 {
            if changed {
                self.assemble(stride);
            }
            let residual = combine(&self.divided, self.stride, x.iter().copied());
            dots(&mut self.solution[..stride], &self.columns, &residual);
            self.solve(stride, changed);
            for (u, column) in scalars(&self.solution).iter().zip(&self.columns) {
                force[column.chunk] -= column.values * *u;
            }
        }
        view.solve_inertia(scalars_mut(x));
        self.product.resize(x.len(), f64x4::ZERO);
        multiply(&mut self.product, &self.divided, &force);
        for (x, product) in x.iter_mut().zip(&self.product) {
            *x += *product;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::constraint::Cone;

    /// Whether the squares of a block add up to its second derivative.
    fn squares_add_up<const N: usize>(problem: &Problem) {
        let mut sum = [[0.0; N]; N];
        squares(problem, 0, 0, |values, soft| {
            let values = values.to_array();
            for i in 0..N {
                for j in 0..N {
                    sum[i][j] += values[i] * values[j] / soft;
                }
            }
        });
        let matrix = problem.weight::<N>(0).matrix().unwrap_or([[0.0; N]; N]);
        for (sum, value) in sum.as_flattened().iter().zip(matrix.as_flattened()) {
            assert!((sum - value).abs() < 1e-13, "{sum:?} {matrix:?}");
        }
    }

    fn block(count: usize, rank: usize, kind: Kind) -> Block {
        Block { row: 0, count, dof: 0, width: 0, value: 0, rank, kind, listed: 0 }
    }

    #[test]
    fn squares_of_a_pyramid_add_up_whichever_rows_are_active() {
        let friction = [0.7, 0.4, 0.1, 0.0, 0.0];
        for active in 0..64 {
            let mut problem = Problem {
                blocks: vec![block(6, 4, Kind::Pyramid(friction))],
                block_cone: vec![None],
                d: vec![0.8; 6],
                state: (0..6).map(|k| active >> k & 1).collect(),
                ..Problem::default()
            };
            squares_add_up::<4>(&problem);
            problem.blocks[0] = block(4, 3, Kind::Pyramid(friction));
            squares_add_up::<3>(&problem);
        }
    }

    #[test]
    fn squares_of_a_cone_add_up_in_every_direction() {
        let directions: [[f64; 3]; 5] = [
            [0.3, -0.2, 0.1],
            [-1.0, 0.0, 0.5],
            [0.0, 0.4, -0.3],
            [1e-9, 0.0, -1.0],
            [-2.0, 0.0, 0.0],
        ];
        for [x, y, z] in directions {
            for dim in [3, 4] {
                let cone = Cone {
                    row: 0,
                    dim,
                    contact: 0,
                    mu: 0.8,
                    friction: [0.7, 0.4, 0.1, 0.0, 0.0],
                    weight: 0.6,
                };
                let problem = Problem {
                    blocks: vec![block(dim, dim, Kind::Plain)],
                    block_cone: vec![Some(0)],
                    cones: vec![cone],
                    d: vec![0.8; dim],
                    jar: [0.2 * x.hypot(y), x, y, z][..dim].to_vec(),
                    state: vec![ConstraintState::Cone as i32; dim],
                    ..Problem::default()
                };
                if dim == 3 { squares_add_up::<3>(&problem) } else { squares_add_up::<4>(&problem) }
            }
        }
    }

    #[test]
    fn rows_and_satisfied_blocks_add_up() {
        let mut problem = Problem {
            blocks: vec![block(3, 3, Kind::Plain)],
            block_cone: vec![None],
            d: vec![0.8, 2.0, 3.0],
            state: vec![ConstraintState::Quadratic as i32; 3],
            ..Problem::default()
        };
        squares_add_up::<3>(&problem);
        problem.state.fill(ConstraintState::Satisfied as i32);
        squares_add_up::<3>(&problem);
    }

    #[test]
    fn rows_are_not_divided_by_pivots_that_are_far_apart() {
        assert!(is_even([1.0, 3e-6, 20.0].into_iter()));
        assert!(!is_even([1.0, 1e-8].into_iter()));
        assert!(!is_even([1.0, f64::INFINITY].into_iter()));
    }
}
