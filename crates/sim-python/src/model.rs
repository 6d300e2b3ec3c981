//! `MjModel`.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use numpy::PyArray1;
use pyo3::exceptions::{PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict};
use sim_core::Model;
use sim_core::fields::Scalar;
use sim_core::memory::check_available;
use sim_mjcf::{Loaded, Loader, Spec};

use crate::attributes::{Entry, Slot, Struct, Table, is_text};
use crate::exit::detached;
use crate::guard::{caught, memory_error, memory_limit, with_model};
use crate::raw::{Place, Shared, Storage};
use crate::records::{MjVisual, Record};
use crate::state;

/// A compiled model.
///
/// Sizes, options (`opt`, `stat`, `vis`) and arrays have MuJoCo's names and shapes. Arrays are live
/// numpy views: writing to them changes the model.
#[pyclass(frozen, subclass, extends = Struct, module = "cortenforge")]
pub(crate) struct MjModel {
    pub(crate) shared: Arc<Shared<Model>>,
    /// The sizes in the order of `Model::SIZES`; they never change.
    pub(crate) sizes: Arc<Vec<usize>>,
    /// Physics options.
    #[pyo3(get)]
    opt: Py<PyAny>,
    /// Statistics of the model.
    #[pyo3(get)]
    stat: Py<PyAny>,
    /// Visualisation options.
    #[pyo3(get)]
    vis: Py<MjVisual>,
    /// What the loader had to say about the file, one text per warning.
    #[pyo3(get)]
    load_warnings: Vec<String>,
    /// What the model was compiled from, if it was.
    pub(crate) spec: Option<Arc<Spec>>,
}

/// The attributes of the class: sizes, then arrays.
pub(crate) fn entries() -> Vec<Entry> {
    let size = |&(name, doc): &(&'static str, &'static str)| Entry {
        name,
        doc: doc.trim(),
        dims: &[],
        width: 1,
        dtype: "int",
        writable: false,
    };
    Model::SIZES.iter().map(size).chain(Model::FIELDS.iter().map(Entry::of)).collect()
}

impl MjModel {
    /// Wraps a model.
    pub(crate) fn make(
        py: Python<'_>,
        model: Model,
        load_warnings: Vec<String>,
        spec: Option<Arc<Spec>>,
    ) -> PyResult<Py<Self>> {
        caught(|| MjModel::wrap(py, model, load_warnings, spec))?
    }

    fn wrap(
        py: Python<'_>,
        model: Model,
        load_warnings: Vec<String>,
        spec: Option<Arc<Spec>>,
    ) -> PyResult<Py<MjModel>> {
        let shared = Shared::new(model);
        let storage = Storage::new(py, &shared)?;
        let mut guard = shared.write().expect("just made");
        let model = &mut *guard;

        let sizes: Arc<Vec<usize>> = Arc::new(
            Model::SIZES.iter().map(|(name, _)| model.size(name).expect("a size")).collect(),
        );
        let mut slots = Vec::new();
        for (name, _) in Model::SIZES {
            let size = model.size_mut(name).expect("sizes are in the table");
            slots.push(Slot::Number { place: Place::of_usize(size), writable: false });
        }
        for field in Model::FIELDS {
            let len = model.array(field.name).expect("fields are in the table").len();
            let shape = field.shape(len, |dim| model.size(dim).expect("dimensions are sizes"));
            let place = Place::new(model.array_mut(field.name).expect("as above"), &shape);
            slots.push(match field.scalar {
                Scalar::Char if is_text(field.name) => {
                    Slot::Text { place, bytes: PyOnceLock::new() }
                }
                _ => Slot::at(place),
            });
        }
        let opt = model.opt.show(py, &storage)?;
        let stat = model.stat.show(py, &storage)?;
        let vis = Py::new(py, MjVisual::new(py, model, &storage)?)?;
        drop(guard);

        let base = Struct::new(Table::Model, slots, storage);
        let class = MjModel { shared, sizes, opt, stat, vis, load_warnings, spec };
        Py::new(py, PyClassInitializer::from(base).add_subclass(class))
    }

    fn duplicate(&self, py: Python<'_>) -> PyResult<Py<MjModel>> {
        let model = self.shared.read()?;
        check_available(model.memory()).map_err(memory_error)?;
        MjModel::make(py, model.clone(), self.load_warnings.clone(), self.spec.clone())
    }

    /// The fields by name, as `_from_fields` takes them.
    fn fields<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let (py, this) = (slf.py(), slf.get());
        let fields = PyDict::new(py);
        state::save(slf.as_super(), "", &fields)?;
        state::save(this.opt.bind(py).cast()?, "opt.", &fields)?;
        state::save(this.stat.bind(py).cast()?, "stat.", &fields)?;
        for part in ["global_", "quality", "headlight", "map", "scale", "rgba"] {
            let record = this.vis.bind(py).getattr(part)?;
            state::save(record.cast()?, &format!("vis.{part}."), &fields)?;
        }
        Ok(fields)
    }
}

/// Compiles a model and keeps what it was compiled from.
fn compiled(spec: Spec) -> Result<(Spec, Loaded), sim_mjcf::Error> {
    let loaded = spec.compile()?;
    Ok((spec, loaded))
}

/// A loader with the limits of the environment, that keeps to the directory `root`.
pub(crate) fn loader(root: Option<PathBuf>) -> PyResult<Loader> {
    let loader = Loader::new().memory(memory_limit()?);
    match root {
        None => Ok(loader),
        Some(root) => loader.root(root).map_err(|error| PyValueError::new_err(error.to_string())),
    }
}

