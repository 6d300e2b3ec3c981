//! The problem in terms of forces: minimise `½ fᵀ (A + R) f + fᵀ b` with `A = J M⁻¹ Jᵀ`.

use wide::f64x4;

use crate::constraint::{Block, Kind, MAX_COUNT, MAX_RANK};
use crate::data::arena::ENTRY;
use crate::data::{MAX_ITERATIONS, SolverStat};
use crate::math::{MINVAL, axpy, dot, load4, scalars};
use crate::memory::reserve;
use crate::model::{ConstraintState, ConstraintType};
use crate::smooth::solve_m;
use crate::{Data, Model};

/// Place for the stored rows of a block at one dof, in whole chunks.
const LANES: usize = 8;

/// Storage of the solvers in force space.
#[derive(Debug, Clone, Default)]
pub(super) struct Dual {
    /// `D^-½ L⁻ᵀ Jᵀ` of the stored rows: where each block starts, how wide it is, its dofs and
    /// values.
    starts: Vec<usize>,
    dofs: Vec<u32>,
    ends: Vec<usize>,
    values: Vec<f64>,
    /// Stored rows of one block in full length.
    full: Vec<f64>,
    used: Vec<bool>,
    /// Blocks by dof, with where those of each dof start; the blocks that share dofs with one, in
    /// order, and for which block each was met last.
    blocks_of_dof: Vec<u32>,
    first_of_dof: Vec<usize>,
    met: Vec<u32>,
    met_by: Vec<u32>,
    /// One over the diagonal.
    pub(super) inverse: Vec<f64>,
    pub(super) old_state: Vec<i32>,
    product: Vec<f64>,
    /// Gradient of the cost by the forces.
    pub(super) slope: Vec<f64>,
}

/// Computes `efc_AR = J M⁻¹ Jᵀ + R` for solvers in force space. Runs after `make_constraint` and
/// `factor_m`.
#[doc(alias = "mj_projectConstraint")]
pub fn project_constraint(model: &Model, data: &mut Data) {
    if data.nefc == 0 || !model.is_dual() {
        return;
    }
    if !model.is_sparse() {
        data.drop_rows_if_full(model, data.nefc.saturating_mul(data.nefc).saturating_mul(8));
    }
    if data.nefc == 0 {
        return;
    }
    let mut work = data.work.solver.take().unwrap_or_default();
    work.dual.half_solve(model, data);
    let fits = work.dual.multiply(model, data);
    data.work.solver = Some(work);
    if !fits {
        data.drop_rows(model);
    }
}

impl Dual {
    /// Makes all numbers unusable.
    pub(super) fn poison(&mut self) {
        for list in [
            &mut self.values,
            &mut self.full,
            &mut self.inverse,
            &mut self.product,
            &mut self.slope,
        ] {
            list.fill(f64::NAN);
        }
    }

    fn half_solve(&mut self, model: &Model, data: &Data) {
        let nv = model.nv;
        self.starts.clear();
        self.ends.clear();
        self.dofs.clear();
        self.values.clear();
        self.used.clear();
        self.used.resize(nv, false);
        self.full.clear();
        self.full.resize(MAX_RANK * nv, 0.0);
        for block in &data.rows.blocks {
            // dofs of the block and all their ancestors, increasing
            let first = self.dofs.len();
            for &dof in data.rows.dofs(block) {
                let start = model.M_rowadr[dof as usize] as usize;
                for adr in start..start + model.M_rownnz[dof as usize] as usize {
                    let ancestor = model.M_colind[adr];
                    if !std::mem::replace(&mut self.used[ancestor as usize], true) {
                        self.dofs.push(ancestor as u32);
                    }
                }
            }
            let dofs = &mut self.dofs[first..];
            dofs.sort_unstable();
            self.starts.push(self.values.len());
            for k in 0..block.rank {
                let x = &mut self.full[..nv];
                for (dof, value) in data.rows.row(block, k) {
                    x[dof] = value;
                }
                for &dof in dofs.iter().rev() {
                    let start = model.M_rowadr[dof as usize] as usize;
                    let diagonal = start + model.M_rownnz[dof as usize] as usize - 1;
                    let value = x[dof as usize];
                    for adr in start..diagonal {
                        x[model.M_colind[adr] as usize] -= data.qLD[adr] * value;
                    }
                }
                for &dof in dofs.iter() {
                    let value = std::mem::take(&mut x[dof as usize]);
                    self.values.push(value * data.qLDiagInv[dof as usize].sqrt());
                }
            }
            for &dof in dofs.iter() {
                self.used[dof as usize] = false;
            }
            self.ends.push(self.dofs.len());
        }
    }

