//! The structs of a scene: plain memory with MuJoCo's fields, so that Python shows them as records.

use bytemuck::{Pod, Zeroable};

use super::{CameraType, RenderFlag, VisFlag};
use crate::Model;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::GeomType;

/// Number of groups of elements of a kind.
const GROUPS: usize = 6;
/// Number of [`VisFlag`]s.
pub const VIS_FLAGS: usize = 31;
/// Number of [`RenderFlag`]s.
pub const RENDER_FLAGS: usize = 11;

/// A field of a struct of plain memory: name, type of its scalars as numpy spells it, their number.
pub type PlainField = (&'static str, &'static str, usize);

/// Type of the scalars in a field, and how many there are.
trait Scalars {
    const DTYPE: &'static str;
    const COUNT: usize = 1;
}

macro_rules! scalars {
    ($($Type:ty = $dtype:literal,)*) => {
        $(
            impl Scalars for $Type {
                const DTYPE: &'static str = $dtype;
            }
            impl<const N: usize> Scalars for [$Type; N] {
                const DTYPE: &'static str = $dtype;
                const COUNT: usize = N;
            }
        )*
    };
}

scalars! { u8 = "u1", i32 = "i4", f32 = "f4", f64 = "f8", }

impl Scalars for Vec3 {
    const DTYPE: &'static str = "f8";
    const COUNT: usize = 3;
}

impl Scalars for Quat {
    const DTYPE: &'static str = "f8";
    const COUNT: usize = 4;
}

