use sim_core::model::Limited;

use super::joint::{SOLIMP, SOLREF};
use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, Info, TRISTATE};
use crate::error::Pos;

/// A tendon.
#[doc(alias = "mjsTendon")]
#[derive(Debug, Clone)]
pub struct Tendon {
    /// Name, place and relations.
    pub info: Info,
    /// Kind of tendon.
    pub kind: TendonKind,
    /// Group.
    pub group: i32,
    /// Name of the material; empty for none.
    pub material: String,
    /// Whether the range applies.
    pub limited: Limited,
    /// Whether the range of actuator force applies. Unlike that of a joint, it does so only if
    /// said.
    pub actuatorfrclimited: Limited,
    /// Limits of the length.
    pub range: [f64; 2],
    /// Limits of actuator force on the tendon.
    pub actuatorfrcrange: [f64; 2],
    /// Solver reference of the limit.
    pub solreflimit: [f64; 2],
    /// Solver impedance of the limit.
    pub solimplimit: [f64; 5],
    /// Solver reference of dry friction.
    pub solreffriction: [f64; 2],
    /// Solver impedance of dry friction.
    pub solimpfriction: [f64; 5],
    /// Dry friction.
    pub frictionloss: f64,
    /// Lengths between which the spring is at rest; −1 and −1 for the length in the pose in which
    /// springs are at rest.
    pub springlength: [f64; 2],
    /// Width, for rendering.
    pub width: f64,
    /// Distance at which the limit becomes active.
    pub margin: f64,
    /// Stiffness.
    pub stiffness: f64,
    /// Damping.
    pub damping: f64,
    /// Armature inertia.
    pub armature: f64,
    /// Colour when there is no material.
    pub rgba: [f32; 4],
    /// User data.
    pub user: Vec<f64>,
    /// Path, in order of the document.
    pub path: Vec<Wrap>,
}

/// Kinds of tendon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TendonKind {
    /// The shortest string through sites and around geoms.
    Spatial,
    /// A sum of joint positions.
    Fixed,
}

/// An element of the path of a tendon.
#[doc(alias = "mjsWrap")]
#[derive(Debug, Clone)]
pub struct Wrap {
    /// Place in the source.
    pub src: Pos,
    /// What it is.
    pub kind: WrapKind,
    /// Name of the site, geom or joint.
    pub target: String,
    /// Name of the site that says on which side the tendon passes a geom; empty for none.
    pub sidesite: String,
    /// Divisor of a pulley, or coefficient of a joint.
    pub parameter: f64,
}

/// Kinds of path elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WrapKind {
    /// A site that the tendon passes through.
    Site,
    /// A sphere or cylinder that the tendon is wrapped around.
    Geom,
    /// A pulley, after which a new branch starts.
    Pulley,
    /// A joint with its coefficient.
    Joint,
}

impl Default for Tendon {
    fn default() -> Tendon {
        Tendon {
            info: Info::default(),
            kind: TendonKind::Spatial,
            group: 0,
            material: String::new(),
            limited: Limited::Auto,
            actuatorfrclimited: Limited::False,
            range: [0.0; 2],
            actuatorfrcrange: [0.0; 2],
            solreflimit: SOLREF,
            solimplimit: SOLIMP,
            solreffriction: SOLREF,
            solimpfriction: SOLIMP,
            frictionloss: 0.0,
            springlength: [-1.0; 2],
            width: 0.003,
            margin: 0.0,
            stiffness: 0.0,
            damping: 0.0,
            armature: 0.0,
            rgba: [0.5, 0.5, 0.5, 1.0],
            user: Vec::new(),
            path: Vec::new(),
        }
    }
}

impl Wrap {
    /// A path element that is not filled in.
    pub fn new(kind: WrapKind, src: Pos) -> Wrap {
        Wrap { src, kind, target: String::new(), sidesite: String::new(), parameter: 0.0 }
    }
}

impl Attributes for Tendon {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        a.numbers("group", &mut self.group);
        a.keyword("limited", &mut self.limited, TRISTATE);
        a.numbers("range", &mut self.range);
        a.up_to("solreflimit", &mut self.solreflimit);
        a.up_to("solimplimit", &mut self.solimplimit);
        a.up_to("solreffriction", &mut self.solreffriction);
        a.up_to("solimpfriction", &mut self.solimpfriction);
        a.numbers("frictionloss", &mut self.frictionloss);
        a.one_or_two("springlength", &mut self.springlength);
        a.numbers("margin", &mut self.margin);
        a.numbers("stiffness", &mut self.stiffness);
        a.numbers("damping", &mut self.damping);
        if self.kind == TendonKind::Spatial {
            a.numbers("width", &mut self.width);
            a.text("material", &mut self.material);
            a.numbers("rgba", &mut self.rgba);
        }
        // classes have no defaults for these
        if !a.in_defaults() {
            a.keyword("actuatorfrclimited", &mut self.actuatorfrclimited, TRISTATE);
            a.numbers("actuatorfrcrange", &mut self.actuatorfrcrange);
            a.numbers("armature", &mut self.armature);
        }
        a.list("user", &mut self.user);
    }
}

impl Attributes for Wrap {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        match self.kind {
            WrapKind::Site => {
                a.text("site", &mut self.target);
                a.required("site");
            }
            WrapKind::Geom => {
                a.text("geom", &mut self.target);
                a.required("geom");
                a.text("sidesite", &mut self.sidesite);
            }
            WrapKind::Pulley => {
                a.numbers("divisor", &mut self.parameter);
                a.required("divisor");
            }
            WrapKind::Joint => {
                a.text("joint", &mut self.target);
                a.required("joint");
                a.numbers("coef", &mut self.parameter);
                a.required("coef");
            }
        }
    }
}

impl Copied for Tendon {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.material);
    }

    fn weight(&self) -> usize {
        1 + self.path.len()
    }

    fn user(&self) -> &[f64] {
        &self.user
    }
}
