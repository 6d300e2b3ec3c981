//! Shapes of geoms: volume or area, inertia, bounds, and the added mass of the fluid around them.

use std::f64::consts::PI;

use sim_core::math::Vec3;
use sim_core::model::GeomType;

use crate::double_double::pow;
use crate::pose::EPS;

/// A bound that no model reaches.
const MAX: f64 = 1e10;

/// A shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shape {
    pub kind: GeomType,
    pub size: Vec3,
    /// Whether the mass is on the surface.
    pub shell: bool,
    /// What the size does not tell about a mesh or a height field.
    pub measured: Option<Measured>,
}

/// Measures of a mesh or a height field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Measured {
    /// Corners of the bounding box.
    pub low: Vec3,
    pub high: Vec3,
    /// Radius of the bounding sphere.
    pub radius: f64,
    /// Volume of a mesh, or its area.
    pub volume: f64,
    /// Half sizes of a box with the same inertia as the mesh.
    pub inertia_box: Vec3,
}

impl Shape {
    /// Number of sizes that must be positive.
    pub(super) fn size_count(kind: GeomType) -> usize {
        match kind {
            GeomType::Sphere => 1,
            GeomType::Capsule | GeomType::Cylinder => 2,
            GeomType::Plane | GeomType::Ellipsoid | GeomType::Box => 3,
            _ => 0,
        }
    }

    /// Computes the volume, or the area of a shell: what the mass is proportional to.
    pub(super) fn volume(&self) -> f64 {
        let Vec3 { x: a, y: b, z: c } = self.size;
        match (self.kind, self.shell) {
            (GeomType::Sphere, false) => 4.0 * PI * a * a * a / 3.0,
            (GeomType::Sphere, true) => 4.0 * PI * a * a,
            (GeomType::Capsule, false) => PI * (a * a * (2.0 * b) + 4.0 * a * a * a / 3.0),
            (GeomType::Capsule, true) => 4.0 * PI * a * a + 2.0 * PI * a * (2.0 * b),
            (GeomType::Cylinder, false) => PI * a * a * (2.0 * b),
            (GeomType::Cylinder, true) => 2.0 * PI * a * a + 2.0 * PI * a * (2.0 * b),
            (GeomType::Ellipsoid, false) => 4.0 * PI * a * b * c / 3.0,
            (GeomType::Ellipsoid, true) => {
                // Thomsen's approximation
                let p = 1.6075;
                let sum = pow(a * b, p) + pow(b * c, p) + pow(c * a, p);
                4.0 * PI * pow(sum / 3.0, 1.0 / p)
            }
            (GeomType::Box, false) => 8.0 * a * b * c,
            (GeomType::Hfield, false) => a * b * c * 8.0,
            (GeomType::Box | GeomType::Hfield, true) => 8.0 * (a * b + b * c + c * a),
            (GeomType::Mesh, _) => self.measured.map_or(0.0, |mesh| mesh.volume),
            _ => 0.0,
        }
    }

    /// Computes the principal moments of inertia at the given mass.
    pub(super) fn inertia(&self, mass: f64) -> Vec3 {
        let Vec3 { x: a, y: b, .. } = self.size;
        match (self.kind, self.shell) {
            (GeomType::Sphere, false) => Vec3::new(1.0, 1.0, 1.0) * (2.0 * mass * a * a / 5.0),
            (GeomType::Sphere, true) => Vec3::new(1.0, 1.0, 1.0) * (2.0 * mass * a * a / 3.0),
            (GeomType::Capsule, false) => capsule(mass, a, b),
            (GeomType::Capsule, true) => capsule_shell(mass, a, b),
            (GeomType::Cylinder, false) => cylinder(mass, a, b),
            (GeomType::Cylinder, true) => cylinder_shell(mass, a, b),
            (GeomType::Ellipsoid, false) => moments(self.size, mass, 5.0),
            (GeomType::Ellipsoid, true) => ellipsoid_shell(mass, self.size),
            (GeomType::Box | GeomType::Hfield, false) => moments(self.size, mass, 3.0),
            (GeomType::Box | GeomType::Hfield, true) => box_shell(mass, self.size),
            (GeomType::Mesh, _) => {
                self.measured.map_or(Vec3::ZERO, |mesh| moments(mesh.inertia_box, mass, 3.0))
            }
            _ => Vec3::ZERO,
        }
    }

