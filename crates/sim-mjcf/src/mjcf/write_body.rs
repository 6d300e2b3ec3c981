//! Writing bodies, frames and what is in them.

use std::collections::{HashMap, HashSet};

use super::render::differences;
use super::write::Writer;
use crate::spec::{Body, Camera, Class, Frame, Geom, Id, Inertial, Joint, Light, Site};
use crate::xml::Opened;

impl Writer<'_> {
    pub(super) fn world(&mut self) {
        let opened = self.out.open("worldbody", &[]);
        Contents::new(self, Body::WORLD).write(self, None, Class::MAIN);
        self.out.close_section("worldbody", &opened);
    }

    /// Writes a body that stands among elements of the class `class`.
    fn body(&mut self, id: Id<Body>, class: Id<Class>) {
        let spec = self.spec;
        let body = &spec[id];
        let opened = self.open_body(body);
        Contents::new(self, id).write(self, None, body.childclass.unwrap_or(class));
        self.out.close("body", &opened);
    }
}

/// What follows has copies of elements on the stack, which must not be there while the bodies inside
/// are written: these can be many levels deep.
impl Writer<'_> {
    /// Writes the beginning of a body.
    #[inline(never)]
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
    #[inline(never)]
    fn open_frame(&mut self, id: Id<Frame>, named: bool) -> Opened {
        let mut frame = self.spec[id].clone();
        if !named {
            frame.name.clear();
        }
        let attributes = differences(frame, Frame::default(), false, &self.spec.classes);
        self.out.open("frame", &attributes)
    }

    /// Writes an element that has nothing inside: the `i`th of its kind in a body.
    #[inline(never)]
    fn body_element(&mut self, body: &Body, kind: Kind, i: usize, around: Id<Class>) {
        let (spec, writer) = (self.spec, self);
        match kind {
            Kind::Joint if spec[body.joints[i]].freejoint => {
                writer.leaf("freejoint", spec[body.joints[i]].clone(), Joint::free());
            }
            Kind::Joint => {
                let joint = &spec[body.joints[i]];
                let base = spec.classes[joint.class].joint.clone();
                writer.of_class("joint", (joint.class, around), joint.clone(), base);
            }
            Kind::Geom => {
                let geom = &spec[body.geoms[i]];
                let base = spec.classes[geom.class].geom.clone();
                writer.of_class("geom", (geom.class, around), geom.clone(), base);
            }
            Kind::Site => {
                let site = &spec[body.sites[i]];
                let base = spec.classes[site.class].site.clone();
                writer.of_class("site", (site.class, around), site.clone(), base);
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

    /// Writes what is directly in the body or in the frame, and the frames inside, as far as the
    /// order allows; `class` is the class around.
    fn write(&mut self, writer: &mut Writer<'_>, frame: Option<Id<Frame>>, class: Id<Class>) {
        loop {
            for kind in KINDS {
                while self.frames[kind as usize].get(self.next[kind as usize]) == Some(&frame) {
                    self.element(writer, kind, class);
                }
            }
            let inside = |kind: Kind| {
                let list = &self.frames[kind as usize];
                let element = *list.get(self.next[kind as usize])?;
                writer.spec.frames_around(element).find(|&f| writer.spec[f].frame == frame)
            };
            // a frame is ready if nothing in it has to wait for something outside
            let ready = |inner: &Id<Frame>| {
                let left = &self.left[inner];
                KINDS.iter().all(|&k| left[k as usize] == 0 || inside(k) == Some(*inner))
            };
            let candidates = || KINDS.into_iter().filter_map(inside);
            let Some(inner) = candidates().find(ready).or_else(|| candidates().next()) else {
                return;
            };
            self.frame(writer, inner, class);
        }
    }

    /// Writes a frame and what is in it.
    fn frame(&mut self, writer: &mut Writer<'_>, id: Id<Frame>, class: Id<Class>) {
        let class = writer.spec[id].childclass.unwrap_or(class);
        let opened = writer.open_frame(id, self.opened.insert(id));
        self.write(writer, Some(id), class);
        writer.out.close("frame", &opened);
    }

    /// Writes the next element of a kind.
    fn element(&mut self, writer: &mut Writer<'_>, kind: Kind, around: Id<Class>) {
        let spec = writer.spec;
        let body = &spec[self.body];
        let i = self.next[kind as usize];
        match kind {
            Kind::Body => writer.body(body.bodies[i], around),
            _ => writer.body_element(body, kind, i, around),
        }
        self.next[kind as usize] += 1;
        for frame in spec.frames_around(self.frames[kind as usize][i]) {
            if let Some(left) = self.left.get_mut(&frame) {
                left[kind as usize] -= 1;
            }
        }
    }
}
