//! Mass matrix and Jacobian of an island as [`Data`] stores them, in the coordinates of the island:
//! what every storage is loaded from.

use wide::f64x4;

use crate::constraint::Block;
use crate::math::bit;
use crate::{Data, Model};

/// The matrices of an island.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) model: &'a Model,
    pub(super) data: &'a Data,
    /// The dofs of the island, and the place there of every dof of the model.
    pub(super) dofs: &'a [u32],
    pub(super) place: &'a [u32],
}

/// A row of the lower triangle of the mass matrix, or of its factor `L`.
pub(super) struct InertiaRow<'a> {
    ancestors: &'a [i32],
    place: &'a [u32],
    /// Elements left of the diagonal.
    pub(super) left: &'a [f64],
    pub(super) diagonal: f64,
}

impl<'a> InertiaRow<'a> {
    /// The columns of the elements left of the diagonal: ancestors, in increasing order.
    #[inline]
    pub(super) fn columns(&self) -> impl Iterator<Item = usize> + use<'a> {
        let place = self.place;
        self.ancestors.iter().map(move |&dof| place[dof as usize] as usize)
    }
}

impl<'a> View<'a> {
    /// Row `i` of the mass matrix.
    #[inline]
    pub(super) fn inertia_row(&self, i: usize) -> InertiaRow<'a> {
        self.row_of(&self.data.M, i)
    }

    /// Row `i` of the factor of the mass matrix.
    #[inline]
    pub(super) fn factor_row(&self, i: usize) -> InertiaRow<'a> {
        self.row_of(&self.data.qLD, i)
    }

    #[inline]
    fn row_of(&self, matrix: &'a [f64], i: usize) -> InertiaRow<'a> {
        let row = self.model.m_row(self.dofs[i] as usize);
        let diagonal = row.end - 1;
        InertiaRow {
            ancestors: &self.model.M_colind[row.start..diagonal],
            place: self.place,
            left: &matrix[row.start..diagonal],
            diagonal: matrix[diagonal],
        }
    }

    /// One over pivot `i` of the factor of the mass matrix.
    #[inline]
    pub(super) fn inverse_pivot(&self, i: usize) -> f64 {
        self.data.qLDiagInv[self.dofs[i] as usize]
    }

    /// The parent of dof `i`, unless its row holds nothing but the diagonal.
    #[inline]
    pub(super) fn parent(&self, i: usize) -> Option<usize> {
        let dof = self.dofs[i] as usize;
        let parent = usize::try_from(self.model.dof_parentid[dof]).ok();
        parent.filter(|_| self.model.M_rownnz[dof] > 1).map(|dof| self.place[dof] as usize)
    }

    /// The dofs of a block of rows, increasing.
    #[inline]
    pub(super) fn block_dofs(&self, block: &Block) -> impl Iterator<Item = usize> + use<'a> {
        let place = self.place;
        self.data.rows.dofs(block).iter().map(move |&dof| place[dof as usize] as usize)
    }

    /// The last dof of a block of rows; 0 if there are none.
    #[inline]
    pub(super) fn last_dof(&self, block: &Block) -> usize {
        let last = self.data.rows.dofs(block).last();
        last.map_or(0, |&dof| self.place[dof as usize] as usize)
    }

    /// The stored rows of a block, by dof.
    #[inline]
    pub(super) fn block_values(&self, block: &Block) -> &'a [f64x4] {
        self.data.rows.values(block)
    }
}

/// Up to four dofs of the island along a chain: each is the parent of the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    first: usize,
    count: usize,
}

/// Division of a vector by the mass matrix, whose factor is known.
impl View<'_> {
    /// Solves `M x = b` in place.
    pub(super) fn solve_inertia(&self, x: &mut [f64]) {
        for i in (0..self.dofs.len()).rev() {
            let row = self.factor_row(i);
            for (column, value) in row.columns().zip(row.left) {
                x[column] -= value * x[i];
            }
        }
        for i in 0..self.dofs.len() {
            x[i] *= self.inverse_pivot(i);
        }
        for i in 0..self.dofs.len() {
            let row = self.factor_row(i);
            let mut sum = 0.0;
            for (column, value) in row.columns().zip(row.left) {
                sum += value * x[column];
            }
            x[i] -= sum;
        }
    }
}