    /// Computes the radius of the bounding sphere; zero for a plane, which has none.
    pub(super) fn bounding_radius(&self) -> f64 {
        if let Some(measured) = self.measured {
            return measured.radius;
        }
        let Vec3 { x: a, y: b, .. } = self.size;
        match self.kind {
            GeomType::Sphere => a,
            GeomType::Capsule => a + b,
            GeomType::Cylinder => (a * a + b * b).sqrt(),
            GeomType::Ellipsoid => self.size.max_element(),
            GeomType::Box => self.size.norm(),
            _ => 0.0,
        }
    }

    /// Computes the bounding box in the frame of the geom: centre and half sizes.
    pub(super) fn bounding_box(&self) -> [f64; 6] {
        if let Some(Measured { low, high, .. }) = self.measured {
            let (centre, half) = ((high + low) / 2.0, (high - low) / 2.0);
            return [centre.x, centre.y, centre.z, half.x, half.y, half.z];
        }
        let Vec3 { x: a, y: b, z: c } = self.size;
        match self.kind {
            GeomType::Plane => [0.0, 0.0, -MAX / 2.0, MAX, MAX, MAX / 2.0],
            GeomType::Sphere => [0.0, 0.0, 0.0, a, a, a],
            GeomType::Capsule => [0.0, 0.0, 0.0, a, a, a + b],
            GeomType::Cylinder => [0.0, 0.0, 0.0, a, a, b],
            _ => [0.0, 0.0, 0.0, a, b, c],
        }
    }

    /// Computes the added mass and added inertia of the fluid around the ellipsoid that stands
    /// for the shape, per unit density. Lamb, Hydrodynamics (1932), §114.
    pub(super) fn added_mass(&self) -> (Vec3, Vec3) {
        let Vec3 { x: a, y: b, z: c } = self.size;
        let (x, y, z) = match self.kind {
            GeomType::Sphere => (a, a, a),
            GeomType::Capsule => (a, a, a + b),
            GeomType::Cylinder => (a, a, b),
            _ => (a, b, c),
        };
        let volume = 4.0 / 3.0 * PI * x * y * z;
        let (kx, ky, kz) = (kappa(x, y, z), kappa(y, z, x), kappa(z, x, y));
        let mass = |k: f64| volume * k / EPS.max(2.0 - k);
        let inertia = |u: f64, v: f64, ku: f64, kv: f64| {
            let (difference, sum) = (u * u - v * v, u * u + v * v);
            let denominator = EPS.max((2.0 * difference + sum * (ku - kv)).abs());
            volume * (difference * difference * (kv - ku).abs() / denominator) / 5.0
        };
        (
            Vec3::new(mass(kx), mass(ky), mass(kz)),
            Vec3::new(inertia(y, z, ky, kz), inertia(z, x, kz, kx), inertia(x, y, kx, ky)),
        )
    }
}

/// Sums of squares of the other two half sizes, times the mass, divided by `share`.
fn moments(size: Vec3, mass: f64, share: f64) -> Vec3 {
    let (xx, yy, zz) = (size.x * size.x, size.y * size.y, size.z * size.z);
    Vec3::new(mass * (yy + zz) / share, mass * (xx + zz) / share, mass * (xx + yy) / share)
}

/// A cylinder between two half balls.
fn capsule(mass: f64, radius: f64, half: f64) -> Vec3 {
    let height = 2.0 * half;
    let ball = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let ball_inertia = 2.0 * ball * radius * radius / 5.0;
    let across = ball_inertia + ball * height * (3.0 * radius + 2.0 * height) / 8.0;
    cylinder(mass - ball, radius, half) + Vec3::new(across, across, ball_inertia)
}

