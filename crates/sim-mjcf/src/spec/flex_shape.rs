//! Points and elements of the shapes that a flexcomp can have without a file.

use std::f64::consts::PI;

use sim_core::math::Vec3;

use crate::pose::{EPS, unit};

/// Points, the elements over them, and texture coordinates.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlexShape {
    pub points: Vec<Vec3>,
    /// Points of the elements, dimension + 1 each.
    pub elements: Vec<i32>,
    /// Texture coordinates, two for each point; empty for none.
    pub texcoord: Vec<f32>,
    /// Texture coordinates of the elements; those of their points when empty.
    pub elemtexcoord: Vec<i32>,
}

/// A shape that is made from a lattice of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lattice {
    Grid,
    Circle,
    Box,
    Cylinder,
    Ellipsoid,
    Square,
    Disc,
}

/// Makes a shape from a lattice of points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LatticeMaker {
    pub lattice: Lattice,
    pub dim: usize,
    /// Points along each axis, at least one; at least two for a box and what is made from it.
    pub count: [usize; 3],
    /// Distances of the points.
    pub spacing: [f64; 3],
    /// Whether texture coordinates are wanted.
    pub textured: bool,
}

/// Corners of a cell of a grid, counted around the lower face, then around the upper.
const CORNERS: [[usize; 3]; 8] =
    [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]];

/// The tetrahedra of a cell, all of which share the diagonal that ends in the last corner.
const TETRAHEDRA: [[usize; 4]; 6] =
    [[0, 3, 1, 7], [0, 1, 4, 7], [1, 3, 2, 7], [1, 2, 6, 7], [1, 5, 4, 7], [1, 6, 5, 7]];

impl LatticeMaker {
    /// Makes the shape.
    pub(crate) fn make(&self) -> FlexShape {
        match self.lattice {
            Lattice::Box | Lattice::Cylinder | Lattice::Ellipsoid if self.dim == 3 => self.solid(),
            Lattice::Box | Lattice::Cylinder | Lattice::Ellipsoid => self.shell(),
            _ => match self.dim {
                1 => self.line(),
                2 => self.sheet(),
                _ => self.block(),
            },
        }
    }

    /// Points and elements that the shape has at most; none if that is beyond counting.
    pub(crate) fn size(&self) -> Option<usize> {
        let [x, y, z] = self.count;
        match self.lattice {
            Lattice::Box | Lattice::Cylinder | Lattice::Ellipsoid => {
                let faces = x.checked_mul(y)?.checked_add(y.checked_mul(z)?)?;
                let faces = faces.checked_add(z.checked_mul(x)?)?.checked_mul(4)?;
                Some(x.checked_mul(y)?.checked_mul(z)?.max(faces))
            }
            _ => match self.dim {
                1 => Some(x),
                2 => x.checked_mul(y)?.checked_mul(2),
                _ => x.checked_mul(y)?.checked_mul(z)?.checked_mul(6),
            },
        }
    }

    /// Coordinate of a point of a centred grid.
    fn at(&self, axis: usize, i: usize) -> f64 {
        self.spacing[axis] * (i as f64 - 0.5 * (self.count[axis] - 1) as f64)
    }

    /// Half the length of the lattice along an axis.
    fn half(&self, axis: usize) -> f64 {
        0.5 * self.spacing[axis] * (self.count[axis] - 1) as f64
    }

    /// Place along an axis from 0 to 1, in single precision.
    fn share(&self, axis: usize, i: usize) -> f32 {
        i as f32 / (self.count[axis] - 1).max(1) as f32
    }

    /// Index of a point of a grid; beyond all points if that is too large.
    fn index(&self, [x, y, z]: [usize; 3]) -> i32 {
        let [_, ny, nz] = self.count;
        let column = x.saturating_mul(ny).saturating_add(y);
        i32::try_from(column.saturating_mul(nz).saturating_add(z)).unwrap_or(i32::MAX)
    }

