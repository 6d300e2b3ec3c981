//! Copies of parts of a tree, in the same model or in another one: what `replicate` and `attach`
//! are made of.

use std::collections::{HashMap, HashSet};

use sim_core::math::{Quat, Vec3};
use sim_core::model::{JointType, ObjType};

use super::refer::Refers;
use super::{Body, Compiler, Frame, Key, Orientation, Spec};
use crate::error::{Error, Pos};

/// Elements that copies can add to a model.
pub(crate) const MAX_COPIES: usize = 1_000_000;

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

/// The names that there are.
#[derive(Debug, Default)]
pub(super) struct Known {
    names: HashMap<ObjType, HashSet<String>>,
}

impl Known {
    pub(super) fn add(&mut self, kind: ObjType, name: &str) {
        if !name.is_empty() {
            self.names.entry(kind).or_default().insert(name.to_owned());
        }
    }

    fn remove(&mut self, kind: ObjType, name: &str) {
        if let Some(names) = self.names.get_mut(&kind) {
            names.remove(name);
        }
    }

    pub(super) fn has(&self, kind: ObjType, name: &str) -> bool {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.names.get(&kind).is_some_and(|names| names.contains(name))
    }

    fn add_bodies(&mut self, bodies: &[Body]) {
        for body in bodies {
            self.add(ObjType::Body, &body.name);
            body.joints.iter().for_each(|x| self.add(ObjType::Joint, &x.name));
            body.geoms.iter().for_each(|x| self.add(ObjType::Geom, &x.name));
            body.sites.iter().for_each(|x| self.add(ObjType::Site, &x.name));
            body.cameras.iter().for_each(|x| self.add(ObjType::Camera, &x.name));
            body.lights.iter().for_each(|x| self.add(ObjType::Light, &x.name));
        }
    }

    fn new(spec: &Spec) -> Known {
        let mut known = Known::default();
        known.add_bodies(&spec.bodies);
        macro_rules! lists {
            ($($list:ident: $kind:ident),*) => {
                $(spec.$list.iter().for_each(|x| known.add(ObjType::$kind, &x.name));)*
            };
        }
        lists!(
            textures: Texture, materials: Material, pairs: Pair, excludes: Exclude,
            equalities: Equality, tendons: Tendon, actuators: Actuator, sensors: Sensor,
            numerics: Numeric, texts: Text, tuples: Tuple, keys: Key
        );
        known
    }
}

/// A part of a tree. Its first body is where it is cut off; bodies and frames are numbered from
/// there.
#[derive(Debug)]
struct Cutting {
    bodies: Vec<Body>,
    frames: Vec<Frame>,
}

impl Cutting {
    /// Takes over bodies and frames that have been numbered from `body` and `frame` on.
    fn new(mut bodies: Vec<Body>, mut frames: Vec<Frame>, body: usize, frame: usize) -> Cutting {
        let inside = |id: &mut Option<usize>| *id = id.and_then(|id| id.checked_sub(frame));
        for own in &mut bodies {
            own.parent = own.parent.saturating_sub(body);
            inside(&mut own.frame);
            own.joints.iter_mut().for_each(|x| inside(&mut x.frame));
            own.geoms.iter_mut().for_each(|x| inside(&mut x.frame));
            own.sites.iter_mut().for_each(|x| inside(&mut x.frame));
            own.cameras.iter_mut().for_each(|x| inside(&mut x.frame));
            own.lights.iter_mut().for_each(|x| inside(&mut x.frame));
        }
        for own in &mut frames {
            own.body = own.body.saturating_sub(body);
            inside(&mut own.parent);
        }
        Cutting { bodies, frames }
    }

    /// How many elements a copy adds; long names and user data count as several.
    fn weight(&self) -> usize {
        let mut bytes = 0;
        let mut count = self.frames.len();
        for body in &self.bodies {
            let lists = [
                body.joints.len(),
                body.geoms.len(),
                body.sites.len(),
                body.cameras.len(),
                body.lights.len(),
            ];
            count += 1 + lists.iter().sum::<usize>();
            bytes += body.name.len() + 8 * body.user.len();
            bytes += body.joints.iter().map(|x| x.name.len() + 8 * x.user.len()).sum::<usize>();
            bytes += body.geoms.iter().map(|x| x.name.len() + 8 * x.user.len()).sum::<usize>();
            bytes += body.sites.iter().map(|x| x.name.len() + 8 * x.user.len()).sum::<usize>();
            bytes += body.cameras.iter().map(|x| x.name.len() + 8 * x.user.len()).sum::<usize>();
        }
        count + bytes / 256
    }
}

