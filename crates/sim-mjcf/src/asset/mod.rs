//! Files that models are made of, and what can be made instead of them.

pub(crate) mod allocator;
pub(crate) mod builtin;
pub(crate) mod cache;
pub(crate) mod gmsh;
pub(crate) mod hfield;
pub(crate) mod hull;
pub(crate) mod mesh;
mod msh;
mod obj;
mod pattern;
mod png;
pub(crate) mod skn;
mod stl;
mod texture;

pub(crate) use texture::{Image, Pixels, stripped};
