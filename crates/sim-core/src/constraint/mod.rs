//! Constraints and their forces.

mod pyramid;

pub use pyramid::{contact_force, decode_pyramid, encode_pyramid};
