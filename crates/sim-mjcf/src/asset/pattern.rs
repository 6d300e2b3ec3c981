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
            let squared = Level {
                of: |x, y| x * x + y * y,
                at: |r| 0.25 * (r + 1.0) * (r + 1.0),
                even: true,
            };
            gradient([rgb2, rgb1], width, height, out, &squared, |x, y| {
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
    // the same in terms of squares: of the tangent to the vertical axis, of the sine with its sign
    let from_axis = |x: f64, y: f64| x * x + y * y;
    let axis_level = |at: f64| {
        let angle = (1.0 - at) * (0.5 * PI);
        // beyond the corners of a face it does not matter
        if angle < 0.4 * PI { libm::tan(angle) * libm::tan(angle) } else { f64::MAX }
    };
    let height = |x: f64, y: f64| y * y.abs() / (1.0 + x * x + y * y);
    let height_level = |at: f64| {
        let sine = libm::sin(at * (0.5 * PI));
        sine * sine.abs()
    };
    for face in 0..6 {
        let (before, side) = out.split_at_mut(face * area);
        let side = &mut side[..area];
        match (texture.builtin, face) {
            (Builtin::None, _) => {}
            (Builtin::Gradient, 2) => {
                let level = Level { of: from_axis, at: |at: f64| axis_level(at), even: true };
                gradient([rgb1, rgb2], width, width, side, &level, |x, y| {
                    blend(rgb1, rgb2, up(x, y))
                });
            }
            (Builtin::Gradient, 3) => {
                let level = Level { of: from_axis, at: |at: f64| axis_level(-at), even: true };
                gradient([rgb1, rgb2], width, width, side, &level, |x, y| {
                    blend(rgb1, rgb2, -up(x, y))
                });
            }
            (Builtin::Gradient, 0) => {
                let level = Level { of: height, at: height_level, even: false };
                gradient([rgb1, rgb2], width, width, side, &level, |x, y| {
                    blend(rgb1, rgb2, ahead(x, y))
                });
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

/// A quantity that orders the pixels of a gradient as their position along it does, and is cheap:
/// `of(x, y)`, and its value where the position is `at`. Left and right are alike; so are above and
/// below if `even`.
struct Level<K, A> {
    of: K,
    at: A,
    even: bool,
}

/// Paints rows of pixels by their coordinates, x to the right and y up.
///
/// The colour is that of [`blend`] at a position along the gradient. Its bytes change at a few
/// hundred positions. These are known as levels, so that a pixel is painted like any other between
/// the same two levels, its mirror image for one. Pixels too near to a level to tell, by rounding,
/// get a colour of their own.
fn gradient(
    colors: [&Rgb; 2],
    width: usize,
    height: usize,
    out: &mut [u8],
    level: &Level<impl Fn(f64, f64) -> f64, impl Fn(f64) -> f64>,
    color: impl Fn(f64, f64) -> [u8; 3],
) {
    const NEAR: f64 = 1e-9;
    let pixels = &mut out.as_chunks_mut::<3>().0[..width * height];
    let xs: Vec<f64> = (0..width).map(|j| coordinate(j, width)).collect();
    let ys: Vec<f64> = (0..height).map(|i| -coordinate(i, height)).collect();
    let Some(mut levels) = positions_of_change(colors) else {
        for (row, &y) in pixels.chunks_exact_mut(width).zip(&ys) {
            row.iter_mut().zip(&xs).for_each(|(pixel, &x)| *pixel = color(x, y));
        }
        return;
    };
    levels.iter_mut().for_each(|at| *at = (level.at)(*at));
    levels.sort_by(f64::total_cmp);
    // sentinels spare the search its bounds
    levels.insert(0, f64::NEG_INFINITY);
    levels.push(f64::INFINITY);
    let mut known: Vec<Option<[u8; 3]>> = vec![None; levels.len()];
    let mut near = Vec::new();
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut below = 0;
    let painted = if level.even { half_height } else { height };
    for (i, (row, &y)) in pixels.chunks_exact_mut(width).zip(&ys).take(painted).enumerate() {
        for (j, (&x, pixel)) in xs.iter().zip(&mut *row).take(half_width).enumerate() {
            let here = (level.of)(x, y);
            // neighbours are near each other along the gradient
            while levels[below] > here {
                below -= 1;
            }
            while levels[below + 1] <= here {
                below += 1;
            }
            if here - levels[below] < NEAR || levels[below + 1] - here < NEAR {
                near.push((i, j));
            } else {
                *pixel = *known[below].get_or_insert_with(|| color(x, y));
            }
        }
        let (left, right) = row.split_at_mut(half_width);
        right.iter_mut().zip(left[..width / 2].iter().rev()).for_each(|(to, from)| *to = *from);
    }
    if level.even {
        let (above, below) = pixels.split_at_mut(half_height * width);
        let mirrored = above.chunks_exact(width).take(height / 2).rev();
        below.chunks_exact_mut(width).zip(mirrored).for_each(|(to, from)| to.copy_from_slice(from));
    }
    for (i, j) in near {
        let rows = [i, if level.even { height - 1 - i } else { i }];
        for i in rows {
            for j in [j, width - 1 - j] {
                pixels[i * width + j] = color(xs[j], ys[i]);
            }
        }
    }
}

/// Positions along a gradient at which a byte of its colour changes; none if the colours are so
/// near each other that rounding would decide where that is.
fn positions_of_change([first, second]: [&Rgb; 2]) -> Option<Vec<f64>> {
    let mut positions = Vec::new();
    for (&a, &b) in first.iter().zip(second) {
        if a == b {
            continue;
        }
        if !((a - b).abs() > 1e-3 && a.abs().max(b.abs()) <= 1.0) {
            return None;
        }
        let (low, high) = ((255.0 * a.min(b)).floor() as i32, (255.0 * a.max(b)).ceil() as i32);
        for byte in low..=high {
            let alpha = ((f64::from(byte) / 255.0 - b) / (a - b)).clamp(0.0, 1.0);
            let sine = (2.0 * alpha - 1.0) * f64::sqrt(0.5);
            positions.push(sine / (1.0 - sine * sine).sqrt());
        }
    }
    Some(positions)
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
    let rows = out.as_chunks_mut::<3>().0.chunks_exact_mut(width.max(1)).take(height);
    for (i, row) in rows.enumerate() {
        let (left, right) = row.split_at_mut(width / 2);
        let colors = if i < height / 2 { [first, second] } else { [second, first] };
        left.fill(colors[0]);
        right.fill(colors[1]);
    }
}

/// Paints an edge or a cross.
fn mark(texture: &Texture, width: usize, height: usize, out: &mut [u8]) {
    let color = bytes(&texture.markrgb);
    let (marked_rows, marked_columns) = match texture.mark {
        Mark::Edge => ([0, height - 1], [0, width - 1]),
        Mark::Cross => ([height / 2; 2], [width / 2; 2]),
        Mark::None | Mark::Random => return,
    };
    let rows = out.as_chunks_mut::<3>().0.chunks_exact_mut(width).take(height);
    for (i, row) in rows.enumerate() {
        if marked_rows.contains(&i) {
            row.fill(color);
        }
        marked_columns.into_iter().for_each(|j| row[j] = color);
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
        let colors = [
            [[0.3, 0.5, 0.7], [0.0, 0.0, 0.0]],
            [[1.0, 1.0, 1.0], [0.0, 0.2, 0.2]],
            [[0.1, 0.9, 0.5], [0.8, 0.2, 0.5]],
            // too near each other for levels
            [[0.2, 0.4, 0.6], [0.2 + 1e-5, 0.4, 0.6]],
            [[0.0, 1.0, 0.5], [1.0, 0.0, 0.5 + 2e-3]],
        ];
        for ([rgb1, rgb2], width) in
            colors.into_iter().flat_map(|colors| [1, 2, 7, 100, 129].map(|width| (colors, width)))
        {
            let texture = Texture { builtin: Builtin::Gradient, rgb1, rgb2, ..Texture::default() };
            let mut cube = vec![0; 18 * width * width];
            paint_cube(&texture, width, &mut cube);
            let mut flat = vec![0; 3 * width * width];
            paint_flat(&texture, width, width, &mut flat);
            let (cube, flat) = (cube.as_chunks::<3>().0, flat.as_chunks::<3>().0);
            for pixel in 0..width * width {
                let (x, y) = (coordinate(pixel % width, width), -coordinate(pixel / width, width));
                let length = (1.0 + x * x + y * y).sqrt();
                let up = 1.0 - libm::acos(1.0 / length) / (0.5 * PI);
                let ahead = libm::asin(y / length) / (0.5 * PI);
                for (face, at) in [ahead, ahead, up, -up, ahead, ahead].into_iter().enumerate() {
                    let found = cube[face * width * width + pixel];
                    assert_eq!(found, blend(&rgb1, &rgb2, at), "face {face}, {pixel} of {width}²");
                }
                let radius = 2.0 * (x * x + y * y).sqrt() - 1.0;
                assert_eq!(flat[pixel], blend(&rgb2, &rgb1, radius), "{pixel} of {width}²");
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
