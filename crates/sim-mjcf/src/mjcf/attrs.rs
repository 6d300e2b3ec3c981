//! Reading the attributes of an element, and naming them when one is not known.

use std::collections::HashMap;

use roxmltree::Attribute;
use sim_core::math::{Quat, Vec3};

use crate::error::{Error, Pos, Warning};
use crate::spec::{
    Alternative, Attributes, Attrs, BadNumber, Class, Id, Number, Numbers, Orientation, Parse,
};
use crate::suggest::{advise, quoted};
use crate::xml::Elem;

/// Reads the attributes of `elem` over the values that `target` has.
pub(crate) fn read(
    elem: Elem<'_, '_>,
    target: &mut impl Attributes,
    defaults: bool,
    classes: &HashMap<String, Id<Class>>,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let left = elem.node.attributes().len();
    let mut reader = Reader { elem, left, defaults, classes, warnings, error: None };
    target.attrs(&mut reader);
    match reader.error {
        Some(error) => Err(error),
        None if reader.left > 0 => Err(unknown_attribute(elem, target, defaults)),
        None => Ok(()),
    }
}

/// Reads the attributes of `elem` that `target` has; others are a warning.
pub(crate) fn read_known(
    elem: Elem<'_, '_>,
    target: &mut impl Attributes,
    warnings: &mut Vec<Warning>,
) -> Result<(), Error> {
    let left = elem.node.attributes().len();
    let classes = HashMap::new();
    let mut reader =
        Reader { elem, left, defaults: false, classes: &classes, warnings, error: None };
    target.attrs(&mut reader);
    let (error, left) = (reader.error, reader.left);
    if left > 0 {
        let message = unknown_attribute(elem, target, false).message().to_owned();
        warnings.push(elem.pos().warning(message));
    }
    error.map_or(Ok(()), Err)
}

/// The class that an attribute names.
pub(crate) fn find_class(
    elem: Elem<'_, '_>,
    attribute: &'static str,
    classes: &HashMap<String, Id<Class>>,
) -> Result<Option<Id<Class>>, Error> {
    let Some(name) = elem.node.attribute(attribute) else { return Ok(None) };
    match classes.get(name) {
        Some(&class) => Ok(Some(class)),
        None => {
            let error = elem.error(format!("unknown default class '{name}'")).attribute(attribute);
            let mut known: Vec<&str> = classes.keys().map(String::as_str).collect();
            known.sort_unstable();
            Err(advise(error, name, &known, "the classes are"))
        }
    }
}

/// The names of the attributes that an element has.
pub(crate) fn names(target: &mut impl Attributes, defaults: bool) -> Vec<&'static str> {
    let mut names = Names { names: Vec::new(), defaults };
    target.attrs(&mut names);
    names.names
}

fn unknown_attribute(elem: Elem<'_, '_>, target: &mut impl Attributes, defaults: bool) -> Error {
    let names = names(target, defaults);
    let unknown = elem.node.attributes().find(|attribute| !names.contains(&attribute.name()));
    let Some(attribute) = unknown else { return elem.error("unknown attribute") };
    let range = attribute.range_qname();
    let pos = Pos { file: elem.file, offset: range.start as u32 };
    let message = format!("unknown attribute '{}' in element '{}'", attribute.name(), elem.name());
    let error =
        Error::span(pos, range.len(), message).in_element(elem.name()).attribute(attribute.name());
    if names.is_empty() {
        return error.help(format!("'{}' has no attributes", elem.name()));
    }
    advise(error, attribute.name(), &names, "the attributes are")
}

/// Reads attributes, keeping the first error.
struct Reader<'r, 'd, 'a> {
    elem: Elem<'d, 'a>,
    /// Attributes that nobody has asked for so far.
    left: usize,
    defaults: bool,
    classes: &'r HashMap<String, Id<Class>>,
    warnings: &'r mut Vec<Warning>,
    error: Option<Error>,
}

