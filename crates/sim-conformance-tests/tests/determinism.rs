//! The same inputs give the same bits: in other processes, on other threads, and from a model that
//! was saved and loaded.

use std::fmt::Write as _;
use std::process::Command;

use sim_conformance_tests::{bits, load, model_names, models_dir, parse};
use sim_core::model::{Cone, Solver};
use sim_core::{Data, Model, step};
use sim_mjcf::Spec;

/// Data that started with some velocity, after `steps` steps.
fn run(model: &Model, steps: usize) -> Data {
    let mut data = Data::new(model);
    for dof in 0..model.nv {
        data.qvel[dof] = 0.1 * (dof % 7) as f64 - 0.3;
    }
    for actuator in 0..model.nu {
        data.ctrl[actuator] = 0.1 * (actuator % 5) as f64 - 0.2;
    }
    (0..steps).for_each(|_| step(model, &mut data));
    data
}

/// Balls, boxes and capsules that fall on each other.
fn heap(solver: Solver, cone: Cone) -> Model {
    let mut xml = String::from("<mujoco><worldbody><geom type='plane' size='5 5 .1'/>");
    for i in 0..15 {
        let shape = ["box' size='.1 .08 .06", "sphere' size='.1", "capsule' size='.05 .1"][i % 3];
        let _ = write!(
            xml,
            "<body pos='{} {} {}' euler='{} {} 0'><freejoint/><geom type='{shape}'/></body>",
            0.1 * (i % 4) as f64,
            0.07 * (i % 3) as f64,
            0.1 + 0.1 * i as f64,
            13 * i,
            29 * i
        );
    }
    let mut model = parse(&(xml + "</worldbody></mujoco>"));
    model.opt.solver = solver as i32;
    model.opt.cone = cone as i32;
    model
}

/// Heaps for every solver and cone.
fn heaps() -> impl Iterator<Item = Model> {
    [Solver::Pgs, Solver::Cg, Solver::Newton].into_iter().flat_map(|solver| {
        [Cone::Pyramidal, Cone::Elliptic].into_iter().map(move |cone| heap(solver, cone))
    })
}

/// One number that stands for all bits (FNV-1a).
fn digest(bits: impl IntoIterator<Item = u64>) -> u64 {
    bits.into_iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, word| (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3))
}

#[test]
fn three_processes_give_the_same_bits() {
    const OTHER: &str = "CORTENFORGE_OTHER_PROCESS";
    let models = model_names().into_iter().map(|name| load(&name)).chain(heaps());
    let own = models.map(|model| format!("{:016x}", digest(bits(&run(&model, 200)))));
    let own = own.collect::<Vec<_>>().join(" ");
    if std::env::var_os(OTHER).is_some() {
        println!("\ndigests: {own}");
        return;
    }
    let this = std::env::current_exe().expect("a test is a program");
    for _ in 0..2 {
        let output = Command::new(&this)
            .args(["three_processes_give_the_same_bits", "--exact", "--nocapture"])
            .env(OTHER, "1")
            .output()
            .expect("the test starts again");
        let text = String::from_utf8_lossy(&output.stdout);
        let other = text.lines().find_map(|line| line.strip_prefix("digests: "));
        assert_eq!(other, Some(own.as_str()));
    }
}

#[test]
fn threads_do_not_change_heaps() {
    for model in heaps() {
        let alone = run(&model, 300);
        assert!(alone.ncon > 5);
        let alone = bits(&alone);
        for threads in [1, 2, 4] {
            std::thread::scope(|scope| {
                let handles: Vec<_> =
                    (0..threads).map(|_| scope.spawn(|| bits(&run(&model, 300)))).collect();
                for handle in handles {
                    assert!(handle.join().expect("a simulation does not panic") == alone);
                }
            });
        }
    }
}

#[test]
fn what_was_saved_and_loaded_moves_the_same() {
    for name in model_names() {
        let spec = Spec::from_file(models_dir().join(format!("{name}.xml")));
        let text = spec.unwrap_or_else(|error| panic!("{error}")).to_xml();
        let saved = Spec::from_str_in(&text, models_dir()).and_then(|spec| spec.compile());
        let saved = saved.unwrap_or_else(|error| panic!("{name}: {error}")).model;
        let (first, second) = (run(&load(&name), 200), run(&saved, 200));
        assert!(bits(&first) == bits(&second), "{name}");
    }
}
