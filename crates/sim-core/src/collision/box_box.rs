//! Boxes against boxes.
//!
//! The axis of least overlap among the fifteen candidates says whether a face or two edges meet;
//! `box_patch` then clips what lies over the face.

use wide::f64x4;

use super::Hits;
use super::box_patch::{edge_patch, face_patch};
use super::hits::MAX_HITS;
use crate::geometry::Geom;
use crate::math::{MINVAL, Mat3, Vec3};

/// Box against box. Repeated points, and those beyond one of the boxes, are left out.
pub(super) fn box_box(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let Some(boxes) = Boxes::new(a, b, margin) else { return };
    let before = out.len();
    match boxes.least_overlap(margin) {
        None => return,
        Some(Axis::Face { second: false, face }) => {
            face_patch(face, boxes.b_in_a, &boxes.rot, a, b, margin, out);
        }
        Some(Axis::Face { second: true, face }) => {
            face_patch(face, boxes.a_in_b, &boxes.rot.transpose(), b, a, margin, out);
            for hit in &mut out[before..] {
                hit.normal = -hit.normal;
            }
        }
        Some(Axis::Edges(edges)) => edge_patch(&edges, &boxes, a, b, margin, out),
    }
    remove_bad(a, b, margin, before, out);
}

/// Two boxes in each other's frame.
pub(super) struct Boxes {
    size1: Vec3,
    size2: Vec3,
    pub(super) b_in_a: Vec3,
    a_in_b: Vec3,
    /// The orientation of the second box in the frame of the first.
    pub(super) rot: Mat3,
    pub(super) abs_rot: Mat3,
    /// The overlap along the axes of each.
    overlap1: Vec3,
    overlap2: Vec3,
}

/// A box in the frame of another, whose axes are the lanes.
struct View {
    center: f64x4,
    axes: [f64x4; 3],
}

impl View {
    #[inline]
    fn new(from: &Geom, of: &Geom) -> View {
        let [xx, xy, xz, yx, yy, yz, zx, zy, zz] = from.mat.0;
        let row1 = f64x4::new([xx, xy, xz, 0.0]);
        let row2 = f64x4::new([yx, yy, yz, 0.0]);
        let row3 = f64x4::new([zx, zy, zz, 0.0]);
        let turned = |x: f64, y: f64, z: f64| {
            row1 * f64x4::splat(x) + row2 * f64x4::splat(y) + row3 * f64x4::splat(z)
        };
        let offset = of.pos - from.pos;
        let m = &of.mat.0;
        View {
            center: turned(offset.x, offset.y, offset.z),
            axes: [turned(m[0], m[3], m[6]), turned(m[1], m[4], m[7]), turned(m[2], m[5], m[8])],
        }
    }

    /// How far boxes of given sizes overlap along each axis of the first; none if one of them
    /// separates the boxes.
    #[inline]
    fn overlap(&self, size1: Vec3, size2: Vec3, margin: f64) -> Option<Vec3> {
        let [x, y, z] = self.axes;
        let reach = x.abs() * f64x4::splat(size2.x)
            + y.abs() * f64x4::splat(size2.y)
            + z.abs() * f64x4::splat(size2.z);
        let size1 = f64x4::new([size1.x, size1.y, size1.z, 0.0]);
        let overlap = -self.center.abs() + size1 + reach;
        let apart = overlap.simd_lt(f64x4::splat(-margin)).to_bitmask() & 7 != 0;
        (!apart).then(|| vec3(overlap))
    }
}

fn vec3(lanes: f64x4) -> Vec3 {
    let [x, y, z, _] = lanes.to_array();
    Vec3::new(x, y, z)
}

/// What touches along an axis of separation.
enum Axis {
    /// A face of the first or second box: its axis, plus 3 if it is on the negative side.
    Face {
        second: bool,
        face: usize,
    },
    Edges(Edges),
}

/// An edge of each box.
pub(super) struct Edges {
    /// The axes along which they run.
    pub(super) edge1: usize,
    pub(super) edge2: usize,
    /// Which of the four parallel edges: a bit for each axis, set on the positive side.
    pub(super) corner1: usize,
    pub(super) corner2: usize,
    /// The unit vector perpendicular to both, in the frame of the first box.
    pub(super) normal: Vec3,
    /// Whether that points from the second box to the first.
    pub(super) flipped: bool,
}

impl Boxes {
    /// None if a face separates the boxes.
    fn new(a: &Geom, b: &Geom, margin: f64) -> Option<Boxes> {
        let first = View::new(a, b);
        let overlap1 = first.overlap(a.size, b.size, margin)?;
        let second = View::new(b, a);
        let overlap2 = second.overlap(b.size, a.size, margin)?;
        let [x, y, z] = first.axes;
        let rot = Mat3::from_columns(vec3(x), vec3(y), vec3(z));
        Some(Boxes {
            size1: a.size,
            size2: b.size,
            b_in_a: vec3(first.center),
            a_in_b: vec3(second.center),
            rot,
            abs_rot: Mat3(rot.0.map(f64::abs)),
            overlap1,
            overlap2,
        })
    }

    /// Finds the axis along which the boxes overlap least, none if they are apart.
    fn least_overlap(&self, margin: f64) -> Option<Axis> {
        let (mut best, mut least) = self.faces()?;
        self.edge::<0, 0>(margin, &mut best, &mut least)?;
        self.edge::<0, 1>(margin, &mut best, &mut least)?;
        self.edge::<0, 2>(margin, &mut best, &mut least)?;
        self.edge::<1, 0>(margin, &mut best, &mut least)?;
        self.edge::<1, 1>(margin, &mut best, &mut least)?;
        self.edge::<1, 2>(margin, &mut best, &mut least)?;
        self.edge::<2, 0>(margin, &mut best, &mut least)?;
        self.edge::<2, 1>(margin, &mut best, &mut least)?;
        self.edge::<2, 2>(margin, &mut best, &mut least)?;
        Some(best)
    }

