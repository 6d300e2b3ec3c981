//! Which geoms touch, and where.
// the pair functions arrive one by one
#![allow(dead_code)]

mod box_box;
mod box_patch;
mod capsule;
mod plane;
#[cfg(test)]
mod poses_tests;
mod shape;
mod sphere;

pub(crate) use shape::{Hit, Hits, Shape};
