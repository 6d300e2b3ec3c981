use super::super::MAX_HITS;
use super::difference::{Couple, Vertex};
use super::features::{self, Contact, Edge, Normal, Side};
use super::gjk::equal;
use crate::math::{MINVAL, Vec3};

/// Cosine above which two faces count as parallel.
pub(super) const FACE_COSINE: f64 = 0.99999872;
/// Sine below which an edge counts as parallel to a face.
const EDGE_SINE: f64 = 0.00159999931;

/// Storage for faces and edges, and the points found.
#[derive(Debug, Clone, Default)]
pub(super) struct ClipWork {
    /// The points found, on the first and on the second body.
    pub(super) points: Vec<[Vec3; 2]>,
    normals: [Vec<Normal>; 2],
    edges: Vec<Edge>,
    faces: [Vec<Vec3>; 2],
    polygon: Vec<Vec3>,
    clipped: Vec<Vec3>,
}

/// Looks for a face or edge that two overlapping bodies share around the deepest points, and if
/// there is one, sets `work.points` to the corners of the shared region, at most `most`.
///
/// `corners` is the face of the difference that shows the depth.
pub(super) fn shared_face(
    couple: &Couple,
    corners: &[Vertex; 3],
    deepest: [Vec3; 2],
    most: usize,
    work: &mut ClipWork,
) {
    let dir = deepest[1] - deepest[0];
    let depth = dir.norm();
    let sides = [Side::new(corners, 0), Side::new(corners, 1)];
    let ClipWork { normals: [normals_a, normals_b], edges, faces: [face_a, face_b], .. } = work;
    features::normals(&couple.a, &sides[0], -dir, normals_a);
    features::normals(&couple.b, &sides[1], dir, normals_b);

    match contact(couple, &sides, normals_a, normals_b, edges) {
        Contact::None => {}
        Contact::Faces(a, b) => {
            features::face(&couple.a, a.face, face_a);
            features::face(&couple.b, b.face, face_b);
            work.clip([0, 1], a.dir, b.dir * depth, most);
        }
        Contact::EdgeOnFace(end, b) => {
            face_a.clear();
            face_a.extend([corners[0].on[0], end]);
            features::face(&couple.b, b.face, face_b);
            work.clip([1, 0], b.dir, b.dir * depth, most);
        }
        Contact::FaceOnEdge(a, end) => {
            features::face(&couple.a, a.face, face_a);
            face_b.clear();
            face_b.extend([corners[0].on[1], end]);
            work.clip([0, 1], a.dir, a.dir * -depth, most);
        }
    }
}

/// Decides which features are parallel to each other.
fn contact(
    couple: &Couple,
    sides: &[Side; 2],
    normals_a: &[Normal],
    normals_b: &[Normal],
    edges: &mut Vec<Edge>,
) -> Contact {
    for &a in normals_a {
        for &b in normals_b {
            if a.dir.dot(b.dir) < -FACE_COSINE {
                return Contact::Faces(a, b);
            }
        }
    }
    let [side_a, side_b] = sides;
    if side_a.dim < 3 && side_a.dim <= side_b.dim {
        features::edges(&couple.a, side_a, edges);
        if let Some((end, b)) = edge_in_face(edges, normals_b) {
            return Contact::EdgeOnFace(end, b);
        }
    } else if side_b.dim < 3 {
        features::edges(&couple.b, side_b, edges);
        if let Some((end, a)) = edge_in_face(edges, normals_a) {
            return Contact::FaceOnEdge(a, end);
        }
    }
    Contact::None
}

fn edge_in_face(edges: &[Edge], normals: &[Normal]) -> Option<(Vec3, Normal)> {
    for &normal in normals {
        for edge in edges {
            if edge.dir.dot(normal.dir).abs() < EDGE_SINE {
                return Some((edge.end, normal));
            }
        }
    }
    None
}

impl ClipWork {
    /// Clips one face (or edge) by the walls over the edges of another, and sets `points` to the
    /// corners that remain. `normal` is that of the clipping face; `dir` leads from a point on the
    /// first body to the one on the second.
    fn clip(&mut self, [by, what]: [usize; 2], normal: Vec3, dir: Vec3, most: usize) {
        let ClipWork { points, faces, polygon, clipped, .. } = self;
        let (by, what) = (&faces[by], &faces[what]);
        if by.len() < 3 {
            return;
        }
        polygon.clear();
        polygon.extend_from_slice(what);
        for (i, &from) in by.iter().enumerate() {
            let to = by[if i + 1 == by.len() { 0 } else { i + 1 }];
            let wall = (to - from).cross((from + normal) - from);
            cut(polygon, clipped, wall, from);
            std::mem::swap(polygon, clipped);
        }

        if most < 5 && polygon.len() > 4 {
            points.extend(largest_quad(polygon).map(|p| [p - dir, p]));
            return;
        }
        for &p in polygon.iter() {
            let crowded = polygon.len() > MAX_HITS;
            if crowded || !points.iter().any(|old| equal(old[1], p)) {
                points.push([p - dir, p]);
            }
        }
        points.truncate(MAX_HITS);
    }
}

/// Cuts away the part of a polygon behind the plane through `point`.
fn cut(polygon: &[Vec3], out: &mut Vec<Vec3>, normal: Vec3, point: Vec3) {
    out.clear();
    let level = normal.dot(point);
    let inside = |p: Vec3| (p - point).dot(normal) > -MINVAL;
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[if i + 1 == polygon.len() { 0 } else { i + 1 }];
        let (p_in, q_in) = (inside(p), inside(q));
        if p_in != q_in {
            let pq = q - p;
            let slope = normal.dot(pq);
            let t = (level - normal.dot(p)) / slope;
            if slope != 0.0 && (0.0..=1.0).contains(&t) {
                out.push(p + pq * t);
            }
        }
        if q_in {
            out.push(q);
        }
    }
}

/// Finds a large quadrilateral among the corners of a polygon of at least four.
fn largest_quad(polygon: &[Vec3]) -> [Vec3; 4] {
    let next = |i: usize| if i + 1 == polygon.len() { 0 } else { i + 1 };
    let area = |[a, b, c, d]: [usize; 4]| {
        let [a, b, c, d] = [polygon[a], polygon[b], polygon[c], polygon[d]];
        ((d - a).cross(b - d) + (c - b).cross(a - c)).norm() * 0.5
    };
    let mut quad = [0, 1, 2, 3];
    let mut best = quad;
    let mut most = area(quad);
    // moves one corner on while that makes it larger
    let mut grow = |quad: &mut [usize; 4], corner: usize| {
        let mut moved = *quad;
        moved[corner] = next(moved[corner]);
        let larger = area(moved) > most;
        if larger {
            most = area(moved);
            *quad = moved;
            best = moved;
        }
        larger
    };
    for a in 0..polygon.len() {
        quad[0] = a;
        while grow(&mut quad, 3) {
            while grow(&mut quad, 2) {}
            while grow(&mut quad, 1) {}
        }
        if quad[1] == a {
            quad[1] = next(quad[1]);
            if quad[2] == quad[1] {
                quad[2] = next(quad[2]);
                if quad[3] == quad[2] {
                    quad[3] = next(quad[3]);
                }
            }
        }
    }
    best.map(|i| polygon[i])
}
