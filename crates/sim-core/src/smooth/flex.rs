//! Flexes: where their vertices are, and the boxes around their elements.

use wide::f64x4;

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
    let points = &mut data.work.flex.points;
    for flex in model.flexes() {
        points.clear();
        points.extend(
            flexvert_xpos[flex.verts.clone()].iter().map(|v| f64x4::new([v.x, v.y, v.z, 0.0])),
        );
        let out = &mut flexelem_aabb[flex.elems.clone()];
        let radius = model.flex_radius[flex.id];
        match flex.dim {
            1 => element_boxes::<2>(&flex, points, radius, out),
            2 => element_boxes::<3>(&flex, points, radius, out),
            _ => element_boxes::<4>(&flex, points, radius, out),
        }
    }
}

fn element_boxes<const N: usize>(
    flex: &Flex<'_>,
    points: &[f64x4],
    radius: f64,
    out: &mut [[f64; 6]],
) {
    for (elem, out) in flex.elem_verts().as_chunks::<N>().0.iter().zip(out) {
        let mut low = points[elem[0] as usize];
        let mut high = low;
        for &vert in &elem[1..] {
            let point = points[vert as usize];
            low = point.fast_min(low);
            high = point.fast_max(high);
        }
        *out = packed((high + low) * 0.5, (high - low) * 0.5 + f64x4::splat(radius));
    }
}

/// Centre and half sizes side by side.
#[inline]
fn packed(centre: f64x4, half: f64x4) -> [f64; 6] {
    let ([x, y, z, _], [a, b, c, _]) = (centre.to_array(), half.to_array());
    [x, y, z, a, b, c]
}

/// Computes `bvh_aabb_dyn`: leaves have the boxes of their elements, others hold their children.
fn volumes(model: &Model, data: &mut Data) {
    let Data { ref flexelem_aabb, ref mut bvh_aabb_dyn, .. } = *data;
    // least and largest coordinates
    let sides = &mut data.work.flex.sides;
    for flex in model.flexes() {
        let boxes = &mut bvh_aabb_dyn[flex.moving_volumes()];
        let elems = &flexelem_aabb[flex.elems.clone()];
        let ids = &model.bvh_nodeid[flex.volumes()];
        let children = &model.bvh_child[flex.volumes()];
        sides.resize(boxes.len(), [f64x4::ZERO; 2]);
        // parents come before their children
        for at in (0..boxes.len()).rev() {
            let (centre, half) = match usize::try_from(ids[at]) {
                Ok(elem) => {
                    boxes[at] = elems[elem];
                    let [x, y, z, a, b, c] = elems[elem];
                    (f64x4::new([x, y, z, 0.0]), f64x4::new([a, b, c, 0.0]))
                }
                Err(_) => {
                    let [a, b] = children[at].map(|child| sides[child as usize]);
                    let (low, high) = (a[0].fast_min(b[0]), a[1].fast_max(b[1]));
                    let (centre, half) = ((high + low) * 0.5, (high - low) * 0.5);
                    boxes[at] = packed(centre, half);
                    (centre, half)
                }
            };
            sides[at] = [centre - half, centre + half];
        }
    }
}
