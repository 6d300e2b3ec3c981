//! Sensors that are drawn: rays of rangefinders, distances between geoms, tactile pads.

use super::types::single;
use super::{Builder, VisFlag};
use crate::math::{MINVAL, Vec3};
use crate::model::{GeomType, ObjType, RayDataField, SensorType};
use crate::sensor::{PixelRays, RAY_WIDTHS};

/// Where the fields of a ray are in the readings of a rangefinder.
struct RayFields<'a> {
    fields: i32,
    values: &'a [f64],
}

impl<'a> RayFields<'a> {
    /// Number of values per ray.
    fn width(fields: i32) -> usize {
        (0..RAY_WIDTHS.len()).filter(|i| fields & (1 << i) != 0).map(|i| RAY_WIDTHS[i]).sum()
    }

    fn get(&self, field: RayDataField) -> Option<&'a [f64]> {
        let field = field as i32;
        let start = Self::width(self.fields & ((1 << field) - 1));
        let present = self.fields & (1 << field) != 0;
        present.then(|| self.values.get(start..start + RAY_WIDTHS[field as usize]))?
    }

    fn vector(&self, field: RayDataField) -> Option<Vec3> {
        self.get(field).map(|v| Vec3::new(v[0], v[1], v[2]))
    }
}

impl Builder<'_> {
    pub(super) fn rangefinders(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.opt.shows(VisFlag::Rangefinder) {
            return Some(());
        }
        for id in 0..model.nsensor {
            let values = &data.sensordata[model.sensor_values(id)];
            match SensorType::from_i32(model.sensor_type[id]) {
                Some(SensorType::RangeFinder) => self.rangefinder(id, values)?,
                Some(SensorType::GeomFromTo) if values.iter().any(|&x| x != 0.0) => {
                    let ends = [0, 3].map(|i| Vec3::new(values[i], values[i + 1], values[i + 2]));
                    self.ray(id, ends[0], ends[1])?;
                }
                _ => {}
            }
        }
        Some(())
    }

    fn rangefinder(&mut self, id: usize, values: &[f64]) -> Option<()> {
        let (model, data) = (self.model, self.data);
        let (fields, object) = (model.sensor_intprm[id][0], model.sensor_objid[id] as usize);
        let width = RayFields::width(fields);
        if width == 0 {
            return Some(());
        }
        if model.sensor_objtype[id] == ObjType::Site as i32 {
            let direction = data.site_xmat[object].column(2);
            let ray = RayFields { fields, values };
            return self.range(id, &ray, data.site_xpos[object], direction, 1.5);
        }
        let columns = model.cam_resolution[object][0].max(1) as usize;
        let rays = PixelRays::new(model, object);
        for (i, values) in values.chunks_exact(width).enumerate() {
            let line = rays.ray(data, object, [i % columns, i / columns]);
            self.range(id, &RayFields { fields, values }, line.origin, line.direction, 1.3)?;
        }
        Some(())
    }

    /// One ray: a line as far as it reaches, a ball where it ends, an arrow along the normal there.
    fn range(
        &mut self,
        id: usize,
        ray: &RayFields<'_>,
        origin: Vec3,
        direction: Vec3,
        ball: f64,
    ) -> Option<()> {
        let vis = &self.model.vis;
        let rgba = vis.rgba.rangefinder;
        let width = self.sized(vis.scale.framewidth);
        let distance = ray.get(RayDataField::Dist).map_or(-1.0, |d| d[0]);
        let mut point = Vec3::ZERO;
        if distance >= 0.0 {
            point = origin + direction * distance;
            self.ray(id, origin, point)?;
        }
        if let Some(end) = ray.vector(RayDataField::Point).filter(|&end| end != Vec3::ZERO) {
            point = end;
            let mut geom = self.decor(ObjType::Sensor, id);
            geom.kind = GeomType::Sphere as i32;
            geom.size = [(ball * width) as f32; 3];
            geom.pos = single(point);
            geom.rgba = rgba;
            self.push(geom)?;
        }
        let met = distance >= 0.0 || point != Vec3::ZERO;
        if let Some(normal) = ray.vector(RayDataField::Normal).filter(|_| met) {
            let to = point + normal * (2.0 * self.sized(vis.scale.framelength));
            self.connector((ObjType::Sensor, id), (GeomType::Arrow1, width), point, to, rgba)?;
        }
        Some(())
    }

    fn ray(&mut self, id: usize, from: Vec3, to: Vec3) -> Option<()> {
        let rgba = self.model.vis.rgba.rangefinder;
        self.connector((ObjType::Sensor, id), (GeomType::Line, 3.0), from, to, rgba)
    }

    /// Colours the pads of tactile sensors by what they feel.
    pub(super) fn tactile_sensors(&mut self) -> Option<()> {
        let (model, data) = (self.model, self.data);
        if !self.opt.shows(VisFlag::ContactPoint) {
            return Some(());
        }
        for id in 0..model.nsensor {
            if model.sensor_type[id] != SensorType::Tactile as i32 {
                continue;
            }
            let (mesh, geom) = (model.sensor_objid[id] as usize, model.sensor_refid[id] as usize);
            let values = &data.sensordata[model.sensor_values(id)];
            let vertices = model.mesh_vertnum[mesh] as usize;
            let channels = values.chunks_exact(vertices.max(1));
            let largest = values.iter().take(vertices).fold(0.0, |m: f64, x| m.max(x.abs()));
            if largest == 0.0 || model.geom_rbound[geom] < MINVAL {
                continue;
            }
            let first = model.mesh_vertadr[mesh] as usize;
            let faces = model.mesh_faceadr[mesh] as usize..;
            for face in &model.mesh_face[faces][..model.mesh_facenum[mesh] as usize] {
                let corners = face.map(|v| {
                    let v = super::types::double(model.mesh_vert[first + v as usize]);
                    data.geom_xmat[geom] * v + data.geom_xpos[geom]
                });
                let mut rgba = [0.0, 0.0, 0.0, 1.0];
                for (channel, out) in channels.clone().take(3).zip(&mut rgba) {
                    let felt = face.map(|v| channel[v as usize]);
                    let count = felt.iter().filter(|&&x| x != 0.0).count().max(1);
                    let sum: f64 = felt.iter().map(|x| x.abs() / largest).sum();
                    *out = (sum / count as f64) as f32;
                }
                if rgba[..3] == [0.0; 3] {
                    rgba[3] = 0.1;
                }
                self.triangle((ObjType::Sensor, id), corners, rgba)?;
            }
        }
        Some(())
    }
}
