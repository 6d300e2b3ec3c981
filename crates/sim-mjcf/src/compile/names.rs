//! Names: their uniqueness, and finding objects by name.

use std::cell::RefCell;
use std::collections::HashMap;

use sim_core::model::ObjType;

use super::objects::Objects;
use super::tree::Tree;
use crate::error::{Error, Pos, Warning};
use crate::spec::{Body, Element, Id, Info, OBJECT_TYPES, Spec, elements, if_tree};
use crate::suggest::nearest;

/// Names that a message lists at most.
const MAX_LISTED: usize = 16;

/// Ids of the named objects of each kind, as they are in the model.
#[derive(Default)]
pub(super) struct Names<'a> {
    ids: HashMap<(ObjType, &'a str), usize>,
    /// Names that find another object since static bodies were fused, with its name.
    moved: HashMap<(ObjType, &'a str), &'a str>,
    /// Where such names were used.
    mistakes: RefCell<Vec<Warning>>,
}

impl Names<'_> {
    /// What deserves attention about the names that were looked up.
    pub(super) fn mistakes(&self) -> Vec<Warning> {
        self.mistakes.take()
    }

    /// The id of the object called `name`.
    pub(super) fn find(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        self.ids.get(&(kind, name)).copied()
    }

    /// The id of the object called `name` that an attribute of the element at `src` refers to.
    pub(super) fn resolve(
        &self,
        kind: ObjType,
        name: &str,
        src: Pos,
        attribute: &str,
    ) -> Result<usize, Error> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let word = OBJECT_TYPES.iter().find(|known| known.1 == kind).map_or("object", |x| x.0);
        if let Some(found) = self.moved.get(&(kind, name)) {
            let message = format!("'{name}' stands for the {word} '{found}' here");
            let help = "fusing static bodies changes the order, but not how MuJoCo finds names";
            let warning = src.warning(message).attribute(attribute).help(help);
            self.mistakes.borrow_mut().push(warning);
        }
        if let Some(id) = self.find(kind, name) {
            return Ok(id);
        }
        let error = src.error(format!("there is no {word} '{name}'")).attribute(attribute);
        if let Some(close) = self.closest(kind, name) {
            return Err(error.help(format!("there is a {word} '{close}'")));
        }
        let mut known: Vec<(usize, &str)> = self
            .ids
            .iter()
            .filter(|((other, _), _)| *other == kind)
            .map(|((_, name), &id)| (id, *name))
            .collect();
        known.sort_unstable();
        let list: Vec<String> =
            known.iter().take(MAX_LISTED).map(|(_, name)| format!("'{name}'")).collect();
        Err(match known.len() - list.len() {
            _ if known.is_empty() => error.help(format!("there is no {word} that has a name")),
            0 => error.help(format!("there is {word} {}", list.join(", "))),
            more => error.help(format!("there is {word} {} and {more} more", list.join(", "))),
        })
    }

    /// The name of the kind that is closest to `name`, for advice.
    pub(super) fn closest(&self, kind: ObjType, name: &str) -> Option<&str> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let of_kind = self.ids.keys().filter(|(other, _)| *other == kind);
        let mut known: Vec<&str> = of_kind.map(|(_, name)| *name).collect();
        known.sort_unstable();
        nearest(name, known.into_iter())
    }
}

/// Checks that no two elements of a kind have the same name.
pub(crate) fn check_unique(spec: &Spec) -> Result<(), Error> {
    let mut unique = Unique { spec, seen: HashMap::new() };
    for body in spec.tree() {
        unique.check(&spec[body])?;
        macro_rules! check {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(if_tree! { $home
                    for &element in &spec[body].$list {
                        unique.check(&spec[element])?;
                    }
                })*
            };
        }
        elements!(check);
    }
    macro_rules! check {
        ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
            $(check_list!($list $home);)*
        };
    }
    macro_rules! check_list {
        ($list:ident body) => {};
        ($list:ident tree) => {};
        ($list:ident $home:ident) => {
            for element in &spec.$list {
                unique.check(element)?;
            }
        };
    }
    elements!(check);
    Ok(())
}

/// The names so far.
struct Unique<'a> {
    spec: &'a Spec,
    /// By kind and name, the body that the element is in.
    seen: HashMap<(ObjType, &'a str), Option<Id<Body>>>,
}

impl<'a> Unique<'a> {
    fn check<T: Element>(&mut self, element: &'a T) -> Result<(), Error> {
        let Info { name, parent, .. } = &**element;
        if name.is_empty() {
            return Ok(());
        }
        let Some(first) = self.seen.insert((T::KIND, name), *parent) else { return Ok(()) };
        let error = element.src.error(format!("there is another {} called '{name}'", T::WORD));
        let place = first.map(|body| self.spec[body].name.as_str()).filter(|name| !name.is_empty());
        Err(match place {
            _ if T::KIND == ObjType::Body && name == "world" => {
                error.help("'world' is the name of the world body")
            }
            Some(body) => error.help(format!("the first is in body '{body}'")),
            None => error,
        }
        .attribute("name"))
    }
}

impl<'a> Names<'a> {
    /// The names of all objects.
    pub(super) fn new(objects: &Objects<'a>) -> Names<'a> {
        let mut names = Names::default();
        objects.iter().for_each(|(kind, objects)| names.add(kind, objects));
        names
    }

    fn add(&mut self, kind: ObjType, objects: &[&'a Info]) {
        for (id, info) in objects.iter().enumerate().filter(|(_, info)| !info.name.is_empty()) {
            self.ids.insert((kind, &info.name), id);
        }
    }

    /// Puts the objects of a kind in another order.
    pub(super) fn replace(
        &mut self,
        objects: &mut Objects<'a>,
        kind: ObjType,
        sorted: impl Iterator<Item = &'a Info>,
    ) {
        objects.replace(kind, sorted);
        self.add(kind, objects.of(kind));
    }

    /// Makes names find the geoms and sites that they find in the reference, which looks them up
    /// by the numbers from before static bodies were fused.
    pub(super) fn redirect(&mut self, tree: &Tree<'a>) {
        macro_rules! redirect {
            ($kind:ident, $list:ident) => {
                if !tree.moved.$list.is_empty() {
                    let objects = tree.bodies.iter().flat_map(|body| &body.$list).enumerate();
                    let ids: HashMap<_, usize> =
                        objects.map(|(id, x)| (std::ptr::from_ref(x.spec), id)).collect();
                    for (&name, &found) in &tree.moved.$list {
                        if let Some(&id) = ids.get(&std::ptr::from_ref(found)) {
                            self.ids.insert((ObjType::$kind, name), id);
                            self.moved.insert((ObjType::$kind, name), &found.info.name);
                        }
                    }
                }
            };
        }
        redirect!(Geom, geoms);
        redirect!(Site, sites);
    }
}
