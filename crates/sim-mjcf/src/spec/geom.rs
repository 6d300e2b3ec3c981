use sim_core::math::Vec3;
use sim_core::model::{GeomInertia, GeomType};

use super::joint::{SOLIMP, SOLREF};
use super::rename::{Affix, Copied};
use super::{Attributes, Attrs, Info, Orientation};

/// A geom: shape, contact properties and mass.
#[doc(alias = "mjsGeom")]
#[derive(Debug, Clone)]
pub struct Geom {
    /// Name, place and relations.
    pub info: Info,
    /// Shape.
    pub kind: GeomType,
    /// Position in the body or frame.
    pub pos: Vec3,
    /// Orientation in the body or frame.
    pub orientation: Orientation,
    /// Two end points that stand for position, orientation and length.
    pub fromto: Option<[f64; 6]>,
    /// Size; zero where not given.
    pub size: Vec3,
    /// Contact type, a set of bits.
    pub contype: i32,
    /// Contact affinity, a set of bits.
    pub conaffinity: i32,
    /// Dimension of the contact space.
    pub condim: i32,
    /// Group.
    pub group: i32,
    /// Priority of the contact parameters.
    pub priority: i32,
    /// Sliding, torsional and rolling friction.
    pub friction: [f64; 3],
    /// Weight in mixing solver parameters.
    pub solmix: f64,
    /// Solver reference.
    pub solref: [f64; 2],
    /// Solver impedance.
    pub solimp: [f64; 5],
    /// Distance at which contacts are detected.
    pub margin: f64,
    /// Distance by which contacts are left out of the solver.
    pub gap: f64,
    /// Mass; it beats the density.
    pub mass: Option<f64>,
    /// Density.
    pub density: f64,
    /// Whether the mass is in the volume or on the surface.
    pub shellinertia: GeomInertia,
    /// Whether the ellipsoid fluid model is used.
    pub fluidellipsoid: bool,
    /// Coefficients of the ellipsoid fluid model.
    pub fluidcoef: [f64; 5],
    /// Name of the material; empty for none.
    pub material: String,
    /// Colour when there is no material.
    pub rgba: [f32; 4],
    /// Name of the height field; empty for none.
    pub hfield: String,
    /// Name of the mesh; empty for none.
    pub mesh: String,
    /// Scale of a primitive fitted to a mesh.
    pub fitscale: f64,
    /// User data.
    pub user: Vec<f64>,
}

/// Names of the shapes.
pub(crate) const GEOM_TYPES: &[(&str, GeomType)] = &[
    ("plane", GeomType::Plane),
    ("hfield", GeomType::Hfield),
    ("sphere", GeomType::Sphere),
    ("capsule", GeomType::Capsule),
    ("ellipsoid", GeomType::Ellipsoid),
    ("cylinder", GeomType::Cylinder),
    ("box", GeomType::Box),
    ("mesh", GeomType::Mesh),
    ("sdf", GeomType::Sdf),
];

const INERTIA: &[(&str, GeomInertia)] =
    &[("false", GeomInertia::Volume), ("true", GeomInertia::Shell)];

const FLUID_SHAPES: &[(&str, bool)] = &[("none", false), ("ellipsoid", true)];

impl Default for Geom {
    fn default() -> Geom {
        Geom {
            info: Info::default(),
            kind: GeomType::Sphere,
            pos: Vec3::ZERO,
            orientation: Orientation::default(),
            fromto: None,
            size: Vec3::ZERO,
            contype: 1,
            conaffinity: 1,
            condim: 3,
            group: 0,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            solmix: 1.0,
            solref: SOLREF,
            solimp: SOLIMP,
            margin: 0.0,
            gap: 0.0,
            mass: None,
            density: 1000.0,
            shellinertia: GeomInertia::Volume,
            fluidellipsoid: false,
            fluidcoef: [0.5, 0.25, 1.5, 1.0, 1.0],
            material: String::new(),
            rgba: [0.5, 0.5, 0.5, 1.0],
            hfield: String::new(),
            mesh: String::new(),
            fitscale: 1.0,
            user: Vec::new(),
        }
    }
}

impl Attributes for Geom {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.identity(&mut self.name);
        a.keyword("type", &mut self.kind, GEOM_TYPES);
        a.numbers("contype", &mut self.contype);
        a.numbers("conaffinity", &mut self.conaffinity);
        a.numbers("condim", &mut self.condim);
        a.numbers("group", &mut self.group);
        a.numbers("priority", &mut self.priority);
        a.up_to("size", &mut self.size);
        a.text("material", &mut self.material);
        a.up_to("friction", &mut self.friction);
        a.optional("mass", &mut self.mass);
        a.numbers("density", &mut self.density);
        a.keyword("shellinertia", &mut self.shellinertia, INERTIA);
        a.numbers("solmix", &mut self.solmix);
        a.up_to("solref", &mut self.solref);
        a.up_to("solimp", &mut self.solimp);
        a.numbers("margin", &mut self.margin);
        a.numbers("gap", &mut self.gap);
        a.optional("fromto", &mut self.fromto);
        a.numbers("pos", &mut self.pos);
        a.orientation(&mut self.orientation);
        a.text("hfield", &mut self.hfield);
        a.text("mesh", &mut self.mesh);
        a.numbers("fitscale", &mut self.fitscale);
        a.numbers("rgba", &mut self.rgba);
        a.keyword("fluidshape", &mut self.fluidellipsoid, FLUID_SHAPES);
        a.up_to("fluidcoef", &mut self.fluidcoef);
        a.list("user", &mut self.user);
    }
}

impl Copied for Geom {
    fn rename_assets(&mut self, affix: Affix<'_>) {
        affix.rename(&mut self.material);
        affix.rename(&mut self.mesh);
        affix.rename(&mut self.hfield);
    }

    fn user(&self) -> &[f64] {
        &self.user
    }
}
