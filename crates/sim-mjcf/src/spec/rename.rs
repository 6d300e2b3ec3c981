//! New names for copies, and the names that there are.

use std::collections::{HashMap, HashSet};

use sim_core::model::ObjType;

use super::element::Visitor;
use super::{Copies, Element, Id, List, Spec};

/// What is put before and after the names of copies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Affix<'a> {
    pub prefix: &'a str,
    pub suffix: &'a str,
}

impl Affix<'_> {
    /// Changes a name, if there is one.
    pub(super) fn rename(&self, name: &mut String) {
        if !name.is_empty() {
            *name = self.of(name);
        }
    }

    /// The name of a copy.
    pub(super) fn of(&self, name: &str) -> String {
        [self.prefix, name, self.suffix].concat()
    }
}

/// Knows which names there are.
pub(super) trait Names {
    /// Whether an element of the kind has the name.
    fn has(&self, kind: ObjType, name: &str) -> bool;
}

impl Names for Spec {
    fn has(&self, kind: ObjType, name: &str) -> bool {
        macro_rules! find {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                match kind {
                    ObjType::XBody => self.bodies.find(name).is_some(),
                    $(ObjType::$T => self.$list.find(name).is_some(),)*
                    _ => false,
                }
            };
        }
        elements!(find)
    }
}

/// The names that there are, by kind.
#[derive(Debug, Default)]
pub(super) struct Known {
    names: HashMap<ObjType, HashSet<String>>,
}

impl Known {
    /// The names of all elements.
    pub(super) fn new(spec: &Spec) -> Known {
        let mut known = Known::default();
        spec.visit(&mut known);
        known
    }

    pub(super) fn add(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.names.entry(kind).or_default().insert(name.to_owned());
        }
    }

    pub(super) fn remove(&mut self, kind: ObjType, name: &str) {
        if let Some(names) = self.names.get_mut(&kind) {
            names.remove(name);
        }
    }

    /// Adds the names of copies.
    pub(super) fn add_copies(&mut self, spec: &Spec, copies: &Copies) {
        for (kind, _, copy) in copies.iter() {
            macro_rules! add {
                ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                    match kind {
                        $(ObjType::$T => self.add(kind, &spec.$list[Id::from_raw(copy)].name),)*
                        _ => {}
                    }
                };
            }
            elements!(add);
        }
    }
}

impl Names for Known {
    fn has(&self, kind: ObjType, name: &str) -> bool {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.names.get(&kind).is_some_and(|names| names.contains(name))
    }
}

impl Visitor for Known {
    fn visit<T: Element>(&mut self, list: &List<T>) {
        list.iter().for_each(|element| self.add(T::KIND, &element.name));
    }
}

/// What copying an element needs to know about it, beside what all elements have.
pub(crate) trait Copied {
    /// Changes the names of assets that the element uses into those of their copies.
    fn rename_assets(&mut self, _: Affix<'_>) {}

    /// Changes the names of bodies that the element looks at, and of textures that it projects,
    /// into those of their copies.
    fn rename_targets(&mut self, _: Affix<'_>) {}

    /// How many elements the element counts as where copies are limited.
    fn weight(&self) -> usize {
        1
    }

    /// User data.
    fn user(&self) -> &[f64] {
        &[]
    }
}
