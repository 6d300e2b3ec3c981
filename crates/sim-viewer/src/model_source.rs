//! Where a model comes from, and whether it has changed there.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sim_core::Model;
use sim_mjcf::Spec;

/// What a model is made from.
#[derive(Debug, Clone, Default)]
pub enum ModelSource {
    /// It was given as it is.
    #[default]
    Given,
    /// A file on this machine.
    File(PathBuf),
    /// A compiled model that a page brought.
    Binary {
        /// Name of the file.
        name: String,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// Text and assets that a page brought.
    Files {
        /// Text of the model.
        main: String,
        /// Name of the file with the text.
        name: String,
        /// Other files.
        assets: HashMap<String, Vec<u8>>,
    },
}

/// Files whose changes are noticed.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

fn modified(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|data| data.modified()).ok()
}

impl Watched {
    fn new(paths: impl IntoIterator<Item = PathBuf>) -> Watched {
        let files = paths.into_iter().map(|path| {
            let time = modified(&path);
            (path, time)
        });
        Watched { files: files.collect() }
    }

    /// Whether a file has changed since the last call.
    pub(crate) fn changed(&mut self) -> bool {
        let mut changed = false;
        for (path, time) in &mut self.files {
            let now = modified(path);
            // a file that is being replaced may be absent for a moment
            if now.is_some() && now != *time {
                *time = now;
                changed = true;
            }
        }
        changed
    }
}

/// Whether a file has a compiled model.
fn is_binary(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mjb"))
}

fn from_bytes(bytes: &[u8]) -> Result<Option<Model>, String> {
    Model::from_bytes(bytes).map(Some).map_err(|error| error.to_string())
}

impl ModelSource {
    /// Loads the model. The error quotes the source.
    pub(crate) fn load(&self) -> (Result<Option<Model>, String>, Watched) {
        match self {
            ModelSource::Given => (Ok(None), Watched::default()),
            ModelSource::File(path) if is_binary(path) => {
                let bytes = std::fs::read(path).map_err(|error| error.to_string());
                let model = bytes.and_then(|bytes| from_bytes(&bytes));
                let model = model.map_err(|error| format!("error: '{}': {error}", path.display()));
                (model, Watched::new([path.clone()]))
            }
            ModelSource::Binary { name, bytes } => {
                let model = from_bytes(bytes).map_err(|error| format!("error: '{name}': {error}"));
                (model, Watched::default())
            }
            ModelSource::File(path) => {
                let folder = path.parent().unwrap_or(Path::new(""));
                match Spec::from_file(path) {
                    Ok(spec) => {
                        let parts = spec.source_files().skip(1).map(|name| folder.join(name));
                        let watched = Watched::new([path.clone()].into_iter().chain(parts));
                        let model = spec.compile().map(|loaded| Some(loaded.model));
                        (model.map_err(|error| error.to_string()), watched)
                    }
                    Err(error) => {
                        let named = error.file().map(|file| folder.join(file));
                        let watched = Watched::new([path.clone()].into_iter().chain(named));
                        (Err(error.to_string()), watched)
                    }
                }
            }
            ModelSource::Files { main, assets, .. } => {
                let loaded = sim_mjcf::load_str_with_assets(main, assets);
                let model = loaded.map(|loaded| Some(loaded.model));
                (model.map_err(|error| error.to_string()), Watched::default())
            }
        }
    }

    /// The model as XML, if it comes from XML.
    pub(crate) fn xml(&self) -> Option<Result<String, String>> {
        let spec = match self {
            ModelSource::Given | ModelSource::Binary { .. } => return None,
            ModelSource::File(path) if is_binary(path) => return None,
            ModelSource::File(path) => Spec::from_file(path),
            ModelSource::Files { main, assets, .. } => Spec::from_str_with_assets(main, assets),
        };
        Some(spec.map(|spec| spec.to_xml()).map_err(|error| error.to_string()))
    }

