//! PNG images.

mod plain;
mod unfilter;

use std::io::Cursor;

use png::{Decoder, InterlaceInfo, Limits, Transformations, expand_interlaced_row};

use super::cache::{Settings, Weighty};

/// A decoded image: rows from the top, `channels` bytes per pixel.
#[derive(Debug)]
pub(crate) struct Png {
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
    let (image, given) = match plain::decode(bytes, budget) {
        Some(plain) => plain,
        None => decode_any(bytes, budget)?,
    };
    let Png { width, height, bytes: raw, srgb } = image;
    if channels == 1 && given > 2 {
        return Err(String::from("it has colours, and nchannel is 1"));
    }
    let bytes = match (given, channels) {
        (given, channels) if given == channels => raw,
        (1, 3) => convert(&raw, |[grey]: [u8; 1]| [grey; 3]),
        (1, 4) => convert(&raw, |[grey]: [u8; 1]| [grey, grey, grey, u8::MAX]),
        (2, 1) => convert(&raw, |[grey, _]: [u8; 2]| [grey]),
        (2, 3) => convert(&raw, |[grey, _]: [u8; 2]| [grey; 3]),
        (2, 4) => convert(&raw, |[grey, alpha]: [u8; 2]| [grey, grey, grey, alpha]),
        (3, 4) => convert(&raw, |[r, g, b]: [u8; 3]| [r, g, b, u8::MAX]),
        (4, 3) => convert(&raw, |[r, g, b, _]: [u8; 4]| [r, g, b]),
        _ => return Err(format!("its {given} channels cannot become {channels}")),
    };
    Ok(Png { width, height, bytes, srgb })
}

/// Decodes an image of any kind with its own channels, whose number is returned too.
fn decode_any(bytes: &[u8], budget: usize) -> Result<(Png, usize), String> {
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
    let part = |frame: &png::FrameControl| (frame.width as usize, frame.height as usize);
    if reader.info().frame_control.as_ref().is_some_and(|frame| part(frame) != (width, height)) {
        return Err(String::from("its first frame is smaller than the image"));
    }
    let srgb = reader.info().srgb.is_some();
    let (color, _) = reader.output_color_type();
    let size = reader.output_buffer_size().ok_or("its size is too large")?;
    let mut raw = vec![0; size];
    read_rows(&mut reader, &mut raw, 8 * color.samples() as u8).map_err(fault)?;

    Ok((Png { width, height, bytes: raw, srgb }, color.samples()))
}

/// Reads the rows of an image, and nothing behind the last one: compressed data may go on for ever.
fn read_rows(
    reader: &mut png::Reader<Cursor<&[u8]>>,
    raw: &mut [u8],
    bits_per_pixel: u8,
) -> Result<(), png::DecodingError> {
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    let Some(stride) = reader.output_line_size(reader.info().width) else { return Ok(()) };
    let rows = if reader.info().interlaced { interlaced_rows(width, height) } else { height };
    for line in 0..rows {
        let Some(row) = reader.next_interlaced_row()? else { break };
        match row.interlace() {
            InterlaceInfo::Adam7(place) => {
                expand_interlaced_row(raw, stride, row.data(), place, bits_per_pixel);
            }
            InterlaceInfo::Null(_) => {
                raw[line * stride..(line + 1) * stride].copy_from_slice(row.data());
            }
        }
    }
    Ok(())
}

/// Rows of an interlaced image: those of all its passes that have pixels.
fn interlaced_rows(width: usize, height: usize) -> usize {
    // first column and row of each pass, and distance of rows
    const PASSES: [[usize; 3]; 7] =
        [[0, 0, 8], [4, 0, 8], [0, 4, 8], [2, 0, 4], [0, 2, 4], [1, 0, 2], [0, 1, 2]];
    let of_pass = |&[column, row, distance]: &[usize; 3]| match width > column {
        true => height.saturating_sub(row).div_ceil(distance),
        false => 0,
    };
    PASSES.iter().map(of_pass).sum()
}

