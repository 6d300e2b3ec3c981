use crate::math::{Force, Motion};
use crate::model::Model;

/// Scratch space of the stages. Nothing may be read here that another stage has written.
#[derive(Debug, Clone, Default)]
pub struct Work {
    pub(crate) dof: Vec<f64>,
    pub(crate) qacc: Vec<f64>,
    pub(crate) cacc: Vec<Motion>,
    pub(crate) cfrc: Vec<Force>,
    // Runge-Kutta: state at the start of the step, weighted sums of the slopes
    pub(crate) rk_qpos: Vec<f64>,
    pub(crate) rk_qvel: Vec<f64>,
    pub(crate) rk_slope_pos: Vec<f64>,
    pub(crate) rk_slope_vel: Vec<f64>,
}

impl Work {
    pub(super) fn new(model: &Model) -> Work {
        Work {
            dof: vec![0.0; model.nv],
            qacc: vec![0.0; model.nv],
            cacc: vec![Motion::ZERO; model.nbody],
            cfrc: vec![Force::ZERO; model.nbody],
            rk_qpos: vec![0.0; model.nq],
            rk_qvel: vec![0.0; model.nv],
            rk_slope_pos: vec![0.0; model.nv],
            rk_slope_vel: vec![0.0; model.nv],
        }
    }
}

// scratch carries no meaning, so it does not tell two simulations apart
impl PartialEq for Work {
    fn eq(&self, _: &Work) -> bool {
        true
    }
}
