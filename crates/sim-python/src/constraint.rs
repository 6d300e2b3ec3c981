//! Constraint rows, under MuJoCo's names.

use pyo3::prelude::*;

use crate::arguments::{Output, check_len, vector, write};
use crate::data::MjData;
use crate::guard::{with_data, with_data_read, with_model};
use crate::model::MjModel;

/// Computes `res = J vec`, with the Jacobian of the constraint rows.
#[pyfunction]
fn mj_mulJacVec(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: Output<'_, '_>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (nv, nefc) = with_data_read(py, m.get(), d.get(), |model, data| (model.nv, data.nefc))?;
    check_len("res", res, nefc, "nefc")?;
    let x = vector("vec", vec, nv, "nv")?;
    let mut product = vec![0.0; nefc];
    with_data_read(py, m.get(), d.get(), |_, data| {
        sim_core::mul_jac_vec(data, &mut product, &x);
    })?;
    write(res, &product)
}

/// Computes `res = Jᵀ vec`, with the Jacobian of the constraint rows.
#[pyfunction]
fn mj_mulJacTVec(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: Output<'_, '_>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (nv, nefc) = with_data_read(py, m.get(), d.get(), |model, data| (model.nv, data.nefc))?;
    check_len("res", res, nv, "nv")?;
    let x = vector("vec", vec, nefc, "nefc")?;
    let mut product = vec![0.0; nv];
    with_data_read(py, m.get(), d.get(), |_, data| {
        sim_core::mul_jac_t_vec(data, &mut product, &x);
    })?;
    // without rows the result stays as it was
    if nefc == 0 { Ok(()) } else { write(res, &product) }
}

/// Computes `efc_state`, `efc_force` and `qfrc_constraint` from the residuals `jar`, one for each
/// constraint row; with `flg_coneHessian` also the Hessians of elliptic cones. Writes the cost to
/// `cost`.
#[pyfunction]
fn mj_constraintUpdate(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jar: &Bound<'_, PyAny>,
    cost: Option<Output<'_, '_>>,
    flg_coneHessian: i32,
) -> PyResult<()> {
    let nefc = with_data_read(py, m.get(), d.get(), |_, data| data.nefc)?;
    let jar = vector("jar", jar, nefc, "nefc")?;
    cost.map_or(Ok(()), |cost| check_len("cost", cost, 1, "1"))?;
    let sum = with_data(py, m.get(), d.get(), |model, data| {
        let sum = sim_core::constraint_update(model, data, &jar);
        if flg_coneHessian != 0 {
            sim_core::cone_hessians(model, data, &jar);
        }
        sum
    })?;
    cost.map_or(Ok(()), |cost| write(cost, &[sum]))
}

/// Returns whether the solver works with the matrix of forces: 1 or 0.
#[pyfunction]
fn mj_isDual(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    with_model(m.py(), m.get(), |model| i32::from(model.is_dual()))
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::functions::add! {
        module: mj_mulJacVec mj_mulJacTVec mj_constraintUpdate mj_isDual
    }
    Ok(())
}
