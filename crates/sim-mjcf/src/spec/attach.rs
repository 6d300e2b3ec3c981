//! `attach`: a body of another model, or all of it, becomes part of a model.

use std::collections::{HashMap, HashSet};

use super::copy::{Destination, Foreign};
use super::element::{if_asset, if_refers};
use super::keyframes::{StateSize, attached_key};
use super::reference::Refers;
use super::rename::{Affix, Copied, Known};
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
        let (root, within) = match part {
            Part::All => (Body::WORLD, None),
            Part::Body(body) => (body, None),
            Part::Frame(frame) => {
                let body = model[frame].parent.unwrap_or(Body::WORLD);
                (body, Some(model.frames_inside(body, frame)))
            }
        };
        let bodies = model.bodies_taken(root, within.as_ref());
        self.grow(model.weight(&bodies) + model.weight_outside(), bodies.len(), 1, src)?;

        // keyframes: those of the model by their new names, then those that it has from others; what
        // is taken comes after all that is in the body so far
        let tree = self.tree();
        let start = tree.iter().position(|&body| body == into).unwrap_or(0);
        let above = StateSize::of(self, &tree[..start + self.subtree(into).len()]);
        self.part_keys(above, model.state_taken(root, &bodies, within.as_ref()).size());
        let own_keys: Vec<Key> = model.keys.iter().cloned().collect();
        model.check_keys(&own_keys, StateSize::of(model, &model.tree()), StateSize::default())?;
        let state = model.state_taken(root, &bodies, within.as_ref());
        let first_key = self.attached_keys.len();
        for key in &own_keys {
            self.attached_keys.push(attached_key(key, affix.of(&key.name), above, &state));
        }
        for key in &model.attached_keys {
            self.attached_keys.push(attached_key(key, key.name.clone(), above, &state));
        }

        let foreign = self.adopt(model, affix);
        let mut known = Known::new(self);
        let to = Destination {
            affix,
            into,
            frame,
            with_body: matches!(part, Part::Body(_)),
            within: within.as_ref(),
            foreign: Some(&foreign),
        };
        let mut copies = self.copy_body(root, &to, &mut known);

        // assets and custom data, then what refers to something taken over, and to nothing else
        let (nu, na) = (self.actuators.len(), self.activations());
        let mut actuators = Vec::new();
        macro_rules! take_assets {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_asset! { $home self.take_assets::<$T>(&foreign, affix, &mut known, &mut copies); })*
            };
        }
        macro_rules! take {
            ($when:ident $($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_refers! { $when $home
                    let taken = self.take::<$T>(&foreign, affix, &mut known, &mut copies);
                    if $T::KIND == Actuator::KIND {
                        actuators = taken;
                    }
                })*
            };
        }
        elements!(take_assets);
        elements!(take first);
        elements!(take then);

        // controls and activations of the actuators that came along
        let given = own_keys.iter().chain(&model.attached_keys);
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
        Ok(copies)
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
        known: &mut Known,
        copies: &mut Copies,
    ) {
        for &id in T::list(foreign.model).ids() {
            let mut copy = foreign.model[id].clone();
            affix.rename(&mut copy.name);
            copy.rename_assets(affix);
            foreign.adopt(&mut copy);
            known.add(T::KIND, &copy.name);
            copies.insert(id, T::list_mut(self).push(copy));
        }
    }

    /// Takes over the elements of a kind whose references were taken over; returns their positions
    /// in the other model.
    fn take<T: Element + Refers>(
        &mut self,
        foreign: &Foreign<'_>,
        affix: Affix<'_>,
        known: &mut Known,
        copies: &mut Copies,
    ) -> Vec<usize> {
        let mut taken = Vec::new();
        let start = T::list(self).len();
        for (position, &id) in T::list(foreign.model).ids().iter().enumerate() {
            let mut copy = foreign.model[id].clone();
            if !T::KEEPS_NAME {
                affix.rename(&mut copy.name);
            }
            if copy.rename(affix, known) {
                copy.rename_assets(affix);
                foreign.adopt(&mut copy);
                copies.insert(id, T::list_mut(self).push(copy));
                taken.push(position);
            }
        }
        T::list(self).iter().skip(start).for_each(|copy| known.add(T::KIND, &copy.name));
        taken
    }

    /// Takes over the classes and compiler settings of another model.
    fn adopt<'a>(&mut self, model: &'a Spec, affix: Affix<'_>) -> Foreign<'a> {
        let mut names: HashSet<String> = self.classes.iter().map(|x| x.name.clone()).collect();
        let mut classes: HashMap<Id<Class>, Id<Class>> = HashMap::new();
        for &id in model.classes.ids() {
            let mut class = model.classes[id].clone();
            affix.rename(&mut class.name);
            while !names.insert(class.name.clone()) {
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
