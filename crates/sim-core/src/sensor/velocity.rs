use super::position::{limit, object_type, reference, write};
use crate::math::Motion;
use crate::model::{ConstraintType, ObjType, SensorType};
use crate::smooth::{object_frame, object_velocity, subtree_vel, to_local};
use crate::{Data, Model};

/// Computes a sensor of the velocity stage.
pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, output: &mut [f64]) {
    let id = model.sensor_objid[sensor] as usize;
    match SensorType::from_i32(model.sensor_type[sensor]) {
        Some(SensorType::Velocimeter) => write(output, site_velocity(model, data, id).lin),
        Some(SensorType::Gyro) => write(output, site_velocity(model, data, id).rot),
        Some(SensorType::JointVel) => output[0] = data.qvel[model.jnt_dofadr[id] as usize],
        Some(SensorType::TendonVel) => output[0] = data.ten_velocity[id],
        Some(SensorType::ActuatorVel) => output[0] = data.actuator_velocity[id],
        Some(SensorType::BallAngVel) => {
            output.copy_from_slice(&data.qvel[model.jnt_dofadr[id] as usize..][..3]);
        }
        Some(SensorType::JointLimitVel) => {
            output[0] = limit(data, ConstraintType::LimitJoint, id, |data, row| data.efc_vel[row]);
        }
        Some(SensorType::TendonLimitVel) => {
            output[0] = limit(data, ConstraintType::LimitTendon, id, |data, row| data.efc_vel[row]);
        }
        Some(SensorType::FrameLinVel) => write(output, frame_velocity(model, data, sensor).lin),
        Some(SensorType::FrameAngVel) => write(output, frame_velocity(model, data, sensor).rot),
        Some(SensorType::SubtreeLinVel) => {
            update_subtrees(model, data);
            write(output, data.subtree_linvel[id]);
        }
        Some(SensorType::SubtreeAngMom) => {
            update_subtrees(model, data);
            write(output, data.subtree_angmom[id]);
        }
        _ => {
            update_subtrees(model, data);
            output.fill(0.0);
        }
    }
}

fn update_subtrees(model: &Model, data: &mut Data) {
    if !data.flg_subtreevel {
        subtree_vel(model, data);
    }
}

/// The velocity of a site in its own frame.
fn site_velocity(model: &Model, data: &Data, site: usize) -> Motion {
    to_local(object_velocity(model, data, ObjType::Site, site), &data.site_xmat[site])
}

/// The velocity of the object, as seen from the reference frame if there is one.
fn frame_velocity(model: &Model, data: &Data, sensor: usize) -> Motion {
    let (kind, id) = (object_type(model, sensor), model.sensor_objid[sensor] as usize);
    let velocity = object_velocity(model, data, kind, id);
    let Some((kind_ref, id_ref)) = reference(model, sensor) else { return velocity };

    let (_, pos, _) = object_frame(model, data, kind, id);
    let (_, pos_ref, mat_ref) = object_frame(model, data, kind_ref, id_ref);
    let velocity_ref = object_velocity(model, data, kind_ref, id_ref);
    let mut relative = velocity - velocity_ref;
    // the frame turns under the object
    relative.lin += (pos - pos_ref).cross(velocity_ref.rot);
    to_local(relative, &mat_ref)
}
