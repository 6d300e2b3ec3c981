//! The `cortenforge` command: simulate, inspect, draw and measure models from the terminal.
//!
//! [`main`] is the whole command, for the program of that name and for the package of Python.
#![forbid(unsafe_code)]

mod bench;
mod compare;
mod compile;
mod complete;
mod controls;
mod cpu;
mod csv;
mod demo;
mod diagnostics;
mod hold;
mod info;
mod interrupt;
mod json;
mod npz;
mod plot;
mod progress;
mod read_npz;
mod render;
mod simulate;
mod source;
mod summary;
mod terminal;
mod text;
mod trajectory;
mod view;

use std::ffi::OsString;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};

pub use cpu::missing_instructions;

/// Physics simulation of robots, with MuJoCo's models and MuJoCo's numbers.
///
/// Without a command, shows a robot dog on its way to a flag.
#[derive(Parser)]
#[command(name = "cortenforge", version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  cortenforge                                    watch a robot dog walk to a flag
  cortenforge demo hand                          watch another robot do its task
  cortenforge view arm.xml                       show a model in the browser
  cortenforge info arm.xml                       show what is in a model
  cortenforge simulate arm.xml --time 10         simulate a model for ten seconds
  cortenforge simulate arm.xml --plot qpos,energy --plot-file arm.png
  cortenforge simulate arm.xml --keyframe home --hold --output arm.npz
  cortenforge simulate arm.xml --replay arm.html write a page that shows what happened
  cortenforge render arm.xml -o arm.png          draw a model
  cortenforge render arm.xml -o arm.gif --time 3 --camera side
  cortenforge compare arm.xml                    compare with the installed MuJoCo
  cortenforge bench arm.xml --seconds 5          measure how fast it steps
  cortenforge compile arm.xml -o flat.xml        write a model as one file

A MODEL is a file (MJCF, URDF), '-' for standard input, or the name of a built-in robot:
quadruped, arm, hand, cartpole, walker, humanoid, marionette.
Exit status: 0 if all went well, 1 if loading, simulating, comparing or writing failed, 2 for wrong
usage, 3 if a simulation diverged, 130 if the command was interrupted.";

#[derive(Subcommand)]
enum Command {
    /// Watch a built-in robot do its task, in the browser or in the terminal
    Demo(demo::Args),
    /// Simulate a model, and write or draw its trajectory
    Simulate(simulate::Args),
    /// Show what is in a model: sizes, options, tree, joints, actuators, sensors
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
    /// Write the completions of a shell to standard output
    Completions(complete::Args),
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

/// Exit status of a command that did what it was asked for.
const SUCCESS: u8 = 0;
/// Exit status of a command that failed.
const FAILURE: u8 = 1;
/// Exit status of a simulation that diverged.
const DIVERGED: u8 = 3;

/// What a command has to say.
struct Report {
    text: String,
    /// Whether it was ended before it was done.
    interrupted: bool,
    /// Exit status, if nothing interrupted it.
    status: u8,
}

impl From<String> for Report {
    fn from(text: String) -> Report {
        Report { text, interrupted: false, status: SUCCESS }
    }
}

/// Runs the command with its arguments, the first being its name, and returns the exit status.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(FAILURE);
        }
    };
    let result = match cli.command {
        None => demo::run(&demo::Args::default()),
        Some(Command::Demo(args)) => demo::run(&args),
        Some(Command::Simulate(args)) => simulate::run(&args),
        Some(Command::Info(args)) => info::run(&args),
        Some(Command::Render(args)) => render::run(&args),
        Some(Command::View(args)) => view::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Compile(args)) => compile::run(&args),
        Some(Command::Compare(args)) => return compare::run(&args),
        Some(Command::Completions(args)) => Ok(complete::run(&args).into()),
    };
    match result.and_then(|report| print(&report.text).map(|()| report)) {
        Ok(Report { interrupted: true, .. }) => interrupt::EXIT,
        Ok(report) => report.status,
        Err(failure) => {
            // nothing is left to tell anyone if this fails too
            let _ = writeln!(io::stderr(), "{failure}");
            FAILURE
        }
    }
}

/// Writes a report to standard output; a reader that has gone away is not an error.
fn print(report: &str) -> Result<(), Failure> {
    match io::stdout().write_all(report.as_bytes()).and_then(|()| io::stdout().flush()) {
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
