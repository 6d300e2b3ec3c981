//! `cortenforge bench`: how fast a model steps.

use std::path::{Path, PathBuf};
use std::time::Instant;

use cortenforge::step;

use crate::json::Json;
use crate::source::{Limits, Source};
use crate::text::{count, duration, facts, short, thousands};
use crate::{Failure, Report, cpu, seconds};

/// Steps between two returns to the starting state, so that a model which falls for ever or
/// diverges is measured where it makes sense.
const ROLLOUT: usize = 1000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Files (MJCF, URDF), '-' for standard input, or built-in robots [default: quadruped]
    #[arg(value_name = "MODEL")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Wall-clock seconds to measure for, each model
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    seconds: f64,
    /// Keyframe to start from, by name or index
    #[arg(long, value_name = "K")]
    keyframe: Option<String>,
    /// Report as JSON: a list with an object for each model
    #[arg(long)]
    json: bool,
}

/// Times of one model.
struct Measured {
    source: Source,
    rollouts: usize,
    /// Seconds per step: least and middle of all rollouts.
    best: f64,
    median: f64,
    wall: f64,
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let models: Vec<Option<&Path>> = match args.models.is_empty() {
        true => vec![None],
        false => args.models.iter().map(|path| Some(path.as_path())).collect(),
    };
    let measured: Vec<Measured> =
        models.into_iter().map(|path| measure(path, args)).collect::<Result<_, _>>()?;
    if args.json {
        return Ok(measured.iter().map(json).collect::<Json>().text().into());
    }
    let mut text = measured.iter().map(report).collect::<Vec<_>>().join("\n");
    text += &format!("\nbuilt for {}", cpu::built_for());
    if let Some(hint) = cpu::hint() {
        text += &format!("; {hint}");
    }
    text.push('\n');
    Ok(text.into())
}

fn measure(path: Option<&Path>, args: &Args) -> Result<Measured, Failure> {
    let source = Source::load(path, &args.limits)?;
    let model = &source.model;
    let start = source.start(args.keyframe.as_deref())?;

    // seconds per step of each rollout; the first one warms up and does not count
    let mut times = Vec::new();
    let mut data = start.clone();
    let begin = Instant::now();
    let mut warm = false;
    while times.is_empty() || begin.elapsed().as_secs_f64() < args.seconds {
        data.clone_from(&start);
        let clock = Instant::now();
        for _ in 0..ROLLOUT {
            step(model, &mut data);
        }
        let time = clock.elapsed().as_secs_f64() / ROLLOUT as f64;
        if warm {
            times.push(time);
        }
        warm = true;
    }
    times.sort_by(f64::total_cmp);
    let (best, median) = (times[0], times[times.len() / 2]);
    let wall = begin.elapsed().as_secs_f64();
    Ok(Measured { source, rollouts: times.len(), best, median, wall })
}

fn report(measured: &Measured) -> String {
    let model = &measured.source.model;
    let line = |time: f64| {
        let (speed, micros) = (thousands(1.0 / time), short(time * 1e6));
        format!("{speed} steps/s, {micros} µs per step, {}× real time", factor(model, time))
    };
    let rows = [
        ("median", line(measured.median)),
        ("best", line(measured.best)),
        (
            "measured",
            format!(
                "{} of {} in {}",
                count(measured.rollouts, "rollout"),
                count(ROLLOUT, "step"),
                duration(measured.wall)
            ),
        ),
    ];
    format!("{}: {}\n\n{}", measured.source.title, count(model.nv, "dof"), facts(&rows))
}

fn json(measured: &Measured) -> Json {
    let model = &measured.source.model;
    Json::Object(vec![
        ("model", measured.source.title.as_str().into()),
        ("dofs", model.nv.into()),
        ("timestep", model.opt.timestep.into()),
        ("built_for", cpu::built_for().into()),
        ("rollouts", measured.rollouts.into()),
        ("steps_per_rollout", ROLLOUT.into()),
        ("seconds_per_step", measured.best.into()),
        ("median_seconds_per_step", measured.median.into()),
        ("steps_per_second", (1.0 / measured.best).into()),
        ("times_real_time", (model.opt.timestep / measured.best).into()),
    ])
}

/// Simulated seconds per second, from the seconds of a step.
pub(crate) fn factor(model: &cortenforge::Model, time: f64) -> String {
    let factor = model.opt.timestep / time;
    if factor >= 100.0 { thousands(factor) } else { short(factor) }
}
