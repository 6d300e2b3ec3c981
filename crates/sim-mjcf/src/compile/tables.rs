//! The tables of the model: bodies, joints, dofs, geoms, sites, cameras, lights.

use std::collections::HashMap;

use sim_core::Model;
use sim_core::math::{Quat, Vec3};
use sim_core::model::{JointType, ObjType, SameFrame, SleepPolicy};

use super::joint::Joint;
use super::names::Names;
use super::tree::{Body, Tree};
use crate::error::{Error, Pos};
use crate::pose::{Pose, same_pos, same_quat};
use crate::spec::Spec;

/// Fills the tables of the kinematic tree.
pub(super) fn fill(
    spec: &Spec,
    tree: &Tree,
    names: &Names,
    meshes: &[usize],
    model: &mut Model,
) -> Result<(), Error> {
    let mut filler = Filler { model, meshes, next: Next::default(), last_dof: Vec::new() };
    for (id, body) in tree.bodies.iter().enumerate() {
        filler.body(id, body);
        filler.joints(id, body);
        filler.geoms(id, body, spec, names)?;
        filler.hierarchy(id, body);
        filler.sites(id, body, spec, names)?;
        filler.cameras(id, body, names)?;
        filler.lights(id, body, names)?;
    }
    trees(tree, model)
}

/// Adds the bounding volumes that the reference reserves and does not use.
pub(super) fn spare_volumes(tree: &Tree, model: &mut Model) {
    let volumes = model.nbvh + tree.spare_volumes;
    (model.nbvh, model.nbvhstatic) = (volumes, volumes);
    model.bvh_depth.resize(volumes, 0);
    model.bvh_child.resize(volumes, [0; 2]);
    model.bvh_nodeid.resize(volumes, 0);
    model.bvh_aabb.resize(volumes, [0.0; 6]);
}

/// Ids that come next.
#[derive(Default)]
struct Next {
    jnt: usize,
    qpos: usize,
    dof: usize,
    geom: usize,
    site: usize,
    cam: usize,
    light: usize,
    mocap: usize,
}

struct Filler<'m> {
    model: &'m mut Model,
    /// Ids of the meshes that the model has, in order.
    meshes: &'m [usize],
    next: Next,
    /// The last dof of each body or above it, −1 if there is none.
    last_dof: Vec<i32>,
}

/// First id and count as tables have them: −1 and 0 if there are none.
fn address(first: usize, count: usize) -> (i32, i32) {
    if count == 0 { (-1, 0) } else { (first as i32, count as i32) }
}

