//! Controls during a simulation: from a file, and noise.

use std::path::Path;

use cortenforge::model::ObjType;
use cortenforge::robots::Robot;
use cortenforge::{Data, Model};

use crate::read_npz::{Array, Content, npy, npz};
use crate::text::label;
use crate::{Failure, csv, has_ending};

/// What drives the actuators.
pub(crate) struct Inputs<'a> {
    model: &'a Model,
    /// The built-in robot whose controller does.
    robot: Option<&'static Robot>,
    controls: Option<Controls>,
    noise: Option<(f64, Noise)>,
    /// Controls of the start, which noise is added to where no file has any.
    start: Vec<f64>,
}

impl<'a> Inputs<'a> {
    /// Takes controls from a robot's controller and from a file, if there are any, and noise of a
    /// deviation and seed.
    pub(crate) fn new(
        robot: Option<&'static Robot>,
        file: Option<&Path>,
        noise: Option<(f64, u64)>,
        model: &'a Model,
        data: &Data,
    ) -> Result<Inputs<'a>, Failure> {
        if model.nu == 0 && (noise.is_some() || file.is_some()) {
            return Err(Failure("error: the model has no actuators to control".into()));
        }
        Ok(Inputs {
            model,
            robot,
            controls: file.map(|path| Controls::load(path, model)).transpose()?,
            noise: noise.map(|(deviation, seed)| (deviation, Noise::new(seed))),
            start: data.ctrl.clone(),
        })
    }

    /// Sets the controls of a step.
    pub(crate) fn apply(&mut self, step: usize, data: &mut Data) {
        if let Some(robot) = self.robot {
            robot.control(self.model, data);
        } else if self.controls.is_some() || self.noise.is_some() {
            data.ctrl.copy_from_slice(&self.start);
        }
        if let Some(controls) = &self.controls {
            controls.apply(step, data.time, &mut data.ctrl);
        }
        if let Some((deviation, noise)) = &mut self.noise {
            data.ctrl.iter_mut().for_each(|ctrl| *ctrl += *deviation * noise.normal());
        }
    }
}

/// Controls over time. Each row holds from its time, or step, until the next; the last one stays.
#[derive(Debug)]
struct Controls {
    /// The actuator of each column.
    actuators: Vec<usize>,
    /// When the rows begin; without, there is one for each step.
    time: Option<Vec<f64>>,
    values: Vec<f64>,
}

impl Controls {
    /// Reads a `.csv`, `.npy` or `.npz` file.
    fn load(path: &Path, model: &Model) -> Result<Controls, Failure> {
        let failure = |error: String| {
            Failure(format!("error: cannot read controls from '{}': {error}", path.display()))
        };
        let bytes = std::fs::read(path).map_err(|error| failure(error.to_string()))?;
        let controls = if has_ending(path, "csv") {
            let text = String::from_utf8(bytes).map_err(|_| failure("it is not text".into()))?;
            csv::read(&text).and_then(|table| from_table(&table, model))
        } else if has_ending(path, "npy") {
            npy(&bytes).and_then(|array| in_order(array, model))
        } else {
            from_archive(&bytes, model)
        };
        controls.and_then(Controls::check).map_err(failure)
    }

    fn check(self) -> Result<Controls, String> {
        if self.values.is_empty() {
            return Err("there are no controls in it".into());
        }
        if let Some(time) = &self.time
            && !time.is_sorted_by(|a, b| a < b)
        {
            return Err("the times do not rise from row to row".into());
        }
        Ok(self)
    }

    /// Sets the controls of a step.
    fn apply(&self, step: usize, time: f64, ctrl: &mut [f64]) {
        let width = self.actuators.len();
        let rows = self.values.len() / width;
        let row = match &self.time {
            // times are sums of time steps: let them be a little off
            Some(times) => {
                let slack = 1e-9 * (1.0 + time.abs());
                times.partition_point(|&begin| begin <= time + slack).checked_sub(1)
            }
            None => Some(step.min(rows - 1)),
        };
        if let Some(row) = row {
            let values = &self.values[row * width..][..width];
            self.actuators.iter().zip(values).for_each(|(&actuator, &x)| ctrl[actuator] = x);
        }
    }
}

