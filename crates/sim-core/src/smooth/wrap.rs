//! The path of a tendon around a sphere or cylinder.

use wide::f64x4;

use crate::math::{MINVAL, Mat3, Vec3};

/// Shape that a tendon wraps around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Sphere,
    Cylinder,
}

/// Where a tendon touches the shape it wraps around.
pub(crate) struct Wrap {
    /// Length of the curved part.
    pub(crate) length: f64,
    /// First and last point on the surface.
    pub(crate) first: Vec3,
    pub(crate) last: Vec3,
}

/// Wraps the segment from `from` to `to` around a shape of the given pose and radius; none if the
/// straight path is free. `side` pulls the path to its side of the shape, or, when it lies within,
/// to the inside. MuJoCo: `mju_wrap`.
pub(crate) fn wrap(
    from: Vec3,
    to: Vec3,
    pos: Vec3,
    mat: &Mat3,
    radius: f64,
    shape: Shape,
    side: Option<Vec3>,
) -> Option<Wrap> {
    let local = |x: Vec3| mat.transpose_mul(x - pos);
    let ends = [local(from), local(to)];
    if ends[0].norm() < MINVAL || ends[1].norm() < MINVAL {
        return None;
    }

    // the plane of the circle: through the centre and both ends, or perpendicular to the axis
    let axes = match shape {
        Shape::Sphere => plane_through(ends[0], ends[1]),
        Shape::Cylinder => [Vec3::X, Vec3::Y],
    };
    let flat = |x: Vec3| Vec2 { x: x.dot(axes[0]), y: x.dot(axes[1]) };
    let flat_ends = [flat(ends[0]), flat(ends[1])];
    let side = side.map(local);

    let (mut length, touch) = match side {
        Some(side) if side.norm() < radius => (0.0, wrap_inside(flat_ends, radius)?),
        _ => {
            let direction = side.map(|side| flat(side).normalized().scale(radius));
            wrap_circle(flat_ends, direction, radius)?
        }
    };

    let point = |p: Vec2| axes[0] * p.x + axes[1] * p.y;
    let (mut first, mut last) = (point(touch[0]), point(touch[1]));
    if shape == Shape::Cylinder {
        // the height grows in proportion to the flat length
        let straight = |end: Vec3, point: Vec3| Vec2::new(end.x - point.x, end.y - point.y).norm();
        let (before, after) = (straight(ends[0], first), straight(ends[1], last));
        let total = before + length + after;
        let rise = ends[1].z - ends[0].z;
        first.z = ends[0].z + rise * before / total;
        last.z = ends[0].z + rise * (before + length) / total;
        let height = (last.z - first.z).abs();
        length = (length * length + height * height).sqrt();
    }
    Some(Wrap { length, first: *mat * first + pos, last: *mat * last + pos })
}

/// Orthogonal axes of the plane through the origin and two points; the first points to `a`.
fn plane_through(a: Vec3, b: Vec3) -> [Vec3; 2] {
    let (first, _) = a.normalized();
    let (mut normal, length) = a.cross(b).normalized();
    if length < MINVAL {
        // parallel: any plane through the line, away from its largest component
        let size = |i: usize| first[i].abs();
        let largest = if size(2) > size(0) && size(2) > size(1) {
            2
        } else if size(1) > size(0) && size(1) > size(2) {
            1
        } else {
            0
        };
        let mut other = Vec3::new(1.0, 1.0, 1.0);
        other[largest] = 0.0;
        normal = first.cross(other).normalized().0;
    }
    [first, normal.cross(first).normalized().0]
}

/// A point in the plane of the circle, whose centre is the origin.
#[derive(Debug, Clone, Copy)]
struct Vec2 {
    x: f64,
    y: f64,
}

impl Vec2 {
    fn new(x: f64, y: f64) -> Vec2 {
        Vec2 { x, y }
    }

    fn dot(self, b: Vec2) -> f64 {
        self.x * b.x + self.y * b.y
    }

    fn cross(self, b: Vec2) -> f64 {
        self.x * b.y - self.y * b.x
    }

    fn sub(self, b: Vec2) -> Vec2 {
        Vec2::new(self.x - b.x, self.y - b.y)
    }

    fn add(self, b: Vec2) -> Vec2 {
        Vec2::new(self.x + b.x, self.y + b.y)
    }

    fn scale(self, s: f64) -> Vec2 {
        Vec2::new(self.x * s, self.y * s)
    }

    fn norm(self) -> f64 {
        self.dot(self).sqrt()
    }

    fn normalized(self) -> Vec2 {
        let norm = self.norm();
        if norm < MINVAL { Vec2::new(1.0, 0.0) } else { self.scale(1.0 / norm) }
    }
}

