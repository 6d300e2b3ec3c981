use wide::f64x4;

use super::system::System;
use crate::math::{Force, Inertia, Mat3, Motion, MotionToForce, Vec3};
use crate::model::JointType;
use crate::smooth::dof_chain;
use crate::{Data, Model};

/// The first dof of the block of each dof: itself, or the first of the three rotations of a ball or
/// free joint, or of the three translations of a free joint. A dof moves the axes of those that
/// follow it in its chain, and of the others in its block.
pub(super) fn blocks(model: &Model, out: &mut Vec<usize>) {
    out.clear();
    out.extend(0..model.nv);
    for jnt in 0..model.njnt {
        let first = model.jnt_dofadr[jnt] as usize;
        match model.jnt_kind(jnt) {
            JointType::Ball => out[first..first + 3].fill(first),
            JointType::Free => {
                out[first..first + 3].fill(first);
                out[first + 3..first + 6].fill(first + 3);
            }
            JointType::Slide | JointType::Hinge => {}
        }
    }
}

/// How bodies and axes move for joint rates `y`, about the centre of mass of their tree:
/// ```text
/// body_b = Σ S_j y_j over the chain of b        rate_k = U_k × S_k
/// ```
/// where `U_k` sums over the dofs before the block of `k`. With these, the derivative of `body_b` by
/// the position of a dof `k` in its chain is `S_k × body_b + rate_k`.
#[derive(Debug, Clone, Default)]
pub(super) struct Motions {
    pub(super) body: Vec<Motion>,
    pub(super) before: Vec<Motion>,
    pub(super) rate: Vec<Motion>,
}

impl Motions {
    pub(super) fn compute(&mut self, model: &Model, data: &Data, blocks: &[usize], y: &[f64]) {
        self.body.resize(model.nbody, Motion::ZERO);
        self.before.resize(model.nv, Motion::ZERO);
        self.rate.resize(model.nv, Motion::ZERO);
        self.body[0] = Motion::ZERO;
        for body in 1..model.nbody {
            let mut motion = self.body[model.body_parent(body)];
            let mut before = motion;
            for dof in model.body_dofs(body) {
                if blocks[dof] == dof {
                    before = motion;
                }
                let axis = data.cdof[dof];
                self.before[dof] = before;
                self.rate[dof] = before.cross(axis);
                motion += axis * y[dof];
            }
            self.body[body] = motion;
        }
    }
}

/// Derivatives of inverse dynamics at velocity `v` and acceleration `a`.
///
/// For a body in the subtree of dof `k`, with the matrix `B` of [`Coriolis`]:
/// ```text
/// ∂f_b/∂q_k = S_k ×* f_b + B_b Ṡ_k + I_b P_k      P_k = Â_k × S_k + U_k × Ṡ_k
/// ∂f_b/∂v_k = B_b S_k + I_b W_k                   W_k = Ṡ_k + V_k × S_k
/// ```
/// `Â_k` and `U_k` are acceleration and velocity before the block of `k`, `V_k` the velocity after
/// it. Forces, `B` and `I` add up over subtrees. Carpentier and Mansard, Analytical Derivatives of
/// Rigid Body Dynamics Algorithms (2018).
#[derive(Debug, Clone, Default)]
pub(super) struct Inertial {
    /// Accelerations of bodies, gravity included.
    pub(super) acc: Vec<Motion>,
    /// `P` and `W` of each dof.
    by_pos: Vec<Motion>,
    by_vel: Vec<Motion>,
    /// Acceleration before the block of a dof, and velocity after it.
    pub(super) before: Vec<Motion>,
    pub(super) after: Vec<Motion>,
    /// Force of each body, then of each subtree.
    pub(super) force: Vec<Force>,
    /// The matrix `B` of each body, then of each subtree.
    coriolis: Vec<Coriolis>,
    /// What a medium adds to that; empty without one.
    medium: Vec<MotionToForce>,
    /// Whether any velocity is not zero.
    moving: bool,
    // of all dofs, in lanes, and the ancestors of each
    axes: Lanes,
    rates: Lanes,
    by_pos_lanes: Lanes,
    by_vel_lanes: Lanes,
    ancestors: Vec<u8>,
}

