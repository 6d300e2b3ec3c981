//! Exact line search: the cost along a direction is made of parabolas, straight lines and cones.

use std::ops::Range;

use wide::f64x4;

use super::primal::{Matrices, multiply_direction};
use super::problem::Problem;
use crate::Model;
use crate::constraint::LANES_FROM;
use crate::math::{MINVAL, dot4, dots4, load4, total};

/// What the cost along the direction is made of.
#[derive(Debug, Clone, Default)]
pub(super) struct LineSearch {
    /// The part that is one parabola: Gauss and equalities.
    base: [f64; 3],
    /// Dry friction rows.
    friction: Vec<Friction>,
    /// Rows that push only.
    push_only: Vec<Range<usize>>,
    cones: Vec<ConeLine>,
    evaluations: usize,
}

#[derive(Debug, Clone, Copy)]
struct Friction {
    start: f64,
    rate: f64,
    floss: f64,
    bound: f64,
    parabola: [f64; 3],
}

/// An elliptic cone along the direction: normal `u0 + α v0`, squared tangent
/// `uu + 2 α uv + α² vv`.
#[derive(Debug, Clone, Copy)]
struct ConeLine {
    parabola: [f64; 3],
    mu: f64,
    u0: f64,
    v0: f64,
    uu: f64,
    uv: f64,
    vv: f64,
    weight: f64,
}

/// Cost and its derivatives at a point of the line.
#[derive(Debug, Clone, Copy)]
struct Point {
    alpha: f64,
    cost: f64,
    slope: f64,
    curvature: f64,
}

impl Point {
    /// Where the parabola through this point has its minimum.
    fn newton(&self) -> f64 {
        self.alpha - self.slope / self.curvature
    }
}

/// The result: how far to go (0: nowhere), the scaled slope there, and the effort.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) alpha: f64,
    pub(super) slope: f64,
    pub(super) evaluations: usize,
}

impl LineSearch {
    /// Searches along `problem.search`; leaves `M v` in `mv` and `J v` in `jv`.
    pub(super) fn run(
        &mut self,
        model: &Model,
        problem: &mut Problem,
        matrices: &impl Matrices,
        gauss: f64,
    ) -> Step {
        self.evaluations = 0;
        let Problem { search, ma, qfrc_smooth, .. } = &*problem;
        let [square, inertial, smooth] =
            dots4([[search, search], [search, ma], [qfrc_smooth, search]]);
        let length = square.sqrt();
        if length < MINVAL {
            return Step { alpha: 0.0, slope: 1.0, evaluations: 0 };
        }
        multiply_direction(problem, matrices);
        self.prepare(problem, gauss, inertial - smooth);

        let tolerance = model.opt.tolerance * model.opt.ls_tolerance * length / problem.scale;
        let most = usize::try_from(model.opt.ls_iterations).unwrap_or(0);
        let (alpha, slope) = self.search(problem, tolerance, most);
        let slope = slope.map_or(1.0, |slope| slope.abs() * (problem.scale / length));
        Step { alpha, slope, evaluations: self.evaluations }
    }

