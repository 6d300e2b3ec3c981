//! Fields of elements under the names that MuJoCo's structs have for them: one table, from which
//! whoever edits a model by name reads and writes.

use sim_core::math::{Quat, Vec3};
use sim_core::model::*;

use super::actuator::Interpolation;
use super::texture::{Builtin, Mark};
use super::{
    Actuator, Alternative, Body, BuiltinMesh, Camera, Compiler, Elastic2d, Equality, EulerSequence,
    Exclude, Flex, Frame, Geom, Hfield, Inertial, Joint, Key, Light, Material, Mesh, Numeric,
    Orientation, Pair, Sensor, Site, Skin, Tendon, Text, Texture, Tuple, TupleElement,
};

/// The value of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Float(f64),
    /// An integer, also for what is on or off.
    Int(i32),
    /// A member of an enum of MuJoCo, by name of the enum and number.
    Enum(&'static str, i32),
    /// A fixed number of numbers.
    Floats(Vec<f64>),
    /// A fixed number of numbers in single precision.
    Singles(Vec<f32>),
    /// A fixed number of integers.
    Ints(Vec<i32>),
    /// Any number of numbers.
    List(Vec<f64>),
    /// Any number of integers.
    IntList(Vec<i32>),
    /// Any number of lists of numbers.
    Lists(Vec<Vec<f64>>),
    /// Any number of lists of integers.
    IntLists(Vec<Vec<i32>>),
    /// A text.
    Text(String),
    /// A fixed number of texts.
    Texts(Vec<String>),
    /// Any number of texts.
    TextList(Vec<String>),
    /// A fixed number of letters.
    Letters(String),
    /// Any number of bytes.
    Bytes(Vec<u8>),
    /// A form of an orientation other than the quaternion.
    Orientation(Option<Alternative>),
}

/// A field cannot have the value: what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch(pub String);

/// Something that can be read and written as a [`Value`].
pub trait Field {
    /// The value.
    fn value(&self) -> Value;

    /// Changes the value; nothing changes if it does not fit.
    fn assign(&mut self, value: Value) -> Result<(), Mismatch>;
}

/// Something whose fields have MuJoCo's names.
pub trait Reflect {
    /// Shows each field to `f`, in the order of MuJoCo's struct.
    fn fields(&mut self, f: &mut dyn FnMut(&'static str, &mut dyn Field));

    /// The value of the field called `name`, if there is one.
    fn field(&mut self, name: &str) -> Option<Value> {
        let mut found = None;
        self.fields(&mut |known, field| {
            if known == name {
                found = Some(field.value());
            }
        });
        found
    }

    /// Changes the field called `name`; none if there is none.
    fn set_field(&mut self, name: &str, value: Value) -> Option<Result<(), Mismatch>> {
        let mut value = Some(value);
        let mut result = None;
        self.fields(&mut |known, field| {
            if known == name
                && let Some(value) = value.take()
            {
                result = Some(field.assign(value));
            }
        });
        result
    }
}

fn expected(what: &str) -> Result<(), Mismatch> {
    Err(Mismatch(format!("expected {what}")))
}

macro_rules! scalar {
    ($T:ty, $Variant:ident, $what:literal) => {
        impl Field for $T {
            fn value(&self) -> Value {
                Value::$Variant((*self).into())
            }

            fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
                match value {
                    Value::Float(x) => *self = x as $T,
                    Value::Int(x) => *self = x as $T,
                    _ => return expected($what),
                }
                Ok(())
            }
        }
    };
}
scalar!(f64, Float, "a number");
scalar!(f32, Float, "a number");

impl Field for i32 {
    fn value(&self) -> Value {
        Value::Int(*self)
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        match value {
            Value::Int(x) | Value::Enum(_, x) => *self = x,
            _ => return expected("an integer"),
        }
        Ok(())
    }
}

impl Field for bool {
    fn value(&self) -> Value {
        Value::Int((*self).into())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        match value {
            Value::Int(x) => *self = x != 0,
            _ => return expected("an integer"),
        }
        Ok(())
    }
}

impl Field for String {
    fn value(&self) -> Value {
        Value::Text(self.clone())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        match value {
            Value::Text(text) => *self = text,
            _ => return expected("a text"),
        }
        Ok(())
    }
}

macro_rules! array {
    ($T:ty, $Variant:ident) => {
        impl<const N: usize> Field for [$T; N] {
            fn value(&self) -> Value {
                Value::$Variant(self.to_vec())
            }

            fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
                match value {
                    Value::$Variant(items) if items.len() == N => self.clone_from_slice(&items),
                    _ => return expected(&format!("{N} values")),
                }
                Ok(())
            }
        }
    };
}
array!(f64, Floats);
array!(f32, Singles);
array!(i32, Ints);
array!(String, Texts);

