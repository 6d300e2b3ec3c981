//! Shadows, with the answers of the reference's shadow map but without the map.
//!
//! The reference draws the scene as the light sees it into a map of depths and looks up, for each
//! pixel of the picture, whether the texel that the pixel falls on is nearer to the light. Most
//! texels are never looked up. Here triangles are sorted into a grid over the map, and a pixel tests
//! its texel against the triangles of its cell: Johnson et al., The irregular z-buffer (2005).

use std::ops::Range;

use sim_core::model::LightType;
use sim_core::scene::Light;

use crate::draw::{Cull, DrawList, Part, PlaneCaster};
use crate::facing::facing;
use crate::geometry::{in_sight, place8, screen8};
use crate::shapes::LANES;
use crate::vector::{V3, V3x8, dot, f32x8, i32x8, load, normalized, splat, sub};
use crate::view::View;

/// Most cells of the grid over the casters.
const MAX_CELLS: usize = 1 << 16;
/// How far triangles are pushed away from the light: per slope, and in units of the map's depth.
const OFFSET_SLOPE: f64 = 1.5;
const OFFSET_UNITS: f64 = 4.0 / 16_777_216.0;

/// A triangle as the light sees it, in texels from the first of its bounding box.
#[derive(Debug, Clone, Copy)]
struct Caster {
    origin: [f32; 2],
    edges: [[f32; 3]; 3],
    depth: [f32; 3],
}

/// The texels that a caster may cover, and the depth of its corner that is nearest to the light.
#[derive(Debug, Clone, Copy, Default)]
struct Bounds {
    min: [u16; 2],
    max: [u16; 2],
    nearest: f32,
}

/// A caster in a cell.
#[derive(Debug, Clone, Copy, Default)]
struct Entry {
    bounds: Bounds,
    caster: u32,
}

/// What a light sees.
#[derive(Debug, Default)]
pub(crate) struct ShadowMap {
    /// What throws shadows, in pieces that are collected one by one.
    pieces: Vec<Casters>,
    /// Whether the light throws shadows at all.
    on: bool,
    /// Maps the world to texels for lookups.
    lookup: [[f32; 4]; 4],
    size: f32,
    planes: Vec<PlaneShadow>,
    light: V3,
    directional: bool,
}

/// Triangles that throw shadows, sorted into a grid.
#[derive(Debug, Default)]
pub(crate) struct Casters {
    list: Vec<Caster>,
    bounds: Vec<Bounds>,
    /// Vertices of the part that is added: places on the map, and how far in front of the near plane
    /// they are, in clip space.
    vertices: Vec<[f32; 4]>,
    /// Triangles of that part that may face the light, and which groups of eight vertices they need.
    facing: Vec<u32>,
    needed: Vec<bool>,
    /// Casters by cell: those of cell `i` are `order[start[i]..start[i + 1]]`.
    start: Vec<u32>,
    order: Vec<Entry>,
    cells: Cells,
    /// The texels that casters may cover.
    low: [u16; 2],
    high: [u16; 2],
    /// The last texel that the light draws.
    last: f32,
}

/// A uniform grid over the texels that casters may cover: squares of `2^shift` texels.
#[derive(Debug, Clone, Copy, Default)]
struct Cells {
    low: [i32; 2],
    shift: i32,
    columns: usize,
    rows: usize,
}

impl Cells {
    /// A cell for every four casters, about: fewer are searched longer, more are filled longer.
    fn new(low: [u16; 2], high: [u16; 2], casters: usize) -> Cells {
        let [width, height] = [0, 1].map(|k| usize::from(high[k].saturating_sub(low[k])) + 1);
        let area = width * height / (casters / 4).clamp(1, MAX_CELLS);
        let shift = area.max(1).ilog2().div_ceil(2);
        let count = |length: usize| ((length - 1) >> shift) + 1;
        let low = low.map(i32::from);
        Cells { low, shift: shift as i32, columns: count(width), rows: count(height) }
    }

    /// The column (`k = 0`) or row (`k = 1`) that a texel is in.
    fn index(&self, texel: u16, k: usize) -> usize {
        (i32::from(texel) - self.low[k]) as usize >> self.shift
    }

    /// The numbers of the cells of eight texels, of those that are inside.
    fn numbers(&self, x: f32x8, y: f32x8) -> i32x8 {
        let [column, row] = [(x, 0), (y, 1)]
            .map(|(v, k)| (v.fast_trunc_int() - i32x8::splat(self.low[k])) >> self.shift);
        row * i32x8::splat(self.columns as i32) + column
    }

