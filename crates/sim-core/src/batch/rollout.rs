use std::mem::take;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::watch::Pace;
use super::{BatchError, Pool, Status, Watch};
use crate::model::{State, Warning};
use crate::{Data, Model, step};

/// Steps between two looks at the watch.
const STRIDE: usize = 32;

/// The components of the state that are given to start from, and returned.
pub(super) const FULL: u32 = State::FullPhysics as u32;

/// Open-loop trajectories to play.
///
/// Inputs are rows of numbers by environment; where there is only one row, it goes for all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rollout<'a> {
    /// Number of steps.
    pub nstep: usize,
    /// States to start from, each of the components of [`State::FullPhysics`].
    pub initial_state: &'a [f64],
    /// `qacc_warmstart` to start from; zero if there is none.
    pub initial_warmstart: Option<&'a [f64]>,
    /// Inputs during the steps; those that are not given have their value of a fresh
    /// [`Data`], such as zero for controls.
    pub control: Option<Controls<'a>>,
    /// How many environments a thread takes at a time; chosen if there is none.
    pub chunk_size: Option<usize>,
}

/// Inputs by environment and step; where there is one for all environments or steps, it goes for
/// all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Controls<'a> {
    /// The components of an input: bits of [`State::User`].
    pub spec: u32,
    /// The inputs, step by step and environment by environment.
    pub values: &'a [f64],
    /// Number of steps that they are for, or one.
    pub steps: usize,
}

/// Where trajectories are written to, by environment and step.
#[derive(Debug, Default)]
pub struct Trajectories<'a> {
    /// States after each step, each of the components of [`State::FullPhysics`].
    pub state: Option<&'a mut [f64]>,
    /// Sensor values of each step.
    pub sensordata: Option<&'a mut [f64]>,
}

/// Plays `envs` trajectories on the threads of `pool`, with one of `data` per thread.
///
/// `models` has one model for all environments or one for each, all of the same sizes. Data may be
/// in any state; each environment starts from a reset one. After the step in which a warning was
/// raised, an environment stops and its outputs repeat the last ones. Those of steps that were not
/// made because the run was cancelled stay as they were.
pub fn rollout(
    pool: &Pool,
    models: &[&Model],
    data: &mut [&mut Data],
    envs: usize,
    input: &Rollout<'_>,
    output: Trajectories<'_>,
    watch: &Watch<'_>,
) -> Result<Vec<Status>, BatchError> {
    let Some(&first) = models.first() else { return Err(BatchError("no model is given".into())) };
    if models.len() != 1 && models.len() != envs {
        return Err(BatchError(format!(
            "there are {} models for {envs} environments",
            models.len()
        )));
    }
    if models.iter().any(|model| !same_sizes(first, model)) {
        return Err(BatchError("the models have different sizes".into()));
    }
    if data.is_empty() {
        return Err(BatchError("no data is given".into()));
    }
    if data.iter().any(|data| !data.fits(first)) {
        return Err(BatchError("the data was made for a model of other sizes".into()));
    }
    let runner = Runner::new(first, envs, input)?;
    let mut status = vec![Status::Done; envs];
    let jobs = runner.jobs(output, &mut status)?;
    let mut workers: Vec<Worker<'_>> =
        data.iter_mut().map(|given| Worker { given, own: None }).collect();
    let play = |worker: &mut Worker<'_>, job: Job<'_>, pace: &Pace<'_>| {
        runner.play(models[job.env % models.len()], worker.data(pool, first), job, pace);
    };
    let finish = |worker: &mut Worker<'_>| worker.finish(pool);
    pool.run(&mut workers, jobs, input.chunk_size, watch, play, finish);
    Ok(status)
}

/// What one thread steps: data of its own, which it hands over to the given one in the end. Without
/// threads the given one is used directly.
struct Worker<'a> {
    given: &'a mut Data,
    own: Option<Box<Data>>,
}

