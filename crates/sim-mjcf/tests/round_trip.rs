//! Reading, writing and reading again gives the same model, to the last bit.

mod common;

use std::fs;
use std::panic;
use std::path::{Path, PathBuf};

use common::{above, difference};
use sim_core::Model;
use sim_core::fields::Char;
use sim_mjcf::Spec;

/// What goes wrong with a model on its way out and in; an error if it does not load at all.
fn round_trip(path: &Path) -> Result<Option<String>, sim_mjcf::Error> {
    let mut spec = Spec::from_file(path)?;
    // the format has no words for these
    for flex in spec.flexes.ids().to_vec() {
        spec[flex].passive = 0;
        if !spec[flex].node.is_empty() {
            spec.delete(flex)?;
        }
    }
    let first = spec.compile()?.model;
    let text = spec.to_xml();

    let dir = path.parent().unwrap_or(Path::new(""));
    let again = match Spec::from_str_in(&text, dir) {
        Ok(again) => again,
        Err(error) => return Ok(Some(format!("what was written is not read: {error}"))),
    };
    if again.to_xml() != text {
        return Ok(Some(String::from("writing again gives another text")));
    }
    Ok(match again.compile() {
        Ok(second) => difference(&without_directories(first), &without_directories(second.model)),
        Err(error) => Some(format!("what was written does not compile: {error}")),
    })
}

/// The model with the last parts of its paths: files of an attached model are written as they are
/// seen from the directory of the model that it is attached to.
fn without_directories(mut model: Model) -> Model {
    let text: Vec<u8> = model.paths.iter().map(|c| c.0).collect();
    let mut paths = Vec::new();
    let mut strip = |address: &mut i32| {
        if let Ok(start) = usize::try_from(*address) {
            let path = text[start..].split(|&c| c == 0).next().unwrap_or_default();
            *address = paths.len() as i32;
            paths.extend(path.rsplit(|&c| c == b'/').next().unwrap_or_default());
            paths.push(0);
        }
    };
    model.hfield_pathadr.iter_mut().for_each(&mut strip);
    model.mesh_pathadr.iter_mut().for_each(&mut strip);
    model.tex_pathadr.iter_mut().for_each(&mut strip);
    model.npaths = paths.len();
    model.paths = paths.into_iter().map(Char).collect();
    model
}

/// The files of a directory and those below, in order.
fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut dirs = vec![dir.to_owned()];
    while let Some(dir) = dirs.pop() {
        let entries = fs::read_dir(&dir).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// How many models load, and what goes wrong with which.
fn round_trips(dir: &Path) -> (usize, Vec<String>) {
    let (mut loaded, mut wrong) = (0, Vec::new());
    for path in files(dir) {
        let name = path.display();
        match panic::catch_unwind(|| round_trip(&path)) {
            Ok(Err(_)) => {}
            Ok(Ok(None)) => loaded += 1,
            Ok(Ok(Some(fault))) => wrong.push(format!("{name}: {fault}")),
            Err(_) => wrong.push(format!("{name}: panics")),
        }
    }
    (loaded, wrong)
}

#[test]
fn every_model_of_the_repository_survives_the_round_trip() {
    let (loaded, wrong) = round_trips(&above(2, "models"));
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n"));
    assert!(loaded >= 50, "only {loaded} models load");
}

/// Models of others, which are not part of the repository: those that load have to survive.
#[test]
fn every_model_of_others_survives_the_round_trip() {
    let corpus = std::env::var_os("CORPUS").map(PathBuf::from);
    let corpus = corpus.unwrap_or_else(|| above(3, "shared/models"));
    if !corpus.is_dir() {
        println!("no models in {}: the round trip over them is left out", corpus.display());
        return;
    }
    let (loaded, wrong) = round_trips(&corpus);
    println!("{loaded} of {} files load and survive", files(&corpus).len());
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n"));
}
