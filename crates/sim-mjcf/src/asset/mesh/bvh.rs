//! Bounding volume hierarchy over the faces of a mesh.

use sim_core::math::Vec3;

use super::block::{blocks, vectors};
use super::corners;
use crate::nth_element::nth_element;

/// The compiler treats numbers smaller than this as zero.
const EPS: f64 = 1e-14;

/// A binary tree of boxes over faces. A node over `n` faces has the first `n / 2` of them on its left
/// side and the others on its right, so the order of the faces is all there is to know.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bvh {
    faces: Vec<u32>,
}

/// Tables of a tree in depth-first order.
pub(crate) struct Tables<'a> {
    /// Distance from the root.
    pub depth: &'a mut [i32],
    /// Indices of the two halves, −1 in a leaf.
    pub child: &'a mut [[i32; 2]],
    /// The face of a leaf, −1 elsewhere.
    pub nodeid: &'a mut [i32],
    /// Centre and half sizes.
    pub aabb: &'a mut [[f64; 6]],
}

impl Bvh {
    /// Builds the hierarchy: a box is split at the median circumcentre along its longest side.
    pub(super) fn new(vert: &[Vec3], face: &[[i32; 3]], scratch: &mut Scratch) -> Bvh {
        let Scratch { boxes, centre, keys } = scratch;
        boxes.clear();
        centre.iter_mut().for_each(Vec::clear);
        blocks(vert, face.iter().copied(), |block, corners| {
            let positions = vectors(|lane| circumcentre(corners.of(lane)));
            for lane in 0..block.len() {
                boxes.push(Bounds::of_triangle(corners.of(lane)));
            }
            for (centre, positions) in centre.iter_mut().zip(&positions) {
                centre.extend_from_slice(&positions[..block.len()]);
            }
        });
        keys.clear();
        keys.extend((0..face.len() as u32).map(|face| Key { at: 0.0, face }));
        split(boxes, centre, keys, None);
        Bvh { faces: keys.iter().map(|key| key.face).collect() }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        (2 * self.faces.len()).saturating_sub(1)
    }

    /// Writes the tables of the tree over the faces of a mesh.
    pub(crate) fn write(&self, vert: &[Vec3], face: &[[i32; 3]], tables: Tables<'_>) {
        let mut writer = Writer { vert, face, tables };
        match self.faces[..] {
            [] => {}
            [leaf] => {
                writer.leaf(leaf, 0, 0);
            }
            _ => {
                writer.node(&self.faces, 0, 0);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        4 * self.faces.len()
    }
}

/// Writes tables from the leaves up.
struct Writer<'a> {
    vert: &'a [Vec3],
    face: &'a [[i32; 3]],
    tables: Tables<'a>,
}

impl Writer<'_> {
    /// Writes the node at index `at` over several faces, and those below it; returns its box.
    fn node(&mut self, faces: &[u32], at: usize, depth: i32) -> Bounds {
        let (low, high) = faces.split_at(faces.len() / 2);
        let child = [at + 1, at + 2 * low.len()];
        let mut below = |part: &[u32], at: usize| match *part {
            [leaf] => self.leaf(leaf, at, depth + 1),
            _ => self.node(part, at, depth + 1),
        };
        let mut bounds = below(low, child[0]);
        bounds.join(&below(high, child[1]));
        self.put(at, depth, child.map(|node| node as i32), -1, bounds);
        bounds
    }

    /// Writes the leaf at index `at`; returns its box.
    #[inline]
    fn leaf(&mut self, face: u32, at: usize, depth: i32) -> Bounds {
        let bounds = Bounds::of_triangle(corners(self.vert, self.face[face as usize]));
        self.put(at, depth, [-1, -1], face as i32, bounds);
        bounds
    }

    #[inline]
    fn put(&mut self, at: usize, depth: i32, child: [i32; 2], nodeid: i32, bounds: Bounds) {
        let Tables { depth: depths, child: children, nodeid: nodeids, aabb } = &mut self.tables;
        depths[at] = depth;
        children[at] = child;
        nodeids[at] = nodeid;
        aabb[at] = bounds.inflated().centre_and_half();
    }
}

/// What building a hierarchy needs; used again for the next mesh.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    boxes: Vec<Bounds>,
    /// Circumcentres of the faces, by coordinates.
    centre: [Vec<f64>; 3],
    keys: Vec<Key>,
}

/// A face and its coordinate along the axis of the current split.
#[derive(Debug, Clone, Copy)]
struct Key {
    at: f64,
    face: u32,
}

impl Key {
    /// By coordinate, or by number where that is as good as equal or not a number.
    #[inline]
    fn less(&self, other: &Key) -> bool {
        let difference = self.at - other.at;
        if difference.abs() > EPS { difference < 0.0 } else { self.face < other.face }
    }
}

