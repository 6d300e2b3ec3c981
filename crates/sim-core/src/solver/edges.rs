//! Rows of edges, whose ends are points with three dofs each: `J x = d · (x_b − x_a)`.

use std::ops::Range;

use wide::f64x4;

use crate::math::{Target, load4};

/// Edges, each with the first dofs of its ends `a` and `b` and its direction `d`.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    ends: Vec<[u32; 2]>,
    /// The fourth lane is zero.
    directions: Vec<f64x4>,
}

/// The first dofs of the ends, and the direction, of the edge that a row with these entries stands for;
/// none if it is no edge.
#[inline]
pub(super) fn edge(dofs: &[u32; 6], values: &[f64; 6]) -> Option<([u32; 2], [f64; 3])> {
    let [a, a1, a2, b, b1, b2] = *dofs;
    let [x, y, z, x_b, y_b, z_b] = *values;
    let is_edge =
        [a1, a2, b1, b2] == [a + 1, a + 2, b + 1, b + 2] && [-x, -y, -z] == [x_b, y_b, z_b];
    is_edge.then_some(([a, b], [x_b, y_b, z_b]))
}

impl Edges {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.directions.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Makes room for that many more.
    pub(super) fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
        self.directions.reserve(count);
    }

    pub(super) fn push(&mut self, ends: [u32; 2], [x, y, z]: [f64; 3]) {
        self.ends.push(ends);
        self.directions.push(f64x4::new([x, y, z, 0.0]));
    }

    /// Some of the edges.
    pub(super) fn part(&self, range: Range<usize>) -> EdgeSlice<'_> {
        EdgeSlice { ends: &self.ends[range.clone()], directions: &self.directions[range] }
    }
}

/// Some edges.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeSlice<'a> {
    ends: &'a [[u32; 2]],
    directions: &'a [f64x4],
}

impl<'a> EdgeSlice<'a> {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The ends of one edge after the other.
    pub(super) fn all_ends(&self) -> &'a [u32] {
        self.ends.as_flattened()
    }

    /// Ends and directions.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&'a [u32; 2], &'a f64x4)> + use<'a> {
        self.ends.iter().zip(self.directions)
    }

    /// Computes `out = J x`.
    pub(super) fn mul(&self, out: &mut [f64], x: &[f64]) {
        let product = |direction: &f64x4, ends: &[u32; 2]| {
            let [a, b] = ends.map(|dof| load4(x, dof as usize));
            *direction * (b - a)
        };
        let (ends4, ends) = self.ends.as_chunks::<4>();
        let (directions4, directions) = self.directions.as_chunks::<4>();
        let (out4, out) = out.as_chunks_mut::<4>();
        for ((out, directions), ends) in out4.iter_mut().zip(directions4).zip(ends4) {
            let products = std::array::from_fn(|i| product(&directions[i], &ends[i]));
            let [a, b, c, _] = f64x4::transpose(products);
            *out = (a + b + c).to_array();
        }
        for ((out, direction), ends) in out.iter_mut().zip(directions).zip(ends) {
            let [a, b, c, _] = product(direction, ends).to_array();
            *out = a + b + c;
        }
    }

    /// Adds `Jᵀ f`.
    pub(super) fn add_transposed(&self, out: &mut [f64], f: &[f64]) {
        for ((ends, direction), f) in self.iter().zip(f) {
            let force = (*direction * f64x4::splat(*f)).to_array();
            let [a, b] = ends.map(|dof| dof as usize);
            for (out, force) in out[a..a + 3].iter_mut().zip(force) {
                *out -= force;
            }
            for (out, force) in out[b..b + 3].iter_mut().zip(force) {
                *out += force;
            }
        }
    }

    /// Adds `Jᵀ W J` to the Hessian: `w d dᵀ` to the blocks of both ends, its negative to the one
    /// between them.
    pub(super) fn add_squares(
        &self,
        hessian: &mut [f64],
        weights: &[f64],
        targets: &[EdgeTargets],
    ) {
        for ((direction, &weight), targets) in self.directions.iter().zip(weights).zip(targets) {
            let scaled = *direction * f64x4::splat(weight);
            let rows = scaled.to_array();
            let mut add = |Target { at, stride }: Target, sign: f64| {
                for (i, row) in rows[..3].iter().enumerate() {
                    let out = &mut hessian[at + i * stride..][..4];
                    // the fourth is a zero, which changes nothing
                    let sum = load4(out, 0) + *direction * f64x4::splat(sign * row);
                    out.copy_from_slice(&sum.to_array());
                }
            };
            targets.own.into_iter().for_each(|target| add(target, 1.0));
            add(targets.between, -1.0);
        }
    }
}

