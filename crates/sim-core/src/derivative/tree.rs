use crate::math::{Force, Inertia, Mat3, Motion, MotionToForce, Vec3};
use crate::model::JointType;
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
/// For a body in the subtree of dof `k`, with the matrix `B` of [`force_by_velocity`]:
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
    pub(super) damping: Vec<MotionToForce>,
}

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
        self.damping.resize(model.nbody, MotionToForce::default());
        self.by_pos.resize(model.nv, Motion::ZERO);
        self.by_vel.resize(model.nv, Motion::ZERO);
        self.before.resize(model.nv, Motion::ZERO);
        self.after.resize(model.nv, Motion::ZERO);
        self.acc[0] = Motion::linear(-gravity);
        self.force[0] = Force::ZERO;
        let moving = v.iter().any(|&v| v != 0.0);
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
            if moving {
                let momentum = inertia * velocity;
                self.force[body] = inertia * acc + velocity.cross_force(momentum);
                self.damping[body] = force_by_velocity(inertia, velocity, momentum);
            } else {
                self.force[body] = inertia * acc;
                self.damping[body] = MotionToForce::default();
            }
        }
    }

    /// Sums forces and matrices over subtrees.
    pub(super) fn collect(&mut self, model: &Model) {
        for body in (1..model.nbody).rev() {
            let parent = model.body_parent(body);
            if parent > 0 {
                let (force, damping) = (self.force[body], self.damping[body]);
                self.force[parent] += force;
                self.damping[parent] += damping;
            }
        }
    }

    /// Calls `add(i, k, by_pos, by_vel)` with the derivatives of the force of dof `i` by position
    /// and velocity of dof `k`, for all pairs on one chain. `outer` are forces on bodies that do
    /// not turn with them, summed over subtrees and counted as `−f`, and `stiffness` the derivative
    /// of such forces by the motion of their body, likewise.
    pub(super) fn for_each(
        &self,
        model: &Model,
        data: &Data,
        blocks: &[usize],
        motions: &Motions,
        outer: Option<(&[Force], &[MotionToForce])>,
        add: impl FnMut(usize, usize, f64, f64),
    ) {
        self.for_each_of::<true>(model, data, blocks, motions, outer, add);
    }

    /// [`for_each`](Inertial::for_each) where the derivatives by velocity may be left out: they are
    /// zero without `VEL`.
    pub(super) fn for_each_of<const VEL: bool>(
        &self,
        model: &Model,
        data: &Data,
        blocks: &[usize],
        motions: &Motions,
        outer: Option<(&[Force], &[MotionToForce])>,
        mut add: impl FnMut(usize, usize, f64, f64),
    ) {
        for dof in 0..model.nv {
            let body = model.dof_body(dof);
            let (inertia, damping): (Inertia, &MotionToForce) =
                (data.crb[body], &self.damping[body]);
            let (axis, rate) = (data.cdof[dof], motions.rate[dof]);
            let momentum = inertia * axis;
            let transposed = damping.transpose_mul(axis);
            let by_self = inertia * self.by_vel[dof] + damping * axis;
            // derivatives of the force of the subtree by this dof, without and with turning along
            let mut moved = damping * rate + inertia * self.by_pos[dof];
            // derivative of the force of this dof by turning of an ancestor
            let mut turned = Force::ZERO;
            if let Some((outer, stiffness)) = outer {
                moved = moved - &stiffness[body] * axis;
                turned = stiffness[body].transpose_mul(axis) + axis.cross_force(outer[body]);
            }
            let carried = moved + axis.cross_force(self.force[body]);

            let mut next = Some(dof);
            while let Some(ancestor) = next {
                let (above, above_rate) = (data.cdof[ancestor], motions.rate[ancestor]);
                if ancestor == dof {
                    add(dof, dof, axis.dot(carried), axis.dot(by_self));
                } else {
                    let by_pos = above_rate.dot(transposed) + self.by_pos[ancestor].dot(momentum)
                        - above.dot(turned);
                    let by_vel = if VEL {
                        self.by_vel[ancestor].dot(momentum) + above.dot(transposed)
                    } else {
                        0.0
                    };
                    add(dof, ancestor, by_pos, by_vel);
                    let by_pos = if blocks[ancestor] == blocks[dof] {
                        let turned = outer
                            .map_or(0.0, |(outer, _)| axis.dot(above.cross_force(outer[body])));
                        above.dot(moved) - turned
                    } else {
                        above.dot(carried)
                    };
                    let by_vel = if VEL { above.dot(by_self) } else { 0.0 };
                    add(ancestor, dof, by_pos, by_vel);
                }
                next = model.dof_parent(ancestor);
            }
        }
    }
}

/// The gradient of `z · τ` by positions and velocities, where `τ` are the generalised forces of a tree
/// of bodies.
#[derive(Debug, Clone, Default)]
pub(super) struct TreeGradient {
    /// How bodies move for the joint rates `z`.
    pub(super) weight: Motions,
    /// Gradients by the motion of a body, and by its acceleration and velocity at fixed position.
    pub(super) by_motion: Vec<Force>,
    pub(super) by_acc: Vec<Force>,
    pub(super) by_vel: Vec<Force>,
    pub(super) momentum: Vec<Force>,
    damped: Vec<Force>,
}

