use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::watch::Pace;
use super::{BatchError, Watch};
use crate::{Data, Model};

/// How often a run is shown to its observer.
const INTERVAL: Duration = Duration::from_millis(50);

/// Threads that wait for simulations to run.
///
/// Each thread keeps a [`Data`] of its own between rollouts. It is made on that thread: data made
/// one after another by a single thread have arrays on common cache lines, and threads that step
/// them slow each other down (false sharing).
#[derive(Debug)]
pub struct Pool {
    threads: Option<rayon::ThreadPool>,
    /// The data of each thread, while it does not use it.
    data: Vec<Mutex<Option<Box<Data>>>>,
}

impl Pool {
    /// Starts the threads. With none or one, simulations run on the calling thread.
    pub fn new(threads: usize) -> Result<Pool, BatchError> {
        if threads <= 1 {
            return Ok(Pool { threads: None, data: Vec::new() });
        }
        if threads > Pool::MOST {
            let most = Pool::MOST;
            return Err(BatchError(format!("{threads} threads are too many, {most} are allowed")));
        }
        let data = (0..threads).map(|_| Mutex::new(None)).collect();
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("{}{i}", Pool::NAME))
            .build()
            .map(|threads| Pool { threads: Some(threads), data })
            .map_err(|error| BatchError(format!("cannot start {threads} threads: {error}")))
    }

    /// Whether simulations run on threads of the pool.
    pub(super) fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    /// The place where the current thread keeps its data; none on threads of others.
    fn own_place(&self) -> Option<&Mutex<Option<Box<Data>>>> {
        let index = self.threads.as_ref()?.current_thread_index()?;
        self.data.get(index)
    }

    /// Takes the data of the current thread, or makes one that fits `model`.
    pub(super) fn take_data(&self, model: &Model) -> Box<Data> {
        let kept = self
            .own_place()
            .and_then(|place| place.lock().unwrap_or_else(PoisonError::into_inner).take());
        kept.filter(|data| data.fits(model)).unwrap_or_else(|| Box::new(Data::new(model)))
    }

    /// Keeps the data of the current thread for the next rollout.
    pub(super) fn keep_data(&self, data: Box<Data>) {
        if let Some(place) = self.own_place() {
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(data);
        }
    }

    /// The largest number of threads: more than any machine that steps has cores.
    pub const MOST: usize = 1024;

    /// What the names of its threads begin with.
    pub const NAME: &'static str = "cortenforge-";

    /// Number of simulations that run at a time.
    pub fn threads(&self) -> usize {
        self.threads.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Hands `jobs` out to the workers, `chunk` at a time, until none are left; if the caller does
    /// not say how many, less and less, so that all end together. When none are left, each worker
    /// calls `finish`, on the thread that it has run on. Without threads, jobs come in their order
    /// and on the calling thread.
    pub(super) fn run<W: Send, J: Send>(
        &self,
        workers: &mut [W],
        jobs: impl Iterator<Item = J> + Send,
        chunk: Option<usize>,
        watch: &Watch<'_>,
        work: impl Fn(&mut W, J, &Pace<'_>) + Sync,
        finish: impl Fn(&mut W) + Sync,
    ) {
        let Some(threads) = &self.threads else {
            if let Some(worker) = workers.first_mut() {
                let pace = Pace { watch, first: true };
                jobs.for_each(|job| work(worker, job, &pace));
                finish(worker);
            }
            return;
        };
        let jobs = Mutex::new(jobs);
        let share = 4 * workers.len().max(1);
        let take = |taken: &mut Vec<J>| {
            let mut jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let portion = chunk.unwrap_or(jobs.size_hint().0 / share).max(1);
            taken.extend(jobs.by_ref().take(portion));
        };
        let at_work = AtWork::new(workers.len());
        threads.in_place_scope(|scope| {
            for worker in workers {
                scope.spawn(|_| {
                    let _leaving = Leaving(&at_work);
                    let pace = Pace { watch, first: false };
                    let mut taken = Vec::new();
                    loop {
                        take(&mut taken);
                        if taken.is_empty() {
                            break;
                        }
                        taken.drain(..).for_each(|job| work(worker, job, &pace));
                    }
                    finish(worker);
                });
            }
            if watch.is_observed() {
                at_work.wait(|| watch.observe());
            }
        });
    }
}

/// Number of workers that are not done.
struct AtWork {
    count: Mutex<usize>,
    done: Condvar,
}

impl AtWork {
    fn new(count: usize) -> AtWork {
        AtWork { count: Mutex::new(count), done: Condvar::new() }
    }

    /// Waits for all workers, calling `meanwhile` at intervals.
    fn wait(&self, meanwhile: impl Fn()) {
        let mut count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        while *count > 0 {
            let result = self.done.wait_timeout(count, INTERVAL);
            let (guard, waited) = result.unwrap_or_else(PoisonError::into_inner);
            count = guard;
            if waited.timed_out() && *count > 0 {
                // workers may leave while this runs
                drop(count);
                meanwhile();
                count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

/// Counts a worker out when it is dropped, also by a panic.
struct Leaving<'a>(&'a AtWork);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        *self.0.count.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.done.notify_one();
    }
}
