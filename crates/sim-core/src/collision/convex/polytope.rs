use super::difference::{Couple, Vertex};
use super::simplex::{affine_coordinates, det, project_on_plane};
use crate::math::{MINVAL, Mat3, Vec3};

/// A triangle of the polytope.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    pub(super) verts: [u32; 3],
    /// The faces across the edges `(0, 1)`, `(1, 2)` and `(2, 0)`.
    adj: [u32; 3],
    /// The origin projected onto the plane of the face.
    pub(super) foot: Vec3,
    /// Squared length of `foot`.
    pub(super) dist2: f64,
    place: Place,
}

/// Where a face stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Part of the surface and, at this position, of the candidates.
    Candidate(u32),
    /// Part of the surface, but too far away to be of interest.
    Surface,
    Removed,
}

/// A candidate for the face nearest to the origin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) dist2: f64,
    pub(super) face: u32,
}

/// A convex polytope inside the difference of two bodies, around the origin.
#[derive(Debug, Clone, Default)]
pub(super) struct Polytope {
    pub(super) verts: Vec<Vertex>,
    pub(super) faces: Vec<Face>,
    pub(super) candidates: Vec<Candidate>,
    /// Face and edge pairs around the faces that the last vertex can see.
    pub(super) horizon: Vec<(u32, u32)>,
    pending: Vec<(u32, u32)>,
}

/// Squared distance below which the origin counts as lying on a face.
const TOUCHING: f64 = MINVAL * MINVAL;

impl Polytope {
    #[cfg(test)]
    pub(super) fn capacities(&self) -> [usize; 5] {
        [
            self.verts.capacity(),
            self.faces.capacity(),
            self.candidates.capacity(),
            self.horizon.capacity(),
            self.pending.capacity(),
        ]
    }

    /// Starts from a simplex of two to four vertices, with room for so many rounds of expansion;
    /// `false` if there is no volume around the origin to start from.
    #[inline(never)]
    pub(super) fn start(&mut self, couple: &Couple, simplex: &[Vertex], iterations: usize) -> bool {
        self.clear();
        // beyond the usual, grow as needed
        let rounds = iterations.min(200);
        self.verts.reserve(5 + rounds);
        self.faces.reserve(6 * (1 + rounds));
        self.candidates.reserve(6 * (1 + rounds));
        self.horizon.reserve(6 + 2 * rounds);
        self.pending.reserve(6 + 2 * rounds);
        match *simplex {
            [a, b] => self.start_from_segment(couple, a, b),
            [a, b, c] => self.start_from_triangle(couple, a, b, c),
            [a, b, c, d] => self.start_from_tetrahedron(couple, [a, b, c, d]),
            _ => false,
        }
    }

    fn clear(&mut self) {
        self.verts.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
    }

    /// Two triangular pyramids over three points around the segment.
    fn start_from_segment(&mut self, couple: &Couple, a: Vertex, b: Vertex) -> bool {
        let axis = b.diff - a.diff;

        // a normal to the segment, and its turns by 120 degrees
        let mut least = f64::MAX;
        let mut unit = Vec3::X;
        for (size, e) in [(axis.x, Vec3::X), (axis.y, Vec3::Y), (axis.z, Vec3::Z)] {
            if size.abs() < least {
                (least, unit) = (size.abs(), e);
            }
        }
        let rotation = third_of_a_turn(axis);
        let d1 = unit.cross(axis);
        let d2 = rotation * d1;
        let d3 = rotation * d2;

        self.verts.extend([a, b]);
        for d in [d1, d2, d3] {
            self.verts.push(couple.support_along(d, d.norm()));
        }
        let faces = [
            ([0, 2, 3], [1, 3, 2]),
            ([0, 4, 2], [2, 4, 0]),
            ([0, 3, 4], [0, 5, 1]),
            ([1, 3, 2], [5, 0, 4]),
            ([1, 2, 4], [3, 1, 5]),
            ([1, 4, 3], [4, 2, 3]),
        ];
        for (verts, adj) in faces {
            if self.attach(verts, adj) < TOUCHING {
                return self.restart(couple, verts);
            }
        }
        let [c, d, e] = [2, 3, 4].map(|i: usize| self.verts[i].diff);
        if !pierces(a.diff, b.diff, c, d, e) {
            return false;
        }
        self.all_candidates();
        true
    }