/// The derivative `B` of the force of a body by its velocity, with momentum `h`:
/// ```text
/// B S = v ×* (I S) − I (v × S) + S ×* h
/// ```
/// It does not depend on the translation in `S`, and the force on the centre of mass is that of Coriolis,
/// `2 S_rot × h_lin`.
#[derive(Debug, Clone, Copy, Default)]
struct Coriolis {
    torque: Mat3,
    /// Twice the momentum.
    force: Vec3,
}

impl Coriolis {
    fn new(inertia: Inertia, v: Motion, h: Force) -> Coriolis {
        let Inertia { diag, off, moment, .. } = inertia;
        // the inertia is [J K; −K m] with K = skew(moment); with skew matrices w and u of the velocity
        // the torque by rotation is w J + (w J)ᵀ − u K − (u K)ᵀ − skew(h)
        let rows = [
            Vec3::new(diag.x, off.x, off.y),
            Vec3::new(off.x, diag.y, off.z),
            Vec3::new(off.y, off.z, diag.z),
        ];
        let [a, b, c] = rows.map(|row| v.rot.cross(row));
        let (u, m, t) = (v.lin, moment, h.rot);
        let along = 2.0 * u.dot(m);
        let (xx, yy, zz) = (
            2.0 * (a.x - u.x * m.x) + along,
            2.0 * (b.y - u.y * m.y) + along,
            2.0 * (c.z - u.z * m.z) + along,
        );
        let xy = a.y + b.x - u.x * m.y - u.y * m.x;
        let xz = a.z + c.x - u.x * m.z - u.z * m.x;
        let yz = b.z + c.y - u.y * m.z - u.z * m.y;
        #[rustfmt::skip]
        let torque = Mat3::new([
            xx,       xy + t.z, xz - t.y,
            xy - t.z, yy,       yz + t.x,
            xz + t.y, yz - t.x, zz,
        ]);
        Coriolis { torque, force: h.lin * 2.0 }
    }

    #[inline]
    fn mul(&self, s: Motion) -> Force {
        Force::new(self.torque * s.rot, s.rot.cross(self.force))
    }

    #[inline]
    fn transpose_mul(&self, z: Motion) -> Force {
        let torque = self.torque.transpose_mul(z.rot) + self.force.cross(z.lin);
        Force::new(torque, Vec3::ZERO)
    }
}

/// Spatial vectors of dofs, four at a time, component by component.
#[derive(Debug, Clone, Default)]
struct Lanes(Vec<[f64x4; 6]>);

impl Lanes {
    fn fill(&mut self, motions: &[Motion]) {
        self.0.clear();
        self.0.extend(motions.chunks(4).map(|motions| {
            let mut lanes = [[0.0; 4]; 6];
            for (lane, Motion { rot, lin }) in motions.iter().enumerate() {
                let components = [rot.x, rot.y, rot.z, lin.x, lin.y, lin.z];
                (0..6).for_each(|i| lanes[i][lane] = components[i]);
            }
            lanes.map(f64x4::new)
        }));
    }
}

/// The power of a force along four motions.
#[inline]
fn dots(motions: &[f64x4; 6], force: &[f64x4; 6]) -> f64x4 {
    let [a, b, c, d, e, f]: [f64x4; 6] = std::array::from_fn(|i| motions[i] * force[i]);
    (a + b + c) + (d + e + f)
}

#[inline]
fn splat(Force { rot, lin }: Force) -> [f64x4; 6] {
    [rot.x, rot.y, rot.z, lin.x, lin.y, lin.z].map(f64x4::splat)
}

/// Four lanes of which only those in a set of bits are not zero.
#[inline]
fn masked(x: f64x4, bits: u8) -> f64x4 {
    x & f64x4::new(MASKS[usize::from(bits & 15)].map(f64::from_bits))
}

