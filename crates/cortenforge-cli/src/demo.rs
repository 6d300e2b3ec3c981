//! `cortenforge demo`, and `cortenforge` alone: a robot does its task.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use cortenforge::robots::{self, Robot};
use cortenforge::{Data, Model, forward, step};
use sim_viewer::{ServerOptions, Session, Viewer};

use crate::interrupt::Interrupt;
use crate::summary::{Summary, sizes};
use crate::terminal::{Colours, Screen};
use crate::text::facts;
use crate::trajectory::energy;
use crate::view::open_browser;
use crate::{Failure, Report};

/// Time from picture to picture in the terminal.
const FRAME: Duration = Duration::from_millis(40);
/// Time that a browser gets to show up.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time without pages after which the demo ends: enough to reload one.
const LINGER: Duration = Duration::from_secs(2);

#[derive(clap::Args, Default)]
pub(crate) struct Args {
    /// quadruped, arm, hand, cartpole, walker, humanoid or marionette
    #[arg(value_parser = robot)]
    robot: Option<&'static Robot>,
    /// Draw in the terminal, also where there is a browser
    #[arg(long)]
    terminal: bool,
    /// Draw nothing: simulate as fast as it goes, and report
    #[arg(long, conflicts_with = "terminal")]
    quiet: bool,
}

fn robot(name: &str) -> Result<&'static Robot, String> {
    robots::find(name).ok_or_else(|| {
        let names: Vec<&str> = robots::ALL.iter().map(|robot| robot.name).collect();
        format!("the robots are {}", names.join(", "))
    })
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let robot = args.robot.unwrap_or(&robots::ALL[0]);
    let model = robot.load();
    let mut data = robot.start(&model);
    let mut show = Show { robot, model: &model, summary: Summary::default(), done: None, steps: 0 };
    let before = energy(&model, &mut data);
    let interrupt = Interrupt::listen();

    let watched = io::stdout().is_terminal() && !args.quiet;
    let shown = watched && !args.terminal && browser() && show.in_browser(&mut data, &interrupt)?;
    if !shown && watched {
        show.in_terminal(&mut data, &interrupt)?;
    } else if !shown {
        let steps = (robot.duration / model.opt.timestep).round() as usize;
        while show.steps < steps && !interrupt.asked() {
            show.step(&mut data);
        }
    }

    let after = energy(&model, &mut data);
    let mut text = format!("{}: {}\n\n", robot.name, sizes(&model));
    let mut rows = vec![("task", robot.task.to_owned()), ("outcome", show.outcome(&data))];
    rows.extend(show.summary.facts(&model, show.steps, [before, after]));
    text += &facts(&rows);
    text += &advice(robot);
    // whoever has seen enough may go
    Ok(Report { interrupted: interrupt.asked() && !watched, ..text.into() })
}

/// Whether a browser can be opened for whoever sits at this machine.
fn browser() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if set("SSH_CONNECTION") || set("CI") {
        return false;
    }
    let program = |name: &str| {
        let paths = std::env::var_os("PATH").unwrap_or_default();
        std::env::split_paths(&paths).any(|folder| folder.join(name).is_file())
    };
    match std::env::consts::OS {
        "macos" | "windows" => true,
        _ => (set("DISPLAY") || set("WAYLAND_DISPLAY")) && program("xdg-open"),
    }
}

/// What to try next, in three lines.
fn advice(robot: &Robot) -> String {
    let command = match std::env::var_os("CARGO") {
        Some(_) => "cargo run --release --",
        None => "cortenforge",
    };
    let other = if robot.name == "hand" { "arm" } else { "hand" };
    let lines = [
        (format!("{command} demo {other}"), "another robot: see demo --help"),
        (
            format!("{command} view {}", robot.name),
            "in the browser: drag it, pause it, move its joints",
        ),
        (format!("{command} info your_robot.xml"), "your own model: MJCF or URDF"),
    ];
    let width = lines.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let lines = lines.map(|(command, what)| format!("  {command:width$}  {what}\n"));
    format!("\nTry next:\n{}", lines.concat())
}

