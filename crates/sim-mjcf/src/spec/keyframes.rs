//! Keyframes of models with copies: those that came with attached and replicated bodies say what
//! these do, and leave the rest of the model to its reference configuration.

use std::collections::HashSet;
use std::ops::Range;

use super::copy::{MAX_COPIES, takes};
use super::{Body, Frame, Id, Info, Joint, Key, Spec};
use crate::error::Error;

/// Sizes of the state of some bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct StateSize {
    pub nq: usize,
    pub nv: usize,
    pub nmocap: usize,
}

impl StateSize {
    pub(super) fn of(spec: &Spec, bodies: &[Id<Body>]) -> StateSize {
        let mut size = StateSize::default();
        for &body in bodies {
            for joint in spec.in_body::<Joint>(&spec[body]) {
                size.nq += joint.kind.coordinates();
                size.nv += joint.kind.dofs();
            }
            size.nmocap += usize::from(spec[body].mocap);
        }
        size
    }

    /// The sizes without some of the bodies.
    pub(super) fn without(self, part: StateSize) -> StateSize {
        StateSize {
            nq: self.nq - part.nq,
            nv: self.nv - part.nv,
            nmocap: self.nmocap - part.nmocap,
        }
    }
}

impl Spec {
    /// Puts the keyframes that came with other bodies after the model's own. Compiling does so with
    /// a copy.
    pub fn settle_keys(&mut self) {
        if self.attached_keys.is_empty() {
            return;
        }
        let asked = usize::try_from(self.size.nkey).unwrap_or(0);
        if asked <= MAX_COPIES {
            while self.keys.len() < asked {
                self.keys.push(Key::default());
            }
        }
        let size = StateSize::of(self, &self.tree());
        let (nu, na) = (self.actuators.len(), self.activations());
        for mut key in std::mem::take(&mut self.attached_keys) {
            let fill = |part: &mut Vec<f64>, size: usize, rest: f64| {
                if !part.is_empty() {
                    part.resize(size, rest);
                }
            };
            fill(&mut key.qpos, size.nq, f64::NAN);
            fill(&mut key.qvel, size.nv, 0.0);
            fill(&mut key.mpos, 3 * size.nmocap, f64::NAN);
            fill(&mut key.mquat, 4 * size.nmocap, f64::NAN);
            fill(&mut key.act, na, 0.0);
            fill(&mut key.ctrl, nu, 0.0);
            self.keys.push(key);
        }
    }

    /// Number of activations.
    pub(super) fn activations(&self) -> usize {
        self.actuators.iter().map(|actuator| actuator.activations()).sum()
    }

    /// Checks that keyframes are of the size of the state so far.
    pub(super) fn check_keys<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a Key>,
        above: StateSize,
        inside: StateSize,
    ) -> Result<(), Error> {
        let nmocap = above.nmocap + inside.nmocap;
        for key in keys {
            for (part, given, expected) in [
                ("qpos", &key.qpos, above.nq + inside.nq),
                ("qvel", &key.qvel, above.nv + inside.nv),
                ("act", &key.act, self.activations()),
                ("ctrl", &key.ctrl, self.actuators.len()),
                ("mpos", &key.mpos, 3 * nmocap),
                ("mquat", &key.mquat, 4 * nmocap),
            ] {
                if !given.is_empty() && given.len() != expected {
                    let count = given.len();
                    let message = format!("{part} has {count} numbers, expected {expected}");
                    let help = "keyframes are copied with bodies: they must be of the size of the \
                                model up to the first replicate, with one copy of what is in it";
                    return Err(key.src.error(message).attribute(part).help(help));
                }
            }
        }
        Ok(())
    }

    /// The keyframe that comes with a replica: what is above keeps its values, earlier replicas
    /// are at their reference as the file gives it, the replica itself has the values of the
    /// original.
    pub(super) fn replica_key(
        &self,
        key: &Key,
        name: String,
        (above, inside): (StateSize, StateSize),
        bodies: &[Id<Body>],
        earlier: usize,
        own: Option<usize>,
    ) -> Key {
        let reference = Reference::new(self, bodies);
        let part = |given: &[f64], above: usize, inside: usize, rest: &[f64]| {
            if given.is_empty() {
                return Vec::new();
            }
            let mut all = given[..above].to_vec();
            for _ in 0..earlier {
                all.extend_from_slice(rest);
            }
            if own.is_some() {
                all.extend_from_slice(&given[above..above + inside]);
            }
            all
        };
        Key {
            info: Info { name, src: key.src, ..Info::default() },
            time: key.time,
            qpos: part(&key.qpos, above.nq, inside.nq, &reference.qpos),
            qvel: part(&key.qvel, above.nv, inside.nv, &vec![0.0; inside.nv]),
            mpos: part(&key.mpos, 3 * above.nmocap, 3 * inside.nmocap, &reference.mpos),
            mquat: part(&key.mquat, 4 * above.nmocap, 4 * inside.nmocap, &reference.mquat),
            act: Vec::new(),
            ctrl: Vec::new(),
        }
    }
}