impl<'d, 'a> Reader<'_, 'd, 'a> {
    /// Takes the attribute called `name`.
    fn take(&mut self, name: &str) -> Option<Attribute<'d, 'a>> {
        if self.left == 0 || self.error.is_some() {
            return None;
        }
        let found = self.elem.node.attributes().find(|attribute| attribute.name() == name)?;
        self.left -= 1;
        Some(found)
    }

    /// Keeps an error about `part`, a piece of the value of the attribute, if it is the first.
    fn reject(&mut self, attribute: Attribute<'_, '_>, part: &str, message: String) -> &mut Error {
        let mut range = attribute.range_value();
        let value = attribute.value();
        // the value is a piece of the text unless it has escapes in it
        if value.len() == range.len() && part.len() < value.len() {
            let start = part.as_ptr() as usize - value.as_ptr() as usize;
            range = range.start + start..range.start + start + part.len();
        }
        if range.is_empty() {
            range = attribute.range();
        }
        let pos = Pos { file: self.elem.file, offset: range.start as u32 };
        self.error.get_or_insert_with(|| {
            Error::span(pos, range.len(), message)
                .in_element(self.elem.name())
                .attribute(attribute.name())
        })
    }

    /// Reads the numbers of an attribute one by one; returns how many there are.
    fn each<T: Number>(
        &mut self,
        attribute: Attribute<'_, '_>,
        mut store: impl FnMut(usize, T),
    ) -> usize {
        let mut count = 0;
        for word in attribute.value().split_ascii_whitespace() {
            match T::parse(word) {
                Ok(number) => store(count, number),
                Err(reason) => {
                    let name = attribute.name();
                    let message = match reason {
                        BadNumber::Syntax => format!("'{word}' in '{name}' is not a number"),
                        BadNumber::NotInteger => format!("'{word}' in '{name}' is not an integer"),
                        BadNumber::Range => format!("'{word}' in '{name}' is too large"),
                        BadNumber::Nan => format!("'{word}' in '{name}' is not a usable number"),
                    };
                    self.reject(attribute, word, message);
                    return 0;
                }
            }
            count += 1;
        }
        count
    }

    /// Reads up to as many numbers as `items` has, and at least `least` if any.
    fn fill<T: Number>(&mut self, name: &str, items: &mut [T], exact: bool) -> bool {
        let Some(attribute) = self.take(name) else { return false };
        let most = items.len();
        let count = self.each(attribute, |i, number| {
            if i < most {
                items[i] = number;
            }
        });
        if count > most || (exact && count > 0 && count < most) {
            let bound = if exact { "" } else { "at most " };
            let plural = if most == 1 { "" } else { "s" };
            let message = format!("'{name}' expected {bound}{most} number{plural}, found {count}");
            self.reject(attribute, attribute.value(), message);
        }
        count > 0
    }
}

