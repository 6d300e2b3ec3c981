//! The horizon of a point, and the cone of new facets from the point to the horizon.

use super::HullError;
use super::polyhedron::{END, Facets, NONE};
use super::quickhull::Quickhull;
use super::tolerance::max;

impl Quickhull<'_> {
    /// Moves the facets visible from `point` to the end of the list, starting with `facet`, and
    /// marks the facets of the horizon that are coplanar with the point.
    pub(super) fn find_horizon(&mut self, point: u32, facet: u32) -> Result<(), HullError> {
        let position = self.position(point);
        let stamp = self.new_facet_stamp();
        self.facets.move_to_end(facet);
        self.facets.visible = facet;
        self.facets.num_visible = 1;
        self.facets[facet].visible = true;
        self.facets[facet].replacement = NONE;

        let mut horizon = false;
        let mut visible = facet;
        while Facets::is_facet(visible) {
            self.facets.side_mut(visible).visit = stamp;
            for i in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[i];
                if self.facets.side(neighbor).visit == stamp {
                    continue;
                }
                self.facets.side_mut(neighbor).visit = stamp;
                let distance = self.plane(neighbor).distance(position);
                if distance > self.tol.visible {
                    self.facets.move_to_end(neighbor);
                    self.facets.num_visible += 1;
                    self.facets[neighbor].visible = true;
                    self.facets[neighbor].replacement = NONE;
                } else {
                    horizon = true;
                    let coplanar = distance >= -self.tol.visible;
                    let facet = &mut self.facets[neighbor];
                    facet.coplanar_horizon = coplanar;
                    if coplanar && distance > 0.0 {
                        facet.reach = max(facet.reach, distance);
                        self.max_outside = max(self.max_outside, distance);
                    }
                }
            }
            visible = self.facets[visible].next;
        }
        if horizon { Ok(()) } else { Err(HullError::Degenerate("a point is above all facets")) }
    }

    /// Replaces the visible facets by a cone of new facets from `point` to the horizon.
    pub(super) fn make_cone(&mut self, point: u32) -> Result<(), HullError> {
        self.facets.fresh = END;
        self.vertices.fresh = END;
        let apex = self.vertices.make(point);
        self.vertices.append(apex);

        // points of a visible facet start their search at the facet made last for it
        let stamp = self.new_facet_stamp();
        let (mut last, mut last_at_ridge) = (NONE, NONE);
        let mut visible = self.facets.visible;
        while Facets::is_facet(visible) && self.facets[visible].visible {
            for i in 0..self.facets[visible].neighbors.len() {
                let neighbor = self.facets[visible].neighbors[i];
                self.facets[neighbor].seen = false;
            }
            if self.facets[visible].ridged {
                self.facets.side_mut(visible).visit = stamp;
                last_at_ridge = self.cone_to_ridges(visible, apex)?;
            }
            if self.facets[visible].simplicial {
                last = self.cone_to_neighbors(visible, apex)?;
            }
            if last_at_ridge != NONE {
                last = last_at_ridge;
            }
            let facet = &mut self.facets[visible];
            if last != NONE {
                facet.replacement = last;
            }
            facet.ridges.clear();
            facet.neighbors.clear();
            visible = facet.next;
        }

        self.match_new_facets()?;
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            if !self.facets[facet].joins_horizon {
                self.make_plane(facet);
            }
            facet = self.facets[facet].next;
        }
        self.update_vertices();
        Ok(())
    }

    /// Makes new facets to those ridges of a visible facet that are on the horizon, and frees the
    /// others. Returns the last new facet.
    fn cone_to_ridges(&mut self, visible: u32, apex: u32) -> Result<u32, HullError> {
        let stamp = self.facet_stamp;
        let mut last = NONE;
        for i in 0..self.facets[visible].ridges.len() {
            let id = self.facets[visible].ridges[i];
            let ridge = self.ridges[id];
            let neighbor = ridge.across(visible);
            if self.facets[neighbor].visible {
                if self.facets.side(neighbor).visit == stamp {
                    self.ridges.free(id);
                }
            } else {
                let positive = ridge.top == visible;
                let facet =
                    self.make_cone_facet([apex, ridge.ends[0], ridge.ends[1]], positive, neighbor);
                let horizon = &mut self.facets[neighbor];
                let seen = horizon.seen;
                if seen {
                    if horizon.coplanar_horizon {
                        return Err(HullError::Degenerate(
                            "a facet meets a coplanar facet in several ridges",
                        ));
                    }
                    if horizon.simplicial {
                        return Err(HullError::Degenerate("two triangles share several ridges"));
                    }
                    horizon.neighbors.push(facet);
                } else if !horizon.neighbors.replace(visible, facet) {
                    return Err(MISLINKED);
                }
                if horizon.simplicial {
                    horizon.ridges.swap_delete(id);
                    self.ridges.free(id);
                } else {
                    self.facets[facet].push_ridge(id);
                    self.ridges[id].replace(visible, facet);
                }
                last = facet;
            }
            self.facets[neighbor].seen = true;
        }
        Ok(last)
    }

    /// Makes new facets to the neighbours of a visible triangle that are on the horizon and have no
    /// ridge with it. Returns the last new facet.
    fn cone_to_neighbors(&mut self, visible: u32, apex: u32) -> Result<u32, HullError> {
        let mut last = NONE;
        for i in 0..self.facets[visible].neighbors.len() {
            let neighbor = self.facets[visible].neighbors[i];
            let horizon = &self.facets[neighbor];
            if horizon.seen || horizon.visible {
                continue;
            }
            let side = horizon.neighbors.position(visible).filter(|_| horizon.simplicial);
            let side = side.ok_or(MISLINKED)?;
            let (a, b) = match side {
                0 => (1, 2),
                1 => (0, 2),
                _ => (0, 1),
            };
            let vertices = [apex, horizon.vertices[a], horizon.vertices[b]];
            let positive = horizon.positive == (side % 2 == 1);
            let facet = self.make_cone_facet(vertices, positive, neighbor);
            self.facets[neighbor].neighbors[side] = facet;
            last = facet;
        }
        Ok(last)
    }

    /// Makes a new facet on the side of `horizon`.
    fn make_cone_facet(&mut self, vertices: [u32; 3], positive: bool, horizon: u32) -> u32 {
        for vertex in vertices {
            self.vertices.refresh(vertex);
        }
        let id = self.facets.make();
        let joins_horizon = self.facets[horizon].coplanar_horizon;
        let facet = &mut self.facets[id];
        facet.vertices.set(&vertices);
        facet.neighbors.set(&[horizon, NONE, NONE]);
        facet.positive = positive;
        facet.joins_horizon = joins_horizon;
        self.facets.append(id);
        id
    }

    /// Links new facets that share an edge at the apex: two at every vertex of the horizon.
    fn match_new_facets(&mut self) -> Result<(), HullError> {
        self.open.resize(self.vertices.ids(), (NONE, 0));
        let mut open = 0;
        let mut facet = self.facets.fresh;
        while Facets::is_facet(facet) {
            for side in [1, 2] {
                let at = self.facets[facet].vertices[3 - side] as usize;
                let (other, other_side) = self.open[at];
                if other == NONE {
                    self.open[at] = (facet, side as u8);
                    open += 1;
                    continue;
                }
                self.open[at] = (NONE, 0);
                open -= 1;
                let other_side = usize::from(other_side);
                let same_parity = side % 2 == other_side % 2;
                let turned = self.facets[facet].positive != self.facets[other].positive;
                if same_parity != turned {
                    return Err(HullError::Degenerate("new facets overlap at an edge"));
                }
                self.facets[facet].neighbors[side] = other;
                self.facets[other].neighbors[other_side] = facet;
            }
            facet = self.facets[facet].next;
        }
        if open == 0 { Ok(()) } else { Err(HullError::Degenerate("new facets leave a gap")) }
    }

    /// Takes visible facets off the vertices of the cone, adds the new ones, and removes vertices
    /// that only had visible facets.
    fn update_vertices(&mut self) {
        if self.incident {
            let mut vertex = self.vertices.fresh;
            while vertex != END {
                let facets = &mut self.vertices[vertex].facets;
                let mut i = 0;
                while i < facets.len() {
                    if self.facets[facets[i]].visible {
                        facets.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
                vertex = self.vertices[vertex].next;
            }
            let mut facet = self.facets.fresh;
            while Facets::is_facet(facet) {
                for &vertex in self.facets[facet].vertices.iter() {
                    self.vertices[vertex].facets.push(facet);
                }
                facet = self.facets[facet].next;
            }
        }
        let mut visible = self.facets.visible;
        while Facets::is_facet(visible) && self.facets[visible].visible {
            for i in 0..self.facets[visible].vertices.len() {
                let id = self.facets[visible].vertices[i];
                let vertex = &mut self.vertices[id];
                if vertex.fresh || vertex.deleted {
                    continue;
                }
                if self.incident && vertex.facets.iter().any(|&facet| !self.facets[facet].visible) {
                    vertex.facets.swap_delete(visible);
                } else {
                    vertex.deleted = true;
                    self.removed.push(id);
                }
            }
            visible = self.facets[visible].next;
        }
    }

    /// Deletes the visible facets and the removed vertices.
    pub(super) fn delete_visible(&mut self) {
        let mut visible = self.facets.visible;
        while Facets::is_facet(visible) && self.facets[visible].visible {
            let next = self.facets[visible].next;
            self.facets.delete(visible);
            visible = next;
        }
        self.facets.num_visible = 0;
        for vertex in self.removed.drain(..) {
            self.vertices.delete(vertex);
        }
    }
}

/// Neighbours that do not know each other.
pub(super) const MISLINKED: HullError = HullError::Degenerate("facets are not linked properly");
