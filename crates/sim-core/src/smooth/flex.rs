//! Flexes: where their vertices are, and the boxes around their elements.

use super::flex_edge::edges;
use super::flex_strain::strains;
use super::interpolation::node_positions;
use crate::math::Vec3;
use crate::model::{Disable, Flex, MAX_NODES};
use crate::{Data, Model};

/// Computes what follows from the poses of bodies for flexes: positions of vertices, boxes of
/// elements and of the volumes above them, lengths of edges and their Jacobians, strains at
/// vertices. Runs after `com_pos`.
#[doc(alias = "mj_flex")]
pub fn flex(model: &Model, data: &mut Data) {
    if model.nflex == 0 {
        return;
    }
    vertices(model, data);
    boxes(model, data);
    if !model.disabled(Disable::MidPhase) {
        volumes(model, data);
    }
    edges(model, data);
    strains(model, data);
}

/// Computes `flexvert_xpos`.
fn vertices(model: &Model, data: &mut Data) {
    let mut interpolation = std::mem::take(&mut data.cache.interpolation);
    for flex in model.flexes() {
        if flex.order > 0 {
            let mut nodes = [Vec3::ZERO; MAX_NODES];
            let nodes = node_positions(model, data, &flex, &mut nodes);
            let out = &mut data.flexvert_xpos[flex.verts.clone()];
            interpolation.positions(model, &flex, nodes, out);
            continue;
        }
        let Data { ref xpos, ref xmat, ref mut flexvert_xpos, .. } = *data;
        let out = flexvert_xpos[flex.verts.clone()].iter_mut();
        let verts = &model.flex_vert[flex.verts.clone()];
        if flex.is_centered() {
            for (out, &body) in out.zip(flex.vert_bodies()) {
                *out = xpos[body as usize];
            }
        } else {
            for ((out, &body), &vert) in out.zip(flex.vert_bodies()).zip(verts) {
                *out = xmat[body as usize] * vert + xpos[body as usize];
            }
        }
    }
    data.cache.interpolation = interpolation;
}

/// Computes `flexelem_aabb`: centre and half sizes of the box around the vertices of each element,
/// wider by the radius.
fn boxes(model: &Model, data: &mut Data) {
    let Data { ref flexvert_xpos, ref mut flexelem_aabb, .. } = *data;
    for flex in model.flexes() {
        let verts = &flexvert_xpos[flex.verts.clone()];
        let out = &mut flexelem_aabb[flex.elems.clone()];
        let radius = model.flex_radius[flex.id];
        match flex.dim {
            1 => element_boxes::<2>(&flex, verts, radius, out),
            2 => element_boxes::<3>(&flex, verts, radius, out),
            _ => element_boxes::<4>(&flex, verts, radius, out),
        }
    }
}

fn element_boxes<const N: usize>(
    flex: &Flex<'_>,
    verts: &[Vec3],
    radius: f64,
    out: &mut [[f64; 6]],
) {
    for (elem, out) in flex.elem_verts().as_chunks::<N>().0.iter().zip(out) {
        let corners = elem.map(|vert| verts[vert as usize]);
        let (mut low, mut high) = (corners[0].to_array(), corners[0].to_array());
        for corner in &corners[1..] {
            for (axis, x) in corner.to_array().into_iter().enumerate() {
                low[axis] = if x < low[axis] { x } else { low[axis] };
                high[axis] = if x > high[axis] { x } else { high[axis] };
            }
        }
        *out = std::array::from_fn(|i| match i {
            0..3 => 0.5 * (high[i] + low[i]),
            _ => 0.5 * (high[i - 3] - low[i - 3]) + radius,
        });
    }
}

/// Computes `bvh_aabb_dyn`: leaves have the boxes of their elements, others hold their children.
fn volumes(model: &Model, data: &mut Data) {
    let Data { ref flexelem_aabb, ref mut bvh_aabb_dyn, .. } = *data;
    for flex in model.flexes() {
        let volumes = flex.volumes();
        let boxes = &mut bvh_aabb_dyn[flex.moving_volumes()];
        let elems = &flexelem_aabb[flex.elems.clone()];
        // parents come before their children
        for (at, volume) in volumes.enumerate().rev() {
            boxes[at] = match usize::try_from(model.bvh_nodeid[volume]) {
                Ok(elem) => elems[elem],
                Err(_) => {
                    let [a, b] = model.bvh_child[volume].map(|child| boxes[child as usize]);
                    union(&a, &b)
                }
            };
        }
    }
}

/// The box around two boxes, all as centre and half sizes.
#[inline]
fn union(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    let mut out = [0.0; 6];
    for i in 0..3 {
        let (low_a, low_b) = (a[i] - a[i + 3], b[i] - b[i + 3]);
        let (high_a, high_b) = (a[i] + a[i + 3], b[i] + b[i + 3]);
        let low = if low_a < low_b { low_a } else { low_b };
        let high = if high_a > high_b { high_a } else { high_b };
        out[i] = 0.5 * (high + low);
        out[i + 3] = 0.5 * (high - low);
    }
    out
}