/// Where the blocks of an edge are in the Hessian.
#[derive(Debug, Clone, Copy)]
pub(super) struct EdgeTargets {
    pub(super) own: [Target; 2],
    pub(super) between: Target,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_with_edges_are_those_with_their_rows() {
        let points = [[0, 3], [3, 6], [0, 6], [6, 9], [9, 12], [3, 12]];
        let direction = |i: usize| [0.3 + i as f64, -1.5, 0.25 * i as f64];
        let x: Vec<f64> = (0..15).map(|i| 1.0 / (1.0 + f64::from(i))).collect();
        let (mut edges, mut jx, mut jtf) = (Edges::default(), [0.0; 6], [0.0; 15]);
        let (mut out, mut out_t) = ([0.0; 6], [0.0; 15]);
        for (i, &[a, b]) in points.iter().enumerate() {
            let [x_d, y_d, z_d] = direction(i);
            let dofs = [a, a + 1, a + 2, b, b + 1, b + 2];
            let values = [-x_d, -y_d, -z_d, x_d, y_d, z_d];
            assert_eq!(edge(&dofs, &values), Some(([a, b], direction(i))));
            edges.push([a, b], direction(i));
            for (dof, value) in dofs.iter().zip(values) {
                out[i] += value * x[*dof as usize];
                out_t[*dof as usize] += value * (2.0 - i as f64);
            }
        }
        edges.part(0..6).mul(&mut jx, &x);
        let f: [f64; 6] = std::array::from_fn(|i| 2.0 - i as f64);
        edges.part(0..6).add_transposed(&mut jtf, &f);
        for (own, other) in jx.iter().zip(out).chain(jtf.iter().zip(out_t)) {
            assert!((own - other).abs() < 1e-15, "{own} {other}");
        }
    }

    #[test]
    fn squares_of_edges_are_outer_products_of_their_rows() {
        let (n, stride) = (9, 12);
        let (ends, directions) =
            ([[0, 3], [3, 6], [0, 6]], [[1.0, 2.0, 3.0], [-2.0, 0.5, 1.0], [0.0, -1.0, 4.0]]);
        let weights = [2.0, 0.5, 3.0];
        let mut edges = Edges::default();
        // four elements can be read from any place on
        let (mut hessian, mut expected) = (vec![0.0; n * stride + 4], vec![0.0; n * stride + 4]);
        let target = |row: u32, column: u32| {
            let (row, column) = (row as usize, column as usize);
            Target { at: row * stride + column, stride }
        };
        let mut targets = vec![];
        for ((&[a, b], direction), weight) in ends.iter().zip(directions).zip(weights) {
            edges.push([a, b], direction);
            let own = [target(a, a), target(b, b)];
            targets.push(EdgeTargets { own, between: target(a, b) });
            for (from, to, sign) in [(a, a, 1.0), (b, b, 1.0), (a, b, -1.0)] {
                for i in 0..3 {
                    for j in 0..3 {
                        let at = target(from + i as u32, to + j as u32).at;
                        expected[at] += sign * weight * direction[i] * direction[j];
                    }
                }
            }
        }
        edges.part(0..3).add_squares(&mut hessian, &weights, &targets);
        assert_eq!(hessian, expected);
    }

    #[test]
    fn rows_of_other_shapes_are_no_edges() {
        let dofs = [0, 1, 2, 5, 6, 7];
        let values = [1.0, 2.0, 3.0, -1.0, -2.0, -3.0];
        assert_eq!(edge(&dofs, &values), Some(([0, 5], [-1.0, -2.0, -3.0])));
        assert_eq!(edge(&dofs, &[1.0, 2.0, 3.0, -1.0, -2.0, 3.0]), None);
        assert_eq!(edge(&[0, 1, 2, 5, 7, 8], &values), None);
    }
}
