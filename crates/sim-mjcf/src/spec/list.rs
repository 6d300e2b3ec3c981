//! Lists of elements with stable handles.

use std::collections::HashMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::sync::OnceLock;

use super::Element;

/// A handle of an element in a [`List`]: the slot that holds it, and the generation of that slot.
///
/// A handle stays valid while other elements come and go, and never finds another element than its
/// own: a slot that is used again is of another generation. The default is the first element that
/// was added to a list: the world among bodies, the class `main` among classes.
pub struct Id<T> {
    slot: u32,
    generation: u32,
    kind: PhantomData<fn() -> T>,
}

impl<T> Id<T> {
    pub(super) const FIRST: Id<T> = Id::new(0, 0);

    const fn new(slot: u32, generation: u32) -> Id<T> {
        Id { slot, generation, kind: PhantomData }
    }

    /// The handle as a number.
    pub fn to_raw(self) -> u64 {
        u64::from(self.generation) << 32 | u64::from(self.slot)
    }

    /// The handle that was made into a number.
    pub fn from_raw(raw: u64) -> Id<T> {
        Id::new(raw as u32, (raw >> 32) as u32)
    }

    /// The slot. No two elements of a list share one at a time, and it is less than
    /// [`List::slots`].
    pub(crate) fn slot(self) -> usize {
        self.slot as usize
    }
}

impl<T> Clone for Id<T> {
    fn clone(&self) -> Id<T> {
        *self
    }
}

impl<T> Copy for Id<T> {}

impl<T> Default for Id<T> {
    fn default() -> Id<T> {
        Id::FIRST
    }
}

impl<T> PartialEq for Id<T> {
    fn eq(&self, other: &Id<T>) -> bool {
        (self.slot, self.generation) == (other.slot, other.generation)
    }
}

impl<T> Eq for Id<T> {}

impl<T> Hash for Id<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.slot, self.generation).hash(state);
    }
}

impl<T> fmt::Debug for Id<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.slot, self.generation)
    }
}

/// What can be found by name.
pub trait Named {
    /// The name; empty for none.
    fn name(&self) -> &str;
}

/// Elements in the order in which they were added, each with a handle that stays valid.
///
/// Adding an element and finding one by handle take constant time; so does finding one by name,
/// once the index of names is there, which the first search makes.
pub struct List<T> {
    slots: Vec<Slot<T>>,
    /// Slots without an element.
    free: Vec<u32>,
    order: Vec<Id<T>>,
    names: OnceLock<NameIndex<T>>,
    /// Whether the index may lack an element.
    changed: bool,
}

/// Elements by name.
struct NameIndex<T> {
    /// One element of each name, unless it was renamed without the index knowing.
    elements: HashMap<String, Id<T>>,
    /// Whether several elements had the same name at some time: only one of them is here.
    shared: bool,
}

impl<T> NameIndex<T> {
    fn with_capacity(count: usize) -> NameIndex<T> {
        NameIndex { elements: HashMap::with_capacity(count), shared: false }
    }

    fn add(&mut self, name: &str, id: Id<T>) {
        if name.is_empty() {
            return;
        }
        match self.elements.get(name) {
            Some(&other) => self.shared |= other != id,
            None => drop(self.elements.insert(name.to_owned(), id)),
        }
    }

    /// Forgets an element. Returns whether others may have the same name.
    fn remove(&mut self, name: &str, id: Id<T>) -> bool {
        if self.elements.get(name) == Some(&id) {
            self.elements.remove(name);
        }
        self.shared
    }
}

struct Slot<T> {
    generation: u32,
    /// On the heap, so that moving a list is cheap however large its elements are.
    element: Option<Box<T>>,
}

