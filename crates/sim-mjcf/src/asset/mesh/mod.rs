//! Meshes: from raw triangles to everything that a model stores of them.
//!
//! A compiled mesh is a pure function of its triangles and its [`Treatment`]. The passes, in order:
//!
//! | pass | file | works on |
//! |---|---|---|
//! | checks of lengths, indices and orientation | `check.rs` | vertices as read |
//! | convex hull, where it is asked for or there are no faces | `../hull` | vertices as read |
//! | vertex normals, where there are none | `normals.rs` | vertices as read |
//! | polygons of coplanar triangles | `polygons.rs` | vertices as read |
//! | `refpos`, `refquat`, `scale` | here | |
//! | volume, centre of mass, principal axes | `inertia.rs` | transformed vertices |
//! | bounding box, bounding volume hierarchy | here, `bvh.rs` | vertices in principal axes |
//!
//! Passes over all faces take them in blocks (`block.rs`), which become vector instructions.
//!
//! Vertices are read in single precision and treated in double precision. Every sum has the order
//! of the reference, and rounds to single precision where the reference does: principal axes of
//! nearly symmetric meshes are decided by last bits.

mod block;
mod bvh;
mod check;
mod format;
mod inertia;
mod normals;
mod polygons;

pub(crate) use bvh::{Bvh, Scratch, Tables};
pub(crate) use format::Format;
pub(crate) use polygons::Polygons;

use sim_core::math::{Mat3, Quat, Vec3};
use sim_core::model::MeshInertia;

use super::cache::{Settings, Weighty};
use crate::pose::unit_quat;

/// Lengths and areas below this are zero.
const MINVAL: f64 = 1e-15;

/// Triangles as they are read, generated, or given by the user. Indices count from zero.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RawMesh {
    pub vert: Vec<f32>,
    pub normal: Vec<f32>,
    pub texcoord: Vec<f32>,
    pub face: Vec<i32>,
    pub facenormal: Vec<i32>,
    pub facetexcoord: Vec<i32>,
    /// Whether texture coordinates may be fewer or more than vertices without having indices: an
    /// OBJ file without faces.
    pub loose_texcoord: bool,
}

/// What the user asks to be done with a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Treatment {
    pub refpos: Vec3,
    pub refquat: Quat,
    pub scale: Vec3,
    pub inertia: MeshInertia,
    pub smoothnormal: bool,
    /// Vertices of the convex hull at most.
    pub maxhullvert: Option<usize>,
    /// Whether the convex hull is needed although there are faces.
    pub needhull: bool,
}

impl Settings for (Format, Treatment) {
    fn numbers(&self) -> impl Iterator<Item = u64> {
        let (format, treatment) = self;
        let Treatment { refpos, refquat, scale, inertia, smoothnormal, maxhullvert, needhull } =
            *treatment;
        let numbers = refpos.to_array().into_iter().chain(refquat.to_array());
        let flags = [*format as u64, inertia as u64, smoothnormal.into(), needhull.into()];
        let most = maxhullvert.map_or(u64::MAX, |count| count as u64);
        numbers.chain(scale.to_array()).map(f64::to_bits).chain(flags).chain([most])
    }
}

/// A mesh in the frame of its principal axes. Addresses count from the start of the mesh.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Mesh {
    /// Places of the vertices, which a model stores in single precision.
    pub vert: Vec<Vec3>,
    pub normal: Vec<[f32; 3]>,
    pub texcoord: Vec<[f32; 2]>,
    pub face: Vec<[i32; 3]>,
    /// Empty if they are the same as the vertices.
    pub facenormal: Vec<[i32; 3]>,
    /// Empty if there are no texture coordinates.
    pub facetexcoord: Vec<[i32; 3]>,
    /// The convex hull in the layout of `mesh_graph`; empty if there is none.
    pub graph: Vec<i32>,
    pub polygons: Polygons,
    pub polynormal: Vec<Vec3>,
    /// Centre of mass and principal axes in the frame that the user gave.
    pub pos: Vec3,
    pub quat: Quat,
    /// Corners of the bounding box.
    pub low: Vec3,
    pub high: Vec3,
    /// Half sizes of the box with the same inertia.
    pub inertia_box: Vec3,
    /// Volume, or area of a shell.
    pub volume: f64,
    pub bvh: Bvh,
}

/// Why a mesh cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub message: String,
    pub help: Option<String>,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Fault {
        Fault { message: message.into(), help: None }
    }

    pub(crate) fn help(self, help: impl Into<String>) -> Fault {
        Fault { help: Some(help.into()), ..self }
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault::new(message)
    }
}

