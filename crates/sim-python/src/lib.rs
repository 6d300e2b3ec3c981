//! The Python package `cortenforge`: the engine under the names of the `mujoco` package.
//!
//! Attributes, named access, enums and the type stub are made from the tables of `sim-core`; adding
//! a field there adds it here. The parts:
//!
//! - `raw`: the memory that Python and the engine share; `allocator`: memory in huge pages; the only
//!   files with `unsafe`;
//! - `simulation`: data at a fixed address, and arrays of changing length that Python holds;
//! - `attributes`, `records`, `contact`, `named`: how tables look from Python;
//! - `model`, `data`: the two main classes; `state`: copies of them as dictionaries;
//! - `guard`: how calls enter the engine; `callbacks`, `warnings`: how the engine calls Python
//!   functions; `exit`: what becomes of threads when the interpreter ends;
//! - `functions`, `pipeline`, `length_range`, `spatial`, `constraint`, `ray`, `mju`, `linear`,
//!   `derivatives`: the functions of the module, `arguments`: what they check;
//! - `batch`: many simulations at once; `binary`: models as bytes; `constants`:
//!   constants, enums and labels;
//! - `scene`, `render`: what there is to draw, and pictures of it; `viewer`: a page in the browser.
#![deny(unsafe_code, unsafe_op_in_unsafe_fn)]
#![allow(non_snake_case)]

#[allow(unsafe_code)]
mod allocator;
mod arguments;
mod attributes;
mod batch;
mod binary;
mod callbacks;
mod command;
mod constants;
mod constraint;
mod contact;
mod data;
mod derivatives;
mod exit;
mod functions;
mod guard;
mod length_range;
mod linear;
mod mju;
mod model;
mod named;
mod pipeline;
#[allow(unsafe_code)]
mod raw;
mod ray;
mod records;
mod render;
mod scene;
mod simulation;
mod spatial;
mod spec;
mod state;
mod viewer;
mod warnings;

use attributes::{Attribute, Entry, Struct, Table, entries, plain};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

#[global_allocator]
static ALLOCATOR: allocator::HugePages = allocator::HugePages;

/// The version of MuJoCo whose behaviour the engine has.
pub(crate) const REFERENCE: &str = "3.5.0";

/// The native part of the package.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    command::check_processor()?;
    let py = module.py();
    guard::install_hook();
    exit::register(module)?;

    module.add("__version__", REFERENCE)?;
    module.add("engine_version", env!("CARGO_PKG_VERSION"))?;
    module.add("uncomputed_fields", PyTuple::new(py, sim_core::UNCOMPUTED)?)?;
    module.add("FatalError", py.get_type::<guard::FatalError>())?;
    for (name, value) in constants::REALS {
        module.add(*name, *value)?;
    }
    for (name, value) in constants::INTEGERS {
        module.add(*name, *value)?;
    }
    for (name, labels) in constants::LABELS {
        module.add(*name, PyTuple::new(py, *labels)?)?;
    }
    for (name, labels) in constants::FLAG_LABELS {
        module.add(*name, PyTuple::new(py, *labels)?)?;
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
    pipeline::register(module)?;
    length_range::register(module)?;
    spatial::register(module)?;
    constraint::register(module)?;
    ray::register(module)?;
    linear::register(module)?;
    mju::register(module)?;
    derivatives::register(module)?;
    callbacks::register(module)?;
    warnings::register(module)?;
    batch::register(module)?;
    spec::register(module)?;
    binary::register(module)?;
    scene::register(module)?;
    render::register(module)?;
    viewer::register(module)?;
    command::register(module)?;

    module.add("_enums", constants::enums())?;
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
