//! Meshes that the compiler makes from a few parameters.

use std::collections::HashMap;
use std::f64::consts::PI;

use sim_core::math::Vec3;

use super::mesh::{Fault, RawMesh};
use crate::pose::unit;
use crate::spec::BuiltinMesh;

/// Vertices at most.
const MAX_VERTICES: i64 = 1 << 21;

/// Makes a mesh, centred at the origin and of about unit size.
pub(crate) fn make(kind: BuiltinMesh, params: &[f64]) -> Result<RawMesh, Fault> {
    let expect = |names: &str| {
        let count = names.split(' ').count();
        if params.len() == count {
            return Ok(());
        }
        let have = params.len();
        let message = format!("params has {have} numbers, but this mesh takes {count}");
        Err(Fault::new(message).help(format!("they are: {}", names.replace('_', " "))))
    };
    let whole = |i: usize| params[i] as i32;
    match kind {
        BuiltinMesh::None => Ok(RawMesh::default()),
        BuiltinMesh::Sphere => {
            expect("subdivisions")?;
            let subdivisions = within("the number of subdivisions", whole(0), 0, 4)?;
            Ok(sphere(subdivisions))
        }
        BuiltinMesh::Hemisphere => {
            expect("resolution")?;
            Ok(hemisphere(within("the resolution", whole(0), 0, 10)? as usize))
        }
        BuiltinMesh::Supersphere => {
            expect("resolution e n")?;
            let res = within("the resolution", whole(0), 3, 1000)?;
            check(params[1] >= 0.0, "e must not be negative")?;
            check(params[2] >= 0.0, "n must not be negative")?;
            Ok(supersphere(res, params[1], params[2]))
        }
        BuiltinMesh::Supertorus => {
            expect("resolution radius s t")?;
            let res = within("the resolution", whole(0), 3, 1000)?;
            check(params[1] > 0.0 && params[1] <= 1.0, "the radius must be in (0, 1]")?;
            check(params[2] > 0.0, "s must be positive")?;
            check(params[3] > 0.0, "t must be positive")?;
            Ok(supertorus(res, params[1], params[2], params[3]))
        }
        BuiltinMesh::Wedge => {
            expect(
                "horizontal_resolution vertical_resolution horizontal_angle vertical_angle gamma",
            )?;
            check(
                params[2] > 0.0 && params[2] <= 180.0,
                "the horizontal angle must be in (0, 180]",
            )?;
            check(params[3] > 0.0 && params[3] <= 90.0, "the vertical angle must be in (0, 90]")?;
            check(params[4] >= 0.0 && params[4] <= 1.0, "gamma must be in [0, 1]")?;
            let size = grid(whole(0), whole(1))?;
            Ok(wedge(size, [params[2], params[3]], params[4]))
        }
        BuiltinMesh::Plate => {
            expect("horizontal_resolution vertical_resolution")?;
            Ok(plate(grid(whole(0), whole(1))?))
        }
        BuiltinMesh::Cone => {
            expect("edges radius")?;
            let edges = within("the number of edges", whole(0), 3, MAX_VERTICES as i32 / 2)?;
            Ok(cone(edges, params[1]))
        }
    }
}

fn check(good: bool, message: &str) -> Result<(), Fault> {
    if good { Ok(()) } else { Err(Fault::new(message)) }
}

fn within(what: &str, value: i32, low: i32, high: i32) -> Result<i32, Fault> {
    check((low..=high).contains(&value), &format!("{what} must be between {low} and {high}"))?;
    Ok(value)
}

/// Numbers of points of a grid.
fn grid(columns: i32, rows: i32) -> Result<[i32; 2], Fault> {
    check(columns > 0 && rows > 0, "resolutions must be positive")?;
    let count = i64::from(columns) * i64::from(rows);
    check(count <= MAX_VERTICES, &format!("{columns} by {rows} points are too many"))?;
    Ok([columns, rows])
}

