//! A simulation that is looked at: model, data, what is drawn, and what pages ask for.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use sim_core::data::ALL_STATES;
use sim_core::scene::{Category, Geom, GlCamera, Mouse, Perturb, Scene, VisOption};
use sim_core::{Callbacks, Data, Model, forward, step, step_with};

use crate::assets::scene_message;
use crate::change::{change_state, empty_world, number, set_flag, set_option, title};
use crate::frame::{Composer, Extras, Samples};
use crate::history::History;
use crate::message::{Command, View};
use crate::model_source::{ModelSource, Watched};
use crate::noise::Noise;
use crate::picture::{Order, Painter};
use crate::replay::Recording;
use crate::server::{Server, Snapshot};
use crate::status;
use crate::websocket::base64;
use crate::wire::{Kind, Message};

/// Most numbers that pages watch.
const MAX_WATCHED: usize = 64;
/// Most simulations side by side.
const MAX_WORLDS: usize = 256;
/// Most samples of them in a frame.
const MAX_SAMPLES: usize = 512;
/// Most recordings that are made at the same time.
const MAX_REPLAYS: usize = 2;
/// Time between looks at the model's file.
const RELOAD: Duration = Duration::from_millis(400);

/// A simulation and its viewer's state.
pub struct Session {
    pub(crate) model: Model,
    pub(crate) data: Data,
    pub(crate) title: String,
    pub(crate) source: ModelSource,
    watched: Watched,
    looked: Instant,
    /// What is drawn.
    pub opt: VisOption,
    /// The selected body and how it is dragged.
    pub pert: Perturb,
    /// Geoms that are drawn besides those of the model.
    pub geoms: Vec<Geom>,
    pub(crate) paused: bool,
    pub(crate) speed: f64,
    /// Simulated per real time, as measured.
    pub(crate) factor: f64,
    /// Microseconds of computing per step.
    pub(crate) cost: f64,
    pub(crate) history: History,
    /// What went wrong when loading.
    pub(crate) error: Option<String>,
    pub(crate) tracked: Vec<usize>,
    pub(crate) numbers: Vec<(String, usize)>,
    samples: Samples,
    /// A scene that has the camera of the page in control.
    view: Scene,
    composer: Composer,
    scene_id: u64,
    scene: Option<Arc<Vec<u8>>>,
    painter: Option<Painter>,
    pub(crate) noise: Noise,
    /// Whether the status has news.
    pub(crate) news: bool,
    pub(crate) quit: bool,
    /// Whether the user of this library steps the simulation.
    pub(crate) passive: bool,
    /// When a state was kept and the status was told, for those.
    pub(crate) kept: Instant,
    pub(crate) reported: Instant,
    /// Changes for the user's data, and keys that were pressed, since the last look.
    pub(crate) pending: Vec<Command>,
    /// Other simulations of the model, shown beside this one, and their noise.
    pub(crate) worlds: Vec<(Data, Noise)>,
    /// Body with a force that a drag has left.
    pub(crate) pulled: Option<usize>,
    /// Recordings that are being made, and the pages that asked for them.
    replays: Vec<(u64, Receiver<String>)>,
}

/// Measures the parts of a step, in microseconds.
struct Stopwatch(Instant);

impl Callbacks for Stopwatch {
    fn time(&mut self) -> Option<f64> {
        Some(1e6 * self.0.elapsed().as_secs_f64())
    }
}

