//! `cortenforge simulate`: run a model, report, and write or draw its trajectory.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cortenforge::model::{ObjType, Warning};
use cortenforge::{Data, Model, step};
use indicatif::{ProgressBar, ProgressStyle};

use crate::bench::factor;
use crate::source::{Output, Source};
use crate::text::{count, duration, facts, label, short, thousands};
use crate::trajectory::{Trajectory, energy};
use crate::{Failure, csv, npz, plot, seconds};

/// Steps between two looks at the clock and the progress bar.
const CHUNK: usize = 64;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// MJCF file [default: the built-in marionette]
    model: Option<PathBuf>,
    /// Seconds to simulate
    #[arg(long, value_name = "T", default_value = "5", value_parser = seconds)]
    time: f64,
    /// Keyframe to start from, by name or index
    #[arg(long, value_name = "K")]
    keyframe: Option<String>,
    /// Write time, positions, velocities and energies: .csv or .npz
    #[arg(long, value_name = "FILE", value_parser = table_file)]
    output: Option<PathBuf>,
    /// Draw positions, velocities and energies over time: .svg
    #[arg(long, value_name = "FILE", value_parser = drawing_file)]
    plot: Option<PathBuf>,
    /// Record every N-th step
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

impl Args {
    /// What runs when no command is given.
    pub(crate) fn demo() -> Args {
        Args { model: None, time: 5.0, keyframe: None, output: None, plot: None, every: 1 }
    }
}

fn table_file(text: &str) -> Result<PathBuf, String> {
    file_ending_in(text, &["csv", "npz"])
}

fn drawing_file(text: &str) -> Result<PathBuf, String> {
    file_ending_in(text, &["svg"])
}

fn file_ending_in(text: &str, endings: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if endings.iter().any(|ending| has_ending(&path, ending)) {
        return Ok(path);
    }
    Err(format!("the name must end in .{}", endings.join(" or .")))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let source = Source::load(args.model.as_deref())?;
    let model = &source.model;
    let mut data = source.start(args.keyframe.as_deref())?;

    let steps = (args.time / model.opt.timestep).round().max(1.0);
    if steps > 1e15 {
        return Err(Failure(format!(
            "error: {} seconds are {steps:.1e} steps of {} s, which would never end",
            args.time, model.opt.timestep
        )));
    }
    let steps = steps as usize;
    let every = args.every as usize;

    let mut trajectory = match args.output.is_some() || args.plot.is_some() {
        true => Some(Trajectory::new(model, steps / every + 1).ok_or_else(|| {
            Failure(format!(
                "error: a trajectory of {} samples is too long to keep: choose a shorter --time \
                 or a larger --every",
                thousands((steps / every + 1) as f64)
            ))
        })?),
        false => None,
    };
    let output = args.output.as_deref().map(Output::create).transpose()?;
    let drawing = args.plot.as_deref().map(Output::create).transpose()?;

    let before = energy(model, &mut data);
    let outcome = simulate(model, &mut data, steps, every, trajectory.as_mut());
    let after = energy(model, &mut data);

    let mut report = format!("{}: {}\n\n", source.title, sizes(model));
    let wall = outcome.wall.as_secs_f64();
    let per_step = wall / steps as f64;
    let rows = [
        (
            "simulated",
            format!(
                "{} in {} of {}",
                duration(steps as f64 * model.opt.timestep),
                count(steps, "step"),
                duration(model.opt.timestep)
            ),
        ),
        ("wall time", duration(wall)),
        (
            "speed",
            format!("{} steps/s, {} per step", thousands(1.0 / per_step), duration(per_step)),
        ),
        ("real time", format!("{}×", factor(model, per_step))),
        ("energy", energy_change(before, after)),
        ("warnings", outcome.warnings(model)),
    ];
    report += &facts(&rows);
    if let (Some(output), Some(trajectory)) = (output, &trajectory) {
        let path = match has_ending(&output.path, "npz") {
            true => output.write(|out| npz::write(out, trajectory))?,
            false => output.write(|out| csv::write(out, trajectory))?,
        };
        let samples = count(trajectory.time.len(), "sample");
        report += &format!("  wrote      {samples} to {}\n", path.display());
    }
    if let (Some(drawing), Some(trajectory)) = (drawing, &trajectory) {
        let svg = plot::svg(&source.title, trajectory);
        let path = drawing.write(|out| out.write_all(svg.as_bytes()))?;
        report += &format!("  drew       {}\n", path.display());
    }
    Ok(report)
}

/// What happened during a simulation.
#[derive(Default)]
struct Outcome {
    /// Time spent stepping, without recording.
    wall: Duration,
    /// How often each warning was raised, and what the last was about. Unlike the counters in the
    /// data, these survive a reset.
    raised: [(usize, i32); 8],
    /// How often the simulation diverged and started again.
    resets: usize,
}

