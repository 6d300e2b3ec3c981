use super::{Actuator, Camera, Equality, Geom, Joint, Light, Material, Pair, Site, Tendon};
use crate::error::Pos;

/// A default class: one element of each kind, with the defaults of that class.
#[doc(alias = "mjsDefault")]
#[derive(Debug, Clone)]
pub struct Class {
    /// Name; that of the top class is `main`.
    pub name: String,
    /// The class that this one was copied from.
    pub parent: Option<usize>,
    /// Place in the source.
    pub src: Pos,
    /// Defaults of joints.
    pub joint: Joint,
    /// Defaults of geoms.
    pub geom: Geom,
    /// Defaults of sites.
    pub site: Site,
    /// Defaults of cameras.
    pub camera: Camera,
    /// Defaults of lights.
    pub light: Light,
    /// Defaults of materials.
    pub material: Material,
    /// Defaults of pairs of geoms.
    pub pair: Pair,
    /// Defaults of equality constraints.
    pub equality: Equality,
    /// Defaults of tendons.
    pub tendon: Tendon,
    /// Defaults of actuators of all kinds.
    pub actuator: Actuator,
}

impl Class {
    /// A camera of this class. Unlike other elements, a camera takes no user data from its class.
    pub(crate) fn new_camera(&self) -> Camera {
        Camera { user: Vec::new(), ..self.camera.clone() }
    }
}

impl Default for Class {
    fn default() -> Class {
        Class {
            name: String::from("main"),
            parent: None,
            src: Pos::default(),
            joint: Joint::default(),
            geom: Geom::default(),
            site: Site::default(),
            camera: Camera::default(),
            light: Light::default(),
            material: Material::default(),
            pair: Pair::default(),
            equality: Equality::default(),
            tendon: Tendon::default(),
            actuator: Actuator::default(),
        }
    }
}
