//! Trajectories as a drawing: one panel for each quantity and unit, over time.

mod axis;
mod canvas;
mod curve;
mod raster;
mod svg;

use axis::Axis;
use canvas::{Anchor, Canvas, Colour, FAINT, Fonts, GRID, INK, Stroke, Style, ZERO};

use crate::trajectory::{Quantity, Selection, Trajectory};

// sizes in pixels
const LEFT: f64 = 78.0;
const TOP: f64 = 66.0;
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 230.0;
const GAP: f64 = 44.0;
const BOTTOM: f64 = 54.0;
const LEGEND: f64 = 22.0;
const LEGEND_LINE: f64 = 16.0;
const LEGEND_KEY: f64 = 24.0;
const LEGEND_COLUMNS: usize = 3;
const MOST_LETTERS: usize = 28;

const LABEL: f64 = 12.0;
const SMALL: f64 = 11.0;

/// Line colours, chosen to stay apart for colour-blind eyes too; then again with dashes.
const COLOURS: [Colour; 8] = [
    [0x00, 0x72, 0xb2],
    [0xd5, 0x5e, 0x00],
    [0x00, 0x9e, 0x73],
    [0xcc, 0x79, 0xa7],
    [0xe6, 0x9f, 0x00],
    [0x56, 0xb4, 0xe9],
    [0x7f, 0x3c, 0x8d],
    [0x55, 0x55, 0x55],
];
const DASHES: [&[f64]; 6] =
    [&[], &[6.0, 3.0], &[2.0, 2.0], &[8.0, 3.0, 2.0, 3.0], &[12.0, 3.0], &[1.0, 3.0]];

/// Numbers in one unit over time.
struct Panel {
    title: String,
    curves: Vec<Curve>,
}

/// One line of a panel.
struct Curve {
    name: String,
    values: Vec<f64>,
}

/// Draws a trajectory as SVG.
pub(crate) fn svg(title: &str, trajectory: &Trajectory, selection: &[Selection]) -> Vec<u8> {
    let figure = Figure::new(title, trajectory, selection);
    let mut canvas = svg::Svg::new(figure.width, figure.height);
    figure.draw(&mut canvas);
    canvas.finish()
}

/// Draws a trajectory as PNG.
pub(crate) fn png(
    title: &str,
    trajectory: &Trajectory,
    selection: &[Selection],
) -> Result<Vec<u8>, png::EncodingError> {
    let figure = Figure::new(title, trajectory, selection);
    let mut canvas = raster::Raster::new(figure.width, figure.height, &figure.fonts);
    figure.draw(&mut canvas);
    canvas.finish()
}

/// The panels of what is asked for: columns of a quantity that share a unit share a panel.
fn panels(trajectory: &Trajectory, selection: &[Selection]) -> Vec<Panel> {
    let mut panels: Vec<Panel> = Vec::new();
    for selected in selection {
        let Some(series) = trajectory.get(selected.quantity) else { continue };
        let width = series.columns.len();
        let first = panels.len();
        for (i, column) in series.columns.iter().enumerate() {
            if !selected.takes(&column.name) {
                continue;
            }
            let title = match (selected.quantity, column.unit) {
                (quantity, "") => quantity.title().to_owned(),
                (Quantity::Qpos, unit @ "quaternion") => format!("orientations ({unit})"),
                (quantity, unit) => format!("{} ({unit})", quantity.title()),
            };
            let values = series.values.iter().skip(i).step_by(width).copied().collect();
            let curve = Curve { name: column.name.clone(), values };
            match panels.iter_mut().find(|panel| panel.title == title) {
                Some(panel) => panel.curves.push(curve),
                None => panels.push(Panel { title, curves: vec![curve] }),
            }
        }
        if let (Quantity::Energy, Some(panel)) = (selected.quantity, panels.get_mut(first))
            && selected.takes("total")
        {
            let values =
                series.values.chunks_exact(width).map(|parts| parts.iter().sum()).collect();
            panel.curves.push(Curve { name: "total".into(), values });
        }
    }
    panels
}

struct Figure<'a> {
    title: &'a str,
    time: &'a [f64],
    panels: Vec<Panel>,
    fonts: Fonts,
    width: f64,
    height: f64,
}

