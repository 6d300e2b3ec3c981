//! Constants that follow from the rest of the model and its reference configuration.

mod flex;
mod length_range;

pub use length_range::{LengthRange, LengthRangeError};

use std::ops::Range;

use crate::math::{
    MINVAL, Motion, Plan, Quat, Vec3, factor_ldl, norm, solve_ldl_lower, solve_ldl_upper,
};
use crate::model::{EqType, GeomType, JointType, ObjType, SleepPolicy, TrnType, WrapType};
use crate::smooth::{
    com_pos, composite_inertia, fixed_camera, fixed_light, kinematics, make_m, tendon, transmission,
};
use crate::{Data, Model};

impl Model {
    /// Computes every constant of the model that follows from its other fields: masses of
    /// subtrees, extents of trees, inverse weights, statistics, reference poses of cameras and
    /// lights, lengths. `data` is left in the configuration where springs rest.
    #[doc(alias = "mj_setConst")]
    pub fn set_const(&mut self, data: &mut Data) {
        set_masses(self);
        set_trees(self);
        flex::set_flex_patterns(self);
        flex::align_flexes(self);

        data.qpos.copy_from_slice(&self.qpos0);
        kinematics(self, data);
        com_pos(self, data);
        set_m0(self, data);
        tendon(self, data);
        make_m(self, data);
        let plan = Plan::one_by_one(&self.M_rownnz);
        data.qLD.copy_from_slice(&data.M);
        let Data { ref mut qLD, ref mut qLDiagInv, ref mut work, .. } = *data;
        factor_ldl(qLD, qLDiagInv, self.m_pattern(&plan), &mut work.ldl);
        transmission(self, data);
        flex::set_edge_lengths(self, data);

        set_body_invweight(self, data);
        set_dof_invweight(self, data);
        flex::set_edge_invweights(self, data, &plan);
        set_tendons(self, data);
        set_actuators(self, data);
        set_equalities(self, data);
        set_cameras_and_lights(self, data);
        set_damping_ratios(self, data);
        set_statistics(self, data);
        set_spring_lengths(self, data);
    }
}

/// Sets `body_subtreemass` and `ngravcomp`.
fn set_masses(model: &mut Model) {
    model.body_subtreemass.copy_from_slice(&model.body_mass);
    for body in (1..model.nbody).rev() {
        let mass = model.body_subtreemass[body];
        let parent = model.body_parent(body);
        model.body_subtreemass[parent] += mass;
    }
    model.ngravcomp = model.body_gravcomp.iter().filter(|&&share| share > 0.0).count();
}

/// Sets the tree of each body, bodies and dofs of each tree, and automatic sleep policies.
fn set_trees(model: &mut Model) {
    for body in 0..model.nbody {
        let moving = model.body_weldid[body] as usize;
        model.body_treeid[body] = match model.body_dofs(moving).next() {
            Some(dof) => model.dof_treeid[dof],
            None => -1,
        };
    }

    model.tree_bodynum.fill(0);
    for body in 1..model.nbody {
        if let Ok(tree) = usize::try_from(model.body_treeid[body]) {
            if model.tree_bodynum[tree] == 0 {
                model.tree_bodyadr[tree] = body as i32;
            }
            model.tree_bodynum[tree] += 1;
        }
    }
    model.tree_dofnum.fill(0);
    for dof in 0..model.nv {
        let tree = model.dof_treeid[dof] as usize;
        if model.tree_dofnum[tree] == 0 {
            model.tree_dofadr[tree] = dof as i32;
        }
        model.tree_dofnum[tree] += 1;
    }

    set_tendon_trees(model);
    keep_actuated_trees_awake(model);
    flex::keep_flex_trees_awake(model);
    for policy in &mut model.tree_sleep_policy {
        if *policy == SleepPolicy::Auto as i32 {
            *policy = SleepPolicy::AutoAllowed as i32;
        }
    }
}

/// The tree that a path element of a tendon belongs to.
fn wrap_tree(model: &Model, wrap: usize) -> Option<usize> {
    let id = model.wrap_objid[wrap] as usize;
    let body = match WrapType::from_i32(model.wrap_type[wrap])? {
        WrapType::Joint => model.jnt_bodyid[id],
        WrapType::Site => model.site_bodyid[id],
        WrapType::Sphere | WrapType::Cylinder => model.geom_bodyid[id],
        WrapType::Pulley | WrapType::None => return None,
    };
    usize::try_from(model.body_treeid[body as usize]).ok()
}

