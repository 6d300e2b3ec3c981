use std::ops::Range;

use super::tendon::tendon_armature;
use crate::math::{factor_ldl, factor_ldl_of, solve_ldl, solve_ldl_of};
use crate::sleep::awake;
use crate::{Data, Model};

/// Computes the mass matrix `M`, tendons included, and its legacy copy `qM`. Runs after `tendon`.
#[doc(alias = "mj_makeM")]
pub fn make_m(model: &Model, data: &mut Data) {
    crb(model, data);
    tendon_armature(model, data);
    let awake = awake!(model, data);
    let mut copy = |row: Range<usize>| {
        for (&value, &legacy) in data.M[row.clone()].iter().zip(&model.mapM2M[row]) {
            data.qM[legacy as usize] = value;
        }
    };
    if awake.all() {
        copy(0..model.nC);
    } else {
        awake.dofs().for_each(|dof| copy(model.m_row(dof)));
    }
}

/// Computes the mass matrix `M` of bodies and joints from composite inertias.
///
/// ```text
/// crb_parent += crb_b        M_ij = cdof_j · (crb_b cdof_i)   for j an ancestor of i
/// ```
/// Featherstone, Rigid Body Dynamics Algorithms (2008), §6.2. Runs after `com_pos`.
#[doc(alias = "mj_crb")]
pub fn crb(model: &Model, data: &mut Data) {
    composite_inertia(model, data);
    let awake = awake!(model, data);
    let Data { ref crb, ref cdof, .. } = *data; // reads
    let Data { ref mut M, .. } = *data; // writes

    for dof in awake.dofs() {
        let start = model.M_rowadr[dof] as usize;
        let count = model.M_rownnz[dof] as usize;
        let row = &mut M[start..start + count];
        if model.dof_simplenum[dof] != 0 {
            // constant and diagonal
            row[count - 1] = model.dof_M0[dof];
            continue;
        }
        let momentum = crb[model.dof_body(dof)] * cdof[dof];
        let ancestors = &model.M_colind[start..start + count];
        for (value, &ancestor) in row.iter_mut().zip(ancestors) {
            *value = cdof[ancestor as usize].dot(momentum);
        }
        row[count - 1] += model.dof_armature[dof];
    }
}

/// Computes `crb`, the inertia of each body with everything below it. Runs after `com_pos`.
pub(crate) fn composite_inertia(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref cinert, ref mut crb, .. } = *data;
    if awake.all() {
        crb.copy_from_slice(cinert);
    } else {
        awake.bodies().for_each(|body| crb[body] = cinert[body]);
    }
    for body in awake.children().rev() {
        let parent = model.body_parent(body);
        if parent > 0 {
            let composite = crb[body];
            crb[parent] += composite;
        }
    }
}

/// Factorises the mass matrix. Runs after `crb`.
#[doc(alias = "mj_factorM")]
pub fn factor_m(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref M, ref mut qLD, ref mut qLDiagInv, ref work, .. } = *data;
    let pattern = model.m_pattern(&work.plan);
    if awake.all() {
        qLD.copy_from_slice(M);
        factor_ldl(qLD, qLDiagInv, pattern);
    } else {
        for dof in awake.dofs() {
            qLD[model.m_row(dof)].copy_from_slice(&M[model.m_row(dof)]);
        }
        factor_ldl_of(qLD, qLDiagInv, pattern, |dof| !awake.sleeps(model.dof_body(dof)));
    }
}

/// Solves `M x = b` in place. Runs after `factor_m`.
#[doc(alias = "mj_solveM")]
pub fn solve_m(model: &Model, data: &Data, x: &mut [f64]) {
    solve_ldl(x, &data.qLD, &data.qLDiagInv, model.m_pattern(&data.work.plan));
}

/// Solves `M x = b` in place for dofs that are awake; what `x` holds for others is undefined.
pub(crate) fn solve_m_awake(model: &Model, data: &Data, x: &mut [f64]) {
    let pattern = model.m_pattern(&data.work.plan);
    let awake = awake!(model, data);
    if awake.all() {
        solve_ldl(x, &data.qLD, &data.qLDiagInv, pattern);
    } else {
        let wanted = |dof| !awake.sleeps(model.dof_body(dof));
        solve_ldl_of(x, &data.qLD, &data.qLDiagInv, pattern, wanted);
    }
}

/// Computes `res = M x`. Runs after `crb`.
#[doc(alias = "mj_mulM")]
pub fn mul_m(model: &Model, data: &Data, res: &mut [f64], x: &[f64]) {
    res.fill(0.0);
    for dof in 0..model.nv {
        let start = model.M_rowadr[dof] as usize;
        let diagonal = start + model.M_rownnz[dof] as usize - 1;
        let own_x = x[dof];
        let mut own = data.M[diagonal] * own_x;
        let row = data.M[start..diagonal].iter().zip(&model.M_colind[start..diagonal]);
        for (value, &ancestor) in row {
            own += value * x[ancestor as usize];
            res[ancestor as usize] += value * own_x;
        }
        res[dof] += own;
    }
}

/// Writes the mass matrix as a full `nv x nv` matrix. Runs after `make_m`.
#[doc(alias = "mj_fullM")]
pub fn full_m(model: &Model, data: &Data, res: &mut [f64]) {
    res.fill(0.0);
    add_m(model, data, res);
}

/// Adds the mass matrix to a full `nv x nv` matrix. Runs after `make_m`.
#[doc(alias = "mj_addM")]
pub fn add_m(model: &Model, data: &Data, res: &mut [f64]) {
    for dof in 0..model.nv {
        let start = model.M_rowadr[dof] as usize;
        for adr in start..start + model.M_rownnz[dof] as usize {
            let ancestor = model.M_colind[adr] as usize;
            res[dof * model.nv + ancestor] += data.M[adr];
            if ancestor != dof {
                res[ancestor * model.nv + dof] += data.M[adr];
            }
        }
    }
}