    /// `slope` is that of the Gauss cost.
    fn prepare(&mut self, problem: &Problem, gauss: f64, slope: f64) {
        let Problem { ne, nf, d, r, floss, jar, jv, .. } = problem;
        let (ne, nf, n) = (*ne, *nf, jar.len());
        let parabola = |i: usize| {
            let dj = d[i] * jar[i];
            [jar[i] * dj, jv[i] * dj, jv[i] * d[i] * jv[i]]
        };
        let halved = |[a, b, c]: [f64; 3]| [0.5 * a, b, 0.5 * c];

        let mut base = [gauss, slope, 0.5 * dot4(&problem.search, &problem.mv)];
        if ne < LANES_FROM {
            parabolas(problem, 0..ne, |_, _, parabola| {
                let [cost, slope, curvature] = parabola.map(f64x4::to_array);
                for lane in 0..4 {
                    add(&mut base, [cost[lane], slope[lane], curvature[lane]]);
                }
            });
        } else {
            let mut sums = [f64x4::ZERO; 3];
            parabolas(problem, 0..ne, |_, _, parabola| add4(&mut sums, parabola));
            add(&mut base, sums.map(total));
        }
        self.base = base;
        self.friction.clear();
        self.friction.extend((ne..ne + nf).map(|i| Friction {
            start: jar[i],
            rate: jv[i],
            floss: floss[i],
            bound: r[i] * floss[i],
            parabola: halved(parabola(i)),
        }));

        self.push_only.clear();
        let mut next = ne + nf;
        for cone in &problem.cones {
            self.push_only.extend((next < cone.row).then_some(next..cone.row));
            next = cone.row + cone.dim;
        }
        self.push_only.extend((next < n).then_some(next..n));

        self.cones.clear();
        for cone in &problem.cones {
            let rows = cone.row..cone.row + cone.dim;
            let (mut sum, mut uu, mut uv, mut vv) = ([0.0; 3], 0.0, 0.0, 0.0);
            for i in rows {
                add(&mut sum, parabola(i));
                if i > cone.row {
                    let mu = cone.friction[i - cone.row - 1];
                    let (u, v) = (jar[i] * mu, jv[i] * mu);
                    uu += u * u;
                    uv += u * v;
                    vv += v * v;
                }
            }
            self.cones.push(ConeLine {
                parabola: halved(sum),
                mu: cone.mu,
                u0: jar[cone.row] * cone.mu,
                v0: jv[cone.row] * cone.mu,
                uu,
                uv,
                vv,
                weight: cone.weight,
            });
        }
    }

    fn evaluate(&mut self, problem: &Problem, alpha: f64) -> Point {
        self.evaluations += 1;
        let mut sum = self.base;
        for row in &self.friction {
            add(&mut sum, row.parabola(alpha));
        }

        let mut sums = [f64x4::ZERO; 3];
        let at = f64x4::splat(alpha);
        for rows in &self.push_only {
            parabolas(problem, rows.clone(), |start, rate, parabola| {
                let pushes = (start + at * rate).simd_lt(f64x4::ZERO);
                add4(&mut sums, parabola.map(|x| pushes & x));
            });
        }
        add(&mut sum, sums.map(total));

        let mut point = Point { alpha, cost: 0.0, slope: 0.0, curvature: 0.0 };
        for cone in &self.cones {
            cone.add(alpha, &mut sum, &mut point);
        }
        point.cost += alpha * alpha * sum[2] + alpha * sum[1] + sum[0];
        point.slope += 2.0 * alpha * sum[2] + sum[1];
        point.curvature += 2.0 * sum[2];
        if point.curvature <= 0.0 {
            // the cost is convex, but for rounding
            point.curvature = MINVAL;
        }
        point
    }

    /// Finds where the slope vanishes; returns the place, and the slope there if it is known.
    fn search(&mut self, problem: &Problem, tolerance: f64, most: usize) -> (f64, Option<f64>) {
        let found = |point: Point| (point.alpha, Some(point.slope));
        let origin = self.evaluate(problem, 0.0);
        let mut p1 = self.evaluate(problem, origin.newton());
        if p1.slope.abs() < tolerance {
            return found(p1);
        }

        // follow parabolas while they fall short
        let direction = if p1.slope < 0.0 { 1.0 } else { -1.0 };
        let mut p2 = origin;
        while p1.slope * direction <= -tolerance && self.evaluations < most {
            p2 = p1;
            p1 = self.evaluate(problem, p1.newton());
            if p1.slope.abs() < tolerance {
                return found(p1);
            }
        }
        if self.evaluations >= most {
            return found(p1);
        }

        // the minimum is between p1 and p2
        let mut p2_next = p1;
        let mut p1_next = self.evaluate(problem, p1.newton());
        while self.evaluations < most {
            let middle = self.evaluate(problem, 0.5 * (p1.alpha + p2.alpha));
            let candidates = [p1_next, p2_next, middle];
            let mut best: Option<Point> = None;
            for candidate in candidates {
                let better = best.is_none_or(|best| candidate.cost < best.cost);
                if candidate.slope.abs() < tolerance && better {
                    best = Some(candidate);
                }
            }
            if let Some(best) = best {
                return found(best);
            }
            let moved1 = self.tighten(problem, &mut p1, &candidates, &mut p1_next);
            let moved2 = self.tighten(problem, &mut p2, &candidates, &mut p2_next);
            if !moved1 && !moved2 {
                return found(middle);
            }
        }
        if p1.cost <= p2.cost && p1.cost < origin.cost {
            found(p1)
        } else if p2.cost <= p1.cost && p2.cost < origin.cost {
            found(p2)
        } else {
            (0.0, None)
        }
    }

