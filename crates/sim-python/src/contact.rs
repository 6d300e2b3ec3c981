//! `data.contact`: the list of contacts, which changes at each step.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice};
use sim_core::data::Contact;
use sim_core::fields::{ArrayMut, Field};

use crate::attributes::{copy_array, fill};
use crate::records::{Indices, indices};
use crate::simulation::{Simulation, Source};

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
fn show(object: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = format!("<{}\n", object.get_type().name()?);
    for name in sorted_names() {
        text += &format!("  {name}: {}\n", object.getattr(name)?.repr()?);
    }
    Ok(text + ">")
}

/// The contacts of a simulation: `len`, indexing, and one array per field such as
/// `data.contact.pos`. Arrays show the contacts until the data changes.
#[pyclass(frozen, sequence, weakref, name = "_MjContactList", module = "cortenforge._native")]
pub(crate) struct ContactList {
    data: Arc<Simulation>,
    /// The objects of single contacts that were asked for.
    items: Mutex<HashMap<usize, Py<MjContact>>>,
    /// Which contacts are listed; none for all that there are.
    picked: Option<Vec<usize>>,
}

impl ContactList {
    pub(crate) fn new(data: Arc<Simulation>) -> ContactList {
        ContactList { data, items: Mutex::default(), picked: None }
    }

    /// The contacts that are listed.
    fn contacts(&self) -> PyResult<Vec<Contact>> {
        let data = self.data.read()?;
        match &self.picked {
            None => Ok(data.contact.clone()),
            Some(picked) => {
                let contact = |&i: &usize| data.contact.get(i).copied().ok_or_else(gone);
                picked.iter().map(contact).collect()
            }
        }
    }

    /// Whether the contacts that are listed are those of a range.
    fn picked_is(&self, range: std::ops::RangeInclusive<usize>) -> bool {
        self.picked.as_ref().is_some_and(|picked| range.eq(picked.iter().copied()))
    }

    fn item(&self, py: Python<'_>, index: usize) -> PyResult<Py<MjContact>> {
        let mut items = self.items.lock().expect("nothing panics with the lock");
        if let Some(item) = items.get(&index) {
            return Ok(item.clone_ref(py));
        }
        let item = Py::new(py, MjContact { data: self.data.clone(), index })?;
        items.insert(index, item.clone_ref(py));
        Ok(item)
    }
}

#[pymethods]
impl ContactList {
    fn __len__(&self) -> PyResult<usize> {
        match &self.picked {
            Some(picked) => Ok(picked.len()),
            None => Ok(self.data.read()?.contact.len()),
        }
    }

    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let place = |i: usize| self.picked.as_ref().map_or(i, |picked| picked[i]);
        match indices(key, self.__len__()?)? {
            Indices::One(index) => Ok(self.item(py, place(index))?.into_any()),
            Indices::Many(list) => {
                let picked = Some(list.into_iter().map(place).collect());
                let part = ContactList { data: self.data.clone(), items: Mutex::default(), picked };
                Ok(Py::new(py, part)?.into_any())
            }
        }
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column = self.data.lend_column(Source::Contact(field(name)?))?;
        let all = column.view(py, column.buffer.place)?;
        match self.picked.as_deref() {
            None => Ok(all),
            // neighbours are shown where they are, others are copied
            Some(&[first, .., last]) if self.picked_is(first..=last) => {
                all.get_item(PySlice::new(py, first as isize, last as isize + 1, 1))
            }
            Some(picked) => all.get_item(PyList::new(py, picked)?),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<ContactList>() else { return Ok(false) };
        let other = other.get();
        if std::ptr::eq(self, other) {
            return Ok(true);
        }
        Ok(self.contacts()? == other.contacts()?)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        sorted_names()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        show(slf.as_any())
    }
}

/// One contact: of a simulation, or by itself. Setting a field writes to the simulation, and so does
/// writing to an array.
#[pyclass(frozen, subclass, weakref, module = "cortenforge")]
pub(crate) struct MjContact {
    /// Where the contact is: in a list, at `index`.
    data: Arc<Simulation>,
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
        let mut contact = Contact::default();
        for field in Contact::FIELDS {
            match contact.array_mut(field.name) {
                Some(ArrayMut::F64(numbers)) => numbers.fill(0.0),
                Some(ArrayMut::I32(numbers)) => numbers.fill(0),
                _ => unreachable!("contacts hold reals and integers"),
            }
        }
        MjContact { data: Simulation::of_contact(contact), index: 0 }
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let field = field(name)?;
        if field.width == 1 {
            let contact = self.values()?;
            let array = contact.array(name).expect("fields of the table are in the table");
            return copy_array(py, array, &[]);
        }
        let column = self.data.lend_column(Source::Contact(field))?;
        column.view(py, column.buffer.place.row(self.index).ok_or_else(gone)?)
    }

    fn __setattr__(&self, py: Python<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let field = field(name)?;
        let column = self.data.lend_column(Source::Contact(field))?;
        if !column.writable {
            // says why
            self.data.write()?;
        }
        let place = column.buffer.place;
        match field.width {
            1 => place.element(self.index).ok_or_else(gone)?.set(value),
            _ => fill(&column.view(py, place.row(self.index).ok_or_else(gone)?)?, value),
        }
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        if !slf.get_type().is(other.get_type()) {
            return Ok(false);
        }
        Ok(slf.get().values()? == other.cast::<MjContact>()?.get().values()?)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let class = slf.get_type();
        let copy = class.call_method1("__new__", (&class,))?;
        let contact = slf.get().values()?;
        copy.cast::<MjContact>()?.get().data.write()?.contact[0] = contact;
        Ok(copy)
    }

    fn __deepcopy__<'py>(
        slf: &Bound<'py, Self>,
        _memo: &Bound<'_, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        MjContact::__copy__(slf)
    }

    fn __dir__(&self) -> Vec<&'static str> {
        sorted_names()
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        show(slf.as_any())
    }
}

/// The fields of a contact, for the type stub.
pub(crate) fn fields() -> &'static [Field] {
    Contact::FIELDS
}
