//! Triangles of simple shapes, divided as the reference divides them: light is computed at the
//! vertices, so the divisions are visible.

use std::f32::consts::PI;

use crate::facing::Planes;
use crate::vector::{f32x8, i32x8};

/// Lanes of the vector units; vertex arrays are padded to whole vectors.
pub(crate) const LANES: usize = 8;

/// A shape: vertices by component, and triangles that turn left seen from outside.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    pub(crate) position: [Vec<f32>; 3],
    pub(crate) normal: [Vec<f32>; 3],
    /// Texture coordinates, if it has its own.
    pub(crate) texcoord: Vec<[f32; 2]>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Whether it has faces of four sides, each cut into a triangle and the next.
    pub(crate) quads: bool,
    /// Lines of a plane that is filled as a whole and lit at the crossings of its lines: these come
    /// first among the vertices.
    pub(crate) grid: Option<Grid>,
    /// Whether it, or the geom that it is a part of, is a closed surface that faces outward: from
    /// outside, only the triangles that face the viewer are nearest.
    pub(crate) closed: bool,
    /// Planes of the triangles; none if they change from picture to picture.
    pub(crate) planes: Planes,
    /// Sphere around the vertices.
    pub(crate) centre: [f32; 3],
    pub(crate) radius: f32,
}

impl Shape {
    /// An empty shape with room for vertices and triangles.
    pub(crate) fn with_room(vertices: usize, triangles: usize) -> Shape {
        let mut shape = Shape::default();
        for k in 0..3 {
            shape.position[k].reserve(vertices + LANES);
            shape.normal[k].reserve(vertices + LANES);
        }
        shape.triangles.reserve(triangles);
        shape
    }

    /// Number of vertices, with padding.
    pub(crate) fn len(&self) -> usize {
        self.position[0].len()
    }

    pub(crate) fn point(&self, vertex: usize) -> [f32; 3] {
        [0, 1, 2].map(|k| self.position[k][vertex])
    }

    pub(crate) fn vertex(&mut self, position: [f32; 3], normal: [f32; 3]) -> u32 {
        for k in 0..3 {
            self.position[k].push(position[k]);
            self.normal[k].push(normal[k]);
        }
        self.position[0].len() as u32 - 1
    }

    /// A four-sided face, cut as the reference's library does: from its second to its last corner.
    pub(crate) fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangles.extend([[a, b, d], [b, c, d]]);
        self.quads = true;
    }

    /// Which edges of a triangle are edges of a face: from corner to corner, in turn. Where a face of
    /// four sides was cut there is none.
    pub(crate) fn edges(&self, triangle: usize) -> [bool; 3] {
        let at = |i: usize| self.triangles.get(i).copied().filter(|_| self.quads);
        let halves = |first: Option<[u32; 3]>, second: Option<[u32; 3]>| {
            first.zip(second).is_some_and(|(a, b)| a[1] == b[0] && a[2] == b[2])
        };
        let before = triangle.checked_sub(1).and_then(at);
        let (this, next) = (at(triangle), at(triangle + 1));
        [true, !halves(this, next), !halves(before, this)]
    }

    /// Pads the vertices to whole vectors, finds a sphere around them and the planes of the triangles.
    pub(crate) fn finish(mut self) -> Shape {
        self.planes = Planes::new(self.triangles.iter().map(|t| t.map(|v| self.point(v as usize))));
        let n = self.position[0].len();
        let bounds = self.position.each_ref().map(|p| {
            p.iter().fold([f32::INFINITY, f32::NEG_INFINITY], |[low, high], &x| {
                [low.min(x), high.max(x)]
            })
        });
        if n > 0 {
            self.centre = bounds.map(|[low, high]| 0.5 * (low + high));
        }
        let distance2 = |v: usize| -> f32 {
            (0..3).map(|k| (self.position[k][v] - self.centre[k]).powi(2)).sum()
        };
        self.radius = (0..n).map(distance2).fold(0.0, f32::max).sqrt();
        let padded = n.next_multiple_of(LANES);
        for k in 0..3 {
            self.position[k].resize(padded, 0.0);
            self.normal[k].resize(padded, 0.0);
        }
        self
    }

    /// Adds a grid of vertices, `rows + 1` times `columns + 1`, and its faces.
    fn grid(
        &mut self,
        rows: usize,
        columns: usize,
        at: impl Fn(usize, usize) -> ([f32; 3], [f32; 3]),
    ) {
        let first = self.position[0].len() as u32;
        for r in 0..=rows {
            for c in 0..=columns {
                let (position, normal) = at(r, c);
                self.vertex(position, normal);
            }
        }
        let width = columns as u32 + 1;
        for r in 0..rows as u32 {
            for c in 0..columns as u32 {
                let v = first + r * width + c;
                self.quad([v, v + 1, v + 1 + width, v + width]);
            }
        }
    }

    /// Adds a fan of triangles from a ring of vertices to a pole.
    fn fan(
        &mut self,
        slices: usize,
        inward: bool,
        ring: impl Fn(usize) -> ([f32; 3], [f32; 3]),
        pole: impl Fn(usize) -> ([f32; 3], [f32; 3]),
    ) {
        for j in 0..slices {
            let ends = if inward { [j + 1, j] } else { [j, j + 1] };
            let [a, b] = ends.map(|i| {
                let (position, normal) = ring(i);
                self.vertex(position, normal)
            });
            let (position, normal) = pole(j);
            let c = self.vertex(position, normal);
            self.triangles.push([a, b, c]);
        }
    }
}

