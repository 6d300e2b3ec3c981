use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use bytemuck::{Pod, Zeroable};

use super::{Mat3, Vec3};

/// A spatial motion (velocity, acceleration or axis): rotation, then translation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Motion {
    pub rot: Vec3,
    pub lin: Vec3,
}

/// A spatial force: torque, then force.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Force {
    pub rot: Vec3,
    pub lin: Vec3,
}

/// A spatial inertia about a point: rotational inertia (xx, yy, zz, xy, xz, yz), mass times the
/// offset of the centre of mass, mass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct Inertia {
    pub diag: Vec3,
    pub off: Vec3,
    pub moment: Vec3,
    pub mass: f64,
}

macro_rules! six_vector {
    ($T:ident) => {
        impl $T {
            /// The null vector.
            pub const ZERO: $T = $T { rot: Vec3::ZERO, lin: Vec3::ZERO };

            /// Makes a spatial vector from its two parts.
            #[inline]
            pub const fn new(rot: Vec3, lin: Vec3) -> $T {
                $T { rot, lin }
            }

            /// Makes a spatial vector without rotational part.
            #[inline]
            pub const fn linear(lin: Vec3) -> $T {
                $T { rot: Vec3::ZERO, lin }
            }
        }

        impl Add for $T {
            type Output = $T;
            #[inline]
            fn add(self, b: $T) -> $T {
                $T { rot: self.rot + b.rot, lin: self.lin + b.lin }
            }
        }

        impl Sub for $T {
            type Output = $T;
            #[inline]
            fn sub(self, b: $T) -> $T {
                $T { rot: self.rot - b.rot, lin: self.lin - b.lin }
            }
        }

        impl Neg for $T {
            type Output = $T;
            #[inline]
            fn neg(self) -> $T {
                $T { rot: -self.rot, lin: -self.lin }
            }
        }

        impl Mul<f64> for $T {
            type Output = $T;
            #[inline]
            fn mul(self, s: f64) -> $T {
                $T { rot: self.rot * s, lin: self.lin * s }
            }
        }

        impl AddAssign for $T {
            #[inline]
            fn add_assign(&mut self, b: $T) {
                *self = *self + b;
            }
        }

        impl Sum for $T {
            #[inline]
            fn sum<I: Iterator<Item = $T>>(iter: I) -> $T {
                iter.fold($T::ZERO, Add::add)
            }
        }
    };
}
six_vector!(Motion);
six_vector!(Force);

impl Motion {
    /// The power of a force along this motion.
    #[inline]
    pub fn dot(self, f: Force) -> f64 {
        // one chain of additions, in the order of the components
        self.rot.dot(f.rot) + self.lin.x * f.lin.x + self.lin.y * f.lin.y + self.lin.z * f.lin.z
    }

    /// The translation of the point at `offset` from the reference point.
    #[inline]
    pub fn at(self, offset: Vec3) -> Vec3 {
        self.lin + self.rot.cross(offset)
    }

    /// Computes how `b` changes when it is carried along by this motion: `v × b`.
    #[doc(alias = "mju_crossMotion")]
    #[inline]
    pub fn cross(self, b: Motion) -> Motion {
        Motion { rot: self.rot.cross(b.rot), lin: self.rot.cross(b.lin) + self.lin.cross(b.rot) }
    }

    /// Computes how the force `f` changes when it is carried along by this motion: `v ×* f`.
    #[doc(alias = "mju_crossForce")]
    #[inline]
    pub fn cross_force(self, f: Force) -> Force {
        Force { rot: self.rot.cross(f.rot) + self.lin.cross(f.lin), lin: self.rot.cross(f.lin) }
    }
}

impl Inertia {
    /// No inertia.
    pub const ZERO: Inertia =
        Inertia { diag: Vec3::ZERO, off: Vec3::ZERO, moment: Vec3::ZERO, mass: 0.0 };

    /// Makes the inertia of a body about a point: `principal` moments in the frame `frame`, and
    /// `mass` at `offset` from the point.
    #[doc(alias = "mju_inertCom")]
    #[inline]
    pub fn about(principal: Vec3, frame: &Mat3, offset: Vec3, mass: f64) -> Inertia {
        let [a, b, c] = [frame.row(0), frame.row(1), frame.row(2)];
        let [ia, ib, ic] = [a.scaled(principal), b.scaled(principal), c.scaled(principal)];
        let d = offset;
        Inertia {
            diag: Vec3::new(
                a.dot(ia) + mass * (d.y * d.y + d.z * d.z),
                b.dot(ib) + mass * (d.x * d.x + d.z * d.z),
                c.dot(ic) + mass * (d.x * d.x + d.y * d.y),
            ),
            off: Vec3::new(
                a.dot(ib) - mass * d.x * d.y,
                a.dot(ic) - mass * d.x * d.z,
                b.dot(ic) - mass * d.y * d.z,
            ),
            moment: d * mass,
            mass,
        }
    }
}

