//! Mass matrix and Jacobian of an island as [`Data`] stores them, in the coordinates of the island:
//! what every storage is loaded from.

use crate::constraint::Block;
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

    /// The only element of row `i` of the mass matrix, if there is but one.
    #[inline]
    pub(super) fn lone_diagonal(&self, i: usize) -> Option<f64> {
        let dof = self.dofs[i] as usize;
        (self.model.M_rownnz[dof] == 1).then(|| self.data.M[self.model.M_rowadr[dof] as usize])
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
    pub(super) fn block_values(&self, block: &Block) -> &'a [f64] {
        self.data.rows.values(block)
    }
}
