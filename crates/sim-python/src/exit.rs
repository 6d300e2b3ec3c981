//! The end of the interpreter while other threads are inside the engine.
//!
//! CPython ends a thread that asks for the interpreter lock after the interpreter has begun to
//! finalize, by unwinding its stack; Rust cannot be unwound so, and the process would abort. At exit
//! threads are therefore kept from asking: those that are about to return to Python or to call it
//! wait for the end of the process instead, and those that have just asked are let through first.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::raw::this_thread;

/// How long the interpreter waits for threads that are inside a callback.
const PATIENCE: Duration = Duration::from_secs(1);

/// Whether the interpreter is about to finalize, and the thread that does it.
static EXITING: AtomicBool = AtomicBool::new(false);
static FINALIZER: AtomicUsize = AtomicUsize::new(0);
/// Threads that wait for the lock on their way back to Python, and that are inside a callback.
static RETURNING: AtomicUsize = AtomicUsize::new(0);
static CALLING: AtomicUsize = AtomicUsize::new(0);
/// The thread that has imported the package; nearly always the one that ends the program.
static IMPORTER: AtomicUsize = AtomicUsize::new(0);

/// Counts in one of the counters while it lives.
struct Counted(&'static AtomicUsize);

impl Counted {
    /// Counts this thread, or keeps it here for ever if the interpreter is about to finalize.
    fn enter(counter: &'static AtomicUsize) -> Counted {
        counter.fetch_add(1, Ordering::SeqCst);
        let counted = Counted(counter);
        // either this thread sees the flag, or who sets the flag sees the count
        if EXITING.load(Ordering::SeqCst) && FINALIZER.load(Ordering::SeqCst) != this_thread() {
            drop(counted);
            loop {
                std::thread::park();
            }
        }
        counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Runs `call` without the interpreter lock.
pub(crate) fn detached<R: Send>(py: Python<'_>, call: impl FnOnce() -> R + Send) -> R {
    if IMPORTER.load(Ordering::Relaxed) == this_thread() {
        return py.detach(call);
    }
    let (result, _returning) = py.detach(|| {
        let result = call();
        (result, Counted::enter(&RETURNING))
    });
    result
}

/// Runs `call` with the interpreter lock, from inside the engine.
pub(crate) fn attached<R>(call: impl FnOnce(Python<'_>) -> R) -> R {
    if IMPORTER.load(Ordering::Relaxed) == this_thread() {
        return Python::attach(call);
    }
    let _calling = Counted::enter(&CALLING);
    Python::attach(call)
}

/// Keeps other threads from asking for the lock from now on, and lets those through that have.
#[pyfunction]
fn _at_exit(py: Python<'_>) {
    FINALIZER.store(this_thread(), Ordering::SeqCst);
    EXITING.store(true, Ordering::SeqCst);
    let start = Instant::now();
    let busy = || RETURNING.load(Ordering::SeqCst) + CALLING.load(Ordering::SeqCst) > 0;
    while busy() && start.elapsed() < PATIENCE {
        py.detach(|| std::thread::sleep(Duration::from_millis(1)));
    }
}

/// Forgets the threads of the parent, which a forked child does not have.
#[pyfunction]
fn _after_fork() {
    RETURNING.store(0, Ordering::SeqCst);
    CALLING.store(0, Ordering::SeqCst);
    IMPORTER.store(this_thread(), Ordering::SeqCst);
}

/// Has the functions called at the end of the interpreter and in forked children.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    IMPORTER.store(this_thread(), Ordering::SeqCst);
    let at_exit = wrap_pyfunction!(_at_exit, module)?;
    py.import("atexit")?.call_method1("register", (at_exit,))?;
    let os = py.import("os")?;
    if os.hasattr("register_at_fork")? {
        let options = pyo3::types::PyDict::new(py);
        options.set_item("after_in_child", wrap_pyfunction!(_after_fork, module)?)?;
        os.call_method("register_at_fork", (), Some(&options))?;
    }
    Ok(())
}