impl<T> List<T> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Number of slots, used or not.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The handles of the elements, in order.
    pub fn ids(&self) -> &[Id<T>] {
        &self.order
    }

    /// The elements, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + ExactSizeIterator + Clone {
        self.order.iter().map(|&id| &self[id])
    }

    /// The element of a handle; none if it was removed.
    pub fn get(&self, id: Id<T>) -> Option<&T> {
        let slot = self.slots.get(id.slot())?;
        slot.element.as_deref().filter(|_| slot.generation == id.generation)
    }

    /// The element of a handle, to change it; none if it was removed.
    pub fn get_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        // its name may change, and the index cannot know
        self.changed |= self.names.get().is_some();
        let slot = self.slots.get_mut(id.slot())?;
        slot.element.as_deref_mut().filter(|_| slot.generation == id.generation)
    }

    /// The element of a handle, to change anything but its name.
    pub(super) fn peek_mut(&mut self, id: Id<T>) -> Option<&mut T> {
        let slot = self.slots.get_mut(id.slot())?;
        slot.element.as_deref_mut().filter(|_| slot.generation == id.generation)
    }

    /// The element at a position.
    pub fn at(&self, position: usize) -> Option<&T> {
        self.order.get(position).map(|&id| &self[id])
    }

    /// Changes every element, in order.
    pub(crate) fn for_each_mut(&mut self, mut f: impl FnMut(&mut T)) {
        for i in 0..self.order.len() {
            let id = self.order[i];
            f(&mut self[id]);
        }
    }
}

impl<T: Named> List<T> {
    /// Adds an element.
    pub fn push(&mut self, element: T) -> Id<T> {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, element: None });
            (self.slots.len() - 1) as u32
        });
        let place = &mut self.slots[slot as usize];
        let id = Id::new(slot, place.generation);
        if let Some(names) = self.names.get_mut() {
            names.add(element.name(), id);
        }
        place.element = Some(Box::new(element));
        self.order.push(id);
        id
    }

    /// Removes an element, whose handle finds nothing from now on.
    pub(super) fn remove(&mut self, id: Id<T>) -> Option<T> {
        self.get(id)?;
        // what was added last is removed first more often than not
        if let Some(position) = self.order.iter().rposition(|&other| other == id) {
            self.order.remove(position);
        }
        self.take(id)
    }

    /// Removes the elements that `keep` says no to.
    pub(super) fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        let order = std::mem::take(&mut self.order);
        for id in order {
            if keep(&self[id]) {
                self.order.push(id);
            } else {
                self.take(id);
            }
        }
    }

    /// Empties a slot.
    fn take(&mut self, id: Id<T>) -> Option<T> {
        let slot = self.slots.get_mut(id.slot())?;
        let element = slot.element.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.slot);
        if let Some(names) = self.names.get_mut() {
            self.changed |= names.remove(element.name(), id);
        }
        Some(*element)
    }

    /// Removes all elements.
    pub(super) fn clear(&mut self) {
        self.retain(|_| false);
    }

    /// Removes the elements after the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        while self.order.len() > count {
            let Some(id) = self.order.pop() else { break };
            self.take(id);
        }
    }

    /// The index of names, made where there is none.
    fn index(&self) -> &NameIndex<T> {
        self.names.get_or_init(|| {
            let mut names = NameIndex::with_capacity(self.order.len());
            self.order.iter().for_each(|&id| names.add(self[id].name(), id));
            names
        })
    }

    /// Makes the index of names, anew where it may not be right: finding is quick afterwards.
    pub(super) fn index_names(&mut self) {
        if self.changed || self.index().shared {
            (self.names, self.changed) = (OnceLock::new(), false);
            self.index();
        }
    }

    /// Whether several elements may have the same name. Runs after `index_names`, and holds while
    /// elements are added.
    pub(super) fn may_share_names(&self) -> bool {
        self.index().shared
    }

    /// Finds an element by name; one of them, if several have it.
    pub fn find(&self, name: &str) -> Option<Id<T>> {
        let is_called = |id: &Id<T>| self.get(*id).is_some_and(|element| element.name() == name);
        match self.index().elements.get(name).copied().filter(is_called) {
            None if self.changed => self.order.iter().copied().find(is_called),
            found => found,
        }
        .filter(|_| !name.is_empty())
    }
}

