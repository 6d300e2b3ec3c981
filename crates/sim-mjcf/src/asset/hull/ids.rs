//! Short lists of ids, stored in place while they are short.

use std::ops::{Deref, DerefMut};

/// A list of ids whose first `N` need no allocation.
///
/// A list that has outgrown its place stays on the heap until it is cleared. Two kinds of deletion
/// are told apart, because the order of neighbours decides the order of the output:
/// [`Ids::swap_delete`] moves the last id into the gap, [`Ids::delete`] keeps the order.
#[derive(Debug, Clone)]
pub(super) struct Ids<const N: usize> {
    place: [u32; N],
    len: u32,
    heap: Vec<u32>,
}

impl<const N: usize> Default for Ids<N> {
    fn default() -> Self {
        Self { place: [0; N], len: 0, heap: Vec::new() }
    }
}

impl<const N: usize> Deref for Ids<N> {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        if self.heap.is_empty() { &self.place[..self.len as usize] } else { &self.heap }
    }
}

impl<const N: usize> DerefMut for Ids<N> {
    fn deref_mut(&mut self) -> &mut [u32] {
        if self.heap.is_empty() { &mut self.place[..self.len as usize] } else { &mut self.heap }
    }
}

impl<const N: usize> Ids<N> {
    /// Empties the list and keeps its room.
    pub(super) fn clear(&mut self) {
        self.len = 0;
        self.heap.clear();
    }

    /// Replaces the contents.
    pub(super) fn set(&mut self, ids: &[u32]) {
        self.clear();
        for &id in ids {
            self.push(id);
        }
    }

    /// Appends `id`.
    pub(super) fn push(&mut self, id: u32) {
        let len = self.len as usize;
        if !self.heap.is_empty() {
            self.heap.push(id);
        } else if len < N {
            self.place[len] = id;
            self.len += 1;
        } else {
            self.heap.reserve(2 * N + 4);
            self.heap.extend_from_slice(&self.place);
            self.heap.push(id);
            self.len = 0;
        }
    }

    /// Inserts `id` before position `at`.
    pub(super) fn insert(&mut self, at: usize, id: u32) {
        self.push(id);
        self[at..].rotate_right(1);
    }

    /// Removes the id at `at`; the last id takes its place.
    pub(super) fn swap_remove(&mut self, at: usize) {
        let last = self.len() - 1;
        self.swap(at, last);
        self.pop();
    }

    /// Removes `id`, if it is there; the last id takes its place.
    pub(super) fn swap_delete(&mut self, id: u32) {
        if let Some(at) = self.position(id) {
            self.swap_remove(at);
        }
    }

    /// Removes `id`, if it is there, and keeps the order of the others.
    pub(super) fn delete(&mut self, id: u32) {
        if let Some(at) = self.position(id) {
            self[at..].rotate_left(1);
            self.pop();
        }
    }

    /// Keeps only the ids that `keep` says yes to, in order.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) {
        let mut kept = 0;
        for i in 0..self.len() {
            let id = self[i];
            if keep(id) {
                self[kept] = id;
                kept += 1;
            }
        }
        while self.len() > kept {
            self.pop();
        }
    }

    /// Puts `new` in the place of `old` and returns whether `old` was there.
    pub(super) fn replace(&mut self, old: u32, new: u32) -> bool {
        let at = self.position(old);
        if let Some(at) = at {
            self[at] = new;
        }
        at.is_some()
    }

    /// The position of `id`.
    pub(super) fn position(&self, id: u32) -> Option<usize> {
        self.iter().position(|&other| other == id)
    }

    fn pop(&mut self) {
        if self.heap.is_empty() {
            self.len -= 1;
        } else {
            self.heap.pop();
            // an empty heap means that the list is in place, which is empty as well
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_behave_the_same_in_place_and_on_the_heap() {
        for room in [0, 9] {
            let mut ids = Ids::<4>::default();
            let all: Vec<u32> = (0..3 + room).collect();
            ids.set(&all);
            ids.insert(1, 90);
            assert_eq!(ids[..4], [0, 90, 1, 2]);
            ids.delete(90);
            assert_eq!(*ids, all[..]);
            ids.swap_delete(0);
            assert_eq!(ids[0], 2 + room);
            assert!(ids.replace(1, 91) && !ids.replace(1, 92));
            assert_eq!(ids.position(91), Some(1));
            while !ids.is_empty() {
                ids.swap_remove(0);
            }
            ids.push(7);
            assert_eq!(*ids, [7]);
        }
    }
}
