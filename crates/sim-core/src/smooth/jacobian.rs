use crate::math::Vec3;
use crate::{Data, Model};

/// Calls `f(dof, translation, rotation)` for every dof that moves `body`, from the last to the
/// first: the columns of the Jacobian of the point `point` fixed to it.
fn for_each_column(
    model: &Model,
    data: &Data,
    point: Vec3,
    body: usize,
    mut f: impl FnMut(usize, Vec3, Vec3),
) {
    let offset = point - data.subtree_com[model.body_rootid[body] as usize];
    // bodies without joints move with the one they are welded to
    let moving = model.body_weldid[body] as usize;
    if moving == 0 {
        return;
    }
    let mut next = model.body_dofs(moving).last();
    while let Some(dof) = next {
        let axis = data.cdof[dof];
        f(dof, axis.lin + axis.rot.cross(offset), axis.rot);
        next = model.dof_parent(dof);
    }
}

/// Computes the Jacobian of a point fixed to `body`: `jacp` of its position and `jacr` of the
/// body's orientation, both `3 x nv` by rows. Runs after `com_pos`.
#[doc(alias = "mj_jac")]
pub fn jac(
    model: &Model,
    data: &Data,
    jacp: &mut [f64],
    jacr: &mut [f64],
    point: Vec3,
    body: usize,
) {
    jacp.fill(0.0);
    jacr.fill(0.0);
    for_each_column(model, data, point, body, |dof, translation, rotation| {
        for row in 0..3 {
            jacp[row * model.nv + dof] = translation[row];
            jacr[row * model.nv + dof] = rotation[row];
        }
    });
}

/// Adds to `qfrc` the joint-space effect of a force and a torque that act on `body` at `point`.
#[doc(alias = "mj_applyFT")]
pub fn apply_ft(
    model: &Model,
    data: &Data,
    force: Vec3,
    torque: Vec3,
    point: Vec3,
    body: usize,
    qfrc: &mut [f64],
) {
    for_each_column(model, data, point, body, |dof, translation, rotation| {
        qfrc[dof] += translation.dot(force) + rotation.dot(torque);
    });
}

/// Adds to `qfrc` the joint-space effect of `xfrc_applied`.
#[doc(alias = "mj_xfrcAccumulate")]
pub fn xfrc_accumulate(model: &Model, data: &Data, qfrc: &mut [f64]) {
    for body in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = data.xfrc_applied[body];
        let (force, torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
        if force != Vec3::ZERO || torque != Vec3::ZERO {
            apply_ft(model, data, force, torque, data.xipos[body], body, qfrc);
        }
    }
}
