//! Steps models for the benchmark, without Python in between; `c/engine.c` does the same with MuJoCo.
//!
//! Reads commands, one per line, and answers each with a line:
//!
//! ```text
//! version            of the engine
//! load PATH          loads a model: "ok", or why that did not work
//! states PATH        reads states: raw numbers, row by row; answers how many there are
//! run ROW STEPS      seconds of CPU time for that many steps from a state; "inf" after a warning
//! linearise ROW N    likewise for that many derivatives of the step at a state
//! gradient ROW N     likewise for products of a vector with these
//! ```
//!
//! A row has `qpos`, `qvel`, `act`, `qacc_warmstart`, `ctrl`, `mocap_pos` and `mocap_quat`.

use std::io::{BufRead, Write};
use std::path::Path;

use sim_core::derivative::{Cotangent, DerivativeError, Gradient, Transition, transition, vjp};
use sim_core::model::State;
use sim_core::{Data, Model, forward, step};
use sim_mjcf::load_file;

/// The components of a state.
const STATE: u32 = State::Qpos as u32
    | State::Qvel as u32
    | State::Act as u32
    | State::WarmStart as u32
    | State::Ctrl as u32
    | State::MocapPos as u32
    | State::MocapQuat as u32;

/// A model with its data, and the states to start from.
struct Engine {
    model: Model,
    data: Data,
    states: Vec<f64>,
}

impl Engine {
    fn load(path: &str) -> Result<Engine, String> {
        let model = load_file(Path::new(path)).map_err(|error| error.to_string())?.model;
        let data = Data::new(&model);
        Ok(Engine { model, data, states: Vec::new() })
    }

    /// Reads states from a file, and returns how many there are.
    fn read_states(&mut self, path: &str) -> Result<usize, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        self.states = bytes.as_chunks().0.iter().map(|&bytes| f64::from_ne_bytes(bytes)).collect();
        let size = self.row_size();
        match size == 0 || !self.states.len().is_multiple_of(size) {
            true => Err(format!("{} numbers are no rows of {size}", self.states.len())),
            false => Ok(self.states.len() / size),
        }
    }

    fn row_size(&self) -> usize {
        self.model.state_size(STATE)
    }

    fn set_state(&mut self, row: usize) {
        let size = self.row_size();
        self.data.reset(&self.model);
        self.data.set_state(&self.model, STATE, &self.states[row * size..][..size]);
    }

    /// Seconds of CPU time for steps from a state; infinite if a warning was raised.
    fn run(&mut self, row: usize, steps: usize) -> f64 {
        self.set_state(row);
        let start = cpu_seconds();
        for _ in 0..steps {
            step(&self.model, &mut self.data);
        }
        let elapsed = cpu_seconds() - start;
        let warned = self.data.warning.iter().any(|warning| warning.number > 0);
        if warned { f64::INFINITY } else { elapsed }
    }

    /// Seconds of CPU time for derivatives of the step, or for products of a vector with these.
    fn differentiate(
        &mut self,
        row: usize,
        count: usize,
        product: bool,
    ) -> Result<f64, DerivativeError> {
        self.set_state(row);
        let Engine { model, data, .. } = self;
        forward(model, data);
        let (mut scratch, mut out) = (Transition::default(), Gradient::default());
        let (by_dof, by_act) = (vec![1.0; model.nv], vec![1.0; model.na]);
        let of = Cotangent { qpos: &by_dof, qvel: &by_dof, act: &by_act };
        let start = cpu_seconds();
        for _ in 0..count {
            if product {
                vjp(model, data, of, &mut scratch, &mut out)?;
            } else {
                transition(model, data, &mut scratch)?;
            }
        }
        Ok(cpu_seconds() - start)
    }
}

#[cfg(unix)]
fn cpu_seconds() -> f64 {
    use nix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::CLOCK_PROCESS_CPUTIME_ID).expect("the clock of the process");
    now.tv_sec() as f64 + 1e-9 * now.tv_nsec() as f64
}

#[cfg(not(unix))]
fn cpu_seconds() -> f64 {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().expect("a clock after 1970");
    now.as_secs_f64()
}

/// Answers one command.
fn answer(engine: &mut Option<Engine>, line: &str) -> Result<String, String> {
    let (command, argument) = line.split_once(' ').unwrap_or((line, ""));
    match (command, engine) {
        ("version", _) => Ok(env!("CARGO_PKG_VERSION").to_owned()),
        ("load", engine) => {
            *engine = None;
            *engine = Some(Engine::load(argument)?);
            Ok("ok".to_owned())
        }
        ("states", Some(engine)) => engine.read_states(argument).map(|count| count.to_string()),
        ("run" | "linearise" | "gradient", Some(engine)) => {
            let numbers: Vec<usize> =
                argument.split(' ').filter_map(|word| word.parse().ok()).collect();
            let [row, count] = numbers[..] else { return Err(format!("{command} ROW COUNT")) };
            let seconds = match command {
                "run" => Ok(engine.run(row, count)),
                _ => engine.differentiate(row, count, command == "gradient"),
            };
            seconds.map(|seconds| format!("{seconds:e}")).map_err(|error| error.to_string())
        }
        _ => Err(format!("unknown command, or no model: {line}")),
    }
}

fn main() {
    let mut engine = None;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = answer(&mut engine, &line).unwrap_or_else(|error| error.replace('\n', " "));
        println!("{answer}");
        std::io::stdout().flush().expect("somebody listens");
    }
}
