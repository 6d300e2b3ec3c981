use super::flex::{edge_rows, strain_rows};
use super::rows::{Block, Kind, lanes};
use crate::math::{Quat, Vec3};
use crate::model::{ConstraintType, Disable, EqType, ObjType};
use crate::smooth::{Moves, com_offset, merged_chains};
use crate::{Data, Model};

/// Adds the rows of every active equality.
pub(super) fn add(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Equality) || model.neq == 0 {
        return;
    }
    let some_sleep = data.some_sleep(model);
    for eq in 0..model.neq {
        if data.eq_active[eq] == 0 || (some_sleep && data.equality_sleeps(model, eq)) {
            continue;
        }
        match EqType::from_i32(model.eq_type[eq]) {
            Some(EqType::Connect) => connect(model, data, eq),
            Some(EqType::Weld) => weld(model, data, eq),
            Some(EqType::Joint) => joint(model, data, eq),
            Some(EqType::Tendon) => tendon(model, data, eq),
            Some(EqType::Flex) => edge_rows(model, data, eq),
            Some(EqType::FlexVert) => strain_rows(model, data, eq),
            Some(EqType::Distance) | None => {}
        }
    }
    data.ne = data.nefc;
}

/// What a connect or weld holds together.
struct Ends {
    bodies: [usize; 2],
    points: [Vec3; 2],
}

impl Model {
    /// The two bodies of a connect or weld.
    pub(crate) fn eq_bodies(&self, eq: usize) -> [usize; 2] {
        let ids = [self.eq_obj1id[eq] as usize, self.eq_obj2id[eq] as usize];
        if self.eq_objtype[eq] == ObjType::Site as i32 {
            ids.map(|site| self.site_bodyid[site] as usize)
        } else {
            ids
        }
    }
}

impl Ends {
    /// The ends of an equality between sites, or between the given points of bodies.
    fn new(model: &Model, data: &Data, eq: usize, local: [Vec3; 2]) -> Ends {
        let bodies = model.eq_bodies(eq);
        let ids = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
        let points = if model.eq_objtype[eq] == ObjType::Site as i32 {
            ids.map(|site| data.site_xpos[site])
        } else {
            [0, 1].map(|i| data.xmat[bodies[i]] * local[i] + data.xpos[bodies[i]])
        };
        Ends { bodies, points }
    }
}

fn connect(model: &Model, data: &mut Data, eq: usize) {
    let anchors = &model.eq_data[eq];
    let local = [vec3(&anchors[0..3]), vec3(&anchors[3..6])];
    let ends = Ends::new(model, data, eq, local);
    let error = ends.points[0] - ends.points[1];
    if push_relative(model, data, &ends, 3) {
        push_errors(data, eq, &error.to_array());
    }
}

fn weld(model: &Model, data: &mut Data, eq: usize) {
    let params = &model.eq_data[eq];
    // the anchors are stored the other way round
    let local = [vec3(&params[3..6]), vec3(&params[0..3])];
    let ends = Ends::new(model, data, eq, local);
    let error = ends.points[0] - ends.points[1];
    let scale = params[10];

    let own = [0, 1].map(|i| data.xquat[ends.bodies[i]]);
    let (first, second) = if model.eq_objtype[eq] == ObjType::Site as i32 {
        let site = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
        (own[0] * model.site_quat[site[0]], own[1] * model.site_quat[site[1]])
    } else {
        (own[0] * Quat::new(params[6], params[7], params[8], params[9]), own[1])
    };
    let turned = second.conjugate();
    let rotation = turned * first;
    let twist = Vec3::new(rotation.x, rotation.y, rotation.z) * scale;

    if !push_relative(model, data, &ends, 6) {
        return;
    }
    // from relative angular velocity to the rate of the error: ½ (turned ω first)
    let block = data.rows.blocks[data.rows.blocks.len() - 1];
    for column in data.rows.values[block.value..].as_chunks_mut::<8>().0 {
        let axis = Quat::new(0.0, column[3], column[4], column[5]);
        let rate = turned * axis * first;
        for (k, rate) in [rate.x, rate.y, rate.z].into_iter().enumerate() {
            column[3 + k] = 0.5 * rate * scale;
        }
    }
    push_errors(data, eq, &[error.x, error.y, error.z, twist.x, twist.y, twist.z]);
}

fn push_errors(data: &mut Data, eq: usize, errors: &[f64]) {
    for &error in errors {
        data.push_efc(ConstraintType::Equality, eq, error, 0.0);
    }
}

