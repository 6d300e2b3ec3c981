//! Which geoms touch, and where.
//!
//! [`collision`] finds geoms that are close (`broad`), among those that may collide (`rules`,
//! `table`), gives them to the function for their types (`narrow`), and makes contacts of the points that
//! come back (`params`).

mod bounds;
mod box_box;
mod box_patch;
mod broad;
mod capsule;
mod convex;
mod flex;
mod flex_self;
mod flex_sweep;
mod flex_tree;
mod hfield;
mod hits;
mod narrow;
mod params;
mod plane;
#[cfg(test)]
mod poses_tests;
mod rules;
mod spatial_hash;
mod sphere;
mod sweep;
mod table;
mod triangle;
mod verlet_list;

pub use convex::geom_distance;

use broad::Broad;
pub(crate) use capsule::{Second, second_of_capsule_box};
use convex::{Ccd, ConvexWork, Separations};
use flex_sweep::Sweeps;
use hits::MAX_HITS;
pub(crate) use hits::{Hit, Hits};
use narrow::collide;
use params::{add, geom_margin, geom_params, pair_margin, pair_params};
pub(crate) use params::{geom_say, valid_dim};
use rules::{Candidate, Content, Rules, by_type};

use crate::callbacks::{Callbacks, NoCallbacks};
use crate::data::Contact;
use crate::geometry::Geom;
use crate::model::Disable;
use crate::{Data, Model};

/// What the stage keeps from step to step.
#[derive(Debug, Clone, Default)]
pub(crate) struct CollisionCache {
    /// The table of pairs and room for its search; none while it is in use.
    broad: Option<Box<Broad>>,
    separations: Separations,
    sweeps: Sweeps,
}

/// Scratch space of the stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct CollisionWork {
    /// None while it is in use.
    narrow: Option<Box<Narrow>>,
}

/// Scratch space of the narrow phase.
#[derive(Debug, Clone, Default)]
struct Narrow {
    convex: ConvexWork,
    hits: Hits,
    /// A contact as it is by default.
    blank: Contact,
    flex: FlexWork,
}

/// Scratch space for the elements of flexes.
#[derive(Debug, Clone, Default)]
struct FlexWork {
    elems: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    stack: Vec<[u32; 2]>,
}

/// Finds the contacts between geoms: fills `contact` and removes all constraint rows.
///
/// Runs after `kinematics`.
#[doc(alias = "mj_collision")]
pub fn collision(model: &Model, data: &mut Data) {
    collision_with(model, data, &mut NoCallbacks);
}

/// [`collision`] with what the user adds to it.
pub fn collision_with(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    data.clear_rows();
    let off = model.disabled(Disable::Constraint) || model.disabled(Disable::Contact);
    if off || model.nbody + model.nflex < 2 {
        return;
    }

    let mut broad = data.cache.collision.broad.take().unwrap_or_default();
    let masks = !user.filters_contacts();
    let rules = Rules::new(model, data, masks);
    broad.candidates.clear();
    // what sleeps meets only what is awake
    let mut all = true;
    if data.ntree_awake > 0 || !data.some_sleep(model) {
        all = broad.search(model, data, &rules);
    }
    if !masks {
        broad.candidates.retain(|candidate| match candidate.content() {
            Content::Geoms(geom1, geom2) => {
                let (geom1, geom2) = by_type(model, geom1, geom2);
                user.contact_filter(model, data, geom1, geom2)
            }
            Content::Pair(_) | Content::Flex(..) => true,
        });
    }
    if model.nflex > 0 {
        flex::flex_candidates(model, &mut broad.candidates);
    }
    rules.explicit(&mut broad.candidates);
    broad.sort(model);
    if !broad.candidates.is_empty() || model.nflex > 0 {
        add_contacts(model, data, &broad.candidates);
    }
    if !all {
        data.warn_contacts_full();
    }
    data.cache.collision.broad = Some(broad);
    data.ncon = data.contact.len();
    data.maxuse_con = data.maxuse_con.max(data.ncon);
}

/// Adds the contacts of all candidates, and those within flexes.
fn add_contacts(model: &Model, data: &mut Data, candidates: &[Candidate]) {
    let ccd = Ccd::new(model);
    let mut narrow = data.work.collision.narrow.take().unwrap_or_default();
    narrow.convex.separations = std::mem::take(&mut data.cache.collision.separations);
    for candidate in candidates {
        if data.contacts_full(model, MAX_HITS) {
            continue;
        }
        match candidate.content() {
            Content::Geoms(geom1, geom2) => narrow.add_geoms(model, data, &ccd, geom1, geom2),
            Content::Pair(pair) => narrow.add_pair(model, data, &ccd, pair),
            Content::Flex(first, second) => narrow.add_flex(model, data, &ccd, first, second),
        }
    }
    if model.nflex > 0 {
        narrow.add_self_contacts(model, data, &ccd);
    }
    data.cache.collision.separations = std::mem::take(&mut narrow.convex.separations);
    data.work.collision.narrow = Some(narrow);
}

impl Narrow {
    /// Adds the contacts of two geoms.
    fn add_geoms(&mut self, model: &Model, data: &mut Data, ccd: &Ccd, geom1: usize, geom2: usize) {
        let (geom1, geom2) = by_type(model, geom1, geom2);
        let margin = geom_margin(model, geom1, geom2);
        if self.touch(model, data, ccd, [geom1, geom2], margin) {
            let common = geom_params(model, geom1, geom2, margin);
            add(&mut data.contact, &self.blank, &self.hits, &common);
        }
    }

    /// Adds the contacts of an explicit pair of geoms.
    fn add_pair(&mut self, model: &Model, data: &mut Data, ccd: &Ccd, pair: usize) {
        let (geom1, geom2) = model.pair_geoms(pair);
        let (geom1, geom2) = by_type(model, geom1, geom2);
        let margin = pair_margin(model, pair);
        if self.touch(model, data, ccd, [geom1, geom2], margin) {
            let common = pair_params(model, pair, geom1, geom2, margin);
            add(&mut data.contact, &self.blank, &self.hits, &common);
        }
    }

    /// Finds the points that two geoms have in common. Returns whether there are any.
    fn touch(
        &mut self,
        model: &Model,
        data: &Data,
        ccd: &Ccd,
        geoms: [usize; 2],
        margin: f64,
    ) -> bool {
        self.hits.clear();
        let [geom1, geom2] = geoms;
        let Some(a) = Geom::new(model, data, geom1) else { return false };
        let Some(b) = Geom::new(model, data, geom2) else { return false };
        collide(&a, &b, margin, ccd, &mut self.convex, &mut self.hits);
        !self.hits.is_empty()
    }
}
