//! Islands of moderate size: full matrices in chunks of four, of which only what can be nonzero
//! is visited.

use wide::f64x4;

use super::SMALL;
use super::primal::System;
use super::problem::{Problem, zeros};
use crate::constraint::{Kind, MAX_RANK};
use crate::math::{MINVAL, axpy_rows, axpy4, dot_rows, scalars, scalars_mut, total};
use crate::{Data, Model};

/// Matrices of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Small {
    n: usize,
    /// Chunks per row.
    stride: usize,
    /// Mass matrix, lower triangle, and which elements left of its diagonal are not zero.
    inertia: Vec<f64x4>,
    inertia_bits: Vec<u64>,
    /// Stored rows of all blocks.
    jacobian: Vec<f64x4>,
    blocks: Vec<Stored>,
    /// Weighted rows on their way into the Hessian.
    weighted: Vec<f64x4>,
    factor: Factor,
    inertia_factor: Factor,
}

/// `H = Lᵀ D L`: the lower triangle of `L` without its diagonal, and `1 / D`.
#[derive(Debug, Clone, Default)]
struct Factor {
    rows: Vec<f64x4>,
    /// What each row has left of its diagonal.
    bits: Vec<u64>,
    /// Rows below that have something in the column of a row.
    below: Vec<u64>,
    pivots: Vec<f64>,
    inverse: Vec<f64x4>,
}

/// Where the rows of a block are.
#[derive(Debug, Clone, Copy)]
enum Stored {
    /// One element of one row.
    Unit { dof: usize, value: f64 },
    /// Rows from `start` on, with these dofs.
    Rows { start: usize, bits: u64 },
}

fn bit(k: usize) -> u64 {
    1 << k
}

impl Small {
    /// Takes over mass matrix and Jacobian of the island.
    pub(super) fn load(&mut self, model: &Model, data: &Data, problem: &Problem, place: &[u32]) {
        let n = problem.dofs.len();
        self.n = n;
        self.stride = n.div_ceil(4);
        self.load_inertia(model, data, problem, place);
        self.load_jacobian(data, problem, place);

        // what the Hessian can have, whichever rows are active
        self.factor.bits.clone_from(&self.inertia_bits);
        for stored in &self.blocks {
            if let Stored::Rows { bits, .. } = *stored {
                let mut left = bits;
                while left != 0 {
                    let i = left.trailing_zeros() as usize;
                    left &= left - 1;
                    self.factor.bits[i] |= bits & (bit(i) - 1);
                }
            }
        }
        self.factor.plan();
    }

    fn load_inertia(&mut self, model: &Model, data: &Data, problem: &Problem, place: &[u32]) {
        let stride = 4 * self.stride;
        // in whole chunks of rows, too
        zeros(&mut self.inertia, stride * stride);
        self.inertia_bits.clear();
        let inertia = scalars_mut(&mut self.inertia);
        for (i, &dof) in problem.dofs.iter().enumerate() {
            let row = model.m_row(dof as usize);
            let (columns, values) = (&model.M_colind[row.clone()], &data.M[row]);
            let into = &mut inertia[i * stride..(i + 1) * stride];
            let mut bits = 0;
            for (&column, &value) in columns.iter().zip(values) {
                let j = place[column as usize] as usize;
                into[j] = value;
                bits |= bit(j);
            }
            self.inertia_bits.push(bits & !bit(i));
        }
    }

    fn load_jacobian(&mut self, data: &Data, problem: &Problem, place: &[u32]) {
        let rows = problem.blocks.iter().filter(|block| block.kind != Kind::Unit);
        let stride = 4 * self.stride;
        zeros(&mut self.jacobian, stride * rows.map(|block| block.rank).sum::<usize>());
        self.blocks.clear();
        let jacobian = scalars_mut(&mut self.jacobian);
        let mut start = 0;
        for block in &problem.blocks {
            let values = data.rows.values(block);
            let dofs = data.rows.dofs(block);
            if block.kind == Kind::Unit {
                let dof = place[dofs[0] as usize] as usize;
                self.blocks.push(Stored::Unit { dof, value: values[0] });
                continue;
            }
            let bits = dofs.iter().fold(0, |bits, &dof| bits | bit(place[dof as usize] as usize));
            for k in 0..block.rank {
                let row = &mut jacobian[(start + k) * stride..(start + k + 1) * stride];
                let values = &values[k * block.width..(k + 1) * block.width];
                for (&dof, &value) in dofs.iter().zip(values) {
                    row[place[dof as usize] as usize] = value;
                }
            }
            self.blocks.push(Stored::Rows { start: start * self.stride, bits });
            start += block.rank;
        }
    }

