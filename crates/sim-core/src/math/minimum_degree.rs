use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An order in which to eliminate the nodes of a graph so that few new edges arise: approximate
/// minimum degree on the quotient graph.
///
/// Amestoy, Davis, Duff, An approximate minimum degree ordering algorithm (1996). Ties go to the
/// node of lower index, so the order is a function of the graph.
#[derive(Debug, Clone, Default)]
pub(crate) struct MinimumDegree {
    /// The nodes, in the order of elimination.
    pub(crate) order: Vec<u32>,
    /// The nodes that each one is tied to when it is eliminated: all those lists, and where the one
    /// of each node is.
    ties: Vec<u32>,
    list: Vec<List>,
    /// Size of all nodes in the list of each node.
    weight: Vec<u32>,

    /// Neighbours of each node: nodes, then eliminated nodes that stand for their lists.
    slots: Vec<u32>,
    slot: Vec<Slot>,
    degree: Vec<u32>,
    heap: BinaryHeap<Reverse<(u32, u32)>>,
    /// Nodes that are done with, and eliminated nodes whose list is part of a later one.
    eliminated: Vec<bool>,
    absorbed: Vec<bool>,
    /// Nodes in the list of the current one, and eliminated nodes that it has met, by the number
    /// of the current one; what these have outside the list.
    marked: Vec<u32>,
    met: Vec<u32>,
    outside: Vec<u32>,
}

#[derive(Debug, Clone, Copy, Default)]
struct List {
    start: usize,
    end: usize,
}

#[derive(Debug, Clone, Copy, Default)]
struct Slot {
    start: usize,
    nodes: usize,
    lists: usize,
}

impl MinimumDegree {
    /// Orders nodes of the given sizes. `pairs` has every edge once.
    pub(crate) fn run(&mut self, sizes: &[u32], pairs: &[[u32; 2]]) {
        self.start(sizes, pairs);
        let mut remaining: u32 = sizes.iter().sum();
        while let Some(Reverse((degree, pivot))) = self.heap.pop() {
            let node = pivot as usize;
            if self.eliminated[node] || self.degree[node] != degree {
                continue;
            }
            self.order.push(pivot);
            let turn = self.order.len() as u32;
            self.eliminated[node] = true;
            remaining -= sizes[node];
            self.form_list(pivot, turn, sizes);
            self.update(pivot, turn, remaining, sizes);
        }
    }

    /// The nodes that `node` is tied to when it is eliminated, in no particular order.
    pub(crate) fn ties(&self, node: u32) -> &[u32] {
        let List { start, end } = self.list[node as usize];
        &self.ties[start..end]
    }

    /// The size of all these nodes.
    pub(crate) fn weight(&self, node: u32) -> u32 {
        self.weight[node as usize]
    }

    fn start(&mut self, sizes: &[u32], pairs: &[[u32; 2]]) {
        let n = sizes.len();
        self.order.clear();
        self.ties.clear();
        self.heap.clear();
        reset(&mut self.list, n, List::default());
        reset(&mut self.slot, n, Slot::default());
        reset(&mut self.eliminated, n, false);
        reset(&mut self.absorbed, n, false);
        for counts in
            [&mut self.weight, &mut self.degree, &mut self.marked, &mut self.met, &mut self.outside]
        {
            reset(counts, n, 0);
        }

        for &node in pairs.iter().flatten() {
            self.slot[node as usize].nodes += 1;
        }
        let mut start = 0;
        for slot in &mut self.slot {
            slot.start = start;
            start += std::mem::take(&mut slot.nodes);
        }
        reset(&mut self.slots, start, 0);
        for &[a, b] in pairs {
            for (node, other) in [(a, b), (b, a)] {
                let slot = &mut self.slot[node as usize];
                self.slots[slot.start + slot.nodes] = other;
                slot.nodes += 1;
                self.degree[node as usize] += sizes[other as usize];
            }
        }
        self.heap.extend((0u32..).zip(&self.degree).map(|(node, &degree)| Reverse((degree, node))));
    }

    /// Gathers what the pivot is tied to.
    fn form_list(&mut self, pivot: u32, turn: u32, sizes: &[u32]) {
        let node = pivot as usize;
        let start = self.ties.len();
        let Slot { start: slot, nodes, lists } = self.slot[node];
        let mut weight = 0;
        self.marked[node] = turn;
        let mut add = |other: u32, ties: &mut Vec<u32>| {
            if self.marked[other as usize] != turn {
                self.marked[other as usize] = turn;
                weight += sizes[other as usize];
                ties.push(other);
            }
        };
        for at in slot..slot + nodes {
            add(self.slots[at], &mut self.ties);
        }
        for at in slot + nodes..slot + nodes + lists {
            let source = self.slots[at] as usize;
            self.absorbed[source] = true;
            for k in self.list[source].start..self.list[source].end {
                add(self.ties[k], &mut self.ties);
            }
        }
        self.list[node] = List { start, end: self.ties.len() };
        self.weight[node] = weight;
    }

