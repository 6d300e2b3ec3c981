//! Elasticity of a flex that follows the nodes of a box.

use sim_core::math::Vec3;

/// Adds to `stiffness` the negative stiffness matrix over the coordinates of the nodes, by rows.
///
/// Linear elasticity with Lamé's constants, integrated by Gauss points over a box with one node at
/// each end of every side (order 1) or one in the middle as well (order 2). Three points of a side
/// are where the reference has them: at 1/√(3/5) from the middle instead of √(3/5), outside.
pub(super) fn stiffness(
    stiffness: &mut [f64],
    nodes: &[Vec3],
    young: f64,
    poisson: f64,
    order: usize,
) {
    let side = nodes[nodes.len() - 1] - nodes[0];
    let inverse = Vec3::new(1.0 / side.x, 1.0 / side.y, 1.0 / side.z);
    let la = young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson);
    let mu = young / (2.0 * (1.0 + poisson));
    let box_volume = side.x * side.y * side.z;
    let rule = quadrature(order);
    let dofs = 3 * nodes.len();
    for &(s, ws) in &rule {
        for &(t, wt) in &rule {
            for &(u, wu) in &rule {
                let volume = ws * wt * wu * box_volume;
                let gradients = gradients([s, t, u], order, inverse);
                for (i, gi) in gradients.iter().enumerate() {
                    for (j, gj) in gradients.iter().enumerate() {
                        for k in 0..3 {
                            for l in 0..3 {
                                // du has the row k only, dv the row l only
                                let mut shear = gi[l] * gj[k];
                                if k == l {
                                    shear += gi.dot(*gj);
                                }
                                let entry = &mut stiffness[dofs * (3 * i + k) + 3 * j + l];
                                *entry -= la * gi[k] * gj[l] * volume;
                                *entry -= mu * (0.5 * shear) * volume;
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Gauss points of the unit interval, with weights.
fn quadrature(order: usize) -> Vec<(f64, f64)> {
    if order == 1 {
        let offset = 0.5 / 3.0_f64.sqrt();
        return vec![(-offset + 0.5, 0.5), (offset + 0.5, 0.5)];
    }
    let offset = 0.5 / (3.0_f64 / 5.0).sqrt();
    let (middle, outer) = (8.0 / 9.0 * 0.5, 5.0 / 9.0 * 0.5);
    vec![(0.5, middle), (-offset + 0.5, outer), (offset + 0.5, outer)]
}

/// Gradients of the functions of the nodes at a point of the unit cube, given the inverse sides of
/// the box.
fn gradients([s, t, u]: [f64; 3], order: usize, inverse: Vec3) -> Vec<Vec3> {
    let mut gradients = Vec::with_capacity((order + 1).pow(3));
    for x in 0..=order {
        for y in 0..=order {
            for z in 0..=order {
                let value = [phi(s, x, order), phi(t, y, order), phi(u, z, order)];
                let slope = [dphi(s, x, order), dphi(t, y, order), dphi(u, z, order)];
                gradients.push(Vec3::new(
                    inverse.x * (slope[0] * value[1] * value[2]),
                    inverse.y * (value[0] * slope[1] * value[2]),
                    inverse.z * (value[0] * value[1] * slope[2]),
                ));
            }
        }
    }
    gradients
}

/// The function of node `i` of an interval.
fn phi(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Its derivative.
fn dphi(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}
