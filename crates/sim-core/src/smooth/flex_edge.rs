//! Edges of flexes: lengths, Jacobians and velocities.

use super::{Moves, com_offset, merged_chains};
use crate::math::Vec3;
use crate::model::{Flex, range};
use crate::{Data, Model};

/// Computes `flexedge_length`, and `flexedge_J` of the flexes that need it.
pub(super) fn edges(model: &Model, data: &mut Data) {
    data.flexedge_J.fill(0.0);
    for flex in model.flexes().filter(Flex::has_edges) {
        let jacobian = flex.needs_edge_jacobian();
        let bodies = flex.vert_bodies();
        for (edge, &ends) in flex.edges.clone().zip(flex.edge_verts()) {
            let ends = ends.map(|end| end as usize);
            let points = ends.map(|end| data.flexvert_xpos[flex.verts.start + end]);
            let (unit, length) = (points[1] - points[0]).normalized();
            data.flexedge_length[edge] = length;
            if jacobian {
                let bodies = ends.map(|end| bodies[end] as usize);
                edge_jacobian(model, data, edge, bodies, points, unit);
            }
        }
    }
}

/// Computes the row of an edge: `uᵀ (J₂ − J₁)`, with the Jacobians of its ends.
#[inline]
fn edge_jacobian(
    model: &Model,
    data: &mut Data,
    edge: usize,
    bodies: [usize; 2],
    points: [Vec3; 2],
    unit: Vec3,
) {
    let Data { ref cdof, ref mut flexedge_J, .. } = *data;
    let row = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
    let out = &mut flexedge_J[row];
    let [first, second] = bodies;
    if model.body_simple[first] == 2 && model.body_simple[second] == 2 && first != second {
        // both slide, the one with the smaller number comes first
        let ends = if first < second {
            [(first, -1.0), (second, 1.0)]
        } else {
            [(second, 1.0), (first, -1.0)]
        };
        let dofs = ends
            .into_iter()
            .flat_map(|(body, sign)| model.body_dofs(body).map(move |dof| (dof, sign)));
        for (out, (dof, sign)) in out.iter_mut().zip(dofs) {
            *out = cdof[dof].lin.dot(unit) * sign;
        }
        return;
    }
    let offsets = [0, 1].map(|i| com_offset(model, data, points[i], bodies[i]));
    let Data { ref cdof, ref mut flexedge_J, .. } = *data;
    let out = &mut flexedge_J[range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge])];
    // the row lists its dofs in increasing order
    for (out, (dof, moves)) in out.iter_mut().rev().zip(merged_chains(model, first, second)) {
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
        if !flex.needs_edge_jacobian() {
            flexedge_velocity[flex.edges.clone()].fill(0.0);
            continue;
        }
        for edge in flex.edges.clone() {
            let row = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
            let dofs = &model.flexedge_J_colind[row.clone()];
            let mut sum = 0.0;
            for (&dof, value) in dofs.iter().zip(&flexedge_J[row]) {
                sum += value * qvel[dof as usize];
            }
            flexedge_velocity[edge] = sum;
        }
    }
}
