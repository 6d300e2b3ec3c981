//! `data.contact`: the list of contacts, which changes at each step.

use std::sync::Arc;

use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::PyList;
use sim_core::Data;
use sim_core::data::Contact;
use sim_core::fields::{Array, Field};

use crate::attributes::copy_array;
use crate::raw::Shared;
use crate::records::{Indices, indices};
use crate::state::assign;

fn field(name: &str) -> PyResult<&'static Field> {
    Contact::FIELDS
        .iter()
        .find(|field| field.name == name)
        .ok_or_else(|| PyAttributeError::new_err(format!("a contact has no field '{name}'")))
}

fn sorted_names() -> Vec<&'static str> {
    let mut names: Vec<_> = Contact::FIELDS.iter().map(|field| field.name).collect();
    names.sort_unstable();
    names
}

/// Text that shows the fields of an object, as MuJoCo's package prints structs.
fn show(object: &Bound<'_, PyAny>, class: &str) -> PyResult<String> {
    let mut text = format!("<{class}\n");
    for name in sorted_names() {
        text += &format!("  {name}: {}\n", object.getattr(name)?.repr()?);
    }
    Ok(text + ">")
}

/// The contacts of a simulation: `len`, indexing, and one array per field such as
/// `data.contact.pos`. Arrays are copies, made at each access.
#[pyclass(frozen, sequence, name = "_MjContactList", module = "cortenforge._native")]
pub(crate) struct ContactList(Arc<Shared<Data>>);

impl ContactList {
    pub(crate) fn new(data: Arc<Shared<Data>>) -> ContactList {
        ContactList(data)
    }

    fn item(&self, index: usize) -> MjContact {
        MjContact { data: self.0.clone(), index }
    }
}

#[pymethods]
impl ContactList {
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.0.read()?.contact.len())
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        match indices(key, self.__len__()?)? {
            Indices::One(index) => Ok(Py::new(py, self.item(index))?.into_any()),
            Indices::Many(list) => {
                let items = list.into_iter().map(|index| self.item(index));
                Ok(PyList::new(py, items.collect::<Vec<_>>())?.into_any().unbind())
            }
        }
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = field(name)?;
        let data = self.0.read()?;
        let (mut reals, mut integers) = (Vec::new(), Vec::new());
        for contact in &data.contact {
            match contact.array(name) {
                Some(Array::F64(numbers)) => reals.extend_from_slice(numbers),
                Some(Array::I32(numbers)) => integers.extend_from_slice(numbers),
                _ => unreachable!("contacts hold reals and integers"),
            }
        }
        let shape = [data.contact.len(), field.width];
        let shape = if field.width == 1 { &shape[..1] } else { &shape[..] };
        match field.scalar {
            sim_core::fields::Scalar::F64 => copy_array(py, Array::F64(&reals), shape),
            _ => copy_array(py, Array::I32(&integers), shape),
        }
    }

    fn __dir__(&self) -> Vec<&'static str> {
        sorted_names()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        show(slf.as_any(), "_MjContactList")
    }
}

/// One contact: of a simulation, or by itself. Array fields are copies; setting a field writes to
/// the simulation.
#[pyclass(frozen, module = "cortenforge")]
pub(crate) struct MjContact {
    /// Where the contact is: in a list, at `index`.
    data: Arc<Shared<Data>>,
    index: usize,
}

fn gone() -> PyErr {
    PyIndexError::new_err("the contact no longer exists")
}

impl MjContact {
    /// The values of the contact.
    pub(crate) fn values(&self) -> PyResult<Contact> {
        self.data.read()?.contact.get(self.index).copied().ok_or_else(gone)
    }
}

#[pymethods]
impl MjContact {
    #[new]
    fn new() -> MjContact {
        // a contact by itself is the only one of data that has nothing else
        let data = Data { contact: vec![Contact::default()], ..Data::default() };
        MjContact { data: Shared::new(data), index: 0 }
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = field(name)?;
        let contact = self.values()?;
        let array = contact.array(name).expect("fields of the table are in the table");
        copy_array(py, array, &field.shape(array.len(), |_| 0))
    }

    fn __setattr__(&self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        field(name)?;
        // Python code may run while the value is converted: do that on a copy
        let mut contact = self.values()?;
        assign(contact.array_mut(name).expect("fields of the table are in the table"), value)?;
        let mut data = self.data.write()?;
        *data.contact.get_mut(self.index).ok_or_else(gone)? = contact;
        Ok(())
    }

    fn __dir__(&self) -> Vec<&'static str> {
        sorted_names()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        show(slf.as_any(), "MjContact")
    }
}

/// The fields of a contact, for the type stub.
pub(crate) fn fields() -> &'static [Field] {
    Contact::FIELDS
}
