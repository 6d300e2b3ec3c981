//! Length ranges of actuators.

use pyo3::prelude::*;
use sim_core::LengthRange;
use sim_core::model::LengthRangeMode;

use crate::arguments::object;
use crate::data::MjData;
use crate::exit::detached;
use crate::functions::add;
use crate::guard::{FatalError, caught, check_sizes, explained, with_model};
use crate::model::MjModel;

/// How the length ranges of actuators are found; all zero until `mj_defaultLROpt` fills it.
#[pyclass(
    name = "MjLROpt",
    module = "cortenforge",
    get_all,
    set_all,
    subclass,
    weakref,
    from_py_object
)]
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct MjLROpt {
    mode: i32,
    useexisting: i32,
    uselimit: i32,
    accel: f64,
    maxforce: f64,
    timeconst: f64,
    timestep: f64,
    inttotal: f64,
    interval: f64,
    tolrange: f64,
}

#[pymethods]
impl MjLROpt {
    #[new]
    fn new() -> MjLROpt {
        MjLROpt::default()
    }

    fn __eq__(slf: &Bound<'_, Self>, other: &Bound<'_, PyAny>) -> bool {
        let other =
            other.cast::<MjLROpt>().ok().filter(|other| other.get_type().is(slf.get_type()));
        other.is_some_and(|other| *other.borrow() == *slf.borrow())
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let names = [
            "accel",
            "interval",
            "inttotal",
            "maxforce",
            "mode",
            "timeconst",
            "timestep",
            "tolrange",
            "useexisting",
            "uselimit",
        ];
        let mut text = format!("<{}\n", slf.get_type().name()?);
        for name in names {
            text += &format!("  {name}: {}\n", slf.getattr(name)?.repr()?);
        }
        Ok(text + ">")
    }

    fn __copy__(&self) -> MjLROpt {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> MjLROpt {
        self.clone()
    }
}

/// Fills the settings with what the compiler uses unless told otherwise.
#[pyfunction]
fn mj_defaultLROpt(opt: &mut MjLROpt) {
    let default = LengthRange::default();
    *opt = MjLROpt {
        mode: default.mode as i32,
        useexisting: i32::from(default.useexisting),
        uselimit: i32::from(default.uselimit),
        accel: default.accel,
        maxforce: default.maxforce,
        timeconst: default.timeconst,
        timestep: default.timestep,
        inttotal: default.inttotal,
        interval: default.interval,
        tolrange: default.tolrange,
    };
}

/// Sets `actuator_lengthrange` of an actuator, from limits or by simulation with the options of
/// the model; raises an error if that gives no range. The data is left where the simulation ends.
#[pyfunction]
fn mj_setLengthRange(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    index: i32,
    opt: &MjLROpt,
) -> PyResult<()> {
    check_sizes(m.get(), d.get())?;
    let actuator = object("actuator", index, with_model(py, m.get(), |model| model.nu)?)?;
    let mode = LengthRangeMode::from_i32(opt.mode)
        .ok_or_else(|| FatalError::new_err(format!("mode {} is not one of mjtLRMode", opt.mode)))?;
    let options = LengthRange {
        mode,
        useexisting: opt.useexisting != 0,
        uselimit: opt.uselimit != 0,
        accel: opt.accel,
        maxforce: opt.maxforce,
        timeconst: opt.timeconst,
        timestep: opt.timestep,
        inttotal: opt.inttotal,
        interval: opt.interval,
        tolrange: opt.tolrange,
    };
    let mut model = m.get().shared.write()?;
    let mut data = d.get().shared.write()?;
    let (model, data) = (&mut *model, &mut *data);
    let range = detached(py, || {
        caught(|| data.renew_scratch(model))?;
        let find =
            || options.concerns(model, actuator).then(|| options.find(model, data, actuator));
        caught(find).map_err(|error| {
            data.abandon_scratch();
            explained(error, model)
        })
    })?;
    match range {
        None => Ok(()),
        Some(Ok(range)) => {
            model.actuator_lengthrange[actuator] = range;
            Ok(())
        }
        Some(Err(error)) => {
            Err(FatalError::new_err(format!("length range of actuator {index}: {error}")))
        }
    }
}

/// Adds the class and the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjLROpt>()?;
    add! { module: mj_defaultLROpt mj_setLengthRange }
    Ok(())
}
