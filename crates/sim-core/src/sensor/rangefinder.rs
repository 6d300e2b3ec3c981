//! Rangefinders: what a site sees along its axis, or a camera in its pixels.

use super::Record;
use super::camera::PixelRays;
use super::position::object_type;
use crate::geometry::Ray;
use crate::math::{MAXVAL, Vec3};
use crate::model::{ObjType, RayDataField};
use crate::ray::{RayFilter, RayHit, ray};
use crate::{Data, Model};

/// Numbers per field of a ray, in the order of [`RayDataField`].
pub(crate) const WIDTHS: [usize; 6] = [1, 3, 3, 3, 3, 1];

/// Computes a rangefinder. Its body's own geoms do not count.
pub(super) fn rangefinder(model: &Model, data: &mut Data, sensor: usize, output: &mut [f64]) {
    let [fields, ..] = model.sensor_intprm[sensor];
    let id = model.sensor_objid[sensor] as usize;
    match object_type(model, sensor) {
        ObjType::Camera => camera(model, data, id, fields, output),
        _ => site(model, data, id, fields, output),
    }
}

fn site(model: &Model, data: &Data, site: usize, fields: i32, output: &mut [f64]) {
    let body = model.site_bodyid[site] as usize;
    let line = Ray { origin: data.site_xpos[site], direction: data.site_xmat[site].column(2) };
    let filter = RayFilter { exclude: Some(body), ..RayFilter::default() };
    let hit = ray(model, data, line.origin, line.direction, &filter);
    let depth = hit.map_or(0.0, |hit| hit.distance);
    write(Record::new(fields, output), &line, hit, depth);
}

fn camera(model: &Model, data: &mut Data, cam: usize, fields: i32, output: &mut [f64]) {
    let (width, slot) = (model.cam_resolution[cam][0] as usize, Record::len(fields, &WIDTHS));
    if width == 0 || slot == 0 {
        return output.fill(0.0);
    }
    let body = model.cam_bodyid[cam] as usize;
    let filter = RayFilter { exclude: Some(body), ..RayFilter::default() };
    let rays = PixelRays::new(model, cam);
    let (pos, back) = (data.cam_xpos[cam], data.cam_xmat[cam].column(2));

    let mut viewpoint = std::mem::take(&mut data.work.viewpoint);
    if !rays.parallel() {
        viewpoint.look(model, data, pos, &filter, MAXVAL);
    }
    for (i, pixel) in output.chunks_exact_mut(slot).enumerate() {
        let line = rays.ray(data, cam, [i % width, i / width]);
        let hit = if rays.parallel() {
            ray(model, data, line.origin, line.direction, &filter)
        } else {
            viewpoint.cast(model, data, line.direction)
        };
        let depth = hit.map_or(0.0, |hit| -(line.at(hit.distance) - pos).dot(back));
        write(Record::new(fields, pixel), &line, hit, depth);
    }
    data.work.viewpoint = viewpoint;
}

/// Writes the fields of a ray. One that meets nothing has distance and depth −1, and zero
/// everywhere but in its origin.
fn write(mut record: Record<'_>, line: &Ray, hit: Option<RayHit>, depth: f64) {
    let met = |v: Vec3| if hit.is_some() { v } else { Vec3::ZERO };
    let distance = hit.map_or(-1.0, |hit| hit.distance);
    let depth = if hit.is_some() { depth } else { -1.0 };
    let normal = hit.map_or(Vec3::ZERO, |hit| hit.normal);
    record.put(RayDataField::Dist as i32, &[distance]);
    record.put(RayDataField::Dir as i32, &met(line.direction).to_array());
    record.put(RayDataField::Origin as i32, &line.origin.to_array());
    record.put(RayDataField::Point as i32, &met(line.at(distance)).to_array());
    record.put(RayDataField::Normal as i32, &normal.to_array());
    record.put(RayDataField::Depth as i32, &[depth]);
}
