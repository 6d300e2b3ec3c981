//! Trees that have come to rest fall asleep, and what sleeps is left alone.
//!
//! `tree_asleep` is what everything else follows from. A tree that is awake counts up from
//! `-(1 + MIN_AWAKE)` to -1 while it hardly moves (`rest`); then it falls asleep together with the
//! trees of its island, which from there on point to each other in a ring. A ring wakes up as one
//! (`wake`). Sleeping trees have no velocity; everything else about them keeps its last value.

mod awake;
mod rest;
mod wake;

pub(crate) use awake::{Awake, Lists, awake, some_sleep};
pub use rest::InitSleepError;
pub(crate) use rest::fall_asleep;
pub(crate) use wake::{wake_by_collision, wake_by_equality, wake_by_tendon, wake_by_user};

use crate::model::{EqType, ObjType, SensorType, SleepState, TrnType};
use crate::{Data, Model};

/// Steps that a tree stays awake after it has moved.
const MIN_AWAKE: i32 = 10;

/// What `tree_asleep` starts from after a tree has moved.
pub(crate) const AWAKE: i32 = -(1 + MIN_AWAKE);

impl Data {
    /// Derives who is awake from `tree_asleep`.
    pub(crate) fn update_sleep(&mut self, model: &Model) {
        self.update_sleep_with(model, SleepState::Static);
    }

    /// [`Data::update_sleep`], with the state that bodies fixed to the world get.
    pub(crate) fn update_sleep_with(&mut self, model: &Model, fixed: SleepState) {
        for tree in 0..model.ntree {
            self.tree_awake[tree] = i32::from(self.tree_asleep[tree] < 0);
        }
        self.ntree_awake = self.tree_awake.iter().filter(|&&awake| awake != 0).count();

        self.nbody_awake = 0;
        self.nparent_awake = 0;
        for body in 0..model.nbody {
            let root = model.body_rootid[body] as usize;
            let state = match usize::try_from(model.body_treeid[body]) {
                Ok(tree) if self.tree_awake[tree] != 0 => SleepState::Awake,
                Ok(_) => SleepState::Asleep,
                Err(_) if model.body_mocap(root).is_some() => SleepState::Awake,
                Err(_) => fixed,
            };
            self.body_awake[body] = state as i32;
            if state != SleepState::Asleep {
                self.body_awake_ind[self.nbody_awake] = body as i32;
                self.nbody_awake += 1;
            }
            if body > 0 && !self.body_sleeps(model.body_parent(body)) {
                self.parent_awake_ind[self.nparent_awake] = body as i32;
                self.nparent_awake += 1;
            }
        }

        self.nv_awake = 0;
        for dof in 0..model.nv {
            if self.body_is_awake(model.dof_body(dof)) {
                self.dof_awake_ind[self.nv_awake] = dof as i32;
                self.nv_awake += 1;
            }
        }
    }

    /// Whether some trees sleep, so that stages have something to skip.
    #[inline]
    pub(crate) fn some_sleep(&self, model: &Model) -> bool {
        some_sleep(model, self.ntree_awake)
    }

    /// Whether `body` sleeps. What is fixed to the world does not.
    #[inline]
    pub(crate) fn body_sleeps(&self, body: usize) -> bool {
        self.body_awake[body] == SleepState::Asleep as i32
    }

    /// Whether `body` can move and is awake.
    #[inline]
    pub(crate) fn body_is_awake(&self, body: usize) -> bool {
        self.body_awake[body] == SleepState::Awake as i32
    }

    /// Whether the tree of `dof` sleeps.
    #[inline]
    pub(crate) fn dof_sleeps(&self, model: &Model, dof: usize) -> bool {
        self.body_sleeps(model.dof_body(dof))
    }

    /// Asleep if all trees of `tendon` are, static if it has none.
    pub(crate) fn tendon_state(&self, model: &Model, tendon: usize) -> SleepState {
        let trees = &model.tendon_treeid[tendon];
        let asleep = |tree: i32| self.tree_awake[tree as usize] == 0;
        match model.tendon_treenum[tendon] {
            0 => SleepState::Static,
            1 if asleep(trees[0]) => SleepState::Asleep,
            2 if asleep(trees[0]) && asleep(trees[1]) => SleepState::Asleep,
            _ => SleepState::Awake,
        }
    }

