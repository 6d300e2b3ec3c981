use crate::geometry::{Geom, Ray, Shape, TriangleView, cross};
use crate::math::{Mat3, Quat, Vec3};
use crate::model::Flex;
use crate::{Data, Model};

/// Which parts of a flex a ray meets, as they are drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct FlexParts {
    /// Vertices, as balls; only where edges are not met.
    pub vertices: bool,
    /// Edges, as capsules.
    pub edges: bool,
    /// Triangles: elements of cloth, faces of the tetrahedra of one layer.
    pub faces: bool,
    /// The skin: edges, and the triangles of cloth or of the outermost layer.
    pub skin: bool,
    /// The layer of tetrahedra whose faces are met.
    pub layer: i32,
}

/// Where a ray meets a flex.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlexHit {
    /// How far away, in lengths of the ray's direction.
    pub distance: f64,
    /// The nearest vertex of what is met, counted within the flex.
    pub vertex: usize,
    /// The unit normal of the surface.
    pub normal: Vec3,
}

/// Finds where the ray from `origin` along `direction` first meets flex number `flex`. Runs after
/// `flex`; other rays never meet flexes.
#[doc(alias = "mj_rayFlex")]
pub fn ray_flex(
    model: &Model,
    data: &Data,
    flex: usize,
    parts: &FlexParts,
    origin: Vec3,
    direction: Vec3,
) -> Option<FlexHit> {
    let flex = model.flex(flex);
    let verts = &data.flexvert_xpos[flex.verts.clone()];
    let radius = model.flex_radius[flex.id];
    let ray = Ray { origin, direction };
    meets_bounds(verts, radius, &ray).then_some(())?;

    let mut search = Search { verts, ray, best: None };
    let skin = flex.dim > 1 && parts.skin;
    if parts.edges || skin {
        search.edges(&flex, radius);
    } else if parts.vertices {
        search.vertices(radius);
    }
    if flex.dim > 1 && (parts.faces || parts.skin) {
        search.faces(model, &flex, parts);
    }
    search.best
}

/// Whether a ray meets the box around the vertices, wider by the radius.
fn meets_bounds(verts: &[Vec3], radius: f64, ray: &Ray) -> bool {
    let Some(&first) = verts.first() else { return false };
    let (mut low, mut high) = (first, first);
    for vert in verts {
        for axis in 0..3 {
            low[axis] = low[axis].min(vert[axis]);
            high[axis] = high[axis].max(vert[axis]);
        }
    }
    let size = (high - low) * 0.5 + Vec3::new(radius, radius, radius);
    let pos = (high + low) * 0.5;
    let bounds = Geom { shape: Shape::Box, size, pos, mat: &Mat3::IDENTITY, rbound: 0.0, id: 0 };
    cross(&bounds, ray).is_some()
}

struct Search<'a> {
    verts: &'a [Vec3],
    ray: Ray,
    best: Option<FlexHit>,
}

impl Search<'_> {
    /// Takes a hit that is nearer than all before; `corners` are where the nearest vertex may be.
    fn improve(&mut self, distance: f64, normal: Vec3, corners: &[i32]) {
        if distance < 0.0 || self.best.is_some_and(|best| distance >= best.distance) {
            return;
        }
        let point = self.ray.at(distance);
        let away = |vert: i32| (self.verts[vert as usize] - point).norm();
        let nearest = corners.iter().copied().min_by(|&a, &b| away(a).total_cmp(&away(b)));
        let vertex = nearest.unwrap_or(0) as usize;
        self.best = Some(FlexHit { distance, vertex, normal });
    }

    fn edges(&mut self, flex: &Flex<'_>, radius: f64) {
        for ends in flex.edge_verts() {
            let [from, to] = ends.map(|end| self.verts[end as usize]);
            let (axis, length) = (to - from).normalized();
            let mat = Quat::from_z_to(axis).to_mat();
            let size = Vec3::new(radius, 0.5 * length, 0.0);
            let pos = (from + to) * 0.5;
            let capsule = Geom { shape: Shape::Capsule, size, pos, mat: &mat, rbound: 0.0, id: 0 };
            if let Some(crossing) = cross(&capsule, &self.ray) {
                // the second end where both are as near
                let normal = crossing.normal(&capsule, &self.ray);
                self.improve(crossing.distance, normal, &[ends[1], ends[0]]);
            }
        }
    }

    fn vertices(&mut self, radius: f64) {
        let size = Vec3::new(radius, 0.0, 0.0);
        for vert in 0..self.verts.len() {
            let (pos, mat) = (self.verts[vert], &Mat3::IDENTITY);
            let ball = Geom { shape: Shape::Sphere, size, pos, mat, rbound: radius, id: 0 };
            if let Some(crossing) = cross(&ball, &self.ray) {
                let normal = crossing.normal(&ball, &self.ray);
                self.improve(crossing.distance, normal, &[vert as i32]);
            }
        }
    }

    fn faces(&mut self, model: &Model, flex: &Flex<'_>, parts: &FlexParts) {
        const FACES: [[usize; 3]; 4] = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let faces = if flex.dim == 2 { &FACES[..1] } else { &FACES };
        let view = TriangleView::new(self.ray);
        for elem in 0..flex.elems.len() {
            let layer = model.flex_elemlayer[flex.elems.start + elem];
            let shown = if parts.skin { layer <= 0 } else { layer == parts.layer };
            if flex.dim == 3 && !shown {
                continue;
            }
            let verts = flex.elem(elem);
            for face in faces {
                let corners = face.map(|i| verts[i]);
                let triangle = corners.map(|vert| self.verts[vert as usize]);
                if let Some((distance, normal)) = view.triangle(triangle) {
                    self.improve(distance, normal.normalized().0, &corners);
                }
            }
        }
    }
}
