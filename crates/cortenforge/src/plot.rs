//! Trajectories as a drawing: positions, velocities and energies over time, in SVG.

use std::fmt::Write;

use crate::trajectory::{Series, Trajectory};

// sizes in pixels
const LEFT: f64 = 76.0;
const TOP: f64 = 58.0;
const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 250.0;
const GAP: f64 = 46.0;
const BOTTOM: f64 = 52.0;
const LEGEND: f64 = 24.0;
const LEGEND_LINE: f64 = 15.0;
const LEGEND_ROWS: usize = 16;
const LEGEND_COLUMNS: usize = 3;

/// Line colours, chosen to stay apart for colour-blind eyes too; then again with dashes.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f3c8d", "#555555"];
const DASHES: [&str; 6] = ["", "6 3", "2 2", "8 3 2 3", "12 3", "1 3"];

/// One line of a panel.
struct Curve<'a> {
    name: &'a str,
    values: Vec<f64>,
}

/// Draws a trajectory.
pub(crate) fn svg(title: &str, trajectory: &Trajectory) -> String {
    let (qpos, qvel) = (curves(&trajectory.qpos), curves(&trajectory.qvel));
    let mut energy = curves(&trajectory.energy);
    let total = trajectory.energy.values.chunks_exact(2).map(|pair| pair[0] + pair[1]).collect();
    energy.push(Curve { name: "total", values: total });
    let panels =
        [("positions (m, rad)", qpos), ("velocities (m/s, rad/s)", qvel), ("energy (J)", energy)];
    let panels: Vec<_> = panels.iter().filter(|(_, curves)| !curves.is_empty()).collect();

    let legend = panels.iter().map(|(_, curves)| legend_width(curves)).fold(0.0, f64::max);
    let width = LEFT + WIDTH + LEGEND + legend + 16.0;
    let height = TOP + panels.len() as f64 * (HEIGHT + GAP) - GAP + BOTTOM;
    let x = Axis::new(trajectory.time.iter().copied(), LEFT, LEFT + WIDTH, false);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"Helvetica, Arial, sans-serif\" \
         font-size=\"12\" fill=\"#333\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    text(&mut svg, LEFT, 26.0, "font-size=\"17\" font-weight=\"bold\"", title);
    for (i, (name, curves)) in panels.iter().enumerate() {
        let top = TOP + i as f64 * (HEIGHT + GAP);
        let values = curves.iter().flat_map(|curve| curve.values.iter().copied());
        let y = Axis::new(values, top + HEIGHT, top, true);
        text(&mut svg, LEFT, top - 9.0, "font-weight=\"bold\"", name);
        draw_grid(&mut svg, &x, &y, top, i + 1 == panels.len());
        draw_curves(&mut svg, curves, &trajectory.time, &x, &y);
        draw_legend(&mut svg, curves, top);
    }
    text(&mut svg, LEFT + WIDTH / 2.0, height - 12.0, "text-anchor=\"middle\"", "time (s)");
    svg.push_str("</svg>\n");
    svg
}

fn curves(series: &Series) -> Vec<Curve<'_>> {
    let width = series.columns.len();
    let column = |i: usize| series.values.iter().skip(i).step_by(width).copied().collect();
    let columns = series.columns.iter().enumerate();
    columns.map(|(i, name)| Curve { name, values: column(i) }).collect()
}

/// A range of numbers laid out between two pixels, with ticks at round numbers.
struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    ticks: Vec<f64>,
    decimals: usize,
}

