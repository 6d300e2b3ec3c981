//! The layout in which MuJoCo writes models: angles in radians, orientations as quaternions, the
//! sizes of user data, and a blank line between sections.

use std::f64::consts::PI;

use sim_core::model::{GeomType, JointType, Limited};

use crate::error::Pos;
use crate::spec::{Compiler, Geom, Joint, Orientation, Site, Spec};

/// How a model is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// In the units and forms in which it was given, without repetition.
    AsGiven,
    /// As MuJoCo writes it.
    Reference,
}

impl Layout {
    /// The attributes of an element that are written whatever their values.
    pub(super) fn always(self, element: &str) -> &'static [&'static str] {
        if self == Layout::AsGiven {
            return &[];
        }
        match element {
            "site" | "camera" => &["pos"],
            "light" => &["pos", "dir"],
            _ => &[],
        }
    }
}

/// The attributes of a joint that are written whatever their values.
pub(super) fn always_of_joint(joint: &Joint) -> &'static [&'static str] {
    match joint.kind {
        JointType::Free => &[],
        JointType::Ball => &["pos"],
        JointType::Slide | JointType::Hinge => &["pos", "axis"],
    }
}

/// The number of sizes that a shape has.
pub(super) fn size_count(kind: GeomType) -> usize {
    match kind {
        GeomType::Sphere => 1,
        GeomType::Capsule | GeomType::Cylinder => 2,
        GeomType::Plane | GeomType::Ellipsoid | GeomType::Box => 3,
        _ => 0,
    }
}

/// The model with angles in radians, orientations as quaternions, and sizes of user data said.
pub(super) fn in_radians(spec: &Spec) -> Spec {
    let mut out = spec.clone();
    let from = spec.compiler.clone();
    let turn = |orientation: &mut Orientation| quaternion(orientation, &from);
    out.frames.for_each_mut(|frame| turn(&mut frame.orientation));
    out.bodies.for_each_mut(|body| {
        turn(&mut body.orientation);
        if let Some(inertial) = &mut body.inertial {
            turn(&mut inertial.orientation);
        }
    });
    out.joints.for_each_mut(|joint| radians(joint, &from));
    out.geoms.for_each_mut(|geom| turn(&mut geom.orientation));
    out.sites.for_each_mut(|site| turn(&mut site.orientation));
    out.cameras.for_each_mut(|camera| turn(&mut camera.orientation));
    out.classes.for_each_mut(|class| {
        radians(&mut class.joint, &from);
        turn(&mut class.geom.orientation);
        turn(&mut class.site.orientation);
        turn(&mut class.camera.orientation);
    });
    // nothing is left that depends on the sequence of rotations
    out.compiler.degree = false;
    out.compiler.eulerseq = Compiler::default().eulerseq;
    say_user_sizes(&mut out);
    out
}

fn quaternion(orientation: &mut Orientation, compiler: &Compiler) {
    // what cannot be resolved is left for reading to report
    if orientation.alternative.is_some()
        && let Ok(quat) = orientation.resolve(compiler, Pos::default())
    {
        *orientation = Orientation { quat, alternative: None };
    }
}

fn radians(joint: &mut Joint, compiler: &Compiler) {
    if !compiler.degree {
        return;
    }
    // a range that does not apply is not converted
    let applies = match joint.limited {
        Limited::False => false,
        Limited::True => true,
        Limited::Auto => joint.range != [0.0; 2],
    };
    if applies && matches!(joint.kind, JointType::Hinge | JointType::Ball) {
        joint.range = joint.range.map(|limit| limit * (PI / 180.0));
    }
    if joint.kind == JointType::Hinge {
        joint.reference *= PI / 180.0;
        joint.springref *= PI / 180.0;
    }
}

fn say_user_sizes(spec: &mut Spec) {
    fn say(size: &mut i32, lengths: impl Iterator<Item = usize>) {
        let most = lengths.max().unwrap_or(0);
        if *size == -1 && most > 0 {
            *size = i32::try_from(most).unwrap_or(-1);
        }
    }
    let size = &mut spec.size;
    say(&mut size.nuser_body, spec.bodies.iter().map(|x| x.user.len()));
    say(&mut size.nuser_jnt, spec.joints.iter().map(|x| x.user.len()));
    say(&mut size.nuser_geom, spec.geoms.iter().map(|x| x.user.len()));
    say(&mut size.nuser_site, spec.sites.iter().map(|x| x.user.len()));
    say(&mut size.nuser_cam, spec.cameras.iter().map(|x| x.user.len()));
    say(&mut size.nuser_tendon, spec.tendons.iter().map(|x| x.user.len()));
    say(&mut size.nuser_actuator, spec.actuators.iter().map(|x| x.user.len()));
    say(&mut size.nuser_sensor, spec.sensors.iter().map(|x| x.user.len()));
}

/// Writes as many sizes of a geom as its shape has, where it has sizes of its own.
pub(super) fn shape_sizes(attributes: &mut [(&'static str, String)], geom: &Geom) {
    sizes(attributes, geom.kind, geom.size);
}

/// Likewise for a site, whose pose comes before its shape.
pub(super) fn site_sizes(attributes: &mut [(&'static str, String)], site: &Site) {
    sizes(attributes, site.kind, site.size);
    let rank = |name: &str| ["name", "class", "pos", "quat"].iter().position(|&n| n == name);
    attributes.sort_by_key(|(name, _)| rank(name).unwrap_or(usize::MAX));
}

fn sizes(attributes: &mut [(&'static str, String)], kind: GeomType, size: sim_core::math::Vec3) {
    let count = size_count(kind);
    if count == 0 {
        return;
    }
    for (_, value) in attributes.iter_mut().filter(|(name, _)| *name == "size") {
        value.clear();
        for i in 0..count {
            if i > 0 {
                value.push(' ');
            }
            crate::spec::Number::print(size[i], value);
        }
    }
}
