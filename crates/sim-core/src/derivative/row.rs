//! Rows that are no contacts: equalities, dry friction and limits.

use super::quat::sub_quat;
use super::system::System;
use super::tendon::Tendons;
use super::tree::{Motions, TreeGradient, force_from};
use super::weight::Weight;
use crate::constraint::{Block, Kind, polynomial};
use crate::math::{Force, Mat3, Motion, Quat, Vec3};
use crate::model::{ConstraintType, EqType, JointType, ObjType};
use crate::smooth::{Moves, merged_chains};
use crate::{Data, Model};

/// Adds the derivatives of the forces of a block of rows at given acceleration. Wrenches on bodies go
/// to `outer`.
pub(super) fn add(
    model: &Model,
    data: &Data,
    (acc, vel): (&Motions, &Motions),
    tendons: &Tendons,
    block: &Block,
    weight: &Weight,
    system: &mut System,
    outer: &mut [Force],
) {
    let id = data.efc_id[block.row] as usize;
    if block.kind == Kind::Unit {
        return add_unit(data, block, weight, system);
    }
    let mut curve = Curve { block, weight, model, data, system };
    match ConstraintType::from_i32(data.efc_type[block.row]) {
        Some(ConstraintType::FrictionDof) => curve.add(&[], &[], |_, _| {}),
        Some(ConstraintType::FrictionTendon) => {
            let sign = 1.0;
            curve.add(&[(tendons, id, sign)], &[], |_, _| {});
        }
        Some(ConstraintType::LimitTendon) => {
            // near the lower end the row is the gradient, near the upper one it is reversed
            let low = model.tendon_range[id][0];
            let near_low = data.efc_pos[block.row] == -(low - data.ten_length[id]);
            curve.add(&[(tendons, id, if near_low { 1.0 } else { -1.0 })], &[], |_, _| {});
        }
        Some(ConstraintType::LimitJoint) => match model.jnt_kind(id) {
            JointType::Ball => ball_limit(curve, id),
            _ => curve.add(&[], &[], |_, _| {}),
        },
        Some(ConstraintType::Equality) => match EqType::from_i32(model.eq_type[id]) {
            Some(EqType::Joint) => joint_equality(curve, id),
            Some(EqType::Tendon) => tendon_equality(curve, tendons, id),
            _ => bodies(model, data, (acc, vel), block, weight, id, system, outer),
        },
        _ => {}
    }
}

/// Adds a row with one entry, which is constant.
fn add_unit(data: &Data, block: &Block, weight: &Weight, system: &mut System) {
    let (dof, entry) = (data.rows.dofs(block)[0] as usize, data.rows.values(block)[0]);
    let stiffness = weight.matrix[0][0];
    if data.efc_frictionloss[block.row] == 0.0 {
        let by_pos = weight.growth * weight.force[0] - stiffness * weight.stiffness;
        system.pos(dof).add(dof, entry * by_pos * entry);
    }
    system.vel(dof).add(dof, -(entry * stiffness * weight.damping[0] * entry));
}

/// A single row with the pieces that its curvature is made of.
struct Curve<'a> {
    block: &'a Block,
    weight: &'a Weight,
    model: &'a Model,
    data: &'a Data,
    system: &'a mut System,
}

