use sim_core::math::Vec3;
use sim_core::model::GeomType;

use super::geom::GEOM_TYPES;
use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, Info, Orientation};

/// A site: a marked place on a body.
#[doc(alias = "mjsSite")]
#[derive(Debug, Clone)]
pub struct Site {
    /// Name, place and relations.
    pub info: Info,
    /// Shape.
    pub kind: GeomType,
    /// Group.
    pub group: i32,
    /// Position in the body or frame.
    pub pos: Vec3,
    /// Orientation in the body or frame.
    pub orientation: Orientation,
    /// Two end points that stand for position, orientation and length.
    pub fromto: Option<[f64; 6]>,
    /// Size.
    pub size: Vec3,
    /// Name of the material; empty for none.
    pub material: String,
    /// Colour when there is no material.
    pub rgba: [f32; 4],
    /// User data.
    pub user: Vec<f64>,
}

impl Default for Site {
    fn default() -> Site {
        Site {
            info: Info::default(),
            kind: GeomType::Sphere,
            group: 0,
            pos: Vec3::ZERO,
            orientation: Orientation::default(),
            fromto: None,
            size: Vec3::new(0.005, 0.005, 0.005),
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            user: Vec::new(),
        }
    }
}

impl Attributes for Site {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        a.keyword("type", &mut self.kind, GEOM_TYPES);
        a.numbers("group", &mut self.group);
        a.numbers("pos", &mut self.pos);
        a.orientation(&mut self.orientation);
        a.text("material", &mut self.material);
        a.up_to("size", &mut self.size);
        a.optional("fromto", &mut self.fromto);
        a.numbers("rgba", &mut self.rgba);
        a.list("user", &mut self.user);
    }
}

impl Copied for Site {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.material);
    }

    fn user(&self) -> &[f64] {
        &self.user
    }
}
