//! The schema of MJCF: which elements there are, where, and which attributes they have.

use sim_core::model::{EqType, Options, SensorType, Visual};

use super::asset::ModelAsset;
use super::attrs::names;
use super::{Header, NoAttributes};
use crate::spec::{
    Actuator, ActuatorKind, Attributes, Body, Camera, Class, Compiler, Equality, Exclude, Flags,
    Geom, Hfield, Inertial, Joint, Key, Layer, LengthRange, Light, Material, Mesh, Numeric, Pair,
    SENSOR_TYPES, Sensor, Shortcut, Site, Size, Statistic, Tendon, TendonKind, Text, Texture,
    Tuple, TupleElement, Wrap, WrapKind,
};

/// An element of the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaElement {
    /// Number of elements around it.
    pub depth: usize,
    /// Name.
    pub name: &'static str,
    /// How often it can be there: `!` once, `?` at most once, `*` any number of times, `R` any number
    /// of times and inside itself.
    pub times: char,
    /// Attributes, in the order of the alphabet.
    pub attributes: Vec<&'static str>,
}

/// The elements of MJCF that are read, each after the one around it.
#[doc(alias = "mj_printSchema")]
pub fn schema() -> Vec<SchemaElement> {
    let mut rows = Rows(Vec::new());
    rows.add(0, "mujoco", '!', &mut Header { name: String::new() }, false);
    rows.settings();
    rows.defaults();
    rows.custom_and_assets();
    rows.bodies();
    rows.relations();
    rows.actuators_and_sensors();
    rows.0
}

const ACTUATORS: [(&str, ActuatorKind); 9] = [
    ("general", ActuatorKind::General),
    ("motor", ActuatorKind::Motor),
    ("position", ActuatorKind::Position),
    ("velocity", ActuatorKind::Velocity),
    ("intvelocity", ActuatorKind::IntVelocity),
    ("damper", ActuatorKind::Damper),
    ("cylinder", ActuatorKind::Cylinder),
    ("muscle", ActuatorKind::Muscle),
    ("adhesion", ActuatorKind::Adhesion),
];

struct Rows(Vec<SchemaElement>);

impl Rows {
    fn add(
        &mut self,
        depth: usize,
        name: &'static str,
        times: char,
        target: &mut impl Attributes,
        defaults: bool,
    ) {
        let mut attributes = names(target, defaults);
        attributes.sort_unstable();
        self.0.push(SchemaElement { depth, name, times, attributes });
    }

    fn section(&mut self, name: &'static str, times: char) {
        self.add(1, name, times, &mut NoAttributes, false);
    }

    fn settings(&mut self) {
        self.add(1, "compiler", '*', &mut Compiler::default(), false);
        self.add(2, "lengthrange", '?', &mut LengthRange::default(), false);
        self.add(1, "option", '*', &mut Options::default(), false);
        self.add(2, "flag", '?', &mut Flags(&mut Options::default()), false);
        self.add(1, "size", '*', &mut Size::default(), false);
        let mut visual = Visual::default();
        self.section("visual", '*');
        self.add(2, "global", '?', &mut visual.global, false);
        self.add(2, "quality", '?', &mut visual.quality, false);
        self.add(2, "headlight", '?', &mut visual.headlight, false);
        self.add(2, "map", '?', &mut visual.map, false);
        self.add(2, "scale", '?', &mut visual.scale, false);
        self.add(2, "rgba", '?', &mut visual.rgba, false);
        self.add(1, "statistic", '*', &mut Statistic::default(), false);
    }

    fn defaults(&mut self) {
        let mut class = Class::default();
        self.section("default", 'R');
        if let Some(row) = self.0.last_mut() {
            row.attributes = vec!["class"];
        }
        self.add(2, "mesh", '?', &mut class.mesh, true);
        self.add(2, "material", '?', &mut class.material, true);
        self.add(3, "layer", '*', &mut Layer::default(), false);
        self.add(2, "joint", '?', &mut class.joint, true);
        self.add(2, "geom", '?', &mut class.geom, true);
        self.add(2, "site", '?', &mut class.site, true);
        self.add(2, "camera", '?', &mut class.camera, true);
        self.add(2, "light", '?', &mut class.light, true);
        self.add(2, "pair", '?', &mut class.pair, true);
        self.add(2, "equality", '?', &mut class.equality, true);
        self.add(2, "tendon", '?', &mut class.tendon, true);
        self.actuators('?', true);
    }

