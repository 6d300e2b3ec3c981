//! Balls, boxes and capsules against triangles with a radius.

use std::cell::OnceCell;

use super::{Hit, Hits};
use crate::geometry::Geom;
use crate::math::{MINVAL, Vec3};

/// A triangle blown up by a radius, with what all points near it ask for.
#[derive(Debug, Clone)]
pub(super) struct Triangle {
    corners: [Vec3; 3],
    radius: f64,
    /// Sides from the first corner, and the unit normal.
    sides: [Vec3; 2],
    normal: Vec3,
    axes: OnceCell<Axes>,
}

/// Coordinates in the plane of a triangle, with the first corner at the origin.
#[derive(Debug, Clone, Copy)]
struct Axes {
    u: Vec3,
    v: Vec3,
    /// The other corners.
    second: [f64; 2],
    third: [f64; 2],
}

impl Triangle {
    #[inline]
    pub(super) fn new(corners: [Vec3; 3], radius: f64) -> Triangle {
        let [origin, second, third] = corners;
        let sides = [second - origin, third - origin];
        let (normal, _) = sides[0].cross(sides[1]).normalized();
        Triangle { corners, radius, sides, normal, axes: OnceCell::new() }
    }

    fn axes(&self) -> &Axes {
        self.axes.get_or_init(|| {
            let [a, b] = self.sides;
            let (u, length) = a.normalized();
            let (v, _) = self.normal.cross(a).normalized();
            Axes { u, v, second: [length, 0.0], third: [u.dot(b), v.dot(b)] }
        })
    }
}

/// Ball against triangle: the nearest point of the triangle decides.
pub(super) fn ball_triangle(
    center: Vec3,
    radius: f64,
    triangle: &Triangle,
    margin: f64,
    out: &mut Hits,
) -> bool {
    let reach = margin + radius + triangle.radius;
    let s = center - triangle.corners[0];
    let height = triangle.normal.dot(s);
    if height.abs() > reach {
        return false;
    }

    let foot = s - triangle.normal * height;
    let Axes { u, v, second: a, third: b } = *triangle.axes();
    let o = [0.0, 0.0];
    let p = [u.dot(foot), v.dot(foot)];
    let side = area_sign(p, o, a);
    let nearest = if side == area_sign(p, a, b) && side == area_sign(p, b, o) {
        foot
    } else {
        let sides = [on_segment(p, o, a), on_segment(p, a, b), on_segment(p, b, o)];
        let [d0, d1, d2] = sides.map(|(_, distance)| distance);
        let best = if d0 < d1 && d0 < d2 {
            0
        } else if d1 < d2 {
            1
        } else {
            2
        };
        let [x, y] = sides[best].0;
        u * x + v * y
    };

    let (normal, distance) = (nearest - s).normalized();
    if distance > reach {
        return false;
    }
    let dist = distance - radius - triangle.radius;
    let pos = center + normal * (radius + dist / 2.0);
    out.push(Hit { dist, pos, normal, tangent: Vec3::ZERO });
    true
}

