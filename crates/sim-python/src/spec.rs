//! The editable model as Python's classes see it: elements by kind and handle, fields by name. The
//! classes themselves are made in Python from [`kinds`].

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};

use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use sim_core::math::{Quat, Vec3};
use sim_core::model::ObjType;
use sim_mjcf::spec::{
    Alternative, Attachment, Body, Class, Element, Frame, Id, InBody, KindVisitor, Orientation,
    Reflect, Site, Tendon, TendonKind, TreeVisitor, Value, Wrap, WrapKind, kinds,
};
use sim_mjcf::{Error, Loader, SchemaElement, Spec, UrdfOptions, schema};

use crate::guard::caught;
use crate::length_range::MjLROpt;
use crate::model::{MjModel, loader};

/// A handle as a number.
type Handle = u64;

/// The editable model, shared by the Python objects of its elements.
#[pyclass(frozen, module = "cortenforge._native")]
pub(crate) struct SpecCore {
    spec: Mutex<Spec>,
    /// A model without elements that holds options, statistics and visual settings.
    settings: Py<MjModel>,
    /// How length ranges of actuators are found.
    length_range: Py<MjLROpt>,
}

fn failure(error: Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The error about a model that does not compile: in MuJoCo's form, which names the element, and
/// then in full.
fn compile_failure(error: &Error, spec: &Spec) -> PyErr {
    let full = error.to_string();
    let Some(subject) = error.about() else { return PyValueError::new_err(full) };
    let place = Place { name: &subject.name };
    let id = spec.clone().with_kind(subject.kind, place).flatten();
    let id = id.map(|id| format!(", id {id}")).unwrap_or_default();
    let note = match subject.note.as_str() {
        "" => String::new(),
        note => format!(", {note}"),
    };
    let message = error.reference_message().unwrap_or(error.message());
    let name = &subject.name;
    PyValueError::new_err(format!("Error: {message}\nElement name '{name}'{id}{note}\n{full}"))
}

/// The number of an element among those of its kind in the model; none if it has no name.
struct Place<'a> {
    name: &'a str,
}

impl KindVisitor for Place<'_> {
    type Output = Option<usize>;

    fn visit<T: Element>(self, spec: &mut Spec) -> Option<usize> {
        let place = spec.find::<T>(self.name).filter(|_| !self.name.is_empty())?;
        spec.order::<T>().iter().position(|&id| id == place)
    }
}

fn kind_of(kind: i32) -> PyResult<ObjType> {
    ObjType::from_i32(kind).ok_or_else(|| PyKeyError::new_err(format!("no kind {kind}")))
}

/// Looks up something in the kind that a number stands for.
fn with<V: KindVisitor>(spec: &mut Spec, kind: i32, visitor: V) -> PyResult<V::Output> {
    let kind_of = kind_of(kind)?;
    caught(|| spec.with_kind(kind_of, visitor))?
        .ok_or_else(|| PyKeyError::new_err(format!("no elements of kind {kind}")))
}

/// Likewise in a kind of the tree.
fn with_tree<V: TreeVisitor>(spec: &mut Spec, kind: i32, visitor: V) -> PyResult<V::Output> {
    let kind_of = kind_of(kind)?;
    caught(|| spec.with_tree_kind(kind_of, visitor))?
        .ok_or_else(|| PyKeyError::new_err(format!("no elements of kind {kind} in the tree")))
}

fn gone() -> PyErr {
    PyValueError::new_err("the element was deleted")
}

macro_rules! visitor {
    ($Name:ident { $($field:ident: $F:ty),* } $Trait:ident<$Bound:ident> -> $Output:ty, |$self:ident, $spec:ident, $T:ident| $body:expr) => {
        struct $Name<'a> {
            $($field: $F,)*
            life: std::marker::PhantomData<&'a ()>,
        }

        impl<'a> $Trait for $Name<'a> {
            type Output = $Output;

            fn visit<$T: $Bound>($self, $spec: &mut Spec) -> $Output {
                $body
            }
        }
    };
}

