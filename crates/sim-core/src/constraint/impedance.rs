//! How stiff, damped and soft each row is.

use std::ops::Range;

use wide::f64x4;

use super::Block;
use crate::data::Contact;
use crate::math::{MINVAL, load4, norm};
use crate::model::{ConstraintType, Disable, EqType};
use crate::{Data, Model};

/// Smallest and largest impedance.
const IMPEDANCE: [f64; 2] = [0.0001, 0.9999];

/// Reference dynamics that stand in for ones that make no sense.
const DEFAULT_SOLREF: [f64; 2] = [0.02, 1.0];

/// Computes `efc_diagApprox`, `efc_KBIP`, `efc_R` and `efc_D` of all rows, and the friction
/// coefficient `mu` of regularised cones.
pub(super) fn add(model: &Model, data: &mut Data) {
    let nefc = data.nefc;
    data.efc_diagApprox.resize(nefc, 0.0);
    data.efc_KBIP.resize(nefc, [0.0; 4]);
    data.efc_R.resize(nefc, 0.0);
    data.efc_D.resize(nefc, 0.0);

    // constraints that follow each other often have the same parameters; none have those of the
    // first, which are no numbers
    let mut response = Response { solref: [f64::NAN; 2], ..Response::default() };
    // those of flexes know their inertia from when they were made
    let inertias = std::mem::take(&mut data.work.flex_inertia);
    let mut inertias_left = inertias.iter();
    let mut next = 0;
    while next < data.rows.blocks.len() {
        let Block { row, count, .. } = data.rows.blocks[next];
        next += 1;
        let rows = row..row + count;
        let kind = ConstraintType::from_i32(data.efc_type[row]);
        let id = data.efc_id[row] as usize;

        let params = Params::new(model, &data.contact, kind, id, &mut inertias_left);
        let inertia = params.inertia;
        if !response.follows_from(&params) {
            response = Response::new(model, &params);
        }
        if kind == Some(ConstraintType::Equality) && params.is_of_flex {
            // so are all rows of this equality, which are of rank one
            let end = row + data.efc_id[row..data.ne].partition_point(|&other| other <= id as i32);
            let rest = inertias_left.as_slice().split_at(end - row - 1);
            inertias_left = rest.1.iter();
            flex_rows(&response, data, row..end, inertia[0], rest.0);
            next += data.rows.blocks[next..].iter().take_while(|block| block.row < end).count();
            continue;
        }
        // connect and weld have several rows, other equalities one
        let pos = if kind == Some(ConstraintType::Equality) && count > 1 {
            norm(&data.efc_pos[rows.clone()])
        } else {
            data.efc_pos[row]
        };
        let (imp, slope) = response.curve.at(pos - data.efc_margin[row]);
        let elliptic = kind == Some(ConstraintType::ContactElliptic);
        let dry =
            matches!(kind, Some(ConstraintType::FrictionDof | ConstraintType::FrictionTendon));

        let Response { stiffness, damping, tangent, .. } = response;
        let stiffness = if dry { 0.0 } else { stiffness };
        let kbip = &mut data.efc_KBIP[rows.clone()];
        fill(kbip, [stiffness, damping, imp, slope]);
        if elliptic {
            fill(&mut kbip[1..], [0.0, tangent, imp, slope]);
        }

        let softness = |inertia: f64| MINVAL.max((1.0 - imp) * inertia / imp);
        let (r, d) = (&mut data.efc_R[rows.clone()], &mut data.efc_D[rows.clone()]);
        let diagonal = &mut data.efc_diagApprox[rows];
        let mut first = softness(inertia[0]);
        if elliptic {
            // the other rows follow from the first
            r[0] = first;
            cone_softness(model, &mut data.contact[id], r);
        } else if kind == Some(ConstraintType::ContactPyramidal) {
            // the same for all rows
            first = pyramid_softness(model, &mut data.contact[id], first);
            r.fill(first);
        } else {
            for (k, r) in r.iter_mut().enumerate() {
                *r = if k < 3 { first } else { softness(inertia[1]) };
            }
        }
        if r.iter().all(|r| *r == first) {
            fill(d, 1.0 / first);
            fill(diagonal, first * imp / (1.0 - imp));
            continue;
        }
        for ((diagonal, d), r) in diagonal.iter_mut().zip(d).zip(&*r) {
            *d = 1.0 / r;
            *diagonal = r * imp / (1.0 - imp);
        }
    }
    data.work.flex_inertia = inertias;
}

