//! Contacts as linear maps between motions and wrenches of two bodies.

use super::feature::Slopes;
use super::tree::{Motions, TreeGradient, force_from, motion_at};
use super::weight::Weight;
use crate::constraint::MAX_RANK;
use crate::data::Contact;
use crate::math::{Force, Mat3, Motion, MotionToForce, Vec3};
use crate::smooth::{Moves, com_offset, merged_chains};
use crate::{Data, Model};

/// How the wrench of all contacts of two bodies, on the second, changes about one point.
///
/// With the motions `X` of both bodies and the change `δ` of their relative acceleration and
/// velocity at given positions:
/// ```text
/// δw = by_first X₁ + by_second X₂ + by_acc δa + by_vel δv
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pair {
    pub(super) bodies: [usize; 2],
    pub(super) center: Vec3,
    pub(super) by_first: MotionToForce,
    pub(super) by_second: MotionToForce,
    pub(super) by_acc: MotionToForce,
    pub(super) by_vel: MotionToForce,
}

/// What the contacts of a state have in common with each other, and scratch.
#[derive(Debug, Clone, Default)]
pub(super) struct Contacts {
    pub(super) pairs: Vec<Pair>,
    /// Contacts whose derivative is approximate.
    pub(super) approximate: usize,
    /// How far the nearest of their points is from another feature.
    pub(super) nearest_feature: f64,
}

impl Contacts {
    /// Linearises all contacts. Adds their wrenches to `outer`, by body. `adhesion` has forces along
    /// the normal by contact, if there are any.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        data: &Data,
        (acc, vel): (&Motions, &Motions),
        weights: &[Weight],
        adhesion: &[f64],
        outer: &mut [Force],
    ) {
        self.pairs.clear();
        (self.approximate, self.nearest_feature) = (0, f64::INFINITY);
        for (id, contact) in data.contact.iter().enumerate() {
            let pull = adhesion.get(id).copied().unwrap_or(0.0);
            let weight = usize::try_from(contact.efc_address).ok().map(|row| {
                let block = data.rows.blocks.partition_point(|block| block.row < row);
                &weights[block]
            });
            if !weight.is_some_and(Weight::acts) && pull == 0.0 {
                continue;
            }
            let [Ok(first), Ok(second)] = contact.geom.map(usize::try_from) else { continue };
            let bodies = [first, second].map(|geom| model.geom_bodyid[geom] as usize);
            if self.pairs.last().is_none_or(|pair| pair.bodies != bodies) {
                let moving = if model.body_weldid[bodies[1]] != 0 { bodies[1] } else { bodies[0] };
                let center = data.subtree_com[model.body_rootid[moving] as usize];
                self.pairs.push(Pair { bodies, center, ..Pair::default() });
            }
            let pair = self.pairs.last_mut().expect("there is one");
            let local = Local::new(model, data, (acc, vel), contact, bodies, weight, pull);
            self.approximate += usize::from(local.slopes.approximate);
            self.nearest_feature = self.nearest_feature.min(local.slopes.room);
            let wrench = local.add_to(pair);
            for (body, sign) in [(bodies[0], -1.0), (bodies[1], 1.0)] {
                let center = data.subtree_com[model.body_rootid[body] as usize];
                outer[body] += force_from(wrench, contact.pos - center) * sign;
            }
        }
        // motion of a body carries its velocity along
        for pair in &mut self.pairs {
            for (body, sign) in [(pair.bodies[0], -1.0), (pair.bodies[1], 1.0)] {
                let offset = pair.center - data.subtree_com[model.body_rootid[body] as usize];
                let carried_acc = pair.by_acc.crossed(motion_at(acc.body[body], offset));
                let carried_vel = pair.by_vel.crossed(motion_at(vel.body[body], offset));
                let by = if sign < 0.0 { &mut pair.by_first } else { &mut pair.by_second };
                *by += carried_acc.times(sign);
                *by += carried_vel.times(sign);
            }
        }
    }
}

