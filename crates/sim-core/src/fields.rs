//! The field tables: each array of [`Model`](crate::Model) and [`Data`](crate::Data) is declared
//! once, and everything that treats fields alike walks the declaration.
//!
//! `fields!` declares a struct of arrays whose lengths are products of named sizes; `record!`
//! declares a struct of single values. Both give the struct, its allocation or default, the list
//! of [`Field`] descriptions, and access by name to the flat numbers ([`Array`], [`ArrayMut`]).
//! Python attributes, printing, named access and the comparison with the reference are loops over
//! that list.

use bytemuck::Pod;

use crate::math::{Force, Inertia, Mat3, Motion, Quat, Vec3};

/// Description of one field of a table.
#[derive(Debug, Clone, Copy)]
pub struct Field {
    /// Name, as in MuJoCo.
    pub name: &'static str,
    /// Meaning, as declared in the table.
    pub doc: &'static str,
    /// Names of the sizes that give the outer dimensions; empty for a single value.
    pub dims: &'static [&'static str],
    /// Number of scalars per element: 3 for a `Vec3`, 1 for a plain number.
    pub width: usize,
    /// Type of the scalars.
    pub scalar: Scalar,
    /// Whether the array is refilled during a step, with a length that changes.
    pub grown: bool,
}

impl Field {
    /// Shape of the flat numbers as MuJoCo's Python package reports it: at most two dimensions,
    /// the first outer dimension and the product of everything else. `len` is the number of
    /// scalars and `size_of` gives the value of a named size.
    pub fn shape(&self, len: usize, size_of: impl Fn(&str) -> usize) -> Vec<usize> {
        match (self.dims, self.width) {
            ([], 1) => vec![],
            ([], width) => vec![width],
            ([_], 1) => vec![len],
            ([_], width) => vec![len / width, width],
            ([rows, inner @ ..], width) => {
                vec![size_of(rows), width * inner.iter().map(|n| size_of(n)).product::<usize>()]
            }
        }
    }
}

/// Type of the scalars of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scalar {
    /// `double`
    F64,
    /// `float`
    F32,
    /// `int`
    I32,
    /// 64-bit address
    I64,
    /// `mjtByte`: boolean or small code
    U8,
    /// Text
    Char,
}

