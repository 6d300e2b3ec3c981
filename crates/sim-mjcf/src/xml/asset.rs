//! Materials, textures and models to attach.

use std::path::Path;

use super::document::Elem;
use super::resolver::normal;
use super::{Reader, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{Attrs, Element, Layer, Material, Texture};

const KNOWN: [&str; 6] = ["texture", "material", "mesh", "hfield", "skin", "model"];

/// The attributes of `model`. Its file has been read before.
#[derive(Default)]
pub(super) struct ModelAsset {
    pub(super) name: String,
    pub(super) file: String,
    content_type: String,
}

impl Element for ModelAsset {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.text("file", &mut self.file);
        a.required("file");
        a.text("content_type", &mut self.content_type);
    }
}

impl<'d, 'a> Reader<'d, 'a> {
    pub(super) fn asset(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            match child.name() {
                "texture" => self.texture(child)?,
                "material" => {
                    let mut material = self.spec.classes[self.class_of(child, 0)?].material.clone();
                    material.src = child.pos();
                    self.material(child, &mut material, false)?;
                    if material.name.is_empty() {
                        return Err(child.error("a material needs a name").attribute("name"));
                    }
                    self.spec.materials.push(material);
                }
                "model" => {
                    let asset = self.new_leaf(child, ModelAsset::default())?;
                    if let Some(mut model) = self.models.remove(&child.pos()) {
                        if !asset.name.is_empty() {
                            model.name = asset.name;
                        }
                        self.attachable.push(model);
                    }
                }
                "mesh" | "hfield" | "skin" => return Err(unsupported(child)),
                _ => return Err(unknown_element(child, "asset", &KNOWN)),
            }
        }
        Ok(())
    }

    fn texture(&mut self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        let mut texture = Texture { src: elem.pos(), ..Texture::default() };
        self.leaf(elem, &mut texture)?;
        texture.dir = self.files.dir.display().to_string();
        let texturedir = self.spec.compiler.texturedir.clone();
        let files = std::iter::once(&mut texture.file).chain(&mut texture.cubefiles);
        for file in files.filter(|file| !file.is_empty()) {
            *file = self.asset_file(elem, &texturedir, file);
        }
        if texture.name.is_empty() {
            texture.name = stem(&texture.file).to_owned();
        }
        if texture.name.is_empty() && texture.kind != sim_core::model::TextureType::Skybox {
            let error = elem.error("a texture needs a name").attribute("name");
            return Err(error.help("only a skybox and an image from a file can go without"));
        }
        self.spec.textures.push(texture);
        Ok(())
    }

    /// Reads a material with its layers.
    pub(super) fn material(
        &mut self,
        elem: Elem<'d, 'a>,
        material: &mut Material,
        defaults: bool,
    ) -> Result<(), Error> {
        self.attributes_of(elem, material, defaults)?;
        for child in self.documents.children(elem) {
            let child = child?;
            if child.name() != "layer" {
                return Err(unknown_element(child, "material", &["layer"]));
            }
            if elem.node.attribute("texture").is_some() {
                let message = "a material with a texture attribute cannot have layers";
                return Err(child.error(message));
            }
            let layer = self.new_leaf(child, Layer::default())?;
            material.textures[layer.role as usize] = layer.texture;
        }
        Ok(())
    }

    /// The file that an attribute stands for, relative to the directory of its kind: where it is
    /// said to be, or else beside the included file that names it.
    fn asset_file(&self, elem: Elem<'d, 'a>, dir: &str, file: &str) -> String {
        let files = self.files;
        let path = normal(Path::new(file));
        let beside = files.dir_of(elem.file);
        if path.is_relative()
            && beside != files.dir
            && !self.resolver.exists(&files.dir.join(dir).join(&path))
            && let Ok(inside) = beside.strip_prefix(&files.dir)
        {
            return normal(&inside.join(path)).display().to_string();
        }
        path.display().to_string()
    }
}

/// The name of a file without directories and extension.
fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}
