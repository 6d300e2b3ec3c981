use sim_core::model::ObjType;

use super::rename::Copied;
use super::{Attributes, Attrs, Info};
use crate::error::Pos;

/// A custom array of numbers.
#[doc(alias = "mjsNumeric")]
#[derive(Debug, Clone, Default)]
pub struct Numeric {
    /// Name, place and relations.
    pub info: Info,
    /// Length, if given; the numbers are followed by zeros up to it.
    pub size: Option<i32>,
    /// Numbers as given.
    pub data: Vec<f64>,
}

/// A custom text.
#[doc(alias = "mjsText")]
#[derive(Debug, Clone, Default)]
pub struct Text {
    /// Name, place and relations.
    pub info: Info,
    /// Text.
    pub data: String,
}

/// A custom list of objects.
#[doc(alias = "mjsTuple")]
#[derive(Debug, Clone, Default)]
pub struct Tuple {
    /// Name, place and relations.
    pub info: Info,
    /// Objects.
    pub elements: Vec<TupleElement>,
}

/// An object in a tuple.
#[derive(Debug, Clone)]
pub struct TupleElement {
    /// Place in the source.
    pub src: Pos,
    /// Kind of object.
    pub objtype: ObjType,
    /// Name of the object.
    pub objname: String,
    /// Parameter.
    pub prm: f64,
}

impl Default for TupleElement {
    fn default() -> TupleElement {
        TupleElement {
            src: Pos::default(),
            objtype: ObjType::Unknown,
            objname: String::new(),
            prm: 0.0,
        }
    }
}

impl Attributes for Numeric {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.required("name");
        a.optional("size", &mut self.size);
        a.list("data", &mut self.data);
        let size = self.size.unwrap_or(self.data.len() as i32);
        if !(1..=500).contains(&size) {
            let name = if self.size.is_some() { "size" } else { "data" };
            a.fail(name, "a custom array has between 1 and 500 numbers");
        } else if self.data.len() > size as usize {
            a.fail("data", format!("expected at most {size} numbers, found {}", self.data.len()));
        }
    }
}

impl Attributes for Text {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.required("name");
        if a.text("data", &mut self.data) && self.data.is_empty() {
            a.fail("data", "a custom text cannot be empty");
        }
        a.required("data");
    }
}

impl Attributes for Tuple {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.required("name");
    }
}

impl Attributes for TupleElement {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.keyword("objtype", &mut self.objtype, OBJECT_TYPES);
        a.required("objtype");
        a.text("objname", &mut self.objname);
        a.required("objname");
        a.numbers("prm", &mut self.prm);
    }
}

/// Names of the kinds of object.
pub(crate) const OBJECT_TYPES: &[(&str, ObjType)] = &[
    ("body", ObjType::Body),
    ("xbody", ObjType::XBody),
    ("joint", ObjType::Joint),
    ("dof", ObjType::Dof),
    ("geom", ObjType::Geom),
    ("site", ObjType::Site),
    ("camera", ObjType::Camera),
    ("light", ObjType::Light),
    ("flex", ObjType::Flex),
    ("mesh", ObjType::Mesh),
    ("skin", ObjType::Skin),
    ("hfield", ObjType::Hfield),
    ("texture", ObjType::Texture),
    ("material", ObjType::Material),
    ("pair", ObjType::Pair),
    ("exclude", ObjType::Exclude),
    ("equality", ObjType::Equality),
    ("tendon", ObjType::Tendon),
    ("actuator", ObjType::Actuator),
    ("sensor", ObjType::Sensor),
    ("numeric", ObjType::Numeric),
    ("text", ObjType::Text),
    ("tuple", ObjType::Tuple),
    ("key", ObjType::Key),
    ("plugin", ObjType::Plugin),
];

impl Copied for Numeric {
    fn weight(&self) -> usize {
        1 + self.data.len() / 32
    }
}

impl Copied for Text {
    fn weight(&self) -> usize {
        1 + self.data.len() / 256
    }
}

impl Copied for Tuple {
    fn weight(&self) -> usize {
        1 + self.elements.len()
    }
}
