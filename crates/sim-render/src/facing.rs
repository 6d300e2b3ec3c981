//! Which triangles of a shape face a view, found before any vertex is moved.
//!
//! With the rows x, y and w of a projection, the eye is the point `e` (homogeneous, at infinity for
//! parallel rays) whose x, y and w are zero. A triangle `p, q, r` in the plane `n·v = d` turns left on
//! the screen where
//!
//! ```text
//! det [x; y; w] [p q r] = n · (e_x, e_y, e_z) - d e_w > 0,    n = (q - p) × (r - p),  d = n · p
//! ```
//!
//! by the Cauchy-Binet formula, if the parts of `e` are the signed minors of the three rows.

use crate::draw::{Cull, Part};
use crate::shapes::LANES;
use crate::vector::{V3, f32x8, load};
use crate::view::View;

/// Error of a sum of four products, relative to the largest.
const ROUNDING: f32 = 1e-6;

/// How many triangles are in sight or out of it together.
pub(crate) const BLOCK: usize = 512;

/// The planes of triangles, component by component: unit normals, offsets. Padded to whole vectors with
/// planes that face nothing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Planes {
    normal: [Vec<f32>; 3],
    offset: Vec<f32>,
    /// Spheres around each [`BLOCK`] of triangles.
    blocks: Vec<Sphere>,
}

#[derive(Debug, Clone, Copy)]
struct Sphere {
    centre: [f64; 3],
    radius: f64,
}

impl Sphere {
    /// Around a box.
    fn around(low: V3, high: V3) -> Sphere {
        let [low, high] = [low, high].map(|corner| corner.map(f64::from));
        let half: [f64; 3] = std::array::from_fn(|k| 0.5 * (high[k] - low[k]));
        let centre = std::array::from_fn(|k| low[k] + half[k]);
        Sphere { centre, radius: 1.001 * half.iter().map(|x| x * x).sum::<f64>().sqrt() }
    }

    /// Whether a plane is below zero in the whole sphere.
    fn is_beyond(&self, &[a, b, c, d]: &[f64; 4]) -> bool {
        let [x, y, z] = self.centre;
        a * x + b * y + c * z + d < -self.radius * (a * a + b * b + c * c).sqrt()
    }
}

