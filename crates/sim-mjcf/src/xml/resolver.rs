//! The one door through which files are read.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Bytes of a file at most.
const MAX_BYTES: u64 = 256 << 20;

/// Where the files that a model names come from.
#[derive(Debug)]
pub(crate) enum Resolver<'a> {
    /// A directory that relative names start from.
    Directory(PathBuf),
    /// A map from names to contents, and nothing else.
    Memory(&'a HashMap<String, Vec<u8>>),
}

/// Why a file could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// There is no such file.
    NotFound,
    /// There is one, but it cannot be used.
    Unusable(String),
}

impl Resolver<'_> {
    /// The file that `name` stands for in a file of the directory `from`: looked up from the
    /// directory of the model first, and from `from` second. Returns its path and contents.
    pub(crate) fn find(&self, name: &str, from: &Path) -> Result<(PathBuf, Vec<u8>), ReadError> {
        let name = Path::new(name);
        for path in [normal(name), normal(&from.join(name))] {
            match self.read(&path) {
                Ok(bytes) => return Ok((path, bytes)),
                Err(ReadError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Err(ReadError::NotFound)
    }

    /// Reads a file whose path is relative to the directory of the model, or absolute.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        match self {
            Resolver::Directory(base) => read_file(&base.join(path)),
            Resolver::Memory(files) => match path.to_str().and_then(|path| files.get(path)) {
                Some(bytes) if bytes.len() as u64 <= MAX_BYTES => Ok(bytes.clone()),
                Some(_) => Err(too_large()),
                None => Err(ReadError::NotFound),
            },
        }
    }
}

/// Removes `.` and resolves `..` by name.
pub(crate) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(out.components().next_back(), Some(Component::Normal(_))) =>
            {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    let unusable = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::NotFound,
        _ => ReadError::Unusable(error.to_string()),
    };
    // opening a pipe would wait for its other end, so look first
    let kind = std::fs::metadata(path).map_err(unusable)?;
    if !kind.is_file() {
        return Err(ReadError::Unusable(String::from("it is not a regular file")));
    }
    let file = std::fs::File::open(path).map_err(unusable)?;
    let mut bytes = Vec::with_capacity(kind.len().min(MAX_BYTES) as usize);
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unusable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(bytes)
}

fn too_large() -> ReadError {
    ReadError::Unusable(format!("it is larger than {} MB", MAX_BYTES >> 20))
}
