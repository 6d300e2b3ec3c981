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

use super::factor::{Factor, Terms, bit};
use super::primal::{Direction, System};
use super::problem::{Problem, zeros};
use crate::constraint::{Block, Kind};
use crate::math::{scalars, scalars_mut, totals};
use crate::model::ConstraintState;
use crate::{Data, Model};

/// The most chunks of slots.
const MOST: usize = 8;

/// Numbers by slot.
type Slots = [f64x4; MOST];

/// Jacobian of an island and what follows from it. Stored rows have slots, in chunks of four: those
/// of a contact have a chunk of their own, single rows come last.
#[derive(Debug, Clone, Default)]
pub(super) struct Reduced {
    chunks: usize,
    /// How many chunks are of contacts.
    wide: usize,
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
    /// Pieces of chains: the first dof in the island, and how many there are.
    pieces: Vec<[usize; 2]>,
    /// What is active: columns of `C`, filled up to chunks, and softness.
    columns: Vec<Column>,
    softness: Slots,
    /// `Cᵀ A C`, factors of that and the softness by their number of chunks, and `u`.
    matrix: Vec<f64x4>,
    factors: Vec<Factor>,
    solution: Slots,
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

impl Reduced {
    /// Takes over the Jacobian of the island and divides it by the mass matrix.
    pub(super) fn load(&mut self, model: &Model, data: &Data, problem: &Problem, place: &[u32]) {
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
            self.factors.push(Factor::full(4 * self.factors.len()));
        }
        self.matrix.resize(4 * self.chunks * self.chunks, f64x4::ZERO);

        let stride = 4 * problem.qacc.len();
        let reached = self.load_jacobian(data, problem, place, stride);
        self.list_pieces(model, problem);
        self.divided.clone_from(&self.jacobian);
        let inertia = Inertia { model, data, dofs: &problem.dofs, place };
        let mut chunks = self.divided.chunks_exact_mut(stride).zip(reached);
        while let Some((rows, reached)) = chunks.next() {
            match chunks.next() {
                Some((more, other)) => {
                    inertia.divide([rows, more], reached | other, &self.pieces);
                }
                None => inertia.divide([rows], reached, &self.pieces),
            }
        }
        self.respond(data, problem, place, stride);

        let delta = problem.qacc.iter().zip(&problem.qacc_smooth).map(|(a, b)| *a - *b);
        self.apart = self.project(delta);
    }

    /// `J x`.
    #[inline]
    fn project(&self, x: impl Iterator<Item = f64x4> + Clone) -> Slots {
        let mut out = Slots::default();
        let stride = x.clone().count();
        for (rows, out) in self.jacobian.as_chunks::<4>().0.chunks_exact(stride).zip(&mut out) {
            let mut sums = [f64x4::ZERO; 2];
            for (rows, x) in rows.iter().zip(x.clone()) {
                let [a, b, c, d] = x.to_array();
                sums[0] += rows[0] * a + rows[1] * b;
                sums[1] += rows[2] * c + rows[3] * d;
            }
            *out = sums[0] + sums[1];
        }
        out
    }