/// Wraps around the outside of a circle: length of the arc and its two ends.
fn wrap_circle(ends: [Vec2; 2], side: Option<Vec2>, radius: f64) -> Option<(f64, [Vec2; 2])> {
    let squared = radius * radius;
    let lengths = ends.map(|end| end.dot(end));
    if lengths[0] < squared || lengths[1] < squared || radius < MINVAL {
        return None;
    }

    // the straight path is free if it misses the circle, on the right side
    let way = ends[1].sub(ends[0]);
    let way_squared = way.dot(way);
    if way_squared < MINVAL {
        return None;
    }
    let share = (-way.dot(ends[0]) / way_squared).clamp(0.0, 1.0);
    let nearest = ends[0].add(way.scale(share));
    if nearest.dot(nearest) > squared && side.is_none_or(|side| side.dot(nearest) >= 0.0) {
        return None;
    }

    // tangent points on either side of the circle
    let tangents = |i: usize| {
        let turn = radius * (lengths[i] - squared).sqrt();
        let (along, across) = (ends[i].scale(squared), ends[i].scale(turn));
        let points = f64x4::new([
            along.x + across.y,
            along.y - across.x,
            along.x - across.y,
            along.y + across.x,
        ]) / f64x4::splat(lengths[i]);
        let [x, y, other_x, other_y] = points.to_array();
        [Vec2::new(x, y), Vec2::new(other_x, other_y)]
    };
    let (from, to) = (tangents(0), tangents(1));
    let (first, second) = ([from[0], to[1]], [from[1], to[0]]);
    // better is closer to the side, or shorter; a path that crosses itself is bad
    let goodness = |points: [Vec2; 2], crossing: bool| {
        if crossing {
            -10000.0
        } else if let Some(side) = side {
            points[0].add(points[1]).normalized().dot(side)
        } else {
            let chord = points[0].sub(points[1]);
            -chord.dot(chord)
        }
    };
    let crosses = |points: [Vec2; 2]| intersect(ends[0], points[0], ends[1], points[1]);
    let crossing = [crosses(first), crosses(second)];
    let clockwise = goodness(first, crossing[0]) <= goodness(second, crossing[1]);
    let (points, bad) = if clockwise { (second, crossing[1]) } else { (first, crossing[0]) };
    if bad {
        return None;
    }

    // the arc runs in the sense of the chosen solution
    let mut angle = libm::acos(points[0].normalized().dot(points[1].normalized()));
    let turn = -points[0].cross(points[1]);
    if (turn > 0.0 && clockwise) || (turn < 0.0 && !clockwise) {
        angle = 2.0 * std::f64::consts::PI - angle;
    }
    Some((radius * angle, points))
}

/// Touches a circle from within: the path has one point on it.
fn wrap_inside(ends: [Vec2; 2], radius: f64) -> Option<[Vec2; 2]> {
    const MAX_ITERATIONS: usize = 20;
    const START: f64 = 1.0 - 1e-7;
    const TOLERANCE: f64 = 1e-6;

    let lengths = ends.map(Vec2::norm);
    let outside = |length: f64| length > radius && length >= MINVAL;
    if !outside(lengths[0]) || !outside(lengths[1]) || radius < MINVAL {
        return None;
    }
    // a straight path through the circle is free
    let way = ends[1].sub(ends[0]);
    let way_squared = way.dot(way);
    if way_squared > MINVAL {
        let share = -way.dot(ends[0]) / way_squared;
        if share > 0.0 && share < 1.0 && ends[0].add(way.scale(share)).norm() <= radius {
            return None;
        }
    }

    // in case the iteration fails: towards the middle
    let middle = ends[0].add(ends[1]).scale(0.5).normalized().scale(radius);
    let fallback = Some([middle; 2]);

    // equal angles at the contact: asin(A z) + asin(B z) − 2 asin(z) + G = 0
    let (a, b) = (radius / lengths[0], radius / lengths[1]);
    let cosine = (lengths[0] * lengths[0] + lengths[1] * lengths[1] - way_squared)
        / (2.0 * lengths[0] * lengths[1]);
    if cosine < -1.0 + MINVAL {
        return None;
    } else if cosine > 1.0 - MINVAL {
        return fallback;
    }
    let angle = libm::acos(cosine);
    let residual = |z: f64| libm::asin(a * z) + libm::asin(b * z) - 2.0 * libm::asin(z) + angle;

    // Newton's method from the right, which moves left all the time
    let mut z = START;
    let mut f = residual(z);
    if f > 0.0 {
        return fallback;
    }
    let mut iterations = 0;
    while iterations < MAX_ITERATIONS && f.abs() > TOLERANCE {
        let root = |x: f64| (1.0 - z * z * x * x).sqrt().max(MINVAL);
        let slope = a / root(a) + b / root(b) - 2.0 / root(1.0);
        let next = z - f / slope;
        if slope > -MINVAL || next > z {
            return fallback;
        }
        z = next;
        f = residual(z);
        if f > TOLERANCE {
            return fallback;
        }
        iterations += 1;
    }
    if iterations >= MAX_ITERATIONS {
        return fallback;
    }

    // the contact is the nearer end's direction, turned towards the other end
    let (end, share) = if ends[0].cross(ends[1]) > 0.0 { (ends[0], a) } else { (ends[1], b) };
    let (sine, cosine) = libm::sincos(libm::asin(z) - libm::asin(share * z));
    let end = end.normalized();
    let point = Vec2::new(
        radius * (cosine * end.x - sine * end.y),
        radius * (sine * end.x + cosine * end.y),
    );
    Some([point; 2])
}

/// Whether the segments from `a` to `b` and from `c` to `d` cross.
fn intersect(a: Vec2, b: Vec2, c: Vec2, d: Vec2) -> bool {
    let (ab, cd, ca) = (b.sub(a), d.sub(c), a.sub(c));
    let det = cd.y * ab.x - cd.x * ab.y;
    if det.abs() < MINVAL {
        return false;
    }
    let on_ab = (cd.x * ca.y - cd.y * ca.x) / det;
    let on_cd = (ab.x * ca.y - ab.y * ca.x) / det;
    (0.0..=1.0).contains(&on_ab) && (0.0..=1.0).contains(&on_cd)
}