/// Sets the trees that each tendon spans. A tendon with spring or damper between trees, or one
/// that spans more than two, keeps them awake.
fn set_tendon_trees(model: &mut Model) {
    let mut trees = Vec::new();
    for tendon in 0..model.ntendon {
        trees.clear();
        for wrap in model.tendon_wraps(tendon) {
            if let Some(tree) = wrap_tree(model, wrap).filter(|tree| !trees.contains(tree)) {
                trees.push(tree);
            }
        }
        let id = |i: usize| trees.get(i).map_or(-1, |&tree| tree as i32);
        model.tendon_treenum[tendon] = trees.len() as i32;
        model.tendon_treeid[tendon] = [id(0), id(1)];
        let passive = model.tendon_stiffness[tendon] != 0.0 || model.tendon_damping[tendon] != 0.0;
        if trees.len() > 2 || (trees.len() == 2 && passive) {
            trees.iter().for_each(|&tree| stay_awake(model, tree));
        }
    }
}

/// Trees that actuators move do not fall asleep by themselves.
fn keep_actuated_trees_awake(model: &mut Model) {
    for actuator in 0..model.nu {
        let Ok(id) = usize::try_from(model.actuator_trnid[actuator][0]) else { continue };
        let body = match TrnType::from_i32(model.actuator_trntype[actuator]) {
            Some(TrnType::Joint | TrnType::JointInParent) => model.jnt_bodyid[id] as usize,
            Some(TrnType::Site | TrnType::SliderCrank) => model.site_bodyid[id] as usize,
            Some(TrnType::Body) => id,
            Some(TrnType::Tendon) => {
                for wrap in model.tendon_wraps(id) {
                    if let Some(tree) = wrap_tree(model, wrap) {
                        stay_awake(model, tree);
                    }
                }
                continue;
            }
            Some(TrnType::Undefined) | None => continue,
        };
        if let Ok(tree) = usize::try_from(model.body_treeid[body]) {
            stay_awake(model, tree);
        }
    }
}

fn stay_awake(model: &mut Model, tree: usize) {
    if model.tree_sleep_policy[tree] == SleepPolicy::Auto as i32 {
        model.tree_sleep_policy[tree] = SleepPolicy::AutoNever as i32;
    }
}

/// Sets `dof_M0`, the diagonal of the mass matrix.
fn set_m0(model: &mut Model, data: &mut Data) {
    composite_inertia(model, data);
    for dof in 0..model.nv {
        let momentum = data.crb[model.dof_body(dof)] * data.cdof[dof];
        model.dof_M0[dof] = model.dof_armature[dof] + data.cdof[dof].dot(momentum);
    }
}

/// Sets `body_invweight0`: the mean inverse inertia seen by a force and by a torque at the centre
/// of mass of each body.
fn set_body_invweight(model: &mut Model, data: &Data) {
    let mut chain = Chain::new(model.nv);
    model.body_invweight0[0] = [0.0; 2];
    for body in 1..model.nbody {
        let moving = model.body_weldid[body] as usize;
        model.body_invweight0[body] = if moving == 0 {
            [0.0; 2]
        } else if model.body_simple[body] == 2 {
            [1.0 / model.body_mass[body].max(MINVAL), 0.0]
        } else {
            let offset = data.xipos[body] - data.subtree_com[model.body_rootid[body] as usize];
            let last = model.body_dofs(moving).last();
            let mean = |pick: &dyn Fn(Motion) -> Vec3, chain: &mut Chain| {
                let sum: f64 = (0..3)
                    .map(|row| {
                        chain.inverse_inertia(model, data, last, |dof| pick(data.cdof[dof])[row])
                    })
                    .sum();
                sum / 3.0
            };
            let tran = mean(&|axis| axis.lin + axis.rot.cross(offset), &mut chain);
            let rot = mean(&|axis| axis.rot, &mut chain);
            // a direction that cannot move borrows from the other
            if tran < MINVAL && rot > MINVAL {
                [rot, rot]
            } else if rot < MINVAL && tran > MINVAL {
                [tran, tran]
            } else {
                [tran, rot]
            }
        };
    }
}

