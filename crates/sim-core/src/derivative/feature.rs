//! How a contact moves with its geoms: distance, point and normal by the motion of the second geom
//! relative to the first.

use std::cell::Cell;

use crate::collision::{Second, second_of_capsule_box};
use crate::data::Contact;
use crate::geometry::{Hint, Mesh, widen};
use crate::math::{Mat3, Vec3};
use crate::model::GeomType;
use crate::smooth::{Moves, merged_chains};
use crate::{Data, Model};

/// How far a point may be from a feature of a geom and still count as on it, by the size of the geom.
const ON_FEATURE: f64 = 1e-5;

/// How far a witness point may be from the feature that it is on; beyond, the derivative belongs to
/// a geometry that the contact does not have.
const EXACT: f64 = 1e-7;

/// The most steps of Newton's method from a contact to the nearest points.
const MOST_STEPS: usize = 10;

/// Derivatives of a contact by the motion of its second geom relative to the first, as angular
/// velocity and velocity at the contact point. With the motion of the first geom everything rides
/// along.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slopes {
    pub(super) dist_rot: Vec3,
    pub(super) dist_lin: Vec3,
    pub(super) pos_rot: Mat3,
    pub(super) pos_lin: Mat3,
    pub(super) normal_rot: Mat3,
    pub(super) normal_lin: Mat3,
    /// The axis of the second geom that the first tangent follows; else an axis of the world.
    pub(super) hint: Option<Vec3>,
    /// The features could not be told, or the contact is not where they meet.
    pub(super) approximate: bool,
    /// How far the points are from other features.
    pub(super) room: f64,
}

impl Default for Slopes {
    fn default() -> Slopes {
        Slopes {
            dist_rot: Vec3::ZERO,
            dist_lin: Vec3::ZERO,
            pos_rot: Mat3::default(),
            pos_lin: Mat3::default(),
            normal_rot: Mat3::default(),
            normal_lin: Mat3::default(),
            hint: None,
            approximate: false,
            room: f64::INFINITY,
        }
    }
}

impl Slopes {
    pub(super) fn new(model: &Model, data: &Data, contact: &Contact) -> Slopes {
        let geoms = contact.geom.map(|geom| Solid::new(model, data, geom as usize));
        let slopes = match [geoms[0].kind, geoms[1].kind] {
            [GeomType::Plane, GeomType::Cylinder] => {
                plane_cylinder(&geoms[1], contact, || tilts(model, data, contact))
            }
            [GeomType::Plane, kind] => on_plane(kind, &geoms[1], contact),
            [GeomType::Box, GeomType::Box] => box_box(&geoms, contact),
            [GeomType::Capsule, GeomType::Box] => {
                let ids = contact.geom.map(|geom| geom as usize);
                second_of_capsule_box(model, data, ids)
                    .and_then(|second| beside_capsule(&geoms, contact, &second))
            }
            _ => None,
        };
        slopes.or_else(|| nearest(&geoms, contact)).unwrap_or_else(|| Slopes::riding(contact))
    }

    /// Point and normal in the mean of both motions.
    fn riding(contact: &Contact) -> Slopes {
        let normal = contact.frame.row(0);
        Slopes {
            dist_lin: normal,
            pos_lin: Mat3::IDENTITY * 0.5,
            normal_rot: Mat3::skew(normal) * -0.5,
            approximate: true,
            ..Slopes::default()
        }
    }

    /// Where a point of the second geom, `offset` from the contact, is the one that touches: the
    /// normal stays, and the contact is midway between the point and its foot along the normal.
    fn vertex(normal: Vec3, offset: Vec3) -> Slopes {
        Slopes::vertex_moving(normal, Mat3::skew(offset) * -1.0, Mat3::IDENTITY)
    }

    /// The same for a point with the given derivatives.
    fn vertex_moving(normal: Vec3, by_rot: Mat3, by_lin: Mat3) -> Slopes {
        let midway = Mat3::IDENTITY - Mat3::outer(normal, normal) * 0.5;
        Slopes {
            dist_rot: by_rot.transpose_mul(normal),
            dist_lin: by_lin.transpose_mul(normal),
            pos_rot: midway * by_rot,
            pos_lin: midway * by_lin,
            ..Slopes::default()
        }
    }
}