    fn dofs(&self, block: usize) -> &[u32] {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        &self.dofs[start..self.ends[block]]
    }

    /// Computes `efc_AR`; false if there is no room for it.
    fn multiply(&mut self, model: &Model, data: &mut Data) -> bool {
        let nefc = data.nefc;
        let most = data.arena_left(model).unwrap_or(0) / ENTRY;
        data.efc_AR.clear();
        data.efc_AR_rownnz.clear();
        data.efc_AR_rowadr.clear();
        data.efc_AR_colind.clear();
        self.index_blocks(model.nv);
        let mut full = std::mem::take(&mut self.full);
        full.clear();
        full.resize(LANES * model.nv, 0.0);
        if !model.is_sparse() {
            if !reserve(&mut data.efc_AR, nefc * nefc) {
                return false;
            }
            data.efc_AR.resize(nefc * nefc, 0.0);
        }
        for i in 0..data.rows.blocks.len() {
            let width = self.dofs(i).len();
            self.meet(i);
            for (at, &dof) in self.dofs(i).iter().enumerate() {
                for k in 0..data.rows.blocks[i].rank {
                    full[dof as usize * LANES + k] = self.values[self.starts[i] + k * width + at];
                }
            }
            if model.is_sparse() {
                if !self.sparse_rows(data, &full, i, most) {
                    return false;
                }
            } else {
                self.dense_rows(data, &full, i);
            }
            for &dof in self.dofs(i) {
                full[dof as usize * LANES..][..LANES].fill(0.0);
            }
        }
        for row in 0..nefc {
            let diagonal = address(model, data, row, row);
            data.efc_AR[diagonal] += data.efc_R[row];
        }
        self.full = full;
        data.nA = data.efc_AR.len();
        true
    }

    /// Lists the blocks of each of `nv` dofs, in order.
    fn index_blocks(&mut self, nv: usize) {
        let Self { dofs, ends, blocks_of_dof, first_of_dof, met_by, .. } = self;
        first_of_dof.clear();
        first_of_dof.resize(nv + 1, 0);
        for &dof in dofs.iter() {
            first_of_dof[dof as usize] += 1;
        }
        let mut end = 0;
        for first in first_of_dof.iter_mut() {
            end += *first;
            *first = end;
        }
        // placed from the end of each list to its start
        blocks_of_dof.clear();
        blocks_of_dof.resize(dofs.len(), 0);
        for (block, &end) in ends.iter().enumerate().rev() {
            let start = if block == 0 { 0 } else { ends[block - 1] };
            for &dof in &dofs[start..end] {
                let place = &mut first_of_dof[dof as usize];
                *place -= 1;
                blocks_of_dof[*place] = block as u32;
            }
        }
        met_by.clear();
        met_by.resize(ends.len(), u32::MAX);
    }

    /// Finds the blocks that share dofs with block `i`, itself among them.
    fn meet(&mut self, i: usize) {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        let Self { dofs, ends, blocks_of_dof, first_of_dof, met, met_by, .. } = self;
        met.clear();
        for &dof in &dofs[start..ends[i]] {
            let dof = dof as usize;
            for &block in &blocks_of_dof[first_of_dof[dof]..first_of_dof[dof + 1]] {
                if std::mem::replace(&mut met_by[block as usize], i as u32) != i as u32 {
                    met.push(block);
                }
            }
        }
        met.sort_unstable();
    }

