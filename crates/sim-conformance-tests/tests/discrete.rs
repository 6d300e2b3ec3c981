//! The integrator that treats stiffness implicitly, which the reference does not have.

use sim_conformance_tests::parse;
use sim_core::{Data, Model, step};

fn load(integrator: &str, stiffness: f64) -> Model {
    // two masses on a rail that pass through each other, held together by a tendon across their
    // trees
    let xml = format!(
        "<mujoco>
           <option integrator='{integrator}' timestep='0.01' gravity='0 0 0'>
             <flag contact='disable'/>
           </option>
           <worldbody>
             <body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>
             <body><joint name='b' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>
           </worldbody>
           <tendon>
             <fixed stiffness='{stiffness}' springlength='0'>
               <joint joint='a' coef='1'/><joint joint='b' coef='-1'/>
             </fixed>
           </tendon>
         </mujoco>"
    );
    parse(&xml)
}

/// The largest distance from rest after 500 steps, starting 0.1 apart; none if it diverged.
fn stretch_after(model: &Model) -> Option<f64> {
    let mut data = Data::new(model);
    data.qpos[0] = 0.1;
    for _ in 0..500 {
        step(model, &mut data);
    }
    let diverged = data.warning.iter().any(|warning| warning.number > 0);
    (!diverged).then(|| (data.qpos[0] - data.qpos[1]).abs())
}

#[test]
fn a_stiff_tendon_spring_is_stable_only_when_stiffness_is_implicit() {
    for integrator in ["Euler", "RK4", "implicit", "implicitfast"] {
        assert_eq!(stretch_after(&load(integrator, 1e8)), None, "{integrator} should diverge");
    }
    let stretch = stretch_after(&load("discrete", 1e8)).expect("the simulation stays bounded");
    assert!(stretch < 1e-3, "the spring is at rest, not stretched by {stretch}");
}

#[test]
fn one_step_of_a_spring_is_what_its_equation_says() {
    // (m + h²k) a = −k (x + h v), against m a = −k x
    let (h, k, x, v) = (0.01, 5000.0, 0.1, 0.3);
    let velocity = |integrator: &str| {
        let model = parse(&format!(
            "<mujoco><option integrator='{integrator}' timestep='{h}' gravity='0 0 0'/><worldbody>
             <body><joint type='slide' stiffness='{k}'/><geom size='.1' mass='2'/></body>
             </worldbody></mujoco>"
        ));
        let mut data = Data::new(&model);
        (data.qpos[0], data.qvel[0]) = (x, v);
        step(&model, &mut data);
        data.qvel[0]
    };
    let implicit = v - h * k * (x + h * v) / (2.0 + h * h * k);
    assert!((velocity("discrete") - implicit).abs() < 1e-12);
    for integrator in ["Euler", "implicit", "implicitfast"] {
        assert!((velocity(integrator) - (v - h * k * x / 2.0)).abs() < 1e-12, "{integrator}");
    }
}

#[test]
fn a_stiff_tendon_damper_is_stable_in_the_implicit_integrators_only() {
    // a damper between two joints of one tree, as stiff as no explicit step can take it
    let fastest = |integrator: &str| {
        let model = parse(&format!(
            "<mujoco><option integrator='{integrator}' timestep='0.01' gravity='0 0 0'>
             <flag contact='disable'/></option><worldbody>
             <body><joint name='a' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/>
               <body><joint name='b' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body>
             </body></worldbody>
             <tendon><fixed damping='1e4'><joint joint='a' coef='1'/><joint joint='b' coef='-1'/>
             </fixed></tendon></mujoco>"
        ));
        let mut data = Data::new(&model);
        data.qvel[0] = 1.0;
        (0..500).for_each(|_| step(&model, &mut data));
        let diverged = data.warning.iter().any(|warning| warning.number > 0);
        (!diverged).then(|| data.qvel[0].abs().max(data.qvel[1].abs()))
    };
    for integrator in ["Euler", "RK4"] {
        assert_eq!(fastest(integrator), None, "{integrator} should diverge");
    }
    for integrator in ["implicit", "implicitfast", "discrete"] {
        let speed = fastest(integrator).expect("the simulation stays bounded");
        assert!(speed < 1.0, "{integrator}: {speed}");
    }
}

#[test]
fn without_tendons_the_fast_implicit_integrator_is_euler_with_damping() {
    let xml = |integrator: &str| {
        let link = "<body pos='.4 0 .1'><joint axis='0 1 0' damping='0.3' stiffness='2'/>
                    <geom type='capsule' fromto='0 0 0 .4 0 .1' size='.03'/>";
        format!(
            "<mujoco><option integrator='{integrator}'><flag contact='disable'/></option>
             <worldbody>{}{}</worldbody></mujoco>",
            link.repeat(5),
            "</body>".repeat(5)
        )
    };
    let [euler, fast] = ["Euler", "implicitfast"].map(|integrator| {
        let model = parse(&xml(integrator));
        let mut data = Data::new(&model);
        (0..200).for_each(|_| step(&model, &mut data));
        data.qpos
    });
    assert!(euler.iter().all(|angle| angle.abs() > 1e-3), "the chain has moved");
    for (a, b) in euler.iter().zip(&fast) {
        assert!((a - b).abs() < 1e-11, "{a} is not {b}");
    }
}

#[test]
fn without_springs_it_is_the_fast_implicit_integrator() {
    let body = "<body><joint axis='0 1 0' damping='0.3'/>
                <geom type='capsule' fromto='0 0 0 .4 0 .1' size='.03'/>";
    let xml = |integrator: &str| {
        format!(
            "<mujoco><option integrator='{integrator}'><flag contact='disable'/></option>
             <worldbody>{}{}</worldbody></mujoco>",
            body.repeat(5),
            "</body>".repeat(5)
        )
    };
    let [discrete, fast] = ["discrete", "implicitfast"].map(|integrator| {
        let model = parse(&xml(integrator));
        let mut data = Data::new(&model);
        for _ in 0..200 {
            step(&model, &mut data);
        }
        data.qpos
    });
    assert!(fast.iter().all(|angle| angle.abs() > 1e-3), "the chain has moved");
    for (a, b) in discrete.iter().zip(&fast) {
        assert!((a - b).abs() < 1e-10, "{a} is not {b}");
    }
}

#[test]
fn a_soft_oscillator_keeps_its_frequency() {
    // mass 1 against mass 1 with k = 2: period 2π / √(k (1 + 1))
    let model = load("discrete", 2.0);
    let mut data = Data::new(&model);
    data.qpos[0] = 0.1;
    let mut crossings = 0;
    let mut last = 0.1;
    while data.time < 31.4 {
        step(&model, &mut data);
        let stretch = data.qpos[0] - data.qpos[1];
        crossings += usize::from(stretch * last < 0.0);
        last = stretch;
    }
    // ten periods, two crossings each
    assert!((19..=21).contains(&crossings), "{crossings} crossings");
}
