//! Says when the library is built for less than the processor it runs on could do.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-env-changed=CORTENFORGE_QUIET");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let x86 = variable("CARGO_CFG_TARGET_ARCH") == "x86_64";
    let avx2 = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "avx2");
    if variable("PROFILE") != "release" || env::var_os("CORTENFORGE_QUIET").is_some() {
        return;
    }
    if x86 && !avx2 {
        println!(
            "cargo:warning=built for any x86-64 processor; for those with AVX2 it is up to 1.3 times as \
             fast, with the same bits, with these lines in .cargo/config.toml: \
             [target.'cfg(target_arch = \"x86_64\")'] rustflags = [\"-Ctarget-cpu=x86-64-v3\"] \
             (docs/performance.md, \"Speed in your project\"; CORTENFORGE_QUIET=1 hides this)"
        );
    }
    if !matches!(variable("OPT_LEVEL").as_str(), "2" | "3") {
        println!(
            "cargo:warning=built with opt-level {}: a simulation wants 3",
            variable("OPT_LEVEL")
        );
    }
}
