//! PNG images.

use std::io::Cursor;

use png::{ColorType, Decoder, Limits, Transformations};

/// A decoded image: rows from the top, `channels` bytes per pixel.
#[derive(Debug)]
pub(super) struct Png {
    pub width: usize,
    pub height: usize,
    pub bytes: Vec<u8>,
    /// Whether the file says that its colours are sRGB.
    pub srgb: bool,
}

/// Decodes an image into `channels` bytes per pixel: grey, colours, or colours and opacity.
///
/// The size is checked before decoding: no more than `budget` bytes are made.
pub(super) fn decode(bytes: &[u8], channels: usize, budget: usize) -> Result<Png, String> {
    let fault = |error: png::DecodingError| format!("it is not a usable PNG image: {error}");
    let limits = Limits { bytes: budget };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(fault)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let pixels = width.saturating_mul(height);
    if pixels.saturating_mul(4) > budget {
        return Err(format!("its {width} by {height} pixels are too many"));
    }
    let srgb = reader.info().srgb.is_some();
    let (color, _) = reader.output_color_type();
    let size = reader.output_buffer_size().ok_or("its size is too large")?;
    let mut raw = vec![0; size];
    reader.next_frame(&mut raw).map_err(fault)?;

    let given = color.samples();
    let pixel = |from: &[u8], to: &mut [u8]| match (color, channels) {
        (ColorType::Grayscale | ColorType::GrayscaleAlpha, 1) => to[0] = from[0],
        (ColorType::Grayscale | ColorType::GrayscaleAlpha, _) => {
            to[..3].fill(from[0]);
            if channels == 4 {
                to[3] = if given == 2 { from[1] } else { u8::MAX };
            }
        }
        _ => {
            to[..3].copy_from_slice(&from[..3]);
            if channels == 4 {
                to[3] = if given == 4 { from[3] } else { u8::MAX };
            }
        }
    };
    if channels == 1 && given > 2 {
        return Err(String::from("it has colours, and nchannel is 1"));
    }
    let mut bytes = vec![0; pixels * channels];
    for (from, to) in raw.chunks_exact(given).zip(bytes.chunks_exact_mut(channels)) {
        pixel(from, to);
    }
    Ok(Png { width, height, bytes, srgb })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(color: ColorType, data: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    #[test]
    fn pixels_take_the_channels_that_are_asked_for() {
        let file = encode(ColorType::Rgba, &[1, 2, 3, 4, 5, 6, 7, 8], 2, 1);
        assert_eq!(decode(&file, 3, 1 << 20).unwrap().bytes, [1, 2, 3, 5, 6, 7]);
        assert_eq!(decode(&file, 4, 1 << 20).unwrap().bytes, [1, 2, 3, 4, 5, 6, 7, 8]);
        assert!(decode(&file, 1, 1 << 20).is_err());
        let file = encode(ColorType::Grayscale, &[9, 8], 1, 2);
        assert_eq!(decode(&file, 3, 1 << 20).unwrap().bytes, [9, 9, 9, 8, 8, 8]);
        assert_eq!(decode(&file, 1, 1 << 20).unwrap().bytes, [9, 8]);
    }

    #[test]
    fn an_image_larger_than_the_budget_is_refused_before_decoding() {
        let file = encode(ColorType::Grayscale, &[0; 10_000], 100, 100);
        assert!(decode(&file, 3, 39_999).unwrap_err().contains("100 by 100"));
        assert!(decode(&file, 3, 1 << 20).is_ok());
    }

    #[test]
    fn broken_files_are_errors() {
        let mut file = encode(ColorType::Grayscale, &[0; 100], 10, 10);
        file.truncate(file.len() / 2);
        assert!(decode(&file, 3, 1 << 20).is_err());
        assert!(decode(b"GIF89a", 3, 1 << 20).is_err());
    }
}