visitor!(GetField { id: Handle, name: &'a str } KindVisitor<Element> -> PyResult<Option<Value>>,
|self, spec, T| {
    let element = spec.peek_mut(Id::<T>::from_raw(self.id)).ok_or_else(gone)?;
    Ok(element.field(self.name))
});

visitor!(SetField { id: Handle, name: &'a str, value: Value } KindVisitor<Element>
-> PyResult<()>,
|self, spec, T| {
    let id = Id::<T>::from_raw(self.id);
    if self.name == "name" {
        spec.get(id).ok_or_else(gone)?;
        let Value::Text(name) = self.value else {
            return Err(PyTypeError::new_err("name must be a text"));
        };
        let other = spec.find::<T>(&name);
        if other.is_some_and(|other| other != id) {
            let message = format!("Error: repeated name '{name}' in {}", T::WORD);
            return Err(PyValueError::new_err(message));
        }
        spec.set_name(id, name);
        return Ok(());
    }
    let element = spec.peek_mut(id).ok_or_else(gone)?;
    match element.set_field(self.name, self.value) {
        Some(Ok(())) => Ok(()),
        Some(Err(mismatch)) => {
            Err(PyTypeError::new_err(format!("{}: {}", self.name, mismatch.0)))
        }
        None => Err(PyKeyError::new_err(self.name.to_owned())),
    }
});

visitor!(AddElement { class: Option<Handle> } KindVisitor<Element> -> Handle,
    |self, spec, T| spec.add::<T>(self.class.map(Id::from_raw)).to_raw());

visitor!(AddIn { body: Handle, class: Option<Handle> } TreeVisitor<InBody> -> PyResult<Handle>,
|self, spec, T| {
    let body = Id::<Body>::from_raw(self.body);
    spec.get(body).ok_or_else(gone)?;
    Ok(spec.add_in::<T>(body, self.class.map(Id::from_raw)).to_raw())
});

visitor!(Children { body: Handle } TreeVisitor<InBody> -> PyResult<Vec<Handle>>,
|self, spec, T| {
    let body = spec.get(Id::<Body>::from_raw(self.body)).ok_or_else(gone)?;
    Ok(T::of(body).iter().map(|id| id.to_raw()).collect())
});

visitor!(InTree { body: Handle } TreeVisitor<InBody> -> PyResult<Vec<Handle>>,
|self, spec, T| {
    let body = Id::<Body>::from_raw(self.body);
    spec.get(body).ok_or_else(gone)?;
    let tree = spec.subtree(body);
    Ok(tree.iter().flat_map(|&body| T::of(&spec[body])).map(|id| id.to_raw()).collect())
});

visitor!(SetFrame { id: Handle, frame: Option<Handle> } TreeVisitor<InBody> -> PyResult<()>,
|self, spec, T| {
    let id = Id::<T>::from_raw(self.id);
    spec.get(id).ok_or_else(gone)?;
    spec.set_frame(id, self.frame.map(Id::<Frame>::from_raw)).map_err(failure)
});

visitor!(All {} KindVisitor<Element> -> Vec<Handle>,
    |self, spec, T| T::list(spec).ids().iter().map(|id| id.to_raw()).collect());

visitor!(Find { name: &'a str } KindVisitor<Element> -> Option<Handle>,
    |self, spec, T| spec.find::<T>(self.name).map(Id::to_raw));

visitor!(Delete { id: Handle } KindVisitor<Element> -> PyResult<()>,
    |self, spec, T| spec.delete(Id::<T>::from_raw(self.id)).map_err(failure));

visitor!(Lives { id: Handle } KindVisitor<Element> -> bool,
    |self, spec, T| spec.get(Id::<T>::from_raw(self.id)).is_some());

/// What an element belongs to: body, frame and class.
type Relations = (Option<Handle>, Option<Handle>, Handle);

visitor!(GetRelations { id: Handle } KindVisitor<Element> -> PyResult<Relations>,
|self, spec, T| {
    let element = spec.get(Id::<T>::from_raw(self.id)).ok_or_else(gone)?;
    let (parent, frame) = (element.parent.map(Id::to_raw), element.frame.map(Id::to_raw));
    Ok((parent, frame, element.class.to_raw()))
});

visitor!(SetClass { id: Handle, class: Handle } KindVisitor<Element> -> PyResult<()>,
|self, spec, T| {
    let element = spec.peek_mut(Id::<T>::from_raw(self.id)).ok_or_else(gone)?;
    element.class = Id::from_raw(self.class);
    Ok(())
});

impl SpecCore {
    fn lock(&self) -> PyResult<MutexGuard<'_, Spec>> {
        self.spec.lock().map_err(|_| PyValueError::new_err("the spec was left in the middle"))
    }

    fn make(py: Python<'_>, spec: Spec) -> PyResult<SpecCore> {
        let mut model =
            sim_core::Model { opt: spec.option, vis: spec.visual, ..Default::default() };
        model.allocate();
        let given = &spec.statistic;
        model.stat.meaninertia = given.meaninertia.unwrap_or(f64::NAN);
        model.stat.meanmass = given.meanmass.unwrap_or(f64::NAN);
        model.stat.meansize = given.meansize.unwrap_or(f64::NAN);
        model.stat.extent = given.extent.unwrap_or(f64::NAN);
        model.stat.center = given.center.unwrap_or(Vec3::new(f64::NAN, 0.0, 0.0));
        let settings = MjModel::make(py, model, Vec::new(), None)?;
        let length_range = Py::new(py, MjLROpt::from(&spec.compiler.lengthrange))?;
        Ok(SpecCore { spec: Mutex::new(spec), settings, length_range })
    }

    /// The model with the settings as they are now.
    fn current(&self, py: Python<'_>) -> PyResult<Spec> {
        let mut spec = self.lock()?.clone();
        let model = self.settings.bind(py).get().shared.read()?;
        spec.option = model.opt;
        spec.visual = model.vis;
        let given = |x: f64| Some(x).filter(|x| !x.is_nan());
        spec.statistic.meaninertia = given(model.stat.meaninertia);
        spec.statistic.meanmass = given(model.stat.meanmass);
        spec.statistic.meansize = given(model.stat.meansize);
        spec.statistic.extent = given(model.stat.extent);
        spec.statistic.center = Some(model.stat.center).filter(|center| !center.x.is_nan());
        spec.compiler.lengthrange = self.length_range.borrow(py).settings()?;
        spec.forget_incomplete_inertials();
        Ok(spec)
    }
}

/// A value as a Python object.
fn show<'py>(py: Python<'py>, value: Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Float(x) => x.into_pyobject(py)?.into_any(),
        Value::Int(x) | Value::Enum(_, x) => x.into_pyobject(py)?.into_any(),
        Value::Floats(items) => PyArray1::from_vec(py, items).into_any(),
        Value::Singles(items) => PyArray1::from_vec(py, items).into_any(),
        Value::Ints(items) => PyArray1::from_vec(py, items).into_any(),
        Value::List(items) => PyList::new(py, items)?.into_any(),
        Value::IntList(items) => PyList::new(py, items)?.into_any(),
        Value::Lists(lists) => PyList::new(py, lists)?.into_any(),
        Value::IntLists(lists) => PyList::new(py, lists)?.into_any(),
        Value::Text(text) | Value::Letters(text) => text.into_pyobject(py)?.into_any(),
        Value::Texts(items) | Value::TextList(items) => PyList::new(py, items)?.into_any(),
        Value::Bytes(bytes) => PyBytes::new(py, &bytes).into_any(),
        Value::Orientation(form) => {
            let (kind, numbers) = match form {
                None => (0, Vec::new()),
                Some(Alternative::AxisAngle(numbers)) => (1, numbers.to_vec()),
                Some(Alternative::XyAxes(numbers)) => (2, numbers.to_vec()),
                Some(Alternative::ZAxis(axis)) => (3, axis.to_array().to_vec()),
                Some(Alternative::Euler(angles)) => (4, angles.to_array().to_vec()),
            };
            (kind, numbers).into_pyobject(py)?.into_any()
        }
    })
}