/// One contact, about its own point.
pub(super) struct Local<'a> {
    pub(super) slopes: Slopes,
    contact: &'a Contact,
    weight: Option<&'a Weight>,
    /// Forces along the axes, with adhesion, and the sums of translations and rotations.
    force: [f64; MAX_RANK],
    /// Relative acceleration and velocity.
    acc: Motion,
    vel: Motion,
    rank: usize,
    /// Hint of the first tangent, its part across the normal, and the inverse length of that.
    hint: Vec3,
    inverse: f64,
    /// Whether the first body moves.
    first_moves: bool,
}

/// How a contact changes in some direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change {
    pub(super) dist: f64,
    pub(super) pos: Vec3,
    pub(super) normal: Vec3,
    pub(super) hint: Vec3,
}

impl<'a> Local<'a> {
    pub(super) fn new(
        model: &Model,
        data: &Data,
        (acc, vel): (&Motions, &Motions),
        contact: &'a Contact,
        bodies: [usize; 2],
        weight: Option<&'a Weight>,
        pull: f64,
    ) -> Local<'a> {
        let relative = |motions: &Motions| {
            let at = |body: usize| {
                let center = data.subtree_com[model.body_rootid[body] as usize];
                motion_at(motions.body[body], contact.pos - center)
            };
            at(bodies[1]) - at(bodies[0])
        };
        let slopes = Slopes::new(model, data, contact);
        let normal = contact.frame.row(0);
        let hint = slopes.hint.unwrap_or(if normal.y.abs() < 0.5 { Vec3::Y } else { Vec3::Z });
        let across = hint - normal * normal.dot(hint);
        let mut force = weight.map_or([0.0; MAX_RANK], |weight| weight.force);
        force[0] += pull;
        Local {
            slopes,
            contact,
            weight,
            force,
            acc: relative(acc),
            vel: relative(vel),
            rank: weight.map_or(1, |weight| weight.rank),
            hint,
            inverse: 1.0 / across.norm().max(1e-12),
            first_moves: model.body_weldid[bodies[0]] != 0,
        }
    }

    /// The wrench on the second body.
    fn wrench(&self) -> Force {
        let frame = &self.contact.frame;
        let mut wrench = Force::ZERO;
        for (k, &force) in self.force.iter().enumerate().take(self.rank) {
            if k < 3 {
                wrench.lin += frame.row(k) * force;
            } else {
                wrench.rot += frame.row(k - 3) * force;
            }
        }
        wrench
    }

    /// The change of the wrench on the second body, about the contact, at fixed motions.
    pub(super) fn wrench_by(&self, change: &Change) -> Force {
        self.change(*change, self.wrench().lin)
    }

    /// Adds the maps of this contact to those of its pair, and returns its wrench.
    fn add_to(&self, pair: &mut Pair) -> Force {
        let offset = self.contact.pos - pair.center;
        let frame = &self.contact.frame;
        let Force { rot: torque, lin: push } = self.wrench();

        if self.rank <= 3 {
            self.add_motions(pair, push, offset);
            if let Some(weight) = self.weight {
                let (by_acc, by_vel) = weight.maps(frame);
                pair.by_acc += by_acc.moved(offset);
                pair.by_vel += by_vel.moved(offset);
            }
            return Force::new(torque, push);
        }

        // by the motion of the second geom relative to the first
        let s = &self.slopes;
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let rot = [0, 1, 2].map(|k| {
            self.change(
                Change {
                    dist: s.dist_rot[k],
                    pos: s.pos_rot.column(k),
                    normal: s.normal_rot.column(k),
                    hint: if s.hint.is_some() { axes[k].cross(self.hint) } else { Vec3::ZERO },
                },
                push,
            )
        });
        let lin = [0, 1, 2].map(|k| {
            self.change(
                Change {
                    dist: s.dist_lin[k],
                    pos: s.pos_lin.column(k),
                    normal: s.normal_lin.column(k),
                    hint: Vec3::ZERO,
                },
                push,
            )
        });
        let relative = from_columns(rot, lin).moved(offset);
        pair.by_second += relative;
        if self.first_moves {
            // by the motion of the first geom, with which everything else rides
            let rot = axes.map(|axis| {
                self.change(
                    Change {
                        dist: 0.0,
                        pos: Vec3::ZERO,
                        normal: axis.cross(self.contact.frame.row(0)),
                        hint: if s.hint.is_some() { axis.cross(self.hint) } else { Vec3::ZERO },
                    },
                    push,
                )
            });
            let lin = axes.map(|axis| {
                self.change(
                    Change { dist: 0.0, pos: axis, normal: Vec3::ZERO, hint: Vec3::ZERO },
                    push,
                )
            });
            pair.by_first += from_columns(rot, lin).moved(offset);
            pair.by_first += relative.times(-1.0);
        }
        if let Some(weight) = self.weight {
            let (by_acc, by_vel) = weight.maps(frame);
            pair.by_acc += by_acc.moved(offset);
            pair.by_vel += by_vel.moved(offset);
        }
        Force::new(torque, push)
    }

    /// Adds the maps from the motions of both geoms, for a contact without torques: [`Local::change`]
    /// in closed form,
    /// ```text
    /// δf = L δpos + b δdist + N δn + K δh        δm = δpos × f
    /// ```
    /// with the normal `n` and the hint `h` of the tangent.
    fn add_motions(&self, pair: &mut Pair, push: Vec3, offset: Vec3) {
        let axes = [0, 1, 2].map(|k| self.contact.frame.row(k));
        let [n, t, _] = axes;
        let (mut by_pos, mut by_dist) = (Mat3::default(), Vec3::ZERO);
        // derivatives by each axis
        let mut by_axis = [0, 1, 2].map(|k| Mat3::IDENTITY * self.force[k]);
        if let Some(weight) = self.weight {
            for j in 0..self.rank {
                let mut pushed = Vec3::ZERO;
                for k in 0..self.rank {
                    pushed += axes[k] * weight.matrix[k][j];
                }
                let damping = weight.damping[j];
                let turning = axes[j].cross(self.acc.rot + self.vel.rot * damping);
                by_pos = by_pos - Mat3::outer(pushed, turning);
                let moving = self.acc.lin + self.vel.lin * damping;
                by_axis[j] = by_axis[j] - Mat3::outer(pushed, moving);
                if j == 0 {
                    by_dist -= pushed * weight.stiffness;
                }
                by_dist += axes[j] * (weight.growth * weight.force[j]);
            }
        }
        let s = &self.slopes;
        let turns = s.normal_rot != Mat3::default() || s.normal_lin != Mat3::default();
        let (mut by_normal, mut by_hint) = (by_axis[0], Mat3::default());
        if self.rank > 1 && (turns || self.first_moves || s.hint.is_some()) {
            // the tangents follow the normal and the hint
            let across = (Mat3::IDENTITY - Mat3::outer(t, t)) * self.inverse;
            let by_turn = by_axis[1] + by_axis[2] * Mat3::skew(n);
            let h = self.hint;
            let along = Mat3::IDENTITY * n.dot(h) + Mat3::outer(n, h);
            let turned = by_turn * across;
            by_normal = by_normal - turned * along - by_axis[2] * Mat3::skew(t);
            by_hint = turned * (Mat3::IDENTITY - Mat3::outer(n, n));
        }
        let lever = Mat3::skew(push) * -1.0;
        let follow = match s.hint {
            Some(_) => by_hint * (Mat3::skew(self.hint) * -1.0),
            None => Mat3::default(),
        };
        let mut relative = MotionToForce {
            rot_rot: lever * s.pos_rot,
            rot_lin: lever * s.pos_lin,
            lin_rot: by_pos * s.pos_rot + Mat3::outer(by_dist, s.dist_rot) + follow,
            lin_lin: by_pos * s.pos_lin + Mat3::outer(by_dist, s.dist_lin),
        };
        if turns {
            relative.lin_rot = relative.lin_rot + by_normal * s.normal_rot;
            relative.lin_lin = relative.lin_lin + by_normal * s.normal_lin;
        }
        let relative = relative.moved(offset);
        pair.by_second += relative;
        if self.first_moves {
            // by the motion of the first geom, with which everything else rides
            let ride = MotionToForce {
                rot_rot: Mat3::default(),
                rot_lin: lever,
                lin_rot: by_normal * (Mat3::skew(n) * -1.0) + follow,
                lin_lin: by_pos,
            };
            pair.by_first += ride.moved(offset);
            pair.by_first += relative.times(-1.0);
        }
    }

    /// The change of the wrench of this contact, with the force `push`, at fixed motions of both
    /// bodies.
    fn change(&self, change: Change, push: Vec3) -> Force {
        let Change { dist, pos, normal: n_rate, hint: h_rate } = change;
        let [n, t, b] = [0, 1, 2].map(|k| self.contact.frame.row(k));
        let mut rates = [n_rate, Vec3::ZERO, Vec3::ZERO];
        if self.rank > 1 && (n_rate != Vec3::ZERO || h_rate != Vec3::ZERO) {
            let h = self.hint;
            let along = n_rate.dot(h) + n.dot(h_rate);
            let w = (h_rate - n_rate * n.dot(h) - n * along) * self.inverse;
            rates[1] = w - t * t.dot(w);
            rates[2] = n_rate.cross(t) + n.cross(rates[1]);
        }
        let axes = [n, t, b];
        let mut force = Force::new(pos.cross(push), Vec3::ZERO);
        for k in 0..self.rank.min(3) {
            force.lin += rates[k] * self.force[k];
        }
        for k in 3..self.rank {
            force.rot += rates[k - 3] * self.force[k];
        }
        let Some(weight) = self.weight else { return force };

        // residuals along the axes
        let along = |motion: Motion, shift: Vec3, k: usize| {
            if k < 3 {
                rates[k].dot(motion.lin) + axes[k].dot(shift)
            } else {
                rates[k - 3].dot(motion.rot)
            }
        };
        let (acc_shift, vel_shift) = (self.acc.rot.cross(pos), self.vel.rot.cross(pos));
        let mut residual = [0.0; MAX_RANK];
        for (k, residual) in residual.iter_mut().enumerate().take(self.rank) {
            *residual =
                along(self.acc, acc_shift, k) + weight.damping[k] * along(self.vel, vel_shift, k);
        }
        residual[0] += weight.stiffness * dist;
        let growth = weight.growth * dist;
        for k in 0..self.rank {
            let mut rate = weight.force[k] * growth;
            for j in 0..self.rank {
                rate -= weight.matrix[k][j] * residual[j];
            }
            if k < 3 {
                force.lin += axes[k] * rate;
            } else {
                force.rot += axes[k - 3] * rate;
            }
        }
        force
    }
}

