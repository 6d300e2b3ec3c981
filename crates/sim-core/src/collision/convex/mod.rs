//! Contact of two convex bodies of any form.
//!
//! A body is known by its support function alone, the point farthest along a direction. On the
//! difference of two bodies (all `a - b`), the distance of the bodies is the distance of the origin
//! from it (`gjk`), and the depth of their overlap that of the origin from its surface (`epa`).
//! Where two boxes share a face, clipping gives more than the one point (`clip`); for other forms,
//! slightly turned copies do (`perturb`). With native collision off, points come from portal
//! refinement (`mpr`), which is coarser.
//!
//! Results depend on the path that the iterations take; it is the reference's, vertex by vertex.

mod clip;
mod difference;
mod distance;
mod epa;
mod features;
mod fix_normal;
mod gjk;
mod mpr;
mod perturb;
mod plane_convex;
mod polytope;
mod separation;
mod simplex;

pub use distance::geom_distance;
pub(super) use fix_normal::fix_normal;
pub(super) use plane_convex::plane_convex;
pub(super) use separation::Separations;

use std::cell::Cell;

use super::bounds::CCD_SLACK;
use super::{Hit, Hits};
use crate::geometry::{Form, Geom, Hint, Prism, Shape, Solid};
use crate::math::Vec3;
use crate::model::{Disable, Enable, Model};
use clip::{ClipWork, shared_face};
use difference::{Couple, Vertex};
use epa::epa;
use gjk::gjk;
use mpr::mpr;
use polytope::Polytope;

/// How to look for contact of convex bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ccd {
    pub(crate) tolerance: f64,
    pub(crate) iterations: usize,
    /// Look for several points.
    pub(crate) multiccd: bool,
    /// Expanding polytopes rather than portal refinement.
    pub(crate) native: bool,
}

impl Ccd {
    /// What the options of a model ask for.
    pub(crate) fn new(model: &Model) -> Ccd {
        Ccd {
            tolerance: model.opt.ccd_tolerance,
            iterations: usize::try_from(model.opt.ccd_iterations).unwrap_or(0),
            multiccd: model.enabled(Enable::MultiCcd),
            native: !model.disabled(Disable::NativeCcd),
        }
    }

    fn limits(&self) -> Limits {
        Limits { tolerance: self.tolerance, iterations: self.iterations }
    }
}

/// When iterations end.
#[derive(Debug, Clone, Copy)]
struct Limits {
    tolerance: f64,
    iterations: usize,
}

/// Storage that keeps its capacity from one pair to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConvexWork {
    simplex: [Vertex; 4],
    polytope: Polytope,
    clip: ClipWork,
    /// The point that a turned copy has found.
    single: Hits,
    /// Here only while the stage runs; kept in the cache of the data.
    pub(super) separations: Separations,
}

/// Finds where two convex shapes come closer than `margin`. MuJoCo: `mjc_Convex`.
pub(super) fn convex(
    a: &Geom,
    b: &Geom,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    let geoms = [a.id, b.id];
    let slack = search_slack(a, b, ccd);
    let hints = [const { Cell::new(Hint::NONE) }; 2];
    let [Some(solid_a), Some(solid_b)] =
        [Solid::new(a, margin, &hints[0]), Solid::new(b, margin, &hints[1])]
    else {
        return;
    };
    let couple = Couple { a: solid_a, b: solid_b };
    let held = work.separations.hold(geoms, &couple, slack);
    if held == Some(true) || boxes_apart(a, b, margin + slack) {
        return;
    }
    let most = most_points(&couple, ccd);
    let found = out.len();
    let axis = touch(&couple, most, ccd, work, out);
    if let Some(axis) = axis {
        // the search ends with any axis; one that did not last is replaced by the best
        let best = held.and_then(|_| widest_axis(&couple, ccd, work));
        work.separations.remember(geoms, &couple, best.unwrap_or(axis));
    }
    if out.len() - found == 1 && ccd.multiccd && !(ccd.native && most > 1) {
        perturb::more_points(&couple, ccd, work, out);
    }
}

/// The distance by which two geoms must be known to be apart, so that the search for contact would
/// find none: well above its tolerance and rounding.
fn search_slack(a: &Geom, b: &Geom, ccd: &Ccd) -> f64 {
    const ROUNDING: f64 = 1e-9;
    let scale = a.pos.abs().max_element() + b.pos.abs().max_element() + a.rbound + b.rbound;
    CCD_SLACK * ccd.tolerance + ROUNDING * scale
}

/// Whether the bounding boxes of two geoms, one of them a mesh, are farther apart than `distance`.
fn boxes_apart(a: &Geom, b: &Geom, distance: f64) -> bool {
    match (&b.shape, a.bounding_box(), b.bounding_box()) {
        (Shape::Mesh(_), Some(a), Some(b)) => a.are_apart(&b, distance),
        _ => false,
    }
}

/// The axis along which two bodies that are apart have the widest gap: that of their distance.
fn widest_axis(couple: &Couple, ccd: &Ccd, work: &mut ConvexWork) -> Option<Vec3> {
    let hints = [Cell::new(couple.a.hint()), Cell::new(couple.b.hint())];
    let couple = Couple { a: couple.a.with_hint(&hints[0]), b: couple.b.with_hint(&hints[1]) };
    let near = gjk(&couple, ccd.limits(), f64::MAX, &mut work.simplex);
    let [on_a, on_b] = near.points.filter(|_| near.dist > ccd.tolerance)?;
    Some((on_b - on_a).normalized().0)
}

/// How many points one pass can find.
fn most_points(couple: &Couple, ccd: &Ccd) -> usize {
    if couple.a.margin > 0.0 {
        return 1;
    }
    match (&couple.a.form, &couple.b.form) {
        (Form::Box, Form::Box) => 8,
        (Form::Box | Form::Mesh(..), Form::Box | Form::Mesh(..)) if ccd.multiccd => 4,
        _ => 1,
    }
}

