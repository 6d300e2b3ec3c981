//! Random scenes, possible and impossible: nothing panics, and no number goes bad without a
//! warning and a reset.
//!
//! `SCENES=10000 cargo test --release --test random_scenes` runs more of them.

use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sim_core::model::Warning;
use sim_core::{Data, Model, step};

/// Scenes that are run when nothing else is said.
const SCENES: u64 = 200;

const STEPS: usize = 200;

/// A generator of random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    /// A number below `n`.
    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.between(0.0, 1.0) < probability
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number whose logarithm is evenly distributed.
    fn scaled(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn vector(&mut self, size: f64) -> String {
        let mut x = || self.between(-size, size);
        format!("{} {} {}", x(), x(), x())
    }
}

/// A scene in the making.
struct Scene {
    random: Random,
    xml: String,
    bodies: usize,
    joints: Vec<String>,
    sites: usize,
}

impl Scene {
    /// The text of scene number `seed`.
    fn write(seed: u64) -> String {
        let mut scene = Scene {
            random: Random(seed),
            xml: String::from("<mujoco>"),
            bodies: 0,
            joints: Vec::new(),
            sites: 0,
        };
        scene.options();
        scene.xml += "<worldbody><site name='s0'/>";
        scene.sites = 1;
        if scene.random.chance(0.7) {
            scene.xml += "<geom type='plane' size='5 5 .1'/>";
        }
        if scene.random.chance(0.3) {
            scene.geom(false);
        }
        for _ in 0..1 + scene.random.below(5) {
            scene.body(0);
        }
        scene.xml += "</worldbody>";
        scene.relations();
        scene.xml += "</mujoco>";
        scene.xml
    }

    fn options(&mut self) {
        let r = &mut self.random;
        let solver = r.pick(&["PGS", "CG", "Newton"]);
        let cone = r.pick(&["pyramidal", "elliptic"]);
        let integrator = r.pick(&["Euler", "Euler", "RK4", "implicit", "implicitfast"]);
        let jacobian = r.pick(&["dense", "sparse", "auto"]);
        let timestep = r.scaled(5e-4, 1e-2);
        let impratio = r.scaled(0.1, 100.0);
        let noslip = if r.chance(0.2) { 3 } else { 0 };
        let _ = write!(
            self.xml,
            "<compiler autolimits='true'/><option solver='{solver}' cone='{cone}' \
             integrator='{integrator}' jacobian='{jacobian}' timestep='{timestep}' \
             impratio='{impratio}' noslip_iterations='{noslip}'><flag"
        );
        let flags = [
            "warmstart",
            "filterparent",
            "refsafe",
            "midphase",
            "eulerdamp",
            "nativeccd",
            "island",
        ];
        for flag in flags {
            if self.random.chance(0.15) {
                let _ = write!(self.xml, " {flag}='disable'");
            }
        }
        for flag in ["override", "energy", "multiccd", "sleep", "fwdinv"] {
            if self.random.chance(0.15) {
                let _ = write!(self.xml, " {flag}='enable'");
            }
        }
        self.xml += "/></option>";
    }

    fn body(&mut self, depth: usize) {
        let reach = if self.random.chance(0.5) { 0.15 } else { 0.6 };
        let (pos, euler) = (self.random.vector(reach), self.random.vector(180.0));
        let name = self.bodies;
        self.bodies += 1;
        let _ = write!(self.xml, "<body name='b{name}' pos='{pos}' euler='{euler}'>");
        if depth == 0 && self.random.chance(0.5) {
            self.xml += "<freejoint/>";
        } else if self.random.chance(0.2) {
            let _ =
                write!(self.xml, "<joint type='ball' range='0 {}'/>", self.random.below(2) * 40);
        } else {
            for _ in 0..1 + self.random.below(2) {
                self.joint();
            }
        }
        for _ in 0..1 + self.random.below(2) {
            self.geom(true);
        }
        let _ =
            write!(self.xml, "<site name='s{}' pos='{}'/>", self.sites, self.random.vector(0.2));
        self.sites += 1;
        for _ in 0..self.random.below(3) {
            if depth < 3 && self.bodies < 12 {
                self.body(depth + 1);
            }
        }
        self.xml += "</body>";
    }