    /// Brings the neighbours and degrees of what the pivot is tied to up to date.
    fn update(&mut self, pivot: u32, turn: u32, remaining: u32, sizes: &[u32]) {
        let List { start, end } = self.list[pivot as usize];
        for k in start..end {
            let node = self.ties[k] as usize;
            let Slot { start, nodes, lists } = self.slot[node];
            for at in start + nodes..start + nodes + lists {
                let source = self.slots[at] as usize;
                if self.met[source] != turn {
                    self.met[source] = turn;
                    self.outside[source] = self.weight[source];
                }
                self.outside[source] -= sizes[node];
            }
        }
        for k in start..end {
            let node = self.ties[k] as usize;
            let Slot { start, nodes, lists } = self.slot[node];
            let own = self.weight[pivot as usize] - sizes[node];
            let mut degree = own;
            let mut kept = start;
            for at in start..start + nodes {
                let other = self.slots[at];
                if self.marked[other as usize] != turn {
                    degree += sizes[other as usize];
                    self.slots[kept] = other;
                    kept += 1;
                }
            }
            let nodes_kept = kept - start;
            for at in start + nodes..start + nodes + lists {
                let source = self.slots[at] as usize;
                // a list that has nothing outside the new one is part of it
                if self.absorbed[source] || self.outside[source] == 0 {
                    continue;
                }
                degree += self.outside[source];
                self.slots[kept] = source as u32;
                kept += 1;
            }
            // the pivot takes the place of itself or of a list that it has absorbed
            self.slots[kept] = pivot;
            self.slot[node] =
                Slot { start, nodes: nodes_kept, lists: kept - start - nodes_kept + 1 };
            let degree = degree.min(self.degree[node] + own).min(remaining - sizes[node]);
            self.degree[node] = degree;
            self.heap.push(Reverse((degree, node as u32)));
        }
    }
}

/// Makes `x` a list of `n` times `value`.
pub(crate) fn reset<T: Clone>(x: &mut Vec<T>, n: usize, value: T) {
    x.clear();
    x.resize(n, value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_eliminated_without_fill() {
        let pairs: Vec<[u32; 2]> = (0..9).map(|k| [k, k + 1]).collect();
        let mut elimination = MinimumDegree::default();
        elimination.run(&[1; 10], &pairs);
        assert!((0..10).all(|node| elimination.ties(node).len() <= 1));
    }

    #[test]
    fn a_star_is_eliminated_from_its_tips() {
        let pairs: Vec<[u32; 2]> = (1..10).map(|k| [0, k]).collect();
        let mut elimination = MinimumDegree::default();
        elimination.run(&[6; 10], &pairs);
        assert_eq!(&elimination.order[..8], &[1, 2, 3, 4, 5, 6, 7, 8]);
        assert!((1..9).all(|node| elimination.ties(node) == [0]));
    }

    #[test]
    fn ties_are_those_of_elimination_one_by_one() {
        let mut random = 1u64;
        let mut next = |n: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) % n
        };
        let mut elimination = MinimumDegree::default();
        for n in [1, 2, 5, 20, 60] {
            let mut edges = std::collections::BTreeSet::new();
            for _ in 0..3 * n {
                let (a, b) = (next(n) as u32, next(n) as u32);
                if a != b {
                    edges.insert([a.min(b), a.max(b)]);
                }
            }
            let pairs: Vec<[u32; 2]> = edges.iter().copied().collect();
            let sizes: Vec<u32> = (0..n).map(|_| 1 + next(6) as u32).collect();
            elimination.run(&sizes, &pairs);
            assert_eq!(elimination.order.len(), n as usize);
            for &node in &elimination.order {
                let expected: std::collections::BTreeSet<u32> = edges
                    .iter()
                    .filter(|pair| pair.contains(&node))
                    .map(|pair| pair[0] + pair[1] - node)
                    .collect();
                let ties: std::collections::BTreeSet<u32> =
                    elimination.ties(node).iter().copied().collect();
                assert_eq!(ties, expected);
                let size: u32 = ties.iter().map(|&node| sizes[node as usize]).sum();
                assert_eq!(elimination.weight(node), size);
                edges.retain(|pair| !pair.contains(&node));
                for &a in &ties {
                    edges.extend(ties.range(a + 1..).map(|&b| [a, b]));
                }
            }
        }
    }
}
