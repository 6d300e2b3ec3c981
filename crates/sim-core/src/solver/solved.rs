//! What a solve leaves behind, for derivatives.

use wide::f64x4;

use super::problem::Problem;
use super::view::View;
use super::{Direction, Island, SolverCache, SolverPath};
use crate::constraint::cones;
use crate::math::{scalars, scalars_mut, solve_ldl_of};
use crate::{Data, Model};

/// The islands at the solution: rows, states, residuals, and their systems `H = M + Jᵀ W J` ready to
/// be solved with.
///
/// `W` is the second derivative of the cost of the rows: `efc_D` for quadratic rows, the cone's
/// Hessian (`contact.H`) for a contact on the surface of its elliptic cone, zero otherwise. `H` is
/// what the implicit function theorem needs: `d qacc = H⁻¹ d(qfrc_smooth + Jᵀ f)` at fixed `qacc`.
///
/// The systems are taken out of `data` while they are used:
/// ```
/// # fn derivative(model: &sim_core::Model, data: &mut sim_core::Data, b: &mut [f64]) {
/// sim_core::keep_systems(data, true); // before the solve, where there are several islands
/// sim_core::forward(model, data);
/// let mut solved = sim_core::Solved::take(model, data);
/// solved.solve_hessian(model, data, b); // b becomes H⁻¹ b
/// solved.give_back(data);
/// # }
/// ```
/// After Newton or CG nothing is recomputed but a factor that the last step has outdated: the
/// solver does not factorise at the point where it ends. Where the systems were not kept (several
/// islands without [`keep_systems`], PGS, noslip, or forces from
/// [`constraint_update`](crate::constraint_update)), they are loaded from the rows in `data` and
/// their states. Gives the same on every storage, up to rounding.
#[derive(Debug)]
pub struct Solved {
    cache: Box<SolverCache>,
    count: usize,
}

/// Whether the system of each island is kept after a solve where there are several, at the cost of
/// memory. Without it, [`Solved::take`] has to load them again.
pub fn keep_systems(data: &mut Data, keep: bool) {
    data.cache.solver.get_or_insert_default().keeps_all = keep;
}

impl Data {
    /// Forgets the systems of the last solve, since rows or states have changed.
    pub(crate) fn forget_solution(&mut self) {
        if let Some(solver) = &mut self.cache.solver {
            solver.is_solved = false;
            solver.paths.clear();
        }
    }
}

impl Solved {
    /// Takes the systems out of `data`. Runs after `fwd_constraint` or `inv_constraint`.
    pub fn take(model: &Model, data: &mut Data) -> Solved {
        let mut cache = data.cache.solver.take().unwrap_or_default();
        let count = match (data.nefc, cache.is_solved) {
            (0, _) => 0,
            (_, true) => cache.paths.len(),
            (_, false) => load(model, data, &mut cache),
        };
        Solved { cache, count }
    }

    /// Gives the systems back, for the next solve to use their memory.
    pub fn give_back(self, data: &mut Data) {
        data.cache.solver = Some(self.cache);
    }

    /// Number of islands; one where all dofs were solved for at once, none without rows.
    pub fn islands(&self) -> usize {
        self.count
    }

    /// The dofs of an island, increasing within each tree.
    pub fn dofs(&self, island: usize) -> &[u32] {
        &self.problem(island).dofs
    }

    /// The rows of an island, as indices of `efc_` arrays.
    pub fn rows(&self, island: usize) -> impl Iterator<Item = usize> {
        let problem = self.problem(island);
        let all = if problem.has_all_rows { 0..problem.state.len() } else { 0..0 };
        all.chain(problem.rows.iter().map(|&row| row as usize))
    }

    /// States of the rows of an island, in the order of [`Solved::rows`].
    pub fn states(&self, island: usize) -> &[i32] {
        &self.problem(island).state
    }

    /// Residuals `J qacc − efc_aref` of the rows of an island, in the order of [`Solved::rows`].
    pub fn residuals(&self, island: usize) -> &[f64] {
        &self.problem(island).jar
    }

    fn problem(&self, island: usize) -> &Problem {
        &self.cache.islands[..self.count][island].problem
    }