    /// Chooses the model among files that a page brought: XML that no other XML includes, by
    /// preference called scene. A compiled model comes alone.
    pub(crate) fn from_files(files: Vec<(String, Vec<u8>)>) -> Result<ModelSource, String> {
        if let [(name, bytes)] = &files[..]
            && is_binary(Path::new(name))
        {
            return Ok(ModelSource::Binary { name: name.clone(), bytes: bytes.clone() });
        }
        let is_xml = |name: &str| {
            let ending = name.rsplit('.').next().unwrap_or_default();
            ["xml", "mjcf"].iter().any(|known| ending.eq_ignore_ascii_case(known))
        };
        let texts: Vec<(&str, String)> = files
            .iter()
            .filter(|(name, _)| is_xml(name))
            .map(|(name, bytes)| (name.as_str(), String::from_utf8_lossy(bytes).into_owned()))
            .collect();
        let last = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
        let included = |name: &str| {
            let quoted = [format!("\"{}\"", last(name)), format!("/{}\"", last(name))];
            texts.iter().any(|(other, text)| {
                *other != name && quoted.iter().any(|quoted| text.contains(quoted.as_str()))
            })
        };
        let rank = |(name, text): &&(&str, String)| {
            let scene = last(name).to_lowercase().starts_with("scene");
            (!text.contains("<mujoco"), included(name), !scene, name.matches('/').count())
        };
        let main = texts.iter().min_by_key(rank);
        let (name, text) = main.ok_or("none of the files is XML")?;
        // names are as the folder of the model sees them
        let folder = name.rfind('/').map_or("", |end| &name[..=end]);
        let relative = |name: &str| name.strip_prefix(folder).unwrap_or(name).to_owned();
        let (main, name) = (text.clone(), last(name));
        let assets = files.iter().map(|(name, bytes)| (relative(name), bytes.clone())).collect();
        Ok(ModelSource::Files { main, name, assets })
    }

    /// A name to show.
    pub(crate) fn name(&self) -> Option<String> {
        match self {
            ModelSource::Given => None,
            ModelSource::File(path) => path.file_stem().map(|name| name.to_string_lossy().into()),
            ModelSource::Files { name, .. } | ModelSource::Binary { name, .. } => {
                Some(name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_that_includes_is_chosen_and_finds_the_other() {
        let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
        let arm = "<mujoco><worldbody><body><geom size='.1'/></body></worldbody></mujoco>";
        let files = vec![
            file("robot/arm.xml", arm),
            file("robot/room.xml", "<mujoco><include file=\"arm.xml\"/></mujoco>"),
            file("robot/notes.txt", "hello"),
        ];
        let source = ModelSource::from_files(files).unwrap();
        assert_eq!(source.name().as_deref(), Some("room"));
        assert_eq!(source.load().0.unwrap().unwrap().ngeom, 1);
    }

    #[test]
    fn a_compiled_model_loads_and_a_broken_one_is_told() {
        let xml = "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>";
        let bytes = sim_mjcf::load_str(xml).unwrap().model.to_bytes();
        let drop = |bytes: &[u8]| {
            ModelSource::from_files(vec![("a.mjb".into(), bytes.to_vec())]).unwrap().load().0
        };
        assert_eq!(drop(&bytes).unwrap().unwrap().ngeom, 1);
        assert!(drop(&bytes[..40]).unwrap_err().contains("a.mjb"));
    }

    #[test]
    fn a_dropped_model_reads_no_file_of_this_machine() {
        let path = std::env::temp_dir().join(format!("viewer-secret-{}.xml", std::process::id()));
        std::fs::write(&path, "<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>").unwrap();
        let text = format!("<mujoco><include file=\"{}\"/></mujoco>", path.display());
        let source = ModelSource::from_files(vec![("a.xml".into(), text.into_bytes())]).unwrap();
        let loaded = source.load().0;
        std::fs::remove_file(&path).unwrap();
        assert!(loaded.is_err());
    }
}