    /// Calls `put` with the cells that a caster may cover: those of its bounding box, of which a large
    /// caster leaves out those on the far side of an edge.
    #[inline]
    fn covered(&self, caster: &Caster, bounds: &Bounds, mut put: impl FnMut(usize)) {
        let [low, high] = [bounds.min, bounds.max].map(|at| [0, 1].map(|k| self.index(at[k], k)));
        let large = high[0] - low[0] > 1 && high[1] - low[1] > 1;
        for row in low[1]..=high[1] {
            for column in low[0]..=high[0] {
                if !large || self.reaches(caster, column, row) {
                    put(row * self.columns + column);
                }
            }
        }
    }

    /// Whether a cell has texels on the inner side of each edge of a caster, or next to it.
    fn reaches(&self, caster: &Caster, column: usize, row: usize) -> bool {
        // one texel more on each side covers rounding
        let [x, y] = [(column, 0), (row, 1)].map(|(cell, k)| {
            ((cell << self.shift) as i32 + self.low[k]) as f32 - caster.origin[k] - 1.0
        });
        let side = (1 << self.shift) as f32 + 2.0;
        caster.edges.iter().all(|&[a, b, c]| {
            let x = if a > 0.0 { x + side } else { x };
            let y = if b > 0.0 { y + side } else { y };
            a * x + b * y + c >= 0.0
        })
    }
}

/// The shadow of a plane, without triangles.
#[derive(Debug, Clone, Copy)]
struct PlaneShadow {
    plane: PlaneCaster,
    bias: f32,
}

/// Frustum of a shadow map: planes of the camera, reach of directional lights, part of the cone of
/// spot lights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShadowSettings {
    pub(crate) clip: [f32; 2],
    pub(crate) reach: f32,
    pub(crate) scale: f32,
    pub(crate) size: usize,
}

impl ShadowMap {
    /// Turns to `light`, of which it returns the view: `None` if the light throws no shadows.
    pub(crate) fn aim(
        &mut self,
        list: &DrawList<'_>,
        light: &Light,
        settings: &ShadowSettings,
    ) -> Option<View> {
        let &ShadowSettings { clip, reach, scale, size } = settings;
        self.planes.clear();
        self.directional = light.kind == LightType::Directional as i32;
        let spot = light.kind == LightType::Spot as i32;
        self.on = self.directional || spot;
        if !self.on {
            return None;
        }
        let half = if spot {
            let angle = (2.0 * light.cutoff * scale).min(160.0);
            clip[0] * libm::tanf(angle.to_radians() / 2.0)
        } else {
            reach
        };
        let view = View::light(light.pos, light.dir, half, clip, spot, size);
        self.size = size as f32;
        self.light = if spot { light.pos } else { normalized(light.dir).map(|x| -x) };
        // lookups use the whole map, drawing leaves out its rim
        let factor = size as f32 / (size as f32 - 2.0);
        self.lookup = view.rows;
        for k in 0..2 {
            for j in 0..4 {
                let inner = view.rows[k][j] - view.rows[3][j];
                self.lookup[k][j] = factor * inner;
            }
        }

        let texel = 2.0 * half / size as f32;
        for plane in &list.planes {
            let normal = axis(&plane.rotation, 2);
            let cosine = dot(normal, normalized(light.dir)).abs().max(0.05);
            let slope = (1.0 - cosine * cosine).max(0.0).sqrt() / cosine;
            let distance =
                if spot { dot(sub(plane.position, light.pos), light.dir).abs() } else { 1.0 };
            let grow = if spot { distance / clip[0] } else { 1.0 };
            let bias = 1.5 * texel * slope * grow * cosine;
            self.planes.push(PlaneShadow { plane: *plane, bias: bias.max(1e-6) });
        }
        Some(view)
    }

    /// A number of pieces, to be collected.
    pub(crate) fn pieces(&mut self, count: usize) -> impl Iterator<Item = &mut Casters> {
        self.pieces.resize_with(count, Casters::default);
        self.pieces.iter_mut()
    }

