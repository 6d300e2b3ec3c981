//! Models and data as dictionaries of numbers: pickling, and models made from given arrays.

use numpy::{AllowTypeChange, PyArrayLikeDyn};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use sim_core::Model;
use sim_core::fields::ArrayMut;

use crate::attributes::{Slot, Struct, entries};
use crate::records::Record;

/// Adds every fixed field of `object` to `fields`, each name after `prefix`, as copies.
pub(crate) fn save(
    object: &Bound<'_, Struct>,
    prefix: &str,
    fields: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let (py, object) = (object.py(), object.get());
    for (entry, slot) in entries(object.table).iter().zip(&object.slots) {
        let value = slot.get(py, &object.storage)?;
        match slot {
            Slot::Grown(..) => continue,
            Slot::Array { .. } => fields
                .set_item(format!("{prefix}{}", entry.name), value.call_method0(py, "copy")?)?,
            _ => fields.set_item(format!("{prefix}{}", entry.name), value)?,
        }
    }
    Ok(())
}

/// Makes a model from its sizes, options and arrays by name; options that are not given keep their
/// defaults, arrays must be complete.
pub(crate) fn model_from(fields: &Bound<'_, PyDict>) -> PyResult<Model> {
    let mut model = Model::default();
    for (name, _) in Model::SIZES {
        *model.size_mut(name).expect("sizes are in the table") =
            required(fields, name)?.extract()?;
    }

    // lengths first, so that nothing is allocated that was not given
    for field in Model::FIELDS {
        let len = field.dims.iter().try_fold(field.width, |len, dim| {
            len.checked_mul(model.size(dim).expect("dimensions are sizes"))
        });
        let given = required(fields, field.name)?;
        let given = given.getattr("size").or_else(|_| given.call_method0("__len__"))?;
        if Some(given.extract()?) != len {
            return Err(PyValueError::new_err(format!("'{}' has the wrong length", field.name)));
        }
    }
    model.allocate();
    for field in Model::FIELDS {
        let array = model.array_mut(field.name).expect("fields of the table are in the table");
        assign(array, &required(fields, field.name)?)?;
    }

    restore(&mut model.opt, "opt.", fields)?;
    restore(&mut model.stat, "stat.", fields)?;
    restore(&mut model.vis.global, "vis.global_.", fields)?;
    restore(&mut model.vis.quality, "vis.quality.", fields)?;
    restore(&mut model.vis.headlight, "vis.headlight.", fields)?;
    restore(&mut model.vis.map, "vis.map.", fields)?;
    restore(&mut model.vis.scale, "vis.scale.", fields)?;
    restore(&mut model.vis.rgba, "vis.rgba.", fields)?;
    Ok(model)
}

fn required<'py>(fields: &Bound<'py, PyDict>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    fields.get_item(name)?.ok_or_else(|| PyKeyError::new_err(format!("'{name}' is missing")))
}

fn restore<R: Record>(record: &mut R, prefix: &str, fields: &Bound<'_, PyDict>) -> PyResult<()> {
    for field in R::FIELDS {
        if let Some(value) = fields.get_item(format!("{prefix}{}", field.name))? {
            assign(record.field_mut(field.name), &value)?;
        }
    }
    Ok(())
}

/// Copies numbers into a field; bytes into a text.
pub(crate) fn assign(array: ArrayMut<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    fn copy<T: numpy::Element + Copy>(target: &mut [T], value: &Bound<'_, PyAny>) -> PyResult<()>
    where
        for<'a, 'py> PyArrayLikeDyn<'py, T, AllowTypeChange>: FromPyObject<'a, 'py, Error = PyErr>,
    {
        let value: PyArrayLikeDyn<'_, T, AllowTypeChange> = value.extract()?;
        let value = value.as_array();
        if value.len() != target.len() {
            let message = format!("{} numbers given, {} expected", value.len(), target.len());
            return Err(PyValueError::new_err(message));
        }
        target.iter_mut().zip(value.iter()).for_each(|(target, value)| *target = *value);
        Ok(())
    }
    match array {
        ArrayMut::F64(x) => copy(x, value),
        ArrayMut::F32(x) => copy(x, value),
        ArrayMut::I32(x) => copy(x, value),
        ArrayMut::I64(x) => copy(x, value),
        ArrayMut::U8(x) => copy(x, value),
        ArrayMut::Char(x) => match value.extract::<PyBackedBytes>() {
            Ok(bytes) if bytes.len() == x.len() => {
                x.copy_from_slice(&bytes);
                Ok(())
            }
            _ => copy(x, value),
        },
    }
}
