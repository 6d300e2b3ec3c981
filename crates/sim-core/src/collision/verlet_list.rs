//! A Verlet list: the pairs of geoms that are near each other, kept from step to step.
//!
//! Pairs are found with bounding spheres and boxes that are larger by a slack. As long as no sphere
//! has moved further than the slack from where its pairs were found, and no box reaches beyond the
//! larger one, every two that overlap are in the list. Others are searched anew, one by one while they
//! are few. The list is a superset whose members are tested exactly each step, so results do not
//! depend on its history.

use wide::f64x4;

use super::bounds::{LANES, Quad, SLACK, Sphere, boxes_apart, ones};
use super::spatial_hash::SpatialHash;
use crate::math::Vec3;
use crate::memory::{push, reserve};

/// The slack, in units of the median radius.
const SHARE: f64 = 0.25;

/// The part of the slack that may be used up, which leaves room for rounding.
const USABLE: f64 = 1.0 - 1e-9;

/// Spheres larger than the median by this factor are not sorted into cells.
const UNUSUAL: f64 = 4.0;

/// Spheres that stand for all where an estimate will do.
const SAMPLE: usize = 16;

/// Spheres that are searched one by one, at most; the second is one of this many.
const FEW_MOVED: usize = 128;
const MOVED_PART: usize = 8;

/// Pairs of geoms that are near each other. Geoms are named by their place in the lists of bounds that
/// are given to [`VerletList::update`].
#[derive(Debug, Clone, Default)]
pub(super) struct VerletList {
    /// Pairs that may collide and whose bounds overlap when they are larger by the slack.
    pub(super) pairs: Vec<[u32; 2]>,
    /// False if there are more pairs than there is room for.
    pub(super) complete: bool,
    /// The spheres where their pairs were found.
    kept: Vec<Sphere>,
    /// Half the extents of the boxes around their centres, larger by the slack.
    halves: Vec<Vec3>,
    /// The spheres by coordinate, larger by the slack; a few are added to fill up lanes.
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    radius: Vec<f64>,
    slack: f64,
    moved: Vec<u32>,
    is_moved: Vec<bool>,
    // scratch space of a search for all pairs
    usual: Vec<Sphere>,
    unusual: Vec<Sphere>,
    cells: SpatialHash,
    near: Vec<[u32; 2]>,
}