impl<T: Element> List<T> {
    /// Changes the name of an element.
    pub(super) fn rename(&mut self, id: Id<T>, name: String) {
        let Some(element) = self.peek_mut(id) else { return };
        let old = std::mem::replace(&mut element.name, name.clone());
        if let Some(names) = self.names.get_mut() {
            self.changed |= names.remove(&old, id);
            names.add(&name, id);
        }
    }
}

impl<T> Index<Id<T>> for List<T> {
    type Output = T;

    /// # Panics
    /// If the element was removed.
    fn index(&self, id: Id<T>) -> &T {
        self.get(id).expect("the element of the handle was removed")
    }
}

impl<T> IndexMut<Id<T>> for List<T> {
    /// # Panics
    /// If the element was removed.
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        self.get_mut(id).expect("the element of the handle was removed")
    }
}

impl<'a, T> IntoIterator for &'a List<T> {
    type Item = &'a T;
    type IntoIter = Box<dyn Iterator<Item = &'a T> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

impl<T> Default for List<T> {
    fn default() -> List<T> {
        List {
            slots: Vec::new(),
            free: Vec::new(),
            order: Vec::new(),
            names: OnceLock::new(),
            changed: false,
        }
    }
}

impl<T: Clone> Clone for List<T> {
    fn clone(&self) -> List<T> {
        let slot =
            |slot: &Slot<T>| Slot { generation: slot.generation, element: slot.element.clone() };
        List {
            slots: self.slots.iter().map(slot).collect(),
            free: self.free.clone(),
            order: self.order.clone(),
            names: OnceLock::new(),
            changed: false,
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Named> Extend<T> for List<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        for element in elements {
            self.push(element);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::spec::{Info, Text};

    fn text(name: &str) -> Text {
        let info = Info { name: name.to_owned(), ..Info::default() };
        Text { info, ..Text::default() }
    }

    fn list(names: &[&str]) -> (List<Text>, Vec<Id<Text>>) {
        let mut list = List::default();
        let ids = names.iter().map(|name| list.push(text(name))).collect();
        (list, ids)
    }

    #[test]
    fn handles_stay_valid_while_others_come_and_go() {
        let (mut list, ids) = list(&["a", "b", "c"]);
        assert_eq!(list.remove(ids[1]).map(|x| x.name.clone()).as_deref(), Some("b"));
        let d = list.push(text("d"));
        assert_eq!((&*list[ids[0]].name, &*list[ids[2]].name, &*list[d].name), ("a", "c", "d"));
        // the slot of the removed one is in use again, and its handle finds nothing
        assert_eq!(d.slot(), ids[1].slot());
        assert!(list.get(ids[1]).is_none());
        assert_eq!(list.iter().map(|x| x.name.as_str()).collect::<Vec<_>>(), ["a", "c", "d"]);
    }

    #[test]
    fn names_are_found_whatever_happened_to_them() {
        let (mut list, ids) = list(&["a", "b", "b"]);
        assert_eq!(list.find("b"), Some(ids[1]));
        list.rename(ids[1], String::from("x"));
        assert_eq!((list.find("x"), list.find("a")), (Some(ids[1]), Some(ids[0])));
        list[ids[0]] = text("y");
        assert_eq!(
            (list.find("y"), list.find("a"), list.find("b")),
            (Some(ids[0]), None, Some(ids[2]))
        );
        list.remove(ids[2]);
        assert_eq!((list.find("b"), list.find("")), (None, None));
    }

    #[test]
    fn names_that_are_shared_are_noticed() {
        let (mut list, ids) = list(&["a", "b"]);
        list.index_names();
        assert!(!list.may_share_names());
        list.push(text("b"));
        assert!(list.may_share_names());
        list.truncate(2);
        list.index_names();
        assert!(!list.may_share_names() && list.find("b") == Some(ids[1]));
        // the index does not see this at once
        list[ids[0]].name = String::from("b");
        list.index_names();
        assert!(list.may_share_names());
    }
}
