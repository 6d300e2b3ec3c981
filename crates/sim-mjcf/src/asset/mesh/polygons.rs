//! Polygons: triangles in the same plane, joined.
//!
//! Triangles are grouped by their normals, which count as equal within a tolerance. That makes no
//! order, so which groups there are depends on the search tree that finds them: a red-black tree
//! (Guibas and Sedgewick 1978), as in the reference. The boundary of a group is made of edges
//! that no two of its triangles share; a group may have several islands, and so several polygons.

use std::cmp::Ordering;

use sim_core::math::Vec3;

use super::{MINVAL, corners};

/// Cosine of the angle within which normals are the same.
const SAME: f64 = 0.999_998_72;

/// Cross products shorter than this give no normal.
const EPS: f64 = 1e-14;

const NONE: u32 = u32::MAX;

/// The polygons of a mesh, and those at each vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Polygons {
    /// Number of corners of each polygon.
    pub vertnum: Vec<i32>,
    /// Corners of all polygons, one after the other.
    pub vert: Vec<i32>,
    /// Number of polygons at each vertex.
    pub mapnum: Vec<i32>,
    /// Polygons at all vertices, one after the other.
    pub map: Vec<i32>,
}

impl Polygons {
    /// Joins the triangles `face` of a mesh.
    pub(super) fn new(vert: &[Vec3], face: &[[i32; 3]]) -> Polygons {
        let mut groups = Tree::default();
        let mut boundary = Boundary::new(face.len());
        for &f in face {
            let normal = normal(corners(vert, f));
            match groups.find(normal) {
                Some(group) => boundary.attach(group, f),
                None => {
                    if let Some(group) = groups.insert(normal) {
                        boundary.begin(group, f);
                    }
                }
            }
        }
        let mut polygons = Polygons::default();
        boundary.trace(&groups.in_order(), vert.len(), &mut polygons);
        polygons.find_map(vert.len());
        polygons
    }

    /// Computes the normals of the polygons from their first three corners.
    pub(super) fn normals(&self, vert: &[Vec3]) -> Vec<Vec3> {
        let mut first = 0;
        let mut next = |&count: &i32| {
            let at = &self.vert[first..];
            first += count as usize;
            normal(corners(vert, [at[0], at[1], at[2]]))
        };
        self.vertnum.iter().map(&mut next).collect()
    }

    /// Lists the polygons at each vertex, in ascending order.
    fn find_map(&mut self, nvert: usize) {
        self.mapnum = vec![0; nvert];
        self.vert.iter().for_each(|&v| self.mapnum[v as usize] += 1);
        let mut next: Vec<usize> = starts(&self.mapnum);
        self.map = vec![0; self.vert.len()];
        let mut corners = self.vert.iter();
        for (polygon, &count) in self.vertnum.iter().enumerate() {
            for &v in corners.by_ref().take(count as usize) {
                self.map[next[v as usize]] = polygon as i32;
                next[v as usize] += 1;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        4 * (7 * self.vertnum.len() + self.vert.len() + 2 * self.mapnum.len() + self.map.len())
    }
}

/// Where each of several lists starts if they come one after the other.
fn starts(counts: &[i32]) -> Vec<usize> {
    let mut sum = 0;
    let mut next = |&count: &i32| {
        sum += count as usize;
        sum - count as usize
    };
    counts.iter().map(&mut next).collect()
}

/// The normal of a triangle; without area it is infinite or not a number, as in the reference.
fn normal([a, b, c]: [Vec3; 3]) -> Vec3 {
    let cross = (b - a).cross(c - a);
    let length = cross.norm();
    if length < EPS { Vec3::X / length } else { cross / length }
}

/// Whether one normal comes before another: by decreasing coordinates, unless they are the same.
#[inline]
fn before(a: Vec3, b: Vec3) -> bool {
    if a.dot(b) > SAME {
        return false;
    }
    let decides = (0..3).find(|&i| (a[i] - b[i]).abs() > MINVAL);
    decides.is_some_and(|i| a[i].partial_cmp(&b[i]) == Some(Ordering::Greater))
}

/// A red-black tree of normals. Nodes are numbered in the order of their insertion.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
    root: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    normal: Vec3,
    /// Left and right.
    child: [u32; 2],
    parent: u32,
    red: bool,
}

impl Tree {
    /// The first node that is not before `normal` on the way down, if `normal` is not before it.
    fn find(&self, normal: Vec3) -> Option<u32> {
        let (mut at, mut found) = (self.root.unwrap_or(NONE), NONE);
        while at != NONE {
            let node = &self.nodes[at as usize];
            if before(node.normal, normal) {
                at = node.child[1];
            } else {
                found = at;
                at = node.child[0];
            }
        }
        (found != NONE && !before(normal, self.nodes[found as usize].normal)).then_some(found)
    }

