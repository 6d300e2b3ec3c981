use super::Limits;
use super::difference::{Couple, Vertex};
use crate::math::Vec3;

const EPS: f64 = f64::EPSILON;

/// Finds the depth of the overlap of two bodies, the direction from the first to the second, and
/// the point in the middle, along the ray from the centre of their difference to the origin. `None`
/// if they are apart or touch in a point without a normal.
///
/// Snethen, "XenoCollide", Game Programming Gems 7 (2008). MuJoCo with native collision disabled.
pub(super) fn mpr(couple: &Couple, limits: Limits) -> Option<(f64, Vec3, Vec3)> {
    let (depth, dir, pos) = match discover(couple)? {
        Start::Touch => return None,
        Start::Segment(v) => (v.diff.norm(), unit(v.diff), (v.on[0] + v.on[1]) * 0.5),
        Start::Portal(mut portal) => {
            refine(couple, limits, &mut portal).then_some(())?;
            penetration(couple, limits, portal)
        }
    };
    (!same_vec(dir, Vec3::ZERO)).then_some((depth, dir, pos))
}

/// An inner point of the difference, and three points on its surface whose triangle the ray from
/// the inner point to the origin passes.
type Portal = [Vertex; 4];

/// What is known after looking along the ray for the first time.
#[allow(clippy::large_enum_variant)] // never stored
enum Start {
    /// The origin is on the surface.
    Touch,
    /// The origin is on the line from the centre to this point of the surface.
    Segment(Vertex),
    Portal(Portal),
}

/// More rounds than any portal needs.
const MOST_ROUNDS: usize = 10_000;

/// Finds three points of the surface around the ray; `None` if the origin is outside.
fn discover(couple: &Couple) -> Option<Start> {
    let centres = [couple.a.pos, couple.b.pos];
    let mut v0 = Vertex { diff: centres[0] - centres[1], on: centres, ids: [-1; 2] };
    if same_vec(v0.diff, Vec3::ZERO) {
        v0.diff += Vec3::new(EPS * 10.0, 0.0, 0.0);
    }

    let dir = unit(-v0.diff);
    let mut v1 = support(couple, dir);
    if outside(v1.diff.dot(dir)) {
        return None;
    }

    let dir = v0.diff.cross(v1.diff);
    if is_zero(dir.dot(dir)) {
        let touch = same_vec(v1.diff, Vec3::ZERO);
        return Some(if touch { Start::Touch } else { Start::Segment(v1) });
    }
    let dir = unit(dir);
    let mut v2 = support(couple, dir);
    if outside(v2.diff.dot(dir)) {
        return None;
    }

    // the triangle is to face away from the centre
    let mut dir = unit((v1.diff - v0.diff).cross(v2.diff - v0.diff));
    if dir.dot(v0.diff) > 0.0 {
        (v1, v2) = (v2, v1);
        dir = -dir;
    }
    for _ in 0..MOST_ROUNDS {
        let v3 = support(couple, dir);
        if outside(v3.diff.dot(dir)) {
            return None;
        }
        // the origin must be inside of both new sides
        if clearly_negative(v1.diff.cross(v3.diff).dot(v0.diff)) {
            v2 = v3;
        } else if clearly_negative(v3.diff.cross(v2.diff).dot(v0.diff)) {
            v1 = v3;
        } else {
            return Some(Start::Portal([v0, v1, v2, v3]));
        }
        dir = unit((v1.diff - v0.diff).cross(v2.diff - v0.diff));
    }
    None
}

/// Moves the portal outwards until it is beyond the origin; `false` if it never will be.
fn refine(couple: &Couple, limits: Limits, portal: &mut Portal) -> bool {
    for _ in 0..MOST_ROUNDS {
        let dir = facing(portal);
        if !outside_strictly(dir.dot(portal[1].diff)) {
            return true;
        }
        let v4 = support(couple, dir);
        if outside_strictly(v4.diff.dot(dir)) || at_surface(portal, &v4, dir, limits) {
            return false;
        }
        expand(portal, v4);
    }
    false
}

/// Moves the portal to the surface, and measures there.
fn penetration(couple: &Couple, limits: Limits, mut portal: Portal) -> (f64, Vec3, Vec3) {
    let mut rounds = 0;
    loop {
        let dir = facing(&portal);
        let v4 = support(couple, dir);
        if at_surface(&portal, &v4, dir, limits) || rounds > limits.iterations {
            break;
        }
        expand(&mut portal, v4);
        rounds += 1;
    }
    let [_, a, b, c] = portal.map(|v| v.diff);
    let (dist2, nearest) = nearest_on_triangle(a, b, c);
    let depth = dist2.sqrt();
    let dir = if is_zero(depth) { Vec3::ZERO } else { unit(nearest) };
    (depth, dir, middle(&portal))
}

