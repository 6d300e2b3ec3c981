use wide::f64x4;

use super::{MOST_DENSE, SolverWork};
use crate::constraint::{Block, Cone, Kind, Law};
use crate::math::{scalars, scalars_mut};
use crate::model::ConstraintState;
use crate::{Data, Model};

/// One island, in its own coordinates, and the point that the solver is at.
#[derive(Debug, Clone, Default)]
pub(super) struct Problem {
    /// The dofs of the model that are solved for.
    pub(super) dofs: Vec<u32>,
    /// The rows; none are listed if these are all.
    pub(super) rows: Vec<u32>,
    pub(super) has_all_rows: bool,
    /// Blocks of rows; `row` counts within the island. In small islands each stands for itself only.
    pub(super) blocks: Vec<Block>,
    /// Cone of every block that is one.
    pub(super) block_cone: Vec<Option<u32>>,
    pub(super) cones: Vec<Cone>,
    pub(super) ne: usize,
    pub(super) nf: usize,
    /// Cost of the rows, if it is known already, and with it forces and states.
    pub(super) row_cost: Option<f64>,
    /// Scale of improvement and gradient: one over a measure of the inertia.
    pub(super) scale: f64,

    pub(super) d: Vec<f64>,
    /// Of equalities and friction only, as the next.
    pub(super) r: Vec<f64>,
    pub(super) floss: Vec<f64>,
    pub(super) jar: Vec<f64>,
    pub(super) jv: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) state: Vec<i32>,
    /// At the point before; of equalities it may be anything.
    pub(super) old_state: Vec<i32>,

    pub(super) qacc: Vec<f64x4>,
    pub(super) qacc_smooth: Vec<f64x4>,
    pub(super) qfrc_smooth: Vec<f64x4>,
    pub(super) qfrc_constraint: Vec<f64x4>,
    /// Products of the mass matrix with acceleration and direction.
    pub(super) ma: Vec<f64x4>,
    pub(super) mv: Vec<f64x4>,
    pub(super) grad: Vec<f64x4>,
    /// Gradient, divided by the mass matrix or the Hessian, and the product of both.
    pub(super) mgrad: Vec<f64x4>,
    pub(super) product: f64,
    /// The product of the gradient with the divided one of before.
    pub(super) mixed: f64,
    pub(super) search: Vec<f64x4>,
}

/// The second derivative of the cost of a block by its `N` stored rows.
pub(super) enum Weight<const N: usize> {
    /// The block is not active.
    None,
    Diagonal([f64; N]),
    Full([[f64; N]; N]),
}

impl<const N: usize> Weight<N> {
    /// The whole matrix; none if the block is not active.
    #[inline]
    pub(super) fn matrix(self) -> Option<[[f64; N]; N]> {
        match self {
            Weight::None => None,
            Weight::Diagonal(diagonal) => {
                let mut matrix = [[0.0; N]; N];
                for k in 0..N {
                    matrix[k][k] = diagonal[k];
                }
                Some(matrix)
            }
            Weight::Full(matrix) => Some(matrix),
        }
    }
}

impl Problem {
    /// Loads one island, or all dofs and rows. Copies what the start has found about the rows, if
    /// these are all.
    pub(super) fn load(
        &mut self,
        model: &Model,
        data: &Data,
        work: &mut SolverWork,
        island: Option<usize>,
    ) {
        match island {
            Some(island) => self.select_island(model, data, island),
            None => self.select_all(model, data),
        }
        self.load_rows(data, work);
        self.load_dofs(data, work);
    }

    fn select_island(&mut self, model: &Model, data: &Data, island: usize) {
        let dofs = {
            let start = data.island_idofadr[island] as usize;
            &data.map_idof2dof[start..start + data.island_nv[island] as usize]
        };
        let rows = {
            let start = data.island_iefcadr[island] as usize;
            &data.map_iefc2efc[start..start + data.island_nefc[island] as usize]
        };
        self.dofs.clear();
        self.dofs.extend(dofs.iter().map(|&dof| dof as u32));
        self.rows.clear();
        self.has_all_rows = rows.len() == data.nefc;
        if !self.has_all_rows {
            self.rows.extend(rows.iter().map(|&row| row as u32));
        }
        self.ne = data.island_ne[island] as usize;
        self.nf = data.island_nf[island] as usize;
        let inertia: f64 = dofs.iter().map(|&dof| diagonal(model, data, dof as usize)).sum();
        self.scale = 1.0 / inertia;
    }

