//! The data of a simulation, and the arrays of changing length that Python holds of it.
//!
//! Contacts and constraint rows move in memory from step to step, so Python cannot look at them in
//! place. It gets a loan instead: a buffer with a copy, which `data.contact.pos` and
//! `data.contact[3].pos` both show. What Python has written to a loan is taken over whenever the
//! engine next looks at the data, and loans end when the engine changes it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use pyo3::prelude::*;
use sim_core::Data;
use sim_core::data::Contact;
use sim_core::fields::{Array, Field};

use crate::raw::{Buffer, Place, Reading, Shared, Storage, Writing};

/// The data of a simulation at a fixed address. Rust enters through guards, as with [`Shared`].
pub(crate) struct Simulation {
    shared: Arc<Shared<Data>>,
    loans: Mutex<Vec<Loan>>,
    /// Whether there are loans.
    any: AtomicBool,
}

/// What a loan is a copy of.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source {
    /// An array of the data that changes its length.
    Field(&'static Field),
    /// A field of all contacts, one row each.
    Contact(&'static Field),
}

struct Loan {
    source: Source,
    buffer: Arc<Buffer>,
}

/// A column of numbers that Python looks at.
pub(crate) struct Column {
    pub(crate) buffer: Arc<Buffer>,
    /// Whether what is written to it reaches the data.
    pub(crate) writable: bool,
}

impl Column {
    /// A numpy array of the numbers at `place`, which is inside the buffer.
    pub(crate) fn view<'py>(&self, py: Python<'py>, place: Place) -> PyResult<Bound<'py, PyAny>> {
        let array = place.view(py, &Storage::new(py, &self.buffer)?);
        if !self.writable {
            array.call_method1("setflags", (false,))?;
        }
        Ok(array)
    }
}

impl Source {
    fn name(self) -> (&'static str, bool) {
        match self {
            Source::Field(field) => (field.name, false),
            Source::Contact(field) => (field.name, true),
        }
    }

    /// Copies the numbers as they are now.
    fn copy(self, data: &Data) -> Arc<Buffer> {
        match self {
            Source::Field(field) => {
                let array = data.array(field.name).expect("fields of the table are in the table");
                Buffer::new(array, &field.shape(array.len(), |_| 0))
            }
            Source::Contact(field) => {
                let (mut reals, mut integers) = (Vec::new(), Vec::new());
                for contact in &data.contact {
                    match contact.array(field.name) {
                        Some(Array::F64(numbers)) => reals.extend_from_slice(numbers),
                        Some(Array::I32(numbers)) => integers.extend_from_slice(numbers),
                        _ => unreachable!("contacts hold reals and integers"),
                    }
                }
                let shape = [data.contact.len(), field.width];
                let shape = if field.width == 1 { &shape[..1] } else { &shape[..] };
                match field.scalar {
                    sim_core::fields::Scalar::F64 => Buffer::new(Array::F64(&reals), shape),
                    _ => Buffer::new(Array::I32(&integers), shape),
                }
            }
        }
    }
}

impl Loan {
    /// Takes over what was written to the loan.
    fn settle(&self, data: &mut Data) {
        let place = &self.buffer.place;
        match self.source {
            Source::Field(field) => {
                if let Some(array) = data.array_mut(field.name)
                    && place.len() == crate::raw::array_len(&array)
                {
                    place.copy_to(array);
                }
            }
            Source::Contact(field) => {
                if place.len() == data.contact.len() * field.width {
                    for (i, contact) in data.contact.iter_mut().enumerate() {
                        let row = place.slice(i, 1).expect("one row per contact");
                        row.copy_to(
                            contact.array_mut(field.name).expect("fields are in the table"),
                        );
                    }
                }
            }
        }
    }
}

impl Simulation {
    pub(crate) fn new(data: Data) -> Arc<Simulation> {
        let (loans, any) = (Mutex::new(Vec::new()), AtomicBool::new(false));
        Arc::new(Simulation { shared: Shared::new(data), loans, any })
    }

    /// One contact by itself.
    pub(crate) fn of_contact(contact: Contact) -> Arc<Simulation> {
        Simulation::new(Data { contact: vec![contact], ncon: 1, ..Data::default() })
    }

    /// Enters to read; an error while someone writes.
    pub(crate) fn read(&self) -> PyResult<Reading<'_, Data>> {
        self.settle(false)?;
        self.shared.read()
    }

    /// Enters to write; an error while anyone else is inside. Loans end.
    pub(crate) fn write(&self) -> PyResult<Writing<'_, Data>> {
        self.settle(true)?;
        self.shared.write()
    }

    /// Takes over what was written to loans; those that nobody holds any more end, and all if the
    /// data is about to change.
    fn settle(&self, end: bool) -> PyResult<()> {
        if !self.any.load(Ordering::Relaxed) {
            return Ok(());
        }
        let mut data = self.shared.write()?;
        let mut loans = self.loans.lock().expect("nothing panics with the lock");
        loans.iter().for_each(|loan| loan.settle(&mut data));
        loans.retain(|loan| !end && Arc::strong_count(&loan.buffer) > 1);
        self.any.store(!loans.is_empty(), Ordering::Relaxed);
        Ok(())
    }

    /// Lends the numbers of `source`, the same ones until the data changes. A callback that may not
    /// change the data gets a copy that it cannot write to.
    pub(crate) fn lend_column(&self, source: Source) -> PyResult<Column> {
        let mut loans = self.loans.lock().expect("nothing panics with the lock");
        if let Some(loan) = loans.iter().find(|loan| loan.source.name() == source.name()) {
            return Ok(Column { buffer: loan.buffer.clone(), writable: true });
        }
        let writable = self.shared.write().is_ok();
        let buffer = source.copy(&*self.shared.read()?);
        if writable {
            loans.push(Loan { source, buffer: buffer.clone() });
            self.any.store(true, Ordering::Relaxed);
        }
        Ok(Column { buffer, writable })
    }

    /// Whether the data is lent by this thread, which then is inside a callback.
    pub(crate) fn is_lent_here(&self) -> bool {
        self.shared.is_lent_here()
    }

    /// Lets this thread in while `call` runs, through `data`: the reference of the one writer.
    pub(crate) fn lend<R>(&self, data: &mut Data, call: impl FnOnce() -> R) -> R {
        self.shared.lend(data, || {
            let result = call();
            // the engine goes on without asking for the data again
            self.settle(true).expect("the callback is over");
            result
        })
    }

    /// Lets this thread in to read while `call` runs, through `data`: a reference of the one writer.
    pub(crate) fn lend_to_read<R>(&self, data: &Data, call: impl FnOnce() -> R) -> R {
        self.shared.lend_to_read(data, call)
    }

    /// Where the data is.
    pub(crate) fn address(&self) -> usize {
        std::ptr::from_ref(&*self.shared).addr()
    }
}
