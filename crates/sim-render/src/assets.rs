//! What a model brings to a picture: shapes, textures, materials, settings.

use std::sync::{Arc, OnceLock};

use sim_core::Model;
use sim_core::model::{GeomType, TextureRole, VisQuality, Visual};

use crate::facing::BLOCK;
use crate::shapes::{Builtin, Shape, divided_plane};
use crate::texture::Texture;

/// Cells along an infinite plane, and the most along a finite one.
const PLANE_CELLS: usize = 200;

/// How a material is covered by a texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Material {
    pub(crate) texture: Option<usize>,
    pub(crate) uniform: bool,
    pub(crate) repeat: [f32; 2],
}

/// A shape that is made when it is first drawn, from what the model says about it.
#[derive(Debug, Clone)]
pub(crate) struct Made<T> {
    source: T,
    shape: OnceLock<Shape>,
}

/// What a shape is made from.
pub(crate) trait Source {
    fn shape(&self) -> Shape;
}

impl<T: Source> Made<T> {
    fn new(source: T) -> Made<T> {
        Made { source, shape: OnceLock::new() }
    }

    pub(crate) fn shape(&self) -> &Shape {
        self.shape.get_or_init(|| self.source.shape())
    }
}

/// Shapes, textures and settings of a model. A renderer needs nothing else of it.
#[derive(Debug, Clone)]
pub(crate) struct Assets {
    pub(crate) builtin: Builtin,
    pub(crate) planes: Vec<Made<PlaneSource>>,
    /// Meshes and their hulls in turn.
    pub(crate) meshes: Vec<[Made<MeshSource>; 2]>,
    pub(crate) hfields: Vec<Made<HfieldSource>>,
    pub(crate) skins: Vec<Skin>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) materials: Vec<Material>,
    pub(crate) sky: Option<usize>,
    pub(crate) visual: Visual,
    pub(crate) extent: f32,
}

/// Faces of a skin and its texture coordinates.
#[derive(Debug, Clone)]
pub(crate) struct Skin {
    pub(crate) faces: Vec<[u32; 3]>,
    pub(crate) texcoord: Vec<[f32; 2]>,
}

impl Assets {
    pub(crate) fn new(model: &Model) -> Assets {
        let VisQuality { numslices, numstacks, numquads, .. } = model.vis.quality;
        let [slices, stacks, quads] =
            [numslices, numstacks, numquads].map(|n| n.clamp(1, 500) as usize);
        let is_plane = |&geom: &usize| model.geom_type[geom] == GeomType::Plane as i32;
        let textures: Vec<Texture> = (0..model.ntex).map(|id| Texture::new(model, id)).collect();
        let rgb = TextureRole::Rgb as usize;
        let material = |mat: usize| Material {
            texture: usize::try_from(model.mat_texid[mat][rgb]).ok().filter(|&id| id < model.ntex),
            uniform: model.mat_texuniform[mat] != 0,
            repeat: model.mat_texrepeat[mat],
        };
        Assets {
            builtin: Builtin::new(slices, stacks, quads, model.vis.map.haze),
            planes: (0..model.ngeom)
                .filter(is_plane)
                .map(|geom| Made::new(PlaneSource::new(model, geom)))
                .collect(),
            meshes: (0..model.nmesh).map(|id| mesh_and_hull(model, id)).collect(),
            hfields: (0..model.nhfield)
                .map(|id| Made::new(HfieldSource::new(model, id, quads)))
                .collect(),
            skins: (0..model.nskin).map(|id| skin(model, id)).collect(),
            sky: textures.iter().position(Texture::is_sky),
            textures,
            materials: (0..model.nmat).map(material).collect(),
            visual: model.vis,
            extent: model.stat.extent as f32,
        }
    }

    /// A mesh, or the hull of one, by the number that scenes have for it.
    pub(crate) fn mesh(&self, data: usize) -> Option<&Shape> {
        Some(self.meshes.get(data / 2)?[data % 2].shape())
    }

    /// Reads a mesh again, after its vertices have changed.
    pub(crate) fn reload_mesh(&mut self, model: &Model, id: usize) {
        self.meshes[id] = mesh_and_hull(model, id);
    }

    /// Reads a height field again.
    pub(crate) fn reload_hfield(&mut self, model: &Model, id: usize) {
        let quads = model.vis.quality.numquads.clamp(1, 500) as usize;
        self.hfields[id] = Made::new(HfieldSource::new(model, id, quads));
    }

    /// Reads a texture again.
    pub(crate) fn reload_texture(&mut self, model: &Model, id: usize) {
        self.textures[id] = Texture::new(model, id);
    }
}

/// The lines of the grid of a plane, along x and y.
#[derive(Debug, Clone)]
pub(crate) struct PlaneSource([Vec<f32>; 2]);

