use super::{Attributes, Attrs, Parse};

/// Sizes that are not implied by the elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Size {
    /// Bytes of the arena, if given.
    pub memory: Memory,
    /// Old way to size the arena: number of constraints, −1 if not given.
    pub njmax: i32,
    /// Old way to size the arena: number of contacts, −1 if not given.
    pub nconmax: i32,
    /// Old way to size the arena: numbers on the stack, −1 if not given.
    pub nstack: i32,
    /// Numbers in `userdata`.
    pub nuserdata: i32,
    /// Least number of keyframes.
    pub nkey: i32,
    /// Numbers per body in `body_user`; −1 for as many as the longest given.
    pub nuser_body: i32,
    /// Same for joints.
    pub nuser_jnt: i32,
    /// Same for geoms.
    pub nuser_geom: i32,
    /// Same for sites.
    pub nuser_site: i32,
    /// Same for cameras.
    pub nuser_cam: i32,
    /// Same for tendons.
    pub nuser_tendon: i32,
    /// Same for actuators.
    pub nuser_actuator: i32,
    /// Same for sensors.
    pub nuser_sensor: i32,
}

/// A number of bytes, written as a number with an optional suffix out of `KMGTPE`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory(pub Option<u64>);

impl Default for Size {
    fn default() -> Size {
        Size {
            memory: Memory(None),
            njmax: -1,
            nconmax: -1,
            nstack: -1,
            nuserdata: 0,
            nkey: 0,
            nuser_body: -1,
            nuser_jnt: -1,
            nuser_geom: -1,
            nuser_site: -1,
            nuser_cam: -1,
            nuser_tendon: -1,
            nuser_actuator: -1,
            nuser_sensor: -1,
        }
    }
}

impl Attributes for Size {
    fn attrs<A: Attrs>(&mut self, a: &mut A) {
        a.value("memory", &mut self.memory);
        for (name, value, least) in [
            ("njmax", &mut self.njmax, -1),
            ("nconmax", &mut self.nconmax, -1),
            ("nstack", &mut self.nstack, -1),
            ("nuserdata", &mut self.nuserdata, 0),
            ("nkey", &mut self.nkey, 0),
            ("nuser_body", &mut self.nuser_body, -1),
            ("nuser_jnt", &mut self.nuser_jnt, -1),
            ("nuser_geom", &mut self.nuser_geom, -1),
            ("nuser_site", &mut self.nuser_site, -1),
            ("nuser_cam", &mut self.nuser_cam, -1),
            ("nuser_tendon", &mut self.nuser_tendon, -1),
            ("nuser_actuator", &mut self.nuser_actuator, -1),
            ("nuser_sensor", &mut self.nuser_sensor, -1),
        ] {
            if a.numbers(name, value) && *value < least {
                a.fail(name, format!("'{name}' must be at least {least}"));
            }
        }
        for (name, value) in [("njmax", self.njmax), ("nstack", self.nstack)] {
            if self.memory.0.is_some() && value != -1 {
                a.fail(name, format!("'memory' and '{name}' cannot both be given"));
            }
        }
    }
}

impl Parse for Memory {
    fn print(&self) -> Option<String> {
        let bytes = self.0?;
        // the largest suffix that leaves a whole number
        let unit = (1..=6).rev().find(|&unit| bytes != 0 && bytes % (1 << (10 * unit)) == 0);
        Some(match unit {
            Some(unit) => format!("{}{}", bytes >> (10 * unit), b"KMGTPE"[unit - 1] as char),
            None => bytes.to_string(),
        })
    }

    fn parse(text: &str) -> Result<Memory, String> {
        let text = text.trim_ascii();
        if text == "-1" {
            return Ok(Memory(None));
        }
        let end = text.bytes().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
        let shift = match text[end..].to_ascii_uppercase().as_str() {
            "" => Some(0),
            "K" => Some(10),
            "M" => Some(20),
            "G" => Some(30),
            "T" => Some(40),
            "P" => Some(50),
            "E" => Some(60),
            _ => None,
        };
        let bytes = text[..end].parse::<u64>().ok();
        match shift.zip(bytes).and_then(|(shift, bytes)| bytes.checked_mul(1 << shift)) {
            // more than this is no size that a pointer could address
            Some(bytes) if i64::try_from(bytes).is_ok() => Ok(Memory(Some(bytes))),
            Some(_) => Err(format!("'{text}' is more memory than there can be")),
            None => Err(format!(
                "expected a number with an optional suffix out of 'KMGTPE', found '{text}'"
            )),
        }
    }
}
