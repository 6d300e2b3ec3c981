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
    Memory(Memory<'a>),
}

/// Files held in memory. A file is found by its path, or else by the last part of it in upper or
/// lower case, as in MuJoCo, unless that fits several.
#[derive(Debug)]
pub(crate) struct Memory<'a> {
    files: &'a HashMap<String, Vec<u8>>,
    by_path: HashMap<PathBuf, &'a str>,
    by_name: HashMap<String, Option<&'a str>>,
}

impl<'a> Memory<'a> {
    /// Prepares the lookup of `files`.
    pub(crate) fn new(files: &'a HashMap<String, Vec<u8>>) -> Memory<'a> {
        let mut by_path = HashMap::new();
        let mut by_name = HashMap::new();
        for key in files.keys() {
            by_path.insert(normal(Path::new(key)), key.as_str());
            let name = by_name.entry(last_part(Path::new(key)));
            name.and_modify(|known| *known = None).or_insert(Some(key.as_str()));
        }
        Memory { files, by_path, by_name }
    }

    /// The key of the file that `path` stands for.
    fn key(&self, path: &Path) -> Option<&'a str> {
        let by_path = self.by_path.get(path).copied();
        by_path.or_else(|| self.by_name.get(&last_part(path)).copied().flatten())
    }
}

fn last_part(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
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
    /// The file that `name` stands for, looked up from several directories in turn. Returns its
    /// path and contents.
    pub(crate) fn find(&self, name: &str, from: &[&Path]) -> Result<(PathBuf, Vec<u8>), ReadError> {
        for dir in from {
            let path = normal(&dir.join(name));
            match self.read(&path) {
                Ok(bytes) => return Ok((self.identity(path), bytes)),
                Err(ReadError::NotFound) => {}
                Err(error) => return Err(error),
            }
        }
        Err(ReadError::NotFound)
    }

    /// Whether there is such a file.
    pub(crate) fn exists(&self, path: &Path) -> bool {
        match self {
            Resolver::Directory(base) => base.join(path).is_file(),
            Resolver::Memory(memory) => memory.key(&normal(path)).is_some(),
        }
    }

    /// The path that tells the file from others.
    fn identity(&self, path: PathBuf) -> PathBuf {
        match self {
            Resolver::Directory(_) => path,
            Resolver::Memory(memory) => memory.key(&path).map_or(path, PathBuf::from),
        }
    }

    /// Reads a file whose path is relative to the directory of the model, or absolute.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        match self {
            Resolver::Directory(base) => read_file(&base.join(path)),
            Resolver::Memory(memory) => match memory.key(path).map(|key| &memory.files[key]) {
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
