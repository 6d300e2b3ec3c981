//! The functions of the module, under MuJoCo's names.

use std::time::{Duration, Instant};

use numpy::{
    AllowTypeChange, PyArrayLike1, PyReadonlyArrayDyn, PyReadwriteArray2, PyReadwriteArrayDyn,
};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::fields::{Array, ArrayMut};
use sim_core::model::{ObjType, State};
use sim_core::{Data, Model};

use crate::data::MjData;
use crate::guard::{FatalError, caught, with_data, with_model};
use crate::model::MjModel;

/// How long the engine runs before it looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Declares functions that run one stage on `(model, data)`.
macro_rules! stages {
    ($( $(#[doc = $doc:literal])+ $name:ident runs $stage:expr; )*) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
                with_data(py, m.get(), d.get(), $stage)
            }
        )*

        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            Ok(())
        }
    };
}

stages! {
    /// First half of a step: everything that depends on position and velocity, before controls.
    mj_step1 runs sim_core::step1;
    /// Second half of a step: everything that depends on controls and applied forces, and
    /// integration.
    mj_step2 runs sim_core::step2;
    /// Computes everything that follows from the current state, without advancing it.
    mj_forward runs sim_core::forward;
    /// Returns to the reference state at time zero, clearing inputs, results and warnings.
    mj_resetData runs |model, data| data.reset(model);
}

/// Advances the simulation by `nstep` time steps. Ctrl-C interrupts between steps.
#[pyfunction]
#[pyo3(signature = (m, d, nstep = 1))]
fn mj_step(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    nstep: i64,
) -> PyResult<()> {
    let mut left = nstep;
    while left > 0 {
        left = with_data(py, m.get(), d.get(), move |model, data| {
            sim_core::step(model, data);
            left -= 1;
            if left == 0 {
                return 0;
            }
            let start = Instant::now();
            while left > 0 && start.elapsed() < PATIENCE {
                for _ in 0..left.min(8) {
                    sim_core::step(model, data);
                    left -= 1;
                }
            }
            left
        })?;
        if left > 0 {
            py.check_signals()?;
        }
    }
    Ok(())
}

/// Returns to the state of keyframe `key`; a key that does not exist gives the reference state.
#[pyfunction]
fn mj_resetDataKeyframe(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    key: i32,
) -> PyResult<()> {
    with_data(py, m.get(), d.get(), |model, data| match usize::try_from(key) {
        Ok(key) => data.reset_keyframe(model, key),
        Err(_) => data.reset(model),
    })
}

/// Writes the dense inertia matrix to `dst`, nv x nv, from `M` in the layout of `data.qM`: by dof
/// from `dof_Madr` on, the diagonal and then the ancestors.
#[pyfunction]
fn mj_fullM(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    mut dst: PyReadwriteArray2<'_, f64>,
    M: PyArrayLike1<'_, f64, AllowTypeChange>,
) -> PyResult<()> {
    let packed = M.as_array();
    let packed = packed.as_standard_layout();
    let packed = packed.as_slice().expect("in standard layout");
    let shape = dst.as_array().dim();
    let dense = dst
        .as_slice_mut()
        .map_err(|_| PyTypeError::new_err("dst should be contiguous, row after row"))?;
    with_model(py, m.get(), |model| {
        let nv = model.nv;
        if shape != (nv, nv) {
            return Err(PyTypeError::new_err("dst should be of shape (nv, nv)"));
        }
        if packed.len() != model.nM {
            return Err(PyTypeError::new_err("M should be of size nM"));
        }
        dense.fill(0.0);
        for row in 0..nv {
            let mut address = model.dof_Madr[row] as usize;
            let mut ancestor = Some(row);
            while let Some(col) = ancestor {
                dense[row * nv + col] = packed[address];
                dense[col * nv + row] = packed[address];
                address += 1;
                ancestor = model.dof_parent(col);
            }
        }
        Ok(())
    })?
}

