//! `cortenforge bench`: how fast a model steps.

use std::path::PathBuf;
use std::time::Instant;

use cortenforge::step;

use crate::source::{Limits, Source};
use crate::text::{count, duration, facts, short, thousands};
use crate::{Failure, seconds};

/// Steps between two returns to the starting state, so that a model which falls for ever or
/// diverges is measured where it makes sense.
const ROLLOUT: usize = 1000;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// MJCF file [default: the built-in marionette]
    model: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Wall-clock seconds to measure for
    #[arg(long, value_name = "S", default_value = "2", value_parser = seconds)]
    seconds: f64,
    /// Keyframe to start from, by name or index
    #[arg(long, value_name = "K")]
    keyframe: Option<String>,
}

pub(crate) fn run(args: &Args) -> Result<String, Failure> {
    let source = Source::load(args.model.as_deref(), &args.limits)?;
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
    let line = |time: f64| {
        let (speed, micros) = (thousands(1.0 / time), short(time * 1e6));
        format!("{speed} steps/s, {micros} µs per step, {}× real time", factor(model, time))
    };
    let rows = [
        ("median", line(median)),
        ("best", line(best)),
        (
            "measured",
            format!(
                "{} of {} in {}",
                count(times.len(), "rollout"),
                count(ROLLOUT, "step"),
                duration(begin.elapsed().as_secs_f64())
            ),
        ),
    ];
    Ok(format!("{}: {}\n\n{}", source.title, count(model.nv, "dof"), facts(&rows)))
}

/// Simulated seconds per second, from the seconds of a step.
pub(crate) fn factor(model: &cortenforge::Model, time: f64) -> String {
    let factor = model.opt.timestep / time;
    if factor >= 100.0 { thousands(factor) } else { short(factor) }
}
