//! Sensors: derivatives of what they read at the state before the step.

use super::DerivativeError;
use super::acceleration::{Acceleration, clear, gravity};
use super::contact::{add_gradients, add_normal_gradient};
use super::tree::{TreeGradient, body_accelerations};
use crate::math::{MINVAL, Mat3, Motion, Quat, Vec3};
use crate::model::{
    CamLightMode, ConstraintType, DataType, Disable, EqType, ObjType, SensorType, TrnType, WrapType,
};
use crate::sensor::touches;
use crate::smooth::{com_offset, dof_chain, mul_m, object_frame};
use crate::{Data, Model};

/// Derivatives of sensors by state and control: `s = C x + D u`.
#[derive(Debug, Clone, Default)]
pub(super) struct Sensors {
    /// By rows, over positions, velocities, activations and controls.
    rows: Vec<f64>,
    width: usize,
    // of forces
    gradient: TreeGradient,
    zeros: Vec<f64>,
    // of the kinetic energy
    momentum: Vec<f64>,
    acc: Vec<Motion>,
}

/// An object with a frame.
#[derive(Clone, Copy)]
struct Frame {
    body: usize,
    pos: Vec3,
    mat: Mat3,
    quat: Quat,
    /// From the reference point of com-based quantities.
    offset: Vec3,
    /// The camera, if it does not ride with its body.
    camera: Option<usize>,
}

impl Frame {
    fn new(model: &Model, data: &Data, kind: ObjType, id: usize) -> Frame {
        let (body, pos, mat) = object_frame(model, data, kind, id);
        let local = match kind {
            ObjType::Body => model.body_iquat[id],
            ObjType::Geom => model.geom_quat[id],
            ObjType::Site => model.site_quat[id],
            ObjType::Camera => model.cam_quat[id],
            _ => Quat::IDENTITY,
        };
        let offset = com_offset(model, data, pos, body);
        let camera = tracks(model, kind, id).then_some(id);
        Frame { body, pos, mat, quat: data.xquat[body] * local, offset, camera }
    }

    /// How the position moves and the axes turn with a dof.
    fn motion_by(&self, model: &Model, data: &Data, dof: usize) -> (Vec3, Vec3) {
        let moves = |body: usize| is_below(model, body, model.dof_body(dof));
        let axis = data.cdof[dof];
        // of a point of a body
        let point = |body: usize, pos: Vec3| {
            if moves(body) { axis.at(com_offset(model, data, pos, body)) } else { Vec3::ZERO }
        };
        let shift_of_com =
            |body: usize| subtree_shift(model, data, body, dof).unwrap_or(Vec3::ZERO);
        let Some(camera) = self.camera else {
            let turn = if moves(self.body) { axis.rot } else { Vec3::ZERO };
            return (point(self.body, self.pos), turn);
        };
        let target = usize::try_from(model.cam_targetbodyid[camera]).unwrap_or(0);
        let (there, moved) = match CamLightMode::from_i32(model.cam_mode[camera]) {
            Some(CamLightMode::Track) => {
                return (point(self.body, data.xpos[self.body]), Vec3::ZERO);
            }
            Some(CamLightMode::TrackCom) => return (shift_of_com(self.body), Vec3::ZERO),
            Some(CamLightMode::TargetBodyCom) => (data.subtree_com[target], shift_of_com(target)),
            _ => (data.xpos[target], point(target, data.xpos[target])),
        };
        // z points away from the target, x is horizontal
        let shift = point(self.body, self.pos);
        let [x, y, z] = [0, 1, 2].map(|i| self.mat.column(i));
        let rate = (shift - moved) * (1.0 / (self.pos - there).norm().max(MINVAL));
        let z_rate = rate - z * z.dot(rate);
        let rate = Vec3::Z.cross(z_rate) * (1.0 / Vec3::Z.cross(z).norm().max(MINVAL));
        (shift, z.cross(z_rate) + z * y.dot(rate - x * x.dot(rate)))
    }
}

