//! What was made of a file before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of files and of what was made of them, at most.
const MAX_BYTES: usize = 256 << 20;

/// Results by what they are a function of: the bytes of a file, and settings.
///
/// A result is a pure function of these, and they are compared in full, so nothing but time depends
/// on what is found here.
#[derive(Debug)]
pub(crate) struct Cache<S, T>(Mutex<Entries<S, T>>);

#[derive(Debug)]
struct Entries<S, T> {
    /// By a hash of the bytes and the settings.
    entries: BTreeMap<u64, Entry<S, T>>,
    bytes: usize,
    /// Counts insertions and uses.
    clock: u64,
}

#[derive(Debug)]
struct Entry<S, T> {
    file: Vec<u8>,
    settings: S,
    result: Arc<T>,
    bytes: usize,
    used: u64,
}

/// Settings that can be hashed: numbers that equal settings share.
pub(crate) trait Settings: PartialEq {
    fn numbers(&self) -> impl Iterator<Item = u64>;
}

/// A result that knows how many bytes it takes.
pub(crate) trait Weighty {
    fn bytes(&self) -> usize;
}

impl<S: Settings, T: Weighty> Cache<S, T> {
    pub(crate) const fn new() -> Cache<S, T> {
        Cache(Mutex::new(Entries { entries: BTreeMap::new(), bytes: 0, clock: 0 }))
    }

    /// Returns the result for a file: the one of before, or a new one.
    pub(crate) fn get<E>(
        &self,
        file: Vec<u8>,
        settings: S,
        make: impl FnOnce(&[u8], &S) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let key = hash(&file, &settings);
        if let Some(result) = self.entries().find(key, &file, &settings) {
            return Ok(result);
        }
        let result = Arc::new(make(&file, &settings)?);
        let bytes = file.len() + result.bytes();
        let entry = Entry { file, settings, result: result.clone(), bytes, used: 0 };
        self.entries().insert(key, entry);
        Ok(result)
    }

    fn entries(&self) -> std::sync::MutexGuard<'_, Entries<S, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: PartialEq, T> Entries<S, T> {
    fn find(&mut self, key: u64, file: &[u8], settings: &S) -> Option<Arc<T>> {
        self.clock += 1;
        let entry = self.entries.get_mut(&key)?;
        if entry.settings != *settings || entry.file != file {
            return None;
        }
        entry.used = self.clock;
        Some(entry.result.clone())
    }

    /// Adds a result, and drops those that were not used for longest until there is room.
    fn insert(&mut self, key: u64, entry: Entry<S, T>) {
        if entry.bytes > MAX_BYTES {
            return;
        }
        self.clock += 1;
        self.bytes += entry.bytes;
        let old = self.entries.insert(key, Entry { used: self.clock, ..entry });
        self.bytes -= old.map_or(0, |old| old.bytes);
        while self.bytes > MAX_BYTES {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
            let Some(key) = oldest.map(|(key, _)| *key) else { break };
            self.bytes -= self.entries.remove(&key).map_or(0, |old| old.bytes);
        }
    }
}

/// Mixes a file and settings into 64 bits.
fn hash(file: &[u8], settings: &impl Settings) -> u64 {
    const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(29);
    // four independent chains, which run at the same time
    let (blocks, rest) = file.as_chunks::<32>();
    let mut chains = [1u64, 2, 3, 4];
    for block in blocks {
        for (chain, word) in chains.iter_mut().zip(block.as_chunks::<8>().0) {
            *chain = mix(*chain, u64::from_le_bytes(*word));
        }
    }
    let hash = chains.into_iter().fold(file.len() as u64, mix);
    let hash = rest.iter().fold(hash, |hash, &byte| mix(hash, byte.into()));
    settings.numbers().fold(hash, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Settings for u64 {
        fn numbers(&self) -> impl Iterator<Item = u64> {
            std::iter::once(*self)
        }
    }

    impl Weighty for usize {
        fn bytes(&self) -> usize {
            *self
        }
    }

    /// Asks for a result, and says whether it had to be made.
    fn made(cache: &Cache<u64, usize>, file: &[u8], settings: u64, result: usize) -> bool {
        let mut made = false;
        let make = |_: &[u8], _: &u64| -> Result<usize, ()> {
            made = true;
            Ok(result)
        };
        assert_eq!(*cache.get(file.to_vec(), settings, make).unwrap(), result);
        made
    }

    #[test]
    fn the_same_bytes_and_settings_are_found_again() {
        let cache = Cache::new();
        assert!(made(&cache, b"file", 1, 10));
        assert!(!made(&cache, b"file", 1, 10));
        assert!(made(&cache, b"file", 2, 11));
        assert!(made(&cache, b"File", 1, 12));
        assert!(!made(&cache, b"file", 2, 11));
    }

    #[test]
    fn what_was_not_used_for_longest_makes_room() {
        let cache = Cache::new();
        let half = MAX_BYTES / 2 - 10;
        assert!(made(&cache, b"a", 0, half));
        assert!(made(&cache, b"b", 0, half));
        assert!(!made(&cache, b"a", 0, half));
        assert!(made(&cache, b"c", 0, half));
        assert!(!made(&cache, b"a", 0, half));
        assert!(made(&cache, b"b", 0, half));
        // what is too large is not kept
        assert!(made(&cache, b"d", 0, MAX_BYTES));
        assert!(made(&cache, b"d", 0, MAX_BYTES));
    }
}
