//! Codes of errors: the kind of mistake, told by how the sentence about it begins.

/// Codes, and beginnings or parts of sentences; the first that fits counts.
const CODES: &[(&str, &[&str])] = &[
    (
        "E01",
        &["cannot read '", "cannot keep to", "cannot open", "there is no such file", "outside"],
    ),
    ("E03", &["unknown element", "the root element is", "may appear only once", "may stand"]),
    ("E04", &["unknown attribute", "attribute '"]),
    (
        "E06",
        &[
            "unknown default class",
            "unknown keyword",
            "there is no ",
            "no such ",
            "not found",
            "unknown ",
        ],
    ),
    ("E07", &["repeated", "twice", "already", "two "]),
    ("E08", &["not supported"]),
    ("E09", &["memory", "too many", "too deep", "too large to", "limit of"]),
    (
        "E05",
        &["number", "expected", "must be", "must not", "needs ", "values", "keyword", "not a "],
    ),
    ("E02", &["XML", "markup", "tag", "entity", "unexpected", "quote", "namespace"]),
];

/// Everything else: what the compiler finds in a model that reads well.
const OTHER: &str = "E10";

/// The code of an error with a message.
pub(super) fn of(message: &str) -> &'static str {
    let fits = |words: &&str| message.contains(words);
    CODES
        .iter()
        .find(|(_, parts)| parts.iter().any(|part| fits(&part)))
        .map_or(OTHER, |(code, _)| code)
}
