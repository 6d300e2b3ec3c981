//! Tendons: their paths, lengths and Jacobians, and the inertia they add.

use std::ops::Range;

use super::jacobian::{ColumnRate, Moves, com_offset, merged_chains};
use super::object_velocity;
use super::wrap::{Shape, wrap};
use crate::data::RowBuilder;
use crate::math::{MINVAL, Vec3, dot};
use crate::model::{ObjType, WrapType};
use crate::{Data, Model};

/// Computes paths (`wrap_xpos`, `wrap_obj`), lengths and Jacobians of tendons. Runs after
/// `com_pos`.
///
/// `ten_J` has full rows, or compressed rows where the model's Jacobians are sparse. Tendons that
/// sleep have no length and no Jacobian.
#[doc(alias = "mj_tendon")]
pub fn tendon(model: &Model, data: &mut Data) {
    if model.ntendon == 0 {
        return;
    }
    if !model.is_sparse() {
        data.ten_J.fill(0.0);
    }
    let mut row = std::mem::take(&mut data.work.row);
    let mut wraps = 0;
    let some_sleep = data.some_sleep(model);
    for tendon in 0..model.ntendon {
        data.ten_length[tendon] = 0.0;
        data.ten_J_rownnz[tendon] = 0;
        if some_sleep && data.tendon_sleeps(model, tendon) {
            continue;
        }
        data.ten_wrapadr[tendon] = wraps as i32;
        let first = model.tendon_adr[tendon] as usize;
        if model.wrap_type[first] == WrapType::Joint as i32 {
            fixed(model, data, &mut row, tendon);
        } else {
            wraps = spatial(model, data, &mut row, tendon, wraps);
        }
        data.ten_wrapnum[tendon] = wraps as i32 - data.ten_wrapadr[tendon];
        store_row(model, data, &mut row, tendon);
    }
    data.work.row = row;
}

/// Adds up a tendon that is a linear combination of joints.
fn fixed(model: &Model, data: &mut Data, row: &mut RowBuilder, tendon: usize) {
    let sparse = model.is_sparse();
    let mut length = 0.0;
    for wrap in model.tendon_wraps(tendon) {
        let jnt = model.wrap_objid[wrap] as usize;
        let (coef, dof) = (model.wrap_prm[wrap], model.jnt_dofadr[jnt] as usize);
        length += coef * data.qpos[model.jnt_qposadr[jnt] as usize];
        // a joint that is named twice counts with its last coefficient, unless rows are sparse
        if sparse {
            row.add(dof, coef);
        } else {
            data.ten_J[tendon * model.nv + dof] = coef;
        }
    }
    data.ten_length[tendon] = length;
}

/// Follows a tendon from site to site, around geoms and over pulleys. Path points are written from
/// `wraps` on; returns where they end.
fn spatial(
    model: &Model,
    data: &mut Data,
    row: &mut RowBuilder,
    tendon: usize,
    mut wraps: usize,
) -> usize {
    let mut put = |data: &mut Data, point: Vec3, object: i32| {
        // wrap_xpos and wrap_obj hold two points per entry
        let (entry, half) = (wraps / 2, wraps % 2);
        data.wrap_xpos[entry][3 * half..3 * half + 3].copy_from_slice(&point.to_array());
        data.wrap_obj[entry][half] = object;
        wraps += 1;
    };
    let kind = |wrap: usize| WrapType::from_i32(model.wrap_type[wrap]);
    let path = model.tendon_wraps(tendon);
    let (mut at, end) = (path.start, path.end);
    let mut divisor = 1.0;

    while at + 1 < end {
        // a pulley divides what follows and ends the segment before it
        if kind(at) == Some(WrapType::Pulley) || kind(at + 1) == Some(WrapType::Pulley) {
            if kind(at) == Some(WrapType::Pulley) {
                divisor = model.wrap_prm[at];
                put(data, Vec3::ZERO, -2);
            }
            at += 1;
            continue;
        }

        // from a site to the next, possibly around a geom
        let shape = match kind(at + 1) {
            Some(WrapType::Sphere) => Some(Shape::Sphere),
            Some(WrapType::Cylinder) => Some(Shape::Cylinder),
            _ => None,
        };
        let next = if shape.is_some() { at + 2 } else { at + 1 };
        let (site0, site1) = (model.wrap_objid[at] as usize, model.wrap_objid[next] as usize);
        let (from, to) = (data.site_xpos[site0], data.site_xpos[site1]);
        let (body0, body1) = (model.site_bodyid[site0] as usize, model.site_bodyid[site1] as usize);
        let around = shape.and_then(|shape| {
            let geom = model.wrap_objid[at + 1] as usize;
            let side = model.wrap_prm[at + 1].round();
            wrap(
                from,
                to,
                data.geom_xpos[geom],
                &data.geom_xmat[geom],
                model.geom_size[geom].x,
                shape,
                (side >= 0.0).then(|| data.site_xpos[side as usize]),
            )
            .map(|wrap| (geom, wrap))
        });

        put(data, from, -1);
        match around {
            None => {
                let length = straight(model, data, row, (from, body0), (to, body1), divisor);
                data.ten_length[tendon] += divided(length, divisor);
            }
            Some((geom, wrap)) => {
                let (touch, leave) = (wrap.first, wrap.last);
                let body = model.geom_bodyid[geom] as usize;
                let before = straight(model, data, row, (from, body0), (touch, body), divisor);
                let after = straight(model, data, row, (leave, body), (to, body1), divisor);
                data.ten_length[tendon] += divided(before + wrap.length + after, divisor);
                put(data, touch, geom as i32);
                put(data, leave, geom as i32);
            }
        }
        at = next;
        if at + 1 == end || kind(at + 1) == Some(WrapType::Pulley) {
            put(data, to, -1);
        }
    }
    wraps
}

