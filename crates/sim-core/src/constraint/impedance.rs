//! How stiff, damped and soft each row is.

use super::Block;
use crate::data::Contact;
use crate::math::{MINVAL, norm};
use crate::model::{ConstraintType, Disable, EqType};
use crate::{Data, Model};

/// Smallest and largest impedance.
const IMPEDANCE: [f64; 2] = [0.0001, 0.9999];

/// Reference dynamics that stand in for ones that make no sense.
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Solver parameters of a constraint.
struct Params {
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

/// Computes `efc_diagApprox`, `efc_KBIP`, `efc_R` and `efc_D` of all rows, and the friction
/// coefficient `mu` of regularised cones.
pub(super) fn add(model: &Model, data: &mut Data) {
    let nefc = data.nefc;
    data.efc_diagApprox.resize(nefc, 0.0);
    data.efc_KBIP.resize(nefc, [0.0; 4]);
    data.efc_R.resize(nefc, 0.0);
    data.efc_D.resize(nefc, 0.0);

    for i in 0..data.rows.blocks.len() {
        let Block { row, count, .. } = data.rows.blocks[i];
        let rows = row..row + count;
        let kind = data.efc_type[row];
        let id = data.efc_id[row] as usize;

        inverse_inertia(model, data, row, count);
        let params = Params::new(model, data, kind, id);
        // connect and weld have several rows, other equalities one
        let pos = if kind == ConstraintType::Equality as i32 && count > 1 {
            norm(&data.efc_pos[rows.clone()])
        } else {
            data.efc_pos[row]
        };
        let (imp, slope) = impedance(&params.solimp, pos - data.efc_margin[row]);
        let pyramid = kind == ConstraintType::ContactPyramidal as i32;
        let elliptic = kind == ConstraintType::ContactElliptic as i32;
        let dry = kind == ConstraintType::FrictionDof as i32
            || kind == ConstraintType::FrictionTendon as i32;

        let [stiffness, damping] = params.reference(false);
        let stiffness = if dry { 0.0 } else { stiffness };
        let kbip = &mut data.efc_KBIP[rows.clone()];
        kbip.fill([stiffness, damping, imp, slope]);
        if elliptic {
            let tangent =
                if params.solreffriction == [0.0; 2] { damping } else { params.reference(true)[1] };
            kbip[1..].fill([0.0, tangent, imp, slope]);
        }

        let softness = |inertia: f64| MINVAL.max((1.0 - imp) * inertia / imp);
        let diagonal = &mut data.efc_diagApprox[rows.clone()];
        let (r, d) = (&mut data.efc_R[rows.clone()], &mut data.efc_D[rows]);
        let first = softness(diagonal[0]);
        if pyramid {
            // the same for all rows
            let common = pyramid_softness(model, &mut data.contact[id], first);
            r.fill(common);
            d.fill(1.0 / common);
            diagonal.fill(common * imp / (1.0 - imp));
            continue;
        }
        if elliptic {
            // the other rows follow from the first
            r[0] = first;
            cone_softness(model, &mut data.contact[id], r);
        } else {
            for (r, diagonal) in r.iter_mut().zip(&*diagonal) {
                *r = softness(*diagonal);
            }
        }
        if r.iter().all(|r| *r == first) {
            d.fill(1.0 / first);
            diagonal.fill(first * imp / (1.0 - imp));
            continue;
        }
        for ((diagonal, d), r) in diagonal.iter_mut().zip(d).zip(&*r) {
            *d = 1.0 / r;
            *diagonal = r * imp / (1.0 - imp);
        }
    }
}

/// Estimates the inverse inertia along the rows of a constraint from tables of the model.
fn inverse_inertia(model: &Model, data: &mut Data, first: usize, count: usize) {
    let id = data.efc_id[first] as usize;
    let out = &mut data.efc_diagApprox[first..first + count];
    let weight = |bodies: [usize; 2], k: usize| {
        model.body_invweight0[bodies[0]][k] + model.body_invweight0[bodies[1]][k]
    };
    match ConstraintType::from_i32(data.efc_type[first]) {
        Some(ConstraintType::Equality) => match EqType::from_i32(model.eq_type[id]) {
            Some(EqType::Connect | EqType::Weld) => {
                let bodies = model.eq_bodies(id);
                for (k, out) in out.iter_mut().enumerate() {
                    *out = weight(bodies, usize::from(k > 2));
                }
            }
            Some(EqType::Joint) => {
                let of = |jnt: i32| match usize::try_from(jnt) {
                    Ok(jnt) => model.dof_invweight0[model.jnt_dofadr[jnt] as usize],
                    Err(_) => 0.0,
                };
                out[0] = of(model.eq_obj1id[id]) + of(model.eq_obj2id[id]);
            }
            _ => {
                let of = |tendon: i32| match usize::try_from(tendon) {
                    Ok(tendon) => model.tendon_invweight0[tendon],
                    Err(_) => 0.0,
                };
                out[0] = of(model.eq_obj1id[id]) + of(model.eq_obj2id[id]);
            }
        },
        Some(ConstraintType::FrictionDof) => out[0] = model.dof_invweight0[id],
        Some(ConstraintType::LimitJoint) => {
            out[0] = model.dof_invweight0[model.jnt_dofadr[id] as usize];
        }
        Some(ConstraintType::FrictionTendon | ConstraintType::LimitTendon) => {
            out[0] = model.tendon_invweight0[id];
        }
        kind => {
            let contact = &data.contact[id];
            let bodies = contact.geom.map(|geom| model.geom_bodyid[geom as usize] as usize);
            let (tran, rot) = (weight(bodies, 0), weight(bodies, 1));
            if kind == Some(ConstraintType::ContactPyramidal) {
                for (k, pair) in out.as_chunks_mut::<2>().0.iter_mut().enumerate() {
                    let mu = contact.friction[k];
                    *pair = [tran + mu * mu * if k < 2 { tran } else { rot }; 2];
                }
            } else {
                for (k, out) in out.iter_mut().enumerate() {
                    *out = if k < 3 { tran } else { rot };
                }
            }
        }
    }
}

impl Params {
    fn new(model: &Model, data: &Data, kind: i32, id: usize) -> Params {
        let (solref, solimp) = match ConstraintType::from_i32(kind) {
            Some(ConstraintType::Equality) => (model.eq_solref[id], model.eq_solimp[id]),
            Some(ConstraintType::LimitJoint) => (model.jnt_solref[id], model.jnt_solimp[id]),
            Some(ConstraintType::FrictionDof) => (model.dof_solref[id], model.dof_solimp[id]),
            Some(ConstraintType::LimitTendon) => {
                (model.tendon_solref_lim[id], model.tendon_solimp_lim[id])
            }
            Some(ConstraintType::FrictionTendon) => {
                (model.tendon_solref_fri[id], model.tendon_solimp_fri[id])
            }
            _ => (data.contact[id].solref, data.contact[id].solimp),
        };
        let solreffriction = match ConstraintType::from_i32(kind) {
            Some(ConstraintType::ContactElliptic | ConstraintType::ContactPyramidal) => {
                data.contact[id].solreffriction
            }
            _ => [0.0; 2],
        };
        let [least, most] = IMPEDANCE;
        // unlike `clamp`, these pass over a NaN
        let within = |x: f64| x.max(least).min(most);
        Params {
            solref: usable(model, solref, DEFAULT_SOLREF),
            solreffriction: usable(model, solreffriction, [0.0; 2]),
            solimp: [
                within(solimp[0]),
                within(solimp[1]),
                solimp[2].max(0.0),
                within(solimp[3]),
                solimp[4].max(1.0),
            ],
        }
    }

