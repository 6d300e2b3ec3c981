//! The memory that a model sets aside for contacts and constraint rows, counted as the reference
//! lays it out: a scene that asks for more loses contacts or rows, with a warning. A model without
//! any has no such limit.

use super::Data;
use crate::model::{Model, Warning};

/// Bytes of a contact.
const CONTACT: usize = 576;

/// Bytes of a constraint row without its Jacobian.
const ROW: usize = 6 * 4 + 14 * 8;

/// Bytes of an entry of a sparse matrix.
const ENTRY: usize = 4 + 8;

impl Data {
    /// Whether there is no room for `count` more contacts; counts a warning if so.
    pub(crate) fn contacts_full(&mut self, model: &Model, count: usize) -> bool {
        let bytes = self.contact.len().saturating_add(count).saturating_mul(CONTACT);
        let full = overflows(model, bytes);
        if full {
            let ncon = self.contact.len();
            self.warn(Warning::ContactFull, ncon);
        }
        full
    }

    /// Bytes that contacts and constraint rows take, with `entries` numbers in the Jacobian.
    pub fn arena_bytes(contacts: usize, rows: usize, entries: usize) -> usize {
        let rows = rows.saturating_mul(ROW).saturating_add(entries.saturating_mul(ENTRY));
        contacts.saturating_mul(CONTACT).saturating_add(rows)
    }

    /// Removes all constraint rows if they do not fit, with a warning. `matrix` is what the dual
    /// problem needs on top, in bytes.
    pub(crate) fn drop_rows_if_full(&mut self, model: &Model, matrix: usize) {
        let bytes = Data::arena_bytes(self.ncon, self.nefc, self.nJ).saturating_add(matrix);
        if overflows(model, bytes) {
            self.clear_efc();
            self.contact.iter_mut().for_each(|contact| contact.efc_address = -1);
            self.warn(Warning::CnstrFull, model.narena);
        }
    }

    /// Counts a warning, and remembers what it was about.
    fn warn(&mut self, warning: Warning, info: usize) {
        let stat = &mut self.warning[warning as usize];
        stat.number = stat.number.saturating_add(1);
        stat.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
    }
}

fn overflows(model: &Model, bytes: usize) -> bool {
    model.narena > 0 && bytes > model.narena
}