impl Planes {
    pub(crate) fn new(triangles: impl Iterator<Item = [V3; 3]>) -> Planes {
        let mut planes = Planes::default();
        let mut bounds = Vec::new();
        for (id, corners) in triangles.enumerate() {
            if id % BLOCK == 0 {
                bounds.push([[f32::INFINITY; 3], [f32::NEG_INFINITY; 3]]);
            }
            let [low, high] = bounds.last_mut().expect("the first triangle begins a block");
            for (k, p) in (0..3).flat_map(|k| corners.map(|p| (k, p))) {
                low[k] = p[k].min(low[k]);
                high[k] = p[k].max(high[k]);
            }
            let [p, q, r] = corners.map(|p| p.map(f64::from));
            let side = |q: [f64; 3]| [0, 1, 2].map(|k| q[k] - p[k]);
            let (u, v) = (side(q), side(r));
            let n =
                [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
            let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            let normal = n.map(|x| if length > 0.0 { (x / length) as f32 } else { 0.0 });
            let offset: f64 = (0..3).map(|k| f64::from(normal[k]) * p[k]).sum();
            planes.push(normal, offset as f32);
        }
        while !planes.offset.len().is_multiple_of(LANES) {
            planes.push([0.0; 3], f32::INFINITY);
        }
        planes.blocks = bounds.into_iter().map(|[low, high]| Sphere::around(low, high)).collect();
        planes
    }

    fn push(&mut self, normal: V3, offset: f32) {
        (0..3).for_each(|k| self.normal[k].push(normal[k]));
        self.offset.push(offset);
    }
}

/// The eye of a view, in the coordinates of a shape.
#[derive(Debug, Clone, Copy)]
struct Eye {
    place: [f32; 4],
    /// Least distance from a plane that is beyond rounding.
    margin: f32,
}

impl Eye {
    /// The eye of a projection, given by its rows as functions of a point of the shape.
    fn new(part: &Part<'_>, local: &[[f64; 4]; 4]) -> Eye {
        let minor = |k: usize| {
            let [a, b, c] = [(k + 1) % 4, (k + 2) % 4, (k + 3) % 4];
            let [x, y, _, w] = local;
            // columns in cyclic order
            x[a] * (y[b] * w[c] - y[c] * w[b])
                + x[b] * (y[c] * w[a] - y[a] * w[c])
                + x[c] * (y[a] * w[b] - y[b] * w[a])
        };
        let eye: [f64; 4] = std::array::from_fn(|k| if k % 2 == 0 { minor(k) } else { -minor(k) });
        let largest = eye.iter().fold(0.0f64, |m, x| m.max(x.abs()));
        let place = eye.map(|x| (x / largest) as f32);
        let [x, y, z, w] = place.map(f32::abs);
        let shape = part.shape;
        let reach = shape.centre.iter().fold(shape.radius, |sum, x| sum + x.abs());
        Eye { place, margin: ROUNDING * (x + y + z + w * reach) }
    }
}

/// The rows of a projection as functions of a point of a part's shape.
fn in_shape(part: &Part<'_>, rows: &[[f32; 4]; 4]) -> [[f64; 4]; 4] {
    let m = part.rotation.map(f64::from);
    rows.map(|row| {
        let row = row.map(f64::from);
        let turned: [f64; 3] = std::array::from_fn(|k| (0..3).map(|i| row[i] * m[3 * i + k]).sum());
        let mut local = [0.0; 4];
        local[3] = row[3];
        for k in 0..3 {
            local[k] = turned[k] * f64::from(part.scale[k]);
            local[3] += turned[k] * f64::from(part.offset[k]);
            local[3] += row[k] * f64::from(part.position[k]);
        }
        local
    })
}

/// Planes around what a view shows, which is where all are at least zero.
fn frustum(local: &[[f64; 4]; 4], view: &View) -> [[f64; 4]; 6] {
    let [width, height] = [view.width as f64, view.height as f64];
    let combine = |sign: f64, i: usize, w: f64| -> [f64; 4] {
        std::array::from_fn(|k| sign * local[i][k] + w * local[3][k])
    };
    [
        combine(1.0, 0, 0.0),
        combine(-1.0, 0, width),
        combine(1.0, 1, 0.0),
        combine(-1.0, 1, height),
        combine(1.0, 2, 0.0),
        combine(-1.0, 2, 1.0),
    ]
}

/// Writes the numbers of the triangles of a part that may be in sight and are not culled for certain, in
/// order.
pub(crate) fn facing(part: &Part<'_>, view: &View, cull: Cull, out: &mut Vec<u32>) {
    out.clear();
    let count = part.shape.triangles.len();
    let Planes { normal, offset, blocks } = &part.shape.planes;
    if offset.len() < count {
        out.extend(0..count as u32);
        return;
    }
    let local = in_shape(part, &view.rows);
    let frustum = frustum(&local, view);
    let eye = Eye::new(part, &local);
    for (block, sphere) in blocks.iter().enumerate() {
        let range = block * BLOCK..count.min((block + 1) * BLOCK);
        // the part as a whole is in sight
        if blocks.len() > 1 && frustum.iter().any(|plane| sphere.is_beyond(plane)) {
            continue;
        }
        match cull {
            Cull::None => out.extend(range.map(|triangle| triangle as u32)),
            _ => eye.facing(normal, offset, range, cull, out),
        }
    }
    // the padding
    while out.last().is_some_and(|&last| last as usize >= count) {
        out.pop();
    }
}

impl Eye {
    /// Adds the triangles of a range that are not culled for certain.
    fn facing(
        &self,
        normal: &[Vec<f32>; 3],
        offset: &[f32],
        range: std::ops::Range<usize>,
        cull: Cull,
        out: &mut Vec<u32>,
    ) {
        let [x, y, z, w] = self.place.map(f32x8::splat);
        let margin = f32x8::splat(self.margin);
        for at in range.step_by(LANES) {
            let [a, b, c] = normal.each_ref().map(|n| load(&n[at..]));
            let height = a * x + b * y + c * z - load(&offset[at..]) * w;
            let away = match cull {
                Cull::Back => height.simd_lt(-margin),
                _ => height.simd_gt(margin),
            };
            let mut kept = !away.to_bitmask() & 0xff;
            while kept != 0 {
                out.push(at as u32 + kept.trailing_zeros());
                kept &= kept - 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::Builtin;

    #[test]
    fn triangles_that_turn_left_on_the_screen_face_the_view() {
        let shapes = Builtin::new(12, 6, 2, 0.3);
        let turn = [0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6];
        for shape in [&shapes.sphere, &shapes.cube, &shapes.cone, &shapes.square] {
            for (scale, spot) in
                [([0.5, 0.2, 0.7], true), ([0.4; 3], false), ([-0.3, 0.4, 0.5], true)]
            {
                let part = Part {
                    shape,
                    rotation: turn,
                    position: [0.3, -0.2, 0.1],
                    scale,
                    offset: [0.0, 0.0, 0.1],
                    look: 0,
                    cull: Cull::Back,
                };
                let view =
                    View::light([1.0, 2.0, 3.0], [-0.3, -0.6, -0.9], 0.5, [0.1, 9.0], spot, 4096);
                let turned = |triangle: [u32; 3]| {
                    let [p, q, r] = triangle.map(|v| {
                        let local = shape.point(v as usize).map(f32x8::splat);
                        let world = crate::geometry::place8(&part, local);
                        let [x, y, _, w] = view.apply(world.map(|x| x.to_array()[0]));
                        [x / w, y / w].map(f64::from)
                    });
                    (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1])
                };
                for (cull, sign) in [(Cull::Back, 1.0), (Cull::Front, -1.0)] {
                    let mut found = Vec::new();
                    facing(&part, &view, cull, &mut found);
                    assert!(found.is_sorted());
                    for (id, &triangle) in shape.triangles.iter().enumerate() {
                        let area = sign * turned(triangle);
                        let seen = found.binary_search(&(id as u32)).is_ok();
                        // those seen from their edge may be kept
                        assert!(seen == (area > 0.0) || area.abs() < 1.0, "{id} {area}");
                        assert!(seen || area < 1e-2, "{id} {area}");
                    }
                }
                let mut all = Vec::new();
                facing(&part, &view, Cull::None, &mut all);
                assert_eq!(all.len(), shape.triangles.len());
            }
        }
    }

    #[test]
    fn triangles_in_sight_are_found_in_blocks_that_are_partly_out_of_sight() {
        let lines: Vec<f32> = (0..=48).map(|i| i as f32 / 24.0 - 1.0).collect();
        let narrow: Vec<f32> = lines.iter().map(|x| 0.1 * x).collect();
        let shape = crate::shapes::plane(&narrow, &lines);
        assert!(shape.planes.blocks.len() > 1);
        let part = Part {
            shape: &shape,
            rotation: [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
            position: [0.0; 3],
            scale: [9.0; 3],
            offset: [0.0; 3],
            look: 0,
            cull: Cull::Back,
        };
        let mut fewest = usize::MAX;
        for (height, spot) in [(0.5, true), (2.0, true), (1.0, false)] {
            let (from, to) = ([0.0, -3.0, height], [0.1, 0.9, -0.4]);
            let view = View::light(from, to, 0.5, [0.1, 30.0], spot, 256);
            for cull in [Cull::None, Cull::Back] {
                let mut found = Vec::new();
                facing(&part, &view, cull, &mut found);
                assert!(found.is_sorted());
                fewest = fewest.min(found.len());
                for (id, triangle) in shape.triangles.iter().enumerate() {
                    let seen = triangle.iter().any(|&v| {
                        let local = shape.point(v as usize).map(f32x8::splat);
                        let world = crate::geometry::place8(&part, local);
                        let [x, y, z, w] = view.apply(world.map(|x| x.to_array()[0]));
                        let inside = |v: f32| (0.0..=256.0 * w).contains(&v);
                        inside(x) && inside(y) && (0.0..=w).contains(&z)
                    });
                    assert!(!seen || found.binary_search(&(id as u32)).is_ok(), "{id}");
                }
            }
        }
        assert!(fewest < shape.triangles.len());
    }
}
