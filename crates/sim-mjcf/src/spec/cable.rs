use sim_core::math::{Mat3, Quat, Vec3};
use sim_core::model::JointType;

use super::{Body, Class, Exclude, Frame, Geom, Id, Info, Joint, Orientation, Site, Spec, Text};
use crate::error::{Error, Pos};
use crate::pose::{rotate, unit, unit_quat};

/// A chain of bodies along a curve, each with one geom and, but for the first, a ball joint.
#[derive(Debug, Clone)]
pub(crate) struct Cable {
    /// Beginning of the names of everything that is made.
    pub prefix: String,
    /// Place in the source.
    pub src: Pos,
    /// The body that the first one is in.
    pub parent: Id<Body>,
    /// The frame that the first one is in.
    pub frame: Option<Id<Frame>>,
    /// Class of the bodies.
    pub class: Id<Class>,
    /// Position of the points in the parent or frame.
    pub offset: Vec3,
    /// Where the bodies begin, and the last one ends: two or more. They are in single precision, as
    /// the reference has them.
    pub points: Vec<[f32; 3]>,
    /// Joint of the first body, if it has one.
    pub first: Option<JointType>,
    /// A geom but for its name, place and length.
    pub geom: Geom,
    /// A site but for its name and place.
    pub site: Site,
    /// A joint but for its name and type.
    pub joint: Joint,
}

impl Spec {
    /// Adds the bodies of a cable. Neighbours do not collide; there is a site at either end.
    pub(crate) fn add_cable(&mut self, cable: &Cable) -> Result<(), Error> {
        let Cable { prefix, src, .. } = cable;
        let info = |name: String| Info { name, ..Info::at(*src) };
        self.texts.push(Text {
            info: info(format!("composite_{prefix}")),
            data: format!("rope_{prefix}"),
        });
        let count = cable.points.len() - 1;
        let label = |i: usize| match i {
            0 => String::from("first"),
            i if i + 1 == count => String::from("last"),
            i => i.to_string(),
        };
        let mut normal = Vec3::Y;
        let mut before: Option<(Quat, f64)> = None;
        let mut parent = cable.parent;
        for i in 0..count {
            let edge = cable.edge(i);
            let length = edge.dot(edge).sqrt();
            if !length.is_finite() {
                return Err(src.error("the points of the cable are too far apart"));
            }
            let axes = if i == 0 {
                let next = if count > 1 { cable.edge(1) } else { Vec3::ZERO };
                first_axes(edge, next, &mut normal)
            } else {
                next_axes(cable.edge(i - 1), edge, &mut normal)
            };
            let quat = axes.to_quat();
            let (pos, turn) = match before {
                None => (cable.offset + vector(cable.points[0]), quat),
                Some((previous, length)) => {
                    let turn = unit_quat(previous.conjugate() * quat);
                    (Vec3::new(length, 0.0, 0.0), turn)
                }
            };
            let name = format!("{prefix}B_{}", label(i));
            let mut body = Body {
                info: info(name.clone()),
                pos,
                orientation: Orientation { quat: turn, alternative: None },
                ..Body::default()
            };
            body.class = cable.class;
            body.frame = if i == 0 { cable.frame } else { None };
            let body = self.add_to(parent, body);

            let mut geom = cable.geom.clone();
            geom.name = format!("{prefix}G{i}");
            geom.fromto = Some([0.0, 0.0, 0.0, length, 0.0, 0.0]);
            self.add_to(body, geom);
            if let Some(kind) = if i == 0 { cable.first } else { Some(JointType::Ball) } {
                let mut joint = Joint { kind, ..cable.joint.clone() };
                joint.name = format!("{prefix}J_{}", label(i));
                if kind == JointType::Free {
                    (joint.damping, joint.armature, joint.frictionloss) = (0.0, 0.0, 0.0);
                }
                self.add_to(body, joint);
            }
            if i == 0 || i + 1 == count {
                let end = if i + 1 == count { length } else { 0.0 };
                let mut site = Site { pos: Vec3::new(end, 0.0, 0.0), ..cable.site.clone() };
                site.name = format!("{prefix}S_{}", label(i));
                self.add_to(body, site);
            }
            if i + 1 < count {
                self.excludes.push(Exclude {
                    info: info(String::new()),
                    body1: name,
                    body2: format!("{prefix}B_{}", label(i + 1)),
                });
            }
            before = Some((quat, unit(edge).map_or(0.0, |(_, length)| length)));
            parent = body;
        }
        Ok(())
    }
}

impl Cable {
    /// From a point to the next.
    fn edge(&self, i: usize) -> Vec3 {
        let (from, to) = (self.points[i], self.points[i + 1]);
        vector([to[0] - from[0], to[1] - from[1], to[2] - from[2]])
    }
}

fn vector([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x.into(), y.into(), z.into())
}

/// The vector of unit length; a vector without length stays as it is.
fn direction(v: Vec3) -> Vec3 {
    unit(v).map_or(v, |(axis, _)| axis)
}

/// Axes of the first edge: x along it, and the next edge in the plane of x and y. Where both run
/// the same way, y and z have no length.
fn first_axes(edge: Vec3, next: Vec3, normal: &mut Vec3) -> Mat3 {
    let tangent = direction(edge);
    let binormal = direction(tangent.cross(direction(next)));
    *normal = direction(binormal.cross(tangent));
    Mat3::from_columns(tangent, *normal, binormal)
}

/// Axes of an edge: those of the edge before, turned as little as possible.
fn next_axes(before: Vec3, edge: Vec3, normal: &mut Vec3) -> Mat3 {
    let tangent = direction(edge);
    let before = direction(before);
    let (about, sine) = match unit(before.cross(tangent)) {
        Some(found) => found,
        None => (Vec3::ZERO, 0.0),
    };
    let angle = libm::atan2(sine, before.dot(tangent));
    if angle != 0.0 {
        let (s, c) = crate::double_double::sin_cos(angle * 0.5);
        *normal = rotate(Quat::new(c, about.x * s, about.y * s, about.z * s), *normal);
    }
    *normal = direction(*normal);
    Mat3::from_columns(tangent, *normal, direction(tangent.cross(*normal)))
}
