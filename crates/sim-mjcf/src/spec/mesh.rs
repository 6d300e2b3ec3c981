use sim_core::math::{Quat, Vec3};
use sim_core::model::MeshInertia;

use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, FLAG, Info};

/// A mesh: triangles from a file, given in place, or made by the compiler.
#[doc(alias = "mjsMesh")]
#[derive(Debug, Clone)]
pub struct Mesh {
    /// Name, place and relations. The name is that of the file without its extension when not given.
    pub info: Info,
    /// Directory of the model that names the file.
    pub dir: String,
    /// Content type of the file; by its extension when empty.
    pub content_type: String,
    /// STL, OBJ or MSH file.
    pub file: String,
    /// Path of the file if it is not in the usual directory; empty otherwise. URDF models name files
    /// of packages, and MuJoCo looks for their last part only.
    pub elsewhere: String,
    /// Coordinates of vertices.
    pub vertex: Vec<f32>,
    /// Coordinates of normals, as many as vertices.
    pub normal: Vec<f32>,
    /// Texture coordinates, as many as vertices.
    pub texcoord: Vec<f32>,
    /// Vertices of faces; those of the convex hull when empty.
    pub face: Vec<i32>,
    /// Normals of the corners of faces, by number; those of the vertices when empty.
    pub facenormal: Vec<i32>,
    /// Texture coordinates of the corners of faces, by number; those of the vertices when empty.
    pub facetexcoord: Vec<i32>,
    /// Whether a signed distance field is asked for.
    pub needsdf: bool,
    /// What becomes the origin.
    pub refpos: Vec3,
    /// What becomes the orientation of the axes.
    pub refquat: Quat,
    /// Scale, after moving and turning.
    pub scale: Vec3,
    /// Whether normals are smooth across sharp edges.
    pub smoothnormal: bool,
    /// Vertices of the convex hull at most; −1 for all.
    pub maxhullvert: i32,
    /// How inertia is computed.
    pub inertia: MeshInertia,
    /// Mesh made by the compiler.
    pub builtin: BuiltinMesh,
    /// Parameters of the mesh made by the compiler.
    pub params: Vec<f64>,
    /// Material of geoms that have none of their own; empty for none.
    pub material: String,
}

/// Meshes that the compiler can make.
#[doc(alias = "mjtMeshBuiltin")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltinMesh {
    /// None: the mesh is given.
    None,
    /// An icosahedron, subdivided.
    Sphere,
    /// Half a sphere with its cap.
    Hemisphere,
    /// A pyramid, or a frustum.
    Cone,
    /// A torus with exponents.
    Supertorus,
    /// An ellipsoid with exponents.
    Supersphere,
    /// Points on a part of a sphere.
    Wedge,
    /// A square grid.
    Plate,
}

const BUILTINS: &[(&str, BuiltinMesh)] = &[
    ("none", BuiltinMesh::None),
    ("sphere", BuiltinMesh::Sphere),
    ("hemisphere", BuiltinMesh::Hemisphere),
    ("cone", BuiltinMesh::Cone),
    ("supertorus", BuiltinMesh::Supertorus),
    ("supersphere", BuiltinMesh::Supersphere),
    ("wedge", BuiltinMesh::Wedge),
    ("plate", BuiltinMesh::Plate),
];

const INERTIA: &[(&str, MeshInertia)] = &[
    ("convex", MeshInertia::Convex),
    ("legacy", MeshInertia::Legacy),
    ("exact", MeshInertia::Exact),
    ("shell", MeshInertia::Shell),
];

impl Default for Mesh {
    fn default() -> Mesh {
        Mesh {
            info: Info::default(),
            dir: String::new(),
            content_type: String::new(),
            file: String::new(),
            elsewhere: String::new(),
            vertex: Vec::new(),
            normal: Vec::new(),
            texcoord: Vec::new(),
            face: Vec::new(),
            facenormal: Vec::new(),
            facetexcoord: Vec::new(),
            needsdf: false,
            refpos: Vec3::ZERO,
            refquat: Quat::IDENTITY,
            scale: Vec3::new(1.0, 1.0, 1.0),
            smoothnormal: false,
            maxhullvert: -1,
            inertia: MeshInertia::Legacy,
            builtin: BuiltinMesh::None,
            params: Vec::new(),
            material: String::new(),
        }
    }
}

impl Attributes for Mesh {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        if !a.in_defaults() {
            a.text("content_type", &mut self.content_type);
            a.text("file", &mut self.file);
            a.list("vertex", &mut self.vertex);
            a.list("normal", &mut self.normal);
            a.list("texcoord", &mut self.texcoord);
            a.list("face", &mut self.face);
            a.numbers("refpos", &mut self.refpos);
            a.numbers("refquat", &mut self.refquat);
        }
        a.numbers("scale", &mut self.scale);
        if !a.in_defaults() {
            a.keyword("smoothnormal", &mut self.smoothnormal, FLAG);
        }
        if a.numbers("maxhullvert", &mut self.maxhullvert)
            && self.maxhullvert != -1
            && self.maxhullvert < 4
        {
            a.fail("maxhullvert", "a convex hull has at least 4 vertices; -1 stands for all");
        }
        a.keyword("inertia", &mut self.inertia, INERTIA);
        if !a.in_defaults() {
            let built = a.keyword("builtin", &mut self.builtin, BUILTINS)
                && self.builtin != BuiltinMesh::None;
            a.list("params", &mut self.params);
            if built {
                a.required("params");
                if !self.file.is_empty() {
                    a.fail("builtin", "a builtin mesh cannot have a file");
                } else if !self.vertex.is_empty() {
                    a.fail("builtin", "a builtin mesh cannot have vertices of its own");
                }
            }
            a.text("material", &mut self.material);
        }
    }
}

impl Copied for Mesh {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.material);
    }

    fn weight(&self) -> usize {
        let Mesh { vertex, normal, texcoord, face, facenormal, facetexcoord, .. } = self;
        let indices = face.len() + facenormal.len() + facetexcoord.len();
        1 + (vertex.len() + normal.len() + texcoord.len() + indices) / 64
    }
}
