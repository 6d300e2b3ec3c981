//! Sensors that read contacts.

use super::Record;
use super::position::inside_site;
use crate::constraint::contact_force;
use crate::data::Contact;
use crate::geometry::ray_geom;
use crate::math::{Force, MINVAL, Vec3};
use crate::model::{ConDataField, GeomType, ObjType};
use crate::{Data, Model};

/// Numbers per field of a contact, in the order of [`ConDataField`].
const WIDTHS: [usize; 7] = [1, 3, 3, 1, 3, 3, 3];

/// Computes the normal force of all contacts of a site's body whose line of force meets the volume
/// of the site.
pub(super) fn touch(model: &Model, data: &Data, site: usize) -> f64 {
    let mut total = 0.0;
    for i in 0..data.contact.len() {
        if touches(model, data, site, i) {
            total += contact_force(model, data, i).lin.x;
        }
    }
    total
}

/// Whether the line of force of a contact meets the volume of a site.
pub(crate) fn touches(model: &Model, data: &Data, site: usize, id: usize) -> bool {
    let (body, contact) = (model.site_bodyid[site], &data.contact[id]);
    let bodies = contact_bodies(model, contact);
    if contact.efc_address < 0 || !bodies.contains(&body) {
        return false;
    }
    let force = contact_force(model, data, id).lin.x;
    if force <= 0.0 {
        return false;
    }
    // towards the body of the site
    let push = (contact.frame.row(0) * force).normalized().0;
    let line = if bodies[1] == body { -push } else { push };
    let (size, pos, mat) = (model.site_size[site], data.site_xpos[site], &data.site_xmat[site]);
    let kind = GeomType::from_i32(model.site_type[site]).unwrap_or(GeomType::None);
    ray_geom(kind, size, pos, mat, contact.pos, line).is_some()
}

/// How a contact sensor chooses from the contacts that match it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reduction {
    /// The first.
    None,
    /// The deepest.
    MinDist,
    /// Those with the largest force.
    MaxForce,
    /// The sum of all.
    NetForce,
}

/// A contact that matches a sensor.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Match {
    contact: usize,
    /// Whether the sensor sees the contact from its other side.
    flip: bool,
    /// What the choice goes by, smallest first.
    rank: f64,
}

/// Computes a contact sensor: some fields of some of the contacts that match it, or their sum.
pub(super) fn contact(model: &Model, data: &mut Data, sensor: usize, output: &mut [f64]) {
    output.fill(0.0);
    let [fields, reduction, _] = model.sensor_intprm[sensor];
    let slot = Record::len(fields, &WIDTHS);
    if slot == 0 {
        return;
    }
    let reduction = match reduction {
        1 => Reduction::MinDist,
        2 => Reduction::MaxForce,
        3 => Reduction::NetForce,
        _ => Reduction::None,
    };

    let mut matches = std::mem::take(&mut data.work.matches);
    matches.clear();
    for (i, contact) in data.contact.iter().enumerate() {
        let Some(flip) = match_contact(model, data, sensor, contact) else { continue };
        let rank = match reduction {
            Reduction::MinDist => contact.dist,
            Reduction::MaxForce => {
                let force = contact_force(model, data, i).lin;
                -force.dot(force)
            }
            Reduction::None | Reduction::NetForce => 0.0,
        };
        // the sum makes zeros of either sign equal
        matches.push(Match { contact: i, flip, rank: rank + 0.0 });
    }
    matches.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank).then(a.contact.cmp(&b.contact)));

    if reduction == Reduction::NetForce {
        write_net(model, data, &matches, Record::new(fields, output));
    } else {
        for (chosen, slot) in matches.iter().zip(output.chunks_exact_mut(slot)) {
            write_one(model, data, chosen, matches.len(), Record::new(fields, slot));
        }
    }
    data.work.matches = matches;
}

/// Writes one contact. Seen from the other side its frame is turned by half a turn about the
/// second tangent, and the force is that on the other geom.
fn write_one(model: &Model, data: &Data, chosen: &Match, found: usize, mut record: Record<'_>) {
    let contact = &data.contact[chosen.contact];
    let force = contact_force(model, data, chosen.contact);
    let turned = |v: Vec3| if chosen.flip { Vec3::new(v.x, v.y, -v.z) } else { v };
    let sign = if chosen.flip { -1.0 } else { 1.0 };
    record.put(ConDataField::Found as i32, &[found as f64]);
    record.put(ConDataField::Force as i32, &turned(force.lin).to_array());
    record.put(ConDataField::Torque as i32, &turned(force.rot).to_array());
    record.put(ConDataField::Dist as i32, &[contact.dist]);
    record.put(ConDataField::Pos as i32, &contact.pos.to_array());
    record.put(ConDataField::Normal as i32, &(contact.frame.row(0) * sign).to_array());
    record.put(ConDataField::Tangent as i32, &(contact.frame.row(1) * sign).to_array());
}

