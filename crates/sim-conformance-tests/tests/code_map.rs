//! The map in ARCHITECTURE.md is that of the folders.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The paths in the code map: a line names an entry, two spaces deeper than the folder it is in.
/// Several files may share a line.
fn mapped() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let map = text.split("```text\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let mut folders: Vec<String> = Vec::new();
    let mut found = BTreeSet::new();
    for line in map.lines() {
        let depth = (line.len() - line.trim_start().len()) / 2;
        // lines further right continue a description
        if depth > folders.len() {
            continue;
        }
        folders.truncate(depth);
        let names = line.split_whitespace();
        for name in names.take_while(|name| name.ends_with('/') || name.ends_with(".rs")) {
            let path = folders.concat() + name;
            if name.ends_with('/') {
                folders.push(name.to_owned());
            }
            found.insert(path.trim_end_matches('/').to_owned());
        }
    }
    found
}

/// Folders and files of modules right in `src`, as the map names them.
fn modules(krate: &str) -> Vec<String> {
    let entries = fs::read_dir(root().join("crates").join(krate).join("src")).unwrap();
    let names = entries.map(|entry| entry.unwrap()).filter_map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        let is_folder = entry.file_type().unwrap().is_dir();
        (is_folder || name.ends_with(".rs") && name != "lib.rs").then_some(name)
    });
    names.map(|name| format!("crates/{krate}/{name}")).collect()
}

#[test]
fn everything_in_the_map_exists() {
    let mapped = mapped();
    assert!(mapped.len() > 30, "{mapped:?}");
    for path in &mapped {
        // modules are named without their folder `src`
        let parts: Vec<&str> = path.split('/').collect();
        let in_src = match parts.as_slice() {
            ["crates", krate, rest @ ..] => format!("crates/{krate}/src/{}", rest.join("/")),
            _ => path.clone(),
        };
        let exists = root().join(path).exists() || root().join(&in_src).exists();
        assert!(exists, "{path} is in the map and nowhere else");
    }
}

#[test]
fn crates_and_modules_of_the_core_are_in_the_map() {
    let mapped = mapped();
    let crates = fs::read_dir(root().join("crates")).unwrap();
    let mut expected: Vec<String> = crates
        .map(|entry| format!("crates/{}", entry.unwrap().file_name().into_string().unwrap()))
        .collect();
    expected.extend(modules("sim-core"));
    let missing: Vec<_> = expected.iter().filter(|path| !mapped.contains(*path)).collect();
    assert!(missing.is_empty(), "not in the map: {missing:?}");
}