/// What kind of value a field has: a word, the name of an enum, and how many numbers.
fn describe(value: &Value) -> (&'static str, &'static str, usize) {
    match value {
        Value::Float(_) => ("float", "", 1),
        Value::Int(_) => ("int", "", 1),
        Value::Enum(name, _) => ("enum", name, 1),
        Value::Floats(items) => ("floats", "", items.len()),
        Value::Singles(items) => ("singles", "", items.len()),
        Value::Ints(items) => ("ints", "", items.len()),
        Value::List(_) => ("list", "", 0),
        Value::IntList(_) => ("intlist", "", 0),
        Value::Lists(_) => ("lists", "", 0),
        Value::IntLists(_) => ("intlists", "", 0),
        Value::Text(_) => ("text", "", 1),
        Value::Texts(items) => ("texts", "", items.len()),
        Value::TextList(_) => ("textlist", "", 0),
        Value::Letters(text) => ("letters", "", text.len()),
        Value::Bytes(_) => ("bytes", "", 0),
        Value::Orientation(_) => ("orientation", "", 0),
    }
}

/// A Python object as a value like `like`.
fn read(object: &Bound<'_, PyAny>, like: &Value) -> PyResult<Value> {
    let floats = || -> PyResult<Vec<f64>> { object.extract() };
    Ok(match like {
        Value::Float(_) => Value::Float(object.extract()?),
        Value::Int(_) => Value::Int(object.extract()?),
        Value::Enum(name, _) => Value::Enum(name, object.extract()?),
        Value::Floats(_) => Value::Floats(floats()?),
        Value::Singles(_) => Value::Singles(floats()?.into_iter().map(|x| x as f32).collect()),
        Value::Ints(_) => Value::Ints(object.extract()?),
        Value::List(_) => Value::List(floats()?),
        Value::IntList(_) => Value::IntList(object.extract()?),
        Value::Lists(_) => Value::Lists(object.extract()?),
        Value::IntLists(_) => Value::IntLists(object.extract()?),
        Value::Text(_) => Value::Text(object.extract()?),
        Value::Letters(_) => Value::Letters(object.extract()?),
        Value::Texts(_) => Value::Texts(object.extract()?),
        Value::TextList(_) => Value::TextList(object.extract()?),
        Value::Bytes(_) => Value::Bytes(object.extract()?),
        Value::Orientation(_) => {
            let (kind, numbers): (i32, Vec<f64>) = object.extract()?;
            Value::Orientation(orientation(kind, &numbers)?)
        }
    })
}

