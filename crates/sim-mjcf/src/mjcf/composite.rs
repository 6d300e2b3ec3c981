//! Composites, of which cables are left: chains of bodies along a curve.

use std::f64::consts::PI;

use sim_core::math::{Quat, Vec3};
use sim_core::model::{GeomType, JointType, Limited};

use super::{Reader, repeated, unknown_element, unsupported};
use crate::error::Error;
use crate::pose::rotate;
use crate::spec::{
    Attributes, Attrs, Body, Cable, Class, Frame, GEOM_TYPES, Geom, Id, Info, JOINT_TYPES, Joint,
    Site, TRISTATE,
};
use crate::xml::Elem;
use crate::xml::MAX_DEPTH;

/// The elements of a composite.
const KNOWN: [&str; 5] = ["joint", "skin", "geom", "site", "plugin"];

/// Points that a cable can have.
const MAX_POINTS: usize = 400;

/// Levels of a file that are not bodies.
const SPARE_DEPTH: usize = 4;

/// The attributes of `composite`.
#[derive(Default)]
struct Composite {
    kind: Kind,
    prefix: String,
    count: [i32; 3],
    offset: Vec3,
    vertex: Vec<f32>,
    initial: Initial,
    curve: Curve,
    size: [f64; 3],
    quat: Quat,
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Kind {
    #[default]
    Particle,
    Grid,
    Cable,
    Rope,
    Loop,
    Cloth,
}

const KINDS: &[(&str, Kind)] = &[
    ("particle", Kind::Particle),
    ("grid", Kind::Grid),
    ("cable", Kind::Cable),
    ("rope", Kind::Rope),
    ("loop", Kind::Loop),
    ("cloth", Kind::Cloth),
];

/// The joint of the first body.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Initial {
    #[default]
    Ball,
    Free,
    None,
}

const INITIALS: &[(&str, Initial)] =
    &[("ball", Initial::Ball), ("free", Initial::Free), ("none", Initial::None)];

/// How a coordinate depends on the place along the curve.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
enum Shape {
    #[default]
    Zero,
    Line,
    Cosine,
    Sine,
}

#[derive(Debug, Default, Clone, Copy)]
struct Curve([Shape; 3]);

impl crate::spec::Parse for Curve {
    fn parse(text: &str) -> Result<Curve, String> {
        let mut curve = Curve::default();
        for (i, word) in text.split_ascii_whitespace().enumerate() {
            let Some(shape) = curve.0.get_mut(i) else {
                return Err(String::from("there are three coordinates, and more shapes"));
            };
            *shape = match word {
                "0" => Shape::Zero,
                "s" => Shape::Line,
                "cos(s)" => Shape::Cosine,
                "sin(s)" => Shape::Sine,
                _ => {
                    return Err(format!(
                        "'{word}' is not a shape; those are '0', 's', 'cos(s)' and 'sin(s)'"
                    ));
                }
            };
        }
        Ok(curve)
    }

    fn print(&self) -> Option<String> {
        None
    }
}

impl Attributes for Composite {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.keyword("type", &mut self.kind, KINDS);
        a.required("type");
        a.text("prefix", &mut self.prefix);
        a.up_to("count", &mut self.count);
        a.numbers("offset", &mut self.offset);
        a.list("vertex", &mut self.vertex);
        a.keyword("initial", &mut self.initial, INITIALS);
        a.value("curve", &mut self.curve);
        a.up_to("size", &mut self.size);
        a.numbers("quat", &mut self.quat);
    }
}

/// What a composite says about its geoms.
struct CableGeom<'a>(&'a mut Geom);

impl Attributes for CableGeom<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let geom = &mut *self.0;
        a.keyword("type", &mut geom.kind, GEOM_TYPES);
        a.numbers("contype", &mut geom.contype);
        a.numbers("conaffinity", &mut geom.conaffinity);
        a.numbers("condim", &mut geom.condim);
        a.numbers("group", &mut geom.group);
        a.numbers("priority", &mut geom.priority);
        a.up_to("size", &mut geom.size);
        a.text("material", &mut geom.material);
        a.numbers("rgba", &mut geom.rgba);
        a.up_to("friction", &mut geom.friction);
        a.optional("mass", &mut geom.mass);
        a.numbers("density", &mut geom.density);
        a.numbers("solmix", &mut geom.solmix);
        a.up_to("solref", &mut geom.solref);
        a.up_to("solimp", &mut geom.solimp);
        a.numbers("margin", &mut geom.margin);
        a.numbers("gap", &mut geom.gap);
    }
}

/// What a composite says about its sites.
struct CableSite<'a>(&'a mut Site);

