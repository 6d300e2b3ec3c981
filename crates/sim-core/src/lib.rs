//! The CortenForge engine: [`Model`] and [`Data`] in, [`Data`] out.
#![forbid(unsafe_code)]
#![allow(non_snake_case)]

pub mod data;
pub mod fields;
mod forward;
pub mod math;
pub mod model;

pub use data::Data;
pub use forward::{forward, step, step1, step2};
pub use model::Model;
