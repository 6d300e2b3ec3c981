//! Where a model comes from, and where its simulation starts.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use cortenforge::model::ObjType;
use cortenforge::robots::{self, Robot};
use cortenforge::{Data, Error, Loader, Model, Spec, memory};

use crate::text::model_name;
use crate::{Failure, diagnostics};

/// What models may do, for those who do not know where a model has come from.
#[derive(clap::Args, Debug, Default)]
pub(crate) struct Limits {
    /// Read no file outside of this directory, whatever the model names
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

impl Limits {
    /// A loader within the limits, and within the memory that the environment allows.
    pub(crate) fn loader(&self) -> Result<Loader, Failure> {
        let mut loader = Loader::new();
        if let Some(limit) = memory_limit()? {
            loader = loader.memory(limit);
        }
        match &self.root {
            None => Ok(loader),
            Some(root) => loader.root(root).map_err(|error| Failure(error.to_string())),
        }
    }
}

/// The memory that the environment allows a model.
fn memory_limit() -> Result<Option<usize>, Failure> {
    let Ok(text) = std::env::var("CORTENFORGE_MEMORY") else { return Ok(None) };
    let message = || format!("error: CORTENFORGE_MEMORY is '{text}', not a size such as 4G");
    memory::parse_bytes(&text).map(Some).ok_or_else(|| Failure(message()))
}

/// Reads a compiled model.
fn read_binary(path: &Path) -> Result<Model, Failure> {
    let name = path.display();
    let bytes = std::fs::read(path)
        .map_err(|error| Failure(format!("error: cannot read '{name}': {error}")))?;
    match memory_limit()? {
        Some(limit) => Model::from_bytes_within(&bytes, limit),
        None => Model::from_bytes(&bytes),
    }
    .map_err(|error| Failure(format!("error: '{name}': {error}")))
}

/// A model with a name to print.
pub(crate) struct Source {
    pub(crate) model: Model,
    /// The name that the model gives itself, else that of its file.
    pub(crate) title: String,
    /// The built-in robot that this is.
    pub(crate) robot: Option<&'static Robot>,
}

/// The built-in robot that a name of a model stands for: one that no file has.
pub(crate) fn find_robot(path: &Path) -> Option<&'static Robot> {
    path.to_str().and_then(robots::find).filter(|_| !path.exists())
}

/// Reads a model: a file, `-` for standard input, or the name of a built-in robot.
pub(crate) fn read(path: &Path, limits: &Limits) -> Result<Result<Spec, Error>, Failure> {
    let loader = limits.loader()?;
    if path == Path::new("-") {
        let mut text = String::new();
        io::stdin()
            .read_to_string(&mut text)
            .map_err(|error| Failure(format!("error: cannot read standard input: {error}")))?;
        return Ok(loader.read_str(&text));
    }
    Ok(match find_robot(path) {
        Some(robot) => loader.read_str(robot.xml),
        None => loader.read_file(path),
    })
}

impl Source {
    /// Loads a model, or the first of the built-in robots. Warnings go to standard error.
    pub(crate) fn load(path: Option<&Path>, limits: &Limits) -> Result<Source, Failure> {
        let first = Path::new(robots::ALL[0].name);
        Source::try_load(path.unwrap_or(first), limits)?
            .map_err(|error| diagnostics::failure(&error))
    }

    /// Likewise, keeping errors of the model apart from others.
    pub(crate) fn try_load(path: &Path, limits: &Limits) -> Result<Result<Source, Error>, Failure> {
        let binary = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mjb"));
        let model = if binary {
            read_binary(path)?
        } else {
            match read(path, limits)?.and_then(|spec| spec.compile()) {
                Ok(loaded) => {
                    diagnostics::warn(&loaded.warnings);
                    loaded.model
                }
                Err(error) => return Ok(Err(error)),
            }
        };
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        let title = match (model_name(&model), stem) {
            ("" | "MuJoCo Model", Some(stem)) => stem.into_owned(),
            (name, _) => name.to_owned(),
        };
        Ok(Ok(Source { model, title, robot: find_robot(path) }))
    }

    /// Makes the data of a simulation that starts at a keyframe, given by name or index. Without
    /// one, models start in their reference state, and built-in robots where their task begins.
    pub(crate) fn start(&self, keyframe: Option<&str>) -> Result<Data, Failure> {
        let mut data = Data::try_new(&self.model)
            .map_err(|error| Failure(format!("error: cannot simulate: {error}")))?;
        match keyframe {
            Some(text) => data.reset_keyframe(&self.model, find_keyframe(&self.model, text)?),
            None if self.robot.is_some() => data.reset_keyframe(&self.model, 0),
            None => {}
        }
        Ok(data)
    }
}

/// The keyframe with a name, or else with an index.
pub(crate) fn find_keyframe(model: &Model, text: &str) -> Result<usize, Failure> {
    let index = text.parse().ok().filter(|&key: &usize| key < model.nkey);
    model.id(ObjType::Key, text).or(index).ok_or_else(|| {
        let known = match model.nkey {
            0 => "the model has no keyframes".to_owned(),
            count => {
                let keys = (0..count).map(|key| match model.name(ObjType::Key, key) {
                    Some(name) => format!("{key} '{name}'"),
                    None => key.to_string(),
                });
                format!("the model has {}", keys.collect::<Vec<_>>().join(", "))
            }
        };
        Failure(format!("error: no keyframe '{text}': {known}"))
    })
}

/// A file that is written at the end. Its place is taken at once, by a file with a temporary name, so
/// that a long simulation does not end in front of a closed door; the name is given to it when it is
/// complete, so that no part of a file is left where the disk is full.
pub(crate) struct Output {
    pub(crate) path: PathBuf,
    file: std::fs::File,
    /// Removed when this is dropped, if it is still there.
    temporary: Option<PathBuf>,
}

impl Output {
    /// Opens a file for writing.
    pub(crate) fn create(path: &Path) -> Result<Output, Failure> {
        let failure = |error| Failure::writing(path, &error);
        let kind = std::fs::metadata(path);
        if kind.as_ref().is_ok_and(|kind| !kind.is_file()) {
            // a device or a pipe, or a directory, which fails
            let file = std::fs::File::create(path).map_err(failure)?;
            return Ok(Output { path: path.to_owned(), file, temporary: None });
        }
        if kind.is_ok() {
            // one that may not be written to stays, also where its directory may be
            std::fs::File::options().write(true).open(path).map_err(failure)?;
        }
        let name = path.file_name().ok_or_else(|| failure(io::ErrorKind::InvalidInput.into()))?;
        let mut temporary = std::ffi::OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{}.part", std::process::id()));
        let temporary = path.with_file_name(temporary);
        let file = std::fs::File::create(&temporary).map_err(failure)?;
        Ok(Output { path: path.to_owned(), file, temporary: Some(temporary) })
    }

    /// Writes the file.
    pub(crate) fn write(
        mut self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, Failure> {
        let failure = |error| Failure::writing(&self.path, &error);
        let mut buffer = io::BufWriter::new(&self.file);
        content(&mut buffer).and_then(|()| buffer.flush()).map_err(failure)?;
        drop(buffer);
        if let Some(temporary) = &self.temporary {
            // a link stays one: what it leads to is replaced
            let target = self.path.canonicalize().unwrap_or_else(|_| self.path.clone());
            std::fs::rename(temporary, target).map_err(failure)?;
            self.temporary = None;
        }
        Ok(std::mem::take(&mut self.path))
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = std::fs::remove_file(temporary);
        }
    }
}