    /// Adds a node, unless there is an equal one on the way down.
    fn insert(&mut self, normal: Vec3) -> Option<u32> {
        let (mut at, mut parent, mut side) = (self.root.unwrap_or(NONE), NONE, 0);
        while at != NONE {
            let node = &self.nodes[at as usize];
            side = if before(normal, node.normal) {
                0
            } else if before(node.normal, normal) {
                1
            } else {
                return None;
            };
            parent = at;
            at = node.child[side];
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { normal, child: [NONE; 2], parent, red: true });
        if parent == NONE {
            self.root = Some(new);
        } else {
            self.nodes[parent as usize].child[side] = new;
        }
        self.rebalance(new);
        Some(new)
    }

    /// Restores that no red node has a red parent.
    fn rebalance(&mut self, mut at: u32) {
        while self.is_red(self.parent(at)) {
            let parent = self.parent(at);
            let grandparent = self.parent(parent);
            let side = self.side(parent);
            let uncle = self.nodes[grandparent as usize].child[1 - side];
            if self.is_red(uncle) {
                self.nodes[parent as usize].red = false;
                self.nodes[uncle as usize].red = false;
                self.nodes[grandparent as usize].red = true;
                at = grandparent;
                continue;
            }
            // an inner grandchild becomes an outer one, then the grandparent moves down
            if self.side(at) != side {
                self.rotate(parent, side);
            }
            let top = self.nodes[grandparent as usize].child[side];
            self.nodes[top as usize].red = false;
            self.nodes[grandparent as usize].red = true;
            self.rotate(grandparent, 1 - side);
            break;
        }
        let root = self.root.unwrap_or(NONE);
        self.nodes[root as usize].red = false;
    }

    fn parent(&self, at: u32) -> u32 {
        self.nodes[at as usize].parent
    }

    fn is_red(&self, at: u32) -> bool {
        at != NONE && self.nodes[at as usize].red
    }

    /// Whether a node is the left or the right child of its parent.
    fn side(&self, at: u32) -> usize {
        usize::from(self.nodes[self.parent(at) as usize].child[1] == at)
    }

    /// Moves a node down to `side`; its child on the other side takes its place.
    fn rotate(&mut self, at: u32, side: usize) {
        let up = self.nodes[at as usize].child[1 - side];
        let inner = self.nodes[up as usize].child[side];
        self.nodes[at as usize].child[1 - side] = inner;
        if inner != NONE {
            self.nodes[inner as usize].parent = at;
        }
        let parent = self.parent(at);
        self.nodes[up as usize].parent = parent;
        if parent == NONE {
            self.root = Some(up);
        } else {
            let place = self.side(at);
            self.nodes[parent as usize].child[place] = up;
        }
        self.nodes[up as usize].child[side] = at;
        self.nodes[at as usize].parent = up;
    }

    /// The nodes from left to right.
    fn in_order(&self) -> Vec<u32> {
        let (mut order, mut open) = (Vec::with_capacity(self.nodes.len()), Vec::new());
        let mut at = self.root.unwrap_or(NONE);
        while at != NONE || !open.is_empty() {
            while at != NONE {
                open.push(at);
                at = self.nodes[at as usize].child[0];
            }
            if let Some(node) = open.pop() {
                order.push(node);
                at = self.nodes[node as usize].child[1];
            }
        }
        order
    }
}

/// Directed edges of triangles that no other triangle of their group has met yet.
#[derive(Debug)]
struct Boundary {
    /// All edges in the order in which they came; those that were met are dead.
    edges: Vec<Edge>,
    /// Chains of living edges with the same hash, by their last.
    buckets: Vec<u32>,
    shift: u32,
    /// Islands in the order in which they began: the earlier one that each was joined to.
    islands: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Edge {
    from: i32,
    to: i32,
    group: u32,
    island: u32,
    /// The one before it in the chain.
    chain: u32,
    alive: bool,
}

impl Boundary {
    fn new(faces: usize) -> Boundary {
        let bits = (3 * faces).next_power_of_two().trailing_zeros().max(1);
        Boundary {
            edges: Vec::with_capacity(3 * faces),
            buckets: vec![NONE; 1 << bits],
            shift: 64 - bits,
            islands: Vec::new(),
        }
    }

    /// Starts a group with a triangle.
    fn begin(&mut self, group: u32, [a, b, c]: [i32; 3]) {
        let island = self.new_island();
        [(a, b), (b, c), (c, a)].into_iter().for_each(|edge| self.add(group, island, edge));
    }

    /// Adds a triangle to its group. Edges that run against its own are met; the islands that they
    /// belong to become one.
    fn attach(&mut self, group: u32, [a, b, c]: [i32; 3]) {
        let sides = [(a, b), (b, c), (c, a)];
        let mut island = None;
        let met = sides.map(|(from, to)| {
            let edge = self.remove(group, to, from)?;
            let other = self.root(self.edges[edge as usize].island);
            let joined = island.map_or(other, |island: u32| {
                let (low, high) = (island.min(other), island.max(other));
                self.islands[high as usize] = low;
                low
            });
            island = Some(joined);
            Some(())
        });
        let island = island.unwrap_or_else(|| self.new_island());
        for (side, met) in sides.into_iter().zip(met) {
            if met.is_none() {
                self.add(group, island, side);
            }
        }
    }

