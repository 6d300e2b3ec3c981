//! [`Data`]: the state of one simulation, and everything computed from it.

pub(crate) mod arena;
mod cache;
mod contact;
mod reset;
mod state;
mod stats;
mod table;
mod work;

pub use cache::Cache;
pub(crate) use cache::same;
pub use contact::Contact;
pub use state::ALL_STATES;
pub use stats::{MAX_ISLANDS, MAX_ITERATIONS, SolverStat, TimerStat, WarningStat};
pub use table::Data;
pub use work::Work;
pub(crate) use work::{RowBuilder, RungeKutta};