fn next_scene() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Session {
    /// A session that starts from `data`.
    pub fn new(model: Model, mut data: Data, title: &str) -> Session {
        forward(&model, &mut data);
        let (composer, view) = (Composer::new(&model), Scene::new(&model, usize::MAX));
        let mut session = Session {
            model,
            data,
            title: title.to_owned(),
            source: ModelSource::Given,
            watched: Watched::default(),
            looked: Instant::now(),
            opt: VisOption::default(),
            pert: Perturb::default(),
            geoms: Vec::new(),
            paused: false,
            speed: 1.0,
            factor: 0.0,
            cost: 0.0,
            history: History::default(),
            error: None,
            tracked: Vec::new(),
            numbers: Vec::new(),
            samples: Samples::default(),
            view,
            composer,
            scene_id: next_scene(),
            scene: None,
            painter: None,
            noise: Noise::default(),
            news: true,
            quit: false,
            passive: false,
            kept: Instant::now(),
            reported: Instant::now(),
            pending: Vec::new(),
            worlds: Vec::new(),
            pulled: None,
            replays: Vec::new(),
        };
        session.history.keep(&session.model, &session.data);
        session
    }

    /// A session with the model of a file, which is read again when it changes. A file that cannot
    /// be loaded leaves the world empty until it can.
    pub fn open(source: ModelSource) -> Session {
        let (loaded, watched) = source.load();
        let (model, error) = match loaded {
            Ok(model) => (model.unwrap_or_default(), None),
            Err(error) => (empty_world(), Some(error)),
        };
        let (data, title) = (Data::new(&model), title(&model, &source));
        Session { source, watched, error, ..Session::new(model, data, &title) }
    }

    /// Starts paused.
    pub fn pause(&mut self) {
        self.paused = true;
    }

    /// Starts from a keyframe.
    pub fn start_at(&mut self, key: usize) {
        if key < self.model.nkey {
            self.data.reset_keyframe(&self.model, key);
            self.jumped();
        }
    }

    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The state.
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// What went wrong when the model was loaded.
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// Replaces the model; what is drawn stays as it is.
    fn replace(&mut self, model: Model) {
        let mut data = Data::new(&model);
        forward(&model, &mut data);
        self.composer = Composer::new(&model);
        self.view = Scene::new(&model, usize::MAX);
        self.scene_id = next_scene();
        (self.scene, self.painter) = (None, None);
        self.pert = Perturb::default();
        self.tracked.clear();
        self.numbers.clear();
        self.samples = Samples::default();
        self.noise.clear();
        self.worlds.clear();
        (self.model, self.data) = (model, data);
        self.history.clear();
        self.history.keep(&self.model, &self.data);
    }

    /// Makes the message about the model anew.
    pub(crate) fn forget_scene(&mut self) {
        self.scene_id = next_scene();
        (self.scene, self.painter) = (None, None);
    }

    /// Reads the source again.
    fn reload(&mut self) {
        let (loaded, watched) = self.source.load();
        self.watched = watched;
        match loaded {
            Ok(Some(model)) => {
                self.error = None;
                self.title = title(&model, &self.source);
                self.replace(model);
            }
            Ok(None) => {}
            Err(error) => self.error = Some(error),
        }
        self.news = true;
    }

    /// Reloads a file that has changed.
    pub(crate) fn look_at_files(&mut self) {
        if self.looked.elapsed() >= RELOAD {
            self.looked = Instant::now();
            if self.watched.changed() {
                self.reload();
            }
        }
    }

    /// Computes what follows from a state that was set, and starts the history anew from there.
    fn jumped(&mut self) {
        forward(&self.model, &mut self.data);
        self.history.keep(&self.model, &self.data);
        self.news = true;
    }

    /// One step, with noise and what the user drags.
    pub(crate) fn step(&mut self) {
        self.noise.apply(&self.model, &mut self.data);
        self.data.xfrc_applied.fill([0.0; 6]);
        self.pert.apply_pose(&self.model, &mut self.data, false);
        self.pert.apply_force(&self.model, &mut self.data);
        if self.numbers.iter().any(|(name, _)| name == "timer") {
            self.data.timer = Default::default();
            step_with(&self.model, &mut self.data, &mut Stopwatch(Instant::now()));
        } else {
            step(&self.model, &mut self.data);
        }
        for (data, noise) in &mut self.worlds {
            noise.apply(&self.model, data);
            step(&self.model, data);
        }
        self.sample();
    }

    /// Moves what the user drags while time stands still.
    pub(crate) fn hold(&mut self) {
        if self.pert.active | self.pert.active2 != 0 && !self.passive {
            self.pert.apply_pose(&self.model, &mut self.data, true);
            forward(&self.model, &mut self.data);
        }
    }

    /// Keeps the numbers that pages watch.
    pub(crate) fn sample(&mut self) {
        if self.numbers.is_empty() {
            return;
        }
        let Samples { width, times, values } = &mut self.samples;
        if *width != self.numbers.len() || times.len() >= MAX_SAMPLES {
            times.clear();
            values.clear();
            *width = self.numbers.len();
        }
        times.push(self.data.time);
        for (name, index) in &self.numbers {
            values.push(number(&self.data, name, *index).unwrap_or(f64::NAN) as f32);
        }
    }

    /// Keeps the state in the history.
    pub(crate) fn remember(&mut self) {
        self.history.keep(&self.model, &self.data);
    }

    /// Offers the present moment to the pages.
    pub(crate) fn publish(&mut self, server: &Server) {
        let scene = match &self.scene {
            Some(scene) => scene.clone(),
            None => {
                let scene = Arc::new(scene_message(&self.model, &self.title, self.scene_id));
                self.scene = Some(scene.clone());
                scene
            }
        };
        let extras = Extras { geoms: &self.geoms, tracked: &self.tracked, samples: &self.samples };
        let mut frame =
            self.composer.compose(&self.model, &self.data, &self.opt, &self.pert, &extras);
        if !self.worlds.is_empty() {
            frame = self.add_worlds(frame);
        }
        self.samples.times.clear();
        self.samples.values.clear();
        let (table_id, table) = self.composer.table();
        server.publish(Snapshot { scene_id: self.scene_id, table_id, scene, table, frame });
    }

    /// A message with the frames of all simulations.
    fn add_worlds(&mut self, first: Vec<u8>) -> Vec<u8> {
        let mut grid = Message::with_room(Kind::Grid, (first.len() + 8) * (self.worlds.len() + 1));
        grid.u32(self.worlds.len() as u32 + 1);
        let mut add = |frame: &[u8]| {
            grid.u32(frame.len() as u32);
            grid.bytes(frame);
            grid.pad();
        };
        add(&first);
        // nothing is dragged there
        let pert = Perturb { active: 0, active2: 0, ..self.pert };
        for (data, _) in &self.worlds {
            let extras = Extras::default();
            add(&self.composer.compose(&self.model, data, &self.opt, &pert, &extras));
        }
        grid.finish()
    }

    /// Shows `count` simulations side by side; all but the first have noise on their controls.
    pub fn multiply(&mut self, count: usize, deviation: f64) {
        self.worlds.clear();
        for seed in 1..count.clamp(1, MAX_WORLDS) {
            let mut data = Data::new(&self.model);
            data.assign(&self.data);
            let mut noise = Noise::seeded(seed as u64);
            noise.set(deviation, 0.1);
            self.worlds.push((data, noise));
        }
        self.news = true;
    }

    /// Shows simulations that somebody else steps beside the first one.
    pub fn set_worlds<'a>(&mut self, others: impl Iterator<Item = &'a Data>) {
        let mut count = 0;
        for data in others.filter(|data| data.fits(&self.model)).take(MAX_WORLDS - 1) {
            if count == self.worlds.len() {
                self.worlds.push((Data::new(&self.model), Noise::default()));
            }
            self.worlds[count].0.assign(data);
            count += 1;
        }
        self.worlds.truncate(count);
    }

    /// Sends pictures and recordings that have become ready.
    pub(crate) fn hand_out_pictures(&mut self, server: &Server) {
        self.replays.retain(|(client, page)| match page.try_recv() {
            Ok(page) => {
                server.note(Some(*client), &status::file("file", "replay.html", &page));
                false
            }
            Err(error) => error == TryRecvError::Empty,
        });
        if let Some(painter) = &self.painter {
            painter.ready().into_iter().for_each(|(to, picture)| server.image(to, picture));
        }
    }

    /// Does what a page asks for.
    pub(crate) fn obey(&mut self, client: u64, command: Command, server: &Server) {
        self.news = true;
        if self.passive && command.changes_state() {
            self.pending.push(command);
            return;
        }
        match command {
            Command::Hello(_) | Command::Ack | Command::Control => self.news = false,
            Command::Play(play) => {
                self.paused = !play;
                match self.passive {
                    true => self.history.leave(),
                    false if play => self.history.branch(),
                    false => {}
                }
            }
            Command::Step(count) => self.step_by(count),
            Command::Seek(place) => {
                self.paused = true;
                self.history.go(place, &self.model, &mut self.data);
                forward(&self.model, &mut self.data);
            }
            Command::Speed(speed) => self.speed = speed,
            Command::Visual(flag, on) => {
                if let Some(known) = self.opt.flags.get_mut(flag) {
                    *known = u8::from(on);
                }
            }
            Command::Group(kind, group, on) => self.show_group(kind, group, on),
            Command::Label(label) => self.opt.label = label.clamp(0, 16),
            Command::Frame(frame) => self.opt.frame = frame.clamp(0, 7),
            Command::TreeDepth(depth) => self.opt.bvh_depth = depth,
            Command::Camera(view) => {
                self.set_camera(&view);
                self.news = false;
            }
            Command::Select([x, y, aspect]) => self.select(x, y, aspect),
            Command::SelectBody(body) => self.select_body(body),
            Command::Perturb(bits) => self.perturb(bits),
            Command::Drag(action, dx, dy) => {
                if let Some(action) = Mouse::from_i32(action).filter(|_| self.pert.select > 0) {
                    let (model, data) = (&self.model, &self.data);
                    let _ = self.view.move_perturb(model, data, action, dx, dy, &mut self.pert);
                }
                self.news = false;
            }
            Command::Track(body) => {
                self.tracked = body.filter(|&body| body < self.model.nbody).into_iter().collect();
            }
            Command::Watch(name, index) => {
                let known = number(&self.data, &name, index).is_some();
                let item = (name, index);
                let room = self.numbers.len() < MAX_WATCHED;
                if known && room && !self.numbers.contains(&item) {
                    self.numbers.push(item);
                }
            }
            Command::Unwatch(name, index) => self.numbers.retain(|n| *n != (name.clone(), index)),
            Command::Image { camera, width, height, kind } => {
                self.order(client, camera, width, height, kind);
                self.news = false;
            }
            Command::CopyPose => {
                let text = status::keyframe(&self.data);
                server.note(Some(client), &status::file("pose", "keyframe.xml", &text));
            }
            Command::Print(model) => {
                let (name, text) = match model {
                    true => ("model.txt", self.model.to_string()),
                    false => ("data.txt", self.data.to_string()),
                };
                server.note(Some(client), &status::file("file", name, &text));
            }
            Command::SaveXml => {
                let text = match self.source.xml() {
                    Some(Ok(text)) => text,
                    Some(Err(error)) => error,
                    None => "the model was not made from XML".to_owned(),
                };
                server.note(Some(client), &status::file("file", "model.xml", &text));
            }
            Command::SaveReplay => self.record(client),
            Command::SaveBinary => {
                let text = base64(&self.model.to_bytes());
                server.note(Some(client), &status::file("binary", "model.mjb", &text));
            }
            Command::Reload if !self.passive => self.reload(),
            Command::Load(files) if !self.passive => self.load(files),
            Command::Reload | Command::Load(_) => {}
            Command::Key(key) => self.pending.push(Command::Key(key)),
            Command::Quit => self.quit = true,
            Command::Option(name, values) => set_option(&mut self.model.opt, &name, &values),
            Command::PhysicsFlag { disable, bit, on } => {
                set_flag(&mut self.model.opt, disable, bit, on);
            }
            Command::Noise(deviation, time) => self.noise.set(deviation, time),
            command => {
                if change_state(&command, &self.model, &mut self.data) {
                    for (data, _) in &mut self.worlds {
                        change_state(&command, &self.model, data);
                        forward(&self.model, data);
                    }
                    self.jumped();
                } else if let Command::SetKeyframe(key) = command {
                    status::set_keyframe(&mut self.model, &self.data, key);
                }
            }
        }
    }

    fn step_by(&mut self, count: i32) {
        self.paused = true;
        if count < 0 {
            let place = self.history.place().saturating_sub(count.unsigned_abs() as usize);
            self.history.go(place, &self.model, &mut self.data);
            forward(&self.model, &mut self.data);
            return;
        }
        for _ in 0..count {
            let next = self.history.place() + 1;
            if next < self.history.len() {
                self.history.go(next, &self.model, &mut self.data);
                forward(&self.model, &mut self.data);
            } else if !self.passive {
                self.step();
                self.remember();
            }
        }
    }

    fn show_group(&mut self, kind: usize, group: usize, on: bool) {
        let opt = &mut self.opt;
        let kinds = [
            &mut opt.geomgroup,
            &mut opt.sitegroup,
            &mut opt.jointgroup,
            &mut opt.tendongroup,
            &mut opt.actuatorgroup,
            &mut opt.flexgroup,
            &mut opt.skingroup,
        ];
        if let Some(shown) = kinds.into_iter().nth(kind).and_then(|groups| groups.get_mut(group)) {
            *shown = u8::from(on);
        }
    }

    fn set_camera(&mut self, view: &View) {
        let map = &self.model.vis.map;
        let [near, far] = [map.znear, map.zfar].map(|z| z * self.model.stat.extent as f32);
        let half = view.half.abs() as f32 * if view.orthographic { 1.0 } else { near };
        let camera = GlCamera {
            pos: view.pos.map(|x| x as f32),
            forward: view.forward.map(|x| x as f32),
            up: view.up.map(|x| x as f32),
            frustum_bottom: -half,
            frustum_top: half,
            frustum_near: near,
            frustum_far: far,
            orthographic: i32::from(view.orthographic),
            ..GlCamera::default()
        };
        self.view.camera = [camera; 2];
    }

    fn select(&mut self, x: f64, y: f64, aspect: f64) {
        let (model, data) = (&self.model, &self.data);
        let hit = self.view.select(model, data, &self.opt, aspect, [x, y]).ok().flatten();
        self.pert.active = 0;
        self.pert.select = hit.map_or(0, |hit| hit.body as i32);
        self.pert.skinselect = hit.and_then(|hit| hit.skin).map_or(-1, |skin| skin as i32);
        if let Some(hit) = hit {
            let away = hit.point - data.xpos[hit.body];
            self.pert.localpos = data.xmat[hit.body].transpose() * away;
        }
    }

    fn select_body(&mut self, body: usize) {
        self.pert = Perturb { scale: self.pert.scale, ..Perturb::default() };
        if body < self.model.nbody {
            self.pert.select = body as i32;
            self.pert.localpos = self.model.body_ipos[body];
        }
    }

    fn perturb(&mut self, bits: i32) {
        let (model, data) = (&self.model, &self.data);
        let ready = self.view.init_perturb(model, data, &mut self.pert).is_ok();
        self.pert.active = if ready && self.pert.select > 0 { bits } else { 0 };
        if self.pert.active == 0 {
            self.data.xfrc_applied.fill([0.0; 6]);
        }
    }

    /// Orders a picture by the renderer.
    fn order(&mut self, client: u64, camera: Option<usize>, width: usize, height: usize, kind: u8) {
        let (model, data) = (&self.model, &self.data);
        let mut scene = self.view.clone();
        let mut fixed = camera.map(sim_core::scene::Camera::fixed);
        let all = Category::All as i32;
        if scene.update(model, data, &self.opt, &self.pert, fixed.as_mut(), all).is_err() {
            return;
        }
        let painter = self.painter.get_or_insert_with(|| Painter::new(model));
        let camera = camera.map_or(-1, |camera| camera as i32);
        painter.order(Order { client, camera, scene, width, height, kind });
    }

    /// Makes a recording of the history, in a thread of its own.
    fn record(&mut self, client: u64) {
        if self.replays.len() >= MAX_REPLAYS {
            return;
        }
        let (model, title, opt) = (self.model.clone(), self.title.clone(), self.opt);
        let states = self.history.states();
        let (finished, page) = channel();
        let make = move || {
            let mut recording = Recording::new(&model, &title);
            recording.show(&opt);
            let mut data = Data::new(&model);
            for state in &states {
                data.set_state(&model, ALL_STATES, state);
                forward(&model, &mut data);
                recording.record(&model, &data);
            }
            let _ = finished.send(recording.page());
        };
        if std::thread::Builder::new().name("viewer recording".into()).spawn(make).is_ok() {
            self.replays.push((client, page));
        }
    }

    /// Loads files that a page brought. A model that does not load changes nothing.
    fn load(&mut self, files: Vec<(String, Vec<u8>)>) {
        let source = match ModelSource::from_files(files) {
            Ok(source) => source,
            Err(error) => {
                self.error = Some(format!("error: {error}"));
                return;
            }
        };
        match source.load().0 {
            Ok(Some(model)) => {
                self.title = title(&model, &source);
                (self.source, self.watched, self.error) = (source, Watched::default(), None);
                self.replace(model);
            }
            Ok(None) => {}
            Err(error) => self.error = Some(error),
        }
    }
}

