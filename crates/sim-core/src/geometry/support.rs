//! The support function of convex bodies: the point farthest along a direction.

use std::cell::Cell;

use super::{Geom, Mesh, Prism, Shape};
use crate::math::{MINVAL, Mat3, Vec3};

/// The vertex of a mesh where the last search for a support point ended; the next one starts
/// there.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hint {
    pub(crate) vertex: Option<u32>,
    /// Its number in the hull.
    pub(crate) hull_vertex: Option<u32>,
}

impl Hint {
    /// Nothing was found yet.
    pub(crate) const NONE: Hint = Hint { vertex: None, hull_vertex: None };
}

/// What a convex body looks like in its own frame, apart from its sizes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form<'a> {
    /// The centre of a sphere.
    Point,
    /// The axis of a capsule.
    Segment,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh(Mesh<'a>, &'a Cell<Hint>),
    /// A prism of a height field; its points are those of the world.
    Prism(&'a Prism),
    /// Corners of a flex element in the world, blown up by the first size.
    Simplex(&'a [Vec3]),
}

/// A convex body: a shape in place, blown up by half of `margin`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Solid<'a> {
    pub(crate) form: Form<'a>,
    pub(crate) size: Vec3,
    /// Origin of its frame, which is a point inside.
    pub(crate) pos: Vec3,
    pub(crate) mat: &'a Mat3,
    pub(crate) margin: f64,
    /// Radius of the bounding sphere about `pos`.
    pub(crate) rbound: f64,
}

/// A support point and which vertex it is; −1 where the surface is smooth.
pub(crate) type Support = (Vec3, i32);

