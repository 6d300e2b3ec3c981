//! `cortenforge compare`: what it says when Python, or its packages, are not there. That it compares
//! is tested where they are, with the Python package.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn directory(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("compare").join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("the directory can be made");
    path
}

fn compare(python: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cortenforge"));
    command.arg("compare").args(args).env("PYTHON", python).output().expect("the command runs")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the errors are UTF-8")
}

/// A program that behaves as Python would.
#[cfg(unix)]
fn program(directory: &Path, script: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let path = directory.join("python");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn python_that_is_not_there_is_named() {
    let output = compare(Path::new("no/such/python"), &["model.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("cannot run Python as 'no/such/python'"), "{message}");
    assert!(message.contains("--python"), "{message}");
}

#[cfg(unix)]
#[test]
fn packages_that_are_not_there_are_named() {
    let python = program(&directory("missing"), "echo 'missing mujoco cortenforge' >&2; exit 1");
    let output = compare(&python, &["model.xml"]);
    assert_eq!(output.status.code(), Some(1));
    let message = stderr(&output);
    assert!(message.contains("has no package mujoco and cortenforge"), "{message}");
    let python = program(&directory("broken"), "echo 'ImportError: libm' >&2; exit 1");
    let message = stderr(&compare(&python, &["model.xml"]));
    assert!(message.contains("cannot compare") && message.contains("ImportError"), "{message}");
}

#[cfg(unix)]
#[test]
fn the_result_of_python_is_the_result() {
    let directory = directory("result");
    let ends_with = |status: i32| {
        let script = format!(
            "if [ \"$3\" = --check ]; then exit 0; fi; shift 2; echo \"$@\"; exit {status}"
        );
        let python = program(&directory, &script);
        let output = compare(&python, &["a.xml", "b.xml", "--steps", "7", "--fields"]);
        let said = String::from_utf8(output.stdout).unwrap();
        assert_eq!(said, "a.xml b.xml --steps 7 --fields\n");
        output.status.code()
    };
    assert_eq!(ends_with(0), Some(0));
    assert_eq!(ends_with(1), Some(1));
}
