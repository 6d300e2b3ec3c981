//! Where a model comes from, and where its simulation starts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use cortenforge::model::ObjType;
use cortenforge::{Data, Model, load_file, load_str};

use crate::Failure;
use crate::text::model_name;

/// The model that is simulated when none is named.
const DEMO: &str = include_str!("../../../models/demo.xml");

/// A model with a name to print.
pub(crate) struct Source {
    pub(crate) model: Model,
    /// The name that the model gives itself, else that of its file.
    pub(crate) title: String,
    /// Whether this is the built-in model.
    builtin: bool,
}

impl Source {
    /// Loads a model, or the built-in one. Warnings go to standard error.
    pub(crate) fn load(path: Option<&Path>) -> Result<Source, Failure> {
        let loaded = match path {
            Some(path) => load_file(path),
            None => load_str(DEMO),
        };
        let loaded = loaded.map_err(|error| Failure(error.to_string()))?;
        for warning in &loaded.warnings {
            let _ = writeln!(io::stderr(), "{warning}");
        }
        let model = loaded.model;
        let stem = path.and_then(Path::file_stem).map(|stem| stem.to_string_lossy());
        let title = match (model_name(&model), stem) {
            ("" | "MuJoCo Model", Some(stem)) => stem.into_owned(),
            (name, _) => name.to_owned(),
        };
        Ok(Source { model, title, builtin: path.is_none() })
    }

    /// Makes the data of a simulation that starts at a keyframe, given by name or index. Without
    /// one, models start in their reference state, and the built-in model where its show begins.
    pub(crate) fn start(&self, keyframe: Option<&str>) -> Result<Data, Failure> {
        let mut data = Data::new(&self.model);
        match keyframe {
            Some(text) => data.reset_keyframe(&self.model, find_keyframe(&self.model, text)?),
            None if self.builtin => data.reset_keyframe(&self.model, 0),
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

/// A file that is written at the end. It is opened at once, so that a long simulation does not end
/// in front of a closed door.
pub(crate) struct Output {
    pub(crate) path: PathBuf,
    file: std::fs::File,
}

impl Output {
    /// Opens a file for writing.
    pub(crate) fn create(path: &Path) -> Result<Output, Failure> {
        match std::fs::File::create(path) {
            Ok(file) => Ok(Output { path: path.to_owned(), file }),
            Err(error) => Err(Failure::writing(path, &error)),
        }
    }

    /// Writes the file.
    pub(crate) fn write(
        self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<PathBuf, Failure> {
        let mut buffer = io::BufWriter::new(self.file);
        match content(&mut buffer).and_then(|()| buffer.flush()) {
            Ok(()) => Ok(self.path),
            Err(error) => Err(Failure::writing(&self.path, &error)),
        }
    }
}
