//! Rows of flexes: equalities along edges and of strains, and contacts in which flexes take part.

use super::contact::{ancestors, push_axes};
use super::rows::{Block, Kind, Rows, lanes};
use crate::data::Contact;
use crate::math::{MINVAL, Motion, Vec3};
use crate::model::{ConstraintType, range};
use crate::smooth::{Link, basis, common_dofs, list_links};
use crate::{Data, Model};

/// Adds a row for each edge of a flex that can change its length.
pub(super) fn edge_rows(model: &Model, data: &mut Data, eq: usize) {
    let flex = model.flex(model.eq_obj1id[eq] as usize);
    let first = data.nefc;
    let own = data.rows.blocks.len();
    let dense = !model.is_sparse();
    let Data { ref flexedge_J, ref flexedge_length, ref mut rows, ref mut efc_pos, .. } = *data;
    let (inertias, links) = (&mut data.work.flex_inertia, &mut data.work.flex.links);
    list_links(model, &flex, links);
    let hang_on_world = links.iter().all(Link::hangs_on_world);
    let count = flex.edges.len();
    rows.dofs.reserve(6 * count);
    rows.values.reserve(6 * count);
    inertias.reserve(count);
    efc_pos.reserve(count);
    let addresses = model.flexedge_J_rowadr[flex.edges.clone()].iter();
    let counts = &model.flexedge_J_rownnz[flex.edges.clone()];
    let rigid = &model.flexedge_rigid[flex.edges.clone()];
    let lengths = flexedge_length[flex.edges.clone()].iter();
    let rest = &model.flexedge_length0[flex.edges.clone()];
    let edges = addresses.zip(counts).zip(rigid).zip(flex.edge_verts());
    let measures = lengths.zip(rest).zip(&model.flexedge_invweight0[flex.edges.clone()]);
    for ((((&adr, &nnz), &rigid), ends), ((length, rest), &inertia)) in edges.zip(measures) {
        if rigid != 0 {
            continue;
        }
        let row = range(adr, nnz);
        let (dofs, values) = (&model.flexedge_J_colind[row.clone()], &flexedge_J[row]);
        let mut common = 0;
        if !hang_on_world {
            common = common_dofs(ends.map(|end| links[end as usize]), dofs);
            if values[..common].iter().any(|&value| value != 0.0) {
                common = 0;
            }
        }
        if push(dense, rows, efc_pos.len(), own, common, dofs, values) {
            inertias.push(inertia);
            efc_pos.push(length - rest);
        }
    }
    finish(data, first, eq);
}

/// Adds two rows for each vertex of a flex: the invariants of its strain.
pub(super) fn strain_rows(model: &Model, data: &mut Data, eq: usize) {
    let flex = model.flex(model.eq_obj1id[eq] as usize);
    let first = data.nefc;
    let own = data.rows.blocks.len();
    let dense = !model.is_sparse();
    let Data { ref flexvert_J, ref flexvert_length, ref mut rows, ref mut efc_pos, .. } = *data;
    let (columns, values) = (model.flexvert_J_colind.as_flattened(), flexvert_J.as_flattened());
    let inertias = &mut data.work.flex_inertia;
    for (vert, &body) in flex.verts.clone().zip(flex.vert_bodies()) {
        let inertia = usize::try_from(body).map_or(0.0, |body| model.body_invweight0[body][0]);
        for k in 0..2 {
            let row = range(model.flexvert_J_rowadr[vert][k], model.flexvert_J_rownnz[vert][k]);
            if push(dense, rows, efc_pos.len(), own, 0, &columns[row.clone()], &values[row]) {
                inertias.push(inertia);
                efc_pos.push(flexvert_length[vert][k]);
            }
        }
    }
    finish(data, first, eq);
}

/// Completes the public arrays for the rows from `first` on, whose positions are known.
fn finish(data: &mut Data, first: usize, eq: usize) {
    let count = data.efc_pos.len();
    debug_assert!(first <= count && data.efc_type.len() == first);
    data.nefc = count;
    data.efc_type.resize(count, ConstraintType::Equality as i32);
    data.efc_id.resize(count, eq as i32);
    data.efc_margin.resize(count, 0.0);
    data.efc_frictionloss.resize(count, 0.0);
}

