//! Capsules against capsules and boxes.

use super::Hits;
use super::sphere::{Ball, ball_ball, ball_box};
use crate::geometry::Geom;
use crate::math::{MINVAL, Vec3};
use crate::{Data, Model};

/// Capsule against capsule: the nearest points of the two axes, or up to two pairs of points where
/// the axes are parallel.
pub(super) fn capsule_capsule(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let axis1 = a.mat.column(2) * a.size.y;
    let axis2 = b.mat.column(2) * b.size.y;
    let offset = a.pos - b.pos;
    if are_apart(a, axis1, b, axis2, margin) {
        return;
    }

    // |pos1 + x1 axis1 - pos2 - x2 axis2| is smallest where [ma mb; mb mc] [x1; x2] = [u; v]
    let ma = axis1.dot(axis1);
    let mb = -axis1.dot(axis2);
    let mc = axis2.dot(axis2);
    let u = -axis1.dot(offset);
    let v = axis2.dot(offset);
    let det = ma * mc - mb * mb;

    let before = out.len();
    let mut collide = |x1: f64, x2: f64| {
        let p1 = axis1 * x1 + a.pos;
        let p2 = axis2 * x2 + b.pos;
        ball_ball(Ball::at(p1, a), Ball::at(p2, b), margin, out);
        out.len() - before
    };

    if det.abs() >= MINVAL {
        let mut x1 = (mc * u - mb * v) / det;
        let mut x2 = (ma * v - mb * u) / det;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (v - mb) / mc;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (v + mb) / mc;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = unit_ratio(u - mb, ma);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = unit_ratio(u + mb, ma);
        }
        collide(x1, x2);
        return;
    }

    // parallel: each end against the other axis, until there are two points
    collide(1.0, unit_ratio(v - mb, mc));
    if collide(-1.0, unit_ratio(v + mb, mc)) >= 2 {
        return;
    }
    if collide(unit_ratio(u - mb, ma), 1.0) < 2 {
        collide(unit_ratio(u + mb, ma), -1.0);
    }
}

/// Whether two capsules do not even overlap along the line between their centres.
#[inline]
fn are_apart(a: &Geom, axis1: Vec3, b: &Geom, axis2: Vec3, margin: f64) -> bool {
    let offset = a.pos - b.pos;
    let between = offset.dot(offset) - offset.dot(axis1).abs() - offset.dot(axis2).abs();
    let far = a.pos.x.abs() + a.pos.y.abs() + a.pos.z.abs() + a.size.y + b.size.y;
    let reach = (margin + a.size.x + b.size.x) * (1.0 + 1e-9) + 1e-13 * far;
    between > 0.0 && between * between > reach * reach * offset.dot(offset)
}

/// Computes `a / b` within -1 and 1, and the middle where both vanish.
fn unit_ratio(a: f64, b: f64) -> f64 {
    let x = a / b;
    if x.is_nan() { 0.0 } else { x.clamp(-1.0, 1.0) }
}

/// Capsule against box: the ball at the nearest point of the axis, and a second one further along
/// if the capsule lies over a face or along an edge.
pub(super) fn capsule_box(a: &Geom, b: &Geom, margin: f64, out: &mut Hits) {
    let segment = Segment::new(a, b);
    if segment.is_apart(a.size.x + margin) {
        return;
    }
    let Some(nearest) = segment.nearest(a.size.x, margin) else { return };
    let mut collide = |x: f64| {
        let center = *b.mat * (segment.center + segment.half * x) + b.pos;
        ball_box(center, a.size.x, b, margin, out);
    };
    collide(nearest.x);
    if let Some(step) = segment.second(&nearest) {
        collide(step + nearest.x);
    }
}

/// Where on the axis of a capsule the second contact with a box is, and how that place moves.
pub(crate) struct Second {
    /// Between −1 and 1.
    pub(crate) x: f64,
    /// Whether there is no second place.
    pub(crate) is_first: bool,
    /// Derivatives by centre and half axis of the capsule, in the frame of the box.
    by_center: Vec3,
    by_half: Vec3,
}

impl Second {
    /// The derivative of the place along given changes.
    pub(crate) fn slope(&self, center: Vec3, half: Vec3) -> f64 {
        self.by_center.dot(center) + self.by_half.dot(half)
    }
}

