//! The arena: the memory that a model sets aside for contacts and constraint rows, counted as the
//! reference lays it out. A scene that asks for more, or for more than the system has, loses contacts
//! or rows, with a warning. `arena_limit` of the model bounds what `narena` says.

use super::{Contact, Data};
use crate::memory::{ARENA_LIMIT, check_available, reserve};
use crate::model::{Model, Warning};

/// Bytes of a contact.
const CONTACT: usize = 576;

/// Bytes of a constraint row without its Jacobian.
const ROW: usize = 6 * 4 + 14 * 8;

/// Bytes of an entry of a sparse matrix.
pub(crate) const ENTRY: usize = 4 + 8;

/// Contacts up to which memory is no question.
const FEW_CONTACTS: usize = 2000;

/// Bytes that the process takes, about, for the rows of a contact and their solution.
const SOLVED_CONTACT: usize = 2 << 10;

impl Data {
    /// Whether there is no room for `count` more contacts; counts a warning if so.
    #[inline]
    pub(crate) fn contacts_full(&mut self, model: &Model, count: usize) -> bool {
        let bytes = self.contact.len().saturating_add(count).saturating_mul(CONTACT);
        let full = bytes > model.arena() || !reserve(&mut self.contact, count);
        if full {
            self.warn_contacts_full();
        }
        full
    }

    /// Counts a warning about contacts that were left out.
    #[cold]
    pub(crate) fn warn_contacts_full(&mut self) {
        self.warn(Warning::ContactFull, self.contact.len());
    }

    /// Bytes that contacts and constraint rows take, with `entries` numbers in the Jacobian.
    pub fn arena_bytes(contacts: usize, rows: usize, entries: usize) -> usize {
        let rows = rows.saturating_mul(ROW).saturating_add(entries.saturating_mul(ENTRY));
        contacts.saturating_mul(CONTACT).saturating_add(rows)
    }

    /// Removes all constraint rows if they do not fit, with a warning. `matrix` is what the dual
    /// problem needs on top, in bytes.
    pub(crate) fn drop_rows_if_full(&mut self, model: &Model, matrix: usize) {
        if self.arena_left(model).is_none_or(|left| left < matrix) {
            self.drop_rows(model);
        }
    }

    /// Removes all constraint rows, with a warning: there is no room for them.
    #[cold]
    pub(crate) fn drop_rows(&mut self, model: &Model) {
        self.clear_efc();
        self.contact.iter_mut().for_each(|contact| contact.efc_address = -1);
        self.warn(Warning::CnstrFull, model.narena);
    }

    /// Bytes of the arena that contacts and rows leave; none if they take more than there is.
    pub(crate) fn arena_left(&self, model: &Model) -> Option<usize> {
        model.arena().checked_sub(Data::arena_bytes(self.ncon, self.nefc, self.nJ))
    }

    /// Whether there is room for the rows of all contacts. Looks before the rows are made, and only
    /// where there are many.
    pub(crate) fn contact_rows_fit(&self, model: &Model) -> bool {
        self.contact.len() <= FEW_CONTACTS || self.many_contact_rows_fit(model)
    }

    #[cold]
    fn many_contact_rows_fit(&self, model: &Model) -> bool {
        let of_contact = |contact: &Contact| 2 * contact.dim.clamp(1, 6) as usize;
        let rows = self.nefc + self.contact.iter().map(of_contact).sum::<usize>();
        // of pyramids, a contact has two less; widths are not known yet
        let least = rows.saturating_sub(2 * self.contact.len());
        if Data::arena_bytes(self.contact.len(), least, 0) > model.arena() {
            return false;
        }
        let grows = self.rows.blocks.capacity() < self.contact.len();
        !grows || check_available(self.contact.len() * SOLVED_CONTACT + rows * ROW).is_ok()
    }

    /// Counts a warning, and remembers what it was about.
    fn warn(&mut self, warning: Warning, info: usize) {
        let stat = &mut self.warning[warning as usize];
        stat.number = stat.number.saturating_add(1);
        stat.lastinfo = i32::try_from(info).unwrap_or(i32::MAX);
    }
}

impl Model {
    /// Bytes that contacts and constraint rows may take.
    #[inline]
    pub(crate) fn arena(&self) -> usize {
        let limit = if self.arena_limit > 0 { self.arena_limit } else { ARENA_LIMIT };
        if self.narena > 0 { self.narena.min(limit) } else { limit }
    }

    /// Pairs of overlapping bounding volumes that are looked at in a step: several times as many as
    /// contacts have room for. A pair takes about 50 bytes in the lists of the broad phase.
    pub(crate) fn most_pairs(&self) -> usize {
        (self.arena() / 128).max(1 << 20)
    }
}
