//! What every kind of element is and can, from the table of kinds in the module above.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut, Index, IndexMut};

use sim_core::model::ObjType;

use super::*;
use crate::error::{Error, Pos};

/// The code for a kind whose home is in the tree, or nothing for other kinds.
macro_rules! if_tree {
    (tree $($code:tt)*) => { $($code)* };
    ($home:ident $($code:tt)*) => {};
}

/// The code for a kind whose elements an attached model brings along, or nothing for other kinds.
macro_rules! if_asset {
    (asset $($code:tt)*) => { $($code)* };
    (visual $($code:tt)*) => { $($code)* };
    ($home:ident $($code:tt)*) => {};
}

/// The code for a kind whose elements refer to others, or nothing for other kinds: `first` for those
/// that others of these refer to, `then` for the rest.
macro_rules! if_refers {
    (first refer_first $($code:tt)*) => { $($code)* };
    (then refer $($code:tt)*) => { $($code)* };
    (then sorted $($code:tt)*) => { $($code)* };
    ($when:ident $home:ident $($code:tt)*) => {};
}
pub(crate) use {if_asset, if_refers, if_tree};

/// What every element has.
#[derive(Debug, Clone, Default)]
pub struct Info {
    /// Name; empty for none.
    pub name: String,
    /// Place in the source.
    pub src: Pos,
    /// The body that the element is in; none for the world and for what is outside the tree.
    pub parent: Option<Id<Body>>,
    /// The innermost frame around the element, in the same body.
    pub frame: Option<Id<Frame>>,
    /// Default class; of a body, that of the elements inside.
    pub class: Id<Class>,
    /// Note about where the element comes from, for messages.
    pub note: String,
    /// The compiler settings of the attached model that the element comes from; none for those of
    /// the model itself.
    pub compiler: Option<Id<Compiler>>,
}

impl Info {
    /// What an element at a place in the source starts with.
    pub(crate) fn at(src: Pos) -> Info {
        Info { src, ..Info::default() }
    }
}

/// An element of a model: a kind with a list in [`Spec`].
///
/// Elements are accessed by their handles: `spec[id]`. An element dereferences to its [`Info`], so
/// that `spec[id].name` is its name.
pub trait Element:
    Clone + Default + Named + Reflect + Deref<Target = Info> + DerefMut + std::fmt::Debug + 'static
{
    /// The kind.
    const KIND: ObjType;
    /// What messages call the kind.
    const WORD: &'static str;

    /// The elements of the kind.
    fn list(spec: &Spec) -> &List<Self>;

    /// The elements of the kind, to change them.
    fn list_mut(spec: &mut Spec) -> &mut List<Self>;

    /// What all elements have.
    fn info(&self) -> &Info;

    /// Makes an error about the element.
    fn error(&self, message: impl Into<String>) -> Error {
        let info = self.info();
        info.src.error(message).subject(Self::KIND, &info.name, &info.note)
    }

    /// An element with the defaults of a class.
    fn with_defaults(spec: &Spec, class: Id<Class>) -> Self;

    /// Removes the element from the model, with what goes with it.
    #[doc(hidden)]
    fn delete_from(spec: &mut Spec, id: Id<Self>) -> Result<(), Error>;
}

/// An element that is in a body.
pub trait InBody: Element {
    /// The elements of the kind that are in a body.
    fn of(body: &Body) -> &[Id<Self>];

    #[doc(hidden)]
    fn of_mut(body: &mut Body) -> &mut Vec<Id<Self>>;
}

macro_rules! implement {
    ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
        $(
            impl Element for $T {
                const KIND: ObjType = ObjType::$T;
                const WORD: &'static str = $word;

                fn list(spec: &Spec) -> &List<$T> {
                    &spec.$list
                }

                fn list_mut(spec: &mut Spec) -> &mut List<$T> {
                    &mut spec.$list
                }

                fn info(&self) -> &Info {
                    &self.info
                }

                fn with_defaults(spec: &Spec, class: Id<Class>) -> $T {
                    let mut element: $T = with_defaults!(spec class $class);
                    element.class = class;
                    element
                }

                fn delete_from(spec: &mut Spec, id: Id<$T>) -> Result<(), Error> {
                    delete!(spec id $list $home)
                }
            }

            impl Named for $T {
                fn name(&self) -> &str {
                    &self.info.name
                }
            }

            impl Deref for $T {
                type Target = Info;

                fn deref(&self) -> &Info {
                    &self.info
                }
            }

            impl DerefMut for $T {
                fn deref_mut(&mut self) -> &mut Info {
                    &mut self.info
                }
            }

            in_body!($T $list $home);
        )*
    };
}