/// Returns the id of the object of kind `type` (an `mjtObj`) called `name`; -1 if there is none.
#[pyfunction]
#[pyo3(signature = (m, r#type, name))]
fn mj_name2id(m: &Bound<'_, MjModel>, r#type: i32, name: &str) -> PyResult<i64> {
    let kind = ObjType::from_i32(r#type);
    with_model(m.py(), m.get(), |model| {
        kind.and_then(|kind| model.id(kind, name)).map_or(-1, |id| id as i64)
    })
}

/// Returns the name of object `id` of kind `type` (an `mjtObj`); None if it has none.
#[pyfunction]
#[pyo3(signature = (m, r#type, id))]
fn mj_id2name(m: &Bound<'_, MjModel>, r#type: i32, id: i32) -> PyResult<Option<String>> {
    let kind = ObjType::from_i32(r#type);
    with_model(m.py(), m.get(), |model| {
        model.name(kind?, usize::try_from(id).ok()?).map(str::to_owned)
    })
}

/// The components of the state in order, and the fields that hold them.
const STATE: [(State, &str); 13] = [
    (State::Qpos, "qpos"),
    (State::Qvel, "qvel"),
    (State::Act, "act"),
    (State::History, "history"),
    (State::WarmStart, "qacc_warmstart"),
    (State::Ctrl, "ctrl"),
    (State::QfrcApplied, "qfrc_applied"),
    (State::XfrcApplied, "xfrc_applied"),
    (State::EqActive, "eq_active"),
    (State::MocapPos, "mocap_pos"),
    (State::MocapQuat, "mocap_quat"),
    (State::Userdata, "userdata"),
    (State::Plugin, "plugin_state"),
];

/// Fields of the state that `spec` selects, after the time.
fn selected(spec: i32) -> impl Iterator<Item = &'static str> {
    STATE.into_iter().filter(move |(part, _)| spec & *part as i32 != 0).map(|(_, name)| name)
}

fn check_spec(function: &str, spec: i32) -> PyResult<()> {
    if (0..=State::Integration as i32).contains(&spec) {
        return Ok(());
    }
    Err(FatalError::new_err(format!("{function}: invalid state signature {spec}")))
}

fn state_size(model: &Model, spec: i32) -> usize {
    let len = |name| {
        let field = Data::FIELDS.iter().find(|field| field.name == name).expect("a field of Data");
        let size = |dim: &&str| model.size(dim).expect("dimensions are sizes");
        field.width * field.dims.iter().map(size).product::<usize>()
    };
    usize::from(spec & State::Time as i32 != 0) + selected(spec).map(len).sum::<usize>()
}

fn check_state(len: usize, model: &MjModel, spec: i32) -> PyResult<()> {
    let model = model.shared.read().ok_or_else(crate::attributes::busy)?;
    if len == state_size(&model, spec) {
        return Ok(());
    }
    Err(PyTypeError::new_err("state size should equal mj_stateSize(m, sig)"))
}

/// Returns the number of numbers in the state that `sig`, bits of `mjtState`, selects.
#[pyfunction]
fn mj_stateSize(m: &Bound<'_, MjModel>, sig: i32) -> PyResult<usize> {
    check_spec("mj_stateSize", sig)?;
    with_model(m.py(), m.get(), |model| state_size(model, sig))
}

/// Copies the components of the state that `sig`, bits of `mjtState`, selects to `state`.
#[pyfunction]
fn mj_getState(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    mut state: PyReadwriteArrayDyn<'_, f64>,
    sig: i32,
) -> PyResult<()> {
    check_spec("mj_getState", sig)?;
    check_vector(state.as_array().shape())?;
    check_state(state.as_array().len(), m.get(), sig)?;
    let mut state = state.as_array_mut();
    with_data(m.py(), m.get(), d.get(), |_, data| {
        let mut target = state.iter_mut();
        let mut put = |value: f64| *target.next().expect("the size was checked") = value;
        if sig & State::Time as i32 != 0 {
            put(data.time);
        }
        for name in selected(sig) {
            match data.array(name).expect("a field of Data") {
                Array::F64(numbers) => numbers.iter().copied().for_each(&mut put),
                other => (0..other.len()).map(|i| other.value(i)).for_each(&mut put),
            }
        }
    })
}

/// Copies `state` into the components of the state that `sig`, bits of `mjtState`, selects.
#[pyfunction]
fn mj_setState(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    state: &Bound<'_, PyAny>,
    sig: i32,
) -> PyResult<()> {
    check_spec("mj_setState", sig)?;
    let numpy = m.py().import("numpy")?;
    let state = numpy.call_method1("asarray", (state, numpy.getattr("float64")?))?;
    let state: PyReadonlyArrayDyn<'_, f64> = state.extract()?;
    check_vector(state.as_array().shape())?;
    check_state(state.as_array().len(), m.get(), sig)?;
    let state = state.as_array();
    with_data(m.py(), m.get(), d.get(), |_, data| {
        let mut source = state.iter().copied();
        let mut take = || source.next().expect("the size was checked");
        if sig & State::Time as i32 != 0 {
            data.time = take();
        }
        for name in selected(sig) {
            match data.array_mut(name).expect("a field of Data") {
                ArrayMut::F64(numbers) => numbers.iter_mut().for_each(|x| *x = take()),
                ArrayMut::U8(flags) => flags.iter_mut().for_each(|x| *x = take() as u8),
                _ => unreachable!("the state is reals and flags"),
            }
        }
    })
}

/// A vector, or a matrix with one row or column.
fn check_vector(shape: &[usize]) -> PyResult<()> {
    match *shape {
        [_] | [_, 1] | [1, _] => Ok(()),
        _ => Err(PyTypeError::new_err("state should be a vector")),
    }
}

/// Returns the version of MuJoCo whose behaviour this package has.
#[pyfunction]
fn mj_versionString() -> &'static str {
    crate::REFERENCE
}

/// Returns the version of MuJoCo whose behaviour this package has, as a number.
#[pyfunction]
fn mj_version() -> i32 {
    3_005_000
}

/// Raises the error of a broken invariant, for tests of the boundary.
#[pyfunction]
fn _panic(message: &str) -> PyResult<()> {
    caught(|| panic!("{message}"))
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)?;
    module.add_function(wrap_pyfunction!(mj_step, module)?)?;
    module.add_function(wrap_pyfunction!(mj_resetDataKeyframe, module)?)?;
    module.add_function(wrap_pyfunction!(mj_fullM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_name2id, module)?)?;
    module.add_function(wrap_pyfunction!(mj_id2name, module)?)?;
    module.add_function(wrap_pyfunction!(mj_stateSize, module)?)?;
    module.add_function(wrap_pyfunction!(mj_getState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_versionString, module)?)?;
    module.add_function(wrap_pyfunction!(mj_version, module)?)?;
    module.add_function(wrap_pyfunction!(_panic, module)?)
}
