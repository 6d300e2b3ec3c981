//! The one door through which files are read.

use std::collections::HashMap;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;

/// Bytes of a file at most.
const MAX_BYTES: u64 = 256 << 20;

/// Where the files of a model are.
#[derive(Debug, Clone)]
pub(crate) enum Files {
    /// In a directory, and below a root if there is one.
    Directory { base: PathBuf, root: Option<Root> },
    /// In memory, by name.
    Memory(Arc<HashMap<String, Vec<u8>>>),
}

impl Files {
    /// What finds them.
    pub(crate) fn resolver(&self) -> Resolver<'_> {
        match self {
            Files::Directory { base, root } => {
                Resolver::Directory { base: base.clone(), root: root.clone() }
            }
            Files::Memory(files) => Resolver::Memory(Memory::new(files)),
        }
    }
}

/// Finds the files that a model names.
#[derive(Debug)]
pub(crate) enum Resolver<'a> {
    /// A directory that relative names start from, and one that no file may be outside of.
    Directory { base: PathBuf, root: Option<Root> },
    /// A map from names to contents, and nothing else.
    Memory(Memory<'a>),
}

/// A directory that files have to be in, with symbolic links followed.
#[derive(Debug, Clone)]
pub(crate) struct Root(Arc<Path>);

impl Root {
    /// The root at an existing directory.
    pub(crate) fn new(dir: &Path) -> std::io::Result<Root> {
        let dir = if dir.as_os_str().is_empty() { Path::new(".") } else { dir };
        let dir = dir.canonicalize()?;
        match dir.is_dir() {
            true => Ok(Root(dir.into())),
            false => Err(std::io::Error::other("it is not a directory")),
        }
    }

    /// The directory.
    pub(crate) fn dir(&self) -> &Path {
        &self.0
    }

    /// Whether a file is below the root; for one that does not exist, whether it would be.
    fn holds(&self, path: &Path) -> bool {
        if let Ok(real) = path.canonicalize() {
            return real.starts_with(&self.0);
        }
        // the part of the path that exists, then names without a meaning yet
        let Ok(path) = std::path::absolute(path) else { return false };
        let mut known = path.as_path();
        while let Some(parent) = known.parent() {
            known = parent;
            if let Ok(real) = known.canonicalize() {
                let rest = path.strip_prefix(known).unwrap_or(&path);
                return normal(&real.join(rest)).starts_with(&self.0);
            }
        }
        false
    }
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

    /// What there is instead of a file that there is not.
    fn list(&self) -> String {
        const SHOWN: usize = 10;
        let mut names: Vec<_> = self.files.keys().map(|name| format!("'{name}'")).collect();
        if names.is_empty() {
            return String::from("looked in the files given with the model, which are none");
        }
        names.sort();
        let more = match names.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        names.truncate(SHOWN);
        format!("looked in the files given with the model: {}{more}", names.join(", "))
    }
}

fn last_part(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
}

/// Why a file could not be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    /// There is no such file; a sentence about where it was looked for.
    NotFound(String),
    /// There is one, but it cannot be used.
    Unusable(String),
}

impl ReadError {
    /// The error about a file called `name`, which `fault` makes from its message.
    pub(crate) fn about(self, name: &str, fault: impl FnOnce(String) -> Error) -> Error {
        match self {
            ReadError::NotFound(places) => {
                fault(format!("cannot read '{name}': there is no such file")).help(places)
            }
            ReadError::Unusable(reason) => fault(format!("cannot read '{name}': {reason}")),
        }
    }
}

