//! Flexcomps: flexes made from a few numbers, or from a file, with the bodies that carry them.

use std::collections::HashMap;
use std::path::Path;

use sim_core::math::Vec3;
use sim_core::model::EqType;

use super::{Reader, repeated, unknown_element, unsupported};
use crate::asset::mesh::{Fault, Format, RawMesh};
use crate::asset::{gmsh, stripped};
use crate::error::Error;
use crate::pose::Pose;
use crate::spec::{
    Attributes, Attrs, Body, Equality, FLAG, Flex, FlexContact, FlexDof, FlexEdge, FlexElasticity,
    FlexShape, Flexcomp, Id, Info, Lattice, LatticeMaker, Orientation, Pins,
};
use crate::xml::Elem;

/// The elements of a flexcomp.
const KNOWN: [&str; 5] = ["edge", "elasticity", "contact", "pin", "plugin"];

/// Points and elements that a flexcomp can have.
const MAX_SIZE: usize = 1 << 22;

/// Lengths and masses below this count as zero.
const MINVAL: f64 = 1e-15;

/// The attributes of `flexcomp`.
struct Attributed {
    flex: Flex,
    kind: Kind,
    dof: FlexDof,
    count: [i32; 3],
    spacing: [f64; 3],
    scale: Vec3,
    mass: f64,
    inertiabox: f64,
    rigid: bool,
    file: String,
    point: Vec<f64>,
    element: Vec<i32>,
    texcoord: Vec<f32>,
    origin: Option<Vec3>,
    pos: Vec3,
    orientation: Orientation,
}

/// Where points and elements come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Lattice(Lattice),
    Mesh,
    Gmsh,
    Direct,
}

const KINDS: &[(&str, Kind)] = &[
    ("grid", Kind::Lattice(Lattice::Grid)),
    ("box", Kind::Lattice(Lattice::Box)),
    ("cylinder", Kind::Lattice(Lattice::Cylinder)),
    ("ellipsoid", Kind::Lattice(Lattice::Ellipsoid)),
    ("square", Kind::Lattice(Lattice::Square)),
    ("disc", Kind::Lattice(Lattice::Disc)),
    ("circle", Kind::Lattice(Lattice::Circle)),
    ("mesh", Kind::Mesh),
    ("gmsh", Kind::Gmsh),
    ("direct", Kind::Direct),
];

const DOFS: &[(&str, FlexDof)] = &[
    ("full", FlexDof::Full),
    ("radial", FlexDof::Radial),
    ("trilinear", FlexDof::Trilinear),
    ("quadratic", FlexDof::Quadratic),
];

impl Attributes for Attributed {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.text("name", &mut self.flex.info.name);
        a.required("name");
        a.keyword("type", &mut self.kind, KINDS);
        a.numbers("group", &mut self.flex.group);
        a.numbers("dim", &mut self.flex.dim);
        a.keyword("dof", &mut self.dof, DOFS);
        a.numbers("count", &mut self.count);
        a.numbers("spacing", &mut self.spacing);
        a.numbers("radius", &mut self.flex.radius);
        a.keyword("rigid", &mut self.rigid, FLAG);
        a.numbers("mass", &mut self.mass);
        a.numbers("inertiabox", &mut self.inertiabox);
        a.numbers("scale", &mut self.scale);
        a.text("file", &mut self.file);
        a.list("point", &mut self.point);
        a.list("element", &mut self.element);
        a.list("texcoord", &mut self.texcoord);
        a.text("material", &mut self.flex.material);
        a.numbers("rgba", &mut self.flex.rgba);
        a.keyword("flatskin", &mut self.flex.flatskin, FLAG);
        a.numbers("pos", &mut self.pos);
        a.orientation(&mut self.orientation);
        a.optional("origin", &mut self.origin);
    }
}

/// The attributes of `edge` in a flexcomp.
struct Edge<'a> {
    flex: &'a mut Flex,
    holds: Option<EqType>,
    equality: &'a mut Equality,
}

impl Attributes for Edge<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        const HOLDS: &[(&str, Option<EqType>)] =
            &[("false", None), ("true", Some(EqType::Flex)), ("vert", Some(EqType::FlexVert))];
        a.keyword("equality", &mut self.holds, HOLDS);
        a.up_to("solref", &mut self.equality.solref);
        a.up_to("solimp", &mut self.equality.solimp);
        FlexEdge(self.flex).attrs(a);
    }
}

