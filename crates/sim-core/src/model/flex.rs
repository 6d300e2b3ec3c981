use std::ops::Range;

use super::Model;
use super::relations::range;

/// The two ends of each edge of an element, by local vertex, for elements of dimension 1, 2 and 3.
pub(crate) const ELEMENT_EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// The most nodes of an interpolated flex.
pub(crate) const MAX_NODES: usize = 27;

/// A flex: where its vertices, edges, elements and nodes are in the tables of the model.
#[derive(Debug, Clone)]
pub(crate) struct Flex<'a> {
    model: &'a Model,
    pub(crate) id: usize,
    /// Dimension of the elements: 1, 2 or 3.
    pub(crate) dim: usize,
    /// Degree of the basis functions of an interpolated flex; 0: vertices are on bodies.
    pub(crate) order: usize,
    pub(crate) verts: Range<usize>,
    pub(crate) edges: Range<usize>,
    pub(crate) elems: Range<usize>,
    pub(crate) nodes: Range<usize>,
}

impl Model {
    /// Flex number `flex`.
    #[inline]
    pub(crate) fn flex(&self, flex: usize) -> Flex<'_> {
        Flex {
            model: self,
            id: flex,
            dim: self.flex_dim[flex] as usize,
            order: self.flex_interp[flex] as usize,
            verts: range(self.flex_vertadr[flex], self.flex_vertnum[flex]),
            edges: range(self.flex_edgeadr[flex], self.flex_edgenum[flex]),
            elems: range(self.flex_elemadr[flex], self.flex_elemnum[flex]),
            nodes: range(self.flex_nodeadr[flex], self.flex_nodenum[flex]),
        }
    }

    /// All flexes, in order.
    pub(crate) fn flexes(&self) -> impl Iterator<Item = Flex<'_>> {
        (0..self.nflex).map(|flex| self.flex(flex))
    }
}

impl<'a> Flex<'a> {
    /// Whether all vertices are on one body.
    pub(crate) fn is_rigid(&self) -> bool {
        self.model.flex_rigid[self.id] != 0
    }

    /// Whether vertices or nodes are at the origins of their bodies.
    pub(crate) fn is_centered(&self) -> bool {
        self.model.flex_centered[self.id] != 0
    }

    /// Whether the lengths of its edges are used: it deforms, and its vertices are on bodies.
    pub(crate) fn has_edges(&self) -> bool {
        !self.is_rigid() && self.order == 0
    }

    /// Whether forces or constraints act along its edges, so that their Jacobians are needed.
    pub(crate) fn needs_edge_jacobian(&self) -> bool {
        let Model { flex_edgeequality, flex_edgedamping, flex_edgestiffness, flex_damping, .. } =
            self.model;
        self.has_edges()
            && (flex_edgeequality[self.id] == 1
                || flex_edgedamping[self.id] != 0.0
                || flex_edgestiffness[self.id] != 0.0
                || flex_damping[self.id] != 0.0)
    }

    /// Whether its vertices carry strain constraints.
    pub(crate) fn has_vertex_strains(&self) -> bool {
        self.has_edges() && self.dim == 2 && self.model.flex_edgeequality[self.id] == 2
    }

    /// Where the corners of its elements are.
    pub(super) fn elem_verts_range(&self) -> Range<usize> {
        let start = self.model.flex_elemdataadr[self.id].max(0) as usize;
        start..start + self.elems.len() * (self.dim + 1)
    }

    /// The vertices of the elements, `dim + 1` each, counted within the flex.
    pub(crate) fn elem_verts(&self) -> &'a [i32] {
        &self.model.flex_elem[self.elem_verts_range()]
    }

    /// The vertices of element `elem`, counted within the flex.
    #[inline]
    pub(crate) fn elem(&self, elem: usize) -> &'a [i32] {
        let start = self.model.flex_elemdataadr[self.id].max(0) as usize + elem * (self.dim + 1);
        &self.model.flex_elem[start..start + self.dim + 1]
    }

    /// The edges of the elements, counted within the flex.
    pub(crate) fn elem_edges(&self) -> &'a [i32] {
        let start = self.model.flex_elemedgeadr[self.id].max(0) as usize;
        let count = ELEMENT_EDGES[self.dim - 1].len();
        &self.model.flex_elemedge[start..start + self.elems.len() * count]
    }

    /// The ends of the edges, counted within the flex.
    pub(crate) fn edge_verts(&self) -> &'a [[i32; 2]] {
        &self.model.flex_edge[self.edges.clone()]
    }

    /// The bodies of the vertices; −1 for those of an interpolated flex.
    pub(crate) fn vert_bodies(&self) -> &'a [i32] {
        &self.model.flex_vertbodyid[self.verts.clone()]
    }

    /// The bodies of the nodes.
    pub(crate) fn node_bodies(&self) -> &'a [i32] {
        &self.model.flex_nodebodyid[self.nodes.clone()]
    }

    /// Its bounding volumes.
    pub(crate) fn volumes(&self) -> Range<usize> {
        range(self.model.flex_bvhadr[self.id], self.model.flex_bvhnum[self.id])
    }

    /// Its bounding volumes among those that follow the motion.
    pub(crate) fn moving_volumes(&self) -> Range<usize> {
        let (volumes, first) = (self.volumes(), self.model.nbvhstatic);
        if volumes.is_empty() { 0..0 } else { volumes.start - first..volumes.end - first }
    }

    /// Whether `elem` takes part in collisions: the outer layers of a solid do, and everything else.
    #[inline]
    pub(crate) fn is_active(&self, elem: usize) -> bool {
        let Model { flex_elemlayer, flex_activelayers, .. } = self.model;
        self.dim < 3 || flex_elemlayer[self.elems.start + elem] < flex_activelayers[self.id]
    }

    /// The numbers of the stiffness block: 21 for each element, or one full matrix over the nodes.
    pub(crate) fn stiffness(&self) -> &'a [f64] {
        self.model.flex_stiffness[self.elems.clone()].as_flattened()
    }
}
