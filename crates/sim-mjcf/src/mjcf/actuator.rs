//! Actuators.

use super::{Reader, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{Actuator, ActuatorKind, Class, Shortcut};
use crate::xml::Elem;

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
            let mut actuator: Actuator = self.spec.default_of(self.class_of(elem, Class::MAIN)?);
            actuator.src = elem.pos();
            self.leaf(elem, &mut Shortcut { kind, actuator: &mut actuator })?;
            self.spec.actuators.push(actuator);
        }
        Ok(())
    }
}
