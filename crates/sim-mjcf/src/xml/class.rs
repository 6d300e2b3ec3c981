//! Default classes.

use super::document::Elem;
use super::scan::MAX_DEPTH;
use super::{Reader, attrs, repeated, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{ActuatorKind, Attrs, Class, Element, Shortcut};

/// The elements that a class has defaults for.
const KINDS: [&str; 19] = [
    "joint",
    "geom",
    "site",
    "camera",
    "light",
    "mesh",
    "material",
    "pair",
    "equality",
    "tendon",
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
];

/// The attributes of `default`.
#[derive(Default)]
struct Header {
    class: String,
}

impl Element for Header {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("class", &mut self.class);
    }
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads a class: a copy of its parent, then its own elements, then the classes inside.
    pub(super) fn class(
        &mut self,
        section: Elem<'d, 'a>,
        parent: Option<usize>,
        depth: usize,
    ) -> Result<(), Error> {
        if depth > MAX_DEPTH {
            let message = format!("classes are nested more than {MAX_DEPTH} levels deep");
            return Err(section.error(message));
        }
        let mut header = Header::default();
        self.attributes(section, &mut header)?;
        let class = self.open_class(section, header.class, parent)?;

        let mut seen = [false; KINDS.len()];
        let mut inner = Vec::new();
        for child in self.documents.children(section) {
            let child = child?;
            if child.name() == "default" {
                inner.push(child);
                continue;
            }
            let Some(i) = KINDS.iter().position(|&name| name == child.name()) else {
                return Err(unknown_element(child, "default", &KINDS));
            };
            if std::mem::replace(&mut seen[i], true) {
                return Err(repeated(child, "default"));
            }
            let mut target = self.spec.classes[class].clone();
            match child.name() {
                "joint" => self.class_element(child, &mut target.joint)?,
                "geom" => self.class_element(child, &mut target.geom)?,
                "site" => self.class_element(child, &mut target.site)?,
                "camera" => self.class_element(child, &mut target.camera)?,
                "light" => self.class_element(child, &mut target.light)?,
                "material" => self.material(child, &mut target.material, true)?,
                "pair" => self.class_element(child, &mut target.pair)?,
                "equality" => self.class_element(child, &mut target.equality)?,
                "tendon" => self.class_element(child, &mut target.tendon)?,
                name => {
                    let Some(kind) = ActuatorKind::from_name(name) else {
                        return Err(unsupported(child));
                    };
                    let actuator = &mut target.actuator;
                    self.class_element(child, &mut Shortcut { kind, actuator })?;
                }
            }
            self.spec.classes[class] = target;
        }
        for child in inner {
            self.class(child, Some(class), depth + 1)?;
        }
        Ok(())
    }

    /// Makes the class that a `default` element stands for.
    fn open_class(
        &mut self,
        section: Elem<'d, 'a>,
        name: String,
        parent: Option<usize>,
    ) -> Result<usize, Error> {
        let Some(parent) = parent else {
            return match name.as_str() {
                "" | "main" => Ok(0),
                _ => Err(section
                    .error(format!("the top default class is 'main', not '{name}'"))
                    .attribute("class")
                    .help("put it inside another 'default' element, or leave out its name")),
            };
        };
        if name.is_empty() {
            return Err(section.error("a nested default class needs a name").attribute("class"));
        }
        if self.classes.contains_key(&name) {
            let message = format!("the default class '{name}' is there already");
            return Err(section.error(message).attribute("class"));
        }
        let mut class: Class = self.spec.classes[parent].clone();
        class.name.clone_from(&name);
        class.parent = Some(parent);
        class.src = section.pos();
        let index = self.spec.classes.len();
        class.joint.class = index;
        class.geom.class = index;
        class.site.class = index;
        class.camera.class = index;
        class.light.class = index;
        class.material.class = index;
        class.pair.class = index;
        class.equality.class = index;
        class.tendon.class = index;
        class.actuator.class = index;
        self.spec.classes.push(class);
        self.classes.insert(name, index);
        Ok(index)
    }

    fn class_element(
        &mut self,
        elem: Elem<'d, 'a>,
        target: &mut impl Element,
    ) -> Result<(), Error> {
        attrs::read(elem, target, true, &self.classes, &mut self.warnings)?;
        self.no_children(elem)
    }
}
