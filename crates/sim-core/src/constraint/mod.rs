//! Constraint rows: equalities, dry friction, limits and contacts, in this order.
//!
//! A row says how fast something changes with the dofs (its Jacobian), how far it is violated, and
//! how stiffly and how softly that is to be mended. Solvers read the rows by kind from [`Rows`];
//! the full matrix is made only for whoever asks.

mod contact;
mod equality;
mod flex;
mod force;
mod friction;
mod impedance;
mod island;
mod island_arrays;
mod jacobian;
mod limit;
mod pyramid;
mod rows;

pub(crate) use equality::polynomial;
pub(crate) use flex::Sides;
pub(crate) use force::{Cone, LANES_FROM, Law, cones};
pub(crate) use impedance::{Sensitivity, sensitivity};
pub use island::island;
pub use island_arrays::island_arrays;
pub use jacobian::constraint_jacobian;
pub use pyramid::{contact_force, decode_pyramid, encode_pyramid};
pub use rows::Rows;
pub(crate) use rows::{Block, Kind, MAX_COUNT, MAX_RANK};

use crate::model::{ConstraintType, Disable};
use crate::{Data, Model};

/// Makes the constraint rows of the current position. Runs after `collision` and `tendon`.
#[doc(alias = "mj_makeConstraint")]
pub fn make_constraint(model: &Model, data: &mut Data) {
    data.clear_efc();
    if model.disabled(Disable::Constraint) {
        return;
    }
    data.tendon_efcadr.resize(model.ntendon, -1);
    data.work.flex_inertia.clear();
    equality::add(model, data);
    friction::add(model, data);
    limit::add(model, data);
    if !data.contact_rows_fit(model) {
        data.drop_rows(model);
        return;
    }
    contact::add(model, data);
    data.maxuse_efc = data.maxuse_efc.max(data.nefc);
    data.nJ = if model.is_sparse() {
        data.rows.blocks.iter().map(|block| block.count * block.listed * block.times).sum()
    } else {
        data.nefc * model.nv
    };
    data.drop_rows_if_full(model, 0);
    impedance::add(model, data);
}

/// Computes the velocity along the rows and the acceleration that they aim at:
/// ```text
/// efc_vel = J qvel        efc_aref = −B vel − K I (pos − margin)
/// ```
#[doc(alias = "mj_referenceConstraint")]
pub fn reference_constraint(_model: &Model, data: &mut Data) {
    let nefc = data.nefc;
    data.efc_vel.resize(nefc, 0.0);
    data.efc_aref.resize(nefc, 0.0);
    data.rows.mul(&mut data.efc_vel, &data.qvel);
    for row in 0..nefc {
        let [stiffness, damping, impedance, _] = data.efc_KBIP[row];
        data.efc_aref[row] = -damping * data.efc_vel[row]
            - stiffness * impedance * (data.efc_pos[row] - data.efc_margin[row]);
    }
}

/// Computes `res = J x`, with the Jacobian of the constraint rows. Runs after `make_constraint`.
#[doc(alias = "mj_mulJacVec")]
pub fn mul_jac_vec(data: &Data, res: &mut [f64], x: &[f64]) {
    data.rows.mul(res, x);
}

/// Computes `res = Jᵀ x`, with the Jacobian of the constraint rows. Runs after `make_constraint`.
#[doc(alias = "mj_mulJacTVec")]
pub fn mul_jac_t_vec(data: &Data, res: &mut [f64], x: &[f64]) {
    data.rows.mul_transposed(res, x);
}

impl Data {
    /// Adds a row to the public arrays; its Jacobian goes to `rows`.
    fn push_efc(&mut self, kind: ConstraintType, id: usize, pos: f64, margin: f64) {
        self.nefc += 1;
        self.efc_type.push(kind as i32);
        self.efc_id.push(id as i32);
        self.efc_pos.push(pos);
        self.efc_margin.push(margin);
        self.efc_frictionloss.push(0.0);
    }
}