/// The gradient of a scalar that is linear in the wrench of a contact, about the contact.
struct ContactGradient {
    /// By the motion of both geoms, and of the second relative to the first.
    ride: Force,
    relative: Force,
    /// By relative acceleration and velocity.
    by_acc: Force,
    by_vel: Force,
}

impl Local<'_> {
    /// The gradient of `weight` times the wrench: the transpose of [`Local::change`] and of the maps
    /// of the [`Weight`].
    fn gradient(&self, weight: Motion) -> ContactGradient {
        let frame = &self.contact.frame;
        let mut along = [0.0; MAX_RANK];
        for (k, along) in along.iter_mut().enumerate().take(self.rank) {
            let on = if k < 3 { weight.lin } else { weight.rot };
            *along = frame.row(k % 3).dot(on);
        }
        self.gradient_along(along, weight)
    }

    /// The gradient of the normal force.
    fn normal_gradient(&self) -> ContactGradient {
        let mut along = [0.0; MAX_RANK];
        along[0] = 1.0;
        self.gradient_along(along, Motion::ZERO)
    }

    /// The gradient of forces times `along`, and of `weight` times the wrench of fixed forces.
    fn gradient_along(&self, along: [f64; MAX_RANK], weight: Motion) -> ContactGradient {
        let [n, t, b] = [0, 1, 2].map(|k| self.contact.frame.row(k));
        let axes = [n, t, b];
        let push = self.wrench().lin;
        let slopes = &self.slopes;

        // by residuals along the axes, by distance and point
        let (mut by_acc, mut by_vel) = (Force::ZERO, Force::ZERO);
        let mut by_dist = 0.0;
        let mut residual = [0.0; MAX_RANK];
        let mut damping = [0.0; MAX_RANK];
        if let Some(response) = self.weight {
            damping = response.damping;
            for k in 0..self.rank {
                residual[k] =
                    -(0..self.rank).map(|j| response.matrix[j][k] * along[j]).sum::<f64>();
                let (axis, damped) = (axes[k % 3] * residual[k], damping[k]);
                if k < 3 {
                    by_acc.lin += axis;
                    by_vel.lin += axis * damped;
                } else {
                    by_acc.rot += axis;
                    by_vel.rot += axis * damped;
                }
                by_dist += along[k] * response.force[k] * response.growth;
            }
            by_dist += residual[0] * response.stiffness;
        }
        let by_pos = push.cross(weight.rot)
            + by_acc.lin.cross(self.acc.rot)
            + by_vel.lin.cross(self.vel.rot);

        // by the axes, then by the normal and the hint of the tangent
        let by_axis = |k: usize| {
            let mut by = weight.lin * self.force[k]
                + (self.acc.lin + self.vel.lin * damping[k]) * residual[k];
            if self.rank > 3 {
                by += weight.rot * self.force[k + 3]
                    + (self.acc.rot + self.vel.rot * damping[k + 3]) * residual[k + 3];
            }
            by
        };
        let mut by_normal = by_axis(0);
        let mut by_hint = Vec3::ZERO;
        if self.rank > 1 {
            let (by_t, by_b) = (by_axis(1), by_axis(2));
            let turned = by_t + by_b.cross(n);
            let w = (turned - t * t.dot(turned)) * self.inverse;
            by_normal += t.cross(by_b) - w * n.dot(self.hint) - self.hint * n.dot(w);
            by_hint = w - n * n.dot(w);
        }

        // by motions
        let hint = if slopes.hint.is_some() { self.hint.cross(by_hint) } else { Vec3::ZERO };
        let relative = Force::new(
            slopes.dist_rot * by_dist
                + slopes.pos_rot.transpose_mul(by_pos)
                + slopes.normal_rot.transpose_mul(by_normal)
                + hint,
            slopes.dist_lin * by_dist
                + slopes.pos_lin.transpose_mul(by_pos)
                + slopes.normal_lin.transpose_mul(by_normal),
        );
        let ride = Force::new(n.cross(by_normal) + hint, by_pos);
        ContactGradient { ride, relative, by_acc, by_vel }
    }
}