/// Sets `dof_invweight0`: the inverse inertia seen by a force on each dof, averaged over the
/// translations and over the rotations of a joint.
fn set_dof_invweight(model: &mut Model, data: &Data) {
    let mut chain = Chain::new(model.nv);
    for jnt in 0..model.njnt {
        let body = model.jnt_bodyid[jnt] as usize;
        let first = model.jnt_dofadr[jnt] as usize;
        if model.body_simple[body] == 2 {
            model.dof_invweight0[first] = 1.0 / model.body_mass[body].max(MINVAL);
            continue;
        }
        // translations and rotations of a joint are averaged apart
        let (groups, size) = match model.jnt_kind(jnt) {
            JointType::Free => (2, 3),
            JointType::Ball => (1, 3),
            JointType::Slide | JointType::Hinge => (1, 1),
        };
        for group in 0..groups {
            let dofs = first + group * size..first + (group + 1) * size;
            let sum: f64 = dofs
                .clone()
                .map(|dof| {
                    chain.inverse_inertia(model, data, Some(dof), |other| {
                        if other == dof { 1.0 } else { 0.0 }
                    })
                })
                .sum();
            model.dof_invweight0[dofs].fill(sum / size as f64);
        }
    }
}

/// Sets `tendon_length0` and `tendon_invweight0`, the inverse inertia seen by a pull.
fn set_tendons(model: &mut Model, data: &Data) {
    let mut solver = TreeSolver::new(model.nv);
    for tendon in 0..model.ntendon {
        let solved = solver.solve(model, data, model.tendon_row(data, tendon));
        let weight = model.tendon_row(data, tendon).map(|(dof, value)| value * solved.x[dof]).sum();
        model.tendon_length0[tendon] = data.ten_length[tendon];
        model.tendon_invweight0[tendon] = weight;
    }
}

/// Sets `actuator_length0` and `actuator_acc0`, the acceleration that a unit force produces.
fn set_actuators(model: &mut Model, data: &Data) {
    let mut solver = TreeSolver::new(model.nv);
    for actuator in 0..model.nu {
        let moment = model
            .moment_row(data, actuator)
            .map(|adr| (data.moment_colind[adr] as usize, data.actuator_moment[adr]));
        let acceleration = solver.solve(model, data, moment).norm();
        model.actuator_length0[actuator] = data.actuator_length[actuator];
        model.actuator_acc0[actuator] = acceleration;
    }
}

/// Position servos may give a damping ratio instead of damping: a positive number in place of the
/// negative one, relative to the inertia that the actuator sees.
fn set_damping_ratios(model: &mut Model, data: &Data) {
    for actuator in 0..model.nu {
        let stiffness = model.actuator_gainprm[actuator][0];
        let [_, kp, ratio, ..] = model.actuator_biasprm[actuator];
        if stiffness != -kp || ratio <= 0.0 {
            continue;
        }
        let mass: f64 = model
            .moment_row(data, actuator)
            .map(|adr| {
                let squared = data.actuator_moment[adr] * data.actuator_moment[adr];
                let inertia = model.dof_M0[data.moment_colind[adr] as usize];
                if squared > MINVAL { inertia / squared } else { 0.0 }
            })
            .sum();
        model.actuator_biasprm[actuator][2] = -(ratio * 2.0 * (stiffness * mass).sqrt());
    }
}

/// Sets what equality constraints between bodies leave to the reference configuration: the anchor
/// seen from the other body, and the relative orientation of a weld.
fn set_equalities(model: &mut Model, data: &Data) {
    for eq in 0..model.neq {
        let [id1, id2] = [model.eq_obj1id[eq], model.eq_obj2id[eq]].map(|id| id as usize);
        let by_body = model.eq_objtype[eq] == ObjType::Body as i32;
        let values = &mut model.eq_data[eq];
        // a point of one body, in the frame of the other
        let carry = |point: &[f64], from: usize, to: usize| {
            let point = Vec3::new(point[0], point[1], point[2]);
            let world = data.xmat[from] * point + data.xpos[from];
            data.xmat[to].transpose_mul(world - data.xpos[to]).to_array()
        };
        match EqType::from_i32(model.eq_type[eq]) {
            Some(EqType::Connect) if by_body => {
                let anchor = carry(&values[..3], id1, id2);
                values[3..6].copy_from_slice(&anchor);
            }
            Some(EqType::Connect) => values.fill(0.0),
            Some(EqType::Weld) if by_body => {
                let quat = Quat::new(values[6], values[7], values[8], values[9]);
                let quat = if quat == Quat::new(0.0, 0.0, 0.0, 0.0) {
                    let anchor = carry(&values[..3], id2, id1);
                    values[3..6].copy_from_slice(&anchor);
                    data.xquat[id1].conjugate() * data.xquat[id2]
                } else {
                    quat.normalized()
                };
                values[6..10].copy_from_slice(&quat.to_array());
            }
            _ => {}
        }
    }
}

