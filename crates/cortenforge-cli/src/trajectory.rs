//! Numbers along a simulation, with their names and units.

use cortenforge::math::Vec3;
use cortenforge::model::{JointType, ObjType, SensorType, TrnType};
use cortenforge::{Data, Model, contact_force, energy_pos, energy_vel, forward};

use crate::text::label;

/// Most numbers that a trajectory may hold: 2 GiB of them.
const MOST_NUMBERS: usize = 1 << 28;

/// What can be recorded and drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Qpos,
    Qvel,
    Act,
    Ctrl,
    Force,
    Sensors,
    Energy,
    Contacts,
    Iterations,
    Bodies,
    ContactForce,
    Com,
}

impl Quantity {
    pub(crate) const ALL: [Quantity; 12] = [
        Quantity::Qpos,
        Quantity::Qvel,
        Quantity::Act,
        Quantity::Ctrl,
        Quantity::Force,
        Quantity::Sensors,
        Quantity::Energy,
        Quantity::Contacts,
        Quantity::Iterations,
        Quantity::Bodies,
        Quantity::ContactForce,
        Quantity::Com,
    ];

    /// What files hold.
    pub(crate) const STANDARD: [Quantity; 6] = [
        Quantity::Qpos,
        Quantity::Qvel,
        Quantity::Act,
        Quantity::Ctrl,
        Quantity::Sensors,
        Quantity::Energy,
    ];

    /// What is drawn when nothing is asked for.
    pub(crate) const DRAWN: [Quantity; 3] = [Quantity::Qpos, Quantity::Qvel, Quantity::Energy];

    /// The name in files and on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Quantity::Qpos => "qpos",
            Quantity::Qvel => "qvel",
            Quantity::Act => "act",
            Quantity::Ctrl => "ctrl",
            Quantity::Force => "force",
            Quantity::Sensors => "sensordata",
            Quantity::Energy => "energy",
            Quantity::Contacts => "contacts",
            Quantity::Iterations => "iterations",
            Quantity::Bodies => "xpos",
            Quantity::ContactForce => "contact_force",
            Quantity::Com => "com",
        }
    }

    /// The name in drawings.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Quantity::Qpos => "positions",
            Quantity::Qvel => "velocities",
            Quantity::Act => "activations",
            Quantity::Ctrl => "controls",
            Quantity::Force => "actuator forces",
            Quantity::Sensors => "sensors",
            Quantity::Energy => "energy",
            Quantity::Contacts => "number of contacts",
            Quantity::Iterations => "solver iterations",
            Quantity::Bodies => "positions of bodies",
            Quantity::ContactForce => "contact forces on bodies",
            Quantity::Com => "centres of mass",
        }
    }

    fn columns(self, model: &Model) -> Vec<Column> {
        let single = |unit| vec![Column { name: self.name().into(), unit }];
        match self {
            Quantity::Qpos => joint_columns(model, qpos_parts),
            Quantity::Qvel => joint_columns(model, qvel_parts),
            Quantity::Act => activations(model),
            Quantity::Ctrl => actuators(model, |_| ""),
            Quantity::Force => actuators(model, |actuator| force_unit(model, actuator)),
            Quantity::Sensors => sensors(model),
            Quantity::Energy => {
                ["potential", "kinetic"].map(|name| Column { name: name.into(), unit: "J" }).into()
            }
            Quantity::Contacts | Quantity::Iterations => single(""),
            Quantity::Bodies => vectors(model, 1..model.nbody),
            Quantity::ContactForce => touchable(model)
                .map(|body| Column { name: label(model, ObjType::Body, body), unit: "N" })
                .collect(),
            Quantity::Com => vectors(model, roots(model)),
        }
    }

    fn record(self, model: &Model, data: &Data, values: &mut Vec<f64>) {
        let vector = |v: Vec3| [v.x, v.y, v.z];
        match self {
            Quantity::Qpos => values.extend_from_slice(&data.qpos),
            Quantity::Qvel => values.extend_from_slice(&data.qvel),
            Quantity::Act => values.extend_from_slice(&data.act),
            Quantity::Ctrl => values.extend_from_slice(&data.ctrl),
            Quantity::Force => values.extend_from_slice(&data.actuator_force),
            Quantity::Sensors => values.extend_from_slice(&data.sensordata),
            Quantity::Energy => values.extend_from_slice(&data.energy),
            Quantity::Contacts => values.push(data.ncon as f64),
            Quantity::Iterations => values.push(f64::from(iterations(data))),
            Quantity::Bodies => values.extend(data.xpos.iter().skip(1).flat_map(|&v| vector(v))),
            Quantity::ContactForce => {
                let forces = contact_forces(model, data);
                values.extend(touchable(model).map(|body| {
                    let [x, y, z] = forces[body];
                    libm::sqrt(x * x + y * y + z * z)
                }));
            }
            Quantity::Com => {
                values.extend(roots(model).flat_map(|body| vector(data.subtree_com[body])));
            }
        }
    }
}

/// A quantity, or those of its columns that have a name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Selection {
    pub(crate) quantity: Quantity,
    column: Option<String>,
}

