use std::fmt;

use crate::forward::{step1, step2};
use crate::math::{MINVAL, norm, scale};
use crate::model::{BiasType, GainType, LengthRangeMode, TrnType};
use crate::smooth::solve_m;
use crate::{Data, Model};

/// The most steps that one search may take in each direction.
const MAX_STEPS: f64 = 1e6;

/// How the length ranges of actuators are found.
#[doc(alias = "mjLROpt")]
#[derive(Debug, Clone, PartialEq)]
pub struct LengthRange {
    /// Which actuators to process.
    pub mode: LengthRangeMode,
    /// Whether ranges that are given are kept.
    pub useexisting: bool,
    /// Whether joint and tendon limits are used where defined.
    pub uselimit: bool,
    /// Target acceleration.
    pub accel: f64,
    /// Largest force; 0 for no limit.
    pub maxforce: f64,
    /// Time constant for velocity reduction.
    pub timeconst: f64,
    /// Time step of the simulation; 0 for that of the model.
    pub timestep: f64,
    /// Total simulated time.
    pub inttotal: f64,
    /// Evaluation interval at the end.
    pub interval: f64,
    /// Convergence tolerance relative to the range.
    pub tolrange: f64,
}

impl Default for LengthRange {
    fn default() -> LengthRange {
        LengthRange {
            mode: LengthRangeMode::Muscle,
            useexisting: true,
            uselimit: false,
            accel: 20.0,
            maxforce: 0.0,
            timeconst: 1.0,
            timestep: 0.01,
            inttotal: 10.0,
            interval: 2.0,
            tolrange: 0.05,
        }
    }
}

/// Why the length range of an actuator was not found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LengthRangeError {
    /// The simulation diverged.
    Unstable,
    /// The shortest length is not below the longest.
    Empty([f64; 2]),
    /// The length still moved between `seen` at the end, with the range as `range`.
    Unsettled {
        /// Shortest and longest length of the last interval.
        seen: [f64; 2],
        /// Range that would come out.
        range: [f64; 2],
    },
    /// The total time is more than a million time steps.
    TooLong,
}

impl fmt::Display for LengthRangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LengthRangeError::Unstable => f.write_str("the simulation is unstable"),
            LengthRangeError::Empty([low, high]) => {
                write!(f, "it comes out empty, from {low} to {high}")
            }
            LengthRangeError::Unsettled { seen: [shortest, longest], range: [low, high] } => {
                write!(
                    f,
                    "the simulation did not settle: the length still moved between {shortest} and \
                 {longest} in a range from {low} to {high}"
                )
            }
            LengthRangeError::TooLong => f.write_str("the simulation has too many steps"),
        }
    }
}

impl std::error::Error for LengthRangeError {}

impl LengthRange {
    /// Whether the range of `actuator` is to be found, rather than left as it is.
    pub fn concerns(&self, model: &Model, actuator: usize) -> bool {
        let gain = GainType::from_i32(model.actuator_gaintype[actuator]);
        let bias = BiasType::from_i32(model.actuator_biastype[actuator]);
        let muscle = gain == Some(GainType::Muscle) || bias == Some(BiasType::Muscle);
        let user = gain == Some(GainType::User) || bias == Some(BiasType::User);
        let wanted = match self.mode {
            LengthRangeMode::None => false,
            LengthRangeMode::Muscle => muscle,
            LengthRangeMode::MuscleUser => muscle || user,
            LengthRangeMode::All => true,
        };
        let [low, high] = model.actuator_lengthrange[actuator];
        wanted && !(self.useexisting && low < high)
    }

