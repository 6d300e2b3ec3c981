//! `replicate`: copies of part of a tree in the same model, each a step further.

use std::collections::HashMap;

use sim_core::math::{Quat, Vec3};
use sim_core::model::ObjType;

use super::copy::Destination;
use super::element::if_refers;
use super::keyframes::{StateSize, remaining_controls};
use super::reference::Refers;
use super::rename::{Affix, Known};
use super::*;
use crate::error::{Error, Pos};

/// A copy of a `replicate`: pose of its frame, and what is added to names.
#[derive(Debug)]
pub(crate) struct Replica {
    pub pos: Vec3,
    pub quat: Quat,
    pub suffix: String,
}

impl Spec {
    /// Replaces a body, the last of all in depth-first order, by copies of what is in it, which go
    /// into its parent. Everything in the body is in `frame`, that of the copies. Everything that
    /// refers to what is copied is copied with it. `count` is the number of copies asked for, of
    /// which no more need to be given than are allowed.
    pub(crate) fn replicate(
        &mut self,
        template: Id<Body>,
        frame: Id<Frame>,
        replicas: &[Replica],
        count: usize,
        src: Pos,
    ) -> Result<(), Error> {
        let mut known = Known::new(self);
        let (into, outer) = (self[template].parent.unwrap_or_default(), self[template].frame);
        let bodies = self.subtree(template);
        // the template is no copy
        self.grow(self.weight(&bodies), bodies.len() - 1, count, src)?;

        let inside = StateSize::of(self, &bodies);
        let above = StateSize::of(self, &self.tree()).without(inside);
        let keys: Vec<Key> = self.keys.iter().cloned().collect();
        self.keys.clear();
        self.check_keys(&keys, above, inside)?;
        // controls and activations of keyframes do not survive, nor does what is not copied
        for key in &mut self.attached_keys {
            key.act.clear();
            key.ctrl.clear();
            if replicas.is_empty() {
                key.qpos.truncate(above.nq);
                key.qvel.truncate(above.nv);
                key.mpos.truncate(3 * above.nmocap);
                key.mquat.truncate(4 * above.nmocap);
            }
        }

        let mut originals = Originals::default();
        for (i, replica) in replicas.iter().enumerate() {
            let affix = Affix { prefix: "", suffix: &replica.suffix };
            for key in &keys {
                let name = affix.of(&key.name);
                let key = self.replica_key(key, name, (above, inside), &bodies, i, Some(i));
                self.attached_keys.push(key);
            }
            self[frame].pos = replica.pos;
            self[frame].orientation = Orientation { quat: replica.quat, alternative: None };
            let to = Destination {
                affix,
                into,
                frame: outer,
                with_body: false,
                within: None,
                foreign: None,
            };
            let copies = self.copy_body(template, &to);
            known.add_copies(self, &copies);
            let added = originals.copy_all(self, affix, &mut known);
            self.grow(added, 0, 1, src)?;
        }
        let count = replicas.len();
        let last = |key: &Key| {
            self.replica_key(key, key.name.clone(), (above, inside), &bodies, count, None)
        };
        let mut last: Vec<Key> = keys.iter().map(last).collect();

        // what refers to the original goes with it
        let old = Known::new(self);
        self.remove_body(template);
        let actuators = self.remove_unresolved(&old);
        for (key, last) in keys.iter().zip(&mut last) {
            (last.act, last.ctrl) = remaining_controls(key, &actuators);
        }
        self.attached_keys.append(&mut last);
        Ok(())
    }

    /// Removes what refers to elements that are there no more, but were among the `old` ones; tuples
    /// stay. Returns of each actuator whether it is still there and how many activations it has.
    pub(super) fn remove_unresolved(&mut self, old: &Known) -> Vec<(bool, usize)> {
        let mut now = Known::new(self);
        let mut actuators = Vec::new();
        macro_rules! remove {
            ($when:ident $($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_refers! { $when $home
                    if $T::KIND == ObjType::Actuator {
                        let keeps = |x: &Actuator| x.resolves(&now) || !x.resolves(old);
                        let actuator = |x: &Actuator| (keeps(x), x.activations());
                        actuators = self.actuators.iter().map(actuator).collect();
                    }
                    if $T::KIND != ObjType::Tuple {
                        self.$list.retain(|element| {
                            let keep = element.resolves(&now) || !element.resolves(old);
                            if !keep {
                                now.remove($T::KIND, &element.name);
                            }
                            keep
                        });
                    }
                })*
            };
        }
        elements!(remove first);
        elements!(remove then);
        actuators
    }
}

/// The elements outside the tree that can give rise to copies: those that were there first, by
/// position.
#[derive(Default)]
struct Originals(HashMap<ObjType, Vec<usize>>);

impl Originals {
    /// Copies what refers to something that has just been copied; returns how many elements.
    fn copy_all(&mut self, spec: &mut Spec, affix: Affix<'_>, known: &mut Known) -> usize {
        let mut added = 0;
        macro_rules! copy {
            ($when:ident $($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_refers! { $when $home added += self.copy::<$T>(spec, affix, known); })*
            };
        }
        elements!(copy first);
        elements!(copy then);
        added
    }

    fn copy<T: Element + Refers>(
        &mut self,
        spec: &mut Spec,
        affix: Affix<'_>,
        known: &mut Known,
    ) -> usize {
        let list = T::list_mut(spec);
        let start = list.len();
        let originals = self.0.entry(T::KIND).or_insert_with(|| (0..start).collect());
        for i in 0..originals.len() {
            let Some(mut copy) = list.at(originals[i]).cloned() else { continue };
            if copy.rename(affix, known) {
                if !T::KEEPS_NAME {
                    affix.rename(&mut copy.name);
                }
                // what refers to nothing is copied again and again
                if copy.is_free() {
                    originals.push(list.len());
                }
                list.push(copy);
            }
        }
        list.iter().skip(start).for_each(|copy| known.add(T::KIND, &copy.name));
        list.len() - start
    }
}
