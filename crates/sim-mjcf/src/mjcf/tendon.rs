//! Tendons.

use super::{Reader, unknown_element};
use crate::error::Error;
use crate::spec::{Class, Tendon, TendonKind, Wrap, WrapKind};
use crate::xml::Elem;

impl<'d, 'a> Reader<'d, 'a> {
    pub(super) fn tendons(&mut self, section: Elem<'d, 'a>) -> Result<(), Error> {
        self.attributes_none(section)?;
        for elem in self.documents.children(section) {
            let elem = elem?;
            let kind = match elem.name() {
                "spatial" => TendonKind::Spatial,
                "fixed" => TendonKind::Fixed,
                _ => return Err(unknown_element(elem, "tendon", &["spatial", "fixed"])),
            };
            let mut tendon: Tendon = self.spec.default_of(self.class_of(elem, Class::MAIN)?);
            tendon.src = elem.pos();
            tendon.kind = kind;
            self.attributes(elem, &mut tendon)?;
            for child in self.documents.children(elem) {
                let child = child?;
                let kind = match (kind, child.name()) {
                    (TendonKind::Spatial, "site") => WrapKind::Site,
                    (TendonKind::Spatial, "geom") => WrapKind::Geom,
                    (TendonKind::Spatial, "pulley") => WrapKind::Pulley,
                    (TendonKind::Fixed, "joint") => WrapKind::Joint,
                    (TendonKind::Spatial, _) => {
                        let known = ["site", "geom", "pulley"];
                        return Err(unknown_element(child, "spatial", &known));
                    }
                    (TendonKind::Fixed, _) => {
                        return Err(unknown_element(child, "fixed", &["joint"]));
                    }
                };
                let wrap = self.new_leaf(child, Wrap::new(kind, child.pos()))?;
                tendon.path.push(wrap);
            }
            self.spec.tendons.push(tendon);
        }
        Ok(())
    }
}