    /// Two pyramids, one on each side of the triangle.
    fn start_from_triangle(&mut self, couple: &Couple, a: Vertex, b: Vertex, c: Vertex) -> bool {
        let normal = (b.diff - a.diff).cross(c.diff - a.diff);
        let norm = normal.norm();
        if norm < MINVAL {
            return false;
        }
        let below = couple.support_along(-normal, norm);
        let above = couple.support_along(normal, norm);
        self.verts.extend([a, b, c, below, above]);
        if [above, below].iter().any(|v| inside_triangle(a.diff, b.diff, c.diff, v.diff)) {
            return false;
        }
        let faces = [
            ([4, 0, 1], [1, 3, 2]),
            ([4, 2, 0], [2, 4, 0]),
            ([4, 1, 2], [0, 5, 1]),
            ([3, 1, 0], [5, 0, 4]),
            ([3, 0, 2], [3, 1, 5]),
            ([3, 2, 1], [4, 2, 3]),
        ];
        for (verts, adj) in faces {
            if self.attach(verts, adj) < TOUCHING {
                return false;
            }
        }
        self.all_candidates();
        true
    }

    fn start_from_tetrahedron(&mut self, couple: &Couple, simplex: [Vertex; 4]) -> bool {
        self.verts.extend(simplex);
        let faces = [
            ([0, 1, 2], [1, 3, 2]),
            ([0, 3, 1], [2, 3, 0]),
            ([0, 2, 3], [0, 3, 1]),
            ([3, 2, 1], [2, 0, 1]),
        ];
        for (verts, adj) in faces {
            if self.attach(verts, adj) < TOUCHING {
                return self.restart(couple, verts);
            }
        }
        if !encloses_origin(simplex.map(|v| v.diff)) {
            return false;
        }
        self.all_candidates();
        true
    }

    /// Starts again from a face on which the origin lies.
    fn restart(&mut self, couple: &Couple, verts: [u32; 3]) -> bool {
        let [a, b, c] = verts.map(|i| self.verts[i as usize]);
        self.clear();
        self.start_from_triangle(couple, a, b, c)
    }

    /// Adds a face and returns its squared distance from the origin; zero if it has no area.
    #[inline]
    pub(super) fn attach(&mut self, verts: [u32; 3], adj: [u32; 3]) -> f64 {
        let a = self.verts[verts[0] as usize].diff;
        let b = self.verts[verts[1] as usize].diff;
        let c = self.verts[verts[2] as usize].diff;
        let foot = project_on_plane(c, b, a).unwrap_or(Vec3::ZERO);
        let dist2 = foot.dot(foot);
        self.faces.push(Face { verts, adj, foot, dist2, place: Place::Surface });
        dist2
    }

    /// Makes the last face a candidate.
    #[inline]
    pub(super) fn propose_last(&mut self) {
        let at = self.candidates.len() as u32;
        let last = self.faces.len() - 1;
        let face = &mut self.faces[last];
        face.place = Place::Candidate(at);
        self.candidates.push(Candidate { dist2: face.dist2, face: last as u32 });
    }

    fn all_candidates(&mut self) {
        for (i, face) in self.faces.iter_mut().enumerate() {
            face.place = Place::Candidate(i as u32);
            self.candidates.push(Candidate { dist2: face.dist2, face: i as u32 });
        }
    }

    fn remove(&mut self, face: u32) {
        if let Place::Candidate(at) = self.faces[face as usize].place {
            self.candidates.swap_remove(at as usize);
            if let Some(moved) = self.candidates.get(at as usize) {
                self.faces[moved.face as usize].place = Place::Candidate(at);
            }
        }
        self.faces[face as usize].place = Place::Removed;
    }

