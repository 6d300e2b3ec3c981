//! Factors of matrices of moderate size, made of tiles: four rows high, and so wide that they stay
//! in registers.

use wide::f64x4;

use crate::math::{MINVAL, totals};

/// `H = Lᵀ D L`: the lower triangle of `L` without its diagonal, and `1 / D`.
#[derive(Debug, Clone, Default)]
pub(crate) struct TiledLdl {
    /// In place of the blocks on the diagonal stand those of the inverse of `L`.
    rows: Vec<f64x4>,
    /// What each row of the matrix has left of its diagonal.
    pattern: Vec<u64>,
    /// Of every four rows: what the factor has in them, and which rows below have something in
    /// their columns.
    columns: Vec<u64>,
    below: Vec<u64>,
    pivots: Vec<f64>,
    /// Active rows that have something in the four rows at hand.
    listed: Vec<Active>,
    inverse: Vec<f64x4>,
}

/// What a Hessian is the sum of: inertia, a diagonal, and products of rows.
pub(crate) struct Terms<'a> {
    pub(crate) inertia: &'a [f64x4],
    pub(crate) diagonal: &'a [f64x4],
    pub(crate) active: &'a [Active],
    pub(crate) jacobian: &'a [f64x4],
    pub(crate) weighted: &'a [f64x4],
}

/// Rows that add to the Hessian.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Active {
    /// Where they start, and how many there are.
    pub(crate) start: usize,
    pub(crate) rank: usize,
    pub(crate) bits: u64,
}

pub(crate) fn bit(k: usize) -> u64 {
    1 << k
}