    /// Stiffness and damping, of the friction directions of an elliptic cone if `tangent`.
    fn reference(&self, tangent: bool) -> [f64; 2] {
        let own = tangent && self.solreffriction != [0.0; 2];
        let [time, ratio] = if own { self.solreffriction } else { self.solref };
        let top = self.solimp[1];
        let stiffness = if time > 0.0 {
            1.0 / MINVAL.max(top * top * time * time * ratio * ratio)
        } else {
            -time / MINVAL.max(top * top)
        };
        let damping =
            if ratio > 0.0 { 2.0 / MINVAL.max(top * time) } else { -ratio / MINVAL.max(top) };
        [stiffness, damping]
    }
}

/// Time constant and damping ratio, or negative stiffness and damping; one of each is replaced by
/// `default`. A time constant is at least two steps, unless that is switched off.
fn usable(model: &Model, solref: [f64; 2], default: [f64; 2]) -> [f64; 2] {
    let [time, ratio] = if (solref[0] > 0.0) == (solref[1] > 0.0) { solref } else { default };
    if time > 0.0 && !model.disabled(Disable::RefSafe) {
        [time.max(2.0 * model.opt.timestep), ratio]
    } else {
        [time, ratio]
    }
}

/// Impedance at violation `x`, and its slope.
fn impedance(solimp: &[f64; 5], x: f64) -> (f64, f64) {
    let [start, end, width, midpoint, exponent] = *solimp;
    if start == end || width <= MINVAL {
        return (0.5 * (start + end), 0.0);
    }
    let sign = if x < 0.0 { -1.0 } else { 1.0 };
    let x = (x / width).abs();
    if x >= 1.0 {
        return (end, 0.0);
    }
    if x <= 0.0 {
        return (start, 0.0);
    }
    let (y, slope) = if exponent == 1.0 {
        (x, 1.0)
    } else if x <= midpoint {
        let scale = 1.0 / power(midpoint, exponent - 1.0);
        (scale * power(x, exponent), exponent * scale * power(x, exponent - 1.0))
    } else {
        let scale = 1.0 / power(1.0 - midpoint, exponent - 1.0);
        let left = 1.0 - x;
        (1.0 - scale * power(left, exponent), exponent * scale * power(left, exponent - 1.0))
    };
    (start + y * (end - start), slope * sign * (end - start) / width)
}

fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 1.0 {
        base
    } else if exponent == 2.0 {
        base * base
    } else {
        libm::pow(base, exponent)
    }
}

