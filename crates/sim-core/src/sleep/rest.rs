//! When trees fall asleep.

use super::AWAKE;
use super::wake::Ties;
use crate::forward::forward;
use crate::model::{Enable, ObjType, SleepPolicy, SleepState};
use crate::smooth::{camlight, com_pos, kinematics, tendon};
use crate::{Data, Model};

/// Trees that are marked to start asleep, and cannot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitSleepError {
    /// Number of trees that are marked.
    pub marked: usize,
    /// Number of marked trees that sleep.
    pub asleep: usize,
    /// First body of the first one that does not.
    pub body: usize,
    /// Name of that body.
    pub name: String,
}

impl std::fmt::Display for InitSleepError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let InitSleepError { marked, asleep, body, name } = self;
        write!(
            f,
            "{marked} trees were marked as sleep='init' but only {asleep} could be slept: the \
             first that could not starts at body '{name}' (id={body})"
        )
    }
}

impl std::error::Error for InitSleepError {}

/// Whether nothing has been done to a sleeping tree: no force, no velocity, not even -0.
pub(super) fn is_undisturbed(model: &Model, data: &Data, tree: usize) -> bool {
    let still = |x: &[f64]| x.iter().all(|x| x.to_bits() == 0);
    may_sleep(model, data, tree) && still(&data.qvel[model.tree_dofs(tree)])
}

/// Whether `tree` hardly moves, with no force on it.
fn is_at_rest(model: &Model, data: &Data, tree: usize) -> bool {
    let tolerance = model.opt.sleep_tolerance;
    if tolerance == 0.0 {
        return is_undisturbed(model, data, tree);
    }
    // what is not a number does not count as motion
    let moves = |dof: usize| model.dof_length[dof] * data.qvel[dof].abs() >= tolerance;
    may_sleep(model, data, tree) && !model.tree_dofs(tree).any(moves)
}

/// Whether the policy of `tree` lets it sleep, and no one pulls it.
fn may_sleep(model: &Model, data: &Data, tree: usize) -> bool {
    let policy = SleepPolicy::from_i32(model.tree_sleep_policy[tree]);
    let still = |x: &[f64]| x.iter().all(|x| x.to_bits() == 0);
    !matches!(policy, Some(SleepPolicy::Never | SleepPolicy::AutoNever))
        && data.xfrc_applied[model.tree_bodies(tree)].iter().all(|force| still(force))
        && still(&data.qfrc_applied[model.tree_dofs(tree)])
}

/// Counts how long trees have been at rest, and puts islands to sleep of which all trees have been
/// for long enough: they lose their velocity. Returns how many trees fell asleep.
///
/// Equalities of tendons and flexes keep everything awake.
#[doc(alias = "mj_sleep")]
pub(crate) fn fall_asleep(model: &Model, data: &mut Data) -> usize {
    if !model.enabled(Enable::Sleep) || (data.nefc > 0 && data.nisland == 0) {
        return 0;
    }
    let keeps_awake =
        |eq: usize| data.eq_active[eq] != 0 && matches!(Ties::new(model, eq), Ties::Anything);
    if (0..model.neq).any(keeps_awake) {
        return 0;
    }

    for tree in 0..model.ntree {
        let count = data.tree_asleep[tree];
        if count < 0 {
            let rests = is_at_rest(model, data, tree);
            data.tree_asleep[tree] = if rests { (count + 1).min(-1) } else { AWAKE };
        }
    }

    let mut fallen = 0;
    let mut constrained = 0;
    for island in 0..data.nisland {
        let start = data.island_itreeadr[island] as usize;
        constrained = start + data.island_ntree[island] as usize;
        let ready = |&tree: &i32| data.tree_asleep[tree as usize] == -1;
        if data.map_itree2tree[start..constrained].iter().all(ready) {
            for i in start..constrained {
                let next = if i + 1 < constrained { i + 1 } else { start };
                let (tree, next) = (data.map_itree2tree[i], data.map_itree2tree[next]);
                put_to_sleep(model, data, tree as usize, next);
            }
            fallen += constrained - start;
        }
    }
    // trees that no constraint reaches are rings of their own
    for i in constrained..model.ntree {
        let tree = if data.nisland > 0 { data.map_itree2tree[i] } else { i as i32 };
        if data.tree_asleep[tree as usize] == -1 {
            put_to_sleep(model, data, tree as usize, tree);
            fallen += 1;
        }
    }
    fallen
}

fn put_to_sleep(model: &Model, data: &mut Data, tree: usize, next: i32) {
    data.tree_asleep[tree] = next;
    data.qvel[model.tree_dofs(tree)].fill(0.0);
    data.qacc[model.tree_dofs(tree)].fill(0.0);
}

impl Data {
    /// Sets who sleeps at the start: no one but trees that are marked for it and able to. Places
    /// what is fixed to the world, which is skipped from then on.
    pub(crate) fn init_sleep(&mut self, model: &Model) {
        self.tree_asleep.fill(AWAKE);
        if !model.enabled(Enable::Sleep) {
            self.update_sleep(model);
            return;
        }
        self.update_sleep_with(model, SleepState::Awake);
        if model.tree_sleep_policy.contains(&(SleepPolicy::Init as i32)) {
            forward(model, self);
            for tree in 0..model.ntree {
                self.tree_asleep[tree] = if starts_asleep(model, tree) { -1 } else { AWAKE };
            }
            fall_asleep(model, self);
            self.qacc_smooth.fill(0.0);
            self.qfrc_smooth.fill(0.0);
            self.clear_efc();
            self.contact.iter_mut().for_each(|contact| contact.efc_address = -1);
        } else {
            kinematics(model, self);
            com_pos(model, self);
            camlight(model, self);
            tendon(model, self);
        }
        self.update_sleep(model);
    }

    /// Checks that all trees sleep that are marked with the policy [`SleepPolicy::Init`], as they
    /// should after [`Data::new`] or [`Data::reset`]. They cannot if they move, or touch a tree
    /// that is not marked.
    pub fn check_init_sleep(&self, model: &Model) -> Result<(), InitSleepError> {
        if !model.enabled(Enable::Sleep) {
            return Ok(());
        }
        let marked = (0..model.ntree).filter(|&tree| starts_asleep(model, tree));
        let asleep = marked.clone().filter(|&tree| self.tree_asleep[tree] >= 0).count();
        match marked.clone().find(|&tree| self.tree_asleep[tree] < 0) {
            None => Ok(()),
            Some(tree) => {
                let body = model.tree_bodies(tree).start;
                let name = model.name(ObjType::Body, body).unwrap_or_default().to_string();
                Err(InitSleepError { marked: marked.count(), asleep, body, name })
            }
        }
    }
}

fn starts_asleep(model: &Model, tree: usize) -> bool {
    model.tree_sleep_policy[tree] == SleepPolicy::Init as i32
}