    /// Products of block `i`, which is laid out in `full`, with itself and those behind it, on both
    /// sides of the diagonal.
    fn dense_rows(&self, data: &mut Data, full: &[f64], i: usize) {
        let (nefc, own) = (data.nefc, data.rows.blocks[i]);
        let behind = self.met.iter().map(|&j| j as usize).skip_while(|&j| j < i);
        for j in behind {
            let other = data.rows.blocks[j];
            let entries = spread(&own, &other, &self.gram(full, j, own.rank, other.rank));
            for k in 0..own.count {
                for l in 0..other.count {
                    data.efc_AR[(own.row + k) * nefc + other.row + l] = entries[k][l];
                    data.efc_AR[(other.row + l) * nefc + own.row + k] = entries[k][l];
                }
            }
        }
    }

    /// Products of block `i`, which is laid out in `full`, with all that share dofs with it; false if
    /// they would be more than `most` with those before.
    fn sparse_rows(&self, data: &mut Data, full: &[f64], i: usize, most: usize) -> bool {
        let own = data.rows.blocks[i];
        // rows of this block are made side by side; each starts here
        let start = data.efc_AR.len();
        let length: usize = self.met.iter().map(|&j| data.rows.blocks[j as usize].count).sum();
        let more = own.count * length;
        if start + more > most
            || !reserve(&mut data.efc_AR, more)
            || !reserve(&mut data.efc_AR_colind, more)
        {
            return false;
        }
        data.efc_AR.resize(start + own.count * length, 0.0);
        data.efc_AR_colind.resize(start + own.count * length, 0);
        for k in 0..own.count {
            data.efc_AR_rownnz.push(length as i32);
            data.efc_AR_rowadr.push((start + k * length) as i32);
        }
        let mut column = 0;
        for j in self.met.iter().map(|&j| j as usize) {
            let other = data.rows.blocks[j];
            let entries = spread(&own, &other, &self.gram(full, j, own.rank, other.rank));
            for (k, entries) in entries[..own.count].iter().enumerate() {
                let at = start + k * length + column;
                for l in 0..other.count {
                    data.efc_AR[at + l] = entries[l];
                    data.efc_AR_colind[at + l] = (other.row + l) as i32;
                }
            }
            column += other.count;
        }
        true
    }

    /// Products of the block that is laid out in `full` with block `j`.
    fn gram(
        &self,
        full: &[f64],
        j: usize,
        rank: usize,
        ranks: usize,
    ) -> [[f64; MAX_RANK]; MAX_RANK] {
        let dofs = self.dofs(j);
        let mut gram = [[0.0; MAX_RANK]; MAX_RANK];
        for l in 0..ranks {
            let values = &self.values[self.starts[j] + l * dofs.len()..][..dofs.len()];
            let mut sums = [f64x4::ZERO; 2];
            for (&dof, &value) in dofs.iter().zip(values) {
                let column = &full[dof as usize * LANES..][..LANES];
                sums[0] += load4(column, 0) * value;
                if rank > 4 {
                    sums[1] += load4(column, 4) * value;
                }
            }
            for k in 0..rank {
                gram[k][l] = scalars(&sums)[k];
            }
        }
        gram
    }
}

/// From products of stored rows to products of rows.
fn spread(
    own: &Block,
    other: &Block,
    gram: &[[f64; MAX_RANK]; MAX_RANK],
) -> [[f64; MAX_COUNT]; MAX_COUNT] {
    let mut half = [[0.0; MAX_COUNT]; MAX_RANK];
    for k in 0..own.rank {
        expand(other, &gram[k], &mut half[k]);
    }
    let mut out = [[0.0; MAX_COUNT]; MAX_COUNT];
    for l in 0..other.count {
        let column: [f64; MAX_RANK] = std::array::from_fn(|k| half[k][l]);
        let mut rows = [0.0; MAX_COUNT];
        expand(own, &column, &mut rows);
        for k in 0..own.count {
            out[k][l] = rows[k];
        }
    }
    out
}

