use super::reduce::dot;
use super::{MINVAL, factor_cholesky, mul_mat_vec, solve_cholesky};

/// Most iterations of [`box_qp`].
const MAX_ITERATIONS: usize = 100;
/// Squared norm of the free gradient at which a point counts as the minimum.
const MIN_GRADIENT: f64 = 1e-16;
/// Factor by which the line search shortens its step, and the step at which it gives up.
const BACKTRACK: f64 = 0.5;
const MIN_STEP: f64 = 1e-22;
/// Share of the linearly predicted decrease that a step must reach.
const ARMIJO: f64 = 0.1;

/// The solution of a box-constrained quadratic program.
#[derive(Debug, Clone, PartialEq)]
pub struct BoxQp {
    /// The dimensions that are at neither bound, in increasing order.
    pub free: Vec<usize>,
    /// Cholesky factor of the Hessian of the free dimensions, by rows; the lower triangle counts.
    pub factor: Vec<f64>,
}

/// Minimises `½ xᵀ H x + gᵀ x` over `lower ≤ x ≤ upper`, starting from `x`, by the projected
/// Newton method. None if the Hessian of the free dimensions is not positive definite or no
/// direction of descent is found.
///
/// Tassa, Mansard, Todorov, Control-limited differential dynamic programming (2014).
#[doc(alias = "mju_boxQP")]
pub fn box_qp(
    x: &mut [f64],
    h: &[f64],
    g: &[f64],
    lower: Option<&[f64]>,
    upper: Option<&[f64]>,
) -> Option<BoxQp> {
    let n = g.len();
    if lower.is_none() && upper.is_none() {
        let (factor, rank) = factor_free(h, n, &(0..n).collect::<Vec<_>>());
        x.copy_from_slice(g);
        (rank == n).then(|| solve_cholesky(x, &factor, n))?;
        x.iter_mut().for_each(|x| *x = -*x);
        return Some(BoxQp { free: (0..n).collect(), factor });
    }

    let clamp = |x: &mut [f64]| {
        for i in 0..n {
            let x = &mut x[i];
            *x = lower.map_or(*x, |lower| if *x >= lower[i] { *x } else { lower[i] });
            *x = upper.map_or(*x, |upper| if *x <= upper[i] { *x } else { upper[i] });
        }
    };
    clamp(x);
    let (mut free, mut factor): (Option<Vec<usize>>, Vec<f64>) = (None, Vec::new());
    let (mut gradient, mut search, mut candidate) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    for _ in 0..MAX_ITERATIONS {
        let value = objective(x, h, g);
        mul_mat_vec(&mut gradient, h, x);
        (0..n).for_each(|i| gradient[i] += g[i]);

        // at a bound, and the gradient pushes outwards
        let clamped = |i: usize| {
            lower.is_some_and(|lower| x[i] == lower[i] && gradient[i] > 0.0)
                || upper.is_some_and(|upper| x[i] == upper[i] && gradient[i] < 0.0)
        };
        let now: Vec<usize> = (0..n).filter(|&i| !clamped(i)).collect();
        if now.is_empty() {
            return Some(BoxQp { free: now, factor: Vec::new() });
        }
        if free.as_ref() != Some(&now) {
            let rank;
            (factor, rank) = factor_free(h, n, &now);
            if rank != now.len() {
                return None;
            }
            free = Some(now);
        }
        let now = free.as_deref().unwrap_or_default();

        // Newton direction of the free dimensions with the others held
        let held: Vec<f64> =
            (0..n).map(|i| if now.binary_search(&i).is_ok() { 0.0 } else { x[i] }).collect();
        mul_mat_vec(&mut search, h, &held);
        let mut newton: Vec<f64> = now.iter().map(|&i| search[i] + g[i]).collect();
        solve_cholesky(&mut newton, &factor, now.len());
        search.fill(0.0);
        now.iter().zip(&newton).for_each(|(&i, newton)| search[i] = -newton - x[i]);

        let norm: f64 = now.iter().map(|&i| gradient[i] * gradient[i]).sum();
        let slope = dot(&search, &gradient);
        if norm < MIN_GRADIENT {
            return Some(BoxQp { free: now.to_vec(), factor });
        }
        if slope >= 0.0 {
            return None;
        }

        // projected line search with Armijo's rule
        let mut step = 1.0;
        let mut stuck = false;
        loop {
            (0..n).for_each(|i| candidate[i] = search[i] * step + x[i]);
            clamp(&mut candidate);
            let reached = objective(&candidate, h, g);
            step *= BACKTRACK;
            stuck |= step < MIN_STEP;
            if stuck || (reached - value) / (step * slope) >= ARMIJO {
                break;
            }
        }
        x.copy_from_slice(&candidate);
        if stuck {
            break;
        }
    }
    Some(BoxQp { free: free.unwrap_or_default(), factor })
}

/// The Cholesky factor of the rows and columns `free` of `h`, and its rank.
fn factor_free(h: &[f64], n: usize, free: &[usize]) -> (Vec<f64>, usize) {
    let mut factor: Vec<f64> =
        free.iter().flat_map(|&i| free.iter().map(move |&j| h[i * n + j])).collect();
    let raised = factor_cholesky(&mut factor, free.len(), MINVAL);
    (factor, free.len() - raised)
}

/// `½ xᵀ H x + gᵀ x`, by the lower triangle of `H`.
fn objective(x: &[f64], h: &[f64], g: &[f64]) -> f64 {
    let n = x.len();
    let row =
        |i: usize| x[i] * h[i * n + i] * x[i] + 2.0 * x[i] * dot(&h[i * n..i * n + i], &x[..i]);
    0.5 * (0..n).map(row).sum::<f64>() + dot(x, g)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_are_not_reached_leave_the_newton_point() {
        let (h, g) = ([4.0, 1.0, 1.0, 3.0], [1.0, 2.0]);
        let (mut free, mut bounded) = ([0.0; 2], [0.0; 2]);
        box_qp(&mut free, &h, &g, None, None).unwrap();
        let solved = box_qp(&mut bounded, &h, &g, Some(&[-9.0; 2]), Some(&[9.0; 2])).unwrap();
        assert_eq!(solved.free, [0, 1]);
        assert!((free[0] - bounded[0]).abs() + (free[1] - bounded[1]).abs() < 1e-12);
    }

    #[test]
    fn the_gradient_at_a_bound_points_outwards() {
        let (h, g) = ([4.0, 1.0, 1.0, 3.0], [1.0, 20.0]);
        let mut x = [0.0; 2];
        let solved = box_qp(&mut x, &h, &g, Some(&[-1.0; 2]), Some(&[1.0; 2])).unwrap();
        assert_eq!((solved.free, x[1]), (vec![0], -1.0));
        assert!((4.0 * x[0] + x[1] + 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_indefinite_hessian_is_refused() {
        assert_eq!(box_qp(&mut [0.0], &[-1.0], &[1.0], None, None), None);
    }
}
