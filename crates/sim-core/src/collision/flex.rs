//! Flexes against geoms and against each other.
//!
//! Planes meet the vertices of a flex, other geoms its elements: triangles and segments in closed
//! form where there is one, otherwise as convex bodies. Contacts of a body and a flex come by geom,
//! then by element or vertex; those of two flexes by elements.

use std::cell::Cell;

use super::capsule::{capsule_box, capsule_capsule};
use super::convex::{Ccd, convex_element};
use super::flex_sweep::{apart_along, search_gap};
use super::hfield::hfield_element;
use super::hits::MAX_HITS;
use super::params::{Common, Surface, add, flex_params};
use super::rules::{Candidate, match_masks};
use super::sphere::sphere_capsule;
use super::triangle::{Triangle, ball_triangle, box_triangle, capsule_triangle};
use super::{Hit, Narrow};
use crate::geometry::{Geom, Hint, Shape, Solid};
use crate::math::{MAXVAL, Mat3, Quat, Vec3};
use crate::model::{Disable, Enable, Flex, GeomType};
use crate::{Data, Model};

/// A box as centre and half sizes.
pub(super) type Bounds = [f64; 6];

/// Whether two boxes are farther apart than `margin` along an axis.
#[inline]
pub(super) fn bounds_apart(a: &Bounds, b: &Bounds, margin: f64) -> bool {
    (0..3).any(|i| {
        a[i] + a[i + 3] + margin < b[i] - b[i + 3] || b[i] + b[i + 3] + margin < a[i] - a[i + 3]
    })
}

/// An element of a flex where it is now, or one of its vertices.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element {
    corners: [Vec3; 4],
    count: usize,
    radius: f64,
    centre: Vec3,
}

impl Element {
    #[inline]
    pub(super) fn new(model: &Model, data: &Data, flex: &Flex<'_>, elem: usize) -> Element {
        let mut corners = [Vec3::ZERO; 4];
        for (corner, &vert) in corners.iter_mut().zip(flex.elem(elem)) {
            *corner = data.flexvert_xpos[flex.verts.start + vert as usize];
        }
        let [x, y, z, ..] = data.flexelem_aabb[flex.elems.start + elem];
        let radius = model.flex_radius[flex.id];
        Element { corners, count: flex.dim + 1, radius, centre: Vec3::new(x, y, z) }
    }

    /// A vertex of a flex.
    pub(super) fn vertex(model: &Model, data: &Data, flex: &Flex<'_>, vert: usize) -> Element {
        let centre = data.flexvert_xpos[flex.verts.start + vert];
        let radius = model.flex_radius[flex.id];
        Element { corners: [centre; 4], count: 1, radius, centre }
    }

    #[inline]
    pub(super) fn corners(&self) -> &[Vec3] {
        &self.corners[..self.count]
    }

    pub(super) fn radius(&self) -> f64 {
        self.radius
    }

    pub(super) fn centre(&self) -> Vec3 {
        self.centre
    }

    #[inline]
    pub(super) fn triangle(&self) -> Triangle {
        let [a, b, c, _] = self.corners;
        Triangle::new([a, b, c], self.radius)
    }

    pub(super) fn solid(&self, margin: f64) -> Solid<'_> {
        Solid::simplex(self.corners(), self.radius, self.centre, margin)
    }

    /// The orientation and the half length of the capsule that a segment is.
    pub(super) fn axis(&self) -> (Mat3, f64) {
        let (dir, length) = (self.corners[0] - self.corners[1]).normalized();
        (Quat::from_z_to(dir).to_mat(), 0.5 * length)
    }

    /// The capsule that a segment is, with what [`Element::axis`] says.
    pub(super) fn capsule<'a>(&self, (mat, half): &'a (Mat3, f64)) -> Geom<'a> {
        let pos = (self.corners[0] + self.corners[1]) * 0.5;
        let size = Vec3::new(self.radius, *half, 0.0);
        Geom { shape: Shape::Capsule, size, pos, mat, rbound: self.radius + half, id: u32::MAX }
    }
}

/// The margin of contacts between a flex and something with margin `other`.
fn flex_margin(model: &Model, flex: usize, other: f64) -> f64 {
    if model.enabled(Enable::Override) {
        model.opt.o_margin
    } else {
        other + model.flex_margin[flex]
    }
}