    /// A chain, or a ring that has one point less.
    fn line(&self) -> FlexShape {
        let mut shape = FlexShape::default();
        let count = self.count[0];
        if self.lattice == Lattice::Circle {
            let points = count - 1;
            let angle = 2.0 * PI / points as f64;
            let radius = self.spacing[0] / libm::sin(angle / 2.0) / 2.0;
            for i in 0..points {
                let (s, c) = libm::sincos(angle * i as f64);
                shape.points.push(Vec3::new(radius * c, radius * s, 0.0));
                let next = if i + 1 == points { 0 } else { i + 1 };
                shape.elements.extend([i as i32, next as i32]);
            }
            return shape;
        }
        for i in 0..count {
            shape.points.push(Vec3::new(self.at(0, i), 0.0, 0.0));
            if i + 1 < count {
                shape.elements.extend([i as i32, i as i32 + 1]);
            }
        }
        shape
    }

    /// A rectangle of triangles, or a disc.
    fn sheet(&self) -> FlexShape {
        let mut shape = FlexShape::default();
        let [nx, ny, _] = self.count;
        let disc = self.lattice == Lattice::Disc;
        for ix in 0..nx {
            for iy in 0..ny {
                let (x, y) = (self.at(0, ix), self.at(1, iy));
                shape.points.push(Vec3::new(x, y, 0.0));
                if self.textured {
                    let share = |axis: usize, i: usize| {
                        (i as f64 / (self.count[axis] - 1).max(1) as f64) as f32
                    };
                    shape.texcoord.extend([share(0, ix), share(1, iy)]);
                }
                if ix + 1 == nx || iy + 1 == ny {
                    continue;
                }
                let corner = [0, 1, 2, 3].map(|k| {
                    let [dx, dy, _] = CORNERS[k];
                    self.index([ix + dx, iy + dy, 0])
                });
                // diagonals of a disc run from the centre to the rim
                let turned = disc && ((x < -EPS && y > -EPS) || (x > -EPS && y < -EPS));
                let triangles = if turned { [0, 1, 3, 1, 2, 3] } else { [0, 1, 2, 0, 2, 3] };
                shape.elements.extend(triangles.map(|k: usize| corner[k]));
            }
        }
        if disc {
            for point in &mut shape.points {
                let reach = point.x.abs().max(point.y.abs());
                let (x, y) = direction(point.x, point.y);
                point.x = x * (self.half(0) * reach);
                point.y = y * (self.half(1) * reach);
            }
        }
        shape
    }

    /// A cuboid of tetrahedra.
    fn block(&self) -> FlexShape {
        let mut shape = FlexShape::default();
        let [nx, ny, nz] = self.count;
        for ix in 0..nx {
            for iy in 0..ny {
                for iz in 0..nz {
                    let point = Vec3::new(self.at(0, ix), self.at(1, iy), self.at(2, iz));
                    shape.points.push(point);
                    if self.textured {
                        shape.texcoord.extend([self.share(0, ix), self.share(1, iy)]);
                    }
                    if ix + 1 == nx || iy + 1 == ny || iz + 1 == nz {
                        continue;
                    }
                    let corner = CORNERS.map(|[x, y, z]| self.index([ix + x, iy + y, iz + z]));
                    shape.elements.extend(TETRAHEDRA.as_flattened().iter().map(|&k| corner[k]));
                }
            }
        }
        shape
    }

    /// A box, cylinder or ellipsoid of tetrahedra that meet in the centre.
    fn solid(&self) -> FlexShape {
        let mut shape = FlexShape { points: vec![Vec3::ZERO], ..FlexShape::default() };
        if self.textured {
            shape.texcoord.extend([0.0, 0.0]);
        }
        let index = self.surface(&mut shape, false);
        for face in self.faces(false) {
            for [a, b, c] in [[0, 1, 3], [0, 2, 3]] {
                let corner = |k: usize| index[self.index(face.corner(k)) as usize];
                shape.elements.extend([0, corner(a), corner(b), corner(c)]);
            }
        }
        shape
    }

    /// A box, cylinder or ellipsoid of triangles, open on top. Lines run along the triangles of one
    /// that is closed, two points after two.
    fn shell(&self) -> FlexShape {
        let open = self.dim == 2;
        let mut shape = FlexShape::default();
        if self.textured {
            shape.texcoord.extend([0.0, 0.0]);
        }
        let index = self.surface(&mut shape, open);
        for face in self.faces(open) {
            // outside is to the right of each triangle
            let corners = match (face.normal, face.high) {
                (2, false) => [0, 3, 1, 0, 2, 3],
                (2, true) | (1, false) | (0, true) => [0, 1, 3, 0, 3, 2],
                _ => [1, 0, 2, 1, 2, 3],
            };
            shape.elements.extend(corners.map(|k| index[self.index(face.corner(k)) as usize]));
        }
        shape
    }

