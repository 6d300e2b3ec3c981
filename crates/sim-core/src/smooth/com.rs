use super::jac_body_com;
use crate::math::{Inertia, MINVAL, Mat3, Motion, Vec3};
use crate::model::JointType;
use crate::sleep::awake;
use crate::{Data, Model};

/// Computes the centres of mass of subtrees, and inertias and motion axes about them.
///
/// `cinert` and `cdof` are expressed in world orientation about the centre of mass of the
/// kinematic tree that the body belongs to. Runs after `kinematics`.
#[doc(alias = "mj_comPos")]
pub fn com_pos(model: &Model, data: &mut Data) {
    subtree_coms(model, data);
    inertias(model, data);
    motion_axes(model, data);
}

/// Computes `subtree_com`.
fn subtree_coms(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let nbody = model.nbody;
    let (xipos, com) = (&data.xipos[..nbody], &mut data.subtree_com[..nbody]);
    let (mass, total) = (&model.body_mass[..nbody], &model.body_subtreemass[..nbody]);

    // moments of mass, handed from children to parents, divided by the mass in the end
    awake.bodies().for_each(|body| com[body] = xipos[body] * mass[body]);
    // mostly the next body is the parent, then the moment need not go through memory
    let (mut above, mut handed) = (0, Vec3::ZERO);
    for body in awake.children().rev() {
        let mut moment = com[body];
        if above == body {
            moment += handed;
            com[body] = moment;
        } else {
            com[above] += handed;
        }
        // what sleeps has been divided already
        handed = if awake.sleeps(body) { moment * total[body] } else { moment };
        above = model.body_parent(body);
    }
    com[above] += handed;
    awake.bodies().for_each(|body| {
        let total = total[body];
        com[body] = if total < MINVAL { xipos[body] } else { com[body] * (1.0 / total) };
    });
}

/// Computes `cinert`.
fn inertias(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let nbody = model.nbody;
    let (xipos, ximat) = (&data.xipos[..nbody], &data.ximat[..nbody]);
    let (com, cinert) = (&data.subtree_com[..nbody], &mut data.cinert[..nbody]);
    let (inertia, mass) = (&model.body_inertia[..nbody], &model.body_mass[..nbody]);

    cinert[0] = Inertia::ZERO;
    for body in awake.bodies().skip(1) {
        let offset = xipos[body] - com[model.body_rootid[body] as usize];
        cinert[body] = Inertia::about(inertia[body], &ximat[body], offset, mass[body]);
    }
}

/// Computes `cdof`.
fn motion_axes(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let (nbody, njnt) = (model.nbody, model.njnt);
    let (xmat, com) = (&data.xmat[..nbody], &data.subtree_com[..nbody]);
    let (xanchor, xaxis) = (&data.xanchor[..njnt], &data.xaxis[..njnt]);
    let (dofs, bodies) = (&model.jnt_dofadr[..njnt], &model.jnt_bodyid[..njnt]);
    let cdof = &mut data.cdof[..model.nv];

    for jnt in 0..njnt {
        let (dof, body) = (dofs[jnt] as usize, bodies[jnt] as usize);
        if awake.sleeps(body) {
            continue;
        }
        // slides do not need it
        let offset = || com[model.body_rootid[body] as usize] - xanchor[jnt];
        let rotation = |axis: Vec3| Motion::new(axis, axis.cross(offset()));
        match model.jnt_kind(jnt) {
            JointType::Free => {
                cdof[dof] = Motion::linear(Vec3::X);
                cdof[dof + 1] = Motion::linear(Vec3::Y);
                cdof[dof + 2] = Motion::linear(Vec3::Z);
                for axis in 0..3 {
                    cdof[dof + 3 + axis] = rotation(xmat[body].column(axis));
                }
            }
            JointType::Ball => {
                for axis in 0..3 {
                    cdof[dof + axis] = rotation(xmat[body].column(axis));
                }
            }
            JointType::Slide => cdof[dof] = Motion::linear(xaxis[jnt]),
            JointType::Hinge => cdof[dof] = rotation(xaxis[jnt]),
        }
    }
}