/// Sets the rest lengths of tendon springs that have none: the lengths at `qpos_spring`.
fn set_spring_lengths(model: &mut Model, data: &mut Data) {
    data.qpos.copy_from_slice(&model.qpos_spring);
    kinematics(model, data);
    com_pos(model, data);
    tendon(model, data);
    for tendon in 0..model.ntendon {
        if model.tendon_lengthspring[tendon] == [-1.0, -1.0] {
            model.tendon_lengthspring[tendon] = [data.ten_length[tendon]; 2];
        }
    }
}

/// Solves with the factorised mass matrix for vectors that live on one chain of dofs.
///
/// With `M = Lᵀ D L`, `jᵀ M⁻¹ j = yᵀ D⁻¹ y` where `Lᵀ y = j`; if `j` is zero outside a chain of
/// ancestors, so is `y`, and the cost is that of the chain.
struct Chain {
    y: Vec<f64>,
    dofs: Vec<usize>,
}

impl Chain {
    fn new(nv: usize) -> Chain {
        Chain { y: vec![0.0; nv], dofs: Vec::new() }
    }

    /// Computes `jᵀ M⁻¹ j` for `j` given on the chain that ends with the dof `last`.
    fn inverse_inertia(
        &mut self,
        model: &Model,
        data: &Data,
        last: Option<usize>,
        j: impl Fn(usize) -> f64,
    ) -> f64 {
        self.dofs.clear();
        let mut next = last;
        while let Some(dof) = next {
            self.y[dof] = j(dof);
            self.dofs.push(dof);
            next = model.dof_parent(dof);
        }
        let mut total = 0.0;
        for &dof in &self.dofs {
            let y = self.y[dof];
            let start = model.M_rowadr[dof] as usize;
            let diagonal = start + model.M_rownnz[dof] as usize - 1;
            if y != 0.0 {
                for adr in start..diagonal {
                    self.y[model.M_colind[adr] as usize] -= data.qLD[adr] * y;
                }
            }
            total += y * y * data.qLDiagInv[dof];
        }
        total
    }
}

/// Solves with the factorised mass matrix for vectors that live on a few trees: the cost is that of
/// these trees, however many others there are.
struct TreeSolver {
    x: Vec<f64>,
    /// The dofs from the first to the last of the trees that `x` lives on.
    dofs: Range<usize>,
    trees: Vec<usize>,
}

impl TreeSolver {
    fn new(nv: usize) -> TreeSolver {
        TreeSolver { x: vec![0.0; nv], dofs: 0..0, trees: Vec::new() }
    }

    /// Computes `x = M⁻¹ b` for `b` given by its elements that are not zero.
    fn solve(
        &mut self,
        model: &Model,
        data: &Data,
        b: impl Iterator<Item = (usize, f64)>,
    ) -> &TreeSolver {
        let TreeSolver { x, dofs, trees } = self;
        x[dofs.clone()].fill(0.0);
        trees.clear();
        for (dof, value) in b {
            x[dof] = value;
            trees.push(model.dof_treeid[dof] as usize);
        }
        trees.sort_unstable();
        trees.dedup();
        for dofs in trees.iter().map(|&tree| model.tree_dofs(tree)) {
            let plan = Plan::one_by_one_within(&model.M_rownnz, dofs.clone());
            let pattern = model.m_pattern(&plan);
            solve_ldl_upper(x, &data.qLD, pattern);
            dofs.for_each(|dof| x[dof] *= data.qLDiagInv[dof]);
            solve_ldl_lower(x, &data.qLD, pattern);
        }
        let ends = |tree: Option<&usize>| tree.map_or(0..0, |&tree| model.tree_dofs(tree));
        *dofs = ends(trees.first()).start..ends(trees.last()).end;
        self
    }

    /// The norm of `x`, with the bits of the norm over all dofs: zeros outside of the trees change
    /// nothing, as long as every element stays in its lane.
    fn norm(&self) -> f64 {
        const LANES: usize = 4;
        let start = self.dofs.start / LANES * LANES;
        let end = self.dofs.end.next_multiple_of(LANES).min(self.x.len());
        norm(&self.x[start..end])
    }
}

