//! Names of objects, and finding objects by name.

use super::{Model, ObjType};

/// The name map has this many slots per object.
const SLOTS: usize = 2;

/// Kinds of objects that have names, in the order of the name map.
pub const NAMED: [ObjType; 23] = [
    ObjType::Body,
    ObjType::Joint,
    ObjType::Geom,
    ObjType::Site,
    ObjType::Camera,
    ObjType::Light,
    ObjType::Flex,
    ObjType::Mesh,
    ObjType::Skin,
    ObjType::Hfield,
    ObjType::Texture,
    ObjType::Material,
    ObjType::Pair,
    ObjType::Exclude,
    ObjType::Equality,
    ObjType::Tendon,
    ObjType::Actuator,
    ObjType::Sensor,
    ObjType::Numeric,
    ObjType::Text,
    ObjType::Tuple,
    ObjType::Key,
    ObjType::Plugin,
];

impl Model {
    /// The address in `names` of the name of each object of the kind; empty for kinds that have
    /// no names.
    pub fn name_addresses(&self, kind: ObjType) -> &[i32] {
        match kind {
            ObjType::Body | ObjType::XBody => &self.name_bodyadr,
            ObjType::Joint => &self.name_jntadr,
            ObjType::Geom => &self.name_geomadr,
            ObjType::Site => &self.name_siteadr,
            ObjType::Camera => &self.name_camadr,
            ObjType::Light => &self.name_lightadr,
            ObjType::Flex => &self.name_flexadr,
            ObjType::Mesh => &self.name_meshadr,
            ObjType::Skin => &self.name_skinadr,
            ObjType::Hfield => &self.name_hfieldadr,
            ObjType::Texture => &self.name_texadr,
            ObjType::Material => &self.name_matadr,
            ObjType::Pair => &self.name_pairadr,
            ObjType::Exclude => &self.name_excludeadr,
            ObjType::Equality => &self.name_eqadr,
            ObjType::Tendon => &self.name_tendonadr,
            ObjType::Actuator => &self.name_actuatoradr,
            ObjType::Sensor => &self.name_sensoradr,
            ObjType::Numeric => &self.name_numericadr,
            ObjType::Text => &self.name_textadr,
            ObjType::Tuple => &self.name_tupleadr,
            ObjType::Key => &self.name_keyadr,
            ObjType::Plugin => &self.name_pluginadr,
            _ => &[],
        }
    }

    /// Number of objects of a kind that has names.
    pub fn count(&self, kind: ObjType) -> usize {
        self.name_addresses(kind).len()
    }

    /// The name of object `id`; none if it has no name or does not exist.
    #[doc(alias = "mj_id2name")]
    pub fn name(&self, kind: ObjType, id: usize) -> Option<&str> {
        let start = usize::try_from(*self.name_addresses(kind).get(id)?).ok()?;
        let text: &[u8] = bytemuck::cast_slice(self.names.get(start..)?);
        let end = text.iter().position(|&c| c == 0)?;
        std::str::from_utf8(&text[..end]).ok().filter(|name| !name.is_empty())
    }

    /// The id of the object called `name`.
    #[doc(alias = "mj_name2id")]
    pub fn id(&self, kind: ObjType, name: &str) -> Option<usize> {
        let kind = if kind == ObjType::XBody { ObjType::Body } else { kind };
        let slots = SLOTS * self.count(kind);
        if slots == 0 || name.is_empty() {
            return None;
        }
        // sections of the map that come before this one
        let before: usize =
            NAMED.iter().take_while(|&&other| other != kind).map(|&other| self.count(other)).sum();
        let map = self.names_map.get(SLOTS * before..SLOTS * before + slots)?;
        let start = hash(name, slots);
        (0..slots)
            .map(|step| map[(start + step) % slots])
            .map_while(|id| usize::try_from(id).ok())
            .find(|&id| self.name(kind, id) == Some(name))
    }

    /// Fills `names_map` from `names`: per kind of object an open-addressed hash table of ids.
    pub fn map_names(&mut self) {
        let mut map = vec![-1; SLOTS * NAMED.iter().map(|&kind| self.count(kind)).sum::<usize>()];
        let mut section = 0;
        for kind in NAMED {
            let slots = SLOTS * self.count(kind);
            for id in 0..self.count(kind) {
                let Some(name) = self.name(kind, id) else { continue };
                let mut slot = hash(name, slots);
                while map[section + slot] != -1 {
                    slot = (slot + 1) % slots;
                }
                map[section + slot] = id as i32;
            }
            section += slots;
        }
        self.nnames_map = map.len();
        self.names_map = map;
    }
}

/// Hash of a name (Bernstein's, with exclusive or), reduced to the number of slots.
fn hash(name: &str, slots: usize) -> usize {
    // bytes are signed in the reference
    let hash = name.bytes().fold(5381u64, |h, c| (h << 5).wrapping_add(h) ^ (c as i8 as u64));
    (hash % slots as u64) as usize
}
