//! The largest time step at which the elasticity of a flex is stable.

use sim_core::Model;
use sim_core::math::Vec3;
use sim_core::model::Integrator;

use super::topology::EDGES;
use super::{Flex, Flexes};
use crate::error::Warning;

/// Steps of the iteration for the largest eigenvalue, which it approaches from below.
const ITERATIONS: usize = 40;

/// Time steps beyond the limit by less than this factor are not warned about; the second is for what
/// is damped by more than its own elasticity, which widens the limit.
const SLACK: [f64; 2] = [1.01, 1.25];

impl Flexes<'_> {
    /// Warns about flexes that are too stiff for the time step.
    pub(in crate::compile) fn unstable(&self, model: &Model) -> Vec<Warning> {
        let mut warnings = Vec::new();
        for flex in &self.0 {
            let Some(limit) = flex.stable_step(model) else { continue };
            let step = model.opt.timestep;
            if step > SLACK[usize::from(flex.is_damped(model))] * limit {
                let name = &flex.spec.name;
                let message = format!(
                    "flex '{name}' is too stiff for the time step of {step}: it needs {limit:.2e} \
                     or less"
                );
                let help = "make the time step smaller, the flex softer, or its mass larger";
                warnings.push(flex.spec.src.warning(message).help(help));
            }
        }
        warnings
    }
}

impl Flex<'_> {
    /// The largest stable time step; none if nothing is elastic, or the integrator takes care.
    ///
    /// With the largest eigenvalue λ of M⁻¹K and damping dK, a step of semi-implicit Euler is stable
    /// while h²λ + 2hdλ < 4.
    fn stable_step(&self, model: &Model) -> Option<f64> {
        if self.rigid {
            return None;
        }
        let integrator = Integrator::from_i32(model.opt.integrator);
        if self.order > 0 && !matches!(integrator, Some(Integrator::Euler | Integrator::Rk4)) {
            return None;
        }
        let bodies = if self.order > 0 { &self.nodebody } else { &self.vertbody };
        let inverse: Vec<f64> = bodies.iter().map(|&body| inverse_mass(model, body)).collect();
        let (springs, damping) = match self.dim {
            1 if self.order == 0 => (self.spec.edgestiffness, 0.0),
            _ => (0.0, self.spec.damping),
        };
        let position = self.positions();
        let eigenvalue = largest_eigenvalue(&inverse, |x, force| {
            if self.order > 0 {
                self.add_nodes(x, force);
            } else {
                self.add_springs(springs, &position, x, force);
                self.add_stretching(&position, x, force);
                self.add_bending(x, force);
            }
        });
        (eigenvalue > 0.0).then(|| (damping * damping + 4.0 / eigenvalue).sqrt() - damping)
    }

    /// Whether edges, joints or a fluid damp the motion.
    fn is_damped(&self, model: &Model) -> bool {
        let fluid = model.opt.viscosity != 0.0 || model.opt.density != 0.0;
        let bodies = self.vertbody.iter().chain(&self.nodebody);
        let mut bodies = bodies.filter_map(|&body| usize::try_from(body).ok());
        let damped = |body| model.body_dofs(body).any(|dof| model.dof_damping[dof] != 0.0);
        fluid || self.spec.edgedamping != 0.0 || bodies.any(damped)
    }

    /// Positions of the vertices, up to a shift.
    fn positions(&self) -> Vec<Vec3> {
        self.vert0.iter().map(|share| share.scaled(self.size * 2.0)).collect()
    }

    /// Forces of springs along the edges.
    fn add_springs(&self, stiffness: f64, position: &[Vec3], x: &[Vec3], force: &mut [Vec3]) {
        for edge in self.topology.edge.iter().filter(|_| stiffness != 0.0) {
            let [a, b] = edge.map(|vertex| vertex as usize);
            let (along, _) = (position[b] - position[a]).normalized();
            let pull = along * (stiffness * along.dot(x[b] - x[a]));
            force[b] += pull;
            force[a] -= pull;
        }
    }

    /// Forces of the elements, linear about rest.
    fn add_stretching(&self, position: &[Vec3], x: &[Vec3], force: &mut [Vec3]) {
        let edges = EDGES[self.dim - 1];
        for (numbers, vertices) in self.stiffness.iter().zip(self.elem.chunks_exact(self.dim + 1)) {
            if numbers[0] == 0.0 {
                continue;
            }
            let ends = |k: usize| edges[k].map(|corner| vertices[corner] as usize);
            let mut change = [0.0; 6];
            for (k, change) in change.iter_mut().enumerate().take(edges.len()) {
                let [a, b] = ends(k);
                *change = 2.0 * (position[a] - position[b]).dot(x[a] - x[b]);
            }
            let mut tension = [0.0; 6];
            let mut at = 0;
            for i in 0..edges.len() {
                for j in i..edges.len() {
                    tension[i] += numbers[at] * change[j];
                    if i != j {
                        tension[j] += numbers[at] * change[i];
                    }
                    at += 1;
                }
            }
            for (k, tension) in tension.iter().enumerate().take(edges.len()) {
                let [a, b] = ends(k);
                let pull = (position[a] - position[b]) * *tension;
                force[a] += pull;
                force[b] -= pull;
            }
        }
    }

    /// Forces of bending, without what is curved at rest.
    fn add_bending(&self, x: &[Vec3], force: &mut [Vec3]) {
        for (numbers, flap) in self.bending.iter().zip(&self.topology.flap) {
            if flap[3] < 0 {
                continue;
            }
            let vertices = flap.map(|vertex| vertex as usize);
            for i in 0..4 {
                for j in 0..4 {
                    force[vertices[i]] += x[vertices[j]] * numbers[4 * i + j];
                }
            }
        }
    }

    /// Forces of the nodes on each other.
    fn add_nodes(&self, x: &[Vec3], force: &mut [Vec3]) {
        let matrix = self.stiffness.as_flattened();
        let size = 3 * x.len();
        for (row, numbers) in matrix.chunks_exact(size).take(size).enumerate() {
            let pairs = numbers.iter().enumerate();
            let sum: f64 = pairs.map(|(column, k)| k * x[column / 3][column % 3]).sum();
            force[row / 3][row % 3] -= sum;
        }
    }
}

