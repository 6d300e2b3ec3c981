//! Noise on controls: an Ornstein-Uhlenbeck process per actuator.

use sim_core::{Data, Model};

/// Noise that is added to the controls.
#[derive(Debug, Clone)]
pub(crate) struct Noise {
    pub(crate) deviation: f64,
    /// Time in which noise forgets what it was.
    pub(crate) time: f64,
    /// Noise of each actuator, and what was added to its control.
    now: Vec<f64>,
    state: u64,
}

impl Default for Noise {
    fn default() -> Noise {
        Noise { deviation: 0.0, time: 0.1, now: Vec::new(), state: 0x2545f4914f6cdd1d }
    }
}

impl Noise {
    /// Noise with its own numbers.
    pub(crate) fn seeded(seed: u64) -> Noise {
        let state = Noise::default().state ^ seed.wrapping_mul(0x9e3779b97f4a7c15);
        Noise { state: state | 1, ..Noise::default() }
    }

    pub(crate) fn set(&mut self, deviation: f64, time: f64) {
        (self.deviation, self.time) = (deviation, time);
    }

    pub(crate) fn clear(&mut self) {
        self.now.clear();
    }

    /// A number that is nearly normal: the sum of twelve uniform ones.
    fn normal(&mut self) -> f64 {
        let mut sum = -6.0;
        for _ in 0..12 {
            self.state ^= self.state << 13;
            self.state ^= self.state >> 7;
            self.state ^= self.state << 17;
            sum += (self.state >> 11) as f64 / (1u64 << 53) as f64;
        }
        sum
    }

    /// Replaces the noise in the controls by that of the next step.
    pub(crate) fn apply(&mut self, model: &Model, data: &mut Data) {
        if self.deviation == 0.0 && self.now.is_empty() {
            return;
        }
        self.now.resize(model.nu, 0.0);
        let rate = 1.0 - (model.opt.timestep / self.time.max(model.opt.timestep)).min(1.0);
        let scale = self.deviation * (1.0 - rate * rate).sqrt();
        for i in 0..model.nu {
            let [low, high] = match model.actuator_ctrllimited[i] {
                0 => [-1.0, 1.0],
                _ => model.actuator_ctrlrange[i],
            };
            let next = rate * self.now[i] + scale * 0.5 * (high - low) * self.normal();
            data.ctrl[i] += next - self.now[i];
            self.now[i] = next;
        }
        if self.deviation == 0.0 {
            self.now.clear();
        }
    }
}