    fn select_all(&mut self, model: &Model, data: &Data) {
        self.dofs.clear();
        self.dofs.extend(0..model.nv as u32);
        self.rows.clear();
        self.has_all_rows = true;
        self.ne = data.ne;
        self.nf = data.nf;
        self.scale = 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64);
    }

    fn load_rows(&mut self, data: &Data, work: &mut SolverWork) {
        let first = self.ne + self.nf;
        self.blocks.clear();
        if self.has_all_rows {
            self.d.clone_from(&data.efc_D);
            self.r.clear();
            self.r.extend_from_slice(&data.efc_R[..first]);
            self.floss.clear();
            self.floss.extend_from_slice(&data.efc_frictionloss[..first]);
            if self.dofs.len() <= MOST_DENSE {
                self.blocks.extend(data.rows.each_block());
            } else {
                self.blocks.extend_from_slice(&data.rows.blocks);
            }
            self.row_cost = work.row_cost.take();
            self.jar.clone_from(&work.jar);
            self.force.clone_from(&work.force);
            self.state.clone_from(&work.state);
            self.cones.clone_from(&work.cones);
        } else {
            let SolverWork { jar, cones, block_of_row, .. } = work;
            let rows = &self.rows[..];
            gather(&mut self.d, &data.efc_D, rows);
            gather(&mut self.r, &data.efc_R, &rows[..first]);
            gather(&mut self.floss, &data.efc_frictionloss, &rows[..first]);
            gather(&mut self.jar, jar, rows);
            self.force.resize(rows.len(), 0.0);
            self.state.resize(rows.len(), 0);
            self.cones.clear();
            self.row_cost = None;
            let mut row = 0;
            while row < rows.len() {
                let global = rows[row] as usize;
                let all = data.rows.blocks[block_of_row[global] as usize];
                // of several with one row each, those that follow each other here, too
                let before = if all.times > 1 { global - all.row } else { 0 };
                let rest = rows[row..].iter().zip(global as u32..).take(all.times - before);
                let times = rest.take_while(|(own, global)| *own == global).count();
                let block = Block { row, times, ..all.nth(before) };
                let cone = cones.binary_search_by_key(&global, |cone| cone.row).ok();
                self.cones.extend(cone.map(|i| Cone { row, ..cones[i] }));
                row += block.count * block.times;
                if self.dofs.len() <= MOST_DENSE {
                    self.blocks.extend(block.each());
                } else {
                    self.blocks.push(block);
                }
            }
        }
        self.jv.resize(self.jar.len(), 0.0);
        self.old_state.resize(self.jar.len(), 0);

        self.block_cone.clear();
        let mut cones = self.cones.iter().zip(0..).peekable();
        self.block_cone.extend(
            self.blocks
                .iter()
                .map(|block| cones.next_if(|(cone, _)| cone.row == block.row).map(|(_, i)| i)),
        );
    }

    fn load_dofs(&mut self, data: &Data, work: &SolverWork) {
        let n = self.dofs.len();
        for (out, source) in [
            (&mut self.qacc, &data.qacc),
            (&mut self.ma, &work.ma),
            (&mut self.qacc_smooth, &data.qacc_smooth),
            (&mut self.qfrc_smooth, &data.qfrc_smooth),
        ] {
            resize(out, n);
            let out = &mut scalars_mut(out)[..n];
            if out.len() == source.len() {
                out.copy_from_slice(source);
            } else {
                for (out, &dof) in out.iter_mut().zip(&self.dofs) {
                    *out = source[dof as usize];
                }
            }
        }
        for out in [
            &mut self.qfrc_constraint,
            &mut self.mv,
            &mut self.grad,
            &mut self.mgrad,
            &mut self.search,
        ] {
            resize(out, n);
        }
    }
}