    fn new_island(&mut self) -> u32 {
        let island = self.islands.len() as u32;
        self.islands.push(island);
        island
    }

    /// The island that an island has become part of.
    fn root(&mut self, mut island: u32) -> u32 {
        while self.islands[island as usize] != island {
            let up = self.islands[island as usize];
            self.islands[island as usize] = self.islands[up as usize];
            island = up;
        }
        island
    }

    fn bucket(&self, from: i32, to: i32) -> usize {
        let key = (from as u64) << 32 | to as u64;
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    fn add(&mut self, group: u32, island: u32, (from, to): (i32, i32)) {
        let bucket = self.bucket(from, to);
        let chain = self.buckets[bucket];
        self.buckets[bucket] = self.edges.len() as u32;
        self.edges.push(Edge { from, to, group, island, chain, alive: true });
    }

    /// Removes the earliest such edge, if there is one.
    fn remove(&mut self, group: u32, from: i32, to: i32) -> Option<u32> {
        let bucket = self.bucket(from, to);
        let (mut at, mut after) = (self.buckets[bucket], NONE);
        let (mut found, mut found_after) = (NONE, NONE);
        while at != NONE {
            let edge = &self.edges[at as usize];
            if edge.from == from && edge.to == to && edge.group == group {
                (found, found_after) = (at, after);
            }
            (after, at) = (at, edge.chain);
        }
        let edge = self.edges.get_mut(found as usize)?;
        edge.alive = false;
        let chain = edge.chain;
        match self.edges.get_mut(found_after as usize) {
            Some(edge) => edge.chain = chain,
            None => self.buckets[bucket] = chain,
        }
        Some(found)
    }

    /// Follows the boundaries of the groups, in the given order, and adds the polygons.
    fn trace(mut self, order: &[u32], nvert: usize, polygons: &mut Polygons) {
        // living edges by group, in the order in which they came
        let mut counts = vec![0; order.len()];
        let living = |edge: &&Edge| edge.alive;
        self.edges.iter().filter(living).for_each(|edge| counts[edge.group as usize] += 1);
        let first = starts(&counts);
        let mut next = first.clone();
        let mut sorted = vec![NONE; counts.iter().sum::<i32>() as usize];
        for (id, edge) in self.edges.iter().enumerate().filter(|(_, edge)| edge.alive) {
            sorted[next[edge.group as usize]] = id as u32;
            next[edge.group as usize] += 1;
        }

        let mut tracer = Tracer { from: vec![NONE; nvert], path: Vec::new() };
        for &group in order {
            let group = group as usize;
            let edges = &sorted[first[group]..next[group]];
            if let &[a, b, c] = edges {
                let start = [a, b, c].map(|edge| self.edges[edge as usize].from);
                polygons.vertnum.push(3);
                polygons.vert.extend(start);
                continue;
            }
            // edges of each island, islands in the order in which they began
            let mut pieces: Vec<(u32, u32)> = edges
                .iter()
                .map(|&edge| (self.root(self.edges[edge as usize].island), edge))
                .collect();
            pieces.sort_unstable();
            for island in pieces.chunk_by(|a, b| a.0 == b.0) {
                tracer.trace(&self.edges, island, edges[0], polygons);
            }
        }
    }
}

/// Follows the boundary of one island at a time.
struct Tracer {
    /// The first edge from each vertex.
    from: Vec<u32>,
    path: Vec<i32>,
}

impl Tracer {
    /// Adds the polygon that the edges of an island make, if they lead back to their start.
    ///
    /// `skipped` is the first edge of the group, which only starts a path, as in the reference.
    fn trace(
        &mut self,
        edges: &[Edge],
        island: &[(u32, u32)],
        skipped: u32,
        polygons: &mut Polygons,
    ) {
        for &(_, edge) in island.iter().rev().filter(|(_, edge)| *edge != skipped) {
            self.from[edges[edge as usize].from as usize] = edge;
        }
        let start = edges[island[0].1 as usize];
        self.path.clear();
        self.path.extend([start.from, start.to]);
        let mut at = start.to;
        for _ in 0..=island.len() {
            let edge = self.from[at as usize];
            if edge == NONE {
                break;
            }
            at = edges[edge as usize].to;
            if at == start.from {
                if self.path.len() > 2 {
                    polygons.vertnum.push(self.path.len() as i32);
                    polygons.vert.extend(&self.path);
                }
                break;
            }
            self.path.push(at);
        }
        for &(_, edge) in island {
            self.from[edges[edge as usize].from as usize] = NONE;
        }
    }
}
