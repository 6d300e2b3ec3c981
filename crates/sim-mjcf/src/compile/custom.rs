//! Custom numbers, texts and tuples.

use sim_core::Model;
use sim_core::fields::Char;

use super::names::Names;
use crate::error::Error;
use crate::spec::{Element, Numeric, Spec};

/// Numbers that one custom field can have.
const MAX_SIZE: usize = 1 << 25;

/// Fills the tables of custom elements.
pub(super) fn fill(spec: &Spec, names: &Names, model: &mut Model) -> Result<(), Error> {
    for (id, numeric) in spec.numerics.iter().enumerate() {
        let size = numeric_size(numeric)?;
        let start = model.numeric_data.len();
        model.numeric_adr[id] = start as i32;
        model.numeric_size[id] = size as i32;
        model.numeric_data.extend(&numeric.data);
        model.numeric_data.resize(start + size, 0.0);
    }
    model.nnumericdata = model.numeric_data.len();

    for (id, text) in spec.texts.iter().enumerate() {
        if text.data.is_empty() {
            return Err(text.error("the text must not be empty").attribute("data"));
        }
        model.text_adr[id] = model.text_data.len() as i32;
        model.text_size[id] = text.data.len() as i32 + 1;
        model.text_data.extend(text.data.bytes().map(Char));
        model.text_data.push(Char(0));
    }
    model.ntextdata = model.text_data.len();

    for (id, tuple) in spec.tuples.iter().enumerate() {
        if tuple.elements.is_empty() {
            return Err(tuple.error("the tuple has no elements"));
        }
        model.tuple_adr[id] = model.tuple_objid.len() as i32;
        model.tuple_size[id] = tuple.elements.len() as i32;
        for element in &tuple.elements {
            let (kind, name) = (element.objtype, &element.objname);
            let found = names.resolve(kind, name, element.src, "objname")?;
            model.tuple_objtype.push(element.objtype as i32);
            model.tuple_objid.push(found as i32);
            model.tuple_objprm.push(element.prm);
        }
    }
    model.ntupledata = model.tuple_objid.len();
    Ok(())
}

/// The size of a custom field: as given, or that of its numbers.
fn numeric_size(numeric: &Numeric) -> Result<usize, Error> {
    let count = numeric.data.len();
    let fault = |message: String| numeric.error(message).attribute("size");
    match numeric.size {
        None | Some(0) if count > 0 => Ok(count),
        None | Some(0) => Err(fault("the size must not be zero".into())),
        Some(size) => match usize::try_from(size) {
            Err(_) => Err(fault(format!("the size must be positive, not {size}"))),
            Ok(size) if size < count => {
                Err(fault(format!("{count} numbers are given, but the size is {size}")))
            }
            Ok(size) if size > MAX_SIZE => {
                Err(fault(format!("the size must be at most {MAX_SIZE}")))
            }
            Ok(size) => Ok(size),
        },
    }
}
