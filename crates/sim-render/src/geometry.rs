//! Vertices and triangles of a picture: placed, projected, culled, clipped and sorted into tiles.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use sim_core::scene::Light;

use crate::draw::{Cull, DrawList, Line, Look, Part, Shading};
use crate::facing::facing;
use crate::grid::GridView;
use crate::light::{self, LightSet};
use crate::shapes::LANES;
use crate::vector::{V3, V3x8, dot, dot8, f32x8, i32x8, inverse_sqrt8, load};
use crate::view::View;

/// Pixels along the side of a tile.
pub(crate) const TILE: usize = 32;
/// Fixed-point places of pixels: 1/256.
const SUBPIXEL: f32 = 256.0;
/// How far outside of the picture triangles may reach before they are cut, in pixels.
const GUARD: f32 = 2048.0;
/// Largest width and height of a picture, so that edge functions fit into 32 bits.
pub const MAX_SIZE: usize = 8192;
/// No place.
const NOWHERE: u32 = u32::MAX;

/// A triangle that may be seen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Triangle {
    pub(crate) vertices: [u32; 3],
    /// Where the attributes of its corners are.
    pub(crate) slots: [u32; 3],
    pub(crate) part: u32,
}

/// A triangle, or what clipping left of it, ready for filling: one line of the cache.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup {
    /// Corners in 1/256 pixels, which turn left.
    pub(crate) corners: [[i32; 2]; 3],
    /// The depth is `z + gx x + gy y`.
    pub(crate) depth: [f64; 3],
    /// The pixels that it may cover.
    pub(crate) min: [u16; 2],
    pub(crate) max: [u16; 2],
    pub(crate) triangle: u32,
    /// Whether it is smaller than half a tile, also beyond the picture.
    pub(crate) small: bool,
}

impl Setup {
    /// An edge function: `a x + b y + c` is at least 0 inside.
    #[inline]
    pub(crate) fn edge(&self, e: usize) -> [i64; 3] {
        let (from, to) = (self.corners[e].map(i64::from), self.corners[(e + 1) % 3].map(i64::from));
        let (a, b) = (from[1] - to[1], to[0] - from[0]);
        // samples on an edge belong to one of two neighbours: left and top edges
        let owned = a > 0 || (a == 0 && b < 0);
        [a, b, -(a * from[0] + b * from[1]) - i64::from(!owned)]
    }

    /// Whether it touches a tile, by its edges.
    fn touches(&self, column: usize, row: usize) -> bool {
        let size = 256 * TILE as i64;
        (0..3).all(|e| {
            let [a, b, c] = self.edge(e);
            let x = column as i64 * size + if a > 0 { size } else { 0 };
            let y = row as i64 * size + if b > 0 { size } else { 0 };
            a * x + b * y + c >= 0
        })
    }
}

/// Where in the vertex arrays a part is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) first: usize,
    pub(crate) look: usize,
    /// The part of the draw list; lines have none.
    pub(crate) part: usize,
    /// How a plane with a grid is seen, as an index into `grids`.
    pub(crate) grid: Option<usize>,
    /// Whether the corners of its triangles have attributes.
    lit: bool,
}

/// How vertices get their colours.
pub(crate) struct Lighting<'a> {
    pub(crate) lights: &'a [Light],
    pub(crate) sets: &'a [LightSet],
    /// Numbers of colours that attributes have room for.
    pub(crate) colors: usize,
    /// What is blended gets all light at once.
    pub(crate) all: LightSet,
    pub(crate) eye: V3,
    pub(crate) forward: V3,
    /// Ambient light when there are no lights.
    pub(crate) ambient: f32,
    /// Factor on colours: the reflectance of a mirror.
    pub(crate) dim: f32,
}

/// A vertex in clip space and in the world.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    pub(crate) clip: [f32; 4],
    pub(crate) world: V3,
    unused: f32,
}

/// A vertex on the screen: in 1/256 pixels, its [`outcodes`], in pixels with its depth.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
struct OnScreen {
    fixed: [i32; 2],
    code: i32,
    screen: V3,
    unused: [i32; 2],
}

