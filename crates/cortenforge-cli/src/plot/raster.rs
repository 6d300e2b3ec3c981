//! Drawings as pictures of pixels, in PNG.

use ab_glyph::{Font, ScaleFont, point};

use super::canvas::{Anchor, Canvas, Colour, Fonts, Stroke, Style, WHITE};

/// Pixels of the picture per pixel of the drawing, for screens and paper of today.
const SCALE: f64 = 2.0;

pub(super) struct Raster<'a> {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
    /// How much of each pixel the line that is being drawn covers.
    cover: Vec<f32>,
    fonts: &'a Fonts,
}

impl<'a> Raster<'a> {
    pub(super) fn new(width: f64, height: f64, fonts: &'a Fonts) -> Raster<'a> {
        let (width, height) = ((SCALE * width).round() as usize, (SCALE * height).round() as usize);
        let pixels = WHITE.repeat(width * height);
        Raster { width, height, pixels, cover: vec![0.0; width * height], fonts }
    }

    pub(super) fn finish(self) -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.pixels)?;
        writer.finish()?;
        Ok(bytes)
    }

    /// Covers the pixels near a stretch of a line.
    fn stretch(&mut self, (x0, y0): (f64, f64), (x1, y1): (f64, f64), width: f64, area: &mut Area) {
        let reach = width / 2.0 + 0.5;
        let length2 = (x1 - x0).powi(2) + (y1 - y0).powi(2);
        let along = |x: f64| if x1 == x0 { 0.0 } else { (x - x0) / (x1 - x0) };
        let columns = clamp(x0.min(x1) - reach, x0.max(x1) + reach, self.width);
        for column in columns {
            let x = column as f64 + 0.5;
            // heights that the stretch has near this column
            let at = |x: f64| y0 + (y1 - y0) * along(x).clamp(0.0, 1.0);
            let (mut low, mut high) = (y0.min(y1), y0.max(y1));
            if x1 != x0 {
                let near = [at(x - reach), at(x + reach)];
                (low, high) = (near[0].min(near[1]), near[0].max(near[1]));
            }
            for line in clamp(low - reach, high + reach, self.height) {
                let y = line as f64 + 0.5;
                let t = ((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length2.max(1e-12);
                let t = t.clamp(0.0, 1.0);
                let distance = (x - x0 - t * (x1 - x0)).hypot(y - y0 - t * (y1 - y0));
                let cover = (reach - distance).clamp(0.0, 1.0).min(width) as f32;
                let pixel = &mut self.cover[line * self.width + column];
                *pixel = pixel.max(cover);
                area.add(column, line);
            }
        }
    }

    /// Paints what is covered.
    fn paint(&mut self, colour: Colour, area: &Area) {
        for line in area.top..area.bottom {
            for column in area.left..area.right {
                let at = line * self.width + column;
                let cover = std::mem::take(&mut self.cover[at]);
                self.blend(at, colour, cover);
            }
        }
    }

    fn blend(&mut self, at: usize, colour: Colour, cover: f32) {
        if cover > 0.0 {
            for (pixel, colour) in self.pixels[3 * at..][..3].iter_mut().zip(colour) {
                let mixed = f32::from(*pixel) * (1.0 - cover) + f32::from(colour) * cover;
                *pixel = mixed.round() as u8;
            }
        }
    }
}

/// The whole pixels between two places, as far as they are in the picture.
fn clamp(low: f64, high: f64, length: usize) -> std::ops::Range<usize> {
    let end = length as f64;
    low.floor().clamp(0.0, end) as usize..high.ceil().clamp(0.0, end) as usize
}

/// A rectangle around pixels.
struct Area {
    left: usize,
    right: usize,
    top: usize,
    bottom: usize,
}

impl Area {
    fn new() -> Area {
        Area { left: usize::MAX, right: 0, top: usize::MAX, bottom: 0 }
    }

    fn add(&mut self, column: usize, line: usize) {
        (self.left, self.right) = (self.left.min(column), self.right.max(column + 1));
        (self.top, self.bottom) = (self.top.min(line), self.bottom.max(line + 1));
    }
}

/// The parts of a line that its dashes leave, lengths in its own units.
fn dashed(points: &[(f64, f64)], dashes: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let Some((&first, rest)) = points.split_first() else { return Vec::new() };
    if dashes.is_empty() {
        return vec![points.to_vec()];
    }
    let (mut parts, mut part) = (Vec::new(), vec![first]);
    let (mut dash, mut left, mut at) = (0, dashes[0], first);
    for &to in rest {
        let mut length = (to.0 - at.0).hypot(to.1 - at.1);
        while length >= left {
            let t = left / length;
            at = (at.0 + t * (to.0 - at.0), at.1 + t * (to.1 - at.1));
            length -= left;
            part.push(at);
            if dash % 2 == 0 {
                parts.push(std::mem::take(&mut part));
            }
            dash += 1;
            left = dashes[dash % dashes.len()];
            part = vec![at];
        }
        left -= length;
        at = to;
        part.push(to);
    }
    if dash % 2 == 0 {
        parts.push(part);
    }
    parts
}

impl Canvas for Raster<'_> {
    fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        // a thin line fills whole pixels
        let thin = stroke.width == 1.0 && points.len() == 2;
        let place = |x: f64| if thin { (SCALE * x).round() } else { SCALE * x };
        let mut area = Area::new();
        for part in dashed(points, stroke.dashes) {
            let part: Vec<_> = part.iter().map(|&(x, y)| (place(x), place(y))).collect();
            for pair in part.windows(2) {
                self.stretch(pair[0], pair[1], SCALE * stroke.width, &mut area);
            }
        }
        self.paint(stroke.colour, &area);
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, style: Style) {
        let shift = match style.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let fonts = self.fonts;
        let mut x = SCALE * (x - shift * fonts.width(text, style));
        let font = fonts.of(style);
        let scaled = font.as_scaled(Fonts::scale(font, SCALE * style.size));
        for c in text.chars().filter(|c| !c.is_control()) {
            let id = scaled.glyph_id(c);
            let glyph =
                id.with_scale_and_position(scaled.scale(), point(x as f32, (SCALE * y) as f32));
            if let Some(outline) = font.outline_glyph(glyph) {
                let bounds = outline.px_bounds();
                outline.draw(|i, j, cover| {
                    let (column, line) =
                        (bounds.min.x as i64 + i64::from(i), bounds.min.y as i64 + i64::from(j));
                    if (0..self.width as i64).contains(&column)
                        && (0..self.height as i64).contains(&line)
                    {
                        let at = line as usize * self.width + column as usize;
                        self.blend(at, style.colour, cover.clamp(0.0, 1.0));
                    }
                });
            }
            x += f64::from(scaled.h_advance(id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_leave_gaps() {
        let line = [(0.0, 0.0), (4.0, 0.0), (10.0, 0.0)];
        let parts = dashed(&line, &[3.0, 2.0]);
        let expected = [vec![(0.0, 0.0), (3.0, 0.0)], vec![(5.0, 0.0), (8.0, 0.0)]];
        assert_eq!(parts[..2], expected);
        assert_eq!(dashed(&line, &[]), [line.to_vec()]);
        assert!(dashed(&[], &[1.0]).is_empty());
    }

    #[test]
    fn lines_cover_their_width() {
        let fonts = Fonts::new();
        let mut raster = Raster::new(20.0, 20.0, &fonts);
        let stroke = Stroke { colour: [0, 0, 0], width: 2.0, dashes: &[] };
        raster.line(&[(2.0, 10.0), (18.0, 10.0)], stroke);
        let dark = |line: usize| raster.pixels[3 * (line * raster.width + 20)];
        // two pixels of the drawing are four of the picture
        assert_eq!([17, 18, 19, 20, 21, 22].map(dark), [255, 0, 0, 0, 0, 255]);
    }
}