/// Sets the poses that tracking cameras and lights start from.
fn set_cameras_and_lights(model: &mut Model, data: &Data) {
    // offsets are from the target, where there is one
    let centre =
        |body: usize, target: i32| data.subtree_com[usize::try_from(target).unwrap_or(body)];
    for cam in 0..model.ncam {
        let body = model.cam_bodyid[cam] as usize;
        let (pos, mat) = fixed_camera(model, data, cam);
        model.cam_pos0[cam] = pos - data.xpos[body];
        model.cam_poscom0[cam] = pos - centre(body, model.cam_targetbodyid[cam]);
        model.cam_mat0[cam] = mat;
    }
    for light in 0..model.nlight {
        let body = model.light_bodyid[light] as usize;
        let (pos, dir) = fixed_light(model, data, light);
        model.light_pos0[light] = pos - data.xpos[body];
        model.light_poscom0[light] = pos - centre(body, model.light_targetbodyid[light]);
        model.light_dir0[light] = dir.normalized().0;
    }
}

/// Sets the statistics and the lengths that turn dof velocities into speeds.
fn set_statistics(model: &mut Model, data: &Data) {
    let mut bounds = Bounds::EMPTY;
    for body in 1..model.nbody {
        bounds.add(data.xpos[body], 0.0);
        bounds.add(data.xipos[body], 0.0);
    }
    data.xanchor.iter().chain(&data.site_xpos).for_each(|&pos| bounds.add(pos, 0.0));
    for geom in 0..model.ngeom {
        bounds.add(data.geom_xpos[geom], visible_radius(model, geom));
    }

    model.stat.center = (bounds.min + bounds.max) * 0.5;
    if bounds.max.x > bounds.min.x {
        model.stat.extent = (bounds.max - bounds.min).max_element().max(1e-5);
    }

    let sizes = body_sizes(model, data);
    let moving = model.nbody.saturating_sub(1) as f64;
    if model.nbody > 1 {
        model.stat.meansize = sizes[1..].iter().map(|size| size / moving).sum();
        model.stat.meanmass = model.body_mass[1..].iter().sum::<f64>() / moving;
    }
    model.stat.extent = model.stat.extent.max(2.0 * model.stat.meansize);
    if model.nv > 0 {
        let trace: f64 = (0..model.nv).map(|dof| data.M[model.m_row(dof).end - 1]).sum();
        model.stat.meaninertia = trace / model.nv as f64;
    }

    for dof in 0..model.nv {
        let jnt = model.dof_jntid[dof] as usize;
        let rotates = match model.jnt_kind(jnt) {
            JointType::Hinge | JointType::Ball => true,
            JointType::Slide => false,
            JointType::Free => dof >= model.jnt_dofadr[jnt] as usize + 3,
        };
        model.dof_length[dof] = if rotates { sizes[model.dof_body(dof)] } else { 1.0 };
    }
}

/// The radius that a geom counts with in the extent of the model.
fn visible_radius(model: &Model, geom: usize) -> f64 {
    let size = model.geom_size[geom];
    if model.geom_rbound[geom] > 0.0 {
        model.geom_rbound[geom]
    } else if model.geom_type[geom] == GeomType::Plane as i32 {
        // a tenth of a finite plane, one unit of an infinite one
        if size.x != 0.0 || size.y != 0.0 { size.x.max(size.y) * 0.1 } else { 1.0 }
    } else {
        0.0
    }
}

/// The size of each body: how far from its centre of mass joints and geoms reach.
fn body_sizes(model: &Model, data: &Data) -> Vec<f64> {
    let mut sizes = vec![0.0f64; model.nbody];
    for jnt in 0..model.njnt {
        let body = model.jnt_bodyid[jnt] as usize;
        for body in [body, model.body_parent(body)] {
            sizes[body] = sizes[body].max((data.xipos[body] - data.xanchor[jnt]).norm());
        }
    }
    sizes[0] = 0.0;
    for body in 1..model.nbody {
        for geom in model.body_geoms(body) {
            let radius = model.geom_rbound[geom];
            if radius > 0.0 {
                let reach = radius + (data.xipos[body] - data.geom_xpos[geom]).norm();
                sizes[body] = sizes[body].max(reach);
            }
        }
        sizes[body] = sizes[body].max(1e-5);
    }
    flex::grow_bodies(model, data, &mut sizes);
    sizes
}

/// An axis-aligned box that grows.
struct Bounds {
    min: Vec3,
    max: Vec3,
}

impl Bounds {
    const EMPTY: Bounds =
        Bounds { min: Vec3::new(1e10, 1e10, 1e10), max: Vec3::new(-1e10, -1e10, -1e10) };

    fn add(&mut self, pos: Vec3, radius: f64) {
        for axis in 0..3 {
            self.min[axis] = self.min[axis].min(pos[axis] - radius);
            self.max[axis] = self.max[axis].max(pos[axis] + radius);
        }
    }
}
