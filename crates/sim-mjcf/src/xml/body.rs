//! Bodies, frames and what is in them.

use sim_core::model::GeomType;

use super::attach::Replicate;
use super::document::{Children, Elem};
use super::scan::MAX_DEPTH;
use super::{Reader, attrs, repeated, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{Body, Frame, Inertial, Joint};

/// The elements of a body.
const KNOWN: [&str; 14] = [
    "body",
    "frame",
    "inertial",
    "joint",
    "freejoint",
    "geom",
    "site",
    "camera",
    "light",
    "replicate",
    "attach",
    "composite",
    "flexcomp",
    "plugin",
];

/// A body or frame whose elements are being read.
struct Level<'d, 'a> {
    children: Children<'d, 'a>,
    body: usize,
    frame: Option<usize>,
    /// Default class of the elements.
    class: usize,
    /// What to do with them in the end.
    replicate: Option<Replicate>,
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads the bodies of the world, depth first. A list of open levels takes the place of
    /// recursion, so that depth costs no stack.
    pub(super) fn worldbody(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        if self.spec.bodies[0].src == Default::default() {
            self.spec.bodies[0].src = section.pos();
        }
        let children = self.documents.children(section);
        let mut levels = vec![Level { children, body: 0, frame: None, class: 0, replicate: None }];
        while let Some(level) = levels.last_mut() {
            let Some(elem) = level.children.next() else {
                if let Some(replicate) = &level.replicate {
                    replicate.finish(&mut self.spec, level.body, level.frame)?;
                }
                levels.pop();
                continue;
            };
            let elem = elem?;
            let Level { body, frame, class, .. } = *level;
            match elem.name() {
                "body" => levels.push(self.body(elem, body, frame, class)?),
                "frame" => levels.push(self.frame(elem, body, frame, class)?),
                "replicate" => levels.push(self.replicate(elem, body, frame, class)?),
                _ => self.body_element(elem, body, frame, class)?,
            }
            if levels.len() > MAX_DEPTH {
                let message = format!("bodies are nested more than {MAX_DEPTH} levels deep");
                return Err(elem.error(message));
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        elem: Elem<'d, 'a>,
        parent: usize,
        frame: Option<usize>,
        class: usize,
    ) -> Result<Level<'d, 'a>, Error> {
        let mut body = Body { src: elem.pos(), parent, frame, ..Body::default() };
        self.attributes(elem, &mut body)?;
        body.class = body.childclass.unwrap_or(class);
        let class = body.class;
        self.spec.bodies.push(body);
        let body = self.spec.bodies.len() - 1;
        let children = self.documents.children(elem);
        Ok(Level { children, body, frame: None, class, replicate: None })
    }

    fn frame(
        &mut self,
        elem: Elem<'d, 'a>,
        body: usize,
        parent: Option<usize>,
        class: usize,
    ) -> Result<Level<'d, 'a>, Error> {
        let mut frame = Frame { src: elem.pos(), body, parent, ..Frame::default() };
        self.attributes(elem, &mut frame)?;
        let class = frame.childclass.unwrap_or(class);
        self.spec.frames.push(frame);
        let frame = Some(self.spec.frames.len() - 1);
        let children = self.documents.children(elem);
        Ok(Level { children, body, frame, class, replicate: None })
    }

    /// Reads what is replicated into a body of its own, with one frame around everything.
    fn replicate(
        &mut self,
        elem: Elem<'d, 'a>,
        parent: usize,
        frame: Option<usize>,
        class: usize,
    ) -> Result<Level<'d, 'a>, Error> {
        let src = elem.pos();
        let mut replicate = Replicate::new(src);
        self.attributes(elem, &mut replicate)?;
        let class = replicate.childclass.unwrap_or(class);
        self.spec.bodies.push(Body { src, parent, class, ..Body::default() });
        let body = self.spec.bodies.len() - 1;
        self.spec.frames.push(Frame { src, body, parent: frame, ..Frame::default() });
        let frame = Some(self.spec.frames.len() - 1);
        let children = self.documents.children(elem);
        Ok(Level { children, body, frame, class, replicate: Some(replicate) })
    }

    /// Reads an element that belongs to the body.
    fn body_element(
        &mut self,
        elem: Elem<'d, 'a>,
        body: usize,
        frame: Option<usize>,
        class: usize,
    ) -> Result<(), Error> {
        let src = elem.pos();
        match elem.name() {
            "inertial" => {
                if body == 0 {
                    return Err(elem.error("the world cannot have inertia"));
                }
                if self.spec.bodies[body].inertial.is_some() {
                    return Err(repeated(elem, "body"));
                }
                let inertial = self.new_leaf(elem, Inertial { src, ..Inertial::default() })?;
                self.spec.bodies[body].inertial = Some(inertial);
            }
            "joint" | "freejoint" => {
                if body == 0 {
                    let error = elem.error("the world cannot have joints");
                    return Err(error.help("put the joint inside a 'body'"));
                }
                let mut joint = if elem.name() == "freejoint" {
                    Joint { class, ..Joint::free() }
                } else {
                    self.spec.classes[self.class_of(elem, class)?].joint.clone()
                };
                (joint.src, joint.frame) = (src, frame);
                self.leaf(elem, &mut joint)?;
                self.spec.bodies[body].joints.push(joint);
            }
            "geom" => {
                let mut geom = self.spec.classes[self.class_of(elem, class)?].geom.clone();
                (geom.src, geom.frame) = (src, frame);
                self.attributes(elem, &mut geom)?;
                if let Some(child) = self.documents.children(elem).next() {
                    let child = child?;
                    return Err(match child.name() {
                        "plugin" => unsupported(child),
                        _ => unknown_element(child, "geom", &["plugin"]),
                    });
                }
                if let GeomType::Mesh | GeomType::Hfield | GeomType::Sdf = geom.kind {
                    let message = "geoms made of meshes, height fields or signed distance \
                                   functions are not supported yet";
                    return Err(elem.error(message).attribute("type"));
                }
                for (name, asset) in [("mesh", &geom.mesh), ("hfield", &geom.hfield)] {
                    if !asset.is_empty() {
                        let message = format!("the attribute '{name}' is not supported yet");
                        return Err(elem.error(message).attribute(name));
                    }
                }
                self.spec.bodies[body].geoms.push(geom);
            }
            "site" => {
                let mut site = self.spec.classes[self.class_of(elem, class)?].site.clone();
                (site.src, site.frame) = (src, frame);
                self.leaf(elem, &mut site)?;
                self.spec.bodies[body].sites.push(site);
            }
            "camera" => {
                let mut camera = self.spec.classes[self.class_of(elem, class)?].new_camera();
                (camera.src, camera.frame) = (src, frame);
                self.leaf(elem, &mut camera)?;
                self.spec.bodies[body].cameras.push(camera);
            }
            "light" => {
                let mut light = self.spec.classes[self.class_of(elem, class)?].light.clone();
                (light.src, light.frame) = (src, frame);
                self.leaf(elem, &mut light)?;
                self.spec.bodies[body].lights.push(light);
            }
            "attach" => self.attach(elem, body, frame)?,
            "composite" => self.composite(elem, body, frame, class)?,
            "flexcomp" | "plugin" => {
                return Err(unsupported(elem));
            }
            _ => {
                let parent =
                    elem.node.parent_element().map_or("body", |node| node.tag_name().name());
                return Err(unknown_element(elem, parent, &KNOWN));
            }
        }
        Ok(())
    }

    /// The class that the element names, or the one around it.
    pub(super) fn class_of(&self, elem: Elem<'d, 'a>, around: usize) -> Result<usize, Error> {
        Ok(attrs::find_class(elem, "class", &self.classes)?.unwrap_or(around))
    }
}