macro_rules! list {
    ($T:ty, $Variant:ident) => {
        impl Field for Vec<$T> {
            fn value(&self) -> Value {
                Value::$Variant(self.clone())
            }

            fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
                match value {
                    Value::$Variant(items) => *self = items,
                    _ => return expected("a list"),
                }
                Ok(())
            }
        }
    };
}
list!(f64, List);

impl Field for Vec<f32> {
    fn value(&self) -> Value {
        Value::List(self.iter().map(|&x| x.into()).collect())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        match value {
            Value::List(items) => *self = items.into_iter().map(|x| x as f32).collect(),
            _ => return expected("a list"),
        }
        Ok(())
    }
}

impl Field for Vec<Vec<f32>> {
    fn value(&self) -> Value {
        let list = |items: &Vec<f32>| items.iter().map(|&x| x.into()).collect();
        Value::Lists(self.iter().map(list).collect())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let list = |items: Vec<f64>| items.into_iter().map(|x| x as f32).collect();
        match value {
            Value::Lists(lists) => *self = lists.into_iter().map(list).collect(),
            _ => return expected("lists of numbers"),
        }
        Ok(())
    }
}

list!(i32, IntList);
list!(Vec<i32>, IntLists);
list!(String, TextList);
list!(u8, Bytes);

impl Field for Vec3 {
    fn value(&self) -> Value {
        Value::Floats(self.to_array().to_vec())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let mut numbers = self.to_array();
        numbers.assign(value)?;
        *self = Vec3::new(numbers[0], numbers[1], numbers[2]);
        Ok(())
    }
}

impl Field for Quat {
    fn value(&self) -> Value {
        Value::Floats(self.to_array().to_vec())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let mut numbers = self.to_array();
        numbers.assign(value)?;
        *self = Quat::new(numbers[0], numbers[1], numbers[2], numbers[3]);
        Ok(())
    }
}

/// What is not given is undefined (NaN) where a number would be, or where the first of them would.
impl Field for Option<f64> {
    fn value(&self) -> Value {
        Value::Float(self.unwrap_or(f64::NAN))
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let mut number = f64::NAN;
        number.assign(value)?;
        *self = Some(number).filter(|number| !number.is_nan());
        Ok(())
    }
}

impl<const N: usize> Field for Option<[f64; N]> {
    fn value(&self) -> Value {
        let mut none = [0.0; N];
        none[0] = f64::NAN;
        self.unwrap_or(none).value()
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let mut numbers = [0.0_f64; N];
        numbers.assign(value)?;
        *self = Some(numbers).filter(|numbers| !numbers[0].is_nan());
        Ok(())
    }
}

impl Field for Option<Vec3> {
    fn value(&self) -> Value {
        self.map(|v| v.to_array()).value()
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let mut numbers = self.map(|v| v.to_array());
        numbers.assign(value)?;
        *self = numbers.map(|[x, y, z]| Vec3::new(x, y, z));
        Ok(())
    }
}

