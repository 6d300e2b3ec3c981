//! Geoms: shape, pose and mass.

use std::collections::HashMap;

use sim_core::math::{Quat, Vec3};
use sim_core::model::{GeomInertia, GeomType};

use super::asset::Solids;
use super::inertia::Mass;
use super::shape::{Measured, Shape};
use crate::asset::mesh::Mesh;
use crate::error::{Error, Pos};
use crate::pose::{EPS, Pose, quat_from_z, rotate, unit};
use crate::spec::{self, Compiler, Element, Spec};

/// A geom, compiled.
#[derive(Debug)]
pub(super) struct Geom<'a> {
    pub spec: &'a spec::Geom,
    pub pose: Pose,
    pub shape: Shape,
    /// Mass and principal moments; zero if they do not count for the body.
    pub mass: f64,
    pub inertia: Vec3,
    /// The mesh that it is made of or fitted to, by its place among all meshes.
    pub mesh: Option<usize>,
    /// The height field that it is made of.
    pub hfield: Option<usize>,
    /// Name of the material, its own or that of its mesh; empty for none.
    pub material: &'a str,
    /// Whether something found the geom while static bodies were fused.
    pub found: bool,
}

/// What a geom needs to know about its surroundings.
pub(super) struct Surroundings<'a, 'b> {
    pub frame: Option<Pose>,
    pub compiler: &'b Compiler,
    pub spec: &'a Spec,
    pub solids: &'b Solids<'a>,
    /// Whether the mass of the geom counts for the body.
    pub weighs: bool,
    /// Whether the body cannot move.
    pub fixed: bool,
}

impl<'a> Geom<'a> {
    /// Compiles a geom.
    pub(super) fn new(
        geom: &'a spec::Geom,
        around: &Surroundings<'a, '_>,
    ) -> Result<Geom<'a>, Error> {
        if !matches!(geom.condim, 1 | 3 | 4 | 6) {
            let message = format!("condim must be 1, 3, 4 or 6, not {}", geom.condim);
            return Err(geom.error(message).attribute("condim"));
        }
        if geom.kind == GeomType::Sdf {
            let message = "signed distance functions (geoms of type 'sdf') are not supported yet";
            return Err(geom.error(message).attribute("type"));
        }
        if geom.kind == GeomType::Plane && !around.fixed {
            let error = geom.error("a plane can only be in a body that does not move");
            return Err(error.attribute("type"));
        }
        let mesh = find("mesh", &geom.mesh, &around.solids.mesh_ids, geom)?;
        let hfield = find("hfield", &geom.hfield, &around.solids.hfield_ids, geom)?;
        check_asset("mesh", geom.kind == GeomType::Mesh && mesh.is_none(), geom)?;
        check_asset("hfield", (geom.kind == GeomType::Hfield) != hfield.is_some(), geom)?;

