//! Links: inertia and geoms of a body.

use sim_core::math::{Mat3, Quat, Vec3};
use sim_core::model::GeomType;

use crate::error::Error;
use crate::spec::{Body, Geom, Id, Inertial, Orientation};
use crate::xml::Elem;

use super::Reader;
use super::values::{
    child, children, missing, number, numbers, origin, required_child, required_number, tag, text,
    vector,
};

impl Reader<'_> {
    /// Reads inertia and geoms of a link.
    pub(super) fn link(&mut self, link: Elem<'_, '_>, body: Id<Body>) -> Result<(), Error> {
        if let Some(elem) = child(link, "inertial")? {
            self.spec[body].inertial = Some(self.inertial(elem)?);
        }
        // geoms without a colour of their own have that of the last visual before
        let mut color = None;
        for elem in children(link) {
            match tag(elem) {
                "visual" => {
                    color = self.color(elem)?.or(color);
                    if !self.spec.compiler.discardvisual {
                        self.geom(elem, body, color, false)?;
                    }
                }
                "collision" => self.geom(elem, body, color, true)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads an inertia. Its orientation has no effect, unless the moments are all zero or the
    /// options ask for it.
    fn inertial(&mut self, elem: Elem<'_, '_>) -> Result<Inertial, Error> {
        let pose = origin(elem)?;
        let mass = required_number(required_child(elem, "mass")?, "value")?;
        let inertia = required_child(elem, "inertia")?;
        let mut full = [0.0; 6];
        for (moment, name) in full.iter_mut().zip(["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]) {
            *moment = required_number(inertia, name)?;
        }
        let given = full != [0.0; 6];
        if given && pose.quat != Quat::IDENTITY {
            if self.options.turn_inertia {
                full = turned(full, pose.quat);
            } else {
                let message = "the orientation of an inertia has no effect: moments are taken in \
                               the axes of the link, as by MuJoCo";
                self.warnings.push(elem.pos().warning(message));
            }
        }
        let quat = if given { Quat::IDENTITY } else { pose.quat };
        Ok(Inertial {
            src: elem.pos(),
            pos: Some(pose.pos),
            orientation: Orientation { quat, alternative: None },
            mass: Some(mass),
            diaginertia: None,
            fullinertia: given.then_some(full),
        })
    }

    /// The colour of a visual element, if it has one.
    fn color(&self, visual: Elem<'_, '_>) -> Result<Option<[f32; 4]>, Error> {
        let Some(material) = child(visual, "material")? else { return Ok(None) };
        let rgba = match child(material, "color")? {
            Some(color) => Some(numbers(color, "rgba")?.ok_or_else(|| missing(color, "rgba"))?),
            None => {
                let name = text(material, "name").ok_or_else(|| missing(material, "name"))?;
                self.colors.get(name).copied()
            }
        };
        // a negative red stands for no colour
        Ok(rgba.filter(|rgba: &[f32; 4]| rgba[0] >= 0.0))
    }

    /// Reads a visual or collision element.
    fn geom(
        &mut self,
        elem: Elem<'_, '_>,
        body: Id<Body>,
        color: Option<[f32; 4]>,
        collides: bool,
    ) -> Result<(), Error> {
        let geometry = required_child(elem, "geometry")?;
        let mut geom = Geom { kind: GeomType::Box, ..Geom::default() };
        geom.src = elem.pos();
        if !collides {
            (geom.contype, geom.conaffinity) = (0, 0);
            geom.group = 1;
            geom.density = 0.0;
        }
        if let Some(shape) = child(geometry, "box")? {
            geom.size = vector(shape, "size")?.ok_or_else(|| missing(shape, "size"))? / 2.0;
        } else if let Some(shape) = child(geometry, "cylinder")? {
            geom.kind = GeomType::Cylinder;
            geom.size = long(shape)?;
        } else if let Some(shape) = child(geometry, "sphere")? {
            geom.kind = GeomType::Sphere;
            geom.size.x = required_number(shape, "radius")?;
        } else if let Some(shape) = child(geometry, "capsule")? {
            geom.kind = GeomType::Capsule;
            geom.size = long(shape)?;
        } else if let Some(shape) = child(geometry, "mesh")? {
            geom.kind = GeomType::Mesh;
            geom.mesh = self.mesh(shape)?;
        } else {
            let error = geometry.error("this geometry has no shape");
            return Err(error.help("the shapes are box, cylinder, sphere, capsule and mesh"));
        }
        let pose = origin(elem)?;
        (geom.pos, geom.orientation.quat) = (pose.pos, pose.quat);
        if let Some(color) = color {
            geom.rgba = color;
        }
        if let Some(name) = text(elem, "name").filter(|name| !name.is_empty()) {
            if self.geom_names.insert(name.to_owned()) {
                geom.name = name.to_owned();
            } else {
                let message = format!("another geom is called '{name}': this one has no name");
                self.warnings.push(elem.pos().warning(message).attribute("name"));
            }
        }
        self.spec.add_to(body, geom);
        Ok(())
    }
}

/// Radius and half length of a cylinder or capsule.
fn long(shape: Elem<'_, '_>) -> Result<Vec3, Error> {
    let radius = required_number(shape, "radius")?;
    let length = number(shape, "length")?.ok_or_else(|| missing(shape, "length"))?;
    Ok(Vec3::new(radius, length / 2.0, 0.0))
}

/// Computes `R I Rᵀ` for an inertia given as xx, yy, zz, xy, xz, yz.
fn turned([xx, yy, zz, xy, xz, yz]: [f64; 6], quat: Quat) -> [f64; 6] {
    let axes = quat.to_mat();
    let own = Mat3::new([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
    let all = axes * own * axes.transpose();
    [all[(0, 0)], all[(1, 1)], all[(2, 2)], all[(0, 1)], all[(0, 2)], all[(1, 2)]]
}
