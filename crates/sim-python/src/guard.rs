//! Entering the engine from Python: locks, the interpreter lock, and panics as exceptions.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pyo3::create_exception;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use sim_core::batch::Pool;
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

/// Makes panics inside [`caught`] and in threads of batches silent, so that they are reported as
/// exceptions only.
pub(crate) fn install_hook() {
    let previous = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let name = std::thread::current().name().unwrap_or_default().to_owned();
        if INSIDE.get() > 0 || name.starts_with(Pool::NAME) {
            MESSAGE.set(info.to_string());
        } else {
            previous(info);
        }
    }));
}

/// Runs `call`; a panic becomes a [`FatalError`], and an exception of a callback itself.
pub(crate) fn caught<R>(call: impl FnOnce() -> R) -> PyResult<R> {
    INSIDE.set(INSIDE.get() + 1);
    let result = catch_unwind(AssertUnwindSafe(call));
    INSIDE.set(INSIDE.get() - 1);
    result.map_err(|payload| match payload.downcast::<PyErr>() {
        Ok(raised) => *raised,
        Err(_) => FatalError::new_err(MESSAGE.take()),
    })
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
    py.detach(|| caught(|| call(model)))
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
    py.detach(|| {
        let result = caught(|| call(model, data));
        if result.is_err() {
            renew_work(model, data);
        }
        result
    })
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
    py.detach(|| caught(|| call(model, data)))
}

/// Gives data new scratch space, of which a stage that failed has parts.
pub(crate) fn renew_work(model: &Model, data: &mut Data) {
    // a model with bad tables may not even have one
    if let Ok(work) = caught(|| Data::new(model).work) {
        data.work = work;
    }
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
