//! Edges of flexes: lengths, Jacobians and velocities.

use std::ops::Range;

use super::{Moves, merged_chains};
use crate::math::{Motion, Vec3};
use crate::model::{Flex, range};
use crate::{Data, Model};

/// What moves a vertex: the dofs of its body, relative to the body that this one hangs on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Link {
    /// The body, and the one that it hangs on, as welded.
    body: i32,
    base: i32,
    start: u32,
    count: u32,
    kind: LinkKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LinkKind {
    /// Slides along the three axes of the world.
    World,
    /// Slides, or no dofs at all.
    Slides,
    Any,
}

impl Link {
    /// The link of `body`, whatever its kind.
    #[inline]
    fn of(model: &Model, body: i32) -> Link {
        let Ok(body) = usize::try_from(body) else {
            return Link { body: -1, base: -1, start: 0, count: 0, kind: LinkKind::Any };
        };
        let weld = model.body_weldid[body];
        let body = weld as usize;
        let dofs = model.body_dofs(body);
        Link {
            body: weld,
            base: model.body_weldid[model.body_parent(body)],
            start: dofs.start as u32,
            count: dofs.len() as u32,
            kind: LinkKind::Any,
        }
    }

    /// The same with its kind.
    #[inline]
    fn with_kind(self, model: &Model, cdof: &[Motion]) -> Link {
        let axes = self.axes(cdof);
        let slides = || {
            let simple = self.body >= 0 && model.body_simple[self.body as usize] == 2;
            simple || axes.iter().all(|axis| axis.rot == Vec3::ZERO)
        };
        let kind = match axes {
            [x, y, z] if [x.lin, y.lin, z.lin] == [Vec3::X, Vec3::Y, Vec3::Z] && slides() => {
                LinkKind::World
            }
            _ if self.body >= 0 && axes.len() <= 3 && slides() => LinkKind::Slides,
            _ => LinkKind::Any,
        };
        Link { kind, ..self }
    }

    /// Whether these are slides, and no other dof moves the vertex.
    #[inline]
    pub(super) fn slides_alone(&self) -> bool {
        self.hangs_on_world() && self.kind != LinkKind::Any
    }

    /// Whether no dof but its own moves the vertex.
    #[inline]
    pub(crate) fn hangs_on_world(&self) -> bool {
        self.base == 0
    }

    /// What moves two vertices relative to each other, if all other dofs move both like a rigid body:
    /// both hang on one and the same body, or one of them is fixed to the body that the other hangs on.
    #[inline]
    fn relative(one: Link, two: Link) -> Option<[Link; 2]> {
        let at_rest = |link: Link| Link { count: 0, kind: LinkKind::Slides, ..link };
        if one.body == two.body || one.body < 0 || two.body < 0 {
            None
        } else if one.base == two.base {
            Some([one, two])
        } else if one.body == two.base {
            Some([at_rest(one), two])
        } else if two.body == one.base {
            Some([one, at_rest(two)])
        } else {
            None
        }
    }

    /// Axes of the dofs.
    #[inline]
    pub(super) fn axes<'a>(&self, cdof: &'a [Motion]) -> &'a [Motion] {
        &cdof[self.dofs()]
    }

    #[inline]
    pub(super) fn dofs(&self) -> Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// Lists what moves the vertices of a flex, without its kind.
pub(crate) fn list_links(model: &Model, flex: &Flex<'_>, out: &mut Vec<Link>) {
    out.clear();
    out.extend(flex.vert_bodies().iter().map(|&body| Link::of(model, body)));
}

/// Lists what moves the vertices of a flex.
pub(super) fn list_links_with_kind(
    model: &Model,
    cdof: &[Motion],
    flex: &Flex<'_>,
    out: &mut Vec<Link>,
) {
    out.clear();
    let links = flex.vert_bodies().iter().map(|&body| Link::of(model, body));
    out.extend(links.map(|link| link.with_kind(model, cdof)));
}