/// Computes the softness of an elliptic cone in its friction directions from that of its first row,
/// and its regularised friction coefficient.
#[inline]
fn cone_softness(model: &Model, contact: &mut Contact, softness: &mut [f64]) {
    let tangent = regularise(model, contact, softness[0]);
    softness[1] = tangent;
    let friction = &contact.friction;
    for (softness, mu) in softness[2..].iter_mut().zip(&friction[1..]) {
        *softness = if *mu == friction[0] {
            tangent
        } else {
            tangent * friction[0] * friction[0] / (mu * mu)
        };
    }
}

/// Computes the softness of all rows of a pyramid from that of its normal: as soft in the friction
/// directions as the elliptic cone is.
#[inline]
fn pyramid_softness(model: &Model, contact: &mut Contact, softness: f64) -> f64 {
    regularise(model, contact, softness);
    2.0 * contact.mu * contact.mu * softness
}

/// Computes the friction coefficient `mu` of the regularised cone. Returns the softness in the
/// first friction direction.
#[inline]
fn regularise(model: &Model, contact: &mut Contact, softness: f64) -> f64 {
    let impratio = model.opt.impratio;
    if impratio == 1.0 {
        contact.mu = contact.friction[0];
        return softness;
    }
    let tangent = softness / MINVAL.max(impratio);
    contact.mu = contact.friction[0] * (tangent / softness).sqrt();
    tangent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn impedance_rises_from_start_to_end_and_its_slope_is_the_derivative() {
        for exponent in [1.0, 2.0, 3.5] {
            let solimp = [0.2, 0.9, 0.01, 0.3, exponent];
            assert_eq!(impedance(&solimp, 0.0), (0.2, 0.0));
            assert_eq!(impedance(&solimp, -0.02), (0.9, 0.0));
            for x in [-0.008, -0.001, 0.002, 0.0075] {
                let h = 1e-8;
                let difference =
                    (impedance(&solimp, x + h).0 - impedance(&solimp, x - h).0) / (2.0 * h);
                assert!((impedance(&solimp, x).1 - difference).abs() < 1e-4 * difference.abs());
            }
        }
    }
}
