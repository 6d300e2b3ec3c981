use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use super::Data;
use crate::collision::CollisionCache;
use crate::math::Plan;
use crate::model::Model;
use crate::smooth::{DampedFactor, Interpolation};
use crate::solver::SolverCache;

/// What is made from the model, or from patterns of the last step, and lives from step to step.
///
/// Every part knows what it was made from and is made anew when that has changed, so a changed model
/// never meets a stale plan. Results do not depend on what is here: [`Work`](super::Work) and `Cache`
/// may be replaced by fresh ones at any time.
#[derive(Debug, Clone, Default)]
pub struct Cache {
    pub(crate) inertia: InertiaPlan,
    pub(crate) damped: DampedFactor,
    /// The numbers from 0 on, at least one per dof.
    pub(crate) identity: Vec<i32>,
    pub(crate) collision: CollisionCache,
    pub(crate) interpolation: Interpolation,
    /// Boxed, since it is taken out while it is used.
    pub(crate) solver: Option<Box<SolverCache>>,
    interrupt: Interrupt,
    /// Where the mass matrix of the model has its rows and columns: what everything here depends on.
    rows: Vec<i32>,
    columns: Vec<i32>,
}

/// Tells whether a long computation is to end.
#[derive(Clone, Default)]
struct Interrupt(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl fmt::Debug for Interrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interrupt({})", if self.0.is_some() { "set" } else { "none" })
    }
}

/// Iterations of a solver that are not long, and the size from which on a single one is.
const SHORT_SOLVE: usize = 64;
const LARGE_SOLVE: usize = 256;

impl Data {
    /// Makes long solves ask now and then whether to end: if so, the solver stops where it is, as if
    /// `opt.iterations` were reached, and the step goes on to its end. None: they never ask.
    pub fn set_interrupt(&mut self, interrupt: Option<Arc<dyn Fn() -> bool + Send + Sync>>) {
        self.cache.interrupt = Interrupt(interrupt);
    }

    /// Whether a solve is to end that has made some iterations on that many numbers.
    #[inline]
    pub(crate) fn is_interrupted(&self, iterations: usize, size: usize) -> bool {
        if iterations <= SHORT_SOLVE && size <= LARGE_SOLVE {
            return false;
        }
        self.cache.interrupt.0.as_ref().is_some_and(|interrupt| interrupt())
    }
}

impl Cache {
    /// A fresh cache that still tells when to end.
    pub(super) fn renewed(&self, model: &Model) -> Cache {
        Cache { interrupt: self.interrupt.clone(), ..Cache::new(model) }
    }

    /// Whether the mass matrix of `model` is stored as that of the model that the cache was made for.
    pub(super) fn fits(&self, model: &Model) -> bool {
        self.rows == model.M_rowadr && self.columns == model.M_colind
    }

    /// An empty cache that still tells when to end.
    pub(super) fn emptied(&self) -> Cache {
        Cache { interrupt: self.interrupt.clone(), ..Cache::default() }
    }

    pub(super) fn new(model: &Model) -> Cache {
        let mut inertia = InertiaPlan::default();
        inertia.update(model);
        let (rows, columns) = (model.M_rowadr.clone(), model.M_colind.clone());
        let identity = (0..model.nv as i32).collect();
        Cache { inertia, identity, rows, columns, ..Cache::default() }
    }
}

/// How to walk the mass matrix. Keyed by the lengths of its rows and the parents of dofs.
#[derive(Debug, Clone, Default)]
pub(crate) struct InertiaPlan {
    plan: Plan,
    lengths: Vec<i32>,
    parents: Vec<i32>,
}

impl InertiaPlan {
    /// The plan for `model`; a new one if the kept one was made for another tree.
    #[inline]
    pub(crate) fn get(&self, model: &Model) -> Cow<'_, Plan> {
        if self.is_current(model) { Cow::Borrowed(&self.plan) } else { Cow::Owned(plan(model)) }
    }

    /// Makes the kept plan that of `model`, and returns it: a model of the same sizes may have another
    /// tree.
    #[inline]
    pub(crate) fn update(&mut self, model: &Model) -> &Plan {
        if !self.is_current(model) {
            self.plan = plan(model);
            self.lengths.clone_from(&model.M_rownnz);
            self.parents.clone_from(&model.dof_parentid);
        }
        &self.plan
    }

    #[inline]
    fn is_current(&self, model: &Model) -> bool {
        same(&self.lengths, &model.M_rownnz) && same(&self.parents, &model.dof_parentid)
    }
}

#[cold]
fn plan(model: &Model) -> Plan {
    Plan::new(&model.M_rownnz, &model.dof_parentid)
}

/// Whether two lists are equal, compared in place: most are short, and a call of `memcmp` would take
/// longer than the comparison.
#[inline]
pub(crate) fn same(a: &[i32], b: &[i32]) -> bool {
    const WIDTH: usize = 8;
    if a.len() != b.len() {
        return false;
    }
    match (a.last_chunk::<WIDTH>(), b.last_chunk::<WIDTH>()) {
        (Some(end_a), Some(end_b)) => {
            let (chunks_a, chunks_b) = (a.as_chunks::<WIDTH>().0, b.as_chunks::<WIDTH>().0);
            chunks_a.iter().zip(chunks_b).all(|(a, b)| a == b) && end_a == end_b
        }
        _ => a.iter().zip(b).all(|(a, b)| a == b),
    }
}

// a cache does not tell two simulations apart
impl PartialEq for Cache {
    fn eq(&self, _: &Cache) -> bool {
        true
    }
}
