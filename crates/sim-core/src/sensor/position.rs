use super::camera::project;
use super::distance::distance;
use super::rangefinder::rangefinder;
use crate::energy::{energy_pos, energy_vel};
use crate::math::{Quat, Vec3};
use crate::model::{ConstraintType, GeomType, ObjType, SensorType};
use crate::smooth::object_frame;
use crate::{Data, Model};

/// Computes a sensor of the position stage.
pub(super) fn compute(model: &Model, data: &mut Data, sensor: usize, output: &mut [f64]) {
    let id = model.sensor_objid[sensor] as usize;
    let kind = SensorType::from_i32(model.sensor_type[sensor]);
    match kind {
        Some(SensorType::Magnetometer) => {
            write(output, data.site_xmat[id].transpose_mul(model.opt.magnetic));
        }
        Some(SensorType::CamProjection) => {
            let cam = model.sensor_refid[sensor] as usize;
            output.copy_from_slice(&project(model, data, cam, data.site_xpos[id]));
        }
        Some(SensorType::RangeFinder) => rangefinder(model, data, sensor, output),
        Some(SensorType::JointPos) => output[0] = data.qpos[model.jnt_qposadr[id] as usize],
        Some(SensorType::TendonPos) => output[0] = data.ten_length[id],
        Some(SensorType::ActuatorPos) => output[0] = data.actuator_length[id],
        Some(SensorType::BallQuat) => {
            let q = &data.qpos[model.jnt_qposadr[id] as usize..][..4];
            let quat = Quat::new(q[0], q[1], q[2], q[3]).normalized();
            output.copy_from_slice(&quat.to_array());
        }
        Some(SensorType::JointLimitPos) => {
            output[0] = limit(data, ConstraintType::LimitJoint, id, |data, row| {
                data.efc_pos[row] - data.efc_margin[row]
            });
        }
        Some(SensorType::TendonLimitPos) => {
            output[0] = limit(data, ConstraintType::LimitTendon, id, |data, row| {
                data.efc_pos[row] - data.efc_margin[row]
            });
        }
        Some(SensorType::FramePos) => write(output, frame_pos(model, data, sensor)),
        Some(SensorType::FrameXAxis) => write(output, frame_axis(model, data, sensor, 0)),
        Some(SensorType::FrameYAxis) => write(output, frame_axis(model, data, sensor, 1)),
        Some(SensorType::FrameZAxis) => write(output, frame_axis(model, data, sensor, 2)),
        Some(SensorType::FrameQuat) => {
            output.copy_from_slice(&frame_quat(model, data, sensor).to_array());
        }
        Some(SensorType::SubtreeCom) => write(output, data.subtree_com[id]),
        Some(SensorType::InsideSite) => {
            let site = model.sensor_refid[sensor] as usize;
            let (_, point, _) = object_frame(model, data, object_type(model, sensor), id);
            output[0] = f64::from(inside_site(model, data, site, point));
        }
        Some(kind @ (SensorType::GeomDist | SensorType::GeomNormal | SensorType::GeomFromTo)) => {
            distance(model, data, sensor, kind, output)
        }
        Some(SensorType::EPotential) => {
            if !data.flg_energypos {
                energy_pos(model, data);
            }
            output[0] = data.energy[0];
        }
        Some(SensorType::EKinetic) => {
            if !data.flg_energyvel {
                energy_vel(model, data);
            }
            output[0] = data.energy[1];
        }
        Some(SensorType::Clock) => output[0] = data.time,
        // what users fill in starts at zero
        _ => output.fill(0.0),
    }
}

/// Writes a vector to the three values of a sensor.
pub(super) fn write(output: &mut [f64], v: Vec3) {
    output.copy_from_slice(&v.to_array());
}

/// The kind of object that a sensor is attached to.
pub(super) fn object_type(model: &Model, sensor: usize) -> ObjType {
    ObjType::from_i32(model.sensor_objtype[sensor]).expect("sensor_objtype holds an object type")
}

