use super::jacobian::{constraint_jacobian, count_alike};
use crate::{Data, Model};

/// Writes the copies of inertia, forces, accelerations and rows in the order of islands: `iM`,
/// `iLD`, `iacc`, `iefc_J` and the like. The engine itself does not use them. Runs after
/// `fwd_constraint`; what depends on a stage that has not run is zero.
///
/// Matrices have the length of the ones they are made from. Where free dofs leave them less to
/// hold, zeros follow. A dense `iefc_J` has a block of rows for every island, as wide as the island
/// has dofs, at `nidof` times its first row.
pub fn island_arrays(model: &Model, data: &mut Data) {
    clear(data);
    if data.nisland == 0 {
        return;
    }
    constraint_jacobian(model, data);
    inertia(model, data);
    if model.is_sparse() {
        sparse_jacobian(data);
    } else {
        dense_jacobian(model, data);
    }

    let dofs = &data.map_idof2dof[..data.nidof];
    for (out, source) in [
        (&mut data.ifrc_smooth, &data.qfrc_smooth),
        (&mut data.iacc_smooth, &data.qacc_smooth),
        (&mut data.iLDiagInv, &data.qLDiagInv),
        (&mut data.iacc, &data.qacc),
        (&mut data.ifrc_constraint, &data.qfrc_constraint),
    ] {
        gather(out, source, dofs);
    }
    let rows = &data.map_iefc2efc;
    for (out, source) in [
        (&mut data.iefc_frictionloss, &data.efc_frictionloss),
        (&mut data.iefc_D, &data.efc_D),
        (&mut data.iefc_R, &data.efc_R),
        (&mut data.iefc_aref, &data.efc_aref),
        (&mut data.iefc_force, &data.efc_force),
    ] {
        gather(out, source, rows);
    }
    for (out, source) in [
        (&mut data.iefc_type, &data.efc_type),
        (&mut data.iefc_id, &data.efc_id),
        (&mut data.iefc_state, &data.efc_state),
    ] {
        gather(out, source, rows);
    }
}

fn clear(data: &mut Data) {
    for list in [
        &mut data.ifrc_smooth,
        &mut data.iacc_smooth,
        &mut data.iM,
        &mut data.iLD,
        &mut data.iLDiagInv,
        &mut data.iacc,
        &mut data.iefc_J,
        &mut data.iefc_frictionloss,
        &mut data.iefc_D,
        &mut data.iefc_R,
        &mut data.iefc_aref,
        &mut data.iefc_force,
        &mut data.ifrc_constraint,
    ] {
        list.clear();
    }
    for list in [
        &mut data.iM_rownnz,
        &mut data.iM_rowadr,
        &mut data.iM_colind,
        &mut data.iefc_type,
        &mut data.iefc_id,
        &mut data.iefc_J_rownnz,
        &mut data.iefc_J_rowadr,
        &mut data.iefc_J_rowsuper,
        &mut data.iefc_J_colind,
        &mut data.iefc_state,
    ] {
        list.clear();
    }
}

/// Fills `out` with the elements of `source` that `map` lists.
fn gather<T: Copy + Default>(out: &mut Vec<T>, source: &[T], map: &[i32]) {
    out.extend(map.iter().map(|&i| source.get(i as usize).copied().unwrap_or_default()));
}

fn inertia(model: &Model, data: &mut Data) {
    for &dof in &data.map_idof2dof[..data.nidof] {
        let dof = dof as usize;
        let first = data.island_idofadr[data.dof_island[dof] as usize];
        let start = model.M_rowadr[dof] as usize;
        let row = start..start + model.M_rownnz[dof] as usize;
        data.iM_rownnz.push(model.M_rownnz[dof]);
        data.iM_rowadr.push(data.iM.len() as i32);
        let columns = model.M_colind[row.clone()].iter();
        data.iM_colind.extend(columns.map(|&dof| data.map_dof2idof[dof as usize] - first));
        data.iM.extend_from_slice(&data.M[row.clone()]);
        data.iLD.extend_from_slice(&data.qLD[row]);
    }
    data.iM.resize(model.nC, 0.0);
    data.iLD.resize(model.nC, 0.0);
    data.iM_colind.resize(model.nC, 0);
}

fn sparse_jacobian(data: &mut Data) {
    for &row in &data.map_iefc2efc {
        let row = row as usize;
        let first = data.island_idofadr[data.efc_island[row] as usize];
        let start = data.efc_J_rowadr[row] as usize;
        let entries = start..start + data.efc_J_rownnz[row] as usize;
        data.iefc_J_rownnz.push(data.efc_J_rownnz[row]);
        data.iefc_J_rowadr.push(data.iefc_J.len() as i32);
        let columns = data.efc_J_colind[entries.clone()].iter();
        data.iefc_J_colind.extend(columns.map(|&dof| data.map_dof2idof[dof as usize] - first));
        data.iefc_J.extend_from_slice(&data.efc_J[entries]);
    }
    data.iefc_J_rowsuper.resize(data.nefc, 0);
    for island in 0..data.nisland {
        let start = data.island_iefcadr[island] as usize;
        let rows = start..start + data.island_nefc[island] as usize;
        count_alike(
            &mut data.iefc_J_rowsuper[rows.clone()],
            &data.iefc_J_rownnz[rows.clone()],
            &data.iefc_J_rowadr[rows],
            &data.iefc_J_colind,
        );
    }
}

fn dense_jacobian(model: &Model, data: &mut Data) {
    data.iefc_J.resize(data.nefc * model.nv, 0.0);
    for island in 0..data.nisland {
        let first_dof = data.island_idofadr[island] as usize;
        let dofs = &data.map_idof2dof[first_dof..first_dof + data.island_nv[island] as usize];
        let first_row = data.island_iefcadr[island] as usize;
        let rows = &data.map_iefc2efc[first_row..first_row + data.island_nefc[island] as usize];
        let out = data.iefc_J[data.nidof * first_row..].chunks_mut(dofs.len().max(1));
        for (out, &row) in out.zip(rows) {
            let row = &data.efc_J[row as usize * model.nv..][..model.nv];
            for (out, &dof) in out.iter_mut().zip(dofs) {
                *out = row[dof as usize];
            }
        }
    }
}
