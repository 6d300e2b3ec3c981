//! Edges, border and layers of a flex: what follows from its elements alone.

use std::collections::{HashMap, VecDeque};

/// Edges of an element by dimension, as pairs of its vertices.
pub(super) const EDGES: [&[[usize; 2]]; 3] =
    [&[[0, 1]], &[[1, 2], [2, 0], [0, 1]], &[[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [1, 3]]];

/// The sides of an element by dimension: vertices of a line, edges of a triangle, faces of a
/// tetrahedron, seen from outside.
const SIDES: [&[&[usize]]; 3] = [
    &[&[0], &[1]],
    &[&[0, 1], &[2, 0], &[1, 2]],
    &[&[0, 1, 2], &[0, 3, 1], &[0, 2, 3], &[1, 3, 2]],
];

/// What follows from the elements of a flex.
#[derive(Debug, Default)]
pub(super) struct Topology {
    /// The two vertices of each edge, the smaller first.
    pub edge: Vec<[i32; 2]>,
    /// The edges of each element.
    pub elemedge: Vec<i32>,
    /// By edge of a shell: its vertices as the first triangle has them, the third vertex of that
    /// triangle, and that of the last other one, −1 if there is none.
    pub flap: Vec<[i32; 4]>,
    /// Vertices of the sides that are on the border.
    pub shell: Vec<i32>,
    /// Layer of each element: how far it is from the border.
    pub layer: Vec<i32>,
    /// Element and vertex that are neighbours at the border.
    pub evpair: Vec<[i32; 2]>,
}

impl Topology {
    /// Finds edges, border and layers of elements with `dim + 1` vertices each.
    pub(super) fn new(elem: &[i32], dim: usize) -> Topology {
        let mut topology = Topology::default();
        topology.add_edges(elem, dim);
        topology.add_border(elem, dim);
        topology
    }

    /// Numbers edges as they are met.
    fn add_edges(&mut self, elem: &[i32], dim: usize) {
        let mut known: HashMap<[i32; 2], usize> = HashMap::with_capacity(elem.len());
        for vertices in elem.chunks_exact(dim + 1) {
            for &[a, b] in EDGES[dim - 1] {
                let (first, second) = (vertices[a], vertices[b]);
                let pair = [first.min(second), first.max(second)];
                let next = self.edge.len();
                let index = *known.entry(pair).or_insert(next);
                self.elemedge.push(index as i32);
                if index == next {
                    self.edge.push(pair);
                }
                if dim == 2 {
                    let third = vertices[(b + 1) % 3];
                    if index == next {
                        self.flap.push([first, second, third, -1]);
                    } else {
                        self.flap[index][3] = third;
                    }
                }
            }
        }
    }

    /// Finds sides that only one element has, pairs of elements that share one, and layers.
    fn add_border(&mut self, elem: &[i32], dim: usize) {
        let count = elem.len() / (dim + 1);
        // sorted vertices, element, vertices in order
        let mut sides: Vec<([i32; 3], usize, [i32; 3])> = Vec::with_capacity(elem.len());
        for (e, vertices) in elem.chunks_exact(dim + 1).enumerate() {
            for side in SIDES[dim - 1] {
                let mut own = [0; 3];
                own.iter_mut().zip(*side).for_each(|(vertex, &k)| *vertex = vertices[k]);
                let mut sorted = own;
                sorted[..dim].sort_unstable();
                sides.push((sorted, e, own));
            }
        }
        sides.sort_unstable();

        let mut border = vec![false; count];
        let mut pairs: Vec<(usize, usize, [i32; 3])> = Vec::new();
        for same in sides.chunk_by(|a, b| a.0 == b.0) {
            if let [(_, e, own)] = same {
                border[*e] = true;
                self.shell.extend(&own[..dim]);
            }
            pairs.extend(same.windows(2).map(|two| (two[0].1, two[1].1, two[0].0)));
        }
        if dim == 3 {
            self.layer = layers(&border, &pairs);
            return;
        }
        self.layer = vec![0; count];
        let apart = |e: usize, side: &[i32]| {
            let vertices = &elem[e * (dim + 1)..][..dim + 1];
            vertices.iter().copied().find(|vertex| !side.contains(vertex))
        };
        for (first, second, side) in pairs {
            if !(border[first] || border[second]) {
                continue;
            }
            for (e, other) in [(first, second), (second, first)] {
                if let Some(vertex) = apart(e, &side[..dim]) {
                    self.evpair.push([other as i32, vertex]);
                }
            }
        }
    }
}

/// Distances from elements on the border, over pairs that share a side.
fn layers(border: &[bool], pairs: &[(usize, usize, [i32; 3])]) -> Vec<i32> {
    let count = border.len();
    let mut neighbours = vec![Vec::new(); count];
    for &(first, second, _) in pairs {
        neighbours[first].push(second);
        neighbours[second].push(first);
    }
    // what cannot be reached is far away
    let mut layer = vec![count as i32 + 1; count];
    let mut open: VecDeque<usize> = (0..count).filter(|&e| border[e]).collect();
    open.iter().for_each(|&e| layer[e] = 0);
    while let Some(e) = open.pop_front() {
        for &other in &neighbours[e] {
            if layer[other] > layer[e] + 1 {
                layer[other] = layer[e] + 1;
                open.push_back(other);
            }
        }
    }
    layer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_triangles_share_an_edge_that_bends() {
        let square = Topology::new(&[0, 1, 2, 0, 2, 3], 2);
        assert_eq!(square.edge, [[1, 2], [0, 2], [0, 1], [2, 3], [0, 3]]);
        assert_eq!(square.elemedge, [0, 1, 2, 3, 4, 1]);
        assert_eq!(square.flap[1], [2, 0, 1, 3]);
        assert_eq!(square.shell, [0, 1, 3, 0, 1, 2, 2, 3]);
        assert_eq!(square.evpair, [[1, 1], [0, 3]]);
        assert_eq!(square.layer, [0, 0]);
    }

    #[test]
    fn a_chain_has_two_ends() {
        let chain = Topology::new(&[0, 1, 1, 2, 2, 3], 1);
        assert_eq!(chain.shell, [0, 3]);
        assert_eq!(chain.evpair, [[1, 0], [0, 2], [2, 1], [1, 3]]);
    }

    #[test]
    fn a_tetrahedron_inside_others_is_in_the_next_layer() {
        let elem = [0, 1, 2, 3, 0, 1, 2, 4, 0, 3, 1, 5, 0, 2, 3, 6, 1, 3, 2, 7];
        let star = Topology::new(&elem, 3);
        assert_eq!(star.layer, [1, 0, 0, 0, 0]);
        assert_eq!(star.shell.len(), 3 * 12);
        assert_eq!(star.edge.len(), 6 + 4 * 3);
    }
}