macro_rules! with_defaults {
    ($spec:ident $class:ident []) => {{
        let _ = $spec;
        Default::default()
    }};
    ($spec:ident $class:ident [camera]) => {
        $spec.default_camera($class)
    };
    ($spec:ident $class:ident [$field:ident]) => {
        $spec.default_of($class)
    };
}

macro_rules! delete {
    ($spec:ident $id:ident $list:ident body) => {
        $spec.delete_body($id)
    };
    ($spec:ident $id:ident $list:ident frame) => {
        $spec.delete_frame($id)
    };
    ($spec:ident $id:ident $list:ident tree) => {{
        if let Some(body) = $spec[$id].parent.and_then(|body| $spec.bodies.peek_mut(body)) {
            body.$list.retain(|&other| other != $id);
        }
        $spec.$list.remove($id);
        Ok(())
    }};
    ($spec:ident $id:ident $list:ident $home:ident) => {{
        $spec.$list.remove($id);
        Ok(())
    }};
}

macro_rules! in_body {
    ($T:ident $list:ident body) => {
        in_body!($T $list tree);
    };
    ($T:ident $list:ident frame) => {
        in_body!($T $list tree);
    };
    ($T:ident $list:ident tree) => {
        impl InBody for $T {
            fn of(body: &Body) -> &[Id<$T>] {
                &body.$list
            }

            fn of_mut(body: &mut Body) -> &mut Vec<Id<$T>> {
                &mut body.$list
            }
        }
    };
    ($T:ident $list:ident $home:ident) => {};
}

elements!(implement);

impl<T: Element> Index<Id<T>> for Spec {
    type Output = T;

    /// # Panics
    /// If the element was deleted.
    fn index(&self, id: Id<T>) -> &T {
        &T::list(self)[id]
    }
}

impl<T: Element> IndexMut<Id<T>> for Spec {
    /// # Panics
    /// If the element was deleted.
    fn index_mut(&mut self, id: Id<T>) -> &mut T {
        &mut T::list_mut(self)[id]
    }
}

/// Does something with a kind of element that is known at run time only.
pub trait KindVisitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<T: Element>(self, spec: &mut Spec) -> Self::Output;
}

/// Does something with a kind of element in bodies that is known at run time only.
pub trait TreeVisitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<T: InBody>(self, spec: &mut Spec) -> Self::Output;
}

/// A kind of element as whoever edits models by name sees it.
#[derive(Debug, Clone)]
pub struct Kind {
    /// The kind.
    pub kind: ObjType,
    /// What messages call it.
    pub word: &'static str,
    /// Name of the list in [`Spec`].
    pub list: &'static str,
    /// Whether elements are in bodies.
    pub in_tree: bool,
    /// Whether default classes have defaults for it.
    pub has_defaults: bool,
    /// The fields under MuJoCo's names, with the values that an element starts with.
    pub fields: Vec<(&'static str, Value)>,
}

/// The kinds of element.
pub fn kinds() -> Vec<Kind> {
    let mut kinds = Vec::new();
    macro_rules! list {
        ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
            $(
                let mut fields = Vec::new();
                $T::default().fields(&mut |name, field| fields.push((name, field.value())));
                kinds.push(Kind {
                    kind: ObjType::$T,
                    word: $word,
                    list: stringify!($list),
                    in_tree: ["body", "frame", "tree"].contains(&stringify!($home)),
                    has_defaults: stringify!($class) != "[]",
                    fields,
                });
            )*
        };
    }
    elements!(list);
    kinds
}

/// Does something with the elements of each kind in turn.
pub(crate) trait Visitor {
    fn visit<T: Element>(&mut self, list: &List<T>);
}

