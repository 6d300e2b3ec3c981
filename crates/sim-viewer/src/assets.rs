//! The message that describes a model: a table of names, ranges and settings as JSON, then meshes,
//! height fields, skins and textures as bytes.

use sim_core::Model;
use sim_core::fields::Field;
use sim_core::model::{ENUMS, GeomType, LightType, ObjType, Options, TextureRole};
use sim_core::scene;
use sim_render::Surface;

use crate::json::Json;
use crate::texture::describe_textures;
use crate::wire::{Kind, Message};

/// Cells along an infinite plane, of which two are behind the horizon.
const PLANE_CELLS: f64 = 200.0;
/// Most names of a kind that are sent.
const MAX_NAMES: usize = 100_000;

/// Makes the message.
pub(crate) fn scene_message(model: &Model, title: &str, scene_id: u64) -> Vec<u8> {
    let mut blob = Message::default();
    let json = Json::object(|json| {
        json.member("type", "scene").member("id", scene_id).member("title", title);
        json.member("sizes", [model.nq, model.nv, model.nu, model.nbody, model.ngeom]);
        describe_elements(json, model);
        describe_visual(json, model);
        describe_physics(json);
        describe_assets(json, model, &mut blob);
    });
    let mut message = Message::start(Kind::Scene);
    message.u32(json.len() as u32);
    message.bytes(json.as_bytes());
    message.pad();
    message.bytes(&blob.finish());
    message.finish()
}

/// The names of all objects of a kind; empty for those without.
fn names(model: &Model, kind: ObjType) -> Vec<&str> {
    let count = model.count(kind).min(MAX_NAMES);
    (0..count).map(|id| model.name(kind, id).unwrap_or("")).collect()
}

fn describe_elements(json: &mut Json, model: &Model) {
    json.member("bodies", names(model, ObjType::Body));
    json.member("parents", &model.body_parentid[..model.nbody.min(MAX_NAMES)]);
    json.member("mass", &model.body_mass[..model.nbody.min(MAX_NAMES)]);
    json.member("geoms", names(model, ObjType::Geom));
    json.member("geombody", &model.geom_bodyid[..model.ngeom.min(MAX_NAMES)]);
    json.member("sites", names(model, ObjType::Site));
    json.member("sitebody", &model.site_bodyid[..model.nsite.min(MAX_NAMES)]);
    json.member("tendons", names(model, ObjType::Tendon));
    json.member("keys", names(model, ObjType::Key));
    json.list("joints", 0..model.njnt, |json, jnt| {
        json.member("name", model.name(ObjType::Joint, jnt).unwrap_or(""));
        json.member("kind", model.jnt_type[jnt]).member("adr", model.jnt_qposadr[jnt]);
        json.member("dof", model.jnt_dofadr[jnt]).member("body", model.jnt_bodyid[jnt]);
        json.member("limited", model.jnt_limited[jnt] != 0).member("range", model.jnt_range[jnt]);
        json.member("group", model.jnt_group[jnt]);
    });
    json.list("actuators", 0..model.nu, |json, id| {
        json.member("name", model.name(ObjType::Actuator, id).unwrap_or(""));
        json.member("limited", model.actuator_ctrllimited[id] != 0);
        json.member("range", model.actuator_ctrlrange[id]);
        json.member("group", model.actuator_group[id]);
    });
    json.list("sensors", 0..model.nsensor, |json, id| {
        json.member("name", model.name(ObjType::Sensor, id).unwrap_or(""));
        json.member("adr", model.sensor_adr[id]).member("dim", model.sensor_dim[id]);
        json.member("kind", model.sensor_type[id]);
    });
    json.list("equalities", 0..model.neq, |json, id| {
        json.member("name", model.name(ObjType::Equality, id).unwrap_or(""));
        json.member("kind", model.eq_type[id]);
    });
    json.list("cameras", 0..model.ncam, |json, cam| {
        json.member("name", model.name(ObjType::Camera, cam).unwrap_or(""));
        json.member("fovy", model.cam_fovy[cam]).member("parallel", model.cam_projection[cam]);
        json.member("sensor", model.cam_sensorsize[cam]);
        json.member("intrinsic", model.cam_intrinsic[cam]);
    });
    json.list("lights", 0..model.nlight, |json, id| {
        json.member("name", model.name(ObjType::Light, id).unwrap_or(""));
        let spot = model.light_type[id] == LightType::Spot as i32;
        json.member("kind", model.light_type[id]).member("active", model.light_active[id] != 0);
        json.member("shadow", model.light_castshadow[id] != 0);
        json.member("ambient", model.light_ambient[id]);
        json.member("diffuse", model.light_diffuse[id]);
        json.member("specular", model.light_specular[id]);
        let attenuation = if spot { model.light_attenuation[id] } else { [1.0, 0.0, 0.0] };
        json.member("attenuation", attenuation);
        json.member("cutoff", model.light_cutoff[id]).member("exponent", model.light_exponent[id]);
    });
}