/// All bits of the lanes in a set.
static MASKS: [[u64; 4]; 16] = {
    let mut masks = [[0; 4]; 16];
    let mut at = 0;
    while at < 64 {
        if ((at / 4) >> (at % 4)) & 1 == 1 {
            masks[at / 4][at % 4] = u64::MAX;
        }
        at += 1;
    }
    masks
};

impl Inertial {
    /// Computes everything by body; [`collect`](Inertial::collect) sums over subtrees.
    pub(super) fn compute(
        &mut self,
        model: &Model,
        data: &Data,
        blocks: &[usize],
        motions: &Motions,
        v: &[f64],
        a: &[f64],
        gravity: Vec3,
    ) {
        self.acc.resize(model.nbody, Motion::ZERO);
        self.force.resize(model.nbody, Force::ZERO);
        self.coriolis.resize(model.nbody, Coriolis::default());
        self.medium.clear();
        self.by_pos.resize(model.nv, Motion::ZERO);
        self.by_vel.resize(model.nv, Motion::ZERO);
        self.before.resize(model.nv, Motion::ZERO);
        self.after.resize(model.nv, Motion::ZERO);
        self.acc[0] = Motion::linear(-gravity);
        self.force[0] = Force::ZERO;
        self.moving = v.iter().any(|&v| v != 0.0);
        for body in 1..model.nbody {
            let mut acc = self.acc[model.body_parent(body)];
            let mut before = acc;
            for dof in model.body_dofs(body) {
                if blocks[dof] == dof {
                    before = acc;
                }
                let (axis, rate) = (data.cdof[dof], motions.rate[dof]);
                self.before[dof] = before;
                self.by_pos[dof] = before.cross(axis) + motions.before[dof].cross(rate);
                acc += axis * a[dof] + rate * v[dof];
            }
            self.acc[body] = acc;
            // the velocity after a block is that before the next, or that of the body
            let mut after = motions.body[body];
            for dof in model.body_dofs(body).rev() {
                self.after[dof] = after;
                if blocks[dof] == dof {
                    after = motions.before[dof];
                }
            }
            for dof in model.body_dofs(body) {
                self.by_vel[dof] = motions.rate[dof] + self.after[dof].cross(data.cdof[dof]);
            }
            let (inertia, velocity) = (data.cinert[body], motions.body[body]);
            if self.moving {
                let momentum = inertia * velocity;
                self.force[body] = inertia * acc + velocity.cross_force(momentum);
                self.coriolis[body] = Coriolis::new(inertia, velocity, momentum);
            } else {
                self.force[body] = inertia * acc;
                self.coriolis[body] = Coriolis::default();
            }
        }
    }

    /// Adds the derivative of the force of a medium on a body by its velocity.
    pub(super) fn add_medium(&mut self, body: usize, map: MotionToForce) {
        self.medium.resize(self.force.len(), MotionToForce::default());
        self.medium[body] += map;
    }

    /// The force by a velocity, of a body or a subtree.
    #[inline]
    fn damped(&self, body: usize, motion: Motion) -> Force {
        let force = self.coriolis[body].mul(motion);
        self.medium.get(body).map_or(force, |medium| force + medium * motion)
    }

    /// The transpose of [`damped`](Inertial::damped).
    #[inline]
    fn damped_transposed(&self, body: usize, motion: Motion) -> Force {
        let force = self.coriolis[body].transpose_mul(motion);
        self.medium.get(body).map_or(force, |medium| force + medium.transpose_mul(motion))
    }

    /// Sums forces and matrices over subtrees.
    pub(super) fn collect(&mut self, model: &Model) {
        for body in (1..model.nbody).rev() {
            let parent = model.body_parent(body);
            if parent == 0 {
                continue;
            }
            let (force, Coriolis { torque, force: twice }) =
                (self.force[body], self.coriolis[body]);
            self.force[parent] += force;
            if self.moving {
                let above = &mut self.coriolis[parent];
                above.torque = above.torque + torque;
                above.force += twice;
            }
            if let Some(&medium) = self.medium.get(body) {
                self.medium[parent] += medium;
            }
        }
    }