    /// Puts `W J` of block `block`, which has `N` stored rows from `start` on, to `weighted`.
    /// False if the block is not active.
    #[inline]
    fn weigh<const N: usize>(&mut self, problem: &Problem, block: usize, start: usize) -> bool {
        let Some(weight) = problem.weight::<N>(block) else { return false };
        let stride = self.stride;
        let rows = &self.jacobian[start..start + N * stride];
        let at = self.weighted.len();
        self.weighted.resize(at + N * stride, f64x4::ZERO);
        let weighted = &mut self.weighted[at..];
        for chunk in 0..stride {
            for k in 0..N {
                let mut sum = rows[chunk] * weight[k][0];
                for l in 1..N {
                    sum += rows[l * stride + chunk] * weight[k][l];
                }
                weighted[k * stride + chunk] = sum;
            }
        }
        true
    }

    /// Adds `Jᵀ W J` of `N` stored rows from `start` on, whose `W J` is in `weighted`.
    #[inline]
    fn add_rows<const N: usize>(&mut self, start: usize, bits: u64) {
        let stride = self.stride;
        let elements = scalars(&self.jacobian[start..start + N * stride]);
        let mut left = bits;
        while left != 0 {
            let i = left.trailing_zeros() as usize;
            left &= left - 1;
            let column: [f64; N] = std::array::from_fn(|k| elements[4 * k * stride + i]);
            let row = &mut self.factor.rows[i * stride..i * stride + i / 4 + 1];
            axpy_rows(row, column, &self.weighted, stride);
        }
        self.weighted.clear();
    }
}

impl System for Small {
    fn mul_inertia(&self, out: &mut [f64x4], x: &[f64x4]) {
        out.fill(f64x4::ZERO);
        let mut sums = [0.0; SMALL];
        for i in 0..self.n {
            // a row, and the column above its end
            let row = &self.inertia[i * self.stride..i * self.stride + i / 4 + 1];
            let own = f64x4::splat(scalars(x)[i]);
            let mut sum = f64x4::ZERO;
            let (last, before) = (i / 4, &row[..i / 4]);
            for (chunk, value) in before.iter().enumerate() {
                sum += *value * x[chunk];
                out[chunk] += *value * own;
            }
            sum += row[last] * x[last];
            out[last] += (row[last] & LEFT[i % 4]) * own;
            sums[i] = total(sum);
        }
        for (out, sum) in scalars_mut(out).iter_mut().zip(sums) {
            *out += sum;
        }
    }

    fn mul_jacobian(&self, problem: &Problem, out: &mut [f64], x: &[f64x4]) {
        for (block, stored) in problem.blocks.iter().zip(&self.blocks) {
            let out = &mut out[block.row..block.row + block.count];
            match *stored {
                Stored::Unit { dof, value } => out[0] = value * scalars(x)[dof],
                Stored::Rows { start, .. } => {
                    let rows = &self.jacobian[start..];
                    let mut y = [0.0; MAX_RANK];
                    match block.rank {
                        1 => y[..1].copy_from_slice(&dot_rows::<1>(rows, x)),
                        3 => y[..3].copy_from_slice(&dot_rows::<3>(rows, x)),
                        4 => y[..4].copy_from_slice(&dot_rows::<4>(rows, x)),
                        _ => y.copy_from_slice(&dot_rows::<6>(rows, x)),
                    }
                    block.spread(&y, out);
                }
            }
        }
    }

    fn mul_transposed(&self, problem: &Problem, out: &mut [f64x4], f: &[f64]) {
        out.fill(f64x4::ZERO);
        for (block, stored) in problem.blocks.iter().zip(&self.blocks) {
            let f = &f[block.row..block.row + block.count];
            match *stored {
                Stored::Unit { dof, value } => scalars_mut(out)[dof] += value * f[0],
                Stored::Rows { start, .. } => {
                    let y = block.gather(f);
                    let rows = &self.jacobian[start..];
                    match block.rank {
                        1 => axpy4(out, y[0], rows),
                        3 => axpy_rows(out, [y[0], y[1], y[2]], rows, self.stride),
                        4 => axpy_rows(out, [y[0], y[1], y[2], y[3]], rows, self.stride),
                        _ => axpy_rows(out, y, rows, self.stride),
                    }
                }
            }
        }
    }