/// Does it for the rows of an equality of a flex, which have one response and inertias of their own:
/// that of the first, and the others.
fn flex_rows(response: &Response, data: &mut Data, rows: Range<usize>, first: f64, others: &[f64]) {
    let Response { stiffness, damping, ref curve, .. } = *response;
    let Data { ref efc_pos, ref efc_margin, .. } = *data;
    let Data { ref mut efc_KBIP, ref mut efc_R, ref mut efc_D, ref mut efc_diagApprox, .. } = *data;
    let (kbip, r) = (&mut efc_KBIP[rows.clone()], &mut efc_R[rows.clone()]);
    let (d, diagonal) = (&mut efc_D[rows.clone()], &mut efc_diagApprox[rows.clone()]);
    let (pos, margin) = (&efc_pos[rows.clone()], &efc_margin[rows]);
    let [stiffness, damping, one] = [stiffness, damping, 1.0].map(f64x4::splat);
    let least = f64x4::splat(MINVAL);
    let inertia_at = |row: usize| if row == 0 { Some(&first) } else { others.get(row - 1) };
    for start in (0..pos.len()).step_by(4) {
        let count = (pos.len() - start).min(4);
        let inertia = f64x4::new(std::array::from_fn(|k| *inertia_at(start + k).unwrap_or(&0.0)));
        let (imp, slope) = curve.at4(load4(pos, start) - load4(margin, start));
        let soft = (one - imp) * inertia / imp;
        // not the other way round: what is not a number becomes the least
        let soft = soft.simd_gt(least).select(soft, least);
        let terms = f64x4::transpose([stiffness, damping, imp, slope]);
        let of_row = [soft, one / soft, soft * imp / (one - imp)].map(f64x4::to_array);
        for k in 0..count {
            kbip[start + k] = terms[k].to_array();
            (r[start + k], d[start + k]) = (of_row[0][k], of_row[1][k]);
            diagonal[start + k] = of_row[2][k];
        }
    }
}

/// Fills a list; faster than any fill if it is short.
#[inline]
fn fill<T: Copy>(out: &mut [T], value: T) {
    match out {
        [a, b] => (*a, *b) = (value, value),
        [a, b, c] => (*a, *b, *c) = (value, value, value),
        _ => out.fill(value),
    }
}

/// Parameters of a constraint, as they are in the model or a contact.
struct Params<'a> {
    solref: &'a [f64; 2],
    solreffriction: &'a [f64; 2],
    solimp: &'a [f64; 5],
    /// Estimate of the inverse inertia along the first three rows and the others.
    inertia: [f64; 2],
    /// Whether the constraint is an equality of a flex.
    is_of_flex: bool,
}

impl<'a> Params<'a> {
    #[inline]
    fn new(
        model: &'a Model,
        contacts: &'a [Contact],
        kind: Option<ConstraintType>,
        id: usize,
        flexes: &mut std::slice::Iter<'_, f64>,
    ) -> Params<'a> {
        let mut of_flex = || flexes.next().copied().unwrap_or(0.0);
        let mut is_of_flex = false;
        let (solref, solimp, inertia) = match kind {
            Some(ConstraintType::Equality) => {
                let inertia = match EqType::from_i32(model.eq_type[id]) {
                    Some(EqType::Flex | EqType::FlexVert) => {
                        is_of_flex = true;
                        [of_flex(); 2]
                    }
                    _ => equality_inertia(model, id),
                };
                (&model.eq_solref[id], &model.eq_solimp[id], inertia)
            }
            Some(ConstraintType::FrictionDof) => {
                (&model.dof_solref[id], &model.dof_solimp[id], [model.dof_invweight0[id]; 2])
            }
            Some(ConstraintType::LimitJoint) => {
                let inertia = model.dof_invweight0[model.jnt_dofadr[id] as usize];
                (&model.jnt_solref[id], &model.jnt_solimp[id], [inertia; 2])
            }
            Some(ConstraintType::FrictionTendon) => {
                let inertia = model.tendon_invweight0[id];
                (&model.tendon_solref_fri[id], &model.tendon_solimp_fri[id], [inertia; 2])
            }
            Some(ConstraintType::LimitTendon) => {
                let inertia = model.tendon_invweight0[id];
                (&model.tendon_solref_lim[id], &model.tendon_solimp_lim[id], [inertia; 2])
            }
            kind => {
                let Contact { solref, solreffriction, solimp, friction, .. } = &contacts[id];
                let inertia = match contacts[id].geom_bodies(model) {
                    Some(bodies) => bodies_inertia(model, bodies)[0],
                    None => of_flex(),
                };
                // the other rows follow from the first
                let along = match kind {
                    Some(ConstraintType::ContactPyramidal) => {
                        inertia + friction[0] * friction[0] * inertia
                    }
                    _ => inertia,
                };
                return Params { solref, solreffriction, solimp, inertia: [along; 2], is_of_flex };
            }
        };
        Params { solref, solreffriction: &[0.0; 2], solimp, inertia, is_of_flex }
    }
}