impl VerletList {
    /// Forgets all pairs: which geoms may collide has changed.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
    }

    /// Brings the list up to date with the spheres of geoms and half the extents of the boxes around
    /// their centres. `may_collide` tells which pairs of slots are worth keeping; `most` is how many
    /// pairs there is room for.
    pub(super) fn update(
        &mut self,
        spheres: &[Sphere],
        halves: &[Vec3],
        most: usize,
        may_collide: impl Fn(u32, u32) -> bool,
    ) {
        if !self.find_moved(spheres, halves) {
            self.slack = finite(SHARE * median_radius(spheres));
            self.search_all(spheres, halves, most, &may_collide);
            if !self.complete {
                // as many as there is room for, without those that are only near
                self.slack = 0.0;
                self.search_all(spheres, halves, most, &may_collide);
            }
        } else if !self.moved.is_empty() {
            self.search_moved(spheres, halves, &may_collide);
        }
    }

    /// Finds the geoms that have moved or turned too far, or have another radius; false if they are
    /// too many to be searched one by one, or somewhere that is no place.
    fn find_moved(&mut self, spheres: &[Sphere], halves: &[Vec3]) -> bool {
        self.moved.clear();
        if self.kept.len() != spheres.len() || !self.complete {
            return false;
        }
        let limit = (self.slack * USABLE) * (self.slack * USABLE);
        let (mut lost, few) = (false, FEW_MOVED.min(spheres.len() / MOVED_PART));
        let kept = self.kept.iter().zip(&self.halves);
        for (i, ((now, &half), (kept, reach))) in spheres.iter().zip(halves).zip(kept).enumerate() {
            let way = Vec3::new(now.x - kept.x, now.y - kept.y, now.z - kept.z);
            let (squared, end) = (way.dot(way), way.abs() + half);
            let beyond = end.x > reach.x || end.y > reach.y || end.z > reach.z;
            if squared > limit || beyond || now.radius != kept.radius {
                self.moved.push(i as u32);
            }
            lost |= !squared.is_finite() || (end.x + end.y + end.z).is_nan();
            if self.moved.len() > few {
                return false;
            }
        }
        !lost
    }

    /// Finds the pairs of geoms that have moved.
    fn search_moved(
        &mut self,
        spheres: &[Sphere],
        halves: &[Vec3],
        may_collide: &impl Fn(u32, u32) -> bool,
    ) {
        let VerletList { pairs, kept, halves: reach, slack, moved, is_moved, .. } = self;
        let VerletList { x, y, z, radius, .. } = self;
        is_moved.clear();
        is_moved.resize(spheres.len(), false);
        for &i in moved.iter() {
            let i = i as usize;
            is_moved[i] = true;
            kept[i] = spheres[i];
            reach[i] = larger_box(halves[i], *slack);
            (x[i], y[i], z[i]) = (spheres[i].x, spheres[i].y, spheres[i].z);
            radius[i] = spheres[i].radius + *slack;
        }
        pairs.retain(|pair| !pair.iter().any(|&i| is_moved[i as usize]));

        let lanes = x.as_chunks().0.iter().zip(y.as_chunks().0);
        let lanes = lanes.zip(z.as_chunks().0).zip(radius.as_chunks().0);
        for &i in moved.iter() {
            let from = larger(spheres[i as usize], *slack);
            for (chunk, (((x, y), z), radius)) in lanes.clone().enumerate() {
                let [x, y, z, radius] = [x, y, z, radius].map(|lanes| f64x4::new(*lanes));
                for lane in ones(u64::from(Quad { x, y, z, radius }.close(from))) {
                    let j = (LANES * chunk + lane) as u32;
                    let Some(other) = spheres.get(j as usize) else { break };
                    // two that have both moved are found by the second
                    let again = j >= i && is_moved[j as usize];
                    if !again
                        && boxes_meet(kept, reach, [i, j])
                        && may_collide(from.slot, other.slot)
                        && !push(pairs, [i, j])
                    {
                        self.complete = false;
                        return;
                    }
                }
            }
        }
    }

    /// Finds the pairs of all geoms.
    fn search_all(
        &mut self,
        spheres: &[Sphere],
        halves: &[Vec3],
        most: usize,
        may_collide: &impl Fn(u32, u32) -> bool,
    ) {
        let slack = self.slack;
        self.halves.clear();
        self.halves.extend(halves.iter().map(|&half| larger_box(half, slack)));
        self.kept.clear();
        self.kept.extend_from_slice(spheres);
        let padded = spheres.len().next_multiple_of(LANES);
        for (list, coordinate) in [
            (&mut self.x, (|s| s.x) as fn(&Sphere) -> f64),
            (&mut self.y, |s| s.y),
            (&mut self.z, |s| s.z),
            (&mut self.radius, |s| s.radius),
        ] {
            list.clear();
            list.extend(spheres.iter().map(coordinate));
            list.resize(padded, 0.0);
        }
        self.radius.iter_mut().for_each(|radius| *radius += slack);

        // in the search, a slot is the place in the list of spheres
        let VerletList { pairs, halves: reach, usual, unusual, cells, near, .. } = self;
        usual.clear();
        unusual.clear();
        let limit = finite(UNUSUAL * median_radius(spheres));
        let mut largest = 0.0;
        for (i, sphere) in (0..).zip(spheres) {
            let place = Sphere { slot: i, ..larger(*sphere, slack) };
            if sphere.radius <= limit {
                largest = f64::max(largest, place.radius);
                usual.push(place);
            } else {
                unusual.push(place);
            }
        }
        let may_collide = |i: u32, j: u32| {
            boxes_meet(spheres, reach, [i, j])
                && may_collide(spheres[i as usize].slot, spheres[j as usize].slot)
        };
        cells.fill(usual, largest);
        near.clear();
        pairs.clear();
        pairs.reserve(spheres.len());
        self.complete = cells.search(near, most);
        for &[a, b] in near.iter() {
            let [i, j] = [usual[a as usize].slot, usual[b as usize].slot];
            if may_collide(i, j) && !push(pairs, [i, j]) {
                self.complete = false;
                return;
            }
        }
        for (n, a) in unusual.iter().enumerate() {
            near.clear();
            // each meets all others at most
            if pairs.len() > most || !reserve(near, usual.len()) || !reserve(pairs, spheres.len()) {
                pairs.truncate(most);
                self.complete = false;
                return;
            }
            cells.meet_all(*a, |b| near.push([0, b]));
            let others = near.iter().map(|&[_, b]| &usual[b as usize]);
            for b in others.chain(&unusual[n + 1..]) {
                if may_collide(a.slot, b.slot) {
                    pairs.push([a.slot, b.slot]);
                }
            }
        }
        if pairs.len() > most {
            pairs.truncate(most);
            self.complete = false;
        }
    }
}

