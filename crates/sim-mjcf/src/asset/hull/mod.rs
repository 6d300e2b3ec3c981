//! Convex hulls of points: quickhull with merged facets.
//!
//! The algorithm of Barber, Dobkin and Huhdanpaa, *The Quickhull Algorithm for Convex Hulls* (ACM
//! Transactions on Mathematical Software 22(4), 1996), for three dimensions and in double
//! precision:
//!
//! 1. a first simplex of four points that are far apart (`simplex.rs`),
//! 2. every other point goes to the outside set of a facet that it is above of (`partition.rs`),
//! 3. as long as a facet has an outside set, its furthest point is added: the facets visible from
//!    it are replaced by a cone of new facets from the point to the horizon (`cone.rs`), and their
//!    outside points are partitioned again,
//! 4. after each point, new facets that are not clearly convex to a neighbour are merged with it
//!    (`convexity.rs`, `merge.rs`), and vertices that merges made superfluous are removed
//!    (`reduce.rs`),
//! 5. at the end polygons are cut into triangles (`triangulate.rs`).
//!
//! Distances from a plane are known up to rounding. Two facets whose angle drowns in it have no
//! convex edge between them; merging them gives thick facets that surely contain the points. Which
//! facets are merged, and in which order, decides which vertices and edges the hull has. Physics
//! sees that order: contacts of a mesh with a plane are taken from the neighbours of its lowest
//! vertex in the order of this graph. All orders are therefore those of Qhull 2020.2 with the
//! option `Qt`, whose output is MuJoCo's `mesh_graph`; every integer of it is reproduced.
//!
//! Three rare ends of Qhull's merging are not followed, and are errors here: new facets that share
//! a ridge three times, pinched vertices, and one facet that meets its coplanar horizon in several
//! ridges.

mod cone;
mod convexity;
mod ids;
mod merge;
mod partition;
mod plane;
mod polyhedron;
mod quickhull;
mod reduce;
mod simplex;
#[cfg(test)]
mod tests;
mod tolerance;
mod triangulate;

use std::fmt;

use quickhull::Quickhull;

/// Computes the convex hull of `points`, with at most `max_vertices` vertices.
///
/// The cap stops the addition of furthest points, so that a capped hull is the hull of some of
/// the points and not all others are inside of it. It has no effect below four.
pub(crate) fn hull(points: &[[f64; 3]], max_vertices: Option<usize>) -> Result<Hull, HullError> {
    if points.len() < 4 {
        return Err(HullError::TooFew { points: points.len() });
    }
    if points.len() >= polyhedron::NONE as usize {
        return Err(HullError::TooMany { points: points.len() });
    }
    if let Some(point) = points.iter().position(|point| point.iter().any(|x| !x.is_finite())) {
        return Err(HullError::NotFinite { point });
    }
    Quickhull::new(points)?.build(max_vertices)
}

/// A convex polyhedron of triangles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hull {
    /// For each vertex the number of its point.
    pub vertices: Vec<u32>,
    /// Neighbours of all vertices, vertex by vertex, as indices into `vertices`.
    pub edges: Vec<u32>,
    /// For each vertex the end of its neighbours in `edges`.
    pub edge_ends: Vec<u32>,
    /// Triangles as numbers of points, counterclockwise seen from outside.
    pub faces: Vec<[u32; 3]>,
}

impl Hull {
    /// The record of the hull in `mesh_graph`: the numbers of vertices and faces; for each vertex
    /// the address of its edges and the number of its point; the edges, as neighbours of each
    /// vertex ended by −1; and the faces.
    pub(crate) fn graph(&self) -> Vec<i32> {
        let (numvert, numface) = (self.vertices.len(), self.faces.len());
        let mut graph = Vec::with_capacity(2 + 3 * numvert + 6 * numface);
        graph.extend([numvert as i32, numface as i32]);
        // a terminator for each vertex before
        graph.push(0);
        let ends = self.edge_ends.iter().zip(1..);
        graph.extend(ends.take(numvert - 1).map(|(&end, before)| end as i32 + before));
        graph.extend(self.vertices.iter().map(|&point| point as i32));
        for vertex in 0..numvert {
            graph.extend(self.neighbors(vertex).iter().map(|&neighbor| neighbor as i32));
            graph.push(-1);
        }
        graph.extend(self.faces.as_flattened().iter().map(|&point| point as i32));
        graph
    }

    /// The neighbours of `vertex`, as indices into `vertices`.
    pub(crate) fn neighbors(&self, vertex: usize) -> &[u32] {
        let start = if vertex == 0 { 0 } else { self.edge_ends[vertex - 1] };
        &self.edges[start as usize..self.edge_ends[vertex] as usize]
    }
}

/// Why points have no convex hull.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum HullError {
    /// There are fewer than four points.
    TooFew {
        /// Number of points.
        points: usize,
    },
    /// There are more points than can be numbered.
    TooMany {
        /// Number of points.
        points: usize,
    },
    /// A coordinate is infinite or not a number.
    NotFinite {
        /// The point.
        point: usize,
    },
    /// All points are the same.
    Coincident,
    /// All points are on a line.
    Collinear {
        /// Largest distance from the line.
        radius: f64,
        /// Largest extent along an axis.
        width: f64,
    },
    /// All points are on a plane.
    Flat {
        /// Distance between the two planes that enclose the points.
        thickness: f64,
        /// Largest extent along an axis.
        width: f64,
    },
    /// Rounding errors prevent a convex polyhedron.
    Degenerate(&'static str),
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooFew { points } => {
                write!(f, "a convex hull needs at least 4 points, there are {points}")
            }
            Self::TooMany { points } => {
                write!(f, "a convex hull takes fewer than 2^32 points, there are {points}")
            }
            Self::NotFinite { point } => {
                write!(f, "a convex hull needs finite points, point {point} is not")
            }
            Self::Coincident => write!(f, "points have no convex hull, all are the same"),
            Self::Collinear { radius, width } => write!(
                f,
                "points have no convex hull, all are within {radius:e} of a line ({width:e} wide)"
            ),
            Self::Flat { thickness, width } => write!(
                f,
                "points have no convex hull, they are flat: {thickness:e} thick, {width:e} wide"
            ),
            Self::Degenerate(what) => {
                write!(f, "points have no convex hull in double precision: {what}")
            }
        }
    }
}

impl std::error::Error for HullError {}
