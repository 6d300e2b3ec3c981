//! Textures: pictures with mip-maps, sampled as OpenGL samples them.

use std::sync::OnceLock;

use sim_core::Model;
use sim_core::model::{ColorSpace, TextureType};
use wide::f32x4;

use crate::shapes::LANES;
use crate::vector::{f32x8, i32x8};

/// One picture of a pyramid: texels as bytes, rows from the bottom up.
#[derive(Debug, Clone)]
struct Image {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// A picture with a border of one texel, so that each place has four texels around it. The border is
/// what comes next: the opposite side of a picture that repeats, or the texels beside it.
#[derive(Debug, Clone)]
struct Level {
    width: usize,
    height: usize,
    /// Rows of `width + 2` texels.
    texels: Vec<[u8; 4]>,
}

/// A pyramid of pictures, each half as large as the one before. It is made when it is first sampled.
#[derive(Debug, Clone)]
pub(crate) struct Pyramid {
    width: usize,
    height: usize,
    channels: usize,
    data: Vec<u8>,
    srgb: bool,
    /// Whether it repeats beyond its sides.
    repeat: bool,
    made: OnceLock<Levels>,
}

/// The pictures of a pyramid.
#[derive(Debug, Clone)]
struct Levels {
    levels: Vec<Level>,
    /// Whether no texel is transparent.
    opaque: bool,
    /// The value that a byte stands for, times 255, where it is not the byte itself: sRGB.
    value: Option<Box<[f32; 256]>>,
}

/// A texture of the model.
#[derive(Debug, Clone)]
pub(crate) enum Texture {
    Flat(Pyramid),
    /// Six faces: right, left, up, down, front, back.
    Cube {
        faces: Vec<Pyramid>,
        sky: bool,
    },
}

impl Texture {
    /// Reads texture `id` of the model. One whose numbers are out of range is grey.
    pub(crate) fn new(model: &Model, id: usize) -> Texture {
        let channels = model.tex_nchannel[id].clamp(1, 4) as usize;
        let [width, height] =
            [model.tex_width[id], model.tex_height[id]].map(|n| n.max(1) as usize);
        let start = usize::try_from(model.tex_adr[id]).unwrap_or(usize::MAX);
        let data = model.tex_data.get(start..).unwrap_or_default();
        let srgb = model.tex_colorspace[id] == ColorSpace::Srgb as i32;
        let kind = TextureType::from_i32(model.tex_type[id]);
        if kind == Some(TextureType::TwoD) {
            return Texture::Flat(Pyramid::new([width, height], channels, data, srgb, true));
        }
        let face = |i: usize| {
            let offset = if width == height { 0 } else { i * channels * width * width };
            let data = data.get(offset..).unwrap_or_default();
            Pyramid::new([width; 2], channels, data, false, false)
        };
        let sky = kind == Some(TextureType::Skybox);
        let repeated = width == height;
        let faces: Vec<Pyramid> = (0..if repeated { 1 } else { 6 }).map(face).collect();
        Texture::Cube { faces, sky }
    }

    pub(crate) fn is_sky(&self) -> bool {
        matches!(self, Texture::Cube { sky: true, .. })
    }
}

impl Pyramid {
    fn new(
        [width, height]: [usize; 2],
        channels: usize,
        data: &[u8],
        srgb: bool,
        repeat: bool,
    ) -> Pyramid {
        let data = data[..data.len().min(width * height * channels)].to_vec();
        Pyramid { width, height, channels, data, srgb, repeat, made: OnceLock::new() }
    }

    fn levels(&self) -> &Levels {
        self.made.get_or_init(|| Levels::new(self))
    }

    pub(crate) fn size(&self) -> [f32; 2] {
        [self.width as f32, self.height as f32]
    }

    /// The colour at `(s, t)`, in units of the picture, as numbers up to 255: linear between texels
    /// and between the two levels around `lod`.
    #[inline]
    pub(crate) fn sample(&self, s: f32, t: f32, lod: f32) -> [f32; 4] {
        let [s, t] = [s, t].map(|x| if self.repeat { x - x.floor() } else { x });
        self.levels().sample(s, t, lod)
    }