/// Whether the step meets two geoms exactly where their features are nearest. It meets other curved
/// surfaces by an iteration that stops before, and its differences are those of the iteration.
fn meets(solids: &[Solid; 2]) -> bool {
    use GeomType::{Box, Capsule, Cylinder, Mesh, Sphere};
    matches!(
        (solids[0].kind, solids[1].kind),
        (Sphere, Sphere | Capsule | Cylinder | Box)
            | (Capsule, Capsule | Box)
            | (Sphere | Capsule | Box | Mesh, Mesh)
    )
}

/// A geom with its pose.
struct Solid<'a> {
    kind: GeomType,
    pos: Vec3,
    mat: &'a Mat3,
    size: Vec3,
    mesh: Option<Mesh<'a>>,
}

impl<'a> Solid<'a> {
    fn new(model: &'a Model, data: &'a Data, geom: usize) -> Solid<'a> {
        let kind = GeomType::from_i32(model.geom_type[geom]).unwrap_or(GeomType::Sdf);
        let mesh = (kind == GeomType::Mesh).then(|| Mesh::new(model, geom)).flatten();
        Solid {
            kind,
            pos: data.geom_xpos[geom],
            mat: &data.geom_xmat[geom],
            size: model.geom_size[geom],
            mesh,
        }
    }

    fn local(&self, point: Vec3) -> Vec3 {
        self.mat.transpose_mul(point - self.pos)
    }
}

/// Contacts of a plane with what stands on it.
fn on_plane(kind: GeomType, solid: &Solid, contact: &Contact) -> Option<Slopes> {
    let normal = contact.frame.row(0);
    let half = normal * (0.5 * contact.dist);
    match kind {
        GeomType::Sphere => Some(Slopes::vertex(normal, half + normal * solid.size.x)),
        GeomType::Capsule => Some(Slopes {
            hint: Some(solid.mat.column(2)),
            ..Slopes::vertex(normal, half + normal * solid.size.x)
        }),
        GeomType::Box | GeomType::Mesh => Some(Slopes::vertex(normal, half)),
        GeomType::Ellipsoid => {
            // the support point −S² l / |S l| in the direction l of the normal
            let l = solid.mat.transpose_mul(normal);
            let (s, s2) = (solid.size, solid.size.scaled(solid.size));
            let length = s.scaled(l).norm();
            let point = s2.scaled(l) * (-1.0 / length);
            let slope =
                Mat3::diagonal(s2) * (-1.0 / length) + Mat3::outer(point, point) * (1.0 / length);
            // l changes by −Rᵀ (ω × n) = Rᵀ (n × ω)
            let sliding = *solid.mat * slope * solid.mat.transpose() * Mat3::skew(normal);
            let by_rot = Mat3::skew(half) * -1.0 + sliding;
            Some(Slopes::vertex_moving(normal, by_rot, Mat3::IDENTITY))
        }
        _ => None,
    }
}

/// Whether any joint turns the geoms of a contact against each other other than about the normal.
fn tilts(model: &Model, data: &Data, contact: &Contact) -> bool {
    let normal = contact.frame.row(0);
    let [first, second] = contact.geom.map(|geom| model.geom_bodyid[geom as usize] as usize);
    merged_chains(model, first, second)
        .any(|(dof, moves)| moves != Moves::Both && data.cdof[dof].rot.cross(normal).norm() > 1e-9)
}