/// Estimates the inverse inertia of two bodies, for translations and rotations.
#[inline]
fn bodies_inertia(model: &Model, bodies: [usize; 2]) -> [f64; 2] {
    let [a, b] = bodies.map(|body| model.body_invweight0[body]);
    [a[0] + b[0], a[1] + b[1]]
}

/// Estimates the inverse inertia of an equality.
fn equality_inertia(model: &Model, eq: usize) -> [f64; 2] {
    let sum = |of: &dyn Fn(usize) -> f64| {
        let ids = [model.eq_obj1id[eq], model.eq_obj2id[eq]];
        let [a, b] = ids.map(|id| usize::try_from(id).map_or(0.0, of));
        [a + b; 2]
    };
    match EqType::from_i32(model.eq_type[eq]) {
        Some(EqType::Connect | EqType::Weld) => bodies_inertia(model, model.eq_bodies(eq)),
        Some(EqType::Joint) => sum(&|jnt| model.dof_invweight0[model.jnt_dofadr[jnt] as usize]),
        _ => sum(&|tendon| model.tendon_invweight0[tendon]),
    }
}

/// How a constraint with certain parameters responds to a violation.
#[derive(Default)]
struct Response {
    /// The parameters.
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
    stiffness: f64,
    damping: f64,
    /// Damping in the friction directions of an elliptic cone.
    tangent: f64,
    curve: Curve,
}

impl Response {
    fn new(model: &Model, params: &Params<'_>) -> Response {
        let (solref, solreffriction) = (*params.solref, *params.solreffriction);
        let curve = Curve::new(params.solimp);
        let [stiffness, damping] = reference(usable(model, solref, DEFAULT_SOLREF), curve.end);
        let friction = usable(model, solreffriction, [0.0; 2]);
        let tangent =
            if friction == [0.0; 2] { damping } else { reference(friction, curve.end)[1] };
        let solimp = *params.solimp;
        Response { solref, solreffriction, solimp, stiffness, damping, tangent, curve }
    }

    #[inline]
    fn follows_from(&self, params: &Params<'_>) -> bool {
        self.solref == *params.solref
            && self.solimp == *params.solimp
            && self.solreffriction == *params.solreffriction
    }
}

