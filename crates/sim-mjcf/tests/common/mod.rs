//! What several tests need.

use std::path::{Path, PathBuf};

use sim_core::Model;
use sim_core::fields::Array;

/// The first field in which two models differ.
pub(crate) fn difference(a: &Model, b: &Model) -> Option<String> {
    for &(name, _) in Model::SIZES {
        if a.size(name) != b.size(name) {
            return Some(format!("{name}: {:?} and {:?}", a.size(name), b.size(name)));
        }
    }
    for field in Model::FIELDS {
        let same = match (a.array(field.name), b.array(field.name)) {
            (Some(Array::F64(a)), Some(Array::F64(b))) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
            }
            (Some(Array::F32(a)), Some(Array::F32(b))) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.to_bits() == b.to_bits())
            }
            (Some(Array::I32(a)), Some(Array::I32(b))) => a == b,
            (Some(Array::I64(a)), Some(Array::I64(b))) => a == b,
            (Some(Array::U8(a)), Some(Array::U8(b))) => a == b,
            (Some(Array::Char(a)), Some(Array::Char(b))) => a == b,
            _ => false,
        };
        if !same {
            return Some(field.name.to_owned());
        }
    }
    // numbers are printed so that different ones look different
    let records =
        |m: &Model| [format!("{:?}", m.opt), format!("{:?}", m.vis), format!("{:?}", m.stat)];
    let [a, b] = [records(a), records(b)];
    a.into_iter().zip(b).find(|(a, b)| a != b).map(|(a, b)| format!("{a}\n{b}"))
}

/// A file or directory in the directory that many levels above this crate.
pub(crate) fn above(levels: usize, name: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(levels).unwrap_or(here).join(name)
}
