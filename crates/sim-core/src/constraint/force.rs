//! The force of a row as a function of how far its acceleration is from the one aimed at.

use crate::data::Contact;
use crate::model::{Cone as ConeType, ConstraintState, ConstraintType};
use crate::{Data, Model};

const SATISFIED: i32 = ConstraintState::Satisfied as i32;
const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const LINEAR_NEG: i32 = ConstraintState::LinearNeg as i32;
const LINEAR_POS: i32 = ConstraintState::LinearPos as i32;
const CONE: i32 = ConstraintState::Cone as i32;

/// The rows of a contact with an elliptic cone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Cone {
    /// First row, and how many there are.
    pub(crate) row: usize,
    pub(crate) dim: usize,
    pub(crate) contact: usize,
    pub(crate) mu: f64,
    pub(crate) friction: [f64; 5],
    /// Weight of the squared distance from the cone.
    pub(crate) weight: f64,
}

/// What the forces of a set of rows depend on. Equalities come first, then friction; of the rest,
/// those that belong to no cone push only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Law<'a> {
    pub(crate) ne: usize,
    pub(crate) nf: usize,
    pub(crate) d: &'a [f64],
    /// Of equalities and friction, as the next.
    pub(crate) r: &'a [f64],
    pub(crate) floss: &'a [f64],
    pub(crate) cones: &'a [Cone],
}

/// Lists the elliptic cones among all rows.
pub(crate) fn cones(model: &Model, data: &Data, out: &mut Vec<Cone>) {
    out.clear();
    if model.opt.cone != ConeType::Elliptic as i32 {
        return;
    }
    for block in &data.rows.blocks {
        if data.efc_type[block.row] == ConstraintType::ContactElliptic as i32 {
            let contact = data.efc_id[block.row] as usize;
            let Contact { mu, friction, .. } = data.contact[contact];
            let weight = data.efc_D[block.row] / (mu * mu * (1.0 + mu * mu));
            out.push(Cone { row: block.row, dim: block.count, contact, mu, friction, weight });
        }
    }
}

impl Law<'_> {
    /// Computes forces and states at the residuals `jar`, and returns the cost.
    pub(crate) fn update(&self, jar: &[f64], force: &mut [f64], state: &mut [i32]) -> f64 {
        let n = jar.len();
        let first = self.ne + self.nf;
        let (d, r, floss) = (&self.d[..n], &self.r[..first], &self.floss[..first]);
        let (force, state) = (&mut force[..n], &mut state[..n]);
        let ne = self.ne;
        let mut cost = quadratic(&d[..ne], &jar[..ne], &mut force[..ne]);
        state[..ne].fill(QUADRATIC);
        for i in self.ne..first {
            let (x, bound) = (jar[i], r[i] * floss[i]);
            if x <= -bound {
                force[i] = floss[i];
                state[i] = LINEAR_NEG;
                cost += -0.5 * bound * floss[i] - floss[i] * x;
            } else if x >= bound {
                force[i] = -floss[i];
                state[i] = LINEAR_POS;
                cost += -0.5 * bound * floss[i] + floss[i] * x;
            } else {
                force[i] = -d[i] * x;
                state[i] = QUADRATIC;
                cost += 0.5 * d[i] * x * x;
            }
        }
        let mut start = first;
        for cone in self.cones {
            let rows = start..cone.row;
            cost = push_only(
                cost,
                &d[rows.clone()],
                &jar[rows.clone()],
                &mut force[rows.clone()],
                &mut state[rows],
            );
            let rows = cone.row..cone.row + cone.dim;
            start = rows.end;
            cost = cone.update(
                cost,
                &d[rows.clone()],
                &jar[rows.clone()],
                &mut force[rows.clone()],
                &mut state[rows],
            );
        }
        push_only(cost, &d[start..], &jar[start..], &mut force[start..], &mut state[start..])
    }
}

/// Sums over as many equalities are made in four lanes. Fewer, those of robots, are added in the
/// reference's order: conjugate gradients amplify the last digit.
pub(crate) const LANES_FROM: usize = 128;

/// Rows whose cost is quadratic. Returns it.
#[inline]
fn quadratic(d: &[f64], jar: &[f64], force: &mut [f64]) -> f64 {
    let in_lanes = if d.len() < LANES_FROM { 0 } else { d.len() / 4 * 4 };
    let (d4, d) = d.split_at(in_lanes);
    let (jar4, jar) = jar.split_at(in_lanes);
    let (force4, force) = force.split_at_mut(in_lanes);
    let (d4, jar4, force4) = (d4.as_chunks().0, jar4.as_chunks().0, force4.as_chunks_mut().0);
    let mut lanes = [0.0; 4];
    for ((d, x), force) in d4.iter().zip(jar4).zip(force4) {
        let (d, x, force): (&[f64; 4], &[f64; 4], &mut [f64; 4]) = (d, x, force);
        for k in 0..4 {
            force[k] = -d[k] * x[k];
            lanes[k] += 0.5 * d[k] * x[k] * x[k];
        }
    }
    let mut cost = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
    for ((d, x), force) in d.iter().zip(jar).zip(force) {
        *force = -d * x;
        cost += 0.5 * d * x * x;
    }
    cost
}

