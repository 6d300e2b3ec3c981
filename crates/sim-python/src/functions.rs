//! The functions of the module, under MuJoCo's names.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use numpy::{AllowTypeChange, PyArrayDyn, PyArrayLikeDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use sim_core::math::{Motion, Vec3};
use sim_core::model::{Cone, ObjType, State};
use sim_core::{Data, Model, NoCallbacks};

use crate::contact::MjContact;
use crate::data::MjData;
use crate::guard::{FatalError, caught, check_sizes, with_data, with_model};
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
                with_data(py, m.get(), d, $stage)
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
    /// Computes everything that depends on position.
    mj_fwdPosition runs sim_core::fwd_position;
    /// Computes everything that depends on velocity.
    mj_fwdVelocity runs |model, data| sim_core::fwd_velocity(model, data, &mut NoCallbacks);
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
    /// Factorises the mass matrix.
    mj_factorM runs sim_core::factor_m;
    /// Computes the velocities of bodies and motion axes.
    mj_comVel runs sim_core::com_vel;
    /// Computes the forces of springs, dampers and gravity compensation.
    mj_passive runs |model, data| sim_core::passive(model, data, &mut NoCallbacks);
    /// Computes velocity and angular momentum of subtrees.
    mj_subtreeVel runs sim_core::subtree_vel;
    /// Computes lengths and Jacobians of tendons.
    mj_tendon runs sim_core::tendon;
    /// Computes lengths and moments of actuators.
    mj_transmission runs sim_core::transmission;
    /// Computes the mass matrix with all its parts.
    mj_makeM runs sim_core::make_m;
    /// Computes the forces of actuators.
    mj_fwdActuation runs |model, data| sim_core::fwd_actuation(model, data, &mut NoCallbacks);
    /// Computes the sensors that depend on position.
    mj_sensorPos runs |model, data| sim_core::sensor_pos(model, data, &mut NoCallbacks);
    /// Computes the sensors that depend on velocity.
    mj_sensorVel runs |model, data| sim_core::sensor_vel(model, data, &mut NoCallbacks);
    /// Computes the sensors that depend on acceleration and force.
    mj_sensorAcc runs |model, data| sim_core::sensor_acc(model, data, &mut NoCallbacks);
    /// Computes the forces that give the current acceleration, from position and velocity.
    mj_inverse runs sim_core::inverse;
    /// Computes accelerations and forces between bodies, constraints included.
    mj_rnePostConstraint runs sim_core::rne_post_constraint;
    /// Computes the potential energy.
    mj_energyPos runs sim_core::energy_pos;
    /// Computes the kinetic energy.
    mj_energyVel runs sim_core::energy_vel;
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
        left = with_data(py, m.get(), d, move |model, data| {
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
    with_data(py, m.get(), d, |model, data| match usize::try_from(key) {
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
    with_data(py, m.get(), d, |model, data| sim_core::mul_m(model, data, &mut product, &x))?;
    write(res, &product)
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
    let y = y.as_array();
    if x.shape() != y.shape() {
        return Err(PyTypeError::new_err("the first dimension of x and y should be the same"));
    }
    if x.shape().last() != Some(&nv) {
        return Err(PyTypeError::new_err("the last dimension of x and y should be of size nv"));
    }
    let mut rows: Vec<f64> = y.iter().copied().collect();
    with_data(py, m.get(), d, |model, data| {
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
    with_data(py, m.get(), d, |model, data| {
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

/// Adds to `qfrc_target` the joint-space effect of a force and a torque on `body` at `point`.
#[pyfunction]
fn mj_applyFT(
    py: Python<'_>,
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    force: &Bound<'_, PyAny>,
    torque: &Bound<'_, PyAny>,
    point: &Bound<'_, PyAny>,
    body: i32,
    qfrc_target: &Bound<'_, PyArrayDyn<f64>>,
) -> PyResult<()> {
    let (nv, nbody) = with_model(py, m.get(), |model| (model.nv, model.nbody))?;
    check_len("qfrc_target", qfrc_target, nv, "nv")?;
    let (force, torque) = (vec3("force", force)?, vec3("torque", torque)?);
    let (point, body) = (vec3("point", point)?, object("body", body, nbody)?);
    let mut qfrc = vector("qfrc_target", qfrc_target.as_any(), nv, "nv")?;
    with_data(py, m.get(), d, |model, data| {
        sim_core::apply_ft(model, data, force, torque, point, body, &mut qfrc);
    })?;
    write(qfrc_target, &qfrc)
}

/// A matrix that a function fills, if it is asked for.
type Output<'a, 'py> = Option<&'a Bound<'py, PyArrayDyn<f64>>>;

/// How the engine computes Jacobians of a point fixed to a body.
type Kernel = fn(&Model, &Data, &mut [f64], &mut [f64], Vec3, usize);

/// Fills the Jacobians of a point and of the body it is fixed to, which `place` gives.
fn jacobian(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacp: Output<'_, '_>,
    jacr: Output<'_, '_>,
    kernel: Kernel,
    place: impl FnOnce(&Model, &Data) -> (Vec3, usize) + Send,
) -> PyResult<()> {
    let nv = with_model(m.py(), m.get(), |model| model.nv)?;
    for (name, output) in [("jacp", jacp), ("jacr", jacr)] {
        if let Some(output) = output {
            check_matrix(name, output, [3, nv], "(3, nv)")?;
        }
    }
    let (mut position, mut rotation) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
    with_data(m.py(), m.get(), d, |model, data| {
        let (point, body) = place(model, data);
        kernel(model, data, &mut position, &mut rotation, point, body);
    })?;
    jacp.map_or(Ok(()), |output| write(output, &position))?;
    jacr.map_or(Ok(()), |output| write(output, &rotation))
}

/// Computes the Jacobians `jacp` and `jacr` (3 x nv, either may be None) of a point fixed to a body.
#[pyfunction]
fn mj_jac(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacp: Output<'_, '_>,
    jacr: Output<'_, '_>,
    point: &Bound<'_, PyAny>,
    body: i32,
) -> PyResult<()> {
    let nbody = with_model(m.py(), m.get(), |model| model.nbody)?;
    let (point, body) = (vec3("point", point)?, object("body", body, nbody)?);
    jacobian(m, d, jacp, jacr, sim_core::jac, move |_, _| (point, body))
}

/// Computes the rates of change of the Jacobians of a point fixed to a body.
#[pyfunction]
fn mj_jacDot(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacp: Output<'_, '_>,
    jacr: Output<'_, '_>,
    point: &Bound<'_, PyAny>,
    body: i32,
) -> PyResult<()> {
    let nbody = with_model(m.py(), m.get(), |model| model.nbody)?;
    let (point, body) = (vec3("point", point)?, object("body", body, nbody)?);
    jacobian(m, d, jacp, jacr, sim_core::jac_dot, move |_, _| (point, body))
}

/// Declares Jacobians of the frames of objects: which count, which position, which body.
macro_rules! jacobians {
    ($( $(#[doc = $doc:literal])+ $name:ident($id:ident < $count:ident) at $place:expr; )*) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name(
                m: &Bound<'_, MjModel>,
                d: &Bound<'_, MjData>,
                jacp: Output<'_, '_>,
                jacr: Output<'_, '_>,
                $id: i32,
            ) -> PyResult<()> {
                let count = with_model(m.py(), m.get(), |model| model.$count)?;
                let id = object(stringify!($id), $id, count)?;
                let place: fn(&Model, &Data, usize) -> (Vec3, usize) = $place;
                jacobian(m, d, jacp, jacr, sim_core::jac, move |model, data| place(model, data, id))
            }
        )*

        fn register_jacobians(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $( module.add_function(wrap_pyfunction!($name, module)?)?; )*
            Ok(())
        }
    };
}

jacobians! {
    /// Computes the Jacobians of a body's frame.
    mj_jacBody(body < nbody) at |_, data, body| (data.xpos[body], body);
    /// Computes the Jacobians of a body's centre of mass.
    mj_jacBodyCom(body < nbody) at |_, data, body| (data.xipos[body], body);
    /// Computes the Jacobians of a geom.
    mj_jacGeom(geom < ngeom) at
        |model, data, geom| (data.geom_xpos[geom], model.geom_bodyid[geom] as usize);
    /// Computes the Jacobians of a site.
    mj_jacSite(site < nsite) at
        |model, data, site| (data.site_xpos[site], model.site_bodyid[site] as usize);
}

/// Writes a spatial vector of an object to `res`, in the object's own orientation if asked for.
fn spatial(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    objtype: i32,
    objid: i32,
    res: &Bound<'_, PyArrayDyn<f64>>,
    flg_local: i32,
    kernel: fn(&Model, &Data, ObjType, usize) -> Motion,
) -> PyResult<()> {
    check_len("res", res, 6, "6")?;
    let kind = ObjType::from_i32(objtype);
    let of_kind = |model: &Model| kind.map_or(0, |kind| model.count(kind));
    let id = object("object", objid, with_model(m.py(), m.get(), of_kind)?)?;
    let motion = with_data(m.py(), m.get(), d, |model, data| {
        let (kind, frame) = match kind {
            Some(kind @ ObjType::Body) => (kind, data.ximat[id]),
            Some(kind @ ObjType::XBody) => (kind, data.xmat[id]),
            Some(kind @ ObjType::Geom) => (kind, data.geom_xmat[id]),
            Some(kind @ ObjType::Site) => (kind, data.site_xmat[id]),
            Some(kind @ ObjType::Camera) => (kind, data.cam_xmat[id]),
            _ => return None,
        };
        let motion = kernel(model, data, kind, id);
        Some(match flg_local {
            0 => motion,
            _ => Motion::new(frame.transpose_mul(motion.rot), frame.transpose_mul(motion.lin)),
        })
    })?;
    let motion = motion.ok_or_else(|| FatalError::new_err("objects of this type have no frame"))?;
    let (rot, lin) = (motion.rot, motion.lin);
    write(res, &[rot[0], rot[1], rot[2], lin[0], lin[1], lin[2]])
}

/// Computes the velocity (rotation, translation) of an object, in the orientation of the world or
/// its own.
#[pyfunction]
fn mj_objectVelocity(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    objtype: i32,
    objid: i32,
    res: &Bound<'_, PyArrayDyn<f64>>,
    flg_local: i32,
) -> PyResult<()> {
    spatial(m, d, objtype, objid, res, flg_local, sim_core::object_velocity)
}

/// Computes the acceleration (rotation, translation) of an object, in the orientation of the world
/// or its own. Runs after `mj_rnePostConstraint`.
#[pyfunction]
fn mj_objectAcceleration(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    objtype: i32,
    objid: i32,
    res: &Bound<'_, PyArrayDyn<f64>>,
    flg_local: i32,
) -> PyResult<()> {
    spatial(m, d, objtype, objid, res, flg_local, sim_core::object_acceleration)
}

/// Computes every constant of the model that follows from its other fields. The data is left in
/// the reference configuration.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: &Bound<'_, MjModel>, d: &Bound<'_, MjData>) -> PyResult<()> {
    check_sizes(m.get(), d.get())?;
    let mut model = m.get().shared.write()?;
    let mut data = d.get().shared.write()?;
    let (inside, entered) = (&mut *model, &mut *data);
    let result = py.detach(|| caught(|| inside.set_const(entered)));
    if result.is_err() && !(MjModel::is_whole(m, &mut model) && MjData::is_whole(d, &mut data)) {
        m.get().shared.set_broken();
        d.get().shared.set_broken();
    }
    result
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
        _ => Err(FatalError::new_err(format!("{function}: invalid state signature {spec}"))),
    }
}

/// Returns the number of numbers in the state that `sig`, bits of `mjtState`, selects.
#[pyfunction]
fn mj_stateSize(m: &Bound<'_, MjModel>, sig: i32) -> PyResult<usize> {
    let spec = check_spec("mj_stateSize", sig)?;
    with_model(m.py(), m.get(), |model| model.state_size(spec))
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
    check_state(state.shape(), len)?;
    let mut values = vec![0.0; len];
    with_data(py, m.get(), d, |model, data| data.get_state(model, spec, &mut values))?;
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
    check_state(state.as_array().shape(), len)?;
    let values: Vec<f64> = state.as_array().iter().copied().collect();
    with_data(py, m.get(), d, |model, data| data.set_state(model, spec, &values))
}

/// Whether an array is a vector of `len` numbers, or a matrix with one row or column.
fn is_vector(shape: &[usize], len: usize) -> bool {
    matches!(*shape, [n] | [n, 1] | [1, n] if n == len)
}

fn check_state(shape: &[usize], len: usize) -> PyResult<()> {
    if is_vector(shape, len) {
        return Ok(());
    }
    Err(PyTypeError::new_err("state size should equal mj_stateSize(m, sig)"))
}

fn check_len(
    name: &str,
    array: &Bound<'_, PyArrayDyn<f64>>,
    len: usize,
    size: &str,
) -> PyResult<()> {
    if is_vector(array.shape(), len) {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should be of size {size}")))
}

fn check_matrix(
    name: &str,
    array: &Bound<'_, PyArrayDyn<f64>>,
    shape: [usize; 2],
    sizes: &str,
) -> PyResult<()> {
    if array.shape() == shape {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should be of shape {sizes}")))
}

/// Copies a vector of `len` numbers out of an array, so that it may be one of the data's own.
fn vector(name: &str, value: &Bound<'_, PyAny>, len: usize, size: &str) -> PyResult<Vec<f64>> {
    let value: PyArrayLikeDyn<'_, f64, AllowTypeChange> = value.extract()?;
    if !is_vector(value.as_array().shape(), len) {
        return Err(PyTypeError::new_err(format!("{name} should be of size {size}")));
    }
    Ok(value.as_array().iter().copied().collect())
}

fn vec3(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec3> {
    let numbers = vector(name, value, 3, "3")?;
    Ok(Vec3::new(numbers[0], numbers[1], numbers[2]))
}

fn object(name: &str, id: i32, count: usize) -> PyResult<usize> {
    usize::try_from(id).ok().filter(|&id| id < count).ok_or_else(|| {
        FatalError::new_err(format!("{name} {id} does not exist, there are {count}"))
    })
}

/// Copies numbers into an array of as many.
fn write(target: &Bound<'_, PyArrayDyn<f64>>, values: &[f64]) -> PyResult<()> {
    let mut target = target.try_readwrite()?;
    target.as_array_mut().iter_mut().zip(values).for_each(|(target, value)| *target = *value);
    Ok(())
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
    with_data(py, m.get(), d, |_, data| {
        (data.ne, data.nf, data.nl, data.nefc) = (0, 0, 0, 0);
        (data.nJ, data.nA, data.nisland, data.nidof) = (0, 0, 0, 0);
        data.contact.iter_mut().for_each(|other| other.efc_address = -1);
        data.contact.push(contact);
        data.ncon = data.contact.len();
    })?;
    Ok(0)
}

/// Saves a model as MJCF, as it was loaded: changes to its arrays are not saved.
#[pyfunction]
fn mj_saveLastXML(py: Python<'_>, filename: PathBuf, m: &Bound<'_, MjModel>) -> PyResult<()> {
    let Some(spec) = m.get().spec.clone() else {
        return Err(FatalError::new_err("this model was not loaded from MJCF"));
    };
    let text = py.detach(|| caught(|| spec.to_xml()))?;
    std::fs::write(&filename, text).map_err(|error| {
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

/// Adds functions to a module.
macro_rules! add {
    ($module:ident: $($name:ident)*) => {
        $( $module.add_function(wrap_pyfunction!($name, $module)?)?; )*
    };
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)?;
    register_jacobians(module)?;
    add! {
        module: mj_step mj_resetDataKeyframe mj_setConst mj_fullM mj_mulM mj_solveM mj_integratePos
        mj_differentiatePos mj_rne mj_applyFT mj_jac mj_jacDot mj_objectVelocity
        mj_objectAcceleration mj_name2id mj_id2name mj_stateSize mj_getState mj_setState
        mj_addContact mj_saveLastXML mj_getTotalmass mj_isSparse mj_isPyramidal mj_versionString mj_version _panic
    }
    Ok(())
}
