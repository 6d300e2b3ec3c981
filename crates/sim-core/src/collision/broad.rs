//! The broad phase: which geoms are close, by their bounding spheres.
//!
//! A sphere includes half the margin, so that two are close when they overlap. Up to [`FEW`] all
//! pairs are tested. Among more, spheres of usual size are sorted along x, the axis on which they
//! spread most, and meet only those within reach along x. Above [`MEDIUM`] they are sorted into
//! rows along y first, as wide as the largest of them, so that a sphere meets only those of its own
//! row and the two beside it. Rows wrap around, so that a geom that has flown away costs nothing.
//! Spheres of unusual size are tested against all.
//!
//! What is found, and not the order in which it is, depends on the state alone.

use std::ops::Range;

use wide::f64x4;

use super::rules::{Candidate, Rules, sort};
use super::table::Table;
use crate::math::Vec3;
use crate::model::Enable;
use crate::{Data, Model};

/// Number of geoms up to which all pairs are tested.
const FEW: usize = 64;

/// Number of geoms up to which the grid is a single row.
const MEDIUM: usize = 300;

/// Numbers that stand for all where an estimate will do.
const SAMPLE: usize = 16;

/// Spheres that are tested at once.
const LANES: usize = 4;

/// Spheres larger than the median by this factor are not sorted into the grid.
const UNUSUAL: f64 = 4.0;

/// Relative slack of the tests, far above rounding and far below what costs time.
const SLACK: f64 = 1.0 + 1e-9;

/// Memory of the broad phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct Broad {
    table: Table,
    quads: Vec<Quad>,
    all: Spheres,
    /// Those in the grid, row by row.
    usual: Spheres,
    /// Numbers of those that are not in the grid.
    unusual: Vec<u32>,
    grid: Grid,
    pub(super) candidates: Vec<Candidate>,
    buffer: Vec<Candidate>,
    starts: Vec<u32>,
}

impl Broad {
    /// Finds the candidates of all geoms but explicit pairs, in any order.
    pub(super) fn search(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) {
        self.table.update(model, rules);
        if self.table.geoms.len() <= FEW {
            self.search_few(model, data, rules);
        } else {
            self.search_many(model, data, rules);
        }
    }

    /// Brings the candidates into order.
    pub(super) fn sort(&mut self, model: &Model) {
        sort(&mut self.candidates, model.nbody, &mut self.buffer, &mut self.starts);
    }

    /// Tests all pairs that may collide.
    fn search_few(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) {
        let Broad { table, quads, candidates, .. } = self;
        Quad::fill(quads, model, data, table);
        let mut found = |slot1: usize, slot2: usize, surely: bool| {
            let (a, b) = (&table.geoms[slot1], &table.geoms[slot2]);
            candidates.extend(rules.candidate(a, b, surely));
        };
        let at = |slot: usize| quads[slot / LANES].at(slot % LANES);

        for &plane in &table.planes {
            let level = Level::new(model, data, table, plane);
            for slot in ones(table.row(plane as usize)) {
                if level.reaches(at(slot)) {
                    found(plane as usize, slot, false);
                }
            }
        }

        for &slot in &table.bounded {
            let slot = slot as usize;
            let from = at(slot);
            let mut left = table.row(slot) & (!1 << slot);
            while left != 0 {
                let quad = left.trailing_zeros() as usize / LANES;
                let block = ((1 << LANES) - 1) << (quad * LANES);
                let close = u64::from(quads[quad].close(from)) << (quad * LANES);
                for other in ones(left & block & close) {
                    found(slot, other, from.surely_meets(at(other)));
                }
                left &= !block;
            }
        }
    }

