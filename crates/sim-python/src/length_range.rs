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

impl From<&LengthRange> for MjLROpt {
    fn from(settings: &LengthRange) -> MjLROpt {
        MjLROpt {
            mode: settings.mode as i32,
            useexisting: i32::from(settings.useexisting),
            uselimit: i32::from(settings.uselimit),
            accel: settings.accel,
            maxforce: settings.maxforce,
            timeconst: settings.timeconst,
            timestep: settings.timestep,
            inttotal: settings.inttotal,
            interval: settings.interval,
            tolrange: settings.tolrange,
        }
    }
}

impl MjLROpt {
    /// The settings that the engine takes.
    pub(crate) fn settings(&self) -> PyResult<LengthRange> {
        let mode = LengthRangeMode::from_i32(self.mode).ok_or_else(|| {
            FatalError::new_err(format!("mode {} is not one of mjtLRMode", self.mode))
        })?;
        Ok(LengthRange {
            mode,
            useexisting: self.useexisting != 0,
            uselimit: self.uselimit != 0,
            accel: self.accel,
            maxforce: self.maxforce,
            timeconst: self.timeconst,
            timestep: self.timestep,
            inttotal: self.inttotal,
            interval: self.interval,
            tolrange: self.tolrange,
        })
    }
}

/// Fills the settings with what the compiler uses unless told otherwise.
#[pyfunction]
fn mj_defaultLROpt(opt: &mut MjLROpt) {
    *opt = MjLROpt::from(&LengthRange::default());
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
    let options = opt.settings()?;
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
