//! Textures and materials, and what geoms can be made of.

use std::collections::HashMap;
use std::sync::Arc;

use sim_core::Model;
use sim_core::fields::Char;
use sim_core::model::ObjType;

use super::names::Names;
use super::tree::Tree;
use super::{hfield, mesh};
use crate::asset::hfield::Grid;
use crate::asset::mesh::Mesh;
use crate::asset::{Image, Pixels, stripped};
use crate::error::Error;
use crate::files::Resolver;
use crate::spec::{self, Element, Hfield, Info, Spec};

/// Bytes of all images at most.
const MAX_BYTES: usize = 1 << 30;

/// What geoms can be made of: meshes and height fields, by their positions in the spec.
#[derive(Debug)]
pub(super) struct Solids<'a> {
    pub mesh_specs: Vec<&'a spec::Mesh>,
    pub meshes: Vec<Arc<Mesh>>,
    pub mesh_ids: HashMap<&'a str, usize>,
    pub hfield_specs: Vec<&'a Hfield>,
    pub grids: Vec<Grid>,
    pub hfield_ids: HashMap<&'a str, usize>,
}

impl<'a> Solids<'a> {
    /// Compiles all meshes and height fields.
    pub(super) fn new(spec: &'a Spec, resolver: &Resolver<'_>) -> Result<Solids<'a>, Error> {
        let mesh_specs: Vec<&spec::Mesh> = spec.meshes.iter().collect();
        let hfield_specs: Vec<&Hfield> = spec.hfields.iter().collect();
        Ok(Solids {
            meshes: mesh::meshes(&mesh_specs, spec, resolver)?,
            grids: hfield::grids(spec, resolver)?,
            mesh_ids: by_name(mesh_specs.iter().map(|mesh| &mesh.info)),
            hfield_ids: by_name(hfield_specs.iter().map(|hfield| &hfield.info)),
            mesh_specs,
            hfield_specs,
        })
    }

    /// The meshes that the model keeps: all, or only those of the geoms that are left when visual
    /// ones are discarded.
    pub(super) fn kept(&self, spec: &Spec, tree: &Tree) -> Vec<usize> {
        if !spec.compiler.discardvisual {
            return (0..self.meshes.len()).collect();
        }
        let geoms = tree.bodies.iter().flat_map(|body| &body.geoms);
        let mut kept: Vec<usize> = geoms.filter_map(|geom| geom.mesh).collect();
        kept.sort_unstable();
        kept.dedup();
        kept
    }

    /// Counts what the model has of the height fields and of the given meshes.
    pub(super) fn sizes(&self, meshes: &[usize]) -> SolidSizes {
        let sum =
            |count: fn(&Mesh) -> usize| meshes.iter().map(|&id| count(&self.meshes[id])).sum();
        SolidSizes {
            vert: sum(|mesh| mesh.vert.len()),
            normal: sum(|mesh| mesh.normal.len()),
            texcoord: sum(|mesh| mesh.texcoord.len()),
            face: sum(|mesh| mesh.face.len()),
            graph: sum(|mesh| mesh.graph.len()),
            poly: sum(|mesh| mesh.polygons.vertnum.len()),
            polyvert: sum(|mesh| mesh.polygons.vert.len()),
            polymap: sum(|mesh| mesh.polygons.map.len()),
            hfielddata: self.grids.iter().map(|grid| grid.data.len()).sum(),
        }
    }
}

fn by_name<'a>(infos: impl Iterator<Item = &'a Info>) -> HashMap<&'a str, usize> {
    infos.enumerate().map(|(id, info)| (info.name.as_str(), id)).collect()
}

/// Sizes that follow from meshes and height fields.
pub(super) struct SolidSizes {
    vert: usize,
    normal: usize,
    texcoord: usize,
    face: usize,
    graph: usize,
    poly: usize,
    polyvert: usize,
    polymap: usize,
    hfielddata: usize,
}

impl SolidSizes {
    /// Sets the sizes of the model.
    pub(super) fn set(&self, model: &mut Model) {
        model.nmeshvert = self.vert;
        model.nmeshnormal = self.normal;
        model.nmeshtexcoord = self.texcoord;
        model.nmeshface = self.face;
        model.nmeshgraph = self.graph;
        model.nmeshpoly = self.poly;
        model.nmeshpolyvert = self.polyvert;
        model.nmeshpolymap = self.polymap;
        model.nhfielddata = self.hfielddata;
    }
}

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
            return Err(texture.error(message));
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
    let mut data = Vec::new();
    let total: usize = images.iter().map(|image| image.bytes.len()).sum();
    for (id, (texture, image)) in spec.textures.iter().zip(images).enumerate() {
        model.tex_type[id] = texture.kind as i32;
        model.tex_colorspace[id] = image.colorspace as i32;
        model.tex_height[id] = image.height as i32;
        model.tex_width[id] = image.width as i32;
        model.tex_nchannel[id] = image.channels as i32;
        model.tex_adr[id] = data.len() as i64;
        match image.bytes {
            // often the sky, and much larger than the rest
            Pixels::Own(bytes) if data.is_empty() => data = bytes,
            bytes => {
                data.reserve_exact(total - data.len());
                data.extend_from_slice(&bytes);
            }
        }
    }
    model.ntexdata = data.len();
    model.tex_data = data;

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

/// Writes the names of files: of height fields, meshes that are kept, and textures.
pub(super) fn fill_paths(spec: &Spec, solids: &Solids, kept: &[usize], model: &mut Model) {
    let mut paths = Vec::new();
    let mut add = |file: &str| {
        if file.is_empty() {
            return -1;
        }
        let address = paths.len() as i32;
        paths.extend(stripped(file, spec).bytes().map(Char));
        paths.push(Char(0));
        address
    };
    let hfields = spec.hfields.iter().map(|hfield| &hfield.file);
    model.hfield_pathadr.iter_mut().zip(hfields).for_each(|(adr, file)| *adr = add(file));
    let meshes = kept.iter().map(|&id| &solids.mesh_specs[id].file);
    model.mesh_pathadr.iter_mut().zip(meshes).for_each(|(adr, file)| *adr = add(file));
    let skins = spec.skins.iter().map(|skin| &skin.file);
    model.skin_pathadr.iter_mut().zip(skins).for_each(|(adr, file)| *adr = add(file));
    let textures = spec.textures.iter().map(|texture| &texture.file);
    model.tex_pathadr.iter_mut().zip(textures).for_each(|(adr, file)| *adr = add(file));
    if !paths.is_empty() {
        model.npaths = paths.len();
        model.paths = paths;
    }
}
