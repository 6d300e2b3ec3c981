use crate::model::{ConstraintType, Disable};
use crate::{Data, Model};

/// Adds a row for every dof and tendon with dry friction.
pub(super) fn add(model: &Model, data: &mut Data) {
    if model.disabled(Disable::FrictionLoss) {
        return;
    }
    let start = data.nefc;
    let some_sleep = data.some_sleep(model);
    for (dof, &friction) in model.dof_frictionloss.iter().enumerate() {
        if friction != 0.0 && !(some_sleep && data.dof_sleeps(model, dof)) {
            data.rows.push_unit(data.nefc, dof, 1.0);
            data.push_efc(ConstraintType::FrictionDof, dof, 0.0, 0.0);
            data.efc_frictionloss[data.nefc - 1] = friction;
        }
    }
    for tendon in 0..model.ntendon {
        if model.tendon_frictionloss[tendon] > 0.0 {
            let row = data.nefc;
            if data.push_tendon_row(model, tendon, 1.0) {
                data.push_efc(ConstraintType::FrictionTendon, tendon, 0.0, 0.0);
                data.efc_frictionloss[row] = model.tendon_frictionloss[tendon];
            }
            data.claim_tendon(tendon, row);
        }
    }
    data.nf = data.nefc - start;
}

impl Data {
    /// Adds `sign` times the Jacobian of a tendon to the rows; false if it is empty.
    pub(super) fn push_tendon_row(&mut self, model: &Model, tendon: usize, sign: f64) -> bool {
        let row = self.nefc;
        let Data { ref ten_J, ref ten_J_colind, ref ten_J_rowadr, ref ten_J_rownnz, .. } = *self;
        let Data { ref mut rows, .. } = *self;
        if model.is_sparse() {
            let start = ten_J_rowadr[tendon] as usize;
            let end = start + ten_J_rownnz[tendon] as usize;
            rows.push_row(row, (start..end).map(|a| (ten_J_colind[a] as usize, sign * ten_J[a])));
        } else {
            let values = &ten_J[tendon * model.nv..(tendon + 1) * model.nv];
            let nonzero = values.iter().enumerate().filter(|(_, value)| **value != 0.0);
            rows.push_row(row, nonzero.map(|(dof, value)| (dof, sign * value)));
        }
        let used = rows.blocks[rows.blocks.len() - 1].width > 0;
        if !used {
            rows.blocks.pop();
        }
        used
    }

    /// Notes that `row` is the first of a tendon, unless there was one before.
    pub(super) fn claim_tendon(&mut self, tendon: usize, row: usize) {
        if self.tendon_efcadr[tendon] == -1 {
            self.tendon_efcadr[tendon] = row as i32;
        }
    }
}