/// An icosahedron whose faces are cut into four, again and again.
fn sphere(subdivisions: i32) -> RawMesh {
    let phi = ((1.0 + 5.0f64.sqrt()) / 2.0) as f32;
    #[rustfmt::skip]
    let mut vert = vec![
        -1.0, phi, 0.0,   1.0, phi, 0.0,   -1.0, -phi, 0.0,   1.0, -phi, 0.0,
        0.0, -1.0, phi,   0.0, 1.0, phi,   0.0, -1.0, -phi,   0.0, 1.0, -phi,
        phi, 0.0, -1.0,   phi, 0.0, 1.0,   -phi, 0.0, -1.0,   -phi, 0.0, 1.0f32,
    ];
    let norm = (1.0 + f64::from(phi * phi)).sqrt();
    vert.iter_mut().for_each(|x| *x = (f64::from(*x) / norm) as f32);
    #[rustfmt::skip]
    let mut face: Vec<[i32; 3]> = vec![
        [0, 11, 5], [0, 5, 1],   [0, 1, 7],   [0, 7, 10], [0, 10, 11],
        [1, 5, 9],  [5, 11, 4],  [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4],  [3, 4, 2],   [3, 2, 6],   [3, 6, 8],  [3, 8, 9],
        [4, 9, 5],  [2, 4, 11],  [6, 2, 10],  [8, 6, 7],  [9, 8, 1],
    ];
    for _ in 0..subdivisions {
        // each edge is halved once, and its middle lifted to the sphere
        let mut middles = HashMap::new();
        let mut middle = |a: i32, b: i32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                let (a, b) = (3 * a as usize, 3 * b as usize);
                let point: [f32; 3] = std::array::from_fn(|i| (vert[a + i] + vert[b + i]) / 2.0);
                let norm = (point[0] * point[0] + point[1] * point[1] + point[2] * point[2]).sqrt();
                vert.extend(point.map(|x| x / norm));
                (vert.len() / 3 - 1) as i32
            })
        };
        face = face
            .iter()
            .flat_map(|&[a, b, c]| {
                let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
            })
            .collect();
    }
    RawMesh { vert, face: face.into_flattened(), ..RawMesh::default() }
}

/// Half an octahedron with rows of vertices, lifted to the sphere, over a cap.
fn hemisphere(res: usize) -> RawMesh {
    const POLE: [f64; 3] = [0.0, 0.0, 1.0];
    const EQUATOR: [[f64; 3]; 4] =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let mut vert = vec![0.0, 0.0, 1.0];
    for row in 0..=res {
        for side in 0..4 {
            let factor = (row + 1) as f64 / (res + 1) as f64;
            let towards = |end: [f64; 3]| -> [f64; 3] {
                std::array::from_fn(|i| POLE[i] + factor * (end[i] - POLE[i]))
            };
            let (start, end) = (towards(EQUATOR[side]), towards(EQUATOR[(side + 1) % 4]));
            let step: [f64; 3] = std::array::from_fn(|i| (end[i] - start[i]) / (row + 1) as f64);
            for k in 0..=row {
                let p: [f64; 3] = std::array::from_fn(|i| start[i] + k as f64 * step[i]);
                let norm = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
                vert.extend(p.map(|x| (x / norm) as f32));
            }
        }
    }
    let centre = vert.len() / 3;
    vert.extend([0.0; 3]);

    let mut face = vec![[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 1]];
    for row in 0..res {
        // vertices of this row, and of the next
        let (first, count) = (2 * row * (row + 1) + 1, 4 * (row + 1));
        let (first_next, count_next) = (first + count, 4 * (row + 2));
        for side in 0..4 {
            for i in 0..row + 2 {
                let (here, next) = (i + (row + 1) * side, i + (row + 2) * side);
                let upper = |k: usize| first + (here + k) % count;
                let lower = |k: usize| first_next + (next + k) % count_next;
                face.push([upper(0), lower(0), lower(1)]);
                if i < row + 1 {
                    face.push([upper(0), lower(1), upper(1)]);
                }
            }
        }
    }
    let (first, count) = (2 * res * (res + 1) + 1, 4 * (res + 1));
    face.extend((0..count).map(|i| [first + i, centre, first + (i + 1) % count]));
    let face = face.into_flattened().into_iter().map(|v| v as i32).collect();
    RawMesh { vert, face, ..RawMesh::default() }
}

/// A power that keeps the sign: of a cosine.
fn cosine(angle: f64, power: f64) -> f64 {
    let cosine = libm::cos(angle);
    libm::pow(cosine.abs(), power).copysign(cosine)
}

/// A power that keeps the sign: of a sine.
fn sine(angle: f64, power: f64) -> f64 {
    let sine = libm::sin(angle);
    libm::pow(sine.abs(), power).copysign(sine)
}