    /// The best face and its overlap.
    fn faces(&self) -> Option<(Axis, f64)> {
        let mut best = None;
        let mut least = f64::INFINITY;
        for i in 0..3 {
            for (second, overlap, center) in [
                (false, self.overlap1[i], self.b_in_a[i]),
                (true, self.overlap2[i], self.a_in_b[i]),
            ] {
                if overlap < least {
                    least = overlap;
                    let face = if center < 0.0 { i + 3 } else { i };
                    best = Some(Axis::Face { second, face });
                }
            }
        }
        best.map(|best| (best, least))
    }

    /// Takes the direction perpendicular to an edge of each box if the overlap along it is less;
    /// none if it separates the boxes.
    #[inline]
    fn edge<const I: usize, const J: usize>(
        &self,
        margin: f64,
        best: &mut Axis,
        least: &mut f64,
    ) -> Option<()> {
        let along = self.rot.column(J);
        let normal = match I {
            0 => Vec3::new(0.0, -along.z, along.y),
            1 => Vec3::new(along.z, 0.0, -along.x),
            _ => Vec3::new(-along.y, along.x, 0.0),
        };

        // without a root: is it clear that the overlap is not less
        let overlap =
            self.reach::<I, J>(normal, 1.0) * (1.0 - 1e-12) - self.b_in_a.dot(normal).abs();
        let more = overlap * overlap > *least * *least * normal.dot(normal) * (1.0 + 1e-9);
        if overlap > 0.0 && (*least <= 0.0 || more) {
            return Some(());
        }

        let (normal, length) = normal.normalized();
        if length < MINVAL {
            return Some(());
        }
        let side = self.b_in_a.dot(normal);
        let overlap = self.reach::<I, J>(normal, length) - side.abs();
        if overlap < -margin {
            return None;
        }
        // a face where both are about as good
        if overlap < *least * (1.0 - 1e-12) {
            *least = overlap;
            *best = Axis::Edges(self.edges(I, J, normal, side < 0.0));
        }
        Some(())
    }

    /// How far both boxes reach along the direction perpendicular to two edges, whose length was
    /// `length`.
    #[inline]
    fn reach<const I: usize, const J: usize>(&self, normal: Vec3, length: f64) -> f64 {
        let mut reach = 0.0;
        for k in (0..3).filter(|&k| k != I) {
            reach += self.size1[k] * normal[k].abs();
        }
        for k in (0..3).filter(|&k| k != J) {
            reach += self.size2[k] * self.abs_rot[(I, 3 - k - J)] / length;
        }
        reach
    }

    /// The edges that are furthest along the normal, each towards the other box.
    fn edges(&self, edge1: usize, edge2: usize, normal: Vec3, flipped: bool) -> Edges {
        let mut edges = Edges { edge1, edge2, corner1: 0, corner2: 0, normal, flipped };
        for k in (0..3).filter(|&k| k != edge1) {
            edges.corner1 |= usize::from((normal[k] > 0.0) ^ flipped) << k;
        }
        for k in (0..3).filter(|&k| k != edge2) {
            let positive = self.rot[(edge1, 3 - k - edge2)] > 0.0;
            let next = k == (edge2 + 1) % 3;
            edges.corner2 |= usize::from(positive ^ flipped ^ next) << k;
        }
        edges
    }
}

/// Removes points outside one box and not well inside the other, and repeated points.
fn remove_bad(a: &Geom, b: &Geom, margin: f64, before: usize, out: &mut Hits) {
    let (limits1, limits2) = (Limits::new(a, margin), Limits::new(b, margin));
    let mut bad = [false; MAX_HITS];
    for (hit, bad) in out.iter().zip(&mut bad).skip(before) {
        let (local1, local2) = (limits1.local(hit.pos), limits2.local(hit.pos));
        *bad = limits1.is_outside(local1) && !limits2.is_inside(local2)
            || limits2.is_outside(local2) && !limits1.is_inside(local1);
    }

    // of equal points the last one stays
    for i in before..out.len() {
        if !bad[i] {
            bad[i] = (i + 1..out.len()).any(|j| !bad[j] && out[j].pos == out[i].pos);
        }
    }

    let mut kept = before;
    for i in before..out.len() {
        if !bad[i] {
            if kept < i {
                out[kept] = out[i];
            }
            kept += 1;
        }
    }
    out.truncate(kept);
}

/// A box with margin, whose surface is 1% thick.
struct Limits<'a> {
    pos: Vec3,
    mat: &'a Mat3,
    size: Vec3,
}

impl<'a> Limits<'a> {
    const RATIO: f64 = 1.01;

    fn new(shape: &Geom<'a>, margin: f64) -> Limits<'a> {
        let size = shape.size + Vec3::new(margin, margin, margin);
        Limits { pos: shape.pos, mat: shape.mat, size }
    }

    #[inline]
    fn local(&self, point: Vec3) -> Vec3 {
        self.mat.transpose_mul(point - self.pos)
    }

    #[inline]
    fn is_outside(&self, local: Vec3) -> bool {
        (0..3).any(|i| local[i].abs() > self.size[i] * Self::RATIO)
    }

    #[inline]
    fn is_inside(&self, local: Vec3) -> bool {
        (0..3).all(|i| local[i].abs() < self.size[i] / Self::RATIO)
    }
}
