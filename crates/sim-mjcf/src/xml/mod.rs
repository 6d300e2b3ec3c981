//! XML as such: reading files with limits and includes, and writing markup. Nothing here knows what
//! the elements mean.

mod document;
mod markup;
mod scan;

pub(crate) use document::{
    Children, Documents, Elem, Includes, Texts, check_budget, decode, is_urdf, load_includes,
};
pub(crate) use markup::{Markup, Opened};
pub(crate) use scan::MAX_DEPTH;
