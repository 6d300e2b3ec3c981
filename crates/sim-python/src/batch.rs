//! Many simulations at once: what the modules `cortenforge.rollout` and `cortenforge.batch` are
//! made of.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use sim_core::batch::{Batch, BatchError, Controls, Pool, Rollout, Status, Trajectories, Watch};
use sim_core::fields::Array;
use sim_core::memory::check_available;
use sim_core::model::{Solver, State};
use sim_core::{Data, Model, forward, rne_post_constraint};

use crate::arguments::{Output, numbers};
use crate::data::MjData;
use crate::exit::{attached, detached};
use crate::guard::{FatalError, caught, check_sizes, memory_error};
use crate::model::MjModel;
use crate::raw::Storage;

const FULL: u32 = State::FullPhysics as u32;

/// How long threads run before someone looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// A status in Python: kind, step, number of the warning or −1, what it is about, message.
type StatusRow = (&'static str, usize, i32, i32, String);

fn status_row(status: &Status, nstep: usize) -> StatusRow {
    match status {
        Status::Done => ("done", nstep, -1, 0, String::new()),
        Status::Diverged { step, warning, info } => {
            ("diverged", *step, *warning as i32, *info, String::new())
        }
        Status::Cancelled { step } => ("cancelled", *step, -1, 0, String::new()),
        Status::Failed { step, message } => ("failed", *step, -1, 0, message.clone()),
    }
}

fn value_error(error: BatchError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Runs `call` without the interpreter lock; Ctrl-C ends it and is raised.
fn watched<R: Send>(
    py: Python<'_>,
    call: impl FnOnce(&Watch<'_>) -> Result<R, BatchError> + Send,
) -> PyResult<R> {
    let looked = Mutex::new(Instant::now());
    let raised: Mutex<Option<PyErr>> = Mutex::new(None);
    let watch = Watch::with_observer(|watch| {
        let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
        if looked.elapsed() < PATIENCE {
            return;
        }
        *looked = Instant::now();
        if let Err(error) = attached(|py| py.check_signals()) {
            *raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            watch.cancel();
        }
    });
    let result = detached(py, || caught(|| call(&watch)));
    drop(watch);
    match raised.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => result?.map_err(value_error),
    }
}

/// Checks that an output can be filled while data is in use: contiguous, and not a view of the
/// memory of a model or data.
fn check_output(name: &str, array: Output<'_, '_>) -> PyResult<()> {
    if !array.is_c_contiguous() || !array.is_aligned() {
        return Err(PyTypeError::new_err(format!("{name} must be contiguous and aligned")));
    }
    let mut owner = Some(array.as_any().clone());
    while let Some(base) = owner {
        if base.is_instance_of::<Storage>() {
            let message = format!("{name} is part of a model or of its data");
            return Err(PyValueError::new_err(message));
        }
        owner = base.getattr_opt("base")?.filter(|base| !base.is_none());
    }
    Ok(())
}

/// Checks that outputs are not in the memory of the models and data of the same call, whatever way
/// they have come about, nor in each other's.
fn check_apart(
    outputs: &[(&str, Option<Output<'_, '_>>)],
    models: &[&Model],
    data: &[Bound<'_, MjData>],
) -> PyResult<()> {
    let outputs: Vec<(&str, Range<usize>)> = outputs
        .iter()
        .filter_map(|(name, array)| array.map(|array| (*name, array_memory(array))))
        .filter(|(_, range)| !range.is_empty())
        .collect();
    let meets = |a: &Range<usize>, b: &Range<usize>| a.start < b.end && b.start < a.end;
    let check = |memory: Range<usize>| match outputs.iter().find(|(_, range)| meets(range, &memory))
    {
        None => Ok(()),
        Some((name, _)) => {
            Err(PyValueError::new_err(format!("{name} is part of a model or of its data")))
        }
    };
    for model in models {
        check(memory(std::slice::from_ref(*model)))?;
        for field in Model::FIELDS {
            model.array(field.name).map_or(Ok(()), |array| check(numbers_memory(array)))?;
        }
    }
    for data in data {
        let data = data.get().shared.read()?;
        check(memory(std::slice::from_ref(&*data)))?;
        check(memory(&data.solver))?;
        for field in Data::FIELDS {
            data.array(field.name).map_or(Ok(()), |array| check(numbers_memory(array)))?;
        }
    }
    for (i, (name, range)) in outputs.iter().enumerate() {
        if let Some((other, _)) = outputs[i + 1..].iter().find(|(_, other)| meets(range, other)) {
            return Err(PyValueError::new_err(format!("{name} and {other} overlap")));
        }
    }
    Ok(())
}

/// The addresses of a slice.
fn memory<T>(slice: &[T]) -> Range<usize> {
    let start = slice.as_ptr().addr();
    start..start + size_of_val(slice)
}

fn numbers_memory(array: Array<'_>) -> Range<usize> {
    match array {
        Array::F64(x) => memory(x),
        Array::F32(x) => memory(x),
        Array::I32(x) => memory(x),
        Array::I64(x) => memory(x),
        Array::U8(x) | Array::Char(x) => memory(x),
    }
}

/// The addresses of a contiguous array.
fn array_memory(array: Output<'_, '_>) -> Range<usize> {
    let start = array.data().addr();
    start..start + array.len() * size_of::<f64>()
}

fn check_size(name: &str, found: usize, expected: usize) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name}.size should be {expected}, got {found}")))
}

/// Threads that play rollouts.
#[pyclass(frozen, name = "_Rollout", module = "cortenforge._native")]
struct PyRollout {
    pool: Pool,
    nthread: usize,
}

#[pymethods]
impl PyRollout {
    #[new]
    fn new(py: Python<'_>, nthread: usize) -> PyResult<PyRollout> {
        let pool = detached(py, || caught(|| Pool::new(nthread)))?.map_err(value_error)?;
        Ok(PyRollout { pool, nthread })
    }

    /// Plays one trajectory for each row of `initial_state`. `control` is for one step if
    /// `control_steps` says so, and for all environments if it has one row.
    #[pyo3(signature = (models, data, nstep, control_spec, initial_state, initial_warmstart,
        control, control_steps, state, sensordata, chunk_size))]
    fn rollout(
        &self,
        py: Python<'_>,
        models: Vec<Bound<'_, MjModel>>,
        data: Vec<Bound<'_, MjData>>,
        nstep: usize,
        control_spec: u32,
        initial_state: Output<'_, '_>,
        initial_warmstart: Option<Output<'_, '_>>,
        control: Option<Output<'_, '_>>,
        control_steps: Option<usize>,
        state: Option<Output<'_, '_>>,
        sensordata: Option<Output<'_, '_>>,
        chunk_size: Option<usize>,
    ) -> PyResult<Vec<StatusRow>> {
        let count = data.len();
        match self.nthread {
            _ if count == 0 => Err("The list of data instances is empty".to_owned()),
            0 if count > 1 => Err("More than one data instance passed but rollout is configured \
                                   to run on main thread"
                .to_owned()),
            n if n > 0 && n != count => {
                Err(format!("Length of data: {count} not equal to nthread: {n}"))
            }
            _ => Ok(()),
        }
        .map_err(PyValueError::new_err)?;
        let nbatch = initial_state.shape().first().copied().unwrap_or(1);
        let used = if models.len() == 1 { 1 } else { nbatch };
        if models.len() < used || models.is_empty() {
            let message = format!("{nbatch} models are needed, {} are given", models.len());
            return Err(PyValueError::new_err(message));
        }
        for data in &data {
            check_sizes(models[0].get(), data.get())?;
        }
        let models = models[..used].iter().map(|model| model.get().shared.read());
        let models = models.collect::<PyResult<Vec<_>>>()?;
        let models: Vec<&Model> = models.iter().map(|model| &**model).collect();
        let Some(&model) = models.first() else { return Ok(Vec::new()) };
        if nstep == 0 {
            return Ok(Vec::new());
        }
        let mut solvers = models.iter().map(|model| model.opt.solver);
        if let Some(solver) = solvers.find(|&solver| Solver::from_i32(solver).is_none()) {
            let message = format!("mj_fwdConstraint: unknown solver type {solver}");
            return Err(FatalError::new_err(message));
        }

        check_size("state0", initial_state.len(), nbatch * model.state_size(FULL))?;
        if let Some(warmstart) = initial_warmstart
            && warmstart.len() != model.nv
        {
            check_size("warmstart0", warmstart.len(), nbatch * model.nv)?;
        }
        let steps = control_steps.unwrap_or(nstep);
        if let (Some(control), None) = (control, control_steps) {
            let size = nbatch * nstep * model.state_size(control_spec);
            check_size("control", control.len(), size)?;
        }
        if let Some(state) = state {
            check_size("state", state.len(), nbatch * nstep * model.state_size(FULL))?;
            check_output("state", state)?;
        }
        if let Some(sensordata) = sensordata {
            check_size("sensordata", sensordata.len(), nbatch * nstep * model.nsensordata)?;
            check_output("sensordata", sensordata)?;
        }
        check_apart(&[("state", state), ("sensordata", sensordata)], &models, &data)?;

        // inputs are copied: they may be part of the data
        let initial_state = numbers(initial_state)?;
        let initial_warmstart = initial_warmstart.map(numbers).transpose()?;
        let control = control.map(numbers).transpose()?;
        let mut state = state.map(PyArrayMethods::try_readwrite).transpose()?;
        let mut sensordata = sensordata.map(PyArrayMethods::try_readwrite).transpose()?;
        let input = Rollout {
            nstep,
            initial_state: &initial_state,
            initial_warmstart: initial_warmstart.as_deref(),
            control: control.as_deref().map(|values| Controls {
                spec: control_spec,
                values,
                steps,
            }),
            chunk_size,
        };
        let output = Trajectories {
            state: state.as_mut().map(|state| state.as_slice_mut()).transpose()?,
            sensordata: sensordata.as_mut().map(|values| values.as_slice_mut()).transpose()?,
        };
        let mut data =
            data.iter().map(|data| data.get().shared.write()).collect::<PyResult<Vec<_>>>()?;
        let mut data: Vec<&mut Data> = data.iter_mut().map(|data| &mut **data).collect();
        let status = watched(py, |watch| {
            sim_core::batch::rollout(&self.pool, &models, &mut data, nbatch, &input, output, watch)
        })?;
        for status in &status {
            if let Status::Failed { message, .. } = status {
                return Err(FatalError::new_err(message.clone()));
            }
        }
        Ok(status.iter().map(|status| status_row(status, nstep)).collect())
    }
}