    fn search_many(&mut self, model: &Model, data: &Data, rules: &Rules<'_>) {
        let Broad { table, all, usual, unusual, grid, candidates, .. } = self;
        all.fill_bounded(model, data, table);
        let mut found = |slot1: u32, slot2: u32, surely: bool| {
            if table.may_collide(rules, slot1, slot2) {
                let (a, b) = (&table.geoms[slot1 as usize], &table.geoms[slot2 as usize]);
                candidates.extend(rules.candidate(a, b, surely));
            }
        };

        for &plane in &table.planes {
            let level = Level::new(model, data, table, plane);
            for i in (0..all.len()).filter(|&i| level.reaches(all.at(i))) {
                found(plane, all.slot[i], false);
            }
        }

        all.turn();
        let limit = UNUSUAL * all.median_radius();
        let largest = grid.choose(all, limit, unusual);
        grid.sort(all, largest, usual);
        grid.search(usual, |sphere, i| {
            let other = usual.at(i);
            found(sphere.slot, other.slot, sphere.surely_meets(other));
        });
        for (n, &i) in unusual.iter().enumerate() {
            let from = all.at(i as usize);
            usual.meet(from, 0..usual.len(), f64::INFINITY, &mut |_, j| {
                found(from.slot, usual.slot[j], false);
            });
            for &j in &unusual[n + 1..] {
                found(from.slot, all.slot[j as usize], false);
            }
        }
    }
}

/// The places of the bits that are set.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < 64).then_some(place)
    })
}

/// A plane and its part of the margin.
struct Level {
    pos: Vec3,
    normal: Vec3,
    margin: f64,
}

impl Level {
    fn new(model: &Model, data: &Data, table: &Table, slot: u32) -> Level {
        let geom = table.geoms[slot as usize].geom as usize;
        Level {
            pos: data.geom_xpos[geom],
            normal: data.geom_xmat[geom].column(2),
            margin: half_margin(model, geom),
        }
    }

    /// Whether a sphere reaches below the plane.
    #[inline]
    fn reaches(&self, sphere: Sphere) -> bool {
        let offset = Vec3::new(sphere.x, sphere.y, sphere.z) - self.pos;
        let above = offset.dot(self.normal) > sphere.radius * SLACK + self.margin;
        // what is not a number counts as close
        !above
    }
}

/// What a geom adds to the distance below which it is in contact.
fn half_margin(model: &Model, geom: usize) -> f64 {
    match model.enabled(Enable::Override) {
        true => 0.5 * model.opt.o_margin,
        false => model.geom_margin[geom],
    }
}

#[derive(Debug, Clone, Copy)]
struct Sphere {
    x: f64,
    y: f64,
    z: f64,
    radius: f64,
    slot: u32,
}

impl Sphere {
    /// The bounding sphere of the geom in `slot`.
    #[inline]
    fn new(model: &Model, data: &Data, table: &Table, slot: u32) -> Sphere {
        let geom = table.geoms[slot as usize].geom as usize;
        let bound = model.geom_rbound[geom];
        let pos = data.geom_xpos[geom];
        // without a bound there is no telling where the geom ends
        let radius = if bound > 0.0 { bound + half_margin(model, geom) } else { f64::INFINITY };
        Sphere { x: pos.x, y: pos.y, z: pos.z, radius, slot }
    }

    /// Whether two spheres overlap by more than rounding, also that of single precision.
    #[inline]
    fn surely_meets(self, other: Sphere) -> bool {
        const SINGLE: f64 = 4.0 * f32::EPSILON as f64;
        let (dx, dy, dz) = (other.x - self.x, other.y - self.y, other.z - self.z);
        let reach = self.radius + other.radius;
        let depth = reach - SINGLE * (self.x.abs() + self.y.abs() + self.z.abs() + reach);
        depth > 0.0 && dx * dx + dy * dy + dz * dz < depth * depth
    }
}

/// Spheres that are tested at once.
#[derive(Debug, Clone, Copy)]
struct Quad {
    x: f64x4,
    y: f64x4,
    z: f64x4,
    radius: f64x4,
}

impl Quad {
    /// Takes the bounding spheres of the geoms of all slots, and of some twice to fill up.
    fn fill(quads: &mut Vec<Quad>, model: &Model, data: &Data, table: &Table) {
        quads.clear();
        let last = table.geoms.len().saturating_sub(1);
        for first in (0..table.geoms.len()).step_by(LANES) {
            let spheres: [Sphere; LANES] = std::array::from_fn(|k| {
                Sphere::new(model, data, table, (first + k).min(last) as u32)
            });
            quads.push(Quad {
                x: f64x4::new(spheres.map(|sphere| sphere.x)),
                y: f64x4::new(spheres.map(|sphere| sphere.y)),
                z: f64x4::new(spheres.map(|sphere| sphere.z)),
                radius: f64x4::new(spheres.map(|sphere| sphere.radius)),
            });
        }
    }

