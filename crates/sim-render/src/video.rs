//! Videos as MP4 files: pictures are compressed by H.264 and put into the boxes of ISO/IEC 14496-12.

use rusty_h264_common::YuvFrame;
use rusty_h264_encoder::{Encoder, EncoderConfig, Preset};

/// Quantizer: smaller is better and larger. Differences are hard to see.
const QUALITY: u8 = 22;
/// Kinds of units in a stream of H.264.
const SLICE: u8 = 1;
const KEY_SLICE: u8 = 5;
const SEQUENCE: u8 = 7;
const PICTURE: u8 = 8;
/// Units of time per picture.
const TICKS: u32 = 1000;

/// A video that grows picture by picture.
pub struct Video {
    encoder: Encoder,
    frame: YuvFrame,
    size: [usize; 2],
    fps: f64,
    /// Pictures one after the other, each unit after its length.
    media: Vec<u8>,
    samples: Vec<Sample>,
    sequence: Vec<u8>,
    picture: Vec<u8>,
}

/// A picture of the stream.
struct Sample {
    size: u32,
    key: bool,
}

impl std::fmt::Debug for Video {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Video")
            .field("size", &self.size)
            .field("pictures", &self.samples.len())
            .finish()
    }
}

impl Video {
    /// A video of pictures of one size, `fps` per second. Odd sizes are made even by repeating the
    /// last column or row.
    pub fn new(width: usize, height: usize, fps: f64) -> Result<Video, String> {
        if width == 0 || height == 0 || width > 4096 || height > 4096 {
            return Err(format!("a video of {width} by {height} pixels: sides are from 1 to 4096"));
        }
        if !(fps > 0.0 && fps <= 1000.0) {
            return Err(format!("a video of {fps} pictures per second: from 0 to 1000"));
        }
        let even = [width, height].map(|n| n.next_multiple_of(2).max(16));
        let mut config = EncoderConfig::baseline(even[0], even[1]);
        config.qp = QUALITY;
        config.preset = Preset::Balanced;
        config.framerate = fps as _;
        config.gop_size = (2.0 * fps).ceil() as _;
        config.level_idc = level(even, fps);
        let encoder = Encoder::new(config).map_err(|error| error.to_string())?;
        let [w, h] = even;
        let frame = YuvFrame {
            width: w,
            height: h,
            y: vec![0; w * h],
            u: vec![0; w * h / 4],
            v: vec![0; w * h / 4],
        };
        let size = [width, height];
        let (media, samples) = (Vec::new(), Vec::new());
        Ok(Video {
            encoder,
            frame,
            size,
            fps,
            media,
            samples,
            sequence: Vec::new(),
            picture: Vec::new(),
        })
    }

    /// Adds a picture: red, green and blue of each pixel, rows from the top down.
    pub fn push(&mut self, rgb: &[u8]) -> Result<(), String> {
        let [width, height] = self.size;
        if rgb.len() != 3 * width * height {
            return Err(format!(
                "a picture of {width} by {height} pixels has other numbers of bytes"
            ));
        }
        self.convert(rgb);
        let stream = self.encoder.try_encode(&self.frame).map_err(|error| error.to_string())?;
        let (start, mut key) = (self.media.len(), false);
        for unit in units(&stream) {
            match unit.first().map(|head| head & 31) {
                Some(SEQUENCE) => self.sequence = unit.to_vec(),
                Some(PICTURE) => self.picture = unit.to_vec(),
                Some(kind @ (SLICE | KEY_SLICE)) => {
                    key |= kind == KEY_SLICE;
                    self.media.extend((unit.len() as u32).to_be_bytes());
                    self.media.extend(unit);
                }
                _ => {}
            }
        }
        self.samples.push(Sample { size: (self.media.len() - start) as u32, key });
        Ok(())
    }