/// A tube between two hollow half balls, whose centres of mass are half a radius from their rims.
fn capsule_shell(mass: f64, radius: f64, half: f64) -> Vec3 {
    let ball_area = 4.0 * PI * radius * radius;
    let tube_area = 2.0 * PI * radius * (2.0 * half);
    let ball = mass * ball_area / (ball_area + tube_area);
    let ball_inertia = 2.0 * ball * radius * radius / 3.0;
    let centre = radius / 2.0;
    let across = ball_inertia + ball * ((half + centre) * (half + centre) - centre * centre);
    tube(mass - ball, radius, half) + Vec3::new(across, across, ball_inertia)
}

fn cylinder(mass: f64, radius: f64, half: f64) -> Vec3 {
    let height = 2.0 * half;
    let across = mass * (3.0 * radius * radius + height * height) / 12.0;
    Vec3::new(across, across, mass * radius * radius / 2.0)
}

/// The lateral surface of a cylinder.
fn tube(mass: f64, radius: f64, half: f64) -> Vec3 {
    let height = 2.0 * half;
    let across = mass * (6.0 * radius * radius + height * height) / 12.0;
    Vec3::new(across, across, mass * radius * radius)
}

/// A tube closed by two disks.
fn cylinder_shell(mass: f64, radius: f64, half: f64) -> Vec3 {
    let disk_area = PI * radius * radius;
    let tube_area = 2.0 * PI * radius * (2.0 * half);
    let disk = mass * disk_area / (2.0 * disk_area + tube_area);
    let across = disk * radius * radius / 4.0 + disk * half * half;
    let along = disk * radius * radius / 2.0;
    tube(mass - 2.0 * disk, radius, half) + Vec3::new(across, across, along) * 2.0
}

/// The difference between two solid ellipsoids of nearly the same size.
fn ellipsoid_shell(mass: f64, inner: Vec3) -> Vec3 {
    let thickness = 1e-6;
    let outer = inner + Vec3::new(thickness, thickness, thickness);
    let volume = |s: Vec3| 4.0 * PI * s.x * s.y * s.z / 3.0;
    let (inside, outside) = (volume(inner), volume(outer));
    let density = mass / (outside - inside);
    let solid = |size: Vec3, volume: f64| moments(size, volume * density, 5.0);
    solid(outer, outside) - solid(inner, inside)
}

