//! Textures as pages get them: halved until all of a model together are of a size that a page can take.

use std::borrow::Cow;

use sim_core::Model;

use crate::json::Json;
use crate::wire::Message;

/// Bytes of all textures of a model together, at most.
const MAX_BYTES: usize = 24 << 20;
/// Pixels along a side, at most; more than that not every browser takes.
const MAX_SIDE: usize = 4096;
/// `mjTEXTURE_2D`: one image, where the others are the sides of a cube below each other.
const FLAT: i32 = 0;

/// A texture, perhaps smaller than that of the model.
struct Image<'a> {
    width: usize,
    height: usize,
    channels: usize,
    pixels: Cow<'a, [u8]>,
}

impl<'a> Image<'a> {
    /// A texture of a model; without pixels if its sizes are not those of its data.
    fn of(model: &'a Model, id: usize) -> Image<'a> {
        let [width, height, channels] =
            [model.tex_width[id], model.tex_height[id], model.tex_nchannel[id]]
                .map(|n| n.max(0) as usize);
        let start = usize::try_from(model.tex_adr[id]).unwrap_or(usize::MAX);
        let size = width.saturating_mul(height).saturating_mul(channels);
        let pixels = model.tex_data.get(start..start.saturating_add(size)).unwrap_or_default();
        Image { width, height, channels, pixels: Cow::Borrowed(pixels) }
    }

    /// Half as wide and high: each pixel is the mean of four. Last rows and columns of odd number
    /// are left out.
    fn halved(&self) -> Image<'static> {
        let (width, height, channels) = (self.width / 2, self.height / 2, self.channels);
        let mut pixels = Vec::with_capacity(width * height * channels);
        let stride = self.width * channels;
        for rows in self.pixels.chunks_exact(2 * stride) {
            let (upper, lower) = rows.split_at(stride);
            for (upper, lower) in
                upper.chunks_exact(2 * channels).zip(lower.chunks_exact(2 * channels))
            {
                pixels.extend((0..channels).map(|c| {
                    let sum = [upper[c], upper[c + channels], lower[c], lower[c + channels]];
                    ((sum.map(u32::from).iter().sum::<u32>() + 2) / 4) as u8
                }));
            }
        }
        Image { width, height, channels, pixels: Cow::Owned(pixels) }
    }
}

/// How often a texture is halved so that no side is longer than `side`. The sides of a cube must not
/// run into each other: they are halved while they are even.
fn halvings(model: &Model, id: usize, side: usize) -> u32 {
    let Image { mut width, mut height, .. } = Image::of(model, id);
    let mut count = 0;
    while width.max(height) > side
        && width.min(height) > 1
        && (model.tex_type[id] == FLAT || width.is_multiple_of(2))
    {
        (width, height, count) = (width / 2, height / 2, count + 1);
    }
    count
}

/// The longest side that textures may have, so that all together are small enough.
fn longest_side(model: &Model) -> usize {
    let bytes = |side: usize| -> usize {
        let of = |id| Image::of(model, id).pixels.len() >> (2 * halvings(model, id, side));
        (0..model.ntex).map(of).sum()
    };
    let sides = std::iter::successors(Some(MAX_SIDE), |side| Some(side / 2));
    sides.take_while(|&side| side > 0).find(|&side| bytes(side) <= MAX_BYTES).unwrap_or(1)
}

/// Describes all textures: rows as differences to the row before, which compress well.
pub(crate) fn describe_textures(json: &mut Json, model: &Model, blob: &mut Message) {
    let side = longest_side(model);
    json.list("textures", 0..model.ntex, |json, id| {
        let mut image = Image::of(model, id);
        if !image.pixels.is_empty() {
            (0..halvings(model, id, side)).for_each(|_| image = image.halved());
        }
        let Image { width, height, channels, pixels } = &image;
        json.member("kind", model.tex_type[id]).member("width", *width).member("height", *height);
        json.member("channels", *channels).member("srgb", model.tex_colorspace[id] == 2);
        json.member("data", blob.len()).member("count", pixels.len());
        let above = std::iter::repeat_n(0, width * channels).chain(pixels.iter().copied());
        let delta: Vec<u8> = pixels.iter().zip(above).map(|(x, y)| x.wrapping_sub(y)).collect();
        blob.bytes(&delta);
        blob.pad();
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model with textures of these sizes.
    fn model(sizes: &[(usize, usize)]) -> Model {
        let texture = |(i, (width, height)): (usize, &(usize, usize))| {
            format!(
                r#"<texture name="t{i}" type="2d" builtin="flat" rgb1=".5 .5 .5" width="{width}" height="{height}"/>"#
            )
        };
        let textures: String = sizes.iter().enumerate().map(texture).collect();
        sim_mjcf::load_str(&format!("<mujoco><asset>{textures}</asset></mujoco>")).unwrap().model
    }

    #[test]
    fn small_textures_stay_as_they_are() {
        let model = model(&[(640, 480), (3, 5)]);
        assert_eq!(longest_side(&model), MAX_SIDE);
        assert_eq!((halvings(&model, 0, MAX_SIDE), halvings(&model, 1, MAX_SIDE)), (0, 0));
    }

    #[test]
    fn many_large_textures_are_halved_until_all_fit() {
        let model = model(&[(2048, 2048), (2048, 2048), (2048, 2048), (512, 512)]);
        let side = longest_side(&model);
        assert_eq!(side, 1024);
        assert_eq!([0, 1, 2, 3].map(|id| halvings(&model, id, side)), [1, 1, 1, 0]);
    }

    #[test]
    fn a_pixel_of_a_halved_image_is_the_mean_of_four() {
        let pixels = vec![0, 10, 100, 110, 7, 7, 10, 20, 110, 120, 7, 7];
        let image = Image { width: 3, height: 2, channels: 2, pixels: Cow::Owned(pixels) };
        let half = image.halved();
        assert_eq!((half.width, half.height), (1, 1));
        assert_eq!(half.pixels[..], [55, 65]);
    }
}