/// Adds the candidates of all bodies and flexes whose masks match and that are not excluded.
pub(super) fn flex_candidates(model: &Model, found: &mut Vec<Candidate>) {
    let masks = |flex: usize| (model.flex_contype[flex], model.flex_conaffinity[flex]);
    let allowed = |first: usize, second: usize| {
        let key = ((first << 16) + second) as u32;
        model.exclude_signature.binary_search_by_key(&key, |&id| id as u32).is_err()
    };
    for flex in (0..model.nflex).filter(|&flex| masks(flex) != (0, 0)) {
        let second = model.nbody + flex;
        for body in (0..model.nbody).filter(|&body| model.body_geomnum[body] > 0) {
            let own = (model.body_contype[body], model.body_conaffinity[body]);
            if match_masks(own, masks(flex)) && allowed(body, second) {
                found.push(Candidate::of_flex(body, second));
            }
        }
        for other in 0..flex {
            if match_masks(masks(other), masks(flex)) && allowed(model.nbody + other, second) {
                found.push(Candidate::of_flex(model.nbody + other, second));
            }
        }
    }
}

impl Narrow {
    /// Adds the contacts of a body and a flex, or of two flexes, which are numbered after the bodies.
    pub(super) fn add_flex(
        &mut self,
        model: &Model,
        data: &mut Data,
        ccd: &Ccd,
        first: usize,
        second: usize,
    ) {
        let second = model.flex(second - model.nbody);
        match first.checked_sub(model.nbody) {
            None => self.add_body_flex(model, data, ccd, first, &second),
            Some(first) => self.add_flexes(model, data, ccd, &model.flex(first), &second),
        }
    }

    fn add_body_flex(
        &mut self,
        model: &Model,
        data: &mut Data,
        ccd: &Ccd,
        body: usize,
        flex: &Flex<'_>,
    ) {
        let off = model.disabled(Disable::MidPhase);
        let trees = !off && model.body_bvhadr[body] >= 0 && !flex.volumes().is_empty();
        let masks = (model.flex_contype[flex.id], model.flex_conaffinity[flex.id]);
        for geom in model.body_geoms(body) {
            let own = (model.geom_contype[geom], model.geom_conaffinity[geom]);
            let plane = model.geom_type[geom] == GeomType::Plane as i32;
            if plane && trees {
                // the reference asks for the masks of the body only, and passes over moving planes
                if model.body_weldid[body] == 0 {
                    self.add_plane(model, data, geom, flex);
                }
                continue;
            }
            if !match_masks(own, masks) {
                continue;
            }
            if plane {
                self.add_plane(model, data, geom, flex);
                continue;
            }
            let margin = flex_margin(model, flex.id, model.geom_margin[geom]);
            let around = Around::new(model, data, geom, margin);
            let mut elems = std::mem::take(&mut self.flex.elems);
            elems.clear();
            if trees {
                around.search(model, data, flex, &mut self.flex.stack, &mut elems);
                if !around.infinite {
                    around.keep_near(model, data, flex, ccd, &mut elems);
                }
                elems.sort_unstable();
            } else {
                let boxes = &data.flexelem_aabb[flex.elems.clone()];
                let near = |&elem: &u32| !off || !around.beyond(&boxes[elem as usize]);
                elems.extend((0..flex.elems.len() as u32).filter(near));
            }
            self.add_geom_elements(model, data, ccd, geom, flex, &elems, margin);
            self.flex.elems = elems;
        }
    }

    /// Adds the contacts of a plane with the vertices of a flex.
    fn add_plane(&mut self, model: &Model, data: &mut Data, geom: usize, flex: &Flex<'_>) {
        let margin = flex_margin(model, flex.id, model.geom_margin[geom]);
        let (origin, normal) = (data.geom_xpos[geom], data.geom_xmat[geom].column(2));
        let radius = model.flex_radius[flex.id];
        let surfaces = [Surface::of_geom(model, geom), Surface::of_flex(model, flex.id)];
        let mut common = None;
        for vert in 0..flex.verts.len() {
            let point = data.flexvert_xpos[flex.verts.start + vert];
            let height = (point - origin).dot(normal);
            // also passes over what is not a number
            if height > margin + radius {
                continue;
            }
            if data.contacts_full(model, 1) {
                return;
            }
            let dist = height - radius;
            let pos = point + normal * (-dist * 0.5 - radius);
            let hit = Hit { dist, pos, normal, tangent: Vec3::ZERO };
            let common = common
                .get_or_insert_with(|| flex_params(model, surfaces, [geom as i32, -1], margin));
            add(&mut data.contact, &self.blank, &[hit], common);
            let contact = data.contact.last_mut().expect("just added");
            contact.flex = [-1, flex.id as i32];
            contact.vert = [-1, vert as i32];
        }
    }