    fn joint(&mut self) {
        let name = format!("j{}", self.joints.len());
        let r = &mut self.random;
        let kind = r.pick(&["hinge", "slide"]);
        let _ = write!(self.xml, "<joint name='{name}' type='{kind}' axis='{}'", r.vector(1.0));
        if r.chance(0.4) {
            let (low, width) = (r.between(-1.0, 0.5), r.scaled(1e-4, 2.0));
            let _ = write!(self.xml, " range='{low} {}'", low + width);
        }
        for (attribute, low, high) in [
            ("frictionloss", 1e-6, 1e4),
            ("stiffness", 1e-6, 1e6),
            ("damping", 1e-6, 1e4),
            ("armature", 1e-8, 1e3),
        ] {
            if r.chance(0.2) {
                let _ = write!(self.xml, " {attribute}='{}'", r.scaled(low, high));
            }
        }
        if r.chance(0.2) {
            let _ =
                write!(self.xml, " solreflimit='-{} -{}'", r.scaled(1.0, 1e8), r.scaled(0.1, 1e5));
        }
        self.xml += "/>";
        self.joints.push(name);
    }

    fn geom(&mut self, moves: bool) {
        let r = &mut self.random;
        let kind = r.pick(&["sphere", "capsule", "ellipsoid", "cylinder", "box"]);
        let thin = if r.chance(0.1) { 1e-4 } else { 0.03 };
        let size = [r.scaled(thin, 0.3), r.scaled(thin, 0.3), r.scaled(thin, 0.3)];
        let (pos, euler) = (r.vector(0.2), r.vector(180.0));
        let _ = write!(
            self.xml,
            "<geom type='{kind}' size='{} {} {}' pos='{pos}' euler='{euler}' condim='{}'",
            size[0],
            size[1],
            size[2],
            r.pick(&["1", "3", "4", "6"]),
        );
        if moves {
            let mass = if r.chance(0.5) { r.scaled(0.1, 10.0) } else { r.scaled(1e-6, 1e6) };
            let _ = write!(self.xml, " mass='{mass}'");
        }
        if r.chance(0.3) {
            let (sliding, spinning) = (r.scaled(1e-6, 1e3), r.scaled(1e-6, 1.0));
            let _ = write!(self.xml, " friction='{sliding} {spinning} {spinning}'");
        }
        if r.chance(0.2) {
            let _ =
                write!(self.xml, " margin='{}' gap='{}'", r.scaled(1e-4, 0.1), r.scaled(1e-5, 0.1));
        }
        if r.chance(0.2) {
            let _ = write!(self.xml, " solref='{} {}'", r.scaled(1e-5, 1.0), r.scaled(1e-2, 10.0));
        }
        if r.chance(0.2) {
            let _ = write!(
                self.xml,
                " solimp='{} {} {} .5 {}'",
                r.between(0.0, 1.0),
                r.between(0.0, 1.0),
                r.scaled(1e-6, 1.0),
                r.between(1.0, 6.0)
            );
        }
        self.xml += "/>";
    }

