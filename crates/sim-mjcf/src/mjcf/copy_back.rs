//! Values of a model that were changed after it was compiled, put back into what it was compiled
//! from.

use sim_core::Model;
use sim_core::math::{Quat, Vec3};
use sim_core::model::JointType;

use super::layout::in_radians;
use crate::pose::Pose;
use crate::spec::{
    Actuator, Body, Camera, Element, Equality, Geom, Inertial, Joint, Light, Orientation, Site,
    Spec, Tendon,
};

/// The model with the values of `model` where they differ from those that it compiles to; none if
/// `model` was compiled from something else.
///
/// Real numbers are copied: options, poses, inertias, sizes, and the parameters of joints, geoms,
/// sites, cameras, lights, constraints, tendons and actuators. Integers, names and the data of assets
/// are not.
pub(super) fn with_values(spec: &Spec, model: &Model) -> Option<Spec> {
    let before = &spec.compile().ok()?.model;
    let fits = Model::SIZES.iter().all(|&(name, _)| before.size(name) == model.size(name));
    if !fits || before.names != model.names {
        return None;
    }
    let mut out = in_radians(spec);
    (out.option, out.visual) = (model.opt, model.vis);
    // bodies that were fused or geoms that were dropped have no numbers
    let counts = [
        (out.bodies.len(), model.nbody),
        (out.joints.len(), model.njnt),
        (out.geoms.len(), model.ngeom),
    ];
    if counts.iter().all(|(own, compiled)| own == compiled) {
        bodies(&mut out, before, model);
        joints(&mut out, before, model);
        geoms(&mut out, before, model);
        sites(&mut out, before, model);
        cameras_and_lights(&mut out, before, model);
        relations(&mut out, before, model);
    }
    Some(out)
}

/// Copies the values at `id` that differ.
macro_rules! copy {
    ($element:ident, $id:ident, $before:ident, $after:ident, $($field:ident <- $array:ident),* $(,)?) => {
        $(if $before.$array[$id] != $after.$array[$id] {
            $element.$field = $after.$array[$id];
        })*
    };
}

fn turned(quat: Quat) -> Orientation {
    Orientation { quat, alternative: None }
}

fn each<T: Element>(spec: &mut Spec, mut change: impl FnMut(usize, &mut T)) {
    for (number, id) in spec.order::<T>().into_iter().enumerate() {
        change(number, &mut spec[id]);
    }
}

fn bodies(spec: &mut Spec, before: &Model, after: &Model) {
    each(spec, |id, body: &mut Body| {
        if before.body_pos[id] != after.body_pos[id] || before.body_quat[id] != after.body_quat[id]
        {
            body.frame = None;
            (body.pos, body.orientation) = (after.body_pos[id], turned(after.body_quat[id]));
        }
        let mass =
            |m: &Model| (m.body_mass[id], m.body_inertia[id], m.body_ipos[id], m.body_iquat[id]);
        if id > 0 && mass(before) != mass(after) {
            let (mass, inertia, pos, quat) = mass(after);
            body.inertial = Some(Inertial {
                src: body.src,
                pos: Some(pos),
                orientation: turned(quat),
                mass: Some(mass),
                diaginertia: Some(inertia),
                fullinertia: None,
            });
        }
        let gravcomp = after.body_gravcomp[id];
        if before.body_gravcomp[id] != gravcomp {
            body.gravcomp = gravcomp;
        }
    });
}

fn joints(spec: &mut Spec, before: &Model, after: &Model) {
    each(spec, |id, joint: &mut Joint| {
        let poses = |m: &Model| (m.jnt_pos[id], m.jnt_axis[id]);
        if poses(before) != poses(after) {
            joint.frame = None;
            (joint.pos, joint.axis) = poses(after);
        }
        copy!(joint, id, before, after, stiffness <- jnt_stiffness, range <- jnt_range,
            actuatorfrcrange <- jnt_actfrcrange, margin <- jnt_margin, solreflimit <- jnt_solref,
            solimplimit <- jnt_solimp);
        let dof = before.jnt_dofadr[id] as usize;
        copy!(joint, dof, before, after, armature <- dof_armature, damping <- dof_damping,
            frictionloss <- dof_frictionloss, solreffriction <- dof_solref,
            solimpfriction <- dof_solimp);
        if matches!(joint.kind, JointType::Hinge | JointType::Slide) {
            let at = before.jnt_qposadr[id] as usize;
            copy!(joint, at, before, after, reference <- qpos0, springref <- qpos_spring);
        }
    });
}

