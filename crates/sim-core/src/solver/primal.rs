use wide::f64x4;

use super::line_search::{LineSearch, Step};
use super::problem::Problem;
use crate::data::{MAX_ISLANDS, MAX_ITERATIONS, SolverStat};
use crate::math::{MINVAL, dot4, total};
use crate::model::ConstraintState;
use crate::{Data, Model};

/// How the next direction is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    Newton,
    /// Polak-Ribière, preconditioned with the mass matrix.
    Conjugate,
}

/// Mass matrix and Jacobian of an island, however they are stored.
pub(super) trait Matrices {
    /// `out = M x`.
    fn mul_inertia(&self, out: &mut [f64x4], x: &[f64x4]);
    /// `out = J x`.
    fn mul_jacobian(&self, problem: &Problem, out: &mut [f64], x: &[f64x4]);
    /// `out = Jᵀ f`.
    fn mul_transposed(&mut self, problem: &Problem, out: &mut [f64x4], f: &[f64]);
    /// Assembles and factorises the Hessian at the current states, and solves with it.
    fn factor_solve(&mut self, problem: &Problem, x: &mut [f64x4]);
    /// Solves with the Hessian that was factorised last.
    fn solve(&mut self, x: &mut [f64x4]);
    /// Factorises the mass matrix.
    fn factor_inertia(&mut self);
    /// Solves with the mass matrix.
    fn solve_inertia(&self, x: &mut [f64x4]);
}

/// Finds the next direction, from the gradient. `changed`: the Hessian differs from the previous
/// call's (always true on the first call).
fn update_direction(
    problem: &mut Problem,
    matrices: &mut impl Matrices,
    direction: Direction,
    changed: bool,
) {
    let mut mgrad = std::mem::take(&mut problem.mgrad);
    mgrad.copy_from_slice(&problem.grad);
    let mut beta = 0.0;
    match direction {
        Direction::Newton if changed => matrices.factor_solve(problem, &mut mgrad),
        Direction::Newton => matrices.solve(&mut mgrad),
        Direction::Conjugate => {
            if changed {
                matrices.factor_inertia();
            }
            matrices.solve_inertia(&mut mgrad);
            let product = dot4(&problem.grad, &mgrad);
            if !changed {
                beta = ((product - problem.mixed) / MINVAL.max(problem.product)).max(0.0);
            }
            problem.product = product;
        }
    }
    // the direction of before may be anything at the start
    for (search, mgrad) in problem.search.iter_mut().zip(&mgrad) {
        *search = if beta == 0.0 { -*mgrad } else { *search * f64x4::splat(beta) - *mgrad };
    }
    problem.mgrad = mgrad;
}

/// Computes `M v` and `J v` of the direction `v`.
pub(super) fn multiply_direction(problem: &mut Problem, matrices: &impl Matrices) {
    matrices.mul_inertia(&mut problem.mv, &problem.search);
    let mut jv = std::mem::take(&mut problem.jv);
    matrices.mul_jacobian(problem, &mut jv, &problem.search);
    problem.jv = jv;
}

/// Minimises the cost over accelerations, from the point that `problem` is at. Returns whether the
/// Hessian that was factorised last is the one at the point where the search has ended.
pub(super) fn solve(
    model: &Model,
    data: &mut Data,
    problem: &mut Problem,
    matrices: &mut impl Matrices,
    search: &mut LineSearch,
    direction: Direction,
    island: Option<usize>,
) -> bool {
    let tolerance = model.opt.tolerance;
    let place = island.unwrap_or(0);
    let mut gauss = follow(problem, None);
    let mut cost = gauss + update(problem, matrices);
    gradient(problem);
    update_direction(problem, matrices, direction, true);

    let mut iterations = 0;
    // whether there was a step since the last direction
    let mut moved = false;
    while iterations < model.opt.iterations.max(0) as usize {
        let step = search.run(model, problem, matrices, gauss);
        if step.alpha == 0.0 {
            break;
        }
        gauss = follow(problem, Some(step.alpha));
        crate::math::axpy(&mut problem.jar, step.alpha, &problem.jv);

        let others = problem.ne..;
        problem.old_state[others.clone()].copy_from_slice(&problem.state[others]);
        let old_cost = cost;
        cost = gauss + update(problem, matrices);
        let slope = problem.scale * gradient(problem);
        let improvement = problem.scale * (old_cost - cost);
        if place < MAX_ISLANDS && iterations < MAX_ITERATIONS {
            let stat = statistics(problem, &step, direction);
            data.solver[place * MAX_ITERATIONS + iterations] =
                SolverStat { improvement, gradient: slope, ..stat };
        }
        iterations += 1;
        moved = true;
        if improvement < tolerance
            || slope < tolerance
            || data.is_interrupted(iterations, problem.dofs.len())
        {
            break;
        }

        let changed = direction == Direction::Newton && hessian_changes(problem);
        update_direction(problem, matrices, direction, changed);
        moved = false;
    }
    if place < MAX_ISLANDS {
        data.solver_niter[place] += iterations as i32;
        let n = problem.dofs.len() as i32;
        data.solver_nnz[place] =
            if direction == Direction::Newton { n.saturating_mul(n) } else { 0 };
    }
    direction == Direction::Newton && !(moved && hessian_changes(problem))
}

