//! The parsed files of a model, and elements that see through `include`.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};

use super::scan::{MAX_DEPTH, scan};
use crate::error::{Error, Pos, Sources};
use crate::files::Resolver;

/// Includes of one model at most.
const MAX_FILES: usize = 10_000;
/// Bytes of all included files at most.
const MAX_TOTAL: usize = 512 << 20;

/// The files of a model: its own and those that it includes.
#[derive(Debug)]
pub(crate) struct Includes {
    /// The number of its own file among the sources; the rest follow.
    first: u32,
    /// Directory of the model.
    pub(crate) dir: PathBuf,
    /// Directory of each file.
    dirs: Vec<PathBuf>,
    /// Which file each `include` stands for.
    includes: HashMap<Pos, u32>,
}

impl Includes {
    /// The texts of the files.
    pub(crate) fn texts<'s>(&self, sources: &'s Sources) -> impl Iterator<Item = &'s str> {
        let numbers = self.first..self.first + self.dirs.len() as u32;
        numbers.map(|file| sources.text(file))
    }

    /// The directory of a file.
    pub(crate) fn dir_of(&self, file: u32) -> &Path {
        self.dirs.get((file - self.first) as usize).map_or(Path::new(""), PathBuf::as_path)
    }
}

/// The texts of a model: its own and those that it includes.
#[derive(Debug)]
pub(crate) struct Texts<'a> {
    /// What is parsed for each file.
    parsed: Vec<Cow<'a, str>>,
    files: &'a Includes,
}

/// Reads the files that a model includes, and those that they include.
///
/// `sources` already holds the model itself, as its last file. A file may be included once.
pub(crate) fn load_includes(
    sources: &mut Sources,
    path: &Path,
    resolver: &Resolver<'_>,
) -> Result<Includes, Error> {
    let mut includes = HashMap::new();
    let mut seen: HashSet<PathBuf> = HashSet::from([path.to_owned()]);
    let model_dir = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut dirs = vec![model_dir.clone()];

    let first = sources.len() - 1;
    let mut file = first;
    while file < sources.len() {
        // parsing borrows the text, so note the names first and read the files after
        let mut wanted = Vec::new();
        if sources.text(file as u32).contains("<include") {
            let text = scan(sources.text(file as u32), file as u32)?;
            let document = parse(&text, file as u32)?;
            // URDF knows no includes
            if file == first && is_urdf(document.root_element().tag_name().name()) {
                break;
            }
            for node in document.descendants().filter(|n| n.has_tag_name("include")) {
                let elem = Elem { node, file: file as u32 };
                wanted.push((elem.pos(), include_name(elem)?));
            }
        }
        let dir = dirs[file - first].clone();
        for (pos, name) in wanted {
            let fault = |message: String| pos.error(message).attribute("file");
            let (path, bytes) = resolver
                .find(&name, &[&model_dir, &dir])
                .map_err(|error| error.about(&name, fault))?;
            if !seen.insert(path.clone()) {
                return Err(fault(format!("the file '{name}' is already part of the model")));
            }
            check_budget(sources, pos, bytes.len())?;
            let text =
                decode(bytes).map_err(|reason| fault(format!("cannot read '{name}': {reason}")))?;
            dirs.push(path.parent().map(Path::to_owned).unwrap_or_default());
            let number = sources.add(path.display().to_string(), text, Some(pos));
            includes.insert(pos, number);
        }
        file += 1;
    }
    Ok(Includes { first: first as u32, dir: model_dir, dirs, includes })
}

/// Whether a root element of that name holds a URDF model.
pub(crate) fn is_urdf(root: &str) -> bool {
    root.eq_ignore_ascii_case("robot")
}

/// Checks that one more file of `bytes` bytes does not make a model too large.
pub(crate) fn check_budget(sources: &Sources, pos: Pos, bytes: usize) -> Result<(), Error> {
    if sources.len() >= MAX_FILES {
        return Err(pos.error(format!("the model has more than {MAX_FILES} files")));
    }
    if sources.bytes() + bytes > MAX_TOTAL {
        let message = format!("the model has more than {} MB of text", MAX_TOTAL >> 20);
        return Err(pos.error(message));
    }
    Ok(())
}

/// The file name of an `include`, after checking that there is nothing else.
fn include_name(elem: Elem<'_, '_>) -> Result<String, Error> {
    for attribute in elem.node.attributes() {
        if attribute.name() != "file" {
            let at = Pos { file: elem.file, offset: attribute.range_qname().start as u32 };
            let message = format!("unknown attribute '{}' in element 'include'", attribute.name());
            return Err(Error::span(at, attribute.range_qname().len(), message)
                .in_element("include")
                .attribute(attribute.name())
                .help("the only attribute is 'file'"));
        }
    }
    if elem.node.has_children() {
        return Err(elem.error("'include' must be empty"));
    }
    match elem.node.attribute("file") {
        Some(name) if !name.is_empty() => Ok(name.to_owned()),
        _ => Err(elem.error("element 'include' needs the attribute 'file'")),
    }
}

/// Turns the bytes of a file into text.
pub(crate) fn decode(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..at].iter().filter(|&&b| b == b'\n').count();
        format!("it is not UTF-8 text (line {line}, byte {at})")
    })
}

