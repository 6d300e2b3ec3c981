//! The command `cortenforge` and the built-in robots, for those who install the package of Python.

use std::ffi::OsString;

use cortenforge::robots::{self, Robot};
use pyo3::exceptions::{PyImportError, PyKeyError};
use pyo3::prelude::*;

use crate::data::MjData;
use crate::exit::detached;
use crate::functions::add;
use crate::guard::{with_data, with_data_read};
use crate::model::MjModel;

/// The instructions that this module was built for.
pub(crate) const BUILT_FOR: &str =
    match (cfg!(target_arch = "x86_64"), cfg!(target_feature = "avx2")) {
        (true, true) => "x86-64-v3",
        (true, false) => "x86-64",
        (false, _) => std::env::consts::ARCH,
    };

/// Ends the import in words on a processor without the instructions that the module was built for.
pub(crate) fn check_processor() -> PyResult<()> {
    match cortenforge_cli::missing_instructions() {
        Some(words) => Err(PyImportError::new_err(words)),
        None => Ok(()),
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("built_for", BUILT_FOR)?;
    add! { module: _command _robots _robot_control _robot_outcome }
    Ok(())
}

/// Runs the command with its arguments, the first being its name; returns the exit status.
#[pyfunction]
fn _command(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    detached(py, || cortenforge_cli::main(arguments))
}

/// Name, description, task, duration and model of every built-in robot.
#[pyfunction]
fn _robots() -> Vec<(&'static str, &'static str, &'static str, f64, &'static str)> {
    let row = |robot: &Robot| (robot.name, robot.about, robot.task, robot.duration, robot.xml);
    robots::ALL.iter().map(row).collect()
}

fn find(name: &str) -> PyResult<&'static Robot> {
    robots::find(name).ok_or_else(|| PyKeyError::new_err(format!("no robot '{name}'")))
}

/// Sets the controls of a robot for the next step.
#[pyfunction]
fn _robot_control(name: &str, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    let robot = find(name)?;
    with_data(m.py(), m.get(), d.get(), |model, data| robot.control(model, data))
}

/// Whether a robot has done its task, and in words how far it has come.
#[pyfunction]
fn _robot_outcome(
    name: &str,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
) -> PyResult<(bool, String)> {
    let robot = find(name)?;
    let outcome =
        with_data_read(m.py(), m.get(), d.get(), |model, data| robot.outcome(model, data))?;
    Ok((outcome.done, outcome.text))
}
