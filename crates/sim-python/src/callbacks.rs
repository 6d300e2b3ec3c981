//! Python functions that the engine calls during a step.
//!
//! The functions that `set_mjcb_control` and its like have set belong to this module, not to the
//! engine: calls hand them over as an object, [`FromPython`]. The interpreter lock is held while a
//! function runs only.

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering};

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use sim_core::model::Stage;
use sim_core::{Callbacks, Data, Model, NoCallbacks};

use crate::data::MjData;
use crate::exit::attached;
use crate::guard::{raise, with_data};
use crate::model::MjModel;
use crate::warnings;

/// What a function is called for.
#[derive(Debug, Clone, Copy)]
enum Event {
    Control,
    Passive,
    Sensor,
    ActDyn,
    ActGain,
    ActBias,
    ContactFilter,
    Time,
}

/// The events as attributes of an object, in their order.
const EVENTS: [&str; 8] =
    ["control", "passive", "sensor", "act_dyn", "act_gain", "act_bias", "contactfilter", "time"];

/// A function for each event.
type Functions = [Option<Py<PyAny>>; EVENTS.len()];

/// The functions that are set for all calls.
static SET: Mutex<Functions> = Mutex::new([const { None }; EVENTS.len()]);

/// One bit for each event that has a function in [`SET`].
static HAS: AtomicU8 = AtomicU8::new(0);

/// How deep calls from functions may nest.
const MAX_DEPTH: usize = 16;

fn is_set(event: Event) -> bool {
    HAS.load(Ordering::Relaxed) & (1 << event as u8) != 0
}

fn set_function(event: Event, function: &Bound<'_, PyAny>) -> PyResult<()> {
    let function = match function.is_none() {
        true => None,
        false if function.is_callable() => Some(function.clone().unbind()),
        false => return Err(PyTypeError::new_err("callback is not an Optional[Callable]")),
    };
    let bit = 1 << event as u8;
    let old = {
        let mut set = SET.lock().expect("nothing panics with the lock");
        match function {
            Some(_) => HAS.fetch_or(bit, Ordering::Relaxed),
            None => HAS.fetch_and(!bit, Ordering::Relaxed),
        };
        std::mem::replace(&mut set[event as usize], function)
    };
    // may run Python code, so not under the lock
    drop(old);
    Ok(())
}

fn get_function(py: Python<'_>, event: Event) -> Option<Py<PyAny>> {
    let set = SET.lock().expect("nothing panics with the lock");
    set[event as usize].as_ref().map(|function| function.clone_ref(py))
}

/// Declares the functions that set and return the one for an event.
macro_rules! accessors {
    ($( $event:ident: $(#[doc = $set_doc:literal])+ $set:ident, $get:ident; )*) => {
        $(
            $(#[doc = $set_doc])+
            #[pyfunction]
            fn $set(function: &Bound<'_, PyAny>) -> PyResult<()> {
                set_function(Event::$event, function)
            }

            #[doc = concat!("Returns what `", stringify!($set), "` has set, or None.")]
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Py<PyAny>> {
                get_function(py, Event::$event)
            }
        )*

        /// Adds the functions to the module.
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($set, module)?)?;
                module.add_function(wrap_pyfunction!($get, module)?)?;
            )*
            module.add_function(wrap_pyfunction!(_has_callbacks, module)?)?;
            module.add_function(wrap_pyfunction!(mj_resetCallbacks, module)?)
        }
    };
}