    #[inline]
    fn at(&self, lane: usize) -> Sphere {
        let of = |lanes: &f64x4| lanes.as_array()[lane];
        let [x, y, z, radius] = [&self.x, &self.y, &self.z, &self.radius].map(of);
        Sphere { x, y, z, radius, slot: 0 }
    }

    /// Which of them overlap `sphere`, as bits; what is not a number counts as close.
    #[inline(always)]
    fn close(&self, sphere: Sphere) -> u32 {
        let dx = self.x - f64x4::splat(sphere.x);
        let dy = self.y - f64x4::splat(sphere.y);
        let dz = self.z - f64x4::splat(sphere.z);
        let reach = (self.radius + f64x4::splat(sphere.radius)) * f64x4::splat(SLACK);
        let apart = (dx * dx + dy * dy + dz * dz).simd_gt(reach * reach);
        !apart.to_bitmask() & ((1 << LANES) - 1)
    }
}

/// Spheres, one array per coordinate.
#[derive(Debug, Clone, Default)]
struct Spheres {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    radius: Vec<f64>,
    slot: Vec<u32>,
}

impl Spheres {
    fn len(&self) -> usize {
        self.slot.len()
    }

    fn resize(&mut self, len: usize) {
        self.x.resize(len, 0.0);
        self.y.resize(len, 0.0);
        self.z.resize(len, 0.0);
        self.radius.resize(len, 0.0);
        self.slot.resize(len, 0);
    }

    #[inline]
    fn set(&mut self, i: usize, sphere: Sphere) {
        self.x[i] = sphere.x;
        self.y[i] = sphere.y;
        self.z[i] = sphere.z;
        self.radius[i] = sphere.radius;
        self.slot[i] = sphere.slot;
    }

    #[inline]
    fn at(&self, i: usize) -> Sphere {
        Sphere {
            x: self.x[i],
            y: self.y[i],
            z: self.z[i],
            radius: self.radius[i],
            slot: self.slot[i],
        }
    }

    /// Takes the bounding spheres of all geoms but planes.
    fn fill_bounded(&mut self, model: &Model, data: &Data, table: &Table) {
        self.resize(table.bounded.len());
        for (i, &slot) in table.bounded.iter().enumerate() {
            self.set(i, Sphere::new(model, data, table, slot));
        }
    }

    /// Which of the [`LANES`] from `start` overlap `sphere`, as bits.
    #[inline(always)]
    fn close(&self, sphere: Sphere, start: usize) -> u32 {
        let lanes = |of: &[f64]| match of[start..].first_chunk::<LANES>() {
            Some(&lanes) => f64x4::new(lanes),
            None => f64x4::ZERO,
        };
        let (x, y, z) = (lanes(&self.x), lanes(&self.y), lanes(&self.z));
        Quad { x, y, z, radius: lanes(&self.radius) }.close(sphere)
    }

    /// Calls `found` for those in `range` that overlap `sphere`, and may stop where x is above
    /// `limit`.
    #[inline]
    fn meet(
        &self,
        sphere: Sphere,
        range: Range<usize>,
        limit: f64,
        found: &mut impl FnMut(Sphere, usize),
    ) {
        let mut start = range.start;
        while start + LANES <= range.end {
            if self.x[start] > limit {
                return;
            }
            let mut close = self.close(sphere, start);
            while close != 0 {
                found(sphere, start + close.trailing_zeros() as usize);
                close &= close - 1;
            }
            start += LANES;
        }
        for i in start..range.end {
            if overlap(sphere, self.x[i], self.y[i], self.z[i], self.radius[i]) {
                found(sphere, i);
            }
        }
    }

    /// Exchanges axes such that most spheres spread most along x, and more along y than along z.
    fn turn(&mut self) {
        let spread = |of: &[f64]| {
            let sample = sample(of);
            sample[3 * SAMPLE / 4] - sample[SAMPLE / 4]
        };
        let (x, mut y, mut z) = (spread(&self.x), spread(&self.y), spread(&self.z));
        if y > x && y >= z {
            std::mem::swap(&mut self.x, &mut self.y);
            y = x;
        } else if z > x {
            std::mem::swap(&mut self.x, &mut self.z);
            z = x;
        }
        if z > y {
            std::mem::swap(&mut self.y, &mut self.z);
        }
    }

    /// About the median radius.
    fn median_radius(&self) -> f64 {
        sample(&self.radius)[SAMPLE / 2]
    }
}