impl ContactGradient {
    /// Adds the gradient to those of both bodies, which are at `offsets` from the contact.
    fn add_to(
        &self,
        (acc, vel): (&Motions, &Motions),
        bodies: [usize; 2],
        offsets: [Vec3; 2],
        gradient: &mut TreeGradient,
    ) {
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            let (body, offset) = (bodies[side], offsets[side]);
            let [by_acc, by_vel] = [self.by_acc, self.by_vel].map(|f| force_from(f, offset) * sign);
            let mut moved = self.relative * sign;
            if side == 0 {
                moved += self.ride;
            }
            let gradient = &mut gradient.body[body];
            gradient.motion += force_from(moved, offset)
                + acc.body[body].cross_force(by_acc)
                + vel.body[body].cross_force(by_vel);
            gradient.acc += by_acc;
            gradient.vel += by_vel;
        }
    }
}

/// Adds the gradient of the normal force of one contact to those of its bodies.
pub(super) fn add_normal_gradient(
    model: &Model,
    data: &Data,
    motions: (&Motions, &Motions),
    contact: &Contact,
    weight: &Weight,
    gradient: &mut TreeGradient,
) {
    let [Ok(first), Ok(second)] = contact.geom.map(usize::try_from) else { return };
    let bodies = [first, second].map(|geom| model.geom_bodyid[geom] as usize);
    let local = Local::new(model, data, motions, contact, bodies, Some(weight), 0.0);
    let offsets = bodies.map(|body| com_offset(model, data, contact.pos, body));
    local.normal_gradient().add_to(motions, bodies, offsets, gradient);
}