/// Where and how a cutting is put in.
struct Graft<'a> {
    affix: Affix<'a>,
    /// The body that it goes into.
    into: usize,
    /// The frame around it.
    frame: Option<usize>,
    /// Whether the first body of the cutting becomes a body, or only what is in it is taken.
    whole: bool,
    /// Numbers of classes and compiler settings, if the cutting is from another model.
    foreign: Option<&'a Foreign>,
}

/// How what another model numbers is numbered here.
struct Foreign {
    /// The first of its classes.
    class: usize,
    /// Its compiler settings.
    compilers: Vec<usize>,
}

impl Foreign {
    fn compiler(&self, number: &mut usize) {
        *number = self.compilers.get(*number).copied().unwrap_or(0);
    }
}

/// Sizes of the state of a list of bodies.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct StateSize {
    nq: usize,
    nv: usize,
    nmocap: usize,
}

impl StateSize {
    fn of(bodies: &[Body]) -> StateSize {
        let mut size = StateSize::default();
        for body in bodies {
            for joint in &body.joints {
                let (nq, nv) = match joint.kind {
                    JointType::Free => (7, 6),
                    JointType::Ball => (4, 3),
                    JointType::Slide | JointType::Hinge => (1, 1),
                };
                size.nq += nq;
                size.nv += nv;
            }
            size.nmocap += usize::from(body.mocap);
        }
        size
    }
}

/// A copy of a `replicate`: pose of its frame, and what is added to names.
#[derive(Debug)]
pub(crate) struct Replica {
    pub pos: Vec3,
    pub quat: Quat,
    pub suffix: String,
}

impl Spec {
    /// Replaces the bodies from `first` on and the frames from `frame` on, which are all inside
    /// body `first`, by copies in its parent. The first frame is that of the copies. Everything
    /// that refers to what is copied is copied with it. `count` is the number of copies asked for, of
    /// which no more need to be given than are allowed.
    pub(crate) fn replicate(
        &mut self,
        first: usize,
        frame: usize,
        replicas: &[Replica],
        count: usize,
        src: Pos,
    ) -> Result<(), Error> {
        let before = Known::new(self);
        let bodies = self.bodies.split_off(first);
        let frames = self.frames.split_off(frame);
        let (into, outer) = (bodies[0].parent, frames[0].parent);
        let mut cutting = Cutting::new(bodies, frames, first, frame);
        cutting.frames[0].parent = None;
        self.grow(cutting.weight(), count, src)?;

        let above = StateSize::of(&self.bodies);
        let inside = StateSize::of(&cutting.bodies);
        let keys = std::mem::take(&mut self.keys);
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

        let mut known = before;
        let mut references = References::new(self);
        for (i, replica) in replicas.iter().enumerate() {
            let affix = Affix { prefix: "", suffix: &replica.suffix };
            for key in &keys {
                let name = affix.of(&key.name);
                let key = self.replica_key(key, name, (above, inside), &cutting, i, Some(i));
                self.attached_keys.push(key);
            }
            cutting.frames[0].pos = replica.pos;
            cutting.frames[0].orientation = Orientation { quat: replica.quat, alternative: None };
            let start = self.bodies.len();
            let graft = Graft { affix, into, frame: outer, whole: false, foreign: None };
            let elements = Elements::count(&self.bodies[into]);
            self.graft(&cutting, &graft);
            known.add_bodies(&self.bodies[start..]);
            elements.add_new(&self.bodies[into], &mut known);
            let added = references.copy(self, affix, &mut known);
            self.grow(added, 1, src)?;
        }

        // what refers to the original goes with it
        let old = {
            let mut old = Known::new(self);
            old.add_bodies(&cutting.bodies);
            old
        };
        let mut now = Known::new(self);
        macro_rules! retain {
            ($($list:ident: $kind:ident),*) => {$(
                let kept = &mut now;
                self.$list.retain(|element| {
                    let keep = element.resolves(kept) || !element.resolves(&old);
                    if !keep {
                        kept.remove(ObjType::$kind, &element.name);
                    }
                    keep
                });
            )*};
        }
        retain!(pairs: Pair, excludes: Exclude, tendons: Tendon, equalities: Equality);
        let actuators: Vec<(bool, usize)> = self
            .actuators
            .iter()
            .map(|x| (x.resolves(&now) || !x.resolves(&old), x.activations()))
            .collect();
        retain!(actuators: Actuator, sensors: Sensor);
        for key in &keys {
            let count = replicas.len();
            let mut last =
                self.replica_key(key, key.name.clone(), (above, inside), &cutting, count, None);
            (last.act, last.ctrl) = remaining_controls(key, &actuators);
            self.attached_keys.push(last);
        }
        Ok(())
    }