fn azimuth(j: usize, slices: usize) -> (f32, f32) {
    let angle = 2.0 * PI * j as f32 / slices as f32;
    (libm::cosf(angle), libm::sinf(angle))
}

/// A unit sphere, or one of its halves lifted so that its rim is at ±1.
fn ball(slices: usize, stacks: usize, signs: &[f32], lift: f32) -> Shape {
    let mut shape = Shape::default();
    let half = stacks.max(1);
    for &sign in signs {
        let on_sphere = |i: usize, j: usize| {
            let elevation = PI / 2.0 * sign * i as f32 / half as f32;
            let (ce, se) = (libm::cosf(elevation), libm::sinf(elevation));
            let (ca, sa) = azimuth(j, slices);
            ([ca * ce, sa * ce, se + sign * lift], [ca * ce, sa * ce, se])
        };
        let pole = |_| ([0.0, 0.0, sign * (1.0 + lift)], [0.0, 0.0, sign]);
        shape.fan(slices, sign < 0.0, |j| on_sphere(half - 1, j), pole);
        if half > 1 {
            let turned = |j: usize| if sign > 0.0 { j } else { slices - j };
            shape.grid(half - 1, slices, |i, j| on_sphere(i, turned(j)));
        }
    }
    shape.finish()
}

fn disk(shape: &mut Shape, sign: f32, height: f32, slices: usize, stacks: usize) {
    let normal = [0.0, 0.0, sign];
    let on_disk = |i: usize, j: usize| {
        let radius = i as f32 / stacks as f32;
        let (ca, sa) = azimuth(j, slices);
        ([ca * radius, sa * radius, height], normal)
    };
    shape.fan(slices, sign < 0.0, |j| on_disk(1, j), |_| ([0.0, 0.0, height], normal));
    if stacks > 1 {
        // rings from the outside in
        let turned = |j: usize| if sign > 0.0 { j } else { slices - j };
        shape.grid(stacks - 1, slices, |i, j| on_disk(stacks - i, turned(j)));
    }
}

fn tube(shape: &mut Shape, slices: usize, stacks: usize) {
    shape.grid(stacks, slices, |i, j| {
        let (ca, sa) = azimuth(j, slices);
        ([ca, sa, 2.0 * i as f32 / stacks as f32 - 1.0], [ca, sa, 0.0])
    });
}

/// The shapes that geoms are made of, in units: a radius of 1, half lengths of 1.
#[derive(Debug, Clone)]
pub(crate) struct Builtin {
    pub(crate) sphere: Shape,
    pub(crate) top: Shape,
    pub(crate) bottom: Shape,
    pub(crate) cylinder: Shape,
    pub(crate) tube: Shape,
    pub(crate) cube: Shape,
    pub(crate) cone: Shape,
    pub(crate) square: Shape,
    pub(crate) triangle: Shape,
    pub(crate) haze: Shape,
}

