use std::fmt::Write;

use sim_core::math::{Quat, Vec3};

use super::{Class, Id, Orientation};

/// What walks the attributes of an element: the reader, the list of known names, the writer.
///
/// An element calls one method per attribute, in its function [`attrs`](Attributes::attrs). The
/// methods return whether the attribute was given, so that an element can check combinations.
pub(crate) trait Attrs {
    /// Whether the element stands in a default class, where it has no name and no references.
    fn in_defaults(&self) -> bool;

    /// Whether the element is written: attributes that are another spelling of others are left
    /// out then.
    fn writing(&self) -> bool {
        false
    }

    /// The attributes `name` and `class`.
    fn identity(&mut self, name: &mut String);

    /// The attribute `childclass`.
    fn childclass(&mut self, class: &mut Option<Id<Class>>);

    /// A text.
    fn text(&mut self, name: &'static str, value: &mut String) -> bool;

    /// One word out of a list.
    fn keyword<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        value: &mut T,
        words: &'static [(&'static str, T)],
    ) -> bool;

    /// Several different words out of a list, each a bit.
    fn keywords(
        &mut self,
        name: &'static str,
        bits: &mut i32,
        words: &'static [(&'static str, i32)],
    ) -> bool;

    /// Several different words out of a list, each a bit, in the order of the list.
    fn keywords_in_order(
        &mut self,
        name: &'static str,
        bits: &mut i32,
        words: &'static [(&'static str, i32)],
    ) -> bool {
        self.keywords(name, bits, words)
    }

    /// As many numbers as the value has; also a single number.
    fn numbers<N: Numbers>(&mut self, name: &'static str, value: &mut N) -> bool;

    /// At most as many numbers as the value has; the rest keep their values.
    fn up_to<N: Numbers>(&mut self, name: &'static str, value: &mut N) -> bool;

    /// One or two numbers; a single one stands for both.
    fn one_or_two(&mut self, name: &'static str, value: &mut [f64; 2]) -> bool {
        self.numbers(name, value)
    }

    /// Numbers that are absent unless given.
    fn optional<N: Numbers>(&mut self, name: &'static str, value: &mut Option<N>) -> bool;

    /// Any number of numbers.
    fn list<T: Number>(&mut self, name: &'static str, value: &mut Vec<T>) -> bool;

    /// A value with a notation of its own.
    fn value<T: Parse>(&mut self, name: &'static str, value: &mut T) -> bool;

    /// The attributes `quat`, `axisangle`, `xyaxes`, `zaxis` and `euler`, of which one may be
    /// given.
    fn orientation(&mut self, value: &mut Orientation) -> bool;

    /// Demands that the attribute is given.
    fn required(&mut self, name: &'static str);

    /// Reports a fault of the attribute.
    fn fail(&mut self, name: &'static str, message: impl Into<String>);

    /// Reports something about the attribute that deserves attention.
    fn warn(&mut self, name: &'static str, message: impl Into<String>, help: &str);
}

/// Something with attributes.
pub(crate) trait Attributes {
    /// Shows each attribute to `a`.
    fn attrs<A: Attrs>(&mut self, a: &mut A);
}

/// A scalar that attributes are made of.
pub(crate) trait Number: Copy + PartialEq {
    /// Reads the number, which must take up the whole text.
    fn parse(text: &str) -> Result<Self, BadNumber>;

    /// Adds the shortest text that reads back to the same number.
    fn print(self, text: &mut String);
}

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BadNumber {
    /// It is something else.
    Syntax,
    /// It has a fraction where an integer is needed.
    NotInteger,
    /// It is too large for the type.
    Range,
    /// It is the undefined number.
    Nan,
}

macro_rules! floating {
    ($($T:ty),*) => {$(
        impl Number for $T {
            fn parse(text: &str) -> Result<$T, BadNumber> {
                match text.parse::<$T>() {
                    Ok(x) if x.is_finite() => Ok(x),
                    Ok(x) if x.is_nan() => Err(BadNumber::Nan),
                    // a number, unless it is spelled out, that became infinite is too large
                    Ok(x) if !text.bytes().any(|b| b.is_ascii_digit()) => Ok(x),
                    Ok(_) => Err(BadNumber::Range),
                    Err(_) => match parse_hex(text) {
                        Some(x) => Ok(x as $T),
                        None => Err(BadNumber::Syntax),
                    },
                }
            }

            fn print(self, text: &mut String) {
                let start = text.len();
                let _ = write!(text, "{self:?}");
                if text[start..].ends_with(".0") {
                    text.truncate(text.len() - 2);
                }
            }
        }
    )*};
}
floating!(f64, f32);

impl Number for i32 {
    fn parse(text: &str) -> Result<i32, BadNumber> {
        use std::num::IntErrorKind::{NegOverflow, PosOverflow};
        text.parse::<i32>().map_err(|error| match error.kind() {
            PosOverflow | NegOverflow => BadNumber::Range,
            _ if text.parse::<f64>().is_ok() => BadNumber::NotInteger,
            _ => BadNumber::Syntax,
        })
    }

    fn print(self, text: &mut String) {
        let _ = write!(text, "{self}");
    }
}

/// Reads a number in C's hexadecimal notation, such as `0x1.8p3`.
fn parse_hex(text: &str) -> Option<f64> {
    let (sign, text) = match text.as_bytes().first()? {
        b'-' => (-1.0, &text[1..]),
        b'+' => (1.0, &text[1..]),
        _ => (1.0, text),
    };
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let (digits, exponent) = match digits.find(['p', 'P']) {
        Some(i) => (&digits[..i], digits[i + 1..].parse::<i32>().ok()?),
        None => (digits, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    // more digits than a double holds are not worth the trouble
    if whole.len() + fraction.len() == 0 || whole.len() + fraction.len() > 13 {
        return None;
    }
    let mut mantissa = 0.0;
    for c in whole.chars().chain(fraction.chars()) {
        mantissa = mantissa * 16.0 + f64::from(c.to_digit(16)?);
    }
    let value = sign * mantissa * f64::powi(2.0, exponent.checked_sub(4 * fraction.len() as i32)?);
    value.is_finite().then_some(value)
}

/// A fixed number of scalars.
pub(crate) trait Numbers: Copy + PartialEq {
    /// Type of the scalars.
    type Item: Number;
    /// All zero.
    fn zero() -> Self;
    /// The scalars.
    fn items(&mut self) -> &mut [Self::Item];
}

macro_rules! scalar {
    ($($T:ty),*) => {$(
        impl Numbers for $T {
            type Item = $T;
            fn zero() -> $T {
                0 as $T
            }
            fn items(&mut self) -> &mut [$T] {
                std::slice::from_mut(self)
            }
        }
        impl<const N: usize> Numbers for [$T; N] {
            type Item = $T;
            fn zero() -> [$T; N] {
                [0 as $T; N]
            }
            fn items(&mut self) -> &mut [$T] {
                self
            }
        }
    )*};
}
scalar!(f64, f32, i32);

macro_rules! vector {
    ($($T:ty = $zero:expr),*) => {$(
        impl Numbers for $T {
            type Item = f64;
            fn zero() -> $T {
                $zero
            }
            fn items(&mut self) -> &mut [f64] {
                bytemuck::cast_slice_mut(std::slice::from_mut(self))
            }
        }
    )*};
}
vector!(Vec3 = Vec3::ZERO, Quat = Quat::new(0.0, 0.0, 0.0, 0.0));

/// A value with a notation of its own.
pub(crate) trait Parse: Sized {
    /// Reads the value, or says what was expected.
    fn parse(text: &str) -> Result<Self, String>;

    /// The text that reads back to the same value; none for a value that is not written.
    fn print(&self) -> Option<String>;
}

/// Words for yes and no.
pub(crate) const FLAG: &[(&str, bool)] = &[("false", false), ("true", true)];

/// Words for a limit that may be inferred.
pub(crate) const TRISTATE: &[(&str, sim_core::model::Limited)] = &[
    ("false", sim_core::model::Limited::False),
    ("true", sim_core::model::Limited::True),
    ("auto", sim_core::model::Limited::Auto),
];
