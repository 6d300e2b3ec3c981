//! Derivatives of a step, of inverse dynamics and of quaternions.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::{PyArray1, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::{MutexExt, PyOnceLock};
use sim_core::derivative::{
    Actuation, Cotangent, DerivativeError, Difference, FdScratch, Field, Gradient, InverseMatrices,
    Matrices, Parameter, Smoothness, Tangent, Transition, inverse_fd_with, jvp, quat_integrate,
    sub_quat, transition, transition_fd_with, vjp,
};
use sim_core::math::{Quat, Vec3};
use sim_core::{Data, Model, forward};

use crate::arguments::{Output, check_matrix, vec3, vector, write};
use crate::callbacks::{_has_callbacks, with_callbacks};
use crate::data::MjData;
use crate::functions::add;
use crate::guard::{FatalError, with_data, with_model};
use crate::model::MjModel;

/// A matrix that may be asked for: its name, where it goes, its shape and what that is called.
struct Wanted<'a, 'py> {
    name: &'static str,
    target: Option<Output<'a, 'py>>,
    shape: [usize; 2],
    sizes: &'static str,
}

impl Wanted<'_, '_> {
    /// Room for the matrix, if it is asked for.
    fn room(&self) -> PyResult<Option<Vec<f64>>> {
        let Some(target) = self.target else { return Ok(None) };
        check_matrix(self.name, target, self.shape, self.sizes)?;
        Ok(Some(vec![0.0; self.shape[0] * self.shape[1]]))
    }

    fn write(&self, values: &Option<Vec<f64>>) -> PyResult<()> {
        match (self.target, values) {
            (Some(target), Some(values)) => write(target, values),
            _ => Ok(()),
        }
    }
}

/// Computes the matrices of a transition, `x⁺ = A x + B u` and `s = C x + D u`, by finite
/// differences with step `eps`, with `x` the tangent of `qpos`, `qvel` and `act`. Any of the matrices
/// may be None.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_centered, A, B, C, D))]
fn mjd_transitionFD(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    eps: f64,
    flg_centered: u8,
    A: Option<Output<'_, '_>>,
    B: Option<Output<'_, '_>>,
    C: Option<Output<'_, '_>>,
    D: Option<Output<'_, '_>>,
) -> PyResult<()> {
    let (n, nu, ns) = with_model(m.py(), m.get(), |model| {
        (2 * model.nv + model.na, model.nu, model.nsensordata)
    })?;
    let wanted = [
        Wanted { name: "A", target: A, shape: [n, n], sizes: "(2*nv+na, 2*nv+na)" },
        Wanted { name: "B", target: B, shape: [n, nu], sizes: "(2*nv+na, nu)" },
        Wanted { name: "C", target: C, shape: [ns, n], sizes: "(nsensordata, 2*nv+na)" },
        Wanted { name: "D", target: D, shape: [ns, nu], sizes: "(nsensordata, nu)" },
    ];
    let [mut a, mut b, mut c, mut d_] =
        [wanted[0].room()?, wanted[1].room()?, wanted[2].room()?, wanted[3].room()?];
    let difference = if flg_centered != 0 { Difference::Centered } else { Difference::Forward };
    with_callbacks(m, d, None, |model, data, user| {
        let out = Matrices {
            a: a.as_deref_mut(),
            b: b.as_deref_mut(),
            c: c.as_deref_mut(),
            d: d_.as_deref_mut(),
        };
        transition_fd_with(model, data, eps, difference, out, &mut FdScratch::default(), user)
    })?
    .map_err(|error| FatalError::new_err(format!("mjd_transitionFD: {error}")))?;
    wanted.iter().zip([&a, &b, &c, &d_]).try_for_each(|(wanted, values)| wanted.write(values))
}

