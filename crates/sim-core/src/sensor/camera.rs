//! How cameras map between space and pixels.

use crate::geometry::Ray;
use crate::math::{MINVAL, Vec3};
use crate::model::Projection;
use crate::{Data, Model};

/// The focal lengths of a camera in pixels, as those of a perspective one.
fn focal_lengths(model: &Model, cam: usize) -> [f64; 2] {
    match in_pixels(model, cam) {
        // the division is in single precision
        Some(scale) => scale(0),
        None => {
            let height = f64::from(model.cam_resolution[cam][1]);
            let half_angle = model.cam_fovy[cam] * std::f64::consts::PI / 360.0;
            [0.5 / libm::tan(half_angle) * height; 2]
        }
    }
}

/// For a camera whose lens is given in units of its sensor: two of the numbers of the lens from the
/// given one on, in pixels.
fn in_pixels(model: &Model, cam: usize) -> Option<impl Fn(usize) -> [f64; 2]> {
    let size = model.cam_sensorsize[cam];
    let lens = model.cam_intrinsic[cam];
    let resolution = model.cam_resolution[cam];
    (size[0] != 0.0 && size[1] != 0.0).then_some(move |first: usize| {
        std::array::from_fn(|i| f64::from(lens[first + i] / size[i] * resolution[i] as f32))
    })
}

/// The pixel at which a camera sees a point.
pub(super) fn project(model: &Model, data: &Data, cam: usize, point: Vec3) -> [f64; 2] {
    let [width, height] = model.cam_resolution[cam].map(f64::from);
    let [fx, fy] = focal_lengths(model, cam);
    let local = data.cam_xmat[cam].transpose_mul(point - data.cam_xpos[cam]);
    let depth = if local.z.abs() < MINVAL { MINVAL.copysign(local.z) } else { local.z };
    [
        (-fx * local.x + width / 2.0 * local.z) / depth,
        (fy * local.y + height / 2.0 * local.z) / depth,
    ]
}

/// The rays along which a camera sees, one per pixel.
pub(crate) struct PixelRays {
    focal: [f64; 2],
    centre: [f64; 2],
    /// Half the height of the image of an orthographic camera, whose rays are parallel.
    parallel: Option<f64>,
}

impl PixelRays {
    pub(crate) fn new(model: &Model, cam: usize) -> PixelRays {
        let middle = model.cam_resolution[cam].map(|n| f64::from(n) / 2.0);
        if model.cam_projection[cam] == Projection::Orthographic as i32 {
            let parallel = Some(model.cam_fovy[cam] / 2.0);
            return PixelRays { focal: middle, centre: middle, parallel };
        }
        PixelRays {
            focal: focal_lengths(model, cam),
            centre: in_pixels(model, cam).map_or(middle, |scale| scale(2)),
            parallel: None,
        }
    }

    /// Whether all rays are parallel; else they start at the camera.
    pub(super) fn parallel(&self) -> bool {
        self.parallel.is_some()
    }

    /// The ray through the middle of a pixel, counted from the upper left, with unit direction.
    pub(crate) fn ray(&self, data: &Data, cam: usize, [column, row]: [usize; 2]) -> Ray {
        let x = (column as f64 + 0.5 - self.centre[0]) / self.focal[0];
        let y = -(row as f64 + 0.5 - self.centre[1]) / self.focal[1];
        let (pos, mat) = (data.cam_xpos[cam], data.cam_xmat[cam]);
        match self.parallel {
            None => Ray { origin: pos, direction: (mat * Vec3::new(x, y, -1.0)).normalized().0 },
            Some(half) => {
                let offset = mat * Vec3::new(x * half, y * half, 0.0);
                Ray { origin: pos + offset, direction: -mat.column(2) }
            }
        }
    }
}