impl Axis {
    /// An axis over the finite values; `rounded` widens it to whole ticks.
    fn new(values: impl Iterator<Item = f64>, start: f64, end: f64, rounded: bool) -> Axis {
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

    fn pixel(&self, value: f64) -> f64 {
        let fraction = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        self.start + fraction * (self.end - self.start)
    }

    fn label(&self, tick: f64) -> String {
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

fn draw_grid(svg: &mut String, x: &Axis, y: &Axis, top: f64, time_labels: bool) {
    let (right, bottom) = (LEFT + WIDTH, top + HEIGHT);
    for &tick in &x.ticks {
        let at = x.pixel(tick);
        line(svg, at, top, at, bottom, "#e6e6e6");
        line(svg, at, bottom, at, bottom + 5.0, "#333");
        if time_labels {
            text(svg, at, bottom + 19.0, "text-anchor=\"middle\"", &x.label(tick));
        }
    }
    for &tick in &y.ticks {
        let at = y.pixel(tick);
        line(svg, LEFT, at, right, at, if tick == 0.0 { "#b0b0b0" } else { "#e6e6e6" });
        line(svg, LEFT - 5.0, at, LEFT, at, "#333");
        text(svg, LEFT - 9.0, at + 4.0, "text-anchor=\"end\"", &y.label(tick));
    }
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" \
         stroke=\"#333\"/>"
    );
}

fn draw_curves(svg: &mut String, curves: &[Curve<'_>], time: &[f64], x: &Axis, y: &Axis) {
    let _ = writeln!(svg, "<g fill=\"none\" stroke-width=\"1.4\" stroke-linejoin=\"round\">");
    for (i, curve) in curves.iter().enumerate() {
        let path = path(time, &curve.values, x, y);
        if !path.is_empty() {
            let _ = writeln!(svg, "<path {} d=\"{path}\"/>", stroke(i));
        }
    }
    svg.push_str("</g>\n");
}

/// The path of a curve. Of many samples in one column of pixels, only the extremes are drawn; the
/// line is broken where a value is not finite and where time goes back.
fn path(time: &[f64], values: &[f64], x: &Axis, y: &Axis) -> String {
    let mut path = String::new();
    let mut draw = |run: &[(f64, f64)]| {
        for (i, (px, py)) in run.iter().enumerate() {
            let _ = write!(path, "{}{px:.1} {py:.1}", if i == 0 { 'M' } else { 'L' });
        }
    };
    let mut run: Vec<(f64, f64)> = Vec::new();
    let mut last_time = f64::NEG_INFINITY;
    for (&t, &value) in time.iter().zip(values) {
        if !value.is_finite() || !t.is_finite() || t < last_time {
            draw(&straighten(&thin(&run)));
            run.clear();
        }
        if value.is_finite() && t.is_finite() {
            run.push((x.pixel(t), y.pixel(value)));
        }
        last_time = t;
    }
    draw(&straighten(&thin(&run)));
    path
}

/// Keeps the first, lowest, highest and last point of each half-pixel column.
fn thin(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let column = |point: &(f64, f64)| (2.0 * point.0).floor();
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for group in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_height = |&a: &usize, &b: &usize| group[a].1.total_cmp(&group[b].1);
        let low = (0..group.len()).min_by(by_height).unwrap_or(0);
        let high = (0..group.len()).max_by(by_height).unwrap_or(0);
        let mut picks = [0, low, high, group.len() - 1];
        picks.sort_unstable();
        let mut previous = None;
        for pick in picks {
            if previous != Some(pick) {
                kept.push(group[pick]);
            }
            previous = Some(pick);
        }
    }
    kept
}

/// Leaves out points that lie on the line between their neighbours, to a tenth of a pixel (Ramer,
/// Douglas and Peucker).
fn straighten(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    const TOLERANCE: f64 = 0.1;
    let mut keep = vec![false; points.len()];
    let mut spans = Vec::new();
    if let Some(last) = points.len().checked_sub(1) {
        (keep[0], keep[last]) = (true, true);
        spans.push((0, last));
    }
    while let Some((first, last)) = spans.pop() {
        let ((x0, y0), (x1, y1)) = (points[first], points[last]);
        // time goes on along the span, so heights above the chord tell the distance
        let height = |i: usize| {
            let (x, y) = points[i];
            let chord = if x1 > x0 { y0 + (y1 - y0) * (x - x0) / (x1 - x0) } else { y0 };
            (y - chord).abs()
        };
        let farthest =
            (first + 1..last).max_by(|&a, &b| height(a).total_cmp(&height(b))).unwrap_or(first);
        if farthest > first && height(farthest) > TOLERANCE {
            keep[farthest] = true;
            spans.extend([(first, farthest), (farthest, last)]);
        }
    }
    points.iter().zip(keep).filter(|(_, keep)| *keep).map(|(&point, _)| point).collect()
}

/// Number of columns of a legend, and the number of curves that it names.
fn legend_layout(curves: &[Curve<'_>]) -> (usize, usize) {
    let columns = curves.len().div_ceil(LEGEND_ROWS).min(LEGEND_COLUMNS);
    (columns, curves.len().min(columns * LEGEND_ROWS))
}

/// Width of each column of a legend, estimated from its longest name.
fn legend_column_width(curves: &[Curve<'_>]) -> f64 {
    let longest = curves.iter().map(|curve| curve.name.chars().count()).max().unwrap_or(0);
    44.0 + 6.4 * longest.min(28) as f64
}

fn legend_width(curves: &[Curve<'_>]) -> f64 {
    legend_layout(curves).0 as f64 * legend_column_width(curves)
}

fn draw_legend(svg: &mut String, curves: &[Curve<'_>], top: f64) {
    let (_, shown) = legend_layout(curves);
    let width = legend_column_width(curves);
    for (i, curve) in curves.iter().take(shown).enumerate() {
        let x = LEFT + WIDTH + LEGEND + (i / LEGEND_ROWS) as f64 * width;
        let y = top + 8.0 + (i % LEGEND_ROWS) as f64 * LEGEND_LINE;
        // the last place tells how many have none
        if i + 1 == shown && curves.len() > shown {
            let more = format!("and {} more", curves.len() - shown + 1);
            text(svg, x, y + 4.0, "font-style=\"italic\"", &more);
            break;
        }
        let _ = writeln!(
            svg,
            "<path {} stroke-width=\"2\" fill=\"none\" d=\"M{x:.1} {y:.1}h24\"/>",
            stroke(i)
        );
        let name: String = match curve.name.chars().count() {
            0..=28 => curve.name.into(),
            _ => curve.name.chars().take(27).chain(['…']).collect(),
        };
        text(svg, x + 30.0, y + 4.0, "font-size=\"11\"", &name);
    }
}

/// Colour and dashes of the `i`-th curve.
fn stroke(i: usize) -> String {
    let colour = COLOURS[i % COLOURS.len()];
    match DASHES[i / COLOURS.len() % DASHES.len()] {
        "" => format!("stroke=\"{colour}\""),
        dashes => format!("stroke=\"{colour}\" stroke-dasharray=\"{dashes}\""),
    }
}

fn line(svg: &mut String, x1: f64, y1: f64, x2: f64, y2: f64, colour: &str) {
    let _ = writeln!(svg, "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"{colour}\"/>");
}

fn text(svg: &mut String, x: f64, y: f64, style: &str, content: &str) {
    let content: String = content.chars().filter(|c| !c.is_control()).collect();
    let content = content.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{content}</text>");
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

    #[test]
    fn thinning_keeps_the_extremes() {
        let points: Vec<_> =
            (0..1000).map(|i| (10.0 + i as f64 * 1e-5, (i * 7 % 1000) as f64)).collect();
        let kept = thin(&points);
        assert!(kept.len() <= 4);
        let heights: Vec<f64> = kept.iter().map(|point| point.1).collect();
        assert!(heights.contains(&0.0) && heights.contains(&999.0));
        assert_eq!((kept.first(), kept.last()), (points.first(), points.last()));
    }

    #[test]
    fn straight_lines_need_two_points() {
        let line: Vec<_> = (0..100).map(|i| (f64::from(i), 2.0 * f64::from(i))).collect();
        assert_eq!(straighten(&line), [(0.0, 0.0), (99.0, 198.0)]);
        let corner = [(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 1.0), (4.0, 0.0)];
        assert_eq!(straighten(&corner), [(0.0, 0.0), (2.0, 2.0), (4.0, 0.0)]);
        assert!(straighten(&[]).is_empty());
    }

    #[test]
    fn lines_break_at_missing_values() {
        let time = [0.0, 1.0, 2.0, 3.0, 4.0];
        let x = Axis::new(time.into_iter(), 0.0, 100.0, false);
        let path = path(&time, &[0.0, 1.0, f64::NAN, 1.0, 0.0], &x, &x);
        assert_eq!(path.matches('M').count(), 2);
    }

    #[test]
    fn names_are_escaped() {
        let mut svg = String::new();
        text(&mut svg, 0.0, 0.0, "", "a<b & c\u{1}");
        assert!(svg.contains("a&lt;b &amp; c<"), "{svg}");
    }
}