/// Six rectangles.
fn box_shell(mass: f64, half: Vec3) -> Vec3 {
    let (xx, yy, zz) = (half.x * half.x, half.y * half.y, half.z * half.z);
    let (lx, ly, lz) = (2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
    let area = 2.0 * (lx * ly + ly * lz + lz * lx);
    // masses of the sides normal to z, x and y
    let side = |a: f64, b: f64| mass * (a * b) / area;
    let (mz, mx, my) = (side(lx, ly), side(ly, lz), side(lz, lx));
    // a rectangle about an axis in its plane, and about its normal
    let flat = |mass: f64, a: f64| mass * a * a / 12.0;
    let normal = |mass: f64, a: f64, b: f64| mass * (a * a + b * b) / 12.0;
    Vec3::new(
        2.0 * (mz * zz + my * yy + flat(mz, ly) + normal(mx, ly, lz) + flat(my, lz)),
        2.0 * (mz * zz + mx * xx + flat(mz, lx) + flat(mx, lz) + normal(my, lx, lz)),
        2.0 * (mx * xx + my * yy + normal(mz, lx, ly) + flat(mx, ly) + flat(my, lx)),
    )
}

/// Computes the added-mass coefficient of an ellipsoid along its first axis:
/// `∫ x y z / √((x² + λ)³ (y² + λ) (z² + λ)) dλ` over all positive λ, by 15-point Gauss-Kronrod
/// quadrature in `t`, where `λ = t³ / (1 - t)²` in units of the size.
fn kappa(x: f64, y: f64, z: f64) -> f64 {
    // weight, λ and dλ/dt of each point
    #[rustfmt::skip]
    const POINTS: [(f64, f64, f64); 15] = [
        (0.01146766, 7.865151709349917e-08, 5.538677720489877e-05),
        (0.03154605, 1.7347976913907274e-05, 0.002080868285293228),
        (0.05239501, 0.0003548008144506193, 0.016514126520723166),
        (0.07032663, 0.002846636252924549, 0.07261900344370877),
        (0.08450236, 0.014094260903596077, 0.23985243401862602),
        (0.09517529, 0.053063261727396636, 0.6868318249020725),
        (0.10221647, 0.17041978741317773, 1.8551129519182894),
        (0.10474107, 0.5, 5.0),
        (0.10221647, 1.4036301548686991, 14.060031152313941),
        (0.09517529, 3.9353484827022642, 43.28941239611009),
        (0.08450236, 11.644841677041734, 156.58546376397112),
        (0.07032663, 39.53187807410903, 747.9826085305024),
        (0.05239501, 177.5711362220801, 5827.4042950027115),
        (0.03154605, 1429.4772912937397, 116754.0197944512),
        (0.01146766, 54087.416549217705, 25482945.327264845),
    ];
    let (xx, yy, zz) = (1.0 / (x * x), 1.0 / (y * y), 1.0 / (z * z));
    let scale = libm::pow(x * x * x * y * z, 0.4);
    let integral: f64 = POINTS
        .iter()
        .map(|(weight, point, derivative)| {
            let lambda = scale * point;
            let fx = 1.0 + lambda * xx;
            let root = (fx * (1.0 + lambda * yy) * (1.0 + lambda * zz)).sqrt();
            scale * derivative / (fx * root) * weight
        })
        .sum();
    integral * xx
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(kind: GeomType, size: [f64; 3], shell: bool) -> Shape {
        Shape { kind, size: size.into(), shell, measured: None }
    }

    fn near(a: Vec3, b: Vec3, tolerance: f64) {
        assert!((a - b).norm() <= tolerance * b.norm(), "{a:?} is not {b:?}");
    }

    #[test]
    fn a_capsule_without_a_cylinder_is_a_ball() {
        for shell in [false, true] {
            let capsule = shape(GeomType::Capsule, [0.3, 1e-12, 0.0], shell);
            let ball = shape(GeomType::Sphere, [0.3, 0.0, 0.0], shell);
            assert!((capsule.volume() / ball.volume() - 1.0).abs() < 1e-10);
            near(capsule.inertia(2.0), ball.inertia(2.0), 1e-10);
        }
    }

    #[test]
    fn a_round_ellipsoid_is_a_ball() {
        for (shell, tolerance) in [(false, 1e-14), (true, 1e-4)] {
            let ellipsoid = shape(GeomType::Ellipsoid, [0.3, 0.3, 0.3], shell);
            let ball = shape(GeomType::Sphere, [0.3, 0.0, 0.0], shell);
            assert!((ellipsoid.volume() / ball.volume() - 1.0).abs() < 1e-12);
            near(ellipsoid.inertia(2.0), ball.inertia(2.0), tolerance);
        }
    }

    #[test]
    fn a_hollow_cube_has_five_thirds_of_the_inertia_of_a_solid_one() {
        let solid = shape(GeomType::Box, [0.5, 0.5, 0.5], false).inertia(3.0);
        let hollow = shape(GeomType::Box, [0.5, 0.5, 0.5], true).inertia(3.0);
        near(hollow, solid * (5.0 / 3.0), 1e-14);
    }

    #[test]
    fn the_added_mass_of_a_ball_is_half_of_what_it_displaces() {
        let ball = shape(GeomType::Sphere, [0.2, 0.0, 0.0], false);
        let (mass, inertia) = ball.added_mass();
        near(mass, Vec3::new(0.5, 0.5, 0.5) * ball.volume(), 1e-5);
        assert_eq!(inertia, Vec3::ZERO);
    }
}
