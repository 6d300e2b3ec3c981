//! Removing what does not matter for the dynamics: static bodies and visual geoms.
//!
//! The reference removes one static body after the other, and each time looks up by number what
//! names stood for at first. What those numbers find on the way, and in the end, is reproduced.

use std::collections::{HashMap, HashSet};

use sim_core::math::MINVAL;
use sim_core::model::{ObjType, SensorType, TrnType};

use super::bvh;
use super::fenwick::Fenwick;
use super::geom::Geom;
use super::inertia::{self, Mass};
use super::tree::{Body, Moved, Tree};
use crate::error::Error;
use crate::pose::Pose;
use crate::spec::{self, Element, Id, Spec, WrapKind};

/// Fuses bodies without joints with their parents, unless something refers to them by name.
pub(super) fn fuse_static<'a>(spec: &'a Spec, tree: &mut Tree<'a>) -> Result<(), Error> {
    let count = tree.bodies.len();
    let needs = Needs::new(spec);
    let mut lookups = Lookups::new(spec, tree);
    let mut builds: Vec<Vec<Build>> = vec![Vec::new(); count];

    // parents come first, so whatever a body is fused with is final when its turn comes
    let mut fused = vec![false; count];
    let mut remaining = count;
    for id in 1..count {
        let parent = tree.bodies[id].parent;
        if fused[parent] {
            let pose = tree.bodies[parent].pose;
            tree.bodies[id].parent = tree.bodies[parent].parent;
            tree.bodies[id].pose = pose.then(tree.bodies[id].pose);
        }
        let name = tree.bodies[id].spec.name.as_str();
        let needed = !name.is_empty()
            && (needs.before(name, id, remaining)
                || lookups.attempt(name, id, remaining, tree)
                || needs.after(name, id, remaining));
        let (before, after) = tree.bodies.split_at_mut(id);
        let body = &mut after[0];
        if needed || !body.joints.is_empty() || body.spec.mocap {
            continue;
        }
        fused[id] = true;
        remaining -= 1;

        let parent = body.parent;
        let into = &mut before[parent];
        builds[parent].push(Build { geoms: into.geoms.len(), frame: into.mass.pose });
        lookups.fuse(id, parent, body.geoms.len(), body.sites.len());
        let boxes = |geoms: &[Geom]| geoms.iter().any(Geom::collides);
        tree.spare_volumes += usize::from(boxes(&body.geoms) && boxes(&into.geoms));
        if parent > 0 && body.mass.mass >= MINVAL {
            into.mass = joined(into.mass, body.mass, body.pose)
                .ok_or_else(|| body.spec.error("fusing this body gives an impossible inertia"))?;
        }
        hand_over(body, into);
    }

    tree.moved = moved(spec, tree);
    for (body, builds) in tree.bodies.iter_mut().zip(&builds) {
        body.old_leaves = old_leaves(body, builds);
    }

    // renumber
    let mut ids = Vec::with_capacity(count);
    let mut next = 0;
    for &gone in &fused {
        ids.push(next);
        next += usize::from(!gone);
    }
    let mut gone = fused.iter();
    tree.bodies.retain(|_| gone.next() == Some(&false));
    for body in &mut tree.bodies {
        body.parent = ids[body.parent];
    }
    Ok(())
}

/// Moves what a body carries to another, in whose frame it is.
fn hand_over<'a>(body: &mut Body<'a>, into: &mut Body<'a>) {
    let frame = body.pose;
    into.margin = into.margin.max(body.margin);
    for mut geom in body.geoms.drain(..) {
        geom.pose = frame.then(geom.pose);
        into.geoms.push(geom);
    }
    for mut site in body.sites.drain(..) {
        site.pose = frame.then(site.pose);
        into.sites.push(site);
    }
    for mut camera in body.cameras.drain(..) {
        camera.pose = frame.then(camera.pose);
        into.cameras.push(camera);
    }
    for mut light in body.lights.drain(..) {
        light.moved_by(frame);
        into.lights.push(light);
    }
}

/// The mass of a body and of another fixed to it.
///
/// The inertia of the other is turned by its own axes only, not by those of its body, and the frame
/// of the body is applied inside the inertial frame: that is what the reference does.
fn joined(body: Mass, other: Mass, frame: Pose) -> Option<Mass> {
    let placed = other.pose.then(frame);
    let other = Mass { pose: Pose { pos: placed.pos, quat: other.pose.quat }, ..other };
    if body.mass + other.mass < MINVAL {
        return Some(Mass { mass: 0.0, pose: Pose::IDENTITY, inertia: Default::default() });
    }
    inertia::join(&[body, other])
}

/// What a hierarchy of bounding volumes was built over, before more geoms came.
#[derive(Clone, Copy)]
struct Build {
    geoms: usize,
    frame: Pose,
}

