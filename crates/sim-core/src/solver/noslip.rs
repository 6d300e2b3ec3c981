//! A second pass in which friction is hard: what slips only because constraints are soft is held.

use super::dual::{self, Dual, cost_change, diagonal_block, residual, states};
use super::qcqp::slide;
use crate::math::MINVAL;
use crate::model::ConstraintType;
use crate::{Data, Model};

/// Improves the friction forces in `efc_force`.
pub(super) fn solve(model: &Model, data: &mut Data, work: &mut Dual) {
    let scale = 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64);
    work.invert_diagonal(model, data, true);
    states(data);
    let before = data.solver_niter[0].max(0) as usize;
    let mut iterations = 0;
    while iterations < model.opt.noslip_iterations.max(0) as usize {
        let mut improvement = 0.0;
        if iterations == 0 {
            // softness no longer counts
            let softness = data.efc_force.iter().zip(&data.efc_R);
            improvement += softness.map(|(force, r)| 0.5 * force * force * r).sum::<f64>();
        }
        improvement += sweep(model, data, &work.inverse);
        improvement *= scale;
        work.finish_iteration(data, before + iterations, improvement);
        iterations += 1;
        if improvement < model.opt.noslip_tolerance || data.is_interrupted(iterations, data.nefc) {
            break;
        }
    }
    data.solver_niter[0] += iterations as i32;
    dual::finish(model, data);
}

fn sweep(model: &Model, data: &mut Data, inverse: &[f64]) -> f64 {
    let (ne, nf) = (data.ne, data.nf);
    let mut improvement = 0.0;
    for row in ne..ne + nf {
        let slope = residual(model, data, row, 1, true)[0];
        let old = data.efc_force[row];
        let bound = data.efc_frictionloss[row];
        let mut force = old - slope * inverse[row];
        force = if force < -bound { -bound } else { force };
        force = if force > bound { bound } else { force };
        data.efc_force[row] = force;
        let delta = force - old;
        improvement -= 0.5 * delta * delta / inverse[row] + delta * slope;
    }
    let mut row = ne + nf;
    while row < data.nefc {
        let kind = data.efc_type[row];
        if kind == ConstraintType::ContactPyramidal as i32 {
            let dim = data.contact[data.efc_id[row] as usize].dim as usize;
            for k in 0..dim - 1 {
                improvement -= edges(model, data, row + 2 * k);
            }
            row += 2 * (dim - 1);
        } else if kind == ConstraintType::ContactElliptic as i32 {
            let dim = data.contact[data.efc_id[row] as usize].dim as usize;
            improvement -= tangents(model, data, row, dim);
            row += dim;
        } else {
            row += 1;
        }
    }
    improvement
}

/// Shifts force between two opposite edges of a pyramid, keeping their sum.
fn edges(model: &Model, data: &mut Data, row: usize) -> f64 {
    let slope = residual(model, data, row, 2, true);
    let block = diagonal_block(model, data, row, 2, true);
    let old = [data.efc_force[row], data.efc_force[row + 1]];
    let b = [0, 1].map(|k| slope[k] - (block[2 * k] * old[0] + block[2 * k + 1] * old[1]));
    let mean = 0.5 * (old[0] + old[1]);
    let curvature = block[0] + block[3] - block[1] - block[2];
    let constant = mean * (block[0] - block[3]) + b[0] - b[1];
    let force = &mut data.efc_force[row..row + 2];
    if curvature < MINVAL {
        force.fill(mean);
    } else {
        let half = -constant / curvature;
        let pair = if half < -mean {
            [0.0, 2.0 * mean]
        } else if half > mean {
            [2.0 * mean, 0.0]
        } else {
            [mean + half, mean - half]
        };
        force.copy_from_slice(&pair);
    }
    cost_change(&block[..4], force, &old, &slope)
}

/// Improves the friction of an elliptic contact.
fn tangents(model: &Model, data: &mut Data, row: usize, dim: usize) -> f64 {
    let n = dim - 1;
    let slope = residual(model, data, row + 1, n, true);
    let block = diagonal_block(model, data, row + 1, n, true);
    let friction = data.contact[data.efc_id[row] as usize].friction;
    let normal = data.efc_force[row];
    let force = &mut data.efc_force[row + 1..row + dim];
    let mut old = [0.0; 6];
    old[..n].copy_from_slice(force);
    let (mut a, mut b) = ([0.0; 25], [0.0; 5]);
    a[..n * n].copy_from_slice(&block[..n * n]);
    for k in 0..n {
        let product: f64 = (0..n).map(|l| a[k * n + l] * old[l]).sum();
        b[k] = slope[k] - product;
    }
    slide(force, &a, &b, &friction, normal);
    cost_change(&block[..n * n], force, &old, &slope)
}
