//! Recordings: a page of one file with everything inside, which opens from disk.
//!
//! Poses are numbers of fixed step, predicted from the two frames before, and what is left is sorted
//! by bytes: smooth motion is mostly zeros, which compress well.

use sim_core::scene::{Perturb, VisOption};
use sim_core::{Data, Model};

use crate::assets::scene_message;
use crate::frame::{Composer, Extras};
use crate::page;
use crate::websocket::base64;
use crate::wire::Message;

/// Step of positions, as a part of the extent of the model.
const POSITION_STEP: f64 = 2e-5;
/// Step of quaternions and directions.
const DIRECTION_STEP: f64 = 1.0 / 4096.0;
/// Level of compression.
const LEVEL: u8 = 9;

/// Frames of a simulation.
pub struct Recording {
    title: String,
    step: f64,
    composer: Composer,
    opt: VisOption,
    scene: Vec<u8>,
    table: Vec<u8>,
    times: Vec<f64>,
    /// Numbers of a frame one after the other, frame by frame.
    numbers: Vec<i32>,
    width: usize,
    /// Frames as they are sent, for models that have more than moving bodies.
    frames: Vec<Vec<u8>>,
}

impl Recording {
    /// A recording without frames.
    pub fn new(model: &Model, title: &str) -> Recording {
        Recording {
            title: title.to_owned(),
            step: POSITION_STEP * model.stat.extent.max(1e-6),
            composer: Composer::new(model),
            opt: VisOption::default(),
            scene: scene_message(model, title, 1),
            table: Vec::new(),
            times: Vec::new(),
            numbers: Vec::new(),
            width: 0,
            frames: Vec::new(),
        }
    }

    /// Number of frames.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there are no frames.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// Chooses what is drawn, before the first frame.
    pub fn show(&mut self, opt: &VisOption) {
        self.opt = *opt;
    }

    /// Adds a frame. Runs after `forward`, or after a step.
    pub fn record(&mut self, model: &Model, data: &Data) {
        let extras = Extras::default();
        let frame = self.composer.compose(model, data, &self.opt, &Perturb::default(), &extras);
        if self.table.is_empty() {
            self.table = self.composer.table().1.to_vec();
        }
        if self.composer.decorated() || !self.frames.is_empty() {
            self.frames.push(frame);
        }
        self.times.push(data.time);
        let before = self.numbers.len();
        let (position, direction) = (1.0 / self.step, 1.0 / DIRECTION_STEP);
        let mut put = |values: &[f64], scale: f64| {
            self.numbers.extend(values.iter().map(|x| (x * scale).round() as i32));
        };
        for &body in self.composer.bodies() {
            put(&data.xpos[body as usize].to_array(), position);
            put(&data.xquat[body as usize].to_array(), direction);
        }
        for light in 0..model.nlight {
            put(&data.light_xpos[light].to_array(), position);
            put(&data.light_xdir[light].to_array(), direction);
        }
        for cam in 0..model.ncam {
            let mat = &data.cam_xmat[cam];
            put(&data.cam_xpos[cam].to_array(), position);
            put(&(-mat.column(2)).to_array(), direction);
            put(&mat.column(1).to_array(), direction);
        }
        self.width = self.numbers.len() - before;
    }

    /// What the page reads, compressed.
    fn data(&self) -> Vec<u8> {
        let mut data = Message::default();
        for part in [&self.scene, &self.table] {
            data.u32(part.len() as u32);
            data.bytes(part);
            data.pad();
        }
        data.f32(self.step as f32);
        data.f32(DIRECTION_STEP as f32);
        data.u32(self.times.len() as u32);
        data.u32(self.width as u32);
        self.times.iter().for_each(|&time| data.f32(time as f32));
        let residuals = predict(&self.numbers, self.width);
        for shift in [0, 8, 16, 24] {
            let plane: Vec<u8> = residuals.iter().map(|x| (x >> shift) as u8).collect();
            data.bytes(&plane);
        }
        data.pad();
        data.u32(self.frames.len() as u32);
        for frame in &self.frames {
            data.u32(frame.len() as u32);
            data.bytes(frame);
        }
        miniz_oxide::deflate::compress_to_vec_zlib(&data.finish(), LEVEL)
    }

    /// The page.
    pub fn page(&self) -> String {
        page::standalone(&self.title, &base64(&self.data()))
    }
}

/// Differences of each number from what the two frames before let expect, column by column, with the
/// sign in the lowest bit.
fn predict(numbers: &[i32], width: usize) -> Vec<u32> {
    let mut residuals = Vec::with_capacity(numbers.len());
    for column in 0..width {
        let (mut last, mut before) = (0i32, 0i32);
        for &x in numbers[column..].iter().step_by(width) {
            let expected = last.wrapping_mul(2).wrapping_sub(before);
            let residual = x.wrapping_sub(expected);
            residuals.push((residual << 1 ^ residual >> 31) as u32);
            (before, last) = (last, x);
        }
    }
    residuals
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::step;

    #[test]
    fn residuals_give_the_numbers_back() {
        let numbers = [5, -3, 7, -3, 9, 100, i32::MAX, i32::MIN, 0, 1];
        let residuals = predict(&numbers, 2);
        for column in 0..2 {
            let (mut last, mut before) = (0i32, 0i32);
            for frame in 0..5 {
                let code = residuals[5 * column + frame];
                let residual = (code >> 1) as i32 ^ -((code & 1) as i32);
                let x = last.wrapping_mul(2).wrapping_sub(before).wrapping_add(residual);
                assert_eq!(x, numbers[2 * frame + column]);
                (before, last) = (last, x);
            }
        }
    }

    #[test]
    fn a_recording_is_small_and_one_file() {
        let xml = "<mujoco><worldbody><light/><body pos='0 0 1'><freejoint/>\
                   <geom type='box' size='.1 .2 .3'/></body><geom type='plane' size='1 1 1'/>\
                   </worldbody></mujoco>";
        let model = sim_mjcf::load_str(xml).unwrap().model;
        let mut data = Data::new(&model);
        sim_core::forward(&model, &mut data);
        let mut recording = Recording::new(&model, "box");
        for _ in 0..600 {
            recording.record(&model, &data);
            step(&model, &mut data);
        }
        assert_eq!(recording.len(), 600);
        assert!(recording.data().len() < 20_000, "{}", recording.data().len());
        assert!(!recording.page().contains("src="));
    }
}
