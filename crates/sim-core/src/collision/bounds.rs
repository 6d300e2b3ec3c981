//! Bounding spheres and boxes, alone and four at once, and planes.
//!
//! Bounds include half the margin, so that two are close when they overlap.

use wide::{f32x8, f64x4};

use super::table::Table;
use crate::geometry::half_extent;
use crate::math::Vec3;
use crate::model::{Enable, GeomType};
use crate::{Data, Model};

/// Spheres that are tested at once.
pub(super) const LANES: usize = 4;

/// Boxes that are tested at once.
pub(super) const BOXES: usize = 8;

/// Relative slack of the tests, far above rounding and far below what costs time.
pub(super) const SLACK: f64 = 1.0 + 1e-9;

/// The same of boxes, which shapes fill to their sides: above rounding also far from the origin.
const BOX_SLACK: f64 = 1.0 + 1e-6;

/// The distance of two geoms that the convex collider may take for contact, in units of its
/// tolerance; far above what it does.
pub(super) const CCD_SLACK: f64 = 10.0;

/// The part of coordinates that boxes are larger by, many times the rounding of single precision.
const SINGLE_SLACK: f64 = 1e-6;

#[derive(Debug, Clone, Copy)]
pub(super) struct Sphere {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
    pub(super) radius: f64,
    pub(super) slot: u32,
}

impl Sphere {
    /// The bounding sphere of a geom.
    #[inline]
    pub(super) fn new(model: &Model, data: &Data, geom: u32, slot: u32) -> Sphere {
        let geom = geom as usize;
        let bound = model.geom_rbound[geom];
        let pos = data.geom_xpos[geom];
        // without a bound there is no telling where the geom ends
        let radius = if bound > 0.0 { bound + half_margin(model, geom) } else { f64::INFINITY };
        Sphere { x: pos.x, y: pos.y, z: pos.z, radius, slot }
    }

    /// Whether two spheres overlap by more than rounding, also that of single precision.
    #[inline]
    pub(super) fn surely_meets(self, other: Sphere) -> bool {
        const SINGLE: f64 = 4.0 * f32::EPSILON as f64;
        let (dx, dy, dz) = (other.x - self.x, other.y - self.y, other.z - self.z);
        let reach = self.radius + other.radius;
        let depth = reach - SINGLE * (self.x.abs() + self.y.abs() + self.z.abs() + reach);
        depth > 0.0 && dx * dx + dy * dy + dz * dz < depth * depth
    }
}

/// Spheres that are tested at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quad {
    pub(super) x: f64x4,
    pub(super) y: f64x4,
    pub(super) z: f64x4,
    pub(super) radius: f64x4,
}

impl Quad {
    /// Which of them overlap `sphere`, as bits; what is not a number counts as close.
    #[inline(always)]
    pub(super) fn close(&self, sphere: Sphere) -> u32 {
        let dx = self.x - f64x4::splat(sphere.x);
        let dy = self.y - f64x4::splat(sphere.y);
        let dz = self.z - f64x4::splat(sphere.z);
        let reach = (self.radius + f64x4::splat(sphere.radius)) * f64x4::splat(SLACK);
        let apart = (dx * dx + dy * dy + dz * dz).simd_gt(reach * reach);
        !apart.to_bitmask() & ((1 << LANES) - 1)
    }
}

/// Half the extent of the box around a geom, which is in the bounding sphere.
#[inline(always)]
pub(super) fn bounding_box(model: &Model, data: &Data, geom: u32, sphere: Sphere) -> Vec3 {
    let geom = geom as usize;
    let (size, mat, aabb) = (model.geom_size[geom], &data.geom_xmat[geom], &model.geom_aabb[geom]);
    let kind = GeomType::from_i32(model.geom_type[geom]);
    match kind.and_then(|kind| half_extent(kind, size, mat, aabb)) {
        Some(half) => {
            // where contacts are found by iteration, they may be off by a little
            let margin = half_margin(model, geom) + CCD_SLACK * model.opt.ccd_tolerance;
            half + Vec3::new(margin, margin, margin)
        }
        None => Vec3::new(sphere.radius, sphere.radius, sphere.radius),
    }
}

/// Whether two boxes with these half extents, `apart` from each other, do not overlap.
#[inline]
pub(super) fn boxes_apart(apart: Vec3, half1: Vec3, half2: Vec3) -> bool {
    let (apart, reach) = (apart.abs(), (half1 + half2) * BOX_SLACK);
    apart.x > reach.x || apart.y > reach.y || apart.z > reach.z
}

