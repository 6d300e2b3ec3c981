//! Textures that the compiler makes: gradient, checker and flat, with marks.

use std::f64::consts::PI;

use crate::spec::{Builtin, Mark, Texture};

type Rgb = [f64; 3];

/// Paints a picture of `width` by `height` pixels, three bytes each.
pub(super) fn paint_flat(texture: &Texture, width: usize, height: usize, out: &mut [u8]) {
    let Texture { rgb1, rgb2, .. } = texture;
    match texture.builtin {
        Builtin::None => {}
        Builtin::Gradient => {
            gradient(width, height, out, |x, y| {
                let radius = 2.0 * (x * x + y * y).sqrt() - 1.0;
                blend(rgb2, rgb1, radius)
            });
        }
        Builtin::Checker => checker(rgb1, rgb2, width, height, out),
        Builtin::Flat => fill(rgb1, width * height, out),
    }
    mark(texture, width, height, out);
    if texture.mark == Mark::Random {
        dots(texture, width * height, out);
    }
}

/// Paints the six faces of a cube, each `width` by `width` pixels of three bytes: right, left, up,
/// down, front, back.
pub(super) fn paint_cube(texture: &Texture, width: usize, out: &mut [u8]) {
    let Texture { rgb1, rgb2, .. } = texture;
    let area = 3 * width * width;
    // elevation of the direction through a pixel, 1 at the top
    let length = |x: f64, y: f64| (1.0 + x * x + y * y).sqrt();
    let up = |x, y| 1.0 - libm::acos(1.0 / length(x, y)) / (0.5 * PI);
    let ahead = |x, y| libm::asin(y / length(x, y)) / (0.5 * PI);
    for face in 0..6 {
        let (before, side) = out.split_at_mut(face * area);
        let side = &mut side[..area];
        match (texture.builtin, face) {
            (Builtin::None, _) => {}
            (Builtin::Gradient, 2) => {
                gradient(width, width, side, |x, y| blend(rgb1, rgb2, up(x, y)));
            }
            (Builtin::Gradient, 3) => {
                gradient(width, width, side, |x, y| blend(rgb1, rgb2, -up(x, y)));
            }
            (Builtin::Gradient, 0) => {
                gradient(width, width, side, |x, y| blend(rgb1, rgb2, ahead(x, y)));
            }
            // the sides are alike, with their marks
            (Builtin::Gradient, _) => side.copy_from_slice(&before[..area]),
            (Builtin::Checker, 0..4) => checker(rgb1, rgb2, width, width, side),
            (Builtin::Checker, _) => checker(rgb2, rgb1, width, width, side),
            (Builtin::Flat, 3) => fill(rgb2, width * width, side),
            (Builtin::Flat, _) => fill(rgb1, width * width, side),
        }
        mark(texture, width, width, side);
    }
    if texture.mark == Mark::Random {
        dots(texture, 6 * width * width, out);
    }
}

/// Paints rows of pixels by their coordinates, x to the right and y up.
///
/// The colour is a function of a quantity that rises or falls from the edge of a row to its middle,
/// in every channel: between two pixels of the same colour all are the same.
fn gradient(width: usize, height: usize, out: &mut [u8], color: impl Fn(f64, f64) -> [u8; 3]) {
    let rows = out.as_chunks_mut::<3>().0.chunks_exact_mut(width).take(height);
    let mut open = Vec::new();
    for (i, row) in rows.enumerate() {
        let y = -coordinate(i, height);
        let color = |j: usize| color(coordinate(j, width), y);
        for (first, end) in [(0, width / 2), (width / 2, width)] {
            if first == end {
                continue;
            }
            (row[first], row[end - 1]) = (color(first), color(end - 1));
            open.push((first, end - 1));
            while let Some((left, right)) = open.pop() {
                if row[left] == row[right] {
                    let same = row[left];
                    row[left..right].fill(same);
                } else if right - left > 1 {
                    let middle = left.midpoint(right);
                    row[middle] = color(middle);
                    open.extend([(left, middle), (middle, right)]);
                }
            }
        }
    }
}

/// Where pixel `i` of `count` is between −1 and 1.
fn coordinate(i: usize, count: usize) -> f64 {
    (2 * i) as f64 / (count as f64 - 1.0) - 1.0
}

/// A colour as bytes.
fn bytes(rgb: &Rgb) -> [u8; 3] {
    rgb.map(|x| (255.0 * x) as u8)
}

/// Mixes two colours along a sigmoid: the first at 1, the second at −1.
fn blend(first: &Rgb, second: &Rgb, at: f64) -> [u8; 3] {
    let scale = 1.0 / f64::sqrt(2.0);
    let alpha = (0.5 * (1.0 + at / (1.0 + at * at).sqrt() / scale)).clamp(0.0, 1.0);
    bytes(&std::array::from_fn(|j| alpha * first[j] + (1.0 - alpha) * second[j]))
}

fn fill(rgb: &Rgb, pixels: usize, out: &mut [u8]) {
    out.as_chunks_mut::<3>().0.iter_mut().take(pixels).for_each(|pixel| *pixel = bytes(rgb));
}

/// Paints two squares of each colour; the first is at the top left.
fn checker(first: &Rgb, second: &Rgb, width: usize, height: usize, out: &mut [u8]) {
    let (first, second) = (bytes(first), bytes(second));
    for (i, pixel) in out.as_chunks_mut::<3>().0.iter_mut().take(width * height).enumerate() {
        let same = (i / width < height / 2) == (i % width < width / 2);
        *pixel = if same { first } else { second };
    }
}

