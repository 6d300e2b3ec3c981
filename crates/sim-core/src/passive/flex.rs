//! Elastic forces of flexes.
//!
//! | part | energy | force |
//! |---|---|---|
//! | bending of cloth | quadratic in the four vertices around an edge | `b x`, `b` 4x4 per edge |
//! | membranes, solids | Saint Venant-Kirchhoff, quadratic in squared edge lengths | `K z` along edges, `K` per element |
//! | interpolated flexes | linear elasticity in a corotated frame | `K u`, one matrix over the nodes |
//! | edges | springs and dampers | along the edge |

use wide::f64x4;

use crate::constraint::Sides;
use crate::math::{Vec3, mul_mat_vec};
use crate::model::{Disable, ELEMENT_EDGES, Flex, MAX_NODES, range};
use crate::smooth::{Corotated, Link, Spoke, apply_ft};
use crate::{Data, Model};

/// Scratch space of elastic forces.
#[derive(Debug, Clone, Default)]
pub(crate) struct FlexWork {
    /// Growth of the squared lengths of edges, and the tension along them that follows.
    growth: Vec<f64>,
    tension: Vec<f64>,
    /// Forces on vertices.
    force: Vec<Vec3>,
    /// Positions, velocities and forces of vertices in lanes, the last of which is empty.
    pub(crate) points: Vec<f64x4>,
    velocities: Vec<f64x4>,
    springs: Vec<f64x4>,
    dampers: Vec<f64x4>,
    /// Sides of bounding volumes.
    pub(crate) sides: Vec<[f64x4; 2]>,
    /// What moves vertices, and the edges at one of them.
    pub(crate) links: Vec<Link>,
    pub(crate) spokes: Vec<Spoke>,
}

/// Adds the forces of elastic flexes to `qfrc_spring` and `qfrc_damper`.
pub(super) fn flex_forces(model: &Model, data: &mut Data) {
    for flex in model.flexes().filter(|flex| flex.dim > 1 && !flex.is_rigid()) {
        if flex.dim == 2 && flex.order == 0 {
            bending(model, data, &flex);
        }
        // the first number tells whether there is any stiffness
        if flex.stiffness().first().is_none_or(|&first| first == 0.0) {
            continue;
        }
        if flex.order > 0 {
            corotated(model, data, &flex);
        } else {
            saint_venant_kirchhoff(model, data, &flex);
        }
    }
    for flex in model.flexes().filter(|flex| !flex.is_rigid()) {
        edge_springs(model, data, &flex);
    }
}

/// Adds the forces of thin plates: a quadratic energy in the positions of the two triangles at an
/// edge, and a term of the reference curvature. Dofs are taken to be along the axes of the world.
fn bending(model: &Model, data: &mut Data, flex: &Flex<'_>) {
    let flaps = &model.flex_edgeflap[flex.edges.clone()];
    let (spring, damper) = (!model.disabled(Disable::Spring), !model.disabled(Disable::Damper));
    let damping = if damper { model.flex_damping[flex.id] } else { 0.0 };
    // at the border there is nothing to bend
    if (!spring && damping == 0.0) || flaps.iter().all(|flaps| flaps[1] < 0) {
        return;
    }
    let mut work = std::mem::take(&mut data.work.flex);
    let FlexWork { points, velocities, springs, dampers, .. } = &mut work;
    let dofs = |vert: usize| model.body_dofs(flex.vert_bodies()[vert] as usize);
    let count = flex.verts.len();
    points.clear();
    points.extend(data.flexvert_xpos[flex.verts.clone()].iter().map(|&point| lanes(point)));
    velocities.clear();
    velocities.extend((0..count).map(|vert| match data.qvel[dofs(vert)] {
        [x, y, z, ..] => lanes(Vec3::new(x, y, z)),
        _ => f64x4::ZERO,
    }));
    for forces in [&mut *springs, &mut *dampers] {
        forces.clear();
        forces.resize(count, f64x4::ZERO);
    }

    let coefs = &model.flex_bending[flex.edges.clone()];
    for ((ends, flaps), coefs) in flex.edge_verts().iter().zip(flaps).zip(coefs) {
        if flaps[1] < 0 {
            continue;
        }
        let corners = [ends[0], ends[1], flaps[0], flaps[1]].map(|vert| vert as usize);
        let b = coefs.as_chunks::<4>().0;
        if spring {
            let x = corners.map(|vert| points[vert]);
            let mut forces = [0, 1, 2, 3].map(|i| product(&b[i], &x));
            if coefs[16] != 0.0 {
                let curved = curvature(&x);
                forces = [0, 1, 2, 3].map(|i| forces[i] + curved[i] * coefs[16]);
            }
            for (&vert, force) in corners.iter().zip(forces) {
                springs[vert] += force;
            }
        }
        if damping != 0.0 {
            let x = corners.map(|vert| velocities[vert]);
            for (i, &vert) in corners.iter().enumerate() {
                dampers[vert] += product(&b[i], &x);
            }
        }
    }

    for (forces, scale, qfrc) in
        [(&springs, 1.0, &mut data.qfrc_spring), (&dampers, damping, &mut data.qfrc_damper)]
    {
        for (vert, force) in forces.iter().enumerate() {
            for (out, force) in qfrc[dofs(vert)].iter_mut().zip(&force.to_array()[..3]) {
                *out -= force * scale;
            }
        }
    }
    data.work.flex = work;
}