/// Boxes that are tested at once, in single precision and larger by what that loses.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Boxes {
    centers: [f32x8; 3],
    halves: [f32x8; 3],
}

impl Boxes {
    /// Takes the boxes of the geoms of all slots. What fills up the last has no meaning.
    pub(super) fn fill(boxes: &mut Vec<Boxes>, model: &Model, data: &Data, table: &Table) {
        boxes.resize(table.geoms.len().div_ceil(BOXES), Boxes::default());
        for (boxes, geoms) in boxes.iter_mut().zip(table.geoms.chunks(BOXES)) {
            for (lane, traits) in geoms.iter().enumerate() {
                let sphere = Sphere::new(model, data, traits.geom, 0);
                let center = Vec3::new(sphere.x, sphere.y, sphere.z);
                let Vec3 { x, y, z } = center.abs();
                let slack = (x + y + z + sphere.radius) * SINGLE_SLACK;
                let half = bounding_box(model, data, traits.geom, sphere);
                for i in 0..3 {
                    boxes.centers[i].as_mut_array()[lane] = center[i] as f32;
                    boxes.halves[i].as_mut_array()[lane] = (half[i] + slack) as f32;
                }
            }
        }
    }

    /// The centre and half the extents in a lane.
    #[inline]
    pub(super) fn at(&self, lane: usize) -> [[f32; 3]; 2] {
        [self.centers, self.halves].map(|axes| axes.map(|lanes| lanes.as_array()[lane]))
    }

    /// Which of them overlap a box, as bits; what is not a number counts as close.
    #[inline(always)]
    pub(super) fn close(&self, [center, half]: [[f32; 3]; 2]) -> u32 {
        let [x, y, z] = [0, 1, 2].map(|i| {
            let apart = (self.centers[i] - f32x8::splat(center[i])).abs();
            apart.simd_gt(self.halves[i] + f32x8::splat(half[i]))
        });
        !(x | y | z).to_bitmask() & ((1 << BOXES) - 1)
    }
}

/// The space below a plane, and the plane's part of the margin.
pub(super) struct Halfspace {
    pos: Vec3,
    normal: Vec3,
    margin: f64,
}

impl Halfspace {
    pub(super) fn new(model: &Model, data: &Data, table: &Table, slot: usize) -> Halfspace {
        let geom = table.geoms[slot].geom as usize;
        Halfspace {
            pos: data.geom_xpos[geom],
            normal: data.geom_xmat[geom].column(2),
            margin: half_margin(model, geom),
        }
    }

    /// Whether a sphere reaches below the plane, and a box with the same centre too.
    #[inline]
    pub(super) fn reaches(&self, sphere: Sphere, half: Vec3) -> bool {
        let height = (Vec3::new(sphere.x, sphere.y, sphere.z) - self.pos).dot(self.normal);
        let above = height > sphere.radius * SLACK + self.margin
            || height > half.dot(self.normal.abs()) * BOX_SLACK + self.margin;
        // what is not a number counts as close
        !above
    }

    /// Which boxes reach below the plane, as bits; what is not a number counts as close.
    #[inline(always)]
    pub(super) fn reached_by(&self, boxes: &Boxes) -> u32 {
        let (pos, normal) = (self.pos.to_array(), self.normal.to_array());
        let [x, y, z] = [0, 1, 2].map(|i| {
            (boxes.centers[i] - f32x8::splat(pos[i] as f32)) * f32x8::splat(normal[i] as f32)
        });
        let [down_x, down_y, down_z] =
            [0, 1, 2].map(|i| boxes.halves[i] * f32x8::splat(normal[i].abs() as f32));
        let lost = self.pos.abs().dot(self.normal.abs()) + self.margin;
        let margin = f32x8::splat((self.margin + lost * SINGLE_SLACK) as f32);
        let above = (x + y + z).simd_gt(down_x + down_y + down_z + margin);
        !above.to_bitmask() & ((1 << BOXES) - 1)
    }
}

/// What a geom adds to the distance below which it is in contact.
fn half_margin(model: &Model, geom: usize) -> f64 {
    match model.enabled(Enable::Override) {
        true => 0.5 * model.opt.o_margin,
        false => model.geom_margin[geom],
    }
}

/// The places of the bits that are set.
pub(super) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (place < 64).then_some(place)
    })
}
