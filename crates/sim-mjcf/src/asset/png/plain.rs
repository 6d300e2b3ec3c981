//! The most common PNG images: eight bits per channel, no palette, no interlacing.
//!
//! What is unusual in any way, or broken, is left to the crate `png`; so there are no messages here.

use fdeflate::Decompressor;

use super::Png;
use super::unfilter::{ROWS, unfilter};

/// How far back compressed data may refer.
const WINDOW: usize = 32 << 10;
/// Bytes that are decompressed at a time, about.
const STRIP: usize = 64 << 10;

/// Decodes an image with its own channels, whose number is returned too.
pub(super) fn decode(file: &[u8], budget: usize) -> Option<(Png, usize)> {
    let Header { width, height, channels, srgb, data } = Header::read(file)?;
    if width.checked_mul(height)?.checked_mul(4)? > budget {
        return None;
    }
    let mut bytes = vec![0; channels * width * height];
    let stride = channels * width;
    match channels {
        1 => read_rows::<1>(&data, stride, &mut bytes)?,
        2 => read_rows::<2>(&data, stride, &mut bytes)?,
        3 => read_rows::<3>(&data, stride, &mut bytes)?,
        _ => read_rows::<4>(&data, stride, &mut bytes)?,
    }
    Some((Png { width, height, bytes, srgb }, channels))
}

/// What precedes the pixels, and the parts of their compressed data.
struct Header<'a> {
    width: usize,
    height: usize,
    channels: usize,
    srgb: bool,
    data: Vec<&'a [u8]>,
}

impl<'a> Header<'a> {
    fn read(file: &'a [u8]) -> Option<Header<'a>> {
        let mut rest = file.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
        let (b"IHDR", &[w0, w1, w2, w3, h0, h1, h2, h3, 8, color, 0, 0, 0]) = chunk(&mut rest)?
        else {
            return None;
        };
        let channels = match color {
            0 => 1,
            2 => 3,
            4 => 2,
            6 => 4,
            _ => return None,
        };
        let [width, height] =
            [[w0, w1, w2, w3], [h0, h1, h2, h3]].map(|size| u32::from_be_bytes(size) as usize);
        if width == 0 || height == 0 {
            return None;
        }
        let mut header = Header { width, height, channels, srgb: false, data: Vec::new() };
        loop {
            match chunk(&mut rest) {
                Some((b"IDAT", part)) => header.data.push(part),
                _ if !header.data.is_empty() => return Some(header),
                Some((b"sRGB", [0..=3])) => header.srgb = true,
                Some((b"tRNS" | b"iCCP" | b"acTL" | b"fcTL" | b"sRGB", _)) | None => return None,
                // other chunks that are not critical
                Some(([b'a'..=b'z', ..], _)) => {}
                Some(_) => return None,
            }
        }
    }
}

/// Takes a chunk off the file: its type and its data, if their checksum is right.
fn chunk<'a>(file: &mut &'a [u8]) -> Option<(&'a [u8; 4], &'a [u8])> {
    let (length, rest) = file.split_first_chunk::<4>()?;
    let (checked, rest) = rest.split_at_checked(4 + u32::from_be_bytes(*length) as usize)?;
    let (checksum, rest) = rest.split_first_chunk::<4>()?;
    if crc32fast::hash(checked) != u32::from_be_bytes(*checksum) {
        return None;
    }
    *file = rest;
    checked.split_first_chunk()
}

/// Reads the rows of an image, and nothing behind the last one: compressed data may go on for ever.
fn read_rows<const N: usize>(data: &[&[u8]], stride: usize, image: &mut [u8]) -> Option<()> {
    let row = 1 + stride;
    let group = ROWS.min(image.len() / stride) * row;
    let mut parts = data.iter();
    let mut part = *parts.next()?;
    let mut inflater = Decompressor::new();
    inflater.ignore_adler32();
    // decompressed bytes, of which those from `start` to `end` are still filtered
    let mut buffer = vec![0; WINDOW + STRIP.next_multiple_of(group)];
    let (mut start, mut end) = (0, 0);
    let mut above = vec![0; stride];
    let mut rows = image.chunks_mut(ROWS * stride).peekable();
    while let Some(next) = rows.peek() {
        let wanted = next.len() / stride * row;
        if end - start < wanted {
            let (read, written) = inflater.read(part, &mut buffer, end, false).ok()?;
            part = &part[read..];
            end += written;
            let window = start.min(end.saturating_sub(WINDOW));
            if inflater.is_done() && end - start < wanted {
                return None;
            } else if read + written > 0 {
                // there may be more of both
            } else if window > 0 {
                buffer.copy_within(window..end, 0);
                (start, end) = (start - window, end - window);
            } else {
                part = parts.next()?;
            }
            continue;
        }
        let rows = rows.next()?;
        unfilter::<N>(&buffer[start..start + wanted], &above, rows)?;
        above.copy_from_slice(&rows[rows.len() - stride..]);
        start += wanted;
    }
    Some(())
}
