//! Poses and frustums of cameras, and the lights.

use super::types::{double, single};
use super::{Camera, CameraType, GlCamera, Light, MAX_LIGHTS, Scene, quat};
use crate::math::{MINVAL, Mat3, Quat, Vec3};
use crate::model::{LightType, Projection};
use crate::{Data, Model};

/// Where a camera is and where it looks.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct CameraFrame {
    pub pos: Vec3,
    pub forward: Vec3,
    pub up: Vec3,
    pub right: Vec3,
}

/// What a camera sees: half heights below and above its axis, half widths left and right of it, and
/// the distances of its planes. Heights of a perspective camera are those at the near plane.
#[derive(Debug, Clone, Copy, PartialEq)]
#[allow(missing_docs)]
pub struct Frustum {
    pub vertical: [f32; 2],
    pub horizontal: [f32; 2],
    pub clip: [f32; 2],
    pub orthographic: bool,
}

impl Camera {
    /// The camera of the model that this one is, if it is fixed.
    fn model_camera(&self, model: &Model) -> Result<Option<usize>, String> {
        match CameraType::from_i32(self.kind) {
            Some(CameraType::Free | CameraType::Tracking) => Ok(None),
            Some(CameraType::Fixed) => match usize::try_from(self.fixedcamid) {
                Ok(cam) if cam < model.ncam => Ok(Some(cam)),
                _ => Err("fixed camera id is outside valid range".to_owned()),
            },
            _ => Err("unknown camera type".to_owned()),
        }
    }

    /// The pose of the camera.
    #[doc(alias = "mjv_cameraFrame")]
    pub fn frame(&self, model: &Model, data: &Data) -> Result<CameraFrame, String> {
        if let Some(cam) = self.model_camera(model)? {
            let mat = &data.cam_xmat[cam];
            let [right, up, back] = [0, 1, 2].map(|i| mat.column(i));
            return Ok(CameraFrame { pos: data.cam_xpos[cam], forward: -back, up, right });
        }
        let [azimuth, elevation] = [self.azimuth, self.elevation].map(f64::to_radians);
        let ((sa, ca), (se, ce)) = (libm::sincos(azimuth), libm::sincos(elevation));
        let forward = Vec3::new(ce * ca, ce * sa, se);
        Ok(CameraFrame {
            pos: self.lookat - forward * self.distance,
            forward,
            up: Vec3::new(-se * ca, -se * sa, ce),
            right: Vec3::new(sa, -ca, 0.0),
        })
    }

    /// What the camera sees.
    #[doc(alias = "mjv_cameraFrustum")]
    pub fn frustum(&self, model: &Model) -> Result<Frustum, String> {
        let vis = &model.vis;
        let cam = self.model_camera(model)?;
        let clip = [vis.map.znear, vis.map.zfar].map(|z| (f64::from(z) * model.stat.extent) as f32);
        let (orthographic, fovy) = match cam {
            None => (vis.global.orthographic != 0, f64::from(vis.global.fovy)),
            Some(cam) => {
                let parallel = model.cam_projection[cam] == Projection::Orthographic as i32;
                (parallel, model.cam_fovy[cam])
            }
        };
        let (vertical, horizontal) = if orthographic {
            ([(fovy / 2.0) as f32; 2], [0.0; 2])
        } else if let Some(cam) = cam.filter(|&cam| model.cam_sensorsize[cam][1] != 0.0) {
            lens(clip[0], model.cam_intrinsic[cam], model.cam_sensorsize[cam])
        } else {
            let half = f64::from(clip[0]) * libm::tan(fovy * std::f64::consts::PI / 360.0);
            ([half as f32; 2], [0.0; 2])
        };
        Ok(Frustum { vertical, horizontal, clip, orthographic })
    }
}

/// Half heights and half widths at the near plane of a camera with a lens and a sensor.
pub(super) fn lens(near: f32, intrinsic: [f32; 4], sensor: [f32; 2]) -> ([f32; 2], [f32; 2]) {
    let half = |i: usize| {
        let (focal, middle, size) = (intrinsic[i], intrinsic[i + 2], sensor[i]);
        [near / focal * (size / 2.0 - middle), near / focal * (size / 2.0 + middle)]
    };
    (half(1), half(0))
}

