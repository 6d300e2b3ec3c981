//! Bounding volume hierarchy: a binary tree of boxes over the geoms of a body.

use sim_core::math::Vec3;

use crate::nth_element::nth_element;
use crate::pose::{EPS, Pose, rotate};

/// What the hierarchy is built over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Leaf {
    /// Id of the geom.
    pub id: i32,
    /// Pose in the frame of the body.
    pub pose: Pose,
    /// Bounding box in the frame of the geom: centre and half sizes.
    pub aabb: [f64; 6],
}

/// One box of the hierarchy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Node {
    /// Distance from the root.
    pub depth: i32,
    /// Indices of the two halves, −1 in a leaf.
    pub child: [i32; 2],
    /// Id of the geom of a leaf, −1 elsewhere.
    pub id: i32,
    /// Centre and half sizes in the frame of the hierarchy.
    pub aabb: [f64; 6],
}

/// Builds the hierarchy over `leaves`, aligned with `frame` (the inertial frame of the body).
///
/// Every box is split at the median of its longest side; nodes come in depth-first order.
pub(super) fn build(leaves: &[Leaf], frame: Pose) -> Vec<Node> {
    let mut items: Vec<Item> =
        leaves.iter().enumerate().map(|(order, leaf)| Item::new(leaf, frame, order)).collect();
    let mut nodes = Vec::with_capacity((2 * items.len()).saturating_sub(1));
    if !items.is_empty() {
        split(&mut items, 0, &mut nodes);
    }
    nodes
}

/// Builds the hierarchy over boxes, each with an id, a centre and half sizes.
pub(super) fn build_over_boxes(boxes: &[(i32, [f64; 6])]) -> Vec<Node> {
    let item = |(order, &(id, [x, y, z, dx, dy, dz])): (usize, &(i32, [f64; 6]))| Item {
        id,
        order,
        centre: Vec3::new(x, y, z),
        min: Vec3::new(x - dx, y - dy, z - dz),
        max: Vec3::new(x + dx, y + dy, z + dz),
    };
    let mut items: Vec<Item> = boxes.iter().enumerate().map(item).collect();
    let mut nodes = Vec::with_capacity((2 * items.len()).saturating_sub(1));
    if !items.is_empty() {
        split(&mut items, 0, &mut nodes);
    }
    nodes
}

/// Whether the node of the given index is a leaf in a hierarchy over `count` leaves.
pub(super) fn is_leaf(mut count: usize, mut node: usize) -> bool {
    while count > 1 && node > 0 {
        let low = count / 2;
        (count, node) =
            if node < 2 * low { (low, node - 1) } else { (count - low, node - 2 * low) };
    }
    count == 1 && node == 0
}

/// A leaf in the frame of the hierarchy.
#[derive(Debug, Clone, Copy)]
struct Item {
    id: i32,
    order: usize,
    centre: Vec3,
    min: Vec3,
    max: Vec3,
}

impl Item {
    fn new(leaf: &Leaf, frame: Pose, order: usize) -> Item {
        let inverse = frame.quat.conjugate();
        let to_frame = |p: Vec3| rotate(inverse, p - frame.pos);
        let [x, y, z, dx, dy, dz] = leaf.aabb;
        let (low, high) = (Vec3::new(x - dx, y - dy, z - dz), Vec3::new(x + dx, y + dy, z + dz));
        let mut min = Vec3::new(f64::MAX, f64::MAX, f64::MAX);
        let mut max = -min;
        for corner in 0..8 {
            let pick = |i: usize| if corner >> i & 1 == 1 { high[i] } else { low[i] };
            let point = rotate(leaf.pose.quat, Vec3::new(pick(0), pick(1), pick(2)));
            let point = rotate(inverse, point + (leaf.pose.pos - frame.pos));
            for i in 0..3 {
                min[i] = min[i].min(point[i]);
                max[i] = max[i].max(point[i]);
            }
        }
        Item { id: leaf.id, order, centre: to_frame(leaf.pose.pos), min, max }
    }
}

/// Adds the node over `items` and those below it; returns its index.
fn split(items: &mut [Item], depth: i32, nodes: &mut Vec<Node>) -> i32 {
    let mut min = Vec3::new(f64::MAX, f64::MAX, f64::MAX);
    let mut max = -min;
    for item in &*items {
        for i in 0..3 {
            min[i] = min[i].min(item.min[i]);
            max[i] = max[i].max(item.max[i]);
        }
    }
    // a box is never flat
    for i in 0..3 {
        if (min[i] - max[i]).abs() < EPS {
            min[i] -= EPS;
            max[i] += EPS;
        }
    }
    let mut aabb = [0.0; 6];
    for i in 0..3 {
        aabb[i] = (max[i] + min[i]) / 2.0;
        aabb[3 + i] = (max[i] - min[i]) / 2.0;
    }

    let index = nodes.len();
    nodes.push(Node { depth, child: [-1, -1], id: -1, aabb });
    if let [item] = items {
        nodes[index].id = item.id;
        return index as i32;
    }

    let edge = max - min;
    let mut axis = 0;
    if edge.y >= edge.x + EPS {
        axis = 1;
    }
    if edge.z >= edge[axis] + EPS {
        axis = 2;
    }
    let middle = items.len() / 2;
    nth_element(items, middle, |a, b| before(a, b, axis));
    let (low, high) = items.split_at_mut(middle);
    let child = [split(low, depth + 1, nodes), split(high, depth + 1, nodes)];
    nodes[index].child = child;
    index as i32
}

/// Whether an item comes before another along an axis: by their centres, or by their order where
/// those are as good as equal.
fn before(a: &Item, b: &Item, axis: usize) -> bool {
    let difference = a.centre[axis] - b.centre[axis];
    if difference.abs() > EPS { difference < 0.0 } else { a.order < b.order }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::math::Quat;

    fn ball(id: i32, x: f64) -> Leaf {
        let pose = Pose { pos: Vec3::new(x, 0.0, 0.0), quat: Quat::IDENTITY };
        Leaf { id, pose, aabb: [0.0, 0.0, 0.0, 0.5, 0.5, 0.5] }
    }

    #[test]
    fn three_balls_in_a_row_give_one_and_two() {
        let nodes = build(&[ball(7, 4.0), ball(8, 0.0), ball(9, 2.0)], Pose::IDENTITY);
        assert_eq!(nodes.iter().map(|n| n.id).collect::<Vec<_>>(), [-1, 8, -1, 9, 7]);
        assert_eq!(nodes.iter().map(|n| n.depth).collect::<Vec<_>>(), [0, 1, 1, 2, 2]);
        assert_eq!(nodes[0].child, [1, 2]);
        assert_eq!(nodes[2].child, [3, 4]);
        assert_eq!(nodes[0].aabb, [2.0, 0.0, 0.0, 2.5, 0.5, 0.5]);
        assert_eq!(nodes[2].aabb, [3.0, 0.0, 0.0, 1.5, 0.5, 0.5]);
    }

    #[test]
    fn leaves_are_known_without_building() {
        for count in 0..20 {
            let balls: Vec<Leaf> = (0..count).map(|i| ball(i, f64::from(i))).collect();
            let nodes = build(&balls, Pose::IDENTITY);
            for node in 0..50 {
                let leaf = nodes.get(node).is_some_and(|node| node.id >= 0);
                assert_eq!(is_leaf(count as usize, node), leaf);
            }
        }
    }

    #[test]
    fn nothing_gives_no_nodes() {
        assert_eq!(build(&[], Pose::IDENTITY), []);
    }
}
