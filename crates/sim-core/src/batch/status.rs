use std::fmt;

use crate::model::Warning;

/// How an environment came through a run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Status {
    /// All steps were made.
    #[default]
    Done,
    /// A step raised a warning, which ended the run of this environment.
    Diverged {
        /// The step that did, from zero.
        step: usize,
        /// What was wrong.
        warning: Warning,
        /// What it was about, such as the index of a dof.
        info: i32,
    },
    /// The run was cancelled.
    Cancelled {
        /// How many steps were made before.
        step: usize,
    },
    /// The engine met numbers in the model that it cannot work with.
    Failed {
        /// The step that did, from zero.
        step: usize,
        /// What it said.
        message: String,
    },
}

/// Why a run could not start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchError(pub(super) String);

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BatchError {}
