//! Moving cameras and bodies by mouse, and selecting bodies.

use super::types::double;
use super::{Camera, CameraType, GlCamera, Mouse, Perturb, PerturbBit, Scene, VisFlag, VisOption};
use crate::math::{MINVAL, Quat, Vec3};
use crate::model::{JointType, ObjType};
use crate::ray::{RayFilter, ray};
use crate::smooth::{jac, object_velocity, solve_m};
use crate::{Data, Model};
use std::f64::consts::PI;

/// Moves of orthographic cameras and of what they show, per move of the mouse.
const PARALLEL_SPEED: f64 = 0.15;

/// What a click selects.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Selection {
    /// The body.
    pub body: usize,
    /// The geom of the body that was hit, unless it was a skin.
    pub geom: Option<usize>,
    /// The skin that was hit.
    pub skin: Option<usize>,
    /// The point that was hit.
    pub point: Vec3,
}

/// Turns `vec` about the vertical so that its y-axis is along `forward`.
#[doc(alias = "mjv_alignToCamera")]
pub fn align_to_camera(vec: Vec3, forward: Vec3) -> Vec3 {
    let length = (forward.x * forward.x + forward.y * forward.y).sqrt();
    let (x, y) = match length < MINVAL {
        true => (1.0, 0.0),
        false => (forward.x / length, forward.y / length),
    };
    Vec3::new(vec.x * y + vec.y * x, -vec.x * x + vec.y * y, vec.z)
}

/// A move of the mouse as a vector in space.
fn in_space(action: Mouse, dx: f64, dy: f64, forward: Vec3) -> Vec3 {
    let vec = match action {
        Mouse::RotateV => Vec3::new(dy, 0.0, dx),
        Mouse::RotateH => Vec3::new(dy, dx, 0.0),
        Mouse::MoveV | Mouse::MoveVRel => Vec3::new(dx, 0.0, -dy),
        Mouse::MoveH | Mouse::MoveHRel => Vec3::new(dx, -dy, 0.0),
        Mouse::Zoom | Mouse::None => Vec3::ZERO,
    };
    align_to_camera(vec, forward)
}

impl Scene {
    /// Moves `camera` as the mouse moves, in parts of the height of the picture.
    #[doc(alias = "mjv_moveCamera")]
    pub fn move_camera(
        &self,
        model: &Model,
        action: Mouse,
        dx: f64,
        dy: f64,
        camera: &mut Camera,
    ) -> Result<(), String> {
        let extent = model.stat.extent;
        let tracking = camera.kind == CameraType::Tracking as i32;
        if camera.kind == CameraType::Fixed as i32 {
            return Ok(());
        }
        match action {
            Mouse::RotateV | Mouse::RotateH => {
                camera.azimuth -= dx * 180.0;
                camera.elevation -= dy * 180.0;
            }
            Mouse::MoveV | Mouse::MoveH if tracking => return Ok(()),
            Mouse::MoveVRel | Mouse::MoveHRel if tracking => return Ok(()),
            Mouse::MoveV | Mouse::MoveH => {
                let (pos, forward, _) = self.camera_in_model()?;
                let vec = in_space(action, dx, dy, forward);
                let mut scale = self.frustum_height()? * (camera.lookat - pos).dot(forward);
                if camera.orthographic != 0 {
                    scale *= PARALLEL_SPEED;
                }
                camera.lookat -= vec * scale;
            }
            Mouse::Zoom => {
                let speed = libm::log(1.0 + camera.distance / extent / 3.0);
                camera.distance -= speed * dy * 9.0 * extent;
            }
            Mouse::MoveVRel | Mouse::MoveHRel => {
                let (_, forward, up) = self.camera_in_model()?;
                let ahead = if action == Mouse::MoveVRel { up } else { forward };
                camera.lookat += ahead * dy + forward.cross(up) * dx;
            }
            Mouse::None => return Err("unexpected action 0".to_owned()),
        }
        if camera.azimuth > 180.0 {
            camera.azimuth -= 360.0;
        }
        if camera.azimuth < -180.0 {
            camera.azimuth += 360.0;
        }
        camera.elevation = camera.elevation.clamp(-89.0, 89.0);
        camera.distance = camera.distance.max(0.01 * extent).min(100.0 * extent);
        Ok(())
    }