/// The second contact of a capsule with a box; none if these geoms have one at most.
pub(crate) fn second_of_capsule_box(
    model: &Model,
    data: &Data,
    [capsule, cuboid]: [usize; 2],
) -> Option<Second> {
    let (capsule, cuboid) = (Geom::new(model, data, capsule)?, Geom::new(model, data, cuboid)?);
    let size = capsule.size;
    let segment = Segment::new(&capsule, &cuboid);
    let nearest = segment.nearest(size.x, size.x + size.y)?;
    let step = segment.second(&nearest)?;
    let (by_center, by_half) = segment.second_slopes(&nearest, step);
    Some(Second { x: nearest.x + step, is_first: step == 0.0, by_center, by_half })
}

/// The axis of a capsule in the frame of a box.
struct Segment {
    center: Vec3,
    /// Unit direction, and from the centre to the end.
    axis: Vec3,
    half: Vec3,
    half_length: f64,
    /// Half sizes of the box.
    size: Vec3,
    /// Rounding errors of positions are smaller than this.
    slack: f64,
}

/// The point of a segment nearest to a box: `x` is between -1 and 1.
struct Nearest {
    x: f64,
    to: Feature,
}

/// A part of a box. Corners are three bits, one for each axis, set on the positive side.
enum Feature {
    Inside,
    /// The face across an axis, nearest to an end of the segment.
    Face(usize),
    Corner(usize),
    /// The middle of the edge along an axis, at `y` between -1 and 1.
    Edge {
        axis: usize,
        corner: usize,
        y: f64,
    },
}

impl Segment {
    fn new(capsule: &Geom, cuboid: &Geom) -> Segment {
        let center = cuboid.mat.transpose_mul(capsule.pos - cuboid.pos);
        let axis = cuboid.mat.transpose_mul(capsule.mat.column(2));
        let half_length = capsule.size.y;
        let far = capsule.pos.norm() + cuboid.pos.norm() + half_length + cuboid.size.norm();
        Segment {
            center,
            axis,
            half: axis * half_length,
            half_length,
            size: cuboid.size,
            slack: 1e-12 * far,
        }
    }

    /// Whether no point of the segment can be closer to the box than `reach`.
    fn is_apart(&self, reach: f64) -> bool {
        (0..3).any(|i| {
            let gap = self.center[i].abs() - self.half[i].abs() - self.size[i];
            self.size[i] > 0.0 && gap > reach + self.slack
        })
    }

    /// The side of the positive end, as bits.
    fn direction(&self) -> usize {
        (0..3).map(|i| usize::from(self.half[i] > 0.0) << i).sum()
    }

    /// Finds the nearest point, none if it is far away.
    fn nearest(&self, radius: f64, margin: f64) -> Option<Nearest> {
        let Segment { center, half, size, .. } = *self;
        let mut best = None;
        // not a squared length, but it decides what is far away in MuJoCo
        let mut best2 = margin + 2.0 * (radius + self.half_length + size.x + size.y + size.z);

        // an end over a face or inside
        for x in [-1.0, 1.0] {
            let end = center + half * x;
            let mut gap = Vec3::ZERO;
            let (mut outside, mut face) = (0, Feature::Inside);
            for i in 0..3 {
                let clamped = end[i].max(-size[i]).min(size[i]);
                if clamped != end[i] {
                    gap[i] = clamped - end[i];
                    outside += 1;
                    face = Feature::Face(i);
                }
            }
            let gap2 = gap.dot(gap);
            if outside <= 1 && gap2 < best2 {
                best2 = gap2;
                best = Some(Nearest { x, to: face });
            }
        }

        // nothing is closer than the inside
        if best2 <= MINVAL {
            return best;
        }

        for axis in 0..3 {
            self.nearest_edge(axis, &mut best, &mut best2);
        }
        best
    }

