use crate::math::{Force, Motion};
use crate::model::Model;

/// Scratch space of the stages. Nothing may be read here that another stage has written.
#[derive(Debug, Clone, Default)]
pub struct Work {
    pub(crate) dof: Vec<f64>,
    pub(crate) cacc: Vec<Motion>,
    pub(crate) cfrc: Vec<Force>,
}

impl Work {
    pub(super) fn new(model: &Model) -> Work {
        Work {
            dof: vec![0.0; model.nv],
            cacc: vec![Motion::ZERO; model.nbody],
            cfrc: vec![Force::ZERO; model.nbody],
        }
    }
}

// scratch carries no meaning, so it does not tell two simulations apart
impl PartialEq for Work {
    fn eq(&self, _: &Work) -> bool {
        true
    }
}