fn expand(block: &Block, y: &[f64; MAX_RANK], out: &mut [f64; MAX_COUNT]) {
    if block.kind == Kind::Unit {
        out[0] = y[0];
    } else {
        block.spread(y, &mut out[..block.count]);
    }
}

impl Dual {
    /// The cost of `efc_force`.
    pub(super) fn cost(&mut self, model: &Model, data: &Data) -> f64 {
        self.product.clear();
        self.product.extend((0..data.nefc).map(|row| row_product(model, data, row)));
        dot(&data.efc_force, &data.efc_b) + 0.5 * dot(&data.efc_force, &self.product)
    }
}

/// Product of a row of `efc_AR` with the forces.
fn row_product(model: &Model, data: &Data, row: usize) -> f64 {
    if model.is_sparse() {
        let start = data.efc_AR_rowadr[row] as usize;
        let columns = start..start + data.efc_AR_rownnz[row] as usize;
        let forces = data.efc_AR_colind[columns.clone()].iter();
        forces
            .zip(&data.efc_AR[columns])
            .map(|(&column, value)| value * data.efc_force[column as usize])
            .sum()
    } else {
        dot(&data.efc_AR[row * data.nefc..(row + 1) * data.nefc], &data.efc_force)
    }
}

/// Gradient of the cost by the forces of `N` rows from `first` on; without softness if `hard`.
pub(super) fn residual(
    model: &Model,
    data: &Data,
    first: usize,
    count: usize,
    hard: bool,
) -> [f64; 6] {
    let mut out = [0.0; 6];
    for (k, out) in out[..count].iter_mut().enumerate() {
        let row = first + k;
        *out = data.efc_b[row] + row_product(model, data, row);
        if hard {
            *out -= data.efc_R[row] * data.efc_force[row];
        }
    }
    out
}

/// The square of `efc_AR` on the diagonal from row `first` on, by rows; without softness if
/// `hard`.
pub(super) fn diagonal_block(
    model: &Model,
    data: &Data,
    first: usize,
    count: usize,
    hard: bool,
) -> [f64; 36] {
    let mut out = [0.0; 36];
    for k in 0..count {
        let row = first + k;
        let start = address(model, data, row, first);
        out[k * count..(k + 1) * count].copy_from_slice(&data.efc_AR[start..start + count]);
        if hard {
            out[k * count + k] = 1e-10f64.max(out[k * count + k] - data.efc_R[row]);
        }
    }
    out
}

/// Where `efc_AR` has the element at `row` and `column`, which share dofs.
fn address(model: &Model, data: &Data, row: usize, column: usize) -> usize {
    if !model.is_sparse() {
        return row * data.nefc + column;
    }
    let start = data.efc_AR_rowadr[row] as usize;
    let columns = &data.efc_AR_colind[start..start + data.efc_AR_rownnz[row] as usize];
    start + columns.iter().position(|&other| other as usize == column).unwrap_or(0)
}

impl Dual {
    /// Computes the gradient of the cost by all forces.
    pub(super) fn gradient(&mut self, model: &Model, data: &Data) {
        self.slope.clear();
        let slope = |row| data.efc_b[row] + row_product(model, data, row);
        self.slope.extend((0..data.nefc).map(slope));
    }

    /// Changes the gradient with the force of `row`.
    #[inline]
    pub(super) fn follow(&mut self, model: &Model, data: &Data, row: usize, change: f64) {
        if change == 0.0 {
            return;
        }
        if model.is_sparse() {
            let start = data.efc_AR_rowadr[row] as usize;
            let columns = start..start + data.efc_AR_rownnz[row] as usize;
            let values = &data.efc_AR[columns.clone()];
            for (&column, value) in data.efc_AR_colind[columns].iter().zip(values) {
                self.slope[column as usize] += value * change;
            }
        } else {
            axpy(&mut self.slope, change, &data.efc_AR[row * data.nefc..(row + 1) * data.nefc]);
        }
    }

