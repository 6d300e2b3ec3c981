//! Writing XML: elements, their attributes and comments.

use std::fmt::Write;

/// Levels that are shown by indentation; more would make long texts of deep ones.
const MAX_INDENT: usize = 200;

/// A document under construction.
#[derive(Default)]
pub(crate) struct Markup {
    text: String,
    depth: usize,
    /// Where the first section starts.
    first: usize,
    /// Whether there is a blank line between sections.
    spaced: bool,
}

impl Markup {
    /// An empty document; with `spaced`, sections have a blank line between them.
    pub(crate) fn new(spaced: bool) -> Markup {
        Markup { spaced, ..Markup::default() }
    }

    /// The finished text.
    pub(crate) fn finish(self) -> String {
        self.text
    }

    /// Opens an element. What follows stands inside it until `close`.
    pub(crate) fn open(&mut self, name: &str, attributes: &[(&'static str, String)]) -> Opened {
        let start = self.text.len();
        if self.spaced && self.depth == 1 && start > self.first {
            self.text.push('\n');
        }
        self.indent();
        self.text.push('<');
        self.text.push_str(name);
        for (name, value) in attributes {
            let _ = write!(self.text, " {name}=\"");
            escape(value, &mut self.text);
            self.text.push('"');
        }
        self.text.push_str(">\n");
        self.depth += 1;
        if self.depth == 1 {
            self.first = self.text.len();
        }
        Opened { start, inside: self.text.len(), bare: attributes.is_empty() }
    }

    /// Closes an element.
    pub(crate) fn close(&mut self, name: &str, opened: &Opened) {
        self.depth -= 1;
        if self.text.len() == opened.inside {
            self.text.truncate(opened.inside - ">\n".len());
            self.text.push_str("/>\n");
        } else {
            self.indent();
            let _ = writeln!(self.text, "</{name}>");
        }
    }

    /// Closes an element, or removes it if it says nothing.
    pub(crate) fn close_section(&mut self, name: &str, opened: &Opened) {
        if opened.bare && self.text.len() == opened.inside {
            self.depth -= 1;
            self.text.truncate(opened.start);
        } else {
            self.close(name, opened);
        }
    }

    /// Adds an element with nothing inside.
    pub(crate) fn leaf(&mut self, name: &str, attributes: &[(&'static str, String)]) {
        let opened = self.open(name, attributes);
        self.close(name, &opened);
    }

    /// Adds a comment.
    pub(crate) fn comment(&mut self, text: &str) {
        self.indent();
        // two dashes would end the comment
        let mut text = text.replace("--", "- -").replace("--", "- -");
        if text.ends_with('-') {
            text.push(' ');
        }
        let _ = writeln!(self.text, "<!--{text}-->");
    }

    fn indent(&mut self) {
        for _ in 0..self.depth.min(MAX_INDENT) {
            self.text.push_str("  ");
        }
    }
}

/// An element that is not closed yet.
pub(crate) struct Opened {
    start: usize,
    inside: usize,
    bare: bool,
}

/// Adds a value such that reading it gives the same characters.
fn escape(value: &str, text: &mut String) {
    for c in value.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\n' | '\r' | '\t' => {
                let _ = write!(text, "&#{};", c as u32);
            }
            c => text.push(c),
        }
    }
}
