//! The polyhedron under construction: facets, ridges and vertices, and the order they are kept in.
//!
//! A *facet* is a convex polygon, a *ridge* the edge between two facets. Simplicial facets
//! (triangles) have no ridges of their own: neighbour `i` lies across the edge opposite to vertex
//! `i`. Facets get ridges when they are merged into polygons.
//!
//! Facets and vertices are in doubly linked lists, because the order in which facets are worked
//! on decides the order of the result. The list of facets has three marks:
//!
//! ```text
//! done … cursor … waiting … | visible … | fresh … | END
//! ```
//!
//! `visible` are the facets that the current point sees and that are about to be deleted, `fresh`
//! the ones made for it. Outside of the addition of a point both are [`NONE`].

use std::ops::{Index, IndexMut};

use super::ids::Ids;
use super::plane::Plane;

/// No facet, ridge, vertex or point.
pub(super) const NONE: u32 = u32::MAX;

/// The end of the lists of facets and vertices.
pub(super) const END: u32 = 0;

/// A set of points that belongs to a facet, in order: a queue through [`Links`], then `top`.
///
/// In outside sets `top` is the furthest point.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointSet {
    pub first: u32,
    last: u32,
    pub top: u32,
}

impl PointSet {
    pub(super) const EMPTY: Self = Self { first: NONE, last: NONE, top: NONE };

    pub(super) fn is_empty(&self) -> bool {
        self.first == NONE && self.top == NONE
    }

    /// Makes `point` the top of the set.
    pub(super) fn push_top(&mut self, point: u32, links: &mut Links) {
        if self.top != NONE {
            self.push_below(self.top, links);
        }
        self.top = point;
    }

    /// Adds `point` just below the top.
    pub(super) fn push_below(&mut self, point: u32, links: &mut Links) {
        links.0[point as usize] = NONE;
        if self.first == NONE {
            self.first = point;
        } else {
            links.0[self.last as usize] = point;
        }
        self.last = point;
    }
}

/// For every point the next one of its set: each point is in one set at most.
#[derive(Debug)]
pub(super) struct Links(pub Vec<u32>);

/// A facet.
#[derive(Debug, Clone)]
pub(super) struct Facet {
    /// Vertices in decreasing order of their ids.
    pub vertices: Ids<3>,
    pub neighbors: Ids<3>,
    pub ridges: Ids<1>,
    /// Points above the facet.
    pub outside: PointSet,
    /// Points that are nearly on the facet, or not far below.
    pub coplanar: PointSet,
    /// Distance of the top of `outside`.
    pub furthest: f64,
    /// Largest distance of a merged vertex above the facet.
    pub reach: f64,
    /// Mean of the vertices, projected onto the plane.
    pub centrum: Option<[f64; 3]>,
    /// The facet that takes over the points of a visible facet.
    pub replacement: u32,
    pub next: u32,
    prev: u32,
    /// Place among the listed planes.
    pub place: u32,
    /// Number of facets merged into this one, up to [`MERGES`].
    pub merges: u16,
    /// The vertices in order turn clockwise, seen from outside.
    pub positive: bool,
    /// A triangle that was never merged.
    pub simplicial: bool,
    /// Has had ridges.
    pub ridged: bool,
    pub has_plane: bool,
    /// Seen by the current point; to be deleted.
    pub visible: bool,
    /// On the horizon, and coplanar with the current point.
    pub coplanar_horizon: bool,
    /// A new facet that is to be merged into its coplanar horizon facet.
    pub joins_horizon: bool,
    /// All ridges were tested for convexity.
    pub tested: bool,
    /// Got another facet merged into it since the last reduction of vertices.
    pub merged: bool,
    /// The centrum no longer follows the vertices.
    pub centrum_fixed: bool,
    pub degenerate: bool,
    pub redundant: bool,
    pub seen: bool,
}

/// Merges are counted up to here.
pub(super) const MERGES: u16 = 511;