    fn relations(&mut self) {
        let r = &mut self.random;
        if self.bodies > 1 {
            self.xml += "<equality>";
            for _ in 0..r.below(3) {
                let first = r.below(self.bodies);
                let second = (first + 1 + r.below(self.bodies - 1)) % self.bodies;
                let pair = format!("body1='b{first}' body2='b{second}'");
                let _ = match r.below(2) {
                    0 => write!(self.xml, "<weld {pair}/>"),
                    _ => write!(self.xml, "<connect {pair} anchor='{}'/>", r.vector(0.3)),
                };
            }
            if let [first, second, ..] = &self.joints[..]
                && r.chance(0.3)
            {
                let _ = write!(
                    self.xml,
                    "<joint joint1='{first}' joint2='{second}' polycoef='0 {} {} 0 0'/>",
                    r.between(-2.0, 2.0),
                    r.between(-2.0, 2.0)
                );
            }
            self.xml += "</equality>";
        }
        self.xml += "<tendon>";
        if r.chance(0.4) {
            let first = r.below(self.sites);
            let ends = [first, (first + 1 + r.below(self.sites - 1)) % self.sites];
            let _ = write!(
                self.xml,
                "<spatial range='0 {}' frictionloss='{}' stiffness='{}'><site site='s{}'/>\
                 <site site='s{}'/></spatial>",
                r.scaled(1e-3, 1.0),
                r.scaled(1e-3, 1e3),
                r.scaled(1e-3, 1e5),
                ends[0],
                ends[1]
            );
        }
        self.xml += "</tendon><actuator>";
        for joint in &self.joints {
            if r.chance(0.3) {
                let gear = r.scaled(1e-2, 1e4);
                let _ = match r.below(3) {
                    0 => write!(self.xml, "<motor joint='{joint}' gear='{gear}'/>"),
                    1 => write!(self.xml, "<position joint='{joint}' kp='{gear}'/>"),
                    _ => write!(self.xml, "<velocity joint='{joint}' kv='{gear}'/>"),
                };
            }
        }
        self.xml += "</actuator>";
    }
}

fn finite(numbers: &[f64]) -> bool {
    numbers.iter().all(|x| x.is_finite())
}

/// How often the state was found to be bad since the last reset.
fn warnings(data: &Data) -> i32 {
    [Warning::BadQpos, Warning::BadQvel, Warning::BadQacc]
        .iter()
        .map(|&kind| data.warning[kind as usize].number)
        .sum()
}

/// Runs a scene; how often it was reset.
fn run(model: &Model, seed: u64) -> usize {
    let mut random = Random(!seed);
    let mut data = Data::new(model);
    data.qvel.iter_mut().for_each(|x| *x = random.between(-1.0, 1.0));
    let (mut resets, mut broken) = (0, false);
    for i in 0..STEPS {
        data.ctrl.iter_mut().for_each(|x| *x = random.between(-2.0, 2.0));
        let before = data.time;
        step(model, &mut data);
        let reset = data.time <= before;
        resets += usize::from(reset);
        assert!(!reset || warnings(&data) > 0, "step {i}: a reset without a warning");
        // an integrator may break the state; the next step notices
        assert!(reset || !broken, "step {i}: a bad state was not noticed");
        broken = [&data.qpos, &data.qvel, &data.act].iter().any(|numbers| !finite(numbers));
        for (name, numbers) in [
            ("qacc", &data.qacc),
            ("efc_force", &data.efc_force),
            ("qfrc_constraint", &data.qfrc_constraint),
        ] {
            assert!(broken || finite(numbers), "step {i}: {name} is not finite");
        }
    }
    resets
}

#[test]
fn nothing_panics_and_no_number_goes_bad_unnoticed() {
    let scenes = match std::env::var("SCENES") {
        Ok(text) => text.parse().expect("SCENES is a number"),
        Err(_) => SCENES,
    };
    let first = match std::env::var("FIRST_SCENE") {
        Ok(text) => text.parse().expect("FIRST_SCENE is a number"),
        Err(_) => 0,
    };
    let (mut resets, mut failed) = (0, Vec::new());
    for seed in first..first + scenes {
        let xml = Scene::write(seed);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let loaded = sim_mjcf::load_str(&xml).unwrap_or_else(|error| panic!("{error}"));
            run(&loaded.model, seed)
        }));
        match outcome {
            Ok(count) => resets += count,
            Err(_) => failed.push(seed),
        }
    }
    println!("{scenes} scenes, {resets} resets, {} failed", failed.len());
    assert!(failed.is_empty(), "scenes {failed:?} failed");
}

#[test]
fn scenes_differ_and_repeat() {
    assert_eq!(Scene::write(7), Scene::write(7));
    assert_ne!(Scene::write(7), Scene::write(8));
}
