use sim_core::math::Vec3;
use sim_core::model::{AlignFree, JointType, Limited};

use super::rename::Copied;
use super::{Attributes, Attrs, FLAG, Info, TRISTATE};

/// A joint.
#[doc(alias = "mjsJoint")]
#[derive(Debug, Clone)]
pub struct Joint {
    /// Name, place and relations.
    pub info: Info,
    /// Whether the element was `freejoint`.
    pub freejoint: bool,
    /// Kind of joint.
    pub kind: JointType,
    /// Group.
    pub group: i32,
    /// Position of the anchor in the body.
    pub pos: Vec3,
    /// Axis, as given.
    pub axis: Vec3,
    /// Time constant and damping ratio that stiffness and damping follow from; zero for none.
    pub springdamper: [f64; 2],
    /// Whether the range applies.
    pub limited: Limited,
    /// Whether the range of actuator force applies.
    pub actuatorfrclimited: Limited,
    /// Solver reference of the limit.
    pub solreflimit: [f64; 2],
    /// Solver impedance of the limit.
    pub solimplimit: [f64; 5],
    /// Solver reference of dry friction.
    pub solreffriction: [f64; 2],
    /// Solver impedance of dry friction.
    pub solimpfriction: [f64; 5],
    /// Stiffness.
    pub stiffness: f64,
    /// Limits, in the unit of the file.
    pub range: [f64; 2],
    /// Limits of actuator force on the joint.
    pub actuatorfrcrange: [f64; 2],
    /// Whether gravity compensation goes through the actuators.
    pub actuatorgravcomp: bool,
    /// Distance at which the limit becomes active.
    pub margin: f64,
    /// Value in the reference pose, in the unit of the file.
    pub reference: f64,
    /// Value at which the spring is at rest, in the unit of the file.
    pub springref: f64,
    /// Armature inertia.
    pub armature: f64,
    /// Damping.
    pub damping: f64,
    /// Dry friction.
    pub frictionloss: f64,
    /// Whether a free joint is aligned with the inertial frame.
    pub align: AlignFree,
    /// User data.
    pub user: Vec<f64>,
}

/// Names of the kinds of joint.
pub(crate) const JOINT_TYPES: &[(&str, JointType)] = &[
    ("free", JointType::Free),
    ("ball", JointType::Ball),
    ("slide", JointType::Slide),
    ("hinge", JointType::Hinge),
];

/// Solver reference when none is given.
pub(crate) const SOLREF: [f64; 2] = [0.02, 1.0];
/// Solver impedance when none is given.
pub(crate) const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

impl Default for Joint {
    fn default() -> Joint {
        Joint {
            info: Info::default(),
            freejoint: false,
            kind: JointType::Hinge,
            group: 0,
            pos: Vec3::ZERO,
            axis: Vec3::Z,
            springdamper: [0.0; 2],
            limited: Limited::Auto,
            actuatorfrclimited: Limited::Auto,
            solreflimit: SOLREF,
            solimplimit: SOLIMP,
            solreffriction: SOLREF,
            solimpfriction: SOLIMP,
            stiffness: 0.0,
            range: [0.0; 2],
            actuatorfrcrange: [0.0; 2],
            actuatorgravcomp: false,
            margin: 0.0,
            reference: 0.0,
            springref: 0.0,
            armature: 0.0,
            damping: 0.0,
            frictionloss: 0.0,
            align: AlignFree::Auto,
            user: Vec::new(),
        }
    }
}

impl Attributes for Joint {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        if self.freejoint {
            return self.freejoint_attrs(a);
        }
        a.identity(&mut self.name);
        a.keyword("type", &mut self.kind, JOINT_TYPES);
        a.numbers("group", &mut self.group);
        a.numbers("pos", &mut self.pos);
        a.numbers("axis", &mut self.axis);
        a.numbers("springdamper", &mut self.springdamper);
        a.keyword("limited", &mut self.limited, TRISTATE);
        a.keyword("actuatorfrclimited", &mut self.actuatorfrclimited, TRISTATE);
        a.up_to("solreflimit", &mut self.solreflimit);
        a.up_to("solimplimit", &mut self.solimplimit);
        a.up_to("solreffriction", &mut self.solreffriction);
        a.up_to("solimpfriction", &mut self.solimpfriction);
        a.numbers("stiffness", &mut self.stiffness);
        a.numbers("range", &mut self.range);
        a.numbers("actuatorfrcrange", &mut self.actuatorfrcrange);
        a.keyword("actuatorgravcomp", &mut self.actuatorgravcomp, FLAG);
        a.numbers("margin", &mut self.margin);
        a.numbers("ref", &mut self.reference);
        a.numbers("springref", &mut self.springref);
        a.numbers("armature", &mut self.armature);
        a.numbers("damping", &mut self.damping);
        a.numbers("frictionloss", &mut self.frictionloss);
        a.list("user", &mut self.user);
    }
}

impl Joint {
    /// A free joint, which takes nothing from the class defaults.
    pub fn free() -> Joint {
        Joint { kind: JointType::Free, freejoint: true, ..Joint::default() }
    }

    fn freejoint_attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.numbers("group", &mut self.group);
        a.keyword("align", &mut self.align, ALIGN);
    }
}

const ALIGN: &[(&str, AlignFree)] =
    &[("false", AlignFree::False), ("true", AlignFree::True), ("auto", AlignFree::Auto)];

impl Copied for Joint {
    fn user(&self) -> &[f64] {
        &self.user
    }
}
