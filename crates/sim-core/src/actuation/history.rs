//! Ring buffers of past samples, for delayed controls and sensors.
//!
//! A buffer in `data.history` holds one number for its owner, the position of the newest sample,
//! the times of `n` samples and their values.

use crate::math::MINVAL;

/// How values between samples are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interpolation {
    Hold,
    Linear,
    Cubic,
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
