//! The section `deformable`: flexes that are written out, and skins.

use super::asset::stem;
use super::{Reader, repeated, unknown_element};
use crate::error::Error;
use crate::spec::{Bone, Flex, FlexContact, FlexEdge, FlexElasticity, Info, Skin};
use crate::xml::Elem;

/// The elements of a flex.
const KNOWN: [&str; 3] = ["contact", "edge", "elasticity"];

impl<'d, 'a> Reader<'d, 'a> {
    pub(super) fn deformable(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for child in self.documents.children(section) {
            let child = child?;
            match child.name() {
                "flex" => self.flex(child)?,
                "skin" => self.skin(child)?,
                _ => return Err(unknown_element(child, "deformable", &["flex", "skin"])),
            }
        }
        Ok(())
    }

    pub(super) fn skin(&mut self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        let mut skin = Skin { info: Info::at(elem.pos()), ..Skin::default() };
        self.attributes(elem, &mut skin)?;
        for child in self.documents.children(elem) {
            let child = child?;
            if child.name() != "bone" {
                return Err(unknown_element(child, "skin", &["bone"]));
            }
            let bone = self.new_leaf(child, Bone::default())?;
            skin.add_bone(bone);
        }
        skin.dir = self.files.dir.display().to_string();
        if !skin.file.is_empty() {
            skin.file = self.asset_file(elem, &self.spec.compiler.meshdir, &skin.file);
        }
        if skin.name.is_empty() {
            skin.name = stem(&skin.file).to_owned();
        }
        self.spec.skins.push(skin);
        Ok(())
    }

    fn flex(&mut self, elem: Elem<'d, 'a>) -> Result<(), Error> {
        let mut flex = Flex { info: Info::at(elem.pos()), ..Flex::default() };
        self.attributes(elem, &mut flex)?;
        let mut seen = [false; KNOWN.len()];
        for child in self.documents.children(elem) {
            let child = child?;
            let Some(i) = KNOWN.iter().position(|&name| name == child.name()) else {
                return Err(unknown_element(child, "flex", &KNOWN));
            };
            if std::mem::replace(&mut seen[i], true) {
                return Err(repeated(child, "flex"));
            }
            let flex = &mut flex;
            match child.name() {
                "contact" => self.leaf(child, &mut FlexContact { flex, composed: false })?,
                "edge" => self.leaf(child, &mut FlexEdge(flex))?,
                _ => self.leaf(child, &mut FlexElasticity(flex))?,
            }
        }
        self.spec.flexes.push(flex);
        Ok(())
    }
}