    /// Takes an edge along the axis, or an end of it, if it is nearer.
    fn nearest_edge(&self, axis: usize, best: &mut Option<Nearest>, best2: &mut f64) {
        let Segment { center, half, half_length, size, slack, .. } = *self;

        // |edge + y size - center - x half| is smallest where [ma mb; mb mc] [y; x] = [u; v]
        let ma = size[axis] * size[axis];
        let mb = -size[axis] * half[axis];
        let mc = half_length * half_length;
        let det = ma * mc - mb * mb;
        if det.abs() < MINVAL {
            return;
        }
        let u = size[axis] * center[axis];
        let (idet, ia, ic) = (1.0 / det, 1.0 / ma, 1.0 / mc);

        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (low, high) = (i.min(j), i.max(j));
        let beyond = |i: usize, x: f64| (x.abs() - half[i].abs() - slack).max(0.0);
        let beyond_ends = beyond(axis, (center[axis].abs() - size[axis]).max(0.0));
        for corner in [0, 1 << low, 1 << high, 1 << low | 1 << high] {
            let mut gap = -center;
            for i in [low, high] {
                gap[i] = if corner >> i & 1 == 1 { size[i] } else { -size[i] } - center[i];
            }

            // no point of the segment is nearer than this
            let (di, dj) = (beyond(low, gap[low]), beyond(high, gap[high]));
            let bound = di * di + dj * dj + beyond_ends * beyond_ends;
            if bound * (1.0 - 1e-12) > *best2 {
                continue;
            }

            let v = half.dot(gap);
            let mut y = (mc * u - mb * v) * idet;
            let mut x = (ma * v - mb * u) * idet;
            let mut end = 0.0;
            if y.abs() > 1.0 {
                end = y.signum();
                y = end;
                x = (v - mb * end) * ic;
            }
            if x.abs() > 1.0 {
                x = x.signum();
                y = (u - mb * x) * ia;
                if y.abs() > 1.0 {
                    end = y.signum();
                    y = end;
                }
            }

            gap += half * -x;
            gap[axis] += size[axis] * y;
            let gap2 = gap.dot(gap);
            if gap2 < *best2 - MINVAL {
                *best2 = gap2;
                let to = if end == 0.0 {
                    Feature::Edge { axis, corner, y }
                } else {
                    Feature::Corner(if end > 0.0 { corner | 1 << axis } else { corner })
                };
                *best = Some(Nearest { x, to });
            }
        }
    }

    /// How far along the segment from the nearest point a second contact should be, if any.
    fn second(&self, nearest: &Nearest) -> Option<f64> {
        match nearest.to {
            Feature::Inside => None,
            Feature::Face(face) => Some(self.over_face(nearest.x, face)),
            Feature::Corner(corner) => self.beside_corner(nearest.x, corner),
            Feature::Edge { axis, corner, y } => self.beside_edge(nearest.x, axis, corner, y),
        }
    }

    /// From an end over a face to the other end, or to where the box ends.
    fn over_face(&self, end: f64, face: usize) -> f64 {
        let ahead = -end;
        let start = self.center + self.half * end;
        let mut step: f64 = 2.0;
        for i in (0..3).filter(|&i| i != face) {
            for side in [self.size[i], -self.size[i]] {
                let crossing = (side - start[i]) / self.half[i] * ahead;
                if crossing > 0.0 && crossing < step {
                    step = crossing;
                }
            }
        }
        step * ahead
    }

    /// From a corner along an edge or over a face, unless the segment points at the corner.
    fn beside_corner(&self, x: f64, corner: usize) -> Option<f64> {
        // the axis along which the segment runs otherwise than along the two others
        let turned = self.direction() ^ corner;
        let (odd, sign) = match turned {
            0 | 7 => return None,
            1 | 2 | 4 => (turned, 1.0),
            _ => (7 - turned, -1.0),
        };
        let i = odd.trailing_zeros() as usize;
        Some(if self.axis[i] * self.axis[i] > 0.5 {
            self.across(i).min(1.0 - sign * x) * sign
        } else {
            let step = (1.0 + sign * x).min(self.across((i + 1) % 3)).min(self.across((i + 2) % 3));
            step * -sign
        })
    }

    /// From the middle of an edge over the face that is closer to parallel, unless the segment
    /// stands on the edge.
    fn beside_edge(&self, x: f64, edge: usize, corner: usize, y: f64) -> Option<f64> {
        let turned = (self.direction() ^ corner) & !(1 << edge);
        if !turned.is_power_of_two() {
            return None;
        }
        let (i, j) = ((edge + 1) % 3, (edge + 2) % 3);
        let along = if self.axis[i].abs() > self.axis[j].abs() { i } else { j };
        let forward = turned >> along & 1 == 1;
        let sign = if forward { 1.0 } else { -1.0 };
        let same = (self.direction() >> edge & 1 == 1) == forward;
        let rest = if same { 1.0 - y } else { 1.0 + y };
        let step = (1.0 - sign * x)
            .min(self.across(along))
            .min(self.size[edge] * rest / self.half[edge].abs());
        Some(step * sign)
    }