/// Adds the gradient of the length of a straight piece between two points to the row, and returns
/// the length.
#[inline(always)]
fn straight(
    model: &Model,
    data: &Data,
    row: &mut RowBuilder,
    (from, body0): (Vec3, usize),
    (to, body1): (Vec3, usize),
    divisor: f64,
) -> f64 {
    if body0 == body1 {
        return (to - from).norm();
    }
    let (direction, length) = (to - from).normalized();
    let offset0 = com_offset(model, data, from, body0);
    let offset1 = com_offset(model, data, to, body1);
    for (dof, moves) in merged_chains(model, body0, body1) {
        let axis = data.cdof[dof];
        let value = match moves {
            Moves::First => -axis.at(offset0).dot(direction),
            Moves::Second => axis.at(offset1).dot(direction),
            // both ends move as one, which leaves the length as it is
            Moves::Both => 0.0,
        };
        row.add(dof, divided(value, divisor));
    }
    length
}

/// Divides by the divisor of a pulley, which mostly there is none of.
#[inline]
fn divided(x: f64, divisor: f64) -> f64 {
    if divisor == 1.0 { x } else { x / divisor }
}

/// Moves the row from scratch to `ten_J`.
fn store_row(model: &Model, data: &mut Data, row: &mut RowBuilder, tendon: usize) {
    if model.is_sparse() {
        let start = match tendon.checked_sub(1) {
            Some(before) => (data.ten_J_rowadr[before] + data.ten_J_rownnz[before]) as usize,
            None => 0,
        };
        data.ten_J_rowadr[tendon] = start as i32;
        data.ten_J_rownnz[tendon] = row.dofs.len() as i32;
        let (values, columns) = (&mut data.ten_J[start..], &mut data.ten_J_colind[start..]);
        row.drain(|i, dof, value| {
            values[i] = value;
            columns[i] = dof as i32;
        });
    } else {
        let values = &mut data.ten_J[tendon * model.nv..(tendon + 1) * model.nv];
        row.drain(|_, dof, value| values[dof] = value);
    }
}

/// Where the Jacobian row of a tendon is stored.
#[derive(Debug, Clone)]
pub(crate) struct TendonRow {
    addresses: Range<usize>,
    sparse: bool,
}

impl TendonRow {
    pub(crate) fn new(model: &Model, data: &Data, tendon: usize) -> TendonRow {
        let sparse = model.is_sparse();
        let addresses = if sparse {
            let start = data.ten_J_rowadr[tendon] as usize;
            start..start + data.ten_J_rownnz[tendon] as usize
        } else {
            tendon * model.nv..(tendon + 1) * model.nv
        };
        TendonRow { addresses, sparse }
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.addresses.len()
    }

    /// The dof and value of element `i`.
    #[inline]
    pub(crate) fn element(&self, data: &Data, i: usize) -> (usize, f64) {
        let adr = self.addresses.start + i;
        (if self.sparse { data.ten_J_colind[adr] as usize } else { i }, data.ten_J[adr])
    }
}

/// Computes `ten_velocity = ten_J qvel`. Runs after `tendon`.
pub(crate) fn tendon_velocity(model: &Model, data: &mut Data) {
    let sparse = model.is_sparse();
    for tendon in 0..model.ntendon {
        data.ten_velocity[tendon] = if sparse {
            model.tendon_row(data, tendon).map(|(dof, value)| value * data.qvel[dof]).sum()
        } else {
            dot(&data.ten_J[tendon * model.nv..(tendon + 1) * model.nv], &data.qvel)
        };
    }
}