fn lanes(v: Vec3) -> f64x4 {
    f64x4::new([v.x, v.y, v.z, 0.0])
}

/// Gradients of six times the volume of a tetrahedron by its corners.
fn curvature(x: &[f64x4; 4]) -> [f64x4; 4] {
    let [e0, e1, e2] = [1, 2, 3].map(|i| {
        let [x, y, z, _] = (x[i] - x[0]).to_array();
        Vec3::new(x, y, z)
    });
    let [f1, f2, f3] = [e1.cross(e2), e2.cross(e0), e0.cross(e1)];
    [-(f1 + f2 + f3), f1, f2, f3].map(lanes)
}

/// A row of a 4x4 matrix times four vectors.
#[inline]
fn product(row: &[f64; 4], x: &[f64x4; 4]) -> f64x4 {
    x[0] * row[0] + x[1] * row[1] + x[2] * row[2] + x[3] * row[3]
}

/// Adds the forces of membranes and solids of Saint Venant-Kirchhoff material, whose energy is a
/// quadratic form in the growth of squared edge lengths, `z = L² − L₀² + (L² − P²) d / h` with the
/// length `P` before the last step, which is damping in the sense of Rayleigh.
///
/// Kharevych et al., Geometric, variational integrators for computer animation (2006), §5.2. All of
/// it counts as springs, whether springs or dampers are switched off.
fn saint_venant_kirchhoff(model: &Model, data: &mut Data, flex: &Flex<'_>) {
    let mut work = std::mem::take(&mut data.work.flex);
    let FlexWork { growth, tension, force, .. } = &mut work;
    let h = model.opt.timestep;
    let damping = if h > 0.0 { model.flex_damping[flex.id] / h } else { 0.0 };
    growth.clear();
    growth.extend(flex.edges.clone().map(|edge| {
        let (length, rest) = (data.flexedge_length[edge], model.flexedge_length0[edge]);
        let before = length - data.flexedge_velocity[edge] * h;
        let squared = length * length;
        squared - rest * rest + (squared - before * before) * damping
    }));

    // what elements add to the tension of their edges
    tension.clear();
    tension.resize(growth.len(), 0.0);
    let stiffness = &model.flex_stiffness[flex.elems.clone()];
    match flex.dim {
        2 => tensions::<3>(flex, stiffness, growth, tension),
        _ => tensions::<6>(flex, stiffness, growth, tension),
    }

    let verts = &data.flexvert_xpos[flex.verts.clone()];
    force.clear();
    force.resize(verts.len(), Vec3::ZERO);
    for (&[first, second], &tension) in flex.edge_verts().iter().zip(&*tension) {
        let (first, second) = (first as usize, second as usize);
        let pull = (verts[first] - verts[second]) * tension;
        force[first] -= pull;
        force[second] += pull;
    }

    let mut qfrc = std::mem::take(&mut data.qfrc_spring);
    for ((&force, &body), &point) in force.iter().zip(flex.vert_bodies()).zip(verts) {
        let body = body as usize;
        if model.body_simple[body] == 2 {
            for (out, force) in qfrc[model.body_dofs(body)].iter_mut().zip(force.to_array()) {
                *out += force;
            }
        } else {
            apply_ft(model, data, force, Vec3::ZERO, point, body, &mut qfrc);
        }
    }
    data.qfrc_spring = qfrc;
    data.work.flex = work;
}

/// Adds `K z` of all elements to the tensions of their `N` edges; `K` is stored by rows of its upper
/// triangle.
fn tensions<const N: usize>(
    flex: &Flex<'_>,
    stiffness: &[[f64; 21]],
    growth: &[f64],
    tension: &mut [f64],
) {
    debug_assert_eq!(N, ELEMENT_EDGES[flex.dim - 1].len());
    for (edges, k) in flex.elem_edges().as_chunks::<N>().0.iter().zip(stiffness) {
        let z = edges.map(|edge| growth[edge as usize]);
        let mut sum = [0.0; N];
        let mut at = 0;
        for i in 0..N {
            sum[i] += k[at] * z[i];
            for j in i + 1..N {
                let k = k[at + j - i];
                sum[i] += k * z[j];
                sum[j] += k * z[i];
            }
            at += N - i;
        }
        for (&edge, sum) in edges.iter().zip(sum) {
            tension[edge as usize] += sum;
        }
    }
}

