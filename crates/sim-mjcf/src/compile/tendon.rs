//! Tendons and their paths.

use sim_core::Model;
use sim_core::model::{GeomType, ObjType, WrapType};

use super::joint::limit_applies;
use super::names::Names;
use super::tables::{copy_user, material};
use crate::error::Error;
use crate::spec::{Element, Spec, Tendon, TendonKind, Wrap, WrapKind};

/// Fills the tables of tendons.
pub(super) fn fill(spec: &Spec, names: &Names, model: &mut Model) -> Result<(), Error> {
    let mut address = 0;
    for (id, tendon) in spec.tendons.iter().enumerate() {
        check(tendon)?;
        let (limited, actfrclimited) = limits(tendon, spec)?;
        let m = &mut *model;
        m.tendon_adr[id] = address as i32;
        m.tendon_num[id] = tendon.path.len() as i32;
        m.tendon_matid[id] = material(&tendon.material, tendon.src, spec, names)?;
        m.tendon_group[id] = tendon.group;
        m.tendon_limited[id] = limited.into();
        m.tendon_actfrclimited[id] = actfrclimited.into();
        m.tendon_width[id] = tendon.width;
        m.tendon_solref_lim[id] = tendon.solreflimit;
        m.tendon_solimp_lim[id] = tendon.solimplimit;
        m.tendon_solref_fri[id] = tendon.solreffriction;
        m.tendon_solimp_fri[id] = tendon.solimpfriction;
        m.tendon_range[id] = tendon.range;
        m.tendon_actfrcrange[id] = tendon.actuatorfrcrange;
        m.tendon_margin[id] = tendon.margin;
        m.tendon_stiffness[id] = tendon.stiffness;
        m.tendon_damping[id] = tendon.damping;
        m.tendon_armature[id] = tendon.armature;
        m.tendon_frictionloss[id] = tendon.frictionloss;
        m.tendon_lengthspring[id] = tendon.springlength;
        m.tendon_rgba[id] = tendon.rgba;
        copy_user(&mut m.tendon_user, m.nuser_tendon, id, &tendon.user);

        for (i, wrap) in tendon.path.iter().enumerate() {
            let (kind, object, parameter) = resolve(wrap, names, model)?;
            model.wrap_type[address + i] = kind as i32;
            model.wrap_objid[address + i] = object;
            model.wrap_prm[address + i] = parameter;
        }
        check_repeated(tendon, &model.wrap_objid[address..])?;
        if tendon.armature != 0.0 {
            couple(address..address + tendon.path.len(), model);
        }
        address += tendon.path.len();
    }
    Ok(())
}

/// Checks what a tendon says about itself, and the order of its path.
fn check(tendon: &Tendon) -> Result<(), Error> {
    let fault = |attribute: &str, message: &str| tendon.error(message).attribute(attribute);
    let spatial = tendon.kind == TendonKind::Spatial;
    if tendon.path.is_empty() {
        let known = if spatial { "sites, geoms and pulleys" } else { "joints" };
        let error = tendon.error("the path of the tendon is empty");
        return Err(error.help(format!("a tendon of this kind is made of {known}")));
    }
    if spatial && tendon.path.len() < 2 {
        return Err(tendon.error("the path of a spatial tendon has at least two elements"));
    }
    if spatial && tendon.width <= 0.0 {
        return Err(fault("width", "the width of a tendon must be positive"));
    }
    if tendon.armature < 0.0 {
        return Err(fault("armature", "armature cannot be negative"));
    }
    let [short, long] = tendon.springlength;
    if short > long {
        let message = format!("springlength must not decrease, but {short} is more than {long}");
        return Err(fault("springlength", &message));
    }

    let path = &tendon.path;
    let kind = |i: usize| path.get(i).map(|wrap| wrap.kind);
    for (i, wrap) in path.iter().enumerate() {
        let before = i.checked_sub(1).and_then(kind);
        let after = kind(i + 1);
        let message = match wrap.kind {
            WrapKind::Pulley if before == Some(WrapKind::Pulley) => "a pulley follows a pulley",
            WrapKind::Pulley if after.is_none() => "the path ends with a pulley",
            WrapKind::Site
                if matches!(before, None | Some(WrapKind::Pulley))
                    && matches!(after, None | Some(WrapKind::Pulley)) =>
            {
                "a site needs a neighbour in the path that is not a pulley"
            }
            WrapKind::Geom if before != Some(WrapKind::Site) || after != Some(WrapKind::Site) => {
                "a geom in a path stands between two sites"
            }
            WrapKind::Geom if tendon.armature > 0.0 => {
                "a tendon with armature cannot be wrapped around geoms"
            }
            WrapKind::Joint if spatial => "a spatial tendon cannot have joints in its path",
            WrapKind::Site | WrapKind::Geom | WrapKind::Pulley if !spatial => {
                "a fixed tendon has only joints in its path"
            }
            _ => continue,
        };
        return Err(wrap.src.error(message));
    }
    Ok(())
}