/// Whether an object is a camera that does not ride with its body.
fn tracks(model: &Model, kind: ObjType, id: usize) -> bool {
    kind == ObjType::Camera
        && match CamLightMode::from_i32(model.cam_mode[id]) {
            Some(CamLightMode::Track | CamLightMode::TrackCom) => true,
            Some(CamLightMode::TargetBody | CamLightMode::TargetBodyCom) => {
                model.cam_targetbodyid[id] >= 0
            }
            _ => false,
        }
}

/// What a sensor with a frame reads.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    Pos,
    Axis(usize),
    Quat,
    LinVel,
    AngVel,
}

impl Sensors {
    /// Computes `C` and `D`. Runs when the derivatives of the acceleration are there.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        data: &Data,
        acceleration: &Acceleration,
        [c, d]: [&mut Vec<f64>; 2],
    ) -> Result<(), DerivativeError> {
        let n = 2 * model.nv + model.na;
        self.width = n + model.nu;
        clear(&mut self.rows, model.nsensordata * self.width, 0.0);
        if !model.disabled(Disable::Sensor) {
            for sensor in 0..model.nsensor {
                self.add(model, data, acceleration, sensor)?;
                self.cut_off(model, data, sensor);
            }
        }
        c.clear();
        d.clear();
        for row in self.rows.chunks_exact(self.width.max(1)) {
            c.extend_from_slice(&row[..n]);
            d.extend_from_slice(&row[n..]);
        }
        Ok(())
    }

    /// A value at its limit stays there.
    fn cut_off(&mut self, model: &Model, data: &Data, sensor: usize) {
        let cutoff = model.sensor_cutoff[sensor];
        let low = match DataType::from_i32(model.sensor_datatype[sensor]) {
            Some(DataType::Real) => -cutoff,
            Some(DataType::Positive) => f64::NEG_INFINITY,
            _ => return,
        };
        if cutoff > 0.0 {
            for row in model.sensor_values(sensor) {
                if data.sensordata[row] >= cutoff || data.sensordata[row] <= low {
                    self.rows[row * self.width..(row + 1) * self.width].fill(0.0);
                }
            }
        }
    }

    fn row(&mut self, row: usize) -> &mut [f64] {
        &mut self.rows[row * self.width..(row + 1) * self.width]
    }

    /// Adds a vector to one column of three rows.
    fn put(&mut self, first: usize, column: usize, value: Vec3) {
        (0..3).for_each(|i| self.row(first + i)[column] += value[i]);
    }

    fn add(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        sensor: usize,
    ) -> Result<(), DerivativeError> {
        use SensorType as S;
        let nv = model.nv;
        let first = model.sensor_adr[sensor] as usize;
        let id = model.sensor_objid[sensor] as usize;
        let kind = SensorType::from_i32(model.sensor_type[sensor]);
        let dof_of = |jnt: usize| model.jnt_dofadr[jnt] as usize;
        match kind {
            // positions
            Some(S::Magnetometer) => {
                let site = Frame::new(model, data, ObjType::Site, id);
                for k in dof_chain(model, site.body) {
                    let turned = -data.cdof[k].rot.cross(model.opt.magnetic);
                    self.put(first, k, site.mat.transpose_mul(turned));
                }
            }
            Some(S::JointPos) => self.row(first)[dof_of(id)] = 1.0,
            Some(S::TendonPos) => self.add_tendon(model, data, id, first, 0, 1.0),
            Some(S::ActuatorPos) => {
                of.actuators.add_slopes(model, data, id, (1.0, 0.0), self.row(first));
            }
            Some(S::BallQuat) => {
                let q = &data.qpos[model.jnt_qposadr[id] as usize..][..4];
                let quat = Quat::new(q[0], q[1], q[2], q[3]).normalized();
                for k in 0..3 {
                    let w = [Vec3::X, Vec3::Y, Vec3::Z][k] * 0.5;
                    let change = quat * Quat::new(0.0, w.x, w.y, w.z);
                    for (i, x) in change.to_array().into_iter().enumerate() {
                        self.row(first + i)[dof_of(id) + k] = x;
                    }
                }
            }
            Some(S::JointLimitPos | S::TendonLimitPos) => {
                self.add_limit_row(data, limit_kind(kind), id, first, 0, 1.0);
            }
            Some(S::FramePos) => self.frame(model, data, of, sensor, Reading::Pos),
            Some(S::FrameXAxis) => self.frame(model, data, of, sensor, Reading::Axis(0)),
            Some(S::FrameYAxis) => self.frame(model, data, of, sensor, Reading::Axis(1)),
            Some(S::FrameZAxis) => self.frame(model, data, of, sensor, Reading::Axis(2)),
            Some(S::FrameQuat) => self.frame(model, data, of, sensor, Reading::Quat),
            Some(S::SubtreeCom) => {
                for k in 0..nv {
                    if let Some(change) = subtree_shift(model, data, id, k) {
                        self.put(first, k, change);
                    }
                }
            }
            Some(S::InsideSite | S::Clock) => {}
            Some(S::EPotential) => {
                let g = gravity(model);
                for k in 0..nv {
                    let weight = data.crb[model.dof_body(k)] * Motion::linear(g);
                    self.row(first)[k] = -data.cdof[k].dot(weight) - data.qfrc_spring[k];
                }
            }
            Some(S::EKinetic) => self.kinetic(model, data, of, first),
            // velocities
            Some(S::Velocimeter) => self.local_velocity(model, data, of, id, first, false),
            Some(S::Gyro) => self.local_velocity(model, data, of, id, first, true),
            Some(S::JointVel) => self.row(first)[nv + dof_of(id)] = 1.0,
            Some(S::TendonVel) => {
                self.row(first)[..nv].copy_from_slice(of.tendons.by_vel(id));
                self.add_tendon(model, data, id, first, nv, 1.0);
            }
            Some(S::ActuatorVel) => {
                of.actuators.add_slopes(model, data, id, (0.0, 1.0), self.row(first));
                for adr in model.moment_row(data, id) {
                    let dof = data.moment_colind[adr] as usize;
                    self.row(first)[nv + dof] += data.actuator_moment[adr];
                }
            }
            Some(S::BallAngVel) => {
                (0..3).for_each(|i| self.row(first + i)[nv + dof_of(id) + i] = 1.0);
            }
            Some(S::JointLimitVel) if model.jnt_kind(id) != crate::model::JointType::Ball => {
                self.add_limit_row(data, limit_kind(kind), id, first, nv, 1.0);
            }
            Some(S::TendonLimitVel) => {
                if let Some(sign) = tendon_limit_sign(model, data, id) {
                    let row = self.row(first);
                    let bends = row.iter_mut().zip(of.tendons.by_vel(id));
                    bends.for_each(|(out, by)| *out = sign * by);
                    self.add_limit_row(data, limit_kind(kind), id, first, nv, 1.0);
                }
            }
            Some(S::FrameLinVel) => self.frame(model, data, of, sensor, Reading::LinVel),
            Some(S::FrameAngVel) => self.frame(model, data, of, sensor, Reading::AngVel),
            Some(S::SubtreeLinVel) => self.subtree_velocity(model, data, of, id, first),
            // accelerations and forces
            Some(S::Accelerometer) => {
                let site = Frame::new(model, data, ObjType::Site, id);
                self.acceleration(model, data, of, site, first, Some(site.mat), false);
            }
            Some(S::FrameLinAcc | S::FrameAngAcc)
                if !tracks(model, object_type(model, sensor), id) =>
            {
                let object = Frame::new(model, data, object_type(model, sensor), id);
                let angular = kind == Some(S::FrameAngAcc);
                self.acceleration(model, data, of, object, first, None, angular);
            }
            Some(S::Touch) => self.touch(model, data, of, id, first),
            Some(S::Force | S::Torque) if !has_joined_bodies(model, data) => {
                for axis in 0..3 {
                    self.interaction(
                        model,
                        data,
                        of,
                        id,
                        first + axis,
                        axis,
                        kind == Some(S::Torque),
                    );
                }
            }
            Some(S::ActuatorFrc) => self.actuator_force(model, data, of, id, first, 1.0),
            Some(S::TendonActFrc) => {
                for actuator in 0..model.nu {
                    if model.actuator_trntype[actuator] == TrnType::Tendon as i32
                        && model.actuator_trnid[actuator][0] as usize == id
                    {
                        self.actuator_force(model, data, of, actuator, first, 1.0);
                    }
                }
            }
            Some(S::JointActFrc) if constant_arms(model) && model.ngravcomp == 0 => {
                let dof = dof_of(id);
                for actuator in 0..model.nu {
                    for adr in model.moment_row(data, actuator) {
                        if data.moment_colind[adr] as usize == dof && !of.actuators.limited[dof] {
                            let arm = data.actuator_moment[adr];
                            self.actuator_force(model, data, of, actuator, first, arm);
                        }
                    }
                }
            }
            Some(S::JointLimitFrc) if model.jnt_kind(id) != crate::model::JointType::Ball => {
                self.limit_force(data, of, limit_kind(kind), id, first, None);
            }
            Some(S::TendonLimitFrc) => {
                let bends = tendon_limit_sign(model, data, id);
                self.limit_force(data, of, limit_kind(kind), id, first, bends);
            }
            _ => {
                let name = model.name(ObjType::Sensor, sensor).unwrap_or("");
                let what = format!("sensor {sensor} '{name}', of type {kind:?},");
                return Err(DerivativeError::Unsupported(what));
            }
        }
        Ok(())
    }

    fn add_tendon(
        &mut self,
        model: &Model,
        data: &Data,
        tendon: usize,
        row: usize,
        column: usize,
        factor: f64,
    ) {
        for (dof, j) in model.tendon_row(data, tendon) {
            self.row(row)[column + dof] += factor * j;
        }
    }

    /// Adds the first row of the limit of an object, if the limit is active.
    fn add_limit_row(
        &mut self,
        data: &Data,
        kind: ConstraintType,
        id: usize,
        row: usize,
        column: usize,
        factor: f64,
    ) {
        if let Some(at) = limit_block(data, kind, id) {
            for (dof, entry) in data.rows.row(&data.rows.blocks[at], 0) {
                self.row(row)[column + dof] += factor * entry;
            }
        }
    }

    /// The force of a limit: `∂f = −D (∂J a + b ∂J v + k ∂pos + J ∂a) + growth f ∂pos`.
    fn limit_force(
        &mut self,
        data: &Data,
        of: &Acceleration,
        kind: ConstraintType,
        id: usize,
        row: usize,
        bends: Option<f64>,
    ) {
        let Some(at) = limit_block(data, kind, id) else { return };
        let (block, weight) = (&data.rows.blocks[at], of.weights[at]);
        let (stiffness, damping) = (weight.matrix[0][0], weight.damping[0]);
        let by_pos = weight.growth * weight.force[0] - stiffness * weight.stiffness;
        let nv = of.blocks.len();
        for (dof, entry) in data.rows.row(block, 0) {
            let rate = &of.system.values[dof * of.system.width..];
            let out = &mut self.rows[row * self.width..(row + 1) * self.width];
            out[dof] += by_pos * entry;
            out[nv + dof] -= stiffness * damping * entry;
            for (out, by) in out.iter_mut().zip(rate) {
                *out -= stiffness * entry * by;
            }
        }
        if let Some(sign) = bends {
            let out = &mut self.rows[row * self.width..(row + 1) * self.width];
            for k in 0..nv {
                let bend = of.tendons.by_acc(id)[k] + damping * of.tendons.by_vel(id)[k];
                out[k] -= stiffness * sign * bend;
            }
        }
    }

    /// The force of an actuator, times a factor.
    fn actuator_force(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        actuator: usize,
        row: usize,
        factor: f64,
    ) {
        let (nv, na) = (model.nv, model.na);
        let response = of.actuators.responses[actuator];
        let (by_length, by_velocity) = (response.by_length * factor, response.by_velocity * factor);
        let out = self.row(row);
        of.actuators.add_slopes(model, data, actuator, (by_length, by_velocity), out);
        for adr in model.moment_row(data, actuator) {
            out[nv + data.moment_colind[adr] as usize] += by_velocity * data.actuator_moment[adr];
        }
        if let Some(act) = response.act {
            out[2 * nv + act] += factor * response.by_act;
        }
        out[2 * nv + na + actuator] += factor * response.by_ctrl;
    }

    /// Sensors of a frame, relative to another if there is one.
    fn frame(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        sensor: usize,
        reading: Reading,
    ) {
        let first = model.sensor_adr[sensor] as usize;
        let id = model.sensor_objid[sensor] as usize;
        let object = Frame::new(model, data, object_type(model, sensor), id);
        let reference = usize::try_from(model.sensor_refid[sensor]).ok().and_then(|id| {
            let kind = ObjType::from_i32(model.sensor_reftype[sensor])?;
            Some(Frame::new(model, data, kind, id))
        });
        let nv = model.nv;
        let velocity = |frame: &Frame| {
            let motion = of.vel.body[frame.body];
            Motion::new(motion.rot, motion.at(frame.offset))
        };
        // what the reading is in the world, about the reference
        let apart = object.pos - reference.map_or(Vec3::ZERO, |frame| frame.pos);
        let base = match reading {
            Reading::Pos => apart,
            Reading::Axis(i) => object.mat.column(i),
            Reading::Quat => Vec3::ZERO,
            Reading::LinVel | Reading::AngVel => {
                let mut v = velocity(&object);
                if let Some(frame) = &reference {
                    let under = velocity(frame);
                    v = v - under;
                    v.lin += apart.cross(under.rot);
                }
                if reading == Reading::LinVel { v.lin } else { v.rot }
            }
        };
        let local = |v: Vec3| reference.map_or(v, |frame| frame.mat.transpose_mul(v));
        let sides = [(Some(object), 1.0), (reference, -1.0)];
        for (frame, sign) in sides.into_iter().filter_map(|(frame, sign)| Some((frame?, sign))) {
            let is_reference = sign < 0.0;
            let motion = of.vel.body[frame.body];
            let own = velocity(&frame);
            // a camera moves with what it tracks too
            let chain = dof_chain(model, frame.body);
            let all = if frame.camera.is_some() { 0..nv } else { 0..0 };
            for k in chain.filter(|_| frame.camera.is_none()).chain(all) {
                let (shift, turn) = frame.motion_by(model, data, k);
                // the motion of the body at the frame by position and velocity
                let carries = is_below(model, frame.body, model.dof_body(k));
                let axis = if carries { data.cdof[k] } else { Motion::ZERO };
                let rate = axis.cross(motion) + if carries { of.vel.rate[k] } else { Motion::ZERO };
                let by_pos = Motion::new(rate.rot, rate.at(frame.offset) + own.rot.cross(shift));
                let by_vel = Motion::new(axis.rot, axis.at(frame.offset));
                if reading == Reading::Quat {
                    // that of a camera is the one of its body
                    let w = axis.rot * 0.5;
                    let half = Quat::new(0.0, w.x, w.y, w.z);
                    let change = match (is_reference, &reference) {
                        (false, None) => half * object.quat,
                        (false, Some(frame)) => frame.quat.conjugate() * (half * object.quat),
                        (true, _) => (half * frame.quat).conjugate() * object.quat,
                    };
                    for (i, x) in change.to_array().into_iter().enumerate() {
                        self.row(first + i)[k] += x;
                    }
                    continue;
                }
                let (mut change, mut speed) = match reading {
                    Reading::Pos => (shift * sign, Vec3::ZERO),
                    Reading::Axis(_) if is_reference => (Vec3::ZERO, Vec3::ZERO),
                    Reading::Axis(_) => (turn.cross(base), Vec3::ZERO),
                    Reading::AngVel => (by_pos.rot * sign, by_vel.rot * sign),
                    _ => (by_pos.lin * sign, by_vel.lin * sign),
                };
                if let (Reading::LinVel, Some(reference)) = (reading, &reference) {
                    // the reference turns under the object
                    let under = velocity(reference);
                    change += (shift * sign).cross(under.rot);
                    if is_reference {
                        change += apart.cross(by_pos.rot);
                        speed += apart.cross(by_vel.rot);
                    }
                }
                if is_reference {
                    change -= turn.cross(base);
                }
                self.put(first, k, local(change));
                self.put(first, nv + k, local(speed));
            }
        }
    }

    /// Velocity or angular velocity of a site in its own frame.
    fn local_velocity(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        site: usize,
        first: usize,
        angular: bool,
    ) {
        let site = Frame::new(model, data, ObjType::Site, site);
        let motion = of.vel.body[site.body];
        let read = |v: Motion| if angular { v.rot } else { v.lin };
        let base = read(Motion::new(motion.rot, motion.at(site.offset)));
        for k in dof_chain(model, site.body) {
            let axis = data.cdof[k];
            let shift = axis.at(site.offset);
            let rate = axis.cross(motion) + of.vel.rate[k];
            let by_pos = Motion::new(rate.rot, rate.at(site.offset) + motion.rot.cross(shift));
            let change = read(by_pos) - axis.rot.cross(base);
            self.put(first, k, site.mat.transpose_mul(change));
            let speed = read(Motion::new(axis.rot, shift));
            self.put(first, model.nv + k, site.mat.transpose_mul(speed));
        }
    }

    /// Acceleration or angular acceleration of an object, in the frame `local` or the world:
    /// ```text
    /// ∂A/∂q_k = S_k × (A − Â_k) + Ṡ_k × (V − U_k)        ∂A/∂v_k = Ṡ_k + S_k × (V − V_k)
    /// ```
    /// and `S ∂qacc`.
    fn acceleration(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        object: Frame,
        first: usize,
        local: Option<Mat3>,
        angular: bool,
    ) {
        if model.body_weldid[object.body] == 0 {
            return;
        }
        let nv = model.nv;
        let (v, a) = (of.vel.body[object.body], of.inertial.acc[object.body]);
        let at = object.offset;
        // the acceleration of the point from that of the body
        let point = |a: Motion| if angular { a.rot } else { a.at(at) };
        let speed = v.at(at);
        let base = point(a) + if angular { Vec3::ZERO } else { v.rot.cross(speed) };
        let frame = |x: Vec3| local.map_or(x, |mat| mat.transpose_mul(x));
        for k in dof_chain(model, object.body) {
            let axis = data.cdof[k];
            let shift = axis.at(at);
            let before = of.inertial.before[k];
            let by_pos = axis.cross(a - before) + of.vel.rate[k].cross(v - of.vel.before[k]);
            let by_vel = of.vel.rate[k] + axis.cross(v - of.inertial.after[k]);
            let (mut pos, mut vel) = (point(by_pos), point(by_vel));
            if !angular {
                let rate = axis.cross(v) + of.vel.rate[k];
                let speed_by = rate.at(at) + v.rot.cross(shift);
                pos += a.rot.cross(shift) + rate.rot.cross(speed) + v.rot.cross(speed_by);
                vel += axis.rot.cross(speed) + v.rot.cross(shift);
            }
            if local.is_some() {
                pos -= axis.rot.cross(base);
            }
            self.put(first, k, frame(pos));
            self.put(first, nv + k, frame(vel));
            // through the acceleration of the joints
            let along = frame(point(axis));
            let rate = &of.system.values[k * of.system.width..];
            for i in 0..3 {
                let out = &mut self.rows[(first + i) * self.width..(first + i + 1) * self.width];
                for (out, by) in out.iter_mut().zip(rate) {
                    *out += along[i] * by;
                }
            }
        }
    }

    /// The normal forces of the contacts that a touch sensor sees.
    fn touch(&mut self, model: &Model, data: &Data, of: &Acceleration, site: usize, row: usize) {
        clear(&mut self.zeros, model.nv, 0.0);
        self.gradient.clear(model, data, &self.zeros);
        let motions = (&of.acc, &of.vel);
        for (id, contact) in data.contact.iter().enumerate() {
            if touches(model, data, site, id)
                && let Some((Some(weight), _)) = of.contact_weight(data, id)
            {
                let gradient = &mut self.gradient;
                add_normal_gradient(model, data, motions, contact, weight, gradient);
            }
        }
        self.write_gradient(model, data, of, row, 1.0);
    }

    /// A component of the force between the body of a site and its parent, in the frame of the site:
    /// the generalised force of a dof that would move the body, beyond its own joints.
    fn interaction(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        site: usize,
        row: usize,
        axis: usize,
        torque: bool,
    ) {
        let frame = Frame::new(model, data, ObjType::Site, site);
        let direction = frame.mat.column(axis);
        // a rotation about the site, or a translation
        let motion = if torque {
            Motion::new(direction, frame.offset.cross(direction))
        } else {
            Motion::linear(direction)
        };
        clear(&mut self.zeros, model.nv, 0.0);
        let gradient = &mut self.gradient;
        gradient.clear(model, data, &self.zeros);
        for body in frame.body..model.nbody {
            if is_below(model, body, frame.body) {
                gradient.weight[body] = motion;
            }
        }
        gradient.add_inertial(model, data, &of.inertial.acc, Some(&of.vel.body));
        let response =
            |id| of.contact_weight(data, id).and_then(|(w, _)| w.map(|w| (Some(w), 0.0)));
        add_gradients(model, data, (&of.acc, &of.vel), response, gradient);
        for body in 1..model.nbody {
            let [fx, fy, fz, tx, ty, tz] = data.xfrc_applied[body];
            let (push, torque) = (Vec3::new(fx, fy, fz), Vec3::new(tx, ty, tz));
            gradient.add_push(body, com_offset(model, data, data.xipos[body], body), push, torque);
        }
        self.write_gradient(model, data, of, row, -1.0);
    }

    /// Adds the gradient of wrenches and of inertia, times a factor, with what comes through
    /// accelerations.
    fn write_gradient(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        row: usize,
        factor: f64,
    ) {
        let nv = model.nv;
        let out = &mut self.rows[row * self.width..(row + 1) * self.width];
        let (by_pos, rest) = out.split_at_mut(nv);
        let acc = (&of.inertial.acc[..], &data.qacc[..]);
        let vel = Some((&of.vel, &data.qvel[..]));
        let (factors, outs) = ((factor, factor), (&mut *by_pos, &mut rest[..nv]));
        self.gradient.add_to(model, data, &of.blocks, acc, vel, factors, outs);
        self.gradient.add_through_acc(model, &of.acc, factor, by_pos);
        for k in 0..nv {
            let gradient = &self.gradient.body[model.dof_body(k)];
            let along = data.cdof[k].dot(gradient.acc - gradient.momentum);
            self.add_rate(of, row, k, factor * along);
        }
    }

    /// Adds a multiple of the derivatives of the acceleration of a dof.
    fn add_rate(&mut self, of: &Acceleration, row: usize, dof: usize, factor: f64) {
        let rate = &of.system.values[dof * of.system.width..];
        let out = &mut self.rows[row * self.width..(row + 1) * self.width];
        out.iter_mut().zip(rate).for_each(|(out, by)| *out += factor * by);
    }

    /// Velocity of the centre of mass of a subtree.
    fn subtree_velocity(
        &mut self,
        model: &Model,
        data: &Data,
        of: &Acceleration,
        root: usize,
        first: usize,
    ) {
        let nv = model.nv;
        let total = model.body_subtreemass[root].max(MINVAL);
        for body in root.max(1)..model.nbody {
            if !is_below(model, body, root) {
                continue;
            }
            let share = model.body_mass[body] / total;
            let offset = com_offset(model, data, data.xipos[body], body);
            let motion = of.vel.body[body];
            for k in dof_chain(model, body) {
                let axis = data.cdof[k];
                let shift = axis.at(offset);
                let rate = axis.cross(motion) + of.vel.rate[k];
                self.put(first, k, (rate.at(offset) + motion.rot.cross(shift)) * share);
                self.put(first, nv + k, shift * share);
            }
        }
    }

    /// Kinetic energy `vᵀ M v / 2`.
    fn kinetic(&mut self, model: &Model, data: &Data, of: &Acceleration, row: usize) {
        let nv = model.nv;
        clear(&mut self.momentum, nv, 0.0);
        mul_m(model, data, &mut self.momentum, &data.qvel);
        let velocity = &data.qvel[..];
        body_accelerations(model, data, velocity, None, Vec3::ZERO, &mut self.acc);
        self.gradient.clear(model, data, velocity);
        self.gradient.add_inertial(model, data, &self.acc, None);
        let out = &mut self.rows[row * self.width..(row + 1) * self.width];
        let (by_pos, by_vel) = out.split_at_mut(nv);
        let (acc, outs) = ((&self.acc[..], velocity), (by_pos, &mut by_vel[..nv]));
        self.gradient.add_to(model, data, &of.blocks, acc, None, (-0.5, 0.0), outs);
        by_vel[..nv].copy_from_slice(&self.momentum);
    }
}

