//! From constraint rows to forces and accelerations.
//!
//! Newton and CG minimise, over accelerations, the Gauss cost plus the cost of the rows; they work
//! on one island at a time. PGS and the noslip pass work on the forces of all rows. All of them go
//! through the iterates of the reference; how matrices are stored and factorised is ours.
//!
//! # Which storage runs when
//!
//! `n` is the number of dofs of the island, `m` its number of stored rows (a pyramid counts the axes
//! of its contact). The first line whose conditions hold is taken; [`SolverPath`] has the result.
//!
//! | storage | solver | conditions | Hessian | cost of a direction |
//! |---|---|---|---|---|
//! | `sparse` | Newton | `n > 64` | supernodal sparse Cholesky (`LᵀDL`) along the elimination tree of a minimum degree order | that of the fill |
//! | `sparse` | CG | `n > 64` | none; preconditioned with the factor of `M` | `O(nnz(L))` |
//! | `dense` | Newton | `n ≤ 64` | dense `LᵀDL` in tiles of four rows; zeros are left out by bit patterns | at most `O(n³ + n²m)` |
//! | `dense` | CG | `n ≤ 64` | none; preconditioned with the factor of `M` | `O(n²)` |
//! | `dual` | PGS, noslip | | `A + R` in full or compressed rows, as `efc_AR` | `O(nnz(A))` for a sweep |
//!
//! Factorisations are in `math/` (`tiled_ldl`, `supernodal`, `minimum_degree`). Every storage is
//! loaded from one view of mass matrix and Jacobian (`view`). They are made anew rather than updated
//! when a row changes its state. Plans (patterns, orders, places) are kept in
//! [`Cache`](crate::data::Cache), each with the pattern that it was made from.
//!
//! What a solve leaves behind (states, residuals, cones and the factorised system of every island) is
//! read through [`Solved`].

mod dense;
mod dual;
mod edges;
mod jacobian;
mod line_search;
mod noslip;
mod pgs;
mod primal;
mod problem;
mod qcqp;
mod solved;
mod sparse;
mod view;

pub use dual::project_constraint;
pub use solved::{Solved, keep_systems};

use wide::f64x4;

use dense::Dense;
use line_search::LineSearch;
use primal::{Direction, Matrices};
use problem::Problem;
use sparse::Sparse;
use view::View;

use crate::constraint::{Cone, Law, cones};
use crate::model::{ConstraintState, Disable, Solver};
use crate::smooth::mul_m;
use crate::{Data, Model};

/// Scratch space of the solvers.
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
    search: LineSearch,
    dual: dual::Dual,
    scaled: pgs::Scaled,
}

impl SolverWork {
    /// Makes all numbers unusable.
    pub(crate) fn poison(&mut self) {
        for list in [&mut self.jar, &mut self.ma, &mut self.force] {
            list.fill(f64::NAN);
        }
        self.state.fill(i32::MIN);
        self.row_cost = None;
        self.cones.clear();
        self.block_of_row.fill(u32::MAX);
        self.dual.poison();
        self.scaled.poison();
    }
}

/// The systems that were solved last, and the plans of their storages.
#[derive(Debug, Clone, Default)]
pub(crate) struct SolverCache {
    /// One for each island if all are kept, otherwise the last one only.
    islands: Vec<Island>,
    /// One for each island that is stored so.
    sparse: Vec<Sparse>,
    /// Place of every dof within its island.
    place: Vec<u32>,
    /// The storage of each island in the last solve.
    paths: Vec<SolverPath>,
    /// Whether the system of each island is kept where there are several.
    keeps_all: bool,
    /// The storage to use where it can be.
    preferred: Option<SolverPath>,
    /// Whether `islands` has every island of the rows in the data, at the solution.
    is_solved: bool,
    /// Scratch: a right-hand side over all dofs, and a vector in the coordinates of an island.
    right: Vec<f64>,
    own: Vec<f64x4>,
}

/// One island: the point the solver is at, and mass matrix, Jacobian and Hessian in one of the
/// storages.
#[derive(Debug, Clone, Default)]
struct Island {
    problem: Problem,
    path: SolverPath,
    dense: Dense,
    /// Place in [`SolverCache::sparse`].
    sparse: usize,
    /// Whether the Hessian at the current point is factorised.
    is_factored: bool,
}

/// How the matrices of an island are stored and factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SolverPath {
    /// Full rows, factorised in tiles.
    #[default]
    Dense,
    /// Compressed rows, with a supernodal Cholesky factorisation.
    Sparse,
}

impl Data {
    /// The storage of each island in the last solve by Newton or CG; one where islands are off.
    pub fn solver_paths(&self) -> &[SolverPath] {
        self.cache.solver.as_ref().map_or(&[], |solver| &solver.paths)
    }

    /// Makes Newton and CG use a storage for every island that it is able to take, instead of the
    /// one that is expected to be fastest. For tests and measurements.
    pub fn prefer_solver_path(&mut self, path: Option<SolverPath>) {
        self.cache.solver.get_or_insert_default().preferred = path;
    }
}