    /// Moves an end of the bracket to the best candidate on its side, if there is one.
    fn tighten(
        &mut self,
        problem: &Problem,
        end: &mut Point,
        candidates: &[Point; 3],
        next: &mut Point,
    ) -> bool {
        let mut moved = false;
        for candidate in candidates {
            let closer = (end.slope < 0.0 && candidate.slope < 0.0 && end.slope < candidate.slope)
                || (end.slope > 0.0 && candidate.slope > 0.0 && end.slope > candidate.slope);
            if closer {
                *end = *candidate;
                moved = true;
            }
        }
        if moved {
            *next = self.evaluate(problem, end.newton());
        }
        moved
    }
}

/// Calls a function for four of the rows at a time: with residual, its rate, and the parabola along
/// the direction; zeros stand for rows that are not there.
#[inline(always)]
fn parabolas(problem: &Problem, rows: Range<usize>, mut f: impl FnMut(f64x4, f64x4, [f64x4; 3])) {
    let [d, jar, jv] = [&problem.d, &problem.jar, &problem.jv].map(|x| &x[rows.clone()]);
    let half = f64x4::splat(0.5);
    for i in (0..rows.len()).step_by(4) {
        let (d, jar, jv) = (load4(d, i), load4(jar, i), load4(jv, i));
        let dj = d * jar;
        f(jar, jv, [half * (jar * dj), jv * dj, half * (jv * d * jv)]);
    }
}

#[inline]
fn add4(sums: &mut [f64x4; 3], x: [f64x4; 3]) {
    for k in 0..3 {
        sums[k] += x[k];
    }
}

#[inline]
fn add(sum: &mut [f64; 3], x: [f64; 3]) {
    for k in 0..3 {
        sum[k] += x[k];
    }
}

impl Friction {
    #[inline]
    fn parabola(&self, alpha: f64) -> [f64; 3] {
        let Friction { start, rate, floss, bound, .. } = *self;
        let x = start + alpha * rate;
        if -bound < x && x < bound {
            self.parabola
        } else if x <= -bound {
            [floss * (-0.5 * bound - start), -floss * rate, 0.0]
        } else {
            [floss * (-0.5 * bound + start), floss * rate, 0.0]
        }
    }
}

impl ConeLine {
    #[inline]
    fn add(&self, alpha: f64, sum: &mut [f64; 3], point: &mut Point) {
        let ConeLine { mu, u0, v0, uu, uv, vv, weight, .. } = *self;
        let normal = u0 + alpha * v0;
        let square = uu + alpha * (2.0 * uv + alpha * vv);
        if square <= 0.0 {
            if normal < 0.0 {
                add(sum, self.parabola);
            }
            return;
        }
        let tangent = square.sqrt();
        if normal >= mu * tangent {
            return;
        }
        if mu * normal + tangent <= 0.0 {
            add(sum, self.parabola);
            return;
        }
        let depth = normal - mu * tangent;
        // divides while the root is taken
        let inverse = tangent * (1.0 / square);
        let first = (uv + alpha * vv) * inverse;
        let second = (vv - first * first) * inverse;
        let rate = v0 - mu * first;
        point.cost += 0.5 * weight * depth * depth;
        point.slope += weight * depth * rate;
        point.curvature += weight * (rate * rate + depth * (-mu * second));
    }
}