    /// Samples eight places at once, of which the bits of `wanted` matter; as [`Pyramid::sample`].
    #[inline]
    pub(crate) fn sample8(&self, s: f32x8, t: f32x8, lod: f32x8, wanted: u32) -> [f32x8; 4] {
        let [s, t] = [s, t].map(|x| if self.repeat { x - x.floor() } else { x });
        self.levels().sample8(s, t, lod, wanted)
    }
}

impl Levels {
    fn new(pyramid: &Pyramid) -> Levels {
        let &Pyramid { width, height, channels, ref data, srgb, repeat, .. } = pyramid;
        let count = width * height;
        let mut texels: Vec<[u8; 4]> = Vec::with_capacity(count);
        match channels {
            4 => texels.extend(data.chunks_exact(4).map(|t| [t[0], t[1], t[2], t[3]])),
            3 => texels.extend(data.chunks_exact(3).map(|t| [t[0], t[1], t[2], 255])),
            2 => texels.extend(data.chunks_exact(2).map(|t| [t[0], t[0], t[0], t[1]])),
            _ => texels.extend(data.iter().map(|&l| [l, l, l, 255])),
        }
        texels.resize(count, [128, 128, 128, 255]);
        let opaque = texels.iter().all(|t| t[3] == 255);
        let mut image = Image { width, height, texels };
        let mut levels = vec![image.framed(repeat)];
        while let Some(half) = image.half(srgb) {
            image = half;
            levels.push(image.framed(repeat));
        }
        let value = srgb
            .then(|| Box::new(std::array::from_fn(|i| 255.0 * linear_of_srgb(i as f32 / 255.0))));
        Levels { levels, opaque, value }
    }

    #[inline]
    fn sample(&self, s: f32, t: f32, lod: f32) -> [f32; 4] {
        let near = |level: usize| self.levels[level].bilinear(s, t, self.value.as_deref());
        if lod <= 0.0 || lod.is_nan() {
            return near(0).to_array();
        }
        let last = self.levels.len() - 1;
        let floor = lod.floor();
        let low = (floor as usize).min(last);
        let a = near(low);
        if low == last {
            return a.to_array();
        }
        (a + f32x4::splat(lod - floor) * (near(low + 1) - a)).to_array()
    }

    fn sample8(&self, s: f32x8, t: f32x8, lod: f32x8, wanted: u32) -> [f32x8; 4] {
        if self.value.is_some() {
            let [s, t, lod] = [s, t, lod].map(f32x8::to_array);
            let mut channels = [[0.0; 8]; 4];
            for lane in (0..8).filter(|lane| wanted >> lane & 1 != 0) {
                let color = self.sample(s[lane], t[lane], lod[lane]);
                (0..4).for_each(|k| channels[k][lane] = color[k]);
            }
            return channels.map(f32x8::new);
        }
        let last = f32x8::splat(self.levels.len() as f32 - 1.0);
        let lod = lod.max(f32x8::ZERO).min(last);
        let floor = lod.floor();
        let part = lod - floor;
        let lows = floor.to_array();
        let mut color = [f32x8::ZERO; 4];
        let mut left = wanted;
        while left != 0 {
            // neighbours mostly share a level
            let low = lows[left.trailing_zeros() as usize];
            let here = floor.simd_eq(f32x8::splat(low));
            let bits = here.to_bitmask() & left;
            let level = low as usize;
            let mut sampled = self.levels[level].bilinear8(s, t, self.opaque);
            if part.simd_gt(f32x8::ZERO).to_bitmask() & bits != 0 {
                let next = self.levels[level + 1].bilinear8(s, t, self.opaque);
                for k in 0..4 {
                    sampled[k] += part * (next[k] - sampled[k]);
                }
            }
            for k in 0..4 {
                color[k] = here.bitselect(sampled[k], color[k]);
            }
            // a level that is no number is like no other
            left &= !(bits | 1 << left.trailing_zeros());
        }
        color
    }
}

impl Level {
    /// Colours at eight places, linear between texels.
    #[inline]
    fn bilinear8(&self, s: f32x8, t: f32x8, opaque: bool) -> [f32x8; 4] {
        let (column, u) = before8(s, self.width);
        let (row, v) = before8(t, self.height);
        let stride = self.width + 2;
        let at = (row * i32x8::splat(stride as i32) + column).to_array();
        // the texels around each place: below, above; left, right
        let mut texels = [[0; LANES]; 4];
        for lane in 0..LANES {
            for (k, at) in [at[lane] as usize, at[lane] as usize + stride].into_iter().enumerate() {
                let pair: [[u8; 4]; 2] = self.texels[at..at + 2].try_into().expect("two texels");
                texels[2 * k][lane] = i32::from_le_bytes(pair[0]);
                texels[2 * k + 1][lane] = i32::from_le_bytes(pair[1]);
            }
        }
        let [a, b, c, d] = texels.map(i32x8::new);
        let byte = i32x8::splat(255);
        let mix = |shift: i32| {
            let [a, b, c, d] = [a, b, c, d].map(|x| ((x >> shift) & byte).round_float());
            let (low, high) = (a + u * (b - a), c + u * (d - c));
            low + v * (high - low)
        };
        let alpha = if opaque { f32x8::splat(255.0) } else { mix(24) };
        [mix(0), mix(8), mix(16), alpha]
    }

