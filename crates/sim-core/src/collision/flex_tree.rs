//! Pairs of elements whose boxes overlap, found in the bounding volumes of flexes.

use super::flex::{Bounds, bounds_apart};
use crate::model::Flex;
use crate::{Data, Model};

/// Lists the pairs of elements of two flexes, or of one, whose bounding volumes come closer than
/// `margin`, in the order of the reference's search. MuJoCo: `mj_collideTree`.
///
/// What is compared to decide which of two volumes is opened is not their surface, as was meant, but
/// it decides on the order.
pub(super) fn descend(
    model: &Model,
    data: &Data,
    first: &Flex<'_>,
    second: &Flex<'_>,
    margin: f64,
    stack: &mut Vec<[u32; 2]>,
    found: &mut Vec<[u32; 2]>,
) {
    let own = first.id == second.id;
    let starts = [first.volumes().start, second.volumes().start];
    let boxes = [first, second].map(|flex| &data.bvh_aabb_dyn[flex.moving_volumes()]);
    stack.clear();
    stack.push([0, 0]);
    while let Some(nodes) = stack.pop() {
        let [a, b] = nodes.map(|node| node as usize);
        if own && a > b {
            continue;
        }
        let elems =
            [model.bvh_nodeid[starts[0] + a], model.bvh_nodeid[starts[1] + b]].map(u32::try_from);
        if let [Ok(i), Ok(j)] = elems {
            found.push([i, j]);
            continue;
        }
        if bounds_apart(&boxes[0][a], &boxes[1][b], margin) {
            continue;
        }
        let open_first = match elems {
            [Err(_), Ok(_)] => true,
            [Ok(_), _] => false,
            _ => size(&boxes[0][a]) > size(&boxes[1][b]),
        };
        if open_first {
            let children = model.bvh_child[starts[0] + a];
            stack.extend(children.map(|child| [child as u32, nodes[1]]));
        } else {
            let children = model.bvh_child[starts[1] + b];
            stack.extend(children.map(|child| [nodes[0], child as u32]));
        }
    }
}

fn size(bounds: &Bounds) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|i| bounds[i + 3] - bounds[i]);
    x * y + y * z + z * x
}

/// Lists the pairs of elements of a flex whose boxes overlap and that share no body, in any order.
pub(super) fn overlaps(
    model: &Model,
    data: &Data,
    flex: &Flex<'_>,
    bodies: &mut Vec<[i32; 4]>,
    stack: &mut Vec<[u32; 2]>,
    found: &mut Vec<[u32; 2]>,
) {
    list_bodies(flex, bodies);
    let start = flex.volumes().start;
    let boxes = &data.bvh_aabb_dyn[flex.moving_volumes()];
    let elem = |node: usize| u32::try_from(model.bvh_nodeid[start + node]).ok();
    stack.clear();
    stack.push([0, 0]);
    while let Some(nodes) = stack.pop() {
        let [a, b] = nodes.map(|node| node as usize);
        if a == b {
            if elem(a).is_none() {
                let [left, right] = model.bvh_child[start + a].map(|child| child as u32);
                stack.extend([[left, left], [right, right], [left, right]]);
            }
            continue;
        }
        if bounds_apart(&boxes[a], &boxes[b], 0.0) {
            continue;
        }
        match (elem(a), elem(b)) {
            (Some(i), Some(j)) => {
                if !share(&bodies[i as usize], &bodies[j as usize]) {
                    found.push([i, j]);
                }
            }
            // the larger one is opened
            (first, second)
                if second.is_some() || first.is_none() && larger(&boxes[a], &boxes[b]) =>
            {
                let children = model.bvh_child[start + a];
                stack.extend(children.map(|child| [child as u32, nodes[1]]));
            }
            _ => {
                let children = model.bvh_child[start + b];
                stack.extend(children.map(|child| [nodes[0], child as u32]));
            }
        }
    }
}

fn larger(a: &Bounds, b: &Bounds) -> bool {
    a[3] + a[4] + a[5] > b[3] + b[4] + b[5]
}

/// Lists the bodies of the corners of all elements; −1 where there is none.
fn list_bodies(flex: &Flex<'_>, out: &mut Vec<[i32; 4]>) {
    let bodies = flex.vert_bodies();
    out.clear();
    out.extend(flex.elem_verts().chunks_exact(flex.dim + 1).map(|verts| {
        let mut list = [-1; 4];
        for (out, &vert) in list.iter_mut().zip(verts) {
            *out = bodies[vert as usize];
        }
        list
    }));
}

/// Whether two lists have a body in common.
#[inline]
fn share(a: &[i32; 4], b: &[i32; 4]) -> bool {
    let mut any = false;
    for &body in a {
        let mut equal = false;
        for &other in b {
            equal |= body == other;
        }
        any |= equal & (body >= 0);
    }
    any
}
