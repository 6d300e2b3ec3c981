//! Merging of two facets.

use super::HullError;
use super::cone::MISLINKED;
use super::polyhedron::{MERGES, NONE, Ridge};
use super::quickhull::Quickhull;
use super::tolerance::max;

/// A deviation of this many merges is not an effect of rounding.
const WIDE: f64 = 100.0;

/// A centrum stops following its facet at more vertices than this.
const CENTRUM_VERTICES: usize = 3 + 5;

/// Why a facet is merged. The order is that of merging.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Coplanar with its neighbour.
    Coplanar,
    /// Above its neighbour.
    Concave,
    /// Above its neighbour, which is coplanar with it.
    ConcaveCoplanar,
    /// The interior is above the facet.
    Flipped,
    /// Fewer than three neighbours.
    Degenerate,
    /// All vertices are in one neighbour.
    Redundant,
    /// A new facet, coplanar with its horizon facet.
    Horizon,
}

/// A merge to be done.
#[derive(Debug, Clone, Copy)]
pub(super) struct Merge {
    pub facet: u32,
    pub into: u32,
    pub kind: Kind,
    pub distance: f64,
}

/// Distances of vertices from the plane that they are merged into.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deviation {
    pub largest: f64,
    pub lowest: f64,
    pub highest: f64,
}