/// Adds the armature of tendons to the mass matrix, as far as its pattern reaches.
#[doc(alias = "mj_tendonArmature")]
pub(crate) fn tendon_armature(model: &Model, data: &mut Data) {
    let mut row = std::mem::take(&mut data.work.dof);
    let some_sleep = data.some_sleep(model);
    for tendon in 0..model.ntendon {
        let armature = model.tendon_armature[tendon];
        if armature == 0.0 || (some_sleep && data.tendon_sleeps(model, tendon)) {
            continue;
        }
        row.fill(0.0);
        for (dof, value) in model.tendon_row(data, tendon) {
            row[dof] = value;
        }
        for dof in 0..model.nv {
            if row[dof] != 0.0 {
                let start = model.M_rowadr[dof] as usize;
                for adr in start..start + model.M_rownnz[dof] as usize {
                    data.M[adr] += armature * row[dof] * row[model.M_colind[adr] as usize];
                }
            }
        }
    }
    data.work.dof = row;
}

/// Adds to `qfrc_bias` what the armature of moving tendons costs: `Jᵀ armature J̇ qvel`.
#[doc(alias = "mj_tendonBias")]
pub(crate) fn tendon_bias(model: &Model, data: &mut Data) {
    if model.tendon_armature.iter().all(|&armature| armature == 0.0) {
        return;
    }
    let mut bias = std::mem::take(&mut data.work.dof);
    bias.copy_from_slice(&data.qfrc_bias);
    tendon_bias_into(model, data, &mut bias);
    data.qfrc_bias.copy_from_slice(&bias);
    data.work.dof = bias;
}

/// Adds the bias of tendon armature to `bias`; see [`tendon_bias`].
pub(crate) fn tendon_bias_into(model: &Model, data: &Data, bias: &mut [f64]) {
    let some_sleep = data.some_sleep(model);
    for tendon in 0..model.ntendon {
        let armature = model.tendon_armature[tendon];
        if armature == 0.0 || (some_sleep && data.tendon_sleeps(model, tendon)) {
            continue;
        }
        let coef = armature * length_curvature(model, data, tendon);
        if coef != 0.0 {
            for (dof, value) in model.tendon_row(data, tendon) {
                bias[dof] += coef * value;
            }
        }
    }
}

/// Computes `J̇ qvel` of a tendon without wrapping geoms: its acceleration at constant velocity.
fn length_curvature(model: &Model, data: &Data, tendon: usize) -> f64 {
    let path = model.tendon_wraps(tendon);
    let kind = |wrap: usize| WrapType::from_i32(model.wrap_type[wrap]);
    if kind(path.start) == Some(WrapType::Joint) {
        return 0.0;
    }
    let mut total = 0.0;
    let mut divisor = 1.0;
    for at in path.start..path.end - 1 {
        if kind(at) == Some(WrapType::Pulley) {
            divisor = model.wrap_prm[at];
            continue;
        }
        if kind(at + 1) == Some(WrapType::Pulley) {
            continue;
        }
        let (site0, site1) = (model.wrap_objid[at] as usize, model.wrap_objid[at + 1] as usize);
        let (body0, body1) = (model.site_bodyid[site0] as usize, model.site_bodyid[site1] as usize);
        if body0 == body1 {
            continue;
        }
        let (from, to) = (data.site_xpos[site0], data.site_xpos[site1]);
        let (direction, distance) = (to - from).normalized();

        // how the direction turns
        let velocity = object_velocity(model, data, ObjType::Site, site1).lin
            - object_velocity(model, data, ObjType::Site, site0).lin;
        let turning = velocity - direction * direction.dot(velocity);
        let turning = turning * if distance > MINVAL { 1.0 / distance } else { 0.0 };

        let rates =
            (ColumnRate::new(model, data, from, body0), ColumnRate::new(model, data, to, body1));
        let offsets = (com_offset(model, data, from, body0), com_offset(model, data, to, body1));
        for (dof, moves) in merged_chains(model, body0, body1) {
            let mut column = Vec3::ZERO;
            let mut rate = Vec3::ZERO;
            if moves != Moves::First {
                column += data.cdof[dof].at(offsets.1);
                rate += rates.1.of(model, data, dof).lin;
            }
            if moves != Moves::Second {
                column -= data.cdof[dof].at(offsets.0);
                rate -= rates.0.of(model, data, dof).lin;
            }
            total += (rate.dot(direction) + column.dot(turning)) / divisor * data.qvel[dof];
        }
    }
    total
}
