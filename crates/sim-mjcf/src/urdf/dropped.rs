//! What is in a URDF model and not read.

use std::collections::HashMap;

use crate::error::{Pos, Warning};
use crate::spec::Compiler;
use crate::xml::Elem;

use super::UrdfOptions;
use super::values::{children, tag};

/// What is read of each element: elements inside it, and attributes.
const READ: [(&str, &[&str], &[&str]); 24] = [
    ("robot", &["link", "joint", "material", "mujoco"], &["name", "version"]),
    ("mujoco", &["compiler", "option", "size"], &[]),
    ("link", &["inertial", "visual", "collision"], &["name"]),
    ("inertial", &["origin", "mass", "inertia"], &[]),
    ("origin", &[], &["xyz", "rpy"]),
    ("mass", &[], &["value"]),
    ("inertia", &[], &["ixx", "iyy", "izz", "ixy", "ixz", "iyz"]),
    ("visual", &["origin", "geometry", "material"], &["name"]),
    ("collision", &["origin", "geometry"], &["name"]),
    ("geometry", &["box", "cylinder", "sphere", "capsule", "mesh"], &[]),
    ("box", &[], &["size"]),
    ("cylinder", &[], &["radius", "length"]),
    ("sphere", &[], &["radius"]),
    ("capsule", &[], &["radius", "length"]),
    ("mesh", &[], &["filename", "scale"]),
    ("material", &["color"], &["name"]),
    ("color", &[], &["rgba"]),
    ("joint", &["origin", "parent", "child", "axis", "dynamics", "limit"], &["name", "type"]),
    ("parent", &[], &["link"]),
    ("child", &[], &["link"]),
    ("axis", &[], &["xyz"]),
    ("dynamics", &[], &["damping", "friction"]),
    ("limit", &[], &["lower", "upper", "effort"]),
    ("mimic", &[], &["joint", "multiplier", "offset"]),
];

/// Advice about what is often missed.
const ADVICE: [(&str, &str); 5] = [
    ("visual", "<mujoco><compiler discardvisual=\"false\"/></mujoco> in the robot keeps them"),
    ("mimic", "reading can turn them into equality constraints: see the options of URDF"),
    ("velocity", "joints have no limits of velocity"),
    ("texture", "only the colours of materials are read"),
    ("transmission", "actuators can be added to the model"),
];

/// Adds a warning for each kind of element and attribute that is not read, with the number of them
/// and the place of the first.
pub(super) fn report(
    root: Elem<'_, '_>,
    compiler: &Compiler,
    options: &UrdfOptions,
    warnings: &mut Vec<Warning>,
) {
    let mut found: HashMap<(String, String), (Pos, usize)> = HashMap::new();
    let mut count = |parent: &str, what: String, pos: Pos| {
        found.entry((parent.to_owned(), what)).or_insert((pos, 0)).1 += 1;
    };
    let mut open = vec![root];
    while let Some(elem) = open.pop() {
        // the root is called robot in any case
        let name = if elem.pos() == root.pos() { "robot" } else { tag(elem) };
        let Some((_, elements, attributes)) = READ.iter().find(|(known, ..)| *known == name) else {
            continue;
        };
        for attribute in elem.node.attributes() {
            if attribute.namespace().is_some() || !attributes.contains(&attribute.name()) {
                count(name, format!("attribute '{}'", attribute.name()), elem.pos());
            }
        }
        for inner in children(elem) {
            let inside = tag(inner);
            let read = elements.contains(&inside)
                && !(inside == "visual" && compiler.discardvisual)
                || inside == "mimic" && name == "joint" && options.mimic;
            if read {
                open.push(inner);
            } else {
                count(name, format!("element '{}'", inner.name()), inner.pos());
            }
        }
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, (pos, _))| (pos.file, pos.offset));
    for ((parent, what), (pos, number)) in found {
        let times = if number == 1 { String::new() } else { format!(" ({number} times)") };
        let message = format!("{what} of '{parent}' is not read{times}");
        let advice = ADVICE.iter().find(|(word, _)| what.contains(&format!("'{word}'")));
        let warning = pos.warning(message);
        warnings.push(match advice {
            Some((_, help)) => warning.help(*help),
            None => warning,
        });
    }
}