/// Converts pixels of `M` bytes to pixels of `N` bytes.
fn convert<const M: usize, const N: usize>(
    raw: &[u8],
    pixel: impl Fn([u8; M]) -> [u8; N],
) -> Vec<u8> {
    let (from, _) = raw.as_chunks();
    let mut bytes = vec![0; N * from.len()];
    bytes.as_chunks_mut().0.iter_mut().zip(from).for_each(|(to, from)| *to = pixel(*from));
    bytes
}

impl Settings for usize {
    fn numbers(&self) -> impl Iterator<Item = u64> {
        std::iter::once(*self as u64)
    }
}

impl Weighty for Png {
    fn bytes(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use png::ColorType;

    use super::*;

    fn encode(color: ColorType, data: &[u8], width: u32, height: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(color);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    /// Bytes that look like noise.
    fn noise(count: usize) -> Vec<u8> {
        let mut state = 1u32;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn plain_images_of_all_sizes_and_filters_are_those_of_the_library() {
        let colors =
            [ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba];
        let filters = [
            png::Filter::NoFilter,
            png::Filter::Sub,
            png::Filter::Up,
            png::Filter::Avg,
            png::Filter::Paeth,
            png::Filter::MinEntropy,
        ];
        for (width, height) in [(1, 1), (2, 3), (3, 2), (5, 4), (4, 9), (300, 17), (9_000, 6)] {
            for (color, filter) in colors.iter().flat_map(|c| filters.iter().map(move |f| (*c, *f)))
            {
                let data = noise(color.samples() * (width * height) as usize);
                let mut file = Vec::new();
                let mut encoder = png::Encoder::new(&mut file, width, height);
                encoder.set_color(color);
                encoder.set_filter(filter);
                encoder.write_header().unwrap().write_image_data(&data).unwrap();
                for decoded in [plain::decode(&file, 1 << 20), decode_any(&file, 1 << 20).ok()] {
                    let (image, channels) = decoded.unwrap();
                    assert_eq!((image.width as u32, image.height as u32), (width, height));
                    assert_eq!(channels, color.samples());
                    assert!(image.bytes == data, "{width} x {height}, {color:?}, {filter:?}");
                }
            }
        }
    }

    #[test]
    fn plain_images_in_many_parts_are_whole() {
        let data = noise(3 * 200 * 200);
        let file = encode(ColorType::Rgb, &data, 200, 200);
        // the compressed data again, a few bytes to a chunk
        let (head, chunks) = file.split_at(8 + 25);
        let length = u32::from_be_bytes(*chunks.first_chunk().unwrap()) as usize;
        let mut parts = head.to_vec();
        for part in chunks[8..8 + length].chunks(997) {
            parts.extend((part.len() as u32).to_be_bytes());
            let chunk = [b"IDAT", part].concat();
            parts.extend(&chunk);
            parts.extend(crc32fast::hash(&chunk).to_be_bytes());
        }
        assert_eq!(plain::decode(&parts, 1 << 20).unwrap().0.bytes, data);
        // the last rows are missing
        let short = parts.len() - 2_000;
        assert!(plain::decode(&parts[..short], 1 << 20).is_none());
    }

    #[test]
    fn broken_plain_images_are_left_to_the_library() {
        let file = encode(ColorType::Rgb, &noise(3 * 40 * 30), 40, 30);
        assert!(plain::decode(&file, 1 << 20).is_some());
        for at in 0..file.len() - 16 {
            let mut broken = file.clone();
            broken[at] ^= 0x11;
            assert!(plain::decode(&broken, 1 << 20).is_none(), "byte {at}");
        }
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
    fn interlaced_images_have_the_rows_of_their_passes() {
        assert_eq!(interlaced_rows(8, 8), 1 + 1 + 1 + 2 + 2 + 4 + 4);
        assert_eq!(interlaced_rows(1, 1), 1);
        assert_eq!(interlaced_rows(1, 8), 1 + 1 + 2 + 4);
    }

    #[test]
    fn broken_files_are_errors() {
        let mut file = encode(ColorType::Grayscale, &[0; 100], 10, 10);
        file.truncate(file.len() / 2);
        assert!(decode(&file, 3, 1 << 20).is_err());
        assert!(decode(b"GIF89a", 3, 1 << 20).is_err());
    }
}
