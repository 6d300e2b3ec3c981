//! MJCF text and assets to a CortenForge [`Model`].
//!
//! ```text
//! text and files --- mjcf ---> Spec --- compile ---> Model
//! ```
//! [`load_file`], [`load_str`] and [`load_str_with_assets`] do both steps; [`Spec`] is the model in
//! between, and can be written back as text. What is wrong with a model is said with its place:
//! [`Error`] shows file, line and column, quotes the source and suggests what may have been meant.
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
//!
//! let spec = sim_mjcf::Spec::from_str("<mujoco><option timestep='0.010' gravity='0 0 -9.81'/></mujoco>")?;
//! assert_eq!(spec.to_xml(), "<mujoco>\n  <option timestep=\"0.01\"/>\n</mujoco>\n");
//! # Ok::<(), sim_mjcf::Error>(())
//! ```
//!
//! A [`Spec`] can be edited, or made from nothing. Elements have handles, which stay valid while
//! other elements come and go; adding one and finding one by name take constant time.
//!
//! ```
//! use sim_mjcf::Spec;
//! use sim_mjcf::spec::Body;
//!
//! let mut spec = Spec::default();
//! let arm = spec.add_body(Body::WORLD);
//! spec.set_name(arm, "arm");
//! let hinge = spec.add_joint(arm);
//! let ball = spec.add_geom(arm);
//! spec[ball].size.x = 0.1;
//! assert_eq!(spec.body("arm"), Some(arm));
//! assert_eq!(spec.compile()?.model.nv, 1);
//!
//! spec.delete(hinge)?;
//! assert!(spec.get(hinge).is_none());
//! let bodies: Vec<&str> = spec.tree().iter().map(|&body| &*spec[body].name).collect();
//! assert_eq!(bodies, ["world", "arm"]);
//! # Ok::<(), sim_mjcf::Error>(())
//! ```
#![forbid(unsafe_code)]

mod asset;
mod compile;
mod double_double;
mod eigen;
mod error;
mod files;
mod loader;
mod mjcf;
mod nth_element;
mod pose;
pub mod spec;
mod suggest;
mod urdf;
mod xml;

pub use error::{Error, Pos, Subject, Warning};
pub use files::write_file;
pub use loader::Loader;
pub use mjcf::{SchemaElement, schema};
pub use spec::Spec;
pub use urdf::UrdfOptions;

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use sim_core::Model;

use error::Sources;
use files::{Files, Memory, Resolver};

/// A loaded model.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What deserves attention.
    pub warnings: Vec<Warning>,
}

/// Loads a model from a file. Files that it names are looked up from its directory.
#[doc(alias = "mj_loadXML")]
pub fn load_file(path: impl AsRef<Path>) -> Result<Loaded, Error> {
    Spec::from_file(path)?.compile()
}

/// Loads a model from text. Files that it names are looked up from the current directory.
pub fn load_str(xml: &str) -> Result<Loaded, Error> {
    Spec::from_str(xml)?.compile()
}

/// Loads a model from text. Files that it names are looked up in `assets`, and nowhere else.
pub fn load_str_with_assets(xml: &str, assets: &HashMap<String, Vec<u8>>) -> Result<Loaded, Error> {
    let resolver = Resolver::Memory(Memory::new(assets));
    Spec::read_text(xml, &resolver, &UrdfOptions::default())?.compile_with(&resolver)
}

impl Spec {
    /// Reads a model from a file. Files that it names are looked up from its directory.
    #[doc(alias = "mj_parseXML")]
    pub fn from_file(path: impl AsRef<Path>) -> Result<Spec, Error> {
        Loader::new().read_file(path)
    }

    /// Reads a model from text. Files that it names are looked up from the current directory.
    #[doc(alias = "mj_parseXMLString")]
    #[allow(clippy::should_implement_trait)] // it is: this one needs no import
    pub fn from_str(xml: &str) -> Result<Spec, Error> {
        Spec::from_str_in(xml, "")
    }

