//! Which geoms may collide, and the order of their contacts.

use super::params::{geom_margin, pair_margin};
use super::sweep::Sweep;
use crate::math::Vec3;
use crate::memory::reserve;
use crate::model::{Disable, Enable, GeomType, SleepState};
use crate::{Data, Model};

/// Two geoms that may touch. Candidates sort in the order of contacts: by bodies; among those of
/// two bodies explicit pairs come first, and the other geoms follow by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Candidate(u128);

impl Candidate {
    fn new(bodies: [u32; 2], objects: [u32; 2]) -> Candidate {
        let [a, b, c, d] = [bodies[0], bodies[1], objects[0], objects[1]].map(u128::from);
        Candidate(a << 96 | b << 64 | c << 32 | d)
    }

    /// Explicit pair number `pair`, after body pairs before `signature`.
    fn pair(signature: u32, pair: usize) -> Candidate {
        Candidate::new([signature >> 16, signature & 0xffff], [0, pair as u32])
    }

    /// A body or flex and a flex; flexes are numbered after the bodies.
    pub(super) fn of_flex(first: usize, second: usize) -> Candidate {
        Candidate::new([first as u32, second as u32], [u32::MAX, 0])
    }

    /// What the candidate stands for.
    pub(super) fn content(self) -> Content {
        let (first, second) = ((self.0 >> 32) as u32, self.0 as u32);
        match first {
            0 => Content::Pair(second as usize),
            u32::MAX => Content::Flex((self.0 >> 96) as usize, (self.0 >> 64) as u32 as usize),
            _ => Content::Geoms(first as usize - 1, second as usize),
        }
    }
}

/// Sorts candidates; `buffer` and `starts` are scratch.
pub(super) fn sort(
    candidates: &mut Vec<Candidate>,
    nbody: usize,
    buffer: &mut Vec<Candidate>,
    starts: &mut Vec<u32>,
) {
    /// Number up to which counting does not pay.
    const FEW: usize = 64;
    if candidates.is_sorted() {
        return;
    }
    buffer.clear();
    if candidates.len() <= FEW || !reserve(buffer, candidates.len()) {
        candidates.sort_unstable();
        return;
    }

    // by the first body, which is counted; then the few of each
    let first = |candidate: &Candidate| ((candidate.0 >> 96) as usize).min(nbody);
    starts.clear();
    starts.resize(nbody + 2, 0);
    for candidate in candidates.iter() {
        starts[first(candidate) + 1] += 1;
    }
    for i in 1..starts.len() {
        starts[i] += starts[i - 1];
    }
    buffer.resize(candidates.len(), Candidate(0));
    for candidate in candidates.iter() {
        let next = &mut starts[first(candidate)];
        buffer[*next as usize] = *candidate;
        *next += 1;
    }
    // each start has moved on to the end
    let mut start = 0;
    for &end in starts.iter() {
        buffer[start..end as usize].sort_unstable();
        start = end as usize;
    }
    std::mem::swap(candidates, buffer);
}

/// What is to be known of a geom to tell with which others it may collide.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    pub(super) geom: u32,
    kind: i32,
    contype: i32,
    conaffinity: i32,
    body: u32,
    body_contype: i32,
    body_conaffinity: i32,
    /// The body that it is welded to, and the one that the parent of that is welded to.
    weld: i32,
    weld_parent: i32,
    /// Whether it is the only geom of its body.
    single: bool,
}

/// What a [`Candidate`] stands for.
pub(super) enum Content {
    Geoms(usize, usize),
    Pair(usize),
    /// A body or flex and a flex; flexes are numbered after the bodies.
    Flex(usize, usize),
}

/// The rules that hold during one step.
pub(super) struct Rules<'a> {
    model: &'a Model,
    data: &'a Data,
    /// Whether the masks of geoms count; otherwise a user decides.
    masks: bool,
    /// Whether some bodies are asleep.
    sleep: bool,
    /// Whether bodies do not collide with their parents.
    parents: bool,
    midphase: bool,
    sweep: Sweep<'a>,
}