    /// Adds the derivatives of inverse dynamics by position and velocity, times factors, to a system,
    /// for all pairs of dofs on one chain. `outer` are forces on bodies that do not turn with them,
    /// summed over subtrees and counted as `−f`, and the derivative of such forces by the motion of
    /// their body, likewise, or nothing.
    pub(super) fn add_to(
        &mut self,
        model: &Model,
        data: &Data,
        blocks: &[usize],
        motions: &Motions,
        outer: Option<(&[Force], &[MotionToForce])>,
        (pos_factor, vel_factor): (f64, f64),
        system: &mut System,
    ) {
        let count = self.find_ancestors(model);
        self.axes.fill(&data.cdof);
        self.by_pos_lanes.fill(&self.by_pos);
        // at rest, nothing depends on velocity
        let moving = self.moving || !self.medium.is_empty();
        if moving {
            self.rates.fill(&motions.rate);
            self.by_vel_lanes.fill(&self.by_vel);
        }
        let by_velocity = moving && vel_factor != 0.0;
        let (pos_scale, vel_scale) = (f64x4::splat(pos_factor), f64x4::splat(vel_factor));
        for dof in 0..model.nv {
            let body = model.dof_body(dof);
            let inertia = data.crb[body];
            let axis = data.cdof[dof];
            let momentum = inertia * axis;
            // derivatives of the force of the subtree by this dof, without and with turning along
            let mut moved = inertia * self.by_pos[dof];
            let (mut transposed, mut by_self) = (Force::ZERO, Force::ZERO);
            if moving {
                moved += self.damped(body, motions.rate[dof]);
                transposed = self.damped_transposed(body, axis);
                by_self = inertia * self.by_vel[dof] + self.damped(body, axis);
            }
            // derivative of the force of this dof by turning of an ancestor
            let mut turned = Force::ZERO;
            if let Some((outer, stiffness)) = outer {
                turned = axis.cross_force(outer[body]);
                if let Some(stiffness) = stiffness.get(body) {
                    moved = moved - stiffness * axis;
                    turned += stiffness.transpose_mul(axis);
                }
            }
            let carried = moved + axis.cross_force(self.force[body]);
            system.pos(dof).add(dof, pos_factor * axis.dot(carried));
            if by_velocity {
                system.vel(dof).add(dof, vel_factor * axis.dot(by_self));
            }

            let [momentum, transposed, turned, by_self_lanes, carried_lanes] =
                [momentum, transposed, turned, by_self, carried].map(splat);
            let chain = &self.ancestors[dof * count..(dof + 1) * count];
            for (block, &bits) in chain.iter().enumerate().take(dof / 4 + 1) {
                if bits == 0 {
                    continue;
                }
                let axes = &self.axes.0[block];
                let mut by_pos = dots(&self.by_pos_lanes.0[block], &momentum) - dots(axes, &turned);
                if moving {
                    by_pos += dots(&self.rates.0[block], &transposed);
                }
                system.add_pos_lanes(dof, 4 * block, masked(by_pos * pos_scale, bits));
                let above_pos = (dots(axes, &carried_lanes) * pos_scale).to_array();
                let mut above_vel = [0.0; 4];
                if by_velocity {
                    let by_vel =
                        dots(&self.by_vel_lanes.0[block], &momentum) + dots(axes, &transposed);
                    system.add_vel_lanes(dof, 4 * block, masked(by_vel * vel_scale, bits));
                    above_vel = (dots(axes, &by_self_lanes) * vel_scale).to_array();
                }
                for lane in (0..4).filter(|lane| bits & (1 << lane) != 0) {
                    let ancestor = 4 * block + lane;
                    let mut by_pos = above_pos[lane];
                    if ancestor >= blocks[dof] {
                        // a rotation of the same joint
                        let above = data.cdof[ancestor];
                        let turned = outer
                            .map_or(0.0, |(outer, _)| axis.dot(above.cross_force(outer[body])));
                        by_pos = pos_factor * (above.dot(moved) - turned);
                    }
                    system.pos(ancestor).add(dof, by_pos);
                    if by_velocity {
                        system.vel(ancestor).add(dof, above_vel[lane]);
                    }
                }
            }
        }
    }