    /// Computes one over the diagonal of `efc_AR`; without softness if `hard`.
    pub(super) fn invert_diagonal(&mut self, model: &Model, data: &Data, hard: bool) {
        self.inverse.clear();
        self.inverse.extend((0..data.nefc).map(|row| {
            let value = diagonal_block(model, data, row, 1, false)[0];
            1.0 / if hard { MINVAL.max(value - data.efc_R[row]) } else { value }
        }));
    }

    /// Renews the states, and keeps the statistics of an iteration.
    pub(super) fn finish_iteration(&mut self, data: &mut Data, iteration: usize, improvement: f64) {
        self.old_state.clone_from(&data.efc_state);
        let active = states(data);
        let changed = data.efc_state.iter().zip(&self.old_state).filter(|(a, b)| a != b).count();
        if let Some(stat) = data.solver[..MAX_ITERATIONS].get_mut(iteration) {
            *stat = SolverStat {
                improvement,
                nactive: active as i32,
                nchange: changed as i32,
                ..SolverStat::default()
            };
        }
    }
}

/// By how much the cost of a block has changed; a rise is undone.
pub(super) fn cost_change(block: &[f64], force: &mut [f64], old: &[f64], residual: &[f64]) -> f64 {
    let n = force.len();
    let mut delta = [0.0; 6];
    for k in 0..n {
        delta[k] = force[k] - old[k];
    }
    let mut change = 0.0;
    for k in 0..n {
        let product: f64 = (0..n).map(|l| block[k * n + l] * delta[l]).sum();
        change += 0.5 * delta[k] * product + delta[k] * residual[k];
    }
    if change > 1e-10 {
        force.copy_from_slice(&old[..n]);
        return 0.0;
    }
    change
}

/// Computes `efc_state` from the forces, and returns the number of active rows.
pub(super) fn states(data: &mut Data) -> usize {
    let (ne, nf, nefc) = (data.ne, data.nf, data.nefc);
    data.efc_state.resize(nefc, 0);
    let mut active = ne + nf;
    data.efc_state[..ne].fill(ConstraintState::Quadratic as i32);
    for row in ne..ne + nf {
        let (force, bound) = (data.efc_force[row], data.efc_frictionloss[row]);
        data.efc_state[row] = if force <= -bound {
            ConstraintState::LinearPos
        } else if force >= bound {
            ConstraintState::LinearNeg
        } else {
            ConstraintState::Quadratic
        } as i32;
    }
    let mut row = ne + nf;
    while row < nefc {
        if data.efc_type[row] != ConstraintType::ContactElliptic as i32 {
            let pushes = data.efc_force[row] > 0.0;
            data.efc_state[row] = i32::from(pushes);
            active += usize::from(pushes);
            row += 1;
            continue;
        }
        let contact = &data.contact[data.efc_id[row] as usize];
        let dim = contact.dim as usize;
        let normal = data.efc_force[row] / contact.mu;
        let tangent = (1..dim)
            .map(|k| {
                let force = data.efc_force[row + k] / contact.friction[k - 1];
                force * force
            })
            .sum::<f64>()
            .sqrt();
        let state = if contact.mu * normal >= tangent {
            ConstraintState::Satisfied
        } else if normal + contact.mu * tangent <= 0.0 {
            ConstraintState::Quadratic
        } else {
            ConstraintState::Cone
        };
        active += if state == ConstraintState::Satisfied { 0 } else { dim };
        data.efc_state[row..row + dim].fill(state as i32);
        row += dim;
    }
    active
}

/// From constraint forces to forces on the dofs and accelerations.
pub(super) fn finish(model: &Model, data: &mut Data) {
    data.rows.mul_transposed(&mut data.qfrc_constraint, &data.efc_force);
    let mut change = std::mem::take(&mut data.work.dof);
    change.copy_from_slice(&data.qfrc_constraint);
    solve_m(model, data, &mut change);
    for dof in 0..model.nv {
        data.qacc[dof] = change[dof] + data.qacc_smooth[dof];
    }
    data.work.dof = change;
}
