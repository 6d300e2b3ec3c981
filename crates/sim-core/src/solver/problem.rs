use wide::f64x4;

use super::SolverWork;
use crate::constraint::{Block, Cone, Kind, Law};
use crate::math::{scalars, scalars_mut};
use crate::model::ConstraintState;
use crate::{Data, Model};

/// One island, in its own coordinates, and the point that the solver is at.
#[derive(Debug, Clone, Default)]
pub(super) struct Problem {
    /// The dofs and rows of the model that are solved for.
    pub(super) dofs: Vec<u32>,
    pub(super) rows: Vec<u32>,
    /// Blocks of rows; `row` counts within the island.
    pub(super) blocks: Vec<Block>,
    /// Cone of every block that is one.
    pub(super) block_cone: Vec<Option<u32>>,
    pub(super) cones: Vec<Cone>,
    pub(super) ne: usize,
    pub(super) nf: usize,
    /// Scale of improvement and gradient: one over a measure of the inertia.
    pub(super) scale: f64,

    pub(super) d: Vec<f64>,
    pub(super) r: Vec<f64>,
    pub(super) floss: Vec<f64>,
    pub(super) jar: Vec<f64>,
    pub(super) jv: Vec<f64>,
    pub(super) force: Vec<f64>,
    pub(super) state: Vec<i32>,
    pub(super) old_state: Vec<i32>,

    pub(super) qacc: Vec<f64x4>,
    pub(super) qacc_smooth: Vec<f64x4>,
    pub(super) qfrc_smooth: Vec<f64x4>,
    pub(super) qfrc_constraint: Vec<f64x4>,
    /// Products of the mass matrix with acceleration and direction.
    pub(super) ma: Vec<f64x4>,
    pub(super) mv: Vec<f64x4>,
    pub(super) grad: Vec<f64x4>,
    pub(super) old_grad: Vec<f64x4>,
    /// Gradient, divided by the mass matrix or the Hessian.
    pub(super) mgrad: Vec<f64x4>,
    pub(super) old_mgrad: Vec<f64x4>,
    pub(super) search: Vec<f64x4>,
}

/// Loads one island.
pub(super) fn load_island(model: &Model, data: &Data, work: &mut SolverWork, island: usize) {
    let dofs = {
        let start = data.island_idofadr[island] as usize;
        &data.map_idof2dof[start..start + data.island_nv[island] as usize]
    };
    let rows = {
        let start = data.island_iefcadr[island] as usize;
        &data.map_iefc2efc[start..start + data.island_nefc[island] as usize]
    };
    let problem = &mut work.problem;
    problem.dofs.clear();
    problem.dofs.extend(dofs.iter().map(|&dof| dof as u32));
    problem.rows.clear();
    problem.rows.extend(rows.iter().map(|&row| row as u32));
    problem.ne = data.island_ne[island] as usize;
    problem.nf = data.island_nf[island] as usize;
    let inertia: f64 = dofs.iter().map(|&dof| diagonal(model, data, dof as usize)).sum();
    problem.scale = 1.0 / inertia;
    load(data, work);
}

/// Loads all dofs and rows.
pub(super) fn load_all(model: &Model, data: &Data, work: &mut SolverWork) {
    let problem = &mut work.problem;
    problem.dofs.clear();
    problem.dofs.extend(0..model.nv as u32);
    problem.rows.clear();
    problem.rows.extend(0..data.nefc as u32);
    problem.ne = data.ne;
    problem.nf = data.nf;
    problem.scale = 1.0 / (model.stat.meaninertia * model.nv.max(1) as f64);
    load(data, work);
}

fn diagonal(model: &Model, data: &Data, dof: usize) -> f64 {
    data.M[(model.M_rowadr[dof] + model.M_rownnz[dof] - 1) as usize]
}

