//! [`Data`]: the state of one simulation, and everything computed from it.

mod contact;
mod reset;
mod stats;
mod table;
mod work;

pub use contact::Contact;
pub use stats::{SolverStat, TimerStat, WarningStat};
pub use table::Data;
pub use work::Work;
