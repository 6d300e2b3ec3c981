//! Poses: composing and inverting frames, and lengths that count as zero when compiling.

use sim_core::math::{Quat, Vec3};

use crate::double_double::sin_cos;

/// The compiler treats numbers smaller than this as zero.
pub(crate) const EPS: f64 = 1e-14;

/// Position and orientation of a frame in another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Pose {
    pub pos: Vec3,
    pub quat: Quat,
}

impl Pose {
    /// The pose of a frame in itself.
    pub(crate) const IDENTITY: Pose = Pose { pos: Vec3::ZERO, quat: Quat::IDENTITY };

    /// Computes the pose of a frame that has the pose `child` in this one.
    pub(crate) fn then(self, child: Pose) -> Pose {
        Pose {
            pos: self.pos + self.quat.to_mat() * child.pos,
            quat: unit_quat(self.quat * child.quat),
        }
    }

    /// The pose with a quaternion of unit length.
    pub(crate) fn normalized(self) -> Pose {
        Pose { pos: self.pos, quat: unit_quat(self.quat) }
    }

    /// Computes the pose of the outer frame in this one.
    pub(crate) fn inverse(self) -> Pose {
        let quat = self.quat.conjugate();
        Pose { pos: -(quat.to_mat() * self.pos), quat }
    }
}

/// Returns the vector of unit length and the length that it had; none if the length counts as
/// zero. A vector that is of unit length already is left as it is.
pub(crate) fn unit(v: Vec3) -> Option<(Vec3, f64)> {
    let square = v.dot(v);
    if square < EPS {
        return None;
    }
    let length = square.sqrt();
    Some(if (length - 1.0).abs() > EPS { (v / length, length) } else { (v, length) })
}

/// Returns the quaternion of unit length. A null quaternion and one of unit length are left as
/// they are.
pub(crate) fn unit_quat(q: Quat) -> Quat {
    let square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if square < EPS {
        return q;
    }
    let length = square.sqrt();
    if (length - 1.0).abs() > EPS {
        Quat::new(q.w / length, q.x / length, q.y / length, q.z / length)
    } else {
        q
    }
}

/// Makes the rotation that takes the z-axis to the unit vector `axis`; about x where any axis
/// would do.
pub(crate) fn quat_from_z(axis: Vec3) -> Quat {
    let (about, sine) = unit(Vec3::Z.cross(axis)).unwrap_or((Vec3::X, 0.0));
    let (s, c) = sin_cos(libm::atan2(sine, axis.z) / 2.0);
    Quat::new(c, about.x * s, about.y * s, about.z * s)
}

/// Rotates a vector. The order of the additions is the reference's: boxes around planes cancel
/// numbers of 1e10.
pub(crate) fn rotate(quat: Quat, v: Vec3) -> Vec3 {
    if v == Vec3::ZERO || quat == Quat::IDENTITY {
        return v;
    }
    let Quat { w, x, y, z } = quat;
    let t = Vec3::new(
        w * v.x + y * v.z - z * v.y,
        w * v.y + z * v.x - x * v.z,
        w * v.z + x * v.y - y * v.x,
    );
    v + quat.vector().cross(t) * 2.0
}

/// Difference below which two frames are the same.
const FRAME_EPS: f64 = 1e-6;

/// Whether two positions are the same.
pub(crate) fn same_pos(a: Vec3, b: Vec3) -> bool {
    (0..3).all(|i| (a[i] - b[i]).abs() < FRAME_EPS)
}

/// Whether two quaternions are the same rotation.
pub(crate) fn same_quat(a: Quat, b: Quat) -> bool {
    (0..4).all(|i| (a[i] - b[i]).abs() < FRAME_EPS)
        || (0..4).all(|i| (a[i] + b[i]).abs() < FRAME_EPS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pose_followed_by_its_inverse_is_the_identity() {
        let quat = unit_quat(Quat::new(0.3, -0.5, 0.7, 0.1));
        let pose = Pose { pos: Vec3::new(1.0, -2.0, 0.5), quat };
        let back = pose.inverse().then(pose);
        assert!(same_pos(back.pos, Vec3::ZERO) && same_quat(back.quat, Quat::IDENTITY));
    }

    #[test]
    fn the_rotation_from_z_reaches_every_axis() {
        for axis in [Vec3::X, -Vec3::X, Vec3::Y, Vec3::Z, -Vec3::Z] {
            assert!((quat_from_z(axis).rotate(Vec3::Z) - axis).norm() < 1e-15);
        }
        assert!(same_quat(quat_from_z(-Vec3::Z), Quat::new(0.0, 1.0, 0.0, 0.0)));
    }

    #[test]
    fn vectors_of_less_than_a_tenth_of_a_micrometre_have_no_direction() {
        assert!(unit(Vec3::new(0.9e-7, 0.0, 0.0)).is_none());
        assert_eq!(unit(Vec3::new(0.0, 3.0, 4.0)), Some((Vec3::new(0.0, 0.6, 0.8), 5.0)));
    }
}
