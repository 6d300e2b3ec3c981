//! A spatial hash of spheres of similar size.
//!
//! Cells are cubes as wide as the largest sphere, so that a sphere meets only those of its own cell
//! and the 26 around it. Cell (i, j, k) has the number (i + a·j + b·k) mod n; the constants a and b
//! keep neighbours apart and spread the cells evenly, whatever the shape of the scene. A geom that
//! has flown away costs nothing.

use std::ops::Range;

use wide::f64x4;

use super::bounds::{LANES, Quad, Sphere};
use crate::memory::reserve;

/// The steps along y and z: 1/p and 1/p^2 with p^3 = p + 1, whose sums stay far from whole numbers.
const STEPS: [f64; 2] = [0.754_877_666_246_693, 0.569_840_290_998_053];

/// The least number of cells with which neighbours differ.
const LEAST: usize = 256;

/// Slack of the width of a cell, far above rounding.
const SLACK: f64 = 1.0 + 1e-6;

/// What, added to a number, leaves the nearest whole number in the lowest bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

#[derive(Debug, Clone, Default)]
pub(super) struct SpatialHash {
    /// The numbers of spheres by cell. Those of the first two cells follow once more, and a few to
    /// fill up.
    order: Vec<u32>,
    /// The spheres in that order.
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    radius: Vec<f64>,
    /// Where each cell starts, also the first two again, with the end of the last.
    starts: Vec<u32>,
    /// The cell of each sphere.
    cell: Vec<u32>,
}

impl SpatialHash {
    /// Takes spheres that are not larger than `largest`.
    pub(super) fn fill(&mut self, spheres: &[Sphere], largest: f64) {
        let count = spheres.len().next_power_of_two().max(LEAST);
        let steps = steps(count);
        let inverse = 1.0 / (2.0 * largest * SLACK);
        let index = |coordinate: f64| (coordinate * inverse + WHOLE).to_bits() as usize;

        // count, then place from the end of each cell to its start
        let SpatialHash { order, starts, cell, .. } = self;
        starts.clear();
        starts.resize(count + 3, 0);
        cell.clear();
        cell.extend(spheres.iter().map(|sphere| {
            let (y, z) = (index(sphere.y), index(sphere.z));
            let number = index(sphere.x)
                .wrapping_add(y.wrapping_mul(steps[0]))
                .wrapping_add(z.wrapping_mul(steps[1]));
            (number & (count - 1)) as u32
        }));
        for &cell in cell.iter() {
            starts[cell as usize] += 1;
        }
        let mut end = 0;
        for start in &mut *starts {
            end += *start;
            *start = end;
        }
        order.clear();
        order.reserve(most(spheres.len()));
        order.resize(spheres.len(), 0);
        for (i, &cell) in cell.iter().enumerate() {
            let place = &mut starts[cell as usize];
            *place -= 1;
            order[*place as usize] = i as u32;
        }
        let again = starts[2] as usize;
        starts[count + 1] += starts[1];
        starts[count + 2] += starts[2];
        order.extend_from_within(..again);
        order.resize(order.len() + LANES, 0);
        self.copy(spheres);
    }

    /// Copies the spheres in order.
    fn copy(&mut self, spheres: &[Sphere]) {
        let SpatialHash { order, x, y, z, radius, .. } = self;
        let len = order.len();
        for list in [&mut *x, &mut *y, &mut *z, &mut *radius] {
            list.reserve(most(spheres.len()).saturating_sub(list.len()));
            list.resize(len, 0.0);
        }
        let lists = x.iter_mut().zip(y).zip(z).zip(radius);
        for ((((x, y), z), radius), &i) in lists.zip(&*order) {
            (*x, *y, *z, *radius) = match spheres.get(i as usize) {
                Some(sphere) => (sphere.x, sphere.y, sphere.z, sphere.radius),
                None => (0.0, 0.0, 0.0, 0.0),
            };
        }
    }

    /// Finds all pairs that overlap, or as many as there is room for: false if those are not all.
    pub(super) fn search(&self, found: &mut Vec<[u32; 2]>, most: usize) -> bool {
        let count = self.starts.len() - 3;
        // one half of the neighbours: three cells in a row from each of these, and the next one
        let [y, z] = steps(count);
        let rows = [y, z, z + y, z + count - y].map(|step| step - 1);
        let starts = &self.starts[..count + 3];
        let list = self.list();
        for cell in 0..count {
            let [start, end, next] = [0, 1, 2].map(|i| starts[cell + i] as usize);
            if start == end {
                continue;
            }
            let around = rows.map(|row| {
                let first = (cell + row) & (count - 1);
                starts[first] as usize..starts[first + 3] as usize
            });
            for i in start..end {
                // a sphere meets each other one once at most
                if found.len() + self.cell.len() > most || !reserve(found, self.cell.len()) {
                    return false;
                }
                let (from, number) = (list.at(i), list.order[i]);
                list.meet(from, i + 1..next, |other| found.push([number, other]));
                for row in &around {
                    list.meet(from, row.clone(), |other| found.push([number, other]));
                }
            }
        }
        true
    }