/// Contacts of a plane with a cylinder: points of its rims that are found from how it leans, or that are
/// its own while it stands upright, which it leaves if it `tilts`.
fn plane_cylinder(solid: &Solid, contact: &Contact, tilts: impl Fn() -> bool) -> Option<Slopes> {
    let normal = contact.frame.row(0);
    let (radius, half) = (solid.size.x, solid.size.y);
    let mut axis = solid.mat.column(2);
    if normal.dot(axis) > 0.0 {
        axis = -axis;
    }
    let down = normal.dot(axis);
    let across = axis * down - normal;
    let length = across.norm();
    if length < 1e-9 {
        // flat on the plane: the points ride along
        let offset = normal * (0.5 * contact.dist);
        return Some(Slopes { approximate: tilts(), ..Slopes::vertex(normal, offset) });
    }
    let unit = across * (1.0 / length);
    let rim = unit * radius;
    // derivatives by the angular velocity, as matrices
    let axis_rot = Mat3::skew(axis) * -1.0;
    let down_rot = axis_rot.transpose_mul(normal);
    let across_rot = axis_rot * down + Mat3::outer(axis, down_rot);
    let unit_rot = (Mat3::IDENTITY - Mat3::outer(unit, unit)) * across_rot * (1.0 / length);
    let rim_rot = unit_rot * radius;
    // the rim and the axis are perpendicular
    let side_scale = radius * 3.0_f64.sqrt() / 2.0;
    let side = unit.cross(axis) * side_scale;
    let side_rot = (Mat3::skew(axis) * -1.0 * unit_rot + Mat3::skew(unit) * axis_rot) * side_scale;

    let point = contact.pos + normal * (0.5 * contact.dist) - solid.pos;
    let candidates = [
        (rim + axis * half, rim_rot + axis_rot * half),
        (rim - axis * half, rim_rot - axis_rot * half),
        (side + axis * half - rim * 0.5, side_rot + axis_rot * half - rim_rot * 0.5),
        (axis * half - side - rim * 0.5, axis_rot * half - side_rot - rim_rot * 0.5),
    ];
    let gap = |candidate: &(Vec3, Mat3)| (candidate.0 - point).norm();
    let (found, by_rot) =
        candidates.into_iter().min_by(|a, b| gap(a).total_cmp(&gap(b))).expect("there are four");
    if (found - point).norm() > ON_FEATURE * (radius + half) {
        return None;
    }
    // the centre moves with the angular velocity about the contact
    let centre_rot = Mat3::skew(solid.pos - contact.pos) * -1.0;
    Some(Slopes::vertex_moving(normal, centre_rot + by_rot, Mat3::IDENTITY))
}

/// Contacts of two boxes. The normal belongs to a face of either, or is perpendicular to an edge of
/// each; the two points of a contact lie on features of the boxes and opposite each other along the
/// normal:
/// ```text
/// p₁ + T₁ u + s n = p₂ + T₂ w
/// ```
/// None if the features do not determine the points.
fn box_box(boxes: &[Solid; 2], contact: &Contact) -> Option<Slopes> {
    let normal = contact.frame.row(0);
    let half = normal * (0.5 * contact.dist);
    let points = [contact.pos - half, contact.pos + half];
    let along = |i: usize| (0..3).find(|&k| boxes[i].mat.column(k).dot(normal).abs() > 1.0 - 1e-9);
    let across = |i: usize| (0..3).find(|&k| boxes[i].mat.column(k).dot(normal).abs() < 1e-9);
    let normal_rot = if along(0).is_some() {
        Mat3::default()
    } else if along(1).is_some() {
        Mat3::skew(normal) * -1.0
    } else {
        edges_normal(boxes[0].mat.column(across(0)?), boxes[1].mat.column(across(1)?), normal)
    };

    // the sides that either point is on, and the directions in which it may slide on them
    let tolerance = ON_FEATURE * boxes[0].size.max_element().max(boxes[1].size.max_element());
    let sides = [0, 1].map(|i| {
        let local = boxes[i].local(points[i]);
        [0, 1, 2].map(|k| (local[k].abs() - boxes[i].size[k]).abs() < tolerance)
    });
    let count = |i: usize| sides[i].into_iter().filter(|&on| on).count();
    let free = |i: usize| {
        let mut axes = [Vec3::ZERO; 2];
        let directions = (0..3).filter(|&k| !sides[i][k]).map(|k| boxes[i].mat.column(k));
        axes.iter_mut().zip(directions).for_each(|(axis, direction)| *axis = direction);
        axes
    };
    // the plane of a box that faces the other most
    let plane = |i: usize| {
        let steep = |k: usize| boxes[i].mat.column(k).dot(normal).abs();
        let facing = (0..3).filter(|&k| sides[i][k]).max_by(|&a, &b| steep(a).total_cmp(&steep(b)));
        facing.map(|facing| [1, 2].map(|k| boxes[i].mat.column((facing + k) % 3)))
    };
    let (first, second): ([Vec3; 2], [Vec3; 2]) = match (count(0), count(1)) {
        (_, 3) => (plane(0)?, [Vec3::ZERO; 2]),
        (3, _) => ([Vec3::ZERO; 2], plane(1)?),
        (2, 2) => (free(0), free(1)),
        _ => return None,
    };
    // three unknowns: two slides and the gap
    let slides = [(first, 1.0), (second, -1.0)];
    let mut columns = [(Vec3::ZERO, 0.0); 2];
    let found = slides.into_iter().flat_map(|(t, sign)| t.map(|t| (t, sign)));
    columns
        .iter_mut()
        .zip(found.filter(|(t, _)| *t != Vec3::ZERO))
        .for_each(|(column, found)| *column = found);

    let arm = points[1] - contact.pos;
    let moved = Mat3::skew(arm) * -1.0;
    let gap_turn = moved - normal_rot * contact.dist;
    let mut matrix = [[0.0; 4]; 4];
    let mut right = [[0.0; 6]; 4];
    for r in 0..3 {
        matrix[r][0] = columns[0].0[r] * columns[0].1;
        matrix[r][1] = columns[1].0[r] * columns[1].1;
        matrix[r][2] = normal[r];
        for k in 0..3 {
            right[r][k] = gap_turn[(r, k)];
        }
        right[r][3 + r] = 1.0;
    }
    if !eliminate(&mut matrix, &mut right, 3) {
        return None;
    }
    let part = |r: usize, at: usize| Vec3::new(right[r][at], right[r][at + 1], right[r][at + 2]);
    // the mean of both points: p₁ slides, p₂ moves along and slides
    let (mut pos_rot, mut pos_lin) = (moved * 0.5, Mat3::IDENTITY * 0.5);
    for (r, (t, _)) in columns.into_iter().enumerate() {
        pos_rot = pos_rot + Mat3::outer(t * 0.5, part(r, 0));
        pos_lin = pos_lin + Mat3::outer(t * 0.5, part(r, 3));
    }
    Some(Slopes {
        dist_rot: part(2, 0),
        dist_lin: part(2, 3),
        pos_rot,
        pos_lin,
        normal_rot,
        ..Slopes::default()
    })
}

