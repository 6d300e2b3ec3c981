//! Factors of matrices of moderate size, made of tiles: four rows high, and so wide that they stay
//! in registers.

use wide::f64x4;

use crate::math::{MINVAL, totals};

/// `H = Lᵀ D L`: the lower triangle of `L` without its diagonal, and `1 / D`.
#[derive(Debug, Clone, Default)]
pub(super) struct Factor {
    /// Chunks with the diagonal also have something right of it, which is never used.
    rows: Vec<f64x4>,
    /// What each row of the matrix has left of its diagonal.
    pattern: Vec<u64>,
    /// Of every four rows: what the factor has in them, and which rows below have something in
    /// their columns.
    columns: Vec<u64>,
    below: Vec<u64>,
    pivots: Vec<f64>,
    inverse: Vec<f64x4>,
}

/// What a Hessian is the sum of: inertia, a diagonal, and products of rows.
pub(super) struct Terms<'a> {
    pub(super) inertia: &'a [f64x4],
    pub(super) diagonal: &'a [f64x4],
    pub(super) active: &'a [Active],
    pub(super) jacobian: &'a [f64x4],
    pub(super) weighted: &'a [f64x4],
}

/// Rows that add to the Hessian.
#[derive(Debug, Clone, Copy)]
pub(super) struct Active {
    /// Where they start, and how many there are.
    pub(super) start: usize,
    pub(super) rank: usize,
    pub(super) bits: u64,
}

pub(super) fn bit(k: usize) -> u64 {
    1 << k
}

/// Calls `f` for every bit that is set.
#[inline]
pub(super) fn each_bit(mut bits: u64, mut f: impl FnMut(usize)) {
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

    /// Adds `sources`, times factors, to the rows: a factor for each row and element of a source,
    /// of which there is one for each chunk.
    #[inline]
    fn add_products(&mut self, factors: &[f64x4], sources: [&[f64x4]; N]) {
        for (k, factors) in factors.iter().enumerate() {
            let factors = factors.to_array();
            for r in 0..4 {
                let factor = f64x4::splat(factors[r]);
                for i in 0..N {
                    self.0[r][i] += factor * sources[i][k];
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

impl Factor {
    /// Finds what the factor of a matrix with that much left of its diagonal will have.
    pub(super) fn plan(&mut self, pattern: &[u64]) {
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
    pub(super) fn run(&mut self, terms: &Terms, stride: usize) {
        self.inverse.resize(stride, f64x4::ZERO);
        self.pivots.resize(4 * stride, 0.0);
        for block in (0..stride).rev() {
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
                    1 => self.assemble::<1>(terms, block, start, stride),
                    _ => self.assemble::<2>(terms, block, start, stride),
                }
                start += width;
            }
            self.finish(terms.diagonal[block], block, stride);
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
    ) {
        let at = 4 * block * stride + start;
        let mut tile = Tile::<N>::load(&terms.inertia[at..], stride);
        for &Active { start: first, rank, bits } in terms.active {
            if bits >> (4 * block) & 15 != 0 {
                let factors = &terms.jacobian[first + block * rank..][..rank];
                let weighted = &terms.weighted[first + start * rank..][..N * rank];
                let sources = std::array::from_fn(|i| &weighted[i * rank..(i + 1) * rank]);
                tile.add_products(factors, sources);
            }
        }
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

        // the block on the diagonal by itself, since each pivot waits for the one before
        let mut own = rows.each_ref().map(|row| row[block].to_array());
        let mut factors = [[f64x4::ZERO; 4]; 4];
        let mut inverse = [0.0; 4];
        for (r, diagonal) in diagonal.to_array().into_iter().enumerate() {
            own[r][r] += diagonal;
        }
        for r in (0..4).rev() {
            let pivot = own[r][r].max(MINVAL);
            self.pivots[4 * block + r] = pivot;
            inverse[r] = 1.0 / pivot;
            let elements = own[r];
            for above in 0..r {
                factors[r][above] = f64x4::splat(elements[above]);
                own[r][above] *= inverse[r];
            }
            for above in 0..r {
                for i in 0..=above {
                    own[above][i] -= elements[above] * own[r][i];
                }
            }
        }
        self.inverse[block] = f64x4::new(inverse);
        for i in 0..block {
            let mut column = rows.each_ref().map(|row| row[i]);
            for r in (0..4).rev() {
                column[r] *= f64x4::splat(inverse[r]);
                for above in 0..r {
                    let share = factors[r][above] * column[r];
                    column[above] -= share;
                }
            }
            for r in 0..4 {
                rows[r][i] = column[r];
            }
        }
        // of these, what is left of the diagonal
        for r in 0..4 {
            rows[r][block] = f64x4::new(own[r]);
        }
    }

    /// Solves in place, four rows at a time.
    pub(super) fn solve(&self, x: &mut [f64x4], stride: usize) {
        let rows = |chunk: usize| -> [&[f64x4]; 4] {
            std::array::from_fn(|r| &self.rows[(4 * chunk + r) * stride..][..=chunk])
        };
        for chunk in (0..stride).rev() {
            let rows = rows(chunk);
            let mut own = x[chunk].to_array();
            for r in (1..4).rev() {
                for j in 0..r {
                    own[j] -= rows[r][chunk].as_array()[j] * own[r];
                }
            }
            x[chunk] = f64x4::new(own);
            let own = own.map(f64x4::splat);
            for (i, x) in x[..chunk].iter_mut().enumerate() {
                let mut sum = own[0] * rows[0][i];
                for r in 1..4 {
                    sum += own[r] * rows[r][i];
                }
                *x -= sum;
            }
        }
        for chunk in 0..stride {
            let rows = rows(chunk);
            let mut sums = [f64x4::ZERO; 4];
            for (i, x) in x[..chunk].iter().enumerate() {
                for r in 0..4 {
                    sums[r] += rows[r][i] * *x;
                }
            }
            let mut own = (x[chunk] * self.inverse[chunk] - totals(sums)).to_array();
            for r in 1..4 {
                for j in 0..r {
                    own[r] -= rows[r][chunk].as_array()[j] * own[j];
                }
            }
            x[chunk] = f64x4::new(own);
        }
    }
}
