use super::contact::{contact, touch};
use super::position::{limit, object_type, write};
use crate::math::Force;
use crate::model::{ConstraintType, ObjType, SensorType, TrnType};
use crate::smooth::{object_acceleration, rne_post_constraint};
use crate::{Data, Model};

/// Computes a sensor of the acceleration stage.
pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, output: &mut [f64]) {
    let id = model.sensor_objid[sensor] as usize;
    let kind = SensorType::from_i32(model.sensor_type[sensor]);
    let needs_forces = matches!(
        kind,
        Some(
            SensorType::Accelerometer
                | SensorType::Force
                | SensorType::Torque
                | SensorType::FrameLinAcc
                | SensorType::FrameAngAcc
                | SensorType::User
        )
    );
    if needs_forces && !data.flg_rnepost {
        rne_post_constraint(model, data);
    }

    match kind {
        Some(SensorType::Touch) => output[0] = touch(model, data, id),
        Some(SensorType::Contact) => contact(model, data, sensor, output),
        Some(SensorType::Accelerometer) => {
            let acceleration = object_acceleration(model, data, ObjType::Site, id).lin;
            write(output, data.site_xmat[id].transpose_mul(acceleration));
        }
        Some(SensorType::Force) => {
            write(output, data.site_xmat[id].transpose_mul(interaction(model, data, id).lin));
        }
        Some(SensorType::Torque) => {
            write(output, data.site_xmat[id].transpose_mul(interaction(model, data, id).rot));
        }
        Some(SensorType::ActuatorFrc) => output[0] = data.actuator_force[id],
        Some(SensorType::JointActFrc) => {
            output[0] = data.qfrc_actuator[model.jnt_dofadr[id] as usize];
        }
        Some(SensorType::TendonActFrc) => {
            output[0] = (0..model.nu)
                .filter(|&i| model.actuator_trntype[i] == TrnType::Tendon as i32)
                .filter(|&i| model.actuator_trnid[i][0] as usize == id)
                .map(|i| data.actuator_force[i])
                .sum();
        }
        Some(SensorType::JointLimitFrc) => {
            output[0] =
                limit(data, ConstraintType::LimitJoint, id, |data, row| data.efc_force[row]);
        }
        Some(SensorType::TendonLimitFrc) => {
            output[0] =
                limit(data, ConstraintType::LimitTendon, id, |data, row| data.efc_force[row]);
        }
        Some(SensorType::FrameLinAcc) => {
            let kind = object_type(model, sensor);
            write(output, object_acceleration(model, data, kind, id).lin);
        }
        Some(SensorType::FrameAngAcc) => {
            let kind = object_type(model, sensor);
            write(output, object_acceleration(model, data, kind, id).rot);
        }
        _ => output.fill(0.0),
    }
}

/// The force between the body of a site and its parent, at the site.
fn interaction(model: &Model, data: &Data, site: usize) -> Force {
    let body = model.site_bodyid[site] as usize;
    let force = data.cfrc_int[body];
    let arm = data.site_xpos[site] - data.subtree_com[model.body_rootid[body] as usize];
    Force::new(force.rot - arm.cross(force.lin), force.lin)
}