/// Flat read access to the numbers of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub enum Array<'a> {
    F64(&'a [f64]),
    F32(&'a [f32]),
    I32(&'a [i32]),
    I64(&'a [i64]),
    U8(&'a [u8]),
    Char(&'a [u8]),
}

impl Array<'_> {
    /// Number of scalars.
    pub fn len(&self) -> usize {
        match self {
            Array::F64(x) => x.len(),
            Array::F32(x) => x.len(),
            Array::I32(x) => x.len(),
            Array::I64(x) => x.len(),
            Array::U8(x) | Array::Char(x) => x.len(),
        }
    }

    /// Whether there are no scalars.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The `i`-th scalar as `f64`.
    pub fn value(&self, i: usize) -> f64 {
        match self {
            Array::F64(x) => x[i],
            Array::F32(x) => f64::from(x[i]),
            Array::I32(x) => f64::from(x[i]),
            Array::I64(x) => x[i] as f64,
            Array::U8(x) | Array::Char(x) => f64::from(x[i]),
        }
    }
}

/// Flat write access to the numbers of a field.
#[derive(Debug, PartialEq)]
#[allow(missing_docs)]
pub enum ArrayMut<'a> {
    F64(&'a mut [f64]),
    F32(&'a mut [f32]),
    I32(&'a mut [i32]),
    I64(&'a mut [i64]),
    U8(&'a mut [u8]),
    Char(&'a mut [u8]),
}

/// A byte of text, kept apart from other bytes so that tables know what is text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Char(pub u8);

/// What an element of a table can be: plain old data made of one kind of scalar.
pub trait Element: Pod {
    /// Number of scalars.
    const WIDTH: usize;
    /// Type of the scalars.
    const SCALAR: Scalar;
    /// The scalars of a slice.
    fn flat(slice: &[Self]) -> Array<'_>;
    /// The scalars of a slice, writable.
    fn flat_mut(slice: &mut [Self]) -> ArrayMut<'_>;
}

macro_rules! element {
    ($kind:ident: $($ty:ty = $width:expr),*) => {$(
        impl Element for $ty {
            const WIDTH: usize = $width;
            const SCALAR: Scalar = Scalar::$kind;
            fn flat(slice: &[Self]) -> Array<'_> {
                Array::$kind(bytemuck::cast_slice(slice))
            }
            fn flat_mut(slice: &mut [Self]) -> ArrayMut<'_> {
                ArrayMut::$kind(bytemuck::cast_slice_mut(slice))
            }
        }
    )*};
}
element!(F64: f64 = 1, Vec3 = 3, Quat = 4, Mat3 = 9, Motion = 6, Force = 6, Inertia = 10);
element!(F64: [f64; 2] = 2, [f64; 3] = 3, [f64; 4] = 4, [f64; 5] = 5, [f64; 6] = 6, [f64; 8] = 8);
element!(F64: [f64; 10] = 10, [f64; 11] = 11, [f64; 12] = 12, [f64; 17] = 17, [f64; 21] = 21, [f64; 36] = 36);
element!(F32: f32 = 1, [f32; 2] = 2, [f32; 3] = 3, [f32; 4] = 4);
element!(I32: i32 = 1, [i32; 2] = 2, [i32; 3] = 3, [i32; 8] = 8, [i32; 10] = 10);
element!(I64: i64 = 1);
element!(U8: u8 = 1);
element!(Char: Char = 1);

/// Makes an array equal to another one. Out of line, since tables have hundreds of arrays.
#[inline(never)]
pub(crate) fn assign<T: Clone>(to: &mut Vec<T>, from: &Vec<T>) {
    to.clone_from(from);
}

/// Declares a struct of arrays. See the [module](self) for what comes out of it.
///
/// `sized by self` takes the sizes from the struct's own `usize` fields, `sized by Model` from a
/// model. Fields under `grown` start empty and are refilled during a step.
macro_rules! fields {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident sized by $Sizes:ident {
            $( sizes { $( $(#[doc = $size_doc:literal])* $size:ident, )* } )?
            values { $( $(#[$value_meta:meta])* $value:ident : $Value:ty, )* }
            arrays { $( $(#[doc = $doc:literal])* $name:ident : [$Elem:ty; $($dim:ident),+], )* }
            grown { $( $(#[doc = $gdoc:literal])* $grown:ident : [$GElem:ty; $($gdim:ident),+], )* }
        }
    ) => {
        $(#[$meta])*
        pub struct $Name {
            $( $( $(#[doc = $size_doc])* pub $size: usize, )* )?
            $( $(#[$value_meta])* pub $value: $Value, )*
            $( $(#[doc = $doc])* pub $name: Vec<$Elem>, )*
            $( $(#[doc = $gdoc])* pub $grown: Vec<$GElem>, )*
        }

        impl $Name {
            /// The arrays, in order of declaration.
            pub const FIELDS: &'static [$crate::fields::Field] = &[
                $( $crate::fields::Field {
                    name: stringify!($name),
                    doc: concat!($($doc),*),
                    dims: &[$(stringify!($dim)),+],
                    width: <$Elem as $crate::fields::Element>::WIDTH,
                    scalar: <$Elem as $crate::fields::Element>::SCALAR,
                    grown: false,
                }, )*
                $( $crate::fields::Field {
                    name: stringify!($grown),
                    doc: concat!($($gdoc),*),
                    dims: &[$(stringify!($gdim)),+],
                    width: <$GElem as $crate::fields::Element>::WIDTH,
                    scalar: <$GElem as $crate::fields::Element>::SCALAR,
                    grown: true,
                }, )*
            ];

            /// Makes every field equal to that of `other`. Arrays of equal length stay where they are.
            pub fn assign(&mut self, other: &$Name) {
                $( $( self.$size = other.$size; )* )?
                $( self.$value.clone_from(&other.$value); )*
                $( $crate::fields::assign(&mut self.$name, &other.$name); )*
                $( $crate::fields::assign(&mut self.$grown, &other.$grown); )*
            }

            /// The numbers of the array called `name`.
            pub fn array(&self, name: &str) -> Option<$crate::fields::Array<'_>> {
                Some(match name {
                    $( stringify!($name) => $crate::fields::Element::flat(&self.$name), )*
                    $( stringify!($grown) => $crate::fields::Element::flat(&self.$grown), )*
                    _ => return None,
                })
            }

            /// The numbers of the array called `name`, writable.
            pub fn array_mut(&mut self, name: &str) -> Option<$crate::fields::ArrayMut<'_>> {
                Some(match name {
                    $( stringify!($name) => $crate::fields::Element::flat_mut(&mut self.$name), )*
                    $( stringify!($grown) => $crate::fields::Element::flat_mut(&mut self.$grown), )*
                    _ => return None,
                })
            }
        }

        fields!(@sizes $Name $Sizes [$( $( [$($size_doc)*] $size )* )?]
            [$( $name: [$Elem; $($dim),+], )*] [$( $grown )*]);
    };

    // a table that carries its own sizes
    (@sizes $Name:ident self [$( [$($size_doc:literal)*] $size:ident )*]
        [$( $name:ident : [$Elem:ty; $($dim:ident),+], )*] []) => {
        impl $Name {
            /// Names and meanings of the sizes, in order of declaration.
            pub const SIZES: &'static [(&'static str, &'static str)] =
                &[$( (stringify!($size), concat!($($size_doc),*)) ),*];

            /// The size called `name`.
            pub fn size(&self, name: &str) -> Option<usize> {
                match name {
                    $( stringify!($size) => Some(self.$size), )*
                    _ => None,
                }
            }

            /// The size called `name`, writable. Arrays follow when they are allocated.
            pub fn size_mut(&mut self, name: &str) -> Option<&mut usize> {
                match name {
                    $( stringify!($size) => Some(&mut self.$size), )*
                    _ => None,
                }
            }

            /// Gives every array its length, filled with zeros.
            pub fn allocate(&mut self) {
                $( self.$name = vec![bytemuck::Zeroable::zeroed(); 1 $(* self.$dim)+]; )*
            }
        }
    };

    // a table whose sizes are those of a model
    (@sizes $Name:ident $Sizes:ident [] [$( $name:ident : [$Elem:ty; $($dim:ident),+], )*]
        [$( $grown:ident )*]) => {
        impl $Name {
            /// Gives every array the length that `sizes` asks for, filled with zeros.
            pub(crate) fn allocate(&mut self, sizes: &$Sizes) {
                $( self.$name = vec![bytemuck::Zeroable::zeroed(); 1 $(* sizes.$dim)+]; )*
            }

            /// Fills every array with zeros.
            pub(crate) fn clear(&mut self) {
                $( self.$name.fill(bytemuck::Zeroable::zeroed()); )*
            }

            /// Gives the array `name`, one of those that are refilled during a step, the length `len`,
            /// filled with zeros; false if there is no such array.
            pub fn renew_grown(&mut self, name: &str, len: usize) -> bool {
                match name {
                    $( stringify!($grown) => {
                        self.$grown.clear();
                        self.$grown.resize(len, bytemuck::Zeroable::zeroed());
                    } )*
                    _ => return false,
                }
                true
            }

            /// Empties the arrays that are refilled during a step.
            pub(crate) fn clear_grown(&mut self) {
                $( self.$grown.clear(); )*
            }
        }
    };
}

/// Declares a struct of single values with their defaults. See the [module](self).
macro_rules! record {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident {
            $( $(#[doc = $doc:literal])* $name:ident : $Type:ty = $default:expr, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $Name {
            $( $(#[doc = $doc])* pub $name: $Type, )*
        }

        impl Default for $Name {
            fn default() -> Self {
                Self { $( $name: $default, )* }
            }
        }

        impl $Name {
            /// The values, in order of declaration.
            pub const FIELDS: &'static [$crate::fields::Field] = &[
                $( $crate::fields::Field {
                    name: stringify!($name),
                    doc: concat!($($doc),*),
                    dims: &[],
                    width: <$Type as $crate::fields::Element>::WIDTH,
                    scalar: <$Type as $crate::fields::Element>::SCALAR,
                    grown: false,
                }, )*
            ];

            /// The numbers of the value called `name`.
            pub fn array(&self, name: &str) -> Option<$crate::fields::Array<'_>> {
                Some(match name {
                    $( stringify!($name) =>
                        $crate::fields::Element::flat(std::slice::from_ref(&self.$name)), )*
                    _ => return None,
                })
            }

            /// The numbers of the value called `name`, writable.
            pub fn array_mut(&mut self, name: &str) -> Option<$crate::fields::ArrayMut<'_>> {
                Some(match name {
                    $( stringify!($name) =>
                        $crate::fields::Element::flat_mut(std::slice::from_mut(&mut self.$name)), )*
                    _ => return None,
                })
            }
        }
    };
}

pub(crate) use {fields, record};