impl Curve<'_> {
    /// Adds the row. Its Jacobian changes with those of `tendons` times factors, by `p J₂ᵀ J₂` for
    /// tendons and factors of `squares`, and by what `bend` adds: it is called with a vector `y` and
    /// adds `Σ_j y_j ∂J_j/∂q_k` by `k`.
    fn add(
        &mut self,
        tendons: &[(&Tendons, usize, f64)],
        squares: &[(usize, f64)],
        bend: impl Fn(&[f64], &mut [f64]),
    ) {
        let Curve { block, weight, model, data, system } = self;
        let nv = model.nv;
        let mut slopes = std::mem::take(&mut system.slopes);
        let mut scratch = std::mem::take(&mut system.scratch);
        slopes.clear();
        slopes.resize(nv, 0.0);
        scratch.clear();
        scratch.resize(nv, 0.0);
        // change of the residual
        for (y, factor, is_vel) in [(&data.qacc, 1.0, false), (&data.qvel, weight.damping[0], true)]
        {
            scratch.fill(0.0);
            bend(y, &mut scratch);
            for &(tendons, tendon, sign) in tendons {
                let bends = if is_vel { tendons.by_vel(tendon) } else { tendons.by_acc(tendon) };
                for (out, bend) in scratch.iter_mut().zip(bends) {
                    *out += sign * bend;
                }
            }
            for &(tendon, p) in squares {
                let along: f64 = model.tendon_row(data, tendon).map(|(dof, j)| j * y[dof]).sum();
                for (dof, j) in model.tendon_row(data, tendon) {
                    scratch[dof] += p * along * j;
                }
            }
            for (slope, change) in slopes.iter_mut().zip(&scratch) {
                *slope -= weight.matrix[0][0] * factor * change;
            }
        }
        let by_pos = weight.growth * weight.force[0] - weight.matrix[0][0] * weight.stiffness;
        let friction = data.efc_frictionloss[block.row] != 0.0;
        for (dof, entry) in data.rows.row(block, 0) {
            if !friction {
                slopes[dof] += by_pos * entry;
            }
        }
        let damping = weight.matrix[0][0] * weight.damping[0];
        for (i, entry) in data.rows.row(block, 0) {
            if entry == 0.0 {
                continue;
            }
            system.pos(i).add_all(entry, &slopes);
            let mut row = system.vel(i);
            for (k, other) in data.rows.row(block, 0) {
                row.add(k, -(entry * damping * other));
            }
        }
        for &(tendon, p) in squares {
            for (i, a) in model.tendon_row(data, tendon) {
                for (k, b) in model.tendon_row(data, tendon) {
                    system.pos(i).add(k, weight.force[0] * p * a * b);
                }
            }
        }
        system.slopes = slopes;
        system.scratch = scratch;
    }
}

/// The angle of a ball joint: its row is the reversed axis of rotation.
fn ball_limit(mut curve: Curve<'_>, jnt: usize) {
    let (model, data) = (curve.model, curve.data);
    let (dof, adr) = (model.jnt_dofadr[jnt] as usize, model.jnt_qposadr[jnt] as usize);
    let quat =
        Quat::new(data.qpos[adr], data.qpos[adr + 1], data.qpos[adr + 2], data.qpos[adr + 3])
            .normalized();
    let (axis, angle) = quat.to_velocity(1.0).normalized();
    let turning = sub_quat(quat, Quat::IDENTITY).0;
    // ∂row_j/∂q_k
    let bend = (Mat3::outer(axis, axis) - Mat3::IDENTITY) * turning * (1.0 / angle.max(1e-12));
    curve.add(&[], &[], |y, out| {
        let y = Vec3::new(y[dof], y[dof + 1], y[dof + 2]);
        let change = bend.transpose_mul(y);
        (0..3).for_each(|k| out[dof + k] += change[k]);
    });
    let force = curve.weight.force[0];
    for i in 0..3 {
        for k in 0..3 {
            curve.system.pos(dof + i).add(dof + k, force * bend[(i, k)]);
        }
    }
}

/// A joint that follows another along a polynomial.
fn joint_equality(mut curve: Curve<'_>, eq: usize) {
    let (model, data) = (curve.model, curve.data);
    let Ok(second) = usize::try_from(model.eq_obj2id[eq]) else {
        return curve.add(&[], &[], |_, _| {});
    };
    let adr = model.jnt_qposadr[second] as usize;
    let bend = -curvature(&model.eq_data[eq], data.qpos[adr] - model.qpos0[adr]);
    let dof = model.jnt_dofadr[second] as usize;
    curve.add(&[], &[], |y, out| out[dof] += bend * y[dof]);
    let force = curve.weight.force[0];
    curve.system.pos(dof).add(dof, force * bend);
}

/// A tendon that follows another along a polynomial.
fn tendon_equality(mut curve: Curve<'_>, tendons: &Tendons, eq: usize) {
    let (model, data) = (curve.model, curve.data);
    let first = model.eq_obj1id[eq] as usize;
    let Ok(second) = usize::try_from(model.eq_obj2id[eq]) else {
        return curve.add(&[(tendons, first, 1.0)], &[], |_, _| {});
    };
    let x = data.ten_length[second] - model.tendon_length0[second];
    let (_, slope) = polynomial(&model.eq_data[eq], x);
    let bend = -curvature(&model.eq_data[eq], x);
    curve.add(&[(tendons, first, 1.0), (tendons, second, -slope)], &[(second, bend)], |_, _| {});
}