impl PlaneSource {
    fn new(model: &Model, geom: usize) -> PlaneSource {
        let size = model.geom_size[geom].to_array();
        let far = f64::from(model.vis.map.zfar) * model.stat.extent;
        PlaneSource([0, 1].map(|k| match size[k] > 0.0 {
            true => finite_lines(size[k], size[2]),
            false => {
                let material = usize::try_from(model.geom_matid[geom]).ok();
                let repeat = material.map_or(0.0, |mat| f64::from(model.mat_texrepeat[mat][k]));
                let tile = match repeat > 0.0 {
                    true => 2.0 / repeat,
                    false => 2.1 * far / (PLANE_CELLS as f64 - 2.0),
                };
                // larger than the sky
                let cell = (2.1 * far + 2.0 * tile) / PLANE_CELLS as f64;
                let line = |i: usize| (cell * i as f64 - cell * (PLANE_CELLS / 2) as f64) as f32;
                (0..=PLANE_CELLS).map(line).collect()
            }
        }))
    }
}

impl Source for PlaneSource {
    fn shape(&self) -> Shape {
        let [x, y] = self.0.clone();
        divided_plane(x, y)
    }
}

/// Lines of the grid of a finite plane: an even number of cells of the given size, padded.
fn finite_lines(half: f64, spacing: f64) -> Vec<f32> {
    let spacing = spacing.max(half / (PLANE_CELLS as f64 - 2.0));
    let count = (half / spacing.max(1e-15)).floor() as usize;
    let count = count - count % 2;
    let padding = half - count as f64 * spacing;
    let mut lines = vec![-half as f32];
    lines.extend((0..=count).map(|i| (-half + padding + 2.0 * spacing * i as f64) as f32));
    lines.push(half as f32);
    lines
}

fn face_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let side = |p: [f32; 3]| [0, 1, 2].map(|k| p[k] - a[k]);
    let (u, v) = (side(b), side(c));
    let n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
    if length < 1e-30 { [0.0, 0.0, 1.0] } else { n.map(|x| x / length) }
}

/// Rows `first..first + count` of a table, as far as they exist.
fn rows<T>(table: &[T], first: i32, count: i32) -> &[T] {
    let first = usize::try_from(first).unwrap_or(usize::MAX);
    table.get(first..).map_or(&[], |rest| &rest[..rest.len().min(count.max(0) as usize)])
}

/// What a model says about a mesh. Its hull is made from the same.
#[derive(Debug, Clone)]
pub(crate) struct MeshSource {
    mesh: Arc<MeshArrays>,
    hull: bool,
}

/// Rows of a model that belong to one mesh.
#[derive(Debug)]
struct MeshArrays {
    vertices: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    texture: Option<Vec<[f32; 2]>>,
    faces: Vec<[i32; 3]>,
    face_normals: Vec<[i32; 3]>,
    face_texture: Vec<[i32; 3]>,
    /// Corners of the faces of the hull, one after the other.
    hull: Vec<i32>,
}

impl MeshArrays {
    fn new(model: &Model, id: usize) -> MeshArrays {
        let (first, count) = (model.mesh_faceadr[id], model.mesh_facenum[id]);
        let graph = usize::try_from(model.mesh_graphadr[id]).ok();
        let graph = graph.and_then(|start| model.mesh_graph.get(start..)).unwrap_or_default();
        let hull = match *graph {
            [vertices, faces, ..] => {
                let [vertices, faces] = [vertices, faces].map(|n| n.max(0) as usize);
                let corners = graph.get(2 + 3 * vertices + 3 * faces..).unwrap_or_default();
                &corners[..corners.len().min(3 * faces)]
            }
            _ => &[],
        };
        let coordinates =
            || rows(&model.mesh_texcoord, model.mesh_texcoordadr[id], model.mesh_texcoordnum[id]);
        MeshArrays {
            vertices: rows(&model.mesh_vert, model.mesh_vertadr[id], model.mesh_vertnum[id])
                .to_vec(),
            normals: rows(&model.mesh_normal, model.mesh_normaladr[id], model.mesh_normalnum[id])
                .to_vec(),
            texture: (model.mesh_texcoordadr[id] >= 0).then(|| coordinates().to_vec()),
            faces: rows(&model.mesh_face, first, count).to_vec(),
            face_normals: rows(&model.mesh_facenormal, first, count).to_vec(),
            face_texture: rows(&model.mesh_facetexcoord, first, count).to_vec(),
            hull: hull.to_vec(),
        }
    }
}

impl Source for MeshSource {
    fn shape(&self) -> Shape {
        if self.hull { hull_shape(&self.mesh) } else { mesh_shape(&self.mesh) }
    }
}

