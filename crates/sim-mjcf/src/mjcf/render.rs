//! The attributes of an element as text, and what of them differs from another element.

use crate::spec::{
    Alternative, Attributes, Attrs, Class, Id, List, Number, Numbers, Orientation, Parse,
};

/// The attributes in which `element` differs from `base`, with their values.
///
/// Both are copies, because showing attributes takes an element that can be changed.
pub(super) fn differences<E: Attributes>(
    element: E,
    base: E,
    defaults: bool,
    classes: &List<Class>,
) -> Vec<(&'static str, String)> {
    differences_and(&[], element, base, defaults, classes)
}

/// Likewise, and the attributes called `always`.
pub(super) fn differences_and<E: Attributes>(
    always: &[&str],
    mut element: E,
    mut base: E,
    defaults: bool,
    classes: &List<Class>,
) -> Vec<(&'static str, String)> {
    let items = Renderer::render(&mut element, defaults, classes);
    let base = Renderer::render(&mut base, defaults, classes);
    let mut differ = Vec::new();
    for (i, item) in items.into_iter().enumerate() {
        // the lists run in parallel, but for values that are absent from one of them
        let same = |other: &&Item| other.name == item.name;
        let other = base.get(i).filter(same).or_else(|| base.iter().find(same));
        match other {
            Some(other)
                if other.value == item.value && !item.required && !always.contains(&item.name) => {}
            Some(other) if item.partial => differ.push((item.name, shorten(&item, other))),
            _ => differ.push((item.name, item.value)),
        }
    }
    differ
}

/// Writes all numbers of the size where some are written.
pub(super) fn full_size<E: Attributes + Clone>(
    attributes: &mut [(&'static str, String)],
    element: &E,
    classes: &List<Class>,
) {
    let items = Renderer::render(&mut element.clone(), true, classes);
    let size = items.into_iter().find(|item| item.name == "size");
    let written = attributes.iter_mut().find(|(name, _)| *name == "size");
    if let (Some(item), Some((_, value))) = (size, written) {
        *value = item.value;
    }
}

/// Whether `base` has something that the attributes of a class can only change, not remove, and
/// that the class `element` does not have.
pub(super) fn takes_back<E: Attributes>(mut element: E, mut base: E) -> bool {
    let none = List::default();
    let items = Renderer::render(&mut element, true, &none);
    let base = Renderer::render(&mut base, true, &none);
    let has = |list: &[Item], name: &str| list.iter().any(|item| item.name == name);
    // the quaternion gives way to other forms of orientation, and not the other way round
    let turned = ["axisangle", "xyaxes", "zaxis", "euler"].iter().any(|form| has(&base, form));
    base.iter().any(|item| match item.name {
        "quat" | "axisangle" | "xyaxes" | "zaxis" | "euler" => turned && has(&items, "quat"),
        name => !has(&items, name),
    })
}

/// Leaves out the numbers at the end that are those of the base.
fn shorten(item: &Item, base: &Item) -> String {
    let numbers: Vec<&str> = item.value.split(' ').collect();
    let same = base.value.split(' ').rev().zip(numbers.iter().rev());
    let same = same.take_while(|(base, number)| base == *number).count();
    numbers[..numbers.len() - same].join(" ")
}

/// An attribute with its value.
struct Item {
    name: &'static str,
    value: String,
    /// Whether numbers at the end may be left out.
    partial: bool,
    /// Whether the attribute is to be written even if its value is not new.
    required: bool,
}

/// Renders every attribute that has a value.
struct Renderer<'a> {
    items: Vec<Item>,
    defaults: bool,
    classes: &'a List<Class>,
}

impl Renderer<'_> {
    fn render(element: &mut impl Attributes, defaults: bool, classes: &List<Class>) -> Vec<Item> {
        let mut renderer = Renderer { items: Vec::new(), defaults, classes };
        element.attrs(&mut renderer);
        renderer.items
    }

    /// Adds an attribute. What is written is not what was given, hence the answer.
    fn add(&mut self, name: &'static str, value: String) -> bool {
        self.items.push(Item { name, value, partial: false, required: false });
        false
    }

    fn add_numbers<N: Numbers>(&mut self, name: &'static str, value: &N) -> bool {
        let mut value = *value;
        self.add(name, join(value.items()))
    }
}

