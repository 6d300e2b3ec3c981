//! CortenForge simulates articulated bodies described in MuJoCo's MJCF format, and returns the
//! numbers that MuJoCo 3.5.0 returns.
//!
//! This crate is the front door: the engine ([`sim_core`]) and the loader ([`sim_mjcf`]) under one
//! name. The `cortenforge` command lives here too, behind the default feature `cli`.
//!
//! - [`load_file`] and [`load_str`] read MJCF and compile it to a [`Model`]; [`Spec`] does both
//!   step by step, and writes MJCF.
//! - [`Model`] is what stays the same during a simulation, [`Data`] is everything that changes.
//!   Their fields carry MuJoCo's names, shapes and units.
//! - [`step`] advances a [`Data`] by one time step; [`forward`] computes everything that follows
//!   from the current state without advancing it.
//!
//! Loading can fail, with an error that quotes the file and line. Stepping cannot: a simulation
//! that diverges counts a warning in `data.warning` and starts again from its reference state.
//!
//! # Example
//!
//! A pendulum is let go from the horizontal. Half a swing later it is on the other side:
//!
//! ```
//! use cortenforge::{Data, load_str, step};
//!
//! let loaded = load_str(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body>
//!              <joint name="pivot" axis="0 1 0"/>
//!              <geom type="sphere" size="0.02" pos="0.5 0 0"/>
//!            </body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! let model = loaded.model;
//! let mut data = Data::new(&model);
//!
//! // a swing of 90 degrees to either side takes 1.18 times as long as a small one
//! let half_swing = 1.18 * std::f64::consts::PI * (0.5_f64 / 9.81).sqrt();
//! while data.time < half_swing {
//!     step(&model, &mut data);
//! }
//! assert!((data.qpos[0] - std::f64::consts::PI).abs() < 0.02);
//! # Ok::<(), cortenforge::Error>(())
//! ```
#![forbid(unsafe_code)]

pub use sim_core::*;
pub use sim_mjcf::*;

// the examples of the README and of the guide are tests
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/migration.md")]
    struct Migration;
    #[doc = include_str!("../../../docs/errors.md")]
    struct Errors;
    #[doc = include_str!("../../../docs/performance.md")]
    struct Performance;
}
