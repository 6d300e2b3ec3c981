use super::solid::{Couple, Solid};
use super::{Ccd, ConvexWork, Limits, proximity};
use crate::math::Vec3;

pub(crate) fn geom_distance() {}
