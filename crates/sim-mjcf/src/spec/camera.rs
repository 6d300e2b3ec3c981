use sim_core::math::Vec3;
use sim_core::model::{CamLightMode, CamOut, Projection};

use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, Info, Orientation};

/// A camera.
#[doc(alias = "mjsCamera")]
#[derive(Debug, Clone)]
pub struct Camera {
    /// Name, place and relations.
    pub info: Info,
    /// Projection.
    pub projection: Projection,
    /// Vertical field of view: an angle in degrees, or a length if orthographic.
    pub fovy: f64,
    /// Distance between the pupils.
    pub ipd: f64,
    /// Width and height in pixels.
    pub resolution: [i32; 2],
    /// Kinds of picture, bits of [`CamOut`].
    pub output: i32,
    /// Position in the body or frame.
    pub pos: Vec3,
    /// Orientation in the body or frame.
    pub orientation: Orientation,
    /// How the camera follows bodies.
    pub mode: CamLightMode,
    /// Name of the target body; empty for none.
    pub target: String,
    /// Focal length; zero where not given.
    pub focal: [f32; 2],
    /// Focal length in pixels; zero where not given.
    pub focalpixel: [f32; 2],
    /// Principal point.
    pub principal: [f32; 2],
    /// Principal point in pixels.
    pub principalpixel: [f32; 2],
    /// Size of the sensor; zero where not given.
    pub sensorsize: [f32; 2],
    /// Focal length and principal point; the principal point counts if there is no sensor size.
    pub intrinsic: [f32; 4],
    /// User data.
    pub user: Vec<f64>,
}

const PROJECTIONS: &[(&str, Projection)] =
    &[("perspective", Projection::Perspective), ("orthographic", Projection::Orthographic)];

const OUTPUTS: &[(&str, i32)] = &[
    ("rgb", CamOut::Rgb as i32),
    ("depth", CamOut::Depth as i32),
    ("distance", CamOut::Dist as i32),
    ("normal", CamOut::Normal as i32),
    ("segmentation", CamOut::Seg as i32),
];

/// Names of the ways to follow bodies.
pub(crate) const MODES: &[(&str, CamLightMode)] = &[
    ("fixed", CamLightMode::Fixed),
    ("track", CamLightMode::Track),
    ("trackcom", CamLightMode::TrackCom),
    ("targetbody", CamLightMode::TargetBody),
    ("targetbodycom", CamLightMode::TargetBodyCom),
];

impl Default for Camera {
    fn default() -> Camera {
        Camera {
            info: Info::default(),
            projection: Projection::Perspective,
            fovy: 45.0,
            ipd: 0.068,
            resolution: [1, 1],
            output: CamOut::Rgb as i32,
            pos: Vec3::ZERO,
            orientation: Orientation::default(),
            mode: CamLightMode::Fixed,
            target: String::new(),
            focal: [0.0; 2],
            focalpixel: [0.0; 2],
            principal: [0.0; 2],
            principalpixel: [0.0; 2],
            sensorsize: [0.0; 2],
            intrinsic: [0.0; 4],
            user: Vec::new(),
        }
    }
}

impl Attributes for Camera {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        a.keyword("projection", &mut self.projection, PROJECTIONS);
        let fovy = a.numbers("fovy", &mut self.fovy);
        a.numbers("ipd", &mut self.ipd);
        a.numbers("resolution", &mut self.resolution);
        a.keywords("output", &mut self.output, OUTPUTS);
        a.numbers("pos", &mut self.pos);
        a.orientation(&mut self.orientation);
        a.keyword("mode", &mut self.mode, MODES);
        if !a.in_defaults() {
            a.text("target", &mut self.target);
        }
        a.numbers("focal", &mut self.focal);
        a.numbers("focalpixel", &mut self.focalpixel);
        a.numbers("principal", &mut self.principal);
        a.numbers("principalpixel", &mut self.principalpixel);
        if a.numbers("sensorsize", &mut self.sensorsize) && fovy {
            a.fail("sensorsize", "'fovy' and 'sensorsize' cannot both be given");
        }
        a.list("user", &mut self.user);
    }
}

impl Copied for Camera {
    fn rename_targets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.target);
    }

    fn user(&self) -> &[f64] {
        &self.user
    }
}
