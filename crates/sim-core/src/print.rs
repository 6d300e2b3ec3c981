//! Models and data as text, field by field.

use std::fmt;

use crate::fields::{Array, Field};
use crate::model::{Options, Statistic};
use crate::{Data, Model};

/// Most numbers that a field shows; the rest is counted.
const SHOWN: usize = 60;

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "SIZES")?;
        for &(name, _) in Model::SIZES {
            let size = self.size(name).unwrap_or(0);
            if size > 0 {
                writeln!(f, "  {name:<14} {size}")?;
            }
        }
        writeln!(f, "\nOPTION")?;
        for field in Options::FIELDS {
            write_field(f, field, self.opt.array(field.name))?;
        }
        writeln!(f, "\nSTATISTIC")?;
        for field in Statistic::FIELDS {
            write_field(f, field, self.stat.array(field.name))?;
        }
        writeln!(f, "\nFIELDS")?;
        for field in Model::FIELDS {
            write_field(f, field, self.array(field.name))?;
        }
        Ok(())
    }
}

impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {:<22} {}", "time", self.time)?;
        writeln!(f, "  {:<22} {} {}", "energy", self.energy[0], self.energy[1])?;
        writeln!(f, "  {:<22} {}", "ncon", self.ncon)?;
        writeln!(f, "  {:<22} {}", "nefc", self.nefc)?;
        for field in Data::FIELDS {
            write_field(f, field, self.array(field.name))?;
        }
        Ok(())
    }
}

/// Writes one field, a line per element if there are several; nothing if it is empty.
fn write_field(f: &mut fmt::Formatter<'_>, field: &Field, array: Option<Array<'_>>) -> fmt::Result {
    let Some(array) = array.filter(|array| !array.is_empty()) else { return Ok(()) };
    write!(f, "  {:<22}", field.name)?;
    if let Array::Char(text) = array {
        return writeln!(f, " {}", String::from_utf8_lossy(text).replace('\0', " "));
    }
    for i in 0..array.len().min(SHOWN) {
        if field.width > 1 && i > 0 && i % field.width == 0 {
            write!(f, "\n  {:<22}", "")?;
        }
        write!(f, " {}", array.value(i))?;
    }
    if array.len() > SHOWN {
        write!(f, " ... {} more", array.len() - SHOWN)?;
    }
    writeln!(f)
}
