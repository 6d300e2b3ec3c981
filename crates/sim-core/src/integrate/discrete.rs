use super::advance;
use crate::callbacks::Callbacks;
use crate::derivative::{Covers, smooth_vel};
use crate::math::{FullPattern, MINVAL, factor_cholesky, solve_cholesky};
use crate::model::Disable;
use crate::sleep::awake;
use crate::smooth::{TendonRow, add_m};
use crate::{Data, Model};

/// Advances the state with the velocity dependence `D` of smooth forces and the stiffness `K` of
/// joint and tendon springs treated implicitly:
/// ```text
/// (M − h D + h² K) a = qfrc_smooth + qfrc_constraint − h K v
/// ```
/// Springs of any stiffness stay stable. Unlike in the other implicit integrators, coupling by
/// tendons and actuators across branches and trees is kept, so the matrix is a full one.
/// An extension: MuJoCo 3.5.0 has nothing like it.
pub(crate) fn discrete(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    let (nv, h) = (model.nv, model.opt.timestep);
    smooth_vel(model, data, Covers::Forces);
    let mut matrix = std::mem::take(&mut data.work.square);
    let mut force = std::mem::take(&mut data.work.qacc);
    matrix.clear();
    matrix.resize(nv * nv, 0.0);
    for dof in 0..nv {
        force[dof] = data.qfrc_smooth[dof] + data.qfrc_constraint[dof];
    }

    add_m(model, data, &mut matrix);
    for dof in 0..nv {
        let start = model.D_rowadr[dof] as usize;
        for adr in start..start + model.D_rownnz[dof] as usize {
            matrix[dof * nv + model.D_colind[adr] as usize] -= h * data.qDeriv[adr];
        }
    }
    add_joint_springs(model, data, &mut matrix, &mut force);
    add_tendons(model, data, &mut matrix, &mut force);
    // what sleeps stands still
    for dof in (0..nv).filter(|&dof| awake!(model, data).sleeps(model.dof_body(dof))) {
        for other in 0..nv {
            let unit = f64::from(u8::from(other == dof));
            (matrix[dof * nv + other], matrix[other * nv + dof]) = (unit, unit);
        }
        force[dof] = 0.0;
    }

    factor_cholesky(&mut matrix, nv, MINVAL);
    solve_cholesky(&mut force, &matrix, nv);
    advance(model, data, &force, None, user);
    data.work.square = matrix;
    data.work.qacc = force;
}

/// Adds the stiffness of joints: `h² k` to the diagonal, `−h k v` to the force.
fn add_joint_springs(model: &Model, data: &Data, matrix: &mut [f64], force: &mut [f64]) {
    if model.disabled(Disable::Spring) {
        return;
    }
    let h = model.opt.timestep;
    for jnt in 0..model.njnt {
        let stiffness = model.jnt_stiffness[jnt];
        let first = model.jnt_dofadr[jnt] as usize;
        for dof in first..first + model.jnt_kind(jnt).dofs() {
            matrix[dof * model.nv + dof] += h * h * stiffness;
            force[dof] -= h * stiffness * data.qvel[dof];
        }
    }
}

/// Adds the stiffness of tendons whose spring is under tension or pressure, and the part of their
/// damping that couples branches.
fn add_tendons(model: &Model, data: &Data, matrix: &mut [f64], force: &mut [f64]) {
    let h = model.opt.timestep;
    let pattern = FullPattern {
        rownnz: &model.D_rownnz,
        rowadr: &model.D_rowadr,
        diag: &model.D_diag,
        colind: &model.D_colind,
    };
    for tendon in 0..model.ntendon {
        let [low, high] = model.tendon_lengthspring[tendon];
        let length = data.ten_length[tendon];
        let slack = (low..=high).contains(&length) && low < high;
        let stiffness = if slack || model.disabled(Disable::Spring) {
            0.0
        } else {
            model.tendon_stiffness[tendon]
        };
        let damping =
            if model.disabled(Disable::Damper) { 0.0 } else { model.tendon_damping[tendon] };
        if stiffness == 0.0 && damping == 0.0 {
            continue;
        }
        let row = TendonRow::new(model, data, tendon);
        for i in 0..row.len() {
            let (dof, value) = row.element(data, i);
            force[dof] -= h * stiffness * value * data.ten_velocity[tendon];
            for j in 0..row.len() {
                let (other, other_value) = row.element(data, j);
                // damping within a branch is in the derivative already
                let inside = pattern.find(dof, other).is_some();
                let coupling = h * h * stiffness + if inside { 0.0 } else { h * damping };
                matrix[dof * model.nv + other] += coupling * value * other_value;
            }
        }
    }
}
