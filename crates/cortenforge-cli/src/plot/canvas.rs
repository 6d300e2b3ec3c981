//! What drawings are made of, whatever they are drawn on.

use ab_glyph::{Font, FontRef, PxScale, ScaleFont};

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

pub(super) const WHITE: Colour = [255; 3];
pub(super) const INK: Colour = [0x26, 0x2b, 0x33];
pub(super) const FAINT: Colour = [0x5b, 0x63, 0x70];
pub(super) const GRID: Colour = [0xe4, 0xe7, 0xeb];
pub(super) const ZERO: Colour = [0xa9, 0xb0, 0xba];

/// How a line looks: lengths in pixels, `dashes` drawn and left out in turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) colour: Colour,
    pub(super) width: f64,
    pub(super) dashes: &'static [f64],
}

impl Stroke {
    pub(super) fn thin(colour: Colour) -> Stroke {
        Stroke { colour, width: 1.0, dashes: &[] }
    }
}

/// Which part of a text is where it is put.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) colour: Colour,
    pub(super) anchor: Anchor,
}

impl Style {
    pub(super) fn plain(size: f64) -> Style {
        Style { size, bold: false, colour: INK, anchor: Anchor::Start }
    }
}

/// Where drawings are drawn on. Places are in pixels from the upper left, texts stand on theirs.
pub(super) trait Canvas {
    fn line(&mut self, points: &[(f64, f64)], stroke: Stroke);
    fn text(&mut self, at: (f64, f64), text: &str, style: Style);
}

/// The typefaces that texts are measured and, in pictures, drawn with.
pub(super) struct Fonts {
    regular: FontRef<'static>,
    bold: FontRef<'static>,
}

impl Fonts {
    pub(super) fn new() -> Fonts {
        let font = |bytes| FontRef::try_from_slice(bytes).expect("the built-in font is a font");
        Fonts { regular: font(dejavu::sans::regular()), bold: font(dejavu::sans::bold()) }
    }

    /// The typeface of a style.
    pub(super) fn of(&self, style: Style) -> &FontRef<'static> {
        if style.bold { &self.bold } else { &self.regular }
    }

    /// The scale at which a typeface has a size, which is counted in ems.
    pub(super) fn scale(font: &FontRef<'_>, size: f64) -> PxScale {
        let units = font.units_per_em().unwrap_or(1000.0);
        PxScale::from(size as f32 * font.height_unscaled() / units)
    }

    /// Width of a text.
    pub(super) fn width(&self, text: &str, style: Style) -> f64 {
        let font = self.of(style);
        let font = font.as_scaled(Fonts::scale(font, style.size));
        text.chars().map(|c| f64::from(font.h_advance(font.glyph_id(c)))).sum()
    }
}
