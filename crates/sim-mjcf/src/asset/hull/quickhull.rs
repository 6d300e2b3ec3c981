//! The main loop.

use super::merge::Merge;
use super::plane::Plane;
use super::polyhedron::{Facets, Links, NONE, Ridges, Vertices};
use super::tolerance::{Tolerance, max};
use super::{Hull, HullError, simplex};

/// After this many merges searches go through all new facets.
const MANY_MERGES: usize = 50;

/// A hull under construction.
pub(super) struct Quickhull<'a> {
    pub points: &'a [[f64; 3]],
    pub tol: Tolerance,
    /// A point inside of the hull.
    pub interior: [f64; 3],
    pub facets: Facets,
    pub vertices: Vertices,
    pub ridges: Ridges,
    pub links: Links,
    /// Stamp of the current search through facets, and of that through vertices.
    pub facet_stamp: u32,
    pub vertex_stamp: u32,

    /// Two facets of the first simplex have almost opposite normals.
    pub narrow: bool,
    /// Largest distance of a point above its facet that is not outside.
    pub max_outside: f64,
    /// Bound of `max_outside` while the current point is added.
    pub outside_bound: f64,
    /// Partition points by a search through all new facets.
    pub search_all: bool,
    /// The new facets are known not to be sharp.
    pub blunt: bool,
    /// Facets and their planes in order, from `listed_from` to the end of the list of facets.
    pub listed: Vec<(u32, Plane)>,
    pub listed_from: u32,
    /// Facets still to be searched.
    pub pending: Vec<u32>,

    /// Vertices know their facets: from the first merge on.
    pub incident: bool,
    /// Number of merges.
    pub merges: usize,
    /// Nonconvex and flipped facets to be merged, next one last.
    pub queue: Vec<Merge>,
    /// Degenerate and redundant facets to be merged, next one last.
    pub leftovers: Vec<Merge>,
    /// Vertices to be deleted after the current point.
    pub removed: Vec<u32>,
    /// For each vertex a new facet with an open side at it, and the side.
    pub open: Vec<(u32, u8)>,
}

impl<'a> Quickhull<'a> {
    /// Starts with a simplex, all other points partitioned among its facets.
    pub(super) fn new(points: &'a [[f64; 3]]) -> Result<Self, HullError> {
        let extremes = simplex::Extremes::new(points);
        let corners = extremes.simplex(points)?;
        let tol = extremes.tolerance;
        let mut hull = Self {
            points,
            tol,
            interior: [0.0; 3],
            facets: Facets::new(tol.round),
            vertices: Vertices::new(),
            ridges: Ridges::default(),
            links: Links(vec![NONE; points.len()]),
            facet_stamp: 0,
            vertex_stamp: 0,
            narrow: false,
            max_outside: 0.0,
            outside_bound: 0.0,
            search_all: false,
            blunt: false,
            listed: Vec::new(),
            listed_from: NONE,
            pending: Vec::new(),
            incident: false,
            merges: 0,
            queue: Vec::new(),
            leftovers: Vec::new(),
            removed: Vec::new(),
            open: Vec::new(),
        };
        hull.bound_outside();
        hull.make_simplex(corners)?;
        hull.partition_all(corners);
        hull.listed_from = NONE;
        hull.start_at_furthest();
        Ok(hull)
    }

    /// Adds furthest points until none is outside, or there are `max_vertices`.
    pub(super) fn build(mut self, max_vertices: Option<usize>) -> Result<Hull, HullError> {
        let max_vertices = max_vertices.map_or(usize::MAX, |n| n.max(4));
        while let Some((point, facet)) = self.next_furthest() {
            if self.vertices.len >= max_vertices {
                break;
            }
            self.add_point(point, facet)?;
        }
        self.triangulate()
    }

    /// Adds the point that is furthest above `facet`.
    fn add_point(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        self.bound_outside();
        self.find_horizon(point, facet)?;
        self.make_cone(point)?;
        self.merge_nonconvex_facets()?;
        self.search_all = self.many_merges() || self.any_polygon_is_fresh();
        self.partition_visible()?;
        self.search_all = false;
        self.listed_from = NONE;
        self.blunt = false;
        self.delete_visible();
        self.facets.close();
        self.vertices.close();
        Ok(())
    }

    /// Sets the bound of distances above facets for the points partitioned next.
    fn bound_outside(&mut self) {
        let merged = max(self.max_outside, self.tol.one_merge + self.tol.round);
        self.outside_bound = max(merged, self.tol.outside);
    }

    /// The coordinates of a point.
    #[inline]
    pub(super) fn position(&self, point: u32) -> [f64; 3] {
        self.points[point as usize]
    }

    /// The coordinates of a vertex.
    #[inline]
    pub(super) fn corner(&self, vertex: u32) -> [f64; 3] {
        self.position(self.vertices[vertex].point)
    }

    /// The plane of a facet.
    #[inline]
    pub(super) fn plane(&self, facet: u32) -> &Plane {
        &self.facets.side(facet).plane
    }

    /// The signed distance of a point from a facet.
    #[inline]
    pub(super) fn distance(&self, point: u32, facet: u32) -> f64 {
        self.plane(facet).distance(self.position(point))
    }

    /// A stamp that no facet has.
    #[inline]
    pub(super) fn new_facet_stamp(&mut self) -> u32 {
        self.facet_stamp += 1;
        self.facet_stamp
    }

    /// A stamp that no vertex has.
    pub(super) fn new_vertex_stamp(&mut self) -> u32 {
        self.vertex_stamp += 1;
        self.vertex_stamp
    }

    /// Whether merges are so frequent that searches are widened.
    pub(super) fn many_merges(&self) -> bool {
        self.merges > MANY_MERGES
    }

    /// Whether a fresh facet is not simplicial.
    fn any_polygon_is_fresh(&self) -> bool {
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            if !self.facets[facet].simplicial {
                return true;
            }
            facet = self.facets[facet].next;
        }
        false
    }

    /// The mean of the vertices of a facet.
    pub(super) fn centroid(&self, vertices: &[u32]) -> [f64; 3] {
        std::array::from_fn(|k| {
            let mut sum = 0.0;
            for &vertex in vertices {
                sum += self.corner(vertex)[k];
            }
            sum / vertices.len() as f64
        })
    }
}
