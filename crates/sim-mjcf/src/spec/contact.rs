use super::joint::{SOLIMP, SOLREF};
use super::rename::Copied;
use super::{Attributes, Attrs, Info};

/// A pair of geoms that are checked for contact whatever their bits say.
#[doc(alias = "mjsPair")]
#[derive(Debug, Clone)]
pub struct Pair {
    /// Name, place and relations.
    pub info: Info,
    /// Name of the first geom.
    pub geom1: String,
    /// Name of the second geom.
    pub geom2: String,
    /// Dimension of the contacts.
    pub condim: i32,
    /// Friction: two tangential, one torsional, two rolling.
    pub friction: [f64; 5],
    /// Solver reference along the normal.
    pub solref: [f64; 2],
    /// Solver reference of friction; zero for that of the normal.
    pub solreffriction: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
    /// Distance at which a contact is made.
    pub margin: f64,
    /// Part of the margin in which a contact has no force.
    pub gap: f64,
}

/// A pair of bodies that do not collide.
#[doc(alias = "mjsExclude")]
#[derive(Debug, Clone, Default)]
pub struct Exclude {
    /// Name, place and relations.
    pub info: Info,
    /// Name of the first body.
    pub body1: String,
    /// Name of the second body.
    pub body2: String,
}

impl Default for Pair {
    fn default() -> Pair {
        Pair {
            info: Info::default(),
            geom1: String::new(),
            geom2: String::new(),
            condim: 3,
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            solref: SOLREF,
            solreffriction: [0.0; 2],
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
        }
    }
}

impl Attributes for Pair {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        if !a.in_defaults() {
            a.text("geom1", &mut self.geom1);
            a.required("geom1");
            a.text("geom2", &mut self.geom2);
            a.required("geom2");
        }
        a.numbers("condim", &mut self.condim);
        a.up_to("friction", &mut self.friction);
        a.up_to("solref", &mut self.solref);
        a.up_to("solreffriction", &mut self.solreffriction);
        a.up_to("solimp", &mut self.solimp);
        a.numbers("margin", &mut self.margin);
        a.numbers("gap", &mut self.gap);
    }
}

impl Attributes for Exclude {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.text("body1", &mut self.body1);
        a.required("body1");
        a.text("body2", &mut self.body2);
        a.required("body2");
    }
}

impl Copied for Pair {}

impl Copied for Exclude {}
