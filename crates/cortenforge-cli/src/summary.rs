//! What happened during a simulation, in a few lines.

use std::time::Duration;

use cortenforge::model::{ObjType, Warning};
use cortenforge::{Data, Model};

use crate::bench::factor;
use crate::text::{count, duration, label, short, thousands};
use crate::trajectory::iterations;

/// What happened during a simulation.
#[derive(Default)]
pub(crate) struct Summary {
    /// Time spent stepping, without recording.
    pub(crate) wall: Duration,
    contacts: Tally,
    rows: Tally,
    iterations: Tally,
    /// How often each warning was raised, and what the last was about. Unlike the counters in the
    /// data, these survive a reset.
    raised: [(usize, i32); 8],
    /// How often the simulation diverged and started again.
    resets: usize,
}

/// Mean and largest of a count.
#[derive(Default)]
struct Tally {
    samples: u64,
    sum: u64,
    most: u64,
}

impl Tally {
    fn add(&mut self, number: u64) {
        self.samples += 1;
        self.sum += number;
        self.most = self.most.max(number);
    }

    fn text(&self) -> String {
        let mean = self.sum as f64 / self.samples.max(1) as f64;
        format!("{} on average, {} at most", short(mean), thousands(self.most as f64))
    }
}

impl Summary {
    /// Makes a step and takes note of what happens.
    pub(crate) fn step(&mut self, data: &mut Data, step: impl FnOnce(&mut Data)) {
        let time = data.time;
        let mut seen = data.warning;
        step(data);
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
        self.contacts.add(data.ncon as u64);
        self.rows.add(data.nefc as u64);
        self.iterations.add(iterations(data).unsigned_abs().into());
    }

    /// Whether the simulation became unusable at some time.
    pub(crate) fn diverged(&self) -> bool {
        use Warning::{BadQacc, BadQpos, BadQvel};
        self.resets > 0
            || [BadQpos, BadQvel, BadQacc].iter().any(|&kind| self.raised[kind as usize].0 > 0)
    }

    /// Labels and texts, for a number of steps and the energies before and after them.
    pub(crate) fn facts(
        &self,
        model: &Model,
        steps: usize,
        energies: [[f64; 2]; 2],
    ) -> Vec<(&'static str, String)> {
        let wall = self.wall.as_secs_f64();
        let per_step = wall / steps.max(1) as f64;
        let timestep = model.opt.timestep;
        let mut rows = vec![
            (
                "simulated",
                format!(
                    "{} in {} of {}",
                    duration(steps as f64 * timestep),
                    count(steps, "step"),
                    duration(timestep)
                ),
            ),
            ("wall time", duration(wall)),
        ];
        if steps > 0 {
            let speed = thousands(1.0 / per_step);
            rows.push(("speed", format!("{speed} steps/s, {} per step", duration(per_step))));
            rows.push(("real time", format!("{}×", factor(model, per_step))));
        }
        rows.push(("contacts", self.contacts.text()));
        if self.rows.most > 0 {
            rows.push(("constraints", format!("{} (rows)", self.rows.text())));
            rows.push((
                "iterations",
                format!("{} (of the solver, in a step)", self.iterations.text()),
            ));
        }
        rows.push(("energy", energy_change(energies[0], energies[1])));
        rows.push(("warnings", self.warnings(model)));
        rows
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
