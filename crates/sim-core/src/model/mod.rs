//! [`Model`]: what does not change during a step.

mod enums;
mod length_range;
mod names;
mod object;
mod options;
mod relations;
mod set_const;
mod table;

pub use enums::*;
pub use length_range::{LengthRange, LengthRangeError};
pub use names::NAMED;
pub use object::Object;
pub use options::{
    Options, Statistic, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale, Visual,
};
pub use table::Model;