/// Columns that are named after actuators, or `ctrl:` and their name as in files of `--output`,
/// whose other columns are left alone.
fn from_table(table: &csv::Table, model: &Model) -> Result<Controls, String> {
    let recorded = table.columns.iter().any(|name| name.starts_with("ctrl:"));
    let mut time = None;
    let (mut actuators, mut chosen) = (Vec::new(), Vec::new());
    for (i, name) in table.columns.iter().enumerate() {
        let name = match name.trim() {
            "time" => {
                time = Some(i);
                continue;
            }
            name if recorded => match name.strip_prefix("ctrl:") {
                Some(name) => name,
                None => continue,
            },
            name => name,
        };
        let actuator = find_actuator(model, name)?;
        if actuators.contains(&actuator) {
            return Err(format!("actuator '{name}' has two columns"));
        }
        actuators.push(actuator);
        chosen.push(i);
    }
    let rows = table.values.chunks_exact(table.columns.len().max(1));
    let time = time.map(|time| rows.clone().map(|row| row[time]).collect());
    let values = rows.flat_map(|row| chosen.iter().map(|&i| row[i])).collect();
    Ok(Controls { actuators, time, values })
}

/// Sets a control from `name=value`.
pub(crate) fn set(text: &str, model: &Model, data: &mut Data) -> Result<(), Failure> {
    let failure = |error: String| Failure(format!("error: --ctrl {text}: {error}"));
    let (name, value) = text
        .rsplit_once('=')
        .ok_or_else(|| failure("expected is the name of an actuator, '=', and a number".into()))?;
    let value: f64 =
        value.trim().parse().map_err(|_| failure(format!("'{value}' is not a number")))?;
    data.ctrl[find_actuator(model, name.trim()).map_err(failure)?] = value;
    Ok(())
}

fn find_actuator(model: &Model, name: &str) -> Result<usize, String> {
    let found = (0..model.nu).find(|&id| label(model, ObjType::Actuator, id) == name);
    found.ok_or_else(|| match model.nu {
        0 => format!("no actuator '{name}': the model has none"),
        count => {
            let names: Vec<_> = (0..count).map(|id| label(model, ObjType::Actuator, id)).collect();
            format!("no actuator '{name}': the model has {}", names.join(", "))
        }
    })
}

/// A matrix with a column for each actuator.
fn in_order(array: Array, model: &Model) -> Result<Controls, String> {
    let shape = array.shape;
    match (array.content, &shape[..]) {
        (Content::Numbers(values), &[_, width]) if width == model.nu && width > 0 => {
            Ok(Controls { actuators: (0..width).collect(), time: None, values })
        }
        _ => Err(format!(
            "the array has shape {shape:?}, expected is a matrix with {} columns, one for each \
             actuator",
            model.nu
        )),
    }
}

/// `ctrl`, and as far as they are there `ctrl_names` and `time`, as in files of `--output`.
fn from_archive(bytes: &[u8], model: &Model) -> Result<Controls, String> {
    let array = npz(bytes, "ctrl")?.ok_or("there is no array 'ctrl' in it")?;
    let rows = array.shape.first().copied().unwrap_or(0);
    let mut controls = match npz(bytes, "ctrl_names")?.map(|names| names.content) {
        Some(Content::Text(names)) => {
            let shape = [rows, names.len()];
            let Content::Numbers(values) = array.content else {
                return Err("'ctrl' is not made of numbers".into());
            };
            if array.shape != shape {
                return Err(format!(
                    "'ctrl' has shape {:?}, with {} names in 'ctrl_names'",
                    array.shape,
                    names.len()
                ));
            }
            let actuators = names.iter().map(|name| find_actuator(model, name));
            Controls { actuators: actuators.collect::<Result<_, _>>()?, time: None, values }
        }
        _ => in_order(array, model)?,
    };
    controls.time = match npz(bytes, "time")?.map(|time| time.content) {
        Some(Content::Numbers(time)) if time.len() == rows => Some(time),
        Some(_) => return Err(format!("'time' does not have {rows} numbers as 'ctrl' has rows")),
        None => None,
    };
    Ok(controls)
}

/// Numbers that look random: the same ones for the same seed, on every machine.
struct Noise {
    state: u64,
    spare: Option<f64>,
}

impl Noise {
    fn new(seed: u64) -> Noise {
        Noise { state: seed, spare: None }
    }

