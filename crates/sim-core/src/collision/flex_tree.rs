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
