//! Bodies, frames and what is in them.

use super::attach::Replicate;
use super::{Reader, attrs, repeated, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{Body, Class, Frame, Geom, Id, Inertial, Info, Joint, Light, Site};
use crate::xml::MAX_DEPTH;
use crate::xml::{Children, Elem};

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
struct Scope<'d, 'a> {
    children: Children<'d, 'a>,
    body: Id<Body>,
    frame: Option<Id<Frame>>,
    /// Default class of the elements.
    class: Id<Class>,
    /// What to do with them in the end.
    replicate: Option<Replicate>,
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads the bodies of the world, depth first. A list of open scopes takes the place of
    /// recursion, so that depth costs no stack.
    pub(super) fn worldbody(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        let world = &mut self.spec[Body::WORLD];
        if world.src == Default::default() {
            world.src = section.pos();
        }
        let children = self.documents.children(section);
        let outermost =
            Scope { children, body: Body::WORLD, frame: None, class: Class::MAIN, replicate: None };
        let mut scopes = vec![outermost];
        while let Some(scope) = scopes.last_mut() {
            let Some(elem) = scope.children.next() else {
                if let Some(replicate) = &scope.replicate {
                    replicate.finish(&mut self.spec, scope.body, scope.frame)?;
                }
                scopes.pop();
                continue;
            };
            let elem = elem?;
            let Scope { body, frame, class, .. } = *scope;
            match elem.name() {
                "body" => scopes.push(self.body(elem, body, frame, class)?),
                "frame" => scopes.push(self.frame(elem, body, frame, class)?),
                "replicate" => scopes.push(self.replicate(elem, body, frame, class)?),
                _ => {
                    let result = self.body_element(elem, body, frame, class);
                    self.go_on(result)?;
                }
            }
            if scopes.len() > MAX_DEPTH {
                let message = format!("bodies are nested more than {MAX_DEPTH} levels deep");
                return Err(elem.error(message));
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        elem: Elem<'d, 'a>,
        parent: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<Class>,
    ) -> Result<Scope<'d, 'a>, Error> {
        let mut body = Body { info: Info { frame, ..Info::at(elem.pos()) }, ..Body::default() };
        self.attributes(elem, &mut body)?;
        body.class = body.childclass.unwrap_or(class);
        let class = body.class;
        let body = self.spec.add_to(parent, body);
        let children = self.documents.children(elem);
        Ok(Scope { children, body, frame: None, class, replicate: None })
    }

    fn frame(
        &mut self,
        elem: Elem<'d, 'a>,
        body: Id<Body>,
        parent: Option<Id<Frame>>,
        class: Id<Class>,
    ) -> Result<Scope<'d, 'a>, Error> {
        let info = Info { frame: parent, ..Info::at(elem.pos()) };
        let mut frame = Frame { info, ..Frame::default() };
        self.attributes(elem, &mut frame)?;
        let class = frame.childclass.unwrap_or(class);
        let frame = Some(self.spec.add_to(body, frame));
        let children = self.documents.children(elem);
        Ok(Scope { children, body, frame, class, replicate: None })
    }

    /// Reads what is replicated into a body of its own, with one frame around everything.
    fn replicate(
        &mut self,
        elem: Elem<'d, 'a>,
        parent: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<Class>,
    ) -> Result<Scope<'d, 'a>, Error> {
        let src = elem.pos();
        let mut replicate = Replicate::new(src);
        self.attributes(elem, &mut replicate)?;
        let class = replicate.childclass.unwrap_or(class);
        let info = Info { class, frame, ..Info::at(src) };
        let body = self.spec.add_to(parent, Body { info, ..Body::default() });
        let frame = Frame { info: Info::at(src), ..Frame::default() };
        let frame = Some(self.spec.add_to(body, frame));
        let children = self.documents.children(elem);
        Ok(Scope { children, body, frame, class, replicate: Some(replicate) })
    }

    /// Reads an element that belongs to the body.
    fn body_element(
        &mut self,
        elem: Elem<'d, 'a>,
        body: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<Class>,
    ) -> Result<(), Error> {
        let src = elem.pos();
        match elem.name() {
            "inertial" => {
                if body == Body::WORLD {
                    return Err(elem.error("the world cannot have inertia"));
                }
                if self.spec[body].inertial.is_some() {
                    return Err(repeated(elem, "body"));
                }
                let inertial = self.new_leaf(elem, Inertial { src, ..Inertial::default() })?;
                self.spec[body].inertial = Some(inertial);
            }
            "joint" | "freejoint" => {
                if body == Body::WORLD {
                    let error = elem.error("the world cannot have joints");
                    return Err(error.help("put the joint inside a 'body'"));
                }
                let mut joint = if elem.name() == "freejoint" {
                    Joint { info: Info { class, ..Info::default() }, ..Joint::free() }
                } else {
                    self.spec.default_of(self.class_of(elem, class)?)
                };
                (joint.src, joint.frame) = (src, frame);
                self.leaf(elem, &mut joint)?;
                self.spec.add_to(body, joint);
            }
            "geom" => {
                let mut geom: Geom = self.spec.default_of(self.class_of(elem, class)?);
                (geom.src, geom.frame) = (src, frame);
                self.attributes(elem, &mut geom)?;
                if let Some(child) = self.documents.children(elem).next() {
                    let child = child?;
                    return Err(match child.name() {
                        "plugin" => unsupported(child),
                        _ => unknown_element(child, "geom", &["plugin"]),
                    });
                }
                self.spec.add_to(body, geom);
            }
            "site" => {
                let mut site: Site = self.spec.default_of(self.class_of(elem, class)?);
                (site.src, site.frame) = (src, frame);
                self.leaf(elem, &mut site)?;
                self.spec.add_to(body, site);
            }
            "camera" => {
                let mut camera = self.spec.default_camera(self.class_of(elem, class)?);
                (camera.src, camera.frame) = (src, frame);
                self.leaf(elem, &mut camera)?;
                self.spec.add_to(body, camera);
            }
            "light" => {
                let mut light: Light = self.spec.default_of(self.class_of(elem, class)?);
                (light.src, light.frame) = (src, frame);
                self.leaf(elem, &mut light)?;
                self.spec.add_to(body, light);
            }
            "attach" => self.attach(elem, body, frame)?,
            "composite" => self.composite(elem, body, frame, class)?,
            "flexcomp" => self.flexcomp(elem, body)?,
            "plugin" => return Err(unsupported(elem)),
            _ => {
                let parent =
                    elem.node.parent_element().map_or("body", |node| node.tag_name().name());
                return Err(unknown_element(elem, parent, &KNOWN));
            }
        }
        Ok(())
    }

    /// The class that the element names, or the one around it.
    pub(super) fn class_of(
        &self,
        elem: Elem<'d, 'a>,
        around: Id<Class>,
    ) -> Result<Id<Class>, Error> {
        Ok(attrs::find_class(elem, "class", &self.classes)?.unwrap_or(around))
    }
}