impl<'a> Rules<'a> {
    pub(super) fn new(model: &'a Model, data: &'a Data, masks: bool) -> Rules<'a> {
        Rules {
            model,
            data,
            masks,
            sleep: model.enabled(Enable::Sleep) && data.nbody_awake < model.nbody,
            parents: !model.disabled(Disable::FilterParent),
            midphase: !model.disabled(Disable::MidPhase),
            sweep: Sweep::new(model, data),
        }
    }

    /// What of the options decides on pairs before they move.
    pub(super) fn flags(&self) -> i32 {
        i32::from(self.masks) | i32::from(self.parents) << 1 | i32::from(self.midphase) << 2
    }

    /// Whether a geom can collide with any other.
    pub(super) fn is_collidable(&self, geom: usize) -> bool {
        let model = self.model;
        if self.masks {
            model.geom_contype[geom] | model.geom_conaffinity[geom] != 0
        } else {
            let body = model.geom_bodyid[geom] as usize;
            model.body_contype[body] | model.body_conaffinity[body] != 0
        }
    }

    pub(super) fn traits(&self, geom: usize) -> Traits {
        let model = self.model;
        let body = model.geom_bodyid[geom] as usize;
        let weld = model.body_weldid[body];
        Traits {
            geom: geom as u32,
            kind: model.geom_type[geom],
            contype: model.geom_contype[geom],
            conaffinity: model.geom_conaffinity[geom],
            body: body as u32,
            body_contype: model.body_contype[body],
            body_conaffinity: model.body_conaffinity[body],
            weld,
            weld_parent: model.body_weldid[model.body_parent(weld as usize)],
            single: model.body_geomnum[body] == 1,
        }
    }

    /// Whether two geoms may collide, wherever they are.
    pub(super) fn may_collide(&self, a: &Traits, b: &Traits) -> bool {
        let masks = |t: &Traits| (t.contype, t.conaffinity);
        if self.masks && !match_masks(masks(a), masks(b)) {
            return false;
        }
        let body_masks = |t: &Traits| (t.body_contype, t.body_conaffinity);
        if a.weld == b.weld || !match_masks(body_masks(a), body_masks(b)) {
            return false;
        }
        let kin = a.weld == b.weld_parent || b.weld == a.weld_parent;
        if self.parents && kin && a.weld != 0 && b.weld != 0 {
            return false;
        }
        !self.is_excluded(a, b) && !self.is_explicit(a, b)
    }

    /// Whether two geoms that may collide are close and not both at rest. `surely` tells that they
    /// are close without doubt.
    #[inline]
    pub(super) fn meet(&self, a: &Traits, b: &Traits, surely: bool) -> bool {
        !(self.sleep && self.is_still(a) && self.is_still(b)) && (surely || self.are_close(a, b))
    }

    /// The candidate of two geoms.
    #[inline]
    pub(super) fn candidate(&self, a: &Traits, b: &Traits) -> Candidate {
        let (a, b) = in_order(a, b);
        // contacts of bodies with several geoms come sorted as they list their geoms
        let swapped = self.midphase && !(a.single && b.single) && a.kind > b.kind;
        let (first, second) = if swapped { (b.geom, a.geom) } else { (a.geom, b.geom) };
        Candidate::new([a.body, b.body], [first + 1, second])
    }

    /// Whether the reference takes a pair to be close.
    fn are_close(&self, a: &Traits, b: &Traits) -> bool {
        let (a, b) = in_order(a, b);
        let (geom1, geom2) = (a.geom as usize, b.geom as usize);
        match reach(self.model, self.data, geom1, geom2, geom_margin(self.model, geom1, geom2)) {
            Reach::Beyond => false,
            Reach::Uncertain => self.sweep.finds(a.body as usize, b.body as usize),
            Reach::Within => true,
        }
    }

    /// The candidates of explicit pairs whose bounding spheres are close.
    pub(super) fn explicit(&self, found: &mut Vec<Candidate>) {
        let model = self.model;
        let mut signature = 0;
        for pair in 0..model.npair {
            signature = signature.max(model.pair_signature[pair] as u32);
            let (geom1, geom2) = model.pair_geoms(pair);
            let awake = |geom: usize| {
                let body = model.geom_bodyid[geom] as usize;
                self.data.body_awake[body] == SleepState::Awake as i32
            };
            if model.enabled(Enable::Sleep) && !awake(geom1) && !awake(geom2) {
                continue;
            }
            let (geom1, geom2) = by_type(model, geom1, geom2);
            match reach(model, self.data, geom1, geom2, pair_margin(model, pair)) {
                Reach::Beyond => {}
                Reach::Uncertain | Reach::Within => found.push(Candidate::pair(signature, pair)),
            }
        }
    }

    /// Whether the body of a geom is asleep or static.
    fn is_still(&self, a: &Traits) -> bool {
        a.weld == 0 || self.data.body_awake[a.body as usize] == SleepState::Asleep as i32
    }

    /// Whether the bodies of two geoms are excluded.
    fn is_excluded(&self, a: &Traits, b: &Traits) -> bool {
        let list = &self.model.exclude_signature;
        !list.is_empty() && list.binary_search_by_key(&signature(a, b), |&id| id as u32).is_ok()
    }

    /// Whether there is an explicit pair of two geoms.
    fn is_explicit(&self, a: &Traits, b: &Traits) -> bool {
        let model = self.model;
        if model.npair == 0 {
            return false;
        }
        let key = signature(a, b);
        let start = model.pair_signature.partition_point(|&other| (other as u32) < key);
        let (geom1, geom2) = (a.geom as usize, b.geom as usize);
        (start..model.npair).take_while(|&pair| model.pair_signature[pair] as u32 == key).any(
            |pair| {
                let geoms = model.pair_geoms(pair);
                geoms == (geom1, geom2) || geoms == (geom2, geom1)
            },
        )
    }
}

