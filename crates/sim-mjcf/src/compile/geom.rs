//! Geoms: shape, pose and mass.

use sim_core::math::{Quat, Vec3};
use sim_core::model::{GeomInertia, GeomType};

use super::frames::orientation;
use super::inertia::Mass;
use super::pose::{EPS, Pose, quat_from_z, unit};
use super::shape::Shape;
use crate::error::{Error, Pos};
use crate::spec::{self, Compiler};

/// A geom, compiled.
#[derive(Debug)]
pub(super) struct Geom<'a> {
    pub spec: &'a spec::Geom,
    pub pose: Pose,
    pub shape: Shape,
    /// Mass and principal moments; zero if they do not count for the body.
    pub mass: f64,
    pub inertia: Vec3,
    /// Whether something found the geom while static bodies were fused.
    pub found: bool,
}

impl<'a> Geom<'a> {
    /// Compiles a geom inside `frame`; `weighs` says whether its mass counts for the body.
    pub(super) fn new(
        geom: &'a spec::Geom,
        frame: Option<Pose>,
        compiler: &Compiler,
        weighs: bool,
        fixed: bool,
    ) -> Result<Geom<'a>, Error> {
        if !matches!(geom.condim, 1 | 3 | 4 | 6) {
            let message = format!("condim must be 1, 3, 4 or 6, not {}", geom.condim);
            return Err(geom.src.error(message).attribute("condim"));
        }
        if matches!(geom.kind, GeomType::Mesh | GeomType::Hfield | GeomType::Sdf) {
            let error = geom.src.error("geoms of meshes and height fields are not supported yet");
            return Err(error.attribute("type"));
        }
        if geom.kind == GeomType::Plane && !fixed {
            let error = geom.src.error("a plane can only be in a body that does not move");
            return Err(error.attribute("type"));
        }

        let Placed { pose, size } = match geom.fromto {
            Some(ends) => from_to(geom.kind, geom.pos, geom.size, ends, geom.src)?,
            None => Placed {
                pose: Pose {
                    pos: geom.pos,
                    quat: orientation(&geom.orientation, compiler, geom.src)?,
                },
                size: geom.size,
            },
        };
        check_size(geom.kind, size, geom.src)?;
        let shape = Shape { kind: geom.kind, size, shell: geom.shellinertia == GeomInertia::Shell };
        let mut result =
            Geom { spec: geom, pose, shape, mass: 0.0, inertia: Vec3::ZERO, found: false };
        if weighs {
            result.weigh()?;
        }
        if let Some(frame) = frame {
            result.pose = frame.then(result.pose);
        }
        Ok(result)
    }

    /// Computes mass and inertia. A given mass beats the density, but a shape without volume has
    /// no mass either way.
    fn weigh(&mut self) -> Result<(), Error> {
        let volume = self.shape.volume();
        if let Some(given) = self.spec.mass {
            if given != 0.0 && volume > EPS {
                self.mass = given;
                self.inertia = self.shape.inertia(given);
            }
        } else if self.spec.density != 0.0 {
            self.mass = self.spec.density * volume;
            self.inertia = self.shape.inertia(self.mass);
        }
        if self.mass < 0.0 || self.spec.mass.is_none() && self.spec.density < 0.0 {
            let attribute = if self.spec.mass.is_some() { "mass" } else { "density" };
            let error = self.spec.src.error(format!("{attribute} must not be negative"));
            return Err(error.attribute(attribute));
        }
        if (0..3).any(|i| self.inertia[i] < 0.0) {
            let error = self.spec.src.error("the inertia of this geom comes out negative");
            return Err(error.help("it is too small or too large for its inertia to be computed"));
        }
        Ok(())
    }

    /// Whether the geom takes part in collisions.
    pub(super) fn collides(&self) -> bool {
        self.spec.contype != 0 || self.spec.conaffinity != 0
    }

    /// The geom as a piece of the body.
    pub(super) fn piece(&self) -> Mass {
        Mass { mass: self.mass, pose: self.pose, inertia: self.inertia }
    }

    /// Coefficients of the ellipsoid fluid model; zero where it is not used.
    pub(super) fn fluid(&self) -> [f64; 12] {
        let mut fluid = [0.0; 12];
        if self.spec.fluidellipsoid {
            let (mass, inertia) = self.shape.added_mass();
            fluid[0] = 1.0;
            fluid[1..6].copy_from_slice(&self.spec.fluidcoef);
            fluid[6..9].copy_from_slice(&mass.to_array());
            fluid[9..].copy_from_slice(&inertia.to_array());
        }
        fluid
    }
}

/// Pose and size of a shape.
pub(super) struct Placed {
    pub pose: Pose,
    pub size: Vec3,
}