/// Division of several vectors by the mass matrix, whose factor is known.
impl View<'_> {
    /// Cuts the dofs into pieces.
    pub(super) fn list_pieces(&self, pieces: &mut Vec<Piece>) {
        let Model { dof_parentid, M_rownnz, .. } = self.model;
        pieces.clear();
        let mut last: Option<usize> = None;
        for (i, &dof) in self.dofs.iter().enumerate() {
            let dof = dof as usize;
            let follows = last.is_some_and(|last| {
                last + 1 == dof
                    && dof_parentid[dof] == last as i32
                    && M_rownnz[dof] == M_rownnz[last] + 1
            });
            last = Some(dof);
            match pieces.last_mut() {
                Some(piece) if follows && piece.count < 4 => piece.count += 1,
                _ => pieces.push(Piece { first: i, count: 1 }),
            }
        }
    }

    /// Divides vectors by the mass matrix, four in each of `P` chunks. `reached` are the dofs at
    /// which they are not zero.
    pub(super) fn divide<const P: usize>(
        &self,
        mut x: [&mut [f64x4]; P],
        mut reached: u64,
        pieces: &[Piece],
    ) {
        for &Piece { first, count } in pieces.iter().rev() {
            if reached >> first & (bit(count) - 1) == 0 {
                continue;
            }
            reached |= match count {
                1 => self.up::<1, P>(&mut x, first),
                2 => self.up::<2, P>(&mut x, first),
                3 => self.up::<3, P>(&mut x, first),
                _ => self.up::<4, P>(&mut x, first),
            };
        }
        for &Piece { first, count } in pieces {
            match count {
                1 => self.down::<1, P>(&mut x, first),
                2 => self.down::<2, P>(&mut x, first),
                3 => self.down::<3, P>(&mut x, first),
                _ => self.down::<4, P>(&mut x, first),
            }
        }
    }

    /// The ancestors that the `N` rows of a piece share, and the rows of `L`.
    #[inline]
    fn chain<const N: usize>(&self, first: usize) -> (&[i32], [&[f64]; N]) {
        let row = self.model.m_row(self.dofs[first] as usize);
        let shared = row.len() - 1;
        let mut rest = &self.data.qLD[row.start..];
        let rows = std::array::from_fn(|i| {
            let (row, tail) = rest.split_at(shared + i + 1);
            rest = tail;
            row
        });
        (&self.model.M_colind[row.start..row.start + shared], rows)
    }

    /// Eliminates the dofs of a piece. Returns its ancestors.
    #[inline]
    fn up<const N: usize, const P: usize>(&self, x: &mut [&mut [f64x4]; P], first: usize) -> u64 {
        let (ancestors, lower) = self.chain::<N>(first);
        let shared = ancestors.len();
        let mut own = [[f64x4::ZERO; P]; N];
        for i in 0..N {
            for p in 0..P {
                own[i][p] = x[p][first + i];
            }
        }
        for i in (1..N).rev() {
            for j in 0..i {
                for p in 0..P {
                    own[j][p] -= own[i][p] * lower[i][shared + j];
                }
            }
        }
        for i in 0..N {
            for p in 0..P {
                x[p][first + i] = own[i][p];
            }
        }
        let lower = lower.map(|row| &row[..shared]);
        let mut reached = 0;
        for (depth, &ancestor) in ancestors.iter().enumerate() {
            let ancestor = self.place[ancestor as usize] as usize;
            reached |= bit(ancestor);
            for p in 0..P {
                let mut sum = own[0][p] * lower[0][depth];
                for i in 1..N {
                    sum += own[i][p] * lower[i][depth];
                }
                x[p][ancestor] -= sum;
            }
        }
        reached
    }

    /// Solves for the dofs of a piece.
    #[inline]
    fn down<const N: usize, const P: usize>(&self, x: &mut [&mut [f64x4]; P], first: usize) {
        let (ancestors, lower) = self.chain::<N>(first);
        let shared = ancestors.len();
        let dof = self.dofs[first] as usize;
        let inverse = &self.data.qLDiagInv[dof..dof + N];
        let mut own = [[f64x4::ZERO; P]; N];
        for i in 0..N {
            for p in 0..P {
                own[i][p] = x[p][first + i] * inverse[i];
            }
        }
        let above = lower.map(|row| &row[..shared]);
        for (depth, &ancestor) in ancestors.iter().enumerate() {
            let ancestor = self.place[ancestor as usize] as usize;
            for p in 0..P {
                let row = x[p][ancestor];
                for i in 0..N {
                    own[i][p] -= row * above[i][depth];
                }
            }
        }
        for i in 1..N {
            for j in 0..i {
                for p in 0..P {
                    own[i][p] -= own[j][p] * lower[i][shared + j];
                }
            }
        }
        for i in 0..N {
            for p in 0..P {
                x[p][first + i] = own[i][p];
            }
        }
    }
}
