//! Volume, centre of mass and principal axes of a mesh.

use sim_core::math::{Mat3, Quat, Vec3};
use sim_core::model::MeshInertia;

use super::block::{Corners, LANES, Lane, Triangles, blocks, get, vectors};
use super::{Fault, MINVAL};
use crate::eigen::eig3;

/// Principal frame of a mesh, and what its mass is made of.
pub(super) struct Principal {
    pub pos: Vec3,
    pub quat: Quat,
    /// Half sizes of the box with the same inertia.
    pub inertia_box: Vec3,
    /// Volume, or area of a shell.
    pub volume: f64,
}

/// Computes the principal frame from the faces, or from those of the hull (`weighed`).
///
/// The body is the sum of tetrahedra (or, of a shell, triangles) between the faces and the
/// centroid of the surface. `Legacy` counts all as positive, whichever way the faces turn.
pub(super) fn principal(
    vert: &[Vec3],
    face: &[[i32; 3]],
    weighed: &[[i32; 3]],
    mode: MeshInertia,
) -> Result<Principal, Fault> {
    let (centroid, area) = centroid(vert, face);
    let small = || {
        let message = format!("its surface is too small: {area:e} m²");
        Err(Fault::new(message).help("is the scale right?"))
    };
    if area < MINVAL {
        return small();
    }

    let pos = if mode == MeshInertia::Shell {
        let (pos, area) = shell_centre(vert, face, centroid);
        if area < MINVAL {
            return small();
        }
        pos
    } else {
        let (pos, volume) = solid_centre(vert, weighed, centroid, mode);
        if volume < 0.0 {
            let message = format!("its volume is negative ({volume:e} m³): faces point inwards");
            return Err(Fault::new(message).help(
                "turn the faces around, or set inertia=\"legacy\"; a scale with a negative \
                 product turns the faces of inline meshes and of convex hulls",
            ));
        }
        if volume < MINVAL {
            let message = format!("its volume is too small: {volume:e} m³");
            return Err(Fault::new(message).help("set inertia=\"shell\", or check the scale"));
        }
        pos
    };

    let (moments, volume) = moments(vert, weighed, pos, mode);
    let (values, quat) = eig3(&moments);
    let [a, b, c] = values.to_array();
    if !(a + b + c).is_finite() {
        return Err(Fault::new("its inertia is not finite").help("is the scale right?"));
    }
    if c <= 0.0 {
        let message = format!("a principal moment of its inertia is not positive: {c:e}");
        return Err(Fault::new(message).help("are the faces closed, and do they point outwards?"));
    }
    let exceeds = |large: f64, sum: f64| sum < large * (1.0 - 1e-6) - 1e-9;
    if exceeds(c, a + b) || exceeds(b, a + c) || exceeds(a, b + c) {
        let message = format!("no body has the principal moments {a:e}, {b:e} and {c:e}");
        return Err(Fault::new(message).help("are the faces closed, and do they point outwards?"));
    }
    let half = |sum: f64| 0.5 * (6.0 * sum / volume).sqrt();
    let inertia_box = Vec3::new(half(b + c - a), half(a + c - b), half(a + b - c));
    Ok(Principal { pos, quat, inertia_box, volume })
}

/// Computes the centroid and the area of the surface.
fn centroid(vert: &[Vec3], face: &[[i32; 3]]) -> (Vec3, f64) {
    weighted_mean(vert, face, |triangles, lane| {
        let area = triangles.area[lane];
        (get(&triangles.centre, lane) * area, area)
    })
}

/// Computes the mean of points that belong to triangles, and the sum of their weights. `share` gives
/// the point times its weight, and the weight.
#[inline]
fn weighted_mean(
    vert: &[Vec3],
    face: &[[i32; 3]],
    share: impl Fn(&Triangles, usize) -> (Vec3, f64),
) -> (Vec3, f64) {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    blocks(vert, face.iter().copied(), |block, corners| {
        let triangles = Triangles::new(corners);
        let shares = vectors(|lane| share(&triangles, lane).0);
        let weights: Lane = std::array::from_fn(|lane| share(&triangles, lane).1);
        for lane in 0..block.len() {
            sum += get(&shares, lane);
            total += weights[lane];
        }
    });
    (if total >= MINVAL { sum / total } else { sum }, total)
}