/// The second contact of a capsule with a box: a ball at a point of the axis that follows from where
/// the first is, rather than from being nearest. None for the first contact.
fn beside_capsule(solids: &[Solid; 2], contact: &Contact, second: &Second) -> Option<Slopes> {
    let normal = contact.frame.row(0);
    let [capsule, cuboid] = solids;
    let (radius, half) = (capsule.size.x, capsule.size.y);
    let surface = contact.pos - normal * (0.5 * contact.dist);
    let z = capsule.local(surface - normal * radius).z;
    if (second.x * half - z).abs() > ON_FEATURE * half || second.is_first {
        return None;
    }
    let axis = capsule.mat.column(2);
    let a = Feature {
        point: capsule.pos + axis * z,
        count: 0,
        tangents: [Vec3::ZERO; 2],
        bends: [Vec3::ZERO; 3],
        flat: true,
        radius,
        error: 0.0,
        room: f64::INFINITY,
    };
    let b = Feature::new(cuboid, contact.pos + normal * (0.5 * contact.dist), -normal)?;
    let length = contact.dist + radius;
    let ball = nearest_of(contact.pos, normal, length, a, b)?;
    // the axis in the frame of the box, by the motion of the box: about its centre, then about the
    // contact
    let to_axis = capsule.pos - contact.pos;
    let mut moved = [Vec3::ZERO; 2];
    for k in 0..3 {
        let unit = [Vec3::X, Vec3::Y, Vec3::Z][k];
        let turned = |v: Vec3| cuboid.mat.transpose_mul(v);
        let by_rot = second.slope(turned(-unit.cross(to_axis)), turned(-unit.cross(axis)) * half);
        let by_lin = second.slope(turned(-unit), Vec3::ZERO);
        (moved[0][k], moved[1][k]) = (by_rot * half, by_lin * half);
    }
    let [by_rot, by_lin] = moved.map(|by| Mat3::outer(axis, by));
    // relative to the ball, which moves along the axis
    let still = Mat3::IDENTITY - by_lin;
    Some(Slopes {
        dist_rot: ball.dist_rot - by_rot.transpose_mul(ball.dist_lin),
        dist_lin: still.transpose_mul(ball.dist_lin),
        pos_rot: ball.pos_rot - ball.pos_lin * by_rot + by_rot,
        pos_lin: ball.pos_lin * still + by_lin,
        normal_rot: ball.normal_rot - ball.normal_lin * by_rot,
        normal_lin: ball.normal_lin * still,
        ..ball
    })
}

