//! Access by name: one object of a model with the numbers that belong to it.

use super::{Model, ObjType};
use crate::Data;
use crate::fields::{Array, Field};

/// One object of a model, such as a body or a joint; see [`Model::object`].
#[derive(Debug, Clone, Copy)]
pub struct Object<'a> {
    model: &'a Model,
    kind: ObjType,
    id: usize,
}

/// Size that counts objects of a kind, and the prefix of their fields.
fn table(kind: ObjType) -> Option<(&'static str, &'static str)> {
    Some(match kind {
        ObjType::Body | ObjType::XBody => ("nbody", "body_"),
        ObjType::Joint => ("njnt", "jnt_"),
        ObjType::Geom => ("ngeom", "geom_"),
        ObjType::Site => ("nsite", "site_"),
        ObjType::Camera => ("ncam", "cam_"),
        ObjType::Light => ("nlight", "light_"),
        ObjType::Mesh => ("nmesh", "mesh_"),
        ObjType::Hfield => ("nhfield", "hfield_"),
        ObjType::Texture => ("ntex", "tex_"),
        ObjType::Material => ("nmat", "mat_"),
        ObjType::Pair => ("npair", "pair_"),
        ObjType::Equality => ("neq", "eq_"),
        ObjType::Tendon => ("ntendon", "tendon_"),
        ObjType::Actuator => ("nu", "actuator_"),
        ObjType::Sensor => ("nsensor", "sensor_"),
        ObjType::Numeric => ("nnumeric", "numeric_"),
        ObjType::Text => ("ntext", "text_"),
        ObjType::Tuple => ("ntuple", "tuple_"),
        ObjType::Key => ("nkey", "key_"),
        _ => return None,
    })
}

impl Model {
    /// The object called `name`.
    ///
    /// ```text
    /// let mass = model.object(ObjType::Body, "torso")?.model_array("mass")?.value(0);
    /// ```
    pub fn object(&self, kind: ObjType, name: &str) -> Option<Object<'_>> {
        Some(Object { model: self, kind, id: self.id(kind, name)? })
    }
}

impl<'a> Object<'a> {
    /// Its id.
    pub fn id(&self) -> usize {
        self.id
    }

    /// The numbers of the field `name` of the model that belong to it, with or without the prefix
    /// of its kind: `mass` and `body_mass` are the same.
    pub fn model_array(&self, name: &str) -> Option<Array<'a>> {
        let field = self.field(Model::FIELDS, name)?;
        row(self.model.array(field.name)?, self.id, self.count()?)
    }

    /// The numbers of the field `name` of `data` that belong to it.
    pub fn data_array<'d>(&self, data: &'d Data, name: &str) -> Option<Array<'d>> {
        let field = self.field(Data::FIELDS, name)?;
        row(data.array(field.name)?, self.id, self.count()?)
    }

    fn count(&self) -> Option<usize> {
        self.model.size(table(self.kind)?.0)
    }

    fn field(&self, fields: &'static [Field], name: &str) -> Option<&'static Field> {
        let (size, prefix) = table(self.kind)?;
        fields.iter().find(|field| {
            field.dims.first() == Some(&size)
                && (field.name == name || field.name.strip_prefix(prefix) == Some(name))
        })
    }
}

/// The `id`-th of `count` equal parts of an array.
fn row(array: Array<'_>, id: usize, count: usize) -> Option<Array<'_>> {
    let width = array.len() / count;
    let range = id * width..(id + 1) * width;
    Some(match array {
        Array::F64(x) => Array::F64(x.get(range)?),
        Array::F32(x) => Array::F32(x.get(range)?),
        Array::I32(x) => Array::I32(x.get(range)?),
        Array::I64(x) => Array::I64(x.get(range)?),
        Array::U8(x) => Array::U8(x.get(range)?),
        Array::Char(x) => Array::Char(x.get(range)?),
    })
}
