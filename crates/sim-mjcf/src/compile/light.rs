//! Lights.

use sim_core::math::Vec3;

use crate::error::Error;
use crate::pose::{Pose, unit};
use crate::spec::{self, Element};

/// A light, compiled.
#[derive(Debug)]
pub(super) struct Light<'a> {
    pub spec: &'a spec::Light,
    pub pos: Vec3,
    pub dir: Vec3,
}

impl<'a> Light<'a> {
    pub(super) fn new(light: &'a spec::Light, frame: Option<Pose>) -> Result<Self, Error> {
        let (pos, dir) = match frame {
            Some(frame) => {
                (frame.pos + frame.quat.to_mat() * light.pos, frame.quat.rotate(light.dir))
            }
            None => (light.pos, light.dir),
        };
        let (dir, _) = unit(dir).ok_or_else(|| {
            light.error("the direction of the light has no length").attribute("dir")
        })?;
        Ok(Light { spec: light, pos, dir })
    }

    /// Moves the light with `frame`.
    pub(super) fn moved_by(&mut self, frame: Pose) {
        self.pos = frame.pos + frame.quat.to_mat() * self.pos;
        self.dir = frame.quat.rotate(self.dir);
    }
}
