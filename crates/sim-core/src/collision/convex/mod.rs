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
mod distance;
mod epa;
mod features;
mod fix_normal;
mod gjk;
mod mpr;
mod perturb;
mod plane_convex;
mod polytope;
mod simplex;
mod solid;

pub use distance::geom_distance;
pub(super) use plane_convex::plane_convex;

use super::{Hit, Hits, Shape};
use crate::math::Vec3;
use crate::model::{Disable, Enable, Model};
use clip::{ClipWork, shared_face};
use epa::epa;
use fix_normal::fix_normal;
use gjk::gjk;
use mpr::mpr;
use polytope::Polytope;
use solid::{Couple, Form, Solid, Vertex};

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
}

/// Finds where two convex shapes come closer than `margin`. MuJoCo: `mjc_Convex`.
pub(super) fn convex(
    a: &Shape,
    b: &Shape,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    let (Some(a), Some(b)) = (Solid::new(a, margin), Solid::new(b, margin)) else { return };
    let couple = Couple { a, b };
    let most = most_points(&couple);
    let found = out.len();
    touch(&couple, most, ccd, work, out);
    if out.len() - found == 1 && ccd.multiccd && !(ccd.native && most > 1) {
        perturb::more_points(&couple, ccd, work, out);
    }
}

/// How many points one pass can find.
fn most_points(couple: &Couple) -> usize {
    let boxes = couple.a.form == Form::Box && couple.b.form == Form::Box;
    if boxes && couple.a.margin <= 0.0 { 8 } else { 1 }
}

/// Adds the points that one pass finds.
fn touch(couple: &Couple, most: usize, ccd: &Ccd, work: &mut ConvexWork, out: &mut Hits) {
    let margin = couple.a.margin;
    if !ccd.native {
        if let Some((depth, normal, pos)) = mpr(couple, ccd.limits()) {
            let hit = Hit { dist: margin - depth, pos, normal, tangent: Vec3::ZERO };
            out.push(fix_normal(couple, hit));
        }
        return;
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
}

/// How near two bodies are.
#[derive(Debug, Clone, Copy)]
struct Proximity {
    /// Distance, negative when they overlap; `f64::MAX` if beyond the cutoff.
    dist: f64,
    /// The nearest or deepest points on each body.
    points: Option<[Vec3; 2]>,
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
    if core_a.form != couple.a.form || core_b.form != couple.b.form {
        let cores = Couple { a: core_a, b: core_b };
        let near = gjk(&cores, limits, cutoff + (radius_a + radius_b), &mut work.simplex);
        if near.dist > limits.tolerance {
            let dist = near.dist - (radius_a + radius_b);
            let points = near.points.map(|[on_a, on_b]| {
                let (dir, _) = (on_b - on_a).normalized();
                [on_a + dir * radius_a, on_b - dir * radius_b]
            });
            return Proximity { dist: if dist > cutoff { f64::MAX } else { dist }, points };
        }
    }

    let near = gjk(couple, limits, cutoff, &mut work.simplex);
    if near.dist > limits.tolerance || near.len < 2 {
        return Proximity { dist: near.dist, points: near.points };
    }

    // they overlap; if there is no depth to be found, they touch
    if !work.polytope.start(couple, &work.simplex[..near.len], limits.iterations) {
        return Proximity { dist: 0.0, points: near.points };
    }
    let Some(depth) = epa(couple, limits, &mut work.polytope) else {
        return Proximity { dist: 0.0, points: None };
    };
    if most > 1 {
        let corners = depth.face.verts.map(|i| work.polytope.verts[i as usize]);
        shared_face(couple, &corners, depth.points, most, &mut work.clip);
    }
    Proximity { dist: depth.dist, points: Some(depth.points) }
}

#[cfg(test)]
mod tests;
