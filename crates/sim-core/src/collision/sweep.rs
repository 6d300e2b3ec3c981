//! The reference's sweep and prune, for one pair of bodies.
//!
//! The reference sorts the bounds of bodies, in single precision, along the axis on which geoms
//! spread most. Where bounds overlap by less than rounding, as those of spheres placed side by side
//! do, it may lose the pair. This is that decision; in all other cases the answer is yes.

use std::cell::OnceCell;

use crate::math::{Mat3, Vec3, eig3};
use crate::model::{Enable, GeomType};
use crate::{Data, Model};

/// The axes of the sweep during one step.
pub(super) struct Sweep<'a> {
    model: &'a Model,
    data: &'a Data,
    axes: OnceCell<Mat3>,
}

impl<'a> Sweep<'a> {
    pub(super) fn new(model: &'a Model, data: &'a Data) -> Sweep<'a> {
        Sweep { model, data, axes: OnceCell::new() }
    }

    /// Whether the sweep finds two bodies; `body1` comes first.
    #[cold]
    pub(super) fn finds(&self, body1: usize, body2: usize) -> bool {
        if self.needs_none(body1) || self.needs_none(body2) {
            return true;
        }
        let (low1, high1) = self.bounds(body1);
        let (low2, high2) = self.bounds(body2);
        // where an end and a start are equal, those of the first body are passed first
        (low2.x as f32) < high1.x as f32
            && low1.x as f32 <= high2.x as f32
            && low1.y <= high2.y
            && low2.y <= high1.y
            && low1.z <= high2.z
            && low2.z <= high1.z
    }

    /// Whether a body meets all others without a sweep: the world, and static ones with planes.
    fn needs_none(&self, body: usize) -> bool {
        let plane = |geom: usize| self.model.geom_type[geom] == GeomType::Plane as i32;
        body == 0 || self.model.body_weldid[body] == 0 && self.model.body_geoms(body).any(plane)
    }

    /// Least and largest coordinates of a body along the axes.
    fn bounds(&self, body: usize) -> (Vec3, Vec3) {
        let (model, data) = (self.model, self.data);
        let axes = self.axes.get_or_init(|| axes(model, data));
        let overridden = model.enabled(Enable::Override).then_some(0.5 * model.opt.o_margin);
        let infinite = Vec3::new(f64::INFINITY, f64::INFINITY, f64::INFINITY);
        model.body_geoms(body).fold((infinite, -infinite), |(low, high), geom| {
            let center = *axes * data.geom_xpos[geom];
            let bound = model.geom_rbound[geom];
            let margin = overridden.unwrap_or(model.geom_margin[geom]);
            let (low, high) = (low.to_array(), high.to_array());
            let low: [f64; 3] = std::array::from_fn(|i| low[i].min(center[i] - bound - margin));
            let high: [f64; 3] = std::array::from_fn(|i| high[i].max(center[i] + bound + margin));
            (low.into(), high.into())
        })
    }
}

/// The principal axes of all geoms and vertices of flexes outside the world body, as rows.
fn axes(model: &Model, data: &Data) -> Mat3 {
    let geoms = model.geom_bodyid.iter().zip(&data.geom_xpos);
    let verts = model.flex_vertbodyid.iter().zip(&data.flexvert_xpos);
    let all = geoms.chain(verts);
    let moving = || all.clone().filter(|(body, _)| **body != 0).map(|(_, &pos)| pos);
    let count = moving().count().max(1);
    let center: Vec3 = moving().sum();
    let center = center * (1.0 / count as f64);
    let spread = moving().fold(Mat3::default(), |sum, pos| {
        let offset = pos - center;
        sum + Mat3::outer(offset, offset)
    });
    let (_, rotation) = eig3(&(spread * (1.0 / count as f64)));
    rotation.to_mat()
}
