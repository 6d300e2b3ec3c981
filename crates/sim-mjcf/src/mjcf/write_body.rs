//! Writing bodies, frames and what is in them.

use std::collections::{HashMap, HashSet};

use super::layout::{Layout, always_of_joint, shape_sizes, site_sizes};
use super::render::differences;
use super::write::Writer;
use crate::spec::{Body, Camera, Class, Frame, Geom, Id, Inertial, Joint, Light, Site, Spec};
use crate::xml::Opened;

/// A body or frame whose elements are being written.
struct Level {
    frame: Option<Id<Frame>>,
    /// The class around its elements.
    class: Id<Class>,
    /// The kind that comes next, by its position.
    kind: usize,
    /// What to close in the end; nothing for the world.
    opened: Option<(&'static str, Opened)>,
}

impl Writer<'_> {
    /// Writes the world and all bodies. A list of open levels takes the place of recursion, so that
    /// depth costs no stack.
    pub(super) fn world(&mut self) {
        let spec = self.spec;
        let section = self.out.open("worldbody", &[]);
        let mut bodies = vec![Contents::new(self, Body::WORLD)];
        let mut levels = vec![Level { frame: None, class: Class::MAIN, kind: 0, opened: None }];
        while let (Some(level), Some(contents)) = (levels.last_mut(), bodies.last_mut()) {
            let (frame, class) = (level.frame, level.class);
            if let Some(&kind) = KINDS.get(level.kind) {
                match contents.take(spec, kind, frame) {
                    None => level.kind += 1,
                    Some(i) if matches!(kind, Kind::Body) => {
                        let id = spec[contents.body].bodies[i];
                        let class = spec[id].childclass.unwrap_or(class);
                        let opened = Some(("body", self.open_body(&spec[id])));
                        bodies.push(Contents::new(self, id));
                        levels.push(Level { frame: None, class, kind: 0, opened });
                    }
                    Some(i) => self.body_element(&spec[contents.body], kind, i, class),
                }
            } else if let Some(inner) = contents.next_frame(spec, frame) {
                // what follows the frame comes after
                level.kind = 0;
                let class = spec[inner].childclass.unwrap_or(class);
                let opened = self.open_frame(inner, contents.opened.insert(inner));
                let opened = Some(("frame", opened));
                levels.push(Level { frame: Some(inner), class, kind: 0, opened });
            } else if let Some(done) = levels.pop() {
                if done.frame.is_none() {
                    bodies.pop();
                }
                if let Some((name, opened)) = done.opened {
                    self.out.close(name, &opened);
                }
            }
        }
        self.out.close_section("worldbody", &section);
    }
}

impl Writer<'_> {
    /// Writes the beginning of a body.
    fn open_body(&mut self, body: &Body) -> Opened {
        let (own, base) = (body.without_contents(), Body::default());
        let attributes = differences(own, base, false, &self.spec.classes);
        let opened = self.out.open("body", &attributes);
        if let Some(inertial) = &body.inertial {
            self.leaf("inertial", inertial.clone(), Inertial::default());
        }
        opened
    }

    /// Writes the beginning of a frame; one that is in two pieces keeps its name on the first.
    fn open_frame(&mut self, id: Id<Frame>, named: bool) -> Opened {
        let mut frame = self.spec[id].clone();
        if !named {
            frame.name.clear();
        }
        let attributes = differences(frame, Frame::default(), false, &self.spec.classes);
        self.out.open("frame", &attributes)
    }

    /// Writes an element that has nothing inside: the `i`th of its kind in a body.
    fn body_element(&mut self, body: &Body, kind: Kind, i: usize, around: Id<Class>) {
        let (spec, writer) = (self.spec, self);
        match kind {
            Kind::Joint if spec[body.joints[i]].freejoint => {
                writer.leaf("freejoint", spec[body.joints[i]].clone(), Joint::free());
            }
            Kind::Joint => {
                let joint = &spec[body.joints[i]];
                let base = spec.classes[joint.class].joint.clone();
                let always = match writer.layout {
                    Layout::AsGiven => &[],
                    Layout::Reference => always_of_joint(joint),
                };
                let classes = (joint.class, around);
                let attributes = writer.class_differences(classes, joint.clone(), base, always);
                writer.out.leaf("joint", &attributes);
            }
            Kind::Geom => {
                let geom = &spec[body.geoms[i]];
                let base = spec.classes[geom.class].geom.clone();
                let classes = (geom.class, around);
                let mut attributes = writer.class_differences(classes, geom.clone(), base, &[]);
                if writer.layout == Layout::Reference {
                    shape_sizes(&mut attributes, geom);
                }
                writer.out.leaf("geom", &attributes);
            }
            Kind::Site => {
                let site = &spec[body.sites[i]];
                let base = spec.classes[site.class].site.clone();
                let classes = (site.class, around);
                let always = writer.layout.always("site");
                let mut attributes = writer.class_differences(classes, site.clone(), base, always);
                if writer.layout == Layout::Reference {
                    site_sizes(&mut attributes, site);
                }
                writer.out.leaf("site", &attributes);
            }
            Kind::Camera => {
                let camera = &spec[body.cameras[i]];
                let base = spec.default_camera(camera.class);
                writer.of_class("camera", (camera.class, around), camera.clone(), base);
            }
            Kind::Light => {
                let light = &spec[body.lights[i]];
                let base = spec.classes[light.class].light.clone();
                writer.of_class("light", (light.class, around), light.clone(), base);
            }
            Kind::Body => {}
        }
    }
}