    /// Finds the range of `actuator`: from the limits of its joint or tendon, or else by pulling
    /// it in and out until nothing moves any more. The simulation uses the options of the model;
    /// the data is left where it ends.
    ///
    /// # Errors
    /// Fails if the simulation gives no range.
    #[doc(alias = "mj_setLengthRange")]
    pub fn find(
        &self,
        model: &Model,
        data: &mut Data,
        actuator: usize,
    ) -> Result<[f64; 2], LengthRangeError> {
        if let Some(range) = self.limits(model, actuator) {
            return Ok(range);
        }
        if self.inttotal / model.opt.timestep > MAX_STEPS {
            return Err(LengthRangeError::TooLong);
        }
        let shortening = self.pull(model, data, actuator, -1.0)?;
        let lengthening = self.pull(model, data, actuator, 1.0)?;
        let range = [shortening[0], lengthening[1]];

        let width = range[1] - range[0];
        if width <= 0.0 {
            return Err(LengthRangeError::Empty(range));
        }
        for seen in [shortening, lengthening] {
            if seen[1] - seen[0] > self.tolrange * width {
                return Err(LengthRangeError::Unsettled { seen, range });
            }
        }
        Ok(range)
    }

    /// The range of the limited joint or tendon that the actuator works on, if that is wanted.
    fn limits(&self, model: &Model, actuator: usize) -> Option<[f64; 2]> {
        if !self.uselimit {
            return None;
        }
        let (limited, ranges) = match TrnType::from_i32(model.actuator_trntype[actuator])? {
            TrnType::Joint | TrnType::JointInParent => (&model.jnt_limited, &model.jnt_range),
            TrnType::Tendon => (&model.tendon_limited, &model.tendon_range),
            _ => return None,
        };
        // the reference takes the number at this place of the table for the target, although
        // every actuator has two there; where that is no target, take the right one
        let found = usize::try_from(model.actuator_trnid[actuator / 2][actuator % 2]).ok();
        let own = usize::try_from(model.actuator_trnid[actuator][0]).ok();
        let target = found.filter(|&target| target < limited.len()).or(own)?;
        (*limited.get(target)? != 0).then(|| ranges[target])
    }

    /// Pulls at the actuator from the reference configuration, against its length if `sign` is
    /// negative; the shortest and the longest length in the last interval.
    fn pull(
        &self,
        model: &Model,
        data: &mut Data,
        actuator: usize,
        sign: f64,
    ) -> Result<[f64; 2], LengthRangeError> {
        data.reset(model);
        let mut seen: Option<[f64; 2]> = None;
        while data.time < self.inttotal {
            let before = data.time;
            let length = self.advance(model, data, actuator, sign);
            // a reset, or a time that no longer grows
            if data.time == 0.0 || data.time == before {
                return Err(LengthRangeError::Unstable);
            }
            if data.time > self.inttotal - self.interval {
                let [low, high] = seen.unwrap_or([length; 2]);
                seen = Some([
                    if length < low { length } else { low },
                    if length > high { length } else { high },
                ]);
            }
        }
        Ok(seen.unwrap_or_default())
    }

    /// One step under a force along the moment of the actuator that gives the wanted acceleration,
    /// with velocities fading away; the length of the actuator before the step.
    fn advance(&self, model: &Model, data: &mut Data, actuator: usize, sign: f64) -> f64 {
        let fading = libm::exp(-model.opt.timestep / self.timeconst.max(0.01));
        data.qvel.iter_mut().for_each(|x| *x *= fading);
        step1(model, data);

        let mut acceleration = std::mem::take(&mut data.work.dof);
        acceleration.fill(0.0);
        let start = data.moment_rowadr[actuator] as usize;
        for at in start..start + data.moment_rownnz[actuator] as usize {
            acceleration[data.moment_colind[at] as usize] = data.actuator_moment[at];
        }
        data.qfrc_applied.copy_from_slice(&acceleration);
        solve_m(model, data, &mut acceleration);
        let gain = sign * self.accel / norm(&acceleration).max(MINVAL);
        data.work.dof = acceleration;
        scale(&mut data.qfrc_applied, gain);

        let force = norm(&data.qfrc_applied);
        if self.maxforce > 0.0 && force > self.maxforce {
            scale(&mut data.qfrc_applied, self.maxforce / force.max(MINVAL));
        }
        step2(model, data);
        data.actuator_length[actuator]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sentences() {
        let empty = LengthRangeError::Empty([0.5, 0.25]).to_string();
        assert_eq!(empty, "it comes out empty, from 0.5 to 0.25");
        let unsettled = LengthRangeError::Unsettled { seen: [0.0, 0.1], range: [0.0, 1.0] };
        assert!(unsettled.to_string().ends_with("in a range from 0 to 1"));
    }
}
