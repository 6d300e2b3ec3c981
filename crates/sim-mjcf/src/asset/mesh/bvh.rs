//! Bounding volume hierarchy over the faces of a mesh.

use sim_core::math::Vec3;

use super::corners;
use crate::nth_element::nth_element;

/// The compiler treats numbers smaller than this as zero.
const EPS: f64 = 1e-14;

/// A binary tree of boxes over faces, in depth-first order.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Bvh {
    /// Distance from the root.
    pub depth: Vec<i32>,
    /// Indices of the two halves, −1 in a leaf.
    pub child: Vec<[i32; 2]>,
    /// The face of a leaf, −1 elsewhere.
    pub nodeid: Vec<i32>,
    /// Centre and half sizes.
    pub aabb: Vec<[f64; 6]>,
}

impl Bvh {
    /// Builds the hierarchy: a box is split at the median circumcentre along its longest side.
    pub(super) fn new(vert: &[Vec3], face: &[[i32; 3]]) -> Bvh {
        let nodes = (2 * face.len()).saturating_sub(1);
        let mut builder = Builder {
            boxes: face.iter().map(|&f| Bounds::of_triangle(corners(vert, f))).collect(),
            centre: face.iter().map(|&f| circumcentre(corners(vert, f))).collect(),
            bvh: Bvh {
                depth: Vec::with_capacity(nodes),
                child: Vec::with_capacity(nodes),
                nodeid: Vec::with_capacity(nodes),
                aabb: Vec::with_capacity(nodes),
            },
        };
        let mut keys: Vec<Key> = (0..face.len() as u32).map(|face| Key { at: 0.0, face }).collect();
        if !keys.is_empty() {
            builder.split(&mut keys, 0);
        }
        builder.bvh
    }

    pub(super) fn bytes(&self) -> usize {
        64 * self.depth.len()
    }
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

struct Builder {
    boxes: Vec<Bounds>,
    centre: Vec<Vec3>,
    bvh: Bvh,
}

impl Builder {
    /// Adds the node over `keys` and those below it; returns its index.
    fn split(&mut self, keys: &mut [Key], depth: i32) -> i32 {
        let mut bounds = Bounds::EMPTY;
        for key in &*keys {
            bounds.join(&self.boxes[key.face as usize]);
        }
        bounds.inflate();

        let Bvh { depth: depths, child, nodeid, aabb } = &mut self.bvh;
        let index = depths.len();
        depths.push(depth);
        child.push([-1, -1]);
        nodeid.push(-1);
        aabb.push(bounds.centre_and_half());
        if let [key] = keys {
            nodeid[index] = key.face as i32;
            return index as i32;
        }

        let axis = bounds.longest_axis();
        for key in &mut *keys {
            key.at = self.centre[key.face as usize][axis];
        }
        let middle = keys.len() / 2;
        nth_element(keys, middle, Key::less);
        let (low, high) = keys.split_at_mut(middle);
        let children = [self.split(low, depth + 1), self.split(high, depth + 1)];
        self.bvh.child[index] = children;
        index as i32
    }
}

/// Corners of a box.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: [f64; 3],
    high: [f64; 3],
}

impl Bounds {
    const EMPTY: Bounds = Bounds { low: [f64::MAX; 3], high: [-f64::MAX; 3] };

    /// The box of a triangle, rounded as centre and half sizes are.
    fn of_triangle(corners: [Vec3; 3]) -> Bounds {
        let mut exact = Bounds::EMPTY;
        for corner in corners {
            exact.join(&Bounds { low: corner.to_array(), high: corner.to_array() });
        }
        let Bounds { low, high } = exact;
        let centre: [f64; 3] = std::array::from_fn(|i| 0.5 * (low[i] + high[i]));
        let half: [f64; 3] = std::array::from_fn(|i| 0.5 * (high[i] - low[i]));
        Bounds {
            low: std::array::from_fn(|i| centre[i] - half[i]),
            high: std::array::from_fn(|i| centre[i] + half[i]),
        }
    }

    #[inline]
    fn join(&mut self, other: &Bounds) {
        for i in 0..3 {
            self.low[i] = if other.low[i] < self.low[i] { other.low[i] } else { self.low[i] };
            self.high[i] = if other.high[i] > self.high[i] { other.high[i] } else { self.high[i] };
        }
    }

    /// Makes a flat box thicker.
    fn inflate(&mut self) {
        for i in 0..3 {
            if (self.low[i] - self.high[i]).abs() < EPS {
                self.low[i] -= EPS;
                self.high[i] += EPS;
            }
        }
    }

    fn centre_and_half(&self) -> [f64; 6] {
        let Bounds { low: [x, y, z], high: [u, v, w] } = *self;
        let centre = [(u + x) / 2.0, (v + y) / 2.0, (w + z) / 2.0];
        let half = [(u - x) / 2.0, (v - y) / 2.0, (w - z) / 2.0];
        [centre[0], centre[1], centre[2], half[0], half[1], half[2]]
    }

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
        let bvh = Bvh::new(&vert, &face);
        assert_eq!(bvh.nodeid, [-1, -1, 0, 1, -1, 2, 3]);
        assert_eq!(bvh.depth, [0, 1, 2, 2, 1, 2, 2]);
        assert_eq!(bvh.child[0], [1, 4]);
        assert_eq!(bvh.aabb[0][..2], [2.5, 0.5]);
        // flat boxes get a thickness
        assert_eq!(bvh.aabb[0][5], 1e-14);
    }
}
