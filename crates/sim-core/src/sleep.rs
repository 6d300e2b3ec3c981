//! What sleeps is left alone.

use crate::model::{Enable, EqType, SleepState};
use crate::{Data, Model};

impl Data {
    /// Whether some trees are asleep.
    #[inline]
    pub(crate) fn any_sleep(&self, model: &Model) -> bool {
        self.ntree_awake < model.ntree && model.enabled(Enable::Sleep)
    }

    /// Whether the tree of `dof` is asleep.
    #[inline]
    pub(crate) fn dof_sleeps(&self, model: &Model, dof: usize) -> bool {
        self.any_sleep(model) && self.body_awake[model.dof_body(dof)] == SleepState::Asleep as i32
    }

    /// Whether nothing that equality `eq` ties is awake.
    pub(crate) fn equality_sleeps(&self, model: &Model, eq: usize) -> bool {
        if !self.any_sleep(model) {
            return false;
        }
        let bodies = match EqType::from_i32(model.eq_type[eq]) {
            Some(EqType::Connect | EqType::Weld) => model.eq_bodies(eq).map(Some),
            Some(EqType::Joint) => [model.eq_obj1id[eq], model.eq_obj2id[eq]]
                .map(|jnt| usize::try_from(jnt).ok().map(|jnt| model.jnt_bodyid[jnt] as usize)),
            _ => return false,
        };
        !bodies.into_iter().flatten().any(|body| self.body_awake[body] == SleepState::Awake as i32)
    }
}
