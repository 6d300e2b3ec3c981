//! Colours of the pixels of a tile, while they are drawn.

use crate::geometry::TILE;
use crate::vector::{V3, f32x8, load};

const PIXELS: usize = TILE * TILE;

/// Colours up to 255. A pixel has one colour until its samples differ.
#[derive(Debug)]
pub(crate) struct Colors {
    /// By channel and pixel.
    color: [Vec<f32>; 3],
    /// By channel and sample, of pixels whose samples differ.
    sampled: [Vec<f32>; 3],
    differs: [bool; PIXELS],
    /// The pixels whose samples differ.
    mixed: Vec<u16>,
    /// Whether something will be blended, so that samples have to be told apart.
    kept: bool,
    /// Samples per pixel.
    count: usize,
}

/// Draws a colour over another, and rounds as bytes do. `kept` is the part of the old that is left.
fn over(old: f32, kept: f32, more: f32) -> f32 {
    ((kept * old + more).min(255.0) + 0.5).floor()
}

impl Colors {
    pub(crate) fn new(count: usize) -> Colors {
        Colors {
            color: std::array::from_fn(|_| vec![0.0; PIXELS]),
            sampled: std::array::from_fn(|_| vec![0.0; PIXELS * count]),
            differs: [false; PIXELS],
            mixed: Vec::new(),
            kept: false,
            count,
        }
    }

    /// Makes everything black. `keep` says whether something will be blended.
    pub(crate) fn clear(&mut self, keep: bool) {
        self.kept = keep;
        self.color.iter_mut().for_each(|channel| channel.fill(0.0));
        self.differs.fill(false);
        self.mixed.clear();
    }