    /// Adds the points on the surface of a lattice: bottom and top, then front and back, then left
    /// and right, each without those before. Returns their indices by place in the lattice. An open
    /// surface has no top, and its sides reach up to the rim.
    fn surface(&self, shape: &mut FlexShape, open: bool) -> Vec<i32> {
        let [nx, ny, nz] = self.count;
        let mut index = vec![0; nx * ny * nz];
        let top = if open { nz } else { nz - 1 };
        let mut add = |place: [usize; 3], u: usize, v: usize| {
            index[self.index(place) as usize] = shape.points.len() as i32;
            shape.points.push(self.project(place));
            if self.textured {
                shape.texcoord.extend([self.share(u, place[u]), self.share(v, place[v])]);
            }
        };
        let levels: &[usize] = if open { &[0] } else { &[0, nz - 1] };
        for &iz in levels {
            for ix in 0..nx {
                (0..ny).for_each(|iy| add([ix, iy, iz], 0, 1));
            }
        }
        for iy in [0, ny - 1] {
            for ix in 0..nx {
                (1..top).for_each(|iz| add([ix, iy, iz], 0, 2));
            }
        }
        for ix in [0, nx - 1] {
            for iy in 1..ny - 1 {
                (1..top).for_each(|iz| add([ix, iy, iz], 1, 2));
            }
        }
        index
    }

    /// The cells of the surface, in the order of its points.
    fn faces(&self, open: bool) -> Vec<Face> {
        let mut faces = Vec::new();
        for (normal, u, v) in [(2, 0, 1), (1, 0, 2), (0, 1, 2)] {
            for high in [false, true] {
                if open && normal == 2 && high {
                    continue;
                }
                for i in 0..self.count[u] - 1 {
                    for j in 0..self.count[v] - 1 {
                        let mut place = [0; 3];
                        place[normal] = if high { self.count[normal] - 1 } else { 0 };
                        (place[u], place[v]) = (i, j);
                        faces.push(Face { normal, high, u, v, place });
                    }
                }
            }
        }
        faces
    }

    /// The point of the shape that a place on the surface of the lattice becomes.
    fn project(&self, place: [usize; 3]) -> Vec3 {
        let u =
            [0, 1, 2].map(|axis| 2.0 * place[axis] as f64 / (self.count[axis] as f64 - 1.0) - 1.0);
        let size = [0, 1, 2].map(|axis| self.half(axis));
        match self.lattice {
            Lattice::Cylinder => {
                let reach = u[0].abs().max(u[1].abs());
                let (x, y) = direction(u[0], u[1]);
                Vec3::new(x * (size[0] * reach), y * (size[1] * reach), u[2] * size[2])
            }
            Lattice::Ellipsoid => {
                let u = Vec3::new(u[0], u[1], u[2]);
                let u = unit(u).map_or(u, |(axis, _)| axis);
                Vec3::new(u.x * size[0], u.y * size[1], u.z * size[2])
            }
            _ => Vec3::new(u[0] * size[0], u[1] * size[1], u[2] * size[2]),
        }
    }
}

/// The vector of unit length; one without length stays as it is.
fn direction(x: f64, y: f64) -> (f64, f64) {
    let v = Vec3::new(x, y, 0.0);
    unit(v).map_or((x, y), |(axis, _)| (axis.x, axis.y))
}

/// A cell on the surface of a lattice.
struct Face {
    /// Axis across the face.
    normal: usize,
    /// Whether it is at the far end of that axis.
    high: bool,
    /// Axes along the face.
    u: usize,
    v: usize,
    /// The corner with the smallest coordinates.
    place: [usize; 3],
}

impl Face {
    /// A corner: 0, then the one along `u`, the one along `v`, the one across.
    fn corner(&self, k: usize) -> [usize; 3] {
        let mut place = self.place;
        place[self.u] += k & 1;
        place[self.v] += k >> 1;
        place
    }
}
