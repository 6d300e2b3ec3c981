use super::external::external_forces;
use crate::data::Work;
use crate::math::{Force, Motion};
use crate::model::Disable;
use crate::sleep::{Awake, awake};
use crate::{Data, Model};

/// Computes the bias force `qfrc_bias = C(qpos, qvel)`: Coriolis, centrifugal and gravity.
///
/// Recursive Newton-Euler at zero joint acceleration, in com-based world coordinates:
/// ```text
/// a_b = a_parent + Σ cdof_dot·qvel        f_b = I_b a_b + v_b ×* I_b v_b
/// f_parent += f_b                         qfrc_bias = cdof · f
/// ```
/// Featherstone, Rigid Body Dynamics Algorithms (2008), §5.3. Runs after `com_vel`.
#[doc(alias = "mj_rne")]
pub fn rne(model: &Model, data: &mut Data) {
    body_forces(model, data);
    let awake = awake!(model, data);
    project(model, awake, &data.cdof, &mut data.work.cfrc, &mut data.qfrc_bias);
}

/// Computes the bias force into `res`; see [`rne`].
pub(crate) fn rne_into(model: &Model, data: &mut Data, res: &mut [f64]) {
    body_forces(model, data);
    project(model, awake!(model, data), &data.cdof, &mut data.work.cfrc, res);
}

/// Computes the force on each body at zero joint acceleration, in scratch.
fn body_forces(model: &Model, data: &mut Data) {
    let Data { ref qvel, ref cdof_dot, ref cvel, ref cinert, .. } = *data; // reads
    let Work { ref mut cacc, ref mut cfrc, .. } = data.work; // writes

    // of the same length, so that one test of an index is enough
    let (nbody, nv) = (model.nbody, model.nv);
    let (qvel, cdof_dot) = (&qvel[..nv], &cdof_dot[..nv]);
    let (cvel, cinert) = (&cvel[..nbody], &cinert[..nbody]);
    let (cacc, cfrc) = (&mut cacc[..nbody], &mut cfrc[..nbody]);

    let awake = awake!(model, data);
    cacc[0] = world_acceleration(model);
    for body in awake.bodies().skip(1) {
        let drift: Motion = model.body_dofs(body).map(|dof| cdof_dot[dof] * qvel[dof]).sum();
        let momentum = cinert[body] * cvel[body];
        cacc[body] = cacc[model.body_parent(body)] + drift;
        cfrc[body] = cinert[body] * cacc[body] + cvel[body].cross_force(momentum);
    }
}

/// Computes the force that produces the acceleration `qacc`: `res = M qacc + C(qpos, qvel)`, with
/// `M` free of armature. Runs after `com_vel`.
#[doc(alias = "mj_rne")]
pub fn rne_with_acc(model: &Model, data: &mut Data, res: &mut [f64]) {
    let Data { ref qvel, ref qacc, ref cdof, ref cdof_dot, ref cvel, ref cinert, .. } = *data;
    let Work { ref mut cacc, ref mut cfrc, .. } = data.work; // scratch

    let awake = awake!(model, data);
    cacc[0] = world_acceleration(model);
    for body in awake.bodies().skip(1) {
        let own: Motion = model
            .body_dofs(body)
            .map(|dof| cdof_dot[dof] * qvel[dof] + cdof[dof] * qacc[dof])
            .sum();
        let momentum = cinert[body] * cvel[body];
        cacc[body] = cacc[model.body_parent(body)] + own;
        cfrc[body] = cinert[body] * cacc[body] + cvel[body].cross_force(momentum);
    }
    project(model, awake, cdof, cfrc, res);
}

/// Computes accelerations `cacc`, external forces `cfrc_ext` (applied, of contacts, of connects and
/// welds) and the forces between bodies `cfrc_int` that result from them. Runs after `forward`, for
/// sensors and users that need it.
#[doc(alias = "mj_rnePostConstraint")]
pub fn rne_post_constraint(model: &Model, data: &mut Data) {
    external_forces(model, data);
    let Data { ref qvel, ref qacc, ref cdof, ref cdof_dot, ref cvel, ref cinert, .. } = *data;
    let Data { ref cfrc_ext, .. } = *data; // reads
    let Data { ref mut cacc, ref mut cfrc_int, .. } = *data; // writes

    cacc[0] = world_acceleration(model);
    cfrc_int[0] = Force::ZERO;
    for body in 1..model.nbody {
        let own: Motion = model
            .body_dofs(body)
            .map(|dof| cdof_dot[dof] * qvel[dof] + cdof[dof] * qacc[dof])
            .sum();
        cacc[body] = cacc[model.body_parent(body)] + own;
        let momentum = cinert[body] * cvel[body];
        let force = cinert[body] * cacc[body] + cvel[body].cross_force(momentum);
        cfrc_int[body] = force - cfrc_ext[body];
    }
    for body in (1..model.nbody).rev() {
        let force = cfrc_int[body];
        cfrc_int[model.body_parent(body)] += force;
    }
    data.flg_rnepost = true;
}

/// Gravity enters as an upward acceleration of the world.
fn world_acceleration(model: &Model) -> Motion {
    if model.disabled(Disable::Gravity) { Motion::ZERO } else { Motion::linear(-model.opt.gravity) }
}

/// Hands every body's force to its parent, and projects the sums onto the motion axes.
fn project(model: &Model, awake: Awake<'_>, cdof: &[Motion], cfrc: &mut [Force], res: &mut [f64]) {
    let cfrc = &mut cfrc[..model.nbody];
    awake.sum_subtrees(model, cfrc);
    let (cdof, res) = (&cdof[..model.nv], &mut res[..model.nv]);
    let bodies = &model.dof_bodyid[..model.nv];
    awake.dofs().for_each(|dof| res[dof] = cdof[dof].dot(cfrc[bodies[dof] as usize]));
}
