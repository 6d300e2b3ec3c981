//! Joints: units, limits and axes.

use std::f64::consts::PI;

use sim_core::math::Vec3;
use sim_core::model::{JointType, Limited};

use crate::error::{Error, Pos};
use crate::pose::{EPS, Pose, unit};
use crate::spec::{self, Compiler, Element};

/// A joint, compiled: lengths in metres, angles in radians.
#[derive(Debug)]
pub(super) struct Joint<'a> {
    pub spec: &'a spec::Joint,
    pub pos: Vec3,
    pub axis: Vec3,
    pub limited: bool,
    pub range: [f64; 2],
    pub actuatorfrclimited: bool,
    pub reference: f64,
    pub springref: f64,
}

impl<'a> Joint<'a> {
    /// Compiles a joint inside `frame`.
    pub(super) fn new(
        joint: &'a spec::Joint,
        frame: Option<Pose>,
        compiler: &Compiler,
    ) -> Result<Joint<'a>, Error> {
        let fault = |attribute: &str, message: String| joint.error(message).attribute(attribute);
        let [timeconst, dampratio] = joint.springdamper;
        if (timeconst != 0.0 || dampratio != 0.0) && (timeconst <= 0.0 || dampratio <= 0.0) {
            return Err(fault(
                "springdamper",
                "both numbers of springdamper must be positive".into(),
            ));
        }
        let turns = matches!(joint.kind, JointType::Hinge | JointType::Ball);
        let autolimits = compiler.autolimits;
        let scalar = matches!(joint.kind, JointType::Hinge | JointType::Slide);

        // limits
        let limited = joint.kind != JointType::Free
            && limit_applies(
                joint.src,
                "limited",
                "range",
                joint.limited,
                joint.range,
                autolimits,
            )?;
        let mut range = joint.range;
        if limited {
            if joint.kind == JointType::Ball && range[0] != 0.0 {
                let message = "the range of a ball joint must start at 0: it limits the angle";
                return Err(fault("range", message.into()));
            }
            if joint.kind != JointType::Ball && range[0] >= range[1] {
                let message = format!(
                    "the range must increase, but {} is not less than {}",
                    range[0], range[1]
                );
                return Err(fault("range", message));
            }
            if compiler.degree && turns {
                range = range.map(|limit| limit * (PI / 180.0));
            }
        }
        let force = joint.actuatorfrcrange;
        let actuatorfrclimited = scalar
            && limit_applies(
                joint.src,
                "actuatorfrclimited",
                "actuatorfrcrange",
                joint.actuatorfrclimited,
                force,
                autolimits,
            )?;
        if actuatorfrclimited && force[0] >= force[1] {
            let message =
                format!("the range must increase, but {} is not less than {}", force[0], force[1]);
            return Err(fault("actuatorfrcrange", message));
        }

        // free and ball joints have no axis of their own, free joints no anchor
        let axis = match frame {
            _ if !scalar => Vec3::Z,
            Some(frame) => frame.quat.rotate(joint.axis),
            None => joint.axis,
        };
        let (axis, _) = unit(axis)
            .ok_or_else(|| fault("axis", "the axis is too short to have a direction".into()))?;
        let pos = match frame {
            _ if joint.kind == JointType::Free => Vec3::ZERO,
            Some(frame) => frame.pos + frame.quat.to_mat() * joint.pos,
            None => joint.pos,
        };

        let unit = if compiler.degree && joint.kind == JointType::Hinge { PI / 180.0 } else { 1.0 };
        Ok(Joint {
            spec: joint,
            pos,
            axis,
            limited,
            range,
            actuatorfrclimited,
            reference: joint.reference * unit,
            springref: joint.springref * unit,
        })
    }

    /// Number of positions.
    pub(super) fn nq(&self) -> usize {
        self.spec.kind.coordinates()
    }

    /// Number of degrees of freedom.
    pub(super) fn nv(&self) -> usize {
        self.spec.kind.dofs()
    }

    /// Whether the axis is one of the coordinate axes.
    pub(super) fn axis_aligned(&self) -> bool {
        (0..3).filter(|&i| self.axis[i].abs() > EPS).count() == 1
    }
}

/// Whether a range applies, given the switch for it.
pub(super) fn limit_applies(
    src: Pos,
    switch: &str,
    attribute: &str,
    limited: Limited,
    range: [f64; 2],
    autolimits: bool,
) -> Result<bool, Error> {
    match limited {
        Limited::False => Ok(false),
        Limited::True => Ok(true),
        Limited::Auto if !autolimits && range != [0.0; 2] => Err(src
            .error(format!("{attribute} is given without {switch}, and autolimits is off"))
            .attribute(attribute)
            .help(format!("say {switch}=\"true\" or \"false\", or set autolimits in compiler"))),
        Limited::Auto => Ok(range[0] < range[1]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(joint: &spec::Joint) -> Result<Joint<'_>, Error> {
        Joint::new(joint, None, &Compiler::default())
    }

    #[test]
    fn angles_of_a_hinge_become_radians() {
        let joint = spec::Joint {
            range: [-90.0, 180.0],
            reference: 90.0,
            springref: -180.0,
            ..Default::default()
        };
        let compiled = compile(&joint).unwrap();
        assert!(compiled.limited);
        assert_eq!(compiled.range, [-PI / 2.0, PI]);
        assert_eq!((compiled.reference, compiled.springref), (PI / 2.0, -PI));
    }

    #[test]
    fn a_range_that_does_not_apply_keeps_its_unit() {
        let joint =
            spec::Joint { range: [-90.0, 90.0], limited: Limited::False, ..Default::default() };
        assert_eq!(compile(&joint).unwrap().range, [-90.0, 90.0]);
    }

    #[test]
    fn a_range_that_decreases_is_an_error_only_if_it_applies() {
        let mut joint = spec::Joint { range: [1.0, -1.0], ..Default::default() };
        assert!(!compile(&joint).unwrap().limited);
        joint.limited = Limited::True;
        assert!(compile(&joint).is_err());
    }

    #[test]
    fn without_autolimits_a_range_needs_its_switch() {
        let compiler = Compiler { autolimits: false, ..Compiler::default() };
        let joint = spec::Joint { range: [-1.0, 1.0], ..Default::default() };
        let error = Joint::new(&joint, None, &compiler).unwrap_err();
        assert_eq!(error.attribute_name(), Some("range"));
    }

    #[test]
    fn the_axis_of_a_ball_is_not_asked_for() {
        let joint = spec::Joint { kind: JointType::Ball, axis: Vec3::ZERO, ..Default::default() };
        assert_eq!(compile(&joint).unwrap().axis, Vec3::Z);
        let hinge = spec::Joint { axis: Vec3::ZERO, ..Default::default() };
        assert!(compile(&hinge).is_err());
    }
}
