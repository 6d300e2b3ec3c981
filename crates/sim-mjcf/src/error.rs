//! What went wrong, and where in which file.

mod code;

use std::fmt;

use sim_core::model::ObjType;

/// The name of a model that is in no file.
pub(crate) const TEXT: &str = "<text>";

/// Place of an element in the source: which file, and the byte where the element starts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Pos {
    pub(crate) file: u32,
    pub(crate) offset: u32,
}

impl Pos {
    /// Makes an error about the element at this place.
    pub fn error(self, message: impl Into<String>) -> Error {
        Error(Report::new(message.into(), Some(Span { pos: self, len: 0 })))
    }

    /// Makes a warning about the element at this place.
    pub fn warning(self, message: impl Into<String>) -> Warning {
        Warning(Report::new(message.into(), Some(Span { pos: self, len: 0 })))
    }
}

/// Why a model could not be loaded.
///
/// Shown with `{:?}` it reads as with `{}`, so that `fn main() -> Result<(), Error>` ends with words.
#[derive(Clone)]
pub struct Error(Box<Report>);

/// Something in a model that loads, but deserves attention.
#[derive(Clone)]
pub struct Warning(Box<Report>);

macro_rules! report {
    ($Name:ident) => {
        impl $Name {
            /// Makes a report that is about no particular place.
            pub fn new(message: impl Into<String>) -> $Name {
                $Name(Report::new(message.into(), None))
            }

            /// Says which attribute it is about.
            pub fn attribute(mut self, name: &str) -> $Name {
                self.0.attribute = Some(name.to_owned());
                self
            }

            /// Adds a line of advice.
            pub fn help(mut self, help: impl Into<String>) -> $Name {
                self.0.help = Some(help.into());
                self
            }

            /// The sentence that says what is wrong.
            pub fn message(&self) -> &str {
                &self.0.message
            }

            /// The line of advice, if there is one.
            pub fn advice(&self) -> Option<&str> {
                self.0.help.as_deref()
            }

            /// Name of the file, if known.
            pub fn file(&self) -> Option<&str> {
                self.0.place.as_ref().map(|place| place.file.as_str())
            }

            /// Line in the file, counted from 1, if known.
            pub fn line(&self) -> Option<usize> {
                self.0.place.as_ref().map(|place| place.line)
            }

            /// Column in the line, counted in characters from 1, if known.
            pub fn column(&self) -> Option<usize> {
                self.0.place.as_ref().map(|place| place.column)
            }

            /// Name of the element, if known.
            pub fn element(&self) -> Option<&str> {
                self.0.place.as_ref().and_then(|place| place.element.as_deref())
            }

            /// Name of the attribute, if it is about one.
            pub fn attribute_name(&self) -> Option<&str> {
                self.0.attribute.as_deref()
            }

            /// Looks up file, line and column, and quotes the source.
            pub(crate) fn locate(mut self, sources: &Sources) -> $Name {
                self.0.locate(sources);
                self
            }
        }
    };
}
report!(Error);
report!(Warning);

impl Error {
    /// The first of several errors, with the others behind it.
    pub(crate) fn first_of(errors: Vec<Error>) -> Error {
        let mut errors = errors.into_iter();
        let mut first = errors.next().unwrap_or_else(|| Error::new("unknown error"));
        first.0.others.extend(errors);
        first
    }

    /// What else is wrong with the model, as far as reading could go on: in the order in which it was
    /// met.
    ///
    /// ```
    /// let text = "<mujoco><option timstep='1'/><worldbody><geom sise='1'/></worldbody></mujoco>";
    /// let error = sim_mjcf::load_str(text).unwrap_err();
    /// assert_eq!(error.attribute_name(), Some("timstep"));
    /// assert_eq!(error.others()[0].attribute_name(), Some("sise"));
    /// ```
    pub fn others(&self) -> &[Error] {
        &self.0.others
    }

