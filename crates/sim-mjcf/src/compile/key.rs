//! Keyframes: parts that are not given take the values of the reference state.

use sim_core::Model;
use sim_core::math::{Quat, Vec3};
use sim_core::model::JointType;

use super::pose::unit_quat;
use crate::error::Error;
use crate::spec::{Key, Spec};

/// Fills the tables of keyframes.
pub(super) fn fill(spec: &Spec, model: &mut Model) -> Result<(), Error> {
    let (nq, nv, nmocap) = (model.nq, model.nv, model.nmocap);
    let mocap: Vec<(Vec3, Quat)> = (0..model.nbody)
        .filter(|&body| model.body_mocap(body).is_some())
        .map(|body| (model.body_pos[body], model.body_quat[body]))
        .collect();
    let quats: Vec<usize> = (0..model.njnt)
        .filter_map(|jnt| match model.jnt_kind(jnt) {
            JointType::Free => Some(model.jnt_qposadr[jnt] as usize + 3),
            JointType::Ball => Some(model.jnt_qposadr[jnt] as usize),
            JointType::Slide | JointType::Hinge => None,
        })
        .collect();

    // the size section can ask for more keyframes than are given
    let default = Key::default();
    for id in 0..model.nkey {
        let key = spec.keys.get(id).unwrap_or(&default);
        check_size(key, "qpos", &key.qpos, nq)?;
        check_size(key, "qvel", &key.qvel, nv)?;
        check_size(key, "act", &key.act, model.na)?;
        check_size(key, "ctrl", &key.ctrl, model.nu)?;
        check_size(key, "mpos", &key.mpos, 3 * nmocap)?;
        check_size(key, "mquat", &key.mquat, 4 * nmocap)?;
        model.key_time[id] = key.time;

        let qpos = if key.qpos.is_empty() { &model.qpos0 } else { &key.qpos };
        model.key_qpos[id * nq..][..nq].copy_from_slice(qpos);
        for &adr in &quats {
            let quat = &mut model.key_qpos[id * nq + adr..][..4];
            let unit = unit_quat(Quat::new(quat[0], quat[1], quat[2], quat[3])).normalized();
            quat.copy_from_slice(&unit.to_array());
        }
        model.key_qvel[id * nv..][..key.qvel.len()].copy_from_slice(&key.qvel);

        for slot in 0..nmocap {
            let (pos, quat) = mocap[slot];
            let given = key.mpos.as_chunks::<3>().0.get(slot);
            model.key_mpos[id * nmocap + slot] = given.map_or(pos, |&pos| pos.into());
            let given = key.mquat.as_chunks::<4>().0.get(slot);
            let quat = given.map_or(quat, |&quat| quat.into());
            model.key_mquat[id * nmocap + slot] = unit_quat(quat);
        }
    }
    Ok(())
}

fn check_size(key: &Key, part: &str, given: &[f64], expected: usize) -> Result<(), Error> {
    if given.is_empty() || given.len() == expected {
        return Ok(());
    }
    let message = format!("{part} has {} numbers, but the model needs {expected}", given.len());
    Err(key.src.error(message).attribute(part))
}
