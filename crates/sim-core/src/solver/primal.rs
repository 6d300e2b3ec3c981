use wide::f64x4;

use super::line_search::{LineSearch, Step};
use super::problem::Problem;
use crate::data::SolverStat;
use crate::math::{MINVAL, axpy4, dot4};
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
pub(super) trait System {
    /// `out = M x`.
    fn mul_inertia(&self, out: &mut [f64x4], x: &[f64x4]);
    /// `out = J x`.
    fn mul_jacobian(&self, problem: &Problem, out: &mut [f64], x: &[f64x4]);
    /// `out = Jᵀ f`.
    fn mul_transposed(&self, problem: &Problem, out: &mut [f64x4], f: &[f64]);
    /// Assembles and factorises the Hessian at the current states, and solves with it.
    fn factor_solve(&mut self, problem: &Problem, x: &mut [f64x4]);
    /// Solves with the Hessian that was factorised last.
    fn solve(&mut self, x: &mut [f64x4]);
    /// Factorises the mass matrix.
    fn factor_inertia(&mut self);
    /// Solves with the mass matrix.
    fn solve_inertia(&self, x: &mut [f64x4]);
}

/// The most islands and iterations of which statistics are kept.
const ISLANDS: usize = 20;
const ITERATIONS: usize = 200;

/// Minimises the cost over accelerations, from the point that `problem` is at.
pub(super) fn solve(
    model: &Model,
    data: &mut Data,
    problem: &mut Problem,
    system: &mut impl System,
    search: &mut LineSearch,
    direction: Direction,
    island: Option<usize>,
) {
    let tolerance = model.opt.tolerance;
    let place = island.unwrap_or(0);
    if direction == Direction::Conjugate {
        system.factor_inertia();
    }
    let mut gauss = 0.0;
    let mut cost = update(problem, system, &mut gauss);
    gradient(problem, system, direction, true);
    for (search, mgrad) in problem.search.iter_mut().zip(&problem.mgrad) {
        *search = -*mgrad;
    }

    let mut iterations = 0;
    while iterations < model.opt.iterations.max(0) as usize {
        let step = search.run(model, problem, system, gauss);
        if step.alpha == 0.0 {
            break;
        }
        axpy4(&mut problem.qacc, step.alpha, &problem.search);
        axpy4(&mut problem.ma, step.alpha, &problem.mv);
        crate::math::axpy(&mut problem.jar, step.alpha, &problem.jv);

        problem.old_state.copy_from_slice(&problem.state);
        let old_cost = cost;
        cost = update(problem, system, &mut gauss);
        if direction == Direction::Conjugate {
            problem.old_grad.copy_from_slice(&problem.grad);
            problem.old_mgrad.copy_from_slice(&problem.mgrad);
        }
        for i in 0..problem.grad.len() {
            problem.grad[i] = problem.ma[i] - problem.qfrc_smooth[i] - problem.qfrc_constraint[i];
        }
        let improvement = problem.scale * (old_cost - cost);
        let slope = problem.scale * dot4(&problem.grad, &problem.grad).sqrt();
        if place < ISLANDS && iterations < ITERATIONS {
            let stat = statistics(problem, &step, direction);
            data.solver[place * ITERATIONS + iterations] =
                SolverStat { improvement, gradient: slope, ..stat };
        }
        iterations += 1;
        if improvement < tolerance || slope < tolerance {
            break;
        }

        match direction {
            Direction::Newton => {
                // with the same states and no cones, the Hessian is the one of before
                let same = problem.state == problem.old_state
                    && !problem.state.contains(&(ConstraintState::Cone as i32));
                precondition(problem, system, direction, !same);
                for (search, mgrad) in problem.search.iter_mut().zip(&problem.mgrad) {
                    *search = -*mgrad;
                }
            }
            Direction::Conjugate => {
                precondition(problem, system, direction, false);
                let new = dot4(&problem.grad, &problem.mgrad);
                let mixed = dot4(&problem.grad, &problem.old_mgrad);
                let old = dot4(&problem.old_grad, &problem.old_mgrad);
                let beta = ((new - mixed) / MINVAL.max(old)).max(0.0);
                for (search, mgrad) in problem.search.iter_mut().zip(&problem.mgrad) {
                    *search = *search * f64x4::splat(beta) - *mgrad;
                }
            }
        }
    }
    if place < ISLANDS {
        data.solver_niter[place] += iterations as i32;
        let n = problem.dofs.len() as i32;
        data.solver_nnz[place] =
            if direction == Direction::Newton { n.saturating_mul(n) } else { 0 };
    }
}

/// Forces, states and cost at the current point; also the Gauss part of the cost.
fn update(problem: &mut Problem, system: &impl System, gauss: &mut f64) -> f64 {
    let mut force = std::mem::take(&mut problem.force);
    let cost = problem.row_cost.take().unwrap_or_else(|| {
        let mut state = std::mem::take(&mut problem.state);
        let cost = problem.law().update(&problem.jar, &mut force, &mut state);
        problem.state = state;
        cost
    });
    let mut qfrc = std::mem::take(&mut problem.qfrc_constraint);
    system.mul_transposed(problem, &mut qfrc, &force);
    problem.qfrc_constraint = qfrc;
    problem.force = force;

    let mut sum = f64x4::ZERO;
    for i in 0..problem.ma.len() {
        sum +=
            (problem.ma[i] - problem.qfrc_smooth[i]) * (problem.qacc[i] - problem.qacc_smooth[i]);
    }
    *gauss = 0.5 * crate::math::total(sum);
    cost + *gauss
}

/// Gradient of the cost, plain and preconditioned.
fn gradient(problem: &mut Problem, system: &mut impl System, direction: Direction, changed: bool) {
    for i in 0..problem.grad.len() {
        problem.grad[i] = problem.ma[i] - problem.qfrc_smooth[i] - problem.qfrc_constraint[i];
    }
    precondition(problem, system, direction, changed);
}

/// Divides the gradient by the Hessian or the mass matrix.
fn precondition(
    problem: &mut Problem,
    system: &mut impl System,
    direction: Direction,
    changed: bool,
) {
    problem.mgrad.copy_from_slice(&problem.grad);
    match direction {
        Direction::Newton if changed => {
            let mut mgrad = std::mem::take(&mut problem.mgrad);
            system.factor_solve(problem, &mut mgrad);
            problem.mgrad = mgrad;
        }
        Direction::Newton => system.solve(&mut problem.mgrad),
        Direction::Conjugate => system.solve_inertia(&mut problem.mgrad),
    }
}

/// What an iteration did, but for improvement and gradient.
fn statistics(problem: &Problem, step: &Step, direction: Direction) -> SolverStat {
    let (satisfied, quadratic, cone) = (
        ConstraintState::Satisfied as i32,
        ConstraintState::Quadratic as i32,
        ConstraintState::Cone as i32,
    );
    let (mut active, mut changed, mut updated) = (0, 0, 0);
    for (&new, &old) in problem.state.iter().zip(&problem.old_state) {
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