/// Brings the faces of a node into the order of its leaves. `sorted` is the axis whose coordinates
/// the keys have.
fn split(boxes: &[Bounds], centre: &[Vec<f64>; 3], keys: &mut [Key], sorted: Option<usize>) {
    if keys.len() < 2 {
        return;
    }
    let mut bounds = Bounds::EMPTY;
    for key in &*keys {
        bounds.join(&boxes[key.face as usize]);
    }
    let axis = bounds.inflated().longest_axis();
    if sorted != Some(axis) {
        for key in &mut *keys {
            key.at = centre[axis][key.face as usize];
        }
    }
    let middle = keys.len() / 2;
    nth_element(keys, middle, Key::less);
    let (low, high) = keys.split_at_mut(middle);
    split(boxes, centre, low, Some(axis));
    split(boxes, centre, high, Some(axis));
}

/// Corners of a box. The fourth coordinate is of no use but to fill a vector register.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Bounds {
    low: [f64; 4],
    high: [f64; 4],
}

impl Bounds {
    const EMPTY: Bounds = Bounds { low: [f64::MAX; 4], high: [-f64::MAX; 4] };

    /// The box of a triangle, rounded as centre and half sizes are.
    #[inline]
    fn of_triangle([a, b, c]: [Vec3; 3]) -> Bounds {
        let point = |v: Vec3| Bounds { low: [v.x, v.y, v.z, 0.0], high: [v.x, v.y, v.z, 0.0] };
        let mut exact = point(a);
        exact.join(&point(b));
        exact.join(&point(c));
        let Bounds { low, high } = exact;
        let centre: [f64; 4] = std::array::from_fn(|i| 0.5 * (low[i] + high[i]));
        let half: [f64; 4] = std::array::from_fn(|i| 0.5 * (high[i] - low[i]));
        Bounds {
            low: std::array::from_fn(|i| centre[i] - half[i]),
            high: std::array::from_fn(|i| centre[i] + half[i]),
        }
    }

    #[inline]
    fn join(&mut self, other: &Bounds) {
        for i in 0..4 {
            self.low[i] = if other.low[i] < self.low[i] { other.low[i] } else { self.low[i] };
            self.high[i] = if other.high[i] > self.high[i] { other.high[i] } else { self.high[i] };
        }
    }

    /// The box, made thicker where it is flat.
    #[inline]
    fn inflated(mut self) -> Bounds {
        for i in 0..3 {
            if (self.low[i] - self.high[i]).abs() < EPS {
                self.low[i] -= EPS;
                self.high[i] += EPS;
            }
        }
        self
    }

    #[inline]
    fn centre_and_half(&self) -> [f64; 6] {
        let Bounds { low: [x, y, z, _], high: [u, v, w, _] } = *self;
        let centre = [(u + x) / 2.0, (v + y) / 2.0, (w + z) / 2.0];
        let half = [(u - x) / 2.0, (v - y) / 2.0, (w - z) / 2.0];
        [centre[0], centre[1], centre[2], half[0], half[1], half[2]]
    }

    #[inline]
    fn longest_axis(&self) -> usize {
        let edge: [f64; 3] = std::array::from_fn(|i| self.high[i] - self.low[i]);
        let mut axis = 0;
        if edge[1] >= edge[0] + EPS {
            axis = 1;
        }
        if edge[2] >= edge[axis] + EPS {
            axis = 2;
        }
        axis
    }
}

/// The centre of the circle through three points; not a number if they are on a line.
#[inline]
fn circumcentre([p, q, r]: [Vec3; 3]) -> Vec3 {
    let (a, b) = (p - r, q - r);
    let normal = a.cross(b);
    let (aa, bb) = (a.dot(a), b.dot(b));
    let area = normal.norm();
    let direction = (b * aa - a * bb).cross(normal);
    direction / (2.0 * area * area) + r
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_circumcentre_is_as_far_from_all_corners() {
        let corners =
            [Vec3::new(1.0, 2.0, 0.5), Vec3::new(-1.0, 0.5, 2.0), Vec3::new(0.3, 0.2, 0.1)];
        let centre = circumcentre(corners);
        let [a, b, c] = corners.map(|corner| (corner - centre).norm());
        assert!((a - b).abs() < 1e-14 && (b - c).abs() < 1e-14);
        assert!(circumcentre([Vec3::ZERO, Vec3::X, Vec3::X * 2.0]).x.is_nan());
    }

    #[test]
    fn a_strip_of_triangles_is_halved_until_one_is_left() {
        let vert: Vec<Vec3> =
            (0..6).map(|i| Vec3::new(f64::from(i), f64::from(i % 2), 0.0)).collect();
        let face = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4]];
        let bvh = Bvh::new(&vert, &face, &mut Scratch::default());
        let (mut depth, mut child, mut nodeid) = ([0; 7], [[0; 2]; 7], [0; 7]);
        let mut aabb = [[0.0; 6]; 7];
        assert_eq!(bvh.len(), 7);
        let tables =
            Tables { depth: &mut depth, child: &mut child, nodeid: &mut nodeid, aabb: &mut aabb };
        bvh.write(&vert, &face, tables);
        assert_eq!(nodeid, [-1, -1, 0, 1, -1, 2, 3]);
        assert_eq!(depth, [0, 1, 2, 2, 1, 2, 2]);
        assert_eq!(child[0], [1, 4]);
        assert_eq!(aabb[0][..2], [2.5, 0.5]);
        // flat boxes get a thickness
        assert_eq!(aabb[0][5], 1e-14);
    }
}
