//! Simulations that somebody else steps: pages see what is handed over, and what they change is
//! handed back.

use std::time::Duration;

use sim_core::{Data, Model, forward};

use crate::Viewer;
use crate::message::Command;
use crate::session::{Session, change_state, set_option};
use crate::status::status;

/// What pages changed, for the owner of the simulation.
#[derive(Debug, Clone, PartialEq)]
pub struct Change(Command);

impl Change {
    /// Applies it.
    pub fn apply(&self, model: &mut Model, data: &mut Data) {
        match &self.0 {
            Command::Option(name, values) => set_option(&mut model.opt, name, values),
            &Command::PhysicsFlag { disable, bit, on } => {
                let flags = match disable {
                    true => &mut model.opt.disableflags,
                    false => &mut model.opt.enableflags,
                };
                *flags = *flags & !(1 << bit) | i32::from(on) << bit;
            }
            command => {
                change_state(command, model, data);
            }
        }
    }
}

impl Session {
    /// A session whose simulation somebody else steps.
    pub fn passive(model: Model, data: Data, title: &str) -> Session {
        let mut session = Session::new(model, data, title);
        session.passive = true;
        session
    }

    /// Takes over options and state of the owner's simulation; `results` says whether everything
    /// else of the data is right too, or has to be computed.
    pub fn sync(&mut self, viewer: &Viewer, model: &Model, data: &Data, results: bool) {
        self.model.opt = model.opt;
        self.model.vis = model.vis;
        let moved = self.data.time != data.time || self.data.qpos != data.qpos;
        if data.fits(&self.model) {
            self.data.assign(data);
            if !results {
                forward(&self.model, &mut self.data);
            }
        }
        self.sample();
        if moved {
            self.remember();
        }
        if viewer.server.wants_frame() || viewer.server.visitors() == 0 {
            self.publish(&viewer.server);
        }
        self.report(viewer);
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
        if any {
            self.report(viewer);
        }
    }

    fn report(&mut self, viewer: &Viewer) {
        viewer.server.status(&status(self));
        self.news = false;
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