impl Attributes for CableSite<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let site = &mut *self.0;
        a.numbers("group", &mut site.group);
        a.up_to("size", &mut site.size);
        a.text("material", &mut site.material);
        a.numbers("rgba", &mut site.rgba);
    }
}

/// What a composite says about its joints.
struct CableJoint<'a>(&'a mut Joint);

impl Attributes for CableJoint<'_> {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        let joint = &mut *self.0;
        a.keyword("kind", &mut (), &[("main", ())]);
        a.required("kind");
        a.numbers("group", &mut joint.group);
        a.numbers("stiffness", &mut joint.stiffness);
        a.numbers("damping", &mut joint.damping);
        a.numbers("armature", &mut joint.armature);
        a.numbers("range", &mut joint.range);
        a.numbers("margin", &mut joint.margin);
        a.up_to("solreflimit", &mut joint.solreflimit);
        a.up_to("solimplimit", &mut joint.solimplimit);
        a.numbers("frictionloss", &mut joint.frictionloss);
        a.up_to("solreffriction", &mut joint.solreffriction);
        a.up_to("solimpfriction", &mut joint.solimpfriction);
        for (name, given) in [
            ("type", a.keyword("type", &mut JointType::Hinge, JOINT_TYPES)),
            ("axis", a.numbers("axis", &mut [0.0; 3])),
            ("limited", a.keyword("limited", &mut Limited::Auto, TRISTATE)),
            ("solreffix", a.up_to("solreffix", &mut [0.0; 2])),
            ("solimpfix", a.up_to("solimpfix", &mut [0.0; 5])),
        ] {
            if given {
                let message = format!("'{name}' has no effect on the joints of a cable");
                a.warn(name, message, "they are ball joints, limited if they have a range");
            }
        }
    }
}

/// What a composite says about a skin, which only a cable of boxes has.
struct CableSkin;

impl Attributes for CableSkin {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.keyword("texcoord", &mut false, crate::spec::FLAG);
        a.text("material", &mut String::new());
        let mut group = 0;
        a.numbers("group", &mut group);
        if !(0..=5).contains(&group) {
            a.fail("group", "the group of a skin must be between 0 and 5");
        }
        a.numbers("rgba", &mut [0.0_f32; 4]);
        a.numbers("inflate", &mut 0.0_f32);
        a.numbers("subgrid", &mut 0);
    }
}

impl<'d, 'a> Reader<'d, 'a> {
    /// Reads a composite into the given body.
    pub(super) fn composite(
        &mut self,
        elem: Elem<'d, 'a>,
        body: Id<Body>,
        frame: Option<Id<Frame>>,
        class: Id<Class>,
    ) -> Result<(), Error> {
        let mut composite = Composite {
            count: [1; 3],
            size: [1.0, 0.0, 0.0],
            quat: Quat::IDENTITY,
            ..Composite::default()
        };
        self.attributes(elem, &mut composite)?;
        if composite.kind != Kind::Cable {
            return Err(replaced(elem, composite.kind));
        }

        // elements take nothing from the classes around them
        let src = elem.pos();
        let info = Info { class, ..Info::at(src) };
        let mut cable = Cable {
            prefix: composite.prefix.clone(),
            src,
            parent: body,
            frame,
            class,
            offset: composite.offset,
            points: composite.points(elem)?,
            first: Some(JointType::Ball),
            geom: Geom { info: info.clone(), ..Geom::default() },
            site: Site { info: info.clone(), group: 3, ..Site::default() },
            joint: Joint { info, group: 3, ..Joint::default() },
        };
        cable.first = match composite.initial {
            Initial::Ball => Some(JointType::Ball),
            Initial::Free => Some(JointType::Free),
            Initial::None => None,
        };
        let mut seen = [false; KNOWN.len()];
        for child in self.documents.children(elem) {
            let child = child?;
            let Some(i) = KNOWN.iter().position(|&name| name == child.name()) else {
                return Err(unknown_element(child, "composite", &KNOWN));
            };
            if std::mem::replace(&mut seen[i], true) {
                return Err(repeated(child, "composite"));
            }
            match child.name() {
                "geom" => self.leaf(child, &mut CableGeom(&mut cable.geom))?,
                "site" => self.leaf(child, &mut CableSite(&mut cable.site))?,
                "joint" => self.leaf(child, &mut CableJoint(&mut cable.joint))?,
                "skin" => {
                    self.leaf(child, &mut CableSkin)?;
                    let message = "only a cable of boxes has a skin";
                    self.warnings.push(child.pos().warning(message).help("leave it out"));
                }
                _ => return Err(unsupported(child)),
            }
        }
        match cable.geom.kind {
            GeomType::Capsule | GeomType::Cylinder => {}
            GeomType::Box => {
                let message = "a cable of boxes has a skin, and skins are not supported yet";
                return Err(elem.error(message).help("use geoms of type 'capsule'"));
            }
            _ => {
                let error = elem.error("the geoms of a cable must be capsules, cylinders or boxes");
                return Err(error.help("write <geom type=\"capsule\" size=\"...\"/> inside"));
            }
        }
        // bodies are inside each other, and have to be so in a file too
        let depth = self.depth(body, frame) + cable.points.len();
        if depth + SPARE_DEPTH > MAX_DEPTH {
            let message = format!("the bodies of the cable are nested {depth} levels deep");
            return Err(elem.error(message).help("use fewer points, or levels around the cable"));
        }
        self.spec.add_cable(&cable)
    }
}