/// Computes constraint forces and the acceleration with them: `efc_force`, `qfrc_constraint`,
/// `qacc`. Runs after `fwd_acceleration`.
#[doc(alias = "mj_fwdConstraint")]
pub fn fwd_constraint(model: &Model, data: &mut Data) {
    data.qfrc_constraint.fill(0.0);
    data.solver_niter.fill(0);
    data.forget_solution();
    let nefc = data.nefc;
    if nefc == 0 {
        data.qacc.copy_from_slice(&data.qacc_smooth);
        return;
    }
    data.efc_b.resize(nefc, 0.0);
    data.efc_force.resize(nefc, 0.0);
    data.efc_state.resize(nefc, 0);

    let mut work = data.work.solver.take().unwrap_or_default();
    let mut cache = data.cache.solver.take().unwrap_or_default();
    cones(model, data, &mut work.cones);
    start(model, data, &mut work);
    let solver = Solver::from_i32(model.opt.solver);
    match solver {
        Some(Solver::Pgs) => {
            pgs::solve(model, data, &mut work.dual, &mut work.scaled);
        }
        Some(Solver::Cg) => primal(model, data, &mut work, &mut cache, Direction::Conjugate),
        Some(Solver::Newton) => primal(model, data, &mut work, &mut cache, Direction::Newton),
        None => panic!("unknown solver {}", model.opt.solver),
    }
    if model.opt.noslip_iterations > 0 {
        noslip::solve(model, data, &mut work.dual);
        cache.is_solved = false;
    }
    data.work.solver = Some(work);
    data.cache.solver = Some(cache);
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
    data.forget_solution();
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
fn primal(
    model: &Model,
    data: &mut Data,
    work: &mut SolverWork,
    cache: &mut SolverCache,
    direction: Direction,
) {
    let count = cache.prepare(model, data, work);
    if count.is_none() && data.nisland > 0 {
        // some dofs may have been set to the acceleration without constraints
        mul_m(model, data, &mut work.ma, &data.qacc);
    }
    for index in 0..count.unwrap_or(1) {
        let (which, preferred) = (count.map(|_| index), cache.preferred);
        let (island, sparse, place) = cache.slot(index);
        island.problem.load(model, data, work, which);
        island.path = path(&island.problem, preferred);
        island.solve(model, data, sparse, place, &mut work.search, direction, which);
        island.problem.store(data);
        if direction == Direction::Newton {
            island.problem.store_hessians(data);
        }
        let path = island.path;
        cache.paths.push(path);
    }
    cache.is_solved = cache.keeps_all || count.unwrap_or(1) == 1;
}

/// The most dofs of an island that are stored in full rows.
const MOST_DENSE: usize = 64;

/// Chooses the storage of an island; see the table at the head of this module.
fn path(problem: &Problem, preferred: Option<SolverPath>) -> SolverPath {
    if problem.dofs.len() > MOST_DENSE || preferred == Some(SolverPath::Sparse) {
        SolverPath::Sparse
    } else {
        SolverPath::Dense
    }
}

impl SolverCache {
    /// Gets ready for a solve: makes room for the islands and numbers their dofs. Returns how many
    /// islands there are; none if all dofs are solved for at once.
    fn prepare(&mut self, model: &Model, data: &Data, work: &mut SolverWork) -> Option<usize> {
        self.paths.clear();
        self.place.resize(model.nv, 0);
        let by_island = data.nisland > 0 && model.opt.noslip_iterations == 0;
        let count = if by_island { data.nisland } else { 1 };
        let kept = if self.keeps_all { count } else { 1 };
        if self.islands.len() < kept {
            self.islands.resize_with(kept, Island::default);
        }
        if !by_island {
            for (dof, place) in self.place.iter_mut().enumerate() {
                *place = dof as u32;
            }
            return None;
        }
        for (dof, place) in self.place.iter_mut().enumerate() {
            if let Ok(island) = usize::try_from(data.dof_island[dof]) {
                *place = (data.map_dof2idof[dof] - data.island_idofadr[island]) as u32;
            }
        }
        if count > 1 {
            work.block_of_row.clear();
            for (i, block) in data.rows.blocks.iter().enumerate() {
                work.block_of_row.extend(std::iter::repeat_n(i as u32, block.count * block.times));
            }
        }
        Some(count)
    }

    /// Where an island is kept, sparse storage for it, and the places of dofs.
    fn slot(&mut self, index: usize) -> (&mut Island, &mut Sparse, &[u32]) {
        // those before it keep their analysis for the next step
        let before = self.paths.iter().filter(|&&path| path == SolverPath::Sparse).count();
        if self.sparse.len() <= before {
            self.sparse.resize_with(before + 1, Sparse::default);
        }
        let island = &mut self.islands[if self.keeps_all { index } else { 0 }];
        island.sparse = before;
        (island, &mut self.sparse[before], &self.place)
    }
}

impl Island {
    /// Loads mass matrix and Jacobian, and solves.
    fn solve(
        &mut self,
        model: &Model,
        data: &mut Data,
        sparse: &mut Sparse,
        place: &[u32],
        search: &mut LineSearch,
        direction: Direction,
        which: Option<usize>,
    ) {
        let Island { problem, path, dense, .. } = self;
        let view = View { model, data, dofs: &problem.dofs, place };
        self.is_factored = match path {
            SolverPath::Dense => {
                dense.load(view, problem);
                primal::solve(model, data, problem, dense, search, direction, which)
            }
            SolverPath::Sparse => {
                let direction = sparse.load(view, problem, direction);
                primal::solve(model, data, problem, sparse, search, direction, which)
            }
        };
    }

    /// Solves `H x = b` in place, in the coordinates of the island, where `H = M + Jᵀ W J` is the
    /// Hessian at the current point.
    fn solve_hessian(&mut self, sparse: &mut [Sparse], x: &mut [f64x4]) {
        match self.path {
            SolverPath::Dense => solve_with(&mut self.dense, &self.problem, self.is_factored, x),
            SolverPath::Sparse => {
                solve_with(&mut sparse[self.sparse], &self.problem, self.is_factored, x);
            }
        }
        self.is_factored = true;
    }
}

/// Solves with the Hessian, which is factorised first if it is not.
fn solve_with(matrices: &mut impl Matrices, problem: &Problem, is_factored: bool, x: &mut [f64x4]) {
    if is_factored {
        matrices.solve(x);
    } else {
        matrices.factor_solve(problem, x);
    }
}
