//! Simulations that somebody else steps: pages see what is handed over, and what they change is
//! handed back.

use std::time::{Duration, Instant};

use sim_core::model::Options;
use sim_core::{Data, Model, forward};

use crate::Viewer;
use crate::change::{change_state, set_flag, set_option};
use crate::message::Command;
use crate::run::{FRAME, REPORT};
use crate::session::Session;
use crate::status::status;

/// What pages changed, for the owner of the simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Change(Command);

impl Change {
    /// Applies a change of the state; options are left alone.
    pub fn apply(&self, model: &Model, data: &mut Data) {
        change_state(&self.0, model, data);
    }

    /// The option that it changes, and its new numbers.
    pub fn option(&self, opt: &Options) -> Option<(String, Vec<f64>)> {
        let mut changed = *opt;
        let name = match &self.0 {
            Command::Option(name, values) => {
                set_option(&mut changed, name, values);
                name.as_str()
            }
            &Command::PhysicsFlag { disable, bit, on } => {
                set_flag(&mut changed, disable, bit, on);
                if disable { "disableflags" } else { "enableflags" }
            }
            _ => return None,
        };
        let values = changed.array(name)?;
        Some((name.to_owned(), (0..values.len()).map(|i| values.value(i)).collect()))
    }
}

impl Session {
    /// A session whose simulation somebody else steps.
    pub fn passive(model: Model, data: Data, title: &str) -> Session {
        let mut session = Session::new(model, data, title);
        session.passive = true;
        session
    }

    /// Pulls the body that a page drags: writes the force, or the pose of a mocap body, to the data of
    /// the owner. Forces of an earlier drag are removed.
    pub fn pull(&mut self, model: &Model, data: &mut Data) {
        if self.pert.active | self.pert.active2 != 0 {
            self.pert.apply_pose(model, data, false);
            self.pert.apply_force(model, data);
            self.pulled = usize::try_from(self.pert.select).ok();
        } else if let Some(force) = self.pulled.take().and_then(|b| data.xfrc_applied.get_mut(b)) {
            *force = [0.0; 6];
        }
    }

    /// Reads meshes, height fields and textures of the owner's model again.
    pub fn reload_assets(&mut self, model: &Model) {
        self.model = model.clone();
        self.forget_scene();
    }

    /// Takes over options and state of the owner's simulation; `results` says whether everything
    /// else of the data is right too, or has to be computed. While pages are paused, they look at
    /// the past, and the owner goes on without them.
    pub fn sync(&mut self, viewer: &Viewer, model: &Model, data: &Data, results: bool) {
        self.model.opt = model.opt;
        self.model.vis = model.vis;
        if self.model.ngeom == model.ngeom && self.model.nsite == model.nsite {
            self.model.geom_rgba.clone_from(&model.geom_rgba);
            self.model.geom_size.clone_from(&model.geom_size);
            self.model.geom_pos.clone_from(&model.geom_pos);
            self.model.geom_quat.clone_from(&model.geom_quat);
            self.model.site_rgba.clone_from(&model.site_rgba);
            self.model.site_size.clone_from(&model.site_size);
        }
        if self.model.nmat == model.nmat {
            self.model.mat_rgba.clone_from(&model.mat_rgba);
        }
        if self.paused {
            return;
        }
        let moved = self.data.time != data.time || self.data.qpos != data.qpos;
        if data.fits(&self.model) {
            self.data.assign(data);
            if !results {
                forward(&self.model, &mut self.data);
            }
        }
        self.sample();
        if moved && self.kept.elapsed() >= FRAME {
            self.kept = Instant::now();
            self.remember();
        }
        if viewer.server.wants_frame() || viewer.server.visitors() == 0 {
            self.publish(&viewer.server);
        }
        // a status that is not sent now is sent when pages are attended to
        self.news = true;
        if self.reported.elapsed() >= REPORT {
            self.report(viewer);
        }
    }

    /// Does what pages ask for, waiting up to `patience` for it.
    pub fn attend(&mut self, viewer: &Viewer, patience: Duration) {
        let mut next = viewer.server.command(patience);
        let mut any = false;
        while let Some((client, command)) = next {
            self.obey(client, command, &viewer.server);
            any = true;
            next = viewer.server.command(Duration::ZERO);
        }
        self.hand_out_pictures(&viewer.server);
        if any && viewer.server.wants_frame() {
            self.publish(&viewer.server);
        }
        if any || self.news && self.reported.elapsed() >= REPORT {
            self.report(viewer);
        }
    }

    fn report(&mut self, viewer: &Viewer) {
        viewer.server.status(&status(self));
        self.news = false;
        self.reported = Instant::now();
    }

    /// Changes that pages asked for since the last call.
    pub fn changes(&mut self) -> Vec<Change> {
        let (keys, changes) =
            self.pending.drain(..).partition(|command| matches!(command, Command::Key(_)));
        self.pending = keys;
        changes.into_iter().map(Change).collect()
    }

    /// Keys that were pressed since the last call.
    pub fn keys(&mut self) -> Vec<i32> {
        let mut keys = Vec::new();
        self.pending.retain(|command| match command {
            Command::Key(key) => {
                keys.push(*key);
                false
            }
            _ => true,
        });
        keys
    }

    /// Whether a page asked for the end.
    pub fn ended(&self) -> bool {
        self.quit
    }
}
