//! Boxes against boxes.
//!
//! The axis of least overlap among the fifteen candidates says whether a face or two edges meet;
//! `box_patch` then clips what lies over the face.

use super::box_patch::{edge_patch, face_patch};
use super::shape::MAX_HITS;
use super::{Hits, Shape};
use crate::math::{MINVAL, Mat3, Vec3};

/// Box against box. Repeated points, and those beyond one of the boxes, are left out.
pub(super) fn box_box(a: &Shape, b: &Shape, margin: f64, out: &mut Hits) {
    let boxes = Boxes::new(a, b);
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
    fn new(a: &Shape, b: &Shape) -> Boxes {
        let [x, y, z] = [0, 1, 2].map(|i| a.mat.transpose_mul(b.mat.column(i)));
        let rot = Mat3::from_columns(x, y, z);
        Boxes {
            size1: a.size,
            size2: b.size,
            b_in_a: a.mat.transpose_mul(b.pos - a.pos),
            a_in_b: b.mat.transpose_mul(a.pos - b.pos),
            rot,
            abs_rot: Mat3(rot.0.map(f64::abs)),
        }
    }

    /// Finds the axis along which the boxes overlap least, none if they are apart.
    fn least_overlap(&self, margin: f64) -> Option<Axis> {
        let (mut best, mut least) = self.faces(margin)?;
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

    /// The best face and its overlap, none if a face separates the boxes.
    fn faces(&self, margin: f64) -> Option<(Axis, f64)> {
        let reach2 = self.abs_rot * self.size2;
        let reach1 = self.abs_rot.transpose_mul(self.size1);
        let mut best = None;
        let mut least = f64::INFINITY;
        for i in 0..3 {
            let overlap1 = -self.b_in_a[i].abs() + self.size1[i] + reach2[i];
            let overlap2 = -self.a_in_b[i].abs() + self.size2[i] + reach1[i];
            if overlap1 < -margin || overlap2 < -margin {
                return None;
            }
            for (second, overlap, center) in
                [(false, overlap1, self.b_in_a[i]), (true, overlap2, self.a_in_b[i])]
            {
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
fn remove_bad(a: &Shape, b: &Shape, margin: f64, before: usize, out: &mut Hits) {
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

    fn new(shape: &Shape<'a>, margin: f64) -> Limits<'a> {
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
