//! The patch that one box covers on a face of another.
//!
//! Work happens in the frame of the face: its centre is the origin and its outward normal is z, so
//! that the face is a rectangle in the plane z = 0.

use super::box_box::{Boxes, Edges};
use super::{Hit, Hits};
use crate::geometry::Geom;
use crate::math::{MINVAL, Mat3, Vec3};

/// How to turn each face towards z: which axis becomes x, y and z, with which sign.
const FACES: [[(usize, f64); 3]; 6] = [
    [(2, -1.0), (1, 1.0), (0, 1.0)],
    [(0, 1.0), (2, -1.0), (1, 1.0)],
    [(0, 1.0), (1, 1.0), (2, 1.0)],
    [(2, 1.0), (1, 1.0), (0, -1.0)],
    [(0, 1.0), (2, 1.0), (1, -1.0)],
    [(0, -1.0), (1, 1.0), (2, -1.0)],
];

/// A face of a box.
struct Face {
    axes: [(usize, f64); 3],
    /// Half the size of the rectangle, and the distance of the face from the centre of the box.
    size: Vec3,
}

impl Face {
    fn new(face: usize, size: Vec3) -> Face {
        let axes = FACES[face];
        Face { axes, size: Vec3::from(axes.map(|(i, _)| size[i])) }
    }

    /// Turns a direction from the frame of the box.
    fn rotate(&self, v: Vec3) -> Vec3 {
        Vec3::from(self.axes.map(|(i, sign)| v[i] * sign))
    }

    /// Turns a position from the frame of the box.
    fn place(&self, v: Vec3) -> Vec3 {
        let mut v = self.rotate(v);
        v.z -= self.size.z;
        v
    }

    /// The orientation of this frame in the world, of a box with orientation `mat`.
    fn orientation(&self, mat: &Mat3) -> Mat3 {
        let [x, y, z] = self.axes.map(|(i, sign)| mat.column(i) * sign);
        Mat3::from_columns(x, y, z)
    }

    /// Whether a point is over the rectangle, in one direction.
    fn spans(&self, i: usize, x: f64) -> bool {
        !(x < -self.size[i] || x > self.size[i])
    }

    /// The corners of the rectangle.
    fn corners(&self) -> [[f64; 2]; 4] {
        let Vec3 { x, y, .. } = self.size;
        [[-x, -y], [-x, y], [x, -y], [x, y]]
    }
}

/// The edges of a parallelogram, as start and direction, in the order in which they are clipped.
fn outline(origin: Vec3, side1: Vec3, side2: Vec3) -> [(Vec3, Vec3); 4] {
    [(origin, side1), (origin, side2), (origin + side1, side2), (origin + side2, side1)]
}

/// Where lines cross the border of a rectangle: calls back with the number of the line, how far
/// along it, the axis across the border, and the coordinates along that axis and the other.
#[inline]
fn crossings(
    lines: &[(Vec3, Vec3)],
    face: &Face,
    mut found: impl FnMut(usize, f64, usize, [f64; 2]),
) {
    for (line, (start, direction)) in lines.iter().enumerate() {
        for i in 0..2 {
            let j = 1 - i;
            if direction[i].abs() <= MINVAL {
                continue;
            }
            let inverse = 1.0 / direction[i];
            for border in [-face.size[i], face.size[i]] {
                let t = (border - start[i]) * inverse;
                let across = start[j] + direction[j] * t;
                // one branch: which of the tests fails is hard to predict
                if (0.0..=1.0).contains(&t) & (across.abs() <= face.size[j]) {
                    found(line, t, i, [border, across]);
                }
            }
        }
    }
}

