use sim_core::math::Vec3;
use sim_core::model::SleepPolicy;

use super::rename::Copied;
use super::{
    Attributes, Attrs, Camera, Class, FLAG, Frame, Geom, Id, Inertial, Info, Joint, Light,
    Orientation, Site,
};

/// A body and what is fixed to it.
#[doc(alias = "mjsBody")]
#[derive(Debug, Clone)]
pub struct Body {
    /// Name, place and relations.
    pub info: Info,
    /// Class given by the attribute `childclass`.
    pub childclass: Option<Id<Class>>,
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
    /// Bodies inside.
    pub bodies: Vec<Id<Body>>,
    /// Frames, also those inside other frames.
    pub frames: Vec<Id<Frame>>,
    /// Joints.
    pub joints: Vec<Id<Joint>>,
    /// Geoms.
    pub geoms: Vec<Id<Geom>>,
    /// Sites.
    pub sites: Vec<Id<Site>>,
    /// Cameras.
    pub cameras: Vec<Id<Camera>>,
    /// Lights.
    pub lights: Vec<Id<Light>>,
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
            info: Info::default(),
            childclass: None,
            pos: Vec3::ZERO,
            orientation: Orientation::default(),
            mocap: false,
            gravcomp: 0.0,
            sleep: SleepPolicy::Auto,
            user: Vec::new(),
            inertial: None,
            bodies: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            cameras: Vec::new(),
            lights: Vec::new(),
        }
    }
}

impl Body {
    /// The body that every model starts with.
    pub const WORLD: Id<Body> = Id::FIRST;

    /// The body called `world` that every model starts with.
    pub(super) fn world() -> Body {
        let info = Info { name: String::from("world"), ..Info::default() };
        Body { info, ..Body::default() }
    }

    /// A copy without the elements that are in the body.
    pub(crate) fn without_contents(&self) -> Body {
        Body {
            info: self.info.clone(),
            inertial: self.inertial.clone(),
            user: self.user.clone(),
            childclass: self.childclass,
            pos: self.pos,
            orientation: self.orientation,
            mocap: self.mocap,
            gravcomp: self.gravcomp,
            sleep: self.sleep,
            ..Body::default()
        }
    }
}

impl Attributes for Body {
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

impl Copied for Body {
    fn user(&self) -> &[f64] {
        &self.user
    }
}
