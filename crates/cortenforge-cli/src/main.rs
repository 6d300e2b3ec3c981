//! The `cortenforge` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    match cortenforge_cli::missing_instructions() {
        Some(words) => {
            eprintln!("{words}");
            ExitCode::FAILURE
        }
        None => run(),
    }
}

// apart, so that its instructions come after the question
#[inline(never)]
fn run() -> ExitCode {
    ExitCode::from(cortenforge_cli::main(std::env::args_os()))
}