    /// Which of eight points in the world are lit, as bits; `wanted` says which of them matter. The
    /// points are on the geom `receiver`.
    pub(crate) fn lit(&self, points: &V3x8, receiver: usize, wanted: u32) -> u32 {
        if !self.on {
            return wanted;
        }
        let row = |k: usize| {
            let r = self.lookup[k].map(f32x8::splat);
            r[0] * points[0] + r[1] * points[1] + r[2] * points[2] + r[3]
        };
        let (mut x, mut y, mut z, w) = (row(0), row(1), row(2), row(3));
        if !self.directional {
            let inverse = f32x8::ONE / w;
            (x, y, z) = (x * inverse, y * inverse, z * inverse);
        }
        let (x, y) = (x.floor(), y.floor());
        let (first, last) = (f32x8::ONE, f32x8::splat(self.size - 2.0));
        let inside = x.simd_ge(first) & x.simd_le(last) & y.simd_ge(first) & y.simd_le(last);
        let depth = z.max(f32x8::ZERO).min(f32x8::ONE);
        // outside of the map everything is lit
        let mut open = inside.to_bitmask() & wanted;
        let mut lit = wanted;
        if open == 0 {
            return lit;
        }
        for shadow in &self.planes {
            if shadow.plane.geom != receiver {
                let dark = self.behind_plane(shadow, points) & open;
                lit &= !dark;
                open &= !dark;
            }
        }

        for piece in &self.pieces {
            let dark = if open == 0 { 0 } else { piece.over(x, y, depth, open) };
            lit &= !dark;
            open &= !dark;
        }
        lit
    }

    /// Which points are on the other side of a plane than the light.
    fn behind_plane(&self, shadow: &PlaneShadow, points: &V3x8) -> u32 {
        let plane = &shadow.plane;
        let normal = axis(&plane.rotation, 2);
        let away: V3x8 = std::array::from_fn(|k| points[k] - f32x8::splat(plane.position[k]));
        let dot8 = |v: V3| {
            let v = splat(v);
            v[0] * away[0] + v[1] * away[1] + v[2] * away[2]
        };
        let height = dot8(normal);
        let toward = if self.directional {
            dot(normal, self.light)
        } else {
            dot(normal, sub(self.light, plane.position))
        };
        let bias = f32x8::splat(shadow.bias);
        let behind = if toward > 0.0 { height.simd_lt(-bias) } else { height.simd_gt(bias) };
        if !behind.any() || plane.size.iter().all(|&size| size <= 0.0) {
            return behind.to_bitmask();
        }
        // where the ray to the light crosses the plane
        let mut inside = behind;
        for k in 0..2 {
            if plane.size[k] <= 0.0 {
                continue;
            }
            let axis = axis(&plane.rotation, k);
            let here = dot8(axis);
            let crossing = if self.directional {
                here - height * f32x8::splat(dot(axis, self.light) / toward)
            } else {
                let there = f32x8::splat(dot(axis, sub(self.light, plane.position)));
                let t = height / (height - f32x8::splat(toward));
                here + (there - here) * t
            };
            inside &= crossing.abs().simd_le(f32x8::splat(plane.size[k]));
        }
        inside.to_bitmask()
    }
}

impl Casters {
    /// Collects the triangles of a run of `list` that throw shadows in a light with this view.
    pub(crate) fn collect(&mut self, list: &DrawList<'_>, run: Range<usize>, view: &View) {
        self.list.clear();
        self.bounds.clear();
        (self.low, self.high) = ([u16::MAX; 2], [0; 2]);
        self.last = view.width as f32 - 2.0;
        for part in &list.parts[run] {
            let look = &list.looks[part.look];
            let plane = list.planes.iter().any(|plane| plane.geom == look.geom);
            if look.casts && !plane && in_sight(part, view) {
                self.add(part, view);
            }
        }
        self.sort();
    }