    /// Marks the ancestors of each dof, one bit each; returns the number of bytes per dof.
    fn find_ancestors(&mut self, model: &Model) -> usize {
        let count = model.nv.div_ceil(4);
        self.ancestors.clear();
        self.ancestors.resize(model.nv * count, 0);
        for dof in 0..model.nv {
            if let Some(parent) = model.dof_parent(dof) {
                let (before, own) = self.ancestors.split_at_mut(dof * count);
                own[..count].copy_from_slice(&before[parent * count..(parent + 1) * count]);
                own[parent / 4] |= 1 << (parent % 4);
            }
        }
        count
    }
}

/// The gradient of `z · τ` by positions and velocities, where `τ` are the generalised forces of wrenches
/// on a tree of bodies less those of inverse dynamics.
///
/// Both are `z · τ = Σ_b Z_b · f_b`, with the motion `Z_b` of a body at joint rates `z`. What depends on
/// `z`, and on motion, acceleration and velocity of bodies, is collected by body and summed over
/// subtrees. No matrix is formed, and the cost is that of inverse dynamics.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeGradient {
    /// The motions `Z`.
    pub(super) weight: Vec<Motion>,
    /// The joint rates `z`.
    rates: Vec<f64>,
    pub(super) body: Vec<BodyGradient>,
}

/// What the gradient is made of, by body, then by subtree.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyGradient {
    /// The gradient by motion of the body.
    pub(super) motion: Force,
    /// By the acceleration `J y` and by the velocity of the body, at fixed position.
    pub(super) acc: Force,
    pub(super) vel: Force,
    /// The momentum `I Z`: reversed, the gradient by the acceleration of inverse dynamics.
    pub(super) momentum: Force,
    /// The wrench on the body less the force that its inertia takes.
    wrench: Force,
}

impl BodyGradient {
    const ZERO: BodyGradient = BodyGradient {
        motion: Force::ZERO,
        acc: Force::ZERO,
        vel: Force::ZERO,
        momentum: Force::ZERO,
        wrench: Force::ZERO,
    };
}

impl TreeGradient {
    /// Starts from nothing, along the joint rates `z`.
    pub(super) fn clear(&mut self, model: &Model, data: &Data, z: &[f64]) {
        self.rates.clear();
        self.rates.extend_from_slice(z);
        body_motions(model, data, z, &mut self.weight);
        self.body.clear();
        self.body.resize(model.nbody, BodyGradient::ZERO);
    }

    /// Adds a wrench on a body that keeps its direction.
    #[inline]
    pub(super) fn add_wrench(&mut self, body: usize, wrench: Force) {
        let turned = self.weight[body].cross_force(wrench);
        let gradient = &mut self.body[body];
        gradient.wrench += wrench;
        gradient.motion += turned;
    }

    /// Adds a force and a torque that keep their directions, at a point of a body.
    pub(super) fn add_push(&mut self, body: usize, offset: Vec3, push: Vec3, torque: Vec3) {
        self.add_wrench(body, force_from(Force::new(torque, push), offset));
        // the point moves along, and the torque by that times the force
        let by_shift = push.cross(self.weight[body].rot);
        self.body[body].motion += force_from(Force::linear(by_shift), offset);
    }

    /// Adds a wrench on a body that turns along with it.
    #[inline]
    pub(super) fn add_riding(&mut self, body: usize, wrench: Force) {
        self.body[body].wrench += wrench;
    }

