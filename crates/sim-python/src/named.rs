//! Named access: `model.body('torso').mass`, `data.joint('knee').qpos`.
//!
//! What an object of a kind has is read off the field tables: every array whose first dimension is
//! the number of such objects, and for joints also the arrays by dof and by position.

use std::sync::{Arc, OnceLock};

use pyo3::exceptions::{PyAttributeError, PyIndexError, PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyString, PyType};
use sim_core::Model;
use sim_core::model::{JointType, ObjType};

use crate::attributes::{Entry, Slot, Struct, Table, entries, fill};
use crate::data::MjData;
use crate::model::MjModel;
use crate::raw::{Place, Shared, Storage};

/// A kind of object with named access.
struct ObjectKind {
    object: ObjType,
    /// What the class of its views is called after.
    title: &'static str,
    /// Names of the methods.
    model_methods: &'static [&'static str],
    data_methods: &'static [&'static str],
    /// The size that counts the objects, and the prefixes of their arrays.
    size: &'static str,
    model_prefix: &'static str,
    data_prefix: &'static str,
    /// Arrays of which an object has a range: name of the array, name of the attribute.
    ranges: &'static [(&'static str, &'static str)],
}

const fn kind(
    object: ObjType,
    title: &'static str,
    size: &'static str,
    prefix: &'static str,
    model_methods: &'static [&'static str],
    data_methods: &'static [&'static str],
) -> ObjectKind {
    let (model_prefix, data_prefix) = (prefix, prefix);
    ObjectKind {
        object,
        title,
        model_methods,
        data_methods,
        size,
        model_prefix,
        data_prefix,
        ranges: &[],
    }
}

static KINDS: [ObjectKind; 20] = [
    kind(ObjType::Actuator, "Actuator", "nu", "actuator_", &["actuator"], &["actuator"]),
    kind(ObjType::Body, "Body", "nbody", "body_", &["body"], &["body"]),
    kind(ObjType::Camera, "Camera", "ncam", "cam_", &["cam", "camera"], &["cam", "camera"]),
    kind(ObjType::Equality, "Equality", "neq", "eq_", &["eq", "equality"], &[]),
    kind(ObjType::Exclude, "Exclude", "nexclude", "exclude_", &["exclude"], &[]),
    kind(ObjType::Geom, "Geom", "ngeom", "geom_", &["geom"], &["geom"]),
    ObjectKind {
        ranges: &[("hfield_data", "data")],
        ..kind(ObjType::Hfield, "Hfield", "nhfield", "hfield_", &["hfield"], &[])
    },
    kind(ObjType::Joint, "Joint", "njnt", "jnt_", &["jnt", "joint"], &["jnt", "joint"]),
    kind(ObjType::Light, "Light", "nlight", "light_", &["light"], &["light"]),
    kind(ObjType::Material, "Material", "nmat", "mat_", &["mat", "material"], &[]),
    kind(ObjType::Mesh, "Mesh", "nmesh", "mesh_", &["mesh"], &[]),
    ObjectKind {
        ranges: &[("numeric_data", "data")],
        ..kind(ObjType::Numeric, "Numeric", "nnumeric", "numeric_", &["numeric"], &[])
    },
    kind(ObjType::Pair, "Pair", "npair", "pair_", &["pair"], &[]),
    ObjectKind {
        ranges: &[("sensordata", "data")],
        ..kind(ObjType::Sensor, "Sensor", "nsensor", "sensor_", &["sensor"], &["sensor"])
    },
    kind(ObjType::Site, "Site", "nsite", "site_", &["site"], &["site"]),
    kind(ObjType::Skin, "Skin", "nskin", "skin_", &["skin"], &[]),
    ObjectKind {
        data_prefix: "ten_",
        ..kind(ObjType::Tendon, "Tendon", "ntendon", "tendon_", &["tendon"], &["ten", "tendon"])
    },
    ObjectKind {
        ranges: &[("tex_data", "data")],
        ..kind(ObjType::Texture, "Texture", "ntex", "tex_", &["tex", "texture"], &[])
    },
    ObjectKind {
        ranges: &[
            ("tuple_objtype", "objtype"),
            ("tuple_objid", "objid"),
            ("tuple_objprm", "objprm"),
        ],
        ..kind(ObjType::Tuple, "Tuple", "ntuple", "tuple_", &["tuple"], &[])
    },
    kind(ObjType::Key, "Keyframe", "nkey", "key_", &["key", "keyframe"], &[]),
];