impl TreeGradient {
    /// Starts from nothing.
    pub(super) fn clear(&mut self, model: &Model, data: &Data, blocks: &[usize], z: &[f64]) {
        self.weight.compute(model, data, blocks, z);
        for forces in [&mut self.by_motion, &mut self.by_acc, &mut self.by_vel] {
            forces.clear();
            forces.resize(model.nbody, Force::ZERO);
        }
        self.momentum.resize(model.nbody, Force::ZERO);
        self.damped.resize(model.nbody, Force::ZERO);
    }

    /// Adds the gradient of wrenches on bodies that stay in the world but for the derivative
    /// `stiffness` by the motion of their body, and of what was added by body. `outer` is summed
    /// over subtrees.
    pub(super) fn add_outer(
        &mut self,
        model: &Model,
        data: &Data,
        (acc, vel): (&Motions, &Motions),
        (outer, stiffness): (&mut [Force], &[MotionToForce]),
        (pos_out, vel_out): (&mut [f64], &mut [f64]),
    ) {
        for body in 1..model.nbody {
            let weight = self.weight.body[body];
            self.by_motion[body] +=
                weight.cross_force(outer[body]) + stiffness[body].transpose_mul(weight);
        }
        for forces in [&mut *outer, &mut self.by_motion, &mut self.by_acc, &mut self.by_vel] {
            sum_over_subtrees(model, forces);
        }
        for dof in 0..model.nv {
            let (body, axis) = (model.dof_body(dof), data.cdof[dof]);
            let before = self.weight.before[dof].cross_force(outer[body]);
            pos_out[dof] += axis.dot(self.by_motion[body] - before)
                + acc.rate[dof].dot(self.by_acc[body])
                + vel.rate[dof].dot(self.by_vel[body]);
            vel_out[dof] += axis.dot(self.by_vel[body]);
        }
    }

    /// Adds the gradient of inverse dynamics, whose forces are summed over subtrees, times factors:
    /// ```text
    /// (zᵀ ∂τ/∂q)_k = Ṡ_k · β_k + P_k · ι_k + U_k(z) · (S_k ×* F_k)
    /// (zᵀ ∂τ/∂v)_k = S_k · β_k + W_k · ι_k        β = Σ B_bᵀ Z_b, ι = Σ I_b Z_b
    /// ```
    pub(super) fn add_inertial(
        &mut self,
        model: &Model,
        data: &Data,
        motions: &Motions,
        inertial: &Inertial,
        (by_pos, by_vel): (f64, f64),
        (pos_out, vel_out): (&mut [f64], &mut [f64]),
    ) {
        for body in 1..model.nbody {
            let weight = self.weight.body[body];
            self.momentum[body] = data.cinert[body] * weight;
            self.damped[body] = inertial.damping[body].transpose_mul(weight);
        }
        sum_over_subtrees(model, &mut self.momentum);
        sum_over_subtrees(model, &mut self.damped);
        for dof in 0..model.nv {
            let (body, axis) = (model.dof_body(dof), data.cdof[dof]);
            let (momentum, damped) = (self.momentum[body], self.damped[body]);
            let turned = self.weight.before[dof].dot(axis.cross_force(inertial.force[body]));
            let moved = motions.rate[dof].dot(damped) + inertial.by_pos[dof].dot(momentum);
            pos_out[dof] += by_pos * (moved + turned);
            vel_out[dof] += by_vel * (axis.dot(damped) + inertial.by_vel[dof].dot(momentum));
        }
    }
}

/// Adds up forces of bodies over subtrees.
pub(super) fn sum_over_subtrees(model: &Model, forces: &mut [Force]) {
    for body in (1..model.nbody).rev() {
        let parent = model.body_parent(body);
        if parent > 0 {
            let force = forces[body];
            forces[parent] += force;
        }
    }
}

/// The matrix `B` of one body: `B S = v ×* (I S) − I (v × S) + S ×* h`.
pub(super) fn force_by_velocity(inertia: Inertia, v: Motion, h: Force) -> MotionToForce {
    // the inertia as a matrix: [J K; −K m], K = skew(moment)
    let Inertia { diag, off, moment, mass } = inertia;
    #[rustfmt::skip]
    let j = Mat3::new([
        diag.x, off.x,  off.y,
        off.x,  diag.y, off.z,
        off.y,  off.z,  diag.z,
    ]);
    let k = Mat3::skew(moment);
    let (w, u) = (Mat3::skew(v.rot), Mat3::skew(v.lin));
    // v ×* = [w u; 0 w], v × = [w 0; u w], · ×* h = −[skew(h.rot) skew(h.lin); skew(h.lin) 0]
    let (torque, force) = (Mat3::skew(h.rot), Mat3::skew(h.lin));
    let wk = w * k;
    MotionToForce {
        rot_rot: w * j - u * k - j * w - k * u - torque,
        rot_lin: wk + u * mass - k * w - force,
        lin_rot: k * w - wk - u * mass - force,
        lin_lin: Mat3::default(),
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