/// Geometry of a picture as seen by one view. Buffers are kept from picture to picture.
#[derive(Debug, Default)]
pub(crate) struct Geometry {
    pub(crate) vertices: Vec<Vertex>,
    /// Number of vertices in use; those that no triangle needs are left as they were.
    used: usize,
    /// Vertices of the part that is placed.
    on_screen: Vec<OnScreen>,
    /// Triangles of the part that is placed that may face the view, and which groups of eight
    /// vertices they need.
    facing: Vec<u32>,
    needed: Vec<bool>,
    /// Attributes of the vertices that triangles need, `stride` numbers each: three colours per set,
    /// distance along the view (depth, if rays are parallel), and x, y and w in clip space, which are
    /// here for the sake of the cache.
    pub(crate) attributes: Vec<f32>,
    pub(crate) stride: usize,
    /// How many of them are colours.
    colors: usize,
    /// Attributes of eight vertices, before they are transposed.
    turned: Vec<f32x8>,
    /// Where the attributes of each group of eight vertices are, in groups.
    slots: Vec<u32>,
    slotted: u32,
    pub(crate) parts: Vec<Placed>,
    pub(crate) grids: Vec<GridView>,
    pub(crate) triangles: Vec<Triangle>,
    pub(crate) setups: Vec<Setup>,
    /// Opaque and blended setups by tile, in order.
    pub(crate) opaque: Vec<Vec<u32>>,
    pub(crate) blended: Vec<Vec<u32>>,
    pub(crate) columns: usize,
    parallel: bool,
}

/// Half space that is kept: `normal · p > offset`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClipPlane {
    pub(crate) normal: V3,
    pub(crate) offset: f32,
}

/// Where a part is, seen from a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Height {
    Above,
    Crossing,
    Below,
}

impl ClipPlane {
    fn height(&self, part: &Part<'_>) -> Height {
        let (centre, radius) = bounding_sphere(part);
        let height = dot(self.normal, centre) - self.offset;
        let radius = 1.001 * radius;
        match (height > radius, height < -radius) {
            (true, _) => Height::Above,
            (_, true) => Height::Below,
            _ => Height::Crossing,
        }
    }
}

/// Distance of a clip-space corner (x, y, z, w, height) from a plane of a view, given the view's
/// width and height; negative outside.
type Distance = fn(&[f32; 5], f32, f32) -> f32;

impl Geometry {
    /// Places the parts of a run of `list`, as `view` sees them, and lights them unless `lighting` is
    /// missing. The last run has the lines, too.
    pub(crate) fn build(
        &mut self,
        list: &DrawList<'_>,
        run: Range<usize>,
        view: &View,
        samples: usize,
        plane: Option<ClipPlane>,
        lighting: Option<&Lighting<'_>>,
    ) {
        self.clear(view);
        self.colors = lighting.map_or(0, |lighting| lighting.colors);
        // whole vectors, so that attributes can be mixed eight at a time
        self.stride = lighting.map_or(0, |l| (l.colors + 4).next_multiple_of(LANES));
        self.attributes.resize(self.attributes.len().max(LANES * self.stride), 0.0);
        let mirrored = plane.is_some();
        let last = run.end == list.parts.len();
        for id in run {
            let part = &list.parts[id];
            let look = &list.looks[part.look];
            let absent =
                mirrored && (look.mirror || matches!(look.shading, Shading::Sky | Shading::Haze));
            // a part that is wholly above the mirror needs no cutting
            let height = plane.map_or(Height::Above, |plane| plane.height(part));
            if !absent && height != Height::Below && in_sight(part, view) {
                let cull = if mirrored { part.cull.turned() } else { part.cull };
                facing(part, view, cull, &mut self.facing);
                let lit = lighting.is_some() && look.shading == Shading::Lit;
                let first = self.place(part, id, view, lit);
                let plane = plane.filter(|_| height == Height::Crossing);
                let outline = list.wireframe && look.shading == Shading::Lit;
                self.collect(part, look, cull, first, view, samples, plane, lit, outline);
                if let Some(lighting) = lighting.filter(|_| lit) {
                    self.light(part, look, first, lighting);
                }
            }
        }
        if last && !mirrored {
            for line in &list.lines {
                self.add_line(line, &list.looks[line.look], view, samples);
            }
        }
    }