impl<'a> Solid<'a> {
    /// The body of a geom; none if it is not bounded and convex, or its mesh does not exist. `hint` is where a mesh remembers
    /// its last support point.
    pub(crate) fn new(geom: &Geom<'a>, margin: f64, hint: &'a Cell<Hint>) -> Option<Solid<'a>> {
        let form = match geom.shape {
            Shape::Sphere => Form::Sphere,
            Shape::Capsule => Form::Capsule,
            Shape::Ellipsoid => Form::Ellipsoid,
            Shape::Cylinder => Form::Cylinder,
            Shape::Box => Form::Box,
            Shape::Mesh(asset) => Form::Mesh(asset.mesh()?, hint),
            Shape::Plane | Shape::Hfield(_) | Shape::Sdf => return None,
        };
        let Geom { size, pos, mat, rbound, .. } = *geom;
        Some(Solid { form, size, pos, mat, margin, rbound })
    }

    /// A prism of a height field, about the mean of its points.
    pub(crate) fn prism(prism: &'a Prism) -> Solid<'a> {
        let pos = prism.iter().fold(Vec3::ZERO, |sum, &point| sum + point) * (1.0 / 6.0);
        let form = Form::Prism(prism);
        Solid { form, size: Vec3::ZERO, pos, mat: &Mat3::IDENTITY, margin: 0.0, rbound: 0.0 }
    }

    /// An element of a flex, or one of its vertices: corners blown up by `radius`, about `centre`.
    pub(crate) fn simplex(
        corners: &'a [Vec3],
        radius: f64,
        centre: Vec3,
        margin: f64,
    ) -> Solid<'a> {
        let size = Vec3::new(radius, 0.0, 0.0);
        let form = Form::Simplex(corners);
        Solid { form, size, pos: centre, mat: &Mat3::IDENTITY, margin, rbound: 0.0 }
    }

    /// The same body, remembering the support points of a mesh elsewhere.
    #[inline]
    pub(crate) fn with_hint(self, hint: &'a Cell<Hint>) -> Solid<'a> {
        match self.form {
            Form::Mesh(mesh, _) => Solid { form: Form::Mesh(mesh, hint), ..self },
            _ => self,
        }
    }

    /// Where the last support point of a mesh was found.
    pub(crate) fn hint(&self) -> Hint {
        match self.form {
            Form::Mesh(_, hint) => hint.get(),
            _ => Hint::NONE,
        }
    }

    /// Whether all of the surface consists of corners, edges and flat faces.
    pub(crate) fn discrete(&self) -> bool {
        matches!(self.form, Form::Box | Form::Mesh(..) | Form::Prism(_)) && self.margin == 0.0
    }

    /// Whether it is a point or segment blown up by a radius.
    pub(crate) fn has_core(&self) -> bool {
        matches!(self.form, Form::Sphere | Form::Capsule)
    }

    /// Strips a sphere to its centre and a capsule to its axis; returns what was stripped off.
    pub(crate) fn core(&self) -> (Solid<'a>, f64) {
        let form = match self.form {
            Form::Sphere => Form::Point,
            Form::Capsule => Form::Segment,
            _ => return (*self, 0.0),
        };
        (Solid { form, margin: 0.0, ..*self }, self.size.x + 0.5 * self.margin)
    }

    /// Finds the point farthest along the unit vector `dir`.
    #[inline(always)]
    pub(crate) fn support(&self, dir: Vec3) -> Support {
        let (mut point, vertex) = match self.form {
            Form::Point => (self.pos, -1),
            Form::Segment => {
                let axis = self.mat.column(2);
                (axis * along(axis.dot(dir), self.size.y) + self.pos, -1)
            }
            Form::Sphere => (dir * self.size.x + self.pos, -1),
            Form::Mesh(mesh, hint) => {
                let (local, vertex) = mesh.support(self.mat.transpose_mul(dir), hint);
                (self.world_point(local), vertex)
            }
            Form::Prism(prism) => (prism_support(prism, dir), -1),
            Form::Simplex(corners) => return (self.simplex_support(corners, dir), -1),
            _ => {
                let (local, vertex) = self.local_support(self.mat.transpose_mul(dir));
                (self.world_point(local), vertex)
            }
        };
        if self.margin > 0.0 {
            point += dir * (0.5 * self.margin);
        }
        (point, vertex)
    }

    /// The corner farthest along `dir`, and from there on by the radius and half the margin.
    #[inline]
    fn simplex_support(&self, corners: &[Vec3], dir: Vec3) -> Vec3 {
        let &[mut best, ref rest @ ..] = corners else { return self.pos };
        let mut farthest = best.dot(dir);
        for &corner in rest {
            let along = corner.dot(dir);
            if along > farthest {
                (best, farthest) = (corner, along);
            }
        }
        best + dir * (self.size.x + 0.5 * self.margin)
    }

    /// The same in the body's own frame, without the margin.
    #[inline(always)]
    fn local_support(&self, dir: Vec3) -> Support {
        let Vec3 { x, y, z } = self.size;
        match self.form {
            Form::Ellipsoid => {
                let scaled = dir.scaled(self.size);
                let norm2 = scaled.dot(scaled);
                if norm2 < MINVAL * MINVAL {
                    return (Vec3::new(x, 0.0, 0.0), -1);
                }
                (scaled.scaled(self.size * (1.0 / norm2.sqrt())), -1)
            }
            Form::Cylinder => {
                let norm2 = dir.x * dir.x + dir.y * dir.y;
                let scale = if norm2 >= MINVAL * MINVAL { x / norm2.sqrt() } else { 0.0 };
                (Vec3::new(scale * dir.x, scale * dir.y, along(dir.z, y)), -1)
            }
            Form::Box => {
                let corner = Vec3::new(along(dir.x, x), along(dir.y, y), along(dir.z, z));
                // bit i is set where coordinate i is positive
                let bits = i32::from(corner.x > 0.0)
                    | i32::from(corner.y > 0.0) << 1
                    | i32::from(corner.z > 0.0) << 2;
                (corner, bits)
            }
            _ => (Vec3::new(dir.x * x, dir.y * x, dir.z * x + along(dir.z, y)), -1),
        }
    }

    /// Takes a point from the body's own frame to the world.
    #[inline]
    pub(crate) fn world_point(&self, local: Vec3) -> Vec3 {
        *self.mat * local + self.pos
    }

    /// Finds the point farthest along `dir`, as portal refinement and planes want it: a direction
    /// along a face or edge gives its middle.
    pub(crate) fn farthest(&self, dir: Vec3) -> Vec3 {
        if let Form::Prism(prism) = self.form {
            return prism_support(prism, dir);
        }
        if let Form::Simplex(corners) = self.form {
            return self.simplex_support(corners, dir);
        }
        let dir = self.mat.transpose_mul(dir);
        let size = self.size;
        let mut local = match self.form {
            Form::Point | Form::Prism(_) | Form::Simplex(_) => Vec3::ZERO,
            Form::Segment => Vec3::new(0.0, 0.0, sign(dir.z) * size.y),
            Form::Sphere => dir * size.x,
            Form::Capsule => dir * size.x + Vec3::new(0.0, 0.0, sign(dir.z) * size.y),
            Form::Ellipsoid => dir.scaled(size).normalized().0.scaled(size),
            Form::Cylinder => {
                let norm = (dir.x * dir.x + dir.y * dir.y).sqrt();
                let (x, y) = if norm > MINVAL {
                    (dir.x / norm * size.x, dir.y / norm * size.x)
                } else {
                    (0.0, 0.0)
                };
                Vec3::new(x, y, sign(dir.z) * size.y)
            }
            Form::Box => Vec3::new(sign(dir.x), sign(dir.y), sign(dir.z)).scaled(size),
            Form::Mesh(mesh, hint) => mesh.vertex(mesh.farthest(dir, hint)),
        };
        local += dir * self.margin / 2.0;
        self.world_point(local)
    }
}

/// `size` with the sign of `component`, zero counting as positive.
#[inline]
fn along(component: f64, size: f64) -> f64 {
    if component >= 0.0 { size } else { -size }
}

fn sign(x: f64) -> f64 {
    if x < 0.0 {
        -1.0
    } else if x > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// The point of a prism farthest along `dir`: of the base where that points down, else of the top.
fn prism_support(prism: &Prism, dir: Vec3) -> Vec3 {
    let start = if dir.z < 0.0 { 0 } else { 3 };
    let mut best = prism[start];
    let mut farthest = best.dot(dir);
    for &point in &prism[start + 1..start + 3] {
        let along = point.dot(dir);
        if along > farthest {
            (best, farthest) = (point, along);
        }
    }
    best
}
