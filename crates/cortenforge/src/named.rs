//! Numbers of a simulation by the names of the model.

use sim_core::math::Vec3;
use sim_core::model::{JointType, ObjType};
use sim_core::{Data, Model};

use std::ops::Range;

/// Access to the data by name; `None` where the model has no such name.
///
/// Names are looked up in a table at every call: loops that count microseconds look up ids once, with
/// [`Model::id`].
///
/// ```
/// use cortenforge::prelude::*;
///
/// let robot = cortenforge::robots::find("arm").expect("it comes with the library");
/// let model = robot.load();
/// let mut data = Data::new(&model);
/// assert!(data.reset_to(&model, "home"));
///
/// *data.control_mut(&model, "yaw").expect("the arm has a servo of that name") = 0.5;
/// for _ in 0..500 {
///     step(&model, &mut data);
/// }
/// let yaw = data.joint_qpos(&model, "yaw").expect("and a joint")[0];
/// assert!((yaw - 0.5).abs() < 0.05);
/// assert_eq!(data.sensor(&model, "grip").map(<[f64]>::len), Some(3));
/// assert_eq!(data.joint_qpos(&model, "tail"), None);
/// ```
pub trait Named {
    /// Positions of a joint: one number for a hinge or slide, four for a ball, seven for a free joint.
    fn joint_qpos(&self, model: &Model, name: &str) -> Option<&[f64]>;
    /// Likewise, to change.
    fn joint_qpos_mut(&mut self, model: &Model, name: &str) -> Option<&mut [f64]>;
    /// Velocities of a joint: one number for each of its degrees of freedom.
    fn joint_qvel(&self, model: &Model, name: &str) -> Option<&[f64]>;
    /// Likewise, to change.
    fn joint_qvel_mut(&mut self, model: &Model, name: &str) -> Option<&mut [f64]>;
    /// The control of an actuator.
    fn control(&self, model: &Model, name: &str) -> Option<f64>;
    /// Likewise, to change.
    fn control_mut(&mut self, model: &Model, name: &str) -> Option<&mut f64>;
    /// The values of a sensor.
    fn sensor(&self, model: &Model, name: &str) -> Option<&[f64]>;
    /// The position of a body in the world.
    fn body_position(&self, model: &Model, name: &str) -> Option<Vec3>;
    /// Returns to a keyframe; tells whether there is one of that name.
    fn reset_to(&mut self, model: &Model, keyframe: &str) -> bool;
}

impl Named for Data {
    fn joint_qpos(&self, model: &Model, name: &str) -> Option<&[f64]> {
        self.qpos.get(joint(model, name)?.0)
    }

    fn joint_qpos_mut(&mut self, model: &Model, name: &str) -> Option<&mut [f64]> {
        self.qpos.get_mut(joint(model, name)?.0)
    }

    fn joint_qvel(&self, model: &Model, name: &str) -> Option<&[f64]> {
        self.qvel.get(joint(model, name)?.1)
    }

    fn joint_qvel_mut(&mut self, model: &Model, name: &str) -> Option<&mut [f64]> {
        self.qvel.get_mut(joint(model, name)?.1)
    }

    fn control(&self, model: &Model, name: &str) -> Option<f64> {
        self.ctrl.get(model.id(ObjType::Actuator, name)?).copied()
    }

    fn control_mut(&mut self, model: &Model, name: &str) -> Option<&mut f64> {
        self.ctrl.get_mut(model.id(ObjType::Actuator, name)?)
    }

    fn sensor(&self, model: &Model, name: &str) -> Option<&[f64]> {
        self.sensordata.get(model.sensor_values(model.id(ObjType::Sensor, name)?))
    }

    fn body_position(&self, model: &Model, name: &str) -> Option<Vec3> {
        self.xpos.get(model.id(ObjType::Body, name)?).copied()
    }

    fn reset_to(&mut self, model: &Model, keyframe: &str) -> bool {
        let key = model.id(ObjType::Key, keyframe);
        if let Some(key) = key {
            self.reset_keyframe(model, key);
        }
        key.is_some()
    }
}

/// Where positions and velocities of a joint are.
fn joint(model: &Model, name: &str) -> Option<(Range<usize>, Range<usize>)> {
    let jnt = model.id(ObjType::Joint, name)?;
    let (positions, velocities) = match model.jnt_kind(jnt) {
        JointType::Free => (7, 6),
        JointType::Ball => (4, 3),
        JointType::Slide | JointType::Hinge => (1, 1),
    };
    let begin = |address: i32| usize::try_from(address).ok();
    let (qpos, qvel) = (begin(model.jnt_qposadr[jnt])?, begin(model.jnt_dofadr[jnt])?);
    Some((qpos..qpos + positions, qvel..qvel + velocities))
}
