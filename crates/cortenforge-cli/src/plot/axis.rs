//! Ranges of numbers with ticks at round ones.

/// A range of numbers laid out between two pixels, with ticks at round numbers.
pub(super) struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    pub(super) ticks: Vec<f64>,
    decimals: usize,
}

impl Axis {
    /// An axis over the finite values; `rounded` widens it to whole ticks.
    pub(super) fn new(
        values: impl Iterator<Item = f64>,
        start: f64,
        end: f64,
        rounded: bool,
    ) -> Axis {
        let (mut low, mut high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        // a constant gets room around it
        let scale = low.abs().max(high.abs());
        if high - low <= 1e-9 * scale || high == low {
            let room = if scale > 0.0 { 0.1 * scale } else { 1.0 };
            (low, high) = (low - room, high + room);
        }
        // halves first: the difference itself may overflow
        let step = tick_step(2.0 * (high / 2.0 - low / 2.0).min(f64::MAX / 4.0), 6.0);
        if rounded {
            (low, high) = ((low / step).floor() * step, (high / step).ceil() * step);
        }
        let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
        let number = (last - first).clamp(0.0, 20.0) as usize;
        let ticks = (0..=number).map(|i| (first + i as f64) * step).collect();
        let decimals = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        Axis { low, high, start, end, ticks, decimals }
    }

    pub(super) fn pixel(&self, value: f64) -> f64 {
        let fraction = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        self.start + fraction * (self.end - self.start)
    }

    pub(super) fn label(&self, tick: f64) -> String {
        let scale = self.low.abs().max(self.high.abs());
        match tick {
            0.0 => "0".into(),
            _ if !(1e-3..1e6).contains(&scale) => format!("{tick:.2e}"),
            _ => format!("{tick:.*}", self.decimals).replace('-', "−"),
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides a span into about `number` parts.
fn tick_step(span: f64, number: f64) -> f64 {
    let raw = (span / number).max(f64::MIN_POSITIVE);
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0].into_iter().find(|step| step * power >= raw * 0.999);
    power * step.unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(tick_step(5.0, 5.0), 1.0);
        assert_eq!(tick_step(0.0123, 6.0), 0.005);
        assert_eq!(tick_step(700.0, 6.0), 200.0);
        let axis = Axis::new([0.0, 5.0].into_iter(), 0.0, 100.0, false);
        assert_eq!(axis.ticks, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
        assert_eq!(axis.pixel(2.5), 50.0);
    }

    #[test]
    fn axes_survive_constants_and_extremes() {
        for values in [vec![], vec![0.0], vec![3.0, 3.0], vec![f64::NAN], vec![-1e308, 1e308]] {
            let axis = Axis::new(values.iter().copied(), 0.0, 100.0, true);
            assert!(axis.ticks.len() <= 21, "{values:?}");
            for &value in values.iter().filter(|value| value.is_finite()) {
                assert!((-1.0..=101.0).contains(&axis.pixel(value)), "{values:?}");
            }
        }
    }
}