/// The point between the bodies that corresponds to the origin.
fn middle(portal: &Portal) -> Vec3 {
    let [o, a, b, c] = portal.map(|v| v.diff);
    let mut weights = [a.cross(b).dot(c), c.cross(b).dot(o), o.cross(a).dot(c), b.cross(a).dot(o)];
    let mut sum = weights[0] + weights[1] + weights[2] + weights[3];
    if outside(sum) {
        // flat: coordinates in the triangle
        let dir = facing(portal);
        weights = [0.0, b.cross(c).dot(dir), c.cross(a).dot(dir), a.cross(b).dot(dir)];
        sum = weights[1] + weights[2] + weights[3];
    }
    let inv = 1.0 / sum;
    let [p, q] = [0, 1].map(|i| {
        let point = portal.iter().zip(weights).fold(Vec3::ZERO, |p, (v, w)| p + v.on[i] * w);
        point * inv
    });
    (p + q) * 0.5
}

/// Replaces one vertex of the portal so that the ray still passes through it.
fn expand(portal: &mut Portal, v4: Vertex) {
    let normal = v4.diff.cross(portal[0].diff);
    let replaced = if portal[1].diff.dot(normal) > 0.0 {
        if portal[2].diff.dot(normal) > 0.0 { 1 } else { 3 }
    } else if portal[3].diff.dot(normal) > 0.0 {
        2
    } else {
        1
    };
    portal[replaced] = v4;
}

/// The unit normal of the portal, away from the centre.
fn facing(portal: &Portal) -> Vec3 {
    let [_, a, b, c] = portal.map(|v| v.diff);
    unit((b - a).cross(c - a))
}

/// Whether the new point leads no farther than the portal, within the tolerance.
fn at_surface(portal: &Portal, v4: &Vertex, dir: Vec3, limits: Limits) -> bool {
    let reach = v4.diff.dot(dir);
    let gain = |i: usize| reach - portal[i].diff.dot(dir);
    let least = gain(1).min(gain(2)).min(gain(3));
    same(least, limits.tolerance) || least < limits.tolerance
}

/// The squared distance of the origin from a triangle, and the point nearest to it.
fn nearest_on_triangle(a: Vec3, b: Vec3, c: Vec3) -> (f64, Vec3) {
    let (d1, d2) = (b - a, c - a);
    let (v, w, r) = (d1.dot(d1), d2.dot(d2), d1.dot(d2));
    let (p, q) = (a.dot(d1), a.dot(d2));
    let det = w * v - r * r;
    let (s, t) = if is_zero(det) {
        (-1.0, -1.0)
    } else {
        let s = (q * r - w * p) / det;
        (s, (-s * r - q) / w)
    };
    let positive = |x: f64| is_zero(x) || x > 0.0;
    let below_one = |x: f64| same(x, 1.0) || x < 1.0;
    if positive(s) && below_one(s) && positive(t) && below_one(t) && below_one(t + s) {
        let nearest = a + d1 * s + d2 * t;
        return (nearest.dot(nearest), nearest);
    }
    let mut best = nearest_on_segment(a, b);
    for other in [nearest_on_segment(a, c), nearest_on_segment(b, c)] {
        if other.0 < best.0 {
            best = other;
        }
    }
    best
}

fn nearest_on_segment(a: Vec3, b: Vec3) -> (f64, Vec3) {
    let d = b - a;
    let t = -a.dot(d) / d.dot(d);
    let nearest = if t < 0.0 || is_zero(t) {
        a
    } else if t > 1.0 || same(t, 1.0) {
        b
    } else {
        d * t + a
    };
    (nearest.dot(nearest), nearest)
}

fn support(couple: &Couple, dir: Vec3) -> Vertex {
    let on = [couple.a.farthest(dir), couple.b.farthest(-dir)];
    Vertex { diff: on[0] - on[1], on, ids: [-1; 2] }
}

fn unit(v: Vec3) -> Vec3 {
    v * (1.0 / v.norm())
}

fn is_zero(x: f64) -> bool {
    x.abs() < EPS
}

/// Whether the numbers are the same, absolutely or relative to their size.
fn same(a: f64, b: f64) -> bool {
    let diff = (a - b).abs();
    diff < EPS || diff < EPS * a.abs().max(b.abs())
}

fn same_vec(a: Vec3, b: Vec3) -> bool {
    same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z)
}

/// Whether a signed distance says that the origin is outside or on the surface.
fn outside(x: f64) -> bool {
    is_zero(x) || x < 0.0
}

/// Whether a signed distance says that the origin is outside and not on the surface.
fn outside_strictly(x: f64) -> bool {
    !(is_zero(x) || x > 0.0)
}

fn clearly_negative(x: f64) -> bool {
    x < 0.0 && !is_zero(x)
}
