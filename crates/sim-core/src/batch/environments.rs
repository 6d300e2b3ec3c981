use std::sync::Arc;

use super::rollout::{Job, Runner, advance, check_controls, guarded};
use super::watch::Pace;
use super::{BatchError, Controls, Pool, Rollout, Status, Trajectories, Watch};
use crate::data::WarningStat;
use crate::{Data, Model};

/// Environments of one model that live on between runs, and the threads that step them.
#[derive(Debug)]
pub struct Batch {
    model: Arc<Model>,
    pool: Pool,
    envs: Vec<Data>,
    status: Vec<Status>,
}

impl Batch {
    /// Makes `envs` environments in the reference state, and starts `threads` threads; with none or
    /// one, the calling thread does the work.
    pub fn new(
        model: impl Into<Arc<Model>>,
        envs: usize,
        threads: usize,
    ) -> Result<Batch, BatchError> {
        let model = model.into();
        let pool = Pool::new(threads)?;
        // each environment is made by one of the threads, which keeps its arrays off the cache lines
        // of environments that other threads step
        let first = Data::new(&model);
        let mut data: Vec<Data> = (0..envs).map(|_| Data::default()).collect();
        let mut workers = vec![(); pool.threads()];
        let make = |(): &mut (), data: &mut Data, _: &Pace<'_>| *data = first.clone();
        pool.run(&mut workers, data.iter_mut(), None, &Watch::new(), make, |()| {});
        Ok(Batch { envs: data, status: vec![Status::Done; envs], model, pool })
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Number of environments.
    pub fn len(&self) -> usize {
        self.envs.len()
    }

    /// Whether there are no environments.
    pub fn is_empty(&self) -> bool {
        self.envs.is_empty()
    }

    /// Number of environments that are stepped at a time.
    pub fn threads(&self) -> usize {
        self.pool.threads()
    }

    /// The environments.
    pub fn envs(&self) -> &[Data] {
        &self.envs
    }

    /// The environments, to be changed between runs.
    pub fn envs_mut(&mut self) -> &mut [Data] {
        &mut self.envs
    }

    /// How the environments came through the last run.
    pub fn status(&self) -> &[Status] {
        &self.status
    }

    /// Makes `nstep` steps in every environment, from the state that it is in.
    ///
    /// An environment that diverges stops for this run; the next one goes on from where the engine
    /// has put it, which is the reference state unless automatic resets are disabled.
    pub fn step(
        &mut self,
        nstep: usize,
        control: Option<Controls<'_>>,
        watch: &Watch<'_>,
    ) -> Result<&[Status], BatchError> {
        let size = check_controls(&self.model, self.envs.len(), nstep, control.as_ref())?;
        let control = control.as_ref();
        let jobs = self.envs.iter_mut().zip(&mut self.status).enumerate();
        let model = &*self.model;
        let mut workers = vec![(); self.pool.threads()];
        let step = |(): &mut (), job: (usize, (&mut Data, &mut Status)), pace: &Pace<'_>| {
            let (env, (data, status)) = job;
            data.warning = [WarningStat::default(); 8];
            *status = guarded(model, data, |data, made| {
                let inputs = |step| control.map(|c| (c.spec, c.row(env, step, size)));
                advance(model, data, nstep, inputs, |step, _| *made = step + 1, pace)
            });
        };
        self.pool.run(&mut workers, jobs, None, watch, step, |()| {});
        Ok(&self.status)
    }

    /// Plays a trajectory in every environment; see [`rollout`](super::rollout). The environments
    /// end where their trajectories do.
    pub fn rollout(
        &mut self,
        input: &Rollout<'_>,
        output: Trajectories<'_>,
        watch: &Watch<'_>,
    ) -> Result<&[Status], BatchError> {
        let runner = Runner::new(&self.model, self.envs.len(), input)?;
        let jobs = runner.jobs(output, &mut self.status)?.zip(&mut self.envs);
        let model = &*self.model;
        let mut workers = vec![(); self.pool.threads()];
        let play = |(): &mut (), (job, data): (Job<'_>, &mut Data), pace: &Pace<'_>| {
            runner.play(model, data, job, pace);
        };
        self.pool.run(&mut workers, jobs, input.chunk_size, watch, play, |()| {});
        Ok(&self.status)
    }

    /// Copies the state components in `spec` of every environment to `state`, one after another.
    pub fn get_state(&self, spec: u32, state: &mut [f64]) -> Result<(), BatchError> {
        let size = self.check_state(spec, state.len())?;
        for (env, data) in self.envs.iter().enumerate() {
            data.get_state(&self.model, spec, &mut state[env * size..][..size]);
        }
        Ok(())
    }

    /// Sets the state components in `spec` of every environment from `state`.
    pub fn set_state(&mut self, spec: u32, state: &[f64]) -> Result<(), BatchError> {
        let size = self.check_state(spec, state.len())?;
        for (env, data) in self.envs.iter_mut().enumerate() {
            data.set_state(&self.model, spec, &state[env * size..][..size]);
        }
        Ok(())
    }

    fn check_state(&self, spec: u32, len: usize) -> Result<usize, BatchError> {
        let size = self.model.state_size(spec);
        if len == size * self.envs.len() {
            return Ok(size);
        }
        let envs = self.envs.len();
        Err(BatchError(format!(
            "the state has {len} numbers; {size} are expected for each of {envs} environments"
        )))
    }
}
