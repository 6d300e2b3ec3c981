//! The stages of a step, in order.

use crate::{Data, Model};

/// Advances the simulation by one time step.
#[doc(alias = "mj_step")]
pub fn step(model: &Model, data: &mut Data) {
    forward(model, data);
    data.time += model.opt.timestep;
}

/// First half of a step: everything that depends on position and velocity, before controls.
#[doc(alias = "mj_step1")]
pub fn step1(_model: &Model, _data: &mut Data) {}

/// Second half of a step: everything that depends on controls and applied forces, and integration.
#[doc(alias = "mj_step2")]
pub fn step2(_model: &Model, _data: &mut Data) {}

/// Computes everything that follows from the current state, without advancing it.
#[doc(alias = "mj_forward")]
pub fn forward(_model: &Model, _data: &mut Data) {}
