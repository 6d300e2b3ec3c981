//! Numbers that compile but make no sense: each gives a warning.

use crate::error::{Pos, Warning};
use crate::spec::{Geom, Joint, Spec};

/// Looks over the model for numbers that the reference takes without a word.
pub(super) fn check(spec: &Spec) -> Vec<Warning> {
    let mut warnings = Vec::new();
    options(spec, &mut warnings);
    joints(spec, &mut warnings);
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