/// Adds the Jacobian of the motion of the first end relative to the second: velocity, and with six
/// rows also angular velocity. False if nothing moves them.
fn push_relative(model: &Model, data: &mut Data, ends: &Ends, rank: usize) -> bool {
    let [first, second] = ends.bodies;
    let offsets = [0, 1].map(|i| com_offset(model, data, ends.points[i], ends.bodies[i]));
    let Data { ref cdof, ref mut rows, nefc, .. } = *data;

    let (dof, value) = (rows.dofs.len(), rows.values.len());
    rows.dofs.extend(merged_chains(model, first, second).map(|(dof, _)| dof as u32));
    let width = rows.dofs.len() - dof;
    rows.dofs[dof..].reverse();
    rows.values.resize(value + width * lanes(rank), 0.0);
    let values = &mut rows.values[value..];
    for (i, (dof, moves)) in merged_chains(model, first, second).enumerate() {
        let axis = cdof[dof];
        let (velocity, turn) = match moves {
            Moves::First => (axis.at(offsets[0]), axis.rot),
            Moves::Second => (-axis.at(offsets[1]), -axis.rot),
            Moves::Both => (axis.at(offsets[0]) - axis.at(offsets[1]), Vec3::ZERO),
        };
        let column = &mut values[(width - 1 - i) * lanes(rank)..];
        for k in 0..3 {
            column[k] = velocity[k];
            if rank == 6 {
                column[3 + k] = turn[k];
            }
        }
    }
    let empty =
        if model.is_sparse() { width == 0 } else { values.iter().all(|&value| value == 0.0) };
    if empty {
        rows.dofs.truncate(dof);
        rows.values.truncate(value);
    } else {
        let kind = Kind::Plain;
        rows.blocks.push(Block {
            row: nefc,
            count: rank,
            dof,
            width,
            value,
            rank,
            kind,
            listed: width,
            times: 1,
        });
    }
    !empty
}

/// Two joints follow each other along a polynomial, or one keeps its value.
fn joint(model: &Model, data: &mut Data, eq: usize) {
    let value = |jnt: usize| {
        let adr = model.jnt_qposadr[jnt] as usize;
        data.qpos[adr] - model.qpos0[adr]
    };
    let first = model.eq_obj1id[eq] as usize;
    let dof = model.jnt_dofadr[first] as usize;
    let error;
    match usize::try_from(model.eq_obj2id[eq]) {
        Ok(second) => {
            let (target, slope) = polynomial(&model.eq_data[eq], value(second));
            error = value(first) - target;
            let other = model.jnt_dofadr[second] as usize;
            let mut entries = [(dof, 1.0), (other, -slope)];
            if dof == other {
                data.rows.push_row(data.nefc, [(dof, 1.0 - slope)].into_iter());
            } else {
                entries.sort_unstable_by_key(|entry| entry.0);
                data.rows.push_row(data.nefc, entries.into_iter());
            }
        }
        Err(_) => {
            error = value(first) - model.eq_data[eq][0];
            data.rows.push_unit(data.nefc, dof, 1.0);
        }
    }
    data.push_efc(ConstraintType::Equality, eq, error, 0.0);
}

/// As for joints, with the lengths of tendons.
fn tendon(model: &Model, data: &mut Data, eq: usize) {
    let value = |tendon: usize| data.ten_length[tendon] - model.tendon_length0[tendon];
    let first = model.eq_obj1id[eq] as usize;
    let second = usize::try_from(model.eq_obj2id[eq]).ok();
    let (error, slope) = match second {
        Some(second) => {
            let (target, slope) = polynomial(&model.eq_data[eq], value(second));
            (value(first) - target, slope)
        }
        None => (value(first) - model.eq_data[eq][0], 0.0),
    };
    // the reference notes the equality here, where a row is expected
    data.claim_tendon(first, eq);
    if let Some(second) = second {
        data.claim_tendon(second, eq);
    }

    let mut row = std::mem::take(&mut data.work.row);
    for (dof, entry) in model.tendon_row(data, first) {
        row.add(dof, entry);
    }
    for (dof, entry) in second.into_iter().flat_map(|second| model.tendon_row(data, second)) {
        row.add(dof, -slope * entry);
    }
    let Data { ref mut rows, nefc, .. } = *data;
    let (dof, at) = (rows.dofs.len(), rows.values.len());
    let sparse = model.is_sparse();
    row.drain(|_, dof, entry| {
        if sparse || entry != 0.0 {
            rows.dofs.push(dof as u32);
            rows.values.push(entry);
        }
    });
    let width = rows.dofs.len() - dof;
    data.work.row = row;
    if width > 0 {
        data.rows.blocks.push(Block {
            row: nefc,
            count: 1,
            dof,
            width,
            value: at,
            rank: 1,
            kind: Kind::Plain,
            listed: width,
            times: 1,
        });
        data.push_efc(ConstraintType::Equality, eq, error, 0.0);
    }
}

/// Value and slope of a quartic.
pub(crate) fn polynomial(coefs: &[f64; 11], x: f64) -> (f64, f64) {
    let [a, b, c, d, e, ..] = *coefs;
    let value = a + (b * x + c * x * x + d * x * x * x + e * x * x * x * x);
    let slope = b + 2.0 * c * x + 3.0 * d * x * x + 4.0 * e * x * x * x;
    (value, slope)
}

fn vec3(x: &[f64]) -> Vec3 {
    Vec3::new(x[0], x[1], x[2])
}
