//! The functions of the module, under MuJoCo's names.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use numpy::{AllowTypeChange, PyArrayDyn, PyArrayLikeDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::model::{Cone, ObjType, State, Timer};

use crate::arguments::{Output, check_len, check_matrix, is_vector, numbers, vector, write};
use crate::callbacks::{measures_time, with_callbacks};
use crate::contact::MjContact;
use crate::data::MjData;
use crate::exit::detached;
use crate::guard::{
    FatalError, caught, check_sizes, explained, with_data, with_data_read, with_model,
};
use crate::model::MjModel;

/// Adds functions to a module.
macro_rules! add {
    ($module:ident: $($name:ident)*) => {
        $( $module.add_function(wrap_pyfunction!($name, $module)?)?; )*
    };
}
pub(crate) use add;

/// How long the engine runs before it looks whether Ctrl-C was pressed.
const PATIENCE: Duration = Duration::from_millis(50);

/// Declares functions that run one stage on `(model, data)`, and such that may call callbacks on
/// the way.
macro_rules! stages {
    (
        plain { $( $(#[doc = $doc:literal])+ $name:ident runs $stage:expr; )* }
        with callbacks { $( $(#[doc = $user_doc:literal])+ $user_name:ident runs $user_stage:path; )* }
    ) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name(m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
                with_data(m.py(), m.get(), d.get(), $stage)
            }
        )*
        $(
            $(#[doc = $user_doc])+
            #[pyfunction]
            #[pyo3(signature = (m, d, *, callbacks = None))]
            fn $user_name(
                m: &Bound<'_, MjModel>,
                d: &Bound<'_, MjData>,
                callbacks: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<()> {
                with_callbacks(m, d, callbacks, $user_stage)
            }
        )*

        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            add! { module: $( $name )* $( $user_name )* }
            Ok(())
        }
    };
}

stages! {
    plain {
        /// Computes the acceleration without constraints.
        mj_fwdAcceleration runs sim_core::fwd_acceleration;
        /// Computes the poses of bodies, geoms, sites, and the axes of joints.
        mj_kinematics runs sim_core::kinematics;
        /// Computes centres of mass, motion axes and inertias.
        mj_comPos runs sim_core::com_pos;
        /// Computes the poses of cameras and lights.
        mj_camlight runs sim_core::camlight;
        /// Computes the mass matrix.
        mj_crb runs sim_core::crb;
        /// Computes the mass matrix with all its parts.
        mj_makeM runs sim_core::make_m;
        /// Factorises the mass matrix.
        mj_factorM runs sim_core::factor_m;
        /// Computes the velocities of bodies and motion axes.
        mj_comVel runs sim_core::com_vel;
        /// Computes velocity and angular momentum of subtrees.
        mj_subtreeVel runs sim_core::subtree_vel;
        /// Computes lengths and Jacobians of flex edges, and where flex vertices are.
        mj_flex runs sim_core::flex;
        /// Computes lengths and Jacobians of tendons.
        mj_tendon runs sim_core::tendon;
        /// Computes lengths and moments of actuators.
        mj_transmission runs sim_core::transmission;
        /// Computes accelerations and forces between bodies, constraints included.
        mj_rnePostConstraint runs sim_core::rne_post_constraint;
        /// Makes the constraint rows of the current position.
        mj_makeConstraint runs sim_core::make_constraint;
        /// Finds the islands: sets of trees that constraints tie together.
        mj_island runs sim_core::island;
        /// Computes the matrix `efc_AR` for solvers that work with it.
        mj_projectConstraint runs sim_core::project_constraint;
        /// Computes the velocity along the constraint rows and the acceleration that they aim at.
        mj_referenceConstraint runs sim_core::reference_constraint;
        /// Solves for the constraint forces and the acceleration with them.
        mj_fwdConstraint runs sim_core::fwd_constraint;
        /// Computes the constraint forces that belong to the current acceleration.
        mj_invConstraint runs sim_core::inv_constraint;
        /// Compares forward with inverse dynamics: `solver_fwdinv` becomes how far the forces of
        /// constraints and the applied forces are apart.
        mj_compareFwdInv runs sim_core::compare_fwd_inv;
        /// Computes the potential energy.
        mj_energyPos runs sim_core::energy_pos;
        /// Computes the kinetic energy.
        mj_energyVel runs sim_core::energy_vel;
    }
    with callbacks {
        /// First half of a step: everything that depends on position and velocity, before controls.
        mj_step1 runs sim_core::step1_with;
        /// Second half of a step: everything that depends on controls and applied forces, and
        /// integration.
        mj_step2 runs sim_core::step2_with;
        /// Computes everything that follows from the current state, without advancing it.
        mj_forward runs sim_core::forward_with;
        /// Computes the forces that give the current acceleration, from position and velocity.
        mj_inverse runs sim_core::inverse_with;
        /// Computes everything that depends on position.
        mj_fwdPosition runs sim_core::fwd_position;
        /// Computes everything that depends on position, as far as inverse dynamics needs it.
        mj_invPosition runs sim_core::inv_position;
        /// Finds the contacts between geoms.
        mj_collision runs sim_core::collision_with;
        /// Computes everything that depends on velocity.
        mj_fwdVelocity runs sim_core::fwd_velocity;
        /// Computes everything that depends on velocity, as far as inverse dynamics needs it.
        mj_invVelocity runs sim_core::fwd_velocity;
        /// Computes the forces of springs, dampers, fluid and gravity compensation.
        mj_passive runs sim_core::passive;
        /// Computes the forces of actuators.
        mj_fwdActuation runs sim_core::fwd_actuation;
        /// Computes the sensors that depend on position.
        mj_sensorPos runs sim_core::sensor_pos;
        /// Computes the sensors that depend on velocity.
        mj_sensorVel runs sim_core::sensor_vel;
        /// Computes the sensors that depend on acceleration and force.
        mj_sensorAcc runs sim_core::sensor_acc;
    }
}

/// Advances the simulation by a time step. Optionally, repeat nstep times. Ctrl-C interrupts between
/// steps. `callbacks` is
/// an object with any of the methods `control`, `passive`, `sensor`, `act_dyn`, `act_gain`, `act_bias`
/// and `contactfilter`, which this call uses instead of what `set_mjcb_control` and its like have set.
#[pyfunction]
#[pyo3(signature = (m, d, nstep = 1, *, callbacks = None))]
fn mj_step(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    nstep: i64,
    callbacks: Option<&Bound<'_, PyAny>>,
) -> PyResult<()> {
    let mut left = nstep;
    while left > 0 {
        left = with_callbacks(m, d, callbacks, move |model, data, user| {
            let (start, before) = (Instant::now(), left);
            sim_core::step_with(model, data, user);
            left -= 1;
            while left > 0 && start.elapsed() < PATIENCE {
                for _ in 0..left.min(8) {
                    sim_core::step_with(model, data, user);
                    left -= 1;
                }
            }
            if !measures_time() {
                let stat = &mut data.timer[Timer::Step as usize];
                stat.duration += start.elapsed().as_secs_f64();
                stat.number = stat.number.saturating_add((before - left) as i32);
            }
            left
        })?;
        if left > 0 {
            m.py().check_signals()?;
        }
    }
    Ok(())
}

/// Returns to the reference state at time zero, clearing inputs, results and warnings.
#[pyfunction]
fn mj_resetData(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    mj_resetDataKeyframe(py, m, d, -1)
}

/// Returns to the state of keyframe `key`; a key that does not exist gives the reference state.
#[pyfunction]
fn mj_resetDataKeyframe(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    key: i32,
) -> PyResult<()> {
    let asleep = with_data(py, m.get(), d.get(), |model, data| {
        match usize::try_from(key) {
            Ok(key) => data.reset_keyframe(model, key),
            Err(_) => data.reset(model),
        }
        data.check_init_sleep(model)
    })?;
    asleep.map_err(|error| FatalError::new_err(error.to_string()))
}

/// Writes the dense inertia matrix to `dst`, nv x nv, from `M` in the layout of `data.qM`: by dof
/// from `dof_Madr` on, the diagonal and then the ancestors.
#[pyfunction]
fn mj_fullM(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    dst: &Bound<'_, PyArrayDyn<f64>>,
    M: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (nv, nM) = with_model(py, m.get(), |model| (model.nv, model.nM))?;
    check_matrix("dst", dst, [nv, nv], "(nv, nv)")?;
    let packed = vector("M", M, nM, "nM")?;
    let mut dense = vec![0.0; nv * nv];
    with_model(py, m.get(), |model| {
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
    })?;
    write(dst, &dense)
}

/// Computes `res = M vec`. Runs after `mj_crb`.
#[pyfunction]
fn mj_mulM(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    res: &Bound<'_, PyArrayDyn<f64>>,
    vec: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let nv = with_model(py, m.get(), |model| model.nv)?;
    check_len("res", res, nv, "nv")?;
    let x = vector("vec", vec, nv, "nv")?;
    let mut product = vec![0.0; nv];
    with_data_read(py, m.get(), d.get(), |model, data| {
        sim_core::mul_m(model, data, &mut product, &x)
    })?;
    write(res, &product)
}

/// Adds the lower triangle of the mass matrix to the sparse matrix `dst`, whose rows have `rownnz`
/// entries from `rowadr` on, in the columns `colind`; columns that it lacks are added. Runs after
/// `mj_makeM`.
#[pyfunction]
fn mj_addM(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    dst: Output<'_, '_>,
    rownnz: &Bound<'_, PyArrayDyn<i32>>,
    rowadr: &Bound<'_, PyArrayDyn<i32>>,
    colind: &Bound<'_, PyArrayDyn<i32>>,
) -> PyResult<()> {
    let (nv, nM) = with_model(py, m.get(), |model| (model.nv, model.nM))?;
    check_len("dst", dst, nM, "nM")?;
    check_len("rownnz", rownnz, nv, "nv")?;
    check_len("rowadr", rowadr, nv, "nv")?;
    check_len("colind", colind, nM, "nM")?;
    let (mut values, mut lengths) = (numbers(dst)?, numbers(rownnz)?);
    let (starts, mut columns) = (numbers(rowadr)?, numbers(colind)?);
    with_data_read(py, m.get(), d.get(), |model, data| {
        for row in 0..nv {
            let start = starts[row] as usize;
            let end = start + lengths[row] as usize;
            let there = columns[start..end].iter().copied().zip(values[start..end].iter().copied());
            let mut sum: BTreeMap<i32, f64> = there.collect();
            let from = model.M_rowadr[row] as usize;
            for adr in from..from + model.M_rownnz[row] as usize {
                *sum.entry(model.M_colind[adr]).or_default() += data.M[adr];
            }
            lengths[row] = sum.len() as i32;
            for (adr, (column, value)) in (start..).zip(sum) {
                (columns[adr], values[adr]) = (column, value);
            }
        }
    })?;
    write(dst, &values)?;
    write(rownnz, &lengths)?;
    write(colind, &columns)
}

/// Solves `M x = y` for each row of `y`. Runs after `mj_factorM`.
#[pyfunction]
fn mj_solveM(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    x: &Bound<'_, PyArrayDyn<f64>>,
    y: PyArrayLikeDyn<'_, f64, AllowTypeChange>,
) -> PyResult<()> {
    let nv = with_model(py, m.get(), |model| model.nv)?;
    if x.shape() != y.shape() {
        return Err(PyTypeError::new_err("the first dimension of x and y should be the same"));
    }
    if x.shape().last() != Some(&nv) {
        return Err(PyTypeError::new_err("the last dimension of x and y should be of size nv"));
    }
    let mut rows = numbers(&y)?;
    // it may be the same array as the other
    drop(y);
    with_data_read(py, m.get(), d.get(), |model, data| {
        rows.chunks_exact_mut(nv.max(1)).for_each(|row| sim_core::solve_m(model, data, row));
    })?;
    write(x, &rows)
}

/// Advances `qpos` by the velocity `qvel` over the time `dt`, in place.
#[pyfunction]
fn mj_integratePos(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    qpos: &Bound<'_, PyArrayDyn<f64>>,
    qvel: &Bound<'_, PyAny>,
    dt: f64,
) -> PyResult<()> {
    let (nq, nv) = with_model(py, m.get(), |model| (model.nq, model.nv))?;
    check_len("qpos", qpos, nq, "nq")?;
    let mut position = vector("qpos", qpos.as_any(), nq, "nq")?;
    let velocity = vector("qvel", qvel, nv, "nv")?;
    with_model(py, m.get(), |model| sim_core::integrate_pos(model, &mut position, &velocity, dt))?;
    write(qpos, &position)
}

/// Computes the velocity `qvel` that leads from `qpos1` to `qpos2` in the time `dt`.
#[pyfunction]
fn mj_differentiatePos(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    qvel: &Bound<'_, PyArrayDyn<f64>>,
    dt: f64,
    qpos1: &Bound<'_, PyAny>,
    qpos2: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let (nq, nv) = with_model(py, m.get(), |model| (model.nq, model.nv))?;
    check_len("qvel", qvel, nv, "nv")?;
    let (from, to) = (vector("qpos1", qpos1, nq, "nq")?, vector("qpos2", qpos2, nq, "nq")?);
    let mut velocity = vec![0.0; nv];
    with_model(py, m.get(), |model| {
        sim_core::differentiate_pos(model, &mut velocity, dt, &from, &to);
    })?;
    write(qvel, &velocity)
}

/// Computes the force that gives the current acceleration (`flg_acc` nonzero) or none, without
/// constraints, into `result`.
#[pyfunction]
fn mj_rne(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    flg_acc: i32,
    result: &Bound<'_, PyArrayDyn<f64>>,
) -> PyResult<()> {
    let nv = with_model(py, m.get(), |model| model.nv)?;
    check_len("result", result, nv, "nv")?;
    let mut force = vec![0.0; nv];
    with_data(py, m.get(), d.get(), |model, data| {
        if flg_acc != 0 {
            sim_core::rne_with_acc(model, data, &mut force);
        } else {
            // the bias force, which is left as it was
            let kept = data.qfrc_bias.clone();
            sim_core::rne(model, data);
            force.copy_from_slice(&data.qfrc_bias);
            data.qfrc_bias.copy_from_slice(&kept);
        }
    })?;
    write(result, &force)
}

/// Computes every constant of the model that follows from its other fields. The data is left in
/// the reference configuration.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    check_sizes(m.get(), d.get())?;
    let mut model = m.get().shared.write()?;
    let mut data = d.get().shared.write()?;
    let (model, data) = (&mut *model, &mut *data);
    detached(py, || {
        // the scratch space belongs to the data, and needs a model that nobody writes to
        caught(|| data.renew_scratch(model))?;
        caught(|| model.set_const(data)).map_err(|error| {
            data.abandon_scratch();
            explained(error, model)
        })
    })
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

fn check_spec(function: &str, spec: i32) -> PyResult<u32> {
    match u32::try_from(spec) {
        Ok(bits) if bits <= State::Integration as u32 => Ok(bits),
        Err(_) => {
            let message = format!("{function}: invalid state signature {spec} < 0");
            Err(FatalError::new_err(message))
        }
        Ok(_) => {
            let message = format!("{function}: invalid state signature {spec} >= 2^mjNSTATE");
            Err(FatalError::new_err(message))
        }
    }
}

/// Returns the number of numbers in the state that `sig`, bits of `mjtState`, selects.
#[pyfunction]
fn mj_stateSize(m: &Bound<'_, MjModel>, sig: i32) -> PyResult<usize> {
    let spec = check_spec("mj_stateSize", sig)?;
    with_model(m.py(), m.get(), |model| model.state_size(spec))
}

fn check_state(name: &str, sig: &str, shape: &[usize], len: usize) -> PyResult<()> {
    if is_vector(shape, len) {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} size should equal mj_stateSize(m, {sig})")))
}

/// Copies the components of the state that `sig`, bits of `mjtState`, selects to `state`.
#[pyfunction]
fn mj_getState(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    state: &Bound<'_, PyArrayDyn<f64>>,
    sig: i32,
) -> PyResult<()> {
    let spec = check_spec("mj_getState", sig)?;
    let len = with_model(py, m.get(), |model| model.state_size(spec))?;
    check_state("state", "sig", state.shape(), len)?;
    let mut values = vec![0.0; len];
    with_data_read(py, m.get(), d.get(), |model, data| data.get_state(model, spec, &mut values))?;
    write(state, &values)
}

/// Copies `state` into the components of the state that `sig`, bits of `mjtState`, selects.
#[pyfunction]
fn mj_setState(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    state: PyArrayLikeDyn<'_, f64, AllowTypeChange>,
    sig: i32,
) -> PyResult<()> {
    let spec = check_spec("mj_setState", sig)?;
    let len = with_model(py, m.get(), |model| model.state_size(spec))?;
    check_state("state", "sig", state.shape(), len)?;
    let values = numbers(&state)?;
    with_data(py, m.get(), d.get(), |model, data| data.set_state(model, spec, &values))
}

/// Copies from `src`, a state of the components `srcsig`, those that `dstsig` selects to `dst`.
#[pyfunction]
fn mj_extractState(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    src: PyArrayLikeDyn<'_, f64, AllowTypeChange>,
    srcsig: i32,
    dst: Output<'_, '_>,
    dstsig: i32,
) -> PyResult<()> {
    let from = check_spec("mj_extractState", srcsig)?;
    let to = check_spec("mj_extractState", dstsig)?;
    if from & to != to {
        return Err(FatalError::new_err("mj_extractState: dstsig is not a subset of srcsig"));
    }
    let size = |spec| with_model(py, m.get(), |model| model.state_size(spec));
    check_state("src", "srcsig", src.shape(), size(from)?)?;
    check_state("dst", "dstsig", dst.shape(), size(to)?)?;
    let values = numbers(&src)?;
    // it may be the same array as the other
    drop(src);
    let (mut values, mut taken) = (values.into_iter(), Vec::new());
    for bit in (0..u32::BITS).map(|bit| from & (1 << bit)).filter(|&bit| bit != 0) {
        let component: Vec<f64> = values.by_ref().take(size(bit)?).collect();
        if to & bit != 0 {
            taken.extend(component);
        }
    }
    write(dst, &taken)
}

/// Copies the components of the state that `sig`, bits of `mjtState`, selects from `src` to `dst`.
#[pyfunction]
fn mj_copyState(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    src: &Bound<'_, MjData>,
    dst: &Bound<'_, MjData>,
    sig: i32,
) -> PyResult<()> {
    let spec = check_spec("mj_copyState", sig)?;
    let state = with_data_read(py, m.get(), src.get(), |model, data| {
        let mut state = vec![0.0; model.state_size(spec)];
        data.get_state(model, spec, &mut state);
        state
    })?;
    with_data(py, m.get(), dst.get(), |model, data| data.set_state(model, spec, &state))
}

/// Copies everything in `src` to `dest`; both belong to the model `m`.
#[pyfunction]
fn mj_copyData(
    py: Python<'_>,
    dest: &Bound<'_, MjData>,
    m: &Bound<'_, MjModel>,
    src: &Bound<'_, MjData>,
) -> PyResult<()> {
    check_sizes(m.get(), src.get())?;
    if dest.is(src) {
        return Ok(());
    }
    let source = src.get().shared.read()?;
    let source = &*source;
    with_data(py, m.get(), dest.get(), |_, data| crate::data::copy(source, data))
}

/// Stores the state of the data as keyframe `k` of the model.
#[pyfunction]
fn mj_setKeyframe(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    k: i32,
) -> PyResult<()> {
    check_sizes(m.get(), d.get())?;
    let mut model = m.get().shared.write()?;
    let data = d.get().shared.read()?;
    let count = model.nkey;
    let k = usize::try_from(k).ok().filter(|&k| k < count).ok_or_else(|| {
        FatalError::new_err(match k {
            ..0 => "mj_setKeyframe: keyframe index must be non-negative".to_owned(),
            _ => format!(
                "mj_setKeyframe: index must be smaller than {count} (keyframes allocated in model)"
            ),
        })
    })?;
    let (model, data) = (&mut *model, &*data);
    detached(py, || {
        caught(|| {
            model.key_time[k] = data.time;
            model.key_qpos[k * model.nq..][..model.nq].copy_from_slice(&data.qpos);
            model.key_qvel[k * model.nv..][..model.nv].copy_from_slice(&data.qvel);
            model.key_act[k * model.na..][..model.na].copy_from_slice(&data.act);
            model.key_ctrl[k * model.nu..][..model.nu].copy_from_slice(&data.ctrl);
            let mocap = k * model.nmocap..(k + 1) * model.nmocap;
            model.key_mpos[mocap.clone()].copy_from_slice(&data.mocap_pos);
            model.key_mquat[mocap].copy_from_slice(&data.mocap_quat);
        })
    })
}

/// Adds a contact to the list; constraint rows of the others are to be made anew. Returns 0.
#[pyfunction]
fn mj_addContact(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    con: &Bound<'_, MjContact>,
) -> PyResult<i32> {
    let contact = con.get().values()?;
    with_data(py, m.get(), d.get(), |_, data| data.add_contact(contact))?;
    Ok(0)
}

/// Saves a model as MJCF, with the real numbers that it has now.
#[pyfunction]
fn mj_saveLastXML(py: Python<'_>, filename: PathBuf, m: &Bound<'_, MjModel>) -> PyResult<()> {
    let Some(spec) = m.get().spec.clone() else {
        return Err(FatalError::new_err("this model was not loaded from MJCF"));
    };
    let text = with_model(py, m.get(), |model| spec.to_reference_xml_of(model))?;
    let text = match text {
        Some(text) => text,
        None => detached(py, || caught(|| spec.to_reference_xml()))?,
    };
    sim_mjcf::write_file(&filename, text.as_bytes()).map_err(|error| {
        FatalError::new_err(format!("cannot write '{}': {error}", filename.display()))
    })
}

/// Returns the mass of all bodies.
#[pyfunction]
fn mj_getTotalmass(m: &Bound<'_, MjModel>) -> PyResult<f64> {
    with_model(m.py(), m.get(), |model| model.body_mass.iter().sum())
}

/// Returns whether Jacobians are sparse: 1 or 0.
#[pyfunction]
fn mj_isSparse(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    with_model(m.py(), m.get(), |model| i32::from(model.is_sparse()))
}

/// Returns whether friction cones are pyramids: 1 or 0.
#[pyfunction]
fn mj_isPyramidal(m: &Bound<'_, MjModel>) -> PyResult<i32> {
    with_model(m.py(), m.get(), |model| i32::from(model.opt.cone == Cone::Pyramidal as i32))
}

#[doc = "mj_versionString() -> str\n\n\
         Return the current version of MuJoCo as a null-terminated string.\n"]
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
    add! {
        module: mj_step mj_resetData mj_resetDataKeyframe mj_setKeyframe mj_setConst mj_fullM mj_mulM mj_addM
        mj_solveM mj_integratePos mj_differentiatePos mj_rne mj_name2id mj_id2name mj_stateSize
        mj_getState mj_setState mj_extractState mj_copyState mj_copyData mj_addContact mj_saveLastXML
        mj_getTotalmass mj_isSparse mj_isPyramidal mj_versionString mj_version _panic
    }
    Ok(())
}
