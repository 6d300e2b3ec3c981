//! Ctrl-C, and other polite requests to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit status of a command that was asked to end, as shells have it.
pub(crate) const EXIT: u8 = 130;

/// Whether the command was asked to end. A second request ends it at once.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens to requests from now on. Where that is not possible, none will come.
    pub(crate) fn listen() -> Interrupt {
        let asked = Interrupt::default();
        let flag = asked.0.clone();
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(i32::from(EXIT));
            }
        });
        asked
    }

    pub(crate) fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
