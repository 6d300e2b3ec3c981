//! Actuators.

use super::document::Elem;
use super::{Reader, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{ActuatorKind, Shortcut};

/// The elements of an `actuator` section.
const KNOWN: [&str; 10] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "plugin",
];

impl<'d, 'a> Reader<'d, 'a> {
    pub(super) fn actuators(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for elem in self.documents.children(section) {
            let elem = elem?;
            let Some(kind) = ActuatorKind::from_name(elem.name()) else {
                return Err(match elem.name() {
                    "plugin" => unsupported(elem),
                    _ => unknown_element(elem, "actuator", &KNOWN),
                });
            };
            let mut actuator = self.spec.classes[self.class_of(elem, 0)?].actuator.clone();
            actuator.src = elem.pos();
            self.leaf(elem, &mut Shortcut { kind, actuator: &mut actuator })?;
            self.spec.actuators.push(actuator);
        }
        Ok(())
    }
}
