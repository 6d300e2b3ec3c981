use super::super::Shape;
use crate::math::{MINVAL, Mat3, Vec3};
use crate::model::GeomType;

/// What a convex body looks like in its own frame, apart from its sizes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The centre of a sphere.
    Point,
    /// The axis of a capsule.
    Segment,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
}

/// A convex body: a shape in place, blown up by half of `margin`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid<'a> {
    pub(super) form: Form,
    pub(super) size: Vec3,
    pub(super) pos: Vec3,
    pub(super) mat: &'a Mat3,
    pub(super) margin: f64,
}

/// A support point and which vertex it is; −1 where the surface is smooth.
pub(super) type Support = (Vec3, i32);

impl<'a> Solid<'a> {
    /// The body of `shape`; `None` if shapes of this kind are not bounded and convex.
    pub(super) fn new(shape: &Shape<'a>, margin: f64) -> Option<Solid<'a>> {
        let form = match shape.kind {
            GeomType::Sphere => Form::Sphere,
            GeomType::Capsule => Form::Capsule,
            GeomType::Ellipsoid => Form::Ellipsoid,
            GeomType::Cylinder => Form::Cylinder,
            GeomType::Box => Form::Box,
            _ => return None,
        };
        Some(Solid { form, size: shape.size, pos: shape.pos, mat: shape.mat, margin })
    }

    /// Whether all of the surface consists of corners, edges and flat faces.
    pub(super) fn discrete(&self) -> bool {
        self.form == Form::Box && self.margin == 0.0
    }

    /// The radius about the origin of the body's own frame that encloses it.
    pub(super) fn bounding_radius(&self) -> f64 {
        let Vec3 { x, y, z } = self.size;
        match self.form {
            Form::Point => 0.0,
            Form::Segment => y,
            Form::Sphere => x,
            Form::Capsule => x + y,
            Form::Ellipsoid => self.size.max_element(),
            Form::Cylinder => (x * x + y * y).sqrt(),
            Form::Box => (x * x + y * y + z * z).sqrt(),
        }
    }

    /// Strips a sphere to its centre and a capsule to its axis; returns what was stripped off.
    pub(super) fn core(&self) -> (Solid<'a>, f64) {
        let form = match self.form {
            Form::Sphere => Form::Point,
            Form::Capsule => Form::Segment,
            _ => return (*self, 0.0),
        };
        (Solid { form, margin: 0.0, ..*self }, self.size.x + 0.5 * self.margin)
    }

    /// Finds the point farthest along the unit vector `dir`.
    #[inline(always)]
    pub(super) fn support(&self, dir: Vec3) -> Support {
        let (mut point, vertex) = match self.form {
            Form::Point => (self.pos, -1),
            Form::Segment => {
                let axis = self.mat.column(2);
                (axis * along(axis.dot(dir), self.size.y) + self.pos, -1)
            }
            Form::Sphere => (dir * self.size.x + self.pos, -1),
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
    pub(super) fn world_point(&self, local: Vec3) -> Vec3 {
        *self.mat * local + self.pos
    }
}

/// `size` with the sign of `component`, zero counting as positive.
#[inline]
fn along(component: f64, size: f64) -> f64 {
    if component >= 0.0 { size } else { -size }
}

/// A point of the difference of two bodies, with the points it comes from.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Vertex {
    /// `on[0] - on[1]`.
    pub(super) diff: Vec3,
    pub(super) on: [Vec3; 2],
    /// Vertex numbers on the two bodies.
    pub(super) ids: [i32; 2],
}

/// Two bodies, and their Minkowski difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Couple<'a> {
    pub(super) a: Solid<'a>,
    pub(super) b: Solid<'a>,
}

impl Couple<'_> {
    /// Finds the point of the difference farthest along the unit vector `dir`.
    #[inline(always)]
    pub(super) fn support(&self, dir: Vec3) -> Vertex {
        let (a, id_a) = self.a.support(dir);
        let (b, id_b) = self.b.support(-dir);
        Vertex { diff: a - b, on: [a, b], ids: [id_a, id_b] }
    }

    /// Finds the point of the difference farthest along `dir`, whose length is `norm`; along the
    /// first axis if that is too short to be a direction.
    pub(super) fn support_along(&self, dir: Vec3, norm: f64) -> Vertex {
        self.support(if norm > MINVAL { dir / norm } else { Vec3::X })
    }

    /// Whether both bodies have only corners, edges and flat faces, so that a search among the
    /// vertices ends exactly.
    pub(super) fn discrete(&self) -> bool {
        self.a.discrete() && self.b.discrete()
    }
}
