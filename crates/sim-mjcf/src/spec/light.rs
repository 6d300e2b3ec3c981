use sim_core::math::Vec3;
use sim_core::model::{CamLightMode, LightType};

use super::camera::MODES;
use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, FLAG, Info};

/// A light.
#[doc(alias = "mjsLight")]
#[derive(Debug, Clone)]
pub struct Light {
    /// Name, place and relations.
    pub info: Info,
    /// Kind of light.
    pub kind: LightType,
    /// Position in the body or frame.
    pub pos: Vec3,
    /// Direction in the body or frame.
    pub dir: Vec3,
    /// How the light follows bodies.
    pub mode: CamLightMode,
    /// Name of the target body; empty for none.
    pub target: String,
    /// Name of the texture of an image light; empty for none.
    pub texture: String,
    /// Whether the light is on.
    pub active: bool,
    /// Whether the light casts shadows.
    pub castshadow: bool,
    /// Radius of the bulb, for soft shadows.
    pub bulbradius: f32,
    /// Intensity in candelas.
    pub intensity: f32,
    /// Range.
    pub range: f32,
    /// Attenuation coefficients.
    pub attenuation: [f32; 3],
    /// Cutoff angle of a spot in degrees.
    pub cutoff: f32,
    /// Exponent of a spot.
    pub exponent: f32,
    /// Ambient colour.
    pub ambient: [f32; 3],
    /// Diffuse colour.
    pub diffuse: [f32; 3],
    /// Specular colour.
    pub specular: [f32; 3],
}

/// Names of the kinds of light.
const LIGHT_TYPES: &[(&str, LightType)] = &[
    ("spot", LightType::Spot),
    ("directional", LightType::Directional),
    ("point", LightType::Point),
    ("image", LightType::Image),
];

impl Default for Light {
    fn default() -> Light {
        Light {
            info: Info::default(),
            kind: LightType::Spot,
            pos: Vec3::ZERO,
            dir: Vec3::new(0.0, 0.0, -1.0),
            mode: CamLightMode::Fixed,
            target: String::new(),
            texture: String::new(),
            active: true,
            castshadow: true,
            bulbradius: 0.02,
            intensity: 0.0,
            range: 10.0,
            attenuation: [1.0, 0.0, 0.0],
            cutoff: 45.0,
            exponent: 10.0,
            ambient: [0.0; 3],
            diffuse: [0.7; 3],
            specular: [0.3; 3],
        }
    }
}

impl Attributes for Light {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        let mut directional = self.kind == LightType::Directional;
        let given = !a.writing() && a.keyword("directional", &mut directional, FLAG);
        if given {
            self.kind = if directional { LightType::Directional } else { LightType::Spot };
        }
        if a.keyword("type", &mut self.kind, LIGHT_TYPES) && given {
            a.fail("type", "'type' and 'directional' cannot both be given");
        }
        a.keyword("castshadow", &mut self.castshadow, FLAG);
        a.keyword("active", &mut self.active, FLAG);
        a.numbers("pos", &mut self.pos);
        a.numbers("dir", &mut self.dir);
        a.numbers("bulbradius", &mut self.bulbradius);
        a.numbers("intensity", &mut self.intensity);
        a.numbers("range", &mut self.range);
        a.numbers("attenuation", &mut self.attenuation);
        a.numbers("cutoff", &mut self.cutoff);
        a.numbers("exponent", &mut self.exponent);
        a.numbers("ambient", &mut self.ambient);
        a.numbers("diffuse", &mut self.diffuse);
        a.numbers("specular", &mut self.specular);
        a.keyword("mode", &mut self.mode, MODES);
        if !a.in_defaults() {
            a.text("target", &mut self.target);
            a.text("texture", &mut self.texture);
        }
    }
}

impl Copied for Light {
    fn rename_targets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.target);
        affix.rename(&mut self.texture);
    }
}
