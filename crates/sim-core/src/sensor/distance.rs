//! Sensors of the distance between geoms.

use std::ops::Range;

use super::position::{object_type, write};
use crate::collision::geom_distance;
use crate::math::Vec3;
use crate::model::{ObjType, SensorType};
use crate::{Data, Model};

/// Computes distance, normal or nearest points of two geoms, or of the nearest two geoms of two
/// bodies. What is further away than the cutoff of the sensor is not looked for.
pub(super) fn distance(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    output: &mut [f64],
) {
    let cutoff = model.sensor_cutoff[sensor];
    let geoms = |kind: Option<ObjType>, id: i32| -> Range<usize> {
        let id = id as usize;
        if kind == Some(ObjType::Body) { model.body_geoms(id) } else { id..id + 1 }
    };
    let first = geoms(Some(object_type(model, sensor)), model.sensor_objid[sensor]);
    let second = geoms(ObjType::from_i32(model.sensor_reftype[sensor]), model.sensor_refid[sensor]);

    let (mut nearest, mut ends) = (cutoff, [Vec3::ZERO; 2]);
    for geom1 in first {
        for geom2 in second.clone() {
            let (distance, points) = geom_distance(model, data, geom1, geom2, cutoff);
            if distance < nearest {
                (nearest, ends) = (distance, points.unwrap_or_default());
            }
        }
    }

    let [from, to] = ends;
    match kind {
        SensorType::GeomDist => output[0] = nearest,
        SensorType::GeomNormal if from == to => write(output, Vec3::ZERO),
        SensorType::GeomNormal => write(output, (to - from).normalized().0),
        _ => {
            output[..3].copy_from_slice(&from.to_array());
            output[3..].copy_from_slice(&to.to_array());
        }
    }
}
