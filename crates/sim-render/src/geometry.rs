//! Vertices and triangles of a picture: placed, projected, culled, clipped and sorted into tiles.

use sim_core::scene::Light;

use crate::draw::{Cull, DrawList, Line, Look, Part, Shading};
use crate::light::{self, LightSet};
use crate::shapes::LANES;
use crate::vector::{V3, V3x8, dot, dot8, f32x8, inverse_sqrt8, load};
use crate::view::View;

/// Pixels along the side of a tile.
pub(crate) const TILE: usize = 32;
/// Fixed-point places of pixels: 1/256.
const SUBPIXEL: f64 = 256.0;
/// How far outside of the picture triangles may reach before they are cut, in pixels.
const GUARD: f32 = 2048.0;
/// Largest width and height of a picture, so that edge functions fit into 32 bits.
pub const MAX_SIZE: usize = 8192;

/// A triangle that may be seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) vertices: [u32; 3],
    pub(crate) part: u32,
}

/// A triangle, or what clipping left of it, ready for filling. Edge functions `a x + b y + c` are at
/// least 0 inside, in 1/256 pixels; the depth is `z + gx x + gy y`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup {
    pub(crate) a: [i32; 3],
    pub(crate) b: [i32; 3],
    pub(crate) c: [i64; 3],
    pub(crate) z: [f64; 3],
    pub(crate) min: [i32; 2],
    pub(crate) max: [i32; 2],
    pub(crate) triangle: u32,
}

/// Where in the vertex arrays a part is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) first: usize,
    pub(crate) look: usize,
    /// The part of the draw list; lines have none.
    pub(crate) part: usize,
}

/// How vertices get their colours.
pub(crate) struct Lighting<'a> {
    pub(crate) lights: &'a [Light],
    pub(crate) sets: &'a [LightSet],
    /// What is blended gets all light at once.
    pub(crate) all: LightSet,
    pub(crate) eye: V3,
    pub(crate) forward: V3,
    /// Ambient light when there are no lights.
    pub(crate) ambient: f32,
    /// Factor on colours: the reflectance of a mirror.
    pub(crate) dim: f32,
}

/// Geometry of a picture as seen by one view. Buffers are kept from picture to picture.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(crate) world: [Vec<f32>; 3],
    pub(crate) clip: [Vec<f32>; 4],
    /// Colours by set and channel.
    pub(crate) colors: Vec<Vec<f32>>,
    /// Groups of eight vertices that belong to triangles which may be seen.
    used: Vec<bool>,
    pub(crate) parts: Vec<Placed>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) setups: Vec<Setup>,
    /// Opaque and blended setups by tile, in order.
    pub(crate) opaque: Vec<Vec<u32>>,
    pub(crate) blended: Vec<Vec<u32>>,
    pub(crate) columns: usize,
}

/// Half space that is kept: `normal · p > offset`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClipPlane {
    pub(crate) normal: V3,
    pub(crate) offset: f32,
}

/// Distance of a clip-space corner (x, y, z, w, height) from a plane of a view, given the view's
/// width and height; negative outside.
type Distance = fn(&[f32; 5], f32, f32) -> f32;

impl Geometry {
    /// Places what `list` has, as `view` sees it, and lights it unless `lighting` is missing.
    pub(crate) fn build(
        &mut self,
        list: &DrawList<'_>,
        view: &View,
        samples: usize,
        plane: Option<ClipPlane>,
        lighting: Option<&Lighting<'_>>,
    ) {
        self.clear(view);
        let mirrored = plane.is_some();
        for (id, part) in list.parts.iter().enumerate() {
            let look = &list.looks[part.look];
            let absent =
                mirrored && (look.mirror || matches!(look.shading, Shading::Sky | Shading::Haze));
            if !absent && in_sight(part, view) {
                let first = self.place(part, id, view);
                self.collect(part, look, first, view, samples, plane);
            }
        }
        if let Some(lighting) = lighting {
            self.light(list, lighting);
        }
        if !mirrored {
            for line in &list.lines {
                self.add_line(line, &list.looks[line.look], view, samples);
            }
        }
    }

