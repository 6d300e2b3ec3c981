//! Joints: where a link is in its parent, and how it moves.

use sim_core::math::Vec3;
use sim_core::model::{EqType, JointType, Limited};

use crate::error::Error;
use crate::pose::quat_from_z;
use crate::spec::{Body, Equality, Id, Info, Joint};
use crate::xml::Elem;

use super::Reader;
use super::tree::Links;
use super::values::{child, missing, number, origin, required_text, text, vector};

const TYPES: [&str; 7] =
    ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

impl Reader<'_> {
    /// Reads a joint: the pose of its child, and what the child can do.
    pub(super) fn joint(
        &mut self,
        elem: Elem<'_, '_>,
        links: &Links<'_, '_>,
        bodies: &[Id<Body>],
    ) -> Result<(), Error> {
        let kind = required_text(elem, "type")?;
        if !TYPES.contains(&kind) {
            let error = elem.error(format!("'{kind}' is not a type of joint")).attribute("type");
            return Err(crate::suggest::advise(error, kind, &TYPES, "the types are"));
        }
        let name = required_text(elem, "name")?;
        let body = bodies[links.of_joint(elem, "child")?];
        let pose = origin(elem)?;
        (self.spec[body].pos, self.spec[body].orientation.quat) = (pose.pos, pose.quat);
        let axis = match child(elem, "axis")? {
            Some(axis) => vector(axis, "xyz")?.ok_or_else(|| missing(axis, "xyz"))?,
            None => Vec3::X,
        };

        let joint = |suffix: &str, kind, axis| Joint {
            info: Info { name: format!("{name}{suffix}"), ..Info::at(elem.pos()) },
            kind,
            axis,
            ..Joint::default()
        };
        let mut joints = match kind {
            "revolute" | "continuous" => vec![joint("", JointType::Hinge, axis)],
            "prismatic" => vec![joint("", JointType::Slide, axis)],
            "floating" => vec![joint("", JointType::Free, Vec3::Z)],
            "spherical" => vec![joint("", JointType::Ball, axis)],
            "planar" => {
                // two slides across the axis, and a hinge about it
                let across = quat_from_z(axis).to_mat();
                let column = |i| Vec3::new(across[(0, i)], across[(1, i)], across[(2, i)]);
                vec![
                    joint("_TX", JointType::Slide, column(0)),
                    joint("_TY", JointType::Slide, column(1)),
                    joint("_RZ", JointType::Hinge, axis),
                ]
            }
            _ => return Ok(()),
        };
        if let Some(dynamics) = child(elem, "dynamics")? {
            let damping = number(dynamics, "damping")?.unwrap_or(0.0);
            let friction = number(dynamics, "friction")?.unwrap_or(0.0);
            for joint in &mut joints {
                (joint.damping, joint.frictionloss) = (damping, friction);
            }
        }
        if let Some(limit) = child(elem, "limit")? {
            self.limit(limit, &mut joints[0])?;
        }
        for joint in joints {
            self.spec.add_to(body, joint);
        }
        if self.options.mimic
            && let Some(mimic) = child(elem, "mimic")?
        {
            self.mimic(mimic, name)?;
        }
        Ok(())
    }

    /// Reads the limits of position and force.
    fn limit(&mut self, limit: Elem<'_, '_>, joint: &mut Joint) -> Result<(), Error> {
        let [lower, upper] = [number(limit, "lower")?, number(limit, "upper")?];
        joint.range = [lower.unwrap_or(0.0), upper.unwrap_or(0.0)];
        let half = lower.is_some() != upper.is_some();
        if half || joint.range[0] > joint.range[1] {
            joint.limited = Limited::False;
            let message = if half {
                "a joint with one limit only has none"
            } else {
                "a joint whose lower limit is above the upper one has none"
            };
            self.warnings.push(limit.pos().warning(message));
        }
        let effort = number(limit, "effort")?.unwrap_or(0.0).abs();
        if effort > 0.0 {
            joint.actuatorfrcrange = [-effort, effort];
        }
        Ok(())
    }

    /// Ties the joint `name` to the one that it mimics.
    fn mimic(&mut self, mimic: Elem<'_, '_>, name: &str) -> Result<(), Error> {
        let other = text(mimic, "joint").ok_or_else(|| missing(mimic, "joint"))?;
        let offset = number(mimic, "offset")?.unwrap_or(0.0);
        let multiplier = number(mimic, "multiplier")?.unwrap_or(1.0);
        self.spec.equalities.push(Equality {
            info: Info::at(mimic.pos()),
            kind: EqType::Joint,
            name1: name.to_owned(),
            name2: other.to_owned(),
            polycoef: [offset, multiplier, 0.0, 0.0, 0.0],
            ..Equality::default()
        });
        Ok(())
    }

    /// Gives a free joint to each link that is fixed to the world for want of a parent.
    pub(super) fn free_base(&mut self, links: &Links<'_, '_>, bodies: &[Id<Body>]) {
        for (link, &body) in links.iter().zip(bodies) {
            if link.parent.is_none() && body != Body::WORLD {
                let name = format!("{}_free_joint", link.name);
                let info = Info { name, ..Info::at(link.elem.pos()) };
                self.spec.add_to(body, Joint { info, ..Joint::free() });
            }
        }
    }
}
