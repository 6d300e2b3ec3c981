//! Filling tiles: which triangle is in front at each sample.

use std::ops::Range;

use crate::geometry::{Setup, TILE};
use crate::vector::{f32x8, f64x4, i32x8};

/// No triangle.
pub(crate) const NOTHING: u32 = u32::MAX;
/// Places of four samples in a pixel, in eighths from its lower left.
const FOUR: [[i32; 2]; 4] = [[3, 1], [7, 3], [1, 5], [5, 7]];
/// Place of a single sample.
const ONE: [i32; 2] = [4, 4];
const PIXELS: usize = TILE * TILE;

/// Depths and triangles at the samples of a tile; samples of a pixel are neighbours.
#[derive(Debug)]
pub(crate) struct Samples {
    pub(crate) depth: Vec<f32>,
    pub(crate) triangle: Vec<u32>,
    /// Samples per pixel: 1 or 4.
    pub(crate) count: usize,
    columns: Columns,
}

/// Depths of a triangle along a row, by eight samples, without what the row adds.
type Columns = [[f64x4; 2]; TILE / 2];

/// A triangle in a tile: edge functions, relative to the tile and in eighths of pixels, and depth.
pub(crate) struct InTile {
    edges: [(i32, i32, i32); 3],
    /// Number of edges that cross the tile.
    crossing: usize,
    /// As a [`Setup`] has it.
    depth: [f64; 3],
    /// The first pixel of the tile.
    corner: [i32; 2],
    rows: [i32; 2],
    columns: [i32; 2],
}

impl InTile {
    /// `None` if the triangle misses the tile.
    pub(crate) fn new(setup: &Setup, column: usize, row: usize) -> Option<InTile> {
        let (x, y) = ((column * TILE) as i64, (row * TILE) as i64);
        let (mut edges, mut crossing) = ([(0, 0, 0); 3], 0);
        for e in 0..3 {
            let [a, b, c] = setup.edge(e);
            // samples are at multiples of 1/8 pixel, so units of 32/256 lose nothing
            let c = (c + (a * x + b * y) * 256) >> 5;
            let span = 8 * TILE as i64;
            let (low, high) =
                (a.min(0) * span + b.min(0) * span, a.max(0) * span + b.max(0) * span);
            if c + high < 0 {
                return None;
            }
            if c + low < 0 {
                edges[crossing] = (a as i32, b as i32, c as i32);
                crossing += 1;
            }
        }
        let (columns, rows) = (clip(setup, 0, column), clip(setup, 1, row));
        (columns[0] <= columns[1] && rows[0] <= rows[1]).then_some(InTile {
            edges,
            crossing,
            depth: setup.depth,
            corner: [column, row].map(|i| (i * TILE) as i32),
            rows,
            columns,
        })
    }

    /// A triangle that is smaller than a tile, in one of the tiles of its bounding box.
    #[inline]
    pub(crate) fn small(setup: &Setup, column: usize, row: usize) -> InTile {
        let corner = [column, row].map(|i| (i * TILE) as i32);
        let at = setup.corners.map(|p| [p[0] - 256 * corner[0], p[1] - 256 * corner[1]]);
        let edges = [0, 1, 2].map(|e| {
            let (from, to) = (at[e], at[(e + 1) % 3]);
            let (a, b) = (from[1] - to[1], to[0] - from[0]);
            let owned = a > 0 || (a == 0 && b < 0);
            (a, b, (-(a * from[0] + b * from[1]) - i32::from(!owned)) >> 5)
        });
        let (columns, rows) = (clip(setup, 0, column), clip(setup, 1, row));
        InTile { edges, crossing: 3, depth: setup.depth, corner, rows, columns }
    }

    /// The greatest depth in the tile of the plane that the triangle is in.
    pub(crate) fn nearest(&self) -> f32 {
        let [z, gx, gy] = self.depth;
        let [x, y] = self.corner.map(f64::from);
        let side = TILE as f64;
        // beyond what rounding may add
        (z + gx * x + gy * y + side * (gx.max(0.0) + gy.max(0.0))) as f32 + 1e-6
    }
}

/// The columns (`k = 0`) or rows (`k = 1`) of a tile that a triangle may cover.
#[inline]
fn clip(setup: &Setup, k: usize, tile: usize) -> [i32; 2] {
    let [low, high] = [setup.min[k], setup.max[k]].map(|x| i32::from(x) - (tile * TILE) as i32);
    [low.max(0), high.min(TILE as i32 - 1)]
}

impl Samples {
    pub(crate) fn new(count: usize) -> Samples {
        let n = PIXELS * count;
        let columns = [[f64x4::ZERO; 2]; TILE / 2];
        Samples { depth: vec![0.0; n], triangle: vec![NOTHING; n], count, columns }
    }