fn geoms(spec: &mut Spec, before: &Model, after: &Model) {
    each(spec, |id, geom: &mut Geom| {
        let pose = |m: &Model| (m.geom_pos[id], m.geom_quat[id], m.geom_size[id]);
        if pose(before) != pose(after) {
            let (pos, quat, size) = pose(after);
            let mut pose = Pose { pos, quat };
            // meshes are moved to their centre and turned to their axes
            if let Ok(mesh) = usize::try_from(after.geom_dataid[id])
                && !geom.mesh.is_empty()
            {
                let own = Pose { pos: after.mesh_pos[mesh], quat: after.mesh_quat[mesh] };
                pose = pose.then(own.inverse());
            } else {
                geom.size = size;
            }
            (geom.frame, geom.fromto) = (None, None);
            (geom.pos, geom.orientation) = (pose.pos, turned(pose.quat));
        }
        copy!(geom, id, before, after, friction <- geom_friction, solmix <- geom_solmix,
            solref <- geom_solref, solimp <- geom_solimp, margin <- geom_margin, gap <- geom_gap,
            rgba <- geom_rgba);
    });
}

fn sites(spec: &mut Spec, before: &Model, after: &Model) {
    each(spec, |id, site: &mut Site| {
        let pose = |m: &Model| (m.site_pos[id], m.site_quat[id], m.site_size[id]);
        if pose(before) != pose(after) {
            let (pos, quat, size) = pose(after);
            (site.frame, site.fromto) = (None, None);
            (site.pos, site.orientation, site.size) = (pos, turned(quat), size);
        }
        copy!(site, id, before, after, rgba <- site_rgba);
    });
}

fn cameras_and_lights(spec: &mut Spec, before: &Model, after: &Model) {
    each(spec, |id, camera: &mut Camera| {
        let pose = |m: &Model| (m.cam_pos[id], m.cam_quat[id]);
        if pose(before) != pose(after) {
            let (pos, quat) = pose(after);
            (camera.frame, camera.pos, camera.orientation) = (None, pos, turned(quat));
        }
        copy!(camera, id, before, after, fovy <- cam_fovy, ipd <- cam_ipd);
    });
    each(spec, |id, light: &mut Light| {
        let pose = |m: &Model| (m.light_pos[id], m.light_dir[id]);
        if pose(before) != pose(after) {
            light.frame = None;
            (light.pos, light.dir) = pose(after);
        }
        copy!(light, id, before, after, ambient <- light_ambient, diffuse <- light_diffuse,
            specular <- light_specular, attenuation <- light_attenuation, cutoff <- light_cutoff,
            exponent <- light_exponent);
    });
}

fn relations(spec: &mut Spec, before: &Model, after: &Model) {
    each(spec, |id, equality: &mut Equality| {
        copy!(equality, id, before, after, solref <- eq_solref, solimp <- eq_solimp);
        let data = after.eq_data[id];
        if before.eq_data[id] != data {
            equality.anchor = Some(Vec3::new(data[0], data[1], data[2]));
            equality.relpose.copy_from_slice(&data[3..10]);
            equality.polycoef.copy_from_slice(&data[..5]);
            equality.torquescale = data[10];
        }
    });
    each(spec, |id, tendon: &mut Tendon| {
        copy!(tendon, id, before, after, range <- tendon_range, rgba <- tendon_rgba,
            width <- tendon_width, margin <- tendon_margin, stiffness <- tendon_stiffness,
            damping <- tendon_damping, frictionloss <- tendon_frictionloss,
            armature <- tendon_armature);
    });
    each(spec, |id, actuator: &mut Actuator| {
        copy!(actuator, id, before, after, gainprm <- actuator_gainprm, biasprm <- actuator_biasprm,
            dynprm <- actuator_dynprm, gear <- actuator_gear, ctrlrange <- actuator_ctrlrange,
            forcerange <- actuator_forcerange);
    });
}
