//! Parts of a step, histories, and small functions on models, under MuJoCo's names.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::math::{Quat, Vec3};
use sim_core::model::{Integrator, SameFrame, Stage};
use sim_core::{Data, Factors, Interpolation};

use crate::arguments::{Output, check_len, check_matrix, numbers, object, vec3, vector, write};
use crate::callbacks::with_callbacks;
use crate::data::MjData;
use crate::functions::add;
use crate::guard::{FatalError, with_data, with_data_read, with_model};
use crate::model::MjModel;
use crate::records::{MjOption, MjVisual};

/// Declares functions of a model and data that may call callbacks on the way.
macro_rules! parts {
    ($( $(#[doc = $doc:expr])+ $name:ident($model:ident, $data:ident, $user:ident) $body:block )*) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
                #[allow(unused_variables, reason = "some call nothing")]
                with_callbacks(m, d, None, |$model, $data, $user| $body)
            }
        )*

        fn register_parts(module: &Bound<'_, PyModule>) -> PyResult<()> {
            add! { module: $( $name )* }
            Ok(())
        }
    };
}

parts! {
    #[doc = "mj_Euler(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None\n\n\
             Euler integrator, semi-implicit in velocity.\n"]
    mj_Euler(model, data, user) { sim_core::euler(model, data, Factors::Renew, user) }
    /// Advances the state with forces implicit in velocity, without the derivative of the bias force
    /// if the integrator of the model is implicitfast. Runs after `mj_forward`.
    mj_implicit(model, data, user) {
        match model.opt.integrator == Integrator::ImplicitFast as i32 {
            true => sim_core::implicit_fast(model, data, Factors::Renew, user),
            false => sim_core::implicit(model, data, Factors::Renew, user),
        }
    }
    /// Checks the position; a number that is unusable counts a warning and resets, unless disabled.
    mj_checkPos(model, data, user) { sim_core::check_pos(model, data) }
    /// Checks the velocity; a number that is unusable counts a warning and resets, unless disabled.
    mj_checkVel(model, data, user) { sim_core::check_vel(model, data) }
    /// Checks the acceleration; a number that is unusable counts a warning and resets, unless
    /// disabled.
    mj_checkAcc(model, data, user) { sim_core::check_acc(model, data, user) }
    /// Computes poses, centres of mass, cameras, lights and tendons.
    mj_fwdKinematics(model, data, user) { sim_core::fwd_kinematics(model, data) }
}

/// Advances the state by the Runge-Kutta method of order `N`, which is 4. Runs after `mj_forward`.
#[pyfunction]
fn mj_RungeKutta(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>, N: i32) -> PyResult<()> {
    if N != 4 {
        return Err(FatalError::new_err("mj_RungeKutta: only order 4 is there"));
    }
    with_callbacks(m, d, None, sim_core::rk4)
}

fn stage(skipstage: i32) -> Stage {
    Stage::from_i32(skipstage.clamp(0, 3)).unwrap_or(Stage::None)
}

/// Computes what follows from the current state, without stages up to `skipstage` (an `mjtStage`)
/// and, if `skipsensor` is not zero, without sensors.
#[pyfunction]
fn mj_forwardSkip(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    with_callbacks(m, d, None, |model, data, user| {
        sim_core::forward_again(model, data, stage(skipstage), skipsensor == 0, user);
    })
}

/// Computes the forces that give the current acceleration, without stages up to `skipstage` (an
/// `mjtStage`) and, if `skipsensor` is not zero, without sensors.
#[pyfunction]
fn mj_inverseSkip(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    skipstage: i32,
    skipsensor: i32,
) -> PyResult<()> {
    with_callbacks(m, d, None, |model, data, user| {
        sim_core::inverse_again(model, data, stage(skipstage), skipsensor == 0, user);
    })
}

/// Writes to `mat`, 3 x nv, what gives the angular momentum of the subtree of a body about its
/// centre of mass: `mat qvel`. Runs after `mj_comPos`.
#[pyfunction]
fn mj_angmomMat(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    mat: Output<'_, '_>,
    body: i32,
) -> PyResult<()> {
    let (nv, nbody) = with_model(m.py(), m.get(), |model| (model.nv, model.nbody))?;
    check_matrix("mat", mat, [3, nv], "(3, nv)")?;
    let body = object("body", body, nbody)?;
    let mut result = vec![0.0; 3 * nv];
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        sim_core::angmom_mat(model, data, &mut result, body);
    })?;
    write(mat, &result)
}

