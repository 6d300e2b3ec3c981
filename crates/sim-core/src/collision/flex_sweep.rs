//! Pairs of elements of one flex that may touch: a Verlet list, made by sweep and prune.
//!
//! Boxes are sorted along the longest axis of the flex, then each is compared with those that begin
//! before it ends, eight at a time in single precision. Most that overlap are neighbours, which are
//! known beforehand, or can be told apart along an axis; what remains is for the search for contact.
//!
//! The list has all pairs that are nearer than some slack. It holds until vertices have moved by half
//! of that, apart from what all of them do in common. What is found does not depend on when the list
//! was made, since each pair is tested again.

use wide::f32x8;

use super::convex::Ccd;
use super::flex::{Bounds, bounds_apart};
use crate::math::{Vec3, sum};
use crate::model::Flex;
use crate::{Data, Model};

/// Boxes that are compared at once.
const LANES: usize = 8;

/// The part of coordinates that boxes are larger by, many times the rounding of single precision.
const SINGLE_SLACK: f64 = 1e-6;

/// The slack of a Verlet list, as a part of the mean length of edges: less than what triangles of a
/// regular grid that share no corner are apart.
const SLACK: f64 = 0.25;

/// What is known of the flexes of a model from step to step.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweeps {
    flexes: Vec<Sweep>,
}

impl Sweeps {
    /// What is known of `flex`.
    pub(super) fn of(&mut self, model: &Model, flex: &Flex<'_>) -> &mut Sweep {
        self.flexes.resize_with(model.nflex.max(self.flexes.len()), Sweep::default);
        let sweep = &mut self.flexes[flex.id];
        if sweep.neighbors.update(flex) {
            sweep.list.gap = f64::NEG_INFINITY;
        }
        sweep
    }
}

/// The sweep over the elements of one flex.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweep {
    neighbors: Neighbors,
    /// Active elements with where their boxes begin, sorted as they were in the last step.
    order: Vec<(f32, u32)>,
    /// Where boxes begin and end along the three axes, in this order.
    low: [Vec<f32>; 3],
    high: [Vec<f32>; 3],
    /// The step of the sweep in which an element was last seen next to another.
    seen: Vec<u32>,
    list: VerletList,
}

/// Pairs of elements that share no body and were near each other.
#[derive(Debug, Clone, Default)]
struct VerletList {
    pairs: Vec<Pair>,
    /// Elements with a larger gap between them are not listed.
    gap: f64,
    /// Where vertices were then.
    verts: Vec<Vec3>,
}

/// Two elements, and the axis along which they were last told apart.
#[derive(Debug, Clone, Copy)]
struct Pair {
    elems: [u32; 2],
    axis: Axis,
}

impl VerletList {
    /// Whether elements that are not listed have a larger gap between them than `gap`, with vertices
    /// at these places.
    fn covers(&self, verts: &[Vec3], gap: f64) -> bool {
        /// What rounding may add.
        const ROUNDING: f64 = 1e-6;
        if self.verts.len() != verts.len() {
            return false;
        }
        let moves = || verts.iter().zip(&self.verts).map(|(now, then)| *now - *then);
        let mean = moves().fold(Vec3::ZERO, |sum, x| sum + x) * (1.0 / verts.len() as f64);
        let most = moves().map(|x| x - mean).fold(0.0, |most: f64, x| most.max(x.dot(x))).sqrt();
        let finite = mean.dot(mean).is_finite();
        finite && gap + (2.0 + ROUNDING) * most <= self.gap
    }
}