    /// A number from the normal distribution (Box and Muller).
    fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        let angle = std::f64::consts::TAU * self.uniform();
        self.spare = Some(radius * libm::sin(angle));
        radius * libm::cos(angle)
    }

    /// A number from 0 up to 1 (Steele, Lea and Flood's SplitMix64).
    fn uniform(&mut self) -> f64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.state;
        x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ x >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_normal_and_repeats() {
        let mut noise = Noise::new(7);
        let samples: Vec<f64> = (0..100_000).map(|_| noise.normal()).collect();
        let mean = samples.iter().sum::<f64>() / samples.len() as f64;
        let spread = samples.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / samples.len() as f64;
        assert!(mean.abs() < 0.01 && (spread - 1.0).abs() < 0.02, "{mean} {spread}");
        let mut again = Noise::new(7);
        assert!(samples.iter().all(|&x| x == again.normal()));
        assert_ne!(Noise::new(8).normal(), samples[0]);
    }

    /// Changes a byte, a number or a piece of a file, or cuts it.
    fn damage(bytes: &mut Vec<u8>, noise: &mut Noise) {
        const LETTERS: &[u8] = b"0123456789,()'<fU-\n\"e \xff";
        let mut below = |end: usize| (noise.uniform() * end as f64) as usize;
        if bytes.is_empty() {
            return;
        }
        let at = below(bytes.len());
        let end = (at + 1 + below(20)).min(bytes.len());
        match below(7) {
            0 => bytes[at] ^= 1 << below(8),
            1 => bytes[at] = LETTERS[below(LETTERS.len())],
            2 => bytes[at..end].fill(b'9'),
            3 => bytes[at..end].fill([0, 0xff, 0x7f][below(3)]),
            4 => drop(bytes.drain(at..end)),
            5 => {
                let piece = bytes[at..end].to_vec();
                bytes.splice(at..at, piece);
            }
            _ => bytes.truncate(at),
        }
    }

    #[test]
    fn damaged_files_are_read_or_refused() {
        let xml = "<mujoco><worldbody><body><joint name='j'/><geom size='1'/></body></worldbody>\
                   <actuator><motor name='push' joint='j'/><motor name='turn' joint='j'/></actuator>\
                   </mujoco>";
        let model = cortenforge::load_str(xml).unwrap().model;
        let mut noise = Noise::new(3);
        let mut read = [0; 3];
        for case in 0..30_000 {
            let whole = crate::npz::recorded();
            let mut table = b"time,\"ctrl:push\",ctrl:turn,qpos:j\n0,1,2,3\n1,-1e3,4,5\n".to_vec();
            let mut array = whole[1].1.clone();
            let mut parts = whole;
            for _ in 0..case % 4 {
                damage(&mut table, &mut noise);
                damage(&mut array, &mut noise);
                damage(&mut parts[case / 4 % 3].1, &mut noise);
            }
            let parts = parts.each_ref().map(|(name, bytes)| (*name, bytes.as_slice()));
            let mut archive = crate::npz::archive(&parts);
            if case % 5 == 0 {
                damage(&mut archive, &mut noise);
            }
            let controls = [
                csv::read(&String::from_utf8_lossy(&table)).and_then(|x| from_table(&x, &model)),
                npy(&array).and_then(|array| in_order(array, &model)),
                from_archive(&archive, &model),
            ];
            for (count, controls) in read.iter_mut().zip(controls) {
                if let Ok(controls) = controls.and_then(Controls::check) {
                    *count += 1;
                    for (step, time) in [(0, 0.0), (1, 0.7), (99, 1e9), (usize::MAX, f64::NAN)] {
                        controls.apply(step, time, &mut [0.0; 2]);
                    }
                }
            }
        }
        assert!(read.iter().all(|&count| count > 7_500), "{read:?} of 30,000 are read");
    }

    #[test]
    fn rows_hold_until_the_next() {
        let controls =
            Controls { actuators: vec![1], time: Some(vec![0.1, 0.2]), values: vec![5.0, 6.0] };
        let at = |time: f64| {
            let mut ctrl = [0.0, 0.0];
            controls.apply(0, time, &mut ctrl);
            ctrl
        };
        assert_eq!(
            [at(0.0), at(0.1), at(0.19), at(9.0)],
            [[0.0, 0.0], [0.0, 5.0], [0.0, 5.0], [0.0, 6.0]]
        );
        assert_eq!(at(0.1 + 0.1), [0.0, 6.0]);
    }
}
