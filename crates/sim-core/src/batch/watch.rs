use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

type Observer<'a> = Box<dyn Fn(&Watch<'_>) + Send + Sync + 'a>;

/// How far a run is, and the wish to end it. May be shared with other threads.
#[derive(Default)]
pub struct Watch<'a> {
    steps: Alone<AtomicU64>,
    cancelled: Alone<AtomicBool>,
    observer: Option<Observer<'a>>,
}

/// A value on cache lines of its own: those who read its neighbours need not wait for those who
/// write it. Processors fetch lines of 64 bytes in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Alone<T>(T);

impl<'a> Watch<'a> {
    /// Makes a watch that others may look at.
    pub fn new() -> Watch<'a> {
        Watch::default()
    }

    /// Makes a watch that the thread which has started the run shows to `observer` now and then,
    /// for it to report progress or to [`cancel`](Watch::cancel).
    pub fn with_observer(observer: impl Fn(&Watch<'_>) + Send + Sync + 'a) -> Watch<'a> {
        Watch { observer: Some(Box::new(observer)), ..Watch::default() }
    }

    /// Steps made so far, in all environments together.
    pub fn steps(&self) -> u64 {
        self.steps.0.load(Ordering::Relaxed)
    }

    /// Ends the run: environments stop after the step that they are in.
    pub fn cancel(&self) {
        self.cancelled.0.store(true, Ordering::Relaxed);
    }

    /// Whether the run is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.0.load(Ordering::Relaxed)
    }

    pub(super) fn is_observed(&self) -> bool {
        self.observer.is_some()
    }

    pub(super) fn observe(&self) {
        if let Some(observer) = &self.observer {
            observer(self);
        }
    }
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch")
            .field("steps", &self.steps())
            .field("cancelled", &self.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// A watch as one of the threads of a run sees it.
pub(super) struct Pace<'a> {
    pub(super) watch: &'a Watch<'a>,
    /// Whether this is the thread that has started the run: the observer is its affair.
    pub(super) first: bool,
}

impl Pace<'_> {
    pub(super) fn is_cancelled(&self) -> bool {
        self.watch.is_cancelled()
    }

    /// Counts steps that were made.
    pub(super) fn add(&self, steps: usize) {
        self.watch.steps.0.fetch_add(steps as u64, Ordering::Relaxed);
        if self.first {
            self.watch.observe();
        }
    }
}