impl Resolver<'_> {
    /// The file that `name` stands for, looked up from several directories in turn. Returns its
    /// path and contents.
    pub(crate) fn find(&self, name: &str, from: &[&Path]) -> Result<(PathBuf, Vec<u8>), ReadError> {
        let mut bytes = Vec::new();
        self.find_into(name, from, &mut bytes).map(|path| (path, bytes))
    }

    /// Like [`find`](Resolver::find), with the contents in memory that the caller has.
    pub(crate) fn find_into(
        &self,
        name: &str,
        from: &[&Path],
        bytes: &mut Vec<u8>,
    ) -> Result<PathBuf, ReadError> {
        let mut missing = Vec::new();
        for dir in from {
            let path = normal(&dir.join(name));
            match self.look(&path, bytes)? {
                Some(()) => return Ok(self.identity(path)),
                None if missing.contains(&path) => {}
                None => missing.push(path),
            }
        }
        Err(ReadError::NotFound(self.places(&missing)))
    }

    /// Where the files of these paths were looked for.
    fn places(&self, paths: &[PathBuf]) -> String {
        match self {
            Resolver::Directory { base, .. } => {
                let quoted = |path: &PathBuf| {
                    let path = base.join(path);
                    format!("'{}'", std::path::absolute(&path).unwrap_or(path).display())
                };
                let paths: Vec<_> = paths.iter().map(quoted).collect();
                format!("looked for {}", paths.join(", then for "))
            }
            Resolver::Memory(memory) => memory.list(),
        }
    }

    /// Whether there is such a file.
    pub(crate) fn exists(&self, path: &Path) -> bool {
        match self {
            Resolver::Directory { base, root } => {
                let path = base.join(path);
                root.as_ref().is_none_or(|root| root.holds(&path)) && path.is_file()
            }
            Resolver::Memory(memory) => memory.key(&normal(path)).is_some(),
        }
    }

    /// The path from the root, if that of the model was given from there.
    pub(crate) fn rooted(&self, path: &Path) -> Option<PathBuf> {
        match self {
            Resolver::Directory { base, .. } if base.is_absolute() => Some(base.join(path)),
            _ => None,
        }
    }

    /// The path from the root, if files are looked for in directories.
    pub(crate) fn absolute(&self, path: &Path) -> Option<PathBuf> {
        match self {
            Resolver::Directory { base, .. } => std::path::absolute(base.join(path).join(".")).ok(),
            Resolver::Memory(_) => None,
        }
    }

    /// The path that tells the file from others.
    fn identity(&self, path: PathBuf) -> PathBuf {
        match self {
            Resolver::Directory { .. } => path,
            Resolver::Memory(memory) => memory.key(&path).map_or(path, PathBuf::from),
        }
    }

    /// Reads a file whose path is relative to the directory of the model, or absolute.
    pub(crate) fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let missing = || ReadError::NotFound(self.places(&[path.to_owned()]));
        let mut bytes = Vec::new();
        self.look(path, &mut bytes)?.ok_or_else(missing).map(|()| bytes)
    }

    /// Reads a file if there is one.
    fn look(&self, path: &Path, bytes: &mut Vec<u8>) -> Result<Option<()>, ReadError> {
        match self {
            Resolver::Directory { base, root } => {
                let path = base.join(path);
                if root.as_ref().is_some_and(|root| !root.holds(&path)) {
                    let reason = "it is outside of the directory that files may be in";
                    return Err(ReadError::Unusable(reason.into()));
                }
                read_file(&path, bytes)
            }
            Resolver::Memory(memory) => match memory.key(path).map(|key| &memory.files[key]) {
                Some(file) if file.len() as u64 > MAX_BYTES => Err(too_large()),
                file => Ok(file.map(|file| file.clone_into(bytes))),
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

/// Reads the contents of a file, if there is one.
fn read_file(path: &Path, bytes: &mut Vec<u8>) -> Result<Option<()>, ReadError> {
    let unusable = |error: std::io::Error| ReadError::Unusable(error.to_string());
    // opening a pipe would wait for its other end, so look first
    let kind = match std::fs::metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other.map_err(unusable)?,
    };
    if !kind.is_file() {
        return Err(ReadError::Unusable(String::from("it is not a regular file")));
    }
    let file = std::fs::File::open(path).map_err(unusable)?;
    bytes.clear();
    // one byte more lets reading see the end without asking for room
    bytes.reserve_exact(kind.len().min(MAX_BYTES) as usize + 1);
    file.take(MAX_BYTES + 1).read_to_end(bytes).map_err(unusable)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(too_large());
    }
    Ok(Some(()))
}

fn too_large() -> ReadError {
    ReadError::Unusable(format!("it is larger than {} MB", MAX_BYTES >> 20))
}

/// Writes a file that is complete or not there: to a temporary name in the same directory, which
/// becomes the name of the file in the end. Devices and pipes are written to directly.
pub fn write_file(path: impl AsRef<Path>, bytes: &[u8]) -> std::io::Result<()> {
    let path = path.as_ref();
    if path.metadata().is_ok_and(|kind| !kind.is_file()) {
        return std::fs::write(path, bytes);
    }
    let name =
        path.file_name().ok_or_else(|| std::io::Error::other("the path has no file name"))?;
    let mut temporary = std::ffi::OsString::from(".");
    temporary.push(name);
    temporary.push(format!(".{}.part", std::process::id()));
    let temporary = path.with_file_name(temporary);
    // a link stays one: what it leads to is replaced
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let written =
        std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, target));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written
}
