//! Keyframes: parts that are not given take the values of the reference state.

use sim_core::Model;
use sim_core::math::{Quat, Vec3};
use sim_core::model::JointType;

use crate::error::{Error, Warning};
use crate::pose::unit_quat;
use crate::spec::{Element, Joint, Key, Spec};

/// Fills the tables of keyframes. Parts that are too long are errors, parts that are too short
/// are completed with a warning.
pub(super) fn fill(spec: &Spec, model: &mut Model) -> Result<Vec<Warning>, Error> {
    let (nq, nv, na, nu, nmocap) = (model.nq, model.nv, model.na, model.nu, model.nmocap);
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
    let raw = Raw::new(spec);
    let mut warnings = Vec::new();

    // the size section can ask for more keyframes than are given
    let default = Key::default();
    for id in 0..model.nkey {
        let key = spec.keys.at(id).unwrap_or(&default);
        for (part, given, expected) in [
            ("qpos", &key.qpos, nq),
            ("qvel", &key.qvel, nv),
            ("act", &key.act, na),
            ("ctrl", &key.ctrl, nu),
            ("mpos", &key.mpos, 3 * nmocap),
            ("mquat", &key.mquat, 4 * nmocap),
        ] {
            let message = || format!("{part} has {} of {expected} numbers", given.len());
            if given.len() > expected {
                let message = format!(
                    "{part} has {} numbers, but a keyframe of this model takes {expected}",
                    given.len()
                );
                return Err(key.error(message).attribute(part));
            }
            if !given.is_empty() && given.len() < expected {
                let warning = key.src.warning(message()).attribute(part);
                warnings.push(warning.help("the rest is filled up, mostly with zeros"));
            }
        }
        model.key_time[id] = key.time;

        let row = &mut model.key_qpos[id * nq..][..nq];
        row.copy_from_slice(if key.qpos.is_empty() { &model.qpos0 } else { &raw.qpos });
        for (value, (&given, &reference)) in row.iter_mut().zip(key.qpos.iter().zip(&model.qpos0)) {
            *value = if given.is_nan() { reference } else { given };
        }
        for &adr in &quats {
            let [w, x, y, z] = [row[adr], row[adr + 1], row[adr + 2], row[adr + 3]];
            let unit = unit_quat(Quat::new(w, x, y, z)).normalized();
            row[adr..adr + 4].copy_from_slice(&unit.to_array());
        }
        model.key_qvel[id * nv..][..key.qvel.len()].copy_from_slice(&key.qvel);
        model.key_act[id * na..][..key.act.len()].copy_from_slice(&key.act);
        model.key_ctrl[id * nu..][..key.ctrl.len()].copy_from_slice(&key.ctrl);

        for slot in 0..nmocap {
            let given: Option<Vec3> = key.mpos.as_chunks::<3>().0.get(slot).map(|&p| p.into());
            let given = given.map(|pos| if pos.x.is_nan() { mocap[slot].0 } else { pos });
            let rest = if key.mpos.is_empty() { mocap[slot].0 } else { raw.mocap[slot].0 };
            model.key_mpos[id * nmocap + slot] = given.unwrap_or(rest);

            let given: Option<Quat> = key.mquat.as_chunks::<4>().0.get(slot).map(|&q| q.into());
            let given = given.map(|quat| if quat.w.is_nan() { mocap[slot].1 } else { quat });
            let rest = if key.mquat.is_empty() { mocap[slot].1 } else { raw.mocap[slot].1 };
            model.key_mquat[id * nmocap + slot] = unit_quat(given.unwrap_or(rest));
        }
    }
    Ok(warnings)
}

/// What the reference completes keyframes with that are too short: of each joint its reference
/// value in the unit of the file, followed by zeros, and positions and quaternions of mocap bodies
/// as their attributes give them.
struct Raw {
    qpos: Vec<f64>,
    mocap: Vec<(Vec3, Quat)>,
}

impl Raw {
    fn new(spec: &Spec) -> Raw {
        let mut raw = Raw { qpos: Vec::new(), mocap: Vec::new() };
        for body in spec.tree() {
            let body = &spec[body];
            for joint in spec.in_body::<Joint>(body) {
                raw.qpos.push(joint.reference);
                raw.qpos.extend(std::iter::repeat_n(0.0, joint.kind.coordinates() - 1));
            }
            if body.mocap {
                raw.mocap.push((body.pos, body.orientation.quat));
            }
        }
        raw
    }
}
