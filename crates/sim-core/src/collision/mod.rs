//! Which geoms touch, and where.
// the pair functions arrive one by one
#![allow(dead_code)]

mod convex;
mod shape;

use shape::MAX_HITS;
pub(crate) use shape::{Hit, Hits, Shape};
