//! Copies of a body and what is in it, in the same model or in another one: what `replicate` and
//! `attach` are made of.

use std::collections::{HashMap, HashSet};

use sim_core::model::ObjType;

use super::element::if_tree;
use super::rename::{Affix, Copied};
use super::*;
use crate::error::{Error, Pos};

/// Elements that copies can add to a model.
pub(crate) const MAX_COPIES: usize = 500_000;

/// Bodies of a model: they have to fit into pairs of 16 bits, along with flexes.
pub(crate) const MAX_BODIES: usize = 65533;

/// Where a copy goes, and what becomes of names, classes and compiler settings.
pub(super) struct Destination<'a> {
    pub affix: Affix<'a>,
    /// The body that the copy goes into.
    pub into: Id<Body>,
    /// The frame around the copy.
    pub frame: Option<Id<Frame>>,
    /// Whether the copied body becomes a body, or only what is in it is taken.
    pub with_body: bool,
    /// Frames of the copied body, if only what is in them is taken.
    pub within: Option<&'a HashSet<Id<Frame>>>,
    /// The model that the body is in, if it is another one.
    pub foreign: Option<&'a Foreign<'a>>,
}

/// Another model, with its classes and compiler settings as they are called here.
pub(super) struct Foreign<'a> {
    pub model: &'a Spec,
    pub classes: HashMap<Id<Class>, Id<Class>>,
    pub compilers: HashMap<Option<Id<Compiler>>, Option<Id<Compiler>>>,
}

impl Foreign<'_> {
    /// The class that a class of the other model has become for its elements. What is added to
    /// them later has the defaults of this model where they had those of the whole other model.
    pub(super) fn class(&self, class: Id<Class>) -> Id<Class> {
        if class == Class::MAIN {
            return Class::MAIN;
        }
        self.classes.get(&class).copied().unwrap_or_default()
    }

    /// Changes the class and the compiler settings of an element.
    pub(super) fn adopt(&self, info: &mut Info) {
        info.class = self.class(info.class);
        info.compiler = self.compilers.get(&info.compiler).copied().flatten();
    }
}

/// Which elements have become which.
#[derive(Debug, Default)]
pub struct Copies(HashMap<(ObjType, u64), u64>);

impl Copies {
    /// The copy of an element; none if it was not copied.
    pub fn get<T: Element>(&self, original: Id<T>) -> Option<Id<T>> {
        self.0.get(&(T::KIND, original.to_raw())).map(|&raw| Id::from_raw(raw))
    }

    /// Kind, original and copy of all elements that were copied, handles as numbers.
    pub fn iter(&self) -> impl Iterator<Item = (ObjType, u64, u64)> {
        self.0.iter().map(|(&(kind, original), &copy)| (kind, original, copy))
    }

    pub(super) fn insert<T: Element>(&mut self, original: Id<T>, copy: Id<T>) {
        self.0.insert((T::KIND, original.to_raw()), copy.to_raw());
    }
}

