//! `cortenforge compare`: a model in this engine and in the installed MuJoCo, through Python.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::Command;

use crate::{FAILURE, SUCCESS};

/// Starts the comparison of the Python package, or tells which packages there are not.
const START: &str = "\
import importlib.util, sys
missing = [name for name in ('mujoco', 'cortenforge') if importlib.util.find_spec(name) is None]
if missing:
  sys.exit('missing ' + ' '.join(missing))
from cortenforge.compare import main
if sys.argv[1:] != ['--check']:
  sys.exit(main())
";

/// What it begins with then.
const MISSING: &str = "missing ";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files (MJCF, URDF)
    #[arg(required = true, value_name = "MODEL")]
    models: Vec<PathBuf>,
    /// Steps of the trajectory along which both are compared
    #[arg(long, value_name = "N", default_value = "100")]
    steps: u32,
    /// Show every field that was compared
    #[arg(long)]
    fields: bool,
    /// Report as JSON: a list with an object for each model
    #[arg(long)]
    json: bool,
    /// Python that has the packages mujoco and cortenforge [default: $PYTHON, or python3]
    #[arg(long, value_name = "PYTHON")]
    python: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> u8 {
    match compare(args) {
        Ok(code) => code,
        Err(message) => {
            let _ = writeln!(io::stderr(), "error: {message}");
            FAILURE
        }
    }
}

fn compare(args: &Args) -> Result<u8, String> {
    let given = args.python.clone().or_else(|| std::env::var_os("PYTHON").map(PathBuf::from));
    let python = given.unwrap_or_else(|| "python3".into());
    let name = python.display();
    // packages first: what goes wrong here is not about the model
    let check = Command::new(&python).args(["-c", START, "--check"]).output().map_err(|error| {
        format!("cannot run Python as '{name}': {error}; name it with --python")
    })?;
    let said = String::from_utf8_lossy(&check.stderr);
    if let Some(packages) = said.trim().strip_prefix(MISSING) {
        let packages = packages.replace(' ', " and ");
        return Err(format!(
            "the Python '{name}' has no package {packages}: the comparison needs mujoco==3.5.0 and \
             cortenforge; install them, or name another Python with --python"
        ));
    }
    if !check.status.success() {
        return Err(format!("the Python '{name}' cannot compare:\n{}", said.trim_end()));
    }
    let status = Command::new(&python)
        .args(["-c", START])
        .args(&args.models)
        .args(["--steps", &args.steps.to_string()])
        .args(args.fields.then_some("--fields"))
        .args(args.json.then_some("--json"))
        .status()
        .map_err(|error| format!("cannot run Python as '{name}': {error}"))?;
    Ok(match status.code() {
        Some(0) => SUCCESS,
        _ => FAILURE,
    })
}
