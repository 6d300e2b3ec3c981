//! CortenForge simulates articulated bodies described in MuJoCo's MJCF format, and returns the
//! numbers that MuJoCo 3.5.0 returns.
//!
//! This crate is the front door: the engine ([`sim_core`]) and the loader ([`sim_mjcf`]) under one
//! name, and a few [`robots`] to begin with. The command is a crate of its own, `cortenforge-cli`.
//!
//! # Where to begin
//!
//! | to | look at |
//! |---|---|
//! | load a model | [`load_file`], [`load_str`], [`Loader`] for models of strangers |
//! | have one at hand | [`robots`] |
//! | simulate | [`Data::new`], [`step`], [`forward`] |
//! | read and set by name | [`Named`]: `data.joint_qpos(&model, "hip")` |
//! | keep a state and return to it | [`Snapshot`] |
//! | simulate many | [`batch`] |
//! | edit a model, or write it | [`Spec`] |
//! | forces of contacts | [`Data::contact`](Data#structfield.contact), [`contact_force`] |
//! | derivatives of a step | [`derivative`] |
//! | use other crates' vectors | [`convert`], behind the features `glam` and `mint` |
//!
//! `use cortenforge::prelude::*;` brings what most programs use.
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

pub mod convert;
mod named;
pub mod prelude;
pub mod robots;
mod snapshot;

pub use named::Named;
pub use snapshot::{Components, Snapshot};

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
