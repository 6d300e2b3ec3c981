//! A bar that tells how far a simulation is.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use cortenforge::Data;
use indicatif::{ProgressBar, ProgressStyle};

use crate::text::count;

/// Time between two looks of the bar.
const INTERVAL: Duration = Duration::from_millis(50);

/// A bar on standard error, if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    timestep: f64,
    shown: Cell<Instant>,
}

impl Progress {
    pub(crate) fn new(steps: usize, timestep: f64) -> Progress {
        let template = "{bar:30.cyan/blue} {percent:>3}%  {msg}  {eta} left";
        let bar = match (io::stderr().is_terminal(), ProgressStyle::with_template(template)) {
            (true, Ok(style)) => {
                ProgressBar::new(steps as u64).with_style(style.progress_chars("━╸─"))
            }
            _ => ProgressBar::hidden(),
        };
        Progress { bar, timestep, shown: Cell::new(Instant::now()) }
    }

    /// Shows how many steps are done, in how much time.
    pub(crate) fn show(&self, done: usize, data: &Data, wall: Duration) {
        if self.bar.is_hidden() || self.shown.get().elapsed() < INTERVAL {
            return;
        }
        self.shown.set(Instant::now());
        let factor = done as f64 * self.timestep / wall.as_secs_f64().max(1e-9);
        self.bar.set_position(done as u64);
        self.bar.set_message(format!(
            "t = {:.2} s, {factor:.0}× real time, {}",
            data.time,
            count(data.ncon, "contact")
        ));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
