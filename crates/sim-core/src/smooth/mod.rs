//! Smooth dynamics: everything that follows from position and velocity without constraints.

mod camlight;
mod com;
mod damped;
mod external;
mod flex;
mod flex_edge;
mod flex_strain;
#[cfg(test)]
mod flex_tests;
mod inertia;
mod interpolation;
mod jacobian;
mod kinematics;
mod object;
mod rne;
mod tendon;
mod transmission;
mod wrap;

pub use camlight::camlight;
pub(crate) use camlight::{fixed_camera, fixed_light};
pub use com::{angmom_mat, com_pos, com_vel, subtree_vel};
pub(crate) use damped::DampedFactor;
pub use flex::flex;
pub(crate) use flex_edge::{Link, common_dofs, flex_velocity, list_links};
pub(crate) use flex_strain::Spoke;
pub(crate) use inertia::composite_inertia;
pub(crate) use inertia::solve_m_awake;
pub use inertia::{
    add_m, crb, factor_m, full_m, legacy_m, make_m, mul_m, mul_m2, solve_m, solve_m2,
};
pub(crate) use interpolation::{Corotated, Interpolation, basis};
pub(crate) use jacobian::{Moves, com_offset, dof_chain, merged_chains};
pub use jacobian::{
    apply_ft, jac, jac_body, jac_body_com, jac_dot, jac_geom, jac_point_axis, jac_site,
    jac_subtree_com, xfrc_accumulate,
};
pub use kinematics::kinematics;
pub use object::{object_acceleration, object_velocity};
pub(crate) use object::{object_frame, to_local};
pub(crate) use rne::rne_into;
pub use rne::{rne, rne_post_constraint, rne_with_acc};
pub use tendon::tendon;
pub(crate) use tendon::{TendonRow, tendon_bias, tendon_bias_into, tendon_velocity};
pub use transmission::transmission;
pub(crate) use wrap::{Shape, wrap};
