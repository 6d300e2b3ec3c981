//! Projected Gauss-Seidel: one constraint after the other, in the order of the rows.
//!
//! Each force goes to where the gradient of the cost by it is zero, or to its bound. The gradient is
//! kept up to date, and divided by the diagonal of the matrix: then the change of a force is known
//! as soon as its own gradient is, with nothing but comparisons.

use wide::f64x4;

use super::dual::{self, Dual, cost_change, diagonal_block, row_product, states};
use super::qcqp::slide;
use crate::math::{MINVAL, axpy_in_turn, axpy4, scalars, scalars_mut};
use crate::model::ConstraintType;
use crate::{Data, Model};

/// Solves for `efc_force`, from what it holds.
pub(super) fn solve(model: &Model, data: &mut Data, work: &mut Dual, scaled: &mut Scaled) {
    let scale = 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64);
    work.invert_diagonal(model, data, false);
    scaled.load(model, data, &work.inverse);
    states(data);
    let mut iterations = 0;
    while iterations < model.opt.iterations.max(0) as usize {
        let improvement = scale * scaled.sweep(model, data, &work.inverse);
        work.finish_iteration(data, iterations, improvement);
        iterations += 1;
        if improvement < model.opt.tolerance || data.is_interrupted(iterations, data.nefc) {
            break;
        }
    }
    data.solver_niter[0] += iterations as i32;
    data.solver_nnz[0] = data.nA as i32;
    dual::finish(model, data);
}

/// The problem, divided by the diagonal of `efc_AR`.
#[derive(Debug, Clone, Default)]
pub(super) struct Scaled {
    /// Columns of the matrix, each element divided by the diagonal of its row: in full, of `stride`
    /// chunks each, or those of the pattern of `efc_AR`.
    columns: Vec<f64x4>,
    stride: usize,
    /// The gradient of the cost by the forces, divided.
    slope: Vec<f64x4>,
    rows: Vec<Row>,
}

/// What a sweep knows of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    /// The element of `efc_AR` on the diagonal.
    diagonal: f64,
    /// Least and largest force.
    least: f64,
    largest: f64,
    /// Rows of the elliptic contact that the row belongs to; otherwise 1.
    dim: usize,
}

/// Rows whose forces are changed before the rest of the gradient is.
const BLOCK: usize = 4;

impl Scaled {
    /// Makes all numbers unusable.
    pub(super) fn poison(&mut self) {
        self.columns.fill(f64x4::splat(f64::NAN));
        self.slope.fill(f64x4::splat(f64::NAN));
        self.rows.fill(Row { diagonal: f64::NAN, ..Row::default() });
    }

    /// Divides matrix and gradient by the diagonal, of which `inverse` is one over.
    fn load(&mut self, model: &Model, data: &Data, inverse: &[f64]) {
        let Data { nefc, ne, nf, ref efc_AR, ref efc_AR_colind, .. } = *data;
        self.stride = nefc.div_ceil(4);
        self.slope.clear();
        self.slope.resize(self.stride, f64x4::ZERO);
        for (row, slope) in scalars_mut(&mut self.slope)[..nefc].iter_mut().enumerate() {
            *slope = (data.efc_b[row] + row_product(model, data, row)) * inverse[row];
        }

        // the matrix is symmetric: a column is a row
        self.columns.clear();
        if model.is_sparse() {
            self.columns.resize(efc_AR.len().div_ceil(4), f64x4::ZERO);
            let entries = efc_AR.iter().zip(efc_AR_colind);
            for (out, (value, &row)) in scalars_mut(&mut self.columns).iter_mut().zip(entries) {
                *out = value * inverse[row as usize];
            }
        } else {
            self.columns.resize(nefc * self.stride, f64x4::ZERO);
            let columns = scalars_mut(&mut self.columns).chunks_exact_mut(4 * self.stride);
            for (column, values) in columns.zip(efc_AR.chunks_exact(nefc)) {
                for ((out, value), inverse) in column.iter_mut().zip(values).zip(inverse) {
                    *out = value * inverse;
                }
            }
        }

        self.rows.clear();
        self.rows.extend((0..nefc).map(|row| {
            let loss = data.efc_frictionloss[row];
            let (least, largest) = match row {
                row if row < ne => (f64::NEG_INFINITY, f64::INFINITY),
                row if row < ne + nf => (-loss, loss),
                _ => (0.0, f64::INFINITY),
            };
            let elliptic = data.efc_type[row] == ConstraintType::ContactElliptic as i32;
            let dim =
                if elliptic { data.contact[data.efc_id[row] as usize].dim as usize } else { 1 };
            Row { diagonal: 1.0 / inverse[row], least, largest, dim }
        }));
    }

    /// Goes over all rows once, and returns the improvement.
    fn sweep(&mut self, model: &Model, data: &mut Data, inverse: &[f64]) -> f64 {
        let (mut improvement, mut row) = (0.0, 0);
        while let Some(&Row { dim, .. }) = self.rows.get(row) {
            if dim > 1 {
                improvement -= self.elliptic(model, data, row, dim, inverse[row]);
            } else if model.is_sparse() {
                let slope = scalars(&self.slope)[row];
                let change =
                    self.rows[row].relax(slope, &mut data.efc_force[row], &mut improvement);
                self.follow(model, data, row, change);
            } else if self.is_block(row) {
                self.block::<BLOCK>(row, &mut data.efc_force, &mut improvement);
                row += BLOCK;
                continue;
            } else {
                self.block::<1>(row, &mut data.efc_force, &mut improvement);
            }
            row += dim;
        }
        improvement
    }