impl Attrs for Reader<'_, '_, '_> {
    fn in_defaults(&self) -> bool {
        self.defaults
    }

    fn identity(&mut self, name: &mut String) {
        if !self.defaults {
            self.text("name", name);
            // looked up before, because it gives the values that the rest is read over
            self.take("class");
        }
    }

    fn childclass(&mut self, class: &mut Option<Id<Class>>) {
        if self.take("childclass").is_some() {
            match find_class(self.elem, "childclass", self.classes) {
                Ok(found) => *class = found,
                Err(error) => self.error = Some(error),
            }
        }
    }

    fn text(&mut self, name: &'static str, value: &mut String) -> bool {
        let Some(attribute) = self.take(name) else { return false };
        value.clear();
        value.push_str(attribute.value());
        true
    }

    fn keyword<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        value: &mut T,
        words: &'static [(&'static str, T)],
    ) -> bool {
        let Some(attribute) = self.take(name) else { return false };
        let text = attribute.value();
        match words.iter().find(|(word, _)| *word == text) {
            Some(&(_, found)) => *value = found,
            None => {
                let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
                let message = format!("'{text}' is not a value of '{name}'");
                let error = self.reject(attribute, text, message);
                *error = advise(error.clone(), text, &known, "the values are");
            }
        }
        true
    }

    fn keywords(
        &mut self,
        name: &'static str,
        bits: &mut i32,
        words: &'static [(&'static str, i32)],
    ) -> bool {
        let Some(attribute) = self.take(name) else { return false };
        let mut found = 0;
        for text in attribute.value().split_ascii_whitespace() {
            match words.iter().find(|(word, _)| *word == text) {
                Some(&(_, bit)) if found & bit != 0 => {
                    self.reject(attribute, text, format!("'{text}' is given twice"));
                }
                Some(&(_, bit)) => found |= bit,
                None => {
                    let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
                    let message = format!("'{text}' is not a value of '{name}'");
                    let error = self.reject(attribute, text, message);
                    *error = advise(error.clone(), text, &known, "the values are");
                }
            }
        }
        if found != 0 {
            *bits = found;
        }
        found != 0
    }

    fn keywords_in_order(
        &mut self,
        name: &'static str,
        bits: &mut i32,
        words: &'static [(&'static str, i32)],
    ) -> bool {
        let found = self.keywords(name, bits, words);
        if let Some(attribute) = self.elem.node.attributes().find(|a| a.name() == name) {
            let rank = |text: &str| words.iter().position(|(word, _)| *word == text);
            let given: Vec<&str> = attribute.value().split_ascii_whitespace().collect();
            if let Some(pair) = given.windows(2).find(|pair| rank(pair[0]) > rank(pair[1])) {
                let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
                let message = format!("'{}' must come before '{}'", pair[1], pair[0]);
                let error = self.reject(attribute, pair[1], message);
                if error.advice().is_none() {
                    *error = error.clone().help(format!("the order is {}", quoted(&known)));
                }
            }
        }
        found
    }

    fn numbers<N: Numbers>(&mut self, name: &'static str, value: &mut N) -> bool {
        self.fill(name, value.items(), true)
    }

    fn up_to<N: Numbers>(&mut self, name: &'static str, value: &mut N) -> bool {
        self.fill(name, value.items(), false)
    }

    fn one_or_two(&mut self, name: &'static str, value: &mut [f64; 2]) -> bool {
        let mut given = [value[0], f64::NAN];
        let found = self.fill(name, &mut given, false);
        if found {
            *value = [given[0], if given[1].is_nan() { given[0] } else { given[1] }];
        }
        found
    }

    fn optional<N: Numbers>(&mut self, name: &'static str, value: &mut Option<N>) -> bool {
        let mut given = N::zero();
        let found = self.fill(name, given.items(), true);
        if found {
            *value = Some(given);
        }
        found
    }

    fn list<T: Number>(&mut self, name: &'static str, value: &mut Vec<T>) -> bool {
        let Some(attribute) = self.take(name) else { return false };
        let mut given = Vec::new();
        let count = self.each(attribute, |_, number| given.push(number));
        if count > 0 {
            *value = given;
        }
        count > 0
    }

    fn value<T: Parse>(&mut self, name: &'static str, value: &mut T) -> bool {
        let Some(attribute) = self.take(name) else { return false };
        match T::parse(attribute.value()) {
            Ok(found) => *value = found,
            Err(message) => {
                self.reject(attribute, attribute.value(), format!("'{name}': {message}"));
            }
        }
        true
    }

    fn orientation(&mut self, value: &mut Orientation) -> bool {
        let mut given = self.elem.node.attributes().filter(|a| ORIENTATIONS.contains(&a.name()));
        let count = given.clone().count();
        if count > 1 {
            if let Some(second) = given.next_back() {
                let message = "an orientation is given in more than one way";
                self.fail_attribute(second, message.into());
            }
            return true;
        }
        if count == 0 {
            return false;
        }
        let (mut quat, mut three, mut four, mut six) =
            (Quat::IDENTITY, Vec3::ZERO, [0.0; 4], [0.0; 6]);
        if self.numbers("quat", &mut quat) {
            if quat == Quat::new(0.0, 0.0, 0.0, 0.0) {
                self.fail("quat", "a quaternion cannot be zero");
            }
            value.quat = quat;
        } else if self.numbers("axisangle", &mut four) {
            value.alternative = Some(Alternative::AxisAngle(four));
        } else if self.numbers("xyaxes", &mut six) {
            value.alternative = Some(Alternative::XyAxes(six));
        } else if self.numbers("zaxis", &mut three) {
            value.alternative = Some(Alternative::ZAxis(three));
        } else if self.numbers("euler", &mut three) {
            value.alternative = Some(Alternative::Euler(three));
        } else {
            return false;
        }
        true
    }

    fn required(&mut self, name: &'static str) {
        if self.error.is_none()
            && self.elem.node.attribute(name).is_none_or(|value| value.trim_ascii().is_empty())
        {
            let message = format!("element '{}' needs the attribute '{name}'", self.elem.name());
            self.error = Some(self.elem.error(message));
        }
    }

    fn fail(&mut self, name: &'static str, message: impl Into<String>) {
        let attribute = self.elem.node.attributes().find(|attribute| attribute.name() == name);
        match attribute {
            Some(attribute) => self.fail_attribute(attribute, message.into()),
            None => {
                let error = self.elem.error(message).attribute(name);
                self.error.get_or_insert(error);
            }
        }
    }

    fn warn(&mut self, name: &'static str, message: impl Into<String>, help: &str) {
        let warning = self.elem.pos().warning(message).attribute(name).help(help);
        self.warnings.push(warning);
    }
}

