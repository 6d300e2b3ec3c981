use crate::constraint::contact_force;
use crate::math::{Force, Vec3};
use crate::model::{EqType, ObjType};
use crate::{Data, Model};

/// Computes the forces that act on bodies from outside their tree, `cfrc_ext`: what users apply,
/// contacts, and the equalities that hold bodies together.
pub(super) fn external_forces(model: &Model, data: &mut Data) {
    data.cfrc_ext.fill(Force::ZERO);
    for body in 1..model.nbody {
        let [fx, fy, fz, tx, ty, tz] = data.xfrc_applied[body];
        let force = Force::new(Vec3::new(tx, ty, tz), Vec3::new(fx, fy, fz));
        add(model, data, body, data.xipos[body], force, 1.0);
    }
    add_contacts(model, data);
    add_equalities(model, data);
}

/// Adds a force on `body` that acts at `point`, times `sign`. The world takes all without moving.
fn add(model: &Model, data: &mut Data, body: usize, point: Vec3, force: Force, sign: f64) {
    if body == 0 {
        return;
    }
    let arm = point - data.subtree_com[model.body_rootid[body] as usize];
    let about_com = Force::new(force.rot + arm.cross(force.lin), force.lin);
    data.cfrc_ext[body] += about_com * sign;
}

/// Contacts push the second geom along their normal, and the first back. Those of flexes do not
/// count.
fn add_contacts(model: &Model, data: &mut Data) {
    for i in 0..data.contact.len() {
        let contact = &data.contact[i];
        let Some([first, second]) = contact.geom_bodies(model) else { continue };
        if contact.efc_address < 0 {
            continue;
        }
        let local = contact_force(model, data, i);
        let (frame, point) = (&contact.frame, contact.pos);
        let force = Force::new(frame.transpose_mul(local.rot), frame.transpose_mul(local.lin));
        add(model, data, first, point, force, -1.0);
        add(model, data, second, point, force, 1.0);
    }
}

/// Connects and welds pull two bodies, or two sites on them, together.
fn add_equalities(model: &Model, data: &mut Data) {
    let mut row = 0;
    while row < data.ne {
        let eq = data.efc_id[row];
        let rows = data.efc_id[row..data.ne].iter().take_while(|&&id| id == eq).count();
        let at = |i: usize| data.efc_force[row + i];
        let eq = eq as usize;
        let (force, anchors) = match EqType::from_i32(model.eq_type[eq]) {
            Some(EqType::Connect) => {
                (Force::new(Vec3::ZERO, Vec3::new(at(0), at(1), at(2))), [0, 3])
            }
            Some(EqType::Weld) => {
                let (rot, lin) = (Vec3::new(at(3), at(4), at(5)), Vec3::new(at(0), at(1), at(2)));
                (Force::new(rot, lin), [3, 0])
            }
            _ => {
                row += rows;
                continue;
            }
        };
        let objects = [model.eq_obj1id[eq], model.eq_obj2id[eq]].map(|id| id as usize);
        for ((object, anchor), sign) in objects.into_iter().zip(anchors).zip([1.0, -1.0]) {
            let (body, offset) = if model.eq_objtype[eq] == ObjType::Body as i32 {
                let [x, y, z] = std::array::from_fn(|i| model.eq_data[eq][anchor + i]);
                (object, Vec3::new(x, y, z))
            } else {
                (model.site_bodyid[object] as usize, model.site_pos[object])
            };
            let point = data.xpos[body] + data.xmat[body] * offset;
            add(model, data, body, point, force, sign);
        }
        row += rows;
    }
}
