//! Tables of comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use crate::trajectory::Trajectory;

/// Writes a header (`time,qpos:hip,…`) and a row per sample. Numbers read back to the same bits.
pub(crate) fn write(out: &mut dyn Write, trajectory: &Trajectory) -> io::Result<()> {
    write!(out, "time")?;
    for series in &trajectory.series {
        for column in &series.columns {
            write!(out, ",{}", quoted(&format!("{}:{}", series.quantity.name(), column.name)))?;
        }
    }
    writeln!(out)?;
    for (sample, time) in trajectory.time.iter().enumerate() {
        write!(out, "{time:?}")?;
        for series in &trajectory.series {
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

/// A table that was read: names of columns, and numbers row by row.
#[derive(Debug, PartialEq)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) values: Vec<f64>,
}

/// Reads a header and rows of numbers; an error says in which line it is.
pub(crate) fn read(text: &str) -> Result<Table, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().ok_or("the file is empty")?;
    let columns = cells(header).map_err(|error| format!("line 1: {error}"))?;
    let mut values = Vec::new();
    for (number, line) in lines {
        let number = number + 1;
        let row = cells(line).map_err(|error| format!("line {number}: {error}"))?;
        if row.len() != columns.len() {
            return Err(format!(
                "line {number} has {} values, the header names {} columns",
                row.len(),
                columns.len()
            ));
        }
        for (cell, column) in row.iter().zip(&columns) {
            match cell.trim().parse::<f64>() {
                Ok(value) => values.push(value),
                Err(_) => {
                    return Err(format!(
                        "line {number}: '{cell}' in column '{column}' is not a number"
                    ));
                }
            }
        }
    }
    Ok(Table { columns, values })
}

/// The cells of a line.
fn cells(line: &str) -> Result<Vec<String>, &'static str> {
    let mut cells = vec![String::new()];
    let mut letters = line.chars().peekable();
    let mut inside = false;
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().expect("there is a first one");
        match letter {
            '"' if inside && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => inside = !inside,
            ',' if !inside => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    if inside { Err("a quote is not closed") } else { Ok(cells) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awkward_names_are_quoted() {
        assert_eq!(quoted("hip"), "hip");
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("a\"b"), "\"a\"\"b\"");
        assert_eq!(cells("hip,\"a,b\",\"a\"\"b\"").unwrap(), ["hip", "a,b", "a\"b"]);
    }

    #[test]
    fn bad_tables_are_told_by_line() {
        let table = read("a,b\n1,2\n\n3e-1, -4\n").unwrap();
        assert_eq!(table.columns, ["a", "b"]);
        assert_eq!(table.values, [1.0, 2.0, 0.3, -4.0]);
        for (text, words) in [
            ("", "empty"),
            ("a,b\n1\n", "line 2 has 1 values"),
            ("a,b\n1,2\nx,3\n", "line 3: 'x' in column 'a'"),
            ("a,\"b\n", "line 1: a quote"),
        ] {
            assert!(read(text).unwrap_err().contains(words), "{text}");
        }
    }
}
