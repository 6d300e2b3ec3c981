//! Eigenvalues of 3x3 matrices, as the compiler of the reference computes them.

use sim_core::math::{Mat3, Quat, Vec3};

use crate::pose::unit_quat;

/// Below this, off-diagonal elements and differences of eigenvalues count as zero.
const TOLERANCE: f64 = 1e-12;

/// Computes the eigenvalues of a symmetric matrix, largest first, and the rotation whose matrix
/// has the eigenvectors as columns.
///
/// Jacobi's method, as in [`sim_core::math::eig3`]; quaternions are normalised as the compiler
/// does, which leaves those of unit length alone. Nearly equal eigenvalues make that visible.
pub(crate) fn eig3(mat: &Mat3) -> (Vec3, Quat) {
    let mut quat = Quat::IDENTITY;
    let mut values = Vec3::ZERO;

    for _ in 0..500 {
        let vectors = quat.to_mat();
        let d = vectors.transpose() * *mat * vectors;
        values = Vec3::new(d[(0, 0)], d[(1, 1)], d[(2, 2)]);

        // the largest off-diagonal element, and the axis that rotates its row into its column
        let (xy, xz, yz) = (d[(0, 1)].abs(), d[(0, 2)].abs(), d[(1, 2)].abs());
        let (row, column, axis) = if xy > xz && xy > yz {
            (0, 1, 2)
        } else if xz > yz {
            (0, 2, 1)
        } else {
            (1, 2, 0)
        };
        let element = d[(row, column)];
        if element.abs() < TOLERANCE {
            break;
        }

        // cosine of the rotation that makes the element vanish (2x2 Schur decomposition)
        let tau = (d[(column, column)] - d[(row, row)]) / (2.0 * element);
        let tangent = 1.0 / (tau.abs() + (1.0 + tau * tau).sqrt());
        let cosine = 1.0 / (1.0 + tangent * tangent).sqrt();
        if cosine > 1.0 - TOLERANCE {
            break;
        }

        // the same rotation as a quaternion; about y the sense is reversed
        let half_sine = (0.5 - 0.5 * cosine).sqrt();
        let positive = (tau < 0.0) != (axis == 1);
        let mut turn = Quat::new(0.0, 0.0, 0.0, 0.0);
        turn[axis + 1] = if positive { half_sine } else { -half_sine };
        turn.w = (1.0 - half_sine * half_sine).sqrt();
        quat = product(quat, unit_quat(turn));
    }

    // sort by swapping neighbours 01, 12, 01
    for lead in [0, 1, 0] {
        if values[lead] + TOLERANCE < values[lead + 1] {
            (values[lead], values[lead + 1]) = (values[lead + 1], values[lead]);
            // a quarter turn, with the digits of the reference
            #[allow(clippy::approx_constant)]
            let half = 0.707_106_781_186_548;
            let mut turn = Quat::new(half, 0.0, 0.0, 0.0);
            turn[(lead + 2) % 3 + 1] = half;
            quat = product(quat, turn);
        }
    }
    (values, quat)
}

/// The product of two rotations, normalised once as a product and once more as a result.
fn product(a: Quat, b: Quat) -> Quat {
    unit_quat(unit_quat(a * b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_one_of_the_engine() {
        let mat = Mat3::new([2.0, 0.3, -0.1, 0.3, 1.0, 0.2, -0.1, 0.2, 3.0]);
        let (values, quat) = eig3(&mat);
        let (expected, frame) = sim_core::math::eig3(&mat);
        assert!((values - expected).norm() < 1e-14);
        assert!((quat.to_mat() * values - frame.to_mat() * expected).norm() < 1e-13);
    }
}
