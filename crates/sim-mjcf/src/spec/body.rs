use sim_core::math::Vec3;
use sim_core::model::SleepPolicy;

use super::{Attrs, Camera, Element, FLAG, Geom, Inertial, Joint, Light, Orientation, Site};
use crate::error::Pos;

/// A body and what is fixed to it.
#[doc(alias = "mjsBody")]
#[derive(Debug, Clone)]
pub struct Body {
    /// Name; empty for none.
    pub name: String,
    /// Place in the source.
    pub src: Pos,
    /// The parent body; the world is its own.
    pub parent: usize,
    /// The innermost frame around the body, inside its parent.
    pub frame: Option<usize>,
    /// Default class of the elements inside, unless they name another.
    pub class: usize,
    /// Whose compiler settings apply; see [`Spec::compiler_of`](super::Spec::compiler_of).
    pub compiler: usize,
    /// Class given by the attribute `childclass`.
    pub childclass: Option<usize>,
    /// Position in the parent or frame.
    pub pos: Vec3,
    /// Orientation in the parent or frame.
    pub orientation: Orientation,
    /// Whether the body is moved by the user.
    pub mocap: bool,
    /// Gravity compensation, as a multiple of the weight.
    pub gravcomp: f64,
    /// Sleep policy.
    pub sleep: SleepPolicy,
    /// User data.
    pub user: Vec<f64>,
    /// Mass, centre and inertia, if given.
    pub inertial: Option<Inertial>,
    /// Joints, in order of the document.
    pub joints: Vec<Joint>,
    /// Geoms, in order of the document.
    pub geoms: Vec<Geom>,
    /// Sites, in order of the document.
    pub sites: Vec<Site>,
    /// Cameras, in order of the document.
    pub cameras: Vec<Camera>,
    /// Lights, in order of the document.
    pub lights: Vec<Light>,
}

const SLEEP: &[(&str, SleepPolicy)] = &[
    ("auto", SleepPolicy::Auto),
    ("never", SleepPolicy::Never),
    ("allowed", SleepPolicy::Allowed),
    ("init", SleepPolicy::Init),
];

impl Default for Body {
    fn default() -> Body {
        Body {
            name: String::new(),
            src: Pos::default(),
            parent: 0,
            frame: None,
            class: 0,
            compiler: 0,
            childclass: None,
            pos: Vec3::ZERO,
            orientation: Orientation::default(),
            mocap: false,
            gravcomp: 0.0,
            sleep: SleepPolicy::Auto,
            user: Vec::new(),
            inertial: None,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
        }
    }
}

impl Body {
    /// The body called `world` that every model starts with.
    pub fn world() -> Body {
        Body { name: String::from("world"), ..Body::default() }
    }
}

impl Element for Body {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.childclass(&mut self.childclass);
        a.numbers("pos", &mut self.pos);
        a.keyword("mocap", &mut self.mocap, FLAG);
        a.orientation(&mut self.orientation);
        a.numbers("gravcomp", &mut self.gravcomp);
        a.keyword("sleep", &mut self.sleep, SLEEP);
        a.list("user", &mut self.user);
    }
}