    /// Solves `H x = b` in place, over all dofs. For dofs that no row reaches, `H` is the mass
    /// matrix.
    pub fn solve_hessian(&mut self, model: &Model, data: &Data, x: &mut [f64]) {
        let mut b = std::mem::take(&mut self.cache.right);
        b.clear();
        b.extend_from_slice(x);
        let all = self.count == 1 && self.dofs(0).len() == model.nv;
        if !all {
            // this leaves the dofs of islands undefined
            let plan = data.cache.inertia.get(model);
            let pattern = model.m_pattern(&plan);
            let outside = |dof: usize| data.dof_island.get(dof).is_none_or(|&island| island < 0);
            solve_ldl_of(x, &data.qLD, &data.qLDiagInv, pattern, outside);
        }
        let mut own = std::mem::take(&mut self.cache.own);
        for island in 0..self.count {
            let dofs = &self.cache.islands[island].problem.dofs;
            own.clear();
            own.resize(dofs.len().div_ceil(4), f64x4::ZERO);
            for (own, &dof) in scalars_mut(&mut own).iter_mut().zip(dofs) {
                *own = b[dof as usize];
            }
            self.solve_chunks(island, &mut own);
            let dofs = &self.cache.islands[island].problem.dofs;
            for (own, &dof) in scalars(&own).iter().zip(dofs) {
                x[dof as usize] = *own;
            }
        }
        (self.cache.right, self.cache.own) = (b, own);
    }

    /// Solves `H x = b` in place for one island; `x` has an element for each of [`Solved::dofs`].
    pub fn solve_island(&mut self, island: usize, x: &mut [f64]) {
        let mut own = std::mem::take(&mut self.cache.own);
        own.clear();
        own.resize(x.len().div_ceil(4), f64x4::ZERO);
        scalars_mut(&mut own)[..x.len()].copy_from_slice(x);
        self.solve_chunks(island, &mut own);
        x.copy_from_slice(&scalars(&own)[..x.len()]);
        self.cache.own = own;
    }

    fn solve_chunks(&mut self, island: usize, x: &mut [f64x4]) {
        let SolverCache { islands, sparse, .. } = &mut *self.cache;
        islands[island].solve_hessian(sparse, x);
    }
}

/// Loads the systems of all islands, at the states that the rows have. Returns their number.
fn load(model: &Model, data: &mut Data, cache: &mut SolverCache) -> usize {
    let mut work = data.work.solver.take().unwrap_or_default();
    cones(model, data, &mut work.cones);
    work.jar.resize(data.nefc, 0.0);
    data.rows.mul(&mut work.jar, &data.qacc);
    for (jar, aref) in work.jar.iter_mut().zip(&data.efc_aref) {
        *jar -= aref;
    }
    work.ma.resize(model.nv, 0.0);
    work.force.clone_from(&data.efc_force);
    work.state.clone_from(&data.efc_state);
    work.row_cost = None;

    let keeps_all = std::mem::replace(&mut cache.keeps_all, true);
    let count = cache.prepare(model, data, &mut work);
    for index in 0..count.unwrap_or(1) {
        let (island, sparse, place) = cache.slot(index);
        island.load_solution(model, data, &mut work, sparse, place, count.map(|_| index));
        let path = island.path;
        cache.paths.push(path);
    }
    cache.keeps_all = keeps_all;
    cache.is_solved = true;
    data.work.solver = Some(work);
    count.unwrap_or(1)
}

impl Island {
    /// Loads the island with the states that its rows have in `data`.
    fn load_solution(
        &mut self,
        model: &Model,
        data: &Data,
        work: &mut super::SolverWork,
        sparse: &mut super::Sparse,
        place: &[u32],
        which: Option<usize>,
    ) {
        self.problem.load(model, data, work, which);
        let Problem { rows, state, force, .. } = &mut self.problem;
        for (i, &row) in rows.iter().enumerate() {
            state[i] = data.efc_state[row as usize];
            force[i] = data.efc_force[row as usize];
        }
        let problem = &self.problem;
        let view = View { model, data, dofs: &problem.dofs, place };
        if problem.dofs.len() > super::MOST_DENSE {
            self.path = SolverPath::Sparse;
            sparse.load(view, problem, Direction::Newton);
        } else {
            self.path = SolverPath::Dense;
            self.dense.load(view, problem);
        }
        self.is_factored = false;
    }
}
