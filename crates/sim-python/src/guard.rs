//! Entering the engine from Python: locks, the interpreter lock, and panics as exceptions.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};

use pyo3::create_exception;
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sim_core::batch::Pool;
use sim_core::memory::{LIMIT, MemoryError, parse_bytes};
use sim_core::{Data, Model};

use crate::data::MjData;
use crate::exit::{attached, detached};
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
    /// When [`interrupted`] has looked for signals, and the exception that it has met.
    static LOOKED: Cell<Option<Instant>> = const { Cell::new(None) };
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// How long a solve runs before someone looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Makes panics inside [`caught`] and in threads of batches silent, so that they are reported as
/// exceptions only.
pub(crate) fn install_hook() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        if INSIDE.get() > 0 || name.starts_with(Pool::NAME) {
            let payload = info.payload();
            let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
            MESSAGE.set(text.unwrap_or_default());
        } else {
            previous(info);
        }
    }));
}

/// Why a call into the engine did not come to its end.
enum Failure {
    /// A callback has raised an exception.
    Raised(PyErr),
    /// The engine has panicked, and said why.
    Panicked(String),
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Raised(error) => error,
            Failure::Panicked(message) => FatalError::new_err(message),
        }
    }
}

impl Failure {
    /// The exception; a panic over a bad table names the table.
    fn explained(self, model: &Model) -> PyErr {
        match self {
            Failure::Raised(error) => error,
            Failure::Panicked(message) => {
                let explained = attempt(|| model.explain(&message));
                FatalError::new_err(explained.unwrap_or(message))
            }
        }
    }
}

/// A [`FatalError`] of a call on `model`, with the table that is at fault.
pub(crate) fn explained(error: PyErr, model: &Model) -> PyErr {
    attached(|py| match error.is_instance_of::<FatalError>(py) {
        true => Failure::Panicked(error.value(py).to_string()).explained(model),
        false => error,
    })
}

/// The exception of memory that is not to be had.
pub(crate) fn memory_error(error: MemoryError) -> PyErr {
    PyMemoryError::new_err(error.to_string())
}

/// Bytes that a model and its data may take: what the environment variable `CORTENFORGE_MEMORY` says,
/// such as `4G`.
pub(crate) fn memory_limit() -> PyResult<usize> {
    match std::env::var("CORTENFORGE_MEMORY") {
        Err(_) => Ok(LIMIT),
        Ok(text) => parse_bytes(&text).ok_or_else(|| {
            PyValueError::new_err(format!("CORTENFORGE_MEMORY is '{text}', not a size such as 4G"))
        }),
    }
}

/// Runs `call` to its end, or up to a panic or the exception of a callback.
fn attempt<R>(call: impl FnOnce() -> R) -> Result<R, Failure> {
    INSIDE.set(INSIDE.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(call));
    INSIDE.set(INSIDE.get() - 1);
    result.map_err(|payload| match payload.downcast::<PyErr>() {
        Ok(raised) => Failure::Raised(*raised),
        Err(_) => Failure::Panicked(MESSAGE.take()),
    })
}

/// Runs `call`; a panic becomes a [`FatalError`], and an exception of a callback itself.
pub(crate) fn caught<R>(call: impl FnOnce() -> R) -> PyResult<R> {
    Ok(attempt(call)?)
}

/// Whether a long solve is to end: a signal has come, and its handler has raised an exception.
pub(crate) fn interrupted() -> bool {
    // the islands that are left end at once
    if RAISED.with_borrow(Option::is_some) {
        return true;
    }
    if LOOKED.get().is_some_and(|looked| looked.elapsed() < PATIENCE) {
        return false;
    }
    LOOKED.set(Some(Instant::now()));
    match attached(|py| py.check_signals()) {
        Ok(()) => false,
        Err(error) => {
            RAISED.set(Some(error));
            true
        }
    }
}

/// Ends the call into the engine with an exception, which [`caught`] returns.
pub(crate) fn raise(error: PyErr) -> ! {
    resume_unwind(Box::new(error))
}

/// Runs `call` on a model, without the interpreter lock.
pub(crate) fn with_model<R: Send>(
    py: Python<'_>,
    model: &MjModel,
    call: impl FnOnce(&Model) -> R + Send,
) -> PyResult<R> {
    let model = model.shared.read()?;
    let model = &*model;
    detached(py, || attempt(|| call(model)).map_err(|failure| failure.explained(model)))
}

/// Runs `call` on a model and data made for it, without the interpreter lock.
pub(crate) fn with_data<R: Send>(
    py: Python<'_>,
    model: &MjModel,
    data: &MjData,
    call: impl FnOnce(&Model, &mut Data) -> R + Send,
) -> PyResult<R> {
    check_sizes(model, data)?;
    data.check_stack()?;
    let model = model.shared.read()?;
    let mut data = data.shared.write()?;
    let (model, data) = (&*model, &mut *data);
    detached(py, || guarded(model, data, call))
}

/// Runs `call` on a model and data made for it. After a failure the data has no scratch space, until
/// the next call makes it anew.
pub(crate) fn guarded<R>(
    model: &Model,
    data: &mut Data,
    call: impl FnOnce(&Model, &mut Data) -> R,
) -> PyResult<R> {
    let result = attempt(|| {
        data.renew_scratch(model);
        call(model, data)
    });
    match (result, RAISED.take()) {
        (Ok(result), None) => Ok(result),
        (Ok(_), Some(raised)) => Err(raised),
        (Err(failure), _) => {
            data.abandon_scratch();
            Err(failure.explained(model))
        }
    }
}

/// Runs `call` on a model and data made for it that it only reads, without the interpreter lock.
pub(crate) fn with_data_read<R: Send>(
    py: Python<'_>,
    model: &MjModel,
    data: &MjData,
    call: impl FnOnce(&Model, &Data) -> R + Send,
) -> PyResult<R> {
    check_sizes(model, data)?;
    let model = model.shared.read()?;
    let data = data.shared.read()?;
    let (model, data) = (&*model, &*data);
    detached(py, || attempt(|| call(model, data)).map_err(|failure| failure.explained(model)))
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