/// Two geoms by body, and by number in one body.
#[inline]
fn in_order<'a>(a: &'a Traits, b: &'a Traits) -> (&'a Traits, &'a Traits) {
    if (a.body, a.geom) > (b.body, b.geom) { (b, a) } else { (a, b) }
}

/// What identifies the bodies of two geoms in the tables of explicit and excluded pairs.
fn signature(a: &Traits, b: &Traits) -> u32 {
    (a.body.min(b.body) << 16).wrapping_add(a.body.max(b.body))
}

/// Whether either type is among what the other has an affinity to.
pub(super) fn match_masks((type1, affinity1): (i32, i32), (type2, affinity2): (i32, i32)) -> bool {
    type1 & affinity2 != 0 || type2 & affinity1 != 0
}

/// Two geoms in the order in which a contact lists them: by type, equal types as they come.
pub(super) fn by_type(model: &Model, geom1: usize, geom2: usize) -> (usize, usize) {
    if model.geom_type[geom1] > model.geom_type[geom2] { (geom2, geom1) } else { (geom1, geom2) }
}

/// Whether the bounding spheres of two geoms come closer than the margin.
enum Reach {
    Beyond,
    /// They do, but single precision may not tell.
    Uncertain,
    Within,
}

#[inline]
fn reach(model: &Model, data: &Data, geom1: usize, geom2: usize, margin: f64) -> Reach {
    let (radius1, radius2) = (model.geom_rbound[geom1], model.geom_rbound[geom2]);
    let apart = data.geom_xpos[geom1] - data.geom_xpos[geom2];
    if radius1 > 0.0 && radius2 > 0.0 {
        let reach = radius1 + radius2 + margin;
        let squared = apart.dot(apart);
        let pos = data.geom_xpos[geom1];
        let extent = pos.x.abs() + pos.y.abs() + pos.z.abs() + reach;
        let surely = reach - 2.0 * f64::from(f32::EPSILON) * extent;
        return if squared > reach * reach {
            Reach::Beyond
        } else if surely > 0.0 && squared < surely * surely {
            Reach::Within
        } else {
            Reach::Uncertain
        };
    }
    let above = |plane: usize, apart: Vec3, radius: f64| {
        model.geom_type[plane] == GeomType::Plane as i32
            && radius > 0.0
            && apart.dot(data.geom_xmat[plane].column(2)) > margin + radius
    };
    match above(geom1, -apart, radius2) || above(geom2, apart, radius1) {
        true => Reach::Beyond,
        false => Reach::Within,
    }
}
