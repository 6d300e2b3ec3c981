use wide::f64x4;

use crate::math::{Mat3, Quat, Vec3, sincos4};
use crate::model::{Enable, JointType, SameFrame, SleepState};
use crate::sleep::{awake, wake_by_user};
use crate::{Data, Model};

/// Computes the poses of bodies, inertial frames, joints, geoms and sites from `qpos` and the
/// mocap poses.
///
/// Quaternions in `qpos` are normalised on the way, not in place. Wakes trees that the user has
/// moved or pushes.
#[doc(alias = "mj_kinematics")]
pub fn kinematics(model: &Model, data: &mut Data) {
    half_angles(model, data);
    body_poses(model, data);
    if wake_by_user(model, data) {
        data.update_sleep(model);
    }
    attached_poses(model, data);
}

/// Computes sines and cosines of half the angles of hinges, four joints at once; nothing where none of
/// the four is a hinge.
fn half_angles(model: &Model, data: &mut Data) {
    let (qpos, njnt) = (&data.qpos[..model.nq], model.njnt);
    let (kinds, adrs) = (&model.jnt_type[..njnt], &model.jnt_qposadr[..njnt]);
    let out = &mut data.work.half_angles;
    out.resize(njnt.div_ceil(4), [f64x4::ZERO; 2]);
    let hinge = JointType::Hinge as i32;
    for ((chunk, out), kinds) in out.iter_mut().enumerate().zip(kinds.chunks(4)) {
        if !kinds.contains(&hinge) {
            continue;
        }
        let mut angles = [0.0; 4];
        for (k, angle) in angles.iter_mut().enumerate() {
            if kinds.get(k) == Some(&hinge) {
                let adr = adrs[4 * chunk + k] as usize;
                *angle = qpos[adr] - model.qpos0[adr];
            }
        }
        *out = sincos4(f64x4::new(angles) * 0.5).into();
    }
}

/// Computes `xpos`, `xquat`, `xmat` of bodies and `xanchor`, `xaxis` of joints. With sleep
/// enabled, bodies that cannot move stay where they are, and sleeping trees with a new pose are
/// marked in `tree_awake`.
fn body_poses(model: &Model, data: &mut Data) {
    let Data { ref qpos, ref mocap_pos, ref mocap_quat, .. } = *data; // reads
    let Data { ref mut xpos, ref mut xquat, ref mut xmat, .. } = *data; // writes
    let Data { ref mut xanchor, ref mut xaxis, ref mut tree_awake, .. } = *data; // writes
    let sleep = model.enabled(Enable::Sleep).then_some(&data.body_awake);
    let half_angles = &data.work.half_angles[..];

    // of the same length, so that one test of an index is enough
    let (nbody, njnt) = (model.nbody, model.njnt);
    let (xpos, xquat, xmat) = (&mut xpos[..nbody], &mut xquat[..nbody], &mut xmat[..nbody]);
    let (xanchor, xaxis) = (&mut xanchor[..njnt], &mut xaxis[..njnt]);
    let (jnt_pos, jnt_axis) = (&model.jnt_pos[..njnt], &model.jnt_axis[..njnt]);
    let jnt_qposadr = &model.jnt_qposadr[..njnt];
    let (body_pos, body_quat) = (&model.body_pos[..nbody], &model.body_quat[..nbody]);

    xpos[0] = Vec3::ZERO;
    xquat[0] = Quat::IDENTITY;
    xmat[0] = Mat3::IDENTITY;
    // a body and its pose: the last one, which is the parent of the next more often than not
    let mut before = 0;
    let mut pose = (Vec3::ZERO, Quat::IDENTITY, Mat3::IDENTITY);

    for body in 1..nbody {
        let state = sleep.map(|states| states[body]);
        if state == Some(SleepState::Static as i32) {
            continue;
        }
        let jnts = model.body_jnts(body);
        let free = jnts.len() == 1 && model.jnt_type[jnts.start] == JointType::Free as i32;
        let (pos, quat) = if free {
            // a free body is where its joint says
            let jnt = jnts.start;
            let adr = jnt_qposadr[jnt] as usize;
            xanchor[jnt] = read_vec(qpos, adr);
            xaxis[jnt] = jnt_axis[jnt];
            (xanchor[jnt], read_quat(qpos, adr + 3).normalized())
        } else {
            // pose before the joints: fixed to the parent, or given by mocap
            let (local_pos, local_quat) = match model.body_mocap(body) {
                Some(mocap) => (mocap_pos[mocap], mocap_quat[mocap].normalized()),
                None => (body_pos[body], body_quat[body]),
            };
            let parent = model.body_parent(body);
            let (mut pos, mut quat) = if parent == 0 {
                (local_pos, local_quat)
            } else {
                if parent != before {
                    (before, pose) = (parent, (xpos[parent], xquat[parent], xmat[parent]));
                }
                let (pos, mut quat, mat) = pose;
                if local_quat != Quat::IDENTITY {
                    quat = quat * local_quat;
                }
                (mat * local_pos + pos, quat)
            };

            // joints move the body one after the other
            for jnt in jnts.clone() {
                let adr = jnt_qposadr[jnt] as usize;
                let local_anchor = jnt_pos[jnt];
                let axis = quat.rotate(jnt_axis[jnt]);
                let anchor = quat.rotate(local_anchor) + pos;
                xaxis[jnt] = axis;
                xanchor[jnt] = anchor;

                let turn = match model.jnt_kind(jnt) {
                    JointType::Slide => {
                        pos += axis * (qpos[adr] - model.qpos0[adr]);
                        continue;
                    }
                    JointType::Hinge => {
                        let [sin, cos] = half_angles[jnt / 4].map(|half| half.as_array()[jnt % 4]);
                        let Vec3 { x, y, z } = jnt_axis[jnt] * sin;
                        Quat::new(cos, x, y, z)
                    }
                    JointType::Ball => read_quat(qpos, adr).normalized(),
                    JointType::Free => panic!("a free joint is the only joint of its body"),
                };
                quat = quat * turn;
                // the anchor stays where it is
                pos = anchor - quat.rotate(local_anchor);
            }
            (pos, quat.normalized())
        };

        if state == Some(SleepState::Asleep as i32) && !jnts.is_empty() {
            if pos == xpos[body] && quat == xquat[body] {
                continue;
            }
            tree_awake[model.body_treeid[body] as usize] = 1;
        }
        (before, pose) = (body, (pos, quat, quat.to_mat()));
        (xpos[body], xquat[body], xmat[body]) = pose;
    }
}

