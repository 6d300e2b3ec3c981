//! MJCF text and assets to a CortenForge [`Model`].
#![forbid(unsafe_code)]

mod compile;
mod error;
pub mod spec;

pub use error::{Error, Pos, Warning};
pub use spec::Spec;

use sim_core::Model;

/// A loaded model.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What deserves attention.
    pub warnings: Vec<Warning>,
}