impl Facet {
    fn new(round: f64) -> Self {
        Self {
            vertices: Ids::default(),
            neighbors: Ids::default(),
            ridges: Ids::default(),
            outside: PointSet::EMPTY,
            coplanar: PointSet::EMPTY,
            furthest: 0.0,
            reach: round,
            centrum: None,
            replacement: NONE,
            next: NONE,
            prev: NONE,
            place: 0,
            merges: 0,
            positive: false,
            simplicial: true,
            ridged: false,
            has_plane: false,
            visible: false,
            coplanar_horizon: false,
            joins_horizon: false,
            tested: false,
            merged: false,
            centrum_fixed: false,
            degenerate: false,
            redundant: false,
            seen: false,
        }
    }

    /// Makes the facet as good as new and keeps the room of its lists.
    fn reset(&mut self, round: f64) {
        let Self { mut vertices, mut neighbors, mut ridges, .. } =
            std::mem::replace(self, Self::new(round));
        vertices.clear();
        neighbors.clear();
        ridges.clear();
        *self = Self { vertices, neighbors, ridges, ..Self::new(round) };
    }

    /// Adds a ridge.
    pub(super) fn push_ridge(&mut self, ridge: u32) {
        self.ridges.push(ridge);
        self.ridged = true;
    }
}

/// What searches look at of a facet, apart from its neighbours.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    pub plane: Plane,
    /// Stamp of the last search that came by.
    pub visit: u32,
    /// The interior point is above the plane.
    pub flipped: bool,
    /// Made or changed for the current point.
    pub fresh: bool,
}

impl Side {
    const NEW: Self = Self {
        plane: Plane { normal: [0.0; 3], offset: 0.0 },
        visit: 0,
        flipped: false,
        fresh: true,
    };
}

/// All facets, in order.
#[derive(Debug)]
pub(super) struct Facets {
    arena: Vec<Facet>,
    sides: Vec<Side>,
    free: Vec<u32>,
    round: f64,
    pub first: u32,
    /// The next facet to work on.
    pub cursor: u32,
    pub visible: u32,
    pub fresh: u32,
    /// Facets in the list.
    pub len: usize,
    /// Visible facets in the list.
    pub num_visible: usize,
}

impl Facets {
    pub(super) fn new(round: f64) -> Self {
        Self {
            arena: vec![Facet::new(round)],
            sides: vec![Side::NEW],
            free: Vec::new(),
            round,
            first: END,
            cursor: END,
            visible: NONE,
            fresh: END,
            len: 0,
            num_visible: 0,
        }
    }

    /// Whether `facet` is a facet: lists are walked while this holds.
    #[inline]
    pub(super) fn is_facet(facet: u32) -> bool {
        facet != END && facet != NONE
    }

    #[inline]
    pub(super) fn side(&self, facet: u32) -> &Side {
        &self.sides[facet as usize]
    }

    #[inline]
    pub(super) fn side_mut(&mut self, facet: u32) -> &mut Side {
        &mut self.sides[facet as usize]
    }

    /// The neighbours of `facet`, and the sides of all facets.
    #[inline]
    pub(super) fn around(&mut self, facet: u32) -> (&[u32], &mut [Side]) {
        (&self.arena[facet as usize].neighbors, &mut self.sides)
    }

    /// Makes a facet that is in no list yet.
    pub(super) fn make(&mut self) -> u32 {
        match self.free.pop() {
            Some(facet) => {
                let round = self.round;
                self[facet].reset(round);
                *self.side_mut(facet) = Side::NEW;
                facet
            }
            None => {
                self.arena.push(Facet::new(self.round));
                self.sides.push(Side::NEW);
                (self.arena.len() - 1) as u32
            }
        }
    }

    /// Puts `facet` at the end of the list. An open mark at the end becomes the facet.
    pub(super) fn append(&mut self, facet: u32) {
        if self.fresh == END {
            self.fresh = facet;
            if self.visible == END {
                self.visible = facet;
            }
        }
        if self.cursor == END {
            self.cursor = facet;
        }
        self.link(self[END].prev, facet, END);
        self.len += 1;
    }