/// Environments of one model that live on between steps.
#[pyclass(name = "_Batch", module = "cortenforge._native")]
struct PyBatch {
    batch: Batch,
}

#[pymethods]
impl PyBatch {
    #[new]
    fn new(
        py: Python<'_>,
        model: &Bound<'_, MjModel>,
        nbatch: usize,
        nthread: usize,
    ) -> PyResult<PyBatch> {
        let model = model.get().shared.read()?.clone();
        let bytes = model.data_memory().saturating_mul(nbatch);
        check_available(bytes).map_err(memory_error)?;
        let batch = detached(py, || caught(|| Batch::new(model, nbatch, nthread)))?;
        Ok(PyBatch { batch: batch.map_err(value_error)? })
    }

    /// Makes steps in every environment; `control` has one row for all or one for each.
    #[pyo3(signature = (nstep, control_spec, control))]
    fn step(
        &mut self,
        py: Python<'_>,
        nstep: usize,
        control_spec: u32,
        control: Option<Output<'_, '_>>,
    ) -> PyResult<Vec<StatusRow>> {
        let control = control.map(numbers).transpose()?;
        let control =
            control.as_deref().map(|values| Controls { spec: control_spec, values, steps: 1 });
        let batch = &mut self.batch;
        watched(py, |watch| {
            let status = batch.step(nstep, control, watch)?;
            Ok(status.iter().map(|status| status_row(status, nstep)).collect())
        })
    }