    /// Puts a body of another model, or all of it, into body `into`, with all that refers to what
    /// is taken over.
    pub(crate) fn attach(
        &mut self,
        model: &Spec,
        body: Option<usize>,
        into: usize,
        frame: usize,
        prefix: &str,
        src: Pos,
    ) -> Result<(), Error> {
        let affix = Affix { prefix, suffix: "" };
        let first = body.unwrap_or(0);
        let end = model.subtree_end(first);
        let frames: Vec<(usize, &Frame)> = model
            .frames
            .iter()
            .enumerate()
            .filter(|(_, x)| (first..end).contains(&x.body))
            .collect();
        let cutting = model.cutting(first, end, &frames);
        let outside = model.pairs.len()
            + model.excludes.len()
            + model.equalities.len()
            + model.tendons.iter().map(|tendon| 1 + tendon.path.len()).sum::<usize>()
            + model.actuators.len()
            + model.sensors.len()
            + model.tuples.iter().map(|tuple| 1 + tuple.elements.len()).sum::<usize>()
            + model.textures.len()
            + model.materials.len()
            + model.numerics.iter().map(|numeric| 1 + numeric.data.len() / 32).sum::<usize>()
            + model.texts.iter().map(|text| 1 + text.data.len() / 256).sum::<usize>()
            + model.classes.len();
        self.grow(cutting.weight() + outside, 1, src)?;

        // keyframes: those of the model by their new names, then those that it has from others
        let above = StateSize::of(&self.bodies);
        let skipped = StateSize::of(&model.bodies[..first]);
        let taken = StateSize::of(&model.bodies[first..end]);
        let all = StateSize::of(&model.bodies);
        model.check_keys(&model.keys, all, StateSize::default())?;
        let first_key = self.attached_keys.len();
        for key in &model.keys {
            self.attached_keys.push(attached_key(key, affix.of(&key.name), above, skipped, taken));
        }
        for key in &model.attached_keys {
            self.attached_keys.push(attached_key(key, key.name.clone(), above, skipped, taken));
        }

        let foreign = self.adopt(model, affix);
        let graft = Graft {
            affix,
            into,
            frame: Some(frame),
            whole: body.is_some(),
            foreign: Some(&foreign),
        };
        self.graft(&cutting, &graft);

        // assets and custom data
        for texture in &model.textures {
            let mut texture = texture.clone();
            affix.rename(&mut texture.name);
            foreign.compiler(&mut texture.compiler);
            self.textures.push(texture);
        }
        for material in &model.materials {
            let mut material = material.clone();
            affix.rename(&mut material.name);
            material.textures.iter_mut().for_each(|name| affix.rename(name));
            material.class += foreign.class;
            self.materials.push(material);
        }
        for numeric in &model.numerics {
            let mut numeric = numeric.clone();
            affix.rename(&mut numeric.name);
            self.numerics.push(numeric);
        }
        for text in &model.texts {
            let mut text = text.clone();
            affix.rename(&mut text.name);
            self.texts.push(text);
        }

        // what refers to something taken over, and to nothing else
        let mut known = Known::new(self);
        macro_rules! take {
            ($list:ident: $kind:ident) => {
                take!($list: $kind, |_copy| {})
            };
            ($list:ident: $kind:ident, |$copy:ident| $change:expr) => {{
                let mut taken = Vec::new();
                for (id, element) in model.$list.iter().enumerate() {
                    let mut $copy = element.clone();
                    affix.rename(&mut $copy.name);
                    if $copy.rename(affix, &known) {
                        $change;
                        taken.push((id, $copy));
                    }
                }
                let ids: Vec<usize> = taken.iter().map(|(id, _)| *id).collect();
                self.$list.extend(taken.into_iter().map(|(_, copy)| copy));
                let start = self.$list.len() - ids.len();
                self.$list[start..].iter().for_each(|x| known.add(ObjType::$kind, &x.name));
                ids
            }};
        }
        take!(pairs: Pair, |copy| copy.class += foreign.class);
        take!(excludes: Exclude);
        take!(tendons: Tendon, |copy| {
            copy.class += foreign.class;
            foreign.compiler(&mut copy.compiler);
            affix.rename(&mut copy.material);
        });
        take!(equalities: Equality, |copy| copy.class += foreign.class);
        let (nu, na) = (self.actuators.len(), self.activations());
        let actuators = take!(actuators: Actuator, |copy| {
            copy.class += foreign.class;
            foreign.compiler(&mut copy.compiler);
        });
        take!(sensors: Sensor);
        take!(tuples: Tuple);

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
        Ok(())
    }

