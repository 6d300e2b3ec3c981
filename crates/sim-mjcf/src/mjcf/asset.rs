//! Meshes, height fields, materials, textures and models to attach.

use std::path::Path;

use super::{Reader, unknown_element, unsupported};
use crate::error::Error;
use crate::files::normal;
use crate::spec::{Attributes, Attrs, Class, Hfield, Info, Layer, Material, Mesh, Texture};
use crate::xml::Elem;

const KNOWN: [&str; 6] = ["texture", "material", "mesh", "hfield", "skin", "model"];

/// The attributes of `model`. Its file has been read before.
#[derive(Default)]
pub(super) struct ModelAsset {
    pub(super) name: String,
    pub(super) file: String,
    content_type: String,
}

impl Attributes for ModelAsset {
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
                    let class = self.class_of(child, Class::MAIN)?;
                    let mut material: Material = self.spec.default_of(class);
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
                "mesh" => self.mesh(child)?,
                "hfield" => self.hfield(child)?,
                "skin" => self.skin(child)?,
                _ => return Err(unknown_element(child, "asset", &KNOWN)),
            }
        }
        Ok(())
    }

    fn mesh(&mut self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        let mut mesh: Mesh = self.spec.default_of(self.class_of(elem, Class::MAIN)?);
        mesh.src = elem.pos();
        self.attributes(elem, &mut mesh)?;
        if let Some(child) = self.documents.children(elem).next() {
            let child = child?;
            return Err(match child.name() {
                "plugin" => unsupported(child),
                _ => unknown_element(child, "mesh", &["plugin"]),
            });
        }
        mesh.dir = self.files.dir.display().to_string();
        if !mesh.file.is_empty() {
            mesh.file = self.asset_file(elem, &self.spec.compiler.meshdir, &mesh.file);
        }
        if mesh.name.is_empty() {
            mesh.name = stem(&mesh.file).to_owned();
        }
        if mesh.name.is_empty() {
            let error = elem.error("a mesh needs a name").attribute("name");
            return Err(error.help("only a mesh from a file can go without"));
        }
        self.spec.meshes.push(mesh);
        Ok(())
    }

    fn hfield(&mut self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        let mut hfield = Hfield { info: Info::at(elem.pos()), ..Hfield::default() };
        self.leaf(elem, &mut hfield)?;
        hfield.dir = self.files.dir.display().to_string();
        if !hfield.file.is_empty() {
            hfield.file = self.asset_file(elem, &self.spec.compiler.meshdir, &hfield.file);
        }
        if hfield.name.is_empty() {
            hfield.name = stem(&hfield.file).to_owned();
        }
        if hfield.name.is_empty() {
            let error = elem.error("a height field needs a name").attribute("name");
            return Err(error.help("only one from a file can go without"));
        }
        self.spec.hfields.push(hfield);
        Ok(())
    }

    fn texture(&mut self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        let mut texture = Texture { info: Info::at(elem.pos()), ..Texture::default() };
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
    /// said to be, or else beside the included file that names it (absolute if the model's path is, as in
    /// the reference).
    pub(super) fn asset_file(&self, elem: Elem<'d, 'a>, dir: &str, file: &str) -> String {
        let files = self.files;
        let path = normal(Path::new(file));
        let beside = files.dir_of(elem.file);
        if path.is_relative()
            && beside != files.dir
            && !self.resolver.exists(&files.dir.join(dir).join(&path))
            && let Ok(inside) = beside.strip_prefix(&files.dir)
        {
            let rooted = self.resolver.rooted(&beside.join(&path));
            return normal(&rooted.unwrap_or(inside.join(path))).display().to_string();
        }
        path.display().to_string()
    }
}

/// The name of a file without directories and extension.
pub(super) fn stem(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.rfind('.').map_or(name, |dot| &name[..dot])
}
