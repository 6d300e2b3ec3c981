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
use super::flex_tree::{descend, overlaps};
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
                overlaps(model, data, flex, &mut self.flex.bodies, stack, &mut pairs);
                pairs.retain(|pair| !clearly_apart(model, data, ccd, flex, pair));
                sweep_order(data, flex, &mut pairs);
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

/// Whether two elements are so far apart that the search for contact would find none: along the
/// normal of one of them, or within its plane away from one of its edges.
fn clearly_apart(model: &Model, data: &Data, ccd: &Ccd, flex: &Flex<'_>, pair: &[u32; 2]) -> bool {
    if flex.dim != 2 {
        return false;
    }
    let [a, b] = pair.map(|elem| Element::new(model, data, flex, elem as usize));
    let scale = a.centre().abs().max_element() + b.centre().abs().max_element() + a.radius();
    // well above the tolerance of the search and rounding
    let gap = a.radius() + b.radius() + super::bounds::CCD_SLACK * ccd.tolerance + 1e-9 * scale;
    separated(&a, &b, gap) || separated(&b, &a, gap)
}

/// Whether an axis of triangle `a` shows that the two are farther apart than `gap`.
fn separated(a: &Element, b: &Element, gap: f64) -> bool {
    let ([p, q, r], others) = (a.triangle().corners, b.triangle().corners);
    let normal = (q - p).cross(r - p);
    let heights = others.map(|other| normal.dot(other - p));
    let least = heights[0].min(heights[1]).min(heights[2]);
    let most = heights[0].max(heights[1]).max(heights[2]);
    let height = least.max(-most);
    if height > 0.0 && height * height > gap * gap * normal.dot(normal) {
        return true;
    }
    [(p, q), (q, r), (r, p)].into_iter().any(|(from, to)| {
        // away from the third corner
        let outward = (to - from).cross(normal);
        let ways = others.map(|other| outward.dot(other - from));
        let way = ways[0].min(ways[1]).min(ways[2]);
        way > 0.0 && way * way > gap * gap * outward.dot(outward)
    })
}

/// Brings pairs of elements into the order in which a sweep finds them: by the second, then by the
/// first, each by where its box begins in single precision. Pairs that the sweep would lose, since
/// single precision tells that one ends before the other begins, are dropped.
fn sweep_order(data: &Data, flex: &Flex<'_>, pairs: &mut Vec<[u32; 2]>) {
    if pairs.is_empty() {
        return;
    }
    let root = data.bvh_aabb_dyn[flex.moving_volumes().start];
    let axis = if root[3] > root[4] && root[3] > root[5] {
        0
    } else if root[4] > root[5] {
        1
    } else {
        2
    };
    let bounds = &data.flexelem_aabb[flex.elems.clone()];
    let side = |elem: u32, sign: f64| {
        let bounds = &bounds[elem as usize];
        (bounds[axis] + sign * bounds[axis + 3]) as f32
    };
    let start = |elem: u32| (side(elem, -1.0), elem);
    let before = |a: u32, b: u32| {
        let ((a, i), (b, j)) = (start(a), start(b));
        a.total_cmp(&b).then(i.cmp(&j)).is_lt()
    };
    pairs.retain_mut(|pair| {
        if before(pair[1], pair[0]) {
            pair.swap(0, 1);
        }
        let (end, (begin, _)) = (side(pair[0], 1.0), start(pair[1]));
        end > begin || (end == begin && pair[0] > pair[1])
    });
    pairs.sort_unstable_by(|a, b| {
        let key = |pair: &[u32; 2]| (start(pair[1]), start(pair[0]));
        let ((second_a, first_a), (second_b, first_b)) = (key(a), key(b));
        let compare = |x: (f32, u32), y: (f32, u32)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
        compare(second_a, second_b).then(compare(first_a, first_b))
    });
}
