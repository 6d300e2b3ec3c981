use sim_core::math::Vec3;

use super::{Attributes, Attrs};

/// Statistics that were given; the rest is computed from the compiled model.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Statistic {
    /// Mean diagonal of the mass matrix.
    pub meaninertia: Option<f64>,
    /// Mean mass of the bodies.
    pub meanmass: Option<f64>,
    /// Mean size of the bodies.
    pub meansize: Option<f64>,
    /// Spatial extent.
    pub extent: Option<f64>,
    /// Centre of the extent.
    pub center: Option<Vec3>,
}

impl Attributes for Statistic {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.optional("meaninertia", &mut self.meaninertia);
        a.optional("meanmass", &mut self.meanmass);
        a.optional("meansize", &mut self.meansize);
        if a.optional("extent", &mut self.extent) && self.extent.is_some_and(|x| x <= 0.0) {
            a.fail("extent", "the extent must be positive");
        }
        a.optional("center", &mut self.center);
    }
}