/// Adds the gradients of all contacts to those of their bodies, with their wrenches. Returns the number of
/// contacts whose derivative is approximate, and how far the nearest of their points is from another
/// feature. `response` gives what a contact responds with.
pub(super) fn add_gradients<'a>(
    model: &Model,
    data: &'a Data,
    (acc, vel): (&Motions, &Motions),
    response: impl Fn(usize) -> Option<(Option<&'a Weight>, f64)>,
    gradient: &mut TreeGradient,
) -> (usize, f64) {
    let (mut approximate, mut nearest_feature) = (0, f64::INFINITY);
    for (id, contact) in data.contact.iter().enumerate() {
        let Some((weight, pull)) = response(id) else { continue };
        if !weight.is_some_and(Weight::acts) && pull == 0.0 {
            continue;
        }
        let [Ok(first), Ok(second)] = contact.geom.map(usize::try_from) else { continue };
        let bodies = [first, second].map(|geom| model.geom_bodyid[geom] as usize);
        let local = Local::new(model, data, (acc, vel), contact, bodies, weight, pull);
        approximate += usize::from(local.slopes.approximate);
        nearest_feature = local.slopes.room.min(nearest_feature);
        let offsets = bodies.map(|body| com_offset(model, data, contact.pos, body));
        let [z0, z1] = [0, 1].map(|s| motion_at(gradient.weight[bodies[s]], offsets[s]));
        local.gradient(z1 - z0).add_to((acc, vel), bodies, offsets, gradient);
        let wrench = local.wrench();
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            gradient.add_wrench(bodies[side], force_from(wrench, offsets[side]) * sign);
        }
    }
    (approximate, nearest_feature)
}

