//! The elasticity of interpolated flexes in the implicit integrators.

use crate::math::{MINVAL, Mat3, Vec3, factor_cholesky, mul_mat_vec, solve_cholesky};
use crate::model::{Flex, Integrator, MAX_NODES};
use crate::smooth::{Corotated, com_offset, dof_chain};
use crate::{Data, Model};

/// Scratch space of the stage.
#[derive(Debug, Clone, Default)]
pub(crate) struct InterpolatedWork {
    /// The dofs of a system, and the place in it of every dof.
    dofs: Vec<usize>,
    place: Vec<u32>,
    matrix: Vec<f64>,
    force: Vec<f64>,
    /// Product of the stiffness with the velocity.
    product: Vec<f64>,
    /// Dofs and axes of the nodes of a flex, one node after the other.
    columns: Vec<(u32, Vec3)>,
    /// Bodies of nodes by number of flexes.
    users: Vec<u32>,
}

/// The place of a dof that is not in the system.
const NONE: u32 = u32::MAX;

/// Solves once more for the dofs that move the nodes of interpolated flexes, with their stiffness and
/// damping treated implicitly:
/// ```text
/// (M − h D + (h² + h d) Jᵀ K J) a = f − h Jᵀ K J v
/// ```
/// `qacc` is the solution without them; other dofs keep it. Flexes whose nodes are free and belong to
/// no other flex make systems of their own, the rest is solved together.
///
/// As in the reference, the velocity term of all flexes is scaled with the damping of the first, and
/// of the coupling with dofs that move several nodes only what is below the diagonal counts, in the
/// order of nodes.
pub(super) fn solve_interpolated(model: &Model, data: &mut Data, qacc: &mut [f64]) {
    if model.nflex == 0 || model.flex_interp.iter().all(|&order| order == 0) {
        return;
    }
    if data.some_sleep(model) {
        return;
    }
    let mut work = std::mem::take(&mut data.work.interpolated);
    count_users(model, &mut work.users);
    let users = std::mem::take(&mut work.users);
    let interpolated = || model.flexes().filter(|flex| flex.order > 0);
    let alone = |flex: &Flex<'_>| {
        let mut bodies = flex.node_bodies().iter().map(|&body| body as usize);
        bodies.all(|body| model.body_simple[body] == 2 && users[body] == 1)
    };
    for flex in interpolated().filter(alone) {
        solve(model, data, || std::iter::once(flex.clone()), qacc, &mut work);
    }
    solve(model, data, || interpolated().filter(|flex| !alone(flex)), qacc, &mut work);
    work.users = users;
    data.work.interpolated = work;
}

/// Counts how many nodes each body has.
fn count_users(model: &Model, users: &mut Vec<u32>) {
    users.clear();
    users.resize(model.nbody, 0);
    for flex in model.flexes().filter(|flex| flex.order > 0) {
        for &body in flex.node_bodies() {
            users[body as usize] += 1;
        }
    }
}

/// Solves for the dofs of some flexes.
fn solve<'a, I: Iterator<Item = Flex<'a>>>(
    model: &Model,
    data: &Data,
    flexes: impl Fn() -> I,
    qacc: &mut [f64],
    work: &mut InterpolatedWork,
) {
    let InterpolatedWork { dofs, place, matrix, force, product, columns, .. } = work;
    list_dofs(model, flexes(), dofs, place);
    let n = dofs.len();
    if n == 0 {
        return;
    }
    matrix.clear();
    matrix.resize(n * n, 0.0);
    force.clear();
    force.extend(dofs.iter().map(|&dof| data.qfrc_smooth[dof] + data.qfrc_constraint[dof]));

    // inertia and derivatives by velocity; what leads out of the system is known
    for i in 0..n {
        each_element(model, data, dofs[i], |dof, value| match place[dof] {
            NONE => force[i] -= value * qacc[dof],
            j => matrix[i * n + j as usize] += value,
        });
    }

    let h = model.opt.timestep;
    let first = h * h + h * model.flex_damping[0];
    let factor = if first > MINVAL { h / first } else { 0.0 };
    product.clear();
    product.resize(n, 0.0);
    for flex in flexes() {
        let scale = h * h + h * model.flex_damping[flex.id];
        let soft = flex.stiffness().first().is_none_or(|&first| first == 0.0);
        if !flex.is_rigid() && !soft && scale != 0.0 {
            add_stiffness(model, data, &flex, scale, place, matrix, product, columns);
        }
    }
    for (force, product) in force.iter_mut().zip(&*product) {
        *force += product * factor;
    }
    factor_cholesky(matrix, n, MINVAL);
    solve_cholesky(force, matrix, n);
    for (&dof, &value) in dofs.iter().zip(&*force) {
        qacc[dof] = value;
    }
}

