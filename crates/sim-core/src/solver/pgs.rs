//! Projected Gauss-Seidel: one constraint after the other, in the order of the rows.

use super::dual::{self, Dual, cost_change, diagonal_block, states};
use super::qcqp::slide;
use crate::math::MINVAL;
use crate::model::ConstraintType;
use crate::{Data, Model};

/// Solves for `efc_force`, from what it holds.
pub(super) fn solve(model: &Model, data: &mut Data, work: &mut Dual) {
    let scale = 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64);
    work.invert_diagonal(model, data, false);
    work.gradient(model, data);
    states(data);
    let mut iterations = 0;
    while iterations < model.opt.iterations.max(0) as usize {
        let improvement = scale * sweep(model, data, work);
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

/// Goes over all rows once, and returns the improvement.
fn sweep(model: &Model, data: &mut Data, work: &mut Dual) -> f64 {
    let (ne, nf) = (data.ne, data.nf);
    let mut improvement = 0.0;
    let mut row = 0;
    while row < data.nefc {
        if data.efc_type[row] == ConstraintType::ContactElliptic as i32 {
            let dim = data.contact[data.efc_id[row] as usize].dim as usize;
            improvement -= elliptic(model, data, row, dim, work);
            row += dim;
            continue;
        }
        let (slope, inverse) = (work.slope[row], work.inverse[row]);
        let old = data.efc_force[row];
        let mut force = old - slope * inverse;
        if row >= ne + nf {
            force = if force < 0.0 { 0.0 } else { force };
        } else if row >= ne {
            let bound = data.efc_frictionloss[row];
            force = if force < -bound { -bound } else { force };
            force = if force > bound { bound } else { force };
        }
        data.efc_force[row] = force;
        let own = &mut data.efc_force[row..row + 1];
        improvement -= cost_change(&[1.0 / inverse], own, &[old], &[slope]);
        work.follow(model, data, row, data.efc_force[row] - old);
        row += 1;
    }
    improvement
}

/// Updates one elliptic contact: first the normal force, or the whole force along its own
/// direction; then friction, with the normal force kept. Returns the change of the cost.
fn elliptic(model: &Model, data: &mut Data, row: usize, dim: usize, work: &mut Dual) -> f64 {
    let inverse = work.inverse[row];
    let mut slope = [0.0; 6];
    slope[..dim].copy_from_slice(&work.slope[row..row + dim]);
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
        work.follow(model, data, row + k, data.efc_force[row + k] - old[k]);
    }
    change
}