/// Whether the range of the length applies, and the range of actuator force.
fn limits(tendon: &Tendon, spec: &Spec) -> Result<(bool, bool), Error> {
    let fault = |attribute: &str, message: String| tendon.error(message).attribute(attribute);
    let autolimits = spec.compiler_of(tendon.compiler).autolimits;
    let range = tendon.range;
    let limited = limit_applies(tendon.src, "limited", "range", tendon.limited, range, autolimits)?;
    if limited && range[0] >= range[1] {
        let message =
            format!("the range must increase, but {} is not less than {}", range[0], range[1]);
        return Err(fault("range", message));
    }
    let (switch, attribute) = ("actuatorfrclimited", "actuatorfrcrange");
    let [low, high] = tendon.actuatorfrcrange;
    let actfrclimited = limit_applies(
        tendon.src,
        switch,
        attribute,
        tendon.actuatorfrclimited,
        [low, high],
        autolimits,
    )?;
    if actfrclimited && (low >= high || low > 0.0 || high < 0.0) {
        let message = format!("the range must increase and contain 0, but it is {low} to {high}");
        return Err(fault(attribute, message));
    }
    Ok((limited, actfrclimited))
}

/// Kind, object and parameter of a path element.
fn resolve(wrap: &Wrap, names: &Names, model: &Model) -> Result<(WrapType, i32, f64), Error> {
    let find = |kind, attribute| names.resolve(kind, &wrap.target, wrap.src, attribute);
    match wrap.kind {
        WrapKind::Joint => {
            Ok((WrapType::Joint, find(ObjType::Joint, "joint")? as i32, wrap.parameter))
        }
        WrapKind::Site => Ok((WrapType::Site, find(ObjType::Site, "site")? as i32, wrap.parameter)),
        WrapKind::Pulley if wrap.parameter < 0.0 => {
            let error = wrap.src.error("the divisor of a pulley cannot be negative");
            Err(error.attribute("divisor"))
        }
        WrapKind::Pulley => Ok((WrapType::Pulley, -1, wrap.parameter)),
        WrapKind::Geom => {
            let geom = find(ObjType::Geom, "geom")?;
            let kind = match GeomType::from_i32(model.geom_type[geom]) {
                Some(GeomType::Sphere) => WrapType::Sphere,
                Some(GeomType::Cylinder) => WrapType::Cylinder,
                _ => {
                    let message = format!(
                        "a tendon can be wrapped around spheres and cylinders, but geom '{}' is \
                         something else",
                        wrap.target
                    );
                    return Err(wrap.src.error(message).attribute("geom"));
                }
            };
            let side = match wrap.sidesite.as_str() {
                "" => -1.0,
                name => names.resolve(ObjType::Site, name, wrap.src, "sidesite")? as f64,
            };
            Ok((kind, geom as i32, side))
        }
    }
}

/// Checks that no site follows itself.
fn check_repeated(tendon: &Tendon, objects: &[i32]) -> Result<(), Error> {
    for i in 1..tendon.path.len() {
        let (last, wrap) = (&tendon.path[i - 1], &tendon.path[i]);
        let sites = last.kind == WrapKind::Site && wrap.kind == WrapKind::Site;
        if sites && objects[i - 1] == objects[i] {
            let message = format!("site '{}' follows itself", wrap.target);
            return Err(wrap.src.error(message).attribute("site"));
        }
    }
    Ok(())
}

/// Bodies that a tendon with inertia pulls do not have a mass matrix of their own.
fn couple(wraps: std::ops::Range<usize>, model: &mut Model) {
    for wrap in wraps {
        let object = model.wrap_objid[wrap] as usize;
        let body = match WrapType::from_i32(model.wrap_type[wrap]) {
            Some(WrapType::Site) => model.site_bodyid[object],
            Some(WrapType::Sphere | WrapType::Cylinder) => model.geom_bodyid[object],
            _ => continue,
        };
        model.body_simple[body as usize] = 0;
    }
}

#[cfg(test)]
mod tests {
    use crate::load_str;
    use crate::{Error, Loaded};

    /// Loads a model of two bodies, with what is given after them.
    fn load(rest: &str) -> Result<Loaded, Error> {
        load_str(&format!(
            "<mujoco>
               <worldbody>
                 <site name='base'/>
                 <body name='arm'>
                   <joint name='turn' axis='0 1 0'/>
                   <geom name='rod' type='capsule' size='.1 .2'/>
                   <geom name='drum' type='cylinder' size='.1 .2'/>
                   <site name='tip' pos='1 0 0'/>
                 </body>
                 <body name='cart' pos='3 0 0'>
                   <joint name='push' type='slide' axis='1 0 0'/>
                   <geom name='ball' size='.1'/>
                   <site name='hook'/>
                 </body>
               </worldbody>
               {rest}
             </mujoco>"
        ))
    }