/// The geoms that inner nodes of the hierarchy had when they were leaves last.
fn old_leaves<'a>(body: &Body<'a>, builds: &[Build]) -> HashMap<usize, &'a spec::Geom> {
    let mut found = HashMap::new();
    // how many of the first geoms can collide
    let mut colliding = vec![0];
    for geom in &body.geoms {
        colliding.push(colliding[colliding.len() - 1] + usize::from(geom.collides()));
    }
    let total = colliding[colliding.len() - 1];
    let nodes = 0..(2 * total).saturating_sub(1);
    let mut open: Vec<usize> = nodes.filter(|&node| !bvh::is_leaf(total, node)).collect();
    for build in builds.iter().rev() {
        if open.is_empty() {
            break;
        }
        // the shape of the tree follows from the number of geoms, so most need no building
        let count = colliding[build.geoms];
        if !open.iter().any(|&node| bvh::is_leaf(count, node)) {
            continue;
        }
        let nodes = body.hierarchy_over(build.geoms, build.frame);
        open.retain(|&node| {
            let id = nodes.get(node).and_then(|node| usize::try_from(node.id).ok());
            id.map(|id| found.insert(node, body.geoms[id].spec)).is_none()
        });
    }
    found
}

/// Names of bodies that are looked up, in the order in which the reference resolves them: those
/// before sensors and tuples, and those of these.
struct Needs<'a> {
    early: Bodies<'a>,
    late: Bodies<'a>,
}

/// Some of the bodies.
struct Bodies<'a> {
    names: HashSet<&'a str>,
    /// Largest number of one of them.
    last: usize,
}