    fn add(&mut self, part: &Part<'_>, view: &View) {
        let shape = part.shape;
        // what faces away is behind what faces the light, unless the light is inside
        let hidden = shape.closed && part.scale.iter().all(|&s| s > 0.0);
        let cull = if hidden { Cull::Back } else { Cull::None };
        facing(part, view, cull, &mut self.facing);
        self.needed.clear();
        self.needed.resize(shape.len() / LANES, false);
        for &triangle in &self.facing {
            for v in shape.triangles[triangle as usize] {
                self.needed[v as usize / LANES] = true;
            }
        }
        self.vertices.resize(shape.len(), [0.0; 4]);
        for at in (0..shape.len()).step_by(LANES).filter(|at| self.needed[at / LANES]) {
            let clip = clip8(part, view, std::array::from_fn(|k| load(&shape.position[k][at..])));
            let ([x, y, z], zero) = (screen8(&clip), f32x8::ZERO);
            let rows = [x, y, z, clip[2] - clip[3], zero, zero, zero, zero];
            let rows = f32x8::transpose(rows).map(|row| row.to_array());
            let rows = rows.map(|[x, y, z, near, ..]| [x, y, z, near]);
            self.vertices[at..at + LANES].copy_from_slice(&rows);
        }
        let candidates = std::mem::take(&mut self.facing);
        for &triangle in &candidates {
            let triangle = shape.triangles[triangle as usize];
            let corners = triangle.map(|v| self.vertices[v as usize]);
            match corners.map(|[.., near]| near > 0.0) {
                [false, false, false] => {
                    let corners = corners.map(|[x, y, z, _]| [x, y, z]);
                    if !hidden || turns_left(&corners) {
                        self.add_triangle(corners);
                    }
                }
                [true, true, true] => {}
                _ => {
                    let clip = |v: u32| {
                        let point = shape.point(v as usize).map(f32x8::splat);
                        clip8(part, view, point).map(|x| x.to_array()[0])
                    };
                    let polygon = cut(&triangle.map(clip));
                    for i in 1..polygon.len().max(2) - 1 {
                        let pieces = [polygon[0], polygon[i], polygon[i + 1]];
                        self.add_triangle(pieces.map(screen));
                    }
                }
            }
        }
        self.facing = candidates;
    }

    fn add_triangle(&mut self, corners: [[f32; 3]; 3]) {
        let bounds = |k: usize| {
            let x = corners.map(|p| p[k]);
            [x[0].min(x[1]).min(x[2]), x[0].max(x[1]).max(x[2])]
        };
        let [x, y] = [bounds(0), bounds(1)];
        // texels whose middles are inside the bounding box
        let low = [x[0], y[0]].map(|v| (v - 0.5).ceil().max(1.0));
        let high = [x[1], y[1]].map(|v| (v - 0.5).floor().min(self.last));
        if low[0] > high[0] || low[1] > high[1] {
            return;
        }
        let [a, b, c] = corners.map(|p| p.map(f64::from));
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        if area == 0.0 || !area.is_finite() {
            return;
        }
        let origin = low.map(|v| f64::from(v) + 0.5);
        let sign = area.signum();
        let edge = |p: [f64; 3], q: [f64; 3]| {
            let (dx, dy) = (sign * (q[0] - p[0]), sign * (q[1] - p[1]));
            let c = dx * (origin[1] - p[1]) - dy * (origin[0] - p[0]);
            [-dy as f32, dx as f32, c as f32]
        };
        let [z, gx, gy] = depth_plane([a, b, c]);
        let offset = OFFSET_SLOPE * gx.abs().max(gy.abs()) + OFFSET_UNITS;
        let depth = [z + gx * origin[0] + gy * origin[1] - offset, gx, gy].map(|x| x as f32);
        let nearest = a[2].max(b[2]).max(c[2]) as f32;
        let edges = [edge(a, b), edge(b, c), edge(c, a)];
        self.list.push(Caster { origin: low, edges, depth });
        let [min, max] = [low, high].map(|ends| ends.map(|texel| texel as u16));
        for k in 0..2 {
            self.low[k] = self.low[k].min(min[k]);
            self.high[k] = self.high[k].max(max[k]);
        }
        self.bounds.push(Bounds { min, max, nearest });
    }

    /// Sorts the casters by cell: counts, then places.
    fn sort(&mut self) {
        let Casters { list, bounds, start, order, cells, .. } = self;
        *cells = Cells::new(self.low, self.high, list.len());
        let count = cells.columns * cells.rows;
        start.clear();
        start.resize(count + 2, 0);
        // counts are two places further on, so that places end up as starts
        for (caster, bounds) in list.iter().zip(&*bounds) {
            cells.covered(caster, bounds, |cell| start[cell + 2] += 1);
        }
        for i in 2..count + 2 {
            start[i] += start[i - 1];
        }
        order.resize((start[count + 1] as usize).max(order.len()), Entry::default());
        for (caster, (shape, &bounds)) in list.iter().zip(&*bounds).enumerate() {
            cells.covered(shape, &bounds, |cell| {
                let next = &mut start[cell + 1];
                order[*next as usize] = Entry { bounds, caster: caster as u32 };
                *next += 1;
            });
        }
    }

