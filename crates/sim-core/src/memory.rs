//! How much memory models and simulations may take, and allocations that may fail.
//!
//! A failed allocation of a `Vec` ends the process. Whatever is as large as a file, a table or a
//! scene says is therefore asked for here first, and refused with words:
//!
//! - the arrays of a model and of its data, when the model is made ([`Model::check_memory`]) and
//!   when the data is ([`Data::try_new`]);
//! - contacts, constraint rows and the matrices of the solvers, during a step: they share the
//!   arena of the model, `narena` bytes but no more than `arena_limit`, and what does not fit is
//!   left out with a warning.
//!
//! Loaders take another limit than [`LIMIT`] from their caller.

use std::fmt;

use crate::fields::{Field, Scalar};
use crate::{Data, Model};

/// Bytes that the arrays of a model and of its data may take together, unless the user allows more.
pub const LIMIT: usize = 1 << 30;

/// Bytes of the arena at most, unless the user allows more: the process takes about 1.6 times as
/// much for what the arena counts.
pub const ARENA_LIMIT: usize = LIMIT / 2;

/// A number of bytes that is not to be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MemoryError {
    /// Bytes that were asked for.
    pub asked: usize,
    /// Bytes that are allowed; none if the system has refused.
    pub limit: Option<usize>,
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            Some(limit) => {
                write!(f, "{} are asked for, {} allowed", Bytes(self.asked), Bytes(limit))
            }
            None => write!(f, "the system has no {} of memory left", Bytes(self.asked)),
        }
    }
}

impl std::error::Error for MemoryError {}

/// A number of bytes, for people.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes < 10 << 10 => write!(f, "{bytes} bytes"),
            bytes if bytes < 10 << 20 => write!(f, "{} KiB", bytes >> 10),
            bytes => write!(f, "{} MiB", bytes >> 20),
        }
    }
}

/// The number of bytes that a text says: digits, then `K`, `M`, `G` or nothing.
pub fn parse_bytes(text: &str) -> Option<usize> {
    let text = text.trim();
    let (digits, unit) = match text.char_indices().last()? {
        (at, 'K' | 'k') => (&text[..at], 1 << 10),
        (at, 'M' | 'm') => (&text[..at], 1 << 20),
        (at, 'G' | 'g') => (&text[..at], 1 << 30),
        _ => (text, 1),
    };
    digits.trim().parse::<usize>().ok()?.checked_mul(unit)
}

/// Bytes that are to be left for whatever is small. Allocators treat blocks below 32 MiB in other
/// ways once they have met larger ones, so a trial is always above that.
const SPARE: usize = 33 << 20;

/// Checks that the system has `bytes` of memory and some to spare, by asking for them and giving
/// them back. They are only reserved meanwhile, not touched.
pub fn check_available(bytes: usize) -> Result<(), MemoryError> {
    let mut trial: Vec<u8> = Vec::new();
    let trial_bytes = bytes.saturating_add(SPARE);
    trial.try_reserve_exact(trial_bytes).map_err(|_| MemoryError { asked: bytes, limit: None })?;
    // the optimiser may not leave it out
    std::hint::black_box(&mut trial);
    Ok(())
}

/// Makes room for `more` elements, growing by half at least; false if there is none.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> bool {
    const SMALL: usize = 1 << 20;
    if list.capacity() - list.len() >= more {
        return true;
    }
    let bytes = list.len().saturating_add(more).saturating_mul(size_of::<T>());
    if bytes > SMALL && check_available(bytes).is_err() {
        return false;
    }
    list.try_reserve(more.max(list.len() / 2)).is_ok() || list.try_reserve_exact(more).is_ok()
}

/// Adds an element; false if there is no room for it.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, element: T) -> bool {
    let fits = list.len() < list.capacity() || reserve(list, 1);
    if fits {
        list.push(element);
    }
    fits
}

/// Bytes of one array of a table.
fn array_bytes(field: &Field, model: &Model) -> usize {
    let scalar = match field.scalar {
        Scalar::F64 | Scalar::I64 => 8,
        Scalar::F32 | Scalar::I32 => 4,
        Scalar::U8 | Scalar::Char => 1,
    };
    let size = |dim: &&str| model.size(dim).unwrap_or(0);
    field.dims.iter().map(size).fold(scalar * field.width, usize::saturating_mul)
}

impl Model {
    /// Bytes of the arrays that the sizes of the model ask for.
    pub fn memory(&self) -> usize {
        Model::FIELDS.iter().map(|field| array_bytes(field, self)).fold(0, usize::saturating_add)
    }

    /// Bytes of the arrays of fixed length that a simulation of the model needs.
    pub fn data_memory(&self) -> usize {
        // scratch space: some numbers per body, joint, dof and tendon
        const SCRATCH: usize = 1 << 10;
        let objects = [self.nbody, self.njnt, self.nv, self.nu, self.na, self.ntendon];
        let scratch = objects.iter().fold(0_usize, |sum, &n| sum.saturating_add(n));
        let fixed = Data::FIELDS.iter().filter(|field| !field.grown);
        fixed
            .map(|field| array_bytes(field, self))
            .fold(scratch.saturating_mul(SCRATCH).saturating_add(1 << 20), usize::saturating_add)
    }

    /// Checks that the model and the data of one simulation take no more than `limit` bytes, and
    /// that the system has them. Looks at the sizes only, which need no arrays yet.
    pub fn check_memory(&self, limit: usize) -> Result<(), MemoryError> {
        let asked = self.memory().saturating_add(self.data_memory());
        if asked > limit {
            return Err(MemoryError { asked, limit: Some(limit) });
        }
        check_available(asked)
    }
}

impl Data {
    /// [`Data::new`], or an error if the system has not enough memory.
    pub fn try_new(model: &Model) -> Result<Data, MemoryError> {
        check_available(model.data_memory())?;
        Ok(Data::new(model))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_any_kind_are_no_overflow() {
        let model = Model { nuserdata: usize::MAX, nbody: usize::MAX, ..Model::default() };
        let error = model.check_memory(LIMIT).unwrap_err();
        assert_eq!((error.asked, error.limit), (usize::MAX, Some(LIMIT)));
        assert!(error.to_string().ends_with("1024 MiB allowed"), "{error}");
        let error = check_available(usize::MAX / 2).unwrap_err();
        assert_eq!(error.limit, None);
    }

    #[test]
    fn bytes_are_read_with_their_units() {
        assert_eq!(parse_bytes("12"), Some(12));
        assert_eq!(parse_bytes(" 3 G"), Some(3 << 30));
        assert_eq!(parse_bytes("5k"), Some(5 << 10));
        for text in ["", "G", "-1", "1T", "99999999999999G", "x"] {
            assert_eq!(parse_bytes(text), None, "{text}");
        }
    }

    #[test]
    fn a_list_makes_room_for_what_it_is_asked() {
        let mut list: Vec<u64> = Vec::new();
        assert!(reserve(&mut list, 100) && list.capacity() >= 100);
        assert!(!reserve(&mut list, usize::MAX / 16));
        assert!(list.capacity() < 1000);
    }

    #[test]
    fn the_estimate_covers_the_arrays_of_the_data() {
        let model = Model { nbody: 3, nv: 7, nq: 8, ..Model::default() };
        let data = Data { ..Data::default() };
        assert!(model.data_memory() > size_of_val(&data));
    }
}