    fn clear(&mut self, view: &View) {
        self.world.iter_mut().for_each(Vec::clear);
        self.clip.iter_mut().for_each(Vec::clear);
        self.used.clear();
        self.parts.clear();
        self.triangles.clear();
        self.setups.clear();
        self.columns = view.width.div_ceil(TILE);
        let tiles = self.columns * view.height.div_ceil(TILE);
        for bins in [&mut self.opaque, &mut self.blended] {
            bins.resize_with(tiles, Vec::new);
            bins.iter_mut().for_each(Vec::clear);
        }
    }

    /// Places the vertices of a part; returns the first.
    fn place(&mut self, part: &Part<'_>, id: usize, view: &View) -> usize {
        let first = self.world[0].len();
        let count = part.shape.len();
        self.parts.push(Placed { first, look: part.look, part: id });
        self.world.iter_mut().for_each(|v| v.resize(first + count, 0.0));
        self.clip.iter_mut().for_each(|v| v.resize(first + count, 0.0));
        self.used.resize((first + count) / LANES, false);
        let position = &part.shape.position;
        for at in (0..count).step_by(LANES) {
            let world = place8(part, std::array::from_fn(|k| load(&position[k][at..])));
            let out = first + at;
            for k in 0..3 {
                self.world[k][out..out + LANES].copy_from_slice(&world[k].to_array());
            }
            for k in 0..4 {
                let row = view.rows[k].map(f32x8::splat);
                let x = row[0] * world[0] + row[1] * world[1] + row[2] * world[2] + row[3];
                self.clip[k][out..out + LANES].copy_from_slice(&x.to_array());
            }
        }
        first
    }

    fn at(&self, vertex: usize) -> [f32; 4] {
        [0, 1, 2, 3].map(|k| self.clip[k][vertex])
    }

    /// Collects the triangles of a part that face the view and are in it.
    fn collect(
        &mut self,
        part: &Part<'_>,
        look: &Look,
        first: usize,
        view: &View,
        samples: usize,
        plane: Option<ClipPlane>,
    ) {
        let blended = look.blended;
        let edge = outcodes(view);
        let placed = self.parts.len() as u32 - 1;
        // a mirror turns triangles round
        let front = if plane.is_some() { -1.0 } else { 1.0 };
        for triangle in &part.shape.triangles {
            let vertices = triangle.map(|v| first + v as usize);
            let corners = vertices.map(|v| self.at(v));
            let codes = corners.map(&edge);
            if codes[0] & codes[1] & codes[2] & OUTSIDE != 0 {
                continue;
            }
            let heights = plane.map(|plane| {
                vertices
                    .map(|v| dot(plane.normal, [0, 1, 2].map(|k| self.world[k][v])) - plane.offset)
            });
            if heights.is_some_and(|h| !h.iter().any(|&h| h > 0.0)) {
                continue;
            }

            // orientation, also of triangles that reach behind the eye
            let area = front * orientation(&corners);
            let faces = match part.cull {
                Cull::Back => area > 0.0,
                Cull::Front => area < 0.0,
                Cull::None => area != 0.0,
            };
            if !faces {
                continue;
            }
            let id = self.triangles.len() as u32;
            let before = self.setups.len();
            let crossing = heights.is_some_and(|h| h.iter().any(|&h| h < 0.0));
            if crossing || (codes[0] | codes[1] | codes[2]) & CLIPPED != 0 {
                self.add_clipped(&corners, heights, view, samples, id, blended);
            } else {
                self.add_setup(corners.map(screen), view, samples, id, blended);
            }
            if self.setups.len() > before {
                self.triangles
                    .push(Triangle { vertices: vertices.map(|v| v as u32), part: placed });
                vertices.iter().for_each(|v| self.used[v / LANES] = true);
            }
        }
    }

