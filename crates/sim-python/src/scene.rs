//! Abstract scenes: what the classes and functions with the prefix `mjv` are made of.
//!
//! The small structs (geoms, lights, cameras, options) are plain memory. Python holds them as numpy
//! records, described by [`plain_fields`], and hands them over as bytes.

use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use sim_core::math::{Mat3, Quat, Vec3};
use sim_core::model::GeomType;
use sim_core::scene::{
    Camera, Geom, GlCamera, Light, Mouse, Perturb, PlainField, RENDER_FLAGS, Scene, VisOption,
    align_to_camera,
};

use crate::data::MjData;
use crate::guard::{FatalError, with_data, with_data_read, with_model};
use crate::model::MjModel;

/// A struct of plain memory from bytes.
fn plain<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> PyResult<T> {
    bytemuck::try_pod_read_unaligned(bytes)
        .map_err(|_| PyTypeError::new_err("a record has the wrong size"))
}

/// Structs of plain memory from bytes, one after the other.
fn records<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}

fn bytes_of<'py, T: bytemuck::NoUninit>(py: Python<'py>, value: &T) -> Bound<'py, PyBytes> {
    PyBytes::new(py, bytemuck::bytes_of(value))
}

fn fatal(text: String) -> PyErr {
    FatalError::new_err(text)
}

fn vec3([x, y, z]: [f64; 3]) -> Vec3 {
    Vec3::new(x, y, z)
}

fn mouse(action: i32) -> PyResult<Mouse> {
    Mouse::from_i32(action).ok_or_else(|| fatal(format!("unexpected action {action}")))
}

/// Geoms, lights and cameras as bytes, and whether there was no room for all geoms.
type Stored<'py> = (Bound<'py, PyBytes>, Bound<'py, PyBytes>, Bound<'py, PyBytes>, bool);

/// What a scene has besides geoms, lights and cameras, in the order of Python's record.
type Head = (bool, [f32; 3], [f32; 4], f32, i32, [u8; RENDER_FLAGS], i32, [f32; 3]);

/// A scene, as the engine and the renderer see it.
#[pyclass(frozen, module = "cortenforge._native")]
pub(crate) struct SceneStore {
    scene: Mutex<Scene>,
}

impl SceneStore {
    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, Scene>> {
        self.scene.lock().map_err(|_| fatal("the scene is unusable after an error".to_owned()))
    }
}