/// Some of many numbers, in order.
fn sample(of: &[f64]) -> [f64; SAMPLE] {
    let mut sample = std::array::from_fn(|i| of[i * of.len() / SAMPLE]);
    sample.sort_unstable_by(f64::total_cmp);
    sample
}

/// Whether two spheres overlap; what is not a number counts as close.
#[inline(always)]
fn overlap(sphere: Sphere, x: f64, y: f64, z: f64, radius: f64) -> bool {
    let (dx, dy, dz) = (x - sphere.x, y - sphere.y, z - sphere.z);
    let reach = (radius + sphere.radius) * SLACK;
    let apart = dx * dx + dy * dy + dz * dz > reach * reach;
    !apart
}

/// Spheres in rows along y, each sorted along x.
#[derive(Debug, Clone, Default)]
struct Grid {
    /// Those in the grid, in the order of the last time: nearly sorted.
    order: Vec<u32>,
    sorted: Vec<u32>,
    chosen: Vec<bool>,
    /// Where each row starts, with the end of the last.
    starts: Vec<u32>,
    row: Vec<u32>,
    /// The number of rows is `1 << bits`.
    bits: u32,
    /// The largest radius.
    largest: f64,
}

impl Grid {
    /// Divides the spheres into those of the grid and others, and returns the largest radius in
    /// the grid.
    fn choose(&mut self, all: &Spheres, limit: f64, unusual: &mut Vec<u32>) -> f64 {
        let mut largest = 0.0;
        let mut count = 0;
        unusual.clear();
        self.chosen.clear();
        for (i, &radius) in all.radius.iter().enumerate() {
            let chosen = radius <= limit && radius.is_finite();
            self.chosen.push(chosen);
            if chosen {
                largest = f64::max(largest, radius);
                count += 1;
            } else {
                unusual.push(i as u32);
            }
        }
        let same = self.order.len() == count
            && self.order.iter().all(|&i| self.chosen.get(i as usize) == Some(&true));
        if !same {
            let chosen = &self.chosen;
            self.order.clear();
            self.order.extend((0..all.len() as u32).filter(|&i| chosen[i as usize]));
        }
        largest
    }

    /// Writes the spheres of the grid, the largest of radius `largest`, to `into`, row by row.
    fn sort(&mut self, all: &Spheres, largest: f64, into: &mut Spheres) {
        self.largest = largest;
        // one row, or as many as there would be spheres in each, and at least four
        let count = self.order.len();
        self.bits = if count <= MEDIUM { 0 } else { (count.ilog2() / 2).clamp(2, 12) };
        if self.bits == 0 {
            sort_along(&mut self.order, &all.x);
        } else {
            self.sort_rows(all);
        }
        into.resize(count);
        for (to, &i) in self.order.iter().enumerate() {
            into.set(to, all.at(i as usize));
        }
    }