    /// Subtracts inverse dynamics at the accelerations `acc` of bodies, with gravity, and their velocities
    /// `vel`, if they move:
    /// ```text
    /// f = I A + V ×* h        h = I V        ι = I Z        β = Bᵀ Z = V ×* ι − I (V × Z) − Z ×* h
    /// ```
    pub(super) fn add_inertial(
        &mut self,
        model: &Model,
        data: &Data,
        acc: &[Motion],
        vel: Option<&[Motion]>,
    ) {
        for body in 1..model.nbody {
            let (inertia, weight) = (data.cinert[body], self.weight[body]);
            let gradient = &mut self.body[body];
            let mut force = inertia * acc[body];
            let momentum = inertia * weight;
            if let Some(vel) = vel {
                let vel = vel[body];
                let own = inertia * vel;
                force += vel.cross_force(own);
                gradient.vel += inertia * vel.cross(weight) + weight.cross_force(own)
                    - vel.cross_force(momentum);
            }
            gradient.momentum += momentum;
            gradient.wrench = gradient.wrench - force;
        }
    }

    /// Sums over subtrees, and adds the gradient times factors:
    /// ```text
    /// by q_k: S_k · (γ_k − U_k(z) ×* w_k + Â_k ×* ι_k) + Ṡ_k · (β_k + U_k ×* ι_k)
    /// by v_k: S_k · (β_k + V_k ×* ι_k) − Ṡ_k · ι_k
    /// ```
    /// with the sums `γ`, `β`, `ι` and `w` of gradients by motion and velocity, of momenta and of wrenches.
    /// `U_k` and `Â_k` belong to the motion before the block of `k`, `V_k` to that after it. `acc` are the
    /// accelerations of bodies and joints that [`add_inertial`](TreeGradient::add_inertial) had; without
    /// velocities there are no gradients but those of inertia.
    pub(super) fn add_to(
        &mut self,
        model: &Model,
        data: &Data,
        blocks: &[usize],
        (acc, a): (&[Motion], &[f64]),
        vel: Option<(&Motions, &[f64])>,
        (pos_factor, vel_factor): (f64, f64),
        (pos_out, vel_out): (&mut [f64], &mut [f64]),
    ) {
        for body in (1..model.nbody).rev() {
            let parent = model.body_parent(body);
            if parent > 0 {
                let [above, own] =
                    self.body.get_disjoint_mut([parent, body]).expect("parents come first");
                above.momentum += own.momentum;
                above.wrench += own.wrench;
                if vel.is_some() {
                    above.motion += own.motion;
                    above.acc += own.acc;
                    above.vel += own.vel;
                }
            }
        }
        for body in 1..model.nbody {
            let (parent, dofs) = (model.body_parent(body), model.body_dofs(body));
            let BodyGradient { motion, vel: by_vel, momentum, wrench, .. } = self.body[body];
            let (mut weight, mut before) = (self.weight[parent], acc[parent]);
            let mut moving = vel.map_or(Motion::ZERO, |(vel, _)| vel.body[parent]);
            let mut first = dofs.start;
            while first < dofs.end {
                let last = (first..dofs.end).rfind(|&dof| blocks[dof] == first).unwrap_or(first);
                let by_axis = motion - weight.cross_force(wrench) + before.cross_force(momentum);
                for dof in first..=last {
                    pos_out[dof] += pos_factor * data.cdof[dof].dot(by_axis);
                }
                if let Some((vel, v)) = vel {
                    let by_rate = by_vel + moving.cross_force(momentum);
                    moving += (first..=last).map(|dof| data.cdof[dof] * v[dof]).sum();
                    let by_speed = by_vel + moving.cross_force(momentum);
                    for dof in first..=last {
                        let (axis, rate) = (data.cdof[dof], vel.rate[dof]);
                        pos_out[dof] += pos_factor * rate.dot(by_rate);
                        vel_out[dof] += vel_factor * (axis.dot(by_speed) - rate.dot(momentum));
                        before += rate * v[dof];
                    }
                }
                for dof in first..=last {
                    let axis = data.cdof[dof];
                    weight += axis * self.rates[dof];
                    before += axis * a[dof];
                }
                first = last + 1;
            }
        }
    }
}

