//! The Python package `cortenforge`: the engine under the names of the `mujoco` package.
//!
//! Attributes, named access, enums and the type stub are made from the tables of `sim-core`; adding
//! a field there adds it here. The parts:
//!
//! - `raw`: the memory that Python and the engine share; the only file with `unsafe`;
//! - `attributes`, `records`, `contact`, `named`: how tables look from Python;
//! - `model`, `data`: the two main classes; `state`: copies of them as dictionaries;
//! - `guard`: how calls enter the engine; `callbacks`: how the engine calls Python functions;
//! - `functions`, `length_range`, `spatial`, `constraint`, `ray`, `mju`: the functions of the
//!   module, `arguments`: what they check;
//! - `batch`: many simulations at once.
#![deny(unsafe_code, unsafe_op_in_unsafe_fn)]
#![allow(non_snake_case)]

mod arguments;
mod attributes;
mod batch;
mod callbacks;
mod constraint;
mod contact;
mod data;
mod functions;
mod guard;
mod length_range;
mod mju;
mod model;
mod named;
#[allow(unsafe_code)]
mod raw;
mod ray;
mod records;
mod spatial;
mod state;

use attributes::{Attribute, Entry, Struct, Table, entries, plain};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use sim_core::model::{ENUMS, EnumInfo};

/// The version of MuJoCo whose behaviour the engine has.
pub(crate) const REFERENCE: &str = "3.5.0";

/// Constants under MuJoCo's names.
const REALS: &[(&str, f64)] = &[
    ("mjPI", std::f64::consts::PI),
    ("mjMAXVAL", 1e10),
    ("mjMINVAL", 1e-15),
    ("mjMINMU", 1e-5),
    ("mjMINIMP", 0.0001),
    ("mjMAXIMP", 0.9999),
];
const INTEGERS: &[(&str, i64)] = &[
    ("mjVERSION_HEADER", 3_005_000),
    ("mjMAXCONPAIR", 50),
    ("mjMAXTREEDEPTH", 50),
    ("mjMAXFLEXNODES", 27),
    ("mjMINAWAKE", 10),
    ("mjNEQDATA", 11),
    ("mjNDYN", 10),
    ("mjNGAIN", 10),
    ("mjNBIAS", 10),
    ("mjNFLUID", 12),
    ("mjNREF", 2),
    ("mjNIMP", 5),
    ("mjNSENS", 3),
    ("mjNSOLVER", 200),
    ("mjNISLAND", 20),
    ("mjNGROUP", 6),
];

/// Members of enums that count the others.
const COUNTS: &[(&str, &str, i32)] = &[
    ("mjtCamOutBit", "mjNCAMOUT", 5),
    ("mjtConDataField", "mjNCONDATA", 7),
    ("mjtDisableBit", "mjNDISABLE", 19),
    ("mjtEnableBit", "mjNENABLE", 6),
    ("mjtGeom", "mjNGEOMTYPES", 9),
    ("mjtObj", "mjNOBJECT", 26),
    ("mjtRayDataField", "mjNRAYDATA", 6),
    ("mjtState", "mjNSTATE", 14),
    ("mjtTextureRole", "mjNTEXROLE", 10),
    ("mjtTimer", "mjNTIMER", 15),
    ("mjtWarning", "mjNWARNING", 8),
];

/// An enum: name, doc, members with their numbers.
type EnumRow = (&'static str, &'static str, Vec<(&'static str, i32)>);

fn enums() -> Vec<EnumRow> {
    let with_counts = |info: &EnumInfo| {
        let counts = COUNTS.iter().filter(|(name, ..)| *name == info.name);
        info.members.iter().copied().chain(counts.map(|&(_, name, value)| (name, value))).collect()
    };
    ENUMS.iter().map(|info| (info.name, info.doc.trim(), with_counts(info))).collect()
}

/// The native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    guard::install_hook();

    module.add("__version__", REFERENCE)?;
    module.add("engine_version", env!("CARGO_PKG_VERSION"))?;
    module.add("uncomputed_fields", PyTuple::new(py, sim_core::UNCOMPUTED)?)?;
    module.add("FatalError", py.get_type::<guard::FatalError>())?;
    for (name, value) in REALS {
        module.add(*name, *value)?;
    }
    for (name, value) in INTEGERS {
        module.add(*name, *value)?;
    }

    module.add_class::<Attribute>()?;
    module.add_class::<Struct>()?;
    module.add_class::<model::MjModel>()?;
    module.add_class::<data::MjData>()?;
    module.add_class::<contact::ContactList>()?;
    module.add_class::<contact::MjContact>()?;
    records::register(module)?;
    for (class, table) in [
        (py.get_type::<model::MjModel>(), Table::Model),
        (py.get_type::<data::MjData>(), Table::Data),
    ] {
        attributes::install(&class, table)?;
        named::install(&class, table)?;
    }
    functions::register(module)?;
    length_range::register(module)?;
    spatial::register(module)?;
    constraint::register(module)?;
    ray::register(module)?;
    mju::register(module)?;
    callbacks::register(module)?;
    batch::register(module)?;

    module.add("_enums", enums())?;
    module.add_function(wrap_pyfunction!(_tables, module)?)
}

/// What the type stub is made of: attributes by class as `(name, type, dimensions, doc, writable)`,
/// and classes of named access by owner.
#[pyfunction]
fn _tables(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let row = |e: &Entry| {
        let mut dims: Vec<String> = e.dims.iter().map(|dim| (*dim).to_owned()).collect();
        if e.width > 1 {
            dims.push(e.width.to_string());
        }
        (e.name, e.dtype, dims, plain(e.doc), e.writable)
    };
    let rows = |table: Table| entries(table).iter().map(row).collect::<Vec<_>>();
    let structs = PyDict::new(py);
    structs.set_item("MjModel", rows(Table::Model))?;
    structs.set_item("MjData", rows(Table::Data))?;
    for (class, table) in records::RECORDS {
        structs.set_item(class, rows(*table))?;
    }
    let contact: Vec<_> = contact::fields().iter().map(|f| row(&Entry::of(f))).collect();
    structs.set_item("MjContact", contact)?;
    let tables = PyDict::new(py);
    tables.set_item("structs", structs)?;
    tables.set_item("model_views", named::describe(Table::Model))?;
    tables.set_item("uncopied", data::uncopied())?;
    tables.set_item("data_views", named::describe(Table::Data))?;
    Ok(tables)
}
