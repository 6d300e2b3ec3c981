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
mod cells;
mod convex;
mod grazing;
mod narrow;
mod params;
mod plane;
#[cfg(test)]
mod poses_tests;
mod rules;
mod shape;
mod sphere;
mod table;

pub use convex::geom_distance;

use broad::Broad;
use convex::{Ccd, ConvexWork};
use narrow::collide;
pub(crate) use params::valid_dim;
use params::{add, geom_margin, geom_params, pair_margin, pair_params};
use rules::{Content, Rules, by_type};
use shape::MAX_HITS;
pub(crate) use shape::{Hit, Hits, Shape};

use crate::callbacks::{Callbacks, NoCallbacks};
use crate::data::Contact;
use crate::model::{Disable, GeomType};
use crate::{Data, Model};

/// Memory of the stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct CollisionWork {
    /// None while it is in use.
    broad: Option<Box<Broad>>,
    convex: ConvexWork,
    hits: Hits,
    /// A contact as it is by default.
    blank: Contact,
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
    if model.disabled(Disable::Constraint) || model.disabled(Disable::Contact) || model.nbody < 2 {
        return;
    }

    let mut broad = data.work.collision.broad.take().unwrap_or_default();
    let masks = !user.filters_contacts();
    let rules = Rules::new(model, data, masks);
    broad.candidates.clear();
    // what sleeps meets only what is awake
    if data.ntree_awake > 0 || !data.some_sleep(model) {
        broad.search(model, data, &rules);
    }
    if !masks {
        broad.candidates.retain(|candidate| match candidate.content() {
            Content::Geoms(geom1, geom2) => {
                let (geom1, geom2) = by_type(model, geom1, geom2);
                user.contact_filter(model, data, geom1, geom2)
            }
            Content::Pair(_) => true,
        });
    }
    rules.explicit(&mut broad.candidates);
    broad.sort(model);
    let ccd = Ccd::new(model);
    for candidate in &broad.candidates {
        if data.contacts_full(model, MAX_HITS) {
            continue;
        }
        match candidate.content() {
            Content::Geoms(geom1, geom2) => collide_geoms(model, data, &ccd, geom1, geom2),
            Content::Pair(pair) => collide_pair(model, data, &ccd, pair),
        }
    }
    data.work.collision.broad = Some(broad);
    data.ncon = data.contact.len();
    data.maxuse_con = data.maxuse_con.max(data.ncon);
}

/// Adds the contacts of two geoms.
fn collide_geoms(model: &Model, data: &mut Data, ccd: &Ccd, geom1: usize, geom2: usize) {
    let (geom1, geom2) = by_type(model, geom1, geom2);
    let margin = geom_margin(model, geom1, geom2);
    if touch(model, data, ccd, geom1, geom2, margin) {
        let common = geom_params(model, geom1, geom2, margin);
        let CollisionWork { ref blank, ref hits, .. } = data.work.collision;
        add(&mut data.contact, blank, hits, &common);
    }
}

/// Adds the contacts of an explicit pair of geoms.
fn collide_pair(model: &Model, data: &mut Data, ccd: &Ccd, pair: usize) {
    let (geom1, geom2) = model.pair_geoms(pair);
    let (geom1, geom2) = by_type(model, geom1, geom2);
    let margin = pair_margin(model, pair);
    if touch(model, data, ccd, geom1, geom2, margin) {
        let common = pair_params(model, pair, geom1, geom2, margin);
        let CollisionWork { ref blank, ref hits, .. } = data.work.collision;
        add(&mut data.contact, blank, hits, &common);
    }
}

/// Finds the points that two geoms have in common. Returns whether there are any.
fn touch(
    model: &Model,
    data: &mut Data,
    ccd: &Ccd,
    geom1: usize,
    geom2: usize,
    margin: f64,
) -> bool {
    let kind = |geom: usize| GeomType::from_i32(model.geom_type[geom]);
    let (Some(kind1), Some(kind2)) = (kind(geom1), kind(geom2)) else { return false };
    let (pos, mat, size) = (&data.geom_xpos, &data.geom_xmat, &model.geom_size);
    let a = Shape { kind: kind1, size: size[geom1], pos: pos[geom1], mat: &mat[geom1] };
    let b = Shape { kind: kind2, size: size[geom2], pos: pos[geom2], mat: &mat[geom2] };
    let CollisionWork { ref mut convex, ref mut hits, .. } = data.work.collision;
    hits.clear();
    collide(&a, &b, margin, ccd, convex, hits);
    !hits.is_empty()
}
