//! Attributes made from the field tables: a line in a table is an attribute in Python.
//!
//! [`Struct`] is the base of every class that shows a table. An instance has one [`Slot`] per field,
//! in the order of the table; the class has one [`Attribute`] per field, a descriptor that knows the
//! position. So reading `data.qpos` is a look-up in the class and an indexing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use numpy::PyArray;
use numpy::PyArrayMethods;
use numpy::ndarray::IxDyn;
use pyo3::exceptions::{PyAttributeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};
use sim_core::fields::{Array, Field, Scalar};
use sim_core::{Data, Model};

use crate::guard::caught;
use crate::named::View;
use crate::raw::{Place, Shared, Storage};
use crate::simulation::{Simulation, Source};

/// Which table a class shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Table {
    Model,
    Data,
    Options,
    Statistic,
    VisGlobal,
    VisQuality,
    VisHeadlight,
    VisMap,
    VisScale,
    VisRgba,
    WarningStat,
    TimerStat,
    SolverStat,
}

/// What is behind an attribute.
pub(crate) enum Slot {
    /// A single number.
    Number { place: Place, writable: bool },
    /// An array of fixed length, shown by one numpy array. Some are written when asked for.
    Array { place: Place, view: PyOnceLock<Py<PyAny>>, made: Option<Made> },
    /// Text, given as one object of `bytes`.
    Text { place: Place, bytes: PyOnceLock<Py<PyAny>> },
    /// An array that changes its length.
    Grown(Made),
}

/// An array of data that changes its length, or is written only when asked for.
pub(crate) struct Made {
    field: &'static Field,
    data: Arc<Simulation>,
    model: Arc<Shared<Model>>,
    /// What writes the array, if the engine itself does without.
    make: Option<fn(&Model, &mut Data)>,
}

impl Made {
    pub(crate) fn new(
        field: &'static Field,
        data: &Arc<Simulation>,
        model: &Arc<Shared<Model>>,
    ) -> Made {
        let starts = |prefixes: &[&str]| prefixes.iter().any(|start| field.name.starts_with(start));
        let make: Option<fn(&Model, &mut Data)> = if starts(&["efc_J"]) {
            Some(sim_core::constraint_jacobian)
        } else if starts(&["iefc_", "ifrc_", "iacc", "iM", "iLD"]) {
            Some(sim_core::island_arrays)
        } else if field.name == "qM" {
            Some(sim_core::legacy_m)
        } else {
            None
        };
        Made { field, data: data.clone(), model: model.clone(), make }
    }

    /// Whether the engine itself leaves the array as it is.
    pub(crate) fn is_needed(&self) -> bool {
        self.make.is_some()
    }

    /// The array as it is now. What the engine itself uses is shown until the data changes; what is
    /// made for the user only is a copy that cannot be written to.
    fn get(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let foreign = self.data.read()?.has_foreign_rows();
        if self.make.is_some() && !foreign {
            let copy = match self.write(py)? {
                Some(copy) => copy,
                None => self.copy(py, &*self.data.read()?)?,
            };
            copy.call_method1(py, "setflags", (false,))?;
            return Ok(copy);
        }
        let column = self.data.lend_column(Source::Field(self.field))?;
        match column.buffer.place.len() {
            // numpy owns what is empty
            0 => self.copy(py, &*self.data.read()?),
            _ => Ok(column.view(py, column.buffer.place)?.unbind()),
        }
    }

    /// Writes the array. A callback that may not change the data gets a copy instead.
    fn write(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        let Some(make) = self.make else { return Ok(None) };
        let model = self.model.read()?;
        if let Ok(mut data) = self.data.write() {
            caught(|| make(&model, &mut data))?;
            return Ok(None);
        }
        let mut copy = Data::clone(&*self.data.read()?);
        caught(|| make(&model, &mut copy))?;
        self.copy(py, &copy).map(Some)
    }

