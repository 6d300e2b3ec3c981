//! `cortenforge compile`: a model as one file of MJCF, in canonical form.

use std::io::{self, Write};
use std::path::PathBuf;

use crate::Failure;
use crate::source::{Limits, Output};
use crate::summary::sizes;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// MJCF file
    model: PathBuf,
    #[command(flatten)]
    limits: Limits,
    /// File to write [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only check that the model compiles, and write nothing
    #[arg(long, conflicts_with = "output")]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let failure = |error: cortenforge::Error| Failure(error.to_string());
    let spec = args.limits.loader()?.read_file(&args.model).map_err(failure)?;
    let loaded = spec.compile().map_err(failure)?;
    for warning in &loaded.warnings {
        let _ = writeln!(io::stderr(), "{warning}");
    }
    if args.check {
        return Ok(format!("{}: {}\n", args.model.display(), sizes(&loaded.model)));
    }
    let text = spec.to_xml();
    match &args.output {
        Some(path) => {
            Output::create(path)?.write(|file| file.write_all(text.as_bytes()))?;
            Ok(String::new())
        }
        None => Ok(text),
    }
}