impl Filler<'_> {
    fn body(&mut self, id: usize, body: &Body) {
        let m = &mut *self.model;
        m.body_parentid[id] = body.parent as i32;
        let own = id == 0 || !body.joints.is_empty();
        m.body_weldid[id] = if own { id as i32 } else { m.body_weldid[body.parent] };
        let root = id == 0 || body.parent == 0;
        m.body_rootid[id] = if root { id as i32 } else { m.body_rootid[body.parent] };
        m.body_mocapid[id] = if body.spec.mocap {
            self.next.mocap += 1;
            (self.next.mocap - 1) as i32
        } else {
            -1
        };
        (m.body_jntadr[id], m.body_jntnum[id]) = address(self.next.jnt, body.joints.len());
        let dofs = body.joints.iter().map(Joint::nv).sum();
        (m.body_dofadr[id], m.body_dofnum[id]) = address(self.next.dof, dofs);
        (m.body_geomadr[id], m.body_geomnum[id]) = address(self.next.geom, body.geoms.len());
        m.body_pos[id] = body.pose.pos;
        m.body_quat[id] = body.pose.quat;
        m.body_ipos[id] = body.mass.pose.pos;
        m.body_iquat[id] = body.mass.pose.quat;
        m.body_mass[id] = body.mass.mass;
        m.body_inertia[id] = body.mass.inertia;
        m.body_gravcomp[id] = body.spec.gravcomp;
        m.body_margin[id] = body.margin;
        m.body_plugin[id] = -1;
        copy_user(&mut m.body_user, m.nuser_body, id, &body.spec.user);
        for geom in &body.geoms {
            m.body_contype[id] |= geom.spec.contype;
            m.body_conaffinity[id] |= geom.spec.conaffinity;
        }

        // a simple body has a diagonal mass matrix: its frame is the inertial frame, and nothing
        // moves above or below it
        let same = match body.mass.pose {
            pose if is_null(pose) => SameFrame::Body,
            pose if same_quat(pose.quat, Quat::IDENTITY) => SameFrame::BodyRot,
            _ => SameFrame::None,
        };
        m.body_sameframe[id] = same as u8;
        let below_fixed = m.body_parentid[body.parent] == 0 && m.body_dofnum[body.parent] == 0;
        let mut simple = same == SameFrame::Body && (root || below_fixed);
        if body.parent > 0 {
            m.body_simple[body.parent] = 0;
        }
        let mut turned = false;
        for joint in &body.joints {
            let kind = joint.spec.kind;
            let scalar = matches!(kind, JointType::Hinge | JointType::Slide);
            simple &= !turned && same_pos(joint.pos, Vec3::ZERO);
            simple &= !scalar || joint.axis_aligned();
            turned |= matches!(kind, JointType::Ball | JointType::Hinge);
        }
        let sliders = dofs > 0 && body.joints.iter().all(|j| j.spec.kind == JointType::Slide);
        m.body_simple[id] = u8::from(simple) * if sliders { 2 } else { 1 };
    }

    fn joints(&mut self, id: usize, body: &Body) {
        let mut last = if id == 0 { -1 } else { self.last_dof[body.parent] };
        let m = &mut *self.model;
        for joint in &body.joints {
            let (jnt, spec) = (self.next.jnt, joint.spec);
            m.jnt_type[jnt] = spec.kind as i32;
            m.jnt_qposadr[jnt] = self.next.qpos as i32;
            m.jnt_dofadr[jnt] = self.next.dof as i32;
            m.jnt_bodyid[jnt] = id as i32;
            m.jnt_group[jnt] = spec.group;
            m.jnt_limited[jnt] = joint.limited.into();
            m.jnt_actfrclimited[jnt] = joint.actuatorfrclimited.into();
            m.jnt_actgravcomp[jnt] = spec.actuatorgravcomp.into();
            m.jnt_solref[jnt] = spec.solreflimit;
            m.jnt_solimp[jnt] = spec.solimplimit;
            m.jnt_pos[jnt] = joint.pos;
            m.jnt_axis[jnt] = joint.axis;
            m.jnt_stiffness[jnt] = spec.stiffness;
            m.jnt_range[jnt] = joint.range;
            m.jnt_actfrcrange[jnt] = spec.actuatorfrcrange;
            m.jnt_margin[jnt] = spec.margin;
            copy_user(&mut m.jnt_user, m.nuser_jnt, jnt, &spec.user);

            let qpos = self.next.qpos;
            match spec.kind {
                JointType::Free => {
                    m.qpos0[qpos..qpos + 3].copy_from_slice(&body.pose.pos.to_array());
                    m.qpos0[qpos + 3..qpos + 7].copy_from_slice(&body.pose.quat.to_array());
                    m.qpos_spring[qpos..qpos + 7].copy_from_slice(&m.qpos0[qpos..qpos + 7]);
                }
                JointType::Ball => {
                    m.qpos0[qpos] = 1.0;
                    m.qpos_spring[qpos] = 1.0;
                }
                JointType::Slide | JointType::Hinge => {
                    m.qpos0[qpos] = joint.reference;
                    m.qpos_spring[qpos] = joint.springref;
                }
            }

            for dof in self.next.dof..self.next.dof + joint.nv() {
                m.dof_bodyid[dof] = id as i32;
                m.dof_jntid[dof] = jnt as i32;
                m.dof_parentid[dof] = last;
                m.dof_solref[dof] = spec.solreffriction;
                m.dof_solimp[dof] = spec.solimpfriction;
                m.dof_frictionloss[dof] = spec.frictionloss;
                m.dof_armature[dof] = spec.armature;
                m.dof_damping[dof] = spec.damping;
                last = dof as i32;
            }
            self.next.jnt += 1;
            self.next.qpos += joint.nq();
            self.next.dof += joint.nv();
        }
        self.last_dof.push(last);
    }

    fn geoms(&mut self, id: usize, body: &Body, spec: &Spec, names: &Names) -> Result<(), Error> {
        let m = &mut *self.model;
        for geom in &body.geoms {
            let (g, given) = (self.next.geom, geom.spec);
            m.geom_type[g] = given.kind as i32;
            m.geom_contype[g] = given.contype;
            m.geom_conaffinity[g] = given.conaffinity;
            m.geom_condim[g] = given.condim;
            m.geom_bodyid[g] = id as i32;
            let mesh = geom.mesh.and_then(|id| self.meshes.binary_search(&id).ok());
            m.geom_dataid[g] = mesh.or(geom.hfield).map_or(-1, |id| id as i32);
            m.geom_matid[g] = material(geom.material, given.src, spec, names)?;
            m.geom_group[g] = given.group;
            m.geom_priority[g] = given.priority;
            m.geom_plugin[g] = -1;
            m.geom_sameframe[g] = same_frame(geom.pose, body) as u8;
            m.geom_solmix[g] = given.solmix;
            m.geom_solref[g] = given.solref;
            m.geom_solimp[g] = given.solimp;
            m.geom_size[g] = geom.shape.size;
            m.geom_aabb[g] = geom.shape.bounding_box();
            m.geom_rbound[g] = geom.shape.bounding_radius();
            m.geom_pos[g] = geom.pose.pos;
            m.geom_quat[g] = geom.pose.quat;
            m.geom_friction[g] = given.friction;
            m.geom_margin[g] = given.margin;
            m.geom_gap[g] = given.gap;
            m.geom_fluid[g] = geom.fluid();
            m.geom_rgba[g] = given.rgba;
            copy_user(&mut m.geom_user, m.nuser_geom, g, &given.user);
            self.next.geom += 1;
        }
        Ok(())
    }

    /// Adds the bounding volumes of a body.
    fn hierarchy(&mut self, id: usize, body: &Body) {
        let m = &mut *self.model;
        let first = self.next.geom - body.geoms.len();
        let nodes = body.hierarchy();
        let mut places = HashMap::new();
        if !body.old_leaves.is_empty() {
            let geoms = body.geoms.iter().enumerate();
            places.extend(geoms.map(|(i, geom)| (std::ptr::from_ref(geom.spec), i)));
        }
        (m.body_bvhadr[id], m.body_bvhnum[id]) = address(m.nbvh, nodes.len());
        m.nbvh += nodes.len();
        m.nbvhstatic = m.nbvh;
        for (i, node) in nodes.into_iter().enumerate() {
            // a node that was a leaf before bodies were fused keeps its geom, as in the reference
            let old = || places.get(&std::ptr::from_ref(*body.old_leaves.get(&i)?)).copied();
            let geom = usize::try_from(node.id).ok().or_else(old);
            m.bvh_depth.push(node.depth);
            m.bvh_child.push(node.child);
            m.bvh_nodeid.push(geom.map_or(-1, |geom| (first + geom) as i32));
            m.bvh_aabb.push(node.aabb);
        }
    }

    fn sites(&mut self, id: usize, body: &Body, spec: &Spec, names: &Names) -> Result<(), Error> {
        let m = &mut *self.model;
        for site in &body.sites {
            let (s, given) = (self.next.site, site.spec);
            m.site_type[s] = given.kind as i32;
            m.site_bodyid[s] = id as i32;
            m.site_matid[s] = material(&given.material, given.src, spec, names)?;
            m.site_group[s] = given.group;
            m.site_sameframe[s] = same_frame(site.pose, body) as u8;
            m.site_size[s] = site.size;
            m.site_pos[s] = site.pose.pos;
            m.site_quat[s] = site.pose.quat;
            m.site_rgba[s] = given.rgba;
            copy_user(&mut m.site_user, m.nuser_site, s, &given.user);
            self.next.site += 1;
        }
        Ok(())
    }

    fn cameras(&mut self, id: usize, body: &Body, names: &Names) -> Result<(), Error> {
        let m = &mut *self.model;
        for camera in &body.cameras {
            let (c, given) = (self.next.cam, camera.spec);
            m.cam_mode[c] = given.mode as i32;
            m.cam_bodyid[c] = id as i32;
            m.cam_targetbodyid[c] = target(&given.target, given.src, names)?;
            m.cam_pos[c] = camera.pose.pos;
            m.cam_quat[c] = camera.pose.quat;
            m.cam_projection[c] = given.projection as i32;
            m.cam_fovy[c] = camera.fovy;
            m.cam_ipd[c] = given.ipd;
            m.cam_resolution[c] = given.resolution;
            m.cam_output[c] = given.output;
            m.cam_sensorsize[c] = given.sensorsize;
            m.cam_intrinsic[c] = camera.intrinsic;
            copy_user(&mut m.cam_user, m.nuser_cam, c, &given.user);
            self.next.cam += 1;
        }
        Ok(())
    }

    fn lights(&mut self, id: usize, body: &Body, names: &Names) -> Result<(), Error> {
        let m = &mut *self.model;
        for light in &body.lights {
            let (l, given) = (self.next.light, light.spec);
            m.light_mode[l] = given.mode as i32;
            m.light_bodyid[l] = id as i32;
            m.light_targetbodyid[l] = target(&given.target, given.src, names)?;
            m.light_type[l] = given.kind as i32;
            m.light_texid[l] = match given.texture.as_str() {
                "" => -1,
                name => names.resolve(ObjType::Texture, name, given.src, "texture")? as i32,
            };
            m.light_castshadow[l] = given.castshadow.into();
            m.light_bulbradius[l] = given.bulbradius;
            m.light_intensity[l] = given.intensity;
            m.light_range[l] = given.range;
            m.light_active[l] = given.active.into();
            m.light_pos[l] = light.pos;
            m.light_dir[l] = light.dir;
            m.light_attenuation[l] = given.attenuation;
            m.light_cutoff[l] = given.cutoff;
            m.light_exponent[l] = given.exponent;
            m.light_ambient[l] = given.ambient;
            m.light_diffuse[l] = given.diffuse;
            m.light_specular[l] = given.specular;
            self.next.light += 1;
        }
        Ok(())
    }
}