fn simulate(
    model: &Model,
    data: &mut Data,
    steps: usize,
    every: usize,
    mut trajectory: Option<&mut Trajectory>,
) -> Outcome {
    let mut outcome = Outcome::default();
    let progress = progress_bar(steps);
    if let Some(trajectory) = &mut trajectory {
        trajectory.record(model, data);
    }
    let mut done = 0;
    while done < steps {
        // run up to the next sample, or to the next look at the clock
        let chunk = match trajectory {
            Some(_) => (every - done % every).min(steps - done),
            None => CHUNK.min(steps - done),
        };
        let clock = Instant::now();
        for _ in 0..chunk {
            outcome.step(model, data);
        }
        outcome.wall += clock.elapsed();
        done += chunk;
        if let Some(trajectory) = &mut trajectory
            && done.is_multiple_of(every)
        {
            trajectory.record(model, data);
        }
        progress.set_position(done as u64);
    }
    progress.finish_and_clear();
    outcome
}

/// A bar on standard error, if that is a terminal.
fn progress_bar(steps: usize) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(steps as u64);
    match ProgressStyle::with_template("{bar:40} {percent:>3}%  {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

impl Outcome {
    /// Steps once and keeps count of warnings.
    fn step(&mut self, model: &Model, data: &mut Data) {
        let time = data.time;
        let mut seen = data.warning;
        step(model, data);
        // time goes forward, unless the simulation started again
        if data.time <= time {
            self.resets += 1;
            seen = Default::default();
        }
        for (kind, (now, seen)) in data.warning.iter().zip(&seen).enumerate() {
            if now.number > seen.number {
                self.raised[kind].0 += (now.number - seen.number) as usize;
                self.raised[kind].1 = now.lastinfo;
            }
        }
    }

    /// Warnings in words.
    fn warnings(&self, model: &Model) -> String {
        let mut lines: Vec<String> = Vec::new();
        for (kind, &(number, info)) in self.raised.iter().enumerate() {
            if number > 0 {
                lines.push(format!(
                    "{}× {}",
                    thousands(number as f64),
                    describe(model, kind, info)
                ));
            }
        }
        if self.resets > 0 {
            lines.push(format!("started again {}", count(self.resets, "time")));
        }
        if lines.is_empty() { "none".into() } else { lines.join("; ") }
    }
}

/// A warning in words, with the joint that it is about where there is one.
fn describe(model: &Model, kind: usize, info: i32) -> String {
    let index = usize::try_from(info).unwrap_or(usize::MAX);
    let joint = |jnt: Option<usize>| match jnt {
        Some(jnt) => format!(" of joint '{}'", label(model, ObjType::Joint, jnt)),
        None => String::new(),
    };
    let at_dof = || joint(model.dof_jntid.get(index).and_then(|&jnt| usize::try_from(jnt).ok()));
    let at_qpos = || joint((0..model.njnt).rfind(|&jnt| model.jnt_qposadr[jnt] <= info));
    match Warning::from_i32(kind as i32) {
        Some(Warning::Inertia) => format!("inertia matrix is not positive definite{}", at_dof()),
        Some(Warning::BadQpos) => format!("position{} is not finite or too large", at_qpos()),
        Some(Warning::BadQvel) => format!("velocity{} is not finite or too large", at_dof()),
        Some(Warning::BadQacc) => format!("acceleration{} is not finite or too large", at_dof()),
        Some(Warning::BadCtrl) => "control is not finite or too large".into(),
        Some(Warning::ContactFull) => "too many contacts".into(),
        Some(Warning::CnstrFull) => "too many constraints".into(),
        Some(Warning::VgeomFull) => "too many visual geoms".into(),
        None => format!("warning {kind}"),
    }
}

/// The sizes that matter most, in a line.
pub(crate) fn sizes(model: &Model) -> String {
    let parts = [
        count(model.nbody.saturating_sub(1), "body"),
        count(model.njnt, "joint"),
        count(model.nv, "dof"),
        count(model.ngeom, "geom"),
    ];
    let mass = model.body_subtreemass.first().copied().unwrap_or(0.0);
    format!("{}, {} kg", parts.join(", "), short(mass))
}

/// Total energy at both ends, and what was lost or gained.
fn energy_change(before: [f64; 2], after: [f64; 2]) -> String {
    let (start, end): (f64, f64) = (before.iter().sum(), after.iter().sum());
    let change = end - start;
    format!(
        "{} J → {} J ({}{} J); kinetic {} J → {} J",
        short(start),
        short(end),
        if change > 0.0 { "+" } else { "" },
        short(change),
        short(before[1]),
        short(after[1])
    )
}