    fn clear(&mut self, view: &View) {
        self.used = 0;
        self.slots.clear();
        self.slotted = 0;
        self.parts.clear();
        self.grids.clear();
        self.triangles.clear();
        self.setups.clear();
        self.parallel = view.parallel();
        self.columns = view.width.div_ceil(TILE);
        let tiles = self.columns * view.height.div_ceil(TILE);
        for bins in [&mut self.opaque, &mut self.blended] {
            bins.resize_with(tiles, Vec::new);
            bins.iter_mut().for_each(Vec::clear);
        }
    }

    /// Places the vertices of a part; returns the first.
    fn place(&mut self, part: &Part<'_>, id: usize, view: &View, lit: bool) -> usize {
        let (first, count) = (self.used, part.shape.len());
        self.make_room(count);
        let grid = part.shape.grid.as_ref().and_then(|_| GridView::new(part, view));
        let grid = grid.map(|grid| {
            self.grids.push(grid);
            self.grids.len() - 1
        });
        let lit = lit && grid.is_none();
        self.parts.push(Placed { first, look: part.look, part: id, grid, lit });
        self.needed.clear();
        self.needed.resize(count / LANES, grid.is_some());
        for &triangle in &self.facing {
            for v in part.shape.triangles[triangle as usize] {
                self.needed[v as usize / LANES] = true;
            }
        }
        let position = &part.shape.position;
        let rows = view.clip(part).map(|row| row.map(f32x8::splat));
        let half = [view.width, view.height].map(|size| f32x8::splat(0.5 * size as f32));
        let code = outcodes(view);
        for at in (0..count).step_by(LANES).filter(|at| self.needed[at / LANES]) {
            let local: V3x8 = std::array::from_fn(|k| load(&position[k][at..]));
            let world = place8(part, local);
            let [x, y, z, w] =
                rows.map(|r| local[0] * r[0] + local[1] * r[1] + local[2] * r[2] + r[3]);
            let [u, v, depth] = screen8(&[x, y, z, w]);
            let screen = [u * half[0] + half[0], v * half[1] + half[1], depth];
            let clip = [(x + w) * half[0], (y + w) * half[1], z, w];
            let [x, y, z, w] = clip;
            let rows = f32x8::transpose([x, y, z, w, world[0], world[1], world[2], f32x8::ZERO]);
            let rows = rows.map(bytemuck::cast::<f32x8, Vertex>);
            self.vertices[first + at..first + at + LANES].copy_from_slice(&rows);
            let code = code(&clip, screen);
            let [x, y, z] = screen.map(bytemuck::cast::<f32x8, i32x8>);
            let [column, row] = [screen[0], screen[1]].map(to_fixed);
            let rows = i32x8::transpose([column, row, code, x, y, z, i32x8::ZERO, i32x8::ZERO]);
            let rows = rows.map(bytemuck::cast::<i32x8, OnScreen>);
            self.on_screen[at..at + LANES].copy_from_slice(&rows);
        }
        first
    }

    /// Takes a number of vertices into use.
    fn make_room(&mut self, count: usize) {
        self.used += count;
        if self.vertices.len() < self.used {
            self.vertices.resize(self.used, Vertex::default());
        }
        if self.on_screen.len() < count {
            self.on_screen.resize(count, OnScreen::default());
        }
        self.slots.resize(self.used / LANES, NOWHERE);
    }

    /// Where the attributes of a vertex are, or will be.
    #[inline]
    fn slot(&mut self, vertex: usize) -> u32 {
        let slot = &mut self.slots[vertex / LANES];
        if *slot == NOWHERE {
            *slot = self.slotted;
            self.slotted += 1;
        }
        *slot * LANES as u32 + (vertex % LANES) as u32
    }

    /// The attributes of a vertex that has a slot; those of the first vertex otherwise.
    #[inline]
    pub(crate) fn attributes_of(&self, vertex: usize) -> &[f32] {
        let slot = self.slots[vertex / LANES];
        let slot = if slot == NOWHERE { 0 } else { slot as usize * LANES + vertex % LANES };
        &self.attributes[slot * self.stride..(slot + 1) * self.stride]
    }

