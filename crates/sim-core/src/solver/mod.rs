//! From constraint rows to forces and accelerations.
//!
//! Newton and CG minimise, over accelerations, the Gauss cost plus the cost of the rows; they work
//! on one island at a time. PGS and the noslip pass work on the forces. All of them go through the
//! iterates of the reference; how matrices are stored and factorised is ours.

mod dual;
mod elimination;
mod factor;
mod inertia;
mod large;
mod line_search;
mod noslip;
mod panels;
mod pgs;
mod primal;
mod problem;
mod qcqp;
mod reduced;
mod small;

pub use dual::project_constraint;

use crate::constraint::{Cone, Law, cones};
use crate::model::{ConstraintState, Disable, Solver};
use crate::smooth::mul_m;
use crate::{Data, Model};
use large::Large;
use line_search::LineSearch;
use primal::Direction;
use problem::Problem;
use reduced::Reduced;
use small::Small;

/// Storage of the solvers, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(crate) struct SolverWork {
    /// Residuals of all rows at the acceleration to start from, and its product with the mass
    /// matrix.
    jar: Vec<f64>,
    ma: Vec<f64>,
    /// Forces and states of all rows there, and their cost.
    force: Vec<f64>,
    state: Vec<i32>,
    row_cost: Option<f64>,
    cones: Vec<Cone>,
    /// Block of every row, where there are several islands.
    block_of_row: Vec<u32>,
    /// Place of every dof within its island.
    place: Vec<u32>,
    problem: Problem,
    small: Small,
    reduced: Reduced,
    /// One for each large island.
    large: Vec<Large>,
    search: LineSearch,
    dual: dual::Dual,
}

/// Computes constraint forces and the acceleration with them: `efc_force`, `qfrc_constraint`,
/// `qacc`. Runs after `fwd_acceleration`.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(model: &Model, data: &mut Data) {
    data.qfrc_constraint.fill(0.0);
    data.solver_niter.fill(0);
    let nefc = data.nefc;
    if nefc == 0 {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        return;
    }
    data.efc_b.resize(nefc, 0.0);
    data.efc_force.resize(nefc, 0.0);
    data.efc_state.resize(nefc, 0);

    let mut work = data.work.solver.take().unwrap_or_default();
    cones(model, data, &mut work.cones);
    start(model, data, &mut work);
    let solver = Solver::from_i32(model.opt.solver);
    match solver {
        Some(Solver::Pgs) => pgs::solve(model, data, &mut work.dual),
        Some(Solver::Cg) => primal(model, data, &mut work, Direction::Conjugate),
        Some(Solver::Newton) | None => primal(model, data, &mut work, Direction::Newton),
    }
    if model.opt.noslip_iterations > 0 {
        noslip::solve(model, data, &mut work.dual);
    }
    data.work.solver = Some(work);
}

/// Computes the constraint forces that belong to the acceleration `qacc`: `efc_force`,
/// `qfrc_constraint`. Runs after `fwd_velocity`.
#[doc(alias = "mj_invConstraint")]
pub fn inv_constraint(model: &Model, data: &mut Data) {
    let mut jar = std::mem::take(&mut data.work.solver.get_or_insert_default().jar);
    jar.resize(data.nefc, 0.0);
    data.rows.mul(&mut jar, &data.qacc);
    for (jar, aref) in jar.iter_mut().zip(&data.efc_aref) {
        *jar -= aref;
    }
    constraint_update(model, data, &jar);
    data.work.solver.get_or_insert_default().jar = jar;
}

/// Computes the constraint forces that belong to the residuals `jar = J qacc − efc_aref`, one for
/// each row: `efc_force`, `efc_state`, `qfrc_constraint`. Returns their cost.
#[doc(alias = "mj_constraintUpdate")]
pub fn constraint_update(model: &Model, data: &mut Data, jar: &[f64]) -> f64 {
    data.qfrc_constraint.fill(0.0);
    let nefc = data.nefc;
    if nefc == 0 {
        return 0.0;
    }
    let mut list = std::mem::take(&mut data.work.solver.get_or_insert_default().cones);
    cones(model, data, &mut list);
    data.efc_force.resize(nefc, 0.0);
    data.efc_state.resize(nefc, 0);
    let law = Law {
        ne: data.ne,
        nf: data.nf,
        d: &data.efc_D,
        r: &data.efc_R,
        floss: &data.efc_frictionloss,
        cones: &list,
    };
    let cost = law.update(&jar[..nefc], &mut data.efc_force, &mut data.efc_state);
    data.rows.mul_transposed(&mut data.qfrc_constraint, &data.efc_force);
    data.work.solver.get_or_insert_default().cones = list;
    cost
}

/// Writes the Hessian of every elliptic cone to its contact, at the residuals `jar`. Contacts
/// whose force is not on the surface of the cone keep what they have. Runs after
/// [`constraint_update`] with the same residuals.
pub fn cone_hessians(model: &Model, data: &mut Data, jar: &[f64]) {
    let mut list = std::mem::take(&mut data.work.solver.get_or_insert_default().cones);
    cones(model, data, &mut list);
    for cone in &list {
        if data.efc_state[cone.row] == ConstraintState::Cone as i32 {
            let jar = &jar[cone.row..cone.row + cone.dim];
            cone.write_hessian(jar, &mut data.contact[cone.contact]);
        }
    }
    data.work.solver.get_or_insert_default().cones = list;
}