/// Where a pyramid from `apex` to a triangle has its centre of mass.
#[inline]
fn pyramid(centre: Vec3, apex: Vec3) -> Vec3 {
    centre * 3.0 / 4.0 + apex / 4.0
}

/// Computes the centre and the area of a shell. Its pieces weigh as much as triangles but lie where
/// pyramids do, as in the reference.
fn shell_centre(vert: &[Vec3], face: &[[i32; 3]], apex: Vec3) -> (Vec3, f64) {
    weighted_mean(vert, face, |triangles, lane| {
        let area = triangles.area[lane];
        (pyramid(get(&triangles.centre, lane), apex) * area, area)
    })
}

/// Computes the centre of mass and the volume of a solid.
fn solid_centre(vert: &[Vec3], face: &[[i32; 3]], apex: Vec3, mode: MeshInertia) -> (Vec3, f64) {
    let legacy = mode == MeshInertia::Legacy;
    weighted_mean(vert, face, |triangles, lane| {
        let (centre, normal) = (get(&triangles.centre, lane), get(&triangles.normal, lane));
        let volume = (centre - apex).dot(normal) * triangles.area[lane] / 3.0;
        let volume = if legacy { volume.abs() } else { volume };
        (pyramid(centre, apex) * volume, volume)
    })
}

/// Computes the inertia about `origin` at unit density, and the volume. The second moments of a
/// tetrahedron with corners 0, d, e, f are
/// `V / 20 (2 (d dᵀ + e eᵀ + f fᵀ) + d eᵀ + e dᵀ + d fᵀ + f dᵀ + e fᵀ + f eᵀ)`.
fn moments(vert: &[Vec3], face: &[[i32; 3]], origin: Vec3, mode: MeshInertia) -> (Mat3, f64) {
    const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
    let shell = mode == MeshInertia::Shell;
    let legacy = mode == MeshInertia::Legacy;
    let share = if shell { 12.0 } else { 20.0 };
    let (mut products, mut total) = ([0.0; 6], 0.0);
    blocks(vert, face.iter().copied(), |block, corners| {
        let relative = |corner| vectors(|lane| get(corner, lane) - origin);
        let corners =
            Corners { a: relative(&corners.a), b: relative(&corners.b), c: relative(&corners.c) };
        let triangles = Triangles::new(&corners);
        let mut volume: Lane = [0.0; LANES];
        for lane in 0..LANES {
            let (centre, normal) = (get(&triangles.centre, lane), get(&triangles.normal, lane));
            let signed = centre.dot(normal) * triangles.area[lane] / 3.0;
            let solid = if legacy { signed.abs() } else { signed };
            volume[lane] = if shell { triangles.area[lane] } else { solid };
        }
        let Corners { a: d, b: e, c: f } = &corners;
        let mut shares = [[0.0; LANES]; 6];
        for (shares, (i, j)) in shares.iter_mut().zip(PAIRS) {
            let (di, dj, ei, ej, fi, fj) = (&d[i], &d[j], &e[i], &e[j], &f[i], &f[j]);
            for k in 0..LANES {
                let squares = 2.0 * (di[k] * dj[k] + ei[k] * ej[k] + fi[k] * fj[k]);
                let mixed = squares + di[k] * ej[k] + dj[k] * ei[k] + di[k] * fj[k] + dj[k] * fi[k];
                shares[k] = volume[k] / share * (mixed + ei[k] * fj[k] + ej[k] * fi[k]);
            }
        }
        for lane in 0..block.len() {
            total += volume[lane];
            for (product, shares) in products.iter_mut().zip(&shares) {
                *product += shares[lane];
            }
        }
    });
    let [xx, yy, zz, xy, xz, yz] = products;
    #[rustfmt::skip]
    let inertia = Mat3::new([
        yy + zz, -xy,      -xz,
        -xy,     xx + zz,  -yz,
        -xz,     -yz,      xx + yy,
    ]);
    (inertia, total)
}