    /// Whether a block of rows starts here that is worth while: long ones, none of them elliptic.
    fn is_block(&self, first: usize) -> bool {
        let rows = self.rows.get(first..first + BLOCK);
        self.stride > BLOCK && rows.is_some_and(|rows| rows.iter().all(|row| row.dim == 1))
    }

    /// Changes the forces of `N` rows one after the other. Each is told what those before it do to its
    /// own slope; all other slopes hear of the whole block at once.
    #[inline]
    fn block<const N: usize>(&mut self, first: usize, force: &mut [f64], improvement: &mut f64) {
        let columns = &self.columns[first * self.stride..];
        let mut slope: [f64; N] = std::array::from_fn(|k| scalars(&self.slope)[first + k]);
        let mut change = [0.0; N];
        for k in 0..N {
            change[k] = self.rows[first + k].relax(slope[k], &mut force[first + k], improvement);
            for later in k + 1..N {
                slope[later] += change[k] * scalars(&columns[k * self.stride..])[first + later];
            }
        }
        if change != [0.0; N] {
            axpy_in_turn(&mut self.slope, change, columns, self.stride);
        }
    }

    /// Changes the gradient with the force of `row`.
    fn follow(&mut self, model: &Model, data: &Data, row: usize, change: f64) {
        if change == 0.0 {
            return;
        }
        if model.is_sparse() {
            let start = data.efc_AR_rowadr[row] as usize;
            let entries = start..start + data.efc_AR_rownnz[row] as usize;
            let slope = scalars_mut(&mut self.slope);
            let values = &scalars(&self.columns)[entries.clone()];
            for (&other, value) in data.efc_AR_colind[entries].iter().zip(values) {
                slope[other as usize] += value * change;
            }
        } else {
            axpy4(&mut self.slope, change, &self.columns[row * self.stride..]);
        }
    }

    /// Updates one elliptic contact: first the normal force, or the whole force along its own
    /// direction; then friction, with the normal force kept. Returns the change of the cost.
    fn elliptic(
        &mut self,
        model: &Model,
        data: &mut Data,
        row: usize,
        dim: usize,
        inverse: f64,
    ) -> f64 {
        let mut slope = [0.0; 6];
        for (k, slope) in slope[..dim].iter_mut().enumerate() {
            *slope = scalars(&self.slope)[row + k] * self.rows[row + k].diagonal;
        }
        let block = diagonal_block(model, data, row, dim, false);
        let friction = data.contact[data.efc_id[row] as usize].friction;
        let force = &mut data.efc_force[row..row + dim];
        let mut old = [0.0; 6];
        old[..dim].copy_from_slice(force);

        if force[0] < MINVAL {
            force[0] -= slope[0] * inverse;
            if force[0] < 0.0 {
                force[0] = 0.0;
            }
            force[1..].fill(0.0);
        } else {
            let (mut curvature, mut along) = (0.0, 0.0);
            for k in 0..dim {
                let product: f64 = (0..dim).map(|l| block[k * dim + l] * old[l]).sum();
                curvature += old[k] * product;
                along += old[k] * slope[k];
            }
            if curvature >= MINVAL {
                let mut x = -along / curvature;
                if force[0] + x * old[0] < 0.0 {
                    x = -old[0] / force[0];
                }
                for k in 0..dim {
                    force[k] += x * old[k];
                }
            }
        }

        let n = dim - 1;
        let (mut a, mut b) = ([0.0; 25], [0.0; 5]);
        for k in 0..n {
            b[k] = slope[k + 1];
            let mut product = 0.0;
            for l in 0..n {
                a[k * n + l] = block[(k + 1) * dim + l + 1];
                product += a[k * n + l] * old[l + 1];
            }
            b[k] -= product;
            b[k] += block[(k + 1) * dim] * (force[0] - old[0]);
        }
        let (normal, tangent) = force.split_at_mut(1);
        slide(tangent, &a, &b, &friction, normal[0]);
        let change = cost_change(&block[..dim * dim], force, &old, &slope);
        for k in 0..dim {
            self.follow(model, data, row + k, data.efc_force[row + k] - old[k]);
        }
        change
    }
}

impl Row {
    /// Moves a force to where its slope is zero, or to its bound, and returns its change. A rise of the
    /// cost is undone.
    #[inline]
    fn relax(&self, slope: f64, force: &mut f64, improvement: &mut f64) -> f64 {
        let (old, Row { least, largest, .. }) = (*force, *self);
        // what is not a number stays so
        let change = clamp(-slope, least - old, largest - old);
        let rise = self.diagonal * change * (0.5 * change + slope);
        if rise > 1e-10 {
            return 0.0;
        }
        *improvement -= rise;
        *force = clamp(old - slope, least, largest);
        change
    }
}

/// The number nearest to `x` between two bounds.
#[inline]
fn clamp(x: f64, least: f64, largest: f64) -> f64 {
    let x = if largest < x { largest } else { x };
    if x < least { least } else { x }
}