    /// A code for the kind of mistake, which `docs/errors.md` explains.
    pub fn code(&self) -> &'static str {
        code::of(&self.0.message)
    }

    /// Says which element of the model it is about: kind, name and note.
    pub(crate) fn subject(mut self, kind: ObjType, name: &str, note: &str) -> Error {
        self.0.subject = Some(Subject { kind, name: name.to_owned(), note: note.to_owned() });
        self
    }

    /// Adds the words that MuJoCo has for it, which programs may look for.
    pub(crate) fn reference(mut self, words: impl Into<String>) -> Error {
        self.0.reference = Some(words.into());
        self
    }

    /// The element of the model that it is about, if known.
    pub fn about(&self) -> Option<&Subject> {
        self.0.subject.as_ref()
    }

    /// The words that MuJoCo has for it, where programs may look for them.
    pub fn reference_message(&self) -> Option<&str> {
        self.0.reference.as_deref()
    }

    /// Makes an error about `len` bytes from `pos` on.
    pub(crate) fn span(pos: Pos, len: usize, message: impl Into<String>) -> Error {
        Error(Report::new(message.into(), Some(Span { pos, len })))
    }

    /// Says which element it is about, where the place alone would not tell.
    pub(crate) fn in_element(mut self, name: &str) -> Error {
        self.0.element = Some(name.to_owned());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.render("error", f)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.render("warning", f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}

/// The files that a model was read from.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    files: Vec<Source>,
}

#[derive(Debug)]
struct Source {
    name: String,
    text: String,
    /// The `include` element that brought the file in.
    included_from: Option<Pos>,
}

impl Sources {
    /// Adds a file and returns its number.
    pub(crate) fn add(&mut self, name: String, text: String, included_from: Option<Pos>) -> u32 {
        self.files.push(Source { name, text, included_from });
        (self.files.len() - 1) as u32
    }

    /// Number of files.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Bytes of all files.
    pub(crate) fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: u32) -> &str {
        &self.files[file as usize].text
    }

    /// The name of a file.
    pub(crate) fn name(&self, file: u32) -> &str {
        &self.files[file as usize].name
    }

    /// Where a file was included from.
    pub(crate) fn included_from(&self, file: u32) -> Option<Pos> {
        self.files[file as usize].included_from
    }
}

#[derive(Debug, Clone, Copy)]
struct Span {
    pos: Pos,
    /// Bytes to mark; 0 marks the name of the element, or the attribute that is named.
    len: usize,
}

/// An element that an error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subject {
    /// Kind of element.
    pub kind: ObjType,
    /// Name; empty for none.
    pub name: String,
    /// Note that came with the element.
    pub note: String,
}

#[derive(Clone)]
struct Report {
    message: String,
    others: Vec<Error>,
    reference: Option<String>,
    subject: Option<Subject>,
    help: Option<String>,
    span: Option<Span>,
    element: Option<String>,
    attribute: Option<String>,
    place: Option<Place>,
}

/// A span, looked up in the source.
#[derive(Debug, Clone)]
struct Place {
    file: String,
    line: usize,
    column: usize,
    element: Option<String>,
    /// The part of the line around the marker; none of a file that is not XML, which may hold what
    /// nobody meant to show.
    quote: Option<String>,
    /// Characters before the marker, and under it.
    indent: usize,
    width: usize,
    /// File and line of the `include` elements that led here, innermost first.
    chain: Vec<(String, usize)>,
}

/// Characters of a source line that are quoted at most.
const QUOTE: usize = 100;

impl Report {
    fn new(message: String, span: Option<Span>) -> Box<Report> {
        Box::new(Report {
            message,
            others: Vec::new(),
            reference: None,
            subject: None,
            help: None,
            span,
            element: None,
            attribute: None,
            place: None,
        })
    }

