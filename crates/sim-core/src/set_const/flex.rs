//! Constants of flexes: patterns of the Jacobians of their edges and vertices, lengths and inverse
//! weights of edges.

use std::ops::Range;

use super::stay_awake;
use crate::math::{MINVAL, Plan, Quat, Vec3, solve_ldl};
use crate::smooth::{Moves, com_offset, dof_chain, merged_chains};
use crate::{Data, Model};

/// What holds the edges of a flex: their lengths.
const BY_EDGE: i32 = 1;
/// What holds the edges of a flex: areas and shapes around vertices.
const BY_VERTEX: i32 = 2;

/// First index and count as a range.
fn range(first: i32, count: i32) -> Range<usize> {
    first as usize..(first + count) as usize
}

/// The edges of a flex.
fn edges_of(model: &Model, flex: usize) -> Range<usize> {
    range(model.flex_edgeadr[flex], model.flex_edgenum[flex])
}

/// The vertices of a flex.
fn verts_of(model: &Model, flex: usize) -> Range<usize> {
    range(model.flex_vertadr[flex], model.flex_vertnum[flex])
}

/// The two vertices of an edge.
fn edge_verts(model: &Model, flex: usize, edge: usize) -> [usize; 2] {
    model.flex_edge[edge].map(|vert| (model.flex_vertadr[flex] + vert) as usize)
}

/// The bodies of the two vertices of an edge.
fn edge_bodies(model: &Model, flex: usize, edge: usize) -> [usize; 2] {
    edge_verts(model, flex, edge).map(|vert| model.flex_vertbodyid[vert] as usize)
}

/// Whether the edges of a flex have springs or dampers.
fn edges_act(model: &Model, flex: usize) -> bool {
    model.flex_edgestiffness[flex] != 0.0
        || model.flex_edgedamping[flex] != 0.0
        || model.flex_damping[flex] != 0.0
}

/// Whether a flex is a shell whose vertices are held.
fn holds_verts(model: &Model, flex: usize) -> bool {
    model.flex_dim[flex] == 2 && model.flex_edgeequality[flex] == BY_VERTEX
}

/// Whether vertices are on bodies of their own.
fn is_soft(model: &Model, flex: usize) -> bool {
    model.flex_rigid[flex] == 0 && model.flex_interp[flex] == 0
}

/// Trees that carry a flex do not fall asleep by themselves.
pub(super) fn keep_flex_trees_awake(model: &mut Model) {
    for flex in 0..model.nflex {
        let bodies = if model.flex_interp[flex] != 0 {
            let nodes = range(model.flex_nodeadr[flex], model.flex_nodenum[flex]);
            model.flex_nodebodyid[nodes].to_vec()
        } else {
            model.flex_vertbodyid[verts_of(model, flex)].to_vec()
        };
        for body in bodies {
            if let Ok(tree) = usize::try_from(model.body_treeid[body as usize]) {
                stay_awake(model, tree);
            }
        }
    }
}

/// Sets the patterns of the Jacobians of edges and vertices, and what holding vertices needs.
///
/// Rows follow those of the flex before; after a flex without a pattern they start at the beginning
/// again, as in the reference.
pub(super) fn set_flex_patterns(model: &mut Model) {
    if model.nflex == 0 {
        return;
    }
    model.flexedge_J_rownnz.fill(0);
    model.flexedge_J_rowadr.fill(0);
    model.flexvert_J_rownnz.fill([0; 2]);
    model.flexvert_J_rowadr.fill([0; 2]);
    model.flex_vertedgeadr.fill(0);
    model.flex_vertedgenum.fill(0);
    model.flex_vertedge.fill([0; 2]);
    model.flex_vertmetric.fill([0.0; 4]);
    let mut chain = Vec::new();
    let mut listed = 0;
    for flex in 0..model.nflex {
        if !is_soft(model, flex) {
            continue;
        }
        if model.flex_edgeequality[flex] != 0 || edges_act(model, flex) {
            for edge in edges_of(model, flex) {
                edge_pattern(model, flex, edge, &mut chain);
            }
        }
        if holds_verts(model, flex) {
            list_edges_of_verts(model, flex, &mut listed);
            set_metrics(model, flex);
            vertex_patterns(model, flex, &mut chain);
        }
    }
}

/// Sets the row of an edge: the dofs that move its ends.
fn edge_pattern(model: &mut Model, flex: usize, edge: usize, chain: &mut Vec<i32>) {
    chain.clear();
    chain.extend(edge_chain(model, edge_bodies(model, flex, edge)).map(|dof| dof as i32));
    chain.sort_unstable();
    let start = match edge.checked_sub(1) {
        Some(before) => model.flexedge_J_rowadr[before] + model.flexedge_J_rownnz[before],
        None => 0,
    };
    model.flexedge_J_rowadr[edge] = start;
    model.flexedge_J_rownnz[edge] = chain.len() as i32;
    model.flexedge_J_colind[start as usize..][..chain.len()].copy_from_slice(chain);
}