    /// Fills the planes of the frame: brightness of each pixel, colour of each square of four, in the
    /// limited range of ITU-R BT.601.
    fn convert(&mut self, rgb: &[u8]) {
        let [width, height] = self.size;
        let YuvFrame { width: w, height: h, y, u, v } = &mut self.frame;
        let at = |x: usize, y: usize| -> [i32; 3] {
            let first = 3 * (y.min(height - 1) * width + x.min(width - 1));
            [0, 1, 2].map(|k| i32::from(rgb[first + k]))
        };
        for row in 0..*h {
            for column in 0..*w {
                let [r, g, b] = at(column, row);
                y[row * *w + column] = (16 + ((66 * r + 129 * g + 25 * b + 128) >> 8)) as u8;
            }
        }
        for row in 0..*h / 2 {
            for column in 0..*w / 2 {
                let mut sum = [0; 3];
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let pixel = at(2 * column + dx, 2 * row + dy);
                    (0..3).for_each(|k| sum[k] += pixel[k]);
                }
                let [r, g, b] = sum;
                let place = row * (*w / 2) + column;
                u[place] = (128 + ((-38 * r - 74 * g + 112 * b + 512) >> 10)) as u8;
                v[place] = (128 + ((112 * r - 94 * g - 18 * b + 512) >> 10)) as u8;
            }
        }
    }

    /// The file.
    pub fn finish(mut self) -> Result<Vec<u8>, String> {
        let rest = self.encoder.try_flush().map_err(|error| error.to_string())?;
        if !rest.is_empty() || self.sequence.len() < 4 || self.samples.is_empty() {
            return Err("a video needs at least one picture".into());
        }
        let kind = boxed(b"ftyp", &[b"isom", &0x200u32.to_be_bytes(), b"isomiso2avc1mp41"]);
        // where the media begin: behind the head of their box
        let start = (kind.len() + 8) as u32;
        let media = boxed(b"mdat", &[&self.media]);
        Ok([kind, media, self.index(start)].concat())
    }

    /// The box that describes the media, which begin at `start`.
    fn index(&self, start: u32) -> Vec<u8> {
        let count = self.samples.len() as u32;
        let rate = (self.fps * f64::from(TICKS)).round() as u32;
        let duration = count * TICKS;
        let [width, height] = [self.frame.width, self.frame.height].map(|n| n as u32);
        let identity = numbers(&[0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000]);

        let header = boxed(
            b"mvhd",
            &[
                &numbers(&[0, 0, 0, rate, duration, 0x10000, 0x0100_0000, 0, 0]),
                &identity,
                &numbers(&[0, 0, 0, 0, 0, 0, 2]),
            ],
        );
        let track_header = boxed(
            b"tkhd",
            &[
                // enabled, in the movie, in the preview
                &numbers(&[7, 0, 0, 1, 0, duration, 0, 0, 0, 0]),
                &identity,
                &numbers(&[width << 16, height << 16]),
            ],
        );
        let media_header = boxed(b"mdhd", &[&numbers(&[0, 0, 0, rate, duration, 0x55c4_0000])]);
        let handler =
            boxed(b"hdlr", &[&numbers(&[0, 0]), b"vide", &numbers(&[0, 0, 0]), b"video\0"]);
        let here = boxed(b"url ", &[&numbers(&[1])]);
        let references = boxed(b"dinf", &[&boxed(b"dref", &[&numbers(&[0, 1]), &here])]);
        let sizes: Vec<u32> = self.samples.iter().map(|sample| sample.size).collect();
        let keys: Vec<u32> =
            (1..).zip(&self.samples).filter(|(_, s)| s.key).map(|(number, _)| number).collect();
        let table = boxed(
            b"stbl",
            &[
                &boxed(b"stsd", &[&numbers(&[0, 1]), &self.description(width, height)]),
                &boxed(b"stts", &[&numbers(&[0, 1, count, TICKS])]),
                &boxed(b"stss", &[&numbers(&[0, keys.len() as u32]), &numbers(&keys)]),
                &boxed(b"stsc", &[&numbers(&[0, 1, 1, count, 1])]),
                &boxed(b"stsz", &[&numbers(&[0, 0, count]), &numbers(&sizes)]),
                &boxed(b"stco", &[&numbers(&[0, 1, start])]),
            ],
        );
        let video_header = boxed(b"vmhd", &[&numbers(&[1, 0, 0])]);
        let information = boxed(b"minf", &[&video_header, &references, &table]);
        let media = boxed(b"mdia", &[&media_header, &handler, &information]);
        boxed(b"moov", &[&header, &boxed(b"trak", &[&track_header, &media])])
    }

    /// How to decode the pictures.
    fn description(&self, width: u32, height: u32) -> Vec<u8> {
        let parameters = |unit: &[u8]| [&(unit.len() as u16).to_be_bytes(), unit].concat();
        let decoder = boxed(
            b"avcC",
            &[
                // version, profile, compatibility and level; lengths of four bytes; one sequence
                &[1, self.sequence[1], self.sequence[2], self.sequence[3], 0xff, 0xe1],
                &parameters(&self.sequence),
                &[1],
                &parameters(&self.picture),
            ],
        );
        boxed(
            b"avc1",
            &[
                &numbers(&[
                    0,
                    1,
                    0,
                    0,
                    0,
                    0,
                    width << 16 | height,
                    0x0048_0000,
                    0x0048_0000,
                    0,
                    1 << 16,
                ]),
                // no name, 24 bits, no palette
                &[0; 30],
                &[0, 24, 0xff, 0xff],
                &decoder,
            ],
        )
    }
}