    fn locate(&mut self, sources: &Sources) {
        self.others.iter_mut().for_each(|other| other.0.locate(sources));
        let Some(span) = self.span else { return };
        if self.place.is_some() || span.pos.file as usize >= sources.len() {
            return;
        }
        let text = sources.text(span.pos.file);
        let start = floor_char(text, span.pos.offset as usize);
        let tag = text[start..].starts_with('<').then(|| tag_name(&text[start..])).flatten();

        // what to mark
        let (start, end) = match (span.len, &self.attribute, tag) {
            (0, Some(attribute), Some(_)) => find_attribute(text, start, attribute)
                .unwrap_or((start, start + 1 + tag.map_or(0, str::len))),
            (0, _, Some(tag)) => (start, start + 1 + tag.len()),
            (len, _, _) => (start, floor_char(text, start + len)),
        };

        let (line, column, quote, indent, width) = quote(text, start, end);
        let mut chain = Vec::new();
        let mut file = span.pos.file;
        while let Some(pos) = sources.included_from(file) {
            let line = 1 + count_newlines(&sources.text(pos.file)[..pos.offset as usize]);
            chain.push((sources.name(pos.file).to_owned(), line));
            file = pos.file;
        }
        self.place = Some(Place {
            file: sources.name(span.pos.file).to_owned(),
            line,
            column,
            element: self.element.clone().or(tag.map(str::to_owned)),
            quote: looks_like_xml(text).then_some(quote),
            indent,
            width,
            chain,
        });
    }

    fn render(&self, level: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{level}: {}", self.message)?;
        let margin = match &self.place {
            Some(place) => {
                let number = place.line.to_string();
                let margin = " ".repeat(number.len());
                let (line, column) = (place.line, place.column);
                match place.file.as_str() {
                    TEXT => write!(f, "\n{margin}--> line {line}, column {column}")?,
                    file => write!(f, "\n{margin}--> {file}:{line}:{column}")?,
                }
                for (file, line) in &place.chain {
                    write!(f, "\n{margin}    included from {file}:{line}")?;
                }
                if let Some(quote) = &place.quote {
                    write!(f, "\n{margin} |\n{number} | {quote}")?;
                    write!(f, "\n{margin} | {}", " ".repeat(place.indent))?;
                    write!(f, "{}", "^".repeat(place.width.max(1)))?;
                }
                margin
            }
            None => String::from(" "),
        };
        if let Some(help) = &self.help {
            write!(f, "\n{margin} = help: {help}")?;
        }
        Ok(())
    }
}

fn looks_like_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

/// The name after the `<` that `text` starts with.
fn tag_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('<')?;
    let end = rest.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(rest.len());
    (end > 0).then(|| &rest[..end])
}

/// The bytes of the attribute `name`, from its name to its closing quote, in the start tag at
/// `start`.
fn find_attribute(text: &str, start: usize, name: &str) -> Option<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut at = start + 1 + tag_name(&text[start..])?.len();
    loop {
        while bytes.get(at)?.is_ascii_whitespace() {
            at += 1;
        }
        let begin = at;
        while !matches!(bytes.get(at)?, b'=' | b'>' | b'/') && !bytes[at].is_ascii_whitespace() {
            at += 1;
        }
        let key = &text[begin..at];
        while bytes.get(at)?.is_ascii_whitespace() {
            at += 1;
        }
        if bytes[at] != b'=' {
            return None;
        }
        at += 1;
        while bytes.get(at)?.is_ascii_whitespace() {
            at += 1;
        }
        let mark = bytes[at];
        at += 1 + bytes.get(at + 1..)?.iter().position(|&b| b == mark)? + 1;
        if key == name {
            return Some((begin, at));
        }
    }
}

/// Line and column of `start`, the quoted line, and the place and width of the marker in it.
fn quote(text: &str, start: usize, end: usize) -> (usize, usize, String, usize, usize) {
    let line = 1 + count_newlines(&text[..start]);
    let line_start = text[..start].rfind('\n').map_or(0, |i| i + 1);
    let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
    let before = text[line_start..start].chars().count();
    let marked = text[start..end.clamp(start, line_end)].chars().count();

    // clip a long line around the marker; tabs and other controls take one column each
    let skip = if before + marked.min(QUOTE / 2) > QUOTE { before - QUOTE / 4 } else { 0 };
    let mut rest = text[line_start..line_end].trim_end().chars().skip(skip);
    let shown: String =
        rest.by_ref().take(QUOTE).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let head = if skip > 0 { "..." } else { "" };
    let tail = if rest.next().is_some() { "..." } else { "" };
    let width = marked.min(shown.chars().count().saturating_sub(before - skip));
    (line, before + 1, format!("{head}{shown}{tail}"), head.len() + before - skip, width)
}

fn count_newlines(text: &str) -> usize {
    text.bytes().filter(|&b| b == b'\n').count()
}

fn floor_char(text: &str, mut at: usize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