    /// Adds the contacts of a geom with elements of a flex.
    fn add_geom_elements(
        &mut self,
        model: &Model,
        data: &mut Data,
        ccd: &Ccd,
        geom: usize,
        flex: &Flex<'_>,
        elems: &[u32],
        margin: f64,
    ) {
        let body = model.geom_bodyid[geom];
        let bodies = flex.vert_bodies();
        let surfaces = [Surface::of_geom(model, geom), Surface::of_flex(model, flex.id)];
        let mut common = None;
        for &elem in elems {
            let elem = elem as usize;
            // not with what hangs on the body itself
            if flex.elem(elem).iter().any(|&vert| bodies[vert as usize] == body) {
                continue;
            }
            if data.contacts_full(model, MAX_HITS) {
                return;
            }
            let Some(shape) = Geom::new(model, data, geom) else { return };
            let element = Element::new(model, data, flex, elem);
            self.hits.clear();
            self.touch_element(&shape, flex, &element, margin, ccd);
            if self.hits.is_empty() {
                continue;
            }
            let common = common
                .get_or_insert_with(|| flex_params(model, surfaces, [geom as i32, -1], margin));
            let ids = [[-1, flex.id as i32], [-1, elem as i32], [-1, -1]];
            self.add_hits(data, common, ids);
        }
    }

    /// Adds a contact at each point that was found; `ids` are flexes, elements and vertices.
    pub(super) fn add_hits(&mut self, data: &mut Data, common: &Common, ids: [[i32; 2]; 3]) {
        let before = data.contact.len();
        add(&mut data.contact, &self.blank, &self.hits, common);
        for contact in &mut data.contact[before..] {
            [contact.flex, contact.elem, contact.vert] = ids;
        }
    }

    /// Finds the points that a geom and an element have in common.
    fn touch_element(
        &mut self,
        geom: &Geom,
        flex: &Flex<'_>,
        element: &Element,
        margin: f64,
        ccd: &Ccd,
    ) {
        let hits = &mut self.hits;
        match (&geom.shape, flex.dim) {
            (Shape::Sphere, 1) => {
                sphere_capsule(geom, &element.capsule(&element.axis()), margin, hits);
            }
            (Shape::Capsule, 1) => {
                capsule_capsule(geom, &element.capsule(&element.axis()), margin, hits);
            }
            (Shape::Box, 1) => {
                capsule_box(&element.capsule(&element.axis()), geom, margin, hits);
                hits.iter_mut().for_each(|hit| hit.normal = -hit.normal);
            }
            (Shape::Hfield(asset), _) => {
                if let Some(field) = asset.hfield() {
                    hfield_element(geom, &field, element, margin, ccd, &mut self.convex, hits);
                }
            }
            (Shape::Sphere, 2) => {
                ball_triangle(geom.pos, geom.size.x, &element.triangle(), margin, hits);
            }
            (Shape::Box, 2) => box_triangle(geom, &element.triangle(), margin, hits),
            (Shape::Capsule, 2) => capsule_triangle(geom, &element.triangle(), margin, hits),
            _ => {
                let hint = Cell::new(Hint::NONE);
                if let Some(solid) = Solid::new(geom, margin, &hint) {
                    let smooth = flex.dim == 2;
                    let other = element.solid(margin);
                    convex_element(solid, other, smooth, ccd, &mut self.convex, hits);
                }
            }
        }
    }

