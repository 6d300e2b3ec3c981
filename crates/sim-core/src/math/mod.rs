//! Small fixed-size types, and the kernels in which the order of additions is decided.
//!
//! No fused multiply-add anywhere, and transcendental functions come from `libm`, so that every
//! machine computes the same bits.

mod band;
mod box_qp;
mod cholesky;
mod dense;
mod eigen;
mod lanes;
mod ldl;
mod lu;
mod mat3;
mod minimum_degree;
mod quat;
mod reduce;
mod scalar;
mod sparse;
mod spatial;
mod supernodal;
mod tiled_ldl;
mod trig;
mod vec3;

pub use band::Band;
pub use box_qp::{BoxQp, box_qp};
pub use cholesky::{factor_cholesky, solve_cholesky, update_cholesky};
pub use dense::{
    mul_mat_mat, mul_mat_mat_t, mul_mat_t_mat, mul_mat_t_vec, mul_mat_vec, mul_vec_mat_vec,
    sqr_mat_td, transpose,
};
pub use eigen::eig3;
pub(crate) use lanes::{
    axpy_in_turn, axpy_rows, axpy4, dot4, dots4, load4, scalars, scalars_mut, total, totals,
};
pub use ldl::{
    LdlScratch, Pattern, Plan, factor_ldl, factor_ldl_of, solve_ldl, solve_ldl_lower, solve_ldl_of,
    solve_ldl_upper,
};
pub(crate) use ldl::{Piece, factor_ldl_both, factor_ldl_sum};
pub use lu::{FullPattern, factor_lu_of, solve_lu_of};
pub use mat3::Mat3;
pub use quat::Quat;
pub use reduce::{axpy, axpy_each, dot, norm, scale, sum};
pub use scalar::{halton, sigmoid, spring_damper};
pub use sparse::{compress, expand};
pub use spatial::{Force, Inertia, Motion, MotionToForce};
pub(crate) use supernodal::{Supernodal, Target};
pub(crate) use tiled_ldl::{Active, Terms, TiledLdl, bit, each_bit};
pub(crate) use trig::sincos4;
pub use vec3::Vec3;

/// Smallest number that denominators are allowed to be.
pub const MINVAL: f64 = 1e-15;

/// Largest magnitude of a state or acceleration before the simulation counts as diverged.
pub const MAXVAL: f64 = 1e10;

/// The first element that is not a number or too large to go on with.
pub fn first_bad(x: &[f64]) -> Option<usize> {
    // almost never is there one, so look without leaving early
    let any = x.iter().fold(false, |any, &x| any | is_bad(x));
    if any { x.iter().position(|&x| is_bad(x)) } else { None }
}

/// Whether `x` is not a number or too large to go on with.
#[doc(alias = "mju_isBad")]
pub fn is_bad(x: f64) -> bool {
    x.is_nan() || x.abs() > MAXVAL
}
