//! Functions about points and objects in space: Jacobians, forces, velocities.

use pyo3::prelude::*;
use sim_core::math::{Force, Motion, Vec3};
use sim_core::model::ObjType;
use sim_core::{Data, Model};

use crate::arguments::{Output, check_len, check_matrix, object, vec3, vector, write};
use crate::data::MjData;
use crate::guard::{FatalError, with_data_read, with_model};
use crate::model::MjModel;

/// Fills two matrices of 3 x nv, those that are asked for.
fn fill(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    outputs: [(&str, Option<Output<'_, '_>>); 2],
    kernel: impl FnOnce(&Model, &Data, &mut [f64], &mut [f64]) + Send,
) -> PyResult<()> {
    let nv = with_model(m.py(), m.get(), |model| model.nv)?;
    for (name, output) in outputs {
        output.map_or(Ok(()), |output| check_matrix(name, output, [3, nv], "(3, nv)"))?;
    }
    let (mut first, mut second) = (vec![0.0; 3 * nv], vec![0.0; 3 * nv]);
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        kernel(model, data, &mut first, &mut second);
    })?;
    for ((_, output), values) in outputs.into_iter().zip([first, second]) {
        output.map_or(Ok(()), |output| write(output, &values))?;
    }
    Ok(())
}

/// Declares Jacobians of points that are fixed to a body.
macro_rules! point_jacobians {
    ($( $(#[doc = $doc:literal])+ $name:ident by $kernel:path; )*) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name(
                m: &Bound<'_, MjModel>,
                d: &Bound<'_, MjData>,
                jacp: Option<Output<'_, '_>>,
                jacr: Option<Output<'_, '_>>,
                point: &Bound<'_, PyAny>,
                body: i32,
            ) -> PyResult<()> {
                let nbody = with_model(m.py(), m.get(), |model| model.nbody)?;
                let (point, body) = (vec3("point", point)?, object("body", body, nbody)?);
                fill(m, d, [("jacp", jacp), ("jacr", jacr)], |model, data, jacp, jacr| {
                    $kernel(model, data, jacp, jacr, point, body);
                })
            }
        )*
    };
}

point_jacobians! {
    /// Computes the Jacobians `jacp` and `jacr` (3 x nv, either may be None) of a point fixed to a
    /// body.
    mj_jac by sim_core::jac;
    /// Computes the rates of change of the Jacobians of a point fixed to a body.
    mj_jacDot by sim_core::jac_dot;
}

