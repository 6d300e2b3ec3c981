//! Arguments of functions: arrays of the right shape, ids of objects that exist.

use numpy::{
    AllowTypeChange, Element, PyArray1, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::math::Vec3;

use crate::guard::FatalError;

/// An array that a function fills.
pub(crate) type Output<'a, 'py> = &'a Bound<'py, PyArrayDyn<f64>>;

/// Whether an array is a vector of `len` numbers, or a matrix with one row or column.
pub(crate) fn is_vector(shape: &[usize], len: usize) -> bool {
    matches!(*shape, [n] | [n, 1] | [1, n] if n == len)
}

/// Checks that an array is a vector of `len` numbers, which is called `size`.
pub(crate) fn check_len<T: Element>(
    name: &str,
    array: &Bound<'_, PyArrayDyn<T>>,
    len: usize,
    size: &str,
) -> PyResult<()> {
    if is_vector(array.shape(), len) {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should be of size {size}")))
}

/// Checks that an array is a matrix of the given shape, which is called `sizes`.
pub(crate) fn check_matrix(
    name: &str,
    array: &Bound<'_, PyArrayDyn<f64>>,
    shape: [usize; 2],
    sizes: &str,
) -> PyResult<()> {
    if array.shape() == shape {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should be of shape {sizes}")))
}

/// Copies a vector of `len` numbers out of an array, so that it may be one of the data's own.
pub(crate) fn vector(
    name: &str,
    value: &Bound<'_, PyAny>,
    len: usize,
    size: &str,
) -> PyResult<Vec<f64>> {
    if let Ok(value) = value.cast::<PyArrayDyn<f64>>() {
        check_len(name, value, len, size)?;
        return numbers(value);
    }
    let value: PyArrayLikeDyn<'_, f64, AllowTypeChange> = value.extract()?;
    check_len(name, &value, len, size)?;
    numbers(&value)
}

/// Copies a vector of three numbers.
pub(crate) fn vec3(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec3> {
    let numbers = vector(name, value, 3, "3")?;
    Ok(Vec3::new(numbers[0], numbers[1], numbers[2]))
}

/// The id of one of `count` objects.
pub(crate) fn object(name: &str, id: i32, count: usize) -> PyResult<usize> {
    usize::try_from(id).ok().filter(|&id| id < count).ok_or_else(|| {
        FatalError::new_err(format!("{name} {id} does not exist, there are {count}"))
    })
}

/// Copies the numbers of an array.
pub(crate) fn numbers<T: Element + Copy>(array: &Bound<'_, PyArrayDyn<T>>) -> PyResult<Vec<T>> {
    if array.is_empty() {
        return Ok(Vec::new());
    }
    if array.is_aligned() {
        let in_order = array.is_c_contiguous();
        let array = array.try_readonly()?;
        return Ok(match array.as_slice() {
            Ok(numbers) if in_order => numbers.to_vec(),
            _ => array.as_array().iter().copied().collect(),
        });
    }
    let copy = array.call_method0("copy")?.cast_into::<PyArrayDyn<T>>()?;
    Ok(copy.try_readonly()?.as_array().iter().copied().collect())
}

/// Copies numbers into an array of as many. NumPy does it where elements may share their place or
/// are not aligned.
pub(crate) fn write<T: Element + Copy>(
    target: &Bound<'_, PyArrayDyn<T>>,
    values: &[T],
) -> PyResult<()> {
    let mut writable = target.try_readwrite()?;
    if target.is_empty() {
        return Ok(());
    }
    if target.is_c_contiguous() && target.is_aligned() {
        let target = writable.as_slice_mut()?;
        target.iter_mut().zip(values).for_each(|(target, value)| *target = *value);
        return Ok(());
    }
    drop(writable);
    let values = PyArray1::from_slice(target.py(), values).reshape(target.shape().to_vec())?;
    target.set_item(target.py().Ellipsis(), values)
}
