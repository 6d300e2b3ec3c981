//! Skins: their weights, and their tables.

use std::path::Path;

use sim_core::Model;
use sim_core::model::ObjType;

use super::names::Names;
use super::tables::material;
use crate::asset::{skn, stripped};
use crate::error::Error;
use crate::files::Resolver;
use crate::pose::unit_quat;
use crate::spec::{self, Spec};
use sim_core::math::Quat;

/// Weights below this count as zero.
const MINVAL: f32 = 1e-15;

/// The skins of a model, read and with weights that sum up to one for each vertex.
#[derive(Debug)]
pub(super) struct Skins(Vec<spec::Skin>);

impl Skins {
    /// Reads and checks all skins.
    pub(super) fn new(spec: &Spec, resolver: &Resolver<'_>) -> Result<Skins, Error> {
        let read = |skin: &spec::Skin| {
            let mut skin = read(skin, spec, resolver)?;
            check(&skin)?;
            normalise(&mut skin)?;
            Ok(skin)
        };
        Ok(Skins(spec.skins.iter().map(read).collect::<Result<_, Error>>()?))
    }

    /// Sets the sizes of the model that count parts of skins.
    pub(super) fn set_sizes(&self, model: &mut Model) {
        for skin in &self.0 {
            model.nskinvert += skin.vert.len() / 3;
            model.nskintexvert += skin.texcoord.len() / 2;
            model.nskinface += skin.face.len() / 3;
            model.nskinbone += skin.bodyname.len();
            model.nskinbonevert += skin.vertid.iter().map(Vec::len).sum::<usize>();
        }
    }

    /// Fills the tables.
    pub(super) fn fill(&self, spec: &Spec, names: &Names, model: &mut Model) -> Result<(), Error> {
        let (mut vert, mut texvert, mut face, mut bone, mut bonevert) = (0, 0, 0, 0, 0);
        for (id, skin) in self.0.iter().enumerate() {
            model.skin_matid[id] = material(&skin.material, skin.info.src, spec, names)?;
            model.skin_group[id] = skin.group;
            model.skin_rgba[id] = skin.rgba;
            model.skin_inflate[id] = skin.inflate;
            let verts = skin.vert.as_chunks::<3>().0;
            let texcoords = skin.texcoord.as_chunks::<2>().0;
            let faces = skin.face.as_chunks::<3>().0;
            model.skin_vertadr[id] = vert as i32;
            model.skin_vertnum[id] = verts.len() as i32;
            model.skin_texcoordadr[id] = if texcoords.is_empty() { -1 } else { texvert as i32 };
            model.skin_faceadr[id] = face as i32;
            model.skin_facenum[id] = faces.len() as i32;
            model.skin_boneadr[id] = bone as i32;
            model.skin_bonenum[id] = skin.bodyname.len() as i32;
            copy(&mut model.skin_vert, &mut vert, verts);
            copy(&mut model.skin_texcoord, &mut texvert, texcoords);
            copy(&mut model.skin_face, &mut face, faces);
            for own in skin.bones() {
                let body = names.resolve(ObjType::Body, &own.body, skin.info.src, "body")?;
                model.skin_bonebodyid[bone] = body as i32;
                model.skin_bonebindpos[bone] = own.bindpos;
                model.skin_bonebindquat[bone] = own.bindquat;
                model.skin_bonevertadr[bone] = bonevert as i32;
                model.skin_bonevertnum[bone] = own.vertid.len() as i32;
                let mut start = bonevert;
                copy(&mut model.skin_bonevertid, &mut start, &own.vertid);
                copy(&mut model.skin_bonevertweight, &mut bonevert, &own.vertweight);
                bone += 1;
            }
        }
        Ok(())
    }
}

/// Copies values into a table and moves on.
fn copy<T: Copy>(table: &mut [T], at: &mut usize, values: &[T]) {
    table[*at..*at + values.len()].copy_from_slice(values);
    *at += values.len();
}

