//! Default classes.

use super::{Reader, attrs, repeated, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{ActuatorKind, Attributes, Attrs, Class, ClassChange, HasDefaults, Id, Shortcut};
use crate::xml::Elem;
use crate::xml::MAX_DEPTH;

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

impl Attributes for Header {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("class", &mut self.class);
    }
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads the top class and those inside, each before the next. They wait in a list of their
    /// own: a class is large, and the stack of a thread may be small.
    pub(super) fn classes(&mut self, top: Elem<'d, 'a>) -> Result<(), Error> {
        let mut waiting = vec![(top, None, 0)];
        while let Some((section, parent, depth)) = waiting.pop() {
            if depth > MAX_DEPTH {
                let message = format!("classes are nested more than {MAX_DEPTH} levels deep");
                return Err(section.error(message));
            }
            let (class, inner) = self.class(section, parent)?;
            let inner = inner.into_iter().rev();
            waiting.extend(inner.map(|child| (child, Some(class), depth + 1)));
        }
        Ok(())
    }

    /// Reads a class: a copy of its parent, then its own elements. Returns the classes inside.
    fn class(
        &mut self,
        section: Elem<'d, 'a>,
        parent: Option<Id<Class>>,
    ) -> Result<(Id<Class>, Vec<Elem<'d, 'a>>), Error> {
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
                "material" => self.material(child, &mut target.material, true)?,
                name => match ActuatorKind::from_name(name) {
                    Some(kind) => {
                        let actuator = &mut target.actuator;
                        self.class_element(child, &mut Shortcut { kind, actuator })?;
                    }
                    None => match target.change(name, ReadDefaults { reader: self, elem: child }) {
                        Some(result) => result?,
                        None => return Err(unsupported(child)),
                    },
                },
            }
            self.spec.classes[class] = target;
        }
        Ok((class, inner))
    }

    /// Makes the class that a `default` element stands for.
    fn open_class(
        &mut self,
        section: Elem<'d, 'a>,
        name: String,
        parent: Option<Id<Class>>,
    ) -> Result<Id<Class>, Error> {
        let Some(parent) = parent else {
            return match name.as_str() {
                "" | "main" => Ok(Class::MAIN),
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
        let mut class = self.spec.classes[parent].clone();
        class.name.clone_from(&name);
        class.parent = Some(parent);
        class.src = section.pos();
        let class = self.spec.classes.push(class);
        self.classes.insert(name, class);
        Ok(class)
    }

    fn class_element(
        &mut self,
        elem: Elem<'d, 'a>,
        target: &mut impl Attributes,
    ) -> Result<(), Error> {
        attrs::read(elem, target, true, &self.classes, &mut self.warnings)?;
        self.no_children(elem)
    }
}

/// Reads the defaults of a kind of element.
struct ReadDefaults<'r, 'd, 'a> {
    reader: &'r mut Reader<'d, 'a>,
    elem: Elem<'d, 'a>,
}

impl ClassChange for ReadDefaults<'_, '_, '_> {
    type Output = Result<(), Error>;

    fn change<T: HasDefaults + Attributes>(self, own: &mut T) -> Result<(), Error> {
        self.reader.class_element(self.elem, own)
    }
}