/// Adds the points between a face of box `a` and what box `b` has nearest to it: a corner, an edge
/// or a face. `rot` and `pos` are the orientation and position of `b` in the frame of `a`.
pub(super) fn face_patch(
    face: usize,
    pos: Vec3,
    rot: &Mat3,
    a: &Geom,
    b: &Geom,
    margin: f64,
    out: &mut Hits,
) {
    let face = Face::new(face, a.size);
    let axes = [0, 1, 2].map(|i| face.rotate(rot.column(i)));
    let to_world = face.orientation(a.mat);
    let normal = to_world.column(2);
    let mut push = |point: Vec3| {
        if point.z <= margin {
            let middle = Vec3::new(point.x, point.y, point.z * 0.5 + face.size.z);
            let pos = to_world * middle + a.pos;
            out.push(Hit { dist: point.z, pos, normal, tangent: Vec3::ZERO });
        }
    };

    // the lowest corner, and the sides from there that do not rise steeply
    let mut corner = face.place(pos);
    let mut sides = [Vec3::ZERO; 2];
    let mut count = 0;
    for i in 0..3 {
        let low = if axes[i].z < 0.0 { 1.0 } else { -1.0 };
        corner += axes[i] * (b.size[i] * low);
        if axes[i].z.abs() < 0.5 && count < 2 {
            sides[count] = axes[i] * (b.size[i] * (-2.0 * low));
            count += 1;
        }
    }
    let [side1, side2] = sides;
    let lines = outline(corner, side1, side2);
    let line_count = [0, 1, 4][count];
    crossings(&lines[..line_count], &face, |line, t, _, _| {
        let (start, direction) = lines[line];
        push(start + direction * t);
    });

    // corners of the face under the box
    if count == 2 {
        let inverse = 1.0 / (side1.x * side2.y - side2.x * side1.y);
        for [x, y] in face.corners() {
            let (dx, dy) = (x - corner.x, y - corner.y);
            let u = (dx * side2.y - dy * side2.x) * inverse;
            let v = (dy * side1.x - dx * side1.y) * inverse;
            if u > 0.0 && v > 0.0 && u < 1.0 && v < 1.0 {
                push(Vec3::new(x, y, corner.z + u * side1.z + v * side2.z));
            }
        }
    }

    // corners of the box over the face
    push(corner);
    let others = [lines[2].0, lines[3].0, lines[2].0 + side2];
    for &point in &others[..(1 << count) - 1] {
        if point.x.abs() < face.size.x && point.y.abs() < face.size.y {
            push(point);
        }
    }
}