/// Second derivative of the quartic of an equality.
fn curvature(coefs: &[f64; 11], x: f64) -> f64 {
    2.0 * coefs[2] + 6.0 * coefs[3] * x + 12.0 * coefs[4] * x * x
}

/// A connect or weld: a point, and with six rows an orientation, of one body held at another.
fn bodies(
    model: &Model,
    data: &Data,
    (acc, vel): (&Motions, &Motions),
    block: &Block,
    weight: &Weight,
    eq: usize,
    system: &mut System,
    outer: &mut [Force],
) {
    let ends = Ends::new(model, data, eq, block.count == 6);
    let Ends { bodies, arms, turn, .. } = ends;
    let rank = block.rank;
    let force = weight.force;
    let (push, twist) =
        (Vec3::new(force[0], force[1], force[2]), Vec3::new(force[3], force[4], force[5]));
    let violation: [f64; 6] =
        std::array::from_fn(|r| if r < rank { data.efc_pos[block.row + r] } else { 0.0 });
    let size = violation.iter().map(|x| x * x).sum::<f64>().sqrt();

    // the wrenches themselves
    for side in 0..2 {
        let sign = [1.0, -1.0][side];
        let wrench = Force::new(turn.transpose_mul(twist), push);
        outer[bodies[side]] += force_from(wrench, arms[side]) * sign;
    }

    let angular = |motions: &Motions| motions.body[bodies[0]].rot - motions.body[bodies[1]].rot;
    let (acc_turn, vel_turn) = (angular(acc), angular(vel));
    for (k, moves) in merged_chains(model, bodies[0], bodies[1]) {
        let axis = data.cdof[k];
        let on = [moves != Moves::Second, moves != Moves::First];
        // shifts of the two points, and the change of the map of rotations
        let shift = [0, 1].map(|s| if on[s] { axis.at(arms[s]) } else { Vec3::ZERO });
        let turn_rate = if rank == 6 { ends.turn_rate(axis.rot, on) } else { Mat3::default() };
        let change = |motions: &Motions, turning: Vec3| -> [f64; 6] {
            let mut lin = Vec3::ZERO;
            let mut rot = Vec3::ZERO;
            for s in 0..2 {
                if on[s] {
                    let sign = [1.0, -1.0][s];
                    let body = motions.body[bodies[s]];
                    let rate: Motion = axis.cross(body) + motions.rate[k];
                    lin += (rate.at(arms[s]) + body.rot.cross(shift[s])) * sign;
                    rot += rate.rot * sign;
                }
            }
            let rot = turn * rot + turn_rate * turning;
            [lin.x, lin.y, lin.z, rot.x, rot.y, rot.z]
        };
        let (by_acc, by_vel) = (change(acc, acc_turn), change(vel, vel_turn));
        let moved = shift[0] - shift[1];
        let relative = axis.rot * (f64::from(u8::from(on[0])) - f64::from(u8::from(on[1])));
        let turned = turn * relative;
        let column = [moved.x, moved.y, moved.z, turned.x, turned.y, turned.z];
        let mut size_rate = 0.0;
        if size > 0.0 {
            size_rate = (0..rank).map(|r| violation[r] * column[r]).sum::<f64>() / size;
        }
        let mut by_pos = [0.0; 6];
        let mut by_speed = [0.0; 6];
        for r in 0..rank {
            let residual = by_acc[r]
                + weight.damping[r] * by_vel[r]
                + weight.spring * column[r]
                + weight.spring_slope * violation[r] * size_rate;
            by_pos[r] = -weight.matrix[r][r] * residual + weight.growth * force[r] * size_rate;
            by_speed[r] = -weight.matrix[r][r] * weight.damping[r] * column[r];
        }
        let split = |f: [f64; 6]| (Vec3::new(f[0], f[1], f[2]), Vec3::new(f[3], f[4], f[5]));
        let (push_rate, twist_rate) = split(by_pos);
        let (push_speed, twist_speed) = split(by_speed);
        // the wrenches on both bodies by position and velocity
        let sides = [0, 1].map(|s| {
            let twist_rate = turn.transpose_mul(twist_rate) + turn_rate.transpose_mul(twist);
            let by_pos = force_from(Force::new(twist_rate, push_rate), arms[s])
                + Force::new(shift[s].cross(push), Vec3::ZERO);
            let by_vel =
                force_from(Force::new(turn.transpose_mul(twist_speed), push_speed), arms[s]);
            [by_pos, by_vel].map(|wrench| wrench * [1.0, -1.0][s])
        });
        let both = [0, 1].map(|i| sides[0][i] + sides[1][i]);
        for (i, moves) in merged_chains(model, bodies[0], bodies[1]) {
            let [by_pos, by_vel] = match moves {
                Moves::First => sides[0],
                Moves::Second => sides[1],
                Moves::Both => both,
            };
            system.pos(i).add(k, data.cdof[i].dot(by_pos));
            system.vel(i).add(k, data.cdof[i].dot(by_vel));
        }
    }
}