fn mesh_and_hull(model: &Model, id: usize) -> [Made<MeshSource>; 2] {
    let mesh = Arc::new(MeshArrays::new(model, id));
    [false, true].map(|hull| Made::new(MeshSource { mesh: mesh.clone(), hull }))
}

/// A mesh of a model.
pub(crate) fn mesh(model: &Model, id: usize) -> Shape {
    mesh_shape(&MeshArrays::new(model, id))
}

/// The convex hull of a mesh; empty if it has none.
pub(crate) fn hull(model: &Model, id: usize) -> Shape {
    hull_shape(&MeshArrays::new(model, id))
}

/// A mesh. Vertices keep their normal where it is near that of the face, or have texture
/// coordinates; elsewhere the face has an edge.
fn mesh_shape(mesh: &MeshArrays) -> Shape {
    const SMOOTH: f32 = 0.8;
    let MeshArrays { vertices, normals, texture, faces, face_normals, face_texture, .. } = mesh;
    let textured = texture.is_some();
    let texture = texture.as_deref().unwrap_or_default();

    let mut shape = Shape::with_room(normals.len().max(vertices.len()), faces.len());
    // vertices of the shape that are made from a vertex of the mesh, as linked lists
    let mut latest = vec![u32::MAX; vertices.len()];
    let mut made: Vec<(i32, i32, u32)> = Vec::with_capacity(vertices.len());
    for (f, face) in faces.iter().enumerate() {
        let at = |v: i32| usize::try_from(v).ok().and_then(|v| vertices.get(v)).copied();
        let [Some(a), Some(b), Some(c)] = face.map(at) else { continue };
        let flat = face_normal([a, b, c]);
        let corner = |k: usize, shape: &mut Shape| {
            let vertex = face[k] as usize;
            let index = face_normals.get(f).map_or(-1, |n| n[k]);
            let normal = usize::try_from(index).ok().and_then(|n| normals.get(n)).unwrap_or(&flat);
            let near: f32 = (0..3).map(|i| normal[i] * flat[i]).sum();
            let coordinates = if textured { face_texture.get(f).map_or(-1, |t| t[k]) } else { -1 };
            let smooth = textured || near >= SMOOTH || near.is_nan();
            if smooth {
                let mut link = latest[vertex];
                while link != u32::MAX {
                    let (n, t, next) = made[link as usize];
                    if n == index && t == coordinates {
                        return link;
                    }
                    link = next;
                }
            }
            let vertex_id = shape.vertex(vertices[vertex], if smooth { *normal } else { flat });
            if textured {
                let t = usize::try_from(coordinates).ok().and_then(|t| texture.get(t));
                shape.texcoord.push(t.copied().unwrap_or_default());
            }
            // a vertex with the normal of its face is not shared
            made.push((if smooth { index } else { -2 }, coordinates, latest[vertex]));
            latest[vertex] = vertex_id;
            vertex_id
        };
        let mut corner = corner;
        let triangle = [corner(0, &mut shape), corner(1, &mut shape), corner(2, &mut shape)];
        shape.triangles.push(triangle);
    }
    shape.closed = is_closed(vertices, faces);
    shape.finish()
}

