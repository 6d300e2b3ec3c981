//! Ring buffers of past samples, for delayed controls and sensors.
//!
//! A buffer in `data.history` holds one number for its owner, the position of the newest sample,
//! the times of `n` samples and their values.

use std::fmt;

use crate::math::MINVAL;
use crate::{Data, Model};

/// How values between samples are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The older of the two samples.
    Hold,
    /// A straight line.
    Linear,
    /// A cubic Hermite spline.
    Cubic,
}

/// Why a history cannot be filled.
#[derive(Debug, Clone, PartialEq)]
pub enum HistoryError {
    /// The object keeps no history.
    NoHistory,
    /// The number of times or values is not that of the samples.
    Length,
    /// A sample is not later than the one before it.
    NotIncreasing {
        /// Number of the earlier sample, its time and that of the next.
        sample: usize,
        /// Its time.
        time: f64,
        /// The time of the next.
        next: f64,
    },
}

impl fmt::Display for HistoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            HistoryError::NoHistory => f.write_str("has no history buffer"),
            HistoryError::Length => f.write_str("there must be a time and a value for each sample"),
            HistoryError::NotIncreasing { sample, time, next } => write!(
                f,
                "times must be strictly increasing, got times[{sample}]={time} >= times[{}]={next}",
                sample + 1
            ),
        }
    }
}

impl std::error::Error for HistoryError {}

/// Reads the control that reaches an actuator at `time`: that of `delay` earlier, made from the
/// samples as `interpolation` says, or else as the model does.
#[doc(alias = "mj_readCtrl")]
pub fn read_ctrl(
    model: &Model,
    data: &Data,
    actuator: usize,
    time: f64,
    interpolation: Option<Interpolation>,
) -> f64 {
    let [samples, own] = model.actuator_history[actuator];
    if samples == 0 {
        return data.ctrl[actuator];
    }
    let address = model.actuator_historyadr[actuator] as usize;
    let buffer = HistoryBuffer::new(&data.history[address..], samples as usize, 1);
    let mut value = [0.0];
    let interpolation = interpolation.unwrap_or_else(|| Interpolation::from(own));
    buffer.read(time - model.actuator_delay[actuator], interpolation, &mut value);
    value[0]
}

/// Reads the values that a sensor shows at `time` to `result`: those of `delay` earlier, made from
/// the samples as `interpolation` says, or else as the model does.
#[doc(alias = "mj_readSensor")]
pub fn read_sensor(
    model: &Model,
    data: &Data,
    sensor: usize,
    time: f64,
    result: &mut [f64],
    interpolation: Option<Interpolation>,
) {
    let [samples, own] = model.sensor_history[sensor];
    if samples == 0 {
        return result.copy_from_slice(&data.sensordata[model.sensor_values(sensor)]);
    }
    let address = model.sensor_historyadr[sensor] as usize;
    let buffer = HistoryBuffer::new(&data.history[address..], samples as usize, result.len());
    let interpolation = interpolation.unwrap_or_else(|| Interpolation::from(own));
    buffer.read(time - model.sensor_delay[sensor], interpolation, result);
}

/// Fills the history of an actuator with `values` at `times`, or at the times that it has.
#[doc(alias = "mj_initCtrlHistory")]
pub fn init_ctrl_history(
    model: &Model,
    data: &mut Data,
    actuator: usize,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    let samples = model.actuator_history[actuator][0] as usize;
    let buffer = &mut data.history[model.actuator_historyadr[actuator].max(0) as usize..];
    fill(buffer, samples, 1, times, values)
}

/// Fills the history of a sensor with `values` at `times`, or at the times that it has. `phase` is
/// the time at which a sensor with an interval was last computed.
#[doc(alias = "mj_initSensorHistory")]
pub fn init_sensor_history(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    times: Option<&[f64]>,
    values: &[f64],
    phase: f64,
) -> Result<(), HistoryError> {
    let samples = model.sensor_history[sensor][0] as usize;
    let buffer = &mut data.history[model.sensor_historyadr[sensor].max(0) as usize..];
    fill(buffer, samples, model.sensor_dim[sensor] as usize, times, values)?;
    buffer[0] = phase;
    Ok(())
}

fn fill(
    buffer: &mut [f64],
    n: usize,
    dim: usize,
    times: Option<&[f64]>,
    values: &[f64],
) -> Result<(), HistoryError> {
    if n == 0 {
        return Err(HistoryError::NoHistory);
    }
    if times.is_some_and(|times| times.len() != n) || values.len() != n * dim {
        return Err(HistoryError::Length);
    }
    let given = times.unwrap_or(&buffer[2..2 + n]);
    if let Some(i) = (1..n).find(|&i| given[i] - given[i - 1] < MINVAL) {
        let (time, next) = (given[i - 1], given[i]);
        return Err(HistoryError::NotIncreasing { sample: i - 1, time, next });
    }
    if let Some(times) = times {
        buffer[2..2 + n].copy_from_slice(times);
    }
    buffer[1] = (n - 1) as f64;
    buffer[2 + n..2 + n + n * dim].copy_from_slice(values);
    Ok(())
}

impl From<i32> for Interpolation {
    fn from(number: i32) -> Interpolation {
        match number {
            0 => Interpolation::Hold,
            1 => Interpolation::Linear,
            _ => Interpolation::Cubic,
        }
    }
}

/// A view of one buffer: samples by age, the oldest first.
pub(crate) struct HistoryBuffer<'a> {
    cursor: usize,
    times: &'a [f64],
    values: &'a [f64],
    dim: usize,
}

