//! Removal of vertices that merges made redundant.
//!
//! A vertex between only two facets lies inside of the chain of ridges that the two share. It is
//! renamed to a neighbour on that chain, whereby the ridge between them disappears.

use super::HullError;
use super::cone::MISLINKED;
use super::polyhedron::{END, Facets, NONE};
use super::quickhull::Quickhull;

impl Quickhull<'_> {
    /// Removes redundant vertices of merged facets. Returns whether facets were merged for that.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut merged = self.merge_leftovers()?;
        while !self.reduce_once()? {
            merged = true;
        }
        let mut vertex = self.vertices.fresh;
        while vertex != END && vertex != NONE {
            if !self.vertices[vertex].deleted {
                self.vertices[vertex].lost_ridge = false;
            }
            vertex = self.vertices[vertex].next;
        }
        Ok(merged)
    }

    /// Goes through all merged facets; stops short and returns false if facets had to be merged.
    fn reduce_once(&mut self) -> Result<bool, HullError> {
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            if self.facets[facet].merged && self.remove_loose_vertices(facet) {
                self.find_degeneracy(facet)?;
                if self.merge_leftovers()? {
                    return Ok(false);
                }
            }
            facet = self.facets[facet].next;
        }
        facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            if std::mem::take(&mut self.facets[facet].merged) {
                let mut i = 0;
                while i < self.facets[facet].vertices.len() {
                    let vertex = self.facets[facet].vertices[i];
                    if self.vertices[vertex].lost_ridge && self.rename_vertex(vertex, facet)? {
                        if self.merge_leftovers()? {
                            return Ok(false);
                        }
                    } else {
                        i += 1;
                    }
                }
            }
            facet = self.facets[facet].next;
        }
        Ok(true)
    }

    /// Removes vertices of a polygon that no ridge of it ends at.
    fn remove_loose_vertices(&mut self, facet: u32) -> bool {
        if self.facets[facet].simplicial {
            return false;
        }
        for &vertex in self.facets[facet].vertices.iter() {
            self.vertices[vertex].seen = false;
        }
        for &ridge in self.facets[facet].ridges.iter() {
            for end in self.ridges[ridge].ends {
                self.vertices[end].seen = true;
            }
        }
        let mut any = false;
        let mut i = 0;
        while i < self.facets[facet].vertices.len() {
            let vertex = self.facets[facet].vertices[i];
            if self.vertices[vertex].seen {
                i += 1;
                continue;
            }
            any = true;
            self.facets[facet].vertices.delete(vertex);
            self.vertices[vertex].facets.swap_delete(facet);
            if self.vertices[vertex].facets.is_empty() {
                self.remove_vertex(vertex);
            }
        }
        any
    }

    /// Renames a vertex of `facet` that is left with two facets to another one that both share.
    fn rename_vertex(&mut self, old: u32, facet: u32) -> Result<bool, HullError> {
        let [first, second] = self.vertices[old].facets[..] else { return Ok(false) };
        let other = if first == facet { second } else { first };

        // ridges between the two facets that end at the vertex
        let between = |hull: &Self, ridge: u32| hull.ridges[ridge].across(facet) == other;
        let ridges: Vec<u32> = self.facets[facet]
            .ridges
            .iter()
            .copied()
            .filter(|&ridge| between(self, ridge) && self.ridges[ridge].ends.contains(&old))
            .collect();

        let Some(new) = self.new_name(old, facet, other, &ridges) else { return Ok(false) };
        for &ridge in &ridges {
            if self.rename_end(ridge, old, new)? {
                self.check_duplicate_ridge(ridge, new)?;
            }
        }
        for i in 0..2 {
            let neighbor = self.vertices[old].facets[i];
            self.facets[neighbor].vertices.delete(old);
            self.find_degeneracy(neighbor)?;
        }
        self.remove_vertex(old);
        self.find_degeneracy(facet)?;
        Ok(true)
    }

    /// Chooses a vertex that both facets share such that no ridge appears twice after `old` is
    /// renamed to it: among those at the ends of `ridges`, the one with the fewest.
    fn new_name(&self, old: u32, facet: u32, other: u32, ridges: &[u32]) -> Option<u32> {
        let shared = &self.facets[other].vertices;
        let mut candidates: Vec<u32> =
            self.facets[facet].vertices.iter().copied().filter(|id| shared.contains(id)).collect();
        let at = candidates.iter().position(|&id| id == old);
        if let Some(at) = at {
            candidates.swap_remove(at);
        }
        let uses = |vertex: u32| {
            ridges.iter().filter(|&&ridge| self.ridges[ridge].ends.contains(&vertex)).count()
        };
        let mut i = 0;
        while i < candidates.len() {
            if uses(candidates[i]) == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        candidates.sort_by_key(|&vertex| uses(vertex));
        candidates.into_iter().find(|&new| !self.rename_duplicates(old, new, ridges))
    }

    /// Whether a ridge at `new` equals one of `ridges` once `old` is renamed to `new`.
    fn rename_duplicates(&self, old: u32, new: u32, ridges: &[u32]) -> bool {
        let far_end = |ridge: u32, end: u32| {
            let [a, b] = self.ridges[ridge].ends;
            if a == end { b } else { a }
        };
        self.vertices[new].facets.iter().any(|&facet| {
            self.facets[facet].ridges.iter().any(|&ridge| {
                self.ridges[ridge].ends.contains(&new)
                    && self.vertices[new].facets.contains(&self.ridges[ridge].across(facet))
                    && ridges.iter().any(|&renamed| {
                        renamed != ridge && far_end(renamed, old) == far_end(ridge, new)
                    })
            })
        })
    }

    /// Renames an end of a ridge; deletes the ridge and returns false if both ends are the same.
    fn rename_end(&mut self, id: u32, old: u32, new: u32) -> Result<bool, HullError> {
        let [a, b] = self.ridges[id].ends;
        let (stays, from) = if a == old {
            (b, 0)
        } else if b == old {
            (a, 1)
        } else {
            return Err(MISLINKED);
        };
        let ridge = &mut self.ridges[id];
        if stays == new {
            ridge.ends = [stays, NONE];
            self.delete_ridge(id);
            return Ok(false);
        }
        let to = if stays < new { 0 } else { 1 };
        ridge.ends = [stays.max(new), stays.min(new)];
        if to != from {
            std::mem::swap(&mut ridge.top, &mut ridge.bottom);
        }
        Ok(true)
    }

    /// Two ridges of a polygon with the same ends pinch it; that is not resolved.
    fn check_duplicate_ridge(&self, id: u32, new: u32) -> Result<(), HullError> {
        let ridge = self.ridges[id];
        let small = |id: u32| {
            let facet = &self.facets[id];
            let size = facet.vertices.len();
            size < 3 || size == 3 && !facet.simplicial && facet.vertices.contains(&new)
        };
        if small(ridge.top) || small(ridge.bottom) {
            return Ok(());
        }
        for facet in [ridge.top, ridge.bottom] {
            let facet = &self.facets[facet];
            if !facet.simplicial && facet.merges > 0 {
                let mut others = facet.ridges.iter().filter(|&&other| other != id);
                if others.any(|&other| self.ridges[other].ends == ridge.ends) {
                    return Err(HullError::Degenerate("a vertex is pinched"));
                }
            }
        }
        Ok(())
    }
}
