//! Full linear systems with many right-hand sides, eliminated from the last unknown to the first:
//! then matrices with the pattern of a tree have no fill.

use std::ops::Range;

/// Factors of a symmetric or general matrix.
#[derive(Debug, Clone, Default)]
pub(super) struct Factors {
    n: usize,
    /// The matrix by rows, then its factors.
    pub(super) matrix: Vec<f64>,
    /// Nonzero columns before the diagonal, by row of the lower factor.
    lower: Vec<u32>,
    lower_end: Vec<usize>,
    /// Nonzero rows above the diagonal, by column of the upper factor; empty for symmetric ones.
    upper: Vec<u32>,
    upper_end: Vec<usize>,
    inverse: Vec<f64>,
    /// Entries after the diagonal with their columns, by row.
    after: Vec<(u32, f64)>,
    after_start: Vec<usize>,
    place: Vec<usize>,
}

/// How many columns are solved for at a time.
const TILE: usize = 16;

impl Factors {
    /// A matrix of zeros to be filled.
    pub(super) fn clear(&mut self, n: usize) {
        self.n = n;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
    }

    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.matrix[i * self.n + j] += value;
    }

    /// Factorises a symmetric matrix, of which the lower triangle is read, as `Lᵀ D L`.
    pub(super) fn factor_symmetric(&mut self) {
        let n = self.n;
        self.start();
        self.lower_end.resize(n, 0);
        self.inverse.resize(n, 0.0);
        for k in (0..n).rev() {
            let (above, row) = self.matrix.split_at_mut(k * n);
            let row = &mut row[..=k];
            let inverse = 1.0 / row[k];
            self.inverse[k] = inverse;
            let start = self.lower.len();
            self.lower.extend((0..k as u32).filter(|&i| row[i as usize] != 0.0));
            self.lower_end[k] = self.lower.len();
            let columns = &self.lower[start..];
            for (at, &i) in columns.iter().enumerate() {
                let i = i as usize;
                let factor = row[i] * inverse;
                let target = &mut above[i * n..i * n + n];
                for &j in &columns[..=at] {
                    target[j as usize] -= factor * row[j as usize];
                }
            }
            columns.iter().for_each(|&i| row[i as usize] *= inverse);
        }
        self.list_after();
    }

    /// Factorises a general matrix as `U L` with a unit lower factor, without pivoting.
    pub(super) fn factor_general(&mut self) {
        let n = self.n;
        self.start();
        self.lower_end.resize(n, 0);
        self.upper_end.resize(n, 0);
        self.inverse.resize(n, 0.0);
        for k in (0..n).rev() {
            let (above, row) = self.matrix.split_at_mut(k * n);
            let row = &mut row[..=k];
            let inverse = 1.0 / row[k];
            self.inverse[k] = inverse;
            let start = self.lower.len();
            self.lower.extend((0..k as u32).filter(|&i| row[i as usize] != 0.0));
            self.lower_end[k] = self.lower.len();
            let columns = &self.lower[start..];
            columns.iter().for_each(|&i| row[i as usize] *= inverse);
            for i in 0..k {
                let factor = above[i * n + k];
                if factor != 0.0 {
                    self.upper.push(i as u32);
                    let target = &mut above[i * n..i * n + n];
                    for &j in columns {
                        target[j as usize] -= factor * row[j as usize];
                    }
                }
            }
            self.upper_end[k] = self.upper.len();
        }
        self.list_after();
    }

    fn start(&mut self) {
        self.lower.clear();
        self.lower_end.clear();
        self.upper.clear();
        self.upper_end.clear();
    }

    /// Where the entries of row or column `k` are in a list that starts with the last.
    fn entries(&self, ends: &[usize], k: usize) -> Range<usize> {
        let start = if k + 1 < self.n { ends[k + 1] } else { 0 };
        start..ends[k]
    }

    /// Solves for all columns of `x`, which has `width` numbers per unknown, in place.
    ///
    /// Works on a few columns at a time, whose sums stay in registers.
    pub(super) fn solve(&self, x: &mut [f64], width: usize) {
        let (tiles, fours) = (width / TILE * TILE, width / 4 * 4);
        (0..tiles).step_by(TILE).for_each(|first| self.solve_tile::<TILE>(x, width, first));
        (tiles..fours).step_by(4).for_each(|first| self.solve_tile::<4>(x, width, first));
        (fours..width).for_each(|first| self.solve_tile::<1>(x, width, first));
    }

    /// Solves for `T` columns.
    #[inline]
    fn solve_tile<const T: usize>(&self, x: &mut [f64], width: usize, first: usize) {
        let n = self.n;
        let symmetric = self.upper_end.is_empty();
        let read = |x: &[f64], k: usize| -> [f64; T] {
            let start = k * width + first;
            std::array::from_fn(|c| x[start..start + T][c])
        };
        for i in (0..n).rev() {
            let mut sum = read(x, i);
            for &(k, factor) in &self.after[self.after_start[i]..self.after_start[i + 1]] {
                let other = read(x, k as usize);
                (0..T).for_each(|c| sum[c] -= factor * other[c]);
            }
            if !symmetric {
                sum.iter_mut().for_each(|x| *x *= self.inverse[i]);
            }
            x[i * width + first..i * width + first + T].copy_from_slice(&sum);
        }
        for k in 0..n {
            let mut sum = read(x, k);
            if symmetric {
                sum.iter_mut().for_each(|x| *x *= self.inverse[k]);
            }
            let row = &self.matrix[k * n..k * n + k];
            for &i in &self.lower[self.entries(&self.lower_end, k)] {
                let other = read(x, i as usize);
                let factor = row[i as usize];
                (0..T).for_each(|c| sum[c] -= factor * other[c]);
            }
            x[k * width + first..k * width + first + T].copy_from_slice(&sum);
        }
    }

    /// Lists the entries above the diagonal by row: those of the upper factor, or of the transposed
    /// lower one.
    fn list_after(&mut self) {
        let n = self.n;
        let symmetric = self.upper_end.is_empty();
        self.after.clear();
        self.after_start.clear();
        self.after_start.resize(n + 1, 0);
        // counts, then places
        let list = if symmetric { &self.lower } else { &self.upper };
        for &i in list {
            self.after_start[i as usize + 1] += 1;
        }
        for i in 0..n {
            self.after_start[i + 1] += self.after_start[i];
        }
        self.after.resize(list.len(), (0, 0.0));
        self.place.clear();
        self.place.extend_from_slice(&self.after_start[..n]);
        let ends = if symmetric { &self.lower_end } else { &self.upper_end };
        for k in (0..n).rev() {
            for &i in &list[self.entries(ends, k)] {
                let i = i as usize;
                let value = self.matrix[if symmetric { k * n + i } else { i * n + k }];
                self.after[self.place[i]] = (k as u32, value);
                self.place[i] += 1;
            }
        }
    }

    /// Solves the transposed system for one right-hand side in place.
    pub(super) fn solve_transposed(&self, x: &mut [f64]) {
        let n = self.n;
        if self.upper_end.is_empty() {
            self.solve(x, 1);
            return;
        }
        // (U L)ᵀ = Lᵀ Uᵀ: first Lᵀ from the last unknown, then Uᵀ from the first
        for k in (0..n).rev() {
            let value = x[k];
            let lower = self.entries(&self.lower_end, k);
            for &i in &self.lower[lower] {
                x[i as usize] -= self.matrix[k * n + i as usize] * value;
            }
        }
        for k in 0..n {
            let upper = self.entries(&self.upper_end, k);
            let mut value = x[k];
            for &i in &self.upper[upper] {
                value -= self.matrix[i as usize * n + k] * x[i as usize];
            }
            x[k] = value * self.inverse[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(i: usize, j: usize) -> f64 {
        libm::sin(1.0 + 3.7 * i as f64 + 1.9 * j as f64) + if i == j { 8.0 } else { 0.0 }
    }

    #[test]
    fn factors_solve_symmetric_and_general_systems() {
        let (n, width) = (7, 23);
        for general in [false, true] {
            let entry = |i: usize, j: usize| {
                if (i + 2 * j) % 5 == 4 && general || (i + j) % 5 == 4 && !general {
                    0.0
                } else if general {
                    sample(i, j)
                } else {
                    sample(i.max(j), i.min(j))
                }
            };
            let mut factors = Factors::default();
            factors.clear(n);
            (0..n * n).for_each(|at| factors.add(at / n, at % n, entry(at / n, at % n)));
            if general {
                factors.factor_general();
            } else {
                factors.factor_symmetric();
            }
            let b: Vec<f64> = (0..n * width).map(|i| libm::cos(i as f64)).collect();
            let mut x = b.clone();
            factors.solve(&mut x, width);
            for i in 0..n {
                for c in 0..width {
                    let sum: f64 = (0..n).map(|j| entry(i, j) * x[j * width + c]).sum();
                    assert!((sum - b[i * width + c]).abs() < 1e-12);
                }
            }
            let mut x: Vec<f64> = b[..n].to_vec();
            factors.solve_transposed(&mut x);
            for i in 0..n {
                let sum: f64 = (0..n).map(|j| entry(j, i) * x[j]).sum();
                assert!((sum - b[i]).abs() < 1e-12);
            }
        }
    }
}
