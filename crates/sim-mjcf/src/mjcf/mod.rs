//! MJCF as such: reading the sections of a model in their fixed order, then its bodies; writing them
//! back.

mod actuator;
mod asset;
mod attach;
pub(crate) mod attrs;
mod body;
mod class;
mod complete_keys;
mod composite;
mod copy_back;
mod deformable;
mod flatten;
mod flexcomp;
mod layout;
mod relation;
mod render;
mod schema;
#[cfg(test)]
mod schema_tests;
mod section;
mod tendon;
#[cfg(test)]
mod tests;
mod write;
mod write_body;
#[cfg(test)]
mod write_tests;

use std::collections::HashMap;
use std::path::Path;

pub use schema::{SchemaElement, schema};
pub(crate) use write::{write, write_reference, write_values};

use roxmltree::Node;

use crate::error::{Error, Pos, Sources, Warning};
use crate::files::Resolver;
use crate::spec::{Attributes, Class, Id, Spec};
use crate::suggest::advise;
use crate::urdf::UrdfOptions;
use crate::xml::{Documents, Elem, Includes, Texts, is_urdf, load_includes};

/// The sections, in the order in which they are read whatever their order in the file: names may
/// be used before they are given, and defaults apply to everything.
const SECTIONS: [&str; 17] = [
    "compiler",
    "option",
    "size",
    "visual",
    "statistic",
    "default",
    "extension",
    "custom",
    "asset",
    "contact",
    "deformable",
    "equality",
    "tendon",
    "actuator",
    "sensor",
    "keyframe",
    "worldbody",
];

/// Reads the model whose text is the last of the sources and whose file is `path`, with the files
/// that it includes and the models that it attaches.
pub(crate) fn read(
    sources: &mut Sources,
    path: &Path,
    resolver: &Resolver<'_>,
    urdf: &UrdfOptions,
) -> Result<(Spec, Vec<Warning>), Error> {
    let (mut spec, warnings) = read_inside(sources, resolver, urdf, &mut vec![path.to_owned()])?;
    spec.settle_keys();
    Ok((spec, warnings))
}

/// Reads the model at the end of `chain`, a list of models each of which is attached by the one
/// before.
fn read_inside(
    sources: &mut Sources,
    resolver: &Resolver<'_>,
    urdf: &UrdfOptions,
    chain: &mut Vec<std::path::PathBuf>,
) -> Result<(Spec, Vec<Warning>), Error> {
    let path = chain.last().cloned().unwrap_or_default();
    let files = load_includes(sources, &path, resolver)?;
    let mut warnings = Vec::new();
    let models = attach::load_models(sources, &files, resolver, urdf, chain, &mut warnings)?;
    let texts = Texts::new(sources, &files)?;
    let documents = texts.parse()?;
    let root = documents.root();
    match root.name() {
        "mujoco" => {}
        name if is_urdf(name) => return crate::urdf::read(root, &files.dir, resolver, urdf),
        name => {
            let message = format!("the root element is '{name}', expected 'mujoco' or 'robot'");
            return Err(root.error(message));
        }
    }
    let mut reader = Reader {
        documents: &documents,
        spec: Spec { src: root.pos(), ..Spec::default() },
        classes: HashMap::from([(String::from("main"), Class::MAIN)]),
        warnings,
        files: &files,
        resolver,
        models,
        attachable: Vec::new(),
        errors: Vec::new(),
    };
    if let Err(error) = reader.model(root) {
        reader.errors.push(error);
    }
    match reader.errors.is_empty() {
        true => Ok((reader.spec, reader.warnings)),
        false => Err(Error::first_of(reader.errors)),
    }
}

/// What reading has come to so far.
struct Reader<'d, 'a> {
    documents: &'d Documents<'a>,
    spec: Spec,
    /// The default classes by name.
    classes: HashMap<String, Id<Class>>,
    warnings: Vec<Warning>,
    files: &'d Includes,
    resolver: &'d Resolver<'d>,
    /// Models to attach, by the place of their elements.
    models: HashMap<Pos, Spec>,
    /// Models to attach, in the order of their elements.
    attachable: Vec<Spec>,
    /// What is wrong so far. Reading goes on after a bad attribute, element or section, so that all
    /// mistakes of a model are told at once.
    errors: Vec<Error>,
}

/// Errors after which reading ends.
const MOST_ERRORS: usize = 20;

