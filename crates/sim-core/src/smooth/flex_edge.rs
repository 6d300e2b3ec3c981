//! Edges of flexes: lengths, Jacobians and velocities.

use super::{Moves, com_offset, merged_chains};
use crate::math::{Motion, Vec3};
use crate::model::{Flex, range};
use crate::{Data, Model};

/// The slides that move a vertex: those of its body, which is alone in its tree, or none where it is
/// fixed to the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slides {
    start: u32,
    count: u32,
}

impl Slides {
    /// Those of `body`; none at all if it moves in any other way.
    #[inline]
    pub(crate) fn of(model: &Model, body: i32) -> Option<Slides> {
        let body = usize::try_from(body).ok()?;
        if model.body_weldid[body] == 0 {
            return Some(Slides { start: 0, count: 0 });
        }
        let dofs = model.body_dofs(body);
        let slides = model.body_simple[body] == 2 && dofs.len() <= 3;
        slides.then_some(Slides { start: dofs.start as u32, count: dofs.len() as u32 })
    }

    /// Axes of the slides.
    #[inline]
    pub(super) fn axes<'a>(&self, cdof: &'a [Motion]) -> &'a [Motion] {
        &cdof[self.dofs()]
    }

    #[inline]
    pub(crate) fn dofs(&self) -> std::ops::Range<usize> {
        self.start as usize..(self.start + self.count) as usize
    }
}

/// Lists the slides of the vertices of a flex.
pub(crate) fn list_slides(model: &Model, flex: &Flex<'_>, out: &mut Vec<Option<Slides>>) {
    out.clear();
    out.extend(flex.vert_bodies().iter().map(|&body| Slides::of(model, body)));
}

/// Computes `flexedge_length`, and `flexedge_J` of the flexes that need it.
pub(super) fn edges(model: &Model, data: &mut Data) {
    data.flexedge_J.fill(0.0);
    let mut slides = std::mem::take(&mut data.work.flex.slides);
    for flex in model.flexes().filter(Flex::has_edges) {
        let verts = flex.verts.start;
        if !flex.needs_edge_jacobian() {
            let Data { ref flexvert_xpos, ref mut flexedge_length, .. } = *data;
            let points = &flexvert_xpos[flex.verts.clone()];
            let lengths = &mut flexedge_length[flex.edges.clone()];
            for (length, ends) in lengths.iter_mut().zip(flex.edge_verts()) {
                let [first, second] = ends.map(|end| points[end as usize]);
                *length = (second - first).norm();
            }
            continue;
        }
        list_slides(model, &flex, &mut slides);
        let bodies = flex.vert_bodies();
        for (edge, &ends) in flex.edges.clone().zip(flex.edge_verts()) {
            let ends = ends.map(|end| end as usize);
            let points = ends.map(|end| data.flexvert_xpos[verts + end]);
            let (unit, length) = (points[1] - points[0]).normalized();
            data.flexedge_length[edge] = length;
            let bodies = ends.map(|end| bodies[end] as usize);
            let row = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
            match ends.map(|end| slides[end]) {
                [Some(first), Some(second)]
                    if bodies[0] != bodies[1]
                        && row.len() == (first.count + second.count) as usize =>
                {
                    // the one with the smaller number comes first
                    let (low, high) = if bodies[0] < bodies[1] {
                        ((first, -unit), (second, unit))
                    } else {
                        ((second, unit), (first, -unit))
                    };
                    let out = &mut data.flexedge_J[row];
                    let (out_low, out_high) = out.split_at_mut(low.0.count as usize);
                    for ((slides, unit), out) in [(low, out_low), (high, out_high)] {
                        for (out, axis) in out.iter_mut().zip(slides.axes(&data.cdof)) {
                            *out = axis.lin.dot(unit);
                        }
                    }
                }
                _ => chain_jacobian(model, data, edge, bodies, points, unit),
            }
        }
    }
    data.work.flex.slides = slides;
}

/// Computes the row of an edge between any bodies: `uᵀ (J₂ − J₁)`, with the Jacobians of its ends.
fn chain_jacobian(
    model: &Model,
    data: &mut Data,
    edge: usize,
    bodies: [usize; 2],
    points: [Vec3; 2],
    unit: Vec3,
) {
    let offsets = [0, 1].map(|i| com_offset(model, data, points[i], bodies[i]));
    let Data { ref cdof, ref mut flexedge_J, .. } = *data;
    let out = &mut flexedge_J[range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge])];
    // the row lists its dofs in increasing order
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