    /// Fills `state` with the state components of every environment.
    fn get_state(&self, spec: u32, state: Output<'_, '_>) -> PyResult<()> {
        check_output("state", state)?;
        let mut state = state.try_readwrite()?;
        self.batch.get_state(spec, state.as_slice_mut()?).map_err(value_error)
    }

    /// Sets the state components of every environment.
    fn set_state(&mut self, spec: u32, state: Output<'_, '_>) -> PyResult<()> {
        self.batch.set_state(spec, &numbers(state)?).map_err(value_error)
    }

    /// Returns environments to the reference state.
    fn reset(&mut self, envs: Vec<usize>) -> PyResult<()> {
        let model = self.batch.model().clone();
        let count = self.batch.len();
        for env in envs {
            let Some(data) = self.batch.envs_mut().get_mut(env) else {
                let message = format!("environment {env} does not exist, there are {count}");
                return Err(PyIndexError::new_err(message));
            };
            data.reset(&model);
        }
        Ok(())
    }

    /// Resets environments to positions and velocities, and computes what follows from them.
    fn restart(
        &mut self,
        py: Python<'_>,
        envs: Vec<usize>,
        qpos: Output<'_, '_>,
        qvel: Output<'_, '_>,
    ) -> PyResult<()> {
        let (qpos, qvel) = (numbers(qpos)?, numbers(qvel)?);
        let model = self.batch.model().clone();
        check_size("qpos", qpos.len(), envs.len() * model.nq)?;
        check_size("qvel", qvel.len(), envs.len() * model.nv)?;
        let count = self.batch.len();
        if let Some(env) = envs.iter().find(|&&env| env >= count) {
            let message = format!("environment {env} does not exist, there are {count}");
            return Err(PyIndexError::new_err(message));
        }
        let data = self.batch.envs_mut();
        detached(py, || {
            caught(|| {
                for (i, &env) in envs.iter().enumerate() {
                    let data = &mut data[env];
                    data.reset(&model);
                    data.qpos.copy_from_slice(&qpos[i * model.nq..][..model.nq]);
                    data.qvel.copy_from_slice(&qvel[i * model.nv..][..model.nv]);
                    forward(&model, data);
                }
            })
        })
    }