/// Whether connects or welds hold bodies.
fn has_joined_bodies(model: &Model, data: &Data) -> bool {
    data.rows.blocks.iter().any(|block| {
        let eq = data.efc_id[block.row] as usize;
        data.efc_type[block.row] == ConstraintType::Equality as i32
            && (model.eq_type[eq] == EqType::Connect as i32
                || model.eq_type[eq] == EqType::Weld as i32)
    })
}

fn object_type(model: &Model, sensor: usize) -> ObjType {
    ObjType::from_i32(model.sensor_objtype[sensor]).unwrap_or(ObjType::XBody)
}

/// The kind of limit that a sensor is about.
fn limit_kind(kind: Option<SensorType>) -> ConstraintType {
    use SensorType::{TendonLimitFrc, TendonLimitPos, TendonLimitVel};
    match kind {
        Some(TendonLimitPos | TendonLimitVel | TendonLimitFrc) => ConstraintType::LimitTendon,
        _ => ConstraintType::LimitJoint,
    }
}

/// The first block of the limit of an object, if it is active.
fn limit_block(data: &Data, kind: ConstraintType, id: usize) -> Option<usize> {
    data.rows.blocks.iter().position(|block| {
        data.efc_type[block.row] == kind as i32 && data.efc_id[block.row] == id as i32
    })
}