/// The dofs that move at least one of two bodies.
fn edge_chain(model: &Model, [first, second]: [usize; 2]) -> impl Iterator<Item = usize> + '_ {
    merged_chains(model, first, second).map(|(dof, _)| dof)
}

/// Lists the edges of each vertex.
fn list_edges_of_verts(model: &mut Model, flex: usize, listed: &mut usize) {
    let verts = verts_of(model, flex);
    for edge in edges_of(model, flex) {
        for vert in edge_verts(model, flex, edge) {
            model.flex_vertedgenum[vert] += 1;
        }
    }
    for vert in verts.clone() {
        model.flex_vertedgeadr[vert] = *listed as i32;
        *listed += model.flex_vertedgenum[vert] as usize;
    }
    let mut filled = vec![0; verts.len()];
    let first_edge = model.flex_edgeadr[flex];
    for edge in edges_of(model, flex) {
        for vert in edge_verts(model, flex, edge) {
            let count = &mut filled[vert - verts.start];
            let adr = model.flex_vertedgeadr[vert] as usize + *count;
            *count += 1;
            model.flex_vertedge.as_flattened_mut()[adr] = edge as i32 - first_edge;
        }
    }
}

/// The edges of a vertex.
fn edges_of_vert(model: &Model, flex: usize, vert: usize) -> impl Iterator<Item = usize> + '_ {
    let list = range(model.flex_vertedgeadr[vert], model.flex_vertedgenum[vert]);
    let first = model.flex_edgeadr[flex];
    model.flex_vertedge.as_flattened()[list].iter().map(move |&edge| (first + edge) as usize)
}

/// Sets `flex_vertmetric`: the inverse of `Σ w dx dxᵀ` over the edges of a vertex, where `dx` is the
/// edge at rest in the plane of the shell and `w` the mass of the body at its other end.
fn set_metrics(model: &mut Model, flex: usize) {
    let size = model.flex_size[flex];
    for vert in verts_of(model, flex) {
        let mut sum = [0.0; 4];
        for edge in edges_of_vert(model, flex, vert) {
            let [first, second] = edge_verts(model, flex, edge);
            let rest = (model.flex_vert0[second] - model.flex_vert0[first]).scaled(size * 2.0);
            let other = if vert == first { second } else { first };
            let weight = match usize::try_from(model.flex_vertbodyid[other]) {
                Ok(body) => model.body_mass[body].max(MINVAL),
                Err(_) => 1.0,
            };
            for row in 0..2 {
                for column in 0..2 {
                    sum[2 * row + column] += weight * rest[row] * rest[column];
                }
            }
        }
        let determinant = sum[0] * sum[3] - sum[1] * sum[2];
        if determinant.abs() >= MINVAL {
            let inverse = 1.0 / determinant;
            model.flex_vertmetric[vert] =
                [sum[3] * inverse, -sum[1] * inverse, -sum[2] * inverse, sum[0] * inverse];
        }
    }
}

/// Sets the two rows of each vertex, which are alike: the dofs that move it or a neighbour.
fn vertex_patterns(model: &mut Model, flex: usize, chain: &mut Vec<i32>) {
    let verts = verts_of(model, flex);
    let mut start = match verts.start.checked_sub(1) {
        Some(before) => model.flexvert_J_rowadr[before][1] + model.flexvert_J_rownnz[before][1],
        None => 0,
    };
    for vert in verts {
        chain.clear();
        for edge in edges_of_vert(model, flex, vert) {
            for body in edge_bodies(model, flex, edge) {
                chain.extend(dof_chain(model, body).map(|dof| dof as i32));
            }
        }
        chain.sort_unstable();
        chain.dedup();
        let count = chain.len() as i32;
        model.flexvert_J_rownnz[vert] = [count; 2];
        model.flexvert_J_rowadr[vert] = [start, start + count];
        for adr in model.flexvert_J_rowadr[vert] {
            let columns = model.flexvert_J_colind.as_flattened_mut();
            columns[adr as usize..][..chain.len()].copy_from_slice(chain);
        }
        start += 2 * count;
        // the next row is set whether it is one of this flex or not
        if let Some(next) = model.flexvert_J_rowadr.get_mut(vert + 1) {
            next[0] = start;
        }
    }
}

/// Turns the rest positions of shells whose vertices are held so that the first triangle lies flat.
pub(super) fn align_flexes(model: &mut Model) {
    for flex in 0..model.nflex {
        if !holds_verts(model, flex) {
            continue;
        }
        let first = model.flex_elemdataadr[flex] as usize;
        let verts = verts_of(model, flex);
        let corner = |k: usize| model.flex_vert0[verts.start + model.flex_elem[first + k] as usize];
        let (edge1, edge2) = (corner(1) - corner(0), corner(2) - corner(0));
        let (normal, _) = edge1.cross(edge2).normalized();
        let turn = Quat::from_z_to(normal).to_mat();
        for vert in verts {
            model.flex_vert0[vert] = turn.transpose_mul(model.flex_vert0[vert]);
        }
    }
}

