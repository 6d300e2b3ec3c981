//! Entering the engine from Python: locks, the interpreter lock, and panics as exceptions.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sim_core::{Data, Model};

use crate::data::MjData;
use crate::model::MjModel;

create_exception!(
    cortenforge,
    FatalError,
    PyRuntimeError,
    "The engine met numbers that it cannot work with, such as an index that points nowhere."
);

thread_local! {
    /// Depth of [`caught`] in this thread, and what the last panic inside it said.
    static INSIDE: Cell<usize> = const { Cell::new(0) };
    static MESSAGE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics inside [`caught`] silent, so that they are reported as exceptions only.
pub(crate) fn install_hook() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        if INSIDE.get() > 0 {
            MESSAGE.set(info.to_string());
        } else {
            previous(info);
        }
    }));
}

/// Runs `call`; a panic becomes a [`FatalError`].
pub(crate) fn caught<R>(call: impl FnOnce() -> R) -> PyResult<R> {
    INSIDE.set(INSIDE.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(call));
    INSIDE.set(INSIDE.get() - 1);
    result.map_err(|_| FatalError::new_err(MESSAGE.take()))
}

/// Runs `call` on a model, without the interpreter lock.
pub(crate) fn with_model<R: Send>(
    py: Python<'_>,
    model: &MjModel,
    call: impl FnOnce(&Model) -> R + Send,
) -> PyResult<R> {
    let model = model.shared.read()?;
    let model = &*model;
    py.detach(|| caught(|| call(model)))
}

/// Runs `call` on a model and data made for it, without the interpreter lock.
pub(crate) fn with_data<R: Send>(
    py: Python<'_>,
    model: &MjModel,
    data: &Bound<'_, MjData>,
    call: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    check_sizes(model, data.get())?;
    let model = model.shared.read()?;
    let mut inside = data.get().shared.write()?;
    let (model, entered) = (&*model, &mut *inside);
    let result = py.detach(|| caught(|| call(model, entered)));
    if result.is_err() && !MjData::is_whole(data, &mut inside) {
        data.get().shared.set_broken();
    }
    result
}

/// Whether `data` was made for `model`, or for a model of the same sizes.
pub(crate) fn check_sizes(model: &MjModel, data: &MjData) -> PyResult<()> {
    if std::sync::Arc::ptr_eq(&model.sizes, &data.sizes) || model.sizes == data.sizes {
        return Ok(());
    }
    let differing = Model::SIZES.iter().zip(model.sizes.iter().zip(data.sizes.iter()));
    let (name, of_model, of_data) = differing
        .filter(|(_, (a, b))| a != b)
        .map(|((name, _), (a, b))| (name, a, b))
        .next()
        .expect("some size differs");
    Err(PyValueError::new_err(format!(
        "the data was made for another model: {name} is {of_data} there and {of_model} here"
    )))
}
