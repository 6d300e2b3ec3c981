//! Fragments: what a triangle shows at pixels, mixed from what its corners have.

use crate::geometry::{Geometry, Triangle};
use crate::grid::InCells;
use crate::shapes::LANES;
use crate::vector::{V3x8, f32x4, f32x8, f64x4, load};

/// Weights of the corners of triangles at eight pixels. Olano and Greer, Triangle scan conversion using
/// 2D homogeneous coordinates (1997): `l_i = a_i x + b_i y + c_i` are proportional to the weights, also
/// where the triangle reaches behind the eye.
pub(crate) struct Weights {
    a: V3x8,
    b: V3x8,
    /// `1 / Σ l`.
    inverse: f32x8,
    pub(crate) weights: [f32x8; 2],
}

impl Weights {
    /// Of one triangle, at the pixel `(x, y)` and the seven to the right of it.
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
            [0, 1, 2].map(|i| f32x8::splat(slope[i] as f32))
        });
        let l: V3x8 = std::array::from_fn(|i| f32x8::splat((at[i] * scale) as f32) + lanes * a[i]);
        let inverse = f32x8::ONE / (l[0] + l[1] + l[2]);
        let weights = [l[1] * inverse, l[2] * inverse];
        Weights { a, b, inverse, weights }
    }

    /// Of eight triangles, each at a pixel. The corners of each are given by distance along the view,
    /// x, y and w in clip space.
    #[inline]
    fn scattered(corners: &[[f32x8; 4]; 3], pixel: [f32x8; 2]) -> Weights {
        // with the pixel as the origin only differences are left
        let [[px, py, pw], [qx, qy, qw], [rx, ry, rw]] =
            corners.map(|[_, x, y, w]| [x - pixel[0] * w, y - pixel[1] * w, w]);
        let l = [qx * ry - qy * rx, rx * py - ry * px, px * qy - py * qx];
        let a = [qy * rw - qw * ry, ry * pw - rw * py, py * qw - pw * qy];
        let b = [qw * rx - qx * rw, rw * px - rx * pw, pw * qx - px * qw];
        let sum = l[0] + l[1] + l[2];
        let inverse = (!sum.simd_eq(f32x8::ZERO)).bitselect(f32x8::ONE / sum, f32x8::ZERO);
        Weights { a, b, inverse, weights: [l[1] * inverse, l[2] * inverse] }
    }

    /// A quantity between its values at the corners.
    #[inline]
    pub(crate) fn mix(&self, [p, q, r]: V3x8) -> f32x8 {
        p + self.weights[0] * (q - p) + self.weights[1] * (r - p)
    }

    /// Change of a quantity from pixel to pixel, along x and y.
    #[inline]
    pub(crate) fn slopes(&self, value: V3x8, here: f32x8) -> [f32x8; 2] {
        [&self.a, &self.b].map(|d| {
            let own = d[0] * value[0] + d[1] * value[1] + d[2] * value[2];
            let all = d[0] + d[1] + d[2];
            (own - here * all) * self.inverse
        })
    }
}

/// Where the attributes of the corners of a triangle begin.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Corners<'a> {
    pub(crate) attributes: &'a [f32],
    pub(crate) first: [usize; 3],
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

    /// Mixes the first `needed` attributes of the corners of eight triangles, given by where they are,
    /// each at its pixel; returns the weights. The first `colors` are followed by the distance and the
    /// place in clip space.
    #[inline]
    pub(crate) fn gather(
        &mut self,
        triangles: &[Corners<'_>; LANES],
        colors: usize,
        needed: usize,
    ) -> Weights {
        self.resize(needed);
        // a corner of each triangle, or two
        let mut rows = [[f32x8::ZERO; LANES]; 2];
        for (lane, at) in triangles.iter().enumerate() {
            let four = at.first.map(|first| {
                let four: [f32; 4] =
                    at.attributes[first + colors..][..4].try_into().expect("four numbers");
                f32x4::new(four)
            });
            rows[0][lane] = bytemuck::cast([four[0], four[1]]);
            rows[1][lane] = bytemuck::cast([four[2], four[2]]);
        }
        let [p0, p1, p2, p3, q0, q1, q2, q3] = f32x8::transpose(rows[0]);
        let [r0, r1, r2, r3, ..] = f32x8::transpose(rows[1]);
        let weights =
            Weights::scattered(&[[p0, p1, p2, p3], [q0, q1, q2, q3], [r0, r1, r2, r3]], self.pixel);
        let [second, third] = weights.weights.map(|w| w.to_array());
        for block in (0..needed).step_by(LANES) {
            let mut rows = [f32x8::ZERO; LANES];
            for (lane, at) in triangles.iter().enumerate() {
                let [p, q, r] = at.first.map(|first| load(&at.attributes[first + block..]));
                rows[lane] =
                    p + (q - p) * f32x8::splat(second[lane]) + (r - p) * f32x8::splat(third[lane]);
            }
            self.attributes[block..block + LANES].copy_from_slice(&f32x8::transpose(rows));
        }
        weights
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

/// Fragments of a plane with a grid, wherever they are.
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

    /// Adds the first `count` of eight neighbours.
    #[inline]
    pub(crate) fn add(&mut self, eight: &Eight, count: usize, needed: usize) {
        for first in (0..needed).step_by(LANES) {
            let block = &eight.attributes[first..first + LANES];
            let rows = f32x8::transpose(block.try_into().expect("eight columns"));
            for (lane, row) in rows.iter().enumerate().take(count) {
                let at = (self.count + lane) * self.stride + first;
                self.attributes[at..at + LANES].copy_from_slice(&row.to_array());
            }
        }
        // those that belong to none are overwritten
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
}