fn diagonal(model: &Model, data: &Data, dof: usize) -> f64 {
    data.M[(model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize]
}

/// Takes over those of `rows`, which increase.
fn gather(out: &mut Vec<f64>, source: &[f64], rows: &[u32]) {
    out.clear();
    if let (Some(&first), Some(&last)) = (rows.first(), rows.last())
        && (last - first) as usize == rows.len() - 1
    {
        out.extend_from_slice(&source[first as usize..=last as usize]);
        return;
    }
    out.extend(rows.iter().map(|&row| source[row as usize]));
}

/// Makes `x` a vector of `n` elements, whatever they are; what follows them is zero.
fn resize(x: &mut Vec<f64x4>, n: usize) {
    x.resize(n.div_ceil(4), f64x4::ZERO);
    if let Some(last) = x.last_mut() {
        *last = f64x4::ZERO;
    }
}

/// Makes `x` a null vector of `n` elements.
pub(super) fn zeros(x: &mut Vec<f64x4>, n: usize) {
    x.clear();
    x.resize(n.div_ceil(4), f64x4::ZERO);
}

impl Problem {
    pub(super) fn law(&self) -> Law<'_> {
        Law {
            ne: self.ne,
            nf: self.nf,
            d: &self.d,
            r: &self.r,
            floss: &self.floss,
            cones: &self.cones,
        }
    }

    /// The second derivative of the cost of block `i` by its `N` stored rows, at the current point.
    #[inline]
    pub(super) fn weight<const N: usize>(&self, i: usize) -> Weight<N> {
        let block = &self.blocks[i];
        let rows = block.row..block.row + block.count;
        let (d, state) = (&self.d[rows.clone()], &self.state[rows.clone()]);
        let quadratic = |k: usize| {
            if state[k] == ConstraintState::Quadratic as i32 { d[k] } else { 0.0 }
        };
        match (&block.kind, self.block_cone[i]) {
            (Kind::Unit | Kind::Plain, Some(cone)) if state[0] == ConstraintState::Cone as i32 => {
                Weight::Full(self.cones[cone as usize].hessian(&self.jar[rows]))
            }
            (Kind::Unit | Kind::Plain, _) => {
                let mut weight = [0.0; N];
                for (k, weight) in weight.iter_mut().enumerate() {
                    *weight = quadratic(k);
                }
                if weight == [0.0; N] { Weight::None } else { Weight::Diagonal(weight) }
            }
            (Kind::Pyramid(friction), _) => {
                let mut weight = [[0.0; N]; N];
                for k in 1..N {
                    let (plus, minus) = (quadratic(2 * k - 2), quadratic(2 * k - 1));
                    let mu = friction[k - 1];
                    weight[0][0] += plus + minus;
                    weight[0][k] = mu * (plus - minus);
                    weight[k][0] = weight[0][k];
                    weight[k][k] = mu * mu * (plus + minus);
                }
                if weight[0][0] == 0.0 { Weight::None } else { Weight::Full(weight) }
            }
        }
    }

    /// The same for a row that is a block, or one of those that a block stands for.
    #[inline]
    pub(super) fn single_weight(&self, row: usize) -> f64 {
        if self.state[row] == ConstraintState::Quadratic as i32 { self.d[row] } else { 0.0 }
    }

    /// Writes the solution back.
    pub(super) fn store(&self, data: &mut Data) {
        let (qacc, qfrc) = (scalars(&self.qacc), scalars(&self.qfrc_constraint));
        for (i, &dof) in self.dofs.iter().enumerate() {
            data.qacc[dof as usize] = qacc[i];
            data.qfrc_constraint[dof as usize] = qfrc[i];
        }
        if self.has_all_rows {
            data.efc_force.copy_from_slice(&self.force);
            data.efc_state.copy_from_slice(&self.state);
        }
        for (i, &row) in self.rows.iter().enumerate() {
            data.efc_force[row as usize] = self.force[i];
            data.efc_state[row as usize] = self.state[i];
        }
    }

    /// Writes the Hessians of cones back.
    pub(super) fn store_hessians(&self, data: &mut Data) {
        for cone in &self.cones {
            let rows = cone.row..cone.row + cone.dim;
            if self.state[cone.row] == ConstraintState::Cone as i32 {
                cone.write_hessian(&self.jar[rows], &mut data.contact[cone.contact]);
            }
        }
    }
}
