//! Contact pairs, equality constraints and sensors: what relates objects of the tree.

use sim_core::model::{EqType, SensorType};

use super::{Reader, unknown_element, unsupported};
use crate::error::Error;
use crate::spec::{Class, Equality, Exclude, Info, Pair, SENSOR_TYPES, Sensor};
use crate::xml::Elem;

/// The elements of the section `equality`.
const EQUALITIES: [&str; 6] = ["connect", "weld", "joint", "tendon", "flex", "flexvert"];

impl<'d, 'a> Reader<'d, 'a> {
    pub(super) fn contact(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            let src = child.pos();
            match child.name() {
                "pair" => {
                    let class = self.class_of(child, Class::MAIN)?;
                    let mut pair: Pair = self.spec.default_of(class);
                    pair.src = src;
                    self.leaf(child, &mut pair)?;
                    self.spec.pairs.push(pair);
                }
                "exclude" => {
                    let exclude = self
                        .new_leaf(child, Exclude { info: Info::at(src), ..Exclude::default() })?;
                    self.spec.excludes.push(exclude);
                }
                _ => return Err(unknown_element(child, "contact", &["pair", "exclude"])),
            }
        }
        Ok(())
    }

    pub(super) fn equality(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            let kind = match child.name() {
                "connect" => EqType::Connect,
                "weld" => EqType::Weld,
                "joint" => EqType::Joint,
                "tendon" => EqType::Tendon,
                "flex" => EqType::Flex,
                "flexvert" => EqType::FlexVert,
                "distance" => {
                    let message = "equality constraints of distance are gone since MuJoCo 2.2.2";
                    return Err(child
                        .error(message)
                        .help("a tendon with a limit can take its place"));
                }
                _ => return Err(unknown_element(child, "equality", &EQUALITIES)),
            };
            let class = self.class_of(child, Class::MAIN)?;
            let mut equality: Equality = self.spec.default_of(class);
            equality.src = child.pos();
            equality.kind = kind;
            self.leaf(child, &mut equality)?;
            self.spec.equalities.push(equality);
        }
        Ok(())
    }

    pub(super) fn sensor(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            let Some(&(_, kind)) = SENSOR_TYPES.iter().find(|(name, _)| *name == child.name())
            else {
                let known: Vec<&str> = SENSOR_TYPES.iter().map(|&(name, _)| name).collect();
                return Err(unknown_element(child, "sensor", &known));
            };
            if let SensorType::Tactile | SensorType::Plugin = kind {
                return Err(unsupported(child));
            }
            let sensor =
                self.new_leaf(child, Sensor { info: Info::at(child.pos()), ..Sensor::new(kind) })?;
            self.spec.sensors.push(sensor);
        }
        Ok(())
    }
}
