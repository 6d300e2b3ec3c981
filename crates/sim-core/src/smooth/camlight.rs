use super::kinematics::Frame;
use crate::math::{Mat3, Vec3};
use crate::model::CamLightMode;
use crate::sleep::awake;
use crate::{Data, Model};

/// Computes the poses of cameras and lights. Runs after `com_pos`.
#[doc(alias = "mj_camlight")]
pub fn camlight(model: &Model, data: &mut Data) {
    // a camera or light moves with its body and with its target
    let awake = awake!(model, data);
    let still = |body: i32, target: i32| {
        let target = usize::try_from(target).ok();
        awake.stays(body as usize) && target.is_none_or(|target| awake.stays(target))
    };
    for cam in 0..model.ncam {
        if still(model.cam_bodyid[cam], model.cam_targetbodyid[cam]) {
            continue;
        }
        let (pos, mat) = camera(model, data, cam);
        data.cam_xpos[cam] = pos;
        data.cam_xmat[cam] = mat;
    }
    for light in 0..model.nlight {
        if still(model.light_bodyid[light], model.light_targetbodyid[light]) {
            continue;
        }
        let (pos, dir) = self::light(model, data, light);
        data.light_xpos[light] = pos;
        data.light_xdir[light] = dir.normalized().0;
    }
}

/// Pose of a camera that is fixed to its body.
pub(crate) fn fixed_camera(model: &Model, data: &Data, cam: usize) -> (Vec3, Mat3) {
    let body = model.cam_bodyid[cam] as usize;
    body_frame(data, body).place(model.cam_pos[cam], model.cam_quat[cam])
}

/// Position and direction of a light that is fixed to its body.
pub(crate) fn fixed_light(model: &Model, data: &Data, light: usize) -> (Vec3, Vec3) {
    let body = model.light_bodyid[light] as usize;
    let pos = data.xmat[body] * model.light_pos[light] + data.xpos[body];
    (pos, data.xquat[body].rotate(model.light_dir[light]))
}

fn camera(model: &Model, data: &Data, cam: usize) -> (Vec3, Mat3) {
    let body = model.cam_bodyid[cam] as usize;
    match CamLightMode::from_i32(model.cam_mode[cam]) {
        Some(CamLightMode::Track) => (data.xpos[body] + model.cam_pos0[cam], model.cam_mat0[cam]),
        Some(CamLightMode::TrackCom) => {
            (data.subtree_com[body] + model.cam_poscom0[cam], model.cam_mat0[cam])
        }
        mode => {
            let (pos, mat) = fixed_camera(model, data, cam);
            match target(data, mode, model.cam_targetbodyid[cam]) {
                Some(target) => (pos, looking_at(pos, target)),
                None => (pos, mat),
            }
        }
    }
}

fn light(model: &Model, data: &Data, light: usize) -> (Vec3, Vec3) {
    let body = model.light_bodyid[light] as usize;
    match CamLightMode::from_i32(model.light_mode[light]) {
        Some(CamLightMode::Track) => {
            (data.xpos[body] + model.light_pos0[light], model.light_dir0[light])
        }
        Some(CamLightMode::TrackCom) => {
            (data.subtree_com[body] + model.light_poscom0[light], model.light_dir0[light])
        }
        mode => {
            let pos = data.xmat[body] * model.light_pos[light] + data.xpos[body];
            match target(data, mode, model.light_targetbodyid[light]) {
                Some(target) => (pos, target - pos),
                None => (pos, data.xquat[body].rotate(model.light_dir[light])),
            }
        }
    }
}

/// The point to look at, if there is a target.
fn target(data: &Data, mode: Option<CamLightMode>, body: i32) -> Option<Vec3> {
    let body = usize::try_from(body).ok()?;
    match mode? {
        CamLightMode::TargetBody => Some(data.xpos[body]),
        CamLightMode::TargetBodyCom => Some(data.subtree_com[body]),
        _ => None,
    }
}

/// Orientation of a camera at `pos` that looks at `target`: −z points there, x is horizontal.
fn looking_at(pos: Vec3, target: Vec3) -> Mat3 {
    let (z, _) = (pos - target).normalized();
    let (x, _) = Vec3::Z.cross(z).normalized();
    let (y, _) = z.cross(x).normalized();
    Mat3::from_columns(x, y, z)
}

fn body_frame(data: &Data, body: usize) -> Frame<'_> {
    Frame { pos: data.xpos[body], quat: data.xquat[body], mat: &data.xmat[body] }
}