impl Command {
    /// Whether it changes the state of the simulation, or its options.
    fn changes_state(&self) -> bool {
        use Command::{ClearControls, Keyframe, Option, PhysicsFlag, Reset, Set};
        matches!(
            self,
            Set { .. } | ClearControls | Reset | Keyframe(_) | Option(..) | PhysicsFlag { .. }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Sequence;
    use crate::{ServerOptions, Viewer};

    /// Words that commands are made of.
    const VERBS: [&str; 37] = [
        "play",
        "step",
        "reset",
        "key",
        "setkey",
        "speed",
        "seek",
        "set qpos",
        "set ctrl",
        "set eq_active",
        "clear",
        "noise",
        "option",
        "disable",
        "enable",
        "vis",
        "group",
        "label",
        "frame",
        "depth",
        "camera",
        "select",
        "body",
        "perturb",
        "drag",
        "track",
        "watch",
        "unwatch",
        "image",
        "pose",
        "print model",
        "print data",
        "xml",
        "reload",
        "keypress",
        "control",
        "ack",
    ];
    const FIELDS: [&str; 14] = [
        "timestep",
        "gravity",
        "wind",
        "solver",
        "integrator",
        "cone",
        "jacobian",
        "iterations",
        "tolerance",
        "ccd_iterations",
        "o_solref",
        "qpos",
        "contact",
        "energy",
    ];
    const NUMBERS: [&str; 16] = [
        "0",
        "1",
        "2",
        "3",
        "5",
        "7",
        "13",
        "-1",
        "-4",
        "0.5",
        "1e-9",
        "-3e5",
        "1e300",
        "-1e300",
        "2147483647",
        "40",
    ];

    /// A line that is often a command.
    fn line(random: &mut Sequence) -> String {
        let mut line = VERBS[random.below(VERBS.len())].to_owned();
        if matches!(line.as_str(), "option" | "watch" | "unwatch") {
            line = format!("{line} {}", FIELDS[random.below(FIELDS.len())]);
        }
        let count = [0, 1, 1, 2, 2, 3, 3, 4, 11][random.below(9)];
        for _ in 0..count {
            line = format!("{line} {}", NUMBERS[random.below(NUMBERS.len())]);
        }
        line
    }

    #[test]
    fn whatever_a_page_asks_for_the_session_goes_on() {
        let viewer = Viewer::start(ServerOptions::default()).unwrap();
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        for (seed, name) in (1..).zip(["keyframes", "hand", "cable", "actuator_groups", "empty"]) {
            let model = sim_mjcf::load_file(format!("{folder}/{name}.xml")).unwrap().model;
            let data = Data::new(&model);
            let mut session = Session::new(model, data, name);
            let mut random = Sequence::new(seed);
            let (start, mut obeyed) = (Instant::now(), 0);
            while start.elapsed() < Duration::from_secs(1) || obeyed < 100 {
                let line = line(&mut random);
                let Some(command) = Command::parse(&line).filter(|command| match command {
                    // as many steps as a page may ask for take long, no more
                    Command::Step(count) => count.abs() < 50,
                    _ => true,
                }) else {
                    continue;
                };
                let before = Instant::now();
                session.obey(1, command, &viewer.server);
                if session.paused {
                    session.hold();
                } else {
                    session.step();
                    session.remember();
                }
                session.publish(&viewer.server);
                viewer.server.status(&status::status(&session));
                obeyed += 1;
                assert!(before.elapsed() < Duration::from_secs(10), "{name}, seed {seed}: {line}");
            }
            // and data can be reset
            session.obey(1, Command::Reset, &viewer.server);
            assert_eq!(session.data().time, 0.0);
        }
    }
}