    /// Whether everything that `tendon` spans sleeps.
    #[inline]
    pub(crate) fn tendon_sleeps(&self, model: &Model, tendon: usize) -> bool {
        self.tendon_state(model, tendon) == SleepState::Asleep
    }

    /// Whether what `actuator` moves sleeps.
    pub(crate) fn actuator_sleeps(&self, model: &Model, actuator: usize) -> bool {
        let [id, other] = model.actuator_trnid[actuator];
        let site_body = |site: i32| model.site_bodyid[site as usize] as usize;
        match TrnType::from_i32(model.actuator_trntype[actuator]) {
            Some(TrnType::Joint | TrnType::JointInParent) => {
                self.body_sleeps(model.jnt_bodyid[id as usize] as usize)
            }
            Some(TrnType::SliderCrank) => {
                [id, other].into_iter().all(|site| !self.body_is_awake(site_body(site)))
            }
            Some(TrnType::Tendon) => self.tendon_sleeps(model, id as usize),
            Some(TrnType::Site) => self.body_sleeps(site_body(id)),
            Some(TrnType::Body) => self.body_sleeps(id as usize),
            Some(TrnType::Undefined) | None => false,
        }
    }

    /// Whether nothing that equality `eq` ties is awake.
    pub(crate) fn equality_sleeps(&self, model: &Model, eq: usize) -> bool {
        let bodies = match EqType::from_i32(model.eq_type[eq]) {
            Some(EqType::Connect | EqType::Weld) => model.eq_bodies(eq).map(Some),
            Some(EqType::Joint) => [model.eq_obj1id[eq], model.eq_obj2id[eq]]
                .map(|jnt| usize::try_from(jnt).ok().map(|jnt| model.jnt_bodyid[jnt] as usize)),
            _ => return false,
        };
        !bodies.into_iter().flatten().any(|body| self.body_is_awake(body))
    }

    /// Whether all that `sensor` measures sleeps, so that it keeps its value.
    pub(crate) fn sensor_sleeps(&self, model: &Model, sensor: usize) -> bool {
        let [object, reference] = [
            (model.sensor_objtype[sensor], model.sensor_objid[sensor]),
            (model.sensor_reftype[sensor], model.sensor_refid[sensor]),
        ]
        .map(|(kind, id)| (ObjType::from_i32(kind), id));
        match SensorType::from_i32(model.sensor_type[sensor]) {
            Some(SensorType::User | SensorType::Plugin | SensorType::RangeFinder) => return false,
            // the site is a volume, which anything may enter
            Some(SensorType::Contact) if [object.0, reference.0].contains(&Some(ObjType::Site)) => {
                return false;
            }
            _ => {}
        }
        let absent =
            |(kind, _): (Option<ObjType>, i32)| matches!(kind, None | Some(ObjType::Unknown));
        let state = |(kind, id)| self.object_state(model, kind, id);
        match (absent(object), absent(reference)) {
            (true, true) => false,
            (true, false) => state(reference) == SleepState::Asleep,
            (false, true) => state(object) == SleepState::Asleep,
            (false, false) => {
                state(object) != SleepState::Awake && state(reference) != SleepState::Awake
            }
        }
    }

    /// The state of an object that a sensor is attached to.
    fn object_state(&self, model: &Model, kind: Option<ObjType>, id: i32) -> SleepState {
        let Ok(id) = usize::try_from(id) else { return SleepState::Awake };
        let body = match kind {
            Some(ObjType::Body | ObjType::XBody) => id,
            Some(ObjType::Joint) => model.jnt_bodyid[id] as usize,
            Some(ObjType::Dof) => model.dof_body(id),
            Some(ObjType::Geom) => model.geom_bodyid[id] as usize,
            Some(ObjType::Site) => model.site_bodyid[id] as usize,
            Some(ObjType::Camera) => model.cam_bodyid[id] as usize,
            Some(ObjType::Light) => model.light_bodyid[id] as usize,
            Some(ObjType::Tendon) => return self.tendon_state(model, id),
            Some(ObjType::Actuator) if self.actuator_sleeps(model, id) => {
                return SleepState::Asleep;
            }
            _ => return SleepState::Awake,
        };
        SleepState::from_i32(self.body_awake[body]).unwrap_or(SleepState::Awake)
    }
}