/// Computes derivatives of inverse dynamics by forward differences with step `eps`: of the forces
/// and of sensors by position, velocity and acceleration, and of the mass matrix by position. Row
/// `i` of each belongs to input `i`. Any of the matrices may be None. `flg_actuation` subtracts the
/// forces of actuators.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq, DfDv, DfDa, DsDq, DsDv, DsDa, DmDq))]
fn mjd_inverseFD(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    eps: f64,
    flg_actuation: u8,
    DfDq: Option<Output<'_, '_>>,
    DfDv: Option<Output<'_, '_>>,
    DfDa: Option<Output<'_, '_>>,
    DsDq: Option<Output<'_, '_>>,
    DsDv: Option<Output<'_, '_>>,
    DsDa: Option<Output<'_, '_>>,
    DmDq: Option<Output<'_, '_>>,
) -> PyResult<()> {
    let (nv, ns, nM) =
        with_model(m.py(), m.get(), |model| (model.nv, model.nsensordata, model.nM))?;
    let force = |name, target| Wanted { name, target, shape: [nv, nv], sizes: "(nv, nv)" };
    let sensor =
        |name, target| Wanted { name, target, shape: [nv, ns], sizes: "(nv, nsensordata)" };
    let wanted = [
        force("DfDq", DfDq),
        force("DfDv", DfDv),
        force("DfDa", DfDa),
        sensor("DsDq", DsDq),
        sensor("DsDv", DsDv),
        sensor("DsDa", DsDa),
        Wanted { name: "DmDq", target: DmDq, shape: [nv, nM], sizes: "(nv, nM)" },
    ];
    let mut rooms = Vec::with_capacity(wanted.len());
    for wanted in &wanted {
        rooms.push(wanted.room()?);
    }
    let actuation = if flg_actuation != 0 { Actuation::Subtracted } else { Actuation::Left };
    with_callbacks(m, d, None, |model, data, user| {
        let mut rooms = rooms.iter_mut().map(|room| room.as_deref_mut());
        let mut next = || rooms.next().flatten();
        let out = InverseMatrices {
            df_dq: next(),
            df_dv: next(),
            df_da: next(),
            ds_dq: next(),
            ds_dv: next(),
            ds_da: next(),
            dm_dq: next(),
        };
        inverse_fd_with(model, data, eps, actuation, out, &mut FdScratch::default(), user)
    })?
    .map_err(|error| FatalError::new_err(format!("mjd_inverseFD: {error}")))?;
    wanted.iter().zip(&rooms).try_for_each(|(wanted, values)| wanted.write(values))
}

/// Computes the derivatives of `mju_subQuat(qa, qb)` by rotations of either quaternion in its own
/// frame, 9 numbers each by rows; either may be None.
#[pyfunction]
#[pyo3(signature = (qa, qb, Da, Db))]
fn mjd_subQuat(
    qa: &Bound<'_, PyAny>,
    qb: &Bound<'_, PyAny>,
    Da: Option<Output<'_, '_>>,
    Db: Option<Output<'_, '_>>,
) -> PyResult<()> {
    let quat = |name, value: &Bound<'_, PyAny>| -> PyResult<Quat> {
        let q = vector(name, value, 4, "4")
            .map_err(|_| PyTypeError::new_err(format!("{name} must have size 4")))?;
        Ok(Quat::new(q[0], q[1], q[2], q[3]))
    };
    let (by_a, by_b) = sub_quat(quat("qa", qa)?, quat("qb", qb)?);
    write_numbers("Da", Da, &by_a.0)?;
    write_numbers("Db", Db, &by_b.0)
}

/// Computes the derivatives of `mju_quatIntegrate` by the quaternion and by `scale * vel` (9 numbers
/// each, by rows), and by `scale`, all as rotations in the frame of the result; any may be None.
#[pyfunction]
#[pyo3(signature = (vel, scale, Dquat, Dvel, Dscale))]
fn mjd_quatIntegrate(
    vel: &Bound<'_, PyAny>,
    scale: f64,
    Dquat: Option<Output<'_, '_>>,
    Dvel: Option<Output<'_, '_>>,
    Dscale: Option<Output<'_, '_>>,
) -> PyResult<()> {
    let vel: Vec3 = vec3("vel", vel)?;
    let got = quat_integrate(vel, scale);
    write_numbers("Dquat", Dquat, &got.by_quat.0)?;
    write_numbers("Dvel", Dvel, &got.by_vel.0)?;
    write_numbers("Dscale", Dscale, &got.by_scale.to_array())
}

/// Copies numbers to an array of as many, of any shape.
fn write_numbers(name: &str, target: Option<Output<'_, '_>>, values: &[f64]) -> PyResult<()> {
    let Some(target) = target else { return Ok(()) };
    if target.len() != values.len() {
        return Err(PyTypeError::new_err(format!("{name} must have size {}", values.len())));
    }
    write(target, values)
}

