use crate::fields::record;

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
