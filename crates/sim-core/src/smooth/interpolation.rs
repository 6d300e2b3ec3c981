//! Interpolated flexes: vertices follow a lattice of 8 or 27 nodes.

use wide::f64x4;

use super::object_velocity;
use crate::math::{Mat3, Quat, Vec3};
use crate::model::{Flex, MAX_NODES, ObjType};
use crate::{Data, Model};

/// Value of basis function `i` at `s`; linear for order 1, quadratic for order 2.
#[inline]
fn basis_1d(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Slope of basis function `i` at `s`.
#[inline]
fn slope_1d(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}

/// Value at `x` of the basis function of a node; the last axis of the lattice runs fastest.
#[doc(alias = "mju_evalBasis")]
#[inline]
pub(crate) fn basis(x: Vec3, node: usize, order: usize) -> f64 {
    let n = order + 1;
    let [i, j, k] = [node / (n * n), node / n % n, node % n];
    basis_1d(x.z, k, order) * basis_1d(x.y, j, order) * basis_1d(x.x, i, order)
}

/// Values of the basis functions of all nodes at the vertices of interpolated flexes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Interpolation {
    flexes: Vec<Weights>,
}

/// The weights of one flex: those of all nodes for four vertices, then for the next four.
#[derive(Debug, Clone, Default)]
struct Weights {
    lanes: Vec<f64x4>,
    /// What they were made from.
    verts: Vec<Vec3>,
    order: usize,
}

impl Interpolation {
    /// Computes the positions of the vertices of `flex` from those of its nodes.
    pub(super) fn positions(
        &mut self,
        model: &Model,
        flex: &Flex<'_>,
        nodes: &[Vec3],
        out: &mut [Vec3],
    ) {
        self.flexes.resize_with(model.nflex.max(self.flexes.len()), Weights::default);
        let weights = &mut self.flexes[flex.id];
        weights.update(&model.flex_vert0[flex.verts.clone()], flex.order);
        if nodes.is_empty() {
            return;
        }
        let rows = weights.lanes.chunks_exact(nodes.len());
        for (out, weights) in out.chunks_mut(4).zip(rows) {
            let mut sum = [f64x4::ZERO; 3];
            for (weight, node) in weights.iter().zip(nodes) {
                sum[0] += *weight * node.x;
                sum[1] += *weight * node.y;
                sum[2] += *weight * node.z;
            }
            let [x, y, z] = sum.map(|sum| sum.to_array());
            for (i, out) in out.iter_mut().enumerate() {
                *out = Vec3::new(x[i], y[i], z[i]);
            }
        }
    }
}

impl Weights {
    fn update(&mut self, verts: &[Vec3], order: usize) {
        let bits = |v: &Vec3| v.to_array().map(f64::to_bits);
        let same = self.verts.len() == verts.len()
            && self.verts.iter().zip(verts).all(|(a, b)| bits(a) == bits(b));
        if same && self.order == order {
            return;
        }
        self.verts.clear();
        self.verts.extend_from_slice(verts);
        self.order = order;
        self.lanes.clear();
        for verts in verts.chunks(4) {
            let vert = |lane: usize| verts.get(lane).copied().unwrap_or(Vec3::ZERO);
            for node in 0..(order + 1).pow(3) {
                let weights = std::array::from_fn(|lane| basis(vert(lane), node, order));
                self.lanes.push(f64x4::new(weights));
            }
        }
    }
}

/// Positions of the nodes of an interpolated flex.
pub(crate) fn node_positions<'a>(
    model: &Model,
    data: &Data,
    flex: &Flex<'_>,
    out: &'a mut [Vec3; MAX_NODES],
) -> &'a [Vec3] {
    let out = &mut out[..flex.nodes.len()];
    let centered = flex.is_centered();
    for ((out, node), &body) in out.iter_mut().zip(flex.nodes.clone()).zip(flex.node_bodies()) {
        let body = body as usize;
        *out = if centered {
            data.xpos[body]
        } else {
            data.xmat[body] * model.flex_node[node] + data.xpos[body]
        };
    }
    out
}

