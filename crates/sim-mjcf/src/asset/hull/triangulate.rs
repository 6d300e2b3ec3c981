//! Polygons become triangles, and the polyhedron a [`Hull`].

use super::polyhedron::{END, Facets, NONE};
use super::quickhull::Quickhull;
use super::{Hull, HullError};

impl Quickhull<'_> {
    /// Cuts polygons into fans of triangles and lists vertices, edges and faces.
    ///
    /// Triangles keep their order; the fans follow, polygon by polygon, each from its youngest
    /// vertex and in the order of its ridges. The vertices of polygons move to the end of their
    /// list. At each vertex the facets that are left keep their order, and those of fans follow.
    pub(super) fn triangulate(mut self) -> Result<Hull, HullError> {
        if !self.incident {
            self.link_vertices();
        }
        self.vertices.fresh = END;
        self.facets.visible = NONE;
        self.facets.fresh = END;
        let mut facet = self.facets.first;
        while Facets::is_facet(facet) && facet != self.facets.fresh {
            let next = self.facets[facet].next;
            if !self.facets[facet].simplicial {
                self.cut_into_fan(facet);
            }
            facet = next;
        }

        let numvert = self.vertices.len;
        let mut hull = Hull {
            vertices: Vec::with_capacity(numvert),
            edges: Vec::with_capacity(6 * numvert),
            edge_ends: Vec::with_capacity(numvert),
            faces: Vec::with_capacity(2 * numvert),
        };
        let mut local = vec![NONE; self.vertices.ids()];
        let mut vertex = self.vertices.first;
        while vertex != END {
            local[vertex as usize] = hull.vertices.len() as u32;
            hull.vertices.push(self.vertices[vertex].point);
            vertex = self.vertices[vertex].next;
        }
        vertex = self.vertices.first;
        while vertex != END {
            self.list_edges(vertex, &local, &mut hull.edges);
            hull.edge_ends.push(hull.edges.len() as u32);
            vertex = self.vertices[vertex].next;
        }
        facet = self.facets.first;
        while Facets::is_facet(facet) {
            let vertices = &self.facets[facet].vertices;
            let [a, b, c] = [0, 1, 2].map(|i| self.vertices[vertices[i]].point);
            hull.faces.push(if self.facets[facet].positive { [b, a, c] } else { [a, b, c] });
            facet = self.facets[facet].next;
        }

        // Euler's formula for a sphere of triangles
        let closed = hull.faces.len() + 4 == 2 * hull.vertices.len();
        if closed && hull.edges.len() == 3 * hull.faces.len() {
            Ok(hull)
        } else {
            Err(HullError::Degenerate("the polyhedron is not closed"))
        }
    }

    /// Replaces a polygon by triangles from its first vertex to its ridges.
    fn cut_into_fan(&mut self, polygon: u32) {
        let Some(&apex) = self.facets[polygon].vertices.first() else { return };
        for i in 0..self.facets[polygon].ridges.len() {
            let ridge = self.ridges[self.facets[polygon].ridges[i]];
            let vertices = [apex, ridge.ends[0], ridge.ends[1]];
            for vertex in vertices {
                self.vertices.refresh(vertex);
            }
            if ridge.ends[0] == apex {
                continue;
            }
            let triangle = self.facets.make();
            self.facets[triangle].vertices.set(&vertices);
            self.facets[triangle].positive = ridge.top == polygon;
            self.facets.append(triangle);
            for vertex in vertices {
                self.vertices[vertex].facets.push(triangle);
            }
        }
        for i in 0..self.facets[polygon].vertices.len() {
            let vertex = self.facets[polygon].vertices[i];
            self.vertices[vertex].facets.retain(|facet| facet != polygon);
        }
        self.facets.remove(polygon);
    }

    /// Lists the vertices around `vertex`, in the order of its facets and of their vertices.
    fn list_edges(&self, vertex: u32, local: &[u32], edges: &mut Vec<u32>) {
        let start = edges.len();
        for &facet in self.vertices[vertex].facets.iter() {
            for &other in self.facets[facet].vertices.iter() {
                let id = local[other as usize];
                if other != vertex && !edges[start..].contains(&id) {
                    edges.push(id);
                }
            }
        }
    }

    /// Lists for every vertex its facets, in the order of facets.
    pub(super) fn link_vertices(&mut self) {
        let mut facet = self.facets.first;
        while Facets::is_facet(facet) {
            if !self.facets[facet].visible {
                for &vertex in self.facets[facet].vertices.iter() {
                    self.vertices[vertex].facets.push(facet);
                }
            }
            facet = self.facets[facet].next;
        }
        self.incident = true;
    }
}
