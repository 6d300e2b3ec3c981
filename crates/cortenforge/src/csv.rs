//! Trajectories as comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::trajectory::Trajectory;

/// Writes a header (`time,qpos:hip,…`) and a row per sample. Numbers read back to the same bits.
pub(crate) fn write(out: &mut dyn Write, trajectory: &Trajectory) -> io::Result<()> {
    write!(out, "time")?;
    for series in trajectory.series() {
        for column in &series.columns {
            write!(out, ",{}", quoted(&format!("{}:{column}", series.name)))?;
        }
    }
    writeln!(out)?;
    for (sample, time) in trajectory.time.iter().enumerate() {
        write!(out, "{time:?}")?;
        for series in trajectory.series() {
            for value in series.row(sample) {
                write!(out, ",{value:?}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}

/// A cell, in quotes where it would otherwise fall apart.
fn quoted(cell: &str) -> Cow<'_, str> {
    match cell.contains([',', '"', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", cell.replace('"', "\"\""))),
        false => Cow::Borrowed(cell),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awkward_names_are_quoted() {
        assert_eq!(quoted("hip"), "hip");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
    }
}