/// Rows that push while their residual is negative. Returns the cost with theirs.
#[inline]
fn push_only(mut cost: f64, d: &[f64], jar: &[f64], force: &mut [f64], state: &mut [i32]) -> f64 {
    for (((d, x), force), state) in d.iter().zip(jar).zip(force).zip(state) {
        // a residual that is not a number counts as negative, so that it shows in the force
        let x = if *x >= 0.0 { 0.0 } else { *x };
        *force = -d * x;
        *state = if x == 0.0 { SATISFIED } else { QUADRATIC };
        cost += 0.5 * d * x * x;
    }
    cost
}

/// Where a residual lies relative to an elliptic cone.
enum Zone {
    /// No force.
    Top,
    /// The cone does not matter.
    Bottom,
    Middle,
}

impl Cone {
    /// The first `N` residuals in coordinates in which the cone is circular, and the factors that
    /// lead there.
    #[inline]
    fn scaled<const N: usize>(&self, jar: &[f64]) -> ([f64; N], [f64; N]) {
        let (mut u, mut scale) = ([0.0; N], [self.mu; N]);
        scale[1..].copy_from_slice(&self.friction[..N - 1]);
        for (k, jar) in jar.iter().take(N).enumerate() {
            u[k] = jar * scale[k];
        }
        (u, scale)
    }

    fn zone(&self, normal: f64, tangent: f64) -> Zone {
        let mu = self.mu;
        if normal >= mu * tangent || (tangent <= 0.0 && normal >= 0.0) {
            Zone::Top
        } else if mu * normal + tangent <= 0.0 || (tangent <= 0.0 && normal < 0.0) {
            Zone::Bottom
        } else {
            Zone::Middle
        }
    }

    /// Computes forces and states of the cone. Returns the cost with its own.
    fn update(
        &self,
        cost: f64,
        d: &[f64],
        jar: &[f64],
        force: &mut [f64],
        state: &mut [i32],
    ) -> f64 {
        match self.dim {
            3 => self.update_of::<3>(cost, d, jar, force, state),
            4 => self.update_of::<4>(cost, d, jar, force, state),
            _ => self.update_of::<6>(cost, d, jar, force, state),
        }
    }

    /// Does it for a cone with `N` rows.
    #[inline]
    fn update_of<const N: usize>(
        &self,
        mut cost: f64,
        d: &[f64],
        jar: &[f64],
        force: &mut [f64],
        state: &mut [i32],
    ) -> f64 {
        let (d, jar, force) = (&d[..N], &jar[..N], &mut force[..N]);
        let (u, scale) = self.scaled::<N>(jar);
        let tangent = tangent_norm(&u);
        let zone = match self.zone(u[0], tangent) {
            Zone::Top => {
                for k in 0..N {
                    force[k] = 0.0;
                }
                SATISFIED
            }
            Zone::Bottom => {
                for k in 0..N {
                    force[k] = -d[k] * jar[k];
                    cost += 0.5 * d[k] * jar[k] * jar[k];
                }
                QUADRATIC
            }
            Zone::Middle => {
                let weight = self.weight;
                let depth = u[0] - self.mu * tangent;
                force[0] = -weight * depth * self.mu;
                for k in 1..N {
                    force[k] = -force[0] / tangent * u[k] * scale[k];
                }
                cost += 0.5 * weight * depth * depth;
                CONE
            }
        };
        for k in 0..N {
            state[k] = zone;
        }
        cost
    }

    /// Second derivative of the cost by the first `N` residuals, in the middle zone.
    pub(crate) fn hessian<const N: usize>(&self, jar: &[f64]) -> [[f64; N]; N] {
        let (u, scale) = self.scaled::<N>(jar);
        let mu = self.mu;
        let inverse = 1.0 / tangent_norm(&u);
        let weight = self.weight;
        let mut hessian = [[0.0; N]; N];
        hessian[0][0] = 1.0;
        let slope = mu * inverse;
        let outer = slope * u[0] * inverse * inverse;
        let diagonal = mu * mu - slope * u[0];
        for i in 1..N {
            hessian[0][i] = -slope * u[i];
            for j in i..N {
                hessian[i][j] = outer * u[j] * u[i];
            }
            hessian[i][i] += diagonal;
        }
        for i in 0..N {
            for j in i..N {
                hessian[i][j] *= weight * scale[i] * scale[j];
                hessian[j][i] = hessian[i][j];
            }
        }
        hessian
    }

    /// Writes the Hessian to the contact, by rows.
    pub(crate) fn write_hessian(&self, jar: &[f64], contact: &mut Contact) {
        match self.dim {
            3 => contact.H[..9].copy_from_slice(self.hessian::<3>(jar).as_flattened()),
            4 => contact.H[..16].copy_from_slice(self.hessian::<4>(jar).as_flattened()),
            _ => contact.H.copy_from_slice(self.hessian::<6>(jar).as_flattened()),
        }
    }
}

fn tangent_norm<const N: usize>(u: &[f64; N]) -> f64 {
    u[1..].iter().map(|u| u * u).sum::<f64>().sqrt()
}