/// A sphere with a larger radius.
fn larger(sphere: Sphere, slack: f64) -> Sphere {
    Sphere { radius: sphere.radius + slack, ..sphere }
}

/// Half the extents of a larger box.
fn larger_box(half: Vec3, slack: f64) -> Vec3 {
    half + Vec3::new(slack, slack, slack)
}

/// The largest number instead of what is infinite or none.
fn finite(x: f64) -> f64 {
    f64::MAX.min(x)
}

/// About the median radius.
fn median_radius(spheres: &[Sphere]) -> f64 {
    if spheres.is_empty() {
        return 0.0;
    }
    let mut sample: [f64; SAMPLE] =
        std::array::from_fn(|i| spheres[i * spheres.len() / SAMPLE].radius);
    sample.sort_unstable_by(f64::total_cmp);
    sample[SAMPLE / 2]
}

/// Whether the spheres and boxes of two geoms overlap; what is not a number counts as overlapping.
#[inline]
pub(super) fn overlap(spheres: &[Sphere], halves: &[Vec3], [i, j]: [u32; 2]) -> bool {
    let (a, b) = (&spheres[i as usize], &spheres[j as usize]);
    let (dx, dy, dz) = (a.x - b.x, a.y - b.y, a.z - b.z);
    let reach = (a.radius + b.radius) * SLACK;
    let apart = dx * dx + dy * dy + dz * dz > reach * reach;
    !apart && boxes_meet(spheres, halves, [i, j])
}

