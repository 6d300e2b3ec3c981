//! Vectors, quaternions and matrices of other crates, behind the features `glam` and `mint`.
//!
//! Traits, since neither side's types are defined here: `v.to_glam()`, `q.to_mint()`, and back with
//! `v.to_forge()`. Conversions keep every bit.

/// Turns a type of another crate into the one of this library.
pub trait ToForge {
    /// The type here.
    type Forge;
    /// The same numbers.
    fn to_forge(self) -> Self::Forge;
}

/// Turns a type of this library into that of `glam`, in double precision.
#[cfg(feature = "glam")]
pub trait ToGlam {
    /// The type there.
    type Glam;
    /// The same numbers.
    fn to_glam(self) -> Self::Glam;
}

/// Turns a type of this library into that of `mint`, which many crates convert from.
#[cfg(feature = "mint")]
pub trait ToMint {
    /// The type there.
    type Mint;
    /// The same numbers.
    fn to_mint(self) -> Self::Mint;
}

#[cfg(feature = "glam")]
mod with_glam {
    use super::{ToForge, ToGlam};
    use sim_core::math::{Mat3, Quat, Vec3};

    impl ToGlam for Vec3 {
        type Glam = glam::DVec3;
        fn to_glam(self) -> glam::DVec3 {
            glam::DVec3::new(self.x, self.y, self.z)
        }
    }

    impl ToGlam for Quat {
        type Glam = glam::DQuat;
        fn to_glam(self) -> glam::DQuat {
            glam::DQuat::from_xyzw(self.x, self.y, self.z, self.w)
        }
    }

    impl ToGlam for Mat3 {
        type Glam = glam::DMat3;
        fn to_glam(self) -> glam::DMat3 {
            // rows here, columns there
            glam::DMat3::from_cols_array(&self.0).transpose()
        }
    }

    impl ToForge for glam::DVec3 {
        type Forge = Vec3;
        fn to_forge(self) -> Vec3 {
            Vec3::new(self.x, self.y, self.z)
        }
    }

    impl ToForge for glam::DQuat {
        type Forge = Quat;
        fn to_forge(self) -> Quat {
            Quat { w: self.w, x: self.x, y: self.y, z: self.z }
        }
    }

    impl ToForge for glam::DMat3 {
        type Forge = Mat3;
        fn to_forge(self) -> Mat3 {
            Mat3(self.transpose().to_cols_array())
        }
    }
}

#[cfg(feature = "mint")]
mod with_mint {
    use super::{ToForge, ToMint};
    use sim_core::math::{Mat3, Quat, Vec3};

    impl ToMint for Vec3 {
        type Mint = mint::Vector3<f64>;
        fn to_mint(self) -> mint::Vector3<f64> {
            mint::Vector3 { x: self.x, y: self.y, z: self.z }
        }
    }

    impl ToMint for Quat {
        type Mint = mint::Quaternion<f64>;
        fn to_mint(self) -> mint::Quaternion<f64> {
            mint::Quaternion { v: mint::Vector3 { x: self.x, y: self.y, z: self.z }, s: self.w }
        }
    }

    impl ToMint for Mat3 {
        type Mint = mint::RowMatrix3<f64>;
        fn to_mint(self) -> mint::RowMatrix3<f64> {
            let [a, b, c, d, e, f, g, h, i] = self.0;
            mint::RowMatrix3 { x: [a, b, c].into(), y: [d, e, f].into(), z: [g, h, i].into() }
        }
    }

    impl ToForge for mint::Vector3<f64> {
        type Forge = Vec3;
        fn to_forge(self) -> Vec3 {
            Vec3::new(self.x, self.y, self.z)
        }
    }

    impl ToForge for mint::Quaternion<f64> {
        type Forge = Quat;
        fn to_forge(self) -> Quat {
            Quat { w: self.s, x: self.v.x, y: self.v.y, z: self.v.z }
        }
    }

    impl ToForge for mint::RowMatrix3<f64> {
        type Forge = Mat3;
        fn to_forge(self) -> Mat3 {
            let (x, y, z) = (self.x, self.y, self.z);
            Mat3([x.x, x.y, x.z, y.x, y.y, y.z, z.x, z.y, z.z])
        }
    }
}

#[cfg(all(test, feature = "glam", feature = "mint"))]
mod tests {
    use super::*;
    use sim_core::math::{Mat3, Quat, Vec3};

    #[test]
    fn there_and_back_keeps_every_bit() {
        let (v, q) = (Vec3::new(0.1, -2.0, 3e-300), Quat { w: 0.5, x: -0.5, y: 0.1, z: 0.7 });
        let m = Mat3([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]);
        assert_eq!((v.to_glam().to_forge(), v.to_mint().to_forge()), (v, v));
        assert_eq!((q.to_glam().to_forge(), q.to_mint().to_forge()), (q, q));
        assert_eq!((m.to_glam().to_forge(), m.to_mint().to_forge()), (m, m));
        assert_eq!(m.to_glam() * glam::DVec3::X, glam::DVec3::new(1.0, 4.0, 7.0));
    }
}
