use crate::math::Quat;
use crate::model::{ConstraintType, Disable, JointType};
use crate::{Data, Model};

/// Adds a row for every joint and tendon that is closer to a limit than its margin.
pub(super) fn add(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Limit) {
        return;
    }
    let start = data.nefc;
    let some_sleep = data.some_sleep(model);
    for (jnt, &limited) in model.jnt_limited.iter().enumerate() {
        let sleeps = || data.dof_sleeps(model, model.jnt_dofadr[jnt] as usize);
        if limited == 0 || (some_sleep && sleeps()) {
            continue;
        }
        match model.jnt_kind(jnt) {
            JointType::Slide | JointType::Hinge => scalar(model, data, jnt),
            JointType::Ball => ball(model, data, jnt),
            JointType::Free => {}
        }
    }
    for tendon in 0..model.ntendon {
        if model.tendon_limited[tendon] == 0 {
            continue;
        }
        let margin = model.tendon_margin[tendon];
        let length = data.ten_length[tendon];
        for (side, limit) in sides(model.tendon_range[tendon]) {
            let dist = side * (limit - length);
            if dist < margin {
                let row = data.nefc;
                if data.push_tendon_row(model, tendon, -side) {
                    data.push_efc(ConstraintType::LimitTendon, tendon, dist, margin);
                }
                data.claim_tendon(tendon, row);
            }
        }
    }
    data.nl = data.nefc - start;
}

/// Both ends of a range, with the direction in which each is left.
fn sides([low, high]: [f64; 2]) -> [(f64, f64); 2] {
    [(-1.0, low), (1.0, high)]
}

fn scalar(model: &Model, data: &mut Data, jnt: usize) {
    let value = data.qpos[model.jnt_qposadr[jnt] as usize];
    let margin = model.jnt_margin[jnt];
    for (side, limit) in sides(model.jnt_range[jnt]) {
        let dist = side * (limit - value);
        if dist < margin {
            let dof = model.jnt_dofadr[jnt] as usize;
            data.rows.push_unit(data.nefc, dof, -side);
            data.push_efc(ConstraintType::LimitJoint, jnt, dist, margin);
        }
    }
}

/// The limit of a ball joint is on its angle of rotation.
fn ball(model: &Model, data: &mut Data, jnt: usize) {
    let dof = model.jnt_dofadr[jnt] as usize;
    let margin = model.jnt_margin[jnt];
    let adr = model.jnt_qposadr[jnt] as usize;
    let quat = &data.qpos[adr..adr + 4];
    let quat = Quat::new(quat[0], quat[1], quat[2], quat[3]).normalized();
    let (axis, angle) = quat.to_velocity(1.0).normalized();
    let [low, high] = model.jnt_range[jnt];
    let dist = low.max(high) - angle;
    if dist < margin {
        data.rows.push_row(data.nefc, (0..3).map(|i| (dof + i, -axis[i])));
        data.push_efc(ConstraintType::LimitJoint, jnt, dist, margin);
    }
}
