//! The broad phase: which geoms are close, by their bounding spheres and boxes.
//!
//! Up to [`FEW`] the boxes of all pairs are tested. Among more, pairs that are near each other are
//! kept from step to step, and only those are tested.

use super::bounds::{BOXES, Boxes, Halfspace, Sphere, bounding_box, ones};
use super::rules::{Candidate, Rules, sort};
use super::table::{FEW, Table};
use super::verlet_list::{VerletList, overlap};
use crate::math::Vec3;
use crate::memory::push;
use crate::{Data, Model};

/// Memory of the broad phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct Broad {
    table: Table,
    boxes: Vec<Boxes>,
    /// The spheres of bounded geoms, where there are many, and half the extents of their boxes.
    spheres: Vec<Sphere>,
    halves: Vec<Vec3>,
    near: VerletList,
    pub(super) candidates: Vec<Candidate>,
    buffer: Vec<Candidate>,
    starts: Vec<u32>,
}

impl Broad {
    /// Finds the candidates of all geoms but explicit pairs, in any order; false if there are more
    /// than there is room for.
    pub(super) fn search(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) -> bool {
        if self.table.update(model, rules) {
            self.near.clear();
        }
        if self.table.is_idle() {
            true
        } else if self.table.geoms.len() <= FEW {
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

    /// Tests those that are near each other; false if they are too many.
    fn search_many(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) -> bool {
        let Broad { table, spheres, halves, near, candidates, .. } = self;
        spheres.clear();
        halves.clear();
        for &(slot, geom) in &table.bounded {
            let sphere = Sphere::new(model, data, geom, slot);
            spheres.push(sphere);
            halves.push(bounding_box(model, data, geom, sphere));
        }
        // whether there is room for the pair, if it is one
        let mut found = |slot1: u32, slot2: u32, surely: bool| {
            let (a, b) = (&table.geoms[slot1 as usize], &table.geoms[slot2 as usize]);
            !rules.meet(a, b, surely) || push(candidates, rules.candidate(a, b))
        };

        for &plane in &table.planes {
            let below = Halfspace::new(model, data, table, plane as usize);
            for (&sphere, &half) in spheres.iter().zip(halves.iter()) {
                if below.reaches(sphere, half)
                    && table.may_collide(rules, plane, sphere.slot)
                    && !found(plane, sphere.slot, false)
                {
                    return false;
                }
            }
        }

        near.update(spheres, halves, model.most_pairs(), |a, b| table.may_collide(rules, a, b));
        for &[i, j] in &near.pairs {
            if overlap(spheres, halves, [i, j]) {
                let (a, b) = (spheres[i as usize], spheres[j as usize]);
                if !found(a.slot, b.slot, a.surely_meets(b)) {
                    return false;
                }
            }
        }
        near.complete
    }
}
