//! What wakes trees up. Each function returns whether it has woken any, whereupon
//! [`Data::update_sleep`] has to run.

use super::AWAKE;
use super::rest::is_undisturbed;
use crate::model::{Enable, EqType};
use crate::{Data, Model};

impl Data {
    /// Wakes the ring of `tree`, which then counts from `count`; a tree that is awake already does
    /// if that is further from sleep. Returns whether anything woke up.
    fn wake_tree(&mut self, tree: usize, count: i32) -> bool {
        if self.tree_asleep[tree] < 0 {
            self.tree_asleep[tree] = self.tree_asleep[tree].min(count);
            return false;
        }
        let mut current = tree;
        // a ring that has been tampered with ends where it leads nowhere
        while let Some(next) = self.next_in_ring(current) {
            self.tree_asleep[current] = count;
            current = next;
        }
        if self.tree_asleep[current] >= 0 {
            self.tree_asleep[current] = count;
        }
        true
    }

    /// The tree that follows a sleeping one in its ring.
    fn next_in_ring(&self, tree: usize) -> Option<usize> {
        usize::try_from(self.tree_asleep[tree]).ok().filter(|&next| next < self.tree_asleep.len())
    }

    /// The smallest number in the ring of a tree, which tells rings apart; none if it is awake.
    fn ring(&self, tree: usize) -> Option<usize> {
        let (mut smallest, mut current) = (tree, tree);
        for _ in 0..self.tree_asleep.len() {
            current = self.next_in_ring(current)?;
            smallest = smallest.min(current);
            if current == tree {
                break;
            }
        }
        Some(smallest)
    }

    /// Wakes the one of two trees that sleeps, if the other is awake; it counts with the other.
    fn wake_other(&mut self, [a, b]: [usize; 2]) -> bool {
        match (self.tree_awake[a] != 0, self.tree_awake[b] != 0) {
            (true, false) => self.wake_tree(b, self.tree_asleep[a]),
            (false, true) => self.wake_tree(a, self.tree_asleep[b]),
            _ => false,
        }
    }
}

/// Wakes trees to which the user has given a force, a velocity or another pose; all of them if
/// sleep is disabled. `kinematics` has marked poses that differ in `tree_awake`.
pub(crate) fn wake_by_user(model: &Model, data: &mut Data) -> bool {
    if !model.enabled(Enable::Sleep) {
        let some = data.ntree_awake < model.ntree;
        if some {
            data.tree_asleep.fill(AWAKE);
        }
        return some;
    }
    let mut woken = false;
    for tree in 0..model.ntree {
        let asleep = data.tree_asleep[tree] >= 0;
        if asleep && (data.tree_awake[tree] != 0 || !is_undisturbed(model, data, tree)) {
            woken |= data.wake_tree(tree, AWAKE);
        }
    }
    woken
}

/// Wakes trees that something awake touches.
pub(crate) fn wake_by_collision(model: &Model, data: &mut Data) -> bool {
    if !data.some_sleep(model) {
        return false;
    }
    let mut woken = false;
    for i in 0..data.contact.len() {
        let trees = data.contact[i]
            .bodies(model)
            .map(|body| usize::try_from(model.body_treeid[body?]).ok());
        if let [Some(a), Some(b)] = trees {
            woken |= data.wake_other([a, b]);
        }
    }
    woken
}

/// Wakes trees that a tendon at its limit ties to one that is awake.
pub(crate) fn wake_by_tendon(model: &Model, data: &mut Data) -> bool {
    if !data.some_sleep(model) {
        return false;
    }
    let mut woken = false;
    for tendon in 0..model.ntendon {
        let [low, high] = model.tendon_range[tendon];
        let (length, margin) = (data.ten_length[tendon], model.tendon_margin[tendon]);
        let at_limit =
            model.tendon_limited[tendon] != 0 && (length - low < margin || high - length < margin);
        if at_limit && model.tendon_treenum[tendon] == 2 {
            woken |= data.wake_other(model.tendon_treeid[tendon].map(|tree| tree as usize));
        }
    }
    woken
}

/// Wakes trees that an equality ties to one that is awake, or to one that has fallen asleep apart
/// from it.
pub(crate) fn wake_by_equality(model: &Model, data: &mut Data) -> bool {
    if !data.some_sleep(model) {
        return false;
    }
    let mut woken = false;
    for eq in 0..model.neq {
        if data.eq_active[eq] == 0 {
            continue;
        }
        let [a, b] = match Ties::new(model, eq) {
            Ties::Trees(a, b) if a != b => [a, b],
            Ties::Trees(..) | Ties::Nothing => continue,
            Ties::Anything => {
                (0..model.ntree).for_each(|tree| woken |= data.wake_tree(tree, AWAKE));
                continue;
            }
        };
        let (awake_a, awake_b) = (data.tree_awake[a] != 0, data.tree_awake[b] != 0);
        let apart = !awake_a && !awake_b && data.ring(a) != data.ring(b);
        if awake_b && !awake_a || apart {
            woken |= data.wake_tree(a, AWAKE);
        }
        if awake_a && !awake_b || apart {
            woken |= data.wake_tree(b, AWAKE);
        }
    }
    woken
}

/// What an equality ties together, as far as sleep is concerned.
pub(super) enum Ties {
    /// Two trees, which may be one.
    Trees(usize, usize),
    /// Nothing, or one tree to the world.
    Nothing,
    /// It may be anything.
    Anything,
}

impl Ties {
    pub(super) fn new(model: &Model, eq: usize) -> Ties {
        let tree = |body: usize| usize::try_from(model.body_treeid[body]).ok();
        let trees = match EqType::from_i32(model.eq_type[eq]) {
            Some(EqType::Connect | EqType::Weld) => model.eq_bodies(eq).map(tree),
            Some(EqType::Joint) => [model.eq_obj1id[eq], model.eq_obj2id[eq]]
                .map(|jnt| tree(model.jnt_bodyid[usize::try_from(jnt).ok()?] as usize)),
            Some(EqType::Tendon | EqType::Flex | EqType::FlexVert) => return Ties::Anything,
            Some(EqType::Distance) | None => return Ties::Nothing,
        };
        match trees {
            [Some(a), Some(b)] => Ties::Trees(a, b),
            _ => Ties::Nothing,
        }
    }
}
