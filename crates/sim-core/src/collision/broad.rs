//! The broad phase: which geoms are close, by their bounding spheres and boxes.
//!
//! Up to [`FEW`] the boxes of all pairs are tested. Among more, spheres of usual size are sorted
//! into cells, and those of unusual size are tested against all.

use super::bounds::{BOXES, Boxes, Halfspace, Sphere, bounding_box, boxes_apart, ones};
use super::rules::{Candidate, Rules, sort};
use super::spatial_hash::SpatialHash;
use super::table::{FEW, Table};
use crate::math::Vec3;
use crate::{Data, Model};

/// Spheres larger than the median by this factor are not sorted into cells.
const UNUSUAL: f64 = 4.0;

/// Geoms that stand for all where an estimate will do.
const SAMPLE: usize = 16;

/// Memory of the broad phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct Broad {
    table: Table,
    boxes: Vec<Boxes>,
    /// Half extents by slot, where there are many.
    halves: Vec<Vec3>,
    usual: Vec<Sphere>,
    unusual: Vec<Sphere>,
    cells: SpatialHash,
    /// Pairs of usual size that overlap.
    near: Vec<[u32; 2]>,
    pub(super) candidates: Vec<Candidate>,
    buffer: Vec<Candidate>,
    starts: Vec<u32>,
}

impl Broad {
    /// Finds the candidates of all geoms but explicit pairs, in any order; false if there are more
    /// than there is room for.
    pub(super) fn search(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) -> bool {
        self.table.update(model, rules);
        if self.table.geoms.len() <= FEW {
            self.search_few(model, data, rules);
            true
        } else {
            self.search_many(model, data, rules)
        }
    }

    /// Brings the candidates into order.
    pub(super) fn sort(&mut self, model: &Model) {
        sort(&mut self.candidates, model.nbody, &mut self.buffer, &mut self.starts);
    }

    /// Tests all pairs that may collide.
    fn search_few(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) {
        let Broad { table, boxes, candidates, .. } = self;
        Boxes::fill(boxes, model, data, table);
        let mut places = [0_u64; FEW * FEW / 2 / 64];
        let mut found = |slot1: usize, slot2: usize| {
            if rules.meet(&table.geoms[slot1], &table.geoms[slot2], false) {
                let place = table.place(slot1, slot2);
                places[place / 64] |= 1 << (place % 64);
            }
        };

        for &plane in &table.planes {
            let plane = plane as usize;
            let below = Halfspace::new(model, data, table, plane);
            let mut close = 0;
            for (i, boxes) in boxes.iter().enumerate() {
                close |= u64::from(below.reached_by(boxes)) << (BOXES * i);
            }
            for slot in ones(close & table.row(plane)) {
                found(plane, slot);
            }
        }

        for &(slot, _) in &table.bounded {
            let slot = slot as usize;
            let first = slot / BOXES;
            let from = boxes[first].at(slot % BOXES);
            let mut close = 0;
            for (i, boxes) in (first..).zip(&boxes[first..]) {
                close |= u64::from(boxes.close(from)) << (BOXES * i);
            }
            for other in ones(close & table.row(slot) & (!1 << slot)) {
                found(slot, other);
            }
        }

        for (word, pairs) in places.into_iter().zip(table.pairs.chunks(64)) {
            candidates.extend(ones(word).map(|place| pairs[place]));
        }
    }

    /// Tests those that are in the same or neighbouring cells; false if too many overlap.
    fn search_many(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) -> bool {
        let Broad { table, halves, usual, unusual, cells, near, candidates, .. } = self;
        let mut found = |slot1: u32, slot2: u32, surely: bool| {
            let (a, b) = (&table.geoms[slot1 as usize], &table.geoms[slot2 as usize]);
            if rules.meet(a, b, surely) {
                candidates.push(rules.candidate(a, b));
            }
        };

        usual.clear();
        unusual.clear();
        let limit = f64::MAX.min(UNUSUAL * median_radius(model, data, table));
        let mut largest = 0.0;
        halves.resize(table.geoms.len(), Vec3::ZERO);
        for &(slot, geom) in &table.bounded {
            let sphere = Sphere::new(model, data, geom, slot);
            halves[slot as usize] = bounding_box(model, data, geom, sphere);
            if sphere.radius <= limit {
                largest = f64::max(largest, sphere.radius);
                usual.push(sphere);
            } else {
                unusual.push(sphere);
            }
        }

        for &plane in &table.planes {
            let below = Halfspace::new(model, data, table, plane as usize);
            for &sphere in usual.iter().chain(unusual.iter()) {
                if below.reaches(sphere, halves[sphere.slot as usize])
                    && table.may_collide(rules, plane, sphere.slot)
                {
                    found(plane, sphere.slot, false);
                }
            }
        }

        let may_collide = |a: &Sphere, b: &Sphere| {
            let apart = Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z);
            !boxes_apart(apart, halves[a.slot as usize], halves[b.slot as usize])
                && table.may_collide(rules, a.slot, b.slot)
        };
        cells.fill(usual, largest);
        near.clear();
        let all = cells.search(near, model.most_pairs());
        for &[i, j] in near.iter() {
            let (a, b) = (&usual[i as usize], &usual[j as usize]);
            if may_collide(a, b) {
                found(a.slot, b.slot, a.surely_meets(*b));
            }
        }

        for (n, a) in unusual.iter().enumerate() {
            near.clear();
            cells.meet_all(*a, |j| near.push([0, j]));
            let others = near.iter().map(|&[_, j]| &usual[j as usize]);
            for b in others.chain(&unusual[n + 1..]) {
                if may_collide(a, b) {
                    found(a.slot, b.slot, false);
                }
            }
        }
        all
    }
}

/// About the median radius of bounding spheres.
fn median_radius(model: &Model, data: &Data, table: &Table) -> f64 {
    let all = &table.bounded;
    if all.is_empty() {
        return 0.0;
    }
    let mut sample: [f64; SAMPLE] = std::array::from_fn(|i| {
        let (slot, geom) = all[i * all.len() / SAMPLE];
        Sphere::new(model, data, geom, slot).radius
    });
    sample.sort_unstable_by(f64::total_cmp);
    sample[SAMPLE / 2]
}