impl Quickhull<'_> {
    /// Merges `facet` into `into`, which keeps its plane and becomes fresh.
    pub(super) fn merge(
        &mut self,
        facet: u32,
        into: u32,
        kind: Kind,
        deviation: Option<Deviation>,
    ) -> Result<(), HullError> {
        self.merges += 1;
        if facet == into || self.facets[facet].visible || self.facets[into].visible {
            return Err(HullError::Degenerate("a facet is merged with itself"));
        }
        if self.facets.len - self.facets.num_visible <= 4 {
            return Err(HullError::Degenerate("only four facets remain"));
        }
        if let Some(Deviation { lowest, highest, .. }) = deviation {
            let (from, to) = (self.facets[facet].reach, self.facets[into].reach);
            let widest = max(max(WIDE * self.tol.one_merge, from), to);
            if highest > widest || -lowest > widest {
                return Err(HullError::Degenerate("facets that are to be merged are not coplanar"));
            }
            self.max_outside = max(self.max_outside, highest);
            let wide = highest > self.tol.wide || lowest < -self.tol.wide;
            let to = &mut self.facets[into];
            to.reach = max(to.reach, highest);
            to.centrum_fixed |= wide;
        }
        if !self.incident {
            self.link_vertices();
        }
        self.make_ridges(facet);
        self.make_ridges(into);

        let merges = self.facets[facet].merges + self.facets[into].merges + 1;
        self.facets[into].merges = merges.min(MERGES);
        self.facets[into].merged = true;
        self.forget_tests(facet, into);
        if self.facets[facet].vertices.len() == 3 {
            self.absorb_triangle(facet, into, kind == Kind::Horizon)?;
        } else {
            self.absorb_polygon(facet, into)?;
        }

        self.facets.move_to_end(into);
        self.facets.side_mut(into).fresh = true;
        self.facets[into].tested = false;
        if kind != Kind::Horizon {
            self.find_redundant_neighbors(into)?;
            self.find_degenerate_neighbors(facet)?;
            self.find_degeneracy(into)?;
        }
        self.facets.retire(facet, into);
        Ok(())
    }

    /// Gives a triangle ridges to all of its neighbours.
    pub(super) fn make_ridges(&mut self, facet: u32) {
        if !self.facets[facet].simplicial {
            return;
        }
        self.facets[facet].simplicial = false;
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            self.facets[neighbor].seen = false;
        }
        for i in 0..self.facets[facet].ridges.len() {
            let neighbor = self.ridges[self.facets[facet].ridges[i]].across(facet);
            self.facets[neighbor].seen = true;
        }
        for side in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[side];
            if self.facets[neighbor].seen {
                continue;
            }
            let this = &self.facets[facet];
            let ends = match side {
                0 => [this.vertices[1], this.vertices[2]],
                1 => [this.vertices[0], this.vertices[2]],
                _ => [this.vertices[0], this.vertices[1]],
            };
            let on_top = this.positive != (side % 2 == 1);
            let (top, bottom) = if on_top { (facet, neighbor) } else { (neighbor, facet) };
            let tested = this.tested;
            let ridge = self.ridges.make(Ridge { ends, top, bottom, tested, nonconvex: false });
            self.facets[facet].push_ridge(ridge);
            self.facets[neighbor].push_ridge(ridge);
        }
    }

    /// Marks ridges as untested, and forgets the centrum while the facet is small.
    fn forget_tests(&mut self, facet: u32, into: u32) {
        for &ridge in self.facets[facet].ridges.iter() {
            self.ridges[ridge].tested = false;
        }
        let to = &mut self.facets[into];
        to.tested = false;
        if to.centrum.is_none() {
            return;
        }
        let size = to.vertices.len();
        if !to.centrum_fixed {
            to.centrum_fixed = size > CENTRUM_VERTICES;
        } else if size == 3 {
            to.centrum_fixed = false;
        }
        if !to.centrum_fixed {
            to.centrum = None;
            for &ridge in to.ridges.iter() {
                self.ridges[ridge].tested = false;
            }
        }
    }

    /// Merges a triangle: its vertex opposite to the common ridge joins `into`. `at_apex`: that
    /// vertex is the apex of the cone.
    fn absorb_triangle(&mut self, facet: u32, into: u32, at_apex: bool) -> Result<(), HullError> {
        let corners: [u32; 3] = [0, 1, 2].map(|i| self.facets[facet].vertices[i]);
        let opposite;
        let joins;
        if at_apex {
            opposite = corners[0];
            if !self.facets.side(into).fresh {
                self.refresh_vertices(into);
            }
            joins = self.facets[into].vertices[0] != opposite;
            if joins {
                self.facets[into].vertices.insert(0, opposite);
            }
        } else {
            let ridges = &self.facets[facet].ridges;
            let common = ridges.iter().find(|&&ridge| self.ridges[ridge].across(facet) == into);
            let ends = common.map_or([NONE; 2], |&ridge| self.ridges[ridge].ends);
            for end in ends.into_iter().filter(|&end| end != NONE) {
                self.vertices[end].lost_ridge = true;
            }
            opposite = *corners.iter().find(|corner| !ends.contains(corner)).ok_or(MISLINKED)?;
            let vertices = &mut self.facets[into].vertices;
            let at = vertices.iter().position(|&id| id <= opposite).unwrap_or(vertices.len());
            joins = vertices.get(at) != Some(&opposite);
            if joins {
                vertices.insert(at, opposite);
            }
            if !self.facets.side(into).fresh {
                self.refresh_vertices(into);
            } else {
                self.vertices.refresh(opposite);
            }
        }
        for vertex in corners {
            if vertex == opposite && joins {
                if !self.vertices[vertex].facets.replace(facet, into) {
                    return Err(MISLINKED);
                }
            } else {
                self.leave_facet(vertex, facet, into);
            }
        }

        // ridges and neighbours
        let stamp = self.new_facet_stamp();
        for i in 0..self.facets[into].neighbors.len() {
            let neighbor = self.facets[into].neighbors[i];
            self.facets.side_mut(neighbor).visit = stamp;
        }
        let mut i = 0;
        while i < self.facets[facet].ridges.len() {
            let ridge = self.facets[facet].ridges[i];
            let other = self.ridges[ridge].across(facet);
            if other == into {
                self.delete_ridge(ridge);
                self.facets[into].neighbors.swap_delete(facet);
                continue;
            }
            self.facets[into].push_ridge(ridge);
            if self.facets.side(other).visit != stamp {
                self.facets[into].neighbors.push(other);
                if !self.facets[other].neighbors.replace(facet, into) {
                    return Err(MISLINKED);
                }
                self.facets.side_mut(other).visit = stamp;
            } else {
                self.make_ridges(other);
                self.join_neighbors(other, facet, into);
            }
            self.ridges[ridge].replace(facet, into);
            i += 1;
        }
        Ok(())
    }

    /// Merges a polygon: all of its vertices, ridges and neighbours join `into`.
    fn absorb_polygon(&mut self, facet: u32, into: u32) -> Result<(), HullError> {
        let vertex_stamp = self.new_vertex_stamp();
        for i in 0..self.facets[into].vertices.len() {
            let vertex = self.facets[into].vertices[i];
            self.vertices[vertex].visit = vertex_stamp;
        }

        // neighbours
        let stamp = self.new_facet_stamp();
        for i in 0..self.facets[into].neighbors.len() {
            let neighbor = self.facets[into].neighbors[i];
            self.facets.side_mut(neighbor).visit = stamp;
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            if self.facets.side(neighbor).visit == stamp {
                self.make_ridges(neighbor);
                self.join_neighbors(neighbor, facet, into);
            } else if neighbor != into {
                self.facets[into].neighbors.push(neighbor);
                if !self.facets[neighbor].neighbors.replace(facet, into) {
                    return Err(MISLINKED);
                }
            }
        }
        self.facets[facet].neighbors.swap_delete(into);
        self.facets[into].neighbors.swap_delete(facet);

        // vertices, both in decreasing order
        let mut union = Vec::new();
        let (mut a, mut b) = (&self.facets[facet].vertices[..], &self.facets[into].vertices[..]);
        loop {
            match (a.first(), b.first()) {
                (Some(&x), Some(&y)) => {
                    union.push(x.max(y));
                    a = &a[usize::from(x >= y)..];
                    b = &b[usize::from(y >= x)..];
                }
                (Some(_), None) | (None, Some(_)) => {
                    union.extend_from_slice(a);
                    union.extend_from_slice(b);
                    break;
                }
                (None, None) => break,
            }
        }
        self.facets[into].vertices.set(&union);

        // ridges
        let mut i = 0;
        while i < self.facets[into].ridges.len() {
            let ridge = self.facets[into].ridges[i];
            if self.ridges[ridge].across(into) == facet {
                self.delete_ridge(ridge);
            } else {
                i += 1;
            }
        }
        for i in 0..self.facets[facet].ridges.len() {
            let ridge = self.facets[facet].ridges[i];
            self.ridges[ridge].replace(facet, into);
            self.facets[into].push_ridge(ridge);
        }

        // facets around the vertices
        for i in 0..self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[i];
            if self.vertices[vertex].visit == vertex_stamp {
                self.leave_facet(vertex, facet, into);
            } else if !self.vertices[vertex].facets.replace(facet, into) {
                return Err(MISLINKED);
            }
        }
        if !self.facets.side(into).fresh {
            self.refresh_vertices(into);
        }
        Ok(())
    }

    /// Makes `other`, a neighbour of both, a neighbour of `into` only. The first neighbour of a
    /// new facet stays the first.
    fn join_neighbors(&mut self, other: u32, facet: u32, into: u32) {
        let neighbors = &mut self.facets[other].neighbors;
        if neighbors.first() == Some(&facet) {
            neighbors.swap_delete(into);
            neighbors.replace(facet, into);
        } else {
            neighbors.swap_delete(facet);
        }
    }

    /// Takes `facet` off a vertex that `into` also has. A vertex that is left with one facet is
    /// not a corner any more, and is removed.
    fn leave_facet(&mut self, vertex: u32, facet: u32, into: u32) {
        self.vertices[vertex].facets.swap_delete(facet);
        if self.vertices[vertex].facets.len() < 2 {
            self.facets[into].vertices.delete(vertex);
            self.remove_vertex(vertex);
        }
    }

    /// Marks a vertex for deletion.
    pub(super) fn remove_vertex(&mut self, vertex: u32) {
        self.vertices[vertex].deleted = true;
        self.removed.push(vertex);
    }

    /// Moves the vertices of a facet to the end of the list.
    fn refresh_vertices(&mut self, facet: u32) {
        for &vertex in self.facets[facet].vertices.iter() {
            self.vertices.refresh(vertex);
        }
    }

    /// Deletes a ridge that a merge made superfluous.
    pub(super) fn delete_ridge(&mut self, id: u32) {
        let Ridge { ends, top, bottom, nonconvex, .. } = self.ridges[id];
        if nonconvex {
            self.pass_on_nonconvex(id);
        }
        for end in ends.into_iter().filter(|&end| end != NONE) {
            self.vertices[end].lost_ridge = true;
        }
        self.facets[top].ridges.swap_delete(id);
        self.facets[bottom].ridges.swap_delete(id);
        self.ridges.free(id);
    }

    /// Marks another ridge between the same facets as nonconvex, if there is one.
    fn pass_on_nonconvex(&mut self, id: u32) {
        let Ridge { top, bottom, .. } = self.ridges[id];
        let ridges = &self.facets[top].ridges;
        let same = |ridge: &Ridge| ridge.top == bottom || ridge.bottom == bottom;
        let other = ridges.iter().find(|&&other| other != id && same(&self.ridges[other]));
        if let Some(&other) = other {
            self.ridges[other].nonconvex = true;
        }
        self.ridges[id].nonconvex = false;
    }

    /// Queues a merge, unless one of the facets is redundant anyway.
    pub(super) fn enqueue(
        &mut self,
        facet: u32,
        into: u32,
        kind: Kind,
        distance: f64,
    ) -> Result<(), HullError> {
        let (from, to) = (&self.facets[facet], &self.facets[into]);
        if from.redundant || to.redundant || kind == Kind::Degenerate && from.degenerate {
            return Ok(());
        }
        if self.facets.side(into).flipped && !self.facets.side(facet).flipped {
            return Err(HullError::Degenerate("a facet is merged into a flipped one"));
        }
        let merge = Merge { facet, into, kind, distance };
        match kind {
            Kind::Degenerate => {
                // degenerate facets come after redundant ones
                self.facets[facet].degenerate = true;
                let at_end = self.leftovers.last().is_none_or(|m| m.kind == Kind::Degenerate);
                let at = if at_end { self.leftovers.len() } else { 0 };
                self.leftovers.insert(at, merge);
            }
            Kind::Redundant => {
                self.facets[facet].redundant = true;
                self.leftovers.push(merge);
            }
            _ => self.queue.push(merge),
        }
        Ok(())
    }

    /// Merges degenerate and redundant facets. Returns whether there were any.
    pub(super) fn merge_leftovers(&mut self) -> Result<bool, HullError> {
        let mut any = false;
        while let Some(Merge { facet, into, kind, .. }) = self.leftovers.pop() {
            if self.facets[facet].visible {
                continue;
            }
            self.facets[facet].degenerate = false;
            self.facets[facet].redundant = false;
            if kind == Kind::Redundant {
                let into = self.facets.replacement(into);
                if into == NONE {
                    return Err(HullError::Degenerate("a redundant facet has no replacement"));
                }
                if into == facet {
                    continue;
                }
                self.merge(facet, into, kind, None)?;
                any = true;
            } else if self.facets[facet].neighbors.is_empty() {
                self.facets.retire(facet, NONE);
                for i in 0..self.facets[facet].vertices.len() {
                    let vertex = self.facets[facet].vertices[i];
                    self.vertices[vertex].facets.swap_delete(facet);
                    if self.vertices[vertex].facets.is_empty() {
                        self.remove_vertex(vertex);
                    }
                }
                any = true;
            } else if self.facets[facet].neighbors.len() < 3 {
                let (neighbor, deviation) = self.best_neighbor(facet)?;
                self.merge(facet, neighbor, kind, Some(deviation))?;
                any = true;
            }
        }
        Ok(any)
    }

    /// Queues `facet` if it is degenerate, or redundant to one of its neighbours.
    pub(super) fn find_degeneracy(&mut self, facet: u32) -> Result<(), HullError> {
        if self.facets.side(facet).flipped {
            return Ok(());
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let neighbor = self.facets[facet].neighbors[i];
            if !self.facets.side(neighbor).flipped && self.contains_all(neighbor, facet) {
                return self.enqueue(facet, neighbor, Kind::Redundant, 0.0);
            }
        }
        if self.facets[facet].neighbors.len() < 3 {
            self.enqueue(facet, facet, Kind::Degenerate, 0.0)?;
        }
        Ok(())
    }

    /// Queues neighbours of `facet` that are degenerate.
    fn find_degenerate_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        for i in 0..self.facets[facet].neighbors.len() {
            let id = self.facets[facet].neighbors[i];
            let neighbor = &self.facets[id];
            if !neighbor.degenerate && !neighbor.redundant && neighbor.neighbors.len() < 3 {
                self.enqueue(id, id, Kind::Degenerate, 0.0)?;
            }
        }
        Ok(())
    }

    /// Queues neighbours that have no vertex which `facet` has not, or `facet` itself if it is
    /// degenerate.
    pub(super) fn find_redundant_neighbors(&mut self, facet: u32) -> Result<(), HullError> {
        if self.facets[facet].neighbors.len() < 3 {
            return self.enqueue(facet, facet, Kind::Degenerate, 0.0);
        }
        let stamp = self.new_vertex_stamp();
        for &vertex in self.facets[facet].vertices.iter() {
            self.vertices[vertex].visit = stamp;
        }
        for i in 0..self.facets[facet].neighbors.len() {
            let id = self.facets[facet].neighbors[i];
            let neighbor = &self.facets[id];
            let only_here = self.facets.side(facet).flipped && !self.facets.side(id).flipped;
            if neighbor.degenerate || neighbor.redundant || only_here {
                continue;
            }
            if neighbor.vertices.iter().all(|&vertex| self.vertices[vertex].visit == stamp) {
                self.enqueue(id, facet, Kind::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    /// Whether `facet` has all vertices of `other`.
    fn contains_all(&self, facet: u32, other: u32) -> bool {
        // both are in decreasing order
        let mut vertices = self.facets[facet].vertices.iter();
        self.facets[other]
            .vertices
            .iter()
            .all(|vertex| vertices.by_ref().find(|&candidate| candidate <= vertex) == Some(vertex))
    }
}