/// A superellipsoid (Barr 1981) with exponents `e` along the equator and `n` towards the poles.
fn supersphere(res: i32, e: f64, n: f64) -> RawMesh {
    let mut vert = vec![0.0, 0.0, -1.0];
    for i in 1..res {
        let v = -PI / 2.0 + f64::from(i) * PI / f64::from(res);
        for j in 0..res {
            let u = -PI + f64::from(j) * 2.0 * PI / f64::from(res);
            let point = [cosine(v, n) * cosine(u, e), cosine(v, n) * sine(u, e), sine(v, n)];
            vert.extend(point.map(|x| x as f32));
        }
    }
    vert.extend([0.0, 0.0, 1.0]);

    let mut face: Vec<[i32; 3]> = (0..res).map(|j| [0, 1 + (j + 1) % res, 1 + j]).collect();
    for i in 0..res - 2 {
        for j in 0..res {
            let (low, high) = (1 + i * res, 1 + (i + 1) * res);
            let next = (j + 1) % res;
            face.push([low + j, low + next, high + j]);
            face.push([low + next, high + next, high + j]);
        }
    }
    let (pole, last) = ((res - 1) * res + 1, 1 + (res - 2) * res);
    face.extend((0..res).map(|j| [last + j, last + (j + 1) % res, pole]));
    RawMesh { vert, face: face.into_flattened(), ..RawMesh::default() }
}

/// A supertoroid (Barr 1981) with a tube of the given radius around a circle of radius 1.
fn supertorus(res: i32, radius: f64, s: f64, t: f64) -> RawMesh {
    let (mut vert, mut face) = (Vec::new(), Vec::new());
    for i in 0..res {
        for j in 0..res {
            let u = 2.0 * PI * f64::from(i) / f64::from(res);
            let v = 2.0 * PI * f64::from(j) / f64::from(res);
            let around = 1.0 + radius * cosine(v, s);
            let point = [around * cosine(u, t), around * sine(u, t), radius * sine(v, s)];
            vert.extend(point.map(|x| x as f32));

            let (next_i, next_j) = ((i + 1) % res, (j + 1) % res);
            let corner = |i: i32, j: i32| i * res + j;
            let across = [corner(next_i, j), corner(i, next_j)];
            face.extend([corner(i, j), across[0], across[1]]);
            face.extend([across[0], corner(next_i, next_j), across[1]]);
        }
    }
    RawMesh { vert, face, ..RawMesh::default() }
}

/// `count` numbers from −1 to 1 at equal distances, each the last one plus the distance.
fn spaced(count: i32) -> Vec<f64> {
    let step = if count > 1 { 2.0 / f64::from(count - 1) } else { 0.0 };
    let next = |at: &f64| Some(at + step);
    std::iter::successors(Some(-1.0), next).take(count as usize).collect()
}

/// Points on a sphere, in a field of view that is finer in the middle if `gamma` is not 0. Each
/// has three normals: outwards and along both angles. The faces are those of the convex hull.
fn wedge(size: [i32; 2], angles: [f64; 2], gamma: f64) -> RawMesh {
    let edges = |k: usize| -> Vec<f64> {
        let fovea = |x: f64| match gamma {
            0.0 => x,
            _ => gamma * libm::pow(x, 5.0) + (1.0 - gamma) * x,
        };
        let scale = angles[k] * PI / 180.0;
        spaced(size[k] + 1).into_iter().map(|x| fovea(x) * scale).collect()
    };
    let (azimuths, elevations) = (edges(0), edges(1));
    let (mut vert, mut normal) = (Vec::new(), Vec::new());
    for azimuth in azimuths.windows(2) {
        for elevation in elevations.windows(2) {
            let (sin_a, cos_a) = libm::sincos(0.5 * (azimuth[1] + azimuth[0]));
            let (sin_e, cos_e) = libm::sincos(0.5 * (elevation[1] + elevation[0]));
            vert.extend([cos_e * sin_a, sin_e, -cos_e * cos_a].map(|x| x as f32));
            let along_a = direction(Vec3::new(cos_e * cos_a, 0.0, cos_e * sin_a));
            let along_e = direction(Vec3::new(-sin_e * sin_a, cos_e, sin_e * cos_a));
            for axis in [along_e.cross(along_a), along_a, along_e] {
                normal.extend(axis.to_array().map(|x| x as f32));
            }
        }
    }
    RawMesh { vert, normal, ..RawMesh::default() }
}

fn direction(v: Vec3) -> Vec3 {
    unit(v).map_or(v, |(direction, _)| direction)
}