/// Copies the files that were given by name; no two may share the name without folders.
fn named_files(assets: HashMap<String, PyBackedBytes>) -> PyResult<HashMap<String, Vec<u8>>> {
    let mut seen = HashSet::new();
    for name in assets.keys() {
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        if !seen.insert(base) {
            let message = format!("Repeated file name in assets dict: {base}");
            return Err(PyValueError::new_err(message));
        }
    }
    Ok(assets.into_iter().map(|(name, bytes)| (name, bytes.to_vec())).collect())
}

/// Hands over a loaded model, issuing its warnings.
fn loaded(
    py: Python<'_>,
    result: PyResult<Result<(Spec, Loaded), sim_mjcf::Error>>,
) -> PyResult<Py<MjModel>> {
    let (spec, loaded) = result?.map_err(|error| PyValueError::new_err(error.to_string()))?;
    let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
    for warning in &warnings {
        let text = std::ffi::CString::new(warning.replace('\0', "\u{fffd}"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    MjModel::make(py, loaded.model, warnings, Some(Arc::new(spec)))
}

#[pymethods]
impl MjModel {
    /// Loads a model from an MJCF file.
    /// With `root`, neither the file nor those that it names may be outside of that directory.
    #[staticmethod]
    #[pyo3(signature = (filename, assets = None, *, root = None))]
    fn from_xml_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<&Bound<'_, PyDict>>,
        root: Option<PathBuf>,
    ) -> PyResult<Py<MjModel>> {
        if assets.is_some_and(|assets| !assets.is_empty()) {
            return Err(PyValueError::new_err(
                "assets cannot be given along with a file: pass its text to from_xml_string",
            ));
        }
        let loader = loader(root)?;
        loaded(py, detached(py, || caught(|| loader.read_file(&filename).and_then(compiled))))
    }

    /// Loads a model from MJCF text. Files that it names are looked up in `assets`, a dictionary
    /// from file name to bytes; without `assets`, in the current directory or in `root`, which they
    /// may not be outside of.
    #[staticmethod]
    #[pyo3(signature = (xml, assets = None, *, root = None))]
    fn from_xml_string(
        py: Python<'_>,
        xml: &Bound<'_, PyAny>,
        assets: Option<HashMap<String, PyBackedBytes>>,
        root: Option<PathBuf>,
    ) -> PyResult<Py<MjModel>> {
        let xml: PyBackedStr = match xml.cast::<PyBytes>() {
            Ok(bytes) => bytes.call_method1("decode", ("utf-8",))?.extract()?,
            Err(_) => xml.extract()?,
        };
        let xml = &*xml;
        let assets = assets.map(named_files).transpose()?;
        let loader = loader(root)?;
        let load = || match &assets {
            Some(assets) => loader.read_str_with_assets(xml, assets),
            None => loader.read_str(xml),
        };
        loaded(py, detached(py, || caught(|| load().and_then(compiled))))
    }

    /// Loads a model from a binary MJB file of MuJoCo 3.5.0, looked up in `assets` first.
    #[staticmethod]
    #[pyo3(signature = (filename, assets = None))]
    fn from_binary_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<HashMap<String, PyBackedBytes>>,
    ) -> PyResult<Py<MjModel>> {
        let fault = |reason: String| {
            PyValueError::new_err(format!("mj_loadModel: failed to load from mjb\n{reason}"))
        };
        let limit = memory_limit()?;
        let given = assets.as_ref().zip(filename.to_str()).and_then(|(a, name)| a.get(name));
        let model = match given {
            Some(bytes) => caught(|| Model::from_bytes_within(bytes, limit))?,
            None => {
                let bytes = std::fs::read(&filename).map_err(|error| {
                    fault(format!("cannot read '{}': {error}", filename.display()))
                })?;
                detached(py, || caught(|| Model::from_bytes_within(&bytes, limit)))?
            }
        };
        let model = model.map_err(|error| fault(error.to_string()))?;
        MjModel::make(py, model, Vec::new(), None)
    }

    /// A number that models of the same structure share, whatever their values and names.
    #[getter]
    fn signature(&self, py: Python<'_>) -> PyResult<u64> {
        with_model(py, self, Model::signature)
    }

    /// Where the model is in memory.
    #[getter]
    fn _address(&self) -> usize {
        std::ptr::from_ref(&*self.shared).addr()
    }

    /// The sizes in the order of `_size_fields`.
    #[getter]
    fn _sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let sizes = self.sizes.iter().map(|&size| size as i64).collect();
        let array = PyArray1::<i64>::from_vec(py, sizes).into_any();
        array.call_method1("setflags", (false,))?;
        Ok(array)
    }

    /// Makes a model from sizes, arrays and options by name, as `_fields` returns them.
    #[staticmethod]
    fn _from_fields(fields: &Bound<'_, PyDict>) -> PyResult<Py<MjModel>> {
        let limit = memory_limit()?;
        let model = caught(|| state::model_from(fields, limit))??;
        MjModel::make(fields.py(), model, Vec::new(), None)
    }

    /// Copies of all sizes, arrays and options, by name.
    fn _fields<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        MjModel::fields(slf)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Py<MjModel>> {
        self.duplicate(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Py<MjModel>> {
        self.duplicate(py)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        Ok((slf.get_type().getattr("_from_fields")?, (MjModel::fields(slf)?,)))
    }
}
