use wide::f64x4;

use super::rows::{Block, Kind};
use crate::collision::valid_dim;
use crate::data::Contact;
use crate::math::{Motion, Vec3};
use crate::model::{Cone, ConstraintType, Disable};
use crate::smooth::com_offset;
use crate::{Data, Model};

/// Adds the rows of every contact that is close enough.
pub(super) fn add(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Contact) || model.nv == 0 {
        return;
    }
    let elliptic = model.opt.cone == Cone::Elliptic as i32;
    let first = data.rows.blocks.len();
    for id in 0..data.contact.len() {
        if data.contact[id].exclude != 0 {
            continue;
        }
        let Contact { dim, friction, .. } = data.contact[id];
        let dim = valid_dim(dim) as usize;
        let (kind, count) = match dim {
            1 => (Kind::Plain, 1),
            _ if elliptic => (Kind::Plain, dim),
            _ => (Kind::Pyramid(friction), 2 * (dim - 1)),
        };
        if push_axes(model, data, id, dim, kind, count) {
            data.contact[id].efc_address = data.nefc as i32;
            data.nefc += count;
        } else {
            data.contact[id].exclude = 3;
        }
    }

    let kind =
        if elliptic { ConstraintType::ContactElliptic } else { ConstraintType::ContactPyramidal };
    data.efc_type.resize(data.nefc, kind as i32);
    data.efc_id.resize(data.nefc, 0);
    data.efc_pos.resize(data.nefc, 0.0);
    data.efc_margin.resize(data.nefc, 0.0);
    data.efc_frictionloss.resize(data.nefc, 0.0);
    let contacts = data.contact.iter().enumerate().filter(|(_, contact)| contact.exclude == 0);
    for (block, (id, contact)) in data.rows.blocks[first..].iter().zip(contacts) {
        let rows = block.row..block.row + block.count;
        data.efc_id[rows.clone()].fill(id as i32);
        if block.rank == 1 {
            data.efc_type[block.row] = ConstraintType::ContactFrictionless as i32;
        }
        // the friction directions of a cone are at rest
        let rows = if elliptic { block.row..block.row + 1 } else { rows };
        data.efc_pos[rows.clone()].fill(contact.dist);
        data.efc_margin[rows].fill(contact.includemargin);
    }
}

/// Adds the Jacobian of the motion of the second geom relative to the first along the axes of the
/// contact: up to three translations, then rotations. False if nothing moves them.
///
/// Dofs that move both geoms alike have exact zeros, and are left out.
fn push_axes(
    model: &Model,
    data: &mut Data,
    id: usize,
    dim: usize,
    kind: Kind,
    count: usize,
) -> bool {
    let Contact { geom, pos, frame, .. } = data.contact[id];
    let [first, second] = geom.map(|geom| model.geom_bodyid[geom as usize] as usize);
    let offsets = [first, second].map(|body| com_offset(model, data, pos, body));
    let Data { ref cdof, ref mut rows, ref work, nefc, .. } = *data;
    let chains = [first, second].map(|body| ancestors(model, &work.identity, body));
    let common = chains[0].iter().zip(chains[1]).take_while(|(a, b)| a == b).count();
    let listed = chains[0].len() + chains[1].len() - common;
    if listed == 0 {
        return false;
    }
    // below where they part, one chain comes before the other
    let mut parts =
        [(-1.0, offsets[0], &chains[0][common..]), (1.0, offsets[1], &chains[1][common..])];
    if parts[0].2.first() > parts[1].2.first() {
        parts.swap(0, 1);
    }

    let width = listed - common;
    let (dof, value) = (rows.dofs.len(), rows.values.len());
    let axes: [Vec3; 3] = std::array::from_fn(|k| frame.row(k));
    for (sign, offset, chain) in parts {
        if chain.is_empty() {
            continue;
        }
        rows.dofs.extend_from_slice(bytemuck::cast_slice(chain));
        // the velocity along an axis is axis · (lin + rot × offset)
        let [a, b, c] = axes.map(|axis| axis * sign);
        let moments = axes.map(|axis| offset.cross(axis) * sign);
        let along = Axes::new([a, b, c, Vec3::ZERO]);
        let about = Axes::new([moments[0], moments[1], moments[2], a]);
        let velocity = |dof: i32| {
            let Motion { rot, lin } = cdof[dof as usize];
            along.products(lin) + about.products(rot)
        };
        if dim <= 4 {
            rows.values.extend(chain.iter().map(|&dof| velocity(dof)));
        } else {
            let rolling = Axes::new([b, c, Vec3::ZERO, Vec3::ZERO]);
            for &dof in chain {
                let last = rolling.products(cdof[dof as usize].rot);
                rows.values.extend_from_slice(&[velocity(dof), last]);
            }
        }
    }
    rows.blocks.push(Block { row: nefc, count, dof, width, value, rank: dim, kind, listed });
    true
}

/// Four directions, side by side.
struct Axes([f64x4; 3]);

impl Axes {
    fn new([a, b, c, d]: [Vec3; 4]) -> Axes {
        Axes([
            f64x4::new([a.x, b.x, c.x, d.x]),
            f64x4::new([a.y, b.y, c.y, d.y]),
            f64x4::new([a.z, b.z, c.z, d.z]),
        ])
    }

    /// The scalar products of the directions with `v`.
    #[inline]
    fn products(&self, v: Vec3) -> f64x4 {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }
}

/// The dofs that move `body`, increasing. `identity` holds the numbers from 0 on.
fn ancestors<'a>(model: &'a Model, identity: &'a [i32], body: usize) -> &'a [i32] {
    let body = model.body_weldid[body] as usize;
    let dofs = model.body_dofs(body);
    if dofs.is_empty() {
        return &[];
    }
    if model.body_simple[body] != 0 {
        // alone in its tree; its rows of the mass matrix have only their diagonals
        return &identity[dofs];
    }
    let last = dofs.end - 1;
    let start = model.M_rowadr[last] as usize;
    &model.M_colind[start..start + model.M_rownnz[last] as usize]
}
