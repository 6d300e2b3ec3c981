//! Contacts: discs at the points, frames, arrows for forces.

use super::types::single;
use super::{Builder, Frame, Label, VisFlag};
use crate::constraint::contact_force;
use crate::data::Contact;
use crate::math::{MINVAL, Mat3, Vec3};
use crate::model::{GeomType, ObjType};

impl Builder<'_> {
    pub(super) fn contacts(&mut self) -> Option<()> {
        let (model, data, opt) = (self.model, self.data, self.opt);
        let (points, forces) = (VisFlag::ContactPoint, VisFlag::ContactForce);
        let frames = opt.frame == Frame::Contact as i32;
        if !opt.shows(points) && !opt.shows(forces) && !frames {
            return Some(());
        }
        for (id, contact) in data.contact.iter().enumerate() {
            // the columns are the axes; the normal comes first
            let mat = contact.frame.transpose();
            if opt.shows(points) {
                self.contact_point(id, contact)?;
            }
            if frames {
                let scale = &model.vis.scale;
                let length = self.sized(scale.framelength) / 2.0;
                let width = self.sized(scale.framewidth) / 2.0;
                self.frame(id, contact.pos, &mat, length, width)?;
            }
            if opt.shows(forces) && contact.efc_address >= 0 {
                self.contact_arrows(id, contact, &mat)?;
            }
        }
        Some(())
    }

    fn contact_point(&mut self, id: usize, contact: &Contact) -> Option<()> {
        let (vis, opt) = (&self.model.vis, self.opt);
        let mut geom = self.decor(ObjType::Unknown, id);
        geom.kind = GeomType::Cylinder as i32;
        let width = self.sized(vis.scale.contactwidth) as f32;
        let height = self.sized(vis.scale.contactheight) as f32;
        geom.size = [width, width, height.max((-contact.dist / 2.0) as f32)];
        geom.pos = single(contact.pos);
        let [normal, tangent1, tangent2] = [0, 1, 2].map(|i| contact.frame.row(i));
        geom.mat = Mat3::from_columns(tangent1, tangent2, normal).0.map(|x| x as f32);
        let row = contact.efc_address;
        geom.rgba = match row >= 0 {
            true if opt.shows(VisFlag::Island) => self.island_color(self.row_island(row), true),
            true => vis.rgba.contactpoint,
            false => vis.rgba.contactgap,
        };
        if opt.label == Label::ContactPoint as i32 {
            let sides = [0, 1].map(|side| self.contact_side(contact, side));
            geom.set_text(&format!("{} | {}", sides[0], sides[1]));
        }
        self.push(geom)
    }

    /// The name of one of the two things in contact.
    fn contact_side(&self, contact: &Contact, side: usize) -> String {
        let model = self.model;
        let mut text = match usize::try_from(contact.geom[side]) {
            Ok(geom) => match model.name(ObjType::Geom, geom) {
                Some(name) => name.to_owned(),
                None => format!("g{geom}"),
            },
            Err(_) => {
                let flex = contact.flex[side];
                let name = usize::try_from(flex).ok().and_then(|f| model.name(ObjType::Flex, f));
                let flex = name.map_or(format!("f{flex}"), str::to_owned);
                match contact.elem[side] {
                    elem @ 0.. => format!("{flex}.e{elem}"),
                    _ => format!("{flex}.v{}", contact.vert[side]),
                }
            }
        };
        let end = (0..=47.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text
    }

    /// The force at a contact: one arrow, or one for the normal and one for the friction.
    fn contact_arrows(&mut self, id: usize, contact: &Contact, mat: &Mat3) -> Option<()> {
        let model = self.model;
        let vis = &model.vis;
        let mut force = contact_force(model, self.data, id).lin;
        if contact.dim < 3 {
            force = Vec3::new(force.x, 0.0, 0.0);
        }
        if force.norm() < MINVAL {
            return Some(());
        }
        let sides = [0, 1].map(|side| match usize::try_from(contact.geom[side]) {
            Ok(geom) => i64::from(model.geom_bodyid[geom]),
            Err(_) => model.nbody as i64 + i64::from(contact.flex[side]),
        });
        // arrows point towards the side with the higher number
        let sign = if sides[0] > sides[1] { -1.0 } else { 1.0 };
        let scale = sign * (f64::from(vis.map.force) / model.stat.meanmass);
        let split = self.opt.shows(VisFlag::ContactSplit) && contact.dim > 1;
        let two_sided = sides[0] > 0 && sides[1] > 0 && !split;
        let kind = if two_sided { GeomType::Arrow2 } else { GeomType::Arrow };

        let normal = Vec3::new(force.x, 0.0, 0.0);
        let friction = Vec3::new(0.0, force.y, force.z);
        let arrows = [(force, vis.rgba.contactforce)];
        let parts = [(normal, vis.rgba.contactforce), (friction, vis.rgba.contactfriction)];
        let arrows: &[_] = if split { &parts } else { &arrows };
        for (nth, (local, rgba)) in arrows.iter().enumerate() {
            let mut geom = self.decor(ObjType::Unknown, id);
            let reach = *mat * *local * scale;
            let width = self.sized(vis.scale.forcewidth);
            geom.connect(kind, width, contact.pos, contact.pos + reach);
            geom.rgba = *rgba;
            if nth == 0 && self.opt.label == Label::ContactForce as i32 {
                geom.set_text(&general(force.norm(), 3));
            }
            self.push(geom)?;
        }
        Some(())
    }
}

/// A number with so many significant digits, as `%g` of C prints it.
fn general(x: f64, digits: usize) -> String {
    if !x.is_finite() || x == 0.0 {
        return format!("{x}");
    }
    let scientific = format!("{:.*e}", digits - 1, x);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    trim(&format!("{:.*}", (digits as i32 - 1 - exponent) as usize, x))
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_are_printed_with_significant_digits() {
        for (x, text) in [
            (122.7345, "123"),
            (1234.5, "1.23e+03"),
            (0.00012345, "0.000123"),
            (0.000012345, "1.23e-05"),
            (2.0, "2"),
            (0.5, "0.5"),
        ] {
            assert_eq!(general(x, 3), text);
        }
    }
}