impl Sweep {
    /// Lists the pairs of elements whose boxes overlap, that share no body, and that are not clearly
    /// apart, in the order in which the reference's sweep finds them.
    pub(super) fn search(
        &mut self,
        model: &Model,
        data: &Data,
        flex: &Flex<'_>,
        ccd: &Ccd,
        found: &mut Vec<[u32; 2]>,
    ) {
        let root = &data.bvh_aabb_dyn[flex.moving_volumes().start];
        let axis = longest_axis(root);
        let bounds = &data.flexelem_aabb[flex.elems.clone()];
        let scale = (0..3).fold(0.0, |most: f64, i| most.max(root[i].abs() + root[i + 3]));
        let reach = 2.0 * model.flex_radius[flex.id];
        let gap = search_gap(reach, 2.0 * (scale + reach), ccd);
        let verts = &data.flexvert_xpos[flex.verts.clone()];
        // of solids the active elements may change
        if flex.dim > 2 || !self.list.covers(verts, gap) {
            let lengths = &data.flexedge_length[flex.edges.clone()];
            let mean = sum(lengths) / lengths.len().max(1) as f64;
            let slack = if flex.dim > 2 { 0.0 } else { (SLACK * mean).max(0.0) };
            self.sort(data, flex, axis, slack);
            self.make_list(flex, verts, gap + slack);
        }
        let triangles = triangles(flex);
        for Pair { elems, axis } in &mut self.list.pairs {
            let [a, b] = elems.map(|elem| &bounds[elem as usize]);
            if bounds_apart(a, b, 0.0) {
                continue;
            }
            let apart = triangles.and_then(|triangles| {
                let [a, b] = elems.map(|elem| corners(triangles, verts, elem));
                separating_axis(*axis, a, b, gap)
            });
            match apart {
                Some(found) => *axis = found,
                None => found.push(*elems),
            }
        }
        sweep_order(bounds, axis, found);
    }

    /// Lists the pairs of elements without a larger gap than `gap`.
    fn make_list(&mut self, flex: &Flex<'_>, verts: &[Vec3], gap: f64) {
        let mut list = std::mem::take(&mut self.list);
        list.gap = gap;
        list.verts.clear();
        list.verts.extend_from_slice(verts);
        list.pairs.clear();
        let triangles = triangles(flex);
        self.each_overlap(|a, b| {
            let apart = triangles.is_some_and(|triangles| {
                let [a, b] = [a, b].map(|elem| corners(triangles, verts, elem));
                separating_axis(Axis::Centers, a, b, gap).is_some()
            });
            if !apart {
                list.pairs.push(Pair { elems: [a, b], axis: Axis::Centers });
            }
        });
        self.list = list;
    }

    /// Sorts active elements along an axis and lists their boxes, larger by half of `slack`.
    fn sort(&mut self, data: &Data, flex: &Flex<'_>, axis: usize, slack: f64) {
        let bounds = &data.flexelem_aabb[flex.elems.clone()];
        let count = (0..bounds.len()).filter(|&elem| flex.is_active(elem)).count();
        let stale = |&(_, elem): &(f32, u32)| {
            bounds.len() <= elem as usize || !flex.is_active(elem as usize)
        };
        if self.order.len() != count || self.order.iter().any(stale) {
            self.order.clear();
            let active = (0..bounds.len()).filter(|&elem| flex.is_active(elem));
            self.order.extend(active.map(|elem| (0.0, elem as u32)));
        }
        let outward =
            |x: f64, sign: f64| (x + sign * (SINGLE_SLACK * x.abs() + 0.5 * slack)) as f32;
        for (start, elem) in &mut self.order {
            let bounds = &bounds[*elem as usize];
            *start = outward(bounds[axis] - bounds[axis + 3], -1.0);
        }
        sort_nearly_sorted(&mut self.order);

        let padded = count + LANES;
        for (i, (low, high)) in self.low.iter_mut().zip(&mut self.high).enumerate() {
            let axis = (axis + i) % 3;
            low.clear();
            high.clear();
            for &(_, elem) in &self.order {
                let bounds = &bounds[elem as usize];
                low.push(outward(bounds[axis] - bounds[axis + 3], -1.0));
                high.push(outward(bounds[axis] + bounds[axis + 3], 1.0));
            }
            low.resize(padded, f32::INFINITY);
            high.resize(padded, f32::NEG_INFINITY);
        }
    }