/// A box: its length, its kind, what is in it.
fn boxed(kind: &[u8; 4], content: &[&[u8]]) -> Vec<u8> {
    let length = 8 + content.iter().map(|part| part.len()).sum::<usize>();
    let mut out = Vec::with_capacity(length);
    out.extend((length as u32).to_be_bytes());
    out.extend(kind);
    content.iter().for_each(|part| out.extend(*part));
    out
}

fn numbers(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_be_bytes()).collect()
}

/// Units of a stream, which are separated by start codes.
fn units(stream: &[u8]) -> Vec<&[u8]> {
    let mut starts = Vec::new();
    let mut i = 0;
    while i + 3 <= stream.len() {
        if stream[i..i + 3] == [0, 0, 1] {
            starts.push(i + 3);
            i += 3;
        } else {
            i += 1;
        }
    }
    let ends = starts.iter().skip(1).map(|&next| next - 3).chain([stream.len()]);
    let trim = |(&start, end): (&usize, usize)| {
        let mut end = end;
        while end > start && stream[end - 1] == 0 {
            end -= 1;
        }
        &stream[start..end]
    };
    starts.iter().zip(ends).map(trim).collect()
}

/// The least level of H.264 that has room for pictures of a size, by macroblocks in a picture and in
/// a second (ITU-T H.264, table A-1).
fn level(size: [usize; 2], fps: f64) -> u8 {
    const LEVELS: [(u8, usize, f64); 8] = [
        (30, 1620, 40500.0),
        (31, 3600, 108_000.0),
        (32, 5120, 216_000.0),
        (40, 8192, 245_760.0),
        (42, 8704, 522_240.0),
        (50, 22080, 589_824.0),
        (51, 36864, 983_040.0),
        (52, 36864, 2_073_600.0),
    ];
    let blocks = size[0].div_ceil(16) * size[1].div_ceil(16);
    let enough =
        |&&(_, frame, rate): &&(u8, usize, f64)| blocks <= frame && blocks as f64 * fps <= rate;
    LEVELS.iter().find(enough).map_or(62, |level| level.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: usize, height: usize, shift: usize) -> Vec<u8> {
        (0..width * height)
            .flat_map(|i| {
                let (x, y) = (i % width + shift, i / width);
                [(4 * x) as u8, (4 * y) as u8, if (x / 8 + y / 8) % 2 == 0 { 200 } else { 30 }]
            })
            .collect()
    }

    #[test]
    fn a_file_has_its_boxes_and_the_same_bytes_each_time() {
        let make = || {
            let mut video = Video::new(65, 47, 30.0).unwrap();
            (0..5).for_each(|i| video.push(&picture(65, 47, i)).unwrap());
            video.finish().unwrap()
        };
        let file = make();
        assert_eq!(file, make());
        assert_eq!(&file[4..12], b"ftypisom");
        for kind in [b"mdat", b"moov", b"avcC", b"stsz"] {
            assert!(file.windows(4).any(|four| four == kind));
        }
    }

    #[test]
    fn bad_sizes_and_pictures_have_words() {
        for (width, height, fps) in [(0, 4, 30.0), (4, 5000, 30.0), (4, 4, 0.0), (4, 4, f64::NAN)] {
            assert!(Video::new(width, height, fps).is_err());
        }
        let mut video = Video::new(4, 4, 30.0).unwrap();
        assert!(video.push(&[0; 5]).is_err());
        assert!(video.finish().is_err());
    }

    #[test]
    fn streams_are_cut_at_start_codes() {
        assert_eq!(units(&[0, 0, 0, 1, 7, 8, 0, 0, 1, 9, 0]), [&[7u8, 8][..], &[9]]);
        assert!(units(&[1, 2, 3]).is_empty());
    }
}