/// On which side of a line a point is.
fn area_sign(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> i32 {
    let area = (p[0] - r[0]) * (q[1] - r[1]) - (q[0] - r[0]) * (p[1] - r[1]);
    i32::from(area > 0.0) - i32::from(area < 0.0)
}

/// The point of a segment nearest to `p`, and its distance.
fn on_segment(p: [f64; 2], from: [f64; 2], to: [f64; 2]) -> ([f64; 2], f64) {
    let along = [to[0] - from[0], to[1] - from[1]];
    let offset = [p[0] - from[0], p[1] - from[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let share = (along[0] * offset[0] + along[1] * offset[1]) / squared.max(MINVAL);
    let point = if share <= 0.0 {
        from
    } else if share >= 1.0 {
        to
    } else {
        [from[0] + along[0] * share, from[1] + along[1] * share]
    };
    let [dx, dy] = [point[0] - p[0], point[1] - p[1]];
    (point, (dx * dx + dy * dy).sqrt())
}

/// Box against triangle: corners of the triangle in the box, pushed out of the nearest face; then
/// corners of the box against the triangle.
pub(super) fn box_triangle(a: &Geom, triangle: &Triangle, margin: f64, out: &mut Hits) {
    let (size, radius) = (a.size, triangle.radius);
    for corner in triangle.corners {
        let local = a.mat.transpose_mul(corner - a.pos);
        let mut axis = 0;
        let mut depth = local.x.abs() - size.x;
        for i in 1..3 {
            let other = local[i].abs() - size[i];
            if other > depth {
                (axis, depth) = (i, other);
            }
        }
        let inside = (0..3).all(|i| local[i].abs() <= size[i] + margin + radius);
        if depth - radius > margin || !inside {
            continue;
        }
        let sign = if local[axis] > 0.0 { 1.0 } else { -1.0 };
        let normal = a.mat.column(axis) * sign;
        let dist = depth - radius;
        let pos = corner - normal * (radius + dist * 0.5);
        out.push(Hit { dist, pos, normal, tangent: Vec3::ZERO });
    }
    for i in 0..8 {
        let along = |axis: usize| if i >> axis & 1 != 0 { size[axis] } else { -size[axis] };
        let corner = a.world_point(Vec3::new(along(0), along(1), along(2)));
        ball_triangle(corner, 0.0, triangle, margin, out);
    }
}

/// Capsule against triangle: its two ends, then corners of the triangle beside its axis.
pub(super) fn capsule_triangle(a: &Geom, triangle: &Triangle, margin: f64, out: &mut Hits) {
    let (radius, half) = (a.size.x, a.size.y);
    let axis = a.mat.column(2);
    let ends = [a.pos + axis * -half, a.pos + axis * half];
    for end in ends {
        ball_triangle(end, radius, triangle, margin, out);
    }
    let along = ends[1] - ends[0];
    for corner in triangle.corners {
        let share = (corner - ends[0]).dot(along) / (4.0 * half * half);
        // the ends have been tested; this also passes over what is not a number
        if share <= MINVAL || share >= 1.0 - MINVAL || share.is_nan() {
            continue;
        }
        let nearest = ends[0] + along * share;
        let (normal, distance) = (corner - nearest).normalized();
        if distance > radius + triangle.radius + margin {
            continue;
        }
        let dist = distance - radius - triangle.radius;
        let pos = (nearest + corner + normal * (radius - triangle.radius)) * 0.5;
        out.push(Hit { dist, pos, normal, tangent: Vec3::ZERO });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Mat3;
    use crate::model::GeomType;

    fn triangle() -> Triangle {
        let corners = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 0.0)];
        Triangle::new(corners, 0.1)
    }

    #[test]
    fn ball_above_a_triangle_touches_below_itself_and_beside_it_at_the_edge() {
        let mut hits = Hits::default();
        assert!(ball_triangle(Vec3::new(0.5, 0.5, 0.25), 0.2, &triangle(), 0.0, &mut hits));
        assert!((hits[0].dist + 0.05).abs() < 1e-15);
        assert_eq!(hits[0].normal, Vec3::new(0.0, 0.0, -1.0));
        hits.clear();
        assert!(ball_triangle(Vec3::new(0.5, -0.25, 0.0), 0.2, &triangle(), 0.0, &mut hits));
        assert_eq!(hits[0].normal, Vec3::new(0.0, 1.0, 0.0));
        assert!(!ball_triangle(Vec3::new(0.5, -0.35, 0.0), 0.2, &triangle(), 0.0, &mut hits));
    }

    #[test]
    fn box_under_a_corner_pushes_it_up_and_capsule_beside_it_away() {
        let size = Vec3::new(1.0, 1.0, 1.0);
        let pos = Vec3::new(0.5, 0.5, -1.05);
        let body = Geom::primitive(GeomType::Box, size, pos, &Mat3::IDENTITY).unwrap();
        let mut hits = Hits::default();
        box_triangle(&body, &triangle(), 0.0, &mut hits);
        assert_eq!(hits[0].normal, Vec3::Z);
        assert!((hits[0].dist + 0.05).abs() < 1e-15);

        let size = Vec3::new(0.2, 1.0, 0.0);
        let pos = Vec3::new(-0.25, -0.1, 0.0);
        let body = Geom::primitive(GeomType::Capsule, size, pos, &Mat3::IDENTITY).unwrap();
        hits.clear();
        capsule_triangle(&body, &triangle(), 0.0, &mut hits);
        assert_eq!(hits.len(), 1);
        assert!((hits[0].dist - (0.25f64.hypot(0.1) - 0.3)).abs() < 1e-15);
    }
}
