//! What was made of a file before.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// By a hash of the settings and of some of the bytes.
    entries: BTreeMap<u64, Vec<Entry<S, T>>>,
    bytes: usize,
    /// Counts insertions and uses.
    clock: u64,
}

#[derive(Debug)]
struct Entry<S, T> {
    source: Arc<Source<S>>,
    result: Arc<T>,
    bytes: usize,
    used: u64,
}

#[derive(Debug)]
struct Source<S> {
    file: Vec<u8>,
    settings: S,
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

    /// Returns the result for a file: the one of before, or a new one. The bytes of the file are
    /// taken over if they are new; otherwise the caller can use their memory again.
    pub(crate) fn get<E>(
        &self,
        file: &mut Vec<u8>,
        settings: S,
        make: impl FnOnce(&[u8], &S) -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let key = hash(file, &settings);
        // files are compared while others may look up theirs
        let known = self.entries().candidates(key);
        let same = |source: &Source<S>| source.settings == settings && source.file == *file;
        if let Some((_, result)) = known.into_iter().find(|(source, _)| same(source)) {
            return Ok(result);
        }
        let result = Arc::new(make(file, &settings)?);
        let mut file = std::mem::take(file);
        file.shrink_to_fit();
        let bytes = file.len() + result.bytes();
        let source = Arc::new(Source { file, settings });
        self.entries().insert(key, Entry { source, result: result.clone(), bytes, used: 0 });
        Ok(result)
    }

    fn entries(&self) -> MutexGuard<'_, Entries<S, T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: PartialEq, T> Entries<S, T> {
    /// What is kept under a key.
    fn candidates(&mut self, key: u64) -> Vec<(Arc<Source<S>>, Arc<T>)> {
        self.clock += 1;
        let entries = self.entries.get_mut(&key).map_or(&mut [][..], Vec::as_mut_slice);
        let used = |entry: &mut Entry<S, T>| {
            entry.used = self.clock;
            (entry.source.clone(), entry.result.clone())
        };
        entries.iter_mut().map(used).collect()
    }

    /// Adds a result, and drops those that were not used for longest until there is room.
    fn insert(&mut self, key: u64, entry: Entry<S, T>) {
        if entry.bytes > MAX_BYTES {
            return;
        }
        self.clock += 1;
        self.bytes += entry.bytes;
        self.entries.entry(key).or_default().push(Entry { used: self.clock, ..entry });
        while self.bytes > MAX_BYTES {
            let oldest = |(_, entries): &(&u64, &Vec<Entry<S, T>>)| {
                entries.iter().map(|entry| entry.used).min()
            };
            let Some((&key, _)) = self.entries.iter().min_by_key(oldest) else { break };
            let dropped = self.entries.remove(&key).unwrap_or_default();
            self.bytes -= dropped.iter().map(|entry| entry.bytes).sum::<usize>();
        }
    }
}

/// Mixes settings, the length of a file and words from all over it into 64 bits.
fn hash(file: &[u8], settings: &impl Settings) -> u64 {
    const PRIME: u64 = 0x9E37_79B9_7F4A_7C15;
    const SAMPLES: usize = 256;
    let mix = |hash: u64, word: u64| (hash ^ word).wrapping_mul(PRIME).rotate_left(29);
    let (words, rest) = file.as_chunks::<8>();
    let step = words.len().div_ceil(SAMPLES).max(1);
    let samples = words.iter().step_by(step).map(|word| u64::from_le_bytes(*word));
    let hash = samples.fold(file.len() as u64, mix);
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
        assert_eq!(*cache.get(&mut file.to_vec(), settings, make).unwrap(), result);
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
    fn files_that_differ_between_the_words_of_the_key_are_told_apart() {
        let cache = Cache::new();
        let mut file = vec![7; 100_000];
        assert!(made(&cache, &file, 1, 10));
        file[12_345] = 8;
        assert!(made(&cache, &file, 1, 11));
        assert!(!made(&cache, &file, 1, 11));
        file[12_345] = 7;
        assert!(!made(&cache, &file, 1, 10));
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