/// Chooses what the solver starts from: the acceleration of the last step, or the one without
/// constraints if that costs less. Also computes `efc_b`.
fn start(model: &Model, data: &mut Data, work: &mut SolverWork) {
    let nefc = data.nefc;
    let SolverWork { jar, ma, force, state, row_cost, cones, dual, .. } = work;
    jar.resize(nefc, 0.0);
    ma.resize(model.nv, 0.0);
    force.resize(nefc, 0.0);
    state.resize(nefc, 0);
    data.rows.mul_each([&mut data.efc_b, jar], [&data.qacc_smooth, &data.qacc_warmstart]);
    for ((b, jar), aref) in data.efc_b.iter_mut().zip(&mut *jar).zip(&data.efc_aref) {
        *b -= aref;
        *jar -= aref;
    }
    data.qacc.copy_from_slice(&data.qacc_warmstart);
    let law = Law {
        ne: data.ne,
        nf: data.nf,
        d: &data.efc_D,
        r: &data.efc_R,
        floss: &data.efc_frictionloss,
        cones,
    };
    if Solver::from_i32(model.opt.solver) == Some(Solver::Pgs) {
        law.update(jar, force, state);
        data.efc_force.copy_from_slice(force);
        if model.disabled(Disable::WarmStart) || dual.cost(model, data) > 0.0 {
            data.efc_force.fill(0.0);
        }
        return;
    }

    mul_m(model, data, ma, &data.qacc_warmstart);
    let mut gauss = 0.0;
    for dof in 0..model.nv {
        gauss += 0.5
            * (ma[dof] - data.qfrc_smooth[dof])
            * (data.qacc_warmstart[dof] - data.qacc_smooth[dof]);
    }
    let smooth = law.update(&data.efc_b, force, state);
    let mut cost = law.update(jar, force, state);
    if model.disabled(Disable::WarmStart) || cost + gauss > smooth {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        jar.copy_from_slice(&data.efc_b);
        mul_m(model, data, ma, &data.qacc_smooth);
        cost = law.update(jar, force, state);
    }
    *row_cost = Some(cost);
    // dofs that no constraint reaches
    if data.nisland > 0 {
        for &dof in &data.map_idof2dof[data.nidof..] {
            data.qacc[dof as usize] = data.qacc_smooth[dof as usize];
        }
    }
}

/// Solves island by island, or all at once where islands are off.
fn primal(model: &Model, data: &mut Data, work: &mut SolverWork, direction: Direction) {
    work.place.resize(model.nv, 0);
    if data.nisland > 0 && model.opt.noslip_iterations == 0 {
        for (dof, place) in work.place.iter_mut().enumerate() {
            if let Ok(island) = usize::try_from(data.dof_island[dof]) {
                *place = (data.map_dof2idof[dof] - data.island_idofadr[island]) as u32;
            }
        }
        if data.nisland > 1 {
            work.block_of_row.clear();
            for (i, block) in data.rows.blocks.iter().enumerate() {
                work.block_of_row.extend(std::iter::repeat_n(i as u32, block.count));
            }
        }
        let mut large = 0;
        for island in 0..data.nisland {
            problem::load_island(model, data, work, island);
            large += solve(model, data, work, direction, Some(island), large);
        }
    } else {
        for (dof, place) in work.place.iter_mut().enumerate() {
            *place = dof as u32;
        }
        if data.nisland > 0 {
            // some dofs may have been set to the acceleration without constraints
            mul_m(model, data, &mut work.ma, &data.qacc);
        }
        problem::load_all(model, data, work);
        solve(model, data, work, direction, None, 0);
    }
}

/// The most dofs of an island that are treated with full matrices.
const SMALL: usize = 64;

/// Solves the island that is loaded; `before` large ones came before it. Returns 1 if it is large.
fn solve(
    model: &Model,
    data: &mut Data,
    work: &mut SolverWork,
    direction: Direction,
    island: Option<usize>,
    before: usize,
) -> usize {
    let SolverWork { problem, small, reduced, large, search, place, .. } = work;
    let is_large = problem.dofs.len() > SMALL;
    if is_large {
        large.resize_with(large.len().max(before + 1), Large::default);
        let large = &mut large[before];
        large.load(model, data, problem, place, direction);
        primal::solve(model, data, problem, large, search, direction, island);
    } else if direction == Direction::Newton && reduced::suits(data, problem) {
        reduced.load(model, data, problem, place);
        primal::solve(model, data, problem, reduced, search, direction, island);
    } else {
        small.load(model, data, problem, place);
        primal::solve(model, data, problem, small, search, direction, island);
    }
    problem.store(data);
    if direction == Direction::Newton {
        problem.store_hessians(data);
    }
    if problem.whole {
        problem::exchange(work);
    }
    usize::from(is_large)
}
