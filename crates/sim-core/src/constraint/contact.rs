use wide::f64x4;

use super::flex::{Sides, push_sides};
use super::rows::{Block, Kind, Rows};
use crate::collision::valid_dim;
use crate::data::Contact;
use crate::math::{Mat3, Motion, Vec3};
use crate::model::{Cone, ConstraintType, Disable};
use crate::{Data, Model};

/// Adds the rows of every contact that is close enough.
pub(super) fn add(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Contact) || model.nv == 0 {
        return;
    }
    if model.nflex > 0 {
        exclude_passive(model, &mut data.contact);
    }
    let elliptic = model.opt.cone == Cone::Elliptic as i32;
    let Data { ref flexvert_xpos, ref mut work, .. } = *data;
    let Data { ref cdof, ref subtree_com, ref cache, .. } = *data;
    let Data { ref mut contact, ref mut rows, ref mut nefc, .. } = *data;
    let first = rows.blocks.len();
    // contacts of two bodies follow each other
    let mut paths = Paths::default();
    for contact in contact.iter_mut().filter(|contact| contact.exclude == 0) {
        let rank = valid_dim(contact.dim) as usize;
        // where its dofs and values are, how many dofs there are, and how many are listed
        let place = if let Some(bodies) = contact.geom_bodies(model) {
            if paths.bodies != bodies {
                paths = Paths::new(model, &cache.identity, bodies, rows);
            }
            let Paths { dof, width, listed, .. } = paths;
            let value = rows.values.len();
            for (sign, body, chain) in paths.parts {
                let center = subtree_com[model.body_rootid[body] as usize];
                push_axes(&mut rows.values, cdof, chain, contact, rank, contact.pos - center, sign);
            }
            (dof, value, width, listed)
        } else {
            let mut sides = Sides::of(model, flexvert_xpos, contact);
            let identity = &cache.identity;
            let (dof, value, width) =
                push_sides(model, identity, cdof, subtree_com, contact, &mut sides, rank, rows);
            if width > 0 {
                work.flex_inertia.push(sides.inertia);
            }
            (dof, value, width, width)
        };
        let (dof, value, width, listed) = place;
        if listed == 0 {
            contact.exclude = 3;
            continue;
        }
        let (kind, count) = match rank {
            1 => (Kind::Plain, 1),
            _ if elliptic => (Kind::Plain, rank),
            _ => (Kind::Pyramid(contact.friction), 2 * (rank - 1)),
        };
        let row = *nefc;
        rows.blocks.push(Block { row, count, dof, width, value, rank, kind, listed, times: 1 });
        contact.efc_address = row as i32;
        *nefc += count;
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

/// Takes the contacts of passive flexes out of the constraints: they push like springs.
fn exclude_passive(model: &Model, contacts: &mut [Contact]) {
    let passive = |&flex: &i32| {
        usize::try_from(flex)
            .is_ok_and(|flex| model.flex_passive.get(flex).is_some_and(|&p| p != 0))
    };
    for contact in contacts.iter_mut().filter(|contact| contact.flex.iter().any(passive)) {
        contact.exclude = 4;
    }
}

/// The dofs that move two bodies differently. Those that move both alike would have exact zeros,
/// and are left out.
#[derive(Default)]
struct Paths<'a> {
    bodies: [usize; 2],
    /// The dofs that move either body, which comes with its sign in the motion of the second
    /// relative to the first.
    parts: [(f64, usize, &'a [i32]); 2],
    /// Where the dofs are among those of the rows, and how many.
    dof: usize,
    width: usize,
    /// How many dofs there are with those left out.
    listed: usize,
}

impl<'a> Paths<'a> {
    /// Finds the dofs and adds them to those of the rows.
    fn new(
        model: &'a Model,
        identity: &'a [i32],
        bodies: [usize; 2],
        rows: &mut Rows,
    ) -> Paths<'a> {
        let chains = bodies.map(|body| ancestors(model, identity, body));
        let common = chains[0].iter().zip(chains[1]).take_while(|(a, b)| a == b).count();
        let [first, second] = chains.map(|chain| &chain[common..]);
        let mut parts = [(-1.0, bodies[0], first), (1.0, bodies[1], second)];
        // below where they part, one chain comes before the other
        if first.first() > second.first() {
            parts.swap(0, 1);
        }
        let dof = rows.dofs.len();
        for (_, _, chain) in parts {
            rows.dofs.extend_from_slice(bytemuck::cast_slice(chain));
        }
        let width = first.len() + second.len();
        Paths { bodies, parts, dof, width, listed: common + width }
    }
}

/// Adds the Jacobian, by the dofs of `chain`, of the motion of a point along the axes of a
/// contact: up to three translations, then rotations. `offset` is from the centre of mass of the
/// tree.
#[inline]
pub(super) fn push_axes(
    values: &mut Vec<f64>,
    cdof: &[Motion],
    chain: &[i32],
    contact: &Contact,
    rank: usize,
    offset: Vec3,
    sign: f64,
) {
    if chain.is_empty() {
        return;
    }
    // the velocity along an axis is axis · (lin + rot × offset)
    let axes = Axes::new(&contact.frame);
    let (along, mut about) = (axes.times(sign), axes.moments(offset).times(sign));
    if rank > 3 {
        about.set(3, contact.frame.row(0) * sign);
    }
    let velocity = |dof: i32| {
        let Motion { rot, lin } = cdof[dof as usize];
        along.products(lin) + about.products(rot)
    };
    if rank == 1 {
        values.extend(chain.iter().map(|&dof| velocity(dof).to_array()[0]));
        return;
    }
    if rank <= 4 {
        values.reserve(4 * chain.len());
        for &dof in chain {
            values.extend_from_slice(&velocity(dof).to_array());
        }
        return;
    }
    let mut rolling = Axes::default();
    rolling.set(0, contact.frame.row(1) * sign);
    rolling.set(1, contact.frame.row(2) * sign);
    for &dof in chain {
        let last = rolling.products(cdof[dof as usize].rot);
        values.extend_from_slice(&velocity(dof).to_array());
        values.extend_from_slice(&last.to_array());
    }
}

/// Four directions, side by side.
#[derive(Clone, Copy, Default)]
struct Axes([f64x4; 3]);

impl Axes {
    /// The rows of a frame, and zero.
    #[inline]
    fn new(frame: &Mat3) -> Axes {
        Axes([0, 1, 2].map(|i| f64x4::new([frame.0[i], frame.0[3 + i], frame.0[6 + i], 0.0])))
    }

    fn set(&mut self, lane: usize, direction: Vec3) {
        for (lanes, value) in self.0.iter_mut().zip(direction.to_array()) {
            lanes.as_mut_array()[lane] = value;
        }
    }

    #[inline]
    fn times(self, factor: f64) -> Axes {
        Axes(self.0.map(|lanes| lanes * factor))
    }

    /// The products `offset × direction`.
    #[inline]
    fn moments(self, offset: Vec3) -> Axes {
        let [x, y, z] = self.0;
        let o = offset;
        Axes([z * o.y - y * o.z, x * o.z - z * o.x, y * o.x - x * o.y])
    }

    /// The scalar products of the directions with `v`.
    #[inline]
    fn products(&self, v: Vec3) -> f64x4 {
        self.0[0] * v.x + self.0[1] * v.y + self.0[2] * v.z
    }
}

/// The dofs that move `body`, increasing. `identity` holds the numbers from 0 on.
pub(super) fn ancestors<'a>(model: &'a Model, identity: &'a [i32], body: usize) -> &'a [i32] {
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
