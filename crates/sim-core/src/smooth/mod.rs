//! Smooth dynamics: everything that follows from position and velocity without constraints.

mod camlight;
mod com;
mod inertia;
mod jacobian;
mod kinematics;
mod rne;

pub use camlight::camlight;
pub(crate) use camlight::{fixed_camera, fixed_light};
pub use com::{com_pos, com_vel, subtree_vel};
pub use inertia::{crb, factor_m, full_m, mul_m, solve_m};
pub use jacobian::{apply_ft, jac, xfrc_accumulate};
pub use kinematics::kinematics;
pub use rne::{rne, rne_with_acc};