/// Whether the last step has changed the Hessian. With the same states and no cones it has not.
fn hessian_changes(problem: &Problem) -> bool {
    let [state, old_state] = inequality_states(problem);
    state != old_state || state.contains(&(ConstraintState::Cone as i32))
}

/// States at the current point and at the one before, without those of equalities, which never
/// change.
fn inequality_states(problem: &Problem) -> [&[i32]; 2] {
    [&problem.state, &problem.old_state].map(|state| &state[problem.ne..])
}

/// Follows the direction for a step of that length, if there is one. Returns the Gauss cost.
fn follow(problem: &mut Problem, alpha: Option<f64>) -> f64 {
    let n = problem.qacc.len();
    let (qacc, ma) = (&mut problem.qacc[..n], &mut problem.ma[..n]);
    let (search, mv) = (&problem.search[..n], &problem.mv[..n]);
    let (qacc_smooth, qfrc_smooth) = (&problem.qacc_smooth[..n], &problem.qfrc_smooth[..n]);
    let step = alpha.map(f64x4::splat);
    let mut sum = f64x4::ZERO;
    for i in 0..n {
        // the direction of before may be anything at the start
        if let Some(step) = step {
            qacc[i] += step * search[i];
            ma[i] += step * mv[i];
        }
        sum += (ma[i] - qfrc_smooth[i]) * (qacc[i] - qacc_smooth[i]);
    }
    0.5 * total(sum)
}

/// Forces and states at the current point, and the cost of the rows.
fn update(problem: &mut Problem, matrices: &mut impl Matrices) -> f64 {
    let mut force = std::mem::take(&mut problem.force);
    let cost = problem.row_cost.take().unwrap_or_else(|| {
        let mut state = std::mem::take(&mut problem.state);
        let cost = problem.law().update(&problem.jar, &mut force, &mut state);
        problem.state = state;
        cost
    });
    let mut qfrc = std::mem::take(&mut problem.qfrc_constraint);
    matrices.mul_transposed(problem, &mut qfrc, &force);
    problem.qfrc_constraint = qfrc;
    problem.force = force;
    cost
}

/// Gradient of the cost, and its product with the divided gradient of before. Returns its length.
fn gradient(problem: &mut Problem) -> f64 {
    let n = problem.grad.len();
    let (grad, mgrad, ma) = (&mut problem.grad[..n], &problem.mgrad[..n], &problem.ma[..n]);
    let (smooth, constraint) = (&problem.qfrc_smooth[..n], &problem.qfrc_constraint[..n]);
    let (mut square, mut mixed) = (f64x4::ZERO, f64x4::ZERO);
    for i in 0..n {
        grad[i] = ma[i] - smooth[i] - constraint[i];
        square += grad[i] * grad[i];
        mixed += grad[i] * mgrad[i];
    }
    problem.mixed = total(mixed);
    total(square).sqrt()
}

/// What an iteration did, but for improvement and gradient.
fn statistics(problem: &Problem, step: &Step, direction: Direction) -> SolverStat {
    let (satisfied, quadratic, cone) = (
        ConstraintState::Satisfied as i32,
        ConstraintState::Quadratic as i32,
        ConstraintState::Cone as i32,
    );
    let (mut active, mut changed, mut updated) = (problem.ne as i32, 0, 0);
    let [state, old_state] = inequality_states(problem);
    for (&new, &old) in state.iter().zip(old_state) {
        active += i32::from(new != satisfied);
        changed += i32::from(new != old);
        // rank-one updates that the reference makes: rows that enter or leave, and all cones
        updated += i32::from((new == quadratic) != (old == quadratic)) + i32::from(new == cone);
    }
    SolverStat {
        lineslope: step.slope,
        nactive: active,
        nchange: changed,
        neval: step.evaluations as i32,
        nupdate: if direction == Direction::Newton { updated } else { 0 },
        ..SolverStat::default()
    }
}
