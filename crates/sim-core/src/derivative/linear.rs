//! Full linear systems with many right-hand sides, eliminated from the last unknown to the first:
//! then matrices with the pattern of a tree have no fill.

use std::ops::Range;

use wide::f64x4;

use crate::math::{axpy, dot};

/// Factors of a symmetric or general matrix.
#[derive(Debug, Clone, Default)]
pub(super) struct Factors {
    n: usize,
    /// The matrix by rows, then its factors.
    pub(super) matrix: Vec<f64>,
    /// Nonzero columns before the diagonal, by row of the lower factor, and the first of them.
    lower: Vec<u32>,
    lower_end: Vec<usize>,
    first: Vec<usize>,
    /// Nonzero rows above the diagonal, by column of the upper factor; empty for symmetric ones.
    upper: Vec<u32>,
    upper_end: Vec<usize>,
    inverse: Vec<f64>,
    /// Entries after the diagonal with their columns, by row.
    after: Vec<(u32, f64)>,
    after_start: Vec<usize>,
    place: Vec<usize>,
}

impl Factors {
    /// A matrix of zeros to be filled.
    pub(super) fn clear(&mut self, n: usize) {
        self.n = n;
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
    }

    #[inline]
    pub(super) fn add(&mut self, i: usize, j: usize, value: f64) {
        self.matrix[i * self.n + j] += value;
    }

    /// Factorises a symmetric matrix, of which the lower triangle is read, as `Lᵀ D L`.
    pub(super) fn factor_symmetric(&mut self) {
        let n = self.n;
        self.start();
        for k in (0..n).rev() {
            let (above, row) = self.matrix.split_at_mut(k * n);
            let row = &mut row[..=k];
            let inverse = 1.0 / row[k];
            self.inverse[k] = inverse;
            let start = self.lower.len();
            push_nonzeros(&mut self.lower, &row[..k]);
            self.lower_end[k] = self.lower.len();
            let first = self.lower.get(start).map_or(k, |&first| first as usize);
            self.first[k] = first;
            for &i in &self.lower[start..] {
                let i = i as usize;
                let target = &mut above[i * n + first..=i * n + i];
                axpy(target, -(row[i] * inverse), &row[first..=i]);
            }
            row[first..k].iter_mut().for_each(|x| *x *= inverse);
        }
    }

    /// Factorises a general matrix as `U L` with a unit lower factor, without pivoting.
    pub(super) fn factor_general(&mut self) {
        let n = self.n;
        self.start();
        self.upper_end.resize(n, 0);
        for k in (0..n).rev() {
            let (above, row) = self.matrix.split_at_mut(k * n);
            let row = &mut row[..=k];
            let inverse = 1.0 / row[k];
            self.inverse[k] = inverse;
            let start = self.lower.len();
            push_nonzeros(&mut self.lower, &row[..k]);
            self.lower_end[k] = self.lower.len();
            let first = self.lower.get(start).map_or(k, |&first| first as usize);
            self.first[k] = first;
            row[first..k].iter_mut().for_each(|x| *x *= inverse);
            for i in 0..k {
                let factor = above[i * n + k];
                if factor != 0.0 {
                    self.upper.push(i as u32);
                    axpy(&mut above[i * n + first..i * n + k], -factor, &row[first..k]);
                }
            }
            self.upper_end[k] = self.upper.len();
        }
    }

