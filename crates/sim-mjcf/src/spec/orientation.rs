use std::f64::consts::PI;

use sim_core::math::{Mat3, Quat, Vec3};

use super::Compiler;
use crate::double_double::sin_cos;
use crate::error::{Error, Pos};
use crate::pose::{quat_from_z, unit, unit_quat};

/// An orientation as given: a quaternion, and another form that takes precedence over it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orientation {
    /// Quaternion as given, not normalised; the identity when not given.
    pub quat: Quat,
    /// The other form. It wins over the quaternion also when it came from a class default and the
    /// quaternion was given on the element, as in MuJoCo.
    pub alternative: Option<Alternative>,
}

/// Forms of an orientation other than the quaternion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Alternative {
    /// Axis and angle, the angle in the unit of the file.
    AxisAngle([f64; 4]),
    /// X axis and y axis.
    XyAxes([f64; 6]),
    /// Z axis: the shortest rotation that takes (0, 0, 1) there.
    ZAxis(Vec3),
    /// Euler angles in the unit and the sequence of the file.
    Euler(Vec3),
}

impl Default for Orientation {
    fn default() -> Orientation {
        Orientation { quat: Quat::IDENTITY, alternative: None }
    }
}

impl Orientation {
    /// Computes the unit quaternion of an orientation as given.
    pub(crate) fn resolve(&self, compiler: &Compiler, src: Pos) -> Result<Quat, Error> {
        let direction = |attribute: &str, v: Vec3| match unit(v) {
            Some((axis, _)) => Ok(axis),
            None => {
                Err(src.error("the axis is too short to have a direction").attribute(attribute))
            }
        };
        match self.alternative {
            None => Ok(unit_quat(self.quat)),
            Some(Alternative::AxisAngle([x, y, z, angle])) => {
                let axis = direction("axisangle", Vec3::new(x, y, z))?;
                let (s, c) = sin_cos(radians(angle, compiler) / 2.0);
                Ok(Quat::new(c, s * axis.x, s * axis.y, s * axis.z))
            }
            Some(Alternative::XyAxes([x1, x2, x3, y1, y2, y3])) => {
                let x = direction("xyaxes", Vec3::new(x1, x2, x3))?;
                // the part of y that is perpendicular to x
                let y = Vec3::new(y1, y2, y3);
                let y = direction("xyaxes", y - x * x.dot(y))?;
                let z = direction("xyaxes", x.cross(y))?;
                Ok(Mat3::from_columns(x, y, z).to_quat())
            }
            Some(Alternative::ZAxis(z)) => Ok(quat_from_z(direction("zaxis", z)?)),
            Some(Alternative::Euler(angles)) => Ok(euler(angles, compiler)),
        }
    }
}

/// Computes the rotation of three turns: about moving axes by small letters of the sequence, about
/// fixed axes by capitals.
fn euler(angles: Vec3, compiler: &Compiler) -> Quat {
    let mut quat = Quat::IDENTITY;
    for (i, letter) in compiler.eulerseq.0.into_iter().enumerate() {
        let (s, c) = sin_cos(radians(angles[i], compiler) / 2.0);
        let mut turn = Quat::new(c, 0.0, 0.0, 0.0);
        match letter.to_ascii_lowercase() {
            b'x' => turn.x = s,
            b'y' => turn.y = s,
            _ => turn.z = s,
        }
        quat = unit_quat(if letter.is_ascii_lowercase() { quat * turn } else { turn * quat });
    }
    quat
}

/// Converts an angle of the file to radians.
fn radians(angle: f64, compiler: &Compiler) -> f64 {
    if compiler.degree { angle / 180.0 * PI } else { angle }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::same_quat;
    use crate::spec::EulerSequence;

    fn resolve(alternative: Alternative, compiler: &Compiler) -> Quat {
        let given = Orientation { quat: Quat::IDENTITY, alternative: Some(alternative) };
        given.resolve(compiler, Pos::default()).unwrap()
    }

    #[test]
    fn a_quarter_turn_is_the_same_in_every_form() {
        let compiler = Compiler::default();
        let quarter = Quat::from_axis_angle(Vec3::X, PI / 2.0);
        for form in [
            Alternative::AxisAngle([2.0, 0.0, 0.0, 90.0]),
            Alternative::XyAxes([3.0, 0.0, 0.0, 1.0, 0.0, 2.0]),
            Alternative::ZAxis(Vec3::new(0.0, -4.0, 0.0)),
            Alternative::Euler(Vec3::new(90.0, 0.0, 0.0)),
        ] {
            assert!(same_quat(resolve(form, &compiler), quarter), "{form:?}");
        }
    }

    #[test]
    fn turns_about_fixed_axes_are_turns_about_moving_axes_in_reverse() {
        let moving = Compiler { eulerseq: EulerSequence(*b"xyz"), ..Compiler::default() };
        let fixed = Compiler { eulerseq: EulerSequence(*b"ZYX"), ..Compiler::default() };
        let a = resolve(Alternative::Euler(Vec3::new(10.0, 20.0, 30.0)), &moving);
        let b = resolve(Alternative::Euler(Vec3::new(30.0, 20.0, 10.0)), &fixed);
        assert!(same_quat(a, b));
    }

    #[test]
    fn an_axis_without_length_is_an_error() {
        let given =
            Orientation { quat: Quat::IDENTITY, alternative: Some(Alternative::ZAxis(Vec3::ZERO)) };
        assert!(given.resolve(&Compiler::default(), Pos::default()).is_err());
    }
}