/// Whether triangles are a closed surface that faces outward: each edge is passed as often one way as
/// the other, which a sum of hashes tells, and the volume inside is positive.
fn is_closed(vertices: &[[f32; 3]], faces: &[[i32; 3]]) -> bool {
    let (mut edges, mut volume) = (0u64, 0.0f64);
    for face in faces {
        for k in 0..3 {
            let (a, b) = (face[k] as u32, face[(k + 1) % 3] as u32);
            // the finalizer of splitmix64
            let mut hash = u64::from(a.min(b)) << 32 | u64::from(a.max(b));
            hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            hash ^= hash >> 31;
            edges = if a < b { edges.wrapping_add(hash) } else { edges.wrapping_sub(hash) };
        }
        let at = |v: i32| usize::try_from(v).ok().and_then(|v| vertices.get(v));
        let [Some(a), Some(b), Some(c)] = face.map(at) else { return false };
        let [a, b, c] = [a, b, c].map(|p| p.map(f64::from));
        volume += a[0] * (b[1] * c[2] - b[2] * c[1])
            + a[1] * (b[2] * c[0] - b[0] * c[2])
            + a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    edges == 0 && volume > 0.0
}

/// The convex hull of a mesh, with flat faces; empty if it has none.
fn hull_shape(mesh: &MeshArrays) -> Shape {
    let mut shape = Shape::default();
    for face in mesh.hull.chunks_exact(3) {
        let at =
            |i: usize| usize::try_from(face[i]).ok().and_then(|v| mesh.vertices.get(v)).copied();
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(at) else { continue };
        add_flat(&mut shape, [a, b, c]);
    }
    shape.closed = true;
    shape.finish()
}

fn add_flat(shape: &mut Shape, corners: [[f32; 3]; 3]) {
    let normal = face_normal(corners);
    let triangle = corners.map(|p| shape.vertex(p, normal));
    shape.triangles.push(triangle);
}

/// Heights of a height field, and its size.
#[derive(Debug, Clone)]
pub(crate) struct HfieldSource {
    columns: usize,
    lines: usize,
    heights: Vec<f32>,
    size: [f32; 4],
    /// Divisions of the bottom.
    quads: usize,
}

impl HfieldSource {
    fn new(model: &Model, id: usize, quads: usize) -> HfieldSource {
        let [columns, lines] =
            [model.hfield_ncol[id], model.hfield_nrow[id]].map(|n| n.max(0) as usize);
        let count = columns.saturating_mul(lines).min(i32::MAX as usize) as i32;
        let heights = rows(&model.hfield_data, model.hfield_adr[id], count).to_vec();
        let size = model.hfield_size[id].map(|x| x as f32);
        HfieldSource { columns, lines, heights, size, quads }
    }
}

impl Source for HfieldSource {
    fn shape(&self) -> Shape {
        hfield_shape(self)
    }
}

/// Cells along the side of a square of a height field with a block of triangles.
const SQUARE: usize = (BLOCK / 2).isqrt();

/// A height field: two triangles per cell, four sides and a bottom.
fn hfield_shape(field: &HfieldSource) -> Shape {
    let mut shape = Shape::default();
    let &HfieldSource { columns, lines, quads, size: [sx, sy, top, base], .. } = field;
    let data = &field.heights[..];
    if columns < 2 || lines < 2 || data.len() < columns * lines {
        return shape.finish();
    }
    let (width, height) = (0.5 * (columns - 1) as f32, 0.5 * (lines - 1) as f32);
    let x = |c: usize| sx * (c as f32 / width - 1.0);
    let y = |r: usize| sy * (r as f32 / height - 1.0);
    let surface = |r: usize, c: usize| [x(c), y(r), data[r * columns + c] * top];
    // square by square, so that triangles of a block are near each other
    let squares = |cells: usize| (0..cells).step_by(SQUARE).map(move |i| i..cells.min(i + SQUARE));
    for (rows, columns) in
        squares(lines - 1).flat_map(|r| squares(columns - 1).map(move |c| (r.clone(), c)))
    {
        for (r, c) in rows.flat_map(|r| columns.clone().map(move |c| (r, c))) {
            let (a, b) = (surface(r + 1, c), surface(r, c));
            let (d, e) = (surface(r + 1, c + 1), surface(r, c + 1));
            add_flat(&mut shape, [a, b, d]);
            add_flat(&mut shape, [b, e, d]);
        }
    }
    let mut side = |corners: [[f32; 3]; 4], normal: [f32; 3]| {
        let quad = corners.map(|p| shape.vertex(p, normal));
        shape.quad(quad);
    };
    let low = |p: [f32; 3]| [p[0], p[1], -base];
    for r in 0..lines - 1 {
        let (a, b) = (surface(r + 1, 0), surface(r, 0));
        side([low(a), low(b), b, a], [-1.0, 0.0, 0.0]);
        let (a, b) = (surface(r, columns - 1), surface(r + 1, columns - 1));
        side([low(a), low(b), b, a], [1.0, 0.0, 0.0]);
    }
    for c in 0..columns - 1 {
        let (a, b) = (surface(0, c), surface(0, c + 1));
        side([low(a), low(b), b, a], [0.0, -1.0, 0.0]);
        let (a, b) = (surface(lines - 1, c + 1), surface(lines - 1, c));
        side([low(a), low(b), b, a], [0.0, 1.0, 0.0]);
    }
    let d = |i: usize| 2.0 * i as f32 / quads as f32 - 1.0;
    for r in 0..quads {
        for c in 0..quads {
            let at = |c: usize, r: usize| [sx * d(c), sy * d(r), -base];
            let corners = [at(c, r), at(c, r + 1), at(c + 1, r + 1), at(c + 1, r)];
            side(corners, [0.0, 0.0, -1.0]);
        }
    }
    shape.finish()
}

fn skin(model: &Model, id: usize) -> Skin {
    let faces = rows(&model.skin_face, model.skin_faceadr[id], model.skin_facenum[id]);
    let vertices = model.skin_vertnum[id];
    let valid = |face: &&[i32; 3]| face.iter().all(|&v| (0..vertices).contains(&v));
    let texcoord = rows(&model.skin_texcoord, model.skin_texcoordadr[id], vertices);
    Skin {
        faces: faces.iter().filter(valid).map(|face| face.map(|v| v as u32)).collect(),
        texcoord: texcoord.to_vec(),
    }
}