impl Worker<'_> {
    fn data(&mut self, pool: &Pool, model: &Model) -> &mut Data {
        if !pool.has_threads() {
            return self.given;
        }
        self.own.get_or_insert_with(|| pool.take_data(model))
    }

    /// Copies the results to the given data, whose arrays stay where they are.
    fn finish(&mut self, pool: &Pool) {
        let Some(mut own) = self.own.take() else { return };
        let scratch = (take(&mut own.work), take(&mut own.cache));
        let kept = (take(&mut self.given.work), take(&mut self.given.cache));
        self.given.assign(&own);
        (own.work, own.cache) = scratch;
        (self.given.work, self.given.cache) = kept;
        pool.keep_data(own);
    }
}

/// One environment, and where its results go.
pub(super) struct Job<'a> {
    pub(super) env: usize,
    pub(super) state: Option<&'a mut [f64]>,
    pub(super) sensordata: Option<&'a mut [f64]>,
    pub(super) status: &'a mut Status,
}

/// A run whose inputs have been checked.
pub(super) struct Runner<'a> {
    input: Rollout<'a>,
    envs: usize,
    nstate: usize,
    nv: usize,
    nsensordata: usize,
    ncontrol: usize,
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        model: &Model,
        envs: usize,
        input: &Rollout<'a>,
    ) -> Result<Runner<'a>, BatchError> {
        let nstate = model.state_size(FULL);
        check("initial_state", input.initial_state.len(), 1, nstate, envs)?;
        if let Some(warmstart) = input.initial_warmstart {
            check("initial_warmstart", warmstart.len(), 1, model.nv, envs)?;
        }
        let ncontrol = check_controls(model, envs, input.nstep, input.control.as_ref())?;
        Ok(Runner {
            input: *input,
            envs,
            nstate,
            nv: model.nv,
            nsensordata: model.nsensordata,
            ncontrol,
        })
    }

    /// Divides outputs among the environments.
    pub(super) fn jobs<'b>(
        &self,
        output: Trajectories<'b>,
        status: &'b mut [Status],
    ) -> Result<impl Iterator<Item = Job<'b>> + Send + use<'b>, BatchError> {
        let mut state =
            Parts::new("state", output.state, self.input.nstep, self.nstate, self.envs)?;
        let mut sensordata = Parts::new(
            "sensordata",
            output.sensordata,
            self.input.nstep,
            self.nsensordata,
            self.envs,
        )?;
        Ok(status.iter_mut().enumerate().map(move |(env, status)| Job {
            env,
            state: state.next(),
            sensordata: sensordata.next(),
            status,
        }))
    }

    /// Plays one environment from a reset state.
    pub(super) fn play(&self, model: &Model, data: &mut Data, job: Job<'_>, pace: &Pace<'_>) {
        let Job { env, mut state, mut sensordata, status } = job;
        let (nstate, nsensordata) = (self.nstate, self.nsensordata);
        let mut write = |step: usize, data: &Data| {
            if let Some(state) = &mut state {
                data.get_state(model, FULL, &mut state[step * nstate..][..nstate]);
            }
            if let Some(sensordata) = &mut sensordata {
                sensordata[step * nsensordata..][..nsensordata].copy_from_slice(&data.sensordata);
            }
        };
        let start = |data: &mut Data| {
            data.reset(model);
            data.set_state(model, FULL, row(self.input.initial_state, env, nstate));
            if let Some(warmstart) = self.input.initial_warmstart {
                data.qacc_warmstart.copy_from_slice(row(warmstart, env, self.nv));
            }
        };
        let control = self.input.control.as_ref();
        *status = guarded(model, data, |data, made| {
            start(data);
            let status = advance(
                model,
                data,
                self.input.nstep,
                |step| control.map(|c| (c.spec, c.row(env, step, self.ncontrol))),
                |step, data| {
                    *made = step + 1;
                    write(step, data);
                },
                pace,
            );
            if let Status::Diverged { step, .. } = status {
                (step + 1..self.input.nstep).for_each(|step| write(step, data));
            }
            status
        });
    }
}