        let Placed { mut pose, mut size } = match geom.fromto {
            Some(_) if mesh.is_some() => {
                let error = geom.error("a geom with a mesh cannot be given by fromto");
                return Err(error.attribute("fromto"));
            }
            Some(ends) => from_to(geom.kind, geom.pos, geom.size, ends, geom.src)?,
            None => Placed {
                pose: Pose {
                    pos: geom.pos,
                    quat: geom.orientation.resolve(around.compiler, geom.src)?,
                },
                size: geom.size,
            },
        };
        let mut measured = None;
        if let Some(id) = mesh {
            let mesh = &around.solids.meshes[id];
            let mut centre = Vec3::ZERO;
            if geom.kind == GeomType::Mesh {
                if geom.shellinertia == GeomInertia::Shell {
                    let error = geom.error("whether a mesh is a shell is said by the mesh");
                    return Err(error
                        .attribute("shellinertia")
                        .help("write inertia=\"shell\" in the element 'mesh'"));
                }
                let extent = |i: usize| mesh.low[i].abs().max(mesh.high[i].abs());
                size = Vec3::new(extent(0), extent(1), extent(2));
                measured = Some(Measured {
                    low: mesh.low,
                    high: mesh.high,
                    radius: size.norm(),
                    volume: mesh.volume,
                    inertia_box: mesh.inertia_box,
                });
            } else {
                (size, centre) = fit(geom, size, mesh, around.spec.compiler.fitaabb)?;
            }
            let pos = rotate(mesh.quat, centre) + mesh.pos;
            pose = pose.then(Pose { pos, quat: mesh.quat });
        }
        check_size(geom.kind, size, geom)?;
        if let Some(id) = hfield {
            let [x, y, top, bottom] = around.solids.hfield_specs[id].size;
            size = Vec3::new(x, y, 0.25 * top + 0.5 * bottom);
            measured = Some(Measured {
                low: Vec3::new(-x, -y, -bottom),
                high: Vec3::new(x, y, top),
                radius: (x * x + y * y + (top * top).max(bottom * bottom)).sqrt(),
                volume: 0.0,
                inertia_box: size,
            });
        }
        let shell = geom.shellinertia == GeomInertia::Shell;
        let mut result = Geom {
            spec: geom,
            pose,
            shape: Shape { kind: geom.kind, size, shell, measured },
            mass: 0.0,
            inertia: Vec3::ZERO,
            mesh,
            hfield,
            material: match mesh {
                Some(id) if geom.material.is_empty() => &around.solids.mesh_specs[id].material,
                _ => &geom.material,
            },
            found: false,
        };
        if around.weighs {
            result.weigh()?;
        }
        if let Some(frame) = around.frame {
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
            let error = self.spec.error(format!("{attribute} must not be negative"));
            return Err(error.attribute(attribute));
        }
        if (0..3).any(|i| self.inertia[i] < 0.0) {
            let error = self.spec.error("the inertia of this geom comes out negative");
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

/// The mesh or height field that a geom names, if it names one.
fn find(
    attribute: &str,
    name: &str,
    ids: &HashMap<&str, usize>,
    geom: &spec::Geom,
) -> Result<Option<usize>, Error> {
    if name.is_empty() {
        return Ok(None);
    }
    match ids.get(name) {
        Some(id) => Ok(Some(*id)),
        None => {
            let message = format!("there is no {attribute} '{name}'");
            Err(geom.error(message).attribute(attribute))
        }
    }
}

/// Checks that a geom has what it is made of, and nothing else.
fn check_asset(attribute: &str, wrong: bool, geom: &spec::Geom) -> Result<(), Error> {
    if !wrong {
        return Ok(());
    }
    let message = format!("a geom of type '{attribute}', and no other, needs a '{attribute}'");
    Err(geom.error(message).attribute("type"))
}

/// Computes the size of a primitive that stands for a mesh, by its inertia or by its bounding box,
/// and where its centre is in the frame of the mesh.
fn fit(
    geom: &spec::Geom,
    given: Vec3,
    mesh: &Mesh,
    by_bounds: bool,
) -> Result<(Vec3, Vec3), Error> {
    let fault = || {
        let error = geom.error("this type of geom cannot be fitted to a mesh");
        Err(error.attribute("type").help("spheres, capsules, cylinders, ellipsoids and boxes can"))
    };
    let mut centre = Vec3::ZERO;
    let size = if by_bounds {
        centre = (mesh.low + mesh.high) / 2.0;
        let half = mesh.high - centre;
        let Vec3 { x, y, z } = half;
        match geom.kind {
            GeomType::Sphere => Vec3 { x: x.max(y).max(z), ..given },
            GeomType::Capsule => Vec3 { x: x.max(y), y: z - x.max(y), ..given },
            GeomType::Cylinder => Vec3 { x: x.max(y), y: z, ..given },
            GeomType::Ellipsoid | GeomType::Box => half,
            _ => return fault(),
        }
    } else {
        let Vec3 { x, y, z } = mesh.inertia_box;
        let radius = (x + y) / 2.0;
        match geom.kind {
            GeomType::Sphere => Vec3 { x: (x + y + z) / 3.0, ..given },
            GeomType::Capsule => Vec3 { x: radius, y: (z - radius / 2.0).max(0.0), ..given },
            GeomType::Cylinder => Vec3 { x: radius, y: z, ..given },
            GeomType::Ellipsoid | GeomType::Box => mesh.inertia_box,
            _ => return fault(),
        }
    };
    Ok((size * geom.fitscale, centre))
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
pub(super) fn check_size(kind: GeomType, size: Vec3, element: &impl Element) -> Result<(), Error> {
    let needed = Shape::size_count(kind);
    // the first two sizes of a plane may be zero: infinite
    let first = if kind == GeomType::Plane { 2 } else { 0 };
    match (first..needed).find(|&i| size[i].is_nan() || size[i] <= 0.0) {
        None => Ok(()),
        Some(i) => {
            let what = shape_name(kind);
            let which = ["first", "second", "third"][i];
            let error = element
                .error(format!("the {which} size of a {what} must be positive"))
                .reference(format!("size {i} must be positive in geom"));
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

    /// Compiles a geom, and returns its shape, pose, mass and inertia.
    fn compile_in(geom: &spec::Geom, fixed: bool) -> Result<(Shape, Pose, f64, Vec3), Error> {
        let spec = Spec::default();
        let solids = Solids::new(&spec, &spec.files.resolver())?;
        let compiler = &spec.compiler;
        let around = Surroundings {
            frame: None,
            compiler,
            spec: &spec,
            solids: &solids,
            weighs: true,
            fixed,
        };
        let geom = geom.clone();
        let compiled = Geom::new(&geom, &around)?;
        Ok((compiled.shape, compiled.pose, compiled.mass, compiled.inertia))
    }

    fn compile(geom: &spec::Geom) -> Result<(Shape, Pose, f64, Vec3), Error> {
        compile_in(geom, false)
    }

    fn ball() -> spec::Geom {
        spec::Geom { size: Vec3::new(0.1, 0.0, 0.0), ..Default::default() }
    }

    #[test]
    fn a_given_mass_beats_the_density() {
        let geom = spec::Geom { mass: Some(3.0), density: 5.0, ..ball() };
        let (_, _, mass, inertia) = compile(&geom).unwrap();
        assert_eq!(mass, 3.0);
        assert!((inertia.x - 0.4 * 3.0 * 0.01).abs() < 1e-16);
    }

    #[test]
    fn a_geom_of_zero_mass_has_no_inertia() {
        let geom = spec::Geom { mass: Some(0.0), ..ball() };
        let (_, _, mass, inertia) = compile(&geom).unwrap();
        assert_eq!((mass, inertia), (0.0, Vec3::ZERO));
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
        let (shape, pose, ..) = compile(&geom).unwrap();
        assert_eq!(pose.pos, Vec3::Y);
        assert_eq!(shape.size, Vec3::new(0.1, 1.0, 0.0));
        assert!((pose.quat.rotate(Vec3::Z) + Vec3::Y).norm() < 1e-15);
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
        assert!(compile_in(&plane, true).is_ok());
    }
}