/// The attributes of `pin`.
#[derive(Default)]
struct Pin {
    id: Vec<i32>,
    range: Vec<i32>,
    grid: Vec<i32>,
    gridrange: Vec<i32>,
}

impl Attributes for Pin {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.list("id", &mut self.id);
        a.list("range", &mut self.range);
        a.list("grid", &mut self.grid);
        a.list("gridrange", &mut self.gridrange);
    }
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads a flexcomp into the given body. Frames around it have no effect, as in the reference.
    pub(super) fn flexcomp(&mut self, elem: Elem<'d, 'a>, body: Id<Body>) -> Result<(), Error> {
        let src = elem.pos();
        let mut own = Attributed {
            flex: Flex { info: Info::at(src), ..Flex::default() },
            kind: Kind::Lattice(Lattice::Grid),
            dof: FlexDof::Full,
            count: [10; 3],
            spacing: [0.02; 3],
            scale: Vec3::new(1.0, 1.0, 1.0),
            mass: 1.0,
            inertiabox: 0.005,
            rigid: false,
            file: String::new(),
            point: Vec::new(),
            element: Vec::new(),
            texcoord: Vec::new(),
            origin: None,
            pos: Vec3::ZERO,
            orientation: Orientation::default(),
        };
        self.attributes(elem, &mut own)?;
        let mut pins = Pins::default();
        let mut holds = None;
        let mut equality = Flexcomp::holds(&own.flex, EqType::Flex);
        let mut seen = [false; KNOWN.len()];
        for child in self.documents.children(elem) {
            let child = child?;
            let Some(i) = KNOWN.iter().position(|&name| name == child.name()) else {
                return Err(unknown_element(child, "flexcomp", &KNOWN));
            };
            if std::mem::replace(&mut seen[i], true) && child.name() != "pin" {
                return Err(repeated(child, "flexcomp"));
            }
            let flex = &mut own.flex;
            match child.name() {
                "edge" => {
                    let mut edge = Edge { flex, holds, equality: &mut equality };
                    self.leaf(child, &mut edge)?;
                    holds = edge.holds;
                }
                "elasticity" => self.leaf(child, &mut FlexElasticity(flex))?,
                "contact" => self.leaf(child, &mut FlexContact { flex, composed: true })?,
                "pin" => {
                    let pin = self.new_leaf(child, Pin::default())?;
                    pins.id.extend(pin.id);
                    pins.range.extend(pin.range);
                    pins.grid.extend(pin.grid);
                    pins.gridrange.extend(pin.gridrange);
                }
                _ => return Err(unsupported(child)),
            }
        }
        if own.flex.elastic2d.stretches() && holds.is_some() {
            let message = "edges cannot both be held by constraints and resist stretching";
            let error = elem.error(message);
            return Err(error.help("use elastic2d=\"bend\", or no equality"));
        }
        if self.spec[body].name.is_empty() {
            let error = elem.error("the body around a flexcomp needs a name");
            return Err(error.help("give the body a name"));
        }
        own.check(elem)?;
        pins.count = own.count;
        pins.of_grid = own.kind == Kind::Lattice(Lattice::Grid);
        let shape = self.flex_shape(elem, &mut own)?;
        let quat = own.orientation.resolve(&self.spec.compiler, src)?;
        let equality = holds.map(|kind| Equality { kind, ..equality });
        let comp = Flexcomp {
            parent: body,
            dof: own.dof,
            rigid: own.rigid,
            mass: own.mass,
            inertiabox: own.inertiabox,
            scale: own.scale,
            pose: Pose { pos: own.pos, quat },
            direct: !matches!(own.kind, Kind::Lattice(_)),
            pins,
            equality,
            flex: own.flex,
        };
        self.spec.add_flexcomp(comp, shape)
    }

    /// Makes or reads the points and elements; a file can say which dimension they have.
    fn flex_shape(&self, elem: Elem<'d, 'a>, own: &mut Attributed) -> Result<FlexShape, Error> {
        match own.kind {
            Kind::Lattice(lattice) => own.lattice(elem, lattice),
            Kind::Direct => own.given(elem),
            Kind::Mesh => self.flex_mesh(elem, own),
            Kind::Gmsh => {
                let (path, bytes) = self.flex_file(elem, &own.file)?;
                let found = gmsh::read(&bytes).map_err(|fault| unusable(elem, &path, fault))?;
                own.flex.dim = found.dim as i32;
                let texcoord = std::mem::take(&mut own.texcoord);
                let (points, elements) = (found.points, found.elements);
                Ok(FlexShape { points, elements, texcoord, elemtexcoord: Vec::new() })
            }
        }
    }

    /// The file that points and elements come from: its path and contents.
    fn flex_file(&self, elem: Elem<'d, 'a>, file: &str) -> Result<(String, Vec<u8>), Error> {
        if file.is_empty() {
            return Err(elem.error("a flexcomp of this type needs a file").attribute("file"));
        }
        let meshdir = &self.spec.compiler.meshdir;
        let file = self.asset_file(elem, meshdir, file);
        let path = self.files.dir.join(meshdir).join(stripped(&file, &self.spec));
        let path = path.to_string_lossy().into_owned();
        let (_, bytes) = self
            .resolver
            .find(&path, &[Path::new("")])
            .map_err(|error| error.about(&path, |message| elem.error(message).attribute("file")))?;
        Ok((path, bytes))
    }

    /// The triangles of a mesh, or tetrahedra between them and the origin.
    fn flex_mesh(&self, elem: Elem<'d, 'a>, own: &mut Attributed) -> Result<FlexShape, Error> {
        if own.flex.dim < 2 {
            let message = "a flex from a mesh has dimension 2 or 3";
            return Err(elem.error(message).attribute("dim"));
        }
        let solid = own.flex.dim == 3;
        if solid && own.origin.is_none() {
            let message = "a solid from a mesh needs an origin, where its tetrahedra meet";
            return Err(elem.error(message).attribute("origin"));
        }
        let (path, bytes) = self.flex_file(elem, &own.file)?;
        let format = Format::new(&own.file, "").map_err(|fault| unusable(elem, &path, fault))?;
        if format == Format::Msh {
            let error = elem.error("a flex cannot come from a mesh in MSH format");
            return Err(error.attribute("file").help("Gmsh files take type=\"gmsh\""));
        }
        let raw = format.read(&bytes, false).map_err(|fault| unusable(elem, &path, fault))?;
        let (mut points, mut faces) = merge_vertices(&raw);
        if points.is_empty() || faces.is_empty() {
            return Err(unusable(elem, &path, Fault::new("it has no vertices or no faces")));
        }
        let inside = |&&vertex: &&i32| usize::try_from(vertex).map_or(true, |v| v >= points.len());
        if let Some(vertex) = faces.iter().find(inside) {
            let message = format!("a face has vertex {vertex}, which is not there");
            return Err(unusable(elem, &path, Fault::new(message)));
        }
        if let Some(origin) = own.origin.filter(|_| solid) {
            faces = tetrahedra(&points, &faces, origin);
            points.insert(0, origin);
        }
        let (mut texcoord, mut elemtexcoord) = (std::mem::take(&mut own.texcoord), Vec::new());
        if !raw.texcoord.is_empty() {
            (texcoord, elemtexcoord) = (raw.texcoord, raw.facetexcoord);
        }
        Ok(FlexShape { points, elements: faces, texcoord, elemtexcoord })
    }
}