    /// Calls `found` with all spheres that overlap `sphere`.
    pub(super) fn meet_all(&self, sphere: Sphere, found: impl FnMut(u32)) {
        self.list().meet(sphere, 0..self.cell.len(), found);
    }

    fn list(&self) -> List<'_> {
        let len = self.order.len();
        List {
            order: &self.order[..len],
            x: &self.x[..len],
            y: &self.y[..len],
            z: &self.z[..len],
            radius: &self.radius[..len],
        }
    }
}

/// Spheres by cell, all lists of the same length.
#[derive(Clone, Copy)]
struct List<'a> {
    order: &'a [u32],
    x: &'a [f64],
    y: &'a [f64],
    z: &'a [f64],
    radius: &'a [f64],
}

impl List<'_> {
    #[inline(always)]
    fn at(self, i: usize) -> Sphere {
        Sphere { x: self.x[i], y: self.y[i], z: self.z[i], radius: self.radius[i], slot: 0 }
    }

    /// Calls `found` with those in `range` that overlap `sphere`.
    #[inline(always)]
    fn meet(self, sphere: Sphere, range: Range<usize>, mut found: impl FnMut(u32)) {
        let mut start = range.start;
        while start < range.end {
            let within = (1 << (range.end - start).min(LANES)) - 1;
            let mut close = self.close(sphere, start) & within;
            while close != 0 {
                found(self.order[start + close.trailing_zeros() as usize]);
                close &= close - 1;
            }
            start += LANES;
        }
    }

    /// Which of the [`LANES`] from `start` overlap `sphere`, as bits.
    #[inline(always)]
    fn close(self, sphere: Sphere, start: usize) -> u32 {
        let lanes = |of: &[f64]| {
            let lanes = of[start..start + LANES].first_chunk::<LANES>();
            lanes.map_or(f64x4::ZERO, |&lanes| f64x4::new(lanes))
        };
        let (x, y, z) = (lanes(self.x), lanes(self.y), lanes(self.z));
        Quad { x, y, z, radius: lanes(self.radius) }.close(sphere)
    }
}

/// The most places that spheres can need, when all are in the first two cells.
fn most(spheres: usize) -> usize {
    2 * spheres + LANES
}

/// The steps along y and z among `count` cells.
fn steps(count: usize) -> [usize; 2] {
    STEPS.map(|step| (step * count as f64) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;

    /// Spheres at any places between -`size` and `size`.
    fn scattered(count: usize, size: Vec3) -> Vec<Sphere> {
        let any = |i: usize| libm::fmod(libm::sin(i as f64 * 12.9898) * 43758.5453, 1.0);
        let sphere = |i: usize| {
            let radius = 0.5 + 0.4 * any(4 * i + 3);
            let [x, y, z] = [0, 1, 2].map(|k| size[k] * any(4 * i + k));
            Sphere { x, y, z, radius, slot: i as u32 }
        };
        (0..count).map(sphere).collect()
    }

    fn pairs(mut found: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
        found.iter_mut().for_each(|pair| pair.sort_unstable());
        found.sort_unstable();
        found
    }

    #[test]
    fn each_pair_that_is_close_is_found_once() {
        let mut cells = SpatialHash::default();
        // from one heap to far apart, flat and in a row
        let sizes = [
            [1.0; 3],
            [9.0; 3],
            [90.0; 3],
            [30.0, 30.0, 0.5],
            [0.5, 30.0, 30.0],
            [999.0, 0.5, 0.5],
        ];
        for (count, size) in [66, 400, 2000].into_iter().flat_map(|n| sizes.map(|size| (n, size))) {
            let mut all = scattered(count, Vec3::from(size));
            // some have flown away
            all[11] = Sphere { x: 1e30, y: -1e30, z: 1e12, ..all[11] };
            all[12] = Sphere { x: 1e7, y: -1e7, z: 1e5, radius: 0.9, ..all[12] };
            all[13] = Sphere { x: 1e7, y: -1e7 + 1.79, z: 1e5, radius: 0.9, ..all[13] };
            cells.fill(&all, 0.9);
            let mut found = Vec::new();
            assert!(cells.search(&mut found, usize::MAX));
            let found = found.into_iter().map(|pair| pair.map(|i| all[i as usize].slot)).collect();

            let mut expected = Vec::new();
            for (i, a) in all.iter().enumerate() {
                for b in &all[..i] {
                    let apart = Vec3::new(a.x - b.x, a.y - b.y, a.z - b.z).norm();
                    if apart <= a.radius + b.radius {
                        expected.push([a.slot, b.slot]);
                    }
                }
            }
            assert_eq!(pairs(found), pairs(expected), "{count} within {size:?}");
        }
    }

    #[test]
    fn neighbours_have_different_numbers() {
        for bits in LEAST.ilog2()..32 {
            let [y, z] = steps(1 << bits);
            let near = || -2..=2_i64;
            let zeros =
                near().flat_map(|i| near().flat_map(move |j| near().map(move |k| (i, j, k))));
            let zeros =
                zeros.filter(|(i, j, k)| (i + j * y as i64 + k * z as i64) % (1 << bits) == 0);
            assert_eq!(zeros.count(), 1, "2^{bits} cells");
        }
    }
}
