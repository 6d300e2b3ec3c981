//! What geoms are: their shapes, and the three questions that collision, rays and sensors ask of a
//! shape.
//!
//! | question | file |
//! |---|---|
//! | how far does it extend along the axes of the world? | `extent` |
//! | which of its points is farthest along a direction? | `support` |
//! | where does a ray meet it? | `ray`, `ray_mesh`, `ray_hfield` |
//!
//! `mesh` and `hfield` are views of what the model knows about a mesh and a height field. Nothing
//! here knows of contacts or stages.

mod extent;
mod hfield;
mod mesh;
mod ray;
mod ray_hfield;
mod ray_mesh;
mod support;
#[cfg(test)]
mod tests;

pub(crate) use extent::half_extent;
pub(crate) use hfield::{Hfield, Prism};
pub(crate) use mesh::Mesh;
pub use ray::ray_geom;
pub(crate) use ray::{Crossing, Ray, cross, cross_sphere};
pub(crate) use ray_mesh::View as TriangleView;
pub(crate) use support::{Form, Hint, Solid};

use crate::math::{Mat3, Vec3};
use crate::model::GeomType;
use crate::{Data, Model};

/// The kind of a geom, and what that kind carries besides its size.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Shape<'a> {
    Plane,
    Hfield(Asset<'a>),
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh(Asset<'a>),
    /// A signed distance field, which only plugins can evaluate.
    Sdf,
}

impl Shape<'static> {
    /// The shape of a kind that carries nothing but its size.
    pub(crate) fn primitive(kind: GeomType) -> Option<Shape<'static>> {
        Some(match kind {
            GeomType::Plane => Shape::Plane,
            GeomType::Sphere => Shape::Sphere,
            GeomType::Capsule => Shape::Capsule,
            GeomType::Ellipsoid => Shape::Ellipsoid,
            GeomType::Cylinder => Shape::Cylinder,
            GeomType::Box => Shape::Box,
            _ => return None,
        })
    }
}

/// The mesh or height field of a geom, looked up when somebody asks for it: a geom is made for every
/// pair that comes close, and stays small enough for registers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asset<'a> {
    model: &'a Model,
    geom: usize,
}

impl<'a> Asset<'a> {
    /// The mesh; none if it does not exist.
    #[inline]
    pub(crate) fn mesh(self) -> Option<Mesh<'a>> {
        Mesh::new(self.model, self.geom)
    }

    /// The height field; none if it does not exist.
    pub(crate) fn hfield(self) -> Option<Hfield<'a>> {
        Hfield::new(self.model, self.geom)
    }

    /// Bounding box in the frame of the geom: centre, half sizes.
    #[inline]
    pub(crate) fn aabb(self) -> &'a [f64; 6] {
        &self.model.geom_aabb[self.geom]
    }
}

/// A geom where it is now.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Geom<'a> {
    pub(crate) shape: Shape<'a>,
    pub(crate) size: Vec3,
    pub(crate) pos: Vec3,
    pub(crate) mat: &'a Mat3,
    /// Radius of the bounding sphere about `pos`; zero for planes.
    pub(crate) rbound: f64,
    /// Its number in the model.
    pub(crate) id: u32,
}

impl<'a> Geom<'a> {
    /// Geom number `geom`; none if its type is not that of a solid.
    #[inline(always)] // a copy of what was just written in parts would wait for it
    pub(crate) fn new(model: &'a Model, data: &'a Data, geom: usize) -> Option<Geom<'a>> {
        let shape = match GeomType::from_i32(*model.geom_type.get(geom)?)? {
            GeomType::Mesh => Shape::Mesh(Asset { model, geom }),
            GeomType::Hfield => Shape::Hfield(Asset { model, geom }),
            GeomType::Sdf => Shape::Sdf,
            kind => Shape::primitive(kind)?,
        };
        Some(Geom {
            shape,
            size: model.geom_size[geom],
            pos: data.geom_xpos[geom],
            mat: &data.geom_xmat[geom],
            rbound: model.geom_rbound[geom],
            id: geom as u32,
        })
    }

    /// A geom of a kind that carries nothing but its size, with the bounding sphere of that size.
    pub(crate) fn primitive(
        kind: GeomType,
        size: Vec3,
        pos: Vec3,
        mat: &'a Mat3,
    ) -> Option<Geom<'a>> {
        let Vec3 { x, y, .. } = size;
        let rbound = match kind {
            GeomType::Sphere => x,
            GeomType::Capsule => x + y,
            GeomType::Ellipsoid => size.max_element(),
            GeomType::Cylinder => (x * x + y * y).sqrt(),
            GeomType::Box => size.norm(),
            _ => 0.0,
        };
        Some(Geom { shape: Shape::primitive(kind)?, size, pos, mat, rbound, id: 0 })
    }

    /// The number of its type, by which the two geoms of a contact are ordered.
    pub(crate) fn kind(&self) -> GeomType {
        match self.shape {
            Shape::Plane => GeomType::Plane,
            Shape::Hfield(_) => GeomType::Hfield,
            Shape::Sphere => GeomType::Sphere,
            Shape::Capsule => GeomType::Capsule,
            Shape::Ellipsoid => GeomType::Ellipsoid,
            Shape::Cylinder => GeomType::Cylinder,
            Shape::Box => GeomType::Box,
            Shape::Mesh(_) => GeomType::Mesh,
            Shape::Sdf => GeomType::Sdf,
        }
    }

    /// Takes a point from the frame of the geom to the world.
    #[inline]
    pub(crate) fn world_point(&self, local: Vec3) -> Vec3 {
        *self.mat * local + self.pos
    }
}

/// A vector of single precision in double precision.
#[inline(always)]
pub(crate) fn widen([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(f64::from(x), f64::from(y), f64::from(z))
}