    fn factor(&mut self, problem: &Problem) {
        self.factor.rows.clone_from(&self.inertia);
        self.weighted.clear();
        let mut waiting: Option<(usize, u64)> = None;
        for i in 0..problem.blocks.len() {
            match self.blocks[i] {
                Stored::Unit { dof, .. } => {
                    if let Some([[weight]]) = problem.weight::<1>(i) {
                        let diagonal = dof * 4 * self.stride + dof;
                        scalars_mut(&mut self.factor.rows)[diagonal] += weight;
                    }
                }
                Stored::Rows { start, bits } => {
                    let rank = problem.blocks[i].rank;
                    // two contacts of the same bodies go together
                    if let Some((first, first_bits)) = waiting
                        && (rank != 3 || first_bits != bits || first + 3 * self.stride != start)
                    {
                        self.add_rows::<3>(first, first_bits);
                        waiting = None;
                    }
                    match rank {
                        1 if self.weigh::<1>(problem, i, start) => self.add_rows::<1>(start, bits),
                        3 if self.weigh::<3>(problem, i, start) => match waiting.take() {
                            Some((first, _)) => self.add_rows::<6>(first, bits),
                            None => waiting = Some((start, bits)),
                        },
                        4 if self.weigh::<4>(problem, i, start) => self.add_rows::<4>(start, bits),
                        6 if self.weigh::<6>(problem, i, start) => self.add_rows::<6>(start, bits),
                        _ => {}
                    }
                }
            }
        }
        if let Some((start, bits)) = waiting {
            self.add_rows::<3>(start, bits);
        }
        self.factor.run(self.n, self.stride);
    }

    fn solve(&mut self, x: &mut [f64x4]) {
        self.factor.solve(x, self.stride);
    }

    fn factor_inertia(&mut self) {
        self.inertia_factor.rows.clone_from(&self.inertia);
        self.inertia_factor.bits.clone_from(&self.inertia_bits);
        self.inertia_factor.plan();
        self.inertia_factor.run(self.n, self.stride);
    }

    fn solve_inertia(&self, x: &mut [f64x4]) {
        self.inertia_factor.solve(x, self.stride);
    }
}

/// Masks of the lanes before one.
static LEFT: [f64x4; 4] = {
    let (no, yes) = (0.0, f64::from_bits(u64::MAX));
    [
        f64x4::new([no, no, no, no]),
        f64x4::new([yes, no, no, no]),
        f64x4::new([yes, yes, no, no]),
        f64x4::new([yes, yes, yes, no]),
    ]
};

/// Chunks of a row that are kept in registers at once.
const TILE: usize = 6;

impl Factor {
    /// Adds what elimination will create to `bits`, and finds what goes where.
    fn plan(&mut self) {
        let n = self.bits.len();
        self.below.clear();
        self.below.resize(n, 0);
        for k in (0..n).rev() {
            let mut bits = self.bits[k];
            if bits != 0 {
                // what is left of the diagonal gets tied to the row of its last element
                let last = 63 - bits.leading_zeros() as usize;
                self.bits[last] |= bits & !bit(last);
            }
            while bits != 0 {
                self.below[bits.trailing_zeros() as usize] |= bit(k);
                bits &= bits - 1;
            }
        }
    }

    /// Factorises in place, from the last row to the first, so that a tree gets no fill.
    fn run(&mut self, n: usize, stride: usize) {
        zeros(&mut self.inverse, n);
        self.pivots.resize(n, 0.0);
        let mut k = n;
        while k > 0 {
            k -= 1;
            let below = self.below[k];
            if k > 0 && self.bits[k] & bit(k - 1) != 0 && below != 0 {
                // neighbours mostly get their shares from the same rows
                self.subtract::<2>(k - 1, below, stride);
                self.finish(k, stride);
                k -= 1;
                self.subtract::<1>(k, self.below[k] & !below, stride);
            } else {
                self.subtract::<1>(k, below, stride);
            }
            self.finish(k, stride);
        }
    }