/// Stiffness and damping at the impedance `top`.
fn reference([time, ratio]: [f64; 2], top: f64) -> [f64; 2] {
    let stiffness = if time > 0.0 {
        1.0 / MINVAL.max(top * top * time * time * ratio * ratio)
    } else {
        -time / MINVAL.max(top * top)
    };
    let damping = if ratio > 0.0 { 2.0 / MINVAL.max(top * time) } else { -ratio / MINVAL.max(top) };
    [stiffness, damping]
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

/// Impedance as a function of violation.
#[derive(Default)]
struct Curve {
    start: f64,
    end: f64,
    width: f64,
    midpoint: f64,
    exponent: f64,
    /// Factors of the powers before and after the midpoint.
    scales: [f64; 2],
}

impl Curve {
    fn new(solimp: &[f64; 5]) -> Curve {
        let [least, most] = IMPEDANCE;
        // unlike `clamp`, these pass over a NaN
        let within = |x: f64| x.max(least).min(most);
        let (midpoint, exponent) = (within(solimp[3]), solimp[4].max(1.0));
        Curve {
            start: within(solimp[0]),
            end: within(solimp[1]),
            width: solimp[2].max(0.0),
            midpoint,
            exponent,
            scales: [midpoint, 1.0 - midpoint].map(|x| 1.0 / power(x, exponent - 1.0)),
        }
    }

    /// Impedance at violation `x`, and its slope.
    #[inline]
    fn at(&self, x: f64) -> (f64, f64) {
        let Curve { start, end, width, midpoint, exponent, scales } = *self;
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
            let scale = scales[0];
            (scale * power(x, exponent), exponent * scale * power(x, exponent - 1.0))
        } else {
            let (scale, left) = (scales[1], 1.0 - x);
            (1.0 - scale * power(left, exponent), exponent * scale * power(left, exponent - 1.0))
        };
        (start + y * (end - start), slope * sign * (end - start) / width)
    }

    /// The same at four violations, by the same operations.
    #[inline]
    fn at4(&self, x: f64x4) -> (f64x4, f64x4) {
        let Curve { start, end, width, midpoint, exponent, scales } = *self;
        let varies = start != end && width > MINVAL;
        if !varies || (exponent != 1.0 && exponent != 2.0) {
            let points = x.to_array().map(|x| self.at(x));
            return (f64x4::new(points.map(|p| p.0)), f64x4::new(points.map(|p| p.1)));
        }
        let [zero, one] = [0.0, 1.0].map(f64x4::splat);
        let sign = x.simd_lt(zero).select(-one, one);
        let x = (x / width).abs();
        let (y, slope) = if exponent == 1.0 {
            (x, one)
        } else {
            let left = one - x;
            let rises = x.simd_le(f64x4::splat(midpoint));
            let [low, high] = scales.map(f64x4::splat);
            let y = rises.select(low * (x * x), one - high * (left * left));
            let two = f64x4::splat(exponent);
            (y, rises.select(two * low * x, two * high * left))
        };
        let span = end - start;
        let inside = (f64x4::splat(start) + y * span, slope * sign * span / width);
        let (below, above) = (x.simd_le(zero), x.simd_ge(one));
        let imp = below.select(f64x4::splat(start), above.select(f64x4::splat(end), inside.0));
        (imp, (below | above).select(zero, inside.1))
    }
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

/// Derivatives of stiffness, damping, damping in friction directions, and impedance of a constraint
/// by its parameters and the time step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sensitivity {
    pub(crate) by_solref: [[f64; 4]; 2],
    pub(crate) by_solimp: [[f64; 4]; 5],
    pub(crate) by_timestep: [f64; 4],
}

/// How the response of a block of rows depends on its parameters, which are not those of a flex.
pub(crate) fn sensitivity(model: &Model, data: &Data, block: &Block) -> Sensitivity {
    let Block { row, count, .. } = *block;
    let kind = ConstraintType::from_i32(data.efc_type[row]);
    let id = data.efc_id[row] as usize;
    let params = Params::new(model, &data.contact, kind, id, &mut [].iter());
    let Response { stiffness, damping, tangent, curve, .. } = Response::new(model, &params);
    let dry = matches!(kind, Some(ConstraintType::FrictionDof | ConstraintType::FrictionTendon));
    let stiffness = if dry { 0.0 } else { stiffness };
    let follows = usable(model, *params.solreffriction, [0.0; 2]) == [0.0; 2];
    let top = curve.end;

    // stiffness and damping by time constant and damping ratio
    let mut out = Sensitivity::default();
    let given = *params.solref;
    if (given[0] > 0.0) == (given[1] > 0.0) {
        let [time, ratio] = usable(model, given, DEFAULT_SOLREF);
        let share = if follows { 1.0 } else { 0.0 };
        if time > 0.0 {
            let by_time = -damping / time;
            let row = [-2.0 * stiffness / time, by_time, share * by_time, 0.0];
            if time == given[0] {
                out.by_solref[0] = row;
            } else {
                // the time constant is two steps
                out.by_timestep = row.map(|x| 2.0 * x);
            }
            out.by_solref[1][0] = -2.0 * stiffness / ratio;
        } else {
            out.by_solref[0][0] = if dry { 0.0 } else { -1.0 / (top * top) };
            out.by_solref[1] = [0.0, -1.0 / top, -share / top, 0.0];
        }
    }

    // impedance
    let pos = if kind == Some(ConstraintType::Equality) && count > 1 {
        norm(&data.efc_pos[row..row + count])
    } else {
        data.efc_pos[row]
    };
    let by_solimp = curve.by_parameters(pos - data.efc_margin[row]);
    let [least, most] = IMPEDANCE;
    for (i, &by) in by_solimp.iter().enumerate() {
        let x = params.solimp[i];
        let counts = match i {
            2 => x > 0.0,
            4 => x >= 1.0,
            _ => x >= least && x <= most,
        };
        if counts {
            out.by_solimp[i][3] = by;
            if i == 1 {
                let by_top = [-2.0 * stiffness / top, -damping / top, -tangent / top];
                out.by_solimp[i][..3].copy_from_slice(&by_top);
            }
        }
    }
    out
}