/// Whether the boxes around the centres of two spheres overlap.
#[inline]
fn boxes_meet(spheres: &[Sphere], halves: &[Vec3], [i, j]: [u32; 2]) -> bool {
    let [i, j] = [i as usize, j as usize];
    let (a, b) = (&spheres[i], &spheres[j]);
    let apart = Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z);
    !boxes_apart(apart, halves[i], halves[j])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A number between -1 and 1 that follows from `i`.
    fn any(i: usize) -> f64 {
        libm::fmod(libm::sin(i as f64 * 12.9898) * 43758.5453, 1.0)
    }

    /// The pairs that overlap, of all and of those in the list.
    fn overlapping(spheres: &[Sphere], halves: &[Vec3], list: &VerletList) -> [Vec<[u32; 2]>; 2] {
        let count = spheres.len() as u32;
        let all = (0..count).flat_map(|j| (0..j).map(move |i| [i, j]));
        let may = |&[i, j]: &[u32; 2]| may_collide(i, j);
        let meet = |&pair: &[u32; 2]| overlap(spheres, halves, pair);
        let mut listed: Vec<_> = list.pairs.iter().copied().filter(meet).collect();
        listed.iter_mut().for_each(|pair| pair.sort_unstable());
        listed.sort_unstable();
        let mut all: Vec<_> = all.filter(may).filter(meet).collect();
        all.sort_unstable();
        [all, listed]
    }

    fn may_collide(i: u32, j: u32) -> bool {
        !(i + j).is_multiple_of(7)
    }

    #[test]
    fn no_pair_is_missed_while_geoms_move_and_turn() {
        // from resting to flying, in a heap and apart, with a few that are fast
        for (count, size, speed) in [
            (70, 2.0, 0.02),
            (300, 4.0, 0.002),
            (300, 4.0, 0.3),
            (1000, 6.0, 0.01),
            (90, 50.0, 1.0),
        ] {
            let mut spheres: Vec<Sphere> = (0..count)
                .map(|i| {
                    let [x, y, z] = [0, 1, 2].map(|k| size * any(5 * i + k));
                    let radius = if i % 40 == 3 { 3.0 } else { 0.3 + 0.2 * any(5 * i + 3) };
                    Sphere { x, y, z, radius, slot: i as u32 }
                })
                .collect();
            let (mut list, mut anew) = (VerletList::default(), 0);
            for step in 0..60 {
                for (i, sphere) in spheres.iter_mut().enumerate() {
                    let speed = if i % 50 == 7 { 20.0 * speed } else { speed };
                    let [dx, dy, dz] = [0, 1, 2].map(|k| speed * any(7 * i + k + step / 20));
                    (sphere.x, sphere.y, sphere.z) = (sphere.x + dx, sphere.y + dy, sphere.z + dz);
                    if step % 17 == 11 && i % 60 == 8 {
                        sphere.radius *= 1.1;
                    }
                }
                let turn = |i: usize, k: usize| libm::sin(any(i) + speed * (step + k * 40) as f64);
                let half = |(i, sphere): (usize, &Sphere)| {
                    Vec3::from([0, 1, 2].map(|k| sphere.radius * (0.55 + 0.4 * turn(i, k))))
                };
                let halves: Vec<Vec3> = spheres.iter().enumerate().map(half).collect();
                anew += usize::from(!list.clone().find_moved(&spheres, &halves));
                list.update(&spheres, &halves, usize::MAX, may_collide);
                let [all, listed] = overlapping(&spheres, &halves, &list);
                assert_eq!(all, listed, "step {step} of {count} in {size} at {speed}");
            }
            assert!(speed > 0.1 || anew < 20, "{anew} searches at {speed}");
        }
    }

    #[test]
    fn what_is_nowhere_is_searched_each_time() {
        let mut spheres: Vec<Sphere> =
            (0..80).map(|i| Sphere { x: i as f64, y: 0.0, z: 0.0, radius: 0.6, slot: i }).collect();
        let halves = vec![Vec3::new(0.6, 0.6, 0.6); 80];
        let mut list = VerletList::default();
        list.update(&spheres, &halves, usize::MAX, |_, _| true);
        spheres[5].x = f64::NAN;
        assert!(!list.find_moved(&spheres, &halves));
        list.update(&spheres, &halves, usize::MAX, |_, _| true);
        assert!(!list.find_moved(&spheres, &halves));
    }

    #[test]
    fn too_many_pairs_are_not_kept() {
        // of one size, and with many that are much larger than the rest
        for large in [1.0, 9.0] {
            let radius = |i: u32| if i.is_multiple_of(3) { large } else { 1.0 };
            let spheres: Vec<Sphere> = (0..200)
                .map(|i| Sphere { x: 0.0, y: 0.0, z: 0.0, radius: radius(i), slot: i })
                .collect();
            let halves = vec![Vec3::new(1.0, 1.0, 1.0); 200];
            let mut list = VerletList::default();
            list.update(&spheres, &halves, 10_000, |_, _| true);
            assert!(!list.complete && list.pairs.len() <= 10_000);
            list.update(&spheres, &halves, usize::MAX, |_, _| true);
            assert!(list.complete && list.pairs.len() == 200 * 199 / 2);
        }
    }
}