    /// The colour at one place, linear between texels, which stand for the values of a table.
    #[inline]
    fn bilinear(&self, s: f32, t: f32, value: Option<&[f32; 256]>) -> f32x4 {
        let (column, u) = before(s, self.width);
        let (row, v) = before(t, self.height);
        let stride = self.width + 2;
        let texel = |at: usize| {
            let bytes = self.texels[at];
            match value {
                None => f32x4::new(bytes.map(f32::from)),
                Some(value) => {
                    let [r, g, b] = [0, 1, 2].map(|k| value[bytes[k] as usize]);
                    f32x4::new([r, g, b, f32::from(bytes[3])])
                }
            }
        };
        let u = f32x4::splat(u);
        let at = row * stride + column;
        let (a, b) = (texel(at), texel(at + stride));
        let low = a + u * (texel(at + 1) - a);
        let high = b + u * (texel(at + stride + 1) - b);
        low + f32x4::splat(v) * (high - low)
    }
}

impl Image {
    /// The picture with a border.
    fn framed(&self, repeat: bool) -> Level {
        let &Image { width, height, ref texels } = self;
        let around = |i: usize, count: usize| match (repeat, i) {
            (true, i) => (i + count - 1) % count,
            (false, i) => i.saturating_sub(1).min(count - 1),
        };
        let mut framed = Vec::with_capacity((width + 2) * (height + 2));
        for y in (0..height + 2).map(|y| around(y, height)) {
            let row = &texels[y * width..(y + 1) * width];
            framed.push(row[around(0, width)]);
            framed.extend_from_slice(row);
            framed.push(row[around(width + 1, width)]);
        }
        Level { width, height, texels: framed }
    }

