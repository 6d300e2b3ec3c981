//! The CortenForge engine: [`Model`] and [`Data`] in, [`Data`] out.
//!
//! [`Model`] is what does not change during a step, [`Data`] is everything else; their fields
//! carry MuJoCo's names. [`step`] advances a simulation; it is a list of stages, each a free
//! function `fn stage(model: &Model, data: &mut Data)`, to be read in `forward.rs`.
#![forbid(unsafe_code)]
#![allow(non_snake_case)]

mod actuation;
pub mod batch;
mod callbacks;
mod collision;
mod constraint;
pub mod data;
pub mod derivative;
mod energy;
pub mod fields;
mod forward;
mod geometry;
mod integrate;
mod inverse;
pub mod math;
pub mod memory;
pub mod model;
mod passive;
mod print;
mod ray;
pub mod scene;
mod sensor;
mod set_const;
mod sleep;
mod smooth;
mod solver;
mod uncomputed;

pub use actuation::{
    HistoryError, Interpolation, fwd_actuation, init_ctrl_history, init_sensor_history,
    muscle_bias, muscle_dynamics, muscle_gain, read_ctrl, read_sensor,
};
pub use callbacks::{Callbacks, NoCallbacks};
pub use collision::{collision, collision_with, geom_distance};
pub use constraint::{
    Rows, constraint_jacobian, contact_force, decode_pyramid, encode_pyramid, island,
    island_arrays, make_constraint, mul_jac_t_vec, mul_jac_vec, reference_constraint,
};
pub use data::Data;
pub use energy::{energy_pos, energy_vel};
pub use forward::{
    check_acc, check_pos, check_vel, forward, forward_again, forward_with, fwd_acceleration,
    fwd_kinematics, fwd_position, fwd_velocity, inv_position, inverse, inverse_again, inverse_with,
    step, step_with, step1, step1_with, step2, step2_with,
};
pub use geometry::ray_geom;
pub use integrate::{
    Factors, differentiate_pos, euler, implicit, implicit_fast, integrate_pos, normalize_quat, rk4,
};
pub use inverse::compare_fwd_inv;
pub use model::Model;
pub use passive::passive;
pub use ray::{FlexHit, FlexParts, RayFilter, RayHit, multi_ray, ray, ray_flex, ray_one};
pub use sensor::{sensor_acc, sensor_pos, sensor_vel};
pub use set_const::{LengthRange, LengthRangeError};
pub use sleep::InitSleepError;
pub use smooth::*;
pub use solver::{
    Solved, SolverPath, cone_hessians, constraint_update, fwd_constraint, inv_constraint,
    keep_systems, project_constraint,
};
pub use uncomputed::UNCOMPUTED;
