//! `cortenforge simulate`: run a model, report, and write or draw its trajectory.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use cortenforge::{Data, Model, step};
use sim_viewer::Recording;

use crate::controls::{self, Inputs};
use crate::hold::hold;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::source::{Limits, Output, Source};
use crate::summary::{Summary, sizes};
use crate::text::{count, facts, thousands};
use crate::trajectory::{Quantity, Selection, Trajectory, energy};
use crate::{DIVERGED, Failure, Report, SUCCESS, csv, has_ending, npz, plot, seconds};

/// Steps between two looks at the clock and the progress bar.
const CHUNK: usize = 64;

/// Frames of a replay per simulated second.
const REPLAY_RATE: f64 = 60.0;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// File (MJCF, URDF), '-' for standard input, or a built-in robot [default: quadruped]
    model: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// Seconds to simulate
    #[arg(long, value_name = "T", default_value = "5", value_parser = seconds)]
    time: f64,
    /// Keyframe to start from, by name or index
    #[arg(long, value_name = "K")]
    keyframe: Option<String>,
    /// Play controls from a file: .csv with a column per actuator, .npy or .npz with 'ctrl'
    ///
    /// A column, or array, 'time' says from when on each row holds; without, there is one row for
    /// each step. The last row stays. Files of --output can be played.
    #[arg(long, value_name = "FILE", value_parser = control_file)]
    controls: Option<PathBuf>,
    /// Start with this control, and keep it: name=value; may be repeated
    #[arg(long = "ctrl", value_name = "NAME=X", conflicts_with = "controls")]
    ctrl: Vec<String>,
    /// Start with controls that hold the pose: servos where they are, motors against gravity
    #[arg(long)]
    hold: bool,
    /// Add normal noise of this standard deviation to the controls
    #[arg(long, value_name = "STD", value_parser = deviation)]
    noise: Option<f64>,
    /// Seed of the noise
    #[arg(long, value_name = "N", default_value = "0", requires = "noise")]
    seed: u64,
    /// Write what happens to a table with named columns: .csv or .npz
    #[arg(long, value_name = "FILE", value_parser = table_file)]
    output: Option<PathBuf>,
    /// Draw quantities over time, such as qpos,energy, or the file to draw to
    ///
    /// Quantities are qpos, qvel, act, ctrl, force, sensordata, energy, contacts, iterations, xpos
    /// (positions of bodies), contact_force (on bodies) and com (centres of mass); qpos:hip is the
    /// joint 'hip' alone, xpos:hand the body 'hand'. Among them, or in their place, may be the name of a file
    /// that ends in .svg or .png.
    #[arg(long, value_name = "WHAT", value_delimiter = ',', value_parser = Plot::parse)]
    plot: Vec<Plot>,
    /// File to draw to: .svg or .png [default: the name of the model, .svg]
    #[arg(long, value_name = "FILE", value_parser = drawing_file, requires = "plot")]
    plot_file: Option<PathBuf>,
    /// Write a page that shows what happens, to open in a browser: .html
    #[arg(long, value_name = "FILE", value_parser = page_file)]
    replay: Option<PathBuf>,
    /// Record every N-th step
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
}

/// An argument of `--plot`.
#[derive(Debug, Clone)]
enum Plot {
    What(Selection),
    File(PathBuf),
}

impl Plot {
    fn parse(text: &str) -> Result<Plot, String> {
        match drawing_file(text) {
            Ok(path) => Ok(Plot::File(path)),
            Err(_) => Selection::parse(text).map(Plot::What),
        }
    }
}

impl Args {
    /// What to draw.
    fn drawn(&self) -> Vec<Selection> {
        let asked = self.plot.iter().filter_map(|plot| match plot {
            Plot::What(selection) => Some(selection.clone()),
            Plot::File(_) => None,
        });
        let asked: Vec<Selection> = asked.collect();
        match asked.is_empty() && !self.plot.is_empty() {
            true => Quantity::DRAWN.map(Selection::whole).to_vec(),
            false => asked,
        }
    }