impl Curve {
    /// Derivatives of the impedance at violation `x` by start, end, width, midpoint and exponent.
    fn by_parameters(&self, x: f64) -> [f64; 5] {
        let Curve { start, end, width, midpoint, exponent, scales } = *self;
        if width <= MINVAL {
            return [0.5, 0.5, 0.0, 0.0, 0.0];
        }
        let x = (x / width).abs();
        if x >= 1.0 {
            return [0.0, 1.0, 0.0, 0.0, 0.0];
        }
        if x <= 0.0 {
            return [1.0, 0.0, 0.0, 0.0, 0.0];
        }
        let log = |x: f64, middle: f64| libm::log(x) - libm::log(middle);
        // height, and its derivatives by x, midpoint and exponent
        let (y, by_x, by_midpoint, by_exponent) = if x <= midpoint {
            let y = scales[0] * power(x, exponent);
            let slope = exponent * scales[0] * power(x, exponent - 1.0);
            (y, slope, -(exponent - 1.0) * y / midpoint, y * log(x, midpoint))
        } else {
            let (left, rest) = (1.0 - x, 1.0 - midpoint);
            let z = scales[1] * power(left, exponent);
            let slope = exponent * scales[1] * power(left, exponent - 1.0);
            (1.0 - z, slope, -(exponent - 1.0) * z / rest, -z * log(left, rest))
        };
        let height = end - start;
        let by_width = -by_x * x / width;
        [1.0 - y, y, height * by_width, height * by_midpoint, height * by_exponent]
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
    fn four_violations_at_once_have_the_impedance_of_each() {
        for solimp in [
            [0.9, 0.95, 0.001, 0.5, 2.0],
            [0.2, 0.9, 0.1, 0.3, 1.0],
            [0.9, 0.95, 0.001, 0.3, 3.5],
            [0.9, 0.9, 0.001, 0.5, 2.0],
            [0.9, 0.95, 0.0, 0.5, 2.0],
        ] {
            let curve = Curve::new(&solimp);
            for k in 0..40 {
                let x = [-1.0, 0.0, 0.3, 1.01].map(|x| (x + 0.05 * f64::from(k)) * solimp[2]);
                let (imp, slope) = curve.at4(f64x4::new(x));
                for (lane, &x) in x.iter().enumerate() {
                    let found = (imp.to_array()[lane], slope.to_array()[lane]);
                    assert_eq!(found, curve.at(x), "{solimp:?} at {x}");
                }
            }
        }
    }

    #[test]
    fn impedance_rises_from_start_to_end_and_its_slope_is_the_derivative() {
        for exponent in [1.0, 2.0, 3.5] {
            let curve = Curve::new(&[0.2, 0.9, 0.01, 0.3, exponent]);
            assert_eq!(curve.at(0.0), (0.2, 0.0));
            assert_eq!(curve.at(-0.02), (0.9, 0.0));
            for x in [-0.008, -0.001, 0.002, 0.0075] {
                let h = 1e-8;
                let difference = (curve.at(x + h).0 - curve.at(x - h).0) / (2.0 * h);
                assert!((curve.at(x).1 - difference).abs() < 1e-4 * difference.abs());
            }
        }
    }
}