impl Builtin {
    /// Divides round shapes into `slices` around and `stacks` along, faces into `quads` squared.
    /// `haze` is the part of the horizon that fades.
    pub(crate) fn new(slices: usize, stacks: usize, quads: usize, haze: f32) -> Builtin {
        let (slices, stacks, quads) = (slices.max(3), stacks.max(2), quads.max(1));
        let mut cylinder = Shape::default();
        disk(&mut cylinder, -1.0, -1.0, slices, stacks / 2);
        tube(&mut cylinder, slices, stacks);
        disk(&mut cylinder, 1.0, 1.0, slices, stacks / 2);
        let mut open = Shape::default();
        tube(&mut open, slices, stacks);
        let closed = |shape: Shape| Shape { closed: true, ..shape };
        Builtin {
            sphere: closed(ball(slices, stacks / 2, &[-1.0, 1.0], 0.0)),
            top: closed(ball(slices, stacks / 2, &[1.0], 1.0)),
            bottom: closed(ball(slices, stacks / 2, &[-1.0], 1.0)),
            cylinder: closed(cylinder.finish()),
            tube: open.finish(),
            cube: closed(cube(quads)),
            cone: closed(cone(slices, stacks)),
            square: plane(&divisions(quads), &divisions(quads)),
            triangle: triangle(),
            haze: ring(slices, haze),
        }
    }
}

fn divisions(n: usize) -> Vec<f32> {
    (0..=n).map(|i| 2.0 / n as f32 * i as f32 - 1.0).collect()
}

/// A plane with lines of a grid at the given places, of which all inner cells are equal.
pub(crate) fn divided_plane(x: Vec<f32>, y: Vec<f32>) -> Shape {
    let mut shape = plane(&x, &y);
    if x.len() > 2 && y.len() > 2 {
        let count = shape.len();
        let corners = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(i, j)| {
            let end =
                |lines: &[f32], i: usize| if i == 0 { lines[0] } else { lines[lines.len() - 1] };
            shape.vertex([end(&x, i), end(&y, j), 0.0], [0.0, 0.0, 1.0])
        });
        debug_assert_eq!(corners[0] as usize, count, "the corners come after the crossings");
        shape.triangles.clear();
        shape.quad(corners);
        shape = shape.finish();
        shape.grid = Some(Grid { x: Axis::new(x), y: Axis::new(y) });
    }
    shape
}

/// Lines of a plane.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
}

impl Grid {
    pub(crate) fn columns(&self) -> usize {
        self.x.cells()
    }

    pub(crate) fn rows(&self) -> usize {
        self.y.cells()
    }
}

/// Places of lines; all cells but the outermost are equally wide.
#[derive(Debug, Clone)]
pub(crate) struct Axis {
    pub(crate) lines: Vec<f32>,
    /// One over the width of each cell.
    pub(crate) inverse: Vec<f32>,
}

impl Axis {
    fn new(lines: Vec<f32>) -> Axis {
        let inverse = lines.windows(2).map(|pair| match pair[1] > pair[0] {
            true => 1.0 / (pair[1] - pair[0]),
            false => 0.0,
        });
        Axis { inverse: inverse.collect(), lines }
    }

    fn cells(&self) -> usize {
        self.inverse.len()
    }

    /// The cells that eight places are in, and where in them the places are, from 0 to 1.
    #[inline]
    pub(crate) fn cell8(&self, place: f32x8) -> (i32x8, f32x8) {
        let pitch = self.inverse[1.min(self.inverse.len() - 1)];
        let cell = (place - f32x8::splat(self.lines[1])) * f32x8::splat(pitch);
        let floor = cell.floor();
        let last = self.cells() as f32 - 1.0;
        let number = floor + f32x8::ONE;
        let inner = number.simd_ge(f32x8::ONE) & number.simd_lt(f32x8::splat(last));
        let number = number.max(f32x8::ZERO).min(f32x8::splat(last)).fast_trunc_int();
        if inner.all() {
            return (number, cell - floor);
        }
        // the outermost cells may be narrower
        let (places, numbers) = (place.to_array(), number.to_array());
        let part = std::array::from_fn(|lane| {
            let cell = numbers[lane] as usize;
            ((places[lane] - self.lines[cell]) * self.inverse[cell]).clamp(0.0, 1.0)
        });
        (number, f32x8::new(part))
    }
}

/// A plane with lines of a grid at the given places.
pub(crate) fn plane(x: &[f32], y: &[f32]) -> Shape {
    let mut shape = Shape::default();
    if x.len() > 1 && y.len() > 1 {
        shape.grid(y.len() - 1, x.len() - 1, |r, c| ([x[c], y[r], 0.0], [0.0, 0.0, 1.0]));
    }
    shape.finish()
}