/// Sets `flexedge_length0`, also of rigid flexes; those of interpolated flexes are zero.
pub(super) fn set_edge_lengths(model: &mut Model, data: &Data) {
    for flex in 0..model.nflex {
        for edge in edges_of(model, flex) {
            model.flexedge_length0[edge] = if model.flex_interp[flex] == 0 {
                let [first, second] = edge_verts(model, flex, edge);
                let to = vertex_position(model, data, flex, second);
                (to - vertex_position(model, data, flex, first)).norm()
            } else {
                0.0
            };
        }
    }
}

/// Where a vertex is that a body carries.
fn vertex_position(model: &Model, data: &Data, flex: usize, vert: usize) -> Vec3 {
    let body = model.flex_vertbodyid[vert] as usize;
    match model.flex_centered[flex] {
        0 => data.xmat[body] * model.flex_vert[vert] + data.xpos[body],
        _ => data.xpos[body],
    }
}

/// Sets `flexedge_invweight0`, the inverse inertia seen by a pull along an edge: the mean of its
/// ends if they are free, `J M⁻¹ Jᵀ` elsewhere, zero for a rigid edge and one that nothing acts on.
pub(super) fn set_edge_invweights(model: &mut Model, data: &Data, plan: &Plan) {
    let pulls = edge_jacobian(model, data);
    let mut row = vec![0.0; model.nv];
    for flex in (0..model.nflex).filter(|_| model.nv > 0) {
        if model.flex_interp[flex] != 0 {
            continue;
        }
        for edge in edges_of(model, flex) {
            let bodies = edge_bodies(model, flex, edge);
            model.flexedge_invweight0[edge] = if model.flexedge_rigid[edge] != 0 {
                0.0
            } else if bodies.iter().all(|&body| model.body_simple[body] == 2) {
                let [first, second] = bodies.map(|body| 1.0 / model.body_mass[body]);
                (first + second) / 2.0
            } else {
                row.fill(0.0);
                let entries = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
                let columns = &model.flexedge_J_colind[entries.clone()];
                let pull = || columns.iter().map(|&dof| dof as usize).zip(&pulls[entries.clone()]);
                pull().for_each(|(dof, &value)| row[dof] = value);
                solve_ldl(&mut row, &data.qLD, &data.qLDiagInv, model.m_pattern(plan));
                pull().map(|(dof, &value)| value * row[dof]).sum()
            };
        }
    }
}

/// Computes the Jacobian of the lengths of edges in the reference configuration.
fn edge_jacobian(model: &Model, data: &Data) -> Vec<f64> {
    let mut jacobian = vec![0.0; model.nJfe];
    for flex in (0..model.nflex).filter(|&flex| is_soft(model, flex)) {
        if model.flex_edgeequality[flex] != BY_EDGE && !edges_act(model, flex) {
            continue;
        }
        for edge in edges_of(model, flex) {
            let bodies = edge_bodies(model, flex, edge);
            let ends =
                edge_verts(model, flex, edge).map(|vert| vertex_position(model, data, flex, vert));
            let (direction, _) = (ends[1] - ends[0]).normalized();
            let offset = [0, 1].map(|end| com_offset(model, data, ends[end], bodies[end]));
            let entries = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
            let chain = merged_chains(model, bodies[0], bodies[1]);
            // the chain comes from the last dof to the first
            for (entry, (dof, moves)) in jacobian[entries].iter_mut().rev().zip(chain) {
                let at = |end: usize| data.cdof[dof].at(offset[end]);
                let column = match moves {
                    Moves::First => -at(0),
                    Moves::Second => at(1),
                    Moves::Both => at(1) - at(0),
                };
                *entry = column.dot(direction);
            }
        }
    }
    jacobian
}

/// Makes bodies as large as the edges that end at them; those of nodes as large as the box.
pub(super) fn grow_bodies(model: &Model, data: &Data, sizes: &mut [f64]) {
    for flex in 0..model.nflex {
        if model.flex_interp[flex] != 0 {
            let nodes = range(model.flex_nodeadr[flex], model.flex_nodenum[flex]);
            let bodies = &model.flex_nodebodyid[nodes];
            for &first in bodies {
                for &second in bodies {
                    let apart = (data.xpos[first as usize] - data.xpos[second as usize]).norm();
                    sizes[first as usize] = sizes[first as usize].max(apart);
                }
            }
            continue;
        }
        for edge in edges_of(model, flex) {
            for body in edge_bodies(model, flex, edge) {
                sizes[body] = sizes[body].max(model.flexedge_length0[edge]);
            }
        }
    }
}
