//! Simulating in real time while pages look on.

use std::time::{Duration, Instant};

use crate::Viewer;
use crate::session::Session;
use crate::status::status;

/// Time between frames: 60 per second.
pub(crate) const FRAME: Duration = Duration::from_nanos(16_666_667);
/// Time between reports of the status.
pub(crate) const REPORT: Duration = Duration::from_millis(100);
/// Computing without a look at the pages.
const SLICE: Duration = Duration::from_millis(10);
/// Waiting for a command while nothing moves, and while a page has yet to confirm a frame.
const IDLE: Duration = Duration::from_millis(8);
const BRIEF: Duration = Duration::from_millis(1);
/// A simulation that is later than this lets the lost time go.
const LATE: f64 = 0.1;

/// The clock of a simulation: which simulated time is due when.
#[derive(Debug)]
struct Clock {
    wall: Instant,
    time: f64,
    /// Start of the measurement of speed.
    measured: (Instant, f64, Duration, usize),
}

impl Clock {
    fn new(time: f64) -> Clock {
        let now = Instant::now();
        Clock { wall: now, time, measured: (now, time, Duration::ZERO, 0) }
    }
}

impl Session {
    /// Simulates in real time until `stop` says so or a page asks for the end. Nothing moves before
    /// the first page is open. `linger`: time without pages after which it ends too.
    pub fn run(&mut self, viewer: &Viewer, linger: Option<Duration>, stop: &dyn Fn() -> bool) {
        let server = &viewer.server;
        let mut clock = Clock::new(self.data.time);
        let (mut frame_due, mut reported) = (Instant::now(), Instant::now());
        let mut seen = Instant::now();
        let (mut dirty, mut late) = (true, false);
        while !stop() && !self.quit {
            // steps are computed when a frame is due; until then commands are awaited
            let patience = match self.paused || server.clients() == 0 {
                true => IDLE,
                false if late => Duration::ZERO,
                false => frame_due.saturating_duration_since(Instant::now()).max(BRIEF),
            };
            let mut next = server.command(patience);
            while let Some((client, command)) = next {
                let before = (self.paused, self.speed, self.data.time);
                self.obey(client, command, server);
                self.pending.clear();
                dirty = true;
                if before != (self.paused, self.speed, self.data.time) {
                    (clock.wall, clock.time) = (Instant::now(), self.data.time);
                }
                next = server.command(Duration::ZERO);
            }
            self.look_at_files();
            if server.clients() > 0 {
                seen = Instant::now();
            } else {
                clock = Clock::new(self.data.time);
                let left = linger.is_some_and(|linger| seen.elapsed() > linger);
                if server.visitors() > 0 && left {
                    return;
                }
            }

            late = false;
            if self.paused {
                self.hold();
                clock = Clock::new(self.data.time);
                self.factor = 0.0;
                dirty |= self.pert.active != 0;
            } else if server.clients() > 0 {
                let (stepped, behind) = self.catch_up(&mut clock);
                (dirty, late) = (dirty | stepped, behind);
            }

            // a page that has just come gets the moment as it is
            let now = Instant::now();
            if now >= frame_due && (dirty || self.news) && server.wants_frame() {
                // frames keep their rhythm, unless one was much too late
                frame_due = (frame_due + FRAME).max(now + FRAME / 2);
                if !self.paused {
                    self.remember();
                }
                self.publish(server);
                dirty = false;
            } else if dirty && server.visitors() == 0 {
                self.publish(server);
                server.status(&status(self));
                dirty = false;
            }
            self.hand_out_pictures(server);
            if reported.elapsed() >= REPORT && (self.news || !self.paused) && server.clients() > 0 {
                reported = Instant::now();
                server.status(&status(self));
                self.news = false;
            }
        }
    }

    /// Steps until the simulated time is that of the clock; whether there was a step, and whether more
    /// are due.
    fn catch_up(&mut self, clock: &mut Clock) -> (bool, bool) {
        let start = Instant::now();
        let due = clock.time + clock.wall.elapsed().as_secs_f64() * self.speed;
        let mut steps = 0;
        while self.data.time < due && start.elapsed() < SLICE {
            let before = self.data.time;
            self.step();
            steps += 1;
            // a simulation that has reset itself starts a new clock
            if self.data.time < before {
                *clock = Clock::new(self.data.time);
                self.history.clear();
                break;
            }
        }
        let behind = self.data.time < due;
        if due - self.data.time > LATE * self.speed.max(0.01) {
            (clock.wall, clock.time) = (Instant::now(), self.data.time);
        }
        let (since, time, busy, count) = &mut clock.measured;
        *busy += start.elapsed();
        *count += steps;
        if since.elapsed() > Duration::from_millis(500) {
            self.factor = (self.data.time - *time) / since.elapsed().as_secs_f64();
            self.cost = 1e6 * busy.as_secs_f64() / (*count).max(1) as f64;
            clock.measured = (Instant::now(), self.data.time, Duration::ZERO, 0);
        }
        (steps > 0, behind)
    }
}
