use sim_core::model::ObjType;

use super::list::Named;
use super::*;
use crate::error::Pos;

macro_rules! class {
    ($($T:ident $list:ident $one:tt [$($field:ident)?] $word:literal $home:ident $model:tt)*) => {
        /// A default class: one element of each kind, with the defaults of that class.
        #[doc(alias = "mjsDefault")]
        #[derive(Debug, Clone)]
        pub struct Class {
            /// Name; that of the top class is `main`.
            pub name: String,
            /// The class that this one was copied from.
            pub parent: Option<Id<Class>>,
            /// Place in the source.
            pub src: Pos,
            $($(
                #[doc = concat!("Defaults of elements of the kind ", $word, ".")]
                pub $field: $T,
            )?)*
        }

        impl Default for Class {
            fn default() -> Class {
                Class {
                    name: String::from("main"),
                    parent: None,
                    src: Pos::default(),
                    $($($field: $T::default(),)?)*
                }
            }
        }

        $($(
            impl HasDefaults for $T {
                fn of(class: &Class) -> &$T {
                    &class.$field
                }
            }
        )?)*

        impl Class {
            /// Shows the defaults of each kind to `visitor`, beside those of `base`.
            pub(crate) fn compare(&self, base: &Class, visitor: &mut impl ClassVisitor) {
                $($(visitor.visit(stringify!($field), &self.$field, &base.$field);)?)*
            }

            /// Shows the defaults of the kind called `name` to `visitor`; nothing if there are none.
            pub(crate) fn change<V: ClassChange>(
                &mut self,
                name: &str,
                visitor: V,
            ) -> Option<V::Output> {
                match name {
                    $($(stringify!($field) => Some(visitor.change(&mut self.$field)),)?)*
                    _ => None,
                }
            }
        }
    };
}
elements!(class);

/// An element that takes its defaults from a class.
pub(crate) trait HasDefaults: Element {
    /// The defaults that a class has for the kind.
    fn of(class: &Class) -> &Self;
}

/// Does something with the defaults of each kind in two classes.
pub(crate) trait ClassVisitor {
    fn visit<T: HasDefaults + Attributes>(&mut self, name: &'static str, own: &T, base: &T);
}

/// Changes the defaults of some kind in a class.
pub(crate) trait ClassChange {
    /// What comes of it.
    type Output;

    fn change<T: HasDefaults + Attributes>(self, own: &mut T) -> Self::Output;
}

impl Class {
    /// The top class.
    pub const MAIN: Id<Class> = Id::FIRST;
}

impl Named for Class {
    fn name(&self) -> &str {
        &self.name
    }
}

/// Reads a field of the defaults of a kind, or changes it.
struct GetField<'a>(&'a str);
struct SetField<'a>(&'a str, Value);

impl ClassChange for GetField<'_> {
    type Output = Option<Value>;

    fn change<T: HasDefaults + Attributes>(self, own: &mut T) -> Option<Value> {
        own.field(self.0)
    }
}

impl ClassChange for SetField<'_> {
    type Output = Option<Result<(), Mismatch>>;

    fn change<T: HasDefaults + Attributes>(self, own: &mut T) -> Self::Output {
        own.set_field(self.0, self.1)
    }
}

/// The name of the field of a class that has the defaults of a kind.
fn class_field_name(kind: ObjType) -> Option<&'static str> {
    macro_rules! find {
        ($($T:ident $list:ident $one:tt [$($field:ident)?] $word:literal $home:ident $model:tt)*) => {
            match kind {
                $($(ObjType::$T => Some(stringify!($field)),)?)*
                _ => None,
            }
        };
    }
    elements!(find)
}

impl Spec {
    /// A field of the defaults that a class has for a kind, by its name in MuJoCo.
    pub fn class_field(&mut self, class: Id<Class>, kind: ObjType, name: &str) -> Option<Value> {
        self.classes.get_mut(class)?.change(class_field_name(kind)?, GetField(name)).flatten()
    }

    /// Changes a field of the defaults that a class has for a kind; none if there is none.
    pub fn set_class_field(
        &mut self,
        class: Id<Class>,
        kind: ObjType,
        name: &str,
        value: Value,
    ) -> Option<Result<(), Mismatch>> {
        let defaults = self.classes.get_mut(class)?;
        defaults.change(class_field_name(kind)?, SetField(name, value)).flatten()
    }

    /// An element with the defaults of a class.
    pub(crate) fn default_of<T: HasDefaults>(&self, class: Id<Class>) -> T {
        let mut element = T::of(&self.classes[class]).clone();
        element.class = class;
        element
    }

    /// A camera of a class. Unlike other elements, a camera takes no user data from its class.
    pub(crate) fn default_camera(&self, class: Id<Class>) -> Camera {
        Camera { user: Vec::new(), ..self.default_of(class) }
    }

    /// Makes all elements be of the class `main`, which has the defaults of the format.
    pub(crate) fn remove_classes(&mut self) {
        self.classes.retain(|class| class.parent.is_none());
        self.classes[Class::MAIN] = Class::default();
        macro_rules! remove {
            ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
                $(self.$list.for_each_mut(|element| element.class = Class::MAIN);)*
            };
        }
        elements!(remove);
    }
}