    /// The bits of all samples of a pixel.
    pub(crate) fn all(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// Gives each sample of a pixel its own colour.
    fn split(&mut self, pixel: usize) {
        if self.differs[pixel] {
            return;
        }
        self.differs[pixel] = true;
        self.mixed.push(pixel as u16);
        for (color, sampled) in self.color.iter().zip(&mut self.sampled) {
            sampled[pixel * self.count..(pixel + 1) * self.count].fill(color[pixel]);
        }
    }

    /// Sets the samples in `bits` of a pixel, which had none.
    pub(crate) fn set(&mut self, pixel: usize, bits: u32, value: V3) {
        if bits == self.all() && !self.differs[pixel] {
            (0..3).for_each(|k| self.color[k][pixel] = value[k]);
            return;
        }
        if !self.kept {
            let part = bits.count_ones() as f32 / self.count as f32;
            (0..3).for_each(|k| self.color[k][pixel] += part * value[k]);
            return;
        }
        self.split(pixel);
        for (sampled, value) in self.sampled.iter_mut().zip(value) {
            let samples = sampled[pixel * self.count..].iter_mut().take(self.count).enumerate();
            for (s, out) in samples {
                *out = if bits >> s & 1 != 0 { value } else { *out };
            }
        }
    }

    /// Sets all samples of eight neighbours, which had none.
    #[inline]
    pub(crate) fn set_eight(&mut self, pixel: usize, values: &[[f32; 8]; 3]) {
        for (channel, values) in self.color.iter_mut().zip(values) {
            channel[pixel..pixel + 8].copy_from_slice(values);
        }
    }

    /// Draws up to eight fragments over neighbouring pixels, given by pixels and samples. `kept` is
    /// the part of the old colours that is left.
    pub(crate) fn blend(
        &mut self,
        run: &[(usize, u32)],
        color: &[f32x8; 3],
        alpha: f32x8,
        kept: f32x8,
    ) {
        let Some(&(first, _)) = run.first() else { return };
        let all = self.all();
        let more = color.map(|color| alpha * color);
        let plain = |&(pixel, bits): &(usize, u32)| bits == all && !self.differs[pixel];
        if run.len() == 8 && run.iter().all(plain) {
            for (channel, more) in self.color.iter_mut().zip(more) {
                let mixed = kept * load(&channel[first..]) + more;
                let mixed = (mixed.fast_min(f32x8::splat(255.0)) + f32x8::splat(0.5)).floor();
                channel[first..first + 8].copy_from_slice(&mixed.to_array());
            }
            return;
        }
        let (kept, more) = (kept.to_array(), more.map(|more| more.to_array()));
        for (lane, &(pixel, bits)) in run.iter().enumerate() {
            if bits == all && !self.differs[pixel] {
                for (channel, more) in self.color.iter_mut().zip(&more) {
                    channel[pixel] = over(channel[pixel], kept[lane], more[lane]);
                }
                continue;
            }
            self.split(pixel);
            for (sampled, more) in self.sampled.iter_mut().zip(&more) {
                let samples = sampled[pixel * self.count..].iter_mut().take(self.count).enumerate();
                for (s, out) in samples {
                    let mixed = over(*out, kept[lane], more[lane]);
                    *out = if bits >> s & 1 != 0 { mixed } else { *out };
                }
            }
        }
    }

    /// Gives pixels whose samples differ the mean of their samples.
    pub(crate) fn resolve(&mut self) {
        for &pixel in &self.mixed {
            let pixel = pixel as usize;
            for (color, sampled) in self.color.iter_mut().zip(&self.sampled) {
                let samples = &sampled[pixel * self.count..(pixel + 1) * self.count];
                color[pixel] = samples.iter().sum::<f32>() / self.count as f32;
            }
        }
    }

    /// Writes the colours as bytes; there is room for one byte more.
    pub(crate) fn round(&self, bytes: &mut [u8]) {
        for at in (0..PIXELS).step_by(8) {
            let round =
                |channel: &Vec<f32>| (load(&channel[at..]) + f32x8::splat(0.5)).fast_trunc_int();
            let [r, g, b] = self.color.each_ref().map(round);
            let four = (r | g << 8_i32 | b << 16_i32).to_array();
            let out = &mut bytes[3 * at..3 * at + 25];
            for (lane, rgb) in four.into_iter().enumerate() {
                // the fourth byte is overwritten by the next pixel
                out[3 * lane..3 * lane + 4].copy_from_slice(&rgb.to_le_bytes());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(colors: &Colors) -> Vec<u8> {
        let mut bytes = vec![0; 3 * PIXELS + 1];
        colors.round(&mut bytes);
        bytes
    }

    #[test]
    fn a_pixel_is_the_mean_of_its_samples_whether_or_not_they_are_told_apart() {
        let draw = |keep: bool| {
            let mut colors = Colors::new(4);
            colors.clear(keep);
            colors.set_eight(8, &[[40.0; 8], [80.0; 8], [120.0; 8]]);
            colors.set(3, 0b0111, [100.0, 0.0, 8.0]);
            colors.set(3, 0b1000, [0.0, 200.0, 8.0]);
            colors.set(4, 0b1111, [7.0; 3]);
            colors.set(5, 0b0001, [200.0; 3]);
            colors.resolve();
            bytes(&colors)
        };
        let told_apart = draw(true);
        assert_eq!(draw(false), told_apart);
        assert_eq!(told_apart[9..18], [75, 50, 8, 7, 7, 7, 50, 50, 50]);
        assert_eq!(told_apart[24..27], [40, 80, 120]);
    }

    #[test]
    fn blending_is_the_same_for_eight_pixels_and_for_one() {
        let color = [200.0, 100.0, 0.0].map(f32x8::splat);
        let alpha = f32x8::new([0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0]);
        let draw = |runs: &[std::ops::Range<usize>], bits: &[u32]| {
            let mut colors = Colors::new(4);
            colors.clear(true);
            colors.set_eight(0, &[[10.0; 8], [200.0; 8], [255.0; 8]]);
            for range in runs {
                for &bits in bits {
                    let run: Vec<(usize, u32)> = range.clone().map(|pixel| (pixel, bits)).collect();
                    let mut part = alpha.to_array();
                    part.rotate_left(range.start);
                    let alpha = f32x8::new(part);
                    colors.blend(&run, &color, alpha, f32x8::ONE - alpha);
                }
            }
            colors.resolve();
            bytes(&colors)[..24].to_vec()
        };
        let one_by_one: Vec<std::ops::Range<usize>> = (0..8).map(|i| i..i + 1).collect();
        let all = std::slice::from_ref(&(0..8));
        let whole = draw(all, &[15]);
        assert_eq!(draw(&one_by_one, &[15]), whole);
        assert_eq!(draw(all, &[0b0101, 0b1010]), whole);
        assert_eq!(whole[12..15], [105, 150, 128]);
    }
}
