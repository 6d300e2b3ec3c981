//! The problem in terms of forces: minimise `½ fᵀ (A + R) f + fᵀ b` with `A = J M⁻¹ Jᵀ`.

use std::ops::Range;

use wide::f64x4;

use super::jacobian::by_rank;
use crate::constraint::{Block, Kind, MAX_COUNT, MAX_RANK};
use crate::data::arena::ENTRY;
use crate::data::{MAX_ITERATIONS, SolverStat};
use crate::math::{MINVAL, dot, scalars, scalars_mut};
use crate::memory::reserve;
use crate::model::{ConstraintState, ConstraintType};
use crate::smooth::solve_m;
use crate::{Data, Model};

/// The stored rows of a block at one dof: up to four, then the rest.
type Column = [f64x4; 2];

/// Storage of the solvers in force space.
#[derive(Debug, Clone, Default)]
pub(super) struct Dual {
    /// `D^-½ L⁻ᵀ Jᵀ` of the stored rows: dofs and values of all blocks, and where those of each end.
    dofs: Vec<u32>,
    values: Vec<Column>,
    ends: Vec<usize>,
    /// One block in full length.
    full: Vec<Column>,
    used: Vec<bool>,
    /// Blocks by dof, with where those of each dof start; the blocks that share dofs with one, in
    /// order, and for which block each was met last.
    blocks_of_dof: Vec<u32>,
    first_of_dof: Vec<usize>,
    met: Vec<u32>,
    met_by: Vec<u32>,
    /// Products of two blocks: stored rows of the one with rows of the other, and rows with rows.
    half: [[f64; MAX_COUNT]; MAX_RANK],
    entries: [[f64; MAX_COUNT]; MAX_COUNT],
    /// One over the diagonal.
    pub(super) inverse: Vec<f64>,
    pub(super) old_state: Vec<i32>,
    product: Vec<f64>,
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
    data.rows.split();
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
        for list in [&mut self.values, &mut self.full] {
            list.fill([f64x4::splat(f64::NAN); 2]);
        }
        for list in [&mut self.inverse, &mut self.product] {
            list.fill(f64::NAN);
        }
    }

    fn half_solve(&mut self, model: &Model, data: &Data) {
        self.ends.clear();
        self.dofs.clear();
        self.values.clear();
        self.used.clear();
        self.used.resize(model.nv, false);
        self.full.clear();
        self.full.resize(model.nv, Column::default());
        for block in &data.rows.blocks {
            // dofs of the block and all their ancestors, increasing
            let first = self.dofs.len();
            for &dof in data.rows.dofs(block) {
                for &ancestor in &model.M_colind[model.m_row(dof as usize)] {
                    if !std::mem::replace(&mut self.used[ancestor as usize], true) {
                        self.dofs.push(ancestor as u32);
                    }
                }
            }
            let dofs = &mut self.dofs[first..];
            dofs.sort_unstable();
            for (&dof, column) in data.rows.dofs(block).iter().zip(data.rows.columns(block)) {
                let full = scalars_mut(&mut self.full[dof as usize]);
                full[..column.len()].copy_from_slice(column);
            }
            if block.rank > 4 {
                divide::<2>(model, data, &mut self.full, dofs);
            } else {
                divide::<1>(model, data, &mut self.full, dofs);
            }
            for &dof in dofs.iter() {
                let root = f64x4::splat(data.qLDiagInv[dof as usize].sqrt());
                let column = std::mem::take(&mut self.full[dof as usize]);
                self.values.push(column.map(|x| x * root));
                self.used[dof as usize] = false;
            }
            self.ends.push(self.dofs.len());
        }
    }

    /// Where dofs and values of a block are.
    fn range(&self, block: usize) -> Range<usize> {
        let start = if block == 0 { 0 } else { self.ends[block - 1] };
        start..self.ends[block]
    }

    fn dofs(&self, block: usize) -> &[u32] {
        &self.dofs[self.range(block)]
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
        if !model.is_sparse() {
            if !reserve(&mut data.efc_AR, nefc * nefc) {
                return false;
            }
            data.efc_AR.resize(nefc * nefc, 0.0);
        }
        for i in 0..data.rows.blocks.len() {
            self.meet(i);
            for (&dof, column) in self.dofs(i).iter().zip(&self.values[self.range(i)]) {
                full[dof as usize] = *column;
            }
            if model.is_sparse() {
                if !self.sparse_rows(data, &full, i, most) {
                    return false;
                }
            } else {
                self.dense_rows(data, &full, i);
            }
            for &dof in self.dofs(i) {
                full[dof as usize] = Column::default();
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
        let range = self.range(i);
        let Self { dofs, blocks_of_dof, first_of_dof, met, met_by, .. } = self;
        met.clear();
        for &dof in &dofs[range] {
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
    fn dense_rows(&mut self, data: &mut Data, full: &[Column], i: usize) {
        let Data { ref rows, ref mut efc_AR, nefc, .. } = *data;
        let own = &rows.blocks[i];
        let met = std::mem::take(&mut self.met);
        for j in met.iter().map(|&j| j as usize).skip_while(|&j| j < i) {
            let other = &rows.blocks[j];
            self.multiply_blocks(own, other, full, j);
            for (k, entries) in self.entries[..own.count].iter().enumerate() {
                let row = (own.row + k) * nefc + other.row;
                for (l, entry) in entries[..other.count].iter().enumerate() {
                    efc_AR[row + l] = *entry;
                    efc_AR[(other.row + l) * nefc + own.row + k] = *entry;
                }
            }
        }
        self.met = met;
    }

    /// Products of block `i`, which is laid out in `full`, with all that share dofs with it; false if
    /// they would be more than `most` with those before.
    fn sparse_rows(&mut self, data: &mut Data, full: &[Column], i: usize, most: usize) -> bool {
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
        let met = std::mem::take(&mut self.met);
        for &j in &met {
            let other = &data.rows.blocks[j as usize];
            self.multiply_blocks(&own, other, full, j as usize);
            for (k, entries) in self.entries[..own.count].iter().enumerate() {
                let at = start + k * length + column;
                for l in 0..other.count {
                    data.efc_AR[at + l] = entries[l];
                    data.efc_AR_colind[at + l] = (other.row + l) as i32;
                }
            }
            column += other.count;
        }
        self.met = met;
        true
    }

    /// Computes, to `entries`, the products of the rows of a block that is laid out in `full` with
    /// those of block `j`.
    fn multiply_blocks(&mut self, own: &Block, other: &Block, full: &[Column], j: usize) {
        let range = self.range(j);
        let (dofs, values) = (&self.dofs[range.clone()], &self.values[range]);
        let gram = if own.rank > 4 {
            by_rank!(other.rank, gram(full, dofs, values))
        } else {
            by_rank!(other.rank, narrow_gram(full, dofs, values))
        };
        // from stored rows to rows: those of the other block, then our own
        let half = &mut self.half;
        for (k, half) in half[..own.rank].iter_mut().enumerate() {
            let products: [f64; MAX_RANK] = std::array::from_fn(|l| scalars(&gram[l])[k]);
            other.spread(&products, &mut half[..other.count]);
        }
        match &own.kind {
            Kind::Unit | Kind::Plain => {
                self.entries[..own.count].copy_from_slice(&half[..own.count]);
            }
            Kind::Pyramid(friction) => {
                let (normal, tangents) = half[..own.rank].split_at(1);
                let pairs = self.entries.as_chunks_mut::<2>().0.iter_mut();
                for ((pair, tangent), friction) in pairs.zip(tangents).zip(friction) {
                    for l in 0..other.count {
                        let tangent = friction * tangent[l];
                        pair[0][l] = normal[0][l] + tangent;
                        pair[1][l] = normal[0][l] - tangent;
                    }
                }
            }
        }
    }
}

/// Divides the first `N` chunks of a block in full length by `Lᵀ`; `dofs` are those where it is not
/// zero.
#[inline]
fn divide<const N: usize>(model: &Model, data: &Data, full: &mut [Column], dofs: &[u32]) {
    for &dof in dofs.iter().rev() {
        let row = model.m_row(dof as usize);
        let left = row.start..row.end - 1;
        let own = full[dof as usize];
        for (&ancestor, value) in model.M_colind[left.clone()].iter().zip(&data.qLD[left]) {
            let column = &mut full[ancestor as usize];
            for n in 0..N {
                column[n] -= own[n] * f64x4::splat(*value);
            }
        }
    }
}

/// Products of a block that is laid out in `full` with each of the first `N` stored rows of another.
#[inline]
fn gram<const N: usize>(full: &[Column], dofs: &[u32], values: &[Column]) -> [Column; MAX_RANK] {
    let mut sums = [Column::default(); MAX_RANK];
    for (&dof, column) in dofs.iter().zip(values) {
        let own = full[dof as usize];
        for l in 0..N {
            let value = f64x4::splat(scalars(column)[l]);
            sums[l] = [sums[l][0] + own[0] * value, sums[l][1] + own[1] * value];
        }
    }
    sums
}

/// The same if the block that is laid out has no more than four stored rows.
#[inline]
fn narrow_gram<const N: usize>(
    full: &[Column],
    dofs: &[u32],
    values: &[Column],
) -> [Column; MAX_RANK] {
    let mut sums = [f64x4::ZERO; N];
    for (&dof, column) in dofs.iter().zip(values) {
        let own = full[dof as usize][0];
        for l in 0..N {
            sums[l] += own * f64x4::splat(scalars(column)[l]);
        }
    }
    let mut out = [Column::default(); MAX_RANK];
    for l in 0..N {
        out[l][0] = sums[l];
    }
    out
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
pub(super) fn row_product(model: &Model, data: &Data, row: usize) -> f64 {
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
    /// Computes one over the diagonal of `efc_AR`; without softness if `hard`.
    pub(super) fn invert_diagonal(&mut self, model: &Model, data: &Data, hard: bool) {
        self.inverse.clear();
        self.inverse.extend((0..data.nefc).map(|row| {
            let value = data.efc_AR[address(model, data, row, row)];
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
