//! Text and rectangles over pictures.

use std::sync::OnceLock;

use ab_glyph::{Font, FontRef, ScaleFont, point};

use crate::renderer::Picture;

/// Height of text at 100 percent, in pixels.
const HEIGHT: f32 = 13.0;

/// Size of text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextSize {
    pixels: f32,
}

impl Default for TextSize {
    fn default() -> TextSize {
        TextSize::percent(150)
    }
}

impl TextSize {
    /// A size in percent of the smallest that is read easily.
    pub fn percent(percent: i32) -> TextSize {
        TextSize { pixels: HEIGHT * percent.clamp(10, 1000) as f32 / 100.0 }
    }

    /// Larger text, for alerts.
    pub fn big(self) -> TextSize {
        TextSize { pixels: 1.6 * self.pixels }
    }

    /// Height of a line, in pixels.
    pub fn line(self) -> i32 {
        (1.2 * self.pixels).ceil() as i32
    }

    /// Width of a text, in pixels.
    pub fn width(self, text: &str) -> i32 {
        let font = font().as_scaled(self.pixels);
        text.chars().map(|c| font.h_advance(font.glyph_id(c))).sum::<f32>().ceil() as i32
    }
}

fn font() -> &'static FontRef<'static> {
    static FONT: OnceLock<FontRef<'static>> = OnceLock::new();
    FONT.get_or_init(|| {
        FontRef::try_from_slice(dejavu::sans::regular()).expect("the font is part of the program")
    })
}

/// Draws flat things over a picture, whose rows are from the bottom up.
#[derive(Debug)]
pub struct Canvas<'a> {
    picture: &'a mut Picture,
}

impl<'a> Canvas<'a> {
    /// A canvas on a picture.
    pub fn new(picture: &'a mut Picture) -> Canvas<'a> {
        Canvas { picture }
    }

    fn blend(&mut self, x: i32, y: i32, rgb: [f32; 3], opacity: f32) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x >= self.picture.width || y >= self.picture.height {
            return;
        }
        let at = 3 * (y * self.picture.width + x);
        for (out, color) in self.picture.rgb[at..at + 3].iter_mut().zip(rgb) {
            let mixed = (1.0 - opacity) * f32::from(*out) + opacity * 255.0 * color;
            *out = (mixed + 0.5) as u8;
        }
    }

    /// Fills a rectangle: left, bottom, width, height.
    pub fn rectangle(&mut self, [left, bottom, width, height]: [i32; 4], rgba: [f32; 4]) {
        let limit =
            |low: i32, n: i32, end: usize| low.max(0)..low.saturating_add(n).min(end as i32);
        for y in limit(bottom, height, self.picture.height) {
            for x in limit(left, width, self.picture.width) {
                self.blend(x, y, [rgba[0], rgba[1], rgba[2]], rgba[3]);
            }
        }
    }

    /// Draws a straight line of a width.
    pub fn line(&mut self, from: [f32; 2], to: [f32; 2], width: f32, rgba: [f32; 4]) {
        let reach = 0.5 * width.max(1.0);
        let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
        let length2 = (dx * dx + dy * dy).max(1e-12);
        let span = |k: usize, end: usize| {
            let low = (from[k].min(to[k]) - reach).floor().max(0.0) as i32;
            low..=(from[k].max(to[k]) + reach).ceil().min(end as f32) as i32
        };
        for y in span(1, self.picture.height) {
            for x in span(0, self.picture.width) {
                let (px, py) = (x as f32 + 0.5 - from[0], y as f32 + 0.5 - from[1]);
                let t = ((px * dx + py * dy) / length2).clamp(0.0, 1.0);
                let (ox, oy) = (px - t * dx, py - t * dy);
                let cover = (reach + 0.5 - (ox * ox + oy * oy).sqrt()).clamp(0.0, 1.0);
                if cover > 0.0 {
                    self.blend(x, y, [rgba[0], rgba[1], rgba[2]], cover * rgba[3]);
                }
            }
        }
    }

    /// Draws a line of text from its lower left; `shadow` darkens what is behind it.
    pub fn text(
        &mut self,
        text: &str,
        [x, y]: [i32; 2],
        size: TextSize,
        rgb: [f32; 3],
        shadow: bool,
    ) {
        if shadow {
            for dy in -2..=2 {
                for dx in -2..=2 {
                    self.glyphs(text, [x + dx, y + dy], size, [0.0; 3]);
                }
            }
        }
        self.glyphs(text, [x, y], size, rgb);
    }

    fn glyphs(&mut self, text: &str, [x, y]: [i32; 2], size: TextSize, rgb: [f32; 3]) {
        let scaled = font().as_scaled(size.pixels);
        let base = y as f32 - scaled.descent();
        let mut pen = x as f32;
        for c in text.chars() {
            let id = scaled.glyph_id(c);
            let glyph = id.with_scale_and_position(size.pixels, point(pen, 0.0));
            pen += scaled.h_advance(id);
            let Some(outline) = font().outline_glyph(glyph) else { continue };
            let bounds = outline.px_bounds();
            outline.draw(|column, line, cover| {
                let px = bounds.min.x as i32 + column as i32;
                // the font counts downwards
                let py = base as i32 - (bounds.min.y as i32 + line as i32);
                self.blend(px, py, rgb, cover.min(1.0));
            });
        }
    }
}