/// Calls `f` for every bit that is set.
#[inline]
pub(crate) fn each_bit(mut bits: u64, mut f: impl FnMut(usize)) {
    while bits != 0 {
        f(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Four rows of a matrix, `N` chunks of each.
struct Tile<const N: usize>([[f64x4; N]; 4]);

impl<const N: usize> Tile<N> {
    /// The tile that starts with the first element of `rows`.
    #[inline]
    fn load(rows: &[f64x4], stride: usize) -> Self {
        let mut tile = [[f64x4::ZERO; N]; 4];
        for r in 0..4 {
            tile[r].copy_from_slice(&rows[r * stride..r * stride + N]);
        }
        Tile(tile)
    }

    #[inline]
    fn store(&self, rows: &mut [f64x4], stride: usize) {
        for r in 0..4 {
            rows[r * stride..r * stride + N].copy_from_slice(&self.0[r]);
        }
    }

    /// Adds the products of active rows to chunks from `start` on of a block.
    #[inline(always)]
    fn add_rows(&mut self, terms: &Terms, listed: &[Active], block: usize, start: usize) {
        for &Active { start: first, rank, .. } in listed {
            let factors = &terms.jacobian[first + block * rank..][..rank];
            let weighted = &terms.weighted[first + start * rank..][..N * rank];
            match rank {
                3 => self.add_products::<3>(factors, weighted),
                4 => self.add_products::<4>(factors, weighted),
                6 => self.add_products::<6>(factors, weighted),
                _ => self.add_products::<1>(factors, weighted),
            }
        }
    }

    /// Adds `R` rows, of which `sources` has a chunk after the other, times factors: one for each
    /// of them and row of the tile.
    #[inline(always)]
    fn add_products<const R: usize>(&mut self, factors: &[f64x4], sources: &[f64x4]) {
        let (factors, sources) = (&factors[..R], &sources[..N * R]);
        for k in 0..R {
            let factors = factors[k].to_array();
            for r in 0..4 {
                let factor = f64x4::splat(factors[r]);
                for i in 0..N {
                    self.0[r][i] += factor * sources[i * R + k];
                }
            }
        }
    }

    /// Adds `source`, times its factor, to each row.
    #[inline]
    fn add(&mut self, factors: f64x4, source: &[f64x4]) {
        let source = &source[..N];
        let factors = factors.to_array();
        for r in 0..4 {
            let factor = f64x4::splat(factors[r]);
            for i in 0..N {
                self.0[r][i] += factor * source[i];
            }
        }
    }
}

impl TiledLdl {
    fn resize(&mut self, stride: usize) {
        self.inverse.resize(stride, f64x4::ZERO);
        self.pivots.resize(4 * stride, 0.0);
    }

    /// Finds what the factor of a matrix with that much left of its diagonal will have.
    pub(crate) fn plan(&mut self, pattern: &[u64]) {
        if self.pattern == pattern {
            return;
        }
        self.pattern.clear();
        self.pattern.extend_from_slice(pattern);
        let blocks = pattern.len().div_ceil(4);
        self.rows.clear();
        self.rows.resize(4 * blocks * blocks, f64x4::ZERO);
        self.columns.clear();
        self.columns.resize(blocks, 0);
        self.below.clear();
        self.below.resize(blocks, 0);
        let mut filled = [0; 64];
        filled[..pattern.len()].copy_from_slice(pattern);
        for k in (0..pattern.len()).rev() {
            let bits = filled[k];
            if bits != 0 {
                // what is left of the diagonal gets tied to the row of its last element
                let last = 63 - bits.leading_zeros() as usize;
                filled[last] |= bits & !bit(last);
            }
            self.columns[k / 4] |= bits;
            each_bit(bits, |i| {
                if i / 4 < k / 4 {
                    self.below[i / 4] |= bit(k);
                }
            });
        }
    }

    /// Factorises the sum of `terms`, from the last rows to the first, so that a tree gets no fill.
    /// Solves the first half for `x`, if there is one, as rows get done.
    pub(crate) fn run(&mut self, terms: &Terms, stride: usize, mut x: Option<&mut [f64x4]>) {
        self.resize(stride);
        if self.listed.len() < terms.active.len() {
            self.listed.resize(terms.active.len(), Active { start: 0, rank: 0, bits: 0 });
        }
        for block in (0..stride).rev() {
            // without branches, which would be hard to foresee
            let mut count = 0;
            for &active in terms.active {
                self.listed[count] = active;
                count += usize::from(active.bits >> (4 * block) & 15 != 0);
            }
            let mut start = 0;
            while start <= block {
                let width = (block + 1 - start).min(2);
                let columns = self.columns[block] >> (4 * start) & (bit(4 * width) - 1);
                match width {
                    _ if columns == 0 && start + width <= block => {
                        for row in 4 * block..4 * block + 4 {
                            self.rows[row * stride + start..][..width].fill(f64x4::ZERO);
                        }
                    }
                    1 => self.assemble::<1>(terms, block, start, stride, count),
                    _ => self.assemble::<2>(terms, block, start, stride, count),
                }
                start += width;
            }
            self.finish(terms.diagonal[block], block, stride);
            if let Some(x) = &mut x {
                self.solve_upwards(x, block, stride);
            }
        }
    }

    /// Computes `N` chunks, from `start` on, of four rows, up to what they take from each other.
    #[inline]
    fn assemble<const N: usize>(
        &mut self,
        terms: &Terms,
        block: usize,
        start: usize,
        stride: usize,
        count: usize,
    ) {
        let at = 4 * block * stride + start;
        let mut tile = Tile::<N>::load(&terms.inertia[at..], stride);
        tile.add_rows(terms, &self.listed[..count], block, start);
        each_bit(self.below[block], |k| {
            let row = &self.rows[k * stride..(k + 1) * stride];
            tile.add(row[block] * f64x4::splat(-self.pivots[k]), &row[start..]);
        });
        tile.store(&mut self.rows[at..], stride);
    }

    /// Divides four rows by their pivots, the last one first, and subtracts from those above what
    /// elimination takes. Adds `diagonal` to the pivots before.
    #[inline]
    fn finish(&mut self, diagonal: f64x4, block: usize, stride: usize) {
        let rows = &mut self.rows[4 * block * stride..4 * (block + 1) * stride];
        let (first, rest) = rows.split_at_mut(stride);
        let (second, rest) = rest.split_at_mut(stride);
        let (third, fourth) = rest.split_at_mut(stride);
        let rows = [first, second, third, fourth].map(|row| &mut row[..=block]);

        // the block on the diagonal by itself, since pivots wait for those before
        let mut own = rows.each_ref().map(|row| row[block].to_array());
        for (r, diagonal) in diagonal.to_array().into_iter().enumerate() {
            own[r][r] += diagonal;
        }
        let triangle = Triangle::new(&own);
        self.pivots[4 * block..4 * block + 4].copy_from_slice(&triangle.pivots);
        self.inverse[block] = f64x4::new(triangle.inverse);

        let factors = triangle.elements.map(|row| row.map(f64x4::splat));
        let inverse = triangle.inverse.map(f64x4::splat);
        for i in 0..block {
            let mut column = rows.each_ref().map(|row| row[i]);
            for r in (0..4).rev() {
                column[r] *= inverse[r];
                for above in 0..r {
                    let share = factors[r][above] * column[r];
                    column[above] -= share;
                }
            }
            for r in 0..4 {
                rows[r][i] = column[r];
            }
        }
        for (row, own) in rows.into_iter().zip(triangle.inverted()) {
            row[block] = own;
        }
    }

    /// Solves in place.
    pub(crate) fn solve(&self, x: &mut [f64x4], stride: usize) {
        for chunk in (0..stride).rev() {
            self.solve_upwards(x, chunk, stride);
        }
        self.solve_downwards(x, stride);
    }

    /// The four rows of a block, up to the diagonal.
    #[inline]
    fn four_rows(&self, block: usize, stride: usize) -> [&[f64x4]; 4] {
        std::array::from_fn(|r| &self.rows[(4 * block + r) * stride..][..=block])
    }

    /// The share of four rows in the first half of a solution, which goes from the last to the first.
    #[inline]
    fn solve_upwards(&self, x: &mut [f64x4], chunk: usize, stride: usize) {
        let rows = self.four_rows(chunk, stride);
        // in pairs, since the next chunk waits for the sum
        let product = |i: usize, own: [f64x4; 4]| {
            (own[0] * rows[0][i] + own[1] * rows[1][i])
                + (own[2] * rows[2][i] + own[3] * rows[3][i])
        };
        x[chunk] = product(chunk, x[chunk].to_array().map(f64x4::splat));
        let own = x[chunk].to_array().map(f64x4::splat);
        for (i, x) in x[..chunk].iter_mut().enumerate() {
            *x -= product(i, own);
        }
    }

    /// The second half of a solution.
    pub(crate) fn solve_downwards(&self, x: &mut [f64x4], stride: usize) {
        for chunk in 0..stride {
            let rows = self.four_rows(chunk, stride);
            let mut sums = [f64x4::ZERO; 4];
            for (i, x) in x[..chunk].iter().enumerate() {
                for r in 0..4 {
                    sums[r] += rows[r][i] * *x;
                }
            }
            let own = x[chunk] * self.inverse[chunk] - totals(sums);
            x[chunk] = totals(rows.map(|row| row[chunk] * own));
        }
    }
}

/// Elimination within four rows: `H = Lᵀ D L`.
struct Triangle {
    /// What each row had left of the diagonal when it was divided by its pivot.
    elements: [[f64; 4]; 4],
    pivots: [f64; 4],
    inverse: [f64; 4],
}

impl Triangle {
    /// Eliminates the rows of the lower triangle of `own`, from the last to the first. Two at a
    /// time, so that only every other division waits for the one before.
    #[inline]
    fn new(own: &[[f64; 4]; 4]) -> Triangle {
        let [[a, ..], [b, c, ..], [d, e, f, _], [g, h, i, j]] = *own;
        let ([p3, p2], [q3, q2]) = two_pivots(j, i, f);
        let (l30, l31) = (g * q3, h * q3);
        let (d, e) = (d - i * l30, e - i * l31);
        let (l20, l21) = (d * q2, e * q2);
        let a = a - g * l30 - d * l20;
        let b = b - h * l30 - e * l20;
        let c = c - h * l31 - e * l21;
        let ([p1, p0], [q1, q0]) = two_pivots(c, b, a);
        Triangle {
            elements: [[0.0; 4], [b, 0.0, 0.0, 0.0], [d, e, 0.0, 0.0], [g, h, i, 0.0]],
            pivots: [p0, p1, p2, p3],
            inverse: [q0, q1, q2, q3],
        }
    }

    /// The rows of the inverse of `L`.
    #[inline]
    fn inverted(&self) -> [f64x4; 4] {
        let [_, q1, q2, q3] = self.inverse;
        let [_, [b, ..], [d, e, ..], [g, h, i, _]] = self.elements;
        let l10 = b * q1;
        let (l20, l21) = (d * q2, e * q2);
        let (l30, l31, l32) = (g * q3, h * q3, i * q3);
        let m20 = l21 * l10 - l20;
        let m31 = l32 * l21 - l31;
        let m30 = l31 * l10 - l32 * m20 - l30;
        [
            f64x4::new([1.0, 0.0, 0.0, 0.0]),
            f64x4::new([-l10, 1.0, 0.0, 0.0]),
            f64x4::new([m20, -l21, 1.0, 0.0]),
            f64x4::new([m30, m31, -l32, 1.0]),
        ]
    }
}

/// The pivots, and their inverses, of two rows `[.., a]` and `[.., b, c]`, the second one first.
#[inline]
fn two_pivots(c: f64, b: f64, a: f64) -> ([f64; 2], [f64; 2]) {
    let c = c.max(MINVAL);
    let inverse = 1.0 / c;
    let determinant = a * c - b * b;
    if determinant > MINVAL * c {
        ([c, determinant * inverse], [inverse, c / determinant])
    } else {
        ([c, MINVAL], [inverse, 1.0 / MINVAL])
    }
}