    /// Which of eight texels have a caster between them and the light, as bits, of those in `open`.
    fn over(&self, x: f32x8, y: f32x8, depth: f32x8, open: u32) -> u32 {
        let near = |v: f32x8, k: usize| {
            let [low, high] = [self.low[k], self.high[k]].map(|x| f32x8::splat(x.into()));
            v.simd_ge(low) & v.simd_le(high)
        };
        let mut left = (near(x, 0) & near(y, 1)).to_bitmask() & open;
        if left == 0 {
            return 0;
        }

        // cells of the points, each looked at once
        let cells = self.cells.numbers(x, y);
        let numbers = cells.to_array();
        let mut dark = 0;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let cell = numbers[lane] as usize;
            let here = cells.simd_eq(i32x8::splat(numbers[lane])).to_bitmask() & left;
            left &= !here;
            let range = self.start[cell] as usize..self.start[cell + 1] as usize;
            if !range.is_empty() {
                dark |= self.shaded(&self.order[range], x, y, depth, here);
            }
        }
        dark
    }

    /// Which of the texels `here` have a caster between them and the light.
    fn shaded(&self, casters: &[Entry], x: f32x8, y: f32x8, depth: f32x8, here: u32) -> u32 {
        let (columns, rows, depths) = (x.to_array(), y.to_array(), depth.to_array());
        let (mut low, mut high, mut far) = ([u16::MAX; 2], [0; 2], f32::MAX);
        let mut rest = here;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let at = [columns[lane], rows[lane]].map(|texel| texel as u16);
            for k in 0..2 {
                low[k] = low[k].min(at[k]);
                high[k] = high[k].max(at[k]);
            }
            far = far.min(depths[lane]);
        }
        let mut dark = 0;
        for Entry { bounds, caster } in casters {
            // one branch: which of the sides it misses on is not to be foreseen
            let misses = (bounds.max[0] < low[0])
                | (bounds.min[0] > high[0])
                | (bounds.max[1] < low[1])
                | (bounds.min[1] > high[1])
                | (bounds.nearest <= far);
            if misses {
                continue;
            }
            let caster = &self.list[*caster as usize];
            let (dx, dy) = (x - f32x8::splat(caster.origin[0]), y - f32x8::splat(caster.origin[1]));
            let at =
                |[a, b, c]: [f32; 3]| f32x8::splat(a) * dx + f32x8::splat(b) * dy + f32x8::splat(c);
            let [e0, e1, e2] = caster.edges.map(at);
            let [gz, gx, gy] = caster.depth;
            let inside = e0.fast_min(e1).fast_min(e2).simd_ge(f32x8::ZERO);
            let nearer = at([gx, gy, gz]).simd_gt(depth);
            dark |= (inside & nearer).to_bitmask() & here;
            if dark == here {
                break;
            }
        }
        dark
    }
}

/// Eight points of a part in clip space.
fn clip8(part: &Part<'_>, view: &View, points: V3x8) -> [f32x8; 4] {
    let world = place8(part, points);
    view.rows.map(|row| {
        let r = row.map(f32x8::splat);
        r[0] * world[0] + r[1] * world[1] + r[2] * world[2] + r[3]
    })
}

fn axis(mat: &[f32; 9], k: usize) -> V3 {
    [mat[k], mat[3 + k], mat[6 + k]]
}

fn screen([x, y, z, w]: [f32; 4]) -> [f32; 3] {
    let inverse = 1.0 / w;
    [x * inverse, y * inverse, z * inverse]
}

/// The plane of depth through three points of the map: value at the origin and slopes.
fn depth_plane([p, q, r]: [[f64; 3]; 3]) -> [f64; 3] {
    let (qx, qy, qz) = (q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    let (rx, ry, rz) = (r[0] - p[0], r[1] - p[1], r[2] - p[2]);
    let inverse = 1.0 / (qx * ry - rx * qy);
    let gx = (qz * ry - rz * qy) * inverse;
    let gy = (qx * rz - rx * qz) * inverse;
    [p[2] - gx * p[0] - gy * p[1], gx, gy]
}

/// Whether a triangle turns left, seen from the light; true in doubt.
fn turns_left(&[a, b, c]: &[[f32; 3]; 3]) -> bool {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
    u[0] * v[1] - v[0] * u[1] >= 0.0
}

/// Cuts a triangle at the near plane.
fn cut(three: &[[f32; 4]; 3]) -> Vec<[f32; 4]> {
    let mut polygon = Vec::with_capacity(4);
    for i in 0..3 {
        let (a, b) = (three[i], three[(i + 1) % 3]);
        let (da, db) = (a[3] - a[2], b[3] - b[2]);
        if da >= 0.0 {
            polygon.push(a);
        }
        if (da < 0.0) != (db < 0.0) {
            let t = da / (da - db);
            polygon.push(std::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
        }
    }
    polygon
}
