use super::rename::Copied;
use super::{Attributes, Attrs, Info};

/// A keyframe. Arrays that were not given are empty.
#[doc(alias = "mjsKey")]
#[derive(Debug, Clone, Default)]
pub struct Key {
    /// Name, place and relations.
    pub info: Info,
    /// Time.
    pub time: f64,
    /// Positions.
    pub qpos: Vec<f64>,
    /// Velocities.
    pub qvel: Vec<f64>,
    /// Activations.
    pub act: Vec<f64>,
    /// Positions of mocap bodies.
    pub mpos: Vec<f64>,
    /// Orientations of mocap bodies.
    pub mquat: Vec<f64>,
    /// Controls.
    pub ctrl: Vec<f64>,
}

impl Attributes for Key {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.name);
        a.numbers("time", &mut self.time);
        a.list("qpos", &mut self.qpos);
        a.list("qvel", &mut self.qvel);
        a.list("act", &mut self.act);
        a.list("mpos", &mut self.mpos);
        a.list("mquat", &mut self.mquat);
        a.list("ctrl", &mut self.ctrl);
    }
}

impl Copied for Key {}