    /// Takes the factors `Lᵀ D L` of a matrix with the pattern of a tree: for each row of `L` its columns
    /// before the diagonal with their values, and the inverse of `D`.
    pub(super) fn load<'a>(
        &mut self,
        row: impl Fn(usize) -> (&'a [i32], &'a [f64]),
        inverse: &[f64],
    ) {
        let n = inverse.len();
        self.clear(n);
        self.start();
        self.inverse.copy_from_slice(inverse);
        for k in (0..n).rev() {
            let (columns, values) = row(k);
            for (&column, &value) in columns.iter().zip(values) {
                self.matrix[k * n + column as usize] = value;
                self.lower.push(column as u32);
            }
            self.lower_end[k] = self.lower.len();
            self.first[k] = columns.first().map_or(k, |&first| first as usize);
        }
    }

    fn start(&mut self) {
        self.lower.clear();
        self.lower_end.clear();
        self.lower_end.resize(self.n, 0);
        self.upper.clear();
        self.upper_end.clear();
        self.inverse.resize(self.n, 0.0);
        self.first.resize(self.n, 0);
    }

    /// Where the entries of row or column `k` are in a list that starts with the last.
    fn entries(&self, ends: &[usize], k: usize) -> Range<usize> {
        let start = if k + 1 < self.n { ends[k + 1] } else { 0 };
        start..ends[k]
    }

    /// Solves for all columns of `x`, which has `width` numbers per unknown, a multiple of four, in
    /// place.
    ///
    /// Works on up to 32 columns at a time, whose sums stay in registers.
    pub(super) fn solve(&mut self, x: &mut [f64], width: usize) {
        assert!(width.is_multiple_of(4), "rows are padded to four numbers");
        self.list_after();
        let full = width / 32 * 32;
        (0..full).step_by(32).for_each(|first| self.solve_tile::<8>(x, width, first));
        match (width - full) / 4 {
            0 => {}
            1 => self.solve_tile::<1>(x, width, full),
            2 => self.solve_tile::<2>(x, width, full),
            3 => self.solve_tile::<3>(x, width, full),
            4 => self.solve_tile::<4>(x, width, full),
            5 => self.solve_tile::<5>(x, width, full),
            6 => self.solve_tile::<6>(x, width, full),
            _ => self.solve_tile::<7>(x, width, full),
        }
    }

    /// Solves for `T` times four columns.
    fn solve_tile<const T: usize>(&self, x: &mut [f64], width: usize, first: usize) {
        let n = self.n;
        let symmetric = self.upper_end.is_empty();
        for i in (0..n).rev() {
            let mut sum = read::<T>(x, i * width + first);
            for &(k, factor) in &self.after[self.after_start[i]..self.after_start[i + 1]] {
                subtract_tile(&mut sum, factor, read::<T>(x, k as usize * width + first));
            }
            if !symmetric {
                let inverse = f64x4::splat(self.inverse[i]);
                sum.iter_mut().for_each(|x| *x *= inverse);
            }
            write(x, i * width + first, sum);
        }
        for k in 0..n {
            let mut sum = read::<T>(x, k * width + first);
            if symmetric {
                let inverse = f64x4::splat(self.inverse[k]);
                sum.iter_mut().for_each(|x| *x *= inverse);
            }
            let row = &self.matrix[k * n..k * n + k];
            for &i in &self.lower[self.entries(&self.lower_end, k)] {
                let i = i as usize;
                subtract_tile(&mut sum, row[i], read::<T>(x, i * width + first));
            }
            write(x, k * width + first, sum);
        }
    }

    /// Lists the entries above the diagonal by row: those of the upper factor, or of the transposed
    /// lower one.
    fn list_after(&mut self) {
        let n = self.n;
        let symmetric = self.upper_end.is_empty();
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

    /// Solves for one right-hand side in place.
    pub(super) fn solve_vector(&self, x: &mut [f64]) {
        let n = self.n;
        let lower = |k: usize| &self.matrix[k * n + self.first[k]..k * n + k];
        if self.upper_end.is_empty() {
            for k in (0..n).rev() {
                let factor = -x[k];
                axpy(&mut x[self.first[k]..k], factor, lower(k));
                x[k] *= self.inverse[k];
            }
        } else {
            for k in (0..n).rev() {
                x[k] *= self.inverse[k];
                for &i in &self.upper[self.entries(&self.upper_end, k)] {
                    x[i as usize] -= self.matrix[i as usize * n + k] * x[k];
                }
            }
        }
        for k in 0..n {
            x[k] -= dot(lower(k), &x[self.first[k]..k]);
        }
    }

    /// Solves the transposed system for one right-hand side in place.
    pub(super) fn solve_transposed(&self, x: &mut [f64]) {
        let n = self.n;
        if self.upper_end.is_empty() {
            self.solve_vector(x);
            return;
        }
        // (U L)ᵀ = Lᵀ Uᵀ: first Lᵀ from the last unknown, then Uᵀ from the first
        for k in (0..n).rev() {
            let (factor, first) = (-x[k], self.first[k]);
            axpy(&mut x[first..k], factor, &self.matrix[k * n + first..k * n + k]);
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

/// Appends the places of all nonzero elements, in order.
#[inline]
fn push_nonzeros(places: &mut Vec<u32>, row: &[f64]) {
    let start = places.len();
    places.resize(start + row.len(), 0);
    let (room, mut count) = (&mut places[start..], 0);
    for (i, &x) in row.iter().enumerate() {
        room[count] = i as u32;
        count += usize::from(x != 0.0);
    }
    places.truncate(start + count);
}

#[inline]
fn read<const T: usize>(x: &[f64], at: usize) -> [f64x4; T] {
    let (fours, _) = x[at..at + 4 * T].as_chunks::<4>();
    std::array::from_fn(|c| f64x4::new(fours[c]))
}

#[inline]
fn write<const T: usize>(x: &mut [f64], at: usize, values: [f64x4; T]) {
    let (fours, _) = x[at..at + 4 * T].as_chunks_mut::<4>();
    (0..T).for_each(|c| fours[c] = values[c].to_array());
}

#[inline]
fn subtract_tile<const T: usize>(sum: &mut [f64x4; T], factor: f64, x: [f64x4; T]) {
    let factor = f64x4::splat(factor);
    (0..T).for_each(|c| sum[c] -= factor * x[c]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(i: usize, j: usize) -> f64 {
        libm::sin(1.0 + 3.7 * i as f64 + 1.9 * j as f64) + if i == j { 8.0 } else { 0.0 }
    }

    #[test]
    fn factors_solve_symmetric_and_general_systems() {
        let n = 7;
        for (general, width) in (4..48).step_by(4).flat_map(|w| [(false, w), (true, w)]) {
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
            for transposed in [false, true] {
                let mut x: Vec<f64> = b[..n].to_vec();
                if transposed {
                    factors.solve_transposed(&mut x);
                } else {
                    factors.solve_vector(&mut x);
                }
                for i in 0..n {
                    let at = |j| if transposed { entry(j, i) } else { entry(i, j) };
                    let sum: f64 = (0..n).map(|j| at(j) * x[j]).sum();
                    assert!((sum - b[i]).abs() < 1e-12);
                }
            }
        }
    }
}
