//! [`Model`]: what does not change during a step.

mod enums;
mod names;
mod object;
mod options;
mod relations;
mod set_const;
mod table;

pub use enums::*;
pub use names::NAMED;
pub use object::Object;
pub use options::{
    Options, Statistic, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale, Visual,
};
pub use table::Model;
