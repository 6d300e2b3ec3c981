//! Drawings as SVG.

use std::fmt::Write;

use super::canvas::{Anchor, Canvas, Colour, Stroke, Style};

pub(super) struct Svg {
    text: String,
}

impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Svg {
        Svg {
            text: format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" \
                 height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
                 font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n\
                 <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
            ),
        }
    }

    pub(super) fn finish(mut self) -> Vec<u8> {
        self.text.push_str("</svg>\n");
        self.text.into_bytes()
    }
}

fn hex([r, g, b]: Colour) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

impl Canvas for Svg {
    fn line(&mut self, points: &[(f64, f64)], stroke: Stroke) {
        let mut path = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        let dashes = match stroke.dashes {
            [] => String::new(),
            dashes => {
                let lengths: Vec<String> = dashes.iter().map(ToString::to_string).collect();
                format!(" stroke-dasharray=\"{}\"", lengths.join(" "))
            }
        };
        let _ = writeln!(
            self.text,
            "<path stroke=\"{}\"{dashes} stroke-width=\"{}\" fill=\"none\" \
             stroke-linejoin=\"round\" d=\"{path}\"/>",
            hex(stroke.colour),
            stroke.width
        );
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, style: Style) {
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let bold = if style.bold { " font-weight=\"bold\"" } else { "" };
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{}\"{bold}{anchor} fill=\"{}\">{text}</text>",
            style.size,
            hex(style.colour)
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let mut svg = Svg::new(10.0, 10.0);
        svg.text((0.0, 0.0), "a<b & c\u{1}", Style::plain(12.0));
        let text = String::from_utf8(svg.finish()).unwrap();
        assert!(text.contains("a&lt;b &amp; c<"), "{text}");
    }
}
