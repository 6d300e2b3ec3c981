//! Islands of moderate size: full matrices in chunks of four, of which only what can be nonzero
//! is visited.

use wide::f64x4;

use super::factor::{Active, Factor, Terms, bit, each_bit};
use super::primal::System;
use super::problem::{Problem, zeros};
use crate::constraint::Kind;
use crate::math::{axpy_rows, axpy4, dot_rows, scalars, scalars_mut, totals};
use crate::{Data, Model};

/// Matrices of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Small {
    n: usize,
    /// Chunks per row.
    stride: usize,
    /// Mass matrix, lower triangle in whole chunks, and which elements left of its diagonal are not
    /// zero.
    inertia: Vec<f64x4>,
    inertia_bits: Vec<u64>,
    /// Stored rows of all blocks.
    jacobian: Vec<f64x4>,
    blocks: Vec<Stored>,
    /// The same rows, multiplied by the second derivative of their cost, if they are active.
    weighted: Vec<f64x4>,
    active: Vec<Active>,
    /// What rows with one element add to the diagonal of the Hessian.
    diagonal: Vec<f64x4>,
    /// What the Hessian can have left of its diagonal, whichever rows are active.
    hessian_bits: Vec<u64>,
    factor: Factor,
    inertia_factor: Factor,
}

/// Where the rows of a block are.
#[derive(Debug, Clone, Copy)]
enum Stored {
    /// One element of one row.
    Unit { dof: usize, value: f64 },
    /// Rows from `start` on, with these dofs, all of them in the first `width` chunks.
    Rows { start: usize, bits: u64, width: usize },
}

impl Small {
    /// Takes over mass matrix and Jacobian of the island.
    pub(super) fn load(&mut self, model: &Model, data: &Data, problem: &Problem, place: &[u32]) {
        let n = problem.dofs.len();
        self.n = n;
        self.stride = n.div_ceil(4);
        self.load_inertia(model, data, problem, place);
        self.load_jacobian(data, problem, place);

        self.weighted.resize(self.jacobian.len(), f64x4::ZERO);
        self.hessian_bits.clone_from(&self.inertia_bits);
        let mut last = 0;
        for stored in &self.blocks {
            if let Stored::Rows { bits, .. } = *stored
                && bits != last
            {
                each_bit(bits, |i| self.hessian_bits[i] |= bits & (bit(i) - 1));
                last = bits;
            }
        }
        self.factor.plan(&self.hessian_bits);
    }

    fn load_inertia(&mut self, model: &Model, data: &Data, problem: &Problem, place: &[u32]) {
        let stride = 4 * self.stride;
        if self.inertia_bits.len() != self.n {
            // in whole chunks of rows, too
            zeros(&mut self.inertia, stride * stride);
            self.inertia_bits.clear();
            self.inertia_bits.resize(self.n, 0);
        }
        let rows = scalars_mut(&mut self.inertia).chunks_exact_mut(stride);
        for (i, (row, &dof)) in rows.zip(&problem.dofs).enumerate() {
            let range = model.m_row(dof as usize);
            let (columns, values) = (&model.M_colind[range.clone()], &data.M[range]);
            let write = |row: &mut [f64]| {
                let mut bits = 0;
                for (&column, &value) in columns.iter().zip(values) {
                    let j = place[column as usize] as usize;
                    row[j] = value;
                    bits |= bit(j);
                }
                bits & !bit(i)
            };
            let bits = write(row);
            if bits != self.inertia_bits[i] {
                // the last step had something elsewhere
                row.fill(0.0);
                self.inertia_bits[i] = write(row);
            }
        }
        // blocks on the diagonal are kept whole
        let inertia = scalars_mut(&mut self.inertia);
        for i in 0..self.n {
            for j in i / 4 * 4..i {
                inertia[j * stride + i] = inertia[i * stride + j];
            }
        }
    }

    fn load_jacobian(&mut self, data: &Data, problem: &Problem, place: &[u32]) {
        let stride = 4 * self.stride;
        self.jacobian.clear();
        self.blocks.clear();
        for block in &problem.blocks {
            let (dofs, values) = (data.rows.dofs(block), data.rows.values(block));
            if block.kind == Kind::Unit {
                let dof = place[dofs[0] as usize] as usize;
                self.blocks.push(Stored::Unit { dof, value: scalars(values)[0] });
                continue;
            }
            let start = self.jacobian.len();
            self.jacobian.resize(start + block.rank * self.stride, f64x4::ZERO);
            let rows = scalars_mut(&mut self.jacobian[start..]);
            let bits = match block.rank {
                1 => scatter::<1, 1>(rows, stride, dofs, values, place),
                3 => scatter::<3, 1>(rows, stride, dofs, values, place),
                4 => scatter::<4, 1>(rows, stride, dofs, values, place),
                _ => scatter::<6, 2>(rows, stride, dofs, values, place),
            };
            let width = 16 - bits.leading_zeros() as usize / 4;
            self.blocks.push(Stored::Rows { start, bits, width });
        }
    }

