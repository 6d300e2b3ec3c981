//! Mass, centre and principal inertia of bodies.

use sim_core::math::{Mat3, Quat, Vec3};

use crate::eigen::eig3;
use crate::pose::{EPS, Pose};

/// A rigid piece: mass, pose of its principal axes, principal moments.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Mass {
    pub mass: f64,
    pub pose: Pose,
    pub inertia: Vec3,
}

/// Computes the principal axes and moments of an inertia given as xx, yy, zz, xy, xz, yz; none if
/// a moment is not positive.
pub(super) fn principal([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> Option<(Quat, Vec3)> {
    let (moments, axes) = eig3(&Mat3::new([xx, xy, xz, xy, yy, yz, xz, yz, zz]));
    (moments.z >= EPS).then_some((axes, moments))
}

/// Joins pieces into one; none if the result has no principal moments. The total mass must be
/// positive.
pub(super) fn join(pieces: &[Mass]) -> Option<Mass> {
    let mass: f64 = pieces.iter().map(|piece| piece.mass).sum();
    let moment: Vec3 = pieces.iter().map(|piece| piece.pose.pos * piece.mass).sum();
    let centre = moment / mass;

    // rotate each inertia into common axes and move it to the common centre; the order of the
    // additions decides whether a flat body passes as possible, so it is the reference's
    let mut total = [0.0; 6];
    for piece in pieces {
        let axes = piece.pose.quat.to_mat();
        let turned = |i: usize, j: usize| {
            let term = |k: usize| axes[(i, k)] * (axes[(j, k)] * piece.inertia[k]);
            term(0) + term(1) + term(2)
        };
        let Vec3 { x, y, z } = piece.pose.pos - centre;
        let mass = piece.mass;
        let terms = [
            (turned(0, 0), mass * (y * y + z * z)),
            (turned(1, 1), mass * (x * x + z * z)),
            (turned(2, 2), mass * (x * x + y * y)),
            (turned(0, 1), -mass * x * y),
            (turned(0, 2), -mass * x * z),
            (turned(1, 2), -mass * y * z),
        ];
        for (sum, (own, moved)) in total.iter_mut().zip(terms) {
            *sum = *sum + own + moved;
        }
    }
    let (quat, inertia) = principal(total)?;
    Some(Mass { mass, pose: Pose { pos: centre, quat }, inertia })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::same_quat;

    fn ball(x: f64) -> Mass {
        let pose = Pose { pos: Vec3::new(x, 0.0, 0.0), quat: Quat::IDENTITY };
        Mass { mass: 2.0, pose, inertia: Vec3::new(0.1, 0.1, 0.1) }
    }

    #[test]
    fn two_balls_make_a_dumbbell() {
        let joined = join(&[ball(1.0), ball(3.0)]).unwrap();
        assert_eq!(joined.mass, 4.0);
        assert_eq!(joined.pose.pos, Vec3::new(2.0, 0.0, 0.0));
        // moments come largest first, the axis of the dumbbell last
        assert!((joined.inertia - Vec3::new(4.2, 4.2, 0.2)).norm() < 1e-14);
        let axis = joined.pose.quat.rotate(Vec3::Z);
        assert!((axis.x.abs() - 1.0).abs() < 1e-14);
    }

    #[test]
    fn principal_axes_of_a_diagonal_inertia_in_order_are_the_axes() {
        let (quat, moments) = principal([3.0, 2.0, 1.5, 0.0, 0.0, 0.0]).unwrap();
        assert!(same_quat(quat, Quat::IDENTITY));
        assert_eq!(moments, Vec3::new(3.0, 2.0, 1.5));
    }

    #[test]
    fn an_inertia_with_a_negative_moment_is_refused() {
        assert_eq!(principal([1.0, 1.0, 1.0, 2.0, 0.0, 0.0]), None);
    }
}