impl Reader<'_, '_> {
    /// How many bodies and frames are around what is in the given ones.
    fn depth(&self, mut body: Id<Body>, mut frame: Option<Id<Frame>>) -> usize {
        let mut depth = 0;
        loop {
            depth += self.spec.frames_around(frame).count();
            let Some(parent) = self.spec[body].parent else { return depth };
            frame = self.spec[body].frame;
            body = parent;
            depth += 1;
        }
    }
}

impl Composite {
    /// The points that the cable runs through.
    fn points(&self, elem: Elem<'_, '_>) -> Result<Vec<[f32; 3]>, Error> {
        let fault = |attribute: &str, message: String| elem.error(message).attribute(attribute);
        if self.count.iter().any(|&count| count < 1) {
            return Err(fault("count", String::from("counts must be positive")));
        }
        let [count, width, height] = self.count;
        if !self.vertex.is_empty() {
            if count > 1 {
                let message = "the points are given by 'vertex': they need no 'count'";
                return Err(fault("count", message.into()));
            }
            let (points, rest) = self.vertex.as_chunks::<3>();
            if !rest.is_empty() {
                let message = format!(
                    "'vertex' needs three numbers for each point, but has {}",
                    self.vertex.len()
                );
                return Err(fault("vertex", message));
            }
            if points.len() < 2 {
                return Err(fault("vertex", String::from("a cable needs two points or more")));
            }
            check_length(points.len(), elem)?;
            return Ok(points.to_vec());
        }
        if width > 1 || height > 1 || count < 2 {
            let message = format!(
                "a cable needs two points or more in a row, not {count} by {width} by {height}"
            );
            return Err(fault("count", message).help("write count=\"N 1 1\", or give a 'vertex'"));
        }
        if self.curve.0 == [Shape::Zero; 3] {
            let error = elem.error("a cable needs a 'curve' or a 'vertex' to run along");
            return Err(error.help("write curve=\"s 0 0\" for a straight one along x"));
        }
        let [length, radius, turns] = self.size;
        if length * length + radius * radius + turns * turns < 1e-15 {
            return Err(fault("size", String::from("the size of a cable must not be zero")));
        }
        check_length(count as usize, elem)?;
        let last = f64::from(count - 1);
        let point = |i: i32| {
            let i = f64::from(i);
            let coordinate = |shape: Shape| match shape {
                Shape::Zero => 0.0,
                Shape::Line => i * length / last,
                Shape::Cosine => radius * libm::cos(PI * i * turns / last),
                Shape::Sine => radius * libm::sin(PI * i * turns / last),
            };
            let [x, y, z] = self.curve.0.map(coordinate);
            let Vec3 { x, y, z } = rotate(self.quat, Vec3::new(x, y, z));
            [x as f32, y as f32, z as f32]
        };
        Ok((0..count).map(point).collect())
    }
}

fn check_length(count: usize, elem: Elem<'_, '_>) -> Result<(), Error> {
    if count <= MAX_POINTS {
        return Ok(());
    }
    Err(elem.error(format!("a cable can have at most {MAX_POINTS} points, not {count}")))
}

/// The error about a kind that is no more, which says what to use in its place.
fn replaced(elem: Elem<'_, '_>, kind: Kind) -> Error {
    let name = KINDS.iter().find(|(_, known)| *known == kind).map_or("", |(name, _)| *name);
    let instead = match kind {
        Kind::Particle => "replicate",
        Kind::Grid | Kind::Cloth | Kind::Loop => "flexcomp",
        Kind::Rope | Kind::Cable => "composite of type 'cable'",
    };
    let error = elem.error(format!("there are no composites of type '{name}' any more"));
    error.attribute("type").help(format!("use a {instead}"))
}