    /// Computes accelerations and forces of bodies after the constraint solver, everywhere.
    fn post_constraint(&mut self, py: Python<'_>) -> PyResult<()> {
        let model = self.batch.model().clone();
        let data = self.batch.envs_mut();
        detached(py, || {
            caught(|| data.iter_mut().for_each(|data| rne_post_constraint(&model, data)))
        })
    }

    /// Shape of a field of the data of one environment.
    fn shape(&self, name: &str) -> PyResult<Vec<usize>> {
        let field = Data::FIELDS.iter().find(|field| field.name == name && !field.grown);
        let field = field.ok_or_else(|| {
            PyValueError::new_err(format!("'{name}' is not a data field of fixed length"))
        })?;
        let model = self.batch.model();
        let size = |dim: &str| model.size(dim).expect("dimensions of fixed arrays are sizes");
        let len = field.dims.iter().map(|dim| size(dim)).product::<usize>() * field.width;
        Ok(field.shape(len, size))
    }

    /// Fills `values` with a field of the data of every environment.
    fn get(&self, name: &str, values: Output<'_, '_>) -> PyResult<()> {
        let size: usize = self.shape(name)?.iter().product();
        check_size("values", values.len(), size * self.batch.len())?;
        check_output("values", values)?;
        let mut values = values.try_readwrite()?;
        let values = values.as_slice_mut()?;
        for (env, data) in self.batch.envs().iter().enumerate() {
            let array = data.array(name).expect("the field has a shape");
            let part = &mut values[env * size..][..size];
            match array {
                Array::F64(numbers) => part.copy_from_slice(numbers),
                other => part.iter_mut().enumerate().for_each(|(i, x)| *x = other.value(i)),
            }
        }
        Ok(())
    }
}

/// Adds the classes to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyRollout>()?;
    module.add_class::<PyBatch>()
}
