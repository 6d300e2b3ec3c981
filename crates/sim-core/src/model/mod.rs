//! [`Model`]: what does not change during a step.

mod binary;
mod enums;
mod flex;
mod names;
mod object;
mod options;
mod relations;
mod signature;
mod table;
mod validate;
mod validate_flex;

pub use binary::BinaryError;
pub(crate) use enums::enums;
pub use enums::*;
pub(crate) use flex::{ELEMENT_EDGES, Flex, MAX_NODES};
pub use names::NAMED;
pub use object::Object;
pub use options::{
    Options, Statistic, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale, Visual,
};
pub(crate) use relations::range;
pub use table::Model;
