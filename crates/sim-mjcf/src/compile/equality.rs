//! Equality constraints.

use sim_core::Model;
use sim_core::math::Vec3;
use sim_core::model::{EqType, JointType, ObjType};

use super::names::Names;
use crate::error::Error;
use crate::spec::{Equality, Spec};

/// Fills the tables of equality constraints, as far as the reference configuration is not needed.
pub(super) fn fill(spec: &Spec, names: &Names, model: &mut Model) -> Result<(), Error> {
    for (id, equality) in spec.equalities.iter().enumerate() {
        let [first, second] = objects(equality, names, model)?;
        model.eq_type[id] = equality.kind as i32;
        model.eq_obj1id[id] = first;
        model.eq_obj2id[id] = second;
        model.eq_objtype[id] = equality.objtype as i32;
        model.eq_active0[id] = equality.active.into();
        model.eq_solref[id] = equality.solref;
        model.eq_solimp[id] = equality.solimp;
        model.eq_data[id] = data(equality);
        model.nemax += match equality.kind {
            EqType::Connect => 3,
            EqType::Weld => 7,
            _ => 1,
        };
    }
    Ok(())
}

/// The ids of the two objects; −1 if there is no second.
fn objects(equality: &Equality, names: &Names, model: &Model) -> Result<[i32; 2], Error> {
    let (kind, attributes) = match (equality.kind, equality.objtype) {
        (EqType::Joint, _) => (ObjType::Joint, ["joint1", "joint2"]),
        (EqType::Tendon, _) => (ObjType::Tendon, ["tendon1", "tendon2"]),
        (_, ObjType::Site) => (ObjType::Site, ["site1", "site2"]),
        _ => (ObjType::Body, ["body1", "body2"]),
    };
    let src = equality.src;
    let find = |name: &str, attribute| {
        let id = names.resolve(kind, name, src, attribute)?;
        let scalar = [JointType::Hinge as i32, JointType::Slide as i32];
        if kind == ObjType::Joint && !scalar.contains(&model.jnt_type[id]) {
            let message = format!("joint '{name}' is neither a hinge nor a slide");
            return Err(src.error(message).attribute(attribute));
        }
        Ok(id as i32)
    };
    let first = find(&equality.name1, attributes[0])?;
    let second = match equality.name2.as_str() {
        // the world
        "" if kind == ObjType::Body => 0,
        "" => -1,
        name => find(name, attributes[1])?,
    };
    if first == second {
        let message = format!("'{}' cannot be tied to itself", equality.name1);
        return Err(src.error(message).attribute(attributes[0]));
    }
    Ok([first, second])
}

/// Packs the parameters of a constraint; those that are left zero follow from the reference
/// configuration. What a kind does not use holds the values that the reference leaves there.
fn data(equality: &Equality) -> [f64; 11] {
    let mut data = [0.0; 11];
    let by_site = equality.objtype == ObjType::Site;
    match equality.kind {
        EqType::Connect | EqType::Weld => {
            let anchor = equality.anchor.unwrap_or(if by_site { Vec3::Y } else { Vec3::ZERO });
            data[..3].copy_from_slice(&anchor.to_array());
            data[3..10].copy_from_slice(&equality.relpose);
        }
        _ => data[..5].copy_from_slice(&equality.polycoef),
    }
    data[10] = equality.torquescale;
    data
}
