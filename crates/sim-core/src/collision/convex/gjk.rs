use super::Limits;
use super::simplex::{combine, nearest};
use super::solid::{Couple, Vertex};
use crate::math::{MAXVAL, MINVAL, Vec3};

/// What the search for the point of the difference nearest to the origin has found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Distance of the bodies; `f64::MAX` if they were found to be farther apart than asked for.
    pub(super) dist: f64,
    /// A point on each body at that distance.
    pub(super) points: Option<[Vec3; 2]>,
    /// The simplex that holds the nearest point, in its first `len` entries.
    pub(super) simplex: [Vertex; 4],
    pub(super) len: usize,
}

impl Nearest {
    const APART: Nearest =
        Nearest { dist: f64::MAX, points: None, simplex: [Vertex::NONE; 4], len: 0 };
}

/// Finds the distance of two bodies up to `cutoff`, or only whether they overlap if `cutoff` is
/// not positive.
///
/// Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space", IEEE J. Robotics Autom. 4 (1988).
pub(super) fn gjk(couple: &Couple, limits: Limits, cutoff: f64) -> Nearest {
    let want_dist = cutoff > 0.0;
    let mut may_switch = !want_dist;
    // half the square of the tolerance bounds the duality gap; vertices alone need no tolerance
    let gap = if couple.discrete() { 0.0 } else { 0.5 * limits.tolerance * limits.tolerance };

    let mut simplex = [Vertex::NONE; 4];
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    let mut n = 0;
    let mut x = couple.a.pos - couple.b.pos;
    let mut norm = 0.0;
    let mut k = 0;
    while k < limits.iterations {
        let norm2 = x.dot(x);
        if norm2 < MINVAL * MINVAL {
            norm = norm2;
            break;
        }
        norm = norm2.sqrt();
        simplex[n] = couple.support(-(x * (1.0 / norm)));
        let s = simplex[n].diff;

        // duality gap: no point of the difference is much nearer than x
        if x.dot(x - s) < gap {
            if k == 0 {
                n = 1;
            }
            break;
        }

        // the plane through s normal to x keeps the difference away from the origin
        let reach = x.dot(s);
        if !want_dist {
            if reach > 0.0 {
                return Nearest::APART;
            }
        } else if cutoff < f64::MAX && reach > 0.0 && reach * reach / norm2 >= cutoff * cutoff {
            return Nearest::APART;
        }

        // a tetrahedron, and no distance wanted: a simpler test settles most cases
        if n == 3 && may_switch {
            match overlap(couple, &simplex, &mut k, limits.iterations) {
                Some(Some(simplex)) => {
                    return Nearest { dist: 0.0, points: None, simplex, len: 4 };
                }
                Some(None) => return Nearest::APART,
                None => may_switch = false,
            }
        }

        // keep the vertices that hold the nearest point
        let all = nearest(&simplex, n + 1);
        n = 0;
        for i in 0..4 {
            if all[i] != 0.0 {
                if n != i {
                    simplex[n] = simplex[i];
                }
                weights[n] = all[i];
                n += 1;
            }
        }
        if n == 0 {
            return Nearest::APART;
        }

        let next = combine(&simplex[..n], &weights, |v| v.diff);
        if equal(next, x) {
            break;
        }
        x = next;
        if n == 4 {
            norm = 0.0;
            break;
        }
        k += 1;
    }

    let points = if n == 0 {
        [couple.a.pos, couple.b.pos]
    } else {
        [0, 1].map(|i| combine(&simplex[..n], &weights, |v| v.on[i]))
    };
    Nearest { dist: norm, points: Some(points), simplex, len: n }
}

/// Walks a tetrahedron towards the origin: `Some(Some(simplex))` once it encloses it,
/// `Some(None)` if the bodies are apart, and `None` if neither could be shown. `k` counts on.
fn overlap(
    couple: &Couple,
    start: &[Vertex; 4],
    k: &mut usize,
    iterations: usize,
) -> Option<Option<[Vertex; 4]>> {
    let mut simplex = *start;
    while *k < iterations {
        let [a, b, c, d] = [simplex[0].diff, simplex[1].diff, simplex[2].diff, simplex[3].diff];
        let faces = [side(c, b, d), side(a, c, d), side(b, a, d), side(a, b, c)];
        if faces.iter().any(|face| face.0 == 0.0) {
            return None;
        }
        let lower = |i: usize, j: usize| if faces[i].0 < faces[j].0 { i } else { j };
        let worst = lower(lower(0, 1), lower(2, 3));
        let (dist, normal) = faces[worst];
        if dist > 0.0 {
            return Some(Some(simplex));
        }

        // the vertex opposite to the face that the origin is farthest outside of gives way
        simplex[worst] = couple.support(normal);
        if normal.dot(simplex[worst].diff) < 0.0 {
            return Some(None);
        }

        // keep the orientation
        simplex.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    None
}

/// The signed distance of the origin from the plane of a face, and the normal of the face. A face
/// too small or too large to have a normal is infinitely far.
#[inline]
fn side(a: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3) {
    let normal = (c - a).cross(b - a);
    let norm2 = normal.dot(normal);
    if norm2 > MINVAL * MINVAL && norm2 < MAXVAL * MAXVAL {
        let normal = normal * (1.0 / norm2.sqrt());
        return (normal.dot(a), normal);
    }
    (f64::MAX, normal)
}

/// Whether two vectors are the same within [`MINVAL`].
#[inline]
pub(super) fn equal(a: Vec3, b: Vec3) -> bool {
    let d = a - b;
    d.x.abs() < MINVAL && d.y.abs() < MINVAL && d.z.abs() < MINVAL
}
