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
pub(super) struct Solid {
    pub(super) form: Form,
    pub(super) size: Vec3,
    pub(super) pos: Vec3,
    pub(super) mat: Mat3,
    pub(super) margin: f64,
}

/// A support point and which vertex it is; −1 where the surface is smooth.
pub(super) type Support = (Vec3, i32);

impl Solid {
    /// The body of `shape`; `None` if shapes of this kind are not bounded and convex.
    pub(super) fn new(shape: &Shape, margin: f64) -> Option<Solid> {
        let form = match shape.kind {
            GeomType::Sphere => Form::Sphere,
            GeomType::Capsule => Form::Capsule,
            GeomType::Ellipsoid => Form::Ellipsoid,
            GeomType::Cylinder => Form::Cylinder,
            GeomType::Box => Form::Box,
            _ => return None,
        };
        Some(Solid { form, size: shape.size, pos: shape.pos, mat: *shape.mat, margin })
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
    pub(super) fn core(&self) -> (Solid, f64) {
        let form = match self.form {
            Form::Sphere => Form::Point,
            Form::Capsule => Form::Segment,
            _ => return (*self, 0.0),
        };
        (Solid { form, margin: 0.0, ..*self }, self.size.x + 0.5 * self.margin)
    }

    /// Finds the point farthest along the unit vector `dir`.
    #[inline]
    pub(super) fn support(&self, dir: Vec3) -> Support {
        let (mut point, vertex) = match self.form {
            Form::Point => (self.pos, -1),
            Form::Segment => (self.segment(dir), -1),
            Form::Sphere => (dir * self.size.x + self.pos, -1),
            Form::Capsule => (self.capsule(dir), -1),
            Form::Ellipsoid => (self.ellipsoid(dir), -1),
            Form::Cylinder => (self.cylinder(dir), -1),
            Form::Box => self.corner(dir),
        };
        if self.margin > 0.0 {
            point += dir * (0.5 * self.margin);
        }
        (point, vertex)
    }

    #[inline]
    fn segment(&self, dir: Vec3) -> Vec3 {
        let axis = self.mat.column(2);
        axis * along(axis.dot(dir), self.size.y) + self.pos
    }

    #[inline]
    fn capsule(&self, dir: Vec3) -> Vec3 {
        let dir = self.mat.transpose_mul(dir);
        let mut local = dir * self.size.x;
        local.z += along(dir.z, self.size.y);
        self.to_world(local)
    }

    #[inline]
    fn ellipsoid(&self, dir: Vec3) -> Vec3 {
        let local = self.mat.transpose_mul(dir).scaled(self.size);
        let norm2 = local.dot(local);
        if norm2 < MINVAL * MINVAL {
            return self.mat.column(0) * self.size.x + self.pos;
        }
        let inv = 1.0 / norm2.sqrt();
        self.to_world(local.scaled(self.size * inv))
    }

    #[inline]
    fn cylinder(&self, dir: Vec3) -> Vec3 {
        let dir = self.mat.transpose_mul(dir);
        let norm2 = dir.x * dir.x + dir.y * dir.y;
        let scale = if norm2 >= MINVAL * MINVAL { self.size.x / norm2.sqrt() } else { 0.0 };
        self.to_world(Vec3::new(scale * dir.x, scale * dir.y, along(dir.z, self.size.y)))
    }

    /// The corner of a box; bit `i` of its number is set where coordinate `i` is positive.
    #[inline]
    fn corner(&self, dir: Vec3) -> Support {
        let dir = self.mat.transpose_mul(dir);
        let size = self.size;
        let local = Vec3::new(along(dir.x, size.x), along(dir.y, size.y), along(dir.z, size.z));
        let bits = i32::from(local.x > 0.0)
            | i32::from(local.y > 0.0) << 1
            | i32::from(local.z > 0.0) << 2;
        (self.to_world(local), bits)
    }

    /// Takes a point from the body's own frame to the world.
    #[inline]
    pub(super) fn to_world(&self, local: Vec3) -> Vec3 {
        self.mat * local + self.pos
    }
}

/// `size` with the sign of `component`, zero counting as positive.
#[inline]
fn along(component: f64, size: f64) -> f64 {
    if component >= 0.0 { size } else { -size }
}

/// A point of the difference of two bodies, with the points it comes from.
#[derive(Debug, Clone, Copy)]
pub(super) struct Vertex {
    /// `on[0] - on[1]`.
    pub(super) diff: Vec3,
    pub(super) on: [Vec3; 2],
    /// Vertex numbers on the two bodies.
    pub(super) ids: [i32; 2],
}

impl Vertex {
    pub(super) const NONE: Vertex = Vertex { diff: Vec3::ZERO, on: [Vec3::ZERO; 2], ids: [-1; 2] };
}

/// Two bodies, and their Minkowski difference.
#[derive(Debug, Clone, Copy)]
pub(super) struct Couple {
    pub(super) a: Solid,
    pub(super) b: Solid,
}

impl Couple {
    /// Finds the point of the difference farthest along the unit vector `dir`.
    #[inline]
    pub(super) fn support(&self, dir: Vec3) -> Vertex {
        let (a, id_a) = self.a.support(dir);
        let (b, id_b) = self.b.support(-dir);
        Vertex { diff: a - b, on: [a, b], ids: [id_a, id_b] }
    }

    /// Finds the point of the difference farthest along `dir`, whose length is `norm`; along the
    /// first axis if that is too short to be a direction.
    #[inline]
    pub(super) fn support_along(&self, dir: Vec3, norm: f64) -> Vertex {
        self.support(if norm > MINVAL { dir / norm } else { Vec3::X })
    }

    /// Whether both bodies have only corners, edges and flat faces, so that a search among the
    /// vertices ends exactly.
    pub(super) fn discrete(&self) -> bool {
        self.a.discrete() && self.b.discrete()
    }
}
