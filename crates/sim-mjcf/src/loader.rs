//! Loading with limits: where files may be, and how much memory a model may take.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files::{Resolver, Root};
use crate::spec::Spec;
use crate::{Loaded, UrdfOptions, xml};

/// Loads models under limits, for programs that load those of strangers.
///
/// ```
/// use sim_mjcf::Loader;
///
/// let loader = Loader::new().memory(100 << 20).root(".")?;
/// let error = loader.load_str("<mujoco><include file='/etc/hostname'/></mujoco>").unwrap_err();
/// assert!(error.message().contains("outside"));
/// # Ok::<(), sim_mjcf::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Loader {
    root: Option<Root>,
    memory: usize,
    urdf: UrdfOptions,
}

impl Default for Loader {
    fn default() -> Loader {
        Loader { root: None, memory: sim_core::memory::LIMIT, urdf: UrdfOptions::default() }
    }
}

impl Loader {
    /// Files may be anywhere; memory is limited to [`LIMIT`](sim_core::memory::LIMIT).
    pub fn new() -> Loader {
        Loader::default()
    }

    /// Keeps to files in the directory `dir` and below it: all others are refused, whether they are
    /// named by absolute paths, by `..` or by symbolic links.
    pub fn root(mut self, dir: impl AsRef<Path>) -> Result<Loader, Error> {
        let dir = dir.as_ref();
        self.root = Some(Root::new(dir).map_err(|error| {
            Error::new(format!("cannot keep to the directory '{}': {error}", dir.display()))
        })?);
        Ok(self)
    }

    /// Sets the bytes that a model and the data of one simulation may take.
    pub fn memory(mut self, bytes: usize) -> Loader {
        self.memory = bytes;
        self
    }

    /// Says what to make of models in URDF.
    pub fn urdf(mut self, options: UrdfOptions) -> Loader {
        self.urdf = options;
        self
    }

    /// Loads a model from a file. Files that it names are looked up from its directory.
    pub fn load_file(&self, path: impl AsRef<Path>) -> Result<Loaded, Error> {
        self.read_file(path)?.compile()
    }

    /// Loads a model from text. Files that it names are looked up from the root, if there is one, or
    /// from the current directory.
    pub fn load_str(&self, xml: &str) -> Result<Loaded, Error> {
        self.read_str(xml)?.compile()
    }

    /// Reads a model from a file. Files that it names are looked up from its directory.
    pub fn read_file(&self, path: impl AsRef<Path>) -> Result<Spec, Error> {
        let path = path.as_ref();
        let base = path.parent().map(Path::to_owned).unwrap_or_default();
        let file = path.file_name().map(PathBuf::from).unwrap_or_default();
        let resolver = Resolver::Directory { base, root: self.root.clone() };
        let name = path.display().to_string();
        let bytes = resolver.read(&file).map_err(|error| error.about(&name, Error::new))?;
        let text = xml::decode(bytes)
            .map_err(|reason| Error::new(format!("cannot read '{name}': {reason}")))?;
        self.finish(Spec::read(name, text, &file, &resolver, &self.urdf))
    }

    /// Reads a model from text. Files that it names are looked up from the root, if there is one, or
    /// from the current directory.
    pub fn read_str(&self, xml: &str) -> Result<Spec, Error> {
        let base = self.root.as_ref().map(|root| root.dir().to_owned()).unwrap_or_default();
        self.read_str_in(xml, base)
    }

    /// Reads a model from text. Files that it names are looked up from the directory `dir`.
    pub fn read_str_in(&self, xml: &str, dir: impl AsRef<Path>) -> Result<Spec, Error> {
        let base = dir.as_ref().to_owned();
        let resolver = Resolver::Directory { base, root: self.root.clone() };
        self.finish(Spec::read_text(xml, &resolver, &self.urdf))
    }

    /// Reads a model from text. Files that it names are looked up in `assets`, and nowhere else.
    pub fn read_str_with_assets(
        &self,
        xml: &str,
        assets: &HashMap<String, Vec<u8>>,
    ) -> Result<Spec, Error> {
        self.finish(Spec::from_str_with_assets(xml, assets))
    }

    /// Sets the limit for the compiler.
    fn finish(&self, spec: Result<Spec, Error>) -> Result<Spec, Error> {
        spec.map(|spec| Spec { memory_limit: self.memory, ..spec })
    }
}
