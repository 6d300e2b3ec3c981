//! Fragments: what a triangle shows at pixels, mixed from what its corners have.

use crate::geometry::{Geometry, Triangle};
use crate::grid::InCells;
use crate::shapes::LANES;
use crate::vector::{V3, f32x8, f64x4, load};

/// Weights of the corners of a triangle at eight pixels of a row. Olano and Greer, Triangle scan
/// conversion using 2D homogeneous coordinates (1997): `l_i = a_i x + b_i y + c_i` are proportional to
/// the weights, also where the triangle reaches behind the eye.
pub(crate) struct Weights {
    a: V3,
    b: V3,
    /// `1 / Σ l`.
    inverse: f32x8,
    pub(crate) weights: [f32x8; 2],
}

impl Weights {
    /// At the pixel `(x, y)` and the seven to the right of it.
    #[inline]
    pub(crate) fn new(geometry: &Geometry, triangle: &Triangle, x: usize, y: usize) -> Weights {
        let corners = geometry.clip(triangle);
        // by corner, those of the next corner, and those of the one after
        let turned = |k: usize, turn: usize| {
            let [p, q, r] = [0, 1, 2].map(|i| f64::from(corners[(i + turn) % 3][k]));
            f64x4::new([p, q, r, 0.0])
        };
        let [(px, qx), (py, qy), (pw, qw)] = [0, 1, 2].map(|k| (turned(k, 1), turned(k, 2)));
        let rows = [py * qw - pw * qy, pw * qx - px * qw, px * qy - py * qx];
        let (x, y) = (f64x4::splat(x as f64 + 0.5), f64x4::splat(y as f64 + 0.5));
        let at = (rows[0] * x + rows[1] * y + rows[2]).to_array();
        let sum = at[0] + at[1] + at[2];
        let scale = if sum != 0.0 { 1.0 / sum } else { 0.0 };
        let lanes = f32x8::new([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        let [a, b] = [rows[0], rows[1]].map(|slope| {
            let slope = (slope * f64x4::splat(scale)).to_array();
            [0, 1, 2].map(|i| slope[i] as f32)
        });
        let l: [f32x8; 3] = std::array::from_fn(|i| {
            f32x8::splat((at[i] * scale) as f32) + lanes * f32x8::splat(a[i])
        });
        let inverse = f32x8::ONE / (l[0] + l[1] + l[2]);
        let weights = [l[1] * inverse, l[2] * inverse];
        Weights { a, b, inverse, weights }
    }

    /// A quantity between its values at the corners.
    #[inline]
    pub(crate) fn mix(&self, [p, q, r]: V3) -> f32x8 {
        f32x8::splat(p)
            + self.weights[0] * f32x8::splat(q - p)
            + self.weights[1] * f32x8::splat(r - p)
    }

    /// Change of a quantity from pixel to pixel, along x and y.
    pub(crate) fn slopes(&self, value: V3, here: f32x8) -> [f32x8; 2] {
        [self.a, self.b].map(|d| {
            let own = d[0] * value[0] + d[1] * value[1] + d[2] * value[2];
            let all = d[0] + d[1] + d[2];
            (f32x8::splat(own) - here * f32x8::splat(all)) * self.inverse
        })
    }
}

/// What eight fragments are shaded by.
#[derive(Debug, Default)]
pub(crate) struct Eight {
    /// Attributes as vertices have them, each for eight fragments.
    pub(crate) attributes: Vec<f32x8>,
    /// Places in the texture, and by how many texels they change from pixel to pixel, squared.
    pub(crate) place: [f32x8; 3],
    /// Middles of the pixels.
    pub(crate) pixel: [f32x8; 2],
}

impl Eight {
    /// Makes room for a number of attributes.
    fn resize(&mut self, needed: usize) {
        if self.attributes.len() < needed.next_multiple_of(LANES) {
            self.attributes.resize(needed.next_multiple_of(LANES), f32x8::ZERO);
        }
    }

    /// The pixel `(x, y)` and the seven to the right of it.
    #[inline]
    pub(crate) fn put_pixels(&mut self, at: [usize; 2]) {
        let lanes = f32x8::new([0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5]);
        let [x, y] = at.map(|i| f32x8::splat(i as f32));
        self.pixel = [x + lanes, y + f32x8::splat(0.5)];
    }

    /// Mixes the first `needed` attributes of the corners of a triangle.
    #[inline]
    pub(crate) fn mix(
        &mut self,
        geometry: &Geometry,
        triangle: &Triangle,
        weights: &Weights,
        needed: usize,
    ) {
        self.resize(needed);
        let corners = geometry.corners(triangle);
        self.mix_corners(corners, weights.weights, needed);
    }

    /// Mixes the attributes of three corners by the weights of the second and the third.
    #[inline]
    fn mix_corners(&mut self, [p, q, r]: [&[f32]; 3], [u, v]: [f32x8; 2], needed: usize) {
        let corners = p.iter().zip(q).zip(r);
        for (out, ((&p, &q), &r)) in self.attributes[..needed].iter_mut().zip(corners) {
            *out = f32x8::splat(p) + f32x8::splat(q - p) * u + f32x8::splat(r - p) * v;
        }
    }

    /// Mixes the first `needed` attributes of fragments in the cells of a grid, `width` crossings wide,
    /// of which `first` is the first. Cells are cut from their lower right to their upper left.
    #[inline]
    pub(crate) fn mix_cells(
        &mut self,
        geometry: &Geometry,
        first: usize,
        width: usize,
        cells: &InCells,
        needed: usize,
    ) {
        self.resize(needed);
        let corners = |lane: usize| cells.corners(lane, width).map(|c| first + c);
        let attributes = |corners: [usize; 3]| corners.map(|c| geometry.attributes_of(c));
        let weights = cells.weights();
        if cells.same() {
            return self.mix_corners(attributes(corners(0)), weights, needed);
        }
        let weights = weights.map(|w| w.to_array());
        for block in (0..needed).step_by(LANES) {
            let mut rows = [f32x8::ZERO; LANES];
            // neighbours often are in one cell
            let (mut known, mut sides) = ([usize::MAX; 3], [f32x8::ZERO; 3]);
            for (lane, row) in rows.iter_mut().enumerate() {
                let here = corners(lane);
                if here != known {
                    let [p, q, r] = attributes(here).map(|x| load(&x[block..]));
                    (known, sides) = (here, [p, q - p, r - p]);
                }
                let [u, v] = [0, 1].map(|k| f32x8::splat(weights[k][lane]));
                *row = sides[0] + sides[1] * u + sides[2] * v;
            }
            self.attributes[block..block + LANES].copy_from_slice(&f32x8::transpose(rows));
        }
    }
}

/// Fragments of one look, wherever they are.
#[derive(Debug, Default)]
pub(crate) struct Fragments {
    /// Attributes as vertices have them, a row of `stride` numbers for each fragment.
    attributes: Vec<f32>,
    stride: usize,
    /// Places in the texture, and by how many texels they change, with room for a whole vector.
    place: [Vec<f32>; 3],
    /// Middles of their pixels, with the same room.
    pixel: [Vec<f32>; 2],
    pub(crate) count: usize,
}

impl Fragments {
    /// Makes room for a number of fragments.
    pub(crate) fn clear(&mut self, fragments: usize, stride: usize) {
        (self.count, self.stride) = (0, stride);
        let room = fragments + LANES;
        if self.attributes.len() < room * stride {
            self.attributes.resize(room * stride, 0.0);
        }
        if self.place[0].len() < room {
            let columns = self.place.iter_mut().chain(&mut self.pixel);
            columns.for_each(|column| column.resize(room, 0.0));
        }
    }

    /// Adds the first `count` of eight neighbours, whose attributes are those of a triangle.
    #[inline]
    pub(crate) fn add(
        &mut self,
        geometry: &Geometry,
        triangle: &Triangle,
        weights: &Weights,
        count: usize,
        needed: usize,
    ) {
        let corners = geometry.corners(triangle);
        let [second, third] = weights.weights.map(|w| w.to_array());
        for first in (0..needed).step_by(LANES) {
            let [p, q, r] = corners.map(|x| load(&x[first..]));
            let (q, r) = (q - p, r - p);
            for lane in 0..count.min(LANES) {
                let mixed = p + q * f32x8::splat(second[lane]) + r * f32x8::splat(third[lane]);
                self.row(lane)[first..first + LANES].copy_from_slice(&mixed.to_array());
            }
        }
    }

    /// Adds the first `count` of eight neighbours.
    #[inline]
    pub(crate) fn add_eight(&mut self, eight: &Eight, count: usize, needed: usize) {
        for first in (0..needed).step_by(LANES) {
            let block = &eight.attributes[first..first + LANES];
            let rows = f32x8::transpose(block.try_into().expect("eight columns"));
            for (lane, row) in rows.iter().enumerate().take(count) {
                self.row(lane)[first..first + LANES].copy_from_slice(&row.to_array());
            }
        }
    }

    /// Counts the fragments that were added, after places and pixels are written; those that belong
    /// to none are overwritten.
    #[inline]
    pub(crate) fn put(&mut self, eight: &Eight, count: usize) {
        let columns = self.place.iter_mut().chain(&mut self.pixel);
        for (out, value) in columns.zip(eight.place.iter().chain(&eight.pixel)) {
            out[self.count..self.count + LANES].copy_from_slice(&value.to_array());
        }
        self.count += count;
    }

    /// Takes out eight fragments, from `at` on.
    #[inline]
    pub(crate) fn take(&self, at: usize, needed: usize, eight: &mut Eight) {
        eight.resize(needed);
        let rows = &self.attributes[at * self.stride..(at + LANES) * self.stride];
        for first in (0..needed).step_by(LANES) {
            let rows = std::array::from_fn(|i| load(&rows[i * self.stride + first..]));
            eight.attributes[first..first + LANES].copy_from_slice(&f32x8::transpose(rows));
        }
        eight.place = self.place.each_ref().map(|place| load(&place[at..]));
        eight.pixel = self.pixel.each_ref().map(|pixel| load(&pixel[at..]));
    }

    /// The attributes of the fragment `lane` behind the last.
    #[inline]
    fn row(&mut self, lane: usize) -> &mut [f32] {
        let at = (self.count + lane) * self.stride;
        &mut self.attributes[at..at + self.stride]
    }
}
