use sim_core::model::{Cone, Disable, Enable, Integrator, Jacobian, Options, Solver};

use super::{Attributes, Attrs};

const INTEGRATORS: &[(&str, i32)] = &[
    ("Euler", Integrator::Euler as i32),
    ("RK4", Integrator::Rk4 as i32),
    ("implicit", Integrator::Implicit as i32),
    ("implicitfast", Integrator::ImplicitFast as i32),
    ("discrete", Integrator::Discrete as i32),
];

const CONES: &[(&str, i32)] =
    &[("pyramidal", Cone::Pyramidal as i32), ("elliptic", Cone::Elliptic as i32)];

const JACOBIANS: &[(&str, i32)] = &[
    ("dense", Jacobian::Dense as i32),
    ("sparse", Jacobian::Sparse as i32),
    ("auto", Jacobian::Auto as i32),
];

const SOLVERS: &[(&str, i32)] =
    &[("PGS", Solver::Pgs as i32), ("CG", Solver::Cg as i32), ("Newton", Solver::Newton as i32)];

const SWITCH: &[(&str, bool)] = &[("disable", false), ("enable", true)];

/// Parts of the physics that are on unless disabled.
const DISABLE_FLAGS: &[(&str, Disable)] = &[
    ("constraint", Disable::Constraint),
    ("equality", Disable::Equality),
    ("frictionloss", Disable::FrictionLoss),
    ("limit", Disable::Limit),
    ("contact", Disable::Contact),
    ("spring", Disable::Spring),
    ("damper", Disable::Damper),
    ("gravity", Disable::Gravity),
    ("clampctrl", Disable::ClampCtrl),
    ("warmstart", Disable::WarmStart),
    ("filterparent", Disable::FilterParent),
    ("actuation", Disable::Actuation),
    ("refsafe", Disable::RefSafe),
    ("sensor", Disable::Sensor),
    ("midphase", Disable::MidPhase),
    ("eulerdamp", Disable::EulerDamp),
    ("autoreset", Disable::AutoReset),
    ("nativeccd", Disable::NativeCcd),
    ("island", Disable::Island),
];

/// Parts of the physics that are off unless enabled.
const ENABLE_FLAGS: &[(&str, Enable)] = &[
    ("override", Enable::Override),
    ("energy", Enable::Energy),
    ("fwdinv", Enable::FwdInv),
    ("invdiscrete", Enable::InvDiscrete),
    ("multiccd", Enable::MultiCcd),
    ("sleep", Enable::Sleep),
];

impl Attributes for Options {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.numbers("timestep", &mut self.timestep);
        a.numbers("impratio", &mut self.impratio);
        a.numbers("tolerance", &mut self.tolerance);
        a.numbers("ls_tolerance", &mut self.ls_tolerance);
        a.numbers("noslip_tolerance", &mut self.noslip_tolerance);
        a.numbers("ccd_tolerance", &mut self.ccd_tolerance);
        a.numbers("sleep_tolerance", &mut self.sleep_tolerance);
        a.numbers("gravity", &mut self.gravity);
        a.numbers("wind", &mut self.wind);
        a.numbers("magnetic", &mut self.magnetic);
        a.numbers("density", &mut self.density);
        a.numbers("viscosity", &mut self.viscosity);
        a.numbers("o_margin", &mut self.o_margin);
        a.up_to("o_solref", &mut self.o_solref);
        a.up_to("o_solimp", &mut self.o_solimp);
        a.up_to("o_friction", &mut self.o_friction);
        a.keyword("integrator", &mut self.integrator, INTEGRATORS);
        a.keyword("cone", &mut self.cone, CONES);
        a.keyword("jacobian", &mut self.jacobian, JACOBIANS);
        a.keyword("solver", &mut self.solver, SOLVERS);
        a.numbers("iterations", &mut self.iterations);
        a.numbers("ls_iterations", &mut self.ls_iterations);
        a.numbers("noslip_iterations", &mut self.noslip_iterations);
        a.numbers("ccd_iterations", &mut self.ccd_iterations);
        a.numbers("sdf_iterations", &mut self.sdf_iterations);
        a.numbers("sdf_initpoints", &mut self.sdf_initpoints);

        // each number of the list is a bit, in addition to those that are set
        let bits = self.disableactuator;
        let mut groups = (0..=30).filter(|group| bits >> group & 1 == 1).collect();
        a.list("actuatorgroupdisable", &mut groups);
        for group in groups {
            match group {
                0..=30 => self.disableactuator |= 1 << group,
                _ => a.fail("actuatorgroupdisable", "actuator groups are numbers from 0 to 30"),
            }
        }
    }
}

/// The element `flag` of the options.
pub(crate) struct Flags<'a>(pub(crate) &'a mut Options);

impl Attributes for Flags<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let Options { disableflags, enableflags, .. } = self.0;
        // spelling of older versions; what the newer flags say counts more
        let both = Disable::Spring as i32 | Disable::Damper as i32;
        let mut on = *disableflags & both == 0;
        if !a.writing() && a.keyword("passive", &mut on, SWITCH) {
            *disableflags = if on { *disableflags & !both } else { *disableflags | both };
            let help = "write spring=\"...\" damper=\"...\" instead";
            a.warn("passive", "the flag 'passive' is now two flags, 'spring' and 'damper'", help);
        }
        for &(name, bit) in DISABLE_FLAGS {
            let bit = bit as i32;
            let mut on = *disableflags & bit == 0;
            if a.keyword(name, &mut on, SWITCH) {
                *disableflags = if on { *disableflags & !bit } else { *disableflags | bit };
            }
        }
        for &(name, bit) in ENABLE_FLAGS {
            let bit = bit as i32;
            let mut on = *enableflags & bit != 0;
            if a.keyword(name, &mut on, SWITCH) {
                *enableflags = if on { *enableflags | bit } else { *enableflags & !bit };
            }
        }
    }
}