    /// The corners of a triangle: x, y and w in clip space.
    #[inline]
    pub(crate) fn clip(&self, triangle: &Triangle) -> [V3; 3] {
        if !self.parts[triangle.part as usize].lit {
            return triangle.vertices.map(|v| {
                let [x, y, _, w] = self.vertices[v as usize].clip;
                [x, y, w]
            });
        }
        self.corners(triangle).map(|x| [x[self.colors + 1], x[self.colors + 2], x[self.colors + 3]])
    }

    /// The attributes of the corners of a triangle.
    #[inline]
    pub(crate) fn corners(&self, triangle: &Triangle) -> [&[f32]; 3] {
        triangle.slots.map(|slot| {
            let first = slot as usize * self.stride;
            &self.attributes[first..first + self.stride]
        })
    }

    /// Collects the triangles of a part that face the view and are in it; `lit` says whether their
    /// corners need colours, `outline` whether only their edges are drawn.
    fn collect(
        &mut self,
        part: &Part<'_>,
        look: &Look,
        cull: Cull,
        first: usize,
        view: &View,
        samples: usize,
        plane: Option<ClipPlane>,
        lit: bool,
        outline: bool,
    ) {
        let blended = look.blended;
        let placed = self.parts.len() as u32 - 1;
        let grid = self.parts[placed as usize].grid;
        let mut drawn = false;
        let candidates = std::mem::take(&mut self.facing);
        for &number in &candidates {
            let triangle = part.shape.triangles[number as usize];
            let vertices = triangle.map(|v| first + v as usize);
            let on_screen = triangle.map(|v| self.on_screen[v as usize]);
            let codes = on_screen.map(|v| v.code);
            if codes[0] & codes[1] & codes[2] & OUTSIDE != 0 {
                continue;
            }
            let id = self.triangles.len() as u32;
            let before = self.setups.len();
            let heights = plane.map(|plane| {
                vertices.map(|v| dot(plane.normal, self.vertices[v].world) - plane.offset)
            });
            if heights.is_some_and(|h| !h.iter().any(|&h| h > 0.0)) {
                continue;
            }
            let crossing = heights.is_some_and(|h| h.iter().any(|&h| h < 0.0));
            if outline {
                let corners = vertices.map(|v| self.vertices[v].clip);
                if !faces(cull, orientation(&corners)) {
                    continue;
                }
                let mut segment = |a: [f32; 4], b: [f32; 4]| {
                    self.add_segment([a, b], 1.0, view, samples, id, blended);
                };
                match part.shape.grid.as_ref().filter(|_| grid.is_some()) {
                    // the lines are those of the first half of the plane
                    Some(lines) if !drawn => {
                        lines.segments(&corners).for_each(|[a, b]| segment(a, b))
                    }
                    Some(_) => {}
                    None => {
                        let edges = part.shape.edges(number as usize);
                        for k in (0..3).filter(|&k| edges[k]) {
                            segment(corners[k], corners[(k + 1) % 3]);
                        }
                    }
                }
            } else if !crossing && (codes[0] | codes[1] | codes[2]) & CLIPPED == 0 {
                let fixed = on_screen.map(|v| v.fixed);
                let area = twice_area(&fixed);
                if !faces(cull, area as f64) {
                    continue;
                }
                if let Some(area) = Bounds::new(&fixed, area, view, samples) {
                    let depth = match grid {
                        Some(grid) => self.grids[grid].depth(samples),
                        None => depth_plane(&on_screen.map(|v| v.screen), samples),
                    };
                    self.add_setup(&fixed, &area, depth, id, blended);
                }
            } else {
                // orientation, also of triangles that reach behind the eye
                let corners = vertices.map(|v| self.vertices[v].clip);
                if !faces(cull, orientation(&corners)) {
                    continue;
                }
                let depth = grid.map(|grid| self.grids[grid].depth(samples));
                self.add_clipped(&corners, heights, depth, view, samples, id, blended);
            }
            if self.setups.len() > before {
                let slots = match self.parts[placed as usize].lit {
                    true => vertices.map(|v| self.slot(v)),
                    false => [0; 3],
                };
                let vertices = vertices.map(|v| v as u32);
                self.triangles.push(Triangle { vertices, slots, part: placed });
                drawn = true;
            }
        }
        self.facing = candidates;
        if let Some(lines) = part.shape.grid.as_ref().filter(|_| lit && drawn && grid.is_some()) {
            self.mark_cells(first, lines.columns(), lines.rows());
        }
    }

