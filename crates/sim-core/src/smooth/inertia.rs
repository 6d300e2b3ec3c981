use wide::f64x4;

use super::tendon::tendon_armature;
use crate::math::{Inertia, Motion, Piece, factor_ldl_sum, solve_ldl, solve_ldl_of};
use crate::sleep::awake;
use crate::{Data, Model};

/// Computes the mass matrix `M`, tendons included. Runs after `tendon`.
#[doc(alias = "mj_makeM")]
pub fn make_m(model: &Model, data: &mut Data) {
    crb(model, data);
    tendon_armature(model, data);
}

/// Writes the mass matrix in its older layout: `qM`. The engine itself does not use it. Runs after
/// `make_m`.
pub fn legacy_m(model: &Model, data: &mut Data) {
    for dof in 0..model.nv {
        // from the dof itself to its root
        let (start, row) = (model.dof_Madr[dof] as usize, &data.M[model.m_row(dof)]);
        let legacy = &mut data.qM[start..start + row.len()];
        for (legacy, value) in legacy.iter_mut().zip(row.iter().rev()) {
            *legacy = *value;
        }
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
    data.cache.damped.invalidate();
    composite_inertia(model, data);
    let awake = awake!(model, data);
    let wanted = |dof: usize| !awake.sleeps(model.dof_body(dof));
    let Data { ref mut cache, ref crb, ref cdof, ref mut M, .. } = *data;
    for piece in cache.inertia.update(model).pieces() {
        match piece {
            Piece::Diagonal { first, count } => {
                for dof in (first..first + count).filter(|&dof| wanted(dof)) {
                    M[model.M_rowadr[dof] as usize] = if model.dof_simplenum[dof] != 0 {
                        model.dof_M0[dof] // constant
                    } else {
                        let axis = cdof[dof];
                        axis.dot(crb[model.dof_body(dof)] * axis) + model.dof_armature[dof]
                    };
                }
            }
            Piece::Chain { first, .. } if !wanted(first) => {}
            Piece::Chain { first, count } => match count {
                1 => chain_rows::<1>(model, crb, cdof, M, first),
                2 => chain_rows::<2>(model, crb, cdof, M, first),
                3 => chain_rows::<3>(model, crb, cdof, M, first),
                _ => chain_rows::<4>(model, crb, cdof, M, first),
            },
        }
    }
}

/// Computes `N` rows of `M` along a chain of dofs at once, which share the ancestors of the first.
#[inline]
fn chain_rows<const N: usize>(
    model: &Model,
    crb: &[Inertia],
    cdof: &[Motion],
    mat: &mut [f64],
    first: usize,
) {
    let bodies: [usize; N] = std::array::from_fn(|i| model.dof_body(first + i));
    let Force4 { rot, lin } = momenta(bodies.map(|body| &crb[body]), &cdof[first..first + N]);
    let products = |axis: &Motion| {
        (rot[0] * axis.rot.x
            + rot[1] * axis.rot.y
            + rot[2] * axis.rot.z
            + lin[0] * axis.lin.x
            + lin[1] * axis.lin.y
            + lin[2] * axis.lin.z)
            .to_array()
    };

    let start = model.M_rowadr[first] as usize;
    let shared = model.M_rownnz[first] as usize - 1;
    let mut rest = &mut mat[start..];
    // the part of the ancestors, and that of the chain itself
    let rows: [(&mut [f64], &mut [f64]); N] = std::array::from_fn(|i| {
        let (row, tail) = std::mem::take(&mut rest).split_at_mut(shared + i + 1);
        rest = tail;
        row.split_at_mut(shared)
    });
    for (depth, &ancestor) in model.M_colind[start..start + shared].iter().enumerate() {
        let values = products(&cdof[ancestor as usize]);
        for i in 0..N {
            rows[i].0[depth] = values[i];
        }
    }
    for j in 0..N {
        let values = products(&cdof[first + j]);
        for i in j..N {
            rows[i].1[j] = values[i];
        }
        rows[j].1[j] += model.dof_armature[first + j];
    }
}

/// Four forces, one per lane.
struct Force4 {
    rot: [f64x4; 3],
    lin: [f64x4; 3],
}

/// Computes the products of up to four inertias and axes at once, in the order of additions of a
/// single one. Lanes beyond the last repeat it.
#[inline]
fn momenta<const N: usize>(inertia: [&Inertia; N], axis: &[Motion]) -> Force4 {
    let mut parts = [[f64x4::ZERO; 4]; 4];
    for lane in 0..4 {
        let i: &[f64; 10] = bytemuck::cast_ref(inertia[lane.min(N - 1)]);
        let v: &[f64; 6] = bytemuck::cast_ref(&axis[lane.min(N - 1)]);
        parts[0][lane] = f64x4::new([i[0], i[1], i[2], i[3]]);
        parts[1][lane] = f64x4::new([i[4], i[5], i[6], i[7]]);
        parts[2][lane] = f64x4::new([v[0], v[1], v[2], v[3]]);
        parts[3][lane] = f64x4::new([i[8], i[9], v[4], v[5]]);
    }
    let [xx, yy, zz, xy] = f64x4::transpose(parts[0]);
    let [xz, yz, hx, hy] = f64x4::transpose(parts[1]);
    let [wx, wy, wz, vx] = f64x4::transpose(parts[2]);
    let [hz, mass, vy, vz] = f64x4::transpose(parts[3]);
    Force4 {
        rot: [
            xx * wx + xy * wy + xz * wz - hz * vy + hy * vz,
            xy * wx + yy * wy + yz * wz + hz * vx - hx * vz,
            xz * wx + yz * wy + zz * wz - hy * vx + hx * vy,
        ],
        lin: [
            hz * wy - hy * wz + mass * vx,
            hx * wz - hz * wx + mass * vy,
            hy * wx - hx * wy + mass * vz,
        ],
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
    awake.sum_subtrees(model, crb);
}

/// Factorises the mass matrix. Runs after `crb`.
#[doc(alias = "mj_factorM")]
pub fn factor_m(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref M, ref mut qLD, ref mut qLDiagInv, ref mut cache, ref mut work, .. } = *data;
    let plan = cache.inertia.update(model);
    let pattern = model.m_pattern(plan);
    if awake.all() && cache.damped.is_wanted() {
        cache.damped.factor_along(model, qLD, qLDiagInv, M, pattern, &mut work.ldl);
        return;
    }
    let wanted = |dof| !awake.sleeps(model.dof_body(dof));
    factor_ldl_sum(qLD, qLDiagInv, Some(M), |_| 0.0, pattern, &mut work.ldl, wanted);
}

/// Solves `M x = b` in place. Runs after `factor_m`.
#[doc(alias = "mj_solveM")]
pub fn solve_m(model: &Model, data: &Data, x: &mut [f64]) {
    let plan = data.cache.inertia.get(model);
    solve_ldl(x, &data.qLD, &data.qLDiagInv, model.m_pattern(&plan));
}

/// Solves `M x = b` in place for dofs that are awake; what `x` holds for others is undefined.
pub(crate) fn solve_m_awake(model: &Model, data: &Data, x: &mut [f64]) {
    let plan = data.cache.inertia.get(model);
    let pattern = model.m_pattern(&plan);
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
    for piece in data.cache.inertia.get(model).pieces() {
        match piece {
            Piece::Diagonal { first, count } => {
                for dof in first..first + count {
                    res[dof] = data.M[model.M_rowadr[dof] as usize] * x[dof];
                }
            }
            Piece::Chain { first, count } => match count {
                1 => mul_chain::<1>(model, &data.M, res, x, first),
                2 => mul_chain::<2>(model, &data.M, res, x, first),
                3 => mul_chain::<3>(model, &data.M, res, x, first),
                _ => mul_chain::<4>(model, &data.M, res, x, first),
            },
        }
    }
}

/// The share of `N` rows of the mass matrix, and of the columns above their ends, in a product.
/// Each is the parent of the next, so that they have the same ancestors.
#[inline]
fn mul_chain<const N: usize>(model: &Model, mat: &[f64], res: &mut [f64], x: &[f64], first: usize) {
    let start = model.M_rowadr[first] as usize;
    let shared = model.M_rownnz[first] as usize - 1;
    let mut rest = &mat[start..];
    let rows: [(&[f64], &[f64]); N] = std::array::from_fn(|i| {
        let (row, tail) = rest.split_at(shared + i + 1);
        rest = tail;
        row.split_at(shared)
    });
    let mut own = [0.0; N];
    own.copy_from_slice(&x[first..first + N]);
    let mut sums: [f64; N] = std::array::from_fn(|i| rows[i].1[i] * own[i]);
    for (depth, &ancestor) in model.M_colind[start..start + shared].iter().enumerate() {
        let (x, res) = (x[ancestor as usize], &mut res[ancestor as usize]);
        for i in 0..N {
            let value = rows[i].0[depth];
            sums[i] += value * x;
            *res += value * own[i];
        }
    }
    let res = &mut res[first..first + N];
    for i in 0..N {
        for j in 0..i {
            let value = rows[i].1[j];
            sums[i] += value * own[j];
            res[j] += value * own[i];
        }
        res[i] = sums[i];
    }
}

/// Computes `res = D^½ L x`, where `M = Lᵀ D L`: `xᵀ M x = resᵀ res`. Runs after `factor_m`.
#[doc(alias = "mj_mulM2")]
pub fn mul_m2(model: &Model, data: &Data, res: &mut [f64], x: &[f64]) {
    for dof in 0..model.nv {
        let start = model.M_rowadr[dof] as usize;
        let diagonal = start + model.M_rownnz[dof] as usize - 1;
        let row = (start..diagonal).map(|adr| data.qLD[adr] * x[model.M_colind[adr] as usize]);
        res[dof] = (x[dof] + row.sum::<f64>()) * data.qLD[diagonal].sqrt();
    }
}

/// Computes `x = diag(scale) L⁻ᵀ x` in place, half of a solution with the mass matrix if `scale`
/// is `D^-½`. Runs after `factor_m`.
#[doc(alias = "mj_solveM2")]
pub fn solve_m2(model: &Model, data: &Data, x: &mut [f64], scale: &[f64]) {
    for dof in (0..model.nv).rev() {
        let start = model.M_rowadr[dof] as usize;
        let diagonal = start + model.M_rownnz[dof] as usize - 1;
        let own = x[dof];
        for adr in start..diagonal {
            x[model.M_colind[adr] as usize] -= data.qLD[adr] * own;
        }
    }
    x.iter_mut().zip(scale).for_each(|(x, scale)| *x *= scale);
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