/// Makes steps until all are made, a warning is raised or the run is cancelled.
pub(super) fn advance<'c>(
    model: &Model,
    data: &mut Data,
    nstep: usize,
    control: impl Fn(usize) -> Option<(u32, &'c [f64])>,
    mut made: impl FnMut(usize, &Data),
    pace: &Pace<'_>,
) -> Status {
    let mut counted = 0;
    for at in 0..nstep {
        if pace.is_cancelled() {
            pace.add(at - counted);
            return Status::Cancelled { step: at };
        }
        if let Some((spec, values)) = control(at) {
            data.set_state(model, spec, values);
        }
        step(model, data);
        made(at, data);
        if let Some(kind) = data.warning.iter().position(|warning| warning.number > 0) {
            pace.add(at + 1 - counted);
            let info = data.warning[kind].lastinfo;
            let warning = Warning::from_i32(kind as i32).expect("warnings have their numbers");
            return Status::Diverged { step: at, warning, info };
        }
        if at + 1 - counted == STRIDE {
            pace.add(STRIDE);
            counted = at + 1;
        }
    }
    pace.add(nstep - counted);
    Status::Done
}

/// Runs `call` on the data of an environment, with a place for the number of steps made. A panic,
/// which tells of tables in the model that point nowhere, ends this environment only.
pub(super) fn guarded(
    model: &Model,
    data: &mut Data,
    call: impl FnOnce(&mut Data, &mut usize) -> Status,
) -> Status {
    let mut step = 0;
    let result = catch_unwind(AssertUnwindSafe(|| {
        data.renew_scratch(model);
        call(data, &mut step)
    }));
    result.unwrap_or_else(|payload| {
        data.abandon_scratch();
        let text = payload.downcast_ref::<String>().cloned();
        let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Status::Failed { step, message: model.explain(&text.unwrap_or_default()) }
    })
}

impl<'a> Controls<'a> {
    /// The input of an environment at a step, of `size` numbers.
    pub(super) fn row(&self, env: usize, step: usize, size: usize) -> &'a [f64] {
        let values = row(self.values, env, self.steps * size);
        row(values, step, size)
    }
}

/// Checks the inputs of a run, and returns the size of one.
pub(super) fn check_controls(
    model: &Model,
    envs: usize,
    nstep: usize,
    control: Option<&Controls<'_>>,
) -> Result<usize, BatchError> {
    let Some(control) = control else { return Ok(0) };
    if control.spec & !(State::User as u32) != 0 {
        return Err(BatchError("a control has components that are no inputs".into()));
    }
    if control.steps != 1 && control.steps != nstep {
        let steps = control.steps;
        return Err(BatchError(format!("controls are for {steps} steps of {nstep}")));
    }
    let size = model.state_size(control.spec);
    check("control", control.values.len(), control.steps, size, envs)?;
    Ok(size)
}

/// The numbers of an environment, or those of all.
fn row(values: &[f64], index: usize, size: usize) -> &[f64] {
    if values.len() == size { values } else { &values[index * size..][..size] }
}

/// Checks that there are `rows` rows of `size` numbers, for each environment or for all.
fn check(name: &str, len: usize, rows: usize, size: usize, envs: usize) -> Result<(), BatchError> {
    let one = rows.saturating_mul(size);
    if len == one || Some(len) == one.checked_mul(envs) {
        return Ok(());
    }
    Err(BatchError(format!(
        "{name} has {len} numbers; {one} are expected, for all environments or for each of {envs}"
    )))
}

/// An output in equal parts, one for each environment.
struct Parts<'a> {
    rest: Option<&'a mut [f64]>,
    size: usize,
}

impl<'a> Parts<'a> {
    fn new(
        name: &str,
        values: Option<&'a mut [f64]>,
        nstep: usize,
        size: usize,
        envs: usize,
    ) -> Result<Parts<'a>, BatchError> {
        let size = nstep.saturating_mul(size);
        match &values {
            Some(given) if Some(given.len()) != size.checked_mul(envs) => Err(BatchError(format!(
                "{name} has {} numbers; {size} are expected for each of {envs} environments",
                given.len()
            ))),
            _ => Ok(Parts { rest: values, size }),
        }
    }

    fn next(&mut self) -> Option<&'a mut [f64]> {
        let (part, rest) = self.rest.take()?.split_at_mut(self.size);
        self.rest = Some(rest);
        Some(part)
    }
}

fn same_sizes(a: &Model, b: &Model) -> bool {
    std::ptr::eq(a, b) || Model::SIZES.iter().all(|(name, _)| a.size(name) == b.size(name))
}