    /// Multiplies the `N` stored rows of a block by the second derivative of its cost, and lists
    /// them if that is not zero.
    #[inline]
    fn weigh<const N: usize>(&mut self, problem: &Problem, block: usize) {
        let Stored::Rows { start, bits, width } = self.blocks[block] else { return };
        let Some(weight) = problem.weight::<N>(block) else { return };
        let stride = self.stride;
        let rows: [&[f64x4]; N] =
            std::array::from_fn(|k| &self.jacobian[start + k * stride..][..width]);
        for (k, weight) in weight.iter().enumerate() {
            let out = &mut self.weighted[start + k * stride..][..width];
            for (i, out) in out.iter_mut().enumerate() {
                let mut sum = rows[0][i] * weight[0];
                for l in 1..N {
                    sum += rows[l][i] * weight[l];
                }
                *out = sum;
            }
        }
        self.active.push(Active { start, rank: N, bits });
    }
}

/// Writes the entries of `N` stored rows, in `C` chunks by dof, to rows of full length. Returns
/// where they are.
#[inline]
fn scatter<const N: usize, const C: usize>(
    rows: &mut [f64],
    stride: usize,
    dofs: &[u32],
    values: &[f64x4],
    place: &[u32],
) -> u64 {
    let mut bits = 0;
    for (&dof, column) in dofs.iter().zip(values.as_chunks::<C>().0) {
        let (dof, column) = (place[dof as usize] as usize, scalars(column));
        bits |= bit(dof);
        for k in 0..N {
            rows[k * stride + dof] = column[k];
        }
    }
    bits
}

impl System for Small {
    fn mul_inertia(&self, out: &mut [f64x4], x: &[f64x4]) {
        for block in 0..self.stride {
            // four rows, and the columns above their ends
            let rows: [&[f64x4]; 4] =
                std::array::from_fn(|r| &self.inertia[(4 * block + r) * self.stride..][..=block]);
            let left = &x[..block];
            let spread = x[block].to_array().map(f64x4::splat);
            let mut sums = [f64x4::ZERO; 4];
            for (i, (x, out)) in left.iter().zip(&mut *out).enumerate() {
                let mut column = *out;
                for r in 0..4 {
                    sums[r] += rows[r][i] * *x;
                    column += rows[r][i] * spread[r];
                }
                *out = column;
            }
            let mut sum = totals(sums);
            for r in 0..4 {
                sum += rows[r][block] * spread[r];
            }
            out[block] = sum;
        }
    }

    fn mul_jacobian(&self, problem: &Problem, out: &mut [f64], x: &[f64x4]) {
        for (block, stored) in problem.blocks.iter().zip(&self.blocks) {
            let out = &mut out[block.row..block.row + block.count];
            match *stored {
                Stored::Unit { dof, value } => out[0] = value * scalars(x)[dof],
                Stored::Rows { start, width, .. } => {
                    let (rows, x) = (&self.jacobian[start..], &x[..width]);
                    match block.rank {
                        1 => block.spread(&dot_rows::<1>(rows, self.stride, x), out),
                        3 => block.spread(&dot_rows::<3>(rows, self.stride, x), out),
                        4 => block.spread(&dot_rows::<4>(rows, self.stride, x), out),
                        _ => block.spread(&dot_rows::<6>(rows, self.stride, x), out),
                    }
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
                Stored::Rows { start, width, .. } => {
                    let y = block.gather(f);
                    let (rows, out) = (&self.jacobian[start..], &mut out[..width]);
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
        zeros(&mut self.diagonal, self.n);
        self.active.clear();
        for i in 0..problem.blocks.len() {
            match (self.blocks[i], problem.blocks[i].rank) {
                (Stored::Unit { dof, .. }, _) => {
                    if let Some([[weight]]) = problem.weight::<1>(i) {
                        scalars_mut(&mut self.diagonal)[dof] += weight;
                    }
                }
                (_, 1) => self.weigh::<1>(problem, i),
                (_, 3) => self.weigh::<3>(problem, i),
                (_, 4) => self.weigh::<4>(problem, i),
                _ => self.weigh::<6>(problem, i),
            }
        }
        let terms = Terms {
            inertia: &self.inertia,
            diagonal: &self.diagonal,
            active: &self.active,
            jacobian: &self.jacobian,
            weighted: &self.weighted,
        };
        self.factor.run(&terms, self.stride);
    }

    fn solve(&mut self, x: &mut [f64x4]) {
        self.factor.solve(x, self.stride);
    }

    fn factor_inertia(&mut self) {
        zeros(&mut self.diagonal, self.n);
        self.inertia_factor.plan(&self.inertia_bits);
        let terms = Terms {
            inertia: &self.inertia,
            diagonal: &self.diagonal,
            active: &[],
            jacobian: &[],
            weighted: &[],
        };
        self.inertia_factor.run(&terms, self.stride);
    }

    fn solve_inertia(&self, x: &mut [f64x4]) {
        self.inertia_factor.solve(x, self.stride);
    }
}
