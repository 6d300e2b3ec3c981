//! [`Data`]: the state of one simulation, and everything computed from it.

mod arena;
mod contact;
mod reset;
mod state;
mod stats;
mod table;
mod work;

pub use contact::Contact;
pub use state::ALL_STATES;
pub use stats::{SolverStat, TimerStat, WarningStat};
pub use table::Data;
pub use work::Work;
pub(crate) use work::{RowBuilder, RungeKutta};