impl Scene {
    /// Moves the cameras of the scene to where `camera` is.
    #[doc(alias = "mjv_updateCamera")]
    pub fn update_camera(
        &mut self,
        model: &Model,
        data: &Data,
        camera: &mut Camera,
    ) -> Result<(), String> {
        if camera.kind == CameraType::User as i32 {
            return Ok(());
        }
        if camera.kind == CameraType::Tracking as i32 {
            let body = usize::try_from(camera.trackbodyid).ok().filter(|&b| b < model.nbody);
            let body = body.ok_or("track body id is outside valid range")?;
            camera.lookat = data.subtree_com[body];
        }
        let frame = camera.frame(model, data)?;
        let Frustum { vertical, horizontal, clip, orthographic } = camera.frustum(model)?;
        let ipd = match camera.model_camera(model)? {
            Some(cam) => model.cam_ipd[cam],
            None => f64::from(model.vis.global.ipd),
        };
        self.camera = [-0.5, 0.5].map(|side| GlCamera {
            pos: single(frame.pos + frame.right * (side * ipd)),
            forward: single(frame.forward),
            up: single(frame.up),
            frustum_center: (horizontal[1] - horizontal[0]) / 2.0,
            frustum_width: (horizontal[1] + horizontal[0]) / 2.0,
            frustum_bottom: -vertical[0],
            frustum_top: vertical[1],
            frustum_near: clip[0],
            frustum_far: clip[1],
            orthographic: i32::from(orthographic),
        });
        self.enabletransform = false;
        Ok(())
    }

    /// Makes the lights: the headlight first, then those of the model that are on.
    #[doc(alias = "mjv_makeLights")]
    pub fn make_lights(&mut self, model: &Model, data: &Data) -> Result<(), String> {
        self.lights.clear();
        let headlight = &model.vis.headlight;
        if headlight.active != 0 {
            let (pos, forward, _) = self.camera_in_model()?;
            self.lights.push(Light {
                headlight: 1,
                kind: LightType::Directional as i32,
                bulbradius: 0.02,
                range: 10.0,
                pos: single(pos),
                dir: single(forward),
                ambient: headlight.ambient,
                diffuse: headlight.diffuse,
                specular: headlight.specular,
                ..Light::default()
            });
        }
        for id in 0..model.nlight {
            if model.light_active[id] == 0 || self.lights.len() >= MAX_LIGHTS {
                continue;
            }
            let mut light = Light {
                id: id as i32,
                kind: model.light_type[id],
                texid: model.light_texid[id],
                castshadow: model.light_castshadow[id],
                bulbradius: model.light_bulbradius[id],
                intensity: model.light_intensity[id],
                range: model.light_range[id],
                ambient: model.light_ambient[id],
                diffuse: model.light_diffuse[id],
                specular: model.light_specular[id],
                pos: single(data.light_xpos[id]),
                dir: single(data.light_xdir[id]),
                ..Light::default()
            };
            if light.kind == LightType::Spot as i32 {
                light.attenuation = model.light_attenuation[id];
                light.exponent = model.light_exponent[id];
                light.cutoff = model.light_cutoff[id];
            }
            self.lights.push(light);
        }
        Ok(())
    }

    /// Position, direction and upward direction of the average camera, as seen by the model.
    #[doc(alias = "mjv_cameraInModel")]
    pub fn camera_in_model(&self) -> Result<(Vec3, Vec3, Vec3), String> {
        self.check_near()?;
        let (mut pos, mut forward, mut up) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
        for camera in &self.camera {
            let ahead = double(camera.forward).normalized().0;
            let above = double(camera.up).normalized().0;
            let left = above.cross(ahead).normalized().0;
            let turned = Mat3::from_columns(left, above, ahead).to_quat();
            let (p, q) = self.room_to_model(double(camera.pos), turned)?;
            let mat = q.to_mat();
            pos += p * 0.5;
            forward += mat.column(2) * 0.5;
            up += mat.column(1) * 0.5;
        }
        Ok((pos, forward.normalized().0, up.normalized().0))
    }

