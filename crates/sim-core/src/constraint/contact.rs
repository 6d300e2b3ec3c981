use super::rows::{Block, Kind};
use crate::data::Contact;
use crate::math::Vec3;
use crate::model::{Cone, ConstraintType, Disable};
use crate::smooth::{Moves, com_offset, merged_chains};
use crate::{Data, Model};

/// Adds the rows of every contact that is close enough.
pub(super) fn add(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Contact) || model.nv == 0 {
        return;
    }
    let elliptic = model.opt.cone == Cone::Elliptic as i32;
    for id in 0..data.contact.len() {
        if data.contact[id].exclude != 0 {
            continue;
        }
        let contact = data.contact[id];
        let dim = contact.dim.clamp(1, 6) as usize;
        let (kind, count) = match dim {
            1 => (Kind::Plain, 1),
            _ if elliptic => (Kind::Plain, dim),
            _ => (Kind::Pyramid(contact.friction), 2 * (dim - 1)),
        };
        let row = data.nefc;
        if !push_axes(model, data, &contact, dim, kind, count) {
            data.contact[id].exclude = 3;
            continue;
        }
        data.contact[id].efc_address = row as i32;
        let (dist, margin) = (contact.dist, contact.includemargin);
        match kind {
            Kind::Pyramid(_) => {
                for _ in 0..count {
                    data.push_efc(ConstraintType::ContactPyramidal, id, dist, margin);
                }
            }
            _ if dim == 1 => data.push_efc(ConstraintType::ContactFrictionless, id, dist, margin),
            _ => {
                data.push_efc(ConstraintType::ContactElliptic, id, dist, margin);
                for _ in 1..count {
                    data.push_efc(ConstraintType::ContactElliptic, id, 0.0, 0.0);
                }
            }
        }
    }
}

/// Adds the Jacobian of the motion of the second geom relative to the first along the axes of the
/// contact: up to three translations, then rotations. False if nothing moves them.
///
/// Dofs that move both geoms alike have exact zeros, and are left out.
fn push_axes(
    model: &Model,
    data: &mut Data,
    contact: &Contact,
    dim: usize,
    kind: Kind,
    count: usize,
) -> bool {
    let [first, second] = contact.geom.map(|geom| model.geom_bodyid[geom as usize] as usize);
    let offsets = [first, second].map(|body| com_offset(model, data, contact.pos, body));
    let axes: [Vec3; 3] = std::array::from_fn(|k| contact.frame.row(k));
    let Data { ref cdof, ref mut rows, nefc, .. } = *data;

    let (dof, value) = (rows.dofs.len(), rows.values.len());
    let mut listed = 0;
    rows.dofs.extend(merged_chains(model, first, second).filter_map(|(dof, moves)| {
        listed += 1;
        (moves != Moves::Both).then_some(dof as u32)
    }));
    let width = rows.dofs.len() - dof;
    rows.dofs[dof..].reverse();
    rows.values.resize(value + dim * width, 0.0);
    let values = &mut rows.values[value..];

    let ours = merged_chains(model, first, second).filter(|&(_, moves)| moves != Moves::Both);
    for (i, (dof, moves)) in ours.enumerate() {
        let axis = cdof[dof];
        let (velocity, turn) = match moves {
            Moves::First => (-axis.at(offsets[0]), -axis.rot),
            _ => (axis.at(offsets[1]), axis.rot),
        };
        let column = width - 1 - i;
        values[column] = axes[0].dot(velocity);
        for k in 1..dim.min(3) {
            values[k * width + column] = axes[k].dot(velocity);
        }
        for k in 3..dim {
            values[k * width + column] = axes[k - 3].dot(turn);
        }
    }
    if listed == 0 {
        return false;
    }
    rows.blocks.push(Block { row: nefc, count, dof, width, value, rank: dim, kind, listed });
    true
}
