//! Meshes: vertices, the graph of the convex hull, polygons, triangles and their bounding volumes.

use std::cell::Cell;

use super::support::Hint;
use super::widen;
use crate::Model;
use crate::math::Vec3;
use crate::model::range;

/// Number of vertices from which the hull is climbed; fewer are all looked at.
const HILL_CLIMB_MIN: usize = 10;

/// Where the search for the farthest vertex begins when none is known.
const LOWEST: f64 = -(f32::MAX as f64);

/// The mesh of a geom.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mesh<'a> {
    model: &'a Model,
    id: usize,
    pub(crate) vertices: &'a [[f32; 3]],
    pub(crate) hull: Option<Hull<'a>>,
}

/// The graph of a convex hull. Its vertices have numbers of their own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hull<'a> {
    /// Where the neighbours of each vertex start in `edges`.
    starts: &'a [i32],
    /// The vertex of the mesh that each vertex of the hull is.
    pub(crate) ids: &'a [i32],
    /// Neighbours; each list ends with −1.
    edges: &'a [i32],
}

impl<'a> Hull<'a> {
    fn new(graph: &'a [i32]) -> Option<Hull<'a>> {
        let [count, faces, rest @ ..] = graph else { return None };
        let (count, faces) = (usize::try_from(*count).ok()?, usize::try_from(*faces).ok()?);
        let (starts, rest) = rest.split_at_checked(count)?;
        let (ids, rest) = rest.split_at_checked(count)?;
        Some(Hull { starts, ids, edges: rest.get(..count + 3 * faces)? })
    }

    /// The neighbours of a vertex, in order.
    #[inline]
    pub(crate) fn neighbours(&self, vertex: usize) -> impl Iterator<Item = usize> + use<'a> {
        let list = &self.edges[self.starts[vertex] as usize..];
        list.iter().map_while(|&other| usize::try_from(other).ok())
    }
}

impl<'a> Mesh<'a> {
    /// The mesh of a geom; none if there is none.
    #[inline]
    pub(crate) fn new(model: &'a Model, geom: usize) -> Option<Mesh<'a>> {
        let id = usize::try_from(model.geom_dataid[geom]).ok()?;
        let vertices =
            model.mesh_vert.get(range(*model.mesh_vertadr.get(id)?, model.mesh_vertnum[id]))?;
        let hull = usize::try_from(model.mesh_graphadr[id]).ok();
        let hull = hull.and_then(|start| Hull::new(model.mesh_graph.get(start..)?));
        Some(Mesh { model, id, vertices, hull })
    }

    /// A vertex, in the frame of the mesh.
    #[inline(always)]
    pub(crate) fn vertex(&self, vertex: usize) -> Vec3 {
        widen(self.vertices[vertex])
    }

    /// Finds the vertex farthest along `dir`: the one that the reference's GJK finds, which starts
    /// from the vertex found before.
    #[inline(never)]
    pub(crate) fn support(&self, dir: Vec3, hint: &Cell<Hint>) -> (Vec3, i32) {
        let vertex = match &self.hull {
            Some(hull) if self.vertices.len() >= HILL_CLIMB_MIN => self.climb(hull, dir, hint),
            _ => self.scan(dir, hint),
        };
        (self.vertex(vertex), vertex as i32)
    }

    /// Looks at all vertices; equal ones stay with the vertex found before.
    fn scan(&self, dir: Vec3, hint: &Cell<Hint>) -> usize {
        let (mut best, mut farthest) = (0, LOWEST);
        if let Some(last) = hint.get().vertex {
            best = last as usize;
            farthest = dir.dot(self.vertex(best));
        }
        for (i, &vertex) in self.vertices.iter().enumerate() {
            let along = dir.dot(widen(vertex));
            if along > farthest {
                (best, farthest) = (i, along);
            }
        }
        hint.set(Hint { vertex: Some(best as u32), ..hint.get() });
        best
    }

    /// Climbs from neighbour to neighbour. The height of the start does not count, so that the
    /// first round always moves on.
    #[inline]
    fn climb(&self, hull: &Hull<'_>, dir: Vec3, hint: &Cell<Hint>) -> usize {
        let mut best = hint.get().hull_vertex.unwrap_or(0) as usize;
        let mut farthest = LOWEST;
        loop {
            let start = best;
            for other in hull.neighbours(start) {
                let along = dir.dot(self.vertex(hull.ids[other] as usize));
                if along > farthest {
                    (best, farthest) = (other, along);
                }
            }
            if best == start {
                break;
            }
        }
        let vertex = hull.ids[best] as u32;
        hint.set(Hint { vertex: Some(vertex), hull_vertex: Some(best as u32) });
        vertex as usize
    }

    /// Finds the vertex farthest along `dir`, as portal refinement and planes want it: the hull is
    /// climbed whatever its size, from the start or the vertex found before upwards.
    pub(crate) fn farthest(&self, dir: Vec3, hint: &Cell<Hint>) -> usize {
        let Some(hull) = &self.hull else {
            let (mut best, mut farthest) = (0, -1e10);
            for (i, &vertex) in self.vertices.iter().enumerate() {
                let along = dir.dot(widen(vertex));
                if along > farthest {
                    (best, farthest) = (i, along);
                }
            }
            return best;
        };
        // what was remembered from step to step may be of another mesh
        let last = hint.get().hull_vertex.map(|last| last as usize);
        let mut best = last.filter(|&last| last < hull.ids.len()).unwrap_or(0);
        let mut farthest = dir.dot(self.vertex(hull.ids[best] as usize));
        loop {
            let start = best;
            for other in hull.neighbours(start) {
                let along = dir.dot(self.vertex(hull.ids[other] as usize));
                if along > farthest {
                    (best, farthest) = (other, along);
                }
            }
            if best == start {
                break;
            }
        }
        hint.set(Hint { hull_vertex: Some(best as u32), ..hint.get() });
        hull.ids[best] as usize
    }

    /// The polygons at a vertex.
    pub(crate) fn polygons_at(&self, vertex: usize) -> &'a [i32] {
        let model = self.model;
        let vertex = model.mesh_vertices(self.id).start + vertex;
        &model.mesh_polymap[range(model.mesh_polymapadr[vertex], model.mesh_polymapnum[vertex])]
    }

    /// The normal of a polygon, in the frame of the mesh.
    pub(crate) fn polygon_normal(&self, polygon: usize) -> Vec3 {
        self.model.mesh_polynormal[self.model.mesh_polygons(self.id).start + polygon]
    }

    /// The vertices of a polygon, in order around it.
    pub(crate) fn polygon(&self, polygon: usize) -> &'a [i32] {
        let model = self.model;
        let polygon = model.mesh_polygons(self.id).start + polygon;
        &model.mesh_polyvert
            [range(model.mesh_polyvertadr[polygon], model.mesh_polyvertnum[polygon])]
    }

    /// The vertices of a triangle.
    pub(crate) fn triangle(&self, face: usize) -> [Vec3; 3] {
        let face = self.model.mesh_faces(self.id).start + face;
        self.model.mesh_face[face].map(|vertex| self.vertex(vertex as usize))
    }

    /// The bounding volumes: box, children and triangle of each.
    pub(crate) fn volumes(&self) -> (&'a [[f64; 6]], &'a [[i32; 2]], &'a [i32]) {
        let model = self.model;
        let volumes = range(model.mesh_bvhadr[self.id], model.mesh_bvhnum[self.id]);
        let (boxes, children) =
            (&model.bvh_aabb[volumes.clone()], &model.bvh_child[volumes.clone()]);
        (boxes, children, &model.bvh_nodeid[volumes])
    }
}