    fn copy(&self, py: Python<'_>, data: &Data) -> PyResult<Py<PyAny>> {
        let array = data.array(self.field.name).expect("fields of the table are in the table");
        let shape = self.field.shape(array.len(), |_| 0);
        copy_array(py, array, &shape).map(Bound::unbind)
    }
}

impl Slot {
    /// The slot of a field at `place`.
    pub(crate) fn at(place: Place) -> Slot {
        match place.is_scalar() {
            true => Slot::Number { place, writable: true },
            false => Slot::Array { place, view: PyOnceLock::new(), made: None },
        }
    }

    /// The slot of an array at `place` that is written when asked for.
    pub(crate) fn made(place: Place, made: Made) -> Slot {
        Slot::Array { place, view: PyOnceLock::new(), made: Some(made) }
    }

    /// The place, if the memory is fixed.
    pub(crate) fn place(&self) -> Option<&Place> {
        match self {
            Slot::Number { place, .. } | Slot::Array { place, .. } | Slot::Text { place, .. } => {
                Some(place)
            }
            Slot::Grown(..) => None,
        }
    }

    /// The value as a Python object.
    pub(crate) fn get(&self, py: Python<'_>, storage: &Py<Storage>) -> PyResult<Py<PyAny>> {
        match self {
            Slot::Array { place, view, made } => {
                if let Some(made) = made
                    && let Some(copy) = made.write(py)?
                {
                    return Ok(copy);
                }
                Ok(view.get_or_init(py, || place.view(py, storage).unbind()).clone_ref(py))
            }
            Slot::Number { place, .. } => place.get(py).map(Bound::unbind),
            Slot::Text { place, bytes } => {
                let made = || PyBytes::new(py, place.bytes()).into_any().unbind();
                Ok(bytes.get_or_init(py, made).clone_ref(py))
            }
            Slot::Grown(grown) => grown.get(py),
        }
    }