macro_rules! enums {
    ($($Enum:ident $name:literal)*) => {$(
        impl Field for $Enum {
            fn value(&self) -> Value {
                Value::Enum($name, *self as i32)
            }

            fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
                let number = match value {
                    Value::Int(x) | Value::Enum(_, x) => x,
                    _ => return expected(concat!("a member of ", $name)),
                };
                match $Enum::from_i32(number) {
                    Some(member) => *self = member,
                    None => return expected(concat!("a member of ", $name)),
                }
                Ok(())
            }
        }
    )*};
}
enums! {
    GeomType "mjtGeom" GeomInertia "mjtGeomInertia" JointType "mjtJoint" SleepPolicy "mjtSleepPolicy"
    CamLightMode "mjtCamLight" Projection "mjtProjection" LightType "mjtLightType"
    TextureType "mjtTexture" ColorSpace "mjtColorSpace" EqType "mjtEq" ObjType "mjtObj"
    TrnType "mjtTrn" DynType "mjtDyn" GainType "mjtGain" BiasType "mjtBias" SensorType "mjtSensor"
    DataType "mjtDataType" Stage "mjtStage" MeshInertia "mjtMeshInertia"
}

/// Enums that MuJoCo's structs hold as integers.
macro_rules! numbers {
    ($($Enum:ident [$($member:expr),*])*) => {$(
        impl Field for $Enum {
            fn value(&self) -> Value {
                Value::Int(*self as i32)
            }

            fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
                let number = match value {
                    Value::Int(x) | Value::Enum(_, x) => x,
                    _ => return expected("an integer"),
                };
                match [$($member),*].into_iter().find(|member| *member as i32 == number) {
                    Some(member) => *self = member,
                    None => return expected("a number that has a meaning"),
                }
                Ok(())
            }
        }
    )*};
}
numbers! {
    Limited [Limited::False, Limited::True, Limited::Auto]
    AlignFree [AlignFree::False, AlignFree::True, AlignFree::Auto]
    InertiaFromGeom [InertiaFromGeom::False, InertiaFromGeom::True, InertiaFromGeom::Auto]
    Interpolation [Interpolation::Hold, Interpolation::Linear, Interpolation::Cubic]
    Builtin [Builtin::None, Builtin::Gradient, Builtin::Checker, Builtin::Flat]
    BuiltinMesh [
        BuiltinMesh::None, BuiltinMesh::Sphere, BuiltinMesh::Hemisphere, BuiltinMesh::Cone,
        BuiltinMesh::Supertorus, BuiltinMesh::Supersphere, BuiltinMesh::Wedge, BuiltinMesh::Plate
    ]
    Elastic2d [Elastic2d::None, Elastic2d::Bend, Elastic2d::Stretch, Elastic2d::Both]
    FlexSelf [FlexSelf::None, FlexSelf::Narrow, FlexSelf::Bvh, FlexSelf::Sap, FlexSelf::Auto]
    Mark [Mark::None, Mark::Edge, Mark::Cross, Mark::Random]
}

/// The form of an orientation other than the quaternion.
struct Alt<'a>(&'a mut Orientation);

impl Field for Alt<'_> {
    fn value(&self) -> Value {
        Value::Orientation(self.0.alternative)
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        match value {
            Value::Orientation(alternative) => self.0.alternative = alternative,
            _ => return expected("an orientation"),
        }
        Ok(())
    }
}

/// Letters of a fixed number.
struct Letters<'a>(&'a mut String, usize);

impl Field for Letters<'_> {
    fn value(&self) -> Value {
        Value::Letters(self.0.clone())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        match value {
            Value::Letters(text) | Value::Text(text) if text.len() == self.1 => *self.0 = text,
            _ => return expected(&format!("{} letters", self.1)),
        }
        Ok(())
    }
}

impl Field for EulerSequence {
    fn value(&self) -> Value {
        Value::Letters(self.0.iter().map(|&letter| char::from(letter)).collect())
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        let text = match value {
            Value::Letters(text) | Value::Text(text) => text,
            _ => return expected("three letters"),
        };
        match <[u8; 3]>::try_from(text.as_bytes()) {
            Ok(letters) if letters.iter().all(|letter| b"xyzXYZ".contains(letter)) => {
                self.0 = letters;
                Ok(())
            }
            _ => expected("three letters of xyzXYZ"),
        }
    }
}

