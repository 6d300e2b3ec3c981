//! `attach`: a body of another model, or all of it, becomes part of a model.

use std::collections::HashMap;

use super::copy::{Destination, Foreign};
use super::element::{if_asset, if_refers};
use super::keyframes::{StatePart, StateSize, attached_key};
use super::reference::Refers;
use super::rename::{Affix, Copied};
use super::*;
use crate::error::{Error, Pos};

/// What is taken over from a model.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// All that is in the world.
    All,
    /// A body with what is in it.
    Body(Id<Body>),
    /// A frame with what is in it.
    Frame(Id<Frame>),
}

/// What has been taken over, and what its keyframes need.
pub(super) struct Attached {
    pub(super) copies: Copies,
    /// Sizes of what comes before in the state, in activations and in controls.
    above: StateSize,
    na: usize,
    nu: usize,
    /// Where the state of what was taken is in the other model.
    state: StatePart,
    /// Positions of the actuators that were taken in the other model.
    actuators: Vec<usize>,
}

/// How much there is of everything that attaching adds to.
pub(super) struct Extent {
    elements: Vec<usize>,
    classes: usize,
    compilers: usize,
    copied: usize,
}

impl Spec {
    /// Puts a part of another model into body `into`, with all that refers to what is taken over.
    pub(crate) fn attach_copy(
        &mut self,
        model: &Spec,
        part: Part,
        into: Id<Body>,
        frame: Option<Id<Frame>>,
        affix: Affix<'_>,
        src: Pos,
    ) -> Result<Copies, Error> {
        let attached = self.attach_elements(model, part, into, frame, affix, src)?;
        self.attach_keys(model, affix, &attached);
        Ok(attached.copies)
    }

