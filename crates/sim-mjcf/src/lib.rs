//! MJCF text and assets to a CortenForge [`Model`].
//!
//! ```text
//! text and files --- xml ---> Spec --- compile ---> Model
//! ```
//! [`load_file`], [`load_str`] and [`load_str_with_assets`] do both steps. What is wrong with a
//! model is said with its place: [`Error`] shows file, line and column, quotes the source and
//! suggests what may have been meant.
//!
//! ```
//! let loaded = sim_mjcf::load_str(
//!     r#"<mujoco>
//!          <worldbody>
//!            <body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05"/></body>
//!          </worldbody>
//!        </mujoco>"#,
//! )?;
//! assert_eq!(loaded.model.nv, 1);
//!
//! let error = sim_mjcf::load_str("<mujoco><option timstep='0.01'/></mujoco>").unwrap_err();
//! assert_eq!(error.message(), "unknown attribute 'timstep' in element 'option'");
//! assert_eq!(error.advice(), Some("did you mean 'timestep'?"));
//! # Ok::<(), sim_mjcf::Error>(())
//! ```
#![forbid(unsafe_code)]

mod asset;
mod compile;
mod error;
pub mod spec;
mod xml;

pub use error::{Error, Pos, Warning};
pub use spec::Spec;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use sim_core::Model;

use error::Sources;
use xml::{Memory, ReadError, Resolver};

/// A loaded model.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What deserves attention.
    pub warnings: Vec<Warning>,
}

/// Loads a model from a file. Files that it names are looked up from its directory.
pub fn load_file(path: impl AsRef<Path>) -> Result<Loaded, Error> {
    let path = path.as_ref();
    let base = path.parent().map(Path::to_owned).unwrap_or_default();
    let file = path.file_name().map(PathBuf::from).unwrap_or_default();
    let resolver = Resolver::Directory(base);
    let name = path.display().to_string();
    let bytes = resolver.read(&file).map_err(|error| {
        let reason = match error {
            ReadError::NotFound => String::from("there is no such file"),
            ReadError::Unusable(reason) => reason,
        };
        Error::new(format!("cannot read '{name}': {reason}"))
    })?;
    let text = xml::decode(bytes)
        .map_err(|reason| Error::new(format!("cannot read '{name}': {reason}")))?;
    load(name, text, &file, &resolver)
}

/// Loads a model from text. Files that it names are looked up from the current directory.
pub fn load_str(xml: &str) -> Result<Loaded, Error> {
    let resolver = Resolver::Directory(PathBuf::new());
    load(String::from("<text>"), xml.to_owned(), Path::new(""), &resolver)
}

/// Loads a model from text. Files that it names are looked up in `assets`, and nowhere else.
pub fn load_str_with_assets(xml: &str, assets: &HashMap<String, Vec<u8>>) -> Result<Loaded, Error> {
    let resolver = Resolver::Memory(Memory::new(assets));
    load(String::from("<text>"), xml.to_owned(), Path::new(""), &resolver)
}

/// Loads a model from its text, read from `file` in the directory of the resolver.
fn load(name: String, text: String, file: &Path, resolver: &Resolver<'_>) -> Result<Loaded, Error> {
    let mut sources = Sources::default();
    sources.add(name, text, None);
    let loaded = xml::read(&mut sources, file, resolver).and_then(|(spec, mut warnings)| {
        let (model, more) = compile::compile(&spec, resolver)?;
        warnings.extend(more);
        Ok((model, warnings))
    });
    match loaded {
        Ok((model, warnings)) => {
            let warnings = warnings.into_iter().map(|warning| warning.locate(&sources)).collect();
            Ok(Loaded { model, warnings })
        }
        Err(error) => Err(error.locate(&sources)),
    }
}
