use super::Limits;
use super::difference::Couple;
use super::polytope::{Face, Polytope};
use super::simplex::affine_coordinates;
use crate::math::{MINVAL, Vec3};

/// How deep two bodies overlap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Depth {
    /// The negative of the depth.
    pub(super) dist: f64,
    /// The deepest points on each body.
    pub(super) points: [Vec3; 2],
    /// The face of the polytope that shows it.
    pub(super) face: Face,
}

/// The most rounds that the reference keeps a fixed amount of memory for.
const USUAL_ITERATIONS: usize = 170;

/// Expands a polytope around the origin until a face of it nearest to the origin is on the surface
/// of the difference. `None` if rounding errors spoil the polytope.
///
/// Van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001).
#[inline(never)]
pub(super) fn epa(couple: &Couple, limits: Limits, polytope: &mut Polytope) -> Option<Depth> {
    let discrete = couple.discrete();
    let tolerance = if discrete { MINVAL } else { limits.tolerance };
    let max_faces = 6 * limits.iterations.max(USUAL_ITERATIONS);
    let (mut upper, mut upper2) = (f64::MAX, f64::MAX);
    let mut best = None;

    for _ in 0..limits.iterations {
        // the nearest face bounds the depth from below
        let previous = best;
        let mut lower2 = f64::MAX;
        for candidate in &polytope.candidates {
            if candidate.dist2 < lower2 {
                lower2 = candidate.dist2;
                best = Some(candidate.face);
            }
        }
        if lower2 > upper2 {
            best = previous;
            break;
        }
        let Some(index) = best else { break };
        if lower2 <= 0.0 {
            break;
        }

        // the surface beyond it bounds the depth from above
        let lower = lower2.sqrt();
        let foot = polytope.faces[index as usize].foot;
        let w = couple.support(if lower > MINVAL { foot / lower } else { Vec3::X });
        let reach = foot.dot(w.diff) / lower;
        if reach < upper {
            (upper, upper2) = (reach, reach * reach);
        }
        if upper - lower < tolerance {
            break;
        }
        if discrete && polytope.verts.iter().any(|v| v.ids == w.ids) {
            break;
        }

        // replace what the new vertex can see by a cone with its apex there
        let apex = polytope.verts.len() as u32;
        polytope.verts.push(w);
        polytope.open(index, w.diff);
        let edges = polytope.horizon.len() as u32;
        if edges < 3 {
            return None;
        }
        let first = polytope.faces.len() as u32;
        if first as usize + edges as usize > max_faces {
            break;
        }
        for i in 0..edges {
            let edge = polytope.horizon[i as usize];
            let (start, end) = polytope.connect(edge, first + i);
            let before = first + if i == 0 { edges - 1 } else { i - 1 };
            let after = first + if i + 1 == edges { 0 } else { i + 1 };
            let dist2 = polytope.attach([apex, end, start], [before, edge.0, after]);
            if dist2 == 0.0 {
                return None;
            }
            if dist2 >= lower2 && dist2 <= upper2 {
                polytope.propose_last();
            }
        }
        if polytope.candidates.is_empty() {
            break;
        }
    }

    let face = polytope.faces[best? as usize];
    let corners = face.verts.map(|i| polytope.verts[i as usize]);
    let [a, b, c] = corners;
    let [u, v, w] = affine_coordinates(a.diff, b.diff, c.diff, face.foot);
    let points = [0, 1].map(|i| a.on[i] * u + b.on[i] * v + c.on[i] * w);
    Some(Depth { dist: -face.dist2.sqrt(), points, face })
}
