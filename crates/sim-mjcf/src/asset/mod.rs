//! Files that models are made of, and what can be made instead of them.

mod pattern;
mod png;
mod texture;

pub(crate) use texture::{Image, stripped};