impl Selection {
    /// Reads `qpos`, or `qpos:hip` for one joint.
    pub(crate) fn parse(text: &str) -> Result<Selection, String> {
        let (name, column) = match text.split_once(':') {
            Some((name, column)) => (name, Some(column.to_owned())),
            None => (text, None),
        };
        let found = Quantity::ALL.into_iter().find(|quantity| quantity.name() == name.trim());
        let quantity = found.ok_or_else(|| {
            let known: Vec<_> = Quantity::ALL.iter().map(|quantity| quantity.name()).collect();
            format!("no quantity '{name}': there are {}", known.join(", "))
        })?;
        Ok(Selection { quantity, column })
    }

    pub(crate) fn whole(quantity: Quantity) -> Selection {
        Selection { quantity, column: None }
    }

    /// Whether it contains a column: that of its name, or a part of it such as `root.x`.
    pub(crate) fn takes(&self, column: &str) -> bool {
        let part_of = |name: &String| {
            column
                .strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.column.as_ref().is_none_or(part_of)
    }

    /// Checks that the model has something of it.
    pub(crate) fn check(&self, model: &Model) -> Result<(), String> {
        let columns = self.quantity.columns(model);
        let what = self.quantity.title();
        match &self.column {
            _ if columns.is_empty() => Err(format!("the model has no {what}")),
            Some(name) if !columns.iter().any(|column| self.takes(&column.name)) => {
                let known: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
                Err(format!("no '{name}' among the {what}: there are {}", known.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

/// One number over time.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) unit: &'static str,
}

/// Numbers of one quantity over time, one row per sample.
pub(crate) struct Series {
    pub(crate) quantity: Quantity,
    pub(crate) columns: Vec<Column>,
    /// The numbers, row by row.
    pub(crate) values: Vec<f64>,
}

impl Series {
    /// The row of a sample.
    pub(crate) fn row(&self, sample: usize) -> &[f64] {
        &self.values[sample * self.columns.len()..][..self.columns.len()]
    }
}

/// Quantities along a simulation.
pub(crate) struct Trajectory {
    pub(crate) time: Vec<f64>,
    /// As far as the model has them.
    pub(crate) series: Vec<Series>,
}

impl Trajectory {
    /// Makes room for the given number of samples; none if they would not fit.
    pub(crate) fn new(model: &Model, what: &[Quantity], samples: usize) -> Option<Trajectory> {
        let series: Vec<Series> = what
            .iter()
            .map(|&quantity| (quantity, quantity.columns(model)))
            .filter(|(_, columns)| !columns.is_empty())
            .map(|(quantity, columns)| Series { quantity, columns, values: Vec::new() })
            .collect();
        let width = 1 + series.iter().map(|series| series.columns.len()).sum::<usize>();
        samples.checked_mul(width).filter(|&numbers| numbers <= MOST_NUMBERS)?;
        Some(Trajectory { time: Vec::new(), series })
    }

    /// Records the current state. What follows from the state is computed anew, the state itself
    /// stays as it is.
    pub(crate) fn record(&mut self, model: &Model, data: &mut Data) {
        energy(model, data);
        self.time.push(data.time);
        for series in &mut self.series {
            series.quantity.record(model, data, &mut series.values);
        }
    }

    /// What was recorded of a quantity.
    pub(crate) fn get(&self, quantity: Quantity) -> Option<&Series> {
        self.series.iter().find(|series| series.quantity == quantity)
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

/// Iterations of the solver in the island that took most.
pub(crate) fn iterations(data: &Data) -> i32 {
    if data.nefc == 0 {
        return 0;
    }
    let islands = data.nisland.clamp(1, data.solver_niter.len());
    data.solver_niter[..islands].iter().copied().max().unwrap_or(0)
}

/// Columns for the coordinates of bodies.
fn vectors(model: &Model, bodies: impl Iterator<Item = usize>) -> Vec<Column> {
    let axes = |body| {
        let name = label(model, ObjType::Body, body);
        ["x", "y", "z"].map(|axis| Column { name: format!("{name}.{axis}"), unit: "m" })
    };
    bodies.flat_map(axes).collect()
}

/// Bodies that stand on the world and move: the roots of the trees.
fn roots(model: &Model) -> impl Iterator<Item = usize> {
    (1..model.nbody).filter(|&body| model.body_parent(body) == 0 && model.body_dofnum[body] > 0)
}

/// Bodies that move and have geoms that can touch others.
fn touchable(model: &Model) -> impl Iterator<Item = usize> {
    let touches = |geom: usize| model.geom_contype[geom] != 0 || model.geom_conaffinity[geom] != 0;
    (1..model.nbody)
        .filter(move |&body| model.body_weldid[body] != 0 && model.body_geoms(body).any(touches))
}

/// The sum of contact forces on each body, in the frame of the world.
fn contact_forces(model: &Model, data: &Data) -> Vec<[f64; 3]> {
    let mut forces = vec![[0.0; 3]; model.nbody];
    for (i, contact) in data.contact.iter().enumerate() {
        let force = contact_force(model, data, i).lin;
        let [first, second] = contact.geom.map(|geom| {
            let geom = usize::try_from(geom).ok();
            geom.and_then(|geom| usize::try_from(*model.geom_bodyid.get(geom)?).ok())
        });
        // rows of the frame are its axes; the force acts from the first geom on the second
        let force = contact.frame.transpose_mul(force);
        for (body, sign) in [(first, -1.0), (second, 1.0)] {
            if let Some(sum) = body.and_then(|body| forces.get_mut(body)) {
                let parts = [force.x, force.y, force.z];
                sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += sign * part);
            }
        }
    }
    forces
}

type Parts = &'static [(&'static str, &'static str)];

/// The joint of each position or velocity, with suffix and unit of the component.
fn joint_columns(model: &Model, parts: fn(JointType) -> Parts) -> Vec<Column> {
    let columns = (0..model.njnt).flat_map(|jnt| {
        let name = label(model, ObjType::Joint, jnt);
        let parts = parts(model.jnt_kind(jnt)).iter();
        parts.map(move |(suffix, unit)| Column { name: format!("{name}{suffix}"), unit })
    });
    columns.collect()
}

fn qpos_parts(kind: JointType) -> Parts {
    const QUATERNION: &str = "quaternion";
    match kind {
        JointType::Free => &[
            (".x", "m"),
            (".y", "m"),
            (".z", "m"),
            (".qw", QUATERNION),
            (".qx", QUATERNION),
            (".qy", QUATERNION),
            (".qz", QUATERNION),
        ],
        JointType::Ball => {
            &[(".qw", QUATERNION), (".qx", QUATERNION), (".qy", QUATERNION), (".qz", QUATERNION)]
        }
        JointType::Slide => &[("", "m")],
        JointType::Hinge => &[("", "rad")],
    }
}

fn qvel_parts(kind: JointType) -> Parts {
    match kind {
        JointType::Free => &[
            (".vx", "m/s"),
            (".vy", "m/s"),
            (".vz", "m/s"),
            (".wx", "rad/s"),
            (".wy", "rad/s"),
            (".wz", "rad/s"),
        ],
        JointType::Ball => &[(".wx", "rad/s"), (".wy", "rad/s"), (".wz", "rad/s")],
        JointType::Slide => &[("", "m/s")],
        JointType::Hinge => &[("", "rad/s")],
    }
}

fn actuators(model: &Model, unit: impl Fn(usize) -> &'static str) -> Vec<Column> {
    let column =
        |actuator| Column { name: label(model, ObjType::Actuator, actuator), unit: unit(actuator) };
    (0..model.nu).map(column).collect()
}

fn force_unit(model: &Model, actuator: usize) -> &'static str {
    let joint = usize::try_from(model.actuator_trnid[actuator][0]).unwrap_or(usize::MAX);
    match TrnType::from_i32(model.actuator_trntype[actuator]) {
        Some(TrnType::Joint | TrnType::JointInParent)
            if joint < model.njnt && model.jnt_kind(joint) != JointType::Slide =>
        {
            "N·m"
        }
        _ => "N",
    }
}

/// The actuator of each activation.
fn activations(model: &Model) -> Vec<Column> {
    let mut names: Vec<String> = (0..model.na).map(|act| format!("act{act}")).collect();
    for actuator in 0..model.nu {
        let number = usize::try_from(model.actuator_actnum[actuator]).unwrap_or(0);
        let Ok(first) = usize::try_from(model.actuator_actadr[actuator]) else { continue };
        for i in 0..number {
            let name = label(model, ObjType::Actuator, actuator);
            names[first + i] = if number == 1 { name } else { format!("{name}.{i}") };
        }
    }
    names.into_iter().map(|name| Column { name, unit: "" }).collect()
}

/// The sensor of each value.
fn sensors(model: &Model) -> Vec<Column> {
    let columns = (0..model.nsensor).flat_map(|sensor| {
        let name = label(model, ObjType::Sensor, sensor);
        let size = usize::try_from(model.sensor_dim[sensor]).unwrap_or(0);
        let unit = SensorType::from_i32(model.sensor_type[sensor]).map_or("", sensor_unit);
        (0..size).map(move |i| {
            let name = match (size, ["x", "y", "z"].get(i)) {
                (1, _) => name.clone(),
                (3, Some(axis)) => format!("{name}.{axis}"),
                _ => format!("{name}.{i}"),
            };
            Column { name, unit }
        })
    });
    columns.collect()
}

fn sensor_unit(kind: SensorType) -> &'static str {
    use SensorType::*;
    match kind {
        Accelerometer | FrameLinAcc => "m/s²",
        FrameAngAcc => "rad/s²",
        Velocimeter | FrameLinVel | SubtreeLinVel => "m/s",
        Gyro | FrameAngVel | BallAngVel => "rad/s",
        Touch | Force => "N",
        Torque => "N·m",
        FramePos | SubtreeCom | RangeFinder | GeomDist | TendonPos => "m",
        FrameQuat | BallQuat => "quaternion",
        EPotential | EKinetic => "J",
        Clock => "s",
        _ => "",
    }
}