/// Computes the poses of everything that is fixed to a body.
fn attached_poses(model: &Model, data: &mut Data) {
    let awake = awake!(model, data);
    let Data { ref xpos, ref xquat, ref xmat, .. } = *data; // reads
    let Data { ref mut xipos, ref mut ximat, .. } = *data; // writes
    let Data { ref mut geom_xpos, ref mut geom_xmat, .. } = *data; // writes
    let Data { ref mut site_xpos, ref mut site_xmat, .. } = *data; // writes

    // of the same length, so that one test of an index is enough
    let (nbody, ngeom, nsite) = (model.nbody, model.ngeom, model.nsite);
    let (xpos, xquat, xmat) = (&xpos[..nbody], &xquat[..nbody], &xmat[..nbody]);
    let (xipos, ximat) = (&mut xipos[..nbody], &mut ximat[..nbody]);
    let (geom_xpos, geom_xmat) = (&mut geom_xpos[..ngeom], &mut geom_xmat[..ngeom]);
    let (site_xpos, site_xmat) = (&mut site_xpos[..nsite], &mut site_xmat[..nsite]);

    xipos[0] = Vec3::ZERO;
    ximat[0] = Mat3::IDENTITY;
    for body in awake.bodies().skip(1) {
        let frame = Frame { pos: xpos[body], quat: xquat[body], mat: &xmat[body] };
        let (pos, mat) = frame.attach(
            model.body_ipos[body],
            model.body_iquat[body],
            model.body_sameframe[body],
            // the inertial frame cannot refer to itself
            (xpos[body], &xmat[body]),
        );
        xipos[body] = pos;
        ximat[body] = mat;
    }

    for geom in 0..ngeom {
        let body = model.geom_bodyid[geom] as usize;
        if awake.stays(body) {
            continue;
        }
        let frame = Frame { pos: xpos[body], quat: xquat[body], mat: &xmat[body] };
        let (pos, mat) = frame.attach(
            model.geom_pos[geom],
            model.geom_quat[geom],
            model.geom_sameframe[geom],
            (xipos[body], &ximat[body]),
        );
        geom_xpos[geom] = pos;
        geom_xmat[geom] = mat;
    }

    for site in 0..nsite {
        let body = model.site_bodyid[site] as usize;
        if awake.stays(body) {
            continue;
        }
        let frame = Frame { pos: xpos[body], quat: xquat[body], mat: &xmat[body] };
        let (pos, mat) = frame.attach(
            model.site_pos[site],
            model.site_quat[site],
            model.site_sameframe[site],
            (xipos[body], &ximat[body]),
        );
        site_xpos[site] = pos;
        site_xmat[site] = mat;
    }
}

/// The frame of a body in the world.
pub(super) struct Frame<'a> {
    pub(super) pos: Vec3,
    pub(super) quat: Quat,
    pub(super) mat: &'a Mat3,
}

impl Frame<'_> {
    /// Position and orientation in the world of something at a local pose. `sameframe` says which
    /// parts of it coincide with this frame or with the inertial frame and can be copied.
    #[inline(always)]
    fn attach(
        &self,
        pos: Vec3,
        quat: Quat,
        sameframe: u8,
        inertial: (Vec3, &Mat3),
    ) -> (Vec3, Mat3) {
        match SameFrame::from_i32(i32::from(sameframe)) {
            Some(SameFrame::Body) => (self.pos, *self.mat),
            Some(SameFrame::BodyRot) => (*self.mat * pos + self.pos, *self.mat),
            Some(SameFrame::Inertia) => (inertial.0, *inertial.1),
            Some(SameFrame::InertiaRot) => (*self.mat * pos + self.pos, *inertial.1),
            Some(SameFrame::None) | None => self.place(pos, quat),
        }
    }

    /// Position and orientation in the world of something at a local pose.
    #[inline(always)]
    pub(super) fn place(&self, pos: Vec3, quat: Quat) -> (Vec3, Mat3) {
        (*self.mat * pos + self.pos, (self.quat * quat).to_mat())
    }
}

/// The vector at `adr` of a state vector.
#[inline]
fn read_vec(x: &[f64], adr: usize) -> Vec3 {
    let x = &x[adr..adr + 3];
    Vec3::new(x[0], x[1], x[2])
}

/// The quaternion at `adr` of a state vector.
#[inline]
fn read_quat(x: &[f64], adr: usize) -> Quat {
    let x = &x[adr..adr + 4];
    Quat::new(x[0], x[1], x[2], x[3])
}