    fn actuators(&mut self, times: char, defaults: bool) {
        for (name, kind) in ACTUATORS {
            let mut actuator = Actuator::default();
            self.add(2, name, times, &mut Shortcut { kind, actuator: &mut actuator }, defaults);
        }
    }

    fn custom_and_assets(&mut self) {
        self.section("custom", '*');
        self.add(2, "numeric", '*', &mut Numeric::default(), false);
        self.add(2, "text", '*', &mut Text::default(), false);
        self.add(2, "tuple", '*', &mut Tuple::default(), false);
        self.add(3, "element", '*', &mut TupleElement::default(), false);
        self.section("asset", '*');
        self.add(2, "mesh", '*', &mut Mesh::default(), false);
        self.add(2, "hfield", '*', &mut Hfield::default(), false);
        self.add(2, "texture", '*', &mut Texture::default(), false);
        self.add(2, "material", '*', &mut Material::default(), false);
        self.add(3, "layer", '*', &mut Layer::default(), false);
        self.add(2, "model", '*', &mut ModelAsset::default(), false);
    }

    fn bodies(&mut self) {
        self.add(1, "(world)body", 'R', &mut Body::default(), false);
        self.add(2, "inertial", '?', &mut Inertial::default(), false);
        self.add(2, "joint", '*', &mut Joint::default(), false);
        self.add(2, "freejoint", '*', &mut Joint::free(), false);
        self.add(2, "geom", '*', &mut Geom::default(), false);
        self.add(2, "attach", '*', &mut super::attach::Attach::default(), false);
        self.add(2, "site", '*', &mut Site::default(), false);
        self.add(2, "camera", '*', &mut Camera::default(), false);
        self.add(2, "light", '*', &mut Light::default(), false);
    }

    fn relations(&mut self) {
        self.section("contact", '*');
        self.add(2, "pair", '*', &mut Pair::default(), false);
        self.add(2, "exclude", '*', &mut Exclude::default(), false);
        self.section("equality", '*');
        for (name, kind) in [
            ("connect", EqType::Connect),
            ("weld", EqType::Weld),
            ("joint", EqType::Joint),
            ("tendon", EqType::Tendon),
        ] {
            self.add(2, name, '*', &mut Equality { kind, ..Equality::default() }, false);
        }
        self.section("tendon", '*');
        for (name, kind, path) in [
            (
                "spatial",
                TendonKind::Spatial,
                &[("site", WrapKind::Site), ("geom", WrapKind::Geom), ("pulley", WrapKind::Pulley)]
                    [..],
            ),
            ("fixed", TendonKind::Fixed, &[("joint", WrapKind::Joint)]),
        ] {
            self.add(2, name, '*', &mut Tendon { kind, ..Tendon::default() }, false);
            for &(name, kind) in path {
                self.add(3, name, '*', &mut Wrap::new(kind, Default::default()), false);
            }
        }
    }

    fn actuators_and_sensors(&mut self) {
        self.section("actuator", '*');
        self.actuators('*', false);
        self.section("sensor", '*');
        for &(name, kind) in SENSOR_TYPES {
            if !matches!(kind, SensorType::Tactile | SensorType::Plugin) {
                self.add(2, name, '*', &mut Sensor::new(kind), false);
            }
        }
        self.section("keyframe", '*');
        self.add(2, "key", '*', &mut Key::default(), false);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_inside_the_one_before_or_beside_it() {
        let rows = schema();
        assert_eq!((rows[0].name, rows[0].depth), ("mujoco", 0));
        assert!(rows.windows(2).all(|pair| pair[1].depth <= pair[0].depth + 1));
        let geom = rows.iter().filter(|row| row.name == "geom");
        let named: Vec<bool> = geom.map(|row| row.attributes.contains(&"name")).collect();
        // in defaults, in bodies and in the path of a tendon
        assert_eq!(named, [false, true, false]);
    }
}