    /// Moves what the selected body is dragged with, as the mouse moves.
    #[doc(alias = "mjv_movePerturb")]
    pub fn move_perturb(
        &self,
        model: &Model,
        data: &Data,
        action: Mouse,
        dx: f64,
        dy: f64,
        pert: &mut Perturb,
    ) -> Result<(), String> {
        let body = usize::try_from(pert.select).ok().filter(|&body| body < model.nbody);
        let body = body.ok_or("selected body is outside valid range")?;
        let (_, forward, _) = self.camera_in_model()?;
        let vec = in_space(action, dx, dy, forward);
        let mut shift = |by: Vec3| {
            pert.refpos += by;
            pert.refselpos += by;
        };
        let mat = &data.xmat[body];
        match action {
            Mouse::MoveV | Mouse::MoveH => shift(vec * pert.scale),
            Mouse::MoveHRel | Mouse::MoveVRel => {
                let axis = if action == Mouse::MoveHRel { 0 } else { 2 };
                shift(mat.column(axis) * (pert.scale * dy) + mat.column(1) * (pert.scale * dx));
            }
            Mouse::RotateV | Mouse::RotateH => turn(model, data, body, vec, pert),
            Mouse::Zoom => {}
            Mouse::None => return Err("unexpected mouse action 0".to_owned()),
        }
        Ok(())
    }

    /// Moves the model as a whole, as the mouse moves.
    #[doc(alias = "mjv_moveModel")]
    pub fn move_model(
        &mut self,
        model: &Model,
        action: Mouse,
        dx: f64,
        dy: f64,
        up: Vec3,
    ) -> Result<(), String> {
        if !self.enabletransform {
            return Ok(());
        }
        let (_, ahead, _) = self.camera_in_room()?;
        let forward = (ahead - up * ahead.dot(up)).normalized().0;
        let right = forward.cross(up).normalized().0;
        match action {
            Mouse::RotateV | Mouse::RotateH => {
                let axis = if action == Mouse::RotateV { up } else { forward };
                let (axis, length) = (axis * dx + right * dy).normalized();
                let turned = Quat::from_axis_angle(axis, length * PI) * super::quat(self.rotate);
                self.rotate = turned.normalized().to_array().map(|x| x as f32);
            }
            Mouse::MoveV | Mouse::MoveVRel | Mouse::MoveH | Mouse::MoveHRel => {
                let vertical = matches!(action, Mouse::MoveV | Mouse::MoveVRel);
                let along = if vertical { up } else { forward };
                let step = (right * dx - along * dy) * model.stat.extent;
                let moved = double(self.translate) + step;
                self.translate = super::types::single(moved);
            }
            Mouse::Zoom => {
                let scale = f64::from(self.scale);
                let scale = scale + libm::log(1.0 + scale / 3.0) * dy * 3.0;
                self.scale = (scale as f32).clamp(0.01, 100.0);
            }
            Mouse::None => return Err("unexpected action 0".to_owned()),
        }
        Ok(())
    }

    /// Starts dragging the selected body: remembers where it is and what it weighs.
    #[doc(alias = "mjv_initPerturb")]
    pub fn init_perturb(
        &self,
        model: &Model,
        data: &Data,
        pert: &mut Perturb,
    ) -> Result<(), String> {
        let Some(body) = usize::try_from(pert.select).ok().filter(|&b| b > 0 && b < model.nbody)
        else {
            return Ok(());
        };
        let point = data.xmat[body] * pert.localpos + data.xpos[body];
        pert.localmass = mass_at(model, data, body, point);
        pert.refpos = data.xipos[body];
        pert.refquat = data.xquat[body] * model.body_iquat[body];
        pert.refselpos = point;
        let (pos, forward, _) = self.camera_in_model()?;
        pert.scale = self.frustum_height()? * (point - pos).dot(forward);
        if self.camera[0].orthographic != 0 {
            pert.scale *= PARALLEL_SPEED;
        }
        Ok(())
    }

