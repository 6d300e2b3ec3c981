use std::ops::{Index, IndexMut, Mul};

use bytemuck::{Pod, Zeroable};

use super::{MINVAL, Mat3, Vec3};

/// A quaternion, scalar part first; a rotation when of unit length.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Quat {
    pub w: f64,
    pub x: f64,
    pub y: f64,
    pub z: f64,
}

impl Default for Quat {
    fn default() -> Quat {
        Quat::IDENTITY
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Quat = Quat::new(1.0, 0.0, 0.0, 0.0);

    /// Makes a quaternion from its components.
    pub const fn new(w: f64, x: f64, y: f64, z: f64) -> Quat {
        Quat { w, x, y, z }
    }

    /// Makes the rotation by `angle` about the unit vector `axis`.
    #[doc(alias = "mju_axisAngle2Quat")]
    pub fn from_axis_angle(axis: Vec3, angle: f64) -> Quat {
        if angle == 0.0 {
            return Quat::IDENTITY;
        }
        let (s, c) = libm::sincos(angle * 0.5);
        Quat::new(c, axis.x * s, axis.y * s, axis.z * s)
    }

    /// Makes the shortest rotation that takes the z-axis to the direction of `v`; the identity
    /// for a null vector, a half turn about x for the opposite direction.
    #[doc(alias = "mju_quatZ2Vec")]
    pub fn from_z_to(v: Vec3) -> Quat {
        let (direction, length) = v.normalized();
        if length < MINVAL {
            return Quat::IDENTITY;
        }
        let (axis, sine) = Vec3::Z.cross(direction).normalized();
        if sine.abs() < MINVAL {
            return if direction.z < 0.0 { Quat::new(0.0, 1.0, 0.0, 0.0) } else { Quat::IDENTITY };
        }
        Quat::from_axis_angle(axis, libm::atan2(sine, direction.z))
    }

    /// The vector part.
    #[inline]
    pub const fn vector(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    /// The inverse of a unit quaternion.
    #[doc(alias = "mju_negQuat")]
    #[inline]
    pub const fn conjugate(self) -> Quat {
        Quat::new(self.w, -self.x, -self.y, -self.z)
    }

    /// Computes the length.
    pub fn norm(self) -> f64 {
        (self.w * self.w + self.x * self.x + self.y * self.y + self.z * self.z).sqrt()
    }

    /// Returns the quaternion of unit length. One shorter than [`MINVAL`] gives the identity, and
    /// one whose length is 1 within [`MINVAL`] is left as it is.
    #[doc(alias = "mju_normalize4")]
    #[inline]
    pub fn normalized(self) -> Quat {
        let norm = self.norm();
        if norm < MINVAL {
            Quat::IDENTITY
        } else if (norm - 1.0).abs() > MINVAL {
            let inv = 1.0 / norm;
            Quat::new(self.w * inv, self.x * inv, self.y * inv, self.z * inv)
        } else {
            self
        }
    }

    /// Rotates a vector.
    #[doc(alias = "mju_rotVecQuat")]
    #[inline]
    pub fn rotate(self, v: Vec3) -> Vec3 {
        if v == Vec3::ZERO {
            return Vec3::ZERO;
        }
        // the identity returns the vector untouched
        if self == Quat::IDENTITY {
            return v;
        }
        let u = self.vector();
        let t = v * self.w + u.cross(v);
        v + u.cross(t) * 2.0
    }

    /// Computes the rotation matrix.
    #[doc(alias = "mju_quat2Mat")]
    #[inline]
    pub fn to_mat(self) -> Mat3 {
        if self == Quat::IDENTITY {
            return Mat3::IDENTITY;
        }
        let Quat { w, x, y, z } = self;
        let (ww, wx, wy, wz) = (w * w, w * x, w * y, w * z);
        let (xx, xy, xz) = (x * x, x * y, x * z);
        let (yy, yz, zz) = (y * y, y * z, z * z);
        #[rustfmt::skip]
        let mat = Mat3::new([
            ww + xx - yy - zz, 2.0 * (xy - wz),   2.0 * (xz + wy),
            2.0 * (xy + wz),   ww - xx + yy - zz, 2.0 * (yz - wx),
            2.0 * (xz - wy),   2.0 * (yz + wx),   ww - xx - yy + zz,
        ]);
        mat
    }

    /// Computes the rotation vector (axis times angle) of a unit quaternion, divided by `dt`. The
    /// angle is the shorter one, at most a half turn.
    #[doc(alias = "mju_quat2Vel")]
    pub fn to_velocity(self, dt: f64) -> Vec3 {
        let (axis, sine) = self.vector().normalized();
        let mut angle = 2.0 * libm::atan2(sine, self.w);
        if angle > std::f64::consts::PI {
            angle -= 2.0 * std::f64::consts::PI;
        }
        axis * (angle / dt)
    }

    /// Computes the local rotation vector that leads from `from` to `self`: `from⁻¹ self`.
    #[doc(alias = "mju_subQuat")]
    pub fn difference(self, from: Quat) -> Vec3 {
        (from.conjugate() * self).to_velocity(1.0)
    }

    /// Integrates the local angular velocity `velocity` over the time `dt`.
    #[doc(alias = "mju_quatIntegrate")]
    pub fn integrate(self, velocity: Vec3, dt: f64) -> Quat {
        let (axis, speed) = velocity.normalized();
        self.normalized() * Quat::from_axis_angle(axis, dt * speed)
    }

    /// The components as an array.
    pub const fn to_array(self) -> [f64; 4] {
        [self.w, self.x, self.y, self.z]
    }
}

impl From<[f64; 4]> for Quat {
    fn from([w, x, y, z]: [f64; 4]) -> Quat {
        Quat { w, x, y, z }
    }
}

impl Index<usize> for Quat {
    type Output = f64;
    fn index(&self, i: usize) -> &f64 {
        &bytemuck::cast_ref::<Quat, [f64; 4]>(self)[i]
    }
}

impl IndexMut<usize> for Quat {
    fn index_mut(&mut self, i: usize) -> &mut f64 {
        &mut bytemuck::cast_mut::<Quat, [f64; 4]>(self)[i]
    }
}

impl Mul for Quat {
    type Output = Quat;
    #[inline]
    fn mul(self, b: Quat) -> Quat {
        let a = self;
        Quat {
            w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
            x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
            z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        }
    }
}
