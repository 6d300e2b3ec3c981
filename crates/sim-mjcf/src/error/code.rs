//! Codes of errors: the kind of mistake, told by how the sentence about it begins.

/// Codes, and beginnings or parts of sentences; the first that fits counts.
const CODES: &[(&str, &[&str])] = &[
    ("E02", &["malformed XML"]),
    ("E01", &["cannot read '", "cannot keep to", "outside of"]),
    ("E03", &["unknown element", "the root element is", "may appear only once"]),
    ("E04", &["unknown attribute", "needs the attribute"]),
    ("E07", &["there is another", "is there already", "already part of"]),
    ("E06", &["unknown default class", "there is no "]),
    ("E08", &["not supported"]),
    ("E09", &["asks for", "the limit is", "memory", "levels deep", "too many"]),
    ("E05", &["number", "expected", "must be", "must not", "needs a", "is not a", "too large"]),
];

/// Everything else: what the compiler finds in a model that reads well.
const OTHER: &str = "E10";

/// The code of an error with a message.
pub(super) fn of(message: &str) -> &'static str {
    let fits = |parts: &&[&str]| parts.iter().any(|part| message.contains(part));
    CODES.iter().find(|(_, parts)| fits(parts)).map_or(OTHER, |(code, _)| code)
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn kinds_of_mistakes_have_their_codes() {
        for (code, message) in [
            ("E01", "mesh 'a': cannot read 'no.stl': there is no such file"),
            ("E02", "malformed XML: unknown token"),
            ("E03", "unknown element 'bdy' in element 'worldbody'"),
            ("E04", "unknown attribute 'sise' in element 'geom'"),
            ("E05", "'hing' is not a value of 'type'"),
            ("E05", "the first size of a box must be positive"),
            ("E06", "there is no body 'arm'"),
            ("E07", "there is another joint called 'hip'"),
            ("E08", "element 'plugin' is not supported yet"),
            ("E09", "nuserdata in size asks for 2000000000 times 1 numbers"),
            ("E10", "body 'arm' moves, but has no mass or no inertia"),
        ] {
            assert_eq!(of(message), code, "{message}");
        }
    }
}
