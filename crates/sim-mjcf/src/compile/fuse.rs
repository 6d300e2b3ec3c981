//! Removing what does not matter for the dynamics: static bodies and visual geoms.

use std::collections::HashSet;

use sim_core::math::MINVAL;
use sim_core::model::{ObjType, SensorType, TrnType};

use super::geom::Geom;
use super::inertia::{self, Mass};
use super::pose::Pose;
use super::tree::{Body, Moved, Tree};
use crate::error::Error;
use crate::spec::{Spec, WrapKind};

/// Fuses bodies without joints with their parents, unless something refers to them by name.
pub(super) fn fuse_static<'a>(spec: &'a Spec, tree: &mut Tree<'a>) -> Result<(), Error> {
    let targets = spec.bodies.iter().flat_map(|body| {
        let cameras = body.cameras.iter().map(|camera| camera.target.as_str());
        cameras.chain(body.lights.iter().map(|light| light.target.as_str()))
    });
    let by_name: HashSet<&str> =
        referenced(spec, ObjType::Body).into_iter().chain(targets).chain(tied(spec)).collect();
    let kept: HashSet<&str> = referenced(spec, ObjType::XBody).union(&by_name).copied().collect();
    // the reference compares the original number of what is referred to with the shrinking number
    // of bodies, and keeps all named bodies before one that is out of range
    let last_referenced = tree
        .bodies
        .iter()
        .rposition(|body| !body.spec.name.is_empty() && by_name.contains(body.spec.name.as_str()))
        .unwrap_or(0);

    let force_sites = force_sites(spec);

    // parents come first, so whatever a body is fused with is final when its turn comes
    let count = tree.bodies.len();
    let mut fused = vec![false; count];
    let mut remaining = count;
    for id in 1..count {
        let parent = tree.bodies[id].parent;
        if fused[parent] {
            let pose = tree.bodies[parent].pose;
            tree.bodies[id].parent = tree.bodies[parent].parent;
            tree.bodies[id].pose = pose.then(tree.bodies[id].pose);
        }
        let senses = force_sites.iter().any(|&site| holder(tree, site) == Some(id));
        let (before, after) = tree.bodies.split_at_mut(id);
        let body = &mut after[0];
        let name = body.spec.name.as_str();
        let out_of_range = last_referenced > id && last_referenced >= remaining;
        let needed = !name.is_empty() && (kept.contains(name) || out_of_range || senses);
        if needed || !body.joints.is_empty() || body.spec.mocap {
            continue;
        }
        fused[id] = true;
        remaining -= 1;

        let frame = body.pose;
        let into = &mut before[body.parent];
        let boxes = |geoms: &[Geom]| geoms.iter().any(Geom::collides);
        remember_leaves(into);
        tree.spare_volumes += usize::from(boxes(&body.geoms) && boxes(&into.geoms));
        if body.parent > 0 && body.mass.mass >= MINVAL {
            into.mass = joined(into.mass, body.mass, frame).ok_or_else(|| {
                body.spec.src.error("fusing this body gives an impossible inertia")
            })?;
        }
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

    tree.moved = moved(spec, tree);

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

/// Notes the leaves of the hierarchy of a body that is about to get more geoms.
fn remember_leaves(body: &mut Body) {
    for (i, node) in body.hierarchy().into_iter().enumerate() {
        if body.old_leaves.len() <= i {
            body.old_leaves.push(None);
        }
        if let Ok(geom) = usize::try_from(node.id) {
            body.old_leaves[i] = Some(body.geoms[geom].spec);
        }
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

/// Drops geoms that cannot collide and that nothing refers to.
pub(super) fn discard_visual(spec: &Spec, tree: &mut Tree) {
    let kept = referenced(spec, ObjType::Geom);
    let moved = |name: &str| tree.moved.geoms.get(name).map(|&geom| std::ptr::from_ref(geom));
    let found: HashSet<_> = kept.iter().copied().filter_map(moved).collect();
    for body in &mut tree.bodies {
        body.geoms.retain(|geom| {
            let name = geom.spec.name.as_str();
            geom.collides()
                || (kept.contains(name) && !tree.moved.geoms.contains_key(name))
                || found.contains(&std::ptr::from_ref(geom.spec))
        });
    }
}

/// Names of objects of a kind that something refers to.
fn referenced(spec: &Spec, kind: ObjType) -> HashSet<&str> {
    let elements = spec.tuples.iter().flat_map(|tuple| &tuple.elements);
    let elements = elements.filter(|e| e.objtype == kind).map(|e| e.objname.as_str());
    let objects = spec.sensors.iter().filter(|s| s.objtype == kind).map(|s| s.objname.as_str());
    let frames = spec.sensors.iter().filter(|s| s.reftype == kind).map(|s| s.refname.as_str());
    let pairs = spec.pairs.iter().filter(|_| kind == ObjType::Geom);
    let pairs = pairs.flat_map(|pair| [pair.geom1.as_str(), pair.geom2.as_str()]);
    let mut names: HashSet<&str> = elements.chain(objects).chain(frames).chain(pairs).collect();
    if kind == ObjType::Body {
        let actuators = spec.actuators.iter().filter(|actuator| actuator.trntype == TrnType::Body);
        names.extend(actuators.map(|actuator| actuator.target.as_str()));
    }
    if kind == ObjType::Geom {
        let wraps = spec.tendons.iter().flat_map(|tendon| &tendon.path);
        let geoms = wraps.filter(|wrap| wrap.kind == WrapKind::Geom);
        names.extend(geoms.map(|wrap| wrap.target.as_str()));
    }
    names
}

/// Names of bodies that equality constraints and excludes refer to.
fn tied(spec: &Spec) -> impl Iterator<Item = &str> {
    let equalities = spec.equalities.iter().filter(|e| e.objtype == ObjType::Body);
    let equalities = equalities.flat_map(|e| [e.name1.as_str(), e.name2.as_str()]);
    let excludes = spec.excludes.iter().flat_map(|e| [e.body1.as_str(), e.body2.as_str()]);
    equalities.chain(excludes)
}

/// Numbers of the sites of force and torque sensors: a body with a name that one of them is on
/// must stay, because the sensor reads the force between it and its parent.
fn force_sites(spec: &Spec) -> Vec<usize> {
    let force = |kind| matches!(kind, SensorType::Force | SensorType::Torque);
    let sensors = spec.sensors.iter().filter(|sensor| force(sensor.kind));
    let wanted: HashSet<&str> = sensors.map(|sensor| sensor.objname.as_str()).collect();
    if wanted.is_empty() {
        return Vec::new();
    }
    let sites = spec.bodies.iter().flat_map(|body| &body.sites).enumerate();
    sites.filter(|(_, site)| wanted.contains(site.name.as_str())).map(|(i, _)| i).collect()
}

/// The body that has the site of the given number, counting those that are there now.
fn holder(tree: &Tree, mut site: usize) -> Option<usize> {
    tree.bodies.iter().position(|body| {
        let here = site < body.sites.len();
        site = site.saturating_sub(body.sites.len());
        here
    })
}

/// Names of geoms and sites whose numbers now belong to others.
fn moved<'a>(spec: &'a Spec, tree: &Tree<'a>) -> Moved<'a> {
    let mut moved = Moved::default();
    macro_rules! compare {
        ($list:ident) => {
            let before = spec.bodies.iter().flat_map(|body| &body.$list);
            let after = tree.bodies.iter().flat_map(|body| &body.$list).map(|x| x.spec);
            for (object, found) in before.zip(after) {
                if !object.name.is_empty() && !std::ptr::eq(object, found) {
                    moved.$list.insert(&object.name, found);
                }
            }
        };
    }
    compare!(geoms);
    compare!(sites);
    moved
}