/// A form of an orientation from its number in `mjtOrientation` and its numbers.
fn orientation(kind: i32, numbers: &[f64]) -> PyResult<Option<Alternative>> {
    let wrong = || PyValueError::new_err("an orientation has 3, 4 or 6 numbers");
    let three = || match *numbers {
        [x, y, z] => Ok(Vec3::new(x, y, z)),
        _ => Err(wrong()),
    };
    Ok(match kind {
        0 => None,
        1 => Some(Alternative::AxisAngle(numbers.try_into().map_err(|_| wrong())?)),
        2 => Some(Alternative::XyAxes(numbers.try_into().map_err(|_| wrong())?)),
        3 => Some(Alternative::ZAxis(three()?)),
        4 => Some(Alternative::Euler(three()?)),
        _ => return Err(PyValueError::new_err("no such form of orientation")),
    })
}

fn life<'a>() -> std::marker::PhantomData<&'a ()> {
    std::marker::PhantomData
}

fn bytes_of(assets: &Bound<'_, PyDict>) -> PyResult<HashMap<String, Vec<u8>>> {
    let mut files = HashMap::new();
    for (name, content) in assets {
        let bytes = match content.extract::<String>() {
            Ok(text) => text.into_bytes(),
            Err(_) => content.extract::<Vec<u8>>()?,
        };
        files.insert(name.extract()?, bytes);
    }
    Ok(files)
}

#[pymethods]
impl SpecCore {
    #[new]
    fn new(py: Python<'_>) -> PyResult<SpecCore> {
        SpecCore::make(py, Spec::default())
    }

    #[staticmethod]
    #[pyo3(signature = (path, root = None))]
    fn from_file(py: Python<'_>, path: PathBuf, root: Option<PathBuf>) -> PyResult<SpecCore> {
        let loader = loader(root)?;
        let spec = caught(|| loader.read_file(&path))?.map_err(failure)?;
        SpecCore::make(py, spec)
    }

    /// Reads a URDF model with options of its own.
    #[staticmethod]
    #[pyo3(signature = (path, packages, mimic, free_base, keep_visual, turn_inertia))]
    fn from_urdf(
        py: Python<'_>,
        path: PathBuf,
        packages: HashMap<String, PathBuf>,
        mimic: bool,
        free_base: bool,
        keep_visual: bool,
        turn_inertia: bool,
    ) -> PyResult<SpecCore> {
        let options = UrdfOptions { packages, mimic, free_base, keep_visual, turn_inertia };
        let loader = Loader::new().urdf(options);
        let spec = caught(|| loader.read_file(&path))?.map_err(failure)?;
        SpecCore::make(py, spec)
    }