/// Computes `res`, half of the product of the mass matrix with `vec`: its square is `vecᵀ M vec`.
/// Runs after `mj_factorM`.
#[pyfunction]
fn mj_mulM2(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: Output<'_, '_>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let nv = with_model(m.py(), m.get(), |model| model.nv)?;
    check_len("res", res, nv, "nv")?;
    let x = vector("vec", vec, nv, "nv")?;
    let mut product = vec![0.0; nv];
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        sim_core::mul_m2(model, data, &mut product, &x);
    })?;
    write(res, &product)
}

/// Computes `x = diag(sqrtInvD) L⁻ᵀ y` for each row of `y`, where `M = Lᵀ D L`. Runs after
/// `mj_factorM`.
#[pyfunction]
fn mj_solveM2(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    x: Output<'_, '_>,
    y: &Bound<'_, PyAny>,
    sqrtInvD: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let nv = with_model(m.py(), m.get(), |model| model.nv)?;
    let scale = vector("sqrtInvD", sqrtInvD, nv, "nv")?;
    let shape = y.getattr("shape")?;
    if !shape.eq(x.getattr("shape")?)? {
        return Err(PyTypeError::new_err("x and y should have the same shape"));
    }
    let count: usize = y.getattr("size")?.extract()?;
    let mut rows = vector("y", &y.call_method0("ravel")?, count, "x")?;
    if nv == 0 || rows.len() % nv != 0 {
        return Err(PyTypeError::new_err("the last dimension of x and y should be of size nv"));
    }
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        rows.chunks_exact_mut(nv).for_each(|row| sim_core::solve_m2(model, data, row, &scale));
    })?;
    write(x, &rows)
}

/// Gives all quaternions in `qpos` unit length, in place.
#[pyfunction]
fn mj_normalizeQuat(m: &Bound<'_, MjModel>, qpos: Output<'_, '_>) -> PyResult<()> {
    let nq = with_model(m.py(), m.get(), |model| model.nq)?;
    check_len("qpos", qpos, nq, "nq")?;
    let mut position = numbers(qpos)?;
    with_model(m.py(), m.get(), |model| sim_core::normalize_quat(model, &mut position))?;
    write(qpos, &position)
}

/// Computes the pose (`xpos`, `xmat`) in the world of a frame (`pos`, `quat`) of a body;
/// `sameframe`, an `mjtSameFrame`, says what it shares with the body.
#[pyfunction]
fn mj_local2Global(
    d: &Bound<'_, MjData>,
    xpos: Output<'_, '_>,
    xmat: Output<'_, '_>,
    pos: &Bound<'_, PyAny>,
    quat: &Bound<'_, PyAny>,
    body: i32,
    sameframe: i32,
) -> PyResult<()> {
    check_len("xpos", xpos, 3, "3")?;
    check_len("xmat", xmat, 9, "9")?;
    let (pos, quat) = (vec3("pos", pos)?, vector("quat", quat, 4, "4")?);
    let quat = Quat::new(quat[0], quat[1], quat[2], quat[3]);
    let same = SameFrame::from_i32(sameframe).unwrap_or(SameFrame::None);
    let data = d.get().shared.read()?;
    let body = object("body", body, data.xpos.len())?;
    let (place, frame) = local_to_global(&data, pos, quat, body, same);
    drop(data);
    write(xpos, &place.to_array())?;
    write(xmat, &frame)
}

fn local_to_global(
    data: &Data,
    pos: Vec3,
    quat: Quat,
    body: usize,
    same: SameFrame,
) -> (Vec3, [f64; 9]) {
    let place = match same {
        SameFrame::None | SameFrame::BodyRot | SameFrame::InertiaRot => {
            data.xmat[body] * pos + data.xpos[body]
        }
        SameFrame::Body => data.xpos[body],
        SameFrame::Inertia => data.xipos[body],
    };
    let frame = match same {
        SameFrame::None => (data.xquat[body] * quat).to_mat(),
        SameFrame::Body | SameFrame::BodyRot => data.xmat[body],
        SameFrame::Inertia | SameFrame::InertiaRot => data.ximat[body],
    };
    (place, frame.0)
}