accessors! {
    Control:
    /// Sets the function `f(model, data)` that is called to set controls and applied forces, after
    /// everything that depends on position and velocity; None: no function.
    set_mjcb_control, get_mjcb_control;
    Passive:
    /// Sets the function `f(model, data)` that is called to add to `data.qfrc_passive`; None: no
    /// function.
    set_mjcb_passive, get_mjcb_passive;
    Sensor:
    /// Sets the function `f(model, data, stage)` that is called to fill `data.sensordata` of user
    /// sensors of an `mjtStage`; None: no function.
    set_mjcb_sensor, get_mjcb_sensor;
    ActDyn:
    /// Sets the function `f(model, data, id)` that returns the rate of change of the activation of
    /// an actuator with user dynamics; None: no function.
    set_mjcb_act_dyn, get_mjcb_act_dyn;
    ActGain:
    /// Sets the function `f(model, data, id)` that returns the gain of an actuator with user gain;
    /// None: no function.
    set_mjcb_act_gain, get_mjcb_act_gain;
    ActBias:
    /// Sets the function `f(model, data, id)` that returns the bias of an actuator with user bias;
    /// None: no function.
    set_mjcb_act_bias, get_mjcb_act_bias;
    ContactFilter:
    /// Sets the function `f(model, data, geom1, geom2)` that returns 1 for two geoms that are not to
    /// collide and 0 for others, in place of the comparison of `geom_contype` and
    /// `geom_conaffinity`; None: no function.
    set_mjcb_contactfilter, get_mjcb_contactfilter;
    Time:
    /// Sets the function `f()` that returns the time now, in any unit, for the timers of the data;
    /// None: no function, and only `mj_step` counts its time, in seconds.
    set_mjcb_time, get_mjcb_time;
}

/// Whether a function is set for any event.
#[pyfunction]
pub(crate) fn _has_callbacks() -> bool {
    HAS.load(Ordering::Relaxed) != 0
}

/// Takes back all functions that `set_mjcb_control` and its like have set.
#[pyfunction]
fn mj_resetCallbacks() {
    let old = {
        let mut set = SET.lock().expect("nothing panics with the lock");
        HAS.store(0, Ordering::Relaxed);
        std::mem::replace(&mut *set, [const { None }; EVENTS.len()])
    };
    drop(old);
}

/// Runs `call` on a model and data made for it with functions that it may call: the attributes of
/// `given` named as the events, or else those that are set for all calls.
pub(crate) fn with_callbacks<R: Send>(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    given: Option<&Bound<'_, PyAny>>,
    call: impl FnOnce(&Model, &mut Data, &mut dyn Callbacks) -> R + Send,
) -> PyResult<R> {
    let py = m.py();
    if d.get().shared.is_lent_here() {
        let message = "a callback cannot run stages with callbacks on the data it was called for";
        return Err(PyRuntimeError::new_err(message));
    }
    let heard = warnings::Heard::before(d)?;
    let result = if given.is_none() && HAS.load(Ordering::Relaxed) == 0 {
        with_data(py, m.get(), d.get(), |model, data| call(model, data, &mut NoCallbacks))
    } else {
        let mut user = FromPython {
            given: given.map(functions_of).transpose()?,
            m: m.clone().unbind(),
            d: d.clone().unbind(),
        };
        let user = &mut user;
        with_data(py, m.get(), d.get(), |model, data| call(model, data, user))
    }?;
    heard.tell(d)?;
    Ok(result)
}

/// Whether a function measures time.
pub(crate) fn measures_time() -> bool {
    is_set(Event::Time)
}

/// The functions that an object has as attributes.
fn functions_of(object: &Bound<'_, PyAny>) -> PyResult<Functions> {
    let mut functions = [const { None }; EVENTS.len()];
    for (function, name) in functions.iter_mut().zip(EVENTS) {
        let Some(found) = object.getattr_opt(name)?.filter(|found| !found.is_none()) else {
            continue;
        };
        if !found.is_callable() {
            return Err(PyTypeError::new_err(format!("'{name}' of callbacks is not callable")));
        }
        *function = Some(found.unbind());
    }
    if functions.iter().all(Option::is_none) {
        let message = format!("callbacks has none of the methods {}", EVENTS.join(", "));
        return Err(PyTypeError::new_err(message));
    }
    Ok(functions)
}

/// Callbacks of the engine that are Python functions. An exception ends the step.
struct FromPython {
    /// The functions of one call; otherwise those that are set for all.
    given: Option<Functions>,
    m: Py<MjModel>,
    d: Py<MjData>,
}

impl FromPython {
    fn has(&self, event: Event) -> bool {
        self.given.as_ref().map_or_else(|| is_set(event), |given| given[event as usize].is_some())
    }

