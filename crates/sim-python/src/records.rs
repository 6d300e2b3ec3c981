//! Classes for the structs of single values: options, statistics, visual settings, counters.

use std::collections::HashMap;
use std::sync::Mutex;

use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PySlice};
use sim_core::Model;
use sim_core::data::{SolverStat, TimerStat, WarningStat};
use sim_core::fields::{ArrayMut, Field};
use sim_core::model::{
    Options, Statistic, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale,
};

use crate::attributes::{Slot, Struct, Table, entries, install, position};
use crate::raw::{Place, Shared, Storage};

/// A struct of single values that has a class in Python.
pub(crate) trait Record: Default + Send + Sync + 'static {
    const TABLE: Table;
    const FIELDS: &'static [Field];
    fn field_mut(&mut self, name: &str) -> ArrayMut<'_>;
    fn wrap(py: Python<'_>, base: Struct) -> PyResult<Py<PyAny>>;

    /// Where the fields are.
    fn places(&mut self) -> Vec<Place> {
        Self::FIELDS
            .iter()
            .map(|field| {
                let shape = field.shape(field.width, |_| 0);
                Place::new(self.field_mut(field.name), &shape)
            })
            .collect()
    }

    /// The Python object that shows this record, which is part of `storage`.
    fn show(&mut self, py: Python<'_>, storage: &Py<Storage>) -> PyResult<Py<PyAny>> {
        let slots = self.places().into_iter().map(Slot::at).collect();
        Self::wrap(py, Struct::new(Self::TABLE, slots, storage.clone_ref(py)))
    }

    /// A record by itself, with its default values.
    fn alone(py: Python<'_>) -> PyResult<Struct> {
        let shared = Shared::new(Self::default());
        let storage = Storage::new(py, &shared)?;
        let slots = shared.write()?.places().into_iter().map(Slot::at).collect();
        Ok(Struct::new(Self::TABLE, slots, storage))
    }
}

/// A new object of the class of `object`, whatever its constructor takes, with the same values.
fn copy<'py>(object: &Bound<'py, Struct>) -> PyResult<Bound<'py, PyAny>> {
    let class = object.get_type();
    let copy = class.call_method1("__new__", (&class,))?;
    copy.cast::<Struct>()?.get().assign(object.py(), object.get())?;
    Ok(copy)
}

/// Whether two objects are of the same class and have the same values.
fn equal(object: &Bound<'_, Struct>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
    if !object.get_type().is(other.get_type()) {
        return Ok(false);
    }
    object.get().equals(object.py(), other.cast::<Struct>()?.get())
}

macro_rules! records {
    ($( $(#[$doc:meta])* $Class:ident $python:literal shows $Record:ident, )*) => {
        $(
            $(#[$doc])*
            #[pyclass(frozen, subclass, extends = Struct, name = $python, module = "cortenforge")]
            pub(crate) struct $Class;

            #[pymethods]
            impl $Class {
                #[new]
                fn new(py: Python<'_>) -> PyResult<PyClassInitializer<Self>> {
                    let base = <$Record as Record>::alone(py)?;
                    Ok(PyClassInitializer::from(base).add_subclass($Class))
                }

                fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
                    equal(slf.as_super(), other)
                }

                fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
                    copy(slf.as_super())
                }

                fn __deepcopy__<'py>(
                    slf: &Bound<'py, Self>,
                    _memo: &Bound<'_, PyAny>,
                ) -> PyResult<Bound<'py, PyAny>> {
                    copy(slf.as_super())
                }
            }

            impl Record for $Record {
                const TABLE: Table = Table::$Record;
                const FIELDS: &'static [Field] = $Record::FIELDS;
                fn field_mut(&mut self, name: &str) -> ArrayMut<'_> {
                    self.array_mut(name).expect("fields of the table are in the table")
                }
                fn wrap(py: Python<'_>, base: Struct) -> PyResult<Py<PyAny>> {
                    Ok(Py::new(py, PyClassInitializer::from(base).add_subclass($Class))?.into_any())
                }
            }
        )*

        /// Names of the classes and the tables they show.
        pub(crate) const RECORDS: &[(&str, Table)] = &[$( ($python, Table::$Record) ),*];

        /// Adds the classes to the module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_class::<$Class>()?;
                install(&module.py().get_type::<$Class>(), Table::$Record)?;
            )*
            module.add_class::<MjVisual>()?;
            let visual = module.py().get_type::<MjVisual>();
            for part in ["Global", "Quality", "Headlight", "Map", "Scale", "Rgba"] {
                visual.setattr(part, module.getattr(format!("MjVisual{part}").as_str())?)?;
            }
            module.add_class::<RecordList>()
        }
    };
}