/// Paints an edge or a cross.
fn mark(texture: &Texture, width: usize, height: usize, out: &mut [u8]) {
    let color = bytes(&texture.markrgb);
    let marked: &dyn Fn(usize, usize) -> bool = match texture.mark {
        Mark::Edge => {
            &|row, column| row == 0 || row == height - 1 || column == 0 || column == width - 1
        }
        Mark::Cross => &|row, column| row == height / 2 || column == width / 2,
        Mark::None | Mark::Random => return,
    };
    for (i, pixel) in out.as_chunks_mut::<3>().0.iter_mut().take(width * height).enumerate() {
        if marked(i / width, i % width) {
            *pixel = color;
        }
    }
}

/// Paints random dots, the same ones every time.
fn dots(texture: &Texture, pixels: usize, out: &mut [u8]) {
    if texture.random <= 0.0 {
        return;
    }
    let color = bytes(&texture.markrgb);
    let mut random = Twister::new(42);
    let limit = limit(texture.random);
    for pixel in out.as_chunks_mut::<3>().0.iter_mut().take(pixels) {
        if limit.is_none_or(|limit| random.next() < limit) {
            *pixel = color;
        }
    }
}

/// The least number of 64 bits that is not below `probability` as a fraction of one; none if all
/// are below.
fn limit(probability: f64) -> Option<u64> {
    let below = |x: u64| (x as f64 / 18_446_744_073_709_551_616.0) < probability;
    if below(u64::MAX) {
        return None;
    }
    let (mut low, mut high) = (0, u64::MAX);
    while low < high {
        let middle = low.midpoint(high);
        (low, high) = if below(middle) { (middle + 1, high) } else { (low, middle) };
    }
    Some(low)
}

/// The 64-bit Mersenne twister. Matsumoto and Nishimura, Mersenne Twister (1998).
struct Twister {
    state: [u64; Twister::N],
    at: usize,
}

impl Twister {
    const N: usize = 312;
    const M: usize = 156;

    fn new(seed: u64) -> Twister {
        let mut state = [seed; Twister::N];
        for i in 1..Twister::N {
            let last = state[i - 1];
            state[i] = (last ^ (last >> 62))
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(i as u64);
        }
        Twister { state, at: Twister::N }
    }

    /// Renews word `i` from the next one and one further on.
    fn twist(&mut self, i: usize, next: usize, far: usize) {
        let x = (self.state[i] & !0x7FFF_FFFF) | (self.state[next] & 0x7FFF_FFFF);
        self.state[i] = self.state[far] ^ (x >> 1) ^ ((x & 1) * 0xB502_6F5A_A966_19E9);
    }

    fn next(&mut self) -> u64 {
        if self.at == Twister::N {
            let (n, m) = (Twister::N, Twister::M);
            (0..n - m).for_each(|i| self.twist(i, i + 1, i + m));
            (n - m..n - 1).for_each(|i| self.twist(i, i + 1, i + m - n));
            self.twist(n - 1, 0, m - 1);
            self.at = 0;
        }
        let mut x = self.state[self.at];
        self.at += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71D6_7FFF_EDA6_0000;
        x ^= (x << 37) & 0xFFF7_EEE0_0000_0000;
        x ^ (x >> 43)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_twister_gives_the_published_number() {
        let mut random = Twister::new(5489);
        for _ in 1..10_000 {
            random.next();
        }
        assert_eq!(random.next(), 9_981_545_732_273_789_042);
    }

    #[test]
    fn a_gradient_is_the_same_as_pixel_by_pixel() {
        for (width, height) in [(1, 1), (2, 3), (7, 5), (64, 33)] {
            let color = |x: f64, y: f64| blend(&[1.0, 0.2, 0.5], &[0.0, 0.9, 0.4], x * x + y);
            let mut out = vec![7; 3 * width * height];
            gradient(width, height, &mut out, color);
            for (i, pixel) in out.as_chunks::<3>().0.iter().enumerate() {
                let (x, y) = (coordinate(i % width, width), -coordinate(i / width, height));
                assert_eq!(*pixel, color(x, y), "pixel {i} of {width} x {height}");
            }
        }
    }

    #[test]
    fn dots_are_as_frequent_as_asked_for() {
        assert_eq!((limit(0.5), limit(1.0)), (Some((1 << 63) - 512), Some(u64::MAX - 1023)));
        assert_eq!(limit(1.1), None);
    }

    #[test]
    fn a_checker_has_its_first_colour_at_the_top_left() {
        let texture = Texture {
            builtin: Builtin::Checker,
            rgb1: [1.0, 0.0, 0.0],
            rgb2: [0.0, 0.0, 1.0],
            ..Texture::default()
        };
        let mut out = [0; 12];
        paint_flat(&texture, 2, 2, &mut out);
        assert_eq!(out, [255, 0, 0, 0, 0, 255, 0, 0, 255, 255, 0, 0]);
    }

    #[test]
    fn a_flat_cube_has_its_second_colour_at_the_bottom() {
        let texture = Texture {
            builtin: Builtin::Flat,
            rgb1: [1.0; 3],
            rgb2: [0.0; 3],
            ..Texture::default()
        };
        let mut out = [9; 18];
        paint_cube(&texture, 1, &mut out);
        assert_eq!(out[..9], [255; 9]);
        assert_eq!(out[9..12], [0; 3]);
        assert_eq!(out[12..], [255; 6]);
    }
}