/// Adds the points where an edge of each box meets: between a face of box `a` next to its edge and
/// a face of box `b` next to its own, seen along the common normal.
pub(super) fn edge_patch(
    edges: &Edges,
    boxes: &Boxes,
    a: &Geom,
    b: &Geom,
    margin: f64,
    out: &mut Hits,
) {
    let &Edges { edge1, edge2, corner1, corner2, .. } = edges;
    let Boxes { rot, abs_rot, .. } = boxes;

    // the other axes of each face: first the one in the face, then the one across it
    let (in2, across2) = by_size(edge2, |i| abs_rot[(edge1, i)]);
    let (_, across1) = by_size(edge1, |i| abs_rot[(i, edge2)]);
    let face = if corner1 >> across1 & 1 == 1 { across1 } else { across1 + 3 };
    let face = Face::new(face, a.size);
    let normal = face.rotate(edges.normal);
    if normal.z.abs() < MINVAL {
        return;
    }

    // the face of b, and its shadow on the face of a
    let axes = [0, 1, 2].map(|i| face.rotate(rot.column(i)));
    let center = face.place(boxes.b_in_a);
    let sign = |i: usize| if corner2 >> i & 1 == 1 { 1.0 } else { -1.0 };
    let step1 = axes[in2] * (b.size[in2] * sign(in2));
    let step2 = axes[across2] * (b.size[across2] * sign(across2));
    let along = axes[edge2] * b.size[edge2];
    let (near, far) = (center + step1 + step2, center - step1 + step2);
    let points = [near + along, near - along, far + along, far - along];
    let inverse = 1.0 / normal.z;
    let shadow = points.map(|point| point + normal * (-point.z * inverse));
    let lines = outline(points[0], points[1] - points[0], points[2] - points[0]);
    let side1 = shadow[1] - shadow[0];
    let side2 = shadow[2] - shadow[0];
    let shadow_lines = outline(shadow[0], side1, side2);

    let outward = if edges.flipped { -1.0 } else { 1.0 };
    let slope = inverse * outward;
    let to_world = face.orientation(a.mat);
    let world_normal = (to_world * normal) * outward;
    let margin2 = margin * margin;
    let mut push = |dist: f64, point: Vec3| {
        let point = Vec3::new(point.x, point.y, point.z + face.size.z);
        let pos = to_world * point + a.pos;
        out.push(Hit { dist, pos, normal: world_normal, tangent: Vec3::ZERO });
    };

    // the outline of the shadow across the border of the face
    let mut crossed = 0;
    crossings(&shadow_lines, &face, |line, t, i, [border, across]| {
        let (start, direction) = lines[line];
        if (start.z + direction.z * t) * slope > margin {
            return;
        }
        let mut point = start * 0.5 + direction * (0.5 * t);
        point[i] += 0.5 * border;
        point[1 - i] += 0.5 * across;
        push(point.z * slope * 2.0, point);
        crossed += 1;
    });

    // corners of the face in the shadow
    let mut covered = 0;
    let mut det = side1.x * side2.y - side2.x * side1.y;
    for [x, y] in face.corners() {
        let (dx, dy) = (x - shadow[0].x, y - shadow[0].y);
        let u = (dx * side2.y - dy * side2.x) * (1.0 / det);
        let v = (dy * side1.x - dx * side1.y) * (1.0 / det);
        let (in_u, in_v) = ((0.0..=1.0).contains(&u), (0.0..=1.0).contains(&v));
        if u.is_nan() || v.is_nan() || !(in_u && in_v || crossed == 0 && (in_u || in_v)) {
            continue;
        }
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let above = points[0] * (1.0 - u - v) + points[1] * u + points[2] * v;
        let corner = Vec3::new(x, y, 0.0);
        let gap = corner - above;
        let gap2 = gap.dot(gap);
        // from here on MuJoCo divides by this instead
        det = gap2;
        if above.z > 0.0 && gap2 > margin2 {
            continue;
        }
        push(signed(gap2.sqrt(), above.z), (corner + above) * 0.5);
        covered += 1;
    }

    // corners of the shadow on the face
    for (point, shadow) in points.into_iter().zip(shadow) {
        let (in_x, in_y) = (face.spans(0, shadow.x), face.spans(1, shadow.y));
        if !(in_x && in_y || crossed == 0 && (covered == 0 || in_x || in_y)) {
            continue;
        }
        let mut nearest = Vec3::new(shadow.x, shadow.y, 0.0);
        let mut gap2 = 0.0;
        for i in 0..2 {
            if !face.spans(i, shadow[i]) {
                nearest[i] = face.size[i].copysign(shadow[i]);
                gap2 += (shadow[i] - nearest[i]) * (shadow[i] - nearest[i]);
            }
        }
        gap2 += point.z * slope * point.z * slope;
        if point.z > 0.0 && gap2 > margin2 {
            continue;
        }
        push(signed(gap2.sqrt(), point.z), nearest * 0.5 + point * 0.5);
    }
}

/// The two axes other than `edge`, the one with the larger measure first.
fn by_size(edge: usize, measure: impl Fn(usize) -> f64) -> (usize, usize) {
    let (i, j) = [(1, 2), (0, 2), (1, 0)][edge];
    if measure(i) < measure(j) { (j, i) } else { (i, j) }
}

/// A length, negative below the face.
fn signed(length: f64, z: f64) -> f64 {
    if z < 0.0 { -length } else { length }
}