fn describe_visual(json: &mut Json, model: &Model) {
    let vis = &model.vis;
    json.nested("vis", |json| {
        json.member("extent", model.stat.extent).member("center", model.stat.center.to_array());
        json.member("near", vis.map.znear).member("far", vis.map.zfar);
        json.member("fovy", vis.global.fovy).member("parallel", vis.global.orthographic);
        json.member("azimuth", vis.global.azimuth).member("elevation", vis.global.elevation);
        json.member("camera", vis.global.cameraid).member("linewidth", vis.global.linewidth);
        json.member("haze", vis.map.haze).member("hazecolor", vis.rgba.haze);
        json.member("fog", [vis.map.fogstart, vis.map.fogend]).member("fogcolor", vis.rgba.fog);
        json.member("shadowclip", vis.map.shadowclip).member("shadowscale", vis.map.shadowscale);
        json.member("shadowsize", vis.quality.shadowsize);
        let head = &vis.headlight;
        json.member("headlight", head.active != 0).member("headambient", head.ambient);
        json.member("headdiffuse", head.diffuse).member("headspecular", head.specular);
    });
    let flags = |name: &str| -> Vec<String> {
        let info = scene::ENUMS.iter().find(|info| info.name == name);
        let members = info.map_or(&[][..], |info| info.members);
        members.iter().map(|(name, _)| tail(name)).collect()
    };
    json.member("visflags", flags("mjtVisFlag")).member("renderflags", flags("mjtRndFlag"));
    json.member("labels", flags("mjtLabel")).member("frames", flags("mjtFrame"));
}

/// The part of a name behind its prefix, in lower case.
fn tail(name: &str) -> String {
    name.split_once('_').map_or(name, |(_, tail)| tail).to_lowercase()
}

fn describe_physics(json: &mut Json) {
    let flags = |name: &str| -> Vec<String> {
        let info = ENUMS.iter().find(|info| info.name == name);
        let members = info.map_or(&[][..], |info| info.members);
        members.iter().map(|(name, _)| tail(name)).collect()
    };
    json.member("disable", flags("mjtDisableBit")).member("enable", flags("mjtEnableBit"));
    json.nested("choices", |json| {
        for (option, name) in [
            ("integrator", "mjtIntegrator"),
            ("cone", "mjtCone"),
            ("jacobian", "mjtJacobian"),
            ("solver", "mjtSolver"),
        ] {
            json.member(option, flags(name));
        }
    });
    let hidden = |field: &&Field| !matches!(field.name, "disableflags" | "enableflags");
    let options: Vec<&str> =
        Options::FIELDS.iter().filter(hidden).map(|field| field.name).collect();
    json.member("options", options);
}

fn describe_assets(json: &mut Json, model: &Model, blob: &mut Message) {
    let rgb = TextureRole::Rgb as usize;
    json.list("materials", 0..model.nmat, |json, mat| {
        json.member("texture", model.mat_texid[mat][rgb]);
        json.member("uniform", model.mat_texuniform[mat] != 0);
        json.member("repeat", model.mat_texrepeat[mat]);
    });
    let planes = (0..model.ngeom).filter(|&geom| model.geom_type[geom] == GeomType::Plane as i32);
    json.list("planes", planes, |json, geom| {
        json.member("tile", [0, 1].map(|axis| plane_tile(model, geom, axis)));
    });
    describe_textures(json, model, blob);
    json.list("meshes", 0..2 * model.nmesh, |json, id| {
        let surface = match id % 2 {
            0 => Surface::mesh(model, id / 2),
            _ => Surface::hull(model, id / 2),
        };
        describe_surface(json, &surface, blob);
    });
    json.list("hfields", 0..model.nhfield, |json, id| {
        let [columns, rows] =
            [model.hfield_ncol[id], model.hfield_nrow[id]].map(|n| n.max(0) as usize);
        let start = model.hfield_adr[id].max(0) as usize;
        let heights = model.hfield_data.get(start..start + columns * rows).unwrap_or_default();
        json.member("columns", columns).member("rows", rows).member("size", model.hfield_size[id]);
        json.member("heights", blob.len()).member("count", heights.len());
        blob.f32s(heights);
    });
    json.list("skins", 0..model.nskin, |json, id| {
        let start = model.skin_faceadr[id].max(0) as usize;
        let count = model.skin_facenum[id].max(0) as usize;
        let faces = model.skin_face.get(start..start + count).unwrap_or_default();
        let vertices = model.skin_vertnum[id];
        let valid = |face: &&[i32; 3]| face.iter().all(|&v| (0..vertices).contains(&v));
        let faces: Vec<i32> = faces.iter().filter(valid).flatten().copied().collect();
        json.member("vertices", vertices).member("index", blob.len()).member("count", faces.len());
        faces.iter().for_each(|&v| blob.u32(v as u32));
        if let Ok(start) = usize::try_from(model.skin_texcoordadr[id]) {
            let uv = model.skin_texcoord.get(start..start + vertices as usize).unwrap_or_default();
            json.member("uv", blob.len());
            blob.f32s(uv.as_flattened());
        }
    });
}

