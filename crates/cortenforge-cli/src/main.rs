//! The `cortenforge` command.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(cortenforge_cli::main(std::env::args_os()))
}