/// The exact derivative of a step, with scratch space that is used again.
#[pyclass(module = "cortenforge", name = "_Transition")]
struct PyTransition {
    inner: Mutex<Transition>,
    gradient: Mutex<Gradient>,
    /// An array without numbers, which may be handed out any number of times.
    empty: PyOnceLock<Py<PyArray1<f64>>>,
}

/// Number of approximate contacts, how near rows, contacts and features are to another branch, and whether
/// the derivatives are differences.
type Trust = (usize, f64, f64, f64, bool);

/// A vector as it is handed to Python.
type Vector<'py> = Bound<'py, PyArray1<f64>>;

/// Locks scratch space; while another thread has it, that may have the interpreter lock.
fn lock<'a, T>(py: Python<'_>, scratch: &'a Mutex<T>) -> MutexGuard<'a, T> {
    scratch.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
}

impl PyTransition {
    /// Runs `call` on a model and data with the scratch space; with `first`, everything that follows
    /// from the state is computed before.
    fn run(
        &self,
        m: &Bound<'_, MjModel>,
        d: &Bound<'_, MjData>,
        first: bool,
        name: &str,
        call: impl FnOnce(&Model, &mut Data, &mut Transition) -> Result<Smoothness, DerivativeError>
        + Send,
    ) -> PyResult<Trust> {
        if _has_callbacks() {
            let message = format!("{name}: callbacks have no exact derivative");
            return Err(FatalError::new_err(message));
        }
        let mut inner = lock(m.py(), &self.inner);
        let inner = &mut *inner;
        with_data(m.py(), m.get(), d.get(), |model, data| {
            if first {
                forward(model, data);
            }
            call(model, data, inner)
        })?
        .map(|smooth| {
            let Smoothness {
                approximate_contacts,
                nearest_border,
                nearest_contact,
                nearest_feature,
            } = smooth;
            (approximate_contacts, nearest_border, nearest_contact, nearest_feature, false)
        })
        .map_err(|error| FatalError::new_err(format!("{name}: {error}")))
    }
}

#[pymethods]
impl PyTransition {
    #[new]
    fn new() -> PyTransition {
        PyTransition {
            inner: Mutex::default(),
            gradient: Mutex::default(),
            empty: PyOnceLock::new(),
        }
    }

    /// Chooses what else a step is differentiated by: fields, and the object if not all. Returns
    /// field, object and number of each parameter.
    fn choose(
        &self,
        m: &Bound<'_, MjModel>,
        fields: Vec<(String, Option<usize>)>,
    ) -> PyResult<Vec<(&'static str, usize, usize)>> {
        with_model(m.py(), m.get(), |model| {
            let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            inner.parameters.clear();
            for (name, id) in fields {
                let field = Field::from_name(&name).ok_or_else(|| {
                    let known: Vec<_> = Field::ALL.iter().map(|field| field.name()).collect();
                    let known = known.join(", ");
                    PyValueError::new_err(format!("no parameter '{name}'; there are {known}"))
                })?;
                let [count, _] = field.shape(model);
                if let Some(id) = id.filter(|&id| id >= count) {
                    return Err(PyIndexError::new_err(format!("{name} has {count} rows, no {id}")));
                }
                inner.parameters.extend(field.parameters(model, id));
            }
            let listed = inner.parameters.iter();
            Ok(listed.map(|&Parameter { field, id, index }| (field.name(), id, index)).collect())
        })?
    }

    /// Chooses whether sensors are differentiated.
    fn want_sensors(&self, py: Python<'_>, wanted: bool) {
        lock(py, &self.inner).sensors = wanted;
    }

    /// Copies the derivatives of sensors.
    fn sensors(&self, C: Output<'_, '_>, D: Output<'_, '_>) -> PyResult<()> {
        let inner = lock(C.py(), &self.inner);
        if C.len() != inner.c.len() || D.len() != inner.d.len() {
            return Err(PyTypeError::new_err("C or D is of another size"));
        }
        write(C, &inner.c)?;
        write(D, &inner.d)
    }

