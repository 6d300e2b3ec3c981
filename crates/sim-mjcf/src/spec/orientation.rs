use sim_core::math::{Quat, Vec3};

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
