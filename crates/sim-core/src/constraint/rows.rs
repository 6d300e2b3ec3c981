/// The Jacobian of all constraint rows, kept by kind and never as one matrix.
///
/// Blocks follow each other in the order of the public `efc_` arrays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    pub(crate) blocks: Vec<Block>,
    /// Dofs of the blocks, increasing within each.
    pub(crate) dofs: Vec<u32>,
    /// Stored rows of the blocks.
    pub(crate) values: Vec<f64>,
}

/// Rows that involve the same dofs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Block {
    /// First row, and how many there are.
    pub(crate) row: usize,
    pub(crate) count: usize,
    /// Where the dofs are, and how many.
    pub(crate) dof: usize,
    pub(crate) width: usize,
    /// Where the stored rows are, each `width` long, and how many.
    pub(crate) value: usize,
    pub(crate) rank: usize,
    pub(crate) kind: Kind,
    /// How many entries a row has in the public sparse Jacobian; it also shows the zeros of dofs
    /// that move both sides alike.
    pub(crate) listed: usize,
}

/// How the rows of a block are made from the stored ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// One row with one entry.
    Unit,
    /// The rows are the stored ones.
    Plain,
    /// The stored rows are the axes of a contact; each friction axis `k` gives two rows,
    /// `normal ± friction[k] axis[k]`.
    Pyramid([f64; 5]),
}

/// The most stored rows that a block can have.
pub(crate) const MAX_RANK: usize = 6;

/// The most rows that a block can have.
pub(crate) const MAX_COUNT: usize = 10;

impl Rows {
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.dofs.clear();
        self.values.clear();
    }

    /// Adds a row with one entry.
    pub(crate) fn push_unit(&mut self, row: usize, dof: usize, value: f64) {
        let (at, value_at) = (self.dofs.len(), self.values.len());
        self.dofs.push(dof as u32);
        self.values.push(value);
        self.blocks.push(Block {
            row,
            count: 1,
            dof: at,
            width: 1,
            value: value_at,
            rank: 1,
            kind: Kind::Unit,
            listed: 1,
        });
    }

    /// Adds a row given by its entries, in increasing order of dofs.
    pub(crate) fn push_row(&mut self, row: usize, entries: impl Iterator<Item = (usize, f64)>) {
        let (dof, value) = (self.dofs.len(), self.values.len());
        for (dof, entry) in entries {
            self.dofs.push(dof as u32);
            self.values.push(entry);
        }
        let width = self.dofs.len() - dof;
        self.blocks.push(Block {
            row,
            count: 1,
            dof,
            width,
            value,
            rank: 1,
            kind: Kind::Plain,
            listed: width,
        });
    }

    /// The dofs of a block.
    #[inline]
    pub(crate) fn dofs(&self, block: &Block) -> &[u32] {
        &self.dofs[block.dof..block.dof + block.width]
    }

    /// The stored rows of a block, one after the other.
    #[inline]
    pub(crate) fn values(&self, block: &Block) -> &[f64] {
        &self.values[block.value..block.value + block.rank * block.width]
    }

    /// Computes `out = J x`.
    pub(crate) fn mul(&self, out: &mut [f64], x: &[f64]) {
        for block in &self.blocks {
            let dofs = self.dofs(block);
            let values = self.values(block);
            let out = &mut out[block.row..block.row + block.count];
            if block.kind == Kind::Unit {
                out[0] = values[0] * x[dofs[0] as usize];
                continue;
            }
            let mut y = [0.0; MAX_RANK];
            match block.rank {
                3 => y[..3].copy_from_slice(&products::<3>(values, dofs, x)),
                6 => y[..6].copy_from_slice(&products::<6>(values, dofs, x)),
                rank => {
                    for (y, row) in y[..rank].iter_mut().zip(values.chunks(block.width.max(1))) {
                        *y = products::<1>(row, dofs, x)[0];
                    }
                }
            }
            block.spread(&y, out);
        }
    }

    /// Computes `out = Jᵀ f`.
    pub(crate) fn mul_transposed(&self, out: &mut [f64], f: &[f64]) {
        out.fill(0.0);
        for block in &self.blocks {
            let dofs = self.dofs(block);
            let values = self.values(block);
            let y = block.gather(&f[block.row..block.row + block.count]);
            for (row, y) in values.chunks(block.width.max(1)).zip(y) {
                if y == 0.0 {
                    continue;
                }
                for (&dof, value) in dofs.iter().zip(row) {
                    out[dof as usize] += value * y;
                }
            }
        }
    }
}

/// Products of `N` rows with `x`.
#[inline]
fn products<const N: usize>(values: &[f64], dofs: &[u32], x: &[f64]) -> [f64; N] {
    let width = dofs.len();
    let rows: [&[f64]; N] = std::array::from_fn(|k| &values[k * width..(k + 1) * width]);
    let mut sums = [0.0; N];
    for (i, &dof) in dofs.iter().enumerate() {
        let x = x[dof as usize];
        for k in 0..N {
            sums[k] += rows[k][i] * x;
        }
    }
    sums
}

impl Block {
    /// From products with the stored rows to products with the rows.
    #[inline]
    pub(crate) fn spread(&self, y: &[f64; MAX_RANK], out: &mut [f64]) {
        match &self.kind {
            // a loop, since these are too short for a copy of any length
            Kind::Unit | Kind::Plain => {
                for (out, y) in out.iter_mut().zip(y) {
                    *out = *y;
                }
            }
            Kind::Pyramid(friction) => {
                for (k, pair) in out.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                    let tangent = friction[k] * y[k + 1];
                    *pair = [y[0] + tangent, y[0] - tangent];
                }
            }
        }
    }

    /// From forces along the rows to forces along the stored rows.
    #[inline]
    pub(crate) fn gather(&self, f: &[f64]) -> [f64; MAX_RANK] {
        let mut y = [0.0; MAX_RANK];
        match &self.kind {
            Kind::Unit | Kind::Plain => {
                for (y, f) in y.iter_mut().zip(f) {
                    *y = *f;
                }
            }
            Kind::Pyramid(friction) => {
                for (k, pair) in f.as_chunks::<2>().0.iter().enumerate() {
                    y[0] += pair[0] + pair[1];
                    y[k + 1] = friction[k] * (pair[0] - pair[1]);
                }
            }
        }
        y
    }
}