/// Adds one row, unless it is empty: without dofs, or with zeros only where rows are dense. The first
/// `common` dofs move what it measures like a rigid body, and are listed only. The last of the blocks
/// from `own` on stands for it too, if it can.
#[inline]
fn push(
    dense: bool,
    rows: &mut Rows,
    row: usize,
    own: usize,
    common: usize,
    dofs: &[i32],
    values: &[f64],
) -> bool {
    if dofs.is_empty() || (dense && values.iter().all(|&value| value == 0.0)) {
        return false;
    }
    // a row whose dofs another flex has overwritten may list them in any order
    let increase = match dofs {
        [a, b, c, d, e, f] => (a < b) & (b < c) & (c < d) & (d < e) & (e < f),
        dofs => dofs.is_sorted_by(|a, b| a < b),
    };
    if increase {
        let listed = dofs.len();
        let (dofs, values) = (&dofs[common..], &values[common..]);
        let (dof, value, width) = (rows.dofs.len(), rows.values.len(), dofs.len());
        rows.dofs.extend_from_slice(bytemuck::cast_slice(dofs));
        rows.values.extend_from_slice(values);
        match rows.blocks[own..].last_mut() {
            Some(last)
                if last.width == width && last.listed == listed && last.row + last.times == row =>
            {
                last.times += 1;
            }
            _ => {
                let kind = Kind::Plain;
                let block =
                    Block { row, count: 1, dof, width, value, rank: 1, kind, listed, times: 1 };
                rows.blocks.push(block);
            }
        }
    } else {
        push_unsorted(dense, rows, row, dofs, values);
    }
    true
}

#[cold]
fn push_unsorted(dense: bool, rows: &mut Rows, row: usize, dofs: &[i32], values: &[f64]) {
    let mut entries: Vec<(usize, f64)> =
        dofs.iter().map(|&dof| dof as usize).zip(values.iter().copied()).collect();
    entries.sort_by_key(|entry| entry.0);
    entries.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            // the matrix of full rows keeps the last
            kept.1 = if dense { next.1 } else { kept.1 + next.1 };
        }
        same
    });
    rows.push_row(row, entries.into_iter());
}

/// The most bodies that move one contact.
const MAX_BODIES: usize = 54;

/// The bodies that move the two sides of a contact, with their shares in its relative motion, and
/// the inverse inertia that these shares make.
pub(crate) struct Sides {
    parts: [(usize, f64); MAX_BODIES],
    count: usize,
    /// Estimate of the inverse inertia for translations.
    pub(super) inertia: f64,
}

impl Sides {
    /// The sides of a contact that has at least one flex.
    ///
    /// A geom and a vertex have one body; the vertices of an element have shares that fall with
    /// their distance from the contact; an interpolated flex passes them on to its nodes.
    pub(crate) fn new(model: &Model, data: &Data, contact: &Contact) -> Sides {
        Sides::of(model, &data.flexvert_xpos, contact)
    }

    pub(super) fn of(model: &Model, verts: &[Vec3], contact: &Contact) -> Sides {
        let mut sides = Sides { parts: [(0, 0.0); MAX_BODIES], count: 0, inertia: 0.0 };
        for side in 0..2 {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            if let Ok(geom) = usize::try_from(contact.geom[side]) {
                sides.add(model, model.geom_bodyid[geom], sign, 1.0);
            } else {
                sides.add_flex(model, verts, contact, side, sign);
            }
        }
        sides
    }

    /// Bodies and shares.
    pub(crate) fn parts(&self) -> &[(usize, f64)] {
        &self.parts[..self.count]
    }

    fn add(&mut self, model: &Model, body: i32, share: f64, weight: f64) {
        let Ok(body) = usize::try_from(body) else { return };
        self.inertia += model.body_invweight0[body][0] * weight;
        if self.count < MAX_BODIES {
            self.parts[self.count] = (body, share);
            self.count += 1;
        }
    }

