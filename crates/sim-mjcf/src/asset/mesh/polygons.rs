//! Polygons: triangles in the same plane, joined.
//!
//! Triangles are grouped by their normals, which count as equal within a tolerance. That makes no
//! order, so which groups there are depends on the search tree that finds them: a red-black tree
//! (Guibas and Sedgewick 1978), as in the reference. The boundary of a group is made of edges
//! that no two of its triangles share; a group may have several islands, and so several polygons.

use std::cmp::Ordering;

use sim_core::math::Vec3;

use super::MINVAL;
use super::block::{Corners, Vectors, blocks, get, vectors};

/// Cosine of the angle within which normals are the same.
const SAME: f64 = 0.999_998_72;

/// Unit vectors whose first coordinates are farther apart than this are not the same.
const APART: f64 = 2e-3;

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
        let mut groups = Tree::with_capacity(face.len());
        let mut boundary = Boundary::new(face.len());
        blocks(vert, face.iter().copied(), |block, corners| {
            let normals = normals(corners);
            for (lane, &f) in block.iter().enumerate() {
                match groups.place(get(&normals, lane)) {
                    Place::Found(group) => boundary.attach(group, f),
                    Place::New => boundary.begin(f),
                    Place::Dropped => {}
                }
            }
        });
        let mut polygons = Polygons::default();
        boundary.trace(&groups.in_order(), vert.len(), &mut polygons);
        polygons.find_map(vert.len());
        polygons
    }

    /// Computes the normals of the polygons from their first three corners.
    pub(super) fn normals(&self, vert: &[Vec3]) -> Vec<Vec3> {
        let mut first = 0;
        let corners = self.vertnum.iter().map(|&count| {
            let at = &self.vert[first..];
            first += count as usize;
            [at[0], at[1], at[2]]
        });
        let mut result = Vec::with_capacity(self.vertnum.len());
        blocks(vert, corners, |block, corners| {
            let normals = normals(corners);
            result.extend((0..block.len()).map(|lane| get(&normals, lane)));
        });
        result
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

/// The normals of triangles; without area they are infinite or not numbers, as in the reference.
#[inline]
fn normals(corners: &Corners) -> Vectors {
    vectors(|lane| {
        let cross = corners.cross(lane);
        let length = cross.norm();
        let flat = length < EPS;
        let along = |x: f64, instead: f64| if flat { instead } else { x };
        Vec3::new(along(cross.x, 1.0), along(cross.y, 0.0), along(cross.z, 0.0)) / length
    })
}

/// Compares normals: by decreasing coordinates, unless they are the same.
#[inline]
fn compare(a: Vec3, b: Vec3) -> Ordering {
    if a.dot(b) > SAME {
        return Ordering::Equal;
    }
    let decides = (0..3).find(|&i| (a[i] - b[i]).abs() > MINVAL);
    decides.and_then(|i| b[i].partial_cmp(&a[i])).unwrap_or(Ordering::Equal)
}

/// A red-black tree of normals. Nodes are numbered in the order of their insertion.
#[derive(Debug)]
struct Tree {
    /// What the way down needs of each node, side by side.
    links: Vec<Link>,
    nodes: Vec<Node>,
    root: Option<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    /// The first coordinate of the normal; not a number if that is not of unit length.
    x: f64,
    /// Left and right.
    child: [u32; 2],
}

#[derive(Debug, Clone, Copy)]
struct Node {
    normal: Vec3,
    parent: u32,
    red: bool,
}

/// Where a normal belongs.
enum Place {
    /// To a node of before.
    Found(u32),
    /// To a node that was added for it, the last one.
    New,
    /// Nowhere: it is not found, and equal to a node that is in the way of adding it.
    Dropped,
}

/// The coordinate that decides alone between unit vectors that are far apart.
#[inline]
fn key(normal: Vec3) -> f64 {
    if (normal.dot(normal) - 1.0).abs() < 1e-9 { normal.x } else { f64::NAN }
}

impl Tree {
    /// An empty tree, with room for as many nodes.
    fn with_capacity(nodes: usize) -> Tree {
        let (links, nodes) = (Vec::with_capacity(nodes), Vec::with_capacity(nodes));
        Tree { links, nodes, root: None }
    }

    /// Finds the first node that is not before `normal` on the way down, if `normal` is not before
    /// it; adds a node otherwise.
    fn place(&mut self, normal: Vec3) -> Place {
        let x = key(normal);
        let (mut at, mut parent, mut side) = (self.root.unwrap_or(NONE), NONE, 0);
        let (mut found, mut strict) = (NONE, true);
        while at != NONE {
            let link = &self.links[at as usize];
            let ahead = link.x - x;
            let before = if ahead.abs() > APART {
                ahead > 0.0
            } else {
                let order = compare(self.nodes[at as usize].normal, normal);
                strict &= order != Ordering::Equal;
                order == Ordering::Less
            };
            found = if before { found } else { at };
            side = usize::from(before);
            parent = at;
            at = link.child[side];
        }
        // if all comparisons were strict, adding takes the same way
        if strict {
            self.add(normal, parent, side);
            return Place::New;
        }
        if found != NONE && compare(normal, self.nodes[found as usize].normal) != Ordering::Less {
            return Place::Found(found);
        }
        self.insert(normal)
    }

    /// Adds a node, unless there is an equal one on the way down.
    fn insert(&mut self, normal: Vec3) -> Place {
        let (mut at, mut parent, mut side) = (self.root.unwrap_or(NONE), NONE, 0);
        while at != NONE {
            side = match compare(normal, self.nodes[at as usize].normal) {
                Ordering::Less => 0,
                Ordering::Greater => 1,
                Ordering::Equal => return Place::Dropped,
            };
            parent = at;
            at = self.links[at as usize].child[side];
        }
        self.add(normal, parent, side);
        Place::New
    }

    /// Adds a node below `parent`.
    fn add(&mut self, normal: Vec3, parent: u32, side: usize) {
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { normal, parent, red: true });
        self.links.push(Link { x: key(normal), child: [NONE; 2] });
        if parent == NONE {
            self.root = Some(new);
        } else {
            self.links[parent as usize].child[side] = new;
        }
        self.rebalance(new);
    }

    /// Restores that no red node has a red parent.
    fn rebalance(&mut self, mut at: u32) {
        while self.is_red(self.parent(at)) {
            let parent = self.parent(at);
            let grandparent = self.parent(parent);
            let side = self.side(parent);
            let uncle = self.links[grandparent as usize].child[1 - side];
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
            let top = self.links[grandparent as usize].child[side];
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
        usize::from(self.links[self.parent(at) as usize].child[1] == at)
    }

    /// Moves a node down to `side`; its child on the other side takes its place.
    fn rotate(&mut self, at: u32, side: usize) {
        let up = self.links[at as usize].child[1 - side];
        let inner = self.links[up as usize].child[side];
        self.links[at as usize].child[1 - side] = inner;
        if inner != NONE {
            self.nodes[inner as usize].parent = at;
        }
        let parent = self.parent(at);
        self.nodes[up as usize].parent = parent;
        if parent == NONE {
            self.root = Some(up);
        } else {
            let place = self.side(at);
            self.links[parent as usize].child[place] = up;
        }
        self.links[up as usize].child[side] = at;
        self.nodes[at as usize].parent = up;
    }

    /// The nodes from left to right.
    fn in_order(&self) -> Vec<u32> {
        let (mut order, mut open) = (Vec::with_capacity(self.nodes.len()), Vec::new());
        let mut at = self.root.unwrap_or(NONE);
        while at != NONE || !open.is_empty() {
            while at != NONE {
                open.push(at);
                at = self.links[at as usize].child[0];
            }
            if let Some(node) = open.pop() {
                order.push(node);
                at = self.links[node as usize].child[1];
            }
        }
        order
    }
}

/// Directed edges of triangles that no other triangle of their group has met yet.
#[derive(Debug)]
struct Boundary {
    /// The triangle of each group that has only one so far; most groups of a round mesh stay so.
    alone: Vec<Option<[i32; 3]>>,
    /// All edges of larger groups in the order in which they came; those that were met are dead.
    edges: Vec<Edge>,
    /// Chains of living edges with the same hash, by the number after their last.
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
        let bits = faces.next_power_of_two().trailing_zeros().max(1);
        Boundary {
            alone: Vec::with_capacity(faces),
            edges: Vec::with_capacity(faces),
            buckets: vec![0; 1 << bits],
            shift: 64 - bits,
            islands: Vec::new(),
        }
    }

    /// Starts the next group with a triangle.
    fn begin(&mut self, triangle: [i32; 3]) {
        self.alone.push(Some(triangle));
    }

    /// Adds a triangle to its group. Edges that run against its own are met; the islands that they
    /// belong to become one.
    fn attach(&mut self, group: u32, triangle: [i32; 3]) {
        if let Some(first) = self.alone[group as usize].take() {
            let island = self.new_island();
            sides(first).into_iter().for_each(|side| self.add(group, island, side));
        }
        let sides = sides(triangle);
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
        let chain = self.buckets[bucket].wrapping_sub(1);
        self.buckets[bucket] = self.edges.len() as u32 + 1;
        self.edges.push(Edge { from, to, group, island, chain, alive: true });
    }

    /// Removes the earliest such edge, if there is one.
    fn remove(&mut self, group: u32, from: i32, to: i32) -> Option<u32> {
        let bucket = self.bucket(from, to);
        let (mut at, mut after) = (self.buckets[bucket].wrapping_sub(1), NONE);
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
            None => self.buckets[bucket] = chain.wrapping_add(1),
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

        // most groups are one triangle
        polygons.vertnum.reserve(order.len());
        polygons.vert.reserve(3 * order.len());
        let mut tracer = Tracer { from: vec![NONE; nvert], path: Vec::new() };
        let mut pieces: Vec<(u32, u32)> = Vec::new();
        for &group in order {
            let group = group as usize;
            if let Some(triangle) = self.alone[group] {
                polygons.vertnum.push(3);
                polygons.vert.extend(triangle);
                continue;
            }
            let edges = &sorted[first[group]..next[group]];
            if let &[a, b, c] = edges {
                let start = [a, b, c].map(|edge| self.edges[edge as usize].from);
                polygons.vertnum.push(3);
                polygons.vert.extend(start);
                continue;
            }
            // edges of each island, islands in the order in which they began
            pieces.clear();
            for &edge in edges {
                pieces.push((self.root(self.edges[edge as usize].island), edge));
            }
            pieces.sort_unstable();
            for island in pieces.chunk_by(|a, b| a.0 == b.0) {
                tracer.trace(&self.edges, island, edges[0], polygons);
            }
        }
    }
}

/// The directed edges of a triangle.
fn sides([a, b, c]: [i32; 3]) -> [(i32, i32); 3] {
    [(a, b), (b, c), (c, a)]
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
