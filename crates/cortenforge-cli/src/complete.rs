//! `cortenforge completions`: what a shell completes.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Cli;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell: bash, zsh, fish, elvish or powershell
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> String {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cortenforge", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}
