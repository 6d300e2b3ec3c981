//! Equality constraints.

use sim_core::Model;
use sim_core::model::{EqType, JointType, ObjType};

use super::flex::Flexes;
use super::names::Names;
use crate::error::Error;
use crate::spec::{Equality, Spec};

/// Fills the tables of equality constraints, as far as the reference configuration is not needed.
pub(super) fn fill(
    spec: &Spec,
    names: &Names,
    flexes: &Flexes,
    model: &mut Model,
) -> Result<(), Error> {
    for (id, equality) in spec.equalities.iter().enumerate() {
        let [first, second] = objects(equality, names, model)?;
        let holds_flex = matches!(equality.kind, EqType::Flex | EqType::FlexVert);
        if holds_flex && flexes.is_rigid(first as usize) {
            let message =
                format!("flex '{}' is rigid: its edges need no constraint", equality.name1);
            return Err(equality.src.error(message).attribute("flex"));
        }
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
        (EqType::Flex | EqType::FlexVert, _) => (ObjType::Flex, ["flex", "flex"]),
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
    match equality.kind {
        EqType::Connect | EqType::Weld => {
            data[..3].copy_from_slice(&equality.anchor_point().to_array());
            data[3..10].copy_from_slice(&equality.relpose);
        }
        _ => data[..5].copy_from_slice(&equality.polycoef),
    }
    data[10] = equality.torquescale;
    data
}

#[cfg(test)]
mod tests {
    use sim_core::Model;
    use sim_core::model::{EqType, ObjType};

    use crate::load_str;

    fn xml(equality: &str) -> String {
        format!(
            "<mujoco><default><default class='off'><equality active='false' solref='.1'/></default>\
             </default><worldbody><site name='s'/><body name='a' pos='1 0 0'><joint name='ja'/>\
             <joint name='jb' type='slide'/><geom size='.1'/><site name='sa'/></body>\
             <body name='b' pos='0 2 0'><joint name='ball' type='ball'/><geom size='.1'/></body>\
             </worldbody><tendon><fixed name='t'><joint joint='ja' coef='1'/></fixed></tendon>\
             <equality>{equality}</equality></mujoco>"
        )
    }

    fn load(equality: &str) -> Model {
        load_str(&xml(equality)).unwrap_or_else(|error| panic!("{error}")).model
    }

    #[test]
    fn a_connection_holds_its_anchor_in_both_bodies() {
        let model = load("<connect body1='a' body2='b' anchor='.5 0 0'/>");
        assert_eq!((model.eq_obj1id[0], model.eq_obj2id[0], model.nemax), (1, 2, 3));
        assert_eq!(model.eq_data[0][..6], [0.5, 0.0, 0.0, 1.5, -2.0, 0.0]);
        assert_eq!(model.eq_objtype[0], ObjType::Body as i32);
        // without a second body it is the world
        let model = load("<connect body1='b' anchor='0 0 1'/>");
        assert_eq!((model.eq_obj2id[0], model.eq_data[0][4]), (0, 2.0));
    }

    #[test]
    fn a_weld_without_a_pose_keeps_the_one_it_finds() {
        let model = load("<weld body1='a' body2='b' torquescale='2'/><weld site1='s' site2='sa'/>");
        let expected = [0.0, 0.0, 0.0, -1.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0];
        assert_eq!(model.eq_data[0], expected);
        assert_eq!(model.eq_objtype[1], ObjType::Site as i32);
        assert_eq!((model.eq_obj1id[1], model.eq_obj2id[1], model.nemax), (0, 1, 14));
        let given = load("<weld body1='a' relpose='1 2 3 2 0 0 0' anchor='4 5 6'/>");
        let expected = [4.0, 5.0, 6.0, 1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        assert_eq!(given.eq_data[0], expected);
    }

    #[test]
    fn joints_and_tendons_are_coupled_by_a_polynomial() {
        let model = load(
            "<joint name='j' joint1='ja' joint2='jb' polycoef='3 2'/><tendon tendon1='t'/>\
             <joint class='off' joint1='jb'/>",
        );
        assert_eq!(model.eq_type[..2], [EqType::Joint as i32, EqType::Tendon as i32]);
        assert_eq!(
            (&model.eq_obj1id[..], &model.eq_obj2id[..]),
            (&[0, 0, 1][..], &[1, -1, -1][..])
        );
        assert_eq!(model.eq_data[0][..5], [3.0, 2.0, 0.0, 0.0, 0.0]);
        assert_eq!(model.eq_data[1][..5], [0.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!((&model.eq_active0[..], model.eq_solref[2]), (&[1, 1, 0][..], [0.1, 1.0]));
        assert_eq!(model.id(ObjType::Equality, "j"), Some(0));
    }

    #[test]
    fn faults_of_equality_constraints_are_reported() {
        for (equality, part) in [
            ("<connect body1='a' site1='s' anchor='0 0 0'/>", "not both"),
            ("<connect body1='a'/>", "'anchor'"),
            ("<connect anchor='0 0 0'/>", "'body1'"),
            ("<weld site1='s'/>", "'site2'"),
            ("<weld body1='a' body2='a'/>", "to itself"),
            ("<weld body1='world'/>", "to itself"),
            ("<joint joint1='ball'/>", "neither a hinge nor a slide"),
            ("<joint joint1='jz'/>", "there is no joint 'jz'"),
            ("<tendon/>", "'tendon1'"),
            ("<flex flex='f'/>", "there is no flex 'f'"),
            ("<flexvert/>", "'flex'"),
            ("<distance geom1='a' geom2='b'/>", "gone"),
            ("<connection/>", "unknown element"),
        ] {
            let error = load_str(&xml(equality)).unwrap_err();
            assert!(error.message().contains(part), "{equality}: {error}");
            assert_eq!(error.line(), Some(1));
        }
    }
}