/// Scales masses and inertias of all bodies so that their mass is `newmass`; `mj_setConst` updates
/// what follows from them.
#[pyfunction]
fn mj_setTotalmass(m: &Bound<'_, MjModel>, newmass: f64) -> PyResult<()> {
    let mut model = m.get().shared.write()?;
    let total: f64 = model.body_mass.iter().sum();
    let scale = (newmass / total.max(1e-15)).max(1e-15);
    model.body_mass.iter_mut().skip(1).for_each(|mass| *mass *= scale);
    model.body_inertia.iter_mut().skip(1).for_each(|inertia| *inertia *= scale);
    Ok(())
}

/// Returns to the reference state, with every array that a step computes filled with `debug_value`.
#[pyfunction]
fn mj_resetDataDebug(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    debug_value: u8,
) -> PyResult<()> {
    const STATE: [&str; 14] = [
        "qpos",
        "qvel",
        "act",
        "history",
        "qacc_warmstart",
        "plugin_state",
        "ctrl",
        "qfrc_applied",
        "xfrc_applied",
        "eq_active",
        "mocap_pos",
        "mocap_quat",
        "userdata",
        "tree_asleep",
    ];
    let value = f64::from_ne_bytes([debug_value; 8]);
    with_data(m.py(), m.get(), d.get(), |model, data| {
        data.reset(model);
        // integers are indices that the engine relies on
        let computed = Data::FIELDS.iter().filter(|field| !field.grown);
        for field in computed.filter(|field| !STATE.contains(&field.name)) {
            if let Some(sim_core::fields::ArrayMut::F64(numbers)) = data.array_mut(field.name) {
                numbers.fill(value);
            }
        }
    })
}

fn interpolation(interp: i32) -> Option<Interpolation> {
    (interp >= 0).then(|| Interpolation::from(interp))
}

/// Returns the control that reaches an actuator at `time`, made from the samples of its history by
/// holding (`interp` 0), lines (1) or cubic splines (2).
#[pyfunction]
fn mj_readCtrl(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    id: i32,
    time: f64,
    interp: i32,
) -> PyResult<f64> {
    let actuator = object("actuator", id, with_model(m.py(), m.get(), |model| model.nu)?)?;
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        sim_core::read_ctrl(model, data, actuator, time, interpolation(interp))
    })
}

/// Writes what a sensor shows at `time` to `result`, made from the samples of its history by holding
/// (`interp` 0), lines (1) or cubic splines (2), and returns it.
#[pyfunction]
fn mj_readSensor<'py>(
    m: &Bound<'py, MjModel>,
    d: &Bound<'py, MjData>,
    id: i32,
    time: f64,
    result: Output<'_, 'py>,
    interp: i32,
) -> PyResult<Bound<'py, PyAny>> {
    let sensor = object("sensor", id, with_model(m.py(), m.get(), |model| model.nsensor)?)?;
    let dim = with_model(m.py(), m.get(), |model| model.sensor_values(sensor).len())?;
    check_len("result", result, dim, "sensor_dim[id]")?;
    let mut values = vec![0.0; dim];
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        sim_core::read_sensor(model, data, sensor, time, &mut values, interpolation(interp));
    })?;
    write(result, &values)?;
    Ok(result.clone().into_any())
}

/// Fills the history of an actuator with `values` at `times`, or at the times that it has if `times`
/// is None.
#[pyfunction]
fn mj_initCtrlHistory(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    id: i32,
    times: Option<&Bound<'_, PyAny>>,
    values: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let actuator = object("actuator", id, with_model(m.py(), m.get(), |model| model.nu)?)?;
    let count =
        with_model(m.py(), m.get(), |model| model.actuator_history[actuator][0].max(0) as usize)?;
    let times = times.map(|times| vector("times", times, count, "nsample")).transpose()?;
    let values = vector("values", values, count, "nsample")?;
    let filled = with_data(m.py(), m.get(), d.get(), |model, data| {
        sim_core::init_ctrl_history(model, data, actuator, times.as_deref(), &values)
    })?;
    filled
        .map_err(|error| FatalError::new_err(format!("mj_initCtrlHistory: actuator {id}: {error}")))
}