    /// Position, direction and upward direction of the average camera.
    #[doc(alias = "mjv_cameraInRoom")]
    pub fn camera_in_room(&self) -> Result<(Vec3, Vec3, Vec3), String> {
        self.check_near()?;
        let mean = |get: fn(&GlCamera) -> [f32; 3]| {
            double(get(&self.camera[0])) * 0.5 + double(get(&self.camera[1])) * 0.5
        };
        let forward = mean(|camera| camera.forward).normalized().0;
        let up = mean(|camera| camera.up).normalized().0;
        Ok((mean(|camera| camera.pos), forward, up))
    }

    fn check_near(&self) -> Result<(), String> {
        let near = |camera: &GlCamera| f64::from(camera.frustum_near) >= MINVAL;
        match self.camera.iter().all(near) {
            true => Ok(()),
            false => Err("mjvScene frustum_near too small".to_owned()),
        }
    }

    fn check_scale(&self) -> Result<(), String> {
        match f64::from(self.scale) >= MINVAL {
            true => Ok(()),
            false => Err("mjvScene scale too small".to_owned()),
        }
    }

    /// A pose of the room as the model sees it.
    #[doc(alias = "mjv_room2model")]
    pub fn room_to_model(&self, pos: Vec3, rot: Quat) -> Result<(Vec3, Quat), String> {
        self.check_scale()?;
        if !self.enabletransform {
            return Ok((pos, rot));
        }
        let back = quat(self.rotate).conjugate();
        let moved = back.rotate(pos) - back.rotate(double(self.translate));
        Ok((moved * (1.0 / f64::from(self.scale)), (back * rot).normalized()))
    }

    /// A pose of the model as the room sees it.
    #[doc(alias = "mjv_model2room")]
    pub fn model_to_room(&self, pos: Vec3, rot: Quat) -> Result<(Vec3, Quat), String> {
        self.check_scale()?;
        if !self.enabletransform {
            return Ok((pos, rot));
        }
        let turn = quat(self.rotate);
        let moved = turn.rotate(pos) + double(self.translate);
        Ok((moved * f64::from(self.scale), (turn * rot).normalized()))
    }

    /// Height of the frustum at distance 1.
    #[doc(alias = "mjv_frustumHeight")]
    pub fn frustum_height(&self) -> Result<f64, String> {
        let [left, right] = &self.camera;
        if left.orthographic != right.orthographic {
            let text = "cannot average frustums of perspective and orthographic cameras";
            return Err(text.to_owned());
        }
        let height = |c: &GlCamera| f64::from(c.frustum_top - c.frustum_bottom);
        if left.orthographic != 0 {
            return Ok(0.5 * (height(left) + height(right)));
        }
        self.check_near()?;
        let unit = |c: &GlCamera| f64::from((c.frustum_top - c.frustum_bottom) / c.frustum_near);
        Ok(0.5 * (unit(left) + unit(right)))
    }
}

impl GlCamera {
    /// The average of two cameras.
    #[doc(alias = "mjv_averageCamera")]
    pub fn average(a: &GlCamera, b: &GlCamera) -> Result<GlCamera, String> {
        if a.orthographic != b.orthographic {
            return Err("cannot average perspective and orthographic cameras".to_owned());
        }
        let forward = (double(a.forward) + double(b.forward)).normalized().0;
        let up = double(a.up) + double(b.up);
        let up = (up - forward * up.dot(forward)).normalized().0;
        let mean = |get: fn(&GlCamera) -> f32| 0.5 * (get(a) + get(b));
        Ok(GlCamera {
            pos: single((double(a.pos) + double(b.pos)) * 0.5),
            forward: single(forward),
            up: single(up),
            frustum_center: mean(|c| c.frustum_center),
            frustum_width: mean(|c| c.frustum_width),
            frustum_bottom: mean(|c| c.frustum_bottom),
            frustum_top: mean(|c| c.frustum_top),
            frustum_near: mean(|c| c.frustum_near),
            frustum_far: mean(|c| c.frustum_far),
            orthographic: a.orthographic,
        })
    }
}