    /// Calls `f(a, b)` for elements whose boxes overlap in single precision and that share no body.
    fn each_overlap(&mut self, mut f: impl FnMut(u32, u32)) {
        let Sweep { neighbors, order, low, high, seen, .. } = self;
        seen.clear();
        seen.resize(neighbors.first.len().saturating_sub(1), 0);
        for (i, &(_, elem)) in order.iter().enumerate() {
            let step = i as u32 + 1;
            neighbors.of(elem).iter().for_each(|&other| seen[other as usize] = step);
            let [end, low_1, low_2] = [high[0][i], low[1][i], low[2][i]].map(f32x8::splat);
            let [high_1, high_2] = [high[1][i], high[2][i]].map(f32x8::splat);
            let mut at = i + 1;
            loop {
                let start = lanes(&low[0], at);
                let reached = start.simd_le(end);
                let overlap = reached
                    & lanes(&low[1], at).simd_le(high_1)
                    & lanes(&high[1], at).simd_ge(low_1)
                    & lanes(&low[2], at).simd_le(high_2)
                    & lanes(&high[2], at).simd_ge(low_2);
                let mut bits = overlap.to_bitmask();
                while bits != 0 {
                    let other = order[at + bits.trailing_zeros() as usize].1;
                    bits &= bits - 1;
                    if seen[other as usize] != step {
                        f(elem, other);
                    }
                }
                // starts increase: once one is beyond the end, all that follow are
                at += LANES;
                if reached.to_bitmask() != (1 << LANES) - 1 || at >= order.len() {
                    break;
                }
            }
        }
    }
}

/// Eight numbers from `at` on.
#[inline]
fn lanes(list: &[f32], at: usize) -> f32x8 {
    f32x8::new(*list[at..].first_chunk().expect("lists are padded"))
}

/// Sorts a list that has changed little since it was last sorted: by insertion, unless that takes
/// many moves.
fn sort_nearly_sorted(list: &mut [(f32, u32)]) {
    let before = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let mut moves = 8 * list.len();
    for i in 1..list.len() {
        let entry = list[i];
        let mut at = i;
        while at > 0 && before(&entry, &list[at - 1]).is_lt() {
            list[at] = list[at - 1];
            at -= 1;
        }
        list[at] = entry;
        moves = moves.saturating_sub(i - at);
        if moves == 0 {
            list.sort_unstable_by(before);
            return;
        }
    }
}

/// For each element the elements with a body in common, itself among them.
#[derive(Debug, Clone, Default)]
struct Neighbors {
    first: Vec<u32>,
    others: Vec<u32>,
    /// What they were made from: corners of elements, and bodies of vertices.
    elems: Vec<i32>,
    bodies: Vec<i32>,
}

impl Neighbors {
    fn of(&self, elem: u32) -> &[u32] {
        let elem = elem as usize;
        &self.others[self.first[elem] as usize..self.first[elem + 1] as usize]
    }

    /// Finds them for `flex`, unless they are known. Returns whether they were not.
    fn update(&mut self, flex: &Flex<'_>) -> bool {
        let (elems, bodies) = (flex.elem_verts(), flex.vert_bodies());
        if self.elems == elems && self.bodies == bodies && !self.first.is_empty() {
            return false;
        }
        self.elems.clear();
        self.elems.extend_from_slice(elems);
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);

        // bodies of corners with the elements they belong to
        let corners = flex.dim + 1;
        let mut users: Vec<(i32, u32)> = elems
            .iter()
            .enumerate()
            .map(|(i, &vert)| (bodies[vert as usize], (i / corners) as u32))
            .filter(|&(body, _)| body >= 0)
            .collect();
        users.sort_unstable();
        self.first.clear();
        self.others.clear();
        self.first.push(0);
        for elem in elems.chunks_exact(corners) {
            let start = self.others.len();
            for &vert in elem {
                let body = bodies[vert as usize];
                let from = users.partition_point(|user| user.0 < body);
                let own = users[from..].iter().take_while(|user| user.0 == body);
                self.others.extend(own.map(|user| user.1));
            }
            self.others[start..].sort_unstable();
            let mut kept = start;
            for at in start..self.others.len() {
                if at == start || self.others[at] != self.others[kept - 1] {
                    self.others[kept] = self.others[at];
                    kept += 1;
                }
            }
            self.others.truncate(kept);
            self.first.push(kept as u32);
        }
        true
    }
}

