//! Trajectories as NumPy archives: a zip file of stored `.npy` arrays.

use std::io::{self, Write};

use crate::trajectory::Trajectory;

/// Writes `time`, and for each series its numbers (`qpos`) and the names of its columns
/// (`qpos_names`).
pub(crate) fn write(out: &mut dyn Write, trajectory: &Trajectory) -> io::Result<()> {
    let samples = trajectory.time.len();
    let mut archive = Archive::new(out);
    archive.add("time.npy", &npy_numbers(&[samples], &trajectory.time))?;
    for series in &trajectory.series {
        let (name, shape) = (series.quantity.name(), [samples, series.columns.len()]);
        let columns: Vec<&str> = series.columns.iter().map(|column| column.name.as_str()).collect();
        archive.add(&format!("{name}.npy"), &npy_numbers(&shape, &series.values))?;
        archive.add(&format!("{name}_names.npy"), &npy_text(&columns))?;
    }
    archive.finish()
}

/// The bytes of a `.npy` file of doubles.
fn npy_numbers(shape: &[usize], values: &[f64]) -> Vec<u8> {
    let mut bytes = npy_header("<f8", shape);
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

/// The bytes of a `.npy` file of strings: characters of four bytes, padded to the longest.
fn npy_text(strings: &[&str]) -> Vec<u8> {
    let width = strings.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let mut bytes = npy_header(&format!("<U{width}"), &[strings.len()]);
    for text in strings {
        let padded = text.chars().map(u32::from).chain(std::iter::repeat(0)).take(width);
        bytes.extend(padded.flat_map(u32::to_le_bytes));
    }
    bytes
}

/// The header of a `.npy` file, version 1.0: magic, version, length and a Python dictionary, padded
/// so that the numbers start at a multiple of 64 bytes.
fn npy_header(descr: &str, shape: &[usize]) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length},")).collect();
    let mut dict = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    let start = (10 + dict.len() + 1).next_multiple_of(64);
    while 10 + dict.len() + 1 < start {
        dict.push(' ');
    }
    dict.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((dict.len() as u16).to_le_bytes());
    bytes.extend(dict.into_bytes());
    bytes
}

/// A zip archive of stored files. Trajectories stay far below the 4 GiB of the classic format.
struct Archive<'a> {
    out: &'a mut dyn Write,
    offset: u32,
    directory: Vec<u8>,
    entries: u16,
}

impl<'a> Archive<'a> {
    fn new(out: &'a mut dyn Write) -> Archive<'a> {
        Archive { out, offset: 0, directory: Vec::new(), entries: 0 }
    }

    /// Adds a file.
    fn add(&mut self, name: &str, content: &[u8]) -> io::Result<()> {
        let size = u32::try_from(content.len())
            .map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, "more than 4 GiB"))?;
        // what the local header and the directory share, from `version needed` to `extra length`
        let mut common = Vec::new();
        common.extend(20u16.to_le_bytes()); // version 2.0
        common.extend(0u16.to_le_bytes()); // flags
        common.extend(0u16.to_le_bytes()); // stored
        common.extend(0u16.to_le_bytes()); // time: midnight
        common.extend(0x21u16.to_le_bytes()); // date: first of January 1980
        common.extend(crc32fast::hash(content).to_le_bytes());
        common.extend(size.to_le_bytes()); // compressed
        common.extend(size.to_le_bytes()); // original
        common.extend((name.len() as u16).to_le_bytes());
        common.extend(0u16.to_le_bytes()); // no extra field

        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(20u16.to_le_bytes()); // made by version 2.0
        self.directory.extend(&common);
        self.directory.extend([0; 2 + 2 + 2 + 4]); // no comment, disk 0, no attributes
        self.directory.extend(self.offset.to_le_bytes());
        self.directory.extend(name.as_bytes());
        self.entries += 1;

        self.out.write_all(b"PK\x03\x04")?;
        self.out.write_all(&common)?;
        self.out.write_all(name.as_bytes())?;
        self.out.write_all(content)?;
        self.advance(4 + common.len() + name.len() + content.len())
    }

    /// Writes the directory.
    fn finish(mut self) -> io::Result<()> {
        let start = self.offset;
        let length = self.directory.len();
        self.advance(length)?;
        self.out.write_all(&self.directory)?;
        self.out.write_all(b"PK\x05\x06")?;
        self.out.write_all(&[0; 4])?; // disk 0
        self.out.write_all(&self.entries.to_le_bytes())?; // on this disk
        self.out.write_all(&self.entries.to_le_bytes())?; // in total
        self.out.write_all(&(length as u32).to_le_bytes())?;
        self.out.write_all(&start.to_le_bytes())?;
        self.out.write_all(&[0; 2]) // no comment
    }

    fn advance(&mut self, length: usize) -> io::Result<()> {
        let end = u32::try_from(length).ok().and_then(|length| self.offset.checked_add(length));
        self.offset =
            end.ok_or_else(|| io::Error::new(io::ErrorKind::FileTooLarge, "more than 4 GiB"))?;
        Ok(())
    }
}

/// An archive of files, for tests.
#[cfg(test)]
pub(crate) fn archive(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut archive = Archive::new(&mut bytes);
    for (name, content) in files {
        archive.add(name, content).expect("memory can be written to");
    }
    archive.finish().expect("memory can be written to");
    bytes
}

/// The files of a recorded simulation with two actuators, for tests.
#[cfg(test)]
pub(crate) fn recorded() -> [(&'static str, Vec<u8>); 3] {
    [
        ("time.npy", npy_numbers(&[3], &[0.0, 0.5, 1.0])),
        ("ctrl.npy", npy_numbers(&[3, 2], &[1.0, -1.0, 2.0, -2.0, 3.0, -3.0])),
        ("ctrl_names.npy", npy_text(&["push", "turn"])),
    ]
}