/// The reference object of a sensor: kind and id.
pub(super) fn reference(model: &Model, sensor: usize) -> Option<(ObjType, usize)> {
    let id = usize::try_from(model.sensor_refid[sensor]).ok()?;
    let kind = ObjType::from_i32(model.sensor_reftype[sensor]);
    Some((kind.expect("sensor_reftype holds an object type"), id))
}

/// A quantity of the first limit row of an object; zero if its limit is not active.
pub(super) fn limit(
    data: &Data,
    kind: ConstraintType,
    id: usize,
    value: impl Fn(&Data, usize) -> f64,
) -> f64 {
    (data.ne + data.nf..data.nefc)
        .find(|&row| data.efc_type[row] == kind as i32 && data.efc_id[row] == id as i32)
        .map_or(0.0, |row| value(data, row))
}

/// The position of the object, in the reference frame if there is one.
fn frame_pos(model: &Model, data: &Data, sensor: usize) -> Vec3 {
    let id = model.sensor_objid[sensor] as usize;
    let (_, pos, _) = object_frame(model, data, object_type(model, sensor), id);
    match reference(model, sensor) {
        None => pos,
        Some((kind, id)) => {
            let (_, pos_ref, mat_ref) = object_frame(model, data, kind, id);
            mat_ref.transpose_mul(pos - pos_ref)
        }
    }
}

/// An axis of the object, in the reference frame if there is one.
fn frame_axis(model: &Model, data: &Data, sensor: usize, axis: usize) -> Vec3 {
    let id = model.sensor_objid[sensor] as usize;
    let (_, _, mat) = object_frame(model, data, object_type(model, sensor), id);
    let axis = mat.column(axis);
    match reference(model, sensor) {
        None => axis,
        Some((kind, id)) => object_frame(model, data, kind, id).2.transpose_mul(axis),
    }
}

/// The orientation of the object, in the reference frame if there is one.
fn frame_quat(model: &Model, data: &Data, sensor: usize) -> Quat {
    let id = model.sensor_objid[sensor] as usize;
    let quat = object_quat(model, data, object_type(model, sensor), id);
    match reference(model, sensor) {
        None => quat,
        Some((kind, id)) => object_quat(model, data, kind, id).conjugate() * quat,
    }
}

/// The orientation of an object as a quaternion.
fn object_quat(model: &Model, data: &Data, kind: ObjType, id: usize) -> Quat {
    let (body, local) = match kind {
        ObjType::XBody => return data.xquat[id],
        ObjType::Body => (id, model.body_iquat[id]),
        ObjType::Geom => (model.geom_bodyid[id] as usize, model.geom_quat[id]),
        ObjType::Site => (model.site_bodyid[id] as usize, model.site_quat[id]),
        ObjType::Camera => (model.cam_bodyid[id] as usize, model.cam_quat[id]),
        _ => panic!("objects of type {kind:?} have no frame"),
    };
    data.xquat[body] * local
}

/// Whether a point is inside the volume of a site.
pub(super) fn inside_site(model: &Model, data: &Data, site: usize, point: Vec3) -> bool {
    let size = model.site_size[site];
    let p = data.site_xmat[site].transpose_mul(point - data.site_xpos[site]);
    let radial = p.x * p.x + p.y * p.y;
    match GeomType::from_i32(model.site_type[site]) {
        Some(GeomType::Sphere) => p.dot(p) < size.x * size.x,
        Some(GeomType::Capsule) => {
            let beyond = p.z - p.z.clamp(-size.y, size.y);
            radial + beyond * beyond < size.x * size.x
        }
        Some(GeomType::Ellipsoid) => {
            let q = Vec3::new(p.x / size.x, p.y / size.y, p.z / size.z);
            q.dot(q) < 1.0
        }
        Some(GeomType::Cylinder) => p.z.abs() < size.y && radial < size.x * size.x,
        Some(GeomType::Box) => (0..3).all(|i| p[i].abs() < size[i]),
        Some(GeomType::Plane) => p.z < 0.0,
        _ => false,
    }
}
