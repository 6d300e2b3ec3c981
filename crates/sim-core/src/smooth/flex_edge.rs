//! Edges of flexes: lengths, Jacobians and velocities.

use std::ops::Range;

use super::{Moves, merged_chains};
use crate::math::{Motion, Vec3};
use crate::model::{Flex, range};
use crate::{Data, Model};

/// The slides that move a vertex: those of its body, which is alone in its tree, or none where it is
/// fixed to the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slides {
    start: u32,
    count: u32,
    /// Whether they are the three axes of the world.
    world: bool,
}

impl Slides {
    /// Those of `body`; none at all if it moves in any other way.
    #[inline]
    fn of(model: &Model, cdof: &[Motion], body: i32) -> Option<Slides> {
        let body = usize::try_from(body).ok()?;
        if model.body_weldid[body] == 0 {
            return Some(Slides { start: 0, count: 0, world: false });
        }
        let dofs = model.body_dofs(body);
        if model.body_simple[body] != 2 || dofs.len() > 3 {
            return None;
        }
        let axes = &cdof[dofs.clone()];
        let world =
            matches!(axes, [x, y, z] if [x.lin, y.lin, z.lin] == [Vec3::X, Vec3::Y, Vec3::Z]);
        Some(Slides { start: dofs.start as u32, count: dofs.len() as u32, world })
    }

    /// Axes of the slides.
    #[inline]
    pub(super) fn axes<'a>(&self, cdof: &'a [Motion]) -> &'a [Motion] {
        &cdof[self.dofs()]
    }

    #[inline]
    pub(super) fn dofs(&self) -> Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// Lists the slides of the vertices of a flex.
pub(super) fn list_slides(
    model: &Model,
    cdof: &[Motion],
    flex: &Flex<'_>,
    out: &mut Vec<Option<Slides>>,
) {
    out.clear();
    out.extend(flex.vert_bodies().iter().map(|&body| Slides::of(model, cdof, body)));
}

/// Computes `flexedge_length`, and `flexedge_J` of the flexes that need it.
pub(super) fn edges(model: &Model, data: &mut Data) {
    let mut slides = std::mem::take(&mut data.work.flex.slides);
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
        list_slides(model, cdof, &flex, &mut slides);
        let bodies = flex.vert_bodies();
        for ((length, ends), row) in lengths.iter_mut().zip(flex.edge_verts()).zip(rows) {
            let [first, second] = ends.map(|end| end as usize);
            let (unit, norm) = (points[second] - points[first]).normalized();
            *length = norm;
            let bodies = [bodies[first], bodies[second]].map(|body| body as usize);
            let out = &mut flexedge_J[row];
            match (slides[first], slides[second]) {
                (Some(one), Some(two))
                    if bodies[0] != bodies[1] && out.len() == (one.count + two.count) as usize =>
                {
                    // the one with the smaller number comes first
                    let (low, high, unit) =
                        if bodies[0] < bodies[1] { (one, two, unit) } else { (two, one, -unit) };
                    slides_jacobian(cdof, low, high, unit, out);
                }
                _ => {
                    let center = |body: usize| subtree_com[model.body_rootid[body] as usize];
                    let offsets =
                        [points[first] - center(bodies[0]), points[second] - center(bodies[1])];
                    if !relative_jacobian(model, cdof, bodies, offsets, unit, out) {
                        chain_jacobian(model, cdof, bodies, offsets, unit, out);
                    }
                }
            }
        }
    }
    data.work.flex.slides = slides;
}

/// Computes the row of an edge between vertices that slide: `−u` for one end, `u` for the other.
#[inline]
fn slides_jacobian(cdof: &[Motion], low: Slides, high: Slides, unit: Vec3, out: &mut [f64]) {
    let Vec3 { x, y, z } = unit;
    if low.world
        && high.world
        && let Ok(out) = <&mut [f64; 6]>::try_from(&mut *out)
    {
        *out = [-x, -y, -z, x, y, z];
        return;
    }
    let axes = low.axes(cdof).iter().map(|axis| -axis.lin.dot(unit));
    let axes = axes.chain(high.axes(cdof).iter().map(|axis| axis.lin.dot(unit)));
    out.iter_mut().zip(axes).for_each(|(out, value)| *out = value);
}

/// Computes the row of an edge whose ends move relative to one and the same body, or one end
/// relative to the body of the other: dofs that move both like a rigid body do not change its length.
/// Returns whether it is such an edge.
fn relative_jacobian(
    model: &Model,
    cdof: &[Motion],
    bodies: [usize; 2],
    offsets: [Vec3; 2],
    unit: Vec3,
    out: &mut [f64],
) -> bool {
    let weld = bodies.map(|body| model.body_weldid[body] as usize);
    let base = weld.map(|body| model.body_weldid[model.body_parent(body)] as usize);
    let own = weld.map(|body| model.body_dofs(body));
    // dofs of each end that do not move the other
    let [first, second] = if weld[0] == weld[1] {
        return false;
    } else if base[0] == base[1] {
        own
    } else if weld[0] == base[1] {
        [0..0, own[1].clone()]
    } else if weld[1] == base[0] {
        [own[0].clone(), 0..0]
    } else {
        return false;
    };
    let Some(common) = out.len().checked_sub(first.len() + second.len()) else { return false };
    let velocity = |dofs: Range<usize>, offset: Vec3, unit: Vec3| {
        cdof[dofs].iter().map(move |axis| axis.at(offset).dot(unit))
    };
    let (out_common, out) = out.split_at_mut(common);
    out_common.fill(0.0);
    // dofs are listed in increasing order
    let before = first.start < second.start;
    let [first, second] = [velocity(first, offsets[0], -unit), velocity(second, offsets[1], unit)];
    let (low, high) = if before { (first, second) } else { (second, first) };
    out.iter_mut().zip(low.chain(high)).for_each(|(out, value)| *out = value);
    true
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