    /// Fills `A`, `B` and `P`, and returns how far they can be trusted.
    fn transition(
        &self,
        m: &Bound<'_, MjModel>,
        d: &Bound<'_, MjData>,
        A: Output<'_, '_>,
        B: Output<'_, '_>,
        P: Output<'_, '_>,
        first: bool,
    ) -> PyResult<Trust> {
        let [n, nu] = {
            let model = m.get().shared.read()?;
            [2 * model.nv + model.na, model.nu]
        };
        check_matrix("A", A, [n, n], "(2*nv+na, 2*nv+na)")?;
        check_matrix("B", B, [n, nu], "(2*nv+na, nu)")?;
        let np = lock(m.py(), &self.inner).parameters.len();
        check_matrix("P", P, [n, np], "(2*nv+na, number of parameters)")?;
        let trust = self.run(m, d, first, "transition", transition)?;
        let inner = lock(m.py(), &self.inner);
        write(A, &inner.a)?;
        write(B, &inner.b)?;
        if np > 0 {
            write(P, &inner.p)?;
        }
        Ok(trust)
    }

    /// Returns the derivatives of a scalar by the state and control before a step, from those by
    /// the state after it, and how far they can be trusted.
    #[allow(clippy::type_complexity)]
    fn vjp<'py>(
        &self,
        m: &Bound<'py, MjModel>,
        d: &Bound<'py, MjData>,
        qpos: &Bound<'py, PyAny>,
        qvel: &Bound<'py, PyAny>,
        act: &Bound<'py, PyAny>,
        first: bool,
    ) -> PyResult<(Vector<'py>, Vector<'py>, Vector<'py>, Vector<'py>, Vector<'py>, Trust)> {
        let py = m.py();
        let [nv, na] = {
            let model = m.get().shared.read()?;
            [model.nv, model.na]
        };
        let (qpos, qvel) = (vector("qpos", qpos, nv, "nv")?, vector("qvel", qvel, nv, "nv")?);
        let act = vector("act", act, na, "na")?;
        let mut gradient = lock(py, &self.gradient);
        let out = &mut *gradient;
        let trust = self.run(m, d, first, "vjp", |model, data, scratch| {
            let of = Cotangent { qpos: &qpos, qvel: &qvel, act: &act };
            vjp(model, data, of, scratch, out)
        })?;
        let empty = self.empty.get_or_init(py, || PyArray1::from_slice(py, &[]).unbind());
        let array = |values: &[f64]| match values {
            [] => empty.bind(py).clone(),
            _ => PyArray1::from_slice(py, values),
        };
        let Gradient { qpos, qvel, act, ctrl, parameters } = &*gradient;
        Ok((array(qpos), array(qvel), array(act), array(ctrl), array(parameters), trust))
    }

    /// Returns the change of the state after a step along a direction of state and control before
    /// it, and how far that can be trusted.
    fn jvp<'py>(
        &self,
        m: &Bound<'py, MjModel>,
        d: &Bound<'py, MjData>,
        qpos: &Bound<'py, PyAny>,
        qvel: &Bound<'py, PyAny>,
        act: &Bound<'py, PyAny>,
        ctrl: &Bound<'py, PyAny>,
        parameters: &Bound<'py, PyAny>,
        first: bool,
    ) -> PyResult<(Vector<'py>, Trust)> {
        let py = m.py();
        let (nv, na, nu) = with_model(py, m.get(), |model| (model.nv, model.na, model.nu))?;
        let (qpos, qvel) = (vector("qpos", qpos, nv, "nv")?, vector("qvel", qvel, nv, "nv")?);
        let (act, ctrl) = (vector("act", act, na, "na")?, vector("ctrl", ctrl, nu, "nu")?);
        let np = lock(m.py(), &self.inner).parameters.len();
        let parameters = vector("parameters", parameters, np, "number of parameters")?;
        let mut change = Vec::new();
        let out = &mut change;
        let trust = self.run(m, d, first, "jvp", |model, data, scratch| {
            let along = Tangent {
                qpos: &qpos,
                qvel: &qvel,
                act: &act,
                ctrl: &ctrl,
                parameters: &parameters,
            };
            jvp(model, data, along, scratch, out)
        })?;
        Ok((PyArray1::from_vec(py, change), trust))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add! { module: mjd_transitionFD mjd_inverseFD mjd_subQuat mjd_quatIntegrate }
    module.add_class::<PyTransition>()
}
