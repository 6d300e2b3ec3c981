use super::Limits;
use super::difference::{Couple, Vertex};
use super::simplex::{combine, nearest};
use crate::math::{MAXVAL, MINVAL, Vec3};

/// What the search for the point of the difference nearest to the origin has found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nearest {
    /// Distance of the bodies; `f64::MAX` if they were found to be farther apart than asked for.
    pub(super) dist: f64,
    /// A point on each body at that distance.
    pub(super) points: Option<[Vec3; 2]>,
    /// How many vertices of the simplex hold the nearest point.
    pub(super) len: usize,
    /// A direction from the first body to the second that separates them, if one ended the search.
    pub(super) axis: Option<Vec3>,
}

impl Nearest {
    const APART: Nearest = Nearest { dist: f64::MAX, points: None, len: 0, axis: None };

    fn apart_along(axis: Vec3) -> Nearest {
        Nearest { axis: Some(axis), ..Nearest::APART }
    }
}

/// Finds the distance of two bodies up to `cutoff`, or only whether they overlap if `cutoff` is
/// not positive. The vertices that hold the nearest point are left in `simplex`.
///
/// Gilbert, Johnson, Keerthi, "A fast procedure for computing the distance between complex
/// objects in three-dimensional space", IEEE J. Robotics Autom. 4 (1988).
pub(super) fn gjk(
    couple: &Couple,
    limits: Limits,
    cutoff: f64,
    simplex: &mut [Vertex; 4],
) -> Nearest {
    let want_dist = cutoff > 0.0;
    let mut may_switch = !want_dist;
    // half the square of the tolerance bounds the duality gap; vertices alone need no tolerance
    let gap = if couple.discrete() { 0.0 } else { 0.5 * limits.tolerance * limits.tolerance };

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
        let dir = -(x * (1.0 / norm));
        let vertex = couple.support(dir);
        let s = vertex.diff;
        simplex[n] = vertex;

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
                return Nearest::apart_along(dir);
            }
        } else if cutoff < f64::MAX && reach > 0.0 && reach * reach / norm2 >= cutoff * cutoff {
            return Nearest::apart_along(dir);
        }

        // a tetrahedron, and no distance wanted: a simpler test settles most cases
        if n == 3 && may_switch {
            match overlap(couple, simplex, &mut k, limits.iterations) {
                Overlap::Yes => return Nearest { dist: 0.0, points: None, len: 4, axis: None },
                Overlap::No(axis) => return Nearest::apart_along(axis),
                Overlap::Unknown => may_switch = false,
            }
        }

        // keep the vertices that hold the nearest point
        let all = nearest(simplex, n + 1);
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

        let next = combine(simplex, &weights, n, |v| v.diff);
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
        [0, 1].map(|i| combine(simplex, &weights, n, |v| v.on[i]))
    };
    Nearest { dist: norm, points: Some(points), len: n, axis: None }
}

/// Whether two bodies overlap, as far as a walk could tell.
enum Overlap {
    Yes,
    /// They do not, and this direction separates them.
    No(Vec3),
    Unknown,
}

/// Walks a tetrahedron towards the origin until it encloses it, or is seen to be apart from it.
/// Where neither could be shown, `simplex` is as it was. `k` counts on.
#[inline(never)]
fn overlap(
    couple: &Couple,
    simplex: &mut [Vertex; 4],
    k: &mut usize,
    iterations: usize,
) -> Overlap {
    let start = *simplex;
    while *k < iterations {
        let (a, b) = (simplex[0].diff, simplex[1].diff);
        let (c, d) = (simplex[2].diff, simplex[3].diff);
        let faces = [side(c, b, d), side(a, c, d), side(b, a, d), side(a, b, c)];
        if faces.iter().any(|face| face.0 == 0.0) {
            break;
        }
        let lower = |i: usize, j: usize| if faces[i].0 < faces[j].0 { i } else { j };
        let worst = lower(lower(0, 1), lower(2, 3));
        let (dist, normal) = faces[worst];
        if dist > 0.0 {
            return Overlap::Yes;
        }

        // the vertex opposite to the face that the origin is farthest outside of gives way
        let vertex = couple.support(normal);
        if normal.dot(vertex.diff) < 0.0 {
            return Overlap::No(normal);
        }
        simplex[worst] = vertex;

        // keep the orientation
        simplex.swap((worst + 1) & 3, (worst + 2) & 3);
        *k += 1;
    }
    *simplex = start;
    Overlap::Unknown
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