    /// Takes `facet` out of the list. Marks on it move to its successor.
    pub(super) fn remove(&mut self, facet: u32) {
        let Facet { next, prev, .. } = self[facet];
        for mark in [&mut self.fresh, &mut self.cursor, &mut self.visible] {
            if *mark == facet {
                *mark = next;
            }
        }
        self[next].prev = prev;
        if prev == NONE {
            self.first = next;
        } else {
            self[prev].next = next;
        }
        self.len -= 1;
    }

    /// Puts `facet` before `next`. Marks on `next` move to the facet.
    fn insert_before(&mut self, facet: u32, next: u32) {
        self.link(self[next].prev, facet, next);
        if self.cursor == next {
            self.cursor = facet;
        }
        self.len += 1;
    }

    /// Makes `facet` the next one to work on.
    pub(super) fn bring_to_cursor(&mut self, facet: u32) {
        self.remove(facet);
        self.insert_before(facet, self.cursor);
    }

    /// Moves `facet` to the end of the list.
    pub(super) fn move_to_end(&mut self, facet: u32) {
        self.remove(facet);
        self.append(facet);
    }

    /// Moves `facet` to the visible ones; `replacement` gets its points.
    pub(super) fn retire(&mut self, facet: u32, replacement: u32) {
        self.remove(facet);
        let next = if self.visible == NONE { END } else { self.visible };
        self.insert_before(facet, next);
        self.visible = facet;
        self.num_visible += 1;
        let retired = &mut self[facet];
        retired.visible = true;
        retired.replacement = replacement;
        retired.ridges.clear();
        retired.neighbors.clear();
    }

    /// Takes `facet` out of the list and frees it.
    pub(super) fn delete(&mut self, facet: u32) {
        self.remove(facet);
        self.free.push(facet);
    }

    /// The facet that replaces `facet`: itself, unless it is visible.
    pub(super) fn replacement(&self, mut facet: u32) -> u32 {
        while facet != NONE && self[facet].visible {
            facet = self[facet].replacement;
        }
        facet
    }

    /// Ends the addition of a point: no facet is fresh any more.
    pub(super) fn close(&mut self) {
        let mut facet = self.fresh;
        while Self::is_facet(facet) {
            self.side_mut(facet).fresh = false;
            facet = self[facet].next;
        }
        self.fresh = NONE;
        self.visible = NONE;
    }

    fn link(&mut self, prev: u32, facet: u32, next: u32) {
        self[facet].prev = prev;
        self[facet].next = next;
        self[next].prev = facet;
        if prev == NONE {
            self.first = facet;
        } else {
            self[prev].next = facet;
        }
    }
}

impl Index<u32> for Facets {
    type Output = Facet;

    #[inline]
    fn index(&self, facet: u32) -> &Facet {
        &self.arena[facet as usize]
    }
}

impl IndexMut<u32> for Facets {
    #[inline]
    fn index_mut(&mut self, facet: u32) -> &mut Facet {
        &mut self.arena[facet as usize]
    }
}

/// A vertex. Its id is its place in the order of creation.
#[derive(Debug, Clone)]
pub(super) struct Vertex {
    pub point: u32,
    /// Facets around the vertex, once [`super::quickhull::Quickhull::incident`].
    pub facets: Ids<8>,
    pub next: u32,
    prev: u32,
    pub visit: u32,
    /// In a fresh facet.
    pub fresh: bool,
    /// A ridge of this vertex was deleted by a merge.
    pub lost_ridge: bool,
    /// To be deleted.
    pub deleted: bool,
    pub seen: bool,
}

/// All vertices, in order.
#[derive(Debug)]
pub(super) struct Vertices {
    arena: Vec<Vertex>,
    pub first: u32,
    /// The first fresh vertex, or [`NONE`] if no point is being added.
    pub fresh: u32,
    /// Vertices in the list.
    pub len: usize,
}

impl Vertices {
    pub(super) fn new() -> Self {
        let mut vertices = Self { arena: Vec::new(), first: END, fresh: END, len: 0 };
        vertices.make(NONE);
        vertices
    }

    /// Makes a vertex at `point` that is in no list yet.
    pub(super) fn make(&mut self, point: u32) -> u32 {
        self.arena.push(Vertex {
            point,
            facets: Ids::default(),
            next: NONE,
            prev: NONE,
            visit: 0,
            fresh: false,
            lost_ridge: false,
            deleted: false,
            seen: false,
        });
        (self.arena.len() - 1) as u32
    }