/// The connect or weld that a block belongs to, if it is one.
pub(super) fn held_bodies(model: &Model, data: &Data, block: &Block) -> Option<usize> {
    let eq = data.efc_id[block.row] as usize;
    (data.efc_type[block.row] == ConstraintType::Equality as i32
        && matches!(EqType::from_i32(model.eq_type[eq]), Some(EqType::Connect | EqType::Weld)))
    .then_some(eq)
}

/// Adds the gradient of the forces of a connect or weld to those of its bodies: the transpose of
/// [`bodies`].
///
/// With the product `w` of the rows with the weights, and `ρ = −W w`, the forces `f` contribute
/// ```text
/// ρ · (δ(J a) + damping δ(J v) + spring δpos) + (ρ · spring_slope pos + w · growth f) δ|pos| + f · δw
/// ```
pub(super) fn add_gradient(
    model: &Model,
    data: &Data,
    (acc, vel): (&Motions, &Motions),
    block: &Block,
    weight: &Weight,
    eq: usize,
    gradient: &mut TreeGradient,
) {
    let ends = Ends::new(model, data, eq, block.count == 6);
    let Ends { bodies, arms, turn, .. } = ends;
    let rank = block.rank;
    // how the ends turn and shift against each other as their bodies move
    let turned = |of: &[Motion]| of[bodies[0]].rot - of[bodies[1]].rot;
    let shifted = |of: &[Motion]| of[bodies[0]].at(arms[0]) - of[bodies[1]].at(arms[1]);
    let (lin, rot) = (shifted(&gradient.weight), turn * turned(&gradient.weight));
    let along = [lin.x, lin.y, lin.z, rot.x, rot.y, rot.z];

    let violation: [f64; 6] =
        std::array::from_fn(|r| if r < rank { data.efc_pos[block.row + r] } else { 0.0 });
    let size = violation.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (mut by_acc, mut by_vel, mut by_pos) = ([0.0; 6], [0.0; 6], [0.0; 6]);
    let mut by_size = 0.0;
    for r in 0..rank {
        let residual = -weight.matrix[r][r] * along[r];
        by_acc[r] = residual;
        by_vel[r] = residual * weight.damping[r];
        by_pos[r] = residual * weight.spring;
        by_size += residual * weight.spring_slope * violation[r]
            + along[r] * weight.growth * weight.force[r];
    }
    if size > 0.0 {
        (0..rank).for_each(|r| by_pos[r] += by_size * violation[r] / size);
    }
    let split = |f: &[f64; 6]| (Vec3::new(f[0], f[1], f[2]), Vec3::new(f[3], f[4], f[5]));
    // torque and force at the points
    let wrench = |f: &[f64; 6]| {
        let (push, twist) = split(f);
        Force::new(turn.transpose_mul(twist), push)
    };

    // the map of rotations changes as either body turns
    let mut by_turn = [Vec3::ZERO; 2];
    if rank == 6 {
        let rates = [
            (split(&weight.force).1, turned(&gradient.weight)),
            (split(&by_acc).1, turned(&acc.body)),
            (split(&by_vel).1, turned(&vel.body)),
        ];
        for (side, by_turn) in by_turn.iter_mut().enumerate() {
            for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
                let rate = ends.turn_rate(axis, [side == 0, side == 1]);
                by_turn[k] = rates.iter().map(|&(twist, turn)| twist.dot(rate * turn)).sum();
            }
        }
    }

    let [force, by_acc, by_vel, by_pos] = [&weight.force, &by_acc, &by_vel, &by_pos].map(wrench);
    for side in 0..2 {
        let (body, arm, sign) = (bodies[side], arms[side], [1.0, -1.0][side]);
        let [force, by_acc, by_vel, mut moved] =
            [force, by_acc, by_vel, by_pos].map(|wrench| wrench * sign);
        // on a body that turns, a shifted point moves differently
        moved.lin += force.lin.cross(gradient.weight[body].rot)
            + by_acc.lin.cross(acc.body[body].rot)
            + by_vel.lin.cross(vel.body[body].rot);
        moved.rot += by_turn[side];
        gradient.add_wrench(body, force_from(force, arm));
        let [by_acc, by_vel] = [by_acc, by_vel].map(|wrench| force_from(wrench, arm));
        let out = &mut gradient.body[body];
        out.motion += force_from(moved, arm)
            + acc.body[body].cross_force(by_acc)
            + vel.body[body].cross_force(by_vel);
        out.acc += by_acc;
        out.vel += by_vel;
    }
}

