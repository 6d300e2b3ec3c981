//! States along a simulation, with the names of their numbers.

use cortenforge::model::{JointType, ObjType};
use cortenforge::{Data, Model, energy_pos, energy_vel, forward};

use crate::text::label;

/// Most numbers that a trajectory may hold: 2 GiB of them.
const MOST_NUMBERS: usize = 1 << 28;

/// Numbers of one kind over time, one row per sample.
pub(crate) struct Series {
    /// What it is: `qpos`, `qvel`, `energy`.
    pub(crate) name: &'static str,
    /// The names of the columns.
    pub(crate) columns: Vec<String>,
    /// The numbers, row by row.
    pub(crate) values: Vec<f64>,
}

impl Series {
    fn new(name: &'static str, columns: Vec<String>) -> Series {
        Series { name, columns, values: Vec::new() }
    }

    /// The row of a sample.
    pub(crate) fn row(&self, sample: usize) -> &[f64] {
        &self.values[sample * self.columns.len()..][..self.columns.len()]
    }
}

/// States and energies along a simulation.
pub(crate) struct Trajectory {
    pub(crate) time: Vec<f64>,
    pub(crate) qpos: Series,
    pub(crate) qvel: Series,
    pub(crate) energy: Series,
}

impl Trajectory {
    /// Makes room for the given number of samples; none if they would not fit.
    pub(crate) fn new(model: &Model, samples: usize) -> Option<Trajectory> {
        let width = 1 + model.nq + model.nv + 2;
        samples.checked_mul(width).filter(|&numbers| numbers <= MOST_NUMBERS)?;
        Some(Trajectory {
            time: Vec::with_capacity(samples),
            qpos: Series::new("qpos", joint_columns(model, qpos_suffixes)),
            qvel: Series::new("qvel", joint_columns(model, qvel_suffixes)),
            energy: Series::new("energy", vec!["potential".into(), "kinetic".into()]),
        })
    }

    /// Records the current state. What follows from the state is computed anew, the state itself
    /// stays as it is.
    pub(crate) fn record(&mut self, model: &Model, data: &mut Data) {
        self.energy.values.extend_from_slice(&energy(model, data));
        self.time.push(data.time);
        self.qpos.values.extend_from_slice(&data.qpos);
        self.qvel.values.extend_from_slice(&data.qvel);
    }

    /// The parts beside time.
    pub(crate) fn series(&self) -> [&Series; 3] {
        [&self.qpos, &self.qvel, &self.energy]
    }
}

/// Computes potential and kinetic energy in the current state, whether or not the model asks for
/// them.
pub(crate) fn energy(model: &Model, data: &mut Data) -> [f64; 2] {
    forward(model, data);
    energy_pos(model, data);
    energy_vel(model, data);
    data.energy
}

/// The joint of each position or velocity, with the suffix of the component.
fn joint_columns(model: &Model, suffixes: fn(JointType) -> &'static [&'static str]) -> Vec<String> {
    let columns = (0..model.njnt).flat_map(|jnt| {
        let name = label(model, ObjType::Joint, jnt);
        suffixes(model.jnt_kind(jnt)).iter().map(move |suffix| format!("{name}{suffix}"))
    });
    columns.collect()
}

fn qpos_suffixes(kind: JointType) -> &'static [&'static str] {
    match kind {
        JointType::Free => &[".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"],
        JointType::Ball => &[".qw", ".qx", ".qy", ".qz"],
        JointType::Slide | JointType::Hinge => &[""],
    }
}

fn qvel_suffixes(kind: JointType) -> &'static [&'static str] {
    match kind {
        JointType::Free => &[".vx", ".vy", ".vz", ".wx", ".wy", ".wz"],
        JointType::Ball => &[".wx", ".wy", ".wz"],
        JointType::Slide | JointType::Hinge => &[""],
    }
}
