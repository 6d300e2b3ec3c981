//! Binary models: `mj_saveModel` and `mj_sizeModel`; reading them is a method of `MjModel`.

use std::path::PathBuf;

use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyUserWarning};
use pyo3::prelude::*;

use crate::functions::add;
use crate::guard::{FatalError, with_model};
use crate::model::MjModel;
use crate::{arguments, guard};

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add! { module: mj_saveModel mj_sizeModel }
    Ok(())
}

/// Saves a model as a binary MJB file, or into an array of bytes; the array wins.
#[pyfunction]
#[pyo3(signature = (m, filename = None, buffer = None))]
fn mj_saveModel(
    m: &Bound<'_, MjModel>,
    filename: Option<PathBuf>,
    buffer: Option<&Bound<'_, PyArrayDyn<u8>>>,
) -> PyResult<()> {
    let py = m.py();
    let bytes = with_model(py, m.get(), |model| model.to_bytes())?;
    match (buffer, filename) {
        (Some(buffer), _) if buffer.len() < bytes.len() => {
            Err(FatalError::new_err("bufwrite: attempting to write outside model buffer"))
        }
        (Some(buffer), _) => arguments::write(buffer, &bytes),
        (None, Some(filename)) => {
            match guard::caught(|| sim_mjcf::write_file(&filename, &bytes))? {
                Ok(()) => Ok(()),
                // as in MuJoCo, a file that cannot be written is a warning
                Err(error) => {
                    let text = format!("Could not open file '{}': {error}", filename.display());
                    let text = std::ffi::CString::new(text.replace('\0', "\u{fffd}"))?;
                    PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
                }
            }
        }
        (None, None) => {
            Err(PyTypeError::new_err("mj_saveModel needs the name of a file or a buffer"))
        }
    }
}

/// Returns the number of bytes that a model has as a binary MJB file.
#[pyfunction]
fn mj_sizeModel(m: &Bound<'_, MjModel>) -> PyResult<usize> {
    let len = with_model(m.py(), m.get(), |model| model.binary_len())?;
    Ok(len.expect("a model in memory has a length"))
}
