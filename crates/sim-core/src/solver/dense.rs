//! Islands of moderate size: full matrices in chunks of four, of which only what can be nonzero
//! is visited.

use wide::f64x4;

use super::primal::Matrices;
use super::problem::{Problem, Weight, zeros};
use super::view::View;
use crate::constraint::{Kind, MAX_RANK};
use crate::math::{Active, Terms, TiledLdl, bit, each_bit};
use crate::math::{scalars, scalars_mut, total, totals};

/// Matrices of an island.
#[derive(Debug, Clone, Default)]
pub(super) struct Dense {
    n: usize,
    /// Chunks per row.
    stride: usize,
    /// Mass matrix, lower triangle in whole chunks, and which elements left of its diagonal are not
    /// zero.
    inertia: Vec<f64x4>,
    inertia_bits: Vec<u64>,
    /// Stored rows of all blocks, chunk by chunk: those of all rows of a block lie side by side.
    jacobian: Vec<f64x4>,
    blocks: Vec<Stored>,
    /// The same rows, multiplied by the second derivative of their cost, if they are active.
    weighted: Vec<f64x4>,
    active: Vec<Active>,
    /// What rows with one element add to the diagonal of the Hessian.
    diagonal: Vec<f64x4>,
    /// What the Hessian is made of: the number of dofs, what the mass matrix has left of its
    /// diagonal, and the dofs of blocks; now, and when the factorisation was planned.
    parts: Vec<u64>,
    planned: Vec<u64>,
    /// What the Hessian can have left of its diagonal.
    hessian_bits: Vec<u64>,
    factor: TiledLdl,
    inertia_factor: TiledLdl,
}

/// Where the rows of a block are.
#[derive(Debug, Clone, Copy)]
enum Stored {
    /// One element of one row.
    Unit { dof: usize, value: f64 },
    /// Rows from `start` on, `width` chunks of each, with these dofs.
    Rows { start: usize, width: usize, bits: u64 },
}

impl Dense {
    /// Takes over mass matrix and Jacobian of the island.
    pub(super) fn load(&mut self, view: View<'_>, problem: &Problem) {
        let n = problem.dofs.len();
        self.n = n;
        self.stride = n.div_ceil(4);
        self.load_inertia(view);
        self.load_jacobian(view, problem);

        self.weighted.resize(self.jacobian.len(), f64x4::ZERO);
        self.parts.clear();
        self.parts.push(n as u64);
        self.parts.extend_from_slice(&self.inertia_bits);
        let mut last = 0;
        for stored in &self.blocks {
            if let Stored::Rows { bits, .. } = *stored
                && bits != last
            {
                self.parts.push(bits);
                last = bits;
            }
        }
        if self.parts != self.planned {
            self.planned.clone_from(&self.parts);
            self.plan();
        }
    }

    /// Plans the factorisation of the Hessian, whichever rows are active.
    fn plan(&mut self) {
        let (inertia, rows) = self.planned[1..].split_at(self.n);
        self.hessian_bits.clear();
        self.hessian_bits.extend_from_slice(inertia);
        for &bits in rows {
            each_bit(bits, |i| self.hessian_bits[i] |= bits & (bit(i) - 1));
        }
        self.factor.plan(&self.hessian_bits);
    }

    fn load_inertia(&mut self, view: View<'_>) {
        let stride = 4 * self.stride;
        if self.inertia_bits.len() != self.n {
            // in whole chunks of rows, too
            zeros(&mut self.inertia, stride * stride);
            self.inertia_bits.clear();
            self.inertia_bits.resize(self.n, 0);
        }
        let inertia = scalars_mut(&mut self.inertia);
        for i in 0..self.n {
            // either all ancestors or none
            let bits = view.parent(i).map_or(0, |parent| self.inertia_bits[parent] | bit(parent));
            let source = view.inertia_row(i);
            let row = &mut inertia[i * stride..(i + 1) * stride];
            if bits != self.inertia_bits[i] {
                // the last step had something elsewhere
                row.fill(0.0);
                self.inertia_bits[i] = bits;
            }
            for (column, &value) in source.columns().zip(source.left) {
                row[column] = value;
            }
            row[i] = source.diagonal;
        }
        // blocks on the diagonal are kept whole
        for i in 0..self.n {
            for j in i / 4 * 4..i {
                inertia[j * stride + i] = inertia[i * stride + j];
            }
        }
    }

    fn load_jacobian(&mut self, view: View<'_>, problem: &Problem) {
        self.jacobian.clear();
        self.blocks.clear();
        for block in &problem.blocks {
            let (dofs, values) = (view.block_dofs(block), view.block_values(block));
            // dofs keep their order
            let last = view.last_dof(block);
            if block.kind == Kind::Unit {
                self.blocks.push(Stored::Unit { dof: last, value: values[0] });
                continue;
            }
            let (start, width) = (self.jacobian.len(), last / 4 + 1);
            self.jacobian.resize(start + block.rank * width, f64x4::ZERO);
            let rows = &mut self.jacobian[start..];
            let bits = match block.rank {
                1 => scatter::<1, 1>(rows, dofs, values),
                3 => scatter::<3, 4>(rows, dofs, values),
                4 => scatter::<4, 4>(rows, dofs, values),
                _ => scatter::<6, 8>(rows, dofs, values),
            };
            self.blocks.push(Stored::Rows { start, width, bits });
        }
    }

