//! Planes that are divided by a grid: filled as a whole, lit at the crossings of the lines.
//!
//! A plane without end has 200 by 200 cells, most of them smaller than a pixel. The pixel says where
//! on the plane it is, by the inverse of the map from the plane to the screen, and so in which cell.

use crate::draw::Part;
use crate::shapes::Grid;
use crate::vector::{V3, f32x8, i32x8};
use crate::view::View;

/// How a plane is seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GridView {
    /// The inverse homography: a pixel `p = (x, y, 1)` shows the place
    /// `(inverse[0]·p, inverse[1]·p) / inverse[2]·p`.
    inverse: [[f64; 3]; 3],
    /// Distance along the view, times `inverse[2]·p`.
    distance: f64,
    /// Depth as a function of the pixel: value at the origin and slopes.
    depth: [f64; 3],
}

/// Places on a plane that eight pixels of a row show.
pub(crate) struct Spots {
    pub(crate) x: f32x8,
    pub(crate) y: f32x8,
    /// Change from pixel to pixel of x and y, along and across the row.
    pub(crate) slopes: [[f32x8; 2]; 2],
}

impl GridView {
    /// `None` for a plane that is seen from its edge.
    pub(crate) fn new(part: &Part<'_>, view: &View) -> Option<GridView> {
        let m = &part.rotation;
        let axes = [0, 1].map(|k| [m[k], m[3 + k], m[6 + k]]);
        let row = |k: usize| -> [f64; 3] {
            let row = view.rows[k].map(f64::from);
            let along = |v: V3| (0..3).map(|i| row[i] * f64::from(v[i])).sum::<f64>();
            [along(axes[0]), along(axes[1]), along(part.position) + row[3]]
        };
        let (h, z) = ([row(0), row(1), row(3)], row(2));
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        // columns of the adjugate
        let adjugate = [cross(h[1], h[2]), cross(h[2], h[0]), cross(h[0], h[1])];
        let determinant: f64 = (0..3).map(|k| h[0][k] * adjugate[0][k]).sum();
        if determinant == 0.0 || !determinant.is_finite() {
            return None;
        }
        // positive in front of the eye
        let sign = determinant.signum();
        let inverse = std::array::from_fn(|i| std::array::from_fn(|j| sign * adjugate[j][i]));
        let slope = |j: usize| (0..3).map(|i| z[i] * adjugate[j][i]).sum::<f64>() / determinant;
        Some(GridView {
            inverse,
            distance: determinant.abs(),
            depth: [slope(2), slope(0), slope(1)],
        })
    }

    /// The depth at the first sample of the pixel at the origin, and slopes.
    pub(crate) fn depth(&self, samples: usize) -> [f64; 3] {
        let [z, gx, gy] = self.depth;
        let first = if samples == 1 { 0.5 } else { 0.0 };
        [z + first * (gx + gy), gx, gy]
    }

    /// What the pixel `(x, y)` and the seven to the right of it show.
    #[inline]
    pub(crate) fn spots(&self, x: usize, y: usize) -> Spots {
        let (px, py) = (x as f64 + 0.5, y as f64 + 0.5);
        let at = self.inverse.map(|[a, b, c]| a * px + b * py + c);
        // beyond the horizon there is nothing
        let scale = 1.0 / at[2].max(1e-12 * self.distance);
        let start = [at[0] * scale, at[1] * scale];
        let lanes = f32x8::new([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
        let [along, across] = [0, 1].map(|d| f32x8::splat((self.inverse[2][d] * scale) as f32));
        let ratio = (f32x8::ONE + lanes * along).max(f32x8::splat(1e-6));
        let shrink = f32x8::ONE / ratio;
        let mut slopes = [[f32x8::ZERO; 2]; 2];
        let place = [0, 1].map(|k| {
            // differences from the first pixel, so that places near the eye keep their digits
            let slope = |d: usize| {
                let own = (self.inverse[k][d] - start[k] * self.inverse[2][d]) * scale;
                f32x8::splat(own as f32)
            };
            let delta = lanes * slope(0) * shrink;
            slopes[k] = [(slope(0) - delta * along) * shrink, (slope(1) - delta * across) * shrink];
            f32x8::splat(start[k] as f32) + delta
        });
        Spots { x: place[0], y: place[1], slopes }
    }
}

/// Cells of spots, and where in the cells they are.
pub(crate) struct InCells {
    /// Number of the lower left crossing.
    crossing: i32x8,
    /// Places from the lower left, from 0 to 1.
    u: f32x8,
    v: f32x8,
    /// Which spots are in the lower left half.
    lower: f32x8,
}

impl InCells {
    /// The crossings at the corners of the half that a spot is in, in a grid `width` crossings wide:
    /// its right angle, the lower right, the upper left.
    #[inline]
    pub(crate) fn corners(&self, lane: usize, width: usize) -> [usize; 3] {
        let crossing = self.crossing.to_array()[lane] as usize;
        let far = if self.lower.to_bitmask() >> lane & 1 != 0 { 0 } else { width + 1 };
        [crossing + far, crossing + 1, crossing + width]
    }

    /// Weights of the second and the third corner.
    #[inline]
    pub(crate) fn weights(&self) -> [f32x8; 2] {
        let Self { u, v, lower, .. } = *self;
        [lower.bitselect(u, f32x8::ONE - v), lower.bitselect(v, f32x8::ONE - u)]
    }

    /// Whether all spots are in one half of one cell.
    #[inline]
    pub(crate) fn same(&self) -> bool {
        let first = i32x8::splat(self.crossing.to_array()[0]);
        let lower = self.lower.to_bitmask() & 0xff;
        self.crossing.simd_eq(first).to_bitmask() & 0xff == 0xff && (lower == 0 || lower == 0xff)
    }
}

impl Grid {
    /// The lines in clip space, given the corners of the half of the plane at its lower left.
    pub(crate) fn segments(&self, corners: &[[f32; 4]; 3]) -> impl Iterator<Item = [[f32; 4]; 2]> {
        let [origin, right, up] = *corners;
        let at = move |u: f32, v: f32| -> [f32; 4] {
            std::array::from_fn(|k| {
                origin[k] + u * (right[k] - origin[k]) + v * (up[k] - origin[k])
            })
        };
        let parts = |lines: &[f32]| -> Vec<f32> {
            let (first, last) = (lines[0], lines[lines.len() - 1]);
            lines.iter().map(|x| (x - first) / (last - first)).collect()
        };
        let along = parts(&self.x.lines).into_iter().map(move |u| [at(u, 0.0), at(u, 1.0)]);
        along.chain(parts(&self.y.lines).into_iter().map(move |v| [at(0.0, v), at(1.0, v)]))
    }

    /// Finds the cells of spots.
    #[inline]
    pub(crate) fn cells(&self, spots: &Spots) -> InCells {
        let ((column, u), (row, v)) = (self.x.cell8(spots.x), self.y.cell8(spots.y));
        let crossing = row * i32x8::splat(self.columns() as i32 + 1) + column;
        InCells { crossing, u, v, lower: (u + v).simd_le(f32x8::ONE) }
    }
}