/// The distance of which elements must be known to be apart, so that the search for contact would
/// find none: their `reach`, and well above its tolerance and the rounding of numbers like `scale`.
pub(super) fn search_gap(reach: f64, scale: f64, ccd: &Ccd) -> f64 {
    const ROUNDING: f64 = 1e-9;
    reach + super::bounds::CCD_SLACK * ccd.tolerance + ROUNDING * scale
}

/// The corners of the elements if these are triangles.
fn triangles<'a>(flex: &Flex<'a>) -> Option<&'a [[i32; 3]]> {
    (flex.dim == 2).then(|| flex.elem_verts().as_chunks().0)
}

type Triangle<'a> = [&'a Vec3; 3];

/// The corners of a triangle.
#[inline]
fn corners<'a>(triangles: &[[i32; 3]], verts: &'a [Vec3], elem: u32) -> Triangle<'a> {
    triangles[elem as usize].map(|vert| &verts[vert as usize])
}

/// An axis along which two triangles may be told apart; triangle 0 is the first, 1 the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Axis {
    /// The line between their centres.
    Centers,
    /// The normal of a triangle.
    Normal(u8),
    /// Within the plane of a triangle, away from the edge that begins at a corner.
    Edge(u8, u8),
}

/// All of them, in the order in which they are tried.
const AXES: [Axis; 9] = {
    use Axis::{Centers, Edge, Normal};
    let (a, b) = ([Edge(0, 0), Edge(0, 1), Edge(0, 2)], [Edge(1, 0), Edge(1, 1), Edge(1, 2)]);
    [Centers, Normal(0), a[0], a[1], a[2], Normal(1), b[0], b[1], b[2]]
};

/// An axis along which two triangles are farther apart than `gap`: `last`, if it still is one.
#[inline]
fn separating_axis(last: Axis, a: Triangle<'_>, b: Triangle<'_>, gap: f64) -> Option<Axis> {
    if separates(last, a, b, gap) {
        return Some(last);
    }
    other_axis(last, a, b, gap)
}

/// Does it with all axes but the last one.
#[cold]
fn other_axis(last: Axis, a: Triangle<'_>, b: Triangle<'_>, gap: f64) -> Option<Axis> {
    AXES.into_iter().find(|&axis| axis != last && separates(axis, a, b, gap))
}

/// Whether two triangles are farther apart than `gap` along an axis.
#[inline]
fn separates(axis: Axis, a: Triangle<'_>, b: Triangle<'_>, gap: f64) -> bool {
    let ordered = |first: u8| if first == 0 { (a, b) } else { (b, a) };
    match axis {
        Axis::Centers => {
            let axis = (*b[0] + *b[1] + *b[2]) - (*a[0] + *a[1] + *a[2]);
            let from = *a[0];
            let [x, y] = [1, 2].map(|i: usize| axis.dot(*a[i] - from));
            let way = least_along(axis, b, from) - x.max(y).max(0.0);
            is_beyond(way, axis, gap)
        }
        Axis::Normal(first) => {
            let (own, other) = ordered(first);
            let normal = normal(own);
            let above = least_along(normal, other, *own[0]);
            let height = if above > 0.0 { above } else { least_along(-normal, other, *own[0]) };
            is_beyond(height, normal, gap)
        }
        Axis::Edge(first, corner) => {
            let (own, other) = ordered(first);
            let (from, to) = (*own[corner as usize], *own[(corner as usize + 1) % 3]);
            // away from the third corner
            let outward = (to - from).cross(normal(own));
            is_beyond(least_along(outward, other, from), outward, gap)
        }
    }
}

/// The least way from a point to the corners of a triangle, times the length of the axis.
#[inline]
fn least_along(axis: Vec3, [p, q, r]: Triangle<'_>, from: Vec3) -> f64 {
    let along = |x: &Vec3| axis.dot(*x - from);
    along(p).min(along(q)).min(along(r))
}

/// Whether a way times the length of its axis is positive, and the way more than `gap`.
#[inline]
fn is_beyond(way: f64, axis: Vec3, gap: f64) -> bool {
    way > 0.0 && way * way > gap * gap * axis.dot(axis)
}

