use std::ops::{Add, Index, IndexMut, Mul, Sub};

use bytemuck::{Pod, Zeroable};

use super::{MINVAL, Quat, Vec3};

/// A 3x3 matrix, by rows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Mat3(pub [f64; 9]);

impl Mat3 {
    /// The unit matrix.
    pub const IDENTITY: Mat3 = Mat3([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);

    /// Makes a matrix from its elements, row by row.
    pub const fn new(elements: [f64; 9]) -> Mat3 {
        Mat3(elements)
    }

    /// Makes the matrix with the given columns.
    pub const fn from_columns(a: Vec3, b: Vec3, c: Vec3) -> Mat3 {
        Mat3([a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z])
    }

    /// Makes the matrix with the given diagonal.
    pub const fn diagonal(d: Vec3) -> Mat3 {
        Mat3([d.x, 0.0, 0.0, 0.0, d.y, 0.0, 0.0, 0.0, d.z])
    }

    /// Makes the matrix of the vector product: `skew(v) x = v × x`.
    #[inline]
    pub const fn skew(v: Vec3) -> Mat3 {
        Mat3([0.0, -v.z, v.y, v.z, 0.0, -v.x, -v.y, v.x, 0.0])
    }

    /// Makes the matrix `a bᵀ`.
    #[inline]
    pub fn outer(a: Vec3, b: Vec3) -> Mat3 {
        Mat3::from_columns(a * b.x, a * b.y, a * b.z)
    }

    /// The `i`-th column.
    #[inline]
    pub fn column(&self, i: usize) -> Vec3 {
        Vec3::new(self.0[i], self.0[3 + i], self.0[6 + i])
    }

    /// The `i`-th row.
    #[inline]
    pub fn row(&self, i: usize) -> Vec3 {
        Vec3::new(self.0[3 * i], self.0[3 * i + 1], self.0[3 * i + 2])
    }

    /// The transposed matrix.
    #[doc(alias = "mju_transpose")]
    #[inline]
    pub fn transpose(&self) -> Mat3 {
        let m = &self.0;
        Mat3([m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]])
    }

    /// Computes `Aᵀ v`.
    #[doc(alias = "mju_mulMatTVec3")]
    #[inline]
    pub fn transpose_mul(&self, v: Vec3) -> Vec3 {
        let m = &self.0;
        Vec3::new(
            m[0] * v.x + m[3] * v.y + m[6] * v.z,
            m[1] * v.x + m[4] * v.y + m[7] * v.z,
            m[2] * v.x + m[5] * v.y + m[8] * v.z,
        )
    }

    /// The rotation nearest to a matrix of any kind, found from `start` on, and the number of
    /// iterations that it took.
    ///
    /// Müller, Bender, Chentanez, Macklin, A robust method to extract the rotational part of
    /// deformations (2016).
    #[doc(alias = "mju_mat2Rot")]
    pub fn nearest_rotation(&self, start: Quat) -> (Quat, usize) {
        let mut quat = start;
        for iteration in 0..500 {
            let rotation = quat.to_mat();
            let columns = [0, 1, 2].map(|i| (rotation.column(i), self.column(i)));
            let torque = columns.iter().fold(Vec3::ZERO, |sum, (of, to)| sum + of.cross(*to));
            let alignment: f64 = columns.iter().map(|(of, to)| of.dot(*to)).sum();
            let (axis, angle) = (torque * (1.0 / (alignment.abs() + MINVAL))).normalized();
            if angle < 1e-9 {
                return (quat, iteration);
            }
            quat = (Quat::from_axis_angle(axis, angle) * quat).normalized();
        }
        (quat, 500)
    }

    /// Computes the unit quaternion of a rotation matrix, starting from its largest component.
    #[doc(alias = "mju_mat2Quat")]
    pub fn to_quat(&self) -> Quat {
        let m = &self.0;
        let (a, b, c) = (m[0], m[4], m[8]);
        let q = if a + b + c > 0.0 {
            let w = 0.5 * (1.0 + a + b + c).sqrt();
            let s = 0.25 / w;
            Quat::new(w, s * (m[7] - m[5]), s * (m[2] - m[6]), s * (m[3] - m[1]))
        } else if a > b && a > c {
            let x = 0.5 * (1.0 + a - b - c).sqrt();
            let s = 0.25 / x;
            Quat::new(s * (m[7] - m[5]), x, s * (m[1] + m[3]), s * (m[2] + m[6]))
        } else if b > c {
            let y = 0.5 * (1.0 - a + b - c).sqrt();
            let s = 0.25 / y;
            Quat::new(s * (m[2] - m[6]), s * (m[1] + m[3]), y, s * (m[5] + m[7]))
        } else {
            let z = 0.5 * (1.0 - a - b + c).sqrt();
            let s = 0.25 / z;
            Quat::new(s * (m[3] - m[1]), s * (m[2] + m[6]), s * (m[5] + m[7]), z)
        };
        q.normalized()
    }
}

impl Index<(usize, usize)> for Mat3 {
    type Output = f64;
    #[inline]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        &self.0[3 * row + column]
    }
}

impl IndexMut<(usize, usize)> for Mat3 {
    #[inline]
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f64 {
        &mut self.0[3 * row + column]
    }
}

impl Mul<Vec3> for Mat3 {
    type Output = Vec3;
    #[inline]
    fn mul(self, v: Vec3) -> Vec3 {
        Vec3::new(self.row(0).dot(v), self.row(1).dot(v), self.row(2).dot(v))
    }
}

impl Mul for Mat3 {
    type Output = Mat3;
    #[inline]
    fn mul(self, b: Mat3) -> Mat3 {
        Mat3::from_columns(self * b.column(0), self * b.column(1), self * b.column(2))
    }
}

impl Mul<f64> for Mat3 {
    type Output = Mat3;
    #[inline]
    fn mul(self, s: f64) -> Mat3 {
        Mat3(self.0.map(|x| x * s))
    }
}

impl Add for Mat3 {
    type Output = Mat3;
    #[inline]
    fn add(self, b: Mat3) -> Mat3 {
        Mat3(std::array::from_fn(|i| self.0[i] + b.0[i]))
    }
}

impl Sub for Mat3 {
    type Output = Mat3;
    #[inline]
    fn sub(self, b: Mat3) -> Mat3 {
        Mat3(std::array::from_fn(|i| self.0[i] - b.0[i]))
    }
}