impl<'a> Texts<'a> {
    /// Checks all texts and makes them ready to parse.
    pub(crate) fn new(sources: &'a Sources, files: &'a Includes) -> Result<Texts<'a>, Error> {
        let numbers = files.first..files.first + files.dirs.len() as u32;
        let parsed = numbers.map(|file| scan(sources.text(file), file));
        Ok(Texts { parsed: parsed.collect::<Result<_, _>>()?, files })
    }

    /// Parses all texts.
    pub(crate) fn parse(&'a self) -> Result<Documents<'a>, Error> {
        let documents = (self.files.first..).zip(&self.parsed);
        let documents = documents.map(|(file, text)| parse(text, file));
        Ok(Documents { documents: documents.collect::<Result<_, _>>()?, files: self.files })
    }
}

fn parse(text: &str, file: u32) -> Result<Document<'_>, Error> {
    let options = ParsingOptions { allow_dtd: false, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| {
        // the place is part of the report, not of the sentence
        let place = error.pos();
        let message = error.to_string();
        let message = message.trim_end_matches(&format!(" at {place}"));
        let pos = Pos { file, offset: offset(text, place.row, place.col) as u32 };
        let report = Error::span(pos, 1, format!("malformed XML: {message}"));
        match error {
            roxmltree::Error::MalformedEntityReference(_)
            | roxmltree::Error::UnknownEntityReference(..)
            | roxmltree::Error::InvalidAttributeValue(_) => {
                report.help("write '&amp;' for '&' and '&lt;' for '<'")
            }
            _ => report,
        }
    })
}

/// The byte at a row and column, both counted from 1, the column in characters.
fn offset(text: &str, row: u32, col: u32) -> usize {
    let mut lines = text.split_inclusive('\n');
    let before: usize = lines.by_ref().take(row.saturating_sub(1) as usize).map(str::len).sum();
    let line = lines.next().unwrap_or("");
    let within = line.char_indices().nth(col.saturating_sub(1) as usize);
    before + within.map_or(line.len(), |(i, _)| i)
}

/// The parsed files.
#[derive(Debug)]
pub(crate) struct Documents<'a> {
    documents: Vec<Document<'a>>,
    files: &'a Includes,
}

impl<'a> Documents<'a> {
    /// The root element of the model.
    pub(crate) fn root(&self) -> Elem<'_, 'a> {
        self.root_of(self.files.first)
    }

    /// The root element of a file.
    fn root_of(&self, file: u32) -> Elem<'_, 'a> {
        let document = &self.documents[(file - self.files.first) as usize];
        Elem { node: document.root_element(), file }
    }

    /// All elements of all files.
    pub(crate) fn all(&self) -> impl Iterator<Item = Elem<'_, 'a>> {
        let files = (self.files.first..).zip(&self.documents);
        files.flat_map(|(file, document)| {
            let elements = document.descendants().filter(|node| node.is_element());
            elements.map(move |node| Elem { node, file })
        })
    }

    /// The elements inside `elem`, with those of an included file in place of its `include`.
    pub(crate) fn children<'d>(&'d self, elem: Elem<'d, 'a>) -> Children<'d, 'a> {
        Children { documents: self, level: elem.level(), outer: Vec::new() }
    }
}

/// An element of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Elem<'d, 'a> {
    pub(crate) node: Node<'d, 'a>,
    pub(crate) file: u32,
}

impl<'d, 'a> Elem<'d, 'a> {
    /// The name of the element.
    pub(crate) fn name(self) -> &'a str {
        self.node.tag_name().name()
    }

    /// Where the element starts.
    pub(crate) fn pos(self) -> Pos {
        Pos { file: self.file, offset: self.node.range().start as u32 }
    }

    /// Makes an error about the element.
    pub(crate) fn error(self, message: impl Into<String>) -> Error {
        self.pos().error(message)
    }

    fn level(self) -> Level<'d, 'a> {
        Level { nodes: self.node.children(), file: self.file }
    }
}

#[derive(Debug, Clone)]
struct Level<'d, 'a> {
    nodes: roxmltree::Children<'d, 'a>,
    file: u32,
}

/// Goes over the elements inside an element.
#[derive(Debug, Clone)]
pub(crate) struct Children<'d, 'a> {
    documents: &'d Documents<'a>,
    level: Level<'d, 'a>,
    /// The files around the current one, outermost first.
    outer: Vec<Level<'d, 'a>>,
}

impl<'d, 'a> Iterator for Children<'d, 'a> {
    type Item = Result<Elem<'d, 'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(node) = self.level.nodes.next() else {
                self.level = self.outer.pop()?;
                continue;
            };
            if !node.is_element() {
                continue;
            }
            let elem = Elem { node, file: self.level.file };
            if elem.name() != "include" {
                return Some(Ok(elem));
            }
            let Some(&file) = self.documents.files.includes.get(&elem.pos()) else {
                return Some(Err(elem.error("an include cannot stand here")));
            };
            if self.outer.len() >= MAX_DEPTH {
                let message = format!("files include each other more than {MAX_DEPTH} levels deep");
                return Some(Err(elem.error(message)));
            }
            let root = self.documents.root_of(file);
            if !root.node.children().any(|node| node.is_element()) {
                return Some(Err(elem.error("the included file is empty").attribute("file")));
            }
            self.outer.push(std::mem::replace(&mut self.level, root.level()));
        }
    }
}