/// A field that is computed from others.
struct Computed<'a, T> {
    value: T,
    store: &'a mut dyn FnMut(T),
}

impl<T: Field + Clone> Field for Computed<'_, T> {
    fn value(&self) -> Value {
        self.value.value()
    }

    fn assign(&mut self, value: Value) -> Result<(), Mismatch> {
        self.value.assign(value)?;
        (self.store)(self.value.clone());
        Ok(())
    }
}

/// Lists the fields of an element: name in MuJoCo, then the field.
macro_rules! fields {
    ($T:ident |$own:ident, $f:ident| { $($name:literal: $($field:ident).+),* $(,)? } $($more:tt)*) => {
        impl Reflect for $T {
            fn fields(&mut self, $f: &mut dyn FnMut(&'static str, &mut dyn Field)) {
                let $own = self;
                $f("name", &mut $own.info.name);
                $($f($name, &mut $own.$($field).+);)*
                $f("info", &mut $own.info.note);
                $($more)*
            }
        }
    };
}

fields!(Body |own, f| {
    "pos": pos, "quat": orientation.quat, "mocap": mocap, "gravcomp": gravcomp, "sleep": sleep,
    "userdata": user,
} {
    f("alt", &mut Alt(&mut own.orientation));
    // without an inertial element its values are those that MuJoCo starts with
    let explicit = own.inertial.is_some();
    let none = Inertial::default();
    let given = own.inertial.get_or_insert_with(|| none.clone());
    let mut mass = given.mass.unwrap_or(0.0);
    f("mass", &mut Computed { value: mass, store: &mut |x| mass = x });
    let mut inertia = given.diaginertia.unwrap_or(Vec3::ZERO);
    f("inertia", &mut Computed { value: inertia, store: &mut |x| inertia = x });
    f("ipos", &mut given.pos);
    f("iquat", &mut given.orientation.quat);
    f("ialt", &mut Alt(&mut given.orientation));
    f("fullinertia", &mut given.fullinertia);
    if mass != 0.0 || given.mass.is_some() {
        given.mass = Some(mass);
    }
    if inertia != Vec3::ZERO || given.diaginertia.is_some() {
        given.diaginertia = Some(inertia);
    }
    let same = given.pos == none.pos && given.mass == none.mass
        && given.diaginertia == none.diaginertia && given.orientation == none.orientation
        && given.fullinertia == none.fullinertia;
    let mut flag = i32::from(explicit);
    f("explicitinertial", &mut Computed { value: flag, store: &mut |x| flag = x });
    if same && !explicit {
        own.inertial = None;
    }
});

fields!(Frame |own, f| { "pos": pos, "quat": orientation.quat } {
    f("alt", &mut Alt(&mut own.orientation));
});

fields!(Joint |own, f| {
    "type": kind, "pos": pos, "axis": axis, "ref": reference, "align": align,
    "stiffness": stiffness, "springref": springref, "springdamper": springdamper,
    "limited": limited, "range": range, "margin": margin, "solref_limit": solreflimit,
    "solimp_limit": solimplimit, "actfrclimited": actuatorfrclimited,
    "actfrcrange": actuatorfrcrange, "armature": armature, "damping": damping,
    "frictionloss": frictionloss, "solref_friction": solreffriction,
    "solimp_friction": solimpfriction, "group": group, "actgravcomp": actuatorgravcomp,
    "userdata": user,
});

fields!(Geom |own, f| {
    "type": kind, "pos": pos, "quat": orientation.quat, "fromto": fromto, "size": size,
    "contype": contype, "conaffinity": conaffinity, "condim": condim, "priority": priority,
    "friction": friction, "solmix": solmix, "solref": solref, "solimp": solimp, "margin": margin,
    "gap": gap, "mass": mass, "density": density, "typeinertia": shellinertia,
    "fluid_coefs": fluidcoef, "material": material, "rgba": rgba, "group": group,
    "hfieldname": hfield, "meshname": mesh, "fitscale": fitscale, "userdata": user,
} {
    f("alt", &mut Alt(&mut own.orientation));
    let ellipsoid = &mut own.fluidellipsoid;
    let value = f64::from(u8::from(*ellipsoid));
    f("fluid_ellipsoid", &mut Computed { value, store: &mut |x| *ellipsoid = x != 0.0 });
});

fields!(Site |own, f| {
    "pos": pos, "quat": orientation.quat, "fromto": fromto, "size": size, "type": kind,
    "material": material, "group": group, "rgba": rgba, "userdata": user,
} {
    f("alt", &mut Alt(&mut own.orientation));
});

fields!(Camera |own, f| {
    "pos": pos, "quat": orientation.quat, "mode": mode, "targetbody": target, "proj": projection,
    "fovy": fovy, "ipd": ipd, "intrinsic": intrinsic, "resolution": resolution, "output": output,
    "sensor_size": sensorsize, "focal_length": focal, "focal_pixel": focalpixel,
    "principal_length": principal, "principal_pixel": principalpixel, "userdata": user,
} {
    f("alt", &mut Alt(&mut own.orientation));
});

fields!(Light |own, f| {
    "pos": pos, "dir": dir, "mode": mode, "targetbody": target, "active": active, "type": kind,
    "texture": texture, "castshadow": castshadow, "bulbradius": bulbradius,
    "intensity": intensity, "range": range, "attenuation": attenuation, "cutoff": cutoff,
    "exponent": exponent, "ambient": ambient, "diffuse": diffuse, "specular": specular,
});

fields!(Flex |own, f| {
    "contype": contype, "conaffinity": conaffinity, "condim": condim, "priority": priority,
    "friction": friction, "solmix": solmix, "solref": solref, "solimp": solimp, "margin": margin,
    "gap": gap, "dim": dim, "radius": radius, "size": size, "internal": internal,
    "flatskin": flatskin, "selfcollide": selfcollide, "vertcollide": vertcollide,
    "passive": passive, "activelayers": activelayers, "group": group,
    "edgestiffness": edgestiffness, "edgedamping": edgedamping, "rgba": rgba,
    "material": material, "young": young, "poisson": poisson, "damping": damping,
    "thickness": thickness, "elastic2d": elastic2d, "nodebody": nodebody, "vertbody": vertbody,
    "node": node, "vert": vert, "elem": elem, "texcoord": texcoord, "elemtexcoord": elemtexcoord,
});

// MuJoCo makes builtin meshes when asked to; here the compiler does
fields!(Mesh |own, f| {
    "content_type": content_type, "file": file, "refpos": refpos, "refquat": refquat,
    "scale": scale, "inertia": inertia, "smoothnormal": smoothnormal, "maxhullvert": maxhullvert,
    "uservert": vertex, "usernormal": normal, "usertexcoord": texcoord, "userface": face,
    "userfacenormal": facenormal, "userfacetexcoord": facetexcoord, "needsdf": needsdf,
    "material": material, "_builtin": builtin, "_params": params,
});

fields!(Skin |own, f| {
    "file": file, "material": material, "rgba": rgba, "inflate": inflate, "group": group,
    "vert": vert, "texcoord": texcoord, "face": face, "bodyname": bodyname, "bindpos": bindpos,
    "bindquat": bindquat, "vertid": vertid, "vertweight": vertweight,
});

fields!(Hfield |own, f| {
    "content_type": content_type, "file": file, "size": size, "nrow": nrow, "ncol": ncol,
    "userdata": elevation,
});

fields!(Texture |own, f| {
    "type": kind, "colorspace": colorspace, "builtin": builtin, "mark": mark, "rgb1": rgb1,
    "rgb2": rgb2, "markrgb": markrgb, "random": random, "height": height, "width": width,
    "nchannel": nchannel, "content_type": content_type, "file": file, "gridsize": gridsize,
    "cubefiles": cubefiles, "data": data, "hflip": hflip, "vflip": vflip,
} {
    f("gridlayout", &mut Letters(&mut own.gridlayout, 12));
});

fields!(Material |own, f| {
    "textures": textures, "texuniform": texuniform, "texrepeat": texrepeat, "emission": emission,
    "specular": specular, "shininess": shininess, "reflectance": reflectance,
    "metallic": metallic, "roughness": roughness, "rgba": rgba,
});

fields!(Pair |own, f| {
    "geomname1": geom1, "geomname2": geom2, "condim": condim, "solref": solref,
    "solreffriction": solreffriction, "solimp": solimp, "margin": margin, "gap": gap,
    "friction": friction,
});

fields!(Exclude |own, f| { "bodyname1": body1, "bodyname2": body2 });

fields!(Equality |own, f| {
    "type": kind, "objtype": objtype, "active": active, "name1": name1, "name2": name2,
    "solref": solref, "solimp": solimp,
} {
    let holds = matches!(own.kind, EqType::Connect | EqType::Weld);
    let mut data = [0.0; 11];
    if holds {
        data[..3].copy_from_slice(&own.anchor_point().to_array());
        data[3..10].copy_from_slice(&own.relpose);
    } else {
        data[..5].copy_from_slice(&own.polycoef);
    }
    data[10] = own.torquescale;
    f("data", &mut Computed { value: data, store: &mut |data| {
        if holds {
            own.anchor = Some(Vec3::new(data[0], data[1], data[2]));
            own.relpose.copy_from_slice(&data[3..10]);
        } else {
            own.polycoef.copy_from_slice(&data[..5]);
        }
        own.torquescale = data[10];
    } });
});

fields!(Tendon |own, f| {
    "stiffness": stiffness, "springlength": springlength, "damping": damping,
    "frictionloss": frictionloss, "solref_friction": solreffriction,
    "solimp_friction": solimpfriction, "armature": armature, "limited": limited,
    "actfrclimited": actuatorfrclimited, "range": range, "actfrcrange": actuatorfrcrange,
    "margin": margin, "solref_limit": solreflimit, "solimp_limit": solimplimit,
    "material": material, "width": width, "rgba": rgba, "group": group, "userdata": user,
});

fields!(Actuator |own, f| {
    "gaintype": gaintype, "gainprm": gainprm, "biastype": biastype, "biasprm": biasprm,
    "dyntype": dyntype, "dynprm": dynprm, "actdim": actdim, "actearly": actearly,
    "trntype": trntype, "gear": gear, "target": target, "refsite": refsite,
    "slidersite": slidersite, "cranklength": cranklength, "lengthrange": lengthrange,
    "inheritrange": inheritrange, "ctrllimited": ctrllimited, "ctrlrange": ctrlrange,
    "forcelimited": forcelimited, "forcerange": forcerange, "actlimited": actlimited,
    "actrange": actrange, "group": group, "nsample": nsample, "interp": interp, "delay": delay,
    "userdata": user,
});

fields!(Sensor |own, f| {
    "type": kind, "objtype": objtype, "objname": objname, "reftype": reftype, "refname": refname,
    "datatype": datatype, "needstage": needstage, "dim": dim, "cutoff": cutoff, "noise": noise,
    "nsample": nsample, "interp": interp, "delay": delay, "interval": interval, "userdata": user,
} {
    let value = [own.data, own.reduce, own.num];
    f("intprm", &mut Computed { value, store: &mut |x| [own.data, own.reduce, own.num] = x });
});

fields!(Numeric |own, f| { "data": data } {
    let size = &mut own.size;
    let value = size.unwrap_or(0);
    f("size", &mut Computed { value, store: &mut |x| *size = Some(x).filter(|&x| x != 0) });
});

fields!(Text |own, f| { "data": data });

fields!(Tuple |own, f| {} {
    let elements = &mut own.elements;
    let value: Vec<i32> = elements.iter().map(|x| x.objtype as i32).collect();
    f("objtype", &mut Computed { value, store: &mut |list: Vec<i32>| {
        resize(elements, list.len());
        for (element, kind) in elements.iter_mut().zip(list) {
            element.objtype = ObjType::from_i32(kind).unwrap_or(ObjType::Unknown);
        }
    } });
    let value: Vec<String> = elements.iter().map(|x| x.objname.clone()).collect();
    f("objname", &mut Computed { value, store: &mut |list: Vec<String>| {
        resize(elements, list.len());
        elements.iter_mut().zip(list).for_each(|(element, name)| element.objname = name);
    } });
    let value: Vec<f64> = elements.iter().map(|x| x.prm).collect();
    f("objprm", &mut Computed { value, store: &mut |list: Vec<f64>| {
        resize(elements, list.len());
        elements.iter_mut().zip(list).for_each(|(element, prm)| element.prm = prm);
    } });
});

/// The lists of a tuple are set one after the other: the longest says how many elements there are.
fn resize(elements: &mut Vec<TupleElement>, len: usize) {
    if elements.len() < len {
        elements.resize(len, TupleElement::default());
    }
}

fields!(Key |own, f| {
    "time": time, "qpos": qpos, "qvel": qvel, "act": act, "mpos": mpos, "mquat": mquat,
    "ctrl": ctrl,
});

impl Reflect for Compiler {
    fn fields(&mut self, f: &mut dyn FnMut(&'static str, &mut dyn Field)) {
        f("autolimits", &mut self.autolimits);
        f("boundmass", &mut self.boundmass);
        f("boundinertia", &mut self.boundinertia);
        f("settotalmass", &mut self.settotalmass);
        f("balanceinertia", &mut self.balanceinertia);
        f("fitaabb", &mut self.fitaabb);
        f("degree", &mut self.degree);
        f("eulerseq", &mut self.eulerseq);
        f("discardvisual", &mut self.discardvisual);
        f("usethread", &mut self.usethread);
        f("fusestatic", &mut self.fusestatic);
        f("inertiafromgeom", &mut self.inertiafromgeom);
        f("inertiagrouprange", &mut self.inertiagrouprange);
        f("saveinertial", &mut self.saveinertial);
        f("alignfree", &mut self.alignfree);
        f("meshdir", &mut self.meshdir);
        f("texturedir", &mut self.texturedir);
        f("strippath", &mut self.strippath);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_read_and_written_under_its_name_in_mujoco() {
        let mut geom = Geom::default();
        assert_eq!(geom.field("mass").map(|x| format!("{x:?}")).as_deref(), Some("Float(NaN)"));
        assert_eq!(geom.set_field("mass", Value::Float(2.0)), Some(Ok(())));
        assert_eq!(geom.mass, Some(2.0));
        assert_eq!(geom.set_field("type", Value::Int(6)), Some(Ok(())));
        assert_eq!(geom.kind, GeomType::Box);
        assert!(matches!(geom.set_field("type", Value::Int(333)), Some(Err(_))));
        assert!(matches!(geom.set_field("pos", Value::Floats(vec![1.0])), Some(Err(_))));
        assert_eq!(geom.set_field("vel", Value::Int(0)), None);
    }

    #[test]
    fn looking_at_the_inertia_of_a_body_does_not_give_it_one() {
        let mut body = Body::default();
        assert_eq!(body.field("mass"), Some(Value::Float(0.0)));
        assert!(body.inertial.is_none());
        body.set_field("mass", Value::Float(3.0));
        body.set_field("ipos", Value::Floats(vec![0.0; 3]));
        let inertial = body.inertial.as_ref().unwrap();
        assert_eq!((inertial.mass, inertial.pos), (Some(3.0), Some(Vec3::ZERO)));
    }
}
