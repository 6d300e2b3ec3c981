//! The first simplex.

use super::HullError;
use super::plane::Plane;
use super::polyhedron::Facets;
use super::quickhull::Quickhull;
use super::tolerance::{Tolerance, max, min};

/// Determinants that fall short of the expected size by this factor are of a narrow simplex.
const NARROW_DETERMINANT: f64 = 1e-3;

/// Facets whose normals have a cosine below this are narrow.
const NARROW_COSINE: f64 = -0.99999999;

/// The points at the ends of the axes.
pub(super) struct Extremes {
    /// Minimum and maximum along x, y and z.
    points: [u32; 6],
    pub tolerance: Tolerance,
}

impl Extremes {
    /// Finds the first minimum and maximum along each axis.
    pub(super) fn new(points: &[[f64; 3]]) -> Self {
        let mut ends = [0; 6];
        let (mut lower, mut upper) = ([0.0; 3], [0.0; 3]);
        for k in 0..3 {
            let (mut lowest, mut highest) = (0, 0);
            for (i, point) in points.iter().enumerate() {
                if points[highest][k] < point[k] {
                    highest = i;
                } else if points[lowest][k] > point[k] {
                    lowest = i;
                }
            }
            (lower[k], upper[k]) = (points[lowest][k], points[highest][k]);
            (ends[2 * k], ends[2 * k + 1]) = (lowest as u32, highest as u32);
        }
        Self { points: ends, tolerance: Tolerance::new(lower, upper) }
    }

    /// Chooses four points: the ends along x, then twice the point that makes the largest
    /// determinant with those chosen. Candidates are the ends of all axes, or all points if the
    /// best of these is too small.
    pub(super) fn simplex(&self, points: &[[f64; 3]]) -> Result<[u32; 4], HullError> {
        let at = |point: u32| points[point as usize];
        let (mut low, mut high) = (self.points[0], self.points[0]);
        for &point in &self.points {
            if at(high)[0] < at(point)[0] {
                high = point;
            }
            if at(low)[0] > at(point)[0] {
                low = point;
            }
        }
        if low == high || self.tolerance.width <= 0.0 {
            return Err(flatness(points));
        }

        let mut chosen = vec![low, high];
        let mut determinant = at(high)[0] - at(low)[0];
        while chosen.len() < 4 {
            let expected = determinant * self.tolerance.width;
            let mut best = Best { point: None, determinant: -1.0, singular: false };
            for &point in &self.points {
                if !chosen.contains(&point) {
                    best.offer(point, self.volume(points, point, &chosen));
                }
            }
            let narrow = best.determinant > 0.0 && best.determinant / expected < NARROW_DETERMINANT;
            if best.point.is_none() || best.singular || narrow {
                let enough = 10.0 * NARROW_DETERMINANT * expected;
                for point in 0..points.len() as u32 {
                    if !self.points.contains(&point)
                        && !chosen.contains(&point)
                        && best.offer(point, self.volume(points, point, &chosen))
                        && !best.singular
                        && best.determinant > enough
                    {
                        break;
                    }
                }
            }
            chosen.push(best.point.ok_or_else(|| flatness(points))?);
            determinant = best.determinant;
        }
        Ok([chosen[0], chosen[1], chosen[2], chosen[3]])
    }

    /// The determinant of the simplex from `apex` to `base`, in as many coordinates as it has
    /// edges, and whether it is as good as zero.
    fn volume(&self, points: &[[f64; 3]], apex: u32, base: &[u32]) -> (f64, bool) {
        let apex = points[apex as usize];
        let edge = |i: usize| -> [f64; 3] {
            std::array::from_fn(|k| points[base[i] as usize][k] - apex[k])
        };
        let (a, b) = (edge(0), edge(1));
        let minor = |u: [f64; 3], v: [f64; 3], i: usize| u[i] * v[i + 1] - u[i + 1] * v[i];
        let determinant = if base.len() == 2 {
            minor(a, b, 0)
        } else {
            let c = edge(2);
            a[0] * minor(b, c, 1) - b[0] * minor(a, c, 1) + c[0] * minor(a, b, 1)
        };
        (determinant.abs(), determinant.abs() < 10.0 * self.tolerance.pivot[base.len() - 1])
    }
}

/// The best candidate so far.
struct Best {
    point: Option<u32>,
    determinant: f64,
    singular: bool,
}

impl Best {
    /// Takes `point` if its determinant is larger, and returns whether it was taken.
    fn offer(&mut self, point: u32, (determinant, singular): (f64, bool)) -> bool {
        let better = determinant > self.determinant;
        if better {
            *self = Self { point: Some(point), determinant, singular };
        }
        better
    }
}

