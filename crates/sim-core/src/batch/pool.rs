use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use super::watch::Pace;
use super::{BatchError, Watch};

/// How often a run is shown to its observer.
const INTERVAL: Duration = Duration::from_millis(50);

/// Threads that wait for simulations to run.
#[derive(Debug)]
pub struct Pool {
    threads: Option<rayon::ThreadPool>,
}

impl Pool {
    /// Starts the threads. With none or one, simulations run on the calling thread.
    pub fn new(threads: usize) -> Result<Pool, BatchError> {
        if threads <= 1 {
            return Ok(Pool { threads: None });
        }
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("{}{i}", Pool::NAME))
            .build()
            .map(|threads| Pool { threads: Some(threads) })
            .map_err(|error| BatchError(format!("cannot start {threads} threads: {error}")))
    }

    /// What the names of its threads begin with.
    pub const NAME: &'static str = "cortenforge-";

    /// Number of simulations that run at a time.
    pub fn threads(&self) -> usize {
        self.threads.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }

    /// Hands `jobs` out to the workers, `chunk` at a time, until none are left; if the caller does
    /// not say how many, less and less, so that all end together. With one worker, and without
    /// threads, they come in their order and on the calling thread.
    pub(super) fn run<W: Send, J: Send>(
        &self,
        workers: &mut [W],
        jobs: impl Iterator<Item = J> + Send,
        chunk: Option<usize>,
        watch: &Watch<'_>,
        work: impl Fn(&mut W, J, &Pace<'_>) + Sync,
    ) {
        let Some(threads) = &self.threads else {
            if let Some(worker) = workers.first_mut() {
                let pace = Pace { watch, first: true };
                jobs.for_each(|job| work(worker, job, &pace));
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
