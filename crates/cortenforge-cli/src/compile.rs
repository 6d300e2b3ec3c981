//! `cortenforge compile`: a model as one file of MJCF, in canonical form.

use std::io::Write;
use std::path::{Path, PathBuf};

use cortenforge::{Error, Loaded, Spec};

use crate::json::Json;
use crate::source::{Limits, Output, read};
use crate::summary::sizes;
use crate::{FAILURE, Failure, Report, diagnostics};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files (MJCF, URDF), or '-' for standard input; several with --check
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// File to write, or '-' [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Only check that the models compile, and write nothing
    #[arg(long, conflicts_with = "output")]
    check: bool,
    /// Report as JSON: a list with an object for each model; checks only
    #[arg(long, conflicts_with = "output")]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let compiled = |path: &Path| -> Result<Result<(Spec, Loaded), Error>, Failure> {
        Ok(read(path, &args.limits)?.and_then(|spec| {
            let loaded = spec.compile()?;
            Ok((spec, loaded))
        }))
    };
    if args.check || args.json {
        return check(args, &|path| Ok(compiled(path)?.map(|(_, loaded)| loaded)));
    }
    let [path] = &args.models[..] else {
        return Err(Failure("error: one model is written at a time; --check takes several".into()));
    };
    let (spec, loaded) = compiled(path)?.map_err(|error| diagnostics::failure(&error))?;
    diagnostics::warn(&loaded.warnings);
    let text = spec.to_xml();
    match &args.output {
        Some(path) if path != Path::new("-") => {
            Output::create(path)?.write(|file| file.write_all(text.as_bytes()))?;
            Ok(String::new().into())
        }
        _ => Ok(text.into()),
    }
}

/// A model, or what is wrong with it; or why it could not be asked for.
type Compiled = Result<Result<Loaded, Error>, Failure>;

/// Compiles every model, and tells which of them do not.
fn check(args: &Args, compiled: &dyn Fn(&Path) -> Compiled) -> Result<Report, Failure> {
    let (mut text, mut list, mut failed) = (String::new(), Vec::new(), false);
    for path in &args.models {
        let name = path.display();
        let result = compiled(path)?;
        failed |= result.is_err();
        if args.json {
            let warnings = |loaded: &Loaded| loaded.warnings.iter().map(|w| w.message()).collect();
            list.push(Json::Object(vec![
                ("model", name.to_string().into()),
                ("ok", result.is_ok().into()),
                ("warnings", result.as_ref().map_or(Json::List(Vec::new()), warnings)),
                ("errors", result.as_ref().err().map_or(Json::List(Vec::new()), diagnostics::json)),
            ]));
            continue;
        }
        match result {
            Ok(loaded) => {
                diagnostics::warn(&loaded.warnings);
                text += &format!("{name}: {}\n", sizes(&loaded.model));
            }
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "{}", diagnostics::failure(&error));
            }
        }
    }
    if args.json {
        text = Json::List(list).text();
    }
    Ok(Report { status: if failed { FAILURE } else { 0 }, ..text.into() })
}