/// Lists the dofs of the bodies of all nodes, each once, in the order of their last mention.
fn list_dofs<'a>(
    model: &Model,
    flexes: impl Iterator<Item = Flex<'a>>,
    dofs: &mut Vec<usize>,
    place: &mut Vec<u32>,
) {
    dofs.clear();
    place.clear();
    place.resize(model.nv, NONE);
    for flex in flexes {
        for &body in flex.node_bodies() {
            for dof in model.body_dofs(body as usize) {
                place[dof] = dofs.len() as u32;
                dofs.push(dof);
            }
        }
    }
    let mut at = 0;
    dofs.retain(|&dof| {
        at += 1;
        place[dof] == at - 1
    });
    for (i, &dof) in dofs.iter().enumerate() {
        place[dof] = i as u32;
    }
}

/// Calls `f(dof, value)` for the elements of a row of `M − h D`: all of them where that is
/// unsymmetric, otherwise those of the lower triangle.
fn each_element(model: &Model, data: &Data, dof: usize, mut f: impl FnMut(usize, f64)) {
    let h = model.opt.timestep;
    if model.opt.integrator == Integrator::Implicit as i32 {
        for at in model.d_row(dof) {
            let mass = usize::try_from(model.mapM2D[at]).map_or(0.0, |adr| data.M[adr]);
            f(model.D_colind[at] as usize, mass - h * data.qDeriv[at]);
        }
    } else {
        for at in model.m_row(dof) {
            let slope = data.qDeriv[model.mapD2M[at] as usize];
            f(model.M_colind[at] as usize, data.M[at] - h * slope);
        }
    }
}

/// Adds the stiffness of a flex, turned to the world, to the lower triangle of `matrix`, and its
/// product with the velocity to `product`. The model stores `−K`.
fn add_stiffness(
    model: &Model,
    data: &Data,
    flex: &Flex<'_>,
    scale: f64,
    place: &[u32],
    matrix: &mut [f64],
    product: &mut [f64],
    columns: &mut Vec<(u32, Vec3)>,
) {
    let n = product.len();
    let state = Corotated::new(model, data, flex);
    let count = flex.nodes.len();
    let size = 3 * count;
    let stiffness = &flex.stiffness()[..size * size];
    let turn = state.quat.to_mat();
    let back = turn.transpose();

    // axes of the dofs that move each node, and the velocities of the nodes
    columns.clear();
    let mut starts = [0; MAX_NODES + 1];
    let mut velocity = [Vec3::ZERO; MAX_NODES];
    for (node, &body) in flex.node_bodies().iter().enumerate() {
        let body = body as usize;
        let offset = com_offset(model, data, state.pos[node], body);
        for dof in dof_chain(model, body) {
            let axis = data.cdof[dof].at(offset);
            velocity[node] += axis * data.qvel[dof];
            if place[dof] != NONE {
                columns.push((place[dof], axis));
            }
        }
        starts[node + 1] = columns.len();
        velocity[node] = turn * velocity[node];
    }

    let mut force = [Vec3::ZERO; MAX_NODES];
    let out = &mut bytemuck::cast_slice_mut::<_, f64>(&mut force)[..size];
    mul_mat_vec(out, stiffness, &bytemuck::cast_slice(&velocity)[..size]);
    for node in 0..count {
        let force = back * force[node] * scale;
        for &(i, axis) in &columns[starts[node]..starts[node + 1]] {
            product[i as usize] += axis.dot(force);
        }
    }

    for a in 0..count {
        let own = &columns[starts[a]..starts[a + 1]];
        for b in 0..count {
            let others = &columns[starts[b]..starts[b + 1]];
            // nothing of it is below the diagonal
            let least = others.iter().map(|column| column.0).min();
            if own.iter().map(|column| column.0).max() < least {
                continue;
            }
            let at = |r: usize, c: usize| stiffness[(3 * a + r) * size + 3 * b + c];
            let local = Mat3(std::array::from_fn(|i| at(i / 3, i % 3)));
            let block = back * (local * turn) * scale;
            for &(j, axis) in others {
                let column = block * axis;
                for &(i, axis) in own.iter().filter(|&&(i, _)| i >= j) {
                    matrix[i as usize * n + j as usize] -= axis.dot(column);
                }
            }
        }
    }
}