#[pymethods]
impl SceneStore {
    #[new]
    fn new(py: Python<'_>, model: Option<&Bound<'_, MjModel>>, maxgeom: usize) -> PyResult<Self> {
        let scene = match model {
            Some(model) => with_model(py, model.get(), |model| Scene::new(model, maxgeom))?,
            None => Scene::empty(maxgeom),
        };
        Ok(SceneStore { scene: Mutex::new(scene) })
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<SceneStore> {
        Ok(SceneStore { scene: Mutex::new(self.lock()?.clone()) })
    }

    /// Takes over geoms, lights, cameras and the rest.
    fn load(&self, geoms: &[u8], lights: &[u8], cameras: &[u8], head: Head) -> PyResult<()> {
        let mut scene = self.lock()?;
        let whole = geoms.len().is_multiple_of(size_of::<Geom>())
            && lights.len().is_multiple_of(size_of::<Light>());
        if !whole {
            return Err(PyTypeError::new_err("a record has the wrong size"));
        }
        scene.geoms = records(geoms);
        scene.lights = records(lights);
        scene.camera = plain(cameras)?;
        let (enabletransform, translate, rotate, scale, stereo, flags, framewidth, framergb) = head;
        scene.enabletransform = enabletransform;
        scene.translate = translate;
        scene.rotate = rotate;
        scene.scale = scale;
        scene.stereo = stereo;
        scene.flags = flags;
        scene.framewidth = framewidth;
        scene.framergb = framergb;
        Ok(())
    }

    /// Geoms, lights and cameras as bytes, and whether there was no room for all geoms.
    fn store<'py>(&self, py: Python<'py>) -> PyResult<Stored<'py>> {
        let scene = self.lock()?;
        Ok((
            PyBytes::new(py, bytemuck::cast_slice(&scene.geoms)),
            PyBytes::new(py, bytemuck::cast_slice(&scene.lights)),
            bytes_of(py, &scene.camera),
            scene.full,
        ))
    }

    /// The numbers that change with the model as a whole.
    fn transform(&self) -> PyResult<(bool, [f32; 3], [f32; 4], f32)> {
        let scene = self.lock()?;
        Ok((scene.enabletransform, scene.translate, scene.rotate, scene.scale))
    }

    #[pyo3(signature = (model, data, opt, pert, camera, categories))]
    #[allow(clippy::too_many_arguments)]
    fn update<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, MjModel>,
        data: &Bound<'py, MjData>,
        opt: &[u8],
        pert: &[u8],
        camera: Option<&[u8]>,
        categories: i32,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let (opt, pert): (VisOption, Perturb) = (plain(opt)?, plain(pert)?);
        let mut camera: Option<Camera> = camera.map(plain).transpose()?;
        let mut scene = self.lock()?;
        let scene = &mut *scene;
        let seen = camera.as_mut();
        with_data_read(py, model.get(), data.get(), move |model, data| {
            scene.update(model, data, &opt, &pert, seen, categories)
        })?
        .map_err(fatal)?;
        Ok(camera.map(|camera| bytes_of(py, &camera)))
    }

    fn add_geoms(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        opt: &[u8],
        pert: &[u8],
        categories: i32,
    ) -> PyResult<()> {
        let (opt, pert): (VisOption, Perturb) = (plain(opt)?, plain(pert)?);
        let mut scene = self.lock()?;
        let scene = &mut *scene;
        with_data_read(py, model.get(), data.get(), move |model, data| {
            scene.add_geoms(model, data, &opt, &pert, categories);
        })
    }

    fn make_lights(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
    ) -> PyResult<()> {
        let mut scene = self.lock()?;
        let scene = &mut *scene;
        with_data_read(py, model.get(), data.get(), move |m, d| scene.make_lights(m, d))?
            .map_err(fatal)
    }

    fn update_camera<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, MjModel>,
        data: &Bound<'py, MjData>,
        camera: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut camera: Camera = plain(camera)?;
        let mut scene = self.lock()?;
        let (scene, seen) = (&mut *scene, &mut camera);
        with_data_read(py, model.get(), data.get(), move |m, d| scene.update_camera(m, d, seen))?
            .map_err(fatal)?;
        Ok(bytes_of(py, &camera))
    }

    fn camera_in_model(&self) -> PyResult<[[f64; 3]; 3]> {
        let (pos, forward, up) = self.lock()?.camera_in_model().map_err(fatal)?;
        Ok([pos, forward, up].map(Vec3::to_array))
    }

    fn camera_in_room(&self) -> PyResult<[[f64; 3]; 3]> {
        let (pos, forward, up) = self.lock()?.camera_in_room().map_err(fatal)?;
        Ok([pos, forward, up].map(Vec3::to_array))
    }

    fn frustum_height(&self) -> PyResult<f64> {
        self.lock()?.frustum_height().map_err(fatal)
    }

    /// Maps a pose from the room to the model, or back.
    fn map_pose(&self, pos: [f64; 3], rot: [f64; 4], back: bool) -> PyResult<([f64; 3], [f64; 4])> {
        let scene = self.lock()?;
        let rot = Quat::new(rot[0], rot[1], rot[2], rot[3]);
        let mapped = match back {
            true => scene.model_to_room(vec3(pos), rot),
            false => scene.room_to_model(vec3(pos), rot),
        };
        let (pos, rot) = mapped.map_err(fatal)?;
        Ok((pos.to_array(), rot.to_array()))
    }

    fn move_camera<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, MjModel>,
        action: i32,
        dx: f64,
        dy: f64,
        camera: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (action, mut camera): (_, Camera) = (mouse(action)?, plain(camera)?);
        let scene = self.lock()?;
        let (scene, moved) = (&*scene, &mut camera);
        with_model(py, model.get(), move |m| scene.move_camera(m, action, dx, dy, moved))?
            .map_err(fatal)?;
        Ok(bytes_of(py, &camera))
    }

    #[allow(clippy::too_many_arguments)]
    fn move_perturb<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, MjModel>,
        data: &Bound<'py, MjData>,
        action: i32,
        dx: f64,
        dy: f64,
        pert: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (action, mut pert): (_, Perturb) = (mouse(action)?, plain(pert)?);
        let scene = self.lock()?;
        let (scene, moved) = (&*scene, &mut pert);
        with_data_read(py, model.get(), data.get(), move |m, d| {
            scene.move_perturb(m, d, action, dx, dy, moved)
        })?
        .map_err(fatal)?;
        Ok(bytes_of(py, &pert))
    }

    fn move_model(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        action: i32,
        dx: f64,
        dy: f64,
        up: [f64; 3],
    ) -> PyResult<()> {
        let action = mouse(action)?;
        let mut scene = self.lock()?;
        let scene = &mut *scene;
        with_model(py, model.get(), move |m| scene.move_model(m, action, dx, dy, vec3(up)))?
            .map_err(fatal)
    }

    fn init_perturb<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, MjModel>,
        data: &Bound<'py, MjData>,
        pert: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let mut pert: Perturb = plain(pert)?;
        let scene = self.lock()?;
        let (scene, started) = (&*scene, &mut pert);
        with_data_read(py, model.get(), data.get(), move |m, d| scene.init_perturb(m, d, started))?
            .map_err(fatal)?;
        Ok(bytes_of(py, &pert))
    }

    /// Body, geom and skin at a place of the picture, -1 for none, and the point that was hit.
    #[allow(clippy::too_many_arguments)]
    fn select(
        &self,
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        data: &Bound<'_, MjData>,
        opt: &[u8],
        aspect: f64,
        place: [f64; 2],
    ) -> PyResult<(i32, i32, i32, Option<[f64; 3]>)> {
        let opt: VisOption = plain(opt)?;
        let scene = self.lock()?;
        let scene = &*scene;
        let found = with_data_read(py, model.get(), data.get(), move |m, d| {
            scene.select(m, d, &opt, aspect, place)
        })?
        .map_err(fatal)?;
        let id = |id: Option<usize>| id.map_or(-1, |id| id as i32);
        Ok(match found {
            None => (-1, -1, -1, None),
            Some(hit) => (hit.body as i32, id(hit.geom), id(hit.skin), Some(hit.point.to_array())),
        })
    }

    /// Arrays of flexes and skins, by MuJoCo's names.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let scene = self.lock()?;
        let dict = PyDict::new(py);
        let (flexes, skins) = (&scene.flexes, &scene.skins);
        let integers = [
            ("flexedgeadr", &flexes.edgeadr),
            ("flexedgenum", &flexes.edgenum),
            ("flexvertadr", &flexes.vertadr),
            ("flexvertnum", &flexes.vertnum),
            ("flexfaceadr", &flexes.faceadr),
            ("flexfacenum", &flexes.facenum),
            ("flexfaceused", &flexes.faceused),
            ("skinfacenum", &skins.facenum),
            ("skinvertadr", &skins.vertadr),
            ("skinvertnum", &skins.vertnum),
        ];
        for (name, values) in integers {
            dict.set_item(name, numpy::PyArray1::from_slice(py, values))?;
        }
        let edges: &[i32] = bytemuck::cast_slice(&flexes.edge);
        dict.set_item("flexedge", numpy::PyArray1::from_slice(py, edges))?;
        let floats: [(_, &[f32]); 6] = [
            ("flexvert", bytemuck::cast_slice(&flexes.vert)),
            ("flexface", bytemuck::cast_slice(&flexes.face)),
            ("flexnormal", bytemuck::cast_slice(&flexes.normal)),
            ("flextexcoord", bytemuck::cast_slice(&flexes.texcoord)),
            ("skinvert", bytemuck::cast_slice(&skins.vert)),
            ("skinnormal", bytemuck::cast_slice(&skins.normal)),
        ];
        for (name, values) in floats {
            dict.set_item(name, numpy::PyArray1::from_slice(py, values))?;
        }
        let options = [
            ("flexvertopt", flexes.vertopt),
            ("flexedgeopt", flexes.edgeopt),
            ("flexfaceopt", flexes.faceopt),
            ("flexskinopt", flexes.skinopt),
        ];
        for (name, value) in options {
            dict.set_item(name, i32::from(value))?;
        }
        Ok(dict)
    }
}