/// The sign of the gradient of a tendon in the first row of its limit, if that is active.
fn tendon_limit_sign(model: &Model, data: &Data, tendon: usize) -> Option<f64> {
    let at = limit_block(data, ConstraintType::LimitTendon, tendon)?;
    let row = data.rows.blocks[at].row;
    let low = model.tendon_range[tendon][0];
    let near_low = data.efc_pos[row] == -(low - data.ten_length[tendon]);
    Some(if near_low { 1.0 } else { -1.0 })
}

/// Whether the moment arms of all actuators are constant.
fn constant_arms(model: &Model) -> bool {
    (0..model.nu).all(|actuator| {
        let id = model.actuator_trnid[actuator][0] as usize;
        match TrnType::from_i32(model.actuator_trntype[actuator]) {
            Some(TrnType::Joint) => true,
            Some(TrnType::Tendon) => {
                model.wrap_type[model.tendon_adr[id] as usize] == WrapType::Joint as i32
            }
            _ => false,
        }
    })
}

/// Whether a body is `root` or one of its descendants.
fn is_below(model: &Model, body: usize, root: usize) -> bool {
    let mut at = body;
    while at > root {
        at = model.body_parent(at);
    }
    at == root
}

/// How the centre of mass of the subtree of `root` moves with a dof; none if it does not.
fn subtree_shift(model: &Model, data: &Data, root: usize, k: usize) -> Option<Vec3> {
    let body = model.dof_body(k);
    let moved = if is_below(model, body, root) {
        body
    } else if is_below(model, root, body) {
        root
    } else {
        return None;
    };
    let total = model.body_subtreemass[root].max(MINVAL);
    let share = model.body_subtreemass[moved] / total;
    let offset = com_offset(model, data, data.subtree_com[moved], body);
    Some(data.cdof[k].at(offset) * share)
}
