//! Transmissions: lengths of actuators and their moment arms.

use super::jacobian::{Moves, com_offset, dof_chain, merged_chains};
use super::tendon::TendonRow;
use crate::data::RowBuilder;
use crate::math::{Quat, Vec3};
use crate::model::{JointType, TrnType};
use crate::{Data, Model};

/// Computes `actuator_length` and `actuator_moment`, the gradient of the length in compressed
/// rows. Runs after `tendon`. Actuators of what sleeps keep their length and have no moment.
#[doc(alias = "mj_transmission")]
pub fn transmission(model: &Model, data: &mut Data) {
    if model.nu == 0 {
        return;
    }
    let some_sleep = data.some_sleep(model);
    let sparse = model.is_sparse();
    let first = if some_sleep { 0 } else { scalar_joints(model, data) };
    let mut row = std::mem::take(&mut data.work.row);
    let mut address = first;
    for actuator in first..model.nu {
        if some_sleep && data.actuator_sleeps(model, actuator) {
            data.moment_rowadr[actuator] = address as i32;
            data.moment_rownnz[actuator] = 0;
            continue;
        }
        let start = address;
        let kind = TrnType::from_i32(model.actuator_trntype[actuator]);
        let mut put = |data: &mut Data, dof: usize, value: f64| {
            data.actuator_moment[address] = value;
            data.moment_colind[address] = dof as i32;
            address += 1;
        };
        data.actuator_length[actuator] = match kind {
            Some(TrnType::Joint | TrnType::JointInParent) => {
                let jnt = model.actuator_trnid[actuator][0] as usize;
                let (adr, dof) = (model.jnt_qposadr[jnt] as usize, model.jnt_dofadr[jnt] as usize);
                if let JointType::Slide | JointType::Hinge = model.jnt_kind(jnt) {
                    let ratio = model.actuator_gear[actuator][0];
                    put(data, dof, ratio);
                    data.qpos[adr] * ratio
                } else {
                    let in_parent = kind == Some(TrnType::JointInParent);
                    let joint = JointMoment::new(model, data, actuator, in_parent);
                    for (i, &value) in joint.values[..joint.count].iter().enumerate() {
                        put(data, dof + i, value);
                    }
                    joint.length
                }
            }
            Some(TrnType::Tendon) => {
                let tendon = model.actuator_trnid[actuator][0] as usize;
                let ratio = gear(model, actuator).0.x;
                let moment = TendonRow::new(model, data, tendon);
                for i in 0..moment.len() {
                    let (dof, value) = moment.element(data, i);
                    // sparse tendons keep the elements that happen to be zero
                    if sparse || value * ratio != 0.0 {
                        put(data, dof, value * ratio);
                    }
                }
                data.ten_length[tendon] * ratio
            }
            _ => {
                let length = match kind {
                    Some(TrnType::SliderCrank) => slider_crank(model, data, &mut row, actuator),
                    Some(TrnType::Site) => site(model, data, &mut row, actuator),
                    Some(TrnType::Body) => body(model, data, &mut row, actuator),
                    _ => panic!("actuator {actuator} has no transmission"),
                };
                row.drain(|_, dof, value| {
                    if value != 0.0 {
                        put(data, dof, value);
                    }
                });
                length
            }
        };
        data.moment_rowadr[actuator] = start as i32;
        data.moment_rownnz[actuator] = (address - start) as i32;
    }
    data.work.row = row;
}

/// Does actuators at hinges and slides, up to the first that is something else, and returns how
/// many there are: the moment is the gear, whatever the position.
fn scalar_joints(model: &Model, data: &mut Data) -> usize {
    let nu = model.nu;
    let (kinds, ids) = (&model.actuator_trntype[..nu], &model.actuator_trnid[..nu]);
    let (gears, qpos) = (&model.actuator_gear[..nu], &data.qpos[..]);
    let (length, moment) = (&mut data.actuator_length[..nu], &mut data.actuator_moment[..]);
    let (starts, counts) = (&mut data.moment_rowadr[..nu], &mut data.moment_rownnz[..nu]);
    let columns = &mut data.moment_colind[..];
    for actuator in 0..nu {
        let Some(TrnType::Joint | TrnType::JointInParent) = TrnType::from_i32(kinds[actuator])
        else {
            return actuator;
        };
        let jnt = ids[actuator][0] as usize;
        let (JointType::Slide | JointType::Hinge) = model.jnt_kind(jnt) else { return actuator };
        let ratio = gears[actuator][0];
        length[actuator] = qpos[model.jnt_qposadr[jnt] as usize] * ratio;
        moment[actuator] = ratio;
        columns[actuator] = model.jnt_dofadr[jnt];
        starts[actuator] = actuator as i32;
        counts[actuator] = 1;
    }
    nu
}

/// The gear of an actuator: translation and rotation.
fn gear(model: &Model, actuator: usize) -> (Vec3, Vec3) {
    let [a, b, c, d, e, f] = model.actuator_gear[actuator];
    (Vec3::new(a, b, c), Vec3::new(d, e, f))
}

/// The length and the moment of an actuator at a quaternion joint, torques in the frame of the
/// child or of the parent.
struct JointMoment {
    length: f64,
    count: usize,
    /// One per dof; what follows is of no use.
    values: [f64; 6],
}