/// Fields of the plain structs and their defaults, by the name of the class in Python.
#[pyfunction]
fn _plain_structs(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    fn add<T: bytemuck::NoUninit + Default>(
        dict: &Bound<'_, PyDict>,
        name: &str,
        fields: &[PlainField],
    ) -> PyResult<()> {
        dict.set_item(name, (fields.to_vec(), bytes_of(dict.py(), &T::default())))
    }
    add::<Geom>(&dict, "MjvGeom", Geom::FIELDS)?;
    add::<Light>(&dict, "MjvLight", Light::FIELDS)?;
    add::<GlCamera>(&dict, "MjvGLCamera", GlCamera::FIELDS)?;
    add::<Camera>(&dict, "MjvCamera", Camera::FIELDS)?;
    add::<VisOption>(&dict, "MjvOption", VisOption::FIELDS)?;
    add::<Perturb>(&dict, "MjvPerturb", Perturb::FIELDS)?;
    Ok(dict)
}

#[pyfunction]
fn _free_camera<'py>(
    py: Python<'py>,
    model: &Bound<'py, MjModel>,
) -> PyResult<Bound<'py, PyBytes>> {
    let camera = with_model(py, model.get(), Camera::free)?;
    Ok(bytes_of(py, &camera))
}

/// Position, forward, up and right of a camera.
#[pyfunction]
fn _camera_frame(
    py: Python<'_>,
    model: &Bound<'_, MjModel>,
    data: &Bound<'_, MjData>,
    camera: &[u8],
) -> PyResult<[[f64; 3]; 4]> {
    let camera: Camera = plain(camera)?;
    let frame = with_data_read(py, model.get(), data.get(), |m, d| camera.frame(m, d))?;
    let frame = frame.map_err(fatal)?;
    Ok([frame.pos, frame.forward, frame.up, frame.right].map(Vec3::to_array))
}

