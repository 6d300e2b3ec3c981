//! Changes of states and options, and what is asked about models and data.

use sim_core::fields::{Array, ArrayMut};
use sim_core::model::{ObjType, Options};
use sim_core::{Data, Model};

use crate::message::{Command, Field};
use crate::model_source::ModelSource;

/// Changes a state as a page asks; whether it did.
pub(crate) fn change_state(command: &Command, model: &Model, data: &mut Data) -> bool {
    match *command {
        Command::Reset => data.reset(model),
        Command::Keyframe(key) if key < model.nkey => data.reset_keyframe(model, key),
        Command::ClearControls => data.ctrl.fill(0.0),
        Command::Set { field, index, value } => {
            let known = match field {
                Field::Qpos => data.qpos.get_mut(index).map(|x| *x = value),
                Field::Ctrl => data.ctrl.get_mut(index).map(|x| *x = value),
                Field::EqActive => {
                    data.eq_active.get_mut(index).map(|x| *x = u8::from(value != 0.0))
                }
            };
            return known.is_some();
        }
        _ => return false,
    }
    true
}

/// Sets a bit of the flags that switch parts of the physics off, or on.
pub(crate) fn set_flag(opt: &mut Options, disable: bool, bit: u32, on: bool) {
    let flags = if disable { &mut opt.disableflags } else { &mut opt.enableflags };
    *flags = *flags & !(1 << bit) | i32::from(on) << bit;
}

/// Sets an option of the physics. A time step stays positive.
pub(crate) fn set_option(opt: &mut Options, name: &str, values: &[f64]) {
    let enough = |len: usize| (values.len() == len).then_some(values);
    match opt.array_mut(name) {
        Some(ArrayMut::F64(to)) => {
            if let Some(values) = enough(to.len()) {
                to.copy_from_slice(values);
            }
        }
        Some(ArrayMut::I32(to)) => {
            if let Some(values) = enough(to.len()) {
                to.iter_mut().zip(values).for_each(|(x, &value)| *x = value as i32);
            }
        }
        _ => {}
    }
    opt.timestep = opt.timestep.clamp(1e-7, 1.0);
    opt.integrator = opt.integrator.clamp(0, 3);
    opt.cone = opt.cone.clamp(0, 1);
    opt.jacobian = opt.jacobian.clamp(0, 2);
    opt.solver = opt.solver.clamp(0, 2);
    for count in [&mut opt.iterations, &mut opt.ls_iterations, &mut opt.noslip_iterations] {
        *count = (*count).clamp(0, 10_000);
    }
}

/// A number of the data, by the name of its field.
pub(crate) fn number(data: &Data, name: &str, index: usize) -> Option<f64> {
    match name {
        "ncon" => return Some(data.ncon as f64),
        "nefc" => return Some(data.nefc as f64),
        // of the last step, in microseconds
        "timer" => return data.timer.get(index).map(|timer| timer.duration),
        "energy" => return data.energy.get(index).copied(),
        "solver_niter" => return data.solver_niter.get(index).map(|&n| f64::from(n)),
        _ => {}
    }
    data.array(name).filter(|array| index < array.len()).map(|array| array.value(index))
}

/// The name that a model gives itself, else that of its file.
pub(crate) fn title(model: &Model, source: &ModelSource) -> String {
    let Some(Array::Char(names)) = model.array("names") else { return String::new() };
    let end = names.iter().position(|&byte| byte == 0).unwrap_or(names.len());
    match std::str::from_utf8(&names[..end]) {
        Ok(name) if !matches!(name, "" | "MuJoCo Model") => name.to_owned(),
        _ => source.name().unwrap_or_else(|| "model".to_owned()),
    }
}

/// A world with nothing in it.
pub(crate) fn empty_world() -> Model {
    sim_mjcf::load_str("<mujoco/>").map(|loaded| loaded.model).unwrap_or_default()
}

/// The name of a body, or its number.
pub(crate) fn body_name(model: &Model, body: usize) -> String {
    let name = model.name(ObjType::Body, body);
    name.map_or_else(|| format!("body {body}"), str::to_owned)
}