    /// Subtracts from `R` rows, of which `first` is the first, what elimination of the rows in
    /// `bits` takes.
    #[inline]
    fn subtract<const R: usize>(&mut self, first: usize, bits: u64, stride: usize) {
        if bits == 0 {
            return;
        }
        let last = first + R - 1;
        let (above, below) = self.rows.split_at_mut((last + 1) * stride);
        let rows = &mut above[first * stride..];
        let sources = Sources { first: last + 1, bits, rows: below, stride };
        let pivots = &self.pivots;
        let chunks = last / 4 + 1;
        let mut start = 0;
        while start < chunks {
            let width = TILE.min(chunks - start);
            match width {
                1 => sources.subtract::<R, 1>(rows, start, first, pivots),
                2 => sources.subtract::<R, 2>(rows, start, first, pivots),
                3 => sources.subtract::<R, 3>(rows, start, first, pivots),
                4 => sources.subtract::<R, 4>(rows, start, first, pivots),
                5 => sources.subtract::<R, 5>(rows, start, first, pivots),
                _ => sources.subtract::<R, TILE>(rows, start, first, pivots),
            }
            start += width;
        }
    }

    /// Divides row `k` by its pivot.
    #[inline]
    fn finish(&mut self, k: usize, stride: usize) {
        let row = &mut self.rows[k * stride..k * stride + k / 4 + 1];
        let pivot = scalars(row)[k].max(MINVAL);
        let inverse = 1.0 / pivot;
        self.pivots[k] = pivot;
        scalars_mut(&mut self.inverse)[k] = inverse;
        for chunk in row.iter_mut() {
            *chunk *= f64x4::splat(inverse);
        }
        // only what is left of the diagonal is kept
        row[k / 4] &= LEFT[k % 4];
    }

    /// Solves in place, four rows at a time.
    fn solve(&self, x: &mut [f64x4], stride: usize) {
        let rows = |chunk: usize| -> [&[f64x4]; 4] {
            std::array::from_fn(|r| &self.rows[(4 * chunk + r) * stride..][..=chunk])
        };
        for chunk in (0..stride).rev() {
            let rows = rows(chunk);
            let mut own = x[chunk].to_array();
            for r in (1..4).rev() {
                for j in 0..r {
                    own[j] -= rows[r][chunk].as_array()[j] * own[r];
                }
            }
            x[chunk] = f64x4::new(own);
            let own = own.map(f64x4::splat);
            for (i, x) in x[..chunk].iter_mut().enumerate() {
                let mut sum = own[0] * rows[0][i];
                for r in 1..4 {
                    sum += own[r] * rows[r][i];
                }
                *x -= sum;
            }
        }
        for chunk in 0..stride {
            let rows = rows(chunk);
            let mut sums = [f64x4::ZERO; 4];
            for (i, x) in x[..chunk].iter().enumerate() {
                for r in 0..4 {
                    sums[r] += rows[r][i] * *x;
                }
            }
            let mut own = (x[chunk] * self.inverse[chunk]).to_array();
            for r in 0..4 {
                own[r] -= total(sums[r]);
                for j in 0..r {
                    own[r] -= rows[r][chunk].as_array()[j] * own[j];
                }
            }
            x[chunk] = f64x4::new(own);
        }
    }
}

/// Finished rows below those at hand.
struct Sources<'a> {
    first: usize,
    bits: u64,
    rows: &'a [f64x4],
    stride: usize,
}

impl Sources<'_> {
    /// Subtracts shares from `N` chunks, from `start` on, of `R` rows, of which the first is row
    /// `k`.
    #[inline]
    fn subtract<const R: usize, const N: usize>(
        &self,
        rows: &mut [f64x4],
        start: usize,
        k: usize,
        pivots: &[f64],
    ) {
        let mut sums = [[f64x4::ZERO; N]; R];
        for (r, sums) in sums.iter_mut().enumerate() {
            let at = r * self.stride + start;
            sums.copy_from_slice(&rows[at..at + N]);
        }
        let elements = scalars(self.rows);
        let mut bits = self.bits;
        while bits != 0 {
            let below = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let at = (below - self.first) * self.stride;
            let own: [f64; R] = elements[4 * at + k..][..R].try_into().unwrap_or([0.0; R]);
            let factors = own.map(|own| f64x4::splat(own * pivots[below]));
            let source = &self.rows[at + start..][..N];
            for i in 0..N {
                for r in 0..R {
                    sums[r][i] -= factors[r] * source[i];
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            let at = r * self.stride + start;
            rows[at..at + N].copy_from_slice(sums);
        }
    }
}