/// A robot at its task.
struct Show<'a> {
    robot: &'a Robot,
    model: &'a Model,
    summary: Summary,
    /// When the task was done first.
    done: Option<f64>,
    steps: usize,
}

impl Show<'_> {
    /// Controls and steps once.
    fn step(&mut self, data: &mut Data) {
        let clock = Instant::now();
        self.robot.control(self.model, data);
        self.summary.step(data, |data| step(self.model, data));
        self.summary.wall += clock.elapsed();
        self.steps += 1;
        let is_done = self.robot.outcome(self.model, data).done;
        self.done = if is_done { self.done.or(Some(data.time)) } else { None };
    }

    /// What became of the task, in words.
    fn outcome(&self, data: &Data) -> String {
        let text = self.robot.outcome(self.model, data).text;
        match self.done {
            Some(time) if time > 0.1 => format!("{text}, after {time:.1} s"),
            _ => text,
        }
    }

    /// Draws the task in the terminal, in real time.
    fn in_terminal(&mut self, data: &mut Data, interrupt: &Interrupt) -> Result<(), Failure> {
        let (rows, columns) = console::Term::stdout().size();
        let columns = usize::from(columns).clamp(20, 80);
        let rows = usize::from(rows).saturating_sub(4).clamp(8, 24);
        let mut screen = Screen::new(self.model, columns, rows, Colours::of_environment())?;
        let mut out = io::stdout();
        let start = Instant::now();
        let mut first = true;
        let _ = write!(out, "\u{1b}[?25l");
        while data.time < self.robot.duration && !interrupt.asked() {
            // in real time: a slow machine draws fewer pictures
            let clock = Instant::now();
            let time = start.elapsed().as_secs_f64().min(self.robot.duration);
            while data.time < time {
                self.step(data);
            }
            let mut seen = data.clone();
            forward(self.model, &mut seen);
            let picture = screen.draw(self.model, &seen)?;
            let up = if first { String::new() } else { format!("\u{1b}[{}A", rows + 1) };
            let line = format!("{:.1} s  {}", data.time, self.outcome(data));
            let written = writeln!(out, "{up}{picture}\u{1b}[K{line}");
            if written.and_then(|()| out.flush()).is_err() {
                break;
            }
            first = false;
            std::thread::sleep(FRAME.saturating_sub(clock.elapsed()));
        }
        let _ = writeln!(out, "\u{1b}[?25h");
        Ok(())
    }

    /// Shows the task in the browser until its page is closed; tells whether there was one.
    fn in_browser(&mut self, data: &mut Data, interrupt: &Interrupt) -> Result<bool, Failure> {
        let Ok(viewer) = Viewer::start(ServerOptions::default()) else { return Ok(false) };
        let mut session = Session::passive(self.model.clone(), data.clone(), self.robot.name);
        open_browser(&viewer.url());
        let words = "close the page, or press Ctrl-C, to end";
        let _ = writeln!(
            io::stdout(),
            "{}: in your browser at {}\n{words}\n",
            self.robot.name,
            viewer.url()
        );
        let opened = Instant::now();
        session.sync(&viewer, self.model, data, true);
        while viewer.visitors() == 0 && !interrupt.asked() {
            if opened.elapsed() > PATIENCE {
                return Ok(false);
            }
            session.attend(&viewer, Duration::from_millis(20));
        }
        let (mut wall, mut time) = (Instant::now(), data.time);
        let mut seen = Instant::now();
        while !interrupt.asked() && !session.ended() {
            session.attend(&viewer, Duration::from_millis(4));
            for change in session.changes() {
                change.apply(self.model, data);
            }
            if viewer.pages() > 0 {
                seen = Instant::now();
            } else if seen.elapsed() > LINGER {
                break;
            }
            session.pull(self.model, data);
            // real time, unless the machine is too slow for it or somebody moved the clock
            let due = time + wall.elapsed().as_secs_f64();
            if due - data.time > 0.1 || data.time < time {
                (wall, time) = (Instant::now(), data.time);
            }
            while data.time < due && data.time >= time {
                self.step(data);
            }
            session.sync(&viewer, self.model, data, false);
        }
        Ok(true)
    }
}