impl Figure<'_> {
    fn new<'a>(title: &'a str, trajectory: &'a Trajectory, selection: &[Selection]) -> Figure<'a> {
        let panels = panels(trajectory, selection);
        let fonts = Fonts::new();
        let legends = panels.iter().map(|panel| Legend::new(panel, &fonts).width());
        let width = LEFT + WIDTH + LEGEND + legends.fold(0.0, f64::max) + 16.0;
        let height = TOP + panels.len() as f64 * (HEIGHT + GAP) - GAP + BOTTOM;
        Figure {
            title,
            time: &trajectory.time,
            panels,
            fonts,
            width,
            height: height.max(TOP + BOTTOM),
        }
    }

    fn draw(&self, canvas: &mut dyn Canvas) {
        let x = Axis::new(self.time.iter().copied(), LEFT, LEFT + WIDTH, false);
        canvas.text((LEFT, 28.0), self.title, Style { bold: true, ..Style::plain(17.0) });
        for (i, panel) in self.panels.iter().enumerate() {
            let top = TOP + i as f64 * (HEIGHT + GAP);
            let values = panel.curves.iter().flat_map(|curve| curve.values.iter().copied());
            let y = Axis::new(values, top + HEIGHT, top, true);
            let style = Style { bold: true, ..Style::plain(LABEL) };
            canvas.text((LEFT, top - 10.0), &panel.title, style);
            draw_grid(canvas, &x, &y, top, i + 1 == self.panels.len());
            for (i, curve) in panel.curves.iter().enumerate() {
                for line in curve::lines(self.time, &curve.values, &x, &y) {
                    canvas.line(&line, stroke(i));
                }
            }
            Legend::new(panel, &self.fonts).draw(canvas, top);
        }
        let style = Style { anchor: Anchor::Middle, ..Style::plain(LABEL) };
        canvas.text((LEFT + WIDTH / 2.0, self.height - 14.0), "time (s)", style);
    }
}

/// Draws a frame with ticks; those of time have numbers if asked.
fn draw_grid(canvas: &mut dyn Canvas, x: &Axis, y: &Axis, top: f64, time_labels: bool) {
    let (right, bottom) = (LEFT + WIDTH, top + HEIGHT);
    let label = |anchor| Style { colour: FAINT, anchor, ..Style::plain(SMALL) };
    for &tick in &x.ticks {
        let at = x.pixel(tick);
        canvas.line(&[(at, top), (at, bottom)], Stroke::thin(GRID));
        canvas.line(&[(at, bottom), (at, bottom + 4.0)], Stroke::thin(INK));
        if time_labels {
            canvas.text((at, bottom + 18.0), &x.label(tick), label(Anchor::Middle));
        }
    }
    for &tick in &y.ticks {
        let at = y.pixel(tick);
        let colour = if tick == 0.0 { ZERO } else { GRID };
        canvas.line(&[(LEFT, at), (right, at)], Stroke::thin(colour));
        canvas.line(&[(LEFT - 4.0, at), (LEFT, at)], Stroke::thin(INK));
        canvas.text((LEFT - 8.0, at + 4.0), &y.label(tick), label(Anchor::End));
    }
    canvas.line(&[(LEFT, top), (LEFT, bottom)], Stroke::thin(INK));
    canvas.line(&[(LEFT, bottom), (right, bottom)], Stroke::thin(INK));
}

/// Colour and dashes of the `i`-th curve.
fn stroke(i: usize) -> Stroke {
    let dashes = DASHES[i / COLOURS.len() % DASHES.len()];
    Stroke { colour: COLOURS[i % COLOURS.len()], width: 1.6, dashes }
}

/// The names of the curves beside a panel, in columns.
struct Legend<'a> {
    names: Vec<String>,
    /// How many curves have no place.
    more: usize,
    rows: usize,
    fonts: &'a Fonts,
}

impl<'a> Legend<'a> {
    fn new(panel: &Panel, fonts: &'a Fonts) -> Legend<'a> {
        let rows = (HEIGHT / LEGEND_LINE) as usize;
        let places = rows * LEGEND_COLUMNS;
        // the last place tells how many have none
        let shown = if panel.curves.len() > places { places - 1 } else { panel.curves.len() };
        let names = panel.curves[..shown].iter().map(|curve| shortened(&curve.name)).collect();
        Legend { names, more: panel.curves.len() - shown, rows, fonts }
    }

    fn column_width(&self) -> f64 {
        let widths = self.names.iter().map(|name| self.fonts.width(name, Style::plain(SMALL)));
        LEGEND_KEY + 6.0 + widths.fold(0.0, f64::max) + 14.0
    }

    fn width(&self) -> f64 {
        self.names.len().div_ceil(self.rows) as f64 * self.column_width()
    }

    fn draw(&self, canvas: &mut dyn Canvas, top: f64) {
        let width = self.column_width();
        let place = |i: usize| {
            let x = LEFT + WIDTH + LEGEND + (i / self.rows) as f64 * width;
            (x, top + 8.0 + (i % self.rows) as f64 * LEGEND_LINE)
        };
        for (i, name) in self.names.iter().enumerate() {
            let (x, y) = place(i);
            canvas.line(&[(x, y), (x + LEGEND_KEY, y)], Stroke { width: 2.0, ..stroke(i) });
            canvas.text((x + LEGEND_KEY + 6.0, y + 4.0), name, Style::plain(SMALL));
        }
        if self.more > 0 {
            let (x, y) = place(self.names.len());
            let style = Style { colour: FAINT, ..Style::plain(SMALL) };
            canvas.text((x, y + 4.0), &format!("and {} more", self.more), style);
        }
    }
}

/// A name that is not too long for a legend.
fn shortened(name: &str) -> String {
    match name.chars().count() {
        0..=MOST_LETTERS => name.to_owned(),
        _ => name.chars().take(MOST_LETTERS - 1).chain(['…']).collect(),
    }
}
