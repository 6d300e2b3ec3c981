use crate::math::{Force, Inertia, Mat3, Motion, MotionToForce, Vec3};
use crate::model::JointType;
use crate::sleep::awake;
use crate::{Data, Model};

/// Subtracts the derivative of the bias force by velocity from `qDeriv`.
///
/// With the velocity `v` and momentum `h = I v` of each body, the derivative of its force by the
/// velocity of an ancestor dof `k` is
/// ```text
/// ∂f/∂q̇_k = I w_k + B S_k,   w_k = Ṡ_k + v_k × S_k,   B S = v ×* (I S) − I (v × S) + S ×* h
/// ```
/// where `v_k` is the velocity right after the joint of `k`. Both `I` and `B` add up over
/// subtrees, so one pass over the tree gives all columns. Follows from the recursions of
/// Featherstone, Rigid Body Dynamics Algorithms (2008), §5.3.
pub(super) fn rne_vel(model: &Model, data: &mut Data) {
    let mut composite = std::mem::take(&mut data.work.subtree_force);
    let mut rates = std::mem::take(&mut data.work.axis_rate);
    let mut filled = std::mem::take(&mut data.work.dof_count);
    let awake = awake!(model, data);
    for body in awake.bodies() {
        composite[body] = force_by_velocity(data.cinert[body], data.cvel[body]);
    }
    for body in awake.children().rev() {
        let parent = model.body_parent(body);
        if parent > 0 {
            let own = composite[body];
            composite[parent] += own;
        }
    }

    // w of every dof
    for jnt in 0..model.njnt {
        if awake.sleeps(model.jnt_bodyid[jnt] as usize) {
            continue;
        }
        let first = model.jnt_dofadr[jnt] as usize;
        let after = velocity_after(model, data, jnt);
        let count = model.jnt_kind(jnt).dofs();
        for dof in first..first + count {
            let mut velocity = after;
            // the translations of a free joint come before its rotations
            if model.jnt_kind(jnt) == JointType::Free && dof < first + 3 {
                velocity = Motion::ZERO;
            }
            rates[dof] = data.cdof_dot[dof] + velocity.cross(data.cdof[dof]);
        }
    }

    // rows above and below the diagonal; descendants of a dof follow it in order
    filled.fill(0);
    for dof in awake.dofs() {
        let body = model.dof_body(dof);
        let (axis, rate) = (data.cdof[dof], rates[dof]);
        let by_self = data.crb[body] * rate + &composite[body] * axis;
        let momentum = data.crb[body] * axis;
        let transposed = composite[body].transpose_mul(axis);

        // ancestors stand before the diagonal, from the nearest to the root
        let mut at = (model.D_rowadr[dof] + model.D_diag[dof]) as usize;
        let mut next = Some(dof);
        while let Some(ancestor) = next {
            let ancestor_axis = data.cdof[ancestor];
            // derivative of this force by the ancestor's velocity
            data.qDeriv[at] -= rates[ancestor].dot(momentum) + ancestor_axis.dot(transposed);
            // derivative of the ancestor's force by this velocity
            if ancestor != dof {
                filled[ancestor] += 1;
                let above = model.D_rowadr[ancestor] + model.D_diag[ancestor];
                data.qDeriv[above as usize + filled[ancestor]] -= ancestor_axis.dot(by_self);
            }
            next = model.dof_parent(ancestor);
            at = at.wrapping_sub(1);
        }
    }
    data.work.subtree_force = composite;
    data.work.axis_rate = rates;
    data.work.dof_count = filled;
}

/// The matrix `B` of one body.
fn force_by_velocity(inertia: Inertia, v: Motion) -> MotionToForce {
    let momentum = inertia * v;
    let column = |s: Motion| -> Force {
        v.cross_force(inertia * s) - inertia * v.cross(s) + s.cross_force(momentum)
    };
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let rot = axes.map(|axis| column(Motion::new(axis, Vec3::ZERO)));
    let lin = axes.map(|axis| column(Motion::linear(axis)));
    let block = |columns: [Vec3; 3]| Mat3::from_columns(columns[0], columns[1], columns[2]);
    MotionToForce {
        rot_rot: block(rot.map(|f| f.rot)),
        rot_lin: block(lin.map(|f| f.rot)),
        lin_rot: block(rot.map(|f| f.lin)),
        lin_lin: block(lin.map(|f| f.lin)),
    }
}

/// The velocity of the body of `jnt` after this joint and those before it have moved.
fn velocity_after(model: &Model, data: &Data, jnt: usize) -> Motion {
    let body = model.jnt_bodyid[jnt] as usize;
    let end = model.jnt_dofadr[jnt] as usize + model.jnt_kind(jnt).dofs();
    let own: Motion =
        (model.body_dofs(body).start..end).map(|dof| data.cdof[dof] * data.qvel[dof]).sum();
    data.cvel[model.body_parent(body)] + own
}