    /// Calls the function for an event with the model, the data and up to two numbers.
    fn call<R>(
        &self,
        event: Event,
        extra: &[i32],
        result: impl FnOnce(Bound<'_, PyAny>) -> PyResult<R>,
    ) -> Option<R> {
        let _depth = Depth::deeper();
        let returned = attached(|py| {
            let function = match &self.given {
                Some(given) => given[event as usize].as_ref().map(|f| f.clone_ref(py)),
                None => get_function(py, event),
            };
            // another thread may have taken it back
            let Some(function) = function else { return Ok(None) };
            let function = function.bind(py);
            let returned = match *extra {
                _ if matches!(event, Event::Time) => function.call0(),
                [] => function.call1((&self.m, &self.d)),
                [id] => function.call1((&self.m, &self.d, id)),
                [id1, id2, ..] => function.call1((&self.m, &self.d, id1, id2)),
            };
            returned.and_then(result).map(Some)
        });
        returned.unwrap_or_else(|error| raise(error))
    }

    /// Calls a function that changes the data.
    fn change(&self, event: Event, data: &mut Data, extra: &[i32]) {
        if self.has(event) {
            self.d.get().shared.lend(data, || self.call(event, extra, |_| Ok(())));
        }
    }

    /// Calls a function that returns a number.
    fn number(&self, event: Event, actuator: usize) -> Option<f64> {
        self.number_of(event, &[actuator as i32])
    }

    fn number_of(&self, event: Event, extra: &[i32]) -> Option<f64> {
        self.call(event, extra, |returned| {
            returned.extract().map_err(|_| {
                let name = EVENTS[event as usize];
                PyTypeError::new_err(format!("mjcb_{name} callback did not return a number"))
            })
        })
    }

    /// Calls a function that returns a number and leaves the data as it is.
    fn compute(&self, event: Event, data: &Data, actuator: usize) -> Option<f64> {
        if !self.has(event) {
            return None;
        }
        self.d.get().shared.lend_to_read(data, || self.number(event, actuator))
    }
}

impl Callbacks for FromPython {
    fn control(&mut self, _model: &Model, data: &mut Data) {
        self.change(Event::Control, data, &[]);
    }

    fn passive(&mut self, _model: &Model, data: &mut Data) {
        self.change(Event::Passive, data, &[]);
    }

    fn sensor(&mut self, _model: &Model, data: &mut Data, stage: Stage) {
        self.change(Event::Sensor, data, &[stage as i32]);
    }

    fn act_dyn(&mut self, model: &Model, data: &mut Data, actuator: usize) -> f64 {
        if self.has(Event::ActDyn) {
            let number = || self.number(Event::ActDyn, actuator);
            if let Some(rate) = self.d.get().shared.lend(data, number) {
                return rate;
            }
        }
        NoCallbacks.act_dyn(model, data, actuator)
    }

    fn act_gain(&mut self, model: &Model, data: &Data, actuator: usize) -> f64 {
        self.compute(Event::ActGain, data, actuator)
            .unwrap_or_else(|| NoCallbacks.act_gain(model, data, actuator))
    }

    fn act_bias(&mut self, model: &Model, data: &Data, actuator: usize) -> f64 {
        self.compute(Event::ActBias, data, actuator)
            .unwrap_or_else(|| NoCallbacks.act_bias(model, data, actuator))
    }

    fn time(&mut self) -> Option<f64> {
        if self.has(Event::Time) { self.number_of(Event::Time, &[]) } else { None }
    }

    fn filters_contacts(&self) -> bool {
        self.has(Event::ContactFilter)
    }

    fn contact_filter(&mut self, _: &Model, data: &Data, geom1: usize, geom2: usize) -> bool {
        let geoms = [geom1 as i32, geom2 as i32];
        let call = || self.call(Event::ContactFilter, &geoms, |returned| returned.extract::<i64>());
        // a function that is gone by now has let everything pass
        self.d.get().shared.lend_to_read(data, call).unwrap_or(0) == 0
    }
}

thread_local! {
    /// Number of functions that are running in this thread, one called from the other.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
}

/// Counts in [`DEPTH`] while it lives.
struct Depth;

impl Depth {
    /// Ends the call with an exception where it would nest too deeply.
    fn deeper() -> Depth {
        if DEPTH.get() == MAX_DEPTH {
            raise(PyRuntimeError::new_err("callbacks call each other without end"));
        }
        DEPTH.set(DEPTH.get() + 1);
        Depth
    }
}

impl Drop for Depth {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}