impl<'a> HistoryBuffer<'a> {
    /// Views the buffer of `n` samples of `dim` numbers at the start of `buffer`.
    pub(crate) fn new(buffer: &'a [f64], n: usize, dim: usize) -> HistoryBuffer<'a> {
        let (times, rest) = buffer[2..].split_at(n);
        HistoryBuffer { cursor: buffer[1] as usize, times, values: &rest[..n * dim], dim }
    }

    fn slot(&self, age: usize) -> usize {
        (self.cursor + 1 + age) % self.times.len()
    }

    fn time(&self, age: usize) -> f64 {
        self.times[self.slot(age)]
    }

    fn value(&self, age: usize) -> &'a [f64] {
        let slot = self.slot(age);
        &self.values[slot * self.dim..(slot + 1) * self.dim]
    }

    /// The first sample that is not before `time`; the number of samples if there is none.
    fn find(&self, time: f64) -> usize {
        let (mut low, mut high) = (0, self.times.len());
        while low < high {
            let middle = (low + high) / 2;
            if self.time(middle) < time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Reads the value at `time`; before the first and after the last sample it is constant.
    pub(crate) fn read(&self, time: f64, interpolation: Interpolation, result: &mut [f64]) {
        let newest = self.times.len() - 1;
        if time <= self.time(0) + MINVAL {
            return result.copy_from_slice(self.value(0));
        }
        if time >= self.time(newest) - MINVAL {
            return result.copy_from_slice(self.value(newest));
        }
        let high = self.find(time);
        if (time - self.time(high)).abs() < MINVAL {
            return result.copy_from_slice(self.value(high));
        }
        let low = high - 1;
        let dt = self.time(high) - self.time(low);
        let share = (time - self.time(low)) / dt;
        let (start, end) = (self.value(low), self.value(high));
        match interpolation {
            Interpolation::Hold => result.copy_from_slice(start),
            Interpolation::Linear => {
                for i in 0..self.dim {
                    result[i] = start[i] + share * (end[i] - start[i]);
                }
            }
            Interpolation::Cubic => {
                // slopes by central differences, zero at both ends of the buffer
                let slope = |before: usize, after: usize, i: usize| {
                    (self.value(after)[i] - self.value(before)[i])
                        / (self.time(after) - self.time(before))
                };
                let (square, cube) = (share * share, share * share * share);
                for i in 0..self.dim {
                    let slope_start = if low > 0 { slope(low - 1, high, i) } else { 0.0 };
                    let slope_end = if high < newest { slope(low, high + 1, i) } else { 0.0 };
                    result[i] = (2.0 * cube - 3.0 * square + 1.0) * start[i]
                        + (cube - 2.0 * square + share) * dt * slope_start
                        + (3.0 * square - 2.0 * cube) * end[i]
                        + (cube - square) * dt * slope_end;
                }
            }
        }
    }

    /// Makes room for a sample at `time` in the buffer of `n` samples of `dim` numbers at the
    /// start of `buffer`, dropping the oldest; returns where its value belongs.
    pub(crate) fn insert(buffer: &mut [f64], n: usize, dim: usize, time: f64) -> &mut [f64] {
        let view = HistoryBuffer::new(buffer, n, dim);
        let at = view.find(time);
        let slot = |age: usize| view.slot(age);
        let exists = at < n && (time - view.time(at)).abs() < MINVAL;
        let target = if exists {
            slot(at)
        } else if at == 0 || at == n {
            // older than all replaces the oldest, and so does newer than all, as the newest
            slot(0)
        } else {
            slot(at - 1)
        };
        let newest = at == n && !exists;
        let cursor = view.cursor;

        if !exists {
            // a sample between others pushes the older ones down
            if at > 0 && at < n {
                for age in 0..at - 1 {
                    let (to, from) = ((cursor + 1 + age) % n, (cursor + 2 + age) % n);
                    buffer[2 + to] = buffer[2 + from];
                    let values = 2 + n;
                    buffer.copy_within(
                        values + from * dim..values + (from + 1) * dim,
                        values + to * dim,
                    );
                }
            }
            buffer[2 + target] = time;
            if newest {
                buffer[1] = target as f64;
            }
        }
        let start = 2 + n + target * dim;
        &mut buffer[start..start + dim]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Vec<f64> {
        let mut buffer = vec![0.0, 3.0, 0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 4.0, 9.0];
        HistoryBuffer::insert(&mut buffer, 4, 1, 4.0)[0] = 16.0;
        buffer
    }

    fn read(time: f64, interpolation: Interpolation) -> f64 {
        let mut value = [0.0];
        HistoryBuffer::new(&filled(), 4, 1).read(time, interpolation, &mut value);
        value[0]
    }

    #[test]
    fn a_new_sample_replaces_the_oldest() {
        assert_eq!(read(0.0, Interpolation::Hold), 1.0);
        assert_eq!(read(9.0, Interpolation::Hold), 16.0);
    }

    #[test]
    fn values_between_samples_follow_the_interpolation() {
        assert_eq!(read(2.5, Interpolation::Hold), 4.0);
        assert_eq!(read(2.5, Interpolation::Linear), 6.5);
        // a parabola is reproduced by cubic pieces away from the ends
        assert_eq!(read(2.5, Interpolation::Cubic), 6.25);
    }

    #[test]
    fn an_old_sample_finds_its_place() {
        let mut buffer = filled();
        HistoryBuffer::insert(&mut buffer, 4, 1, 2.5)[0] = 7.0;
        let view = HistoryBuffer::new(&buffer, 4, 1);
        let times: Vec<f64> = (0..4).map(|age| view.time(age)).collect();
        assert_eq!(times, [2.0, 2.5, 3.0, 4.0]);
        assert_eq!(view.value(1), [7.0]);
    }
}