/// Which rows of an array belong to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// The row of its id.
    Own,
    /// The rows of a joint's dofs.
    Dofs,
    /// The numbers of a joint's position.
    Positions,
    /// A range that the model gives by address and size.
    Range,
}

/// An attribute of a view.
#[derive(Debug, Clone, Copy)]
struct Member {
    name: &'static str,
    /// Position in the table of the owner.
    index: usize,
    rows: Rows,
}

impl ObjectKind {
    fn class(&self, table: Table) -> String {
        let owner = if table == Table::Model { "Model" } else { "Data" };
        format!("_Mj{owner}{}Views", self.title)
    }

    /// Reads the members off a table, sorted by name.
    fn read_members(&self, table: Table) -> Vec<Member> {
        let mut members: Vec<Member> = Vec::new();
        for (index, entry) in entries(table).iter().enumerate() {
            let Some((name, rows)) = self.member(table, entry) else { continue };
            // a joint has some arrays both by joint and by dof: those by joint win, but for the
            // body, as in MuJoCo
            match members.iter_mut().find(|member| member.name == name) {
                Some(member) if name == "bodyid" && rows == Rows::Dofs => {
                    *member = Member { name, index, rows };
                }
                Some(_) => {}
                None => members.push(Member { name, index, rows }),
            }
        }
        members.sort_by_key(|member| member.name);
        members
    }

    fn member(&self, table: Table, entry: &Entry) -> Option<(&'static str, Rows)> {
        if let Some((_, name)) = self.ranges.iter().find(|(array, _)| *array == entry.name) {
            return Some((name, Rows::Range));
        }
        // lists of ids are by position in the list
        if !entry.writable || entry.name.ends_with("_ind") {
            return None;
        }
        let first = *entry.dims.first()?;
        let joint = self.object == ObjType::Joint;
        let (rows, prefix) = match first {
            _ if first == self.size && table == Table::Model => (Rows::Own, self.model_prefix),
            _ if first == self.size => (Rows::Own, self.data_prefix),
            "nv" if joint => (Rows::Dofs, "dof_"),
            "nq" if joint => (Rows::Positions, ""),
            _ => return None,
        };
        match entry.name.strip_prefix(prefix) {
            Some(short) => Some((short, rows)),
            // names of a model's arrays say what they belong to; those of data do not
            None if table == Table::Data => Some((entry.name, rows)),
            None => None,
        }
    }
}

/// The members of a kind of object in a table.
fn members(kind: usize, table: Table) -> &'static [Member] {
    static MEMBERS: [[OnceLock<Vec<Member>>; 2]; 20] =
        [const { [const { OnceLock::new() }; 2] }; 20];
    let side = usize::from(table == Table::Data);
    MEMBERS[kind][side].get_or_init(|| KINDS[kind].read_members(table))
}

/// The range of an object in the array by address and size; none where the tables make no sense.
fn range(model: &Model, object: ObjType, id: usize) -> Option<(usize, usize)> {
    let number = |x: i32| usize::try_from(x).ok();
    let product = |a: i32, b: i32| number(a)?.checked_mul(number(b)?);
    Some(match object {
        ObjType::Sensor => (number(model.sensor_adr[id])?, number(model.sensor_dim[id])?),
        ObjType::Numeric => (number(model.numeric_adr[id])?, number(model.numeric_size[id])?),
        ObjType::Tuple => (number(model.tuple_adr[id])?, number(model.tuple_size[id])?),
        ObjType::Hfield => {
            (number(model.hfield_adr[id])?, product(model.hfield_nrow[id], model.hfield_ncol[id])?)
        }
        ObjType::Texture => {
            let pixels = product(model.tex_width[id], model.tex_height[id])?;
            let start = usize::try_from(model.tex_adr[id]).ok()?;
            (start, pixels.checked_mul(number(model.tex_nchannel[id])?)?)
        }
        _ => return None,
    })
}

/// The rows of a member, as a place.
fn locate(place: &Place, model: &Model, object: ObjType, id: usize, rows: Rows) -> Option<Place> {
    let start = |adr: &[i32]| usize::try_from(adr[id]).ok();
    let joint = || JointType::from_i32(model.jnt_type[id]);
    match rows {
        Rows::Own => place.row(id),
        Rows::Dofs => place.slice(start(&model.jnt_dofadr)?, joint()?.dofs()),
        Rows::Positions => place.slice(start(&model.jnt_qposadr)?, joint()?.coordinates()),
        Rows::Range => {
            let (first, count) = range(model, object, id)?;
            place.slice(first, count)
        }
    }
}