impl Spec {
    /// Shows the lists of all kinds to `visitor`, in the order of the model.
    pub(crate) fn visit(&self, visitor: &mut impl Visitor) {
        macro_rules! visit {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(visitor.visit::<$T>(&self.$list);)*
            };
        }
        elements!(visit);
    }

    /// Shows the kind of element that a number stands for to `visitor`; none if there is none.
    pub fn with_kind<V: KindVisitor>(&mut self, kind: ObjType, visitor: V) -> Option<V::Output> {
        macro_rules! find {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                match kind {
                    $(ObjType::$T => Some(visitor.visit::<$T>(self)),)*
                    _ => None,
                }
            };
        }
        elements!(find)
    }

    /// Likewise for a kind of element that is in bodies.
    pub fn with_tree_kind<V: TreeVisitor>(
        &mut self,
        kind: ObjType,
        visitor: V,
    ) -> Option<V::Output> {
        let mut visitor = Some(visitor);
        let mut output = None;
        macro_rules! find {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(find_one!($T $home);)*
            };
        }
        macro_rules! find_one {
            ($T:ident body) => { find_one!($T tree) };
            ($T:ident frame) => { find_one!($T tree) };
            ($T:ident tree) => {
                if kind == ObjType::$T && let Some(visitor) = visitor.take() {
                    output = Some(visitor.visit::<$T>(self));
                }
            };
            ($T:ident $home:ident) => {};
        }
        elements!(find);
        output
    }

    /// The element of a handle, to change anything but its name.
    pub fn peek_mut<T: Element>(&mut self, id: Id<T>) -> Option<&mut T> {
        T::list_mut(self).peek_mut(id)
    }

    /// The element of a handle; none if it was deleted.
    pub fn get<T: Element>(&self, id: Id<T>) -> Option<&T> {
        T::list(self).get(id)
    }

    /// The element of a handle, to change it; none if it was deleted.
    pub fn get_mut<T: Element>(&mut self, id: Id<T>) -> Option<&mut T> {
        T::list_mut(self).get_mut(id)
    }

    /// Finds an element by name: `spec.find::<Body>("torso")`.
    pub fn find<T: Element>(&self, name: &str) -> Option<Id<T>> {
        T::list(self).find(name)
    }

    /// Changes the name of an element. This keeps finding by name quick, which changing the field
    /// does not.
    pub fn set_name<T: Element>(&mut self, id: Id<T>, name: impl Into<String>) {
        T::list_mut(self).rename(id, name.into());
    }

    /// Adds an element to a body, after those of its kind.
    pub(crate) fn add_to<T: InBody>(&mut self, body: Id<Body>, mut element: T) -> Id<T> {
        element.parent = Some(body);
        let id = T::list_mut(self).push(element);
        // no name changes, so that finding stays quick
        if let Some(body) = self.bodies.peek_mut(body) {
            T::of_mut(body).push(id);
        }
        id
    }

    /// The elements of a kind in a body, in order.
    pub fn in_body<'a, T: InBody>(
        &'a self,
        body: &'a Body,
    ) -> impl DoubleEndedIterator<Item = &'a T> {
        T::of(body).iter().map(|&id| &self[id])
    }

    /// The bodies in depth-first order, which is that of the model: the world first, every body
    /// before those inside it.
    pub fn tree(&self) -> Vec<Id<Body>> {
        self.subtree(Body::WORLD)
    }

    /// A body and those inside it, in depth-first order.
    pub fn subtree(&self, body: Id<Body>) -> Vec<Id<Body>> {
        let mut order = Vec::new();
        let mut open = vec![body];
        while let Some(body) = open.pop() {
            order.push(body);
            open.extend(self[body].bodies.iter().rev());
        }
        order
    }

    /// The handles of a kind in the order that its elements have in the model.
    pub fn order<T: Element>(&self) -> Vec<Id<T>> {
        let mut ids = T::list(self).ids().to_vec();
        if ids.first().is_some_and(|&id| self[id].parent.is_some()) || T::KIND == ObjType::Body {
            let mut number = HashMap::new();
            for (i, body) in self.tree().into_iter().enumerate() {
                number.insert(Some(body), i + 1);
            }
            // stable: those of one body keep their order
            let body = |id: Id<T>| match T::KIND {
                ObjType::Body => Some(Id::from_raw(id.to_raw())),
                _ => self[id].parent,
            };
            ids.sort_by_key(|&id| number.get(&body(id)).copied().unwrap_or(0));
        }
        ids
    }

    /// The elements of a kind in the order of the model: through the tree, body by body.
    pub(crate) fn in_tree<'a, T: InBody>(
        &'a self,
        tree: &'a [Id<Body>],
    ) -> impl Iterator<Item = &'a T> {
        tree.iter().flat_map(|&body| self.in_body::<T>(&self[body]))
    }
}