macro_rules! plain {
    ($(
        $(#[$meta:meta])*
        pub struct $Name:ident {
            $( $(#[doc = $doc:literal])+ $name:ident : $Type:ty = $default:expr, )*
        }
    )*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
            #[repr(C)]
            pub struct $Name {
                $( $(#[doc = $doc])+ pub $name: $Type, )*
            }

            impl Default for $Name {
                fn default() -> Self {
                    Self { $( $name: $default, )* }
                }
            }

            impl $Name {
                /// The fields in memory, in order.
                pub const FIELDS: &'static [PlainField] = &[$(
                    (stringify!($name), <$Type as Scalars>::DTYPE, <$Type as Scalars>::COUNT),
                )*];
            }
        )*
    };
}

plain! {
    /// One object to draw.
    #[doc(alias = "mjvGeom")]
    pub struct Geom {
        /// Shape, a [`GeomType`].
        kind: i32 = GeomType::None as i32,
        /// Mesh, height field or plane; twice the mesh, one more for its hull; -1: none.
        dataid: i32 = -1,
        /// Kind of the object that this shows, an [`ObjType`](crate::model::ObjType).
        objtype: i32 = 0,
        /// The object that this shows.
        objid: i32 = -1,
        /// A [`Category`](super::Category).
        category: i32 = 0,
        /// Material with a texture; -1: none.
        matid: i32 = -1,
        /// Whether the mesh or flex has texture coordinates.
        texcoord: i32 = 0,
        /// Number in pictures of segments; -1: not shown in them.
        segid: i32 = 0,
        /// Size.
        size: [f32; 3] = [0.1; 3],
        /// Position.
        pos: [f32; 3] = [0.0; 3],
        /// Orientation.
        mat: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        /// Colour and opacity.
        rgba: [f32; 4] = [0.5, 0.5, 0.5, 1.0],
        /// Light that it emits, as a part of its colour.
        emission: f32 = 0.0,
        /// Strength of highlights.
        specular: f32 = 0.5,
        /// Sharpness of highlights.
        shininess: f32 = 0.5,
        /// How much of its surroundings it mirrors.
        reflectance: f32 = 0.0,
        /// Text drawn at its position, closed by a zero.
        label: [u8; 100] = [0; 100],
        /// Distance to the camera; set by the renderer.
        camdist: f32 = 0.0,
        /// Radius of the bounding sphere of a geom of the model.
        modelrbound: f32 = 0.0,
        /// Whether it is drawn as transparent; set by the renderer.
        transparent: u8 = 0,
        /// Fills the memory up to a whole number.
        _padding: [u8; 3] = [0; 3],
    }

    /// One light.
    #[doc(alias = "mjvLight")]
    pub struct Light {
        /// The light of the model; -1: the headlight.
        id: i32 = -1,
        /// Position.
        pos: [f32; 3] = [0.0; 3],
        /// Direction.
        dir: [f32; 3] = [0.0; 3],
        /// A [`LightType`](crate::model::LightType).
        kind: i32 = 0,
        /// Texture of an image light.
        texid: i32 = -1,
        /// Coefficients of the attenuation by distance: constant, linear, quadratic.
        attenuation: [f32; 3] = [0.0; 3],
        /// Half the opening angle of a spot light, in degrees.
        cutoff: f32 = 0.0,
        /// How a spot light fades towards its edge.
        exponent: f32 = 0.0,
        /// Ambient colour.
        ambient: [f32; 3] = [0.0; 3],
        /// Diffuse colour.
        diffuse: [f32; 3] = [0.0; 3],
        /// Specular colour.
        specular: [f32; 3] = [0.0; 3],
        /// Whether it moves with the camera.
        headlight: u8 = 0,
        /// Whether it casts shadows.
        castshadow: u8 = 0,
        /// Fills the memory up to a whole number.
        _padding: [u8; 2] = [0; 2],
        /// Radius of the bulb.
        bulbradius: f32 = 0.0,
        /// Intensity in candela.
        intensity: f32 = 0.0,
        /// Distance at which it has an effect.
        range: f32 = 0.0,
    }

    /// A camera as the renderer needs it: pose and frustum.
    #[doc(alias = "mjvGLCamera")]
    pub struct GlCamera {
        /// Position.
        pos: [f32; 3] = [0.0; 3],
        /// Direction of view.
        forward: [f32; 3] = [0.0; 3],
        /// Direction that is up in the picture.
        up: [f32; 3] = [0.0; 3],
        /// Horizontal middle of the frustum at its near plane.
        frustum_center: f32 = 0.0,
        /// Half the width there; 0: given by the shape of the picture.
        frustum_width: f32 = 0.0,
        /// Lower edge there.
        frustum_bottom: f32 = 0.0,
        /// Upper edge there.
        frustum_top: f32 = 0.0,
        /// Distance of the near plane.
        frustum_near: f32 = 0.0,
        /// Distance of the far plane.
        frustum_far: f32 = 0.0,
        /// Whether rays are parallel.
        orthographic: i32 = 0,
    }

    /// A camera as users place it.
    #[doc(alias = "mjvCamera")]
    pub struct Camera {
        /// A [`CameraType`].
        kind: i32 = CameraType::Free as i32,
        /// Camera of the model, for fixed ones.
        fixedcamid: i32 = -1,
        /// Body that is followed, for tracking ones.
        trackbodyid: i32 = -1,
        /// Fills the memory up to a whole number.
        _padding: i32 = 0,
        /// Point that is looked at.
        lookat: Vec3 = Vec3::ZERO,
        /// Distance to it.
        distance: f64 = 2.0,
        /// Angle about the vertical, in degrees.
        azimuth: f64 = 90.0,
        /// Angle above the horizontal, in degrees.
        elevation: f64 = -45.0,
        /// Whether rays are parallel.
        orthographic: i32 = 0,
        /// Fills the memory up to a whole number.
        _padding2: i32 = 0,
    }

    /// What to draw.
    #[doc(alias = "mjvOption")]
    pub struct VisOption {
        /// Which objects have a [`Label`](super::Label).
        label: i32 = 0,
        /// Which [`Frame`](super::Frame)s are drawn.
        frame: i32 = 0,
        /// Groups of geoms that are drawn.
        geomgroup: [u8; GROUPS] = SHOWN,
        /// Groups of sites that are drawn.
        sitegroup: [u8; GROUPS] = SHOWN,
        /// Groups of joints that are drawn.
        jointgroup: [u8; GROUPS] = SHOWN,
        /// Groups of tendons that are drawn.
        tendongroup: [u8; GROUPS] = SHOWN,
        /// Groups of actuators that are drawn.
        actuatorgroup: [u8; GROUPS] = SHOWN,
        /// Groups of flexes that are drawn.
        flexgroup: [u8; GROUPS] = SHOWN,
        /// Groups of skins that are drawn.
        skingroup: [u8; GROUPS] = SHOWN,
        /// By [`VisFlag`].
        flags: [u8; VIS_FLAGS] = shown_elements(),
        /// Fills the memory up to a whole number.
        _padding: [u8; 3] = [0; 3],
        /// Depth at which bounding volumes are drawn.
        bvh_depth: i32 = 1,
        /// Layer of flex elements that is drawn.
        flex_layer: i32 = 0,
    }

    /// A selected body and how the user drags it.
    #[doc(alias = "mjvPerturb")]
    pub struct Perturb {
        /// Selected body; 0 or less: none.
        select: i32 = 0,
        /// Selected flex; negative: none.
        flexselect: i32 = -1,
        /// Selected skin; negative: none.
        skinselect: i32 = -1,
        /// Bits of [`PerturbBit`](super::PerturbBit).
        active: i32 = 0,
        /// Bits of a second perturbation.
        active2: i32 = 0,
        /// Fills the memory up to a whole number.
        _padding: i32 = 0,
        /// Where the body should be.
        refpos: Vec3 = Vec3::ZERO,
        /// How it should be turned.
        refquat: Quat = Quat::IDENTITY,
        /// Where the selected point should be.
        refselpos: Vec3 = Vec3::ZERO,
        /// The selected point in the frame of the body.
        localpos: Vec3 = Vec3::ZERO,
        /// Inertia of the body at that point.
        localmass: f64 = 0.0,
        /// Distance in space per distance of the mouse.
        scale: f64 = 1.0,
    }
}

/// Groups that are drawn unless the user chooses.
const SHOWN: [u8; GROUPS] = [1, 1, 1, 0, 0, 0];

/// What is drawn unless the user chooses.
const fn shown_elements() -> [u8; VIS_FLAGS] {
    use VisFlag::*;
    let mut flags = [0; VIS_FLAGS];
    let shown = [Texture, Tendon, Rangefinder, PerturbObject, Static, Skin, FlexEdge, FlexSkin];
    let mut i = 0;
    while i < shown.len() {
        flags[shown[i] as usize] = 1;
        i += 1;
    }
    flags
}

/// Effects that are on unless the user chooses.
pub(super) const fn shown_effects() -> [u8; RENDER_FLAGS] {
    use RenderFlag::*;
    let mut flags = [0; RENDER_FLAGS];
    let shown = [Shadow, Reflection, Skybox, Haze, CullFace];
    let mut i = 0;
    while i < shown.len() {
        flags[shown[i] as usize] = 1;
        i += 1;
    }
    flags
}

/// A vector in single precision.
pub(super) fn single(v: Vec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

/// A vector in double precision.
pub(super) fn double(v: [f32; 3]) -> Vec3 {
    let [x, y, z] = v.map(f64::from);
    Vec3::new(x, y, z)
}

impl Geom {
    /// A shape of the given size and pose; sizes of round shapes are spread over three axes.
    #[doc(alias = "mjv_initGeom")]
    pub fn init(&mut self, kind: i32, size: Option<Vec3>, pos: Vec3, mat: &Mat3) {
        let &mut Geom { objtype, objid, category, segid, .. } = self;
        let size = size.map_or([0.1; 3], |size| {
            let [a, b, c] = single(size);
            match GeomType::from_i32(kind) {
                Some(GeomType::Sphere) => [a; 3],
                Some(GeomType::Capsule | GeomType::Cylinder) => [a, a, b],
                _ => [a, b, c],
            }
        });
        let (pos, mat) = (single(pos), mat.0.map(|x| x as f32));
        *self = Geom { kind, objtype, objid, category, segid, size, pos, mat, ..Geom::default() };
    }

    /// Makes a connector (capsule, cylinder, arrow or line) between two points.
    #[doc(alias = "mjv_connector")]
    pub fn connect(&mut self, kind: GeomType, width: f64, from: Vec3, to: Vec3) {
        let reach = to - from;
        let centred = matches!(kind, GeomType::Capsule | GeomType::Cylinder);
        let length = reach.norm() as f32;
        self.kind = kind as i32;
        self.size = [width as f32, width as f32, if centred { 0.5 * length } else { length }];
        self.pos = single(if centred { (from + to) * 0.5 } else { from });
        self.mat = Quat::from_z_to(reach).to_mat().0.map(|x| x as f32);
    }

    /// The text of the label.
    pub fn text(&self) -> &str {
        let end = self.label.iter().position(|&c| c == 0).unwrap_or(self.label.len());
        std::str::from_utf8(&self.label[..end]).unwrap_or_default()
    }

    /// Sets the text of the label, cut to the room there is.
    pub fn set_text(&mut self, text: &str) {
        self.label = [0; 100];
        let room = &mut self.label[..99];
        let n = text.len().min(room.len());
        room[..n].copy_from_slice(&text.as_bytes()[..n]);
    }

    /// Radius of a sphere around it.
    pub fn rbound(&self) -> f32 {
        if self.objtype == crate::model::ObjType::Geom as i32 {
            return self.modelrbound;
        }
        let [a, b, c] = self.size;
        match GeomType::from_i32(self.kind) {
            Some(GeomType::Sphere) => a,
            Some(GeomType::Capsule) => a + c,
            Some(GeomType::Cylinder) => (a * a + c * c).sqrt(),
            Some(GeomType::Box) => (a * a + b * b + c * c).sqrt(),
            _ => a.max(b).max(c),
        }
    }
}

impl Camera {
    /// The camera that a view of `model` starts with.
    #[doc(alias = "mjv_defaultFreeCamera")]
    pub fn free(model: &Model) -> Camera {
        let global = &model.vis.global;
        Camera {
            lookat: model.stat.center,
            distance: 1.5 * model.stat.extent,
            azimuth: f64::from(global.azimuth),
            elevation: f64::from(global.elevation),
            orthographic: global.orthographic,
            ..Camera::default()
        }
    }

    /// A camera of the model.
    pub fn fixed(cam: usize) -> Camera {
        Camera { kind: CameraType::Fixed as i32, fixedcamid: cam as i32, ..Camera::default() }
    }
}

impl VisOption {
    /// Whether `flag` is on.
    #[inline]
    pub fn shows(&self, flag: VisFlag) -> bool {
        self.flags[flag as usize] != 0
    }
}

/// Whether elements of `group` are drawn.
pub(super) fn in_group(groups: &[u8; GROUPS], group: i32) -> bool {
    groups[group.clamp(0, GROUPS as i32 - 1) as usize] != 0
}