impl JointMoment {
    fn new(model: &Model, data: &Data, actuator: usize, in_parent: bool) -> JointMoment {
        let jnt = model.actuator_trnid[actuator][0] as usize;
        let adr = model.jnt_qposadr[jnt] as usize;
        let free = model.jnt_kind(jnt) == JointType::Free;
        let q = &data.qpos[if free { adr + 3 } else { adr }..];
        let quat = Quat::new(q[0], q[1], q[2], q[3]).normalized();
        let turned = |axis: Vec3| if in_parent { quat.conjugate().rotate(axis) } else { axis };
        let mut values = model.actuator_gear[actuator];
        let (first, second) = gear(model, actuator);
        let (count, length) = if free {
            values[3..].copy_from_slice(&turned(second).to_array());
            (6, 0.0)
        } else {
            let axis = turned(first);
            values[..3].copy_from_slice(&axis.to_array());
            (3, quat.to_velocity(1.0).dot(axis))
        };
        JointMoment { length, count, values }
    }
}

/// A slider driven by a crank through a rod of given length: with the axis `a` of the slider and
/// the vector `v` from it to the crank, `length = a·v − √((a·v)² + r² − v·v)`.
fn slider_crank(model: &Model, data: &Data, row: &mut RowBuilder, actuator: usize) -> f64 {
    let [crank, slider] = model.actuator_trnid[actuator].map(|id| id as usize);
    let rod = model.actuator_cranklength[actuator];
    let ratio = gear(model, actuator).0.x;
    let axis = data.site_xmat[slider].column(2);
    let vec = data.site_xpos[crank] - data.site_xpos[slider];

    let along = vec.dot(axis);
    let det = along * along + rod * rod - vec.dot(vec);
    // a rod that is too short drops out
    let (length, by_vec, by_axis) = if det <= 0.0 {
        (along, axis, vec)
    } else {
        let root = det.sqrt();
        (along - root, axis * (1.0 - along / root) + vec * (1.0 / root), vec * (1.0 - along / root))
    };

    let body_slider = model.site_bodyid[slider] as usize;
    let body_crank = model.site_bodyid[crank] as usize;
    let at_slider = com_offset(model, data, data.site_xpos[slider], body_slider);
    let at_crank = com_offset(model, data, data.site_xpos[crank], body_crank);
    for (dof, moves) in merged_chains(model, body_slider, body_crank) {
        let column = data.cdof[dof];
        let mut vec_rate = Vec3::ZERO;
        let mut axis_rate = Vec3::ZERO;
        if moves != Moves::First {
            vec_rate += column.at(at_crank);
        }
        if moves != Moves::Second {
            vec_rate -= column.at(at_slider);
            axis_rate = column.rot.cross(axis);
        }
        row.add(dof, (by_axis.dot(axis_rate) + by_vec.dot(vec_rate)) * ratio);
    }
    length * ratio
}

/// A wrench at a site, in its own frame or relative to a reference site.
fn site(model: &Model, data: &Data, row: &mut RowBuilder, actuator: usize) -> f64 {
    let [id, reference] = model.actuator_trnid[actuator];
    let id = id as usize;
    let (gear_lin, gear_rot) = gear(model, actuator);
    let body = model.site_bodyid[id] as usize;
    let offset = com_offset(model, data, data.site_xpos[id], body);

    let Ok(reference) = usize::try_from(reference) else {
        let (force, torque) = (data.site_xmat[id] * gear_lin, data.site_xmat[id] * gear_rot);
        for dof in dof_chain(model, body) {
            let axis = data.cdof[dof];
            row.add(dof, axis.at(offset).dot(force) + axis.rot.dot(torque));
        }
        return 0.0;
    };

    // position and rotation of the site in the frame of the reference
    let body_ref = model.site_bodyid[reference] as usize;
    let offset_ref = com_offset(model, data, data.site_xpos[reference], body_ref);
    let frame = data.site_xmat[reference];
    let mut length = 0.0;
    if gear_lin != Vec3::ZERO {
        let vec = data.site_xpos[id] - data.site_xpos[reference];
        length += frame.transpose_mul(vec).dot(gear_lin);
    }
    if gear_rot != Vec3::ZERO {
        let quat = model.site_quat[id] * data.xquat[body];
        let quat_ref = model.site_quat[reference] * data.xquat[body_ref];
        length += quat.difference(quat_ref).dot(gear_rot);
    }

    // dofs that move both sites do not count
    let (force, torque) = (frame * gear_lin, frame * gear_rot);
    for (dof, moves) in merged_chains(model, body, body_ref) {
        let axis = data.cdof[dof];
        let value = match moves {
            Moves::First => axis.at(offset).dot(force) + axis.rot.dot(torque),
            Moves::Second => -(axis.at(offset_ref).dot(force) + axis.rot.dot(torque)),
            Moves::Both => 0.0,
        };
        row.add(dof, value);
    }
    length
}

/// Adhesion: the moment is the mean over the contacts of a body of how fast the surfaces approach
/// each other along the normal. There is no length.
fn body(model: &Model, data: &Data, row: &mut RowBuilder, actuator: usize) -> f64 {
    let id = model.actuator_trnid[actuator][0] as usize;
    let mut count = 0;
    for contact in &data.contact {
        // contacts in the gap stick too; flexes do not
        let Some([first, second]) = contact.geom_bodies(model) else { continue };
        if ![first, second].contains(&id) || !matches!(contact.exclude, 0 | 1) {
            continue;
        }
        count += 1;
        let normal = contact.frame.row(0);
        let offset = com_offset(model, data, contact.pos, first);
        let offset_second = com_offset(model, data, contact.pos, second);
        for (dof, moves) in merged_chains(model, first, second) {
            let axis = data.cdof[dof];
            match moves {
                Moves::First => row.add(dof, -normal.dot(axis.at(offset))),
                Moves::Second => row.add(dof, normal.dot(axis.at(offset_second))),
                Moves::Both => {}
            }
        }
    }
    let scale = -1.0 / f64::from(count.max(1));
    row.dofs.iter().for_each(|&dof| row.values[dof] *= scale);
    0.0
}