impl Quickhull<'_> {
    /// Makes the facets of the simplex, their normals pointing outwards.
    pub(super) fn make_simplex(&mut self, corners: [u32; 4]) -> Result<(), HullError> {
        let mut vertices = corners.map(|point| self.vertices.make(point));
        vertices.reverse();

        // facet i lacks vertex i, and has the other facets as neighbours in the same order
        for i in 0..4 {
            let facet = self.facets.make();
            self.facets.append(facet);
            self.facets[facet].positive = i % 2 == 0;
            self.vertices.append(vertices[i]);
        }
        let facets: [u32; 4] = [1, 2, 3, 4];
        for i in 0..4 {
            for j in (0..4).filter(|&j| j != i) {
                self.facets[facets[i]].vertices.push(vertices[j]);
                self.facets[facets[i]].neighbors.push(facets[j]);
            }
        }
        self.facets.close();
        self.vertices.close();
        self.facets.cursor = self.facets.first;
        self.interior = self.centroid(&vertices);

        // orient all facets by the first one
        self.make_plane(facets[0]);
        self.facets.side_mut(facets[0]).flipped = false;
        if self.plane(facets[0]).distance(self.interior) > self.tol.round {
            for facet in facets {
                self.facets[facet].positive ^= true;
            }
            self.make_plane(facets[0]);
        }
        for facet in &facets[1..] {
            self.make_plane(*facet);
        }
        for facet in facets {
            self.facets.side_mut(facet).flipped = false;
            if self.plane(facet).distance(self.interior) > self.tol.round {
                for facet in facets {
                    self.facets.side_mut(facet).flipped = false;
                    self.facets[facet].positive ^= true;
                    if self.plane(facet).distance(self.interior) > 0.0 {
                        self.facets.side_mut(facet).plane.flip();
                    }
                }
                break;
            }
        }

        // every facet must be clearly below its opposite vertex and the interior
        let mut cosine = f64::MAX;
        for i in 0..4 {
            let plane = *self.plane(facets[i]);
            let lowest = -self.tol.round;
            if plane.distance(self.interior) >= lowest
                || plane.distance(self.corner(vertices[i])) >= lowest
            {
                return Err(flatness(self.points));
            }
            for j in (0..4).filter(|&j| j != i) {
                cosine = min(cosine, plane.cosine(self.plane(facets[j])));
            }
        }
        self.narrow = cosine < NARROW_COSINE;
        Ok(())
    }

    /// Computes the plane of a simplicial facet, and whether the facet is flipped.
    pub(super) fn make_plane(&mut self, facet: u32) {
        let vertices = &self.facets[facet].vertices;
        let corners = [0, 1, 2].map(|i| self.corner(vertices[i]));
        let positive = self.facets[facet].positive;
        let plane = Plane::through(corners, positive, self.interior, &self.tol);
        self.facets.side_mut(facet).plane = plane;
        self.facets[facet].has_plane = true;
        if plane.distance(self.interior) >= -self.tol.round {
            self.facets.side_mut(facet).flipped = true;
        }
    }

    /// Starts with the facet that has the furthest point of all.
    pub(super) fn start_at_furthest(&mut self) {
        self.facets.cursor = self.facets.first;
        let (mut best, mut furthest) = (None, f64::MIN);
        let mut facet = self.facets.first;
        while Facets::is_facet(facet) {
            if !self.facets[facet].outside.is_empty() && self.facets[facet].furthest > furthest {
                furthest = self.facets[facet].furthest;
                best = Some(facet);
            }
            facet = self.facets[facet].next;
        }
        if let Some(facet) = best {
            self.facets.bring_to_cursor(facet);
        }
    }
}

/// Tells how points fail to span space: by the line through the point furthest from the first one,
/// and the plane through the point furthest from that line.
fn flatness(points: &[[f64; 3]]) -> HullError {
    let sub = |a: [f64; 3], b: [f64; 3]| -> [f64; 3] { std::array::from_fn(|k| a[k] - b[k]) };
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let unit = |a: [f64; 3]| a.map(|x| x / dot(a, a).sqrt());
    let furthest = |from: &dyn Fn([f64; 3]) -> f64| {
        points
            .iter()
            .map(|&p| (p, from(p)))
            .fold((points[0], 0.0), |best, next| if next.1 > best.1 { next } else { best })
    };

    let width = Extremes::new(points).tolerance.width;
    let origin = points[0];
    let (end, length) = furthest(&|p| dot(sub(p, origin), sub(p, origin)).sqrt());
    if length == 0.0 {
        return HullError::Coincident;
    }
    let axis = unit(sub(end, origin));
    let from_axis = |p: [f64; 3]| cross(axis, sub(p, origin));
    let (side, radius) = furthest(&|p| dot(from_axis(p), from_axis(p)).sqrt());
    if radius <= 1e-12 * length {
        return HullError::Collinear { radius, width };
    }
    let normal = unit(from_axis(side));
    let heights = points.iter().map(|&p| dot(normal, sub(p, origin)));
    let (low, high) = heights.fold((0.0, 0.0), |(low, high), h| (min(low, h), max(high, h)));
    HullError::Flat { thickness: high - low, width }
}
