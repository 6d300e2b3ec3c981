//! What can be known about pairs of geoms before they move.

use super::rules::{Candidate, Rules, Traits};
use crate::Model;
use crate::data::same;
use crate::model::GeomType;

/// Number of geoms up to which the candidate of each pair is kept.
pub(super) const FEW: usize = 64;

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
    /// Slots of other geoms, and the geoms.
    pub(super) bounded: Vec<(u32, u32)>,
    /// A bit for each pair of slots that may collide; empty where there are too many.
    bits: Vec<u64>,
    /// Words of `bits` for each slot.
    words: usize,
    idle: bool,
    /// The first 64 slots that are not of planes.
    bounded_bits: u64,
    /// The candidates of all pairs of few geoms, in order, and the place there of each two slots.
    pub(super) pairs: Vec<Candidate>,
    places: Vec<u16>,
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
    /// Brings the table up to date, and returns whether it has changed.
    pub(super) fn update(&mut self, model: &Model, rules: &Rules<'_>) -> bool {
        let stale = !self.is_current(model, rules);
        if stale {
            self.make(model, rules);
        }
        stale
    }

    fn is_current(&self, model: &Model, rules: &Rules<'_>) -> bool {
        let mut rest = &self.seen[..];
        for list in inputs(model) {
            match rest.split_at_checked(list.len()) {
                Some((seen, left)) if same(seen, list) => rest = left,
                _ => return false,
            }
        }
        rest.is_empty() && !self.seen.is_empty() && self.flags == rules.flags()
    }

    #[cold]
    fn make(&mut self, model: &Model, rules: &Rules<'_>) {
        self.seen.clear();
        for (geom, &kind) in model.geom_type.iter().enumerate() {
            assert!(GeomType::from_i32(kind).is_some(), "geom {geom} is of unknown type {kind}");
        }
        self.seen.extend(inputs(model).into_iter().flatten());
        self.flags = rules.flags();

        self.geoms.clear();
        self.planes.clear();
        self.bounded.clear();
        for geom in (0..model.ngeom).filter(|&geom| rules.is_collidable(geom)) {
            let slot = self.geoms.len() as u32;
            if model.geom_type[geom] == GeomType::Plane as i32 {
                self.planes.push(slot);
            } else {
                self.bounded.push((slot, geom as u32));
            }
            self.geoms.push(rules.traits(geom));
        }

        self.pairs.clear();
        self.places.clear();
        if self.geoms.len() <= FEW {
            self.number_pairs(rules);
        }

        let slots = self.bounded.iter().map(|&(slot, _)| slot);
        self.bounded_bits = slots.filter(|&slot| slot < 64).fold(0, |bits, slot| bits | 1 << slot);
        self.bits.clear();
        self.idle = false;
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
            self.idle = self.bits.iter().all(|&word| word == 0);
        }
    }

    fn number_pairs(&mut self, rules: &Rules<'_>) {
        let Table { geoms, pairs, places, .. } = self;
        let candidate = |(i, j): (usize, usize)| rules.candidate(&geoms[i], &geoms[j]);
        let count = geoms.len();
        let mut slots: Vec<_> = (0..count).flat_map(|j| (0..j).map(move |i| (i, j))).collect();
        slots.sort_unstable_by_key(|&slots| candidate(slots));
        places.resize(count * count, 0);
        for (place, &(i, j)) in slots.iter().enumerate() {
            pairs.push(candidate((i, j)));
            places[i * count + j] = place as u16;
            places[j * count + i] = place as u16;
        }
    }

    /// The place of two slots, of no more than [`FEW`], in `pairs`.
    #[inline]
    pub(super) fn place(&self, slot1: usize, slot2: usize) -> usize {
        usize::from(self.places[slot1 * self.geoms.len() + slot2])
    }

    /// Whether no two geoms may collide, as far as that is known.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.idle
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