/// Adds the forces on the nodes of an interpolated flex: linear elasticity in the frame that turns
/// with its centre. Nodes that are not at the origin of their body are pushed at the turned point, as
/// in the reference.
fn corotated(model: &Model, data: &mut Data, flex: &Flex<'_>) {
    let state = Corotated::new(model, data, flex);
    let count = flex.nodes.len();
    let size = 3 * count;
    let stiffness = &flex.stiffness()[..size * size];
    let rest = &model.flex_node0[flex.nodes.clone()];
    let mut displacement = [Vec3::ZERO; MAX_NODES];
    for i in 0..count {
        displacement[i] = state.pos[i] - rest[i];
    }
    let damping = model.flex_damping[flex.id];
    let parts = [(Disable::Spring, displacement, 1.0), (Disable::Damper, state.vel, damping)];
    for (flag, x, scale) in parts {
        if model.disabled(flag) || scale == 0.0 {
            continue;
        }
        let mut force = [Vec3::ZERO; MAX_NODES];
        let out = &mut bytemuck::cast_slice_mut::<_, f64>(&mut force)[..size];
        mul_mat_vec(out, stiffness, &bytemuck::cast_slice(&x)[..size]);
        let target = match flag {
            Disable::Spring => &mut data.qfrc_spring,
            _ => &mut data.qfrc_damper,
        };
        let mut qfrc = std::mem::take(target);
        let turn = state.quat.conjugate();
        for (i, &body) in flex.node_bodies().iter().enumerate() {
            let (body, force) = (body as usize, turn.rotate(force[i]) * scale);
            if flex.is_centered() {
                for (out, force) in qfrc[model.body_dofs(body)].iter_mut().zip(force.to_array()) {
                    *out += force;
                }
            } else {
                apply_ft(model, data, force, Vec3::ZERO, state.pos[i], body, &mut qfrc);
            }
        }
        match flag {
            Disable::Spring => data.qfrc_spring = qfrc,
            _ => data.qfrc_damper = qfrc,
        }
    }
}

/// Adds the springs and dampers along edges.
fn edge_springs(model: &Model, data: &mut Data, flex: &Flex<'_>) {
    let unless = |flag: Disable, value: f64| if model.disabled(flag) { 0.0 } else { value };
    let stiffness = unless(Disable::Spring, model.flex_edgestiffness[flex.id]);
    let damping = unless(Disable::Damper, model.flex_edgedamping[flex.id]);
    if stiffness == 0.0 && damping == 0.0 {
        return;
    }
    let Data { ref flexedge_J, ref flexedge_length, ref flexedge_velocity, .. } = *data;
    let Data { ref mut qfrc_spring, ref mut qfrc_damper, .. } = *data;
    if stiffness != 0.0 {
        add_along_edges(model, flex, flexedge_J, qfrc_spring, |edge| {
            stiffness * (model.flexedge_length0[edge] - flexedge_length[edge])
        });
    }
    if damping != 0.0 {
        let force = |edge: usize| -damping * flexedge_velocity[edge];
        add_along_edges(model, flex, flexedge_J, qfrc_damper, force);
    }
}

/// Adds forces along the edges that are not rigid: `qfrc += Jᵀ f`.
fn add_along_edges(
    model: &Model,
    flex: &Flex<'_>,
    jacobian: &[f64],
    qfrc: &mut [f64],
    force: impl Fn(usize) -> f64,
) {
    for edge in flex.edges.clone().filter(|&edge| model.flexedge_rigid[edge] == 0) {
        let row = range(model.flexedge_J_rowadr[edge], model.flexedge_J_rownnz[edge]);
        let force = force(edge);
        let (dofs, values) = (&model.flexedge_J_colind[row.clone()], &jacobian[row]);
        if let (Ok(dofs), Ok(values)) = (<&[i32; 6]>::try_from(dofs), <&[f64; 6]>::try_from(values))
        {
            // two vertices with three slides each
            for i in 0..6 {
                qfrc[dofs[i] as usize] += values[i] * force;
            }
            continue;
        }
        for (&dof, value) in dofs.iter().zip(values) {
            qfrc[dof as usize] += value * force;
        }
    }
}

/// Stiffness of the contacts of passive flexes.
const CONTACT_STIFFNESS: f64 = 1e4;

/// Adds the contacts of passive flexes to `qfrc_spring`: springs along their normals, which also pull
/// within the margin, as in the reference.
pub(super) fn flex_contacts(model: &Model, data: &mut Data) {
    if model.disabled(Disable::Contact) || data.contact.iter().all(|contact| contact.exclude != 4) {
        return;
    }
    let mut qfrc = std::mem::take(&mut data.qfrc_spring);
    for i in 0..data.contact.len() {
        let contact = &data.contact[i];
        if contact.exclude != 4 {
            continue;
        }
        let force = contact.frame.row(0) * (-CONTACT_STIFFNESS * contact.dist);
        let sides = Sides::new(model, data, contact);
        for &(body, share) in sides.parts() {
            apply_ft(model, data, force * share, Vec3::ZERO, contact.pos, body, &mut qfrc);
        }
        let moves = |&(body, _): &(usize, f64)| model.body_weldid[body] != 0;
        if model.is_sparse() && !sides.parts().iter().any(moves) {
            data.contact[i].exclude = 3;
        }
    }
    data.qfrc_spring = qfrc;
}
