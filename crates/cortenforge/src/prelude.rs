//! What most programs use: `use cortenforge::prelude::*;`

pub use crate::{Loaded, Named, load_file, load_str};
pub use sim_core::math::{Quat, Vec3};
pub use sim_core::model::ObjType;
pub use sim_core::{Data, Model, forward, step};
