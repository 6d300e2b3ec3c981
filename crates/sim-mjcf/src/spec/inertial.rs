use sim_core::math::Vec3;

use super::{Attributes, Attrs, Orientation};
use crate::error::Pos;

/// Mass, centre of mass and inertia of a body.
#[derive(Debug, Clone, Default)]
pub struct Inertial {
    /// Place in the source.
    pub src: Pos,
    /// Position of the inertial frame in the body.
    pub pos: Option<Vec3>,
    /// Orientation of the inertial frame in the body.
    pub orientation: Orientation,
    /// Mass.
    pub mass: Option<f64>,
    /// Diagonal inertia in the inertial frame.
    pub diaginertia: Option<Vec3>,
    /// Inertia in the body's axes: xx, yy, zz, xy, xz, yz.
    pub fullinertia: Option<[f64; 6]>,
}

impl Attributes for Inertial {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.optional("pos", &mut self.pos);
        a.required("pos");
        let oriented = a.orientation(&mut self.orientation);
        a.optional("mass", &mut self.mass);
        a.required("mass");
        a.optional("diaginertia", &mut self.diaginertia);
        if a.optional("fullinertia", &mut self.fullinertia) && oriented {
            a.fail("fullinertia", "'fullinertia' already has an orientation, so none can be given");
        }
    }
}