/// Writes the sum of all contacts, in the frame of the world and about the centre of their forces.
fn write_net(model: &Model, data: &Data, matches: &[Match], mut record: Record<'_>) {
    let force_of = |chosen: &Match| {
        let force = contact_force(model, data, chosen.contact);
        if chosen.flip { force * -1.0 } else { force }
    };
    let (mut centre, mut weights) = (Vec3::ZERO, 0.0);
    for chosen in matches {
        let weight = force_of(chosen).lin.norm();
        centre += data.contact[chosen.contact].pos * weight;
        weights += weight;
    }
    centre *= 1.0 / f64::max(weights, MINVAL);

    let mut total = Force::ZERO;
    for chosen in matches {
        let Contact { frame, pos, .. } = &data.contact[chosen.contact];
        let local = force_of(chosen);
        let (torque, force) = (frame.transpose_mul(local.rot), frame.transpose_mul(local.lin));
        total += Force::new(torque + (*pos - centre).cross(force), force);
    }
    record.put(ConDataField::Found as i32, &[matches.len() as f64]);
    record.put(ConDataField::Force as i32, &total.lin.to_array());
    record.put(ConDataField::Torque as i32, &total.rot.to_array());
    record.put(ConDataField::Dist as i32, &[0.0]);
    record.put(ConDataField::Pos as i32, &centre.to_array());
    record.put(ConDataField::Normal as i32, &Vec3::X.to_array());
    record.put(ConDataField::Tangent as i32, &Vec3::Y.to_array());
}

/// The bodies of a contact; −1 for a flex.
fn contact_bodies(model: &Model, contact: &Contact) -> [i32; 2] {
    contact.bodies(model).map(|body| body.map_or(-1, |body| body as i32))
}

/// One of the two objects whose contacts a sensor looks for.
#[derive(Debug, Clone, Copy)]
struct Party {
    kind: ObjType,
    id: i32,
}

impl Party {
    fn given(self) -> bool {
        self.kind != ObjType::Unknown
    }

    /// Whether a geom is the object or belongs to it. For sites the place decides.
    fn owns(self, model: &Model, body: i32, geom: i32) -> bool {
        match self.kind {
            ObjType::Unknown | ObjType::Site => true,
            ObjType::Geom => geom == self.id,
            ObjType::Body => body == self.id,
            ObjType::XBody => {
                // parents have smaller ids; a table that says otherwise must not go in circles
                let mut ancestor = body;
                while ancestor > self.id && ancestor > 0 {
                    ancestor = model.body_parentid[ancestor as usize].min(ancestor - 1);
                }
                ancestor == self.id
            }
            _ => false,
        }
    }
}

/// Whether a contact matches a sensor, and if it does whether it is seen from the other side.
fn match_contact(model: &Model, data: &Data, sensor: usize, contact: &Contact) -> Option<bool> {
    let party = |kind, id| Party { kind: ObjType::from_i32(kind).unwrap_or(ObjType::Unknown), id };
    let first = party(model.sensor_objtype[sensor], model.sensor_objid[sensor]);
    let second = party(model.sensor_reftype[sensor], model.sensor_refid[sensor]);
    if first.kind == ObjType::Site && !inside_site(model, data, first.id as usize, contact.pos) {
        return None;
    }

    // which of the parties owns which of the geoms
    let bodies = contact_bodies(model, contact);
    let owned = |party: Party| [0, 1].map(|i| party.owns(model, bodies[i], contact.geom[i]));
    let (own1, own2) = (owned(first), owned(second));
    if own1 == [false; 2] || own2 == [false; 2] {
        return None;
    }
    match (first.given(), second.given()) {
        (false, false) => Some(false),
        (true, false) => Some(!own1[0]),
        (false, true) => Some(!own2[1]),
        (true, true) if own1[0] && own2[1] => Some(false),
        (true, true) if own1[1] && own2[0] => Some(true),
        (true, true) => None,
    }
}