fn load(data: &Data, work: &mut SolverWork) {
    let SolverWork { problem, block_of_row, jar, ma, cones, .. } = work;
    let n = problem.rows.len();
    // rows keep their order
    let whole = n == data.nefc;
    for (out, source) in [
        (&mut problem.d, &data.efc_D),
        (&mut problem.r, &data.efc_R),
        (&mut problem.floss, &data.efc_frictionloss),
        (&mut problem.jar, &*jar),
    ] {
        out.clear();
        if whole {
            out.extend_from_slice(&source[..n]);
        } else {
            out.extend(problem.rows.iter().map(|&row| source[row as usize]));
        }
    }
    problem.jv.resize(n, 0.0);
    problem.force.resize(n, 0.0);
    problem.state.resize(n, 0);
    problem.old_state.resize(n, 0);

    if whole {
        problem.blocks.clone_from(&data.rows.blocks);
        problem.cones.clone_from(cones);
    } else {
        problem.blocks.clear();
        problem.cones.clear();
        let mut row = 0;
        while row < n {
            let global = problem.rows[row] as usize;
            let block = data.rows.blocks[block_of_row[global] as usize];
            problem.blocks.push(Block { row, ..block });
            let cone = cones.binary_search_by_key(&global, |cone| cone.row).ok();
            problem.cones.extend(cone.map(|i| Cone { row, ..cones[i] }));
            row += block.count;
        }
    }
    problem.block_cone.clear();
    let mut cones = problem.cones.iter().zip(0..).peekable();
    problem.block_cone.extend(
        problem
            .blocks
            .iter()
            .map(|block| cones.next_if(|(cone, _)| cone.row == block.row).map(|(_, i)| i)),
    );

    for (out, source) in [
        (&mut problem.qacc, &data.qacc),
        (&mut problem.ma, ma),
        (&mut problem.qacc_smooth, &data.qacc_smooth),
        (&mut problem.qfrc_smooth, &data.qfrc_smooth),
    ] {
        resize(out, problem.dofs.len());
        for (out, &dof) in scalars_mut(out).iter_mut().zip(&problem.dofs) {
            *out = source[dof as usize];
        }
    }
    for out in [
        &mut problem.qfrc_constraint,
        &mut problem.mv,
        &mut problem.grad,
        &mut problem.old_grad,
        &mut problem.mgrad,
        &mut problem.old_mgrad,
        &mut problem.search,
    ] {
        resize(out, problem.dofs.len());
    }
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

    /// The second derivative of the cost of block `i` by its `N` stored rows, at the current point;
    /// none if it is not active.
    #[inline]
    pub(super) fn weight<const N: usize>(&self, i: usize) -> Option<[[f64; N]; N]> {
        let block = &self.blocks[i];
        let rows = block.row..block.row + block.count;
        let (d, state) = (&self.d[rows.clone()], &self.state[rows.clone()]);
        if state[0] == ConstraintState::Cone as i32 {
            let cone = &self.cones[self.block_cone[i]? as usize];
            return Some(cone.hessian(d[0], &self.jar[rows]));
        }
        let quadratic = |k: usize| {
            if state[k] == ConstraintState::Quadratic as i32 { d[k] } else { 0.0 }
        };
        let mut weight = [[0.0; N]; N];
        match &block.kind {
            Kind::Unit | Kind::Plain => {
                for (k, weight) in weight.iter_mut().enumerate() {
                    weight[k] = quadratic(k);
                }
            }
            Kind::Pyramid(friction) => {
                for k in 1..N {
                    let (plus, minus) = (quadratic(2 * k - 2), quadratic(2 * k - 1));
                    let mu = friction[k - 1];
                    weight[0][0] += plus + minus;
                    weight[0][k] = mu * (plus - minus);
                    weight[k][0] = weight[0][k];
                    weight[k][k] = mu * mu * (plus + minus);
                }
            }
        }
        weight.iter().enumerate().any(|(k, row)| row[k] != 0.0).then_some(weight)
    }

    /// Writes the solution back.
    pub(super) fn store(&self, data: &mut Data) {
        let (qacc, qfrc) = (scalars(&self.qacc), scalars(&self.qfrc_constraint));
        for (i, &dof) in self.dofs.iter().enumerate() {
            data.qacc[dof as usize] = qacc[i];
            data.qfrc_constraint[dof as usize] = qfrc[i];
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
                let hessian = cone.hessian(self.d[cone.row], &self.jar[rows]);
                cone.write_hessian(&hessian, &mut data.contact[cone.contact]);
            }
        }
    }
}
