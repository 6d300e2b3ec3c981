//! The objects of the model, kind by kind, in the order of their ids.

use std::collections::HashMap;

use sim_core::Model;
use sim_core::fields::Char;
use sim_core::model::ObjType;

use super::tree::Tree;
use crate::error::Pos;
use crate::spec::{Info, Spec, elements};

/// What all objects of each kind have in common. Pairs and excludes are in the order of the spec
/// until they have been sorted.
pub(super) struct Objects<'a>(HashMap<ObjType, Vec<&'a Info>>);

impl<'a> Objects<'a> {
    /// Lists the objects: those in the tree by its bodies, the rest as the spec has them.
    pub(super) fn new(spec: &'a Spec, tree: &Tree<'a>) -> Objects<'a> {
        let mut objects = HashMap::new();
        macro_rules! list {
            ($list:ident body) => { tree.bodies.iter().map(|body| &body.spec.info).collect() };
            ($list:ident frame) => { Vec::new() };
            ($list:ident tree) => {
                tree.bodies.iter().flat_map(|body| &body.$list).map(|x| &x.spec.info).collect()
            };
            ($list:ident visual) => {
                if spec.compiler.discardvisual { Vec::new() } else { list!($list list) }
            };
            ($list:ident $home:ident) => { spec.$list.iter().map(|x| &x.info).collect() };
        }
        macro_rules! insert {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(objects.insert(ObjType::$T, list!($list $home));)*
            };
        }
        elements!(insert);
        Objects(objects)
    }

    /// The objects of a kind.
    pub(super) fn of(&self, kind: ObjType) -> &[&'a Info] {
        self.0.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Puts the objects of a kind in another order.
    pub(super) fn replace(&mut self, kind: ObjType, objects: impl Iterator<Item = &'a Info>) {
        self.0.insert(kind, objects.collect());
    }

    /// All kinds with their objects.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ObjType, &[&'a Info])> {
        self.0.iter().map(|(&kind, objects)| (kind, objects.as_slice()))
    }

    /// Sets the sizes of the model that count objects.
    pub(super) fn set_sizes(&self, model: &mut Model) {
        macro_rules! set {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident [$($size:ident $names:ident)?])*) => {
                $($(model.$size = self.of(ObjType::$T).len();)?)*
            };
        }
        elements!(set);
    }

    /// Writes all names into the model, each closed by a zero.
    pub(super) fn write_names(&self, spec: &Spec, model: &mut Model) {
        let mut text = Vec::new();
        let mut push = |name: &str| {
            let address = text.len();
            text.extend(name.bytes().map(Char));
            text.push(Char(0));
            address as i32
        };
        push(&spec.name);
        macro_rules! write {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident [$($size:ident $names:ident)?])*) => {
                $($(
                    // keyframes that only the size section asks for have no name
                    let names = self.of(ObjType::$T).iter().map(|info| info.name.as_str());
                    let names = names.chain(std::iter::repeat(""));
                    model.$names.iter_mut().zip(names).for_each(|(adr, name)| *adr = push(name));
                )?)*
            };
        }
        elements!(write);
        model.nnames = text.len();
        model.names = text;
        model.map_names();
        model.npaths = 1;
        model.paths = vec![Char(0)];
    }

    /// The place in the source of the object in a row of an array of the model, given the name of
    /// the size that counts its rows.
    pub(super) fn place(&self, size: &str, row: usize) -> Option<Pos> {
        let mut kind = ObjType::Unknown;
        macro_rules! find {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident [$($name:ident $names:ident)?])*) => {
                $($(if size == stringify!($name) { kind = ObjType::$T; })?)*
            };
        }
        elements!(find);
        self.of(kind).get(row).map(|info| info.src)
    }
}
