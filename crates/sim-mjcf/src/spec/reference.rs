//! Elements outside the tree, and the names by which they refer to others.

use sim_core::model::{EqType, ObjType, TrnType};

use super::rename::{Affix, Copied, Names};
use super::{Actuator, Equality, Exclude, Flex, Pair, Sensor, Skin, Tendon, Tuple, WrapKind};

/// An element that refers to others by name.
pub(super) trait Refers: Copied + Clone {
    /// Changes the names that it refers to into those of copies. Where an element has two or more
    /// references, those without a copy may stay as they are. Returns whether all of them exist
    /// and one of them is a copy.
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool;

    /// Whether copies are called what the original is: in the reference nothing refers to them by
    /// a new name.
    const KEEPS_NAME: bool = false;

    /// Whether it refers to nothing.
    fn is_free(&self) -> bool {
        false
    }

    /// Whether everything that it refers to exists.
    fn resolves(&self, known: &impl Names) -> bool {
        self.clone().rename(Affix { prefix: "", suffix: "" }, known)
    }
}

/// Renames two references of a kind each, at least one of them to a copy.
fn rename_two(
    affix: Affix<'_>,
    known: &impl Names,
    (first_kind, first): (ObjType, &mut String),
    (second_kind, second): (ObjType, &mut String),
) -> bool {
    let (new_first, new_second) = (affix.of(first), affix.of(second));
    match (known.has(first_kind, &new_first), known.has(second_kind, &new_second)) {
        (true, true) => (*first, *second) = (new_first, new_second),
        (true, false) if known.has(second_kind, second) => *first = new_first,
        (false, true) if known.has(first_kind, first) => *second = new_second,
        _ => return false,
    }
    true
}

impl Refers for Pair {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        let kind = ObjType::Geom;
        rename_two(affix, known, (kind, &mut self.geom1), (kind, &mut self.geom2))
    }
}

impl Refers for Exclude {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        let kind = ObjType::Body;
        rename_two(affix, known, (kind, &mut self.body1), (kind, &mut self.body2))
    }
}

impl Refers for Equality {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        let kind = match self.kind {
            EqType::Connect | EqType::Weld => self.objtype,
            EqType::Joint => ObjType::Joint,
            EqType::Tendon => ObjType::Tendon,
            EqType::Flex | EqType::FlexVert | EqType::Distance => ObjType::Flex,
        };
        affix.rename(&mut self.name1);
        affix.rename(&mut self.name2);
        known.has(kind, &self.name1)
            && (self.name2.is_empty() || known.has(kind, &self.name2))
            && self.name1 != self.name2
    }
}

impl Refers for Flex {
    const KEEPS_NAME: bool = true;

    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        let mut bodies = self.vertbody.iter_mut().chain(&mut self.nodebody);
        bodies.all(|name| {
            affix.rename(name);
            known.has(ObjType::Body, name)
        })
    }
}

impl Refers for Skin {
    const KEEPS_NAME: bool = true;

    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        self.bodyname.iter_mut().all(|name| {
            affix.rename(name);
            known.has(ObjType::Body, name)
        })
    }
}

impl Refers for Tendon {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        let mut found = false;
        for wrap in &mut self.path {
            let kind = match wrap.kind {
                WrapKind::Site => ObjType::Site,
                WrapKind::Geom => ObjType::Geom,
                WrapKind::Joint => ObjType::Joint,
                WrapKind::Pulley => continue,
            };
            // a missing side site is renamed as well, so that a geom without one has no copy
            let side = |name: &str| {
                wrap.kind != WrapKind::Geom || name.is_empty() || known.has(ObjType::Site, name)
            };
            let (target, sidesite) = (affix.of(&wrap.target), affix.of(&wrap.sidesite));
            if known.has(kind, &target) && side(&sidesite) {
                if wrap.kind == WrapKind::Geom {
                    wrap.sidesite = sidesite;
                }
                wrap.target = target;
                found = true;
            } else if !known.has(kind, &wrap.target) || !side(&wrap.sidesite) {
                return false;
            }
        }
        found
    }
}

impl Refers for Actuator {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        affix.rename(&mut self.target);
        affix.rename(&mut self.slidersite);
        affix.rename(&mut self.refsite);
        let kind = match self.trntype {
            TrnType::Joint | TrnType::JointInParent => ObjType::Joint,
            TrnType::Tendon => ObjType::Tendon,
            TrnType::Site | TrnType::SliderCrank => ObjType::Site,
            TrnType::Body => ObjType::Body,
            TrnType::Undefined => return false,
        };
        let others = match self.trntype {
            TrnType::SliderCrank => known.has(ObjType::Site, &self.slidersite),
            TrnType::Site if !self.refsite.is_empty() => known.has(ObjType::Site, &self.refsite),
            _ => true,
        };
        known.has(kind, &self.target) && others
    }
}

impl Refers for Sensor {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        match (self.objtype, self.reftype) {
            (ObjType::Unknown, ObjType::Unknown) => true,
            (kind, ObjType::Unknown) => {
                affix.rename(&mut self.objname);
                known.has(kind, &self.objname)
            }
            (ObjType::Unknown, kind) => {
                affix.rename(&mut self.refname);
                known.has(kind, &self.refname)
            }
            (kind, reference) => {
                let object = (kind, &mut self.objname);
                rename_two(affix, known, object, (reference, &mut self.refname))
            }
        }
    }

    fn is_free(&self) -> bool {
        self.objtype == ObjType::Unknown && self.reftype == ObjType::Unknown
    }
}

impl Refers for Tuple {
    fn rename(&mut self, affix: Affix<'_>, known: &impl Names) -> bool {
        for element in &mut self.elements {
            affix.rename(&mut element.objname);
        }
        let all = self.elements.iter().all(|x| known.has(x.objtype, &x.objname));
        all && !self.elements.is_empty()
    }
}
