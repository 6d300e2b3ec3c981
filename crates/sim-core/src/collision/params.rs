//! How the parameters of a contact follow from those of its geoms, or from an explicit pair.

use super::Hit;
use crate::Model;
use crate::data::Contact;
use crate::math::{MINVAL, Mat3, Vec3};
use crate::model::Enable;

/// What the contacts of two geoms have in common.
pub(super) struct Common {
    geom: [i32; 2],
    dim: i32,
    includemargin: f64,
    friction: [f64; 5],
    solref: [f64; 2],
    solreffriction: [f64; 2],
    solimp: [f64; 5],
}

/// The least friction coefficient.
const MIN_FRICTION: f64 = 1e-5;

/// The distance below which two geoms are in contact.
pub(super) fn geom_margin(model: &Model, geom1: usize, geom2: usize) -> f64 {
    match model.enabled(Enable::Override) {
        true => model.opt.o_margin,
        false => model.geom_margin[geom1] + model.geom_margin[geom2],
    }
}

/// The distance below which the geoms of an explicit pair are in contact.
pub(super) fn pair_margin(model: &Model, pair: usize) -> f64 {
    match model.enabled(Enable::Override) {
        true => model.opt.o_margin,
        false => model.pair_margin[pair],
    }
}

/// What a geom or a flex brings into its contacts.
#[derive(Clone, Copy)]
pub(super) struct Surface {
    priority: i32,
    condim: i32,
    solmix: f64,
    solref: [f64; 2],
    solimp: [f64; 5],
    friction: [f64; 3],
    gap: f64,
}

impl Surface {
    #[inline(always)]
    pub(super) fn of_geom(model: &Model, geom: usize) -> Surface {
        Surface {
            priority: model.geom_priority[geom],
            condim: model.geom_condim[geom],
            solmix: model.geom_solmix[geom],
            solref: model.geom_solref[geom],
            solimp: model.geom_solimp[geom],
            friction: model.geom_friction[geom],
            gap: model.geom_gap[geom],
        }
    }

    pub(super) fn of_flex(model: &Model, flex: usize) -> Surface {
        Surface {
            priority: model.flex_priority[flex],
            condim: model.flex_condim[flex],
            solmix: model.flex_solmix[flex],
            solref: model.flex_solref[flex],
            solimp: model.flex_solimp[flex],
            friction: model.flex_friction[flex],
            gap: model.flex_gap[flex],
        }
    }
}

/// What the contacts of two geoms have in common. `margin` is that of [`geom_margin`].
pub(super) fn geom_params(model: &Model, geom1: usize, geom2: usize, margin: f64) -> Common {
    let surfaces = [geom1, geom2].map(|geom| Surface::of_geom(model, geom));
    mix(model, surfaces, [geom1 as i32, geom2 as i32], margin)
}

/// What the contacts of a flex with a geom or a flex have in common; `geom` is −1 for a flex.
pub(super) fn flex_params(
    model: &Model,
    surfaces: [Surface; 2],
    geom: [i32; 2],
    margin: f64,
) -> Common {
    mix(model, surfaces, geom, margin)
}

/// What the contacts of two surfaces have in common.
///
/// The surface of higher priority decides on dimension, friction, reference and impedance. Among
/// equals dimension and friction are the larger ones, and reference and impedance are averaged
/// with weights `solmix`, or, where a reference is given as stiffness and damping, the
/// reference is the smaller one. Gaps add up.
#[inline(always)]
fn mix(model: &Model, [a, b]: [Surface; 2], geom: [i32; 2], margin: f64) -> Common {
    let (dim, solref, solimp, friction) = if a.priority > b.priority {
        (a.condim, a.solref, a.solimp, a.friction)
    } else if a.priority < b.priority {
        (b.condim, b.solref, b.solimp, b.friction)
    } else {
        let share = share(a.solmix, b.solmix);
        let mix = |a: f64, b: f64| share * a + (1.0 - share) * b;
        let solref = if a.solref[0] > 0.0 && b.solref[0] > 0.0 {
            combine(a.solref, b.solref, mix)
        } else {
            combine(a.solref, b.solref, f64::min)
        };
        let friction = combine(a.friction, b.friction, f64::max);
        (a.condim.max(b.condim), solref, combine(a.solimp, b.solimp, mix), friction)
    };

    let [sliding, torsional, rolling] = friction;
    let common = Common {
        geom,
        dim: geom_dim(dim),
        includemargin: margin - (a.gap + b.gap),
        friction: [sliding, sliding, torsional, rolling, rolling],
        solref,
        solreffriction: [0.0; 2],
        solimp,
    };
    common.finish(model)
}

/// What the contacts of an explicit pair have in common. `margin` is that of [`pair_margin`].
pub(super) fn pair_params(
    model: &Model,
    pair: usize,
    geom1: usize,
    geom2: usize,
    margin: f64,
) -> Common {
    let common = Common {
        geom: [geom1 as i32, geom2 as i32],
        dim: valid_dim(model.pair_dim[pair]),
        includemargin: margin - model.pair_gap[pair],
        friction: model.pair_friction[pair],
        solref: model.pair_solref[pair],
        solreffriction: model.pair_solreffriction[pair],
        solimp: model.pair_solimp[pair],
    };
    common.finish(model)
}

impl Common {
    /// The same for contacts within a flex: they have no margin, and those within an element no
    /// friction.
    pub(super) fn within(mut self, frictionless: bool) -> Common {
        self.includemargin = 0.0;
        if frictionless {
            self.dim = 1;
        }
        self
    }