    /// Gives slots to the vertices of the cells of a grid that may be seen.
    fn mark_cells(&mut self, first: usize, columns: usize, rows: usize) {
        let width = columns + 1;
        for r in 0..rows {
            let low = r * width;
            for c in 0..columns {
                let codes = |v: usize| self.on_screen[v].code & self.on_screen[v + 1].code;
                if codes(low + c) & codes(low + width + c) & OUTSIDE == 0 {
                    for v in [low + c, low + c + 1, low + width + c, low + width + c + 1] {
                        self.slot(first + v);
                    }
                }
            }
        }
    }

    /// Cuts a triangle at the near plane, the guard band and the plane of a mirror, and adds what is
    /// left. Sutherland and Hodgman, Reentrant polygon clipping (1974).
    fn add_clipped(
        &mut self,
        corners: &[[f32; 4]; 3],
        heights: Option<[f32; 3]>,
        depth: Option<[f64; 3]>,
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
            if three.iter().flatten().any(|x| !x.is_finite()) {
                continue;
            }
            let fixed =
                three.map(|p| [p[0], p[1]].map(|x| (x * SUBPIXEL).round_ties_even() as i32));
            if let Some(area) = Bounds::new(&fixed, twice_area(&fixed), view, samples) {
                let depth = depth.unwrap_or_else(|| depth_plane(&three, samples));
                self.add_setup(&fixed, &area, depth, id, blended);
            }
        }
    }

    /// Prepares a triangle for filling and puts it into the tiles that it touches.
    #[inline]
    fn add_setup(
        &mut self,
        fixed: &[[i32; 2]; 3],
        &Bounds { min, max, turned }: &Bounds,
        depth: [f64; 3],
        triangle: u32,
        blended: bool,
    ) {
        if depth.iter().any(|z| !z.is_finite()) {
            return;
        }
        let [p, q, r] = *fixed;
        let corners = if turned { [p, r, q] } else { [p, q, r] };
        let [low, high] = [min, max].map(|ends| ends.map(|x| x as u16));
        let small = (0..2).all(|k| {
            let [a, b, c] = fixed.map(|p| p[k]);
            a.max(b).max(c) - a.min(b).min(c) < 128 * TILE as i32
        });
        let setup = Setup { corners, depth, min: low, max: high, triangle, small };
        let index = self.setups.len() as u32;
        self.setups.push(setup);
        let bins = if blended { &mut self.blended } else { &mut self.opaque };
        let tiles = |k: usize| min[k] as usize / TILE..=max[k] as usize / TILE;
        let large = (max[0] - min[0]) as usize >= TILE && (max[1] - min[1]) as usize >= TILE;
        for row in tiles(1) {
            for column in tiles(0) {
                if !large || setup.touches(column, row) {
                    bins[row * self.columns + column].push(index);
                }
            }
        }
    }

    /// Adds a line.
    fn add_line(&mut self, line: &Line, look: &Look, view: &View, samples: usize) {
        let ends = line.ends.map(|p| view.apply(p));
        let first = self.used;
        self.make_room(LANES);
        // a third corner beside the first
        let [a, b] = ends;
        let (nx, ny) = (a[1] * b[3] - b[1] * a[3], b[0] * a[3] - a[0] * b[3]);
        let unit = a[3] / nx.abs().max(ny.abs()).max(f32::MIN_POSITIVE);
        let corners = [a, b, [a[0] + nx * unit, a[1] + ny * unit, a[2], a[3]]];
        let vertex = |i: usize| Vertex { clip: corners[i % 3], ..Vertex::default() };
        (0..LANES).for_each(|i| self.vertices[first + i] = vertex(i));
        self.parts.push(Placed {
            first,
            look: line.look,
            part: usize::MAX,
            grid: None,
            lit: false,
        });
        let (part, id) = (self.parts.len() as u32 - 1, self.triangles.len() as u32);
        let before = self.setups.len();
        self.add_segment(ends, line.width, view, samples, id, look.blended);
        if self.setups.len() > before {
            let vertices = [0, 1, 2].map(|i| (first + i) as u32);
            self.triangles.push(Triangle { vertices, slots: [0; 3], part });
        }
    }

    /// Adds a line between two points of clip space as two triangles around it.
    fn add_segment(
        &mut self,
        [mut a, mut b]: [[f32; 4]; 2],
        width: f32,
        view: &View,
        samples: usize,
        id: u32,
        blended: bool,
    ) {
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
        // pixels of one sample have widths along rows or columns
        let half = 0.5 * width.max(1.0);
        let (ox, oy) = match samples {
            1 if dx.abs() >= dy.abs() => (0.0, half),
            1 => (half, 0.0),
            _ => (-dy * half / length, dx * half / length),
        };
        let corners = [(a, 1.0), (a, -1.0), (b, -1.0), (b, 1.0)].map(|(p, side): (_, f32)| {
            [p[0] + side * ox * p[3], p[1] + side * oy * p[3], p[2], p[3]]
        });
        for three in [[0, 1, 2], [0, 2, 3]] {
            let corners = three.map(|i| corners[i]);
            self.add_clipped(&corners, None, None, view, samples, id, blended);
        }
    }

    /// Computes the attributes of the vertices of a part that have slots.
    fn light(&mut self, part: &Part<'_>, look: &Look, first: usize, lighting: &Lighting<'_>) {
        let colors = lighting.colors;
        let needed = self.slotted as usize * LANES * self.stride;
        if self.attributes.len() < needed {
            self.attributes.resize(needed, 0.0);
        }
        let whole = std::slice::from_ref(&lighting.all);
        let sets = if look.blended { whole } else { lighting.sets };
        for at in (0..part.shape.len()).step_by(LANES) {
            let slot = self.slots[(first + at) / LANES];
            if slot == NOWHERE {
                continue;
            }
            let eight = &self.vertices[first + at..first + at + LANES];
            let rows: [f32x8; LANES] = std::array::from_fn(|i| bytemuck::cast(eight[i]));
            let [clip_x, clip_y, depth, distance, x, y, z, _] = f32x8::transpose(rows);
            let position = [x, y, z];
            let local = std::array::from_fn(|k| load(&part.shape.normal[k][at..]));
            let normal = normal8(part, local);
            self.turned.clear();
            self.turned.resize(self.stride, f32x8::ZERO);
            for (set, out) in sets.iter().zip(self.turned[..colors].chunks_exact_mut(3)) {
                let color = light::vertices(set, lighting, look, &position, &normal);
                out.copy_from_slice(&color);
            }
            self.turned[colors] = if self.parallel { depth } else { distance };
            self.turned[colors + 1..colors + 4].copy_from_slice(&[clip_x, clip_y, distance]);
            let out = slot as usize * LANES * self.stride;
            let out = &mut self.attributes[out..out + LANES * self.stride];
            for (k, eight) in self.turned.chunks_exact(LANES).enumerate() {
                let rows = f32x8::transpose(eight.try_into().expect("eight columns"));
                for (vertex, row) in out.chunks_exact_mut(self.stride).zip(rows) {
                    vertex[k * LANES..(k + 1) * LANES].copy_from_slice(&row.to_array());
                }
            }
        }
    }
}