    /// Sets the value: numbers are stored, arrays are filled as by `array[:] = value`.
    pub(crate) fn set(
        &self,
        py: Python<'_>,
        storage: &Py<Storage>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        match self {
            Slot::Number { place, writable: true } => place.set(value)?,
            Slot::Array { .. } => fill(self.get(py, storage)?.bind(py), value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// `array[...] = value`, with numpy's broadcasting.
pub(crate) fn fill(array: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    array.set_item(array.py().Ellipsis(), value)
}

/// A new numpy array with these numbers; a single number for an empty shape.
pub(crate) fn copy_array<'py>(
    py: Python<'py>,
    array: Array<'_>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    fn copy<'py, T: numpy::Element + Copy>(
        py: Python<'py>,
        numbers: &[T],
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let array = PyArray::from_slice(py, numbers);
        match shape {
            [] => array.call_method0("item"),
            // numpy owns it
            [_] => Ok(array.into_any()),
            _ => Ok(array.reshape(IxDyn(shape))?.into_any()),
        }
    }
    match array {
        Array::F64(x) => copy(py, x, shape),
        Array::F32(x) => copy(py, x, shape),
        Array::I32(x) => copy(py, x, shape),
        Array::I64(x) => copy(py, x, shape),
        Array::U8(x) | Array::Char(x) => copy(py, x, shape),
    }
}

/// Base of the classes that show a table.
#[pyclass(frozen, subclass, weakref, name = "_Struct", module = "cortenforge._native")]
pub(crate) struct Struct {
    pub(crate) table: Table,
    pub(crate) slots: Arc<Vec<Slot>>,
    pub(crate) storage: Py<Storage>,
    /// The views of named access that were asked for, by kind and number.
    pub(crate) views: Mutex<HashMap<(usize, usize), Py<View>>>,
}

impl Struct {
    pub(crate) fn new(table: Table, slots: Vec<Slot>, storage: Py<Storage>) -> Struct {
        Struct { table, slots: Arc::new(slots), storage, views: Mutex::default() }
    }

    /// Copies the values of another struct of the same table.
    pub(crate) fn assign(&self, py: Python<'_>, other: &Struct) -> PyResult<()> {
        for (to, from) in self.slots.iter().zip(other.slots.iter()) {
            let value = from.get(py, &other.storage)?;
            to.set(py, &self.storage, value.bind(py))?;
        }
        Ok(())
    }

    /// Whether all values equal those of another struct of the same table.
    pub(crate) fn equals(&self, py: Python<'_>, other: &Struct) -> PyResult<bool> {
        let equal = py.import("numpy")?.getattr("array_equal")?;
        for (a, b) in self.slots.iter().zip(other.slots.iter()) {
            let values = (a.get(py, &self.storage)?, b.get(py, &other.storage)?);
            if !equal.call1(values)?.is_truthy()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The slots of the fields of a `fields!` table, which come after sizes and single values.
    pub(crate) fn field_slots(&self) -> &[Slot] {
        let count = match self.table {
            Table::Model => Model::FIELDS.len(),
            Table::Data => Data::FIELDS.len(),
            _ => 0,
        };
        &self.slots[self.slots.len() - count..]
    }
}

#[pymethods]
impl Struct {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let this = slf.get();
        let class = slf.get_type().name()?;
        if matches!(this.table, Table::Model | Table::Data) {
            return Ok(format!("<cortenforge.{class} object at {:#x}>", slf.as_ptr() as usize));
        }
        let mut fields: Vec<_> = entries(this.table).iter().zip(this.slots.iter()).collect();
        fields.sort_by_key(|(entry, _)| entry.name);
        let mut text = format!("<{class}\n");
        for (entry, slot) in fields {
            let value = slot.get(slf.py(), &this.storage)?;
            text += &format!("  {}: {}\n", entry.name, value.bind(slf.py()).repr()?);
        }
        Ok(text + ">")
    }
}

/// What the class says about one attribute.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) doc: &'static str,
    /// Names of the outer dimensions.
    pub(crate) dims: &'static [&'static str],
    pub(crate) width: usize,
    /// Element type, as numpy calls it; `int`, `float` or `bytes` for what is not an array.
    pub(crate) dtype: &'static str,
    pub(crate) writable: bool,
}

impl Entry {
    pub(crate) fn of(field: &Field) -> Entry {
        let scalar = field.dims.is_empty() && field.width == 1;
        let dtype = match (field.scalar, scalar) {
            (Scalar::F64 | Scalar::F32, true) => "float",
            (_, true) => "int",
            (Scalar::F64, _) => "float64",
            (Scalar::F32, _) => "float32",
            (Scalar::I32, _) => "int32",
            (Scalar::I64, _) => "int64",
            (Scalar::U8, _) => "uint8",
            (Scalar::Char, _) if is_text(field.name) => "bytes",
            (Scalar::Char, _) => "int8",
        };
        Entry {
            name: field.name,
            doc: field.doc.trim(),
            dims: field.dims,
            width: field.width,
            dtype,
            writable: dtype != "bytes",
        }
    }
}

/// Texts that are shown as `bytes`; other characters are an array of `int8`.
pub(crate) fn is_text(name: &str) -> bool {
    matches!(name, "names" | "paths" | "text_data")
}

/// The attributes of a table, in the order of the slots.
pub(crate) fn entries(table: Table) -> &'static [Entry] {
    use sim_core::data::{SolverStat, TimerStat, WarningStat};
    use sim_core::model::{
        Options, Statistic, VisGlobal, VisHeadlight, VisMap, VisQuality, VisRgba, VisScale,
    };
    use std::sync::OnceLock;

    static ENTRIES: [OnceLock<Vec<Entry>>; 13] = [const { OnceLock::new() }; 13];
    ENTRIES[table as usize].get_or_init(|| match table {
        Table::Model => crate::model::entries(),
        Table::Data => crate::data::entries(),
        Table::Options => Options::FIELDS.iter().map(Entry::of).collect(),
        Table::Statistic => Statistic::FIELDS.iter().map(Entry::of).collect(),
        Table::VisGlobal => VisGlobal::FIELDS.iter().map(Entry::of).collect(),
        Table::VisQuality => VisQuality::FIELDS.iter().map(Entry::of).collect(),
        Table::VisHeadlight => VisHeadlight::FIELDS.iter().map(Entry::of).collect(),
        Table::VisMap => VisMap::FIELDS.iter().map(Entry::of).collect(),
        Table::VisScale => VisScale::FIELDS.iter().map(Entry::of).collect(),
        Table::VisRgba => VisRgba::FIELDS.iter().map(Entry::of).collect(),
        Table::WarningStat => WarningStat::FIELDS.iter().map(Entry::of).collect(),
        Table::TimerStat => TimerStat::FIELDS.iter().map(Entry::of).collect(),
        Table::SolverStat => SolverStat::FIELDS.iter().map(Entry::of).collect(),
    })
}

/// Where `name` is in a table.
pub(crate) fn position(table: Table, name: &str) -> Option<usize> {
    entries(table).iter().position(|entry| entry.name == name)
}

// the descriptor of one field; its `__doc__` is that of the field, so the class has none
#[pyclass(frozen, name = "_Attribute", module = "cortenforge._native")]
pub(crate) struct Attribute {
    table: Table,
    index: usize,
}

impl Attribute {
    fn slot<'a>(&self, object: &'a Bound<'_, PyAny>) -> PyResult<(&'a Struct, &'a Slot)> {
        match object.cast::<Struct>() {
            Ok(object) if object.get().table == self.table => {
                let object = object.get();
                Ok((object, &object.slots[self.index]))
            }
            _ => Err(PyTypeError::new_err(format!(
                "attribute '{}' does not belong to '{}' objects",
                entries(self.table)[self.index].name,
                object.get_type().name()?,
            ))),
        }
    }
}