/// Declares Jacobians of the frames of objects: which count, which function.
macro_rules! object_jacobians {
    ($( $(#[doc = $doc:literal])+ $name:ident($id:ident < $count:ident) by $kernel:path; )*) => {
        $(
            $(#[doc = $doc])+
            #[pyfunction]
            fn $name(
                m: &Bound<'_, MjModel>,
                d: &Bound<'_, MjData>,
                jacp: Option<Output<'_, '_>>,
                jacr: Option<Output<'_, '_>>,
                $id: i32,
            ) -> PyResult<()> {
                let count = with_model(m.py(), m.get(), |model| model.$count)?;
                let id = object(stringify!($id), $id, count)?;
                fill(m, d, [("jacp", jacp), ("jacr", jacr)], |model, data, jacp, jacr| {
                    $kernel(model, data, jacp, jacr, id);
                })
            }
        )*
    };
}

object_jacobians! {
    /// Computes the Jacobians of a body's frame.
    mj_jacBody(body < nbody) by sim_core::jac_body;
    /// Computes the Jacobians of a body's centre of mass.
    mj_jacBodyCom(body < nbody) by sim_core::jac_body_com;
    /// Computes the Jacobians of a geom.
    mj_jacGeom(geom < ngeom) by sim_core::jac_geom;
    /// Computes the Jacobians of a site.
    mj_jacSite(site < nsite) by sim_core::jac_site;
}

/// Computes the Jacobian of the centre of mass of the subtree of a body.
#[pyfunction]
fn mj_jacSubtreeCom(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacp: Option<Output<'_, '_>>,
    body: i32,
) -> PyResult<()> {
    let body = object("body", body, with_model(m.py(), m.get(), |model| model.nbody)?)?;
    fill(m, d, [("jacp", jacp), ("", None)], |model, data, jacp, _| {
        sim_core::jac_subtree_com(model, data, jacp, body);
    })
}

/// Computes the Jacobians (3 x nv, either may be None) of a point fixed to a body and of a
/// direction fixed to it.
#[pyfunction]
fn mj_jacPointAxis(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    jacPoint: Option<Output<'_, '_>>,
    jacAxis: Option<Output<'_, '_>>,
    point: &Bound<'_, PyAny>,
    axis: &Bound<'_, PyAny>,
    body: i32,
) -> PyResult<()> {
    let body = object("body", body, with_model(m.py(), m.get(), |model| model.nbody)?)?;
    let (at, along): (Vec3, Vec3) = (vec3("point", point)?, vec3("axis", axis)?);
    fill(m, d, [("jacPoint", jacPoint), ("jacAxis", jacAxis)], |model, data, point, axis| {
        sim_core::jac_point_axis(model, data, point, axis, at, along, body);
    })
}

/// Adds to `qfrc_target` the joint-space effect of a force and a torque on `body` at `point`.
#[pyfunction]
fn mj_applyFT(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    force: &Bound<'_, PyAny>,
    torque: &Bound<'_, PyAny>,
    point: &Bound<'_, PyAny>,
    body: i32,
    qfrc_target: Output<'_, '_>,
) -> PyResult<()> {
    let (nv, nbody) = with_model(m.py(), m.get(), |model| (model.nv, model.nbody))?;
    check_len("qfrc_target", qfrc_target, nv, "nv")?;
    let (force, torque) = (vec3("force", force)?, vec3("torque", torque)?);
    let (point, body) = (vec3("point", point)?, object("body", body, nbody)?);
    let mut qfrc = vector("qfrc_target", qfrc_target.as_any(), nv, "nv")?;
    with_data_read(m.py(), m.get(), d.get(), |model, data| {
        sim_core::apply_ft(model, data, force, torque, point, body, &mut qfrc);
    })?;
    write(qfrc_target, &qfrc)
}

/// Writes a spatial vector of an object to `res`, in the object's own orientation if asked for.
fn spatial(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    (objtype, objid): (i32, i32),
    res: Output<'_, '_>,
    flg_local: i32,
    kernel: fn(&Model, &Data, ObjType, usize) -> Motion,
) -> PyResult<()> {
    check_len("res", res, 6, "6")?;
    let kind = ObjType::from_i32(objtype);
    let of_kind = |model: &Model| kind.map_or(0, |kind| model.count(kind));
    let id = object("object", objid, with_model(m.py(), m.get(), of_kind)?)?;
    let motion = with_data_read(m.py(), m.get(), d.get(), |model, data| {
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
    res: Output<'_, '_>,
    flg_local: i32,
) -> PyResult<()> {
    spatial(m, d, (objtype, objid), res, flg_local, sim_core::object_velocity)
}

/// Computes the acceleration (rotation, translation) of an object, in the orientation of the world
/// or its own. Runs after `mj_rnePostConstraint`.
#[pyfunction]
fn mj_objectAcceleration(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    objtype: i32,
    objid: i32,
    res: Output<'_, '_>,
    flg_local: i32,
) -> PyResult<()> {
    spatial(m, d, (objtype, objid), res, flg_local, sim_core::object_acceleration)
}

/// Writes the force and torque of contact `id` to `result`, in the frame of the contact; zero if
/// there is no such contact or it has no constraint rows.
#[pyfunction]
fn mj_contactForce(
    m: &Bound<'_, MjModel>,
    d: &Bound<'_, MjData>,
    id: i32,
    result: Output<'_, '_>,
) -> PyResult<()> {
    check_len("result", result, 6, "6")?;
    let id = usize::try_from(id).unwrap_or(usize::MAX);
    let Force { rot, lin } = with_data_read(m.py(), m.get(), d.get(), |model, data| {
        sim_core::contact_force(model, data, id)
    })?;
    write(result, &[lin.x, lin.y, lin.z, rot.x, rot.y, rot.z])
}

/// Adds the functions to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    crate::functions::add! {
        module: mj_jac mj_jacDot mj_jacBody mj_jacBodyCom mj_jacGeom mj_jacSite mj_jacSubtreeCom
        mj_jacPointAxis mj_applyFT mj_objectVelocity mj_objectAcceleration mj_contactForce
    }
    Ok(())
}