impl<'a> Bodies<'a> {
    fn new(spec: &Spec, names: HashSet<&'a str>) -> Bodies<'a> {
        let named = |&body: &Id<spec::Body>| {
            let name = spec[body].name.as_str();
            !name.is_empty() && names.contains(name)
        };
        let last = spec.tree().iter().rposition(named).unwrap_or(0);
        Bodies { names, last }
    }

    /// Whether one of the names is not found without the body: because it is that of the body, or
    /// because the number it had at first is out of range by now.
    fn lose(&self, name: &str, id: usize, remaining: usize) -> bool {
        self.names.contains(name) || (self.last > id && self.last >= remaining)
    }
}

impl<'a> Needs<'a> {
    fn new(spec: &'a Spec) -> Needs<'a> {
        let cameras = spec.cameras.iter().map(|camera| camera.target.as_str());
        let targets = cameras.chain(spec.lights.iter().map(|light| light.target.as_str()));
        let equalities = spec.equalities.iter().filter(|e| e.objtype == ObjType::Body);
        let equalities = equalities.flat_map(|e| [e.name1.as_str(), e.name2.as_str()]);
        let excludes = spec.excludes.iter().flat_map(|e| [e.body1.as_str(), e.body2.as_str()]);
        let actuators = spec.actuators.iter().filter(|actuator| actuator.trntype == TrnType::Body);
        let actuators = actuators.map(|actuator| actuator.target.as_str());
        let skins = spec.skins.iter().flat_map(|skin| &skin.bodyname).map(String::as_str);
        let early = targets.chain(equalities).chain(excludes).chain(actuators).chain(skins);
        let early = early.collect();
        let late = named(spec).filter(|(kind, _)| *kind == ObjType::Body);
        let mut late = Bodies::new(spec, late.map(|(_, name)| name).collect());
        let frames = named(spec).filter(|(kind, _)| *kind == ObjType::XBody);
        late.names.extend(frames.map(|(_, name)| name));
        Needs { early: Bodies::new(spec, early), late }
    }

    fn before(&self, name: &str, id: usize, remaining: usize) -> bool {
        self.early.lose(name, id, remaining)
    }

    fn after(&self, name: &str, id: usize, remaining: usize) -> bool {
        self.late.lose(name, id, remaining)
    }
}

/// The objects that sensors, then tuples, name.
fn named(spec: &Spec) -> impl Iterator<Item = (ObjType, &str)> {
    let sensors = spec.sensors.iter();
    let sensors = sensors.flat_map(|s| [(s.objtype, &*s.objname), (s.reftype, &*s.refname)]);
    let elements = spec.tuples.iter().flat_map(|tuple| &tuple.elements);
    sensors.chain(elements.map(|e| (e.objtype, &*e.objname)))
}

/// What sensors and tuples find by number whenever the reference tries to do without a body.
struct Lookups<'a> {
    geoms: Fenwick,
    sites: Fenwick,
    /// Numbers of the sites of force and torque sensors. A body with a name that one of them is on
    /// must stay, because the sensor reads the force between it and its parent.
    force_sites: Vec<usize>,
    /// What sensors look up; then what tuples do.
    sensors: Vec<Lookup<'a>>,
    tuples: Vec<Lookup<'a>>,
    /// Whether geoms have moved since they were looked up last.
    stale: bool,
}

/// A body by name, with its number at first, or a geom by number.
#[derive(Clone, Copy)]
enum Lookup<'a> {
    Body(&'a str, usize),
    Geom(usize),
}

impl<'a> Lookups<'a> {
    fn new(spec: &'a Spec, tree: &Tree) -> Lookups<'a> {
        let force = |kind| matches!(kind, SensorType::Force | SensorType::Torque);
        let sensors = spec.sensors.iter().filter(|sensor| force(sensor.kind));
        let wanted: HashSet<&str> = sensors.map(|sensor| sensor.objname.as_str()).collect();
        let order = spec.tree();
        let sites = spec.in_tree::<spec::Site>(&order).enumerate();
        let force_sites = sites.filter(|(_, site)| wanted.contains(&*site.name));
        let force_sites = force_sites.map(|(number, _)| number).collect();

        let geoms = spec.in_tree::<spec::Geom>(&order).enumerate();
        let numbers: HashMap<&str, usize> = match spec.compiler.discardvisual {
            true => geoms.map(|(number, geom)| (&*geom.name, number)).collect(),
            false => HashMap::new(), // nobody asks which geoms were found
        };
        let bodies = order.iter().map(|&body| &*spec[body].name).enumerate();
        let bodies: HashMap<&str, usize> = bodies.map(|(number, name)| (name, number)).collect();
        let lookup = |(kind, name): (ObjType, &'a str)| match kind {
            ObjType::Body => bodies.get(name).map(|&number| Lookup::Body(name, number)),
            ObjType::Geom => numbers.get(name).map(|&number| Lookup::Geom(number)),
            _ => None,
        };
        let sensors = 2 * spec.sensors.len();
        Lookups {
            geoms: Fenwick::new(tree.bodies.iter().map(|body| body.geoms.len())),
            sites: Fenwick::new(tree.bodies.iter().map(|body| body.sites.len())),
            force_sites,
            sensors: named(spec).take(sensors).filter_map(lookup).collect(),
            tuples: named(spec).skip(sensors).filter_map(lookup).collect(),
            stale: true,
        }
    }

    /// Looks everything up without the body called `name`, up to what is not found; returns whether
    /// a force sensor is on the body. Geoms that are found are not taken for visual any more.
    fn attempt(&mut self, name: &str, id: usize, remaining: usize, tree: &mut Tree) -> bool {
        let senses = self
            .force_sites
            .iter()
            .any(|&site| self.sites.find(site).is_some_and(|(body, _)| body == id));
        if !self.stale {
            return senses;
        }
        let tuples: &[Lookup] = if senses { &[] } else { &self.tuples };
        for lookup in self.sensors.iter().chain(tuples) {
            match *lookup {
                Lookup::Body(body, number)
                    if body == name || (number > id && number >= remaining) =>
                {
                    return senses;
                }
                Lookup::Body(..) => {}
                Lookup::Geom(number) => {
                    if let Some((body, i)) = self.geoms.find(number) {
                        tree.bodies[body].geoms[i].found = true;
                    }
                }
            }
        }
        self.stale = senses;
        senses
    }

    /// Notes that geoms and sites move from one body to another.
    fn fuse(&mut self, from: usize, to: usize, geoms: usize, sites: usize) {
        self.geoms.shift(from, to, geoms);
        self.sites.shift(from, to, sites);
        self.stale |= geoms > 0;
    }
}

/// Drops geoms that cannot collide and that nothing refers to.
pub(super) fn discard_visual(spec: &Spec, tree: &mut Tree) {
    let pairs = spec.pairs.iter().flat_map(|pair| [pair.geom1.as_str(), pair.geom2.as_str()]);
    let wraps = spec.tendons.iter().flat_map(|tendon| &tendon.path);
    let wraps = wraps.filter(|wrap| wrap.kind == WrapKind::Geom).map(|wrap| wrap.target.as_str());
    let others = named(spec).filter(|(kind, _)| *kind == ObjType::Geom).map(|(_, name)| name);
    let kept: HashSet<&str> = pairs.chain(wraps).chain(others).collect();
    let moved = |name: &str| tree.moved.geoms.get(name).map(|&geom| std::ptr::from_ref(geom));
    let found: HashSet<_> = kept.iter().copied().filter_map(moved).collect();
    for body in &mut tree.bodies {
        body.geoms.retain(|geom| {
            let name = geom.spec.name.as_str();
            geom.collides()
                || geom.found
                || (kept.contains(name) && !tree.moved.geoms.contains_key(name))
                || found.contains(&std::ptr::from_ref(geom.spec))
        });
    }
}

/// Names of geoms and sites whose numbers now belong to others.
fn moved<'a>(spec: &'a Spec, tree: &Tree<'a>) -> Moved<'a> {
    let mut moved = Moved::default();
    let order = spec.tree();
    macro_rules! compare {
        ($T:ident, $list:ident) => {
            let before = order.iter().flat_map(|&body| spec.in_body::<spec::$T>(&spec[body]));
            let after = tree.bodies.iter().flat_map(|body| &body.$list).map(|x| x.spec);
            for (object, found) in before.zip(after) {
                if !object.name.is_empty() && !std::ptr::eq(object, found) {
                    moved.$list.insert(&object.info.name, found);
                }
            }
        };
    }
    compare!(Geom, geoms);
    compare!(Site, sites);
    moved
}
