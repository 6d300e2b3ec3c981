//! Which link is fixed to which.

use std::collections::HashMap;

use crate::error::Error;
use crate::spec::{Body, Id, Info, Spec};
use crate::xml::Elem;

use super::values::{children, required_child, required_text, tag};

/// Sum over all links of the number of links above at most: the mass matrix grows with it.
const MAX_ANCESTORS: usize = 1 << 22;

/// A link, and its place among the others.
pub(super) struct Link<'d, 'a> {
    pub elem: Elem<'d, 'a>,
    pub name: &'d str,
    pub parent: Option<usize>,
    children: Vec<usize>,
}

/// The links in the order of the file.
pub(super) struct Links<'d, 'a> {
    links: Vec<Link<'d, 'a>>,
    by_name: HashMap<&'d str, usize>,
}

impl<'d, 'a> Links<'d, 'a> {
    /// Finds the links of a robot, and the parent of each by its joints.
    pub(super) fn new(root: Elem<'d, 'a>) -> Result<Links<'d, 'a>, Error> {
        let mut links = Links { links: Vec::new(), by_name: HashMap::new() };
        for elem in children(root).filter(|&elem| tag(elem) == "link") {
            let name = required_text(elem, "name")?;
            if links.by_name.insert(name, links.links.len()).is_some() {
                let message = format!("there is more than one link '{name}'");
                return Err(elem.error(message).attribute("name"));
            }
            links.links.push(Link { elem, name, parent: None, children: Vec::new() });
        }
        for joint in children(root).filter(|&elem| tag(elem) == "joint") {
            let parent = links.of_joint(joint, "parent")?;
            let child = links.of_joint(joint, "child")?;
            let link = &mut links.links[child];
            if link.parent.is_some() {
                let message = format!("link '{}' is the child of more than one joint", link.name);
                return Err(joint.error(message));
            }
            if link.name == "world" {
                return Err(joint.error("the world cannot be the child of a joint"));
            }
            link.parent = Some(parent);
            links.links[parent].children.push(child);
        }
        Ok(links)
    }

    /// The link that a joint has as `parent` or `child`.
    pub(super) fn of_joint(&self, joint: Elem<'_, '_>, role: &str) -> Result<usize, Error> {
        let elem = required_child(joint, role)?;
        let name = required_text(elem, "link")?;
        self.by_name.get(name).copied().ok_or_else(|| {
            let error = elem.error(format!("there is no link '{name}'")).attribute("link");
            let known: Vec<&str> = self.links.iter().map(|link| link.name).collect();
            crate::suggest::advise(error, name, &known, "the links are")
        })
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Link<'d, 'a>> {
        self.links.iter()
    }

    /// Adds a body for every link: parents first, and those with the same parent in the order of
    /// their joints. Returns the bodies in the order of the links.
    pub(super) fn add_to(&self, spec: &mut Spec) -> Result<Vec<Id<Body>>, Error> {
        let mut bodies: Vec<Option<Id<Body>>> = vec![None; self.links.len()];
        let mut depths = vec![0; self.links.len()];
        let mut ancestors = 0;
        let roots = (0..self.links.len()).filter(|&i| self.links[i].parent.is_none());
        let mut open: Vec<usize> = roots.collect();
        open.reverse();
        while let Some(i) = open.pop() {
            let link = &self.links[i];
            let parent = link.parent.and_then(|parent| bodies[parent]).unwrap_or(Body::WORLD);
            depths[i] = link.parent.map_or(0, |parent| depths[parent] + 1);
            ancestors += depths[i];
            if ancestors > MAX_ANCESTORS {
                return Err(link.elem.error("too many links are inside each other"));
            }
            bodies[i] = Some(if link.name == "world" {
                spec[Body::WORLD].src = link.elem.pos();
                Body::WORLD
            } else {
                let info = Info { name: link.name.to_owned(), ..Info::at(link.elem.pos()) };
                spec.add_to(parent, Body { info, ..Body::default() })
            });
            open.extend(link.children.iter().rev());
        }
        let body = |(link, body): (&Link<'_, '_>, Option<Id<Body>>)| {
            body.ok_or_else(|| link.elem.error(format!("link '{}' is inside itself", link.name)))
        };
        self.links.iter().zip(bodies).map(body).collect()
    }
}