/// The pixels that a triangle may cover.
struct Bounds {
    min: [i32; 2],
    max: [i32; 2],
    /// Whether it turns right.
    turned: bool,
}

impl Bounds {
    /// `None` if the triangle has no area or reaches no sample.
    #[inline]
    fn new(fixed: &[[i32; 2]; 3], area: i64, view: &View, samples: usize) -> Option<Bounds> {
        if area == 0 {
            return None;
        }
        let limits = [view.width as i32, view.height as i32];
        // samples are in the middle of the pixel, or in columns and rows a quarter apart, of which the
        // first is an eighth from its edge
        let (first, shift) = if samples == 1 { (128, 8) } else { (32, 6) };
        let (mut min, mut max) = ([0; 2], [0; 2]);
        for k in 0..2 {
            let [a, b, c] = fixed.map(|p| p[k]);
            let low = (a.min(b).min(c) - first + (1 << shift) - 1) >> shift;
            let high = (a.max(b).max(c) - first) >> shift;
            min[k] = (low >> (8 - shift)).max(0);
            max[k] = (high >> (8 - shift)).min(limits[k] - 1);
            if low > high || min[k] > max[k] {
                return None;
            }
        }
        Some(Bounds { min, max, turned: area < 0 })
    }
}

/// Twice the area of a triangle, positive if it turns left.
#[inline]
fn twice_area(fixed: &[[i32; 2]; 3]) -> i64 {
    let side = |i: usize, k: usize| i64::from(fixed[i][k]) - i64::from(fixed[0][k]);
    side(1, 0) * side(2, 1) - side(2, 0) * side(1, 1)
}