    /// The first half of attaching: all but the keyframes. An error changes nothing.
    pub(super) fn attach_elements(
        &mut self,
        model: &Spec,
        part: Part,
        into: Id<Body>,
        frame: Option<Id<Frame>>,
        affix: Affix<'_>,
        src: Pos,
    ) -> Result<Attached, Error> {
        let (root, within) = match part {
            Part::All => (Body::WORLD, None),
            Part::Body(body) => (body, None),
            Part::Frame(frame) => {
                let body = model[frame].parent.unwrap_or(Body::WORLD);
                (body, Some(model.frames_inside(body, frame)))
            }
        };
        let bodies = model.bodies_taken(root, within.as_ref());
        self.index_names();
        let mut attached = Attached {
            copies: Copies::default(),
            above: StateSize::default(),
            na: 0,
            nu: self.actuators.len(),
            state: StatePart::default(),
            actuators: Vec::new(),
        };
        if self.has_keys() || model.has_keys() {
            let size = StateSize::of(model, &model.tree());
            model.check_keys(model.keys.iter(), size, StateSize::default())?;
            // what is taken comes after all that is in the body so far
            let tree = self.tree();
            let start = tree.iter().position(|&body| body == into).unwrap_or(0);
            attached.above = StateSize::of(self, &tree[..start + self.subtree(into).len()]);
            attached.na = self.activations();
            attached.state = model.state_taken(root, &bodies, within.as_ref());
        }
        self.grow(model.weight(&bodies) + model.weight_outside(), bodies.len(), 1, src)?;

        let foreign = self.adopt(model, affix);
        let to = Destination {
            affix,
            into,
            frame,
            with_body: matches!(part, Part::Body(_)),
            within: within.as_ref(),
            foreign: Some(&foreign),
        };
        let mut copies = self.copy_body(root, &to);

        // assets and custom data, then what refers to something taken over, and to nothing else
        macro_rules! take_assets {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_asset! { $home self.take_assets::<$T>(&foreign, affix, &mut copies); })*
            };
        }
        macro_rules! take {
            ($when:ident $($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_refers! { $when $home
                    let taken = self.take::<$T>(&foreign, affix, &mut copies);
                    if $T::KIND == Actuator::KIND {
                        attached.actuators = taken;
                    }
                })*
            };
        }
        elements!(take_assets);
        elements!(take first);
        elements!(take then);
        attached.copies = copies;
        Ok(attached)
    }

    /// The second half of attaching: the keyframes of the model by their new names, then those that
    /// it has from others.
    pub(super) fn attach_keys(&mut self, model: &Spec, affix: Affix<'_>, attached: &Attached) {
        let &Attached { above, na, nu, ref state, ref actuators, .. } = attached;
        self.part_keys(above, state.size());
        let first_key = self.attached_keys.len();
        for key in &model.keys {
            self.attached_keys.push(attached_key(key, affix.of(&key.name), above, state));
        }
        for key in &model.attached_keys {
            self.attached_keys.push(attached_key(key, key.name.clone(), above, state));
        }

        // controls and activations of the actuators that came along
        let given = model.keys.iter().chain(&model.attached_keys);
        for (key, given) in self.attached_keys[first_key..].iter_mut().zip(given) {
            if !given.ctrl.is_empty() {
                key.ctrl = vec![0.0; nu];
                let value = |&id: &usize| given.ctrl.get(id).copied().unwrap_or(0.0);
                key.ctrl.extend(actuators.iter().map(value));
            }
            if !given.act.is_empty() {
                key.act = vec![0.0; na];
                let mut start = 0;
                for (id, actuator) in model.actuators.iter().enumerate() {
                    let count = actuator.activations();
                    if actuators.contains(&id) {
                        let values = start..start + count;
                        key.act.extend(values.map(|i| given.act.get(i).copied().unwrap_or(0.0)));
                    }
                    start += count;
                }
            }
        }
    }

    /// Whether there are keyframes.
    fn has_keys(&self) -> bool {
        !self.keys.is_empty() || !self.attached_keys.is_empty()
    }

    /// Makes finding by name quick, for all kinds.
    pub(super) fn index_names(&mut self) {
        macro_rules! index {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(self.$list.index_names();)*
            };
        }
        elements!(index);
        self.classes.index_names();
    }

    /// Whether several elements of a kind may have the same name.
    pub(super) fn may_share_names(&self) -> bool {
        macro_rules! any {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                [$(self.$list.may_share_names()),*].contains(&true)
            };
        }
        elements!(any)
    }

    /// How much there is, to go back to with `shrink`.
    pub(super) fn extent(&self) -> Extent {
        macro_rules! count {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                vec![$(self.$list.len()),*]
            };
        }
        Extent {
            elements: elements!(count),
            classes: self.classes.len(),
            compilers: self.attached_compilers.len(),
            copied: self.copied,
        }
    }

    /// Takes back what was attached to a body.
    pub(super) fn shrink(&mut self, extent: &Extent, into: Id<Body>) {
        let mut counts = extent.elements.iter();
        macro_rules! shrink {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(
                    counts.next().into_iter().for_each(|&count| self.$list.truncate(count));
                    purge!($list $home);
                )*
            };
        }
        macro_rules! purge {
            ($list:ident body) => { purge!($list tree) };
            ($list:ident frame) => { purge!($list tree) };
            ($list:ident tree) => {
                let mut ids = self[into].$list.clone();
                ids.retain(|&id| self.$list.get(id).is_some());
                if let Some(body) = self.bodies.peek_mut(into) {
                    body.$list = ids;
                }
            };
            ($list:ident $home:ident) => {};
        }
        elements!(shrink);
        self.classes.truncate(extent.classes);
        self.attached_compilers.truncate(extent.compilers);
        self.copied = extent.copied;
    }

    /// How many elements outside the tree count as copies when the model is attached.
    fn weight_outside(&self) -> usize {
        // a class has defaults for all kinds of elements
        const CLASS: usize = 12;
        let mut weight = CLASS * self.classes.len();
        macro_rules! weigh {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_asset! { $home weight += self.$list.iter().map(Copied::weight).sum::<usize>(); })*
                $(if_refers! { first $home weight += self.$list.iter().map(Copied::weight).sum::<usize>(); })*
                $(if_refers! { then $home weight += self.$list.iter().map(Copied::weight).sum::<usize>(); })*
            };
        }
        elements!(weigh);
        weight
    }

    /// Takes over all elements of a kind.
    fn take_assets<T: Element + Copied>(
        &mut self,
        foreign: &Foreign<'_>,
        affix: Affix<'_>,
        copies: &mut Copies,
    ) {
        for &id in T::list(foreign.model).ids() {
            let mut copy = foreign.model[id].clone();
            affix.rename(&mut copy.name);
            copy.rename_assets(affix);
            foreign.adopt(&mut copy);
            copies.insert(id, T::list_mut(self).push(copy));
        }
    }

    /// Takes over the elements of a kind whose references were taken over; returns their positions
    /// in the other model.
    fn take<T: Element + Refers>(
        &mut self,
        foreign: &Foreign<'_>,
        affix: Affix<'_>,
        copies: &mut Copies,
    ) -> Vec<usize> {
        let (mut positions, mut taken) = (Vec::new(), Vec::new());
        for (position, &id) in T::list(foreign.model).ids().iter().enumerate() {
            let mut copy = foreign.model[id].clone();
            if !T::KEEPS_NAME {
                affix.rename(&mut copy.name);
            }
            if copy.rename(affix, self) {
                copy.rename_assets(affix);
                foreign.adopt(&mut copy);
                taken.push((id, copy));
                positions.push(position);
            }
        }
        // names of this kind count for those that follow
        for (id, copy) in taken {
            copies.insert(id, T::list_mut(self).push(copy));
        }
        positions
    }

    /// Takes over the classes and compiler settings of another model.
    fn adopt<'a>(&mut self, model: &'a Spec, affix: Affix<'_>) -> Foreign<'a> {
        let mut classes: HashMap<Id<Class>, Id<Class>> = HashMap::new();
        for &id in model.classes.ids() {
            let mut class = model.classes[id].clone();
            affix.rename(&mut class.name);
            while self.classes.find(&class.name).is_some() {
                class.name.push('_');
            }
            let parent = class.parent.and_then(|parent| classes.get(&parent).copied());
            class.parent = Some(parent.unwrap_or(Class::MAIN));
            classes.insert(id, self.classes.push(class));
        }
        let mut compilers = HashMap::from([(None, self.compiler_id(&model.compiler))]);
        for &id in model.attached_compilers.ids() {
            compilers.insert(Some(id), self.compiler_id(&model.attached_compilers[id]));
        }
        Foreign { model, classes, compilers }
    }

    /// The handle of some compiler settings, which become part of the model if they are new.
    fn compiler_id(&mut self, compiler: &Compiler) -> Option<Id<Compiler>> {
        if *compiler == self.compiler {
            return None;
        }
        let known = self.attached_compilers.iter().position(|known| known == compiler);
        Some(match known {
            Some(position) => self.attached_compilers.ids()[position],
            None => self.attached_compilers.push(compiler.clone()),
        })
    }
}