    /// Upper bound of the ids.
    pub(super) fn ids(&self) -> usize {
        self.arena.len()
    }

    /// Puts `vertex` at the end of the list.
    pub(super) fn append(&mut self, vertex: u32) {
        if self.fresh == END {
            self.fresh = vertex;
        }
        let prev = self[END].prev;
        self[vertex].fresh = true;
        self[vertex].prev = prev;
        self[vertex].next = END;
        self[END].prev = vertex;
        if prev == NONE {
            self.first = vertex;
        } else {
            self[prev].next = vertex;
        }
        self.len += 1;
    }

    /// Takes `vertex` out of the list.
    pub(super) fn remove(&mut self, vertex: u32) {
        let Vertex { next, prev, .. } = self[vertex];
        if self.fresh == vertex {
            self.fresh = next;
        }
        self[next].prev = prev;
        if prev == NONE {
            self.first = next;
        } else {
            self[prev].next = next;
        }
        self.len -= 1;
    }

    /// Moves `vertex` to the end of the list, unless it is there already for the current point.
    pub(super) fn refresh(&mut self, vertex: u32) {
        if !self[vertex].fresh {
            self.remove(vertex);
            self.append(vertex);
        }
    }

    /// Takes `vertex` out of the list for good.
    pub(super) fn delete(&mut self, vertex: u32) {
        self.remove(vertex);
        self[vertex].facets = Ids::default();
    }

    /// Ends the addition of a point: no vertex is fresh any more.
    pub(super) fn close(&mut self) {
        let mut vertex = self.fresh;
        while vertex != END && vertex != NONE {
            self[vertex].fresh = false;
            vertex = self[vertex].next;
        }
        self.fresh = NONE;
    }
}

impl Index<u32> for Vertices {
    type Output = Vertex;

    #[inline]
    fn index(&self, vertex: u32) -> &Vertex {
        &self.arena[vertex as usize]
    }
}

impl IndexMut<u32> for Vertices {
    #[inline]
    fn index_mut(&mut self, vertex: u32) -> &mut Vertex {
        &mut self.arena[vertex as usize]
    }
}

/// The edge between two facets, at least one of which is not simplicial.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ridge {
    /// Ends in decreasing order of their ids.
    pub ends: [u32; 2],
    /// The facet around which the ends turn clockwise, seen from outside, and the other one.
    pub top: u32,
    pub bottom: u32,
    /// Tested for convexity.
    pub tested: bool,
    /// Marked for a merge.
    pub nonconvex: bool,
}

impl Ridge {
    /// The facet across the ridge from `facet`.
    #[inline]
    pub(super) fn across(&self, facet: u32) -> u32 {
        if self.top == facet { self.bottom } else { self.top }
    }

    /// Puts `new` in the place of the facet `old`.
    pub(super) fn replace(&mut self, old: u32, new: u32) {
        if self.top == old {
            self.top = new;
        } else {
            self.bottom = new;
        }
    }
}

/// All ridges.
#[derive(Debug, Default)]
pub(super) struct Ridges {
    arena: Vec<Ridge>,
    free: Vec<u32>,
}

impl Ridges {
    pub(super) fn make(&mut self, ridge: Ridge) -> u32 {
        match self.free.pop() {
            Some(id) => {
                self[id] = ridge;
                id
            }
            None => {
                self.arena.push(ridge);
                (self.arena.len() - 1) as u32
            }
        }
    }

    pub(super) fn free(&mut self, ridge: u32) {
        self.free.push(ridge);
    }
}

impl Index<u32> for Ridges {
    type Output = Ridge;

    #[inline]
    fn index(&self, ridge: u32) -> &Ridge {
        &self.arena[ridge as usize]
    }
}

impl IndexMut<u32> for Ridges {
    #[inline]
    fn index_mut(&mut self, ridge: u32) -> &mut Ridge {
        &mut self.arena[ridge as usize]
    }
}