/// A square of points with three normals each: the axes.
fn plate([columns, rows]: [i32; 2]) -> RawMesh {
    let (dx, dy) = (2.0 / f64::from(columns), 2.0 / f64::from(rows));
    let (mut vert, mut normal, mut face) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..columns {
        for j in 0..rows {
            let x = -1.0 + (f64::from(i) + 0.5) * dx;
            let y = -1.0 + (f64::from(j) + 0.5) * dy;
            vert.extend([x as f32, y as f32, -1.0]);
            normal.extend([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            if i > 0 && j > 0 {
                let corner = |back: i32, down: i32| (i - back) * rows + j - down;
                face.extend([corner(1, 1), corner(0, 1), corner(1, 0)]);
                face.extend([corner(0, 0), corner(1, 0), corner(0, 1)]);
            }
        }
    }
    RawMesh { vert, normal, face, ..RawMesh::default() }
}

/// The corners of a pyramid, or of a frustum if the upper radius is not 0.
fn cone(edges: i32, radius: f64) -> RawMesh {
    let ring = |numbers: std::ops::Range<i32>, radius: f64, z: f32| {
        numbers.flat_map(move |i| {
            let angle = f64::from(2 * i) * PI / f64::from(edges);
            [(radius * libm::cos(angle)) as f32, (radius * libm::sin(angle)) as f32, z]
        })
    };
    let mut vert: Vec<f32> = ring(0..edges, 1.0, -1.0).collect();
    if radius > 0.0 {
        // the angles of the upper ring go on from those of the lower
        vert.extend(ring(edges..2 * edges, radius, 1.0));
    } else {
        vert.extend([0.0, 0.0, 1.0]);
    }
    RawMesh { vert, ..RawMesh::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vertices minus edges plus faces, if every edge has a face on both sides.
    fn euler(raw: &RawMesh) -> i64 {
        let mut edges = std::collections::HashSet::new();
        for &[a, b, c] in raw.face.as_chunks().0 {
            for edge in [(a, b), (b, c), (c, a)] {
                assert!(edges.insert(edge), "edge {edge:?} comes twice");
            }
        }
        assert!(edges.iter().all(|&(a, b)| edges.contains(&(b, a))), "the surface is open");
        (raw.vert.len() / 3) as i64 - (edges.len() / 2) as i64 + (raw.face.len() / 3) as i64
    }

    #[test]
    fn closed_surfaces_are_spheres_and_tori() {
        for params in [0.0, 1.0, 3.0] {
            assert_eq!(euler(&make(BuiltinMesh::Sphere, &[params]).unwrap()), 2);
            assert_eq!(euler(&make(BuiltinMesh::Hemisphere, &[params]).unwrap()), 2);
        }
        assert_eq!(euler(&make(BuiltinMesh::Supersphere, &[7.0, 0.5, 1.5]).unwrap()), 2);
        assert_eq!(euler(&make(BuiltinMesh::Supertorus, &[7.0, 0.3, 1.0, 2.0]).unwrap()), 0);
    }

    #[test]
    fn points_without_faces_have_as_many_normals_as_they_say() {
        let wedge = make(BuiltinMesh::Wedge, &[3.0, 4.0, 90.0, 45.0, 0.5]).unwrap();
        assert_eq!((wedge.vert.len(), wedge.normal.len(), wedge.face.len()), (36, 108, 0));
        assert_eq!(make(BuiltinMesh::Cone, &[5.0, 0.0]).unwrap().vert.len(), 18);
        assert_eq!(make(BuiltinMesh::Cone, &[5.0, 0.5]).unwrap().vert.len(), 30);
        let plate = make(BuiltinMesh::Plate, &[3.0, 2.0]).unwrap();
        assert_eq!((plate.vert.len(), plate.face.len()), (18, 12));
    }

    #[test]
    fn parameters_out_of_range_are_errors() {
        for (kind, params) in [
            (BuiltinMesh::Sphere, &[5.0][..]),
            (BuiltinMesh::Sphere, &[]),
            (BuiltinMesh::Hemisphere, &[11.0]),
            (BuiltinMesh::Supersphere, &[2.0, 1.0, 1.0]),
            (BuiltinMesh::Supersphere, &[1e9, 1.0, 1.0]),
            (BuiltinMesh::Supertorus, &[9.0, 1.5, 1.0, 1.0]),
            (BuiltinMesh::Wedge, &[1e9, 1e9, 90.0, 45.0, 0.0]),
            (BuiltinMesh::Plate, &[0.0, 3.0]),
            (BuiltinMesh::Cone, &[f64::NAN, 1.0]),
        ] {
            assert!(make(kind, params).is_err(), "{params:?}");
        }
    }
}
