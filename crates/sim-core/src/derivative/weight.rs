use crate::Data;
use crate::constraint::{Block, Cone, Kind, MAX_RANK};
use crate::data::Contact;
use crate::math::{MINVAL, Mat3, MotionToForce, Vec3};
use crate::model::{ConstraintState, ConstraintType};

/// How the forces of a block of rows change, along its stored rows (for pyramids: the axes of the
/// contact):
/// ```text
/// δf = −matrix (δ(J a) + damping δ(J v) + stiffness δpos e₀) + growth force δpos
/// ```
/// where `pos` is what the impedance is a function of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weight {
    pub(super) rank: usize,
    pub(super) force: [f64; MAX_RANK],
    pub(super) matrix: [[f64; MAX_RANK]; MAX_RANK],
    pub(super) damping: [f64; MAX_RANK],
    /// Of the reference acceleration of a row whose violation is `pos`, with the slope of the
    /// impedance.
    pub(super) stiffness: f64,
    /// Stiffness at constant impedance, and what its slope adds per violation.
    pub(super) spring: f64,
    pub(super) spring_slope: f64,
    pub(super) growth: f64,
    /// Relative growth of forces with the impedance.
    pub(super) stiffening: f64,
}

impl Weight {
    /// Becomes the weight of a block, at the residuals `jar` of all rows. Of the matrix only the part
    /// within the rank is set.
    pub(super) fn set(&mut self, data: &Data, block: &Block, jar: &[f64]) {
        let rows = block.row..block.row + block.count;
        let [spring, damping, impedance, slope] = data.efc_KBIP[block.row];
        let violation = data.efc_pos[block.row] - data.efc_margin[block.row];
        let state = data.efc_state[block.row];
        self.rank = block.rank;
        self.force = block.gather(&data.efc_force[rows.clone()]);
        self.damping = [damping; MAX_RANK];
        self.stiffness = spring * (impedance + slope * violation);
        self.spring = spring * impedance;
        self.spring_slope = spring * slope;
        self.stiffening = 1.0 / (impedance * (1.0 - impedance));
        self.growth = slope * self.stiffening;
        // a saturated force does not depend on the softness, nor does a row of least softness
        if state == ConstraintState::LinearNeg as i32
            || state == ConstraintState::LinearPos as i32
            || data.efc_R[block.row] <= MINVAL
        {
            (self.growth, self.stiffening) = (0.0, 0.0);
        }
        let quadratic = |row: usize| {
            if data.efc_state[row] == ConstraintState::Quadratic as i32 {
                data.efc_D[row]
            } else {
                0.0
            }
        };
        let matrix = &mut self.matrix;
        matrix[..block.rank].iter_mut().for_each(|row| row[..block.rank].fill(0.0));
        match &block.kind {
            Kind::Unit | Kind::Plain if state == ConstraintState::Cone as i32 => {
                let contact = &data.contact[data.efc_id[block.row] as usize];
                cone(data, block, contact, &jar[rows], matrix);
            }
            Kind::Unit | Kind::Plain => {
                rows.enumerate().for_each(|(k, row)| matrix[k][k] = quadratic(row));
            }
            Kind::Pyramid(friction) => {
                for k in 1..block.rank {
                    let mu = friction[k - 1];
                    let [plus, minus] =
                        [0, 1].map(|side| quadratic(block.row + 2 * (k - 1) + side));
                    matrix[0][0] += plus + minus;
                    matrix[0][k] = mu * (plus - minus);
                    matrix[k][0] = matrix[0][k];
                    matrix[k][k] = mu * mu * (plus + minus);
                }
            }
        }
        if data.efc_type[block.row] == ConstraintType::ContactElliptic as i32 {
            let tangent = data.efc_KBIP[block.row + 1][1];
            self.damping[1..].fill(tangent);
        }
    }

    /// Whether forces change with residuals at all.
    pub(super) fn responds(&self) -> bool {
        let rank = self.rank;
        self.matrix[..rank].iter().any(|row| row[..rank].iter().any(|&x| x != 0.0))
    }

    /// Whether there is any force, or one that would come with residuals.
    pub(super) fn acts(&self) -> bool {
        self.force.iter().take(self.rank).any(|&x| x != 0.0) || self.responds()
    }

    /// The maps from relative acceleration and velocity at a contact to its wrench.
    pub(super) fn maps(&self, frame: &Mat3) -> (MotionToForce, MotionToForce) {
        let axis = |k: usize| frame.row(k % 3);
        let mut by = [MotionToForce::default(); 2];
        for j in 0..self.rank {
            // the force along all axes per residual along this one
            let (mut push, mut torque) = (Vec3::ZERO, Vec3::ZERO);
            for k in 0..self.rank {
                let rate = -self.matrix[k][j];
                if k < 3 {
                    push += axis(k) * rate;
                } else {
                    torque += axis(k) * rate;
                }
            }
            for (by, factor) in by.iter_mut().zip([1.0, self.damping[j]]) {
                let a = axis(j) * factor;
                if j < 3 {
                    by.lin_lin = by.lin_lin + Mat3::outer(push, a);
                    if self.rank > 3 {
                        by.rot_lin = by.rot_lin + Mat3::outer(torque, a);
                    }
                } else {
                    by.lin_rot = by.lin_rot + Mat3::outer(push, a);
                    by.rot_rot = by.rot_rot + Mat3::outer(torque, a);
                }
            }
        }
        let [by_acc, by_vel] = by;
        (by_acc, by_vel)
    }
}

/// The Hessian of an elliptic cone in its middle zone.
fn cone(
    data: &Data,
    block: &Block,
    contact: &Contact,
    jar: &[f64],
    out: &mut [[f64; MAX_RANK]; MAX_RANK],
) {
    let mu = contact.mu;
    let weight = data.efc_D[block.row] / (mu * mu * (1.0 + mu * mu));
    let id = data.efc_id[block.row] as usize;
    let cone = Cone {
        row: block.row,
        dim: block.count,
        contact: id,
        mu,
        friction: contact.friction,
        weight,
    };
    fn copy<const N: usize>(out: &mut [[f64; MAX_RANK]; MAX_RANK], from: [[f64; N]; N]) {
        for (out, from) in out.iter_mut().zip(from) {
            out[..N].copy_from_slice(&from);
        }
    }
    match block.count {
        3 => copy(out, cone.hessian::<3>(jar)),
        4 => copy(out, cone.hessian::<4>(jar)),
        _ => copy(out, cone.hessian::<6>(jar)),
    }
}
