//! A quick look at the text before it is parsed, so that hostile input is refused early.

use std::borrow::Cow;

use crate::error::{Error, Pos};

/// Levels of elements inside each other, in one file and through includes.
pub(crate) const MAX_DEPTH: usize = 500;
/// Attributes of one element; comparing them for duplicates takes quadratic time.
const MAX_ATTRIBUTES: usize = 1000;
/// Elements and attributes of one file.
const MAX_ITEMS: usize = 20_000_000;
/// Namespace declarations of one file; each is inherited by everything inside.
const MAX_NAMESPACES: usize = 100;

/// Checks depth, attribute counts and document types of a file, in one pass.
///
/// Returns the text to parse, in which a few things are blanked that XML forbids and MuJoCo
/// accepts: comments with `--` in them, an XML declaration after white space, and a document type
/// that declares nothing. Text that is not well formed is left to the parser to report.
pub(crate) fn scan(text: &str, file: u32) -> Result<Cow<'_, str>, Error> {
    let bytes = text.as_bytes();
    let error = |at: usize, len: usize, message: String| {
        Error::span(Pos { file, offset: at as u32 }, len, message)
    };
    let mut blank: Vec<(usize, usize)> = Vec::new();
    let (mut depth, mut items, mut namespaces) = (0usize, 0usize, 0usize);
    let mut at = 0;
    while let Some(start) = find(bytes, at, b"<") {
        let first = at == 0;
        if bytes[start..].starts_with(b"<!--") {
            let Some(end) = find(bytes, start + 4, b"-->") else { break };
            let inside = &bytes[start + 4..end];
            if find(inside, 0, b"--").is_some() || inside.ends_with(b"-") {
                blank.push((start + 4, end));
            }
            at = end + 3;
        } else if bytes[start..].starts_with(b"<![CDATA[") {
            let Some(end) = find(bytes, start, b"]]>") else { break };
            at = end + 3;
        } else if bytes[start..].starts_with(b"<!DOCTYPE") {
            let Some(end) = find(bytes, start, b">") else { break };
            if bytes[start..end].contains(&b'[') {
                let message = "document types that declare something are not supported";
                return Err(error(start, 9, message.into()).help("remove the '<!DOCTYPE ...>'"));
            }
            at = end + 1;
            blank.push((start, at));
        } else if bytes[start..].starts_with(b"<?") {
            let Some(end) = find(bytes, start, b"?>") else { break };
            at = end + 2;
            if first && start > 0 && bytes[start..].starts_with(b"<?xml ") {
                blank.push((start, at));
            }
        } else if bytes[start..].starts_with(b"</") {
            let Some(end) = find(bytes, start, b">") else { break };
            depth = depth.saturating_sub(1);
            at = end + 1;
        } else {
            // a start tag: its name, then attributes
            depth += 1;
            if depth > MAX_DEPTH {
                let message = format!("elements are nested more than {MAX_DEPTH} levels deep");
                return Err(error(start, 0, message));
            }
            let mut attributes = 0;
            at = start + 1;
            let mut name_start = true;
            loop {
                match bytes.get(at) {
                    None => break,
                    Some(b'>') => {
                        if bytes[at - 1] == b'/' {
                            depth -= 1;
                        }
                        at += 1;
                        break;
                    }
                    Some(&mark @ (b'"' | b'\'')) => {
                        attributes += 1;
                        let Some(end) = find(bytes, at + 1, &[mark]) else {
                            at = bytes.len();
                            break;
                        };
                        at = end + 1;
                        name_start = true;
                    }
                    Some(b) if b.is_ascii_whitespace() => {
                        name_start = true;
                        at += 1;
                    }
                    Some(_) => {
                        if name_start && bytes[at..].starts_with(b"xmlns") {
                            namespaces += 1;
                        }
                        name_start = false;
                        at += 1;
                    }
                }
            }
            if attributes > MAX_ATTRIBUTES {
                let message = format!("an element has more than {MAX_ATTRIBUTES} attributes");
                return Err(error(start, 0, message));
            }
            items += 1 + attributes;
            if items > MAX_ITEMS {
                let message = format!("the file has more than {MAX_ITEMS} elements and attributes");
                return Err(error(start, 0, message));
            }
            if namespaces > MAX_NAMESPACES {
                let message = format!("the file declares more than {MAX_NAMESPACES} namespaces");
                return Err(error(start, 0, message));
            }
        }
    }
    if blank.is_empty() {
        return Ok(Cow::Borrowed(text));
    }

    // spaces and line breaks keep every offset and every line where it was
    let mut copy = text.as_bytes().to_vec();
    for (start, end) in blank {
        for byte in &mut copy[start..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    Ok(Cow::Owned(String::from_utf8(copy).unwrap_or_else(|_| text.to_owned())))
}

/// The first place of `what` in `bytes` from `from` on.
fn find(bytes: &[u8], from: usize, what: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    match what {
        [one] => rest.iter().position(|b| b == one),
        _ => rest.windows(what.len()).position(|w| w == what),
    }
    .map(|i| from + i)
}
