//! The editable model: what an MJCF file says, element by element, before compilation.
//!
//! Values are as read: angles in the units of the file, orientations in the form they were given,
//! class defaults already applied. A `None` marks what was not given where the compiler must know.
//! Each element carries its place in the source, so that whoever finds a fault can report it with
//! `elem.src.error("...")`.

/// Hands the table of element kinds to the macro `$then`, after `$args`.
///
/// A row is
/// ```text
/// Type list (functions that find and add one) [field of a class] "word" home [size names]
/// ```
/// in the order in which the model has the kinds. The type is also the [`ObjType`], the word is what
/// messages say, size and names are fields of the model. The home says
/// where elements live, and what happens to them when their model is attached to another:
///
/// | home | the elements |
/// |---|---|
/// | `body`, `frame` | make up the tree |
/// | `tree` | are in a body, and go where it goes |
/// | `asset` | are outside the tree, and are taken over whether they are used or not |
/// | `visual` | likewise; the model does without them if the compiler discards what is only seen |
/// | `refer` | name others, and are taken over if these are |
/// | `refer_first` | likewise, before those above that name them |
/// | `sorted` | likewise; the model has them sorted by their bodies |
/// | `key` | depend on the whole model |
#[rustfmt::skip]
macro_rules! elements {
    ($then:ident $($args:tt)*) => {
        $then! { $($args)*
            Body     bodies     (body add_body)         []         "body"     body        [nbody name_bodyadr]
            Frame    frames     (frame add_frame)       []         "frame"    frame       []
            Joint    joints     (joint add_joint)       [joint]    "joint"    tree        [njnt name_jntadr]
            Geom     geoms      (geom add_geom)         [geom]     "geom"     tree        [ngeom name_geomadr]
            Site     sites      (site add_site)         [site]     "site"     tree        [nsite name_siteadr]
            Camera   cameras    (camera add_camera)     [camera]   "camera"   tree        [ncam name_camadr]
            Light    lights     (light add_light)       [light]    "light"    tree        [nlight name_lightadr]
            Flex     flexes     (flex add_flex)         []         "flex"     refer       [nflex name_flexadr]
            Mesh     meshes     (mesh add_mesh)         [mesh]     "mesh"     asset       [nmesh name_meshadr]
            Skin     skins      (skin add_skin)         []         "skin"     refer       [nskin name_skinadr]
            Hfield   hfields    (hfield add_hfield)     []         "hfield"   asset       [nhfield name_hfieldadr]
            Texture  textures   (texture add_texture)   []         "texture"  visual      [ntex name_texadr]
            Material materials  (material add_material) [material] "material" visual      [nmat name_matadr]
            Pair     pairs      (pair add_pair)         [pair]     "pair"     sorted      [npair name_pairadr]
            Exclude  excludes   (exclude add_exclude)   []         "exclude"  sorted      [nexclude name_excludeadr]
            Equality equalities (equality add_equality) [equality] "equality" refer       [neq name_eqadr]
            Tendon   tendons    (tendon add_tendon)     [tendon]   "tendon"   refer_first [ntendon name_tendonadr]
            Actuator actuators  (actuator add_actuator) [actuator] "actuator" refer       [nu name_actuatoradr]
            Sensor   sensors    (sensor add_sensor)     []         "sensor"   refer       [nsensor name_sensoradr]
            Numeric  numerics   (numeric add_numeric)   []         "numeric"  asset       [nnumeric name_numericadr]
            Text     texts      (text add_text)         []         "text"     asset       [ntext name_textadr]
            Tuple    tuples     (tuple add_tuple)       []         "tuple"    refer       [ntuple name_tupleadr]
            Key      keys       (key add_key)           []         "keyframe" key         [nkey name_keyadr]
        }
    };
}
pub(crate) use elements;

mod actuator;
mod attach;
mod attrs;
mod body;
mod cable;
mod camera;
mod class;
mod compiler;
mod contact;
mod copy;
mod cursor;
mod custom;
mod edit;
mod element;
mod equality;
mod field;
mod flex;
mod flex_shape;
mod flexcomp;
mod frame;
mod geom;
mod hfield;
mod inertial;
mod joint;
mod key;
mod keyframes;
mod light;
mod list;
mod material;
mod mesh;
mod option;
mod orientation;
mod reference;
mod rename;
mod replicate;
mod sensor;
mod signature;
mod site;
mod size;
mod skin;
mod statistic;
mod tendon;
mod texture;
mod visual;