    /// The next smaller picture: linear between the four texels around the middle of a new one.
    fn half(&self, srgb: bool) -> Option<Image> {
        if self.width == 1 && self.height == 1 {
            return None;
        }
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        if !srgb && self.width == 2 * width && self.height == 2 * height {
            return Some(Image { width, height, texels: self.mean_of_four(width, height) });
        }
        let mut texels = Vec::with_capacity(width * height);
        let curve = srgb.then(Curve::new);
        // the two texels around the middle of a new one, and the weight of the second
        let around = |i: usize, old: usize, new: usize| {
            let middle = (i as f32 + 0.5) * old as f32 / new as f32 - 0.5;
            let low = middle.floor().max(0.0);
            (low as usize, (low as usize + 1).min(old - 1), (middle - low).max(0.0))
        };
        for y in 0..height {
            let (y0, y1, v) = around(y, self.height, height);
            for x in 0..width {
                let (x0, x1, u) = around(x, self.width, width);
                let at = |x: usize, y: usize| self.texels[y * self.width + x];
                let four = [at(x0, y0), at(x1, y0), at(x0, y1), at(x1, y1)];
                let weights = [(1.0 - u) * (1.0 - v), u * (1.0 - v), (1.0 - u) * v, u * v];
                texels.push(std::array::from_fn(|k| {
                    if let Some(curve) = curve.as_ref().filter(|_| k < 3) {
                        let linear = |t: [u8; 4]| curve.linear[t[k] as usize];
                        let mean: f32 = four.iter().zip(weights).map(|(t, w)| w * linear(*t)).sum();
                        curve.byte(mean)
                    } else {
                        let sum: f32 =
                            four.iter().zip(weights).map(|(t, w)| w * f32::from(t[k])).sum();
                        (sum + 0.5) as u8
                    }
                }));
            }
        }
        Some(Image { width, height, texels })
    }

    /// The next smaller picture of one with even sides.
    fn mean_of_four(&self, width: usize, height: usize) -> Vec<[u8; 4]> {
        let mut texels = Vec::with_capacity(width * height);
        for y in 0..height {
            let row = |y: usize| &self.texels[y * self.width..(y + 1) * self.width];
            let pairs = row(2 * y).chunks_exact(2).zip(row(2 * y + 1).chunks_exact(2));
            texels.extend(pairs.map(|(low, high)| -> [u8; 4] {
                let sum = |k: usize| {
                    u16::from(low[0][k])
                        + u16::from(low[1][k])
                        + u16::from(high[0][k])
                        + u16::from(high[1][k])
                };
                std::array::from_fn(|k| ((sum(k) + 2) >> 2) as u8)
            }));
        }
        texels
    }
}

/// As [`before`], for eight places.
#[inline]
fn before8(place: f32x8, count: usize) -> (i32x8, f32x8) {
    let x = place * f32x8::splat(count as f32) - f32x8::splat(0.5);
    let floor = x.floor();
    let low = floor.fast_trunc_int().max(i32x8::splat(-1)).min(i32x8::splat(count as i32 - 1));
    (low + i32x8::ONE, x - floor)
}

/// The texel of a row before a place, counted from the border, and the weight of the next.
#[inline]
fn before(place: f32, count: usize) -> (usize, f32) {
    let x = place * count as f32 - 0.5;
    let floor = x.floor();
    // a place that is no number is cast to zero
    let low = (floor as i32).clamp(-1, count as i32 - 1);
    ((low + 1) as usize, x - floor)
}

/// The face of a cube that a direction points to, and the place on it, both in 0 to 1.
#[inline]
pub(crate) fn cube_face(direction: [f32; 3]) -> (usize, [f32; 2]) {
    let [x, y, z] = direction;
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let face = if ax >= ay && ax >= az {
        usize::from(x < 0.0)
    } else if ay >= az {
        2 + usize::from(y < 0.0)
    } else {
        4 + usize::from(z < 0.0)
    };
    (face, face_place(face, direction))
}

/// The place on a face that a direction points to.
#[inline]
pub(crate) fn face_place(face: usize, [x, y, z]: [f32; 3]) -> [f32; 2] {
    let (s, t, major) = match face {
        0 => (-z, -y, x),
        1 => (z, -y, -x),
        2 => (x, z, y),
        3 => (x, -z, -y),
        4 => (x, -y, z),
        _ => (-x, -y, -z),
    };
    let scale = 0.5 / major.max(f32::MIN_POSITIVE);
    [s * scale + 0.5, t * scale + 0.5]
}

/// The place on a face that eight directions point to.
#[inline]
pub(crate) fn face_place8(face: usize, [x, y, z]: [f32x8; 3]) -> [f32x8; 2] {
    let (s, t, major) = match face {
        0 => (-z, -y, x),
        1 => (z, -y, -x),
        2 => (x, z, y),
        3 => (x, -z, -y),
        4 => (x, -y, z),
        _ => (-x, -y, -z),
    };
    let half = f32x8::splat(0.5);
    let scale = half / major.max(f32x8::splat(f32::MIN_POSITIVE));
    [s * scale + half, t * scale + half]
}

/// The curve of sRGB as a table: values of bytes, and where the rounding to each byte begins.
struct Curve {
    linear: [f32; 256],
    start: [f32; 256],
}

impl Curve {
    fn new() -> Curve {
        Curve {
            linear: std::array::from_fn(|i| linear_of_srgb(i as f32 / 255.0)),
            start: std::array::from_fn(|i| linear_of_srgb((i as f32 - 0.5) / 255.0)),
        }
    }

