//! SKN: skins in a binary format of MuJoCo.

use super::mesh::Fault;
use crate::spec::{Bone, Skin};

/// Bytes of the name of a bone.
const NAME: usize = 40;

/// Reads vertices, texture coordinates, triangles and bones into a skin.
pub(crate) fn read(bytes: &[u8], skin: &mut Skin) -> Result<(), Fault> {
    let mut words = Words { rest: bytes };
    let [nvert, ntexcoord, nface, nbone] = [0; 4].map(|_| words.count("header"));
    let (nvert, ntexcoord, nface, nbone) = (nvert?, ntexcoord?, nface?, nbone?);
    skin.vert = words.floats(3, nvert, "vertices")?;
    skin.texcoord = words.floats(2, ntexcoord, "texture coordinates")?;
    skin.face = words.take(3, nface, "faces")?.iter().map(|w| i32::from_le_bytes(*w)).collect();
    for _ in 0..nbone {
        let mut bone = Bone::default();
        let name = words.take(NAME / 4, 1, "bones")?.as_flattened();
        // the last byte is not part of the name
        let end = name[..NAME - 1].iter().position(|&b| b == 0).unwrap_or(NAME - 1);
        bone.body = String::from_utf8_lossy(&name[..end]).into_owned();
        bone.bindpos.copy_from_slice(&words.floats(3, 1, "bones")?);
        bone.bindquat.copy_from_slice(&words.floats(4, 1, "bones")?);
        let count = words.count("number of vertices of a bone")?;
        if count == 0 {
            return Err(Fault::new(format!("bone '{}' has no vertices", bone.body)));
        }
        let ids = words.take(1, count, "vertices of bones")?;
        bone.vertid = ids.iter().map(|word| i32::from_le_bytes(*word)).collect();
        bone.vertweight = words.floats(1, count, "weights of bones")?;
        skin.add_bone(bone);
    }
    match words.rest.len() {
        0 => Ok(()),
        left => Err(Fault::new(format!("{left} bytes are left after the last bone"))),
    }
}

/// Numbers of four bytes each.
struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    fn take(&mut self, width: usize, count: usize, what: &str) -> Result<&'a [[u8; 4]], Fault> {
        let bytes = width.checked_mul(count).and_then(|words| words.checked_mul(4));
        let split = bytes.and_then(|bytes| self.rest.split_at_checked(bytes));
        let Some((words, rest)) = split else {
            return Err(Fault::new(format!("it is too short for its {what}")));
        };
        self.rest = rest;
        Ok(words.as_chunks().0)
    }

    fn floats(&mut self, width: usize, count: usize, what: &str) -> Result<Vec<f32>, Fault> {
        let words = self.take(width, count, what)?;
        Ok(words.iter().map(|word| f32::from_le_bytes(*word)).collect())
    }

    fn count(&mut self, what: &str) -> Result<usize, Fault> {
        let number = i32::from_le_bytes(self.take(1, 1, what)?[0]);
        usize::try_from(number).map_err(|_| Fault::new(format!("the {what} says {number}")))
    }
}