    /// Adds the contacts of two flexes.
    fn add_flexes(
        &mut self,
        model: &Model,
        data: &mut Data,
        ccd: &Ccd,
        first: &Flex<'_>,
        second: &Flex<'_>,
    ) {
        let margin = flex_margin(model, second.id, model.flex_margin[first.id]);
        let mut pairs = std::mem::take(&mut self.flex.pairs);
        pairs.clear();
        let trees = !model.disabled(Disable::MidPhase)
            && !first.volumes().is_empty()
            && !second.volumes().is_empty();
        if trees {
            super::flex_tree::descend(
                model,
                data,
                first,
                second,
                margin,
                &mut self.flex.stack,
                &mut pairs,
            );
            pairs.sort_unstable();
        } else {
            let boxes = [first, second].map(|flex| &data.flexelem_aabb[flex.elems.clone()]);
            for (i, a) in (0..).zip(boxes[0]) {
                let close = (0..).zip(boxes[1]).filter(|(_, b)| !bounds_apart(a, b, margin));
                pairs.extend(close.map(|(j, _)| [i, j]));
            }
        }
        self.add_element_pairs(model, data, ccd, [first, second], &pairs, margin);
        self.flex.pairs = pairs;
    }

    /// Adds the contacts of pairs of elements, in the order given.
    pub(super) fn add_element_pairs(
        &mut self,
        model: &Model,
        data: &mut Data,
        ccd: &Ccd,
        flexes: [&Flex<'_>; 2],
        pairs: &[[u32; 2]],
        margin: f64,
    ) {
        let own = flexes[0].id == flexes[1].id;
        let surfaces = flexes.map(|flex| Surface::of_flex(model, flex.id));
        let mut common = None;
        for &[i, j] in pairs {
            let elems = [i as usize, j as usize];
            let boxes = [0, 1].map(|k| &data.flexelem_aabb[flexes[k].elems.start + elems[k]]);
            if bounds_apart(boxes[0], boxes[1], margin) || share_body(flexes, elems) {
                continue;
            }
            if data.contacts_full(model, MAX_HITS) {
                return;
            }
            let [a, b] = [0, 1].map(|k| Element::new(model, data, flexes[k], elems[k]));
            self.hits.clear();
            if flexes[0].dim == 1 && flexes[1].dim == 1 {
                let axes = [a.axis(), b.axis()];
                let (a, b) = (a.capsule(&axes[0]), b.capsule(&axes[1]));
                capsule_capsule(&a, &b, margin, &mut self.hits);
            } else {
                if clearly_apart(&a, &b, margin, ccd) {
                    continue;
                }
                let (a, b) = (a.solid(margin), b.solid(margin));
                convex_element(a, b, false, ccd, &mut self.convex, &mut self.hits);
            }
            if self.hits.is_empty() {
                continue;
            }
            let common = common.get_or_insert_with(|| {
                let common = flex_params(model, surfaces, [-1, -1], margin);
                if own { common.within(false) } else { common }
            });
            let ids = [flexes.map(|flex| flex.id as i32), elems.map(|elem| elem as i32), [-1, -1]];
            self.add_hits(data, common, ids);
        }
    }
}

/// Whether two elements are so far apart along the line between their centres that the search for
/// contact would find none.
fn clearly_apart(a: &Element, b: &Element, margin: f64, ccd: &Ccd) -> bool {
    let reach = a.radius + b.radius + margin;
    let scale = a.centre.abs().max_element() + b.centre.abs().max_element() + reach;
    let gap = search_gap(reach, scale, ccd);
    apart_along(b.centre - a.centre, a.corners(), b.corners(), gap)
}

/// Whether two elements have vertices on the same body.
#[inline]
pub(super) fn share_body(flexes: [&Flex<'_>; 2], elems: [usize; 2]) -> bool {
    let bodies = flexes.map(|flex| flex.vert_bodies());
    flexes[0].elem(elems[0]).iter().any(|&first| {
        let body = bodies[0][first as usize];
        body >= 0
            && flexes[1].elem(elems[1]).iter().any(|&second| bodies[1][second as usize] == body)
    })
}

/// The bounds of a geom, for the search for elements nearby.
struct Around<'a> {
    pos: Vec3,
    /// Radius of the bounding sphere and the margin.
    reach: f64,
    mat: &'a Mat3,
    /// Half sizes of its box, and the centre in the world.
    half: [f64; 3],
    centre: Vec3,
    /// Half sizes of its box along the axes of the world.
    extent: [f64; 3],
    margin: f64,
    infinite: bool,
}

impl<'a> Around<'a> {
    fn new(model: &Model, data: &'a Data, geom: usize, margin: f64) -> Around<'a> {
        let [x, y, z, half @ ..] = model.geom_aabb[geom];
        let (pos, mat) = (data.geom_xpos[geom], &data.geom_xmat[geom]);
        let centre = *mat * Vec3::new(x, y, z) + pos;
        let extent = std::array::from_fn(|i| {
            let row = mat.row(i);
            (half[0] * row.x).abs() + (half[1] * row.y).abs() + (half[2] * row.z).abs()
        });
        let infinite = half.iter().any(|&half| half >= MAXVAL);
        let reach = model.geom_rbound[geom] + margin;
        Around { pos, reach, mat, half, centre, extent, margin, infinite }
    }

    /// Whether a box is beyond the bounding sphere, which is taken for a box.
    #[inline]
    fn beyond(&self, bounds: &Bounds) -> bool {
        (0..3).any(|i| {
            self.pos[i] + self.reach < bounds[i] - bounds[i + 3]
                || self.pos[i] - self.reach > bounds[i] + bounds[i + 3]
        })
    }

    /// Whether the box of the geom and another are apart along an axis of the world.
    #[inline]
    fn apart(&self, bounds: &Bounds) -> bool {
        (0..3).any(|i| {
            self.extent[i] + bounds[i + 3] + self.margin < (bounds[i] - self.centre[i]).abs()
        })
    }

    /// Whether the box of the geom and another are apart along an axis of the geom.
    fn apart_along_own(&self, bounds: &Bounds) -> bool {
        let centre = Vec3::new(bounds[0], bounds[1], bounds[2]);
        (0..3).any(|i| {
            let axis = self.mat.column(i);
            let other = (bounds[3] * axis.x).abs()
                + (bounds[4] * axis.y).abs()
                + (bounds[5] * axis.z).abs();
            let way = centre.dot(axis) - self.centre.dot(axis);
            self.half[i] + other + self.margin < way.abs()
        })
    }

    /// Drops elements that are clearly beyond one side of the box of the geom.
    fn keep_near(
        &self,
        model: &Model,
        data: &Data,
        flex: &Flex<'_>,
        ccd: &Ccd,
        elems: &mut Vec<u32>,
    ) {
        let reach = model.flex_radius[flex.id] + self.margin;
        let scale = self.centre.abs().max_element() + self.half.iter().sum::<f64>() + reach;
        let gap = search_gap(reach, 2.0 * scale, ccd);
        let axes = [0, 1, 2].map(|i| self.mat.column(i));
        let verts = &data.flexvert_xpos[flex.verts.clone()];
        elems.retain(|&elem| {
            let mut sides = [[f64::INFINITY, f64::NEG_INFINITY]; 3];
            for &vert in flex.elem(elem as usize) {
                let offset = verts[vert as usize] - self.centre;
                for (side, axis) in sides.iter_mut().zip(axes) {
                    let x = axis.dot(offset);
                    *side = [side[0].min(x), side[1].max(x)];
                }
            }
            let beyond =
                |([low, high], half): (&[f64; 2], &f64)| *low > half + gap || *high < -half - gap;
            !sides.iter().zip(&self.half).any(beyond)
        });
    }

    /// Lists the active elements of a flex nearby, in any order. MuJoCo: `mj_collideTree`.
    fn search(
        &self,
        model: &Model,
        data: &Data,
        flex: &Flex<'_>,
        stack: &mut Vec<[u32; 2]>,
        found: &mut Vec<u32>,
    ) {
        let first = flex.volumes().start;
        let boxes = &data.bvh_aabb_dyn[flex.moving_volumes()];
        stack.clear();
        stack.push([0, 0]);
        while let Some([node, _]) = stack.pop() {
            let bounds = &boxes[node as usize];
            if self.beyond(bounds) || (!self.infinite && self.apart(bounds)) {
                continue;
            }
            let volume = first + node as usize;
            match u32::try_from(model.bvh_nodeid[volume]) {
                Ok(elem) if self.infinite || !self.apart_along_own(bounds) => found.push(elem),
                Ok(_) => {}
                Err(_) => {
                    let children = model.bvh_child[volume];
                    stack.extend(children.map(|child| [child as u32, 0]));
                }
            }
        }
    }
}
