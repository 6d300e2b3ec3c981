//! Numbers that compile but make no sense: each gives a warning.

use sim_core::model::{CamLightMode, JointType};

use crate::error::{Pos, Warning};
use crate::spec::{Camera, Geom, Joint, Spec, WrapKind};

/// Looks over the model for numbers that the reference takes without a word.
pub(super) fn check(spec: &Spec) -> Vec<Warning> {
    let mut warnings = Vec::new();
    options(spec, &mut warnings);
    joints(spec, &mut warnings);
    contacts(spec, &mut warnings);
    cameras(spec, &mut warnings);
    tendons(spec, &mut warnings);
    actuators(spec, &mut warnings);
    references(spec, &mut warnings);
    warnings
}

/// Options that are not finite.
fn options(spec: &Spec, warnings: &mut Vec<Warning>) {
    let option = &spec.option;
    let numbers: [(&'static str, &[f64]); 8] = [
        ("timestep", &[option.timestep]),
        ("gravity", &option.gravity.to_array()),
        ("wind", &option.wind.to_array()),
        ("magnetic", &option.magnetic.to_array()),
        ("density", &[option.density]),
        ("viscosity", &[option.viscosity]),
        ("impratio", &[option.impratio]),
        ("o_margin", &[option.o_margin]),
    ];
    for (name, values) in numbers {
        if values.iter().any(|value| !value.is_finite()) {
            let message = format!("{name} is not finite");
            warnings.push(spec.option_src.warning(message).attribute(name));
        }
    }
    for (name, value) in [("density", option.density), ("viscosity", option.viscosity)] {
        if value < 0.0 {
            let message = format!("{name} of the medium is negative");
            warnings.push(spec.option_src.warning(message).attribute(name));
        }
    }
    if option.impratio <= 0.0 {
        let message = format!("impratio is {}: friction needs a positive one", option.impratio);
        warnings.push(spec.option_src.warning(message).attribute("impratio"));
    }
}

/// Friction that would push.
fn contacts(spec: &Spec, warnings: &mut Vec<Warning>) {
    let mut check = |src: Pos, friction: &[f64]| {
        if friction.iter().any(|&value| value < 0.0) {
            warnings.push(src.warning("friction is negative").attribute("friction"));
        }
    };
    spec.in_tree::<Geom>(&spec.tree()).for_each(|geom| check(geom.src, &geom.friction));
    spec.pairs.iter().for_each(|pair| check(pair.src, &pair.friction));
}

/// Cameras that look at nothing, or have no pixels.
fn cameras(spec: &Spec, warnings: &mut Vec<Warning>) {
    for camera in spec.in_tree::<Camera>(&spec.tree()) {
        let follows = matches!(camera.mode, CamLightMode::TargetBody | CamLightMode::TargetBodyCom);
        if follows && camera.target.is_empty() {
            let message = "the camera follows a target, and has none";
            warnings.push(camera.src.warning(message).attribute("mode"));
        }
        if camera.resolution.iter().any(|&pixels| pixels < 0) {
            let message = "resolution is negative";
            warnings.push(camera.src.warning(message).attribute("resolution"));
        }
    }
}

/// Fixed tendons of joints that have no single position.
fn tendons(spec: &Spec, warnings: &mut Vec<Warning>) {
    for wrap in spec.tendons.iter().flat_map(|tendon| &tendon.path) {
        let joint = (wrap.kind == WrapKind::Joint).then(|| spec.find::<Joint>(&wrap.target));
        if let Some(joint) = joint.flatten().map(|id| &spec[id])
            && matches!(joint.kind, JointType::Ball | JointType::Free)
        {
            let kind = if joint.kind == JointType::Ball { "ball" } else { "free" };
            let message = format!("a {kind} joint has no length that a tendon could take");
            warnings.push(wrap.src.warning(message).attribute("joint"));
        }
    }
}

/// Actuators with reversed ranges.
fn actuators(spec: &Spec, warnings: &mut Vec<Warning>) {
    for actuator in &spec.actuators {
        for (name, [low, high]) in [
            ("ctrlrange", actuator.ctrlrange),
            ("forcerange", actuator.forcerange),
            ("actrange", actuator.actrange),
        ] {
            if low > high {
                let message = format!("{name} runs backwards, from {low} to {high}");
                warnings.push(actuator.src.warning(message).attribute(name));
            }
        }
    }
}

/// Joints with negative coefficients or reversed ranges.
fn joints(spec: &Spec, warnings: &mut Vec<Warning>) {
    for joint in spec.in_tree::<Joint>(&spec.tree()) {
        let coefficients = [
            ("armature", joint.armature),
            ("damping", joint.damping),
            ("stiffness", joint.stiffness),
            ("frictionloss", joint.frictionloss),
        ];
        for (name, value) in coefficients {
            if value < 0.0 {
                let message = format!("{name} is negative");
                warnings.push(joint.src.warning(message).attribute(name));
            }
        }
        for (name, [low, high]) in
            [("range", joint.range), ("actuatorfrcrange", joint.actuatorfrcrange)]
        {
            if low > high {
                let message = format!("{name} runs backwards, from {low} to {high}");
                warnings.push(joint.src.warning(message).attribute(name));
            }
        }
    }
}

/// Reference dynamics that are neither a time constant with a damping ratio, both positive, nor
/// stiffness and damping, none of them positive: constraints are made with the default instead.
fn references(spec: &Spec, warnings: &mut Vec<Warning>) {
    let mut check = |src: Pos, name: &str, [first, second]: [f64; 2]| {
        if (first > 0.0) != (second > 0.0) {
            let message = format!("the numbers of {name} have different signs");
            let help = "the default is used where this would be; write both positive, as time \
                        constant and damping ratio, or none, as stiffness and damping";
            warnings.push(src.warning(message).attribute(name).help(help));
        }
    };
    check(spec.option_src, "o_solref", spec.option.o_solref);
    for body in spec.tree() {
        for joint in spec.in_body::<Joint>(&spec[body]) {
            check(joint.src, "solreflimit", joint.solreflimit);
            check(joint.src, "solreffriction", joint.solreffriction);
        }
        let geoms = spec.in_body::<Geom>(&spec[body]);
        geoms.for_each(|geom| check(geom.src, "solref", geom.solref));
    }
    for pair in &spec.pairs {
        check(pair.src, "solref", pair.solref);
        check(pair.src, "solreffriction", pair.solreffriction);
    }
    spec.equalities.iter().for_each(|equality| check(equality.src, "solref", equality.solref));
    for tendon in &spec.tendons {
        check(tendon.src, "solreflimit", tendon.solreflimit);
        check(tendon.src, "solreffriction", tendon.solreffriction);
    }
}