pub(crate) use actuator::Shortcut;
pub use actuator::{Actuator, ActuatorKind, Interpolation};
pub(crate) use attach::Part;
pub(crate) use attrs::{Attributes, Attrs, BadNumber, FLAG, Number, Numbers, Parse, TRISTATE};
pub use body::Body;
pub(crate) use cable::Cable;
pub use camera::Camera;
pub use class::Class;
pub(crate) use class::{ClassChange, ClassVisitor, HasDefaults};
pub use compiler::{Compiler, EulerSequence};
pub use contact::{Exclude, Pair};
pub use copy::Copies;
pub(crate) use copy::{MAX_BODIES, MAX_COPIES};
pub use cursor::Cursor;
pub(crate) use custom::OBJECT_TYPES;
pub use custom::{Numeric, Text, Tuple, TupleElement};
pub use edit::Attachment;
pub(crate) use element::if_tree;
pub use element::{Element, InBody, Info, Kind, KindVisitor, TreeVisitor, kinds};
pub use equality::Equality;
pub use field::{Field, Mismatch, Reflect, Value};
pub use flex::{Elastic2d, Flex};
pub(crate) use flex::{FlexContact, FlexEdge, FlexElasticity};
pub(crate) use flex_shape::{FlexShape, Lattice, LatticeMaker};
pub(crate) use flexcomp::{FlexDof, Flexcomp, Pins};
pub use frame::Frame;
pub(crate) use geom::GEOM_TYPES;
pub use geom::Geom;
pub use hfield::Hfield;
pub use inertial::Inertial;
pub(crate) use joint::JOINT_TYPES;
pub use joint::Joint;
pub use key::Key;
pub use light::Light;
pub use list::{Id, List, Named};
pub use material::Material;
pub(crate) use material::{Layer, TEXTURE_ROLES};
pub use mesh::{BuiltinMesh, Mesh};
pub(crate) use option::Flags;
pub use orientation::{Alternative, Orientation};
pub(crate) use rename::Affix;
pub(crate) use replicate::Replica;
pub(crate) use sensor::SENSOR_TYPES;
pub use sensor::Sensor;
pub use sim_core::LengthRange;
pub use site::Site;
pub use size::{Memory, Size};
pub(crate) use skin::Bone;
pub use skin::Skin;
pub use statistic::Statistic;
pub use tendon::{Tendon, TendonKind, Wrap, WrapKind};
pub(crate) use texture::CUBE_FILES;
pub use texture::{Builtin, Mark, Texture};

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use sim_core::model::{Options, Visual};

use crate::error::{Pos, Sources, Warning};
use crate::files::Files;

macro_rules! spec {
    ($($T:ident $list:ident $one:tt $class:tt $word:literal $home:ident $model:tt)*) => {
        /// An editable model.
        ///
        /// Elements are in lists by kind, and refer to the body, frame, class and compiler settings
        /// that they belong to by handles; to all else by name, as in a file. The bodies hold the
        /// tree: each has the handles of what is in it, in order.
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
            pub attached_compilers: List<Compiler>,
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
            pub classes: List<Class>,
            $(
                #[doc = concat!("Elements of the kind ", $word, ".")]
                pub $list: List<$T>,
            )*
            /// Keyframes that came with attached and replicated bodies. They follow the others in
            /// the model; numbers that are not finite stand for those of the reference
            /// configuration.
            pub attached_keys: Vec<Key>,
            /// Elements that are copies of others.
            pub(crate) copied: usize,
            /// What the model was read from, to quote it in messages.
            pub(crate) sources: Arc<Sources>,
            /// Where the files that the model names are.
            pub(crate) files: Files,
            /// Bytes that the model and the data of one simulation may take.
            pub memory_limit: usize,
            /// What deserved attention in reading.
            pub(crate) warnings: Vec<Warning>,
        }

        impl Default for Spec {
            fn default() -> Spec {
                let mut spec = Spec {
                    name: String::from("MuJoCo Model"),
                    comment: String::new(),
                    src: Pos::default(),
                    compiler: Compiler::default(),
                    attached_compilers: List::default(),
                    option: Options::default(),
                    option_src: Pos::default(),
                    size: Size::default(),
                    size_src: Pos::default(),
                    visual: Visual::default(),
                    statistic: Statistic::default(),
                    classes: List::default(),
                    $($list: List::default(),)*
                    attached_keys: Vec::new(),
                    copied: 0,
                    sources: Arc::default(),
                    files: Files::Directory { base: PathBuf::new(), root: None },
                    memory_limit: sim_core::memory::LIMIT,
                    warnings: Vec::new(),
                };
                spec.classes.push(Class::default());
                spec.bodies.push(Body::world());
                spec
            }
        }
    };
}
elements!(spec);

impl Spec {
    /// The compiler settings that an element was written for: none stands for those of the model,
    /// others are those of attached models.
    pub fn compiler_of(&self, compiler: Option<Id<Compiler>>) -> &Compiler {
        compiler.and_then(|id| self.attached_compilers.get(id)).unwrap_or(&self.compiler)
    }

    /// Says where the files that the model names are: in memory, by name, and nowhere else.
    pub fn set_files(&mut self, files: HashMap<String, Vec<u8>>) {
        self.files = Files::Memory(Arc::new(files));
    }

    /// Drops what was said about the inertia of bodies without saying where its centre is, which
    /// MuJoCo takes for nothing said.
    pub fn forget_incomplete_inertials(&mut self) {
        self.bodies.for_each_mut(|body| {
            let incomplete = |x: &Inertial| x.pos.is_none() && x.src == Pos::default();
            if body.inertial.as_ref().is_some_and(incomplete) {
                body.inertial = None;
            }
        });
    }
}
