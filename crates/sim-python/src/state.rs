//! Models and data as dictionaries of numbers: pickling, and models made from given arrays.

use numpy::{AllowTypeChange, PyArray1, PyArrayLikeDyn};
use pyo3::exceptions::{PyKeyError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyDict;
use sim_core::data::Contact;
use sim_core::fields::ArrayMut;
use sim_core::{Data, Model, Rows};

use crate::arguments::numbers;
use crate::attributes::{Slot, Struct, copy_array, entries};
use crate::records::Record;

/// Adds every fixed field of `object` to `fields`, each name after `prefix`, as copies.
pub(crate) fn save(
    object: &Bound<'_, Struct>,
    prefix: &str,
    fields: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let (py, object) = (object.py(), object.get());
    for (entry, slot) in entries(object.table).iter().zip(object.slots.iter()) {
        if matches!(slot, Slot::Grown(..)) {
            continue;
        }
        let value = slot.get(py, &object.storage)?;
        match slot {
            Slot::Array { .. } => fields
                .set_item(format!("{prefix}{}", entry.name), value.call_method0(py, "copy")?)?,
            _ => fields.set_item(format!("{prefix}{}", entry.name), value)?,
        }
    }
    Ok(())
}

/// How many contacts, rows and islands there are, in this order.
fn counts(data: &mut Data) -> [&mut usize; 9] {
    let Data { ncon, ne, nf, nl, nefc, nJ, nA, nisland, nidof, .. } = data;
    [ncon, ne, nf, nl, nefc, nJ, nA, nisland, nidof]
}

/// Adds contacts, constraint rows and islands to `fields`.
pub(crate) fn save_rows(py: Python<'_>, data: &Data, fields: &Bound<'_, PyDict>) -> PyResult<()> {
    let mut copy = Data { contact: data.contact.clone(), ..Data::default() };
    let Data { ncon, ne, nf, nl, nefc, nJ, nA, nisland, nidof, .. } = *data;
    fields.set_item("rows.counts", vec![ncon, ne, nf, nl, nefc, nJ, nA, nisland, nidof])?;
    fields.set_item("rows.jacobian", PyArray1::from_vec(py, data.rows.to_numbers()))?;
    for field in Data::FIELDS.iter().filter(|field| field.grown) {
        let array = data.array(field.name).expect("fields of the table are in the table");
        if !array.is_empty() {
            let shape = [array.len()];
            fields.set_item(format!("rows.{}", field.name), copy_array(py, array, &shape)?)?;
        }
    }
    for field in Contact::FIELDS {
        let mut values: Vec<f64> = Vec::new();
        for contact in &mut copy.contact {
            let array = contact.array(field.name).expect("fields of the table are in the table");
            values.extend((0..array.len()).map(|i| array.value(i)));
        }
        fields.set_item(format!("contact.{}", field.name), PyArray1::from_vec(py, values))?;
    }
    Ok(())
}

/// Restores what [`save_rows`] has saved; without it there are no contacts and no rows.
pub(crate) fn restore_rows(fields: &Bound<'_, PyDict>, data: &mut Data) -> PyResult<()> {
    let Some(given) = fields.get_item("rows.counts")? else { return Ok(()) };
    let given: [usize; 9] = given.extract()?;
    let spoiled = || PyValueError::new_err("the constraint rows of the data make no sense");

    let nv = data.qvel.len();
    let [_, ne, nf, nl, nefc, entries, products, islands, island_dofs] = given;
    let rows = ne.saturating_add(nf).saturating_add(nl);
    if rows > nefc
        || entries > nefc.saturating_mul(nv)
        || products > nefc.saturating_mul(nefc)
        || islands.max(island_dofs) > nv
    {
        return Err(spoiled());
    }
    let mut contacts = Vec::new();
    for field in Contact::FIELDS {
        let name = format!("contact.{}", field.name);
        let values: Vec<f64> = required(fields, &name)?.extract()?;
        if Some(values.len()) != given[0].checked_mul(field.width) {
            return Err(spoiled());
        }
        contacts.resize(given[0], Contact::default());
        for (contact, values) in contacts.iter_mut().zip(values.chunks_exact(field.width)) {
            match contact.array_mut(field.name) {
                Some(ArrayMut::F64(to)) => to.copy_from_slice(values),
                Some(ArrayMut::I32(to)) => {
                    to.iter_mut().zip(values).for_each(|(to, from)| *to = *from as i32);
                }
                _ => unreachable!("contacts hold reals and integers"),
            }
        }
    }
    let jacobian: Vec<f64> = required(fields, "rows.jacobian")?.extract()?;
    let rows = Rows::from_numbers(&jacobian, given[4], data.qvel.len()).ok_or_else(spoiled)?;
    for field in Data::FIELDS.iter().filter(|field| field.grown) {
        let Some(value) = fields.get_item(format!("rows.{}", field.name))? else { continue };
        let len = value.len()?;
        let expected = match field.dims {
            ["nefc"] => given[4].checked_mul(field.width),
            _ => Some(len),
        };
        if Some(len) != expected {
            return Err(spoiled());
        }
        data.renew_grown(field.name, len / field.width);
        assign(data.array_mut(field.name).expect("a field of the table"), &value)?;
    }
    data.contact = contacts;
    data.rows = rows;
    counts(data).into_iter().zip(given).for_each(|(count, given)| *count = given);
    Ok(())
}

/// Makes a model from its sizes, options and arrays by name; options that are not given keep their
/// defaults, arrays must be complete.
///
/// The model and its data must not take more than `limit` bytes.
pub(crate) fn model_from(fields: &Bound<'_, PyDict>, limit: usize) -> PyResult<Model> {
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
    model.check_memory(limit).map_err(|error| {
        PyValueError::new_err(format!("the sizes of the model ask for too much: {error}"))
    })?;
    model.arena_limit = limit / 2;
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
        let value = numbers(&value)?;
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
