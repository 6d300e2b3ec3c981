//! Parts of a state, kept to return to.

use std::ops::BitOr;

use sim_core::model::State;
use sim_core::{Data, Model};

/// A set of components of a state.
///
/// ```
/// use cortenforge::Components;
///
/// let pose = Components::QPOS | Components::QVEL;
/// assert!(Components::PHYSICS.contains(pose));
/// assert!(!pose.contains(Components::TIME));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Components(u32);

impl Components {
    /// The time.
    pub const TIME: Components = Components(State::Time as u32);
    /// Positions.
    pub const QPOS: Components = Components(State::Qpos as u32);
    /// Velocities.
    pub const QVEL: Components = Components(State::Qvel as u32);
    /// Activations of actuators.
    pub const ACT: Components = Components(State::Act as u32);
    /// Controls.
    pub const CTRL: Components = Components(State::Ctrl as u32);
    /// Positions, velocities, activations and histories.
    pub const PHYSICS: Components = Components(State::Physics as u32);
    /// Likewise, with time: what a rollout records.
    pub const FULL_PHYSICS: Components = Components(State::FullPhysics as u32);
    /// Everything that the next step depends on: returning to it repeats what came after, bit for bit.
    pub const INTEGRATION: Components = Components(State::Integration as u32);

    /// The bits, as [`Data::get_state`] takes them.
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether all components of `other` are in this set.
    pub const fn contains(self, other: Components) -> bool {
        self.0 & other.0 == other.0
    }
}

impl BitOr for Components {
    type Output = Components;

    fn bitor(self, other: Components) -> Components {
        Components(self.0 | other.0)
    }
}

/// Components of a state, with their numbers.
///
/// ```
/// use cortenforge::prelude::*;
/// use cortenforge::{Components, Snapshot};
///
/// let robot = cortenforge::robots::find("quadruped").expect("it comes with the library");
/// let model = robot.load();
/// let mut data = robot.start(&model);
/// let before = Snapshot::take(&model, &data, Components::INTEGRATION);
/// (0..100).for_each(|_| step(&model, &mut data));
/// let after = data.qpos.clone();
///
/// assert!(before.restore(&model, &mut data));
/// (0..100).for_each(|_| step(&model, &mut data));
/// assert_eq!(data.qpos, after);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Snapshot {
    /// What it has.
    pub components: Components,
    /// The numbers, component after component.
    pub values: Vec<f64>,
}

impl Snapshot {
    /// Copies components of a state.
    pub fn take(model: &Model, data: &Data, components: Components) -> Snapshot {
        let mut values = vec![0.0; model.state_size(components.bits())];
        data.get_state(model, components.bits(), &mut values);
        Snapshot { components, values }
    }

    /// Writes the components back; tells whether they are of such a model.
    pub fn restore(&self, model: &Model, data: &mut Data) -> bool {
        let fits = model.state_size(self.components.bits()) == self.values.len();
        if fits {
            data.set_state(model, self.components.bits(), &self.values);
        }
        fits
    }
}
