//! Tests of convexity, and the order in which nonconvex facets are merged.
//!
//! Two neighbours are convex if the centrum of each is clearly below the plane of the other.
//! Otherwise one of them is merged into the neighbour from which its vertices deviate least. A
//! merge moves planes, so facets are tested again until all are convex.

use super::HullError;
use super::cone::MISLINKED;
use super::merge::{Deviation, Kind, Merge};
use super::polyhedron::{Facets, NONE};
use super::quickhull::Quickhull;
use super::tolerance::{max, min};

/// Facets with more vertices than this are compared by their centrum.
const MANY_VERTICES: usize = 2 * 3 + 20;

/// Facets with more vertices than this are first compared across nonconvex ridges only.
const SEVERAL_VERTICES: usize = 3 + 15;

impl Quickhull<'_> {
    /// Merges fresh facets until all are convex.
    pub(super) fn merge_nonconvex_facets(&mut self) -> Result<(), HullError> {
        if self.cone_is_convex() {
            return Ok(());
        }
        let horizon = self.merge_into_horizon()?;
        let flipped = self.merge_flipped()?;
        self.test_new_facets()?;
        self.merge_all(horizon || flipped)
    }

    /// Whether all new facets are triangles that are clearly convex to their neighbours.
    fn cone_is_convex(&mut self) -> bool {
        let mut id = self.facets.fresh;
        while Facets::is_facet(id) {
            let facet = &self.facets[id];
            let flipped = self.facets.side(id).flipped;
            if !self.facets[facet.neighbors[0]].simplicial || flipped || !facet.has_plane {
                return false;
            }
            id = facet.next;
        }
        let clearly = -2.0 * self.tol.round;
        id = self.facets.fresh;
        while Facets::is_facet(id) {
            let facet = &self.facets[id];
            for side in [1, 2] {
                let plane = self.plane(facet.neighbors[side]);
                if plane.distance(self.corner(facet.vertices[side])) >= clearly {
                    return false;
                }
            }
            // the vertex of the horizon facet that is not in this one
            let horizon = &self.facets[facet.neighbors[0]];
            let base = &facet.vertices[1..];
            if let Some(&opposite) = horizon.vertices.iter().find(|vertex| !base.contains(vertex))
                && self.plane(id).distance(self.corner(opposite)) >= clearly
            {
                return false;
            }
            id = facet.next;
        }
        true
    }

    /// Merges new facets into the facets of the horizon that are coplanar with the point.
    fn merge_into_horizon(&mut self) -> Result<bool, HullError> {
        let mut any = false;
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            let next = self.facets[facet].next;
            if !self.facets[facet].has_plane {
                for i in [1, 2] {
                    let vertex = self.facets[facet].vertices[i];
                    self.vertices[vertex].lost_ridge = true;
                }
                let horizon = *self.facets[facet].neighbors.first().ok_or(MISLINKED)?;
                self.merge(facet, horizon, Kind::Horizon, None)?;
                any = true;
            }
            facet = next;
        }
        if any {
            facet = self.facets.fresh;
            while Facets::is_facet(facet) {
                if self.facets[facet].coplanar_horizon {
                    self.find_redundant_neighbors(facet)?;
                    self.facets[facet].coplanar_horizon = false;
                }
                facet = self.facets[facet].next;
            }
            self.merge_leftovers()?;
        }
        Ok(any)
    }

    /// Merges facets that have the interior above them.
    fn merge_flipped(&mut self) -> Result<bool, HullError> {
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            if self.facets.side(facet).flipped && !self.facets[facet].visible {
                self.enqueue(facet, facet, Kind::Flipped, 0.0)?;
            }
            facet = self.facets[facet].next;
        }
        let mut any = false;
        for merge in std::mem::take(&mut self.queue) {
            if !self.facets[merge.facet].visible {
                let (neighbor, deviation) = self.best_neighbor(merge.facet)?;
                self.merge(merge.facet, neighbor, Kind::Flipped, Some(deviation))?;
                any = true;
            }
        }
        self.merge_leftovers()?;
        Ok(any)
    }

    /// Tests all ridges of new facets.
    fn test_new_facets(&mut self) -> Result<(), HullError> {
        let stamp = self.new_facet_stamp();
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            self.facets.side_mut(facet).visit = stamp;
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                if self.facets.side(neighbor).visit != stamp
                    && self.test_convexity(facet, neighbor)?
                {
                    let ridges = &self.facets[neighbor].ridges;
                    let shared = ridges.iter().find(|&&r| self.ridges[r].across(neighbor) == facet);
                    if let Some(&ridge) = shared {
                        self.ridges[ridge].nonconvex = true;
                    }
                }
            }
            self.facets[facet].tested = true;
            for &ridge in self.facets[facet].ridges.iter() {
                self.ridges[ridge].tested = true;
            }
            facet = self.facets[facet].next;
        }
        self.sort_queue();
        Ok(())
    }

    /// Tests the ridges of facets that changed since their last test.
    fn test_changed_facets(&mut self) -> Result<(), HullError> {
        let stamp = self.new_facet_stamp();
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            if !self.facets[facet].tested {
                self.facets.side_mut(facet).visit = stamp;
                for i in 0..self.facets[facet].neighbors.len() {
                    let neighbor = self.facets[facet].neighbors[i];
                    self.facets[neighbor].seen = false;
                }
                for i in 0..self.facets[facet].ridges.len() {
                    let ridge = self.facets[facet].ridges[i];
                    if self.ridges[ridge].tested && !self.ridges[ridge].nonconvex {
                        continue;
                    }
                    let neighbor = self.ridges[ridge].across(facet);
                    if self.facets[neighbor].seen {
                        self.ridges[ridge].tested = true;
                        self.ridges[ridge].nonconvex = false;
                    } else if self.facets.side(neighbor).visit != stamp {
                        self.facets[neighbor].seen = true;
                        self.ridges[ridge].nonconvex = self.test_convexity(facet, neighbor)?;
                        self.ridges[ridge].tested = true;
                    }
                }
                self.facets[facet].tested = true;
            }
            facet = self.facets[facet].next;
        }
        self.sort_queue();
        Ok(())
    }

    /// Whether two facets are not clearly convex; then a merge is queued.
    fn test_convexity(&mut self, facet: u32, neighbor: u32) -> Result<bool, HullError> {
        let (centrum, other) = (self.centrum(facet), self.centrum(neighbor));
        let above = self.plane(neighbor).distance(centrum);
        let below = self.plane(facet).distance(other);
        let limit = self.tol.centrum;
        let concave = above > limit || below > limit;
        let coplanar = (above <= limit && above >= -limit) || (below <= limit && below >= -limit);
        let (from, to, kind, distance) = match (concave, coplanar) {
            (false, false) => return Ok(false),
            (true, true) if above > below => (facet, neighbor, Kind::ConcaveCoplanar, above),
            (true, true) => (neighbor, facet, Kind::ConcaveCoplanar, below),
            (true, false) => (facet, neighbor, Kind::Concave, max(above, below)),
            (false, true) => (facet, neighbor, Kind::Coplanar, min(above.abs(), below.abs())),
        };
        self.enqueue(from, to, kind, distance)?;
        Ok(true)
    }

    /// Orders merges by kind and distance, the next one last. The sort is stable.
    fn sort_queue(&mut self) {
        self.queue.sort_by(|a, b| b.kind.cmp(&a.kind).then(b.distance.total_cmp(&a.distance)));
    }

    /// Merges what is queued, tests the facets that changed, and removes vertices that became
    /// redundant, until nothing is left to be done. `reduce`: there were merges before.
    fn merge_all(&mut self, mut reduce: bool) -> Result<(), HullError> {
        loop {
            while !self.queue.is_empty() || !self.leftovers.is_empty() {
                if !self.leftovers.is_empty() {
                    self.merge_leftovers()?;
                    reduce = true;
                }
                while let Some(merge) = self.queue.pop() {
                    let facets = &self.facets;
                    let either = |test: &dyn Fn(u32) -> bool| test(merge.facet) || test(merge.into);
                    let gone = either(&|id| facets[id].visible);
                    let changed = either(&|id| !facets[id].tested && facets.side(id).fresh);
                    if gone || merge.kind == Kind::Coplanar && changed {
                        continue;
                    }
                    self.merge_nonconvex(merge)?;
                    self.merge_leftovers()?;
                    reduce = true;
                }
                self.test_changed_facets()?;
            }
            if !self.incident || !std::mem::take(&mut reduce) || !self.reduce_vertices()? {
                return Ok(());
            }
            self.test_changed_facets()?;
        }
    }

    /// Merges one of two nonconvex facets into its best neighbour: the one that deviates less.
    fn merge_nonconvex(&mut self, merge: Merge) -> Result<(), HullError> {
        let (mut first, mut second) = (merge.facet, merge.into);
        if !self.facets.side(first).fresh {
            (first, second) = (second, first);
        }
        let (to_first, first_deviation) = self.best_neighbor(first)?;
        let (to_second, second_deviation) = self.best_neighbor(second)?;
        if first_deviation.largest < second_deviation.largest {
            self.merge(first, to_first, merge.kind, Some(first_deviation))
        } else {
            self.merge(second, to_second, merge.kind, Some(second_deviation))
        }
    }

    /// The neighbour from whose plane the vertices of `facet` deviate least.
    pub(super) fn best_neighbor(&mut self, facet: u32) -> Result<(u32, Deviation), HullError> {
        let size = self.facets[facet].vertices.len();
        let by_centrum = size > MANY_VERTICES;
        let mut best = (NONE, Deviation { largest: f64::MAX, lowest: 0.0, highest: 0.0 });
        if size > SEVERAL_VERTICES {
            for i in 0..self.facets[facet].ridges.len() {
                let ridge = self.ridges[self.facets[facet].ridges[i]];
                if ridge.nonconvex {
                    self.compare_neighbor(facet, ridge.across(facet), by_centrum, &mut best);
                }
            }
        }
        if best.0 == NONE {
            for i in 0..self.facets[facet].neighbors.len() {
                let neighbor = self.facets[facet].neighbors[i];
                self.compare_neighbor(facet, neighbor, by_centrum, &mut best);
            }
        }
        if best.0 == NONE {
            return Err(HullError::Degenerate("a facet has no neighbours"));
        }
        if by_centrum {
            let largest = best.1.largest;
            best.1 = Deviation { largest, ..self.deviation(facet, best.0) };
        }
        Ok(best)
    }

    /// Takes `neighbor` if the deviation of `facet` from it is smaller than the best so far.
    fn compare_neighbor(
        &mut self,
        facet: u32,
        neighbor: u32,
        by_centrum: bool,
        best: &mut (u32, Deviation),
    ) {
        let flipped = |id: u32| self.facets.side(id).flipped;
        if flipped(facet) && flipped(neighbor) && best.0 != NONE && !flipped(best.0) {
            return;
        }
        let deviation = if by_centrum {
            let centrum = self.centrum(facet);
            let distance = 3.0 * self.plane(neighbor).distance(centrum);
            let (lowest, highest) = if distance < 0.0 { (distance, 0.0) } else { (0.0, distance) };
            Deviation { largest: distance.abs(), lowest, highest }
        } else {
            self.deviation(facet, neighbor)
        };
        if deviation.largest < best.1.largest {
            *best = (neighbor, deviation);
        }
    }

    /// How far the vertices of `facet` are off the plane of `neighbor`.
    fn deviation(&mut self, facet: u32, neighbor: u32) -> Deviation {
        let plane = self.plane(neighbor);
        let (mut lowest, mut highest) = (0.0, 0.0);
        for vertex in self.facets[facet].vertices.iter() {
            if !self.facets[neighbor].vertices.contains(vertex) {
                let distance = plane.distance(self.corner(*vertex));
                if distance < lowest {
                    lowest = distance;
                } else if distance > highest {
                    highest = distance;
                }
            }
        }
        Deviation { largest: max(-lowest, highest), lowest, highest }
    }

    /// The centrum of a facet.
    fn centrum(&mut self, facet: u32) -> [f64; 3] {
        if let Some(centrum) = self.facets[facet].centrum {
            return centrum;
        }
        let centroid = self.centroid(&self.facets[facet].vertices);
        let centrum = self.plane(facet).project(centroid);
        self.facets[facet].centrum = Some(centrum);
        centrum
    }
}
