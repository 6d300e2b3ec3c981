//! The editable model: what an MJCF file says, element by element, before compilation.
//!
//! Values are as read: angles in the units of the file, orientations in the form they were given,
//! class defaults already applied. A `None` marks what was not given where the compiler must know.
//! Each element carries its place in the source, so that whoever finds a fault can report it with
//! `elem.src.error("...")`.

mod actuator;
mod attrs;
mod body;
mod cable;
mod camera;
mod class;
mod compiler;
mod contact;
mod custom;
mod equality;
mod frame;
mod geom;
mod graft;
mod inertial;
mod joint;
mod key;
mod light;
mod material;
mod option;
mod orientation;
mod refer;
mod sensor;
mod site;
mod size;
mod statistic;
mod tendon;
mod texture;
mod visual;

pub(crate) use actuator::Shortcut;
pub use actuator::{Actuator, ActuatorKind, Interpolation};
pub(crate) use attrs::{Attrs, BadNumber, Element, FLAG, Number, Numbers, Parse, TRISTATE};
pub use body::Body;
pub(crate) use cable::Cable;
pub use camera::Camera;
pub use class::Class;
pub use compiler::{Compiler, EulerSequence};
pub use contact::{Exclude, Pair};
pub(crate) use custom::OBJECT_TYPES;
pub use custom::{Numeric, Text, Tuple, TupleElement};
pub use equality::Equality;
pub use frame::Frame;
pub(crate) use geom::GEOM_TYPES;
pub use geom::Geom;
pub(crate) use graft::{MAX_COPIES, Replica};
pub use inertial::Inertial;
pub(crate) use joint::JOINT_TYPES;
pub use joint::Joint;
pub use key::Key;
pub use light::Light;
pub use material::Material;
pub(crate) use material::{Layer, TEXTURE_ROLES};
pub(crate) use option::Flags;
pub use orientation::{Alternative, Orientation};
pub(crate) use sensor::SENSOR_TYPES;
pub use sensor::Sensor;
pub use sim_core::model::LengthRange;
pub use site::Site;
pub use size::{Memory, Size};
pub use statistic::Statistic;
pub use tendon::{Tendon, TendonKind, Wrap, WrapKind};
pub(crate) use texture::CUBE_FILES;
pub use texture::{Builtin, Mark, Texture};

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sim_core::model::{Options, Visual};

use crate::error::{Pos, Sources, Warning};

/// Where files are.
#[derive(Debug, Clone)]
pub(crate) enum Files {
    /// In a directory.
    Directory(PathBuf),
    /// In memory, by name.
    Memory(Arc<HashMap<String, Vec<u8>>>),
}

/// An editable model.
#[doc(alias = "mjSpec")]
#[derive(Debug, Clone)]
pub struct Spec {
    /// Name of the model.
    pub name: String,
    /// Comment at the top of the file.
    pub comment: String,
    /// Place of the root element.
    pub src: Pos,
    /// Compiler settings.
    pub compiler: Compiler,
    /// Compiler settings of attached models.
    pub attached_compilers: Vec<Compiler>,
    /// Physics options.
    pub option: Options,
    /// Place of the last `option` section, or of the root.
    pub option_src: Pos,
    /// Sizes.
    pub size: Size,
    /// Place of the last `size` section, or of the root.
    pub size_src: Pos,
    /// Visual settings.
    pub visual: Visual,
    /// Statistics that were given.
    pub statistic: Statistic,
    /// Default classes; the first is `main`, parents come before children.
    pub classes: Vec<Class>,
    /// Bodies with what they carry; the first is the world, the rest in depth-first order of the
    /// document, so that positions in this list are the ids in the model.
    pub bodies: Vec<Body>,
    /// Frames, parents before children.
    pub frames: Vec<Frame>,
    /// Textures.
    pub textures: Vec<Texture>,
    /// Materials.
    pub materials: Vec<Material>,
    /// Pairs of geoms that are checked for contact.
    pub pairs: Vec<Pair>,
    /// Pairs of bodies that do not collide.
    pub excludes: Vec<Exclude>,
    /// Equality constraints.
    pub equalities: Vec<Equality>,
    /// Sensors.
    pub sensors: Vec<Sensor>,
    /// Tendons.
    pub tendons: Vec<Tendon>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// Keyframes.
    pub keys: Vec<Key>,
    /// Keyframes that came with attached and replicated bodies. They follow the others in the
    /// model; numbers that are not finite stand for those of the reference configuration.
    pub attached_keys: Vec<Key>,
    /// Custom numbers.
    pub numerics: Vec<Numeric>,
    /// Custom texts.
    pub texts: Vec<Text>,
    /// Custom tuples.
    pub tuples: Vec<Tuple>,
    /// Elements that are copies of others.
    pub(crate) copied: usize,
    /// What the model was read from, to quote it in messages.
    pub(crate) sources: Arc<Sources>,
    /// Where the files that the model names are.
    pub(crate) files: Files,
    /// What deserved attention in reading.
    pub(crate) warnings: Vec<Warning>,
}

impl Default for Spec {
    fn default() -> Spec {
        Spec {
            name: String::from("MuJoCo Model"),
            comment: String::new(),
            src: Pos::default(),
            compiler: Compiler::default(),
            attached_compilers: Vec::new(),
            option: Options::default(),
            option_src: Pos::default(),
            size: Size::default(),
            size_src: Pos::default(),
            visual: Visual::default(),
            statistic: Statistic::default(),
            classes: vec![Class::default()],
            bodies: vec![Body::world()],
            frames: Vec::new(),
            textures: Vec::new(),
            materials: Vec::new(),
            pairs: Vec::new(),
            excludes: Vec::new(),
            equalities: Vec::new(),
            sensors: Vec::new(),
            tendons: Vec::new(),
            actuators: Vec::new(),
            keys: Vec::new(),
            attached_keys: Vec::new(),
            numerics: Vec::new(),
            texts: Vec::new(),
            tuples: Vec::new(),
            copied: 0,
            sources: Arc::default(),
            files: Files::Directory(PathBuf::new()),
            warnings: Vec::new(),
        }
    }
}

impl Spec {
    /// The compiler settings that an element with this number in its field `compiler` was written
    /// for: 0 stands for those of the model, others for those of attached models.
    pub fn compiler_of(&self, number: usize) -> &Compiler {
        number.checked_sub(1).and_then(|i| self.attached_compilers.get(i)).unwrap_or(&self.compiler)
    }
}