    /// Applies what overrides the parameters of all contacts, and the least friction.
    #[inline]
    fn finish(mut self, model: &Model) -> Common {
        if model.enabled(Enable::Override) {
            self.solref = model.opt.o_solref;
            self.solreffriction = model.opt.o_solref;
            self.solimp = model.opt.o_solimp;
            self.friction = model.opt.o_friction;
        }
        self.friction = self.friction.map(|mu| mu.max(MIN_FRICTION));
        self
    }
}

/// Adds a contact at each point where two geoms touch. `common` is what they have in common, and
/// `blank` a contact to copy: that is faster than to make a new one.
pub(super) fn add(contacts: &mut Vec<Contact>, blank: &Contact, hits: &[Hit], common: &Common) {
    // those of one pair often have one frame
    let mut last = None;
    let mut axes = Mat3::default();
    for hit in hits {
        if last != Some((hit.normal, hit.tangent)) {
            last = Some((hit.normal, hit.tangent));
            axes = frame(hit.normal, hit.tangent);
        }
        let at = contacts.len();
        contacts.extend_from_slice(std::slice::from_ref(blank));
        let contact = &mut contacts[at];
        contact.dist = hit.dist;
        contact.pos = hit.pos;
        contact.frame = axes;
        contact.includemargin = common.includemargin;
        contact.friction = common.friction;
        contact.solref = common.solref;
        contact.solreffriction = common.solreffriction;
        contact.solimp = common.solimp;
        contact.dim = common.dim;
        [contact.geom1, contact.geom2] = common.geom;
        contact.geom = common.geom;
        contact.exclude = i32::from(hit.dist >= common.includemargin);
    }
}

/// How much a geom has to say in a contact: the derivatives of friction, reference and impedance of
/// the contact by those of the geom, by element. Where two geoms have the same friction, or the same
/// reference in the direct format, either counts for half.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Say {
    pub(crate) friction: [f64; 3],
    pub(crate) solref: [f64; 2],
    pub(crate) solimp: f64,
}

/// The say of `geom` in a contact; none if the parameters of the contact come from elsewhere.
pub(crate) fn geom_say(model: &Model, contact: &Contact, geom: usize) -> Say {
    let [first, second] = contact.geom.map(|geom| usize::try_from(geom).unwrap_or(usize::MAX));
    if model.enabled(Enable::Override) || (first != geom && second != geom) {
        return Say::default();
    }
    let explicit = (0..model.npair).any(|pair| {
        let pair = [model.pair_geom1[pair], model.pair_geom2[pair]];
        pair == contact.geom || pair == [contact.geom[1], contact.geom[0]]
    });
    if explicit || first >= model.ngeom || second >= model.ngeom {
        return Say::default();
    }
    let other = if first == geom { second } else { first };
    let [own, its] = [geom, other].map(|geom| model.geom_priority[geom]);
    if own != its {
        let all = if own > its { 1.0 } else { 0.0 };
        return Say { friction: [all; 3], solref: [all; 2], solimp: all };
    }
    let wins = |own: f64, its: f64| match own.partial_cmp(&its) {
        Some(std::cmp::Ordering::Greater) => 1.0,
        Some(std::cmp::Ordering::Equal) => 0.5,
        _ => 0.0,
    };
    let mixed = share(model.geom_solmix[geom], model.geom_solmix[other]);
    let (own, its) = (model.geom_solref[geom], model.geom_solref[other]);
    let solref = if own[0] > 0.0 && its[0] > 0.0 {
        [mixed; 2]
    } else {
        [wins(its[0], own[0]), wins(its[1], own[1])]
    };
    let (own, its) = (model.geom_friction[geom], model.geom_friction[other]);
    let friction =
        std::array::from_fn(|i| if own[i] < MIN_FRICTION { 0.0 } else { wins(own[i], its[i]) });
    Say { friction, solref, solimp: mixed }
}

/// The weight of the first of two geoms with the given `solmix`.
fn share(solmix1: f64, solmix2: f64) -> f64 {
    match (solmix1 >= MINVAL, solmix2 >= MINVAL) {
        (true, true) => solmix1 / (solmix1 + solmix2),
        (true, false) => 1.0,
        (false, true) => 0.0,
        (false, false) => 0.5,
    }
}

fn combine<const N: usize>(a: [f64; N], b: [f64; N], f: impl Fn(f64, f64) -> f64) -> [f64; N] {
    std::array::from_fn(|i| f(a[i], b[i]))
}

/// The number of axes of contacts between two geoms, of which one wants `condim`.
fn geom_dim(condim: i32) -> i32 {
    assert!((1..=6).contains(&condim), "invalid condim {condim}");
    valid_dim(condim)
}

/// The number of axes of a contact. The compiler lets only 1, 3, 4 and 6 through; what a user has
/// written into the model since counts as the next of these.
pub(crate) fn valid_dim(dim: i32) -> i32 {
    match dim {
        ..=1 => 1,
        2 | 3 => 3,
        4 => 4,
        5.. => 6,
    }
}

/// The frame, by rows, whose first axis is `normal`. The second is `tangent` made orthogonal to
/// it; in place of a short one stands the y-axis, or the z-axis where the normal is near y.
fn frame(normal: Vec3, tangent: Vec3) -> Mat3 {
    // the normals of level ground need no division
    let x = if normal.dot(normal) == 1.0 { normal } else { normal.normalized().0 };
    let y = if tangent.dot(tangent) >= 0.25 {
        tangent
    } else if x.y < 0.5 && x.y > -0.5 {
        Vec3::Y
    } else {
        Vec3::Z
    };
    let (y, _) = (y - x * x.dot(y)).normalized();
    let z = x.cross(y);
    Mat3([x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z])
}