#[inline]
fn faces(cull: Cull, area: f64) -> bool {
    match cull {
        Cull::Back => area > 0.0,
        Cull::Front => area < 0.0,
        Cull::None => area != 0.0,
    }
}

pub(crate) fn place8(part: &Part<'_>, local: V3x8) -> V3x8 {
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

/// Bits of [`outcodes`]: on which sides of the picture a vertex is, and whether triangles with it
/// must be cut.
const OUTSIDE: i32 = 0x3f;
const CLIPPED: i32 = 0xc0;

/// Says where eight vertices are, given their places in clip space and on the screen.
fn outcodes(view: &View) -> impl Fn(&[f32x8; 4], V3x8) -> i32x8 {
    let [width, height] = [view.width as f32, view.height as f32].map(f32x8::splat);
    let guard = f32x8::splat(GUARD);
    move |&[x, y, z, w], screen| {
        let bit = |mask: f32x8, n: i32| -> i32x8 {
            let mask: i32x8 = bytemuck::cast(mask);
            mask & i32x8::splat(1 << n)
        };
        let zero = f32x8::ZERO;
        let wide = x.simd_lt(-guard * w)
            | x.simd_gt((width + guard) * w)
            | y.simd_lt(-guard * w)
            | y.simd_gt((height + guard) * w);
        // zero times a number is zero unless that is infinite or none
        let finite = (zero * screen[0] + zero * screen[1] + zero * screen[2]).simd_eq(zero);
        bit(x.simd_lt(zero), 0)
            | bit(x.simd_gt(width * w), 1)
            | bit(y.simd_lt(zero), 2)
            | bit(y.simd_gt(height * w), 3)
            | bit(z.simd_lt(zero), 4)
            | bit(z.simd_gt(w), 5)
            | bit(z.simd_gt(w), 6)
            | bit(wide | !finite, 7)
    }
}

pub(crate) fn screen8(&[x, y, z, w]: &[f32x8; 4]) -> V3x8 {
    let inverse = f32x8::ONE / w;
    [x * inverse, y * inverse, z * inverse]
}

/// The nearest places in 1/256 pixels, the even one of two; anything for places far outside.
fn to_fixed(x: f32x8) -> i32x8 {
    (x * f32x8::splat(SUBPIXEL)).round_ties_even().fast_trunc_int()
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

/// The plane of depth through three points of the screen: the value at the first sample of the pixel
/// at the origin and slopes, each sum and product rounded as the reference's rasteriser does.
#[inline]
fn depth_plane(corners: &[[f32; 3]; 3], samples: usize) -> [f64; 3] {
    let [r, p, q] = *corners;
    let (ux, uy, uz) = (p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    let (vx, vy, vz) = (r[0] - p[0], r[1] - p[1], r[2] - p[2]);
    let inverse = 1.0 / (ux * vy - uy * vx);
    let [ux, uy, vx, vy] = [ux, uy, vx, vy].map(|x| x * inverse);
    let (gx, gy) = (uz * vy - vz * uy, vz * ux - uz * vx);
    let centre = if samples == 1 { 0.5 } else { 0.0 };
    let z = p[2] - (gx * (p[0] - centre) + gy * (p[1] - centre));
    [z, gx, gy].map(f64::from)
}