    fn sort_rows(&mut self, all: &Spheres) {
        let Grid { order, sorted, starts, row, bits, .. } = self;
        let side = 1_i64 << *bits;
        let width = 2.0 * self.largest * SLACK;
        let index = |coordinate: f64| ((coordinate / width).floor() as i64 & (side - 1)) as u32;

        // count, then place
        starts.clear();
        starts.resize(side as usize + 1, 0);
        row.clear();
        row.resize(all.len(), 0);
        for &i in order.iter() {
            let i = i as usize;
            row[i] = index(all.y[i]);
            starts[row[i] as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        sorted.clear();
        sorted.resize(order.len(), 0);
        for &i in order.iter() {
            let next = &mut starts[row[i as usize] as usize];
            sorted[*next as usize] = i;
            *next += 1;
        }
        // each start has moved on to the next
        for i in (1..starts.len()).rev() {
            starts[i] = starts[i - 1];
        }
        starts[0] = 0;
        for i in 1..starts.len() {
            sort_along(&mut sorted[starts[i - 1] as usize..starts[i] as usize], &all.x);
        }
        std::mem::swap(order, sorted);
    }

    /// Calls `found` for all pairs that overlap.
    fn search(&self, spheres: &Spheres, mut found: impl FnMut(Sphere, usize)) {
        if self.bits == 0 {
            return self.within(spheres, 0..spheres.len(), &mut found);
        }
        let rows = 1 << self.bits;
        for row in 0..rows {
            let (here, there) = (self.row(row), self.row((row + 1) & (rows - 1)));
            self.within(spheres, here.clone(), &mut found);
            self.between(spheres, here, there, &mut found);
        }
    }

    fn row(&self, row: usize) -> Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }

    /// How far from its centre along x a sphere can meet others of the grid.
    fn reach(&self, sphere: Sphere) -> f64 {
        (sphere.radius + self.largest) * SLACK
    }

    /// Calls `found` for pairs in one row.
    fn within(&self, spheres: &Spheres, row: Range<usize>, found: &mut impl FnMut(Sphere, usize)) {
        for i in row.clone() {
            let from = spheres.at(i);
            spheres.meet(from, i + 1..row.end, from.x + self.reach(from), found);
        }
    }

    /// Calls `found` for pairs in two rows.
    fn between(
        &self,
        spheres: &Spheres,
        here: Range<usize>,
        there: Range<usize>,
        found: &mut impl FnMut(Sphere, usize),
    ) {
        let width = 2.0 * self.largest * SLACK;
        let mut start = there.start;
        for i in here {
            let from = spheres.at(i);
            while start < there.end && spheres.x[start] < from.x - width {
                start += 1;
            }
            spheres.meet(from, start..there.end, from.x + self.reach(from), found);
        }
    }
}

/// Sorts by `key`, in a time that is linear if the order is nearly right.
fn sort_along(items: &mut [u32], key: &[f64]) {
    let of = |item: u32| key[item as usize];
    let mut moves = 8 * items.len();
    for i in 1..items.len() {
        let mut j = i;
        while j > 0 && of(items[j - 1]) > of(items[j]) {
            items.swap(j - 1, j);
            j -= 1;
        }
        if i - j > moves {
            items.sort_unstable_by(|&a, &b| of(a).total_cmp(&of(b)));
            return;
        }
        moves -= i - j;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spheres at any places between -`size` and `size`, a few of them large.
    fn scattered(count: usize, size: f64) -> Spheres {
        let any = |i: usize| libm::fmod(libm::sin(i as f64 * 12.9898) * 43758.5453, 1.0);
        let mut spheres = Spheres::default();
        spheres.resize(count);
        for i in 0..count {
            let radius = if i % 50 == 7 { 20.0 } else { 0.5 + 0.4 * any(4 * i + 3) };
            let [x, y, z] = [0, 1, 2].map(|k| size * any(4 * i + k));
            spheres.set(i, Sphere { x, y, z, radius, slot: i as u32 });
        }
        spheres
    }

    fn pairs(mut found: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
        found.iter_mut().for_each(|pair| pair.sort_unstable());
        found.sort_unstable();
        found
    }

    #[test]
    fn the_grid_finds_each_pair_that_is_close_once() {
        let (mut grid, mut usual, mut unusual) = <(Grid, Spheres, Vec<u32>)>::default();
        // from one heap to far apart, with one that has flown away; then the same again
        for (count, size) in [(400, 1.0), (400, 9.0), (2000, 3.0), (2000, 90.0), (2000, 9.0)] {
            let mut all = scattered(count, size);
            all.set(11, Sphere { x: 1e30, y: -1e30, z: 1e12, ..all.at(11) });
            let largest = grid.choose(&all, UNUSUAL * all.median_radius(), &mut unusual);
            assert_eq!(unusual.len(), count / 50);
            grid.sort(&all, largest, &mut usual);
            let mut found = Vec::new();
            grid.search(&usual, |sphere, i| found.push([sphere.slot, usual.slot[i]]));

            let mut expected = Vec::new();
            for i in 0..usual.len() {
                for j in 0..i {
                    let (a, b) = (usual.at(i), usual.at(j));
                    let apart = Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z).norm();
                    if apart <= a.radius + b.radius {
                        expected.push([a.slot, b.slot]);
                    }
                }
            }
            assert_eq!(pairs(found), pairs(expected), "{count} within {size}");
        }
    }

    #[test]
    fn a_few_moves_and_a_reversal_both_sort() {
        for reversed in [false, true] {
            let key: Vec<f64> = (0..500).map(|i| f64::from(i ^ 3)).collect();
            let mut items: Vec<u32> = (0..500).collect();
            if reversed {
                items.reverse();
            }
            sort_along(&mut items, &key);
            assert!(items.is_sorted_by_key(|&item| key[item as usize]));
        }
    }
}