/// Adds the points that one pass finds. Returns an axis that separates the bodies if there are
/// none and one was found.
fn touch(
    couple: &Couple,
    most: usize,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) -> Option<Vec3> {
    let margin = couple.a.margin;
    if !ccd.native {
        if let Some((depth, normal, pos)) = mpr(couple, ccd.limits()) {
            let hit = Hit { dist: margin - depth, pos, normal, tangent: Vec3::ZERO };
            out.push(fix_normal(Some(&couple.a), &couple.b, hit));
        }
        return None;
    }
    let proximity = proximity(couple, ccd.limits(), 0.0, most, work);
    if proximity.dist < 0.0 {
        let single = proximity.points.as_slice();
        let points = if work.clip.points.is_empty() { single } else { &work.clip.points };
        for &[on_a, on_b] in points {
            let (normal, _) = (on_a - on_b).normalized();
            let pos = (on_a + on_b) * 0.5;
            out.push(Hit { dist: margin + proximity.dist, pos, normal, tangent: Vec3::ZERO });
        }
    }
    proximity.axis
}

/// Finds where an element of a flex and a geom or another element come closer than their margin: one
/// point. `smooth` replaces the normal by that of the round surface of the geom. MuJoCo:
/// `mjc_ConvexElem`.
pub(super) fn convex_element(
    a: Solid<'_>,
    b: Solid<'_>,
    smooth: bool,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    let couple = Couple { a, b };
    let margin = couple.a.margin;
    if !ccd.native {
        if let Some((depth, normal, pos)) = mpr(&couple, ccd.limits()) {
            out.push(Hit { dist: margin - depth, pos, normal, tangent: Vec3::ZERO });
        }
        return;
    }
    let proximity = proximity(&couple, ccd.limits(), 0.0, 1, work);
    if let Some([on_a, on_b]) = proximity.points.filter(|_| proximity.dist < 0.0) {
        let (normal, _) = (on_a - on_b).normalized();
        let pos = (on_a + on_b) * 0.5;
        let hit = Hit { dist: margin + proximity.dist, pos, normal, tangent: Vec3::ZERO };
        out.push(if smooth { fix_normal(Some(&couple.a), &couple.b, hit) } else { hit });
    }
}

/// Finds how deep a body reaches into a prism of a height field, the direction from the prism to
/// the body, and the point in the middle.
pub(super) fn touch_prism(
    prism: &Prism,
    solid: &Solid,
    ccd: &Ccd,
    work: &mut ConvexWork,
) -> Option<(f64, Vec3, Vec3)> {
    let couple = Couple { a: Solid::prism(prism), b: *solid };
    if !ccd.native {
        return mpr(&couple, ccd.limits());
    }
    let proximity = proximity(&couple, ccd.limits(), 0.0, 1, work);
    let [on_a, on_b] = proximity.points.filter(|_| proximity.dist < 0.0)?;
    Some((-proximity.dist, (on_a - on_b).normalized().0, (on_a + on_b) * 0.5))
}

/// How near two bodies are.
#[derive(Debug, Clone, Copy)]
struct Proximity {
    /// Distance, negative when they overlap; `f64::MAX` if beyond the cutoff.
    dist: f64,
    /// The nearest or deepest points on each body.
    points: Option<[Vec3; 2]>,
    /// A direction from the first body to the second that separates them, where one was found.
    axis: Option<Vec3>,
}

/// Computes distance or depth of two bodies; the distance only up to `cutoff`, zero meaning that it
/// is of no interest. If they overlap and `most > 1`, `work.clip.points` are the points of a shared
/// face or edge; otherwise it is empty. MuJoCo: `mjc_ccd`.
fn proximity(
    couple: &Couple,
    limits: Limits,
    cutoff: f64,
    most: usize,
    work: &mut ConvexWork,
) -> Proximity {
    work.clip.points.clear();

    // spheres and capsules: unless it is deep, the overlap follows from the distance of the cores
    let (core_a, radius_a) = couple.a.core();
    let (core_b, radius_b) = couple.b.core();
    if couple.a.has_core() || couple.b.has_core() {
        let cores = Couple { a: core_a, b: core_b };
        let near = gjk(&cores, limits, cutoff + (radius_a + radius_b), &mut work.simplex);
        if near.dist > limits.tolerance {
            let dist = near.dist - (radius_a + radius_b);
            let points = near.points.map(|[on_a, on_b]| {
                let (dir, _) = (on_b - on_a).normalized();
                [on_a + dir * radius_a, on_b - dir * radius_b]
            });
            let dist = if dist > cutoff { f64::MAX } else { dist };
            return Proximity { dist, points, axis: near.axis };
        }
    }

    let near = gjk(couple, limits, cutoff, &mut work.simplex);
    if near.dist > limits.tolerance || near.len < 2 {
        return Proximity { dist: near.dist, points: near.points, axis: near.axis };
    }

    // they overlap; if there is no depth to be found, they touch
    if !work.polytope.start(couple, &work.simplex[..near.len], limits.iterations) {
        return Proximity { dist: 0.0, points: near.points, axis: None };
    }
    let Some(depth) = epa(couple, limits, &mut work.polytope) else {
        return Proximity { dist: 0.0, points: None, axis: None };
    };
    if most > 1 {
        let corners = depth.face.verts.map(|i| work.polytope.verts[i as usize]);
        shared_face(couple, &corners, depth.points, most, &mut work.clip);
    }
    Proximity { dist: depth.dist, points: Some(depth.points), axis: None }
}

#[cfg(test)]
mod tests;
