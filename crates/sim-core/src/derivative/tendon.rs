//! Tendons: how their Jacobians change with position.

use super::system::System;
use super::tree::{Motions, force_from};
use super::wrap::Sliding;
use crate::math::{Force, MINVAL, Motion, Vec3};
use crate::model::WrapType;
use crate::smooth::{Shape, com_offset, dof_chain, wrap};
use crate::{Data, Model};

/// Changes of the velocity and of the acceleration `J y` of tendons with position, at fixed `y`.
#[derive(Debug, Clone, Default)]
pub(super) struct Tendons {
    nv: usize,
    by_vel: Vec<f64>,
    by_acc: Vec<f64>,
    /// The dofs that move a piece, and which of its bodies: bits for both ends and the geom.
    dofs: Vec<usize>,
    moves: Vec<u8>,
}

/// An end of a straight piece: the point, its body, how it moves with a dof, and whether the body
/// does.
#[derive(Clone, Copy)]
struct End {
    point: Vec3,
    body: usize,
    shift: Vec3,
    on: bool,
}

/// Bits of [`Tendons::moves`].
const FROM: u8 = 1;
const TO: u8 = 2;
const GEOM: u8 = 4;

impl Tendons {
    /// Derivative of `ten_J qvel` by positions.
    pub(super) fn by_vel(&self, tendon: usize) -> &[f64] {
        &self.by_vel[tendon * self.nv..(tendon + 1) * self.nv]
    }

    /// Derivative of `ten_J qacc` by positions.
    pub(super) fn by_acc(&self, tendon: usize) -> &[f64] {
        &self.by_acc[tendon * self.nv..(tendon + 1) * self.nv]
    }

    /// Computes the changes of all tendons, and adds those of forces along them at fixed `forces`.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        data: &Data,
        motions: (&Motions, &Motions),
        forces: &[f64],
        system: &mut System,
        outer: &mut [Force],
    ) {
        self.nv = model.nv;
        for values in [&mut self.by_vel, &mut self.by_acc] {
            values.clear();
            values.resize(model.ntendon * model.nv, 0.0);
        }
        self.moves.clear();
        self.moves.resize(model.nv, 0);
        for tendon in 0..model.ntendon {
            let first = model.tendon_adr[tendon] as usize;
            if model.wrap_type[first] != WrapType::Joint as i32 {
                self.spatial(model, data, motions, tendon, forces[tendon], system, outer);
            }
        }
    }

    /// Follows the path of a tendon; see `smooth::tendon`.
    fn spatial(
        &mut self,
        model: &Model,
        data: &Data,
        motions: (&Motions, &Motions),
        tendon: usize,
        force: f64,
        system: &mut System,
        outer: &mut [Force],
    ) {
        let kind = |wrap: usize| WrapType::from_i32(model.wrap_type[wrap]);
        let path = model.tendon_wraps(tendon);
        let (mut at, end) = (path.start, path.end);
        let mut divisor = 1.0;
        while at + 1 < end {
            if kind(at) == Some(WrapType::Pulley) || kind(at + 1) == Some(WrapType::Pulley) {
                if kind(at) == Some(WrapType::Pulley) {
                    divisor = model.wrap_prm[at];
                }
                at += 1;
                continue;
            }
            let shape = match kind(at + 1) {
                Some(WrapType::Sphere) => Some(Shape::Sphere),
                Some(WrapType::Cylinder) => Some(Shape::Cylinder),
                _ => None,
            };
            let next = if shape.is_some() { at + 2 } else { at + 1 };
            let sites = [model.wrap_objid[at] as usize, model.wrap_objid[next] as usize];
            let [from, to] = sites.map(|site| data.site_xpos[site]);
            let [body0, body1] = sites.map(|site| model.site_bodyid[site] as usize);
            let geom = model.wrap_objid[at + 1] as usize;
            let side = model.wrap_prm[at + 1].round();
            let side = (side >= 0.0).then(|| data.site_xpos[side as usize]);
            let around = shape.and_then(|shape| {
                let (pos, mat) = (data.geom_xpos[geom], &data.geom_xmat[geom]);
                let radius = model.geom_size[geom].x;
                wrap(from, to, pos, mat, radius, shape, side).map(|wrap| {
                    let inside = side.is_some_and(|side| (side - pos).norm() < radius);
                    let local =
                        [from, to, wrap.first, wrap.last].map(|x| mat.transpose_mul(x - pos));
                    (wrap, Sliding::new(local, radius, shape, inside).in_frame(mat))
                })
            });
            let geom_body = around.is_some().then(|| model.geom_bodyid[geom] as usize);
            self.collect(model, body0, body1, geom_body);

            let share = force / divisor;
            match &around {
                None => pull(model, data, (from, body0), (to, body1), share, outer),
                Some((wrap, _)) => {
                    let body = model.geom_bodyid[geom] as usize;
                    pull(model, data, (from, body0), (wrap.first, body), share, outer);
                    pull(model, data, (wrap.last, body), (to, body1), share, outer);
                }
            }
            for n in 0..self.dofs.len() {
                let k = self.dofs[n];
                let moves = self.moves[k];
                let shift = |point: Vec3, body: usize, bit: u8| {
                    if moves & bit != 0 {
                        data.cdof[k].at(com_offset(model, data, point, body))
                    } else {
                        Vec3::ZERO
                    }
                };
                let end = |point: Vec3, body: usize, bit: u8| End {
                    point,
                    body,
                    shift: shift(point, body, bit),
                    on: moves & bit != 0,
                };
                let (start, stop) = (end(from, body0, FROM), end(to, body1, TO));
                let mut piece = |from: End, to: End| {
                    let [vel, acc] = straight(model, data, motions, k, from, to, share, system);
                    self.by_vel[tendon * self.nv + k] += vel / divisor;
                    self.by_acc[tendon * self.nv + k] += acc / divisor;
                };
                match &around {
                    None => piece(start, stop),
                    Some((wrap, sliding)) => {
                        let body = model.geom_bodyid[geom] as usize;
                        // motion of the ends as seen from the geom
                        let seen = [
                            start.shift - shift(from, body, GEOM),
                            stop.shift - shift(to, body, GEOM),
                        ];
                        let touch = |point: Vec3, which: usize| {
                            let mut end = end(point, body, GEOM);
                            end.shift +=
                                sliding.by[which][0] * seen[0] + sliding.by[which][1] * seen[1];
                            end
                        };
                        piece(start, touch(wrap.first, 0));
                        piece(touch(wrap.last, 1), stop);
                    }
                }
            }
            at = next;
        }
    }

    /// Lists the dofs that move any of the bodies.
    fn collect(&mut self, model: &Model, from: usize, to: usize, geom: Option<usize>) {
        for &dof in &self.dofs {
            self.moves[dof] = 0;
        }
        self.dofs.clear();
        let bodies = [(Some(from), FROM), (Some(to), TO), (geom, GEOM)];
        for (body, bit) in bodies.into_iter().filter_map(|(body, bit)| Some((body?, bit))) {
            for dof in dof_chain(model, body) {
                if self.moves[dof] == 0 {
                    self.dofs.push(dof);
                }
                self.moves[dof] |= bit;
            }
        }
    }
}