impl Spec {
    /// Copies a body with all that is in it.
    pub(super) fn copy_body(&mut self, root: Id<Body>, to: &Destination<'_>) -> Copies {
        let tree = to.foreign.map_or(&*self, |foreign| foreign.model).bodies_taken(root, to.within);
        let mut copies = Copies::default();
        for body in tree {
            let source = to.foreign.map_or(&*self, |foreign| foreign.model);
            let original = &source[body];
            let frames = source.nested_frames(body);
            let lists = original.clone();
            if body == root && !to.with_body {
                copies.insert(root, to.into);
            } else {
                let mut copy = original.without_contents();
                let (parent, frame) = match copy.parent {
                    Some(parent) if body != root => (
                        copies.get(parent).unwrap_or(to.into),
                        copies.frame(copy.frame, parent, root, to),
                    ),
                    _ => (to.into, to.frame),
                };
                copy.frame = frame;
                copy.childclass = copy.childclass.map(|class| to.class(class));
                let copy = self.add_copy(parent, copy, to);
                copies.insert(body, copy);
            }
            for id in frames {
                if body == root && to.within.is_some_and(|within| !within.contains(&id)) {
                    continue;
                }
                let mut copy = to.foreign.map_or(&*self, |foreign| foreign.model)[id].clone();
                copy.frame = copies.frame(copy.frame, body, root, to);
                copy.childclass = copy.childclass.map(|class| to.class(class));
                let copy = self.add_copy(copies.get(body).unwrap_or(to.into), copy, to);
                copies.insert(id, copy);
            }
            macro_rules! copy {
                ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                    $(if_tree! { $home
                        self.copy_elements::<$T>(&lists, (body, root), to, &mut copies);
                    })*
                };
            }
            elements!(copy);
        }
        copies
    }

    /// Copies the elements of a kind that are in a body.
    fn copy_elements<T: InBody + Copied>(
        &mut self,
        original: &Body,
        (body, root): (Id<Body>, Id<Body>),
        to: &Destination<'_>,
        copies: &mut Copies,
    ) {
        for &id in T::of(original) {
            let mut copy = to.foreign.map_or(&*self, |foreign| foreign.model)[id].clone();
            if body == root && !takes(to.within, copy.frame) {
                continue;
            }
            copy.frame = copies.frame(copy.frame, body, root, to);
            let copy = self.add_copy(copies.get(body).unwrap_or(to.into), copy, to);
            copies.insert(id, copy);
        }
    }

    /// Adds a copy, which has its frame already, under its new name.
    fn add_copy<T: InBody + Copied>(
        &mut self,
        body: Id<Body>,
        mut copy: T,
        to: &Destination<'_>,
    ) -> Id<T> {
        to.affix.rename(&mut copy.name);
        copy.rename_targets(to.affix);
        if let Some(foreign) = to.foreign {
            copy.rename_assets(to.affix);
            foreign.adopt(&mut copy);
        }
        self.add_to(body, copy)
    }

    /// The frames of a body, each after the one around it.
    fn nested_frames(&self, body: Id<Body>) -> Vec<Id<Frame>> {
        let mut frames = self[body].frames.clone();
        // in the order of a document they are so already
        frames.sort_by_cached_key(|&frame| self.frames_around(Some(frame)).count());
        frames
    }

    /// A frame and those around it in the same body, from the inside out.
    pub(crate) fn frames_around(
        &self,
        frame: Option<Id<Frame>>,
    ) -> impl Iterator<Item = Id<Frame>> {
        std::iter::successors(frame, |&frame| self[frame].frame)
    }

    /// A frame and those inside it, in their body.
    pub(super) fn frames_inside(&self, body: Id<Body>, frame: Id<Frame>) -> HashSet<Id<Frame>> {
        let around = |&id: &Id<Frame>| self.frames_around(Some(id)).any(|other| other == frame);
        self[body].frames.iter().copied().filter(around).collect()
    }

    /// The bodies that are copied with a body, itself first, in depth-first order: all inside it,
    /// or those in some of its frames.
    pub(super) fn bodies_taken(
        &self,
        root: Id<Body>,
        within: Option<&HashSet<Id<Frame>>>,
    ) -> Vec<Id<Body>> {
        let taken = |&body: &Id<Body>| takes(within, self[body].frame);
        let inside = self[root].bodies.iter().copied().filter(taken);
        std::iter::once(root).chain(inside.flat_map(|body| self.subtree(body))).collect()
    }

    /// Removes a body and what is in it, whatever refers to that.
    pub(super) fn remove_body(&mut self, root: Id<Body>) {
        let tree = self.subtree(root);
        // no name changes here and below, so that finding stays quick
        if let Some(parent) = self[root].parent.and_then(|parent| self.bodies.peek_mut(parent)) {
            parent.bodies.retain(|&body| body != root);
        }
        for body in tree.into_iter().rev() {
            let Some(body) = self.bodies.remove(body) else { continue };
            body.frames.iter().rev().for_each(|&id| drop(self.frames.remove(id)));
            macro_rules! remove {
                ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                    $(if_tree! { $home
                        body.$list.iter().rev().for_each(|&id| drop(self.$list.remove(id)));
                    })*
                };
            }
            elements!(remove);
        }
    }

    /// How many elements a copy of the bodies adds; long names and user data count as several.
    pub(super) fn weight(&self, bodies: &[Id<Body>]) -> usize {
        let (mut count, mut bytes) = (0, 0);
        let mut add = |name: &str, user: &[f64]| {
            count += 1;
            bytes += name.len() + 8 * user.len();
        };
        for &body in bodies {
            let body = &self[body];
            add(&body.name, body.user());
            self.in_body::<Frame>(body).for_each(|x| add(&x.name, x.user()));
            macro_rules! weigh {
                ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                    $(if_tree! { $home
                        self.in_body::<$T>(body).for_each(|x| add(&x.name, x.user()));
                    })*
                };
            }
            elements!(weigh);
        }
        count + bytes / 256
    }

    /// Counts what is about to be copied, and refuses what is too much.
    pub(super) fn grow(
        &mut self,
        weight: usize,
        bodies: usize,
        count: usize,
        src: Pos,
    ) -> Result<(), Error> {
        let bodies = self.bodies.len().saturating_add(bodies.saturating_mul(count));
        if bodies > MAX_BODIES {
            let message = format!("copies make {bodies} bodies: the limit is {MAX_BODIES}");
            return Err(src.error(message));
        }
        let copied = self.copied.saturating_add(weight.saturating_mul(count));
        if copied > MAX_COPIES {
            let message = format!(
                "{count} copies of {weight} elements make {copied} copied elements: the limit is \
                 {MAX_COPIES}"
            );
            return Err(src.error(message));
        }
        self.copied = copied;
        Ok(())
    }
}

/// Whether something in `frame` is in one of the frames that are taken; all is if none are given.
pub(super) fn takes(within: Option<&HashSet<Id<Frame>>>, frame: Option<Id<Frame>>) -> bool {
    within.is_none_or(|within| frame.is_some_and(|frame| within.contains(&frame)))
}

impl Copies {
    /// The frame of the copy of something in `body` that is in `frame`: what is directly in the
    /// copied body is in the frame around the copy, unless the body comes along.
    fn frame(
        &self,
        frame: Option<Id<Frame>>,
        body: Id<Body>,
        root: Id<Body>,
        to: &Destination<'_>,
    ) -> Option<Id<Frame>> {
        match frame {
            Some(frame) => self.get(frame),
            None if body == root && !to.with_body => to.frame,
            None => None,
        }
    }
}

impl Destination<'_> {
    fn class(&self, class: Id<Class>) -> Id<Class> {
        self.foreign.map_or(class, |foreign| foreign.class(class))
    }
}