    /// Where to draw.
    fn drawing(&self, title: &str) -> Option<PathBuf> {
        let named = self.plot.iter().find_map(|plot| match plot {
            Plot::File(path) => Some(path.clone()),
            Plot::What(_) => None,
        });
        let letter = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        let title: String = title.chars().map(letter).collect();
        let standard = (!self.plot.is_empty()).then(|| PathBuf::from(format!("{title}.svg")));
        self.plot_file.clone().or(named).or(standard)
    }
}

fn table_file(text: &str) -> Result<PathBuf, String> {
    file_ending_in(text, &["csv", "npz"])
}

fn drawing_file(text: &str) -> Result<PathBuf, String> {
    file_ending_in(text, &["svg", "png"])
}

fn page_file(text: &str) -> Result<PathBuf, String> {
    file_ending_in(text, &["html", "htm"])
}

fn control_file(text: &str) -> Result<PathBuf, String> {
    file_ending_in(text, &["csv", "npz", "npy"])
}

fn file_ending_in(text: &str, endings: &[&str]) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if endings.iter().any(|ending| has_ending(&path, ending)) {
        return Ok(path);
    }
    Err(format!("the name must end in .{}", endings.join(" or .")))
}

fn deviation(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value >= 0.0 && value.is_finite() => Ok(value),
        Ok(_) => Err("must not be negative".into()),
        Err(_) => Err("not a number".into()),
    }
}

pub(crate) fn run(args: &Args) -> Result<Report, Failure> {
    let source = Source::load(args.model.as_deref(), &args.limits)?;
    let model = &source.model;
    let mut data = source.start(args.keyframe.as_deref())?;
    let steps = number_of_steps(args.time, model.opt.timestep)?;
    let every = args.every as usize;

    let selection = args.drawn();
    for selected in &selection {
        selected.check(model).map_err(|error| Failure(format!("error: --plot: {error}")))?;
    }
    if args.hold {
        hold(model, &mut data);
    }
    for text in &args.ctrl {
        controls::set(text, model, &mut data)?;
    }
    // a built-in robot does its task unless somebody else has a say
    let chosen =
        args.hold || !args.ctrl.is_empty() || args.controls.is_some() || args.keyframe.is_some();
    let robot = source.robot.filter(|_| !chosen);
    let noise = args.noise.map(|deviation| (deviation, args.seed));
    let inputs = Inputs::new(robot, args.controls.as_deref(), noise, model, &data)?;
    let recorded = recorded(args, &selection);
    let mut trajectory = match recorded.is_empty() {
        true => None,
        false => Some(Trajectory::new(model, &recorded, steps / every + 1).ok_or_else(|| {
            Failure(format!(
                "error: a trajectory of {} samples is too long to keep: choose a shorter --time \
                 or a larger --every",
                thousands((steps / every + 1) as f64)
            ))
        })?),
    };
    let output = args.output.as_deref().map(Output::create).transpose()?;
    let page = args.replay.as_deref().map(Output::create).transpose()?;
    let drawing = args.drawing(&source.title).as_deref().map(Output::create).transpose()?;

    let before = energy(model, &mut data);
    let interrupt = Interrupt::listen();
    let asked = interrupt.clone();
    data.set_interrupt(Some(Arc::new(move || asked.asked())));
    let recording = page.is_some().then(|| Recording::new(model, &source.title));
    let mut simulation =
        Simulation { model, inputs, every, summary: Summary::default(), recording };
    let done = simulation.run(&mut data, steps, trajectory.as_mut(), &interrupt);
    let after = energy(model, &mut data);

    let mut rows = simulation.summary.facts(model, done, [before, after]);
    if let Some(robot) = robot {
        rows.insert(0, ("outcome", robot.outcome(model, &data).text));
    }
    if let (Some(output), Some(trajectory)) = (output, &trajectory) {
        let path = match has_ending(&output.path, "npz") {
            true => output.write(|out| npz::write(out, trajectory))?,
            false => output.write(|out| csv::write(out, trajectory))?,
        };
        let samples = count(trajectory.time.len(), "sample");
        rows.push(("wrote", format!("{samples} to {}", path.display())));
    }
    if let (Some(page), Some(recording)) = (page, &simulation.recording) {
        let text = recording.page();
        let path = page.write(|out| out.write_all(text.as_bytes()))?;
        let frames = count(recording.len(), "frame");
        let size = thousands((text.len() / 1000).max(1) as f64);
        rows.push(("replay", format!("{frames} to {} ({size} kB)", path.display())));
    }
    if let (Some(drawing), Some(trajectory)) = (drawing, &trajectory) {
        let path = draw(drawing, &source.title, trajectory, &selection)?;
        rows.push(("drew", path.display().to_string()));
    }
    let mut text = format!("{}: {}\n\n{}", source.title, sizes(model), facts(&rows));
    if done < steps {
        text += &format!(
            "\nInterrupted after {} of {}.\n",
            thousands(done as f64),
            count(steps, "step")
        );
    }
    let status = if simulation.summary.diverged() { DIVERGED } else { SUCCESS };
    Ok(Report { interrupted: done < steps, status, ..text.into() })
}