    /// Derivatives of where the second contact is by centre and half axis; `step` is how far it is
    /// from the nearest point.
    fn second_slopes(&self, nearest: &Nearest, step: f64) -> (Vec3, Vec3) {
        let x = nearest.x + step;
        let still = (Vec3::ZERO, Vec3::ZERO);
        if (x.abs() - 1.0).abs() < 1e-12 {
            return still;
        }
        let unit = |i: usize| [Vec3::X, Vec3::Y, Vec3::Z][i];
        let (first, y) = self.nearest_slopes(nearest);
        let crosses = |i: usize| (step.abs() - self.across(i)).abs() < 1e-12 * step.abs();
        let shorter = |i: usize| (first.0, first.1 - unit(i) * (step / self.half[i]));
        match nearest.to {
            Feature::Inside => still,
            Feature::Face(face) => {
                // (side − center) / half, at the side that is reached
                let end = self.center + self.half * x;
                let off = |i: usize| (end[i].abs() - self.size[i]).abs();
                let side = (0..3).filter(|&i| i != face).min_by(|&i, &j| off(i).total_cmp(&off(j)));
                let i = side.unwrap_or(face);
                (unit(i) * (-1.0 / self.half[i]), unit(i) * (-x / self.half[i]))
            }
            Feature::Corner(_) => match (0..3).find(|&i| crosses(i)) {
                Some(i) => shorter(i),
                None => still,
            },
            Feature::Edge { axis, .. } => {
                if let Some(i) = (0..3).filter(|&i| i != axis).find(|&i| crosses(i)) {
                    return shorter(i);
                }
                // the step ends where the edge does, and that is (±1 − y) size / half away
                let (by_center, by_half) = shorter(axis);
                let rate = self.size[axis] / self.half[axis];
                (by_center - y.0 * rate, by_half - y.1 * rate)
            }
        }
    }

    /// Derivatives of the nearest point of the segment, and of that on the edge.
    fn nearest_slopes(&self, nearest: &Nearest) -> ((Vec3, Vec3), (Vec3, Vec3)) {
        let Segment { center, half, half_length, size, .. } = *self;
        let still = (Vec3::ZERO, Vec3::ZERO);
        let squared = half_length * half_length;
        let place = |corner: usize, i: usize| if corner >> i & 1 == 1 { size[i] } else { -size[i] };
        match nearest.to {
            Feature::Inside | Feature::Face(_) => (still, still),
            Feature::Corner(_) if nearest.x.abs() >= 1.0 => (still, still),
            Feature::Corner(corner) => {
                let gap = Vec3::new(place(corner, 0), place(corner, 1), place(corner, 2)) - center;
                ((half * (-1.0 / squared), gap * (1.0 / squared)), still)
            }
            Feature::Edge { axis, corner, y } => {
                // see `nearest_edge`
                let (ma, mb) = (size[axis] * size[axis], -size[axis] * half[axis]);
                let mut gap =
                    Vec3::new(place(corner, 0), place(corner, 1), place(corner, 2)) - center;
                gap[axis] = -center[axis];
                let x = nearest.x;
                let mut unit = Vec3::ZERO;
                unit[axis] = size[axis];
                let (u, v) = (size[axis] * center[axis], half.dot(gap));
                // derivatives of u, v and mb
                let (u_by, v_by, mb_by) = ((unit, Vec3::ZERO), (-half, gap), (Vec3::ZERO, -unit));
                let combine = |a: f64, b: f64, c: f64| {
                    (u_by.0 * a + v_by.0 * b + mb_by.0 * c, u_by.1 * a + v_by.1 * b + mb_by.1 * c)
                };
                if x.abs() >= 1.0 {
                    return (still, combine(1.0 / ma, 0.0, -x / ma));
                }
                let inverse = 1.0 / (ma * squared - mb * mb);
                let by_x = combine(-mb * inverse, ma * inverse, (-u + 2.0 * mb * x) * inverse);
                let by_y = combine(squared * inverse, -mb * inverse, (-v + 2.0 * mb * y) * inverse);
                (by_x, by_y)
            }
        }
    }

    /// The step along the segment that crosses the box along an axis.
    fn across(&self, i: usize) -> f64 {
        2.0 * self.size[i] / self.half[i].abs()
    }
}