records! {
    /// Physics options.
    MjOption "MjOption" shows Options,
    /// Statistics of the model.
    MjStatistic "MjStatistic" shows Statistic,
    /// Global visual settings.
    MjVisualGlobal "MjVisualGlobal" shows VisGlobal,
    /// Rendering quality.
    MjVisualQuality "MjVisualQuality" shows VisQuality,
    /// The light at the camera.
    MjVisualHeadlight "MjVisualHeadlight" shows VisHeadlight,
    /// Scale factors between physical and visual quantities.
    MjVisualMap "MjVisualMap" shows VisMap,
    /// Sizes of decorative objects.
    MjVisualScale "MjVisualScale" shows VisScale,
    /// Colours of decorative objects.
    MjVisualRgba "MjVisualRgba" shows VisRgba,
    /// How often a warning was raised.
    MjWarningStat "MjWarningStat" shows WarningStat,
    /// Time spent in a stage.
    MjTimerStat "MjTimerStat" shows TimerStat,
    /// What one solver iteration did.
    MjSolverStat "MjSolverStat" shows SolverStat,
}

/// Visualisation options; nothing in them changes the physics.
#[pyclass(frozen, get_all, weakref, module = "cortenforge")]
pub(crate) struct MjVisual {
    /// Global settings.
    global_: Py<PyAny>,
    /// Rendering quality.
    quality: Py<PyAny>,
    /// The light at the camera.
    headlight: Py<PyAny>,
    /// Scale factors.
    map: Py<PyAny>,
    /// Sizes of decorative objects.
    scale: Py<PyAny>,
    /// Colours of decorative objects.
    rgba: Py<PyAny>,
}

impl MjVisual {
    pub(crate) fn new(py: Python<'_>, model: &mut Model, storage: &Py<Storage>) -> PyResult<Self> {
        let vis = &mut model.vis;
        Ok(MjVisual {
            global_: vis.global.show(py, storage)?,
            quality: vis.quality.show(py, storage)?,
            headlight: vis.headlight.show(py, storage)?,
            map: vis.map.show(py, storage)?,
            scale: vis.scale.show(py, storage)?,
            rgba: vis.rgba.show(py, storage)?,
        })
    }
}

impl MjVisual {
    /// Sets everything to its default.
    pub(crate) fn reset(&self, py: Python<'_>) -> PyResult<()> {
        for (_, part) in self.parts() {
            let part = part.bind(py);
            let fresh = part.get_type().call0()?;
            part.cast::<Struct>()?.get().assign(py, fresh.cast::<Struct>()?.get())?;
        }
        Ok(())
    }

