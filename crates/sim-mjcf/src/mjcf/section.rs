//! The sections other than defaults and bodies.

use super::{Reader, repeated, unknown_element};
use crate::error::Error;
use crate::spec::{Attributes, Flags, Info, Key, Numeric, Text, Tuple, TupleElement};
use crate::xml::Elem;

const VISUAL: [&str; 6] = ["global", "quality", "headlight", "map", "scale", "rgba"];

/// Reads a `size` section.
pub(super) fn size<'d, 'a>(
    reader: &mut Reader<'d, 'a>,
    section: Elem<'d, 'a>,
) -> Result<(), Error> {
    let mut size = reader.spec.size.clone();
    reader.leaf(section, &mut size)?;
    reader.spec.size = size;
    reader.spec.size_src = section.pos();
    Ok(())
}

/// Reads a `statistic` section.
pub(super) fn statistic<'d, 'a>(
    reader: &mut Reader<'d, 'a>,
    section: Elem<'d, 'a>,
) -> Result<(), Error> {
    let mut statistic = reader.spec.statistic.clone();
    reader.leaf(section, &mut statistic)?;
    reader.spec.statistic = statistic;
    Ok(())
}

impl<'d, 'a> Reader<'d, 'a> {
    pub(super) fn compiler(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        let mut compiler = self.spec.compiler.clone();
        self.attributes(section, &mut compiler)?;
        if let Some(child) = self.only_child(section, "lengthrange")? {
            self.leaf(child, &mut compiler.lengthrange)?;
        }
        self.spec.compiler = compiler;
        Ok(())
    }

    pub(super) fn option(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        let mut option = self.spec.option;
        self.attributes(section, &mut option)?;
        if let Some(child) = self.only_child(section, "flag")? {
            self.leaf(child, &mut Flags(&mut option))?;
        }
        self.spec.option = option;
        self.spec.option_src = section.pos();
        Ok(())
    }

    /// The only element inside that there can be, at most once.
    fn only_child(&self, section: Elem<'d, 'a>, name: &str) -> Result<Option<Elem<'d, 'a>>, Error> {
        let mut found = None;
        for child in self.documents.children(section) {
            let child = child?;
            if child.name() != name {
                return Err(unknown_element(child, section.name(), &[name]));
            }
            if found.replace(child).is_some() {
                return Err(repeated(child, section.name()));
            }
        }
        Ok(found)
    }

    pub(super) fn visual(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        let mut visual = self.spec.visual;
        let mut seen = [false; VISUAL.len()];
        for child in self.documents.children(section) {
            let child = child?;
            let Some(i) = VISUAL.iter().position(|&name| name == child.name()) else {
                return Err(unknown_element(child, "visual", &VISUAL));
            };
            if std::mem::replace(&mut seen[i], true) {
                return Err(repeated(child, "visual"));
            }
            match child.name() {
                "global" => self.leaf(child, &mut visual.global)?,
                "quality" => self.leaf(child, &mut visual.quality)?,
                "headlight" => self.leaf(child, &mut visual.headlight)?,
                "map" => self.leaf(child, &mut visual.map)?,
                "scale" => self.leaf(child, &mut visual.scale)?,
                _ => self.leaf(child, &mut visual.rgba)?,
            }
        }
        self.spec.visual = visual;
        Ok(())
    }

    pub(super) fn keyframe(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            if child.name() != "key" {
                return Err(unknown_element(child, "keyframe", &["key"]));
            }
            let key =
                self.new_leaf(child, Key { info: Info::at(child.pos()), ..Key::default() })?;
            self.spec.keys.push(key);
        }
        Ok(())
    }

    pub(super) fn custom(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            let src = child.pos();
            match child.name() {
                "numeric" => {
                    let numeric = self
                        .new_leaf(child, Numeric { info: Info::at(src), ..Numeric::default() })?;
                    self.spec.numerics.push(numeric);
                }
                "text" => {
                    let text =
                        self.new_leaf(child, Text { info: Info::at(src), ..Text::default() })?;
                    self.spec.texts.push(text);
                }
                "tuple" => {
                    let mut tuple = Tuple { info: Info::at(src), ..Tuple::default() };
                    self.attributes(child, &mut tuple)?;
                    for object in self.documents.children(child) {
                        let object = object?;
                        if object.name() != "element" {
                            return Err(unknown_element(object, "tuple", &["element"]));
                        }
                        let element = TupleElement { src: object.pos(), ..TupleElement::default() };
                        tuple.elements.push(self.new_leaf(object, element)?);
                    }
                    self.spec.tuples.push(tuple);
                }
                _ => return Err(unknown_element(child, "custom", &["numeric", "text", "tuple"])),
            }
        }
        Ok(())
    }

    /// Reads an element that has no elements inside over `target`.
    pub(super) fn new_leaf<T: Attributes>(
        &mut self,
        elem: Elem<'d, 'a>,
        mut target: T,
    ) -> Result<T, Error> {
        self.leaf(elem, &mut target)?;
        Ok(target)
    }
}
