use sim_core::model::TextureRole;

use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, FLAG, Info};

/// Roles that textures can have in a material.
const ROLES: usize = 10;

/// How a surface looks.
#[doc(alias = "mjsMaterial")]
#[derive(Debug, Clone)]
pub struct Material {
    /// Name, place and relations.
    pub info: Info,
    /// Names of the textures by [`TextureRole`]; empty for none.
    pub textures: [String; ROLES],
    /// Whether textures keep their scale on objects of different sizes.
    pub texuniform: bool,
    /// How often the texture repeats in x and y.
    pub texrepeat: [f32; 2],
    /// Emission, as a multiple of the colour.
    pub emission: f32,
    /// Specular reflection.
    pub specular: f32,
    /// Shininess.
    pub shininess: f32,
    /// Reflectance; above 0 the surface is a mirror.
    pub reflectance: f32,
    /// Metallicity; negative for none.
    pub metallic: f32,
    /// Roughness; negative for none.
    pub roughness: f32,
    /// Colour.
    pub rgba: [f32; 4],
}

/// A texture in one of the roles of a material.
#[derive(Debug, Clone)]
pub(crate) struct Layer {
    /// Name of the texture.
    pub texture: String,
    /// Role.
    pub role: TextureRole,
}

/// Names of the roles.
pub(crate) const TEXTURE_ROLES: &[(&str, TextureRole)] = &[
    ("rgb", TextureRole::Rgb),
    ("occlusion", TextureRole::Occlusion),
    ("roughness", TextureRole::Roughness),
    ("metallic", TextureRole::Metallic),
    ("normal", TextureRole::Normal),
    ("opacity", TextureRole::Opacity),
    ("emissive", TextureRole::Emissive),
    ("rgba", TextureRole::Rgba),
    ("orm", TextureRole::Orm),
];

impl Default for Material {
    fn default() -> Material {
        Material {
            info: Info::default(),
            textures: Default::default(),
            texuniform: false,
            texrepeat: [1.0; 2],
            emission: 0.0,
            specular: 0.5,
            shininess: 0.5,
            reflectance: 0.0,
            metallic: -1.0,
            roughness: -1.0,
            rgba: [1.0; 4],
        }
    }
}

impl Default for Layer {
    fn default() -> Layer {
        Layer { texture: String::new(), role: TextureRole::User }
    }
}

impl Attributes for Material {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        a.text("texture", &mut self.textures[TextureRole::Rgb as usize]);
        a.keyword("texuniform", &mut self.texuniform, FLAG);
        a.numbers("texrepeat", &mut self.texrepeat);
        a.numbers("emission", &mut self.emission);
        a.numbers("specular", &mut self.specular);
        a.numbers("shininess", &mut self.shininess);
        a.numbers("reflectance", &mut self.reflectance);
        a.numbers("metallic", &mut self.metallic);
        a.numbers("roughness", &mut self.roughness);
        a.numbers("rgba", &mut self.rgba);
    }
}

impl Attributes for Layer {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("texture", &mut self.texture);
        a.required("texture");
        a.keyword("role", &mut self.role, TEXTURE_ROLES);
        a.required("role");
    }
}

impl Copied for Material {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        self.textures.iter_mut().for_each(|name| affix.rename(name));
    }
}
