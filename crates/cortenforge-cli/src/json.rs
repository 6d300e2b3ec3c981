//! JSON, written by hand: objects keep the order of their members.

use std::fmt::Write;

/// A value.
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(&'static str, Json)>),
}

impl From<&str> for Json {
    fn from(text: &str) -> Json {
        Json::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Json {
        Json::Text(text)
    }
}

impl From<f64> for Json {
    fn from(number: f64) -> Json {
        Json::Number(number)
    }
}

impl From<usize> for Json {
    fn from(number: usize) -> Json {
        Json::Number(number as f64)
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Json {
        Json::Bool(value)
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Json {
        value.map_or(Json::Null, Into::into)
    }
}

impl<T: Into<Json>> FromIterator<T> for Json {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Json {
        Json::List(values.into_iter().map(Into::into).collect())
    }
}

impl Json {
    /// The text, indented, with a newline at the end.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        self.write(&mut out, 0);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            // numbers that JSON has none for
            Json::Number(number) if !number.is_finite() => out.push_str("null"),
            Json::Number(number) => {
                let _ = write!(out, "{number}");
            }
            Json::Text(text) => write_text(out, text),
            Json::List(values) => {
                let flat =
                    values.iter().all(|value| !matches!(value, Json::List(_) | Json::Object(_)));
                let items = values.iter().map(|value| (None, value));
                write_items(out, ['[', ']'], items, depth, flat);
            }
            Json::Object(members) => {
                let items = members.iter().map(|(name, value)| (Some(*name), value));
                write_items(out, ['{', '}'], items, depth, false);
            }
        }
    }
}

fn write_items<'a>(
    out: &mut String,
    [open, close]: [char; 2],
    items: impl ExactSizeIterator<Item = (Option<&'a str>, &'a Json)>,
    depth: usize,
    flat: bool,
) {
    out.push(open);
    let last = items.len();
    for (i, (name, value)) in items.enumerate() {
        match flat {
            true if i > 0 => out.push(' '),
            true => {}
            false => {
                out.push('\n');
                out.extend(std::iter::repeat_n("  ", depth + 1));
            }
        }
        if let Some(name) = name {
            write_text(out, name);
            out.push_str(": ");
        }
        value.write(out, depth + 1);
        if i + 1 < last {
            out.push(',');
        } else if !flat {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        }
    }
    out.push(close);
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            control if control.is_control() => {
                let _ = write!(out, "\\u{:04x}", control as u32);
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_that_are_none_are_null() {
        let value = Json::Object(vec![
            ("name", "a \"b\"\n\u{1}".into()),
            ("sizes", [1.0, f64::NAN].into_iter().collect()),
            ("none", Json::Null),
        ]);
        let text = "{\n  \"name\": \"a \\\"b\\\"\\n\\u0001\",\n  \"sizes\": [1, null],\n  \"none\": null\n}\n";
        assert_eq!(value.text(), text);
    }
}
