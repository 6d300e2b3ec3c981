//! `cortenforge view`: a model in the browser.

use std::io::{self, Write};
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use sim_viewer::{ModelSource, ServerOptions, Session, Viewer};

use crate::interrupt::Interrupt;
use crate::source::{Limits, Source, find_keyframe, find_robot};
use crate::{Failure, Report};

/// Time without pages after which the command ends: enough to reload one.
const LINGER: Duration = Duration::from_secs(3);

#[derive(clap::Args)]
pub(crate) struct Args {
    /// File (MJCF, URDF), '-' for standard input, or a built-in robot [default: quadruped]
    model: Option<PathBuf>,
    /// Keyframe to start from, by name or index
    #[arg(long, value_name = "K")]
    keyframe: Option<String>,
    /// Start paused
    #[arg(long)]
    paused: bool,
    /// Port to listen on; 0: any that is free
    #[arg(long, value_name = "N", default_value = "0")]
    port: u16,
    /// Address to listen on; others than this machine can then connect
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    host: IpAddr,
    /// Do not open a browser
    #[arg(long)]
    no_browser: bool,
    /// Show N simulations side by side; all but the first have noise on their controls
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    grid: u32,
    /// Go on when the last page is closed
    #[arg(long)]
    stay: bool,
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let mut session = open(args)?;
    if args.paused {
        session.pause();
    }
    if args.grid > 1 {
        session.multiply(args.grid as usize, 0.5);
    }
    let options = ServerOptions { host: args.host, port: args.port, ..ServerOptions::default() };
    let viewer = Viewer::start(options).map_err(|error| {
        Failure(format!("error: cannot listen on {} port {}: {error}", args.host, args.port))
    })?;
    if !args.host.is_loopback() {
        let _ = writeln!(
            io::stderr(),
            "warning: other machines can connect; whoever has the address below can control the \
             simulation, and it travels unencrypted"
        );
    }
    // whoever waits for the address gets it at once
    let address = format!("{}\n", viewer.url());
    let _ = io::stdout().write_all(address.as_bytes()).and_then(|()| io::stdout().flush());
    if !args.no_browser {
        open_browser(&viewer.url());
    }
    let interrupt = Interrupt::listen();
    let linger = (!args.stay).then_some(LINGER);
    session.run(&viewer, linger, &|| interrupt.asked());
    Ok(Report { interrupted: interrupt.asked(), ..String::new().into() })
}

/// The session. A model that does not load is shown with its error, and loaded when it is mended.
fn open(args: &Args) -> Result<Session, Failure> {
    let named = args.model.as_ref().filter(|path| find_robot(path).is_none());
    let Some(path) = named else {
        let source = Source::load(args.model.as_deref(), &Limits::default())?;
        let data = source.start(args.keyframe.as_deref())?;
        return Ok(Session::new(source.model, data, &source.title));
    };
    if !path.exists() {
        return Err(Failure(format!(
            "error: cannot read '{}': there is no such file",
            path.display()
        )));
    }
    let mut session = Session::open(ModelSource::File(path.clone()));
    if let Some(error) = session.error() {
        let _ = writeln!(io::stderr(), "{error}");
    } else if let Some(text) = &args.keyframe {
        session.start_at(find_keyframe(session.model(), text)?);
    }
    Ok(session)
}

/// Opens the address in the user's browser, if there is a way.
pub(crate) fn open_browser(url: &str) {
    use std::process::{Command, Stdio};
    let commands: &[&[&str]] = match std::env::consts::OS {
        "macos" => &[&["open"]],
        "windows" => &[&["rundll32", "url.dll,FileProtocolHandler"]],
        _ => &[&["xdg-open"]],
    };
    for words in commands {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(url);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if command.spawn().is_ok() {
            return;
        }
    }
}