/// Computes the velocities of bodies and the rates of change of the motion axes.
///
/// ```text
/// v_b = v_parent + Σ cdof·qvel        cdof_dot = v × cdof
/// ```
/// where `v` is the velocity before the joint moves. Runs after `com_pos`.
#[doc(alias = "mj_comVel")]
pub fn com_vel(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref cdof, ref qvel, .. } = *data; // reads
    let Data { ref mut cvel, ref mut cdof_dot, .. } = *data; // writes

    // of the same length, so that one test of an index is enough
    let (nbody, nv) = (model.nbody, model.nv);
    let (cdof, qvel) = (&cdof[..nv], &qvel[..nv]);
    let (cvel, cdof_dot) = (&mut cvel[..nbody], &mut cdof_dot[..nv]);

    cvel[0] = Motion::ZERO;
    let (mut before, mut velocity) = (0, Motion::ZERO);
    for body in awake.bodies().skip(1) {
        // mostly the parent has just been done
        let parent = model.body_parent(body);
        if parent != before {
            velocity = cvel[parent];
        }
        before = body;
        for jnt in model.body_jnts(body) {
            let mut dof = model.jnt_dofadr[jnt] as usize;
            let kind = model.jnt_kind(jnt);
            match kind {
                JointType::Free | JointType::Ball => {
                    // translations come first; their axes do not move
                    if kind == JointType::Free {
                        cdof_dot[dof..dof + 3].fill(Motion::ZERO);
                        velocity +=
                            Motion::linear(Vec3::new(qvel[dof], qvel[dof + 1], qvel[dof + 2]));
                        dof += 3;
                    }
                    // all three rotations start from the same velocity
                    let before = velocity;
                    for dof in dof..dof + 3 {
                        cdof_dot[dof] = before.cross(cdof[dof]);
                        velocity += cdof[dof] * qvel[dof];
                    }
                }
                JointType::Slide | JointType::Hinge => {
                    cdof_dot[dof] = velocity.cross(cdof[dof]);
                    velocity += cdof[dof] * qvel[dof];
                }
            }
        }
        cvel[body] = velocity;
    }
}

/// Computes the matrix `A`, 3 × nv by rows, that gives the angular momentum of a subtree about its
/// centre of mass: `angmom = A qvel`. Runs after `com_pos`.
#[doc(alias = "mj_angmomMat")]
pub fn angmom_mat(model: &Model, data: &Data, mat: &mut [f64], body: usize) {
    let nv = model.nv;
    let (mut jacp, mut jacr) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
    mat.fill(0.0);
    let center = data.subtree_com[body];
    let subtree = (body..model.nbody).take_while(|&b| b == body || model.body_parent(b) >= body);
    for b in subtree {
        jac_body_com(model, data, &mut jacp, &mut jacr, b);
        let frame = data.ximat[b];
        let inertia = frame * Mat3::diagonal(model.body_inertia[b]) * frame.transpose();
        let arm = data.xipos[b] - center;
        for dof in 0..nv {
            let column = |jac: &[f64]| Vec3::new(jac[dof], jac[nv + dof], jac[2 * nv + dof]);
            let momentum = inertia * column(&jacr) + arm.cross(column(&jacp)) * model.body_mass[b];
            (0..3).for_each(|i| mat[i * nv + dof] += momentum[i]);
        }
    }
}

/// Computes the linear velocity and angular momentum of subtrees, about their centres of mass.
/// Runs after `com_vel`.
#[doc(alias = "mj_subtreeVel")]
pub fn subtree_vel(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref cvel, ref xipos, ref ximat, ref subtree_com, .. } = *data; // reads
    let Data { ref mut subtree_linvel, ref mut subtree_angmom, .. } = *data; // writes

    // velocity of the centre of mass of a body
    let com_velocity = |body: usize| {
        let offset = xipos[body] - subtree_com[model.body_rootid[body] as usize];
        cvel[body].lin - offset.cross(cvel[body].rot)
    };

    for body in awake.bodies() {
        let local = ximat[body].transpose_mul(cvel[body].rot);
        subtree_linvel[body] = com_velocity(body) * model.body_mass[body];
        subtree_angmom[body] = ximat[body] * local.scaled(model.body_inertia[body]);
    }

    // momentum goes to the parent, then becomes velocity
    for body in awake.bodies().rev() {
        let momentum = subtree_linvel[body];
        if body > 0 {
            subtree_linvel[model.body_parent(body)] += momentum;
        }
        subtree_linvel[body] = momentum * (1.0 / model.body_subtreemass[body].max(MINVAL));
    }

    for body in awake.bodies().rev().filter(|&body| body > 0) {
        let parent = model.body_parent(body);

        // of the body about the centre of its subtree
        let arm = xipos[body] - subtree_com[body];
        let momentum = (com_velocity(body) - subtree_linvel[body]) * model.body_mass[body];
        subtree_angmom[body] += arm.cross(momentum);

        // of the subtree about the centre of the parent's subtree
        let arm = subtree_com[body] - subtree_com[parent];
        let momentum =
            (subtree_linvel[body] - subtree_linvel[parent]) * model.body_subtreemass[body];
        let own = subtree_angmom[body];
        subtree_angmom[parent] += own;
        subtree_angmom[parent] += arm.cross(momentum);
    }
    data.flg_subtreevel = true;
}
