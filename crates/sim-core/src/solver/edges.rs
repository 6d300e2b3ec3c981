//! Rows of edges, whose ends are points with three dofs each: `J x = d · (x_b − x_a)`.

use std::ops::Range;

use wide::f64x4;

use crate::math::load4;

/// Edges, each with the first dofs of its ends `a` and `b` and its direction `d`.
#[derive(Debug, Clone, Default)]
pub(super) struct Edges {
    ends: Vec<[u32; 2]>,
    /// The fourth lane is zero.
    directions: Vec<f64x4>,
}

/// The ends of the edge that a row with these entries stands for; none if it is no edge.
#[inline]
pub(super) fn ends(dofs: &[u32; 6], values: &[f64; 6]) -> Option<[u32; 2]> {
    let [a, a1, a2, b, b1, b2] = *dofs;
    let [x, y, z, x_b, y_b, z_b] = *values;
    let is_edge =
        [a1, a2, b1, b2] == [a + 1, a + 2, b + 1, b + 2] && [-x, -y, -z] == [x_b, y_b, z_b];
    is_edge.then_some([a, b])
}

impl Edges {
    pub(super) fn clear(&mut self) {
        self.ends.clear();
        self.directions.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn push(&mut self, ends: [u32; 2], [x, y, z]: [f64; 3]) {
        self.ends.push(ends);
        self.directions.push(f64x4::new([x, y, z, 0.0]));
    }

    /// Ends and directions of some of the edges.
    pub(super) fn iter(
        &self,
        range: Range<usize>,
    ) -> impl Iterator<Item = (&[u32; 2], &f64x4)> + Clone {
        self.ends[range.clone()].iter().zip(&self.directions[range])
    }

    /// Computes `out = J x` for some of the edges.
    pub(super) fn mul(&self, range: Range<usize>, out: &mut [f64], x: &[f64]) {
        let (ends, directions) = (&self.ends[range.clone()], &self.directions[range]);
        let product = |direction: &f64x4, ends: &[u32; 2]| {
            let [a, b] = ends.map(|dof| load4(x, dof as usize));
            *direction * (b - a)
        };
        let (ends4, ends) = ends.as_chunks::<4>();
        let (directions4, directions) = directions.as_chunks::<4>();
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

    /// Adds `Jᵀ f` of some of the edges.
    pub(super) fn add_transposed(&self, range: Range<usize>, out: &mut [f64], f: &[f64]) {
        let edges = self.ends[range.clone()].iter().zip(&self.directions[range]);
        for ((ends, direction), f) in edges.zip(f) {
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
            assert_eq!(ends(&dofs, &values), Some([a, b]));
            edges.push([a, b], direction(i));
            for (dof, value) in dofs.iter().zip(values) {
                out[i] += value * x[*dof as usize];
                out_t[*dof as usize] += value * (2.0 - i as f64);
            }
        }
        edges.mul(0..6, &mut jx, &x);
        let f: [f64; 6] = std::array::from_fn(|i| 2.0 - i as f64);
        edges.add_transposed(0..6, &mut jtf, &f);
        for (own, other) in jx.iter().zip(out).chain(jtf.iter().zip(out_t)) {
            assert!((own - other).abs() < 1e-15, "{own} {other}");
        }
    }

    #[test]
    fn rows_of_other_shapes_are_no_edges() {
        let dofs = [0, 1, 2, 5, 6, 7];
        assert_eq!(ends(&dofs, &[1.0, 2.0, 3.0, -1.0, -2.0, -3.0]), Some([0, 5]));
        assert_eq!(ends(&dofs, &[1.0, 2.0, 3.0, -1.0, -2.0, 3.0]), None);
        assert_eq!(ends(&[0, 1, 2, 5, 7, 8], &[1.0, 2.0, 3.0, -1.0, -2.0, -3.0]), None);
    }
}