    /// Takes over the Jacobian. Returns, for each chunk of slots, the dofs with something in it.
    fn load_jacobian(
        &mut self,
        data: &Data,
        problem: &Problem,
        place: &[u32],
        stride: usize,
    ) -> [u64; MOST] {
        let mut reached = [0; MOST];
        zeros(&mut self.jacobian, 4 * self.chunks * stride);
        for (block, &slot) in problem.blocks.iter().zip(&self.slots) {
            let rows = &mut self.jacobian[slot / 4 * stride..][..stride];
            let reached = &mut reached[slot / 4];
            for (&dof, value) in data.rows.dofs(block).iter().zip(data.rows.values(block)) {
                let dof = place[dof as usize] as usize;
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

    /// Cuts the dofs into pieces of chains: each is the parent of the next.
    fn list_pieces(&mut self, model: &Model, problem: &Problem) {
        self.pieces.clear();
        let mut last = u32::MAX;
        for (i, &dof) in problem.dofs.iter().enumerate() {
            let follows = last.checked_add(1) == Some(dof)
                && model.dof_parentid[dof as usize] == last as i32
                && model.M_rownnz[dof as usize] == model.M_rownnz[last as usize] + 1;
            last = dof;
            match self.pieces.last_mut() {
                Some([_, count]) if follows && *count < 4 => *count += 1,
                _ => self.pieces.push([i, 1]),
            }
        }
    }

    /// Computes `A = J M⁻¹ Jᵀ`.
    fn respond(&mut self, data: &Data, problem: &Problem, place: &[u32], stride: usize) {
        let size = 4 * self.chunks;
        zeros(&mut self.response, 4 * size * self.chunks);
        for (block, &slot) in problem.blocks.iter().zip(&self.slots) {
            let (dofs, values) = (data.rows.dofs(block), data.rows.values(block));
            // where both are wide, one half follows from the other
            let first = if block.rank > 1 { slot / 4 } else { 0 };
            let last = if block.rank > 1 { self.wide } else { self.chunks };
            for chunk in first..last {
                let rows = &self.divided[chunk * stride..][..stride];
                let out = &mut self.response[chunk * size + slot..];
                if block.rank > 1 {
                    let mut sums = [f64x4::ZERO; 4];
                    for (&dof, value) in dofs.iter().zip(values) {
                        let row = rows[place[dof as usize] as usize];
                        for (sum, value) in sums.iter_mut().zip(value.as_array()) {
                            *sum += row * *value;
                        }
                    }
                    out[..4].copy_from_slice(&sums);
                } else {
                    for (&dof, value) in dofs.iter().zip(values) {
                        out[0] += rows[place[dof as usize] as usize] * value.as_array()[0];
                    }
                }
            }
        }
        for chunk in 0..self.wide {
            for other in chunk + 1..self.chunks {
                // what is below the diagonal of the wide ones, and left of the single ones
                let (from, to) = if other < self.wide { (other, chunk) } else { (chunk, other) };
                let (row, column) = if other < self.wide { (chunk, other) } else { (other, chunk) };
                let tile = &self.response[from * size + 4 * row..][..4];
                let tile = f64x4::transpose([tile[0], tile[1], tile[2], tile[3]]);
                self.response[to * size + 4 * column..][..4].copy_from_slice(&tile);
            }
        }
    }

    /// `A x`.
    #[inline]
    fn respond_to(&self, x: &Slots) -> Slots {
        let mut out = Slots::default();
        let size = 4 * self.chunks;
        for (rows, out) in self.response.chunks_exact(size).zip(&mut out) {
            let mut sums = [f64x4::ZERO; 2];
            for (rows, x) in rows.as_chunks::<4>().0.iter().zip(x) {
                let [a, b, c, d] = x.to_array();
                sums[0] += rows[0] * a + rows[1] * b;
                sums[1] += rows[2] * c + rows[3] * d;
            }
            *out = sums[0] + sums[1];
        }
        out
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
        let Reduced { columns, softness, .. } = self;
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

impl System for Reduced {
    fn mul_transposed(&mut self, problem: &Problem, out: &mut [f64x4], f: &[f64]) {
        self.force = self.gather(problem, f);
        multiply(out, &self.jacobian, &self.force);
    }

    /// Knows Newton's direction only; finds its products on the way.
    fn turn(&mut self, problem: &mut Problem, _direction: Direction, changed: bool) {
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

    fn products(&self, _problem: &mut Problem) {}

    fn advance(&mut self, alpha: f64) {
        for (apart, along) in self.apart.iter_mut().zip(&self.along) {
            *apart += *along * alpha;
        }
    }
}

/// The mass matrix of an island, factorised.
struct Inertia<'a> {
    model: &'a Model,
    data: &'a Data,
    dofs: &'a [u32],
    place: &'a [u32],
}

impl Inertia<'_> {
    /// Divides vectors, four in each of `P` chunks, by the mass matrix. `reached` are the dofs at which they are not
    /// zero.
    fn divide<const P: usize>(
        &self,
        mut x: [&mut [f64x4]; P],
        mut reached: u64,
        pieces: &[[usize; 2]],
    ) {
        for &[first, count] in pieces.iter().rev() {
            if reached >> first & (bit(count) - 1) == 0 {
                continue;
            }
            reached |= match count {
                1 => self.up::<1, P>(&mut x, first),
                2 => self.up::<2, P>(&mut x, first),
                3 => self.up::<3, P>(&mut x, first),
                _ => self.up::<4, P>(&mut x, first),
            };
        }
        for &[first, count] in pieces {
            match count {
                1 => self.down::<1, P>(&mut x, first),
                2 => self.down::<2, P>(&mut x, first),
                3 => self.down::<3, P>(&mut x, first),
                _ => self.down::<4, P>(&mut x, first),
            }
        }
    }

    /// The ancestors that the `N` rows of a piece share, and the rows of `L`.
    #[inline]
    fn chain<const N: usize>(&self, first: usize) -> (&[i32], [&[f64]; N]) {
        let row = self.model.m_row(self.dofs[first] as usize);
        let shared = row.len() - 1;
        let mut rest = &self.data.qLD[row.start..];
        let rows = std::array::from_fn(|i| {
            let (row, tail) = rest.split_at(shared + i + 1);
            rest = tail;
            row
        });
        (&self.model.M_colind[row.start..row.start + shared], rows)
    }

    /// Eliminates the dofs of a piece. Returns its ancestors.
    #[inline]
    fn up<const N: usize, const P: usize>(&self, x: &mut [&mut [f64x4]; P], first: usize) -> u64 {
        let (ancestors, lower) = self.chain::<N>(first);
        let shared = ancestors.len();
        let mut own = [[f64x4::ZERO; P]; N];
        for i in 0..N {
            for p in 0..P {
                own[i][p] = x[p][first + i];
            }
        }
        for i in (1..N).rev() {
            for j in 0..i {
                for p in 0..P {
                    own[j][p] -= own[i][p] * lower[i][shared + j];
                }
            }
        }
        for i in 0..N {
            for p in 0..P {
                x[p][first + i] = own[i][p];
            }
        }
        let lower = lower.map(|row| &row[..shared]);
        let mut reached = 0;
        for (depth, &ancestor) in ancestors.iter().enumerate() {
            let ancestor = self.place[ancestor as usize] as usize;
            reached |= bit(ancestor);
            for p in 0..P {
                let mut sum = own[0][p] * lower[0][depth];
                for i in 1..N {
                    sum += own[i][p] * lower[i][depth];
                }
                x[p][ancestor] -= sum;
            }
        }
        reached
    }

    /// Solves for the dofs of a piece.
    #[inline]
    fn down<const N: usize, const P: usize>(&self, x: &mut [&mut [f64x4]; P], first: usize) {
        let (ancestors, lower) = self.chain::<N>(first);
        let shared = ancestors.len();
        let dof = self.dofs[first] as usize;
        let inverse = &self.data.qLDiagInv[dof..dof + N];
        let mut own = [[f64x4::ZERO; P]; N];
        for i in 0..N {
            for p in 0..P {
                own[i][p] = x[p][first + i] * inverse[i];
            }
        }
        let above = lower.map(|row| &row[..shared]);
        for (depth, &ancestor) in ancestors.iter().enumerate() {
            let ancestor = self.place[ancestor as usize] as usize;
            for p in 0..P {
                let row = x[p][ancestor];
                for i in 0..N {
                    own[i][p] -= row * above[i][depth];
                }
            }
        }
        for i in 1..N {
            for j in 0..i {
                for p in 0..P {
                    own[i][p] -= own[j][p] * lower[i][shared + j];
                }
            }
        }
        for i in 0..N {
            for p in 0..P {
                x[p][first + i] = own[i][p];
            }
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