    /// The body at a place of the picture, given in parts of its width and height from the lower
    /// left.
    #[doc(alias = "mjv_select")]
    pub fn select(
        &self,
        model: &Model,
        data: &Data,
        opt: &VisOption,
        aspect: f64,
        [x, y]: [f64; 2],
    ) -> Result<Option<Selection>, String> {
        let camera = GlCamera::average(&self.camera[0], &self.camera[1])?;
        let (mut pos, forward, up) = self.camera_in_model()?;
        let left = up.cross(forward).normalized().0;
        let [bottom, top] = [camera.frustum_bottom, camera.frustum_top].map(f64::from);
        let halfwidth = 0.5 * aspect * (top - bottom);
        let above = bottom + y * (top - bottom);
        let aside = -(f64::from(camera.frustum_center) + (2.0 * x - 1.0) * halfwidth);
        let offset = up * above + left * aside;
        let direction = if camera.orthographic != 0 {
            pos += offset;
            forward
        } else {
            (forward * f64::from(camera.frustum_near) + offset).normalized().0
        };

        let filter = RayFilter {
            groups: Some(opt.geomgroup.map(|group| group != 0)),
            fixed: opt.shows(VisFlag::Static),
            exclude: None,
        };
        let geom = ray(model, data, pos, direction, &filter).map(|hit| {
            let point = pos + direction * hit.distance;
            let body = model.geom_bodyid[hit.geom] as usize;
            (hit.distance, Selection { body, geom: Some(hit.geom), skin: None, point })
        });
        let skin = opt.shows(VisFlag::Skin).then(|| self.select_skin(model, pos, direction));
        let hits = [geom, skin.flatten()].into_iter().flatten();
        Ok(hits.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, selection)| selection))
    }

    /// The nearest skin along a ray; its body is the bone with the largest weight at the nearest
    /// vertex of the face that is hit.
    fn select_skin(&self, model: &Model, pos: Vec3, direction: Vec3) -> Option<(f64, Selection)> {
        let mut best: Option<(f64, Selection)> = None;
        for skin in 0..model.nskin.min(self.skins.vertadr.len()) {
            let first = model.skin_vertadr[skin] as usize;
            let vert = &self.skins.vert[first..first + model.skin_vertnum[skin] as usize];
            let faces = model.skin_faceadr[skin] as usize;
            let faces = &model.skin_face[faces..faces + model.skin_facenum[skin] as usize];
            for face in faces {
                let corners = face.map(|v| double(vert[v as usize]));
                let Some((distance, weights)) = ray_triangle(corners, pos, direction) else {
                    continue;
                };
                if best.is_some_and(|(nearest, _)| nearest <= distance) {
                    continue;
                }
                let heaviest = (0..3).max_by(|&a, &b| weights[a].total_cmp(&weights[b]));
                let vertex = face[heaviest.unwrap_or(0)];
                if let Some(body) = heaviest_bone(model, skin, vertex) {
                    let point = double(vert[vertex as usize]);
                    let selection = Selection { body, geom: None, skin: Some(skin), point };
                    best = Some((distance, selection));
                }
            }
        }
        best
    }
}

/// Distance along a ray to a triangle, and the weights of its corners there. Möller and Trumbore,
/// Fast, minimum storage ray-triangle intersection (1997).
fn ray_triangle([a, b, c]: [Vec3; 3], pos: Vec3, direction: Vec3) -> Option<(f64, [f64; 3])> {
    let (e1, e2) = (b - a, c - a);
    let p = direction.cross(e2);
    let det = e1.dot(p);
    if det.abs() < MINVAL {
        return None;
    }
    let offset = pos - a;
    let u = offset.dot(p) / det;
    let q = offset.cross(e1);
    let v = direction.dot(q) / det;
    let distance = e2.dot(q) / det;
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0;
    inside.then_some((distance, [1.0 - u - v, u, v]))
}

fn heaviest_bone(model: &Model, skin: usize, vertex: i32) -> Option<usize> {
    let bones = model.skin_boneadr[skin] as usize;
    let mut best = (-1.0, None);
    for bone in bones..bones + model.skin_bonenum[skin] as usize {
        let first = model.skin_bonevertadr[bone] as usize;
        for k in first..first + model.skin_bonevertnum[bone] as usize {
            if model.skin_bonevertid[k] == vertex && model.skin_bonevertweight[k] > best.0 {
                let body = model.skin_bonebodyid[bone] as usize;
                best = (model.skin_bonevertweight[k], Some(body));
            }
        }
    }
    best.1
}

/// The mass that a pull at `point` of a body feels: three over the trace of `J M⁻¹ Jᵀ`.
fn mass_at(model: &Model, data: &Data, body: usize, point: Vec3) -> f64 {
    let nv = model.nv;
    let mut rows = vec![0.0; 3 * nv];
    jac(model, data, &mut rows, &mut vec![0.0; 3 * nv], point, body);
    let mut inverse = rows.clone();
    let mut trace = 0.0;
    for (row, solved) in rows.chunks_exact(nv.max(1)).zip(inverse.chunks_exact_mut(nv.max(1))) {
        solve_m(model, data, solved);
        trace += row.iter().zip(solved.iter()).map(|(a, b)| a * b).sum::<f64>();
    }
    if trace == 0.0 { 1.0 } else { 3.0 / trace.max(MINVAL) }
}

