//! The state of a simulation as one vector.

use super::Data;
use crate::fields::{Array, ArrayMut};
use crate::model::{Model, State};

/// The components of the state, in the order of their bits.
const COMPONENTS: [(State, &str); 14] = [
    (State::Time, "time"),
    (State::Qpos, "qpos"),
    (State::Qvel, "qvel"),
    (State::Act, "act"),
    (State::History, "history"),
    (State::WarmStart, "qacc_warmstart"),
    (State::Ctrl, "ctrl"),
    (State::QfrcApplied, "qfrc_applied"),
    (State::XfrcApplied, "xfrc_applied"),
    (State::EqActive, "eq_active"),
    (State::MocapPos, "mocap_pos"),
    (State::MocapQuat, "mocap_quat"),
    (State::Userdata, "userdata"),
    (State::Plugin, "plugin_state"),
];

/// Bits of all components.
pub const ALL_STATES: u32 = (1 << COMPONENTS.len()) - 1;

impl Model {
    /// Number of values of the state components in `spec`, bits of [`State`].
    #[doc(alias = "mj_stateSize")]
    pub fn state_size(&self, spec: u32) -> usize {
        let sizes = [
            1,
            self.nq,
            self.nv,
            self.na,
            self.nhistory,
            self.nv,
            self.nu,
            self.nv,
            6 * self.nbody,
            self.neq,
            3 * self.nmocap,
            4 * self.nmocap,
            self.nuserdata,
            self.npluginstate,
        ];
        (0..COMPONENTS.len()).filter(|bit| spec & (1 << bit) != 0).map(|bit| sizes[bit]).sum()
    }
}

impl Data {
    /// Copies the state components in `spec` to `state`, which holds
    /// [`state_size`](Model::state_size) values.
    #[doc(alias = "mj_getState")]
    pub fn get_state(&self, model: &Model, spec: u32, state: &mut [f64]) {
        assert_eq!(
            state.len(),
            model.state_size(spec),
            "the state has as many values as asked for"
        );
        let mut rest = state;
        for name in components(spec) {
            let source = match self.array(name) {
                Some(source) => source,
                None => Array::F64(std::slice::from_ref(&self.time)),
            };
            let (part, tail) = rest.split_at_mut(source.len());
            match source {
                Array::F64(values) => part.copy_from_slice(values),
                other => part.iter_mut().enumerate().for_each(|(i, x)| *x = other.value(i)),
            }
            rest = tail;
        }
    }

    /// Sets the state components in `spec` from `state`, which holds
    /// [`state_size`](Model::state_size) values.
    #[doc(alias = "mj_setState")]
    pub fn set_state(&mut self, model: &Model, spec: u32, state: &[f64]) {
        assert_eq!(
            state.len(),
            model.state_size(spec),
            "the state has as many values as asked for"
        );
        let mut rest = state;
        for name in components(spec) {
            if name == "time" {
                self.time = rest[0];
                rest = &rest[1..];
                continue;
            }
            let target = self.array_mut(name).expect("state components are fields of the table");
            rest = match target {
                ArrayMut::F64(values) => {
                    let (part, tail) = rest.split_at(values.len());
                    values.copy_from_slice(part);
                    tail
                }
                ArrayMut::U8(values) => {
                    let (part, tail) = rest.split_at(values.len());
                    values.iter_mut().zip(part).for_each(|(x, &value)| *x = value as u8);
                    tail
                }
                _ => unreachable!("state components are numbers or flags"),
            };
        }
    }
}

/// Names of the fields of the components in `spec`.
fn components(spec: u32) -> impl Iterator<Item = &'static str> {
    COMPONENTS.into_iter().filter(move |&(bit, _)| spec & bit as u32 != 0).map(|(_, name)| name)
}
