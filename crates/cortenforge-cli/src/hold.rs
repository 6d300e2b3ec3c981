//! Controls that hold a pose.

use cortenforge::model::{BiasType, JointType, TrnType};
use cortenforge::{Data, Model, forward};

/// Controls that keep the model where it is, as far as its actuators can: a position servo gets the
/// length that it has, a motor at a joint the force that gravity and springs ask for. Within the
/// ranges of the controls; others stay as they are.
pub(crate) fn hold(model: &Model, data: &mut Data) {
    forward(model, data);
    for actuator in 0..model.nu {
        let gain = model.actuator_gainprm[actuator][0];
        let [_, length, ..] = model.actuator_biasprm[actuator];
        let affine = model.actuator_biastype[actuator] == BiasType::Affine as i32;
        let control = if affine && gain != 0.0 && length == -gain {
            Some(data.actuator_length[actuator])
        } else if gain != 0.0 && !affine {
            joint_force(model, data, actuator).map(|force| force / gain)
        } else {
            None
        };
        if let Some(control) = control {
            let [low, high] = model.actuator_ctrlrange[actuator];
            let limited = model.actuator_ctrllimited[actuator] != 0;
            data.ctrl[actuator] = if limited { control.clamp(low, high) } else { control };
        }
    }
}

/// The force of an actuator that moves a joint of one dof, so that the joint does not accelerate.
fn joint_force(model: &Model, data: &Data, actuator: usize) -> Option<f64> {
    if model.actuator_trntype[actuator] != TrnType::Joint as i32 {
        return None;
    }
    let joint = usize::try_from(model.actuator_trnid[actuator][0]).ok()?;
    if joint >= model.njnt || !matches!(model.jnt_kind(joint), JointType::Hinge | JointType::Slide)
    {
        return None;
    }
    let dof = usize::try_from(model.jnt_dofadr[joint]).ok()?;
    let gear = model.actuator_gear[actuator][0];
    let needed = data.qfrc_bias.get(dof)? - data.qfrc_passive.get(dof)?;
    (gear != 0.0).then(|| needed / gear)
}