/// How the unit vector perpendicular to two edges changes when the second turns.
fn edges_normal(first: Vec3, second: Vec3, normal: Vec3) -> Mat3 {
    let product = first.cross(second);
    let sign = 1.0_f64.copysign(product.dot(normal));
    let across = (Mat3::IDENTITY - Mat3::outer(normal, normal)) * (sign / product.norm());
    across * Mat3::skew(first) * (Mat3::skew(second) * -1.0)
}

/// The part of a surface that a nearest point lies on, around which the geom is inflated.
#[derive(Clone)]
struct Feature {
    /// The point, and how many directions it may slide in.
    point: Vec3,
    count: usize,
    tangents: [Vec3; 2],
    /// Second derivatives of the surface, by pairs of directions: (0, 0), (0, 1), (1, 1).
    bends: [Vec3; 3],
    flat: bool,
    radius: f64,
    /// How far the given point is from the feature.
    error: f64,
    /// How far it is from other features.
    room: f64,
}

impl Feature {
    /// The feature of a geom at a point of its surface, with the outward normal there.
    fn new(solid: &Solid, surface: Vec3, outward: Vec3) -> Option<Feature> {
        let size = solid.size;
        let world = |v: Vec3| *solid.mat * v;
        let make = |local: Vec3, directions: &[Vec3], radius: f64, core: Vec3| Feature {
            point: solid.pos + world(local),
            count: directions.len(),
            tangents: [0, 1].map(|i| directions.get(i).map_or(Vec3::ZERO, |&d| world(d))),
            bends: [Vec3::ZERO; 3],
            flat: true,
            radius,
            error: (core - local).norm(),
            room: f64::INFINITY,
        };
        match solid.kind {
            GeomType::Sphere => {
                let core = solid.local(surface - outward * size.x);
                Some(make(Vec3::ZERO, &[], size.x, core))
            }
            GeomType::Capsule => {
                let core = solid.local(surface - outward * size.x);
                let z = core.z.clamp(-size.y, size.y);
                let at_end = core.z.abs() > size.y - ON_FEATURE * size.y;
                let directions: &[Vec3] = if at_end { &[] } else { &[Vec3::Z] };
                let room = if at_end { f64::INFINITY } else { size.y - core.z.abs() };
                Some(Feature { room, ..make(Vec3::new(0.0, 0.0, z), directions, size.x, core) })
            }
            GeomType::Box => {
                let core = solid.local(surface);
                let tolerance = ON_FEATURE * size.max_element();
                let mut local = core;
                let mut directions = [Vec3::ZERO; 3];
                let (mut count, mut room) = (0, f64::INFINITY);
                for i in 0..3 {
                    if (core[i].abs() - size[i]).abs() < tolerance {
                        local[i] = size[i].copysign(core[i]);
                    } else {
                        directions[count] = [Vec3::X, Vec3::Y, Vec3::Z][i];
                        count += 1;
                        room = room.min((size[i] - core[i].abs()).abs());
                    }
                }
                (count < 3)
                    .then(|| Feature { room, ..make(local, &directions[..count], 0.0, core) })
            }
            GeomType::Cylinder => {
                let core = solid.local(surface);
                let (radius, half) = (size.x, size.y);
                let away = (core.x * core.x + core.y * core.y).sqrt();
                let tolerance = ON_FEATURE * (radius + half);
                let on_cap = (core.z.abs() - half).abs() < tolerance;
                let on_side = (away - radius).abs() < tolerance;
                let up = half.copysign(core.z);
                let out = Vec3::new(core.x, core.y, 0.0) * (1.0 / away.max(1e-12));
                let around = Vec3::new(-out.y, out.x, 0.0);
                let bend = world(out) * -radius;
                match (on_cap, on_side) {
                    (true, true) => Some(Feature {
                        bends: [bend, Vec3::ZERO, Vec3::ZERO],
                        flat: false,
                        ..make(out * radius + Vec3::Z * up, &[around * radius], 0.0, core)
                    }),
                    (true, false) => {
                        Some(make(Vec3::new(core.x, core.y, up), &[Vec3::X, Vec3::Y], 0.0, core))
                    }
                    (false, true) => Some(Feature {
                        bends: [bend, Vec3::ZERO, Vec3::ZERO],
                        flat: false,
                        ..make(
                            out * radius + Vec3::Z * core.z,
                            &[around * radius, Vec3::Z],
                            0.0,
                            core,
                        )
                    }),
                    (false, false) => None,
                }
            }
            GeomType::Ellipsoid => {
                // the surface S w / |w| about a unit vector w
                let core = solid.local(surface);
                let scaled = Vec3::new(core.x / size.x, core.y / size.y, core.z / size.z);
                let (unit, _) = scaled.normalized();
                let axis = if unit.x.abs() < 0.5 { Vec3::X } else { Vec3::Y };
                let first = unit.cross(axis).normalized().0;
                let second = unit.cross(first);
                let bend = world(unit.scaled(size)) * -1.0;
                let directions = [first.scaled(size), second.scaled(size)];
                Some(Feature {
                    bends: [bend, Vec3::ZERO, bend],
                    flat: false,
                    ..make(unit.scaled(size), &directions, 0.0, core)
                })
            }
            GeomType::Mesh => Feature::of_mesh(solid, surface, outward),
            _ => None,
        }
    }