/// What a connect or weld holds together.
struct Ends {
    bodies: [usize; 2],
    /// The points, from the centres of mass of their trees.
    arms: [Vec3; 2],
    /// From relative angular velocity to the rate of the rows of orientation.
    turn: Mat3,
    first: Quat,
    second: Quat,
    scale: f64,
}

impl Ends {
    fn new(model: &Model, data: &Data, eq: usize, weld: bool) -> Ends {
        let params = &model.eq_data[eq];
        let vec3 = |at: usize| Vec3::new(params[at], params[at + 1], params[at + 2]);
        let bodies = model.eq_bodies(eq);
        let ids = [model.eq_obj1id[eq] as usize, model.eq_obj2id[eq] as usize];
        let site = model.eq_objtype[eq] == ObjType::Site as i32;
        let local = if weld { [vec3(3), vec3(0)] } else { [vec3(0), vec3(3)] };
        let points = if site {
            ids.map(|site| data.site_xpos[site])
        } else {
            [0, 1].map(|i| data.xmat[bodies[i]] * local[i] + data.xpos[bodies[i]])
        };
        let centers = bodies.map(|body| data.subtree_com[model.body_rootid[body] as usize]);
        let own = bodies.map(|body| data.xquat[body]);
        let (first, second) = if site {
            (own[0] * model.site_quat[ids[0]], own[1] * model.site_quat[ids[1]])
        } else {
            (own[0] * Quat::new(params[6], params[7], params[8], params[9]), own[1])
        };
        let scale = if weld { 0.5 * params[10] } else { 0.0 };
        let turn = if weld { sandwich(second.conjugate(), first) * scale } else { Mat3::default() };
        let arms = [points[0] - centers[0], points[1] - centers[1]];
        Ends { bodies, arms, turn, first, second, scale }
    }

    /// The rate of `turn` when those bodies turn with angular velocity `w` that are on.
    fn turn_rate(&self, w: Vec3, on: [bool; 2]) -> Mat3 {
        let half = Quat::new(0.0, 0.5 * w.x, 0.5 * w.y, 0.5 * w.z);
        let mut rate = Mat3::default();
        if on[0] {
            rate = rate + sandwich(self.second.conjugate(), half * self.first);
        }
        if on[1] {
            rate = rate + sandwich((half * self.second).conjugate(), self.first);
        }
        rate * self.scale
    }
}

/// The vector part of `left (0, x) right` as a matrix that is applied to `x`.
fn sandwich(left: Quat, right: Quat) -> Mat3 {
    let column = |x: f64, y: f64, z: f64| (left * Quat::new(0.0, x, y, z) * right).vector();
    Mat3::from_columns(column(1.0, 0.0, 0.0), column(0.0, 1.0, 0.0), column(0.0, 0.0, 1.0))
}
