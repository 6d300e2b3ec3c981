//! Which geoms may collide, and the order of their contacts.

use super::grazing::Sweep;
use super::params::{geom_margin, pair_margin};
use crate::math::Vec3;
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

    fn geoms(body1: usize, body2: usize, geom1: usize, geom2: usize) -> Candidate {
        Candidate::new([body1 as u32, body2 as u32], [geom1 as u32 + 1, geom2 as u32])
    }

    /// What the candidate stands for.
    pub(super) fn content(self) -> Content {
        let (first, second) = ((self.0 >> 32) as u32, self.0 as u32);
        match first {
            0 => Content::Pair(second as usize),
            _ => Content::Geoms(first as usize - 1, second as usize),
        }
    }
}

/// What a [`Candidate`] stands for.
pub(super) enum Content {
    Geoms(usize, usize),
    Pair(usize),
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
        i32::from(self.masks) | i32::from(self.parents) << 1
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

    /// Whether two geoms may collide, wherever they are.
    pub(super) fn may_collide(&self, geom1: usize, geom2: usize) -> bool {
        let model = self.model;
        let types = |geom: usize| (model.geom_contype[geom], model.geom_conaffinity[geom]);
        if self.masks && !match_masks(types(geom1), types(geom2)) {
            return false;
        }
        let ((body1, geom1), (body2, geom2)) = by_body(model, geom1, geom2);
        self.bodies_may_collide(body1, body2) && !self.is_explicit(body1, body2, geom1, geom2)
    }

    /// The candidate of two geoms that may collide, if they are close and not both at rest.
    pub(super) fn candidate(&self, geom1: usize, geom2: usize) -> Option<Candidate> {
        let model = self.model;
        let ((body1, geom1), (body2, geom2)) = by_body(model, geom1, geom2);
        if self.sleep && self.is_still(body1) && self.is_still(body2) {
            return None;
        }
        match reach(model, self.data, geom1, geom2, geom_margin(model, geom1, geom2)) {
            Reach::Beyond => return None,
            Reach::Grazing if !self.sweep.finds(body1, body2) => return None,
            Reach::Grazing | Reach::Within => {}
        }

        // contacts of bodies with several geoms come sorted as they list their geoms
        let single = model.body_geomnum[body1] == 1 && model.body_geomnum[body2] == 1;
        let (first, second) =
            if self.midphase && !single { by_type(model, geom1, geom2) } else { (geom1, geom2) };
        Some(Candidate::geoms(body1, body2, first, second))
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
                Reach::Grazing | Reach::Within => found.push(Candidate::pair(signature, pair)),
            }
        }
    }

    fn bodies_may_collide(&self, body1: usize, body2: usize) -> bool {
        let model = self.model;
        let (weld1, weld2) = (model.body_weldid[body1], model.body_weldid[body2]);
        if weld1 == weld2 {
            return false;
        }
        if self.parents && weld1 != 0 && weld2 != 0 {
            let parent = |weld: i32| model.body_weldid[model.body_parent(weld as usize)];
            if weld1 == parent(weld2) || weld2 == parent(weld1) {
                return false;
            }
        }
        let types = |body: usize| (model.body_contype[body], model.body_conaffinity[body]);
        match_masks(types(body1), types(body2)) && !self.is_excluded(body1, body2)
    }

    /// Whether a body is asleep or static.
    fn is_still(&self, body: usize) -> bool {
        self.data.body_awake[body] == SleepState::Asleep as i32 || self.model.body_weldid[body] == 0
    }

    fn is_excluded(&self, body1: usize, body2: usize) -> bool {
        let list = &self.model.exclude_signature;
        !list.is_empty()
            && list.binary_search_by_key(&signature(body1, body2), |&other| other as u32).is_ok()
    }

    /// Whether there is an explicit pair of the two geoms.
    fn is_explicit(&self, body1: usize, body2: usize, geom1: usize, geom2: usize) -> bool {
        let model = self.model;
        if model.npair == 0 {
            return false;
        }
        let key = signature(body1, body2);
        let start = model.pair_signature.partition_point(|&other| (other as u32) < key);
        (start..model.npair).take_while(|&pair| model.pair_signature[pair] as u32 == key).any(
            |pair| {
                let geoms = model.pair_geoms(pair);
                geoms == (geom1, geom2) || geoms == (geom2, geom1)
            },
        )
    }
}

/// What identifies a pair of bodies in the tables of explicit and excluded pairs.
fn signature(body1: usize, body2: usize) -> u32 {
    ((body1 as u32) << 16).wrapping_add(body2 as u32)
}

/// Two geoms with their bodies, by body, then by number.
fn by_body(model: &Model, geom1: usize, geom2: usize) -> ((usize, usize), (usize, usize)) {
    let with_body = |geom: usize| (model.geom_bodyid[geom] as usize, geom);
    let (one, two) = (with_body(geom1), with_body(geom2));
    if one > two { (two, one) } else { (one, two) }
}

/// Whether either type is among what the other has an affinity to.
fn match_masks((type1, affinity1): (i32, i32), (type2, affinity2): (i32, i32)) -> bool {
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
    Grazing,
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
            Reach::Grazing
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