    /// The depth at the sample that is farthest away.
    pub(crate) fn farthest(&self) -> f32 {
        let (eights, _) = self.depth.as_chunks();
        let least = |m: f32x8, &eight: &[f32; 8]| m.fast_min(f32x8::new(eight));
        let least = eights.iter().fold(f32x8::ONE, least);
        least.to_array().into_iter().fold(1.0, f32::min)
    }

    pub(crate) fn clear(&mut self) {
        self.clear_to(0.0);
    }

    /// Empties all samples; what is added must be at least as near as `depth`.
    pub(crate) fn clear_to(&mut self, depth: f32) {
        self.depth.fill(depth);
        self.triangle.fill(NOTHING);
    }

    /// Lets everything be added to the samples of a range of pixels.
    pub(crate) fn open(&mut self, pixels: Range<usize>) {
        self.depth[pixels.start * self.count..pixels.end * self.count].fill(0.0);
    }

    /// Fills a triangle where it is in front.
    pub(crate) fn fill(&mut self, at: &InTile, triangle: u32) {
        match (self.count, at.crossing) {
            (1, 0) => self.fill_samples::<1, 0, false>(at, triangle),
            (1, 1) => self.fill_samples::<1, 1, false>(at, triangle),
            (1, _) => self.fill_samples::<1, 3, false>(at, triangle),
            (_, 0) => self.fill_samples::<4, 0, false>(at, triangle),
            (_, 1) => self.fill_samples::<4, 1, false>(at, triangle),
            (_, _) => self.fill_samples::<4, 3, false>(at, triangle),
        }
    }

    /// As [`Samples::fill`], for triangles made by [`InTile::small`].
    #[inline]
    pub(crate) fn fill_small(&mut self, at: &InTile, triangle: u32) {
        match self.count {
            1 => self.fill_samples::<1, 3, true>(at, triangle),
            _ => self.fill_samples::<4, 3, true>(at, triangle),
        }
    }

    #[inline]
    fn fill_samples<const S: usize, const E: usize, const SMALL: bool>(
        &mut self,
        at: &InTile,
        triangle: u32,
    ) {
        let ids = i32x8::splat(triangle as i32);
        let Samples { depth, triangle: triangles, columns, .. } = self;
        visit::<S, E, SMALL>(at, columns, |index, inside, z| {
            let old: [f32; 8] = depth[index..index + 8].try_into().expect("eight samples");
            let old = f32x8::new(old);
            let front = z.simd_ge(old) & inside;
            // a jump that is not to be foreseen takes longer than writing what is there
            if SMALL || front.any() {
                let chosen = front.bitselect(z, old);
                depth[index..index + 8].copy_from_slice(&chosen.to_array());
                let out = &mut triangles[index..index + 8];
                let before: [u32; 8] = (&*out).try_into().expect("eight samples");
                let before: f32x8 = bytemuck::cast(before);
                let chosen: [u32; 8] = bytemuck::cast(front.bitselect(bytemuck::cast(ids), before));
                out.copy_from_slice(&chosen);
            }
        });
    }

    /// Calls `fragment` with each pixel of which a triangle covers samples that are in front, and the
    /// bits of those samples.
    pub(crate) fn fragments(&mut self, at: &InTile, mut fragment: impl FnMut(usize, u32)) {
        let Samples { depth, columns, count, .. } = self;
        let mut call = |index: usize, inside: f32x8, z: f32x8, count: usize| {
            let old: [f32; 8] = depth[index..index + 8].try_into().expect("eight samples");
            let mut bits = (z.simd_ge(f32x8::new(old)) & inside).to_bitmask() & 0xff;
            let mut pixel = index / count;
            let all = (1 << count) - 1;
            while bits != 0 {
                if bits & all != 0 {
                    fragment(pixel, bits & all);
                }
                bits >>= count;
                pixel += 1;
            }
        };
        match count {
            1 => visit::<1, 3, false>(at, columns, |index, inside, z| call(index, inside, z, 1)),
            _ => visit::<4, 3, false>(at, columns, |index, inside, z| call(index, inside, z, 4)),
        }
    }
}