/// Numbers the trees, and gives them the sleep policies of their first bodies.
fn trees(tree: &Tree, model: &mut Model) -> Result<(), Error> {
    let mut current = -1;
    for dof in 0..model.nv {
        current += i32::from(model.dof_parentid[dof] == -1);
        model.dof_treeid[dof] = current;
    }
    for body in 0..model.nbody {
        let moving = model.body_weldid[body] as usize;
        model.body_treeid[body] =
            model.body_dofs(moving).next().map_or(-1, |dof| model.dof_treeid[dof]);
    }
    for (id, body) in tree.bodies.iter().enumerate().skip(1) {
        if body.spec.sleep != SleepPolicy::Auto {
            let own = model.body_treeid[id];
            let Some(own) = usize::try_from(own).ok().filter(|_| own != model.body_treeid[id - 1])
            else {
                let message = format!(
                    "only the first moving body of a tree has a sleep policy, which {} is not",
                    body.title()
                );
                return Err(body.spec.src.error(message).attribute("sleep"));
            };
            model.tree_sleep_policy[own] = body.spec.sleep as i32;
        }
    }
    Ok(())
}

/// Which frame of the body an element shares.
fn same_frame(pose: Pose, body: &Body) -> SameFrame {
    let inertial = body.mass.pose;
    if is_null(pose) {
        SameFrame::Body
    } else if same_quat(pose.quat, Quat::IDENTITY) {
        SameFrame::BodyRot
    } else if same_pos(pose.pos, inertial.pos) && same_quat(pose.quat, inertial.quat) {
        SameFrame::Inertia
    } else if same_quat(pose.quat, inertial.quat) {
        SameFrame::InertiaRot
    } else {
        SameFrame::None
    }
}

fn is_null(pose: Pose) -> bool {
    same_pos(pose.pos, Vec3::ZERO) && same_quat(pose.quat, Quat::IDENTITY)
}

/// Copies the user data of object `id`; what is not given stays zero.
pub(super) fn copy_user(table: &mut [f64], width: usize, id: usize, user: &[f64]) {
    table[id * width..][..user.len()].copy_from_slice(user);
}

/// The body that a camera or light looks at, −1 for none.
fn target(name: &str, src: Pos, names: &Names) -> Result<i32, Error> {
    if name.is_empty() {
        return Ok(-1);
    }
    Ok(names.resolve(ObjType::Body, name, src, "target")? as i32)
}

/// The material that an element names, −1 for none.
pub(super) fn material(name: &str, src: Pos, spec: &Spec, names: &Names) -> Result<i32, Error> {
    if name.is_empty() || spec.compiler.discardvisual {
        return Ok(-1);
    }
    Ok(names.resolve(ObjType::Material, name, src, "material")? as i32)
}