impl Add for Inertia {
    type Output = Inertia;
    #[inline]
    fn add(self, b: Inertia) -> Inertia {
        Inertia {
            diag: self.diag + b.diag,
            off: self.off + b.off,
            moment: self.moment + b.moment,
            mass: self.mass + b.mass,
        }
    }
}

impl AddAssign for Inertia {
    #[inline]
    fn add_assign(&mut self, b: Inertia) {
        *self = *self + b;
    }
}

impl Mul<Motion> for Inertia {
    type Output = Force;
    /// Computes the momentum of a velocity, or the force of an acceleration.
    #[inline]
    fn mul(self, v: Motion) -> Force {
        let Inertia { diag, off, moment: h, mass } = self;
        let w = v.rot;
        Force {
            rot: Vec3::new(
                diag.x * w.x + off.x * w.y + off.y * w.z - h.z * v.lin.y + h.y * v.lin.z,
                off.x * w.x + diag.y * w.y + off.z * w.z + h.z * v.lin.x - h.x * v.lin.z,
                off.y * w.x + off.z * w.y + diag.z * w.z - h.y * v.lin.x + h.x * v.lin.y,
            ),
            lin: Vec3::new(
                h.z * w.y - h.y * w.z + mass * v.lin.x,
                h.x * w.z - h.z * w.x + mass * v.lin.y,
                h.y * w.x - h.x * w.y + mass * v.lin.z,
            ),
        }
    }
}

/// A linear map from motions to forces, such as the derivative of a force by velocity. Names of
/// the blocks say what comes out and what goes in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
#[allow(missing_docs)]
pub struct MotionToForce {
    pub rot_rot: Mat3,
    pub rot_lin: Mat3,
    pub lin_rot: Mat3,
    pub lin_lin: Mat3,
}

impl MotionToForce {
    /// The symmetric part.
    pub fn symmetric(self) -> MotionToForce {
        let half = |a: Mat3, b: Mat3| (a + b.transpose()) * 0.5;
        MotionToForce {
            rot_rot: half(self.rot_rot, self.rot_rot),
            rot_lin: half(self.rot_lin, self.lin_rot),
            lin_rot: half(self.lin_rot, self.rot_lin),
            lin_lin: half(self.lin_lin, self.lin_lin),
        }
    }

    /// Applies the transposed map, which takes a motion to a force too.
    #[inline]
    pub fn transpose_mul(&self, v: Motion) -> Force {
        Force {
            rot: self.rot_rot.transpose_mul(v.rot) + self.lin_rot.transpose_mul(v.lin),
            lin: self.rot_lin.transpose_mul(v.rot) + self.lin_lin.transpose_mul(v.lin),
        }
    }
}

impl Mul<Motion> for &MotionToForce {
    type Output = Force;
    #[inline]
    fn mul(self, v: Motion) -> Force {
        Force {
            rot: self.rot_rot * v.rot + self.rot_lin * v.lin,
            lin: self.lin_rot * v.rot + self.lin_lin * v.lin,
        }
    }
}

impl AddAssign for MotionToForce {
    #[inline]
    fn add_assign(&mut self, b: MotionToForce) {
        self.rot_rot = self.rot_rot + b.rot_rot;
        self.rot_lin = self.rot_lin + b.rot_lin;
        self.lin_rot = self.lin_rot + b.lin_rot;
        self.lin_lin = self.lin_lin + b.lin_lin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(seed: f64) -> Vec3 {
        Vec3::new(libm::sin(seed), libm::cos(1.7 * seed), libm::sin(3.1 * seed + 0.4))
    }

    #[test]
    fn momentum_of_an_inertia_is_that_of_its_point_masses() {
        // two point masses, summed as inertias and one by one
        for k in 0..20 {
            let s = f64::from(k);
            let v = Motion::new(sample(s), sample(s + 0.3));
            let mut inertia = Inertia::ZERO;
            let mut momentum = Force::ZERO;
            for (mass, at) in [(2.0, sample(s + 1.0)), (0.5, sample(s + 2.0))] {
                inertia += Inertia::about(Vec3::ZERO, &Mat3::IDENTITY, at, mass);
                let p = (v.lin + v.rot.cross(at)) * mass;
                momentum += Force::new(at.cross(p), p);
            }
            let got = inertia * v;
            assert!((got.rot - momentum.rot).norm() < 1e-14);
            assert!((got.lin - momentum.lin).norm() < 1e-14);
        }
    }

    #[test]
    fn cross_products_of_motion_and_force_are_adjoint() {
        for k in 0..20 {
            let s = f64::from(k);
            let (v, b) = (
                Motion::new(sample(s), sample(s + 1.0)),
                Motion::new(sample(s + 2.0), sample(s + 3.0)),
            );
            let f = Force::new(sample(s + 4.0), sample(s + 5.0));
            assert!((v.cross(b).dot(f) + b.dot(v.cross_force(f))).abs() < 1e-14);
        }
    }
}