impl<'d, 'a> Reader<'d, 'a> {
    fn model(&mut self, root: Elem<'d, 'a>) -> Result<(), Error> {
        let mut header = Header { name: std::mem::take(&mut self.spec.name) };
        self.attributes(root, &mut header)?;
        self.spec.name = header.name;
        let blank = |node: &Node<'_, '_>| node.text().is_some_and(|t| t.trim_ascii().is_empty());
        let first = root.node.children().find(|node| !(node.is_text() && blank(node)));
        if let Some(comment) = first.filter(|node| node.is_comment()) {
            self.spec.comment = comment.text().unwrap_or_default().to_owned();
        }

        let mut sections = Vec::new();
        for section in self.documents.children(root) {
            let section = section?;
            match SECTIONS.iter().position(|&name| name == section.name()) {
                Some(rank) => sections.push((rank, section)),
                None => return Err(unknown_element(section, "mujoco", &SECTIONS)),
            }
        }
        sections.sort_by_key(|&(rank, _)| rank);
        for (_, section) in sections {
            let result = match section.name() {
                "compiler" => self.compiler(section),
                "option" => self.option(section),
                "size" => section::size(self, section),
                "visual" => self.visual(section),
                "statistic" => section::statistic(self, section),
                // without the classes, what names them would be wrong too
                "default" => {
                    self.classes(section)?;
                    Ok(())
                }
                "custom" => self.custom(section),
                "asset" => self.asset(section),
                "contact" => self.contact(section),
                "deformable" => self.deformable(section),
                "equality" => self.equality(section),
                "sensor" => self.sensor(section),
                "tendon" => self.tendons(section),
                "actuator" => self.actuators(section),
                "keyframe" => self.keyframe(section),
                "worldbody" => self.worldbody(section),
                _ => self.unsupported_section(section),
            };
            self.go_on(result)?;
        }
        Ok(())
    }

    /// Takes note of an error, unless there are too many of them.
    fn go_on(&mut self, result: Result<(), Error>) -> Result<(), Error> {
        match result {
            Err(error) if self.errors.len() + 1 < MOST_ERRORS => {
                self.errors.push(error);
                Ok(())
            }
            result => result,
        }
    }

    /// Reads the attributes of `elem` over `target`.
    fn attributes(
        &mut self,
        elem: Elem<'_, '_>,
        target: &mut impl Attributes,
    ) -> Result<(), Error> {
        self.attributes_of(elem, target, false)
    }

    /// Reads the attributes of `elem`, which may stand in a default class.
    fn attributes_of(
        &mut self,
        elem: Elem<'_, '_>,
        target: &mut impl Attributes,
        defaults: bool,
    ) -> Result<(), Error> {
        let result = attrs::read(elem, target, defaults, &self.classes, &mut self.warnings);
        self.go_on(result)
    }

    /// Reads the attributes of an element that has no elements inside.
    fn leaf(&mut self, elem: Elem<'d, 'a>, target: &mut impl Attributes) -> Result<(), Error> {
        self.attributes(elem, target)?;
        self.no_children(elem)
    }

    /// Checks that there are no elements inside.
    fn no_children(&self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        match elem.node.has_children().then(|| self.documents.children(elem).next()).flatten() {
            Some(child) => Err(unknown_element(child?, elem.name(), &[])),
            None => Ok(()),
        }
    }

    /// A section that is read in no way so far may be there if it is empty.
    fn unsupported_section(&self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        match self.documents.children(section).next() {
            Some(_) => Err(unsupported(section)),
            None => Ok(()),
        }
    }

    /// Checks that there are no attributes.
    fn attributes_none(&self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        attrs::read(elem, &mut NoAttributes, false, &self.classes, &mut Vec::new())
    }
}

/// Attributes of the root element.
struct Header {
    name: String,
}

impl Attributes for Header {
    fn attrs<A: crate::spec::Attrs>(&mut self, a: &mut A) {
        a.text("model", &mut self.name);
    }
}

/// An element without attributes.
struct NoAttributes;

impl Attributes for NoAttributes {
    fn attrs<A: crate::spec::Attrs>(&mut self, _: &mut A) {}
}

/// The error about an element that cannot stand where it does.
fn unknown_element(elem: Elem<'_, '_>, parent: &str, known: &[&str]) -> Error {
    let error = elem.error(format!("unknown element '{}' in element '{parent}'", elem.name()));
    if known.is_empty() {
        return error.help(format!("'{parent}' has no elements inside"));
    }
    advise(error, elem.name(), known, "the elements are")
}

/// The error about an element that MuJoCo knows and this crate does not read.
fn unsupported(elem: Elem<'_, '_>) -> Error {
    elem.error(format!("element '{}' is not supported yet", elem.name()))
}

/// The error about an element that is there more often than it may be.
fn repeated(elem: Elem<'_, '_>, parent: &str) -> Error {
    elem.error(format!("element '{}' may appear only once in element '{parent}'", elem.name()))
}