    #[staticmethod]
    #[pyo3(signature = (xml, assets, root = None))]
    fn from_string(
        py: Python<'_>,
        xml: &str,
        assets: Option<&Bound<'_, PyDict>>,
        root: Option<PathBuf>,
    ) -> PyResult<SpecCore> {
        let assets = assets.map(bytes_of).transpose()?;
        let loader = loader(root)?;
        let spec = caught(|| match &assets {
            Some(assets) => loader.read_str_with_assets(xml, assets),
            None => loader.read_str(xml),
        })?;
        SpecCore::make(py, spec.map_err(failure)?)
    }

    /// The kinds of element: number, word, name of the list, whether in the tree, whether classes
    /// have defaults for it, and the fields with the kind of their values.
    #[staticmethod]
    #[allow(clippy::type_complexity)]
    fn kinds() -> Vec<(
        i32,
        &'static str,
        &'static str,
        bool,
        bool,
        Vec<(&'static str, &'static str, &'static str, usize)>,
    )> {
        let field = |(name, value): (&'static str, Value)| {
            let (what, enumeration, count) = describe(&value);
            (name, what, enumeration, count)
        };
        kinds()
            .into_iter()
            .map(|kind| {
                let fields = kind.fields.into_iter().map(field).collect();
                (kind.kind as i32, kind.word, kind.list, kind.in_tree, kind.has_defaults, fields)
            })
            .collect()
    }

    /// The fields of the compiler settings.
    #[staticmethod]
    fn compiler_fields() -> Vec<(&'static str, &'static str, &'static str, usize)> {
        let mut fields = Vec::new();
        sim_mjcf::spec::Compiler::default().fields(&mut |name, field| {
            let (what, enumeration, count) = describe(&field.value());
            fields.push((name, what, enumeration, count));
        });
        fields
    }

    #[getter]
    fn settings(&self, py: Python<'_>) -> Py<MjModel> {
        self.settings.clone_ref(py)
    }

    #[getter]
    fn length_range(&self, py: Python<'_>) -> Py<MjLROpt> {
        self.length_range.clone_ref(py)
    }

    /// The number that models of the same structure share.
    #[getter]
    fn signature(&self) -> PyResult<u64> {
        let spec = self.lock()?;
        caught(|| spec.signature())
    }

    fn copy(&self, py: Python<'_>) -> PyResult<SpecCore> {
        SpecCore::make(py, self.current(py)?)
    }

    fn get<'py>(
        &self,
        py: Python<'py>,
        kind: i32,
        id: Handle,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let value = with(&mut *self.lock()?, kind, GetField { id, name, life: life() })??;
        show(py, value.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)
    }

    fn set(&self, kind: i32, id: Handle, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        let like = with(spec, kind, GetField { id, name, life: life() })??;
        let value = read(value, &like.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)?;
        with(spec, kind, SetField { id, name, value, life: life() })?
    }