/// An interpolated flex in its corotated frame: the frame of the rotation at the centre of its
/// lattice, with the centre of the unit cube as origin.
pub(crate) struct Corotated {
    /// Positions and velocities of the nodes.
    pub(crate) pos: [Vec3; MAX_NODES],
    pub(crate) vel: [Vec3; MAX_NODES],
    /// Rotation from the world to the frame.
    pub(crate) quat: Quat,
}

impl Corotated {
    /// The state of `flex`. The rotation is that of an iteration with a tolerance, which is part of
    /// the result. MuJoCo: `mj_flexInterpState`.
    pub(crate) fn new(model: &Model, data: &Data, flex: &Flex<'_>) -> Corotated {
        let mut pos = [Vec3::ZERO; MAX_NODES];
        let mut vel = [Vec3::ZERO; MAX_NODES];
        let count = node_positions(model, data, flex, &mut pos).len();
        let centered = flex.is_centered();
        for (vel, &body) in vel.iter_mut().zip(flex.node_bodies()) {
            let body = body as usize;
            *vel = if centered {
                match data.qvel.get(model.body_dofs(body)) {
                    Some(&[x, y, z]) => Vec3::new(x, y, z),
                    _ => Vec3::ZERO,
                }
            } else {
                // of the inertial frame, as in the reference
                object_velocity(model, data, ObjType::Body, body).lin
            };
        }

        let centre = Vec3::new(0.5, 0.5, 0.5);
        let gradient = gradient(centre, &pos[..count], flex.order);
        let quat = gradient.nearest_rotation(Quat::IDENTITY).0.conjugate();
        for i in 0..count {
            pos[i] = quat.rotate(pos[i]) + centre;
            vel[i] = quat.rotate(vel[i]);
        }
        Corotated { pos, vel, quat }
    }
}

/// The deformation gradient at `p`. MuJoCo: `mju_defGradient`.
fn gradient(p: Vec3, nodes: &[Vec3], order: usize) -> Mat3 {
    let n = order + 1;
    let mut sum = Mat3::default();
    for (node, &pos) in nodes.iter().enumerate() {
        let index = [node / (n * n), node / n % n, node % n];
        let value = |axis: usize| basis_1d(p[axis], index[axis], order);
        let slope = |axis: usize| slope_1d(p[axis], index[axis], order);
        let rate = Vec3::new(
            slope(0) * value(1) * value(2),
            value(0) * slope(1) * value(2),
            value(0) * value(1) * slope(2),
        );
        sum = sum + Mat3::outer(pos, rate);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn basis_functions_are_one_at_their_node_and_sum_to_one() {
        for order in [1, 2] {
            let n = order + 1;
            let at = |i: usize| i as f64 / order as f64;
            for node in 0..n * n * n {
                let place = Vec3::new(at(node / (n * n)), at(node / n % n), at(node % n));
                for other in 0..n * n * n {
                    let expected = if node == other { 1.0 } else { 0.0 };
                    assert_eq!(basis(place, other, order), expected);
                }
            }
            let x = Vec3::new(0.3, 0.8, 0.1);
            let sum: f64 = (0..n * n * n).map(|node| basis(x, node, order)).sum();
            assert!((sum - 1.0).abs() < 1e-15);
        }
    }

    #[test]
    fn gradient_of_a_stretched_and_turned_lattice_is_its_linear_map() {
        let map = Mat3([0.0, -2.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0, 3.0]);
        for order in [1, 2] {
            let n = order + 1;
            let at = |i: usize| i as f64 / order as f64;
            let nodes: Vec<Vec3> = (0..n * n * n)
                .map(|i| map * Vec3::new(at(i / (n * n)), at(i / n % n), at(i % n)))
                .collect();
            let found = gradient(Vec3::new(0.5, 0.5, 0.5), &nodes, order);
            for (found, expected) in found.0.iter().zip(map.0) {
                assert!((found - expected).abs() < 1e-15);
            }
        }
    }
}
