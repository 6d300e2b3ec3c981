//! Rays against height fields.

use super::ray::{Crossing, Ray, box_crossings, cuboid, to_frame};
use super::ray_mesh::View;
use super::{Geom, Hfield, Shape};
use crate::math::Vec3;

/// Relative slack of heights, far above rounding.
const SLACK: f64 = 1e-9;

/// The first of: the box below the terrain, its triangles, and the walls from the box up to it.
/// The triangles share the diagonal from the first to the last corner of their cell.
pub(super) fn hfield(geom: &Geom<'_>, field: &Hfield<'_>, ray: &Ray) -> Option<Crossing> {
    let [x, y, top, bottom] = field.size;
    let part = |offset: f64, height: f64| Geom {
        shape: Shape::Box,
        size: Vec3::new(x, y, height),
        pos: geom.pos + geom.mat.column(2) * offset,
        ..*geom
    };
    let mut best = cuboid(&part(-bottom * 0.5, bottom * 0.5), ray);
    let walls = box_crossings(&part(top * 0.5, top * 0.5), ray);
    let Some(first) = walls.iter().flatten().copied().reduce(f64::min) else { return best };

    let ray = to_frame(geom, ray);
    terrain(field, &ray, &walls, first, &mut best);

    // the walls: two across x, two across y
    let [dx, dy] = field.steps();
    for (i, distance) in walls.into_iter().take(4).enumerate() {
        let Some(distance) = distance else { continue };
        if best.is_some_and(|best| distance >= best.distance) {
            continue;
        }
        let p = ray.at(distance);
        let height = p.z / top;
        let (axis, last) = (i / 2, i % 2 == 1);
        let (along, count) =
            if axis == 0 { ((p.y + y) / dy, field.nrow) } else { ((p.x + x) / dx, field.ncol) };
        let cell = along.floor().min(count as f64 - 2.0).max(0.0);
        let value = |k: f64| {
            let k = (cell + k) as usize;
            let (row, col) = match (axis, last) {
                (0, false) => (k, 0),
                (0, true) => (k, field.ncol - 1),
                (_, false) => (0, k),
                (_, true) => (field.nrow - 1, k),
            };
            // a field of a single row or column has no wall there
            if row < field.nrow && col < field.ncol { field.value(row, col) } else { f64::NAN }
        };
        if height < value(0.0) * (cell + 1.0 - along) + value(1.0) * (along - cell) {
            best = Some(Crossing::face(distance, axis, if last { 1.0 } else { -1.0 }));
        }
    }
    best
}

/// Tries the triangles of the cells below the part of the ray that is inside the upper box, with a
/// cell around them.
fn terrain(
    field: &Hfield<'_>,
    ray: &Ray,
    walls: &[Option<f64>; 6],
    first: f64,
    best: &mut Option<Crossing>,
) {
    let mut segment = [0.0, first];
    for &distance in walls.iter().flatten() {
        if distance > segment[1] {
            segment = [first, distance];
        }
    }
    let [dx, dy] = field.steps();
    let [x, y, top, _] = field.size;
    let cells = |axis: usize, size: f64, step: f64, count: usize| {
        let [a, b] = segment.map(|s| (ray.origin[axis] + s * ray.direction[axis] + size) / step);
        // conversions saturate, and what is not a number becomes zero
        let low = (a.min(b).floor() as i64).saturating_sub(1).max(0);
        let high = (a.max(b).ceil() as i64).saturating_add(1).min(count as i64 - 1);
        low as usize..high.max(0) as usize
    };
    let columns = cells(0, x, dx, field.ncol);
    let view = View::new(*ray);
    for row in cells(1, y, dy, field.nrow) {
        // only cells that the ray passes above, below or through; with a cell and rounding to spare
        let edges = [row as f64 - 1.0, row as f64 + 2.0].map(|edge| dy * edge - y);
        let times = edges.map(|edge| (edge - ray.origin.y) / ray.direction.y);
        let [from, to] = times.map(|time| ray.at(time));
        // a ray along the row has no such times
        let crosses = [from, to].iter().all(|p| p.x.is_finite() && p.z.is_finite());
        let within = if crosses {
            let [a, b] = [from, to].map(|point| (point.x + x) / dx);
            let low = (a.min(b).floor() as i64).saturating_sub(1).max(columns.start as i64);
            let high = (a.max(b).ceil() as i64).saturating_add(1).min(columns.end as i64);
            low as usize..high.max(0) as usize
        } else {
            columns.clone()
        };
        let slack = SLACK * (from.z.abs() + to.z.abs() + top);
        let (lowest, highest) = (from.z.min(to.z) - slack, from.z.max(to.z) + slack);
        for col in within {
            let corners = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
            let heights = corners.map(|(row, col)| field.value(row, col) * top);
            let passes = heights.iter().all(|&height| height < lowest)
                || heights.iter().all(|&height| height > highest);
            if crosses && passes {
                continue;
            }
            let start = field.point(row, col);
            let end = field.point(row + 1, col + 1);
            for triangle in
                [[start, field.point(row, col + 1), end], [start, end, field.point(row + 1, col)]]
            {
                if let Some((distance, normal)) = view.triangle(triangle)
                    && distance >= 0.0
                {
                    Crossing::triangle(distance, normal).improve(best);
                }
            }
        }
    }
}