    /// The vertex, edge or face of a mesh that is furthest along the normal.
    fn of_mesh(solid: &Solid, surface: Vec3, outward: Vec3) -> Option<Feature> {
        let mesh = solid.mesh.as_ref()?;
        let direction = solid.mat.transpose_mul(outward);
        let hint = Cell::new(Hint::NONE);
        let top = mesh.vertex(mesh.farthest(direction, &hint));
        let tolerance = ON_FEATURE * solid.size.max_element().max(top.norm());
        let lowest = top.dot(direction) - 1e-2 * tolerance;
        // directions to others as high that are not parallel; on a hull, neighbours span its faces
        let mut count = 0;
        let mut tangents = [Vec3::ZERO; 2];
        let mut consider = |other: Vec3| {
            if count < 2 && other.dot(direction) > lowest {
                let side = other - top;
                let across = side - tangents[0] * side.dot(tangents[0]);
                if across.norm() > tolerance {
                    tangents[count] = across.normalized().0;
                    count += 1;
                }
            }
        };
        match (&mesh.hull, hint.get().hull_vertex) {
            (Some(hull), Some(start)) => hull
                .neighbours(start as usize)
                .for_each(|other| consider(mesh.vertex(hull.ids[other] as usize))),
            _ => mesh.vertices.iter().for_each(|&vertex| consider(widen(vertex))),
        }
        let core = solid.local(surface);
        // on the feature, as near to the given point as it goes
        let mut local = top;
        for tangent in &tangents[..count] {
            local += *tangent * (core - top).dot(*tangent);
        }
        Some(Feature {
            point: solid.pos + *solid.mat * local,
            count,
            tangents: tangents.map(|tangent| *solid.mat * tangent),
            bends: [Vec3::ZERO; 3],
            flat: true,
            radius: 0.0,
            error: (core - local).norm(),
            room: f64::INFINITY,
        })
    }

    /// `g` times the second derivatives, as a symmetric matrix of two rows.
    fn curvature(&self, g: Vec3) -> [[f64; 2]; 2] {
        let [a, b, c] = self.bends.map(|bend| bend.dot(g));
        [[a, b], [b, c]]
    }
}

/// The nearest points of two features, from the conditions that their difference is perpendicular
/// to both surfaces. None if these do not determine them.
fn nearest(solids: &[Solid; 2], contact: &Contact) -> Option<Slopes> {
    let normal = contact.frame.row(0);
    let half = normal * (0.5 * contact.dist);
    let witnesses = [contact.pos - half, contact.pos + half];
    let a = Feature::new(&solids[0], witnesses[0], normal)?;
    let b = Feature::new(&solids[1], witnesses[1], -normal)?;
    let length = contact.dist + a.radius + b.radius;
    if a.flat && b.flat {
        let slopes = nearest_of(contact.pos, normal, length, a, b)?;
        return Some(Slopes { approximate: slopes.approximate || !meets(solids), ..slopes });
    }
    let Some((normal, a, b)) = polish(solids, normal, a.clone(), b.clone()) else {
        let slopes = nearest_of(contact.pos, normal, length, a, b)?;
        return Some(Slopes { approximate: true, ..slopes });
    };
    let apart = |feature: &Feature, sign: f64, witness: Vec3| {
        (feature.point + normal * (sign * feature.radius) - witness).norm()
    };
    let error = apart(&a, 1.0, witnesses[0]).max(apart(&b, -1.0, witnesses[1]));
    let length = normal.dot(b.point - a.point);
    let slopes = nearest_of(contact.pos, normal, length, a, b)?;
    Some(Slopes { approximate: error > EXACT || !meets(solids), ..slopes })
}