    /// Cuts a triangle at the near plane, the guard band and the plane of a mirror, and adds what is
    /// left. Sutherland and Hodgman, Reentrant polygon clipping (1974).
    fn add_clipped(
        &mut self,
        corners: &[[f32; 4]; 3],
        heights: Option<[f32; 3]>,
        view: &View,
        samples: usize,
        id: u32,
        blended: bool,
    ) {
        let [width, height] = [view.width as f32, view.height as f32];
        let heights = heights.unwrap_or([1.0; 3]);
        let mut polygon: Vec<[f32; 5]> = Vec::with_capacity(9);
        polygon.extend((0..3).map(|i| {
            let [x, y, z, w] = corners[i];
            [x, y, z, w, heights[i]]
        }));
        let planes: [Distance; 6] = [
            |p, _, _| p[3] - p[2],
            |p, _, _| p[4],
            |p, _, _| p[0] + GUARD * p[3],
            |p, width, _| (width + GUARD) * p[3] - p[0],
            |p, _, _| p[1] + GUARD * p[3],
            |p, _, height| (height + GUARD) * p[3] - p[1],
        ];
        for plane in planes {
            let inside = |p: &[f32; 5]| plane(p, width, height);
            let mut next = Vec::with_capacity(9);
            for i in 0..polygon.len() {
                let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
                let (da, db) = (inside(&a), inside(&b));
                if da >= 0.0 {
                    next.push(a);
                }
                if (da < 0.0) != (db < 0.0) {
                    let t = da / (da - db);
                    next.push(std::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
                }
            }
            polygon = next;
            if polygon.len() < 3 {
                return;
            }
        }
        let corner = |p: &[f32; 5]| screen([p[0], p[1], p[2], p[3]]);
        for i in 1..polygon.len() - 1 {
            let three = [corner(&polygon[0]), corner(&polygon[i]), corner(&polygon[i + 1])];
            self.add_setup(three, view, samples, id, blended);
        }
    }

    /// Prepares a triangle for filling and puts it into the tiles that it touches.
    fn add_setup(
        &mut self,
        corners: [[f32; 3]; 3],
        view: &View,
        samples: usize,
        triangle: u32,
        blended: bool,
    ) {
        if corners.iter().flatten().any(|x| !x.is_finite()) {
            return;
        }
        let fixed = corners.map(|p| {
            [p[0], p[1]].map(|x| {
                let x = f64::from(x) * SUBPIXEL;
                // halves away from zero would do as well
                (x + 0.5).floor() as i64
            })
        });
        let mut order = [0, 1, 2];
        let side = |i: usize, k: usize| fixed[i][k] - fixed[0][k];
        let area = side(1, 0) * side(2, 1) - side(2, 0) * side(1, 1);
        if area == 0 {
            return;
        }
        if area < 0 {
            order.swap(1, 2);
        }

        // pixels with samples inside the bounding box
        let limits = [view.width as i64, view.height as i64];
        let (mut min, mut max) = ([0; 2], [0; 2]);
        for k in 0..2 {
            let all = fixed.map(|p| p[k]);
            let low = *all.iter().min().expect("three corners");
            let high = *all.iter().max().expect("three corners");
            // the outermost samples are an eighth from the edge of the pixel, or in its middle
            let (before, after) = if samples == 1 { (128, 128) } else { (224, 32) };
            min[k] = ((low - before).div_euclid(256)
                + i64::from((low - before).rem_euclid(256) > 0))
            .max(0) as i32;
            max[k] = (high - after).div_euclid(256).min(limits[k] - 1) as i32;
            if min[k] > max[k] {
                return;
            }
        }

        let mut setup =
            Setup { a: [0; 3], b: [0; 3], c: [0; 3], z: depth_plane(&corners), min, max, triangle };
        for e in 0..3 {
            let (from, to) = (fixed[order[e]], fixed[order[(e + 1) % 3]]);
            let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
            let (a, b) = (-dy, dx);
            let mut c = -(a * from[0] + b * from[1]);
            // samples on an edge belong to one of two neighbours: left and top edges
            let owned = a > 0 || (a == 0 && b < 0);
            if !owned {
                c -= 1;
            }
            setup.a[e] = a as i32;
            setup.b[e] = b as i32;
            setup.c[e] = c;
        }
        if setup.z.iter().any(|z| !z.is_finite()) {
            return;
        }
        let index = self.setups.len() as u32;
        self.setups.push(setup);
        let bins = if blended { &mut self.blended } else { &mut self.opaque };
        let tiles = |k: usize| min[k] as usize / TILE..=max[k] as usize / TILE;
        let large = (max[0] - min[0]) as usize >= TILE && (max[1] - min[1]) as usize >= TILE;
        for row in tiles(1) {
            for column in tiles(0) {
                if !large || touches(&setup, column, row) {
                    bins[row * self.columns + column].push(index);
                }
            }
        }
    }

    /// Adds a line as two triangles around it.
    fn add_line(&mut self, line: &Line, look: &Look, view: &View, samples: usize) {
        let [mut a, mut b] = line.ends.map(|p| view.apply(p));
        let near = |p: &[f32; 4]| p[3] - p[2];
        let (da, db) = (near(&a), near(&b));
        if da < 0.0 && db < 0.0 {
            return;
        }
        if da < 0.0 || db < 0.0 {
            let t = da / (da - db);
            let cut: [f32; 4] = std::array::from_fn(|k| a[k] + t * (b[k] - a[k]));
            if da < 0.0 { a = cut } else { b = cut }
        }
        let [sa, sb] = [screen(a), screen(b)];
        let (dx, dy) = (sb[0] - sa[0], sb[1] - sa[1]);
        let length = (dx * dx + dy * dy).sqrt();
        if length <= 0.0 || !length.is_finite() {
            return;
        }
        let half = 0.5 * line.width.max(1.0) / length;
        let (ox, oy) = (-dy * half, dx * half);
        let first = self.world[0].len();
        self.parts.push(Placed { first, look: line.look, part: usize::MAX });
        let placed = self.parts.len() as u32 - 1;
        let corners = [(a, 1.0), (a, -1.0), (b, -1.0), (b, 1.0)].map(|(p, side): (_, f32)| {
            [p[0] + side * ox * p[3], p[1] + side * oy * p[3], p[2], p[3]]
        });
        for k in 0..4 {
            self.clip[k].extend((0..LANES).map(|i| corners[i % 4][k]));
        }
        self.world.iter_mut().for_each(|v| v.resize(first + LANES, 0.0));
        for three in [[0, 1, 2], [0, 2, 3]] {
            let id = self.triangles.len() as u32;
            let before = self.setups.len();
            self.add_clipped(&three.map(|i| corners[i]), None, view, samples, id, look.blended);
            if self.setups.len() > before {
                let vertices = three.map(|i| (first + i) as u32);
                self.triangles.push(Triangle { vertices, part: placed });
            }
        }
    }

    /// Lights the vertices of triangles that may be seen.
    fn light(&mut self, list: &DrawList<'_>, lighting: &Lighting<'_>) {
        let vertices = self.world[0].len();
        self.colors.resize_with(3 * lighting.sets.len(), Vec::new);
        self.colors.iter_mut().for_each(|color| color.resize(vertices, 0.0));
        for placed in &self.parts {
            let part = &list.parts[placed.part];
            let look = &list.looks[part.look];
            if look.shading != Shading::Lit {
                continue;
            }
            let whole = std::slice::from_ref(&lighting.all);
            let sets = if look.blended { whole } else { lighting.sets };
            for at in (0..part.shape.len()).step_by(LANES) {
                let out = placed.first + at;
                if !self.used[out / LANES] {
                    continue;
                }
                let position = std::array::from_fn(|k| load(&self.world[k][out..]));
                let local = std::array::from_fn(|k| load(&part.shape.normal[k][at..]));
                let normal = normal8(part, local);
                for (s, set) in sets.iter().enumerate() {
                    let color = light::vertices(set, lighting, look, &position, &normal);
                    for k in 0..3 {
                        self.colors[3 * s + k][out..out + LANES]
                            .copy_from_slice(&color[k].to_array());
                    }
                }
            }
        }
    }
}

fn place8(part: &Part<'_>, local: V3x8) -> V3x8 {
    let p: V3x8 = std::array::from_fn(|k| {
        local[k] * f32x8::splat(part.scale[k]) + f32x8::splat(part.offset[k])
    });
    let m = &part.rotation;
    std::array::from_fn(|k| {
        let row = [m[3 * k], m[3 * k + 1], m[3 * k + 2]].map(f32x8::splat);
        dot8(&row, &p) + f32x8::splat(part.position[k])
    })
}

/// Unit normals in the world: by the inverse transpose, so divided by the scale.
fn normal8(part: &Part<'_>, local: V3x8) -> V3x8 {
    let n: V3x8 = std::array::from_fn(|k| {
        let scale = part.scale[k];
        local[k] * f32x8::splat(if scale == 0.0 { 1.0 } else { 1.0 / scale })
    });
    let m = &part.rotation;
    let world: V3x8 = std::array::from_fn(|k| {
        let row = [m[3 * k], m[3 * k + 1], m[3 * k + 2]].map(f32x8::splat);
        dot8(&row, &n)
    });
    let inverse = inverse_sqrt8(dot8(&world, &world));
    world.map(|x| x * inverse)
}

/// Centre and radius of a sphere around a part.
pub(crate) fn bounding_sphere(part: &Part<'_>) -> (V3, f32) {
    let shape = part.shape;
    let centre = place8(part, shape.centre.map(f32x8::splat)).map(|x| x.to_array()[0]);
    let scale = part.scale.iter().fold(0.0f32, |m, s| m.max(s.abs()));
    (centre, shape.radius * scale)
}

/// Whether the sphere around a part reaches into the view.
pub(crate) fn in_sight(part: &Part<'_>, view: &View) -> bool {
    let (centre, radius) = bounding_sphere(part);
    let [width, height] = [view.width as f32, view.height as f32];
    let rows = &view.rows;
    let combine = |sign: f32, i: usize, w: f32| -> [f32; 4] {
        std::array::from_fn(|k| sign * rows[i][k] + w * rows[3][k])
    };
    let planes = [
        combine(1.0, 0, 0.0),
        combine(-1.0, 0, width),
        combine(1.0, 1, 0.0),
        combine(-1.0, 1, height),
        combine(1.0, 2, 0.0),
        combine(-1.0, 2, 1.0),
    ];
    !planes.iter().any(|p| {
        let normal = [p[0], p[1], p[2]];
        dot(normal, centre) + p[3] < -radius * dot(normal, normal).sqrt() * 1.001
    })
}

const OUTSIDE: u32 = 0x3f;
const CLIPPED: u32 = 0xc0;

/// Says on which sides of the picture a vertex is, and whether triangles with it must be cut.
fn outcodes(view: &View) -> impl Fn([f32; 4]) -> u32 {
    let [width, height] = [view.width as f32, view.height as f32];
    move |[x, y, z, w]| {
        let bit = |condition: bool, n: u32| u32::from(condition) << n;
        let outside = bit(x < 0.0, 0)
            | bit(x > width * w, 1)
            | bit(y < 0.0, 2)
            | bit(y > height * w, 3)
            | bit(z < 0.0, 4)
            | bit(z > w, 5);
        let wide =
            x < -GUARD * w || x > (width + GUARD) * w || y < -GUARD * w || y > (height + GUARD) * w;
        outside | bit(z > w, 6) | bit(wide, 7)
    }
}

/// Twice the area of a triangle on the screen, with the sign of its sense of rotation; valid also
/// where the triangle reaches behind the eye.
fn orientation(corners: &[[f32; 4]; 3]) -> f64 {
    let [a, b, c] = corners.map(|[x, y, _, w]| [x, y, w].map(f64::from));
    a[0] * (b[1] * c[2] - b[2] * c[1])
        + a[1] * (b[2] * c[0] - b[0] * c[2])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

fn screen([x, y, z, w]: [f32; 4]) -> [f32; 3] {
    let inverse = 1.0 / w;
    [x * inverse, y * inverse, z * inverse]
}

/// The plane of depth through three points of the screen: value at the origin and slopes.
pub(crate) fn depth_plane(corners: &[[f32; 3]; 3]) -> [f64; 3] {
    let [p, q, r] = corners.map(|p| p.map(f64::from));
    let (qx, qy, qz) = (q[0] - p[0], q[1] - p[1], q[2] - p[2]);
    let (rx, ry, rz) = (r[0] - p[0], r[1] - p[1], r[2] - p[2]);
    let inverse = 1.0 / (qx * ry - rx * qy);
    let gx = (qz * ry - rz * qy) * inverse;
    let gy = (qx * rz - rx * qz) * inverse;
    [p[2] - gx * p[0] - gy * p[1], gx, gy]
}

/// Whether a triangle touches a tile, by its edges.
fn touches(setup: &Setup, column: usize, row: usize) -> bool {
    let size = 256 * TILE as i64;
    (0..3).all(|e| {
        let (a, b) = (i64::from(setup.a[e]), i64::from(setup.b[e]));
        let x = column as i64 * size + if a > 0 { size } else { 0 };
        let y = row as i64 * size + if b > 0 { size } else { 0 };
        a * x + b * y + setup.c[e] >= 0
    })
}