    /// Reads a model from text. Files that it names are looked up from the directory `dir`.
    pub fn from_str_in(xml: &str, dir: impl AsRef<Path>) -> Result<Spec, Error> {
        Loader::new().read_str_in(xml, dir)
    }

    /// Reads a model from text. Files that it names are looked up in `assets`, and nowhere else.
    pub fn from_str_with_assets(
        xml: &str,
        assets: &HashMap<String, Vec<u8>>,
    ) -> Result<Spec, Error> {
        let resolver = Resolver::Memory(Memory::new(assets));
        let spec = Spec::read_text(xml, &resolver, &UrdfOptions::default())?;
        Ok(Spec { files: Files::Memory(Arc::new(assets.clone())), ..spec })
    }

    /// Reads a model from a text that is in no file.
    fn read_text(xml: &str, resolver: &Resolver<'_>, options: &UrdfOptions) -> Result<Spec, Error> {
        Spec::read(String::from(error::TEXT), xml.to_owned(), Path::new(""), resolver, options)
    }

    /// Reads a model from its text, which is `file` in the directory of the resolver.
    fn read(
        name: String,
        text: String,
        file: &Path,
        resolver: &Resolver<'_>,
        options: &UrdfOptions,
    ) -> Result<Spec, Error> {
        let mut sources = Sources::default();
        sources.add(name, text, None);
        match mjcf::read(&mut sources, file, resolver, options) {
            Ok((mut spec, warnings)) => {
                if let Resolver::Directory { base, root } = resolver {
                    spec.files = Files::Directory { base: base.clone(), root: root.clone() };
                }
                spec.warnings = warnings.into_iter().map(|w| w.locate(&sources)).collect();
                spec.sources = Arc::new(sources);
                Ok(spec)
            }
            Err(error) => Err(error.locate(&sources)),
        }
    }

    /// Names of the files with the text of the model, the main one first; others as the directory of
    /// the model sees them.
    pub fn source_files(&self) -> impl Iterator<Item = &str> {
        (0..self.sources.len() as u32).map(|file| self.sources.name(file))
    }

    /// Compiles the model. Its warnings are those of reading and those of compiling.
    #[doc(alias = "mj_compile")]
    pub fn compile(&self) -> Result<Loaded, Error> {
        if self.attached_keys.is_empty() {
            return self.compile_with(&self.files.resolver());
        }
        let mut spec = self.clone();
        spec.settle_keys();
        spec.compile_with(&spec.files.resolver())
    }

    fn compile_with(&self, resolver: &Resolver<'_>) -> Result<Loaded, Error> {
        match compile::compile(self, resolver) {
            Ok((model, warnings)) => {
                let found = warnings.into_iter().map(|warning| warning.locate(&self.sources));
                Ok(Loaded { model, warnings: self.warnings.iter().cloned().chain(found).collect() })
            }
            Err(error) => Err(error.locate(&self.sources)),
        }
    }

    /// Writes the model as MJCF: what differs from the defaults, in a fixed order, with included
    /// files in their places. Reading the text and compiling it gives the same model to the last
    /// bit. Files other than models are named as they were.
    #[doc(alias = "mj_saveXMLString")]
    pub fn to_xml(&self) -> String {
        mjcf::write(self)
    }

    /// Writes the model as MJCF in the layout in which MuJoCo writes it: angles in radians,
    /// orientations as quaternions, a blank line between sections. Reading the text gives the same
    /// model: numbers keep all their digits.
    pub fn to_reference_xml(&self) -> String {
        mjcf::write_reference(self)
    }

    /// Likewise, with the real numbers of a model that was compiled from this one and changed
    /// since; none if it was compiled from something else.
    #[doc(alias = "mj_saveLastXML")]
    pub fn to_reference_xml_of(&self, model: &Model) -> Option<String> {
        mjcf::write_values(self, model)
    }
}

impl FromStr for Spec {
    type Err = Error;

    fn from_str(xml: &str) -> Result<Spec, Error> {
        Spec::from_str(xml)
    }
}
