use super::Data;
use crate::callbacks::Callbacks;
use crate::fields::record;
use crate::model::Timer;

/// Islands of which solver statistics are kept.
#[doc(alias = "mjNISLAND")]
pub const MAX_ISLANDS: usize = 20;

/// Iterations of which solver statistics are kept, for each island.
#[doc(alias = "mjNSOLVER")]
pub const MAX_ITERATIONS: usize = 200;

record! {
    /// How often a warning was raised.
    #[doc(alias = "mjWarningStat")]
    pub struct WarningStat {
        /// What the last one was about, such as the index of a dof.
        lastinfo: i32 = 0,
        /// Number of times since the last reset.
        number: i32 = 0,
    }
}

record! {
    /// Time spent in a stage.
    #[doc(alias = "mjTimerStat")]
    pub struct TimerStat {
        /// Total duration.
        duration: f64 = 0.0,
        /// Number of calls.
        number: i32 = 0,
    }
}

record! {
    /// What one solver iteration did.
    #[doc(alias = "mjSolverStat")]
    pub struct SolverStat {
        /// Reduction of the cost, scaled.
        improvement: f64 = 0.0,
        /// Norm of the gradient, scaled.
        gradient: f64 = 0.0,
        /// Slope of the cost along the search direction, relative to the start.
        lineslope: f64 = 0.0,
        /// Number of active rows.
        nactive: i32 = 0,
        /// Number of rows whose state changed.
        nchange: i32 = 0,
        /// Number of cost evaluations in the line search.
        neval: i32 = 0,
        /// Number of updates of the factorisation.
        nupdate: i32 = 0,
    }
}

impl Data {
    /// Adds the time since `start` to a timer, if somebody measures time.
    #[inline]
    pub(crate) fn stop_timer(
        &mut self,
        timer: Timer,
        mut start: Option<f64>,
        user: &mut dyn Callbacks,
    ) {
        self.lap_timer(timer, &mut start, user);
    }

    /// Adds the time since `start` to a timer, if somebody measures time, and starts anew.
    #[inline]
    pub(crate) fn lap_timer(
        &mut self,
        timer: Timer,
        start: &mut Option<f64>,
        user: &mut dyn Callbacks,
    ) {
        let Some(before) = *start else { return };
        *start = user.time();
        if let Some(now) = *start {
            let stat = &mut self.timer[timer as usize];
            stat.duration += now - before;
            stat.number = stat.number.saturating_add(1);
        }
    }
}