    /// Puts the keyframes that came with other bodies after the model's own.
    pub(crate) fn settle_keys(&mut self) {
        if self.attached_keys.is_empty() {
            return;
        }
        let asked = usize::try_from(self.size.nkey).unwrap_or(0);
        if asked > self.keys.len() && asked <= MAX_COPIES {
            self.keys.resize(asked, Key::default());
        }
        let size = StateSize::of(&self.bodies);
        let (nu, na) = (self.actuators.len(), self.activations());
        for mut key in self.attached_keys.drain(..) {
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

    /// The id after the last body inside body `first`.
    fn subtree_end(&self, first: usize) -> usize {
        let mut end = first + 1;
        while end < self.bodies.len() && self.bodies[end].parent >= first {
            end += 1;
        }
        end
    }

    /// Copies the bodies from `first` to `end`, with the frames that are in them.
    fn cutting(&self, first: usize, end: usize, frames: &[(usize, &Frame)]) -> Cutting {
        let number: HashMap<usize, usize> =
            frames.iter().enumerate().map(|(new, (old, _))| (*old, new)).collect();
        let inside = |id: &mut Option<usize>| *id = id.and_then(|id| number.get(&id).copied());
        let mut bodies = self.bodies[first..end].to_vec();
        for body in &mut bodies {
            body.parent = body.parent.saturating_sub(first);
            inside(&mut body.frame);
            body.joints.iter_mut().for_each(|x| inside(&mut x.frame));
            body.geoms.iter_mut().for_each(|x| inside(&mut x.frame));
            body.sites.iter_mut().for_each(|x| inside(&mut x.frame));
            body.cameras.iter_mut().for_each(|x| inside(&mut x.frame));
            body.lights.iter_mut().for_each(|x| inside(&mut x.frame));
        }
        let mut frames: Vec<Frame> = frames.iter().map(|(_, frame)| (*frame).clone()).collect();
        for frame in &mut frames {
            frame.body -= first;
            inside(&mut frame.parent);
        }
        Cutting { bodies, frames }
    }

    /// Takes over the classes and compiler settings of another model.
    fn adopt(&mut self, model: &Spec, affix: Affix<'_>) -> Foreign {
        let first = self.classes.len();
        let mut names: HashSet<String> = self.classes.iter().map(|x| x.name.clone()).collect();
        for class in &model.classes {
            let mut class = class.clone();
            affix.rename(&mut class.name);
            while !names.insert(class.name.clone()) {
                class.name.push('_');
            }
            class.parent = Some(class.parent.map_or(0, |parent| parent + first));
            for own in [
                &mut class.joint.class,
                &mut class.geom.class,
                &mut class.site.class,
                &mut class.camera.class,
                &mut class.light.class,
                &mut class.material.class,
                &mut class.pair.class,
                &mut class.equality.class,
                &mut class.tendon.class,
                &mut class.actuator.class,
            ] {
                *own += first;
            }
            self.classes.push(class);
        }
        let compilers = std::iter::once(&model.compiler).chain(&model.attached_compilers);
        Foreign { class: first, compilers: compilers.map(|x| self.compiler_number(x)).collect() }
    }

    /// The number of some compiler settings, which become part of the model if they are new.
    fn compiler_number(&mut self, compiler: &Compiler) -> usize {
        if *compiler == self.compiler {
            return 0;
        }
        let known = self.attached_compilers.iter().position(|known| known == compiler);
        1 + known.unwrap_or_else(|| {
            self.attached_compilers.push(compiler.clone());
            self.attached_compilers.len() - 1
        })
    }

    /// Adds a copy of a cutting.
    fn graft(&mut self, cutting: &Cutting, graft: &Graft<'_>) {
        let Graft { affix, into, frame, whole, foreign } = *graft;
        let (first_body, first_frame) = (self.bodies.len(), self.frames.len());
        let body_id = |id: usize| match (whole, id) {
            (true, id) => first_body + id,
            (false, 0) => into,
            (false, id) => first_body + id - 1,
        };
        // elements of the first body are in the frame around unless the body comes along
        let frame_id = |id: Option<usize>, body: usize| match id {
            Some(id) => Some(first_frame + id),
            None if body == 0 && !whole => frame,
            None => None,
        };
        let class = |id: &mut usize| {
            if let Some(foreign) = foreign {
                *id += foreign.class;
            }
        };
        let compiler = |number: &mut usize| {
            if let Some(foreign) = foreign {
                foreign.compiler(number);
            }
        };

        for own in &cutting.frames {
            let mut copy = own.clone();
            affix.rename(&mut copy.name);
            copy.parent = frame_id(own.parent, own.body);
            copy.body = body_id(own.body);
            copy.childclass.iter_mut().for_each(class);
            compiler(&mut copy.compiler);
            self.frames.push(copy);
        }
        for (id, own) in cutting.bodies.iter().enumerate() {
            let mut copy = own.clone();
            macro_rules! elements {
                ($($list:ident),*) => {$(
                    for x in &mut copy.$list {
                        affix.rename(&mut x.name);
                        x.frame = frame_id(x.frame, id);
                        class(&mut x.class);
                        compiler(&mut x.compiler);
                    }
                )*};
            }
            elements!(joints, geoms, sites, cameras, lights);
            if foreign.is_some() {
                for geom in &mut copy.geoms {
                    affix.rename(&mut geom.material);
                    affix.rename(&mut geom.mesh);
                    affix.rename(&mut geom.hfield);
                }
                copy.sites.iter_mut().for_each(|site| affix.rename(&mut site.material));
            }
            copy.cameras.iter_mut().for_each(|camera| affix.rename(&mut camera.target));
            for light in &mut copy.lights {
                affix.rename(&mut light.target);
                affix.rename(&mut light.texture);
            }

            if id == 0 && !whole {
                let target = &mut self.bodies[into];
                target.joints.append(&mut copy.joints);
                target.geoms.append(&mut copy.geoms);
                target.sites.append(&mut copy.sites);
                target.cameras.append(&mut copy.cameras);
                target.lights.append(&mut copy.lights);
                continue;
            }
            affix.rename(&mut copy.name);
            (copy.parent, copy.frame) = match id {
                0 => (into, frame),
                _ => (body_id(own.parent), frame_id(own.frame, own.parent)),
            };
            class(&mut copy.class);
            copy.childclass.iter_mut().for_each(class);
            compiler(&mut copy.compiler);
            self.bodies.push(copy);
        }
    }

    /// Counts what is about to be copied, and refuses what is too much.
    fn grow(&mut self, weight: usize, count: usize, src: Pos) -> Result<(), Error> {
        self.copied = self.copied.saturating_add(weight.saturating_mul(count));
        if self.copied <= MAX_COPIES {
            return Ok(());
        }
        let message = format!(
            "{count} copies of {weight} elements make {} copied elements: the limit is {MAX_COPIES}",
            self.copied
        );
        Err(src.error(message))
    }

    /// Number of activations.
    fn activations(&self) -> usize {
        self.actuators.iter().map(|actuator| actuator.activations()).sum()
    }

    /// Checks that keyframes are of the size of the state so far.
    fn check_keys(&self, keys: &[Key], above: StateSize, inside: StateSize) -> Result<(), Error> {
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
    fn replica_key(
        &self,
        key: &Key,
        name: String,
        (above, inside): (StateSize, StateSize),
        cutting: &Cutting,
        earlier: usize,
        own: Option<usize>,
    ) -> Key {
        let reference = Reference::new(&cutting.bodies);
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
            name,
            src: key.src,
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
fn remaining_controls(key: &Key, actuators: &[(bool, usize)]) -> (Vec<f64>, Vec<f64>) {
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

/// The keyframe of an attached model, for the bodies that were taken.
fn attached_key(
    key: &Key,
    name: String,
    above: StateSize,
    skipped: StateSize,
    taken: StateSize,
) -> Key {
    let part = |given: &[f64], above: usize, skipped: usize, taken: usize, rest: f64| {
        if given.is_empty() {
            return Vec::new();
        }
        let mut all = vec![rest; above];
        all.extend(given.iter().skip(skipped).take(taken));
        all
    };
    Key {
        name,
        src: key.src,
        time: key.time,
        qpos: part(&key.qpos, above.nq, skipped.nq, taken.nq, f64::NAN),
        qvel: part(&key.qvel, above.nv, skipped.nv, taken.nv, 0.0),
        mpos: part(&key.mpos, 3 * above.nmocap, 3 * skipped.nmocap, 3 * taken.nmocap, f64::NAN),
        mquat: part(&key.mquat, 4 * above.nmocap, 4 * skipped.nmocap, 4 * taken.nmocap, f64::NAN),
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
    fn new(bodies: &[Body]) -> Reference {
        let mut out = Reference { qpos: Vec::new(), mpos: Vec::new(), mquat: Vec::new() };
        for body in bodies {
            for joint in &body.joints {
                out.qpos.push(joint.reference);
                let rest = match joint.kind {
                    JointType::Free => 6,
                    JointType::Ball => 3,
                    JointType::Slide | JointType::Hinge => 0,
                };
                out.qpos.extend(std::iter::repeat_n(0.0, rest));
            }
            if body.mocap {
                out.mpos.extend(body.pos.to_array());
                out.mquat.extend(body.orientation.quat.to_array());
            }
        }
        out
    }
}

/// How many elements a body has.
struct Elements {
    joints: usize,
    geoms: usize,
    sites: usize,
    cameras: usize,
    lights: usize,
}

impl Elements {
    fn count(body: &Body) -> Elements {
        Elements {
            joints: body.joints.len(),
            geoms: body.geoms.len(),
            sites: body.sites.len(),
            cameras: body.cameras.len(),
            lights: body.lights.len(),
        }
    }

    /// Adds the names of the elements that have come since.
    fn add_new(&self, body: &Body, known: &mut Known) {
        body.joints[self.joints..].iter().for_each(|x| known.add(ObjType::Joint, &x.name));
        body.geoms[self.geoms..].iter().for_each(|x| known.add(ObjType::Geom, &x.name));
        body.sites[self.sites..].iter().for_each(|x| known.add(ObjType::Site, &x.name));
        body.cameras[self.cameras..].iter().for_each(|x| known.add(ObjType::Camera, &x.name));
        body.lights[self.lights..].iter().for_each(|x| known.add(ObjType::Light, &x.name));
    }
}

/// Which of the elements outside the tree can give rise to copies.
struct References {
    pairs: Vec<usize>,
    excludes: Vec<usize>,
    tendons: Vec<usize>,
    equalities: Vec<usize>,
    actuators: Vec<usize>,
    sensors: Vec<usize>,
    tuples: Vec<usize>,
}

impl References {
    fn new(spec: &Spec) -> References {
        References {
            pairs: (0..spec.pairs.len()).collect(),
            excludes: (0..spec.excludes.len()).collect(),
            tendons: (0..spec.tendons.len()).collect(),
            equalities: (0..spec.equalities.len()).collect(),
            actuators: (0..spec.actuators.len()).collect(),
            sensors: (0..spec.sensors.len()).collect(),
            tuples: (0..spec.tuples.len()).collect(),
        }
    }

    /// Copies what refers to something that has just been copied; returns how many elements.
    fn copy(&mut self, spec: &mut Spec, affix: Affix<'_>, known: &mut Known) -> usize {
        let mut added = 0;
        macro_rules! lists {
            ($($list:ident: $kind:ident),*) => {$(
                let start = spec.$list.len();
                for i in 0..self.$list.len() {
                    let mut copy = spec.$list[self.$list[i]].clone();
                    if copy.rename(affix, known) {
                        affix.rename(&mut copy.name);
                        // what refers to nothing is copied again and again
                        if copy.is_free() {
                            self.$list.push(spec.$list.len());
                        }
                        spec.$list.push(copy);
                    }
                }
                added += spec.$list.len() - start;
                spec.$list[start..].iter().for_each(|x| known.add(ObjType::$kind, &x.name));
            )*};
        }
        lists!(pairs: Pair, excludes: Exclude, tendons: Tendon, equalities: Equality);
        lists!(actuators: Actuator, sensors: Sensor, tuples: Tuple);
        added
    }
}
