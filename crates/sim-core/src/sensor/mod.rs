//! Sensors, computed in three stages.

mod acceleration;
mod camera;
mod contact;
mod distance;
mod position;
mod rangefinder;
mod record;
mod velocity;

pub(crate) use camera::PixelRays;
pub(crate) use contact::{Match, touches};
pub(crate) use rangefinder::WIDTHS as RAY_WIDTHS;
use record::Record;

use crate::actuation::{HistoryBuffer, Interpolation};
use crate::callbacks::Callbacks;
use crate::model::{DataType, Disable, SensorType, Stage};
use crate::{Data, Model};

/// Computes the sensors that need positions only.
#[doc(alias = "mj_sensorPos")]
pub fn sensor_pos(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    stage(model, data, Stage::Pos, user);
}

/// Computes the sensors that need velocities.
#[doc(alias = "mj_sensorVel")]
pub fn sensor_vel(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    stage(model, data, Stage::Vel, user);
}

/// Computes the sensors that need accelerations and forces.
#[doc(alias = "mj_sensorAcc")]
pub fn sensor_acc(model: &Model, data: &mut Data, user: &mut dyn Callbacks) {
    stage(model, data, Stage::Acc, user);
}

/// Computes the sensors of a stage. With sensors disabled, `sensordata` stays as it is; so do the
/// values of sensors that sleep.
fn stage(model: &Model, data: &mut Data, stage: Stage, user: &mut dyn Callbacks) {
    if model.nsensor == 0 || model.disabled(Disable::Sensor) {
        return;
    }
    let mut output = std::mem::take(&mut data.work.sensor);
    let mut users = false;
    let some_sleep = data.some_sleep(model);
    for sensor in 0..model.nsensor {
        if model.sensor_needstage[sensor] != stage as i32
            || (some_sleep && data.sensor_sleeps(model, sensor))
        {
            continue;
        }
        let values = model.sensor_values(sensor);
        let output = &mut output[..values.len()];
        users |= is_user(model, sensor);
        if !recall(model, data, sensor, output) {
            compute(model, data, sensor, output);
        }
        data.sensordata[values].copy_from_slice(output);
    }
    data.work.sensor = output;

    // users fill in their sensors when all others of the stage are there
    if users {
        user.sensor(model, data, stage);
        for sensor in 0..model.nsensor {
            if model.sensor_needstage[sensor] == stage as i32 && is_user(model, sensor) {
                cut_off(model, sensor, &mut data.sensordata[model.sensor_values(sensor)]);
            }
        }
    }
}

fn is_user(model: &Model, sensor: usize) -> bool {
    model.sensor_type[sensor] == SensorType::User as i32
}

/// Computes the value of one sensor now, cut off at its limit.
pub(crate) fn compute(model: &Model, data: &mut Data, sensor: usize, output: &mut [f64]) {
    let kind = model.sensor_type[sensor];
    assert!(SensorType::from_i32(kind).is_some(), "sensor {sensor} is of unknown type {kind}");
    match Stage::from_i32(model.sensor_needstage[sensor]) {
        Some(Stage::Pos) => position::compute(model, data, sensor, output),
        Some(Stage::Vel) => velocity::compute(model, data, sensor, output),
        Some(Stage::Acc) => acceleration::compute(model, data, sensor, output),
        Some(Stage::None) | None => panic!("sensor {sensor} belongs to no stage"),
    }
    cut_off(model, sensor, output);
}

/// Reads a sensor that is delayed or not due yet from its history; false if it is to be computed.
fn recall(model: &Model, data: &Data, sensor: usize, output: &mut [f64]) -> bool {
    let [samples, interpolation] = model.sensor_history[sensor];
    if samples == 0 {
        return false;
    }
    let [interval, _] = model.sensor_interval[sensor];
    let delay = model.sensor_delay[sensor];
    let buffer = &data.history[model.sensor_historyadr[sensor] as usize..];
    let due = interval == 0.0 || buffer[0] + interval <= data.time;
    if delay == 0.0 && due {
        return false;
    }
    HistoryBuffer::new(buffer, samples as usize, output.len()).read(
        data.time - delay,
        Interpolation::from(interpolation),
        output,
    );
    true
}

/// Limits the values of a sensor, on both sides or on the positive one.
fn cut_off(model: &Model, sensor: usize, output: &mut [f64]) {
    let cutoff = model.sensor_cutoff[sensor];
    // these two use the number for something else
    let exempt = [SensorType::Contact as i32, SensorType::GeomFromTo as i32];
    if cutoff <= 0.0 || exempt.contains(&model.sensor_type[sensor]) {
        return;
    }
    for value in output {
        match DataType::from_i32(model.sensor_datatype[sensor]) {
            Some(DataType::Real) => *value = value.clamp(-cutoff, cutoff),
            Some(DataType::Positive) => *value = value.min(cutoff),
            _ => {}
        }
    }
}

/// Adds the samples of this step to the histories of sensors.
pub(crate) fn record_sensors(model: &Model, data: &mut Data) {
    for sensor in 0..model.nsensor {
        let samples = model.sensor_history[sensor][0] as usize;
        if samples == 0 {
            continue;
        }
        let address = model.sensor_historyadr[sensor] as usize;
        let [interval, _] = model.sensor_interval[sensor];
        if interval > 0.0 {
            if data.history[address] + interval > data.time {
                continue;
            }
            data.history[address] += interval;
        }

        // a delayed sensor shows an old value, so the current one is computed here
        let values = model.sensor_values(sensor);
        let dim = values.len();
        let mut sample = std::mem::take(&mut data.work.sensor);
        if model.sensor_delay[sensor] > 0.0 {
            compute(model, data, sensor, &mut sample[..dim]);
        } else {
            sample[..dim].copy_from_slice(&data.sensordata[values]);
        }
        HistoryBuffer::insert(&mut data.history[address..], samples, dim, data.time)
            .copy_from_slice(&sample[..dim]);
        data.work.sensor = sample;
    }
}