    fn parts(&self) -> [(&'static str, &Py<PyAny>); 6] {
        [
            ("global_", &self.global_),
            ("quality", &self.quality),
            ("headlight", &self.headlight),
            ("map", &self.map),
            ("scale", &self.scale),
            ("rgba", &self.rgba),
        ]
    }
}

#[pymethods]
impl MjVisual {
    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<MjVisual>() else { return Ok(false) };
        for ((_, a), (_, b)) in self.parts().into_iter().zip(other.get().parts()) {
            if !a.bind(py).eq(b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<MjVisual> {
        let copy = |part: &Py<PyAny>| part.call_method0(py, "__copy__");
        Ok(MjVisual {
            global_: copy(&self.global_)?,
            quality: copy(&self.quality)?,
            headlight: copy(&self.headlight)?,
            map: copy(&self.map)?,
            scale: copy(&self.scale)?,
            rgba: copy(&self.rgba)?,
        })
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<MjVisual> {
        self.__copy__(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut text = String::from("<MjVisual\n");
        for (name, part) in self.parts() {
            text +=
                &format!("  {name}: {}\n", part.bind(py).repr()?.to_str()?.replace('\n', "\n  "));
        }
        Ok(text + ">")
    }
}

/// A list of records, such as `data.warning`: `len`, indexing by number or enum, and one array per
/// field across the records.
#[pyclass(frozen, sequence, weakref, name = "_RecordList", module = "cortenforge._native")]
pub(crate) struct RecordList {
    table: Table,
    /// Each field across the records.
    columns: Vec<Place>,
    len: usize,
    views: Vec<PyOnceLock<Py<PyAny>>>,
    /// The objects of single records that were asked for.
    items: Mutex<HashMap<usize, Py<PyAny>>>,
    storage: Py<Storage>,
    wrap: fn(Python<'_>, Struct) -> PyResult<Py<PyAny>>,
}

impl RecordList {
    pub(crate) fn new<R: Record>(py: Python<'_>, records: &mut [R], storage: &Py<Storage>) -> Self {
        let first = records.first_mut().expect("lists of records are not empty").places();
        let columns: Vec<_> = first.into_iter().map(|place| place.across(records)).collect();
        let views = columns.iter().map(|_| PyOnceLock::new()).collect();
        let (table, len) = (R::TABLE, records.len());
        let (items, storage) = (Mutex::default(), storage.clone_ref(py));
        RecordList { table, columns, len, views, items, storage, wrap: R::wrap }
    }

    /// Names of the fields.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        entries(self.table).iter().map(|entry| entry.name)
    }

    fn item(&self, py: Python<'_>, index: usize) -> PyResult<Py<PyAny>> {
        let mut items = self.items.lock().expect("nothing panics with the lock");
        if let Some(item) = items.get(&index) {
            return Ok(item.clone_ref(py));
        }
        let slots = self
            .columns
            .iter()
            .map(|column| Slot::at(column.element(index).expect("checked by the caller")))
            .collect();
        let item = (self.wrap)(py, Struct::new(self.table, slots, self.storage.clone_ref(py)))?;
        items.insert(index, item.clone_ref(py));
        Ok(item)
    }
}

#[pymethods]
impl RecordList {
    fn __len__(&self) -> usize {
        self.len
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match indices(key, self.len)? {
            Indices::One(index) => self.item(py, index),
            Indices::Many(list) => {
                let items: PyResult<Vec<_>> = list.into_iter().map(|i| self.item(py, i)).collect();
                Ok(PyList::new(py, items?)?.into_any().unbind())
            }
        }
    }

    fn __getattr__(&self, py: Python<'_>, name: &str) -> PyResult<Py<PyAny>> {
        let index = position(self.table, name)
            .ok_or_else(|| PyAttributeError::new_err(format!("there is no field '{name}'")))?;
        let view = || self.columns[index].view(py, &self.storage).unbind();
        Ok(self.views[index].get_or_init(py, view).clone_ref(py))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<RecordList>() else { return Ok(false) };
        let other = other.get();
        if self.table != other.table || self.len != other.len {
            return Ok(false);
        }
        let equal = py.import("numpy")?.getattr("array_equal")?;
        for entry in entries(self.table) {
            let columns = (self.__getattr__(py, entry.name)?, other.__getattr__(py, entry.name)?);
            if !equal.call1(columns)?.is_truthy()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        entries(self.table).iter().map(|entry| entry.name).collect()
    }
}

/// What an index or a slice selects.
pub(crate) enum Indices {
    One(usize),
    Many(Vec<usize>),
}

/// Resolves an index, negative ones counting from the end, or a slice.
pub(crate) fn indices(key: &Bound<'_, PyAny>, len: usize) -> PyResult<Indices> {
    if let Ok(slice) = key.cast::<PySlice>() {
        let found = slice.indices(len as isize)?;
        let item = |i: usize| (found.start + i as isize * found.step) as usize;
        return Ok(Indices::Many((0..found.slicelength).map(item).collect()));
    }
    let index: isize = key.extract()?;
    let from_start = if index < 0 { index + len as isize } else { index };
    match usize::try_from(from_start) {
        Ok(found) if found < len => Ok(Indices::One(found)),
        _ => Err(PyIndexError::new_err(format!("index {index} is out of range for {len} items"))),
    }
}
