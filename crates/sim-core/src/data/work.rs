use wide::f64x4;

use crate::collision::CollisionWork;
use crate::inverse::Forward;
use crate::math::{Force, LdlScratch, Motion, MotionToForce, Plan};
use crate::model::Model;
use crate::ray::Viewpoint;
use crate::sensor::Match;
use crate::solver::SolverWork;

/// Scratch space of the stages. Nothing may be read here that another stage has written.
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// How to walk the mass matrix.
    pub(crate) plan: Plan,
    /// Lengths of rows and parents of dofs that the plan was made for.
    plan_lengths: Vec<i32>,
    plan_parents: Vec<i32>,
    pub(crate) ldl: LdlScratch,
    /// Sines and cosines of half the angles of hinges, by joint.
    pub(crate) half_angles: Vec<[f64x4; 2]>,
    pub(crate) dof: Vec<f64>,
    pub(crate) qacc: Vec<f64>,
    pub(crate) force: Vec<f64>,
    pub(crate) ctrl: Vec<f64>,
    pub(crate) sensor: Vec<f64>,
    pub(crate) tendon: Vec<f64>,
    pub(crate) cacc: Vec<Motion>,
    pub(crate) cfrc: Vec<Force>,
    pub(crate) row: RowBuilder,
    pub(crate) list: Vec<usize>,
    // derivatives of the bias force
    pub(crate) subtree_force: Vec<MotionToForce>,
    pub(crate) axis_rate: Vec<Motion>,
    pub(crate) dof_count: Vec<usize>,
    // a full matrix over dofs, grown by the integrator that needs it
    pub(crate) square: Vec<f64>,
    pub(crate) viewpoint: Viewpoint,
    pub(crate) matches: Vec<Match>,
    pub(crate) rk: RungeKutta,
    pub(crate) forward: Forward,
    /// The numbers from 0 on, at least one per dof.
    pub(crate) identity: Vec<i32>,
    // one number per tree or island
    pub(crate) numbers: Vec<i32>,
    /// Boxed, since it is taken out while it is used.
    pub(crate) solver: Option<Box<SolverWork>>,
    pub(crate) collision: CollisionWork,
}

/// The state at the start of a Runge-Kutta step, and weighted sums of its slopes.
#[derive(Debug, Clone, Default)]
pub(crate) struct RungeKutta {
    pub(crate) qpos: Vec<f64>,
    pub(crate) qvel: Vec<f64>,
    pub(crate) act: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    pub(crate) slope_pos: Vec<f64>,
    pub(crate) slope_vel: Vec<f64>,
    pub(crate) slope_act: Vec<f64>,
}

impl RungeKutta {
    fn new(model: &Model) -> RungeKutta {
        RungeKutta {
            qpos: vec![0.0; model.nq],
            qvel: vec![0.0; model.nv],
            act: vec![0.0; model.na],
            velocity: vec![0.0; model.nv],
            slope_pos: vec![0.0; model.nv],
            slope_vel: vec![0.0; model.nv],
            slope_act: vec![0.0; model.na],
        }
    }
}

impl Work {
    pub(super) fn new(model: &Model) -> Work {
        Work {
            plan: Plan::new(&model.M_rownnz, &model.M_rowadr, &model.M_colind),
            plan_lengths: model.M_rownnz.clone(),
            plan_parents: model.dof_parentid.clone(),
            ldl: LdlScratch::default(),
            half_angles: vec![[f64x4::ZERO; 2]; model.njnt.div_ceil(4)],
            dof: vec![0.0; model.nv],
            qacc: vec![0.0; model.nv],
            force: vec![0.0; model.nv],
            ctrl: vec![0.0; model.nu],
            sensor: vec![0.0; model.sensor_dim.iter().map(|&n| n as usize).max().unwrap_or(0)],
            tendon: vec![0.0; model.ntendon],
            cacc: vec![Motion::ZERO; model.nbody],
            cfrc: vec![Force::ZERO; model.nbody],
            row: RowBuilder::new(model.nv),
            list: Vec::with_capacity(model.nv),
            subtree_force: vec![MotionToForce::default(); model.nbody],
            axis_rate: vec![Motion::ZERO; model.nv],
            dof_count: vec![0; model.nv],
            square: Vec::new(),
            viewpoint: Viewpoint::default(),
            matches: Vec::new(),
            rk: RungeKutta::new(model),
            forward: Forward::default(),
            identity: (0..model.nv as i32).collect(),
            numbers: Vec::new(),
            solver: None,
            collision: CollisionWork::default(),
        }
    }

    /// Sees to it that the plan is that of `model`: a model of the same sizes may have another tree.
    #[inline]
    pub(crate) fn plan_for(&mut self, model: &Model) {
        if self.plan_lengths != model.M_rownnz || self.plan_parents != model.dof_parentid {
            self.plan = Plan::new(&model.M_rownnz, &model.M_rowadr, &model.M_colind);
            self.plan_lengths.clone_from(&model.M_rownnz);
            self.plan_parents.clone_from(&model.dof_parentid);
        }
    }
}

/// A sparse row over dofs while it is summed up.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowBuilder {
    /// Values, zero where unused, and the dofs in use.
    pub(crate) values: Vec<f64>,
    seen: Vec<bool>,
    pub(crate) dofs: Vec<usize>,
}

impl RowBuilder {
    fn new(nv: usize) -> RowBuilder {
        RowBuilder { values: vec![0.0; nv], seen: vec![false; nv], dofs: Vec::with_capacity(nv) }
    }

    /// Adds to an element.
    #[inline]
    pub(crate) fn add(&mut self, dof: usize, value: f64) {
        if !self.seen[dof] {
            self.seen[dof] = true;
            self.dofs.push(dof);
        }
        self.values[dof] += value;
    }

    /// Calls `f(i, dof, value)` for the elements in increasing order, and clears them.
    pub(crate) fn drain(&mut self, mut f: impl FnMut(usize, usize, f64)) {
        self.dofs.sort_unstable();
        for (i, &dof) in self.dofs.iter().enumerate() {
            f(i, dof, self.values[dof]);
            self.values[dof] = 0.0;
            self.seen[dof] = false;
        }
        self.dofs.clear();
    }
}

// scratch carries no meaning, so it does not tell two simulations apart
impl PartialEq for Work {
    fn eq(&self, _: &Work) -> bool {
        true
    }
}
