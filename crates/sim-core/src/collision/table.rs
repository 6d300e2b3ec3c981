//! What can be known about pairs of geoms before they move.

use super::rules::{Rules, Traits};
use crate::Model;
use crate::model::GeomType;

/// Number of geoms up to which the answer for each pair is kept.
const MANY: usize = 512;

/// The geoms that can collide, by slot, and which pairs of them may. Made anew when anything that
/// it follows from has changed.
#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    /// The geom in each slot.
    pub(super) geoms: Vec<Traits>,
    /// Slots of planes.
    pub(super) planes: Vec<u32>,
    /// Slots of other geoms.
    pub(super) bounded: Vec<u32>,
    /// A bit for each pair of slots that may collide; empty where there are too many.
    bits: Vec<u64>,
    /// Words of `bits` for each slot.
    words: usize,
    /// The first 64 slots that are not of planes.
    bounded_bits: u64,
    /// What the table was made from, one after the other.
    seen: Vec<i32>,
    flags: i32,
}

/// What decides on pairs, apart from [`Rules::flags`].
fn inputs(model: &Model) -> [&[i32]; 13] {
    [
        &model.geom_type,
        &model.geom_contype,
        &model.geom_conaffinity,
        &model.geom_bodyid,
        &model.body_contype,
        &model.body_conaffinity,
        &model.body_weldid,
        &model.body_parentid,
        &model.body_geomnum,
        &model.exclude_signature,
        &model.pair_signature,
        &model.pair_geom1,
        &model.pair_geom2,
    ]
}

impl Table {
    /// Brings the table up to date.
    pub(super) fn update(&mut self, model: &Model, rules: &Rules<'_>) {
        if !self.is_current(model, rules) {
            self.make(model, rules);
        }
    }

    fn is_current(&self, model: &Model, rules: &Rules<'_>) -> bool {
        let mut rest = &self.seen[..];
        for list in inputs(model) {
            match rest.split_at_checked(list.len()) {
                Some((seen, left)) if seen == list => rest = left,
                _ => return false,
            }
        }
        rest.is_empty() && !self.seen.is_empty() && self.flags == rules.flags()
    }

    #[cold]
    fn make(&mut self, model: &Model, rules: &Rules<'_>) {
        self.seen.clear();
        self.seen.extend(inputs(model).into_iter().flatten());
        self.flags = rules.flags();

        self.geoms.clear();
        self.planes.clear();
        self.bounded.clear();
        for geom in (0..model.ngeom).filter(|&geom| rules.is_collidable(geom)) {
            let plane = model.geom_type[geom] == GeomType::Plane as i32;
            let list = if plane { &mut self.planes } else { &mut self.bounded };
            list.push(self.geoms.len() as u32);
            self.geoms.push(rules.traits(geom));
        }

        let first = self.bounded.iter().filter(|&&slot| slot < 64);
        self.bounded_bits = first.fold(0, |bits, slot| bits | 1 << slot);
        self.bits.clear();
        let count = self.geoms.len();
        if count <= MANY {
            self.words = count.div_ceil(64);
            self.bits.resize(count * self.words, 0);
            for (i, a) in self.geoms.iter().enumerate() {
                for (j, b) in self.geoms.iter().enumerate() {
                    let may = rules.may_collide(a, b);
                    self.bits[i * self.words + j / 64] |= u64::from(may) << (j % 64);
                }
            }
        }
    }

    /// The slots, of no more than 64, whose geoms may collide with that in `slot` and are no planes.
    #[inline]
    pub(super) fn row(&self, slot: usize) -> u64 {
        self.bits[slot] & self.bounded_bits
    }

    /// Whether the geoms in two slots may collide.
    #[inline]
    pub(super) fn may_collide(&self, rules: &Rules<'_>, slot1: u32, slot2: u32) -> bool {
        let (i, j) = (slot1 as usize, slot2 as usize);
        match self.bits.get(i * self.words + j / 64) {
            Some(word) => word >> (j % 64) & 1 != 0,
            None => rules.may_collide(&self.geoms[i], &self.geoms[j]),
        }
    }
}
