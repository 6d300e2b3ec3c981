//! Many simulations at once, over threads.
//!
//! [`Batch`] keeps environments of one model and steps them together; [`rollout`] plays many
//! open-loop trajectories with one [`Data`](crate::Data) per thread. Each environment is computed by
//! one thread from its own inputs, so results have the same bits on any number of threads. One that
//! diverges, or that cannot be computed, says so in its [`Status`] and leaves the others alone.
//! A [`Watch`] tells how far a run is, and ends it.
//!
//! ```
//! use sim_core::batch::{Batch, Rollout, Status, Trajectories, Watch};
//! use sim_core::model::State;
//! use sim_core::{Data, Model};
//!
//! # fn run(model: Model) -> Result<(), sim_core::batch::BatchError> {
//! let nstate = model.state_size(State::FullPhysics as u32);
//! let mut start = vec![0.0; nstate];
//! Data::new(&model).get_state(&model, State::FullPhysics as u32, &mut start);
//!
//! // 100 environments, 1000 steps, two threads
//! let mut batch = Batch::new(model, 100, 2)?;
//! let mut state = vec![0.0; 100 * 1000 * nstate];
//! let status = batch.rollout(
//!     &Rollout { nstep: 1000, initial_state: &start, ..Rollout::default() },
//!     Trajectories { state: Some(&mut state), sensordata: None },
//!     &Watch::new(),
//! )?;
//! assert!(status.iter().all(|status| *status == Status::Done));
//! # Ok(())
//! # }
//! ```

mod environments;
mod pool;
mod rollout;
mod status;
mod watch;

pub use environments::Batch;
pub use pool::Pool;
pub use rollout::{Controls, Rollout, Trajectories, rollout};
pub use status::{BatchError, Status};
pub use watch::Watch;