/// Adds the wrenches of a force that draws the ends of a straight piece apart.
fn pull(
    model: &Model,
    data: &Data,
    (from, body0): (Vec3, usize),
    (to, body1): (Vec3, usize),
    force: f64,
    outer: &mut [Force],
) {
    if body0 == body1 || force == 0.0 {
        return;
    }
    let (direction, _) = (to - from).normalized();
    let push = Force::linear(direction * force);
    outer[body1] += force_from(push, com_offset(model, data, to, body1));
    outer[body0] += -force_from(push, com_offset(model, data, from, body0));
}

/// Adds the change with dof `k` of the generalised force of a straight piece under `force`, and
/// returns those of its velocity and acceleration.
fn straight(
    model: &Model,
    data: &Data,
    (acc, vel): (&Motions, &Motions),
    k: usize,
    from: End,
    to: End,
    force: f64,
    system: &mut System,
) -> [f64; 2] {
    let (direction, length) = (to.point - from.point).normalized();
    if from.body == to.body || length < MINVAL {
        return [0.0; 2];
    }
    let apart = to.shift - from.shift;
    let turning = (apart - direction * direction.dot(apart)) * (1.0 / length);
    let change = |motions: &Motions| {
        let of = |end: End| {
            let offset = com_offset(model, data, end.point, end.body);
            let body = motions.body[end.body];
            let mut rate = body.rot.cross(end.shift);
            if end.on {
                let carried: Motion = data.cdof[k].cross(body) + motions.rate[k];
                rate += carried.at(offset);
            }
            (body.at(offset), rate)
        };
        let ((from, from_rate), (to, to_rate)) = (of(from), of(to));
        turning.dot(to - from) + direction.dot(to_rate - from_rate)
    };
    if force != 0.0 {
        for (end, sign) in [(from, -force), (to, force)] {
            let offset = com_offset(model, data, end.point, end.body);
            let rate = Force::new(end.shift.cross(direction) + offset.cross(turning), turning);
            for i in dof_chain(model, end.body) {
                system.pos(i).add(k, sign * data.cdof[i].dot(rate));
            }
        }
    }
    [change(vel), change(acc)]
}