    /// The byte nearest to a linear value.
    fn byte(&self, linear: f32) -> u8 {
        (self.start.partition_point(|&start| start <= linear).max(1) - 1) as u8
    }
}

fn linear_of_srgb(x: f32) -> f32 {
    if x <= 0.04045 { x / 12.92 } else { libm::powf((x + 0.055) / 1.055, 2.4) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampling_is_linear_between_texels_and_repeats() {
        let data = [0, 0, 0, 200, 200, 200];
        let picture = Pyramid::new([2, 1], 3, &data, false, true);
        let at = |s: f32| picture.sample(s, 0.5, 0.0)[0];
        assert_eq!(at(0.25), 0.0);
        assert_eq!(at(0.75), 200.0);
        assert_eq!(at(0.5), 100.0);
        assert_eq!(at(1.5), 100.0);
        assert_eq!(at(0.0), 100.0);
        assert_eq!(picture.sample(0.3, 0.1, 1.0)[0], 100.0);
    }

    #[test]
    fn eight_places_are_sampled_as_one_is() {
        let data: Vec<u8> = (0..3 * 16 * 8).map(|i| (i * 37 % 251) as u8).collect();
        let s: [f32; 8] = std::array::from_fn(|i| 0.37 * i as f32 - 1.1);
        let t: [f32; 8] = std::array::from_fn(|i| 0.91 - 0.23 * i as f32);
        let lod: [f32; 8] = std::array::from_fn(|i| 0.7 * i as f32 - 1.0);
        for repeat in [true, false] {
            let picture = Pyramid::new([16, 8], 3, &data, false, repeat);
            let eight = picture.sample8(s.into(), t.into(), lod.into(), 255);
            for lane in 0..8 {
                let one = picture.sample(s[lane], t[lane], lod[lane]);
                for k in 0..4 {
                    let got = eight[k].to_array()[lane];
                    assert!((got - one[k]).abs() < 1e-3, "{lane} {k}: {got} {}", one[k]);
                }
            }
        }
    }

    #[test]
    fn places_that_are_no_numbers_do_not_panic() {
        for repeat in [true, false] {
            let picture = Pyramid::new([2, 2], 3, &[7; 12], false, repeat);
            for bad in [f32::NAN, f32::INFINITY, -1e30] {
                picture.sample(bad, bad, bad);
                picture.sample(bad, 0.0, 0.5);
                let bad = f32x8::splat(bad);
                picture.sample8(bad, bad, f32x8::ZERO, 255);
                picture.sample8(bad, bad, bad, 255);
            }
            assert_eq!(picture.sample(0.0, 0.0, f32::NAN)[0], 7.0);
        }
    }

    #[test]
    fn pictures_go_on_beyond_their_sides() {
        let data: Vec<u8> = (0..12).map(|i| 20 * (i / 3) as u8).collect();
        let at = |repeat: bool, s: f32| {
            Pyramid::new([4, 1], 3, &data, false, repeat).sample(s, 0.5, 0.0)[0]
        };
        assert_eq!([at(true, 0.0), at(true, 1.0), at(true, -0.125)], [30.0, 30.0, 60.0]);
        assert_eq!([at(false, 0.0), at(false, 1.0), at(false, -5.0)], [0.0, 60.0, 0.0]);
    }
}