/// Half the size of a tile of an infinite plane: it can be moved by whole tiles without a change.
fn plane_tile(model: &Model, geom: usize, axis: usize) -> f64 {
    let material = usize::try_from(model.geom_matid[geom]).ok();
    let repeat = material.map_or(0.0, |mat| f64::from(model.mat_texrepeat[mat][axis]));
    match repeat > 0.0 {
        true => 2.0 / repeat,
        false => 2.1 * f64::from(model.vis.map.zfar) * model.stat.extent / (PLANE_CELLS - 2.0),
    }
}

/// A direction on the octahedron, as two numbers of 16 bits (Meyer et al., On floating-point normal
/// vectors, 2010).
fn octahedral([x, y, z]: [f32; 3]) -> [i16; 2] {
    let sum = x.abs() + y.abs() + z.abs();
    if sum.is_nan() || sum <= 0.0 {
        return [0, 0];
    }
    let (mut u, mut v) = (x / sum, y / sum);
    if z < 0.0 {
        (u, v) = ((1.0 - v.abs()).copysign(u), (1.0 - u.abs()).copysign(v));
    }
    [u, v].map(|c| (c * 32767.0).round() as i16)
}

/// A mesh: positions of 16 bits in its box, octahedral normals, texture coordinates, triangles.
fn describe_surface(json: &mut Json, surface: &Surface, blob: &mut Message) {
    let bound = |pick: fn(f32, f32) -> f32, start: f32| -> [f32; 3] {
        std::array::from_fn(|k| surface.position.iter().map(|p| p[k]).fold(start, pick))
    };
    let low = bound(f32::min, f32::INFINITY);
    let high = bound(f32::max, f32::NEG_INFINITY);
    let step: [f32; 3] = std::array::from_fn(|k| ((high[k] - low[k]) / 65535.0).max(1e-30));
    let count = surface.position.len();
    json.member("count", count).member("triangles", surface.triangles.len());
    if count == 0 {
        return;
    }
    json.member("low", low).member("step", step).member("vertices", blob.len());
    for (position, normal) in surface.position.iter().zip(&surface.normal) {
        for k in 0..3 {
            let level = ((position[k] - low[k]) / step[k]).round().clamp(0.0, 65535.0);
            blob.u16(level as u16);
        }
        for part in octahedral(*normal) {
            blob.u16(part as u16);
        }
        blob.u16(0);
    }
    if !surface.texcoord.is_empty() {
        json.member("uv", blob.len());
        blob.f32s(surface.texcoord.as_flattened());
    }
    json.member("index", blob.len());
    let wide = count > 65536;
    json.member("wide", wide);
    for &vertex in surface.triangles.as_flattened() {
        match wide {
            true => blob.u32(vertex),
            false => blob.u16(vertex as u16),
        }
    }
    blob.pad();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn octahedral_normals_come_back() {
        for n in [[0.0, 0.0, 1.0f32], [0.0, 0.6, -0.8], [-0.48, 0.6, 0.64], [0.0, 0.0, -1.0]] {
            let [u, v] = octahedral(n).map(|c| f32::from(c) / 32767.0);
            let z = 1.0 - u.abs() - v.abs();
            let fold = (-z).max(0.0);
            let back = [u - fold.copysign(u), v - fold.copysign(v), z];
            let length = back.iter().map(|x| x * x).sum::<f32>().sqrt();
            for k in 0..3 {
                assert!((back[k] / length - n[k]).abs() < 1e-3, "{n:?} {back:?}");
            }
        }
    }
}
