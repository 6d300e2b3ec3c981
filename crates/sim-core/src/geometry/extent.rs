use super::{Geom, Shape};
use crate::math::{Mat3, Vec3};
use crate::model::GeomType;

/// A box with axes of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoundingBox<'a> {
    pub(crate) center: Vec3,
    pub(crate) half: Vec3,
    pub(crate) mat: &'a Mat3,
}

impl BoundingBox<'_> {
    /// Whether a separating axis keeps two boxes apart by more than `margin`: one of the axes of
    /// either, or a product of one of each. Gottschalk, Lin, Manocha, "OBBTree" (1996).
    pub(crate) fn are_apart(&self, other: &BoundingBox<'_>, margin: f64) -> bool {
        // the second box in the frame of the first
        let turn = self.mat.transpose() * *other.mat;
        let turn: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| turn.0[3 * i + j]));
        let size = turn.map(|row| row.map(f64::abs));
        let (a, b) = (self.half.to_array(), other.half.to_array());
        let offset = self.mat.transpose_mul(other.center - self.center).to_array();

        for i in 0..3 {
            let reach = a[i] + (b[0] * size[i][0] + b[1] * size[i][1] + b[2] * size[i][2]);
            if offset[i].abs() > reach + margin {
                return true;
            }
        }
        for j in 0..3 {
            let reach = b[j] + (a[0] * size[0][j] + a[1] * size[1][j] + a[2] * size[2][j]);
            let along = offset[0] * turn[0][j] + offset[1] * turn[1][j] + offset[2] * turn[2][j];
            if along.abs() > reach + margin {
                return true;
            }
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let reach = a[i1] * size[i2][j]
                    + a[i2] * size[i1][j]
                    + b[j1] * size[i][j2]
                    + b[j2] * size[i][j1];
                let along = offset[i2] * turn[i1][j] - offset[i1] * turn[i2][j];
                // the axis is at most one unit long: the margin counts in full
                if along.abs() > reach + margin {
                    return true;
                }
            }
        }
        false
    }
}

impl<'a> Geom<'a> {
    /// A box around the geom with the axes of the geom; none for what has no bounds.
    #[inline]
    pub(crate) fn bounding_box(&self) -> Option<BoundingBox<'a>> {
        let Vec3 { x, y, .. } = self.size;
        let half = match self.shape {
            Shape::Plane | Shape::Hfield(_) | Shape::Sdf => return None,
            Shape::Sphere => Vec3::new(x, x, x),
            Shape::Capsule => Vec3::new(x, x, x + y),
            Shape::Cylinder => Vec3::new(x, x, y),
            Shape::Ellipsoid | Shape::Box => self.size,
            Shape::Mesh(asset) => {
                let &[x, y, z, a, b, c] = asset.aabb();
                let center = self.world_point(Vec3::new(x, y, z));
                return Some(BoundingBox { center, half: Vec3::new(a, b, c), mat: self.mat });
            }
        };
        Some(BoundingBox { center: self.pos, half, mat: self.mat })
    }
}

/// Half the extent, along the axes of the world, of a box about the position of a geom that
/// encloses it; none for kinds that the bounding sphere serves as well. `aabb` is the bounding box
/// of a mesh in its own frame: centre, half sizes.
#[inline(always)]
pub(crate) fn half_extent(kind: GeomType, size: Vec3, mat: &Mat3, aabb: &[f64; 6]) -> Option<Vec3> {
    let turned = |half: Vec3| {
        let [x, y, z] = [0, 1, 2].map(|i| mat.column(i).abs() * half[i]);
        x + y + z
    };
    match kind {
        GeomType::Capsule => Some(mat.column(2).abs() * size.y + Vec3::new(size.x, size.x, size.x)),
        GeomType::Box => Some(turned(size)),
        GeomType::Mesh => {
            let &[x, y, z, a, b, c] = aabb;
            Some((*mat * Vec3::new(x, y, z)).abs() + turned(Vec3::new(a, b, c)))
        }
        _ => None,
    }
}