/// Visits eight samples at a time, `S` per pixel: calls `eight` with the index of the first, which of
/// them are inside the triangle, and their depths; none may be inside if the triangle is `SMALL`. Only the first `E` edges are tested; edges that do
/// not cross the tile are zero and shut nothing out.
#[inline]
fn visit<const S: usize, const E: usize, const SMALL: bool>(
    at: &InTile,
    depths: &mut Columns,
    mut eight: impl FnMut(usize, f32x8, f32x8),
) {
    let step = 8 / S;
    let place = |lane: usize| -> [i32; 2] {
        let [x, y] = if S == 1 { ONE } else { FOUR[lane % S] };
        [8 * (lane / S) as i32 + x, y]
    };
    let lane_x = i32x8::new(std::array::from_fn(|lane| place(lane)[0]));
    let lane_y = i32x8::new(std::array::from_fn(|lane| place(lane)[1]));
    let start = at.columns[0] - at.columns[0] % step as i32;
    let everywhere: f32x8 = bytemuck::cast([u32::MAX; 8]);

    // depths are rounded to single precision after the term of x and again after that of y; before
    // that, double precision holds their products exactly. A pixel of one sample counts from there
    let [z0, gx, gy] = at.depth;
    let corner = at.corner.map(f64::from);
    let lanes = |half: usize, k: usize| {
        f64x4::new(std::array::from_fn(|i| match (S, k) {
            (1, 0) => (4 * half + i) as f64,
            (1, _) => 0.0,
            _ => f64::from(place(4 * half + i)[k]) / 8.0,
        }))
    };
    let (lanes_x, lanes_y) = ([lanes(0, 0), lanes(1, 0)], lanes(0, 1));
    let groups = ((at.columns[1] - start) as usize / step + 1).min(depths.len());
    let depths = &mut depths[..groups];
    for (group, out) in depths.iter_mut().enumerate() {
        let first = f64x4::splat(corner[0] + f64::from(start) + (group * step) as f64);
        *out = lanes_x.map(|lanes| {
            let z = (first + lanes) * f64x4::splat(gx) + f64x4::splat(z0);
            f64x4::new(z.to_array().map(|z| f64::from(z as f32)))
        });
    }

    // edge functions at the first samples of the first row, and how they grow
    let mut rows: [i32x8; E] = std::array::from_fn(|e| {
        let (a, b, c) = at.edges[e];
        let first = c.wrapping_add(8 * at.rows[0] * b).wrapping_add(8 * start * a);
        lane_x * i32x8::splat(a) + lane_y * i32x8::splat(b) + i32x8::splat(first)
    });
    let up: [i32x8; E] = std::array::from_fn(|e| i32x8::splat(8 * at.edges[e].1));
    let along: [i32x8; E] = std::array::from_fn(|e| i32x8::splat(8 * step as i32 * at.edges[e].0));
    for y in at.rows[0]..=at.rows[1] {
        let mut edges = rows;
        let row = (f64x4::splat(corner[1] + f64::from(y)) + lanes_y) * f64x4::splat(gy);
        for (group, depths) in depths.iter().enumerate() {
            let mut outside = i32x8::ZERO;
            for e in 0..E {
                outside |= edges[e];
                edges[e] += along[e];
            }
            let index = (y as usize * TILE + start as usize + group * step) * S;
            let [a, b] = depths.map(|z| (z + row).to_array().map(|z| z as f32));
            let z = f32x8::new([a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]);
            if E == 0 {
                eight(index, everywhere, z);
            } else {
                // the sign bit is spread over the lane
                let inside: f32x8 = bytemuck::cast(!(outside >> 31_i32));
                if SMALL || inside.any() {
                    eight(index, inside, z);
                }
            }
        }
        for e in 0..E {
            rows[e] += up[e];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_rounded_after_the_term_of_x_and_after_that_of_y() {
        let depth = [0.123_456f32, 1.234_567e-4, -2.345_678e-4];
        let setup = Setup {
            corners: [[-90_000, -90_000], [180_000, -90_000], [-90_000, 180_000]],
            depth: depth.map(f64::from),
            min: [32, 32],
            max: [63, 63],
            triangle: 7,
            small: false,
        };
        let at = InTile::new(&setup, 1, 1).expect("the triangle covers the tile");
        for count in [1, 4] {
            let mut samples = Samples::new(count);
            samples.clear();
            samples.fill(&at, 7);
            for (i, &z) in samples.depth.iter().enumerate() {
                let pixel = [32 + i / count % TILE, 32 + i / count / TILE].map(|x| x as f64);
                // a single sample counts from the middle of the first pixel
                let [x, y] = [0, 1].map(|k| match count {
                    1 => pixel[k],
                    _ => pixel[k] + f64::from(FOUR[i % 4][k]) / 8.0,
                });
                let along = (f64::from(depth[0]) + f64::from(depth[1]) * x) as f32;
                let exact = f64::from(along) + f64::from(depth[2]) * y;
                assert_eq!((z, samples.triangle[i]), (exact as f32, 7), "{i} of {count}");
            }
        }
    }
}