impl Mesh {
    /// Compiles a mesh. `hull` makes the graph of the convex hull of points, with a number of
    /// vertices at most.
    pub(crate) fn new(
        raw: RawMesh,
        treatment: &Treatment,
        scratch: &mut Scratch,
        hull: impl Fn(&[[f64; 3]], Option<usize>) -> Result<Vec<i32>, Fault>,
    ) -> Result<Mesh, Fault> {
        let check::Checked { mut vert, mut face, facenormal, texcoord, facetexcoord, normal } =
            check::check(raw)?;
        if treatment.inertia == MeshInertia::Exact {
            check::orientation(&vert, &face)?;
        }

        // the hull is that of the vertices as they are, whatever the scale
        let needhull = treatment.needhull || treatment.inertia == MeshInertia::Convex;
        let mut graph = Vec::new();
        if needhull || face.is_empty() {
            let points: &[[f64; 3]] = bytemuck::cast_slice(&vert);
            graph = hull(points, treatment.maxhullvert)?;
        }
        let hull_faces = graph_faces(&graph);
        if face.is_empty() {
            face = hull_faces.to_vec();
        }

        // what belongs to the corners of faces
        let given = !normal.is_empty();
        let mut normal =
            if given { normal } else { normals::make(&vert, &face, treatment.smoothnormal) };
        let facenormal = match facenormal {
            _ if !given => Vec::new(),
            indices if indices.is_empty() => {
                let per_vertex = (normal.len() / vert.len()) as i32;
                face.iter().map(|corners| corners.map(|v| per_vertex * v)).collect()
            }
            indices if indices.len() != face.len() => {
                let (have, need) = (indices.len(), face.len());
                let message = format!("normals are given for {have} faces, but there are {need}");
                return Err(Fault::new(message));
            }
            indices => indices,
        };
        let facetexcoord = match texcoord.is_empty() {
            true => Vec::new(),
            false if facetexcoord.is_empty() => face.clone(),
            false => facetexcoord,
        };

        let sides = if graph.is_empty() { &face[..] } else { hull_faces };
        let polygons = Polygons::new(&vert, sides);

        transform(treatment, &mut vert, &mut normal);
        let weighed = if treatment.inertia == MeshInertia::Convex { hull_faces } else { &face[..] };
        let inertia::Principal { pos, quat, inertia_box, volume } =
            inertia::principal(&vert, &face, weighed, treatment.inertia)?;
        let (low, high) = centre(pos, quat, &mut vert, &mut normal);

        Ok(Mesh {
            polynormal: polygons.normals(&vert),
            bvh: Bvh::new(&vert, &face, scratch),
            vert,
            normal,
            texcoord,
            face,
            facenormal,
            facetexcoord,
            graph,
            polygons,
            pos,
            quat,
            low,
            high,
            inertia_box,
            volume,
        })
    }
}

impl Mesh {
    /// Indices of the normals of the corners of faces.
    pub(crate) fn facenormal(&self) -> &[[i32; 3]] {
        if self.facenormal.is_empty() { &self.face } else { &self.facenormal }
    }

    /// Bytes that a model takes for the mesh.
    pub(crate) fn model_bytes(&self) -> usize {
        self.bytes() + 64 * self.bvh.len()
    }
}

impl Weighty for Mesh {
    fn bytes(&self) -> usize {
        let Mesh { vert, normal, texcoord, face, graph, polygons, bvh, .. } = self;
        24 * vert.len()
            + 12 * (normal.len() + 3 * face.len())
            + 8 * texcoord.len()
            + 4 * graph.len()
            + polygons.bytes()
            + bvh.bytes()
    }
}

/// The faces in a graph, which come last.
fn graph_faces(graph: &[i32]) -> &[[i32; 3]] {
    match graph {
        [_, count, ..] => graph[graph.len() - 3 * *count as usize..].as_chunks().0,
        _ => &[],
    }
}

/// The corners of a face. Indices have been checked.
#[inline]
fn corners(vert: &[Vec3], face: [i32; 3]) -> [Vec3; 3] {
    face.map(|v| vert[v as usize])
}

/// Applies what the user asks for: the origin becomes `refpos`, then the axes those of `refquat`,
/// then all is scaled. Normals are rotated and scaled likewise.
fn transform(treatment: &Treatment, vert: &mut [Vec3], normal: &mut [[f32; 3]]) {
    let Treatment { refpos, refquat, scale, .. } = *treatment;
    if refpos != Vec3::ZERO {
        vert.iter_mut().for_each(|v| *v -= refpos);
    }
    if refquat != Quat::IDENTITY {
        let axes = unit_quat(refquat).to_mat();
        vert.iter_mut().for_each(|v| *v = axes.transpose_mul(*v));
        normal.iter_mut().for_each(|n| *n = narrow(axes.transpose_mul(widen(*n))));
    }
    if scale != Vec3::new(1.0, 1.0, 1.0) {
        vert.iter_mut().for_each(|v| *v = v.scaled(scale));
        normal.iter_mut().for_each(|n| *n = narrow(widen(*n).scaled(scale)));
    }
    for n in normal {
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        *n = if f64::from(square) > MINVAL {
            let factor = 1.0 / square.sqrt();
            n.map(|x| x * factor)
        } else {
            [0.0, 0.0, 1.0]
        };
    }
}

/// Moves the mesh into the frame of its principal axes, and returns the corners of its bounding
/// box there.
fn centre(pos: Vec3, quat: Quat, vert: &mut [Vec3], normal: &mut [[f32; 3]]) -> (Vec3, Vec3) {
    let axes: Mat3 = quat.conjugate().to_mat();
    let mut low = Vec3::new(1e10, 1e10, 1e10);
    let mut high = -low;
    for v in vert {
        *v = axes * (*v - pos);
        for i in 0..3 {
            low[i] = low[i].min(v[i]);
            high[i] = high[i].max(v[i]);
        }
    }
    for n in normal {
        *n = narrow(axes * widen(*n));
    }
    (low, high)
}

#[inline]
fn widen(v: [f32; 3]) -> Vec3 {
    v.map(f64::from).into()
}

/// Rounds to single precision.
#[inline]
pub(crate) fn narrow(v: Vec3) -> [f32; 3] {
    v.to_array().map(|x| x as f32)
}

#[cfg(test)]
mod tests;