/// A normal of a triangle, of any length.
#[inline]
fn normal([p, q, r]: Triangle<'_>) -> Vec3 {
    (*q - *p).cross(*r - *p)
}

/// Whether all points of `b` are farther along an axis than those of `a`, by more than `gap`.
#[inline]
pub(super) fn apart_along(axis: Vec3, a: &[Vec3], b: &[Vec3], gap: f64) -> bool {
    let most = a.iter().fold(f64::NEG_INFINITY, |most, x| most.max(axis.dot(*x - a[0])));
    let least = b.iter().fold(f64::INFINITY, |least, x| least.min(axis.dot(*x - a[0])));
    is_beyond(least - most, axis, gap)
}

/// The axis along which a box is longest; the last of those that are equal.
fn longest_axis(bounds: &Bounds) -> usize {
    let [x, y, z] = [bounds[3], bounds[4], bounds[5]];
    if x > y && x > z {
        0
    } else if y > z {
        1
    } else {
        2
    }
}

/// Brings pairs of elements into the order in which the reference's sweep finds them: by the second,
/// then by the first, each by where its box begins in single precision. Pairs that the sweep would
/// lose, since single precision tells that one ends before the other begins, are dropped.
fn sweep_order(bounds: &[Bounds], axis: usize, pairs: &mut Vec<[u32; 2]>) {
    let side = |elem: u32, sign: f64| {
        let bounds = &bounds[elem as usize];
        (bounds[axis] + sign * bounds[axis + 3]) as f32
    };
    let start = |elem: u32| (side(elem, -1.0), elem);
    let compare = |x: (f32, u32), y: (f32, u32)| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1));
    pairs.retain_mut(|pair| {
        if compare(start(pair[1]), start(pair[0])).is_lt() {
            pair.swap(0, 1);
        }
        let (end, (begin, _)) = (side(pair[0], 1.0), start(pair[1]));
        end > begin || (end == begin && pair[0] > pair[1])
    });
    pairs.sort_unstable_by(|a, b| {
        let key = |pair: &[u32; 2]| (start(pair[1]), start(pair[0]));
        let ((second_a, first_a), (second_b, first_b)) = (key(a), key(b));
        compare(second_a, second_b).then(compare(first_a, first_b))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn triangles_are_apart_along_a_normal_within_a_plane_or_between_centres_and_not_when_close() {
        let flat = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let moved = |by: Vec3| flat.map(|corner| corner + by);
        let apart = |other: [Vec3; 3], gap: f64| {
            separating_axis(Axis::Normal(1), flat.each_ref(), other.each_ref(), gap).is_some()
        };
        assert!(apart(moved(Vec3::Z * 0.11), 0.1));
        assert!(!apart(moved(Vec3::Z * 0.09), 0.1));
        assert!(apart(moved(Vec3::X * 1.2), 0.1));
        assert!(!apart(moved(Vec3::X * 1.05), 0.1));
        assert!(!apart(moved(Vec3::new(0.2, 0.2, 0.0)), 0.0));
    }

    #[test]
    fn a_verlet_list_holds_until_vertices_move_apart_by_half_its_slack() {
        let verts = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
        let list = VerletList { pairs: vec![], gap: 0.3, verts: verts.to_vec() };
        let common = Vec3::new(5.0, -2.0, 1.0);
        assert!(list.covers(&verts.map(|vert| vert + common), 0.2));
        let mut moved = verts.map(|vert| vert + common);
        moved[1] += Vec3::Z * 0.06;
        assert!(list.covers(&moved, 0.2));
        moved[2] -= Vec3::Z * 0.06;
        assert!(!list.covers(&moved, 0.2));
        assert!(!list.covers(&verts[..3], 0.0));
        assert!(!list.covers(&[Vec3::X * f64::NAN; 4], 0.0));
    }

    #[test]
    fn lists_far_from_sorted_are_sorted_as_well() {
        let mut list: Vec<(f32, u32)> = (0..100).map(|i| ((100 - i) as f32, i)).collect();
        sort_nearly_sorted(&mut list);
        assert!(list.is_sorted());
        list.swap(3, 4);
        sort_nearly_sorted(&mut list);
        assert!(list.is_sorted());
    }
}
