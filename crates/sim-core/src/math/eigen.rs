use super::{Mat3, Quat, Vec3};

/// Below this, off-diagonal elements and differences of eigenvalues count as zero.
const TOLERANCE: f64 = 1e-12;

/// Computes the eigenvalues of a symmetric matrix, largest first, and the rotation whose matrix
/// has the eigenvectors as columns.
///
/// Jacobi's method: the largest off-diagonal element is rotated away until none is left. The
/// rotation is accumulated as a quaternion; eigenvalues are then brought into order by quarter
/// turns, so that the result is always a proper rotation. MuJoCo: `mju_eig3`.
#[doc(alias = "mju_eig3")]
pub fn eig3(mat: &Mat3) -> (Vec3, Quat) {
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
        quat = (quat * turn.normalized()).normalized();
    }

    // sort by swapping neighbours 01, 12, 01
    for lead in [0, 1, 0] {
        if values[lead] + TOLERANCE < values[lead + 1] {
            let smaller = values[lead];
            values[lead] = values[lead + 1];
            values[lead + 1] = smaller;

            let mut turn = Quat::new(std::f64::consts::FRAC_1_SQRT_2, 0.0, 0.0, 0.0);
            turn[(lead + 2) % 3 + 1] = turn.w;
            quat = (quat * turn).normalized();
        }
    }
    (values, quat)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_come_in_decreasing_order_and_rebuild_the_matrix() {
        for k in 0..200 {
            let s = f64::from(k);
            let r = |i: f64| libm::sin(12.9898 * s + 78.233 * i) * 3.0;
            let (a, b, c) = (r(1.0), r(2.0), r(3.0));
            let mat = Mat3::new([r(4.0), a, b, a, r(5.0), c, b, c, r(6.0)]);
            let (values, quat) = eig3(&mat);
            assert!(values.x >= values.y && values.y >= values.z, "{values:?}");
            let v = quat.to_mat();
            let rebuilt = v * Mat3::diagonal(values) * v.transpose();
            for (x, y) in rebuilt.0.iter().zip(mat.0) {
                // rotations by less than 1.4e-6 are not worth an iteration
                assert!((x - y).abs() < 3e-5, "{rebuilt:?} is not {mat:?}");
            }
        }
    }

    #[test]
    fn a_multiple_of_the_identity_keeps_its_frame() {
        assert_eq!(eig3(&Mat3::diagonal(Vec3::new(2.0, 2.0, 2.0))).1, Quat::IDENTITY);
    }
}