/// A map from its values at the three rotations and the three translations.
fn from_columns(rot: [Force; 3], lin: [Force; 3]) -> MotionToForce {
    let block = |columns: [Vec3; 3]| Mat3::from_columns(columns[0], columns[1], columns[2]);
    MotionToForce {
        rot_rot: block(rot.map(|f| f.rot)),
        rot_lin: block(lin.map(|f| f.rot)),
        lin_rot: block(rot.map(|f| f.lin)),
        lin_lin: block(lin.map(|f| f.lin)),
    }
}

/// A dof that moves a pair of bodies, about the centre of the pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arm {
    pub(super) dof: usize,
    /// How it moves the second body relative to the first: 1, −1, or not at all.
    pub(super) sign: f64,
    pub(super) axis: Motion,
    /// Derivatives of the wrench by position and velocity of the dof.
    pub(super) by_pos: Force,
    pub(super) by_vel: Force,
}

impl Pair {
    /// The dofs that move either body.
    pub(super) fn arms(
        &self,
        model: &Model,
        data: &Data,
        (acc, vel): (&Motions, &Motions),
        out: &mut Vec<Arm>,
    ) {
        out.clear();
        for (dof, moves) in merged_chains(model, self.bodies[0], self.bodies[1]) {
            let root = model.body_rootid[model.dof_body(dof)] as usize;
            let offset = self.center - data.subtree_com[root];
            let axis = motion_at(data.cdof[dof], offset);
            let (sign, mut by_pos) = match moves {
                Moves::First => (-1.0, &self.by_first * axis),
                Moves::Second => (1.0, &self.by_second * axis),
                Moves::Both => (0.0, &self.by_first * axis + &self.by_second * axis),
            };
            let mut by_vel = Force::ZERO;
            if sign != 0.0 {
                let rates = [acc.rate[dof], vel.rate[dof]].map(|rate| motion_at(rate, offset));
                by_pos += (&self.by_acc * rates[0] + &self.by_vel * rates[1]) * sign;
                by_vel = &self.by_vel * axis * sign;
            }
            out.push(Arm { dof, sign, axis, by_pos, by_vel });
        }
    }
}