#[pymethods]
impl Attribute {
    fn __get__(
        slf: &Bound<'_, Self>,
        object: &Bound<'_, PyAny>,
        _class: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        if object.is_none() {
            return Ok(slf.clone().into_any().unbind());
        }
        let (owner, slot) = slf.get().slot(object)?;
        slot.get(py, &owner.storage)
    }

    fn __set__(&self, object: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (owner, slot) = self.slot(object)?;
        if slot.set(object.py(), &owner.storage, value)? {
            return Ok(());
        }
        Err(PyAttributeError::new_err(format!(
            "attribute '{}' of '{}' objects is not writable",
            entries(self.table)[self.index].name,
            object.get_type().name()?,
        )))
    }

    #[getter]
    fn __doc__(&self) -> String {
        let entry = &entries(self.table)[self.index];
        let mut shape: Vec<String> = entry.dims.iter().map(|dim| (*dim).to_owned()).collect();
        if entry.width > 1 {
            shape.push(entry.width.to_string());
        }
        let kind = match shape.is_empty() || entry.dtype == "bytes" {
            true => entry.dtype.to_owned(),
            false => format!("{}[{}]", entry.dtype, shape.join(", ")),
        };
        match plain(entry.doc) {
            doc if doc.is_empty() => kind,
            doc => format!("{doc} ({kind})"),
        }
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        entries(self.table)[self.index].name
    }
}

/// A doc text without the targets of its links.
pub(crate) fn plain(doc: &str) -> String {
    let mut text = String::new();
    let mut rest = doc;
    while let Some((before, link)) = rest.split_once("[`") {
        let Some((name, tail)) = link.split_once("`]") else { break };
        text = text + before + "`" + name + "`";
        rest = match tail.strip_prefix('(').and_then(|target| target.split_once(')')) {
            Some((_, tail)) => tail,
            None => tail,
        };
    }
    text + rest
}

/// Gives a class the attributes of its table.
pub(crate) fn install(class: &Bound<'_, PyType>, table: Table) -> PyResult<()> {
    for (index, entry) in entries(table).iter().enumerate() {
        class.setattr(entry.name, Attribute { table, index })?;
    }
    Ok(())
}
