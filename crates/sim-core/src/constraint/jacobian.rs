use super::rows::{Block, MAX_COUNT, Rows, lanes};
use crate::model::ConstraintType;
use crate::smooth::merged_chains;
use crate::{Data, Model};

/// Writes the Jacobian of all rows as one matrix, dense or in compressed rows as the model wants:
/// `efc_J`, `efc_J_rownnz`, `efc_J_rowadr`, `efc_J_colind`, `efc_J_rowsuper`. The engine itself
/// does not use it. Runs after `make_constraint`.
pub fn constraint_jacobian(model: &Model, data: &mut Data) {
    if data.has_foreign_rows() {
        return;
    }
    data.efc_J.clear();
    data.efc_J_rownnz.clear();
    data.efc_J_rowadr.clear();
    data.efc_J_colind.clear();
    data.efc_J_rowsuper.clear();
    if data.nefc == 0 {
        return;
    }
    let rows = std::mem::take(&mut data.rows);
    if model.is_sparse() {
        sparse(model, data, &rows);
    } else {
        data.efc_J.resize(data.nefc * model.nv, 0.0);
        for block in rows.each_block() {
            for (i, &dof) in rows.dofs(&block).iter().enumerate() {
                let column = block.column(&rows, i);
                for k in 0..block.count {
                    data.efc_J[(block.row + k) * model.nv + dof as usize] = column[k];
                }
            }
        }
    }
    data.rows = rows;
}

fn sparse(model: &Model, data: &mut Data, rows: &Rows) {
    let mut listed = std::mem::take(&mut data.work.list);
    for block in rows.each_block() {
        list_dofs(model, data, rows, &block, &mut listed);
        let start = data.efc_J.len();
        data.efc_J.resize(start + block.count * listed.len(), 0.0);
        for k in 0..block.count {
            data.efc_J_rownnz.push(listed.len() as i32);
            data.efc_J_rowadr.push((start + k * listed.len()) as i32);
            data.efc_J_colind.extend(listed.iter().map(|&dof| dof as i32));
        }
        let mut at = 0;
        for (i, &dof) in rows.dofs(&block).iter().enumerate() {
            while listed[at] != dof as usize {
                at += 1;
            }
            let column = block.column(rows, i);
            for k in 0..block.count {
                data.efc_J[start + k * listed.len() + at] = column[k];
            }
        }
    }
    listed.clear();
    data.work.list = listed;

    data.efc_J_rowsuper.resize(data.nefc, 0);
    let Data { ref efc_J_colind, ref efc_J_rowadr, ref efc_J_rownnz, .. } = *data;
    count_alike(&mut data.efc_J_rowsuper, efc_J_rownnz, efc_J_rowadr, efc_J_colind);
}

/// Counts, for each row of a sparse matrix, how many that follow have the same columns.
pub(super) fn count_alike(out: &mut [i32], rownnz: &[i32], rowadr: &[i32], colind: &[i32]) {
    let columns = |row: usize| &colind[rowadr[row] as usize..][..rownnz[row] as usize];
    for row in (1..out.len()).rev() {
        out[row - 1] = if columns(row - 1) == columns(row) { out[row] + 1 } else { 0 };
    }
}

/// The dofs that a block lists in public, also those on which it does not depend.
fn list_dofs(model: &Model, data: &Data, rows: &Rows, block: &Block, out: &mut Vec<usize>) {
    out.clear();
    if block.listed == block.width {
        out.extend(rows.dofs(block).iter().map(|&dof| dof as usize));
        return;
    }
    if data.efc_type[block.row] == ConstraintType::Equality as i32 {
        // an edge of a flex whose ends hang on a body that moves: the dofs of that body come first
        let own = rows.dofs(block);
        let first = own.first().map(|&dof| dof as usize);
        let above = std::iter::successors(first, |&dof| model.dof_parent(dof)).skip(1);
        out.extend(above.take(block.listed - block.width));
        out.reverse();
        out.extend(own.iter().map(|&dof| dof as usize));
        return;
    }
    let contact = &data.contact[data.efc_id[block.row] as usize];
    let Some([first, second]) = contact.geom_bodies(model) else { return };
    out.extend(merged_chains(model, first, second).map(|(dof, _)| dof));
    out.reverse();
}

impl Block {
    /// Column `i` of the rows of this block.
    pub(crate) fn column(&self, rows: &Rows, i: usize) -> [f64; MAX_COUNT] {
        let lanes = lanes(self.rank);
        let mut column = [0.0; MAX_COUNT];
        self.spread(&rows.values(self)[i * lanes..], &mut column[..self.count]);
        column
    }
}