// the method of a class that gives named access to one kind of object; its `__doc__` is made for
// that kind, so the class has none
#[pyclass(frozen, name = "_Accessor", module = "cortenforge._native")]
struct Accessor {
    kind: usize,
    table: Table,
}

#[pymethods]
impl Accessor {
    fn __get__(
        slf: &Bound<'_, Self>,
        object: &Bound<'_, PyAny>,
        _class: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if object.is_none() {
            return Ok(slf.clone().into_any().unbind());
        }
        let (py, this) = (slf.py(), slf.get());
        let model = match this.table {
            Table::Model => object.cast::<MjModel>()?.clone().unbind(),
            _ => object.cast::<MjData>()?.get().model(py),
        };
        let owner = object.cast::<Struct>()?.clone().unbind();
        let model = model.get().shared.clone();
        let (kind, table) = (this.kind, this.table);
        Ok(Py::new(py, BoundAccessor { kind, table, owner, model })?.into_any())
    }

    #[getter]
    fn __doc__(&self) -> String {
        let names: Vec<_> = members(self.kind, self.table).iter().map(|m| m.name).collect();
        format!(
            "Gives access to one {} by name or number. It has: id, name, {}.",
            KINDS[self.kind].title.to_lowercase(),
            names.join(", ")
        )
    }
}

// the method, bound to a model or data
#[pyclass(frozen, name = "_BoundAccessor", module = "cortenforge._native")]
struct BoundAccessor {
    kind: usize,
    table: Table,
    owner: Py<Struct>,
    model: Arc<Shared<Model>>,
}

#[pymethods]
impl BoundAccessor {
    #[pyo3(signature = (name = None))]
    fn __call__(&self, py: Python<'_>, name: Option<&Bound<'_, PyAny>>) -> PyResult<Py<View>> {
        let object = KINDS[self.kind].object;
        let model = self.model.read()?;
        let count = model.count(object);
        let id = match name {
            None => return Err(unknown(&model, object, "")),
            Some(key) => match key.cast::<PyString>() {
                Ok(name) => {
                    let name = name.to_str()?;
                    model.id(object, name).ok_or_else(|| unknown(&model, object, name))?
                }
                Err(_) => {
                    let Ok(index) = key.extract::<i64>() else {
                        let class = key.get_type();
                        return Err(PyTypeError::new_err(format!(
                            "an object is named by str or int, not {}",
                            class.name()?
                        )));
                    };
                    usize::try_from(index).ok().filter(|&id| id < count).ok_or_else(|| {
                        PyIndexError::new_err(format!(
                            "Invalid index {index}. Valid indices from 0 to {}",
                            count as i64 - 1
                        ))
                    })?
                }
            },
        };
        let owner = self.owner.get();
        let mut views = owner.views.lock().expect("nothing panics with the lock");
        if let Some(view) = views.get(&(self.kind, id)) {
            return Ok(view.clone_ref(py));
        }
        let arrays = members(self.kind, self.table).iter().map(|_| PyOnceLock::new()).collect();
        let view = View {
            kind: self.kind,
            table: self.table,
            slots: owner.slots.clone(),
            storage: owner.storage.clone_ref(py),
            model: self.model.clone(),
            id,
            name: model.name(object, id).unwrap_or_default().to_owned(),
            arrays,
        };
        let view = Py::new(py, view)?;
        views.insert((self.kind, id), view.clone_ref(py));
        Ok(view)
    }

    #[getter]
    fn __doc__(&self) -> String {
        Accessor { kind: self.kind, table: self.table }.__doc__()
    }
}

/// The error for a name that no object has.
fn unknown(model: &Model, object: ObjType, name: &str) -> PyErr {
    let mut names: Vec<_> =
        (0..model.count(object)).filter_map(|id| model.name(object, id)).collect();
    names.sort_unstable();
    let names: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
    PyKeyError::new_err(format!("Invalid name '{name}'. Valid names: [{}]", names.join(", ")))
}

/// One object of a model, or its part of the data. Arrays are live views.
#[pyclass(frozen, weakref, name = "_View", module = "cortenforge._native")]
pub(crate) struct View {
    kind: usize,
    table: Table,
    /// Where the arrays of the owner are, and what keeps them there.
    slots: Arc<Vec<Slot>>,
    storage: Py<Storage>,
    model: Arc<Shared<Model>>,
    /// Number of the object among those of its kind.
    #[pyo3(get)]
    id: usize,
    /// Name; empty if it has none.
    #[pyo3(get)]
    name: String,
    /// The arrays that were asked for, by member.
    arrays: Vec<PyOnceLock<Py<PyAny>>>,
}

