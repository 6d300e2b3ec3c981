//! Writing bodies, frames and what is in them.

use super::render::differences;
use super::write::Writer;
use crate::spec::{Body, Frame, Inertial, Joint};

impl Writer<'_> {
    pub(super) fn world(&mut self) {
        let opened = self.out.open("worldbody", &[]);
        Contents::new(self, 0).write(self, None, 0);
        self.out.close_section("worldbody", &opened);
    }

    /// Writes a body that stands among elements of the class `class`.
    fn body(&mut self, id: usize, class: usize) {
        let spec = self.spec;
        let body = &spec.bodies[id];
        let attributes = differences(bare(body), Body::default(), false, &spec.classes);
        let opened = self.out.open("body", &attributes);
        if let Some(inertial) = &body.inertial {
            self.leaf("inertial", inertial.clone(), Inertial::default());
        }
        Contents::new(self, id).write(self, None, body.childclass.unwrap_or(class));
        self.out.close("body", &opened);
    }
}

/// A body without what it carries.
fn bare(body: &Body) -> Body {
    Body {
        name: body.name.clone(),
        childclass: body.childclass,
        pos: body.pos,
        orientation: body.orientation,
        mocap: body.mocap,
        gravcomp: body.gravcomp,
        sleep: body.sleep,
        user: body.user.clone(),
        ..Body::default()
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
    body: usize,
    /// The frame of each element, by kind.
    frames: [Vec<Option<usize>>; KINDS.len()],
    /// The next element of each kind.
    next: [usize; KINDS.len()],
    /// How many elements of each kind are still to come in the frames of the body, counting
    /// frames inside them; indexed from `first`.
    left: Vec<[usize; KINDS.len()]>,
    /// Which frames were opened before, indexed from `first`.
    opened: Vec<bool>,
    /// The first frame of the body.
    first: usize,
}

impl Contents {
    fn new(writer: &Writer<'_>, body: usize) -> Contents {
        let spec = writer.spec;
        let own = &spec.bodies[body];
        let frames = [
            own.joints.iter().map(|joint| joint.frame).collect::<Vec<_>>(),
            own.geoms.iter().map(|geom| geom.frame).collect(),
            own.sites.iter().map(|site| site.frame).collect(),
            own.cameras.iter().map(|camera| camera.frame).collect(),
            own.lights.iter().map(|light| light.frame).collect(),
            writer.children[body].iter().map(|&child| spec.bodies[child].frame).collect(),
        ];
        // a frame comes after those around it
        let used = || frames.iter().flatten().flatten().flat_map(|&f| chain(&spec.frames, f));
        let first = used().min().unwrap_or(0);
        let end = used().max().map_or(0, |last| last + 1);
        let mut left = vec![[0; KINDS.len()]; end - first.min(end)];
        for (kind, list) in frames.iter().enumerate() {
            for frame in list.iter().flatten().flat_map(|&f| chain(&spec.frames, f)) {
                left[frame - first][kind] += 1;
            }
        }
        let opened = vec![false; left.len()];
        Contents { body, frames, next: [0; KINDS.len()], left, opened, first }
    }

    /// Writes what is directly in the body or in the frame, and the frames inside, as far as the
    /// order allows; `class` is the class around.
    fn write(&mut self, writer: &mut Writer<'_>, frame: Option<usize>, class: usize) {
        loop {
            for kind in KINDS {
                while self.frames[kind as usize].get(self.next[kind as usize]) == Some(&frame) {
                    self.element(writer, kind, class);
                }
            }
            let inside = |kind: Kind| {
                let list = &self.frames[kind as usize];
                let element = *list.get(self.next[kind as usize])?;
                chain(&writer.spec.frames, element?)
                    .find(|&f| writer.spec.frames[f].parent == frame)
            };
            // a frame is ready if nothing in it has to wait for something outside
            let ready = |&inner: &usize| {
                let left = &self.left[inner - self.first];
                KINDS.iter().all(|&k| left[k as usize] == 0 || inside(k) == Some(inner))
            };
            let candidates = || KINDS.into_iter().filter_map(inside);
            let Some(inner) = candidates().find(ready).or_else(|| candidates().next()) else {
                return;
            };
            self.frame(writer, inner, class);
        }
    }

    /// Writes a frame and what is in it.
    fn frame(&mut self, writer: &mut Writer<'_>, id: usize, class: usize) {
        let mut frame = writer.spec.frames[id].clone();
        let class = frame.childclass.unwrap_or(class);
        // a frame that is in two pieces keeps its name on the first
        if std::mem::replace(&mut self.opened[id - self.first], true) {
            frame.name.clear();
        }
        let attributes = differences(frame, Frame::default(), false, &writer.spec.classes);
        let opened = writer.out.open("frame", &attributes);
        self.write(writer, Some(id), class);
        writer.out.close("frame", &opened);
    }

    /// Writes the next element of a kind.
    fn element(&mut self, writer: &mut Writer<'_>, kind: Kind, around: usize) {
        let spec = writer.spec;
        let body = &spec.bodies[self.body];
        let i = self.next[kind as usize];
        match kind {
            Kind::Joint if body.joints[i].freejoint => {
                writer.leaf("freejoint", body.joints[i].clone(), Joint::free());
            }
            Kind::Joint => {
                let joint = &body.joints[i];
                let base = spec.classes[joint.class].joint.clone();
                writer.of_class("joint", (joint.class, around), joint.clone(), base);
            }
            Kind::Geom => {
                let geom = &body.geoms[i];
                let base = spec.classes[geom.class].geom.clone();
                writer.of_class("geom", (geom.class, around), geom.clone(), base);
            }
            Kind::Site => {
                let site = &body.sites[i];
                let base = spec.classes[site.class].site.clone();
                writer.of_class("site", (site.class, around), site.clone(), base);
            }
            Kind::Camera => {
                let camera = &body.cameras[i];
                let base = spec.classes[camera.class].new_camera();
                writer.of_class("camera", (camera.class, around), camera.clone(), base);
            }
            Kind::Light => {
                let light = &body.lights[i];
                let base = spec.classes[light.class].light.clone();
                writer.of_class("light", (light.class, around), light.clone(), base);
            }
            Kind::Body => writer.body(writer.children[self.body][i], around),
        }
        self.next[kind as usize] += 1;
        if let Some(frame) = self.frames[kind as usize][i] {
            for frame in chain(&spec.frames, frame) {
                self.left[frame - self.first][kind as usize] -= 1;
            }
        }
    }
}

/// A frame and those around it, from the inside out.
fn chain(frames: &[Frame], frame: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(frame), |&frame| frames[frame].parent)
}
