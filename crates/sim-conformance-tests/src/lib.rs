//! Comparison of CortenForge with MuJoCo 3.5.0, physical properties, determinism, allocation and
//! bad input.
//!
//! The tests of this crate need no MuJoCo: `golden/` holds what the reference says about every
//! model of `models/`, written by `python/golden.py` (`make golden`). `python/conform.py` compares
//! with an installed MuJoCo on any directory of models (`make conform MODELS=dir`), and
//! `python/bench.py` compares speed (`make bench`), `python/gymnasium_envs.py` what agents see.
#![forbid(unsafe_code)]

pub mod compare;
pub mod golden;

use std::path::{Path, PathBuf};

/// The directory of the models that are shared by tests, benches and examples.
pub fn models_dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Names of the models in `models/`, sorted. Each has golden data.
pub fn model_names() -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(models_dir())
        .expect("the models are part of the repository")
        .map(|entry| entry.expect("a directory entry is readable").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "xml"))
        .map(|path| path.file_stem().expect("a model has a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// Loads a model of `models/`.
///
/// # Panics
/// Panics with the message of the loader if the model does not load.
pub fn load(name: &str) -> sim_core::Model {
    let path = models_dir().join(format!("{name}.xml"));
    match sim_mjcf::load_file(&path) {
        Ok(loaded) => loaded.model,
        Err(err) => panic!("{err}"),
    }
}

/// Compiles a model from text.
///
/// # Panics
/// Panics with the message of the loader if the model does not load.
pub fn parse(xml: &str) -> sim_core::Model {
    match sim_mjcf::load_str(xml) {
        Ok(loaded) => loaded.model,
        Err(err) => panic!("{err}"),
    }
}

/// Every array of `data` as bits.
pub fn bits(data: &sim_core::Data) -> Vec<u64> {
    let mut bits = vec![data.time.to_bits()];
    for field in sim_core::Data::FIELDS {
        let array = data.array(field.name).expect("a field has an array");
        bits.extend((0..array.len()).map(|i| array.value(i).to_bits()));
    }
    bits
}