impl Reader<'_, '_, '_> {
    fn fail_attribute(&mut self, attribute: Attribute<'_, '_>, message: String) {
        let range = attribute.range();
        let pos = Pos { file: self.elem.file, offset: range.start as u32 };
        let error = Error::span(pos, range.len(), message)
            .in_element(self.elem.name())
            .attribute(attribute.name());
        self.error.get_or_insert(error);
    }
}

/// Attributes that give an orientation.
const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];

/// Collects the names of the attributes that an element has.
struct Names {
    names: Vec<&'static str>,
    defaults: bool,
}

impl Names {
    fn add(&mut self, name: &'static str) -> bool {
        self.names.push(name);
        false
    }
}

impl Attrs for Names {
    fn in_defaults(&self) -> bool {
        self.defaults
    }

    fn identity(&mut self, _: &mut String) {
        if !self.defaults {
            self.names.extend(["name", "class"]);
        }
    }

    fn childclass(&mut self, _: &mut Option<Id<Class>>) {
        self.add("childclass");
    }

    fn text(&mut self, name: &'static str, _: &mut String) -> bool {
        self.add(name)
    }

    fn keyword<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        _: &mut T,
        _: &'static [(&'static str, T)],
    ) -> bool {
        self.add(name)
    }

    fn keywords(
        &mut self,
        name: &'static str,
        _: &mut i32,
        _: &'static [(&'static str, i32)],
    ) -> bool {
        self.add(name)
    }

    fn numbers<N: Numbers>(&mut self, name: &'static str, _: &mut N) -> bool {
        self.add(name)
    }

    fn up_to<N: Numbers>(&mut self, name: &'static str, _: &mut N) -> bool {
        self.add(name)
    }

    fn optional<N: Numbers>(&mut self, name: &'static str, _: &mut Option<N>) -> bool {
        self.add(name)
    }

    fn list<T: Number>(&mut self, name: &'static str, _: &mut Vec<T>) -> bool {
        self.add(name)
    }

    fn value<T: Parse>(&mut self, name: &'static str, _: &mut T) -> bool {
        self.add(name)
    }

    fn orientation(&mut self, _: &mut Orientation) -> bool {
        self.names.extend(ORIENTATIONS);
        false
    }

    fn required(&mut self, _: &'static str) {}

    fn fail(&mut self, _: &'static str, _: impl Into<String>) {}

    fn warn(&mut self, _: &'static str, _: impl Into<String>, _: &str) {}
}