fn cube(quads: usize) -> Shape {
    let mut shape = Shape::default();
    let d = divisions(quads);
    for axis in 0..3 {
        for sign in [1.0, -1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            shape.grid(quads, quads, |r, c| {
                // faces turn the other way on the negative side
                let (u, v) = (d[c], d[if sign > 0.0 { r } else { quads - r }]);
                let mut position = [0.0; 3];
                position[axis] = sign;
                position[(axis + 1) % 3] = u;
                position[(axis + 2) % 3] = v;
                (position, normal)
            });
        }
    }
    shape.finish()
}

fn cone(slices: usize, stacks: usize) -> Shape {
    let slope = 0.5f32.sqrt();
    let mut shape = Shape::default();
    let on_cone = |i: usize, j: usize| {
        let radius = i as f32 / stacks as f32;
        let (ca, sa) = azimuth(j, slices);
        ([ca * radius, sa * radius, 1.0 - radius], [ca * slope, sa * slope, slope])
    };
    shape.fan(
        slices,
        false,
        |j| on_cone(1, j),
        |j| {
            let (a, b) = (on_cone(1, j).1, on_cone(1, j + 1).1);
            ([0.0, 0.0, 1.0], [0, 1, 2].map(|k| a[k] + b[k]))
        },
    );
    shape.grid(stacks - 1, slices, |i, j| on_cone(stacks - i, j));
    disk(&mut shape, -1.0, 0.0, slices, stacks);
    shape.finish()
}

fn triangle() -> Shape {
    let mut shape = Shape::default();
    for position in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
        shape.vertex(position, [0.0, 0.0, 1.0]);
    }
    shape.triangles.push([0, 1, 2]);
    shape.finish()
}

/// The ring that hides the horizon: opaque at a height in between, clear at its rims. The opacity is
/// in the first texture coordinate.
fn ring(slices: usize, width: f32) -> Shape {
    let alpha = libm::atan2f(1.0, width);
    let beta = 0.75 * PI - alpha;
    let middle = 0.5f32.sqrt() * width * libm::sinf(alpha) / libm::sinf(beta);
    let mut shape = Shape::default();
    let heights = [0.0, middle, 1.0];
    shape.grid(2, slices, |i, j| {
        let (ca, sa) = azimuth(j, slices);
        let radius = 1.0 - width * (1.0 - heights[i]);
        ([ca * radius, sa * radius, heights[i]], [0.0, 0.0, 1.0])
    });
    let opacity = |i: usize| [if i / (slices + 1) == 1 { 1.0 } else { 0.0 }, 0.0];
    let mut shape = shape.finish();
    shape.texcoord = (0..shape.len()).map(opacity).collect();
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Area of the triangles that turn left seen from outside, minus those that do not.
    fn outward_area(shape: &Shape) -> f32 {
        shape
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|v| shape.point(v as usize));
                let side = |p: [f32; 3]| [0, 1, 2].map(|k| p[k] - a[k]);
                let (u, v) = (side(b), side(c));
                let n = [
                    u[1] * v[2] - u[2] * v[1],
                    u[2] * v[0] - u[0] * v[2],
                    u[0] * v[1] - u[1] * v[0],
                ];
                let along: f32 = (0..3).map(|k| n[k] * shape.normal[k][t[0] as usize]).sum();
                0.5 * along.signum() * (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt()
            })
            .sum()
    }

    #[test]
    fn shapes_are_closed_and_face_outward() {
        let shapes = Builtin::new(64, 32, 4, 0.3);
        let near = |a: f32, b: f32| assert!((a / b - 1.0).abs() < 0.01, "{a} {b}");
        near(outward_area(&shapes.sphere), 4.0 * PI);
        near(outward_area(&shapes.top), 2.0 * PI);
        near(outward_area(&shapes.bottom), 2.0 * PI);
        near(outward_area(&shapes.cylinder), 6.0 * PI);
        near(outward_area(&shapes.tube), 4.0 * PI);
        near(outward_area(&shapes.cube), 24.0);
        near(outward_area(&shapes.cone), PI * (1.0 + 2f32.sqrt()));
        near(outward_area(&shapes.square), 4.0);
    }
}
