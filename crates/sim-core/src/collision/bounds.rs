//! Bounding spheres and boxes, alone and four at once, and planes.
//!
//! Bounds include half the margin, so that two are close when they overlap.

use wide::f64x4;

use super::Shape;
use super::table::Table;
use crate::math::Vec3;
use crate::model::{Enable, GeomType};
use crate::{Data, Model};

/// Spheres that are tested at once.
pub(super) const LANES: usize = 4;

/// Relative slack of the tests, far above rounding and far below what costs time.
const SLACK: f64 = 1.0 + 1e-9;

/// The same of boxes, which shapes fill to their sides: above rounding also far from the origin.
const BOX_SLACK: f64 = 1.0 + 1e-6;

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
    /// Takes the bounding spheres of the geoms of all slots, and of some twice to fill up.
    pub(super) fn fill(quads: &mut Vec<Quad>, model: &Model, data: &Data, table: &Table) {
        quads.clear();
        let last = table.geoms.len().saturating_sub(1);
        for first in (0..table.geoms.len()).step_by(LANES) {
            let spheres: [Sphere; LANES] = std::array::from_fn(|k| {
                let slot = (first + k).min(last);
                Sphere::new(model, data, table.geoms[slot].geom, slot as u32)
            });
            quads.push(Quad {
                x: f64x4::new(spheres.map(|sphere| sphere.x)),
                y: f64x4::new(spheres.map(|sphere| sphere.y)),
                z: f64x4::new(spheres.map(|sphere| sphere.z)),
                radius: f64x4::new(spheres.map(|sphere| sphere.radius)),
            });
        }
    }

    #[inline]
    pub(super) fn at(&self, lane: usize) -> Sphere {
        let of = |lanes: &f64x4| lanes.as_array()[lane];
        let [x, y, z, radius] = [&self.x, &self.y, &self.z, &self.radius].map(of);
        Sphere { x, y, z, radius, slot: 0 }
    }

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

impl Shape<'_> {
    /// Half the extent along the axes of the world; none where contacts are found by iteration,
    /// which may be off by a little.
    #[inline]
    pub(super) fn half_extent(&self) -> Option<Vec3> {
        let Shape { kind, size, mat, .. } = *self;
        match kind {
            GeomType::Capsule => {
                Some(mat.column(2).abs() * size.y + Vec3::new(size.x, size.x, size.x))
            }
            GeomType::Box => {
                let [x, y, z] = [0, 1, 2].map(|i| mat.column(i).abs() * size[i]);
                Some(x + y + z)
            }
            _ => None,
        }
    }
}

/// Half the extent of the box around a geom, which is in the bounding sphere.
#[inline]
pub(super) fn bounding_box(model: &Model, data: &Data, geom: u32, sphere: Sphere) -> Vec3 {
    let geom = geom as usize;
    let (size, pos, mat) = (model.geom_size[geom], data.geom_xpos[geom], &data.geom_xmat[geom]);
    let kind = GeomType::from_i32(model.geom_type[geom]);
    match kind.and_then(|kind| Shape { kind, size, pos, mat }.half_extent()) {
        Some(half) => {
            let margin = half_margin(model, geom);
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

/// Boxes that are tested at once: half extents around the centres of a [`Quad`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Boxes([f64x4; 3]);

impl Boxes {
    /// Takes the extents of the geoms of all slots, in the order of `quads`.
    pub(super) fn fill(
        boxes: &mut Vec<Boxes>,
        quads: &[Quad],
        model: &Model,
        data: &Data,
        table: &Table,
    ) {
        boxes.clear();
        let last = table.geoms.len().saturating_sub(1);
        for (quad, first) in quads.iter().zip((0..).step_by(LANES)) {
            let halves: [Vec3; LANES] = std::array::from_fn(|k| {
                let slot = (first + k).min(last);
                bounding_box(model, data, table.geoms[slot].geom, quad.at(k))
            });
            boxes.push(Boxes([0, 1, 2].map(|i| f64x4::new(halves.map(|half| half[i])))));
        }
    }

    #[inline]
    pub(super) fn at(&self, lane: usize) -> Vec3 {
        let [x, y, z] = self.0.map(|half| half.as_array()[lane]);
        Vec3::new(x, y, z)
    }

    /// Which of them, around the centres of `quad`, do not overlap a box, as bits.
    #[inline(always)]
    pub(super) fn apart(&self, quad: &Quad, center: Sphere, half: Vec3) -> u32 {
        let [x, y, z] = self.0;
        let beyond = |centers: f64x4, center: f64, halves: f64x4, half: f64| {
            let reach = (halves + f64x4::splat(half)) * f64x4::splat(BOX_SLACK);
            (centers - f64x4::splat(center)).abs().simd_gt(reach)
        };
        let apart = beyond(quad.x, center.x, x, half.x)
            | beyond(quad.y, center.y, y, half.y)
            | beyond(quad.z, center.z, z, half.z);
        apart.to_bitmask()
    }
}

/// A plane and its part of the margin.
pub(super) struct Level {
    pos: Vec3,
    normal: Vec3,
    margin: f64,
}

impl Level {
    pub(super) fn new(model: &Model, data: &Data, table: &Table, slot: usize) -> Level {
        let geom = table.geoms[slot].geom as usize;
        Level {
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

    /// Which spheres reach below the plane, and their boxes too, as bits.
    #[inline(always)]
    pub(super) fn reached_by(&self, quad: &Quad, boxes: &Boxes) -> u32 {
        let dx = quad.x - f64x4::splat(self.pos.x);
        let dy = quad.y - f64x4::splat(self.pos.y);
        let dz = quad.z - f64x4::splat(self.pos.z);
        let Vec3 { x, y, z } = self.normal;
        let height = dx * f64x4::splat(x) + dy * f64x4::splat(y) + dz * f64x4::splat(z);
        let [half_x, half_y, half_z] = boxes.0;
        let down = half_x * x.abs() + half_y * y.abs() + half_z * z.abs();
        let margin = f64x4::splat(self.margin);
        let above = height.simd_gt(quad.radius * f64x4::splat(SLACK) + margin)
            | height.simd_gt(down * f64x4::splat(BOX_SLACK) + margin);
        !above.to_bitmask() & ((1 << LANES) - 1)
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
