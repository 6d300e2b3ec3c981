//! Robots that come with the library: models with keyframes, a task, and a controller that does it.
//!
//! | name | is | its task |
//! |---|---|---|
//! | `quadruped` | a robot dog with twelve servos | walk to the flag |
//! | `arm` | five joints and a gripper | put the cube on the stand |
//! | `hand` | five fingers, each curled by a tendon | hold a ball while the wrist turns over |
//! | `cartpole` | a cart with a hanging pole, one motor | swing the pole up and balance it |
//! | `walker` | a biped in a plane, six motors | walk |
//! | `humanoid` | a figure of a person's size, twenty servos | wave and squat without falling |
//! | `marionette` | a puppet on springs, with a yo-yo | none: nothing drives it |
//!
//! ```
//! use cortenforge::robots;
//! use cortenforge::{Data, step};
//!
//! let robot = robots::find("cartpole").expect("it comes with the library");
//! let model = robot.load();
//! let mut data = robot.start(&model);
//! while data.time < 6.0 {
//!     robot.control(&model, &mut data);
//!     step(&model, &mut data);
//! }
//! assert!(robot.outcome(&model, &data).done);
//! ```
//!
//! Controllers are pure functions of model and state, small enough to read: `control.rs` has all of
//! them. Their MJCF is in `robots/` of this crate.

mod control;

use sim_core::{Data, Model};

/// A robot: its model, and what it does.
#[derive(Clone, Copy)]
pub struct Robot {
    /// The name that it is found by.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What its controller does, in a few words.
    pub task: &'static str,
    /// The seconds that its task takes.
    pub duration: f64,
    /// The model as MJCF.
    pub xml: &'static str,
    /// Positions, and controls that the controller sets; a model of other sizes is left alone.
    sizes: (usize, usize),
    control: fn(&Model, &mut Data),
    outcome: fn(&Model, &Data) -> Outcome,
}

/// How far a robot has come with its task.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// Whether it is done.
    pub done: bool,
    /// In words, such as `1.20 m from the flag`.
    pub text: String,
}

impl std::fmt::Debug for Robot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Robot").field("name", &self.name).field("about", &self.about).finish()
    }
}

macro_rules! robots {
    ($($name:ident: $about:literal, $task:literal, $duration:literal, $sizes:expr;)*) => {
        /// All robots, the first one being the one to begin with.
        pub const ALL: &[Robot] = &[$(Robot {
            name: stringify!($name),
            about: $about,
            task: $task,
            duration: $duration,
            xml: include_str!(concat!("../../robots/", stringify!($name), ".xml")),
            sizes: $sizes,
            control: control::$name,
            outcome: control::outcome::$name,
        }),*];
    };
}

robots! {
    quadruped: "a robot dog with twelve servos", "walk to the flag", 8.0, (19, 12);
    arm: "a robot arm with five joints and a gripper", "put the cube on the stand", 7.5, (14, 6);
    hand: "five fingers, each curled by a tendon", "hold a ball while the wrist turns over", 7.0, (23, 6);
    cartpole: "a cart with a hanging pole and one motor", "swing the pole up and balance it", 6.0, (2, 1);
    walker: "a biped in a plane with six motors", "walk", 8.0, (9, 6);
    humanoid: "a figure of a person's size with twenty servos", "wave and squat without falling", 8.0, (27, 20);
    marionette: "a puppet on springs, with a yo-yo", "none: nothing drives it", 5.0, (38, 0);
}

/// The robot with a name.
pub fn find(name: &str) -> Option<&'static Robot> {
    ALL.iter().find(|robot| robot.name == name)
}

impl Robot {
    /// Compiles the model.
    pub fn load(&self) -> Model {
        let loaded = sim_mjcf::load_str(self.xml);
        loaded.expect("the models of the library are tested").model
    }

    /// Makes data of a model in the first keyframe, where the task begins.
    pub fn start(&self, model: &Model) -> Data {
        let mut data = Data::new(model);
        if model.nkey > 0 {
            data.reset_keyframe(model, 0);
        }
        data
    }

    /// Sets the controls for the next step, from time and state. A model that is another robot's is
    /// left alone.
    pub fn control(&self, model: &Model, data: &mut Data) {
        if self.fits(model, data) {
            (self.control)(model, data);
        }
    }

    /// Tells how far the robot has come.
    pub fn outcome(&self, model: &Model, data: &Data) -> Outcome {
        match self.fits(model, data) {
            true => (self.outcome)(model, data),
            false => Outcome { done: false, text: format!("the model is not the {}", self.name) },
        }
    }

    fn fits(&self, model: &Model, data: &Data) -> bool {
        let sizes = (data.qpos.len(), data.ctrl.len());
        (model.nq, model.nu) == self.sizes
            && sizes == self.sizes
            && data.geom_xpos.len() == model.ngeom
    }
}
