//! Which geoms touch, and where.
// the pair functions arrive one by one
#![allow(dead_code)]

mod shape;

pub(crate) use shape::{Hit, Hits, Shape};
