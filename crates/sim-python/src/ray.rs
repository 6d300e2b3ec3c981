//! Rays and distances, under MuJoCo's names.

use numpy::{AllowTypeChange, PyArrayDyn, PyArrayLikeDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::math::{MINVAL, Mat3, Vec3};
use sim_core::model::GeomType;
use sim_core::{FlexParts, RayFilter, multi_ray, ray, ray_flex, ray_geom};

use crate::arguments::{Output, check_len, is_vector, numbers, object, vec3, vector, write};
use crate::data::MjData;
use crate::guard::{FatalError, with_data, with_data_read, with_model};
use crate::model::MjModel;

/// Which geoms are met, from the arguments that say so.
fn filter(
    geomgroup: Option<&Bound<'_, PyAny>>,
    flg_static: i32,
    bodyexclude: i32,
) -> PyResult<RayFilter> {
    let groups = geomgroup
        .map(|groups| {
            let groups: PyArrayLikeDyn<'_, u8, AllowTypeChange> = groups.extract()?;
            let flags: Vec<bool> = numbers(&groups)?.into_iter().map(|flag| flag != 0).collect();
            flags
                .try_into()
                .map_err(|_| PyTypeError::new_err("geomgroup should be of size mjNGROUP"))
        })
        .transpose()?;
    Ok(RayFilter { groups, fixed: flg_static != 0, exclude: usize::try_from(bodyexclude).ok() })
}

/// Returns the distance, in lengths of `vec`, to the first surface that the ray from `pnt` along
/// `vec` meets, or -1 if there is none. Writes the geom, or -1, to `geomid` and the unit normal of
/// the surface to `normal`. `geomgroup` has a flag for each group of geoms that is met, `flg_static`
/// says whether geoms fixed to the world are, and those of the body `bodyexclude` are not.
#[pyfunction]
#[pyo3(signature = (m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid, normal = None))]
#[allow(clippy::too_many_arguments)]
fn mj_ray(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    geomgroup: Option<&Bound<'_, PyAny>>,
    flg_static: i32,
    bodyexclude: i32,
    geomid: Option<&Bound<'_, PyArrayDyn<i32>>>,
    normal: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    let (origin, direction) = (vec3("pnt", pnt)?, vec3("vec", vec)?);
    let filter = filter(geomgroup, flg_static, bodyexclude)?;
    geomid.map_or(Ok(()), |geomid| check_len("geomid", geomid, 1, "1"))?;
    normal.map_or(Ok(()), |normal| check_len("normal", normal, 3, "3"))?;
    if direction.norm() < MINVAL {
        return Err(FatalError::new_err("mj_ray: vector length is too small"));
    }
    let hit = with_data_read(m.py(), m.get(), d.get(), |model, data| {
        ray(model, data, origin, direction, &filter)
    })?;
    geomid.map_or(Ok(()), |geomid| write(geomid, &[hit.map_or(-1, |hit| hit.geom as i32)]))?;
    let surface = hit.map_or(Vec3::ZERO, |hit| hit.normal);
    normal.map_or(Ok(()), |normal| write(normal, &surface.to_array()))?;
    Ok(hit.map_or(-1.0, |hit| hit.distance))
}

/// Does for `nray` rays from one point what `mj_ray` does for one: `vec` and `normal` have three
/// numbers per ray, `geomid` and `dist` one. Geoms further away than `cutoff` are left out, and a
/// ray without length meets nothing.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
fn mj_multiRay(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    geomgroup: Option<&Bound<'_, PyAny>>,
    flg_static: i32,
    bodyexclude: i32,
    geomid: &Bound<'_, PyArrayDyn<i32>>,
    dist: Output<'_, '_>,
    normal: Option<Output<'_, '_>>,
    nray: i32,
    cutoff: f64,
) -> PyResult<()> {
    let count = usize::try_from(nray).unwrap_or(usize::MAX);
    if !is_vector(dist.shape(), count) || !is_vector(geomid.shape(), count) {
        return Err(PyTypeError::new_err("dist and geomid should be of size nray"));
    }
    let origin = vec3("pnt", pnt)?;
    let components = vector("vec", vec, 3 * count, "3*nray")?;
    normal.map_or(Ok(()), |normal| check_len("normal", normal, 3 * count, "3*nray"))?;
    let filter = filter(geomgroup, flg_static, bodyexclude)?;

    let directions: Vec<Vec3> =
        components.chunks_exact(3).map(|v| Vec3::new(v[0], v[1], v[2])).collect();
    let mut hits = vec![None; count];
    with_data(m.py(), m.get(), d.get(), |model, data| {
        multi_ray(model, data, origin, &directions, &filter, cutoff, &mut hits);
    })?;

    let distances: Vec<f64> = hits.iter().map(|hit| hit.map_or(-1.0, |hit| hit.distance)).collect();
    write(dist, &distances)?;
    // a ray without length leaves these as they were
    let cast = |i: usize| directions[i].dot(directions[i]) >= MINVAL;
    let mut geoms = numbers(geomid)?;
    for i in (0..count).filter(|&i| cast(i)) {
        geoms[i] = hits[i].map_or(-1, |hit| hit.geom as i32);
    }
    write(geomid, &geoms)?;
    let Some(normal) = normal else { return Ok(()) };
    let mut normals = numbers(normal)?;
    for i in (0..count).filter(|&i| cast(i)) {
        let surface = hits[i].map_or(Vec3::ZERO, |hit| hit.normal);
        normals[3 * i..3 * i + 3].copy_from_slice(&surface.to_array());
    }
    write(normal, &normals)
}

/// Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a
/// primitive shape of the given type, size and pose, or -1 if it does not. Writes the unit normal of
/// the surface to `normal`.
#[pyfunction]
#[pyo3(signature = (pos, mat, size, pnt, vec, geomtype, normal = None))]
fn mju_rayGeom(
    pos: &Bound<'_, PyAny>,
    mat: &Bound<'_, PyAny>,
    size: &Bound<'_, PyAny>,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    geomtype: i32,
    normal: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    normal.map_or(Ok(()), |normal| check_len("normal", normal, 3, "3"))?;
    let frame = vector("mat", mat, 9, "9")?;
    let frame = Mat3::new(std::array::from_fn(|i| frame[i]));
    let (pos, size) = (vec3("pos", pos)?, vec3("size", size)?);
    let (origin, direction) = (vec3("pnt", pnt)?, vec3("vec", vec)?);
    let primitive =
        |kind: &GeomType| *kind as i32 <= GeomType::Box as i32 && *kind != GeomType::Hfield;
    let Some(kind) = GeomType::from_i32(geomtype).filter(primitive) else {
        let message = format!("mju_rayGeom: unexpected geom type {geomtype}");
        return Err(FatalError::new_err(message));
    };
    let hit = ray_geom(kind, size, pos, &frame, origin, direction);
    let (distance, surface) = hit.unwrap_or((-1.0, Vec3::ZERO));
    normal.map_or(Ok(()), |normal| write(normal, &surface.to_array()))?;
    Ok(distance)
}

/// Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a mesh
/// geom, or -1 if it does not. Writes the unit normal of the surface to `normal`.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal = None))]
fn mj_rayMesh(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geomid: i32,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    normal: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    ray_of_kind(m, d, (GeomType::Mesh, "mj_rayMesh: geom with mesh type"), geomid, pnt, vec, normal)
}

/// Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a height
/// field, or -1 if it does not. Writes the unit normal of the surface to `normal`.
#[pyfunction]
#[pyo3(signature = (m, d, geomid, pnt, vec, normal = None))]
fn mj_rayHfield(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geomid: i32,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    normal: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    let kind = (GeomType::Hfield, "mj_rayHfield: geom with hfield type");
    ray_of_kind(m, d, kind, geomid, pnt, vec, normal)
}

/// Returns the distance, in lengths of `vec`, at which the ray from `pnt` along `vec` meets a flex,
/// or -1 if it does not. The flags say which parts are met: vertices, edges, faces of the layer
/// `flex_layer`, or the skin. Writes the nearest vertex of what is met to `vertid`, which stays as it
/// is if nothing is, and the unit normal of the surface to `normal`.
#[pyfunction]
#[pyo3(signature = (m, d, flex_layer, flg_vert, flg_edge, flg_face, flg_skin, flexid, pnt, vec, vertid = None, normal = None))]
#[allow(clippy::too_many_arguments)]
fn mj_rayFlex(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    flex_layer: i32,
    flg_vert: i32,
    flg_edge: i32,
    flg_face: i32,
    flg_skin: i32,
    flexid: i32,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    vertid: Option<&Bound<'_, PyArrayDyn<i32>>>,
    normal: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    vertid.map_or(Ok(()), |vertid| check_len("vertid", vertid, 1, "1"))?;
    normal.map_or(Ok(()), |normal| check_len("normal", normal, 3, "3"))?;
    let (origin, direction) = (vec3("pnt", pnt)?, vec3("vec", vec)?);
    let nflex = with_model(m.py(), m.get(), |model| model.nflex)?;
    let flex = object("flex", flexid, nflex)?;
    let parts = FlexParts {
        vertices: flg_vert != 0,
        edges: flg_edge != 0,
        faces: flg_face != 0,
        skin: flg_skin != 0,
        layer: flex_layer,
    };
    let hit = with_data_read(m.py(), m.get(), d.get(), |model, data| {
        ray_flex(model, data, flex, &parts, origin, direction)
    })?;
    if let (Some(vertid), Some(hit)) = (vertid, hit) {
        write(vertid, &[hit.vertex as i32])?;
    }
    let surface = hit.map_or(Vec3::ZERO, |hit| hit.normal);
    normal.map_or(Ok(()), |normal| write(normal, &surface.to_array()))?;
    Ok(hit.map_or(-1.0, |hit| hit.distance))
}

/// A ray against one geom, which must be of a kind.
fn ray_of_kind(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    (kind, expected): (GeomType, &str),
    geomid: i32,
    pnt: &Bound<'_, PyAny>,
    vec: &Bound<'_, PyAny>,
    normal: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    normal.map_or(Ok(()), |normal| check_len("normal", normal, 3, "3"))?;
    let (origin, direction) = (vec3("pnt", pnt)?, vec3("vec", vec)?);
    let ngeom = with_model(m.py(), m.get(), |model| model.ngeom)?;
    let geom = object("geom", geomid, ngeom)?;
    let hit = with_data_read(m.py(), m.get(), d.get(), |model, data| {
        let right = model.geom_type[geom] == kind as i32;
        right.then(|| sim_core::ray_one(model, data, geom, origin, direction))
    })?;
    let hit = hit.ok_or_else(|| FatalError::new_err(format!("{expected} expected")))?;
    let surface = hit.map_or(Vec3::ZERO, |hit| hit.normal);
    normal.map_or(Ok(()), |normal| write(normal, &surface.to_array()))?;
    Ok(hit.map_or(-1.0, |hit| hit.distance))
}

/// Returns the smallest distance between two geoms up to `distmax`, negative when they overlap, and
/// writes the points nearest to each other to the six numbers of `fromto`; zero if they are further
/// apart.
#[pyfunction]
fn mj_geomDistance(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    geom1: i32,
    geom2: i32,
    distmax: f64,
    fromto: Option<Output<'_, '_>>,
) -> PyResult<f64> {
    if fromto.is_some_and(|fromto| fromto.len() != 6) {
        return Err(PyTypeError::new_err("fromto should be of size 6"));
    }
    let ngeom = with_model(m.py(), m.get(), |model| model.ngeom)?;
    let (geom1, geom2) = (object("geom", geom1, ngeom)?, object("geom", geom2, ngeom)?);
    let (distance, points) = with_data(m.py(), m.get(), d.get(), |model, data| {
        sim_core::geom_distance(model, data, geom1, geom2, distmax)
    })?;
    let ends = points.unwrap_or_default().map(Vec3::to_array).concat();
    fromto.map_or(Ok(()), |fromto| write(fromto, &ends))?;
    Ok(distance)
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::functions::add! { module: mj_ray mj_multiRay mju_rayGeom mj_rayMesh mj_rayHfield mj_rayFlex
    mj_geomDistance }
    Ok(())
}
