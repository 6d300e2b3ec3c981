//! Warnings of the engine: their texts, and the Python function that hears of them.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::data::WarningStat;
use sim_core::model::Warning;

use crate::data::MjData;
use crate::functions::add;
use crate::pipeline::bytes_text;

/// The function that is told of warnings, and whether there is one.
static LISTENER: Mutex<Option<Py<PyAny>>> = Mutex::new(None);
static LISTENS: AtomicBool = AtomicBool::new(false);

/// Sets the function `f(text)` that is called for each warning that the engine counts for the first
/// time since the last reset; None: no function.
#[pyfunction]
fn set_mju_user_warning(function: &Bound<'_, PyAny>) -> PyResult<()> {
    let function = match function.is_none() {
        true => None,
        false if function.is_callable() => Some(function.clone().unbind()),
        false => return Err(PyTypeError::new_err("callback is not an Optional[Callable]")),
    };
    let old = {
        let mut listener = LISTENER.lock().expect("nothing panics with the lock");
        LISTENS.store(function.is_some(), Ordering::Relaxed);
        std::mem::replace(&mut *listener, function)
    };
    // may run Python code, so not under the lock
    drop(old);
    Ok(())
}

/// Returns what `set_mju_user_warning` has set, or None.
#[pyfunction]
fn get_mju_user_warning(py: Python<'_>) -> Option<Py<PyAny>> {
    let listener = LISTENER.lock().expect("nothing panics with the lock");
    listener.as_ref().map(|function| function.clone_ref(py))
}

/// The warnings that were counted before a call, and the time, if somebody listens.
pub(crate) struct Heard(Option<([WarningStat; 8], f64)>);

impl Heard {
    pub(crate) fn before(d: &Bound<'_, MjData>) -> PyResult<Heard> {
        if !LISTENS.load(Ordering::Relaxed) {
            return Ok(Heard(None));
        }
        let data = d.get().shared.read()?;
        Ok(Heard(Some((data.warning, data.time))))
    }

    /// Tells the function of warnings that are new.
    pub(crate) fn tell(self, d: &Bound<'_, MjData>) -> PyResult<()> {
        let Heard(Some((before, time))) = self else { return Ok(()) };
        let Some(function) = get_mju_user_warning(d.py()) else { return Ok(()) };
        // functions of ctypes take texts as C does
        let foreign = d.py().import("_ctypes")?.getattr("CFuncPtr")?;
        let foreign = function.bind(d.py()).is_instance(&foreign)?;
        let after = d.get().shared.read()?.warning;
        for (kind, (before, after)) in before.iter().zip(after).enumerate() {
            if before.number == 0 && after.number > 0 {
                let text = text(kind as i32, after.lastinfo.into());
                let text = format!("{text} Time = {time:.4}.");
                match foreign {
                    true => function.call1(d.py(), (text.as_bytes(),))?,
                    false => function.call1(d.py(), (text,))?,
                };
            }
        }
        Ok(())
    }
}

/// What a warning says.
fn text(kind: i32, info: i64) -> String {
    let unstable = |array: &str, at: &str| {
        format!("Nan, Inf or huge value in {array} at {at} {info}. The simulation is unstable.")
    };
    match Warning::from_i32(kind) {
        Some(Warning::Inertia) => {
            format!("Inertia matrix is too close to singular at DOF {info}. Check model.")
        }
        Some(Warning::ContactFull) => format!(
            "Too many contacts. The arena memory is full, increase arena memory allocation.\
             (ncon = {info})"
        ),
        Some(Warning::CnstrFull) => format!(
            "Insufficient arena memory for the number of constraints generated. Increase arena \
             memory allocation above {} bytes.",
            bytes_text(usize::try_from(info).unwrap_or(0))
        ),
        Some(Warning::VgeomFull) => {
            format!("Pre-allocated visual geom buffer is full. Increase maxgeom above {info}.")
        }
        Some(Warning::BadQpos) => unstable("QPOS", "DOF"),
        Some(Warning::BadQvel) => unstable("QVEL", "DOF"),
        Some(Warning::BadQacc) => unstable("QACC", "DOF"),
        Some(Warning::BadCtrl) => unstable("CTRL", "ACTUATOR"),
        None => format!("Unknown warning type {kind}."),
    }
}

/// Returns what a warning of a kind (an `mjtWarning`) says about `info`.
#[pyfunction]
fn mju_warningText(warning: i32, info: i64) -> String {
    text(warning, info)
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add! { module: set_mju_user_warning get_mju_user_warning mju_warningText }
    Ok(())
}