    /// A field of the defaults that a class has for a kind.
    fn class_get<'py>(
        &self,
        py: Python<'py>,
        class: Handle,
        kind: i32,
        name: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let spec = &mut *self.lock()?;
        let value = spec.class_field(Id::from_raw(class), kind_of(kind)?, name);
        show(py, value.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)
    }

    fn class_set(
        &self,
        class: Handle,
        kind: i32,
        name: &str,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        let (class, kind) = (Id::<Class>::from_raw(class), kind_of(kind)?);
        let like = spec.class_field(class, kind, name);
        let value = read(value, &like.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)?;
        match spec.set_class_field(class, kind, name, value) {
            Some(Ok(())) => Ok(()),
            Some(Err(mismatch)) => Err(PyTypeError::new_err(format!("{name}: {}", mismatch.0))),
            None => Err(PyKeyError::new_err(name.to_owned())),
        }
    }

    fn compiler_get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let value = self.lock()?.compiler.field(name);
        show(py, value.ok_or_else(|| PyKeyError::new_err(name.to_owned()))?)
    }

    fn compiler_set(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let compiler = &mut self.lock()?.compiler;
        let like = compiler.field(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))?;
        match compiler.set_field(name, read(value, &like)?) {
            Some(Err(mismatch)) => Err(PyValueError::new_err(format!("{name}: {}", mismatch.0))),
            _ => Ok(()),
        }
    }

    /// Settings of the model as a whole: its name, comment and sizes.
    fn whole_get<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let spec = self.lock()?;
        let size = &spec.size;
        let number = match name {
            "modelname" => return Ok(spec.name.clone().into_pyobject(py)?.into_any()),
            "comment" => return Ok(spec.comment.clone().into_pyobject(py)?.into_any()),
            "memory" => {
                let bytes = size.memory.0.map_or(-1, |bytes| i64::try_from(bytes).unwrap_or(-1));
                return Ok(bytes.into_pyobject(py)?.into_any());
            }
            "njmax" => size.njmax,
            "nconmax" => size.nconmax,
            "nstack" => size.nstack,
            "nuserdata" => size.nuserdata,
            "nkey" => size.nkey,
            "nuser_body" => size.nuser_body,
            "nuser_jnt" => size.nuser_jnt,
            "nuser_geom" => size.nuser_geom,
            "nuser_site" => size.nuser_site,
            "nuser_cam" => size.nuser_cam,
            "nuser_tendon" => size.nuser_tendon,
            "nuser_actuator" => size.nuser_actuator,
            "nuser_sensor" => size.nuser_sensor,
            _ => return Err(PyKeyError::new_err(name.to_owned())),
        };
        Ok(number.into_pyobject(py)?.into_any())
    }

    fn whole_set(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        let size = &mut spec.size;
        let number = match name {
            "modelname" => {
                spec.name = value.extract()?;
                return Ok(());
            }
            "comment" => {
                spec.comment = value.extract()?;
                return Ok(());
            }
            "memory" => {
                size.memory.0 = u64::try_from(value.extract::<i64>()?).ok();
                return Ok(());
            }
            "njmax" => &mut size.njmax,
            "nconmax" => &mut size.nconmax,
            "nstack" => &mut size.nstack,
            "nuserdata" => &mut size.nuserdata,
            "nkey" => &mut size.nkey,
            "nuser_body" => &mut size.nuser_body,
            "nuser_jnt" => &mut size.nuser_jnt,
            "nuser_geom" => &mut size.nuser_geom,
            "nuser_site" => &mut size.nuser_site,
            "nuser_cam" => &mut size.nuser_cam,
            "nuser_tendon" => &mut size.nuser_tendon,
            "nuser_actuator" => &mut size.nuser_actuator,
            "nuser_sensor" => &mut size.nuser_sensor,
            _ => return Err(PyKeyError::new_err(name.to_owned())),
        };
        *number = value.extract()?;
        Ok(())
    }

    #[pyo3(signature = (kind, body = None, class_ = None))]
    fn add(&self, kind: i32, body: Option<Handle>, class_: Option<Handle>) -> PyResult<Handle> {
        let spec = &mut *self.lock()?;
        let class = class_;
        match body {
            Some(body) => with_tree(spec, kind, AddIn { body, class, life: life() })?,
            None => with(spec, kind, AddElement { class, life: life() }),
        }
    }

    fn children(&self, body: Handle, kind: i32) -> PyResult<Vec<Handle>> {
        with_tree(&mut *self.lock()?, kind, Children { body, life: life() })?
    }

    /// The elements of a kind in a body and in those inside it.
    fn in_tree(&self, body: Handle, kind: i32) -> PyResult<Vec<Handle>> {
        with_tree(&mut *self.lock()?, kind, InTree { body, life: life() })?
    }

    /// All elements of a kind outside the tree.
    fn all(&self, kind: i32) -> PyResult<Vec<Handle>> {
        with(&mut *self.lock()?, kind, All { life: life() })
    }

    fn subtree(&self, body: Handle) -> PyResult<Vec<Handle>> {
        let spec = self.lock()?;
        let body = Id::<Body>::from_raw(body);
        spec.get(body).ok_or_else(gone)?;
        Ok(caught(|| spec.subtree(body))?.into_iter().map(Id::to_raw).collect())
    }

    fn find(&self, kind: i32, name: &str) -> PyResult<Option<Handle>> {
        with(&mut *self.lock()?, kind, Find { name, life: life() })
    }

    fn lives(&self, kind: i32, id: Handle) -> PyResult<bool> {
        with(&mut *self.lock()?, kind, Lives { id, life: life() })
    }

    fn delete(&self, kind: i32, id: Handle) -> PyResult<()> {
        with(&mut *self.lock()?, kind, Delete { id, life: life() })?
    }

    /// The body, frame and class of an element.
    fn relations(&self, kind: i32, id: Handle) -> PyResult<Relations> {
        with(&mut *self.lock()?, kind, GetRelations { id, life: life() })?
    }

    fn set_frame(&self, kind: i32, id: Handle, frame: Option<Handle>) -> PyResult<()> {
        with_tree(&mut *self.lock()?, kind, SetFrame { id, frame, life: life() })?
    }

    fn set_class(&self, kind: i32, id: Handle, class_: Handle) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        spec.classes.get(Id::from_raw(class_)).ok_or_else(gone)?;
        with(spec, kind, SetClass { id, class: class_, life: life() })?
    }

    /// The class that a body or frame has for its elements, by name; empty for none.
    fn childclass(&self, kind: i32, id: Handle) -> PyResult<String> {
        let spec = self.lock()?;
        let class = match kind_of(kind)? {
            ObjType::Body => spec.get(Id::<Body>::from_raw(id)).ok_or_else(gone)?.childclass,
            _ => spec.get(Id::<Frame>::from_raw(id)).ok_or_else(gone)?.childclass,
        };
        let name = class.and_then(|class| spec.classes.get(class)).map(|class| class.name.clone());
        Ok(name.unwrap_or_default())
    }

    fn set_childclass(&self, kind: i32, id: Handle, name: &str) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        let class = spec.classes.find(name);
        match kind_of(kind)? {
            ObjType::Body => {
                let body = spec.peek_mut(Id::<Body>::from_raw(id)).ok_or_else(gone)?;
                body.childclass = class;
                body.class = class.unwrap_or_default();
            }
            _ => spec.peek_mut(Id::<Frame>::from_raw(id)).ok_or_else(gone)?.childclass = class,
        }
        Ok(())
    }

    fn find_class(&self, name: &str) -> PyResult<Option<Handle>> {
        Ok(self.lock()?.classes.find(name).map(Id::to_raw))
    }

    fn add_class(&self, name: &str, parent: Handle) -> PyResult<Option<Handle>> {
        let spec = &mut *self.lock()?;
        Ok(caught(|| spec.add_class(name, Id::from_raw(parent)))?.map(Id::to_raw))
    }

    fn class_name(&self, class_: Handle) -> PyResult<String> {
        let spec = self.lock()?;
        Ok(spec.classes.get(Id::from_raw(class_)).ok_or_else(gone)?.name.clone())
    }

    fn set_class_name(&self, class_: Handle, name: String) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        spec.classes.get_mut(Id::from_raw(class_)).ok_or_else(gone)?.name = name;
        Ok(())
    }

    fn delete_class(&self, class_: Handle) -> PyResult<()> {
        let spec = &mut *self.lock()?;
        caught(|| spec.delete_class(Id::from_raw(class_)))?.map_err(failure)
    }

    fn to_frame(&self, body: Handle) -> PyResult<Handle> {
        let spec = &mut *self.lock()?;
        let body = Id::<Body>::from_raw(body);
        spec.get(body).ok_or_else(gone)?;
        Ok(caught(|| spec.to_frame(body))?.map_err(failure)?.to_raw())
    }

    fn add_frame_at(&self, site: Handle) -> PyResult<Handle> {
        let spec = &mut *self.lock()?;
        let site = Id::<Site>::from_raw(site);
        spec.get(site).ok_or_else(gone)?;
        Ok(caught(|| spec.add_frame_at(site))?.to_raw())
    }

    /// Attaches a body of another model, or all of it. Returns which elements have become which:
    /// kind, handle there, handle here.
    fn attach(
        &self,
        py: Python<'_>,
        child: &Bound<'_, SpecCore>,
        body: Option<Handle>,
        frame: Handle,
        prefix: &str,
        suffix: &str,
    ) -> PyResult<Vec<(i32, Handle, Handle)>> {
        // a copy, so that a model can be attached to itself
        let model = child.get().current(py)?;
        let to = Attachment { frame: Id::from_raw(frame), prefix, suffix };
        let spec = &mut *self.lock()?;
        let copies =
            caught(|| spec.attach(&model, body.map(Id::from_raw), to))?.map_err(failure)?;
        Ok(copies.iter().map(|(kind, from, to)| (kind as i32, from, to)).collect())
    }

    /// Attaches a frame of another model to a body, likewise.
    fn attach_frame(
        &self,
        py: Python<'_>,
        child: &Bound<'_, SpecCore>,
        frame: Handle,
        body: Handle,
        prefix: &str,
        suffix: &str,
    ) -> PyResult<Vec<(i32, Handle, Handle)>> {
        let model = child.get().current(py)?;
        let (frame, body) = (Id::from_raw(frame), Id::from_raw(body));
        let spec = &mut *self.lock()?;
        let copies = caught(|| spec.attach_frame(&model, frame, body, (prefix, suffix)))?
            .map_err(failure)?;
        Ok(copies.iter().map(|(kind, from, to)| (kind as i32, from, to)).collect())
    }

    fn set_files(&self, files: &Bound<'_, PyDict>) -> PyResult<()> {
        let files = bytes_of(files)?;
        self.lock()?.set_files(files);
        Ok(())
    }

    fn compile(&self, py: Python<'_>) -> PyResult<Py<MjModel>> {
        // keyframes of attached models become visible
        self.lock()?.settle_keys();
        let spec = self.current(py)?;
        let loaded = caught(|| spec.compile())?.map_err(|error| compile_failure(&error, &spec))?;
        let warnings: Vec<String> = loaded.warnings.iter().map(ToString::to_string).collect();
        for warning in &warnings {
            let text = std::ffi::CString::new(warning.replace('\0', "\u{fffd}"))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
        }
        MjModel::make(py, loaded.model, warnings, Some(std::sync::Arc::new(spec)))
    }

    fn to_xml(&self, py: Python<'_>) -> PyResult<String> {
        let mut spec = self.current(py)?;
        spec.settle_keys();
        caught(|| spec.to_reference_xml())
    }

    /// Adds to the path of a tendon.
    fn wrap(
        &self,
        tendon: Handle,
        kind: &str,
        target: String,
        sidesite: String,
        parameter: f64,
    ) -> PyResult<usize> {
        let kind = match kind {
            "site" => WrapKind::Site,
            "geom" => WrapKind::Geom,
            "joint" => WrapKind::Joint,
            _ => WrapKind::Pulley,
        };
        let spec = &mut *self.lock()?;
        let tendon = spec.get_mut(Id::<Tendon>::from_raw(tendon)).ok_or_else(gone)?;
        tendon.kind = if kind == WrapKind::Joint { TendonKind::Fixed } else { TendonKind::Spatial };
        tendon.path.push(Wrap { src: Default::default(), kind, target, sidesite, parameter });
        Ok(tendon.path.len() - 1)
    }

    /// The path of a tendon: kind, target, side site and parameter of each element.
    fn path(&self, tendon: Handle) -> PyResult<Vec<(&'static str, String, String, f64)>> {
        let spec = self.lock()?;
        let tendon = spec.get(Id::<Tendon>::from_raw(tendon)).ok_or_else(gone)?;
        let row = |wrap: &Wrap| {
            let kind = match wrap.kind {
                WrapKind::Site => "site",
                WrapKind::Geom => "geom",
                WrapKind::Joint => "joint",
                WrapKind::Pulley => "pulley",
            };
            (kind, wrap.target.clone(), wrap.sidesite.clone(), wrap.parameter)
        };
        Ok(tendon.path.iter().map(row).collect())
    }

    /// The quaternion of a form of orientation.
    #[staticmethod]
    fn resolve_orientation(
        degree: bool,
        sequence: &str,
        kind: i32,
        numbers: Vec<f64>,
    ) -> PyResult<Vec<f64>> {
        let mut compiler = sim_mjcf::spec::Compiler { degree, ..Default::default() };
        if let Some(Err(mismatch)) =
            compiler.set_field("eulerseq", Value::Letters(sequence.to_owned()))
        {
            return Err(PyValueError::new_err(mismatch.0));
        }
        let given = Orientation { quat: Quat::IDENTITY, alternative: orientation(kind, &numbers)? };
        let quat = Spec::resolve_orientation(&given, &compiler).map_err(failure)?;
        Ok(quat.to_array().to_vec())
    }
}

/// The elements of MJCF: depth, name, how often they can be there, and attributes.
#[pyfunction]
fn _schema() -> Vec<(usize, &'static str, char, Vec<&'static str>)> {
    let row =
        |element: SchemaElement| (element.depth, element.name, element.times, element.attributes);
    schema().into_iter().map(row).collect()
}

/// Adds the class to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_schema, module)?)?;
    module.add_class::<SpecCore>()
}
