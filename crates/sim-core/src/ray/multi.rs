//! Many rays from one point.

use std::f64::consts::PI;

use super::{Nearest, RayFilter, RayHit};
use crate::geometry::{Ray, cross_sphere};
use crate::math::{MINVAL, Vec3};
use crate::{Data, Model};

/// Finds for each of several rays from `origin` what [`ray`](super::ray()) finds for one, faster:
/// geoms are sorted out by the angles under which the origin sees their boxes, and those that are
/// further away than `cutoff` are left out. Runs after `kinematics`.
///
/// The boxes and spheres are those of the reference and can miss what a single ray meets: the
/// sphere about a body with a turned inertial frame is off its place.
#[doc(alias = "mj_multiRay")]
pub fn multi_ray(
    model: &Model,
    data: &mut Data,
    origin: Vec3,
    directions: &[Vec3],
    filter: &RayFilter,
    cutoff: f64,
    hits: &mut [Option<RayHit>],
) {
    let mut viewpoint = std::mem::take(&mut data.work.viewpoint);
    viewpoint.look(model, data, origin, filter, cutoff);
    for (hit, &direction) in hits.iter_mut().zip(directions) {
        *hit = viewpoint.cast(model, data, direction);
    }
    data.work.viewpoint = viewpoint;
}

/// A point that rays start from, and what can be seen from it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Viewpoint {
    origin: Vec3,
    /// Where each geom is seen; nothing for those that rays cannot meet.
    geoms: Vec<Option<Window>>,
}

/// A range of directions, in spherical coordinates.
#[derive(Debug, Clone, Copy)]
struct Window {
    azimuth: [f64; 2],
    elevation: [f64; 2],
}

impl Viewpoint {
    /// Looks from `origin` at all geoms that rays can meet.
    pub(crate) fn look(
        &mut self,
        model: &Model,
        data: &Data,
        origin: Vec3,
        filter: &RayFilter,
        cutoff: f64,
    ) {
        self.origin = origin;
        self.geoms.clear();
        self.geoms.extend((0..model.ngeom).map(|geom| {
            if !filter.admits(model, geom) {
                return None;
            }
            // planes count by their centre alone
            let distance = (data.geom_xpos[geom] - origin).norm();
            if distance > cutoff + model.geom_rbound[geom] {
                return None;
            }
            Some(Window::of_geom(model, data, geom, origin, distance))
        }));
    }

    /// Finds the first surface in a direction; none if the direction has no length.
    pub(crate) fn cast(&self, model: &Model, data: &Data, direction: Vec3) -> Option<RayHit> {
        if direction.dot(direction) < MINVAL {
            return None;
        }
        let ray = Ray { origin: self.origin, direction };
        let (azimuth, elevation) = (azimuth(direction), elevation(direction));
        let mut nearest = Nearest::default();
        for body in 0..model.nbody {
            if model.body_geomnum[body] == 0 || misses_body(model, data, body, &ray) {
                continue;
            }
            for geom in model.body_geoms(body) {
                if self.geoms[geom].is_some_and(|window| window.contains(azimuth, elevation)) {
                    nearest.try_geom(model, data, geom, &ray);
                }
            }
        }
        nearest.hit(model, data, &ray)
    }
}

/// Whether the ray misses the sphere about the box around the geoms of `body`.
fn misses_body(model: &Model, data: &Data, body: usize, ray: &Ray) -> bool {
    let Ok(volume) = usize::try_from(model.body_bvhadr[body]) else { return false };
    let (centre, half) = split(&model.bvh_aabb[volume]);
    cross_sphere(centre + data.xipos[body], half.dot(half), ray).is_none()
}

/// Centre and half sizes of a box.
fn split(&[x, y, z, a, b, c]: &[f64; 6]) -> (Vec3, Vec3) {
    (Vec3::new(x, y, z), Vec3::new(a, b, c))
}

/// The angle about the z-axis, from the x-axis.
fn azimuth(v: Vec3) -> f64 {
    libm::atan2(v.y, v.x)
}

/// The angle from the z-axis.
fn elevation(v: Vec3) -> f64 {
    libm::atan2((v.x * v.x + v.y * v.y).sqrt(), v.z)
}

impl Window {
    /// All directions.
    const OPEN: Window = Window { azimuth: [-PI, PI], elevation: [0.0, PI] };

    /// The directions in which the box of `geom` is seen from `origin`, at most.
    fn of_geom(model: &Model, data: &Data, geom: usize, origin: Vec3, distance: f64) -> Window {
        let (centre, half) = split(&model.geom_aabb[geom]);
        let (pos, mat) = (data.geom_xpos[geom], &data.geom_xmat[geom]);

        let local = mat.transpose_mul(origin - pos) - centre;
        if (0..3).all(|i| local[i].abs() <= half[i]) {
            return Window::OPEN;
        }

        let empty = [f64::INFINITY, f64::NEG_INFINITY];
        let mut window = Window { azimuth: empty, elevation: empty };
        for corner in 0..8 {
            let end = |i: usize| {
                if corner & (1 << i) != 0 { centre[i] + half[i] } else { centre[i] - half[i] }
            };
            let v = *mat * Vec3::new(end(0), end(1), end(2)) + pos - origin;
            include(&mut window.azimuth, azimuth(v));
            include(&mut window.elevation, elevation(v));
        }

        // edges and faces bulge between their corners
        if distance > MINVAL {
            let margin = libm::atan2(half.max_element(), distance);
            for range in [&mut window.azimuth, &mut window.elevation] {
                range[0] -= margin;
                range[1] += margin;
            }
        }

        // half a turn or more says nothing: the range may be the wrong way round
        let width = |[low, high]: [f64; 2]| high - low;
        if width(window.azimuth) > PI || width(window.elevation) > PI {
            return Window::OPEN;
        }
        window
    }

    fn contains(&self, azimuth: f64, elevation: f64) -> bool {
        let [low, high] = self.elevation;
        if elevation < low || elevation > high {
            return false;
        }
        let [low, high] = self.azimuth;
        let mut offset = azimuth - (low + high) * 0.5;
        if offset > PI {
            offset -= 2.0 * PI;
        } else if offset < -PI {
            offset += 2.0 * PI;
        }
        offset.abs() <= (high - low) * 0.5
    }
}

/// Widens a range so that it includes `x`.
fn include(range: &mut [f64; 2], x: f64) {
    *range = [range[0].min(x), range[1].max(x)];
}
