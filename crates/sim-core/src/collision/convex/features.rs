//! Faces and edges of bodies that have them, as numbered by their vertices.

use super::clip::FACE_COSINE;
use super::difference::Vertex;
use crate::geometry::{Form, Mesh, Solid};
use crate::math::Vec3;

/// The vertices of one body that make up a face of the difference: one, two or three of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub(super) dim: usize,
    ids: [i32; 3],
    ends: [Vec3; 2],
}

impl Side {
    /// The vertices of the first (0) or second (1) body.
    pub(super) fn new(corners: &[Vertex; 3], body: usize) -> Side {
        let mut ids = corners.map(|v| v.ids[body]);
        let mut ends = [corners[0].on[body], corners[1].on[body]];
        let dim = if ids[0] != ids[1] {
            if ids[2] == ids[0] || ids[2] == ids[1] { 2 } else { 3 }
        } else if ids[0] != ids[2] {
            ids[1] = ids[2];
            ends[1] = corners[2].on[body];
            2
        } else {
            1
        };
        Side { dim, ids, ends }
    }
}

/// A face by its number, and its outward normal.
#[derive(Debug, Clone, Copy)]
pub(super) struct Normal {
    pub(super) dir: Vec3,
    pub(super) face: usize,
}

/// An edge by its direction and far end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Edge {
    pub(super) dir: Vec3,
    pub(super) end: Vec3,
}

/// Which features of two bodies lie on each other.
#[derive(Debug, Clone, Copy)]
pub(super) enum Contact {
    None,
    Faces(Normal, Normal),
    /// The far end of an edge of the first body, and the face of the second.
    EdgeOnFace(Vec3, Normal),
    /// The face of the first body, and the far end of an edge of the second.
    FaceOnEdge(Normal, Vec3),
}

/// Most polygons at a vertex, and most corners of a polygon, that are looked at.
const MOST: usize = 150;

/// Collects the faces at the vertices of `side`; `dir` points out of the body at the contact.
pub(super) fn normals(solid: &Solid, side: &Side, dir: Vec3, out: &mut Vec<Normal>) {
    out.clear();
    match &solid.form {
        Form::Box => box_normals(solid, side, dir, out),
        Form::Mesh(mesh, _) => mesh_normals(solid, mesh, side, out),
        _ => {}
    }
}

/// Collects the edges at the vertices of `side`.
pub(super) fn edges(solid: &Solid, side: &Side, out: &mut Vec<Edge>) {
    out.clear();
    match &solid.form {
        Form::Box => box_edges(solid, side, out),
        Form::Mesh(mesh, _) => mesh_edges(solid, mesh, side, out),
        _ => {}
    }
}

/// Lists the corners of a face.
pub(super) fn face(solid: &Solid, face: usize, out: &mut Vec<Vec3>) {
    out.clear();
    match &solid.form {
        Form::Box => {
            out.extend(BOX_FACES[face].map(|corner| solid.world_point(corner.scaled(solid.size))));
        }
        Form::Mesh(mesh, _) => {
            let corners = mesh.polygon(face);
            let corners = &corners[..corners.len().min(MOST)];
            let point = |&vertex: &i32| solid.world_point(mesh.vertex(vertex as usize));
            out.extend(corners.iter().rev().map(point));
        }
        _ => {}
    }
}

/// The polygons that the vertices have in common: one for three of them, up to two for an edge, and
/// all at a single vertex.
fn mesh_normals(solid: &Solid, mesh: &Mesh, side: &Side, out: &mut Vec<Normal>) {
    let polygons = |i: usize| mesh.polygons_at(side.ids[i] as usize);
    let mut push = |polygon: i32| {
        let face = polygon as usize;
        out.push(Normal { dir: *solid.mat * mesh.polygon_normal(face), face });
    };
    if side.dim == 1 {
        polygons(0).iter().take(MOST).for_each(|&polygon| push(polygon));
        return;
    }
    let shared = polygons(0).iter().filter(|polygon| polygons(1).contains(polygon)).take(2);
    if side.dim == 2 {
        shared.for_each(|&polygon| push(polygon));
    } else {
        shared.filter(|polygon| polygons(2).contains(polygon)).take(1).for_each(|&p| push(p));
    }
}

/// The edge between two vertices, or from one vertex the edge to the one before it in each of its
/// polygons.
fn mesh_edges(solid: &Solid, mesh: &Mesh, side: &Side, out: &mut Vec<Edge>) {
    let [start, end] = side.ends;
    let edge = |end: Vec3| Edge { dir: (end - start).normalized().0, end };
    if side.dim == 2 {
        out.push(edge(end));
        return;
    }
    let vertex = side.ids[0];
    for &polygon in mesh.polygons_at(vertex as usize).iter().take(MOST) {
        let corners = mesh.polygon(polygon as usize);
        if let Some(at) = corners.iter().position(|&corner| corner == vertex) {
            let before = corners[if at == 0 { corners.len() - 1 } else { at - 1 }];
            out.push(edge(solid.world_point(mesh.vertex(before as usize))));
        }
    }
}

// the faces of a box are +x, -x, +y, -y, +z, -z

fn box_normals(solid: &Solid, side: &Side, dir: Vec3, out: &mut Vec<Normal>) {
    let ids = &side.ids[..side.dim];
    for axis in 0..3 {
        // a face whose corners they all are
        let bit = 1 << axis;
        let positive = ids.iter().all(|id| id & bit != 0);
        if positive || ids.iter().all(|id| id & bit == 0) {
            out.push(box_normal(solid, 2 * axis + usize::from(!positive)));
        }
    }
    if out.len() + side.dim == 4 {
        return;
    }

    // corners that belong to no such face: the one that looks along the contact, if any
    out.clear();
    let local = solid.mat.transpose_mul(dir);
    let local = local * (1.0 / local.dot(local).sqrt());
    let found = (0..6).find(|&face| {
        let component = local[face / 2];
        (if face & 1 == 0 { component } else { -component }) > FACE_COSINE
    });
    out.extend(found.map(|face| box_normal(solid, face)));
}

fn box_normal(solid: &Solid, face: usize) -> Normal {
    let axis = solid.mat.column(face / 2);
    Normal { dir: if face & 1 == 0 { axis } else { -axis }, face }
}

fn box_edges(solid: &Solid, side: &Side, out: &mut Vec<Edge>) {
    let [start, end] = side.ends;
    let edge = |end: Vec3| Edge { dir: (end - start).normalized().0, end };
    if side.dim == 2 {
        out.push(edge(end));
        return;
    }
    let corner = corner(side.ids[0]).scaled(solid.size);
    for axis in 0..3 {
        let mut neighbour = corner;
        neighbour[axis] = -neighbour[axis];
        out.push(edge(solid.world_point(neighbour)));
    }
}

/// The corner with this number, of a box of unit size.
const fn corner(id: i32) -> Vec3 {
    Vec3::new(
        if id & 1 != 0 { 1.0 } else { -1.0 },
        if id & 2 != 0 { 1.0 } else { -1.0 },
        if id & 4 != 0 { 1.0 } else { -1.0 },
    )
}

/// The corners of each face, in order around it.
const BOX_FACES: [[Vec3; 4]; 6] = [
    [corner(7), corner(3), corner(1), corner(5)],
    [corner(2), corner(6), corner(4), corner(0)],
    [corner(2), corner(3), corner(7), corner(6)],
    [corner(4), corner(5), corner(1), corner(0)],
    [corner(6), corner(7), corner(5), corner(4)],
    [corner(3), corner(2), corner(0), corner(1)],
];