/// Computes the pose and size of a shape between two points. Its z-axis points from the second to
/// the first.
pub(super) fn from_to(
    kind: GeomType,
    pos: Vec3,
    size: Vec3,
    [x1, y1, z1, x2, y2, z2]: [f64; 6],
    src: Pos,
) -> Result<Placed, Error> {
    use GeomType::{Box, Capsule, Cylinder, Ellipsoid};
    let fault = |message: &str| src.error(message).attribute("fromto");
    if !matches!(kind, Capsule | Cylinder | Ellipsoid | Box) {
        return Err(fault("fromto needs a capsule, cylinder, ellipsoid or box"));
    }
    if pos != Vec3::ZERO {
        return Err(fault("pos and fromto cannot both be given"));
    }
    let (first, second) = (Vec3::new(x1, y1, z1), Vec3::new(x2, y2, z2));
    let (axis, length) = unit(first - second)
        .filter(|(_, length)| length / 2.0 >= EPS)
        .ok_or_else(|| fault("the two points of fromto are too close to each other"))?;
    let half = length / 2.0;
    Ok(Placed {
        pose: Pose { pos: (first + second) / 2.0, quat: quat_from_z(axis) },
        size: match kind {
            Ellipsoid | Box => Vec3::new(size.x, size.x, half),
            _ => Vec3::new(size.x, half, size.z),
        },
    })
}

/// Checks that the sizes that a shape needs are positive.
pub(super) fn check_size(kind: GeomType, size: Vec3, src: Pos) -> Result<(), Error> {
    let needed = Shape::size_count(kind);
    // the first two sizes of a plane may be zero: infinite
    let first = if kind == GeomType::Plane { 2 } else { 0 };
    match (first..needed).find(|&i| size[i].is_nan() || size[i] <= 0.0) {
        None => Ok(()),
        Some(i) => {
            let what = shape_name(kind);
            let which = ["first", "second", "third"][i];
            let error = src.error(format!("the {which} size of a {what} must be positive"));
            Err(error.attribute("size").help(format!("a {what} {}", shape_sizes(kind))))
        }
    }
}

fn shape_name(kind: GeomType) -> &'static str {
    match kind {
        GeomType::Plane => "plane",
        GeomType::Sphere => "sphere",
        GeomType::Capsule => "capsule",
        GeomType::Ellipsoid => "ellipsoid",
        GeomType::Cylinder => "cylinder",
        _ => "box",
    }
}

fn shape_sizes(kind: GeomType) -> &'static str {
    match kind {
        GeomType::Plane => "takes half sizes in x and y (0 for infinite) and the grid spacing",
        GeomType::Sphere => "takes its radius",
        GeomType::Capsule | GeomType::Cylinder => {
            "takes its radius and half length; the half length comes from fromto if that is given"
        }
        _ => "takes three half sizes",
    }
}

/// The pose of a body-fixed element in the frame of the body.
pub(super) fn place(pos: Vec3, quat: Quat, frame: Option<Pose>) -> Pose {
    let own = Pose { pos, quat };
    frame.map_or(own, |frame| frame.then(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compile(geom: &spec::Geom) -> Result<Geom<'_>, Error> {
        Geom::new(geom, None, &Compiler::default(), true, false)
    }

    fn ball() -> spec::Geom {
        spec::Geom { size: Vec3::new(0.1, 0.0, 0.0), ..Default::default() }
    }

    #[test]
    fn a_given_mass_beats_the_density() {
        let geom = spec::Geom { mass: Some(3.0), density: 5.0, ..ball() };
        let compiled = compile(&geom).unwrap();
        assert_eq!(compiled.mass, 3.0);
        assert!((compiled.inertia.x - 0.4 * 3.0 * 0.01).abs() < 1e-16);
    }

    #[test]
    fn a_geom_of_zero_mass_has_no_inertia() {
        let geom = spec::Geom { mass: Some(0.0), ..ball() };
        let compiled = compile(&geom).unwrap();
        assert_eq!((compiled.mass, compiled.inertia), (0.0, Vec3::ZERO));
    }

    #[test]
    fn negative_masses_and_densities_are_errors() {
        assert!(compile(&spec::Geom { mass: Some(-1.0), ..ball() }).is_err());
        assert!(compile(&spec::Geom { density: -1.0, ..ball() }).is_err());
    }

    #[test]
    fn a_capsule_between_two_points_lies_between_them() {
        let geom = spec::Geom {
            kind: GeomType::Capsule,
            fromto: Some([0.0, 0.0, 0.0, 0.0, 2.0, 0.0]),
            ..ball()
        };
        let compiled = compile(&geom).unwrap();
        assert_eq!(compiled.pose.pos, Vec3::Y);
        assert_eq!(compiled.shape.size, Vec3::new(0.1, 1.0, 0.0));
        assert!((compiled.pose.quat.rotate(Vec3::Z) + Vec3::Y).norm() < 1e-15);
    }

    #[test]
    fn shapes_without_the_sizes_they_need_are_errors() {
        let capsule = spec::Geom { kind: GeomType::Capsule, ..ball() };
        let error = compile(&capsule).unwrap_err();
        assert_eq!(error.message(), "the second size of a capsule must be positive");
        assert!(compile(&spec::Geom { size: Vec3::ZERO, ..ball() }).is_err());
    }

    #[test]
    fn a_plane_cannot_move() {
        let plane = spec::Geom { kind: GeomType::Plane, size: Vec3::new(0.0, 0.0, 1.0), ..ball() };
        assert!(compile(&plane).is_err());
        assert!(Geom::new(&plane, None, &Compiler::default(), false, true).is_ok());
    }
}