/// Moves the points of two features to where they are nearest, by Newton's method. Returns the normal there too. None if that goes elsewhere.
fn polish(
    solids: &[Solid; 2],
    normal: Vec3,
    a: Feature,
    b: Feature,
) -> Option<(Vec3, Feature, Feature)> {
    let (mut normal, mut a, mut b) = (normal, a, b);
    let start = [a.point, b.point];
    let size = solids[0].size.max_element().max(solids[1].size.max_element());
    for _ in 0..MOST_STEPS {
        let gap = b.point - a.point;
        let (mut matrix, n) = conditions(&a, &b, gap);
        let mut right = [[0.0; 6]; 4];
        for i in 0..n {
            right[i][0] = if i < a.count {
                a.tangents[i].dot(gap)
            } else {
                -b.tangents[i - a.count].dot(gap)
            };
        }
        if !eliminate(&mut matrix, &mut right, n) {
            return None;
        }
        let slide = |feature: &Feature, first: usize| -> Vec3 {
            (0..feature.count).map(|i| feature.tangents[i] * right[first + i][0]).sum()
        };
        let steps = [slide(&a, 0), slide(&b, a.count)];
        let points = [a.point + steps[0], b.point + steps[1]];
        let (axis, length) = (points[1] - points[0]).normalized();
        if length < 1e-9 * size {
            return None;
        }
        normal = axis * 1.0_f64.copysign(axis.dot(normal));
        let counts = [a.count, b.count];
        a = Feature::new(&solids[0], points[0] + normal * a.radius, normal)?;
        b = Feature::new(&solids[1], points[1] - normal * b.radius, -normal)?;
        let far = (a.point - start[0]).norm().max((b.point - start[1]).norm());
        if [a.count, b.count] != counts || far.is_nan() || far > 0.1 * size {
            return None;
        }
        if steps[0].norm().max(steps[1].norm()) < 1e-12 * size {
            break;
        }
    }
    Some((normal, a, b))
}

/// The derivatives by the parameters of both features of the conditions of nearest points, with the
/// difference `g` of the points:
/// ```text
/// [T1ᵀT1 − K1, −T1ᵀT2; −T2ᵀT1, T2ᵀT2 + K2]
/// ```
fn conditions(a: &Feature, b: &Feature, g: Vec3) -> ([[f64; 4]; 4], usize) {
    let n = a.count + b.count;
    let tangent = |i: usize| if i < a.count { a.tangents[i] } else { b.tangents[i - a.count] };
    let (bend_a, bend_b) = (a.curvature(g), b.curvature(g));
    let mut matrix = [[0.0; 4]; 4];
    for i in 0..n {
        for j in 0..n {
            let product = tangent(i).dot(tangent(j));
            matrix[i][j] = match (i < a.count, j < a.count) {
                (true, true) => product - bend_a[i][j],
                (false, false) => product + bend_b[i - a.count][j - a.count],
                _ => -product,
            };
        }
    }
    (matrix, n)
}