    /// Multiplies the `N` stored rows of a block by the second derivative of its cost, and lists
    /// them if that is not zero.
    #[inline]
    fn weigh<const N: usize>(&mut self, problem: &Problem, block: usize) {
        let Stored::Rows { start, width, bits } = self.blocks[block] else { return };
        let weight = problem.weight::<N>(block);
        let range = start..start + N * width;
        let rows = self.jacobian[range.clone()].as_chunks::<N>().0;
        let weighted = self.weighted[range].as_chunks_mut::<N>().0;
        match weight {
            Weight::None => return,
            Weight::Diagonal(weight) => {
                for (rows, weighted) in rows.iter().zip(weighted) {
                    for k in 0..N {
                        weighted[k] = rows[k] * weight[k];
                    }
                }
            }
            Weight::Full(weight) => {
                for (rows, weighted) in rows.iter().zip(weighted) {
                    for k in 0..N {
                        weighted[k] = rows[0] * weight[k][0];
                        for l in 1..N {
                            weighted[k] += rows[l] * weight[k][l];
                        }
                    }
                }
            }
        }
        self.active.push(Active { start, rank: N, bits });
    }
}

/// Writes the entries of `N` stored rows, in `L` lanes by dof, to rows in chunks. Returns where
/// they are.
#[inline]
fn scatter<const N: usize, const L: usize>(
    rows: &mut [f64x4],
    dofs: impl Iterator<Item = usize>,
    values: &[f64],
) -> u64 {
    let mut bits = 0;
    let rows = rows.as_chunks_mut::<N>().0;
    for (dof, column) in dofs.zip(values.as_chunks::<L>().0) {
        bits |= bit(dof);
        let rows = scalars_mut(&mut rows[dof / 4]);
        for k in 0..N {
            rows[4 * k + dof % 4] = column[k];
        }
    }
    bits
}

/// Products of `N` rows with `x`.
#[inline]
fn products<const N: usize>(rows: &[f64x4], x: &[f64x4]) -> [f64; N] {
    let mut sums = [f64x4::ZERO; N];
    for (rows, x) in rows.as_chunks::<N>().0.iter().zip(x) {
        for k in 0..N {
            sums[k] += rows[k] * *x;
        }
    }
    sums.map(total)
}

/// Adds `N` rows, each times its element of `y`, to `out`.
#[inline]
fn accumulate<const N: usize>(out: &mut [f64x4], y: &[f64; MAX_RANK], rows: &[f64x4]) {
    let mut factors = [f64x4::ZERO; N];
    for k in 0..N {
        factors[k] = f64x4::splat(y[k]);
    }
    for (rows, out) in rows.as_chunks::<N>().0.iter().zip(out) {
        let mut sum = factors[0] * rows[0];
        for k in 1..N {
            sum += factors[k] * rows[k];
        }
        *out += sum;
    }
}

impl Matrices for Dense {
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
                    let rows = &self.jacobian[start..start + block.rank * width];
                    match block.rank {
                        1 => block.spread(&products::<1>(rows, x), out),
                        3 => block.spread(&products::<3>(rows, x), out),
                        4 => block.spread(&products::<4>(rows, x), out),
                        _ => block.spread(&products::<6>(rows, x), out),
                    }
                }
            }
        }
    }

    fn mul_transposed(&mut self, problem: &Problem, out: &mut [f64x4], f: &[f64]) {
        out.fill(f64x4::ZERO);
        for (block, stored) in problem.blocks.iter().zip(&self.blocks) {
            let f = &f[block.row..block.row + block.count];
            match *stored {
                Stored::Unit { dof, value } => scalars_mut(out)[dof] += value * f[0],
                Stored::Rows { start, width, .. } => {
                    let y = block.gather(f);
                    let rows = &self.jacobian[start..start + block.rank * width];
                    match block.rank {
                        1 => accumulate::<1>(out, &y, rows),
                        3 => accumulate::<3>(out, &y, rows),
                        4 => accumulate::<4>(out, &y, rows),
                        _ => accumulate::<6>(out, &y, rows),
                    }
                }
            }
        }
    }

    fn factor_solve(&mut self, problem: &Problem, x: &mut [f64x4]) {
        zeros(&mut self.diagonal, self.n);
        self.active.clear();
        for i in 0..problem.blocks.len() {
            match (self.blocks[i], problem.blocks[i].rank) {
                (Stored::Unit { dof, .. }, _) => {
                    if let Weight::Diagonal([weight]) = problem.weight::<1>(i) {
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
        self.factor.run(&terms, self.stride, Some(x));
        self.factor.solve_downwards(x, self.stride);
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
        self.inertia_factor.run(&terms, self.stride, None);
    }

    fn solve_inertia(&self, x: &mut [f64x4]) {
        self.inertia_factor.solve(x, self.stride);
    }
}