/// Inverse mass of a body that moves freely; what moves otherwise counts as fixed.
fn inverse_mass(model: &Model, body: i32) -> f64 {
    match usize::try_from(body) {
        Ok(body) if model.body_simple[body] == 2 && model.body_dofnum[body] == 3 => {
            1.0 / model.body_mass[body]
        }
        _ => 0.0,
    }
}

/// The largest eigenvalue of M⁻¹K, by iteration from a vector without a pattern, given what adds
/// `K x` to a vector.
fn largest_eigenvalue(inverse: &[f64], add: impl Fn(&[Vec3], &mut [Vec3])) -> f64 {
    let mut seed = 1_u32;
    let mut random = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(seed >> 8) / f64::from(1 << 24) - 0.5
    };
    let start =
        |&mass: &f64| Vec3::new(random(), random(), random()) * f64::from(u8::from(mass > 0.0));
    let mut x: Vec<Vec3> = inverse.iter().map(start).collect();
    let mut force = vec![Vec3::ZERO; x.len()];
    let mut eigenvalue = 0.0;
    for _ in 0..ITERATIONS {
        force.fill(Vec3::ZERO);
        add(&x, &mut force);
        // Rayleigh's quotient in the metric of the mass
        let (mut energy, mut square) = (0.0, 0.0);
        for ((x, force), inverse) in x.iter().zip(&force).zip(inverse) {
            energy += x.dot(*force);
            square += if *inverse > 0.0 { x.dot(*x) / inverse } else { 0.0 };
        }
        if square <= 0.0 || !energy.is_finite() {
            return 0.0;
        }
        eigenvalue = energy / square;
        let mut norm = 0.0;
        for ((x, force), inverse) in x.iter_mut().zip(&force).zip(inverse) {
            *x = *force * *inverse;
            norm += x.dot(*x);
        }
        if norm <= 0.0 || !norm.is_finite() {
            return eigenvalue.max(0.0);
        }
        let scale = 1.0 / norm.sqrt();
        x.iter_mut().for_each(|x| *x *= scale);
    }
    eigenvalue.max(0.0)
}