    fn add_flex(
        &mut self,
        model: &Model,
        verts: &[Vec3],
        contact: &Contact,
        side: usize,
        sign: f64,
    ) {
        // users may have written anything into a contact
        let below = |id: i32, count: usize| usize::try_from(id).ok().filter(|&id| id < count);
        let Some(flex) = below(contact.flex[side], model.nflex) else { return };
        let flex = model.flex(flex);
        let elem = below(contact.elem[side], flex.elems.len());
        let mut corners = [(0, 0.0); 4];
        let corners = match (below(contact.vert[side], flex.verts.len()), elem) {
            (None, None) => return,
            (Some(vert), _) => {
                corners[0] = (flex.verts.start + vert, 1.0);
                &corners[..1]
            }
            (None, Some(elem)) => {
                // a vertex that is the other side has no share
                let other = contact.vert[1 - side];
                let mut count = 0;
                for &vert in flex.elem(elem).iter().filter(|&&vert| vert != other) {
                    let vert = flex.verts.start + vert as usize;
                    let distance = (contact.pos - verts[vert]).norm();
                    corners[count] = (vert, 1.0 / distance.max(MINVAL));
                    count += 1;
                }
                let corners = &mut corners[..count];
                let sum: f64 = corners.iter().map(|corner| corner.1).sum();
                corners.iter_mut().for_each(|corner| corner.1 *= 1.0 / sum);
                &*corners
            }
        };
        if flex.order == 0 {
            for &(vert, share) in corners {
                self.add(model, model.flex_vertbodyid[vert], sign * share, share);
            }
            return;
        }
        // the point in the lattice; the first side is taken with its sign, as in the reference
        let point = |sign: f64| {
            corners.iter().fold(Vec3::ZERO, |sum, &(vert, share)| {
                sum + model.flex_vert0[vert] * (sign * share)
            })
        };
        let (signed, plain) = (point(sign), point(1.0));
        const LEAST_SHARE: f64 = 1e-5;
        for (node, &body) in flex.node_bodies().iter().enumerate() {
            let (share, weight) = (basis(signed, node, flex.order), basis(plain, node, flex.order));
            let weight = if weight < LEAST_SHARE { 0.0 } else { weight };
            if share < LEAST_SHARE {
                self.inertia += model.body_invweight0[body as usize][0] * weight;
            } else {
                self.add(model, body, share, weight);
            }
        }
    }
}

/// Adds the dofs and the Jacobian of a contact with several bodies to the rows. Returns where its
/// dofs and values are, and how many dofs there are.
pub(super) fn push_sides(
    model: &Model,
    identity: &[i32],
    cdof: &[Motion],
    subtree_com: &[Vec3],
    contact: &Contact,
    sides: &mut Sides,
    rank: usize,
    rows: &mut Rows,
) -> (usize, usize, usize) {
    let (dof, value) = (rows.dofs.len(), rows.values.len());
    let parts = &mut sides.parts[..sides.count];
    parts.sort_unstable_by_key(|part| part.0);
    let chain = |body: usize| ancestors(model, identity, body);
    let offset = |body: usize| contact.pos - subtree_com[model.body_rootid[body] as usize];

    // bodies that share no dofs come one after the other
    let mut last = -1;
    let disjoint = parts.iter().all(|&(body, _)| match chain(body) {
        [] => true,
        dofs => {
            let after = dofs[0] > last;
            last = dofs[dofs.len() - 1];
            after
        }
    });
    if disjoint {
        for &(body, share) in &*parts {
            let chain = chain(body);
            rows.dofs.extend_from_slice(bytemuck::cast_slice(chain));
            push_axes(&mut rows.values, cdof, chain, contact, rank, offset(body), share);
        }
        return (dof, value, rows.dofs.len() - dof);
    }

    for &(body, _) in &*parts {
        rows.dofs.extend_from_slice(bytemuck::cast_slice(chain(body)));
    }
    rows.dofs[dof..].sort_unstable();
    let mut width = 0;
    for at in dof..rows.dofs.len() {
        if at == dof || rows.dofs[at] != rows.dofs[dof + width - 1] {
            rows.dofs[dof + width] = rows.dofs[at];
            width += 1;
        }
    }
    rows.dofs.truncate(dof + width);

    // each body adds its columns behind the sums, from where they are taken to their places
    let stride = lanes(rank);
    rows.values.resize(value + width * stride, 0.0);
    let end = rows.values.len();
    for &(body, share) in &*parts {
        let chain = chain(body);
        push_axes(&mut rows.values, cdof, chain, contact, rank, offset(body), share);
        let mut at = 0;
        for (i, &own) in chain.iter().enumerate() {
            while rows.dofs[dof + at] != own as u32 {
                at += 1;
            }
            for k in 0..stride {
                let column = rows.values[end + i * stride + k];
                rows.values[value + at * stride + k] += column;
            }
        }
        rows.values.truncate(end);
    }
    (dof, value, width)
}