/// Fills the history of a sensor with the rows of `values` at `times`, or at the times that it has if
/// `times` is None; `phase` is when a sensor with an interval was last computed.
#[pyfunction]
fn mj_initSensorHistory(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    id: i32,
    times: Option<&Bound<'_, PyAny>>,
    values: &Bound<'_, PyAny>,
    phase: f64,
) -> PyResult<()> {
    let sensor = object("sensor", id, with_model(m.py(), m.get(), |model| model.nsensor)?)?;
    let (count, dim) = with_model(m.py(), m.get(), |model| {
        (model.sensor_history[sensor][0].max(0) as usize, model.sensor_values(sensor).len())
    })?;
    let times = times.map(|times| vector("times", times, count, "nsample")).transpose()?;
    let array = m.py().import("numpy")?.call_method1("asarray", (values,))?;
    if array.getattr("shape")?.extract::<(usize, usize)>().ok() != Some((count, dim)) {
        return Err(PyTypeError::new_err("values should be of shape (nsample, sensor_dim[id])"));
    }
    let values = vector("values", &array.call_method0("ravel")?, count * dim, "as above")?;
    let filled = with_data(m.py(), m.get(), d.get(), |model, data| {
        sim_core::init_sensor_history(model, data, sensor, times.as_deref(), &values, phase)
    })?;
    filled
        .map_err(|error| FatalError::new_err(format!("mj_initSensorHistory: sensor {id}: {error}")))
}

/// Fills options with their defaults.
#[pyfunction]
fn mj_defaultOption(opt: &Bound<'_, MjOption>) -> PyResult<()> {
    let py = opt.py();
    let fresh = py.get_type::<MjOption>().call0()?;
    opt.as_super().get().assign(py, fresh.cast::<MjOption>()?.as_super().get())
}

/// Fills visual settings with their defaults.
#[pyfunction]
fn mj_defaultVisual(vis: &Bound<'_, MjVisual>) -> PyResult<()> {
    vis.get().reset(vis.py())
}

/// Fills parameters of the solver, two in `solref` and five in `solimp`, with their defaults.
#[pyfunction]
fn mj_defaultSolRefImp(solref: Output<'_, '_>, solimp: Output<'_, '_>) -> PyResult<()> {
    check_len("solref", solref, 2, "2")?;
    check_len("solimp", solimp, 5, "5")?;
    write(solref, &[0.02, 1.0])?;
    write(solimp, &[0.9, 0.95, 0.001, 0.5, 2.0])
}

/// Makes room for contacts and constraint rows, all zero, for whoever fills them from Python. Raises
/// an error, and leaves none, if they do not fit into the arena.
#[pyfunction]
#[pyo3(signature = (d, ncon, nefc, nJ = -1))]
fn _realloc_con_efc(d: &Bound<'_, MjData>, ncon: i64, nefc: i64, nJ: i64) -> PyResult<()> {
    let size = |x: i64| usize::try_from(x).unwrap_or(0);
    let mut data = d.get().shared.write()?;
    let entries = if nJ < 0 { size(nefc).saturating_mul(data.qvel.len()) } else { size(nJ) };
    let narena = d.get().narena();
    if narena > 0 && Data::arena_bytes(size(ncon), size(nefc), entries) > narena {
        data.make_rows(0, 0, 0);
        return Err(FatalError::new_err(format!(
            "Insufficient arena memory, currently allocated memory=\"{}\". Increase using \
             <size memory=\"X\"/>.",
            bytes_text(narena)
        )));
    }
    data.make_rows(size(ncon), size(nefc), entries);
    Ok(())
}

/// A number of bytes with the largest letter that divides it.
pub(crate) fn bytes_text(bytes: usize) -> String {
    let letters = ["", "K", "M", "G", "T", "P", "E"];
    let divides = |&power: &usize| bytes > 0 && bytes.is_multiple_of(1 << (10 * power));
    let power = (0..letters.len()).rev().find(divides).unwrap_or(0);
    format!("{}{}", bytes >> (10 * power), letters[power])
}

/// Returns a number of bytes as text, with the largest letter that divides it.
#[pyfunction]
fn mju_writeNumBytes(nbytes: usize) -> String {
    bytes_text(nbytes)
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_parts(module)?;
    add! {
        module: mj_RungeKutta mj_forwardSkip mj_inverseSkip mj_angmomMat mj_mulM2 mj_solveM2
        mj_normalizeQuat mj_local2Global mj_setTotalmass mj_resetDataDebug mj_readCtrl mj_readSensor
        mj_initCtrlHistory mj_initSensorHistory mj_defaultOption mj_defaultVisual
        mj_defaultSolRefImp _realloc_con_efc mju_writeNumBytes
    }
    Ok(())
}
