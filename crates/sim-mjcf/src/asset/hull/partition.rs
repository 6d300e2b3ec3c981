//! Points go to facets: outside sets and the search for the facet a point is above of.
//!
//! | search | runs | looks at |
//! |---|---|---|
//! | [`Quickhull::climb`] | usually | facets upwards from a start, neighbour by neighbour |
//! | [`Quickhull::best_fresh`] | after merges, or if the cone is sharp | all fresh facets |
//! | [`Quickhull::best_around`] | after either, for points that are not clearly outside | facets around the best one, down to a search distance |

use super::HullError;
use super::polyhedron::{Facets, NONE, PointSet};
use super::quickhull::Quickhull;
use super::tolerance::max;

/// A coplanar point is outside after all if it exceeds the bound by this factor.
const FAR_OUTSIDE: f64 = 30.0;

/// Result of a search: the facet, the distance of the point, and whether that counts as outside.
struct Found {
    facet: u32,
    distance: f64,
    outside: bool,
}

impl Quickhull<'_> {
    /// Partitions all points but the corners of the simplex among its facets.
    ///
    /// Points that are clearly above a facet go to the first such facet; the rest is searched for.
    pub(super) fn partition_all(&mut self, corners: [u32; 4]) {
        let clearly = self.clearly_outside();
        let mut rest: Vec<u32> = (0..self.points.len() as u32).collect();
        let mut gaps = corners;
        gaps.sort_unstable();
        for gap in gaps.into_iter().rev() {
            rest.remove(gap as usize);
        }
        let mut facet = self.facets.first;
        while Facets::is_facet(facet) {
            let plane = *self.plane(facet);
            let mut outside = PointSet::EMPTY;
            let mut furthest = 0.0;
            let (points, links) = (self.points, &mut self.links);
            rest.retain(|&point| {
                let distance = plane.distance(points[point as usize]);
                if distance < clearly {
                    return true;
                }
                if outside.top == NONE || distance > furthest {
                    outside.push_top(point, links);
                    furthest = distance;
                } else {
                    outside.push_below(point, links);
                }
                false
            });
            let to = &mut self.facets[facet];
            (to.outside, to.furthest) = (outside, furthest);
            facet = to.next;
        }
        self.search_all = true;
        for point in rest {
            self.partition_point(point, self.facets.first);
        }
        self.search_all = false;
    }

    /// The furthest point of the first facet that has one, taken from its outside set.
    pub(super) fn next_furthest(&mut self) -> Option<(u32, u32)> {
        while Facets::is_facet(self.facets.cursor) {
            let id = self.facets.cursor;
            let facet = &mut self.facets[id];
            let too_near = self.narrow && facet.furthest < self.tol.outside;
            if facet.outside.is_empty() || too_near {
                self.facets.cursor = facet.next;
                continue;
            }
            return Some((std::mem::replace(&mut facet.outside.top, NONE), id));
        }
        None
    }

    /// Partitions the points of visible facets and removed vertices among the fresh facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        let mut visible = self.facets.visible;
        while Facets::is_facet(visible) && self.facets[visible].visible {
            let facet = &mut self.facets[visible];
            let outside = std::mem::replace(&mut facet.outside, PointSet::EMPTY);
            let coplanar = std::mem::replace(&mut facet.coplanar, PointSet::EMPTY);
            let next = facet.next;
            if !outside.is_empty() || !coplanar.is_empty() {
                let mut start = self.facets.replacement(visible);
                if start == NONE {
                    start = self.facets.fresh;
                }
                if !Facets::is_facet(start) {
                    return Err(HullError::Degenerate("all new facets are degenerate"));
                }
                self.for_each(outside, |hull, point| hull.partition_point(point, start));
                self.for_each(coplanar, |hull, point| {
                    hull.partition_coplanar_search(point, start, hull.search_all);
                });
            }
            visible = next;
        }
        if !self.removed.is_empty() && !Facets::is_facet(self.facets.fresh) {
            return Err(HullError::Degenerate("all new facets are degenerate"));
        }
        for i in 0..self.removed.len() {
            let point = self.vertices[self.removed[i]].point;
            self.partition_coplanar_search(point, self.facets.fresh, true);
        }
        Ok(())
    }

    /// Calls `f` with each point of `set`, which may put it into another set.
    fn for_each(&mut self, set: PointSet, mut f: impl FnMut(&mut Self, u32)) {
        let mut point = set.first;
        while point != NONE {
            let next = self.links.0[point as usize];
            f(self, point);
            point = next;
        }
        if set.top != NONE {
            f(self, set.top);
        }
    }

    /// Puts `point` into the outside set of a facet that it is above of, into the coplanar set of
    /// the facet that it is just below of, or drops it if it is inside.
    fn partition_point(&mut self, point: u32, start: u32) {
        let found = if self.search_all {
            self.best_fresh(point, start, false)
        } else {
            self.climb(point, start, false, true)
        };
        let near = found.distance >= -self.tol.near_inside;
        if found.outside || self.narrow && near {
            self.put_outside(point, found.facet, found.distance);
        } else if near {
            self.put_coplanar(point, found.facet, found.distance);
        }
    }

    /// Adds `point` to an outside set. A facet that gets its first point is worked on again.
    fn put_outside(&mut self, point: u32, facet: u32, distance: f64) {
        let outside_at = self.tol.outside;
        let narrow = self.narrow;
        let (to, links) = (&mut self.facets[facet], &mut self.links);
        let wakes = if to.outside.top == NONE {
            to.outside.push_top(point, links);
            to.furthest = distance;
            !narrow || distance > outside_at
        } else if to.furthest < distance {
            let before = std::mem::replace(&mut to.furthest, distance);
            to.outside.push_top(point, links);
            narrow && before < outside_at && distance >= outside_at
        } else {
            to.outside.push_below(point, links);
            false
        };
        if !wakes || self.facets.cursor == facet {
            return;
        }
        if self.facets.side(facet).fresh {
            if self.facets.side(self.facets.cursor).fresh {
                self.facets.cursor = self.facets.fresh;
            }
        } else {
            self.facets.move_to_end(facet);
            if self.facets.fresh == NONE {
                self.listed_from = NONE;
                return;
            }
            self.facets.side_mut(facet).fresh = true;
            if self.listed_from == self.facets.fresh {
                self.list_plane(facet);
            } else {
                self.listed_from = NONE;
            }
        }
    }

    /// Finds the best facet for a point that was coplanar, or a vertex, and puts it there.
    fn partition_coplanar_search(&mut self, point: u32, start: u32, all: bool) {
        let found = if all {
            self.best_fresh(point, start, true)
        } else {
            self.climb(point, start, true, false)
        };
        if found.distance < -self.tol.near_inside {
            return;
        }
        // a point that ends up above a facet on the other side is outside
        if found.distance > self.max_outside
            && start != found.facet
            && self.plane(start).cosine(self.plane(found.facet)) < 0.0
        {
            self.repartition(point, found.facet);
        } else {
            self.put_coplanar(point, found.facet, found.distance);
        }
    }

    /// Adds `point` to a coplanar set, unless it is too far above.
    fn put_coplanar(&mut self, point: u32, facet: u32, distance: f64) {
        if distance > self.max_outside {
            if distance > self.outside_bound * FAR_OUTSIDE {
                return self.repartition(point, facet);
            }
            self.max_outside = distance;
        }
        let top = self.facets[facet].coplanar.top;
        let highest = top == NONE || self.distance(top, facet) < distance;
        let (set, links) = (&mut self.facets[facet].coplanar, &mut self.links);
        if highest {
            set.push_top(point, links);
        } else {
            set.push_below(point, links);
        }
    }

    /// Partitions a point as an outside point, by climbing from `start`.
    fn repartition(&mut self, point: u32, start: u32) {
        let search_all = std::mem::replace(&mut self.search_all, false);
        self.partition_point(point, start);
        self.search_all = search_all;
    }

    /// Goes from facet to neighbouring facet as long as the distance of `point` grows.
    ///
    /// The first facet that the point is outside of is good enough, unless `best` is asked for.
    fn climb(&mut self, point: u32, start: u32, best: bool, only_fresh: bool) -> Found {
        let stamp = self.new_facet_stamp();
        let position = self.position(point);
        let mut facet = start;
        let mut top = f64::MIN / 2.0;
        let mut top_facet = NONE;
        if !self.facets.side(start).flipped {
            top = self.plane(start).distance(position);
            if !best && top >= self.tol.outside {
                return Found { facet: start, distance: top, outside: true };
            }
            top_facet = start;
        }
        self.facets.side_mut(start).visit = stamp;
        'climb: loop {
            let (neighbors, sides) = self.facets.around(facet);
            for &neighbor in neighbors {
                let side = &mut sides[neighbor as usize];
                if side.visit == stamp || only_fresh && !side.fresh {
                    continue;
                }
                side.visit = stamp;
                if side.flipped {
                    continue;
                }
                let distance = side.plane.distance(position);
                if distance > top {
                    if !best && distance >= self.tol.outside {
                        return Found { facet: neighbor, distance, outside: true };
                    }
                    (top, top_facet) = (distance, neighbor);
                    facet = neighbor;
                    continue 'climb;
                }
            }
            break;
        }

        if only_fresh {
            if top_facet == NONE {
                return self.best_fresh(point, self.facets.fresh, best);
            }
            // a sharp cone has local maxima
            if !self.blunt && top < -self.tol.round {
                if self.fresh_facets_are_sharp() {
                    self.search_all = true;
                    return self.best_fresh(point, top_facet, best);
                }
                self.blunt = true;
            }
        }
        if top_facet == NONE {
            top_facet = facet;
        }
        let (facet, distance) = self.best_around(position, top_facet, top);
        Found { facet, distance, outside: distance >= self.tol.outside }
    }

    /// Searches all fresh facets, from `start` on, then their surroundings.
    ///
    /// The first facet that the point is clearly outside of is good enough, unless `best` is asked
    /// for.
    fn best_fresh(&mut self, point: u32, start: u32, best: bool) -> Found {
        let clearly = if best { f64::INFINITY } else { self.clearly_outside() };
        let position = self.position(point);
        let mut top = f64::MIN / 2.0;
        let mut top_facet = NONE;
        let at = self.list_fresh(start);
        let (before, after) = self.listed.split_at(at);
        for part in [after, before] {
            for &(facet, plane) in part {
                let distance = plane.distance(position);
                if distance > top {
                    if distance >= clearly {
                        return Found { facet, distance, outside: true };
                    }
                    (top, top_facet) = (distance, facet);
                }
            }
        }
        if top_facet == NONE {
            top_facet = start;
        }
        let (facet, distance) = self.best_around(position, top_facet, top);
        Found { facet, distance, outside: distance >= self.tol.outside }
    }

    /// Lists the planes of all fresh facets side by side, unless they are listed already, and
    /// returns where `start` is. If `start` is not fresh, the list is that of all facets from it on.
    fn list_fresh(&mut self, start: u32) -> usize {
        let from = if self.facets.side(start).fresh { self.facets.fresh } else { start };
        if self.listed_from != from {
            self.listed_from = from;
            self.listed.clear();
            let mut facet = from;
            while Facets::is_facet(facet) {
                self.list_plane(facet);
                facet = self.facets[facet].next;
            }
        }
        (self.facets[start].place as usize).min(self.listed.len())
    }

    /// Lists the plane of a facet; nothing is above that of a flipped one.
    fn list_plane(&mut self, facet: u32) {
        let mut plane = *self.plane(facet);
        if self.facets.side(facet).flipped {
            plane.offset = f64::NEG_INFINITY;
        }
        self.facets[facet].place = self.listed.len() as u32;
        self.listed.push((facet, plane));
    }

    /// Searches the facets around `start` whose distance is not much below `top`, that of the best
    /// facet so far.
    fn best_around(&mut self, position: [f64; 3], start: u32, mut top: f64) -> (u32, f64) {
        let stamp = self.new_facet_stamp();
        let reach = self.widened() * (self.max_outside + 2.0 * self.tol.round + self.tol.visible);
        let mut floor = top - reach;
        let mut top_facet = start;
        let mut pending = std::mem::take(&mut self.pending);
        pending.clear();
        self.facets.side_mut(start).visit = stamp;
        let mut facet = start;
        loop {
            // the last neighbour goes first, then the others from last to first
            let mut next = NONE;
            let (neighbors, sides) = self.facets.around(facet);
            for &neighbor in neighbors {
                let side = &mut sides[neighbor as usize];
                if side.visit == stamp {
                    continue;
                }
                side.visit = stamp;
                if !side.flipped {
                    let distance = side.plane.distance(position);
                    if distance > top {
                        floor = distance - reach;
                        if distance > top + reach {
                            pending.clear();
                        }
                        (top, top_facet) = (distance, neighbor);
                    } else if distance < floor {
                        continue;
                    }
                }
                if next != NONE {
                    pending.push(next);
                }
                next = neighbor;
            }
            facet = next;
            if facet == NONE {
                match pending.pop() {
                    Some(waiting) => facet = waiting,
                    None => break,
                }
            }
        }
        self.pending = pending;
        (top_facet, top)
    }

    /// The distance at which a point is outside of a facet beyond doubt.
    fn clearly_outside(&self) -> f64 {
        self.widened() * max(2.0 * self.tol.outside, self.max_outside)
    }

    /// Factor on search distances.
    fn widened(&self) -> f64 {
        if self.many_merges() { 2.0 } else { 1.0 }
    }

    /// Whether the normals of the fresh facets are not all in one octant.
    fn fresh_facets_are_sharp(&self) -> bool {
        let mut facet = self.facets.fresh;
        if !Facets::is_facet(facet) {
            return false;
        }
        let octant = |facet: u32| self.plane(facet).normal.map(|x| x > 0.0);
        let first = octant(facet);
        while Facets::is_facet(facet) {
            if octant(facet) != first {
                return true;
            }
            facet = self.facets[facet].next;
        }
        false
    }
}
