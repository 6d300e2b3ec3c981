//! The state of a simulation as one vector.

use super::Data;
use crate::fields::{Array, ArrayMut, Element};
use crate::model::{Model, State};

/// The components of the state, in the order of their bits.
const COMPONENTS: [State; 14] = [
    State::Time,
    State::Qpos,
    State::Qvel,
    State::Act,
    State::History,
    State::WarmStart,
    State::Ctrl,
    State::QfrcApplied,
    State::XfrcApplied,
    State::EqActive,
    State::MocapPos,
    State::MocapQuat,
    State::Userdata,
    State::Plugin,
];

/// Bits of all components.
pub const ALL_STATES: u32 = (1 << COMPONENTS.len()) - 1;

impl Model {
    /// Number of values of the state components in `spec`, bits of [`State`].
    #[doc(alias = "mj_stateSize")]
    pub fn state_size(&self, spec: u32) -> usize {
        components(spec).map(|component| self.component_size(component)).sum()
    }

    fn component_size(&self, component: State) -> usize {
        match component {
            State::Time => 1,
            State::Qpos => self.nq,
            State::Qvel | State::WarmStart | State::QfrcApplied => self.nv,
            State::Act => self.na,
            State::History => self.nhistory,
            State::Ctrl => self.nu,
            State::XfrcApplied => 6 * self.nbody,
            State::EqActive => self.neq,
            State::MocapPos => 3 * self.nmocap,
            State::MocapQuat => 4 * self.nmocap,
            State::Userdata => self.nuserdata,
            State::Plugin => self.npluginstate,
            _ => unreachable!("unions are taken apart"),
        }
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
        for component in components(spec) {
            let source = self.component(component);
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
        for component in components(spec) {
            let (part, tail) = rest.split_at(model.component_size(component));
            match self.component_mut(component) {
                ArrayMut::F64(values) => values.copy_from_slice(part),
                ArrayMut::U8(values) => {
                    values.iter_mut().zip(part).for_each(|(x, &value)| *x = value as u8);
                }
                _ => unreachable!("state components are numbers or flags"),
            }
            rest = tail;
        }
    }

    fn component(&self, component: State) -> Array<'_> {
        match component {
            State::Time => f64::flat(std::slice::from_ref(&self.time)),
            State::Qpos => f64::flat(&self.qpos),
            State::Qvel => f64::flat(&self.qvel),
            State::Act => f64::flat(&self.act),
            State::History => f64::flat(&self.history),
            State::WarmStart => f64::flat(&self.qacc_warmstart),
            State::Ctrl => f64::flat(&self.ctrl),
            State::QfrcApplied => f64::flat(&self.qfrc_applied),
            State::XfrcApplied => Element::flat(&self.xfrc_applied),
            State::EqActive => u8::flat(&self.eq_active),
            State::MocapPos => Element::flat(&self.mocap_pos),
            State::MocapQuat => Element::flat(&self.mocap_quat),
            State::Userdata => f64::flat(&self.userdata),
            State::Plugin => f64::flat(&self.plugin_state),
            _ => unreachable!("unions are taken apart"),
        }
    }

    fn component_mut(&mut self, component: State) -> ArrayMut<'_> {
        match component {
            State::Time => f64::flat_mut(std::slice::from_mut(&mut self.time)),
            State::Qpos => f64::flat_mut(&mut self.qpos),
            State::Qvel => f64::flat_mut(&mut self.qvel),
            State::Act => f64::flat_mut(&mut self.act),
            State::History => f64::flat_mut(&mut self.history),
            State::WarmStart => f64::flat_mut(&mut self.qacc_warmstart),
            State::Ctrl => f64::flat_mut(&mut self.ctrl),
            State::QfrcApplied => f64::flat_mut(&mut self.qfrc_applied),
            State::XfrcApplied => Element::flat_mut(&mut self.xfrc_applied),
            State::EqActive => u8::flat_mut(&mut self.eq_active),
            State::MocapPos => Element::flat_mut(&mut self.mocap_pos),
            State::MocapQuat => Element::flat_mut(&mut self.mocap_quat),
            State::Userdata => f64::flat_mut(&mut self.userdata),
            State::Plugin => f64::flat_mut(&mut self.plugin_state),
            _ => unreachable!("unions are taken apart"),
        }
    }
}

/// The components in `spec`.
fn components(spec: u32) -> impl Iterator<Item = State> {
    COMPONENTS.into_iter().filter(move |&component| spec & component as u32 != 0)
}
