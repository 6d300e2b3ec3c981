//! A writer of JSON.

use std::fmt::Write;

/// Objects and arrays that are written from left to right.
#[derive(Debug, Default)]
pub(crate) struct Json {
    text: String,
}

/// A value that can be written.
pub(crate) trait Value {
    fn write(&self, json: &mut Json);
}

impl Json {
    /// An object with the members that `fill` writes.
    pub(crate) fn object(fill: impl FnOnce(&mut Json)) -> String {
        let mut json = Json::default();
        json.braces(fill);
        json.text
    }

    fn separate(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with(['{', '[', ':', ',']) {
            self.text.push(',');
        }
    }

    fn braces(&mut self, fill: impl FnOnce(&mut Json)) {
        self.separate();
        self.text.push('{');
        fill(self);
        self.text.push('}');
    }

    /// A member.
    pub(crate) fn member(&mut self, key: &str, value: impl Value) -> &mut Json {
        self.key(key);
        value.write(self);
        self
    }

    fn key(&mut self, key: &str) {
        self.separate();
        self.string(key);
        self.text.push(':');
    }

    /// A member that is an object.
    pub(crate) fn nested(&mut self, key: &str, fill: impl FnOnce(&mut Json)) {
        self.key(key);
        self.braces(fill);
    }

    /// A member that is a list of objects.
    pub(crate) fn list<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut fill: impl FnMut(&mut Json, T),
    ) {
        self.key(key);
        self.text.push('[');
        for item in items {
            self.braces(|json| fill(json, item));
        }
        self.text.push(']');
    }

    fn string(&mut self, text: &str) {
        self.text.push('"');
        for c in text.chars() {
            match c {
                '"' => self.text.push_str("\\\""),
                '\\' => self.text.push_str("\\\\"),
                '\n' => self.text.push_str("\\n"),
                // `<` closes nothing when the text is part of a page
                c if c < ' ' || matches!(c, '<' | '>' | '&' | '\u{2028}' | '\u{2029}') => {
                    let _ = write!(self.text, "\\u{:04x}", c as u32);
                }
                c => self.text.push(c),
            }
        }
        self.text.push('"');
    }
}

impl Value for &str {
    fn write(&self, json: &mut Json) {
        json.separate();
        json.string(self);
    }
}

impl Value for String {
    fn write(&self, json: &mut Json) {
        self.as_str().write(json);
    }
}

impl Value for bool {
    fn write(&self, json: &mut Json) {
        json.separate();
        json.text.push_str(if *self { "true" } else { "false" });
    }
}

macro_rules! integers {
    ($($Type:ty)*) => { $(
        impl Value for $Type {
            fn write(&self, json: &mut Json) {
                json.separate();
                let _ = write!(json.text, "{self}");
            }
        }
    )* };
}
integers! { i32 u8 u32 u64 usize }

macro_rules! numbers {
    ($($Type:ty)*) => { $(
        impl Value for $Type {
            fn write(&self, json: &mut Json) {
                json.separate();
                match self.is_finite() {
                    true => { let _ = write!(json.text, "{self}"); }
                    false => json.text.push_str("null"),
                }
            }
        }
    )* };
}
numbers! { f32 f64 }

impl<T: Value> Value for [T] {
    fn write(&self, json: &mut Json) {
        json.separate();
        json.text.push('[');
        for item in self {
            item.write(json);
        }
        json.text.push(']');
    }
}

impl<T: Value> Value for &[T] {
    fn write(&self, json: &mut Json) {
        (**self).write(json);
    }
}

impl<T: Value, const N: usize> Value for [T; N] {
    fn write(&self, json: &mut Json) {
        self.as_slice().write(json);
    }
}

impl<T: Value> Value for Vec<T> {
    fn write(&self, json: &mut Json) {
        self.as_slice().write(json);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_and_text_is_escaped() {
        let text = Json::object(|json| {
            json.member("a", 1).member("b", [0.5, f64::NAN]).member("c", "x\"\\\n</script>");
            json.list("d", [1, 2], |json, i| {
                json.member("i", i);
            });
            json.nested("e", |_| {});
        });
        let script = "\\u003c/script\\u003e";
        let expected = r#"{"a":1,"b":[0.5,null],"c":"x\"\\\n"#.to_owned()
            + script
            + r#"","d":[{"i":1},{"i":2}],"e":{}}"#;
        assert_eq!(text, expected);
    }
}
