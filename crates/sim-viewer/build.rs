//! Packs the page: its modules are joined to one script without imports, and everything is deflated.

use std::path::Path;
use std::{env, fs};

/// Modules, each after those that it imports from. Their top-level names differ.
const MODULES: &[&str] = &[
    "math", "decode", "shapes", "shaders", "renderer", "camera", "widgets", "plots", "panels",
    "timeline", "source", "main",
];

fn main() {
    println!("cargo:rerun-if-changed=page");
    let read = |name: &str| {
        let path = Path::new("page").join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let script = join(MODULES.iter().map(|name| read(&format!("{name}.js"))));
    let parts = [read("index.html"), read("style.css"), script, read("icon.svg")].join("\0");
    let packed = miniz_oxide::deflate::compress_to_vec(parts.as_bytes(), 10);
    let folder = env::var_os("OUT_DIR").expect("cargo names a folder");
    fs::write(Path::new(&folder).join("page.z"), packed).expect("the folder can be written to");
}

/// The modules as one script: without lines that import, and without the word `export`.
fn join(modules: impl Iterator<Item = String>) -> String {
    let mut script = String::new();
    let mut importing = false;
    for line in modules.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()) {
        importing |= line.starts_with("import ");
        if !importing {
            script.push_str(line.strip_prefix("export ").unwrap_or(&line));
            script.push('\n');
        }
        importing &= !line.ends_with(';');
    }
    script
}
