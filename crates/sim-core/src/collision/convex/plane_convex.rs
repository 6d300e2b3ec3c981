use std::cell::Cell;

use super::super::{Hit, Hits};
use super::{Ccd, ConvexWork, search_slack};
use crate::geometry::{Form, Geom, Hint, Mesh, Solid, widen};
use crate::math::Vec3;

/// Most points of a mesh.
const MOST: usize = 3;

/// How far from the first point others must be, in units of the bounding radius.
const SPACING: f64 = 0.3;

/// Finds where a plane and an ellipsoid or mesh come closer than `margin`: the lowest point, and of
/// a mesh up to two neighbours that are close. MuJoCo: `mjc_PlaneConvex`.
pub(in super::super) fn plane_convex(
    a: &Geom,
    b: &Geom,
    margin: f64,
    ccd: &Ccd,
    work: &mut ConvexWork,
    out: &mut Hits,
) {
    let normal = a.mat.column(2);
    let point = |dist: f64, point: Vec3| {
        let pos = point + normal * (-0.5 * dist);
        Hit { dist, pos, normal, tangent: Vec3::ZERO }
    };
    let hint = Cell::new(Hint::NONE);
    let Some(solid) = Solid::new(b, 0.0, &hint) else { return };
    let Form::Mesh(mesh, _) = solid.form else {
        let lowest = solid.farthest(-normal);
        let dist = normal.dot(lowest - a.pos);
        if dist <= margin {
            out.push(point(dist, lowest));
        }
        return;
    };

    let geoms = [a.id, b.id];
    let slack = margin + search_slack(a, b, ccd);
    if work.separations.above(geoms, &solid, [normal, a.pos], slack) {
        return;
    }
    let down = b.mat.transpose_mul(-normal);
    let best = mesh.farthest(down, &hint);
    let lowest = b.world_point(mesh.vertex(best));
    let dist = normal.dot(lowest - a.pos);
    if dist > margin {
        work.separations.remember_above(geoms, normal, hint.get());
        return;
    }
    let first = point(dist, lowest);
    out.push(first);

    // vertices below the margin, seen from the centre of the geom
    let threshold = normal.dot(b.pos - a.pos) - margin;
    let mut count = 1;
    let mut consider = |vertex: [f32; 3]| {
        let vertex = widen(vertex);
        if down.dot(vertex) > threshold {
            let place = b.world_point(vertex);
            if (place - first.pos).norm() >= SPACING * b.rbound {
                out.push(point(normal.dot(place - a.pos), place));
                count += 1;
            }
        }
        count < MOST
    };
    candidates(&mesh, best, &hint, |vertex| consider(mesh.vertices[vertex]));
}

/// Calls `consider` with the neighbours of the lowest vertex in the hull, or, where there is no
/// hull, with all other vertices, until it returns false.
fn candidates(
    mesh: &Mesh,
    lowest: usize,
    hint: &Cell<Hint>,
    mut consider: impl FnMut(usize) -> bool,
) {
    match (&mesh.hull, hint.get().hull_vertex) {
        (Some(hull), Some(start)) => {
            let mut neighbours = hull.neighbours(start as usize);
            while neighbours.next().is_some_and(|other| consider(hull.ids[other] as usize)) {}
        }
        _ => {
            for vertex in (0..mesh.vertices.len()).filter(|&vertex| vertex != lowest) {
                if !consider(vertex) {
                    return;
                }
            }
        }
    }
}
