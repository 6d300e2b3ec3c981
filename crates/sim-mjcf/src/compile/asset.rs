//! Textures and materials.

use sim_core::Model;
use sim_core::fields::Char;
use sim_core::model::ObjType;

use super::names::Names;
use crate::asset::{Image, stripped};
use crate::error::Error;
use crate::spec::Spec;
use crate::xml::Resolver;

/// Bytes of all images at most.
const MAX_BYTES: usize = 1 << 30;

/// Reads or makes the images of the textures; nothing if they are dropped.
pub(super) fn images(spec: &Spec, resolver: &Resolver<'_>) -> Result<Vec<Image>, Error> {
    if spec.compiler.discardvisual {
        return Ok(Vec::new());
    }
    let mut images = Vec::with_capacity(spec.textures.len());
    let mut total = 0;
    for texture in &spec.textures {
        let image = Image::new(texture, spec, resolver)?;
        total += image.bytes.len();
        if total > MAX_BYTES {
            let message = format!("the textures take up more than {} MB", MAX_BYTES >> 20);
            return Err(texture.src.error(message));
        }
        images.push(image);
    }
    Ok(images)
}

/// Fills the tables of textures and materials.
pub(super) fn fill(
    spec: &Spec,
    images: Vec<Image>,
    names: &Names,
    model: &mut Model,
) -> Result<(), Error> {
    if spec.compiler.discardvisual {
        return Ok(());
    }
    let mut paths = Vec::new();
    for (id, (texture, image)) in spec.textures.iter().zip(images).enumerate() {
        model.tex_type[id] = texture.kind as i32;
        model.tex_colorspace[id] = image.colorspace as i32;
        model.tex_height[id] = image.height as i32;
        model.tex_width[id] = image.width as i32;
        model.tex_nchannel[id] = image.channels as i32;
        model.tex_adr[id] = model.tex_data.len() as i64;
        model.tex_data.extend(image.bytes);
        model.tex_pathadr[id] = -1;
        if !texture.file.is_empty() {
            model.tex_pathadr[id] = paths.len() as i32;
            paths.extend(stripped(&texture.file, spec).bytes().map(Char));
            paths.push(Char(0));
        }
    }
    model.ntexdata = model.tex_data.len();
    if !paths.is_empty() {
        model.npaths = paths.len();
        model.paths = paths;
    }

    for (id, material) in spec.materials.iter().enumerate() {
        for (role, name) in material.textures.iter().enumerate() {
            model.mat_texid[id][role] = match name.as_str() {
                "" => -1,
                name => names.resolve(ObjType::Texture, name, material.src, "texture")? as i32,
            };
        }
        model.mat_texuniform[id] = material.texuniform.into();
        model.mat_texrepeat[id] = material.texrepeat;
        model.mat_emission[id] = material.emission;
        model.mat_specular[id] = material.specular;
        model.mat_shininess[id] = material.shininess;
        model.mat_reflectance[id] = material.reflectance;
        model.mat_metallic[id] = material.metallic;
        model.mat_roughness[id] = material.roughness;
        model.mat_rgba[id] = material.rgba;
    }
    Ok(())
}
