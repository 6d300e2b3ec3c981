//! The `cortenforge` command: simulate, inspect and measure models from the terminal.
#![forbid(unsafe_code)]

mod bench;
mod compare;
mod compile;
mod controls;
mod csv;
mod info;
mod interrupt;
mod npz;
mod plot;
mod progress;
mod read_npz;
mod render;
mod simulate;
mod source;
mod summary;
mod text;
mod trajectory;
mod view;

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Physics simulation of MuJoCo's MJCF models.
///
/// Without a command, simulates the built-in marionette for five seconds and reports.
#[derive(Parser)]
#[command(name = "cortenforge", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  cortenforge                                    simulate the built-in marionette
  cortenforge simulate arm.xml --time 10         simulate a model for ten seconds
  cortenforge simulate arm.xml --plot qpos,energy --plot-file arm.png
  cortenforge simulate arm.xml --keyframe home --controls moves.csv --output arm.npz
  cortenforge simulate arm.xml --replay arm.html write a page that shows what happened
  cortenforge view arm.xml                       show a model in the browser
  cortenforge info arm.xml                       show what is in a model
  cortenforge render arm.xml -o arm.png          draw a model
  cortenforge render arm.xml -o arm.gif --time 3 --camera side
  cortenforge compare arm.xml                    compare with the installed MuJoCo
  cortenforge bench arm.xml --seconds 5          measure how fast it steps
  cortenforge compile arm.xml -o flat.xml        write a model as one file

Commands that take a MODEL use the built-in marionette when none is given.
Exit status: 0 if all went well, 1 if loading, simulating, comparing or writing failed, 2 for wrong
usage, 130 if the command was interrupted.";

#[derive(Subcommand)]
enum Command {
    /// Simulate a model, and write or draw its trajectory
    Simulate(simulate::Args),
    /// Show what is in a model: sizes, options, tree, joints
    Info(info::Args),
    /// Draw a model: a picture, or a video of what it does
    Render(render::Args),
    /// Show a model in the browser, moving in real time
    View(view::Args),
    /// Measure how fast a model steps
    Bench(bench::Args),
    /// Compare with the installed MuJoCo, through Python
    Compare(compare::Args),
    /// Compile a model, and write it as one file with only what differs from the defaults
    Compile(compile::Args),
}

/// What ends the command with exit status 1.
#[derive(Debug)]
struct Failure(String);

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Failure {
    /// A file that could not be written.
    fn writing(path: &Path, error: &io::Error) -> Failure {
        Failure(format!("error: cannot write '{}': {error}", path.display()))
    }
}

/// What a command has to say.
struct Report {
    text: String,
    /// Whether it was ended before it was done.
    interrupted: bool,
}

impl From<String> for Report {
    fn from(text: String) -> Report {
        Report { text, interrupted: false }
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        None => simulate::run(&simulate::Args::demo()),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Info(args)) => info::run(&args).map(Report::from),
        Some(Command::Render(args)) => render::run(&args),
        Some(Command::View(args)) => view::run(&args),
        Some(Command::Bench(args)) => bench::run(&args).map(Report::from),
        Some(Command::Compile(args)) => compile::run(&args).map(Report::from),
        Some(Command::Compare(args)) => return compare::run(&args),
    };
    match result.and_then(|report| print(&report.text).map(|()| report)) {
        Ok(Report { interrupted: true, .. }) => ExitCode::from(interrupt::EXIT),
        Ok(_) => ExitCode::SUCCESS,
        Err(failure) => {
            // nothing is left to tell anyone if this fails too
            let _ = writeln!(io::stderr(), "{failure}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a report to standard output; a reader that has gone away is not an error.
fn print(report: &str) -> Result<(), Failure> {
    match io::stdout().write_all(report.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::writing(&PathBuf::from("standard output"), &error))
        }
        _ => Ok(()),
    }
}

/// Whether the name of a file has an ending, in capitals or not.
fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// Reads a positive, finite number of seconds.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value.is_finite() => Ok(value),
        Ok(_) => Err("must be a positive number of seconds".into()),
        Err(_) => Err("not a number".into()),
    }
}