fn number_of_steps(time: f64, timestep: f64) -> Result<usize, Failure> {
    let steps = (time / timestep).round().max(1.0);
    if steps > 1e15 {
        return Err(Failure(format!(
            "error: {time} seconds are {steps:.1e} steps of {timestep} s, which would never end"
        )));
    }
    Ok(steps as usize)
}

/// What is kept along the way: what files hold, and what is drawn.
fn recorded(args: &Args, selection: &[Selection]) -> Vec<Quantity> {
    let mut quantities = Vec::new();
    if args.output.is_some() {
        quantities.extend(Quantity::STANDARD);
    }
    for selected in selection {
        if !quantities.contains(&selected.quantity) {
            quantities.push(selected.quantity);
        }
    }
    quantities
}

fn draw(
    drawing: Output,
    title: &str,
    trajectory: &Trajectory,
    selection: &[Selection],
) -> Result<PathBuf, Failure> {
    let picture = match has_ending(&drawing.path, "png") {
        false => plot::svg(title, trajectory, selection),
        true => plot::png(title, trajectory, selection)
            .map_err(|error| Failure(format!("error: cannot draw: {error}")))?,
    };
    drawing.write(|out| out.write_all(&picture))
}

/// A simulation with what it is driven by.
struct Simulation<'a> {
    model: &'a Model,
    inputs: Inputs<'a>,
    every: usize,
    summary: Summary,
    recording: Option<Recording>,
}

impl Simulation<'_> {
    /// Makes `steps` steps unless it is interrupted, and returns how many it made.
    fn run(
        &mut self,
        data: &mut Data,
        steps: usize,
        mut trajectory: Option<&mut Trajectory>,
        interrupt: &Interrupt,
    ) -> usize {
        let dt = self.model.opt.timestep;
        let progress = Progress::new(steps, dt);
        self.inputs.apply(0, data);
        if let Some(recording) = &mut self.recording {
            recording.record(self.model, data);
        }
        if let Some(trajectory) = &mut trajectory {
            trajectory.record(self.model, data);
        }
        let mut done = 0;
        while done < steps && !interrupt.asked() {
            // run up to the next sample, or to the next look at the clock
            let sample = trajectory.as_ref().map_or(usize::MAX, |_| self.every - done % self.every);
            let chunk = sample.min(steps - done).min(CHUNK);
            let clock = Instant::now();
            for _ in 0..chunk {
                self.summary.step(data, |data| step(self.model, data));
                done += 1;
                self.inputs.apply(done, data);
                if let Some(recording) = &mut self.recording
                    && done as f64 * dt * REPLAY_RATE >= recording.len() as f64 - 1e-6
                {
                    recording.record(self.model, data);
                }
            }
            self.summary.wall += clock.elapsed();
            if let Some(trajectory) = &mut trajectory
                && done.is_multiple_of(self.every)
            {
                trajectory.record(self.model, data);
            }
            progress.show(done, data, self.summary.wall);
        }
        progress.finish();
        done
    }
}