    fn fault(rest: &str) -> Error {
        load(&format!("<tendon>{rest}</tendon>")).unwrap_err()
    }

    #[test]
    fn a_path_has_the_ids_of_its_elements() {
        let loaded = load(
            "<tendon>
               <fixed><joint joint='push' coef='2'/><joint joint='turn' coef='-1'/></fixed>
               <spatial>
                 <site site='base'/><geom geom='drum' sidesite='tip'/><site site='tip'/>
                 <pulley divisor='2'/><site site='tip'/><geom geom='ball'/><site site='hook'/>
               </spatial>
             </tendon>",
        );
        let model = loaded.unwrap().model;
        assert_eq!(model.tendon_adr, [0, 2]);
        assert_eq!(model.tendon_num, [2, 7]);
        assert_eq!(model.wrap_type, [1, 1, 3, 5, 3, 2, 3, 4, 3]);
        assert_eq!(model.wrap_objid, [1, 0, 0, 1, 1, -1, 1, 2, 2]);
        assert_eq!(model.wrap_prm, [2.0, -1.0, 0.0, 1.0, 0.0, 2.0, 0.0, -1.0, 0.0]);
    }

    #[test]
    fn one_spring_length_stands_for_both() {
        let loaded = load(
            "<default><tendon springlength='.1 .4'/></default>
             <tendon>
               <fixed><joint joint='push' coef='1'/></fixed>
               <fixed springlength='.3'><joint joint='push' coef='1'/></fixed>
               <fixed springlength='-1'><joint joint='push' coef='1'/></fixed>
             </tendon>",
        );
        let model = loaded.unwrap().model;
        assert_eq!(model.tendon_lengthspring, [[0.1, 0.4], [0.3, 0.3], [0.0, 0.0]]);
    }

    #[test]
    fn a_range_of_actuator_force_has_to_be_switched_on() {
        let loaded = load(
            "<tendon>
               <fixed range='0 1' actuatorfrcrange='-1 1'><joint joint='push' coef='1'/></fixed>
               <fixed actuatorfrcrange='-1 1' actuatorfrclimited='auto'>
                 <joint joint='push' coef='1'/>
               </fixed>
             </tendon>",
        );
        let model = loaded.unwrap().model;
        assert_eq!(model.tendon_limited, [1, 0]);
        assert_eq!(model.tendon_actfrclimited, [0, 1]);
    }

    #[test]
    fn armature_makes_the_bodies_it_joins_not_simple() {
        let path = "<site site='base'/><site site='hook'/>";
        let without = load(&format!("<tendon><spatial>{path}</spatial></tendon>")).unwrap();
        let with = load(&format!("<tendon><spatial armature='1'>{path}</spatial></tendon>"));
        let with = with.unwrap();
        assert_eq!(without.model.body_simple[2], 2);
        assert_eq!(with.model.body_simple[2], 0);
        assert_eq!(with.model.body_simple[0], 0);
    }

    #[test]
    fn an_unknown_name_is_reported_with_those_that_exist() {
        let error = fault("<spatial><site site='base'/><site site='tipp'/></spatial>");
        assert_eq!(error.message(), "there is no site 'tipp'");
        assert_eq!(error.advice(), Some("there is a site 'tip'"));
        assert_eq!(error.attribute_name(), Some("site"));
        let error = fault("<fixed><joint joint='elbow' coef='1'/></fixed>");
        assert_eq!(error.message(), "there is no joint 'elbow'");
        assert_eq!(error.advice(), Some("there is joint 'turn', 'push'"));
    }

    #[test]
    fn paths_that_make_no_tendon_are_errors() {
        for (path, message) in [
            ("", "the path of the tendon is empty"),
            ("<site site='tip'/>", "the path of a spatial tendon has at least two elements"),
            ("<site site='tip'/><site site='tip'/>", "site 'tip' follows itself"),
            ("<site site='tip'/><pulley divisor='1'/>", "needs a neighbour"),
            ("<geom geom='drum'/><site site='tip'/>", "between two sites"),
            (
                "<site site='tip'/><geom geom='rod'/><site site='hook'/>",
                "around spheres and cylinders, but geom 'rod' is something else",
            ),
        ] {
            let error = fault(&format!("<spatial>{path}</spatial>"));
            assert!(error.message().contains(message), "{}", error.message());
        }
        let error = fault(
            "<spatial armature='1'>
               <site site='tip'/><geom geom='drum'/><site site='hook'/>
             </spatial>",
        );
        assert_eq!(error.message(), "a tendon with armature cannot be wrapped around geoms");
    }
}