impl TreeGradient {
    /// Adds the gradient through the accelerations `J y` of bodies, times a factor, with the joint rates
    /// `y` in `motions`. Runs after [`add_to`](TreeGradient::add_to).
    pub(super) fn add_through_acc(
        &self,
        model: &Model,
        motions: &Motions,
        factor: f64,
        pos_out: &mut [f64],
    ) {
        for dof in 0..model.nv {
            pos_out[dof] += factor * motions.rate[dof].dot(self.body[model.dof_body(dof)].acc);
        }
    }
}

/// Adds what the turning of axes contributes to the derivative by position of the generalised force of a
/// wrench on a body, `(S_k × S_i) · w` for dofs `k` that move the axis of `i`, for those `i` that are
/// wanted.
pub(super) fn add_turning(
    model: &Model,
    data: &Data,
    blocks: &[usize],
    (body, wrench): (usize, Force),
    wanted: impl Fn(usize) -> bool,
    system: &mut System,
) {
    for i in dof_chain(model, body).filter(|&i| wanted(i)) {
        let mut row = system.pos(i);
        for k in dof_chain(model, body).filter(|&k| k != i && blocks[k] <= blocks[i]) {
            row.add(k, data.cdof[k].cross(data.cdof[i]).dot(wrench));
        }
    }
}

/// Computes how bodies move for joint rates `y`, about the centre of mass of their tree.
fn body_motions(model: &Model, data: &Data, y: &[f64], out: &mut Vec<Motion>) {
    out.clear();
    out.push(Motion::ZERO);
    for body in 1..model.nbody {
        let mut motion = out[model.body_parent(body)];
        for dof in model.body_dofs(body) {
            motion += data.cdof[dof] * y[dof];
        }
        out.push(motion);
    }
}

/// Computes the accelerations of bodies at joint accelerations `a`, with gravity, and joint velocities `v`
/// if there are any.
pub(super) fn body_accelerations(
    model: &Model,
    data: &Data,
    a: &[f64],
    vel: Option<(&Motions, &[f64])>,
    gravity: Vec3,
    out: &mut Vec<Motion>,
) {
    out.clear();
    out.push(Motion::linear(-gravity));
    for body in 1..model.nbody {
        let mut acc = out[model.body_parent(body)];
        for dof in model.body_dofs(body) {
            acc += data.cdof[dof] * a[dof];
            if let Some((vel, v)) = vel {
                acc += vel.rate[dof] * v[dof];
            }
        }
        out.push(acc);
    }
}

/// A motion about another point, `offset` away.
#[inline]
pub(super) fn motion_at(motion: Motion, offset: Vec3) -> Motion {
    Motion::new(motion.rot, motion.at(offset))
}

/// A wrench about a point, from that about the point `offset` away.
#[inline]
pub(super) fn force_from(force: Force, offset: Vec3) -> Force {
    Force::new(force.rot + offset.cross(force.lin), force.lin)
}

impl MotionToForce {
    /// The map about a point, from that about the point `offset` away.
    pub(super) fn moved(&self, offset: Vec3) -> MotionToForce {
        let k = Mat3::skew(offset);
        let lin_rot = self.lin_rot - self.lin_lin * k;
        MotionToForce {
            rot_rot: self.rot_rot - self.rot_lin * k + k * lin_rot,
            rot_lin: self.rot_lin + k * self.lin_lin,
            lin_rot,
            lin_lin: self.lin_lin,
        }
    }

    /// The map that takes `S` to this map's value at `S × v`.
    pub(super) fn crossed(&self, v: Motion) -> MotionToForce {
        let (w, u) = (Mat3::skew(v.rot) * -1.0, Mat3::skew(v.lin) * -1.0);
        MotionToForce {
            rot_rot: self.rot_rot * w + self.rot_lin * u,
            rot_lin: self.rot_lin * w,
            lin_rot: self.lin_rot * w + self.lin_lin * u,
            lin_lin: self.lin_lin * w,
        }
    }

    /// Every entry times `s`.
    pub(super) fn times(&self, s: f64) -> MotionToForce {
        MotionToForce {
            rot_rot: self.rot_rot * s,
            rot_lin: self.rot_lin * s,
            lin_rot: self.lin_rot * s,
            lin_lin: self.lin_lin * s,
        }
    }
}
