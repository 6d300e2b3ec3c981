//! Faces in blocks, coordinate by coordinate.
//!
//! What is computed for each face by itself runs over the lanes of a block, which the compiler turns
//! into vector instructions; sums go over the lanes one by one, in the order of the faces.

use sim_core::math::Vec3;

use super::MINVAL;

/// Faces of a block.
pub(super) const LANES: usize = 32;

/// One number per face.
pub(super) type Lane = [f64; LANES];

/// A vector per face: its first, second and third coordinates.
pub(super) type Vectors = [Lane; 3];

/// The corners of the faces of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corners {
    pub a: Vectors,
    pub b: Vectors,
    pub c: Vectors,
}

/// Calls `each` with blocks of faces and their corners. In the last block, lanes behind the last
/// face have numbers without meaning.
#[inline]
pub(super) fn blocks(
    vert: &[Vec3],
    faces: impl IntoIterator<Item = [i32; 3]>,
    mut each: impl FnMut(&[[i32; 3]], &Corners),
) {
    const NULL: Vectors = [[0.0; LANES]; 3];
    let mut corners = Corners { a: NULL, b: NULL, c: NULL };
    let mut block = [[0; 3]; LANES];
    let mut count = 0;
    for face in faces {
        let [a, b, c] = face.map(|v| vert[v as usize]);
        put(&mut corners.a, count, a);
        put(&mut corners.b, count, b);
        put(&mut corners.c, count, c);
        block[count] = face;
        count += 1;
        if count == LANES {
            each(&block, &corners);
            count = 0;
        }
    }
    if count > 0 {
        each(&block[..count], &corners);
    }
}

#[inline]
fn put([x, y, z]: &mut Vectors, lane: usize, v: Vec3) {
    (x[lane], y[lane], z[lane]) = (v.x, v.y, v.z);
}

/// The vector of one lane.
#[inline]
pub(super) fn get([x, y, z]: &Vectors, lane: usize) -> Vec3 {
    Vec3::new(x[lane], y[lane], z[lane])
}

/// Computes a vector per lane.
#[inline]
pub(super) fn vectors(f: impl Fn(usize) -> Vec3) -> Vectors {
    let mut result = [[0.0; LANES]; 3];
    for lane in 0..LANES {
        put(&mut result, lane, f(lane));
    }
    result
}

impl Corners {
    /// The corners of one face.
    #[inline]
    pub(super) fn of(&self, lane: usize) -> [Vec3; 3] {
        [get(&self.a, lane), get(&self.b, lane), get(&self.c, lane)]
    }

    /// Computes the vector product of two sides of each face.
    #[inline]
    pub(super) fn cross(&self, lane: usize) -> Vec3 {
        let [a, b, c] = self.of(lane);
        (b - a).cross(c - a)
    }
}

/// Areas, normals and centres of the faces of a block. The normal of a triangle without area is not
/// of unit length.
pub(super) struct Triangles {
    pub area: Lane,
    pub normal: Vectors,
    pub centre: Vectors,
}

impl Triangles {
    /// Computes them for corners relative to `origin`.
    #[inline]
    pub(super) fn new(corners: &Corners) -> Triangles {
        const NULL: Vectors = [[0.0; LANES]; 3];
        let mut triangles = Triangles { area: [0.0; LANES], normal: NULL, centre: NULL };
        for lane in 0..LANES {
            let [a, b, c] = corners.of(lane);
            let normal = (b - a).cross(c - a);
            let length = normal.norm();
            let flat = length < MINVAL;
            triangles.area[lane] = if flat { 0.0 } else { 0.5 * length };
            put(&mut triangles.normal, lane, normal / if flat { 1.0 } else { length });
            put(&mut triangles.centre, lane, (a + b + c) / 3.0);
        }
        triangles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_all_faces_in_order() {
        let vert: Vec<Vec3> = (0..100).map(|i| Vec3::X * f64::from(i)).collect();
        for count in [0, 1, LANES - 1, LANES, LANES + 1, 3 * LANES, 97] {
            let faces = (0..count as i32).map(|i| [i, i + 1, i + 2]);
            let mut seen = Vec::new();
            blocks(&vert, faces.clone(), |block, corners| {
                for (lane, face) in block.iter().enumerate() {
                    assert_eq!(corners.of(lane), face.map(|v| vert[v as usize]));
                }
                seen.extend_from_slice(block);
            });
            assert_eq!(seen, faces.collect::<Vec<_>>());
        }
    }
}