/// How the nearest points of two features, `length` apart along the normal, move by the motion about the
/// point `center`.
fn nearest_of(center: Vec3, normal: Vec3, length: f64, a: Feature, b: Feature) -> Option<Slopes> {
    let g = normal * length;
    let (mut matrix, n) = conditions(&a, &b, g);
    let tangent = |i: usize| if i < a.count { a.tangents[i] } else { b.tangents[i - a.count] };
    // right-hand sides by the angular velocity about the contact and the velocity
    let arm = b.point - center;
    let mut right = [[0.0; 6]; 4];
    for i in 0..n {
        let t = tangent(i);
        // t · (v + ω × arm)
        let (by_rot, by_lin) = (arm.cross(t), t);
        let (by_rot, by_lin) = if i < a.count {
            (by_rot, by_lin)
        } else {
            // (ω × t) · g = ω · (t × g)
            (-by_rot - t.cross(g), -by_lin)
        };
        for k in 0..3 {
            right[i][k] = by_rot[k];
            right[i][3 + k] = by_lin[k];
        }
    }
    // two faces, or an edge along a face, touch in more than a point
    if n > 2 && a.flat && b.flat || !eliminate(&mut matrix, &mut right, n) {
        return None;
    }

    let mut by = [[Mat3::default(); 2]; 2]; // of the two points, by rotation and translation
    by[1] = [Mat3::skew(arm) * -1.0, Mat3::IDENTITY];
    for i in 0..n {
        let t = tangent(i);
        let [rot, lin] = [0, 3].map(|k| Vec3::new(right[i][k], right[i][k + 1], right[i][k + 2]));
        let side = usize::from(i >= a.count);
        by[side][0] = by[side][0] + Mat3::outer(t, rot);
        by[side][1] = by[side][1] + Mat3::outer(t, lin);
    }
    let [gap_rot, gap_lin] = [0, 1].map(|k| by[1][k] - by[0][k]);
    // the normal: of a face it rides with, or along the gap
    let (normal_rot, normal_lin) = if a.count == 2 && a.flat {
        (Mat3::default(), Mat3::default())
    } else if b.count == 2 && b.flat {
        (Mat3::skew(normal) * -1.0, Mat3::default())
    } else if a.count == 1 && b.count == 1 && a.flat && b.flat {
        (edges_normal(a.tangents[0], b.tangents[0], normal), Mat3::default())
    } else {
        if length.abs() < 1e-9 {
            return None;
        }
        let across = (Mat3::IDENTITY - Mat3::outer(normal, normal)) * (1.0 / length);
        (across * gap_rot, across * gap_lin)
    };
    let shift = 0.5 * (a.radius - b.radius);
    let limit = EXACT * (1.0 + length.abs());
    Some(Slopes {
        dist_rot: gap_rot.transpose_mul(normal),
        dist_lin: gap_lin.transpose_mul(normal),
        pos_rot: (by[0][0] + by[1][0]) * 0.5 + normal_rot * shift,
        pos_lin: (by[0][1] + by[1][1]) * 0.5 + normal_lin * shift,
        normal_rot,
        normal_lin,
        hint: None,
        approximate: a.error > limit || b.error > limit,
        room: a.room.min(b.room),
    })
}

/// Solves a small system by Gauss elimination with row pivoting; false if it is singular.
fn eliminate(matrix: &mut [[f64; 4]; 4], right: &mut [[f64; 6]; 4], n: usize) -> bool {
    let scale = (0..n).map(|i| matrix[i][i].abs()).fold(0.0, f64::max);
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| matrix[i][k].abs().total_cmp(&matrix[j][k].abs()));
        let pivot = pivot.unwrap_or(k);
        if matrix[pivot][k].abs() <= 1e-9 * scale {
            return false;
        }
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        for i in (0..n).filter(|&i| i != k) {
            let factor = matrix[i][k] / matrix[k][k];
            for j in k..n {
                matrix[i][j] -= factor * matrix[k][j];
            }
            for j in 0..6 {
                right[i][j] -= factor * right[k][j];
            }
        }
    }
    for k in 0..n {
        let inverse = 1.0 / matrix[k][k];
        right[k].iter_mut().for_each(|x| *x *= inverse);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_systems_are_solved() {
        let entries = [[2.0, 1.0, 0.5], [0.3, 0.0, 1.0], [1.0, 4.0, -1.0]];
        let mut matrix = [[0.0; 4]; 4];
        let mut right = [[0.0; 6]; 4];
        for i in 0..3 {
            matrix[i][..3].copy_from_slice(&entries[i]);
            right[i][i] = 1.0;
        }
        assert!(eliminate(&mut matrix, &mut right, 3));
        for i in 0..3 {
            for k in 0..3 {
                let sum: f64 = (0..3).map(|j| entries[i][j] * right[j][k]).sum();
                assert!((sum - f64::from(u8::from(i == k))).abs() < 1e-14);
            }
        }
        let mut singular = [[1.0; 4]; 4];
        assert!(!eliminate(&mut singular, &mut right, 2));
    }
}