/// Activations and controls of the actuators that are left, given which are and how many
/// activations each has.
pub(super) fn remaining_controls(key: &Key, actuators: &[(bool, usize)]) -> (Vec<f64>, Vec<f64>) {
    let (mut act, mut ctrl) = (Vec::new(), Vec::new());
    let mut start = 0;
    for (id, &(kept, count)) in actuators.iter().enumerate() {
        if kept && !key.ctrl.is_empty() {
            ctrl.push(key.ctrl.get(id).copied().unwrap_or(0.0));
        }
        if kept && !key.act.is_empty() {
            act.extend((start..start + count).map(|i| key.act.get(i).copied().unwrap_or(0.0)));
        }
        start += count;
    }
    (act, ctrl)
}

impl Spec {
    /// Makes room in the keyframes for the state of bodies that come after those of size `above`:
    /// they are at their reference.
    pub(super) fn part_keys(&mut self, above: StateSize, new: StateSize) {
        let part = |values: &mut Vec<f64>, above: usize, new: usize, rest: f64| {
            // what is shorter is filled up when the model is compiled
            if values.len() > above {
                values.splice(above..above, std::iter::repeat_n(rest, new));
            }
        };
        let part_key = |key: &mut Key| {
            part(&mut key.qpos, above.nq, new.nq, f64::NAN);
            part(&mut key.qvel, above.nv, new.nv, 0.0);
            part(&mut key.mpos, 3 * above.nmocap, 3 * new.nmocap, f64::NAN);
            part(&mut key.mquat, 4 * above.nmocap, 4 * new.nmocap, f64::NAN);
        };
        self.keys.for_each_mut(part_key);
        self.attached_keys.iter_mut().for_each(part_key);
    }
}

/// Where the state of some bodies is in that of their model.
#[derive(Debug, Default)]
pub(super) struct StatePart {
    qpos: Vec<Range<usize>>,
    qvel: Vec<Range<usize>>,
    mocap: Vec<usize>,
}

impl StatePart {
    pub(super) fn size(&self) -> StateSize {
        StateSize {
            nq: self.qpos.iter().map(ExactSizeIterator::len).sum(),
            nv: self.qvel.iter().map(ExactSizeIterator::len).sum(),
            nmocap: self.mocap.len(),
        }
    }
}

impl Spec {
    /// Where the state of the bodies taken from the model is: see `bodies_taken`.
    pub(super) fn state_taken(
        &self,
        root: Id<Body>,
        bodies: &[Id<Body>],
        within: Option<&HashSet<Id<Frame>>>,
    ) -> StatePart {
        let bodies: HashSet<Id<Body>> = bodies.iter().copied().collect();
        let (mut part, mut at) = (StatePart::default(), StateSize::default());
        for body in self.tree() {
            let taken = bodies.contains(&body);
            for joint in self.in_body::<Joint>(&self[body]) {
                let (nq, nv) = (joint.kind.coordinates(), joint.kind.dofs());
                if taken && (body != root || takes(within, joint.frame)) {
                    part.qpos.push(at.nq..at.nq + nq);
                    part.qvel.push(at.nv..at.nv + nv);
                }
                (at.nq, at.nv) = (at.nq + nq, at.nv + nv);
            }
            if self[body].mocap {
                if taken && (body != root || within.is_none()) {
                    part.mocap.push(at.nmocap);
                }
                at.nmocap += 1;
            }
        }
        part
    }
}

/// The keyframe of an attached model, for the bodies that were taken.
pub(super) fn attached_key(key: &Key, name: String, above: StateSize, part: &StatePart) -> Key {
    let pick =
        |given: &[f64], above: usize, parts: &mut dyn Iterator<Item = Range<usize>>, rest| {
            if given.is_empty() {
                return Vec::new();
            }
            let mut all = vec![rest; above];
            // keyframes of attached models can be shorter than the state: the rest is reference
            all.extend(parts.flatten().filter_map(|i| given.get(i)));
            all
        };
    let mocap = |size: usize| part.mocap.iter().map(move |&i| size * i..size * (i + 1));
    Key {
        info: Info { name, src: key.src, ..Info::default() },
        time: key.time,
        qpos: pick(&key.qpos, above.nq, &mut part.qpos.iter().cloned(), f64::NAN),
        qvel: pick(&key.qvel, above.nv, &mut part.qvel.iter().cloned(), 0.0),
        mpos: pick(&key.mpos, 3 * above.nmocap, &mut mocap(3), f64::NAN),
        mquat: pick(&key.mquat, 4 * above.nmocap, &mut mocap(4), f64::NAN),
        act: Vec::new(),
        ctrl: Vec::new(),
    }
}

/// The reference of bodies in the units of the file, which is what the reference implementation
/// completes keyframes with: of each joint its reference value followed by zeros, of mocap bodies
/// their attributes.
struct Reference {
    qpos: Vec<f64>,
    mpos: Vec<f64>,
    mquat: Vec<f64>,
}

impl Reference {
    fn new(spec: &Spec, bodies: &[Id<Body>]) -> Reference {
        let mut out = Reference { qpos: Vec::new(), mpos: Vec::new(), mquat: Vec::new() };
        for &body in bodies {
            let body = &spec[body];
            for joint in spec.in_body::<Joint>(body) {
                out.qpos.push(joint.reference);
                out.qpos.extend(std::iter::repeat_n(0.0, joint.kind.coordinates() - 1));
            }
            if body.mocap {
                out.mpos.extend(body.pos.to_array());
                out.mquat.extend(body.orientation.quat.to_array());
            }
        }
        out
    }
}