/// Kinds of element in a body, in the order in which they are written.
#[derive(Clone, Copy)]
enum Kind {
    Joint,
    Geom,
    Site,
    Camera,
    Light,
    Body,
}

const KINDS: [Kind; 6] =
    [Kind::Joint, Kind::Geom, Kind::Site, Kind::Camera, Kind::Light, Kind::Body];

/// What is still to write of the elements in a body.
///
/// The order among elements of the same kind is that of their ids and has to be kept, through all
/// frames: where the next element of some kind is inside a frame, the frame comes before.
struct Contents {
    body: Id<Body>,
    /// The frame of each element, by kind.
    frames: [Vec<Option<Id<Frame>>>; KINDS.len()],
    /// The next element of each kind.
    next: [usize; KINDS.len()],
    /// How many elements of each kind are still to come in the frames of the body, counting
    /// frames inside them.
    left: HashMap<Id<Frame>, [usize; KINDS.len()]>,
    /// Which frames were opened before.
    opened: HashSet<Id<Frame>>,
}

impl Contents {
    fn new(writer: &Writer<'_>, body: Id<Body>) -> Contents {
        let spec = writer.spec;
        let own = &spec[body];
        let frames = [
            spec.in_body::<Joint>(own).map(|joint| joint.frame).collect::<Vec<_>>(),
            spec.in_body::<Geom>(own).map(|geom| geom.frame).collect(),
            spec.in_body::<Site>(own).map(|site| site.frame).collect(),
            spec.in_body::<Camera>(own).map(|camera| camera.frame).collect(),
            spec.in_body::<Light>(own).map(|light| light.frame).collect(),
            spec.in_body::<Body>(own).map(|body| body.frame).collect(),
        ];
        let mut left: HashMap<_, [usize; KINDS.len()]> = HashMap::new();
        for (kind, list) in frames.iter().enumerate() {
            for frame in list.iter().flat_map(|&frame| spec.frames_around(frame)) {
                left.entry(frame).or_default()[kind] += 1;
            }
        }
        Contents { body, frames, next: [0; KINDS.len()], left, opened: HashSet::new() }
    }

    /// The next element of a kind if it is directly in the body or in the frame; it counts as written.
    fn take(&mut self, spec: &Spec, kind: Kind, frame: Option<Id<Frame>>) -> Option<usize> {
        let i = self.next[kind as usize];
        if self.frames[kind as usize].get(i) != Some(&frame) {
            return None;
        }
        self.next[kind as usize] += 1;
        for frame in spec.frames_around(frame) {
            if let Some(left) = self.left.get_mut(&frame) {
                left[kind as usize] -= 1;
            }
        }
        Some(i)
    }

    /// The frame inside the body or the frame that comes next, as far as the order allows.
    fn next_frame(&self, spec: &Spec, frame: Option<Id<Frame>>) -> Option<Id<Frame>> {
        let inside = |kind: Kind| {
            let list = &self.frames[kind as usize];
            let element = *list.get(self.next[kind as usize])?;
            spec.frames_around(element).find(|&f| spec[f].frame == frame)
        };
        // a frame is ready if nothing in it has to wait for something outside
        let ready = |inner: &Id<Frame>| {
            let left = &self.left[inner];
            KINDS.iter().all(|&k| left[k as usize] == 0 || inside(k) == Some(*inner))
        };
        let candidates = || KINDS.into_iter().filter_map(inside);
        candidates().find(ready).or_else(|| candidates().next())
    }
}