/// The error about a file that cannot be used.
fn unusable(elem: Elem<'_, '_>, path: &str, fault: Fault) -> Error {
    let error = elem.error(format!("cannot use '{path}': {}", fault.message)).attribute("file");
    match fault.help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// The vertices of a mesh, those at the same place as one, and its faces.
fn merge_vertices(raw: &RawMesh) -> (Vec<Vec3>, Vec<i32>) {
    let mut known = HashMap::new();
    let mut points = Vec::new();
    let mut new = Vec::new();
    for &[x, y, z] in raw.vert.as_chunks::<3>().0 {
        // zero has no sign here
        let key = [x, y, z].map(|x| (x + 0.0).to_bits());
        new.push(*known.entry(key).or_insert_with(|| {
            points.push(Vec3::new(x.into(), y.into(), z.into()));
            points.len() as i32 - 1
        }));
    }
    let place = |&vertex: &i32| {
        let found = usize::try_from(vertex).ok().and_then(|vertex| new.get(vertex));
        found.copied().unwrap_or(-1)
    };
    let faces = raw.face.iter().map(place).collect();
    (points, faces)
}

/// Tetrahedra between an origin, which becomes vertex 0, and the faces that look away from it.
fn tetrahedra(points: &[Vec3], faces: &[i32], origin: Vec3) -> Vec<i32> {
    let mut elements = Vec::new();
    for face in faces.as_chunks::<3>().0 {
        let [a, b, c] = face.map(|vertex| points[vertex as usize] - origin);
        if a.cross(b).dot(c) >= MINVAL {
            elements.push(0);
            elements.extend(face.map(|vertex| vertex + 1));
        }
    }
    elements
}

impl Attributed {
    /// Checks the numbers that all kinds share.
    fn check(&self, elem: Elem<'_, '_>) -> Result<(), Error> {
        let fault = |name: &str, message: String| Err(elem.error(message).attribute(name));
        let dim = self.flex.dim;
        if !(1..=3).contains(&dim) {
            return fault("dim", format!("the dimension must be 1, 2 or 3, not {dim}"));
        }
        let centred = matches!(
            self.kind,
            Kind::Lattice(Lattice::Box | Lattice::Cylinder | Lattice::Ellipsoid)
        );
        let least = if centred || (self.dof == FlexDof::Radial && dim == 3) { 2 } else { 1 };
        if self.count.iter().any(|&count| count < least) {
            return fault("count", format!("counts must be {least} or more"));
        }
        let least = 2.0 * self.flex.radius + self.flex.margin;
        let lattice = matches!(self.kind, Kind::Lattice(_));
        if lattice && self.spacing.iter().any(|&spacing| spacing < least) {
            let message = format!("the spacing must be {least} or more: twice radius plus margin");
            return fault("spacing", message);
        }
        if (0..3).any(|axis| self.scale[axis] < MINVAL) {
            return fault("scale", String::from("the scale must be positive"));
        }
        if self.mass < MINVAL {
            return fault("mass", String::from("the mass must be positive"));
        }
        if self.inertiabox < MINVAL {
            return fault("inertiabox", String::from("the size of inertias must be positive"));
        }
        Ok(())
    }

    /// A shape made from a lattice, with the texture coordinates that are given.
    fn lattice(&mut self, elem: Elem<'_, '_>, lattice: Lattice) -> Result<FlexShape, Error> {
        if let Lattice::Square | Lattice::Disc = lattice {
            self.flex.dim = 2;
        }
        let given = [("point", self.point.is_empty()), ("element", self.element.is_empty())];
        if let Some((name, _)) = given.iter().find(|(_, empty)| !empty) {
            let message =
                format!("this type makes its own points and elements: it takes no '{name}'");
            return Err(elem.error(message).attribute(name).help("use type=\"direct\""));
        }
        let maker = LatticeMaker {
            lattice,
            dim: self.flex.dim as usize,
            count: self.count.map(|count| count as usize),
            spacing: self.spacing,
            textured: self.texcoord.is_empty() && !self.flex.material.is_empty(),
        };
        if maker.size().is_none_or(|size| size > MAX_SIZE) {
            let [x, y, z] = self.count;
            let message = format!("{x} by {y} by {z} points are too many");
            return Err(elem.error(message).attribute("count"));
        }
        let mut shape = maker.make();
        if shape.elements.is_empty() {
            return Err(elem.error("so few points make no elements").attribute("count"));
        }
        if !self.texcoord.is_empty() {
            shape.texcoord = std::mem::take(&mut self.texcoord);
        }
        let block = lattice == Lattice::Grid && self.flex.dim == 3;
        self.flex.flatskin |= block || matches!(lattice, Lattice::Box | Lattice::Cylinder);
        Ok(shape)
    }

    /// The points and elements that are given.
    fn given(&mut self, elem: Elem<'_, '_>) -> Result<FlexShape, Error> {
        let (points, rest) = self.point.as_chunks::<3>();
        if !rest.is_empty() {
            let message =
                format!("'point' needs three numbers for each point, but has {}", self.point.len());
            return Err(elem.error(message).attribute("point"));
        }
        Ok(FlexShape {
            points: points.iter().map(|&[x, y, z]| Vec3::new(x, y, z)).collect(),
            elements: std::mem::take(&mut self.element),
            texcoord: std::mem::take(&mut self.texcoord),
            elemtexcoord: Vec::new(),
        })
    }
}
