//! Rays: what a straight line from a point meets first.

mod flex;
mod multi;

pub use flex::{FlexHit, FlexParts, ray_flex};
pub(crate) use multi::Viewpoint;
pub use multi::multi_ray;

use crate::geometry::{Crossing, Geom, Ray, cross};
use crate::math::{MINVAL, Vec3};
use crate::{Data, Model};

/// Number of groups that a geom can be in.
const GROUPS: usize = 6;

/// Which geoms a ray can meet. Invisible geoms, those without opacity, it never does.
#[derive(Debug, Clone, Copy)]
pub struct RayFilter {
    /// Groups of geoms to be met; all of them if not given.
    pub groups: Option<[bool; GROUPS]>,
    /// Whether geoms that are fixed to the world are met.
    pub fixed: bool,
    /// A body whose geoms are passed through.
    pub exclude: Option<usize>,
}

impl Default for RayFilter {
    /// Everything that is visible.
    fn default() -> RayFilter {
        RayFilter { groups: None, fixed: true, exclude: None }
    }
}

impl RayFilter {
    /// Whether a ray can meet `geom`.
    fn admits(&self, model: &Model, geom: usize) -> bool {
        let body = model.geom_bodyid[geom] as usize;
        let rgba = match usize::try_from(model.geom_matid[geom]) {
            Ok(material) => model.mat_rgba[material],
            Err(_) => model.geom_rgba[geom],
        };
        let group = model.geom_group[geom].clamp(0, GROUPS as i32 - 1) as usize;
        self.exclude != Some(body)
            && rgba[3] != 0.0
            && (self.fixed || model.body_weldid[body] != 0)
            && self.groups.is_none_or(|groups| groups[group])
    }
}

/// What a ray meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RayHit {
    /// The geom.
    pub geom: usize,
    /// How far away its surface is, in lengths of the ray's direction.
    pub distance: f64,
    /// The unit normal of the surface at that point, pointing out of the geom.
    pub normal: Vec3,
}

/// Finds the first surface that the ray from `origin` along `direction` meets. A direction without
/// length meets nothing. Surfaces are met from inside too, but planes only from the front. Runs
/// after `kinematics`.
#[doc(alias = "mj_ray")]
pub fn ray(
    model: &Model,
    data: &Data,
    origin: Vec3,
    direction: Vec3,
    filter: &RayFilter,
) -> Option<RayHit> {
    if direction.norm() < MINVAL {
        return None;
    }
    let ray = Ray { origin, direction };
    let mut nearest = Nearest::default();
    for geom in (0..model.ngeom).filter(|&geom| filter.admits(model, geom)) {
        nearest.try_geom(model, data, geom, &ray);
    }
    nearest.hit(model, data, &ray)
}

/// Finds where a ray meets one geom, whatever its type, and also if it cannot be seen. Runs after
/// `kinematics`.
#[doc(alias = "mj_rayMesh")]
#[doc(alias = "mj_rayHfield")]
pub fn ray_one(
    model: &Model,
    data: &Data,
    geom: usize,
    origin: Vec3,
    direction: Vec3,
) -> Option<RayHit> {
    let ray = Ray { origin, direction };
    let mut nearest = Nearest::default();
    nearest.try_geom(model, data, geom, &ray);
    nearest.hit(model, data, &ray)
}

/// The nearest crossing found so far, and its geom.
#[derive(Debug, Clone, Copy, Default)]
struct Nearest(Option<(usize, Crossing)>);

impl Nearest {
    /// Keeps the crossing with `geom` if it is nearer than what was found before.
    fn try_geom(&mut self, model: &Model, data: &Data, geom: usize, ray: &Ray) {
        let Some(crossing) = Geom::new(model, data, geom).and_then(|geom| cross(&geom, ray)) else {
            return;
        };
        if self.0.is_none_or(|(_, other)| crossing.distance < other.distance) {
            self.0 = Some((geom, crossing));
        }
    }

    /// What the ray meets: only there is the normal needed.
    fn hit(self, model: &Model, data: &Data, ray: &Ray) -> Option<RayHit> {
        let (geom, crossing) = self.0?;
        let normal = crossing.normal(&Geom::new(model, data, geom)?, ray);
        Some(RayHit { geom, distance: crossing.distance, normal })
    }
}