/// Turns the reference of the selected body, at most a quarter turn away from the body.
fn turn(model: &Model, data: &Data, body: usize, vec: Vec3, pert: &mut Perturb) {
    let (axis, length) = vec.normalized();
    let turned = Quat::from_axis_angle(axis, length * PI * 2.0) * pert.refquat;
    pert.refquat = turned.normalized();
    if body > 0 {
        let inertial = data.xquat[body] * model.body_iquat[body];
        let away = inertial.conjugate() * pert.refquat;
        let (axis, angle) = away.to_velocity(1.0).normalized();
        if angle > PI * 0.5 {
            pert.refquat = inertial * Quat::from_axis_angle(axis, PI * 0.5);
        }
    }
}

impl Perturb {
    /// Whether any perturbation of that kind is active.
    fn has(&self, bit: PerturbBit) -> bool {
        (self.active | self.active2) & bit as i32 != 0
    }

    /// Writes the pose that the user asks for: that of a mocap body, or, while the simulation is
    /// paused, of the free joint that carries the selected body.
    #[doc(alias = "mjv_applyPerturbPose")]
    pub fn apply_pose(&self, model: &Model, data: &mut Data, paused: bool) {
        let Some(body) = usize::try_from(self.select).ok().filter(|&b| b > 0 && b < model.nbody)
        else {
            return;
        };
        if self.active | self.active2 == 0 {
            return;
        }
        // from the frame of inertia to that of the body
        let rot = self.refquat * model.body_iquat[body].conjugate();
        let pos = self.refpos - rot.rotate(model.body_ipos[body]);
        let root = model.body_rootid[body] as usize;
        let free = |body: usize| {
            let joints = model.body_jnts(body);
            let jnt = joints.start;
            let only = joints.len() == 1 && model.jnt_kind(jnt) == JointType::Free;
            only.then(|| model.jnt_qposadr[jnt] as usize)
        };
        if let Some(mocap) = model.body_mocap(body) {
            data.mocap_pos[mocap] = pos;
            data.mocap_quat[mocap] = rot;
        } else if let Some(adr) = free(body).filter(|_| paused) {
            write_pose(&mut data.qpos[adr..adr + 7], pos, rot);
        } else if let Some(adr) = free(root).filter(|_| paused) {
            let q = &data.qpos[adr..adr + 7];
            let (root_pos, root_rot) =
                (Vec3::new(q[0], q[1], q[2]), Quat::new(q[3], q[4], q[5], q[6]));
            let back = data.xquat[body].conjugate();
            let local_pos = back.rotate(root_pos) - back.rotate(data.xpos[body]);
            let local_rot = back * root_rot;
            let (p, r) = (pos + rot.rotate(local_pos), rot * local_rot);
            write_pose(&mut data.qpos[adr..adr + 7], p, r);
        }
    }

    /// Writes the force of a spring with critical damping between the selected point and the
    /// mouse to `xfrc_applied`.
    #[doc(alias = "mjv_applyPerturbForce")]
    pub fn apply_force(&self, model: &Model, data: &mut Data) {
        let Some(body) = usize::try_from(self.select).ok().filter(|&body| body < model.nbody)
        else {
            return;
        };
        if self.active | self.active2 == 0 {
            return;
        }
        let velocity = object_velocity(model, data, ObjType::Body, body);
        let [_, weight] = model.body_invweight0[body];
        let inertia = if weight == 0.0 { 1.0 } else { 1.0 / weight.max(MINVAL) };
        let [a, b, c, d, e, f] = data.xfrc_applied[body];
        let (mut force, mut torque) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        let stiffness_rot = f64::from(model.vis.map.stiffnessrot);
        if self.has(PerturbBit::Translate) {
            let point = data.xmat[body] * self.localpos + data.xpos[body];
            let away = point - self.refselpos;
            let stiffness = f64::from(model.vis.map.stiffness);
            let arm = point - data.xipos[body];
            let speed = velocity.rot.cross(arm) + velocity.lin;
            force =
                away * (-stiffness * self.localmass) + speed * (-stiffness.sqrt() * self.localmass);
            let axis = away.normalized().0;
            let damping = -stiffness_rot.sqrt() * inertia * axis.dot(velocity.rot);
            torque = arm.cross(force) + axis * damping;
        }
        if self.has(PerturbBit::Rotate) {
            let inertial = data.xquat[body] * model.body_iquat[body];
            let away = self.refquat * inertial.conjugate();
            torque = away.to_velocity(1.0 / (stiffness_rot * inertia))
                + velocity.rot * (-stiffness_rot.sqrt() * inertia);
        }
        let ([a, b, c], [d, e, f]) = (force.to_array(), torque.to_array());
        data.xfrc_applied[body] = [a, b, c, d, e, f];
    }
}

fn write_pose(qpos: &mut [f64], pos: Vec3, rot: Quat) {
    qpos[..3].copy_from_slice(&pos.to_array());
    qpos[3..].copy_from_slice(&rot.to_array());
}
