//! Flexes against themselves.
//!
//! | mode | pairs of elements come |
//! |---|---|
//! | narrow, or without bounding volumes | by number |
//! | bvh, auto for solids | as the search in the bounding volumes finds them |
//! | sap, auto otherwise | as a sweep along the longest axis meets the second, then the first |

use super::Hit;
use super::Narrow;
use super::convex::{Ccd, convex_element};
use super::flex::{Bounds, Element, bounds_apart};
use super::flex_tree::descend;
use super::hits::MAX_HITS;
use super::params::{Surface, add, flex_params};
use super::sphere::{Ball, ball_ball};
use super::triangle::ball_triangle;
use crate::math::{Mat3, Vec3};
use crate::model::{Disable, Enable, Flex, FlexSelf, range};
use crate::{Data, Model};

impl Narrow {
    /// Adds the contacts of all flexes with themselves.
    pub(super) fn add_self_contacts(&mut self, model: &Model, data: &mut Data, ccd: &Ccd) {
        for flex in model.flexes().filter(|flex| !flex.is_rigid()) {
            if model.flex_contype[flex.id] & model.flex_conaffinity[flex.id] == 0 {
                continue;
            }
            if model.flex_internal[flex.id] != 0 {
                self.add_internal(model, data, ccd, &flex);
            }
            if model.flex_selfcollide[flex.id] != FlexSelf::None as i32 {
                self.add_own_elements(model, data, ccd, &flex);
            }
        }
    }

    fn add_own_elements(&mut self, model: &Model, data: &mut Data, ccd: &Ccd, flex: &Flex<'_>) {
        let mode = FlexSelf::from_i32(model.flex_selfcollide[flex.id]);
        let mut pairs = std::mem::take(&mut self.flex.pairs);
        pairs.clear();
        let stack = &mut self.flex.stack;
        let trees = !model.disabled(Disable::MidPhase) && !flex.volumes().is_empty();
        match mode {
            Some(FlexSelf::Bvh) if trees => {
                descend(model, data, flex, flex, 0.0, stack, &mut pairs);
            }
            Some(FlexSelf::Auto) if trees && flex.dim == 3 => {
                descend(model, data, flex, flex, 0.0, stack, &mut pairs);
            }
            Some(FlexSelf::Sap | FlexSelf::Auto) if trees => {
                let mut sweeps = std::mem::take(&mut data.cache.collision.sweeps);
                sweeps.of(model, flex).search(model, data, flex, ccd, &mut pairs);
                data.cache.collision.sweeps = sweeps;
            }
            _ => {
                let boxes = &data.flexelem_aabb[flex.elems.clone()];
                let active = |elem: &usize| flex.is_active(*elem);
                for i in (0..boxes.len()).filter(active) {
                    let close = (i + 1..boxes.len())
                        .filter(active)
                        .filter(|&j| !bounds_apart(&boxes[i], &boxes[j], 0.0));
                    pairs.extend(close.map(|j| [i as u32, j as u32]));
                }
            }
        }
        self.add_element_pairs(model, data, ccd, [flex, flex], &pairs, 0.0);
        self.flex.pairs = pairs;
    }

    /// Adds the contacts within a flex: of vertices with the elements next to theirs, and of the
    /// vertices of a tetrahedron with the opposite faces.
    fn add_internal(&mut self, model: &Model, data: &mut Data, ccd: &Ccd, flex: &Flex<'_>) {
        let surface = Surface::of_flex(model, flex.id);
        let common = flex_params(model, [surface; 2], [-1, -1], 0.0);
        let own = [flex.id as i32; 2];
        let radius = model.flex_radius[flex.id];
        let margin = match model.enabled(Enable::Override) {
            true => model.opt.o_margin,
            false => model.flex_margin[flex.id],
        };
        let within = common.within(false);
        let pairs = range(model.flex_evpairadr[flex.id], model.flex_evpairnum[flex.id]);
        for &[elem, vert] in &model.flex_evpair[pairs] {
            let (elem, vert) = (elem as usize, vert as usize);
            let center = data.flexvert_xpos[flex.verts.start + vert];
            let bounds = &data.flexelem_aabb[flex.elems.start + elem];
            if beyond(bounds, center, margin + radius) {
                continue;
            }
            if data.contacts_full(model, MAX_HITS) {
                continue;
            }
            let element = Element::new(model, data, flex, elem);
            self.hits.clear();
            match flex.dim {
                1 => {
                    // a ball against a capsule
                    let axis = element.axis();
                    let capsule = element.capsule(&axis);
                    let dir = capsule.mat.column(2);
                    let x = dir.dot(center - capsule.pos).max(-axis.1).min(axis.1);
                    let ball = Ball { center, radius, mat: &Mat3::IDENTITY };
                    let other = Ball::at(dir * x + capsule.pos, &capsule);
                    ball_ball(ball, other, 0.0, &mut self.hits);
                }
                2 => {
                    ball_triangle(center, radius, &element.triangle(), 0.0, &mut self.hits);
                }
                _ => {
                    let ball = Element::vertex(model, data, flex, vert);
                    let (a, b) = (ball.solid(0.0), element.solid(0.0));
                    convex_element(a, b, false, ccd, &mut self.convex, &mut self.hits);
                }
            }
            if !self.hits.is_empty() {
                self.add_hits(data, &within, [own, [-1, elem as i32], [vert as i32, -1]]);
            }
        }
        if flex.dim < 3 {
            return;
        }

        // three corners of a face, seen from outside, and the opposite one
        const FACES: [[usize; 4]; 4] = [[0, 1, 2, 3], [0, 2, 3, 1], [0, 3, 1, 2], [1, 3, 2, 0]];
        let common = flex_params(model, [surface; 2], [-1, -1], 0.0).within(true);
        for (elem, verts) in flex.elem_verts().as_chunks::<4>().0.iter().enumerate() {
            for face in FACES {
                let verts = face.map(|i| verts[i]);
                let corners =
                    verts.map(|vert| data.flexvert_xpos[flex.verts.start + vert as usize]);
                let Some(hit) = vertex_above_face(corners, radius) else { continue };
                if data.contacts_full(model, 1) {
                    return;
                }
                add(&mut data.contact, &self.blank, &[hit], &common);
                let contact = data.contact.last_mut().expect("just added");
                contact.flex = own;
                contact.elem = [elem as i32, -1];
                contact.vert = [-1, verts[3]];
            }
        }
    }
}

/// Where the fourth corner of a tetrahedron comes too near to the face of the others, or through it.
fn vertex_above_face(corners: [Vec3; 4], radius: f64) -> Option<Hit> {
    let [origin, second, third, vertex] = corners;
    let (normal, _) = (second - origin).cross(third - origin).normalized();
    let height = (vertex - origin).dot(normal);
    if height <= -2.0 * radius {
        return None;
    }
    let dist = -height - 2.0 * radius;
    let pos = vertex + normal * (-0.5 * height);
    Some(Hit { dist, pos, normal: -normal, tangent: Vec3::ZERO })
}

/// Whether a box is farther than `reach` from a point along an axis.
fn beyond(bounds: &Bounds, point: Vec3, reach: f64) -> bool {
    (0..3).any(|i| {
        bounds[i] - bounds[i + 3] > point[i] + reach || bounds[i] + bounds[i + 3] < point[i] - reach
    })
}