impl View {
    /// The array of a member, always the same one.
    fn value<'py>(&self, py: Python<'py>, member: &Member) -> PyResult<Bound<'py, PyAny>> {
        let all = members(self.kind, self.table);
        let at = all.iter().position(|other| std::ptr::eq(other, member)).expect("a member");
        if let Slot::Array { made: Some(_), .. } = &self.slots[member.index] {
            // it is written whenever it is asked for
            self.slots[member.index].get(py, &self.storage)?;
        }
        let array =
            self.arrays[at].get_or_try_init(py, || self.show(py, member).map(Bound::unbind));
        Ok(array?.bind(py).clone())
    }

    fn show<'py>(&self, py: Python<'py>, member: &Member) -> PyResult<Bound<'py, PyAny>> {
        let Slot::Array { place, .. } = &self.slots[member.index] else {
            unreachable!("members are arrays of fixed length");
        };
        let model = self.model.read()?;
        let object = KINDS[self.kind].object;
        let place = locate(place, &model, object, self.id, member.rows).ok_or_else(|| {
            PyIndexError::new_err(format!("the tables of the model have no '{}' here", member.name))
        })?;
        let array = place.view(py, &self.storage);
        if object == ObjType::Texture && member.rows == Rows::Range {
            let sizes = [&model.tex_height, &model.tex_width, &model.tex_nchannel];
            let size = sizes.map(|size| size[self.id]);
            return array.call_method1("reshape", (size,));
        }
        Ok(array)
    }

    fn find(&self, name: &str) -> PyResult<&'static Member> {
        let members = members(self.kind, self.table);
        // MuJoCo spells the attributes of a tendon with a leading underscore
        let short = match KINDS[self.kind].object {
            ObjType::Tendon => name.strip_prefix('_').unwrap_or(name),
            _ => name,
        };
        members.binary_search_by_key(&short, |member| member.name).map(|i| &members[i]).map_err(
            |_| {
                PyAttributeError::new_err(format!(
                    "'{}' object has no attribute '{name}'",
                    KINDS[self.kind].class(self.table)
                ))
            },
        )
    }
}

#[pymethods]
impl View {
    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.value(py, self.find(name)?)
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        fill(&self.value(py, self.find(name)?)?, value)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        let mut names = vec!["id", "name"];
        names.extend(members(self.kind, self.table).iter().map(|member| member.name));
        names
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut lines = vec![
            ("id", self.id.to_string()),
            ("name", PyString::new(py, &self.name).repr()?.to_string()),
        ];
        for member in members(self.kind, self.table) {
            lines.push((member.name, self.value(py, member)?.repr()?.to_string()));
        }
        lines.sort();
        let lines: String =
            lines.iter().map(|(name, text)| format!("  {name}: {text}\n")).collect();
        Ok(format!("<{}\n{lines}>", KINDS[self.kind].class(self.table)))
    }
}

/// A class of views as the type stub describes it: class, methods, members with element type.
pub(crate) type ViewInfo =
    (String, Vec<&'static str>, Vec<(&'static str, &'static str, &'static str)>);

/// The classes of views of a table.
pub(crate) fn describe(table: Table) -> Vec<ViewInfo> {
    (0..KINDS.len())
        .map(|kind| {
            let methods = methods(&KINDS[kind], table).to_vec();
            let member = |m: &Member| {
                let entry = &entries(table)[m.index];
                (m.name, entry.dtype, entry.doc)
            };
            (KINDS[kind].class(table), methods, members(kind, table).iter().map(member).collect())
        })
        .filter(|(_, methods, _): &ViewInfo| !methods.is_empty())
        .collect()
}

fn methods(kind: &ObjectKind, table: Table) -> &'static [&'static str] {
    if table == Table::Model { kind.model_methods } else { kind.data_methods }
}

/// Gives a class its methods for named access.
pub(crate) fn install(class: &Bound<'_, PyType>, table: Table) -> PyResult<()> {
    for (kind, object) in KINDS.iter().enumerate() {
        for method in methods(object, table) {
            class.setattr(*method, Accessor { kind, table })?;
        }
    }
    Ok(())
}