    /// Removes `face` and all faces connected to it that can be seen from `w`, and collects the
    /// edges around the hole in `horizon`.
    pub(super) fn open(&mut self, face: u32, w: Vec3) {
        self.remove(face);
        self.horizon.clear();
        self.pending.clear();
        self.pending.extend([(face, 2), (face, 1), (face, 0)]);
        while let Some((from, edge)) = self.pending.pop() {
            let across = self.faces[from as usize].adj[edge as usize];
            let end = self.faces[from as usize].verts[next(edge) as usize];
            let other = &self.faces[across as usize];
            if other.place == Place::Removed {
                continue;
            }
            let edge = edge_from(other, end);
            if other.foot.dot(w) - other.dist2 > MINVAL {
                self.remove(across);
                self.pending.push((across, next(next(edge))));
                self.pending.push((across, next(edge)));
            } else {
                self.horizon.push((across, edge));
            }
        }
    }

    /// Makes `face` the neighbour across an edge of the horizon, and returns the end points of the
    /// edge.
    #[inline]
    pub(super) fn connect(&mut self, (other, edge): (u32, u32), face: u32) -> (u32, u32) {
        let other = &mut self.faces[other as usize];
        other.adj[edge as usize] = face;
        (other.verts[edge as usize], other.verts[next(edge) as usize])
    }
}

#[inline]
fn next(edge: u32) -> u32 {
    if edge == 2 { 0 } else { edge + 1 }
}

/// The edge of `face` that starts at `vertex`.
#[inline]
fn edge_from(face: &Face, vertex: u32) -> u32 {
    if face.verts[0] == vertex {
        0
    } else if face.verts[1] == vertex {
        1
    } else {
        2
    }
}

/// The rotation by 120 degrees about an axis.
fn third_of_a_turn(axis: Vec3) -> Mat3 {
    // to the digits that the reference has
    const SIN: f64 = 0.86602540378;
    const COS: f64 = -0.5;
    const REST: f64 = 1.0 - COS;
    let Vec3 { x, y, z } = axis / axis.norm();
    #[rustfmt::skip]
    let mat = Mat3::new([
        COS + x * x * REST,     x * y * REST - z * SIN, x * z * REST + y * SIN,
        y * x * REST + z * SIN, COS + y * y * REST,     y * z * REST - x * SIN,
        x * z * REST - y * SIN, y * z * REST + x * SIN, COS + z * z * REST,
    ]);
    mat
}

/// Whether the line through `a` and `b` passes through the triangle `cde`.
fn pierces(a: Vec3, b: Vec3, c: Vec3, d: Vec3, e: Vec3) -> bool {
    let (ab, ac, ad, ae) = (b - a, c - a, d - a, e - a);
    let volumes = [det(ac, ad, ab), det(ad, ae, ab), det(ae, ac, ab)];
    volumes.iter().all(|&v| v >= 0.0) || volumes.iter().all(|&v| v <= 0.0)
}

/// Whether `p` is a point of the triangle `abc`.
fn inside_triangle(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> bool {
    let [u, v, w] = affine_coordinates(a, b, c, p);
    if u < 0.0 || v < 0.0 || w < 0.0 {
        return false;
    }
    (a * u + b * v + c * w - p).norm() < MINVAL
}

fn encloses_origin([a, b, c, d]: [Vec3; 4]) -> bool {
    origin_beside(a, b, c, d)
        && origin_beside(b, c, d, a)
        && origin_beside(c, d, a, b)
        && origin_beside(d, a, b, c)
}

/// Whether the origin and `d` are on the same side of the plane through `a`, `b` and `c`.
fn origin_beside(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> bool {
    let normal = (b - a).cross(c - a);
    let (of_d, of_origin) = (normal.dot(d - a), normal.dot(-a));
    (of_d > 0.0 && of_origin > 0.0) || (of_d < 0.0 && of_origin < 0.0)
}