/// Numbers with spaces between them.
fn join<T: Number>(numbers: &[T]) -> String {
    let mut text = String::new();
    for (i, number) in numbers.iter().enumerate() {
        if i > 0 {
            text.push(' ');
        }
        number.print(&mut text);
    }
    text
}

impl Attrs for Renderer<'_> {
    fn in_defaults(&self) -> bool {
        self.defaults
    }

    fn writing(&self) -> bool {
        true
    }

    fn identity(&mut self, name: &mut String) {
        // the class depends on the elements around and is written along with them
        if !self.defaults {
            self.text("name", name);
        }
    }

    fn childclass(&mut self, class: &mut Option<Id<Class>>) {
        if let Some(class) = class.and_then(|class| self.classes.get(class)) {
            self.add("childclass", class.name.clone());
        }
    }

    fn text(&mut self, name: &'static str, value: &mut String) -> bool {
        self.add(name, value.clone())
    }

    fn keyword<T: Copy + PartialEq>(
        &mut self,
        name: &'static str,
        value: &mut T,
        words: &'static [(&'static str, T)],
    ) -> bool {
        match words.iter().find(|(_, meaning)| meaning == value) {
            Some((word, _)) => self.add(name, (*word).to_owned()),
            None => false,
        }
    }

    fn keywords(
        &mut self,
        name: &'static str,
        bits: &mut i32,
        words: &'static [(&'static str, i32)],
    ) -> bool {
        let set = words.iter().filter(|(_, bit)| *bits & bit != 0);
        let set: Vec<&str> = set.map(|(word, _)| *word).collect();
        if set.is_empty() { false } else { self.add(name, set.join(" ")) }
    }

    fn numbers<N: Numbers>(&mut self, name: &'static str, value: &mut N) -> bool {
        self.add_numbers(name, value)
    }

    fn up_to<N: Numbers>(&mut self, name: &'static str, value: &mut N) -> bool {
        self.items.push(Item { name, value: join(value.items()), partial: true, required: false });
        false
    }

    fn optional<N: Numbers>(&mut self, name: &'static str, value: &mut Option<N>) -> bool {
        match value {
            Some(value) => self.add_numbers(name, value),
            None => false,
        }
    }

    fn list<T: Number>(&mut self, name: &'static str, value: &mut Vec<T>) -> bool {
        if value.is_empty() { false } else { self.add(name, join(value)) }
    }

    fn value<T: Parse>(&mut self, name: &'static str, value: &mut T) -> bool {
        match value.print() {
            Some(text) => self.add(name, text),
            None => false,
        }
    }

    fn orientation(&mut self, value: &mut Orientation) -> bool {
        // the quaternion has no effect where there is another form
        match &value.alternative {
            None => self.add_numbers("quat", &value.quat),
            Some(Alternative::AxisAngle(numbers)) => self.add_numbers("axisangle", numbers),
            Some(Alternative::XyAxes(numbers)) => self.add_numbers("xyaxes", numbers),
            Some(Alternative::ZAxis(numbers)) => self.add_numbers("zaxis", numbers),
            Some(Alternative::Euler(numbers)) => self.add_numbers("euler", numbers),
        }
    }

    fn required(&mut self, name: &'static str) {
        if let Some(item) = self.items.iter_mut().rfind(|item| item.name == name) {
            item.required = true;
        }
    }

    fn fail(&mut self, _: &'static str, _: impl Into<String>) {}

    fn warn(&mut self, _: &'static str, _: impl Into<String>, _: &str) {}
}