/// Half heights, half widths and distances of the planes of a camera.
#[pyfunction]
fn _camera_frustum(
    py: Python<'_>,
    model: &Bound<'_, MjModel>,
    camera: &[u8],
) -> PyResult<[[f32; 2]; 3]> {
    let camera: Camera = plain(camera)?;
    let frustum = with_model(py, model.get(), |m| camera.frustum(m))?.map_err(fatal)?;
    Ok([frustum.vertical, frustum.horizontal, frustum.clip])
}

#[pyfunction]
fn _average_camera<'py>(py: Python<'py>, a: &[u8], b: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let average = GlCamera::average(&plain(a)?, &plain(b)?).map_err(fatal)?;
    Ok(bytes_of(py, &average))
}

#[pyfunction]
fn _init_geom<'py>(
    py: Python<'py>,
    geom: &[u8],
    kind: i32,
    size: [f64; 3],
    pos: [f64; 3],
    mat: [f64; 9],
    rgba: [f32; 4],
) -> PyResult<Bound<'py, PyBytes>> {
    let mut geom: Geom = plain(geom)?;
    geom.init(kind, Some(vec3(size)), vec3(pos), &Mat3::new(mat));
    geom.rgba = rgba;
    Ok(bytes_of(py, &geom))
}

#[pyfunction]
fn _connector<'py>(
    py: Python<'py>,
    geom: &[u8],
    kind: i32,
    width: f64,
    from: [f64; 3],
    to: [f64; 3],
) -> PyResult<Bound<'py, PyBytes>> {
    use GeomType::{Arrow, Arrow1, Arrow2, Capsule, Cylinder, Line};
    let mut geom: Geom = plain(geom)?;
    match GeomType::from_i32(kind) {
        Some(kind @ (Arrow | Arrow1 | Arrow2 | Capsule | Cylinder | Line)) => {
            geom.connect(kind, width, vec3(from), vec3(to));
        }
        _ => return Err(fatal(format!("invalid geom type {kind} for connector"))),
    }
    Ok(bytes_of(py, &geom))
}

#[pyfunction]
fn _apply_perturb(
    py: Python<'_>,
    model: &Bound<'_, MjModel>,
    data: &Bound<'_, MjData>,
    pert: &[u8],
    pose: bool,
    paused: bool,
) -> PyResult<()> {
    let pert: Perturb = plain(pert)?;
    with_data(py, model.get(), data.get(), |model, data| match pose {
        true => pert.apply_pose(model, data, paused),
        false => pert.apply_force(model, data),
    })
}

#[pyfunction]
fn _align_to_camera(vec: [f64; 3], forward: [f64; 3]) -> [f64; 3] {
    align_to_camera(vec3(vec), vec3(forward)).to_array()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<SceneStore>()?;
    module.add_function(wrap_pyfunction!(_plain_structs, module)?)?;
    module.add_function(wrap_pyfunction!(_free_camera, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_frame, module)?)?;
    module.add_function(wrap_pyfunction!(_camera_frustum, module)?)?;
    module.add_function(wrap_pyfunction!(_average_camera, module)?)?;
    module.add_function(wrap_pyfunction!(_init_geom, module)?)?;
    module.add_function(wrap_pyfunction!(_connector, module)?)?;
    module.add_function(wrap_pyfunction!(_apply_perturb, module)?)?;
    module.add_function(wrap_pyfunction!(_align_to_camera, module)?)?;
    Ok(())
}
