use sim_core::math::Vec3;
use sim_core::model::{EqType, ObjType};

use super::joint::{SOLIMP, SOLREF};
use super::rename::Copied;
use super::{Attributes, Attrs, FLAG, Info};
use crate::error::Pos;

/// An equality constraint.
#[doc(alias = "mjsEquality")]
#[derive(Debug, Clone)]
pub struct Equality {
    /// Name, place and relations.
    pub info: Info,
    /// Kind of constraint.
    pub kind: EqType,
    /// Whether a connection or weld is between bodies or between sites; `Unknown` otherwise.
    pub objtype: ObjType,
    /// Name of the first object.
    pub name1: String,
    /// Name of the second object; empty for none, or for the world.
    pub name2: String,
    /// Point of the first body that a connection holds, or of the second that a weld holds.
    pub anchor: Option<Vec3>,
    /// Position and orientation of the second body of a weld in the first; with a zero quaternion
    /// those of the reference configuration.
    pub relpose: [f64; 7],
    /// How strongly a weld holds the orientation.
    pub torquescale: f64,
    /// Coefficients of the polynomial that couples joints or tendons.
    pub polycoef: [f64; 5],
    /// Whether the constraint starts active.
    pub active: bool,
    /// Solver reference.
    pub solref: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
}

impl Default for Equality {
    fn default() -> Equality {
        Equality {
            info: Info::default(),
            kind: EqType::Connect,
            objtype: ObjType::Unknown,
            name1: String::new(),
            name2: String::new(),
            anchor: None,
            relpose: [0.0; 7],
            torquescale: 1.0,
            polycoef: [0.0, 1.0, 0.0, 0.0, 0.0],
            active: true,
            solref: SOLREF,
            solimp: SOLIMP,
        }
    }
}

impl Equality {
    /// The point that a connection or weld holds. What is added to a model by hand, or ties sites,
    /// starts with the numbers of a coupling of joints.
    pub(crate) fn anchor_point(&self) -> Vec3 {
        let by_hand = self.src == Pos::default();
        let coupling = by_hand || self.objtype == ObjType::Site;
        self.anchor.unwrap_or(if coupling { Vec3::Y } else { Vec3::ZERO })
    }
}

impl Attributes for Equality {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        if !a.in_defaults() {
            a.identity(&mut self.name);
            match self.kind {
                EqType::Connect | EqType::Weld => self.ends(a),
                EqType::Joint => self.coupling(a, ["joint1", "joint2"]),
                EqType::Tendon => self.coupling(a, ["tendon1", "tendon2"]),
                EqType::Flex | EqType::FlexVert => {
                    a.text("flex", &mut self.name1);
                    a.required("flex");
                }
                EqType::Distance => {}
            }
        }
        a.keyword("active", &mut self.active, FLAG);
        a.up_to("solref", &mut self.solref);
        a.up_to("solimp", &mut self.solimp);
    }
}

impl Equality {
    /// The attributes of a constraint between two bodies or two sites.
    fn ends<A: Attrs>(&mut self, a: &mut A) {
        let weld = self.kind == EqType::Weld;
        if a.writing() && self.objtype == ObjType::Site {
            a.text("site1", &mut self.name1);
            a.text("site2", &mut self.name2);
            if weld {
                a.numbers("torquescale", &mut self.torquescale);
            }
            return;
        }
        let body1 = a.text("body1", &mut self.name1);
        let body2 = a.text("body2", &mut self.name2);
        let anchor = a.optional("anchor", &mut self.anchor);
        let relpose = weld && a.numbers("relpose", &mut self.relpose);
        let sites = ["site1", "site2"];
        let site1 = !a.writing() && a.text(sites[0], &mut self.name1);
        let site2 = !a.writing() && a.text(sites[1], &mut self.name2);
        if weld {
            a.numbers("torquescale", &mut self.torquescale);
        }

        let (by_body, by_site) = (body1 || body2 || anchor || relpose, site1 || site2);
        if by_body && by_site {
            let second = if site1 { sites[0] } else { sites[1] };
            a.fail(second, "a constraint is between two bodies or between two sites, not both");
        } else if by_site {
            self.objtype = ObjType::Site;
            sites.into_iter().for_each(|name| a.required(name));
        } else {
            self.objtype = ObjType::Body;
            a.required("body1");
            if !weld {
                a.required("anchor");
            }
        }
    }

    /// The attributes of a constraint that couples two scalars.
    fn coupling<A: Attrs>(&mut self, a: &mut A, names: [&'static str; 2]) {
        a.text(names[0], &mut self.name1);
        a.required(names[0]);
        a.text(names[1], &mut self.name2);
        a.up_to("polycoef", &mut self.polycoef);
    }
}

impl Copied for Equality {}
