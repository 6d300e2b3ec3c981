use crate::math::{Mat3, Motion, Vec3};
use crate::model::ObjType;
use crate::{Data, Model};

/// The body that an object belongs to, and its pose in the world: body (inertial frame), xbody,
/// geom, site or camera.
pub(crate) fn object_frame(
    model: &Model,
    data: &Data,
    kind: ObjType,
    id: usize,
) -> (usize, Vec3, Mat3) {
    match kind {
        ObjType::Body => (id, data.xipos[id], data.ximat[id]),
        ObjType::XBody => (id, data.xpos[id], data.xmat[id]),
        ObjType::Geom => (model.geom_bodyid[id] as usize, data.geom_xpos[id], data.geom_xmat[id]),
        ObjType::Site => (model.site_bodyid[id] as usize, data.site_xpos[id], data.site_xmat[id]),
        ObjType::Camera => (model.cam_bodyid[id] as usize, data.cam_xpos[id], data.cam_xmat[id]),
        _ => panic!("objects of type {kind:?} have no frame"),
    }
}

/// Computes the velocity of an object at its own position, in world orientation; zero for what is
/// fixed to the world. Runs after `com_vel`.
#[doc(alias = "mj_objectVelocity")]
pub fn object_velocity(model: &Model, data: &Data, kind: ObjType, id: usize) -> Motion {
    let (body, pos, _) = object_frame(model, data, kind, id);
    if model.body_weldid[body] == 0 {
        return Motion::ZERO;
    }
    let offset = pos - data.subtree_com[model.body_rootid[body] as usize];
    Motion::new(data.cvel[body].rot, data.cvel[body].at(offset))
}

/// Computes the acceleration of an object at its own position, in world orientation and with
/// gravity as an upward acceleration; zero for what is fixed to the world. Runs after
/// `rne_post_constraint`.
#[doc(alias = "mj_objectAcceleration")]
pub fn object_acceleration(model: &Model, data: &Data, kind: ObjType, id: usize) -> Motion {
    let (body, pos, _) = object_frame(model, data, kind, id);
    if model.body_weldid[body] == 0 {
        return Motion::ZERO;
    }
    let offset = pos - data.subtree_com[model.body_rootid[body] as usize];
    let velocity = data.cvel[body].at(offset);
    // from the spatial acceleration to that of the point
    let coriolis = data.cvel[body].rot.cross(velocity);
    Motion::new(data.cacc[body].rot, data.cacc[body].at(offset) + coriolis)
}

/// A spatial vector expressed in the orientation `frame`.
pub(crate) fn to_local(motion: Motion, frame: &Mat3) -> Motion {
    Motion::new(frame.transpose_mul(motion.rot), frame.transpose_mul(motion.lin))
}
