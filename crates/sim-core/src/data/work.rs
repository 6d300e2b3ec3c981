use wide::f64x4;

use super::Data;
use crate::collision::CollisionWork;
use crate::integrate::InterpolatedWork;
use crate::inverse::Forward;
use crate::math::{Force, LdlScratch, Motion, MotionToForce, Vec3};
use crate::model::Model;
use crate::passive::FlexWork;
use crate::ray::Viewpoint;
use crate::sensor::Match;
use crate::solver::SolverWork;

/// Scratch space of the stages. Nothing may be read here that another stage has written; what lives
/// longer is in [`Cache`](super::Cache).
#[derive(Debug, Clone, Default)]
pub struct Work {
    /// Whether scratch is made unusable after each stage, in builds with debug assertions.
    poisons: bool,
    /// Whether a stage has ended half-way and has parts of the scratch space.
    lost: bool,
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
    /// Dofs that move an object, with columns of its Jacobian.
    pub(crate) columns: Vec<(usize, Motion)>,
    // a full matrix over dofs, grown by the integrator that needs it
    pub(crate) square: Vec<f64>,
    pub(crate) viewpoint: Viewpoint,
    pub(crate) matches: Vec<Match>,
    pub(crate) rk: RungeKutta,
    pub(crate) forward: Forward,
    // one number per tree or island
    pub(crate) numbers: Vec<i32>,
    /// Boxed, since it is taken out while it is used.
    pub(crate) solver: Option<Box<SolverWork>>,
    pub(crate) collision: CollisionWork,
    pub(crate) flex: FlexWork,
    pub(crate) interpolated: InterpolatedWork,
    /// Inverse inertia of the constraint rows and contacts of flexes, in order.
    pub(crate) flex_inertia: Vec<f64>,
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
            poisons: false,
            lost: false,
            ldl: LdlScratch::default(),
            half_angles: vec![[f64x4::ZERO; 2]; model.njnt.div_ceil(4)],
            dof: vec![0.0; model.nv],
            qacc: vec![0.0; model.nv],
            force: vec![0.0; model.nv],
            ctrl: vec![0.0; model.nu],
            sensor: vec![0.0; model.nsensordata], // no sensor has more than all together
            tendon: vec![0.0; model.ntendon],
            cacc: vec![Motion::ZERO; model.nbody],
            cfrc: vec![Force::ZERO; model.nbody],
            row: RowBuilder::new(model.nv),
            list: Vec::with_capacity(model.nv),
            subtree_force: vec![MotionToForce::default(); model.nbody],
            axis_rate: vec![Motion::ZERO; model.nv],
            dof_count: vec![0; model.nv],
            columns: Vec::new(),
            square: Vec::new(),
            viewpoint: Viewpoint::default(),
            matches: Vec::new(),
            rk: RungeKutta::new(model),
            forward: Forward::default(),
            numbers: Vec::new(),
            solver: None,
            collision: CollisionWork::default(),
            flex: FlexWork::default(),
            interpolated: InterpolatedWork::default(),
            flex_inertia: Vec::new(),
        }
    }
}

impl Data {
    /// Gives the scratch space up after a panic has ended a stage, which may have parts of it. It is
    /// made anew by [`Data::renew_scratch`] and [`Data::reset`]; until then no stage can run.
    pub fn abandon_scratch(&mut self) {
        self.work = Work { poisons: self.work.poisons, lost: true, ..Work::default() };
        self.cache = self.cache.emptied();
    }

    /// Makes scratch space that was given up anew.
    pub fn renew_scratch(&mut self, model: &Model) {
        if self.work.lost {
            self.cache = self.cache.renewed(model);
            self.work = Work { poisons: self.work.poisons, ..Work::new(model) };
        }
    }
}

impl Work {
    /// Makes all scratch unusable after each stage (`NaN` and indices out of range), so that a stage
    /// which reads what another one has left there shows. Builds without debug assertions ignore it.
    pub fn poison_after_stages(&mut self, poisons: bool) {
        self.poisons = poisons;
    }

    /// Ends a stage.
    #[inline]
    pub(crate) fn end_stage(&mut self) {
        if cfg!(debug_assertions) && self.poisons {
            self.poison();
        }
    }

    #[cold]
    fn poison(&mut self) {
        const NAN: f64 = f64::NAN;
        for list in [
            &mut self.dof,
            &mut self.qacc,
            &mut self.force,
            &mut self.ctrl,
            &mut self.sensor,
            &mut self.tendon,
            &mut self.square,
        ] {
            list.fill(NAN);
        }
        let nan = Vec3::new(NAN, NAN, NAN);
        self.half_angles.fill([f64x4::splat(NAN); 2]);
        self.cacc.fill(Motion { rot: nan, lin: nan });
        self.cfrc.fill(Force { rot: nan, lin: nan });
        self.axis_rate.fill(Motion { rot: nan, lin: nan });
        self.columns.fill((usize::MAX, Motion { rot: nan, lin: nan }));
        bytemuck::cast_slice_mut::<_, f64>(&mut self.subtree_force).fill(NAN);
        self.ldl.poison();
        self.list.fill(usize::MAX);
        self.dof_count.fill(usize::MAX);
        self.numbers.fill(i32::MIN);
        if let Some(solver) = &mut self.solver {
            solver.poison();
        }
        self.viewpoint = Viewpoint::default();
        self.matches = Vec::new();
        self.collision = CollisionWork::default();
        self.flex = FlexWork::default();
        self.interpolated = InterpolatedWork::default();
        self.flex_inertia.fill(NAN);
    }
}

/// A sparse row over dofs while it is summed up. Stages leave it empty.
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
