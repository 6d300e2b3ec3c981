//! From [`Spec`] to [`Model`].

use sim_core::Model;

use crate::error::{Error, Warning};
use crate::spec::Spec;

/// Compiles the spec.
pub(crate) fn compile(spec: &Spec) -> Result<(Model, Vec<Warning>), Error> {
    Err(spec.src.error("compiling is not supported yet"))
}