/// Computes `flexedge_length`, and `flexedge_J` of the flexes that need it.
pub(super) fn edges(model: &Model, data: &mut Data) {
    let mut links = std::mem::take(&mut data.work.flex.links);
    for flex in model.flexes().filter(Flex::has_edges) {
        let Data { ref flexvert_xpos, ref cdof, ref subtree_com, .. } = *data;
        let Data { ref mut flexedge_length, ref mut flexedge_J, .. } = *data;
        let points = &flexvert_xpos[flex.verts.clone()];
        let lengths = &mut flexedge_length[flex.edges.clone()];
        let addresses = &model.flexedge_J_rowadr[flex.edges.clone()];
        let counts = &model.flexedge_J_rownnz[flex.edges.clone()];
        let rows = addresses.iter().zip(counts).map(|(&adr, &nnz)| range(adr, nnz));
        if !flex.needs_edge_jacobian() {
            for (length, ends) in lengths.iter_mut().zip(flex.edge_verts()) {
                let [first, second] = ends.map(|end| points[end as usize]);
                *length = (second - first).norm();
            }
            rows.for_each(|row| flexedge_J[row].fill(0.0));
            continue;
        }
        list_links_with_kind(model, cdof, &flex, &mut links);
        let bodies = flex.vert_bodies();
        for ((length, ends), row) in lengths.iter_mut().zip(flex.edge_verts()).zip(rows) {
            let [first, second] = ends.map(|end| end as usize);
            let (unit, norm) = (points[second] - points[first]).normalized();
            *length = norm;
            let out = &mut flexedge_J[row];
            let (one, two) = (&links[first], &links[second]);
            if one.kind == LinkKind::World
                && two.kind == LinkKind::World
                && one.base == two.base
                && one.body != two.body
                && let Some((common, out)) = out.split_last_chunk_mut::<6>()
            {
                // mostly: two points that hang on one and the same body
                let Vec3 { x, y, z } = if one.start < two.start { unit } else { -unit };
                *out = [-x, -y, -z, x, y, z];
                common.fill(0.0);
                continue;
            }
            if let Some([one, two]) = Link::relative(links[first], links[second])
                && let Some(common) = out.len().checked_sub((one.count + two.count) as usize)
            {
                // dofs are listed in increasing order, those that move both ends alike first
                let (common, out) = out.split_at_mut(common);
                common.fill(0.0);
                let (low, high, unit) =
                    if one.start < two.start { (one, two, unit) } else { (two, one, -unit) };
                if low.kind != LinkKind::Any && high.kind != LinkKind::Any {
                    slides_jacobian(cdof, low, high, unit, out);
                    continue;
                }
                let [low_end, high_end] =
                    if one.start < two.start { [first, second] } else { [second, first] };
                let velocity = |link: Link, end: usize, unit: Vec3| {
                    let center = subtree_com[model.body_rootid[bodies[end] as usize] as usize];
                    let offset = points[end] - center;
                    link.axes(cdof).iter().map(move |axis| axis.at(offset).dot(unit))
                };
                let values = velocity(low, low_end, -unit).chain(velocity(high, high_end, unit));
                out.iter_mut().zip(values).for_each(|(out, value)| *out = value);
                continue;
            }
            let bodies = [bodies[first], bodies[second]].map(|body| body as usize);
            let center = |body: usize| subtree_com[model.body_rootid[body] as usize];
            let offsets = [points[first] - center(bodies[0]), points[second] - center(bodies[1])];
            chain_jacobian(model, cdof, bodies, offsets, unit, out);
        }
    }
    data.work.flex.links = links;
}

/// Computes the row of an edge between vertices that slide: `−u` for one end, `u` for the other.
#[inline]
fn slides_jacobian(cdof: &[Motion], low: Link, high: Link, unit: Vec3, out: &mut [f64]) {
    let axes = low.axes(cdof).iter().map(|axis| -axis.lin.dot(unit));
    let axes = axes.chain(high.axes(cdof).iter().map(|axis| axis.lin.dot(unit)));
    out.iter_mut().zip(axes).for_each(|(out, value)| *out = value);
}

/// How many of the dofs that an edge lists, the first ones, move both ends like a rigid body: their
/// elements of `flexedge_J` are zero.
#[inline]
pub(crate) fn common_dofs(ends: [Link; 2], listed: &[i32]) -> usize {
    let Some([one, two]) = Link::relative(ends[0], ends[1]) else { return 0 };
    let common = listed.len().saturating_sub((one.count + two.count) as usize);
    let own = match (one.count, two.count) {
        (0, _) => two.start,
        (_, 0) => one.start,
        _ => one.start.min(two.start),
    };
    // another flex may have overwritten the list
    if common > 0 && listed.get(common) == Some(&(own as i32)) { common } else { 0 }
}

/// Computes the row of an edge between any bodies: `uᵀ (J₂ − J₁)`, with the Jacobians of its ends.
fn chain_jacobian(
    model: &Model,
    cdof: &[Motion],
    bodies: [usize; 2],
    offsets: [Vec3; 2],
    unit: Vec3,
    out: &mut [f64],
) {
    // the row lists its dofs in increasing order, and may list more than those that move the ends
    out.fill(0.0);
    let dofs = merged_chains(model, bodies[0], bodies[1]);
    for (out, (dof, moves)) in out.iter_mut().rev().zip(dofs) {
        let axis = cdof[dof];
        let velocity = match moves {
            Moves::First => -axis.at(offsets[0]),
            Moves::Second => axis.at(offsets[1]),
            Moves::Both => axis.at(offsets[1]) - axis.at(offsets[0]),
        };
        *out = velocity.dot(unit);
    }
}

/// Computes `flexedge_velocity = J qvel`; zero where there is no Jacobian.
pub(crate) fn flex_velocity(model: &Model, data: &mut Data) {
    let Data { ref flexedge_J, ref qvel, ref mut flexedge_velocity, .. } = *data;
    for flex in model.flexes() {
        let out = &mut flexedge_velocity[flex.edges.clone()];
        if !flex.needs_edge_jacobian() {
            out.fill(0.0);
            continue;
        }
        for (out, edge) in out.iter_mut().zip(flex.edges.clone()) {
            let row = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
            let (dofs, values) = (&model.flexedge_J_colind[row.clone()], &flexedge_J[row]);
            *out = match (<&[i32; 6]>::try_from(dofs), <&[f64; 6]>::try_from(values)) {
                // two vertices with three slides each
                (Ok(dofs), Ok(values)) => {
                    let x = dofs.map(|dof| qvel[dof as usize]);
                    (values[0] * x[0] + values[1] * x[1] + values[2] * x[2])
                        + (values[3] * x[3] + values[4] * x[4] + values[5] * x[5])
                }
                _ => dofs.iter().zip(values).map(|(&dof, value)| value * qvel[dof as usize]).sum(),
            };
        }
    }
}