/// The skin with what its file has.
fn read(skin: &spec::Skin, spec: &Spec, resolver: &Resolver<'_>) -> Result<spec::Skin, Error> {
    let mut read = skin.clone();
    if skin.file.is_empty() {
        return Ok(read);
    }
    let src = skin.info.src;
    let fault = |message: String| src.error(message).attribute("file");
    let given = [skin.vert.len(), skin.texcoord.len(), skin.face.len(), skin.bodyname.len()];
    if given != [0; 4] {
        return Err(fault(format!("a skin is in '{}' or given here, not both", skin.file)));
    }
    let file = stripped(&skin.file, spec);
    if !Path::new(file).extension().is_some_and(|x| x.eq_ignore_ascii_case("skn")) {
        return Err(fault(format!("'{file}' is not a skin")).help("skins are in .skn files"));
    }
    let path = Path::new(&skin.dir).join(&spec.compiler_of(skin.info.compiler).meshdir).join(file);
    let path = path.to_string_lossy();
    let (_, bytes) =
        resolver.find(&path, &[Path::new("")]).map_err(|error| error.about(&path, fault))?;
    skn::read(&bytes, &mut read)
        .map_err(|problem| fault(format!("cannot use '{path}': {}", problem.message)))?;
    Ok(read)
}

/// Checks lengths and indices.
fn check(skin: &spec::Skin) -> Result<(), Error> {
    let fault = |name: &str, message: String| Err(skin.info.src.error(message).attribute(name));
    let bones = skin.bodyname.len();
    if skin.vert.is_empty() || skin.face.is_empty() || bones == 0 {
        return fault("vertex", String::from("a skin needs vertices, faces and bones"));
    }
    for (name, count) in [("vertex", skin.vert.len()), ("face", skin.face.len())] {
        if !count.is_multiple_of(3) {
            return fault(name, format!("'{name}' needs three numbers each, but has {count}"));
        }
    }
    let count = skin.vert.len() / 3;
    if !skin.texcoord.is_empty() && skin.texcoord.len() != 2 * count {
        let message = format!(
            "{count} vertices need {} texture coordinates, but there are {}",
            2 * count,
            skin.texcoord.len()
        );
        return fault("texcoord", message);
    }
    let outside = |index: &&i32| usize::try_from(**index).map_or(true, |index| index >= count);
    if let Some(vertex) = skin.face.iter().find(outside) {
        return fault("face", format!("a face has vertex {vertex}, but there are {count}"));
    }
    if skin.bindpos.len() != 3 * bones || skin.bindquat.len() != 4 * bones {
        return fault("bindpos", String::from("a skin needs a position and a quaternion per bone"));
    }
    if skin.vertid.len() != bones || skin.vertweight.len() != bones {
        return fault("vertid", String::from("a skin needs vertices and weights for each bone"));
    }
    for bone in skin.bones() {
        if bone.vertid.is_empty() || bone.vertid.len() != bone.vertweight.len() {
            let message = format!(
                "bone '{}' has {} vertices and {} weights: it needs as many, and one at least",
                bone.body,
                bone.vertid.len(),
                bone.vertweight.len()
            );
            return fault("vertid", message);
        }
        if let Some(vertex) = bone.vertid.iter().find(outside) {
            let message =
                format!("bone '{}' has vertex {vertex}, but there are {count}", bone.body);
            return fault("vertid", message);
        }
    }
    Ok(())
}

/// Scales the weights of each vertex to a sum of one, and quaternions to unit length.
fn normalise(skin: &mut spec::Skin) -> Result<(), Error> {
    let mut sum = vec![0.0_f32; skin.vert.len() / 3];
    for (ids, weights) in skin.vertid.iter().zip(&skin.vertweight) {
        ids.iter().zip(weights).for_each(|(&id, weight)| sum[id as usize] += weight);
    }
    if let Some(vertex) = sum.iter().position(|&sum| sum.is_nan() || sum <= MINVAL) {
        let message = format!("the weights of vertex {vertex} do not have a positive sum");
        return Err(skin.info.src.error(message).attribute("vertweight"));
    }
    for (ids, weights) in skin.vertid.iter().zip(&mut skin.vertweight) {
        ids.iter().zip(weights).for_each(|(&id, weight)| *weight /= sum[id as usize]);
    }
    for quat in skin.bindquat.as_chunks_mut::<4>().0 {
        let [w, x, y, z] = quat.map(f64::from);
        *quat = unit_quat(Quat::new(w, x, y, z)).to_array().map(|x| x as f32);
    }
    Ok(())
}
